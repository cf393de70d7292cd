import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext.align.words.options import choose, normaliser
from bitext.model.sentence import folded

WAYS = ("NFC", "NFD")


@given(st.text())
def test_folding_is_blind_to_composition_and_case_and_done_once(text):
    whole = folded(text)
    assert folded(whole) == whole
    assert {folded(unicodedata.normalize(way, text)) for way in WAYS} == {whole}
    assert folded(text.casefold()) == whole


def test_marks_are_ordered_before_letters_are_folded():
    # An iota below the letter becomes a letter of its own, and the accent is not to land on it.
    assert folded("\u03b1\u0345\u0301") == folded("\u1fb4") == "\u03ac\u03b9"


def test_what_folding_tells_apart():
    assert folded("can’t") == folded("Can't") == "can't"
    assert folded("cafe") != folded("café")
    assert folded("ﬁ") == "fi"  # casefolding takes ligatures apart
    assert folded("①") != folded("1")  # but nothing else that only looks alike


@pytest.mark.parametrize("forms", ["porter", "snowball"])
def test_stems_are_of_folded_words(forms):
    stem = normaliser(forms)
    assert stem("don’t") == stem("Don't")
    assert stem("Cafe\u0301s") == stem("caf\u00e9s")


def test_stop_lists_are_folded_too():
    options = choose("V3", stop_words={"de\u0301ja\u0300"})
    assert options.left_out("D\u00c9J\u00c0") == "stop word"
    assert options.stop_words == {"d\u00e9j\u00e0"}
