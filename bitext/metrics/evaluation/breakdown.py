"""The errors of an alignment: by bead type, and place by place."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from bitext.kernels.arrays import Rows, identify, kinds, prefix, row_of, take
from bitext.metrics.arcade import WEIGHTS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bitext.kernels.arrays import Ints
    from bitext.kernels.overlap import Beads
    from bitext.metrics.arcade import Comparison

TOO_MANY = "(too many to tell)"

_MOST_NEIGHBOURS = 50_000_000


@dataclass(frozen=True, slots=True)
class BeadType:
    """The gold and the proposed bisegments of one bead type, and the outcomes of the former."""

    type: str  # the numbers of source and target segments, as `2-1`
    # `expected`, `found`: the number of gold bisegments, and the number of those that were proposed
    # exactly.
    expected: int
    found: int
    # The outcomes of missed bisegments and their numbers. An outcome is the types of the proposed
    # bisegments that share a segment with the missed one, as `1-1 + 1-0`, or `nothing`.
    became: dict[str, int]
    proposed: int = 0  # the number of proposed bisegments of the type; `found` of these are right

    @property
    def missed(self) -> int:
        """The number of bisegments that were not proposed exactly."""
        return self.expected - self.found


@dataclass(frozen=True, slots=True)
class Place:
    """A place where gold standard and hypothesis differ."""

    # `gold`, `hyp`: the bisegments of one alignment that the other lacks, linked by common
    # segments.
    gold: tuple[int, ...]
    hyp: tuple[int, ...]
    # The size of the error: the weight of the pairs of segments that only one of the two has, in
    # characters x characters where the texts are known, else in pairs of sentences.
    weight: int


def bead_types(
    comparison: Comparison, *, most_neighbours: int = _MOST_NEIGHBOURS
) -> list[BeadType]:
    """Return the breakdown by bead type, the most frequent type of the gold standard first.

    Types that are proposed only stand at the end, with `expected` 0.

    Cost is linear in the memberships, except for segments in many bisegments of both alignments:
    above `most_neighbours` pairs of bisegments with a common segment, the outcome of every missed
    bisegment is `TOO_MANY`.
    """
    gold, hyp = comparison.ground.gold, comparison.ground.hyp
    counted = np.flatnonzero(comparison.gold_counts)
    kind, names = _types(comparison.ground.gold_sizes)
    missed = counted[~comparison.gold_exact[counted]]
    became = _outcomes(gold, hyp, missed, comparison, most_neighbours)
    outcome: dict[int, Counter[str]] = {}
    for k, text in zip(kind[missed].tolist(), became, strict=True):
        outcome.setdefault(k, Counter())[text] += 1
    expected = np.bincount(kind[counted], minlength=len(names))
    hits = expected - np.bincount(kind[missed], minlength=len(names))
    order = np.argsort(-expected, kind="stable")
    proposed = _proposed(comparison)
    rows = [
        BeadType(
            names[k],
            int(expected[k]),
            int(hits[k]),
            dict(outcome.get(k, Counter()).most_common()),
            proposed.pop(names[k], 0),
        )
        for k in order.tolist()
        if expected[k]
    ]
    return rows + [BeadType(name, 0, 0, {}, count) for name, count in proposed.items()]


def _proposed(comparison: Comparison) -> dict[str, int]:
    """Return the number of proposed bisegments of each type, the most frequent first."""
    kind, names = _types(comparison.ground.hyp_sizes)
    counts = np.bincount(kind[np.flatnonzero(comparison.hyp_counts)], minlength=len(names))
    order = np.argsort(-counts, kind="stable")
    return {names[k]: int(counts[k]) for k in order.tolist() if counts[k]}


def pool(parts: Iterable[list[BeadType]]) -> list[BeadType]:
    """Add up the breakdowns of several texts."""
    total: dict[str, list[BeadType]] = {}
    for rows in parts:
        for row in rows:
            total.setdefault(row.type, []).append(row)
    pooled = []
    for name, rows in total.items():
        became = Counter[str]()
        for row in rows:
            became.update(row.became)
        numbers = [[row.expected, row.found, row.proposed] for row in rows]
        expected, found, proposed = map(sum, zip(*numbers, strict=True))
        pooled.append(BeadType(name, expected, found, dict(became.most_common()), proposed))
    return sorted(pooled, key=lambda row: -row.expected)


def _types(
    sizes: tuple[Ints, Ints],
) -> tuple[Ints, list[str]]:
    """Return the bead type of each bisegment as a number, and the names of the numbers."""
    types, kind = kinds(*sizes)
    return kind, [f"{n}-{m}" for n, m in types]


def _outcomes(
    gold: Beads, hyp: Beads, missed: Ints, comparison: Comparison, most: int
) -> list[str]:
    """Return the outcome of each missed bisegment; equal outcomes are formatted once."""
    sides = [
        (take(gold.src, missed), hyp.src, comparison.ground.src.size),
        (take(gold.tgt, missed), hyp.tgt, comparison.ground.tgt.size),
    ]
    shared_counts = (
        np.bincount(other.idx, minlength=n)[missed_rows.idx].sum()
        for missed_rows, other, n in sides
    )
    if sum(shared_counts) > most:
        return [TOO_MANY] * missed.size
    pairs = [_sharing(missed_rows, other, n) for missed_rows, other, n in sides]
    n_hyp = max(len(hyp.src.ptr) - 1, 1)
    both = np.unique(np.concatenate([bead * n_hyp + other for bead, other in pairs]))
    bead, other = both // n_hyp, both % n_hyp
    counted = comparison.hyp_counts[other]
    bead, other = bead[counted], other[counted]
    kind, names = _types(comparison.ground.hyp_sizes)
    # A type and its number as one number, so that an outcome is a set of numbers.
    size = len(names) or 1
    typed, count = np.unique(bead * size + kind[other], return_counts=True)
    members = typed % size + size * count
    outcome = Rows(prefix(np.bincount(typed // size, minlength=missed.size)), members)
    order = np.lexsort((members, row_of(outcome)))
    outcome = Rows(outcome.ptr, members[order])
    none = Rows(np.zeros(missed.size + 1, dtype=np.int64), np.zeros(0, dtype=np.int64))
    ids = identify(outcome, none)
    _, first = np.unique(ids, return_index=True)
    words: dict[int, str] = {}
    for k in first.tolist():
        parts = [(names[m % size], m // size) for m in outcome.row(k).tolist()]
        names_of = [name if n == 1 else f"{n} × {name}" for name, n in sorted(parts)]
        words[int(ids[k])] = " + ".join(names_of) or "nothing"
    return [words[k] for k in ids.tolist()]


def _sharing(missed_rows: Rows, other: Rows, size: int) -> tuple[Ints, Ints]:
    """Return the pairs of rows that share a member, with repeats."""
    holders = _holders(other, size)
    lengths = holders.lengths[missed_rows.idx]
    return np.repeat(row_of(missed_rows), lengths), take(holders, missed_rows.idx).idx


def _holders(rows: Rows, size: int) -> Rows:
    """Return the rows that contain each member."""
    order = np.argsort(rows.idx, kind="stable")
    return Rows(prefix(np.bincount(rows.idx, minlength=size)), row_of(rows)[order])


def worst_places(comparison: Comparison, most: int | None = None) -> list[Place]:
    """Return the places where the two differ, the greatest error first.

    A place is a set of missed and wrong bisegments linked by common segments.
    """
    ground, laid = comparison.ground, comparison.overlay
    gold = np.flatnonzero(~comparison.gold_exact & comparison.gold_counts)
    hyp = np.flatnonzero(~comparison.hyp_exact & comparison.hyp_counts)
    if not gold.size + hyp.size:
        return []
    # Places are the connected components of the graph between bisegments and their segments.
    bead, segment = [], []
    for offset, beads, chosen in ((0, ground.gold, gold), (gold.size, ground.hyp, hyp)):
        for shift, rows in ((0, beads.src), (ground.src.size, beads.tgt)):
            part = take(rows, chosen)
            bead.append(row_of(part) + offset)
            segment.append(part.idx + shift)
    links = np.concatenate(bead), np.concatenate(segment)
    label = linked_labels(*links, gold.size + hyp.size, ground.src.size + ground.tgt.size)
    places, label = np.unique(label, return_inverse=True)
    k = WEIGHTS.index("character") if ground.src.texts and ground.tgt.texts else 0
    wrong = laid.expected[k] + laid.proposed[k] - 2 * laid.hits[k]
    # Errors are counted by source segment; each lies in one place, since its bisegments are linked.
    of_source = np.full(ground.src.size, -1, dtype=np.int64)
    sources = links[1] < ground.src.size
    of_source[links[1][sources]] = label[links[0][sources]]
    weight = np.zeros(places.size, dtype=np.int64)
    np.add.at(weight, of_source[of_source >= 0], wrong[of_source >= 0])
    size = np.bincount(label, minlength=places.size)
    ranked = np.lexsort((np.arange(places.size), -size, -weight))[:most]
    member = np.argsort(label, kind="stable")
    begin = prefix(size)
    out = []
    for place in ranked.tolist():
        items = member[begin[place] : begin[place + 1]]
        gold_items, hyp_items = items[items < gold.size], items[items >= gold.size] - gold.size
        out.append(
            Place(
                tuple(gold[gold_items].tolist()), tuple(hyp[hyp_items].tolist()), int(weight[place])
            )
        )
    return out


def linked_labels(bead: Ints, segment: Ints, beads: int, segments: int) -> Ints:
    """Label bisegments so that those linked by common segments share a label.

    Each round passes the least label along the links, and then replaces each label by the label of
    its bisegment, which halves the length of chains.
    """
    label = np.arange(beads)
    while True:
        least = np.full(segments, beads, dtype=np.int64)
        np.minimum.at(least, segment, label[bead])
        new = label.copy()
        np.minimum.at(new, bead, least[segment])
        np.minimum.at(new, label, new.copy())
        new = new[new]
        if np.array_equal(new, label):
            return label
        label = new
