"""XCES in its dialects: read, resolved against texts, refused, and written."""

import io
import json
import math
import os
import re
from functools import partial
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext import Alignment, Bitext, Text
from bitext.errors import FormatError, InputError
from bitext.formats import reading, xces
from bitext.formats.io.source import Source, open_source
from bitext.formats.registry import ReadOptions
from bitext.formats.xces import read_groups, whole_groups
from bitext.formats.xces.reading import pair_name
from formats.samples import text_written
from reference.draw import few_beads
from reference.shared_data import data, shared_data

FORMAT = xces.FORMAT
MISSING = "documents not found under the given roots, their segments known by ids only"

LINKS = (
    '<link xtargets="s1;s1" id="SL1"/>\n<link xtargets="s2 s3;s2" id="SL2"/>\n'
    '<link xtargets="s4;" id="SL3"/>\n<link xtargets=";s3" id="SL4"/>\n'
)
UNITS = [(["s1"], ["s1"]), (["s2", "s3"], ["s2"]), (["s4"], []), ([], ["s3"])]


def group(links, docs='fromDoc="en/a.xml" toDoc="fr/a.xml"'):
    return f'<linkGrp targType="s" {docs}>\n{links}</linkGrp>\n'


def align(content):
    return f'<?xml version="1.0" encoding="utf-8"?>\n<cesAlign version="1.0">\n{content}</cesAlign>'


def document(*ids):
    return "".join(["<text>", *(f'<s id="{k}">text of {k}</s>' for k in ids), "</text>"])


def read_all(content, *, by_parser=False, **options):
    data = content if isinstance(content, bytes) else content.encode()
    source = Source("a.xces", io.BytesIO(data), by_parser=by_parser)
    return list(FORMAT.read(source, ReadOptions(**options)))


def read(content, **options):
    (bitext,) = read_all(content, **options)
    return bitext


LEFT_OUT = "attributes of cesAlign and linkGrp, left out"


def units(bitext):
    src, tgt = bitext.src.ids, bitext.tgt.ids
    return [([src[k] for k in b.src], [tgt[k] for k in b.tgt]) for b in bitext.alignment]


def kinds(bitext, *, documents=False):
    found = [note.kind for note in bitext.notes]
    return found if documents else [kind for kind in found if kind != MISSING]


written = partial(text_written, "xces")


# Dialects


@pytest.mark.parametrize(
    "content",
    [
        align(group(LINKS)),
        align(group(LINKS)).replace('"', "'"),
        align(group(LINKS)).replace(
            "<cesAlign", '<cesAlign xmlns="http://www.xces.org/schema/2003"'
        ),
        re.sub("(</?)(?=[a-zA-Z])", r"\1x:", align(group(LINKS))).replace(
            "<x:cesAlign", '<x:cesAlign xmlns:x="http://www.xml-ces.org/schema"'
        ),
        align(group(LINKS, "")).replace(
            "<cesAlign", '<cesAlign fromDoc="en/a.xml" toDoc="fr/a.xml"'
        ),
        align(f'<cesHeader version="2"/><linkList>{group(LINKS)}</linkList>'),
        "<!DOCTYPE cesAlign SYSTEM 'xcesAlign.dtd'>\n<cesDoc><cesAlign><linkList>"
        + group(LINKS)
        + "</linkList></cesAlign></cesDoc>",
        align(group(LINKS.replace("s2 s3;s2", " s2 \t s3 ; s2 "))),
        align(LINKS).replace("<cesAlign", '<cesAlign fromDoc="en/a.xml" toDoc="fr/a.xml"'),
        align(f'<linkGrp targType="article" xtargets="a;b">{group(LINKS)}</linkGrp>'),
        f"<TEI.2><text><body>{group(LINKS)}</body></text></TEI.2>",
    ],
)
def test_dialects_in_xml(content):
    assert FORMAT.sniff(content.encode()) >= 90
    bitext = read(content)
    assert units(bitext) == UNITS
    # That whole articles are linked is read by nobody, which is said.
    left_out = [LEFT_OUT] * ('"article"' in content)
    assert kinds(bitext, documents=True) == [*left_out, MISSING]
    assert (bitext.meta["src_doc"], bitext.meta["tgt_doc"]) == ("en/a.xml", "fr/a.xml")
    assert bitext.alignment.attributes == {"id": ["SL1", "SL2", "SL3", "SL4"]}
    assert bitext.alignment.scores is None


def test_encodings():
    content = align(group('<link xtargets="é;ß"/>')).replace("utf-8", "iso-8859-1")
    assert units(read(content.encode("iso-8859-1"))) == [(["é"], ["ß"])]
    content = align(group(LINKS)).replace("utf-8", "utf-16")
    assert FORMAT.sniff(content.encode("utf-16")) == 95
    assert units(read(content.encode("utf-16"))) == UNITS


def test_word_links_are_left_out_with_a_note():
    word = '<wordLink certainty="0.1" lexPair="a;b" xtargets="w1+w2;w1"/>'
    bitext = read(align(group(f'<link xtargets="s1;s1">{word}{word}</link>')))
    assert units(bitext) == [(["s1"], ["s1"])]
    (note,) = [note for note in bitext.notes if note.kind != MISSING]
    assert (note.kind, note.count) == ("word links inside links, left out", 2)
    assert "a.xces line 4" in note.first


def test_other_elements_in_links_are_noted():
    bitext = read(align(group('<link xtargets="s1;s1"><note>x</note></link>')))
    assert kinds(bitext) == ["elements inside links, left out"]


ARCADE = '<link xtargets="s1 ; s1 s2">\n<link xtargets="s2 ; ">\n<link xtargets=" ; s3">\n'
ARCADE_UNITS = [(["s1"], ["s1", "s2"]), (["s2"], []), ([], ["s3"])]
MULTEXT = (
    '<!DOCTYPE CESALIGN PUBLIC "-//CES//DTD cesAlign//EN" []>\n<CESALIGN VERSION="1.14">\n'
    '<!-- <LINK XTARGETS="no;no"> -->\n<LINKLIST><LINKGRP><LINK XTARGETS="A &amp;B\n;A ">\n'
    "<LINK XTARGETS='C ;C '>\n</LINKGRP></LINKLIST></CESALIGN>\n"
)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (ARCADE, ARCADE_UNITS),
        (ARCADE.replace(">", "/>"), ARCADE_UNITS),
        (MULTEXT, [(["A", "&B"], ["A"]), (["C"], ["C"])]),
        (MULTEXT.lower(), [(["a", "&b"], ["a"]), (["c"], ["c"])]),
        (f'<cesAlign><linkGrp fromDoc="x">{ARCADE}', ARCADE_UNITS),
    ],
)
def test_sgml(content, expected):
    assert FORMAT.sniff(content.encode()) >= 90
    bitext = read(content)
    assert units(bitext) == expected
    assert "alignments in SGML, not XML, read by their tags" in kinds(bitext)


def test_sgml_attributes_and_documents():
    content = '<LINKGRP TARGTYPE=s FROMDOC="x" TODOC=y>\n<LINK XTARGETS="1;1" CERTAINTY=2 ID=a>'
    bitext = read(content)
    assert bitext.meta == {"src_doc": "x", "tgt_doc": "y", "targType": "s"}
    assert bitext.alignment.scores.tolist() == [2]
    assert bitext.alignment.attributes == {"id": ["a"]}


def test_sgml_groups_that_are_never_closed():
    content = '<CESALIGN>\n<LINKGRP FROMDOC=a TODOC=b>\n<LINK XTARGETS="1;1">\n'
    bitexts = read_all(content + content.replace("CESALIGN", "LINKLIST").replace("=a", "=c"))
    assert [bitext.meta["src_doc"] for bitext in bitexts] == ["a", "c"]
    assert [bitext.name for bitext in bitexts] == ["{a,b}", "{c,b}"]


def test_sgml_oddities():
    bitext = read(f"{ARCADE} stray <p>text</p>")
    assert "text between the tags of an SGML alignment, left out" in kinds(bitext)
    with pytest.raises(FormatError, match="line 4: has a < that begins no tag"):
        read(f"{ARCADE}<link xtargets='s1;s1>")


def assert_answered(text):
    """Whatever is given, bitexts come out or an error of one line."""
    try:
        found = read_all(text)
    except FormatError as error:
        found = [str(error)]
        assert "\n" not in found[0]
    assert found


@pytest.mark.parametrize(
    "tail",
    ["<link " + "a" * 10**6 + ">", '<link x="' + 'a"' * 10**6, "<!--" * 10**6, "<![" * 10**6],
)
def test_sgml_made_to_be_slow(tail):
    assert_answered(ARCADE + tail)  # a test that hangs is one that fails


# Attributes, scores, notes


def test_certainty_and_other_attributes():
    bitext = read(
        align(
            group(
                '<link certainty="-1768" xtargets="s1;s1" id="SL1"/>'
                '<link xtargets="s2;s2" certainty="" lexPair="R&amp;D &lt;x&gt; &quot;q&quot;"/>'
                '<link xtargets="s3;s3" certainty="high" xml:lang="en"/>'
                '<link xtargets="s4;s4" certainty="1_0"/>'
                '<link xtargets="s5;s5" overlap="0.9" certainty="0.25"/>'
            )
        )
    )
    scores = bitext.alignment.scores.tolist()
    assert scores[0] == -1768
    assert scores[4] == 0.25
    assert all(map(math.isnan, scores[1:4]))
    assert bitext.alignment.attributes == {
        "id": ["SL1", None, None, None, None],
        "lexPair": [None, 'R&D <x> "q"', None, None, None],
        "certainty": [None, None, "high", "1_0", None],
        "xml:lang": [None, None, "en", None, None],
        "overlap": [None, None, None, None, "0.9"],
    }
    again = read(written(bitext))
    assert again == bitext
    assert again.alignment.attributes == bitext.alignment.attributes
    assert [str(score) for score in again.alignment.scores] == [str(float(s)) for s in scores]


def test_links_without_any_id_are_left_out():
    links = '<link xtargets=" ; " x="1"/><link xtargets="s1;s1" id="a"/><link xtargets=";" id="b"/>'
    bitext = read(align(group(links)))
    assert units(bitext) == [(["s1"], ["s1"])]
    assert bitext.alignment.attributes == {"id": ["a"]}
    (note,) = [note for note in bitext.notes if note.kind != MISSING]
    assert (note.kind, note.count) == ("links without any id, left out", 2)


GAP, BACK = "bisegments that are discontinuous", "bisegments whose ids are not in document order"


@pytest.mark.parametrize(
    ("targets", "expected"),
    [
        (["s1 s3;s1", "s2;s2"], [GAP]),
        (["s3 s2;s1"], [BACK]),
        (["s9 s10;s1", "s11;s2"], []),
        (["s1.9 s1.10;s1", "s2.1 s1.11;s2"], [BACK]),
        (["s1 s1.2;s1", "s1.1;s2"], [GAP]),
        (["2;2", "1;1"], []),  # crossing is ordinary
        (["1;1 3", "3 1 2;2"], [BACK, GAP]),
        (["x7 a1;1", "9 10;2"], [BACK]),  # no order of numbers: that of first appearance
        (["ab cd;1", "ef;2"], []),
        (["1 2 3;5 6", "4;"], []),
    ],
)
def test_order_of_ids_without_documents(targets, expected):
    if targets[0].startswith("x7"):
        targets = ["a1 x7;1", "x7;2", "x7 a1;3"]
    links = "".join(f'<link xtargets="{target}"/>' for target in targets)
    bitext = read(align(group(links)))
    assert kinds(bitext) == expected


def test_order_of_ids_with_documents():
    src = Text(["a", "b", "c"], ids=["s2", "s3", "s1"])
    links = '<link xtargets="s3 s1;1"/><link xtargets="s2 s1;2"/><link xtargets="s1 s3;"/>'
    bitext = read(align(group(links)), src=src)
    found = {note.kind: (note.count, note.first) for note in bitext.notes}
    assert found[BACK] == (1, "a.xces line 4")
    assert found[GAP] == (1, "a.xces line 4")
    assert [bead.src for bead in bitext.alignment] == [(1, 2), (0, 2), (1, 2)]


# Groups


def test_one_bitext_a_group():
    other = group('<link xtargets="1;1"/>', 'fromDoc="en/b.xml.gz" toDoc="fr/b.xml.gz"')
    bitexts = read_all(align(group(LINKS) + other), name="corpus")
    assert [bitext.name for bitext in bitexts] == ["{en,fr}/a", "{en,fr}/b"]
    assert [len(bitext.alignment) for bitext in bitexts] == [4, 1]
    assert read(align(group(LINKS)), name="corpus").name == "corpus"


def test_an_empty_group_is_an_empty_alignment():
    bitext = read(align(group("")))
    assert len(bitext.alignment) == len(bitext.src) == 0


def test_groups_of_the_same_documents_are_merged():
    more = group('<link xtargets="s5 s1;s9" certainty="1"/>')
    other = group('<link xtargets="1;1"/>', 'fromDoc="en/b.xml" toDoc="fr/b.xml"')
    merged, alone = read_all(align(group(LINKS) + other + more))
    assert units(merged) == [*UNITS, (["s1", "s5"], ["s9"])]
    assert merged.alignment.attributes == {"id": ["SL1", "SL2", "SL3", "SL4", None]}
    assert [math.isnan(score) for score in merged.alignment.scores] == [True] * 4 + [False]
    assert "groups of the same two documents, merged" in kinds(merged)
    assert units(alone) == [(["1"], ["1"])]
    assert kinds(alone) == []


def test_groups_are_let_go_when_many_links_are_held():
    other = group(LINKS, 'fromDoc="en/b.xml" toDoc="fr/b.xml"')
    source = Source("a", io.BytesIO(align(group(LINKS) + other + group(LINKS)).encode()))
    groups = [*whole_groups(source, ReadOptions(), read_groups(source), most_links=5)]
    assert [(found.pair[0], len(found), alone) for found, alone in groups] == [
        ("en/a.xml", 4, False),
        ("en/b.xml", 4, False),
        ("en/a.xml", 4, False),
    ]
    notes = [note.kind for note in groups[2][0].notes]
    assert notes == ["groups of the same two documents, too far apart to be merged"]


def test_groups_of_other_units_are_kept_apart():
    words = group('<link xtargets="w1;w1"/>').replace('"s"', '"w"')
    assert len(read_all(align(group(LINKS) + words))) == 2


def test_groups_without_documents_are_merged_unless_they_share_ids():
    parts = [group(f'<link xtargets="{k};{k}"/>', "") for k in "121"]
    merged = read_all(align("".join(parts[:2])))
    assert [units(bitext) for bitext in merged] == [[(["1"], ["1"]), (["2"], ["2"])]]
    apart = read_all(align("".join(parts)))
    assert [bitext.name for bitext in apart] == ["a#1", "a#2"]
    src = Text(["x", "y"], ids=["1", "2"])
    assert len(read(align("".join(parts)), src=src, tgt=src).alignment) == 3


def test_one_text_for_several_documents_is_refused():
    other = group('<link xtargets="1;1"/>', 'fromDoc="en/b.xml" toDoc="fr/b.xml"')
    with pytest.raises(FormatError, match=r"holds several document pairs, while one text"):
        read_all(align(group(LINKS) + other), src=Text(["x"], ids=["s1"]))


@pytest.mark.parametrize(
    ("src", "tgt", "name"),
    [
        ("en/a.xml.gz", "fr/a.xml", "{en,fr}/a"),
        ("raw/en/2001/a", "raw/fr/2001/b", "raw/{en/2001/a,fr/2001/b}"),
        ("a.en.xml", "a.fr.xml", "{a.en,a.fr}"),
        ("a", "x/a", "{,x}/a"),
        ("a", "a", "a"),
        ("a/b/c", "a/c", "a/{b,}/c"),
        ("", "", ""),
    ],
)
def test_names_of_pairs(src, tgt, name):
    assert pair_name(src, tgt) == name


@pytest.mark.parametrize("by_parser", [True, False])
def test_blocks_of_links_are_joined(by_parser):
    many = "".join(f'<link xtargets="s{k};s{k}" id="L{k}"/>\n' for k in range(1200))
    (found,) = read_all(align(group(many)), by_parser=by_parser)
    assert units(found) == [([f"s{k}"], [f"s{k}"]) for k in range(1200)]
    assert found.alignment.attributes["id"] == [f"L{k}" for k in range(1200)]
    with pytest.raises(FormatError, match="line 1204: xtargets is 'a;b;c'"):
        read_all(align(group(many + '<link xtargets="a;b;c"/>')), by_parser=by_parser)
    more = '<link xtargets="a;b"/>\n<link xtargets="a c;b b"/>'
    with pytest.raises(FormatError, match="line 1205: xtargets names 'b' twice"):
        read_all(align(group(many + more)), by_parser=by_parser)


# InterText

INTERTEXT = (
    "<?xml version='1.0' encoding='utf-8'?>\n<linkGrp toDoc='no.xml' fromDoc='cs.xml'>\n"
    "<link type='2-1' xtargets='6:5 6:6;5:5' status='man'/>\n"
    "<link type='1-0' xtargets='8:1;' status='auto' mark='1'/>\n</linkGrp>"
)
REVERSED = [(["5:5"], ["6:5", "6:6"]), ([], ["8:1"])]
AS_WRITTEN = [(["6:5", "6:6"], ["5:5"]), (["8:1"], [])]


def intertext_note(bitext):
    (note,) = [note for note in bitext.notes if note.kind.startswith("alignments with linkGrp")]
    return note.first


def test_intertext_without_documents_goes_by_its_attributes():
    bitext = read(INTERTEXT)
    assert units(bitext) == REVERSED
    assert bitext.alignment.attributes["type"] == ["1-2", "0-1"]
    assert (bitext.meta["src_doc"], bitext.src.name) == ("cs.xml", "cs.xml")
    assert "first ids are of toDoc ('no.xml'), as the root linkGrp" in intertext_note(bitext)


def test_a_root_group_without_marks_of_intertext_is_read_as_written():
    bitext = read(re.sub(r"(type|status)='[^']*' ?", "", INTERTEXT))
    assert units(bitext) == AS_WRITTEN
    assert "first ids are of fromDoc" in intertext_note(bitext)


@pytest.mark.parametrize("name", ["score", "certainty"])
def test_links_with_a_type_and_a_score_are_not_of_intertext(name):
    """As in the corpus of the United Nations."""
    content = re.sub(r"status='[^']*'", f"{name}='0.4'", INTERTEXT)
    bitext = read(content)
    assert units(bitext) == AS_WRITTEN
    assert bitext.alignment.attributes["type"] == ["2-1", "1-0"]
    assert "of fromDoc ('cs.xml'), as the links have scores and no status" in intertext_note(bitext)
    assert units(read(content.replace("type=", "status='auto' type="))) == REVERSED


def test_intertext_goes_by_the_ids_where_they_tell(tmp_path):
    (tmp_path / "cs.xml").write_text(document("5:5"))
    (tmp_path / "no.xml").write_text(document("6:5", "6:6", "8:1"))
    bitext = read(INTERTEXT, roots=(tmp_path,))
    assert units(bitext) == REVERSED
    assert "first ids are of toDoc ('no.xml'), by the ids" in intertext_note(bitext)
    (tmp_path / "cs.xml").write_text(document("6:5", "6:6", "8:1"))
    (tmp_path / "no.xml").write_text(document("5:5"))
    bitext = read(INTERTEXT, roots=(tmp_path,))
    assert units(bitext) == AS_WRITTEN
    assert bitext.alignment.attributes["type"] == ["2-1", "1-0"]
    assert "first ids are of fromDoc ('cs.xml'), by the ids" in intertext_note(bitext)


def test_intertext_with_the_same_numbers_on_both_sides(tmp_path):
    for name in ("cs.xml", "no.xml"):
        (tmp_path / name).write_text(document("5:5", "6:5", "6:6", "8:1"))
    assert units(read(INTERTEXT, roots=(tmp_path,))) == REVERSED


def test_intertext_with_an_id_that_no_document_has(tmp_path):
    (tmp_path / "cs.xml").write_text(document("5:5"))
    (tmp_path / "no.xml").write_text(document("6:5", "6:6"))
    with pytest.raises(FormatError, match=r"line 4: xtargets names the target segment '8:1'"):
        read(INTERTEXT, roots=(tmp_path,))


# Texts


@pytest.mark.parametrize(
    ("named", "there"),
    [
        *product(["en/a.xml", "en/a.xml.gz", "en/a", "en/a.gz"], ["en/a.xml", "en/a.xml.gz"]),
        ("en/a", "en/a"),
        ("en/a.gz", "en/a"),
    ],
)
def test_documents_under_the_roots(tmp_path, named, there):
    root = tmp_path / "second"
    (root / "en").mkdir(parents=True)
    (root / there).write_text(document("s1", "s2", "s3", "s4"))
    docs = f'fromDoc="{named}" toDoc="fr/a.xml"'
    bitext = read(align(group(LINKS, docs)), roots=(tmp_path / "first", root))
    assert bitext.src.has_text
    assert not bitext.tgt.has_text
    assert bitext.src[1].text == "text of s2"
    assert next(note for note in bitext.notes if note.kind == MISSING).count == 1


def test_notes_of_documents_come_along(tmp_path):
    (tmp_path / "a.xml").write_text('<d><s id="s1"><w>a</w><w>b</w></s></d>')
    links = '<link xtargets="s1;s1"/>'
    bitext = read(align(group(links, 'fromDoc="a.xml" toDoc="a.xml"')), roots=(tmp_path,))
    assert kinds(bitext) == ["sentences of tokens without spans, joined with one blank"]
    assert bitext.notes[0].count == 1
    assert bitext.pairs() == [(["a b"], ["a b"])]


def test_texts_of_the_user_win(tmp_path):
    (tmp_path / "en").mkdir()
    (tmp_path / "en" / "a.xml").write_text("this is not looked at")
    src = Text(list("abcd"), ids=["s1", "s2", "s3", "s4"])
    assert read(align(group(LINKS)), src=src, roots=(tmp_path,)).src is src


def test_an_empty_text_is_a_text():
    with pytest.raises(FormatError, match="has 0 lines and no ids"):
        read(align(group(LINKS)), src=Text([]))


@pytest.mark.parametrize("prefix", ["", "s"])
def test_ids_can_be_line_numbers(prefix):
    content = align(group(LINKS.replace('"s', f'"{prefix}').replace(" s", f" {prefix}")))
    bitext = read(content, src=Text(list("abcd")))
    assert [bead.src for bead in bitext.alignment] == [(0,), (1, 2), (3,), ()]


@pytest.mark.parametrize(
    ("targets", "message"),
    [
        ("s1.1;s1", r"'s1.1', but the source text has 4 lines and no ids; ids as s1 can stand"),
        ("s1 t2;s1", "'s1', but .* no ids"),
        ("s0;s1", "'s0'"),
        ("s01;s1", "'s01'"),
        ("s5;s1", "'s5', but .* 4 lines .*: are they swapped|give the document"),
        ("٣;s1", "'٣'"),
    ],
)
def test_ids_that_are_no_line_numbers(targets, message):
    with pytest.raises(FormatError, match=f"line 4: xtargets names the source segment {message}"):
        read(align(group(f'<link xtargets="{targets}"/>')), src=Text(list("abcd")))


def test_an_id_that_the_document_lacks(tmp_path):
    (tmp_path / "fr").mkdir()
    (tmp_path / "fr" / "a.xml").write_text(document("s1", "s2", "x9"))
    with pytest.raises(FormatError) as caught:
        read(align(group(LINKS)), roots=(tmp_path,))
    assert str(caught.value) == (
        f"a.xces line 7: xtargets names the target segment 's3', but {tmp_path}/fr/a.xml has 3 "
        f"ids, 's1' to 'x9'; give the document that was aligned (tgt=)"
    )


def test_swapped_sides_are_told():
    few, many = (Text(list("abcd")[:n], ids=[f"s{k + 1}" for k in range(n)]) for n in (3, 4))
    assert len(read(align(group(LINKS)), src=many, tgt=few).alignment) == 4
    with pytest.raises(FormatError, match=r"line 6: .* are they swapped \(Bitext\.swapped\)\?"):
        read(align(group(LINKS)), src=few, tgt=many)


def test_the_texts_of_the_gold_standard():
    content = align(group(LINKS))
    lines = Text(list("abcd"))
    assert read(content, over_src=lines, over_tgt=lines).src is lines
    known = Text(list("abcd"), ids=["s1", "s2", "s3", "s4"])
    bitext = read(content, over_src=known, over_tgt=known)
    assert bitext.tgt is known
    assert kinds(bitext, documents=True) == []
    ids = Text.of_ids(["s1"])
    assert read(content, over_src=ids, over_tgt=ids).src.ids == ["s1", "s2", "s3", "s4"]
    other = group(LINKS, 'fromDoc="b" toDoc="c"')
    assert not any(b.src.has_text for b in read_all(align(group(LINKS) + other), over_src=known))


# What is refused


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (align(group(f'{LINKS}<link id="bad"/>')), "line 8: has a link without xtargets"),
        (align(group(f'{LINKS}<link xtargets="s9;s9;s9"/>')), "line 8: .* with 2 semicolons"),
        (align(group('<link xtargets="s9"/>')), "line 4: xtargets is 's9', with 0 semicolons"),
        (align(group('<link xtargets=";;"/>')), "with 2 semicolons"),
        (align(group('<link xtargets="a;b;c"/><link xtargets="a"/>')), "'a;b;c', with 2"),
        (align(group('<link xtargets=""/>')), "with 0 semicolons"),
        (align(group('<link xtargets="s1 s2 s1;s1"/>')), "line 4: .* names 's1' twice on one side"),
        (align(group('<link xtargets="a;s1 s2 s1"/>')), "names 's1' twice on one side"),
        (
            align(group('<link><align xmlns:x="u" x:href="#s1"/></link>')),
            "line 4: .* align elements",
        ),
        (" " + align(group(LINKS)), "line 1: has white space before the XML declaration"),
        (align(""), "holds no linkGrp and no link"),
        ("<?xml version='1.0'?><TEI><linkGrp/></TEI>", "has the root element 'TEI'; want cesAlign"),
        ("<liuAlign><sentLink xtargets='1;1'/></liuAlign>", "is a word alignment"),
        (align(group(LINKS)).replace("</linkGrp>", ""), "is not well-formed XML"),
        (align(group(LINKS)).replace("utf-8", "utf-7"), "declares the encoding 'utf-7'"),
        ('<!DOCTYPE cesAlign [<!ATTLIST link certainty CDATA "1">]>\n<cesAlign/>', "ATTLIST"),
    ],
)
def test_refused(content, message):
    with pytest.raises(FormatError, match=message) as caught:
        read_all(content)
    assert "\n" not in str(caught.value)


@pytest.fixture
def secret(tmp_path):
    (tmp_path / "secret.xml").write_text(document("s1"))
    root = tmp_path / "docs"
    root.mkdir()
    return root


OUTSIDE = "document names that lead outside the given roots, not opened"


def opened(root, name):
    links = '<link xtargets="s1;s1"/>'
    bitext = read(align(group(links, f'fromDoc="{name}" toDoc=""')), roots=(root,))
    assert not bitext.src.has_text
    return kinds(bitext, documents=True)


@pytest.mark.parametrize(
    "name", ["../secret.xml", "../secret", "x/../../secret.xml", "../docs/../secret.xml", "//x"]
)
def test_no_way_out_of_the_roots(secret, name):
    assert opened(secret, name) == [OUTSIDE]


def test_no_absolute_names_and_no_addresses(secret):
    absolute = secret.parent / "secret.xml"
    for name in (absolute, absolute.as_uri(), "http://127.0.0.1:9/a.xml", "/dev/zero"):
        assert opened(secret, name) == [OUTSIDE]
    inside = secret / "a.xml"
    inside.write_text(document("s1"))
    assert opened(secret, inside) == [OUTSIDE]


def test_links_are_followed_before_a_name_is_judged(secret):
    (secret / "link.xml").symlink_to(secret.parent / "secret.xml")
    (secret / "folder").symlink_to(secret.parent)
    (secret / "loop.xml").symlink_to(secret / "loop.xml")
    assert opened(secret, "link.xml") == [OUTSIDE]
    assert opened(secret, "folder/secret.xml") == [OUTSIDE]
    assert opened(secret, "loop.xml") == [MISSING]
    (secret / "real.xml").write_text(document("s1"))
    (secret / "good.xml").symlink_to(secret / "real.xml")
    links = align(group('<link xtargets="s1;s1"/>', 'fromDoc="good.xml" toDoc=""'))
    assert read(links, roots=(secret,)).src.has_text


def test_only_regular_files_are_opened(secret):
    os.mkfifo(secret / "pipe.xml")
    (secret / "folder.xml").mkdir()
    for name in ("pipe.xml", "pipe", "folder.xml", "."):
        assert opened(secret, name) == ["names of documents that are not regular files, not opened"]


def test_impossible_names(secret):
    for name in ("x" * 5_000, "a" + "/a" * 3_000):
        assert opened(secret, name) == [MISSING]


def test_a_document_that_attacks_is_an_error(secret):
    (secret / "a.xml").write_text(
        f'<!DOCTYPE d [<!ENTITY x SYSTEM "{(secret.parent / "secret.xml").as_uri()}">]>'
        f'<d><s id="s1">&x;</s></d>'
    )
    with pytest.raises(FormatError, match=r"a\.xml line 1: declares an external entity"):
        opened(secret, "a.xml")


@pytest.mark.parametrize(
    "content",
    [
        '<TEI xmlns="http://www.tei-c.org/ns/1.0"><standOff><linkGrp/></standOff></TEI>',
        '<linkGrp xmlns="http://www.tei-c.org/ns/1.0"><link target="#a #b"/></linkGrp>',
        '<linkGrp><link targets="a b"/></linkGrp>',
        '<?xml version="1.0"?><tmx version="1.4"><header/></tmx>',
        '<xliff version="1.2"><file/></xliff>',
        '<text><p><s id="1">xtargets</s></p></text>',
        '<cesDoc version="4"><text><body><s id="1"/></body></text></cesDoc>',
        "<link rel=x>",
        "plain text",
        "",
    ],
)
def test_other_formats_are_not_claimed(content):
    assert FORMAT.sniff(content.encode()) == 0


# Writing


def test_written_as_opus_does():
    bitext = Bitext(
        Text.of_ids(["s1", "a&b"], name="en/a.xml"),
        Text.of_ids(["t1"]),
        Alignment(
            [((0, 1), (0,)), ((), (0,))],
            scores=[0.5, math.nan],
            attributes={"id": ["x", None], "odd name:1": ['<"\n', None]},
        ),
        meta={"tgt_doc": "fr/a.xml"},
    )
    assert written(bitext).splitlines()[1:] == [
        '<!DOCTYPE cesAlign PUBLIC "-//CES//DTD XML cesAlign//EN" "">',
        '<cesAlign version="1.0">',
        '<linkGrp targType="s" fromDoc="en/a.xml" toDoc="fr/a.xml">',
        (
            '<link certainty="0.5" xtargets="s1 a&amp;b;t1" id="x" '
            'odd_x0020_name_x003A_1="&lt;&quot;&#10;"/>'
        ),
        '<link xtargets=";t1"/>',
        "</linkGrp>",
        "</cesAlign>",
    ]


def test_positions_are_written_as_line_numbers():
    text = Text(list("abc"))
    beads = Alignment([((0, 2), (1,))])
    for src in (None, text):
        content = written(Bitext(src, src, beads))
        assert '<link xtargets="1 3;2"/>' in content
        assert read(content, src=text, tgt=text).alignment == beads


@pytest.mark.parametrize("name", ["a b", "a;b", "", "a\u00a0b", "a\t"])
def test_ids_that_cannot_be_written(name):
    bitext = Bitext(Text.of_ids([name]), None, Alignment([((0,), ())]))
    with pytest.raises(InputError, match="cannot be written in XCES"):
        written(bitext)


def test_values_that_cannot_be_written():
    beads = Alignment([((0,), (0,))], attributes={"x": ["\x01"]})
    with pytest.raises(InputError, match="XML cannot hold"):
        written(Bitext(None, None, beads))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("1", "_x0031_"),
        ("xmlns", "_x0078_mlns"),
        ("xml:lang", "xml:lang"),
        ("é", "_x00E9_"),
        ("prop:x-a", "prop_x003A_x-a"),
        ("_x003A_", "_x005F_x003A_"),
        ("xtargets", "_x0078_targets"),
    ],
)
def test_names_of_attributes_that_xml_does_not_allow(name, expected):
    content = written(Bitext(None, None, Alignment([((0,), (0,))], attributes={name: ["v"]})))
    assert f' {expected}="v"/>' in content
    assert list(read(content).alignment.attributes) == [name]


def test_values_of_xml_id_that_xml_does_not_allow_are_written_under_another_name():
    values = ["12 x", "x1", "x1", None, "", "a:b", "1", "é1"]
    beads = Alignment([((k,), (k,)) for k in range(8)], attributes={"xml:id": values})
    content = written(Bitext(None, None, beads))
    assert content.count(' xml:id="') == 2
    assert read(content).alignment.attributes["xml:id"] == values
    one = Bitext(None, None, Alignment([((0,), (0,))], attributes={"xml:id": ["x1"]}))
    both = read_all(text_written("xces", one, one))  # a value is unique in the whole file
    assert [each.alignment.attributes["xml:id"] for each in both] == [["x1"], ["x1"]]


ids = st.text(
    st.characters(exclude_categories=["Cs", "Cc", "Z"], exclude_characters=";\ufffe\uffff"),
    min_size=1,
    max_size=4,
)
values = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\ufffe\uffff").filter(
    lambda c: c >= " " or c in "\t\n\r"
), max_size=5)  # fmt: skip


@st.composite
def bitexts(draw, name="a"):
    texts = [Text.of_ids(draw(st.lists(ids, unique=True, min_size=1, max_size=6))) for _ in "ab"]
    beads = draw(few_beads(*map(len, texts), members=4, most=8))
    scores = draw(st.none() | st.lists(st.floats(), min_size=len(beads), max_size=len(beads)))
    column = st.lists(st.none() | values, min_size=len(beads), max_size=len(beads))
    columns = draw(st.dictionaries(st.sampled_from(["id", "type", "x"]), column))
    meta = {"src_doc": f"{name}.src", "tgt_doc": f"{name}.tgt", "targType": "s"}
    alignment = Alignment(beads, scores=scores, attributes=columns)
    return Bitext(*texts, alignment, meta=meta)


def content(bitext):
    columns = {
        name: column
        for name, column in bitext.alignment.attributes.items()
        if any(value is not None for value in column)
    }
    scores = bitext.alignment.scores
    scores = [] if scores is None else scores.tolist()
    scores = [None if math.isnan(score) else score for score in scores]
    beads = [tuple(map(sorted, unit)) for unit in units(bitext)]
    return beads, scores if any(s is not None for s in scores) else [], columns, bitext.meta


@given(bitexts("a"), bitexts("b"))
def test_there_and_back(first, second):
    again = read_all(written(first, second))
    assert len(again) == 2
    for before, after in zip((first, second), again, strict=True):
        got, wanted = content(after), content(before)
        assert got[:3] == wanted[:3]
        assert got[3].items() >= wanted[3].items()


@given(st.text(alphabet="<>link xtargets=\"s1;'!-/[]&\n", max_size=60))
def test_any_text_reads_or_is_refused(text):
    for start in ("", "<link xtargets='1;1'>\n", "<cesAlign><linkGrp>"):
        assert_answered(start + text)


# Published and made files


def made():
    path = shared_data("formats", "ugly", "expected.jsonl")
    lines = path.read_text(encoding="utf-8").strip().split("\n") if path.exists() else []
    return [case for case in map(json.loads, lines) if case["format"] == "xces"]


def test_made_files_are_there():
    data("formats", "ugly", "expected.jsonl")
    assert len(made()) >= 14


@pytest.mark.parametrize("case", made(), ids=lambda case: case["file"])
def test_made_files(case):
    with open_source(data("formats", "ugly", case["file"])) as source:
        assert FORMAT.sniff(source.head()) >= 90
        if case["verdict"] == "refuse":
            with pytest.raises(FormatError, match="line 9"):
                list(FORMAT.read(source, ReadOptions()))
            return
        (bitext,) = FORMAT.read(source, ReadOptions())
    assert [list(unit) for unit in units(bitext)] == case["units"]
    assert bool(kinds(bitext)) is (case["verdict"] == "warn")


@pytest.mark.parametrize(
    ("folder", "name", "known"),
    [
        ("xces", "svenprf.xces", True),
        ("xces", "de-en--1988.sent.xml", False),
        ("xces", "de-en--1988.hun.xml", False),
        ("xces", "de-en--1988.bisent.xml", False),
        ("intertext", "Obama-Inauguracni_rec.cs-00.no-00.alignment.xml", True),
    ],
)
def test_published_files(folder, name, known):
    path = data("formats", folder, name)
    with open_source(path) as source:
        assert FORMAT.sniff(source.head()) >= 90
        (bitext,) = FORMAT.read(source, ReadOptions(roots=(path.parent,)))
    raw = path.read_text(encoding="utf-8")
    expected = []
    for targets in re.findall(r"""<link\b[^>]*?xtargets=["']([^"']*)""", raw):
        left, right = targets.split(";")
        expected.append((left.split(), right.split()))
    if folder == "intertext":
        expected = [(right, left) for left, right in expected]
    assert units(bitext) == expected
    assert bitext.src.has_text is bitext.tgt.has_text is known
    certainty = re.findall(r'<link\b[^>]*?certainty="([^"]*)"', raw)
    scores = bitext.alignment.scores
    assert certainty == [] if scores is None else scores.tolist() == list(map(float, certainty))


def test_a_published_word_alignment_is_refused_by_name():
    with open_source(data("formats", "xces", "svenprf.gold")) as source:
        assert FORMAT.sniff(source.head()) > 0
        with pytest.raises(FormatError, match="is a word alignment"):
            list(FORMAT.read(source, ReadOptions()))


def test_all_faults_of_documents_are_told_by_their_names_as_given(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("a.xml").write_text(
        '<text>\n<s id="1"/>\n<s id="1"/>\n<s/>\n<s id="2"><s id="3"/></s></text>'
    )
    Path("b.xml").write_text('<text>\n<s id="1"/><s/>\n<p></text>')
    link = '<link xtargets="1;1"/>'
    Path("l.xml").write_text(
        f'<cesAlign><linkGrp fromDoc="a.xml" toDoc="b.xml">{link}</linkGrp></cesAlign>'
    )
    faults = []
    with reading.opened("l.xml", on_bad=faults.append) as found:
        assert list(found) == []
    assert [(fault.path, fault.line, fault.message.partition(",")[0][:30]) for fault in faults] == [
        ("a.xml", 3, "has a second sentence with the"),
        ("a.xml", 4, "has a sentence (s) without an "),
        ("a.xml", 5, "has a sentence (s) inside the "),
        ("b.xml", 3, "has something between two unit"),
        ("b.xml", 2, "has a sentence (s) without an "),
    ]
    first = r"\Aa\.xml line 3: has a second sentence"
    with reading.opened("l.xml") as found, pytest.raises(FormatError, match=first):
        list(found)


@pytest.mark.parametrize("before", ["", "<!-- c -->"])  # what is read at once, and what is not
def test_attributes_that_no_group_has_are_noted(before):
    content = align(before + group(LINKS).replace("<linkGrp", '<linkGrp mood="2"'))
    bitext = read(content.replace("<cesAlign", '<cesAlign tone="1"'))
    (note,) = [note for note in bitext.notes if note.kind == LEFT_OUT]
    assert (note.count, note.first.rpartition(" ")[2]) == (2, "tone")
