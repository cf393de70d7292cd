"""Boosting against scikit-learn's own answers."""

import numpy as np
import pytest

from bitext.segment.method import decisions
from bitext.segment.rivals import Boosting, dense
from reference import chain_slow as slow


def test_dense_columns_are_the_kept_ones():
    matrix = np.array([[0.0, 2.0, 0.0, 4.0], [0.0, 0.0, 0.0, 0.0], [1.0, 0.0, 3.0, 0.0]])
    kept = np.array([0, 3, 7])
    wanted = np.concatenate([matrix[:, [0, 3]], np.zeros((3, 1))], axis=1)
    assert dense(slow.rows_of(matrix), kept).tolist() == wanted.tolist()
    assert dense(slow.rows_of(matrix), np.zeros(0, dtype=np.int64)).shape == (3, 0)


def test_the_most_frequent_columns_are_looked_at():
    pytest.importorskip("sklearn")
    matrix = np.zeros((9, 4))
    matrix[1:, 2], matrix[1:5, 0], matrix[1:6, 3], matrix[0, 1] = 1.0, 2.0, 3.0, 4.0
    text = type(slow.bare(1))(slow.rows_of(matrix), [], 9)
    method = Boosting(columns=2, rounds=2).fit([text], [np.array([0, 2, 4])])
    assert method.selected.tolist() == [2, 3]


@pytest.mark.parametrize("seed", range(3))
def test_the_trees_answer_to_the_last_bit_as_scikit_learn_does(seed):
    ensemble = pytest.importorskip("sklearn.ensemble")
    features, golds = slow.made_up(seed)
    method = Boosting(rounds=30, columns=20).fit(features[:8], golds[:8])
    given = decisions(features[:8], golds[:8])
    peer = ensemble.HistGradientBoostingClassifier(
        max_iter=30, learning_rate=0.1, max_leaf_nodes=31, early_stopping=False, random_state=0
    ).fit(dense(given.rows, method.selected), given.starts)
    other = decisions(features[8:], golds[8:])
    matrix = dense(other.rows, method.selected)
    # In several blocks a text.
    scores = np.concatenate([method.scores(text, at_once=25)[1:] for text in features[8:]])
    assert scores.tolist() == peer.decision_function(matrix).tolist()
    chances = np.concatenate([method.confidence(text)[1:] for text in features[8:]])
    assert chances == pytest.approx(peer.predict_proba(matrix)[:, 1])
