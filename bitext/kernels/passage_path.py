"""The best path of beads through two sequences of which one or the other leaves passages out.

A path is as in `bead_path`, but part of it may lie in passages, of members that stand alone. There
the beads (1, 0) and (0, 1) score more, and to begin one costs once. So a hundred members in a row
that stand alone are not a hundred times as rare as one. With A for points outside of passages
and L for points in one:

    A'[i][j] = max over beads (a, b) of A[i - a][j - b] + score of the bead that ends at (i, j)
    L[i][j]  = max(max(L[i - 1][j], A[i - 1][j] + opening) + score of (1, 0) + more[0],
                   max(L[i][j - 1], A'[i][j - 1] + opening) + score of (0, 1) + more[1])
    A[i][j]  = max(A'[i][j], L[i][j])

A gap of this kind is affine (Gotoh 1982); as in `bead_path`, a row is worked on at once.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from bitext.errors import InputError
from bitext.kernels.bead_path import NEVER, BeadPath, Cuts, check_beads, runs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bitext.kernels.bead_path import Band, Scores

__all__ = ["Passages", "passage_path"]

# How a point in a passage was come to: from the left, from above in a passage or not, from itself.
_LEFT, _ABOVE, _OPENED_ABOVE, _OPENED = range(4)


class Passages(NamedTuple):
    """What passages cost.

    Attributes
    ----------
    opening : int
        What is added to the score where one begins; below 0.
    more : (int, int)
        What is added to the scores of the beads (1, 0) and (0, 1) in one; not below 0.

    """

    opening: int
    more: tuple[int, int]


def passage_path(
    beads: Sequence[tuple[int, int]], scores: Scores, band: Band, passages: Passages
) -> tuple[BeadPath, NDArray[np.bool_]]:
    """Return the best path through a band, and which of its beads are in passages.

    Parameters
    ----------
    beads, scores, band
        As in `best_path`.
    passages : Passages

    Returns
    -------
    BeadPath
        `near` is 0.5 always.
    array of bool, shape (beads of the path,)

    Raises
    ------
    InputError
        As in `best_path`; or when a passage costs nothing, or a bead in it more than elsewhere.

    Examples
    --------
    >>> from bitext.kernels.bead_path import Band
    >>> band = Band(np.zeros(5, dtype=np.int64), 2, 1)
    >>> def scores(first, last):
    ...     table = np.full((3, last - first, 2), -5)
    ...     table[0, np.arange(first, last) == 1] = 9
    ...     return table
    >>> found, inside = passage_path([(1, 1), (1, 0), (0, 1)], scores, band, Passages(-4, (4, 4)))
    >>> found.score, found.kinds.tolist(), inside.tolist()
    (2, [0, 1, 1, 1], [False, True, True, True])

    """
    check_beads(beads, band)
    if passages.opening >= 0 or min(passages.more) < 0:
        raise InputError(f"passages score {tuple(passages)}: want less than 0, and 0 or more")
    rows, width, lo = band.rows, band.width, band.lo
    cuts = Cuts(beads, band)
    alone, deep = cuts.alone, cuts.deep
    down = cuts.taking.index(list(beads).index((1, 0)))
    below = passages.more[0] << 8
    code = 255 - np.array(cuts.taking)
    # Of a cell both answers are kept: the bead outside of passages, and the way within one.
    kind = np.uint8 if len(beads) < _Way(np.uint8).closed else np.uint16
    way = _Way(kind)
    came = np.empty((rows + 1, width), dtype=kind)
    held = np.full((deep + cuts.at_once, cuts.stride), NEVER)
    window = sliding_window_view(held.reshape(-1), width)
    mine = slice(cuts.left, cuts.left + width)
    passed = _Passed(cuts, passages)
    found = np.empty((len(code), width), dtype=np.int64)
    for first, last in cuts.blocks():
        asked = scores(first, last)
        outside = cuts.outside(first, last)
        totals = runs(asked[alone].astype(np.int64), outside) << 8
        given = cuts.by_rows(asked, outside)
        single = given[:, down] + below
        given += code[:, None]
        starts = cuts.above(first, last)
        # A row begins as far to the right of the one above as a bead (1, 0) reaches back.
        shifts = starts[:, down] - (np.arange(last - first) + deep - 1) * cuts.stride
        for r in range(last - first):
            np.add(window[starts[r]], given[r], out=found)
            apart = np.maximum.reduce(found, axis=0)
            if first + r == 0:
                apart[-lo[0]] = 0
            apart -= totals[r]
            reached = np.maximum.accumulate(apart)
            step = np.where(reached >> 8 > apart >> 8, alone, 255 - (apart & 255))
            here = (reached + totals[r]) & -256
            within, to = passed.row(
                here, window[starts[r, down]], int(shifts[r]), single[r], totals[r]
            )
            step[within > here] = way.closed
            came[first + r] = step | (to << way.bits)
            np.maximum(here, within, out=held[deep + r, mine])
        held[:deep] = held[last - first : last - first + deep].copy()
    score = int(held[deep - 1, cuts.left + band.columns - lo[rows]]) >> 8
    if score <= NEVER >> 9:
        raise InputError("no path of these beads leads through the band: make it wider")
    return _back(beads, came, band, score, way)


class _Passed:
    """The points of a row in passages, from those of the row above."""

    def __init__(self, cuts: Cuts, passages: Passages) -> None:
        width = cuts.band.width
        self._opening = passages.opening << 8
        self._along = np.arange(width) * (passages.more[1] << 8)
        self._held = np.full(cuts.stride, NEVER)
        self._window = sliding_window_view(self._held, width)
        self._mine = slice(cuts.left, cuts.left + width)

    def row(
        self,
        here: NDArray[np.int64],
        above: NDArray[np.int64],
        shift: int,
        single: NDArray[np.int64],
        totals: NDArray[np.int64],
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the scores of a row in passages, and how each point was come to.

        `here` and `above` are the scores outside of passages of this row, and of the one above
        where the bead (1, 0) comes from, which scores `single`; `totals` are the running sums of
        the bead (0, 1).
        """
        opened, stayed = above + self._opening, self._window[shift]
        best = np.maximum(stayed, opened)
        to = np.where(opened > stayed, _OPENED_ABOVE, _ABOVE)
        best += single
        begun = here + self._opening
        to[begun > best] = _OPENED
        np.maximum(best, begun, out=best)
        sums = totals + self._along
        best -= sums
        within = np.maximum.accumulate(best)
        to[within > best] = _LEFT
        within += sums
        self._held[self._mine] = within
        return within, to


class _Way:
    """How both answers are put into a number of a cell."""

    def __init__(self, kind: type[np.unsignedinteger]) -> None:
        self.bits = 6 if kind is np.uint8 else 8
        self.closed = (1 << self.bits) - 1  # instead of a bead: a passage ends here


def _back(
    beads: Sequence[tuple[int, int]],
    came: NDArray[np.unsignedinteger],
    band: Band,
    score: int,
    way: _Way,
) -> tuple[BeadPath, NDArray[np.bool_]]:
    kinds, ends, within = array("B"), array("q"), array("B")
    down, across = list(beads).index((1, 0)), list(beads).index((0, 1))
    lo, cell_at = memoryview(band.lo.data), memoryview(came.data)
    i, j, inside = band.rows, band.columns, False
    while i or j or inside:
        cell = cell_at[i, j - lo[i]]
        kind, to = cell & way.closed, cell >> way.bits
        if not inside and kind == way.closed:
            inside = True
        elif inside and to == _OPENED:
            inside = False
        else:
            if inside:
                kind = across if to == _LEFT else down
            kinds.append(kind)
            ends.extend((i, j))
            within.append(inside)
            a, b = beads[kind]
            i, j, inside = i - a, j - b, inside and to != _OPENED_ABOVE
    row, column = np.array(ends, dtype=np.int64).reshape(-1, 2)[::-1].T.copy()
    path = BeadPath(score, np.array(kinds, dtype=np.int64)[::-1], row, column, 0.5)
    return path, np.array(within, dtype=bool)[::-1]
