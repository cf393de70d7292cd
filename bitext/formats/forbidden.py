"""The characters that XML 1.0 forbids (section 2.2, Char): found one by one, or told at once."""

from __future__ import annotations

import re

import numpy as np

__all__ = ["FORBIDDEN", "SURROGATES", "has_forbidden", "has_forbidden_bytes"]

FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
SURROGATES = re.compile("[\ud800-\udfff]")  # halves of pairs: no encoding has them
_BLANK = ord(" ")
_TAB, _LF, _CR = b"\t\n\r"
_LEAD = b"\xef"
_NONCHARACTERS = (b"\xef\xbf\xbe", b"\xef\xbf\xbf")  # U+FFFE and U+FFFF


def has_forbidden(text: str) -> bool:
    r"""Tell whether a text has a character that XML forbids, as `FORBIDDEN` finds them.

    Examples
    --------
    >>> has_forbidden("a\t\x7f"), has_forbidden("a\x01"), has_forbidden("\ufffe")
    (False, True, True)

    """
    try:
        return has_forbidden_bytes(text.encode())
    except UnicodeEncodeError:  # half of a surrogate pair
        return True


def has_forbidden_bytes(data: bytes) -> bool:
    """Tell the same of a text in UTF-8."""
    signs = np.frombuffer(data, dtype=np.uint8)
    low = signs[signs < _BLANK]
    if ((low != _TAB) & (low != _LF) & (low != _CR)).any():
        return True
    # One byte is found many times faster than three, and is seldom there.
    return _LEAD in data and any(sign in data for sign in _NONCHARACTERS)
