"""Likeness of stretches: sums over a band, against each stretch added up by itself."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext.segment.features.columns import EdgeBlock, drop, edge_cosine, topic_shift
from bitext.segment.features.text import Counts, TextView, segment_products
from reference import paragraph_features_slow as slow

SENTENCES = st.lists(st.lists(st.sampled_from("abcdefg"), max_size=6), min_size=1, max_size=24)


def counts_of(dense):
    ptr = np.concatenate([[0], np.cumsum((dense > 0).sum(axis=1))])
    return Counts(ptr, np.nonzero(dense)[1], dense[dense > 0].astype(float))


@pytest.mark.parametrize(("n", "width"), [(1, 3), (5, 3), (30, 7), (150, 20), (10, 40)])
@pytest.mark.parametrize("scale", [1, 5001])  # the greater ones need double precision
def test_products_are_exact(n, width, scale):
    rng = np.random.default_rng(n)
    dense = rng.integers(0, 3, (n, 12)) * (rng.random((n, 12)) < 0.4) * scale
    for first, last in ((0, n), (n // 3, n - n // 4)):
        found = segment_products(counts_of(dense), first, last, width)
        for end in range(first, last):
            row = end - first
            assert found.single[row + width] == dense[end] @ dense[end]
            for size in range(1, min(width, end + 1) + 1):
                begin = end - size + 1
                stretch = dense[begin : end + 1].sum(axis=0)
                before = dense[begin - 1] if begin else np.zeros(12)
                behind = dense[end + 1] if end + 1 < n else np.zeros(12)
                assert found.squares[row, size - 1] == stretch @ stretch
                assert found.before[row, size - 1] == stretch @ before
                assert found.after[row, size - 1] == stretch @ behind


@given(SENTENCES, st.integers(1, 9))
def test_cosines_of_paragraphs_and_blocks(words, longest):
    view = TextView([" ".join(sentence) for sentence in words], longest)
    before, after = edge_cosine(EdgeBlock(view, 0, view.n))
    for end in range(1, view.n + 1):
        for size in range(1, min(longest, end) + 1):
            expected = slow.paragraph_cosines(words, end - size, end)
            cell = end - 1, longest - size
            assert (before.values[cell], after.values[cell]) == pytest.approx(expected)
    for column, width in zip(topic_shift(view), (2, 4, 8), strict=True):
        expected = [slow.block_cosine(words, at, width) for at in range(view.n)]
        assert column.values == pytest.approx(np.array(expected), abs=1e-12)


@given(SENTENCES, st.integers(1, 9), st.data())
def test_a_part_of_a_text_has_the_same_products_as_the_whole(words, longest, data):
    view = TextView([" ".join(sentence) for sentence in words], longest)
    first = data.draw(st.integers(0, view.n - 1))
    last = data.draw(st.integers(first + 1, view.n))
    whole = segment_products(view.counts, 0, view.n, longest)
    part = segment_products(view.counts, first, last, longest)
    rows = slice(first, last)
    for got, wanted in zip(part[:3], whole[:3], strict=True):
        long = np.arange(longest)[None, :] <= np.arange(view.n)[rows, None]  # within the text
        assert np.array_equal(got[long], wanted[rows][long])


def test_a_change_of_topic_drops():
    view = TextView(["a b", "a b", "a b", "c d", "c d", "c d"], 5)
    (found,) = drop(view)
    assert found.values.argmax() == 3
    assert found.values[3] == pytest.approx(0.5**0.5)  # 4 / (sqrt 8 * 2), one sentence off
