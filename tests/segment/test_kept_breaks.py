from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext.errors import InputError
from bitext.model import Segmentation, Text
from bitext.segment.books import decide_with, within_breaks
from bitext.segment.segmenter import ParagraphSegmenter
from bitext.segment.semi_markov import decode, marginals

SENTENCES = ["“Go!” he said.", "“Why?”", "The rain fell.", "It was cold."] * 3


@pytest.fixture(scope="module")
def segmenter():
    text = Text(SENTENCES, paragraphs=Segmentation([1, 1, 2] * 3))
    return ParagraphSegmenter(cost=1.0).fit([text])


@given(st.integers(1, 7), st.integers(1, 5), st.data())
def test_the_best_paragraphs_with_the_known_breaks_are_found(n, longest, data):
    numbers = st.integers(-9, 9)
    nodes = np.array(data.draw(st.lists(numbers, min_size=n, max_size=n)), dtype=float)
    nodes[0] = 0.0
    cells = data.draw(st.lists(numbers, min_size=n * longest, max_size=n * longest))
    edges = np.array(cells, dtype=float).reshape(n, longest)
    for i, c in product(range(n), range(longest)):
        if longest - c > i + 1:
            edges[i, c] = -np.inf
    kept = np.array(data.draw(st.lists(st.booleans(), min_size=n, max_size=n)))
    best = -np.inf
    for inner in product([False, True], repeat=n - 1):
        starts = np.flatnonzero([True, *inner])
        lengths = np.diff([*starts, n])
        if (kept & ~np.isin(np.arange(n), starts))[1:].any() or lengths.max() > longest:
            continue
        ends = starts + lengths - 1
        score = nodes[starts].sum() + edges[ends, longest - lengths].sum()
        best = max(best, score)
    bound = within_breaks(edges, kept)
    starts, score = decode(nodes, bound)
    assert score == best
    assert set(np.flatnonzero(kept)) <= {0, *starts.tolist()}
    assert marginals(nodes, bound)[kept] == pytest.approx(1.0)


def test_without_known_breaks_it_is_what_the_segmenter_predicts(segmenter):
    decision = decide_with(segmenter, SENTENCES, np.zeros(12, dtype=bool), confidence=True)
    assert np.flatnonzero(decision.starts).tolist() == [
        0,
        *segmenter.predict(SENTENCES).boundaries.tolist(),
    ]
    assert decision.confidence == pytest.approx(segmenter.confidence(SENTENCES))


def test_known_breaks_stay(segmenter):
    kept = np.zeros(12, dtype=bool)
    kept[3] = True
    decision = decide_with(segmenter, SENTENCES, kept, confidence=True)
    assert decision.starts[3]
    assert decision.confidence[3] == pytest.approx(1.0)
    every = decide_with(segmenter, SENTENCES, np.ones(12, dtype=bool), confidence=True)
    assert every.starts.all()
    assert every.confidence.tolist() == [1.0] * 12


def test_known_breaks_are_added_to_those_of_other_methods():
    text = Text(SENTENCES, paragraphs=Segmentation([1, 1, 2] * 3))
    quotes = ParagraphSegmenter("quotes").fit([text])
    kept = np.zeros(12, dtype=bool)
    kept[3] = True
    found = decide_with(quotes, SENTENCES, kept).starts
    alone = decide_with(quotes, SENTENCES, np.zeros(12, dtype=bool)).starts
    assert found.tolist() == (alone | kept).tolist()


def test_a_model_without_breaks_keeps_those_that_are_known():
    none = ParagraphSegmenter().fit([Text(SENTENCES, paragraphs=Segmentation([12]))])
    kept = np.zeros(12, dtype=bool)
    kept[5] = True
    decision = decide_with(none, SENTENCES, kept)
    assert np.flatnonzero(decision.starts).tolist() == [0, 5]


def test_one_known_break_a_sentence_is_wanted(segmenter):
    with pytest.raises(InputError, match="2 known breaks for 12 sentences"):
        decide_with(segmenter, SENTENCES, np.zeros(2, dtype=bool))
