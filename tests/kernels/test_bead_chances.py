"""Chances by pieces against those of the whole table."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bitext.kernels import bead_posteriors as bead_pieces
from bitext.kernels.bead_path import Band, BeadPath, best_path
from bitext.kernels.bead_posteriors import Table, chances, chances_by_pieces, chances_of_tables

BEADS = [(1, 1), (1, 0), (0, 1), (2, 1), (1, 2), (3, 2)]


@st.composite
def tables(draw):
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    rows, width = draw(st.integers(0, 30)), draw(st.integers(6, 12))
    lo = draw(st.integers(-3, 0)) + np.cumsum(np.append(0, rng.choice([0, 1, 1, 2], rows)))
    columns = int(lo[-1]) + draw(st.integers(max(0, -int(lo[-1])), width - 1))
    return Band(lo, width, columns), rng.integers(-900, 900, (len(BEADS), rows + 1, width))


@settings(max_examples=60)
@given(tables(), st.integers(1, 9), st.sampled_from([300.0, 20.0, 5.0, 1.0]))
def test_with_all_rows_beside_they_are_exact(given_table, rows, unit):
    band, table = given_table
    path = best_path(BEADS, lambda a, b: table[:, a:b], band)
    exact = chances(BEADS, lambda a, b: table[:, a:b], band, path, unit=unit, beside=40)
    found = chances_by_pieces(BEADS, table, band, path, unit=unit, rows=rows, beside=40)
    np.testing.assert_allclose(found, exact, rtol=1e-8, atol=1e-12)


def _leading_nowhere(gain):
    """Return a table in which beads beside the path weigh so much, and no path comes back."""
    table = np.full((len(BEADS), 31, 9), -2000)
    table[0, :, 4] = 1000
    table[:, 12:16, 7] = gain  # and from there on no bead leads back to the diagonal
    table[[k for k, (a, b) in enumerate(BEADS) if a > b], 13:] = -4_000_000
    band = Band(np.arange(31) - 4, 9, 30)
    return Table(
        table, band, BeadPath(0, np.zeros(30, int), np.arange(1, 31), np.arange(1, 31), 0.5)
    )


@pytest.mark.parametrize("gain", [3_000, 90_000])
def test_a_path_beside_another_that_weighs_far_more_but_leads_nowhere(gain):
    table, band, path = _leading_nowhere(gain)
    exact = chances(BEADS, lambda a, b: table[:, a:b], band, path, unit=300.0, beside=40)
    found = chances_by_pieces(BEADS, table, band, path, unit=300.0, rows=9, beside=40)
    assert exact.min() > 0.9
    np.testing.assert_allclose(found, exact, rtol=1e-8)


def test_only_what_is_out_of_range_is_gone_through_by_logarithms(monkeypatch):
    several = [_leading_nowhere(gain) for gain in (3_000, 90_000, 3_000)]
    by_logarithms = []

    def noted(beads, scores, band, path, **how):
        by_logarithms.append(scores(0, len(band.lo)))
        return chances(beads, scores, band, path, **how)

    monkeypatch.setattr(bead_pieces, "chances", noted)
    found = chances_of_tables(BEADS, several, unit=300.0, rows=9, beside=40)
    assert [table.max() for table in by_logarithms] == [90_000]
    for (table, band, path), sure in zip(several, found, strict=True):
        exact = chances(
            BEADS, lambda a, b, table=table: table[:, a:b], band, path, unit=300.0, beside=40
        )
        np.testing.assert_allclose(sure, exact, rtol=1e-8)


@pytest.mark.parametrize("step", [-5.0, -30.0, 30.0])
def test_a_long_run_of_one_side_weighs_far_less_or_more_than_a_number_holds(step):
    # Twenty members of the target in one row, of which each weighs so much.
    table = np.full((len(BEADS), 5, 24), -2000)
    table[0, 1:, :] = 100
    table[2] = int(300 * step)
    band = Band(np.array([0, 0, 0, 1, 2]), 24, 24)
    path = best_path(BEADS, lambda a, b: table[:, a:b], band)
    exact = chances(BEADS, lambda a, b: table[:, a:b], band, path, unit=300.0, beside=40)
    found = chances_by_pieces(BEADS, table, band, path, unit=300.0, rows=2, beside=40)
    np.testing.assert_allclose(found, exact, rtol=1e-8)


def test_points_that_no_bead_ends_at_are_as_those_outside():
    rng = np.random.default_rng(1)
    table = rng.integers(-900, 900, (len(BEADS), 41, 12))
    beyond = np.arange(12) > 6 + np.arange(41)[:, None] % 4
    table[:, beyond] = -(1 << 29)
    band = Band(np.arange(41) - 4, 12, 40)
    path = best_path(BEADS, lambda a, b: table[:, a:b], band)
    exact = chances(BEADS, lambda a, b: table[:, a:b], band, path, unit=300.0, beside=50)
    found = chances_by_pieces(BEADS, table, band, path, unit=300.0, rows=9, beside=50)
    np.testing.assert_allclose(found, exact, rtol=1e-8)


@pytest.mark.parametrize("score", [-(1 << 31), 1 << 31])
def test_what_scores_of_beads_that_begin_before_the_table_are_does_not_count(score):
    rng = np.random.default_rng(2)
    table = rng.integers(-900, 900, (len(BEADS), 41, 9))
    band = Band(np.arange(41) - 4, 9, 40)
    path = best_path(BEADS, lambda a, b: table[:, a:b], band)
    found = chances_by_pieces(BEADS, table, band, path, unit=300.0, rows=9, beside=50)
    i, j = np.arange(41)[:, None], np.arange(41)[:, None] + np.arange(-4, 5)
    for own, (a, b) in zip(table, BEADS, strict=True):
        own[(i < a) | (j < b)] = score
    same = chances_by_pieces(BEADS, table, band, path, unit=300.0, rows=9, beside=50)
    np.testing.assert_allclose(same, found, rtol=1e-8)


def test_borders_that_no_bead_crosses_take_no_logarithms(monkeypatch):
    # Paragraphs of four members, of which each is beside one of the other side.
    table = np.random.default_rng(3).integers(-900, 900, (len(BEADS), 41, 9))
    band = Band(np.arange(41) - 4, 9, 40)
    i = np.broadcast_to(np.arange(41)[:, None], (41, 9))
    j = i + np.arange(-4, 5)
    for own, (a, b) in zip(table, BEADS, strict=True):
        row, column = (i - 1) // 4, (j - 1) // 4
        across = ((i - a) // 4 != row) & (a > 0) | ((j - b) // 4 != column) & (b > 0)
        if a and b:
            across |= row != column
        else:
            across |= abs(j - 4 * row - 2) > 2 if a else abs(i - 4 * column - 2) > 2
        own[across] -= 6_000_000
    path = best_path(BEADS, lambda a, b: table[:, a:b], band)
    exact = chances(BEADS, lambda a, b: table[:, a:b], band, path, unit=300.0, beside=50)
    monkeypatch.setattr(bead_pieces, "chances", None)
    found = chances_by_pieces(BEADS, table, band, path, unit=300.0, rows=9, beside=50)
    assert exact.min() < 0.9
    np.testing.assert_allclose(found, exact, rtol=1e-8)


@given(st.lists(tables(), max_size=4), st.integers(1, 9))
def test_those_of_several_tables_are_those_of_each(given_tables, rows):
    several = []
    for band, table in given_tables:
        path = best_path(BEADS, lambda a, b, table=table: table[:, a:b], band)
        several.append(Table(table, band, path))
    found = chances_of_tables(BEADS, several, unit=300.0, rows=rows, beside=7)
    assert len(found) == len(several)
    for one, sure in zip(several, found, strict=True):
        alone = chances_by_pieces(BEADS, *one, unit=300.0, rows=rows, beside=7)
        np.testing.assert_array_equal(sure, alone)


@pytest.mark.parametrize(("sizes", "size"), [((5,), 6), ((30, 4), 31), ((31, 4), 30 + 2 * 7 + 4)])
def test_tables_that_are_not_cut_have_no_rows_beside_them(sizes, size):
    several = []
    for rows in sizes:
        table, band = (
            np.zeros((len(BEADS), rows + 1, 7), int),
            Band(np.arange(rows + 1) - 3, 7, rows),
        )
        path = best_path(BEADS, lambda a, b, table=table: table[:, a:b], band)
        several.append(Table(table, band, path))
    pieces = bead_pieces.Pieces(BEADS, several, 300.0, rows=30, beside=7)
    assert pieces.size == size
    found = chances_of_tables(BEADS, several, unit=300.0, rows=30, beside=7)
    for (table, band, path), sure in zip(several, found, strict=True):
        exact = chances(
            BEADS, lambda a, b, table=table: table[:, a:b], band, path, unit=300.0, beside=7
        )
        np.testing.assert_allclose(sure, exact, atol=1e-3)


@pytest.mark.parametrize("rows", [1, 63, 64, 65, 500])
def test_some_rows_beside_are_enough(rows):
    rng = np.random.default_rng(rows)
    table = rng.integers(-1500, -500, (len(BEADS), rows + 1, 11))
    table[0, :, 5] += 1200
    band = Band(np.arange(rows + 1) - 5, 11, rows)
    path = best_path(BEADS, lambda a, b: table[:, a:b], band)
    exact = chances(BEADS, lambda a, b: table[:, a:b], band, path, unit=300.0)
    found = chances_by_pieces(BEADS, table, band, path, unit=300.0)
    assert rows == 1 or exact.min() < 0.9
    np.testing.assert_allclose(found, exact, atol=1e-3)


@pytest.mark.parametrize("side", [0, 1])
def test_a_member_that_stands_alone_may_stand_anywhere(side):
    # Twenty members of one side are left out, before or after any of six that fit nothing more.
    rows, columns = (26, 6) if side else (6, 26)
    table = np.full((3, rows + 1, columns + 1), -20_000)
    table[0] = 0
    table[2 - side] = 0
    band = Band(np.zeros(rows + 1, int), columns + 1, columns)
    path = best_path(BEADS[:3], lambda a, b: table[:, a:b], band)
    sure = chances(BEADS[:3], lambda a, b: table[:, a:b], band, path, unit=300.0, beside=40)
    alone = path.kinds == 2 - side
    # All pairs are as good, so each of 26 is one of the 20 as often.
    assert alone.sum() == 20
    np.testing.assert_allclose(sure[alone], 20 / 26)
    assert sure[~alone].max() < 0.5
    pieces = chances_by_pieces(BEADS[:3], table, band, path, unit=300.0, beside=40)
    np.testing.assert_allclose(pieces, sure)
