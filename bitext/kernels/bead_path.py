"""The best path of beads through two sequences, within a band.

A bead (a, b) takes the next a members of the first sequence and the next b of the second. Where a
path has taken i of the first and j of the second, it is at the point (i, j); it runs from (0, 0) to
(rows, columns). Its score is the sum of those of its beads, and is *maximised*:

    D[i][j] = max over beads (a, b) of D[i - a][j - b] + score of the bead that ends at (i, j)

Of each row i only the points from `lo[i]` on are looked at, as many as the band is wide, so time
and memory are linear in the rows. Scores are integers: ties are exact, and among equal ones the
bead that comes first in the list is taken, (0, 1) last, read from the end of the path.

Only the bead (0, 1) may take none of the first sequence: a row is then worked on at once, with a
running maximum for it.
"""

from __future__ import annotations

import itertools
from array import array
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from bitext.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = [
    "NEVER",
    "SCORE",
    "Band",
    "BeadPath",
    "Cuts",
    "Scores",
    "best_path",
    "check_beads",
    "runs",
]

NEVER = -(1 << 58)  # so low that no sum of scores comes near it, nor leaves 64 bits
# The bits of a cell that are its score; a number would be made an array at each use.
SCORE = np.array(-256)
_CELLS = 1 << 18  # cells whose scores are asked for at once
_Number = TypeVar("_Number", np.int64, np.float64)

# scores(first, last): of all beads that end in the rows first <= i < last, as an array of shape
# (beads, last - first, width); those that begin before the table may hold anything. The array may
# have fewer columns than the band: no path goes through the others of these rows.
Scores = Callable[[int, int], "NDArray[np.integer]"]


class Band(NamedTuple):
    """The points of each row that are looked at: columns lo[i] <= j < lo[i] + width.

    Attributes
    ----------
    lo : array of int64, shape (rows + 1,)
        Never descending; 0 is in the first row and the last column in the last one.
    width : int
        At least 1. Columns outside of the table are no points.
    columns : int
        The length of the second sequence.
    hi : array of int64, shape (rows + 1,), optional
        The last column of each row that matters, never descending; behind it scores may be
        anything. Default: `lo` + `width` - 1. The search itself looks at all that `width` says.

    """

    lo: NDArray[np.int64]
    width: int
    columns: int
    hi: NDArray[np.int64] | None = None

    @property
    def rows(self) -> int:
        """The length of the first sequence."""
        return len(self.lo) - 1

    def last(self, row: NDArray[np.int64] | int) -> NDArray[np.int64]:
        """Return the last column of each row that matters."""
        result: NDArray[np.int64] = (
            self.lo[row] + (self.width - 1) if self.hi is None else self.hi[row]
        )
        return result


class BeadPath(NamedTuple):
    """A path.

    Attributes
    ----------
    score : int
    kinds : array of int64, shape (beads of the path,)
        Which bead of the list each is.
    row, column : array of int64, shape (beads of the path,)
        The point at which each ends.
    near : float
        The least share of the width that lies between the path and an edge of the band where
        there are points of the table behind it, 0 to 0.5; 0.5 where there is no such edge.

    """

    score: int
    kinds: NDArray[np.int64]
    row: NDArray[np.int64]
    column: NDArray[np.int64]
    near: float


def best_path(beads: Sequence[tuple[int, int]], scores: Scores, band: Band) -> BeadPath:
    """Return the best path through a band.

    Parameters
    ----------
    beads : sequence of (int, int)
        All different, none of them (0, 0), at most 255, (0, 1) and (1, 0) among them, and no
        other with 0 for the first number.
    scores : callable
        Integers; each of them and the sum over any path is less than 2^39 from 0.
    band : Band

    Raises
    ------
    InputError
        When the beads are not such, the band descends, or it leaves an end out.

    Examples
    --------
    >>> tables = np.array([[[0, 0], [0, 5]], [[0, 0], [-1, -1]], [[0, -1], [0, -1]]])
    >>> band = Band(np.array([0, 0]), 2, 1)
    >>> found = best_path([(1, 1), (1, 0), (0, 1)], lambda first, last: tables[:, first:last], band)
    >>> found.score, found.kinds.tolist(), found.row.tolist(), found.column.tolist()
    (5, [0], [1], [1])

    """
    check_beads(beads, band)
    rows, lo = band.rows, band.lo
    cuts = Cuts(beads, band)
    alone, deep, left = cuts.alone, cuts.deep, cuts.left
    # A cell holds its score times 256; the last byte of a candidate tells its bead, so that one
    # maximum gives both, and among equal scores the first of the list.
    code = 255 - np.array(cuts.taking)
    came = np.empty((rows + 1, band.width), dtype=np.uint8)
    held = np.full((deep + cuts.at_once, cuts.stride), NEVER)  # the last rows of a block above
    for first, last in cuts.blocks():
        asked = scores(first, last)
        width = asked.shape[2]
        outside = cuts.outside(first, last, width)
        totals = runs(asked[alone].astype(np.int64), outside) << 8
        given = cuts.by_rows(asked, outside)
        given += code[:, None]
        starts = cuts.above(first, last)
        window = sliding_window_view(held.reshape(-1), width)
        held[deep:, left + width : left + band.width] = NEVER
        found = np.empty((len(code), width), dtype=np.int64)
        apart = np.empty((last - first, width), dtype=np.int64)
        reached = np.empty_like(apart)
        below = held[deep : deep + last - first, left : left + width]
        by_row = zip(starts, given, apart, totals, reached, below, strict=True)
        for i, (start, own, best, total, along, here) in enumerate(by_row, first):
            np.add(window[start], own, out=found)
            np.maximum.reduce(found, axis=0, out=best)
            if i == 0:
                best[-lo[0]] = 0
            # In sums of the beads (0, 1) a run of them costs nothing.
            best -= total
            np.maximum.accumulate(best, out=along)
            np.add(along, total, out=here)
            here &= SCORE
        came[first:last, :width] = np.where(reached >> 8 > apart >> 8, alone, 255 - (apart & 255))
        held[:deep] = held[last - first : last - first + deep].copy()
    score = int(held[deep - 1, left + band.columns - lo[rows]]) >> 8
    if score <= NEVER >> 9:
        raise InputError("no path of these beads leads through the band: make it wider")
    return _back(beads, came, band, score)


class Cuts:
    """Where the rows that beads come from lie in a buffer of rows one after another.

    Of a row of the buffer the cells `left` to `left + width` are points; the others are never
    reached, so that a look to the left or right of the row finds nothing.
    """

    def __init__(self, beads: Sequence[tuple[int, int]], band: Band) -> None:
        self.band = band
        self.alone = list(beads).index((0, 1))
        self.taking = [k for k, (a, _) in enumerate(beads) if a]
        self.a, self.b = np.array([beads[k] for k in self.taking], dtype=np.int64).T
        self.deep, self.wide = int(self.a.max()), int(self.b.max())
        self.left, self.stride = self.wide, 2 * band.width + self.wide
        cells = band.width * len(beads)
        self.at_once = min(max(1, _CELLS // cells), band.rows + 1)

    def blocks(self) -> list[tuple[int, int]]:
        """Return the rows that are asked for at once, half-open."""
        edges = [*range(0, self.band.rows + 1, self.at_once), self.band.rows + 1]
        return list(itertools.pairwise(edges))

    def above(self, first: int, last: int) -> NDArray[np.int64]:
        """Return where the predecessors by each bead begin, shape (last - first, beads)."""
        i = np.arange(first, last)[:, None]
        lo = self.band.lo
        shift = lo[i] - lo[np.maximum(i - self.a, 0)] - self.b
        slot = i - first + self.deep - self.a
        starts: NDArray[np.int64] = (
            slot * self.stride + self.left + np.minimum(shift, self.band.width)
        )
        return starts

    def below(self, first: int, last: int) -> NDArray[np.int64]:
        """Return where the successors by each bead begin; a row of the buffer is a bead's."""
        i = np.arange(first, last)[:, None]
        width, lo, count = self.band.width, self.band.lo, len(self.taking)
        shift = lo[i] - lo[np.minimum(i + self.a, self.band.rows)] + self.b
        slot = (i - first + self.a) * count + np.arange(count)
        starts: NDArray[np.int64] = slot * self.stride + width + np.maximum(shift, -width)
        return starts

    def by_rows(
        self,
        asked: NDArray[np.integer],
        outside: NDArray[np.bool_] | None,
        *,
        unit: int = 256,
    ) -> NDArray[np.int64]:
        """Return the scores of the beads that take some of the first sequence, by rows.

        They are multiplied by `unit`. Those of cells that are no points are 0.
        """
        _, rows, width = asked.shape
        given = np.empty((rows, len(self.taking), width), dtype=np.int64)
        for k, kind in enumerate(self.taking):
            np.multiply(asked[kind], unit, out=given[:, k], dtype=np.int64)
        if outside is not None:
            np.copyto(given, 0, where=outside[:, None])
        return given

    def outside(self, first: int, last: int, width: int | None = None) -> NDArray[np.bool_] | None:
        """Return which cells of the rows are no points of the table; None if all are.

        `width` is how many columns of each row are looked at; default: all of the band.
        """
        lo, columns = self.band.lo[first:last], self.band.columns
        width = width or self.band.width
        if lo[0] >= 0 and lo[-1] + width <= columns + 1:
            return None
        at = lo[:, None] + np.arange(width)
        cells: NDArray[np.bool_] = (at < 0) | (at > columns)
        return cells


def runs(row: NDArray[_Number], outside: NDArray[np.bool_] | None) -> NDArray[_Number]:
    """Return the running sums of the bead (0, 1) along each row."""
    row[:, 0] = 0
    if outside is not None:
        row[outside] = 0
        # A run begins at the first point, wherever in the row it is.
        row[:, 1:][outside[:, :-1]] = 0
    return np.cumsum(row, axis=1, out=row)


def check_beads(beads: Sequence[tuple[int, int]], band: Band) -> None:
    """Refuse beads that no path can be made of, and bands that have no such path."""
    alone = [(a, b) for a, b in beads if not a]
    if alone != [(0, 1)] or (1, 0) not in beads or len(set(beads)) != len(beads):
        raise InputError(f"the beads are {list(beads)}: want (1, 0), (0, 1), and others with 1 up")
    if len(beads) > 255 or min(b for _, b in beads) < 0:
        raise InputError(f"{len(beads)} beads: want at most 255, of no negative numbers")
    lo = band.lo
    ends = lo[0] <= 0 < lo[0] + band.width and lo[-1] <= band.columns < lo[-1] + band.width
    if band.width < 1 or not ends or (np.diff(lo) < 0).any():
        raise InputError("the band descends, or leaves out an end of the table")


def _back(
    beads: Sequence[tuple[int, int]], came: NDArray[np.uint8], band: Band, score: int
) -> BeadPath:
    kinds, ends = array("B"), array("q")
    # A view of memory is quicker one by one than an array is.
    lo, kind_at = memoryview(band.lo.data), memoryview(came.data)
    i, j = band.rows, band.columns
    while i or j:
        kind = kind_at[i, j - lo[i]]
        kinds.append(kind)
        ends.extend((i, j))
        a, b = beads[kind]
        i, j = i - a, j - b
    row, column = np.array(ends, dtype=np.int64).reshape(-1, 2)[::-1].T.copy()
    at = column - band.lo[row]
    left = np.where(band.lo[row] > 0, at, band.width)
    right = np.where(band.lo[row] + band.width <= band.columns, band.width - 1 - at, band.width)
    near = float(np.minimum(left, right).min(initial=band.width)) / band.width
    return BeadPath(score, np.array(kinds, dtype=np.int64)[::-1], row, column, min(near, 0.5))
