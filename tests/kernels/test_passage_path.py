"""Paths with passages against one that is found point by point."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bitext.errors import InputError
from bitext.kernels.bead_path import Band, Passages, best_path, passage_path
from reference.passage_path_slow import best_score, score_of

BEADS = [(1, 1), (1, 0), (0, 1), (2, 1), (1, 2), (2, 2), (3, 1)]
MANY = [(1, 1), (1, 0), (0, 1), *((a, b) for a in range(1, 9) for b in range(2, 10))]


@st.composite
def tables(draw, beads):
    rows, columns = draw(st.integers(0, 7)), draw(st.integers(0, 7))
    width = draw(st.integers(1, columns + 3))
    steps = draw(st.lists(st.integers(0, 2), min_size=rows, max_size=rows))
    start = draw(st.integers(-2, 0))
    lo = start + np.concatenate([[0], np.cumsum(steps)]).astype(np.int64)
    spread = draw(st.sampled_from([1, 3, 1000]))
    seed = draw(st.integers(0, 10_000))
    table = np.random.default_rng(seed).integers(-spread, spread + 1, (len(beads), rows + 1, width))
    passages = Passages(
        -draw(st.integers(1, 3 * spread)),
        (draw(st.integers(0, 2 * spread)), draw(st.integers(0, 2 * spread))),
    )
    return draw(st.permutations(beads)), Band(lo, width, columns), table, passages


def _same(beads, band, table, passages, **options):
    lo, width = band.lo, band.width

    def inside(i, j):
        return 0 <= i <= band.rows and 0 <= j <= band.columns and lo[i] <= j < lo[i] + width

    def score(kind, i, j):
        return int(table[kind, i, j - lo[i]])

    def asked(first, last):
        return table[:, first:last]

    if not inside(0, 0) or not inside(band.rows, band.columns):
        with pytest.raises(InputError, match="band"):
            passage_path(beads, asked, band, passages, **options)
        return
    wanted = best_score(beads, score, band.rows, band.columns, inside, *passages)
    if wanted is None:
        with pytest.raises(InputError, match="no path"):
            passage_path(beads, asked, band, passages, **options)
        return
    path, within = passage_path(beads, asked, band, passages, **options)
    assert path.score == wanted
    assert score_of(beads, score, path, within, *passages) == wanted
    ends = np.cumsum([beads[kind] for kind in path.kinds], axis=0).reshape(-1, 2)
    assert (ends[:, 0].tolist(), ends[:, 1].tolist()) == (path.row.tolist(), path.column.tolist())
    assert all(inside(i, j) for i, j in ends.tolist())


@settings(max_examples=100)
@given(tables(BEADS), st.integers(1, 60))
def test_best_of_all_paths(given_tables, cells):
    _same(*given_tables, at_once=cells)


@given(tables(MANY))
def test_many_beads(given_tables):
    _same(*given_tables)


def test_a_passage_on_both_sides_in_the_middle():
    rows, columns = 90, 100
    lo = np.zeros(rows + 1, dtype=np.int64)
    row, column = np.arange(rows + 1)[:, None], np.arange(columns + 1)
    table = np.full((3, rows + 1, columns + 1), -5)
    table[0] = np.where((column == row) & (row <= 40), 4, -9)
    table[0][(row > 60) & (column - row == 10)] = 4
    band, kinds = Band(lo, columns + 1, columns), [(1, 1), (1, 0), (0, 1)]
    path, within = passage_path(kinds, lambda a, b: table[:, a:b], band, Passages(-20, (4, 4)))
    assert path.score == 70 * 4 - 20 - 50
    assert np.flatnonzero(within).tolist() == list(range(40, 90))
    # With nothing to be gained, it is the path without passages.
    path, within = passage_path(kinds, lambda a, b: table[:, a:b], band, Passages(-1, (0, 0)))
    plain = best_path(kinds, lambda a, b: table[:, a:b], band)
    assert (path.score, within.any()) == (plain.score, False)
    assert path.kinds.tolist() == plain.kinds.tolist()


@pytest.mark.parametrize("passages", [Passages(0, (1, 1)), Passages(-1, (-1, 2))])
def test_passages_that_cost_nothing(passages):
    with pytest.raises(InputError, match="passages score"):
        passage_path([(1, 1), (1, 0), (0, 1)], None, Band(np.zeros(1, int), 1, 0), passages)
