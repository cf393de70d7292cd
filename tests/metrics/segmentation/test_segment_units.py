"""Segmentations over the characters or words of one text that is cut in several ways."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext import Segmentation
from bitext.errors import InputError, OptionError
from bitext.metrics import boundary_f
from bitext.metrics.segmentation import over_units

GOLD, HYP = ["Dr. Smith came.", "He sat."], ["Dr.", "Smith came.", "He sat."]


def test_lines_that_are_cut_otherwise_are_compared_over_characters():
    found = over_units([GOLD, HYP])
    assert found.units == "Dr.Smithcame.Hesat."
    assert list(map(list, found.segmentations)) == [[13, 6], [3, 10, 6]]
    scores = boundary_f(*found.segmentations)
    assert (scores.precision, scores.recall) == (0.5, 1.0)


def test_words_are_those_of_the_first_version_cut_where_another_has_a_boundary():
    found = over_units([GOLD, HYP], units="words")
    assert list(map(list, found.segmentations)) == [[3, 2], [1, 2, 2]]
    inside = over_units([["abc def", "gh"], ["abcd", "ef gh"]], units="words")
    assert inside.units == ("abc", "d", "ef", "gh")
    assert list(map(list, inside.segmentations)) == [[3, 1], [2, 2]]


def test_texts_may_differ_in_some_characters():
    first = ["Er sagte “ja”.", "Gut so, é."]
    found = over_units([first, ['Er sagte "ja".', "Gut", "so, e\u0301."]])
    assert list(map(list, found.segmentations)) == [[12, 8], [12, 3, 5]]
    assert found.matched[0] == 1.0
    assert 0.9 < found.matched[1] < 1.0
    with pytest.raises(InputError, match=r"gold and s differ: .* of their characters match, .*90%"):
        over_units([first, ["Etwas ganz anderes."]], names=["gold", "s"])


def test_composed_and_decomposed_characters_are_the_same():
    found = over_units([["é é", "x"], ["e\u0301", "e\u0301 x"]])
    assert list(map(list, found.segmentations)) == [[2, 1], [1, 2]]
    assert found.matched == (1.0, 1.0)


@given(st.lists(st.text("ab ", min_size=1).filter(str.strip), min_size=1, max_size=5), st.data())
def test_blanks_at_other_places_change_nothing(segments, data):
    line = "".join("".join(segments).split())
    cuts = sorted(data.draw(st.sets(st.integers(1, max(len(line) - 1, 1)), max_size=3)))
    other = [line[a:b] for a, b in zip([0, *cuts], [*cuts, len(line)], strict=True) if a < b]
    found = over_units([segments, other])
    assert found.segmentations[0] == Segmentation([len("".join(s.split())) for s in segments])
    assert found.segmentations[1] == Segmentation(list(map(len, other)))


def test_what_is_wrong_is_told():
    with pytest.raises(OptionError, match="units 'lines' are not known: want one of characters"):
        over_units([GOLD], units="lines")
    with pytest.raises(InputError, match="version 1 has no characters"):
        over_units([GOLD, [" "]])
    with pytest.raises(OptionError, match="min_matched is 2: want a share from 0 to 1"):
        over_units([GOLD], min_matched=2)
    for versions in (["One. Two.", "One. Two."], "ab", {"gold": GOLD}):
        with pytest.raises(InputError, match="a list of segments, not of one string"):
            over_units(versions)
    with pytest.raises(InputError, match="there is no version: want one or more"):
        over_units([])
    assert over_units([iter(GOLD), iter(HYP)]) == over_units([GOLD, HYP])
