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
from bitext.metrics.segmentation.boundary_edits import lone, spaced
from bitext.metrics.segmentation.pairs import Pairs
from bitext.model import Ratio, Ratios

if TYPE_CHECKING:
    from bitext.model import Segmentation

__all__ = ["generalized_hamming"]

_EXACT = 1 << 62
_MOST = 1000  # bits before the point of a cost: sums over texts are floats, too
_MOST_SHARED = 900  # of a price, where costs are only divided by each other


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
    points = lone(pairs.gold.boundaries, pairs.hyp.boundaries)
    # A shift that costs more than a deletion and an insertion is not made.
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
    if int(cost.max(initial=0)) * len(pairs) >= scale << _MOST:
        raise OptionError(
            f"with insertion={insertion!r}, deletion={deletion!r} and shift={shift!r} costs are "
            f"beyond 2^{_MOST}, too great to add up: give smaller ones, or normalised=True"
        )
    return Ratios(_over(cost, scale), np.ones(len(pairs)), empty=0.0)


def _over(costs: np.ndarray[tuple[int], np.dtype[np.int64]], scale: int) -> list[float]:
    return [cost / scale for cost in costs.tolist()]


def _unit(prices: list[Fraction]) -> int:
    """Return what costs are counted in where they are only divided: 1, but of very great ones."""
    unit = 1 << max(int(max(prices)).bit_length() - _MOST_SHARED, 0)
    least = min((price for price in prices if price), default=Fraction(1))
    if unit > 1 and least * (1 << _MOST) < unit:
        raise OptionError(
            f"the costs are too far apart, from {float(least)!r} to beyond 2^{_MOST_SHARED}: "
            f"give ones that are nearer to each other"
        )
    return unit


def _price(name: str, given: float) -> Fraction:
    """Return the decimal that was written, exactly: 0.1 is a tenth."""
    try:
        found = Fraction(str(given))
    except (ValueError, ZeroDivisionError):
        found = Fraction(-1)
    if isinstance(given, bool) or found < 0:
        raise OptionError(f"{name} is {given!r}: want a cost, 0 or more")
    return found


@metric(
    "generalized-hamming",
    over="segmentation",
    better="lower",
    source="Bookstein, Kulyukin and Raita 2002",
    pairs=_generalized_hamming,
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

    It is 0 when the boundaries are the same, and grows without bound; or, `normalised`, is between
    0 and 1; less is better. A boundary that the hypothesis lacks is *inserted*, one that only it
    has is *deleted*, and one that is off by d units is *shifted*:

        cost = insertion * |inserted| + deletion * |deleted| + shift * sum of d

    A shift that costs more than a deletion and an insertion is not made. Symmetric when
    `insertion` and `deletion` are equal. Cost is linear in the boundaries, but for sorting.

    Parameters
    ----------
    gold, hyp : Segmentation
        Two segmentations of the same units. Types of boundaries are not looked at.
    insertion, deletion : float
        What inserting and deleting a boundary costs, 0 or more. Costs are decimals, held exactly.
    shift : float
        What it costs to shift a boundary by one unit.
    normalised : bool
        Whether the cost is divided by that of deleting all boundaries of the hypothesis and
        inserting all of gold.

    Returns
    -------
    Ratio
        The cost over 1, so that pooled texts have their mean cost; `normalised`, over the
        cost of deleting and inserting all; of costs from 2^900 on both are counted in a greater
        unit, which is the same for all texts. 0 when neither side has a boundary, as with one unit.

    Raises
    ------
    OptionError
        When a cost is negative or no number; when costs add up to 2^1000 or more, and are not
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
