import math
from dataclasses import replace

import numpy as np
import pytest

from bitext import Alignment, Bitext
from bitext.errors import InputError
from bitext.formats.line_files import (
    first_repeat,
    flat,
    flat_all,
    grouped,
    has_breaks,
    head_lines,
    line_chunks,
    one_pair,
    split_lines,
)
from bitext.formats.registry import ReadOptions
from bitext.formats.scores import known_scores, score_of, spell_score, spell_scores
from formats.samples import opened


def test_only_lf_and_crlf_end_a_line():
    assert split_lines("a\x0b\x0c\x1c\x85\u2028b\r\nc\rd\n\n") == [
        "a\x0b\x0c\x1c\x85\u2028b",
        "c\rd",
        "",
    ]
    assert split_lines("") == []


@pytest.mark.parametrize(
    ("text", "score"),
    [
        ("0.5", 0.5),
        (" -1e3 ", -1000),
        ("+.5", 0.5),
        ("5.", 5),
        ("INF", math.inf),
        ("-Infinity", -math.inf),
    ],
)
def test_scores(text, score):
    assert score_of(text) == score


@pytest.mark.parametrize("text", ["1_0", "0x1", "1,5", "٣", "1 2", "infinit", "--1", "e5", "\t1"])
def test_what_is_no_score(text):
    assert score_of(text) is None


def test_blanks_and_nan_are_no_score():
    assert math.isnan(score_of(""))
    assert math.isnan(score_of("-nan"))
    assert spell_score(math.nan) == ""
    assert known_scores([math.nan, math.nan]) is None
    assert known_scores([1, math.nan])[0] == 1


def test_a_segment_on_one_line():
    assert flat("a\tb\r\nc\rd\n\u2028\x0b") == "a b c d \u2028\x0b"


def test_head_lines_leave_out_a_torn_one():
    assert head_lines(b"\xef\xbb\xbfa\r\nb\nc") == ["a", "b"]
    assert head_lines(b"a") == ["a"]
    assert head_lines("a\tb\n".encode("utf-16")) == ["a\tb"]
    assert head_lines(b"\xff\n") == ["\ufffd"]
    assert head_lines(b"") == [""]


def test_lines_in_chunks_and_items_in_groups():
    content = "a\r\nb\n\nd\ne"
    options = ReadOptions(parts=True, part_size=2)
    chunks = list(line_chunks(opened(content), options))
    assert chunks == [(1, ["a", "b"]), (3, ["", "d"]), (5, ["e"])]
    assert list(grouped(range(4), options)) == [[0, 1], [2, 3]]
    assert list(grouped([], options)) == list(grouped([], ReadOptions())) == [[]]
    assert list(line_chunks(opened(content), ReadOptions())) == [(1, ["a", "b", "", "d", "e"])]
    assert list(grouped(range(4), ReadOptions())) == [[0, 1, 2, 3]]


def test_many_at_once():
    assert flat_all(["a\r\nb", None, "c"]) == ["a b", "", "c"]
    assert flat_all(["a", None]) == ["a", ""]
    assert not has_breaks(["a\x0b", "\u2028"])
    assert has_breaks(["a", "\r"])
    assert spell_scores(np.array([0.5, math.nan, -math.inf])) == ["0.5", "", "-inf"]


def test_first_repeat():
    assert first_repeat([1, 2, 3, 2, 1]) == 2


def test_one_pair():
    part = Bitext(None, None, Alignment([((0,), (0,))]))
    more = replace(part, continues=True)
    assert list(one_pair([], "x")) == []
    assert list(one_pair([part, more, more], "x")) == [part, more, more]
    with pytest.raises(InputError, match="x holds one document pair a file, and here are 2"):
        list(one_pair([part, more, part], "x"))


@pytest.mark.parametrize("text", ["1e999", "-1e999", "9" * 400, "٣.٥", "1_0", "0x1"])
def test_what_no_number_can_hold_is_no_score(text):
    assert score_of(text) is None
