"""Flat OpenDocument, FictionBook, web archives, XHTML; formats that are refused or told."""

import io

import pytest

from bitext.errors import FormatError
from bitext.formats.documents import document_format, note_markup
from bitext.formats.io.source import Source
from formats.document_samples import archive, odt

NAMES = "urn:oasis:names:tc:opendocument:xmlns:"
FLAT = f"""<?xml version="1.0"?>
<o:document xmlns:o="{NAMES}office:1.0" xmlns:t="{NAMES}text:1.0" xmlns:style="{NAMES}style:1.0"
xmlns:fo="{NAMES}xsl-fo-compatible:1.0" xmlns:dc="http://purl.org/dc/elements/1.1/"
o:mimetype="application/vnd.oasis.opendocument.text"><o:meta><dc:title>A title</dc:title></o:meta>
<o:scripts><x/></o:scripts><o:styles><style:default-style style:family="paragraph">
<style:text-properties fo:language="de" fo:country="AT"/></style:default-style></o:styles>
<o:body><o:text><t:tracked-changes><t:changed-region><t:deletion/></t:changed-region>
</t:tracked-changes><t:h t:outline-level="2">Kopf</t:h><t:p>Ein Satz.</t:p></o:text></o:body>
</o:document>"""
FB2 = """<?xml version="1.0" encoding="windows-1251"?>
<FictionBook xmlns="http://www.gribuser.ru/xml/fictionbook/2.0"
xmlns:l="http://www.w3.org/1999/xlink"><description><title-info>
<book-title>Мельница</book-title><lang>ru</lang></title-info></description>
<body name="notes"><section id="n1"><title><p>1</p></title><p>Сноска.</p></section></body>
<body><title><p>Мельница</p></title><section><title><p>Глава</p></title><section>
<title><p>Часть</p></title><p>Шёл <emphasis>дождь</emphasis>.<a l:href="#n1" type="note">1</a></p>
<poem><stanza><v>Раз,</v><v>два.</v></stanza></poem><empty-line/><subtitle>* * *</subtitle>
<subtitle>Под</subtitle><table><tr><td>Соль</td></tr></table></section></section></body>
<binary id="x" content-type="image/png">AAAA</binary></FictionBook>""".encode("cp1251")
PAGE = b"""<html lang=3D"en"><head><title>Mill</title></head><body><nav>Menu</nav>
<p>Caf=C3=A9 on=
e.</p></body></html>"""
MHTML = (
    b"""From: <Saved by a browser>
MIME-Version: 1.0
Content-Type: multipart/related;
 type="text/html"; boundary="----B"

------B
Content-Type: text/css

p { color: red }
------B
Content-Type: text/html; charset=utf-8
Content-Transfer-Encoding: quoted-printable

%s
------B--
"""
    % PAGE
)


def kinds_of(notes):
    return {note.kind for note in notes}


def test_flat_opendocument_is_read_as_odt_is(read):
    document, notes = read(FLAT, "a.xml")
    assert (document.lang, document.title) == ("de-AT", "A title")
    assert [(block.kind, block.text) for block in document.blocks] == [
        ("heading", "Kopf"),
        ("paragraph", "Ein Satz."),
    ]
    assert kinds_of(notes) == {
        "tracked changes, read as accepted",
        "documents with macros, which are not read",
    }
    packed = odt(FLAT[FLAT.index("<t:h") : FLAT.index("</o:text>")].replace("t:", "text:"))
    assert [block.text for block in read(packed, "a.odt")[0].blocks] == ["Kopf", "Ein Satz."]


@pytest.mark.parametrize("data", [FB2, archive({"book.fb2": FB2})])
def test_fictionbook_is_read_with_notes_at_the_end(read, data):
    document, _ = read(data, "a")
    assert (document.lang, document.title) == ("ru", "Мельница")
    assert [(block.kind, block.level, block.text) for block in document.blocks] == [
        ("heading", 1, "Мельница"),
        ("heading", 1, "Глава"),
        ("heading", 2, "Часть"),
        ("paragraph", 0, "Шёл дождь."),
        ("paragraph", 0, "Раз,"),
        ("paragraph", 0, "два."),
        ("paragraph", 0, "* * *"),
        ("heading", 3, "Под"),
        ("cell", 1, "Соль"),
        ("note", 0, "Сноска."),
    ]
    assert 'type="fnote"' in document.blocks[3].marked


def test_the_lines_of_a_title_of_fictionbook_are_one_heading(read):
    title = "<title><p>Chapter 1</p><p>The <strong>Mill</strong></p></title><p>It rained.</p>"
    document, _ = read(
        f"<FictionBook><body><section>{title}</section></body></FictionBook>", "a.fb2"
    )
    assert [(block.kind, block.text) for block in document.blocks] == [
        ("heading", "Chapter 1 The Mill"),
        ("paragraph", "It rained."),
    ]


def test_styles_of_fictionbook_stand_within_a_paragraph(read):
    page = (
        '<FictionBook><body><p>He said <style name="foreign">non</style>.</p></body></FictionBook>'
    )
    document, _ = read(page, "a.fb2")
    assert [block.text for block in document.blocks] == ["He said non."]


def test_archives_of_several_books_are_refused(refused):
    assert "has 2 books: unpack it" in refused(archive({"a.fb2": FB2, "b.fb2": FB2}), "a.zip")


@pytest.mark.parametrize("main_text", [False, True])
def test_pages_of_web_archives_are_read(read, main_text):
    document, _ = read(MHTML.replace(b"\n", b"\r\n"), "a.mht", main_text=main_text)
    assert (document.lang, document.title) == ("en", "Mill")
    menu = [] if main_text else ["Menu"]
    assert [block.text for block in document.blocks] == [*menu, "Café one."]


def test_web_archives_without_a_page_are_refused(refused):
    assert "has no page" in refused(MHTML.replace(b"text/html;", b"text/plain;"), "a.mht")


def test_xhtml_is_read_as_xml(read):
    page = '<html xmlns="http://www.w3.org/1999/xhtml" xml:lang="de"><body>%s</body></html>'
    content = page % "<nav>Menu</nav><main><p>A<![CDATA[ & b < c]]>&nbsp;d.</p></main>"
    document, _ = read(f'<?xml version="1.0"?>{content}', "a.xhtml", main_text=True)
    assert document.lang == "de"
    assert [block.text for block in document.blocks] == ["A & b < c d."]
    # As browsers do: what is not well-formed is HTML.
    damaged = read(f'<?xml version="1.0"?>{page % "<p>A<br>b"}', "a.xhtml")[0]
    assert [block.text for block in damaged.blocks] == ["A b"]


@pytest.mark.parametrize(
    ("name", "data", "fault"),
    [
        ("a.pages", archive({"Index/Document.iwa": "x"}), "Apple Pages, which is not read: export"),
        ("a.pptx", archive({"[Content_Types].xml": "", "ppt/x": ""}), "a presentation of PowerP"),
        (
            "a.odp",
            archive({"mimetype": "application/vnd.oasis.opendocument.presentation"}),
            "a presentation or a table in OpenDocument",
        ),
        ("a.docx", archive({"[Content_Types].xml": "", "ppt/x": ""}), "a presentation of PowerP"),
        (
            "a.odt",
            archive({"mimetype": "application/vnd.oasis.opendocument.spreadsheet"}),
            "a table in OpenDocument, which is not read: save its column of sentences",
        ),
        ("a.mobi", bytes(60) + b"BOOKMOBI", "for Kindle, which is not read: want it as EPUB"),
        (
            "a.xml",
            b'<?xml version="1.0"?>\n<?mso-application progid="Word.Document"?>\n<x/>',
            "Word in one file of XML, which is not read: save it as DOCX",
        ),
        ("a.ps", b"%!PS-Adobe-3.0", "a file in PostScript, which is not read: convert it to PDF"),
    ],
)
def test_documents_of_other_formats_are_refused_with_a_remedy(name, data, fault):
    with pytest.raises(FormatError, match=fault):
        document_format(data, name)


def test_old_documents_of_word_are_refused_with_a_remedy():
    with pytest.raises(FormatError, match="save it as DOCX"):
        Source("a.doc", io.BytesIO(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")).refuse_document()


@pytest.mark.parametrize(
    ("name", "content", "markup"),
    [
        ("a.txt", "% A comment\n\\documentclass{article}", "LaTeX"),
        ("a.rst", "Mill\n====", "reStructuredText"),
        ("a.adoc", "= Mill", "AsciiDoc"),
        ("a.1", '.\\" A comment\n.TH MILL 1\n', "troff"),
        ("a.txt", "The Mill", ""),
    ],
)
def test_other_markup_is_told(name, content, markup):
    source = Source(name, io.BytesIO(content.encode()))
    note_markup(source)
    kinds = [note.kind for note in source.notes.all()]
    said = f"files in {markup}, read as plain text with its commands: convert them (pandoc -t html)"
    assert kinds == [said] * bool(markup)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.html", "<html><p role=heading aria-level=%s>x<table><td colspan=%s>y</table>"),
        ("a.fb2", '<FictionBook><body><td colspan="%s"><p>x</p></td></body></FictionBook>'),
        ("a.usfm", "\\id GEN\n\\mt%s x"),
        (
            "a.fodt",
            FLAT.replace('"2"', '"%s"').replace("Ein ", 'Ein <t:s t:c="%s"/><t:s t:c="x"/>'),
        ),
    ],
)
def test_numbers_that_are_none_or_too_long_are_passed_over(read, name, content):
    """Python refuses numbers of more than 4,300 digits."""
    for number in ("9" * 5000, "-1", "x"):
        assert read(content.replace("%s", number), name)[0].blocks


@pytest.mark.parametrize("name", ["a.docx", "a.PDF", "a.epub", "a.html", "a.rtf"])
def test_empty_files_named_as_documents_are_refused(name):
    with pytest.raises(FormatError, match=r"is empty, and an? .* never is: get the file anew"):
        document_format(b"", name)
    assert document_format(b"", "a.md") is not None
    assert document_format(b"", "a.txt") is None


MESSAGE = b"""Received: from x
From: a@b.c
Subject: =?utf-8?Q?Gr=C3=BC=C3=9Fe?=
MIME-Version: 1.0
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: quoted-printable

Ein Satz, der umge=
brochen wird, f=C3=BCr
Ulm.

> Ein Zitat,
> das weitergeht.
"""
PAGES = b"""From: a@b.c
Date: x
Content-Type: multipart/mixed; boundary="B"
MIME-Version: 1.0

--B
Content-Type: multipart/alternative; boundary="A"

--A
Content-Type: text/plain

One.
--A
Content-Type: text/html; charset=iso-8859-1
Content-Transfer-Encoding: quoted-printable

<html><body><p>Caf=E9.</p></body></html>
--A--
--B
Content-Type: application/pdf
Content-Disposition: attachment

x
--B--
"""


INDESIGN = "application/vnd.adobe.indesign"


@pytest.mark.parametrize("name", ["a.eml", "a.txt"])
def test_messages_are_read_without_their_headers(read, name):
    document, notes = read(MESSAGE.replace(b"\n", b"\r\n"), name)
    assert [(block.kind, block.text) for block in document.blocks] == [
        ("heading", "Grüße"),
        ("paragraph", "Ein Satz, der umgebrochen wird, für Ulm."),
        ("paragraph", "Ein Zitat, das weitergeht."),
    ]
    assert "quoted lines of messages, read without their marks (>)" in kinds_of(notes)


def test_the_page_of_a_message_is_read_rather_than_its_plain_text(read):
    document, notes = read(PAGES, "a.eml")
    assert [block.text for block in document.blocks] == ["Café."]
    assert kinds_of(notes) == {"attachments of messages, left out"}


def test_a_text_with_the_words_of_headers_is_no_message():
    text = b"Note: a text.\nFrom: here.\nSubject: none.\nIt goes on.\n"
    assert document_format(text, "a.txt") is None


@pytest.mark.parametrize(
    ("content", "name", "told"),
    [
        (b"From a@b.c Thu Jan  1 00:00:00 2015\nFrom: a\n\nx", "a.mbox", "several messages"),
        (b'{\n "cells": [\n', "a.ipynb", "a notebook of Jupyter"),
        (archive({"mimetype": f"{INDESIGN}-idml-package"}), "a.idml", "of InDesign (IDML)"),
        (b"bplist00\xd1\x01\x02_\x10\x0fWebMainResource", "a.webarchive", "archive of Safari"),
        (b"ITSF\x03\x00", "a.chm", "a help file of Windows (CHM)"),
        (b"From: a\nSubject: s\nContent-Type: image/png\n\nx", "a.eml", "without a text"),
        (MESSAGE.replace(b"=C3=BC", b"=FC"), "a.eml", "not in the encoding that it declares"),
    ],
)
def test_messages_without_a_text_and_mailboxes_are_refused(refused, content, name, told):
    assert told in refused(content, name)


@pytest.mark.parametrize(
    ("form", "text", "texts"),
    [
        (
            "flowed",
            "It rained \n day \nand night.\nHe left.",
            ["It rained day and night.", "He left."],
        ),
        ("flowed; delsp=yes", "It rai \nned.\nNo.", ["It rained.", "No."]),
        ("flowed", "It rained\nall day.\n\nNo.", ["It rained all day.", "No."]),  # as it is not
        ("fixed", "It rained \nall day.\n\nNo.", ["It rained all day.", "No."]),
    ],
)
def test_lines_of_messages_may_flow(read, form, text, texts):
    head = "From: a\nDate: d\nMIME-Version: 1.0\nContent-Type: text/plain; format="
    document, _ = read(f"{head}{form}\n\n{text}\n", "a.eml")
    assert [block.text for block in document.blocks] == texts


def test_a_message_with_pictures_in_its_page_is_no_web_archive(read):
    head = "From: a\nTo: b\nSubject: News\nMIME-Version: 1.0\n"
    kind = "Content-Type: multipart/related; boundary=x\n\n"
    parts = "--x\nContent-Type: text/html\n\n<p>It rained.</p>\n--x--\n"
    document, notes = read(head + kind + parts, "a.eml")
    assert [block.text for block in document.blocks] == ["News", "It rained."]
    assert notes == ()
