"""Expected counts of word links: of one block, of several, and those that a model is made from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bitext.align.links.evidence import Classes, Lifts
from bitext.align.links.similarity import CLASSES, near_lifts
from bitext.kernels.hidden_markov import JUMPS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from bitext.align.sentences.lexical.word_links import WordPairs

    Floats = NDArray[np.float32] | NDArray[np.float64]
    Sides = tuple[NDArray[np.float64], NDArray[np.float64]]

__all__ = ["BlockCounts", "Memory", "summed"]

_GIVEN = 10.0  # links that a known translation counts for, times its probability; set by hand


class Memory(NamedTuple):
    """Expected counts of the blocks so far.

    Attributes
    ----------
    key : array of int64, shape (word pairs,)
        `source word * size of the target vocabulary + target word`, ascending.
    links : array of float64 or float32, shape (word pairs,)
        The expected number of links of each word pair; those near 0 are left out.
    totals : two arrays of float64, shape (vocabulary,)
        The expected number of links of each word of both sides.
    tokens : two arrays of float64, shape (vocabulary,)
        The number of tokens of each word of both sides.
    jumps : array of float64, shape (2, JUMPS)
        The expected number of jumps of each direction.
    lifts : Lifts
        The lifts of these counts.
    near : array of float64, shape (CLASSES,)
        Those of the classes of nearness; 1 without vectors.

    """

    key: NDArray[np.int64]
    links: Floats
    totals: Sides
    tokens: Sides
    jumps: NDArray[np.float64]
    lifts: Lifts
    near: NDArray[np.float64]

    @classmethod
    def empty(cls, src: int, tgt: int, given: WordPairs | None = None) -> Memory:
        """Return the counts of no block, for vocabularies of two sizes, with known translations."""
        key, links = np.zeros(0, dtype=np.int64), np.zeros(0)
        totals = np.zeros(src), np.zeros(tgt)
        if given is not None:
            key, which = np.unique(given.src.astype(np.int64) * tgt + given.tgt, return_index=True)
            links = _GIVEN * np.sqrt(given.forward * given.backward)[which]
            totals = (
                np.bincount(key // tgt, links, src).astype(np.float64),
                np.bincount(key % tgt, links, tgt).astype(np.float64),
            )
        jumps = np.zeros((2, JUMPS))
        return cls(key, links, totals, totals, jumps, Lifts.none(), np.ones(CLASSES))

    @staticmethod
    def given(known: WordPairs, src: int, tgt: int) -> float:
        """Return the number of links that a known translation of two words counts as."""
        chance = np.sqrt(known.forward * known.backward)[(known.src == src) & (known.tgt == tgt)]
        return float(_GIVEN * chance[0]) if chance.size else 0.0

    def of(self, key: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the counts of word pairs."""
        if not self.key.size:
            return np.zeros(key.size)
        place = np.searchsorted(self.key, key).clip(max=self.key.size - 1)
        return np.where(self.key[place] == key, self.links[place], 0.0).astype(np.float64)

    def with_counts(self, counts: BlockCounts, tokens: Sides) -> Memory:
        """Add the counts of one block, or of several, with the tokens of their words."""
        key, links = _merged((self.key, self.links), (counts.key, counts.links))
        own = [
            np.bincount(words, links_of, side.size)
            for words, links_of, side in zip(
                (counts.src, counts.tgt),
                (counts.src_links, counts.tgt_links),
                self.totals,
                strict=True,
            )
        ]
        return Memory(
            key,
            links,
            (self.totals[0] + own[0], self.totals[1] + own[1]),
            (self.tokens[0] + tokens[0], self.tokens[1] + tokens[1]),
            self.jumps + counts.jumps,
            counts.lifts(),
            near_lifts(*counts.near),
        )


class BlockCounts(NamedTuple):
    """The expected counts of a block after its training, or the sum of those of several.

    Attributes
    ----------
    key : array of int64, shape (word pairs,)
        As of `Memory`.
    links : array of float32, shape (word pairs,)
        The expected number of links of each word pair; those below 0.01 are left out.
    src, tgt : array of int32, shape (words,)
        The words of both sides that have links, ascending.
    src_links, tgt_links : array of float64, shape (words,)
        Their expected numbers of links, also of pairs that are left out.
    jumps : array of float64, shape (2, JUMPS)
    classes : array of float64, shape (3, classes of spelling, classes of frequency)
        The expected links of all word pairs of each class, those by chance, and the cells.
    near : array of float64, shape (2, CLASSES)
        The expected links of the cells of each class of nearness, and those by chance; zeros
        without vectors.
    cells : array of int32
        The cells of the block with a posterior of 0.01 at least; none for a sum.
    posteriors : array of float16
        Their posteriors.

    """

    key: NDArray[np.int64]
    links: NDArray[np.float32]
    src: NDArray[np.int32]
    src_links: NDArray[np.float64]
    tgt: NDArray[np.int32]
    tgt_links: NDArray[np.float64]
    jumps: NDArray[np.float64]
    classes: NDArray[np.float64]
    near: NDArray[np.float64]
    cells: NDArray[np.int32]
    posteriors: NDArray[np.float16]

    def lifts(self) -> Lifts:
        """Estimate the lifts from the links of each class."""
        wide = self.classes.shape[2]
        place = np.arange(self.classes[0].size)
        grid = Classes(place // wide, place % wide, place, place, place)
        return Lifts.estimate(grid, *self.classes.reshape(3, -1))

    def plus(self, other: BlockCounts) -> BlockCounts:
        """Return the sum, without posteriors."""
        src = _merged((self.src, self.src_links), (other.src, other.src_links))
        tgt = _merged((self.tgt, self.tgt_links), (other.tgt, other.tgt_links))
        return BlockCounts(
            *_merged((self.key, self.links), (other.key, other.links)),
            *src,
            *tgt,
            self.jumps + other.jumps,
            self.classes + other.classes,
            self.near + other.near,
            self.cells[:0],
            self.posteriors[:0],
        )


def summed(counts: Iterable[BlockCounts]) -> BlockCounts:
    """Add the counts of blocks up, in a fixed order: the sum of floats depends on it.

    Neighbours are added first, then neighbouring sums, so that each count is copied a few times
    only, and few sums are in memory.
    """
    sums: list[tuple[int, BlockCounts]] = []
    for each in counts:
        level, total = 0, each
        while sums and sums[-1][0] == level:
            total = sums.pop()[1].plus(total)
            level += 1
        sums.append((level, total))
    total = sums.pop()[1]
    while sums:
        total = sums.pop()[1].plus(total)
    return total


def _merged(
    first: tuple[NDArray[Any], NDArray[Any]], second: tuple[NDArray[Any], NDArray[Any]]
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Merge two lists of ascending keys with their values; add the values of equal keys."""
    if not (first[0].size and second[0].size):
        return first if first[0].size else second
    key = np.concatenate([first[0], second[0]])
    order = np.argsort(key, kind="stable")  # merges two ascending runs in linear time
    key = key[order]
    begin = np.flatnonzero(np.diff(key, prepend=key[0] - 1))
    values = np.concatenate([first[1], second[1]])[order]
    return key[begin], np.add.reduceat(values, begin)
