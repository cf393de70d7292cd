"""Which words stand together in beads: what a lexicon is learned from."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bitext.align.sentences.repeated_beads import told_before
from bitext.kernels.rows import prefix, ranges

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bitext.align.sentences.sentence_pair import SentencePair, Side

__all__ = ["LARGEST", "LONGEST", "BeadPoints", "Cooccurrence", "WordsOfBeads", "together_in"]

LARGEST = 6000  # pairs of different words of a bead that is learned from
LONGEST = 100  # sentences on a side of a bead that is learned from
_BUDGET = 3_000_000  # pairs of words in beads that are held at once
_AT_ONCE = 1 << 18  # and of them those that are worked on at once, about
_BITS = 63  # of a number


class BeadPoints(NamedTuple):
    """Where the beads of a path end: bead k before source sentence `row[k]`, target `column[k]`."""

    row: NDArray[np.int64]
    column: NDArray[np.int64]


class WordsOfBeads(NamedTuple):
    """The words of the beads of a side: bead * vocabulary + number of each, and how often."""

    key: NDArray[np.int64]
    times: NDArray[np.float64]


class Cooccurrence(NamedTuple):
    """The words of beads, and which of them stand together.

    A word of a bead is a place of `src` or `tgt`, with its bead, number and times; a pair of
    places has `x` and `y`, and `kind`, the number of the pair of words in `keys`. Pairs of one bead
    follow each other; `cuts` divides them between beads, for what is worked on at once.
    """

    src: WordsOfBeads
    tgt: WordsOfBeads
    x: NDArray[np.int32]
    y: NDArray[np.int32]
    kind: NDArray[np.int32]
    keys: NDArray[np.int64]
    cuts: list[int]


def together_in(
    pairs: Sequence[SentencePair], points: Sequence[BeadPoints], sizes: tuple[int, int]
) -> Cooccurrence:
    """Find the pairs of words that stand in one bead."""
    src = _all_words([pair.src for pair in pairs], [ends.row for ends in points], sizes[0])
    tgt = _all_words([pair.tgt for pair in pairs], [ends.column for ends in points], sizes[1])
    number = sum(len(ends.row) for ends in points)
    across = np.bincount(src.key // sizes[0], minlength=number)
    down = np.bincount(tgt.key // sizes[1], minlength=number)
    many = across * down
    told = told_before(
        (src.key // sizes[0], src.key % sizes[0]),
        (tgt.key // sizes[1], tgt.key % sizes[1]),
        beads=number,
    )
    chosen = np.flatnonzero((many > 0) & (many <= LARGEST) & ~told)
    if many[chosen].sum() > _BUDGET:
        share = many[chosen].sum() / _BUDGET
        chosen = chosen[np.unique((np.arange(0, len(chosen), share)).astype(np.int64))]
    src_ptr, tgt_ptr, ptr = prefix(across), prefix(down), prefix(many[chosen])
    # Of each pair of words something is held: half as wide, as there are no more than the budget.
    x, y = np.empty(ptr[-1], dtype=np.int32), np.empty(ptr[-1], dtype=np.int32)
    pair = np.empty(ptr[-1], dtype=np.int64)
    cuts = _cuts(ptr)
    for begin, end in pairwise(np.searchsorted(ptr, cuts).tolist()):
        some, beads = slice(ptr[begin], ptr[end]), chosen[begin:end]
        wide = np.repeat(across[beads], many[beads])
        down_at, across_at = np.divmod(ranges(np.zeros(len(beads), np.int64), many[beads]), wide)
        x[some] = np.repeat(src_ptr[beads], many[beads]) + across_at
        y[some] = np.repeat(tgt_ptr[beads], many[beads]) + down_at
        pair[some] = src.key[x[some]] % sizes[0] * sizes[1] + tgt.key[y[some]] % sizes[1]
    keys, kind = _kinds(pair, sizes[0] * sizes[1])
    used = np.zeros(number, dtype=bool)
    used[chosen] = True
    src_times = np.where(used[src.key // sizes[0]], src.times, 0.0)
    tgt_times = np.where(used[tgt.key // sizes[1]], tgt.times, 0.0)
    words = WordsOfBeads(src.key % sizes[0], src_times), WordsOfBeads(tgt.key % sizes[1], tgt_times)
    return Cooccurrence(*words, x, y, kind, keys, cuts)


def _cuts(ptr: NDArray[np.int64]) -> list[int]:
    """Return where to divide what rows hold so that some hundred thousands are worked on at once.

    No row is divided.
    """
    wanted = np.arange(0, ptr[-1], _AT_ONCE)
    return [*np.unique(ptr[np.searchsorted(ptr, wanted, side="right") - 1]).tolist(), int(ptr[-1])]


def _kinds(values: NDArray[np.int64], limit: int) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return the different values, ascending, and which of them each one is.

    It is `numpy.unique` for values below a limit, in less memory: values with their places below
    them are sorted. The array is taken to work in.
    """
    bits = len(values).bit_length()
    if limit.bit_length() + bits > _BITS:
        keys, found = np.unique(values, return_inverse=True)
        return keys, found.astype(np.int32)
    values <<= bits
    values += np.arange(len(values))
    values.sort()
    kind = np.empty(len(values), dtype=np.int32)
    different, last, number = [values[:0]], -1, -1
    for begin in range(0, len(values), _AT_ONCE):
        some = values[begin : begin + _AT_ONCE]
        found = some >> bits
        new = np.diff(found, prepend=last) != 0
        different.append(found[new])
        rank = np.cumsum(new) + number
        kind[some & ((1 << bits) - 1)] = rank
        last, number = int(found[-1]), int(rank[-1])
    return np.concatenate(different), kind


def _all_words(sides: Sequence[Side], ends: Sequence[NDArray[np.int64]], size: int) -> WordsOfBeads:
    """Return the words of some texts by the bead that they stand in; beads count on."""
    before = 0
    keys, times = [np.zeros(0, dtype=np.int64)], [np.zeros(0)]
    for side, end in zip(sides, ends, strict=True):
        members = np.diff(end, prepend=0)
        # What was not aligned stands as one bead, of so many sentences that it teaches nothing.
        short = np.repeat(members <= LONGEST, members)
        words = np.diff(side.ptr)
        used = np.repeat(short, words)
        bead = np.repeat(np.repeat(np.arange(len(end)), members)[short], words[short]) + before
        key, which = np.unique(bead * size + side.ids[used], return_inverse=True)
        keys.append(key)
        times.append(np.bincount(which, side.times[used], len(key)).astype(np.float64))
        before += len(end)
    return WordsOfBeads(np.concatenate(keys), np.concatenate(times))
