"""Pairs of words that have something in common: found by keys, not one by one, and compared."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bitext.kernels.rows import prefix, ranges

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from bitext.align.sentences.sentence_pair import Each

__all__ = ["Keyed", "compared", "opens", "sharing"]

_AT_ONCE = 1 << 17  # pairs that are numbered at once
_COMPARED = 1 << 14  # and that are compared


class Keyed(NamedTuple):
    """The keys of words, ascending, and the number of the word of each."""

    key: NDArray[np.int64]
    word: NDArray[np.int32]

    @classmethod
    def of(cls, key: NDArray[np.int64], word: NDArray[np.int32]) -> Keyed:
        """Return keys in any order, ascending."""
        order = np.argsort(key, kind="stable")
        return cls(key[order], word[order])


def sharing(left: Keyed, right: Keyed, *, wide: int, most: int) -> NDArray[np.int64]:
    """Return the pairs of words that share a key, those of rare keys first if they are too many.

    Parameters
    ----------
    left, right : Keyed
    wide : int
        More than any number of a word of the right.
    most : int
        Pairs that are looked at; keys that would make more are left out, the most frequent ones.

    Returns
    -------
    array of int64
        `word * wide + other`, ascending; a pair is there once for each key that it shares.

    Examples
    --------
    >>> left = Keyed.of(np.array([7, 5, 5]), np.array([0, 0, 1], dtype=np.int32))
    >>> right = Keyed.of(np.array([5, 7]), np.array([0, 0], dtype=np.int32))
    >>> sharing(left, right, wide=10, most=100).tolist()
    [0, 0, 10]
    >>> sharing(left, right, wide=10, most=1).tolist()
    [0]

    """
    begin = np.flatnonzero(opens(left.key))
    key, count = left.key[begin], np.diff(begin, append=len(left.key))
    first = np.searchsorted(right.key, key)
    number = np.searchsorted(right.key, key, side="right") - first
    many = count * number
    rare = np.argsort(many, kind="stable")
    # Of a key that is left out no pair is made.
    number[rare[np.cumsum(many[rare]) > most]] = 0
    first, number = np.repeat(first, count), np.repeat(number, count)
    ends = prefix(number)
    pairs = np.empty(int(ends[-1]), dtype=np.int64)
    cuts = np.searchsorted(ends, np.arange(0, len(pairs), _AT_ONCE)).tolist()
    for start, end in pairwise([*cuts, len(number)]):
        mine = np.repeat(left.word[start:end].astype(np.int64) * wide, number[start:end])
        mine += right.word[ranges(first[start:end], number[start:end])]
        pairs[ends[start] : ends[end]] = mine
    pairs.sort()
    return pairs


def compared(
    alike: Callable[[NDArray[np.int64], NDArray[np.int64]], NDArray[np.float64]],
    first: NDArray[np.int64],
    second: NDArray[np.int64],
    *,
    each: Each,
) -> NDArray[np.float64]:
    """Return how alike pairs of words are, some thousands at a time.

    Parameters
    ----------
    alike : callable
        Returns it of some words and the others of their pairs.
    first, second : array of int64
    each : callable
        Does the work for each of some numbers, as `map` does.

    """

    def some(number: int) -> NDArray[np.float64]:
        here = slice(number * _COMPARED, (number + 1) * _COMPARED)
        return alike(first[here], second[here])

    return np.concatenate([np.zeros(0), *each(some, range(-(-len(first) // _COMPARED)))])


def opens(ordered: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return which of some ascending numbers are not the same as the one before."""
    found = np.ones(len(ordered), dtype=bool)
    np.not_equal(ordered[1:], ordered[:-1], out=found[1:])
    return found
