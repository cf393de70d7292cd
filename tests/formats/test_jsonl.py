import json

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import bitext
from bitext import Alignment, Bitext, Text
from bitext.errors import FormatError
from formats.samples import beads, inline, kinds, positions, read, read_all, segment, written

NAME = "jsonl"


def _lines(*objects):
    return "".join(json.dumps(found) + "\n" for found in objects)


def test_what_is_written():
    bt = Bitext(
        Text(["One.", "Two.", "3\u2028"], ids=["s1", "s2", "s3"]),
        Text(["Yksi 😀.", "Kaksi."]),
        Alignment(
            [((0, 1), (0,)), ((), (1,)), ((2,), ())],
            scores=[0.5, np.nan, np.inf],
            attributes={"type": ["2-1", None, None], "src": ["x", None, None]},
        ),
    )
    assert [json.loads(line) for line in written(NAME, bt).split(b"\n")[:-1]] == [
        {
            "src": ["s1", "s2"],
            "tgt": ["0"],
            "src_text": "One. Two.",
            "tgt_text": "Yksi 😀.",
            "score": 0.5,
            "src_segments": ["One.", "Two."],
            "type": "2-1",
            "src_": "x",
        },
        {"src": [], "tgt": ["1"], "src_text": "", "tgt_text": "Kaksi.", "score": None},
        {"src": ["s3"], "tgt": [], "src_text": "3\u2028", "tgt_text": "", "score": "inf"},
    ]


def test_positions_are_written_without_texts():
    bt = Bitext(None, None, Alignment([((0,), (1,)), ((3,), (0,))]))
    assert [json.loads(line) for line in written(NAME, bt).split(b"\n")[:-1]] == [
        {"src": ["0"], "tgt": ["1"], "score": None, "src_size": 4},
        {"src": ["3"], "tgt": ["0"], "score": None},
    ]


indices = st.sets(st.integers(0, 5), max_size=3).map(lambda x: tuple(sorted(x)))
bisegments = st.lists(st.tuples(indices, indices).filter(any), min_size=1, max_size=6)
texts = st.lists(segment, min_size=6, max_size=6)
identifiers = st.none() | st.lists(segment, min_size=6, max_size=6, unique=True)


@given(bisegments, texts, identifiers, st.lists(st.floats(), min_size=6, max_size=6))
@example([((0, 2), (1,)), ((2, 5), (0, 1))], list("abcdef"), None, [0.1] * 6)
@example([((), (1,))], list("abcdef"), ["1", "0", "7", "8", "9", "10"], [0.1] * 6)
def test_round_trip_of_texts(found, segments, ids, scores):
    text = Text(segments, ids=ids)
    bt = Bitext(text, text, Alignment(found, scores=scores[: len(found)]))
    back = read(NAME, written(NAME, bt))
    assert _named(back) == _named(bt)
    expected = bt.alignment.scores
    if np.isnan(expected).all():
        assert back.alignment.scores is None
    else:
        assert np.array_equal(back.alignment.scores, expected, equal_nan=True)
    if ids is None:
        assert (len(back.src), len(back.tgt)) == (6, 6)
        assert positions(back) == positions(bt)


def _named(bt):
    """Return the segments of each bisegment, as sets: identifiers do not tell all of the order."""
    return [
        tuple(
            {(text[k].id, text[k].text) for k in members}
            for text, members in zip((bt.src, bt.tgt), bead, strict=True)
        )
        for bead in bt.alignment
    ]


@pytest.mark.parametrize("pattern", ["s{}", "{}", "2:{}", "p1.s{}.x"])
def test_numbers_in_identifiers_tell_the_order(pattern):
    names = [pattern.format(k) for k in range(1, 13)]
    text = Text(map(str, range(12)), ids=names)
    crossing = Alignment([((k,), (k,)) for k in range(11, -1, -1)])
    assert read(NAME, written(NAME, Bitext(text, text, crossing))) == Bitext(text, text, crossing)


@given(bisegments)
def test_round_trip_of_positions(found):
    back = read(NAME, written(NAME, Bitext(None, None, Alignment(found))))
    assert (back.src, back.tgt) == (None, None)
    assert positions(back) == [(list(src), list(tgt)) for src, tgt in found]


@given(beads)
@example([([""], []), ([], [""]), (["", ""], ["a b", "c"])])
def test_round_trip_of_inline_texts(pairs):
    bt = inline(pairs)
    assert read(NAME, written(NAME, bt)) == bt


def test_round_trip_of_identifiers():
    bt = Bitext(Text.of_ids(["b", "a"]), Text.of_ids(["t"]), Alignment([((0,), (0,)), ((1,), ())]))
    back = read(NAME, written(NAME, bt))
    assert back == bt
    assert not back.src.has_text


def test_several_documents():
    one, two = inline([(["a"], ["b"])]), inline([(["c"], ["d"]), (["e"], [])])
    found = read_all(NAME, written(NAME, one, two, two))
    assert [bt.name for bt in found] == ["", "2", "3"]
    assert [bt.pairs() for bt in found] == [one.pairs(), two.pairs(), two.pairs()]
    named = Bitext(one.src, one.tgt, one.alignment, name="x")
    assert [bt.name for bt in read_all(NAME, written(NAME, named, named))] == ["x", "x (2)"]
    with pytest.raises(FormatError, match=r"made line 1: has the document 7; want its name"):
        read(NAME, '{"src": ["a"], "tgt": [], "document": 7}')


def test_flat_texts():
    lines = {"src": "a", "tgt": "b", "score": 1}, {"src": "", "tgt": "c", "score": "2.5"}
    bt = read(NAME, "\ufeff" + _lines(*lines) + "\r\n" + _lines({"src": "", "tgt": ""}))
    assert bt.pairs() == [(["a"], ["b"]), ([], ["c"])]
    assert bt.alignment.scores.tolist() == [1, 2.5]
    assert kinds(bt) == {"lines with two empty sides, left out": 1}


def test_null_is_not_the_empty_string():
    bt = read(NAME, _lines({"src": "a", "tgt": None}, {"src": "b", "tgt": ""}))
    assert bt.pairs() == [(["a"], []), (["b"], [""])]
    assert kinds(bt) == {"empty strings beside null, taken as segments without characters": 1}
    nothing = read(NAME, _lines({"src": None, "tgt": None}, {"src": [], "tgt": None}))
    assert kinds(nothing) == {"lines with two empty sides, left out": 2}


def test_languages_in_the_order_of_the_first_line():
    content = _lines(
        {"id": "7", "translation": {"fi": "Yksi.", "en": "One."}},
        {"id": "8", "translation": {"en": "Two.", "fi": None}},
    )
    bt = read(NAME, content)
    assert bt.pairs() == [(["Yksi."], ["One."]), ([], ["Two."])]
    assert (bt.src.lang, bt.tgt.lang) == ("fi", "en")
    assert bt.alignment.attributes == {"id": ["7", "8"]}


def test_further_keys():
    base = {"src": ["a"], "tgt": [], "score": None}
    bt = read(
        NAME,
        _lines(
            base | {"n": 1, "f": 1e5, "b": True, "s": "x", "u": None},
            {"src": ["b"], "tgt": [], "n": -2, "l": [1], "o": {}},
        ),
    )
    assert bt.alignment.attributes == {
        "n": ["1", "-2"],
        "f": ["100000.0", None],
        "b": ["true", None],
        "s": ["x", None],
    }
    kind = "values of further keys that are lists or objects, left out"
    assert kinds(bt) == {kind: 2}
    assert bt.notes[0].first == "made line 2: 'l'"


def test_the_same_identifier_is_the_same_segment():
    content = _lines(
        {"src": ["s1"], "tgt": ["t1"], "src_text": "a", "tgt_text": "x"},
        {"src": ["s1", "s2"], "tgt": ["t2"], "src_segments": ["a", "b"], "tgt_text": "y"},
        {"src": ["s1", "s2"], "tgt": [], "src_text": "a b"},
    )
    bt = read(NAME, content)
    assert positions(bt) == [([0], [0]), ([0, 1], [1]), ([0, 1], [])]
    assert list(bt.src.segments()) == ["a", "b"]
    assert bt.src.ids == ["s1", "s2"]


def test_joined_text_without_its_segments():
    bt = read(NAME, _lines({"src": [1, 2], "tgt": ["t"], "src_text": "a b", "tgt_text": "c"}))
    assert bt.pairs() == [(["a b", ""], ["c"])]
    assert kinds(bt) == {"src_text of several segments, taken as the first of them": 1}


def test_identifiers_point_into_the_texts_read_over():
    over = Text(["a", "b", "c"], ids=["s1", "s2", "s3"])
    content = _lines({"src": ["s3"], "tgt": ["0"]})
    bt = read(NAME, content, over_src=over)
    assert positions(bt) == [([2], [0])]
    assert bt.src is over
    with pytest.raises(FormatError, match=r"made line 1: names src 's9', which .* has not"):
        read(NAME, _lines({"src": ["s9"], "tgt": ["0"]}), over_src=over)
    content = _lines({"src": ["0"], "tgt": ["0"]}, {"src": ["1"], "tgt": ["1"]})
    with pytest.raises(FormatError, match=r"names source segment 1, but .* has 1"):
        read(NAME, content, over_src=Text(["a"]), over_tgt=Text(["b", "c"]))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", r"is not JSON: .* \(column 2\); want one object a line"),
        ("[1]", r"is \[1\]; want one object a line"),
        ("[" * 100_000, "is JSON beyond all limits"),
        ('{"src": ["a"], "tgt": [], "n": ' + "1" * 5000 + "}", "is JSON beyond all limits"),
        ('{"src": ["\\ud800"], "tgt": []}', "has half a surrogate pair"),
        ('{"src": ["a"]}', "is in no form that is read; want"),
        ('{"src": ["a"], "tgt": "b"}', "is in no form"),
        ('{"src": "a", "tgt": "b"}', "goes by texts, and the lines before by identifiers"),
        ('{"translation": {"en": "a", "fr": "b"}}', "goes by languages, and the lines before by"),
        ('{"src": ["a", "a"], "tgt": []}', "has 'a' twice in its src; want each segment once"),
        ('{"src": [true], "tgt": []}', r"has \[True\] as its src; want a list of identifiers"),
        ('{"src": ["a"], "tgt": [], "src_text": 5}', "has 5 as its src_text; want a text"),
        ('{"src": ["a"], "tgt": [], "src_text": "y"}', "has the text 'y' for src 'a', .* 'x'"),
        ('{"src": ["b"], "tgt": []}', "has no text of src 'b', and other lines have texts"),
        ('{"src": ["a", "b"], "tgt": [], "src_text": "x y"}', "give src_segments"),
        ('{"src": ["a", "b"], "tgt": [], "src_segments": ["x"]}', "want a text for each"),
        ('{"src": [], "tgt": ["t"], "src_text": "x"}', r"has 0 src and the texts \['x'\]"),
        ('{"src": ["a"], "tgt": [], "src_text": "x", "score": "high"}', "has the score 'high'"),
        ('{"src": ["a"], "tgt": [], "src_text": "x", "score": true}', "has the score True"),
    ],
)
def test_errors_name_the_line(line, message):
    first = '{"src": ["a"], "tgt": ["t"], "src_text": "x"}\n'
    with pytest.raises(FormatError, match=f"made line 2: .*{message}"):
        read(NAME, first + line)


@pytest.mark.parametrize(
    ("size", "message"),
    [
        (10**12, "has 1000000000000 as its src_size; want a number of segments, at most"),
        ("5", "has '5' as its src_size"),
        (2, "identifiers are positions below 2, but one is '3'; want 0 to 1"),
    ],
)
def test_sizes_are_checked(size, message):
    with pytest.raises(FormatError, match=message):
        read(NAME, _lines({"src": ["3"], "tgt": [], "src_size": size}))


@pytest.mark.parametrize(
    ("translation", "message"),
    [
        ({"en": "a"}, "made line 2: has the languages 'en'; want two"),
        ({"en": "a", "de": "b"}, "made line 2: has the languages 'en', 'de'; want two"),
        ({"en": "a", "fr": "b", "de": "c"}, "want two, the same on all lines: keep two"),
        ({"en": "a", "fr": 5}, "made line 2: has 5 as its 'fr'; want a text"),
    ],
)
def test_two_languages_on_all_lines(translation, message):
    with pytest.raises(FormatError, match=message):
        read(NAME, _lines({"translation": {"en": "a", "fr": "b"}}, {"translation": translation}))


def test_an_empty_file_is_an_empty_alignment():
    assert len(read(NAME, "\n").alignment) == 0


def test_through_a_file(tmp_path):
    bt = inline([(["One.", "Two."], ["Yksi."]), ([], ["Kaksi."])], scores=[1, 2])
    bitext.write(bt, tmp_path / "a.jsonl.gz")
    assert bitext.read(tmp_path / "a.jsonl.gz") == bt
