from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from bitext.align.sentences.bead_types import DEFAULT_BEADS
from bitext.align.sentences.evidence import LengthEvidence, LengthModel
from bitext.kernels.bead_path import Band
from tests.reference.sentence_evidence_slow import length_alone, length_score

lengths = st.lists(st.integers(1, 300), min_size=1, max_size=7)


def whole(rows, columns):
    return Band(np.zeros(rows + 1, dtype=np.int64), columns + 1, columns)


@given(lengths, lengths)
def test_scores_are_those_of_the_formula(src, tgt):
    model = LengthModel.first(np.array(src, float), np.array(tgt, float))
    evidence = LengthEvidence(DEFAULT_BEADS, np.array(src, float), np.array(tgt, float), model)
    block = evidence.block(0, len(src) + 1, whole(len(src), len(tgt)))
    for k, (a, b) in enumerate(DEFAULT_BEADS):
        wanted = [
            length_score(src[i - a : i], tgt[j - b : j], (src, tgt), model.ratio, 6.8)
            if a and b
            else 0.0
            for i in range(a, len(src) + 1)
            for j in range(b, len(tgt) + 1)
        ]
        assert_allclose(block[k, a:, b:].ravel(), wanted, rtol=0, atol=2e-3, equal_nan=False)


def test_a_band_gives_what_the_whole_table_has():
    rng = np.random.default_rng(3)
    src, tgt = rng.integers(5, 200, 30).astype(float), rng.integers(5, 200, 40).astype(float)
    evidence = LengthEvidence(DEFAULT_BEADS, src, tgt, LengthModel.first(src, tgt))
    table = evidence.block(0, 31, whole(30, 40))
    band = Band(np.arange(31) - 3, 17, 40)
    part = evidence.block(7, 19, band)
    for i in range(7, 19):
        columns = band.lo[i] + np.arange(17)
        held = (columns >= 4) & (columns <= 40)
        assert (part[:, i - 7, held] == table[:, i, columns[held]]).all()


def test_a_long_text_scores_as_its_first_half():
    rng = np.random.default_rng(4)
    size, half = 40_000, 20_000  # so many that not all sums are in memory, and fewer
    src, tgt = (rng.integers(5, 200, size).astype(float) for _ in range(2))
    model = LengthModel.first(src, tgt)
    long = LengthEvidence(DEFAULT_BEADS, src, tgt, model)
    short = LengthEvidence(DEFAULT_BEADS, src[:half], tgt[:half], model)
    for first in (0, 19_000, 8_000, 8_300, 16_000):
        blocks = [
            one.block(first, first + 400, Band(np.arange(many + 1) - 9, 24, many))
            for one, many in ((long, size), (short, half))
        ]
        assert np.array_equal(*blocks)
        kind = DEFAULT_BEADS.index((1, 2))
        assert long.of(first + 20, first + 19, kind) == short.of(first + 20, first + 19, kind)


def test_poisson_is_the_textbook_s():
    src, tgt = np.array([10.0, 4.0]), np.array([12.0, 3.0])
    model = LengthModel.first(src, tgt, poisson=True)
    evidence = LengthEvidence([(1, 1), (1, 0), (0, 1)], src, tgt, model)
    found = evidence.block(1, 2, whole(2, 2))[0, 0, 1]
    between = math.sqrt(15 / 14)
    x, y = 10 * between, 12 / between
    wanted = 0.0
    for mean, value, everything, unit in ((x, y, tgt, between), (y, x, src, 1 / between)):
        beside = value * math.log(mean) - mean - math.lgamma(value + 1)
        wanted += (beside - length_alone([value], everything / unit)) / 2
    assert found == pytest.approx(wanted, abs=1e-3)


@given(lengths, lengths, st.booleans())
def test_which_text_is_the_source_does_not_count(src, tgt, poisson):
    """The table of the texts the other way round is the transposed one."""
    tables = []
    for first, second in ((src, tgt), (tgt, src)):
        sides = np.array(first, float), np.array(second, float)
        model = LengthModel.first(*sides, poisson=poisson).learned(*(side[:1] for side in sides))
        block = LengthEvidence(DEFAULT_BEADS, *sides, model).block(
            0, len(first) + 1, whole(len(first), len(second))
        )
        tables.append(block)
    for k, (a, b) in enumerate(DEFAULT_BEADS):
        there, back = tables[0][k], tables[1][DEFAULT_BEADS.index((b, a))].T
        assert there[a:, b:] == pytest.approx(back[a:, b:], rel=1e-4, abs=2e-3)


def test_ratio_and_variance_are_learned():
    rng = np.random.default_rng(5)
    src = rng.integers(20, 200, 3000).astype(float)
    noise = rng.standard_t(5, 3000) * np.sqrt(3.0 * 0.4 * src * math.sqrt(0.4))
    tgt = np.maximum(src * 0.4 + noise, 1)
    model = LengthModel.first(src[:10], tgt[:10]).learned(src, tgt)
    assert model.ratio == pytest.approx(0.4, rel=0.03)
    assert model.variance == pytest.approx(3.0, rel=0.12)
    assert model.learned(src[:0], tgt[:0]) == model


def test_huge_sentences_stay_finite():
    src, tgt = np.array([1e6, 1.0]), np.array([1.0, 2e6])
    for poisson in (False, True):
        model = LengthModel.first(src, tgt, poisson=poisson)
        block = LengthEvidence(DEFAULT_BEADS, src, tgt, model).block(0, 3, whole(2, 2))
        assert np.isfinite(block).all()


def test_a_huge_sentence_makes_no_ratio():
    lengths = np.full(100, 50.0)
    model = LengthModel.first(np.append(lengths, 1e6), lengths * 1.2)
    assert model.ratio == pytest.approx(6000 / 7500)
    assert LengthModel.first(lengths, lengths * 1.2).ratio == pytest.approx(1.2)
