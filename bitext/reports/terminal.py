"""Text on a terminal: whether it has colours, and what fits into so many columns."""

from __future__ import annotations

import os
import sys
import unicodedata
from typing import TYPE_CHECKING, TextIO

from bitext.reports.lettering import visible
from bitext.reports.table import width

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["clipped", "padded", "painted", "shortened", "wants_colour", "wrapped"]

_COLOURS = {"agreed": "32", "partly": "34", "missed": "33", "wrong": "31", "quiet": "2"}


def wants_colour(stream: TextIO | None = None, environ: Mapping[str, str] = os.environ) -> bool:
    """Tell whether to colour a stream: it is a terminal, and the environment allows it.

    `NO_COLOR` says no when it holds anything (no-color.org), and so does a `TERM` of `dumb`.

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
    """Return a text as it is, or as much of its begin as fits into so many columns.

    What is cut ends in an ellipsis. No letter is parted from its marks.

    Examples
    --------
    >>> clipped("  one  two", 10), clipped("  one  two", 8)
    ('  one  two', '  one  …')

    """
    return text if width(text) <= columns else _head(text, columns - 1) + "…"


def shortened(text: str, columns: int) -> str:
    r"""Return a text on one line that takes no more than so many columns, with an ellipsis.

    What could steer a terminal is shown (`bitext.reports.lettering.visible`), white space is one
    space, and wide signs take two columns.

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
    """Return a text in lines of at most so many columns, broken at spaces where that can be.

    Of more than `most` lines the last ends in an ellipsis. An empty text is one empty line.

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
            part = _head(word, columns) or word[:1]  # one wide sign may need more than there is
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
    """Return a text with spaces up to so many columns."""
    return text + " " * max(columns - width(text), 0)


def _head(text: str, columns: int) -> str:
    """Return as much of the begin of a text as fits, no letter without its marks."""
    used = 0
    for k, sign in enumerate(text):
        used += width(sign)
        if used > columns:
            whole = k
            while whole and unicodedata.category(text[whole]).startswith("M"):
                whole -= 1
            return text[:whole]
    return text
