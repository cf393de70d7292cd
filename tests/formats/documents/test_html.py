"""HTML pages as documents."""

import pytest

from bitext.formats.documents import document_format

PAGE = """<!DOCTYPE html>
<html lang="de"><head><title>Die  Mühle</title><style>p { color: red }</style></head><body>
<nav><a href="/">Start</a> <a href="/m">Mühlen</a></nav>
<h1>Die <i>Mühle</i></h1>
<p>Es regnete <b>neun Tage. Am</b> zehnten
 ging er.<br>Niemand kam.<br><br>Er war&shy;tete.</p>
<ul><li>Brot<li>Salz<p>und Mehl</p></ul>
<table><tr><td>1871</td><td>Wind</td></tr></table>
<b><p>Fett.</p><p>Auch fett.</p></b>
<p hidden>Unsichtbar.</p><script>alert("x")</script>
<aside role="doc-footnote">Eine Anmerkung.</aside>
lose</body></html>"""


def test_blocks_are_read_with_their_kinds(read):
    document, notes = read(PAGE, "a.html")
    assert (document.lang, document.title) == ("de", "Die Mühle")
    assert [(block.kind, block.level, block.text) for block in document.blocks] == [
        ("paragraph", 0, "Start Mühlen"),
        ("heading", 1, "Die Mühle"),
        ("paragraph", 0, "Es regnete neun Tage. Am zehnten ging er. Niemand kam."),
        ("paragraph", 0, "Er wartete."),
        ("item", 1, "Brot"),
        ("item", 1, "Salz"),
        ("item", 1, "und Mehl"),
        ("cell", 1, "1871"),
        ("cell", 2, "Wind"),
        ("paragraph", 0, "Fett."),
        ("paragraph", 0, "Auch fett."),
        ("note", 0, "Eine Anmerkung."),
        ("paragraph", 0, "lose"),
    ]
    assert [note.kind for note in notes] == ["hidden elements of pages, left out"]


def test_markup_in_a_block_becomes_codes(read):
    blocks = read(PAGE, "a.html")[0].blocks
    marked = 'Die <bpt i="1" type="italic">&lt;i&gt;</bpt>Mühle<ept i="1">&lt;/i&gt;</ept>'
    assert blocks[1].marked == marked
    assert blocks[2].marked.endswith('ging er.<ph type="lb">&lt;br/&gt;</ph> Niemand kam.')


def test_references_to_notes_are_codes(read):
    page = (
        '<html><p>Es regnete.<sup><a href="#n1">[1]</a></sup> Er ging.'
        '<a href="#n2"><sup>2</sup></a> H<sup>2</sup> <a href="#n3">3</a>'
        '<a role="doc-noteref" href="n.html"><sup>iv</sup></a> <sup><a href="#x">Wort</a></sup>'
    )
    block = read(page, "a.html")[0].blocks[0]
    assert block.text == "Es regnete. Er ging. H2 3 Wort"
    assert block.marked.count('<ph type="fnote">') == 3


def test_deleted_text_is_left_out_as_that_of_other_documents(read):
    page = "<html><p>Er kam <del>gestern</del><ins>heute</ins>.</p><del><p>Alt.</p></del>"
    assert [block.text for block in read(page, "a.html")[0].blocks] == ["Er kam heute."]


def test_controls_of_forms_with_text_are_noted(read):
    page = (
        "<html><p>Er kam. <button>Los</button><select><option>Ja</select><textarea> </textarea>"
        "<input value='Name'>"
    )
    document, notes = read(page, "a.html")
    assert [block.text for block in document.blocks] == ["Er kam."]
    assert [(note.kind, note.count) for note in notes] == [
        ("buttons and other controls of forms with text, left out", 2)
    ]


def test_the_main_text_is_read_without_what_is_around_it(read):
    blocks = read(PAGE, "a.html", main_text=True)[0].blocks
    assert blocks[0].text == "Die Mühle"
    page = (
        "<html><body><div>Menu</div><main><header>Kopf</header><p>Text.</p></main>Fuß</body></html>"
    )
    document, _ = read(page, "a.html", main_text=True)
    assert [block.text for block in document.blocks] == ["Kopf", "Text."]


@pytest.mark.parametrize(
    ("page", "text"),
    [
        (b'<html><meta charset="iso-8859-1"><p>\x93M\xfchle\x94', "“Mühle”"),
        (b'<html>\n<head><meta http-equiv=x content="text/html; charset=utf-8">\xc3\xa9', "é"),
        (b'<html><meta charset="iso-8859-1"><p>\x93M\xfchle\x94 \x9d', "“Mühle”"),
        (b'<html><meta charset="latin1"><p>' + "“Mühle” – été".encode(), "“Mühle” – été"),
        (b'<html><meta charset="shift_jis"><p>' + "①水車".encode("cp932"), "①水車"),
        (b'<html><meta charset="gb2312"><p>' + "水車嗎".encode("gbk"), "水車嗎"),
        ("\ufeff<html><p>é".encode("utf-16-le"), "é"),
        ("<html><p>水車\n小屋<ruby>漢<rt>かん</rt></ruby>字".encode(), "水車小屋漢字"),
    ],
)
def test_a_page_is_read_in_its_encoding(read, page, text):
    assert [block.text for block in read(page, "a.html")[0].blocks] == [text]


@pytest.mark.parametrize(
    ("page", "fault"),
    [
        (b"<html><p>M\xfchle", "line 1: has the byte 0xfc, which is not utf-8"),
        (
            b"<html>\n" * 900 + "<p>Έβρεχε όλη μέρα και το ποτάμι ανέβηκε πάνω".encode("cp1253"),
            "name the encoding of the file (as encoding='cp1253' for Greek)",
        ),
        (b'<html><meta charset="klingon"><p>x', "declares the encoding 'klingon'"),
        (b"<html>" + b"<ul><li>" * 100_000, "has elements nested more than 256 deep"),
    ],
)
def test_a_page_that_cannot_be_read_is_refused(refused, page, fault):
    assert fault in refused(page, "a.html")


def test_items_have_the_depth_of_their_lists(read):
    page = (
        "<ol role=doc-endnotes><li>n</ol><ul><li>a<ol><li>b</ol><li>c</ul><dl><dt>d<dd>e</dl><li>f"
    )
    blocks = read(page, "a.html")[0].blocks
    assert [(block.text, block.level) for block in blocks] == [
        ("n", 1), ("a", 1), ("b", 2), ("c", 1), ("d", 1), ("e", 1), ("f", 1),
    ]  # fmt: skip


def labels(document):
    return [(block.label, block.text) for block in document.blocks if block.kind == "item"]


def test_items_of_ordered_lists_have_their_numbers(read):
    page = (
        "<div><ol start=9><li><p>a<p>b<li>c<ol type=i><li>d<li value=4>e</ol>"
        "<li style='list-style: none'>f<li>g</ol></div>"
        "<ul><li>h</ul><ol reversed style='color:red; list-style-type:upper-latin'><li>i<li>j</ol>"
        "<ol style='list-style: square'><li>k</ol><ol start=-1><li>l<li>m</ol>"
    )
    document = read(page, "a.html")[0]
    assert labels(document) == [
        ("9.", "a"), ("\u00a0", "b"), ("10.", "c"), ("i.", "d"), ("iv.", "e"), ("", "f"),
        ("12.", "g"), ("", "h"), ("B.", "i"), ("A.", "j"), ("", "k"), ("-1.", "l"), ("0.", "m"),
    ]  # fmt: skip
    assert [block.level for block in document.blocks][:4] == [1, 1, 1, 2]  # not of the `div`


def test_items_of_markdown_have_their_numbers(read):
    document = read("3) a\n7) b\n   1. c\n\n   d\n- e\n", "a.md")[0]
    assert labels(document) == [("3)", "a"), ("4)", "b"), ("1.", "c"), ("\u00a0", "d"), ("", "e")]


def test_cells_have_their_columns_also_in_tables_within_tables(read):
    page = (
        "<table><caption>All</caption><tr><th>a<td colspan=2>b<td>c<tr><td><td>d"
        "<td><table><tr><td>e<td>f</table><td>g</table><p>h"
    )
    blocks = read(page, "a.html")[0].blocks
    assert [(block.text, block.level) for block in blocks if block.kind == "cell"] == [
        ("All", 0), ("a", 1), ("b", 2), ("c", 4), ("d", 2), ("e", 1), ("f", 2), ("g", 4),
    ]  # fmt: skip
    assert blocks[-1].level == 0


def test_pages_that_take_the_parser_long_are_refused(refused):
    """Attributes are compared with each other; comments before a page are read once."""
    attributes = "".join(f" a{k}='>' b{k}" for k in range(600))
    assert "more than 1,000 attributes" in refused(f"<html><p{attributes}>x</p>", "a.html")
    assert "no document" in refused("<!-- x -->" * 6000 + "x", "a.html")
    assert "declares the encoding 'utf7'" in refused("<html><meta charset=utf7><p>x", "a.html")


def test_parts_around_the_main_text_are_known_by_their_classes(read):
    """A class on most of the page says nothing, nor does the id of a heading, as `file-menu`."""
    main = "<p>It had rained for nine days, and nobody came to the mill.</p>" * 3
    page = (
        '<div class="page has-sidebar"><div class="site-nav">Home</div>'
        f'<div id="file-menu">{main}</div><div id="comments">First!</div></div>'
        '<div class="cookieConsent">We use cookies.</div>'
    )
    document, _ = read(f"<html><body>{page}</body></html>", "a.html", main_text=True)
    texts = {block.text for block in document.blocks}
    assert texts == {"It had rained for nine days, and nobody came to the mill."}
    assert len(read(f"<html><body>{page}", "a.html")[0].blocks) == 6


@pytest.mark.parametrize(
    "page",
    [
        "<!doctype html><meta charset=utf-8><title>T</title><main><p>One.</p>Two.</main>Three.",
        "<html><head><title>T</title><section>One.</section><article>Two.</article><p>Three.",
        "<!doctype html><title>T</title><x-a>One.</x-a><nav>Two.</nav><style>p{}</style><p>Three.",
    ],
)
def test_pages_may_lack_the_tags_of_their_head_and_body(read, page):
    document, _ = read(page, "a.html")
    assert [block.text for block in document.blocks] == ["One.", "Two.", "Three."]
    assert document.title == "T"


def test_running_heads_that_libreoffice_writes_are_left_out(read):
    page = '<div title="header"><p>Head</p></div><p title="header">It rained.</p>'
    document, notes = read(f'<html><body>{page}<div title="footer">7</div></body></html>', "a.html")
    assert [block.text for block in document.blocks] == ["It rained."]
    assert [(note.kind, note.count) for note in notes] == [
        ("running heads and feet of documents, left out", 2)
    ]


def test_page_numbers_and_licences_of_editions_are_left_out(read):
    page = (
        '<html xmlns:epub="http://www.idpf.org/2007/ops"><section class="pg-boilerplate">'
        "<p>This eBook is for anyone.</p></section><p>Er ging zum "
        '<span class="pagenum"><a id="Page_5">[Pg 5]</a></span>Müh<span epub:type="pagebreak" '
        'title="6">6</span>lrad.<a role="doc-pagebreak"></a></p><div class="pageno">xii</div>'
        '<p class="pagenum">Ein Satz.</p>'
    )
    document, notes = read(page, "a.html")
    assert [block.text for block in document.blocks] == ["Er ging zum Mühlrad.", "Ein Satz."]
    assert [(note.kind, note.count) for note in notes] == [
        ("licence and header of Project Gutenberg, left out", 1),
        ("page numbers of an edition, left out", 3),
    ]


def test_empty_lines_of_preformatted_text_end_paragraphs(read):
    page = "<pre>It <b>rained.\nHe left.\n \n\nThen</b> she came.</pre><p>One.\n\nTwo.</p>"
    document, _ = read(page, "a.html")
    texts = ["It rained. He left.", "Then she came.", "One. Two."]
    assert [block.text for block in document.blocks] == texts


def test_links_that_edit_a_section_of_a_wiki_are_left_out(read):
    link = '<span class="mw-editsection">[<a href="/edit">edit</a>]</span>'
    document, notes = read(f"<html><body><h2>History{link}</h2><p>Old.</p>", "a.html")
    assert [block.text for block in document.blocks] == ["History", "Old."]
    assert [note.kind for note in notes] == ["links of a wiki that edit a section, left out"]


def test_links_back_to_references_formulas_and_deleted_text_are_no_text(read):
    page = """<!doctype html><p>Let <math><mi>x</mi>
<annotation>\\mathit{x}</annotation></math> be <del>a</del>one.</p>
<ol><li>A note. <a href="#r1">↩︎</a></li></ol>"""
    document, notes = read(page, "a.html")
    assert [block.text for block in document.blocks] == ["Let be one.", "A note."]
    formula = '<ph type="x-math">&lt;math&gt;x&lt;/math&gt; </ph>'  # with the blank behind it
    assert document.blocks[0].marked == f"Let {formula}be one."
    assert [note.kind for note in notes] == [
        "formulas, as codes and not as text",
        "deleted text (del), left out",
    ]


def test_quotations_have_the_marks_that_browsers_show(read):
    page = "<!doctype html><p>She said <q>go <q>now</q>, or</q> left.<p>“<q>So</q>”, <q>„So“</q>"
    document, notes = read(f"{page}, l’<q>ami</q>.<q></q>", "a.html")
    assert [block.text for block in document.blocks] == [
        "She said “go ‘now’, or” left.",
        "“So”, „So“, l’“ami”.",
    ]
    (note,) = notes
    assert (note.kind, note.count) == ("quotations (q), read with the quotation marks “ ”", 3)
    document, notes = read("<!doctype html><q><p>It rained.</p><p>He left.</p></q>", "a.html")
    assert ([block.text for block in document.blocks], notes) == (["It rained.", "He left."], ())


def test_a_part_of_a_page_may_begin_with_its_characters(read):
    document, notes = read("One <b>word</b>.<br><br>Two &amp; three.", "a.html")
    assert [block.text for block in document.blocks] == ["One word.", "Two & three."]
    assert not notes
    assert document_format(b"One.<br>Two.", "a.txt") is None
    assert document_format(b"One < two, and <a> is a tag.", "a.html") is None


def test_hidden_notes_that_are_shown_on_demand_are_read(read):
    page = """<!doctype html><p>One.</p><aside role="doc-footnote" hidden>A note.</aside>
<p hidden>No.</p><dialog>Never.</dialog><dialog open>Two eﬃcient.</dialog>"""
    document, notes = read(page, "a.html")
    assert [(block.kind, block.text) for block in document.blocks] == [
        ("paragraph", "One."),
        ("note", "A note."),
        ("paragraph", "Two eﬃcient."),
    ]
    assert [(note.kind, note.count) for note in notes] == [
        ("hidden elements of pages, left out", 2),
        ("ligatures (ﬁ), kept as they are: replace them", 1),
    ]


WORD = """<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><meta charset=utf-8></head>
<body lang=EN-GB><p class=MsoListParagraph style='text-indent:-18.0pt;mso-list:l0 level2 lfo1'>
<![if !supportLists]><span style='mso-list:Ignore'>a)<span>&nbsp; </span></span><![endif]>Rain.
<o:p></o:p></p><p style='mso-list:l1 level1 lfo2'><span style='mso-list:
Ignore'>o<span>&nbsp;</span></span>Snow.</p><p>It rained.<a href="#_ftn1" name="_ftnref1"><span
class=MsoFootnoteReference>[1]</span></a> He left.<span style='display:none;mso-hide:all'>x</span>
<span style='mso-hide:all'>gone</span></p><div style='mso-element:footnote-list'><hr><div
style='mso-element:footnote' id=ftn1><p><a href="#_ftnref1" name="_ftn1">[1]</a> A note.</p></div>
</div></body></html>"""


def test_pages_of_word_are_read_as_documents_of_word(read):
    document, notes = read(WORD, "a.htm")
    assert document.lang == "EN-GB"
    assert [(b.kind, b.level, b.label, b.text) for b in document.blocks] == [
        ("item", 2, "a)", "Rain."),
        ("item", 1, "", "Snow."),
        ("paragraph", 0, "", "It rained. He left."),
        ("note", 0, "", "A note."),
    ]
    assert [(note.kind, note.count) for note in notes] == [
        ("hidden elements of pages, left out", 2)
    ]


@pytest.mark.parametrize(
    ("reference", "note"),
    [
        # LibreOffice, Google Docs, InDesign
        (
            '<a name="sdfootnote1anc" href="#sdfootnote1sym"><sup>1</sup></a>',
            '<a name="sdfootnote1sym" href="#sdfootnote1anc">1</a>A note.',
        ),
        (
            '<sup><a href="#ftnt1" id="ftnt_ref1">[1]</a></sup>',
            '<a href="#ftnt_ref1" id="ftnt1">[1]</a><span>&nbsp;A note.</span>',
        ),
        ('<span id="note-1-back"><a href="c.xhtml#footnote-1">1</a></span>', "A note."),
        ('<a href="c.xhtml#n1"><span class="super">1</span></a>', "A note."),
    ],
)
def test_links_between_notes_and_their_references_are_codes(read, reference, note):
    page = f"<p>It rained{reference}.</p><div id=sdfootnote1><p>{note}</p></div>"
    document, _ = read(page, "a.html")
    assert [(b.kind, b.text) for b in document.blocks] == [
        ("paragraph", "It rained."),
        ("note", "A note."),
    ]


def test_other_links_of_numbers_are_text(read):
    page = '<p>See note <a href="#note12">12</a> and <a id="x" href="#fig3">3</a>.</p>'
    assert read(page, "a.html")[0].blocks[0].text == "See note 12 and 3."
    for name in ("keynote", "supplement", "support-link"):
        page = f'<p>See page <a href="#p3" class="{name}">3</a>.</p>'
        assert read(page, "a.html")[0].blocks[0].text == "See page 3."


def test_parts_of_pages_named_as_documents_of_word_are_pages(read):
    document, notes = read("<p>It rained.</p><p>He left.</p>", "a.doc")
    assert [block.text for block in document.blocks] == ["It rained.", "He left."]
    assert notes == ()


def test_web_archives_named_as_pages_are_web_archives(read):
    head = "MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=x\r\n\r\n--x\r\n"
    page = f"{head}Content-Type: text/html\r\n\r\n<p>It rained.</p>\r\n--x--\r\n"
    assert [block.text for block in read(page, "a.htm")[0].blocks] == ["It rained."]


@pytest.mark.parametrize(
    ("picture", "text"),
    [
        ('<img src="s.png" alt="S"/>omeone came.', "Someone came."),
        ('<span class="dropcap"><img src="s.png" alt="“S"/></span>omeone came.', "“Someone came."),
        ('<img src="s.png" alt="S"/> is a letter.', "is a letter."),
        ('<img src="s.png" alt="A mill"/>omeone came.', "omeone came."),
        ('<img src="s.png" alt="S"/>OMEONE came.', "SOMEONE came."),
        ('<img src="icon.png" alt="f"/>Share', "Share"),
        ('<img src="icon.png" alt="i"/>more', "more"),
    ],
)
def test_pictures_of_initials_are_letters(read, picture, text):
    assert read(f"<p>{picture}</p>", "a.html")[0].blocks[0].text == text


def test_comments_in_pages_of_word_are_left_out(read):
    page = """<p>It rained<span style='mso-special-character:comment'><a href="#_msocom_1"
name="_msoanchor_1">[A1]</a></span>.</p><div style='mso-element:comment-list'><div
style='mso-element:comment'><p>My comment</p></div></div>"""
    document, notes = read(page, "a.html")
    assert [block.text for block in document.blocks] == ["It rained."]
    assert [(note.kind, note.count) for note in notes] == [("comments, left out", 1)]
