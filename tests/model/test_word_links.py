import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext import Alignment
from bitext.errors import InputError
from bitext.model import word_links as words
from bitext.model.word_links import Link

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


plain_link = st.builds(Link, position, position, st.booleans(), st.none())
plain = st.lists(st.lists(plain_link, max_size=5))


@given(plain)
def test_lines_of_ordinary_spelling_are_read_in_bulk_as_one_by_one(rows):
    text = "\n".join(["", *map(words.spell, rows), ""])
    found = words.plain_links(text)
    flat = [link for row in rows for link in row]
    assert found.counts.tolist() == [len(row) for row in rows]
    assert found.src.tolist() == [link.src for link in flat]
    assert found.tgt.tolist() == [link.tgt for link in flat]
    assert found.possible.tolist() == [link.possible for link in flat]


@given(st.lists(st.text("01p?-: .", max_size=8), max_size=4))
def test_bulk_reading_takes_nothing_that_is_no_link(lines):
    found = words.plain_links("\n".join(["", *lines, ""]))
    if found is not None:
        rows = [words.parse(line) for line in lines]
        assert found.counts.tolist() == [len(row) for row in rows]
        assert found.possible.tolist() == [link.possible for row in rows for link in row]


@given(st.lists(links, max_size=5))
def test_word_links_are_the_distinct_ones_in_order(rows):
    found = words.WordLinks.parse([words.spell(row) for row in rows])
    kept = [sorted(words.distinct(row)) for row in rows]
    assert [words.parse(value) for value in found.spell()] == kept
    assert found.swapped().swapped() == found
    assert len(found) == len(rows)
    assert [len(pair.src) for pair in found] == [len(row) for row in kept]
    assert words.WordLinks.join(list(found)) == found if rows else True


def test_word_links_beyond_their_sentence_are_refused():
    with pytest.raises(InputError, match=r"sentence pair 1 links target word 3 .* has 3 words"):
        words.WordLinks.parse(["0-0", "0-3"], tgt_sizes=[1, 3])
    sized = words.WordLinks.parse(["0-0", "0-3p"]).with_sizes([1, 1], [1, 4])
    assert (sized.tgt_sizes.tolist(), sized.spell()) == ([1, 4], ["0-0", "0-3p"])
    with pytest.raises(InputError, match=r"sentence pair 1 links target word 3 .* has 3 words"):
        sized.with_sizes([1, 1], [1, 3])
    with pytest.raises(InputError, match=r"sentence pair 1 \(from 0\): 'x' is no word link"):
        words.WordLinks.parse(["0-0", "0-0 x"])


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (None, "the links are None: want a string for each sentence pair"),
        ("", "the links are '': want a string for each sentence pair"),
        (["0-0", [(0, 1)]], r"sentence pair 1 \(from 0\): \[\(0, 1\)\] is no string"),
    ],
)
def test_links_are_strings(values, message):
    with pytest.raises(InputError, match=message):
        words.WordLinks.parse(values)


@pytest.mark.parametrize(
    ("src", "given", "message"),
    [
        ([0, 1.5], {}, "the source positions are float64: want integers"),
        ([False, True], {}, "the source positions are bool: want integers"),
        ([0, 1], {"sure": ["S", "P"]}, "the marks of sure links are <U1: want True or False"),
        ([0, 1], {"sure": [0, 2]}, "the marks of sure links are int64: want True or False"),
        ([0, 1], {"src_sizes": [2.5]}, "the numbers of words are float64: want integers"),
    ],
)
def test_arrays_that_numpy_would_convert_are_refused(src, given, message):
    with pytest.raises(InputError, match=message):
        words.WordLinks([0, 2], src, [0, 1], **given)
    assert words.WordLinks([0, 2], [0, 1], [0, 1], sure=[1, 0]).spell() == ["0-0 1-1p"]
    with pytest.raises(InputError, match="the indices of pairs are bool: want integers"):
        words.WordLinks.parse(["0-0", "1-1"]).take([False, True])
    with pytest.raises(InputError, match="the values of a mask are int64: want True or False"):
        words.WordLinks.parse(["0-0 1-1 2-2"]).where([0, 1, 2])
    assert words.WordLinks.parse(["0-0 1-1 2-2"]).where([1, 0, 1]).spell() == ["0-0 2-2"]


def test_words_without_a_link_are_linked_to_none():
    found = words.WordLinks.parse(["0-0", ""], src_sizes=[2, 1], tgt_sizes=[1, 1]).with_null()
    rows = zip(found.pair.tolist(), found.src.tolist(), found.tgt.tolist(), strict=True)
    assert list(rows) == [(0, 0, 0), (0, 1, -1), (1, -1, 0), (1, 0, -1)]
    assert found.sure.tolist() == [True, False, False, False]
    assert found.without_null().spell() == ["0-0", ""]


def test_exchanging_the_sides_of_an_alignment_exchanges_its_word_links():
    rows = [0, 1], [0]
    found = Alignment.from_arrays(rows, rows, attributes={"words": ["0-1 2-0p"], "n": ["0-1"]})
    assert found.swapped().attributes == {"words": ["1-0 0-2p"], "n": ["0-1"]}
    other = Alignment.from_arrays(rows, rows, attributes={"words": ["12"]})
    assert other.swapped().attributes == {"words": ["12"]}


def test_parts_are_joined_where_only_some_have_confidences_or_sizes():
    plain = words.WordLinks.parse(["0-0 1p1", ""])
    sized = words.WordLinks.parse(["0-1:0.5"], src_sizes=[1], tgt_sizes=[4])
    found = words.WordLinks.join([plain, sized, plain])
    assert found.spell() == ["0-0 1-1p", "", "0-1:0.5", "0-0 1-1p", ""]
    assert found.src_sizes.tolist() == [-1, -1, 1, -1, -1]
    assert found.tgt_sizes.tolist() == [-1, -1, 4, -1, -1]
    assert words.WordLinks.join([plain, plain]).confidences is None
    assert len(words.WordLinks.join([])) == 0


@pytest.mark.parametrize("pair", [1, 7, -2])
def test_pairs_that_are_taken_exist(pair):
    with pytest.raises(InputError, match=f"there is no sentence pair {pair} among 1"):
        words.WordLinks.parse(["0-0"]).take([pair])


def test_masked_values_are_refused():
    masked = np.ma.array([0, 1], mask=[0, 1])
    for columns in (([0, 2], masked, [0, 1]), ([0, 2], [0, 1], masked)):
        with pytest.raises(InputError, match="has masked values"):
            words.WordLinks(*columns)
    with pytest.raises(InputError, match="has masked values"):
        words.WordLinks([0, 2], [0, 1], [0, 1], confidences=masked)
