"""Figures that papers print, from `fixtures/published/segmentations`."""

import csv
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest

from bitext import Segmentation
from bitext.metrics import alignment_similarity, boundary_similarity, window_diff

FOLDER = Path(__file__).resolve().parents[2] / "fixtures" / "published" / "segmentations"


def figures():
    with (FOLDER / "figures.tsv").open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines, delimiter="\t"))


def rounded(value):
    """Round a fraction to two decimals, half to even, as the paper does."""
    exact = Decimal(value.numerator) / Decimal(value.denominator)
    return exact.quantize(Decimal("0.01"))


@pytest.mark.parametrize("row", figures(), ids=lambda row: f"{row['gold']}-{row['hyp']}")
def test_figures_of_the_paper(row):
    gold, hyp = (Segmentation([*map(int, row[side].split(","))]) for side in ("gold", "hyp"))
    exact = float(Fraction(row["alignment-similarity"]))
    assert alignment_similarity(gold, hyp).value == pytest.approx(exact, abs=1e-15)
    found = boundary_similarity(gold, hyp)
    share = Fraction(found.numerator).limit_denominator(99) / Fraction(found.denominator)
    assert rounded(share) == Decimal(row["boundary-similarity"])
    apart = window_diff(gold, hyp, k=2)
    alike = 1 - Fraction(apart.numerator, apart.denominator)
    assert rounded(alike) == Decimal(row["1-window-diff(k=2)"])


def test_there_are_eleven_of_them():
    assert len(figures()) == 11
