"""Passages that one text leaves out, found by a search for a path that may leave them out.

Sentences without a translation are rare, so a hundred of them in a row would cost more than to
smear them over wrong beads. But once one is left out, hardly anything else is to be expected of
the next. So where a path is doubtful, one is searched in which passages may stand alone on either
side, each for a price; what it leaves out is known to all later searches (`Omissions`). A passage
that was moved is left out twice, once on each side.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bitext.align.sentences.corridor_reaches import Reach
from bitext.align.sentences.corridor_walks import Walk
from bitext.align.sentences.omissions import Omissions
from bitext.kernels.bead_path import Band, BeadPath
from bitext.kernels.passage_path import Passages, passage_path
from bitext.kernels.rows import prefix

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from bitext.align.sentences.corridor_walks import BandScores
    from bitext.align.sentences.corridors import Corridor
    from bitext.kernels.bead_path import Scores

__all__ = ["USUAL", "Expected", "LeftOut", "doubtful", "left_out_along", "passages_of", "worth"]

_OPENING = -9.0  # of a passage, as a natural logarithm
_EITHER = 0.45  # the chance of a sentence of the source, or of the target, in a passage
_ONE = 0.9  # and where the passage is of one side only
_LONG = 32  # sentences of a passage that is no accident; fewer are no news
_SHARE = 0.6  # of the sentences of a text that are left out, at most; of one text it may be all
_STRETCH = 32  # beads of a path, or rows of a corridor
_BESIDE = 24  # beads before and after doubtful ones that are searched anew with them
_MOST = 1 << 22  # points of a corridor that is searched for passages
_AT_ONCE = 1 << 24  # points of a band that holds all of a stretch which is searched


class Expected(NamedTuple):
    """What passages are like.

    Attributes
    ----------
    opening : float
        What it costs to begin one, as a natural logarithm: below 0.
    src, tgt : float
        The chances of a sentence of the source, and of the target, in a passage.

    """

    opening: float
    src: float
    tgt: float


USUAL = Expected(_OPENING, _EITHER, _EITHER)
"""They are rare, and of either text."""


class LeftOut(NamedTuple):
    """What a search for passages finds.

    Attributes
    ----------
    path : BeadPath
        The best path that may leave passages out.
    omissions : Omissions or None
        None where it leaves none out, or most of both texts.

    """

    path: BeadPath
    omissions: Omissions | None


def passages_of(alone: Sequence[float], *, unit: float, expected: Expected = USUAL) -> Passages:
    """Return what passages cost where the beads 1-0 and 0-1 are so frequent.

    Parameters
    ----------
    alone : (float, float)
        The chances of the two beads outside of passages.
    unit : float
        How much of a score a natural logarithm of 1 is.
    expected : Expected
        What passages are like.

    Examples
    --------
    >>> passages_of((0.045, 0.9), unit=1000)
    Passages(opening=-9000, more=(2303, 0))

    """
    more = [
        max(0, round(float(np.log(inside / chance)) * unit))
        for inside, chance in zip(expected[1:], alone, strict=True)
    ]
    return Passages(round(expected.opening * unit), (more[0], more[1]))


def doubtful(
    scores: BandScores,
    path: BeadPath,
    corridor: Corridor,
    *,
    own: NDArray[np.int64] | None = None,
) -> list[tuple[int, int]]:
    """Return the stretches of a path in which many beads in a row say nothing for each other.

    What is right scores well above 0 in the mean of many beads; what is wrong, or stands alone,
    scores below.

    Parameters
    ----------
    scores
        As in `best_along`; natural logarithms of chances, in any unit.
    path : BeadPath
        All of a path.
    corridor : Corridor
        Where it was searched. One that is too wide to be searched anew has no doubtful paths, nor
        have paths of fewer than 32 beads.
    own : array of int64, shape (beads of the path,), optional
        The scores of its beads, if they are known.

    Returns
    -------
    list of (int, int)
        Beads of the path, half-open, with some on both sides; in order, and apart from each other.

    """
    if len(path.kinds) < _STRETCH or corridor.cells > _MOST:
        return []
    if own is None:
        own = _scores_of(scores, path, np.arange(len(path.kinds)))
    sums = prefix(own)
    low = np.flatnonzero(sums[_STRETCH:] < sums[:-_STRETCH])
    if not len(low):
        return []
    apart = np.flatnonzero(np.diff(low) > _STRETCH + 2 * _BESIDE)
    begins = np.maximum(low[np.append(0, apart + 1)] - _BESIDE, 0)
    ends = np.minimum(low[np.append(apart, len(low) - 1)] + _STRETCH + _BESIDE, len(path.kinds))
    # A passage that was moved is good in itself, between two that are left out for it; what it
    # is put in the place of may be longer.
    found: list[tuple[int, int]] = []
    for begin, end in zip(begins.tolist(), ends.tolist(), strict=True):
        before = found[-1] if found else (-1, -1)
        if found and begin - before[1] <= min(end - begin, before[1] - before[0]):
            found[-1] = before[0], end
        else:
            found.append((begin, end))
    return found


def left_out_along(
    beads: Sequence[tuple[int, int]],
    scores: BandScores,
    corridor: Corridor,
    path: BeadPath,
    stretches: Sequence[tuple[int, int]],
    *,
    chance: NDArray[np.float64],
    unit: float,
    expected: Expected = USUAL,
) -> LeftOut:
    """Return a path with some stretches searched anew, so that they may leave passages out.

    Parameters
    ----------
    beads, scores, corridor
        As in `best_along`. No bead scores more because of omissions that are known before.
    path : BeadPath
        All of a path in the corridor.
    stretches : sequence of (int, int)
        As `doubtful` returns them.
    chance : array of float64, shape (beads,)
        How frequent each bead is outside of passages.
    unit : float
        How much of a score a natural logarithm of 1 is.
    expected : Expected
        As in `passages_of`.

    Examples
    --------
    >>> from bitext.align.sentences.corridors import Corridor
    >>> from bitext.kernels.bead_path import BeadPath
    >>> def scores(first, last, band):
    ...     row, column = np.arange(first, last)[:, None], band.lo[first:last, None]
    ...     same = column + np.arange(band.width) == row + 40 * (row > 20)
    ...     alone = np.full(same.shape, -4)
    ...     return np.stack([np.where(same, 2, -9), alone, alone])
    >>> every = np.arange(1, 81)
    >>> path = BeadPath(0, np.where(every > 40, 2, 0), np.minimum(every, 40), every, 0.5)
    >>> found = left_out_along(
    ...     [(1, 1), (1, 0), (0, 1)],
    ...     scores,
    ...     Corridor.whole(40, 80),
    ...     path,
    ...     [(0, 80)],
    ...     chance=np.array([0.96, 0.02, 0.02]),
    ...     unit=1.0,
    ... )
    >>> np.flatnonzero(found.omissions.tgt)[[0, -1]].tolist()
    [20, 59]

    """
    kinds = list(beads)
    costs = passages_of(_alone(kinds, chance), unit=unit, expected=expected)
    walk = Walk(kinds, scores, corridor)
    parts: list[tuple[NDArray[np.int64], ...]] = []
    within: list[NDArray[np.bool_]] = []
    row, column = np.append(0, path.row), np.append(0, path.column)
    last = 0
    for begin, end in stretches:
        held: list[NDArray[np.bool_]] = []

        def search(asked: Scores, band: Band, held: list[NDArray[np.bool_]] = held) -> BeadPath:
            found, inside = passage_path(kinds, asked, band, costs)
            held.append(inside)
            return found

        ends = (int(row[begin]), int(column[begin])), (int(row[end]), int(column[end]))
        if walk.points(*ends) > _AT_ONCE:
            continue
        found, _, _ = walk.searched(*ends, search)
        runs = _runs(held[-1])
        long = runs[runs[:, 1] - runs[:, 0] >= _LONG]
        if len(long):
            parts.append(_part(path, last, begin))
            within.append(np.zeros(begin - last, dtype=bool))
            for part, inside in _beside(walk, found, long, ends):
                parts.append(part)
                within.append(np.full(len(part[0]), inside))
            last = end
    parts.append(_part(path, last, len(path.kinds)))
    within.append(np.zeros(len(path.kinds) - last, dtype=bool))
    every = [np.concatenate(each) for each in zip(*parts, strict=True)]
    spliced = BeadPath(path.score, every[0], every[1], every[2], path.near)
    return LeftOut(spliced, _omissions(spliced, np.concatenate(within), corridor))


def _beside(
    walk: Walk, path: BeadPath, passages: NDArray[np.int64], ends: tuple[tuple[int, int], ...]
) -> Iterator[tuple[tuple[NDArray[np.int64], ...], bool]]:
    """Yield the passages of a path, and the best path from one to the next that leaves none out."""
    row, column = np.append(ends[0][0], path.row), np.append(ends[0][1], path.column)
    at = ends[0]
    for begin, end in [*passages.tolist(), (len(path.kinds), len(path.kinds))]:
        to = int(row[begin]), int(column[begin])
        if to != at:
            found, _, _ = walk.searched(at, to)
            yield (found.kinds, found.row, found.column), False
        if begin < end:
            yield _part(path, begin, end), True
        at = int(row[end]), int(column[end])


def worth(
    beads: Sequence[tuple[int, int]],
    scores: BandScores,
    path: BeadPath,
    *,
    chance: NDArray[np.float64],
    unit: float,
    expected: Expected = USUAL,
) -> int:
    """Return what a path scores where passages may be left out.

    Parameters
    ----------
    beads, scores, chance, unit, expected
        As in `left_out_along`.
    path : BeadPath
        What is not aligned, of kind -1, is worth nothing.

    Examples
    --------
    >>> def scores(first, last, band):
    ...     return np.full((3, last - first, band.width), -3)
    >>> path = BeadPath(0, np.array([0, *[2] * 99]), np.full(100, 1), np.arange(1, 101), 0.5)
    >>> how = {"chance": np.array([0.9, 0.05, 0.05]), "unit": 1.0}
    >>> worth([(1, 1), (1, 0), (0, 1)], scores, path, **how)  # -3 - 9 + 99 * (2 - 3)
    -111

    """
    told = np.flatnonzero(path.kinds >= 0)
    if not len(told):
        return 0
    kinds = list(beads)
    costs = passages_of(_alone(kinds, chance), unit=unit, expected=expected)
    found = _scores_of(scores, path, told)
    alone = [path.kinds == kinds.index(bead) for bead in ((1, 0), (0, 1))]
    runs = _runs(alone[0] | alone[1])
    more = np.append(0, np.cumsum(np.select(alone, costs.more, 0)))[runs] @ [-1, 1]
    return int(found.sum() + np.maximum(more + costs.opening, 0).sum())


def _scores_of(scores: BandScores, path: BeadPath, told: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the scores of some beads of a path, in a band that holds little more than these."""
    row, column = path.row[told], path.column[told]
    lo = np.full(int(path.row[-1]) + 1, path.column[-1])
    lo[0] = 0
    np.minimum.at(lo, row, column)
    lo = np.minimum.accumulate(lo[::-1])[::-1]
    far = lo.copy()
    np.maximum.at(far, row, column)
    found = np.empty(len(told), dtype=np.int64)
    for some, _ in Reach(lo, far).runs(0, len(lo)):
        first, last = some.start, some.stop
        here = slice(*np.searchsorted(row, [first, last]).tolist())
        if here.start < here.stop:
            band = Band(lo, int((far - lo)[some].max()) + 1, int(path.column[-1]))
            block = scores(first, last, band)
            place = row[here] - first, column[here] - lo[row[here]]
            found[here] = block[path.kinds[told[here]], *place]
    return found


def _alone(beads: list[tuple[int, int]], chance: NDArray[np.float64]) -> list[float]:
    """Return how frequent the beads 1-0 and 0-1 are."""
    return [float(chance[beads.index(bead)]) for bead in ((1, 0), (0, 1))]


def _runs(inside: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return where runs begin and end, half-open."""
    edges = np.flatnonzero(np.diff(inside, prepend=False, append=False))
    return edges.reshape(-1, 2)


def _part(path: BeadPath, begin: int, end: int) -> tuple[NDArray[np.int64], ...]:
    return path.kinds[begin:end], path.row[begin:end], path.column[begin:end]


def _omissions(path: BeadPath, inside: NDArray[np.bool_], corridor: Corridor) -> Omissions | None:
    row, column = np.append(0, path.row), np.append(0, path.column)
    src, tgt = np.zeros(corridor.rows), np.zeros(corridor.columns)
    for begin, end in _runs(inside).tolist():
        either = row[begin] < row[end] and column[begin] < column[end]
        src[row[begin] : row[end]] = _EITHER if either else _ONE
        tgt[column[begin] : column[end]] = _EITHER if either else _ONE
    share = [np.count_nonzero(side) / max(len(side), 1) for side in (src, tgt)]
    # What leaves most of both texts out is no translation, and says nothing of passages.
    return Omissions(src, tgt) if max(share) > 0 and min(share) <= _SHARE else None
