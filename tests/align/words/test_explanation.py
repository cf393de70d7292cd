from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext.align.words import align_words
from bitext.align.words.explanation import explain
from bitext.align.words.options import choose
from bitext.errors import InputError
from bitext.model import Sentence, Token
from reference import word_alignment_slow as slow
from reference.draw_sentences import sentences

FIRST = Sentence(
    [
        Token("Milan", "NNP", "B-NP", ("B-S", "B-NP")),
        Token("is", "VBZ", "B-VP", ("I-S", "B-VP")),
        Token("beautiful", "JJ", "B-ADJP", ("I-S", "I-VP", "B-ADJP")),
    ]
)
SECOND = Sentence(
    [
        Token("I", "PRP", "B-NP", ("B-S", "B-NP")),
        Token("went", "VBD", "B-VP", ("I-S", "B-VP")),
        Token("to", "TO", "B-PP", ("I-S", "I-VP", "B-PP")),
        Token("Milan", "NNP", "B-NP", ("I-S", "I-VP", "I-PP", "B-NP")),
    ]
)


def test_the_published_pair_by_the_text():
    found = explain(FIRST, SECOND, 0, 3)
    assert (found.score, found.matches, found.aligned) == (-1, False, False)
    milan, alone = "'Milan' (NNP, B-NP)", "is aligned with no word"
    assert found.lines() == [
        f"word 1 of the first sentence, {milan}, and word 4 of the second, {milan}",
        "  form: 'milan' and 'milan', the same",
        "  part of speech: NNP and NNP, the same",
        "  trace of the first: B-S/B-NP; inside: nothing",
        "  trace of the second: I-S/I-VP/I-PP/B-NP; inside: I-VP/I-PP",
        "  chunks: B-NP / B-NP: +1",
        "  traces: nothing to compare, 0",
        "  lengths of the traces differ by 2",
        "  score: 1 + 1 * (0) - 1 * 2 = -1",
        "  positions: 1/3 and 1, 2/3 apart; want at most 2/5",
        "  no match: the score -1 is below 0",
        f"  not aligned with each other: the first {alone}, the second {alone}",
    ]


def test_the_published_pair_by_the_figure():
    found = explain(FIRST, SECOND, 0, 3, figure4=True)
    assert (found.score, found.matches) == (0, False)
    assert found.reason == "the positions are 2/3 apart"
    assert (found.src_position, found.tgt_position) == (Fraction(1, 3), 1)
    assert "  score: 1 + 1/2 * (0) - 1/2 * 2 = 0" in str(found).splitlines()
    assert "want below 2/5" in str(found)


def test_the_published_pair_by_words():
    found = explain(FIRST, SECOND, 0, 3, preset="V1")
    assert (found.matches, found.aligned, found.score) == (True, True, None)
    assert found.lines()[-2:] == ["  match: the forms are the same", "  aligned with each other"]


def test_traces_are_told_element_by_element():
    src = Sentence([Token("it", "PRP", "B-NP", ("I-S", "I-VP", "B-SBAR", "B-NP"))])
    tgt = Sentence([Token("It", "PRP", "I-NP", ("I-S", "I-PP", "I-SBAR", "I-NP"))])
    found = explain(src, tgt, 0, 0, preset="V5")
    assert found.chunks is not None
    assert found.chunks.score == 0
    assert [tuple(tag) for tag in found.traces] == [
        ("B-SBAR", "I-SBAR", 0),
        ("I-VP", "I-PP", -1),
    ]
    assert found.lines()[5:8] == [
        "  chunks: B-NP / I-NP: 0",
        "  traces, 2 from the end: B-SBAR / I-SBAR: 0",
        "  traces, 3 from the end: I-VP / I-PP: -1",
    ]
    assert found.reason == "the score -1 is below 0"


@pytest.mark.parametrize(
    ("i", "j", "reason"),
    [
        (0, 0, "the forms differ"),
        (1, 1, "a stop word is never aligned"),
        (2, 2, "the parts of speech differ"),
        (3, 3, "forms, parts of speech, syntax and positions agree"),
    ],
)
def test_the_first_objection_is_told(i, j, reason):
    rest = ("B-NP", ("I-S", "I-NP"))
    src = Sentence([Token(*w, *rest) for w in [("a1", "X"), ("is", "X"), ("b", "X"), ("c", "X")]])
    tgt = Sentence([Token(*w, *rest) for w in [("a2", "X"), ("is", "X"), ("b", "Y"), ("c", "X")]])
    assert explain(src, tgt, i, j).reason == reason


def test_a_match_that_the_path_does_not_take():
    src, tgt = Sentence(["a", "a"]), Sentence(["b", "a"])
    found = explain(src, tgt, 0, 1, preset="V1")
    assert found.matches
    assert not found.aligned
    assert (found.src_partner, found.tgt_partner) == (None, 1)
    assert found.lines()[-1] == (
        "  not aligned with each other: the first is aligned with no word, "
        "the second is aligned with word 2"
    )


def test_what_is_left_out_is_told():
    found = explain(Sentence(["the", ","]), Sentence([",", "x"]), 1, 0, preset="V3")
    assert found.lines()[1:3] == [
        "  left out: the first is a comma",
        "  left out: the second is a comma",
    ]
    assert found.reason == "a comma is never aligned"


@given(sentences(5), sentences(5), st.booleans(), st.sampled_from(["V1", "V3", "V4", "V5"]))
def test_it_agrees_with_the_slow_version_and_with_the_aligner(src, tgt, figure4, preset):
    options = choose(preset, figure4=figure4)
    pairs = {
        (bead.src[0], bead.tgt[0])
        for bead in align_words(src, tgt, preset=options)
        if bead.type == "1-1"
    }
    for i, j in ((0, 0), (len(src) - 1, len(tgt) - 1), (0, len(tgt) - 1)):
        found = explain(src, tgt, i, j, preset=options)
        left_out = any(options.left_out(t.form, t.pos) for t in (src[i], tgt[j]))
        matches = slow.matches(src, i + 1, tgt, j + 1, syntax=options.syntax, figure4=figure4)
        assert found.matches == (matches and not left_out)
        assert found.aligned == ((i, j) in pairs)
        if options.syntax:
            assert found.score == slow.syntax_score(src[i], tgt[j], weight=options.weight)


def test_the_threshold_is_told():
    found = explain(FIRST, SECOND, 0, 3, match_threshold="-1/2")
    assert found.reason == "the score -1 is below -1/2"
    found = explain(FIRST, SECOND, 0, 3, match_threshold=-1, max_distance="3/4")
    assert found.matches


def test_a_word_that_is_not_there():
    with pytest.raises(InputError, match="the second sentence has 4 words and no word 5: want one"):
        explain(FIRST, SECOND, 0, 4)
    told = "want the index of a word of the first sentence, a whole number from 0 to 2"
    for wrong in (-1, 1.0, "0", None):
        with pytest.raises(InputError, match=f"src_index is {wrong!r}: {told}"):
            explain(FIRST, SECOND, wrong, 0)
    with pytest.raises(
        InputError, match=r"tgt_index is 1\.5: want the index of a word of the second"
    ):
        explain(FIRST, SECOND, 0, 1.5)
    with pytest.raises(InputError, match=r"sentence 2 is 'I' \(str\): want a Sentence"):
        explain(FIRST, "I", 0, 0)


def test_numbers_of_other_libraries_are_indices():
    found = explain(FIRST, SECOND, np.int64(0), np.int8(3), preset="V1")
    assert (found.src_index, found.tgt_index, found.aligned) == (0, 3, True)
    assert type(found.src_index) is int
