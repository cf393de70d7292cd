"""Chains against all chains, and anchors of texts that mislead."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext.align.sentences.corridor import (
    Anchors,
    anchors_between,
    anchors_of,
    anchors_of_samples,
    best_chain,
    near_diagonal,
    rare_word_ties,
    slope,
)
from bitext.align.sentences.lexical.cognates import cognates
from bitext.align.sentences.lexical.word_links import WordPairs
from bitext.kernels.bead_path import BeadPath
from reference.translated_texts import pair_of, sentences, word


def found_in(src, tgt):
    pair = pair_of(src, tgt)
    links = [cognates(pair.src.vocabulary, pair.tgt.vocabulary)]
    return anchors_of(pair, links), rare_word_ties(pair, links)


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
    assert near_diagonal(row, column, tilt=1.0).all()
    kept = near_diagonal(row, off, tilt=1.0)
    assert np.flatnonzero(~kept).tolist() == [40, 41]


@pytest.mark.parametrize("jump", [30, 300, 3000])
def test_a_jump_is_believed_on_both_sides(jump):
    row = np.arange(0, 400, 5)
    column = row + jump * (row >= 200)
    assert near_diagonal(row, column, tilt=1.0).all()
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
        kept = near_diagonal(row, column, tilt=1.0)
        row, column = row[kept], column[kept]
    assert len(row) <= 6


def test_a_passage_in_another_language_has_no_anchors():
    rng = np.random.default_rng(8)
    names = [f"{word(f'n{k}')}{word(f'm{k}')}" for k in range(60)]
    held = {int(k): name for k, name in zip(rng.permutation(1500)[:60], names, strict=True)}
    text = sentences(1500, seed=6, names=0.0)
    # Each of its sentences has a word that is anywhere in the source.
    passage = [f"{b} {name}" for (_, b), name in zip(sentences(60, seed=7), names, strict=True)]
    src = [f"{a} {held.get(k, '')}" for k, (a, _) in enumerate(text)]
    tgt = [b for _, b in text]
    anchors, ties = found_in(src, tgt[:700] + passage + tgt[700:])
    assert len(ties.row) > 50
    assert len(anchors.row) == 0


def test_anchors_amid_words_that_are_equal_by_chance():
    rng = np.random.default_rng(9)
    text = sentences(600, seed=6, names=0.0)
    names = [f"{word(f'n{k}')}{word(f'm{k}')}".title() for k in range(180)]
    src, tgt = ([pair[side] for pair in text] for side in (0, 1))
    for k, name in enumerate(names):
        # A third are names of the same sentence, in order; the others are anywhere.
        places = (3 * k, 3 * k) if k % 3 == 0 else rng.integers(0, 600, 2).tolist()
        for side, place in zip((src, tgt), places, strict=True):
            side[place] += f" {name}"
    anchors, _ = found_in(src, tgt)
    assert len(anchors.row) > 40
    assert np.mean(anchors.row == anchors.column) > 0.9


def test_ties_grow_with_the_text_only():
    # Names that look alike: each could be tied to each.
    src = [f"Ananabab{chr(97 + k % 26)}{chr(97 + k // 26 % 26)}{k}x" for k in range(300)]
    _, ties = found_in(src, src)
    assert len(ties.row) <= 4 * len(src)


def test_few_words_that_are_equal_by_chance_are_no_anchors():
    text = sentences(4000, seed=13, names=0.0)
    rng = np.random.default_rng(2)
    kept = np.flatnonzero(rng.random(4000) > 0.02).tolist()
    anywhere = [[f"mela{a}{b}" for a in "bcdfghjklm" for b in "aeiou"] for _ in range(2)]
    src = [
        f"{a} {anywhere[0][k]}"
        for (a, _), k in zip(text, rng.integers(0, 50, 4000).tolist(), strict=True)
    ]
    tgt = [
        f"{text[k][1]} {anywhere[1][m]}"
        for k, m in zip(kept, rng.integers(0, 50, len(kept)).tolist(), strict=True)
    ]
    anchors, ties = found_in(src, tgt)
    assert len(ties.row) > 100
    assert len(anchors.row) == 0


LETTERS = [a + b for a in "bcdfghjklm" for b in "aeiouäöüy"]


def copies(number, *, lost):
    """Return a text of copies of 90 sentences, and its translation, which leaves some out.

    The words of a sentence stand once in each copy, so none of them is rare; each copy begins with
    a word of its own. Returned are also the numbers of the sentences that are translated.
    """
    text = sentences(90, seed=5, names=0.0)
    every = [(k, copy) for copy in range(number) for k in range(90)]
    kept = [at for at, (k, _) in enumerate(every) if not k or (at * 7) % 100 >= lost]
    own = ["" if k else f" chapter{LETTERS[c]}" for k, c in every]
    src = [f"own{LETTERS[k]} {text[k][0]}{mark}" for (k, _), mark in zip(every, own, strict=True)]
    own = [mark.replace("chapter", "kapitel") for mark in own]
    tgt = [f"sein{LETTERS[k]} {text[k][1]}{mark}" for (k, _), mark in zip(every, own, strict=True)]
    return src, [tgt[at] for at in kept], kept


def linked(pair):
    """Return links of the words that copies of a text have of their own."""
    forms = pair.src.vocabulary.forms, pair.tgt.vocabulary.forms
    there = {form: number for number, form in enumerate(forms[1])}
    names = [(form, form.replace("own", "sein").replace("chapter", "kapitel")) for form in forms[0]]
    found = [(forms[0].index(a), there[b]) for a, b in names if a != b and b in there]
    src, tgt = np.array(sorted(found), dtype=np.int32).T
    sure = np.full(len(src), 0.9)
    return WordPairs(src, tgt, sure, sure, np.zeros(len(forms[0])), np.zeros(len(forms[1])))


@pytest.mark.parametrize("lost", [0, 10])
def test_words_that_are_rare_between_two_anchors_make_anchors_there(lost):
    src, tgt, kept = copies(12, lost=lost)
    pair = pair_of(src, tgt)
    links = [linked(pair)]
    far = anchors_of(pair, links)
    assert np.diff(far.row).max() > 80
    near = anchors_between(far, pair, links)
    assert len(near.row) > 0.9 * len(kept)
    assert (np.array(kept)[near.column] == near.row).all()
    assert np.isin(far.row, near.row).all()


def test_without_an_anchor_none_are_sought_between():
    src, tgt, _ = copies(3, lost=0)
    pair = pair_of(src, tgt)
    none = Anchors(np.zeros(0, np.int64), np.zeros(0, np.int64), 1.0)
    assert anchors_between(none, pair, [linked(pair)]) is none


def test_wrong_words_make_no_anchors_between():
    src, tgt, _ = copies(12, lost=0)
    pair = pair_of(src, tgt)
    right = linked(pair)
    far = anchors_of(pair, [right])
    # Each word stands for one that is anywhere else.
    other = np.random.default_rng(1).permutation(right.tgt)
    wrong = anchors_between(far, pair, [right._replace(tgt=other)])
    assert wrong.row.tolist() == far.row.tolist()


def test_stretches_of_a_path_stand_for_anchors():
    src, tgt, kept = copies(40, lost=10)
    pair = pair_of(src, tgt)
    links = [linked(pair)]
    right = {row: column for column, row in enumerate(kept)}
    # Of every 600 sentences 40 are known; what is between them is one bead of kind -1.
    kinds, row, column = [], [], []
    for begin in range(200, len(src) - 40, 600):
        known = [k for k in range(begin, begin + 40) if k in right]
        kinds += [-1] + [0] * (len(known) - 1)
        row += [k + 1 for k in known]
        column += [right[k] + 1 for k in known]
    ends = np.array([*kinds, -1]), np.array([*row, len(src)]), np.array([*column, len(tgt)])
    anchors = anchors_of_samples(BeadPath(0, *ends, 0.5), 0.9)
    assert len(anchors.row) == kinds.count(-1)
    assert all(right[a] == b for a, b in zip(*anchors[:2], strict=True))
    near = anchors_between(anchors, pair, links)
    assert len(near.row) > 0.5 * len(kept)
    assert np.mean([right.get(a) == b for a, b in zip(*near[:2], strict=True)]) > 0.99
