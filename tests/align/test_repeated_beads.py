"""Beads that repeat others, against a count of their words."""

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from bitext.align import repeated_beads
from bitext.align.repeated_beads import told_before


def flat(sides):
    bead = np.repeat(np.arange(len(sides)), [len(words) for words in sides])
    word = np.array([word for words in sides for word in words], dtype=np.int64)
    return bead, word


words = st.lists(st.integers(0, 3), max_size=3, unique=True).map(sorted)


@given(st.lists(st.tuples(words, words), max_size=40), st.integers(1, 3))
def test_what_was_told_so_often(beads, times):
    kept, repeated_beads._RARE = repeated_beads._RARE, 0
    try:
        src, tgt = ([bead[side] for bead in beads] for side in (0, 1))
        told = told_before(flat(src), flat(tgt), beads=len(beads), times=times)
    finally:
        repeated_beads._RARE = kept
    seen = Counter()
    for bead, again in zip(beads, told.tolist(), strict=True):
        key = tuple(map(tuple, bead))
        assert again == (any(bead) and seen[key] >= times)
        seen[key] += 1


def test_a_name_makes_no_bead_another():
    src = [[1, 2, 100 + k] for k in range(20)]
    told = told_before(flat(src), flat(src), beads=20)
    assert told.tolist() == [False] * 2 + [True] * 18
    often = [[1, 2, 100 + k % 2] for k in range(20)]
    assert told_before(flat(often), flat(often), beads=20).tolist() == [False] * 4 + [True] * 16
