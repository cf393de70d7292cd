import re
from functools import partial

import pytest

from bitext import Alignment, Bitext, Text
from bitext.errors import FormatError, InputError
from bitext.formats.io.source import open_source
from bitext.formats.registry import PART, ReadOptions
from bitext.formats.xliff.xliff2 import FORMAT
from formats import samples
from formats.samples import inline, kinds, positions
from reference.shared_data import data
from reference.xliff_samples import text_of, tree

CODES = {"ph", "sc", "ec", "sm", "em"}
HEAD = (
    '<xliff version="2.0" srcLang="en" trgLang="fr" xmlns="urn:oasis:names:tc:xliff:document:2.0">'
)


read_all = partial(samples.read_all, "xliff2")
read = partial(samples.read, "xliff2")
written = partial(samples.text_written, "xliff2")


def xliff(*units):
    return f'{HEAD}<file id="f">{"".join(units)}</file></xliff>'


def unit(*parts, attributes="", before=""):
    return f'<unit id="u"{attributes}>{before}{"".join(parts)}</unit>'


def segment(source, target=None, order="", attributes=""):
    place = f' order="{order}"' if order else ""
    written = "" if target is None else f"<target{place}>{target}</target>"
    return f"<segment{attributes}><source>{source}</source>{written}</segment>"


def test_segments_cross_by_order():
    between = "<ignorable><source> </source></ignorable>"
    bt = read(
        xliff(
            unit(segment("z", "y")),
            unit(
                segment("a", "A", 5), between, segment("b"), segment("c", ""), segment("d", "D", 1)
            ),
        )
    )
    assert list(bt.src.segments()) == ["z", "a", "b", "c", "d"]
    assert list(bt.tgt.segments()) == ["y", "D", "", "A"]
    assert positions(bt) == [([0], [0]), ([1], [3]), ([2], []), ([3], [2]), ([4], [1])]
    assert set(kinds(bt)) == {
        "ids that repeat within a document",
        "segments without a target, read as 1-0",
    }
    assert read(written(bt)) == bt


def test_places_are_a_permutation():
    # A segment without a target keeps its place, which no other target may have.
    text = Text(["a", "b", "c"]), Text(["C", "A"])
    content = written(Bitext(*text, Alignment([((0,), (1,)), ((1,), ()), ((2,), (0,))])))
    assert re.findall(r"<target.*?>", content) == ['<target order="3">', '<target order="1">']


def test_marks_come_as_those_of_tmx():
    held = (
        '<originalData><data id="d1">&lt;b></data><data id="d2">&lt;/b><cp hex="0001"/></data>'
        "</originalData>"
    )
    source = (
        'A<cp hex="000B"/> <pc id="1" type="fmt" subType="xlf:b" dataRefStart="d1">b</pc>'
        '<ph id="2" type="ui" subType="xlf:var" equiv="{0}"/><sc id="3"/><pc id="4">c'
        '<ec startRef="3" dataRef="d1"/></pc><mrk id="5" type="term">d</mrk><sm id="6"/>e'
        '<em startRef="6"/><sc id="7" isolated="yes"/><ec id="8" isolated="yes"/><sc id="9"/>'
    )
    bt = read(xliff(unit(segment(source), before=held)))
    assert list(bt.src.segments()) == ["A\x0b bcde"]
    expected = (
        'A\x0b <bpt i="1" x="1" type="bold">&lt;b&gt;</bpt>b<ept i="1"/>'
        '<ph x="2" type="ui/xlf:var">{0}</ph><bpt i="2" x="3"/><bpt i="3" x="4"/>c'
        '<ept i="2">&lt;b&gt;</ept><ept i="3"/><hi x="5" type="term">d</hi>'
        '<bpt i="4" x="6" type="x-xliff-sm"/>e<ept i="4"/><it pos="begin" x="7"/>'
        '<it pos="end" x="8"/><it pos="begin" x="9"/>'
    )
    assert bt.src.marked == [expected]
    assert read(written(bt)).src.marked == [expected]


def test_marks_are_written_as_those_of_xliff():
    marked = (
        'A <bpt i="1" x="1" type="bold">&lt;b&gt;</bpt>b<ept i="1">&lt;/b&gt;</ept>'
        '<bpt i="2" x="1"/><hi>c<ept i="2"/></hi><ph>&lt;b&gt;</ph><it pos="end" x="2"/>'
    )
    text = Text(["A bc"], marked=[marked])
    content = written(Bitext(text, Text(["x"]), Alignment([((0,), (0,))])))
    assert re.findall("<(?:data|source).*?>.*?</(?:data|source)>", content) == [
        '<data id="d1">&lt;b&gt;</data>',
        '<data id="d2">&lt;/b&gt;</data>',
        (
            '<source>A <pc id="1" dataRefStart="d1" dataRefEnd="d2" type="fmt" subType="xlf:b">b'
            '</pc><sc id="bitext.2.1"/><mrk id="bitext.3">c<ec startRef="bitext.2.1"/></mrk>'
            '<ph id="bitext.4" dataRef="d1"/><ec id="2" isolated="yes"/></source>'
        ),
    ]


def test_attributes_notes_and_metadata_are_columns():
    before = (
        '<m:metadata xmlns:m="urn:oasis:names:tc:xliff:metadata:2.0"><m:metaGroup category="c">'
        '<m:meta type="t">v</m:meta></m:metaGroup></m:metadata><x:matches xmlns:x="urn:x"/>'
        '<notes><note>one</note><note appliesTo="source">two</note></notes>'
    )
    bt = read(
        xliff(
            unit(
                segment("a", "b", attributes=' id="s1" state="final"'),
                attributes=' name="n" translate="no"',
                before=before,
            )
        )
    )
    assert bt.alignment.attributes == {
        "id": ["u"],
        "name": ["n"],
        "translate": ["no"],
        "meta:c/t": ["v"],
        "note": ["one"],
        "src.note": ["two"],
        "segment": ["s1"],
        "state": ["final"],
    }
    assert kinds(bt) == {
        "modules and extensions in units, left out": 1,
        'units that are not to be translated (translate="no"), read as the others '
        "(where='translate!=no')": 1,
    }
    content = written(bt)
    assert '<unit id="u" name="n" translate="no">' in content
    assert '<segment id="s1" state="final">' in content
    assert read(content).alignment.attributes == bt.alignment.attributes


def test_text_in_ignorable_is_noted():
    bt = read(xliff(unit(segment("a", "b"), "<ignorable><source>c</source></ignorable>")))
    assert bt.pairs() == [(["a"], ["b"])]
    assert kinds(bt) == {"parts with text that are marked as ignorable, left out": 1}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("<a/>", "made: has no root element xliff; give an XLIFF file"),
        (f"{HEAD}</xliff>", "made: has no file element"),
        ('<xliff version="1.2"><file/></xliff>', "made line 1: is XLIFF '1.2', not 2.x; read it"),
        (xliff("\n", unit("<segment/>")), "made line 2: has a segment without a source; want one"),
        (xliff(unit(segment("a", "b", "0"))), "made line 1: has a target with order='0'; want a"),
        (
            xliff(unit(segment('<cp hex="D800"/>'))),
            "has a cp with hex='D800', which is not a character",
        ),
        (xliff(unit(segment('<cp hex="x"/>'))), "has a cp with hex='x', which is not a character"),
        (
            xliff(unit(segment('<cp hex="0x1"/>'))),
            "has a cp with hex='0x1', which is not a character",
        ),
        (xliff(unit(segment('<cp hex="110000"/>'))), "which is not a character; want its number"),
    ],
)
def test_errors_name_the_line(content, message):
    with pytest.raises(FormatError, match=message):
        read_all(content)


def test_bad_units_are_left_out_on_request():
    errors = []
    bad = [unit(segment("b<cp/>")), unit("<segment/>", segment("c", "d"))]
    (bt,) = read_all(xliff(*bad, unit(segment("a", ""))), bad=errors)
    assert bt.pairs() == [(["c"], ["d"]), (["a"], [""])]
    assert len(errors) == 2


def test_data_that_says_it_is_xml_and_is_not():
    held = '<originalData><data id="bitext.xml.1">&lt;sub></data></originalData>'
    bt = read(xliff(unit(segment('<ph id="1" dataRef="bitext.xml.1"/>'), before=held)))
    assert bt.src.marked == ['<ph x="1">&lt;sub&gt;</ph>']


def test_parts():
    content = xliff(*(unit(segment(f"s{k}", f"t{k}")) for k in range(PART + 5)))
    found = read_all(content, parts=True)
    assert [len(bt.alignment) for bt in found] == [PART, 5]
    text = written(*found)
    assert text.count("<file ") == 1
    assert read(text).pairs() == [pair for bt in found for pair in bt.pairs()]
    assert len(set(re.findall('<unit id="(.*?)"', text))) == PART + 5


def test_ids_are_kept_on_request():
    src, tgt = Text(["a", "b"], ids=["s1", "s 2"]), Text(["c"], ids=["t<1"])
    bitext = Bitext(src, tgt, Alignment([((0, 1), (0,))]))
    back = read(written(bitext, beads=True))
    assert (list(back.src.ids), list(back.tgt.ids)) == (["s1", "s 2"], ["t<1"])
    assert not read(written(bitext)).src.has_ids


def _in(lang, name=""):
    text = Text(["a"], lang="en"), Text(["b"], lang=lang)
    return Bitext(*text, Alignment([((0,), (0,))]), name=name)


def test_languages_and_names():
    found = read_all(written(_in("pt_BR", "one"), _in("pt-BR")))
    assert [(bt.name, bt.src.lang, bt.tgt.lang) for bt in found] == [
        ("one", "en", "pt-BR"),
        ("", "en", "pt-BR"),
    ]
    assert [bt.tgt.lang for bt in read_all(written(inline([(["a"], ["b"])])))] == [""]
    with pytest.raises(
        InputError, match="two is in en-de, those before it in en-fr; XLIFF 2 holds"
    ):
        written(_in("fr", "one"), _in("de", "two"))


@pytest.mark.parametrize(
    ("bitext", "message"),
    [
        (inline([(["a"], ["\ud800"])]), "bisegment 0: the segment .* has half of a surrogate pair"),
        (
            inline([(["a"], ["b"])], attributes={"x": ["\x01"]}),
            r"bisegment 0: the value of 'column:x' '\\x01' has the character U\+0001",
        ),
    ],
)
def test_what_cannot_be_written(bitext, message):
    with pytest.raises(InputError, match=message):
        written(bitext)


def test_nothing_to_write():
    assert read(written()).pairs() == []


def _by_hand(root):
    """Yield for each `file` the texts of its segments, slowly."""
    for file in root.iter("file"):
        found = []
        for each in file.iter("segment"):
            target = each.find("target")
            src = text_of(each.find("source"), CODES)
            found.append(([src], [] if target is None else [text_of(target, CODES)]))
        yield found


# What is invalid there and makes a text or an order uncertain; the rest only breaks other rules.
REFUSED = {"bad_SegmentWithoutSource": "has a segment without a source"}
NOTED = {
    "bad_DataIdNotUnique": "ids of original data that repeat, of which the first is taken",
    "bad_DataRefWithoutOriginalData": "references to original data that is not there",
    "bad_FileIdNotUnique": "documents with the id of another one",
    "bad_InvalidDataRefEnd": "references to original data that is not there",
    "bad_OrderNotUnique1": (
        "units in which two targets have one place (order), read in the order of the source"
    ),
    "bad_TrgLangNotWellFormed": "languages by no code, taken as they are",
    "bad_UnitWithoutSegment": "units without any segment, left out",
    "bad_UnknownDataRefEndValue": "references to original data that is not there",
    "bad_XmlLangNotWellFormed": "texts in another language than that of their document",
}


def test_real_files():
    paths = sorted(data("formats", "xliff2").glob("*.xlf"))
    assert len(paths) == 92
    refused, noted = {}, {}
    for path in paths:
        name = path.stem.rpartition("--")[2]
        with open_source(path) as source:
            assert FORMAT.sniff(source.head())
            try:
                found = list(FORMAT.read(source, ReadOptions()))
            except FormatError as error:
                refused[name] = str(error)
                continue
        expected = list(_by_hand(tree(path)))
        assert [bt.pairs() for bt in found] == expected, name
        noted[name] = {note.kind for bt in found for note in bt.notes}
        again = read_all(written(*found)) if "Well" not in name else found
        assert [bt.pairs() for bt in again] == expected, name
        for before, after in zip(found, again, strict=True):
            assert after.alignment == before.alignment, name
            assert after.alignment.attributes == before.alignment.attributes
            for side in ("src", "tgt"):
                assert getattr(after, side).marked == getattr(before, side).marked, name
    assert refused.keys() == REFUSED.keys()
    assert all(REFUSED[name] in message for name, message in refused.items())
    assert all(kind in noted[name] for name, kind in NOTED.items())


def test_what_is_passed_over_is_noted():
    notes = '<notes><note id="n" priority="2">about</note></notes>'
    held = unit(segment('a <mrk id="m" type="term" ref="#t">b</mrk>', "A B"), before=notes)
    bt = read(
        xliff(f'<notes><note>x</note></notes><group id="g" name="menu">{notes}{held}</group>')
    )
    assert kinds(bt) == {
        "attributes of codes and marks, left out": 1,
        "attributes of groups, left out": 1,
        "attributes of notes, left out": 2,
        "headers, notes and modules of documents and groups, left out": 2,
    }
    assert kinds(read(written(bt))) == {}


def test_attributes_that_no_column_has_are_noted():
    sides = '<source q="1">a</source><target r="1">b</target>'
    part = f'<segment n="2" canResegment="no">{sides}</segment>'
    bitext = read(xliff(unit(part, attributes=' n="1" canResegment="yes"')))
    assert bitext.alignment.attributes["n"] == ["2"]
    assert kinds(bitext) == {
        "attributes of source and target, left out": 2,
        "attributes of units that a segment has too, left out for its own": 1,
    }


def test_a_second_target_and_elements_without_a_meaning_are_noted():
    more = segment("a", "b").replace("</segment>", "<target>c</target><x>d</x></segment>")
    foreign = f'<unit xmlns="" id="v">{segment("c", "d")}</unit>'
    bitext = read(xliff(unit(more, before="<notes><note>n</note></notes><y/>"), foreign))
    assert bitext.pairs() == [(["a"], ["b"])]
    assert kinds(bitext) == {
        "segments with a second target, of which the first is read": 1,
        "modules and extensions in units, left out": 2,
        "elements of another namespace than the root, left out with their units": 1,
    }


def test_a_unit_within_a_unit_is_refused():
    with pytest.raises(FormatError, match="line 1: has a unit within a unit"):
        read(xliff(unit(segment("a", "b"), unit(segment("c", "d")))))
