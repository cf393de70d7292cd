"""All methods of paragraph segmentation through their one interface."""

import json
from importlib.util import find_spec

import numpy as np
import pytest

from bitext.errors import InputError, MissingExtraError, OptionError
from bitext.model import Segmentation, Text
from bitext.segment.segmenter import METHODS, make_method, method_options
from reference import chain_slow as slow

PACKAGES = {"svm": "sklearn", "boosting": "sklearn", "crf": "pycrfsuite"}
NAMES = [
    pytest.param(
        name,
        marks=pytest.mark.skipif(
            name in PACKAGES and find_spec(PACKAGES[name]) is None,
            reason=f"{PACKAGES.get(name)} is not installed: pip install 'bitext[paragraphs]'",
        ),
    )
    for name in METHODS
]
LEARNING = [found for found in NAMES if found.values[0] not in {"majority", "quotes"}]
# The texts are few: less regularisation, and fewer trees.
FEW = {
    "boosting": {"rounds": 20},
    "max-margin-chain": {"cost": 0.1},
    "semi-markov": {"cost": 0.1},
}


def trained(name, features, golds):
    return make_method(name, **FEW.get(name, {})).fit(features, golds)


def put(method, text):
    return method.boundaries(text, text=["A.", "“B.”", "C.", "D."][: text.n]).tolist()


def test_the_names_are_those_of_the_paper_and_ours():
    assert list(METHODS) == [
        *("majority", "quotes", "svm", "boosting", "crf"),
        *("max-margin-chain", "semi-markov"),
    ]


@pytest.mark.parametrize("name", LEARNING)
def test_it_learns_what_can_be_learned(name):
    features, golds = slow.made_up(3, noise=0.2)
    method = trained(name, features[:8], golds[:8])
    majority = trained("majority", features[:8], golds[:8])
    right = slow.share_right(method, features[8:], golds[8:])
    assert right > 0.8 > slow.share_right(majority, features[8:], golds[8:])


@pytest.mark.parametrize("name", NAMES)
def test_its_parts_are_plain_and_make_it_again(name):
    features, golds = slow.made_up(4, texts=5)
    method = trained(name, features, golds)
    header, arrays = method.to_parts()
    assert all(array.dtype.kind in "fi" for array in arrays.values())
    again = METHODS[name].from_parts(json.loads(json.dumps(header)), arrays)
    assert again.chosen() == method.chosen()
    sentences = ["“So.”", "And?"] * 30
    for text in features:
        found = method.boundaries(text, text=sentences).tolist()
        assert again.boundaries(text, text=sentences).tolist() == found
        if method.probable:
            assert again.confidence(text).tolist() == method.confidence(text).tolist()


@pytest.mark.parametrize("name", NAMES)
def test_it_is_the_same_each_time_and_of_texts_in_any_spelling(name):
    features, golds = slow.made_up(9, texts=4, sentences=30)
    golds_spelt = [Segmentation.from_boundaries(gold[1:].tolist(), 30) for gold in golds]
    first, second = (trained(name, features, found) for found in (golds, golds_spelt))
    sentences = ["“So.”", "And?"] * 15
    for text in features:
        one = first.boundaries(text, text=sentences).tolist()
        assert second.boundaries(text, text=Text(sentences)).tolist() == one


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("breaks", [False, True])
def test_one_answer_in_training_is_the_answer(name, breaks):
    features, _ = slow.made_up(2, texts=3, sentences=10)
    golds = [np.arange(10) if breaks else np.array([0])] * 3
    method = trained(name, features, golds)
    if name != "quotes":
        found = [method.boundaries(text).tolist() for text in features]
        assert found == [list(range(10)) if breaks else [0]] * 3


@pytest.mark.parametrize("name", NAMES)
def test_texts_of_no_and_of_one_sentence_are_trained_on_and_segmented(name):
    features, golds = slow.made_up(2, texts=2, sentences=10)
    short = [slow.bare(0), slow.bare(1)]
    method = trained(name, [*short, *features], [np.array([]), np.array([0]), *golds])
    assert [put(method, text) for text in short] == [[], [0]]
    method = trained(name, short, [np.array([]), np.array([0])])
    assert [put(method, text) for text in short] == [[], [0]]
    if method.probable:
        assert [method.confidence(text).tolist() for text in short] == [[], [1.0]]


@pytest.mark.parametrize("name", NAMES)
def test_columns_that_training_did_not_know_count_nothing(name):
    features, golds = slow.made_up(6, texts=3, sentences=20)
    method = trained(name, features, golds)
    rng = np.random.default_rng(0)
    matrix = np.where(rng.random((12, 30)) < 0.3, rng.normal(size=(12, 30)), 0.0)
    # Behind the features of edges, which have the numbers from 30 on.
    more = np.concatenate([matrix, np.zeros((12, 20)), rng.normal(size=(12, 4))], axis=1)
    known, beyond = (type(features[0])(slow.rows_of(found), [], 20) for found in (matrix, more))
    sentences = ["“So.”", "And?"] * 6
    found = method.boundaries(known, text=sentences).tolist()
    assert method.boundaries(beyond, text=sentences).tolist() == found


@pytest.mark.parametrize("name", NAMES)
def test_golds_that_are_none_are_refused(name):
    features, golds = slow.made_up(6, texts=2, sentences=5)
    method = make_method(name)
    with pytest.raises(InputError, match="2 texts and 1 golds"):
        method.fit(features, golds[:1])
    with pytest.raises(InputError, match="no text to learn from"):
        method.fit([], [])
    for wrong in ([1, 2], [0, 5], [0, 2, 2], [0.0, 1.5], []):
        with pytest.raises(InputError, match=r"text 1 of 5 sentences has the paragraph starts"):
            method.fit(features, [golds[0], np.array(wrong)])
    # Its starts would fit, but the paragraphs end before the text does.
    with pytest.raises(InputError, match=r"^text 1: paragraphs over 4 sentences, but it has 5"):
        method.fit(features, [golds[0], Segmentation([2, 2])])


@pytest.mark.parametrize("name", NAMES)
def test_probabilities_agree_with_what_is_independent(name):
    features, golds = slow.made_up(8, texts=4)
    method = trained(name, features, golds)
    if not method.probable:
        with pytest.raises(OptionError, match=f"{name}.* without probabilities"):
            method.confidence(features[0])
        return
    found = method.confidence(features[0])
    assert found.shape == (features[0].n,)
    assert found[0] == 1.0
    assert ((found >= 0) & (found <= 1)).all()
    likely = np.flatnonzero(found > 0.5)
    decided = method.boundaries(features[0])
    assert len(np.setxor1d(likely, decided)) <= features[0].n // 10


def test_options_are_checked_and_told():
    assert method_options("boosting")["rounds"] == 200
    with pytest.raises(OptionError, match=r"no method 'boost'; did you mean 'boosting'\?"):
        make_method("boost")
    with pytest.raises(OptionError, match="'svm' has no option 'rounds'; its options: cost, "):
        make_method("svm", rounds=3)
    with pytest.raises(OptionError, match="'majority' has no option 'cost'; its options: none"):
        make_method("majority", cost=3)
    with pytest.raises(OptionError, match="cannot have"):
        make_method("svm", cost="much")
    wrong = [
        ("svm", {"cost": 0}),
        ("svm", {"passes": 0}),
        ("boosting", {"rounds": 0}),
        ("boosting", {"leaves": 1}),
        ("boosting", {"rate": 2.0}),
        ("crf", {"l2": -1.0}),
        ("crf", {"passes": 0}),
        ("semi-markov", {"solver": "magic"}),
        ("semi-markov", {"cost": -1.0}),
        ("max-margin-chain", {"passes": 0}),
    ]
    for name, options in wrong:
        with pytest.raises(OptionError, match=r"want"):
            make_method(name, **options)
        if METHODS[name].options:
            with pytest.raises(InputError, match="train it anew"):
                METHODS[name].from_parts(options, {})


@pytest.mark.parametrize("name", PACKAGES)
def test_a_missing_package_is_one_line_with_the_command_that_brings_it(name, monkeypatch):
    def nothing(module):
        raise ModuleNotFoundError(module)

    monkeypatch.setattr("importlib.import_module", nothing)
    features, golds = slow.made_up(1, texts=2, sentences=9)
    told = rf"training the method '{name}' needs .* pip install 'bitext\[paragraphs\]'"
    with pytest.raises(MissingExtraError, match=told):
        make_method(name).fit(features, golds)


def test_models_that_lack_something_are_refused():
    for name in ("svm", "crf", "semi-markov", "max-margin-chain"):
        with pytest.raises(InputError, match="lacks the array 'weights'"):
            METHODS[name].from_parts(make_method(name).chosen(), {})
    with pytest.raises(InputError, match="has no weights"):
        METHODS["svm"].from_parts({}, {"weights": np.zeros(0)})
    with pytest.raises(InputError, match=r"of the shape \(2, 2\)"):
        METHODS["crf"].from_parts({}, {"weights": np.zeros(3), "moves": np.zeros((3, 3))})
    with pytest.raises(InputError, match="lacks its four transitions"):
        METHODS["max-margin-chain"].from_parts({}, {"weights": np.zeros(3)})
    with pytest.raises(InputError, match="do not ascend"):
        METHODS["boosting"].from_parts({}, {"kept": np.array([3, 1])})
    with pytest.raises(InputError, match="whether it breaks"):
        METHODS["majority"].from_parts({}, {})


@pytest.mark.parametrize("name", LEARNING)
def test_an_offset_adds_to_the_score_of_each_boundary(name):
    features, golds = slow.made_up(5, texts=6)
    method = trained(name, features, golds)
    plain, starts = method.boundaries(features[0]), method.by_offset(features[0])
    assert np.array_equal(starts(0.0), plain)
    assert len(starts(-1e9)) < len(plain) < features[0].n
    assert starts(1e9).tolist() == [*range(features[0].n)]
    chances = method.confidence(features[0]) if method.probable else None
    method.offset = 1e9
    assert np.array_equal(method.boundaries(features[0]), starts(1e9))
    if chances is not None:
        assert (method.confidence(features[0]) >= chances).all()
