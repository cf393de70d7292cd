from __future__ import annotations

import re
import unicodedata

from hypothesis import assume, given
from hypothesis import strategies as st

from bitext.reports.lettering import cut, em_width, visible

UNSEEN = {"Cc", "Zl", "Zp", "Cs"}


@given(st.text(st.characters(exclude_categories=[])))
def test_what_is_made_visible_can_be_written_and_steers_nothing(text):
    shown = visible(text)
    shown.encode("utf-8")
    assert not {unicodedata.category(sign) for sign in shown} & UNSEEN
    assert not set(shown) & set(
        "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f"
    )
    assert visible(shown) == shown


def stacks(text):
    """Return how many marks stand upon each sign, joiners set aside."""
    bare = text.replace("\u200c", "").replace("\u200d", "")
    signs = "".join("m" if unicodedata.category(sign) in {"Mn", "Me"} else " " for sign in bare)
    return [len(run) for run in signs.split()]


@given(st.text(st.characters(categories=["L", "N", "P", "S", "M"])))
def test_words_stay_as_they_are(text):
    assume(max(stacks(text), default=0) <= 4)
    assert visible(text) == text


@given(
    st.lists(
        st.one_of(st.sampled_from("ab\u093e\u200d\n"), st.text("\u0301\u0489\u200d", min_size=3))
    )
)
def test_marks_do_not_stack_higher_than_four_and_the_others_are_counted(parts):
    text = "".join(parts)
    shown = visible(text)
    found = stacks(text)
    assert stacks(shown) == [min(height, 4) for height in found]
    counts = [int(count) for count in re.findall(r"\[\+(\d+) marks?\]", shown)]
    assert counts == [height - 4 for height in found if height > 4]
    assert re.sub(r"\[\+\d+ marks?\]", "", shown).count("a") == text.count("a")
    assert visible(shown) == shown


def test_joiners_and_number_signs_stay():
    for text in ("می‌خواهم", "क्‍ष", "\u0600١٢", "👩‍👩‍👧"):
        assert visible(text) == text


def test_controls_become_pictures():
    assert visible("a\x00\n\x7f\x85") == "a␀␊␡[U+0085]"
    assert visible("\ud800\ufffe\u2028\u2029\ufeff") == "\ufffd\ufffd[U+2028][U+2029][U+FEFF]"


def test_width_of_wide_narrow_and_combined():
    assert em_width("日本") == 2
    assert em_width("e\u0301") == em_width("é") == em_width("e")
    assert em_width("👩‍👩‍👧") == em_width("👍🏽") == em_width("🇫🇷") == 1
    assert em_width("illi") < em_width("aaaa") < em_width("WWWW")
    assert em_width("") == 0


@given(st.text(), st.floats(1, 30))
def test_what_is_cut_fits_and_nothing_else_is_cut(text, limit):
    shown = cut(text, limit)
    if shown == text:
        assert em_width(text) <= limit
    else:
        assert shown[-1] == "…"
        assert text.startswith(shown[:-1])
        assert em_width(shown) <= max(limit, em_width("…"))


def test_a_long_word_is_cut_without_measuring_all_of_it_and_no_letter_loses_its_mark():
    assert len(cut("x" * 1_000_000, 10)) < 20
    for limit in range(2, 8):
        assert not cut("e\u0301" * 20, limit).endswith("e…")
        assert not cut("का" * 20, limit + 1).endswith("क…")  # a mark that takes room
    assert cut("e\u0301" * 5, 5) == "e\u0301" * 5
    assert cut("l" + "\u0301" * 30, 1) == "l" + "\u0301" * 30


def test_of_a_letter_with_more_marks_than_anyone_measures_the_letter_is_kept():
    assert cut("e" + "\u0301" * 5_000, 6) == "e" + "\u0301" * 4 + "…"
    assert cut("ab" + "\u0301" * 5_000, 6) == "a…"
