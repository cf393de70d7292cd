"""The best path along a corridor, in parts, so that memory stays small and no part is redone whole.

The corridor is cut into runs of rows that are about as wide. Each part is searched a good way past
its end, and only what lies before its end is kept; the next part begins at the last point that
was kept. So a cut need not be on the path: it is found on the way. Where the path comes near an
edge of its band, the part is searched again with twice the width, until it does not or the whole
width of the table has been seen: what lies outside of the corridor is not lost silently.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bitext.align.corridors import Corridor
from bitext.kernels.bead_chances import chances_by_pieces
from bitext.kernels.bead_path import Band, BeadPath, best_path, chances

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bitext.kernels.bead_path import Scores

__all__ = ["BandScores", "best_along", "best_and_sure", "chances_along", "sampled_along"]

# scores(first, last, band): of all beads that end in the rows first <= i < last of the table and
# the columns band.lo[i] <= j < band.lo[i] + band.width; shape (beads, last - first, width).
BandScores = Callable[[int, int, Band], "NDArray[np.integer]"]

_PAST = 32  # rows that a part is searched past its end, and twice the width of the corridor there
_MOST_PAST = 512
_NEAR = 2  # columns from an edge of the band that make the path doubtful
_ROOM = 6  # columns to the left and right of the two ends of a part
_CHOICE = 6  # beads before the end of a part of which one ends it
_KEPT = 4_000_000  # scores of a part that are kept
_STRETCH = 512  # rows that are searched at once for a sample
_AT_ONCE = 1_000_000  # scores of a part that are made to chances at once
_SIDE = 16  # rows before and after a part that the chances of its beads depend on


def best_along(
    beads: Sequence[tuple[int, int]], scores: BandScores, corridor: Corridor
) -> BeadPath:
    """Return the best path along a corridor.

    Parameters
    ----------
    beads : sequence of (int, int)
        As `best_path` wants them.
    scores : callable
        Integers: `scores(first, last, band)` for rows of the table.
    corridor : Corridor

    Returns
    -------
    BeadPath
        `near` is the least of the parts.

    Examples
    --------
    >>> def scores(first, last, band):
    ...     column = band.lo[first:last, None] + np.arange(band.width)
    ...     same = np.where(column == np.arange(first, last)[:, None], 3, -9)
    ...     return np.stack([same, np.full(same.shape, -5), np.full(same.shape, -5)])
    >>> found = best_along([(1, 1), (1, 0), (0, 1)], scores, Corridor.whole(3, 4))
    >>> found.score, found.row.tolist(), found.column.tolist()
    (4, [1, 2, 3, 3], [1, 2, 3, 4])

    """
    return _along(_Walk(beads, scores, corridor), None)[0]


def best_and_sure(
    beads: Sequence[tuple[int, int]],
    scores: BandScores,
    corridor: Corridor,
    *,
    reach: int = 4,
    unit: float,
) -> tuple[BeadPath, NDArray[np.float64]]:
    """Return the best path along a corridor, and how sure each of its beads is.

    It is `best_along` and `chances_along` in one, and asks for each score once.

    Parameters
    ----------
    beads, scores, corridor
        As in `best_along`.
    reach, unit
        As in `chances_along`.

    Returns
    -------
    BeadPath
    array of float64, shape (beads of the path,)
        From 0 to 1.

    """
    return _along(_Walk(beads, scores, corridor), _Sureness(reach, unit))


def _along(walk: _Walk, how: _Sureness | None) -> tuple[BeadPath, NDArray[np.float64]]:
    corridor = walk.corridor
    found: list[tuple[NDArray[Any], ...]] = []
    at, score, near = (0, 0), 0, 0.5
    for _, last in corridor.parts():
        end = walk.end(last, at)
        path, band, asked = walk.searched(at, end)
        near = min(near, path.near)
        kept = len(path.row)
        sure = np.ones(kept) if how is None else walk.sure_near(path, band, asked, at, how)
        if end != (corridor.rows, corridor.columns):
            # Beads that end in the last rows of a part are left to the next one, which sees
            # further. Of the last beads that are kept the surest is where it begins.
            kept = int(np.searchsorted(path.row, last, side="right"))
            some = sure[max(kept - _CHOICE, 0) : kept]
            kept -= int(np.argmax(some[::-1])) if len(some) else 0
        score += path.score - walk.total(band, path, kept)
        found.append((path.kinds[:kept], path.row[:kept], path.column[:kept], sure[:kept]))
        if kept:
            at = int(path.row[kept - 1]), int(path.column[kept - 1])
        if at == (corridor.rows, corridor.columns):
            break
    kinds, rows, columns, sures = (np.concatenate(each) for each in zip(*found, strict=True))
    return BeadPath(score, kinds, rows, columns, near), sures


def sampled_along(
    beads: Sequence[tuple[int, int]], scores: BandScores, corridor: Corridor, *, rows: int
) -> BeadPath:
    """Return parts of the best path along a corridor, about as many rows in all as are wanted.

    Parameters
    ----------
    beads, scores, corridor
        As in `best_along`.
    rows : int
        How many rows are searched, in stretches of 512 that are spread evenly.

    Returns
    -------
    BeadPath
        What lies between the stretches stands as one bead, of kind -1. Their first and last
        rows are not told, as the path need not go through the points where they are cut. The
        score is the sum of what was searched.

    """
    count = max(2, rows // _STRETCH)
    if corridor.rows < 2 * count * _STRETCH:
        return best_along(beads, scores, corridor)
    walk = _Walk(beads, scores, corridor)
    found: list[tuple[NDArray[np.int64], ...]] = []
    score, near = 0, 0.5
    middle = (corridor.lo + corridor.hi) // 2
    begins = np.linspace(0, corridor.rows - _STRETCH, count).astype(np.int64).tolist()
    for begin in begins:
        start, end = (begin, int(middle[begin])), (begin + _STRETCH, int(middle[begin + _STRETCH]))
        path, _, _ = walk.searched(start, (end[0], max(end[1], start[1])))
        kept = slice(*np.searchsorted(path.row, [begin + _PAST, end[0] - _PAST]).tolist())
        score, near = score + path.score, min(near, path.near)
        if kept.start < kept.stop:
            kinds = path.kinds[kept].copy()
            kinds[0] = -1
            found.append((kinds, path.row[kept], path.column[kept]))
    rest = np.array([-1]), np.array([corridor.rows]), np.array([corridor.columns])
    kinds, row, column = (np.concatenate(each) for each in zip(*found, rest, strict=True))
    return BeadPath(score, kinds, row, column, near)


def chances_along(
    beads: Sequence[tuple[int, int]],
    scores: BandScores,
    path: BeadPath,
    *,
    rows: int,
    columns: int,
    reach: int = 4,
    unit: float,
) -> NDArray[np.float64]:
    """Return how sure each bead of a path is, among all paths that stay near it.

    Parameters
    ----------
    beads, scores
        As in `best_along`.
    path : BeadPath
        From (0, 0) to (rows, columns).
    rows, columns : int
    reach : int
        How many columns, or rows, away from the path the others may be.
    unit : float
        How much of a score a natural logarithm of 1 is.

    Returns
    -------
    array of float64, shape (beads of the path,)
        From 0 to 1. That of a bead takes no account of what is more than 24 rows away, nor, at
        the ends of a part, more than 16 beads.

    """
    corridor = Corridor.around(path.row, path.column, rows=rows, columns=columns, margin=reach)
    walk = _Walk(beads, scores, corridor)
    row, column = np.append(0, path.row), np.append(0, path.column)
    sure = np.empty(len(path.kinds))
    begin = 0
    for _, last in corridor.parts():
        end = len(path.kinds)
        if last < rows:
            end = int(np.searchsorted(path.row, last, side="right"))
        first, until = max(begin - _SIDE, 0), min(end + _SIDE, len(path.kinds))
        start, stop = (row[first], column[first]), (row[until], column[until])
        some = slice(first, until)
        part = BeadPath(0, path.kinds[some], path.row[some], path.column[some], 0.5)
        sure[begin:end] = walk.sure(part, start, stop, unit)[begin - first : end - first]
        begin = end
    return sure


class _Sureness(NamedTuple):
    """How many columns or rows from a path others count, and the unit of scores."""

    reach: int
    unit: float


class _Walk:
    """A way along a corridor, part by part."""

    def __init__(
        self, beads: Sequence[tuple[int, int]], scores: BandScores, corridor: Corridor
    ) -> None:
        self.beads, self.scores, self.corridor = list(beads), scores, corridor
        # Scores are asked for by rows of the table; of it, only those of one part are in use.
        self.lo = corridor.lo.copy()

    def end(self, last: int, at: tuple[int, int]) -> tuple[int, int]:
        """Return where the search of a part ends: past its last row, amid the corridor."""
        corridor = self.corridor
        wide = int(corridor.hi[last] - corridor.lo[last])
        past = max(last, at[0]) + min(_PAST + 2 * wide, _MOST_PAST)
        if past >= corridor.rows:
            return corridor.rows, corridor.columns
        middle = int(corridor.lo[past] + corridor.hi[past]) // 2
        return past, max(middle, at[1])

    def searched(
        self, start: tuple[int, int], end: tuple[int, int]
    ) -> tuple[BeadPath, Band, Scores]:
        """Return the best path from a point to another, its band of the table, and its scores."""
        wide = end[1] - start[1] + 2 * _ROOM + 1
        band = self.band(start, end)
        while True:
            own, asked = self._inside(band, start, end)
            held = _Held(asked, len(self.beads) * band.width * own.lo.size)
            path = best_path(self.beads, held.scores, own)
            if band.width >= wide or path.near * band.width >= _NEAR:
                path = path._replace(row=path.row + start[0], column=path.column + start[1])
                return path, band, held.scores
            band = self.band(start, end, width=min(2 * band.width, wide))

    def sure_near(
        self,
        path: BeadPath,
        band: Band,
        asked: Scores,
        start: tuple[int, int],
        how: _Sureness,
    ) -> NDArray[np.float64]:
        """Return the chances of the beads of a path among those near it, in its own band."""
        if not len(path.kinds):
            return np.ones(0)
        moved = path._replace(row=path.row - start[0], column=path.column - start[1])
        rows, columns = int(moved.row[-1]), int(moved.column[-1])
        near = Corridor.around(
            moved.row, moved.column, rows=rows, columns=columns, margin=how.reach
        )
        low = band.lo[start[0] : start[0] + rows + 1] - start[1]
        width = min(int((near.hi - near.lo).max()) + 1, band.width)
        middle = near.lo - (width - 1 - near.hi + near.lo) // 2
        lo = np.maximum.accumulate(np.clip(middle, low, low + band.width - width))
        shift = lo - low

        def narrow(first: int, last: int) -> NDArray[np.integer]:
            block = asked(first, last)
            at = shift[first:last, None] + np.arange(width)
            return np.take_along_axis(block, at[None], axis=2)

        return self._chances(narrow, Band(lo, width, columns), moved, how.unit)

    def sure(
        self, path: BeadPath, start: tuple[int, int], end: tuple[int, int], unit: float
    ) -> NDArray[np.float64]:
        """Return the chances of the beads of a path from one point to another."""
        own, asked = self._inside(self.band(start, end), start, end)
        moved = path._replace(row=path.row - start[0], column=path.column - start[1])
        return self._chances(asked, own, moved, unit)

    def _chances(
        self, scores: Scores, band: Band, path: BeadPath, unit: float
    ) -> NDArray[np.float64]:
        if len(self.beads) * len(band.lo) * band.width > _AT_ONCE:
            return chances(self.beads, scores, band, path, unit=unit)
        table = scores(0, len(band.lo))
        return chances_by_pieces(self.beads, table, band, path, unit=unit)

    def total(self, band: Band, path: BeadPath, kept: int) -> int:
        """Return the sum of the scores of the beads from the one numbered `kept` on."""
        row, column, kinds = path.row[kept:], path.column[kept:], path.kinds[kept:]
        if not len(row):
            return 0
        first = int(row[0])
        block = self.scores(first, int(row[-1]) + 1, band)
        return int(block[kinds, row - first, column - band.lo[row]].astype(np.int64).sum())

    def band(self, start: tuple[int, int], end: tuple[int, int], *, width: int = 1) -> Band:
        """Return a band of the table that holds the corridor between two points, or more."""
        (row, column), (last, ending) = start, end
        lo, hi = self.corridor.lo[row : last + 1], self.corridor.hi[row : last + 1]
        # The two ends are within, with room beside them: a path is not near an edge there.
        low, high = np.clip(lo, column - _ROOM, ending), np.clip(hi, column, ending + _ROOM)
        low[0], high[0] = column - _ROOM, max(int(high[0]), column + _ROOM)
        low[-1], high[-1] = min(int(low[-1]), ending - _ROOM), ending + _ROOM
        low = np.minimum.accumulate(low[::-1])[::-1]
        high = np.maximum.accumulate(np.maximum(high, low))
        width = max(width, int((high - low).max()) + 1)
        low -= (width - 1 - (high - low)) // 2
        low = np.maximum.accumulate(np.clip(low, column - _ROOM, None))
        # Rows that reach past the end look before it instead.
        low = np.minimum(low, max(ending + _ROOM + 1 - width, column - _ROOM))
        self.lo[row : last + 1] = low
        before = int(np.searchsorted(self.lo[:row], low[0]))
        self.lo[before:row] = low[0]
        after = self.lo[last + 1 :]
        after[: np.searchsorted(after, low[-1])] = low[-1]
        return Band(self.lo, width, self.corridor.columns)

    def _inside(
        self, band: Band, start: tuple[int, int], end: tuple[int, int]
    ) -> tuple[Band, Scores]:
        """Return the band from one point to another in the numbers of the kernel."""
        (row, column), (last, ending) = start, end

        def asked(first: int, until: int) -> NDArray[np.integer]:
            return self.scores(first + row, until + row, band)

        return Band(band.lo[row : last + 1] - column, band.width, ending - column), asked


class _Held:
    """Scores that are kept once they are known, if they are not too many."""

    def __init__(self, scores: Scores, cells: int) -> None:
        self._scores, self._keep = scores, cells <= _KEPT
        self._ends: list[int] = []  # the rows that are known are from 0 to the last of these
        self._blocks: list[NDArray[np.integer]] = []

    def scores(self, first: int, last: int) -> NDArray[np.integer]:
        """Return the scores of some rows."""
        if self._ends and last <= self._ends[-1]:
            parts = []
            for end, block in zip(self._ends, self._blocks, strict=True):
                begin = end - block.shape[1]
                parts.append(block[:, max(first - begin, 0) : max(last - begin, 0)])
            return np.concatenate(parts, axis=1)
        block = self._scores(first, last)
        if self._keep and first == (self._ends[-1] if self._ends else 0):
            self._ends.append(last)
            self._blocks.append(block)
        return block
