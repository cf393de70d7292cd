"""The columns that some rows of a band look at: what is known of a column is worked out once.

Rows that follow each other look at nearly the same columns. What hangs on a column alone, as the
length of the sentences before it, is found for each column of all rows, and then laid out by rows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bitext.kernels.bead_path import Band

__all__ = ["BandColumns", "within"]

_Number = TypeVar("_Number", np.int64, np.float32, np.float64)


class BandColumns(NamedTuple):
    """The columns of some rows of a band.

    Attributes
    ----------
    column : array of int64, shape (columns,)
        All that any of the rows looks at, ascending, and those between; some may be outside of the
        table.
    place : array of int64, shape (rows, width)
        Where in `column` each point of the rows is.

    """

    column: NDArray[np.int64]
    place: NDArray[np.int64]

    @classmethod
    def of(cls, first: int, last: int, band: Band) -> BandColumns:
        """Make the columns of the rows `first` <= i < `last`.

        Examples
        --------
        >>> from bitext.kernels.bead_path import Band
        >>> found = BandColumns.of(1, 3, Band(np.array([0, 2, 3]), 2, 4))
        >>> found.column.tolist(), found.place.tolist()
        ([2, 3, 4], [[0, 1], [1, 2]])

        """
        lo = band.lo[first:last]
        column = np.arange(int(lo[0]), int(lo[-1]) + band.width)
        return cls(column, (lo - lo[0])[:, None] + np.arange(band.width))

    def by_rows(self, values: NDArray[_Number]) -> NDArray[_Number]:
        """Return values of columns (the last axis) by rows: shape (..., rows, width)."""
        return values.take(self.place, axis=-1)


def within(values: NDArray[np.int64], least: int, most: int) -> NDArray[np.int64]:
    """Return numbers that are in bounds: what `numpy.clip` does, which takes long for few."""
    result: NDArray[np.int64] = np.minimum(np.maximum(values, least), most)
    return result
