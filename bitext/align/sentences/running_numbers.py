"""Numbers in texts that say nothing of what is a translation of what.

Where each text has its own numbers, as lines that were counted, pages and notes have, the same
number stands at other places: equal numbers would lead the path astray. Numbers of verses, articles
and chapters tell where translations are. All of them run through the text; but what has the same
number of a verse is about as long in both, and so is what lies between two headings of chapters, or
between two notes that both texts have.
"""

from __future__ import annotations

import math
import re
from itertools import islice, pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from numpy.typing import ArrayLike, NDArray

    from bitext.align.sentences.seen_texts import Seen

__all__ = ["Unnumbered", "seen_without_numbers"]

# Before a sentence: `57.`, `[57]`, `2:14`, `00:05:21`.
_BEFORE = re.compile(r"\s*[^\w\s]{0,2}(\d{1,9}(?:[.:]\d{1,9}){0,3})[^\w\s]{0,2}\s+(?=\S)")
_PARTS = re.compile(r"[.:]")
_LINE = re.compile(r"(\D{0,30})(\d{1,5})(\D{0,30})")  # all of a line: `57`, `- 57 -`, `Page 57`
_NOTE = re.compile(r"([\[({])(\d{1,5})([\])}])")  # anywhere: `[57]`
_LONGEST = 65  # characters of such a line
_FEWEST = 10  # sentences with numbers, and pairs of them that are compared
_PAGES = 5  # and lines with numbers, or notes
_PARTNER = 0.75  # of the most that they have in common with any have those that count
_SORTS = 32  # sorts of such numbers that are looked at
_FIRST = 50  # sentences that are looked at before all others
_MOST = 20_000  # sentences that are looked at
_MANY = 0.9  # of them have a number
_ASCEND = 0.85  # of the numbers are greater than the one before
_BY_ONE = 0.75  # and by one, if numbers of one text alone are to be nothing but its own
_TOGETHER = 0.85  # the correlation of the lengths of what has the same number, if that tells
_LEFT_OUT = 0.05  # of these lengths differ most, and do not count
_PASSAGES = 3  # of them in any case, but no more than a quarter
_Sort = tuple[bool, str, str]  # whether of notes; what stands before and behind the number


class Unnumbered:
    """A text as if some of its numbers were not there.

    Parameters
    ----------
    text : Seen
    before : bool
        Whether the numbers before its sentences are left out.
    within : collection of (bool, str, str)
        Which other numbers are left out: whether those of notes, or in lines that have nothing else
        but what stands before the number, and behind it.

    Examples
    --------
    >>> from bitext.model import Text
    >>> text = Text(["[7] In 1786.", "Page 3", "[8] 12 men (4)."])
    >>> within = [(False, "Page ", ""), (True, "(", ")")]
    >>> list(Unnumbered(text, before=True, within=within).segments())
    ['In 1786.', 'Page ', '12 men ().']

    """

    def __init__(self, text: Seen, *, before: bool = False, within: Collection[_Sort] = ()) -> None:
        self._text, self._before, self._within = text, before, frozenset(within)
        self._notes = any(note for note, _, _ in within)

    def __len__(self) -> int:
        return len(self._text)

    def apart(self) -> NDArray[np.bool_]:
        """Return which sentences are lines whose number is left out: they belong to no other."""
        return np.array([self._is_apart(one) is not None for one in self._text.segments()], bool)

    def _is_apart(self, sentence: str) -> re.Match[str] | None:
        line = _line(sentence)
        return line if line and (False, line[1], line[3]) in self._within else None

    def segments(self, first: int = 0, last: int | None = None) -> Iterator[str]:
        """Return the characters of each segment, as `Text.segments` does."""
        for sentence in self._text.segments(first, last):
            if line := self._is_apart(sentence):
                yield line[1] + line[3]
                continue
            bare = _BEFORE.sub("", sentence, count=1) if self._before else sentence
            yield _NOTE.sub(self._without, bare) if self._notes else bare

    def _without(self, note: re.Match[str]) -> str:
        """Return a note without its number, if it is to be left out."""
        return note[1] + note[3] if (True, note[1], note[3]) in self._within else note[0]


def _line(sentence: str) -> re.Match[str] | None:
    """Return a line that has a number and little else."""
    return _LINE.fullmatch(sentence) if len(sentence) <= _LONGEST else None


def seen_without_numbers(src: Seen, tgt: Seen) -> tuple[Seen, Seen]:
    """Return two texts without the numbers of lines, pages and notes that tell nothing.

    Parameters
    ----------
    src, tgt : Seen
        With characters.

    Examples
    --------
    >>> from bitext.model import Text
    >>> words = ["Yes.", "We went up to the hut.", "It rained all night.", "So be it."] * 4
    >>> src = Text([f"{k}. {x}" for k, x in enumerate(words)])
    >>> tgt = Text([f"{k}. {x}" for k, x in enumerate(words[1:])])
    >>> next(seen_without_numbers(src, tgt)[0].segments())
    'Yes.'
    >>> next(seen_without_numbers(src, src)[0].segments())
    '0. Yes.'

    """
    before = _misleading_before(_before(src), _before(tgt))
    within = _misleading_within(src, tgt)
    here, there = (
        Unnumbered(text, before=own, within=some) if own or some else text
        for text, own, some in zip((src, tgt), before, within, strict=True)
    )
    return here, there


class _Before(NamedTuple):
    """The numbers before the sentences of a text.

    Attributes
    ----------
    sizes : dict
        The length of each sentence by its number, before which stands how often numbers began anew.
    by_one : bool
        Whether most are greater than the one before by one.

    """

    sizes: dict[tuple[int, ...], int]
    by_one: bool


def _before(text: Seen) -> _Before | None:
    """Return the numbers before the sentences of a text, if there are such that run through it."""
    first = list(islice(text.segments(0, _FIRST), _FIRST))
    if len(first) < _FEWEST or sum(map(bool, map(_BEFORE.match, first))) < _MANY * len(first):
        return None
    met: list[tuple[int, ...]] = []
    sizes: dict[tuple[int, ...], int] = {}
    anew, looked_at = 0, 0
    for sentence in text.segments(0, _MOST):
        looked_at += 1
        found = _BEFORE.match(sentence)
        if found is None:
            continue
        number = tuple(map(int, _PARTS.split(found[1])))
        anew += bool(met) and number <= met[-1]
        met.append(number)
        sizes[anew, *number] = len(sentence) - found.end()
    steps = max(len(met) - 1, 1)
    if len(met) < _MANY * looked_at or anew > (1 - _ASCEND) * steps:
        return None
    by_one = sum(a[:-1] == b[:-1] and a[-1] + 1 == b[-1] for a, b in pairwise(met))
    return _Before(sizes, by_one >= _BY_ONE * steps)


def _misleading_before(here: _Before | None, there: _Before | None) -> tuple[bool, bool]:
    """Tell of both texts whether the numbers before their sentences say nothing."""
    if here is None or there is None:
        return here is not None and here.by_one, there is not None and there.by_one
    common = [number for number in here.sizes if number in there.sizes]
    sizes = [[side.sizes[number] for number in common] for side in (here, there)]
    misleads = len(common) >= _FEWEST and not _go_together(*sizes)
    return misleads, misleads


def _go_together(here: ArrayLike, there: ArrayLike) -> bool:
    """Tell whether lengths are correlated; if all of a side are the same, that can not be told.

    The few that differ most do not count: there one text may have left something out.
    """
    lengths = np.log(np.array([here, there], dtype=np.float64))
    ratio = lengths[1] - lengths[0]
    few = math.ceil(max(_LEFT_OUT * len(ratio), min(_PASSAGES, len(ratio) / 4)))
    lengths = lengths[:, np.argsort(np.abs(ratio - np.median(ratio)))[: len(ratio) - few]]
    if (np.ptp(lengths, axis=1) == 0).any():
        return True
    return bool(np.corrcoef(lengths)[0, 1] >= _TOGETHER)


class _Running(NamedTuple):
    """Numbers that run through a text, before and behind which stands the same.

    Attributes
    ----------
    sort : (bool, str, str)
        Whether they are notes, and what stands before and behind them.
    letters : dict
        The letters of the text before each number; before that stands how often they began anew.

    """

    sort: _Sort
    letters: dict[tuple[int, int], int]


def _misleading_within(src: Seen, tgt: Seen) -> tuple[list[_Sort], list[_Sort]]:
    """Return of both texts the sorts of numbers, of lines and notes, that say nothing.

    So it is where the other text has such numbers, and none of those that have most in common with
    these go together with them.
    """
    sides = _running(src), _running(tgt)
    met: list[tuple[_Sort, _Sort, int, bool]] = []
    for here in sides[0]:
        for there in sides[1]:
            common = sorted(set(here.letters) & set(there.letters))
            if len(common) >= _PAGES:
                between = [np.diff([own.letters[k] for k in common]) for own in (here, there)]
                met.append((here.sort, there.sort, len(common), _go_together(*between)))
    return _untold([(one, many, right) for one, _, many, right in met]), _untold(
        [(one, many, right) for _, one, many, right in met]
    )


def _untold(met: Sequence[tuple[_Sort, int, bool]]) -> list[_Sort]:
    """Return the sorts of numbers of which none that goes together has most in common with them.

    `met` has a sort, how many numbers it and one of the other text have in common, and whether
    these go together.
    """
    most: dict[_Sort, int] = {}
    for sort, many, _ in met:
        most[sort] = max(many, most.get(sort, 0))
    told = {sort for sort, many, right in met if right and many >= _PARTNER * most[sort]}
    return sorted(most.keys() - told)


def _running(text: Seen) -> list[_Running]:
    """Return the numbers of lines and notes that run through a text, as far as it is looked at.

    Of many sorts those with most numbers: each is held against each of the other text.
    """
    held: dict[_Sort, list[tuple[int, int]]] = {}
    letters = 0
    for sentence in text.segments(0, _MOST):
        line = _line(sentence)
        notes = _NOTE.finditer(sentence)
        for found in notes if line is None else (line, *notes):
            sort = found is not line, found[1], found[3]
            held.setdefault(sort, []).append((int(found[2]), letters + found.start(2)))
        letters += len(sentence) + 1
    running = [
        (sort, met)
        for sort, met in held.items()
        if len(met) >= _PAGES and _runs([number for number, _ in met])
    ]
    running.sort(key=lambda one: -len(one[1]))
    return [_Running(sort, _numbered(met)) for sort, met in running[:_SORTS]]


def _numbered(met: Sequence[tuple[int, int]]) -> dict[tuple[int, int], int]:
    """Return where each number stands, with how often numbers began anew before it."""
    anew = np.cumsum([False, *(b <= a for (a, _), (b, _) in pairwise(met))]).tolist()
    return {(k, number): place for k, (number, place) in zip(anew, met, strict=True)}


def _runs(numbers: Sequence[int]) -> bool:
    """Tell whether numbers ascend, mostly by one, or by two as those of every other page do."""
    steps = np.diff(numbers)
    near = (steps > 0) & (steps <= 2)
    return bool((steps > 0).mean() >= _ASCEND and near.mean() >= _BY_ONE)
