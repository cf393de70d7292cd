"""The chart against all trees one by one, its features, tables and the choice of brackets."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bitext.syntax.english.features import Slots, Table, mix, pack, span_features, word_codes
from bitext.syntax.english.parser import (
    RULES,
    Chart,
    Grammar,
    Rules,
    Scores,
    best_brackets,
    tree_of,
)
from reference import chart_slow

GRAMMAR = Grammar(
    ["DT", "NN"], ["NP", "S+NP", "S"], ["D", "N", "NP", "S", "S"], ["NP|D", "NP|*", "S|*", "S|NP"]
)


def made(seed, batch, words):
    """Random weights, scores and tags."""
    rng = np.random.default_rng(seed)
    weights = {rule: rng.normal(size=GRAMMAR.shape(rule)) for rule in RULES}
    scores = Scores(*(rng.normal(size=(batch, words, words + 1, k)) * 2 for k in (3, 2, 2)))
    return weights, scores, rng.integers(0, 2, size=(batch, words))


@settings(max_examples=12)
@given(st.integers(0, 10_000), st.integers(1, 3), st.integers(1, 3))
def test_probabilities_are_those_of_all_trees(seed, first_size, second_size):
    sizes = np.array([first_size, second_size])
    weights, scores, tags = made(seed, 2, int(sizes.max()))
    chart = Chart(Rules(GRAMMAR, weights, counted=True), scores, tags, sizes)
    outside = chart.outside()
    label = Chart(Rules(GRAMMAR, weights), scores, tags, sizes).outside().label
    np.testing.assert_allclose(label, outside.label, atol=1e-5)
    rules = {rule: np.zeros(GRAMMAR.shape(rule)) for rule in RULES}
    for k, size in enumerate(sizes):
        own = {name: getattr(scores, name)[k] for name in ("label", "state", "left")}
        trees = chart_slow.derivations(GRAMMAR, weights, own, tags[k, :size].tolist())
        total = sum(weight for weight, _ in trees)
        assert chart.log_total[k] == pytest.approx(math.log(total))
        spans = {name: np.zeros_like(values) for name, values in own.items()}
        for weight, events in trees:
            for (kind, *place), number in events.items():
                (spans if kind in spans else rules)[kind][tuple(place)] += number * weight / total
        for name, expected in spans.items():
            np.testing.assert_allclose(getattr(outside, name)[k], expected, atol=1e-5)
    for rule, expected in outside.rules().items():
        np.testing.assert_allclose(expected, rules[rule], atol=1e-5)


def test_sums_do_not_overflow():
    weights, scores, tags = made(1, 1, 90)
    big = Scores(
        *(
            np.float32(9) * np.asarray(s, dtype=np.float32)
            for s in (scores.label, scores.state, scores.left)
        )
    )
    big.clip()
    small = {rule: values.astype(np.float32) for rule, values in weights.items()}
    label = Chart(Rules(GRAMMAR, small), big, tags, np.array([90])).outside().label
    assert np.isfinite(label).all()
    assert label[0, 0, 90].sum() == pytest.approx(1, abs=1e-3)


@settings(max_examples=30)
@given(st.integers(0, 10_000), st.integers(1, 5))
def test_brackets_are_the_best_nested_ones(seed, words):
    rng = np.random.default_rng(seed)
    most = words + int(rng.integers(0, 3))  # of the longest sentence of the batch
    labels = rng.random((2, most, most + 1, 3)) * 0.6
    sizes = np.array([words, most])
    found = best_brackets(labels, sizes, GRAMMAR, bar=0.4)[0]
    gains = (labels[0] @ GRAMMAR.brackets - 0.4) @ GRAMMAR.brackets.T
    gained = sum(gains[first, length, best] for best, first, length in found)
    assert gained == pytest.approx(chart_slow.best_gain(gains.max(axis=2).tolist(), words))
    assert found[0][1:] == (0, words)
    tree = tree_of(found, [f"w{k}" for k in range(words)], ["NN"] * words, GRAMMAR)
    assert tree.words == tuple(f"w{k}" for k in range(words))
    parts = sorted(
        (name, first, first + length) for n, first, length in found for name in GRAMMAR.parts[n]
    )
    assert sorted(tree.spans()) == sorted([("ROOT", 0, words), *parts])


def test_features_of_a_sentence_do_not_depend_on_its_batch():
    words = [["A", "plane", "fell", "."], ["Yes"], ["It", "(", "he", "said", ")", "was", "so"]]
    tags = [
        ["DT", "NN", "VBD", "."],
        ["UH"],
        ["PRP", "-LRB-", "PRP", "VBD", "-RRB-", "VBD", "RB"],
    ]
    together = span_features(words, tags)
    for k in range(3):
        alone = span_features([words[k]], [tags[k]])
        rows = together.sentence == k
        for name in ("first", "length", "own_span", "left_span"):
            assert (getattr(together, name)[rows] == getattr(alone, name)).all()
        for name, place in (("own_start", "start"), ("own_end", "end"), ("left_end", "end")):
            ours = getattr(together, name)[getattr(together, place)[rows]]
            assert (ours == getattr(alone, name)[getattr(alone, place)]).all()


def test_spans_are_all_there_once():
    at = span_features([["a"] * 3, ["b"] * 2], [["NN"] * 3, ["NN"] * 2])
    found = set(zip(at.sentence.tolist(), at.first.tolist(), at.length.tolist(), strict=True))
    assert len(at.sentence) == len(found) == 6 + 3
    assert found == {
        (k, i, n)
        for k, size in ((0, 3), (1, 2))
        for n in range(1, size + 1)
        for i in range(size - n + 1)
    }


def test_words_that_look_alike_to_the_parser_have_the_same_codes():
    codes = word_codes(["-LRB-", "(", "’s", "'s", "1984", "2024", "May", "may", "\ud800", "\n"])
    assert (codes[0] == codes[1]).all()
    assert (codes[2] == codes[3]).all()
    assert (codes[4] == codes[5]).all()
    assert not (codes[6] == codes[7]).all()


def test_templates_and_places_of_codes_tell_features_apart():
    one, two = np.array([1], dtype=np.uint64), np.array([2], dtype=np.uint64)
    hashes = {int(mix(t, *parts)[0]) for t in (1, 2) for parts in ((one, two), (two, one), (one,))}
    assert len(hashes) == 6


def test_slots_know_their_keys_and_no_others():
    keys = np.unique(np.random.default_rng(0).integers(0, 1 << 26, size=1000))
    slots = Slots(keys)
    rows = slots(slots.keys)
    assert rows.tolist() == list(range(1, len(slots)))
    others = np.setdiff1d(np.arange(100_000), keys)
    assert not slots(others).any()


def test_a_packed_table_gives_the_sums_within_its_step():
    rng = np.random.default_rng(3)
    keys = np.unique(rng.integers(0, 1 << 26, size=300))
    slots = Slots(keys)
    weights = rng.normal(size=(len(slots), 7)).astype(np.float32) / 3
    weights[0] = 0
    weights[5] = 0
    table = Table(pack(slots, weights, "t", least=0.02, top=2.5), "t")
    hashes = rng.choice(np.append(slots.keys, [1, 2]), size=(50, 11))
    expected = weights[slots(hashes)].sum(axis=1)
    assert np.abs(table.sums_of_hashes(hashes) * table.scale - expected).max() < 11 * 0.021
    assert (table.sums_of_hashes(np.full((1, 11), 2)) == 0).all()
