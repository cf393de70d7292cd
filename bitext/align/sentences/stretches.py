"""The best path along a long corridor by stretches, which can be searched apart from each other.

Where a path runs hardly depends on what is far from there. So a corridor is cut, where it is
narrow, into stretches of some thousand rows, and each is searched with rows of its neighbours on
both sides. Two neighbours are joined at the point near their cut that both have found. Where there
is none the second one is searched again, from where the first one ends. Nothing of that depends on
where or in which order the stretches are searched.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bitext.align.sentences.corridor_walks import Sureness, Walk
from bitext.align.sentences.corridors import Corridor
from bitext.kernels.bead_path import BeadPath
from bitext.kernels.rows import prefix

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from bitext.align.sentences.corridor_walks import BandScores
    from bitext.kernels.bead_path import Band, Scores

    Each = Callable[[Callable[[int], Any], Iterable[int]], Iterable[Any]]

__all__ = ["STRETCH", "Found", "best_by_stretches", "by_size", "stretches_of"]

STRETCH = 8192  # rows of a stretch, about
_ABOUT = 1024  # rows before and after where a cut may be, if the corridor is narrower there
_NARROW = 64  # rows whose width counts there
_FEW = 4  # text pairs of equal size that are done part by part, though they have few parts
_AT_ONCE = 1 << 20  # points whose scores are held at a time
_CHOICE = 6  # beads before the end of a part of which one ends it


def by_size(sizes: Sequence[int], numbers: Sequence[int]) -> tuple[list[int], list[int]]:
    """Return the text pairs of which stretches are done apart, and the others; longest first.

    Examples
    --------
    >>> by_size([10, 50_000, 20], [0, 1, 2])
    ([1], [2, 0])

    """
    order = sorted(numbers, key=lambda k: -sizes[k])
    large = [
        k
        for k in order
        if sizes[k] >= 2 * STRETCH
        and (sizes[k] >= len(sizes) * STRETCH or sizes[k] * _FEW >= sum(sizes))
    ]
    return large, [k for k in order if k not in set(large)]


class Found(NamedTuple):
    """What was found of a stretch.

    Attributes
    ----------
    path : BeadPath
        Of all its rows, and those of its neighbours that were looked at.
    sure : array of float64, shape (beads of the path,)
        How sure each bead is; 1 where that was not asked for.
    own : array of int64, shape (beads of the path,)
        The score of each bead; where it was not asked how sure they are, 0 but near the ends,
        where neighbours may be joined.

    """

    path: BeadPath
    sure: NDArray[np.float64]
    own: NDArray[np.int64]


def stretches_of(corridor: Corridor) -> list[tuple[int, int]]:
    """Return runs of rows, half-open, that are searched apart: in order, from 0 to the last row.

    Examples
    --------
    >>> from bitext.align.sentences.corridors import Corridor
    >>> row = np.arange(20_001)
    >>> corridor = Corridor.between(row - 20 * (np.abs(row - 9_500) > 100) - 4, row + 4, 20_000)
    >>> [(begin, end)] = stretches_of(corridor)[1:]
    >>> 9_400 < begin < 9_600, end
    (True, 20000)

    """
    count = max(1, corridor.rows // STRETCH)
    total = prefix(corridor.hi - corridor.lo)
    cuts = [0]
    for k in range(1, count):
        first = corridor.rows * k // count - _ABOUT - _NARROW // 2
        begin = np.arange(first, first + 2 * _ABOUT)
        wide = total[begin + _NARROW] - total[begin]
        cuts.append(first + int(np.argmin(wide)) + _NARROW // 2)
    return list(zip(cuts, [*cuts[1:], corridor.rows], strict=True))


def best_by_stretches(
    beads: Sequence[tuple[int, int]],
    scores: BandScores,
    corridor: Corridor,
    how: Sureness | None = None,
    *,
    each: Each = map,
) -> Found:
    """Return the best path along a corridor, and how sure its beads are.

    Parameters
    ----------
    beads, scores, corridor
        As in `bitext.align.sentences.long_paths.best_along`.
    how : Sureness, optional
        Default: it is not asked how sure beads are, and each is 1.
    each : callable
        Does the work for each of some numbers, as `map` does. What the work returns can be
        pickled, so it can be done in processes that are forked when `each` is called.

    """
    stretches = stretches_of(corridor)

    def search(number: int) -> Found:
        return _searched(Walk(beads, scores, corridor), stretches[number], how)

    found: list[Found] = []
    for rows, more in zip(stretches, each(search, range(len(stretches))), strict=True):
        if found:
            joint = _joint(found[-1].path, more.path, corridor, rows[0])
            if joint is None:
                kept = _surest_end(beads, found[-1].path, found[-1].sure, rows[0])
                start = _point(found[-1].path, kept)
                again = _searched(Walk(beads, scores, corridor), rows, how, start=start)
                joint, more = (kept, 0), again
            found[-1] = _part(found[-1], 0, joint[0])
            more = _part(more, joint[1], len(more.path.row))
        found.append(more)
    kinds, row, column = (
        np.concatenate([getattr(one.path, name) for one in found])
        for name in ("kinds", "row", "column")
    )
    total, near = sum(one.path.score for one in found), min(one.path.near for one in found)
    sure, own = (np.concatenate([getattr(one, name) for one in found]) for name in ("sure", "own"))
    return Found(BeadPath(total, kinds, row, column, near), sure, own)


def _part(found: Found, first: int, last: int) -> Found:
    """Return the beads from the one numbered `first` up to `last`; others are near the ends."""
    path, own = found.path, found.own
    some = slice(first, last)
    score = path.score - int(own[:first].sum()) - int(own[last:].sum())
    path = BeadPath(score, path.kinds[some], path.row[some], path.column[some], path.near)
    return Found(path, found.sure[some], own[some])


def _point(path: BeadPath, kept: int) -> tuple[int, int]:
    """Return where so many beads of a path end."""
    return int(path.row[kept - 1]), int(path.column[kept - 1])


def _joint(
    before: BeadPath, after: BeadPath, corridor: Corridor, cut: int
) -> tuple[int, int] | None:
    """Return how many beads of two paths end at the point of both that is nearest to a cut."""
    past = Walk.past(corridor, cut)
    points = []
    for path in (before, after):
        first, last = np.searchsorted(path.row, [cut - past, cut + past])
        some = slice(first, last)
        points.append((first, path.row[some] * (corridor.columns + 1) + path.column[some]))
    (left, first), (right, second) = points
    common, i, j = np.intersect1d(first, second, assume_unique=True, return_indices=True)
    if not len(common):
        return None
    nearest = int(np.argmin(np.abs(common // (corridor.columns + 1) - cut)))
    return int(left + i[nearest]) + 1, int(right + j[nearest]) + 1


def _surest_end(
    beads: Sequence[tuple[int, int]], path: BeadPath, sure: NDArray[np.float64], last: int
) -> int:
    """Return how many beads are kept of which none ends after a row: the last is the surest."""
    kept = int(np.searchsorted(path.row, last, side="right"))
    choice = slice(max(kept - _CHOICE, 0), kept)
    # That members stand alone says nothing of the place where they do.
    number = np.array(beads, dtype=np.int64)[path.kinds[choice]]
    some = np.where(number.min(axis=1) > 0, sure[choice], 0.0)
    return kept - (int(np.argmax(some[::-1])) if len(some) else 0)


def _searched(
    walk: Walk,
    rows: tuple[int, int],
    how: Sureness | None,
    *,
    start: tuple[int, int] | None = None,
) -> Found:
    """Return what is found of some rows, part by part.

    Each part is searched past its end, and what lies behind its end is left to the next one, which
    sees further; of the last beads that are kept the surest is where that begins.
    """
    corridor, (begin, until) = walk.corridor, rows
    whole = corridor.rows, corridor.columns
    at = walk.begin(begin) if start is None else start
    near_begin = begin + Walk.past(corridor, begin) if begin and start is None else -1
    near_end = until - Walk.past(corridor, until) if until < corridor.rows else whole[0] + 1
    found: list[tuple[NDArray[Any], ...]] = []
    score, near = 0, 0.5
    inner = Corridor(corridor.lo[begin : until + 1], corridor.hi[begin : until + 1], whole[1])
    for _, last in inner.parts():
        end = walk.end(begin + last, at)
        path, band, asked = walk.searched(at, end)
        near = min(near, path.near)
        sure = np.ones(len(path.row))
        if how is not None:
            sure = walk.sure_near(path, band, asked, at, how)
        kept = len(path.row)
        if end != whole and begin + last < until:
            kept = _surest_end(walk.beads, path, sure, begin + last)
        rest = _scores(path, slice(kept, len(path.row)), band, asked, at)
        score += path.score - int(rest.sum())
        own = np.zeros(kept, dtype=np.int64)
        open_, close = np.searchsorted(path.row[:kept], [near_begin, near_end])
        if how is not None:
            close = 0
        for some in (slice(0, int(open_)), slice(max(int(close), int(open_)), kept)):
            own[some] = _scores(path, some, band, asked, at)
        found.append((path.kinds[:kept], path.row[:kept], path.column[:kept], sure[:kept], own))
        if kept:
            at = _point(path, kept)
        if at == whole:
            break
    kinds, row, column, sures, owns = (np.concatenate(each) for each in zip(*found, strict=True))
    return Found(BeadPath(score, kinds, row, column, near), sures, owns)


def _scores(
    path: BeadPath, some: slice, band: Band, asked: Scores, start: tuple[int, int]
) -> NDArray[np.int64]:
    """Return the scores of some beads of a path."""
    row, column, kinds = path.row[some], path.column[some], path.kinds[some]
    if not len(row):
        return np.zeros(0, dtype=np.int64)
    found, step = np.empty(len(row), dtype=np.int64), max(1, _AT_ONCE // band.width)
    for first in range(int(row[0]), int(row[-1]) + 1, step):
        here = slice(*np.searchsorted(row, [first, first + step]).tolist())
        if here.start < here.stop:
            end = int(row[here][-1]) + 1
            block = asked(first - start[0], end - start[0])
            found[here] = block[kinds[here], row[here] - first, (column - band.lo[row])[here]]
    return found
