"""The n-gram model: probabilities that sum to 1 and are those of the definition."""

from math import log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext.align.words.ngram_model import NgramModel
from bitext.errors import InputError, OptionError
from reference import ngram_slow as slow

TEXTS = st.lists(st.lists(st.sampled_from("abcd"), max_size=5), min_size=1, max_size=5)


@given(TEXTS, st.lists(st.sampled_from("abcdx"), max_size=4), st.integers(1, 4))
def test_probabilities_are_those_of_the_definition(sentences, asked, order):
    model, reference = NgramModel(sentences, order=order), slow.KneserNey(sentences, order)
    padded = [slow.BEGIN] * (order - 1) + asked
    expected = [
        reference.probability(word, padded[k : k + order - 1])
        for k, word in enumerate([*asked, slow.END])
    ]
    found = [model.probability(word, asked[:k]) for k, word in enumerate([*asked, ""])]
    assert found == pytest.approx(expected)
    assert model.log2([asked]) == pytest.approx([sum(map(log2, expected))])
    assert model.per_word([asked]) == pytest.approx([sum(map(log2, expected)) / (len(asked) + 1)])


@given(TEXTS, st.lists(st.sampled_from("abcdx"), max_size=3), st.integers(1, 4))
def test_the_probabilities_after_any_history_sum_to_1(sentences, history, order):
    model = NgramModel(sentences, order=order)
    known = {word for words in sentences for word in words}
    assert len(known) == model.words
    total = sum(model.probability(word, history) for word in [*known, "", "unknown"])
    assert total == pytest.approx(1)


def test_a_worked_value():
    # a b, a c, d b: of order 2. (a b), (a c), (d b) occur once, (begin a), (b end) twice,
    # (begin d), (c end) once: D = 5 / (5 + 4) = 5/9. Left neighbours: a 1, b 2, c 1, d 1, end 2,
    # of 7: D = 3 / (3 + 4) = 3/7 for single words, which are 5, and P_0 = 1/6.
    # P_1(b) = (2 - 3/7 + 3/7 * 5 / 6) / 7; P_2(b | a) = (1 - 5/9 + 5/9 * 2 * P_1(b)) / 2.
    model = NgramModel([["a", "b"], ["a", "c"], ["d", "b"]], order=2)
    single = (2 - 3 / 7 + 3 / 7 * 5 / 6) / 7
    assert model.probability("b", ["x"]) == pytest.approx(single)
    assert model.probability("b", ["a"]) == pytest.approx((1 - 5 / 9 + 10 / 9 * single) / 2)


def test_letters_are_folded_unless_told():
    upper = [["The", "ferry"]]
    assert NgramModel(upper).log2([["the", "FERRY"]]) == NgramModel(upper).log2(upper)
    exact = NgramModel(upper, fold=str)
    assert exact.log2([["the", "FERRY"]])[0] < exact.log2(upper)[0]


def test_a_stream_is_read_once_and_in_batches():
    sentences = [["a", "b"], ["b"], [], ["c", "a", "b"], ["a"]]
    whole = NgramModel(sentences).log2(sentences)
    assert NgramModel(iter(sentences)).log2(iter(sentences)) == whole
    # More than the 10,000 sentences of a batch, with words that are new in the second.
    many = [["a", "b"]] * 10_001 + sentences
    model, turned = NgramModel(iter(many)), NgramModel(many[::-1])
    assert model.log2(iter(many))[-5:] == model.log2(sentences) == turned.log2(sentences)
    assert NgramModel(sentences).log2([]) == []


def test_what_was_seen_is_likelier():
    model = NgramModel([["a", "ferry", "caught", "fire"], ["the", "ferry", "burns"]])
    seen, mixed, turned = model.per_word(
        [["the", "ferry", "burns"], ["a", "ferry", "burns"], ["burns", "ferry", "a"]]
    )
    assert seen > mixed > turned


def test_no_text_and_no_order_are_refused():
    with pytest.raises(InputError, match="has no sentence to learn from: give it some text"):
        NgramModel([])
    with pytest.raises(OptionError, match="an n-gram model of order 0: want 1 or more"):
        NgramModel([["a"]], order=0)


def test_lines_of_text_are_taken_apart():
    model = NgramModel.of_lines(["It's on fire.\n", "\n", "The ferry isn't.\n"])
    words = [["It", "'s", "on", "fire", "."], ["The", "ferry", "is", "n't", "."]]
    assert model.log2(words) == NgramModel(words).log2(words)
    assert model.words == 9
