"""The segmenter as people use it: options, learning, files, and what they may give it."""

import importlib.util
import re
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from bitext.errors import FormatError, InputError, OptionError
from bitext.model import Segmentation, Text
from bitext.segment import model_files as shipped
from bitext.segment.features.groups import PRESETS
from bitext.segment.model_files import export_model, import_model
from bitext.segment.segmenter import METHODS, ParagraphSegmenter
from bitext.segment.training import MaxMarginChain, SemiMarkov, load_state, save_state

SPEECH = ["“Who is there?” she asked.", "“Only me.”", "“Come in, then.”"]
STORY = ["The door stood open.", "Rain fell on the steps.", "It was late.", "No lamp was lit."]


def draw(seed, size=60):
    """A chapter in which speech stands by itself and narration runs on."""
    rng = np.random.default_rng(seed)
    sentences, masses = [], []
    while len(sentences) < size:
        if rng.random() < 0.5:
            new = [SPEECH[rng.integers(3)]]
        else:
            new = [STORY[k] for k in rng.integers(4, size=rng.integers(1, 6))]
            if masses and masses[-1] and not sentences[-1].startswith("“"):
                masses[-1] += len(new)
                sentences += new
                continue
        sentences += new
        masses.append(len(new))
    return Text(sentences, name=f"chapter {seed}", paragraphs=Segmentation(masses))


@pytest.fixture(scope="module")
def texts():
    return [draw(seed) for seed in range(4)]


@pytest.fixture(scope="module")
def fitted(texts):
    return ParagraphSegmenter(cost=1.0, tolerance=0.03).fit(texts)


def test_what_is_plain_is_learned(fitted, texts):
    unseen = draw(99)
    assert fitted.score(texts) == 1.0
    assert fitted.score([unseen]) > 0.95
    assert fitted.predict(unseen) == next(fitted.predict_many([list(unseen.segments())]))
    assert fitted.notes_ == ()
    assert fitted.longest_ == 30
    assert fitted.card_["texts"] == 4
    assert fitted.card_["training"]["solver"] == "cutting-plane"


def test_confidence_goes_with_the_answer(fitted):
    unseen = draw(98)
    chances = fitted.confidence(unseen)
    starts = np.zeros(len(unseen), dtype=bool)
    starts[[0, *fitted.predict(unseen).boundaries]] = True
    assert chances.shape == (len(unseen),)
    assert chances[0] == 1.0
    assert chances[starts].min() > chances[~starts].max()


def test_options_are_kept_as_they_are_given():
    segmenter = ParagraphSegmenter("svm", cost=2.0, seed=3)
    options = segmenter.get_params()
    assert options["cost"] == 2.0
    assert ParagraphSegmenter(**options).get_params() == options
    assert segmenter.set_params(cost=1.0) is segmenter
    assert segmenter.get_params(deep=False)["cost"] == 1.0
    assert repr(segmenter) == "ParagraphSegmenter(method='svm', cost=1.0, seed=3)"
    with pytest.raises(OptionError, match="no option 'kost'"):
        segmenter.set_params(kost=1)


@pytest.mark.skipif(not importlib.util.find_spec("sklearn"), reason="scikit-learn is not installed")
def test_it_can_be_cloned():
    from sklearn.base import clone

    copy = clone(ParagraphSegmenter(cost=2.0, features=PRESETS["paper"]))
    assert copy.get_params()["cost"] == 2.0


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"method": "semimarkov"}, "semimarkov"),
        ({"features": "papr"}, "no features 'papr'; did you mean 'paper'"),
        ({"solver": "x"}, "solver 'x' is not known"),
        ({"cost": -1}, "the cost is -1"),
        ({"cost": "much"}, "the cost is 'much': want a number above 0"),
        ({"longest": 0}, "the longest paragraph is 0: want 1 to 1,000 sentences"),
        ({"longest": 1001}, "the longest paragraph is 1001: want 1 to"),
        ({"longest": 2.5}, "the longest paragraph is 2.5"),
        ({"passes": 1.5}, "there are 1.5 passes: want a whole number"),
        ({"seed": 1.5}, "the seed is 1.5: want a whole number"),
        ({"method": "svm", "seed": -1}, "the seed is -1: want a whole number, 0 to 4,294,967,295"),
        ({"method": "boosting", "seed": 2**32}, "the seed is 4294967296: want a whole number"),
        ({"method": "svm", "cost": float("inf")}, "the cost is inf: want a number above 0"),
        ({"offset": "much"}, "the offset is 'much'"),
        ({"offset": float("nan")}, "the offset is nan"),
        ({"offset": "tuned"}, "give held-out texts"),
        ({"method": "majority", "offset": 1.0}, "the method 'majority' has no offset"),
        ({"method": "majority", "tune": True}, "the method 'majority' has nothing to tune"),
        ({"tune": True, "cost": 1.0}, "the cost and the offset are to be tuned: give neither"),
    ],
)
def test_options_are_checked_when_it_learns(options, told, texts):
    segmenter = ParagraphSegmenter(**options)
    with pytest.raises(OptionError, match=told):
        segmenter.fit(texts[:1])


def test_a_model_is_saved_and_loaded(fitted, tmp_path):
    fitted.save(tmp_path / "model.npz")
    loaded = ParagraphSegmenter.load(tmp_path / "model.npz")
    unseen = draw(97)
    assert loaded.predict(unseen) == fitted.predict(unseen)
    assert loaded.confidence(unseen).tolist() == fitted.confidence(unseen).tolist()
    assert loaded.get_params() == fitted.get_params()
    assert loaded.card_ == fitted.card_
    loaded.save(tmp_path / "again.npz")
    assert (tmp_path / "again.npz").read_bytes() == (tmp_path / "model.npz").read_bytes()
    export_model(tmp_path / "model.tsv", fitted.to_parts(), fitted.features_.names())
    read = ParagraphSegmenter.from_parts(import_model(tmp_path / "model.tsv"))
    assert read.weights_.tobytes() == fitted.weights_.tobytes()
    assert read.predict(unseen) == fitted.predict(unseen)


@pytest.mark.parametrize("name", ["model.tsv", "model.json"])
def test_weights_beside_the_names_of_others_are_refused(name, fitted, tmp_path):
    parts, names = fitted.to_parts(), fitted.features_.names()
    export_model(tmp_path / name, parts, [*names[1:], names[0]])  # as lines that were sorted
    told = f"weight 1 is that of {names[1]!r}, and the feature there is {names[0]!r}"
    with pytest.raises(FormatError, match=re.escape(told)):
        ParagraphSegmenter.from_parts(import_model(tmp_path / name))


@pytest.mark.parametrize("method", ["majority", "quotes", "max-margin-chain"])
def test_other_methods_go_the_same_way(method, texts, tmp_path):
    segmenter = ParagraphSegmenter(method, tolerance=0.03).fit(texts[:2])
    segmenter.save(tmp_path / "model.npz")
    loaded = ParagraphSegmenter.load(tmp_path / "model.npz")
    unseen = draw(96)
    assert loaded.predict(unseen) == segmenter.predict(unseen)
    assert 0 <= segmenter.score([unseen]) <= 1 or method == "majority"
    if method not in {"majority", "quotes", "svm"}:
        chances = loaded.confidence(unseen)
        assert chances.shape == (len(unseen),)
        assert chances[0] == 1.0
        assert ((chances >= 0) & (chances <= 1)).all()
    else:
        with pytest.raises(OptionError, match=f"'{method}' decides without probabilities"):
            loaded.confidence(unseen)


def test_options_of_features_come_back(texts, tmp_path):
    segmenter = ParagraphSegmenter(features=PRESETS["paper"], passes=5).fit(texts[:1])
    segmenter.save(tmp_path / "model.npz")
    assert ParagraphSegmenter.load(tmp_path / "model.npz").features == PRESETS["paper"]


def test_parts_that_do_not_fit_are_told(fitted, tmp_path):
    path = tmp_path / "model.npz"
    parts = fitted.to_parts()
    parts.arrays["method.weights"] = parts.arrays["method.weights"][:-1]
    with pytest.raises(FormatError, match=r"want \d+ weights, one a feature: the model is dam"):
        ParagraphSegmenter.from_parts(parts, name=str(path))
    parts = fitted.to_parts()
    parts.settings["longest"] = None
    with pytest.raises(FormatError, match=r"model\.npz: the longest paragraph"):
        ParagraphSegmenter.from_parts(parts, name=str(path))
    parts = fitted.to_parts()
    parts.arrays["method.weights"] = parts.arrays["method.weights"] * np.nan
    with pytest.raises(FormatError, match="a weight is not finite"):
        ParagraphSegmenter.from_parts(parts)
    parts = fitted.to_parts()
    parts.features.clear()
    with pytest.raises(FormatError, match="its features cannot be read"):
        ParagraphSegmenter.from_parts(parts)


@pytest.mark.parametrize(
    ("key", "value", "told"),
    [
        ("breaks", 1, "the longest paragraph or the breaks are missing from its settings"),
        ("offset", None, "the offset is missing from its settings"),
        ("offset", float("nan"), "the offset is missing from its settings"),
        ("longest", 31, "its longest paragraph is 31, its features' 30"),
        ("longest", 10**9, "its longest paragraph is 1000000000: want 1,000 at most"),
    ],
)
def test_settings_that_do_not_fit_are_told(fitted, key, value, told):
    parts = fitted.to_parts()
    parts.settings[key] = value
    with pytest.raises(FormatError, match=told):
        ParagraphSegmenter.from_parts(parts)


def test_methods_that_do_not_fit_are_told(texts):
    parts = ParagraphSegmenter("majority").fit(texts[:1]).to_parts()
    with pytest.raises(FormatError, match="its method 'oracle' is none of: majority, "):
        ParagraphSegmenter.from_parts(replace(parts, method="oracle"))
    with pytest.raises(FormatError, match="the model is dam"):
        ParagraphSegmenter.from_parts(replace(parts, method="svm"))


def test_training_goes_on_where_it_stopped(texts, tmp_path):
    def keep(report):
        if report.number == 3:
            save_state(tmp_path / "state.npz", report.state())

    options = {"solver": "bcfw", "cost": 0.1, "tolerance": 0.0}
    whole = ParagraphSegmenter(passes=6, **options).fit(texts)
    ParagraphSegmenter(passes=4, **options).fit(texts, on_pass=keep)
    rest = ParagraphSegmenter(passes=6, **options).fit(
        texts, state=load_state(tmp_path / "state.npz")
    )
    assert rest.weights_.tobytes() == whole.weights_.tobytes()


def test_the_offset_is_tuned_on_texts_held_out(texts):
    plain = ParagraphSegmenter(cost=1e-4, passes=9).fit(texts)
    tuned = ParagraphSegmenter(cost=1e-4, passes=9, offset="tuned").fit(texts, held_out=[draw(50)])
    assert tuned.offset_ != 0.0
    assert tuned.score([draw(50)]) == pytest.approx(tuned.card_["offset"]["f1"])
    assert tuned.score([draw(50)]) > plain.score([draw(50)])
    assert plain.set_params(offset=100.0).fit(texts).predict(texts[0]).bits().count("0") == 0


def test_cost_and_offset_are_tuned_on_books_held_out_in_turn(texts, tmp_path, monkeypatch):
    monkeypatch.setattr(MaxMarginChain, "tuned", ("cost", (1e-4, 0.1)))
    tuned = ParagraphSegmenter("max-margin-chain", passes=3, tune=True)
    tuned.fit(texts, groups=["a", "a", "b", "c"])
    choice = tuned.card_["tuning"]
    assert choice["folds"] == [["a"], ["b"], ["c"]]
    assert [value for value, _, _ in choice["tried"]] == [1e-4, 0.1]
    assert choice["f1"] == max(f1 for _, _, f1 in choice["tried"])
    assert tuned.method_.cost == choice["value"]
    assert tuned.method_.offset == tuned.offset_ == choice["offset"]
    tuned.save(tmp_path / "m.npz")
    assert ParagraphSegmenter.load(tmp_path / "m.npz").method_.offset == choice["offset"]
    # The F1 told is that of models of the other books, with the offset that was chosen.
    hyps = []
    for book in ([0, 1], [2], [3]):
        others = [text for k, text in enumerate(texts) if k not in book]
        model = ParagraphSegmenter(
            "max-margin-chain", passes=3, cost=choice["value"], offset=choice["offset"]
        )
        hyps += list(model.fit(others).predict_many([texts[k] for k in book]))
    hits = sum(
        np.isin(h.boundaries, t.paragraphs.boundaries).sum()
        for h, t in zip(hyps, texts, strict=True)
    )
    total = sum(
        len(h.boundaries) + len(t.paragraphs.boundaries) for h, t in zip(hyps, texts, strict=True)
    )
    assert choice["f1"] == pytest.approx(2 * hits / total)


def test_tuning_on_told_texts_learns_from_the_others_only(texts, monkeypatch):
    monkeypatch.setattr(SemiMarkov, "tuned", ("cost", (1e-4, 0.1)))
    tuned = ParagraphSegmenter(passes=3, tune=True).fit(texts[:2], held_out=texts[2:])
    choice = tuned.card_["tuning"]
    assert choice["folds"] == []
    assert tuned.score(texts[2:]) == pytest.approx(choice["f1"])
    plain = ParagraphSegmenter(passes=3, cost=choice["value"], offset=choice["offset"])
    assert plain.fit(texts[:2]).weights_.tobytes() == tuned.weights_.tobytes()


def test_one_text_cannot_be_tuned_on(texts):
    with pytest.raises(OptionError, match="there is one book to tune on: give held-out texts"):
        ParagraphSegmenter(tune=True).fit(texts[:1])
    with pytest.raises(InputError, match="1 groups for 2 texts"):
        ParagraphSegmenter(tune=True).fit(texts[:2], groups=["a"])


def test_texts_without_a_break_teach_to_put_none(tmp_path):
    whole = Text(STORY * 20, paragraphs=Segmentation([80]))
    segmenter = ParagraphSegmenter().fit([whole])
    assert segmenter.notes_ == ("no training text has a break: the model will put none",)
    assert list(segmenter.predict(STORY * 100)) == [400]
    assert segmenter.confidence(STORY).tolist() == [1.0, 0.0, 0.0, 0.0]
    assert np.isnan(segmenter.score([whole]))
    segmenter.save(tmp_path / "model.npz")
    assert list(ParagraphSegmenter.load(tmp_path / "model.npz").predict(STORY * 100)) == [400]


@pytest.mark.parametrize("method", [name for name in METHODS if METHODS[name].learns])
def test_so_do_they_whatever_the_method(method, tmp_path):
    segmenter = ParagraphSegmenter(method).fit([Text(STORY, paragraphs=Segmentation([4]))])
    segmenter.save(tmp_path / "model.npz")
    assert list(ParagraphSegmenter.load(tmp_path / "model.npz").predict(SPEECH)) == [3]


@pytest.mark.parametrize("method", ["semi-markov", "max-margin-chain"])
def test_gold_paragraphs_that_are_cut_are_noted(method):
    text = Text(STORY * 2, name="Emma", paragraphs=Segmentation([6, 2]))
    (note,) = ParagraphSegmenter(method, longest=4).fit([text]).notes_
    assert note.startswith("Emma: 1 gold paragraphs have more than 4 sentences")


def test_texts_that_cannot_be_learned_from(texts):
    segmenter = ParagraphSegmenter()
    with pytest.raises(InputError, match="Emma has no paragraphs"):
        segmenter.fit([texts[0], Text(["A.", "B."], name="Emma")])
    with pytest.raises(InputError, match="text 1 has no paragraphs"):
        segmenter.fit([texts[0], Text(["A.", "B."])])
    for nothing in ([], [Text([])]):
        with pytest.raises(InputError, match="there is no sentence in the texts"):
            segmenter.fit(nothing)
    with pytest.raises(InputError, match="want a list of texts"):
        segmenter.fit(texts[0])
    with pytest.raises(InputError, match="text 0 is a list"):
        segmenter.fit([["A.", "B."]])
    with pytest.raises(InputError, match="the segmenter has learned nothing yet"):
        segmenter.predict(["A."])
    with pytest.raises(InputError, match="the segmenter has learned nothing yet"):
        segmenter.save("nowhere.npz")


def test_one_sentence_and_none(fitted, texts):
    assert list(fitted.predict(["Only this."])) == [1]
    assert list(fitted.predict([""])) == [1]
    assert fitted.confidence(["Only this."]).tolist() == [1.0]
    assert fitted.confidence([]).tolist() == []
    with pytest.raises(InputError, match="the text has no sentence"):
        fitted.predict([])
    with pytest.raises(InputError, match="list of segments, not of one string"):
        fitted.predict("One string. Of two.")
    one = Text(["Only this."], paragraphs=Segmentation([1]))
    assert list(ParagraphSegmenter(passes=3).fit([one, texts[0]]).predict(["A."])) == [1]
    assert list(ParagraphSegmenter().fit([one]).predict(["A.", "B."])) == [2]


def test_very_long_sentences_are_sentences(fitted):
    long = "He went on and on, " * 5300
    assert fitted.predict([*SPEECH, long, *STORY]).n == 8


def test_models_are_found_by_language(monkeypatch, tmp_path, fitted):
    monkeypatch.setattr(shipped, "shipped_models", partial(shipped.shipped_models, tmp_path))
    with pytest.raises(OptionError, match="no model of the language 'en' ships; there are: none"):
        ParagraphSegmenter.load("en")
    for name in ("en", "de", "de-AT"):
        fitted.save(tmp_path / f"{name}.npz")
    assert sorted(shipped.shipped_models()) == ["de", "de-AT", "en"]
    found = {code: shipped.model_path(code).stem for code in ("en", "EN_gb", "de-at", "de-CH-1996")}
    assert found == {"en": "en", "EN_gb": "en", "de-at": "de-AT", "de-CH-1996": "de"}
    assert ParagraphSegmenter.load("en-GB").longest_ == fitted.longest_
    with pytest.raises(OptionError, match="'fr' ships; there are: de-AT, de, en"):
        ParagraphSegmenter.load("fr")
    with pytest.raises(FileNotFoundError):
        ParagraphSegmenter.load("./en")


def test_a_file_whose_name_begins_as_a_code_is_the_model(monkeypatch, tmp_path, fitted):
    monkeypatch.setattr(shipped, "shipped_models", partial(shipped.shipped_models, tmp_path))
    monkeypatch.chdir(tmp_path)
    for name in ("en.npz", "en_novels", "fr", "en"):
        fitted.save(name)
    found = {name: str(shipped.model_path(name)) for name in ("en_novels", "fr")}
    assert found == {"en_novels": "en_novels", "fr": "fr"}
    assert shipped.model_path("en").name == "en.npz"  # the file is ./en
    assert shipped.model_path("en_novels", files=False).name == "en.npz"


def test_the_models_that_ship_are_read():
    for code in shipped.shipped_models():
        model = ParagraphSegmenter.load(code)
        assert model.predict([*STORY, *SPEECH]).n == 7
