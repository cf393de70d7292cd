"""Figures that papers print, from `fixtures/published/segmentations`."""

import csv
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest

from bitext import Segmentation
from bitext.metrics import alignment_similarity, boundary_similarity, window_diff
from bitext.metrics.study.runs import PUBLISHED, similarities

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


def test_the_figures_of_the_study_are_these():
    given = []
    for pair in PUBLISHED:
        masses = (",".join(map(str, side)) for side in (pair.reference, pair.hypothesis))
        given.append((*masses, str(pair.a), str(pair.b), str(pair.wd)))
    assert given == [tuple(row.values()) for row in figures()]
    assert [pair.name for pair in PUBLISHED[::4]] == ["figure 10a", "figure 12a", "figure 16a"]


@pytest.mark.parametrize("pair", PUBLISHED, ids=lambda pair: pair.name)
def test_similarities_are_the_printed_ones_and_others_are_not(pair):
    found = similarities(pair.reference, pair.hypothesis)
    assert pair.agrees(found)
    assert not pair.agrees(found._replace(a=found.a + Fraction(1, 10**9)))
    assert not pair.agrees(found._replace(b=found.b + Fraction(1, 50)))
    assert similarities(pair.reference, pair.reference) == (1, 1, 1)
