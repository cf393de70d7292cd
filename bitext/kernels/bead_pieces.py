"""How sure the beads of a path are, piece by piece: many short pieces of a table at once.

The chance of a bead hardly depends on what is far from it. So a table is cut into pieces of some
rows, each with rows on both sides to its neighbours; where a piece begins or ends, paths may begin
or end at any point of the band. All pieces are worked on together, a row of each at a time, which
takes as many calls as one piece does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from bitext.kernels.bead_chances import BESIDE, UNREACHED, sums

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from bitext.kernels.bead_path import Band, BeadPath

__all__ = ["chances_by_pieces"]

_AT_ONCE = 1 << 12  # beads (0, 1) whose rows are gone through at once


def chances_by_pieces(
    beads: Sequence[tuple[int, int]],
    scores: NDArray[np.integer],
    band: Band,
    path: BeadPath,
    *,
    unit: float,
    rows: int = 64,
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
    table = _Pieces(beads, scores, band, unit, rows=rows, beside=beside)
    number = np.array(beads, dtype=np.int64)[path.kinds]
    piece = np.maximum(path.row - 1, 0) // rows
    row, column = path.row - number[:, 0], path.column - number[:, 1]
    before, after = table.forward(), table.backward()
    whole = table.whole(before)
    own = scores[path.kinds, path.row, path.column - band.lo[path.row]] / unit
    total = before[row - table.first[piece], piece, column - band.lo[row]] + own
    total += after[path.row - table.first[piece], piece, path.column - band.lo[path.row]]
    for which, found in table.alone(scores, path, piece, before, after, beside=beside):
        total[which] = found
    result: NDArray[np.float64] = np.exp(np.minimum(total - whole[piece], 0.0))
    return result


class _Pieces:
    """Rows of all pieces, by their number in the piece: arrays (rows of a piece, pieces, ...)."""

    def __init__(
        self,
        beads: Sequence[tuple[int, int]],
        scores: NDArray[np.integer],
        band: Band,
        unit: float,
        *,
        rows: int,
        beside: int,
    ) -> None:
        taking = [k for k, (a, _) in enumerate(beads) if a]
        self.band = band
        self.a, self.b = np.array([beads[k] for k in taking], dtype=np.int64).T
        self.deep, self.wide = int(self.a.max()), int(self.b.max())
        count = max(1, -(-band.rows // rows))
        # A bead that ends in a piece may begin some rows before it.
        self.first = np.arange(count) * rows - beside - self.deep
        self.size = rows + 2 * beside + self.deep + 1
        row = self.first + np.arange(self.size)[:, None]
        self.row = np.clip(row, 0, band.rows)
        self.real = (row >= 0) & (row <= band.rows)
        column = band.lo[self.row][..., None] + np.arange(band.width)
        self.outside = (column < 0) | (column > band.columns) | ~self.real[..., None]
        alone = scores[list(beads).index((0, 1)), self.row] / unit
        alone[..., 0] = 0.0
        alone[self.outside] = 0.0
        alone[..., 1:][self.outside[..., :-1]] = 0.0
        self.totals = np.cumsum(alone, axis=-1)
        self.given = scores[taking][:, self.row].transpose(1, 2, 0, 3) / unit
        self.given[np.broadcast_to(self.outside[:, :, None], self.given.shape)] = 0.0
        self.number, self.unit = np.array(beads, dtype=np.int64), unit

    def forward(self) -> NDArray[np.float64]:
        """Return the sums of the weights of paths to each point; logarithms."""
        width, count, lo = self.band.width, len(self.first), self.band.lo
        stride = 2 * width + self.wide
        held = np.full((self.size + self.deep, count, stride), UNREACHED)
        window = sliding_window_view(held.reshape(-1), width)
        shift = lo[self.row][..., None] - lo[np.maximum(self.row[..., None] - self.a, 0)] - self.b
        place = np.arange(self.size)[:, None, None] + self.deep - self.a
        starts = (place * count + np.arange(count)[:, None]) * stride
        starts += self.wide + np.minimum(shift, width)
        mine = slice(self.wide, self.wide + width)
        for t in range(self.size):
            here = held[self.deep + t, :, mine]
            _together(window[starts[t]] + self.given[t], here)
            # Paths begin at the first point of the table, or anywhere in a piece's first row.
            if t == 0:
                here[self.first > 0] = 0.0
            origin = np.flatnonzero(self.first + t == 0)
            here[origin, -lo[0]] = 0.0
            here[self.outside[t]] = UNREACHED
            here -= self.totals[t]
            np.logaddexp.accumulate(here, axis=1, out=here)
            here += self.totals[t]
            here[self.outside[t]] = UNREACHED
        return held[self.deep :, :, mine]

    def backward(self) -> NDArray[np.float64]:
        """Return the sums of the weights of paths from each point; logarithms."""
        width, count, lo = self.band.width, len(self.first), self.band.lo
        kinds, stride = len(self.a), 2 * width + self.wide
        held = np.full((self.size + self.deep, count, kinds, stride), UNREACHED)
        window = sliding_window_view(held.reshape(-1), width)
        below = np.minimum(self.row[..., None] + self.a, self.band.rows)
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
                here[last < self.band.rows] = 0.0
            end = np.flatnonzero(self.first + t == self.band.rows)
            here[end, self.band.columns - lo[-1]] = 0.0
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
        ends = np.flatnonzero(self.first + self.size - 1 >= self.band.rows)
        at = self.band.rows - self.first[ends]
        found[ends] = before[at, ends, self.band.columns - self.band.lo[-1]]
        result: NDArray[np.float64] = found
        return result

    def alone(
        self,
        scores: NDArray[np.integer],
        path: BeadPath,
        piece: NDArray[np.int64],
        before: NDArray[np.float64],
        after: NDArray[np.float64],
        *,
        beside: int,
    ) -> Iterator[tuple[NDArray[np.int64], NDArray[np.float64]]]:
        """Yield beads of a path with an empty side, and the weights of the paths with such a one.

        `before` and `after` are the weights of the paths to and from each point, `piece` is that
        of each bead.
        """
        lo, width = self.band.lo, self.band.width
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
