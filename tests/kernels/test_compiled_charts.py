"""Kernels of the parser, compiled and run by Python, against numpy's ways, to the last bit."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bitext.kernels.compiled_charts import (
    chart_kernels,
    load_chart_kernels,
    plain_chart_kernels,
)
from bitext.syntax.english import MODEL, EnglishParser, Tagger, parser_of
from bitext.syntax.english.features import Slots, Table, Templates, pack
from bitext.syntax.english.parser import (
    RULES,
    Chart,
    Grammar,
    Rules,
    Scores,
    best_brackets,
)

GRAMMAR = Grammar(
    ["DT", "NN"], ["NP", "S+NP", "S"], ["D", "N", "NP", "S", "S"], ["NP|D", "NP|*", "S|*", "S|NP"]
)
SENTENCES = [
    "The old harbour master told the council that the ice had broken the bridge .",
    "`` Yes , '' said the captain ( of the northern ferry ) , `` we saw it . ''",
    "Nobody",
    "In March 1987 two men wrote letters to the court , and she paid them $ 40 each ; the market",
]


@pytest.fixture(scope="module", params=["plain", "compiled"])
def kernels(request):
    found = plain_chart_kernels() if request.param == "plain" else load_chart_kernels()
    if found is None:
        pytest.skip("numba is not installed (the extra `fast`)")
    return found


def in_both_ways(kernels, compute):
    with chart_kernels.using(None):
        wanted = compute()
    with chart_kernels.using(kernels):
        return wanted, compute()


@settings(max_examples=40)
@given(
    st.integers(0, 10_000),
    st.lists(st.integers(1, 9), min_size=1, max_size=4),
    st.sampled_from([1, 3, 8]),
)
def test_probabilities_of_charts(kernels, seed, lengths, spread):
    rng = np.random.default_rng(seed)
    sizes = np.array(lengths)
    words = int(sizes.max())
    weights = {rule: rng.normal(size=GRAMMAR.shape(rule)).astype(np.float32) for rule in RULES}
    scores = Scores(
        *(
            (rng.normal(size=(len(sizes), words, words + 1, k)) * spread).astype(np.float32)
            for k in (3, 2, 2)
        )
    )
    scores.clip()
    tags = rng.integers(0, 2, size=(len(sizes), words))

    def compute():
        chart = Chart(Rules(GRAMMAR, weights), scores, tags, sizes)
        label = chart.outside().label
        return label, chart.log_total, best_brackets(label, sizes, GRAMMAR)

    wanted, found = in_both_ways(kernels, compute)
    np.testing.assert_array_equal(found[0], wanted[0])
    np.testing.assert_array_equal(found[1], wanted[1])
    assert found[2] == wanted[2]


@given(st.integers(0, 10_000), st.integers(1, 300), st.sampled_from([1, 7, 57, 255]))
def test_sums_of_features(kernels, seed, places, width):
    rng = np.random.default_rng(seed)
    templates = Templates(seed)
    columns = [rng.integers(0, 4, size=places).astype(np.uint64) << np.uint64(40) for _ in "abcd"]
    for k in range(int(rng.integers(1, 9))):
        templates.add(*(columns[c] for c in rng.integers(0, 4, size=1 + k % 4)))
    hashes = templates.hashes()
    keys = np.unique(rng.choice(hashes.ravel(), size=20))
    slots = Slots(np.unique(np.concatenate([keys, rng.integers(0, 1 << 26, size=50)])))
    weights = rng.normal(size=(len(slots), width)).astype(np.float32)
    weights[:, 0] = np.abs(weights[:, 0]) + np.float32(0.1)  # so that no sum is rounded to zero
    table = Table(pack(slots, weights, "t", least=0.0, top=1.0), "t")
    wanted, found = in_both_ways(kernels, lambda: table.sums(templates))
    assert wanted.any()
    np.testing.assert_array_equal(found, wanted)
    np.testing.assert_array_equal(table.sums_of_hashes(hashes), wanted)


@given(st.integers(0, 10_000), st.lists(st.integers(1, 6), min_size=1, max_size=5))
def test_the_best_nested_brackets_with_ties(kernels, seed, lengths):
    sizes = np.array(lengths)
    words = int(sizes.max())
    rng = np.random.default_rng(seed)
    label = rng.choice([0, 0.25, 0.5], size=(len(sizes), words, words + 1, 3)).astype(np.float32)
    wanted, found = in_both_ways(kernels, lambda: best_brackets(label, sizes, GRAMMAR, bar=0.25))
    assert found == wanted


@given(st.integers(0, 10_000))
def test_the_best_tags_with_ties(kernels, seed):
    rng = np.random.default_rng(seed)
    words = [[f"w{k}" for k in rng.integers(0, 9, size=n)] for n in (1, 4, 7)]
    packed = {
        "tagger_tags": np.array(["A", "B", "C", ","]),
        "tagger_following": rng.integers(-2, 3, size=(5, 4)),
        "tagger_keys": np.array([], dtype=np.uint32),
        "tagger_sizes": np.array([], dtype=np.uint8),
        "tagger_columns": np.array([], dtype=np.uint8),
        "tagger_values": np.array([], dtype=np.int8),
        "tagger_scale": np.array(1.0),
        "tagger_width": np.array(4),
    }
    tagger = Tagger(packed)
    wanted, found = in_both_ways(kernels, lambda: tagger.tag(words))
    assert found == wanted


def test_trees_of_sentences(kernels):
    sentences = [sentence.split() for sentence in SENTENCES]
    if kernels == plain_chart_kernels():  # which take seconds for long ones
        sentences = [sentence[:5] for sentence in sentences]
    parser = EnglishParser()

    def trees():
        return [str(tree) for tree in parser.parse_tokens(sentences)]

    def probabilities():
        tags = [parser.tag(sentence) for sentence in sentences]
        return parser_of(str(MODEL)).probabilities(sentences, tags)

    wanted, found = in_both_ways(kernels, trees)
    assert found == wanted
    wanted, found = in_both_ways(kernels, probabilities)
    np.testing.assert_array_equal(found, wanted)


def test_training_counts_as_without_kernels(kernels):
    rng = np.random.default_rng(3)
    sizes = np.array([4, 6])
    weights = {rule: rng.normal(size=GRAMMAR.shape(rule)).astype(np.float32) for rule in RULES}
    scores = Scores(*(rng.normal(size=(2, 6, 7, k)).astype(np.float32) for k in (3, 2, 2)))
    tags = rng.integers(0, 2, size=(2, 6))

    def compute():
        rules = Rules(GRAMMAR, weights, counted=True)
        outside = Chart(rules, scores, tags, sizes).outside()
        return [outside.label, outside.state, outside.left, *outside.rules().values()]

    for wanted, found in zip(*in_both_ways(kernels, compute), strict=True):
        np.testing.assert_array_equal(found, wanted)
