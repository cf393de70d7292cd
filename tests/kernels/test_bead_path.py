"""Paths of beads against all paths of small tables."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bitext.errors import InputError
from bitext.kernels.bead_path import Band, ScoredBand, best_path, best_paths
from bitext.kernels.bead_posteriors import chances
from reference.bead_path import best, shares

BEADS = [(1, 1), (1, 0), (0, 1), (2, 1), (1, 2), (2, 2), (3, 1)]


@st.composite
def tables(draw):
    rows, columns = draw(st.integers(0, 4)), draw(st.integers(0, 4))
    width = draw(st.integers(1, columns + 3))
    steps = draw(st.lists(st.integers(0, 2), min_size=rows, max_size=rows))
    start = draw(st.integers(-2, 0))
    lo = start + np.concatenate([[0], np.cumsum(steps)]).astype(np.int64)
    beads = [(1, 1), (1, 0), (0, 1), *draw(st.permutations(BEADS[3:]))[: draw(st.integers(0, 4))]]
    beads = draw(st.permutations(beads))
    seed = draw(st.integers(0, 10_000))
    spread = draw(st.sampled_from([1, 3, 1000]))
    table = np.random.default_rng(seed).integers(-spread, spread + 1, (7, rows + 1, width))
    return beads, Band(lo, width, columns), table


def fits(band):
    lo, width = band.lo, band.width
    return lo[0] <= 0 < lo[0] + width and lo[-1] <= band.columns < lo[-1] + width


@settings(max_examples=100)
@given(tables(), st.integers(1, 40))
def test_best_of_all_paths_and_its_chances(given_tables, cells):
    beads, band, table = given_tables
    lo, width = band.lo, band.width

    def inside(i, j):
        return 0 <= j <= band.columns and lo[i] <= j < lo[i] + width

    def score(kind, i, j):
        return int(table[kind, i, j - lo[i]])

    def asked(first, last):
        return table[: len(beads), first:last]

    if not fits(band):
        with pytest.raises(InputError, match="band"):
            best_path(beads, asked, band)
        return
    wanted = best(beads, score, band.rows, band.columns, inside)
    if wanted is None:
        with pytest.raises(InputError, match="no path"):
            best_path(beads, asked, band, at_once=cells)
        return
    found = best_path(beads, asked, band, at_once=cells)
    steps = list(zip(found.kinds.tolist(), found.row.tolist(), found.column.tolist(), strict=True))
    assert (found.score, steps) == wanted
    sure = chances(beads, asked, band, found, unit=500.0, at_once=cells)
    slow = shares(beads, score, band.rows, band.columns, inside, steps, 500.0)
    np.testing.assert_allclose(sure, slow, rtol=1e-9)


@given(st.integers(0, 10_000), st.integers(1, 40))
def test_scores_may_have_fewer_columns_where_no_path_is(seed, cells):
    rng = np.random.default_rng(seed)
    rows, width = 30, 24
    lo = np.cumsum(np.append(0, rng.integers(0, 3, rows)))
    columns = int(lo[-1])
    table = rng.integers(-50, 50, (len(BEADS), rows + 1, width))
    # Of each row so many columns count; its neighbours may have more or fewer.
    wide = rng.integers(4, width + 1, rows + 1)
    padded = np.where(np.arange(width) < wide[:, None], table, -(1 << 31))

    def narrow(first, last):
        return padded[:, first:last, : wide[first:last].max()]

    band = Band(lo, width, columns)
    wanted = best_path(BEADS, lambda first, last: padded[:, first:last], band)
    found = best_path(BEADS, narrow, band, at_once=cells * width)
    assert wanted.score > -(1 << 30)
    assert (found.score, found.kinds.tolist()) == (wanted.score, wanted.kinds.tolist())
    assert found.column.tolist() == wanted.column.tolist()


def test_a_path_along_the_edge_is_told():
    table = np.zeros((3, 11, 5), dtype=np.int64)
    table[0] = 1
    found = best_path(BEADS[:3], lambda a, b: table[:, a:b], Band(np.arange(11) - 2, 5, 10))
    assert found.near == pytest.approx(0.4)
    off = best_path(BEADS[:3], lambda a, b: table[:, a:b], Band(np.arange(11) - 4, 5, 10))
    assert off.near == 0.0
    whole = best_path(
        BEADS[:3], lambda a, b: np.zeros((3, b - a, 11), int), Band(np.zeros(11, int), 11, 10)
    )
    assert whole.near == 0.5


@pytest.mark.parametrize(
    "beads",
    [[(1, 1), (1, 0)], [(1, 1), (0, 1)], [(1, 0), (0, 1), (0, 2)], [(1, 0), (0, 1), (1, 0)]],
)
def test_beads_that_cannot_be(beads):
    with pytest.raises(InputError, match="the beads are"):
        best_path(beads, lambda a, b: np.zeros((3, b - a, 1)), Band(np.zeros(2, int), 1, 0))


def test_long_paths_lose_nothing():
    rows = 5000
    rng = np.random.default_rng(3)
    table = rng.integers(-(1 << 20), 1 << 20, (3, rows + 1, 7))
    band = Band(np.arange(rows + 1) - 3, 7, rows)
    found = best_path(BEADS[:3], lambda a, b: table[:, a:b], band)
    at = (found.kinds, found.row, found.column - band.lo[found.row])
    assert found.score == table[at].sum()
    sure = chances(BEADS[:3], lambda a, b: table[:, a:b], band, found, unit=float(1 << 18))
    assert (sure > 0).all()
    assert (sure <= 1).all()


@given(st.lists(tables(), min_size=1, max_size=6), st.integers(1, 3000), st.integers(0, 2))
def test_paths_of_many_tables_in_lockstep_are_those_of_each(several, cells, narrower):
    beads = several[0][0]
    found = []
    for _, band, table in several:
        scores = table[: len(beads)]
        # No path passes the last columns, which have no scores.
        least = max(1 - int(band.lo[0]), band.columns - int(band.lo[-1]) + 1, 1)
        scores = scores[:, :, : max(least, band.width - narrower)]
        try:
            wanted = best_path(beads, lambda first, last, own=scores: own[:, first:last], band)
        except InputError as error:
            with pytest.raises(InputError, match=str(error)[:20]):
                best_paths(beads, [ScoredBand(scores, band)])
            continue
        found.append((ScoredBand(scores, band), wanted))
    paths = best_paths(beads, [table for table, _ in found], at_once=cells)
    for (_, wanted), path in zip(found, paths, strict=True):
        assert (path.score, path.near) == (wanted.score, wanted.near)
        for name in ("kinds", "row", "column"):
            np.testing.assert_array_equal(getattr(path, name), getattr(wanted, name))
