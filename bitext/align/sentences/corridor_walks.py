"""The search of one part of a corridor at a time, wider where the path turns out to be at its edge.

The kernel looks at as many columns in each row of a block as in its widest. Scores cost more than
the search does: they are asked for only where the corridor is, a few rows at a time, and what is
beside it counts as impossible. Where the path comes near an edge of the corridor, it is made three
times as wide there and the part is searched again, until it does not or all columns from the
beginning of the part to its end have been seen: what lies outside of the corridor is not lost
silently.

Where texts are no translations of each other, the path is near some edge everywhere. So there is a
limit to what is searched again of a part: four times its points, and 131,072 more, and never in a
band of more than 16,777,216 points, which take as many bytes. What is lost after that stays lost,
and `BeadPath.near` tells it; time and memory stay linear in the points of the corridor.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bitext.align.sentences.corridor_reaches import BESIDE, ROWS, Held, Known, Reach
from bitext.align.sentences.corridors import Corridor
from bitext.kernels.bead_chances import chances
from bitext.kernels.bead_path import Band, BeadPath, best_path
from bitext.kernels.bead_pieces import Table, chances_by_pieces, chances_of_tables

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from bitext.kernels.bead_path import Scores

__all__ = ["BandScores", "Sureness", "Walk"]

# scores(first, last, band): of all beads that end in the rows first <= i < last of the table and
# the columns band.lo[i] <= j < band.lo[i] + band.width; shape (beads, last - first, width).
BandScores = Callable[[int, int, Band], "NDArray[np.integer]"]

_PAST = 32  # rows that a part is searched past its end, and twice the width of the corridor there
_MOST_PAST = 512
_NEAR = 2  # columns from an edge of the corridor that make the path doubtful
_ROOM = 6  # columns to the left and right of the two ends of a part
_AT_ONCE = 1_000_000  # scores of a part that are made to chances at once
_TOGETHER = 300_000  # and of parts that are looked at together
_LONG, _INSIDE = 1024, 32  # beads of a long passage, and beads at its ends
_AGAIN, _AGAIN_MORE = 4, 1 << 17  # points that are searched again, for each of a part; and more
_WIDEST = 1 << 24  # points of a part that is searched again


class Sureness(NamedTuple):
    """How many columns or rows from a path others count, and the unit of scores."""

    reach: int
    unit: float


class Walk:
    """A way along a corridor, part by part."""

    def __init__(
        self, beads: Sequence[tuple[int, int]], scores: BandScores, corridor: Corridor
    ) -> None:
        self.beads, self.scores, self.corridor = list(beads), scores, corridor
        # Scores are asked for by rows of the table; of it, only those of one part are in use.
        self.lo, self.near = corridor.lo.copy(), corridor.lo.copy()
        self.far = corridor.hi.copy()

    @staticmethod
    def past(corridor: Corridor, row: int) -> int:
        """Return how many rows are searched past one where a part or stretch ends, or before."""
        return min(_PAST + 2 * int(corridor.hi[row] - corridor.lo[row]), _MOST_PAST)

    def begin(self, first: int) -> tuple[int, int]:
        """Return where the search of a stretch begins: before its first row, amid the corridor."""
        corridor = self.corridor
        row = first - self.past(corridor, first)
        if not first or row <= 0:
            return 0, 0
        return row, int(corridor.lo[row] + corridor.hi[row]) // 2

    def end(self, last: int, at: tuple[int, int]) -> tuple[int, int]:
        """Return where the search of a part ends: past its last row, amid the corridor."""
        corridor = self.corridor
        past = max(last, at[0]) + self.past(corridor, last)
        if past >= corridor.rows:
            return corridor.rows, corridor.columns
        middle = int(corridor.lo[past] + corridor.hi[past]) // 2
        return past, max(middle, at[1])

    def searched(
        self,
        start: tuple[int, int],
        end: tuple[int, int],
        search: Callable[[Scores, Band], BeadPath] | None = None,
    ) -> tuple[BeadPath, Band, Scores]:
        """Return the best path from a point to another, its band of the table, and its scores.

        `search` finds a path in a band, which is not widened; default: `best_path`.
        """
        reach = self._reach(start, end)
        left = 0 if search else _AGAIN * reach.points + _AGAIN_MORE
        known: Known | None = None
        while True:
            band = self._band(reach, start)
            own, asked = self._inside(band, reach, start, end, known)
            held = Held(asked, len(self.beads) * band.width * own.lo.size)
            if search is None:
                path = best_path(self.beads, held.scores, own)
            else:
                path = search(_as_wide(held.scores, band.width), own)
            path = path._replace(row=path.row + start[0], column=path.column + start[1])
            at = path.row - start[0]
            away = reach.away(at, path.column, start[1], end[1])
            doubtful = at[away < _NEAR]
            wider = reach.wider(doubtful)
            left -= wider.points
            wide = reach.high[at] - reach.low[at] + 1
            if not len(doubtful) or left < 0 or wider.held > _WIDEST:
                near = max(float((away / wide).min(initial=0.5)), 0.0)
                return path._replace(near=near), band, held.scores
            known = Known(reach, held) if held.keeps else None
            reach = wider

    def points(self, start: tuple[int, int], end: tuple[int, int]) -> int:
        """Return how many points the band has that is searched between two points."""
        return self._reach(start, end).held

    def of(self, path: BeadPath) -> NDArray[np.int64]:
        """Return the scores of the beads of a path along all of the corridor."""
        whole = (0, 0), (self.corridor.rows, self.corridor.columns)
        reach = self._reach(*whole)
        band = self._band(reach, whole[0])
        _, asked = self._inside(band, reach, *whole)
        found = np.empty(len(path.kinds), dtype=np.int64)
        for first in range(0, self.corridor.rows + 1, ROWS):
            last = min(first + ROWS, self.corridor.rows + 1)
            some = slice(*np.searchsorted(path.row, [first, last]).tolist())
            row, column = path.row[some], path.column[some]
            found[some] = asked(first, last)[path.kinds[some], row - first, column - band.lo[row]]
        return found

    def sure_near(
        self,
        path: BeadPath,
        band: Band,
        asked: Scores,
        start: tuple[int, int],
        how: Sureness,
    ) -> NDArray[np.float64]:
        """Return the chances of the beads of a path among those near it, in its own band.

        Inside of a long passage that is left out of the source, beads are as sure as those near
        its ends are.
        """
        sure, at, first = np.ones(len(path.kinds)), start, 0
        for begin, end in [*_left_out(path), (len(path.kinds), len(path.kinds))]:
            part = path._replace(
                kinds=path.kinds[first:begin],
                row=path.row[first:begin],
                column=path.column[first:begin],
            )
            sure[first:begin] = self._sure_near(part, band, asked, at, how, start[0])
            if begin < end:
                at, first = (int(path.row[end - 1]), int(path.column[end - 1])), end
                sure[begin:end] = sure[begin - 1]
        return sure

    def _sure_near(
        self,
        path: BeadPath,
        band: Band,
        asked: Scores,
        start: tuple[int, int],
        how: Sureness,
        origin: int,
    ) -> NDArray[np.float64]:
        """Return them between two passages; scores are asked for by rows from `origin` on."""
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
        lo = np.maximum.accumulate(np.maximum(middle, low))
        shift = lo - low

        def narrow(first: int, last: int) -> NDArray[np.integer]:
            step, parts = max(1, _AT_ONCE // band.width), []
            for begin in range(first, last, step):
                end = min(begin + step, last)
                at = shift[begin:end, None] + np.arange(width)
                block = asked(begin + start[0] - origin, end + start[0] - origin)
                last_column = block.shape[2] - 1
                part = np.take_along_axis(block, np.minimum(at, last_column)[None], axis=2)
                np.copyto(part, BESIDE, where=at > last_column)
                parts.append(part)
            return parts[0] if len(parts) == 1 else np.concatenate(parts, axis=1)

        return self._chances(narrow, Band(lo, width, columns), moved, how.unit)

    def sure(
        self, parts: Iterable[tuple[BeadPath, tuple[int, int], tuple[int, int]]], unit: float
    ) -> Iterator[NDArray[np.float64]]:
        """Yield the chances of the beads of paths, each from one point to another."""
        tables: list[Table] = []
        rows = width = 0  # of the tables together: they are as wide as the widest
        for path, start, end in parts:
            reach = self._reach(start, end)
            own, asked = self._inside(self._band(reach, start), reach, start, end)
            moved = path._replace(row=path.row - start[0], column=path.column - start[1])
            rows, width = rows + len(own.lo), max(width, own.width)
            if len(self.beads) * rows * width > _TOGETHER:
                yield from chances_of_tables(self.beads, tables, unit=unit)
                tables, rows, width = [], len(own.lo), own.width
            if len(self.beads) * rows * width > _TOGETHER:
                yield self._chances(asked, own, moved, unit)
                rows = width = 0
            else:
                tables.append(Table(asked(0, len(own.lo)), own, moved))
        yield from chances_of_tables(self.beads, tables, unit=unit)

    def _chances(
        self, scores: Scores, band: Band, path: BeadPath, unit: float
    ) -> NDArray[np.float64]:
        if len(self.beads) * len(band.lo) * band.width > _AT_ONCE:
            return chances(self.beads, _as_wide(scores, band.width), band, path, unit=unit)
        table = scores(0, len(band.lo))
        return chances_by_pieces(self.beads, table, band, path, unit=unit)

    def _reach(self, start: tuple[int, int], end: tuple[int, int]) -> Reach:
        """Return what of the corridor is between two points, which are within."""
        (row, column), (last, ending) = start, end
        lo, hi = self.corridor.lo[row : last + 1], self.corridor.hi[row : last + 1]
        # There is room beside them: a path is not near an edge there.
        low, high = np.clip(lo, column - _ROOM, ending), np.clip(hi, column, ending + _ROOM)
        low[0], high[0] = column - _ROOM, max(int(high[0]), column + _ROOM)
        low[-1], high[-1] = min(int(low[-1]), ending - _ROOM), ending + _ROOM
        return Reach.between(low, high)

    def _band(self, reach: Reach, start: tuple[int, int]) -> Band:
        """Return a band of the table that holds all of a part."""
        row, (low, high) = start[0], reach
        last = row + len(low) - 1
        width = int((high - low).max()) + 1
        self.lo[row : last + 1] = low
        before = int(np.searchsorted(self.lo[:row], low[0]))
        self.lo[before:row] = low[0]
        after = self.lo[last + 1 :]
        after[: np.searchsorted(after, low[-1])] = low[-1]
        return Band(self.lo, width, self.corridor.columns)

    def _inside(
        self,
        band: Band,
        reach: Reach,
        start: tuple[int, int],
        end: tuple[int, int],
        known: Known | None = None,
    ) -> tuple[Band, Scores]:
        """Return the band from one point to another in the numbers of the kernel.

        Of rows that are as wide as before, the scores are taken that are known.
        """
        (row, column), (last, ending) = start, end
        lo = band.lo[row : last + 1]

        def fresh(some: slice) -> NDArray[np.integer]:
            low, high = reach.low[some], reach.high[some]
            mine = slice(row + some.start, row + some.stop)
            self.near[mine], self.far[mine] = low, high
            narrow = Band(self.near, int((high - low).max()) + 1, band.columns, self.far)
            return self.scores(mine.start, mine.stop, narrow)

        def asked(first: int, until: int) -> NDArray[np.integer]:
            more = (reach.high - reach.low)[first:until, None]
            width = int(more.max()) + 1
            block = np.empty((len(self.beads), until - first, width), dtype=np.int32)
            for some, is_known in reach.runs(first, until, known):
                found = (
                    known.held.scores(some.start, some.stop)
                    if known is not None and is_known
                    else fresh(some)
                )
                held = min(found.shape[2], width)
                block[:, some.start - first : some.stop - first, :held] = found[:, :, :held]
            np.copyto(block, BESIDE, where=np.arange(width) > more)
            return block

        return Band(lo - column, band.width, ending - column), asked


def _as_wide(scores: Scores, width: int) -> Scores:
    """Return scores that always have all columns of a band."""

    def wide(first: int, last: int) -> NDArray[np.integer]:
        block = scores(first, last)
        more = width - block.shape[2]
        if not more:
            return block
        return np.pad(block, ((0, 0), (0, 0), (0, more)), constant_values=BESIDE)

    return wide


def _left_out(path: BeadPath) -> list[tuple[int, int]]:
    """Return the beads, half-open, that are inside of long passages of the target alone."""
    alone = np.diff(path.row, prepend=-1) == 0
    edges = np.flatnonzero(np.diff(alone, prepend=False, append=False)).reshape(-1, 2)
    long = edges[edges[:, 1] - edges[:, 0] >= _LONG]
    return [(begin + _INSIDE, end - _INSIDE) for begin, end in long.tolist()]
