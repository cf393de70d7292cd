"""Passages that one text leaves out, found by a search for a path that may leave them out.

Sentences without a translation are rare, so a hundred of them in a row would cost more than
spreading them over wrong beads. But after one omitted sentence, the next is very probably omitted,
too. So if a path is doubtful, it is searched again with passages that may be left out on either
side, each for an opening cost; all later searches take these passages into account (`Omissions`). A
passage that was moved is left out twice, once on each side.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from bitext.align.sentences.corridor import Anchors, Corridor, PartBounds
from bitext.align.sentences.lockstep import Steps
from bitext.align.sentences.search import BandedSearch, BandScores
from bitext.kernels.arrays import Bools, Floats, Ints, Singles, prefix
from bitext.kernels.bead_path import Band, BeadPath, Passages

# Passages that anchors show. Without them F1 of texts with passages cut out falls by up to .018
# (text+berg in alignment_passages.py), though whole texts are aligned as well. The constants of
# this module are set by hand; halving or doubling any of them does not change F1 of whole texts
# (parice, text+berg and maligna), nor, except for _BARE_FACTOR (-.002 and 0), any bead in three
# cases with passages cut out (alignment_constants.md).
# Sentences: least surplus of one side between two anchors that is not accidental
_LEAST_SURPLUS = 8.0
_DRIFT_SURPLUS = 2.0  # increase of it for the square root of the sentences between them
# Factor: least length of a gap without anchors, relative to nearly all other gaps
_BARE_FACTOR = 4.0
_NEARLY_ALL = 0.95  # share of the gaps that are no longer than "nearly all other gaps"
_LEAST_BARE_SENTENCES = 40.0  # sentences: least length of such a gap
_MOST_LIKELY = 0.9  # probability of a sentence without a translation in such a passage
_BOTH_LIKELY = 0.45  # the same where both sides may have one
# Opening a passage costs 9. The few beads in a row that would divide it in two share this cost.
_DIVIDED_COST = -3.0  # natural logarithm: a third of the cost of opening a passage


class Omissions(NamedTuple):
    """The frequency of sentences without a translation, by place."""

    # The least probability that a sentence has no translation; 0 if nothing is known. Shape (source
    # sentences,).
    src: Floats
    tgt: Floats  # shape (target sentences,)

    def joined(self, other: Omissions) -> Omissions:
        """Return the omissions of both."""
        return Omissions(np.maximum(self.src, other.src), np.maximum(self.tgt, other.tgt))

    def alone(self, beads: Sequence[tuple[int, int]], path: BeadPath) -> Bools:
        """Mark the beads of a path with an empty side that lie in omissions."""
        kinds = list(beads)
        before = np.maximum(path.row - 1, 0), np.maximum(path.column - 1, 0)
        out = np.zeros(len(path.kinds), dtype=bool)
        for bead, at, known in zip(((1, 0), (0, 1)), before, self, strict=True):
            of_type = np.flatnonzero(path.kinds == kinds.index(bead))
            out[of_type] = known[at[of_type]] > 0
        return out

    def kept(self, beads: Sequence[tuple[int, int]], path: BeadPath) -> Bools | None:
        """Mark the beads of a path in omissions; None if it does not leave all of them out."""
        alone = self.alone(beads, path)
        sentences = sum(np.count_nonzero(side) for side in self)
        return alone if np.count_nonzero(alone) == sentences else None

    def of(self, beads: Sequence[tuple[int, int]], chance: Floats, path: BeadPath) -> Floats:
        """Return the logarithm that is added to the score of each bead of a path."""
        kinds, out = list(beads), np.zeros(len(path.kinds))
        ends = path.row, path.column
        for bead, at, known in zip(((1, 0), (0, 1)), ends, self, strict=True):
            kind = kinds.index(bead)
            of_type = np.flatnonzero(path.kinds == kind)
            out[of_type] = np.log(np.maximum(known[at[of_type] - 1] / chance[kind], 1.0))
        return out

    def block(
        self, beads: Sequence[tuple[int, int]], chance: Floats, first: int, last: int, band: Band
    ) -> Singles:
        """Return the logarithms that are added to the scores of beads in some rows of a band.

        `chance` is the prior of each bead in the whole text: the logarithm of the ratio of the
        local frequency to this prior is added. The result has natural logarithms, not below 0, of
        shape (beads, last - first, width), for the half-open range of rows of the table.
        """
        out = np.zeros((len(beads), last - first, band.width), dtype=np.float32)
        alone = list(beads).index((1, 0)), list(beads).index((0, 1))
        row = np.arange(first, last) - 1
        if len(self.src) and self.src[max(first - 1, 0) : max(last - 1, 0)].any():
            probability = np.where(row >= 0, self.src[np.maximum(row, 0)], 0.0)
            out[alone[0]] = np.log(np.maximum(probability / chance[alone[0]], 1.0))[:, None]
        # The columns of all rows, with those before and after the text.
        begin, end = int(band.lo[first]) - 1, int(band.lo[last - 1]) + band.width - 1
        inside = slice(max(begin, 0), max(end, 0))
        if self.tgt[inside].any():
            probability = np.zeros(end - begin)
            known = self.tgt[inside]
            probability[inside.start - begin :][: len(known)] = known
            logs = np.log(np.maximum(probability / chance[alone[1]], 1.0)).astype(np.float32)
            windows = sliding_window_view(logs, band.width)
            out[alone[1]] = windows[band.lo[first:last] - 1 - begin]
        return out


def keep_passages_whole(
    scores: Callable[[int, int, Band], NDArray[np.integer]],
    beads: Sequence[tuple[int, int]],
    passages: Omissions,
    *,
    unit: float,
) -> Callable[[int, int, Band], Ints]:
    """Return scores that keep the known passages whole.

    Leaving out costs next to nothing there, so a bead beside a passage competes with as many beads
    as there are sentences in the passage. But a bead within a passage divides it in two, and each
    part costs.

    `scores(first, last, band)` returns integers for rows of the table; `passages` are those that a
    search found, and `unit` is the score of a natural logarithm of 1.
    """
    cost = round(_DIVIDED_COST * unit)
    # Whether any of the last sentences before a point is in a passage, for each number of these.
    are_inside: list[dict[int, Bools]] = []
    for side, numbers in zip(passages, zip(*beads, strict=True), strict=True):
        sums, every = prefix((side > 0).astype(np.int64)), np.arange(len(side) + 1)
        are_inside.append({k: sums > sums[np.maximum(every - k, 0)] for k in {*numbers}})
    sources, targets = are_inside

    def scored(first: int, last: int, band: Band) -> Ints:
        out = np.array(scores(first, last, band), dtype=np.int64)
        column = band.lo[first:last, None] + np.arange(band.width)
        column = np.clip(column, 0, len(passages.tgt))
        across = {b: inside[column] for b, inside in targets.items() if inside.any()}
        for kind, (a, b) in enumerate(beads):
            if a and b:
                is_inside = sources[a][first:last, None]
                is_inside = is_inside | across[b] if b in across else is_inside
                if is_inside.any():
                    out[kind] += cost * is_inside
        return out

    return scored


def omissions_of(anchors: Anchors, *, rows: int, columns: int) -> Omissions | None:
    """Find the passages that one side lacks by the gaps between anchors; None without any.

    With fewer than four anchors, no passages are found. `rows` and `columns` are the numbers of
    sentences of the source, and of the target.

    Examples
    --------
    >>> from bitext.align.sentences.corridor import Anchors
    >>> row = np.arange(0, 200, 4)
    >>> anchors = Anchors(row, row + 300 * (row > 100), 1.0)
    >>> found = omissions_of(anchors, rows=200, columns=500)
    >>> np.flatnonzero(found.tgt)[[0, -1]].tolist(), bool(found.src.any())
    ([101, 403], False)

    """
    if len(anchors.row) < 4:
        return None
    begin_row, begin = np.append(0, anchors.row + 1), np.append(0, anchors.column + 1)
    down = np.append(anchors.row, rows) - begin_row
    across = np.append(anchors.column, columns) - begin
    usual = anchors.tilt * down
    drift = _LEAST_SURPLUS + _DRIFT_SURPLUS * np.sqrt(np.maximum(np.minimum(usual, across), 1.0))
    more = across - usual
    found_src, found_tgt = np.zeros(rows), np.zeros(columns)
    # Anchors occur in clusters, so some stretches without an anchor are long.
    long = max(_LEAST_BARE_SENTENCES, _BARE_FACTOR * float(np.quantile(down, _NEARLY_ALL)))
    bare = np.minimum(usual, across) > long * anchors.tilt
    for k in np.flatnonzero((np.abs(more) > drift) | bare).tolist():
        gap_rows = slice(begin_row[k], begin_row[k] + down[k])
        gap_columns = slice(begin[k], begin[k] + across[k])
        both = _BOTH_LIKELY if bare[k] else 0.0
        left = -more[k] / anchors.tilt / max(down[k], 1) if more[k] < -drift[k] else 0.0
        right = more[k] / max(across[k], 1) if more[k] > drift[k] else 0.0
        found_src[gap_rows] = np.clip(left * _MOST_LIKELY, both, _MOST_LIKELY)
        found_tgt[gap_columns] = np.clip(right * _MOST_LIKELY, both, _MOST_LIKELY)
    if not found_src.any() and not found_tgt.any():
        return None
    return Omissions(found_src, found_tgt)


_OPENING_COST = -9.0  # natural logarithm: cost of opening a passage (alignment_passages.py)
_EITHER_PROBABILITY = 0.45  # probability of a sentence of either side in a passage of both
_ONE_PROBABILITY = 0.9  # probability of a sentence in a passage of one side
_LONG_PASSAGE = 32  # sentences: a shorter passage may be an accident
# Share of a text that may be left out if the same share of the other one is
_LEAST_SHARE_LEFT_OUT = 0.6
_STRETCH_BEADS = 32  # beads whose sum is doubtful below 0: sums of fewer beads vary too much
# Beads before and after a known passage, which are good if it ends there. Without this check F1 of
# bible-enzh is .0028 lower with the last half of the source cut out (alignment_passages.py).
_BESIDE_PASSAGE = 8
_BEADS_BESIDE = 24  # beads searched again before and after doubtful ones
_MOST_POINTS = 1 << 22  # points of a corridor that is searched for passages: bounds time
_FAR_COLUMNS = 4096  # columns between beads of a path that are scored apart: memory only
_POINTS_AT_ONCE = 1 << 24  # points of a band searched for passages at once: memory only


class Expected(NamedTuple):
    """The cost and the priors of passages."""

    opening: float  # the score of opening a passage, a natural logarithm below 0
    # `src`, `tgt`: the chances of a sentence of the source, and of the target, in a passage.
    src: float
    tgt: float


USUAL = Expected(_OPENING_COST, _EITHER_PROBABILITY, _EITHER_PROBABILITY)
"""Passages that are rare, and of either text."""


class PathWithOmissions(NamedTuple):
    """A path that leaves passages out, and these passages."""

    path: BeadPath  # the best path that may leave passages out
    omissions: Omissions | None  # none if it leaves no passage out, or most of both texts


def passages_of(alone: Sequence[float], *, unit: float, expected: Expected = USUAL) -> Passages:
    """Convert the expected passages to the affine costs of the kernel.

    `alone` has the priors of the beads 1-0 and 0-1 outside of passages; `unit` is the score of a
    natural logarithm of 1.

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


def may_be_doubtful(path: BeadPath, corridor: Corridor) -> bool:
    """Check whether a path is long enough for doubt, and its corridor small enough to search."""
    return len(path.kinds) >= _STRETCH_BEADS and corridor.cells <= _MOST_POINTS


def are_good(own: Ints) -> bool:
    """Check that no 32 beads of a path in a row, whose scores are given, have a sum below 0."""
    return not len(_low_sums(own))


def doubtful(
    scores: BandScores,
    path: BeadPath,
    corridor: Corridor,
    *,
    own: Ints | None = None,
    known: Bools | None = None,
) -> list[tuple[int, int]]:
    """Find the stretches of a path in which the sum of 32 beads in a row is below 0.

    The mean of many right beads is well above 0; that of wrong beads, or of beads with an empty
    side, is below 0.

    `scores` are as in `best_along`: natural logarithms of chances, in any unit. `path` is a whole
    path, and `corridor` is that of the search. If the corridor is too wide for another search, or
    the path has fewer than 32 beads, the path is not doubtful. `own` has the scores of the beads of
    the path, if they are known. `known` marks the beads in known passages: if the path is good
    without these, and beside each passage, it is not doubtful.

    The result has half-open ranges of the beads of the path, in order and apart from each other.
    Each includes some beads before and after the doubtful ones.
    """
    if not may_be_doubtful(path, corridor):
        return []
    if own is None:
        own = _scores_of(scores, path, np.arange(len(path.kinds)))
    low = _low_sums(own)
    if not len(low):
        return []
    if known is not None and _are_confirmed(own, known):
        return []
    apart = np.flatnonzero(np.diff(low) > _STRETCH_BEADS + 2 * _BEADS_BESIDE)
    begins = np.maximum(low[np.append(0, apart + 1)] - _BEADS_BESIDE, 0)
    ends = np.minimum(
        low[np.append(apart, len(low) - 1)] + _STRETCH_BEADS + _BEADS_BESIDE, len(path.kinds)
    )
    # The beads of a moved passage have good scores, between two passages that are left out for it;
    # the passage in whose place it is aligned may be longer.
    stretches: list[tuple[int, int]] = []
    for begin, end in zip(begins.tolist(), ends.tolist(), strict=True):
        before = stretches[-1] if stretches else (-1, -1)
        if stretches and begin - before[1] <= min(end - begin, before[1] - before[0]):
            stretches[-1] = before[0], end
        else:
            stretches.append((begin, end))
    return stretches


def _are_confirmed(own: Ints, known: Bools) -> bool:
    """Check whether a path is good without the beads in known passages, and beside each of these.

    A few beads between passages may all be wrong, and a bad bead beside a passage be part of it.
    """
    rest = own[~known]
    joints = prefix((~known).astype(np.int64))[_runs(known)[:, 0]]
    beside = [rest[max(joint - _BESIDE_PASSAGE, 0) : joint + _BESIDE_PASSAGE] for joint in joints]
    is_long = len(rest) >= _STRETCH_BEADS
    return is_long and not len(_low_sums(rest)) and all((part >= 0).all() for part in beside)


def _low_sums(own: Ints) -> Ints:
    """Return the beads from which on the scores of 32 beads have a sum below 0."""
    sums = prefix(own)
    return np.flatnonzero(sums[_STRETCH_BEADS:] < sums[:-_STRETCH_BEADS])


def search_omissions(
    beads: Sequence[tuple[int, int]],
    scores: BandScores,
    corridor: Corridor,
    path: BeadPath,
    stretches: Sequence[tuple[int, int]],
    *,
    chance: Floats,
    unit: float,
    expected: Expected = USUAL,
) -> Steps[PathWithOmissions]:
    """Search some stretches of a path again, so that the path may leave passages out.

    `beads`, `scores` and `corridor` are as in `best_along`; the scores are without the bonus for
    known omissions. `path` is a whole path in the corridor, and `stretches` are as `doubtful`
    returns them. `chance` is the prior of each bead outside of passages, `unit` the score of a
    natural logarithm of 1, and `expected` as in `passages_of`.

    Examples
    --------
    >>> from bitext.align.sentences.corridor import Corridor
    >>> from bitext.kernels.bead_path import BeadPath
    >>> def scores(first, last, band):
    ...     row, column = np.arange(first, last)[:, None], band.lo[first:last, None]
    ...     same = column + np.arange(band.width) == row + 40 * (row > 20)
    ...     alone = np.full(same.shape, -4)
    ...     return np.stack([np.where(same, 2, -9), alone, alone])
    >>> every = np.arange(1, 81)
    >>> path = BeadPath(0, np.where(every > 40, 2, 0), np.minimum(every, 40), every, 0.5)
    >>> from bitext.align.sentences.lockstep import alone
    >>> search = search_omissions(
    ...     [(1, 1), (1, 0), (0, 1)],
    ...     scores,
    ...     Corridor.whole(40, 80),
    ...     path,
    ...     [(0, 80)],
    ...     chance=np.array([0.96, 0.02, 0.02]),
    ...     unit=1.0,
    ... )
    >>> found = alone(search)
    >>> np.flatnonzero(found.omissions.tgt)[[0, -1]].tolist()
    [20, 59]

    """
    kinds = list(beads)
    costs = passages_of(_alone(kinds, chance), unit=unit, expected=expected)
    walk = BandedSearch(kinds, scores, corridor)
    parts: list[BeadPath] = []
    within: list[Bools] = []
    row, column = np.append(0, path.row), np.append(0, path.column)
    last = 0
    for begin, end in stretches:
        ends = (int(row[begin]), int(column[begin])), (int(row[end]), int(column[end]))
        # A stretch too large for memory keeps its path.
        if walk.points(*ends) > _POINTS_AT_ONCE:
            continue
        table = yield from walk.searched(*ends, costs)
        runs = _runs(table.inside) if table.inside is not None else np.zeros((0, 2), np.int64)
        # Shorter runs may be accidental; only long ones are passages, and the rest of the stretch
        # is searched once more.
        long = runs[runs[:, 1] - runs[:, 0] >= _LONG_PASSAGE]
        if len(long):
            parts.append(path.part(last, begin))
            within.append(np.zeros(begin - last, dtype=bool))
            beside = yield from _beside(walk, table.path, long, ends)
            for part, inside in beside:
                parts.append(part)
                within.append(np.full(len(part.kinds), inside))
            last = end
    parts.append(path.part(last, len(path.kinds)))
    within.append(np.zeros(len(path.kinds) - last, dtype=bool))
    spliced = BeadPath.joined(parts)._replace(score=path.score, near=path.near)
    return PathWithOmissions(spliced, _omissions(spliced, np.concatenate(within), corridor))


def _beside(
    walk: BandedSearch, path: BeadPath, passages: Ints, ends: tuple[tuple[int, int], ...]
) -> Steps[list[tuple[BeadPath, bool]]]:
    """Return the passages of a path, and the best path between them without further passages."""
    row, column = np.append(ends[0][0], path.row), np.append(ends[0][1], path.column)
    at = ends[0]
    parts: list[tuple[BeadPath, bool]] = []
    for begin, end in [*passages.tolist(), (len(path.kinds), len(path.kinds))]:
        to = int(row[begin]), int(column[begin])
        if to != at:
            parts.append(((yield from walk.searched(at, to)).path, False))
        if begin < end:
            parts.append((path.part(begin, end), True))
        at = int(row[end]), int(column[end])
    return parts


def worth(
    beads: Sequence[tuple[int, int]],
    scores: BandScores,
    path: BeadPath,
    *,
    chance: Floats,
    unit: float,
    expected: Expected = USUAL,
) -> int:
    """Score a path that may leave passages out.

    Beads of kind -1, which are not aligned, score 0. Parameters are as in `search_omissions`.

    Examples
    --------
    >>> def scores(first, last, band):
    ...     return np.full((3, last - first, band.width), -3)
    >>> path = BeadPath(0, np.array([0, *[2] * 99]), np.full(100, 1), np.arange(1, 101), 0.5)
    >>> how = {"chance": np.array([0.9, 0.05, 0.05]), "unit": 1.0}
    >>> worth([(1, 1), (1, 0), (0, 1)], scores, path, **how)  # -3 - 9 + 99 * (2 - 3)
    -111

    """
    aligned = (path.kinds >= 0).nonzero()[0]
    if not len(aligned):
        return 0
    kinds = list(beads)
    costs = passages_of(_alone(kinds, chance), unit=unit, expected=expected)
    own = _scores_of(scores, path, aligned)
    alone = [path.kinds == kinds.index(bead) for bead in ((1, 0), (0, 1))]
    runs = _runs(alone[0] | alone[1])
    each = alone[0] * costs.more[0] + alone[1] * costs.more[1]
    begin, end = prefix(each)[runs].T
    more = end - begin
    return int(own.sum() + np.maximum(more + costs.opening, 0).sum())


def _scores_of(scores: BandScores, path: BeadPath, beads: Ints) -> Ints:
    """Return the scores of some beads of a path, in a band that holds little more than these."""
    row, column = path.row[beads], path.column[beads]
    lo = np.full(int(path.row[-1]) + 1, path.column[-1])
    lo[0] = 0
    np.minimum.at(lo, row, column)
    lo = np.minimum.accumulate(lo[::-1])[::-1]
    far = lo.copy()
    np.maximum.at(far, row, column)
    own = np.empty(len(beads), dtype=np.int64)
    bounds = PartBounds(lo, far)
    # Only samples of a long text are aligned, and no block crosses the gap between two samples.
    cuts = (lo[1:] - lo[:-1] > _FAR_COLUMNS).nonzero()[0] + 1
    for begin, end in pairwise([0, *cuts.tolist(), len(lo)]):
        for run, _ in bounds.runs(begin, end):
            first, last = run.start, run.stop
            run_beads = slice(*np.searchsorted(row, [first, last]).tolist())
            if run_beads.start < run_beads.stop:
                band = Band(lo, int((far - lo)[run].max()) + 1, int(path.column[-1]))
                block = scores(first, last, band)
                place = row[run_beads] - first, column[run_beads] - lo[row[run_beads]]
                own[run_beads] = block[path.kinds[beads[run_beads]], *place]
    return own


def _alone(beads: list[tuple[int, int]], chance: Floats) -> list[float]:
    return [float(chance[beads.index(bead)]) for bead in ((1, 0), (0, 1))]


def _runs(inside: Bools) -> Ints:
    """Return the half-open bounds of runs."""
    padded = np.zeros(len(inside) + 2, dtype=bool)
    padded[1:-1] = inside
    # In half of the time of `np.diff`.
    edges: Ints = (padded[1:] != padded[:-1]).nonzero()[0]
    return edges.reshape(-1, 2)


def _omissions(path: BeadPath, inside: Bools, corridor: Corridor) -> Omissions | None:
    row, column = np.append(0, path.row), np.append(0, path.column)
    src, tgt = np.zeros(corridor.rows), np.zeros(corridor.columns)
    for begin, end in _runs(inside).tolist():
        either = row[begin] < row[end] and column[begin] < column[end]
        src[row[begin] : row[end]] = _EITHER_PROBABILITY if either else _ONE_PROBABILITY
        tgt[column[begin] : column[end]] = _EITHER_PROBABILITY if either else _ONE_PROBABILITY
    share = [np.count_nonzero(side) / max(len(side), 1) for side in (src, tgt)]
    # Texts that mostly leave each other out are not translations: their passages have no meaning.
    return Omissions(src, tgt) if max(share) > 0 and min(share) <= _LEAST_SHARE_LEFT_OUT else None
