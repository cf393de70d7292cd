"""Segmentations into units of discourse: DISRPT, RST files, and a unit a line."""

from __future__ import annotations

from xml.sax.saxutils import escape

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bitext.errors import FormatError, OptionError
from bitext.formats.corpora.segmentation_pairing import SegmentPairing
from bitext.formats.segmentations import read_segmentations

EDUS = [["We", "waited"], ["because", "it", "did", "n't", "rain", "."]]
RS3 = """<rst>
  <header><relations><rel name="cause" type="rst"/></relations></header>
  <body>
    <segment id="1" parent="3" relname="span">We waited</segment>
    <segment id="2" parent="1" relname="cause">because it
      did n't rain .</segment>
    <group id="3" type="span"/>
  </body>
</rst>
"""
DIS = """( Root (span 1 2)
  ( Nucleus (leaf 1) (rel2par span) (text _!We waited_!) )
  ( Satellite (leaf 2) (rel2par cause) (text _!because it did n't rain .<P>_!) )
)
"""


@pytest.fixture
def read(write):
    def one(name, content, **options):
        found = read_segmentations(write(name, content), **options)
        return {text: list(segmentation) for text, segmentation in found.items()}

    return one


def token(number, form, misc):
    return "\t".join([str(number), form, *"_______", misc]) + "\n"


def conllu(edus, begin="Seg=B-seg", within="Seg=O"):
    marked = [(form, begin if k == 0 else within) for edu in edus for k, form in enumerate(edu)]
    return "".join(token(k, *each) for k, each in enumerate(marked, start=1))


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("pier.tok", conllu(EDUS)),
        ("pier.tok", conllu(EDUS, "BeginSeg=Yes", "_")),
        ("pier.conllu", "# text = We\n" + conllu(EDUS, "A=1|BeginSeg=Yes|B=x=y", "SpaceAfter=No")),
        ("pier.conllu", conllu(EDUS, "Discourse=cause:1->2:0", "_")),
        ("pier.rs3", RS3),
        ("pier.rs4", '<?xml version="1.0"?>\n' + RS3),
        ("pier.xml", RS3),
        ("pier.xml", "<!DOCTYPE rst>\n<!-- a --><!-- b -->\n" + RS3),
        ("pier.edus", "We waited\n\n   because it did n't rain .\n"),
        ("pier.dis", DIS),
    ],
)
def test_units_of_discourse_have_their_words_as_units(write, name, content):
    path = str(write(name, content))
    same = str(write("same.edus", "We waited\nbecause it did n't rain .\n"))
    found = SegmentPairing(references={"r": path}, systems={"s": same}).read()
    assert list(found.references[0].at(0)) == list(found.hyps[0].at(0)) == [2, 6]
    assert found.units()[0] == [word for edu in EDUS for word in edu]
    assert found.references[0].ids[0] in {"pier", "pier.xml"}


def test_a_file_of_disrpt_has_several_texts(read):
    one, other = conllu(EDUS), conllu(EDUS[:1])
    content = f"# newdoc id = a\n{one}\n# newdoc_id = b\n# sent_id = b-1\n{other}"
    assert read("t.tok", content) == {"a": [2, 6], "b": [2]}
    assert read("t.tok", f"# newdoc\n{one}# newdoc\n{other}") == {"1": [2, 6], "10": [2]}
    with pytest.raises(FormatError, match="line 9: begins a text without tokens"):
        read("t.tok", f"{one}# newdoc id = b\n")
    with pytest.raises(FormatError, match="is a second text named 'a'"):
        read("t.tok", f"# newdoc id = a\n{one}# newdoc id = a\n{other}")


def test_multiword_tokens_are_no_units(read):
    lines = [
        token(1, "It", "Seg=B-seg"),
        token("2-3", "didn't", "_"),
        token(2, "did", "Seg=B-seg"),
        token(3, "n't", "Seg=O"),
        token("3.1", "have", "Seg=B-seg"),
        token(4, "rain", "Seg=O"),
    ]
    assert read("t.conllu", "".join(lines)) == {"t": [1, 3]}


def test_connectives_have_an_outside(read):
    marks = ["Conn=O", "Conn=B-conn", "Conn=I-conn", "Conn=O", "Conn=B-conn", "Conn=O"]
    content = "".join(token(k, "w", mark) for k, mark in enumerate(marks, start=1))
    assert read("t.tok", content) == {"t": [1, 2, 1, 1, 1]}
    single = content.replace("I-conn", "O").replace("Conn=", "Seg=").replace("-conn", "-Conn")
    assert read("t.tok", single) == {"t": [1, 1, 2, 1, 1]}


def test_the_key_and_the_labels_of_disrpt_are_chosen(read, write):
    marks = ["Seg=B-seg|Conn=O|T=B-x", "Seg=O|Conn=B-conn|T=I-x", "Seg=B-seg|Conn=O|T=B-y"]
    content = "".join(token(k, "w", mark) for k, mark in enumerate(marks, start=1))
    found = read_segmentations(write("t.tok", content))
    assert list(found["t"]) == [2, 1]
    assert [note.kind for note in found.notes] == [
        "segments from Seg= in the last column (another: column='Conn')"
    ]
    assert read("t.tok", content, column="Conn") == {"t": [1, 1, 1]}
    assert read("t.tok", content, column="T") == {"t": [2, 1]}
    assert read("t.tok", content, column="T", format="disrpt", labels="x") == {"t": [2, 1]}
    with pytest.raises(FormatError, match=r"has no Sec= in its last column .*Seg, Conn, T"):
        read("t.tok", content, column="Sec")
    with pytest.raises(FormatError, match=r"has no type of BIO label 'edu'.*it has seg"):
        read("t.tok", content, labels="edu")
    with pytest.raises(OptionError, match="texts= is for labels, and the notation is disrpt"):
        read("t.tok", content, format="disrpt", texts="one")


def test_a_numbered_column_of_conllu_is_one_of_labels(read):
    lines = [token(k, "w", mark) for k, mark in enumerate(["p", "p", "q"], start=1)]
    assert read("t.conllu", "".join(lines), column=10, format="labels") == {"t": [2, 1]}
    assert read("t.conllu", "".join(lines), column="10") == {"t": [2, 1]}


def test_sentences_are_segments_where_no_key_says_otherwise(write):
    """As of a treebank whose sentence segmentation is evaluated."""
    one, two = conllu([["We", "came"]], "_", "_"), conllu([["You", "saw", "it"]], "_", "_")
    path = write("t.conllu", f"# newdoc id = a\n{one}\n{two}\n{one}# newdoc id = b\n{two}")
    found = read_segmentations(path)
    assert {name: list(each) for name, each in found.items()} == {"a": [2, 3, 2], "b": [3]}
    assert [(note.kind[:26], note.count) for note in found.notes] == [
        ("sentences taken as segment", 4)
    ]


def test_paragraphs_of_a_treebank_are_segments_where_their_key_is_named(write):
    one, two = conllu([["We", "came"]], "_", "_"), conllu([["You", "saw", "it"]], "_", "_")
    within = two.replace("_\n", "NewPar=Yes\n", 2).replace("NewPar=Yes\n", "_\n", 1)
    path = write("t.conllu", f"# newpar id = p\n{one}\n{two}\n# newpar\n{one}\n{within}\n")
    found = read_segmentations(path, column="NewPar")
    assert [list(each) for each in found.values()] == [[5, 3, 2]]
    (note,) = read_segmentations(path).notes
    assert note.kind.endswith("(paragraphs: column='NewPar')")


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("t.tok", conllu(EDUS, "_", "_"), "has no Seg= or BeginSeg= in the last of 10 columns"),
        ("t.tok", conllu(EDUS, "Seg=edu"), "has 'edu' as Seg=; want B, I and O"),
        ("t.tok", conllu(EDUS) + "2\tx\n", "line 9: has 2 columns and begins with '2'; want the"),
        ("t.tok", conllu(EDUS) + conllu([["x"]]).replace("1", "x", 1), "begins with 'x'"),
        ("t.rs3", "<rst><body><segment>a</body></rst>", "line 1: .*segment"),
        ("t.rs3", "<rst><body></body></rst>", "has no unit of discourse"),
        ("t.rs3", "<body><segment>a</segment></body>", "has no <rst>"),
        ("t.rs3", "", "is empty"),
        ("t.rs3", '<!DOCTYPE r [<!ENTITY a SYSTEM "/etc/hosts">]><rst>&a;</rst>', "for safety"),
        ("t.edus", " \n\n", "has no unit of discourse"),
        (
            "t.dis",
            DIS.replace("leaf 2", "leaf 3"),
            "line 3: has leaf 3 where leaf 2 is due, or its te",
        ),
        (
            "t.dis",
            DIS.partition("  ( Sat")[0],
            "has 1 leaves with text, and a root of 2: is it cut",
        ),
        ("t.dis", DIS.replace("(leaf 2)", ""), "line 3: has a text without a leaf where leaf 2"),
        ("t.dis", DIS.replace("<P>_!", "<P>"), "line 3: has a text without _! at its end"),
        ("t.dis", "We waited.\n", "line 1: does not begin with"),
    ],
)
def test_what_is_wrong_with_units_of_discourse(write, name, content, message):
    with pytest.raises(FormatError, match=message):
        read_segmentations(write(name, content))


def test_older_files_of_the_treebank_and_parts_of_them(read):
    old = DIS.replace("_!We", "<s><EDU> We").replace("waited_!", "waited</EDU>")
    old = old.replace("_!because", "<EDU>because").replace("<P>_!", "</EDU></s>")
    assert read("t.dis", old) == {"t": [2, 6]}
    part = (
        DIS.replace("span 1 2", "span 7 8").replace("leaf 1", "leaf 7").replace("leaf 2", "leaf 8")
    )
    assert read("t.dis", part) == {"t": [2, 6]}
    with pytest.raises(FormatError, match="line 3: has leaf 8 where leaf 7 is due, or its text"):
        read("t.dis", part.replace("_!We waited_!", "We waited"))


def test_relations_beside_the_tokens_are_left_aside(write, tmp_path):
    write("pier.tok", conllu(EDUS))
    write("pier.rels", "doc\tunit1_toks\npier\t1-2\n")
    assert list(read_segmentations(tmp_path)) == ["pier"]


def test_segments_without_words_are_left_out(write):
    rs3 = RS3.replace("We waited", " ")
    found = read_segmentations(write("pier.rs3", rs3))
    assert list(found["pier"]) == [6]
    assert [(n.kind, n.count) for n in found.notes] == [
        ("units of discourse without a word, left out", 1)
    ]


def test_texts_with_other_tokens_are_compared_by_characters(write):
    gold = str(write("gold.tok", conllu(EDUS)))
    other = str(write("sys.edus", "We waited because\nit didn't rain.\n"))
    with pytest.raises(FormatError, match="units='characters' where words are cut otherwise"):
        SegmentPairing(references={"r": gold}, systems={"s": other}).read()
    found = SegmentPairing(references={"r": gold}, systems={"s": other}, cut_anew=True).read()
    assert found.versions().texts == [
        [["We waited", "because it did n't rain ."], ["We waited because", "it didn't rain."]]
    ]


words = st.text(st.characters(codec="utf-8", categories=["L", "N"]), min_size=1, max_size=6)


@given(st.lists(st.lists(words, min_size=1, max_size=4), min_size=1, max_size=5))
@settings(
    max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_all_notations_of_units_of_discourse_are_one(read, edus):
    segments = "".join(f"<segment>{escape(' '.join(edu))}</segment>" for edu in edus)
    leaves = "".join(f"(leaf {k}) (text _!{' '.join(e)}_!)" for k, e in enumerate(edus, start=1))
    found = [
        read("t.tok", conllu(edus)),
        read("t.tok", conllu(edus, "BeginSeg=Yes", "_")),
        read("t.rs3", f"<rst><body>{segments}</body></rst>"),
        read("t.edus", "\n".join(map(" ".join, edus))),
        read("t.dis", f"( Root (span 1 {len(edus)}) {leaves})"),
    ]
    assert all(each == {"t": [len(edu) for edu in edus]} for each in found)
