"""Precision, recall and F of boundaries and of segments, and accuracy.

Types of boundaries are ignored.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bitext.kernels.matching import match_points
from bitext.metrics.registry import metric, whole
from bitext.metrics.segmentation.boundary_edits import Unmatched, spaced, unmatched
from bitext.metrics.segmentation.pairs import Pairs
from bitext.model import Counts, Ratio, Ratios
from bitext.model.counts import CountsTable

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bitext.model import Segmentation

__all__ = ["boundary_accuracy", "boundary_f", "exact_segments"]

_FIGURES = ("precision", "recall", "f1")


def _counts(
    hits: NDArray[np.int64], proposed: NDArray[np.int64], expected: NDArray[np.int64]
) -> CountsTable:
    return CountsTable(np.stack([hits, proposed, expected, hits], axis=1))


def _unmatched_counts(pairs: Pairs) -> NDArray[np.int64]:
    places = unmatched(pairs.gold.boundaries, pairs.hyp.boundaries).places
    return np.diff(np.searchsorted(places, pairs.starts))


def _boundary_f(pairs: Pairs, *, tolerance: int = 0) -> CountsTable:
    tolerance = whole("tolerance", tolerance, "units")
    expected, proposed = pairs.gold.segments - 1, pairs.hyp.segments - 1
    if not tolerance:
        hits = (expected + proposed - _unmatched_counts(pairs)) // 2
        return _counts(hits, proposed, expected)
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
    return _counts(hits, proposed, expected)


@metric(
    "boundary",
    over="segmentation",
    better="higher",
    source="textbook",
    pairs=_boundary_f,
    measures=_FIGURES,
)
def boundary_f(gold: Segmentation, hyp: Segmentation, *, tolerance: int = 0) -> Counts:
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

    Returns
    -------
    Counts
        Hits, boundaries of the hypothesis, boundaries of gold. Where a side has no boundary, as
        with one unit, its ratio is `nan`: 0/0.

    Raises
    ------
    OptionError
        When the tolerance is no whole number from 0.
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
    return _boundary_f(Pairs.of([gold], [hyp]), tolerance=tolerance)[0]


def _boundary_accuracy(pairs: Pairs) -> Ratios:
    whole = pairs.sizes - 1
    return Ratios(whole - _unmatched_counts(pairs), whole, reason="one unit: no potential boundary")


@metric(
    "boundary-accuracy",
    over="segmentation",
    better="higher",
    source="textbook",
    pairs=_boundary_accuracy,
)
def boundary_accuracy(gold: Segmentation, hyp: Segmentation) -> Ratio:
    """Accuracy: the share of potential boundaries on which both sides agree.

    Between 0 and 1; 1 is best. Symmetric. Texts with few boundaries score high, whatever is
    proposed.

        (n - 1 - boundaries that only one side has) / (n - 1)

    Parameters
    ----------
    gold, hyp : Segmentation
        Two segmentations of the same units.

    Returns
    -------
    Ratio
        `nan` for one unit: 0/0.

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
    return _boundary_accuracy(Pairs.of([gold], [hyp]))[0]


def _exact_segments(pairs: Pairs) -> CountsTable:
    keys = np.concatenate([pairs.gold.bounds * 2, pairs.hyp.bounds * 2 + 1])
    keys.sort(kind="stable")
    # A segment of both sides is four keys in a row: its first bound twice, then its last bound
    # twice.
    both = (keys[1:] ^ keys[:-1]) == 1
    begins = keys[:-3][both[:-2] & both[2:]] >> 1
    hits = np.diff(np.searchsorted(begins, pairs.starts))
    return _counts(hits, pairs.hyp.segments, pairs.gold.segments)


@metric(
    "exact-segments",
    over="segmentation",
    better="higher",
    source="textbook",
    pairs=_exact_segments,
    measures=_FIGURES,
)
def exact_segments(gold: Segmentation, hyp: Segmentation) -> Counts:
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
    return _exact_segments(Pairs.of([gold], [hyp]))[0]
