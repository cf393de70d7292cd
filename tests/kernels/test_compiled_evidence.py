"""Compiled kernels of lengths and marks, and the same functions run by Python, against numpy's."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bitext.align.sentences.evidence import (
    LengthEvidence,
    LengthModel,
    whole_numbers,
    whole_sums,
)
from bitext.align.sentences.evidence.punctuation import (
    PunctuationEvidence,
    PunctuationModel,
    marks_of,
)
from bitext.kernels.bead_path import Band, free_paths
from bitext.kernels.compiled_evidence import (
    evidence_kernels,
    load_evidence_kernels,
    plain_evidence_kernels,
)

BEADS = [(1, 1), (0, 1), (1, 0), (2, 1), (1, 3), (3, 2)]
ENDS = [" Nein.", "Ja?", "- ja,", "»Ach!«", "und", "3.", "(Oh)", "1914"]


@pytest.fixture(scope="module", params=["plain", "compiled"])
def kernels(request):
    found = plain_evidence_kernels() if request.param == "plain" else load_evidence_kernels()
    if found is None:
        pytest.skip("numba is not installed (the extra `fast`)")
    return found


def in_both_ways(kernels, compute):
    with evidence_kernels.using(None):
        wanted = compute()
    with evidence_kernels.using(kernels):
        found = compute()
    for one, other in zip(found, wanted, strict=True):
        assert one.dtype == other.dtype
        np.testing.assert_array_equal(one, other)


@settings(max_examples=40)
@given(st.integers(0, 10_000), st.integers(1, 20), st.integers(6, 12), st.integers(-3, 0))
def test_scores_of_a_band(kernels, seed, rows, width, left):
    rng = np.random.default_rng(seed)
    lo = left + np.cumsum(np.append(0, rng.choice([0, 1, 1, 2], rows)))
    band = Band(lo, width, int(lo[-1]) + width - 1)
    sizes = [rng.integers(1, 300, count).astype(float) for count in (rows, band.columns)]
    marks = tuple(marks_of(rng.choice(ENDS, len(side)).tolist()) for side in sizes)
    model = PunctuationModel.first([marks])
    first = int(rng.integers(0, rows))

    def blocks():
        lengths = LengthEvidence(BEADS, *sizes, LengthModel.first(*sizes))
        punctuation = PunctuationEvidence(BEADS, marks, model, weight=0.7)
        every = [one.block(first, rows + 1, band) for one in (lengths, punctuation)]
        return [*every, whole_numbers(sum(every), -2.0)]

    in_both_ways(kernels, blocks)


@pytest.mark.parametrize("first", [0, 8_190, 25_000, 39_990])
def test_scores_in_long_texts_whose_sums_are_in_parts(kernels, first):
    rng = np.random.default_rng(first)
    sizes = [rng.integers(1, 300, 40_000).astype(float) for _ in range(2)]
    band = Band(np.arange(40_001) - 3, 7, 40_000)
    marks = tuple(marks_of(rng.choice(ENDS, len(side)).tolist()) for side in sizes)

    def blocks():
        lengths = LengthEvidence(BEADS, *sizes, LengthModel.first(*sizes))
        punctuation = PunctuationEvidence(BEADS, marks, PunctuationModel.first([marks]))
        return [one.block(first, first + 11, band) for one in (lengths, punctuation)]

    in_both_ways(kernels, blocks)


@pytest.mark.parametrize("number", range(1, 6))
def test_sums_of_scores_as_whole_numbers(kernels, number):
    rng = np.random.default_rng(number)
    # Parts of arrays, as those of bands in the cache are.
    parts = rng.normal(0, 3, (number, 6, 9, 12)).astype(np.float32)[:, :, 2:, 1:]
    logs = rng.normal(0, 1, 6).astype(np.float32)
    in_both_ways(kernels, lambda: [whole_sums(list(parts), logs, -4.0)])


def test_lengths_in_words_by_a_poisson_distribution(kernels):
    sizes = np.array([3.0, 9.0, 5.0]), np.array([4.0, 7.0])
    model = LengthModel.first(*sizes, poisson=True, unit=6.0)
    evidence = LengthEvidence(BEADS, *sizes, model)
    in_both_ways(kernels, lambda: [evidence.block(0, 4, Band(np.zeros(4, np.int64), 3, 2))])


@settings(max_examples=40)
@given(
    st.integers(1, 6),
    st.integers(0, 9),
    st.sampled_from([2, 100_000_000]),
    st.integers(0, 10_000),
    st.permutations(BEADS),
    st.sampled_from([1, 20, 1 << 18]),
)
def test_paths_that_are_free_at_both_ends(kernels, rows, columns, most, seed, beads, at_once):
    rng = np.random.default_rng(seed)
    table = rng.integers(-most, most, (len(beads), rows + 1, columns + 1)).astype(np.int32)

    def paths():
        return free_paths(
            beads, lambda a, b: table[:, a:b], rows=rows, columns=columns, at_once=at_once
        )

    in_both_ways(kernels, paths)


def test_scores_of_another_size_are_refused(kernels):
    scores = np.zeros((len(BEADS), 1, 3), dtype=np.int32)
    with evidence_kernels.using(kernels), pytest.raises(ValueError, match=r"shape \(6, 1, 3\)"):
        free_paths(BEADS, lambda *_: scores, rows=1, columns=3)
