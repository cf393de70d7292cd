"""Stretches of a long corridor that are searched apart, against the path of the whole table."""

import pickle
from functools import partial

import numpy as np
import pytest

from bitext.align.sentences import corridor as corridors
from bitext.align.sentences import search as stretches
from bitext.align.sentences.corridor import Corridor
from bitext.align.sentences.search import PosteriorScope, best_in_stretches, cut_stretches
from bitext.kernels.bead_path import Band, BeadPath, best_path
from bitext.kernels.bead_posteriors import chances

BEADS = [(1, 1), (1, 0), (0, 1), (2, 1), (1, 2)]


@pytest.fixture(autouse=True)
def short_stretches(monkeypatch):
    monkeypatch.setattr(stretches, "STRETCH", 150)
    monkeypatch.setattr(stretches, "_ABOUT", 20)
    monkeypatch.setattr(stretches, "_NARROW", 8)
    monkeypatch.setattr(corridors, "_ROWS", 16)
    monkeypatch.setattr(corridors, "_MOST", 3)


def planted(seed, *, size=700, jump=0):
    """Return scores in which a path is the best, its points, and the whole table."""
    rng = np.random.default_rng(seed)
    steps = rng.choice(5, size=size, p=[0.8, 0.05, 0.05, 0.05, 0.05])
    steps = np.concatenate([steps[: size // 2], np.full(jump, 2), steps[size // 2 :]])
    points = np.cumsum(np.array([(0, 0), *(BEADS[k] for k in steps)]), axis=0)
    rows, columns = points[-1].tolist()
    table = rng.integers(-60, -20, (len(BEADS), rows + 1, columns + 1))
    table[1:3] = rng.integers(-25, -15, (2, rows + 1, columns + 1))
    table[steps, points[1:, 0], points[1:, 1]] = rng.integers(10, 40, len(steps))
    return table, points[1:]


def scores_of(table):
    def scores(first, last, band):
        column = np.clip(band.lo[first:last, None] + np.arange(band.width), 0, table.shape[2] - 1)
        return table[:, np.arange(first, last)[:, None], column]

    return scores


def told(path):
    return path.score, path.kinds.tolist(), path.row.tolist(), path.column.tolist()


def case(seed, margin, **more):
    table, points = planted(seed, **more)
    rows, columns = table.shape[1] - 1, table.shape[2] - 1
    found = Corridor.around(
        points[::9, 0], points[::9, 1], rows=rows, columns=columns, margin=margin
    )
    band = Band(np.zeros(rows + 1, dtype=np.int64), columns + 1, columns)
    return table, found, band, best_path(BEADS, lambda a, b: table[:, a:b], band)


@pytest.mark.parametrize(("seed", "jump"), [(1, 0), (2, 0), (3, 120)])
@pytest.mark.parametrize("margin", [6, 14])
def test_stretches_give_the_path_of_the_whole(seed, margin, jump):
    table, corridor, band, whole = case(seed, margin, jump=jump)
    assert len(cut_stretches(corridor)) >= 4
    path, sure, _ = best_in_stretches(BEADS, scores_of(table), corridor, PosteriorScope(4, 10.0))
    assert told(path) == told(whole)
    exact = chances(BEADS, lambda a, b: table[:, a:b], band, whole, unit=10.0)
    np.testing.assert_allclose(sure, exact, atol=0.05)


@pytest.mark.parametrize("seed", [4, 5])
def test_neighbours_that_do_not_meet_are_searched_again(seed, monkeypatch):
    table, corridor, _, whole = case(seed, 8)
    monkeypatch.setattr(stretches, "_joint", lambda *_: None)
    path, sure, _ = best_in_stretches(BEADS, scores_of(table), corridor, PosteriorScope(4, 10.0))
    assert told(path) == told(whole)
    assert len(sure) == len(path.kinds)


def test_where_and_when_they_are_searched_makes_no_difference():
    table, corridor, _, _ = case(6, 8)

    def elsewhere(work, numbers):
        done = {k: pickle.dumps(work(k)) for k in reversed(numbers)}
        return (pickle.loads(done[k]) for k in numbers)

    how = PosteriorScope(4, 10.0)
    here, sure, _ = best_in_stretches(BEADS, scores_of(table), corridor, how)
    there, known, _ = best_in_stretches(BEADS, scores_of(table), corridor, how, each=elsewhere)
    assert told(here) == told(there)
    assert sure.tolist() == known.tolist()


def test_cuts_are_where_the_corridor_is_narrow():
    rows = np.arange(601)
    wide = np.where(np.abs(rows % 150 - 10) < 4, 3, 40)
    corridor = Corridor.between(rows - wide, rows + wide, 600)
    cuts = [begin for begin, _ in cut_stretches(corridor)[1:]]
    assert all(abs(cut % 150 - 10) <= 4 for cut in cuts)
    assert len(cuts) == 3
    assert cut_stretches(Corridor.whole(299, 5)) == [(0, 299)]


def test_a_part_ends_with_a_bead_that_has_both_sides():
    row, column = np.array([1, 2, 2, 3, 3, 3]), np.array([1, 2, 3, 4, 5, 6])
    path = BeadPath(0, np.array([0, 0, 2, 0, 2, 2]), row, column, 0.5)
    sure = np.array([0.8, 0.9, 0.99, 0.7, 1.0, 1.0])
    ending = partial(stretches._most_probable_end, BEADS[:3], path, sure)
    assert ending(3) == 2
    assert ending(2) == 2
    assert ending(1) == 1
    alone = path._replace(kinds=np.full(6, 2))
    assert stretches._most_probable_end(BEADS[:3], alone, sure, 3) == 6
