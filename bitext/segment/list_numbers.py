"""Numbers of lists, which begin the sentence behind them: `1. Introduction`, `(b) Second`.

Punkt ends a sentence at `1.`, so the number stood alone, or, where the line before ends without a
stop, at the end of that. A number that is a piece of its own goes to the next piece of the line; so
do a letter and a Roman number at the beginning of a line. One that ends a piece as the beginning of
a line goes there, too, if another line begins with the number before or behind it: else it may be
the end of a sentence whose lines are broken.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    Spans = list[tuple[int, int]]

__all__ = ["begins_item", "numbered_lines", "with_numbers"]

_NUMBER = re.compile(r"[(\[]?\d{1,3}(?:\.\d{1,3}){0,4}[.)\]]{1,2}")
_LETTER = re.compile(r"[(\[]?(?:[^\W\d_]|[ivx]{2,5}|[IVX]{2,5})[.)\]]{1,2}")
_AT_LINE = re.compile(r"^[ \t]*(\d{1,3})\.(?=[ \t]+\S)", re.MULTILINE)
_LAST = re.compile(r"\n[ \t]*(\d{1,3})\.\Z")
_ITEM = re.compile(r"\(?[^\W\d_]\)[ \t]+\S")
_LINE = re.compile(
    r"\n[ \t]*([(\[]?(?:[0-9.]{1,16}|[^\W\d_]|[ivx]{2,5}|[IVX]{2,5})[.)\]][.)\]]?)[ \t]"
)
_LONGEST = 24  # characters of a number of a list, and of the white space before it


def with_numbers(text: str, pieces: Sequence[tuple[int, int]]) -> Spans:
    r"""Return pieces with the numbers of lists at their beginnings.

    Parameters
    ----------
    text : str
        Running text.
    pieces : sequence of (int, int)
        Half-open spans of sentences in it, ascending.

    Examples
    --------
    >>> text = "1. Read.\n2. Write."
    >>> with_numbers(text, [(0, 2), (3, 8), (9, 11), (12, 18)])
    [(0, 8), (9, 18)]

    """
    found: Spans = []
    listed: set[int] | None = None
    begin = -1  # of a number that the next piece begins with
    for k, (first, end) in enumerate(pieces):
        start, begin = (first if begin < 0 else begin), -1
        short = end - start < _LONGEST
        if (short or text[end - 2].isdecimal()) and _has_follower(text, pieces, k):
            if short and _is_number(text, start, end):
                begin = start
                continue
            last = _LAST.search(text, max(start, end - _LONGEST), end)
            if last is not None:
                if listed is None:
                    listed = {int(each) for each in _AT_LINE.findall(text)}
                if {int(last[1]) - 1, int(last[1]) + 1} & listed:
                    begin = last.start(1)
                    end = start + len(text[start : last.start()].rstrip())
        found.append((start, end))
    return found


def numbered_lines(text: str) -> list[int]:
    r"""Return the places of possible list numbers, at the beginnings of lines but the first.

    Examples
    --------
    >>> numbered_lines("1. Read.\n 2. Write.\n(b) Count.")
    [10, 20]

    """
    return [found.start(1) for found in _LINE.finditer(text)]


def begins_item(text: str, start: int, end: int) -> bool:
    """Check whether a piece begins as a lettered item of a list does: `b) Next`."""
    return _ITEM.match(text, start, end) is not None


def _has_follower(text: str, pieces: Sequence[tuple[int, int]], k: int) -> bool:
    """Check whether a piece ends like a list number, with another piece after it on the line."""
    end = pieces[k][1]
    follows = text[end - 1] in ".)]" and k + 1 < len(pieces)
    return follows and "\n" not in text[end : pieces[k + 1][0]]


def _is_number(text: str, start: int, end: int) -> bool:
    """Check whether a piece is the number of a list; a letter is only where a line begins."""
    if _NUMBER.fullmatch(text, start, end):
        return True
    if not _LETTER.fullmatch(text, start, end):
        return False
    before = text[max(0, start - _LONGEST) : start].rstrip(" \t")
    return before.endswith("\n") or (not before and start < _LONGEST)
