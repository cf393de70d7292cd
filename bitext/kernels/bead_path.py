"""The best path of beads through two sequences, within a band, and how sure it is.

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

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bitext.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ["Band", "BeadPath", "Scores", "best_path", "chances"]

_NEVER = -(1 << 40)  # so low that no sum of scores comes near it, nor leaves 64 bits
_CELLS = 1 << 19  # cells whose scores are asked for at once

# scores(first, last): of all beads that end in the rows first <= i < last, as an array of shape
# (beads, last - first, width); those that begin before the table may hold anything.
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

    """

    lo: NDArray[np.int64]
    width: int
    columns: int

    @property
    def rows(self) -> int:
        """The length of the first sequence."""
        return len(self.lo) - 1


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
    _check(beads, band)
    rows, width, lo = band.rows, band.width, band.lo
    alone = list(beads).index((0, 1))
    taking = [(k, a, b) for k, (a, b) in enumerate(beads) if a]
    order = np.array([k for k, _, _ in taking], dtype=np.uint8)
    deep = max(a for a, _ in beads)
    came = np.empty((rows + 1, width), dtype=np.uint8)
    held = [np.empty(0, dtype=np.int64)] * (deep + 1)  # the rows above, by number modulo
    at_once = max(1, _CELLS // (width * len(beads)))
    column = np.arange(width)
    candidates = np.empty((len(taking), width), dtype=np.int64)
    for first in range(0, rows + 1, at_once):
        last = min(first + at_once, rows + 1)
        block = scores(first, last).astype(np.int64, copy=False)
        for i in range(first, last):
            row = block[:, i - first]
            candidates.fill(_NEVER)
            for place, (k, a, b) in enumerate(taking):
                if a <= i:
                    _step(candidates[place], held[(i - a) % (deep + 1)], lo[i] - b - lo[i - a])
                    candidates[place] += row[k]
            best = candidates.max(axis=0)
            came[i] = order[candidates.argmax(axis=0)]
            if i == 0:
                best[:] = _NEVER
                best[-lo[0]] = 0
            # In sums of the beads (0, 1) a run of them costs nothing.
            inside = (lo[i] + column >= 0) & (lo[i] + column <= band.columns)
            best[~inside] = _NEVER
            totals = np.cumsum(np.where(inside & (column > 0), row[alone], 0))
            apart = best - totals
            reached = np.maximum.accumulate(apart)
            came[i][reached > apart] = alone
            held[i % (deep + 1)] = np.maximum(np.where(inside, reached + totals, _NEVER), _NEVER)
    score = int(held[rows % (deep + 1)][band.columns - lo[rows]])
    if score <= _NEVER // 2:
        raise InputError("no path of these beads leads through the band: make it wider")
    return _back(beads, came, band, score)


def _step(out: NDArray[np.int64], above: NDArray[np.int64], shift: int) -> None:
    """Copy a row from `shift` on; what lies outside of it stays."""
    width = len(out)
    begin, end = max(0, -shift), min(width, len(above) - shift)
    if begin < end:
        out[begin:end] = above[begin + shift : end + shift]


def _check(beads: Sequence[tuple[int, int]], band: Band) -> None:
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
    kinds: list[int] = []
    ends: list[tuple[int, int]] = []
    i, j, lo = band.rows, band.columns, band.lo
    while i or j:
        kind = int(came[i, j - lo[i]])
        kinds.append(kind)
        ends.append((i, j))
        i, j = i - beads[kind][0], j - beads[kind][1]
    row, column = np.array(ends[::-1], dtype=np.int64).reshape(-1, 2).T
    at = column - lo[row]
    left = np.where(lo[row] > 0, at, band.width)
    right = np.where(lo[row] + band.width <= band.columns, band.width - 1 - at, band.width)
    near = float(np.minimum(left, right).min(initial=band.width)) / band.width
    return BeadPath(score, np.array(kinds[::-1], dtype=np.int64), row, column, min(near, 0.5))


def chances(
    beads: Sequence[tuple[int, int]], scores: Scores, band: Band, path: BeadPath, *, unit: float
) -> NDArray[np.float64]:
    """Return how sure each bead of a path is: its share of the weight of all paths in the band.

    The weight of a path is exp(its score / unit), so with scores that are logarithms of chances
    this is the posterior of the bead (forward-backward).

    Parameters
    ----------
    beads, scores, band
        As in `best_path`.
    path : BeadPath
        A path in the band, not needfully the best.
    unit : float
        How much of a score a natural logarithm of 1 is.

    Returns
    -------
    array of float64, shape (beads of the path,)
        From 0 to 1.

    Examples
    --------
    >>> tables = np.zeros((3, 2, 2), dtype=np.int64)
    >>> kinds, band = [(1, 1), (1, 0), (0, 1)], Band(np.array([0, 0]), 2, 1)
    >>> found = best_path(kinds, lambda first, last: tables[:, first:last], band)
    >>> chances(kinds, lambda first, last: tables[:, first:last], band, found, unit=1).round(3)
    array([0.333])

    """
    _check(beads, band)
    sums = _Sums(beads, scores, band, unit)
    number = np.array([a for a, _ in beads]), np.array([b for _, b in beads])
    begin_row = path.row - number[0][path.kinds]
    begin_column = path.column - number[1][path.kinds]
    before = sums.forward()
    started = before[begin_row, begin_column - band.lo[begin_row]]
    whole = before[band.rows, band.columns - band.lo[band.rows]]
    del before
    own, after = sums.backward(path)
    result: NDArray[np.float64] = np.exp(np.minimum(started + own + after - whole, 0.0))
    return result


class _Sums:
    """The sums of the weights of all paths to, and from, each point; as logarithms."""

    def __init__(
        self, beads: Sequence[tuple[int, int]], scores: Scores, band: Band, unit: float
    ) -> None:
        self.beads, self.scores, self.band, self.unit = list(beads), scores, band, unit
        self.alone = self.beads.index((0, 1))
        self.taking = [(k, a, b) for k, (a, b) in enumerate(beads) if a]
        self.deep = max(a for a, _ in beads)
        self.at_once = max(1, _CELLS // (band.width * len(self.beads)))
        self.column = np.arange(band.width)

    def _block(self, first: int, last: int) -> NDArray[np.float64]:
        return self.scores(first, last) / self.unit

    def _runs(self, row: NDArray[np.float64], inside: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Return the running sums of the bead (0, 1) along a row."""
        return np.cumsum(np.where(inside & (self.column > 0), row[self.alone], 0.0))

    def _inside(self, i: int) -> NDArray[np.bool_]:
        at = self.band.lo[i] + self.column
        inside: NDArray[np.bool_] = (at >= 0) & (at <= self.band.columns)
        return inside

    def forward(self) -> NDArray[np.float64]:
        """Return the sums of the paths to each point, shape (rows + 1, width)."""
        band, lo = self.band, self.band.lo
        sums = np.full((band.rows + 1, band.width), -np.inf)
        candidates = np.empty((len(self.taking) + 1, band.width))
        for first in range(0, band.rows + 1, self.at_once):
            last = min(first + self.at_once, band.rows + 1)
            block = self._block(first, last)
            for i in range(first, last):
                row, inside = block[:, i - first], self._inside(i)
                candidates.fill(-np.inf)
                for place, (k, a, b) in enumerate(self.taking):
                    if a <= i:
                        _step(candidates[place], sums[i - a], lo[i] - b - lo[i - a])
                        candidates[place] += row[k]
                if i == 0:
                    candidates[-1, -lo[0]] = 0.0
                totals = self._runs(row, inside)
                here = np.where(inside, np.logaddexp.reduce(candidates, axis=0), -np.inf)
                here = np.logaddexp.accumulate(here - totals) + totals
                sums[i] = np.where(inside, here, -np.inf)
        return sums

    def backward(self, path: BeadPath) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the scores of the beads of a path, and the sums of the paths from their ends."""
        band, lo = self.band, self.band.lo
        own, after = np.zeros(len(path.kinds)), np.zeros(len(path.kinds))
        bounds = np.searchsorted(path.row, np.arange(band.rows + 2))
        held: list[tuple[NDArray[np.float64], NDArray[np.float64]]] = [
            (np.empty((0, 0)), np.empty(0))
        ] * (self.deep + 1)
        candidates = np.empty((len(self.taking) + 1, band.width))
        blocks = list(range(0, band.rows + 1, self.at_once))
        for first in reversed(blocks):
            last = min(first + self.at_once, band.rows + 1)
            block = self._block(first, last)
            for i in range(last - 1, first - 1, -1):
                row, inside = block[:, i - first], self._inside(i)
                candidates.fill(-np.inf)
                for place, (k, a, b) in enumerate(self.taking):
                    if i + a <= band.rows:
                        below, sums = held[(i + a) % (self.deep + 1)]
                        _step(candidates[place], below[k] + sums, lo[i] + b - lo[i + a])
                if i == band.rows:
                    candidates[-1, band.columns - lo[i]] = 0.0
                totals = self._runs(row, inside)
                here = np.where(inside, np.logaddexp.reduce(candidates, axis=0), -np.inf)
                here = np.logaddexp.accumulate((here + totals)[::-1])[::-1] - totals
                here = np.where(inside, here, -np.inf)
                held[i % (self.deep + 1)] = row, here
                mine = slice(int(bounds[i]), int(bounds[i + 1]))
                at = path.column[mine] - lo[i]
                own[mine], after[mine] = row[path.kinds[mine], at], here[at]
        return own, after
