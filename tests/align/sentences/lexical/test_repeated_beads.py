"""Beads that repeat others, against a count of their words."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext.align.sentences.lexical.repeated_beads import is_near_duplicate


def flat(sides):
    bead = np.repeat(np.arange(len(sides)), [len(words) for words in sides])
    word = np.array([word for words in sides for word in words], dtype=np.int64)
    return bead, word


words = st.lists(st.integers(0, 3), max_size=3, unique=True).map(sorted)


@given(st.lists(st.tuples(words, words), max_size=40), st.integers(1, 3))
def test_what_was_told_so_often(beads, times):
    # With one group of words only what has all words is a copy.
    src, tgt = (flat([bead[side] for bead in beads]) for side in (0, 1))
    told = is_near_duplicate(src, tgt, beads=len(beads), times=times, rare=0, groups=1)
    seen = Counter()
    for bead, again in zip(beads, told.tolist(), strict=True):
        key = tuple(map(tuple, bead))
        assert again == (any(bead) and seen[key] >= times)
        seen[key] += 1


def test_a_name_makes_no_bead_another():
    src = [[1, 2, 100 + k] for k in range(20)]
    told = is_near_duplicate(flat(src), flat(src), beads=20)
    assert told.tolist() == [False] * 2 + [True] * 18
    often = [[1, 2, 100 + k % 2] for k in range(20)]
    assert (
        is_near_duplicate(flat(often), flat(often), beads=20).tolist() == [False] * 4 + [True] * 16
    )


def passages(seed, number, *, copies, others):
    """Copies of sentences of 20 words, the first of which are others in each copy."""
    draw = np.random.default_rng(seed)
    texts = [draw.choice(400, 20, replace=False) for _ in range(number)]
    found = []
    for copy in range(copies):
        for text in texts:
            here = text.copy()
            here[:others] = 1000 + copy * 10 + np.arange(others)
            found.append(sorted(here.tolist()))
    return found


def test_copies_with_other_names_are_told_though_the_names_are_frequent():
    src, tgt = (passages(seed, 60, copies=12, others=2) for seed in (1, 2))
    told = is_near_duplicate(flat(src), flat(tgt), beads=len(src))
    assert not told[:120].any()
    assert told[120:].mean() > 0.9


def test_a_copy_that_lacks_some_words_is_told():
    src, tgt = (passages(seed, 60, copies=6, others=0) for seed in (3, 4))
    src, tgt = (side + [words[:17] for words in side[-60:]] for side in (src, tgt))
    told = is_near_duplicate(flat(src), flat(tgt), beads=len(src))
    assert told[120:360].all()
    assert told[360:].mean() > 0.8


def test_texts_of_the_same_words_are_no_copies():
    src, tgt = (passages(seed, 700, copies=1, others=0) for seed in (5, 6))
    assert not is_near_duplicate(flat(src), flat(tgt), beads=len(src)).any()


@pytest.mark.parametrize("at_once", [1, 100, 400, 1 << 20])
def test_what_is_compared_at_once_does_not_matter(at_once):
    src, tgt = (passages(seed, 30, copies=5, others=3) for seed in (7, 8))
    src, tgt = [[], *src], [[], *tgt]
    wanted = is_near_duplicate(flat(src), flat(tgt), beads=len(src))
    assert 0.3 < wanted.mean() < 0.9
    how = {"at_once": at_once, "compared": 10 * at_once}
    assert (is_near_duplicate(flat(src), flat(tgt), beads=len(src), **how) == wanted).all()


def test_without_a_frequent_word_nothing_is_a_copy():
    some = [[*range(10 * k, 10 * k + 10)] for k in range(8)]
    assert not is_near_duplicate(flat(some * 8), flat(some * 8), beads=64).any()
    assert (
        is_near_duplicate(flat(some * 9), flat(some * 9), beads=72).tolist()
        == [False] * 16 + [True] * 56
    )
