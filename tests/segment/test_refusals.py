"""What training and models refuse: where it is, and what to do about it."""

from __future__ import annotations

import json

import numpy as np
import pytest

from bitext.errors import FormatError, InputError, OptionError
from bitext.model import Segmentation, Text
from bitext.segment import ParagraphSegmenter
from bitext.segment.features.groups import FeatureOptions
from bitext.segment.model_files import KIND, VERSION, import_model
from bitext.segment.segmenter import feature_options, make_method, method_options, with_gold
from bitext.segment.semi_markov import Problem
from reference import chain_slow as slow


@pytest.mark.parametrize(
    ("texts", "told"),
    [
        ([Text(["One."]), "Two."], r"has no paragraphs: want texts whose paragraphs are known"),
        (["One."], "text 0 is a str: want a Text with paragraphs"),
        (Text(["One."]), r"want a list of texts, not one of them alone: \[text\]"),
        ([], "no sentence"),
    ],
)
def test_texts_without_paragraphs_teach_nothing(texts, told):
    with pytest.raises(InputError, match=told):
        with_gold(texts)


def test_gold_has_to_fit_its_texts():
    text = slow.bare(4)
    with pytest.raises(InputError, match=r"^1 text and 2 gold segmentations$"):
        Problem.of([text], [np.array([0]), np.array([0])], 9, cost=1.0)
    with pytest.raises(InputError, match="paragraphs over 5 sentences, but it has 4"):
        Problem.of([text], [Segmentation([2, 3])], 9, cost=1.0)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"groups": ["length", "length"]}, "a feature group is named twice: name each once"),
        ({"scale": "z-score"}, "scale is 'z-score': want bins or min-max"),
        ({"weights": "tf-idf"}, "weights is 'tf-idf': want rarity or counts"),
        ({"bag": "words"}, "bag is 'words': want unit or binary or printed"),
    ],
)
def test_options_of_features_are_checked(options, told):
    with pytest.raises(OptionError, match=told):
        FeatureOptions(**{"groups": ["length"], **options})


def test_names_that_are_none_lead_to_the_nearest():
    with pytest.raises(OptionError, match=r"no method 'crff'; did you mean 'crf'\? the methods: "):
        method_options("crff")
    with pytest.raises(OptionError, match=r"no features 'papers'; did you mean 'paper'\? the pres"):
        feature_options("papers")


def test_a_method_without_probabilities_says_so():
    with pytest.raises(OptionError, match=r"the method '.*' decides without probabilities"):
        make_method("svm").confidence(slow.bare(2))


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (f"# {KIND} {VERSION}\n[1]\n", "line 2: want the header, an object of JSON"),
        (
            json.dumps({"format": KIND, "version": VERSION, "arrays": {"w": {"type": "<f8"}}}),
            "array 'w' has no list of values",
        ),
        (json.dumps({"format": KIND, "version": VERSION}), "the header has no '.*' that is one"),
        (f"# {KIND} 99\n{{}}\n", "line 1: want the readable form of a model of version"),
        (b"\xff\xfe", "byte 0 is no UTF-8: want the readable form of a model"),
    ],
)
def test_models_that_are_none_are_told_with_the_place(tmp_path, content, told):
    path = tmp_path / "model.tsv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(FormatError, match=told):
        import_model(path)


def test_one_text_is_no_list_of_texts():
    with pytest.raises(InputError, match="want a list of texts, not one of them alone"):
        ParagraphSegmenter().predict_many(Text(["One."]))


def test_a_truth_value_is_no_number_of_passes():
    text = Text(["One.", "Two."], paragraphs=Segmentation([1, 1]))
    with pytest.raises(OptionError, match="there are True passes: want a whole number"):
        ParagraphSegmenter(passes=True).fit([text])
