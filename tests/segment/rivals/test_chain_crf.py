"""The conditional random field against CRFsuite's own answers."""

import numpy as np
import pytest

from bitext.segment.rivals import ChainCrf
from reference import chain_slow as slow


def test_labels_and_probabilities_are_those_of_crfsuite(tmp_path):
    crf = pytest.importorskip("pycrfsuite")
    features, golds = slow.made_up(5)
    method = ChainCrf(l2=0.5, passes=40).fit(features[:8], golds[:8])
    learner = crf.Trainer(verbose=False)
    learner.set_params(
        {
            "c1": 0.0,
            "c2": 0.5,
            "max_iterations": 40,
            "feature.possible_transitions": True,
            "feature.possible_states": True,
        }
    )

    def items(text):
        ptr, idx, values = text.nodes
        rows = [
            {str(idx[e]): float(values[e]) for e in range(ptr[k], ptr[k + 1])}
            for k in range(text.n)
        ]
        return [{"first": 1.0}, *rows[1:]]

    for text, gold in zip(features[:8], golds[:8], strict=True):
        labels = ["1" if k in gold else "0" for k in range(text.n)]
        learner.append(items(text), labels)
    learner.train(str(tmp_path / "model"))
    tagger = crf.Tagger()
    tagger.open(str(tmp_path / "model"))
    for text in features[8:]:
        labels = tagger.tag(items(text))
        assert labels[0] == "1"
        starts = [k for k, label in enumerate(labels) if label == "1"]
        assert method.boundaries(text).tolist() == starts
        chances = [tagger.marginal("1", k) for k in range(text.n)]
        # That the first sentence is a start CRFsuite finds likely, and we know.
        assert method.confidence(text)[3:] == pytest.approx(chances[3:], abs=1e-3)


def test_sequences_are_learned():
    pytest.importorskip("pycrfsuite")
    # Every second sentence starts a paragraph; no sentence tells of it.
    gold = np.arange(0, 30, 2)
    method = ChainCrf().fit([slow.bare(30)] * 4, [gold] * 4)
    assert method.boundaries(slow.bare(9)).tolist() == [0, 2, 4, 6, 8]
