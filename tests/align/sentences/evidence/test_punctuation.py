from __future__ import annotations

import random
from itertools import chain, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from bitext.align.sentences import aligner_of
from bitext.align.sentences.aligner import explain_bead
from bitext.align.sentences.bead_types import DEFAULT_BEADS
from bitext.align.sentences.evidence.punctuation import (
    SORTS,
    PunctuationEvidence,
    PunctuationModel,
    SentenceMarks,
    marks_of,
    marks_of_texts,
)
from bitext.align.sentences.lexical.translation_model import BeadPoints
from bitext.kernels.bead_path import Band
from bitext.model import Text
from tests.reference import mark_evidence_slow as slow

SYLLABLES = ["ba", "ke", "lo", "mi", "su", "ta", "re", "no", "vi", "du", "pa", "zo"]

sentence = st.sampled_from(["A b.", "c d,", "- E?", "«F!»", "G", "1 h:", "(I).", "j…", ""])
runs = st.tuples(sentence, st.integers(1, 8)).map(lambda one: [one[0]] * one[1])
texts = st.lists(runs, min_size=1, max_size=7).map(lambda found: [*chain(*found)][:14])


@given(st.lists(st.text(" .。!?»)aB1\t¿", max_size=6), max_size=20), st.sampled_from([0, 3, 50]))
def test_marks_do_not_depend_on_the_sentences_before(sentences, blanks):
    padded = [" " * (k % 2 * blanks) + one + " " * blanks for k, one in enumerate(sentences)]
    together = marks_of(padded)
    alone = [marks_of([one]) for one in padded]
    for name in ("ends", "closes", "begins"):
        wanted = [int(getattr(one, name)[0]) for one in alone]
        assert getattr(together, name).tolist() == wanted


def beads_by_chance(rows, columns, seed):
    """Return ranges of both sides that cover two texts."""
    rng, found, i, j = np.random.default_rng(seed), [], 0, 0
    while (i, j) != (rows, columns):
        a, b = min(int(rng.integers(0, 4)), rows - i), min(int(rng.integers(0, 4)), columns - j)
        if a or b:
            found.append((range(i, i + a), range(j, j + b)))
        i, j = i + a, j + b
    return found


@settings(max_examples=25)
@given(texts, texts, st.integers(0, 1000))
def test_scores_are_those_of_the_formula(src, tgt, seed):
    marks = marks_of(src), marks_of(tgt)
    beads = beads_by_chance(len(src), len(tgt), seed)
    points = BeadPoints(*(np.array([bead[side].stop for bead in beads]) for side in (0, 1)))
    model = PunctuationModel.first([marks]).learned([marks], [points])
    held = [{name: getattr(own, name).tolist() for name in SORTS} for own in marks]
    told = slow.learned(held, beads, SORTS)
    band = Band(np.zeros(len(src) + 1, dtype=np.int64), len(tgt) + 1, len(tgt))
    block = PunctuationEvidence(DEFAULT_BEADS, marks, model).block(0, len(src) + 1, band)
    for k, (a, b) in enumerate(DEFAULT_BEADS):
        wanted = [
            slow.score(held, *told, range(i - a, i), range(j - b, j)) if a and b else 0.0
            for i in range(a, len(src) + 1)
            for j in range(b, len(tgt) + 1)
        ]
        assert_allclose(block[k, a:, b:].ravel(), wanted, rtol=0, atol=1e-5, equal_nan=False)


def test_the_other_way_round_scores_are_the_same():
    src, tgt = marks_of(["Ja?", "Nein,", "sagte er."]), marks_of(["Yes?", "No, he said."])
    points = BeadPoints(np.array([1, 3]), np.array([1, 2]))
    one = PunctuationModel.first([(src, tgt)]).learned([(src, tgt)], [points])
    other = PunctuationModel.first([(tgt, src)]).learned([(tgt, src)], [BeadPoints(*points[::-1])])
    for name, table in one.paired.items():
        np.testing.assert_array_equal(table, other.paired[name].T)
    np.testing.assert_array_equal(one.inside[0], other.inside[1])


def test_what_other_sentences_are_makes_no_difference():
    sentences = ["".join(one) for size in range(6) for one in product("a.»)¿ ", repeat=size)]
    found = marks_of(sentences)
    alone = [marks_of([one]) for one in sentences]
    for name in ("ends", "closes", "begins"):
        assert getattr(found, name).tolist() == [int(getattr(one, name)[0]) for one in alone]


def test_what_was_not_aligned_teaches_nothing():
    marks = marks_of(["A.", "b?"] * 10), marks_of(["A."] * 12)
    first = PunctuationModel.first([marks])
    held = first.learned([marks], [BeadPoints(np.array([20]), np.array([12]))])
    np.testing.assert_array_equal(held.paired["ends"], first.paired["ends"])


def test_what_a_mark_says_is_bounded():
    marks = marks_of([*["A."] * 5000, "B…"]), marks_of([*["A."] * 5000, "B…"])
    ends = np.arange(1, 5002)
    model = PunctuationModel.first([marks]).learned([marks], [BeadPoints(ends, ends)])
    assert model.paired["ends"].max() == 3.0


@pytest.mark.parametrize("many", [6, 8, 15, 30, 60])
def test_a_run_of_marks_says_about_what_five_say(many):
    src = marks_of(["Monday", "Sun."] * 30)
    model = PunctuationModel.first([(src, src)])

    def said(own, other):
        both = marks_of(["A!", *own]), marks_of(["A!", *other])
        band = Band(np.arange(len(own) + 2), 1, len(other) + 1)
        evidence = PunctuationEvidence([(1, 1)], both, model, weight=1.0)
        return evidence.block(2, len(own) + 2, band)[0, :, 0].sum()

    run, five = ["mon."] * many, said(["mon."] * 5, ["Mon"] * 5)
    assert five < -4
    assert said(run, ["Mon"] * many) == pytest.approx(five, rel=0.25)
    # One that stands apart counts in full, whatever it is beside.
    assert said(run[:1], ["Mon"]) == pytest.approx(five / 5, rel=1e-3)
    mixed = [("mon.", "MON!")[k % 2] for k in range(many)]
    alone = said(["mon."], ["Mon"]), said(["MON!"], ["Mon"])
    wanted = sum(alone[k % 2] for k in range(many))
    assert said(mixed, ["Mon"] * many) == pytest.approx(wanted, rel=0.01)


@pytest.mark.parametrize("seed", range(4))
def test_a_list_is_not_put_beside_another_that_is_written_alike(seed):
    """What is left out begins with small letters and full stops, as the list before it has there.

    Words are of no language, so that marks and lengths alone tell.
    """
    chance = random.Random(seed)

    def worded(sizes):
        return " ".join("".join(chance.choices(SYLLABLES, k=size)) for size in sizes)

    def prose(many):
        sizes = [chance.choices(range(1, 5), k=chance.randint(2, 6)) for _ in range(many)]
        return [[f"{worded(own).capitalize()}." for own in sizes] for _ in range(2)]

    before, after = prose(20), prose(20)
    days = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
    days += ["Mon", "Tue", "Wed"]
    theirs = ["ponede", "utora", "sriweda", "chetvar", "petac", "subova", "nedevla"]
    theirs += ["pon.", "uto.", "sri."]
    gone = [worded([2]).capitalize() for _ in range(4)]
    gone += ["jan", "feb", "mar", "apr", "may", "jun", "jul", "Aug.", "Sept.", "Oct."]
    gone += [worded([3]).capitalize() for _ in range(30)]
    src, tgt = [*before[0], *days, *gone, *after[0]], [*before[1], *theirs, *after[1]]
    path = told([(Text(src), Text(tgt))]).paths[0]
    first = len(before[0]) + len(days)
    ends = [*range(1, first + 1), *[first] * len(gone), *range(first + 1, len(tgt) + 1)]
    assert path.row.tolist() == [*range(1, len(src) + 1)]
    assert path.column.tolist() == ends


def test_the_sorts_of_marks():
    sentences = [
        "Was?",
        "什么？",
        "ماذا؟",
        "Wait...",
        "So ...",
        "“No!” (he)",
        "x)",
        "12",
        "%",
        "",
        "»",
    ]
    found = marks_of(sentences)
    assert found.ends.tolist() == [2, 2, 2, 7, 7, 0, 0, 9, 10, 0, 0]
    assert found.closes.tolist() == [0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 2]
    # A vowel at the end of a word is a mark on its last letter there, and a letter nonetheless.
    assert marks_of(["యత్రి", "रोटी", "ที่", "\u05e9\u05b8"]).ends.tolist() == [0, 0, 0, 0]
    begun = marks_of(["¿Qué?", "(a)", "2 b", "• c", "— d", "“e”", "f", "G", "%", " "])
    assert begun.begins.tolist() == [0, 4, 5, 3, 1, 2, 6, 0, 7, 0]


def test_no_sentence_has_no_marks():
    none = marks_of([])
    assert [len(part) for part in none] == [0, 0, 0, 0]
    model = PunctuationModel.first([(none, none)])
    band = Band(np.zeros(1, dtype=np.int64), 1, 0)
    assert not PunctuationEvidence(DEFAULT_BEADS, (none, none), model).block(0, 1, band).any()


def test_marks_tell_what_was_left_out_where_words_and_lengths_do_not():
    src = ["Abcdef", "ghij71", "34mnop", "Stuv58", "(yzab)"]
    src += ["cdefgh", "Ijkl60", "92mnop", "qrst45", "Uvwxyz"]
    tgt = ["Xopule", "kami29", "87veru", "Nepi36", "(moda)"]
    tgt += ["tarimu", "Sobe13", "54dimo", "veki78", "Porase"]
    right = {1.0: 0, 0.0: 0}
    for weight in right:
        for k in range(10):
            aligner = told([(Text(src), Text(tgt[:k] + tgt[k + 1 :]))], mark_weight=weight)
            ends = aligner.paths[0].column.tolist()
            right[weight] += ends == [*range(1, k + 1), *range(k, 10)]
    assert right == {1.0: 10, 0.0: 0}


def told(pairs, **options):
    """Return an aligner that has run."""
    aligner = aligner_of(pairs, method="lexical", **options)
    aligner.run()
    return aligner


def test_an_explanation_names_the_marks():
    pair = Text(["Is it?", "It is."]), Text(["Est-ce?", "Oui."])
    assert "marks" in dict(explain_bead(told([pair]), 0).parts)
    assert "marks" not in dict(explain_bead(told([pair], mark_weight=0.0), 0).parts)


def test_marks_of_several_texts_are_those_of_each():
    """Wherever they are cut, after each 4,096 sentences: marks are seen across a cut."""
    sentences = ["A.", "b?", "- c", "(d)", "e,", "f", "7", "«G»"]
    rng = np.random.default_rng(5)
    texts = [[*rng.choice(sentences, size)] for size in (9000, 0, 7, 8000)]
    asked = []

    def backwards(work, numbers):
        asked.extend(numbers)
        done = {k: work(k) for k in reversed(asked)}
        return (done[k] for k in asked)

    found = marks_of_texts([*map(Text, texts)], each=backwards)
    assert len(asked) == -(-17_007 // 4096)
    for text, marks in zip(texts, found, strict=True):
        wanted = marks_of(text)
        for name in wanted._fields:
            assert getattr(marks, name).tolist() == getattr(wanted, name).tolist()


def test_marks_of_a_long_text_score_as_those_of_its_first_half():
    rng = np.random.default_rng(5)
    size, half = 40_000, 20_000  # so many that not all sums are in memory, and fewer
    src, tgt = (
        SentenceMarks(*(rng.integers(0, sorts, size).astype(np.int8) for sorts in SORTS.values()))
        for _ in range(2)
    )
    model = PunctuationModel.first([(src, tgt)])
    halves = [SentenceMarks(*(column[:half] for column in one)) for one in (src, tgt)]
    long = PunctuationEvidence(DEFAULT_BEADS, (src, tgt), model)
    short = PunctuationEvidence(DEFAULT_BEADS, (halves[0], halves[1]), model)
    for first in (0, 19_000, 8_000, 8_300, 16_000):
        blocks = [
            one.block(first, first + 400, Band(np.arange(many + 1) - 9, 24, many))
            for one, many in ((long, size), (short, half))
        ]
        assert np.array_equal(*blocks)
