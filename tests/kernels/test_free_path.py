"""Paths that are free at both ends against those from every column to every other."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext.errors import InputError
from bitext.kernels.bead_path import free_paths
from reference.free_path_slow import best_between

BEADS = [(1, 1), (1, 0), (0, 1), (2, 1), (1, 2), (3, 2)]


@given(
    st.integers(1, 6),
    st.integers(0, 6),
    st.sampled_from([1, 3, 1000]),
    st.integers(0, 10_000),
    st.permutations(BEADS),
    st.sampled_from([1, 1 << 18]),
)
def test_every_end(rows, columns, spread, seed, beads, at_once):
    rng = np.random.default_rng(seed)
    table = rng.integers(-spread, spread + 1, (len(beads), rows + 1, columns + 1))
    score, begin = free_paths(
        beads, lambda a, b: table[:, a:b], rows=rows, columns=columns, at_once=at_once
    )

    def own(kind, i, j):
        return int(table[kind, i, j])

    for end in range(columns + 1):
        every = [best_between(beads, own, rows, start, end) for start in range(end + 1)]
        best = max(one for one in every if one is not None)
        assert score[end] == best
        assert begin[end] == max(k for k, one in enumerate(every) if one == best)


def test_no_rows():
    score, begin = free_paths(BEADS, lambda *_: None, rows=0, columns=3)
    assert (score.tolist(), begin.tolist()) == ([0, 0, 0, 0], [0, 1, 2, 3])


def test_what_is_refused():
    with pytest.raises(InputError, match="want"):
        free_paths([(1, 1)], lambda *_: None, rows=1, columns=1)
    with pytest.raises(InputError, match="16,777,216 columns: want less than 16777216"):
        free_paths(BEADS, lambda *_: None, rows=1, columns=1 << 24)
