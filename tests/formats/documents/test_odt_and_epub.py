"""Texts in OpenDocument, and books in EPUB."""

import pytest

from formats.document_samples import ODF, archive, epub, odt

BODY = """<text:table-of-content><text:p>Contents</text:p></text:table-of-content>
<text:h text:outline-level="2">The <text:span text:style-name="i">Mill</text:span></text:h>
<text:p>It rained<text:note text:id="n1"><text:note-citation>1</text:note-citation>
<text:note-body><text:p>A note.</text:p></text:note-body></text:note> for<text:s text:c="3"/>days.
<text:line-break/>He left.</text:p>
<text:list><text:list-item><text:p>Bread</text:p></text:list-item></text:list>
<table:table><table:table-row><table:table-cell><text:p>1871</text:p></table:table-cell>
</table:table-row></table:table>
<text:p><draw:frame><draw:text-box><text:p>Boxed.</text:p></draw:text-box></draw:frame>See
<text:a xlink:href="x">there</text:a>.<office:annotation><text:p>Why?</text:p></office:annotation>
</text:p>"""


def test_blocks_of_a_text_are_read_with_their_kinds(read):
    document, notes = read(odt(BODY, lang="de"), "a.odt")
    assert (document.lang, document.title) == ("de", "A title")
    assert [(block.kind, block.level, block.text) for block in document.blocks] == [
        ("heading", 2, "The Mill"),
        ("paragraph", 0, "It rained for days. He left."),
        ("item", 1, "Bread"),
        ("cell", 1, "1871"),
        ("paragraph", 0, "See there."),
        ("paragraph", 0, "Boxed."),
        ("note", 0, "A note."),
    ]
    assert document.blocks[-1].label == "n1"
    assert {note.kind for note in notes} == {
        "tables of contents and indices, left out",
        "comments, left out",
    }
    assert '<bpt i="1" type="italic">&lt;i&gt;</bpt>Mill' in document.blocks[0].marked
    assert 'rained<ph type="fnote">&lt;note id="n1"/&gt;</ph> for' in document.blocks[1].marked
    document, _ = read(odt(BODY.replace(' text:id="n1"', "")), "a.odt")
    assert document.blocks[-1].label == "note 1"
    assert '&lt;note id="note 1"/&gt;' in document.blocks[1].marked


def test_styles_may_hide_text(read):
    style = """<x xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0"
xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><style:style style:name="h"
style:family="text"><style:text-properties text:display="none"/></style:style><style:style
style:name="h" style:family="paragraph"><style:text-properties text:display="none"/></style:style>
</x>"""
    body = '<text:p>It <text:span text:style-name="h">secret</text:span>rained.</text:p>'
    body += '<text:p text:style-name="h">secret</text:p>'
    document, notes = read(odt(body, **{"styles.xml": style}), "a.odt")
    assert [block.text for block in document.blocks] == ["It rained."]
    assert [(note.kind, note.count) for note in notes] == [("hidden text, left out", 2)]


PAGES = (
    '<h1>One<a id="x"/></h1><p>It <b>rained.</b></p>',
    '<div><i><p>He left.</p><p>She came.</p></i></div><aside role="doc-footnote">A note.</aside>',
)


def test_pages_of_a_book_are_read_in_order(read):
    document, notes = read(epub(*PAGES, lang="en-GB"), "a.epub")
    assert (document.lang, document.title) == ("en-GB", "The Mill")
    assert [(block.kind, block.text) for block in document.blocks] == [
        ("heading", "One"),
        ("paragraph", "It rained."),
        ("paragraph", "He left."),
        ("paragraph", "She came."),
        ("note", "A note."),
    ]
    # Markup around two paragraphs is closed and opened between them.
    assert [block.marked.count("<bpt") for block in document.blocks[2:4]] == [1, 1]
    assert [note.kind for note in notes] == ["tables of contents, left out"]


def test_a_page_that_is_no_xml_is_read_as_html(read):
    more = {"OEBPS/p0.xhtml": "<!DOCTYPE html PUBLIC '-//W3C//DTD XHTML 1.1//EN' 'x.dtd'>"}
    for body in ("<html><p>A&nbsp;b<br>c</html>", "<html><p>A&nbsp;b<br/>c</p></html>"):
        book = epub("", **{"OEBPS/p0.xhtml": more["OEBPS/p0.xhtml"] + body})
        assert [block.text for block in read(book, "a")[0].blocks] == ["A b c"]


def test_text_beside_a_table_of_contents_is_read(read):
    style = "<head><style>ol {{ list-style-type: none; }} nav {{ display: none; }}</style></head>"
    page = f'<html xmlns="http://www.w3.org/1999/xhtml">{style}<body>{{}}</body></html>'
    nav = '<nav><h1>Contents</h1><ol><li><a href="p0.xhtml">One</a></li></ol></nav>'
    book = {"OEBPS/nav.xhtml": page.format(f"{nav}<p>It rained for nine days.</p>")}
    entry = '<p>1. <a href="p0.xhtml">Eins</a> ...... 1</p>'
    book["OEBPS/toc.xhtml"] = page.format(f"<h2>Inhalt</h2>{entry}")
    kinds = 'media-type="application/xhtml+xml"'
    book["OEBPS/book.opf"] = f"""<package><manifest><item id="n" href="nav.xhtml"
properties="nav" {kinds}/><item id="t" href="toc.xhtml" {kinds}/></manifest>
<spine><itemref idref="t"/><itemref idref="n"/><itemref idref="gone"/></spine>
<guide><reference type="toc" href="toc.xhtml#a"/></guide></package>"""
    document, notes = read(epub(**book), "a.epub")
    texts = [block.text for block in document.blocks]
    assert texts == ["Contents", "One", "It rained for nine days."]
    kind = "pages that a book names and does not have"
    assert [note.kind for note in notes] == ["tables of contents, left out", kind]
    assert notes[1].first.endswith("gone")


KEY = '<m xmlns:manifest="x"><manifest:encryption-data/></m>'
RIGHTS = '<e><CipherReference URI="OEBPS/p0.xhtml"/></e>'
BOMB = '<!DOCTYPE html [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><html><p>&b;</p></html>'


@pytest.mark.parametrize(
    ("data", "name", "fault"),
    [
        (odt("", **{"META-INF/manifest.xml": KEY}), "a.odt", "is protected by a password"),
        (odt("<text:list>" * 100_000), "a.odt", "is not well-formed XML"),
        (epub("x", **{"META-INF/encryption.xml": RIGHTS}), "a.epub", "rights (DRM)"),
        (epub("", **{"OEBPS/p0.xhtml": BOMB}), "a.epub", "p0.xhtml line 1: declares entities"),
        (epub("<ul><li>" * 100_000), "a.epub", "has elements nested more than 256 deep"),
        (archive({"mimetype": "application/epub+zip"}), "a.epub", "has no member content.opf"),
    ],
)
def test_what_is_protected_or_unsafe_is_refused(refused, data, name, fault):
    assert fault in refused(data, name)


def test_items_of_lists_have_their_numbers(read):
    styles = """<text:list-style style:name="L1"><text:list-level-style-number text:level="1"
style:num-format="1" style:num-suffix="." text:start-value="4"/><text:list-level-style-number
text:level="2" style:num-format="a" style:num-prefix="(" style:num-suffix=")"
text:display-levels="2"/><text:list-level-style-bullet text:level="3"/></text:list-style>"""
    inner = "<text:list><text:list-item><text:p>c</text:p></text:list-item></text:list>"
    body = f"""{styles}<text:list text:style-name="L1"><text:list-item><text:p>a</text:p>
<text:p>b</text:p>{inner}</text:list-item><text:list-item text:start-value="9"><text:p>d</text:p>
</text:list-item></text:list><text:list text:style-name="L1" text:continue-numbering="true">
<text:list-item><text:p>e</text:p></text:list-item></text:list>
<text:list><text:list-item><text:p>f</text:p></text:list-item></text:list>"""
    document, _ = read(odt(body), "a.odt")
    assert [(block.level, block.label, block.text) for block in document.blocks] == [
        (1, "4.", "a"), (1, "\u00a0", "b"), (2, "(4.a)", "c"), (1, "9.", "d"), (1, "10.", "e"),
        (1, "", "f"),
    ]  # fmt: skip


def test_shapes_stand_after_their_paragraph(read):
    shape = """<draw:custom-shape><svg:title xmlns:svg="s">Arrow</svg:title><text:p>In it.</text:p>
</draw:custom-shape>"""
    frame = "<draw:frame><draw:text-box><text:p>Box.</text:p></draw:text-box></draw:frame>"
    body = f"""<text:p>The mill <draw:line><text:p/></draw:line>{shape}<draw:g>{frame}</draw:g>
stood here.</text:p>{frame}"""
    document, notes = read(odt(body), "a.odt")
    assert [block.text for block in document.blocks] == [
        "The mill stood here.",
        "In it.",
        "Box.",
        "Box.",
    ]
    assert not notes


def test_deletions_that_stand_in_the_text_are_accepted(read):
    """As in flat files of LibreOffice, which names them at their begins and ends."""
    regions = "".join(
        f'<text:changed-region text:id="{key}"><text:{kind}/></text:changed-region>'
        for key, kind in (("d", "deletion"), ("e", "deletion"), ("i", "insertion"))
    )
    begin, end = (
        '<text:change-start text:change-id="%s"/>',
        '<text:change-end text:change-id="%s"/>',
    )
    body = f"""<text:tracked-changes>{regions}</text:tracked-changes><text:p>It {begin % "d"}had
<text:s/><text:note><text:note-body><text:p>No.</text:p></text:note-body></text:note>{end % "d"}
{begin % "i"}rained{end % "i"}{begin % "e"}.</text:p><text:p>All.</text:p><text:p>{end % "e"} for
days.</text:p><text:p>He {begin % "d"}left.</text:p>"""
    document, notes = read(odt(body), "a.odt")
    assert [block.text for block in document.blocks] == ["It rained for days.", "He"]
    assert [(note.kind, note.count) for note in notes] == [("tracked changes, read as accepted", 3)]
    body = body.replace("It ", "").replace("rained", "")
    document, _ = read(odt(body), "a.odt")
    assert [block.text for block in document.blocks] == ["for days.", "He"]


def test_the_manifest_may_have_its_namespace_in_a_document_type(read):
    """As of OpenOffice.org 2 and of templates of LibreOffice."""
    manifest = """<!DOCTYPE manifest:manifest PUBLIC "-//OpenOffice.org//DTD Manifest 1.0//EN"
"Manifest.dtd"><manifest:manifest><manifest:file-entry manifest:full-path="/"/></manifest:manifest>
"""
    document, _ = read(odt("<text:p>One.</text:p>", **{"META-INF/manifest.xml": manifest}), "a.odt")
    assert [block.text for block in document.blocks] == ["One."]


def test_what_is_no_text_of_opendocument_is_left_out(read):
    hidden = '<text:variable-set text:display="none">7</text:variable-set>'
    hidden += """<l:content-control xmlns:l="l" l:showing-place-holder="true">Choose
</l:content-control>"""
    body = f"""<text:h text:outline-level="1"><text:number>1.</text:number>One</text:h><text:p>It
<text:script>alert(1)</text:script>{hidden}is <draw:frame><draw:object/></draw:frame>so.</text:p>"""
    head = "<style:header><text:p>A head</text:p></style:header>"
    styles = f"<office:document-styles {ODF}>{head}</office:document-styles>"
    document, notes = read(odt(body, **{"styles.xml": styles}), "a.odt")
    assert [block.text for block in document.blocks] == ["One", "It is so."]
    assert [note.kind for note in notes] == [
        "running heads and feet of documents, left out",
        "hidden text, left out",
        "embedded objects (formulas, tables), as codes and not as text",
    ]


def test_pages_of_books_in_other_formats_are_noted(read):
    package = """<package xmlns="http://www.idpf.org/2007/opf"><manifest>
<item id="a" href="p0.xhtml" media-type="application/xhtml+xml"/>
<item id="b" href="b.svg" media-type="image/svg+xml"/></manifest>
<spine><itemref idref="a"/><itemref idref="b"/></spine></package>"""
    document, notes = read(epub("<p>One.</p>", **{"OEBPS/book.opf": package}), "a.epub")
    assert [block.text for block in document.blocks] == ["One."]
    assert [(note.kind, note.first) for note in notes] == [
        ("pages of books that are no XHTML (pictures, DTBook), left out", "a.epub: OEBPS/b.svg")
    ]


def test_the_language_of_odt_is_that_of_the_script(read):
    properties = (
        'fo:language="en" fo:country="US" style:language-asian="ja" style:country-asian="JP" '
        'style:language-complex="hi" style:country-complex="IN"'
    )
    default = f"""<office:styles><style:default-style style:family="paragraph">
<style:text-properties {properties}/></style:default-style></office:styles>"""
    styles = f"<office:document-styles {ODF}>{default}</office:document-styles>"
    texts = ("It rained.", "雨が降った。", "बारिश हुई।", "ירד גשם.")
    made = [odt(f"<text:p>{text}</text:p>", **{"styles.xml": styles}) for text in texts]
    assert [read(data, "a.odt")[0].lang for data in made] == ["en-US", "ja-JP", "hi-IN", ""]
