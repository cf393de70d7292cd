"""Passages that one text leaves out, or has elsewhere."""

import functools

import numpy as np
import pytest

from bitext.align.sentences import align_sentences
from bitext.align.sentences.corridor import Corridor
from bitext.align.sentences.lockstep import alone
from bitext.align.sentences.omissions import (
    USUAL,
    Expected,
    Omissions,
    doubtful,
    passages_of,
    search_omissions,
    worth,
)
from bitext.align.sentences.search import best_along
from bitext.kernels.bead_path import BeadPath
from bitext.model import Text
from reference.translated_texts import sentences

BEADS = [(1, 1), (1, 0), (0, 1), (2, 1)]
CHANCE = np.array([0.9, 0.02, 0.02, 0.06])


def scores_of(right):
    """Return scores with 2 for a bead 1-1 that is right, and -4 for the others."""

    def scores(first, last, band):
        row = np.arange(first, last)[:, None]
        column = band.lo[first:last, None] + np.arange(band.width)
        inside = (column > 0) & (column < right.shape[1] + 1) & (row > 0)
        here = right[np.maximum(row - 1, 0), np.clip(column - 1, 0, right.shape[1] - 1)] & inside
        wrong = np.full(here.shape, -4)
        return np.stack([np.where(here, 2, -4), wrong, wrong, wrong])

    return scores


def _right(rows, columns, *runs):
    """Return a table in which runs (row, column, length) of a diagonal are right."""
    table = np.zeros((rows, columns), dtype=bool)
    for row, column, length in runs:
        table[row + np.arange(length), column + np.arange(length)] = True
    return table


# 60 sentences of the source, then 100 others later of the target are left out.
BOTH = _right(360, 400, (0, 0, 100), (160, 100, 100), (260, 300, 100))


def _left_out(table):
    scores, corridor = scores_of(table), Corridor.whole(*table.shape)
    plain = best_along(BEADS, scores, corridor)
    stretches = doubtful(scores, plain, corridor)
    steps = search_omissions(BEADS, scores, corridor, plain, stretches, chance=CHANCE, unit=1.0)
    return plain, stretches, alone(steps)


def test_passages_of_both_sides():
    plain, stretches, found = _left_out(BOTH)
    assert len(stretches) >= 1
    assert np.flatnonzero(found.omissions.src).tolist() == list(range(100, 160))
    assert np.flatnonzero(found.omissions.tgt).tolist() == list(range(200, 300))
    assert set(found.omissions.src) == {0.0, 0.9}
    ends = np.cumsum([BEADS[kind] for kind in found.path.kinds], axis=0)
    assert ends.tolist() == np.stack([found.path.row, found.path.column], axis=1).tolist()
    assert (found.path.kinds == 0).sum() == 300 > (plain.kinds == 0).sum() - 60


def test_what_is_on_both_sides_of_a_passage():
    table = _right(260, 240, (0, 0, 100), (160, 140, 100))
    _, stretches, found = _left_out(table)
    assert len(stretches) == 1
    assert np.flatnonzero(found.omissions.src).tolist() == list(range(100, 160))
    assert np.flatnonzero(found.omissions.tgt).tolist() == list(range(100, 140))
    assert set(found.omissions.src) == {0.0, 0.45}


def test_short_passages_are_no_news():
    table = _right(320, 300, (0, 0, 150), (170, 150, 150))
    plain, stretches, found = _left_out(table)
    assert stretches
    assert found.omissions is None
    assert found.path.kinds.tolist() == plain.kinds.tolist()


def test_a_good_path_is_not_doubted():
    table = _right(200, 200, (0, 0, 200))
    assert _left_out(table)[1] == []


def test_a_passage_that_is_left_out_again_is_no_doubt():
    _, _, found = _left_out(BOTH)
    scores, corridor, path = scores_of(BOTH), Corridor.whole(*BOTH.shape), found.path
    known = found.omissions.kept(BEADS, path)
    assert np.count_nonzero(known) == 160
    assert doubtful(scores, path, corridor)
    assert doubtful(scores, path, corridor, known=known) == []
    # Wrong beads beside the passage are doubtful all the same.
    wrong = path._replace(kinds=np.where(path.row > 320, 3, path.kinds))
    assert doubtful(scores, wrong, corridor, known=known)


def test_a_path_that_leaves_out_less_than_before_is_searched_again():
    _, _, found = _left_out(BOTH)
    straight = best_along(
        BEADS, scores_of(np.eye(*BOTH.shape, dtype=bool)), Corridor.whole(360, 400)
    )
    assert found.omissions.kept(BEADS, straight) is None


def _diagonal(between):
    """Return scores and a path with two wrong stretches of 60, so many right beads between."""
    second = 160 + between
    size = second + 200
    table = _right(
        size, size, (0, 0, 100), (100, 140, 20), (160, 160, between), (second, second + 40, 20),
        (second + 60, second + 60, 140),
    )  # fmt: skip
    every = np.arange(1, size + 1)
    return scores_of(table), BeadPath(0, np.zeros(size, dtype=np.int64), every, every, 0.5)


def test_stretches_that_are_far_from_each_other():
    # With what is beside them they are longer than what is between: that may be in the wrong place.
    scores, path = _diagonal(200)
    ((begin, end),) = doubtful(scores, path, Corridor.whole(560, 560))
    assert begin < 100
    assert end > 420
    scores, path = _diagonal(320)
    one, other = doubtful(scores, path, Corridor.whole(680, 680))
    assert one[0] < 100
    assert 160 < one[1] < other[0] < 480
    assert other[1] > 540


def test_in_a_corridor_that_is_too_wide_nothing_is_doubted():
    scores, path = _diagonal(1700)
    whole = Corridor.whole(2060, 2060)
    near = Corridor.around(path.row, path.column, rows=2060, columns=2060, margin=900)
    assert near.cells < 1 << 22 < whole.cells
    assert len(doubtful(scores, path, near)) == 2
    assert doubtful(scores, path, whole) == []


def test_what_is_too_wide_is_not_searched():
    """A band of more than 16,777,216 points, as of a long passage of the target."""
    plain, _, found = _left_out(BOTH)
    (rows, columns), more = BOTH.shape, 50_000
    assert found.omissions is not None
    wide = np.where(np.arange(rows + 1) < rows, columns, columns + more)
    corridor = Corridor.between(np.zeros(rows + 1), wide, columns + more)
    rest = BeadPath(0, np.full(more, 2), np.full(more, rows), columns + 1 + np.arange(more), 0.5)
    path = BeadPath(
        0, *(np.concatenate([getattr(one, name) for one in (plain, rest)])
             for name in ("kinds", "row", "column")), 0.5,
    )  # fmt: skip
    how = {"chance": CHANCE, "unit": 1.0}
    end = len(path.kinds)
    found = alone(search_omissions(BEADS, scores_of(BOTH), corridor, path, [(0, end)], **how))
    assert found.omissions is None
    assert found.path.row.tolist() == path.row.tolist()


def test_what_a_passage_costs():
    assert passages_of((0.9, 0.45), unit=10).more == (0, 0)
    assert passages_of((0.045, 0.1), unit=1000) == (-9000, (2303, 1504))


def test_what_a_passage_costs_where_many_are_expected():
    many = Expected(-3.0, 0.9, 0.1)
    assert passages_of((0.045, 0.2), unit=1000, expected=many) == (-3000, (2996, 0))
    assert passages_of((0.045, 0.2), unit=10, expected=USUAL) == passages_of((0.045, 0.2), unit=10)


@pytest.mark.parametrize(("rows", "columns", "told"), [(100, 400, True), (400, 400, False)])
def test_what_leaves_most_of_both_texts_out_is_no_translation(rows, columns, told):
    # All but 100 sentences of a text are left out: of one text they may be, of both not.
    table = _right(rows, columns, (0, 0, 50), (rows - 50, columns - 50, 50))
    found = _left_out(table)[2]
    assert (found.omissions is not None) is told
    assert np.count_nonzero(found.path.kinds == 0) == 100


def test_omissions_that_are_known_twice():
    one, other = Omissions(np.zeros(3), np.array([0.9, 0])), Omissions(np.ones(3), np.zeros(2))
    assert [side.tolist() for side in one.joined(other)] == [[1, 1, 1], [0.9, 0]]
    row, column = np.array([1, 2, 2, 2]), np.array([1, 1, 2, 3])
    path = BeadPath(0, np.array([0, 1, 2, 2]), row, column, 0.5)
    known = Omissions(np.array([1.0, 1.0]), np.array([1.0, 1.0, 0.0]))
    assert known.alone(BEADS, path).tolist() == [False, True, True, False]


def _cut(count, *, moved):
    """Return two texts, and of each sentence the number that its translation shares."""
    pairs = sentences(count, seed=17, names=0.1)
    ids = [np.arange(count), np.arange(count)]
    if moved:
        part = np.arange(50, 150)
        rest = np.delete(ids[1], part)
        ids[1] = np.insert(rest, len(rest) - 50, part)
    else:
        ids = [np.delete(ids[0], np.s_[60:160]), np.delete(ids[1], np.s_[200:300])]
    texts = [Text([pairs[k][side] for k in ids[side].tolist()]) for side in (0, 1)]
    return texts, ids


@functools.cache  # two tests look at it
def _found(moved):
    return align_sentences(*_cut(340, moved=moved)[0])


@pytest.mark.parametrize("moved", [False, True])
def test_texts_with_passages(moved):
    _, ids = _cut(340, moved=moved)
    pairs = [(bead.src[0], bead.tgt[0]) for bead in _found(moved) if bead.type == "1-1"]
    same = sum(ids[0][a] == ids[1][b] for a, b in pairs)
    assert same >= 0.95 * (240 if moved else 140)
    assert same >= 0.95 * len(pairs)


@pytest.mark.parametrize("some", [slice(None), slice(9, 30)])
def test_what_a_path_is_worth_is_what_the_search_finds(some):
    right = _right(40, 70, (0, 0, 20), (20, 50, 20))
    row = np.array([*range(1, 21), *[20] * 30, *range(21, 41)])
    path = BeadPath(0, np.repeat([0, 2, 0], [20, 30, 20]), row, np.arange(1, 71), 0.5)
    told = np.full(70, -1)
    told[some] = path.kinds[some]
    how = {"chance": CHANCE, "unit": 1.0}
    opening, more = passages_of((0.02, 0.02), unit=1.0)
    left_out = np.count_nonzero(told == 2)
    expected = 2 * np.count_nonzero(told == 0) + max(
        -4 * left_out, (more[1] - 4) * left_out + opening
    )
    found = worth(BEADS, scores_of(right), path._replace(kinds=told), **how)
    assert found == expected
    assert worth(BEADS, scores_of(right), path._replace(kinds=told - told - 1), **how) == 0


def test_what_is_in_and_beside_a_passage_is_sure():
    found = _found(False)
    alone = np.array([not (bead.src and bead.tgt) for bead in found])
    near = np.convolve(alone, np.ones(7), "same") > 0
    assert np.count_nonzero(alone) >= 195
    assert found.scores[alone].mean() > 0.95
    # Beads beside a passage would be less certain if the passage could end elsewhere.
    assert found.scores[near & ~alone].mean() > 0.73


@pytest.mark.parametrize("seed", [0, 4])
def test_a_passage_is_left_out_in_one_piece(seed):
    """Of a word or two each, so sentences beside the passage could as well be translations."""
    rng = np.random.default_rng(seed)
    words, length = rng.integers(0, 400, (400, 2)), rng.integers(1, 3, 400)
    name = np.where(rng.random(400) < 0.1, rng.integers(0, 1 << 20, 400), -1)
    letters, texts = np.array(list("abdegiklmnoprstu")), []
    for _ in range(2):
        form = ["".join(rng.choice(letters, rng.integers(2, 9))) for _ in range(400)]
        said = [[form[k] for k in row[:n]] for row, n in zip(words, length, strict=True)]
        named = [[f"N{k}"] if k >= 0 else [] for k in name.tolist()]
        texts.append([" ".join(a + b) for a, b in zip(said, named, strict=True)])
    del texts[seed % 2][100:160]
    whole = [*range(100), *range(160, 400)]
    ids = [whole if at == seed % 2 else range(400) for at in (0, 1)]
    found = align_sentences(Text(texts[0]), Text(texts[1]))
    right = [ids[0][bead.src[0]] == ids[1][bead.tgt[0]] for bead in found if bead.type == "1-1"]
    assert sum(right) >= 335
    alone = np.array([not (bead.src and bead.tgt) for bead in found])
    assert np.count_nonzero(np.diff(alone, prepend=False) & alone) == 1
