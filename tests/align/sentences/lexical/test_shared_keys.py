from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from bitext.align.sentences.lexical.cognates import Keyed, compared, opens, sharing

WORDS = st.lists(st.sets(st.integers(0, 9), max_size=4), max_size=12)


def keyed(words):
    both = [(key, number) for number, keys in enumerate(words) for key in keys]
    keys = np.array([key for key, _ in both], dtype=np.int64)
    return Keyed.of(keys, np.array([number for _, number in both], dtype=np.int32))


@given(WORDS, WORDS, st.integers(0, 60))
def test_pairs_are_those_of_one_by_one(left, right, most):
    met = {
        key: [(a, b) for a, x in enumerate(left) for b, y in enumerate(right) if key in x & y]
        for key in range(10)
    }
    # The rarest keys are taken, in the order of the keys where several are as rare.
    expected, looked_at = [], 0
    for key in sorted((key for key in met if met[key]), key=lambda key: (len(met[key]), key)):
        looked_at += len(met[key])
        expected += met[key] if looked_at <= most else []
    found = sharing(keyed(left), keyed(right), wide=100, most=most)
    assert (np.diff(found) >= 0).all()
    assert Counter(found.tolist()) == Counter(a * 100 + b for a, b in expected)


@given(st.lists(st.integers(0, 5)).map(sorted))
def test_what_opens_is_what_is_different(values):
    ordered = np.array(values, dtype=np.int64)
    assert ordered[opens(ordered)].tolist() == sorted(set(values))


def test_pairs_are_compared_in_pieces_and_stay_in_order():
    first, asked = np.arange(40_000), []

    def alike(some, others):
        asked.append(len(some))
        return (some - others).astype(np.float64)

    found = compared(alike, first, first[::-1], each=map)
    assert found.tolist() == (first - first[::-1]).tolist()
    assert len(asked) > 2
    assert compared(alike, first[:0], first[:0], each=map).tolist() == []
