"""The part of a table of sentences that is searched for the best path.

A table of a million sentences a side has a million million points, of which a path touches two
million. A corridor tells of each row which columns are worth a look; as wide as one is unsure.
Other than a `Band`, which is as wide everywhere, it costs nothing where it is narrow.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bitext.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

__all__ = ["Corridor"]

_ROWS = 128  # rows that are joined to parts
_MOST = 8  # of them in a part
_UNEVEN = 3.0  # how much wider the widest row of a part may be than that of its neighbour


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
        """Return what lies within `margin` columns, or rows, of a path.

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
        """Return what is in one of two corridors of the same table, or between both."""
        lo, hi = np.minimum(self.lo, other.lo), np.maximum(self.hi, other.hi)
        return Corridor.between(lo, hi, self.columns)

    def parts(self) -> list[tuple[int, int]]:
        """Return half-open runs of rows that are about as wide, in order, from 0 to `rows`.

        One band for each then looks at few points that are not in the corridor.
        """
        edges = np.append(np.arange(0, max(self.rows, 1), _ROWS), self.rows)
        wide = np.maximum.reduceat(self.hi - self.lo + 1, edges[:-1]).tolist()
        found: list[tuple[int, int]] = []
        begin, least, most = 0, wide[0], wide[0]
        for k, width in enumerate(wide[1:], start=1):
            low, high = min(least, width), max(most, width)
            if high > _UNEVEN * low + 8 or k - begin == _MOST:
                found.append((int(edges[begin]), int(edges[k])))
                begin, low, high = k, width, width
            least, most = low, high
        return [*found, (int(edges[begin]), self.rows)]
