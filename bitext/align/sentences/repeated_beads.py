"""Which beads say the same as others, so that nothing is learned from the same thing many times.

A formula that comes a hundred times, or a chapter that is printed twice, tells no more of its words
than once: words that stand beside each other there by chance would seem to do so always. A copy is
seldom exact: names and numbers are others, a sentence is left out, two are joined. So the words are
divided into groups by their numbers, and a bead is a copy of the first one that has the same words
in so many groups that these make up half of what the words of both tell.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["told_before"]

_RARE = 8  # beads that a word is in at most which does not make a bead another: a name, a number
_GROUPS = 24  # of words: few words of a bead in each, so that a name spoils one of many
_COPIED = 0.5  # of what the words of a bead tell stands in the first, too
_AT_ONCE = 1 << 14  # sums of groups that are made at once
_COMPARED = 1 << 18  # and groups of beads that are compared
_FACTORS = (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F)  # of the source, of the target
_MIX = 0xBF58476D1CE4E5B9


class _Words(NamedTuple):
    """The words of beads of one side that are not rare.

    Of each its bead, its group, a number at random of 40 bits, which goes by the word, and what it
    tells: the logarithm of how few beads have it.
    """

    bead: NDArray[np.int64]
    group: NDArray[np.uint8]
    code: NDArray[np.float64]
    tells: NDArray[np.float32]


def told_before(
    src: tuple[NDArray[np.int64], NDArray[np.int64]],
    tgt: tuple[NDArray[np.int64], NDArray[np.int64]],
    *,
    beads: int,
    times: int = 2,
) -> NDArray[np.bool_]:
    """Return which beads have nearly the words of `times` beads before them, but for rare words.

    Parameters
    ----------
    src, tgt : (array of int64, array of int64), each of shape (words of beads,)
        The words of all beads of one side: the bead, ascending, and the number of the word.
    beads : int
    times : int
        How often a bead is new.

    Returns
    -------
    array of bool, shape (beads,)
        Words are told apart by sums of some 40 bits: that others are taken for equal is unlikely.

    Examples
    --------
    >>> bead, word = np.repeat(np.arange(30), 2), np.tile([1, 2], 30)
    >>> int(told_before((bead, word), (bead, word + 1), beads=30).sum())
    28

    """
    sides = [
        _frequent(*words, beads=beads, factor=factor)
        for words, factor in zip((src, tgt), _FACTORS, strict=True)
    ]
    first = _first_alike(sides, beads)
    # A copy of a copy is one of the first; each is one of an earlier bead, so this ends.
    while (first[first] != first).any():
        first = first[first]
    order = np.argsort(first, kind="stable")
    ordered = first[order]
    told = np.zeros(beads, dtype=bool)
    told[order] = np.arange(beads) - np.searchsorted(ordered, ordered) >= times
    return told


def _frequent(
    bead: NDArray[np.int64], word: NDArray[np.int64], *, beads: int, factor: int
) -> _Words:
    """Return the words that are in more than eight beads."""
    number = np.bincount(word) if len(word) else word
    often = np.flatnonzero(number[word] > _RARE) if len(word) else word
    bead, word = bead[often], word[often]
    mixed = (np.arange(len(number), dtype=np.uint64) + np.uint64(1)) * np.uint64(factor)
    mixed = (mixed ^ mixed >> np.uint64(29)) * np.uint64(_MIX)
    tells = np.log((beads + 1) / np.maximum(number, 1)).astype(np.float32)
    group = (mixed >> np.uint64(20)) % np.uint64(_GROUPS)
    code = (mixed >> np.uint64(24)).astype(np.float64) + 1.0
    return _Words(bead, group.astype(np.uint8)[word], code[word], tells[word])


def _first_alike(sides: list[_Words], beads: int) -> NDArray[np.int32]:
    """Return of each bead the first one that is nearly the same, or itself."""
    if not any(len(side.bead) for side in sides):
        return np.arange(beads, dtype=np.int32)
    worth = np.empty((_GROUPS, beads), dtype=np.float32)
    first = np.empty((_GROUPS, beads), dtype=np.int32)
    whole: NDArray[np.float64] = np.zeros(beads)
    step = max(1, _AT_ONCE // max(beads, 1))
    for begin in range(0, _GROUPS, step):
        some = slice(begin, min(begin + step, _GROUPS))
        sums, worth[some] = _of_groups(sides, some, beads)
        first[some] = _first_equal(sums)
        for one in sums:
            whole += one
    same: NDArray[np.int32] = _first_equal(whole[None])[0]
    total = worth.sum(axis=0)
    step = max(1, _COMPARED // _GROUPS**2)
    for begin in range(0, beads, step):
        some = slice(begin, min(begin + step, beads))
        own = np.arange(some.start, some.stop, dtype=np.int32)
        # What each bead has in common with those that were first of its groups.
        others = first[:, some]
        alike = first[:, others] == others[:, None]
        common = np.where(alike, worth[:, None, some], 0).sum(axis=0)
        enough = _COPIED * np.maximum(total[some], total[others])
        common[(others >= own) | (common < enough)] = 0
        most = common.argmax(axis=0)
        at = most, np.arange(len(own))
        found = np.where(common[at] > 0, others[at], own)
        # Beads of frequent words only may have other beads in each group that were first.
        same[some] = np.where(same[some] < own, same[some], found)
    return same


def _of_groups(
    sides: list[_Words], groups: slice, beads: int
) -> tuple[NDArray[np.float64], NDArray[np.float32]]:
    """Return the sum of the words of each group in each bead, and what these tell."""
    shape = groups.stop - groups.start, beads
    sums, worth = np.zeros(shape), np.zeros(shape, dtype=np.float32)
    for side in sides:
        mine = np.flatnonzero((side.group >= groups.start) & (side.group < groups.stop))
        cell = (side.group[mine].astype(np.int64) - groups.start) * beads + side.bead[mine]
        sums += np.bincount(cell, side.code[mine], sums.size).reshape(shape)
        worth += np.bincount(cell, side.tells[mine], sums.size).reshape(shape)
    return sums, worth


def _first_equal(sums: NDArray[np.float64]) -> NDArray[np.int32]:
    """Return where each number of a row stands first; those that are 0 are each by itself."""
    order = np.argsort(sums, axis=1, kind="stable")
    opens = np.diff(np.take_along_axis(sums, order, axis=1), axis=1, prepend=np.nan) != 0
    begin = np.maximum.accumulate(np.where(opens, np.arange(sums.shape[1]), 0), axis=1)
    result: NDArray[np.int32] = np.empty(sums.shape, dtype=np.int32)
    np.put_along_axis(result, order, np.take_along_axis(order, begin, axis=1), axis=1)
    np.copyto(result, np.arange(sums.shape[1]), where=sums == 0, casting="same_kind")
    return result
