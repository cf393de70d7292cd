"""How sentences begin and end, as numbers: question, speech, item of a list, part of a sentence.

Marks of all scripts that mean the same are one sort. What closes quotations and brackets is taken
off an end before it is looked at, and is a sort of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple
from unicodedata import category

import numpy as np

from bitext.align.sentences.sentence_pair import stretches_of_texts

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from bitext.align.sentences.seen_texts import Seen
    from bitext.align.sentences.sentence_pair import Each

__all__ = ["SORTS", "SentenceMarks", "marks_of", "marks_of_texts"]

_LOOKED_AT = 40  # characters of a sentence at each of its ends
_BRACKETS = frozenset(")]}）】〕］｝")
_QUOTES = frozenset("\"'»›”’“‘«‹」』〉》")
_DASHES = "-–—―−‒"
# 0 is an end, or a beginning, with a letter.
_ENDS = {
    mark: sort
    for sort, marks in enumerate(
        (".。।۔．｡።։။។׃᠃", "?？؟", "!！", ":：", ";；؛", ",，、،", "…", _DASHES), start=1
    )
    for mark in marks
}
_ELLIPSIS, _FIGURE, _OTHER = 7, 9, 10
_DOTS = ("...", ". . .", "。。。")
_WITHIN_DOTS = frozenset("".join(_DOTS))
_OPENINGS = (_DASHES, "\"'«‹„“‘‚»›”’「『《", "•·*●▪■◦○►▶‣⁃+#", "([{（【〔［")
_OPENS = {mark: sort for sort, marks in enumerate(_OPENINGS, start=1) for mark in marks}
_BEGUN_FIGURE, _SMALL, _BEGUN_OTHER = 5, 6, 7
_SKIPPED = "\ufeff¿¡"  # before a beginning
_SMALL_NEXT = _OTHER + 1

SORTS = {"ends": _OTHER + 1, "closes": 3, "begins": _BEGUN_OTHER + 1, "cuts": 2 * _SMALL_NEXT}
"""How many sorts there are of each attribute of `SentenceMarks`."""


class SentenceMarks(NamedTuple):
    """How the sentences of a text begin and end.

    Attributes
    ----------
    ends : array of int8, shape (sentences,)
        0 a letter, 1 a full stop, 2 a question mark, 3 an exclamation mark, 4 a colon, 5 a
        semicolon, 6 a comma, 7 dots, 8 a dash, 9 a figure, 10 something else.
    closes : array of int8, shape (sentences,)
        What stands behind that: 0 nothing, 1 brackets, 2 quotation marks.
    begins : array of int8, shape (sentences,)
        0 a letter, 1 a dash, 2 a quotation mark, 3 a bullet, 4 a bracket, 5 a figure, 6 a small
        letter, 7 something else.
    cuts : array of int8, shape (sentences,)
        Between this sentence and the next: its end, and 11 more where the next begins small.

    """

    ends: NDArray[np.int8]
    closes: NDArray[np.int8]
    begins: NDArray[np.int8]
    cuts: NDArray[np.int8]


def marks_of(sentences: Iterable[str]) -> SentenceMarks:
    """Return how sentences begin and end.

    Examples
    --------
    >>> found = marks_of(["»Kommst du?«", "- Nein,", "sagte er", "他来了。"])
    >>> found.ends.tolist(), found.closes.tolist()
    ([2, 6, 0, 1], [2, 0, 0, 0])
    >>> found.begins.tolist(), found.cuts.tolist()
    ([2, 1, 6, 0], [2, 17, 0, 1])

    """
    return _whole([_table(sentences)])


def marks_of_texts(texts: Sequence[Seen], *, each: Each = map) -> list[SentenceMarks]:
    """Return how the sentences of several texts begin and end.

    Parameters
    ----------
    texts : sequence of Seen
    each : callable
        Does the work for each of some numbers, as `map` does, some thousand sentences at a time.

    """
    stretches = stretches_of_texts([len(text) for text in texts])

    def look(number: int) -> list[NDArray[np.int8]]:
        return [_table(texts[k].segments(*span)) for k, *span in stretches[number]]

    held: list[list[NDArray[np.int8]]] = [[_table([])] for _ in texts]
    for stretch, tables in zip(stretches, each(look, range(len(stretches))), strict=True):
        for (k, _, _), table in zip(stretch, tables, strict=True):
            held[k].append(table)
    return [_whole(tables) for tables in held]


def _table(sentences: Iterable[str]) -> NDArray[np.int8]:
    """Return the end, what closes behind it, and the beginning of each sentence."""
    known: dict[str, tuple[int, int, int]] = {}
    found = []
    for sentence in sentences:
        # Most are told by their first letter and the last two, which are those of many others.
        key = sentence[:1] + sentence[-2:]
        marks = known.get(key)
        if marks is None:
            marks = (*_end(sentence), _begin(sentence))
            if _is_enough(key):
                known[key] = marks
        found.append(marks)
    return np.array(found, dtype=np.int8).reshape(-1, 3)


def _is_enough(key: str) -> bool:
    """Return whether the first letter of a sentence, and the last two, tell all of its marks."""
    if len(key) < 3 or key[0].isspace() or key[0] in _SKIPPED:
        return False
    last = key[-1]
    if last.isspace() or last in _QUOTES or last in _BRACKETS:
        return False
    return _ENDS.get(last) != 1 or key[-2] not in _WITHIN_DOTS


def _whole(tables: Sequence[NDArray[np.int8]]) -> SentenceMarks:
    """Return the marks of the sentences of several tables as those of one text."""
    ends, closes, begins = np.ascontiguousarray(np.concatenate(tables).T)
    small = np.append(begins[1:], 0)[: len(begins)] == _SMALL
    return SentenceMarks(ends, closes, begins, (ends + _SMALL_NEXT * small).astype(np.int8))


def _end(sentence: str) -> tuple[int, int]:
    """Return the sort of an end, and of what closes behind it."""
    tail, closed = sentence[-_LOOKED_AT:].rstrip(), 0
    while tail:
        last = tail[-1]
        if last in _QUOTES:
            closed = 2
        elif last in _BRACKETS:
            closed = closed or 1
        else:
            break
        tail = tail[:-1].rstrip()
    if not tail:
        return 0, closed
    sort = _ENDS.get(last)
    if sort is not None:
        return (_ELLIPSIS if sort == 1 and tail.endswith(_DOTS) else sort), closed
    if last.isalpha() or category(last)[0] == "M":  # vowels of many scripts stand as marks
        return 0, closed
    return (_FIGURE if last.isdigit() else _OTHER), closed


def _begin(sentence: str) -> int:
    """Return the sort of a beginning."""
    head = sentence[:_LOOKED_AT].lstrip()
    if head and head[0] in _SKIPPED:
        head = head.lstrip(_SKIPPED + " ")
    if not head:
        return 0
    first = head[0]
    if first.isalpha():
        return _SMALL if first.islower() else 0
    sort = _OPENS.get(first)
    if sort is not None:
        return sort
    return _BEGUN_FIGURE if first.isdigit() else _BEGUN_OTHER
