"""The generalized Hamming distance: insertions, deletions and shifts of boundaries."""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING

import numpy as np

from bitext.errors import OptionError
from bitext.kernels.matching import match_points
from bitext.kernels.rows import prefix
from bitext.metrics.registry import metric
from bitext.metrics.segmentation.boundary_edits import spaced, unmatched
from bitext.metrics.segmentation.pairs import Pairs
from bitext.model import Ratio, Ratios

if TYPE_CHECKING:
    from bitext.model import Segmentation

__all__ = ["generalized_hamming"]

_EXACT = 1 << 62  # bound of costs in 64 bits
_MOST_BITS = 1000  # bits before the point of a cost, so that sums over texts fit into a float, too
_MOST_PRICE_BITS = 900  # the same for a price, where costs are divided by each other


def _generalized_hamming(
    pairs: Pairs,
    *,
    insertion: float = 2.0,
    deletion: float = 2.0,
    shift: float = 1.0,
    normalised: bool = False,
) -> Ratios:
    prices = [_price(*item) for item in (("insertion", insertion), ("deletion", deletion))]
    prices.append(_price("shift", shift))
    scale = lcm(*(price.denominator for price in prices))
    insert, delete, move = (int(price * scale) for price in prices)
    points = unmatched(pairs.gold.boundaries, pairs.hyp.boundaries)
    # A shift that costs more than a deletion and an insertion is never used.
    reach = int(pairs.sizes.max(initial=0))
    if move:
        reach = min(reach, (insert + delete) // move)
    left, right = match_points(
        spaced(points, pairs.starts, reach),
        points.of_gold,
        reach=reach,
        alone=(insert, delete),
        fixed=0,
        slope=move,
    )
    begins = points.places[left]
    cuts = np.searchsorted(begins, pairs.starts)
    moved = np.diff(cuts)
    distance = np.diff(prefix(points.places[right] - begins)[cuts])
    golds = np.searchsorted(points.places[points.of_gold], pairs.starts)
    alone = np.searchsorted(points.places, pairs.starts)
    missing = np.diff(golds) - moved
    extra = np.diff(alone - golds) - moved
    expected, proposed = pairs.gold.segments - 1, pairs.hyp.segments - 1
    counts = [missing, extra, distance, expected, proposed]
    if max(insert, delete, move) * (int(pairs.starts[-1]) + 1) * 3 >= _EXACT:
        counts = [column.astype(object) for column in counts]
    missing, extra, distance, expected, proposed = counts
    cost = missing * insert + extra * delete + distance * move
    if normalised:
        most = expected * insert + proposed * delete
        scale *= _unit(prices)
        return Ratios(_over(cost, scale), _over(most, scale), empty=0.0)
    if int(cost.max(initial=0)) * len(pairs) >= scale << _MOST_BITS:
        raise OptionError(
            f"with insertion={insertion!r}, deletion={deletion!r} and shift={shift!r} costs are "
            f"beyond 2^{_MOST_BITS}, too great to add up: give smaller ones, or normalised=True"
        )
    return Ratios(_over(cost, scale), np.ones(len(pairs)), empty=0.0)


def _over(costs: np.ndarray[tuple[int], np.dtype[np.int64]], scale: int) -> list[float]:
    return [cost / scale for cost in costs.tolist()]


def _unit(prices: list[Fraction]) -> int:
    """Return the unit of costs that are only divided by each other: 1, or more for huge prices."""
    unit = 1 << max(int(max(prices)).bit_length() - _MOST_PRICE_BITS, 0)
    least = min((price for price in prices if price), default=Fraction(1))
    if unit > 1 and least * (1 << _MOST_BITS) < unit:
        raise OptionError(
            f"the costs are too far apart, from {float(least)!r} to beyond 2^{_MOST_PRICE_BITS}: "
            f"give ones that are nearer to each other"
        )
    return unit


def _price(name: str, given: float) -> Fraction:
    """Return the decimal that was written, exactly: 0.1 is a tenth."""
    try:
        price = Fraction(str(given))
    except (ValueError, ZeroDivisionError):
        price = Fraction(-1)
    if isinstance(given, bool) or price < 0:
        raise OptionError(f"{name} is {given!r}: want a cost, 0 or more")
    return price


@metric(
    "generalized-hamming",
    over="segmentation",
    better="lower",
    source="Bookstein, Kulyukin and Raita 2002",
    pairs=_generalized_hamming,
    unbounded=("*",),
)
def generalized_hamming(
    gold: Segmentation,
    hyp: Segmentation,
    *,
    insertion: float = 2.0,
    deletion: float = 2.0,
    shift: float = 1.0,
    normalised: bool = False,
) -> Ratio:
    """Generalized Hamming distance: the least cost of making the hypothesis into gold.

    From 0, for equal boundaries, without an upper bound; `normalised`, between 0 and 1; lower is
    better. A boundary that the hypothesis lacks is *inserted*, one that only the hypothesis has is
    *deleted*, and one that is off by d units is *shifted*:

        cost = insertion * |inserted| + deletion * |deleted| + shift * sum of d

    A shift that costs more than a deletion and an insertion is never used. Symmetric when
    `insertion` and `deletion` are equal. Time is linear in the boundaries, but for sorting.

    Parameters
    ----------
    gold, hyp : Segmentation
        Two segmentations of the same units. Types of boundaries are ignored.
    insertion, deletion : float
        The costs of an insertion and of a deletion, 0 or more. Costs are exact decimals.
    shift : float
        The cost of a shift by one unit.
    normalised : bool
        Whether to divide by the cost of deleting all boundaries of the hypothesis and inserting all
        boundaries of gold.

    Returns
    -------
    Ratio
        The cost over 1, so that pooled texts have their mean cost; `normalised`, over the cost of
        deleting and inserting all boundaries. With prices from 2^900 on, both costs have a greater
        unit, the same for all texts. 0 when neither side has a boundary, as with one unit.

    Raises
    ------
    OptionError
        When a cost is negative or no number, or costs add up to 2^1000 or more and are not
        `normalised`.
    SegmentationError
        When the numbers of units differ.

    Notes
    -----
    **Source**: A. Bookstein, V. A. Kulyukin and T. Raita, Generalized Hamming distance, Information
    Retrieval 5, 2002.

    **Departures**: none known. `nltk.metrics.segmentation.ghd(ref, hyp, ins_cost, del_cost,
    shift_cost_coeff)` gives the same figures up to its limit of 10,000 units.

    Examples
    --------
    >>> from bitext import Segmentation
    >>> generalized_hamming(Segmentation([2, 2, 5, 5]), Segmentation([2, 3, 9])).value
    3.0

    """
    return _generalized_hamming(
        Pairs.of([gold], [hyp]),
        insertion=insertion,
        deletion=deletion,
        shift=shift,
        normalised=normalised,
    )[0]
