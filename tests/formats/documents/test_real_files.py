"""Documents made by other programs: the same blocks and sentences from each format."""

import io
from types import SimpleNamespace

import pytest

from bitext.segment.sentences.running_text import split_sentences
from bitext.segment.sentences.splitter import SentenceSplitter

TITLE = "The Old Mill"
FIRST = (
    "It had rained for nine days, and nobody came to the mill at the river. On the tenth day Mr. "
    "Bell went out (at 10:30) and saw the water at the wall. “Who is there?” he called, and nobody "
    "answered him from the other side of the valley, where the neighbours lived in their houses."
)
SECOND = (
    "In the morning the bridge was gone, and the miller had to go over the hill. It took him three "
    "hours and a half. He came to an office in the town, and asked for flour and for a flat boat."
)
ITEMS = ["Bread for six days", "A long rope"]
CELLS = ["Day", "Height of the water", "Ninth", "1.5 metres"]
BLOCKS = [
    ("heading", TITLE),
    ("paragraph", FIRST),
    ("paragraph", SECOND),
    *(("item", item) for item in ITEMS),
    *(("cell", cell) for cell in CELLS),
]


def by_docx():
    docx = pytest.importorskip("docx")
    document = docx.Document()
    document.add_heading(TITLE, 1)
    document.add_paragraph(FIRST)
    document.add_paragraph().add_run(SECOND).bold = True
    for item in ITEMS:
        document.add_paragraph(item, style="List Bullet")
    table = document.add_table(2, 2)
    for k, cell in enumerate(CELLS):
        table.cell(k // 2, k % 2).text = cell
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def by_odf():
    pytest.importorskip("odf")
    from odf import opendocument, table, text

    document = opendocument.OpenDocumentText()
    document.text.addElement(text.H(outlinelevel=1, text=TITLE))
    for paragraph in (FIRST, SECOND):
        document.text.addElement(text.P(text=paragraph))
    items = text.List()
    for item in ITEMS:
        each = text.ListItem()
        each.addElement(text.P(text=item))
        items.addElement(each)
    document.text.addElement(items)
    rows = table.Table()
    rows.addElement(table.TableColumn(numbercolumnsrepeated=2))
    for k in (0, 2):
        row = table.TableRow()
        for cell in CELLS[k : k + 2]:
            each = table.TableCell()
            each.addElement(text.P(text=cell))
            row.addElement(each)
        rows.addElement(row)
    document.text.addElement(rows)
    out = io.BytesIO()
    document.write(out)
    return out.getvalue(), document.xml()


PAGE = (
    f"<h1>{TITLE}</h1><p>{FIRST}</p><p>{SECOND}</p><ul><li>{ITEMS[0]}</li><li>{ITEMS[1]}</li></ul>"
    f"<table><tr><th>{CELLS[0]}</th><th>{CELLS[1]}</th></tr><tr><td>{CELLS[2]}</td>"
    f"<td>{CELLS[3]}</td></tr></table>"
)


def by_ebooklib():
    epub = pytest.importorskip("ebooklib.epub")
    book = epub.EpubBook()
    book.set_language("en")
    book.set_title(TITLE)
    chapter = epub.EpubHtml(title=TITLE, file_name="a.xhtml", content=PAGE)
    for each in (chapter, epub.EpubNcx(), epub.EpubNav()):
        book.add_item(each)
    book.spine = ["nav", chapter]
    out = io.BytesIO()
    epub.write_epub(out, book)
    return out.getvalue()


def by_typst(*, tags):
    typst = pytest.importorskip("typst")
    source = (
        '#set document(title: "The Old Mill")\n#set text(lang: "en")\n#set par(justify: true, '
        "first-line-indent: 1em)\n#set page(width: 110mm, height: 75mm, margin: 15mm, numbering: "
        f'"1", header: [The Flood])\n= {TITLE}\n\n{FIRST}\n\n{SECOND}\n\n- {ITEMS[0]}\n- {ITEMS[1]}'
        f"\n\n#table(columns: 2, {', '.join(f'[{cell}]' for cell in CELLS)})"
    )
    return typst.compile(source.encode(), format="pdf", pdf_tags=tags)


def by_reportlab(password=""):
    pytest.importorskip("reportlab")
    from reportlab.lib.pdfencrypt import StandardEncryption
    from reportlab.lib.styles import ParagraphStyle
    from reportlab.platypus import BaseDocTemplate, Frame, PageTemplate, Paragraph

    body = ParagraphStyle("a", fontName="Times-Roman", fontSize=10, leading=12, firstLineIndent=12)
    head = ParagraphStyle("b", fontName="Times-Bold", fontSize=16, leading=24)
    flow = [Paragraph(TITLE, head), Paragraph(FIRST, body), Paragraph(SECOND, body)]
    out = io.BytesIO()
    locked = StandardEncryption(password, ownerPassword="mine", strength=128)
    made = BaseDocTemplate(out, pagesize=(320, 170), encrypt=locked)
    columns = [Frame(x, 20, 130, 124, 0, 0, 0, 0) for x in (20, 170)]
    made.addPageTemplates([PageTemplate("a", columns)])
    made.build(flow)
    return out.getvalue()


@pytest.fixture(scope="module")
def files():
    """Files by their names."""
    packed, flat = by_odf()
    return SimpleNamespace(
        docx=by_docx(),
        odt=packed,
        fodt=flat,
        epub=by_ebooklib(),
        html=f"<!doctype html><html lang=en><body>{PAGE}</body></html>".encode(),
        pdf=by_typst(tags=True),
    )


def joined(document):
    return [(block.kind, " ".join(block.text.split())) for block in document.blocks]


@pytest.mark.parametrize("name", ["docx", "odt", "fodt", "epub", "html", "pdf"])
def test_each_format_has_the_same_blocks(read, files, name):
    document, _ = read(getattr(files, name), f"a.{name}")
    assert joined(document) == BLOCKS


def test_sentences_of_pdf_without_tags_are_the_same(read):
    """Lines, pages, hyphens and running heads leave no trace; a narrow table is lines of text."""
    document, notes = read(by_typst(tags=False), "a.pdf")
    assert joined(document)[:5] == BLOCKS[:5]
    splitter = SentenceSplitter("en")
    sentences = [
        split_sentences(text, splitter).sentences for text in (document.blocks[1].text, FIRST)
    ]
    assert sentences[0] == sentences[1]
    assert len(sentences[0]) == 3
    assert "running heads and page numbers of PDF, left out" in {note.kind for note in notes}


def test_files_that_their_owner_has_locked_are_read(read, refused):
    document, notes = read(by_reportlab(), "a.pdf")
    assert joined(document) == BLOCKS[:3]
    assert {note.kind for note in notes} >= {
        "PDF files encrypted without a password to read them",
        "pages of PDF in columns, read one after another",
    }
    assert "is protected by a password" in refused(by_reportlab("secret"), "a.pdf")


def test_lines_from_right_to_left_are_read_in_their_order(read):
    typst = pytest.importorskip("typst")
    text = (
        "ביום העשירי (בשעה 10:30) יצא הטוחן. קנה את The Old Mill ב־1,250 שקלים בשנת 1998, ואז חזר."
    )
    source = f'#set text(lang: "he", dir: rtl)\n#set page(width: 90mm)\n{text}'
    for tags in (True, False):
        made = typst.compile(source.encode(), format="pdf", pdf_tags=tags)
        assert joined(read(made, "a.pdf")[0]) == [("paragraph", text)]
