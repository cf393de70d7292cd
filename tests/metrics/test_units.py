import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext.errors import InputError, OptionError
from bitext.metrics.units import (
    CHARACTERS,
    WORDS,
    counter_name,
    is_space,
    lengths_in,
    words_by_space,
)
from bitext.model import Text

ANYTHING = st.text(
    st.one_of(st.sampled_from("ab \t\n\r\x1c\x85\xa0\u2028\u3000é"), st.characters())
)


@given(ANYTHING)
def test_white_space_is_that_of_str(line):
    assert is_space(line).tolist() == [c.isspace() for c in line]


def test_every_white_space_there_is_is_known():
    every = "".join(c for c in map(chr, range(0x110000)) if c.isspace())
    assert is_space(every).all()
    none = "".join(map(chr, range(0x10000, 0x110000)))
    assert not is_space(none).any()


@given(st.lists(ANYTHING, max_size=6), st.sampled_from([1, 7, 1 << 22]))
def test_words_by_space_are_those_of_split(segments, chunk):
    expected = [len(s.split()) for s in segments]
    assert words_by_space(Text(segments), at_once=chunk).tolist() == expected
    assert lengths_in(Text(segments), "space", WORDS).tolist() == expected


@given(st.text("ab ", max_size=20), st.lists(st.integers(0, 20), max_size=8))
def test_words_are_counted_within_segments_that_cut_a_line_anywhere(line, places):
    cuts = sorted(min(p, len(line)) for p in places)
    text = Text.from_offsets(line, cuts[:-1:2], cuts[1::2])
    assert lengths_in(text, "space", WORDS).tolist() == [len(s.split()) for s in text.segments()]


@given(st.lists(st.text(), max_size=6))
def test_code_points_are_those_of_len(segments):
    assert lengths_in(Text(segments), "codepoint", CHARACTERS).tolist() == list(map(len, segments))


@pytest.mark.parametrize(
    ("counter", "segment", "count"),
    [
        ("space", "Don't stop, e.g. now.", 4),
        ("unicode", "Don't stop, now — 3.5 times!", 5),
        ("unicode", "", 0),
        ("unicode", " ... ", 0),
        ("treebank", "Don't stop.", 4),
        ("treebank", "", 0),
    ],
)
def test_words_by_each_counter(counter, segment, count):
    assert lengths_in(Text([segment]), counter, WORDS).tolist() == [count]


@pytest.mark.parametrize(
    ("segment", "code_points", "graphemes"),
    [
        ("", 0, 0),
        ("e\u0301", 2, 1),
        ("\U0001f1eb\U0001f1f7", 2, 1),
        ("\r\n", 2, 1),
        ("\U0001d49c", 1, 1),
    ],
)
def test_characters_by_each_counter(segment, code_points, graphemes):
    text = Text(["x", segment])
    assert lengths_in(text, "codepoint", CHARACTERS).tolist() == [1, code_points]
    assert lengths_in(text, "grapheme", CHARACTERS).tolist() == [1, graphemes]


def test_a_function_counts():
    assert lengths_in(Text(["aba", ""]), lambda s: s.count("a"), WORDS).tolist() == [2, 0]


def test_a_function_that_counts_beyond_62_bits_is_named():
    def mine(segment):
        return 2 ** int(segment)

    assert lengths_in(Text(["61", "60"]), mine, WORDS).tolist() == [2**61, 2**60]
    for texts, told in (
        (["1", "62"], "mine gave 4,611,686,018,427,387,904 for '62'"),
        (["70"], "mine gave 1,180,591,620,717,411,303,424 for '70'"),
        (["61"] * 8, "the text: the counter .*mine gave 18,446,744,073,709,551,616 in all"),
    ):
        with pytest.raises(InputError, match=f"{told}: want less than 2\\^62"):
            lengths_in(Text(texts), mine, WORDS)


@pytest.mark.parametrize("bad", [-1, 1.5, "2", None])
def test_a_function_that_gives_no_count_is_named_with_what_it_gave(bad):
    def mine(_):
        return bad

    with pytest.raises(OptionError, match=rf"mine gave {bad!r} for 'ab': want an integer from 0"):
        lengths_in(Text(["ab"]), mine, WORDS)


def test_an_unknown_counter_is_told_with_the_nearest_and_all():
    with pytest.raises(OptionError, match=r"'unicod' is not known; did you mean 'unicode'\? there"):
        lengths_in(Text([]), "unicod", WORDS)
    with pytest.raises(OptionError, match=r"'zzz' is not known; there are: codepoint, grapheme$"):
        lengths_in(Text([]), "zzz", CHARACTERS)
    for no_counter in (None, 5):
        with pytest.raises(OptionError, match=f"counter {no_counter} is not known; there are: s"):
            lengths_in(Text(["ab"]), no_counter, WORDS)


def test_a_counter_is_called_by_its_name():
    class Bytes:
        def __call__(self, segment):
            return len(segment.encode())

    assert counter_name("space") == "space"
    assert counter_name(len) == "len"
    assert counter_name(Bytes()).endswith("Bytes")
