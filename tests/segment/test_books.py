from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext.segment.books import (
    Decision,
    Passages,
    blocks_of,
    chapters_of,
    paragraphs_of,
    unwrapped,
    with_breaks,
)
from bitext.segment.sentences.running_text import sentences_by_line, split_sentences
from bitext.segment.sentences.splitter import SentenceSplitter

split = partial(split_sentences, splitter=SentenceSplitter("zh"))


def lines(raw):
    parts = raw.split("\n")
    return [f"{line}\n" for line in parts[:-1]] + ([parts[-1]] if parts[-1] else [])


def starts_with(*signs):
    """Paragraphs start at sentences with one of the signs; the chance goes by the length."""

    def decide(sentences, kept):
        starts = np.array([any(sign in s for sign in signs) for s in sentences], dtype=bool)
        return Decision(starts | kept, np.array([1 / len(s) for s in sentences]))

    return decide


def divided(raw, *, keep=True, by_line=False, window=1 << 20, overlap=2, signs=("甲",), most=1000):
    decide = starts_with(*signs)
    passages = Passages(split, decide, keep=keep, window=window, overlap=overlap, most=most)
    return list(passages.over(blocks_of(lines(raw), by_line=by_line, longest=window)))


def written(raw, *, keep=True, by_line=False, **options):
    found = divided(raw, keep=keep, by_line=by_line, **options)
    return "".join(with_breaks(each, by_line=by_line, forget=not keep) for each in found)


@pytest.mark.parametrize(
    ("raw", "kept", "forgotten"),
    [
        ("一。甲。二。", "一。\n\n甲。二。", "一。\n\n甲。二。"),
        ("一。 甲。", "一。 \n\n甲。", "一。 \n\n甲。"),
        ("一。\n甲。\n二。\n", "一。\n\n甲。\n二。\n", "一。\n\n甲。\n二。\n"),
        ("一。\n  甲。", "一。\n\n  甲。", "一。\n\n  甲。"),
        ("一。\n\n二。\n \n甲。\n", "一。\n\n二。\n \n甲。\n", "一。\n二。\n \n甲。\n"),
        ("一，\n\n二。三。", "一，\n\n二。三。", "一，\n二。三。"),
        ("一。\n* * *\n\n二。", "一。\n* * *\n\n二。", "一。\n* * *\n\n二。"),
        ("\n\n一。\n\n", "\n\n一。\n\n", "\n\n一。\n\n"),
        ("", "", ""),
        (" \n", " \n", " \n"),
    ],
)
def test_breaks_are_added_and_nothing_else_changes(raw, kept, forgotten):
    assert written(raw) == kept
    assert written(raw, keep=False) == forgotten


def test_lines_end_as_in_the_book():
    (found,) = divided("一。\r\n甲。二。")
    assert with_breaks(found, end="\r\n", forget=False) == "一。\r\n\r\n甲。二。"


def test_paragraphs_may_be_lines():
    assert written("一。甲。\n二。\n", by_line=True) == "一。\n甲。\n二。\n"
    assert written("一。甲。\n二。\n", by_line=True, keep=False) == "一。\n甲。 二。\n"


texts = st.text("一甲。？” \n\t", max_size=60)


@given(texts, st.booleans())
def test_text_comes_back_when_the_breaks_are_taken_out(raw, by_line):
    out = written(raw, by_line=by_line)
    at = 0
    for sign in out:
        if raw[at : at + 1] == sign:
            at += 1
        else:
            assert sign == "\n"
    assert at == len(raw)
    assert "".join(written(raw, by_line=by_line, keep=False).split()) == "".join(raw.split())


WINDOWS = st.fixed_dictionaries(
    {"window": st.sampled_from([*range(6, 31), 1 << 20]), "most": st.sampled_from([5, 9, 1000])}
)


@given(st.lists(st.sampled_from("一二甲"), min_size=1, max_size=60), WINDOWS)
def test_windows_decide_as_the_whole_does(parts, windows):
    raw = "".join(f"{part}。\n" for part in parts)
    whole = [bool(x) for p in divided(raw) if p.decision for x in p.decision.starts]
    found = divided(raw, **windows)
    starts = [bool(x) for p in found if p.decision for x in p.decision.starts]
    assert starts == whole
    assert "".join(p.raw for p in found) == raw
    assert written(raw, **windows) == written(raw)
    chances = [x for p in found if p.decision for x in p.decision.confidence.tolist()]
    assert chances == [0.5] * len(parts)


@given(st.lists(st.sampled_from(["一。", "二，", "甲。", "\n\n"]), max_size=40), WINDOWS)
def test_breaks_that_are_kept_part_sentences_in_windows_too(parts, windows):
    raw = "".join(parts)
    found = divided(raw, **windows)
    assert "".join(p.raw for p in found) == raw
    sentences = [s for p in found if p.spans for s in p.spans.sentences]
    assert not any(" " in sentence for sentence in sentences)
    assert "".join(sentences) == "".join(raw.split())
    assert written(raw, **windows) == written(raw)
    starts = [bool(x) for p in found if p.decision for x in p.decision.starts]
    whole = [bool(x) for p in divided(raw) if p.decision for x in p.decision.starts]
    assert starts == whole


@given(st.lists(st.sampled_from(["一。", "二。\n", "甲。"]), max_size=40), WINDOWS)
def test_text_without_line_ends_is_the_same_in_windows(parts, windows):
    raw = "".join(parts)
    whole, found = (map(unwrapped, divided(raw, **each)) for each in ({}, windows))
    assert "".join(found) == "".join(whole)


def test_of_a_sentence_that_goes_on_nothing_is_decided():
    raw = "一。" * 8 + "二，" * 4 + "甲。"
    assert written(raw, window=6) == written(raw) == "一。" * 8 + "\n\n" + "二，" * 4 + "甲。"


def test_sentences_with_a_break_within_are_whole_when_breaks_are_forgotten():
    found = divided("一，\n\n二。", keep=False)
    assert [s for p in found for s in p.spans.sentences] == ["一， 二。"]


def test_a_window_is_cut_before_a_paragraph():
    raw = "一。甲。二。二。" * 3
    found = [p.spans.sentences for p in divided(raw, window=8) if p.spans is not None]
    assert len(found) > 1
    assert all(sentences[0] in {"一。", "甲。"} for sentences in found)


def test_a_sentence_longer_than_a_window_is_whole():
    raw = "一" * 100 + "。甲。"
    found = divided(raw, window=8)
    assert [s for p in found for s in p.spans.sentences] == ["一" * 100 + "。", "甲。"]


def noting(sizes):
    """Return what decides breaks, and notes of how many sentences at once."""

    def decide(sentences, kept):
        sizes.append(len(sentences))
        return starts_with("甲")(sentences, kept)

    return decide


def test_memory_is_that_of_a_window():
    sizes = []
    decide = noting(sizes)
    passages = Passages(split, decide, window=100, overlap=4)
    raw = "一。甲。" * 2000
    blocks = blocks_of([f"{raw[k : k + 40]}\n" for k in range(0, len(raw), 40)], longest=50)
    out = [len(passage.raw) for passage in passages.over(blocks)]
    assert sum(out) == len(raw) + len(raw) // 40
    assert max(out) < 300
    assert max(sizes) < 120


def test_very_short_sentences_are_decided_so_many_at_a_time():
    sizes = []
    decide = noting(sizes)
    passages = Passages(split, decide, overlap=4, most=50)
    raw = "一。甲。" * 200
    found = list(passages.over(blocks_of([raw])))
    assert "".join(passage.raw for passage in found) == raw
    assert (max(sizes), sum(len(p.spans.sentences) for p in found)) == (50, 400)


def test_paragraphs_are_spans_over_sentences():
    (found,) = divided("一。二。甲。二。")
    assert paragraphs_of(found) == [(0, 2), (2, 4)]


def test_breaks_are_hidden_when_the_sentences_of_a_chapter_are_found():
    book = "CHAPTER I\n\n一。二，\n\n三。\n\n四。\n\n* * *\n\n五。\n"
    found = list(chapters_of(blocks_of(lines(book)), split))
    assert [(c.name, c.sentences, c.starts.tolist(), c.lost) for c in found] == [
        ("CHAPTER I", ["一。", "二， 三。", "四。"], [0, 2], 1),
        ("CHAPTER I (2)", ["五。"], [0], 0),
    ]


def test_sentences_may_be_lines():
    found = list(chapters_of(blocks_of(lines("A b\nC d\n\nE f\n")), sentences_by_line))
    assert [(c.name, c.sentences, c.starts.tolist()) for c in found] == [
        ("chapter-1", ["A b", "C d", "E f"], [0, 2])
    ]
