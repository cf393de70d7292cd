import codecs

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

import bitext
from bitext.errors import FormatError
from formats.samples import (
    assert_parts,
    assert_same,
    beads,
    inline,
    joined,
    kinds,
    noted,
    one_line,
    read,
    read_all,
    segment,
    ugly,
    written,
)

NAME = "tsv"


def test_two_columns():
    bt = read(NAME, '\ufeffa "b\tc\r\n\td\ne\t\n')
    assert bt.pairs() == [(['a "b'], ["c"]), ([], ["d"]), (["e"], [])]
    assert bt.notes == ()
    assert bt.alignment.scores is None


def test_a_third_column_of_numbers_is_the_score():
    bt = read(NAME, "a\tb\t0.5\tx\nc\td\t-1e3\t\n")
    assert bt.alignment.scores.tolist() == [0.5, -1000]
    assert bt.alignment.attributes == {"col4": ["x", None]}


@pytest.mark.parametrize("cell", ["high", "", "1 2", "0x1", "1,5", "nan"])
def test_a_third_column_with_anything_else_is_an_attribute(cell):
    bt = read(NAME, f"a\tb\t0.5\nc\td\t{cell}\n")
    assert bt.alignment.scores is None
    assert bt.alignment.attributes == {"col3": ["0.5", cell or None]}


@pytest.mark.parametrize("header", ["src\ttgt", "source\ttarget", "Text1\tTEXT2", "src\ttrg"])
def test_headers(header):
    bt = read(NAME, f"{header}\tyear\nyes\toui\t1990\n")
    assert bt.pairs() == [(["yes"], ["oui"])]
    assert bt.alignment.attributes == {"year": ["1990"]}


def test_a_header_tells_the_order_and_the_score():
    bt = read(
        NAME, "url1\turl2\ttext1\ttext2\tscore\t\turl1\nhttp://a\thttp://b\tyes\toui\t\tx\ty\n"
    )
    assert bt.pairs() == [(["yes"], ["oui"])]
    assert bt.alignment.scores is None
    assert bt.alignment.attributes == {
        "url1": ["http://a"],
        "url2": ["http://b"],
        "col6": ["x"],
        "col7": ["y"],
    }
    back = read(NAME, "tgt\tscore\tsrc\noui\t0.5\tyes\nnon\t\tno\n")
    assert back.pairs() == [(["yes"], ["oui"]), (["no"], ["non"])]
    assert np.array_equal(back.alignment.scores, [0.5, np.nan], equal_nan=True)


def test_columns_without_a_name_of_their_own():
    bt = read(NAME, "src\ttgt\tcol4\t\tcol4\na\tb\tx\ty\tz\n")
    assert bt.alignment.attributes == {"col4": ["x"], "col4_": ["y"], "col5": ["z"]}


def test_a_score_that_is_none():
    bt = read(NAME, "src\ttgt\tscore\na\tb\thigh\n")
    assert bt.alignment.attributes == {"score": ["high"]}
    assert [note.first for note in bt.notes] == ["made: 'high'"]


def test_addresses_first():
    bt = read(NAME, "https://a.b/c\thttp://d.e\tyes\toui\t0.5\t7\n" * 2)
    assert bt.pairs() == [(["yes"], ["oui"])] * 2
    assert bt.alignment.scores.tolist() == [0.5, 0.5]
    assert list(bt.alignment.attributes) == ["url1", "url2", "col6"]


def test_ragged_lines_are_noted():
    bt = read(NAME, "a\tb\tx\nc\td\n\ne\nf\tg\ty\tz\n\t\tw\nh\t\tv\n")
    assert bt.pairs() == [(["a"], ["b"]), (["c"], ["d"])]
    assert bt.alignment.attributes == {"col3": ["x", None]}
    assert kinds(bt) == {
        "columns detected from their cells (name others with columns='src=2,tgt=3')": 1,
        "lines that lack columns after the texts, taken without them": 1,
        "empty lines, left out": 1,
        "lines without a column for each text, left out": 1,
        "lines with more columns than the first, left out": 1,
        "lines with two empty sides, left out": 1,
        "lines with an empty side in a file with ragged lines, left out": 1,
    }
    assert bt.notes[1].first == "made line 2: 2 for 3 columns"


def test_lines_before_the_first_with_columns():
    bt = read(NAME, "\nalone\na\tb\n")
    assert bt.pairs() == [(["a"], ["b"])]
    assert sum(kinds(bt).values()) == 2


def test_no_columns_at_all():
    with pytest.raises(FormatError, match="made: no line has two columns; want source and target"):
        read(NAME, "a\nb\n")
    assert len(read(NAME, "").alignment) == 0


@given(beads)
@example([(["src"], ["tgt"]), (["a"], ["b"])])
@example([(["One.", "Two."], ["\u2028\x0b\x0c\x1c\x85\u202e😀"]), ([], ["\x00"])])
def test_round_trip(pairs):
    content = written(NAME, inline(pairs))
    assume(not content.startswith(codecs.BOM_UTF8))
    expected = [(one_line(src), one_line(tgt)) for src, tgt in pairs]
    assert read(NAME, content).pairs() == [pair for pair in expected if any(pair)]


@given(st.data())
def test_scores_and_attributes_round_trip(draw):
    filled = st.lists(segment.filter(str.strip), min_size=1, max_size=1)
    pairs = draw.draw(st.lists(st.tuples(filled, filled), min_size=1, max_size=5))
    scores = draw.draw(st.none() | st.lists(st.floats(), min_size=len(pairs), max_size=len(pairs)))
    cell = st.none() | st.text("ab 1😀\u2028", min_size=1)
    column = draw.draw(st.lists(cell, min_size=len(pairs), max_size=len(pairs)))
    bt = inline(pairs, scores=scores, attributes={"why": column})
    back = read(NAME, written(NAME, bt)).alignment
    assert back.attributes == {"why": column}
    if scores is None or np.isnan(scores).all():
        assert back.scores is None
    else:
        assert np.array_equal(back.scores, scores, equal_nan=True)


def test_an_attribute_with_a_name_of_ours():
    bt = inline([(["a"], ["b"])], attributes={"score": ["1"], "src": ["x"]})
    assert written(NAME, bt) == b"src\ttgt\tscore_\tsrc_\na\tb\t1\tx\n"


def test_all_columns_of_all_documents():
    one, other = inline([(["a"], ["b"])]), inline([(["c"], ["d"])], scores=[1])
    assert written(NAME, one, one) == b"a\tb\na\tb\n"
    third = inline([(["e"], [])], attributes={"x": [None], "score": ["high"]})
    assert written(NAME, one, other, third, other) == (
        b"src\ttgt\tscore\tx\tscore_\na\tb\t\t\t\nc\td\t1.0\t\t\ne\t\t\t\thigh\nc\td\t1.0\t\t\n"
    )
    assert written(NAME) == written(NAME, inline([])) == b""


@pytest.mark.parametrize("name", ["score", "Score", "SCORE ", "src", "x\ty"])
def test_columns_with_awkward_names_come_back(name):
    bt = inline([(["a"], ["b"])], attributes={name: ["1"]})
    (shown,) = read(NAME, written(NAME, bt)).alignment.attributes
    assert shown.startswith(name.strip().replace("\t", " "))
    assert read(NAME, written(NAME, bt)).alignment.scores is None


def test_a_text_that_begins_with_a_mark_comes_back():
    bt = inline([(["\ufeffa"], ["b"])])
    assert read(NAME, written(NAME, bt)).pairs() == bt.pairs()


@pytest.mark.parametrize("pair", [(["\\N"], ["b"]), (["a"], ["\\N"])])
@pytest.mark.parametrize("before", [0, 1200])  # beyond the lines whose columns are examined
def test_a_text_that_is_null_elsewhere_comes_back(pair, before):
    bt = inline([*[(["a"], ["b"])] * before, pair])
    assert read(NAME, written(NAME, bt)).pairs() == bt.pairs()


rows = st.lists(
    st.sampled_from(
        [
            "a\tb\t1",
            "c\td\t2.5",
            "\te\t3",
            "f\t\t",
            "g\th\tx",
            "\t\t0",
            "i\tj",
            "k",
            "",
            "l\tm\tn\to",
        ]
    ),
    max_size=9,
)


@example(["f\t\t", "g\th\tx"], "")
@given(rows, st.sampled_from(["", "src\ttgt\tscore\n", "tgt\tsrc\tx\n"]))
def test_parts_differ_only_where_a_note_tells(lines, header):
    content = "".join(f"{line}\n" for line in ["A\tB\t5", *lines])
    parts = read_all(NAME, header + content, parts=True, part_size=2)
    whole = read(NAME, header + content, part_size=2)  # of which as many lines tell the columns
    together = joined(parts)
    later = {kind for kind in noted(parts) if "before the first ragged" in kind or "after" in kind}
    if not later:
        assert_same(together, whole)
        assert noted(parts) == kinds(whole)
    assert sum(map(len, (part.alignment for part in parts))) == len(together.alignment)
    assert_parts(parts, 2)


def test_what_a_later_part_contradicts_is_noted():
    parts = read_all(
        NAME, "a\tb\t1\nc\t\t2\nd\te\thigh\nf\tg\t\nh\nk\t\t3\n", parts=True, part_size=2
    )
    together = joined(parts)
    assert together.pairs() == [(["a"], ["b"]), (["c"], []), (["d"], ["e"]), (["f"], ["g"])]
    assert together.alignment.attributes == {"col3": [None, None, "high", None]}
    assert np.array_equal(together.alignment.scores, [1, 2, np.nan, np.nan], equal_nan=True)
    assert noted(parts) == {
        "cells that are not numbers after scores, kept as an attribute": 1,
        "lines with an empty side before the first ragged line, taken": 1,
        "lines without a column for each text, left out": 1,
        "lines with an empty side in a file with ragged lines, left out": 1,
    }
    parts = read_all(NAME, "a\tb\t1\nc\td\t\n", parts=True, part_size=1)
    assert noted(parts) == {"lines without a score after lines that all have one": 1}


def test_the_columns_are_told_by_the_first_part():
    with pytest.raises(FormatError, match="made: none of the first 2 lines has"):
        read_all(NAME, "a\nb\nc\td\n", parts=True, part_size=2)
    assert read_all(NAME, "", parts=True)[0].pairs() == []


@pytest.mark.parametrize("name", ["crlf.tsv", "unicode_line_ends.tsv", "ragged.moses.tsv"])
def test_awkward_files(name):
    path, verdict, units = ugly(name)
    bt = bitext.read(path)
    assert ([list(pair) for pair in bt.pairs()], bool(bt.notes)) == (units, verdict == "warn")


@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_files_joined_into_one_repeat_their_header(mark):
    bt = read("tsv", f"en\tfr\nA\tB\n{mark}en\tfr\nC\tD\n")
    assert bt.pairs() == [(["A"], ["B"]), (["C"], ["D"])]
    kinds = {note.kind: note.count for note in bt.notes}
    assert kinds["lines that repeat the header, as of joined files, left out"] == 1
    told = "lines that begin with a byte order mark, as in joined files, which is kept"
    assert kinds.get(told, 0) == len(mark)


@pytest.mark.parametrize(("marks", "noted"), [("\ufeff", 0), ("\ufeff\ufeff", 1)])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "utf-16-be"])
def test_a_second_byte_order_mark_is_noted(write, marks, noted, encoding):
    path = write("a.tsv", f"{marks}A\tB\nC\tD\n".encode(encoding))
    told = "lines that begin with a byte order mark, as in joined files, which is kept"
    assert sum(note.kind == told for note in bitext.read(path).notes) == noted


def test_carriage_returns_before_line_ends_are_noted():
    bt = read("tsv", "A\tB\r\nC\tD\r\r\n")
    assert bt.pairs() == [(["A"], ["B"]), (["C"], ["D\r"])]
    [note] = bt.notes
    assert note.kind == "lines that end with two carriage returns (CR), of which one is kept"
    assert "line 2" in note.first


def test_a_pair_of_texts_may_be_the_names_of_columns():
    bt = read("tsv", "src\ttgt\nA\tB\nsrc\ttgt\n")
    assert bt.pairs() == [(["A"], ["B"]), (["src"], ["tgt"])]
    assert [note.kind for note in bt.notes if "repeat" in note.kind] == [
        "lines that repeat the header, as of joined files, taken as texts"
    ]


@pytest.mark.parametrize(("name", "sep"), [("tsv", "\t"), ("csv", ",")])
def test_a_header_with_exchanged_sides_amid_a_table_is_refused(name, sep):
    lines = [["en", "de", "note"], ["Open", "Auf", "a"], ["de", "en", "note"], ["Zu", "Close", "b"]]
    with pytest.raises(FormatError, match="line 3: has the header again with the two sides exch"):
        read(name, "".join(f"{sep.join(line)}\n" for line in lines))
    assert len(read(name, f"src{sep}tgt\nOne{sep}Eins\ntgt{sep}src\n").alignment) == 2


def test_a_column_without_a_name_gets_one():
    for scores in (None, [0.5]):
        item = inline([(["a"], ["b"])], scores=scores, attributes={"": ["x"], "y": ["z"]})
        assert read(NAME, written(NAME, item)).alignment.attributes == {"_": ["x"], "y": ["z"]}
