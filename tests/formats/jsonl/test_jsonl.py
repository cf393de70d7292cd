import io
import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import bitext
from bitext import Alignment, Bitext, Text
from bitext.errors import FormatError
from bitext.formats.registry import WriteOptions, by_name
from formats.samples import (
    assert_parts,
    assert_same,
    beads,
    inline,
    joined,
    kinds,
    noted,
    positions,
    read,
    read_all,
    read_on,
    segment,
    written,
)

NAME = "jsonl"


def _lines(*objects):
    return "".join(json.dumps(found) + "\n" for found in objects)


def test_identifiers_that_seem_to_be_texts_are_noted():
    bt = read(NAME, _lines({"src": ["He came.", "s2"], "tgt": ["Il vint."]}))
    assert bt.src.ids == ["He came.", "s2"]
    [note] = bt.notes
    assert note.kind == "identifiers with blanks, as texts have (src_text and tgt_text hold texts)"
    assert (note.count, note.first) == (2, "made line 1: 'He came.'")


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


def test_texts_that_differ_from_their_segments_are_noted():
    row = {"src": ["1", "2"], "tgt": ["1"], "src_segments": ["One.", "Two."], "tgt_text": "Eins."}
    kind = "src_text that differs from src_segments, which are read (without these the text is)"
    for text, differs in (("One. Three.", True), ("One.  Two.", False), ("One.Two.", False)):
        bt = read("jsonl", json.dumps(row | {"src_text": text}))
        assert (bt.pairs(), kind in kinds(bt)) == ([(["One.", "Two."], ["Eins."])], differs)


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
    ("src", "tgt", "texts"),
    [
        ([["s1"], ["s2", "s3"]], [["b-07"], ["b-14"]], (["a", "b", "c"], "b-07\tx\nb-14\ty\n")),
        ([[0], [1, 2]], [["0"], ["1"]], (["a", "b", "c"], "x\ny\n")),
        ([[0], [1, 2]], [["t1"], ["t2"]], (["a", "b", "c"], "x\ny\n")),
    ],
)
def test_identifiers_and_positions_point_into_the_texts_that_are_named(tmp_path, src, tgt, texts):
    path, named = tmp_path / "a.jsonl", tmp_path / "t.txt"
    named.write_text(texts[1])
    rows = [{"src": one, "tgt": other} for one, other in zip(src, tgt, strict=True)]
    path.write_text(_lines(*rows))
    bt = bitext.read(path, src=Text(texts[0]), tgt=named)
    assert bt.pairs() == [(["a"], ["x"]), (["b", "c"], ["y"])]


def test_positions_may_count_from_1_where_the_texts_prove_it():
    texts = {"src": Text(["a", "b", "c"]), "tgt": Text(["x", "y"])}
    rows = [{"src": [1], "tgt": ["1"]}, {"src": [2, 3], "tgt": ["2"]}]
    bt = read(NAME, _lines(*rows), **texts)
    assert bt.pairs() == [(["a"], ["x"]), (["b", "c"], ["y"])]
    assert ["counting from 1" in note.kind for note in bt.notes] == [True]
    early = read(NAME, _lines(rows[0]), src=Text(["a", "b", "c"]), tgt=Text(["x", "y"]))
    assert early.pairs() == [(["b"], ["y"])]
    assert ["read as counting from 0" in note.kind for note in early.notes] == [True]
    over = read(NAME, _lines(*rows), over_src=texts["src"], over_tgt=texts["tgt"])
    assert (over.pairs(), over.src) == (bt.pairs(), texts["src"])
    own = [{**row, "src_text": "a", "tgt_text": "b"} for row in ({"src": [1], "tgt": [1]},)]
    one = Text(["a"])
    assert not read(NAME, _lines(*own), over_src=one, over_tgt=one).notes
    for k in (0, 4):  # a position 0, and one behind the text if the others count from 1
        with pytest.raises(FormatError, match=r"line 2: names (src '3'|tgt '2'), which the text"):
            read(NAME, _lines(*rows, {"src": [k], "tgt": []}), **texts)
    with pytest.raises(FormatError, match="line 2: names src '3', which the text has not"):
        read(NAME, _lines(*rows), src=texts["src"], tgt=Text(["x", "y", "z"]))


def test_texts_that_are_named_in_vain_are_noted_or_refused():
    text = Text(["a", "b"])
    own = [{"src": [k], "tgt": [k], "src_text": "x", "tgt_text": "y"} for k in range(2)]
    for rows in (own, [{"src": "x", "tgt": "y"}]):
        found = kinds(read(NAME, _lines(*rows), src=text, tgt=text))
        assert found == {"texts named beside a file that holds its own, not read": 1}
    content = _lines({"src": [1], "tgt": ["t1"]}, {"src": [4], "tgt": ["t2"]})
    with pytest.raises(FormatError, match="line 2: names src '4', which the text has not"):
        read(NAME, content, src=text, tgt=text)
    two = [{"src": [0], "tgt": [0], "document": name} for name in "ab"]
    with pytest.raises(FormatError, match="line 2: goes on with another document, 'b'"):
        read(NAME, _lines(*two), src=text, tgt=text)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", r"is not JSON: .* \(column 2\); want one object a line, as jq -c writes them"),
        ("[1]", r"is \[1\]; want one object a line"),
        ("[" * 100_000, "is JSON beyond all limits"),
        ('{"src": ["a"], "tgt": [], "n": ' + "1" * 5000 + "}", "is JSON beyond all limits"),
        ('{"src": ["\\ud800"], "tgt": []}', "has half a surrogate pair"),
        ('{"src": ["a"]}', "is in no form that can be read; want"),
        ('{"src": ["a"], "tgt": "b"}', "is in no form"),
        ('{"src": "a", "tgt": "b"}', "has texts, but the lines before have identifiers"),
        ('{"translation": {"en": "a", "fr": "b"}}', "has languages, but the lines before have"),
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


texts_of_lines = st.lists(
    st.fixed_dictionaries(
        {"src": st.sampled_from(["", "a", None]), "tgt": st.sampled_from(["", "b", None])},
        optional={"score": st.sampled_from([1, 0.5, None]), "x": st.sampled_from(["y", 7])},
    ),
    max_size=9,
)


@given(texts_of_lines, st.integers(1, 4))
def test_parts_by_texts_differ_only_where_a_note_tells(found, size):
    content = _lines(*found)
    parts = read_all(NAME, content, parts=True, part_size=size)
    whole = read(NAME, content)
    late = "empty strings before the first null, taken as empty sides"
    if late not in noted(parts):
        assert_same(joined(parts), whole)
        assert noted(parts) == kinds(whole)
    else:
        assert kinds(whole).keys() & {
            "empty strings beside null, taken as segments without characters"
        }


def test_a_null_that_comes_late_is_noted():
    rows = [{"src": "a", "tgt": ""}, {"src": None, "tgt": "b"}, {"src": "", "tgt": "c"}]
    parts = read_all(NAME, _lines(*rows), parts=True, part_size=1)
    assert joined(parts).pairs() == [(["a"], []), ([], ["b"]), ([""], ["c"])]
    assert noted(parts) == {
        "empty strings before the first null, taken as empty sides": 1,
        "empty strings beside null, taken as segments without characters": 1,
    }


@given(bisegments, texts, identifiers, st.integers(1, 4))
@example([((0,), (0,)), ((2,), (1,)), ((1,), ()), ((3,), (2,))], list("abcdef"), None, 1)
def test_parts_of_documents(found, segments, ids, size):
    text = Text(segments, ids=ids, lang="fi")
    bt = Bitext(text, text, Alignment(found, scores=range(len(found))), name="x")
    plain = inline([(["a"], ["b", "c"])] * 3)
    content = written(NAME, bt, plain)
    whole = read_all(NAME, content)
    parts = read_all(NAME, content, parts=True, part_size=size)
    first = [part for part in parts if part.name == "x"]
    assert {part.src.lang for part in first} == {"fi"}
    if len(first) == 1:  # some segments are in no bisegment, or they have names
        assert_same(first[0], whole[0])
        assert [part.continues for part in first] == [False]
    elif any("taken as further segments" in kind for kind in noted(first)):
        assert joined(first).pairs() == whole[0].pairs()
    else:
        assert_same(joined(first), whole[0])
    second = [part for part in parts if part.name == "2"]
    assert_parts(second, size)
    assert len(second) >= 3 / (2 * size)
    assert_same(joined(second), whole[1])


def _identified(*rows):
    return _lines(
        *(
            {
                "src": src,
                "tgt": tgt,
                "src_segments": [f"s{k}" for k in src],
                "tgt_segments": [f"t{k}" for k in tgt],
            }
            for src, tgt in rows
        )
    )


def test_a_document_is_cut_where_that_changes_nothing():
    rows = [([0], [1]), ([1], [0]), ([2, 3], [2]), ([5], [4]), ([4], [3]), ([6], [])]
    parts = read_all(NAME, _identified(*rows), parts=True, part_size=1)
    assert [len(part.alignment) for part in parts] == [2, 1, 2, 1]
    assert_same(joined(parts), read(NAME, _identified(*rows)))


def test_what_a_part_before_had_comes_again_with_a_note():
    rows = [([0], [0]), ([1], [1]), ([0], [2]), ([4], [3])]
    parts = read_all(NAME, _identified(*rows), parts=True, part_size=1)
    assert joined(parts).pairs() == [
        (["s0"], ["t0"]),
        (["s1"], ["t1"]),
        (["s0"], ["t2"]),
        (["s4"], ["t3"]),
    ]
    assert noted(parts) == {
        "src segments of a part before, taken as further segments": 1,
        "src positions in no bisegment, left out": 2,
    }
    assert parts[-1].notes[-1].first == "made lines 4 to 4: segment 2"


def test_names_after_positions_are_refused():
    content = _identified(([0], [0]), ([1], [1]), (["x"], [2]), ([2], [2]))
    with pytest.raises(FormatError, match="line 3: names the segment 'x', and the"):
        read_all(NAME, content, parts=True, part_size=1)
    bt, bad = read_on(NAME, content, parts=True, part_size=1)
    assert bt.pairs() == [(["s0"], ["t0"]), (["s1"], ["t1"]), (["s2"], ["t2"])]
    assert bad == [3]


@pytest.mark.parametrize("parts", [True, False])
@pytest.mark.parametrize(
    ("good", "bad"),
    [
        (
            {"src": ["0"], "tgt": [], "src_text": "a", "tgt_text": ""},
            [
                "{",
                "[1]",
                '{"src": ["1"]}',
                '{"src": "a", "tgt": "b"}',
                '{"src": ["0", "0"], "tgt": []}',
                '{"src": ["1"], "tgt": [], "src_text": 5}',
                '{"src": ["1"], "tgt": [], "src_text": "a", "score": "high"}',
                '{"src": ["1"], "tgt": [], "src_text": "a", "src_marked": ["b", "c"]}',
                '{"src": ["1"], "tgt": [], "src_text": "a", "document": 7}',
            ],
        ),
        ({"src": "a", "tgt": None}, ['{"src": "a", "tgt": 7}', "}", '{"translation": {}}']),
        (
            {"translation": {"en": "a", "fr": None}},
            ['{"translation": {"en": "a"}}', '{"translation": {"en": "a", "fr": 5}}'],
        ),
    ],
)
def test_bad_objects_are_left_out_when_they_are_collected(good, bad, parts):
    content = _lines(good) + "".join(f"{line}\n" for line in bad)
    bt, lines = read_on(NAME, content, parts=parts)
    assert bt.pairs() == [(["a"], [])]
    assert lines == list(range(2, len(bad) + 2))


def test_languages_and_marks_come_back():
    src = Text(["a b", "c"], lang="en-GB", marked=['a <ph x="1"/>b', None])
    tgt = Text(["d", "e"], marked=[None, "<hi>e</hi>"])
    bt = Bitext(src, tgt, Alignment([((0, 1), (1,)), ((), (0,))]))
    found = [json.loads(line) for line in written(NAME, bt).split(b"\n")[:-1]]
    assert found[0]["src_lang"] == "en-GB"
    assert found[0]["src_marked"] == ['a <ph x="1"/>b', None]
    assert found[0]["tgt_marked"] == ["<hi>e</hi>"]
    assert not {"src_lang", "tgt_marked", "src_marked"} & found[1].keys()
    for parts in (True, False):
        back = read(NAME, written(NAME, bt), parts=parts)
        assert (back.src.lang, back.tgt.lang) == ("en-GB", "")
        assert (back.src.marked, back.tgt.marked) == (src.marked, tgt.marked)


def test_languages_asked_for_are_written():
    out = io.StringIO()
    by_name(NAME).write([inline([(["a"], ["b"])])], out, options=WriteOptions(tgt_lang="fi"))
    assert read(NAME, out.getvalue()).tgt.lang == "fi"


def test_languages_are_chosen():
    rows = {"de": "A", "en-GB": "B", "en": "C", "fr": "D"}, {"fr": "E", "en": "F", "de": None}
    content = _lines(*({"translation": row} for row in rows))
    bt = read(NAME, content, src_lang="fr", tgt_lang="EN-gb")
    assert (bt.src.lang, bt.tgt.lang) == ("fr", "en-GB")
    assert bt.pairs() == [(["D"], ["B"]), (["E"], [])]
    assert bt.alignment.attributes == {"lang:de": ["A", None], "lang:en": ["C", "F"]}
    assert read(NAME, content, src_lang="en", tgt_lang="de").pairs()[0] == (["C"], ["A"])
    for asked in ({"src_lang": "fi", "tgt_lang": "en"}, {"src_lang": "fr"}):
        with pytest.raises(FormatError, match=r"line 1: has the languages .*src_lang=, tgt_lang="):
            read(NAME, content, **asked)
    two = _lines({"translation": {"en": "a", "fr": "b"}})
    assert read(NAME, two, tgt_lang="en").pairs() == [(["b"], ["a"])]


@pytest.mark.parametrize(
    "ids", [["b", "a", "c"], ["1", "0", "2"], ["s2", "s1", "s3"], ["9", "5", "x"]]
)
def test_an_order_that_identifiers_do_not_tell_is_told(ids):
    text = Text(["x", "y", "z"], ids=ids)
    bt = Bitext(text, text, Alignment([((2,), (1,)), ((0, 1), (0, 2))]))
    back = read(NAME, written(NAME, bt))
    assert_same(back, bt)
    assert back.src.ids == ids
    assert b"_order" in written(NAME, bt)


def test_parts_are_written_as_one_document():
    one, two = inline([(["a"], ["b", "c"])]), inline([(["d"], []), (["e"], ["f"])])
    named = Bitext(Text(["g", "h"], ids=["y", "x"]), None, Alignment([((1,), (0,))]))
    more = replace(two, continues=True)
    assert_same(read(NAME, written(NAME, one, more)), joined([one, two]))
    gap = Bitext(Text(["g", "h"]), Text(["i"]), Alignment([((1,), (0,))]), continues=True)
    back = read(NAME, written(NAME, one, gap, more))
    assert list(back.src.segments()) == ["a", "", "h", "d", "e"]
    assert positions(back)[1:] == [([2], [2]), ([3], []), ([4], [3])]
    content = written(
        NAME,
        named,
        replace(
            named, src=Text(["i"], ids=["w"]), alignment=Alignment([((0,), (0,))]), continues=True
        ),
    )
    assert read(NAME, content).src.ids == ["x", "w"]


@pytest.mark.parametrize("order", ["x", [], ["a", "a"], [["a"], ["a"]]])
def test_an_order_is_checked(order):
    line = {"src": ["a"], "tgt": [], "src_order": order}
    with pytest.raises(FormatError, match=r"made line 1: has .* as its src_order; want a list of"):
        read(NAME, _lines(line))


TASK = {
    "id": 7,
    "data": {"text": "One.", "file": "a.txt"},
    "annotations": [
        {"was_cancelled": True, "result": [{"from_name": "q", "value": {"rating": 1}}]},
        {
            "result": [
                {"from_name": "translation", "value": {"text": ["Eins."]}},
                {"from_name": "file", "value": {"choices": ["good", "short"]}},
                {"from_name": "span", "value": {"start": 0, "end": 3, "labels": ["X"]}},
            ]
        },
        {"result": [{"from_name": "translation", "value": {"text": ["Ein."]}}]},
    ],
}
SPAN = {"text": "One.", "_task_hash": 2, "answer": "accept", "spans": [{"start": 0, "end": 3}]}


def test_tasks_of_label_studio_are_read_with_their_first_answer():
    bt = read("json", json.dumps([TASK, TASK | {"id": 8, "annotations": []}]))
    assert bt.pairs() == [(["One."], ["Eins."])]
    found = {"id": ["7"], "file": ["a.txt"], "file_": ["good"], "file#2": ["short"]}
    assert bt.alignment.attributes == found
    assert list(kinds(bt).values()) == [1, 1, 1]
    judged = {"result": [{"from_name": "q", "value": {"rating": 4}}]}
    task = {"data": {"en": "One.", "de": "Eins."}, "annotations": [judged]}
    bt = read(NAME, _lines(task, {"data": {"en": "Two.", "de": "Zwei."}, "annotations": []}))
    assert (bt.src.lang, bt.tgt.lang, len(bt.alignment)) == ("en", "de", 2)
    assert bt.alignment.attributes == {"q": ["4", None]}


@pytest.mark.parametrize("wrap", ["{}", "{}\n{}", "[{}, {}]"])
def test_sides_may_be_objects_with_a_text_and_its_language(wrap):
    side = {"source": {"lang": "en", "text": "One."}, "target": {"lang": "de", "text": "Eins."}}
    content = wrap.replace("{}", json.dumps(side))
    bt = read(NAME if content.startswith('{"source') and "\n" in content else "json", content)
    assert bt.pairs() == [(["One."], ["Eins."])] * wrap.count("{}")
    assert (bt.src.lang, bt.tgt.lang) == ("en", "de")


def test_answers_of_prodigy_that_are_not_accepted_are_noted(tmp_path):
    path = tmp_path / "prodigy.jsonl"
    task = {"source": "One.", "target": "Eins.", "_task_hash": 2}
    path.write_text(_lines(task | {"answer": "accept"}, task | {"answer": "reject"}), "utf-8")
    (kind,) = kinds(bitext.read(path))
    assert kind.startswith("translations marked answer=reject, read as others (where=")
    path.write_text(_lines({"source": "One.", "target": "Eins.", "answer": "reject"}), "utf-8")
    assert not bitext.read(path).notes


def test_a_list_of_texts_named_as_a_side_gives_its_first(tmp_path):
    path = tmp_path / "doccano.jsonl"
    content = [{"text": "One.", "label": ["Eins.", "Ein."]}, {"text": "Two.", "label": []}]
    path.write_text(_lines(*content), encoding="utf-8")
    bt = bitext.read(path, columns="src=text,tgt=label")
    assert bt.pairs() == [(["One."], ["Eins."]), (["Two."], [])]
    assert bt.alignment.attributes == {"tgt#2": ["Ein.", None]}
    assert list(kinds(bt)) == ["lists of texts on one side, the first of which is read"]
    with pytest.raises(FormatError, match=r"\(columns='src=text,tgt=label'\); it has 'text', 'l"):
        bitext.read(path)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ({"messages": [{"role": "user", "content": "One."}]}, "'messages' are a conversation"),
        (SPAN, r"it has one text \('text'\) with annotations of it \('spans'\)"),
        (
            {"source": "en", "target": "de", "corpus": "B", "alignment_pairs": 1},
            "it is a list of corpora, as OPUS has them: get the files of one",
        ),
        ({"prompt": "One.", "completion": "Un."}, r"\(columns='src=prompt,tgt=completion'\)"),
        ({"a b": "One.", "c": "Un."}, r"\(columns='src=a,tgt=c'\); it has 'a b', 'c'"),
        ({"fields": {"a": "One."}}, "; it has 'fields'"),
    ],
)
def test_objects_without_two_texts_are_refused_with_what_they_have(line, told):
    with pytest.raises(FormatError, match="is in no form that can be read; want .*" + told):
        read(NAME, _lines(line, line))


sides = st.sampled_from(["", "a", 'b": c', "ä\\", None])
objects_by_texts = st.fixed_dictionaries(
    {"src": sides, "tgt": sides},
    optional={"score": st.sampled_from([0.5, None, 1, "0.25", "x"]), "n": st.integers(0, 3)},
)
objects_by_languages = st.fixed_dictionaries(
    {"translation": st.fixed_dictionaries({"en": sides, "fi": sides}) | st.none()},
    optional={"score": st.just(0.5), "src": sides},
)
objects_of_any_form = st.one_of(
    objects_by_texts,
    objects_by_languages,
    st.sampled_from([{}, {"src": "a"}, {"src": ["a"], "tgt": []}, {"translations": {"en": "a"}}]),
)


@given(
    st.lists(objects_by_texts, min_size=1, max_size=5)
    | st.lists(objects_by_languages, min_size=1, max_size=5)
    | st.lists(objects_of_any_form, min_size=1, max_size=5)
)
def test_lines_read_together_are_as_lines_read_one_by_one(found):
    def outcome(end):
        try:
            return read_all(NAME, "".join(f"{json.dumps(each)}{end}\n" for each in found))
        except FormatError as error:
            return str(error)

    together, one_by_one = outcome(""), outcome(" ")  # a line with a blank after it is read alone
    assert together == one_by_one
    if not isinstance(together, str):
        assert [kinds(each) for each in together] == [kinds(each) for each in one_by_one]
        assert [each.alignment.attributes for each in together] == [
            each.alignment.attributes for each in one_by_one
        ]


def test_attributes_named_as_keys_get_names_of_their_own():
    columns = {"score": ["a"], "score_": ["b"], "tuid": ["c"]}
    back = read("jsonl", written("jsonl", inline([(["x"], ["y"])], attributes=columns)))
    assert back.alignment.attributes == {"score__": ["a"], "score_": ["b"], "tuid": ["c"]}
