from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext.align.sentences import align_sentences
from bitext.align.tagged_lines import Untagged, seen_without_tags
from bitext.model import Text
from reference.translated_texts import sentences


def bare(*lines):
    return list(Untagged(Text(lines)).segments())


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
    assert bare(line) == [seen]


@given(st.text(alphabet="<>/ab !-", max_size=30))
def test_what_is_seen_is_a_part_and_has_no_more_to_leave_out(line):
    seen = bare(line)[0]
    assert seen in line
    assert bare(seen) in ([seen], [seen.strip()])


@given(st.text(alphabet="ab .", min_size=1).filter(str.strip), st.integers(0, 3))
def test_tags_that_are_put_about_a_sentence_are_left_out_again(words, times):
    line = "<p class='x'>" * times + words + "</p>" * times
    assert bare(line)[0].strip() == words.strip()


def test_only_texts_with_many_tags_are_seen_without():
    few = Text(["<i>One</i>", "two", "three"])
    assert seen_without_tags(few) is few
    assert seen_without_tags(Text([])).segments is not None
    many = seen_without_tags(Text(["<p>One</p>", "<p>two</p>", "three"]))
    assert list(many.segments(1)) == ["two", "three"]
    assert len(many) == 3


def test_lines_of_very_many_tags():
    # In quadratic time this would take minutes.
    assert bare("<p>" * 100_000 + "x" + "</p>" * 100_000) == ["x"]
    assert bare("<" * 500_000) == ["<" * 500_000]
    assert bare("a<b" * 200_000 + ">")[0].startswith("a<b")


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
