from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import re
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bitext
from bitext.errors import FormatError, InputError, OptionError
from bitext.formats.corpora.segmentation_pairing import SegmentPairing
from bitext.formats.segmentations import SPELLINGS, check_spelling, read_segmentations
from bitext.formats.segmentations.collecting import ReadingOptions
from bitext.model import Segmentation
from bitext.model.segmentation import Segmentations
from formats.samples import paired_segmentations

MASSES = [5, 5, 1, 3]
BITS = "0000100001100"


@pytest.fixture
def read(write):
    def one(content, spelling=None, name="t.seg"):
        found = read_segmentations(write(name, content), format=spelling)
        return {key: list(value) for key, value in found.items()}

    return one


def test_cells_of_csv_may_have_a_blank_before_their_quotation_marks(read):
    lines = 'id, unit, label\n1, "one, two", B\n2, three, I\n3, four, B\n4, five, I\n'
    assert read(lines, name="t.csv") == {"t": [2, 2]}


@pytest.mark.parametrize(
    ("content", "spelling"),
    [
        ("5,5,1,3\n", None),
        ("5 5 1 3", None),
        (" 5 , 5, 1 3 \r\n", None),
        (BITS + "\n", None),
        (BITS + "1\n", "bits-final"),
        ('{"masses": [5, 5, 1, 3]}', None),
        (json.dumps({"bits": BITS}), None),
        ('{"boundaries": [10, 5, 11], "n": 14}', None),
        (json.dumps({"labels": [*"aaaaabbbbb", "c", *"aaa"]}), None),
        ('{"spans": [[0, 5], [5, 10], [10, 11], [11, 14]]}', None),
        (json.dumps({"types": [["x"] if bit == "1" else [] for bit in BITS]}), None),
        ('\n{"id": null, "masses": [5, 5, 1, 3], "n": 14, "more": {"a": true}}\n\n', None),
        ("\n".join([*"aaaaabbbbbc", *"aaa"]) + "\n\n", "labels"),
        ("\n\n".join("\n".join("u" * m) for m in MASSES), None),
        (
            "=====\n\n" + "\n==========\n\n".join("\n".join("u" * m) for m in MASSES) + "\n\n=====",
            None,
        ),
    ],
)
def test_one_text_in_every_spelling(read, content, spelling):
    assert list(read(content, spelling).values()) == [MASSES]


def test_a_text_has_its_name_the_number_of_its_line_or_the_name_of_the_file(read):
    assert read("a\t5,3\n\n2 2\n") == {"a": [5, 3], "3": [2, 2]}
    assert read("a\t00\nb\t01\nc\t\n") == {"a": [3], "b": [2, 1], "c": [1]}
    assert read('{"id": 7, "masses": [1]}\n{"masses": [2]}\n') == {"7": [1], "2": [2]}
    assert read("one\n\ntwo\n", name="story.txt") == {"story": [1, 1]}
    assert read("5,3\n", name="story.masses.gz.masses") == {"story.masses.gz": [5, 3]}


@given(st.lists(st.lists(st.integers(1, 30), min_size=1, max_size=8), min_size=1, max_size=8))
def test_random_texts_come_back_from_every_line_spelling(tmp_path_factory, texts):
    path = tmp_path_factory.mktemp("r") / "t"
    wanted = {f"t{k}": masses for k, masses in enumerate(texts)}
    bits = {name: Segmentation(masses).bits() for name, masses in wanted.items()}
    contents = {
        "masses": "".join(f"{name}\t{' '.join(map(str, m))}\n" for name, m in wanted.items()),
        "bits": "".join(f"{name}\t{signs}\n" for name, signs in bits.items()),
        "bits-final": "".join(f"{name}\t{signs}1\n" for name, signs in bits.items()),
        "jsonl": "".join(json.dumps({"id": k, "masses": m}) + "\n" for k, m in wanted.items()),
    }
    for spelling, content in contents.items():
        path.write_text(content, encoding="utf-8")
        found = read_segmentations(path, format=spelling)
        assert {name: list(s) for name, s in found.items()} == wanted
        assert found.sizes.tolist() == [sum(masses) for masses in texts]


BAD = [
    ("5,0,3\n", None, 1, r"mass 1 is 0: want every mass above zero"),
    ("3,4\n0,4,8,12\n", None, 2, r"above zero \(if these are positions.* format='positions'\)"),
    ("5,5\n5,-5\n", None, 2, r"holds '-5'; want masses"),
    ("5,5\n5,,5\n", None, 2, r"comma without a number"),
    ("5,5\n5.5,5\n", None, 2, r"holds '5.5'"),
    ("5,5\nFive\n", None, 2, r"holds 'Five'; want masses.*format="),
    ("a\t5\t5\n", None, 1, "several tabs"),
    ("\t5 5\n", None, 1, "no name before it"),
    ("a\t5,5\nb\t\n", None, 2, "no mass for 'b'"),
    ("99999999999999999999,1", None, 1, "more than 18 digits"),
    ("a\t5 5\na\t4 6\n", None, 2, "a second text named 'a', as in line 1"),
    ("0010\n00x0\n", None, 2, "holds 'x' as sign 2"),
    ("0010\n\n0010\n", None, 2, "is empty; of a text of one unit"),
    ("0011\n0010\n", "bits-final", 2, "ends in 0; bits-final wants a closing 1"),
    ("0011\n011\n", None, None, "format='bits' or format='bits-final'"),
    ("1\n0\n1\n", None, None, "format='bits' or format='labels'"),
    ("10\n", None, None, "format='bits' or format='masses'"),
    ("3\n2\n3\n", None, None, "format='labels' or format='masses'"),
    ("B\nI\n\nI\nx\n", "bio", 4, "label 1 is 'x': want BIO labels"),
    (
        "a\na\nb\nb\n",
        None,
        None,
        "2 different lines of 4 and no sep.* format='labels' or format='text'",
    ),
    ("a\na\na\n", None, None, "has 1 different line of 3 and"),
    ("", None, None, "is empty"),
    ("\n \n", None, None, "is empty"),
    ("=====\n", None, None, "holds separators only"),
    ("{\n", None, 1, "is not JSON"),
    ('{"masses": [1]}\n[1]\n', None, 2, r"is \[1\]; want one object"),
    ('{"masses": [1, true]}', None, 1, 'True in "masses"'),
    ('{"masses": [1, "2"]}', None, 1, "'2' in \"masses\""),
    ('{"masses": [1, 2.5]}', None, 1, '2.5 in "masses"'),
    ('{"masses": [null]}', None, 1, 'None in "masses"'),
    ('{"masses": [1e400]}', None, 1, 'inf in "masses"'),
    ('{"masses": [NaN]}', None, 1, 'nan in "masses"'),
    ('{"masses": [99999999999999999999]}', None, 1, "beyond 64 bits"),
    ('{"masses": []}', None, 1, "want a list of at least one"),
    ('{"masses": [1]}\n{"masses": [2, 0]}', None, 2, "mass 1 is 0"),
    ('{"masses": "5,5"}', None, 1, "want a list"),
    ('{"masses": [5, 5], "n": 9}', None, 1, '"n" 9 and 10 units'),
    ('{"masses": [5, 5], "bits": "0"}', None, 1, '"masses" and "bits" that differ'),
    ('{"bits": "012"}', None, 1, "sign 2 is '2'"),
    ('{"bits": 101}', None, 1, "want a string"),
    ('{"boundaries": [3]}', None, 1, '"n" None'),
    ('{"boundaries": [3], "n": 3}', None, 1, "boundary 3 of 3 units"),
    ('{"boundaries": [1, 1], "n": 3}', None, 1, "given twice"),
    ('{"labels": []}', None, 1, "no labels"),
    ('{"spans": [[0, 2], [3, 4]]}', None, 1, "span 1 begins at 3"),
    ('{"spans": [[0, "2"]]}', None, 1, "span 0 is"),
    ('{"types": [[1], 2]}', None, 1, "types of place 1 are 2"),
    ('{"types": [[1.5]]}', None, 1, "a type of place 0 is 1.5"),
    ('{"text": "a"}', None, 1, "no segmentation; want one of"),
    ('{"id": true, "masses": [1]}', None, 1, "the id True"),
    ('{"id": "\\ud800", "masses": [1]}', None, 1, "half a surrogate pair"),
    ('{"id": "a", "masses": [1]}\n{"id": "a", "masses": [1]}', None, 2, "second text named 'a'"),
    ('{"masses": [1]}\n{"id": "1", "masses": [1]}', None, 2, "second text named '1'"),
    (b'{"masses": [1]}\n{"id": "\xff", "masses": [1]}', None, 2, "is 0xff, which is not utf-8"),
]


@pytest.mark.parametrize(("content", "spelling", "line", "message"), BAD)
def test_what_is_wrong_is_told_with_its_line(write, content, spelling, line, message):
    path = write("t.seg", content)
    with pytest.raises(FormatError, match=message) as caught:
        read_segmentations(path, format=spelling)
    assert (caught.value.path, caught.value.line) == (str(path), line)
    assert "\n" not in str(caught.value)


def test_an_unknown_spelling_names_the_nearest(write):
    with pytest.raises(OptionError, match="did you mean 'masses'"):
        read_segmentations(write("t", "5"), format="mases")
    assert [check_spelling(name) for name in SPELLINGS] == list(SPELLINGS)


def test_types_are_kept(write):
    path = write(
        "t.jsonl", '{"id": "a", "masses": [2]}\n{"id": "b", "types": [[1], null, ["x", 2]]}\n'
    )
    found = read_segmentations(path)
    assert found["b"].types == (frozenset({1}), frozenset({"x", 2}))
    assert (found["a"].types, list(found["b"])) == (None, [1, 2, 1])


def test_what_is_odd_is_noted(write):
    found = read_segmentations(write("t.txt", "a\nb\n===== 1. Title.\nc\n"))
    assert [note.kind for note in found.notes] == [
        "lines that begin with ===== and hold more, taken as units",
        "texts without a separator, taken as one segment (labels: format='labels')",
    ]
    assert read_segmentations(write("t.txt", "a\n\nb\n")).notes == ()


def test_the_name_of_a_file_settles_what_its_contents_leave(read):
    assert read("a\na\nb\n", name="t.labels") == {"t": [2, 1]}
    assert read("a\nb\n", name="T.LABELS") == {"T": [1, 1]}
    assert read(gzip.compress(b"a\nb\nb\n"), name="t.labels.gz") == {"t": [1, 2]}
    assert read("3\n3\n2\n", name="t.labels") == {"t": [2, 1]}
    assert read("0\n1\n1\n", name="t.labels") == {"t": [1, 2]}
    assert read("1\n1.1\n1.1\n2\n", name="t.labels") == {"t": [1, 2, 1]}
    assert read("3\n2\n", name="t.masses") == {"1": [3], "2": [2]}
    assert read("10\n11\n", name="t.masses") == {"1": [10], "2": [11]}
    # Where there is one way, the name does not matter.
    assert read("a\n\nb\n", name="t.masses") == {"t": [1, 1]}
    assert read("5,3\n", name="t.labels") == {"t": [5, 3]}
    assert read('{"masses": [5, 3]}\n', name="t.labels") == {"t": [5, 3]}
    assert read("a\na\nb\nb\n", "text", name="t.labels") == {"t": [4]}
    with pytest.raises(FormatError, match="format='bits' or format='bits-final'"):
        read("011\n", name="t.bits")  # which of the two, the name does not say


def kinds(found):
    return [note.kind for note in found.notes]


def test_bio_labels_are_read_as_such_and_it_is_said(read, write):
    told = "labels as B and I, taken as BIO labels (as runs of equal labels: format='labels')"
    for name, content, masses in (
        ("t.labels", "B\nI\nI\nB\nI\nB\nI\nI\n", [3, 2, 3]),
        ("t.txt", "B-seg\r\nI\r\nI\r\nB-seg\r\nI\r\n", [3, 2]),
        ("t.jsonl", '{"labels": ["B", "I", "I"]}\n{"labels": ["I", "I", "B"]}\n', [3]),
    ):
        found = read_segmentations(write(name, content))
        assert list(found.at(0)) == masses
        assert kinds(found) == [told]
    runs = read_segmentations(write("t.labels", "B\nI\nI\nB\n"), format="labels")
    assert list(runs["t"]) == [1, 2, 1]
    assert kinds(runs) == ["labels as B and I, taken as runs of equal labels (BIO: format='bio')"]
    for content, masses, meant in (
        ("B-seg\nO\nO\nB-seg\nO\n", [3, 2], "O within segments"),
        ("O\nB\nI\nO\nB\n", [1, 2, 1, 1], "O outside of segments"),
        ('{"labels": ["O", "B", "I", "O"]}\n', [1, 2, 1], "O outside of segments"),
    ):
        found = read_segmentations(write("t.txt", content))
        assert list(found.at(0)) == masses
        assert meant in kinds(found)[0]
    objects = read_segmentations(write("t.jsonl", '{"labels": ["B", "I"]}\n'), format="labels")
    assert "taken as runs of equal labels (BIO: format='bio')" in kinds(objects)[0]
    with pytest.raises(FormatError, match=r"do not follow each other.*format='bio' or format='lab"):
        read("B\nB\nE\nE\n")
    assert read("B\nB\nE\nE\n", "labels") == {"t": [2, 2]}
    with pytest.raises(FormatError, match="label 1 is 'x': want BIO labels"):
        read("B\nx\n", "bio")


def test_bio_labels_beside_units_may_have_their_only_b_in_the_first_line(read):
    assert read("It\tB\nrained\tI\nlong\tI\n") == {"t": [3]}
    assert read("It\tB\nrained\tO\nlong\tO\n") == {"t": [3]}
    assert read("It\tB-X\nrained\tE-X\nlong\tS-X\n") == {"t": [2, 1]}
    assert read("word\ttag\nIt\tB\nrained\tI\n") == {"t": [2]}
    # Below the names of coders, A and B, their labels begin.
    with pytest.raises(FormatError, match="has 3 columns, of which column 2 may be labels"):
        read("unit\tA\tB\nIt\tI\tO\nrained\tI\tI\nlong\tI\tO\ntoday\tI\tO\n")


@pytest.mark.parametrize(
    ("rows", "ways"),
    [
        ("sentence\ttopic\nIt rained.\tx\nWe stayed.\tx\nSun.\ty\n", r"format='labels' \(column"),
        ("sentence\ttopic\nIt rained.\tx\nWe stayed.\ty\n", r"format='labels' \(column"),
        (
            "sentence\tboundary\nIt rained.\t1\nSun.\t0\n",
            "format='begin-bits' or format='end-bits'",
        ),
    ],
)
def test_a_short_table_with_a_header_of_labels_is_no_text(read, rows, ways):
    with pytest.raises(FormatError, match=f"column 2 may be labels; .*{ways}"):
        read(rows)
    assert read(rows, "text") == {"t": [rows.count("\n")]}


def test_signs_of_each_unit_have_to_be_named(read):
    with pytest.raises(FormatError, match=r"format='bits' or format='begin-bits'$"):
        read("10010\n1000100\n1010\n")
    assert read("10010\n1000100\n", "begin-bits") == {"1": [3, 2], "2": [4, 3]}
    assert read("a\t00101\nb\t0100\n", "end-bits") == {"a": [3, 2], "b": [2, 2]}
    assert read("1\n0\n0\n1\n0\n", "begin-bits") == {"t": [3, 2]}
    assert read("0\n0\n1\n0\n1\n", "end-bits") == {"t": [3, 2]}
    assert read("true\nfalse\nTrue\n", "begin-bits") == {"t": [2, 1]}
    ways = "format='labels' or format='begin-bits' or format='end-bits'"
    for content in ("1\n0\n1\n", "yes\nno\nno\n", '{"labels": [0, 1, 0]}\n'):
        with pytest.raises(FormatError, match=ways):
            read(content)
    assert read('{"labels": [0, 1, 0]}\n', "begin-bits") == {"t": [1, 2]}
    assert read('{"labels": [0, 1, 0]}\n', "labels") == {"t": [1, 1, 1]}
    assert read('{"bits": "1001"}\n', "begin-bits") == {"t": [3, 1]}
    with pytest.raises(FormatError, match=r'"n" 4 and as many "bits".*begin-bits'):
        read('{"bits": [1, 0, 0, 1], "n": 4}\n')
    with pytest.raises(FormatError, match="holds 'maybe' as a label; want 0 or 1"):
        read("0\nmaybe\n1\n", "end-bits")


def test_what_was_taken_of_two_ways_is_noted(write):
    signs = read_segmentations(write("t", "0 1 0 0\n"))
    assert list(signs["t"]) == [2, 3]
    assert kinds(signs)[0].startswith("0s and 1s taken as one for each potential boundary, n-1 of")
    rising = read_segmentations(write("t", "5 10 14\n"))
    assert list(rising["t"]) == [5, 10, 14]
    told = "numbers that rise in every text, taken as masses (positions of boundaries: format='pos"
    assert [kind[: len(told)] for kind in kinds(rising)] == [told]
    assert kinds(read_segmentations(write("t", "5 10\n9 3\n"))) == []
    flags = read_segmentations(write("t.labels", "0\n1\n1\n"))
    assert list(flags["t"]) == [1, 2]
    assert "format='begin-bits', format='end-bits'" in kinds(flags)[0]
    ones = read_segmentations(write("t", '{"bits": "1001"}\n'))
    assert "n-1 of n units (one a unit: format='begin-bits' or" in kinds(ones)[0]


def test_positions_are_the_units_before_boundaries(read):
    assert read("5,10,11,14\na\t0 2 4\n", "positions") == {"1": [5, 5, 1, 3], "a": [2, 2]}
    with pytest.raises(FormatError, match=r"has 5 as position 2; want each above .*'masses'"):
        read("5 6 5\n", "positions")
    with pytest.raises(FormatError, match="holds 'x 2'; want the positions"):
        read("x 2\n", "positions")


def test_labels_may_be_a_column_beside_their_units(read, write):
    lines = "We met.\tB\nIt was.\tI\nThen.\tB\nNo.\tI\n"
    found = read_segmentations(write("t.txt", lines))
    assert list(found["t"]) == [2, 2]
    assert kinds(found)[0] == "labels taken from column 2 of 2 (to name another: as column='2')"
    assert read("B\tWe met.\nI\tIt was.\nB\tThen.\n") == {"t": [2, 1]}
    for a, b, told in (
        ("rain", "snow", r"column 2 may be labels.*"),
        ("3", "4", "one number a l.*"),
    ):
        content = f"We met.\t{a}\nIt was.\t{a}\nSo it is.\t{b}\nAt last.\t{b}\n"
        with pytest.raises(FormatError, match=f"{told}format='labels'"):
            read(content)
        assert read(content, "labels") == {"t": [2, 2]}
    with pytest.raises(FormatError, match="format='begin-bits' or format='end-bits'"):
        read("unit\tlabel\nWe met.\t1\nIt was.\t0\nThen.\t1\nNo.\t0\n")
    with pytest.raises(FormatError, match=r"format='labels'.* format='begin-bits'"):
        read("We met.\t1\nIt was.\t0\nThen.\t1\nNo.\t0\n")


def test_the_column_of_labels_may_be_named(write):
    def read(content, column, spelling=None):
        path = write("t.txt", content)
        return list(read_segmentations(path, format=spelling, column=column)["t"])

    lines = "d\tWe met.\train\nd\tIt was.\train\nd\tThen.\tsnow\n"
    assert read(lines, 3) == [2, 1]
    assert read(f"doc\tunit\ttopic\n{lines}", "topic") == [2, 1]
    assert read("The DT B-NP\ndog NN I-NP\nbarks VBZ B-VP\n", 3) == [2, 1]
    assert read("Hi\t1\nall\t0\nof\t1\n", 2, "begin-bits") == [2, 1]
    assert read('unit,label\n"We met, and",B\nIt was.,I\nNo.,B\n', "label") == [2, 1]
    assert read("We met.;rain\nIt was.;rain\nNo.;snow\n", 2) == [2, 1]
    for column, message in (("4", "has 3 columns, and no column 4"), ("tag", "no column 'tag'")):
        with pytest.raises(FormatError, match=message):
            read(lines, column)
    with pytest.raises(FormatError, match="columns 1, 3 may be that of the labels; name it"):
        read_segmentations(write("t.txt", lines), format="labels")
    with pytest.raises(FormatError, match="has 2 columns, and line 1 has 3"):
        read("a\tb\tc\na\tb\n", 2)
    with pytest.raises(OptionError, match="column= is for labels, and the notation is masses"):
        read("5,5\n", 1, "masses")


def test_sentences_are_no_labels_of_their_own(read):
    for content in ("We met. B\nIt was. I\nNo, it rained. B\n", "We,B\nIt,I\nThen,B\n"):
        with pytest.raises(FormatError, match=r"as many different labels as lines, .*\(column="):
            read(content, "labels")
    assert read("a\nb\nc\n", "labels") == {"t": [1, 1, 1]}


def test_units_and_masses_are_no_labels_in_a_named_column(write):
    """As columns that are counted from 0, or `--column masses` of a table of masses."""
    lines = "We met.\tA\nIt was so.\tA\nYes, it was.\tB\n"
    with pytest.raises(FormatError, match="as many different labels as lines"):
        read_segmentations(write("t.tsv", lines), column=1, format="labels")
    assert dict(read_segmentations(write("t.tsv", lines), column=2)) == {"t": Segmentation([2, 1])}
    for masses in ("5,5", "[5, 5]", "2 3 1"):
        content = f"id\tmasses\na\t{masses}\nb\t{masses}\n"
        for column in (2, "masses"):
            with pytest.raises(FormatError, match="has masses where its labels should be, as"):
                read_segmentations(write("t.tsv", content), column=column)
    topics = "u\t3\nv\t3, 4\nw\t5\n"
    assert dict(read_segmentations(write("t.tsv", topics), column=2, format="labels")) == {
        "t": Segmentation([1, 1, 1])
    }


@pytest.mark.parametrize(
    ("name", "rows"),
    [
        ("t.csv", 'sentence,boundary\n"Dear\tall,",0\nwe met,1\n'),
        ("t.csv", 'id;masses\na;"8"\nb;"5"\n'),
        ("t.tsv", "We met\tT0\nIt was\tT1\nHe sat\tT2\n"),
    ],
)
def test_rows_of_tables_without_labels_are_no_units(write, name, rows):
    path = write(name, rows)
    with pytest.raises(FormatError, match=r"no column is known to be of labels; name it \(column="):
        read_segmentations(path)
    assert dict(read_segmentations(path, format="text")) == {"t": Segmentation([3])}
    prose = "Hello all.\nWe met.\nHe sat.\n"
    assert dict(read_segmentations(write(name, prose))) == {"t": Segmentation([3])}


def test_each_unit_may_be_a_section_with_its_own_title(write):
    content = "text,%s\nWe met.,Early life\nIt was so.,Later life\nYes.,Death and legacy\n"
    for column in ("section", 2):
        found = read_segmentations(write("t.csv", content % "section"), column=column)
        assert dict(found) == {"t": Segmentation([1, 1, 1])}
    with pytest.raises(FormatError, match="a column 'section' may have a label of its own"):
        read_segmentations(write("t.csv", content % "words"), column=2, format="labels")
    content = content.replace(",", ",A b,").replace("A b,%s", "ann,bob")
    found = read_segmentations(write("t.csv", content), coders="bob", format="labels")
    assert [*found.values()] == [Segmentation([1, 1, 1])]


def test_a_file_may_have_both_separators(write):
    path = write("t.txt", "u1\nu2\n\nu3\n==========\nu4\nu5\n")
    found = read_segmentations(path)
    assert list(found["t"]) == [2, 1, 2]
    assert "both taken as boundaries (one alone: format='blank-lines' or format='rules')" in (
        *kinds(found)[0].partition("lines of =, ")[2:],
    )
    assert found.notes[0].first.endswith("t.txt: 1 by empty lines, 1 by lines of =")
    assert list(read_segmentations(path, format="rules")["t"]) == [3, 2]
    assert list(read_segmentations(path, format="blank-lines")["t"]) == [2, 3]


def test_heads_of_sections_are_boundaries(write):
    path = write("t.txt", "========,1,preface.\nu1\nu2\n========,2,Title.\nu3\n")
    found = read_segmentations(path)
    assert list(found["t"]) == [2, 1]
    assert kinds(found) == ["heads as '========,2,Title.', taken as boundaries and not as units"]


def test_lines_of_another_sign_are_boundaries_where_asked_for(write):
    path = write("t.txt", "u1\n* * * * *\nu2\n-----\nu3\n")
    found = read_segmentations(path)
    assert list(found["t"]) == [5]
    assert found.notes[0].kind.startswith("lines of one sign only, taken as units")
    assert list(read_segmentations(path, format="rules")["t"]) == [1, 1, 1]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("t.csv", 'id,masses\nt1,"5,5"\nt2,"3,2,5"\n'),
        ("t.csv", "Document;Segment lengths\nt1;5 5\n\nt2;3 2 5\n"),
        ("t.csv", "id,masses,\nt1,5,5\nt2,3,2,5\n"),
        ("t.tsv", "text\tmasses\nt1\t5,5\nt2\t3,2,5\n"),
        ("t.txt", "t1: 5,5\nt2: 3,2,5\n"),
    ],
)
@pytest.mark.parametrize("spelling", [None, "masses"])
def test_texts_by_name_may_be_rows_of_a_table_or_have_a_colon(read, name, content, spelling):
    assert read(content, spelling, name) == {"t1": [5, 5], "t2": [3, 2, 5]}


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("t.csv", 'id,masses\nt1,"[5, 5]"\nt2,"[3 2 5]"\n'),  # lists and arrays, by pandas
        ("t.csv", ',id,masses\n0,t1,"[5, 5]"\n1,t2,"[3, 2, 5]"\n'),
        ("t.csv", "\ufeffText;Massen\r\nt1;5,5\r\nt2;3,2,5\r\n"),
        ("t.csv", "t1,5,5\nt2,3,2,5\n"),
        ("t.csv", "t1;5,5\nt2;3,2,5\n"),
        ("t.masses", "t1 5,5\nt2 3,2,5\n"),
        ("t.masses", "t1:5,5\nt2:3,2,5\n"),
    ],
)
def test_tables_of_masses_by_other_programs_are_no_units(read, name, content):
    assert read(content, None, name) == {"t1": [5, 5], "t2": [3, 2, 5]}


@pytest.mark.parametrize(
    "content",
    [
        '"5,5"\n"3,2,5"\n',
        'masses\n"5,5"\n"3,2,5"\n',
        ",0,1,2\n0,5,5.0,\n1,3,2.0,5.0\n",
        "0,1,2\n5,5.0,\n3,2.0,5.0\n",
        "5,5,\n3,2,5\n",
        "5;5;\n3;2;5\n",
        "5.0 5.0\n3.0 2.0 5.0\n",
    ],
)
def test_masses_of_texts_without_names_keep_their_order(read, content):
    assert read(content, None, "t.csv") == {"1": [5, 5], "2": [3, 2, 5]}


def test_other_readings_of_masses_are_noted(write):
    for content, told in (
        ("1 1 2 2\n1 1 1 2\n", "which could be the segment of each unit"),
        ("1,5,5\n2,3,2\n3,4\n", "lines that begin with their number"),
        ("5|5\n3|2\n", "files named .masses without masses"),
    ):
        found = read_segmentations(write("t.masses", content))
        assert told in " ".join(note.kind for note in found.notes), content
    path = write("t.txt", "[1, 1, 2, 2]\n[1, 1, 1, 2]\n")
    assert [list(each) for each in read_segmentations(path, format="labels").values()] == [
        [2, 2],
        [3, 1],
    ]


def test_texts_of_json_lines_may_be_named_by_another_key(read):
    lines = '{"doc_id": "b", "masses": [2, 1]}\n{"doc_id": "a", "masses": [3]}\n'
    assert read(lines) == {"b": [2, 1], "a": [3]}


def test_a_label_of_two_values_is_named_in_the_remedy_and_numbers_of_rows_are_no_units(write):
    first = write("a.csv", ",unit,mark\n0,He came.,WAHR\n1,He saw.,FALSCH\n2,Then.,WAHR\n")
    second = write("b.csv", ",unit,mark\n7,He came.,WAHR\n8,He saw.,FALSCH\n9,Then.,FALSCH\n")
    options = {"format": "begin-bits", "column": "mark", "metric": "boundary", "resamples": 0}
    with pytest.raises(FormatError, match=r"as a label; want 0 or 1, .*labels='WAHR'"):
        bitext.compare(first, second, **options)
    found = bitext.compare(first, second, labels="WAHR", **options)
    assert [row["value"] for row in found.rows() if row["metric"] == "boundary.recall"] == [0]


def test_abstracts_of_pubmed_rct_have_runs_of_labels(write):
    path = write(
        "t.txt", "###12\nAIM\tWe ask.\nMETHOD\tWe did.\nMETHOD\tSo.\n\n###7\nAIM\tI ask.\n"
    )
    found = read_segmentations(path)
    assert {name: list(each) for name, each in found.items()} == {"12": [1, 2], "7": [1]}
    assert "PubMed RCT" in found.notes[0].kind


def test_files_of_paragraphs_with_named_chapters_are_segmentations(write):
    rows = "# title: x\n# doc: A\n1\tOne.\n0\tTwo.\t0.1\n\n0\tSo.\n# doc: B\n1\tIt is.\n1\tNo.\n"
    found = read_segmentations(write("t.tsv", rows))
    assert {name: list(each) for name, each in found.items()} == {
        "A": [2],
        "A (2)": [1],
        "B": [1, 1],
    }
    assert "files of paragraphs, of which a 1 starts a segment" in kinds(found)
    with pytest.raises(FormatError, match=r"line 9: has the unit 'Yes\.' where .* line 9 has"):
        pair(write, rows, rows.replace("No.", "Yes."))
    with pytest.raises(FormatError, match="line 5: ends a chapter with 1 that began with 0"):
        read_segmentations(write("t.tsv", "# doc: A\n0\tOne.\n1\tTwo.\n0\tSo.\n1\tNo.\n"))


def test_objects_of_other_kinds_are_told_what_they_lack(write):
    path = write("t.jsonl", '{"text": "A."}\n{"text": "B."}\n')
    with pytest.raises(FormatError, match='line 1: has no segmentation; want one of "masses"'):
        read_segmentations(path)


@pytest.mark.parametrize("labels", ["[1.0, 0.0, 1.0]", "[true, false, true]", '["1", 0, 1]'])
def test_labels_of_two_values_in_json_are_those_of_tables(read, labels):
    content = f'{{"id": "t", "labels": {labels}}}'
    assert read(content, "begin-bits") == {"t": [2, 1]}
    with pytest.raises(FormatError, match=r'has 0\.5 in "labels": begin-bits want 0s and 1s'):
        read(content.replace("]", ", 0.5]"), "begin-bits")


@pytest.mark.parametrize(
    ("content", "options"),
    [
        ("text\ta\tb\nt1\t5,5\t4,6\nt2\t7\t3 4\n", {}),
        ("text\ta\tb\nt1\t5,5\t4,6\nt2\t7\t3 4\n", {"coders": "a,b"}),
        ("text\ta\tb\nt1\t5,5\t4,6\nt2\t7\t3 4\n", {"column": "a"}),
        ('coder,a,b\nx,"5,5","3,3"\ny,"4,6","3,3"\n', {}),
        ('text,coder,a\nt1,x,"5,5"\nt1,y,"4,6"\n', {}),
        ("text;g;a\nt1;0010;0100\n", {}),
        ("text\ta\tb\nt1\t5,5\t4,6\n\rt2\t7\t3 4\n", {}),
        pytest.param(f"text\ta\tb\nt1\t5,5\t{'4,6,' * 40_000}1\n", {}, id="long"),
    ],
)
def test_cells_of_masses_by_text_and_coder_are_no_labels(write, content, options):
    with pytest.raises(FormatError, match=r"line 1: has .* in the column 'a', .* a file a coder"):
        bitext.read_coders(write("t.csv" if "," in content[:9] else "t.tsv", content), **options)


@pytest.mark.parametrize(
    "content", ["\rv\tx\nw\ty\n", f"{'v' * 140_000}\tx\nw\ty\n"], ids=["return", "long"]
)
def test_labels_beside_a_carriage_return_or_a_long_text_are_read(write, content):
    path = write("t.tsv", f"unit\tlabel\n{content}")
    assert list(read_segmentations(path, column="label")["t"]) == [1, 1]


def test_labels_beside_places_are_read_by_their_column(write):
    path = write("t.tsv", "unit\tlabel\tplace\nu\tx\t1 5\nv\tx\t6 9\nw\ty\t10 12\n")
    assert list(read_segmentations(path, column="label")["t"]) == [2, 1]


@pytest.mark.parametrize("content", ["5,5\t\n2,3\t\n", "5 5\t\n2,3\n", "2,3\n5,5\t\n"])
def test_masses_before_a_tab_are_no_name_of_a_text_of_one_unit(read, content):
    with pytest.raises(FormatError, match=r"no mass for '5[ ,]5'; want .*take the tab out"):
        read(content)


def test_tables_of_texts_are_told_from_coders_units_and_bits(read, write):
    path = write("t.csv", 'coder,masses\na,"5,5"\nb,"3,2,5"\n')
    with pytest.raises(InputError, match="is of several coders, a, b"):
        read_segmentations(path)
    with pytest.raises(FormatError, match="line 1: has a header above texts by bits"):
        read("id\tbits\na\t00100\nb\t0010\n", name="t.tsv")
    with pytest.raises(FormatError, match="line 1: holds 'id'"):
        read("id,masses\nt1,5\nt2,x\n", "masses", "t.csv")


@pytest.mark.parametrize(
    ("content", "spelling", "masses"),
    [
        ("[5, 5, 1, 3]\n[2,3]\n", None, [[5, 5, 1, 3], [2, 3]]),
        ("[5, 5, 1, 3]\n\n[2,3]\n", "masses", [[5, 5, 1, 3], [2, 3]]),
        ("[2, 5]\n", "positions", [[2, 3]]),
        ("[0, 1, 0]\n", "bits", [[2, 2]]),
    ],
)
def test_numbers_of_a_text_may_be_a_list_of_python_or_json(read, content, spelling, masses):
    assert list(read(content, spelling).values()) == masses


@pytest.mark.parametrize(
    ("content", "spelling", "texts"),
    [
        ("[5, 5,\n1, 3]\n", None, {"t": [5, 5, 1, 3]}),
        ("[[5, 3]]\n", None, {"t": [5, 3]}),
        ("[[5, 3],\n\n[2, 2]]\n", None, {"1": [5, 3], "2": [2, 2]}),
        ('{"x": [5, 3], "y": [2, 2]}', None, {"x": [5, 3], "y": [2, 2]}),
        ('{"x": [5, 3], "y": [6, 2]}', "masses", {"x": [5, 3], "y": [6, 2]}),
        ('{\n"x": [5, 8],\n"y": [0, 2, 4]}', "positions", {"x": [5, 3], "y": [2, 2]}),
        ("[[0, 1, 0], [0, 0]]", None, {"1": [2, 2], "2": [3]}),
        ("[[false, true, false]]", "end-bits", {"t": [2, 1]}),
        ('["010", "001"]', "begin-bits", {"1": [1, 2], "2": [2, 1]}),
        ('{"x": ["B", "I", "B"]}', None, {"x": [2, 1]}),
        ('{"x": ["a", "a", "b"], "y": ["c"]}', "labels", {"x": [2, 1], "y": [1]}),
        ("[[1, 1, 2, 2, 2]]", "labels", {"t": [2, 3]}),
        ('[{"masses": [2, 1]}, {"masses": [3]}]', None, {"1": [2, 1], "2": [3]}),
        ('[{"id": "b", "masses": [2, 1]},\n{"id": "a", "bits": "01"}]', None,
         {"b": [2, 1], "a": [2, 1]}),
        ('{\n "id": "b",\n "masses": [2, 1]\n}', None, {"b": [2, 1]}),
        ('{"x": {"masses": [2, 1]}, "y": {"n": 3, "boundaries": [1]}}', None,
         {"x": [2, 1], "y": [1, 2]}),
    ],
)  # fmt: skip
def test_a_file_may_be_one_value_of_json(read, content, spelling, texts):
    found = read(content, spelling)
    assert {name: list(each) for name, each in zip(found, found.values(), strict=True)} == texts


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[5, 3]\n{}\n", "begins as a value of JSON, and others follow; want JSON lines"),
        ("[5, 3\n", "line 1: is not JSON: Expecting ',' delimiter"),
        ("[[5, 3],\n[2, 0]]", "line 2: mass 1 is 0"),
        ("[[5, 3],\n[]]", "line 2: has a text without values"),
        ("[[5, 3], {}]", "beside other texts; want arrays of numbers, or objects"),
        ("[[[5, 3]], [[2]]]", r"has \[5, 3\] in the array of a text; want masses"),
        ("[[1, 0, 1], [0, 1]]", "has signs that could be bits, .*bits-final"),
        ('{"x": [5, "a"]}', "has 'a' beside numbers"),
        ('{"x": ["One.", "Two."]}', "which may be labels or units; .*'labels'"),
        (
            '{"ann": [5, 3], "ben": [4, 4]}',
            "coders of one text, or texts; .*'segeval'",
        ),
        ("{}", "is an empty value of JSON"),
    ],
)
def test_values_of_json_that_are_refused(read, content, message):
    with pytest.raises(FormatError, match=message):
        read(content)


def test_what_may_be_the_segment_of_each_unit_is_noted_in_json(write):
    (note,) = read_segmentations(write("t.json", "[[1, 1, 2, 2, 2]]")).notes
    assert "could be the segment of each unit (if so: format='labels')" in note.kind
    (note,) = read_segmentations(write("t.json", "[[0, 1, 0]]")).notes
    assert "0s and 1s taken as one for each" in note.kind


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("t.xlsx", b"PK\x03\x04\x14\0", "is a spreadsheet, .* save it as CSV"),
        ("t.parquet", b"PAR1\x15\0", "is Parquet, .* save it as JSON lines"),
        ("t.npy", b"\x93NUMPY\x01\0v", "is an array of NumPy, .* save it as JSON lines"),
    ],
)
def test_tables_that_are_no_text_have_their_remedy(tmp_path, name, content, told):
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(FormatError, match=told):
        read_segmentations(path)


@pytest.mark.parametrize("line", ["[SEP]", "<eop>", "__BREAK__", "## END OF SECTION ##"])
def test_words_for_separators_among_units_are_told(write, line):
    text = f"u1\n{line}\nu2\nu3\n"
    (note, *_) = read_segmentations(write("a.txt", text)).notes
    assert note.kind.startswith("lines that may be separators, taken as units")
    with pytest.raises(FormatError, match=f"or empty lines in place of '{re.escape(line)}"):
        pair(write, text, f"u1\nu2\n{line}\nu3\n")
    assert not read_segmentations(write("a.txt", "u1\n[Music]\n\nSection\n(a break)\n")).notes


def test_lines_that_repeat_as_labels_are_noted_beside_empty_lines(write):
    gold = "AIM\nHOW\nHOW\n\nAIM\nAIM\nHOW\n"
    (note,) = noted(write, gold)
    assert note.kind.startswith("lines that repeat as labels do, taken as units (labels of units:")
    assert not noted(write, "Yes.\nIt rained.\n\nYes.\nIt stopped.\n")
    assert not noted(write, "x\nx\n\nx\nx\n")  # units of which the text does not matter
    assert not noted(write, "Hey ho\nthe wind and the rain\n\n" * 3)
    told = "or any_units=True, or format='labels' where lines are labels of units"
    with pytest.raises(FormatError, match=told):
        pair(write, gold, gold.replace("HOW\nHOW", "AIM\nHOW"))


@pytest.mark.parametrize("border", ["<s>", "</p>", "<br/>", "# Title", "***Talk***"])
def test_tags_and_headings_in_other_places_have_their_remedy(write, border):
    with pytest.raises(FormatError, match=f"or empty lines in place of '{re.escape(border)}'"):
        pair(write, f"u1\nu2\n{border}\nu3\n", f"u1\n{border}\nu2\nu3\n")


@pytest.mark.parametrize("rule", ["---", "===", "***", "_ _ _", "———", "• • •"])
def test_lines_of_one_sign_among_other_units_have_their_remedy_and_it_works(write, rule):
    gold = write("a.txt", f"u1\nu2\n{rule}\nu3\n")
    hyp = write("b.txt", f"u1\n{rule}\nu2\nu3\n")
    with pytest.raises(FormatError, match=r"or (ref_from|format)='rules' where '.*' is a boundary"):
        bitext.compare(gold, hyp, metric="boundary")
    found = bitext.compare(gold, hyp, metric="boundary", format="rules")
    rows = {row["metric"]: row["denominator"] for row in found.rows()}
    assert rows["boundary.recall"] == 1


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ('<?xml version="1.0"?>\n<TIER>\n<A/>\n</TIER>\n', "is XML, and not one unit a line"),
        ('<n:topics id="1">\n<topic a="b"/>\n</n:topics>\n', "is XML, and not one unit a line"),
        ("<text><p><s>It rained.</s></p></text>", "is XML, and not one unit a line"),
        ("[Script Info]\nTitle: x\n\n[Events]\n", "is a file of subtitles"),
        (
            "#FORMAT=WebAnno TSV 3.3\n\n#Text=It rained.\n1-1\t0-2\tIt\tSEG\t\n",
            "WebAnno, INCEpTION",
        ),
        ("T1\tSeg 0 9\tIt rained\nT2\tSeg 11 13\tSo\nA1\tSure T1\n", r"text \(brat\)"),
        ("SPEAKER f1 1 0.0 1.25 <NA> <NA> a <NA> <NA>\nSPEAKER f1 1 1.25 2.0 b\n", "RTTM"),
        ("f1 A 0.0 0.51 it\nf1 A 0.51 0.4 rained 0.9\n", "CTM"),
        ("0.000\t1.200\tIt rained.\n1.200\t3.0\tSo.\n", "Audacity"),
        ("1\n00:00:01,000 --> 00:00:02,000\nIt rained.\n", "is a file of subtitles"),
        ('<?xml version="1.0"?>\n<ANNOTATION_DOCUMENT/>\n<A/>\n<B/>\n', "ELAN .* as a TextGrid"),
        ("ann\t\t00:00:01.000\t00:00:02.000\tA\n", "a table of times .*as a TextGrid"),
    ],
)
def test_files_of_annotation_tools_are_no_units(write, content, told):
    path = write("t.txt", content)
    with pytest.raises(FormatError, match=told):
        read_segmentations(path)
    assert len(read_segmentations(path, format="text")) == 1


@pytest.mark.parametrize("content", ["<p>\nOne.\n</p>\n<p>\nTwo.\n</p>\n", "<p>\nOne.\nTwo.\n</p>"])
def test_lines_between_tags_of_paragraphs_are_units(read, content):
    assert len(read(content)["t"]) == 1


@pytest.mark.parametrize("row", ["5 5 1 3 2", "he x 1.5 2 y", "1.5 2.5 x"])
def test_numbers_are_no_files_of_times(write, row):
    assert len(read_segmentations(write("t.txt", f"{row}\n{row} 9\n"))) in (1, 2)


def test_labels_that_some_lines_lack_are_refused(write):
    path = write("t.txt", "He came.\tB\n\nHe saw.\nHe won.\tB\nHe left.\tI\n")
    with pytest.raises(FormatError, match="line 3: has 1 column, and most lines have 2, one of"):
        read_segmentations(path)
    assert list(read_segmentations(path, format="text").values()) == [Segmentation([1, 3])]


def test_empty_rows_at_the_end_of_a_table_are_left_out_and_noted(write):
    content = "unit;label\nHe came.;1\nHe saw.;0\n;\n;\n"
    found = read_segmentations(write("t.csv", content), format="begin-bits", column="label")
    assert list(found.values()) == [Segmentation([2])]
    assert ("empty rows at the end of a table, left out", 2) in {
        (note.kind, note.count) for note in found.notes
    }


def test_spans_with_their_last_unit_have_to_be_named(read):
    inclusive = '{"spans": [[0, 4], [5, 6]]}\n'
    with pytest.raises(FormatError, match=r"span 1 begins at 5: want 4.*format='inclusive-spans'"):
        read(inclusive)
    assert read(inclusive, "inclusive-spans") == {"t": [5, 2]}
    assert read('{"spans": [[1, 5], [6, 7]]}\n', "inclusive-spans") == {"t": [5, 2]}
    assert read('{"spans": [[1, 6], [6, 8]]}\n', "spans") == {"t": [5, 2]}
    with pytest.raises(FormatError, match="span 0 begins at 1: want 0"):
        read('{"spans": [[1, 6], [6, 8]]}\n')


def test_carriage_returns_alone_are_no_line_ends(write):
    with pytest.raises(FormatError, match=r"carriage returns \(CR\) alone"):
        read_segmentations(write("t", "5,5\r2,2\r"))


def test_few_lines_that_are_there_often_are_labels_or_a_text(read):
    assert read("a\na\nb\nb\n", "text") == {"t": [4]}
    assert read("a\na\n") == {"t": [2]}
    assert read("a\na\nb\nc\nd\n") == {"t": [5]}
    assert read("a\na\n=====\nb\nb\n") == {"t": [2, 2]}


@pytest.mark.parametrize(
    ("suffix", "pack"), [(".gz", gzip.compress), (".xz", lzma.compress), (".bz2", bz2.compress)]
)
def test_compressed_files_are_unpacked(write, suffix, pack):
    path = write(f"t.jsonl{suffix}", pack(b'{"id": "a", "masses": [5, 3]}\n'))
    assert list(read_segmentations(path)["a"]) == [5, 3]


def test_standard_input_and_encodings(write, monkeypatch):
    class Standard:
        buffer = io.BytesIO(b"5,3\n")

    monkeypatch.setattr(sys, "stdin", Standard)
    assert list(read_segmentations("-").values()) == [Segmentation([5, 3])]
    marked = write("t.jsonl", b"\xef\xbb\xbf" + b'{"masses": [5, 3]}\n')
    assert list(read_segmentations(marked)["t"]) == [5, 3]
    wide = write("w.jsonl", '\ufeff{"id": "é", "masses": [5, 3]}\n'.encode("utf-16-le"))
    found = read_segmentations(wide, format="jsonl")
    assert list(found) == ["é"]


def test_folders_and_manifests(write, tmp_path):
    write("c/a.txt", "x\n\ny\n")
    write("c/deep/b.jsonl", '{"id": "p", "masses": [1]}\n{"id": "q", "masses": [2]}\n')
    write("c/README.md", "# Nothing\n")
    write("c/.hidden", "1,1\n")
    write("c/picture.bin", b"\0\1\2")
    found = read_segmentations(tmp_path / "c")
    assert {name: list(s) for name, s in found.items()} == {
        "a": [1, 1],
        "deep/b:p": [1],
        "deep/b:q": [2],
    }
    manifest = write("m.tsv", "text\tpath\nfirst\tc/a.txt\n")
    assert list(read_segmentations(manifest)) == ["first"]
    write("c/all.tsv", "text\tpath\nfirst\ta.txt\n")
    with pytest.raises(FormatError, match=r"c/all\.tsv: is a manifest, not a file of segment"):
        read_segmentations(tmp_path / "c")
    odd = write("odd.tsv", "text\tpath\tsrc\nfirst\tc/a.txt\tx\n")
    with pytest.raises(FormatError, match="column 'src'; want text, path"):
        read_segmentations(odd)


def pair(write, ref, hyp, **options):
    paths = {"r": str(write("ref.seg", ref))}, {"s": str(write("hyp.seg", hyp))}
    return paired_segmentations(*paths, **options)


def test_texts_are_paired_by_name_in_the_order_of_the_reference(write):
    found = pair(write, "b\t3,3\na\t5 5\nc\t1 1\n", "x\t1\na\t4 6\nb\t6\n")
    assert found.references[0].ids == ["b", "a"]
    assert found.references[0].masses.tolist() == [3, 3, 5, 5]
    assert found.hyps[0].masses.tolist() == [6, 4, 6]
    lone = [(u.name, u.extra) for u in found.unpaired]
    assert lone == [("c", False), ("x", True)]
    with pytest.raises(InputError, match="no segmentation of 'c'"):
        pair(write, "a\t5 5\nc\t1 1\n", "a\t5 5\n b\t1 1\n", missing="error")
    with pytest.raises(InputError, match=r"no text of .* has a partner .* 'a' against 'b'"):
        pair(write, "a\t5 5\nc\t1 1\n", "b\t5 5\n")
    assert len(pair(write, "a\t5 5\n", "b\t4 6\n").references[0]) == 1


def test_units_are_the_same_up_to_white_space(write):
    found = pair(write, "a b\nc\n\nd\n", "=====\na  b\n\nc\nd\n")
    assert found.hyps[0].masses.tolist() == [1, 2]
    with pytest.raises(
        FormatError, match=r"has the unit 'x' where .*ref.seg line 2 has 'c'"
    ) as told:
        pair(write, "a b\nc\n\nd\n", "a b\n\nx\nd\n")
    assert (told.value.path.endswith("hyp.seg"), told.value.line) == (True, 3)
    with pytest.raises(FormatError, match="any_units=True, or format='labels' where lines are"):
        pair(write, "a\nb\n\nc\n", "x\nx\ny\n")
    assert pair(write, "a b\nc\n\nd\n", "a b\n\nx\nd\n", any_units=True).units()[0] == [
        "a b",
        "c",
        "d",
    ]
    with pytest.raises(InputError, match="text 'ref' has 2 units, and 3 in"):
        pair(write, "a\nb\nc\n", "a\n\nb\n")
    with pytest.raises(InputError, match="text 'ref' has 1 unit, and 3 in"):
        pair(write, "3\n", "1\n", reference_spelling="masses", spelling="masses")


@pytest.mark.parametrize(
    ("ref", "hyp", "spellings", "hint"),
    [
        ("5,5,1,3", BITS + "1", ("masses", "bits"), r"hyp.seg fits as bits-final \(format=, ref"),
        (BITS + "1", "5,5,1,3", ("bits", "masses"), "ref.seg fits as bits-final"),
        ("5,5,1,4", BITS + "1", ("masses", "bits-final"), "hyp.seg fits as bits"),
        ("5,5,1,3", BITS + "0", ("masses", "bits"), "hyp.seg fits as begin-bits or end-bits"),
        ("5,5,1,3", "5,10,11,14", (None, None), "hyp.seg fits as positions"),
        ("5,10,14", "5,11,14", (None, None), "both fit as positions"),
        ("5,5,1,3", "5,10,11", ("masses", "positions"), "hyp.seg fits as masses"),
        ("4,8", "4,9", ("positions", "positions"), "the last position is the number of units"),
        ("5,5,1,3", BITS + "00", ("masses", "bits"), "want segmentations of the same units$"),
    ],
)
def test_unequal_texts_say_which_spelling_would_fit(write, ref, hyp, spellings, hint):
    with pytest.raises(InputError, match=hint):
        pair(write, ref, hyp, reference_spelling=spellings[0], spelling=spellings[1])


def test_labels_read_in_two_ways_are_noted(write):
    found = pair(write, "B\nI\nB\nI\n", '{"labels": ["B", "I", "x", "x"]}\n')
    assert any(note.kind.startswith("labels read in two ways") for note in found.notes)
    found = pair(write, "B\nI\nB\nI\n", '{"masses": [2, 2]}\n')
    assert not any(note.kind.startswith("labels read in two ways") for note in found.notes)
    found = pair(write, "B\nI\nB\nI\n", "A\tu\nA\tv\nB\tw\nB\tx\n", spelling="labels")
    assert any(note.kind.startswith("labels read in two ways") for note in found.notes)


def test_what_o_is_has_to_be_the_same_in_all_files(write):
    begun, within = "B\nO\nO\nB\nO\n", "B\nI\nO\nB\nO\n"
    told = r"hyp\.seg: has no label .* but O, which is outside of segments in .*ref\.seg"
    for spelling in (None, "bio"):
        with pytest.raises(InputError, match=told):
            pair(write, within, begun, reference_spelling=spelling, spelling=spelling)
    for form, masses in (("bio-within", [3, 2]), ("bio-outside", [1, 2, 1, 1])):
        found = pair(write, within, begun, reference_spelling=form, spelling=form)
        assert found.hyps[0].masses.tolist() == masses
        assert Segmentation.from_labels("BOOBO", form=form).masses.tolist() == masses
    # A file in which all labels agree says it alone.
    found = pair(write, within, "B\nI\nI\nB\nI\n")
    assert found.references[0].masses.tolist() == [2, 1, 1, 1]


CONLL = "-DOCSTART- -X- O\n\nWe PRP B\nmet VB I\n\nIt PRP B\nrained VB O\nhard RB B\n"


@pytest.mark.parametrize(
    ("content", "column", "texts", "found"),
    [
        ("B\nI\n\nI\nB\n", None, None, {"1": [2], "2": [1, 1]}),
        ("B\nI\n\nI\nB\n", None, "one", {"t": [3, 1]}),
        ("u\tB\nv\tI\n\nw\tI\nx\tB\n", None, None, {"1": [2], "2": [1, 1]}),
        (CONLL, 3, None, {"1": [2], "2": [1, 1, 1]}),
        (CONLL, 3, "docstart", {"t": [2, 1, 1, 1]}),
        (CONLL + CONLL, 3, "docstart", {"1": [2, 1, 1, 1], "2": [2, 1, 1, 1]}),
        ("d1\tu\tB\nd1\tv\tI\nd2\tw\tI\nd2\tx\tB\n", None, 1, {"d1": [2], "d2": [1, 1]}),
        ("d1\tu\tB\nd1\tv\tI\nd2\tw\tI\nd2\tx\tB\n", None, "one", {"t": [3, 1]}),
        ("doc,u,tag\na,u,x\na,v,y\nb,w,y\nb,w,y\n", "tag", None, {"a": [1, 1], "b": [2]}),
    ],
)
def test_labels_of_several_texts(write, content, column, texts, found):
    path = write("t.seg", content)
    table = read_segmentations(path, column=column, texts=texts)
    assert {name: list(masses) for name, masses in table.items()} == found
    parted = [note.kind for note in table.notes if "texts=" in note.kind]
    assert len(parted) == (texts is None)


@pytest.mark.parametrize(
    ("content", "options", "message"),
    [
        (
            "d1\tu\tB\nd1\tv\tI\nd2\tw\tI\nd2\tx\tB\n",
            {},
            r"a column 1 that may name the texts \('d1', then 'd2'\): name it \(texts='1'\)",
        ),
        ("a\tu\tB\nb\tv\tI\na\tw\tB\n", {"texts": 1}, "a second text named 'a'"),
        ("a\tu\tB\nb\tv\tB\n", {"texts": 4}, "has no column '4' of the names of texts"),
        ("B\nI\nB\n", {"texts": "docstart"}, "no line that begins with -DOCSTART-"),
        ("B\nI\nB\n", {"texts": "2"}, "has no columns, and texts are to be separated by '2'"),
        (CONLL, {}, "3 columns with blanks between, .* name it .column='3'."),
        ("1\n0\n\n1\n1\n", {}, "format='begin-bits' or format='end-bits'"),
    ],
)
def test_labels_that_may_be_of_several_texts_are_asked_for(write, content, options, message):
    with pytest.raises(FormatError, match=message):
        read_segmentations(write("t.seg", content), **options)


def test_a_text_alone_whose_name_is_in_a_column_has_its_remedy(write):
    ref = "doc\tunit\tlabel\nx\tu\tB\nx\tv\tI\ny\tw\tB\n"
    with pytest.raises(InputError, match="if a column has the names: texts="):
        pair(write, ref, ref.replace("y\tw\tB\n", ""))
    assert pair(write, ref, ref.replace("y\tw\tB\n", ""), texts="doc").references[0].ids == ["x"]


def test_units_of_several_texts_are_compared(write):
    ref = "d1\tu\tB\nd1\tv\tI\nd2\tw\tB\nd2\tx\tB\n"
    assert pair(write, ref, ref, texts="1").units() == {0: ["u", "v"], 1: ["w", "x"]}
    with pytest.raises(FormatError, match=r"has the unit 'y' where .*ref\.seg line 4 has 'x'"):
        pair(write, ref, ref.replace("x", "y"), texts="1")


def test_segmentations_that_tell_nothing_are_noted(write):
    single = pair(write, "1,1,1\n2,2\n", "1 1 1\n3,1\n").notes
    assert [(note.kind, note.count, note.first) for note in single] == [
        ("reference and s: texts of which every unit is a segment of its own", 1, "'1'")
    ]
    pairs = '[["u", "0"], ["v", "0"]]'
    two = pair(write, pairs, pairs, reference_spelling="labels", spelling="labels").notes
    assert [(note.count, note.first) for note in two] == [(2, "'1'")]
    bare = pair(write, "3\n", "3\n", reference_spelling="masses", spelling="masses").notes
    assert [note.kind for note in bare] == [
        "reference and s: texts without a boundary, and there are no others"
    ]
    assert pair(write, "3,2\n", "5\n", spelling="masses").notes == ()


def test_notes_of_signs_are_left_out_where_another_file_has_the_number_of_units(write):
    assert pair(write, "2,2\n", "010\n").notes == ()
    assert len(pair(write, "0100\n", "0010\n").notes) == 2


def test_a_table_gives_views_and_takes_texts():
    found = Segmentations.of(
        {"a": Segmentation([2, 1]), "b": Segmentation.from_types([[1], []]), "c": Segmentation([4])}
    )
    taken = found.take(np.array([2, 1]))
    assert list(taken.items()) == [("c", found["c"]), ("b", found["b"])]
    assert taken["b"].types == (frozenset({1}),)
    assert taken != found
    assert found == Segmentations.of(dict(found))
    with pytest.raises(KeyError):
        found["d"]


def test_texts_without_names_in_other_lines_are_refused(write):
    told = r"has text 1 in line 2, and .*ref\.seg in line 1, and both have 2 texts without names"
    with pytest.raises(InputError, match=told):
        pair(write, "5,5\n5,5\n", "\n5,5\n4,6\n")
    named = pair(write, "1\t5,5\n2\t5,5\n", "\n1\t5,5\n2\t4,6\n")
    assert named.hyps[0].masses.tolist() == [5, 5, 4, 6]
    # An empty line may stand for a text that a system lacks.
    assert pair(write, "5,5\n5,5\n3,3\n", "5,5\n\n3,3\n").hyps[0].ids == ["1", "3"]


def test_lines_that_may_be_headings_are_noted(write):
    content = "# Title\na <b>\n## Sub\n\n== Of a wiki ==\n***LECTURE***\n<p>\n#tag\n* point\n"
    notes = {note.kind: (note.count, note.first) for note in noted(write, content)}
    count, first = notes["lines that may be headings (#, ***, <...>), taken as units"]
    assert (count, first.rpartition(" line ")[2]) == (5, "1: '# Title'")


def test_labels_that_differ_in_case_alone_are_noted(write):
    told = "labels that differ in case or blanks alone, taken as different"
    notes = noted(write, "cats\ncats\nCats\ndogs\n", "labels")
    assert [(n.kind, n.first.rpartition(".seg: ")[2]) for n in notes] == [
        (told, "'Cats' and 'cats'")
    ]
    assert noted(write, "cats\ncats\ndogs\n", "labels") == []


def noted(write, content, spelling=None):
    return list(read_segmentations(write("t.seg", content), format=spelling).notes)


@pytest.mark.parametrize(
    ("content", "spelling", "masses"),
    [
        ("So, this is it.\nIt stood - empty!\n\nReally?\n", "transcript", [4, 3, 1]),
        ("so this is it\n...\nit stood empty\n=====\nreally", "transcript", [4, 3, 1]),
        ("So, this\nis it. It stood – empty!\nReally?", "transcript-marks", [4, 3, 1]),
        ("«So, this is it.» It stood empty . . . Really", "transcript-marks", [4, 3, 1]),
        ("Ist es da? „Ja!“ (Gut.) Dann", "transcript-marks", [3, 1, 1, 1]),
        ("¿Qué? 3.5 per cent, don’t you think", "transcript-marks", [1, 6]),
    ],
)
def test_transcripts_are_read_over_their_words(read, content, spelling, masses):
    assert read(content, spelling) == {"t": masses}


WORDS = st.text("abñé'-3", min_size=1, max_size=5).map(lambda word: f"x{word}y")
MARKED = st.tuples(
    WORDS, st.sampled_from(["", ",", "...", ")", "!?"]), st.sampled_from(["", "(", "«", "- "])
)


@given(st.lists(st.lists(MARKED, min_size=1, max_size=5), min_size=1, max_size=6))
def test_punctuation_and_capitals_of_a_transcript_do_not_matter(tmp_path_factory, sentences):
    path = tmp_path_factory.mktemp("transcripts") / "t.txt"
    marked, bare = (
        "\n".join(" ".join(make(*word) for word in sentence) for sentence in sentences)
        for make in (lambda w, after, before: before + w.title() + after, lambda w, *_: w)
    )
    found = []
    for text in (marked, bare):
        path.write_text(text, encoding="utf-8")
        found.append(list(read_segmentations(path, format="transcript")["t"]))
    assert found == [[len(sentence) for sentence in sentences]] * 2


def test_a_transcript_without_words_or_boundaries_is_told(write, read):
    with pytest.raises(FormatError, match="has no words; want a transcript"):
        read("... !\n--\n", "transcript")
    found = read_segmentations(write("t.txt", "we met. he sat.\n"), format="transcript")
    assert str(found.notes[0]).startswith("transcripts of one sentence (other ")


def test_transcripts_of_other_words_are_refused_with_the_place(write):
    ref, hyp = write("ref.txt", "So it is.\nOh, yes.\n"), write("hyp.txt", "so it is\nah yes\n")
    pairing = SegmentPairing(
        references={"ref": str(ref)},
        systems={"hyp": str(hyp)},
        reference_spelling="transcript",
        reading=ReadingOptions(spelling="transcript"),
    )
    with pytest.raises(FormatError, match=r"has the unit 'ah' where .* has 'oh': .* words differ"):
        pairing.read()


@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_the_only_column_of_labels_of_a_table_in_csv_is_taken(write, mark):
    path = write(
        "a.csv", f'{mark}Satz;Etikett\r\n"Es war spät; sehr.";1\r\nEr ging.;0\r\nSie kam.;1\r\n'
    )
    found = read_segmentations(path, format="begin-bits")
    assert [list(found[name]) for name in found] == [[2, 1]]
    assert kinds(found)[:2] == [
        "first lines taken as a header",
        "labels taken from column 2 of 2 (to name another: as column='2')",
    ]
    rows = write("b.csv", "1,0\n0,0\n")
    with pytest.raises(FormatError, match="columns 1, 2 may be that of the labels; name it"):
        read_segmentations(rows, format="begin-bits")


def test_labels_that_may_mark_what_is_not_coded_are_noted(write):
    path = write("a.txt", "x\nx\nNA\ny\n")
    kind = "labels that may mark what is not coded, taken as labels"
    assert kind in kinds(read_segmentations(path, format="labels"))
    path = write("b.txt", "x\nx\ny\ny\n")
    assert kind not in kinds(read_segmentations(path, format="labels"))


def test_labels_that_may_mark_where_segments_end_are_noted(write):
    def noted(content, **options):
        found = read_segmentations(write("t.tsv", content), **options)
        return [note.first for note in found.notes if "never follow each other" in note.kind]

    marks = ["O", "STOP", "O", "O", "ASK", "O"]
    cells = "".join(f"w{k}\t{label}\n" for k, label in enumerate(marks))
    with pytest.raises(FormatError, match=r"if 'STOP' .* labels='STOP,ASK' and format="):
        read_segmentations(write("t.tsv", cells))
    (first,) = noted(cells, column=2)
    assert first.endswith("t.tsv: STOP, ASK")
    assert noted("\n".join(marks) + "\n", format="labels")
    assert noted(json.dumps({"labels": marks}))
    ends = {"column": 2, "labels": "STOP,ASK", "format": "end-bits"}
    assert list(read_segmentations(write("t.tsv", cells), **ends)["t"]) == [2, 3, 1]
    for plain in (
        ["x", "x", "y", "y"],
        ["x", "x", "y"],
        ["x", "y", "x", "y"],
        ["greeting", "x", "x", "closing"],
        ["0", "0", "1", "0"],
    ):
        assert not noted("\n".join(plain) + "\n", format="labels")
    assert not noted(cells, column=2, labels="STOP", format="labels")


def test_pairs_of_a_unit_and_its_label_in_json_are_no_texts(write):
    path = write("t.json", '[["We met.", "0"], ["We ate.", "1"], ["We left.", "0"]]')
    with pytest.raises(FormatError, match=r"as \['We met.', '0'\], which seem to be units with"):
        read_segmentations(path, format="labels")
    words = '[["a", "b"], ["a", "a"], ["b", "b"]]'
    assert list(read_segmentations(write("t.json", words), format="labels")["2"]) == [2]


@pytest.mark.parametrize(
    ("content", "options"),
    [
        ("-DOCSTART-\n", {"texts": "docstart"}),
        ("-DOCSTART- a,b\n", {"column": 1}),
        ("\n-DOCSTART-\n", {"format": "bio"}),
        ("###1\n", {"coders": "a,b"}),
        ("###1\n\n###2\n", {}),
    ],
)
def test_separators_of_texts_without_a_label_are_refused(write, content, options):
    with pytest.raises(FormatError, match="holds names and separators of texts only; want a label"):
        read_segmentations(write("t.csv", content), **options)


def test_names_of_other_types_are_not_known(write):
    path = write("t.masses", "5,3\n")
    for name in (5, ["masses"]):
        with pytest.raises(
            OptionError, match=r"notation .* is not known; want one of jsonl, masses"
        ):
            read_segmentations(path, format=name)
    with pytest.raises(OptionError, match="encoding 5 is not known: want one as utf-8"):
        read_segmentations(path, encoding=5)


def test_a_column_named_as_positions_is_a_question(write):
    rows = 'a,"[2, 4, 9]"\nb,"[2, 5]"\n'
    for name in ("boundaries", "break_positions"):
        path = write("t.csv", f"doc,{name}\n{rows}")
        with pytest.raises(FormatError, match=r"rising numbers in the column .*format='positions'"):
            read_segmentations(path)
        found = [
            [*map(str, read_segmentations(path, format=form).values())]
            for form in ("masses", "positions")
        ]
        assert found == [
            ["Segmentation([2, 4, 9])", "Segmentation([2, 5])"],
            ["Segmentation([2, 2, 5])", "Segmentation([2, 3])"],
        ]
    lengths = write("t.csv", 'doc,boundaries\na,"5 5 1 3"\nb,"4 4 6"\n')
    assert [text.n for text in read_segmentations(lengths).values()] == [14, 14]
