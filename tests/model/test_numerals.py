"""Numerals of headings have the values of the numbers that they spell."""

import re

import pytest

from bitext.model.numerals import ROMAN, han_value, roman_value

UNITS, TENS = ("", *"一二三四五六七八九"), ("", "十", *(f"{k}十" for k in "二三四五六七八九"))


def test_chinese_numerals_to_99_count_up_in_both_spellings():
    assert [han_value(f"{tens}{unit}") for tens in TENS for unit in UNITS] == list(range(100))
    digits = [
        f"{k:02}".translate(str.maketrans("0123456789", "〇一二三四五六七八九")) for k in range(100)
    ]
    assert [han_value(numeral) for numeral in digits] == list(range(100))


@pytest.mark.parametrize(
    ("numeral", "value"),
    [
        ("百", 100),
        ("百二十", 120),
        ("二百零五", 205),
        ("两百", 200),
        ("一二三", 123),
        ("零", 0),
        ("１２", 12),
    ],
)
def test_chinese_numerals(numeral, value):
    assert han_value(numeral) == value


def test_roman_numerals_to_399_have_one_spelling_each():
    signs = [
        ("", *["I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX"]),
        ("", *["X", "XX", "XXX", "XL", "L", "LX", "LXX", "LXXX", "XC"]),
    ]
    spelled = [f"{'C' * c}{x}{i}" for c in range(4) for x in signs[1] for i in signs[0]][1:]
    assert [roman_value(numeral) for numeral in spelled] == list(range(1, 400))
    assert all(re.fullmatch(ROMAN, numeral) for numeral in spelled)
    assert not any(re.fullmatch(ROMAN, word) for word in ("", "IIII", "LILI", "IC", "VX"))
