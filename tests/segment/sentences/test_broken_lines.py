"""Running text whose lines are broken at some width."""

import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext.segment.sentences.running_text import (
    are_broken_within_sentences,
    are_paragraphs,
    are_running_text,
    are_sentences,
    ends_within,
    have_inner_ends,
    have_several,
    may_be_running_text,
    width_of_lines,
)
from reference.translated_texts import sentences

PROSE = [source for source, _ in sentences(300, seed=2)]
DIALOGUE = [f"»{line}«" for k in range(0, 300, 2) for line in (PROSE[k][:30] + ".", PROSE[k + 1])]


@pytest.mark.parametrize("width", [30, 60, 72, 100])
def test_prose_that_is_broken_at_a_width(width):
    assert width_of_lines(textwrap.wrap(" ".join(PROSE), width)) == width


@pytest.mark.parametrize("blank", [False, True])
def test_paragraphs_of_some_lines_each(blank):
    lines = []
    for k in range(0, len(PROSE), 4):
        lines += textwrap.wrap(" ".join(PROSE[k : k + 4]), 65) + [""] * blank
    assert width_of_lines(lines) == 65


def test_some_lines_that_are_wider_do_no_harm():
    lines = textwrap.wrap(" ".join(PROSE), 65)
    lines[7] = "https://example.org/" + "a" * 200
    assert width_of_lines(lines) == 65


def test_lines_of_a_megabyte_are_of_no_width():
    assert width_of_lines(["word " * 200_000] * 30) is None


def test_signs_without_blanks_between():
    text = "天地玄黄宇宙洪荒日月盈昃辰宿列张，寒来暑往。" * 60
    assert width_of_lines([text[k : k + 38] for k in range(0, len(text), 38)]) in {38, 39, 40}
    assert width_of_lines(text.replace("。", "。\n").splitlines()) is None


@pytest.mark.parametrize(
    "lines",
    [
        PROSE,
        DIALOGUE,
        [line.rstrip(".") for line in PROSE],  # headings and entries end without a stop
        [line.split()[0] for line in PROSE],  # one word a line
        ["It is the same sentence in each of the lines."] * 90,
        [line for source in PROSE for line in (source, "")],  # none has one after it
        textwrap.wrap(" ".join(PROSE), 60)[:20],  # too few to tell
        [
            f"{k:>3} | Item number {k:03d} | {k * 7 % 100:>5} | red | {k * 3:>4} pcs"
            for k in range(90)
        ],
        [f"Chapter {k}. The Journey of the Old Man" for k in range(10, 99)],
        [],
    ],
)
def test_what_is_not_broken(lines):
    assert width_of_lines(lines) is None


@given(st.lists(st.text("ab .\u3042天", max_size=60), max_size=60))
def test_a_width_is_that_of_half_of_the_lines(lines):
    width = width_of_lines(lines)
    if width is not None:
        assert width >= 24
        assert sum(len(line.strip()) <= width for line in lines) * 2 >= len(lines) // 2


def test_short_texts_that_are_broken_within_sentences():
    assert are_broken_within_sentences(
        textwrap.wrap("The road was wet and the mill stood still.", 12)
    )
    assert not are_broken_within_sentences(PROSE)
    assert not are_broken_within_sentences(["it rained", "we stayed", "he came", "it was late"])
    assert not are_broken_within_sentences([])


def test_lines_that_are_sentences():
    assert are_sentences(PROSE)
    assert not are_sentences(textwrap.wrap(" ".join(PROSE), 60))
    assert not are_sentences([" ".join(PROSE[k : k + 3]) for k in range(0, 30, 3)])
    assert not are_sentences(PROSE[:4])  # too few


def test_titles_end_no_sentence_within_a_line():
    lines = [f"Mr. Hill saw Dr. Moor and Mrs. Lake at no. {k}." for k in range(9)]
    assert not are_paragraphs(lines)
    assert are_paragraphs([f"{line} It rained. Nobody came." for line in lines])


@pytest.mark.parametrize(
    "line",
    [
        "वह आया। वह गई। बारिश हो रही थी।",
        "वह आया | वह गई | बारिश हो रही थी |",
        "وہ آیا۔ وہ گئی۔ بارش ہو رہی تھی۔",
        "እሱ መጣ። እሷ ሄደች። ዝናብ ነበር።",
        "Նա եկավ։ Նա գնաց։ Անձրև էր։",
        "သူလာသည်။ သူသွားသည်။ မိုးရွာသည်။",
        "គាត់បានមក។ នាងបានទៅ។ ភ្លៀងធ្លាក់។",
        "அவன் வந்தான். அவள் போனாள். மழை பெய்தது.",
        "그가 왔다. 그녀가 갔다. 비가 왔다.",
        "Anh ấy đã đến. Cô ấy rất mệt. Trời đổ mưa to.",
    ],
)
def test_running_text_is_recognised_in_all_scripts(line):
    assert are_running_text([line] * 2) == "lines"
    assert are_running_text([line[: len(line) // 2]] * 2) == ""


@pytest.mark.parametrize(
    ("line", "ends"),
    [
        ("It rained . We left", 1),
        ('He said "No!" Was it (late?) Wait… So', 3),
        ("It rained . ", 0),  # blanks at the end are no sentence
        ("It was: 3.5 so", 0),
        ("他来了。她走了？没有", 2),
        ("वह आया। वह गया | बस", 2),
        ("Նա եկավ։ Նա գնաց: Անձրև", 2),
        ("هل جاء؟ نعم۔ ذهب", 2),
        ("ሰላም። ደህና፧ ነው", 2),
    ],
)
def test_ends_of_sentences_within_a_line(line, ends):
    assert ends_within(line) == ends


@pytest.mark.parametrize(
    ("lines", "inner", "several"),
    [
        (["He came. He sat. It rained."] * 2 + ["He came."], True, True),
        (["He came. He sat. It rained."] * 2 + ["He came."] * 2, False, False),
        (["He came. He sat. It rained."] * 3 + ["He came."] * 2, True, True),
        (["See p. 3 and p. 4 there."] * 3, True, False),
        (["He knew. It rained."] * 3, False, True),
        (["He came. He sat. It rained.", "", "He came. He sat. It rained."], True, False),
    ],
)
def test_lines_with_several_sentences(lines, inner, several):
    assert have_inner_ends(lines) is inner
    assert have_several(lines) is several
    ends = sorted(map(ends_within, lines))
    assert (ends[(len(ends) - 1) // 2] >= 2) is inner


LINES = (
    "It rained.",
    "It rained. We sat.",
    "No. So? Yes.",
    "Mr. Hill (a. D.) came",
    "and went",
    "",
)


@given(st.lists(st.sampled_from(LINES), min_size=1, max_size=8))
def test_quick_and_thorough_tests_of_running_text_agree(lines):
    if not may_be_running_text(lines):
        assert width_of_lines(lines) is None
        for check in (are_broken_within_sentences, are_running_text, have_several, have_inner_ends):
            assert not check(lines)


@pytest.mark.parametrize("blank", ["\t", "\N{NO-BREAK SPACE}"])
def test_other_white_space_ends_first_words(blank):
    wrapped = textwrap.wrap(" ".join(PROSE), 60)
    assert width_of_lines([line.replace(" ", blank) for line in wrapped]) == 60
