"""The search of a corridor part by part, widened where the path comes near its edge.

The kernel searches as many columns in each row of a block as in the widest row. Scores cost more
than the search itself: they are computed only within the corridor, a few rows at a time, and all
beads outside count as impossible. If the path comes near an edge, the corridor is widened
threefold there and the part is searched again, until the path keeps away from the edges or all
columns from the beginning of the part to its end have been searched: a path outside is not lost
silently.

If texts are not translations of each other, the path is near some edge everywhere. So the searches
of a part are limited to four times its points plus 131,072, and to bands of 16,777,216 points, each
of which takes a byte. A path beyond that is lost, and `BeadPath.near` is then near 0; time and
memory stay linear in the points of the corridor.

First comes the search of one part (`BandedSearch`), then the stretches of a long corridor, and last
the calls for a whole path, for samples of it, and for posteriors.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from bitext.align.sentences.corridor import (
    BESIDE,
    MOST_PARTS,
    PART_ROWS,
    ROWS,
    CachedScores,
    Corridor,
    PartBounds,
    SearchedPart,
)
from bitext.align.sentences.lockstep import (
    PassageRequest,
    PathRequest,
    PosteriorRequest,
    Steps,
    alone,
)
from bitext.kernels.arrays import Bools, Floats, Ints, distinct, prefix, within
from bitext.kernels.bead_path import Band, BeadPath, Passages, Scores
from bitext.kernels.bead_posteriors import Table, chances, chances_by_pieces
from bitext.kernels.compiled_evidence import evidence_kernels

if TYPE_CHECKING:
    Each = Callable[[Callable[[int], Any], Iterable[int]], Iterable[Any]]

# scores(first, last, band): of all beads that end in the rows first <= i < last of the table and
# the columns band.lo[i] <= j < band.lo[i] + band.width; shape (beads, last - first, width). Scores
# of 32 bits are a new array, which the caller may change.
BandScores = Callable[[int, int, Band], "NDArray[np.integer]"]

# Set by hand. Rows and columns beside a part make its path independent of the cuts; bounds of
# points are for time and memory.
# Rows searched past the end of a part, beside twice the width of the corridor there
_ROWS_PAST = 32
_MOST_ROWS_PAST = 512  # rows: upper bound of these
_NEAR_COLUMNS = 2  # columns from an edge of the corridor within which a path is uncertain
_COLUMNS_BESIDE = 6  # columns searched beside the two ends of a part
# Scores of a part that are converted to probabilities at once: memory only
_SCORES_AT_ONCE = 1_000_000
_SCORES_TOGETHER = 300_000  # the same of several parts together: memory only
_LONG, _INSIDE = 1024, 32  # beads of a long passage, and of those at its ends that are computed
_AGAIN, _AGAIN_MORE = 4, 1 << 17  # points searched again, for each point of a part, and in addition
_MOST_PART_POINTS = 1 << 24  # points of the largest part that is searched again
STRETCH = 8192  # rows of a stretch: long enough that its overlap costs little time
_ROWS_ABOUT_CUT = 1024  # rows before and after a cut within which a narrow place is chosen
_NARROW_ROWS = 64  # rows whose mean width counts there


class SearchLimits(NamedTuple):
    """Sizes of the parts of a search, and bounds of its work."""

    stretch: int = STRETCH  # rows of a stretch
    # `about`, `narrow`: rows before and after a cut between stretches where the corridor may be
    # narrower, and the rows whose width counts there.
    about: int = _ROWS_ABOUT_CUT
    narrow: int = _NARROW_ROWS
    # `rows`, `parts`: rows of the smallest part of a stretch, and the most of these in a part.
    rows: int = PART_ROWS
    parts: int = MOST_PARTS
    # `again`, `more`: the points that are searched again, for each point of a part, and in
    # addition.
    again: int = _AGAIN
    more: int = _AGAIN_MORE
    widest: int = _MOST_PART_POINTS  # the most points of a part that is searched again
    # Beads of a passage; those inside have the posteriors of the beads near its ends.
    passage: int = _LONG
    # The most scores of parts whose posteriors are computed together: changes memory only.
    together: int = _SCORES_TOGETHER


_USUAL = SearchLimits()


class PosteriorScope(NamedTuple):
    """The posteriors to compute, and their scope."""

    reach: int  # the distance in columns or rows within which other paths count
    unit: float  # the score of a natural logarithm of 1
    # Whether to compute the posteriors of all beads, or only those that determine the path, near
    # the joints of parts; the others are then 1.
    everywhere: bool = True


class SearchedTable(NamedTuple):
    """The best path of a part, its band of the whole table, and its scores."""

    path: BeadPath
    band: Band
    held: CachedScores
    # The beads in passages, if passages were searched for. Shape (beads of the path,).
    inside: Bools | None


class BandedSearch:
    """The search of a corridor, part by part."""

    def __init__(
        self,
        beads: Sequence[tuple[int, int]],
        scores: BandScores,
        corridor: Corridor,
        limits: SearchLimits = _USUAL,
    ) -> None:
        self.beads, self.scores, self.corridor = list(beads), scores, corridor
        self.limits = limits
        # Scores are computed by rows of the table; only those of one part are in use.
        self.lo, self.near = corridor.lo.copy(), corridor.lo.copy()
        self.far = corridor.hi.copy()

    @staticmethod
    def past(corridor: Corridor, row: int) -> int:
        """Count the rows that are searched past the end of a part or stretch, or before it."""
        return min(_ROWS_PAST + 2 * int(corridor.hi[row] - corridor.lo[row]), _MOST_ROWS_PAST)

    def begin(self, first: int) -> tuple[int, int]:
        """Return the start of the search of a stretch: before it, in the middle of the corridor."""
        corridor = self.corridor
        row = first - self.past(corridor, first)
        if not first or row <= 0:
            return 0, 0
        return row, int(corridor.lo[row] + corridor.hi[row]) // 2

    def end(self, last: int, at: tuple[int, int]) -> tuple[int, int]:
        """Return the end of the search of a part: past its last row, amid the corridor."""
        corridor = self.corridor
        past = max(last, at[0]) + self.past(corridor, last)
        if past >= corridor.rows:
            return corridor.rows, corridor.columns
        middle = int(corridor.lo[past] + corridor.hi[past]) // 2
        return past, max(middle, at[1])

    def searched(
        self, start: tuple[int, int], end: tuple[int, int], passages: Passages | None = None
    ) -> Steps[SearchedTable]:
        """Find the best path from a point to another.

        With `passages` the path may leave passages out, and its band is not widened.
        """
        reach = self._reach(start, end)
        limits = self.limits
        left = 0 if passages else limits.again * reach.points + limits.more
        known: SearchedPart | None = None
        while True:
            band = self._band(reach, start)
            own, band_scores = self._inside(band, reach, start, end, known)
            cached_scores = CachedScores(band_scores, len(self.beads) * band.width * own.lo.size)
            if passages is None:
                path, inside = (yield PathRequest(self.beads, cached_scores.scores, own)), None
            else:
                scores = _as_wide(cached_scores.scores, band.width)
                path, inside = yield PassageRequest(self.beads, scores, own, passages)
            path = path._replace(row=path.row + start[0], column=path.column + start[1])
            # Where the path is near an edge, a better one may be outside. The part is searched
            # again with wider rows there, as long as the limits of work allow.
            at = path.row - start[0]
            away = reach.away(at, path.column, start[1], end[1])
            doubtful = at[away < _NEAR_COLUMNS]
            wider = reach.wider(doubtful)
            left -= wider.points
            wide = reach.high[at] - reach.low[at] + 1
            if not len(doubtful) or left < 0 or wider.held > limits.widest:
                near = max(float((away / wide).min(initial=0.5)), 0.0)
                return SearchedTable(path._replace(near=near), band, cached_scores, inside)
            known = SearchedPart(reach, cached_scores) if cached_scores.keeps else None
            reach = wider

    def points(self, start: tuple[int, int], end: tuple[int, int]) -> int:
        """Count the points of the band that is searched between two points."""
        return self._reach(start, end).held

    def of(self, path: BeadPath) -> Ints:
        """Return the scores of the beads of a path along all of the corridor."""
        whole = (0, 0), (self.corridor.rows, self.corridor.columns)
        reach = self._reach(*whole)
        band = self._band(reach, whole[0])
        _, band_scores = self._inside(band, reach, *whole)
        path_scores = np.empty(len(path.kinds), dtype=np.int64)
        for first in range(0, self.corridor.rows + 1, ROWS):
            last = min(first + ROWS, self.corridor.rows + 1)
            run = slice(*np.searchsorted(path.row, [first, last]).tolist())
            row, column = path.row[run], path.column[run]
            path_scores[run] = band_scores(first, last)[
                path.kinds[run], row - first, column - band.lo[row]
            ]
        return path_scores

    def posteriors_near(
        self,
        path: BeadPath,
        band: Band,
        band_scores: Scores,
        start: tuple[int, int],
        how: PosteriorScope,
    ) -> Steps[Floats]:
        """Return the posteriors of the beads of a path among the paths near it, in its own band.

        Inside a long passage that the source lacks, beads get the posteriors of the beads near its
        ends.
        """
        posteriors, at, first = np.ones(len(path.kinds)), start, 0
        ends = [*_left_out(path, self.limits.passage), (len(path.kinds), len(path.kinds))]
        for begin, end in ends:
            part = path.part(first, begin)
            posteriors[first:begin] = yield from self._posteriors_between(
                part, band, band_scores, at, how, start[0]
            )
            if begin < end:
                at, first = (int(path.row[end - 1]), int(path.column[end - 1])), end
                posteriors[begin:end] = posteriors[begin - 1]
        return posteriors

    def _posteriors_between(
        self,
        path: BeadPath,
        band: Band,
        band_scores: Scores,
        start: tuple[int, int],
        how: PosteriorScope,
        origin: int,
    ) -> Steps[Floats]:
        """Return posteriors between two passages; rows of scores count from `origin`."""
        if not len(path.kinds):
            return np.ones(0)
        moved = path._replace(row=path.row - start[0], column=path.column - start[1])
        rows, columns = int(moved.row[-1]), int(moved.column[-1])
        near = Corridor.around(
            moved.row, moved.column, rows=rows, columns=columns, margin=how.reach
        )
        # Posteriors need only `how.reach` columns around the path. The narrow band is centred on it
        # within the band of the search, and its lower edge never descends.
        low = band.lo[start[0] : start[0] + rows + 1] - start[1]
        width = min(int((near.hi - near.lo).max()) + 1, band.width)
        middle = near.lo - (width - 1 - near.hi + near.lo) // 2
        lo = np.maximum.accumulate(np.maximum(middle, low))
        shift = lo - low

        def narrow(first: int, last: int) -> NDArray[np.integer]:
            step, parts = max(1, _SCORES_AT_ONCE // band.width), []
            for begin in range(first, last, step):
                end = min(begin + step, last)
                block = band_scores(begin + start[0] - origin, end + start[0] - origin)
                parts.append(_columns_from(block, shift[begin:end], width))
            return parts[0] if len(parts) == 1 else np.concatenate(parts, axis=1)

        # Tables of moderate size are requested, so that those of many texts are computed together.
        own = Band(lo, width, columns)
        if len(self.beads) * len(lo) * width > _SCORES_AT_ONCE:
            return self._chances(narrow, own, moved, how.unit)
        table = Table(narrow(0, len(lo)), own, moved)
        part_posteriors: list[Floats]
        part_posteriors = yield PosteriorRequest(self.beads, [table], how.unit)
        return part_posteriors[0]

    def posteriors(
        self, parts: Iterable[tuple[BeadPath, tuple[int, int], tuple[int, int]]], unit: float
    ) -> Steps[list[Floats]]:
        """Return the posteriors of the beads of paths, each from one point to another."""
        path_posteriors: list[Floats] = []
        tables: list[Table] = []
        together = self.limits.together
        rows = width = 0  # of the tables together: all get the width of the widest
        for path, start, end in parts:
            reach = self._reach(start, end)
            own, band_scores = self._inside(self._band(reach, start), reach, start, end)
            moved = path._replace(row=path.row - start[0], column=path.column - start[1])
            rows, width = rows + len(own.lo), max(width, own.width)
            if len(self.beads) * rows * width > together:
                path_posteriors += yield PosteriorRequest(self.beads, tables, unit)
                tables, rows, width = [], len(own.lo), own.width
            if len(self.beads) * rows * width > together:
                path_posteriors.append(self._chances(band_scores, own, moved, unit))
                rows = width = 0
            else:
                tables.append(Table(band_scores(0, len(own.lo)), own, moved))
        path_posteriors += yield PosteriorRequest(self.beads, tables, unit)
        return path_posteriors

    def _chances(self, scores: Scores, band: Band, path: BeadPath, unit: float) -> Floats:
        if len(self.beads) * len(band.lo) * band.width > _SCORES_AT_ONCE:
            return chances(self.beads, _as_wide(scores, band.width), band, path, unit=unit)
        table = scores(0, len(band.lo))
        return chances_by_pieces(self.beads, table, band, path, unit=unit)

    def _reach(self, start: tuple[int, int], end: tuple[int, int]) -> PartBounds:
        """Clip the corridor to the box between two points."""
        (row, column), (last, ending) = start, end
        lo, hi = self.corridor.lo[row : last + 1], self.corridor.hi[row : last + 1]
        # There is space on both sides, so that the path is not near an edge.
        low = within(lo, column - _COLUMNS_BESIDE, ending)
        high = within(hi, column, ending + _COLUMNS_BESIDE)
        low[0], high[0] = column - _COLUMNS_BESIDE, max(int(high[0]), column + _COLUMNS_BESIDE)
        low[-1], high[-1] = min(int(low[-1]), ending - _COLUMNS_BESIDE), ending + _COLUMNS_BESIDE
        return PartBounds.between(low, high)

    def _band(self, reach: PartBounds, start: tuple[int, int]) -> Band:
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
        reach: PartBounds,
        start: tuple[int, int],
        end: tuple[int, int],
        known: SearchedPart | None = None,
    ) -> tuple[Band, Scores]:
        """Return the band from one point to another in the numbers of the kernel.

        For rows with the same bounds as before, the cached scores are used.
        """
        # The evidence of rows with new bounds is computed in a band of the table that is no wider
        # than the part there; outside of the part all beads are impossible.
        (row, column), (last, ending) = start, end
        lo = band.lo[row : last + 1]

        def fresh(part: slice) -> NDArray[np.integer]:
            low, high = reach.low[part], reach.high[part]
            rows = slice(row + part.start, row + part.stop)
            self.near[rows], self.far[rows] = low, high
            narrow = Band(self.near, int((high - low).max()) + 1, band.columns, self.far)
            return self.scores(rows.start, rows.stop, narrow)

        def band_scores(first: int, until: int) -> NDArray[np.integer]:
            more = (reach.high - reach.low)[first:until]
            width = int(more.max()) + 1
            block: NDArray[np.integer] = np.empty((0, 0, 0), dtype=np.int32)
            for part, is_known in reach.runs(first, until, known):
                scores = (
                    known.held.scores(part.start, part.stop)
                    if known is not None and is_known
                    else fresh(part)
                )
                if part == slice(first, until) and not is_known and scores.dtype == np.int32:
                    block = scores  # as wide as the widest row
                    break
                if not block.size:
                    block = np.empty((len(self.beads), until - first, width), dtype=np.int32)
                width_known = min(scores.shape[2], width)
                block[:, part.start - first : part.stop - first, :width_known] = scores[
                    :, :, :width_known
                ]
            return _within_columns(block, more)

        return Band(lo - column, band.width, ending - column), band_scores


def _within_columns(block: NDArray[np.integer], last: Ints) -> NDArray[np.integer]:
    """Make beads impossible that end after the last column of each row; change the scores."""
    kernels = evidence_kernels.after(0)
    if kernels is not None and block.dtype == np.int32 and block.flags.c_contiguous:
        kernels.set_after(block, last, BESIDE)
        return block
    least = int(last.min()) + 1
    if least < block.shape[2]:
        beside = np.arange(least, block.shape[2]) > last[:, None]
        np.copyto(block[:, :, least:], BESIDE, where=beside)
    return block


def _columns_from(block: NDArray[np.integer], first: Ints, width: int) -> NDArray[np.integer]:
    """Return columns of scores, `width` in each row; those after the last one are `BESIDE`."""
    most = block.shape[2]
    if int(first.max()) + width <= most:
        # Rows are copied whole, which is faster than an index of each point.
        windows = sliding_window_view(block, width, axis=2)
        return windows[:, np.arange(len(first)), first]
    at = first[:, None] + np.arange(width)
    part = np.take_along_axis(block, np.minimum(at, most - 1)[None], axis=2)
    np.copyto(part, BESIDE, where=at >= most)
    return part


def _as_wide(scores: Scores, width: int) -> Scores:
    """Return scores for all columns of a band."""

    def wide(first: int, last: int) -> NDArray[np.integer]:
        block = scores(first, last)
        more = width - block.shape[2]
        if not more:
            return block
        return np.pad(block, ((0, 0), (0, 0), (0, more)), constant_values=BESIDE)

    return wide


def _left_out(path: BeadPath, least: int) -> list[tuple[int, int]]:
    """Return the beads, half-open, that are inside of long passages of the target alone."""
    alone = np.diff(path.row, prepend=-1) == 0
    edges = np.flatnonzero(np.diff(alone, prepend=False, append=False)).reshape(-1, 2)
    long = edges[edges[:, 1] - edges[:, 0] >= least]
    return [(begin + _INSIDE, end - _INSIDE) for begin, end in long.tolist()]


# The best path along a long corridor by stretches, which can be searched separately.
#
# A path hardly depends on sentences far away. Therefore a corridor is cut at narrow places into
# stretches of some thousand rows, and each stretch is searched with some rows of its neighbours on
# both sides. Two neighbours are joined at a point near their cut that is on both paths. If there is
# none, the second stretch is searched again from the end of the first path. The result does not
# depend on the processes or the order in which the stretches are searched.


_FEW_PAIRS = 4  # long text pairs of equal size that are searched in parts one by one
_STRETCHES_AT_ONCE = 1 << 20  # points whose scores are in memory at once
_END_CANDIDATES = 6  # last beads of a part, one of which ends it


def by_size(
    sizes: Sequence[int], numbers: Sequence[int], *, stretch: int = STRETCH
) -> tuple[list[int], list[int]]:
    """Return the text pairs that are searched by stretches, and the others; longest first.

    Examples
    --------
    >>> by_size([10, 50_000, 20], [0, 1, 2])
    ([1], [2, 0])

    """
    order = sorted(numbers, key=lambda k: -sizes[k])
    large = [
        k
        for k in order
        if sizes[k] >= 2 * stretch
        and (sizes[k] >= len(sizes) * stretch or sizes[k] * _FEW_PAIRS >= sum(sizes))
    ]
    return large, [k for k in order if k not in set(large)]


class StretchPath(NamedTuple):
    """The path of a stretch, with its posteriors and scores."""

    path: BeadPath  # of all its rows, and of the searched rows of its neighbours
    # The posterior of each bead; 1 if it was not computed. Shape (beads of the path,).
    posteriors: Floats
    # The score of each bead. If `scored` is false, it is 0 except near the ends, where neighbours
    # may be joined. Shape (beads of the path,).
    own: Ints
    # Whether all beads have their scores: with posteriors, or if scores were cached.
    scored: bool = False


def cut_stretches(corridor: Corridor, limits: SearchLimits = _USUAL) -> list[tuple[int, int]]:
    """Return half-open runs of rows that are searched separately: in order, from 0 to the last.

    Examples
    --------
    >>> from bitext.align.sentences.corridor import Corridor
    >>> row = np.arange(20_001)
    >>> corridor = Corridor.between(row - 20 * (np.abs(row - 9_500) > 100) - 4, row + 4, 20_000)
    >>> [(begin, end)] = cut_stretches(corridor)[1:]
    >>> 9_400 < begin < 9_600, end
    (True, 20000)

    """
    count = max(1, corridor.rows // limits.stretch)
    about, narrow = limits.about, limits.narrow
    total = prefix(corridor.hi - corridor.lo)
    cuts = [0]
    for k in range(1, count):
        first = corridor.rows * k // count - about - narrow // 2
        begin = np.arange(first, first + 2 * about)
        wide = total[begin + narrow] - total[begin]
        cuts.append(first + int(np.argmin(wide)) + narrow // 2)
    return list(zip(cuts, [*cuts[1:], corridor.rows], strict=True))


def best_in_stretches(
    beads: Sequence[tuple[int, int]],
    scores: BandScores,
    corridor: Corridor,
    how: PosteriorScope | None = None,
    *,
    each: Each = map,
    limits: SearchLimits = _USUAL,
) -> Steps[StretchPath]:
    """Find the best path along a corridor, and the posteriors of its beads.

    A single stretch is searched in steps (`lockstep`), several by `each`.

    `beads`, `scores` and `corridor` are as in `best_along`. Without `how` no posteriors are
    computed, and each is 1. `each` does the work for each of some numbers, as `map` does; the
    results can be pickled, so processes forked by `each` can do the work.
    """
    stretches = cut_stretches(corridor, limits)

    def search(number: int) -> StretchPath:
        walk = BandedSearch(beads, scores, corridor, limits)
        return alone(_searched(walk, stretches[number], how))

    if len(stretches) == 1:
        walk = BandedSearch(beads, scores, corridor, limits)
        return (yield from _searched(walk, stretches[0], how))
    parts: list[StretchPath] = []
    for rows, more in zip(stretches, each(search, range(len(stretches))), strict=True):
        if parts:
            joint = _joint(parts[-1].path, more.path, corridor, rows[0])
            # Paths without a common point cannot be joined: the second stretch is searched again,
            # from the end of the first.
            if joint is None:
                kept_beads = most_probable_end(beads, parts[-1].path, parts[-1].posteriors, rows[0])
                start = _point(parts[-1].path, kept_beads)
                walk = BandedSearch(beads, scores, corridor, limits)
                again = alone(_searched(walk, rows, how, start=start))
                joint, more = (kept_beads, 0), again
            parts[-1] = _part(parts[-1], 0, joint[0])
            more = _part(more, joint[1], len(more.path.row))
        parts.append(more)
    return _joined(parts)


def _joined(parts: Sequence[StretchPath]) -> StretchPath:
    """Join paths, each of which begins at the end of the one before."""
    posteriors, own = (
        np.concatenate([getattr(one, name) for one in parts]) for name in ("posteriors", "own")
    )
    path = BeadPath.joined([one.path for one in parts])
    return StretchPath(path, posteriors, own, all(one.scored for one in parts))


def _part(stretch: StretchPath, first: int, last: int) -> StretchPath:
    """Return the beads from the one numbered `first` up to `last`; others are near the ends."""
    path, own = stretch.path, stretch.own
    score = path.score - int(own[:first].sum()) - int(own[last:].sum())
    path = path.part(first, last)._replace(score=score)
    return StretchPath(path, stretch.posteriors[first:last], own[first:last], stretch.scored)


def _point(path: BeadPath, kept_beads: int) -> tuple[int, int]:
    """Return the point where the first `kept_beads` beads of a path end."""
    return int(path.row[kept_beads - 1]), int(path.column[kept_beads - 1])


def _joint(
    before: BeadPath, after: BeadPath, corridor: Corridor, cut: int
) -> tuple[int, int] | None:
    """Find the common point of two paths nearest to a cut; return the beads before it."""
    past = BandedSearch.past(corridor, cut)
    points = []
    for path in (before, after):
        first, last = np.searchsorted(path.row, [cut - past, cut + past])
        chosen = slice(first, last)
        points.append((first, path.row[chosen] * (corridor.columns + 1) + path.column[chosen]))
    (left, first), (right, second) = points
    common, i, j = np.intersect1d(first, second, assume_unique=True, return_indices=True)
    if not len(common):
        return None
    nearest = int(np.argmin(np.abs(common // (corridor.columns + 1) - cut)))
    return int(left + i[nearest]) + 1, int(right + j[nearest]) + 1


def most_probable_end(
    beads: Sequence[tuple[int, int]], path: BeadPath, posteriors: Floats, last: int
) -> int:
    """Choose the last bead to keep by a row: the most probable of a few."""
    last_bead = int(np.searchsorted(path.row, last, side="right"))
    choice = slice(max(last_bead - _END_CANDIDATES, 0), last_bead)
    # Unaligned sentences say nothing about the place in the other text.
    number = np.array(beads, dtype=np.int64)[path.kinds[choice]]
    end_posteriors = np.where(number.min(axis=1) > 0, posteriors[choice], 0.0)
    return last_bead - (int(np.argmax(end_posteriors[::-1])) if len(end_posteriors) else 0)


def _searched(
    walk: BandedSearch,
    rows: tuple[int, int],
    how: PosteriorScope | None,
    *,
    start: tuple[int, int] | None = None,
) -> Steps[StretchPath]:
    """Search some rows part by part.

    Each part is searched past its end, and the path after its end is left to the next part, which
    sees further: the next part begins at the end of the most probable of the last beads.
    """
    corridor, (begin, until) = walk.corridor, rows
    whole = corridor.rows, corridor.columns
    at = walk.begin(begin) if start is None else start
    # Beads near both ends may be cut off where stretches are joined; their scores are returned, so
    # that the score of the joined path is known without scoring again.
    near_begin = begin + BandedSearch.past(corridor, begin) if begin and start is None else -1
    near_end = until - BandedSearch.past(corridor, until) if until < corridor.rows else whole[0] + 1
    parts: list[StretchPath] = []
    inner = Corridor(corridor.lo[begin : until + 1], corridor.hi[begin : until + 1], whole[1])
    for _, last in inner.parts(block=walk.limits.rows, blocks=walk.limits.parts):
        end = walk.end(begin + last, at)
        path, band, cached_scores, _ = yield from walk.searched(at, end)
        band_scores = cached_scores.scores
        every = how is not None or cached_scores.keeps
        posteriors, kept_beads = np.ones(len(path.row)), len(path.row)
        is_cut = end != whole and begin + last < until
        if how is not None and (how.everywhere or is_cut or rows != (0, corridor.rows)):
            posteriors = yield from walk.posteriors_near(path, band, band_scores, at, how)
        # The last beads of a part have no context after its end: the next part searches them again.
        if is_cut:
            kept_beads = most_probable_end(walk.beads, path, posteriors, begin + last)
        rest = _scores(path, slice(kept_beads, len(path.row)), band, band_scores, at)
        own = np.zeros(kept_beads, dtype=np.int64)
        open_, close = np.searchsorted(path.row[:kept_beads], [near_begin, near_end])
        if every:
            close = 0
        for uncertain in (slice(0, int(open_)), slice(max(int(close), int(open_)), kept_beads)):
            own[uncertain] = _scores(path, uncertain, band, band_scores, at)
        chosen = path.part(0, kept_beads)._replace(score=path.score - int(rest.sum()))
        parts.append(StretchPath(chosen, posteriors[:kept_beads], own, every))
        if kept_beads:
            at = _point(path, kept_beads)
        if at == whole:
            break
    return _joined(parts)


def _scores(
    path: BeadPath, chosen: slice, band: Band, band_scores: Scores, start: tuple[int, int]
) -> Ints:
    row, column, kinds = path.row[chosen], path.column[chosen], path.kinds[chosen]
    if not len(row):
        return np.zeros(0, dtype=np.int64)
    scores, step = np.empty(len(row), dtype=np.int64), max(1, _STRETCHES_AT_ONCE // band.width)
    for first in range(int(row[0]), int(row[-1]) + 1, step):
        block_beads = slice(*np.searchsorted(row, [first, first + step]).tolist())
        if block_beads.start < block_beads.stop:
            end = int(row[block_beads][-1]) + 1
            block = band_scores(first - start[0], end - start[0])
            scores[block_beads] = block[
                kinds[block_beads], row[block_beads] - first, (column - band.lo[row])[block_beads]
            ]
    return scores


# The best path along a corridor, in parts, so that memory stays small and no part is repeated
# whole.
#
# A long corridor is cut into stretches, which can be searched separately (`stretches`), and these
# into runs of rows of similar width. Each part is searched well past its end, and only the path
# before its end is accepted; the next part begins at the last accepted point. So a cut need not be
# on the path.

_STRETCH_ROWS = 512  # rows that are searched at once for a sample
_EXCERPT_FACTOR = 3  # factor: a source with so many times the sentences of the target is far longer
_WIDE_COLUMNS = 4096  # columns: wider rows are not sampled unless all rows are wider
_BEADS_ASIDE = 24  # beads beside changed beads whose posteriors change, too
_ROWS_BESIDE = 16  # rows before and after a part that have an effect on its posteriors


def best_along(
    beads: Sequence[tuple[int, int]],
    scores: BandScores,
    corridor: Corridor,
    *,
    limits: SearchLimits = _USUAL,
) -> BeadPath:
    """Return the best path along a corridor.

    `beads` are as in `best_path`, and `scores(first, last, band)` returns integers for rows of the
    table. `near` of the path is the least of the parts.

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
    return alone(best_in_stretches(beads, scores, corridor, limits=limits)).path


def sample_along(
    beads: Sequence[tuple[int, int]],
    scores: BandScores,
    corridor: Corridor,
    *,
    rows: int,
    each: Each = map,
    limits: SearchLimits = _USUAL,
) -> Steps[StretchPath]:
    """Return parts of the best path along a corridor, with about as many rows as requested.

    `beads`, `scores`, `corridor`, `each` and `limits` are as in `best_in_stretches`. About `rows`
    rows are searched, in evenly spread stretches of 512. If there are more than three times as many
    rows as columns, stretches are spread over the columns.

    The path has no posteriors. One bead of kind -1 stands for everything between two stretches. The
    first and last rows of a stretch belong to this bead, as the path need not pass through the
    cuts. The score is the sum of the scores of the stretches.
    """
    count = max(2, rows // _STRETCH_ROWS)
    if corridor.rows < 2 * count * _STRETCH_ROWS:
        return (yield from best_in_stretches(beads, scores, corridor, each=each, limits=limits))
    middle = (corridor.lo + corridor.hi) // 2
    begins = np.linspace(0, corridor.rows - _STRETCH_ROWS, count).astype(np.int64)
    if corridor.columns * _EXCERPT_FACTOR < corridor.rows:
        # In a text far longer than the other, samples are taken beside the other.
        count = min(count, max(corridor.columns // _STRETCH_ROWS, 1))
        shares = (np.arange(count) + 0.5) / count  # at the ends of a sample the path is uncertain
        amid = np.searchsorted(middle, shares * corridor.columns) - _STRETCH_ROWS // 2
        begins = distinct(np.clip(amid, 0, corridor.rows - _STRETCH_ROWS))
        begins = begins[np.append(True, np.diff(begins) >= _STRETCH_ROWS)]
    # Rows beside a very long omission cost more to search than they teach.
    wide = np.array([(corridor.hi - corridor.lo)[k : k + _STRETCH_ROWS + 1].max() for k in begins])
    begins = begins[wide <= max(_WIDE_COLUMNS, int(wide.min()))].tolist()

    def search(number: int) -> tuple[BeadPath, tuple[int, int]]:
        begin = begins[number]
        start = (begin, int(middle[begin]))
        end = (begin + _STRETCH_ROWS, int(middle[begin + _STRETCH_ROWS]))
        path, *_ = alone(walk.searched(start, (end[0], max(end[1], start[1]))))
        first, last = np.searchsorted(path.row, [begin + _ROWS_PAST, end[0] - _ROWS_PAST]).tolist()
        return path, (first, last)

    walk = BandedSearch(beads, scores, corridor, limits)
    samples: list[BeadPath] = []
    score, near = 0, 0.5
    for path, (first, last) in each(search, range(len(begins))):
        score, near = score + path.score, min(near, path.near)
        if first < last:
            kinds = path.kinds[first:last].copy()
            kinds[0] = -1
            samples.append(path.part(first, last)._replace(kinds=kinds))
    rest = BeadPath(
        0, np.array([-1]), np.array([corridor.rows]), np.array([corridor.columns]), near
    )
    path = BeadPath.joined([*samples, rest])._replace(score=score, near=near)
    kinds = path.kinds
    return StretchPath(path, np.ones(len(kinds)), np.zeros(len(kinds), dtype=np.int64))


def posteriors_along(
    beads: Sequence[tuple[int, int]],
    scores: BandScores,
    path: BeadPath,
    *,
    rows: int,
    columns: int,
    reach: int = 4,
    unit: float,
    before: StretchPath | None = None,
    anew: Bools | None = None,
    limits: SearchLimits = _USUAL,
) -> Steps[Floats]:
    """Return the posterior of each bead of a path, among all paths that stay near it.

    `beads`, `scores` and `limits` are as in `best_along`. The path goes from (0, 0) to (`rows`,
    `columns`), and the other paths are at most `reach` columns or rows away. `unit` is the score of
    a natural logarithm of 1. `before` is the earlier path: its beads far from any change keep their
    posteriors. `anew` marks beads whose posteriors are computed again, with those near them,
    because their scores changed although the path did not.

    Posteriors are from 0 to 1, as `bitext.kernels.bead_posteriors.chances` returns them. A
    posterior does not depend on rows more than 32 away or, at the ends of a part, on more than 16
    beads.
    """
    corridor = Corridor.around(path.row, path.column, rows=rows, columns=columns, margin=reach)
    walk = BandedSearch(beads, scores, corridor, limits)
    row, column = np.append(0, path.row), np.append(0, path.column)
    posteriors, is_changed = np.empty(len(path.kinds)), np.ones(len(path.kinds), dtype=bool)
    if before is not None:
        posteriors, is_changed = _unchanged(path, before, columns, anew)
    runs = _runs(path, is_changed, corridor.parts(block=limits.rows, blocks=limits.parts))

    def part(run: tuple[int, int]) -> tuple[BeadPath, tuple[int, int], tuple[int, int]]:
        first, until = max(run[0] - _ROWS_BESIDE, 0), min(run[1] + _ROWS_BESIDE, len(path.kinds))
        return path.part(first, until), (row[first], column[first]), (row[until], column[until])

    every = yield from walk.posteriors(map(part, runs), unit)
    for (begin, end), run_posteriors in zip(runs, every, strict=True):
        before_it = min(begin, _ROWS_BESIDE)
        posteriors[begin:end] = run_posteriors[before_it : before_it + end - begin]
    return posteriors


def _unchanged(
    path: BeadPath, before: StretchPath, columns: int, anew: Bools | None
) -> tuple[Floats, Bools]:
    """Return the earlier posteriors of beads, and a mark for those to compute again."""
    new, old = (
        np.stack([one.row, one.column, one.kinds]).T @ [(columns + 1) << 8, 1 << 8, 1]
        for one in (path, before.path)
    )
    at = np.minimum(np.searchsorted(old, new), len(old) - 1)
    other = old[at] != new
    sums = prefix((other if anew is None else other | anew).astype(np.int64))
    every = np.arange(len(new))
    is_changed = (
        sums[np.minimum(every + _BEADS_ASIDE, len(new))] > sums[np.maximum(every - _BEADS_ASIDE, 0)]
    )
    return before.posteriors[at], is_changed


def _runs(
    path: BeadPath, is_wanted: Bools, parts: Sequence[tuple[int, int]]
) -> list[tuple[int, int]]:
    """Return the requested beads, half-open, divided where the corridor is."""
    rows = [last for _, last in parts][:-1]
    cuts = np.searchsorted(path.row, rows, side="right")
    edges = np.flatnonzero(is_wanted[1:] != is_wanted[:-1]) + 1
    ends = distinct(np.concatenate([[0], cuts, edges, [len(is_wanted)]])).tolist()
    return [(begin, end) for begin, end in pairwise(ends) if is_wanted[begin]]
