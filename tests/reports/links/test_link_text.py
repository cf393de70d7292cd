"""Word links on a terminal, pair by pair."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext import Alignment, Bitext, Text
from bitext.errors import InputError
from bitext.reports.links.page import link_lines
from bitext.reports.table import width


def linked(words, src=None, tgt=None):
    alignment = Alignment([((0,), (0,))], attributes={"words": [words]})
    sides = [None if text is None else Text([text]) for text in (src, tgt)]
    return Bitext(*sides, alignment)


def shown(*arguments, **options):
    return list(link_lines(linked(*arguments), **options))


def test_each_source_word_stands_beside_those_it_is_linked_to():
    assert shown("2-1 0-0 2-2p 1-1:0.25", "We fired it", "On l' a cuit", width=70) == [
        "bisegment 0: 3 and 4 words, 3 sure links ■ and 1 possible □",
        "0 We    │ ■··· │ ■ 0 On",
        "1 fired │ ·■·· │ ■ 1 l' (0.25)",
        "2 it    │ ·■□· │ ■ 1 l'  □ 2 a",
        "no link: 3 cuit",
    ]


def test_without_texts_positions_stand_for_words():
    assert shown("10-2 3-0") == [
        "bisegment 0: 2 links ■",
        " 3 │ ■·· │ ■ 0",
        "10 │ ··■ │ ■ 2",
    ]


def test_no_links_and_none_known_are_not_the_same():
    assert shown("", "a", "b") == [
        "bisegment 0: 1 and 1 words, 0 links",
        "0 a │ · │",
        "no link: 0 b",
    ]
    column = {"words": [None, "0-0"]}
    two = Alignment([((0,), (0,)), ((1,), (1,))], attributes=column)
    lines = list(link_lines(Bitext(Text(["a", "c"]), Text(["b", "d"]), two), first=7))
    assert lines[:4] == ["bisegment 7: no word links", "< a", "> b", ""]
    assert lines[4] == "bisegment 8: 1 and 1 words, 1 link ■"


def test_segments_are_named_where_they_have_identifiers():
    alignment = Alignment([((0, 1), (0,))], attributes={"words": ["0-0"]})
    bitext = Bitext(Text(["a", "b"], ids=["s1", "s2"]), Text(["c"], ids=["t9"]), alignment)
    assert next(link_lines(bitext)) == "bisegment 0 (s1 s2 : t9): 2 and 1 words, 1 link ■"


def test_the_matrix_gives_way_where_there_is_no_room():
    words, target = "0-0 1-1 0-39p", " ".join(f"w{k}" for k in range(40))
    assert "·" in "".join(shown(words, "a b", target, width=100))
    narrow = shown(words, "a b", target, width=60)
    assert "·" not in "".join(narrow)
    assert "0 a │ ■ 0 w0  □ 39 w39" in narrow


def test_a_position_far_beyond_the_words_costs_one_row():
    assert shown("0-999999999 999999999-0", "a b", "c") == [
        "bisegment 0: 2 and 1 words, 2 links ■",
        "        0 a │ ■ 999999999",
        "        1 b │",
        "999999999   │ ■ 0 c",
    ]


def test_words_from_right_to_left_are_isolated_and_wide_ones_take_two_columns():
    lines = shown("0-0 1-1", "日本 a", "ארץ b")
    assert lines[1] == "0 日本 │ ■· │ ■ 0 \u2068ארץ\u2069"
    assert lines[2] == "1 a    │ ·■ │ ■ 1 b"


def test_colour_is_beside_the_signs():
    painted = shown("0-0 1-1p", "a b", "c d", colour=True)
    assert "\x1b[32m■\x1b[0m" in painted[1]
    assert [re.sub(r"\x1b\[\d+m", "", line) for line in painted] == shown("0-0 1-1p", "a b", "c d")


WORDS = st.lists(
    st.text(st.sampled_from("aé日א\u202e\x1b\u0301\U0001f469"), min_size=1), min_size=1, max_size=30
)


@given(WORDS, WORDS, st.data(), st.integers(40, 120))
def test_no_line_is_too_wide_and_none_can_steer_the_terminal(src, tgt, data, columns):
    link = st.tuples(st.integers(0, len(src) - 1), st.integers(0, len(tgt) - 1))
    links = data.draw(st.sets(link, max_size=20))
    words = " ".join(f"{i}-{j}" for i, j in sorted(links))
    lines = shown(words, " ".join(src), " ".join(tgt), width=columns)
    assert max(map(width, lines)) <= columns
    assert all(line.translate({0x2068: "", 0x2069: ""}).isprintable() for line in lines)
    assert sum(line.count("■ ") for line in lines[1:]) >= len(links)


def test_what_is_no_list_of_links_is_refused():
    with pytest.raises(InputError, match="'x' is no word link"):
        shown("0-0 x")
