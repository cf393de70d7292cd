"""Boundary similarity (B), segmentation similarity (S), F and the generalized Hamming distance.

The first three rest on one edit script between the boundaries of a pair (`boundary_edits`). B
divides its cost by the boundaries and edits, S by the potential boundaries, and boundary confusion
makes it precision and recall that give credit to near misses.
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm

import numpy as np

from bitext.errors import OptionError
from bitext.kernels.arrays import Floats, Frozen, Ints, prefix, put_all
from bitext.kernels.matching import match_points
from bitext.metrics.registry import pair_metric
from bitext.metrics.segmentation import Pairs
from bitext.metrics.segmentation.boundary_edits import (
    Rules,
    Script,
    boundary_edits,
    spaced,
    tally,
    unmatched,
)
from bitext.model import Counts, Ratios, Segmentation
from bitext.model.counts import CountsTable


@pair_metric("boundary-similarity", better="higher", source="Fournier 2013", typed=True)
def boundary_similarity(
    pairs: Pairs, *, max_transposition: int = 1, script: Script = "minimal", ordered: bool = False
) -> Ratios:
    """Boundary similarity: the share of boundaries and edits that need no correction.

    Between 0 and 1; 1 is best: the boundaries are the same. Symmetric. With E the edits
    of the least costly script that keeps every match (`boundary_edits`) and M the boundaries that
    both sides have,

        B = 1 - cost(E) / (|E| + |M|)

    where an addition costs 1, a transposition by d places d / (max_transposition + 1), and a
    substitution of types 1, or, with `ordered`, their difference over the span of all types.

    Parameters
    ----------
    gold, hyp : Segmentation
        Two segmentations of the same units; the boundaries of both may have types.
    max_transposition : int
        The greatest shift of a boundary that counts as a near miss, in units; 0 for none.
    script : {"minimal", "greedy"}
        The script of least cost among those that keep every match, or the one that the library
        `segeval` finds.
    ordered : bool
        Whether types are numbers, so that a substitution by a near type costs less.

    Returns
    -------
    Ratio
        |E| + |M| - cost over |E| + |M|, which pool over texts. 1 when neither side has a boundary,
        as with one unit; 0 when only one side has one.

    Raises
    ------
    OptionError
        When an option has a value that is not allowed.
    SegmentationError
        When the numbers of units differ, or only one side has types.

    Notes
    -----
    **Source**: C. Fournier, Evaluating text segmentation using boundary edit distance, ACL 2013.

    **Departures**: `segeval` counts the shift as n_t = max_transposition + 1, and pairs boundaries
    greedily, which is not minimal from a shift of 2 on: masses (1, 1, 3) and (3, 1, 1) cost 7/3 at
    `max_transposition=2` with `script="greedy"`, and 4/3 with the minimal script, so that B is 2/9
    or 1/3. No script gives up a match for two shifts: masses (1, 1, 2) and (2, 1, 1) cost 2, where
    the least cost of any script is 1. `segeval` divides the difference of types by max - min + 1;
    here two types at the ends of the span differ by 1, as any two do without order.

    Examples
    --------
    >>> from bitext import Segmentation
    >>> b = boundary_similarity(Segmentation([2, 2, 5, 5]), Segmentation([2, 2, 4, 6]))
    >>> b.numerator, b.denominator
    (2.5, 3)
    >>> gold, hyp = Segmentation([1, 1, 3]), Segmentation([3, 1, 1])
    >>> boundary_similarity(gold, hyp, max_transposition=2).value
    0.3333333333333333

    """
    rules = Rules(max_transposition=max_transposition, script=script, ordered=ordered)
    edits = tally(pairs, rules)
    whole = edits.edits + edits.matches
    return Ratios(edits.minus_cost(whole), whole, empty=1.0)


# Segmentation similarity, S: the share of potential boundaries that need no correction.


@pair_metric(
    "segmentation-similarity", better="higher", source="Fournier and Inkpen 2012", typed=True
)
def segmentation_similarity(
    pairs: Pairs,
    *,
    max_transposition: int = 1,
    script: Script = "minimal",
    weighted: bool = False,
    ordered: bool = False,
) -> Ratios:
    """Segmentation similarity: the share of potential boundaries that need no correction.

    Between 0 and 1; 1 is best: the boundaries are the same. Symmetric. With n units, b
    types of boundaries in the pair (1 without types) and E the edits of the least
    costly script that keeps every match (`boundary_edits` with `weight="unit"`),

        S = 1 - cost(E) / (b (n - 1))

    where an addition and a transposition cost 1, and so does a substitution of types; or, with
    `ordered`, their difference over the span of all types. Texts with few boundaries score high.

    Parameters
    ----------
    gold, hyp : Segmentation
        Two segmentations of the same units; the boundaries of both may have types.
    max_transposition : int
        The greatest shift of a boundary that counts as one edit, in units; 0 for none.
    script : {"minimal", "greedy"}
        The script of least cost among those that keep every match, or the one that the library
        `segeval` finds.
    weighted : bool
        Whether a transposition by d places costs d / (max_transposition + 1), as in
        `boundary_similarity`, and not 1.
    ordered : bool
        Whether types are numbers, so that a substitution by a near type costs less.

    Returns
    -------
    Ratio
        b (n - 1) - cost over b (n - 1), which pool over texts. 1 for one unit.

    Raises
    ------
    OptionError
        When an option has a value that is not allowed.
    SegmentationError
        When the numbers of units differ, or only one side has types.

    Notes
    -----
    **Source**: C. Fournier and D. Inkpen, Segmentation similarity and agreement, NAACL 2012.

    **Departures**: the S of the library `segeval` weighs transpositions by their distance,
    `weighted=True` here, and pairs boundaries greedily, `script="greedy"` here: masses
    (1, 1, 3) and (3, 1, 1) at `max_transposition=2` cost 2 by the paper, 4/3 weighted, and 7/3
    weighted and greedy. It also counts types twice and divides by b b (n - 1).

    Examples
    --------
    >>> from bitext import Segmentation
    >>> s = segmentation_similarity(Segmentation([2, 2, 5, 5]), Segmentation([2, 2, 4, 6]))
    >>> s.numerator, s.denominator
    (12.0, 13)

    """
    rules = Rules(
        max_transposition=max_transposition,
        script=script,
        weight="scaled" if weighted else "unit",
        ordered=ordered,
    )
    edits = tally(pairs, rules)
    whole = edits.types * (pairs.sizes - 1)
    return Ratios(edits.minus_cost(whole), whole, empty=1.0)


# Boundary confusion: precision and recall of boundaries that give credit to near misses.

Type = int | str | None


class ConfusionMatrix(Frozen):
    """The outcomes of the boundaries of each type.

    Attributes
    ----------
    types : tuple
        The types of the pair, in order; `(None,)` without types.
    table : array, shape (types + 1, types + 1)
        One row a type of the hypothesis, one column a type of gold; the last row and column stand
        for no boundary. A match counts 1 on the diagonal, a transposition 1 minus its weight; a
        substitution counts 1 off the diagonal, and an addition 1 in the last row (only gold has
        the boundary) or column.
    expected, proposed : array of int64
        The numbers of boundaries of each type in gold and in the hypothesis.

    """

    __slots__ = ("expected", "proposed", "table", "types")

    types: tuple[Type, ...]
    table: Floats
    expected: Ints
    proposed: Ints

    def __init__(
        self, types: tuple[Type, ...], table: Floats, expected: Ints, proposed: Ints
    ) -> None:
        put_all(self, types=types, table=table, expected=expected, proposed=proposed)

    @property
    def by_type(self) -> dict[Type, Counts]:
        """Hits, proposed and expected of each type."""
        hits = np.diagonal(self.table).tolist()[:-1]
        columns = zip(self.types, hits, self.proposed.tolist(), self.expected.tolist(), strict=True)
        return {kind: Counts(*row) for kind, *row in columns}

    @property
    def total(self) -> Counts:
        """The counts of all types together (micro)."""
        return sum(self.by_type.values(), Counts(0, 0, 0))

    def __repr__(self) -> str:
        return f"<ConfusionMatrix of types {self.types}: {self.total}>"


def boundary_confusion_matrix(
    gold: Segmentation,
    hyp: Segmentation,
    *,
    max_transposition: int = 1,
    script: Script = "minimal",
    ordered: bool = False,
) -> ConfusionMatrix:
    """Return the confusion matrix of types of boundaries; parameters as in `boundary_confusion`.

    Examples
    --------
    >>> from bitext import Segmentation
    >>> gold = Segmentation([2, 2, 2], types=[{"part"}, {"chapter"}])
    >>> hyp = Segmentation([2, 3, 1], types=[{"chapter"}, {"chapter"}])
    >>> result = boundary_confusion_matrix(gold, hyp)
    >>> result.types, result.table.tolist()
    (('chapter', 'part'), [[0.5, 1.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
    >>> result.by_type["chapter"].precision
    0.25

    """
    edits = boundary_edits(
        gold, hyp, max_transposition=max_transposition, script=script, ordered=ordered
    )
    known = {
        kind
        for side in (gold, hyp)
        for types_of_boundary in side.types or ()
        for kind in types_of_boundary
    }
    types: tuple[Type, ...] = (None,)
    if gold.types or hyp.types:
        types = tuple(sorted(known, key=lambda kind: (isinstance(kind, str), kind)))
    at = {kind: k for k, kind in enumerate(types)}
    nowhere = len(types)
    table = np.zeros((nowhere + 1, nowhere + 1))
    expected = np.zeros(nowhere, dtype=np.int64)
    proposed = np.zeros(nowhere, dtype=np.int64)

    def put_down(was: Type, should: Type, credit: float = 1.0) -> None:
        table[at[was], at[should]] += credit
        proposed[at[was]] += 1
        expected[at[should]] += 1

    # A near miss has the credit that its distance leaves, but is one boundary on each side. An
    # addition is a boundary of one side alone: its counterpart is the last row or column.
    for match in edits.matches:
        put_down(match.type, match.type)
    for moved in edits.transpositions:
        weight = abs(moved.gold - moved.hyp) / (max_transposition + 1)
        put_down(moved.type, moved.type, 1 - weight)
    for replaced in edits.substitutions:
        put_down(replaced.hyp, replaced.gold)
    for alone in edits.additions:
        kind = at[alone.type]
        where = (kind, nowhere) if alone.side == "hyp" else (nowhere, kind)
        table[where] += 1
        (proposed if alone.side == "hyp" else expected)[kind] += 1
    return ConfusionMatrix(types, table, expected, proposed)


@pair_metric(
    "boundary-confusion",
    better="higher",
    source="Fournier 2013",
    typed=True,
    measures=("precision", "recall", "f1"),
)
def boundary_confusion(
    pairs: Pairs, *, max_transposition: int = 1, script: Script = "minimal", ordered: bool = False
) -> CountsTable:
    """Precision, recall and F of boundaries, with credit for near misses.

    All between 0 and 1; 1 is best. With the script of B (`boundary_edits`),

        hits = matches + sum over transpositions of 1 - d / (max_transposition + 1)

    where d is the distance; precision is over the boundaries of the *hypothesis*, and recall over
    those of *gold*. A substitution is no hit. A boundary of two types counts as two. The counts are
    over all types together; `boundary_confusion_matrix` has those of each type.

    Parameters
    ----------
    gold, hyp : Segmentation
        Two segmentations of the same units; the boundaries of both may have types.
    max_transposition : int
        The greatest shift of a boundary that counts as a near miss, in units; 0 for none.
    script : {"minimal", "greedy"}
        The script of least cost, or the one that the library `segeval` finds.
    ordered : bool
        Whether types are numbers, so that a substitution by a near type costs less. The choice of
        the script changes, but a substitution is still a miss.

    Returns
    -------
    Counts
        Hits, boundaries of the hypothesis, boundaries of gold. If a side has no boundary, as
        with one unit, its ratio is `nan`: 0/0.

    Raises
    ------
    OptionError
        When an option has a value that is not allowed.
    SegmentationError
        When the numbers of units differ, or only one side has types.

    Notes
    -----
    **Source**: C. Fournier, Evaluating text segmentation using boundary edit distance, ACL 2013.

    **Departures**: the library `segeval` puts the *weight* of a transposition on the diagonal, so
    that longer shifts bring more; at `max_transposition=1` both are 1/2. It files additions under
    the wrong side, which exchanges precision and recall. Its ratios are over the sums of rows
    and columns, in which the missing part of a near miss does not appear: masses (1, 2) against
    (2, 1) have precision 1 there and 1/2 here, where a near miss is half a hit of one boundary.

    Examples
    --------
    >>> from bitext import Segmentation
    >>> result = boundary_confusion(Segmentation([2, 2, 5, 5]), Segmentation([2, 3, 9]))
    >>> result.precision, result.recall
    (0.75, 0.5)

    """
    rules = Rules(max_transposition=max_transposition, script=script, ordered=ordered)
    edits = tally(pairs, rules)
    whole = (edits.matches + edits.transpositions) * rules.scale
    hits = (whole - edits.distance) / rules.scale
    return CountsTable(np.stack([hits, edits.proposed, edits.expected, hits], axis=1))


# The generalized Hamming distance: insertions, deletions and shifts of boundaries.


_EXACT_BOUND = 1 << 62  # bound of costs in 64 bits
_MOST_BITS = 1000  # bits before the point of a cost, so that sums over texts fit into a float, too
_MOST_PRICE_BITS = 900  # the same for a price, where costs are divided by each other


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


@pair_metric(
    "generalized-hamming",
    better="lower",
    source="Bookstein, Kulyukin and Raita 2002",
    unbounded=("*",),
)
def generalized_hamming(
    pairs: Pairs,
    *,
    insertion: float = 2.0,
    deletion: float = 2.0,
    shift: float = 1.0,
    normalised: bool = False,
) -> Ratios:
    """Generalized Hamming distance: the least cost of making the hypothesis into gold.

    From 0, for equal boundaries, without an upper bound; `normalised`, between 0 and 1; lower is
    better. A boundary that the hypothesis lacks is *inserted*, one that only the hypothesis has is
    *deleted*, and one that is off by d units is *shifted*:

        cost = insertion * |inserted| + deletion * |deleted| + shift * sum of d

    A shift that costs more than a deletion and an insertion is never used. Symmetric when
    `insertion` and `deletion` are equal. Time is linear in the boundaries, except for sorting.

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
    if max(insert, delete, move) * (int(pairs.starts[-1]) + 1) * 3 >= _EXACT_BOUND:
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
