from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext.align.sentences import align_sentences
from bitext.align.sentences.cleaning import (
    with_plain_tags,
    without_end_tags,
    without_tags,
    without_useless_tags,
)
from bitext.model import Text
from reference.translated_texts import sentences


@pytest.mark.parametrize(
    ("line", "seen"),
    [
        ("<p>It rained.</p>", "It rained."),
        (" <s id='1'> It rained. </s> ", "It rained."),
        ("<p><b>It</b> rained.<br/></p>", "It</b> rained."),
        ("<!-- 7 -->It rained.", "It rained."),
        ("It rained.</p>", "It rained."),
        ("<p>a < b > c</p>", "a < b > c"),
        ("1 < 2", "1 < 2"),
        ("<3 and 2>", "<3 and 2>"),
        ("<hr/>", "<hr/>"),
        ("<p></p>", "<p></p>"),
        ("", ""),
        ("<p", "<p"),
    ],
)
def test_tags_at_the_ends_are_not_seen(line, seen):
    assert without_end_tags(line) == seen


@given(st.text(alphabet="<>/ab !-", max_size=30))
def test_what_is_seen_is_a_part_and_has_no_more_to_leave_out(line):
    seen = without_end_tags(line)
    assert seen in line
    assert without_end_tags(seen) in (seen, seen.strip())


@given(st.text(alphabet="ab .", min_size=1).filter(str.strip), st.integers(0, 3))
def test_tags_that_are_put_about_a_sentence_are_left_out_again(words, times):
    line = "<p class='x'>" * times + words + "</p>" * times
    assert without_end_tags(line).strip() == words.strip()


def test_only_texts_with_many_tags_are_seen_without():
    few = Text(["<i>One</i>", "two", "three"])
    assert list(without_useless_tags(few, few)[0].segments()) == ["<i>One</i>", "two", "three"]
    none = Text([])
    assert without_useless_tags(none, none) == [none, none]
    many = without_useless_tags(Text(["<p>One</p>", "<p>two</p>", "three"]), few)[0]
    assert list(many.segments(1)) == ["two", "three"]
    assert len(many) == 3


def test_tags_that_the_other_text_has_not_are_not_seen_anywhere():
    sum_ = "1 < 2 and 3 > 2, <name of one>"
    tagged = Text(["It <b>rained</b> <a href='x'>here</a>.<!-- 1 -->", "<hr/>", sum_, "", "<b>"])
    plain = Text(["It rained here.", "a < b"])
    bare, same = without_useless_tags(tagged, plain)
    assert same is plain
    assert list(bare.segments()) == ["It rained here.", "<hr/>", sum_, "", "<b>"]
    assert (len(bare), list(bare.segments(1, 2))) == (5, ["<hr/>"])
    assert without_useless_tags(plain, tagged)[0] is plain
    both = without_useless_tags(tagged, Text(["Il <b>pleut</b>.", "a", "b", "c", "d"]))
    assert next(both[0].segments()) == "It <b>rained</b> <a>here</a>.<!-- 1 -->"


@pytest.mark.parametrize(
    ("line", "seen"),
    [
        ('<a href="x" title="y">It</a> rained.', "<a>It</a> rained."),
        ("<x id='1'/> and <ph name='y' />", "<x id='1'/> and <ph name='y' />"),
        ("<p id='1'>", "<p id='1'>"),
        ("a < b and c > d, b <c and d>", "a < b and c > d, b <c and d>"),
        ("by <name of author>, <year>", "by <name of author>, <year>"),
        ("<a href=http://x.org/y>It</a> <a href = 'y'\n>rained</a>", "<a>It</a> <a>rained</a>"),
        ("It rained.", "It rained."),
    ],
)
def test_tags_that_both_texts_have_are_seen_without_attributes(line, seen):
    assert with_plain_tags(line) == seen


@given(st.text(alphabet="<>/ab !-", max_size=30))
def test_what_is_seen_without_tags_is_less_and_never_nothing(line):
    seen = without_tags(line)
    assert seen == line or (seen.strip() and len(seen) < len(line) and "<" in line)


def test_lines_of_very_many_tags():
    # In quadratic time this would take minutes.
    for seen in (without_end_tags, without_tags, with_plain_tags):
        assert seen("<p>" * 50_000 + "x" + "</p>" * 50_000).strip("</p>") == "x"
        assert seen("<" * 250_000) == "<" * 250_000
        assert seen("a<b" * 100_000 + ">").startswith("a<b")
        assert seen("<a " * 100_000 + ">").startswith("<a")
        assert seen("<a b=c" * 50_000 + ">").startswith("<a")
        assert seen("<a" + " b=c" * 50_000).startswith("<a")
        assert seen("<a b" + " " * 250_000).startswith("<a")


def test_a_text_in_tags_is_aligned_as_without():
    pairs = sentences(120, seed=8, names=0.3)
    src = [a for k, (a, _) in enumerate(pairs) if k % 11]
    tgt = [b for k, (_, b) in enumerate(pairs) if k % 13]
    plain = list(align_sentences(Text(src), Text(tgt)))
    tagged = Text([f'<s id="{k}">{line}</s>' for k, line in enumerate(tgt)])
    found = list(align_sentences(Text([f"<p>{line}</p>" for line in src]), tagged))
    assert [(list(b.src), list(b.tgt)) for b in found] == [
        (list(b.src), list(b.tgt)) for b in plain
    ]


def test_a_text_beside_one_with_tags_in_its_sentences():
    pairs = sentences(120, seed=8, names=0.3)
    src = [a for k, (a, _) in enumerate(pairs) if k % 11]
    tgt = [b for k, (_, b) in enumerate(pairs) if k % 13]
    wanted = align_sentences(Text(src), Text(tgt))
    links = [
        line.replace(" ", f" <a href='http://example.org/{k}'>", 1) + "</a>" * (" " in line)
        for k, line in enumerate(tgt)
    ]
    assert align_sentences(Text(src), Text(links)) == wanted
    both = [
        Text([f"See <b {extra * (k % 7)}>it</b>: {line}" for k, line in enumerate(side)])
        for side, extra in ((src, "x"), (tgt, "y"))
    ]
    plain = [Text([f"See <b>it</b>: {line}" for line in side]) for side in (src, tgt)]
    assert align_sentences(*both) == align_sentences(*plain)
