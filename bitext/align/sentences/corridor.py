"""The part of a table of sentences that is searched for the best path.

A table of a million sentences a side has a million million points, of which a path touches two
million. A corridor has the first and the last column to search of each row; it is as wide as the
path is uncertain. Unlike a `Band`, which has one width, it costs nothing where it is narrow.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bitext.errors import InputError
from bitext.kernels.order import distinct

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import ArrayLike, NDArray

    from bitext.kernels.bead_path import Scores

__all__ = [
    "BESIDE",
    "MOST_PARTS",
    "PART_ROWS",
    "ROWS",
    "CachedScores",
    "Corridor",
    "PartBounds",
    "SearchedPart",
]


# The bounds of a part of a corridor, and its scores in the cache.
#
# A part that is searched again is as wide as before in most of its rows. The scores of these rows
# are cached, as they cost more than the search does.

BESIDE = -(1 << 31)  # score of a bead outside of the corridor: the least number of 32 bits
ROWS = 96  # rows whose scores are computed together: fewer calls, and still in the cache
_NARROW = 256  # columns: with fewer, twice as many rows
_SPARED = 1024  # points saved that are worth dividing rows
_CACHED = 8_000_000  # scores of a part that are cached: memory only, 32 MB
_FEW, _MANY = 8, 256  # columns added on each side of a row when it is widened


class PartBounds(NamedTuple):
    """The columns low[i] <= j <= high[i] of the rows of a part. Neither descends."""

    low: NDArray[np.int64]
    high: NDArray[np.int64]

    @classmethod
    def between(cls, low: NDArray[np.int64], high: NDArray[np.int64]) -> PartBounds:
        """Make bounds that do not descend, widened where they would."""
        low = np.minimum.accumulate(low[::-1])[::-1]
        return cls(low, np.maximum.accumulate(np.maximum(high, low)))

    @property
    def points(self) -> int:
        """How many points are within."""
        return int((self.high - self.low + 1).sum())

    @property
    def held(self) -> int:
        """How many points a band has that is everywhere as wide as the widest row."""
        return len(self.low) * (int((self.high - self.low).max()) + 1)

    def runs(
        self, first: int, until: int, known: SearchedPart | None = None
    ) -> Iterator[tuple[slice, bool]]:
        """Divide rows into runs whose scores are computed together; mark the runs in the cache."""
        same = np.zeros(until - first, dtype=bool)
        if known is not None:
            some = slice(first, until)
            same = (self.low[some] == known.reach.low[some]) & (
                self.high[some] == known.reach.high[some]
            )
        edges = np.flatnonzero(same[1:] != same[:-1]) + 1
        width = self.high[first:until] - self.low[first:until] + 1
        for begin, end in itertools.pairwise([0, *edges.tolist(), until - first]):
            step = 2 * ROWS if width[begin:end].max() <= _NARROW else ROWS
            for at in range(begin, end, step):
                for some in _alike(width[at : min(at + step, end)]):
                    yield slice(first + at + some.start, first + at + some.stop), bool(same[begin])

    def away(
        self, row: NDArray[np.int64], column: NDArray[np.int64], first: int, last: int
    ) -> NDArray[np.int64]:
        """Return the distance of points from an edge with columns behind it."""
        low, high = self.low[row], self.high[row]
        far = high - low + 1
        left, right = (
            np.where(low > first, column - low, far),
            np.where(high < last, high - column, far),
        )
        return np.minimum(left, right)

    def wider(self, rows: NDArray[np.int64]) -> PartBounds:
        """Widen the bounds threefold in the rows about those given.

        Each row is given as many more columns on both sides as it has, and so are the rows that
        are no farther from it: a wide row means that the path is uncertain there. At most 256 are
        added at once, as a row may be as wide as a passage that is left out.
        """
        first, last = self.low[0], self.high[-1]
        every = distinct(rows)
        more = np.clip(self.high - self.low + 1, _FEW, _MANY)[every]
        added = np.zeros(len(self.low), dtype=np.int64)
        for row, columns in zip(every.tolist(), more.tolist(), strict=True):
            near = slice(max(row - columns, 0), row + columns + 1)
            np.maximum(added[near], columns, out=added[near])
        low, high = np.maximum(self.low - added, first), np.minimum(self.high + added, last)
        return PartBounds.between(low, high)


def _alike(width: NDArray[np.int64]) -> list[slice]:
    """Divide rows into runs about as wide: a run costs as much as if all its rows were widest."""
    count = len(width)
    before = np.maximum.accumulate(width)
    after = np.maximum.accumulate(width[::-1])[::-1]
    every = np.arange(1, count)
    points = every * before[:-1] + (count - every) * after[1:]
    if count < 2 or count * int(before[-1]) - int(points.min()) < _SPARED:
        return [slice(0, count)]
    cut = int(points.argmin()) + 1
    rest = [slice(cut + one.start, cut + one.stop) for one in _alike(width[cut:])]
    return [*_alike(width[:cut]), *rest]


class CachedScores:
    """A cache of the scores of one part, if these are not too many."""

    def __init__(self, scores: Scores, cells: int) -> None:
        self._scores, self.keeps = scores, cells <= _CACHED
        self._ends: list[int] = []  # the rows that are known are from 0 to the last of these
        self._blocks: list[NDArray[np.integer]] = []

    def scores(self, first: int, last: int) -> NDArray[np.integer]:
        """Return the scores of some rows."""
        if self._ends and last <= self._ends[-1]:
            parts = []
            for end, block in zip(self._ends, self._blocks, strict=True):
                begin = end - block.shape[1]
                if begin < last and first < end:
                    parts.append(block[:, max(first - begin, 0) : last - begin])
            return parts[0] if len(parts) == 1 else _joined(parts)
        block = self._scores(first, last)
        if self.keeps and first == (self._ends[-1] if self._ends else 0):
            self._ends.append(last)
            self._blocks.append(block)
        return block


def _joined(blocks: list[NDArray[np.integer]]) -> NDArray[np.integer]:
    """Return scores of rows that follow each other, as wide as the widest of them."""
    width = max(block.shape[2] for block in blocks)
    rows = sum(block.shape[1] for block in blocks)
    found = np.full((len(blocks[0]), rows, width), BESIDE, dtype=blocks[0].dtype)
    first = 0
    for block in blocks:
        found[:, first : first + block.shape[1], : block.shape[2]] = block
        first += block.shape[1]
    return found


class SearchedPart(NamedTuple):
    """The bounds of a part as it was searched before, and the cache of its scores."""

    reach: PartBounds
    held: CachedScores


PART_ROWS = 128  # rows of the smallest part
MOST_PARTS = 8  # smallest parts in a part
_UNEVEN = 3.0  # times the width of a neighbour: wider rows are another part


class Corridor(NamedTuple):
    """The points of each row that are looked at: columns lo[i] <= j <= hi[i].

    Attributes
    ----------
    lo, hi : array of int64, shape (rows + 1,)
        Neither descends; from 0 to `columns`. (0, 0) and (rows, columns) are within.
    columns : int
        The length of the second sequence.

    """

    lo: NDArray[np.int64]
    hi: NDArray[np.int64]
    columns: int

    @property
    def rows(self) -> int:
        """The length of the first sequence."""
        return len(self.lo) - 1

    @property
    def cells(self) -> int:
        """The number of points within."""
        return int((self.hi - self.lo).sum()) + self.rows + 1

    @property
    def is_whole(self) -> bool:
        """Whether it is the whole table."""
        return self.cells == (self.rows + 1) * (self.columns + 1)

    @classmethod
    def whole(cls, rows: int, columns: int) -> Corridor:
        """Return the whole table."""
        return cls(np.zeros(rows + 1, np.int64), np.full(rows + 1, columns), columns)

    @classmethod
    def between(cls, lo: ArrayLike, hi: ArrayLike, columns: int) -> Corridor:
        """Return the corridor of wishes for each row: grown where it must be to be one.

        Examples
        --------
        >>> corridor = Corridor.between([0, 2, 1, 3], [1, 3, 2, 4], 4)
        >>> corridor.lo.tolist(), corridor.hi.tolist()
        ([0, 1, 1, 3], [1, 3, 3, 4])

        """
        low, high = np.array(lo, dtype=np.int64), np.array(hi, dtype=np.int64)
        if low.shape != high.shape or low.ndim != 1 or low.size == 0:
            raise InputError("a corridor has a first and a last column for each row")
        low[0], high[-1] = 0, columns
        low, high = np.clip(low, 0, columns), np.clip(high, 0, columns)
        low = np.minimum.accumulate(np.minimum(low, high)[::-1])[::-1]
        high = np.maximum.accumulate(np.maximum(low, high))
        # A row begins where the one above has points, or no bead leads from one to the other.
        low[1:] = np.minimum(low[1:], high[:-1])
        return cls(low, high, columns)

    @classmethod
    def around(
        cls, row: ArrayLike, column: ArrayLike, *, rows: int, columns: int, margin: ArrayLike
    ) -> Corridor:
        """Build the corridor within `margin` columns, or rows, of a path.

        Parameters
        ----------
        row, column : arrays of int, shape (points,)
            Points of the path, neither descending; the ends of the table need not be among them.
        rows, columns : int
        margin : int or array of int, shape (points,)

        """
        i = np.concatenate([[0], np.asarray(row, dtype=np.int64), [rows]])
        j = np.concatenate([[0], np.asarray(column, dtype=np.int64), [columns]])
        every = np.broadcast_to(margin, len(i) - 2)
        reach = np.concatenate([every[:1], every, every[-1:]]).astype(np.int64)
        if not len(every):
            reach = np.full(2, np.max(margin, initial=0))
        low, high = np.full(rows + 1, columns), np.zeros(rows + 1, dtype=np.int64)
        np.minimum.at(low, i, j - reach)
        np.maximum.at(high, i, j + reach)
        # As both ascend, what holds for the last row that is near a point holds for all before.
        np.minimum.at(low, np.minimum(i + reach, rows), j)
        np.maximum.at(high, np.maximum(i - reach, 0), j)
        low = np.minimum.accumulate(low[::-1])[::-1]
        high = np.maximum.accumulate(high)
        # Between two points that are far from each other any way may be taken.
        return cls.between(np.minimum(low, high), np.maximum(low, high), columns)

    def joined(self, other: Corridor) -> Corridor:
        """Join two corridors of the same table, and all between them."""
        lo, hi = np.minimum(self.lo, other.lo), np.maximum(self.hi, other.hi)
        return Corridor.between(lo, hi, self.columns)

    def parts(self, *, block: int = PART_ROWS, blocks: int = MOST_PARTS) -> list[tuple[int, int]]:
        """Return half-open runs of rows that are about as wide, in order, from 0 to `rows`.

        One band for each then looks at few points that are not in the corridor.

        Parameters
        ----------
        block : int
            Rows of the smallest part.
        blocks : int
            The most smallest parts in a part.

        """
        edges = np.append(np.arange(0, max(self.rows, 1), block), self.rows)
        wide = np.maximum.reduceat(self.hi - self.lo + 1, edges[:-1]).tolist()
        found: list[tuple[int, int]] = []
        begin, least, most = 0, wide[0], wide[0]
        for k, width in enumerate(wide[1:], start=1):
            low, high = min(least, width), max(most, width)
            if high > _UNEVEN * low + 8 or k - begin == blocks:
                found.append((int(edges[begin]), int(edges[k])))
                begin, low, high = k, width, width
            least, most = low, high
        return [*found, (int(edges[begin]), self.rows)]
