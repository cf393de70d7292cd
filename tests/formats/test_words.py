import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext.errors import InputError
from bitext.formats import words
from bitext.formats.words import Link

position = st.integers(0, 40) | st.integers(0, words.MOST)
confidence = st.none() | st.floats(allow_nan=False, allow_infinity=False)
links = st.lists(st.builds(Link, position, position, st.booleans(), confidence), max_size=8)


@given(links)
def test_what_is_spelled_is_parsed(found):
    assert words.parse(words.spell(found)) == found
    assert words.parse(words.swapped(words.swapped(words.spell(found)))) == found


def test_spellings():
    assert words.parse("") == words.parse(" \t") == []
    assert words.parse(" 0-0\t1p2  2?1 7-3p:1e-3 ") == [
        Link(0, 0),
        Link(1, 2, possible=True),
        Link(2, 1, possible=True),
        Link(7, 3, possible=True, confidence=0.001),
    ]
    assert words.parse("00-010") == [Link(0, 10)]


@pytest.mark.parametrize(
    "text",
    ["0", "0-", "-1-0", "0-1-2", "a-b", "0p1p", "0-1:", "0-1:x", "0-1:nan", "0-1:1e999", "٣-٣",
     "1000000000-0", "0\u00a0-1", "0 - 1", "0--1", "0-1P", "0-1,2-3"],
)  # fmt: skip
def test_what_is_no_link(text):
    with pytest.raises(InputError, match=r"is no word link; want|beyond all numbers"):
        words.parse(f"0-0 {text}")


@given(st.lists(st.builds(Link, st.integers(0, 2), st.integers(0, 2), st.booleans())))
def test_repeats(found):
    kept = words.distinct(found)
    assert {link[:2] for link in kept} == {link[:2] for link in found}
    assert len(kept) == len({link[:2] for link in found})
    for link in kept:
        equal = [other for other in found if other[:2] == link[:2]]
        assert link.possible == all(other.possible for other in equal)


def test_beyond():
    found = words.parse("0-0 2-1 1-4")
    assert words.beyond(found, 3, 5) is None
    assert words.beyond(found, 2, 2) == Link(2, 1)
    assert words.beyond(found, None, 4) == Link(1, 4)
    assert words.beyond(found, None, None) is None


@given(st.text("ab \t\r\n\x0b\x0c\x85\u00a0\u2028\u3000"))
def test_words_are_parted_at_blanks_only(side):
    want, word = [], ""
    for character in side + " ":
        if character in " \t\r\n":
            want += [word] if word else []
            word = ""
        else:
            word += character
    assert words.tokens(side) == want
