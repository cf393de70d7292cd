"""The linear support vector machine against scikit-learn's own answers."""

import re

import numpy as np
import pytest

from bitext.model import Segmentation, Text
from bitext.segment.features.groups import FeatureOptions
from bitext.segment.method import decisions
from bitext.segment.rivals import LinearSvm
from bitext.segment.segmenter import ParagraphSegmenter
from reference import chain_slow as slow


def test_scores_are_those_of_scikit_learn():
    svm = pytest.importorskip("sklearn.svm")
    features, golds = slow.made_up(7)
    method = LinearSvm(cost=0.3).fit(features[:8], golds[:8])

    def matrix(texts):
        out = np.zeros((sum(text.n - 1 for text in texts), 30))
        line = 0
        for text in texts:
            ptr, idx, values = text.nodes
            for k in range(1, text.n):
                out[line, idx[ptr[k] : ptr[k + 1]]] = values[ptr[k] : ptr[k + 1]]
                line += 1
        return out

    right = decisions(features[:8], golds[:8]).starts
    peer = svm.LinearSVC(C=0.3, random_state=0, max_iter=10_000).fit(matrix(features[:8]), right)
    scores = np.concatenate([method.scores(text)[1:] for text in features[8:]])
    assert scores == pytest.approx(peer.decision_function(matrix(features[8:])), rel=1e-9)
    assert method.converged


def test_too_few_passes_are_told_of():
    pytest.importorskip("sklearn")
    # Fewer decisions than columns: liblinear then goes through the decisions one by one.
    features, golds = slow.made_up(7, texts=2, sentences=12)
    assert not LinearSvm(cost=1000.0, passes=1).fit(features, golds).converged
    assert not LinearSvm.from_parts(
        *LinearSvm(cost=1000.0, passes=1).fit(features, golds).to_parts()
    ).converged


def test_training_that_did_not_converge_is_noted():
    pytest.importorskip("sklearn")
    text = Text(
        ["“Go!”", "“Why?” he said.", "It rained.", "Wet."] * 3,
        paragraphs=Segmentation([1, 1, 2] * 3),
    )
    options = {"features": FeatureOptions(groups=("words", "form", "length"), min_count=1)}
    segmenter = ParagraphSegmenter("svm", cost=1000.0, passes=1, **options).fit([text])
    told = r"not converged at the limit of passes, 1: a smaller C \(cost=\)"
    assert re.search(told, segmenter.notes_[0])
    assert ParagraphSegmenter("svm", **options).fit([text]).notes_ == ()
    chain = ParagraphSegmenter("max-margin-chain", **options).fit([text])
    assert chain.card_["training"]["converged"]
