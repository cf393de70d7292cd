"""The search of the tagger, its features, and the tagger itself."""

from itertools import pairwise, product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from bitext.syntax.english import best_row, tag_templates


@given(st.integers(0, 10_000), st.integers(1, 5), st.integers(1, 3))
def test_the_best_row_is_the_best_of_all(seed, words, tags):
    rng = np.random.default_rng(seed)
    # Whole numbers, so that there are ties.
    scores = rng.integers(-2, 3, size=(words, tags)).astype(np.float32)
    following = rng.integers(-2, 3, size=(tags + 1, tags)).astype(np.float32)

    def value(row):
        steps = sum(following[a, b] for a, b in pairwise(row))
        return following[-1, row[0]] + steps + sum(scores[k, t] for k, t in enumerate(row))

    rows = list(product(range(tags), repeat=words))
    best = max(map(value, rows))
    assert best_row(scores, following) == list(
        min((row for row in rows if value(row) == best), key=lambda row: row[::-1])
    )


def test_features_of_a_word_do_not_depend_on_the_batch():
    sentences = [["A", "plane", "fell", "."], ["Yes"], ["(", "Sic", ")"]]
    together = tag_templates(sentences).hashes()
    alone = [tag_templates([sentence]).hashes() for sentence in sentences]
    assert (together == np.concatenate(alone)).all()


def test_neighbours_two_words_away_are_seen_and_no_further():
    first = tag_templates([["a", "b", "c", "d", "e"]]).hashes()
    second = tag_templates([["a", "b", "c", "d", "x"]]).hashes()
    assert (first[:2] == second[:2]).all()
    assert (first[2] != second[2]).any()
    assert (first[3] != second[3]).any()
