"""Decoding against every segmentation there is, ties included."""

import numpy as np
import pytest

from bitext.segment.semi_markov import decode, k_best, marginals, score_of
from reference import paragraphs_slow as slow


def draw(rng, *, most=8, integers=True):
    """Scores of a small text; integers from a small range, so that there are many ties."""
    n, longest = int(rng.integers(1, most + 1)), int(rng.integers(1, most + 2))
    size = (n, longest + 1)
    values = rng.integers(-2, 3, size) if integers else rng.normal(size=size) * rng.choice([1, 30])
    scores = values.astype(float)
    nodes, edges = scores[:, 0].copy(), scores[:, 1:].copy()
    for i in range(min(n, longest)):
        edges[i, : longest - i - 1] = -np.inf
    gold = [0, *(k for k in range(1, n) if rng.random() < 0.4)]
    return nodes, edges, gold


@pytest.mark.parametrize("integers", [True, False])
def test_the_best_of_all_segmentations_is_found(integers):
    rng = np.random.default_rng(7)
    for _ in range(500):
        nodes, edges, gold = draw(rng, integers=integers)
        for wanted in (None, gold):
            value, starts = slow.ranked(nodes.tolist(), edges.tolist(), wanted)[0]
            found, score = decode(nodes, edges, gold=wanted)
            assert found.tolist() == starts
            assert score == (value if integers else pytest.approx(value, abs=1e-9))
            loss = 0 if wanted is None else len(set(starts) ^ set(gold))
            assert score_of(nodes, edges, found) + loss == pytest.approx(score, abs=1e-9)


def test_the_k_best_come_in_order():
    rng = np.random.default_rng(8)
    for _ in range(300):
        nodes, edges, _ = draw(rng)
        k = int(rng.integers(1, 12))
        expected = slow.ranked(nodes.tolist(), edges.tolist())[:k]
        assert [(s, y.tolist()) for y, s in k_best(nodes, edges, k)] == expected
        assert k_best(nodes, edges, 1)[0][0].tolist() == decode(nodes, edges)[0].tolist()


def test_probabilities_are_sums_over_all_segmentations():
    rng = np.random.default_rng(9)
    for _ in range(400):
        nodes, edges, _ = draw(rng, most=7, integers=False)
        found = marginals(nodes, edges)
        assert found == pytest.approx(slow.marginals(nodes.tolist(), edges.tolist()), abs=1e-9)


def test_probabilities_stand_scores_of_any_size():
    rng = np.random.default_rng(10)
    nodes, edges = rng.normal(size=400) * 1e5, rng.normal(size=(400, 12)) * 1e5
    for i in range(11):
        edges[i, : 11 - i] = -np.inf
    found = marginals(nodes, edges)
    assert np.isfinite(found).all()
    assert ((found >= 0) & (found <= 1)).all()
    assert np.flatnonzero(found > 0.5).tolist() == decode(nodes, edges)[0].tolist()


def test_one_sentence_and_none():
    assert decode([5.0], [[-np.inf, 2.0]])[0].tolist() == [0]
    assert decode([5.0], [[-np.inf, 2.0]])[1] == 2.0
    assert decode(np.zeros(0), np.zeros((0, 4)), gold=[])[0].tolist() == []
    assert k_best(np.zeros(0), np.zeros((0, 4)), 3) == []
    assert marginals(np.zeros(0), np.zeros((0, 4))).tolist() == []
    assert marginals([3.0], [[1.0]]).tolist() == [1.0]


def test_nothing_given_is_changed():
    nodes, edges = np.ones(5), np.zeros((5, 1))
    decode(nodes, edges, gold=[0, 2])
    assert nodes.tolist() == [1.0] * 5
