"""Corridors hold the true path, whatever was left out, repeated or turned round."""

import random

import numpy as np
import pytest

from bitext.align.sentences import search_space
from bitext.align.sentences.corridor import Anchors, Corridor
from bitext.align.sentences.evidence.punctuation import marks_of
from bitext.align.sentences.lexical.cognates import cognates
from bitext.align.sentences.search_space import (
    WHOLE,
    corridor_between,
    initial_corridor,
    profile_model,
)
from bitext.align.sentences.seed_stretches import narrowed
from reference.translated_texts import pair_of, sentences


def corridor_for(src, tgt):
    """Return the corridor of two lists of (number, sentence), too long to be searched whole."""
    assert len(src) * len(tgt) > WHOLE
    pair = pair_of([text for _, text in src], [text for _, text in tgt])
    return initial_corridor(pair, [cognates(pair.src.vocabulary, pair.tgt.vocabulary)]).corridor


def outside(corridor, src, tgt):
    """Return how many pairs of sentences with a common number are not in a corridor."""
    at = {number: j for j, (number, _) in enumerate(tgt)}
    pairs = [(i, at[number]) for i, (number, _) in enumerate(src) if number in at]
    assert pairs
    return sum(
        not (
            corridor.lo[i] <= j <= corridor.hi[i]
            and corridor.lo[i + 1] <= j + 1 <= corridor.hi[i + 1]
        )
        for i, j in pairs
    )


def numbered(count, seed, names=0.4):
    text = list(enumerate(sentences(count, seed=seed, names=names)))
    return [(k, a) for k, (a, _) in text], [(k, b) for k, (_, b) in text]


@pytest.mark.parametrize("begin", [0, 500, 1200])
@pytest.mark.parametrize("side", [0, 1])
def test_a_passage_is_left_out_on_one_side(begin, side):
    sides = numbered(1500, 5)
    del sides[side][begin : begin + 300]
    corridor = corridor_for(*sides)
    assert outside(corridor, *sides) == 0
    assert corridor.cells < 90 * 1500


def test_passages_are_left_out_on_both_sides():
    src, tgt = numbered(2000, 6)
    src, tgt = src[:400] + src[700:], tgt[:900] + tgt[1100:1500] + tgt[1800:]
    corridor = corridor_for(src, tgt)
    assert outside(corridor, src, tgt) == 0


def test_another_text_stands_in_the_middle_of_each():
    src, tgt = numbered(1000, 7)
    other = numbered(600, 8)
    src = src[:500] + [(-1 - k, text) for k, text in other[0][:300]] + src[500:]
    tgt = tgt[:500] + [(-1001 - k, text) for k, text in other[1][300:]] + tgt[500:]
    assert outside(corridor_for(src, tgt), src, tgt) == 0


def test_scattered_sentences_are_left_out():
    rng = random.Random(1)
    sides = [[x for x in side if rng.random() > 0.05] for side in numbered(3000, 9, names=0.3)]
    corridor = corridor_for(*sides)
    assert outside(corridor, *sides) <= 6
    assert corridor.cells < 50 * 3000


def test_chapters_that_are_turned_round():
    src, tgt = numbered(900, 10)
    tgt = tgt[300:] + tgt[:300]
    corridor = corridor_for(src, tgt)
    # The larger part is where it is to be; the smaller one cannot be.
    rows = np.arange(300, 900)
    assert ((corridor.lo[rows] <= rows - 300) & (rows - 300 <= corridor.hi[rows])).all()


def test_a_text_against_itself_shifted():
    src, _ = numbered(1500, 11)
    corridor = corridor_for(src[120:], src[:-120])
    assert outside(corridor, src[120:], src[:-120]) == 0


def test_page_numbers_and_running_heads_lie():
    src, tgt = numbered(1500, 12, names=0.3)

    def paged(text, size):
        found = []
        for k in range(0, len(text), size):
            found += [*text[k : k + size], (-1, f"{k // size + 1}"), (-2, "Annuario Alpinistico")]
        return found

    src, tgt = paged(src, 30), paged(tgt, 34)
    kept = [x for x in src if x[0] >= 0]
    corridor = corridor_for(src, tgt)
    at = {number: j for j, (number, _) in enumerate(tgt) if number >= 0}
    missed = sum(
        not corridor.lo[i] <= at[number] <= corridor.hi[i]
        for i, (number, _) in enumerate(src)
        if number >= 0
    )
    assert missed <= 0.02 * len(kept)


def test_without_anchors_lengths_lead():
    src, tgt = numbered(2500, 13, names=0.0)
    rng = random.Random(2)
    tgt = [x for x in tgt if rng.random() > 0.02]
    corridor = corridor_for(src, tgt)
    assert corridor.cells < 400 * 2500
    assert outside(corridor, src, tgt) <= 0.01 * len(tgt)


def test_lengths_of_blocks_of_blocks():
    rng = np.random.default_rng(4)
    src = np.exp(rng.normal(4, 0.7, 3000))
    tgt = src * np.exp(rng.normal(0, 0.15, 3000)) * 1.3
    every = np.arange(3001)
    wide = Corridor.between(every - 1500, every + 1500, 3000)
    found = narrowed(wide, src, tgt, most=2000)
    assert found.cells < 0.2 * wide.cells
    assert np.mean((found.lo <= every) & (every <= found.hi)) > 0.99


@pytest.mark.parametrize("seed", range(3))
def test_a_text_that_repeats_itself_keeps_to_its_own_copy(seed):
    rng = np.random.default_rng(seed)
    src = np.exp(rng.normal(4, 0.7, 120))
    tgt = src * np.exp(rng.normal(0, 0.15, 120))
    joined = np.arange(0, 119, 30)
    tgt[joined] += tgt[joined + 1]
    tgt = np.delete(tgt, joined + 1)
    copies = np.arange(200)
    whole = Corridor.whole(200 * len(src), 200 * len(tgt))
    found = narrowed(whole, np.tile(src, 200), np.tile(tgt, 200))
    rows, columns = copies * len(src), copies * len(tgt)
    assert ((found.lo[rows] <= columns) & (columns <= found.hi[rows])).all()
    assert found.cells < 0.02 * whole.cells


def test_small_tables_are_whole():
    pair = pair_of(["A b."] * 400, ["C d."] * 500)
    corridor = initial_corridor(pair).corridor
    assert corridor.cells == 401 * 501


def test_one_sentence_against_many():
    pair = pair_of(["A b."], ["C d."] * 100_000)
    corridor = initial_corridor(pair).corridor
    assert (corridor.lo[0], corridor.hi[1]) == (0, 100_000)
    assert initial_corridor(pair_of([], [])).corridor.cells == 1


def test_between_two_anchors_the_width_grows_with_the_way():
    near = corridor_between(
        Anchors(np.array([50, 60]), np.array([50, 60]), 1.0), rows=110, columns=110
    )
    assert near.hi[55] - near.lo[55] <= 20
    assert near.hi[25] - near.lo[25] > 25


@pytest.mark.parametrize(("few", "looked"), [(30, 0), (40, 1)])
def test_beside_hardly_anything_no_stretches_are_looked_for(few, looked, monkeypatch):
    # Between two anchors are 9,000 sentences of the source, and few of the target.
    assert 9000 * few > WHOLE
    pair = pair_of(["A b."] * 9200, ["C d."] * (200 + few))
    marks = marks_of(["A b."] * 9200), marks_of(["C d."] * (200 + few))
    row, column = np.arange(200), np.arange(200)
    row[100:] += 9000
    column[100:] += few
    asked = []
    monkeypatch.setattr(
        search_space, "seed_anchors", lambda known, *_: asked.append(1) or (known, None)
    )
    initial_corridor(pair, anchors=Anchors(row, column, 1.0), marks=marks)
    assert len(asked) == looked


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize(("few", "many"), [(0, 1000), (1, 150_000), (7, 40_000)])
def test_beside_a_few_sentences_no_way_is_looked_for(few, many, turned, monkeypatch):
    sides = ["A b."] * many, ["C d."] * few
    sides = sides[::-1] if turned else sides
    pair, marks = pair_of(*sides), tuple(map(marks_of, sides))
    assert not few or (few + 1) * (many + 1) > WHOLE
    # Each of these searches would go through all rows again and again.
    monkeypatch.setattr(search_space, "anchors_of", None)
    monkeypatch.setattr(search_space, "seed_anchors", None)
    monkeypatch.setattr(search_space, "profile_corridor", None)
    monkeypatch.setattr(search_space, "profile_path", None)
    assert profile_model(pair, marks) is None
    assert initial_corridor(pair, marks=marks).corridor.cells == (many + 1) * (few + 1)
