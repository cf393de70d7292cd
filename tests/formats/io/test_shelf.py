"""Values put aside: those that do not fit in memory come back from a file."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext import Text
from bitext.formats.multitexts import Shelf


@given(st.lists(st.tuples(st.text(), st.integers(0, 9))), st.integers(0, 20), st.randoms())
def test_values_come_back_in_any_order(values, most, random):
    with Shelf(most=most) as shelf:
        numbers = [shelf.put(*each) for each in values]
        assert numbers == list(range(len(values))) == list(range(len(shelf)))
        random.shuffle(numbers)
        assert [shelf.get(number) for number in numbers] == [values[n][0] for n in numbers]
        # More are put aside after some were read.
        last = shelf.put("last", 1)
        assert shelf.get(last) == "last"


def test_texts_come_back_with_their_codes():
    text = Text(["Ja.", "Nein."], ids=["a", "b"], lang="de", marked=[None, "<ph>1</ph>Nein."])
    with Shelf(most=0) as shelf:
        back = shelf.get(shelf.put(text, 2))
    assert (back, back.lang, list(back.marked)) == (text, "de", [None, "<ph>1</ph>Nein."])


def test_an_unknown_number_is_refused():
    with Shelf() as shelf, pytest.raises(KeyError, match="3"):
        shelf.get(3)
