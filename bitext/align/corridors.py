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
_UNEVEN = 1.5  # how much wider the widest row of a part may be than that of its neighbour


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
        given = np.asarray(row, dtype=np.int64), np.asarray(column, dtype=np.int64)
        wide = np.concatenate([[0], np.broadcast_to(margin, given[0].shape), [0]]).astype(np.int64)
        i = np.concatenate([[0], given[0], [rows]])
        j = np.concatenate([[0], given[1], [columns]])
        every = np.arange(rows + 1)
        # Between two points any way may be taken, so the first is looked at on the left and the
        # second on the right; and points up to `margin` rows away count as well.
        after = np.minimum(np.searchsorted(i, every, side="left"), len(i) - 1)
        before = np.searchsorted(i, every, side="right") - 1
        least = np.searchsorted(i, every - wide[before], side="right") - 1
        most = np.searchsorted(i, every + wide[after], side="left")
        low = j[np.maximum(np.minimum(least, after), 0)] - wide[before]
        high = j[np.minimum(np.maximum(most, before), len(i) - 1)] + wide[after]
        return cls.between(low, high, columns)

    def joined(self, other: Corridor) -> Corridor:
        """Return what is in one of two corridors of a table, or between them."""
        low, high = np.minimum(self.lo, other.lo), np.maximum(self.hi, other.hi)
        return Corridor(low, high, self.columns)

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
