"""Bibles in XML: OSIS, USX, Zefania, and CES with verses."""

import pytest

from bitext.align.documents import sections_of_verses

OSIS = """<?xml version="1.0"?>
<osis xmlns="http://www.bibletechnologies.net/2003/OSIS/namespace">
<osisText osisIDWork="X" xml:lang="en"><header><work osisWork="X"><title>Bible</title></work>
</header>
<div type="book" osisID="Ruth"><title>Ruth</title><chapter osisID="Ruth.1"><p>
<verse osisID="Ruth.1.1" sID="Ruth.1.1"/>In the days of <hi type="bold">judges</hi><note>Or
kings.</note> there was <lb/>hunger.<verse eID="Ruth.1.1"/>
<verse osisID="Ruth.1.2 Ruth.1.3" sID="Ruth.1.2"/>A man went.</p><p>He died.<verse eID="Ruth.1.2"/>
</p></chapter></div>
<div type="book" osisID="1Sam"><p>An introduction.</p><chapter osisID="1Sam.1">
<verse osisID="1Sam.1.1">There was a man.</verse></chapter></div></osisText></osis>"""

USX = """<?xml version="1.0" encoding="utf-8"?>
<usx version="3.0"><book code="RUT" style="id">A test</book><para style="h">Ruth</para>
<para style="mt1">Das Buch Ruth</para><chapter number="1" style="c" sid="RUT 1"/>
<para style="p"><verse number="1" style="v" sid="RUT 1:1"/>Zur Zeit der <char style="nd">Richter
</char> war<note caller="+" style="f"><char style="ft">Oder Könige.</char></note> Hunger.
<verse eid="RUT 1:1"/>
<verse number="2-3" style="v" sid="RUT 1:2-3"/>Ein Mann ging.</para>
<para style="q1">Er starb.<verse eid="RUT 1:2-3"/></para><chapter eid="RUT 1"/></usx>"""

ZEFANIA = """<?xml version="1.0"?><!-- made -->
<XMLBIBLE biblename="X"><INFORMATION><title>X</title></INFORMATION>
<BIBLEBOOK bnumber="8" bname="Rut"><CHAPTER cnumber="1"><CAPTION>Svälten</CAPTION>
<VERS vnumber="1">På domarnas tid blev det hunger.</VERS><VERS vnumber="2">En man gick.</VERS>
</CHAPTER></BIBLEBOOK><BIBLEBOOK bnumber="9"><CHAPTER cnumber="1">
<VERS vnumber="1">Det var en man.</VERS></CHAPTER></BIBLEBOOK></XMLBIBLE>"""

CES = """<?xml version="1.0" encoding="utf-8"?>
<cesDoc version="4"><cesHeader version="4"><profileDesc><langUsage><language id="fr">French
</language></langUsage></profileDesc></cesHeader><text><body><div id="b.JOE" type="book">
<div id="b.JOE.1" type="chapter"><seg id="b.JOE.1.1" type="verse">
Parole.
</seg><seg id="b.JOE.1.2" type="verse"/></div></div>
<div id="b.XYZ" type="book"><seg id="b.XYZ.1.1" type="verse">Autre.</seg></div></body></text>
</cesDoc>"""


def shown(document):
    return [(block.kind, block.label, block.text) for block in document.blocks]


def test_osis_with_verses_from_tag_to_tag_and_around_the_text(read):
    document, notes = read(OSIS, "a.xml")
    assert document.lang == "en"
    assert shown(document) == [
        ("heading", "", "Ruth"),
        ("verse", "RUT 1:1", "In the days of judges there was hunger."),
        ("verse", "RUT 1:2-3", "A man went. He died."),
        ("paragraph", "", "An introduction."),
        ("verse", "1SA 1:1", "There was a man."),
    ]
    assert [(note.kind, note.count) for note in notes] == [
        ("notes, references and pictures of Bibles, left out", 1)
    ]


def test_usx_of_one_book_has_references_without_its_name(read):
    document, _ = read(USX, "a.usx")
    assert shown(document) == [
        ("heading", "", "Das Buch Ruth"),
        ("verse", "1:1", "Zur Zeit der Richter war Hunger."),
        ("verse", "1:2-3", "Ein Mann ging. Er starb."),
    ]


def test_zefania_and_ces(read):
    document, _ = read(ZEFANIA, "a.xml")
    assert [block.label for block in document.blocks if block.kind == "verse"] == [
        *("RUT 1:1", "RUT 1:2", "1SA 1:1")
    ]
    assert [block.text for block in document.blocks][:2] == ["Rut", "Svälten"]
    document, _ = read(CES, "a.xml")
    assert document.lang == "fr"
    assert shown(document) == [("verse", "JOL 1:1", "Parole."), ("verse", "XYZ 1:1", "Autre.")]


def test_numbers_of_books_that_are_none_or_too_long_are_passed_over(read):
    for number in ("9" * 5000, "-1", "x"):
        document, _ = read(ZEFANIA.replace('bnumber="9"', f'bnumber="{number}"'), "a.xml")
        assert document.blocks[-1].label == f"{number.upper()} 1:1"


def test_files_without_verses_are_refused(refused):
    assert "holds no verses with references" in refused("<osis><osisText/></osis>", "a.xml")


@pytest.mark.parametrize(
    ("tgt", "common"),
    [
        ([("RUT 1:1", 0), ("RUT 1:2-3", 1), ("1SA 1:1", 4)], ([0, 1, 3], [0, 1, 4])),
        # Books in another order, and one that the other Bible lacks.
        ([("1SA 1:1", 0), ("RUT 1:1", 2), ("RUT 1:2", 3), ("TOB 1:1", 5)], None),
    ],
)
def test_verses_of_several_books_correspond_by_book_chapter_and_verse(tgt, common):
    src = [("RUT 1:1", 0), ("RUT 1:2", 1), ("RUT 1:3", 2), ("1SA 1:1", 3)]
    assert sections_of_verses(src, tgt) == common
