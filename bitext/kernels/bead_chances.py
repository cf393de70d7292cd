"""How sure the beads of a path are, by the weight of all paths that have them.

The weight of a path is exp(its score / unit), so with scores that are logarithms of chances the
share of a bead is its posterior (forward-backward). Where a bead with an empty side stands among
its neighbours says nothing: its share is that of all paths that leave its members alone. So a
passage that may stand before or behind a sentence is as sure as it is that none of it is aligned.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from bitext.kernels.bead_path import Cuts, check_beads, runs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bitext.kernels.bead_path import Band, BeadPath, Scores

__all__ = ["BESIDE", "chances"]

_UNREACHED = -1e18  # the logarithm of no weight; finite, so that differences are numbers
BESIDE = 32
"""Rows before and after a bead that its chance takes account of, where not all are."""


def chances(
    beads: Sequence[tuple[int, int]],
    scores: Scores,
    band: Band,
    path: BeadPath,
    *,
    unit: float,
    beside: int = BESIDE,
) -> NDArray[np.float64]:
    """Return how sure each bead of a path is: its share of the weight of all paths in the band.

    Parameters
    ----------
    beads, scores, band
        As in `best_path`.
    path : BeadPath
        A path in the band, not needfully the best.
    unit : float
        How much of a score a natural logarithm of 1 is.
    beside : int
        How many rows before and after a bead (0, 1) its member may stand alone to be counted.

    Returns
    -------
    array of float64, shape (beads of the path,)
        From 0 to 1. Of beads with an empty side, how sure it is that their members stand alone,
        wherever.

    Examples
    --------
    >>> from bitext.kernels.bead_path import Band, best_path
    >>> tables = np.zeros((3, 2, 2), dtype=np.int64)
    >>> kinds, band = [(1, 1), (1, 0), (0, 1)], Band(np.array([0, 0]), 2, 1)
    >>> found = best_path(kinds, lambda first, last: tables[:, first:last], band)
    >>> chances(kinds, lambda first, last: tables[:, first:last], band, found, unit=1).round(3)
    array([0.333])

    """
    check_beads(beads, band)
    cuts, alone = Cuts(beads, band), _Alone(beads, path, beside)
    starts = np.concatenate([[[0, 0]], np.stack([path.row, path.column], axis=1)])
    started, whole = _forward(cuts, scores, unit, starts, alone)
    own, after = _backward(cuts, scores, unit, path, alone)
    result: NDArray[np.float64] = np.exp(np.minimum(started[:-1] + own + after - whole, 0.0))
    result[alone.which] = np.exp(np.minimum(alone.sums - whole, 0.0))
    return result


def _sums(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the sums of weights along the last axis; logarithms."""
    most = weights.max(axis=-1)
    result: NDArray[np.float64] = most + np.log(np.exp(weights - most[..., None]).sum(axis=-1))
    return result


class _Alone:
    """The beads of a path with an empty side, and the weights of all paths with such a bead.

    Attributes
    ----------
    which : array of int64
        Their numbers in the path.
    sums : array of float64
        Logarithms, once all rows have been gone through.

    """

    def __init__(self, beads: Sequence[tuple[int, int]], path: BeadPath, beside: int) -> None:
        number = np.array(beads, dtype=np.int64).reshape(-1, 2)[path.kinds]
        self.which = np.flatnonzero((number == 0).any(axis=1))
        self.sums = np.full(len(self.which), _UNREACHED)
        self._row, self._column = path.row[self.which], path.column[self.which]
        self._kind, self._down = path.kinds[self.which], number[self.which, 0]
        self._before: dict[int, NDArray[np.float64]] = {}
        self._beside = beside
        ends = self._row[self._down > 0] - self._down[self._down > 0]
        across = np.unique(self._row[self._down == 0])
        steps = np.arange(-beside, beside + 1)
        self._wanted = {*ends.tolist(), *np.unique(across[:, None] + steps).tolist()}

    def keep(self, row: int, before: NDArray[np.float64]) -> None:
        """Keep the weights of the paths to the points of a row, if they will be wanted."""
        if row in self._wanted:
            self._before[row] = before.copy()

    def add(
        self,
        row: int,
        own: NDArray[np.float64],
        after: NDArray[np.float64],
        band: Band,
    ) -> None:
        """Add the paths with a bead that ends in a row.

        `own` are the scores of all beads there, `after` the weights of the paths from its points.
        """
        some = slice(*np.searchsorted(self._row, [row - self._beside, row + self._beside + 1]))
        if some.start == some.stop:
            return
        here = np.arange(some.start, some.stop)
        across = here[self._down[here] == 0]
        if len(across):
            at = self._column[across] - band.lo[row]
            inside = (at >= 1) & (at < band.width)
            across, at = across[inside], at[inside]
            found = self._before[row][at - 1] + own[self._kind[across], at] + after[at]
            self.sums[across] = np.logaddexp(self.sums[across], found)
        for k in here[(self._down[here] > 0) & (self._row[here] == row)].tolist():
            before = self._before[row - int(self._down[k])]
            at = np.arange(max(0, -band.lo[row]), min(band.width, band.columns + 1 - band.lo[row]))
            back = at + band.lo[row] - band.lo[row - int(self._down[k])]
            at, back = at[back < band.width], back[back < band.width]
            self.sums[k] = _sums(before[back] + own[self._kind[k], at] + after[at])


def _by_columns(found: NDArray[np.float64], out: NDArray[np.float64]) -> None:
    """Add weights that are given as logarithms, by columns."""
    np.maximum.reduce(found, axis=0, out=out)
    found -= out
    np.exp(found, out=found)
    out += np.log(np.add.reduce(found, axis=0))


def _forward(
    cuts: Cuts, scores: Scores, unit: float, points: NDArray[np.int64], alone: _Alone
) -> tuple[NDArray[np.float64], float]:
    """Return the sums of the weights of all paths to some points, and to the end; logarithms."""
    band, deep, width = cuts.band, cuts.deep, cuts.band.width
    held = np.full((deep + cuts.at_once, cuts.stride), _UNREACHED)
    window = sliding_window_view(held.reshape(-1), width)
    mine = slice(cuts.left, cuts.left + width)
    found = np.empty((len(cuts.taking), width))
    sums = np.empty(len(points))
    for first, last in cuts.blocks():
        asked = scores(first, last) / unit
        outside = cuts.outside(first, last)
        totals = runs(asked[cuts.alone], outside)
        given = np.ascontiguousarray(asked[cuts.taking].transpose(1, 0, 2))
        if outside is not None:
            given[np.broadcast_to(outside[:, None], given.shape)] = 0.0
        starts = cuts.above(first, last)
        for r in range(last - first):
            here = held[deep + r, mine]
            np.add(window[starts[r]], given[r], out=found)
            _by_columns(found, here)
            if first + r == 0:
                here[-band.lo[0]] = 0.0
            here -= totals[r]
            np.logaddexp.accumulate(here, out=here)
            here += totals[r]
            alone.keep(first + r, here)
        begin, end = np.searchsorted(points[:, 0], [first, last])
        at = points[begin:end]
        sums[begin:end] = held[deep + at[:, 0] - first, cuts.left + at[:, 1] - band.lo[at[:, 0]]]
        held[:deep] = held[last - first : last - first + deep].copy()
    return sums, float(sums[-1])


def _backward(
    cuts: Cuts, scores: Scores, unit: float, path: BeadPath, alone: _Alone
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the scores of the beads of a path, and the sums of the paths from their ends."""
    band, deep, width = cuts.band, cuts.deep, cuts.band.width
    held = np.full((deep + cuts.at_once, len(cuts.taking), cuts.stride), _UNREACHED)
    window = sliding_window_view(held.reshape(-1), width)
    found = np.empty((len(cuts.taking), width))
    own, after = np.empty(len(path.kinds)), np.empty(len(path.kinds))
    for first, last in reversed(cuts.blocks()):
        asked = scores(first, last) / unit
        outside = cuts.outside(first, last)
        begin, end = np.searchsorted(path.row, [first, last])
        row, at = path.row[begin:end] - first, path.column[begin:end]
        at = at - band.lo[first + row]
        own[begin:end] = asked[path.kinds[begin:end], row, at]
        totals = runs(asked[cuts.alone].copy(), outside)
        given = np.ascontiguousarray(asked[cuts.taking].transpose(1, 0, 2))
        if outside is not None:
            given[np.broadcast_to(outside[:, None], given.shape)] = 0.0
        starts = cuts.below(first, last)
        block = np.empty((last - first, width))
        for r in range(last - first - 1, -1, -1):
            here = block[r]
            _by_columns(np.add(window[starts[r]], 0.0, out=found), here)
            if first + r == band.rows:
                here[band.columns - band.lo[-1]] = 0.0
            here += totals[r]
            np.logaddexp.accumulate(here[::-1], out=here[::-1])
            here -= totals[r]
            if outside is not None:
                here[outside[r]] = _UNREACHED
            alone.add(first + r, asked[:, r], here, band)
            np.add(given[r], here, out=held[r, :, width : 2 * width])
        after[begin:end] = block[row, at]
        held[cuts.at_once :] = held[:deep].copy()
    return own, after
