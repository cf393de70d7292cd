"""Bilingual tables in Word: written, edited by others, and read back."""

import io
import re
import zipfile
from copy import deepcopy

import docx as python_docx
import pytest
from docx.oxml import parse_xml

from bitext import Alignment, Bitext, Text
from bitext.errors import FormatError, InputError
from bitext.formats.columns import Columns
from bitext.formats.io.compression import Limits
from bitext.formats.registry import ReadOptions, WriteOptions, by_name
from formats.book_samples import sides
from formats.document_samples import W, archive, docx, paragraph
from formats.samples import assert_same, opened, positions

BOLD = '<bpt i="1" type="bold">&lt;b&gt;</bpt>He<ept i="1">&lt;/b&gt;</ept> came.'
LINK = (
    '<bpt i="1" type="link">&lt;a href="x"&gt;</bpt>Il<ept i="1">&lt;/a&gt;</ept> vint'
    '<ph type="fnote">&lt;note id="2"/&gt;</ph>.'
)
PAIRS = [((0,), (0, 1)), ((1, 2), (2,)), ((3,), ()), ((), (3,)), ((4,), (4,))]
SOURCE = Text(
    ["He came.", "It rained.", "He left.", " a\tb\nc\r ", ""],
    lang="en",
    marked=[BOLD, *[None] * 4],
)
TARGET = Text(
    ["Il vint.", "À pied.", "Il plut & il partit <tôt>.", "Rien.", "  "],
    lang="fr-CA",
    marked=[LINK, *[None] * 4],
)
BOOK = Bitext(SOURCE, TARGET, Alignment(PAIRS), name="The Ferry")


def written(*bitexts):
    out = io.BytesIO()
    by_name("docx").write(bitexts, out, options=WriteOptions())
    return out.getvalue()


def read_all(content, notes=None, *, columns=None, head=None, limits=None, **options):
    with opened(content, "a.docx", limits=limits) as source:
        given = ReadOptions(columns=Columns.of(columns, head), **options)
        found = list(by_name("docx").read(source, given))
        if notes is not None:
            notes += [note.kind for bitext in found for note in bitext.notes]
            notes += [note.kind for note in source.notes.all()]
        return found


def read(content, notes=None, **options):
    (bitext,) = read_all(content, notes, **options)
    return bitext


def test_segments_of_trados_are_bisegments():
    hidden = "<w:vanish/>"

    def segment(src, tgt):
        marks = [(mark, hidden) for mark in ("{0&gt;", "&lt;}95{&gt;", "&lt;0}")]
        return (marks[0], (src, hidden), marks[1], (tgt, "<w:b/>"), marks[2])

    body = paragraph(*segment("It rained.", "Il plut."), " ", *segment("He left.", ""))
    body += paragraph("1871") + paragraph(("{0&gt;", hidden), "Lost")
    body += f"<w:tbl><w:tr><w:tc>{paragraph(*segment('A', 'B'))}</w:tc></w:tr></w:tbl>"
    inner = paragraph(*segment("At nine.", "À neuf heures."))
    footnote = f'<w:footnote w:id="2">{inner}</w:footnote>'
    notes = []
    bt = read(docx(body, notes=footnote), notes)
    assert bt.pairs() == [
        (["It rained."], ["Il plut."]), (["He left."], []), (["A"], ["B"]),
        (["At nine."], ["À neuf heures."]),
    ]  # fmt: skip
    assert bt.alignment.attributes == {"match": ["95"] * 4}
    assert {kind.split(",")[0] for kind in notes} == {
        "documents with segments of Trados ({0>...<}100{>...<0})",
        "marks of Trados that form no segment",
        "paragraphs with text outside of segments",
    }


def test_comments_are_noted():
    row = f"<w:tc>{paragraph('It rained.')}</w:tc><w:tc>{paragraph('Il plut.')}</w:tc>"
    links = """<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
<Relationship Id="r1" Type="x/comments" Target="comments.xml"/></Relationships>"""
    members = {"word/_rels/document.xml.rels": links, "word/comments.xml": f'<w:x xmlns:w="{W}"/>'}
    notes = []
    content = docx(f"<w:tbl><w:tr>{row}</w:tr></w:tbl>", **members)
    assert read(content, notes).pairs() == [(["It rained."], ["Il plut."])]
    assert "comments, left out" in notes


def test_emoji_of_word_are_characters_of_cells():
    emoji = """<w:r><mc:AlternateContent xmlns:mc="mc"><mc:Choice Requires="w16se"><e:symEx
xmlns:e="e" e:char="1F60A"/></mc:Choice><mc:Fallback><w:t>x</w:t></mc:Fallback>
</mc:AlternateContent></w:r>"""
    cells = [paragraph("It rained. ", emoji), paragraph("Il plut.")]
    row = "".join(f"<w:tc>{cell}</w:tc>" for cell in cells)
    assert read(docx(f"<w:tbl><w:tr>{row}</w:tr></w:tbl>"), []).pairs() == [
        (["It rained. 😊"], ["Il plut."])
    ]


def field(kind, menu="", properties=""):
    character = f'<w:fldChar w:fldCharType="{kind}">{menu}</w:fldChar>'
    return f"<w:r><w:rPr>{properties}</w:rPr>{character}</w:r>"


def alternatives(choice, fallback):
    inner = f"<mc:Choice>{choice}</mc:Choice><mc:Fallback>{fallback}</mc:Fallback>"
    return f'<w:r><mc:AlternateContent xmlns:mc="mc">{inner}</mc:AlternateContent></w:r>'


RUBY = (
    "<w:r><w:ruby><w:rt><w:r><w:t>とう</w:t></w:r></w:rt>"
    "<w:rubyBase><w:r><w:t>東</w:t></w:r></w:rubyBase></w:ruby></w:r>"
)
MENU = (
    '<w:ffData><w:ddList><w:result w:val="1"/><w:listEntry w:val="Mr"/><w:listEntry w:val="Ms"/>'
    "</w:ddList></w:ffData>"
)
BOX = f"<w:txbxContent>{paragraph('Aside')}</w:txbxContent>"
IMAGE = '<ph type="image">&lt;img/&gt;</ph>'
FORMULA = '<m:oMath xmlns:m="m"><m:r><m:t>x</m:t></m:r></m:oMath>'


@pytest.mark.parametrize(
    ("run", "text", "xml", "note"),
    [
        (RUBY, "東", '東<ph type="x-ruby">&lt;rt&gt;とう&lt;/rt&gt;</ph>', ""),
        (f"{field('begin', MENU)}{field('separate')}<w:r><w:t>Mr</w:t></w:r>{field('end')}",
         "Ms", None, ""),
        (field("begin") + field("end", properties="<w:vanish/>"), "", None, "hidden text"),
        (alternatives("<w:drawing/>", "<w:pict/>"), "", IMAGE, ""),
        (alternatives(f"<w:drawing>{BOX}</w:drawing>", "<w:pict/>"), "", IMAGE, "text boxes"),
        (alternatives("<w:new/>", "<w:t>old</w:t>"), "old", None, ""),
        ('<w:r><w:sym w:font="Wingdings" w:char="F0E0"/></w:r>', "",
         '<ph type="x-sym">&lt;sym char="F0E0"/&gt;</ph>', "symbols of fonts"),
        (FORMULA, "", '<ph type="x-math">&lt;math&gt;x&lt;/math&gt;</ph>', "formulas"),
    ],
)  # fmt: skip
def test_cells_have_the_characters_that_running_text_has(run, text, xml, note):
    notes = []
    made = table(("A", "B")).replace(paragraph("A"), paragraph("Go: ", run, " it."))
    got = read(docx(made), notes)
    assert got.pairs() == [([f"Go: {text} it."], ["B"])]
    assert (got.src.marked or [None]) == [xml and f"Go: {xml} it."]
    kinds = {kind.split(",")[0] for kind in notes if "Word (" not in kind}
    assert [kind.startswith(note) for kind in kinds] == ([True] if note else [])


def test_fields_go_on_in_the_next_paragraph_of_a_cell():
    code = "<w:r><w:instrText> HYPERLINK {}</w:instrText></w:r>"
    link = code.format('"x"') + field("separate")
    cells = [
        paragraph(field("begin"), "<w:r><w:t>data</w:t></w:r>") + paragraph("more")
        + paragraph(field("end"), "He came."),
        paragraph(field("begin"), link, "Il") + paragraph("vint", field("end"), "."),
        paragraph("Last", field("begin"), "lost"),
    ]  # fmt: skip
    rows = ((cells[0], cells[1]), (cells[2], paragraph("Fin")))
    body = "".join(f"<w:tr><w:tc>{src}</w:tc><w:tc>{tgt}</w:tc></w:tr>" for src, tgt in rows)
    notes = []
    got = read(docx(f"<w:tbl>{body}</w:tbl>"), notes)
    assert got.pairs() == [(["He came."], ["Il", "vint."]), (["Last"], ["Fin"])]
    link = '<bpt i="1" type="link">&lt;a href="x"&gt;</bpt>{}<ept i="1">&lt;/a&gt;</ept>{}'
    assert got.tgt.marked[:2] == [link.format("Il", ""), link.format("vint", ".")]
    assert "fields without an end, whose text is left out" in notes


def test_a_drop_cap_begins_the_next_paragraph_of_a_cell():
    frame = '<w:framePr w:dropCap="drop" w:lines="3"/>'
    src = paragraph("O", properties=frame) + paragraph("nce it rained.")
    row = f"<w:tr><w:tc>{src}</w:tc><w:tc>{paragraph('Il plut.')}</w:tc></w:tr>"
    assert read(docx(f"<w:tbl>{row}</w:tbl>"), []).pairs() == [(["Once it rained."], ["Il plut."])]


def test_controls_around_cells_are_read_except_for_their_prompts():
    control = "<w:sdt><w:sdtPr>{}</w:sdtPr><w:sdtContent>{}</w:sdtContent></w:sdt>".format
    block = "<w:docPartObj><w:docPartGallery w:val='Quick Parts'/></w:docPartObj>"
    src = control("<w:showingPlcHdr/>", paragraph("Click here")) + paragraph("It rained.")
    row = f"<w:tr><w:tc>{src}</w:tc><w:tc>{paragraph('Il plut.')}</w:tc></w:tr>"
    got = read(docx(control(block, f"<w:tbl>{row}</w:tbl>")), [])
    assert got.pairs() == [(["It rained."], ["Il plut."])]


def test_other_columns_have_blanks_between_lines_and_no_removed_text():
    moved = "<w:moveFrom><w:r><w:t>gone</w:t></w:r></w:moveFrom>"
    note = paragraph("seen", "<w:r><w:tab/></w:r>", RUBY, "<w:r><w:br/></w:r>", "in")
    note += paragraph(moved, "May")
    made = table(("Source", "Target", "Note"), ("It rained.", "Il plut.", "?"))
    got = read(docx(made.replace(paragraph("?"), note)))
    assert got.alignment.attributes == {"Note": ["seen 東 in May"]}


def test_styles_may_hide_text():
    mark = '<w:style w:type="character" w:styleId="m"><w:name w:val="m"/><w:rPr><w:vanish/></w:rPr>'
    styles = f'<w:styles xmlns:w="{W}">{mark}</w:style></w:styles>'
    cells = [paragraph(("secret", '<w:rStyle w:val="m"/>'), "It rained."), paragraph("Il plut.")]
    row = "".join(f"<w:tc>{cell}</w:tc>" for cell in cells)
    notes = []
    content = docx(f"<w:tbl><w:tr>{row}</w:tr></w:tbl>", **{"word/styles.xml": styles})
    assert read(content, notes).pairs() == [(["It rained."], ["Il plut."])]
    assert "hidden text, left out" in notes


def xpath(document, path):
    return document.element.body.xpath(path)


def remove(document, path):
    for element in xpath(document, path):
        element.getparent().remove(element)


@pytest.fixture
def edited():
    """Let python-docx open a document, do something, and save it; return what is read then."""

    def edited(change, content=None, notes=None):
        document = python_docx.Document(io.BytesIO(written(BOOK) if content is None else content))
        change(document)
        out = io.BytesIO()
        document.save(out)
        return read(out.getvalue(), notes)

    return edited


def test_all_that_a_table_holds_comes_back():
    got = read(written(BOOK))
    assert_same(got, BOOK)
    assert positions(got) == [([*src], [*tgt]) for src, tgt in PAIRS]
    assert (got.src.lang, got.tgt.lang, got.name) == ("en", "fr-CA", "The Ferry")
    assert list(got.src.marked) == [BOLD, *[None] * 4]
    assert list(got.tgt.marked) == [LINK, *[None] * 4]


@pytest.mark.parametrize(
    ("xml", "back"),
    [
        ('<hi type="b">a</hi> b', None),
        ('<bpt i="7" x="2">{</bpt>a<ept i="7">}</ept>', None),
        ('a<ph type="lb">&lt;br/&gt;</ph> b', None),
        ('a<ph type="lb">&lt;br/&gt;</ph>b', None),
        ('<it pos="end"/>a <it pos="begin" type="x">&lt;q&gt;</it>b', None),
        ('<bpt i="1" type="italic">&lt;em&gt;</bpt>a<ept i="1">&lt;/em&gt;</ept>', None),
        ('<ph>&lt;img alt="<sub>a dog</sub>"/&gt;</ph>', None),
        ('a <it pos="begin">&lt;b&gt;</it>b<it pos="end">&lt;/b&gt;</it> c', None),
        ('a <bpt i="1" type="bold">&lt;b&gt;</bpt><ept i="1">&lt;/b&gt;</ept>b', None),
        (  # half of a pair goes to the end of its segment, and numbers begin at 1
            'a <it pos="begin" type="bold">&lt;b&gt;</it>b',
            'a <bpt i="1" type="bold">&lt;b&gt;</bpt>b<ept i="1">&lt;/b&gt;</ept>',
        ),
        (
            'a<it pos="end">&lt;/i&gt;</it> b',
            '<bpt i="1" type="italic">&lt;i&gt;</bpt>a<ept i="1">&lt;/i&gt;</ept> b',
        ),
        (
            '<bpt i="4" type="x-sup">&lt;sup&gt;</bpt>a<ept i="4">&lt;/sup&gt;</ept>',
            '<bpt i="1" type="x-sup">&lt;sup&gt;</bpt>a<ept i="1">&lt;/sup&gt;</ept>',
        ),
    ],
)
def test_codes_come_back_as_they_were_or_as_formatting(xml, back):
    text = re.sub("<[^>]*>|a dog", "", re.sub(r"<(bpt|ept|it|ph)\b[^>]*(?<!/)>.*?</\1>", "", xml))
    made = Bitext(Text([text], marked=[xml]), Text(["x"]), Alignment([((0,), (0,))]))
    got = read(written(made))
    assert list(got.src.segments()) == [text]
    assert got.src.marked[0] == (back or xml)


def test_each_document_pair_is_a_table_below_its_name():
    other = Bitext(Text(["Two."]), Text(["Deux."]), Alignment([((0,), (0,))]))
    content = written(BOOK, other)
    names = [(bitext.name, len(bitext.alignment)) for bitext in read_all(content)]
    assert names == [("The Ferry", 5), ("2", 1)]
    document = python_docx.Document(io.BytesIO(content))
    assert [(p.text, p.style.name) for p in document.paragraphs[:2]] == [
        ("The Ferry", "Heading 1"),
        ("2", "Heading 1"),
    ]


def test_document_pairs_may_differ_in_regions_but_not_in_languages():
    def pair(lang):
        return Bitext(Text(["a"], lang="en"), Text(["b"], lang=lang), Alignment([((0,), (0,))]))

    found = read_all(written(pair("fr-CA"), pair("fr"), pair("")))
    assert [each.tgt.lang for each in found] == ["fr-CA", "fr", "fr-CA"]
    with pytest.raises(InputError, match=r"docx has the same two languages in all rows, but"):
        written(pair("fr-CA"), pair("de"))


def test_peers_see_a_table_with_a_head_on_each_page():
    document = python_docx.Document(io.BytesIO(written(BOOK)))
    table = document.tables[0]
    assert [cell.text for cell in table.rows[0].cells] == ["#", "English (en)", "French (fr-CA)"]
    assert xpath(document, "//w:tr[1]/w:trPr/w:tblHeader")
    assert [cell.text for cell in table.rows[2].cells] == [
        "2",
        "It rained.\nHe left.",
        "Il plut & il partit <tôt>.",
    ]
    bold = table.rows[1].cells[1].paragraphs[0].runs[0]
    assert (bold.text, bold.bold) == ("He", True)
    assert table.style.name == "Bitext Table"


def test_bytes_depend_on_the_contents_only():
    assert written(BOOK) == written(BOOK)


def test_direction_and_fonts_are_those_of_the_languages():
    def made(src, tgt):
        texts = (Text(["1"], lang=src), Text(["2"], lang=tgt))
        with zipfile.ZipFile(
            io.BytesIO(written(Bitext(*texts, Alignment([((0,), (0,))]))))
        ) as zipped:
            return zipped.read("word/styles.xml").decode(), zipped.read(
                "word/document.xml"
            ).decode()

    styles, document = made("ja", "ar")
    assert 'w:hint="eastAsia"/><w:lang w:eastAsia="ja-JP"/>' in styles
    assert '<w:rtl/><w:lang w:bidi="ar-SA"/>' in styles
    assert '<w:pStyle w:val="BitextTarget"/><w:bidi/></w:pPr><w:r><w:rPr><w:rtl/>' in document
    assert "bidiVisual" not in document
    assert "bidiVisual" in made("he", "fa")[1]


# Edited in Word.


def test_a_translator_edits_adds_and_deletes_rows(edited):
    def change(document):
        table = document.tables[0]
        table.rows[1].cells[2].paragraphs[1].runs[0].text = "En bateau."
        table.rows[4].cells[1].text = "Nothing."
        remove(document, "//w:tr[4]")
        cells = table.add_row().cells
        cells[1].text, cells[2].text = "More", "Plus"
        cells[2].paragraphs[0].runs[0].italic = True

    got = edited(change)
    assert sides(got) == [
        ("He came.", "Il vint. / En bateau."),
        ("It rained. / He left.", "Il plut & il partit <tôt>."),
        ("Nothing.", "Rien."),
        ("", "  "),
        ("More", "Plus"),
    ]
    assert (
        got.tgt.marked[-1]
        == '<bpt i="1" type="italic">&lt;i&gt;</bpt>Plus<ept i="1">&lt;/i&gt;</ept>'
    )


@pytest.mark.parametrize(
    ("label", "xml"),
    [
        ("‹link 1›go‹/link 1›", '<bpt i="1" type="link">&lt;a href="x"&gt;</bpt>go<ept i="1">'),
        ("‹fnote 2/›x", '<ph type="fnote">&lt;note id="2"/&gt;</ph>x'),
        ("‹/link 1›x", '<it pos="end">&lt;/a&gt;</it>x'),
        ("‹link 1›x", '<it pos="begin" type="link">&lt;a href="x"&gt;</it>x'),
        ("‹1›a‹/1›‹1›b‹/1›", 'a<ept i="1">&lt;/a&gt;</ept><bpt i="2"'),
        ("‹99/›", "<ph>‹99/›</ph>"),
    ],
)
def test_labels_are_copied_into_other_cells(label, xml, edited):
    def change(document):
        run = document.tables[0].rows[5].cells[2].paragraphs[0].runs[0]
        run.text, run.style = label, "Bitext Code"

    notes = []
    assert xml in edited(change, notes=notes).tgt.marked[-1]
    assert bool(notes) == ("99" in label)


def test_tracked_changes_are_taken_as_accepted(edited):
    def change(document):
        (text,) = xpath(document, "//w:tr[3]/w:tc[3]/w:p")
        remove(document, "//w:tr[3]/w:tc[3]//w:r")
        for name, inner in (("del", "<w:delText>old</w:delText>"), ("ins", "<w:t>new</w:t>")):
            text.append(
                parse_xml(f'<w:{name} xmlns:w="{W}" w:id="1"><w:r>{inner}</w:r></w:{name}>')
            )
        xpath(document, "//w:tr[4]/w:trPr")[0].append(parse_xml(f'<w:del xmlns:w="{W}" w:id="2"/>'))

    notes = []
    got = edited(change, notes=notes)
    assert sides(got)[1:3] == [("It rained. / He left.", "new"), ("", "Rien.")]
    assert notes == ["tracked changes, read as accepted"] * len(notes) != []


@pytest.mark.parametrize("left", ["property", "title", "style"])
def test_one_mark_is_enough_to_know_our_table_again(left, edited):
    """Other programs drop some of the marks as they save a document."""

    def change(document):
        if left != "title":
            remove(document, "//w:tblCaption")
        if left != "style":
            remove(document, "//w:tblStyle")

    content = written(BOOK)
    if left != "property":
        with zipfile.ZipFile(io.BytesIO(content)) as zipped:
            members = {name: zipped.read(name) for name in zipped.namelist()}
        members["docProps/custom.xml"] = members["docProps/custom.xml"].replace(b"bitext", b"x")
        content = archive(members)
    assert_same(edited(change, content), BOOK)


def test_a_divided_table_is_read_as_one(edited):
    def change(document):
        (table,) = xpath(document, "//w:tbl")
        rows = xpath(document, "//w:tr")
        second = parse_xml(f'<w:tbl xmlns:w="{W}"/>')
        table.addnext(second)
        second.addprevious(parse_xml(f'<w:p xmlns:w="{W}"/>'))
        second.append(deepcopy(table.tblPr))
        for row in rows[3:]:
            second.append(row)

    assert_same(edited(change), BOOK)


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (lambda table: table.rows[2].cells[1].merge(table.rows[2].cells[2]), "row 3 has 2 cells"),
        (lambda table: table.rows[2].cells[0].merge(table.rows[2].cells[2]), "row 3 has one cell"),
        (lambda table: table.rows[1].cells[2].merge(table.rows[2].cells[2]), "row 3 has a cell th"),
        (lambda table: table.rows[1].cells[2].add_table(1, 2), "row 2 has a table in a cell"),
    ],
)
def test_rows_that_were_merged_are_refused_by_their_number(change, fault, edited):
    with pytest.raises(FormatError, match=rf"a\.docx: table {fault}"):
        edited(lambda document: change(document.tables[0]))


# Tables by others.


def table(*rows, repeat=False):
    head = "<w:trPr><w:tblHeader/></w:trPr>" if repeat else ""
    made = "".join(
        f"<w:tr>{head if not k else ''}"
        + "".join(f"<w:tc>{paragraph(cell)}</w:tc>" for cell in row)
        + "</w:tr>"
        for k, row in enumerate(rows)
    )
    return f"<w:tbl>{made}</w:tbl>"


def test_a_table_in_two_columns_is_an_alignment():
    notes = []
    got = read(docx(table(("It rained. ", "Il plut."), ("He left.", "Il partit."))), notes)
    assert sides(got) == [("It rained.", "Il plut."), ("He left.", "Il partit.")]
    assert (
        "bilingual tables in documents of Word (name other columns with columns='src=2,tgt=3')"
        in notes
    )


def test_the_head_of_a_table_names_languages_and_columns():
    rows = (
        ("ID", "Segment status", "Source segment", "Target segment"),
        ("1", "Translated (100%)", "It rained.", "Il plut."),
        ("2", "Draft", "He left.", ""),
        ("3", "Draft (75%)", "He came.", "Il vint."),
        ("4", "Seen", "He sat.", "Il s'assit."),
    )
    notes = []
    got = read(docx(table(*rows)), notes)
    assert sides(got)[1:] == [("He left.", ""), ("He came.", ""), ("He sat.", "Il s'assit.")]
    states = ["translated", "needs-translation", "needs-translation", "Seen"]
    assert got.alignment.attributes["state"] == states
    assert got.alignment.attributes["draft"] == [None, None, "Il vint.", None]
    assert len([note for note in notes if note.startswith("targets that are not transl")]) == 1
    assert len([note for note in notes if note.startswith("states of unknown meaning")]) == 1
    got = read(docx(table(*rows)), drafts=True)
    assert sides(got)[2] == ("He came.", "Il vint.")
    got = read(docx(table(("", "German", "English"), ("", "Es regnet.", "It rains."))))
    assert (got.src.lang, got.tgt.lang) == ("de", "en")
    assert sides(got) == [("Es regnet.", "It rains.")]
    got = read(docx(table(("Quelle", "Ziel"), ("Ja.", "Yes."), repeat=True)))
    assert sides(got) == [("Ja.", "Yes.")]


def test_a_title_above_the_head_of_a_table_is_left_out():
    notes = []
    rows = [("ID", "English", "French"), ("1", "It rained.", "Il plut.")]
    got = read(docx(table(("A project", "", ""), *rows)), notes)
    assert sides(got) == [("It rained.", "Il plut.")]
    assert "rows before a table, left out" in notes
    got = read(docx(table(("A title", ""), ("It rained.", "Il plut."))))
    assert sides(got) == [("A title", ""), ("It rained.", "Il plut.")]


def test_the_user_names_the_columns():
    content = docx(paragraph("Much text outside. " * 9) + table(("a", "Note", "b"), ("c", "", "d")))
    assert sides(read(content, columns="src=3,tgt=1", head=False)) == [("b", "a"), ("d", "c")]
    with pytest.raises(
        FormatError, match=r"171 characters outside of its table, and 8 in it.*src=1"
    ):
        read(content)


def test_tables_with_as_many_columns_are_read_one_after_another():
    notes = []
    body = table(("Project", "X", "Y", "Z")) + table(("a", "b"), ("c", "d")) + table(("e", "f"))
    got = read(docx(body + paragraph("End.")), notes)
    assert sides(got) == [("a", "b"), ("c", "d"), ("e", "f")]
    assert {note.partition(" (")[0] for note in notes} == {
        "tables with another number of columns than 2, left out",
        "paragraphs outside of the table, left out",
        "bilingual tables in documents of Word",
    }


def test_a_longer_table_about_the_file_does_not_hide_one_with_two_languages():
    about = table(("Job:", "a.docx"), ("Source:", "en"), ("Target:", "de"), ("Due:", "May"))
    job = table(("ID", "English", "German"), ("1", "It rained all day.", "Es regnete lange."))
    got = read(docx(about + job))
    assert sides(got) == [("It rained all day.", "Es regnete lange.")]
    about = table(("Source", "Target", "Due"), ("English", "German", "May"))
    got = read(docx(about + table(*[("It rained all day.", "Es regnete lange.")] * 3)))
    assert len(sides(got)) == 3


def test_each_table_may_have_its_header_and_another_one_is_refused():
    first = table(("EN", "DE"), ("Open", "Auf"))
    got = read(docx(first + table(("EN", "DE"), ("Close", "Zu"), ("Stop", "Halt"))))
    assert sides(got) == [("Open", "Auf"), ("Close", "Zu"), ("Stop", "Halt")]
    assert (got.src.lang, got.tgt.lang) == ("EN", "DE")
    body = docx(
        first + table(("DE", "EN"), ("Zu", "Close")) + table(("EN", "DE"), ("Stop", "Halt"))
    )
    fault = r"table 2 row 1 has another header than the first table \('DE \| EN' and 'EN \| DE'\)"
    with pytest.raises(FormatError, match=fault):
        read(body)
    bad = []
    with opened(body, "a.docx") as source:
        source.on_bad = bad.append
        (got,) = by_name("docx").read(source, ReadOptions())
    assert sides(got) == [("Open", "Auf"), ("Stop", "Halt")]
    assert len(bad) == 1


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        (paragraph("It rained."), "without a table: align it with its translation"),
        (table(("It rained.",), ("He left.",)), "whose table has one column"),
        (table(("a", "b"), ("c", "d"), ("Chapter",)), "table row 3 has one cell"),
    ],
)
def test_other_documents_are_refused(body, fault):
    with pytest.raises(FormatError, match=fault):
        read(docx(body))


def test_bad_rows_are_left_out_on_demand():
    bad = []
    with opened(docx(table(("a", "b"), ("c",), ("d", "e"))), "a.docx") as source:
        source.on_bad = bad.append
        (got,) = by_name("docx").read(source, ReadOptions())
    assert sides(got) == [("a", "b"), ("d", "e")]
    assert len(bad) == 1


def test_hostile_documents_are_refused():
    bomb = docx(table((" " * 2_000_000 + "a", "b")))
    with pytest.raises(FormatError, match="unfolds to more than"):
        read(bomb, limits=Limits(ratio=1, size=1 << 20))
    main = f'<!DOCTYPE a [<!ENTITY a "b">]><w:document xmlns:w="{W}"><w:body/></w:document>'
    with pytest.raises(FormatError, match="declares entities"):
        read(docx("", **{"word/document.xml": main}))
    with pytest.raises(FormatError, match="outside of the archive"):
        read(docx("", **{"../a": ""}))
    with pytest.raises(FormatError, match="no document of Word"):
        read(archive({"word/a.xml": ""}))


def test_a_name_that_cannot_be_written_is_refused():
    made = Bitext(Text(["a"]), Text(["b"]), Alignment([((0,), (0,))]), name="a\x01")
    with pytest.raises(InputError, match="has a character that XML forbids"):
        written(made)
