"""The chain of two labels against all labels tried."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext.segment.rivals import best_chain, chain_marginals
from reference import chain_slow as slow

whole = st.integers(-3, 3)
chains = st.tuples(
    st.lists(whole, min_size=1, max_size=7), st.lists(whole, min_size=4, max_size=4)
).map(lambda drawn: (np.array(drawn[0], float), np.array(drawn[1], float).reshape(2, 2)))


@given(chains)
def test_the_best_chain_is_the_best_of_all_with_ties_to_inside_from_the_end(chain):
    nodes, moves = chain
    # Of equal ones the least from the last label on: inside is 0.
    wanted = min(slow.all_chains(nodes, moves), key=lambda found: (-found[1], found[0][::-1]))
    starts, score = best_chain(nodes, moves)
    assert score == wanted[1]
    assert starts.tolist() == np.flatnonzero(wanted[0]).tolist()


@given(chains)
def test_marginals_are_shares_of_all_chains(chain):
    nodes, moves = chain
    labels, scores = zip(*slow.all_chains(nodes, moves), strict=True)
    weights = np.exp(scores)
    wanted = weights @ np.array(labels) / weights.sum()
    assert chain_marginals(nodes, moves) == pytest.approx(wanted)


def test_no_sentence_has_no_start_and_one_has_one():
    moves = np.zeros((2, 2))
    assert best_chain(np.zeros(0), moves)[0].tolist() == []
    assert chain_marginals(np.zeros(0), moves).tolist() == []
    assert best_chain(np.array([-9.0]), moves)[0].tolist() == [0]
    assert chain_marginals(np.array([-9.0]), moves).tolist() == [1.0]


def test_scores_of_any_size_have_marginals():
    found = chain_marginals(np.array([0.0, 1e5, -1e5, 0.0]), 1e4 * np.eye(2))
    assert found.tolist() == [1.0, 1.0, 0.0, 0.0]
