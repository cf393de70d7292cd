from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from bitext.align.sentences.lexical import Vocabulary, words_of
from bitext.align.sentences.texts import PairMemory, SentencePair
from bitext.errors import InputError
from bitext.model import Text


def test_words_and_lengths_are_those_of_the_sentences():
    sentences = ["a b a .", "", "東京 b", "c\u3000c c"]
    side = SentencePair(Text(sentences), Text(["x"])).src
    assert side.letters.tolist() == [5, 1, 7, 4]
    forms = side.vocabulary.forms
    for k, sentence in enumerate(sentences):
        mine = slice(side.ptr[k], side.ptr[k + 1])
        found = {
            forms[i]: n for i, n in zip(side.ids[mine].tolist(), side.times[mine], strict=True)
        }
        words = words_of(sentence)
        assert found == {word: words.count(word) for word in words}
        assert side.words[k] == len(words)
        assert (np.diff(side.ids[mine]) > 0).all()


def test_texts_of_more_sentences_than_are_cut_at_once():
    sentences = [f"word {k % 7}" for k in range(9000)]
    side = SentencePair(Text(sentences), Text([])).src
    assert len(side) == 9000
    assert np.diff(side.ptr).tolist() == [2] * 9000
    assert side.sentence[-1] == 8999


def test_a_corpus_shares_its_words():
    words = Vocabulary(), Vocabulary()
    SentencePair(Text(["a b"]), Text(["x"]), vocabularies=words)
    second = SentencePair(Text(["b"]), Text(["x y"]), vocabularies=words)
    assert second.src.ids.tolist() == [1]
    assert second.tgt.ids.tolist() == [0, 1]


def test_of_a_huge_sentence_some_words_are_kept():
    side = SentencePair(Text([" ".join(f"w{k}x" for k in range(5000))]), Text([])).src
    assert len(side.ids) == 2000
    assert side.words[0] > 3000


def test_the_words_that_a_huge_sentence_has_first_are_kept_whatever_others_there_are():
    words = ["".join(letters) for letters in product("bdfgklmnprst", "aeiou", "bdfgklmn", "aeiou")]
    words = [f"z{word}" for word in words] + words[:100]
    known = Vocabulary()
    known.numbers(words[::-1])
    side = SentencePair(
        Text([words[2400], " ".join(words), "a b"]), Text([]), vocabularies=(known, Vocabulary())
    ).src
    kept = {known.forms[k] for k in side.words_of(1, 2)[0].tolist()}
    assert len({*words}) == 2500
    assert kept == {*words[:2000]}
    assert [known.forms[k] for k in side.words_of(2, 3)[0].tolist()] == ["a", "b"]


def test_of_a_huge_sentence_the_beginning_counts():
    side = SentencePair(Text(["word " * 200_000, "word " * 4_000]), Text([])).src
    assert side.letters[0] == side.letters[1] == 16_001
    assert side.words.tolist() == side.times.tolist() == [4000, 4000]


def test_ids_alone_are_no_sentences():
    with pytest.raises(InputError, match="target text b is known by ids only: give its sentences"):
        SentencePair(Text(["a"]), Text.of_ids(["s1"], name="b"))


def test_lone_surrogates_count():
    assert SentencePair(Text(["a\ud800"]), Text([])).src.letters.tolist() == [4.5]


def test_several_texts_are_what_each_is_by_itself():
    """Wherever they are cut: after each 4,096 sentences of all texts."""
    rng = np.random.default_rng(2)
    pairs = [
        tuple(
            Text([" ".join(rng.choice(list("abcdefg"), 4)) for _ in range(size)]) for size in sizes
        )
        for sizes in ((3000, 2500), (0, 3), (7, 0), (4100, 40))
    ]
    words = Vocabulary(), Vocabulary()
    alone = [SentencePair(*pair, vocabularies=words) for pair in pairs]
    asked = []

    def backwards(work, numbers):
        asked.append(len(list(numbers)))
        done = {k: work(k) for k in reversed(numbers)}
        return (done[k] for k in numbers)

    again = Vocabulary(), Vocabulary()
    found = SentencePair.several(pairs, vocabularies=again, each=backwards)
    assert asked == [-(-(3000 + 2500 + 3 + 7 + 4100 + 40) // 4096)]
    assert [one.forms for one in words] == [one.forms for one in again]
    for one, other in zip(alone, found, strict=True):
        for side, same in ((one.src, other.src), (one.tgt, other.tgt)):
            for name in ("letters", "words", "ptr", "ids", "times"):
                assert getattr(side, name).tolist() == getattr(same, name).tolist()
                assert getattr(side, name).dtype == getattr(same, name).dtype


def made_pair(rng, sizes, name=""):
    src, tgt = (
        Text([" ".join(rng.choice(list("abcdefgh"), 4)) for _ in range(size)], name=name)
        for size in sizes
    )
    return src, tgt


def assert_same(one, other):
    for mine, theirs in ((one.src, other.src), (one.tgt, other.tgt)):
        assert mine.vocabulary.forms == theirs.vocabulary.forms
        for name in ("letters", "words", "ptr", "ids", "times"):
            array, expected = getattr(mine, name), getattr(theirs, name)
            assert array.dtype == expected.dtype
            assert array.tolist() == expected.tolist()


def test_pairs_that_get_common_vocabularies_are_those_of_several():
    rng = np.random.default_rng(5)
    huge = " ".join(f"w{k}x" for k in rng.permutation(2500))
    pairs = [made_pair(rng, sizes) for sizes in ((30, 25), (0, 3), (7, 0), (41, 4300))]
    pairs.append((Text([huge, "h a"]), Text(["g " * 70_000])))
    common = Vocabulary(), Vocabulary()
    found = [SentencePair(*pair).renumbered(common) for pair in pairs]
    expected = SentencePair.several(pairs, vocabularies=(Vocabulary(), Vocabulary()))
    for one, other in zip(found, expected, strict=True):
        assert_same(one, other)
        assert one.digest == other.digest


def test_long_texts_are_renumbered_as_short_ones_are():
    pair = SentencePair(Text(["b a"] * 2 + [""] * ((1 << 16) - 2) + ["c", "a b"]), Text([]))
    common = Vocabulary(["c", "a"]), Vocabulary()
    found = pair.renumbered(common).src
    assert found.ids.tolist() == [1, 2, 1, 2, 0, 1, 2]
    assert found.sentence.tolist() == [0, 0, 1, 1, 1 << 16, (1 << 16) + 1, (1 << 16) + 1]


def test_a_memory_returns_what_is_cut_anew():
    rng = np.random.default_rng(6)
    memory = PairMemory(most=100)
    for _ in range(3):
        first, other = made_pair(rng, (9, 8)), made_pair(rng, (5, 0))
        for pair in (first, other):
            assert_same(memory.pair(*pair, hold=True), SentencePair(*pair))
        again = Text(list(first[0].segments()), name="again", lang="de"), first[1]
        found = memory.pair(*again)
        assert_same(found, SentencePair(*first))
        assert found.src.text is again[0]
        assert (found.name, found.digest) == ("again", SentencePair(*again).digest)
        changed = Text([*list(first[0].segments())[:-1], "z"]), first[1]
        assert_same(memory.pair(*changed), SentencePair(*changed))
        assert_same(memory.pair(*first[::-1]), SentencePair(*first[::-1]))


def test_a_memory_holds_no_more_sentences_than_it_may():
    rng = np.random.default_rng(7)
    memory = PairMemory(most=10)
    texts = [made_pair(rng, sizes) for sizes in ((6, 5), (4, 4), (2, 1), (1, 1))]
    held = [memory.pair(*pair, hold=True).src.ids for pair in texts]
    again = [memory.pair(*pair, hold=True).src.ids for pair in texts]
    assert [a is b for a, b in zip(held, again, strict=True)] == [False, True, False, True]
    with pytest.raises(InputError, match="b is known by ids only"):
        memory.pair(Text(["a"]), Text.of_ids(["s1"], name="b"), hold=True)
