from __future__ import annotations

from itertools import takewhile

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext.align.sentences.lexical import Vocabulary
from bitext.align.sentences.lexical.cognates import cognates, similar_in_texts, similar_words
from bitext.align.sentences.lockstep import SimilarRequest, answers_to


def found(src, tgt):
    words = Vocabulary(src), Vocabulary(tgt)
    pairs = cognates(*words)
    return {
        (src[x], tgt[y]): chance
        for x, y, chance in zip(pairs.src, pairs.tgt, pairs.forward, strict=True)
    }


@pytest.mark.parametrize(
    ("src", "tgt"),
    [
        ("1957", "1957"),
        (",", ","),
        ("expedition", "expédition"),
        ("diplomáciai", "diplomatic"),
        ("москва", "moskva"),
        ("αθήνα", "athina"),
        ("parlament", "parlement"),
        ("विश्वविद्यालय", "विश्वबिद्यालय"),  # with vowel signs
    ],
)
def test_what_is_alike_is_linked(src, tgt):
    assert (src, tgt) in found([src, "etwas", "anderes"], ["autre", tgt, "chose"])


@pytest.mark.parametrize(
    ("src", "tgt"), [("haus", "maison"), ("der", "des"), ("1957", "1958"), ("ab", "abc")]
)
def test_what_is_not_alike_is_not(src, tgt):
    assert (src, tgt) not in found([src], [tgt])


def test_equal_words_are_surer_than_like_ones_and_rows_ascend():
    src, tgt = ["nation", "nationen", ","], ["nations", "nation", ","]
    chances = found(src, tgt)
    assert chances["nation", "nation"] == 0.5 > chances["nation", "nations"] > 0
    pairs = cognates(Vocabulary(src), Vocabulary(tgt))
    keys = pairs.src.astype(int) * 10 + pairs.tgt
    assert (keys[1:] > keys[:-1]).all()
    assert pairs.known_src[0] > pairs.known_src[2] > 0  # an equal mark may be an accident


def test_an_equal_word_with_vowel_signs_is_as_sure_as_another():
    src, tgt = Vocabulary(["मानवाधिकार", "etwas"]), Vocabulary(["autre", "मानवाधिकार"])
    assert cognates(src, tgt).known_src[0] == pytest.approx(0.7)


def test_the_more_alike_words_are_the_more_they_are_believed():
    src, tgt = ["finland", "iceland", "expedition"], ["finnland", "island", "expédition"]
    chances = found(src, tgt)
    near, far = chances["finland", "finnland"], chances["iceland", "island"]
    assert 0.5 == chances["expedition", "expédition"] > near > 2 * far > 0
    pairs = cognates(Vocabulary(src), Vocabulary(tgt))
    assert pairs.known_src[2] == pytest.approx(0.7)  # an accent makes no other word


def test_short_equal_words_of_the_script_of_both_texts_are_no_links():
    assert found(["o", "casa", "hat", "40"], ["o", "hat", "dom", "40"]) == {("40", "40"): 0.5}
    assert found(["на", "дом", "тело"], ["на", "тело", "куќа"]) == {("тело", "тело"): 0.5}
    # In other scripts they are names and terms; ideographs mean the same in both languages.
    assert ("apt", "apt") in found(["apt", "runs"], ["apt", "работает", "тут"])
    assert ("人", "人") in found(["人", "家"], ["人", "山"])
    # Words that are common tell the script, however many names and terms there are.
    words = Vocabulary(["the", "apt", "runs"]), Vocabulary(["apt", "это", "debian", "linux"])
    shares = np.array([0.9, 0.1, 0.1]), np.array([0.1, 0.8, 0.1, 0.1])
    assert [len(cognates(*words, shares=held).src) for held in (None, shares)] == [0, 1]


def pairs_of_letters(word):
    return {first + second for first, second in zip("<" + word, word + ">", strict=True)}


def likeness(one, other):
    """Dice of pairs of letters, or the common beginning, as the module says."""
    shared = pairs_of_letters(one) & pairs_of_letters(other)
    dice = 2 * len(shared) / (len(one) + len(other) + 2)
    same = takewhile(lambda both: both[0] == both[1], zip(one, other, strict=False))
    begun = len(list(same))
    return max(dice, begun / max(len(one), len(other))) if dice >= 0.5 else 0.0


words = st.lists(st.text("abé", min_size=4, max_size=9), unique=True, max_size=6)


@given(words, words)
def test_how_alike_words_are(src, tgt):
    chances = found(src, tgt)
    plain = {word: word.replace("é", "e") for word in (*src, *tgt)}
    for (one, other), chance in chances.items():
        alike = 1.0 if one == other else likeness(plain[one], plain[other])
        assert chance == pytest.approx(0.5 * (max(min(alike, 1.0) - 0.5, 0.0) / 0.5) ** 2.5)
    for one in src:
        for other in tgt:
            near = likeness(plain[one], plain[other]) >= 0.55
            if near and plain[one][:3] == plain[other][:3] and not {one, other} & {*src} & {*tgt}:
                assert (one, other) in chances


_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_FIVE, _SEVEN = (st.text(_LETTERS, min_size=size, max_size=size) for size in (5, 7))


@given(st.lists(st.tuples(_SEVEN, _FIVE, _FIVE), min_size=1, max_size=8))
def test_words_that_are_just_alike_enough(parts):
    """Half of the pairs of letters are equal, some of them with one bit in a set of 64."""
    for begin, end, other_end in parts:
        one, other = begin + end, begin + other_end
        near = likeness(one, other)  # words with few different letters are less alike
        if one != other and near >= 0.55:
            wanted = 0.5 * ((min(near, 1.0) - 0.5) / 0.5) ** 2.5
            assert found([one], [other])[one, other] == pytest.approx(wanted)


def test_long_words_differ_within_what_is_looked_at():
    assert found(["x" * 3000], ["y" * 3000]) == {}
    assert found([], ["word"]) == {}
    assert found(["word"], []) == {}


_STEMS = ["nation", "natür", "expedit", "parlament", "москв", "kommission", "ab", "1957"]


@pytest.mark.parametrize("most", [1 << 20, 3])
def test_words_of_several_texts_are_compared_as_those_of_each(most):
    """With more common trigrams than may be compared, each text is compared by itself."""
    rng = np.random.default_rng(8)

    def words(ends):
        stems, endings = rng.choice(_STEMS, 40), rng.choice(ends, 40)
        return Vocabulary([a + b for a, b in zip(stems, endings, strict=True)])

    for _ in range(5):
        texts = [(words(["", "al", "en", "ион"]), words(["e", "al", "aux"])) for _ in range(5)]
        texts.append((Vocabulary(), words(["e"])))
        expected = [similar_words(*text) for text in texts]
        assert sum(len(one.src) for one in expected) > 100
        requests = {3 * k: SimilarRequest(*text) for k, text in enumerate(texts)}
        for found in (
            similar_in_texts(texts, most=most),
            similar_in_texts(texts[:1], most=most),
            list(answers_to(requests).values()),
        ):
            for one, other in zip(found, expected, strict=False):
                for mine, theirs in zip(one, other, strict=True):
                    assert mine.tolist() == theirs.tolist()
        for text, one in zip(texts, expected, strict=True):
            for mine, theirs in zip(cognates(*text, similar=one), cognates(*text), strict=True):
                assert mine.tolist() == theirs.tolist()
