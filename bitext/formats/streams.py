"""Names of what is open already, in this process only: standard input and output, descriptors.

What comes through standard input comes once: whoever wants it again is told so.
"""

from __future__ import annotations

import re
import sys
from typing import BinaryIO

from bitext.errors import InputError

__all__ = ["descriptor_of", "is_stream", "standard_input"]

_STANDARD = {"/dev/stdin": 0, "/dev/stdout": 1, "/dev/stderr": 2}
_DESCRIPTOR = re.compile(r"/(?:dev|proc/self)/fd/(\d{1,9})", re.ASCII)

_taken: list[BinaryIO] = []  # the standard input that was opened last


def descriptor_of(name: str) -> int | None:
    """Return the descriptor that a name stands for, of a program as of a shell.

    Examples
    --------
    >>> descriptor_of("/dev/stdout"), descriptor_of("/dev/fd/63"), descriptor_of("a.tsv")
    (1, 63, None)

    """
    found = _DESCRIPTOR.fullmatch(name)
    return int(found[1]) if found else _STANDARD.get(name)


def is_stream(name: str) -> bool:
    """Tell whether a name, or one of two with a comma, is of what is open in this process only.

    Examples
    --------
    >>> is_stream("-"), is_stream("-,a.fr"), is_stream("/dev/stdin"), is_stream("a-b,c.fr")
    (True, True, True, False)

    """
    parts = (name, *name.split(","))
    return any(part == "-" or descriptor_of(part) is not None for part in parts)


def standard_input() -> BinaryIO:
    """Return the bytes of standard input.

    Raises
    ------
    InputError
        When it is closed, or was asked for before.

    """
    if sys.stdin is None:
        raise InputError("standard input is closed: give it something to read, or name a file")
    found = sys.stdin.buffer
    if found.closed or found in _taken:
        raise InputError("standard input can be read once only, and is wanted again: name a file")
    _taken[:] = [found]
    return found
