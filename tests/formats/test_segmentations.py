from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext.errors import FormatError, InputError, OptionError
from bitext.formats.segment_pairing import SegmentPairing
from bitext.formats.segmentations import SPELLINGS, check_spelling, read_segmentations
from bitext.model import Segmentation
from bitext.model.segmentations import Segmentations

MASSES = [5, 5, 1, 3]
BITS = "0000100001100"


@pytest.fixture
def write(tmp_path):
    def make(name, content):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return make


@pytest.fixture
def read(write):
    def one(content, spelling=None, name="t.seg"):
        found = read_segmentations(write(name, content), format=spelling)
        return {key: list(value) for key, value in found.items()}

    return one


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
    ("a\n\nb\n", "labels", 2, "is empty; want one label a line, or format='text'"),
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
    found = read_segmentations(write("t.txt", "a\nb\n========,1,Title.\nc\n"))
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
    assert read("3\n2\n", name="t.masses") == {"1": [3], "2": [2]}
    assert read("10\n11\n", name="t.masses") == {"1": [10], "2": [11]}
    # Where there is one way, the name does not matter.
    assert read("a\n\nb\n", name="t.masses") == {"t": [1, 1]}
    assert read("5,3\n", name="t.labels") == {"t": [5, 3]}
    assert read('{"masses": [5, 3]}\n', name="t.labels") == {"t": [5, 3]}
    assert read("a\na\nb\nb\n", "text", name="t.labels") == {"t": [4]}
    with pytest.raises(FormatError, match="format='bits' or format='bits-final'"):
        read("011\n", name="t.bits")  # which of the two, the name does not say


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
    with pytest.raises(FormatError, match=r"c/all\.tsv: is a manifest and no file of segment"):
        read_segmentations(tmp_path / "c")
    odd = write("odd.tsv", "text\tpath\tsrc\nfirst\tc/a.txt\tx\n")
    with pytest.raises(FormatError, match="column 'src'; want text, path"):
        read_segmentations(odd)


def pair(write, ref, hyp, **options):
    paths = {"r": str(write("ref.seg", ref))}, {"s": str(write("hyp.seg", hyp))}
    return SegmentPairing(references=paths[0], systems=paths[1], **options).read()


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
    with pytest.raises(FormatError, match="any_units=True, or spelling='labels' where lines are"):
        pair(write, "a\nb\n\nc\n", "x\nx\ny\n")
    assert pair(write, "a b\nc\n\nd\n", "a b\n\nx\nd\n", any_units=True).units()[0] == [
        "a b",
        "c",
        "d",
    ]
    with pytest.raises(InputError, match="text 'ref' has 2 units, and 3 in"):
        pair(write, "a\nb\nc\n", "a\n\nb\n")


@pytest.mark.parametrize(
    ("ref", "hyp", "spellings", "hint"),
    [
        ("5,5,1,3", BITS + "1", ("masses", "bits"), r"hyp.seg fits as bits-final \(spelling=, ref"),
        (BITS + "1", "5,5,1,3", ("bits", "masses"), "ref.seg fits as bits-final"),
        ("5,5,1,4", BITS + "1", ("masses", "bits-final"), "hyp.seg fits as bits"),
        ("5,5,1,3", BITS + "00", ("masses", "bits"), "want segmentations of the same units$"),
    ],
)
def test_unequal_texts_say_which_spelling_would_fit(write, ref, hyp, spellings, hint):
    with pytest.raises(InputError, match=hint):
        pair(write, ref, hyp, reference_spelling=spellings[0], spelling=spellings[1])


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
