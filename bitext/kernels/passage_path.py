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
from bitext.kernels.bead_path import NEVER, SCORE, BeadPath, Cuts, check_beads, runs

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from bitext.kernels.bead_path import Band, Scores

    # Of a row in passages: its scores, what they are before they run along it and after, the scores
    # of the bead (1, 0), the sums of those of (0, 1), and where the row above begins.
    _Scores = NDArray[np.int64]
    _Row = tuple[_Scores, _Scores, _Scores, _Scores, _Scores, np.int64]

__all__ = ["Passages", "passage_path"]

# How a point in a passage was come to: along the row, from itself, from above outside of a passage
# or in one. The greater one is taken where they score the same, for it is in the last byte.
_ALONG, _OPENED, _OPENED_ABOVE, _STAYED = range(4)


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
    rows, lo = band.rows, band.lo
    cuts = Cuts(beads, band)
    alone, deep, left = cuts.alone, cuts.deep, cuts.left
    down = cuts.taking.index(list(beads).index((1, 0)))
    code = 255 - np.array(cuts.taking)
    # Of a cell both answers are kept: the bead outside of passages, and the way within one.
    kind = np.uint8 if len(beads) < _Way(np.uint8).closed else np.uint16
    way = _Way(kind)
    came = np.empty((rows + 1, band.width), dtype=kind)
    held = np.full((deep + cuts.at_once, cuts.stride), NEVER)  # as in `best_path`
    passed = _Passed(cuts, passages)
    for first, last in cuts.blocks():
        asked = scores(first, last)
        width = asked.shape[2]
        outside = cuts.outside(first, last, width)
        totals = runs(asked[alone].astype(np.int64), outside) << 8
        given = cuts.by_rows(asked, outside)
        starts = cuts.above(first, last)
        # A row begins as far to the right of the one above as a bead (1, 0) reaches back.
        inside = passed.begin(given[:, down], totals, starts[:, down] - (deep - 1) * cuts.stride)
        given += code[:, None]
        window = sliding_window_view(held.reshape(-1), width)
        held[deep:, left + width : left + band.width] = NEVER
        found = np.empty((len(code), width), dtype=np.int64)
        apart = np.empty((last - first, width), dtype=np.int64)
        reached, here = np.empty_like(apart), np.empty_like(apart)
        below = held[deep : deep + last - first, left : left + width]
        by_row = zip(starts, given, apart, totals, reached, here, below, inside, strict=True)
        for i, (start, own, best, total, along, outer, either, inner) in enumerate(by_row, first):
            above = window[start]
            np.add(above, own, out=found)
            np.maximum.reduce(found, axis=0, out=best)
            if i == 0:
                best[-lo[0]] = 255  # of the first kind, say: a path begins here
            # In sums of the beads (0, 1) a run of them costs nothing.
            best -= total
            np.maximum.accumulate(best, out=along)
            np.add(along, total, out=outer)
            outer &= SCORE
            np.maximum(outer, passed.row(inner, outer, above[down]), out=either)
        step = np.where(reached >> 8 > apart >> 8, alone, 255 - (apart & 255))
        step[passed.rows > here] = way.closed
        came[first:last, :width] = step | (passed.ways() << way.bits)
        held[:deep] = held[last - first : last - first + deep].copy()
    score = int(held[deep - 1, left + band.columns - lo[rows]]) >> 8
    if score <= NEVER >> 9:
        raise InputError("no path of these beads leads through the band: make it wider")
    return _back(beads, came, band, score, way)


class _Passed:
    """The points in passages of a block of rows: a row from those of the one above."""

    def __init__(self, cuts: Cuts, passages: Passages) -> None:
        self._left, self._most = cuts.left, cuts.band.width
        opening, self._down, self._along = (
            256 * score for score in (passages.opening, *passages.more)
        )
        # As arrays, which numbers are made into at each use.
        self._opened = np.array(opening + _OPENED)
        self._opened_above = np.array(opening + _OPENED_ABOVE - _STAYED)
        self._held = np.full((1 + cuts.at_once, cuts.stride), NEVER)  # the row above in front
        self.rows: NDArray[np.int64] = self._held[:1, :0]

    def begin(
        self, single: NDArray[np.int64], totals: NDArray[np.int64], above: NDArray[np.int64]
    ) -> Iterator[_Row]:
        """Begin a block of rows, and return what belongs to each of them.

        `single` are the scores of the bead (1, 0), `totals` the running sums of those of (0, 1),
        and `above` where the predecessors by the bead (1, 0) begin.
        """
        count, width = totals.shape
        done = len(self.rows)
        self._held[0] = self._held[done]
        mine = slice(self._left, self._left + width)
        self._held[1:, mine.stop : self._left + self._most] = NEVER
        self.rows = self._held[1 : 1 + count, mine]
        self._window = sliding_window_view(self._held.reshape(-1), width)
        self._apart, self._reached = np.empty_like(totals), np.empty_like(totals)
        single = single + (self._down + _STAYED)
        sums = totals + np.arange(width) * self._along
        return zip(self.rows, self._apart, self._reached, single, sums, above, strict=True)

    def row(
        self, own: _Row, here: NDArray[np.int64], above: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """Return the scores of a row in passages.

        `own` is what belongs to it, `here` are the scores outside of passages, and `above` those of
        the row above, in passages or not, where the bead (1, 0) comes from.
        """
        found, best, along, single, sums, stayed = own
        np.add(above, self._opened_above, out=best)
        np.maximum(best, self._window[stayed], out=best)
        best += single
        np.add(here, self._opened, out=found)
        np.maximum(best, found, out=best)
        best -= sums
        np.maximum.accumulate(best, out=along)
        np.add(along, sums, out=found)
        found &= SCORE
        return found

    def ways(self) -> NDArray[np.int64]:
        """Return how each point of the block was come to."""
        along = self._reached >> 8 > self._apart >> 8
        ways: NDArray[np.int64] = np.where(along, _ALONG, self._apart & 255)
        return ways


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
                kind = across if to == _ALONG else down
            kinds.append(kind)
            ends.extend((i, j))
            within.append(inside)
            a, b = beads[kind]
            i, j, inside = i - a, j - b, inside and to != _OPENED_ABOVE
    row, column = np.array(ends, dtype=np.int64).reshape(-1, 2)[::-1].T.copy()
    path = BeadPath(score, np.array(kinds, dtype=np.int64)[::-1], row, column, 0.5)
    return path, np.array(within, dtype=bool)[::-1]
