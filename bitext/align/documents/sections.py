"""Sections of two documents that correspond, by their headings or the references of their verses.

Sections are found before sentences are aligned, and become the paragraphs of both texts, whose
borders the aligner keeps where lengths and anchors agree with them
(`sentences.hard_boundaries`).

Headings correspond in the first or the second of three ways, whichever matches more of them, else
in the third:

1. Both documents have headings of the same levels in the same order, at least down to some level,
   and no two of them have different numbers. The highest level of each document counts as first.
2. Headings have numbers, as `Chapter 3`, `3.2`, `IV.` or `第三章`: those of the same number
   correspond, in order. Between two of them the first way applies again.
3. Otherwise, the headings of both texts are borders down to the deepest levels at which their
   counts are similar, and the aligner decides which of them correspond.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from itertools import pairwise, product
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Heading", "heading_number", "sections_of_headings", "sections_of_verses"]

# All set by hand.
_SAME_NUMBER = 4.0  # score of two headings with one number
_SAME_LEVEL = 1.0  # added where their levels are the same
_DISTANCE = 4.0  # taken off for each whole text between their places
_NUMBERED = 0.5  # least share of the numbered headings of a text that correspond by numbers
_RATIO = 1.5  # most headings of one text for each of the other, where the aligner decides
_CELLS = 500_000  # pairs of numbered headings that are compared at most: bounds time

_LABEL = r"(?:[^\W\d_]+\.?\s+)?"  # one word before a number: Chapter, Kapitel, Глава
_DIGITS = re.compile(_LABEL + r"(\d{1,4}(?:\.\d{1,3})*)(?=[\s.:,)\]–—-]|$)(?!\s*%)")
_ROMAN = re.compile(_LABEL + r"([IVXLC]+)(?=[.:,)–—-]|\s*$)")
_ROMAN_FORM = re.compile(r"(?=.)C{0,3}(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})")
_ROMAN_VALUES = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}
_HAN = re.compile(r"第\s*([〇零一二三四五六七八九十百\d]{1,6})\s*[章节節回部编編卷話话篇]")
_HAN_DIGITS = {digit: k for k, digit in enumerate("零一二三四五六七八九")} | {"〇": 0}
_HAN_UNITS = {"十": 10, "百": 100}


class Heading(NamedTuple):
    """A heading: its level from 1, its first sentence, and its characters."""

    level: int
    first: int
    text: str


def heading_number(text: str) -> tuple[int, ...]:
    """Return the number that a heading begins with; empty without.

    Examples
    --------
    >>> [heading_number(text) for text in ("Chapter 3", "3.2 The Mill", "IV. Flut", "第十二章 水")]
    [(3,), (3, 2), (4,), (12,)]
    >>> heading_number("The Mill"), heading_number("I was there"), heading_number("50 % of all")
    ((), (), ())

    """
    text = text.strip()
    if match := _HAN.match(text):
        return (_han_value(match[1]),)
    if match := _DIGITS.match(text):
        return tuple(map(int, match[1].split(".")))
    if (match := _ROMAN.match(text)) and _ROMAN_FORM.fullmatch(match[1]):
        return (_roman_value(match[1]),)
    return ()


def _roman_value(digits: str) -> int:
    values = [_ROMAN_VALUES[digit] for digit in digits]
    after = [*values[1:], 0]
    return sum(-one if one < next_ else one for one, next_ in zip(values, after, strict=True))


def _han_value(digits: str) -> int:
    if digits.isdecimal():
        return int(digits)
    total = last = 0
    for digit in digits:
        if digit in _HAN_UNITS:
            total += max(last, 1) * _HAN_UNITS[digit]
            last = 0
        elif digit in _HAN_DIGITS:
            last = _HAN_DIGITS[digit]
        else:
            last = 10 * last + int(digit)
    return total + last


def sections_of_headings(
    src: Sequence[Heading], tgt: Sequence[Heading], sentences: tuple[int, int]
) -> tuple[list[int], list[int]] | None:
    """Return the first sentences of the sections of both texts; `None` without headings.

    Parameters
    ----------
    src, tgt : sequence of Heading
    sentences : pair of int
        The numbers of sentences of both texts.

    Examples
    --------
    >>> src = [Heading(1, 0, "Chapter 1"), Heading(1, 8, "Chapter 2"), Heading(1, 20, "Chapter 3")]
    >>> tgt = [Heading(2, 0, "Kapitel 1"), Heading(2, 21, "Kapitel 3")]
    >>> sections_of_headings(src, tgt, (30, 31))
    ([0, 20], [0, 21])

    """
    if not src or not tgt:
        return None
    numbers = [[heading_number(heading.text) for heading in side] for side in (src, tgt)]
    by_levels = _by_levels(src, tgt)
    if any(
        numbers[0][i] and numbers[1][j] and numbers[0][i] != numbers[1][j] for i, j in by_levels
    ):
        by_levels = []
    by_numbers = _by_numbers((src, tgt), numbers, sentences)
    pairs = by_numbers if len(by_numbers) > len(by_levels) else by_levels
    if pairs:
        return [src[i].first for i, _ in pairs], [tgt[j].first for _, j in pairs]
    # Equal numbers of headings would be matched by their numbers, which nothing supports here.
    cuts = [
        (one, other)
        for one, other in product(_cuts(src), _cuts(tgt))
        if len(one) != len(other)
        and max(map(len, (one, other))) <= _RATIO * min(len(one), len(other))
    ]
    return max(cuts, key=lambda both: len(both[0]) + len(both[1]), default=None)


def _cuts(headings: Sequence[Heading]) -> list[list[int]]:
    """Return the first sentences of the headings down to each level."""
    levels = sorted({heading.level for heading in headings})
    return [
        [heading.first for heading in headings if heading.level <= deepest] for deepest in levels
    ]


def _by_levels(src: Sequence[Heading], tgt: Sequence[Heading]) -> list[tuple[int, int]]:
    """Match headings of the same levels in the same order, down to the deepest such level.

    Levels are counted within each text, so that its highest one is 0.
    """
    ranks = [_ranks(side) for side in (src, tgt)]
    for deepest in sorted({*ranks[0]}, reverse=True):
        one, other = ([k for k, rank in enumerate(side) if rank <= deepest] for side in ranks)
        if [ranks[0][i] for i in one] == [ranks[1][j] for j in other]:
            return list(zip(one, other, strict=True))
    return []


def _ranks(headings: Sequence[Heading]) -> list[int]:
    levels = sorted({heading.level for heading in headings})
    return [levels.index(heading.level) for heading in headings]


def _by_numbers(
    sides: tuple[Sequence[Heading], Sequence[Heading]],
    numbers: list[list[tuple[int, ...]]],
    sentences: tuple[int, int],
) -> list[tuple[int, int]]:
    """Match headings of the same numbers in order, and those between them by their levels."""
    src, tgt = sides
    rows, columns = ([k for k, number in enumerate(side) if number] for side in numbers)
    if not rows or not columns or len(rows) * len(columns) > _CELLS:
        return []
    # The best ascending chain of pairs with one number. Numbers may begin anew in each part of a
    # book, so that the places of two headings in their texts count, too.
    places: dict[tuple[int, ...], list[int]] = {}
    for j in columns:
        places.setdefault(numbers[1][j], []).append(j)
    chains: list[tuple[int, float, tuple[int, int], int]] = []  # by column: best chain that ends
    ends: list[int] = []  # columns in ascending order, with ascending scores
    best: list[int] = []  # index of the best chain that ends at or before each of them
    for i in rows:
        added = []
        for j in places.get(numbers[0][i], ()):
            apart = abs(src[i].first / sentences[0] - tgt[j].first / sentences[1])
            score = _SAME_NUMBER - _DISTANCE * apart
            score += _SAME_LEVEL * (src[i].level == tgt[j].level)
            before = bisect_left(ends, j) - 1
            previous = best[before] if before >= 0 else -1
            total = score + (chains[previous][1] if previous >= 0 else 0.0)
            added.append((j, total, (i, j), previous))
        for chain in added:
            at = bisect_left(ends, chain[0])
            if at and chains[best[at - 1]][1] >= chain[1]:
                continue
            chains.append(chain)
            while at < len(ends) and chains[best[at]][1] <= chain[1]:
                del ends[at], best[at]
            ends.insert(at, chain[0])
            best.insert(at, len(chains) - 1)
    matched: list[tuple[int, int]] = []
    at = best[-1] if best else -1
    while at >= 0:
        matched.append(chains[at][2])
        at = chains[at][3]
    matched.reverse()
    if len(matched) < max(2, _NUMBERED * min(len(rows), len(columns))):
        return []
    out: list[tuple[int, int]] = []
    bounds = [(-1, -1), *matched, (len(src), len(tgt))]
    for (i, j), (k, m) in pairwise(bounds):
        out += [(i, j)] if i >= 0 else []
        between = _by_levels(src[i + 1 : k], tgt[j + 1 : m])
        inner = [(i + 1 + a, j + 1 + b) for a, b in between]
        if all(numbers[0][a] == numbers[1][b] for a, b in inner):
            out += inner
    return out


_FIRST = re.compile(r"(\d{1,6}):(\d{1,6})(?!\d)")


def sections_of_verses(
    src: Sequence[tuple[str, int]], tgt: Sequence[tuple[str, int]]
) -> tuple[list[int], list[int]] | None:
    """Return the first sentences of the verses that both texts have; `None` for hardly any.

    A verse that is joined with the next ones in one text (`3:1-2`) corresponds to all of them.

    Parameters
    ----------
    src, tgt : sequence of (str, int)
        The reference of each verse, and its first sentence.

    Examples
    --------
    >>> src = [("3:1", 0), ("3:2", 1), ("3:3", 4)]
    >>> sections_of_verses(src, [("3:1-2", 0), ("3:3", 2)])
    ([0, 4], [0, 2])

    """
    firsts = [{}, {}]  # type: list[dict[tuple[int, int], int]]
    for side, verses in zip(firsts, (src, tgt), strict=True):
        highest = (0, 0)
        for label, first in verses:
            match = _FIRST.match(label)
            key = (int(match[1]), int(match[2])) if match else (0, 0)
            if key > highest:  # the rest of a verse in two parts goes with the first one
                side[key] = first
                highest = key
    common = [key for key in firsts[0] if key in firsts[1]]
    if len(common) < max(2, _NUMBERED * min(map(len, firsts))):
        return None
    return [firsts[0][key] for key in common], [firsts[1][key] for key in common]
