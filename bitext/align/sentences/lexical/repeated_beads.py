"""Near-duplicate beads, which are left out of the counts of the translation model.

A formula that occurs a hundred times, or a chapter that is printed twice, is no more evidence than
one occurrence: words that co-occur there by accident would seem to co-occur always. Copies are
seldom exact: names and numbers differ, a sentence is left out, two are joined. So words are hashed
into groups, and a bead is a copy of the first bead with the same words in so many groups that these
groups have half of the information of each of both beads.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bitext.kernels.arrays import Bools, Floats, Ints, Singles, prefix
from bitext.kernels.compiled_words import WordKernels, word_kernels

# Set by hand. Change of F1 if halved and if doubled, by alignment_constants.py on parice, text+berg
# and maligna: _RARE_BEADS -.003 and -.003, _WORD_GROUPS 0 and -.003, _LEAST_COPIED_SHARE -.007 and
# 0.
_RARE_BEADS = 8  # beads: rarer words, such as names and numbers, are not compared
_WORD_GROUPS = 24  # groups of words: many, so that one different word spoils a small part of a bead
_LEAST_COPIED_SHARE = 0.5  # smallest share of the information of a bead that is common to its copy
_NO_GROUP = 255  # group of rare words: no number of a group
_BEADS_AT_ONCE = 1 << 14  # sums of groups worked on at once: memory only
_COMPARED_AT_ONCE = 1 << 18  # groups of beads compared at once: memory only
# Odd multipliers of a hash, of the source and the target (xxHash).
_FACTORS = (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F)
_MIX = 0xBF58476D1CE4E5B9  # odd multiplier of a hash (SplitMix64)


# Two numbers of each of some words, such as the bead and the word
_TwoNumbers = tuple[NDArray[np.signedinteger[Any]], NDArray[np.signedinteger[Any]]]


class _Words(NamedTuple):
    """Words of the beads of one side, sorted by group, without rare ones.

    Each word has its bead, its group, a hash of 40 bits, and its information: the negative
    logarithm of the share of beads with the word.
    """

    bead: NDArray[np.signedinteger[Any]]
    group: NDArray[np.uint8]
    code: Floats
    tells: Singles


def is_near_duplicate(
    src: _TwoNumbers,
    tgt: _TwoNumbers,
    *,
    beads: int,
    times: int = 2,
    rare: int = _RARE_BEADS,
    groups: int = _WORD_GROUPS,
    at_once: int = _BEADS_AT_ONCE,
    compared: int = _COMPARED_AT_ONCE,
) -> Bools:
    """Mark beads with nearly the same words as `times` earlier beads, apart from rare words.

    `src` and `tgt` have the words of all beads of a side: two arrays of shape (words of beads,),
    the bead, ascending, and the number of the word. The mask has the shape (beads,). The first
    `times` copies, the first bead included, stay unmarked.

    Words of at most `rare` beads are not compared. The others are hashed into `groups` groups; with
    one group, copies have the same words. Words are compared by sums of 40-bit hashes: different
    words are hardly ever equal. `at_once`, the most sums of groups in memory, and `compared`, the
    groups compared at once, change memory only.

    Examples
    --------
    >>> bead, word = np.repeat(np.arange(30), 2), np.tile([1, 2], 30)
    >>> int(is_near_duplicate((bead, word), (bead, word + 1), beads=30).sum())
    28

    """
    if (kernels := word_kernels.after(len(src[0]) + len(tgt[0]))) is not None:
        return _marked(kernels, (src, tgt), beads, times=times, rare=rare, groups=groups)
    sides = [
        _frequent(*words, beads=beads, rare=rare, groups=groups, factor=factor)
        for words, factor in zip((src, tgt), _FACTORS, strict=True)
    ]
    first = _first_alike(sides, beads, groups, at_once=at_once, compared=compared)
    # A copy of a copy becomes a copy of the first bead; the first is never later, so this ends.
    while (first[first] != first).any():
        first = first[first]
    order = np.argsort(first, kind="stable")
    ordered = first[order]
    repeated = np.zeros(beads, dtype=bool)
    repeated[order] = np.arange(beads) - np.searchsorted(ordered, ordered) >= times
    return repeated


def _marked(
    kernels: WordKernels,
    sides: tuple[_TwoNumbers, _TwoNumbers],
    beads: int,
    *,
    times: int,
    rare: int,
    groups: int,
) -> Bools:
    """Mark near-duplicates by a compiled kernel."""
    if not beads:
        return np.zeros(0, dtype=bool)
    ptr, words, tables = [], [], []
    for (bead, word), factor in zip(sides, _FACTORS, strict=True):
        number = np.bincount(word)
        ptr.append(prefix(np.bincount(bead, minlength=beads)))
        words.append(word.astype(np.int32))
        group, code, tells = _hashed(number, beads=beads, groups=groups, factor=factor)
        group[number <= rare] = _NO_GROUP
        tables.append((group, code, tells))
    shape = beads, groups + 1
    repeated = np.empty(beads, dtype=bool)
    kernels.mark_duplicates(
        *(tuple(ptr), tuple(words), *zip(*tables, strict=True)),
        *(times, _LEAST_COPIED_SHARE, np.empty(shape), np.empty(shape, dtype=np.float32)),
        *(np.empty((2, groups)), np.empty(shape, dtype=np.int32)),
        *(np.empty(1 << (2 * beads).bit_length(), dtype=np.int32), repeated),
    )
    return repeated


def _hashed(
    number: Ints, *, beads: int, groups: int, factor: int
) -> tuple[NDArray[np.uint8], Floats, Singles]:
    """Return the group, the hash and the information of each word, by its number of beads."""
    mixed = (np.arange(len(number), dtype=np.uint64) + np.uint64(1)) * np.uint64(factor)
    mixed = (mixed ^ mixed >> np.uint64(29)) * np.uint64(_MIX)
    tells = np.log((beads + 1) / np.maximum(number, 1)).astype(np.float32)
    group = (mixed >> np.uint64(20)) % np.uint64(groups)
    code = (mixed >> np.uint64(24)).astype(np.float64) + 1.0
    return group.astype(np.uint8), code, tells


def _frequent(
    bead: NDArray[np.signedinteger[Any]],
    word: NDArray[np.signedinteger[Any]],
    *,
    beads: int,
    rare: int,
    groups: int,
    factor: int,
) -> _Words:
    """Return the words in more than `rare` beads, with groups, hashes and information."""
    number = np.bincount(word) if len(word) else word
    often = np.flatnonzero(number[word] > rare) if len(word) else word
    bead, word = bead[often], word[often]
    group, code, tells = _hashed(number, beads=beads, groups=groups, factor=factor)
    group_of_word = group[word]
    order = np.argsort(group_of_word, kind="stable")
    word = word[order]
    return _Words(bead[order], group_of_word[order], code[word], tells[word])


def _first_alike(
    sides: list[_Words], beads: int, groups: int, *, at_once: int, compared: int
) -> NDArray[np.int32]:
    """Return the first near-duplicate of each bead, or the bead itself."""
    if not any(len(side.bead) for side in sides):
        return np.arange(beads, dtype=np.int32)
    worth = np.empty((groups, beads), dtype=np.float32)
    first = np.empty((groups, beads), dtype=np.int32)
    whole: Floats = np.zeros(beads)
    step = max(1, at_once // max(beads, 1))
    for begin in range(0, groups, step):
        batch = slice(begin, min(begin + step, groups))
        sums, worth[batch] = _of_groups(sides, batch, beads)
        first[batch] = _first_equal(sums)
        for one in sums:
            whole += one
    same: NDArray[np.int32] = _first_equal(whole[None])[0]
    total = worth.sum(axis=0)
    # Exact copies go first: of frequent words alone, the first beads of the groups may all be
    # different beads with little in common.
    doubtful = np.flatnonzero(same == np.arange(beads)).astype(np.int32)
    step = max(1, compared // groups**2)
    for begin in range(0, len(doubtful), step):
        own = doubtful[begin : begin + step]
        # The information that each bead has in common with the first bead of each of its groups.
        others = first[:, own]
        is_equal = first[:, others] == others[:, None]
        common = np.where(is_equal, worth[:, None, own], 0).sum(axis=0)
        enough = _LEAST_COPIED_SHARE * np.maximum(total[own], total[others])
        common[(others >= own) | (common < enough)] = 0
        most = common.argmax(axis=0)
        at = most, np.arange(len(own))
        same[own] = np.where(common[at] > 0, others[at], own)
    return same


def _of_groups(sides: list[_Words], groups: slice, beads: int) -> tuple[Floats, Singles]:
    """Return the hash sum and the information of each group of words in each bead."""
    shape = groups.stop - groups.start, beads
    sums, worth = np.zeros(shape), np.zeros(shape, dtype=np.float32)
    for side in sides:
        members = slice(*np.searchsorted(side.group, [groups.start, groups.stop]).tolist())
        cell = (side.group[members].astype(np.int64) - groups.start) * beads + side.bead[members]
        sums += np.bincount(cell, side.code[members], sums.size).reshape(shape)
        worth += np.bincount(cell, side.tells[members], sums.size).reshape(shape)
    return sums, worth


def _first_equal(sums: Floats) -> NDArray[np.int32]:
    """Return the first index of each number in its row; zeros count as different."""
    rows, size = sums.shape
    result = np.tile(np.arange(size, dtype=np.int32), (rows, 1))
    numbers, first = sums.ravel(), result.ravel()
    codes = numbers.view(np.uint64)
    # A table for each row has the first place of each hash: of those with equal hashes, the last
    # that is written. Other numbers with the hash are sought again, by another hash.
    bits = max(size, 1).bit_length() + 1
    table = np.empty(rows << bits, dtype=np.int32)
    left = np.flatnonzero(numbers)
    factor = _FACTORS[0]
    while len(left):
        slot = (codes[left] * np.uint64(factor) >> np.uint64(64 - bits)).astype(np.int64)
        slot += left // size << bits
        table[slot[::-1]] = left[::-1]
        earliest = table[slot]
        is_equal = numbers[earliest] == numbers[left]
        first[left[is_equal]] = earliest[is_equal] % size
        left = left[~is_equal]
        factor = factor * _MIX % (1 << 64)
    return result
