"""Two alignments laid over each other: the pairs of segments that each holds and that both hold.

An alignment holds the pair (s, t) when a bisegment has s on its source and t on its target side,
so its pairs are a union of products. The union is never written out: its weight is computed
from the rows, in time linear in the memberships (the sum of the sizes of all sides).

Two ways lead there, and give the same numbers:

- `partition`: when no segment lies in two bisegments of one alignment, every source segment has
  one gold and one proposed bisegment, and the pairs that both hold are a join of the two sides.
- `intervals`: in general, the targets of a source segment are a union of intervals of the target
  order. All source segments are laid end to end on one long line, so that the union is one sweep
  over the intervals and the intersection is the overlap sweep. Its cost is the number of intervals:
  for each bisegment, source segments times runs of consecutive targets. The target order is
  free, and is rearranged where discontinuous bisegments would make many runs. Only many large
  bisegments that overlap on both sides, and are scattered, cost more than their memberships.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bitext.kernels.overlap import overlap_intervals
from bitext.kernels.rows import Rows, prefix, relabel, row_of, runs, sum_by, sums, take

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Beads", "Overlay", "overlay"]

_CHUNK = 1 << 21  # intervals held at a time
_RANKS = 4  # bisegments of a target that decide its place in the rearranged order


class Beads(NamedTuple):
    """The bisegments of an alignment as compressed rows."""

    src: Rows
    tgt: Rows


class Overlay(NamedTuple):
    """What two alignments hold, by source segment, under each of k weightings.

    Attributes
    ----------
    expected, proposed, hits : array of int64, shape (k, source segments)
        The weight of the pairs of each source segment that the gold standard, the
        hypothesis, and both hold. A pair weighs the product of the weights of its two segments.
    gold_touched, hyp_touched : array of bool
        Whether a bisegment shares a pair with any bisegment of the other alignment.

    """

    expected: NDArray[np.int64]
    proposed: NDArray[np.int64]
    hits: NDArray[np.int64]
    gold_touched: NDArray[np.bool_]
    hyp_touched: NDArray[np.bool_]


def overlay(
    gold: Beads,
    hyp: Beads,
    src_weights: NDArray[np.int64],
    tgt_weights: NDArray[np.int64],
) -> Overlay:
    """Lay two alignments of the same two texts over each other.

    Parameters
    ----------
    gold, hyp : Beads
        The two alignments.
    src_weights, tgt_weights : array of int64, shape (k, segments)
        k weightings of the segments of each side.

    """
    n_src, n_tgt = src_weights.shape[-1], tgt_weights.shape[-1]
    owners = [
        _owner(rows, n)
        for rows, n in ((gold.src, n_src), (hyp.src, n_src), (gold.tgt, n_tgt), (hyp.tgt, n_tgt))
    ]
    g_src, h_src, g_tgt, h_tgt = owners
    if g_src is None or h_src is None or g_tgt is None or h_tgt is None:
        return _by_intervals(gold, hyp, src_weights, tgt_weights)
    return _by_partition(gold, hyp, src_weights, tgt_weights, (g_src, h_src), (g_tgt, h_tgt))


def _owner(rows: Rows, size: int) -> NDArray[np.int64] | None:
    """Return the row of each member, -1 where none; `None` when a member has two."""
    owner = np.full(size, -1, dtype=np.int64)
    row = row_of(rows)
    owner[rows.idx] = row
    return owner if np.array_equal(owner[rows.idx], row) else None


def _by_partition(
    gold: Beads,
    hyp: Beads,
    src_weights: NDArray[np.int64],
    tgt_weights: NDArray[np.int64],
    of_src: tuple[NDArray[np.int64], NDArray[np.int64]],
    of_tgt: tuple[NDArray[np.int64], NDArray[np.int64]],
) -> Overlay:
    n_hyp = len(hyp.src.ptr) - 1
    held = []
    for owner, rows in ((of_src[0], gold.tgt), (of_src[1], hyp.tgt)):
        # One more row, of weight 0, for the segments without a bisegment: index -1.
        opposite = np.pad(sums(rows, tgt_weights), ((0, 0), (0, 1)))
        area = np.take(opposite, owner, axis=1)
        area *= src_weights
        held.append(area)
    # A pair of bisegments is one number; what they share of the target is summed under it.
    shared = (of_tgt[0] >= 0) & (of_tgt[1] >= 0)
    key = of_tgt[0][shared] * n_hyp + of_tgt[1][shared]
    order = np.argsort(key, kind="stable")
    key = key[order]
    opens = np.append(key[:1] >= 0, key[1:] != key[:-1])
    pair, group = key[opens], np.cumsum(opens) - 1
    both = np.pad(sum_by(group, tgt_weights[:, shared][:, order], pair.size), ((0, 0), (0, 1)))
    mine = np.where((of_src[0] >= 0) & (of_src[1] >= 0), of_src[0] * n_hyp + of_src[1], -1)
    place = np.searchsorted(pair, mine)
    place[np.append(pair, -1)[place] != mine] = pair.size
    place[mine < 0] = pair.size
    met = pair[_flags(place, pair.size + 1)[:-1]]
    hits = np.take(both, place, axis=1)
    hits *= src_weights
    return Overlay(
        held[0],
        held[1],
        hits,
        _flags(met // max(n_hyp, 1), len(gold.src.ptr) - 1),
        _flags(met % max(n_hyp, 1), n_hyp),
    )


def _flags(true: NDArray[np.int64], size: int) -> NDArray[np.bool_]:
    flags = np.zeros(size, dtype=bool)
    flags[true] = True
    return flags


def _by_intervals(
    gold: Beads, hyp: Beads, src_weights: NDArray[np.int64], tgt_weights: NDArray[np.int64]
) -> Overlay:
    n_src, n_tgt = src_weights.shape[-1], tgt_weights.shape[-1]
    gold, hyp, order = _rearranged(gold, hyp, n_tgt)
    measure = prefix(tgt_weights[:, order])
    width = n_tgt + 1
    families = [_Family(beads, n_src) for beads in (gold, hyp)]
    areas = np.zeros((3, *src_weights.shape), dtype=np.int64)
    load = prefix(families[0].load + families[1].load)
    begin = 0
    while begin < n_src:
        end = int(np.searchsorted(load, load[begin] + _CHUNK, side="right")) - 1
        end = min(max(end, begin + 1), n_src)
        rows = [family.intervals(begin, end, width) for family in families]
        merged = [_merge(start, stop) for _, start, stop in rows]
        found = overlap_intervals(*merged)
        for area, (start, stop) in zip(areas, [*merged, (found.start, found.end)], strict=True):
            line = start // width
            length = measure[:, stop - line * width] - measure[:, start - line * width]
            area[:, begin:end] = sum_by(line - begin, length, end - begin)
        families[0].touch(*rows[0], *merged[1])
        families[1].touch(*rows[1], *merged[0])
        begin = end
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
        order = np.argsort(beads.src.idx, kind="stable")
        self.line = beads.src.idx[order]
        self.bead = row_of(beads.src)[order]
        self.begin = prefix(np.bincount(self.line, minlength=n_src))
        self.load = np.diff(prefix(self.runs.lengths[self.bead])[self.begin])
        self.touched = np.zeros(size, dtype=bool)

    def intervals(
        self, begin: int, end: int, width: int
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """Return bead, start and end of every interval of some source segments, by start."""
        part = slice(self.begin[begin], self.begin[end])
        bead = self.bead[part]
        which = take(self.runs, bead)
        line = np.repeat(self.line[part], which.lengths) * width
        start, stop = line + self.first[which.idx], line + self.last[which.idx]
        order = np.argsort(start, kind="stable")
        return np.repeat(bead, which.lengths)[order], start[order], stop[order]

    def touch(
        self,
        bead: NDArray[np.int64],
        start: NDArray[np.int64],
        stop: NDArray[np.int64],
        other_start: NDArray[np.int64],
        other_stop: NDArray[np.int64],
    ) -> None:
        """Mark the bisegments that share a pair with the merged intervals of the other family."""
        if not other_start.size:
            return
        nearest = np.searchsorted(other_stop, start, side="right")
        inside = nearest < other_start.size
        nearest[~inside] = 0
        self.touched[bead[inside & (other_start[nearest] < stop)]] = True


def _merge(
    start: NDArray[np.int64], stop: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the union of intervals, sorted by start, as disjoint intervals."""
    if not start.size:
        return start, stop
    reach = np.maximum.accumulate(stop)
    opens = np.append(True, start[1:] > reach[:-1])
    last = np.append(np.flatnonzero(opens)[1:], start.size) - 1
    return start[opens], reach[last]


def _rearranged(gold: Beads, hyp: Beads, n_tgt: int) -> tuple[Beads, Beads, NDArray[np.int64]]:
    """Put the targets into an order in which the bisegments have few runs.

    The order of the text is kept where it serves. Else targets are sorted by the bisegments
    they lie in, the costliest first: that one becomes a single run, the next two at most, ...
    """
    order = np.arange(n_tgt)
    before = _cost(gold) + _cost(hyp)
    if before <= 4 * sum(rows.idx.size for beads in (gold, hyp) for rows in beads) + 10_000:
        return gold, hyp, order
    size = np.concatenate([b.src.lengths * b.tgt.lengths for b in (gold, hyp)])
    rank = np.empty_like(size)
    rank[np.argsort(-size, kind="stable")] = np.arange(size.size)
    target = np.concatenate([gold.tgt.idx, hyp.tgt.idx])
    ranks = rank[np.concatenate([row_of(gold.tgt), row_of(hyp.tgt) + len(gold.tgt.ptr) - 1])]
    sequence = np.lexsort((ranks, target))
    target, ranks = target[sequence], ranks[sequence]
    nth = np.arange(target.size) - prefix(np.bincount(target, minlength=n_tgt))[target]
    table = np.full((_RANKS, n_tgt), size.size, dtype=np.int64)
    for k in range(_RANKS):
        table[k, target[nth == k]] = ranks[nth == k]
    order = np.lexsort((np.arange(n_tgt), *table[::-1]))
    new = np.empty_like(order)
    new[order] = np.arange(n_tgt)
    moved = [Beads(b.src, relabel(b.tgt, new)) for b in (gold, hyp)]
    if _cost(moved[0]) + _cost(moved[1]) >= before:
        return gold, hyp, np.arange(n_tgt)
    return moved[0], moved[1], order


def _cost(beads: Beads) -> int:
    """Return the number of intervals that an alignment makes."""
    row, _, _ = runs(beads.tgt)
    return int(beads.src.lengths[row].sum())
