"""Whether texts are translations of each other: real ones are, other texts are not."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext.align.sentences import align_sentences
from bitext.align.sentences.relatedness import Relatedness, relatedness, vectors_fit
from bitext.align.sentences.vectors import SentenceVectors
from bitext.model import Alignment, Text
from reference.translated_texts import sentences


def texts(src_seed, tgt_seed, count):
    src, tgt = (sentences(count, seed=seed, names=0.1) for seed in (src_seed, tgt_seed))
    return Text([a for a, _ in src]), Text([b for _, b in tgt])


def judged(src, tgt, **options):
    return relatedness(src, tgt, align_sentences(src, tgt, **options))


@pytest.mark.parametrize("method", ["lexical", "length-characters", "poisson"])
@pytest.mark.parametrize("count", [50, 130])
def test_translations_and_other_texts(method, count):
    assert not judged(*texts(3, 3, count), method=method).doubtful
    assert judged(*texts(3, 4, count), method=method).doubtful


def test_it_is_the_same_from_both_sides():
    src, tgt = texts(5, 5, 60)
    there, back = judged(src, tgt), judged(tgt, src)
    assert (there.beads, there.doubtful) == (back.beads, back.doubtful)
    assert there.own == pytest.approx(back.own, abs=0.3)


def test_a_translation_with_a_third_of_its_sentences_left_out():
    src, tgt = texts(6, 6, 150)
    rng = random.Random(1)
    thin = Text([sentence for sentence in tgt.segments() if rng.random() > 0.3])
    assert not judged(src, thin).doubtful


def test_of_short_texts_nothing_is_told():
    assert judged(*texts(3, 4, 30)) is None
    assert relatedness(Text([]), Text([]), Alignment([])) is None


def test_of_texts_that_say_the_same_again_and_again_nothing_is_told():
    src, tgt = Text(["It rained again."] * 90), Text(["Il pleuvait encore."] * 90)
    assert judged(src, tgt) is None


def test_as_much_is_looked_at_in_texts_of_any_length():
    src, tgt = texts(7, 7, 500)
    assert judged(src, tgt, method="poisson").beads == 80
    assert judged(*texts(7, 7, 60)).beads == 60


def test_where_one_half_is_plain_enough_the_other_is_not_asked():
    found = judged(*(Text([f"{mine} {k} {k * k}." for k in range(100)]) for mine in "ab"))
    assert found.plain
    assert found.beads == 50
    assert Relatedness(3.1, -0.2, 20).plain
    assert not Relatedness(2.4, -0.2, 20).plain
    assert not Relatedness(4.0, 0.5, 20).plain, "half a point by which anything is explained"


def test_what_is_doubtful():
    assert Relatedness(-0.6, -0.9, 80).doubtful
    assert not Relatedness(0.5, -1.2, 80).doubtful
    assert not Relatedness(9.0, -3.0, 80).doubtful


def test_a_gain_over_what_fits_anything_is_none():
    assert Relatedness(82.0, 81.0, 80).doubtful, "all words explain each other"
    assert Relatedness(15.0, 12.0, 80).doubtful
    assert Relatedness(2.1, 0.8, 80).doubtful
    assert not Relatedness(8.0, 1.0, 80).doubtful, "phrases that return"
    assert not Relatedness(1.5, -0.4, 80).doubtful


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=90))
def test_any_alignment_is_judged(sizes):
    beads, i, j = [], 0, 0
    for a, b in sizes:
        if a or b:
            beads.append((tuple(range(i, i + a)), tuple(range(j, j + b))))
            i, j = i + a, j + b
    src, tgt = (Text([f"Word {k} {k * k % 7}." for k in range(size)]) for size in (i, j))
    found = relatedness(src, tgt, Alignment(beads))
    assert found is None or found.beads <= len(beads)


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
