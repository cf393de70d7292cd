"""The best path along a corridor, in parts, so that memory stays small and no part is redone whole.

A long corridor is cut into stretches, which can be searched apart (`stretches`), and
these into runs of rows that are about as wide. Each part is searched a good way past
its end, and only what lies before its end is kept; the next part begins at the last point that
was kept. So a cut need not be on the path: it is found on the way.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from bitext.align.sentences.corridor_walks import Sureness, Walk
from bitext.align.sentences.corridors import Corridor
from bitext.align.sentences.stretches import best_by_stretches
from bitext.kernels.bead_path import BeadPath
from bitext.kernels.rows import prefix

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bitext.align.sentences.corridor_walks import BandScores
    from bitext.align.sentences.stretches import Each, Found

__all__ = ["best_along", "best_and_sure", "chances_along", "sampled_along"]

_PAST = 32  # rows at the ends of a stretch of a sample that are not told
_STRETCH = 512  # rows that are searched at once for a sample
_EXCERPT = 3  # times the sentences of the target that the source has where it is far longer
_WIDE = 4096  # columns of a row of a sample, at most, if it need not be so
_ASIDE = 24  # beads before and after a path that is another whose chances are other ones
_SIDE = 16  # rows before and after a part that the chances of its beads depend on


def best_along(
    beads: Sequence[tuple[int, int]], scores: BandScores, corridor: Corridor, *, each: Each = map
) -> BeadPath:
    """Return the best path along a corridor.

    Parameters
    ----------
    beads : sequence of (int, int)
        As `best_path` wants them.
    scores : callable
        Integers: `scores(first, last, band)` for rows of the table.
    corridor : Corridor
    each : callable
        Does the work for stretches of a long corridor, as `map` does.

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
    return best_by_stretches(beads, scores, corridor, each=each).path


def best_and_sure(
    beads: Sequence[tuple[int, int]],
    scores: BandScores,
    corridor: Corridor,
    *,
    reach: int = 4,
    unit: float,
    each: Each = map,
) -> Found:
    """Return the best path along a corridor, and how sure each of its beads is.

    It is `best_along` and `chances_along` in one, and asks for each score once.

    Parameters
    ----------
    beads, scores, corridor, each
        As in `best_along`.
    reach, unit
        As in `chances_along`.

    Returns
    -------
    Found
        With the scores of the beads.

    """
    return best_by_stretches(beads, scores, corridor, Sureness(reach, unit), each=each)


def sampled_along(
    beads: Sequence[tuple[int, int]],
    scores: BandScores,
    corridor: Corridor,
    *,
    rows: int,
    each: Each = map,
) -> BeadPath:
    """Return parts of the best path along a corridor, about as many rows in all as are wanted.

    Parameters
    ----------
    beads, scores, corridor, each
        As in `best_along`.
    rows : int
        How many rows are searched, in stretches of 512 that are spread evenly; over the columns,
        if the rows are more than three times as many.

    Returns
    -------
    BeadPath
        What lies between the stretches stands as one bead, of kind -1. Their first and last
        rows are not told, as the path need not go through the points where they are cut. The
        score is the sum of what was searched.

    """
    count = max(2, rows // _STRETCH)
    if corridor.rows < 2 * count * _STRETCH:
        return best_along(beads, scores, corridor, each=each)
    middle = (corridor.lo + corridor.hi) // 2
    begins = np.linspace(0, corridor.rows - _STRETCH, count).astype(np.int64)
    if corridor.columns * _EXCERPT < corridor.rows:
        # Of a text that is far longer than the other what is beside that is looked at.
        count = min(count, max(corridor.columns // _STRETCH, 1))
        shares = (np.arange(count) + 0.5) / count  # at its ends the path may be anywhere
        amid = np.searchsorted(middle, shares * corridor.columns) - _STRETCH // 2
        begins = np.unique(np.clip(amid, 0, corridor.rows - _STRETCH))
        begins = begins[np.append(True, np.diff(begins) >= _STRETCH)]
    # Beside a very long passage that is left out there is less to learn than to search.
    wide = np.array([(corridor.hi - corridor.lo)[k : k + _STRETCH + 1].max() for k in begins])
    begins = begins[wide <= max(_WIDE, int(wide.min()))].tolist()

    def search(number: int) -> tuple[BeadPath, tuple[int, int]]:
        begin = begins[number]
        start, end = (begin, int(middle[begin])), (begin + _STRETCH, int(middle[begin + _STRETCH]))
        path, _, _ = walk.searched(start, (end[0], max(end[1], start[1])))
        first, last = np.searchsorted(path.row, [begin + _PAST, end[0] - _PAST]).tolist()
        return path, (first, last)

    walk = Walk(beads, scores, corridor)
    found: list[tuple[NDArray[np.int64], ...]] = []
    score, near = 0, 0.5
    for path, (first, last) in each(search, range(len(begins))):
        score, near = score + path.score, min(near, path.near)
        if first < last:
            kinds = path.kinds[first:last].copy()
            kinds[0] = -1
            found.append((kinds, path.row[first:last], path.column[first:last]))
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
    before: Found | None = None,
    anew: NDArray[np.bool_] | None = None,
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
    before : Found, optional
        What was found before: beads that are far from where that is another path are as sure as
        they were.
    anew : array of bool, shape (beads of the path,), optional
        Beads that are asked for anew, with those near them, though the path was the same there:
        what they score is other than it was.

    Returns
    -------
    array of float64, shape (beads of the path,)
        From 0 to 1, as `bitext.kernels.bead_chances.chances` has it. That of a bead takes no
        account of what is more than 32 rows away, nor, at the ends of a part, more than 16 beads.

    """
    corridor = Corridor.around(path.row, path.column, rows=rows, columns=columns, margin=reach)
    walk = Walk(beads, scores, corridor)
    row, column = np.append(0, path.row), np.append(0, path.column)
    sure, asked = np.empty(len(path.kinds)), np.ones(len(path.kinds), dtype=bool)
    if before is not None:
        sure, asked = _unchanged(path, before, columns, anew)
    runs = _runs(path, asked, corridor)

    def part(run: tuple[int, int]) -> tuple[BeadPath, tuple[int, int], tuple[int, int]]:
        first, until = max(run[0] - _SIDE, 0), min(run[1] + _SIDE, len(path.kinds))
        some = slice(first, until)
        beads_of = BeadPath(0, path.kinds[some], path.row[some], path.column[some], 0.5)
        return beads_of, (row[first], column[first]), (row[until], column[until])

    for (begin, end), found in zip(runs, walk.sure(map(part, runs), unit), strict=True):
        before_it = min(begin, _SIDE)
        sure[begin:end] = found[before_it : before_it + end - begin]
    return sure


def _unchanged(
    path: BeadPath, before: Found, columns: int, anew: NDArray[np.bool_] | None
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return how sure the beads were, and which of them have to be asked for anew."""
    new, old = (
        np.stack([one.row, one.column, one.kinds]).T @ [(columns + 1) << 8, 1 << 8, 1]
        for one in (path, before.path)
    )
    at = np.minimum(np.searchsorted(old, new), len(old) - 1)
    other = old[at] != new
    sums = prefix((other if anew is None else other | anew).astype(np.int64))
    every = np.arange(len(new))
    asked = sums[np.minimum(every + _ASIDE, len(new))] > sums[np.maximum(every - _ASIDE, 0)]
    return before.sure[at], asked


def _runs(path: BeadPath, asked: NDArray[np.bool_], corridor: Corridor) -> list[tuple[int, int]]:
    """Return the beads that are asked for, half-open, divided where the corridor is."""
    rows = [last for _, last in corridor.parts()][:-1]
    cuts = np.searchsorted(path.row, rows, side="right")
    edges = np.flatnonzero(asked[1:] != asked[:-1]) + 1
    ends = np.unique(np.concatenate([[0], cuts, edges, [len(asked)]])).tolist()
    return [(begin, end) for begin, end in pairwise(ends) if asked[begin]]
