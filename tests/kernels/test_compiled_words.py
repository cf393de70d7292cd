"""Kernels that number words and count them in beads, compiled and run by Python.

Against Python's strings, and against numpy.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bitext.align.sentences.bead_types import letters_of
from bitext.align.sentences.lexical import Vocabulary, numbered, words_of
from bitext.align.sentences.lexical.cognates import similar_words
from bitext.align.sentences.lexical.repeated_beads import is_near_duplicate
from bitext.align.sentences.lexical.translation_model import (
    BeadPoints,
    WordFamilies,
    learn,
    learn_families,
)
from bitext.align.sentences.lexical.word_links import WordPairs
from bitext.align.sentences.texts import SentencePair
from bitext.kernels.compiled_words import (
    load_word_kernels,
    numbered_strings,
    plain_word_kernels,
    word_kernels,
)
from bitext.model import Text

# Few different characters make strings recur, and collide; blanks of several kinds, and characters
# that look like some; sentences of any characters beside these.
SENTENCES = st.lists(
    st.one_of(
        st.text("ab \t\n\u3000\u2028\u200b\u00a0\x1c\u4e00\U0001f600", max_size=12),
        st.text("aé1, .'`\u00bd", max_size=12),
        st.text("二百〇中12.,:aé\u0301²½３， _", max_size=12),
        st.text("二十アーあいฟก็\u0e48a1, ", max_size=12),
        st.text(st.characters(exclude_categories=()), max_size=8),
    ),
    max_size=12,
)


@pytest.fixture(scope="module", params=["plain", "compiled"])
def kernels(request):
    found = plain_word_kernels() if request.param == "plain" else load_word_kernels()
    if found is None:
        pytest.skip("numba is not installed (the extra `fast`)")
    return found


@given(SENTENCES)
def test_strings_between_blanks_are_those_of_split(kernels, sentences):
    run, sizes, strings = numbered_strings(kernels, sentences)
    strings = strings.split("\n")[:-1]
    wanted = [sentence.split() for sentence in sentences]
    assert sizes.tolist() == [*map(len, wanted)]
    assert [strings[k] for k in run.tolist()] == [one for each in wanted for one in each]
    assert strings == [*dict.fromkeys(one for each in wanted for one in each)]


@settings(max_examples=60)
@given(SENTENCES)
def test_words_and_lengths_are_the_same_either_way(kernels, sentences):
    with word_kernels.using(None):
        number, counts, words = numbered(sentences)
        letters = letters_of(sentences)
    with word_kernels.using(kernels):
        found = numbered(sentences)
        np.testing.assert_array_equal(letters_of(sentences), letters)
    assert [one.dtype for one in found[:2]] == [number.dtype, counts.dtype]
    np.testing.assert_array_equal(found[0], number)
    np.testing.assert_array_equal(found[1], counts)
    assert found[2] == words


@given(SENTENCES)
def test_words_of_sentences_together_are_those_of_each(kernels, sentences):
    with word_kernels.using(kernels):
        number, counts, words = numbered(sentences)
    wanted = [words_of(sentence) for sentence in sentences]
    assert [words[k] for k in number.tolist()] == [word for each in wanted for word in each]
    assert counts.tolist() == [*map(len, wanted)]
    assert words == [*dict.fromkeys(word for each in wanted for word in each)]


@given(SENTENCES, SENTENCES)
def test_the_words_of_texts_are_the_same_either_way(kernels, src, tgt):
    pairs = []
    for either in (None, kernels):
        with word_kernels.using(either):
            pairs.append(SentencePair(Text(src), Text(tgt)))
    for one, other in ((getattr(pair, side) for pair in pairs) for side in ("src", "tgt")):
        for name in ("letters", "words", "ptr", "ids", "times"):
            found, wanted = getattr(other, name), getattr(one, name)
            np.testing.assert_array_equal(found, wanted, strict=True)
        assert one.vocabulary.forms == other.vocabulary.forms


def test_many_different_strings_each_have_a_number(kernels):
    strings = [f"{k % 7}x{k}" for k in range(3000)]
    sentences = [" ".join(strings[k : k + 30]) for k in range(0, 3000, 15)]
    run, _, text = numbered_strings(kernels, sentences)
    assert (found := text.split("\n")[:-1]) == strings
    assert [found[k] for k in run.tolist()] == " ".join(sentences).split()


def bead_words(draw, beads, words):
    """Return the words of some beads, many of which repeat others."""
    texts = [sorted(draw.choice(words, draw.integers(0, 9), replace=False)) for _ in range(8)]
    chosen = [texts[k][: draw.integers(0, 10)] for k in draw.integers(0, 8, beads)]
    sizes = [len(one) for one in chosen]
    return np.repeat(np.arange(beads), sizes), np.array([w for one in chosen for w in one], int)


@settings(max_examples=40)
@given(st.integers(0, 2**32 - 1), st.integers(0, 60), st.integers(1, 24), st.integers(0, 3))
def test_beads_that_repeat_others_are_the_same_either_way(kernels, seed, beads, groups, rare):
    draw = np.random.default_rng(seed)
    src, tgt = (bead_words(draw, beads, 40) for _ in range(2))
    how = {"beads": beads, "groups": groups, "rare": rare, "times": 1 + seed % 3}
    with word_kernels.using(None):
        wanted = is_near_duplicate(src, tgt, **how)
    with word_kernels.using(kernels):
        found = is_near_duplicate(src, tgt, **how)
    np.testing.assert_array_equal(found, wanted)


def corpus_of(draw):
    """Return pairs of texts with common vocabularies, beads of up to three sentences, and hints."""
    letters = np.array(list("abcdefgh"))
    sizes = draw.integers(0, 9, (draw.integers(0, 4), 2))
    texts = [
        [
            Text([" ".join(draw.choice(letters, draw.integers(0, 7))) for _ in range(n)])
            for n in both
        ]
        for both in sizes
    ]
    pairs = SentencePair.several(texts, vocabularies=(words := (Vocabulary(), Vocabulary())))
    points = []
    for src, tgt in sizes:
        beads = 1 + max(src, tgt) // 2
        ends = [np.append(np.sort(draw.integers(0, n + 1, beads)), n) for n in (src, tgt)]
        points.append(BeadPoints(*ends))
    size = len(words[0]), len(words[1])
    hinted = np.flatnonzero(draw.random(size[0] * size[1]) < 0.1)
    chances = draw.random(len(hinted)), draw.random(len(hinted))
    known = np.divmod(hinted.astype(np.int32), max(size[1], 1))
    return pairs, points, WordPairs(*known, *chances, np.zeros(size[0]), np.zeros(size[1]))


@settings(max_examples=60)
@given(st.integers(0, 2**32 - 1), st.integers(1, 3), st.sampled_from([1, 20, 1 << 18]))
def test_translations_are_the_same_to_the_last_bit(kernels, seed, steps, at_once):
    pairs, points, prior = corpus_of(np.random.default_rng(seed))
    with word_kernels.using(None):
        wanted = learn(pairs, points, prior, steps=steps, at_once=at_once)
    with word_kernels.using(kernels):
        found = learn(pairs, points, prior, steps=steps, at_once=at_once)
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_array_equal(one, other, strict=True)


@settings(max_examples=30)
@given(st.integers(0, 2**32 - 1), st.integers(1, 3))
def test_families_are_the_same_to_the_last_bit(kernels, seed, steps):
    draw = np.random.default_rng(seed)
    pairs, points, prior = corpus_of(draw)
    sizes = len(prior.known_src), len(prior.known_tgt)
    # Each letter is a family of its own, or in one of three others.
    families = [WordFamilies(draw.integers(0, 3, size), 3) for size in sizes]
    given_words = [draw.random(size) for size in sizes], {"shares": [np.zeros(n) for n in sizes]}
    results = []
    for either in (None, kernels):
        with word_kernels.using(either):
            results.append(
                learn_families(
                    *(pairs, points, prior, families, given_words[0]),
                    **given_words[1],
                    steps=steps,
                    least=1.0,
                )
            )
    for of_numpy, of_kernels in zip(*results, strict=True):
        for one, other in zip(of_numpy, of_kernels, strict=True):
            np.testing.assert_array_equal(one, other, strict=True)


@settings(max_examples=60)
@given(*[st.lists(st.text("abcdé", min_size=3, max_size=7), unique=True, max_size=20)] * 2)
def test_similar_words_are_the_same_either_way(kernels, src, tgt):
    results = []
    for either in (None, kernels):
        with word_kernels.using(either):
            results.append(similar_words(Vocabulary(src), Vocabulary(tgt)))
    for one, other in zip(*results, strict=True):
        np.testing.assert_array_equal(one, other, strict=True)
