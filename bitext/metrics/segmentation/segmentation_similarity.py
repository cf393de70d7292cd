"""Segmentation similarity, S: the share of potential boundaries that need no correction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitext.metrics.registry import metric
from bitext.metrics.segmentation.boundary_edits import tally
from bitext.metrics.segmentation.pairs import Pairs
from bitext.metrics.segmentation.typed_boundaries import Rules, Script
from bitext.model import Ratio, Ratios

if TYPE_CHECKING:
    from bitext.model import Segmentation

__all__ = ["segmentation_similarity"]


def _segmentation_similarity(
    pairs: Pairs,
    *,
    max_transposition: int = 1,
    script: Script = "minimal",
    weighted: bool = False,
    ordered: bool = False,
) -> Ratios:
    rules = Rules(
        max_transposition=max_transposition,
        script=script,
        weight="scaled" if weighted else "unit",
        ordered=ordered,
    )
    found = tally(pairs, rules)
    whole = found.types * (pairs.sizes - 1)
    return Ratios(found.less(whole), whole, empty=1.0)


@metric(
    "segmentation-similarity",
    over="segmentation",
    better="higher",
    source="Fournier and Inkpen 2012",
    pairs=_segmentation_similarity,
    typed=True,
)
def segmentation_similarity(
    gold: Segmentation,
    hyp: Segmentation,
    *,
    max_transposition: int = 1,
    script: Script = "minimal",
    weighted: bool = False,
    ordered: bool = False,
) -> Ratio:
    """Segmentation similarity: the share of potential boundaries that need no correction.

    It is between 0 and 1, and 1 is best: the boundaries are the same. Symmetric. With n units, b
    types of boundaries in the pair (1 where boundaries have none) and E the edits of the least
    costly script that keeps every match (`boundary_edits` with `weight="unit"`),

        S = 1 - cost(E) / (b (n - 1))

    where an addition and a transposition cost 1, and so does a substitution of types; or, with
    `ordered`, their difference over the span of all types. Texts of few boundaries score high.

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
        Whether types are numbers, and near ones replace each other for less.

    Returns
    -------
    Ratio
        b (n - 1) - cost over b (n - 1); texts are pooled by both. 1 for one unit.

    Raises
    ------
    OptionError
        When an option has a value that it cannot have.
    SegmentationError
        When the numbers of units differ, or only one side has types.

    Notes
    -----
    **Source**: C. Fournier and D. Inkpen, Segmentation similarity and agreement, NAACL 2012.

    **Departures**: what the library `segeval` calls S weighs transpositions by their distance,
    which is `weighted=True` here, and pairs boundaries greedily, which is `script="greedy"`: masses
    (1, 1, 3) and (3, 1, 1) at `max_transposition=2` cost 2 by the paper, 4/3 weighted, and 7/3
    weighted and greedy. It also counts types twice and divides by b b (n - 1).

    Examples
    --------
    >>> from bitext import Segmentation
    >>> s = segmentation_similarity(Segmentation([2, 2, 5, 5]), Segmentation([2, 2, 4, 6]))
    >>> s.numerator, s.denominator
    (12.0, 13)

    """
    return _segmentation_similarity(
        Pairs.of([gold], [hyp]),
        max_transposition=max_transposition,
        script=script,
        weighted=weighted,
        ordered=ordered,
    )[0]
