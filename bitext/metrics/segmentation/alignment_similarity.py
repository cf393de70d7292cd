"""A: the similarity of two segmentations by the alignment of their segments.

Metrics over boundaries look at each boundary by itself. A looks at segments: each is aligned to the
closest of the other side, and the similarity is the mean Jaccard index of the pairs so found. It
grades by how much of the text two segments share, where boundary metrics see an error or none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from bitext.errors import OptionError
from bitext.metrics.registry import metric
from bitext.metrics.segmentation.pairs import Pairs, Side
from bitext.metrics.segmentation.segment_alignment import (
    Closeness,
    Edges,
    closest_edges,
    measure,
    overlapping,
)
from bitext.model import Ratio, Ratios

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bitext.model import Segmentation

__all__ = ["alignment_similarity"]

Scoring = Literal["edges", "best", "degree", "growing"]
Penalty = Literal["hard", "soft"]

_SCORINGS = ("edges", "best", "degree", "growing")
_MOST_EDGES = 53  # of a segment: 2**52 is the largest penalty, so that sums of floats are exact
_PENALTIES = ("hard", "soft")


def _alignment_similarity(
    pairs: Pairs,
    *,
    closeness: Closeness = "intersect",
    weight: Closeness = "jaccard",
    threshold: float = 0.0,
    penalty: Penalty = "hard",
    scoring: Scoring = "edges",
) -> Ratios:
    if scoring not in _SCORINGS:
        raise OptionError(f"scoring {scoring!r} is not known: want one of {', '.join(_SCORINGS)}")
    if penalty not in _PENALTIES:
        raise OptionError(f"penalty {penalty!r} is not known: want one of {', '.join(_PENALTIES)}")
    if not isinstance(threshold, int | float) or not 0 <= threshold <= 1:
        raise OptionError(f"the threshold is {threshold!r}: want a weight from 0 to 1")
    # The mean over edges needs them only as a mask; the other scorings look at edges alone.
    edges = (overlapping if scoring == "edges" else closest_edges)(pairs, closeness)
    weights = measure(weight, edges.shared, edges.gold_mass, edges.hyp_mass, what="weight")
    if threshold:
        lowered = 0.0 if penalty == "hard" else weights * weights / threshold
        weights = np.where(weights < threshold, lowered, weights)
    if scoring == "best":
        return _best(pairs, edges, weights)
    if scoring == "degree":
        weights = weights / np.maximum(_degree(edges.gold), _degree(edges.hyp))
    starts = np.searchsorted(edges.gold, pairs.gold.ptr)
    kept = edges.by_gold | edges.by_hyp
    weights = weights * kept
    totals = _sums(weights, starts)
    if scoring == "growing":
        totals = totals - _penalties(pairs.gold, edges.gold) - _penalties(pairs.hyp, edges.hyp)
    return Ratios(totals, _sums(kept, starts))


def _sums(values: NDArray[Any], starts: NDArray[np.int64]) -> NDArray[Any]:
    """Return the sum of each pair's values; no pair is without one."""
    kind = np.int64 if values.dtype == bool else None
    return np.add.reduceat(values, starts[:-1], dtype=kind) if starts.size > 1 else values[:0]


def _degree(segment: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return for each edge how many edges its segment has."""
    return np.bincount(segment)[segment]


def _penalties(side: Side, segment: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return of each pair the sum over the segments of a side of 2^(edges - 1) - 1."""
    edges = np.bincount(segment, minlength=side.bounds.size - 1)
    return np.asarray(_sums(np.exp2(np.minimum(edges, _MOST_EDGES) - 1) - 1, side.ptr))


def _best(pairs: Pairs, edges: Edges, weights: NDArray[np.float64]) -> Ratios:
    """Average over the segments of both sides the weight of their best edge."""
    total = np.zeros(len(pairs))
    for side, segment in ((pairs.gold, edges.gold), (pairs.hyp, edges.hyp)):
        # Every segment has an edge, so the edges of segment s begin where s first stands.
        begins = np.searchsorted(segment, np.arange(side.bounds.size - 1))
        best = np.maximum.reduceat(weights, begins) if begins.size else weights
        total += _sums(best, side.ptr)
    return Ratios(total, pairs.gold.segments + pairs.hyp.segments)


@metric(
    "alignment-similarity",
    over="segmentation",
    better="higher",
    source="Ocampo Diaz and Ouyang 2022",
    pairs=_alignment_similarity,
)
def alignment_similarity(
    gold: Segmentation,
    hyp: Segmentation,
    *,
    closeness: Closeness = "intersect",
    weight: Closeness = "jaccard",
    threshold: float = 0.0,
    penalty: Penalty = "hard",
    scoring: Scoring = "edges",
) -> Ratio:
    """A, the mean weight of the edges that join each segment to the closest of the other side.

    Between 0 and 1 (with `growing` also below 0); higher is better. By default above 0, 1 for equal
    segmentations and only for them (but for rounding, in texts of 2**53 units and more), and
    symmetric in `gold` and `hyp`. It is not the same for both texts reversed, as ties go to the
    left: (1, 2, 3) and (2, 2, 2) have 11/24, (3, 2, 1) and (2, 2, 2) have 1/2.

    Parameters
    ----------
    gold, hyp : Segmentation
        Of the same n units.
    closeness : str or callable
        By which a segment chooses: `intersect` (overlap / own length; the paper's), `jaccard`,
        `dice`, `overlap` (overlap / length of the shorter), or a function of arrays (overlap, own
        length, other's length). Ties go to the higher Jaccard index, then to the left.
    weight : str or callable
        The weight of an edge, likewise. With `overlap` a segment within another weighs 1;
        `intersect` is the share of the gold segment, and not symmetric.
    threshold : float
        Edges with a weight below it are penalised. 0: none is.
    penalty : {"hard", "soft"}
        What becomes of the weight w of an edge below the threshold t: 0, or w * w / t.
    scoring : {"edges", "best", "degree", "growing"}
        The mean over the distinct edges; the mean over the segments of both sides, each with its
        best edge alone; the mean over the edges, each weight divided by the larger number of
        edges that one of its two segments has; or the sum over the edges less a penalty of
        2^(d - 1) - 1 for each segment of d edges, over the number of edges: one segment for many
        costs more than several for a few each, and the figure may be below 0 (the penalty of a
        segment is 2^52 at most).

    Returns
    -------
    Ratio
        The sum of the weights over the number of edges, so texts pool edge by edge. Always
        defined: two texts of one unit are equal, 1.

    Raises
    ------
    SegmentationError
        When the two do not have the same number of units.
    OptionError
        When an option has a value that is not allowed.

    Notes
    -----
    **Source**: G. Ocampo Diaz and J. Ouyang, An alignment-based approach to text segmentation
    similarity scoring, CoNLL 2022. The edges themselves:
    `bitext.metrics.segmentation.segment_alignment`.

    **Departures**: the paper names a threshold and other ways to score the alignment; the formulas
    of both are ours. Section 3 has a penalty that grows with the number of edges of a segment:
    against six single units it is to favour [2, 2, 2] over [1, 1, 4]. `growing` does (0 and -2/3);
    `edges` gives 1/2 for both, `degree` 1/4 and 3/8, `best` 1/2 and 7/12. Its figure 9 prints 0.58,
    which cannot be had from the pair it describes.

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

    """
    return _alignment_similarity(
        Pairs.of([gold], [hyp]),
        closeness=closeness,
        weight=weight,
        threshold=threshold,
        penalty=penalty,
        scoring=scoring,
    )[0]
