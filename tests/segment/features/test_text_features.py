"""Scores of features against loops over sentences and paragraphs."""

from itertools import pairwise

import numpy as np
import pytest

from bitext.segment.features.text import EdgeColumn, NodeRows, TextFeatures
from reference.paragraph_corpora import add_segmentation, draw_text


def slow_scores(text, weights):
    """Add up every sentence and every paragraph by itself."""
    nodes = [
        sum(
            weights[text.nodes.idx[e]] * text.nodes.values[e]
            for e in range(text.nodes.ptr[k], text.nodes.ptr[k + 1])
        )
        for k in range(text.n)
    ]
    nodes[0] = 0.0
    edges = np.full((text.n, text.longest), -np.inf)
    for i in range(text.n):
        for c in range(text.longest):
            if text.longest - c <= i + 1:
                edges[i, c] = sum(
                    weights[column.first + column.bins[i, c]]
                    if column.bins is not None
                    else weights[column.first] * column.values[i, c]
                    for column in text.edges
                )
    return np.array(nodes), edges


@pytest.mark.parametrize(("n", "longest"), [(1, 1), (1, 5), (7, 3), (30, 30), (12, 40)])
def test_scores_are_sums_over_features(n, longest):
    rng = np.random.default_rng(n * longest)
    text, size = draw_text(rng, n, longest, edges=7, garbage=True)
    weights = rng.normal(size=size)
    nodes, edges = slow_scores(text, weights)
    assert text.node_scores(weights) == pytest.approx(nodes, abs=1e-12)
    np.testing.assert_allclose(text.edge_scores(weights), edges, rtol=1e-6, atol=1e-6)


def test_adding_features_and_scoring_are_two_sides_of_one_thing():
    rng = np.random.default_rng(3)
    for _ in range(60):
        n, longest = int(rng.integers(1, 25)), int(rng.integers(1, 12))
        text, size = draw_text(rng, n, longest, edges=4, garbage=True)
        starts = np.flatnonzero((rng.random(n) < 0.4) | (np.arange(n) % longest == 0))
        weights = rng.normal(size=size)
        totals = np.zeros(size)
        add_segmentation(text, totals, starts, 2.0)
        nodes, edges = text.node_scores(weights), text.edge_scores(weights)
        score = sum(nodes[s] for s in starts[1:])
        score += sum(edges[b - 1, longest - (b - a)] for a, b in pairwise([*starts, n]))
        assert totals @ weights == pytest.approx(2.0 * score, abs=1e-5)


def test_a_text_over_its_own_weights_is_the_same_text():
    rng = np.random.default_rng(4)
    text, size = draw_text(rng, 20, 6, edges=5, garbage=True, size=500)
    columns, local = text.local()
    assert (np.diff(columns) > 0).all()
    assert len(columns) < size
    weights = rng.normal(size=size)
    here = weights[columns]
    np.testing.assert_array_equal(local.node_scores(here), text.node_scores(weights))
    np.testing.assert_array_equal(local.edge_scores(here), text.edge_scores(weights))
    starts = np.array([0, 3, 9, 14, 19])
    totals, own = np.zeros(size), np.zeros(len(columns))
    add_segmentation(text, totals, starts)
    add_segmentation(local, own, starts)
    assert totals[columns] == pytest.approx(own)


def test_many_columns_are_looked_up_in_few_tables():
    rng = np.random.default_rng(5)
    text, size = draw_text(rng, 40, 9, edges=12)
    bins = [column for column in text.edges if column.bins is not None]
    assert len(text.lookups) < len(bins)
    assert all(len(lookup.table(np.zeros(size))) <= 2048 for lookup in text.lookups)


def test_large_weights_before_do_not_blur_small_ones():
    nodes = NodeRows(np.arange(4), np.array([0, 1, 2]), np.ones(3))
    text = TextFeatures(nodes, [EdgeColumn(3, bins=np.zeros((3, 2), dtype=np.uint8))], 2)
    assert text.node_scores(np.array([0.0, 1e17, 1.0, 0.0])).tolist() == [0.0, 1e17, 1.0]
