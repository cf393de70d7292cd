"""Boundary similarity, B: the share of boundaries and edits that need no correction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitext.metrics.registry import metric
from bitext.metrics.segmentation.boundary_edits import tally
from bitext.metrics.segmentation.pairs import Pairs
from bitext.metrics.segmentation.typed_boundaries import Rules, Script
from bitext.model import Ratio, Ratios

if TYPE_CHECKING:
    from bitext.model import Segmentation

__all__ = ["boundary_similarity"]


def _boundary_similarity(
    pairs: Pairs, *, max_transposition: int = 1, script: Script = "minimal", ordered: bool = False
) -> Ratios:
    rules = Rules(max_transposition=max_transposition, script=script, ordered=ordered)
    found = tally(pairs, rules)
    whole = found.edits + found.matches
    return Ratios(found.less(whole), whole, empty=1.0)


@metric(
    "boundary-similarity",
    over="segmentation",
    better="higher",
    source="Fournier 2013",
    pairs=_boundary_similarity,
    typed=True,
)
def boundary_similarity(
    gold: Segmentation,
    hyp: Segmentation,
    *,
    max_transposition: int = 1,
    script: Script = "minimal",
    ordered: bool = False,
) -> Ratio:
    """Boundary similarity: the share of boundaries and edits that need no correction.

    It is between 0 and 1, and 1 is best: the boundaries are the same. Symmetric. With E the edits
    of the least costly script that keeps every match (`boundary_edits`) and M the boundaries that
    both have,

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
        Whether types are numbers, and near ones replace each other for less.

    Returns
    -------
    Ratio
        |E| + |M| - cost over |E| + |M|; texts are pooled by both. 1 when neither side has a
        boundary, as with one unit; 0 when only one has.

    Raises
    ------
    OptionError
        When an option has a value that it cannot have.
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
    return _boundary_similarity(
        Pairs.of([gold], [hyp]),
        max_transposition=max_transposition,
        script=script,
        ordered=ordered,
    )[0]
