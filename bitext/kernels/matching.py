"""Which characters of two nearly equal texts are the same, in order."""

from __future__ import annotations

from bisect import bisect_left
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["match_characters"]

_GRAM = 16  # characters of an anchor
_MOST_SHIFT = 500  # characters that a gap is shifted by at the most
_SMALL = 2_000  # longest stretch between anchors that is compared in full

_Block = tuple[int, int, int]


def match_characters(
    first: NDArray[np.uint32],
    second: NDArray[np.uint32],
    *,
    begins: tuple[NDArray[np.int64], NDArray[np.int64]] | None = None,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Pair the characters that two texts share, in the order of both.

    Made for texts that differ in places, as two extractions of one document do. Stretches of 16
    characters that occur once in either text are anchors; the heaviest ascending chain of them
    is kept and grown in both directions, and what lies between is compared in full where it is
    short. Time is linear in the texts but for sorting, and quadratic only in short stretches.

    Parameters
    ----------
    first, second : array of uint32
        The code points of the two texts.
    begins : pair of arrays of int64, optional
        Where segments begin in either text. What only one text has can often be shifted a little,
        as its first characters are also those that follow it; it is then put where segments begin.

    Returns
    -------
    pair of arrays of int64
        The positions of the matched characters in either text; both ascend.

    """
    if np.array_equal(first, second):
        all_of_it = np.arange(first.size)
        return all_of_it, all_of_it
    blocks: list[_Block] = []
    at = (0, 0)
    for a, b, length in [*_chain(_anchors(first, second)), (first.size, second.size, 0)]:
        # An anchor may begin inside the one before, where a text repeats itself.
        overlap = max(at[0] - a, at[1] - b, 0)
        if length and overlap >= length:
            continue
        a, b, length = a + overlap, b + overlap, length - overlap
        blocks.extend(_between(first, second, at, (a, b)))
        blocks.append((a, b, length))
        at = (a + length, b + length)
    none = np.zeros(0, dtype=np.int64)
    pairs = [(np.arange(a, a + n), np.arange(b, b + n)) for a, b, n in blocks if n]
    in_first = np.concatenate([none, *(a for a, _ in pairs)])
    in_second = np.concatenate([none, *(b for _, b in pairs)])
    if begins is not None:
        _settle(first, in_first, in_second, second.size, begins[0])
        _settle(second, in_second, in_first, first.size, begins[1])
    return in_first, in_second


def _settle(
    text: NDArray[np.uint32],
    mine: NDArray[np.int64],
    other: NDArray[np.int64],
    other_size: int,
    begins: NDArray[np.int64],
) -> None:
    """Shift what only this text has, within equal characters, to where its segments begin."""
    after, before = np.append(mine, text.size), np.append(-1, mine)
    alone = np.append(other, other_size) - np.append(-1, other) == 1
    for p in (np.flatnonzero((after - before > 1) & alone) - 1).tolist():
        low = int(mine[p]) + 1 if p >= 0 else 0
        high = int(mine[p + 1]) if p + 1 < mine.size else text.size
        left = _same_run(text, mine, other, p, high - low, -1)
        right = _same_run(text, mine, other, p + 1, low - high, 1)
        shifts = np.arange(-left, right + 1)
        fit = _is_in(low + shifts, begins).astype(int) + _is_in(high + shifts, begins)
        best = int(shifts[np.lexsort((np.abs(shifts), -fit))[0]])
        if best < 0:
            mine[p + 1 + best : p + 1] += high - low
        elif best > 0:
            mine[p + 1 : p + 1 + best] -= high - low


def _same_run(
    text: NDArray[np.uint32],
    mine: NDArray[np.int64],
    other: NDArray[np.int64],
    start: int,
    offset: int,
    step: int,
) -> int:
    """Return for how many matches, going on without a gap, the text repeats at an offset."""
    size = 0
    for k in range(start, start + step * _MOST_SHIFT, step):
        if not 0 <= k < mine.size or not 0 <= mine[k] + offset < text.size:
            break
        if (mine[k], other[k]) != (mine[start] + step * size, other[start] + step * size):
            break
        if text[mine[k]] != text[mine[k] + offset]:
            break
        size += 1
    return size


def _is_in(values: NDArray[np.int64], ascending: NDArray[np.int64]) -> NDArray[np.bool_]:
    place = np.minimum(np.searchsorted(ascending, values), max(ascending.size - 1, 0))
    return ascending[place] == values if ascending.size else np.zeros(values.size, dtype=bool)


def _anchors(first: NDArray[np.uint32], second: NDArray[np.uint32]) -> list[_Block]:
    """Return the stretches that are unique in both texts, grown while they stay on a diagonal."""
    if min(first.size, second.size) < _GRAM:
        return []
    a, at_a = _unique_grams(first)
    b, at_b = _unique_grams(second)
    _, in_a, in_b = np.intersect1d(a, b, assume_unique=True, return_indices=True)
    start, other = at_a[in_a], at_b[in_b]
    order = np.argsort(start)
    start, other = start[order], other[order]
    # A digest may lie; the characters do not.
    true = np.ones(start.size, dtype=bool)
    for k in range(_GRAM):
        true &= first[start + k] == second[other + k]
    start, other = start[true], other[true]
    if not start.size:
        return []
    step = np.flatnonzero((np.diff(start) != 1) | (np.diff(other) != 1))
    begins, ends = np.append(0, step + 1), np.append(step, start.size - 1)
    length = start[ends] - start[begins] + _GRAM
    return list(zip(start[begins].tolist(), other[begins].tolist(), length.tolist(), strict=True))


def _unique_grams(text: NDArray[np.uint32]) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """Return the digests of the stretches of 16 that occur once, and where they begin."""
    digest = text.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15) ^ np.uint64(0x1234567)
    factor, width = 0xBF58476D1CE4E5B9, 1
    while width < _GRAM:
        ahead = digest[width:] ^ (digest[width:] >> np.uint64(29))
        digest = digest[:-width] * np.uint64(factor) + ahead
        factor = factor * factor % 2**64  # a scalar of numpy would warn where an array wraps
        width *= 2
    values, at, count = np.unique(digest, return_index=True, return_counts=True)
    return values[count == 1], at[count == 1].astype(np.int64)


def _chain(blocks: list[_Block]) -> list[_Block]:
    """Return the heaviest chain of blocks that ascends in both texts; blocks ascend in the first.

    A Fenwick tree over the second text holds the best weight of a chain that ends before a place.
    """
    places = sorted(b for _, b, _ in blocks)
    best: list[tuple[int, int]] = [(0, -1)] * (len(places) + 1)
    before: list[int] = []
    for k, (_, b, length) in enumerate(blocks):
        at = bisect_left(places, b)
        weight, last = 0, -1
        node = at
        while node:
            if best[node][0] > weight:
                weight, last = best[node]
            node -= node & -node
        before.append(last)
        node = at + 1
        while node < len(best):
            if weight + length > best[node][0]:
                best[node] = (weight + length, k)
            node += node & -node
    weight, k = 0, -1
    node = len(places)
    while node:
        if best[node][0] > weight:
            weight, k = best[node]
        node -= node & -node
    chain = []
    while k >= 0:
        chain.append(blocks[k])
        k = before[k]
    return chain[::-1]


def _between(
    first: NDArray[np.uint32],
    second: NDArray[np.uint32],
    start: tuple[int, int],
    end: tuple[int, int],
) -> list[_Block]:
    """Match what lies between two anchors: from both ends inwards, then in full if short."""
    a, b = first[start[0] : end[0]], second[start[1] : end[1]]
    front = _common(a, b)
    blocks = [(start[0], start[1], front)]
    a, b = a[front:], b[front:]
    back = _common(a[::-1], b[::-1])
    inner_a, inner_b = a[: a.size - back], b[: b.size - back]
    if inner_a.size and inner_b.size and max(inner_a.size, inner_b.size) <= _SMALL:
        matcher = SequenceMatcher(None, inner_a.tolist(), inner_b.tolist(), autojunk=False)
        offset = (start[0] + front, start[1] + front)
        blocks += [
            (m.a + offset[0], m.b + offset[1], m.size) for m in matcher.get_matching_blocks()
        ]
    blocks.append((end[0] - back, end[1] - back, back))
    return blocks


def _common(a: NDArray[np.uint32], b: NDArray[np.uint32]) -> int:
    """Return how many characters the two begin with in common."""
    size = min(a.size, b.size)
    differ = np.flatnonzero(a[:size] != b[:size])
    return int(differ[0]) if differ.size else size
