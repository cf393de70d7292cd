"""Text on a terminal: colours, and truncation and wrapping by columns."""

from __future__ import annotations

import os
import sys
import unicodedata
from typing import TYPE_CHECKING, TextIO

from bitext.reports.lettering import visible
from bitext.reports.table import width

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["LEAST_WIDTH", "clipped", "padded", "painted", "shortened", "wants_colour", "wrapped"]

LEAST_WIDTH = 40  # columns used on a narrower terminal, too
_COLOURS = {"agreed": "32", "partly": "34", "missed": "33", "wrong": "31", "quiet": "2"}


def wants_colour(stream: TextIO | None = None, environ: Mapping[str, str] = os.environ) -> bool:
    """Return whether to colour a stream: a terminal whose environment allows colours.

    A non-empty `NO_COLOR` (no-color.org) and a `TERM` of `dumb` forbid colours.

    Examples
    --------
    >>> import io
    >>> wants_colour(io.StringIO())
    False

    """
    out = sys.stdout if stream is None else stream
    if environ.get("NO_COLOR") or environ.get("TERM") == "dumb":
        return False
    return out is not None and out.isatty()


def painted(text: str, kind: str, *, colour: bool) -> str:
    r"""Return a text in the colour of its kind: agreed, partly, missed, wrong, or quiet.

    Examples
    --------
    >>> painted("no", "wrong", colour=True), painted("no", "wrong", colour=False)
    ('\x1b[31mno\x1b[0m', 'no')

    """
    return f"\x1b[{_COLOURS[kind]}m{text}\x1b[0m" if colour else text


def clipped(text: str, columns: int) -> str:
    """Truncate a text with an ellipsis to a number of columns.

    No letter loses its combining marks.

    Examples
    --------
    >>> clipped("  one  two", 10), clipped("  one  two", 8)
    ('  one  two', '  one  …')

    """
    return text if width(text) <= columns else _head(text, columns - 1) + "…"


def shortened(text: str, columns: int) -> str:
    r"""Join a text to one line, and truncate it with an ellipsis to a number of columns.

    Control characters become visible (`bitext.reports.lettering.visible`), white space becomes one
    space, and wide characters take two columns.

    Examples
    --------
    >>> shortened("one  two\nthree", 9), shortened("漢字漢字", 5)
    ('one two …', '漢字…')

    """
    line = visible(" ".join(text[: 8 * columns + 80].split()))
    if width(line) <= columns and len(text) <= 8 * columns + 80:
        return line
    return _head(line, columns - 1) + "…"


def wrapped(text: str, columns: int, *, most: int | None = None) -> list[str]:
    """Wrap a text to a number of columns, at spaces where possible.

    Beyond `most` lines, the last one ends in an ellipsis. An empty text is one empty line.

    Examples
    --------
    >>> wrapped("a longish sentence of words", 10)
    ['a longish', 'sentence', 'of words']
    >>> wrapped("Donaudampfschiff", 10, most=1)
    ['Donaudamp…']

    """
    lines, line = [], ""
    limit = len(text) if most is None else 8 * columns * most + 80
    for word in text[:limit].split():
        word = visible(word)
        while True:
            joined = f"{line} {word}" if line else word
            if width(joined) <= columns:
                line = joined
                break
            if line:
                lines.append(line)
                line = ""
                continue
            part = _head(word, columns) or word[:1]  # a single wide character may be too wide
            lines.append(part)
            word = word[len(part) :]
            if not word:
                break
        if most is not None and len(lines) > most:
            break
    lines.append(line)
    lines = [kept for kept in lines if kept] or [""]
    if most is not None and (len(lines) > most or limit < len(text)):
        lines = lines[:most]
        lines[-1] = _head(lines[-1], columns - 1) + "…"
    return lines


def padded(text: str, columns: int) -> str:
    """Pad a text with spaces to a number of columns."""
    return text + " " * max(columns - width(text), 0)


def _head(text: str, columns: int) -> str:
    """Return the longest prefix that fits, with whole letters and their marks."""
    used = 0
    for k, sign in enumerate(text):
        used += width(sign)
        if used > columns:
            whole = k
            while whole and unicodedata.category(text[whole]).startswith("M"):
                whole -= 1
            return text[:whole]
    return text
