"""The chain as a semi-Markov model."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext.segment.rivals import best_chain, chain_marginals
from bitext.segment.semi_markov import decode
from bitext.segment.training import MaxMarginChain, chain_features
from reference import chain_slow as slow
from reference.paragraph_corpora import add_segmentation


@given(st.integers(1, 9), st.data())
def test_edges_count_the_transitions(n, data):
    starts = [0, *sorted(data.draw(st.sets(st.integers(1, n - 1)) if n > 1 else st.just(set())))]
    totals = np.zeros(4)
    add_segmentation(chain_features(slow.bare(n, longest=9), 0), totals, np.array(starts))
    assert totals.tolist() == slow.transitions(starts, n)


@given(st.integers(1, 8), st.integers(0, 999))
def test_it_decodes_as_a_chain_does(n, seed):
    rng = np.random.default_rng(seed)
    weights = rng.normal(size=6)
    text = type(slow.bare(1))(slow.rows_of(rng.normal(size=(n, 2))), [], 8)
    nodes = text.node_scores(weights)
    moves = np.array([[weights[4], weights[5]], [weights[3], weights[2]]])
    chain = chain_features(text, 2)
    starts, score = decode(chain.node_scores(weights), chain.edge_scores(weights))
    wanted, best = best_chain(nodes, moves)
    assert starts.tolist() == wanted.tolist()
    assert score == pytest.approx(best)
    method = MaxMarginChain()
    method.weights = weights
    assert method.boundaries(text).tolist() == wanted.tolist()
    assert method.confidence(text) == pytest.approx(chain_marginals(nodes, moves))
