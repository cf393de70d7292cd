"""Bisegment similarity of alignments, of one text and of systems on a corpus.

This is a soft score of alignments, which grades near misses. It transfers the alignment-based
similarity of segmentations (Ocampo Diaz and Ouyang 2022) to alignments: each bisegment is aligned
to the closest bisegment of the other alignment, and the score is the mean weight of these edges.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import fsum, isnan, nan, nextafter
from typing import Any, NamedTuple

import numpy as np

from bitext.errors import check_one_of, many
from bitext.kernels.arrays import Floats, Ints, concatenate, identify, prefix, relabel, take
from bitext.kernels.overlap import BeadEdges, Beads, bead_edges
from bitext.metrics.arcade import WEIGHTS, Comparison, Weigher, common_grounds
from bitext.metrics.common_ground import Ground, Side, common_ground
from bitext.metrics.evaluation import BLOCKS_OF_ONE_TEXT, Options, SystemAverages
from bitext.metrics.registry import metric, stored_numbers
from bitext.metrics.significance import Interval, block_cuts, quotients
from bitext.metrics.units import Counter
from bitext.model import Alignment, Bitext, Ratio, Ratios

_REASON = "no bisegment on either side"
_NUMBERS = re.compile(r"([0-9]+)")


def bisegment_edges(
    gold: Bitext | Alignment,
    hyp: Bitext | Alignment,
    *,
    granularity: str = "sentence",
    words: Counter = "space",
    characters: Counter = "codepoint",
    min_matched: float = 0.9,
) -> BeadEdges:
    """Return the edges between the bisegments of two alignments, as arrays.

    `bisegment_similarity`, which has the parameters, is the mean of their weights. An edge has the
    indices of its gold and its proposed bisegment (-1 where one overlaps none of the other
    alignment; of equal bisegments the first), the area that both cover, and the area that either
    covers; `weights` are the quotients of the areas.

    Examples
    --------
    >>> from bitext import Alignment
    >>> gold = Alignment([((0,), (0,)), ((1,), (1, 2))])
    >>> hyp = Alignment([((0,), (0,)), ((), (1,)), ((1,), (2,))])
    >>> edges = bisegment_edges(gold, hyp)
    >>> edges.gold.tolist(), edges.hyp.tolist(), edges.weights.tolist()
    ([0, 1, -1], [0, 2, 1], [1.0, 0.5, 0.0])

    """
    ground = common_ground(gold, hyp, min_matched=min_matched)
    (edges,) = edges_between([ground], (granularity,), Weigher(words, characters))
    return edges


def _bisegment_similarity_many(
    golds: Sequence[Bitext | Alignment],
    hyps: Sequence[Bitext | Alignment],
    *,
    granularity: str = "sentence",
    words: Counter = "space",
    characters: Counter = "codepoint",
    min_matched: float = 0.9,
) -> Ratios:
    grounds = common_grounds(golds, hyps, min_matched)
    (edges,) = edges_between(grounds, (granularity,), Weigher(words, characters))
    return _ratios(edges, grounds)


@metric(
    "bisegment-similarity",
    over="alignment",
    better="higher",
    source="here; after Ocampo Diaz and Ouyang 2022",
    many=_bisegment_similarity_many,
)
def bisegment_similarity(
    gold: Bitext | Alignment,
    hyp: Bitext | Alignment,
    *,
    granularity: str = "sentence",
    words: Counter = "space",
    characters: Counter = "codepoint",
    min_matched: float = 0.9,
) -> Ratio:
    """Mean Jaccard index of the bisegments of two alignments and their closest counterparts.

    Between 0 and 1; 1 is best. F at alignment level counts a bisegment that is off by a sentence as
    wrong; this similarity counts the share of it that is right.

    A bisegment b = (s, t) covers the area |b| = |s| x |t| in the plane of source by target, where
    the size of a side is its number of sentences, words or characters. Then

        closeness(b, c) = |b n c| / |b|      weight(b, c) = |b n c| / |b u c|

    1. Each bisegment of either alignment is aligned to the bisegment of the other with the largest
       closeness; ties go to the largest weight, then to the leftmost.
    2. The edges are undirected and distinct: one that both bisegments choose counts once.
    3. A bisegment that overlaps none of the other alignment is an edge by itself, of weight 0.
    4. The score is the mean weight of the edges.

    An empty side counts as one null segment of size 1, which only empty sides hold: ({}, {2})
    covers null x 2, and overlaps no bisegment but those without a source. A segment of length 0
    (an empty line; at word granularity one without words) has size 1 too, so that no area is empty.
    Bisegments are compared from the left by their first source segment, first target segment, last
    source segment and last target segment, then by source side and target side as sequences.

    Properties:

    - It is symmetric, exactly, over the same texts. If the two have versions of the texts that
      differ, if only in white space, the version of the gold standard is measured.
    - It is 1 if and only if the alignments are equal as sets of bisegments (of pieces, where the
      texts were cut differently), at every granularity; 0 if and only if no bisegment overlaps
      one of the other. A bisegment in both is its own closest, with weight 1.
    - The order of the bisegments does not matter, and repeated ones count once.
    - It changes under reversal of the texts and under exchange of source and target, since ties go
      to the left, and to the source. The tests have the smallest cases.

    Parameters
    ----------
    gold, hyp : Bitext or Alignment
        As in `arcade`: by position or identifier, over the same or different segmentations of the
        same texts, which are then compared on their common pieces, each counted as a sentence.
        Segments without a text stand in the order of their identifiers, numbers in them by value.
    granularity : str
        `sentence`, `word` or `character`: the unit of the size of a side.
    words, characters : str or callable
        How words and characters are counted, as in `arcade`.
    min_matched : float
        As in `arcade`.

    Returns
    -------
    Ratio
        The sum of the weights over the number of edges, so that `+` pools the edges of texts.
        `nan` where neither alignment has a bisegment; 0 if only one has.

    Raises
    ------
    InputError
        When the two have no common ground, texts are missing for the granularity, or an area is
        beyond 2^62.
    OptionError
        When the granularity or a counter is not known.

    Notes
    -----
    **Source**: the similarity A of segmentations in G. Ocampo Diaz and J. Ouyang, An
    Alignment-Based Approach to Text Segmentation Similarity Scoring, CoNLL 2022, with areas for
    lengths; its form for bisegments is defined here.

    **Departures**: segments of two segmentations of one text always overlap another; bisegments
    need not, hence point 3.

    Cost is linear, except for sorting, in the memberships and in the pairs of bisegments that share
    a segment, counted on the side with fewer such pairs; a bisegment in both alignments needs no
    search. 1,000 windows of 1,000 x 1,000 against windows shifted by half make a million pairs. A
    pair with a discontinuous bisegment also costs the runs of the one of the two with fewer. Pairs
    are processed in chunks, so that memory stays linear in the memberships.

    Examples
    --------
    The worked example of the ARCADE page: (1, 1) is in both; (2, 23) and (2, 3) are each other's
    closest with weight 1/2, in words 55/110, in characters 1440/3120; nothing overlaps ({}, 2).

    >>> from bitext import Alignment, Bitext, Text
    >>> src, tgt = Text(["s" * 29, "s" * 60]), Text(["t" * 27, "t" * 28, "t" * 24])
    >>> gold = Bitext(src, tgt, Alignment([((0,), (0,)), ((1,), (1, 2))]))
    >>> hyp = Bitext(src, tgt, Alignment([((0,), (0,)), ((), (1,)), ((1,), (2,))]))
    >>> bisegment_similarity(gold, hyp).value  # (1 + 1/2 + 0) / 3
    0.5
    >>> bisegment_similarity(gold, hyp, granularity="character").value * 39  # (1 + 6/13 + 0) / 3
    19.0

    A near miss and a farther one, with not a bisegment right: the third source segment is put to
    the other bisegment, then the second too.

    >>> gold = Alignment([((0, 1, 2), (0, 1, 2)), ((3, 4, 5), (3, 4, 5))])
    >>> near = Alignment([((0, 1), (0, 1, 2)), ((2, 3, 4, 5), (3, 4, 5))])
    >>> far = Alignment([((0,), (0, 1, 2)), ((1, 2, 3, 4, 5), (3, 4, 5))])
    >>> bisegment_similarity(gold, near).value * 24  # (2/3 + 3/4) / 2
    17.0
    >>> bisegment_similarity(gold, far).value * 15  # (1/3 + 3/5) / 2
    7.0

    """
    return _bisegment_similarity_many(
        [gold],
        [hyp],
        granularity=granularity,
        words=words,
        characters=characters,
        min_matched=min_matched,
    )[0]


def edges_between(
    grounds: Sequence[Ground], granularities: Sequence[str], weigher: Weigher
) -> list[BeadEdges]:
    """Return the edges of several texts at once, at each granularity.

    The bisegments of the texts are numbered one text after the other. Raises `InputError` when
    texts are missing for a granularity, and `OptionError` when a granularity is not known.
    """
    for granularity in granularities:
        check_one_of("granularity", granularity, WEIGHTS)
        for ground in grounds:
            ground.check_texts(granularity)
    chosen = [WEIGHTS.index(granularity) for granularity in granularities]
    lines = [
        _line([ground.src for ground in grounds], chosen, weigher),
        _line([ground.tgt for ground in grounds], chosen, weigher),
    ]
    families, indices = [], []
    for family in ([ground.gold for ground in grounds], [ground.hyp for ground in grounds]):
        beads = _joined(family, lines)
        counted = _counted(beads)
        families.append(Beads(take(beads.src, counted), take(beads.tgt, counted)))
        indices.append(np.append(counted, -1))  # edge index -1, no bisegment, reads the last
    return [
        BeadEdges(indices[0][edges.gold], indices[1][edges.hyp], edges.overlap, edges.union)
        for edges in bead_edges(families[0], families[1], lines[0].weights, lines[1].weights)
    ]


def ratio_of(edges: BeadEdges) -> Ratio:
    """Return the score of one text from its edges."""
    whole = edges.overlap == edges.union
    parts = edges.overlap[~whole] / edges.union[~whole]
    return Ratio(_sum(int(whole.sum()), parts.tolist()), whole.size, reason=_REASON)


def _ratios(edges: BeadEdges, grounds: Sequence[Ground]) -> Ratios:
    """Return the score of each text from the edges of all texts."""
    text = np.zeros(edges.gold.size, dtype=np.int64)
    for family, index in (
        ([ground.gold for ground in grounds], edges.gold),
        ([ground.hyp for ground in grounds], edges.hyp),
    ):
        ends = np.cumsum([len(beads.src.ptr) - 1 for beads in family])
        text[index >= 0] = np.searchsorted(ends, index[index >= 0], side="right")
    whole = edges.overlap == edges.union
    right = np.bincount(text[whole], minlength=len(grounds))
    parts = np.flatnonzero(~whole)
    parts = parts[np.argsort(text[parts], kind="stable")]
    weights = (edges.overlap[parts] / edges.union[parts]).tolist()
    at = prefix(np.bincount(text[parts], minlength=len(grounds)))
    sums = [
        _sum(n, weights[begin:end])
        for n, (begin, end) in zip(right.tolist(), pairwise(at.tolist()), strict=True)
    ]
    return Ratios(sums, right + np.diff(at), reason=_REASON)


def _sum(whole: int, parts: list[float]) -> float:
    """Add `whole` ones and some weights below 1, rounded once, whatever their order.

    The sum is never rounded up to the number of weights unless all of them are 1.
    """
    if not parts:
        return float(whole)
    return min(fsum([whole, *parts]), nextafter(whole + len(parts), 0))


class _Line(NamedTuple):
    """One side of several texts, end to end: their starts, their orders, and all weights."""

    begins: list[int]
    orders: list[Ints | None]
    weights: Ints


def _line(sides: Sequence[Side], chosen: list[int], weigher: Weigher) -> _Line:
    begins = prefix(np.array([side.size for side in sides], dtype=np.int64)).tolist()
    weights = np.ones((len(chosen), begins.pop()), dtype=np.int64)
    if any(chosen):
        for side, begin in zip(sides, begins, strict=True):
            part = weights[:, begin : begin + side.size]
            np.maximum(weigher.weights(side)[chosen], 1, out=part)
    return _Line(begins, [_order(side) for side in sides], weights)


def _order(side: Side) -> Ints | None:
    """Return the rank of each segment by its name, for segments without a text.

    Such segments are numbered in the order of their first occurrence, gold standard first, which
    must not settle a tie. Numbers in names are compared by value.
    """
    if not side.names or side.texts:
        return None
    place = np.empty(side.size, dtype=np.int64)
    keys = [(*map(_by_value, _NUMBERS.split(name)), name) for name in side.names]
    place[sorted(range(side.size), key=keys.__getitem__)] = np.arange(side.size)
    return place


def _by_value(part: str) -> tuple[int, str]:
    """Return the sort key of a part of a name: digits by value, other characters as they are."""
    if not part.isdecimal():
        return 0, part
    number = part.lstrip("0")
    return len(number), number


def _joined(family: Sequence[Beads], lines: Sequence[_Line]) -> Beads:
    sides = []
    for k, line in enumerate(lines):
        parts = [
            beads[k] if order is None else relabel(beads[k], order)
            for beads, order in zip(family, line.orders, strict=True)
        ]
        sides.append(concatenate(parts, line.begins))
    return Beads(*sides)


def _counted(beads: Beads) -> Ints:
    """Return the bisegments that count: the first of equal ones, and none without members.

    A bisegment has no member where the common text has none of its characters.
    """
    _, first = np.unique(identify(*beads), return_index=True)
    has_members = (beads.src.lengths > 0) | (beads.tgt.lengths > 0)
    return np.sort(first[has_members[first]])


# Bisegment similarity of systems on a corpus: averages, intervals, and tests between systems.


_NAME = "bisegment-similarity"


class SimilarityRow(NamedTuple):
    """The bisegment similarity of one system on one text, or on average, at one granularity."""

    system: str
    text: str | None  # `None` for averages
    granularity: str
    average: str  # `text`, `micro` or `macro`
    value: float  # the figure; `nan` if undefined
    ratio: Ratio | None  # the sum of the weights and the number of edges; `None` for macro averages
    interval: Interval | None  # `None` where there are too few units to resample
    undefined: str  # the reason where the value is `nan`
    signature: str  # every choice behind the figure


class SimilarityDifference(NamedTuple):
    """The difference of a system from the baseline at one granularity, and its p."""

    system: str
    baseline: str
    granularity: str
    average: str
    value: float
    p: float


class Measured(NamedTuple):
    """The edges of one system on one text, at each granularity that its texts allow."""

    comparison: Comparison
    edges: dict[str, BeadEdges]


@dataclass(slots=True)
class Similarities:
    """The similarities of systems, collected text by text, and the figures computed from them.

    The sums of each text are stored; for a single text, also its edges.
    """

    systems: Sequence[str]
    options: Options
    _ratios: dict[tuple[int, str], list[Ratio]] = field(default_factory=dict)
    _single: list[Measured] = field(default_factory=list)
    _texts: list[str] = field(default_factory=list)
    _block_state: dict[str, list[list[float]]] | None = None

    @property
    def wanted(self) -> tuple[str, ...]:
        """The requested granularities; all three where only other measures are requested."""
        requested = self.options.measures or WEIGHTS
        return tuple(g for g in WEIGHTS if g in requested) or WEIGHTS

    @property
    def granularities(self) -> list[str]:
        """The granularities that every text and system allows."""
        systems = range(len(self.systems))
        return [
            g
            for g in self.wanted
            if self._texts
            and all(len(self._ratios.get((s, g), [])) == len(self._texts) for s in systems)
        ]

    def measure(self, comparison: Comparison, weigher: Weigher) -> Measured:
        """Measure one system on one text, at every granularity that its texts allow."""
        possible = [g for g in self.wanted if not comparison.ground.missing_texts(g)]
        edges = edges_between([comparison.ground], possible, weigher) if possible else []
        return Measured(comparison, dict(zip(possible, edges, strict=True)))

    def keep(self, text: str, measured: Sequence[Measured]) -> None:
        """Add the measurements of every system on one text."""
        for system, one in enumerate(measured):
            for granularity, edges in one.edges.items():
                self._ratios.setdefault((system, granularity), []).append(ratio_of(edges))
        self._texts.append(text)
        self._single = list(measured) if len(self._texts) == 1 else []

    def rows(
        self,
        *,
        averages: Sequence[str],
        texts: bool,
        blocks: int,
        sizes: Callable[[], Floats] | None,
        sign: Callable[..., str],
    ) -> list[SimilarityRow]:
        """Return the figures: by granularity, system by system, averages before texts.

        `blocks` is the number of blocks of a single text; `sizes` returns the number of gold
        bisegments of each unit, and is `None` if there are no intervals; `sign` is
        `Evaluation.signature`.
        """
        out = []
        for granularity in self.granularities:
            signed = {a: sign(_NAME, granularity, averages=(a,)) for a in (*averages, "text")}
            for system, name in enumerate(self.systems):
                for average in averages:
                    row = self._average(system, granularity, average)
                    row = row._replace(signature=signed[average])
                    if sizes is not None:
                        averages_of = self._averages(granularity, average, blocks, sizes)
                        row = row._replace(interval=averages_of.intervals(system)[0])
                    out.append(row)
                if texts:
                    each = zip(self._texts, self._ratios[system, granularity], strict=True)
                    out += [
                        SimilarityRow(
                            *(name, text, granularity, "text", self._value(ratio), ratio),
                            *(None, ratio.undefined, signed["text"]),
                        )
                        for text, ratio in each
                    ]
        return out

    def differences(
        self, *, average: str, blocks: int, sizes: Callable[[], Floats]
    ) -> list[SimilarityDifference]:
        """Test systems against the baseline, or in all pairs, granularity by granularity."""
        return [
            SimilarityDifference(d.system, d.baseline, granularity, average, *d.values, *d.p)
            for granularity in self.granularities
            for d in self._averages(granularity, average, blocks, sizes).differences()
        ]

    def state(self) -> dict[str, list[tuple[str, list[Any]]]]:
        """Return the sums of the last text by system, as JSON can hold them."""
        state: dict[str, list[tuple[str, list[Any]]]] = {}
        for (system, granularity), ratios in self._ratios.items():
            r = ratios[-1]
            sums = [r.numerator, r.denominator, r.empty, r.reason]
            state.setdefault(str(system), []).append((granularity, sums))
        return state

    def add_state(self, text: str, state: dict[str, list[tuple[str, list[Any]]]]) -> None:
        """Add a text by the sums that `state` returned."""
        for system, rows in state.items():
            for granularity, (*sums, reason) in rows:
                above, below, empty = stored_numbers(sums)
                ratio = Ratio(above, below, empty, reason)
                self._ratios.setdefault((int(system), granularity), []).append(ratio)
        self._texts.append(text)

    def block_state(self, blocks: int) -> dict[str, list[list[float]]]:
        """Return the sums of the blocks of the only text, as JSON can hold them."""
        return {
            f"{system} {granularity}": self._units(system, granularity, blocks).tolist()
            for system, granularity in self._ratios
        }

    def add_block_state(self, state: dict[str, list[list[float]]]) -> None:
        """Set the blocks of the only text to those that `block_state` returned."""
        self._block_state = state

    def _value(self, ratio: Ratio) -> float:
        return self.options.zero_division if isnan(ratio.value) else ratio.value

    def _average(self, system: int, granularity: str, average: str) -> SimilarityRow:
        """Return an average, without its interval and signature."""
        ratios = self._ratios[system, granularity]
        total = sum(ratios[1:], ratios[0])
        value, undefined = self._value(total), total.undefined
        if average == "macro":
            each = [self._value(ratio) for ratio in ratios]
            known = [v for v in each if not isnan(v)]
            value = sum(known) / len(known) if known else nan
            bare = sum(isnan(ratio.value) for ratio in ratios)
            texts = f"{many(bare, 'text')}"
            state = "undefined and left out" if len(known) < len(each) else "undefined"
            undefined = f"{state}: similarity of {texts}" if bare else ""
        return SimilarityRow(
            self.systems[system],
            None,
            granularity,
            average,
            value,
            total if average == "micro" else None,
            None,
            undefined,
            "",
        )

    def _averages(
        self, granularity: str, average: str, blocks: int, sizes: Callable[[], Floats]
    ) -> SystemAverages:
        return SystemAverages(
            systems=self.systems,
            options=self.options,
            units=lambda system: self._units(system, granularity, blocks),
            values=lambda system: [self._average(system, granularity, average).value],
            of=quotients,
            # The blocks of one text make no macro average of their own.
            macro=average == "macro" and len(self._texts) > 1,
            what="texts" if len(self._texts) > 1 else BLOCKS_OF_ONE_TEXT,
            sizes=sizes,
        )

    def _units(self, system: int, granularity: str, count: int) -> Floats:
        """Return the sum of weights and the number of edges of each text, or each block of one."""
        if len(self._texts) > 1:
            rows = [(r.numerator, r.denominator) for r in self._ratios[system, granularity]]
            return np.array(rows, dtype=np.float64)
        if self._block_state is not None:
            return np.array(self._block_state[f"{system} {granularity}"], dtype=np.float64)
        comparison, edges = self._single[system].comparison, self._single[system].edges[granularity]
        gold, hyp = comparison.anchors()
        cuts = block_cuts(gold, count)
        # An edge belongs to its gold bisegment; index -1, for none, reads the last entry.
        at = np.where(edges.gold < 0, np.append(hyp, -1)[edges.hyp], gold[edges.gold])
        place = np.searchsorted(cuts, at, side="right")
        columns = (edges.weights, None)
        return np.stack([np.bincount(place, w, minlength=count) for w in columns], axis=1)
