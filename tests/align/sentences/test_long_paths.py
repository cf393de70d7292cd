"""Paths in parts against the path of the whole table."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bitext.align.sentences import lockstep, search
from bitext.align.sentences.corridor import Corridor
from bitext.align.sentences.lockstep import alone
from bitext.align.sentences.search import (
    PosteriorScope,
    SearchLimits,
    best_along,
    best_in_stretches,
)
from bitext.kernels.bead_path import Band, best_path
from bitext.kernels.bead_posteriors import chances
from reference.bead_path import scores_of

BEADS = [(1, 1), (1, 0), (0, 1), (2, 1), (1, 2)]
SHORT = SearchLimits(rows=16, parts=2)


def best_with_posteriors(beads, scores, corridor, *, unit, **how):
    scope = PosteriorScope(4, unit)
    return alone(best_in_stretches(beads, scores, corridor, scope, **how))


def posteriors_along(*given, **how):
    return alone(search.posteriors_along(*given, **how))


def sample_along(*given, **how):
    return alone(search.sample_along(*given, **how))


def planted(seed, steps):
    """Return a table in which a path of these steps is the best, and its points."""
    rng = np.random.default_rng(seed)
    points = np.cumsum(np.array([(0, 0), *(BEADS[k] for k in steps)]), axis=0)
    rows, columns = (int(n) for n in points[-1])
    table = rng.integers(-60, -20, (len(BEADS), rows + 1, columns + 1))
    table[1:3] = rng.integers(-25, -15, (2, rows + 1, columns + 1))
    table[np.array(steps, dtype=int), points[1:, 0], points[1:, 1]] = rng.integers(
        10, 40, len(steps)
    )
    return table, points[1:]


def whole(table):
    rows, columns = table.shape[1] - 1, table.shape[2] - 1
    band = Band(np.zeros(rows + 1, dtype=np.int64), columns + 1, columns)
    return best_path(BEADS, lambda a, b: table[:, a:b], band), band


def same(a, b):
    return (a.score, a.kinds.tolist(), a.row.tolist(), a.column.tolist()) == (
        b.score,
        b.kinds.tolist(),
        b.row.tolist(),
        b.column.tolist(),
    )


@settings(max_examples=30)
@given(st.integers(0, 10**6), st.integers(0, 200), st.integers(0, 60), st.integers(1, 20))
def test_parts_give_the_path_of_the_whole(seed, size, jump, margin):
    kinds = np.random.default_rng(seed).choice(5, size=size, p=[0.8, 0.05, 0.05, 0.05, 0.05])
    steps = [*kinds[: size // 2], *[2] * jump, *kinds[size // 2 :]]
    table, points = planted(seed, steps)
    rows, columns = table.shape[1] - 1, table.shape[2] - 1
    corridor = Corridor.around(
        points[::7, 0], points[::7, 1], rows=rows, columns=columns, margin=margin
    )
    expected, band = whole(table)
    scores = scores_of(table)
    found, sure, *_ = best_with_posteriors(BEADS, scores, corridor, unit=10.0, limits=SHORT)
    alone = best_along(BEADS, scores, corridor, limits=SHORT)
    assert same(found, expected)
    assert same(alone, expected)
    exact = chances(BEADS, lambda a, b: table[:, a:b], band, expected, unit=10.0)
    np.testing.assert_allclose(sure, exact, atol=0.05)


def test_a_path_outside_of_the_corridor_is_found():
    steps = [*[0] * 60, *[2] * 25, *[0] * 60, *[1] * 25, *[0] * 60]
    table, points = planted(5, steps)
    rows, columns = table.shape[1] - 1, table.shape[2] - 1
    diagonal = np.arange(rows + 1) * columns // rows
    corridor = Corridor.between(diagonal - 4, diagonal + 4, columns)
    away = np.abs(points[:, 1] - diagonal[points[:, 0]]).max()
    assert away > 15
    assert same(best_along(BEADS, scores_of(table), corridor, limits=SHORT), whole(table)[0])


def test_chances_in_parts_are_those_of_the_whole():
    rng = np.random.default_rng(3)
    steps = rng.choice(5, size=300, p=[0.8, 0.05, 0.05, 0.05, 0.05]).tolist()
    table, _ = planted(3, steps)
    expected, band = whole(table)
    exact = chances(BEADS, lambda a, b: table[:, a:b], band, expected, unit=25.0)
    size = {"rows": table.shape[1] - 1, "columns": table.shape[2] - 1}
    how = {"reach": 12, "unit": 25.0, "limits": SHORT}
    sure = posteriors_along(BEADS, scores_of(table), expected, **how, **size)
    assert exact.min() < 0.9
    np.testing.assert_allclose(sure, exact, atol=0.02)


@pytest.mark.parametrize("most", [1, 20_000, 1 << 40])
def test_parts_are_asked_together_while_all_are_as_wide_as_the_widest(most, monkeypatch):
    # In the middle the path goes 60 columns along: that part is far wider than the others.
    steps = [*[0] * 120, *[2] * 60, *[0] * 120]
    table, _ = planted(11, steps)
    path, _ = whole(table)
    size = {"rows": table.shape[1] - 1, "columns": table.shape[2] - 1}
    held, join = [], lockstep.chances_of_tables

    def noted(beads, tables, **how):
        if tables:
            widest = max(part.band.width for part in tables)
            held.append((sum(len(part.band.lo) for part in tables) * widest, len(tables)))
        return join(beads, tables, **how)

    monkeypatch.setattr(lockstep, "chances_of_tables", noted)
    how = {"reach": 6, "unit": 25.0, **size}
    wanted = posteriors_along(BEADS, scores_of(table), path, limits=SHORT, **how)
    parts = sum(number for _, number in held)
    held.clear()
    limits = SHORT._replace(together=most)
    sure = posteriors_along(BEADS, scores_of(table), path, limits=limits, **how)
    np.testing.assert_allclose(sure, wanted, atol=1e-9)
    assert all(len(BEADS) * points <= most for points, _ in held)
    assert parts > 5
    assert (len(held) > 1, sum(number for _, number in held) > 1) == (most == 20_000, most > 1)


@pytest.mark.parametrize(("rows", "columns"), [(0, 0), (0, 3), (3, 0), (1, 1), (1, 40), (40, 1)])
def test_small_tables(rows, columns):
    table = np.random.default_rng(1).integers(-9, 9, (5, rows + 1, columns + 1))
    corridor = Corridor.whole(rows, columns)
    found, sure, *_ = best_with_posteriors(BEADS, scores_of(table), corridor, unit=5.0)
    assert same(found, whole(table)[0])
    assert len(sure) == len(found.kinds)
    size = {"rows": rows, "columns": columns}
    assert len(posteriors_along(BEADS, scores_of(table), found, unit=5.0, **size)) == len(sure)


def test_scores_are_asked_for_once():
    table, points = planted(1, [0] * 300)
    scores = scores_of(table)
    asked = []

    def counted(first, last, band):
        asked.append((last - first) * band.width)
        return scores(first, last, band)

    corridor = Corridor.around(points[:, 0], points[:, 1], rows=300, columns=300, margin=6)
    best_along(BEADS, counted, corridor, limits=SHORT)
    once = sum(asked)
    asked.clear()
    best_with_posteriors(BEADS, counted, corridor, unit=10.0, limits=SHORT)
    assert sum(asked) <= 1.1 * once


def test_scores_are_asked_for_where_the_corridor_is():
    table, points = planted(2, [0] * 900)
    scores = scores_of(table)
    asked = []

    def counted(first, last, band):
        asked.append((last - first) * band.width)
        return scores(first, last, band)

    # Amid the corridor it is three times as wide.
    margin = np.where(np.abs(points[:, 0] - 450) < 20, 36, 12)
    corridor = Corridor.around(points[:, 0], points[:, 1], rows=900, columns=900, margin=margin)
    found, *_ = best_with_posteriors(BEADS, counted, corridor, unit=10.0)
    assert found.row.tolist() == points[:, 0].tolist()
    widest = 901 * (corridor.hi - corridor.lo + 1).max()
    assert sum(asked) < 1.25 * corridor.cells < 0.6 * widest


def test_a_sample_is_part_of_the_path():
    rng = np.random.default_rng(9)
    steps = rng.choice(5, size=9000, p=[0.9, 0.03, 0.03, 0.02, 0.02])
    points = np.cumsum(np.array([(0, 0), *(BEADS[k] for k in steps)]), axis=0)[1:]
    rows, columns = (int(n) for n in points[-1])
    at = {(i, j): k for (i, j), k in zip(points.tolist(), steps.tolist(), strict=True)}

    def scores(first, last, band):
        block = np.full((5, last - first, band.width), -40)
        block[1:3] = -20
        begin, end = np.searchsorted(points[:, 0], [first, last])
        row, place = points[begin:end, 0], points[begin:end, 1] - band.lo[points[begin:end, 0]]
        inside = (place >= 0) & (place < band.width)
        block[steps[begin:end][inside], row[inside] - first, place[inside]] = 30
        return block

    corridor = Corridor.around(points[:, 0], points[:, 1], rows=rows, columns=columns, margin=9)
    found = sample_along(BEADS, scores, corridor, rows=2000).path
    told = found.kinds >= 0
    ends = list(zip(found.row.tolist(), found.column.tolist(), strict=True))
    assert all(
        at[end] == kind for end, kind in zip(ends, found.kinds.tolist(), strict=True) if kind >= 0
    )
    assert 1000 < told.sum() < 2200
    assert (~told).sum() <= 6
    assert ends[-1] == (rows, columns)
    assert (np.diff(found.row) >= 0).all()
    whole = sample_along(BEADS, scores, corridor, rows=9000).path
    assert (whole.kinds >= 0).all()


def _to_the_right(asked):
    """Return scores that are the better the further to the right a path is, and count points."""

    def scores(first, last, band):
        row, column = np.arange(first, last)[:, None], band.lo[first:last, None]
        away = np.minimum(column + np.arange(band.width) - row, 900)
        asked.append((last - first) * band.width)
        return np.stack([away, np.full(away.shape, -1), np.full(away.shape, -1)])

    return scores


@pytest.mark.parametrize("size", [2000, 4000])
def test_a_path_that_is_lost_is_not_looked_for_without_end(size):
    middle = np.arange(size + 1)
    corridor = Corridor.between(middle - 5, middle + 5, size)
    asked, limits = [], SearchLimits(again=4, more=0)
    found = best_along(BEADS[:3], _to_the_right(asked), corridor, limits=limits)
    assert found.near == 0
    assert sum(asked) < 2 * (4 + 1) * corridor.cells
    ends = np.cumsum([BEADS[kind] for kind in found.kinds], axis=0)
    assert ends[-1].tolist() == [size, size]
    # With as much as it wants, it finds a better one, and none is near an edge.
    if size == 2000:
        limits = SearchLimits(more=1 << 40)
        better = best_along(BEADS[:3], _to_the_right(wide := []), corridor, limits=limits)
        assert (better.score > found.score, sum(wide) > 2 * sum(asked)) == (True, True)


def test_no_part_is_searched_again_that_is_too_large():
    middle = np.arange(1001)
    corridor = Corridor.between(middle - 5, middle + 5, 1000)
    asked = []
    limits = SearchLimits(widest=0)
    assert best_along(BEADS[:3], _to_the_right(asked), corridor, limits=limits).near == 0
    assert sum(asked) < 3 * corridor.cells


def test_rows_that_are_as_wide_as_before_are_not_asked_for_again():
    steps = np.zeros(900, dtype=int)
    steps[300:312], steps[600:612] = 2, 1  # off the diagonal for 300 rows, 12 columns away
    table, points = planted(5, steps.tolist())
    rows, columns = table.shape[1] - 1, table.shape[2] - 1
    middle = np.arange(rows + 1)
    corridor = Corridor.between(middle - 4, middle + 4, columns)
    corridor = Corridor.between(
        np.where(abs(middle - 450) < 140, middle + 4, corridor.lo),
        np.where(abs(middle - 450) < 140, middle + 20, corridor.hi),
        columns,
    )
    asked = []

    def scores(first, last, band):
        asked.extend((row, int(band.lo[row]), band.width) for row in range(first, last))
        return scores_of(table)(first, last, band)

    found = best_along(BEADS, scores, corridor)
    assert same(found, whole(table)[0])
    assert (found.row.tolist(), found.column.tolist()) == tuple(points.T.tolist())
    assert len(asked) > rows + 1, "the corridor was not made wider, so this tests nothing"
    assert len(asked) < 1.7 * rows


def test_a_corridor_is_made_wider_by_what_it_is_wide_there():
    steps = np.zeros(900, dtype=int)
    steps[500:508], steps[600:608] = 2, 1  # off the diagonal by 8 columns for a hundred rows
    table, points = planted(6, steps.tolist())
    rows, columns = table.shape[1] - 1, table.shape[2] - 1
    every = np.arange(rows + 1)
    reach = np.where(every % 128 < 20, 60, 6)
    corridor = Corridor.between(every - reach, every + reach, columns)
    asked = []

    def scores(first, last, band):
        asked.append((last - first) * band.width)
        return scores_of(table)(first, last, band)

    found = best_along(BEADS, scores, corridor)
    assert (found.row.tolist(), found.column.tolist()) == tuple(points.T.tolist())
    assert corridor.cells < sum(asked) < 4 * corridor.cells


def test_beads_inside_a_long_passage_are_as_sure_as_at_its_ends(monkeypatch):
    table, points = planted(9, [0] * 60 + [2] * 100 + [0] * 60)
    table[2, 60, 60:161] = -3
    rows, columns = table.shape[1] - 1, table.shape[2] - 1
    corridor = Corridor.around(points[:, 0], points[:, 1], rows=rows, columns=columns, margin=6)
    whole = best_with_posteriors(BEADS, scores_of(table), corridor, unit=9.0)
    assert whole.path.kinds.tolist() == [0] * 60 + [2] * 100 + [0] * 60
    widths, chances_of = [], lockstep.chances_of_tables

    def counted(beads, tables, *, unit):
        widths.extend(table.band.width for table in tables)
        return chances_of(beads, tables, unit=unit)

    monkeypatch.setattr(lockstep, "chances_of_tables", counted)
    limits = SearchLimits(passage=64)
    found = best_with_posteriors(BEADS, scores_of(table), corridor, unit=9.0, limits=limits)
    np.testing.assert_allclose(found.posteriors, whole.posteriors, atol=1e-3)
    assert max(widths) < 60


def test_a_sample_leaves_out_what_is_very_wide():
    every, asked = np.arange(8193), []
    corridor = Corridor.between(
        every - 4 + 9000 * (every > 3500), every + 4 + 9000 * (every > 3490), 17_192
    )
    assert (corridor.hi - corridor.lo).max() > 9000

    def scores(first, last, band):
        asked.append(((first, last), band.width))
        return np.zeros((3, last - first, band.width), dtype=np.int64)

    path = sample_along(BEADS[:3], scores, corridor, rows=4096).path
    assert max(width for _, width in asked) < 4096
    assert not any(first <= 3500 < last for (first, last), _ in asked)
    assert (path.row[path.kinds >= 0] > 4000).any()
    # Where all of them are wide, something is looked at.
    corridor = Corridor.between(every * 0, every * 0 + 5000, 5000)
    assert (sample_along(BEADS[:3], scores, corridor, rows=4096).path.kinds >= 0).any()


@pytest.mark.parametrize(("columns", "near"), [(2000, True), (7000, False)])
def test_of_a_text_that_is_far_longer_what_is_beside_the_other_is_sampled(columns, near):
    # The shorter text stands beside the rows from 5,000 on.
    rows = 20_000
    column = np.clip(np.arange(rows + 1) - 5000, 0, columns)
    corridor = Corridor.between(column - 5, column + 5, columns)

    def scores(first, last, band):
        return np.zeros((3, last - first, band.width), dtype=np.int64)

    path = sample_along(BEADS[:3], scores, corridor, rows=2048).path
    told = path.row[path.kinds >= 0]
    assert ((told > 4900) & (told < 5100 + columns)).all() == near
    assert len(told) > 700


def test_each_bead_has_its_score():
    table, points = planted(7, [0] * 80 + [3, 4, 2, 1] * 5 + [0] * 80)
    rows, columns = table.shape[1] - 1, table.shape[2] - 1
    corridor = Corridor.around(points[:, 0], points[:, 1], rows=rows, columns=columns, margin=5)
    found = best_with_posteriors(BEADS, scores_of(table), corridor, unit=10.0, limits=SHORT)
    path = found.path
    assert found.own.tolist() == table[path.kinds, path.row, path.column].tolist()
    assert found.own.sum() == path.score
    alone = sample_along(BEADS, scores_of(table), corridor, rows=rows, limits=SHORT)
    assert alone.scored
    assert alone.own.tolist() == found.own.tolist()


def test_only_beads_near_another_path_are_asked_for_anew():
    table, points = planted(8, [0] * 300)
    corridor = Corridor.around(points[:, 0], points[:, 1], rows=300, columns=300, margin=6)
    before = best_with_posteriors(BEADS, scores_of(table), corridor, unit=30.0)
    table[1:3, 140:160, 130:170] = 30  # here the path is another now
    path = best_along(BEADS, scores_of(table), corridor)
    size, rows = {"rows": 300, "columns": 300}, []

    def counted(first, last, band):
        rows.extend(range(first, last))
        return scores_of(table)(first, last, band)

    sure = posteriors_along(BEADS, counted, path, unit=30.0, before=before, **size)
    assert min(rows) > 80
    assert max(rows) < 220
    wanted = posteriors_along(BEADS, scores_of(table), path, unit=30.0, **size)
    assert len(path.kinds) > 300
    np.testing.assert_allclose(sure, wanted, atol=0.02)


def test_beads_that_are_asked_for_anew_are_as_sure_as_what_they_score_now():
    rng = np.random.default_rng(11)
    steps = rng.choice(5, size=260, p=[0.8, 0.05, 0.05, 0.05, 0.05]).tolist()
    table, points = planted(11, steps)
    rows, columns = table.shape[1] - 1, table.shape[2] - 1
    size = {"rows": rows, "columns": columns}
    corridor = Corridor.around(points[:, 0], points[:, 1], margin=12, **size)
    before = best_with_posteriors(BEADS, scores_of(table), corridor, unit=25.0)
    path = before.path
    other = table.copy()
    other[0, 100:110] -= 12
    how = {"unit": 25.0, **size}
    wanted = posteriors_along(BEADS, scores_of(other), path, **how)
    anew = (path.row >= 100) & (path.row < 110)
    found = posteriors_along(BEADS, scores_of(other), path, before=before, anew=anew, **how)
    np.testing.assert_allclose(found, wanted, atol=0.02)
    kept = posteriors_along(BEADS, scores_of(other), path, before=before, **how)
    assert kept.tolist() == before.posteriors.tolist()
    assert np.abs(kept - wanted)[anew].max() > 0.1
