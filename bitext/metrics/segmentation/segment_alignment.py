"""Segment alignment of two segmentations of one text, and A, the similarity made of it.

Each segment of either side is aligned to the segment of the other that is closest to it: their
*maximum likelihood alignment* (Ocampo Diaz and Ouyang 2022). The edges, made undirected, join
segments to groups that follow one another along the text. Between two groups a boundary of the one
side answers one of the other, in its place or shifted; within a group, boundaries of the gold
standard are missing and those of the hypothesis are extra.

All of it rests on the overlap sweep (`bitext.kernels.overlap`): O(m1 + m2) for m1 and m2 segments,
whatever their lengths.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bitext.errors import OptionError, check_one_of
from bitext.kernels.arrays import Bools, Floats, Ints
from bitext.kernels.overlap import overlap
from bitext.metrics.registry import is_number, pair_metric
from bitext.metrics.segmentation import Pairs, Side
from bitext.metrics.segmentation.boundary_edits import is_typed
from bitext.model import Ratios, Segmentation
from bitext.notebooks import InNotebooks

# The closeness of a segment to another: a function of overlap, own length and other length.
Closeness = (
    Literal["intersect", "jaccard", "dice", "overlap"]
    | Callable[["Ints", "Ints", "Ints"], "Floats"]
)

CLOSENESS: dict[str, Callable[[Ints, Ints, Ints], Floats]] = {
    "intersect": lambda shared, own, _: shared / own,
    "jaccard": lambda shared, own, other: shared / (own + other - shared),
    "dice": lambda shared, own, other: 2 * shared / (own + other),
    "overlap": lambda shared, own, other: shared / np.minimum(own, other),
}


_KINDS: tuple[Literal["match", "shift", "split", "merge", "mixed"], ...] = (
    *("match", "shift", "split", "merge", "mixed"),
)


class Edge(NamedTuple):
    """Two segments that belong together."""

    gold: int  # the index of the gold segment
    hyp: int  # the index of the proposed segment
    overlap: int  # the units that both have
    union: int  # the units that either has
    weight: float  # the weight of the edge: by default the Jaccard index
    # Which of the two has the other as its closest; `neither` only in a spanning tree.
    chosen_by: Literal["gold", "hyp", "both", "neither"]


class DirectedEdge(NamedTuple):
    """An edge from a segment of one side to a segment of the other."""

    side: Literal["gold", "hyp"]  # the side of the segment that the edge comes from
    segment: int  # the index of the segment
    other: int  # the index of the one on the other side
    overlap: int  # the units that both have
    weight: float  # the weight, for which the segment that the edge comes from has the own length


class Edges(NamedTuple):
    """The distinct edges of many pairs, in order along the line."""

    # `gold`, `hyp`: the segments, as numbered on the line of all pairs.
    gold: Ints
    hyp: Ints
    # `shared`, `gold_mass`, `hyp_mass`: the overlap, and the lengths of the two.
    shared: Ints
    gold_mass: Ints
    hyp_mass: Ints
    # `by_gold`, `by_hyp`: whether the gold segment chose the other, and whether it was chosen by
    # it.
    by_gold: Bools
    by_hyp: Bools


def overlapping(pairs: Pairs, closeness: Closeness = "intersect") -> Edges:
    """Return every pair of segments that overlap, with who chose whom; many are no edge."""
    pieces = overlap(pairs.gold.bounds, pairs.hyp.bounds)
    first, second, shared = pieces.first, pieces.second, pieces.end - pieces.start
    own, other = np.diff(pairs.gold.bounds)[first], np.diff(pairs.hyp.bounds)[second]
    by_gold, by_hyp = (np.zeros(shared.size, dtype=bool) for _ in range(2))
    by_gold[_closest(first, shared, own, other, closeness)] = True
    by_hyp[_closest(second, shared, other, own, closeness)] = True
    return Edges(first, second, shared, own, other, by_gold, by_hyp)


def closest_edges(pairs: Pairs, closeness: Closeness = "intersect") -> Edges:
    """Align each segment of either side to the closest of the other.

    Of segments equally close the one with the higher Jaccard index is taken, then the leftmost.
    """
    edges = overlapping(pairs, closeness)
    chosen_edges = np.flatnonzero(edges.by_gold | edges.by_hyp)
    return Edges._make(column[chosen_edges] for column in edges)


def _closest(group: Ints, shared: Ints, own: Ints, other: Ints, closeness: Closeness) -> Ints:
    """Return the edge each segment chooses; `group` is ascending, and every segment has some."""
    if not group.size:
        return group
    starts = np.append(0, np.flatnonzero(group[1:] != group[:-1]) + 1)
    longest, edges = int(other.max()) + 1, group.size
    if closeness == "intersect" and longest * longest * edges < 2**62:
        # With equal overlap the shorter one has the higher Jaccard index, and of those as short
        # the first is taken: one whole number ranks them, and its remainder is the edge.
        rank = shared * longest
        rank -= other
        rank *= edges
        rank -= np.arange(edges)
        return -np.maximum.reduceat(rank, starts) % edges
    close = measure(closeness, shared, own, other)
    best = close == np.maximum.reduceat(close, starts)[group]
    jaccard = np.where(best, shared / (own + other - shared), -1.0)
    best = jaccard == np.maximum.reduceat(jaccard, starts)[group]
    # The leftmost of those left: an edge is the first of its group that is best.
    places = np.flatnonzero(best)
    first = np.ones(places.size, dtype=bool)
    np.not_equal(group[places[1:]], group[places[:-1]], out=first[1:])
    return places[first]


def measure(
    name: Closeness, shared: Ints, own: Ints, other: Ints, *, what: str = "closeness"
) -> Floats:
    """Return the closeness of segments to others, or their weight, by name or by a function.

    Raises `OptionError` when there is no such name, or the function gives other than one number an
    edge.
    """
    if callable(name):
        try:
            values = np.asarray(name(shared, own, other), dtype=np.float64)
        except (TypeError, ValueError) as error:
            raise OptionError(f"the function of {what} gives no numbers: {error}") from error
        if values.shape != shared.shape or not np.isfinite(values).all():
            raise OptionError(f"the function of {what} gives other than one number an edge")
        return values
    if not isinstance(name, str) or name not in CLOSENESS:
        raise OptionError(
            f"{what} {name!r} is not known: want one of {', '.join(CLOSENESS)} or a function "
            f"of (overlap, own, other)"
        )
    return CLOSENESS[name](shared, own, other)


class Group(NamedTuple):
    """Segments joined by edges: a stretch of both sides."""

    # `match` (one segment, the same on both sides), `shift` (one and one, not the same), `split`
    # (one gold segment, several proposed ones), `merge` (several gold segments, one proposed) or
    # `mixed`.
    kind: Literal["match", "shift", "split", "merge", "mixed"]
    # `gold`, `hyp`: the segments.
    gold: range
    hyp: range
    # `missing`, `extra`: the positions of the gold boundaries, and of the proposed ones, within the
    # group.
    missing: tuple[int, ...]
    extra: tuple[int, ...]
    # `start_shift`, `end_shift`: how far right of the gold standard's the group's ends are in the
    # hypothesis, in units.
    start_shift: int
    end_shift: int


class BoundaryReading(NamedTuple):
    """What became of a boundary."""

    kind: Literal["match", "shift", "missing", "extra"]
    gold: int | None  # its position in the gold standard
    hyp: int | None  # its position in the hypothesis

    @property
    def shift(self) -> int:
        """How far right of the gold standard's it is in the hypothesis, in units."""
        return 0 if self.gold is None or self.hyp is None else self.hyp - self.gold


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SegmentAlignment(InNotebooks):
    """The maximum likelihood alignment of two segmentations, as data.

    Attributes
    ----------
    pairs : Pairs
        The two segmentations, laid out.
    found : Edges
        The distinct edges, as arrays.
    weights : array of float64
        The weight of each edge.
    weight : str or callable
        The weight of an edge, as in `segment_alignment`.
    spanning : bool
        Whether the edges are those of a spanning tree, which every edge joins in both directions.

    """

    pairs: Pairs
    found: Edges
    weights: Floats
    weight: Closeness = "jaccard"
    spanning: bool = False

    @property
    def edges(self) -> list[Edge]:
        """The distinct edges, from left to right."""
        e = self.found
        union = e.gold_mass + e.hyp_mass - e.shared
        names: list[Literal["gold", "hyp", "both", "neither"]]
        names = ["neither", "gold", "hyp", "both"]
        by = [names[k] for k in (e.by_gold + 2 * e.by_hyp).tolist()]
        columns = (e.gold, e.hyp, e.shared, union, self.weights)
        rows = zip(*(column.tolist() for column in columns), by, strict=True)
        return [Edge(*row) for row in rows]

    @property
    def directed(self) -> list[DirectedEdge]:
        """The edges from gold segments to the other side, then those from hypothesis segments.

        An edge that both segments chose is there in both directions.
        """
        e = self.found
        out = []
        sides: list[tuple[Literal["gold", "hyp"], Any, Any, Any, Any, Any]] = [
            ("gold", e.gold, e.hyp, e.gold_mass, e.hyp_mass, e.by_gold),
            ("hyp", e.hyp, e.gold, e.hyp_mass, e.gold_mass, e.by_hyp),
        ]
        for side, segments, others, own, other, chosen in sides:
            weights = measure(self.weight, e.shared, own, other, what="weight")
            rows = np.flatnonzero(chosen | self.spanning)
            columns = (column[rows].tolist() for column in (segments, others, e.shared, weights))
            out += [DirectedEdge(side, *row) for row in zip(*columns, strict=True)]
        return out

    @property
    def groups(self) -> list[Group]:
        """The groups of segments that edges join, from left to right."""
        cuts = np.flatnonzero(self._apart()) + 1
        starts = [0, *cuts.tolist()]
        ends = [*cuts.tolist(), self.found.gold.size]
        return [self._group(*span) for span in zip(starts, ends, strict=True)]

    def boundaries(self) -> list[BoundaryReading]:
        """Return the outcome of each boundary, from left to right.

        A boundary between two groups matches the other side's or is shifted; one within a group
        is missing or extra.
        """
        out = []
        for group in self.groups:
            inner: list[BoundaryReading] = [
                *(BoundaryReading("missing", at, None) for at in group.missing),
                *(BoundaryReading("extra", None, at) for at in group.extra),
            ]
            out += sorted(inner, key=lambda r: (r.gold if r.gold is not None else r.hyp, r.kind))
            gold = int(self.pairs.gold.bounds[group.gold.stop])
            hyp = int(self.pairs.hyp.bounds[group.hyp.stop])
            out.append(BoundaryReading("shift" if group.end_shift else "match", gold, hyp))
        return out[:-1]  # the end of the text is not a boundary

    def __repr__(self) -> str:
        kinds = Counter(group.kind for group in self.groups)
        numbers = ", ".join(f"{kind}: {kinds[kind]}" for kind in _KINDS if kinds[kind])
        sizes = [side.bounds.size - 1 for side in (self.pairs.gold, self.pairs.hyp)]
        return (
            f"<SegmentAlignment: {sizes[0]} and {sizes[1]} segments, {self.found.gold.size} edges "
            f"({numbers})>"
        )

    def _apart(self) -> Bools:
        """Mark the edges that share no segment with the edge before."""
        e = self.found
        return (np.diff(e.gold) > 0) & (np.diff(e.hyp) > 0)

    def _group(self, start: int, end: int) -> Group:
        e, gold, hyp = self.found, self.pairs.gold.bounds, self.pairs.hyp.bounds
        golds = range(int(e.gold[start]), int(e.gold[end - 1]) + 1)
        hyps = range(int(e.hyp[start]), int(e.hyp[end - 1]) + 1)
        shifts = int(hyp[hyps.start] - gold[golds.start]), int(hyp[hyps.stop] - gold[golds.stop])
        kind: Literal["match", "shift", "split", "merge", "mixed"] = "mixed"
        if len(golds) == len(hyps) == 1:
            kind = "shift" if any(shifts) else "match"
        elif len(golds) == 1:
            kind = "split"
        elif len(hyps) == 1:
            kind = "merge"
        missing = tuple(gold[golds.start + 1 : golds.stop].tolist())
        extra = tuple(hyp[hyps.start + 1 : hyps.stop].tolist())
        return Group(kind, golds, hyps, missing, extra, *shifts)


def segment_alignment(
    gold: Segmentation,
    hyp: Segmentation,
    *,
    closeness: Closeness = "intersect",
    weight: Closeness = "jaccard",
    alignment: Alignment = "closest",
) -> SegmentAlignment:
    """Align the segments of two segmentations of one text.

    Each segment of either side is aligned to the closest of the other; of those equally close to
    the one with the higher Jaccard index, then to the leftmost. An edge found from both sides
    is one.

    Parameters
    ----------
    gold, hyp : Segmentation
        Of the same units.
    closeness, weight : str or callable
        `intersect` (overlap / own length), `jaccard`, `dice`, `overlap` (overlap / length of the
        shorter), or a function of arrays (overlap, own length, other's length). For a weight the
        gold segment's is the own length; for that of a directed edge, the one it comes from.
    alignment : {"closest", "tree"}
        Each segment with its closest one, or the maximum spanning tree: all that overlap.

    Raises
    ------
    SegmentationError
        When the two do not have the same number of units.
    OptionError
        When a closeness is not known.

    Notes
    -----
    **Source**: G. Ocampo Diaz and J. Ouyang, An alignment-based approach to text segmentation
    similarity scoring, CoNLL 2022, section 3; directed edges and spanning trees are its future
    work, of which the details are ours.

    **Cost**: O(m1 + m2) for segmentations of m1 and m2 segments. Comparisons are exact for
    segments of up to 2**26 units (with `intersect` up to 2**31).

    Examples
    --------
    >>> from bitext import Segmentation
    >>> result = segment_alignment(Segmentation([5, 5, 1, 3]), Segmentation([7, 3, 1, 3]))
    >>> result
    <SegmentAlignment: 4 and 4 segments, 4 edges (match: 2, shift: 2)>
    >>> [(e.gold, e.hyp, f"{e.overlap}/{e.union}") for e in result.edges]
    [(0, 0, '5/7'), (1, 1, '3/5'), (2, 2, '1/1'), (3, 3, '3/3')]
    >>> [(r.kind, r.gold, r.hyp, r.shift) for r in result.boundaries()]
    [('shift', 5, 7, 2), ('match', 10, 10, 0), ('match', 11, 11, 0)]

    The share of each segment that its closest has, in both directions:

    >>> one, many = Segmentation([6]), Segmentation([2, 4])
    >>> result = segment_alignment(one, many, weight="intersect")
    >>> [(e.side, e.segment, e.other, round(e.weight, 3)) for e in result.directed]
    [('gold', 0, 1, 0.667), ('hyp', 0, 0, 1.0), ('hyp', 1, 0, 1.0)]

    """
    pairs = Pairs.of([gold], [hyp])
    spanning = _is_spanning(alignment)
    edges = (overlapping if spanning else closest_edges)(pairs, closeness)
    weights = measure(weight, edges.shared, edges.gold_mass, edges.hyp_mass, what="weight")
    return SegmentAlignment(pairs, edges, weights, weight, spanning)


# A: the similarity of two segmentations by the alignment of their segments.
#
# Metrics over boundaries compare each boundary by itself. A compares segments: each is aligned to
# the closest segment of the other side, and the similarity is the mean Jaccard index of these
# pairs. It grades by the common part of two segments, where a metric over boundaries has an error
# or none.

#
# The overlaps of two segmentations make a forest. From left to right, each overlap but the first of
# a tree adds one new segment to the tree, since exactly one of the two segments of the overlap
# before ends there; where both end, a new tree begins. So the maximum spanning tree (of a graph in
# which two segments that do not overlap have an edge of weight 0, which is left out) has every
# overlap, whatever the weights.

Scoring = Literal["edges", "best", "degree", "growing"]
Penalty = Literal["hard", "soft"]
Alignment = Literal["closest", "tree"]
Directions = Literal["undirected", "directed", "gold", "hyp"]
TypeWeights = Mapping[int | str, float]

_SCORINGS = ("edges", "best", "degree", "growing")
_ALIGNMENTS = ("closest", "tree")
_DIRECTIONS = ("undirected", "directed", "gold", "hyp")
_MOST_EDGES = 53  # of a segment: 2**52 is the largest penalty, so that sums of floats are exact
_PENALTIES = ("hard", "soft")


def _check(
    scoring: Scoring,
    penalty: Penalty,
    threshold: float,
    edges: Directions,
    type_weights: TypeWeights | None,
) -> None:
    check_one_of("scoring", scoring, _SCORINGS)
    check_one_of("penalty", penalty, _PENALTIES)
    if not is_number(threshold) or not 0 <= threshold <= 1:
        raise OptionError(f"the threshold is {threshold!r}: want a weight from 0 to 1")
    check_one_of("edges", edges, _DIRECTIONS, verb="are")
    if type_weights is not None:
        values = list(type_weights.values()) if isinstance(type_weights, Mapping) else [None]
        if not all(is_number(w) and 0 < w < np.inf for w in values):
            raise OptionError(
                f"type_weights are {type_weights!r:.60}: want a weight above 0 for each type, as "
                f"{{'chapter': 2, 'section': 1}}"
            )
    for option, given in (
        ("edges", edges != "undirected"),
        ("type_weights", type_weights is not None),
    ):
        if scoring != "edges" and given:
            raise OptionError(f"{option} and scoring={scoring!r} exclude each other: want one")


def _families(
    aligned_edges: Edges, edges: Directions, weigh: Callable[[Ints, Ints], Floats]
) -> list[tuple[Floats, Bools]]:
    """Return the weights of the edges of each direction, and the mask of the chosen ones."""
    forth = weigh(aligned_edges.gold_mass, aligned_edges.hyp_mass)
    if edges == "undirected":
        return [(forth, aligned_edges.by_gold | aligned_edges.by_hyp)]
    families = [(forth, aligned_edges.by_gold)] if edges != "hyp" else []
    if edges != "gold":
        families.append(
            (weigh(aligned_edges.hyp_mass, aligned_edges.gold_mass), aligned_edges.by_hyp)
        )
    return families


def _weighed_mean(
    pairs: Pairs,
    aligned_edges: Edges,
    families: list[tuple[Floats, Bools]],
    starts: Ints,
    type_weights: TypeWeights | None,
) -> Ratios:
    """Average the weights of all families of edges, weighed by the types of boundaries."""
    right = of = np.ones(aligned_edges.gold.size)
    if type_weights is not None:
        right, of = _type_shares(pairs, aligned_edges, type_weights)
    total, whole = np.zeros(len(pairs)), np.zeros(len(pairs))
    for weights, counted in families:
        total = total + _sums(weights * right * counted, starts)
        whole = whole + _sums(of * counted, starts)
    return Ratios(total, whole)


def _is_spanning(alignment: Alignment) -> bool:
    check_one_of("alignment", alignment, _ALIGNMENTS)
    return alignment == "tree"


def _type_shares(pairs: Pairs, aligned_edges: Edges, weights: TypeWeights) -> tuple[Floats, Floats]:
    """Return the weight of the types that both segments of an edge have at their ends, and of all.

    Types are compared at the beginnings of both segments and at their ends; weights are the mean
    over the places where either has a boundary. An end of the text has any type.
    """
    known: dict[frozenset[int | str], int] = {}
    kinds = [np.full(side.bounds.size, -1) for side in (pairs.gold, pairs.hyp)]
    for p, both in enumerate(zip(*(pairs.typed or ((), ())), strict=True)):
        typed = is_typed(*both, where=pairs.name(p))
        for of_side, side, segment_types in zip(kinds, (pairs.gold, pairs.hyp), both, strict=True):
            sets = (
                list(segment_types.types or ()) if typed else [_UNTYPED] * (len(segment_types) - 1)
            )
            begin = int(side.ptr[p]) + 1
            of_side[begin : begin + len(sets)] = [known.setdefault(s, len(known)) for s in sets]
    known_sets = list(known)
    right, of, places = (np.zeros(aligned_edges.gold.size) for _ in range(3))
    for end in (0, 1):
        keys = np.stack([kinds[0][aligned_edges.gold + end], kinds[1][aligned_edges.hyp + end]])
        inner = np.flatnonzero((keys >= 0).any(axis=0))
        distinct, key_index = np.unique(keys[:, inner], axis=1, return_inverse=True)
        table = [_common_weight(known_sets, a, b, weights) for a, b in distinct.T.tolist()]
        shares = np.array(table, dtype=np.float64).reshape(-1, 2)[key_index.ravel()]
        right[inner] += shares[:, 0]
        of[inner] += shares[:, 1]
        places[inner] += 1
    bare = places == 0  # two texts of one segment
    right[bare], of[bare], places[bare] = 1, 1, 1
    return right / places, of / places


# The type of boundaries without types, beside which others of the corpus may have some.
_UNTYPED: frozenset[int | str] = frozenset({""})


def _common_weight(
    sets: list[frozenset[int | str]], gold: int, hyp: int, weights: TypeWeights
) -> tuple[float, float]:
    """Return the weight of the types of both of two sets, and of either; -1 is any set."""
    first, second = sets[gold if gold >= 0 else hyp], sets[hyp if hyp >= 0 else gold]
    right, of = (sum(weights.get(t, 1) for t in s) for s in (first & second, first | second))
    return right, of


def _sums(values: NDArray[Any], starts: Ints) -> NDArray[Any]:
    """Return the sum of the values of each pair; every pair has a value."""
    kind = np.int64 if values.dtype == bool else None
    return np.add.reduceat(values, starts[:-1], dtype=kind) if starts.size > 1 else values[:0]


def _degree(segment: Ints) -> Ints:
    """Return the number of edges of the segment of each edge."""
    return np.bincount(segment)[segment]


def _penalties(side: Side, segment: Ints) -> Floats:
    """Return the sum of 2^(edges - 1) - 1 over the segments of a side, for each pair."""
    edges = np.bincount(segment, minlength=side.bounds.size - 1)
    return np.asarray(_sums(np.exp2(np.minimum(edges, _MOST_EDGES) - 1) - 1, side.ptr))


def _best(pairs: Pairs, edges: Edges, weights: Floats) -> Ratios:
    """Average the weight of the best edge over the segments of both sides."""
    total = np.zeros(len(pairs))
    for side, segment in ((pairs.gold, edges.gold), (pairs.hyp, edges.hyp)):
        # Every segment has an edge, so the edges of segment s begin at the first s.
        begins = np.searchsorted(segment, np.arange(side.bounds.size - 1))
        best = np.maximum.reduceat(weights, begins) if begins.size else weights
        total += _sums(best, side.ptr)
    return Ratios(total, pairs.gold.segments + pairs.hyp.segments)


@pair_metric(
    "alignment-similarity",
    better="higher",
    source="Ocampo Diaz and Ouyang 2022",
    unbounded=("scoring",),
)
def alignment_similarity(
    pairs: Pairs,
    *,
    closeness: Closeness = "intersect",
    weight: Closeness = "jaccard",
    threshold: float = 0.0,
    penalty: Penalty = "hard",
    scoring: Scoring = "edges",
    alignment: Alignment = "closest",
    edges: Directions = "undirected",
    type_weights: TypeWeights | None = None,
) -> Ratios:
    """A, the mean weight of the edges that join each segment to the closest of the other side.

    Between 0 and 1 (with `growing` also below 0); higher is better. With the defaults, A is above
    0, is 1 for equal segmentations and no others (except for rounding, in texts of 2**53 units and
    more), and is symmetric in `gold` and `hyp`. It changes when both texts are reversed, as ties go
    to the left: (1, 2, 3) and (2, 2, 2) have 11/24, (3, 2, 1) and (2, 2, 2) have 1/2.

    Parameters
    ----------
    gold, hyp : Segmentation
        Of the same n units.
    closeness : str or callable
        The closeness by which a segment chooses: `intersect` (overlap / own length; the paper's),
        `jaccard`, `dice`, `overlap` (overlap / length of the shorter), or a function of arrays
        (overlap, own length, other length). Ties go to the higher Jaccard index, then to the left.
    weight : str or callable
        The weight of an edge, likewise. With `overlap`, a segment within another weighs 1;
        `intersect` is the share of the gold segment, and not symmetric.
    threshold : float
        The weight below which edges are penalised; 0 for none.
    penalty : {"hard", "soft"}
        The new weight of an edge of weight w below the threshold t: 0, or w * w / t.
    scoring : {"edges", "best", "degree", "growing"}
        The mean over the distinct edges; the mean over the segments of both sides, each with its
        best edge alone; the mean over the edges, each weight divided by the larger number of
        edges of its two segments; or the sum over the edges minus a penalty of 2^(d - 1) - 1 for
        each segment of d edges, over the number of edges. In the last, one segment with many edges
        costs more than several with a few, and the figure may be below 0 (the penalty of a segment
        is at most 2^52).
    alignment : {"closest", "tree"}
        The edges: of each segment to its closest one, or those of the maximum spanning tree. That
        is every pair of segments that overlap, whatever the weights: overlaps make a forest.
    edges : {"undirected", "directed", "gold", "hyp"}
        Whether an edge that both its segments chose counts once, or in both directions; or the
        edges of gold segments alone (how well the hypothesis covers them), or of the hypothesis
        alone. For the weight of a directed edge, the segment it comes from has the own length. Not
        with other scorings.
    type_weights : dict, optional
        The weight of types of boundaries, 1 for those left out: `{}` for equal weights. The
        segments of an edge are compared at their beginnings and at their ends: the edge is
        multiplied by the weight of the types that both have there, and counts as much as the
        weight of the types that either has (the mean of the two places, without ends of the text
        on both sides; an end of the text has any type). `None` ignores types. Not with other
        scorings.

    Returns
    -------
    Ratio
        The sum of the weights over the number of edges, so texts pool edge by edge. Always
        defined, and 1 for two texts of one unit.

    Raises
    ------
    SegmentationError
        When the numbers of units differ.
    OptionError
        When an option has a value that is not allowed.

    Notes
    -----
    **Source**: G. Ocampo Diaz and J. Ouyang, An alignment-based approach to text segmentation
    similarity scoring, CoNLL 2022. `segment_alignment` returns the edges themselves.

    **Departures**: the paper names a threshold, other ways to score the alignment, directed edges,
    weights by type of boundary (footnote 6) and, as future work, the maximum spanning tree, but
    the formulas are ours. Section 3 has a penalty that grows with the number of edges of a
    segment: against six single units it is to favour [2, 2, 2] over [1, 1, 4]. `growing` does (0
    and -2/3); `edges` gives 1/2 for both, `degree` 1/4 and 3/8, `best` 1/2 and 7/12. Its figure 9
    prints 0.58, which does not follow from the pair in the figure.

    **Cost**: O(m1 + m2) for m1 and m2 segments.

    Examples
    --------
    Figure 10 of the paper, 29/35:

    >>> from bitext import Segmentation
    >>> gold = Segmentation([5, 5, 1, 3])
    >>> alignment_similarity(gold, Segmentation([7, 3, 1, 3])).value
    0.8285714285714286
    >>> alignment_similarity(gold, Segmentation([5, 4, 1, 4])).value
    0.6

    A segment with several edges is penalised:

    >>> units = Segmentation([1, 1, 1, 1, 1, 1])
    >>> alignment_similarity(units, Segmentation([2, 2, 2]), scoring="growing").value
    0.0
    >>> round(alignment_similarity(units, Segmentation([1, 1, 4]), scoring="growing").value, 4)
    -0.6667

    A chapter taken for a section costs more where chapters weigh more:

    >>> gold = Segmentation([2, 2, 2], types=[{"section"}, {"chapter"}])
    >>> hyp = Segmentation([2, 2, 2], types=[{"section"}, {"section"}])
    >>> [alignment_similarity(gold, hyp, type_weights={"chapter": w}).value for w in (1, 3)]
    [0.3333333333333333, 0.2]

    """
    _check(scoring, penalty, threshold, edges, type_weights)
    threshold = float(threshold)
    spanning = _is_spanning(alignment)
    # The mean over edges needs a mask over overlaps; the other scorings need the edges alone.
    every = spanning or scoring == "edges"
    aligned_edges = (overlapping if every else closest_edges)(pairs, closeness)

    def weigh(own: Ints, other: Ints) -> Floats:
        weights = measure(weight, aligned_edges.shared, own, other, what="weight")
        if threshold:
            lowered = 0.0 if penalty == "hard" else weights * weights / threshold
            weights = np.where(weights < threshold, lowered, weights)
        return weights

    starts = np.searchsorted(aligned_edges.gold, pairs.gold.ptr)
    typed = type_weights if pairs.typed else None
    if edges != "undirected" or typed is not None:
        families = [
            (weights, chosen | spanning)
            for weights, chosen in _families(aligned_edges, edges, weigh)
        ]
        return _weighed_mean(pairs, aligned_edges, families, starts, typed)
    weights = weigh(aligned_edges.gold_mass, aligned_edges.hyp_mass)
    if scoring == "best":
        return _best(pairs, aligned_edges, weights)
    if scoring == "degree":
        weights = weights / np.maximum(_degree(aligned_edges.gold), _degree(aligned_edges.hyp))
    counted = aligned_edges.by_gold | aligned_edges.by_hyp
    if spanning:
        counted[:] = True
    weights = weights * counted
    totals = _sums(weights, starts)
    if scoring == "growing":
        # Penalties are whole numbers, whose sum is exact: the same for both orders of the sides.
        totals = totals - (
            _penalties(pairs.gold, aligned_edges.gold) + _penalties(pairs.hyp, aligned_edges.hyp)
        )
    return Ratios(totals, _sums(counted, starts))
