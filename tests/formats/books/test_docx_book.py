"""Books in Word by paragraphs."""

import io
import zipfile

import docx as python_docx
import pytest

from bitext import Alignment, Bitext, Text
from bitext.formats.io.source import Notes
from bitext.formats.registry import BookOptions, ReadOptions, WriteOptions, by_name
from bitext.model import Blocks
from formats.book_samples import sides
from formats.samples import opened

KINDS = ("heading", "paragraph", "heading", "item", "note")
MARKED = '<bpt i="1" type="link">&lt;a href="https://a.org/?b&amp;amp;c"&gt;</bpt>Nine<ept i="1"/>'
ENGLISH = ["Rain", "It rained.", "Nine", "Mill & Co", "Bread", "A note."]
GERMAN = ["Regen", "Es regnete.", "Neun", "Mühle", "Brot", "Ein Hinweis."]


@pytest.fixture(scope="module")
def mill():
    blocks = Blocks((0, 1, 3, 4, 5), KINDS, (1, 0, 2, 1, 0), ("", "", "", "fr", ""))
    src = Text(ENGLISH, lang="en", blocks=blocks, marked=[None, None, MARKED, *[None] * 3])
    tgt = Text(GERMAN, lang="de", blocks=blocks)
    return Bitext(src, tgt, Alignment([((k,), (k,)) for k in range(6)]), name="mill")


def written(*bitexts, notes=None, rows="paragraph"):
    out = io.BytesIO()
    options = WriteOptions(notes=notes, book=BookOptions(rows=rows))
    by_name("docx").write(bitexts, out, options=options)
    return out.getvalue()


def read(content):
    with opened(content, "a.docx") as source:
        return list(by_name("docx").read(source, ReadOptions()))


def test_headings_are_those_of_word_and_facing_paragraphs_a_table(mill):
    document = python_docx.Document(io.BytesIO(written(mill)))
    assert [(p.text, p.style.name) for p in document.paragraphs if p.text] == [
        ("Rain · Regen", "Title"),
        ("Rain · Regen", "Heading 1"),
        ("Mill & Co · Mühle", "Heading 2"),
    ]
    cells = [[cell.text for cell in row.cells] for t in document.tables for row in t.rows]
    assert cells[0] == ["It rained. Nine", "Es regnete. Neun"]
    contents = document.element.body.xpath("//w:sdt//w:hyperlink//w:t")
    assert [each.text for each in contents] == ["Rain · Regen", "Mill & Co · Mühle"]
    assert document.element.body.xpath("//w:sdt//w:instrText")[0].text == ' TOC \\o "1-3" \\n \\h '
    links = document.element.body.xpath("//w:tbl//w:instrText")
    assert [each.text for each in links] == [' HYPERLINK "https://a.org/?b&c" ']
    assert document.element.body.xpath("//w:p[w:pPr/w:numPr]//w:lang/@w:val") == ["fr-FR"] * 2


def test_rows_are_read_back_as_paragraphs_and_that_is_said(mill):
    notes = Notes()
    (got,) = read(written(mill, notes=notes))
    assert sides(got) == [
        ("Rain", "Regen"),
        ("It rained. Nine", "Es regnete. Neun"),
        ("Mill & Co", "Mühle"),
        ("Bread", "Brot"),
        ("A note.", "Ein Hinweis."),
    ]
    assert (got.src.lang, got.tgt.lang) == ("en", "de")
    (note,) = notes.all()
    assert note.kind.startswith("rows of facing paragraphs, each read back as one bisegment")


def test_texts_without_headings_are_chapters_with_their_names():
    one, two = (
        Bitext(Text([name]), Text(["x"]), Alignment([((0,), (0,))]), name=name)
        for name in ("one", "two")
    )
    assert [(each.name, sides(each)) for each in read(written(one, two))] == [
        ("one", [("one", "x")]),
        ("two", [("two", "x")]),
    ]


def test_numbers_of_notes_verses_and_items_are_shown_and_not_read_as_text():
    kinds = ("verse", "item", "item", "note")
    blocks = Blocks((0, 1, 2, 3), kinds, (0, 1, 1, 0), ("",) * 4, labels=("7", "Art. iv", "", "n"))
    lines = ["Light.", "Bread.", "Salt.", "A note."]
    texts = [Text(lines, lang=lang, blocks=blocks) for lang in ("en", "de")]
    content = written(Bitext(*texts, Alignment([((k,), (k,)) for k in range(4)])))
    rows = python_docx.Document(io.BytesIO(content)).tables[0].rows
    assert [row.cells[1].text for row in rows][:3] == [
        "7\u00a0Light.",
        "Art.\u202fiv\u00a0\tBread.",
        "Salt.",
    ]
    (got,) = read(content)
    assert sides(got) == [(line, line) for line in lines]
    document = python_docx.Document(io.BytesIO(content))
    document.tables[0].rows[0].cells[1].paragraphs[0].runs[0].text += "Mehr "
    edited = io.BytesIO()
    document.save(edited)
    assert sides(read(edited.getvalue())[0])[0] == ("Light.", "Mehr Light.")


def test_bytes_depend_on_the_contents_only(mill):
    assert written(mill) == written(mill)


def test_headings_stand_out_in_a_table_by_beads(mill):
    with zipfile.ZipFile(io.BytesIO(written(mill, rows=""))) as zipped:
        document = zipped.read("word/document.xml").decode()
    assert document.count('<w:pStyle w:val="BitextSourceHeading"/><w:outlineLvl w:val="0"/>') == 1
    assert document.count('<w:pStyle w:val="BitextTargetHeading"/><w:outlineLvl w:val="1"/>') == 1
