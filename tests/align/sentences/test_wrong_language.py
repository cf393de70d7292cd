"""Texts in the language of the other side of their corpus are found."""

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext.align.sentences import aligner_of
from bitext.align.sentences.lexical import Vocabulary, words_of
from bitext.align.sentences.relatedness import (
    CorpusLanguages,
    LanguageWords,
    WrongLanguageSides,
    frequent_words,
    share_is_known,
    source_log_odds,
    wrong_language_in,
    wrong_language_sides,
)
from bitext.align.sentences.texts import SentencePair
from bitext.model import Text
from reference.translated_texts import sentences

AS_GIVEN, BOTH = WrongLanguageSides(src=False, tgt=False), WrongLanguageSides(src=True, tgt=True)


def corpus(count, turned=(), same=(), size=12):
    words = Vocabulary(), Vocabulary()
    pairs = []
    for k in range(count):
        both = sentences(size, seed=k)
        src, tgt = [a for a, _ in both], [b for _, b in both]
        if k in turned:
            src, tgt = tgt, src
        if k in same:
            tgt = src
        pairs.append(SentencePair(Text(src), Text(tgt), vocabularies=words))
    return pairs


def test_nothing_is_told_of_texts_as_they_should_be():
    assert wrong_language_sides(corpus(6)) == [AS_GIVEN] * 6
    assert wrong_language_sides(corpus(1)) == [AS_GIVEN]
    assert wrong_language_sides([]) == []


@pytest.mark.parametrize("turned", [{0}, {3}, {1, 4}])
def test_exchanged_pairs(turned):
    found = wrong_language_sides(corpus(6, turned))
    assert [k for k, sides in enumerate(found) if sides == BOTH] == sorted(turned)
    assert found.count(AS_GIVEN) == 6 - len(turned)


def test_of_two_pairs_the_first_tells():
    for turned in ({0}, {1}):
        assert wrong_language_sides(corpus(2, turned)) == [AS_GIVEN, BOTH]


def test_both_texts_in_one_language():
    found = wrong_language_sides(corpus(5, turned={3}, same={1, 3}))
    assert found[1] == WrongLanguageSides(src=False, tgt=True)
    assert found[3] == WrongLanguageSides(src=True, tgt=False)
    assert [found[k] for k in (0, 2, 4)] == [AS_GIVEN] * 3


def test_one_language_on_both_sides_of_a_corpus():
    assert wrong_language_sides(corpus(5, same=range(5))) == [AS_GIVEN] * 5


def test_texts_of_a_line_tell_nothing():
    assert wrong_language_sides(corpus(2, turned={1}, size=1)) == [AS_GIVEN] * 2


def test_a_pair_against_what_is_known():
    pairs = corpus(4)
    known = [
        LanguageWords(frequent_words(side, side.vocabulary.forms))
        for side in (pairs[0].src, pairs[0].tgt)
    ]
    src, tgt = (
        frequent_words(side, side.vocabulary.forms) for side in (pairs[1].src, pairs[1].tgt)
    )
    assert wrong_language_in((src, tgt), *known) == AS_GIVEN
    assert wrong_language_in((tgt, src), *known) == BOTH
    assert wrong_language_in((src, tgt), LanguageWords(), LanguageWords()) == AS_GIVEN


running_words = st.lists(st.sampled_from("abcdefgh1.") | st.just("the"), max_size=80).map(" ".join)
word_counts = st.dictionaries(st.sampled_from([*"abcdefgh1.", "the", "zz"]), st.integers(1, 90))


@given(running_words, running_words, word_counts, word_counts)
def test_a_pair_against_a_corpus_is_judged_by_the_rest_of_the_corpus(src, tgt, sources, targets):
    pair = SentencePair(Text([src]), Text([tgt]))
    sides = pair.src, pair.tgt
    texts = [frequent_words(side, side.vocabulary.forms) for side in sides]
    rests = []
    for side, counts in zip(sides, (sources, targets), strict=True):
        own = dict(zip(side.vocabulary.forms, [0] * len(side.vocabulary), strict=True))
        for k, n in zip(side.ids.tolist(), side.times.tolist(), strict=True):
            own[side.vocabulary.forms[k]] += n
        rests.append(LanguageWords(counts).without({w: n for w, n in own.items() if w in counts}))
    wanted = wrong_language_in((texts[0], texts[1]), rests[0], rests[1])
    assert CorpusLanguages(sources, targets).wrong_language(pair) == wanted


@given(running_words, st.sets(st.sampled_from([*"abcdefgh1.", "the"])), st.sampled_from([0.1, 0.9]))
def test_a_share_of_words_is_known(text, known, least):
    side = SentencePair(Text([text] * 3), Text([""])).src
    words = [word for word in words_of(text) if word[0].isalpha()] * 3
    share = sum(word in known for word in words) / max(len(words), 1)
    assert share_is_known(side, known, least) is (len(words) < 50 or share >= least)


def test_leaning_is_bounded_and_turns():
    rng = random.Random(2)
    words = {f"w{k}": rng.randint(1, 30) for k in range(60)}
    src, tgt = (LanguageWords({w: rng.randint(0, 50) for w in words}) for _ in range(2))
    assert -4 <= source_log_odds(words, src, tgt) <= 4
    assert source_log_odds(words, src, tgt) == pytest.approx(-source_log_odds(words, tgt, src))


counts = st.dictionaries(st.sampled_from("abcdef"), st.integers(1, 9))


@given(st.lists(counts, max_size=4), counts)
def test_words_of_a_language_without_those_of_a_text(texts, own):
    known, counted = LanguageWords(), Counter()
    for text in texts:
        known.add(text)
        counted += Counter(text)
    rest, left = known.without(own), counted - Counter(own)
    assert (known.total, rest.total) == (counted.total(), left.total())
    assert {word: rest[word] for word in "abcdef" if word in rest} == left
    assert {word: known[word] for word in known} == counted


def test_frequent_words_are_no_figures_and_marks():
    pair = SentencePair(Text(["12 dogs, 12 cats; dogs."]), Text([]))
    assert frequent_words(pair.src, pair.src.vocabulary.forms) == {"dogs": 2, "cats": 1}


def test_an_exchanged_pair_takes_nothing_from_the_others():
    """Its words are in both vocabularies: none of them is held to be its own translation."""
    words = [sentences(60, seed=k) for k in range(6)]
    texts = [(Text([a for a, _ in one]), Text([b for _, b in one])) for one in words]
    turned = [(b, a) if k == 2 else (a, b) for k, (a, b) in enumerate(texts)]
    aligner, plain = aligner_of(turned), aligner_of(texts[:2] + texts[3:])
    assert [k for k, side in enumerate(aligner.wrong_language) if side == BOTH] == [2]
    src, tgt = aligner.pairs[0].src.vocabulary.forms, aligner.pairs[0].tgt.vocabulary.forms
    lines = [line for a, _ in texts[:2] + texts[3:] for line in a.segments()]
    own = {word for line in lines for word in words_of(line)}
    linked, alone = (
        one.task.words.prior_links.known_src.nonzero()[0].tolist() for one in (aligner, plain)
    )
    known = {src[k] for k in linked}
    others = plain.pairs[0].src.vocabulary.forms
    assert known == {others[k] for k in alone}
    assert len((own & set(src) & set(tgt)) - known) > 100, "without that these were known, too"
