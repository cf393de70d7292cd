"""The best path along a corridor, in parts, so that memory stays small and no part is redone whole.

The corridor is cut into runs of rows that are about as wide. Each part is searched a good way past
its end, and only what lies before its end is kept; the next part begins at the last point that
was kept. So a cut need not be on the path: it is found on the way.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from bitext.align.corridor_walks import Sureness, Walk
from bitext.align.corridors import Corridor
from bitext.kernels.bead_path import BeadPath

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bitext.align.corridor_walks import BandScores
    from bitext.kernels.bead_path import Band, Scores

__all__ = ["best_along", "best_and_sure", "chances_along", "sampled_along"]

_PAST = 32  # rows at the ends of a stretch of a sample that are not told
_CHOICE = 6  # beads before the end of a part of which one ends it
_STRETCH = 512  # rows that are searched at once for a sample
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
    return _along(Walk(beads, scores, corridor), None)[0]


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
    return _along(Walk(beads, scores, corridor), Sureness(reach, unit))


def _along(walk: Walk, how: Sureness | None) -> tuple[BeadPath, NDArray[np.float64]]:
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
        score += path.score - _total(path, kept, band, asked, at)
        found.append((path.kinds[:kept], path.row[:kept], path.column[:kept], sure[:kept]))
        if kept:
            at = int(path.row[kept - 1]), int(path.column[kept - 1])
        if at == (corridor.rows, corridor.columns):
            break
    kinds, rows, columns, sures = (np.concatenate(each) for each in zip(*found, strict=True))
    return BeadPath(score, kinds, rows, columns, near), sures


def _total(path: BeadPath, kept: int, band: Band, asked: Scores, start: tuple[int, int]) -> int:
    """Return the sum of the scores of the beads from the one numbered `kept` on."""
    row, column, kinds = path.row[kept:], path.column[kept:], path.kinds[kept:]
    if not len(row):
        return 0
    first = int(row[0])
    block = asked(first - start[0], int(row[-1]) + 1 - start[0])
    return int(block[kinds, row - first, column - band.lo[row]].astype(np.int64).sum())


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
    walk = Walk(beads, scores, corridor)
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
    walk = Walk(beads, scores, corridor)
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
