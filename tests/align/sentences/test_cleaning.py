"""Numbers that run through both texts: those of lines and pages, of verses and chapters."""

import itertools

import numpy as np
import pytest

from bitext.align.sentences.cleaning import Unnumbered, without_running_numbers
from bitext.align.sentences.texts import SentencePair
from bitext.model import Text
from reference.translated_texts import sentences

PAIRS = sentences(400, seed=51, names=0.0)
SRC, TGT = [a for a, _ in PAIRS], [b for _, b in PAIRS]


def misled(src, tgt):
    """Return of which texts numbers are left out."""
    return tuple(
        isinstance(one, Unnumbered) for one in without_running_numbers(Text(src), Text(tgt))
    )


def lines(side, form="{}. {}", first=1):
    return [form.format(k, one) for k, one in enumerate(side, start=first)]


def paged(side, every, form="{}"):
    found = []
    for number, begin in enumerate(range(0, len(side), every), start=1):
        found += [*side[begin : begin + every], form.format(number)]
    return found


@pytest.mark.parametrize("form", ["{}. {}", "[{}] {}", "{}\t{}", "({}) {}", "1.{} {}", "3:{}  {}"])
def test_lines_that_each_text_counts_by_itself(form):
    assert misled(lines(SRC, form), lines(TGT[3:], form)) == (True, True)


@pytest.mark.parametrize("form", ["{}. {}", "[{}] {}", "{}\t{}", "2:{} {}"])
def test_numbers_of_verses_are_kept(form):
    src, tgt = lines(SRC, form), lines(TGT, form)
    assert misled(src, tgt) == (False, False)
    # What one text leaves out has taken its numbers along.
    assert misled(src, tgt[:100] + tgt[180:]) == (False, False)
    assert misled(src[50:], tgt[:350]) == (False, False)
    assert misled(src[:50] + src[90:], tgt[:300] + tgt[340:]) == (False, False)


def test_numbers_that_begin_anew_in_each_chapter():
    def chapters(side, sizes):
        at = itertools.pairwise(itertools.accumulate(sizes, initial=0))
        return [one for begin, end in at for one in lines(side[begin:end])]

    sizes = [37, 61, 44, 80, 90, 88]
    assert misled(chapters(SRC, sizes), chapters(TGT, sizes)) == (False, False)
    others = [size - 2 for size in sizes]
    assert misled(chapters(SRC, sizes), chapters(TGT[2:], others)) == (True, True)


def test_numbers_of_one_text_only():
    assert misled(lines(SRC), TGT) == (True, False)
    assert misled(SRC, lines(TGT)) == (False, True)
    years = [f"{1500 + 3 * k} {one}" for k, one in enumerate(SRC)]
    assert misled(years, [f"{one} {1500 + 3 * k}" for k, one in enumerate(TGT)]) == (False, False)


def test_numbers_before_some_sentences_are_those_of_articles():
    src = [f"{k}. {one}" if k % 3 == 0 else one for k, one in enumerate(SRC)]
    assert misled(src, TGT) == (False, False)


def test_few_sentences_are_left_as_they_are():
    assert misled(lines(SRC[:9]), lines(TGT[1:10])) == (False, False)
    assert misled([], []) == (False, False)
    assert misled([""] * 20, ["1"] * 20) == (False, False)
    assert misled(["1. a"] * 20, ["1. b"] * 20) == (False, False)
    assert misled(lines(["a"] * 20), lines(["b"] * 20)) == (False, False)


@pytest.mark.parametrize("forms", [("{}", "{}"), ("- {} -", "{}"), ("Page {}", "Seite {} .")])
def test_pages_that_each_text_has_of_its_own(forms):
    src, tgt = paged(SRC, 20, forms[0]), paged(TGT, 23, forms[1])
    assert misled(src, tgt) == (True, True)
    seen = list(without_running_numbers(Text(src), Text(tgt))[0].segments())
    assert seen[19:21] == [SRC[19], forms[0].format("")]
    apart = without_running_numbers(Text(src), Text(tgt))[0].apart()
    assert np.flatnonzero(apart).tolist() == list(range(20, len(src), 21))
    # As long as those of the other text, or in one text only.
    assert misled(src, paged(TGT, 20, forms[1])) == (False, False)
    assert misled(src, TGT) == (False, False)


def noted(side, every, form=" [{}]"):
    return [
        f"{one}{form.format(k // every + 1)}" if k % every == 0 else one
        for k, one in enumerate(side)
    ]


@pytest.mark.parametrize("form", [" [{}]", "({})", "{{{}}}"])
def test_notes_that_each_text_has_of_its_own(form):
    src, tgt = noted(SRC, 6, form), noted(TGT, 7, form)
    assert misled(src, tgt) == (True, True)
    seen = list(without_running_numbers(Text(src), Text(tgt))[1].segments())
    assert seen[7] == TGT[7] + form.format("")
    # Of both texts, and one text leaves a passage out.
    tgt = noted(TGT, 6, form)
    assert misled(src, tgt[:90] + tgt[150:]) == (False, False)
    assert misled(src, TGT) == (False, False)


def test_notes_that_begin_anew_and_two_of_one_sentence():
    both = [noted(side, 6)[:200] + noted(side[200:], 6) for side in (SRC, TGT)]
    twice = [
        [one.replace("]", "][200]") if k % 60 == 0 else one for k, one in enumerate(side)]
        for side in both
    ]
    assert misled(*both) == (False, False)
    assert misled(*twice) == (False, False)


def test_a_table_of_many_names_with_running_numbers_takes_no_time():
    names = ["".join(letters) for letters in itertools.product("abcdefghijklmno", repeat=3)]
    rows = [f"{name} {k}" for k in range(1, 6) for name in names]
    assert misled(rows, rows) == (False, False)


def test_headings_of_chapters_are_kept_though_one_is_left_out():
    def headed(side, form, without=()):
        sizes = np.random.default_rng(4).integers(20, 60, 10)
        at = itertools.pairwise(itertools.accumulate(sizes.tolist(), initial=0))
        parts = [[form.format(k), *side[a:b]] for k, (a, b) in enumerate(at, start=1)]
        return [one for k, part in enumerate(parts) if k not in without for one in part]

    src, tgt = headed(SRC, "Chapter {}"), headed(TGT, "Kapitel {}")
    assert misled(src, tgt) == (False, False)
    assert misled(src, headed(TGT, "Kapitel {}", without=(8,))) == (False, False)
    # Of a chapter each text has but some.
    tgt = tgt[:150] + tgt[165:]
    assert misled(src[:60] + src[75:], tgt) == (False, False)


def test_pages_do_not_make_headings_of_chapters_tell_nothing():
    chapters = [[f"Chapter {k}", *SRC[40 * k : 40 * k + 25 + 3 * (k * 7 % 5)]] for k in range(1, 9)]
    others = [[f"Kapitel {k}", *TGT[40 * k : 40 * k + 25 + 3 * (k * 7 % 5)]] for k in range(1, 9)]
    src = paged([one for part in chapters for one in part], 14)
    tgt = paged([one for part in others for one in part], 17)
    here, there = without_running_numbers(Text(src), Text(tgt))
    assert "Chapter 3" in list(here.segments())
    assert "Kapitel 3" in list(there.segments())
    assert "9" not in list(here.segments())
    assert "9" not in list(there.segments())


def test_what_is_left_out_is_no_word_and_no_length():
    bare, numbered = SentencePair(Text(SRC), Text(TGT[3:])), None
    numbered = SentencePair(Text(lines(SRC)), Text(lines(TGT[3:])))
    for one, other in ((bare.src, numbered.src), (bare.tgt, numbered.tgt)):
        assert one.letters.tolist() == other.letters.tolist()
        assert one.ids.tolist() == other.ids.tolist()
    assert numbered.src.text[0].text.startswith("1. ")
