import base64
import re
from functools import partial

import pytest

from bitext import Alignment, Bitext, Text
from bitext.errors import FormatError, InputError
from bitext.formats.io.source import open_source
from bitext.formats.registry import PART, ReadOptions
from bitext.formats.xliff.xliff12 import FORMAT
from formats import samples
from formats.samples import inline, kinds, positions, ugly
from reference.shared_data import data
from reference.xliff_samples import text_of, tree

CODES = {"x", "bx", "ex", "bpt", "ept", "it", "ph"}
HEAD = '<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">'
FILE = '<file original="a.txt" source-language="en" target-language="fr" datatype="plaintext">'


read_all = partial(samples.read_all, "xliff12")
read = partial(samples.read, "xliff12")
written = partial(samples.text_written, "xliff12")


def xliff(*units):
    return f"{HEAD}{FILE}<body>{''.join(units)}</body></file></xliff>"


def unit(source, *rest, attributes=""):
    return f'<trans-unit id="1"{attributes}><source>{source}</source>{"".join(rest)}</trans-unit>'


@pytest.mark.parametrize(
    "name",
    [
        "bin_unit",
        "groups",
        "inline",
        "no_target",
        "plain",
        "seg_source",
        "translate_no",
        "two_files",
    ],
)
def test_awkward_files(name):
    path, verdict, units = ugly(f"{name}.xlf")
    with open_source(path) as source:
        (bitext,) = FORMAT.read(source, ReadOptions(src_lang="en", tgt_lang="fr"))
    assert [[list(src), list(tgt)] for src, tgt in bitext.pairs()] == units
    assert bool(bitext.notes) == (verdict == "warn")


def test_segments_cross_by_mid():
    marks = '<mrk mtype="seg" mid="{}">{}</mrk>'
    bt = read(
        xliff(
            unit("z", "<target>y</target>"),
            unit(
                "a b c",
                f"<seg-source><g>{marks.format(1, 'a')}</g> {marks.format(2, 'b')}",
                f" {marks.format(3, 'c')}</seg-source>",
                f"<target>{marks.format(3, 'C')} {marks.format(1, 'A')} {marks.format(4, 'D')}",
                "</target>",
            ),
        )
    )
    assert list(bt.src.segments()) == ["z", "a", "b", "c"]
    assert list(bt.tgt.segments()) == ["y", "C", "A", "D"]
    assert positions(bt) == [([0], [0]), ([1], [2]), ([2], []), ([3], [1]), ([], [3])]
    assert bt.alignment.attributes["mid"] == [None, "1", "2", "3", "4"]
    assert set(kinds(bt)) == {
        "ids that repeat within a document",
        "segments in another order in the target (crossing)",
        "segments whose mid the other side does not have, read as 1-0 or 0-1",
    }


def test_codes_outside_of_segments_are_noted():
    mark = '<mrk mtype="seg" mid="1">a</mrk>'
    inside = f'<x id="1"/><g id="2">{mark}</g> <ph id="3">&lt;br/></ph><g id="4"> </g>'
    bt = read(xliff(unit("a", f"<seg-source>{inside}</seg-source><target>{mark}</target>")))
    assert kinds(bt) == {"inline codes outside of segments, left out": 3}


def test_one_mid_for_several_segments():
    marks = '<mrk mtype="seg" mid="{}">{}</mrk>'
    target = f"{marks.format(1, 'A')}{marks.format(2, 'B')}{marks.format(1, 'a')}"
    content = xliff(
        unit(
            "x y",
            f"<seg-source>{marks.format(1, 'x')}{marks.format(2, 'y')}</seg-source>",
            f"<target>{target}</target>",
        )
    )
    bt = read(content)
    assert positions(bt) == [([0], [0, 2]), ([1], [1])]
    assert list(bt.tgt.segments()) == ["A", "B", "a"]
    assert "segments with one mid on a side, read as one n-m bisegment" in kinds(bt)


def test_one_side_is_segmented():
    two = '<mrk mtype="seg" mid="1">a</mrk> <mrk mtype="seg" mid="2">b</mrk>'
    units = [
        unit("a b", f"<seg-source>{two}</seg-source><target>A B</target>"),
        unit("a b", f"<seg-source>{two}</seg-source><target> </target>"),
        unit("a b", f"<target>{two}</target>"),
        unit("a b", "<seg-source>a b</seg-source><target>A B</target>"),
        unit("a b", "<seg-source><x id='1'/></seg-source><target>A B</target>"),
    ]
    assert [read(xliff(each)).pairs() for each in units] == [
        [(["a", "b"], ["A B"])],
        [(["a"], []), (["b"], [])],
        [(["a b"], ["a", "b"])],
        [(["a b"], ["A B"])],
        [],
    ]
    assert [len(read(xliff(each)).notes) for each in units] == [1, 0, 1, 0, 1]


def test_marks_come_as_those_of_tmx():
    source = (
        'A <g id="1" ctype="bold">b</g><x id="2" ctype="lb"/><bx id="3"/>c<ex id="3"/>'
        '<bpt id="4" rid="1">&lt;i></bpt>d<ept id="5" rid="1">&lt;/i></ept>'
        '<it id="6" pos="open">&lt;u></it><ph id="7" assoc="preceding">&lt;i alt="'
        '<sub datatype="html">e<x id="8"/></sub>"/></ph><ph id="9" equiv-text="{0}"/>'
        '<mrk mtype="term" mid="10">f</mrk><bx id="11"/><mrk mtype="x-sdl-deleted">no</mrk>'
    )
    bt = read(xliff(unit(source)))
    assert list(bt.src.segments()) == ["A bcdf"]
    expected = (
        'A <bpt i="1" x="1" type="bold"/>b<ept i="1"/><ph x="2" type="lb"/><bpt i="2" x="3"/>c'
        '<ept i="2"/><bpt i="3" x="4">&lt;i&gt;</bpt>d<ept i="3">&lt;/i&gt;</ept>'
        '<it pos="begin" x="6">&lt;u&gt;</it><ph x="7" assoc="p">&lt;i alt="<sub datatype="html">'
        'e<ph x="8"/></sub>"/&gt;</ph><ph x="9">{0}</ph><hi x="10" type="term">f</hi>'
        '<it pos="begin" x="11"/>'
    )
    assert bt.src.marked == [expected]
    assert kinds(bt) == {
        "codes that begin or end a pair without the other half in their unit": 1,
        "deletions that are tracked, left out": 1,
        "segments with inline codes, which are not text": 1,
        "texts within inline codes (sub), left out of the text of their segments": 1,
        "units without a target, read as 1-0": 1,
    }


def test_tracked_changes_of_memoq_are_read_as_accepted():
    change = '<mrk xmlns:mq="MQXliff" mtype="x-mq-tc" mq:tctype="{}">{}</mrk>'
    bt = read(xliff(unit(f"A {change.format('del', 'cat')}{change.format('ins', 'dog')}.")))
    assert list(bt.src.segments()) == ["A dog."]
    assert kinds(bt)["deletions that are tracked, left out"] == 1


def test_marks_are_written_as_those_of_xliff():
    marked = (
        'A <bpt i="1" x="1" type="bold"/>b<ept i="1"/><ph x="2"/><bpt i="2" x="3"/>'
        '<hi type="term">c<ept i="2"/></hi><bpt i="3">&lt;i&gt;</bpt>d<ept i="3"/>'
        '<ph x="p" assoc="b">{0}</ph>'
    )
    text = Text(["A bcd"], marked=[marked])
    content = written(Bitext(text, Text(["x"]), Alignment([((0,), (0,))])))
    expected = (
        'A <g id="1" ctype="bold">b</g><x id="2"/><bx id="3" rid="3"/><mrk mtype="term">c'
        '<ex id="3" rid="3"/></mrk><bpt id="bitext.4" rid="4">&lt;i&gt;</bpt>d'
        '<ept id="bitext.4" rid="4"/><ph id="p" assoc="both">{0}</ph>'
    )
    assert re.findall("<source>(.*?)</source>", content) == [expected]


def test_attributes_notes_and_contexts_are_columns():
    bt = read(
        xliff(
            unit(
                "a",
                '<target state="final" xml:lang="fr-CA" resname="r">b</target>',
                '<note>one</note><note annotates="target">two</note><note>three</note>',
                '<context-group><context context-type="sourcefile">a.c</context></context-group>',
                '<prop-group><prop prop-type="p">q</prop></prop-group>',
                "<alt-trans><target>no</target></alt-trans>",
                attributes=' approved="yes" xmlns:my="urn:x" my:k="v"',
            )
        )
    )
    assert bt.pairs() == [(["a"], ["b"])]
    assert bt.alignment.attributes == {
        "id": ["1"],
        "approved": ["yes"],
        "my:k": ["v"],
        "state": ["final"],
        "tgt.resname": ["r"],
        "note": ["one"],
        "note#2": ["three"],
        "tgt.note": ["two"],
        "context:sourcefile": ["a.c"],
        "prop:p": ["q"],
    }
    assert kinds(bt) == {
        "codes of languages that say more than that of their document, left out": 1,
        "proposals (alt-trans), which are not translations, left out": 1,
    }


def test_documents_and_languages():
    second = FILE.replace("a.txt", "b.txt").replace('"fr"', '"de"')
    third = FILE.replace(' target-language="fr"', "").replace("a.txt", "")
    units = [unit("a", "<target>b</target>"), unit("c", "<target>d</target>")]
    units.append(unit("e", '<target xml:lang="it">f</target>'))
    files = zip((FILE, second, third), units, strict=True)
    bodies = (f"{file}<body>{each}</body></file>" for file, each in files)
    content = f"{HEAD}{''.join(bodies)}</xliff>"
    found = read_all(content)
    assert [(bt.name, bt.src.lang, bt.tgt.lang) for bt in found] == [
        ("a.txt", "en", "fr"),
        ("b.txt", "en", "de"),
        ("", "en", "it"),
    ]
    found = read_all(content, tgt_lang="de")
    assert [bt.pairs() for bt in found] == [[(["c"], ["d"])], [(["e"], ["f"])]]
    assert kinds(found[0]) == {"documents in other languages than those asked for, left out": 1}
    again = read_all(written(*read_all(content)))
    assert [(bt.name, bt.src.lang, bt.tgt.lang) for bt in again] == [
        ("a.txt", "en", "fr"),
        ("b.txt", "en", "de"),
        ("", "en", "it"),
    ]


def test_a_text_in_another_language_is_noted():
    bt = read(xliff(unit("a", '<target xml:lang="de">b</target>')))
    assert kinds(bt) == {"texts in another language than that of their document": 1}
    assert bt.notes[0].first == "made line 1: de, not fr"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("<a/>", "made: has no root element xliff; give an XLIFF file"),
        (f"{HEAD}</xliff>", "made: has no file element"),
        ('<xliff version="2.0"><file/></xliff>', "made line 1: is XLIFF '2.0', not 1.x; read it"),
        (xliff("\n<trans-unit id='1'/>"), "made line 2: has a trans-unit without a source; want"),
        (xliff("<trans-unit>"), "made line 1: is not well-formed XML"),
        (xliff(unit("&nbsp;")), "made line 1"),
    ],
)
def test_errors_name_the_line(content, message):
    with pytest.raises(FormatError, match=message):
        read_all(content)


def test_no_document_in_the_languages_asked_for():
    with pytest.raises(FormatError, match="made: has no document in fr-en, but in en-fr; ask for"):
        read_all(xliff(unit("a")), src_lang="fr", tgt_lang="en")


def test_too_many_attributes_within_a_unit():
    many = " ".join(f'a{k}="1"' for k in range(300))
    with pytest.raises(FormatError, match="element source has 300 attributes, more than the 256"):
        read_all(xliff(f"<trans-unit><source {many}>a</source></trans-unit>"))


def test_a_bad_unit_is_left_out_on_request():
    errors = []
    (bt,) = read_all(xliff("<trans-unit id='1'/>", unit("a")), bad=errors)
    assert bt.pairs() == [(["a"], [])]
    assert [str(error) for error in errors] == [
        "made line 1: has a trans-unit without a source; want one"
    ]


@pytest.mark.parametrize("size", [100, 12_000_000])
def test_embedded_files_may_be_large(size):
    held = base64.encodebytes(bytes(size)).decode()
    header = f"<header><skl><internal-file form='base64'>{held}</internal-file></skl></header>"
    content = xliff(unit("a")).replace("<body>", f"{header}\n<body>\n")
    bt = read(content, lines=True)
    assert bt.pairs() == [(["a"], [])]
    assert bt.lines.tolist() == [3 + held.count("\n")]


def test_parts():
    content = xliff(*(unit(f"s{k}", f"<target>t{k}</target>") for k in range(PART + 5)))
    found = read_all(content, parts=True)
    assert [len(bt.alignment) for bt in found] == [PART, 5]
    assert [bt.continues for bt in found] == [False, True]
    text = written(*found)
    assert text.count("<file ") == 1
    assert read(text).pairs() == [pair for bt in found for pair in bt.pairs()]
    assert len(set(re.findall('<trans-unit id="(.*?)"', text))) == PART + 5


def test_ids_are_kept_on_request():
    src, tgt = Text(["a", "b"], ids=["s1", "s 2"]), Text(["c"], ids=["t<1"])
    bitext = Bitext(src, tgt, Alignment([((0, 1), (0,))]))
    back = read(written(bitext, beads=True))
    assert (list(back.src.ids), list(back.tgt.ids)) == (["s1", "s 2"], ["t<1"])
    assert not read(written(bitext)).src.has_ids


@pytest.mark.parametrize(
    ("bitext", "options", "message"),
    [
        (
            inline([(["a"], ["b\x0b"])]),
            {},
            r"bisegment 0: the segment 'b\\x0b' has the character U\+",
        ),
        (
            inline([(["a"], ["b"])]),
            {"src_lang": "english!"},
            r"'english!' is not the code .*src_lang=",
        ),
        (
            inline([(["a"], ["b"])], attributes={"x": ["\x01"]}),
            {},
            r"bisegment 0: the value of 'x-bitext-x' '\\x01' has the character U\+0001",
        ),
    ],
)
def test_what_cannot_be_written(bitext, options, message):
    with pytest.raises(InputError, match=message):
        written(bitext, **options)


def test_nothing_to_write():
    assert read(written()).pairs() == []


def _by_hand(root):
    """Yield for each `file` the texts of its units, slowly."""
    for file in root.iter("file"):
        found = []
        for each in file.iter("trans-unit"):
            source, seg, target = (each.find(n) for n in ("source", "seg-source", "target"))
            if seg is not None:
                sides = [
                    {
                        mark.get("mid"): text_of(mark, CODES)
                        for mark in (() if side is None else side.iter("mrk"))
                        if mark.get("mtype") == "seg"
                    }
                    for side in (seg, target)
                ]
                found += [
                    ([s], [sides[1][m]] if m in sides[1] else []) for m, s in sides[0].items()
                ]
                continue
            text = text_of(source, CODES)
            if target is None and each.get("translate") == "no" and not text.strip():
                continue
            found.append(([text], [] if target is None else [text_of(target, CODES)]))
        yield found


def test_real_files():
    paths = sorted(data("formats", "xliff12").glob("*.xlf"))
    assert len(paths) == 16
    for path in paths:
        with open_source(path) as source:
            assert FORMAT.sniff(source.head())
            found = list(FORMAT.read(source, ReadOptions(drafts=True)))
        expected = list(_by_hand(tree(path)))
        assert [bt.pairs() for bt in found] == expected, path.name
        again = read_all(written(*found), drafts=True)
        assert [bt.pairs() for bt in again] == expected, path.name
        for before, after in zip(found, again, strict=True):
            assert after.alignment.attributes == before.alignment.attributes
            for side in ("src", "tgt"):
                assert getattr(after, side).marked == getattr(before, side).marked, path.name


def test_what_is_passed_over_is_noted():
    file = FILE.replace(">", ' tool="t">')
    body = (
        "<header><note>about</note></header><body><group id='g' resname='menu'>"
        "<note>of the group</note>"
        '<trans-unit id="1"><source>a <g id="1" xid="7">b</g></source>'
        '<target xml:lang="fr-CA">A <g id="1">B</g></target><note from="me">n</note>'
        '<context-group purpose="location" name="c"><context context-type="x-c">7</context>'
        "</context-group><m:more xmlns:m='urn:m'>text</m:more></trans-unit></group></body>"
    )
    bt = read(f"{HEAD}{file}{body}</file></xliff>")
    inline_codes = {"segments with inline codes, which are not text": 2}
    assert kinds(bt) == inline_codes | {
        "attributes of codes and marks, left out": 1,
        "attributes of documents, left out": 1,
        "attributes of groups, left out": 1,
        "attributes of notes and contexts, left out": 3,
        "codes of languages that say more than that of their document, left out": 1,
        "headers, notes and modules of documents and groups, left out": 2,
        "modules and extensions in units, left out": 1,
    }
    assert kinds(read(written(bt))) == inline_codes


def test_a_foreign_element_named_source_gives_neither_columns_nor_a_language():
    foreign = '<o:source xmlns:o="urn:o" xml:lang="de" q="1">x</o:source>'
    bitext = read(
        xliff(f'<trans-unit id="1">{foreign}<source>s</source><target>t</target></trans-unit>')
    )
    assert list(bitext.alignment.attributes) == ["id"]
    assert [note.kind for note in bitext.notes] == ["modules and extensions in units, left out"]


def test_units_of_another_namespace_are_noted():
    """Some programs write `xmlns=""` on the elements that they add."""
    foreign = '<trans-unit xmlns="" id="2"><source>c</source></trans-unit>'
    group = f'<group xmlns="">{foreign}</group>'
    bitext = read(xliff(unit("a", "<target>b</target>"), foreign, group))
    assert len(bitext.alignment) == 1
    (note,) = bitext.notes
    assert note.kind == "elements of another namespace than the root, left out with their units"
    assert (note.count, note.first.endswith("trans-unit")) == (2, True)


def test_extensions_named_as_groups_and_units_are_no_units():
    extensions = '<t:group xmlns:t="urn:tool"/><t:trans-unit xmlns:t="urn:tool"/>'
    assert not read(xliff(unit("a", "<target>b</target>"), extensions)).notes


def test_elements_of_units_without_a_meaning_are_noted():
    bitext = read(xliff(unit("a", "<target>b</target><count-group/><foo>c</foo>")))
    assert kinds(bitext) == {
        "counts (count-group), left out": 1,
        "modules and extensions in units, left out": 1,
    }


def test_the_header_of_a_po_file_is_no_bisegment():
    header = ' approved="no" restype="x-gettext-domain-header"'
    fields = unit("Language: fr", "<target>Language: fr</target>", attributes=header)
    other = unit("a", "<target>b</target>").replace('"1"', '"2"')
    bitext = read(xliff(fields, other))
    assert bitext.pairs() == [(["a"], ["b"])]
    assert kinds(bitext) == {"units with the header of a PO file, left out": 1}


def test_a_unit_within_a_unit_is_refused():
    """An end tag is missing, and a start tag later: the first source has the last target."""
    inner = '<trans-unit id="2"><source>c</source><target>d</target></trans-unit>'
    content = xliff(unit("a", inner, "<source>e</source><target>f</target>"))
    with pytest.raises(FormatError, match="line 1: has a trans-unit within a trans-unit"):
        read(content)


def test_types_of_flows_within_codes_come_back():
    marked = 'a <ph x="1">{<sub datatype="my data" type="my type">b</sub>}</ph>'
    made = Bitext(Text(["a "], marked=[marked]), Text(["c"]), Alignment([((0,), (0,))]))
    back = read(samples.written("xliff12", made))
    assert back.src.marked == [marked]
