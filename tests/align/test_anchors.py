"""Chains against all chains, and anchors of texts that mislead."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext.align.anchor_chains import believed, best_chain, slope
from bitext.align.anchors import anchors_of, rare_ties
from bitext.align.cognates import cognates
from reference.translated_texts import pair_of, sentences


def found_in(src, tgt):
    pair = pair_of(src, tgt)
    links = [cognates(pair.src.vocabulary, pair.tgt.vocabulary)]
    return anchors_of(pair, links), rare_ties(pair, links)


@given(st.lists(st.tuples(st.integers(0, 8), st.integers(0, 8), st.integers(1, 5)), max_size=9))
def test_the_heaviest_of_all_chains(points):
    row, column, weight = (np.array([p[k] for p in points], dtype=np.int64) for k in range(3))
    chain = best_chain(row, column, weight.astype(float)).tolist()
    for a, b in itertools.pairwise(chain):
        assert row[a] < row[b]
        assert column[a] < column[b]
    most = 0
    for size in range(len(points) + 1):
        for some in itertools.combinations(sorted(points), size):
            if all(a[0] < b[0] and a[1] < b[1] for a, b in itertools.pairwise(some)):
                most = max(most, sum(p[2] for p in some))
    assert weight[chain].sum() == most


def test_a_million_points_along_a_diagonal_are_no_work():
    rng = np.random.default_rng(1)
    row = np.arange(20_000)
    column = row + rng.integers(0, 3, len(row))
    chain = best_chain(row, column, np.ones(len(row)))
    assert len(chain) > 0.6 * len(row)


def test_points_off_their_diagonal_are_not_believed():
    row = np.arange(0, 400, 5)
    column = row.copy()
    column[[20, 50]] = column[[20, 50]] + 2
    off = column.copy()
    off[40] += 60
    off[41] = off[40] + 1
    assert believed(row, column, tilt=1.0).all()
    kept = believed(row, off, tilt=1.0)
    assert np.flatnonzero(~kept).tolist() == [40, 41]


@pytest.mark.parametrize("jump", [30, 300, 3000])
def test_a_jump_is_believed_on_both_sides(jump):
    row = np.arange(0, 400, 5)
    column = row + jump * (row >= 200)
    assert believed(row, column, tilt=1.0).all()
    assert slope(row, column, usual=(400 + jump) / 400) == 1.0


def test_slope_of_few_points_is_the_usual_one():
    assert slope(np.array([1, 2, 9]), np.array([5, 6, 7]), usual=1.3) == 1.3
    assert slope(np.arange(20), np.arange(20) * 2, usual=1.3) == 2.0


def test_anchors_are_right():
    text = sentences(600, seed=1)
    anchors, _ = found_in([a for a, _ in text], [b for _, b in text])
    assert len(anchors.row) > 200
    assert np.mean(anchors.row == anchors.column) > 0.99
    assert anchors.tilt == pytest.approx(1.0, abs=0.02)


def test_without_links_there_are_no_anchors():
    text = sentences(50, seed=1)
    anchors = anchors_of(pair_of([a for a, _ in text], [b for _, b in text]), [])
    assert len(anchors.row) == 0
    assert anchors.tilt == 1.0


def test_two_words_that_are_not_rare_tie_sentences_together():
    names = ["Paccardo", "Balmatis", "Saussure", "Bourritus"]
    text = sentences(500, seed=2, names=0.0)
    # Each name is in many sentences, and each number too; both together are in one.
    marks = [f"{names[k // 5 % 4]} {100 + k // 60}" if k % 5 == 0 else "" for k in range(500)]
    src = [f"{a} {mark}" for (a, _), mark in zip(text, marks, strict=True)]
    tgt = [f"{b} {mark}" for (_, b), mark in zip(text, marks, strict=True)]
    anchors, _ = found_in(src, tgt)
    both = set(zip(anchors.row.tolist(), anchors.column.tolist(), strict=True))
    marked = {(k, k) for k in range(0, 500, 5)}
    assert len(both & marked) > 60
    assert len(both - marked) < 10


def test_a_refrain_does_not_lead_astray():
    text = sentences(600, seed=3)
    refrain = sentences(6, seed=4, names=1.0)
    held = []
    for k in range(0, 600, 100):
        held += [*text[k : k + 100], *refrain]
    anchors, _ = found_in([a for a, _ in held], [b for _, b in held])
    assert np.mean(anchors.row == anchors.column) > 0.98


def test_sentences_that_are_all_alike_have_few_ties():
    _, ties = found_in(["Amen Amen."] * 3000, ["Amen Amen."] * 3000)
    assert len(ties.row) == 0


def test_a_chain_of_nothing_is_not_believed():
    rng = np.random.default_rng(5)
    row, column = (np.sort(rng.choice(5000, 60, replace=False)) for _ in range(2))
    for _ in range(8):
        kept = believed(row, column, tilt=1.0)
        row, column = row[kept], column[kept]
    assert len(row) <= 6


def test_ties_grow_with_the_text_only():
    # Names that look alike: each could be tied to each.
    src = [f"Ananabab{chr(97 + k % 26)}{chr(97 + k // 26 % 26)}{k}x" for k in range(300)]
    _, ties = found_in(src, src)
    assert len(ties.row) <= 4 * len(src)


def test_few_words_that_are_equal_by_chance_are_no_anchors():
    text = sentences(4000, seed=13, names=0.0)
    rng = np.random.default_rng(2)
    kept = np.flatnonzero(rng.random(4000) > 0.02).tolist()
    anchors, ties = found_in([a for a, _ in text], [text[k][1] for k in kept])
    assert len(ties.row) > 100
    assert len(anchors.row) == 0
