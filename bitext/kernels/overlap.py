"""Overlap of two alignments: the pairs of segments of each, and the common ones.

An alignment has the pair (s, t) when a bisegment has s on its source and t on its target side,
so its pairs are a union of products. The union is never written out: its weight is computed
from the rows, in time linear in the memberships (the sum of the sizes of all sides).

There are two ways, with the same results:

- `partition`: when no segment lies in two bisegments of one alignment, every source segment has
  one gold and one proposed bisegment, and the common pairs are a join of the two sides.
- `intervals`: in general, the targets of a source segment are a union of intervals of the target
  order. All source segments are laid end to end on one long line, so that the union is one sweep
  over the intervals and the intersection is the overlap sweep. Its cost is the number of intervals:
  for each bisegment, source segments times runs of consecutive targets. The target order is
  free, and is rearranged where discontinuous bisegments would make many runs. Only many large
  bisegments that overlap on both sides, and are scattered, cost more than their memberships.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from bitext.errors import InputError, SegmentationError
from bitext.kernels.arrays import (
    Bools,
    Floats,
    Ints,
    Rows,
    batches,
    concatenate,
    distinct,
    identify,
    prefix,
    ranges,
    relabel,
    row_of,
    runs,
    sum_by,
    sums,
    take,
    transposed,
)

# The overlap sweep: the overlapping segments of two segmentations of one line.


class Overlaps(NamedTuple):
    """The overlapping pairs, in order along the line."""

    # `first`, `second`: the segment of either segmentation.
    first: Ints
    second: Ints
    # `start`, `end`: the common span of the two, half-open and never empty.
    start: Ints
    end: Ints


def overlap(first: Ints, second: Ints) -> Overlaps:
    """Lay two segmentations of one line over each other.

    Both are arrays of the bounds of their segments, ends included: m+1 non-decreasing integers for
    m segments. There are at most m1 + m2 - 1 overlaps. Segments without length overlap nothing.

    Raises `SegmentationError` when bounds decrease or the lines differ in their ends.

    Time and memory are O(m1 + m2): a merge of two sorted runs, and a count of the segments.
    """
    if first.size == 0 or second.size == 0 or first[0] != second[0] or first[-1] != second[-1]:
        a, b = (f"{x[0]} to {x[-1]}" if x.size else "nothing" for x in (first, second))
        raise SegmentationError(f"the lines differ: {a} and {b}; want two segmentations of one")
    if any((bounds[1:] < bounds[:-1]).any() for bounds in (first, second)):
        raise SegmentationError("the bounds of a segmentation run backwards: want ascending ones")
    cuts = np.concatenate([first, second])
    # A stable sort of two ascending runs is one merge.
    order = np.argsort(cuts, kind="stable")
    cuts = cuts[order]
    solid = np.flatnonzero(cuts[1:] != cuts[:-1])
    # The bounds of the first line up to each piece; the rest are bounds of the second.
    passed = np.cumsum(order < first.size)[solid]
    return Overlaps(passed - 1, solid - passed, cuts[solid], cuts[solid + 1])


def overlap_intervals(first: tuple[Ints, Ints], second: tuple[Ints, Ints]) -> Overlaps:
    """Lay two families of disjoint intervals, in order, over each other.

    Each family is (starts, ends). This is `overlap` with the gaps between intervals as segments,
    which are left out of the result.
    """
    low = min((int(start[0]) for start, _ in (first, second) if start.size), default=0)
    high = max((int(end[-1]) for _, end in (first, second) if end.size), default=0)
    overlaps = overlap(*(bounds_of(start, end, low, high) for start, end in (first, second)))
    solid = (overlaps.first % 2 == 1) & (overlaps.second % 2 == 1)
    return Overlaps(
        overlaps.first[solid] // 2,
        overlaps.second[solid] // 2,
        overlaps.start[solid],
        overlaps.end[solid],
    )


def bounds_of(starts: Ints, ends: Ints, low: int, high: int) -> Ints:
    """Return bounds in which segment 2k is the gap before interval k, and 2k+1 the interval.

    The intervals are in order and disjoint; `low` and `high` are the ends of the line.
    """
    flat = np.stack([starts, ends], axis=1).ravel()
    return np.concatenate([[low], flat, [high]])


_INTERVALS_AT_ONCE = 1 << 21  # intervals in memory at a time
_MOST_UNORDERED = 10_000  # intervals more than members, for which no better order is looked for
_RANK_BISEGMENTS = 4  # bisegments of a target that decide its place in the rearranged order


class Beads(NamedTuple):
    """The bisegments of an alignment as compressed rows."""

    src: Rows
    tgt: Rows


class Overlay(NamedTuple):
    """The weights of two alignments and of their overlap, by source segment and weighting."""

    # `expected`, `proposed`, `hits`: the weight of the pairs of each source segment in the gold
    # standard, in the hypothesis, and in both. A pair weighs the product of the weights of its two
    # segments; shape (k, source segments).
    expected: Ints
    proposed: Ints
    hits: Ints
    # `gold_touched`, `hyp_touched`: whether a bisegment shares a pair with any bisegment of the
    # other alignment.
    gold_touched: Bools
    hyp_touched: Bools


def overlay(gold: Beads, hyp: Beads, src_weights: Ints, tgt_weights: Ints) -> Overlay:
    """Lay two alignments of the same two texts over each other.

    The weights are k weightings of the segments of each side, in the shape (k, segments).
    """
    n_src, n_tgt = src_weights.shape[-1], tgt_weights.shape[-1]
    owners = [
        _owner(rows, n)
        for rows, n in ((gold.src, n_src), (hyp.src, n_src), (gold.tgt, n_tgt), (hyp.tgt, n_tgt))
    ]
    g_src, h_src, g_tgt, h_tgt = owners
    if g_src is None or h_src is None or g_tgt is None or h_tgt is None:
        return overlay_by_intervals(gold, hyp, src_weights, tgt_weights)
    return _by_partition(gold, hyp, src_weights, tgt_weights, (g_src, h_src), (g_tgt, h_tgt))


def _owner(rows: Rows, size: int) -> Ints | None:
    """Return the row of each member, -1 without one; `None` when a member has two rows."""
    owner = np.full(size, -1, dtype=np.int64)
    row = row_of(rows)
    owner[rows.idx] = row
    return owner if np.array_equal(owner[rows.idx], row) else None


def _by_partition(
    gold: Beads,
    hyp: Beads,
    src_weights: Ints,
    tgt_weights: Ints,
    of_src: tuple[Ints, Ints],
    of_tgt: tuple[Ints, Ints],
) -> Overlay:
    n_hyp = len(hyp.src.ptr) - 1
    areas_of_sides = []
    for owner, rows in ((of_src[0], gold.tgt), (of_src[1], hyp.tgt)):
        # One more row, of weight 0, for the segments without a bisegment: index -1.
        opposite = np.pad(sums(rows, tgt_weights), ((0, 0), (0, 1)))
        area = np.take(opposite, owner, axis=1)
        area *= src_weights
        areas_of_sides.append(area)
    # A pair of bisegments is one number, under which their common targets are summed.
    shared = (of_tgt[0] >= 0) & (of_tgt[1] >= 0)
    key = of_tgt[0][shared] * n_hyp + of_tgt[1][shared]
    order = np.argsort(key, kind="stable")
    key = key[order]
    opens = np.append(key[:1] >= 0, key[1:] != key[:-1])
    pair, group = key[opens], np.cumsum(opens) - 1
    both = np.pad(sum_by(group, tgt_weights[:, shared][:, order], pair.size), ((0, 0), (0, 1)))
    cell_keys = np.where((of_src[0] >= 0) & (of_src[1] >= 0), of_src[0] * n_hyp + of_src[1], -1)
    place = np.searchsorted(pair, cell_keys)
    place[np.append(pair, -1)[place] != cell_keys] = pair.size
    place[cell_keys < 0] = pair.size
    touched = pair[_flags(place, pair.size + 1)[:-1]]
    hits = np.take(both, place, axis=1)
    hits *= src_weights
    return Overlay(
        areas_of_sides[0],
        areas_of_sides[1],
        hits,
        _flags(touched // max(n_hyp, 1), len(gold.src.ptr) - 1),
        _flags(touched % max(n_hyp, 1), n_hyp),
    )


def _flags(true: Ints, size: int) -> Bools:
    flags = np.zeros(size, dtype=bool)
    flags[true] = True
    return flags


def overlay_by_intervals(
    gold: Beads,
    hyp: Beads,
    src_weights: Ints,
    tgt_weights: Ints,
    *,
    at_once: int = _INTERVALS_AT_ONCE,
) -> Overlay:
    """Lay two alignments over each other as intervals of targets, whether members repeat or not.

    Arguments are those of `overlay`; `at_once` intervals are in memory at a time.
    """
    n_src, n_tgt = src_weights.shape[-1], tgt_weights.shape[-1]
    gold, hyp, order = _rearranged(gold, hyp, n_tgt)
    measure = prefix(tgt_weights[:, order])
    width = n_tgt + 1
    families = [_Family(beads, n_src) for beads in (gold, hyp)]
    areas = np.zeros((3, *src_weights.shape), dtype=np.int64)
    load = prefix(families[0].load + families[1].load)
    for begin, end in batches(load, at_once):
        rows = [family.intervals(begin, end, width) for family in families]
        merged = [_merge(start, stop) for _, start, stop in rows]
        overlaps = overlap_intervals(*merged)
        for area, (start, stop) in zip(
            areas, [*merged, (overlaps.start, overlaps.end)], strict=True
        ):
            line = start // width
            length = measure[:, stop - line * width] - measure[:, start - line * width]
            area[:, begin:end] = sum_by(line - begin, length, end - begin)
        families[0].touch(*rows[0], *merged[1])
        families[1].touch(*rows[1], *merged[0])
    areas *= src_weights
    expected, proposed, hits = areas
    return Overlay(expected, proposed, hits, families[0].touched, families[1].touched)


class _Family:
    """The bisegments of one alignment as intervals on the lines of its source segments."""

    def __init__(self, beads: Beads, n_src: int) -> None:
        row, first, last = runs(beads.tgt)
        size = len(beads.tgt.ptr) - 1
        self.runs = Rows(prefix(np.bincount(row, minlength=size)), np.arange(row.size))
        self.first, self.last = first, last
        beads_of = transposed(beads.src, n_src)
        self.line, self.bead, self.begin = row_of(beads_of), beads_of.idx, beads_of.ptr
        self.load = np.diff(prefix(self.runs.lengths[self.bead])[self.begin])
        self.touched = np.zeros(size, dtype=bool)

    def intervals(self, begin: int, end: int, width: int) -> tuple[Ints, Ints, Ints]:
        """Return bead, start and end of every interval of some source segments, by start."""
        part = slice(self.begin[begin], self.begin[end])
        bead = self.bead[part]
        runs_of_beads = take(self.runs, bead)
        line = np.repeat(self.line[part], runs_of_beads.lengths) * width
        start, stop = line + self.first[runs_of_beads.idx], line + self.last[runs_of_beads.idx]
        order = np.argsort(start, kind="stable")
        return np.repeat(bead, runs_of_beads.lengths)[order], start[order], stop[order]

    def touch(
        self, bead: Ints, start: Ints, stop: Ints, other_start: Ints, other_stop: Ints
    ) -> None:
        """Mark the bisegments that share a pair with the merged intervals of the other family."""
        if not other_start.size:
            return
        nearest = np.searchsorted(other_stop, start, side="right")
        inside = nearest < other_start.size
        nearest[~inside] = 0
        self.touched[bead[inside & (other_start[nearest] < stop)]] = True


def _merge(start: Ints, stop: Ints) -> tuple[Ints, Ints]:
    """Return the union of intervals, sorted by start, as disjoint intervals."""
    if not start.size:
        return start, stop
    reach = np.maximum.accumulate(stop)
    opens = np.append(True, start[1:] > reach[:-1])
    last = np.append(np.flatnonzero(opens)[1:], start.size) - 1
    return start[opens], reach[last]


def _rearranged(gold: Beads, hyp: Beads, n_tgt: int) -> tuple[Beads, Beads, Ints]:
    """Put the targets into an order in which the bisegments have few runs.

    The order of the text is kept where it has few runs. Otherwise targets are sorted by their
    bisegments, the costliest first: it becomes a single run, the next at most two runs, ...
    """
    order = np.arange(n_tgt)
    before = interval_count(gold) + interval_count(hyp)
    if (
        before
        <= 4 * sum(rows.idx.size for beads in (gold, hyp) for rows in beads) + _MOST_UNORDERED
    ):
        return gold, hyp, order
    size = np.concatenate([b.src.lengths * b.tgt.lengths for b in (gold, hyp)])
    rank = np.empty_like(size)
    rank[np.argsort(-size, kind="stable")] = np.arange(size.size)
    target = np.concatenate([gold.tgt.idx, hyp.tgt.idx])
    ranks = rank[np.concatenate([row_of(gold.tgt), row_of(hyp.tgt) + len(gold.tgt.ptr) - 1])]
    sequence = np.lexsort((ranks, target))
    target, ranks = target[sequence], ranks[sequence]
    nth = np.arange(target.size) - prefix(np.bincount(target, minlength=n_tgt))[target]
    table = np.full((_RANK_BISEGMENTS, n_tgt), size.size, dtype=np.int64)
    for k in range(_RANK_BISEGMENTS):
        table[k, target[nth == k]] = ranks[nth == k]
    order = np.lexsort((np.arange(n_tgt), *table[::-1]))
    new = np.empty_like(order)
    new[order] = np.arange(n_tgt)
    moved = [Beads(b.src, relabel(b.tgt, new)) for b in (gold, hyp)]
    if interval_count(moved[0]) + interval_count(moved[1]) >= before:
        return gold, hyp, np.arange(n_tgt)
    return moved[0], moved[1], order


def interval_count(beads: Beads) -> int:
    """Return the number of intervals of an alignment."""
    row, _, _ = runs(beads.tgt)
    return int(beads.src.lengths[row].sum())


# The closest bisegment: for each bisegment, the one of the other alignment that covers most of its
# area.
#
# A bisegment (s, t) covers the area s x t: the weight of s times that of t. A side that is empty
# counts as one null segment of weight 1, which only empty sides share. Two bisegments overlap when
# they share a segment on both sides.
#
# Sides are runs of consecutive segments, so that a huge bisegment is one interval a side.
# Candidates come from the side on which a bisegment meets fewer others: two searches in sorted ends
# find the overlapping pairs of intervals, and the other side is then checked pair by pair. Time is
# linear in the runs and in these pairs, except for sorting, and in the runs of a pair where both
# bisegments are discontinuous. A bisegment in both alignments is its own closest, and needs no
# search. Memory is bounded, since pairs are processed in chunks.

_PAIRS_AT_ONCE = 1 << 20  # pairs in memory at a time
_LARGEST_AREA = 2.0**62  # the sum of two areas must fit into 64 bits


class BeadEdges(NamedTuple):
    """The distinct edges between the bisegments of two alignments and their closest ones.

    Edges are in the order of `gold`, then of `hyp`, with gold bisegments without an overlap among
    the others, and proposed bisegments without one at the end.
    """

    # `gold`, `hyp`: the bisegments of an edge; -1 if one overlaps none of the other alignment.
    gold: Ints
    hyp: Ints
    # `overlap`, `union`: the area covered by both, and by either.
    overlap: Ints
    union: Ints

    @property
    def weights(self) -> Floats:
        """The Jaccard index of the two areas of each edge."""
        return self.overlap / self.union


def bead_edges(
    gold: Beads, hyp: Beads, src_weights: Ints, tgt_weights: Ints, *, at_once: int = _PAIRS_AT_ONCE
) -> list[BeadEdges]:
    """Join each bisegment of either alignment to its closest one in the other, for each weighting.

    The closest has the largest overlap; among equal overlaps the smallest area, and so the highest
    Jaccard index; among these it is the leftmost: compared by first source segment, first target
    segment, last source segment, last target segment, then source side and target side as
    sequences.

    The alignments have no repeats, and no bisegments that are empty on both sides. The weights are
    k weightings of the segments of each side, in the shape (k, segments), all 1 or more. `at_once`
    pairs are in memory at a time.

    Raises `InputError` when an area is beyond 2^62.
    """
    weights = src_weights, tgt_weights
    n_gold, n_hyp = (len(beads.src.ptr) - 1 for beads in (gold, hyp))
    areas = [_areas(beads, weights) for beads in (gold, hyp)]
    both = [concatenate([a, b], [0, 0]) for a, b in zip(gold, hyp, strict=True)]
    ids = identify(*both)
    place = np.full((2, ids.max(initial=-1) + 1), -1, dtype=np.int64)
    place[0, ids[:n_gold]], place[1, ids[n_gold:]] = np.arange(n_gold), np.arange(n_hyp)
    equal = place[:, (place >= 0).all(axis=0)]
    alone = [
        np.flatnonzero(~_flags(same, n)) for n, same in zip((n_gold, n_hyp), equal, strict=True)
    ]
    closest_of_sides = [
        closest(gold, alone[0], hyp, areas[1], weights, at_once),
        closest(hyp, alone[1], gold, areas[0], weights, at_once),
    ]
    result = []
    for k in range(len(src_weights)):
        (of_gold, gold_overlap), (of_hyp, hyp_overlap) = (each[k] for each in closest_of_sides)
        first = np.concatenate([alone[0], of_hyp, equal[0]])
        second = np.concatenate([of_gold, alone[1], equal[1]])
        overlap = np.concatenate([gold_overlap, hyp_overlap, areas[0][k, equal[0]]])
        # An edge from both sides counts once; one without gold comes after the others.
        key = np.where(first < 0, n_gold, first) * (n_hyp + 1) + np.where(second < 0, n_hyp, second)
        _, first_index = np.unique(key, return_index=True)
        first, second, overlap = first[first_index], second[first_index], overlap[first_index]
        sizes = [np.append(area[k], 0) for area in areas]
        result.append(
            BeadEdges(first, second, overlap, sizes[0][first] + sizes[1][second] - overlap)
        )
    return result


def _areas(beads: Beads, weights: tuple[Ints, Ints]) -> Ints:
    src, tgt = (
        np.where(rows.lengths > 0, sums(rows, side_weights), 1)
        for rows, side_weights in zip(beads, weights, strict=True)
    )
    large = np.argwhere(src.astype(np.float64) * tgt >= _LARGEST_AREA)
    if large.size:
        k, bead = large[0]
        raise InputError(
            f"bisegment {bead} weighs {src[k, bead]:,} x {tgt[k, bead]:,}: want less than 2^62; "
            f"score at a coarser granularity"
        )
    return np.asarray(src * tgt)


class _Side:
    """One side of an alignment, as runs of consecutive segments and as members."""

    def __init__(self, rows: Rows, opposite: Rows, size: int) -> None:
        self.rows, self.size = rows, size
        row, self.first, self.last = runs(rows)
        count = np.bincount(row, minlength=len(rows.ptr) - 1)
        self.runs = Rows(prefix(count), np.arange(row.size))
        # Bisegments with an empty opposite side overlap only each other, so they have their own
        # line.
        shift = np.where(opposite.lengths[row] == 0, size, 0)
        self.start, self.stop, self.bead = self.first + shift, self.last + shift, row
        self.low, self.high = _ends(rows)

    def at(self, chosen: Ints) -> _Runs:
        """Return the runs of some bisegments; `chosen` ascends."""
        run = take(self.runs, chosen).idx
        return _Runs(self.bead[run], self.start[run], self.stop[run])


class _Runs(NamedTuple):
    bead: Ints
    start: Ints
    stop: Ints

    def sorted(self) -> _Runs:
        order = np.argsort(self.start, kind="stable")
        return _Runs(*(column[order] for column in self))


def _ends(rows: Rows) -> tuple[Ints, Ints]:
    """Return the first and the last member of each row, -1 for an empty row."""
    padded = np.append(rows.idx, -1)
    is_filled = rows.lengths > 0
    return np.where(is_filled, padded[rows.ptr[:-1]], -1), np.where(
        is_filled, padded[rows.ptr[1:] - 1], -1
    )


def closest(
    beads: Beads,
    sought: Ints,
    others: Beads,
    areas: Ints,
    weights: tuple[Ints, Ints],
    at_once: int = _PAIRS_AT_ONCE,
) -> list[tuple[Ints, Ints]]:
    """Return the closest of the others to each sought bisegment, and the overlap, by weighting."""
    count = len(areas)
    best = np.full((count, sought.size), -1, dtype=np.int64)
    overlap = np.zeros((count, sought.size), dtype=np.int64)
    n_others = areas.shape[-1]
    if not sought.size or not n_others:
        return list(zip(best, overlap, strict=True))
    chosen = Beads(*(take(rows, sought) for rows in beads))
    own_sides, other_sides = (
        [_Side(b.src, b.tgt, weights[0].shape[-1]), _Side(b.tgt, b.src, weights[1].shape[-1])]
        for b in (chosen, others)
    )
    lines = [side.at(np.arange(n_others)).sorted() for side in other_sides]
    loads = [_load(side, line) for side, line in zip(own_sides, lines, strict=True)]
    # Candidates for a bisegment with an empty side come from the other side.
    src_less, tgt_less = chosen.src.lengths == 0, chosen.tgt.lengths == 0
    by_tgt = src_less | (~tgt_less & (loads[1] < loads[0]))
    load = prefix(np.where(by_tgt, loads[1], loads[0]))
    measures = [prefix(side_weights) for side_weights in weights]
    for begin, end in batches(load, at_once):
        part = np.arange(begin, end)
        keys = [
            _meetings(side.at(part[by_tgt[part] == by_target]), line, n_others)
            for by_target, side, line in zip((False, True), own_sides, lines, strict=True)
        ]
        key = distinct(np.concatenate(keys))
        pair = key // n_others, key % n_others
        shared = shared_weights(
            own_sides[0], other_sides[0], pair, measures[0], weights[0], at_once
        )
        shared *= shared_weights(
            own_sides[1], other_sides[1], pair, measures[1], weights[1], at_once
        )
        overlapping = np.flatnonzero(shared[0] > 0)
        seeker, other = pair[0][overlapping], pair[1][overlapping]
        for k in range(count):
            seekers, choice, size = _best(
                seeker, other, shared[k, overlapping], areas[k], other_sides
            )
            best[k, seekers], overlap[k, seekers] = choice, size
    return list(zip(best, overlap, strict=True))


def _load(side: _Side, line: _Runs) -> Ints:
    """Count the runs on the line that each bisegment overlaps, run by run."""
    stops = np.sort(line.stop)
    each = np.searchsorted(line.start, side.stop) - np.searchsorted(stops, side.start, side="right")
    total = prefix(each)
    return total[side.runs.ptr[1:]] - total[side.runs.ptr[:-1]]


def _meetings(own_runs: _Runs, line: _Runs, width: int) -> Ints:
    """Return the pairs of bisegments with overlapping runs, as mine x width + other, with repeats.

    Of two overlapping intervals, one begins inside the other, or both begin at the same place.
    """
    low = np.searchsorted(line.start, own_runs.start)
    counts = np.searchsorted(line.start, own_runs.stop) - low
    pair_keys = np.repeat(own_runs.bead, counts) * width + line.bead[ranges(low, counts)]
    own_runs = own_runs.sorted()
    low = np.searchsorted(own_runs.start, line.start, side="right")
    counts = np.searchsorted(own_runs.start, line.stop) - low
    other_keys = own_runs.bead[ranges(low, counts)] * width + np.repeat(line.bead, counts)
    return np.concatenate([pair_keys, other_keys])


def shared_weights(
    own_side: _Side,
    other_side: _Side,
    pair: tuple[Ints, Ints],
    measure: Ints,
    weights: Ints,
    at_once: int,
) -> Ints:
    """Return the common weight of each pair on one side, shape (k, pairs)."""
    runs_of = [side.runs.lengths[of] for side, of in zip((own_side, other_side), pair, strict=True)]
    low = np.maximum(own_side.low[pair[0]], other_side.low[pair[1]])
    high = np.minimum(own_side.high[pair[0]], other_side.high[pair[1]]) + 1
    high = np.maximum(low, high)
    # Empty sides share the null segment; with them low and high are -1 and 0.
    shared = np.where(low < 0, 1, measure[:, np.maximum(high, 0)] - measure[:, np.maximum(low, 0)])
    broken = (runs_of[0] > 1) | (runs_of[1] > 1)
    fewer = runs_of[0] <= runs_of[1]
    for chosen, a, b, beads_of_sides in (
        (np.flatnonzero(broken & fewer), own_side, other_side, pair),
        (np.flatnonzero(broken & ~fewer), other_side, own_side, pair[::-1]),
    ):
        if chosen.size:
            shared[:, chosen] = _shared_by_run(
                a, b, beads_of_sides[0][chosen], beads_of_sides[1][chosen], weights, at_once
            )
    return shared


def _shared_by_run(a: _Side, b: _Side, of_a: Ints, of_b: Ints, weights: Ints, at_once: int) -> Ints:
    """Return the same by a search for each run of the first among the members of the second."""
    width = a.size + 1
    member = np.repeat(np.arange(len(b.rows.ptr) - 1), b.rows.lengths) * width + b.rows.idx
    total = prefix(weights[:, b.rows.idx])
    shared = np.zeros((len(weights), of_a.size), dtype=np.int64)
    load = prefix(a.runs.lengths[of_a])
    for begin, end in batches(load, at_once):
        own_runs = take(a.runs, of_a[begin:end])
        row = np.repeat(of_b[begin:end], own_runs.lengths) * width
        low = np.searchsorted(member, row + a.first[own_runs.idx])
        high = np.searchsorted(member, row + a.last[own_runs.idx])
        inside = prefix(total[:, high] - total[:, low])
        shared[:, begin:end] = inside[:, own_runs.ptr[1:]] - inside[:, own_runs.ptr[:-1]]
    return shared


def _best(
    seeker: Ints, other: Ints, overlap: Ints, areas: Ints, other_sides: list[_Side]
) -> tuple[Ints, Ints, Ints]:
    """Return each seeker with the closest other and their overlap; pairs are sorted by seeker."""
    closest_pairs = np.arange(seeker.size)
    for value in (-overlap, areas[other]):
        closest_pairs = closest_pairs[_least(seeker[closest_pairs], value[closest_pairs])]
    seeker, other, overlap = seeker[closest_pairs], other[closest_pairs], overlap[closest_pairs]
    opens = _opens(seeker)
    if opens.all():
        return seeker, other, overlap
    src, tgt = other_sides
    ends = [end[other] for end in (src.low, tgt.low, src.high, tgt.high)]
    order = np.lexsort((*ends[::-1], seeker))
    equal = np.flatnonzero(
        np.logical_and.reduce([np.diff(column[order]) == 0 for column in (seeker, *ends)])
    )
    if equal.size:
        doubt = order[np.union1d(equal, equal + 1)]
        rank = np.zeros(order.size, dtype=np.int64)
        rank[doubt] = _ranks(other[doubt], other_sides)
        order = np.lexsort((rank, *ends[::-1], seeker))
    # The sort moves pairs only within their seeker.
    first = order[opens]
    return seeker[first], other[first], overlap[first]


def _least(group: Ints, value: Ints) -> Bools:
    """Mark the least values of each group; a group is contiguous."""
    opens = _opens(group)
    if opens.all():
        return opens
    low = np.minimum.reduceat(value, np.flatnonzero(opens))
    return np.asarray(value == low[np.cumsum(opens) - 1])


def _opens(group: Ints) -> Bools:
    """Mark the first item of each group."""
    opens = np.ones(group.size, dtype=bool)
    opens[1:] = group[1:] != group[:-1]
    return opens


def _ranks(beads: Ints, sides: list[_Side]) -> Ints:
    """Rank discontinuous bisegments with the same ends, member by member."""
    used, place = np.unique(beads, return_inverse=True)
    keys = [tuple(tuple(side.rows.row(k).tolist()) for side in sides) for k in used.tolist()]
    rank = np.empty(used.size, dtype=np.int64)
    rank[sorted(range(used.size), key=keys.__getitem__)] = np.arange(used.size)
    return rank[place]
