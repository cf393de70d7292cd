"""What stands for the characters that XML does not take as they are, between tags and in values.

A carriage return has to be a reference everywhere, as a parser makes a line feed of it; a tab and a
line feed only in the values of attributes, where it makes spaces of them.
"""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping


__all__ = [
    "FORBIDDEN",
    "IN_TEXT",
    "IN_VALUES",
    "SURROGATES",
    "escape",
    "escape_value",
    "has_forbidden",
    "has_forbidden_bytes",
    "replaced",
    "unescape",
]


# The characters that XML 1.0 forbids (section 2.2, Char): found one by one, or told at once.

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


_REFERENCE = re.compile(r"&(?:(lt|gt|amp|quot|apos)|#([0-9]{1,7})|#x([0-9a-fA-F]{1,6}));")
_MOST_KNOWN = 1 << 12
_NAMED = {"lt": "<", "gt": ">", "quot": '"', "apos": "'", "amp": "&"}


def unescape(text: str) -> str:
    """Return a text with its references put in, once; they are valid.

    Examples
    --------
    >>> unescape("R&amp;D &amp;lt; &#x1F600;")
    'R&D &lt; 😀'

    """
    if "&" not in text:
        return text
    if "&#" in text:
        return _REFERENCE.sub(_character, text)
    for name, character in _NAMED.items():  # the ampersand last, as what it makes is no reference
        text = text.replace(f"&{name};", character)
    return text


def _character(found: re.Match[str]) -> str:
    return _known[found[0]]


class _Characters(dict[str, str]):
    """The characters of references, those met first at hand."""

    def __missing__(self, reference: str) -> str:
        name = reference[1:-1]
        if name in _NAMED:
            found = _NAMED[name]
        else:
            found = chr(int(f"0{name[1:]}", 16) if name[1] == "x" else int(name[1:]))
        if len(self) < _MOST_KNOWN:
            self[reference] = found
        return found


_known = _Characters()


# In this order: what is put in has an ampersand itself.
IN_TEXT: Mapping[str, str] = MappingProxyType(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;"}
)
IN_VALUES: Mapping[str, str] = MappingProxyType(
    {**IN_TEXT, '"': "&quot;", "\t": "&#9;", "\n": "&#10;"}
)
_TEXT, _VALUES = str.maketrans({**IN_TEXT}), str.maketrans({**IN_VALUES})


def escape(text: str) -> str:
    """Return a text as it stands between tags.

    Examples
    --------
    >>> escape("R&D <b>")
    'R&amp;D &lt;b&gt;'

    """
    return text.translate(_TEXT)


def escape_value(value: str) -> str:
    """Return the value of an attribute as it stands between double quotes.

    Examples
    --------
    >>> escape_value('a "b"')
    'a &quot;b&quot;'

    """
    return value.translate(_VALUES)


def replaced(text: str, references: Mapping[str, str] = IN_TEXT) -> str:
    """Return a long text with what stands for its characters: a pass over it for each that it has.

    Examples
    --------
    >>> replaced("R&D <b>") == escape("R&D <b>")
    True

    """
    for sign, reference in references.items():
        if sign in text:
            text = text.replace(sign, reference)
    return text
