"""Stretches of a long corridor that are searched apart, against the path of the whole table."""

import pickle
from functools import partial
from itertools import pairwise

import numpy as np
import pytest

from bitext.align.sentences import search
from bitext.align.sentences.corridor import Corridor
from bitext.align.sentences.lockstep import alone
from bitext.align.sentences.search import (
    BandedSearch,
    PosteriorScope,
    SearchLimits,
    cut_stretches,
    most_probable_end,
)
from bitext.kernels.bead_path import Band, BeadPath, best_path
from bitext.kernels.bead_posteriors import chances
from reference.bead_path import scores_of

BEADS = [(1, 1), (1, 0), (0, 1), (2, 1), (1, 2)]
SHORT = SearchLimits(stretch=150, about=20, narrow=8, rows=16, parts=3)


def best_in_stretches(*given, **how):
    return alone(search.best_in_stretches(*given, **how))


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


@pytest.mark.parametrize(("seed", "margin", "jump"), [(1, 6, 0), (2, 14, 0), (3, 6, 120)])
def test_stretches_give_the_path_of_the_whole(seed, margin, jump):
    table, corridor, band, whole = case(seed, margin, jump=jump)
    assert len(cut_stretches(corridor, SHORT)) >= 4
    scope = PosteriorScope(4, 10.0)
    path, sure, *_ = best_in_stretches(BEADS, scores_of(table), corridor, scope, limits=SHORT)
    assert told(path) == told(whole)
    exact = chances(BEADS, lambda a, b: table[:, a:b], band, whole, unit=10.0)
    np.testing.assert_allclose(sure, exact, atol=0.05)


@pytest.mark.parametrize("seed", [4, 5])
def test_neighbours_that_do_not_meet_are_searched_again(seed, monkeypatch):
    """About each cut two diagonals are right, of which each neighbour takes its own."""
    rng, size, apart = np.random.default_rng(seed), 900, 10
    every = np.arange(size + apart + 1)
    corridor = Corridor.between(every - 4, every + apart + 4, size + 2 * apart)
    limits = SHORT._replace(stretch=300)
    cuts = [begin for begin, _ in cut_stretches(corridor, limits)[1:]]
    table = rng.integers(-60, -40, (len(BEADS), corridor.rows + 1, corridor.columns + 1))
    table[1:3] = -20
    for k, (begin, end) in enumerate(pairwise([0, *cuts, corridor.rows])):
        rows = np.arange(max(begin - 100, 1), min(end + 100, corridor.rows) + 1)
        # Where both are right, that of the neighbour above is a little better.
        table[0, rows, rows + apart * (k % 2)] = 31 - (rows <= begin + 100)
    walks = []

    class Noted(BandedSearch):
        def __init__(self, *a):
            walks.append(a)
            super().__init__(*a)

    monkeypatch.setattr(search, "BandedSearch", Noted)
    scope = PosteriorScope(4, 10.0)
    path, sure, *_ = best_in_stretches(BEADS, scores_of(table), corridor, scope, limits=limits)
    assert len(walks) == 2 * len(cuts) + 1 > 3
    band = Band(np.zeros(corridor.rows + 1, dtype=np.int64), table.shape[2], corridor.columns)
    assert told(path) == told(best_path(BEADS, lambda a, b: table[:, a:b], band))
    assert len(sure) == len(path.kinds)


def test_where_and_when_they_are_searched_makes_no_difference():
    table, corridor, _, _ = case(6, 8)

    def elsewhere(work, numbers):
        done = {k: pickle.dumps(work(k)) for k in reversed(numbers)}
        return (pickle.loads(done[k]) for k in numbers)

    how = PosteriorScope(4, 10.0)
    here, sure, *_ = best_in_stretches(BEADS, scores_of(table), corridor, how, limits=SHORT)
    there, known, *_ = best_in_stretches(
        BEADS, scores_of(table), corridor, how, each=elsewhere, limits=SHORT
    )
    assert told(here) == told(there)
    assert sure.tolist() == known.tolist()


def test_cuts_are_where_the_corridor_is_narrow():
    rows = np.arange(601)
    wide = np.where(np.abs(rows % 150 - 10) < 4, 3, 40)
    corridor = Corridor.between(rows - wide, rows + wide, 600)
    cuts = [begin for begin, _ in cut_stretches(corridor, SHORT)[1:]]
    assert all(abs(cut % 150 - 10) <= 4 for cut in cuts)
    assert len(cuts) == 3
    assert cut_stretches(Corridor.whole(299, 5), SHORT) == [(0, 299)]


def test_a_part_ends_with_a_bead_that_has_both_sides():
    row, column = np.array([1, 2, 2, 3, 3, 3]), np.array([1, 2, 3, 4, 5, 6])
    path = BeadPath(0, np.array([0, 0, 2, 0, 2, 2]), row, column, 0.5)
    sure = np.array([0.8, 0.9, 0.99, 0.7, 1.0, 1.0])
    ending = partial(most_probable_end, BEADS[:3], path, sure)
    assert ending(3) == 2
    assert ending(2) == 2
    assert ending(1) == 1
    alone = path._replace(kinds=np.full(6, 2))
    assert most_probable_end(BEADS[:3], alone, sure, 3) == 6
