"""Models of features: learned, named, kept, and the rows that they make of texts."""

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bitext.errors import InputError, OptionError
from bitext.model import Segmentation, Text
from bitext.segment.features.groups import GROUPS, PRESETS, FeatureOptions
from bitext.segment.features.model import FeatureModel
from reference.paragraph_corpora import add_segmentation

ENGLISH = Text(
    [
        "Mr. Holmes sat by the fire.",
        "The rain fell on 3 streets.",
        "“Well, Watson,” said he, “what of the rain?",
        "You do not care.”",
        "“I do,” I said.",
        "‘’Tis the fog,’ he thought.",
        "The fire burned low — and the rain fell.",
    ],
    paragraphs=Segmentation([2, 2, 1, 2]),
)
OTHERS = [
    Text(["»Ja«, sagte er.", "»Und?«", "Sie schwieg."], paragraphs=Segmentation([1, 1, 1])),
    Text(["« Oui ! » dit-il.", "Elle rit."], paragraphs=Segmentation([2])),
    Text(["—¿Quién es?", "—Yo —dijo ella.", "Nadie."], paragraphs=Segmentation([1, 1, 1])),
    Text(["「你好。」他说。", "她笑了。"], paragraphs=Segmentation([1, 1])),
    Text(["No marks here", "none at all", "and no end"], paragraphs=Segmentation([3])),
]
ALL = [ENGLISH, *OTHERS]
EVERY = FeatureOptions(groups=tuple(GROUPS), min_count=1)
LONGEST = 6


@pytest.fixture(scope="module")
def model():
    return FeatureModel.fit(ALL, EVERY, LONGEST)


def same(one, other):
    assert np.array_equal(one.nodes.ptr, other.nodes.ptr)
    assert np.array_equal(one.nodes.idx, other.nodes.idx)
    assert np.array_equal(one.nodes.values, other.nodes.values)
    assert [column.first for column in one.edges] == [column.first for column in other.edges]
    inner = np.arange(LONGEST)[::-1] <= np.arange(one.n)[:, None]  # what reaches back is open
    for a, b in zip(one.edges, other.edges, strict=True):
        for mine, theirs in ((a.bins, b.bins), (a.values, b.values)):
            assert (mine is None) == (theirs is None)
            if mine is not None:
                assert np.array_equal(mine[inner], theirs[inner])


def check(features, model):
    nodes = features.nodes
    assert len(nodes.ptr) == features.n + 1
    assert nodes.idx.dtype == nodes.ptr.dtype == np.int64
    assert nodes.values.dtype == np.float64
    for begin, end in zip(nodes.ptr[:-1], nodes.ptr[1:], strict=True):
        assert (np.diff(nodes.idx[begin:end]) > 0).all()
    assert not len(nodes.idx) or 0 <= nodes.idx.min() <= nodes.idx.max() < model.size
    for column in features.edges:
        cells = column.values if column.bins is None else column.bins
        assert cells.shape == (features.n, LONGEST)
        top = 0 if column.bins is None else int(column.bins.max(initial=0))
        assert column.first + top < model.size


@pytest.mark.parametrize("options", [*PRESETS.values(), EVERY, replace(EVERY, scale="min-max")])
def test_rows_ascend_and_weights_are_in_bounds(options):
    model = FeatureModel.fit(ALL, replace(options, min_count=1), LONGEST)
    names = model.names()
    assert len(names) == len(set(names)) == model.size == len(model.groups())
    odd = [Text([]), Text([""]), Text(["?"]), Text(["", "“", "é" * 100_000, "a b " * 25_000])]
    for text in [*ALL, *odd]:
        check(model.of(text), model)


def test_features_by_name():
    options = FeatureOptions(
        groups=("length", "first-word", "quotes", "edge-length"), min_count=1, bins=2
    )
    model = FeatureModel.fit([ENGLISH], options, LONGEST)
    names = model.names()
    rows = model.of(ENGLISH).nodes
    told = {names[k] for k in rows.idx[rows.ptr[3] : rows.ptr[4]]}
    assert told == {
        "length[-2]=bin0", "length[-1]=bin1", "length=bin0", "length[1]=bin0",
        "first-word[-1]=well", "first-word=you", "first-word[1]=i",
        "quote-pairs[-1]=bin1", "quote-pairs=bin0", "quote-pairs[1]=bin1",
        "inside-quotes[-1]=no", "inside-quotes=yes", "inside-quotes[1]=no",
    }  # fmt: skip
    assert "edge:length=4" in names
    assert names[-1] == "edge:length=25+"


def test_what_lies_beyond_the_text_is_no_feature():
    options = FeatureOptions(groups=("first-word",), min_count=1)
    model = FeatureModel.fit([ENGLISH], options, LONGEST)
    rows, names = model.of(ENGLISH).nodes, model.names()
    assert [names[k] for k in rows.idx[: rows.ptr[1]]] == ["first-word=mr", "first-word[1]=the"]
    assert [names[k] for k in rows.idx[rows.ptr[-2] :]] == ["first-word[-1]=tis", "first-word=the"]


def test_rare_and_unknown_words_have_no_weight():
    options = FeatureOptions(groups=("words",), min_count=2, neighbours=0)
    model = FeatureModel.fit([ENGLISH], options, LONGEST)
    known = ["do", "fell", "fire", "he", "rain", "said", "the"]
    assert model.names() == [f"words={word}" for word in known]
    assert model.of(Text(["Unknown words", "the end"])).nodes.idx.tolist() == [6]


def test_bags_of_unit_length_in_rows():
    options = FeatureOptions(groups=("words",), min_count=1, neighbours=1, bag="unit")
    rows = FeatureModel.fit([ENGLISH], options, LONGEST).of(ENGLISH).nodes
    squares = np.add.reduceat(rows.values**2, rows.ptr[:-1])
    assert squares == pytest.approx([2, 3, 3, 3, 3, 3, 2])


def test_the_paper_scales_by_the_range_of_training():
    model = FeatureModel.fit([ENGLISH], "paper", LONGEST)
    assert model.options.neighbours == 0
    at = model.names().index("length")
    rows = model.of(Text(["word " * 50, "", *ENGLISH.segments()])).nodes
    values = {int(k): float(rows.values[i]) for i, k in enumerate(rows.idx[: rows.ptr[1]])}
    assert values[at] == 1.0  # clipped
    sizes = [rows.values[rows.ptr[k] : rows.ptr[k + 1]].min() for k in range(len(rows.ptr) - 1)]
    assert 0 < min(sizes) <= max(rows.values) == 1.0
    edges = [column for column in model.of(ENGLISH).edges if column.values is not None]
    assert len(edges) == 3  # two cosines and the entropy
    assert edges[0].values.dtype == np.float32


def test_the_paper_has_the_printed_features():
    assert PRESETS["paper"].bag == "printed"
    names = FeatureModel.fit([ENGLISH], "paper", LONGEST).names()
    scalars = [name for name in names if "=" not in name]
    assert scalars == [
        *("length", "position", "capitals", "dice", "joint-product", "cosine", "entropy"),
        *("half-marks-before", "half-marks", "inside-quotes"),
        *("edge:cosine-before", "edge:cosine-after", "edge:entropy"),
    ]
    assert "bias=boundary" in names


@pytest.mark.parametrize("options", ["default", "paper", EVERY])
def test_parts_come_back(options):
    model = FeatureModel.fit(ALL, options, LONGEST)
    header, arrays = model.to_parts()
    again = FeatureModel.from_parts(json.loads(json.dumps(header)), arrays)
    assert (again.size, again.names(), again.options) == (model.size, model.names(), model.options)
    for text in ALL:
        same(again.of(text), model.of(text))


def test_damaged_parts_are_told():
    header, arrays = FeatureModel.fit(ALL, EVERY, LONGEST).to_parts()
    for name in arrays:
        with pytest.raises(InputError, match=r"another version, or damaged .*train anew"):
            FeatureModel.from_parts(header, {k: v for k, v in arrays.items() if k != name})
    for changed in (
        {},
        {**header, "longest": "x"},
        {**header, "columns": [{"group": "length", "name": "length", "kind": "odd"}]},
        {**header, "lexicons": dict.fromkeys(header["lexicons"], 1)},
    ):
        with pytest.raises(InputError, match="another version, or damaged"):
            FeatureModel.from_parts(changed, arrays)


@settings(max_examples=8)
@given(st.data())
def test_a_pruned_model_keeps_the_scores(model, data):
    rng = np.random.default_rng(data.draw(st.integers(0, 999)))
    weights = rng.normal(size=model.size) * (rng.random(model.size) < data.draw(st.floats(0, 1)))
    small, old = model.pruned(weights != 0)
    assert small.size == len(old) <= model.size
    names = model.names()
    assert small.names() == [names[k] for k in old]
    for text in ALL:
        before, after = model.of(text), small.of(text)
        assert after.node_scores(weights[old]) == pytest.approx(before.node_scores(weights))
        assert after.edge_scores(weights[old]) == pytest.approx(before.edge_scores(weights))


def test_scores_are_linear():
    model = FeatureModel.fit(ALL, EVERY, LONGEST)
    features = model.of(ENGLISH)
    rng = np.random.default_rng(3)
    weights = rng.normal(size=model.size)
    starts = np.array([0, 2, 4, 5])
    totals = np.zeros(model.size)
    add_segmentation(features, totals, starts)
    ends = np.append(starts[1:], len(ENGLISH)) - 1
    edges = features.edge_scores(weights)[ends, LONGEST - (ends - starts + 1)]
    assert totals @ weights == pytest.approx(
        features.node_scores(weights)[starts].sum() + edges.sum()
    )


def test_blocks_do_not_show():
    model = FeatureModel.fit(ALL, EVERY, LONGEST)
    long = Text([s for text in ALL for s in text.segments()] * 4)
    same(model.of(long, at_once=7), model.of(long))


def test_entropy_of_a_training_text_is_what_the_others_tell():
    options = FeatureOptions(groups=("entropy", "edge-entropy"), scale="min-max", neighbours=0)
    texts = [Text(["the fog came", "the fog went"]), Text(["the fog sat", "no man came"])]
    model = FeatureModel.fit(texts, options, LONGEST)
    seen, held = model.of(texts[0]), model.of(texts[0], held_out=True)
    assert held.nodes.values.sum() > seen.nodes.values.sum()
    other = Text(["a wholly new word"])
    plain = FeatureModel.fit(texts, "default", LONGEST)
    same(plain.of(other), plain.of(other, held_out=True))


def test_texts_without_paragraphs_train_too():
    bare = Text(list(ENGLISH.segments()))
    model = FeatureModel.fit([bare], EVERY, LONGEST)
    check(model.of(ENGLISH), model)


def test_one_text_of_one_sentence_trains():
    model = FeatureModel.fit([Text(["Alone."], paragraphs=Segmentation([1]))], EVERY, LONGEST)
    check(model.of(ENGLISH), model)


def test_what_is_wrong_is_told():
    with pytest.raises(InputError, match="no training text has a sentence"):
        FeatureModel.fit([Text([])], "default", LONGEST)
    with pytest.raises(InputError, match="book is known by ids only"):
        FeatureModel.fit([Text.of_ids(["a"], name="book")], "default", LONGEST)
    with pytest.raises(OptionError, match="no feature preset 'none': want of default, paper"):
        FeatureModel.fit(ALL, "none", LONGEST)
    with pytest.raises(OptionError, match="no feature group 'x'"):
        FeatureOptions(groups=("x",))
    with pytest.raises(OptionError, match="named twice"):
        FeatureOptions(groups=("length", "length"))
    with pytest.raises(OptionError, match="scale is 'log': want bins or min-max"):
        FeatureOptions(scale="log")
    with pytest.raises(OptionError, match="neighbours is -1: want a whole number, 0 to 9"):
        FeatureOptions(neighbours=-1)


def test_every_group_is_told_in_a_sentence():
    for group in GROUPS.values():
        assert group.doc.endswith(".") or group.doc.endswith(")"), group.doc
        assert len(group.doc) < 100
