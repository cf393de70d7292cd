import tracemalloc
from math import inf, nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext.errors import InputError
from bitext.model import Blocks, Segmentation, Text

SEGMENTS = st.lists(st.text(max_size=5), max_size=6)


@given(SEGMENTS)
def test_holds_the_segments_it_was_given(segments):
    text = Text(segments)
    assert list(text.segments()) == segments
    assert [s.text for s in text] == segments
    assert [text.line[s.start : s.end] for s in text] == segments
    assert [s.id for s in text] == list(text.ids) == [str(k) for k in range(len(segments))]
    assert [text[k] for k in range(-len(text), 0)] == list(text) == text[:]
    assert text.lengths().tolist() == [len(s) for s in segments]
    assert text.lengths(lambda s: s.count("a")).tolist() == [s.count("a") for s in segments]


@given(SEGMENTS)
def test_offsets_and_segments_spell_the_same_text(segments):
    text = Text(segments)
    again = Text.from_offsets(text.line, text.starts, text.ends)
    assert again == text
    assert hash(again) == hash(text)


def test_many_segments_are_cut_from_the_line_with_little_memory():
    segments = [f"{k}." for k in range(50_000)]
    given = Text(segments)
    text = Text.from_offsets(given.line, given.starts, given.ends)
    assert list(text.segments()) == segments
    assert list(text.segments(20_000, 49_999)) == segments[20_000:49_999]
    tracemalloc.start()
    try:
        assert sum(map(len, text.segments())) == sum(map(len, segments))
        assert tracemalloc.get_traced_memory()[1] < 2_000_000  # all offsets at once are 3.6 MB
    finally:
        tracemalloc.stop()


@given(SEGMENTS, SEGMENTS)
def test_texts_are_equal_when_their_segments_are(a, b):
    assert (Text(a) == Text(b)) == (a == b)


def test_ids_characters_and_number_all_tell_texts_apart():
    assert Text(["a"]) == Text(["a"], ids=["0"], name="other", lang="en")
    assert Text(["a"]) != Text(["a"], ids=["s1"])
    assert Text(["a"], ids=["s1"]) != Text.of_ids(["s1"])
    assert Text(["a"]) != Text(["a", ""])
    assert Text(["a"]) != ["a"]


def test_a_text_known_by_ids_only():
    text = Text.of_ids(["s1", "s2"], name="d.xml")
    assert (text.has_text, text.has_ids, len(text)) == (False, True, 2)
    assert (text[1].id, text[1].text) == ("s2", None)
    assert list(text.segments()) == ["", ""]
    assert text.index("s2") == 1
    with pytest.raises(InputError, match=r"d\.xml is known by ids only: give its characters"):
        text.lengths()


def test_an_unknown_id_is_told_with_the_ids_there_are():
    text = Text(["a", "b"], ids=["s1", "s2"], name="d.xml")
    with pytest.raises(InputError, match=r"d\.xml has no segment 's3'; its ids: from 's1' to 's2'"):
        text.index("s3")
    with pytest.raises(InputError, match=r"the text has no segment 'x'; its ids: none"):
        Text([]).index("x")


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Text("one string"), r"a list of segments, not of one string"),
        (lambda: Text({"a", "b"}), r"a set or dict has no order"),
        (lambda: Text(None), r"are of type NoneType: want a list of them, or one column"),
        (lambda: Text(np.array([["a", "b"]])), r"are of type ndarray: want a list of them"),
        (lambda: Text(["a", b"b"]), r"segment 1 is not a string but b'b'"),
        (lambda: Text(["a", None]), r"segment 1 is not a string but None"),
        (lambda: Text(["a", "b"], ids=["s1"]), r"1 ids for 2 segments: want one each"),
        (lambda: Text(["a"], ids=["s1", "s2"]), r"2 ids for 1 segments: want one each"),
        (lambda: Text(list("abc"), ids=["x", "y", "x"]), r"the id 'x' stands for two segments"),
        (lambda: Text.of_ids(["x", "x"]), r"the id 'x' stands for two segments: want each id once"),
        (
            lambda: Text(["a"], paragraphs=Segmentation([2])),
            r"the paragraphs hold 2 segments, the text 1: want equal",
        ),
        (lambda: Text(["a"], paragraphs=[1]), r"the paragraphs are \[1\]: want a Segmentation"),
        (lambda: Text.from_offsets("abc", [0, 1], [2, 3]), r"segment 1 has the span 1-3: want"),
        (lambda: Text.from_offsets("abc", [0, 2], [2, 1]), r"segment 1 has the span 2-1: want"),
        (lambda: Text.from_offsets("abc", [-1], [1]), r"segment 0 has the span -1-1: want spans"),
        (lambda: Text.from_offsets("abc", [0, 3], [1, 4]), r"segment 1 has the span 3-4: .* 0-3"),
        (lambda: Text.from_offsets("abc", [0, 1], [1]), r"2 starts and 1 ends: want one each"),
        (lambda: Text.from_offsets("abc", [[0]], [[1]]), r"1 starts and 1 ends: want one each"),
        (lambda: Text.from_offsets("abc", [0.5], [1.5]), r"spans are float64 .*: want integers"),
    ],
)
def test_bad_data_are_named_with_what_is_wanted(make, message):
    with pytest.raises(InputError, match=message):
        make()


def test_an_index_beyond_the_segments_is_an_index_error():
    for k in (1, -2):
        with pytest.raises(IndexError, match=rf"segment {k} of 1"):
            Text(["a"])[k]


def test_the_offsets_cannot_be_written_and_those_of_the_caller_stay_his_own():
    starts, ends = np.array([0]), np.array([1])
    text = Text.from_offsets("abc", starts, ends)
    starts[0], ends[0] = 1, 2
    assert text[0].text == "a"
    for array in (text.starts, text.ends, Text(["a"]).starts, Text.of_ids(["a"]).ends):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 9


def test_no_segments_at_all():
    text = Text([])
    assert (len(text), list(text), list(text.segments()), text.line) == (0, [], [], "")
    assert text.lengths().tolist() == []


def test_its_picture_tells_its_size():
    assert repr(Text(["ab", "c"], name="n")) == "<Text 'n': 2 segments, 3 characters>"
    assert repr(Text.of_ids(["x"])) == "<Text: 1 ids, no characters>"


def test_a_million_segments_take_little_more_than_their_characters():
    n = 1_000_000
    line = "ten chars " * n
    starts = np.arange(n) * 10
    tracemalloc.start()
    try:
        text = Text.from_offsets(line, starts, starts + 9)
        kept, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert text[n - 1].text == "ten chars"
    assert kept < 20e6
    assert most < 100e6


def test_times_are_of_each_segment():
    text = Text(["One.", "Two."], times=[(0, 1.5), (2, nan)])
    assert text.times.tolist()[0] == [0.0, 1.5]
    assert not text.times.flags.writeable
    assert text.in_language("en").times is text.times
    assert text.with_times(None).times is None
    assert Text(["One."], times=[(nan, nan)]).times is None
    assert Text([], times=[]).times.shape == (0, 2)


@pytest.mark.parametrize(
    ("times", "message"),
    [
        ([(0, 1)], "1 times for 2 segments: want one each"),
        ([0, 1, 2, 3], r"the times have the shape \(4,\): want a row of start and end for each"),
        ([(0, 1, 2, 3), (1, 2, 3, 4)], r"the times have the shape \(2, 4\): want a row of start"),
        ([(0, 1), (3, 2)], "segment 1 has the times 3 to 2: want seconds, the end not before"),
        ([(0, 1), (3, inf)], "segment 1 has the times 3 to inf"),
    ],
)
def test_times_without_sense_are_refused(times, message):
    with pytest.raises(InputError, match=message):
        Text(["One.", "Two."], times=times)


def test_places_and_lengths_are_integers():
    text = Text(["One.", "Two."])
    with pytest.raises(InputError, match="the places are bool: want indices"):
        text.select(np.array([False, True]))
    assert len(text.select(np.array([]))) == 0
    with pytest.raises(TypeError, match="'float' object cannot be interpreted as an integer"):
        text.lengths(lambda segment: len(segment) / 3)
    for kind in (float, np.float32, np.int16, np.ceil):
        assert text.lengths(lambda segment, kind=kind: kind(len(segment))).tolist() == [4, 4]


BLOCKS = Blocks(
    (0, 1, 3), ("heading", "paragraph", "note"), (1, 0, 0), ("", "la", ""), "Mills", ("", "", "1")
)


def test_a_text_keeps_its_blocks_where_it_is_selected_from_or_named_anew():
    text = Text(
        ["Mill", "Unus.", "Duo.", "A note."],
        ids=["a", "b", "c", "d"],
        name="x",
        lang="en",
        paragraphs=Segmentation([1, 2, 1]),
        marked=[None, "<hi>Unus.</hi>", None, None],
        blocks=BLOCKS,
    )
    assert text.in_language("de").blocks is BLOCKS
    some = text.select(np.array([1, 3]))
    assert (list(some.ids), list(some.segments())) == (["b", "d"], ["Unus.", "A note."])
    assert (some.name, some.lang, some.marked) == ("x", "en", ["<hi>Unus.</hi>", None])
    assert some.paragraphs == Segmentation([1, 1])
    assert some.blocks == Blocks(
        (0, 1), ("paragraph", "note"), (0, 0), ("la", ""), "Mills", ("", "1")
    )
    assert text.select(np.array([2])).blocks == Blocks(
        (0,), ("paragraph",), (0,), ("la",), "Mills", ("",)
    )
    none = text.select(np.array([], dtype=np.int64))
    assert (len(none), none.paragraphs, none.blocks) == (0, None, None)
    assert text == Text(text.segments(), ids=text.ids)  # blocks do not tell texts apart


def test_blocks_that_do_not_fit_are_refused():
    with pytest.raises(InputError, match=r"1 beginnings, 0 kinds, 0 levels and 0 languages"):
        Blocks((0,), (), (), ())
    with pytest.raises(InputError, match=r"the blocks begin at \(0, 2, 2\): want 0, then"):
        Blocks.of_paragraphs([2, 2])
    with pytest.raises(InputError, match=r"a block is a 'poem': want one of the kinds heading, "):
        Blocks((0,), ("poem",), (0,), ("",))
    with pytest.raises(InputError, match=r"2 labels for 1 blocks: want one each"):
        Blocks((0,), ("note",), (0,), ("",), labels=("1", "2"))
    with pytest.raises(InputError, match=r"the last block begins at segment 3, and the text has 3"):
        Text(["a", "b", "c"], blocks=BLOCKS)
    with pytest.raises(InputError, match=r"no blocks of 1 segments: want one or more, or None"):
        Text(["a"], blocks=Blocks((), (), (), ()))
    with pytest.raises(InputError, match=r"the blocks are \[0\]: want Blocks"):
        Text(["a"], blocks=[0])


def test_an_open_file_gives_its_lines_without_their_ends(tmp_path):
    path = tmp_path / "a.en"
    path.write_bytes(b"One.\r\n\n Two.\nThree.")
    with path.open(encoding="utf-8") as lines:
        assert [*Text(lines).segments()] == ["One.", "", " Two.", "Three."]
    assert [*Text(["One.\n"]).segments()] == ["One.\n"]
    with path.open("rb") as lines, pytest.raises(InputError, match="segment 0 is not a string but"):
        Text(lines)


def test_segments_are_selected_by_a_list():
    text = Text(["One.", "Two.", "Three."])
    assert [*text.select([0, 2]).segments()] == ["One.", "Three."]
    assert len(text.select([])) == 0
    with pytest.raises(InputError, match="the places are bool: want indices"):
        text.select([True, False, True])


def test_strings_that_no_other_object_has_become_a_line():
    strings = [f"sentence {k}" for k in range(500)]
    held, own = Text(strings), Text(string.upper() for string in strings)
    for text in (held, own):
        before = [*text.segments()]
        first = next(text.segments())
        assert next(text.segments()) is first
        del before, first
        text.join_own_segments()
    assert next(held.segments()) is strings[0]
    assert next(own.segments()) is not next(own.segments())  # cut from the line
    assert [*own.segments()] == [string.upper() for string in strings]
    for text in (own, Text([]), Text.of_ids(["a"])):
        wanted = len(text), [*text.ids], text.line
        text.join_own_segments()
        assert (len(text), [*text.ids], text.line) == wanted


@pytest.mark.parametrize("column", ["ab", {"a", "b"}, {"a": 1, "b": 2}])
def test_ids_and_marked_segments_are_lists(column):
    with pytest.raises(InputError, match=r"the ids are .*: want a list with one for each"):
        Text(["x", "y"], ids=column)
    with pytest.raises(InputError, match=r"the marked segments are .*: want a list with one for"):
        Text(["x", "y"], marked=column)
    with pytest.raises(InputError, match=r"the ids are .*: want a list with one for each"):
        Text(["x", "y"]).with_ids(column)
    with pytest.raises(InputError, match=r"the ids are .*: want a list with one for each"):
        Text.of_ids({"a", "b"})
    assert Text(["x", "y"], ids={"a": 1, "b": 2}.keys()).ids == ["a", "b"]


@pytest.mark.parametrize("place", [2, -3])
def test_segments_that_are_selected_exist(place):
    with pytest.raises(InputError, match=f"there is no segment {place}: the text has 2"):
        Text(["x", "y"]).select(np.array([place]))
