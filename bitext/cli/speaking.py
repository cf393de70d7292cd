"""What is said: results on standard output, all else on standard error.

A result that cannot be written is an error. What is told beside it is not: the work was done,
whether or not anybody can be told of it.
"""

from __future__ import annotations

import codecs
import os
import sys
from typing import TYPE_CHECKING, TextIO

from bitext.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["hush", "refuse_closed", "remark", "say"]


def say(parts: Iterable[str]) -> None:
    """Write to standard output; what its encoding lacks is escaped, so that JSON remains JSON.

    Raises
    ------
    InputError
        When it is closed.
    OSError
        When it cannot be written to, or nobody reads it any more.

    """
    refuse_closed()
    reconfigure = getattr(sys.stdout, "reconfigure", None)
    if reconfigure is not None:
        codecs.register_error("bitext", _escaped)
        reconfigure(errors="bitext")
    sys.stdout.writelines(parts)
    sys.stdout.flush()


def _escaped(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    units = error.object[error.start : error.end].encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[k : k + 4]}" for k in range(0, len(units), 4)), error.end


def refuse_closed() -> None:
    """Refuse a standard output that is closed: Python has none then.

    Raises
    ------
    InputError
        When it is.

    """
    if sys.stdout is None:
        raise InputError("standard output is closed: open it")


def remark(text: str) -> None:
    """Write to standard error, or nowhere if that cannot be written to."""
    if sys.stderr is None:
        return
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except OSError:
        hush(sys.stderr)


def hush(stream: TextIO) -> None:
    """Let what is still to be written to a stream go nowhere."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)
