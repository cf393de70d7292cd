"""The pairs of segmentations in the figures of the paper on A, and their similarities.

**Source**: G. Ocampo Diaz and J. Ouyang, An alignment-based approach to text segmentation
similarity scoring, CoNLL 2022, figures 10, 11, 12 and 16. WindowDiff has windows of two potential
boundaries without padding, B transposes by one unit. The paper rounds half to even.
"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Final, NamedTuple

from bitext.metrics.segmentation.boundary_similarity import boundary_similarity
from bitext.metrics.segmentation.segment_alignment import segment_alignment
from bitext.metrics.segmentation.window_metrics import window_diff
from bitext.model import Segmentation

__all__ = ["ERRATA", "PUBLISHED", "PublishedPair", "Similarities", "similarities"]

_WINDOW = 2  # units, k of the paper's WindowDiff

ERRATA: Final = (
    "figure 9 is left out: the 0.58 that it prints does not follow from the pair it describes",
)


class Similarities(NamedTuple):
    """A, B and 1 - WindowDiff of a pair; each 1 for equal segmentations."""

    a: Fraction
    b: Fraction
    wd: Fraction


class PublishedPair(NamedTuple):
    """A pair of segmentations of a figure.

    Attributes
    ----------
    figure : int
        The number of the figure.
    letter : str
        The letter of the pair within the figure; the paper has none.
    reference, hypothesis : tuple of int
        The masses of both.
    a : Fraction
        A as printed, with its sum written out.
    b, wd : Decimal
        B and 1 - WindowDiff as printed.

    """

    figure: int
    letter: str
    reference: tuple[int, ...]
    hypothesis: tuple[int, ...]
    a: Fraction
    b: Decimal
    wd: Decimal

    @property
    def name(self) -> str:
        """The name of the pair, as `figure 10a`."""
        return f"figure {self.figure}{self.letter}"

    def agrees(self, found: Similarities) -> bool:
        """Return whether similarities are the printed ones, rounded as in the paper."""
        rounded = tuple(_rounded(value) for value in (found.b, found.wd))
        return (found.a, *rounded) == (self.a, self.b, self.wd)


def _rounded(value: Fraction) -> Decimal:
    exact = Decimal(value.numerator) / Decimal(value.denominator)
    return exact.quantize(Decimal("0.01"))  # half to even


def _pairs() -> tuple[PublishedPair, ...]:
    rows = (
        (10, "5,5,1,3", "7,3,1,3", "29/35", "0.50", "0.67"),
        (10, "5,5,1,3", "5,4,1,4", "3/5", "0.50", "0.67"),
        (11, "2,2,5,5", "2,2,4,6", "109/120", "0.83", "0.83"),
        (11, "2,2,5,5", "3,1,5,5", "19/24", "0.83", "0.83"),
        (12, "9,5,1", "5,9,1", "19/27", "0.33", "0.69"),
        (12, "8,6,1", "5,9,1", "55/72", "0.33", "0.69"),
        (12, "8,6,1", "6,8,1", "5/6", "0.33", "0.69"),
        (12, "7,7,1", "6,8,1", "51/56", "0.75", "0.85"),
        (16, "1,8,1", "9,1", "2/3", "0.50", "0.88"),
        (16, "1,8,1", "2,7,1", "19/24", "0.75", "0.88"),
        (16, "1,8,1", "3,6,1", "83/144", "0.33", "0.62"),
    )
    made = []
    for k, (figure, first, second, a, b, wd) in enumerate(rows):
        letter = "abcd"[sum(row[0] == figure for row in rows[:k])]
        reference, hypothesis = (tuple(map(int, side.split(","))) for side in (first, second))
        figures = Fraction(a), Decimal(b), Decimal(wd)
        made.append(PublishedPair(figure, letter, reference, hypothesis, *figures))
    return tuple(made)


PUBLISHED: Final = _pairs()


def similarities(reference: tuple[int, ...], hypothesis: tuple[int, ...]) -> Similarities:
    """Return A, B and 1 - WindowDiff of two segmentations, given as masses, as fractions.

    Examples
    --------
    >>> found = similarities((5, 5, 1, 3), (7, 3, 1, 3))
    >>> [str(value) for value in found]
    ['29/35', '1/2', '2/3']

    """
    gold, hyp = Segmentation(reference), Segmentation(hypothesis)
    edges = segment_alignment(gold, hyp).edges
    a = sum((Fraction(e.overlap, e.union) for e in edges), Fraction()) / len(edges)
    same = boundary_similarity(gold, hyp, max_transposition=1)
    apart = window_diff(gold, hyp, k=_WINDOW)
    # B counts in halves.
    b = Fraction(same.numerator) / Fraction(same.denominator)
    return Similarities(a, b, 1 - Fraction(int(apart.numerator), int(apart.denominator)))
