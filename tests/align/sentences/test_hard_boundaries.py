"""HardBoundaries against the parts that they make."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext.align.sentences import align_sentences
from bitext.align.sentences import hard_boundaries as delimiters
from bitext.align.sentences.corridor import Anchors, Corridor
from bitext.align.sentences.hard_boundaries import (
    HardBoundaries,
    hard_boundaries_of,
    paragraph_points,
)
from bitext.align.sentences.search import best_along
from bitext.align.sentences.texts import SentencePair
from bitext.errors import InputError
from bitext.kernels.bead_path import Band
from bitext.model import Segmentation, Text

BEADS = [(1, 1), (1, 0), (0, 1), (2, 1), (1, 2), (2, 2)]


@st.composite
def points(draw):
    steps = draw(
        st.lists(
            st.tuples(st.integers(0, 4), st.integers(0, 4)).filter(any), min_size=1, max_size=4
        )
    )
    ends = np.cumsum(np.array([(0, 0), *steps]), axis=0)
    return HardBoundaries(ends[:, 0], ends[:, 1])


def within(delimiters, row, column, a, b):
    """Tell whether a bead is in one part, by the numbers of its sentences."""
    ends = list(zip(delimiters.row.tolist(), delimiters.column.tolist(), strict=True))
    return any(
        top <= row - a and row <= bottom and left <= column - b and column <= right
        for (top, left), (bottom, right) in itertools.pairwise(ends)
    )


@given(points(), st.integers(-2, 2), st.integers(2, 9))
def test_beads_keep_to_one_part(delimiters, shift, width):
    rows, columns = int(delimiters.row[-1]), int(delimiters.column[-1])
    band = Band(np.arange(rows + 1) // 2 + shift, width, columns)
    block = delimiters.block(BEADS, 0, rows + 1, band)
    for k, (a, b) in enumerate(BEADS):
        for i in range(a, rows + 1):
            for place in range(width):
                j = int(band.lo[i]) + place
                if b <= j <= columns:
                    assert (block[k, i, place] == 0) == within(delimiters, i, j, a, b)
    some = delimiters.block(BEADS, 1, rows + 1, band) if rows else None
    if some is not None:
        np.testing.assert_array_equal(block[:, 1:], some)


@given(points(), st.integers(0, 1000))
def test_every_path_goes_through_every_point(delimiters, seed):
    rows, columns = int(delimiters.row[-1]), int(delimiters.column[-1])
    table = np.random.default_rng(seed).integers(-900, 900, (len(BEADS), rows + 1, columns + 1))

    def scores(first, last, band):
        column = np.clip(band.lo[first:last, None] + np.arange(band.width), 0, columns)
        own = table[:, np.arange(first, last)[:, None], column]
        return own + delimiters.block(BEADS, first, last, band).astype(np.int64)

    path = best_along(BEADS, scores, delimiters.narrowed(Corridor.whole(rows, columns)))
    found = {(0, 0), *zip(path.row.tolist(), path.column.tolist(), strict=True)}
    assert set(zip(delimiters.row.tolist(), delimiters.column.tolist(), strict=True)) <= found


def test_what_lies_between_delimiters_is_narrow():
    row = np.arange(0, 1001, 10)
    corridor = HardBoundaries(row, row).narrowed(Corridor.whole(1000, 1000))
    assert corridor.cells < 40 * 1000
    every = np.arange(1001)
    assert (corridor.lo <= every // 10 * 10).all()
    assert (corridor.hi >= -(-every // 10) * 10).all()
    # A corridor that does not lead through a delimiter gives way.
    away = Corridor.between(every - 300, every - 250, 1000)
    found = HardBoundaries(row, row).narrowed(away)
    assert ((found.lo[row] <= row) & (row <= found.hi[row])).all()


def text(masses, sizes=None):
    count = sum(masses)
    sizes = sizes or [9] * count
    return Text(["x" * size for size in sizes], paragraphs=Segmentation(masses))


def test_as_many_paragraphs_go_with_each_other():
    found = hard_boundaries_of(SentencePair(text([3, 1, 2]), text([1, 5, 1])))
    assert found.row.tolist() == [0, 3, 4, 6]
    assert found.column.tolist() == [0, 1, 6, 7]


@pytest.mark.parametrize("other", [Text(["a", "b"]), text([2])])
def test_without_paragraphs_there_are_none(other):
    pair = SentencePair(text([1, 1]), other)
    assert hard_boundaries_of(pair) is None


def test_paragraphs_are_aligned_where_numbers_differ():
    rng = np.random.default_rng(1)
    src = np.exp(rng.normal(5, 0.8, 60))
    tgt = src * np.exp(rng.normal(0, 0.04, 60))
    merged = np.concatenate([tgt[:20], [tgt[20:22].sum()], tgt[22:40], tgt[41:]])
    none = np.zeros(0, dtype=np.int64)
    row, column = paragraph_points(src, merged, none, none)
    right = {(k, k) for k in range(21)} | {(k, k - 1) for k in range(22, 41)}
    right |= {(k, k - 2) for k in range(41, 61)}
    found = set(zip(row.tolist(), column.tolist(), strict=True))
    assert found <= right
    assert len(found) > 40


def test_anchors_bind_paragraphs_that_are_alike():
    src, tgt = np.full(30, 100.0), np.full(29, 100.0)
    none = np.zeros(0, dtype=np.int64)
    assert len(paragraph_points(src, tgt, none, none)[0]) == 2  # no more than the ends
    every = np.repeat(np.delete(np.arange(30), 12), 2)
    row, column = paragraph_points(src, tgt, every, every - (every > 12))
    found = set(zip(row.tolist(), column.tolist(), strict=True))
    assert {(5, 5), (20, 19)} <= found
    assert all(a - b == (a > 12) for a, b in found)


def test_anchors_of_sentences_are_those_of_their_paragraphs():
    rng = np.random.default_rng(4)
    masses = rng.integers(2, 6, 40).tolist()
    src, tgt = text(masses), text(masses[:-1])
    every = np.arange(sum(masses[:-1]))
    found = hard_boundaries_of(SentencePair(src, tgt), Anchors(every, every, 1.0))
    assert len(found.row) > 30
    assert (found.row[:-1] == found.column[:-1]).all()


def test_no_paragraphs_at_all():
    none = np.zeros(0, dtype=np.int64)
    with pytest.raises(InputError, match="0 and 2 paragraphs"):
        paragraph_points(np.zeros(0), np.ones(2), none, none)


def _changed(rng, count):
    """Return the lengths of paragraphs in two texts: the 11th is divided, two later are joined."""
    src = np.exp(rng.normal(5, 0.8, count))
    tgt = src * np.exp(rng.normal(0, 0.04, count))
    parts = [tgt[:10], tgt[10] * np.array([0.4, 0.6]), tgt[11:40]]
    return src, np.concatenate([*parts, [tgt[40:42].sum()], tgt[42:]])


def test_as_many_paragraphs_that_do_not_go_by_number():
    src, tgt = _changed(np.random.default_rng(2), 60)
    assert len(src) == len(tgt)
    none = np.zeros(0, dtype=np.int64)
    row, column = paragraph_points(src, tgt, none, none)
    found = list(zip(row.tolist(), column.tolist(), strict=True))
    assert len(found) == len(set(found)) > 45
    right = {(k, k + (10 < k <= 41)) for k in range(61)}
    assert set(found) <= right
    # Where they do, there is a point between each two.
    row, column = paragraph_points(src, src * 1.2, none, none)
    assert row.tolist() == column.tolist() == list(range(61))


def test_borders_that_do_not_belong_together_bind_nothing():
    rng = np.random.default_rng(6)
    sizes = rng.integers(5, 90, 400).tolist()
    cuts = [np.sort(rng.choice(np.arange(1, 400), 50, replace=False)) for _ in range(2)]
    masses = [np.diff(cut, prepend=0, append=400).tolist() for cut in cuts]
    every = np.arange(400)
    src, tgt = (text(each, sizes) for each in masses)
    assert hard_boundaries_of(SentencePair(src, tgt), Anchors(every, every, 1.0)) is None
    assert hard_boundaries_of(SentencePair(src, src), Anchors(every, every, 1.0)) is not None


def test_of_many_paragraphs_only_those_between_anchors_are_looked_at(monkeypatch):
    rng = np.random.default_rng(9)
    src = np.exp(rng.normal(6, 0.6, 6000))
    kept = np.setdiff1d(np.arange(6000), rng.integers(0, 6000, 60))
    tgt = src[kept] * np.exp(rng.normal(0, 0.1, len(kept)))
    column = np.sort(rng.choice(len(kept), 400, replace=False))
    cells = []
    between = Corridor.between

    def counted(low, high, columns):
        made = between(low, high, columns)
        cells.append(made.cells)
        return made

    monkeypatch.setattr(delimiters.Corridor, "between", counted)
    row, last = paragraph_points(src, tgt, kept[column], column)
    assert len(row) > 5500
    inside = slice(1, -1)
    assert (kept[last[inside] - 1] < row[inside]).all()
    assert (row[inside] <= kept[last[inside]]).all()
    assert max(cells) < 6000 * 150  # of 6000 * 1200 about the diagonal


def test_of_many_paragraphs_without_anchors_only_those_near_blocks_are_looked_at(monkeypatch):
    rng = np.random.default_rng(9)
    src = np.exp(rng.normal(6, 0.6, 9000))
    kept = np.setdiff1d(np.arange(9000), [*rng.integers(0, 9000, 60), *range(3000, 3200)])
    tgt = src[kept] * np.exp(rng.normal(0, 0.1, len(kept)))
    cells = []

    def counted(beads, scores, corridor):
        cells.append(corridor.cells)
        return best_along(beads, scores, corridor)

    monkeypatch.setattr(delimiters, "best_along", counted)
    row, last = paragraph_points(src, tgt)
    assert len(row) > 8400
    assert (kept[last[1:-1] - 1] < row[1:-1]).all()
    assert (row[1:-1] <= kept[last[1:-1]]).all()
    assert max(cells) < 9000 * 200  # of 9000 * 1800 about the diagonal


@pytest.mark.parametrize("seed", range(6))
def test_neither_text_is_the_first(seed):
    rng = np.random.default_rng(seed)
    src, tgt = _changed(rng, 60)
    tgt = tgt * np.exp(rng.normal(0, 0.3, len(tgt)))
    row, column = paragraph_points(src, tgt)
    turned = paragraph_points(tgt, src)
    assert (turned[0].tolist(), turned[1].tolist()) == (column.tolist(), row.tolist())


def by_page(sizes, page, first):
    """Return the numbers of sentences on pages of so many letters, the first one shorter."""
    number = (np.cumsum(sizes) + page - first) // page
    return np.bincount(number)[np.unique(number)].tolist()


@pytest.mark.parametrize("first", [100, 300, 600])
def test_pages_that_begin_elsewhere_bind_nothing(first):
    sizes = np.random.default_rng(5).integers(5, 90, 200)
    src, tgt = (text(by_page(sizes, 600, each), sizes.tolist()) for each in (600, first))
    found = hard_boundaries_of(SentencePair(src, tgt))
    if first == 600:
        assert (found.row == found.column).all()
        assert len(found.row) == len(src.paragraphs) + 1
    else:
        assert found is None
    assert {bead.type for bead in align_sentences(src, tgt)} == {"1-1"}


def test_a_single_page_that_ends_elsewhere_binds_with_the_others():
    sizes = np.random.default_rng(5).integers(5, 90, 200)
    moved = [10] * 9 + [6, 14] + [10] * 9
    sides = [text(masses, sizes.tolist()) for masses in ([10] * 20, moved)]
    found = hard_boundaries_of(SentencePair(*sides))
    assert found.row.tolist() == [10 * k for k in range(21)]
    assert found.column.tolist() == [10 * k - 4 * (k == 10) for k in range(21)]
