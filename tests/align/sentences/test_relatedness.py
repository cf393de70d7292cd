"""Whether texts are translations of each other: real ones are, other texts are not."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext.align.sentences import align_sentences
from bitext.align.sentences.relatedness import agreement, are_related, confident_share, vectors_fit
from bitext.align.sentences.vectors import SentenceVectors
from bitext.model import Alignment, Text
from reference.translated_texts import sentences


def texts(src_seed, tgt_seed, count):
    src, tgt = (sentences(count, seed=seed, names=0.1) for seed in (src_seed, tgt_seed))
    return Text([a for a, _ in src]), Text([b for _, b in tgt])


def judged(src, tgt, method="lexical"):
    found = align_sentences(src, tgt, method=method)
    return are_related(src, tgt, found, words=method == "lexical")


def one_to_one(count, score):
    every = [((k,), (k,)) for k in range(count)]
    return Alignment(every, scores=np.full(count, score))


@pytest.mark.parametrize("method", ["lexical", "length-characters", "poisson"])
@pytest.mark.parametrize("count", [50, 130])
def test_translations_and_other_texts(method, count):
    assert judged(*texts(3, 3, count), method=method) is True
    assert judged(*texts(3, 4, count), method=method) is False


@pytest.mark.parametrize("other", [5, 6])
def test_it_is_the_same_from_both_sides(other):
    src, tgt = texts(5, other, 60)
    found = one_to_one(60, 0.5)
    there, back = agreement(src, tgt, found), agreement(tgt, src, found)
    assert there == pytest.approx(back)
    assert are_related(src, tgt, found) is are_related(tgt, src, found) is (other == 5)


def test_a_translation_with_a_third_of_its_sentences_left_out():
    src, tgt = texts(6, 6, 150)
    rng = random.Random(1)
    thin = Text([sentence for sentence in tgt.segments() if rng.random() > 0.3])
    assert judged(src, thin) is True


def test_tags_do_not_make_sentences_similar():
    src, tgt = texts(3, 3, 60)
    marked = [
        Text(
            f"<b>{s}</b>" if k % 3 else f'<a href="http://x.org/{k}">{s}</a> &amp; so'
            for k, s in enumerate(text.segments())
        )
        for text in (src, tgt)
    ]
    found = one_to_one(60, 0.5)
    plain = [
        Text(s if k % 3 else f"{s} & so" for k, s in enumerate(text.segments()))
        for text in (src, tgt)
    ]
    assert agreement(*marked, found) == pytest.approx(agreement(*plain, found))


def test_of_short_texts_nothing_is_told():
    assert judged(*texts(3, 4, 30)) is None
    assert are_related(Text([]), Text([]), Alignment([])) is None


def test_of_texts_that_say_the_same_again_and_again_nothing_is_told():
    src, tgt = Text(["It rained again."] * 90), Text(["Il pleuvait encore."] * 90)
    assert agreement(src, tgt, one_to_one(90, 0.5)) is None
    assert are_related(src, tgt, one_to_one(90, 0.5)) is None


def test_as_much_is_looked_at_in_texts_of_any_length():
    pairs = sentences(500, seed=7, names=0.1)
    src, tgt = [a for a, _ in pairs], [b for _, b in pairs]
    found = one_to_one(500, 0.5)
    before = agreement(Text(src), Text(tgt), found)
    looked_at = {*np.linspace(0, 499, 64).astype(int).tolist()}
    tgt = [sentence if k in looked_at else "Another one." for k, sentence in enumerate(tgt)]
    assert agreement(Text(src), Text(tgt), found) == before


def test_few_confident_beads_are_no_translation_however_similar():
    src, tgt = texts(3, 3, 60)
    for score, related in ((0.2, False), (0.4, True), (0.95, True)):
        assert are_related(src, tgt, one_to_one(60, score)) is related


def test_confident_beads_are_enough_where_words_were_evidence():
    src, tgt = texts(3, 4, 60)
    assert are_related(src, tgt, one_to_one(60, 0.95)) is True
    assert are_related(src, tgt, one_to_one(60, 0.95), words=False) is False
    assert are_related(src, tgt, one_to_one(60, 0.85)) is False


def test_beads_of_many_sentences_are_never_confident():
    pairs = Alignment([((0, 1), (0, 1)), ((2,), (2, 3)), ((3,), ())], scores=np.ones(3))
    assert confident_share(pairs) == pytest.approx(3 / 8)
    assert confident_share(Alignment([((0,), (0,))])) == 0.0, "without scores"
    assert confident_share(Alignment([])) == 0.0


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=90))
def test_any_alignment_is_judged(sizes):
    beads, i, j = [], 0, 0
    for a, b in sizes:
        if a or b:
            beads.append((tuple(range(i, i + a)), tuple(range(j, j + b))))
            i, j = i + a, j + b
    src, tgt = (Text([f"Word {k} {k * k % 7}." for k in range(size)]) for size in (i, j))
    found = are_related(src, tgt, Alignment(beads))
    assert found in (True, False) or (found is None and sum(map(all, sizes)) < 40)


def test_sentences_without_a_character_and_with_nul():
    src, tgt = Text(["", "a\0b", "  "] * 20), Text(["", "c\0d", "x"] * 20)
    assert are_related(src, tgt, one_to_one(60, 0.5)) in (True, False, None)


@pytest.mark.parametrize("count", [25, 900])
def test_vectors_of_other_sentences_do_not_fit(count):
    rng = np.random.default_rng(1)
    src = rng.normal(size=(count, 16))
    tgt = src + rng.normal(size=src.shape)
    alignment = Alignment([((k,), (k,)) for k in range(count)])
    sides = [SentenceVectors(array) for array in (src, tgt, tgt[::-1], rng.normal(size=src.shape))]
    assert vectors_fit(sides[0], sides[1], alignment)
    assert not vectors_fit(sides[0], sides[2], alignment)
    assert not vectors_fit(sides[0], sides[3], alignment)


def test_of_few_vectors_nothing_is_told():
    rng = np.random.default_rng(2)
    src, tgt = (SentenceVectors(rng.normal(size=(19, 8))) for _ in range(2))
    assert vectors_fit(src, tgt, Alignment([((k,), (k,)) for k in range(19)]))
