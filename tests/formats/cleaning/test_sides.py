"""Classes of characters, of which ranges are looked up by one of their characters."""

import sys
import unicodedata
from functools import cache

import numpy as np
import pytest
import regex

from bitext.formats.cleaning import in_categories, of_script

WHITE = {*map(chr, [*range(9, 14), *range(0x1C, 0x20), 0x85])}


def test_every_character_has_its_category():
    characters = list(map(chr, range(sys.maxunicode + 1)))
    categories = np.array([*map(unicodedata.category, characters)])
    for name in np.unique(categories).tolist():
        wanted = categories == name
        if name == "Cc":
            wanted &= ~np.isin(np.arange(wanted.size), [*map(ord, WHITE)])
        assert (in_categories(name) == wanted).all(), name
    assert {characters[k] for k in np.flatnonzero(in_categories("Zc"))} == WHITE


@cache
def _letters():
    characters = map(chr, range(sys.maxunicode + 1))
    return [c for c in characters if unicodedata.category(c)[0] == "L"]


@pytest.mark.parametrize("name", ["Latin", "Han", "Hangul", "Common", "Cyrillic", "Hiragana"])
def test_every_letter_of_a_script_is_found(name):
    pattern = regex.compile(rf"\p{{Script={name}}}")
    wanted = {ord(c) for c in _letters() if pattern.match(c)}
    assert set(np.flatnonzero(of_script(name)).tolist()) == wanted
