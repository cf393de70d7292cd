"""How sure the beads of a path are, piece by piece: many short pieces of a table at once.

The chance of a bead hardly depends on what is far from it. So a table is cut into pieces of some
rows, each with rows on both sides to its neighbours; where a piece begins or ends, paths may begin
or end at any point of the band. All pieces are worked on together, a row of each at a time, which
takes as many calls as one piece does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from bitext.kernels.bead_chances import BESIDE, UNREACHED, sums
from bitext.kernels.bead_path import Band, BeadPath

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

__all__ = ["Table", "chances_by_pieces", "chances_of_tables"]

_AT_ONCE = 1 << 12  # beads (0, 1) whose rows are gone through at once


class Table(NamedTuple):
    """The scores of all beads in a band, of shape (beads, rows + 1, width), and a path in it."""

    scores: NDArray[np.integer]
    band: Band
    path: BeadPath


def chances_by_pieces(
    beads: Sequence[tuple[int, int]],
    scores: NDArray[np.integer],
    band: Band,
    path: BeadPath,
    *,
    unit: float,
    rows: int = 96,
    beside: int = BESIDE,
) -> NDArray[np.float64]:
    """Return how sure each bead of a path is: nearly what `chances` returns, and quicker.

    Parameters
    ----------
    beads, band, path, unit
        As in `bitext.kernels.bead_chances.chances`.
    scores : array of integers, shape (beads, rows + 1, width)
        Those of all beads in the band.
    rows : int
        Of a piece.
    beside : int
        Rows before and after a piece that are taken into account, and before and after a bead
        (0, 1). With as many as the table has the chances are exact.

    Returns
    -------
    array of float64, shape (beads of the path,)
        From 0 to 1, as in `chances`.

    """
    tables = [Table(scores, band, path)]
    return chances_of_tables(beads, tables, unit=unit, rows=rows, beside=beside)[0]


def chances_of_tables(
    beads: Sequence[tuple[int, int]],
    tables: Sequence[Table],
    *,
    unit: float,
    rows: int = 96,
    beside: int = BESIDE,
) -> list[NDArray[np.float64]]:
    """Return how sure the beads of the path of each of some tables are, as `chances_by_pieces`.

    The pieces of all tables are worked on together: many small ones take as long as a large one.
    """
    if not tables:
        return []
    pieces = _Pieces(beads, tables, unit, rows=rows, beside=beside)
    path = pieces.path
    number = np.array(beads, dtype=np.int64)[path.kinds]
    # The bead (0, 1) may end in the first row of a table.
    piece = np.maximum(path.row - pieces.top - 1, 0) // rows + pieces.opening
    row, column = path.row - number[:, 0], path.column - number[:, 1]
    before, after = pieces.forward(), pieces.backward()
    whole = pieces.whole(before)
    lo, first = pieces.lo, pieces.first
    own = pieces.scores[path.kinds, path.row, path.column - lo[path.row]] / unit
    total = before[row - first[piece], piece, column - lo[row]] + own
    total += after[path.row - first[piece], piece, path.column - lo[path.row]]
    for which, found in pieces.alone(piece, before, after, beside=beside):
        total[which] = found
    result = np.exp(np.minimum(total - whole[piece], 0.0))
    ends = np.cumsum([len(table.path.kinds) for table in tables])
    return np.split(result, ends[:-1])


def _joined(tables: Sequence[Table]) -> tuple[NDArray[np.integer], NDArray[np.int64]]:
    """Return the scores of all tables, one below the other, and the first columns of all rows."""
    if len(tables) == 1:
        return tables[0].scores, tables[0].band.lo
    lo = np.concatenate([table.band.lo for table in tables])
    width = max(table.band.width for table in tables)
    scores = np.zeros((len(tables[0].scores), len(lo), width), dtype=tables[0].scores.dtype)
    first = 0
    for table in tables:
        last = first + len(table.band.lo)
        scores[:, first:last, : table.band.width] = table.scores
        first = last
    return scores, lo


class _Pieces:
    """Rows of all pieces, by their number in the piece: arrays (rows of a piece, pieces, ...).

    The tables stand one below the other, and rows are counted through.

    Attributes
    ----------
    scores : array of integers, shape (beads, rows of all, width)
    lo : array of int64, shape (rows of all,)
    path : BeadPath
        The beads of all paths, by rows of all.
    top, opening : arrays of int64, shape (beads of all paths,)
        The first row of the table of each, and its first piece.
    first : array of int64, shape (pieces,)
        The row that each piece begins with; it may be before its table.

    """

    def __init__(
        self,
        beads: Sequence[tuple[int, int]],
        tables: Sequence[Table],
        unit: float,
        *,
        rows: int,
        beside: int,
    ) -> None:
        taking = [k for k, (a, _) in enumerate(beads) if a]
        self.a, self.b = np.array([beads[k] for k in taking], dtype=np.int64).T
        self.deep, self.wide = int(self.a.max()), int(self.b.max())
        self.scores, self.lo = _joined(tables)
        self.width = self.scores.shape[2]
        sizes = np.array([table.band.rows for table in tables])
        counts = np.maximum(1, -(-sizes // rows))
        of = np.repeat(np.arange(len(tables)), counts)  # the table of each piece
        begins, openings = np.cumsum(sizes + 1) - sizes - 1, np.cumsum(counts) - counts
        self.begin, self.end = begins[of], (begins + sizes)[of]
        self.columns = np.array([table.band.columns for table in tables])[of]
        # A bead that ends in a piece may begin some rows before it. Tables that are not cut have
        # no rows beside their own.
        cut = len(of) > len(tables)
        before = beside + self.deep if cut else 0
        self.first = (np.arange(len(of)) - openings[of]) * rows - before + self.begin
        self.size = before + rows + beside + 1 if cut else int(sizes.max()) + 1
        row = self.first + np.arange(self.size)[:, None]
        self.row = np.clip(row, self.begin, self.end)
        self.real = row == self.row
        column = self.lo[self.row][..., None] + np.arange(self.width)
        self.outside = (column < 0) | (column > self.columns[:, None]) | ~self.real[..., None]
        widths = np.array([table.band.width for table in tables])
        if (widths < self.width).any():
            self.outside |= np.arange(self.width) >= widths[of][:, None]
        alone = self.scores[list(beads).index((0, 1)), self.row] / unit
        alone[..., 0] = 0.0
        alone[self.outside] = 0.0
        alone[..., 1:][self.outside[..., :-1]] = 0.0
        self.totals = np.cumsum(alone, axis=-1)
        self.given = self.scores[taking][:, self.row].transpose(1, 2, 0, 3) / unit
        self.given[np.broadcast_to(self.outside[:, :, None], self.given.shape)] = 0.0
        self.number, self.unit = np.array(beads, dtype=np.int64), unit
        lengths = [len(table.path.kinds) for table in tables]
        self.top, self.opening = np.repeat(begins, lengths), np.repeat(openings, lengths)
        kinds, ends, column = (
            np.concatenate([getattr(table.path, name) for table in tables])
            for name in ("kinds", "row", "column")
        )
        self.path = BeadPath(0, kinds, ends + self.top, column, 0.5)

    def forward(self) -> NDArray[np.float64]:
        """Return the sums of the weights of paths to each point; logarithms."""
        width, count, lo = self.width, len(self.first), self.lo
        stride = 2 * width + self.wide
        held = np.full((self.size + self.deep, count, stride), UNREACHED)
        window = sliding_window_view(held.reshape(-1), width)
        above = np.maximum(self.row[..., None] - self.a, self.begin[:, None])
        shift = lo[self.row][..., None] - lo[above] - self.b
        place = np.arange(self.size)[:, None, None] + self.deep - self.a
        starts = (place * count + np.arange(count)[:, None]) * stride
        starts += self.wide + np.minimum(shift, width)
        mine = slice(self.wide, self.wide + width)
        for t in range(self.size):
            here = held[self.deep + t, :, mine]
            _together(window[starts[t]] + self.given[t], here)
            # Paths begin at the first point of the table, or anywhere in a piece's first row.
            if t == 0:
                here[self.first > self.begin] = 0.0
            origin = np.flatnonzero(self.first + t == self.begin)
            here[origin, -lo[self.begin[origin]]] = 0.0
            here[self.outside[t]] = UNREACHED
            here -= self.totals[t]
            np.logaddexp.accumulate(here, axis=1, out=here)
            here += self.totals[t]
            here[self.outside[t]] = UNREACHED
        return held[self.deep :, :, mine]

    def backward(self) -> NDArray[np.float64]:
        """Return the sums of the weights of paths from each point; logarithms."""
        width, count, lo = self.width, len(self.first), self.lo
        kinds, stride = len(self.a), 2 * width + self.wide
        held = np.full((self.size + self.deep, count, kinds, stride), UNREACHED)
        window = sliding_window_view(held.reshape(-1), width)
        below = np.minimum(self.row[..., None] + self.a, self.end[:, None])
        shift = lo[self.row][..., None] - lo[below] + self.b
        place = np.arange(self.size)[:, None, None] + self.a
        starts = ((place * count + np.arange(count)[:, None]) * kinds + np.arange(kinds)) * stride
        starts += width + np.maximum(shift, -width)
        sums = np.empty((self.size, count, width))
        last = self.first + self.size - 1
        for t in range(self.size - 1, -1, -1):
            here = sums[t]
            _together(window[starts[t]], here)
            if t == self.size - 1:
                here[last < self.end] = 0.0
            end = np.flatnonzero(self.first + t == self.end)
            here[end, self.columns[end] - lo[self.end[end]]] = 0.0
            here[self.outside[t]] = UNREACHED
            here += self.totals[t]
            np.logaddexp.accumulate(here[:, ::-1], axis=1, out=here[:, ::-1])
            here -= self.totals[t]
            here[self.outside[t]] = UNREACHED
            np.add(self.given[t], here[:, None], out=held[t, :, :, width : 2 * width])
        return sums

    def whole(self, before: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the sum of the weights of all paths of each piece; logarithms."""
        found = np.logaddexp.reduce(before[-1], axis=-1)
        ends = np.flatnonzero(self.first + self.size - 1 >= self.end)
        at = self.end[ends] - self.first[ends]
        found[ends] = before[at, ends, self.columns[ends] - self.lo[self.end[ends]]]
        result: NDArray[np.float64] = found
        return result

    def alone(
        self,
        piece: NDArray[np.int64],
        before: NDArray[np.float64],
        after: NDArray[np.float64],
        *,
        beside: int,
    ) -> Iterator[tuple[NDArray[np.int64], NDArray[np.float64]]]:
        """Yield beads of the paths with an empty side, and the weights of all with such a one.

        `before` and `after` are the weights of the paths to and from each point, `piece` is that
        of each bead.
        """
        scores, path, lo, width = self.scores, self.path, self.lo, self.width
        down, across = self.number[path.kinds].T
        which = np.flatnonzero(across == 0)
        row, a, p = path.row[which, None], down[which, None], piece[which, None]
        t, at = row - self.first[p], np.arange(width)
        back = at + lo[row] - lo[row - a]
        found = before[t - a, p, np.minimum(back, width - 1)] + after[t, p, at]
        found += scores[path.kinds[which, None], row, at] / self.unit
        found[(back >= width) | self.outside[t, p, at]] = UNREACHED
        yield which, sums(found)
        every, steps = np.flatnonzero(down == 0), np.arange(-beside, beside + 1)
        for which in np.split(every, range(_AT_ONCE, len(every), _AT_ONCE)):
            p = piece[which, None]
            t = path.row[which, None] - self.first[p] + steps
            inside = (t >= 0) & (t < self.size)
            t = np.clip(t, 0, self.size - 1)
            at = path.column[which, None] - lo[self.row[t, p]]
            inside &= self.real[t, p] & (at >= 1) & (at < width)
            at = np.clip(at, 0, width - 1)
            found = before[t, p, at - 1] + after[t, p, at]
            found += scores[path.kinds[which, None], self.row[t, p], at] / self.unit
            found[~inside] = UNREACHED
            yield which, sums(found)


def _together(found: NDArray[np.float64], out: NDArray[np.float64]) -> None:
    """Add weights that are given as logarithms, over the beads."""
    np.maximum.reduce(found, axis=1, out=out)
    found -= out[:, None]
    np.exp(found, out=found)
    out += np.log(np.add.reduce(found, axis=1))
