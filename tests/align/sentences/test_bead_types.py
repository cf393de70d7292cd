from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext.align.sentences.bead_types import (
    DEFAULT_BEADS,
    abridged,
    are_unequal,
    bead_types,
    beads_for,
    estimate_text_priors,
    finely_cut_priors,
    share_alone,
    smoothed_priors,
    starts,
    usual_priors,
)
from bitext.errors import OptionError


def test_the_default_goes_up_to_four():
    assert bead_types() == DEFAULT_BEADS
    assert {(4, 1), (1, 4), (2, 2), (3, 2), (2, 3)} <= set(DEFAULT_BEADS)


@pytest.mark.parametrize(
    ("text", "more"),
    [
        ("4-1,1-4", {(4, 1), (1, 4)}),
        (" 2-2 , 1-1", {(2, 2)}),
        ("max 2-3", {(1, 2), (1, 3), (2, 1), (2, 2), (2, 3)}),
        ("1-0", set()),
        ([(5, 1)], {(5, 1)}),
    ],
)
def test_beads_as_they_are_written(text, more):
    found = bead_types(text)
    assert set(found) == {(1, 1), (1, 0), (0, 1)} | more
    assert len(set(found)) == len(found)


@pytest.mark.parametrize(
    "text", ["4", "4-1;1-4", "max 2-2,3-3", "0-2", "10-1", "a-b", "2-0", "-1-2"]
)
def test_beads_that_cannot_be(text):
    with pytest.raises(OptionError, match="bead"):
        bead_types(text)


def test_frequencies_add_up_and_follow_the_counts():
    beads = bead_types("max 4-4")
    chances = usual_priors(beads)
    assert chances.sum() == pytest.approx(1)
    assert (chances > 0).all()
    assert chances[0] == chances.max()
    counts = np.zeros(len(beads))
    counts[beads.index((2, 1))] = 10_000
    learned = smoothed_priors(beads, counts)
    assert learned.sum() == pytest.approx(1)
    assert learned[beads.index((2, 1))] > 0.99
    assert (learned > 0).all()


@given(
    st.lists(st.integers(0, 5000), min_size=12, max_size=12),
    st.lists(st.integers(1, 1000), min_size=12, max_size=12),
)
def test_what_is_usual_and_what_is_counted_make_up_the_frequencies(counts, usual):
    counts, usual = np.array(counts, float), np.array(usual) / sum(usual)
    both = np.array([min(bead) > 1 for bead in DEFAULT_BEADS])
    learned = smoothed_priors(DEFAULT_BEADS, counts, usual)
    assert learned.sum() == pytest.approx(1)
    assert (learned > 0).all()
    # Among beads of one sentence on a side, and among the others, each by itself.
    for kinds, worth in ((~both, 40.0), (both, 200.0 / (1 + 3 * usual[both].sum()) * 4)):
        parts = counts[kinds] + worth * usual[kinds]
        assert learned[kinds] / learned[kinds].sum() == pytest.approx(parts / parts.sum())
    total = learned[both].sum()
    expected = 4 * usual[both].sum() / (4 * usual[both].sum() + usual[~both].sum())
    seen = counts[both].sum() / max(counts.sum(), 1)
    share = 200 / (200 + counts.sum())
    assert total == pytest.approx(share * expected + (1 - share) * seen)


def test_beads_of_several_sentences_on_both_sides_are_expected_and_long_texts_decide():
    frequency = dict(zip(DEFAULT_BEADS, usual_priors(DEFAULT_BEADS), strict=True))[2, 2]
    found = []
    for texts in (0, 60, 600, 60_000):
        counts = np.array([texts if bead == (1, 1) else 0 for bead in DEFAULT_BEADS])
        found.append(smoothed_priors(DEFAULT_BEADS, counts)[DEFAULT_BEADS.index((2, 2))])
    assert found == sorted(found, reverse=True)
    assert 3.5 * frequency < found[0] < 4 * frequency
    assert 0.5 * frequency < found[2] < 2 * frequency
    assert found[3] < 0.02 * frequency


def test_one_text_teaches_the_same_by_itself_and_as_a_corpus():
    counts = np.arange(len(DEFAULT_BEADS), dtype=np.float64)
    chance, own = estimate_text_priors(DEFAULT_BEADS, counts[None])
    others = np.maximum(counts - [not min(bead) for bead in DEFAULT_BEADS], 0)
    assert chance == pytest.approx(smoothed_priors(DEFAULT_BEADS, others))
    assert own == pytest.approx(chance[None])
    chance, own = estimate_text_priors(DEFAULT_BEADS, np.zeros((0, len(DEFAULT_BEADS))))
    assert chance == pytest.approx(smoothed_priors(DEFAULT_BEADS, 0 * counts))
    assert own.shape == (0, len(DEFAULT_BEADS))


def without_one(counts):
    """Return the counts of 1-1, 1-0, 0-1 and 2-1 with one sentence less that stands alone."""
    return np.maximum(counts - [0, 1, 1, 0], 0)


def test_one_sentence_that_stands_alone_does_not_confirm_itself():
    beads = DEFAULT_BEADS[:4]
    none, one, two = (
        estimate_text_priors(beads, np.array([[100.0, n, 0, 5]]))[1][0] for n in range(3)
    )
    assert one == pytest.approx(none)
    assert two[1] > 1.5 * one[1]
    # What the other texts show counts in full.
    texts = np.array([[100.0, 0, 0, 5], [100.0, 1, 0, 5]])
    chance, own = estimate_text_priors(beads, texts)
    assert chance == pytest.approx(smoothed_priors(beads, np.array([200.0, 0, 0, 10])))
    assert own[0][1] > own[1][1]


@given(st.lists(st.lists(st.integers(0, 5000), min_size=4, max_size=4), min_size=2, max_size=6))
def test_frequencies_in_a_text_lie_between_its_own_and_those_of_the_others(counts):
    beads, table = DEFAULT_BEADS[:4], np.array(counts, dtype=np.float64)
    chance, own = estimate_text_priors(beads, table)
    assert own.sum(axis=1) == pytest.approx(1)
    assert chance == pytest.approx(smoothed_priors(beads, without_one(table.sum(axis=0))))
    usual = usual_priors(beads)
    for mine, found in zip(table, own, strict=True):
        others = table.sum(axis=0) - mine + 40 * usual
        others /= others.sum()
        mine = without_one(mine)
        share = mine / max(mine.sum(), 1)
        low, high = (np.minimum(share, others), np.maximum(share, others))
        if mine.sum():
            assert ((found >= low - 1e-9) & (found <= high + 1e-9)).all()
        else:
            assert found == pytest.approx(others)


def test_other_texts_may_be_trusted_more():
    beads, counts = DEFAULT_BEADS[:4], np.array([[90.0, 10, 0, 0], [900, 0, 0, 100], [0, 0, 0, 0]])
    plain, trusted = (estimate_text_priors(beads, counts, trust=trust)[1] for trust in (0.0, 500.0))
    others = [counts.sum(axis=0) - one + 40 * usual_priors(beads) for one in counts]
    for mine, found, near, far in zip(counts, trusted, plain, others, strict=True):
        usual = far / far.sum()
        told = min(1100 - mine.sum(), 500.0)
        assert found == pytest.approx(
            smoothed_priors(beads, without_one(mine) + told * usual, usual=usual)
        )
        assert (np.abs(found - usual) <= np.abs(near - usual) + 1e-12).all()
    alone = estimate_text_priors(beads, counts[:1], trust=500.0)
    assert alone[1][0] == pytest.approx(alone[0]), "there are no others"


def test_texts_begin_with_what_is_usual_or_with_much_left_out():
    usual, many = starts(DEFAULT_BEADS, 1.2)
    assert (usual == usual_priors(DEFAULT_BEADS)).all()
    assert many.sum() == pytest.approx(1)
    alone = [DEFAULT_BEADS.index(bead) for bead in ((1, 0), (0, 1))]
    assert many[alone].tolist() == [0.15, 0.15]
    rest = np.delete(many, alone) / np.delete(usual, alone)
    assert rest == pytest.approx(rest[0])


@given(st.floats(1.05, 20), st.sampled_from(["", "max 2-2", "max 9-9", "1-1"]))
def test_a_sentence_is_as_many_of_a_finer_text_as_is_wanted(many, kinds):
    beads = bead_types(kinds)
    usual = usual_priors(beads)
    found = finely_cut_priors(beads, usual, many)
    assert found.sum() == pytest.approx(1)
    assert (found > 0).all()
    src, tgt = np.array(beads).T
    same = (src == 0) | (tgt == 0) | ((src > 1) & (tgt > 1))
    assert found[same] == pytest.approx(usual[same])
    assert (found[(src > 1) & (tgt == 1)] < usual[(src > 1) & (tgt == 1)]).all()
    # 1 and a Poisson number more: each is so many times as frequent as the one before.
    one = found[(src == 1) & (tgt > 0)][np.argsort(tgt[(src == 1) & (tgt > 0)])]
    steps = (many - 1) / np.arange(1, len(one))
    assert one[1:] / one[:-1] == pytest.approx(steps, abs=1e-9)
    turned = finely_cut_priors([(b, a) for a, b in beads], usual, 1 / many)
    assert turned == pytest.approx(found)


@pytest.mark.parametrize("many", [1.5, 4.0, 1 / 1.5])
def test_a_text_that_is_cut_more_finely_has_larger_beads(many):
    found = beads_for(bead_types(), many)
    more = {(1, k) if many > 1 else (k, 1) for k in range(5, 9)}
    assert set(found) == {*DEFAULT_BEADS} | more
    assert len(found) == len(set(found))
    assert beads_for(found, many) == found  # it is not done twice


@pytest.mark.parametrize(("asked", "many"), [("", 1.2), ("", 0.0), ("max 2-2", 3.0), ("1-5", 3.0)])
def test_beads_that_are_asked_for_and_those_of_equal_texts_stay(asked, many):
    assert beads_for(bead_types(asked), many) == bead_types(asked)


@pytest.mark.parametrize(
    ("many", "unequal"),
    [(1.0, False), (1.39, False), (1.41, True), (0.72, False), (0.71, True), (8.0, True),
     (8.1, False), (0.12, False), (0.0, False), (float("inf"), False)],
)  # fmt: skip
def test_texts_that_are_cut_differently_have_a_start_of_their_own(many, unequal):
    assert are_unequal(many) is unequal
    found = starts(DEFAULT_BEADS, many)
    assert len(found) == 2 + unequal
    if unequal:
        assert found[2] == pytest.approx(finely_cut_priors(DEFAULT_BEADS, found[0], many))


@given(st.floats(0.05, 20).filter(lambda many: many != 1))
def test_an_abridged_text_leaves_alone_what_the_other_has_more(many):
    usual = usual_priors(DEFAULT_BEADS)
    found = abridged(DEFAULT_BEADS, usual, many)
    assert found.sum() == pytest.approx(1.0)
    more, rest = ((0, 1), (1, 0)) if many > 1 else ((1, 0), (0, 1))
    assert found[DEFAULT_BEADS.index(more)] == pytest.approx(1 - min(many, 1 / many))
    assert found[DEFAULT_BEADS.index(rest)] <= usual[DEFAULT_BEADS.index(rest)] / (1 - usual[1])
    turned = [DEFAULT_BEADS.index((b, a)) for a, b in DEFAULT_BEADS]
    assert abridged(DEFAULT_BEADS, usual, 1 / many)[turned] == pytest.approx(found)
    assert share_alone(DEFAULT_BEADS, found) >= 1 - min(many, 1 / many)
