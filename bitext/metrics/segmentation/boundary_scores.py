"""Precision, recall and F of boundaries and of segments, accuracy, slot errors, the Rand index.

Only the slot error rate uses the types of boundaries. With `closing`, the boundary at the end of a
text, which both sides have, also counts.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bitext.kernels.arrays import Ints
from bitext.kernels.matching import match_points
from bitext.kernels.overlap import overlap
from bitext.metrics.registry import pair_metric, whole
from bitext.metrics.segmentation import Pairs
from bitext.metrics.segmentation.boundary_edits import Unmatched, is_typed, spaced, unmatched
from bitext.model import Ratios, Segmentation
from bitext.model.counts import CountsTable

_FIGURES = ("precision", "recall", "f1")


def _counts(hits: Ints, proposed: Ints, expected: Ints) -> CountsTable:
    return CountsTable(np.stack([hits, proposed, expected, hits], axis=1))


def _unmatched_counts(pairs: Pairs) -> Ints:
    places = unmatched(pairs.gold.boundaries, pairs.hyp.boundaries).places
    return np.diff(np.searchsorted(places, pairs.starts))


@pair_metric("boundary", better="higher", source="textbook", measures=_FIGURES)
def boundary_f(pairs: Pairs, *, tolerance: int = 0, closing: bool = False) -> CountsTable:
    """Precision, recall and F of boundaries.

    All between 0 and 1; 1 is best. A boundary is right when gold has one at the same position, or
    at most `tolerance` units away. Boundaries are matched one to one, and as many as possible are
    matched. Exchanging the two sides exchanges precision and recall.

    Parameters
    ----------
    gold, hyp : Segmentation
        Two segmentations of the same units.
    tolerance : int
        The greatest distance of a boundary that is right, in units.
    closing : bool
        Whether the boundary at the end of the text counts; it is right.

    Returns
    -------
    Counts
        Hits, boundaries of the hypothesis, boundaries of gold. If a side has no boundary, as
        with one unit, its ratio is `nan`: 0/0.

    Raises
    ------
    OptionError
        When the tolerance is not a whole number from 0.
    SegmentationError
        When the numbers of units differ.

    Notes
    -----
    **Source**: the textbook measure.

    **Departures**: with a tolerance, some count a boundary as right for any near boundary, so that
    one boundary can match two. Here it matches one.

    Examples
    --------
    >>> from bitext import Segmentation
    >>> gold, hyp = Segmentation([2, 2, 5, 5]), Segmentation([2, 3, 9])
    >>> boundary_f(gold, hyp).f1, boundary_f(gold, hyp, tolerance=1).f1
    (0.4, 0.8)

    """
    tolerance = whole("tolerance", tolerance, "units")
    expected, proposed = pairs.gold.segments - 1, pairs.hyp.segments - 1
    end = int(closing)
    if not tolerance:
        hits = (expected + proposed - _unmatched_counts(pairs)) // 2
        return _counts(hits + end, proposed + end, expected + end)
    # Three places a unit, gold at the first and the hypothesis at the second: no two points share
    # a place, and two are within tolerance when they are within 3 * tolerance + 1 places.
    keys = np.concatenate([pairs.gold.boundaries * 3, pairs.hyp.boundaries * 3 + 1])
    keys.sort(kind="stable")
    points = Unmatched(keys, keys % 3 == 0)
    starts = pairs.starts * 3
    reach = 3 * min(tolerance, int(pairs.sizes.max(initial=0))) + 1
    places = spaced(points, starts, reach)
    left, _ = match_points(places, points.of_gold, reach=reach, alone=(1, 1), fixed=1, slope=0)
    hits = np.diff(np.searchsorted(keys[left], starts))
    return _counts(hits + end, proposed + end, expected + end)


@pair_metric("boundary-accuracy", better="higher", source="textbook")
def boundary_accuracy(pairs: Pairs, *, closing: bool = False) -> Ratios:
    """Accuracy: the share of potential boundaries on which both sides agree.

    Between 0 and 1; 1 is best. Symmetric. Texts with few boundaries score high, whatever is
    proposed.

        (n - 1 - boundaries that only one side has) / (n - 1)

    Parameters
    ----------
    gold, hyp : Segmentation
        Two segmentations of the same units.
    closing : bool
        Whether the end of the text counts, where both sides have a boundary: n instead of n - 1.

    Returns
    -------
    Ratio
        `nan` for one unit: 0/0, unless `closing`.

    Raises
    ------
    SegmentationError
        When the numbers of units differ.

    Notes
    -----
    **Source**: the textbook measure. **Departures**: none.

    Examples
    --------
    >>> from bitext import Segmentation
    >>> boundary_accuracy(Segmentation([2, 3]), Segmentation([3, 2])).value
    0.5

    """
    whole = pairs.sizes - 1 + int(closing)
    return Ratios(whole - _unmatched_counts(pairs), whole, reason="one unit: no potential boundary")


@pair_metric("exact-segments", better="higher", source="textbook", measures=_FIGURES)
def exact_segments(pairs: Pairs) -> CountsTable:
    """Precision, recall and F of segments, right when both ends are.

    All between 0 and 1; 1 is best. Exchanging the two sides exchanges precision and recall.

    Parameters
    ----------
    gold, hyp : Segmentation
        Two segmentations of the same units.

    Returns
    -------
    Counts
        Common segments, segments of the hypothesis, segments of gold. Each ratio is 1 for one unit.

    Raises
    ------
    SegmentationError
        When the numbers of units differ.

    Notes
    -----
    **Source**: the textbook measure. **Departures**: none.

    Examples
    --------
    >>> from bitext import Segmentation
    >>> result = exact_segments(Segmentation([2, 2, 5, 5]), Segmentation([2, 3, 4, 5]))
    >>> result.hits, result.f1
    (2, 0.5)

    """
    keys = np.concatenate([pairs.gold.bounds * 2, pairs.hyp.bounds * 2 + 1])
    keys.sort(kind="stable")
    # A segment of both sides is four keys in a row: its first bound twice, then its last bound
    # twice.
    both = (keys[1:] ^ keys[:-1]) == 1
    begins = keys[:-3][both[:-2] & both[2:]] >> 1
    hits = np.diff(np.searchsorted(begins, pairs.starts))
    return _counts(hits, pairs.hyp.segments, pairs.gold.segments)


def _typed_slots(gold: Segmentation, hyp: Segmentation) -> tuple[int, int]:
    """Count the errors and the slots of a pair; a slot is a type at a place."""
    of_gold, of_hyp = (
        dict(zip(side.boundaries.tolist(), side.types or (), strict=True)) for side in (gold, hyp)
    )
    bare: frozenset[int | str] = frozenset()
    errors = 0
    for place in of_gold.keys() | of_hyp.keys():
        gold_types, hyp_types = of_gold.get(place, bare), of_hyp.get(place, bare)
        # A missing type and an extra one of the same place are one substitution.
        errors += max(len(gold_types - hyp_types), len(hyp_types - gold_types))
    return errors, sum(map(len, of_gold.values()))


@pair_metric(
    "slot-error-rate", better="lower", source="Makhoul et al. 1999", unbounded=("*",), typed=True
)
def slot_error_rate(pairs: Pairs, *, closing: bool = False) -> Ratios:
    """Slot error rate: missing, extra and substituted boundaries by the boundaries of gold.

    0 is best, and there is no upper limit: extra boundaries count, and may be more than those of
    gold. Not symmetric.

        (missing + extra + substituted) / boundaries of gold

    Without types of boundaries, nothing is substituted: a boundary beside its place is a missing
    and an extra one. With types, the slots are the types at each place, and a wrong type at the
    place of another is one substitution.

    Parameters
    ----------
    gold, hyp : Segmentation
        Two segmentations of the same units.
    closing : bool
        Whether the boundary at the end of the text counts; it is right, and has no type.

    Returns
    -------
    Ratio
        `nan` where gold has no boundary, whatever was proposed.

    Raises
    ------
    SegmentationError
        When the numbers of units differ, or only one side has types of boundaries.

    Notes
    -----
    **Source**: J. Makhoul, F. Kubala, R. Schwartz and R. Weischedel, Performance measures for
    information extraction, DARPA Broadcast News Workshop 1999; for boundaries of sentences it is
    the error rate of the NIST evaluations, and one of the measures that González-Gallardo and
    Torres-Moreno 2018 compare with WiSeBE.

    **Departures**: none are known.

    Examples
    --------
    Of the boundaries 2, 4 and 9, the last is missing, and 7 is extra:

    >>> from bitext import Segmentation
    >>> slot_error_rate(Segmentation([2, 2, 5, 5]), Segmentation([2, 2, 3, 7]))
    <Ratio: 0.6667 (2/3)>

    """
    errors, slots = _unmatched_counts(pairs), pairs.gold.segments - 1
    for p, (gold, hyp) in enumerate(zip(*(pairs.typed or ((), ())), strict=True)):
        if is_typed(gold, hyp, where=pairs.name(p)):
            errors[p], slots[p] = _typed_slots(gold, hyp)
    return Ratios(errors, slots + int(closing), reason="nothing expected")


_LONGEST_EXACT = 1 << 31  # units; twice their pairs are below 2^62


def _pairs_within(masses: Ints, starts: Ints, *, large: bool) -> NDArray[np.int64 | np.float64]:
    """Count the pairs of units within segments, for the segments from each start to the next."""
    masses = masses.astype(np.float64) if large else masses
    within = masses * (masses - 1) / 2 if large else masses * (masses - 1) >> 1
    return np.add.reduceat(within, starts) if starts.size else within[:0]


@pair_metric(
    "rand-index",
    better="higher",
    source="Rand 1971; adjusted: Hubert and Arabie 1985",
    unbounded=("adjusted",),
)
def rand_index(pairs: Pairs, *, adjusted: bool = False) -> Ratios:
    """Rand index: the share of pairs of units that both sides join, or both separate.

    Between 0 and 1; 1 is best, and is only for equal segmentations. Symmetric. Segments are taken
    as clusters, so that far-away units count as near ones: of long texts with many segments nearly
    all pairs are apart on both sides, whatever is proposed, and the index is close to 1.

        (C(n) - within(gold) - within(hyp) + 2 within(both)) / C(n)

    with C(x) = x (x - 1) / 2, `within` the sum of C over the lengths of segments, and those of
    `both` the overlaps of segments of either side.

    Parameters
    ----------
    gold, hyp : Segmentation
        Two segmentations of the same n units.
    adjusted : bool
        Whether to correct for chance: of random clusterings with clusters of the same sizes,
        the index is then 0 on average, and it may be below 0.

            (within(both) - e) / ((within(gold) + within(hyp)) / 2 - e)

        with e = within(gold) within(hyp) / C(n).

    Returns
    -------
    Ratio
        1 for one unit: 0/0; so is the adjusted index where each side is one segment, or segments
        of one unit. Texts pool pair by pair: long ones count with the square of their length.

    Raises
    ------
    SegmentationError
        When the numbers of units differ.

    Notes
    -----
    **Source**: W. M. Rand, Objective criteria for the evaluation of clustering methods, 1971; L.
    Hubert and P. Arabie, Comparing partitions, 1985. Ocampo Diaz and Ouyang 2022 name it for
    segmentations.

    **Departures**: none. Chance is over clusterings, of which few are segmentations.

    **Cost**: O(m1 + m2) for m1 and m2 segments, whatever n. Counts are exact up to 2^31 units.

    Examples
    --------
    Of the six pairs of four units, gold joins two and the hypothesis three, one of them the same:

    >>> from bitext import Segmentation
    >>> rand_index(Segmentation([2, 2]), Segmentation([3, 1]))
    <Ratio: 0.5000 (3/6)>
    >>> rand_index(Segmentation([2, 2]), Segmentation([3, 1]), adjusted=True).value
    0.0

    """
    pieces = overlap(pairs.gold.bounds, pairs.hyp.bounds)
    at = np.searchsorted(pieces.start, pairs.starts[:-1])
    large = adjusted or bool((pairs.sizes > _LONGEST_EXACT).any())
    both = _pairs_within(pieces.end - pieces.start, at, large=large)
    gold, hyp = (
        _pairs_within(np.diff(side.bounds), side.ptr[:-1], large=large)
        for side in (pairs.gold, pairs.hyp)
    )
    every = _pairs_within(pairs.sizes, np.arange(len(pairs)), large=large)
    if not adjusted:
        return Ratios(every - (gold - both) - (hyp - both), every, empty=1.0)
    chance = gold * hyp / np.maximum(every, 1)
    # If no other segmentation has as many pairs within segments, both sides are equal.
    bare = (gold == hyp) & ((gold == 0) | (gold == every))
    above, below = both - chance, (gold + hyp) / 2 - chance
    return Ratios(np.where(bare, 0, above), np.where(bare, 0, below), empty=1.0)
