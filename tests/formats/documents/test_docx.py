"""Documents of Word."""

import re
import struct

import pytest

from bitext.formats.io.compression import Limits
from formats.document_samples import W, archive, docx, odt, paragraph

BODY = "".join(
    [
        paragraph("Contents", style="TOC1"),
        paragraph("The ", ("Mill", "<w:i/>"), style="Mine"),
        paragraph(
            "It rained ",
            ("nine", "<w:b/>"),
            (" days.", '<w:b w:val="0"/>'),
            ("secret", "<w:vanish/>"),
        ),
        paragraph('<w:r><w:footnoteReference w:id="2"/></w:r>', "He left."),
        paragraph(
            "<w:del><w:r><w:delText>old</w:delText></w:r></w:del>"
            "<w:ins><w:r><w:t>new</w:t></w:r></w:ins>"
        ),
        paragraph("Bread", properties='<w:numPr><w:ilvl w:val="1"/><w:numId w:val="3"/></w:numPr>'),
        f"<w:tbl><w:tr><w:tc>{paragraph('1871')}</w:tc></w:tr></w:tbl>",
        paragraph('<w:hyperlink r:id="r1"><w:r><w:t>there</w:t></w:r></w:hyperlink>'),
        paragraph(
            '<w:r><w:fldChar w:fldCharType="begin"/><w:instrText>DATE</w:instrText><w:t>x</w:t>'
            '<w:fldChar w:fldCharType="separate"/><w:t>May</w:t><w:fldChar w:fldCharType="end"/>'
            "</w:r>"
        ),
        paragraph("a<w:tab/>b".replace("<w:tab/>", "</w:t><w:br/><w:t>")),
    ]
)
NOTES = f"""<w:footnote w:id="0" w:type="separator">{paragraph("-")}</w:footnote>
<w:footnote w:id="2">{paragraph("A note.")}</w:footnote>"""


def test_blocks_are_read_with_their_kinds(read):
    document, notes = read(docx(BODY, notes=NOTES), "a.docx")
    assert document.lang == "en-GB"
    assert [(block.kind, block.level, block.text) for block in document.blocks] == [
        ("heading", 1, "The Mill"),
        ("paragraph", 0, "It rained nine days."),
        ("paragraph", 0, "He left."),
        ("paragraph", 0, "new"),
        ("item", 2, "Bread"),
        ("cell", 1, "1871"),
        ("paragraph", 0, "there"),
        ("paragraph", 0, "May"),
        ("paragraph", 0, "a b"),
        ("note", 0, "A note."),
    ]
    assert document.blocks[-1].label == "2"
    assert {note.kind for note in notes} == {
        "tables of contents, left out",
        "hidden text, left out",
        "tracked changes, read as accepted",
    }


def test_runs_become_codes(read):
    blocks = read(docx(BODY), "a")[0].blocks
    assert blocks[1].marked == (
        'It rained <bpt i="1" type="bold">&lt;b&gt;</bpt>nine<ept i="1">&lt;/b&gt;</ept> days.'
    )
    assert blocks[2].marked.startswith('<ph type="fnote">&lt;note id="2"/&gt;</ph>He')
    assert '&lt;a href="http://example.org/a?b&amp;amp;c"&gt;' in blocks[6].marked


STYLES = f"""<w:styles xmlns:w="{W}"><w:style w:type="character" w:styleId="Mark">
<w:name w:val="Mark"/><w:rPr><w:vanish/></w:rPr></w:style><w:style w:type="character"
w:styleId="Sub"><w:name w:val="Sub"/><w:basedOn w:val="Mark"/></w:style><w:style
w:type="paragraph" w:styleId="Gone"><w:name w:val="Gone"/><w:rPr><w:vanish/></w:rPr></w:style>
</w:styles>"""


def test_characters_of_private_use_are_noted(read):
    document, notes = read(docx(paragraph("It \uf0fc rained \uf061.")), "a")
    assert document.blocks[0].text == "It \uf0fc rained \uf061."
    [note] = notes
    assert (note.count, note.first) == (2, "a: U+F0FC")
    assert note.kind.startswith("characters of private use")


def test_symbols_are_characters_where_these_are_known(read):
    symbols = (("Symbol", "F061"), ("Arial", "2192"), ("Symbol", "F03D"), ("Wingdings", "F0E0"))
    runs = "".join(f'<w:r><w:sym w:font="{f}" w:char="{c}"/></w:r>' for f, c in symbols)
    document, notes = read(docx(paragraph("An angle ", runs, "!")), "a.docx")
    assert document.blocks[0].text == "An angle α→=!"
    assert [note.kind for note in notes] == [
        "symbols of fonts (Wingdings), whose characters are not known, as codes"
    ]


def test_styles_may_hide_text(read):
    body = paragraph(
        "It rained",
        ("{0>", '<w:rStyle w:val="Sub"/>'),
        (".", '<w:rStyle w:val="Sub"/><w:vanish w:val="0"/>'),
    ) + paragraph("secret", style="Gone")
    document, notes = read(docx(body, **{"word/styles.xml": STYLES}), "a")
    assert [block.text for block in document.blocks] == ["It rained."]
    assert [(note.kind, note.count) for note in notes] == [("hidden text, left out", 2)]


def test_macros_and_running_heads_are_told(read):
    more = {"word/vbaProject.bin": b"x", "word/header1.xml": "<x/>"}
    _, notes = read(docx(paragraph("One."), **more), "a.docm")
    assert {note.kind for note in notes} == {
        "documents with macros, which are not read",
        "running heads and feet of documents, left out",
    }


def with_password(data):
    """Set the bit of encryption of each member."""
    for mark, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        parts = data.split(mark)
        for k in range(1, len(parts)):
            flags = struct.unpack_from("<H", parts[k], at - 4)[0] | 1
            parts[k] = parts[k][: at - 4] + struct.pack("<H", flags) + parts[k][at - 2 :]
        data = mark.join(parts)
    return data


WORKBOOK = '<x><Relationship Type="x/officeDocument" Target="xl/a.xml"/></x>'
ENTITY = '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><x>&e;</x>'


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (with_password(docx("")), "is protected by a password"),
        (docx("", **{"../../etc/x": "x"}), "has a member named '../../etc/x', a path outside"),
        (docx("<w:p>"), "word/document.xml line 1: is not well-formed XML"),
        (docx("<w:tbl>" * 100_000), "elements are nested more than 256 deep"),
        (docx("", **{"word/document.xml": ENTITY}), "declares an external entity"),
        (docx("")[:-30], "is a damaged ZIP archive: get the whole file anew"),
        (archive({"word/x.xml": "<x/>"}), "has no member word/document.xml"),
        (archive({"_rels/.rels": WORKBOOK, "xl/a.xml": "<workbook/>"}), "is a table of Excel by"),
    ],
)
def test_a_document_that_is_not_safe_or_whole_is_refused(refused, data, fault):
    assert fault in refused(data, "a.docx")


def test_a_document_that_unfolds_beyond_the_limits_is_refused(refused):
    bomb = docx("", **{"word/document.xml": b"<x>" + b" " * 200_000})
    fault = refused(bomb, "a.docx", limits=Limits(size=100_000, ratio=20))
    assert "its member word/document.xml unfolds to more than" in fault


def test_paragraphs_whose_mark_is_deleted_go_on(read):
    gone = '<w:rPr><w:del w:id="1"/></w:rPr>'
    removed = "<w:del><w:r><w:delText>Old.</w:delText></w:r></w:del>"
    body = [
        paragraph("It rained ", properties=gone),
        paragraph("for days."),
        paragraph(removed, properties=gone),
        paragraph("The Mill", style="H1"),
        paragraph("Last.", properties=gone),
        f"<w:tbl><w:tr><w:tc>{paragraph('1871')}</w:tc></w:tr></w:tbl>",
    ]
    document, notes = read(docx("".join(body)), "a.docx")
    assert [(block.kind, block.text) for block in document.blocks] == [
        ("paragraph", "It rained for days."),
        ("heading", "The Mill"),
        ("paragraph", "Last."),
        ("cell", "1871"),
    ]
    assert {note.kind for note in notes} == {"tracked changes, read as accepted"}


def test_a_drop_cap_begins_the_paragraph_after_it(read):
    frame = '<w:framePr w:dropCap="drop" w:lines="3"/>'
    borders = '<w:bookmarkStart w:id="1" w:name="a"/><w:bookmarkEnd w:id="1"/>'
    deleted = '<w:rPr><w:del w:id="1"/></w:rPr>'
    body = [
        paragraph("O", properties=frame),
        paragraph("nce it rained.", properties=deleted),
        borders,
        paragraph(" He left."),
        paragraph("I", properties='<w:framePr w:dropCap="none"/>'),
        paragraph("Two."),
    ]
    document, _ = read(docx("".join(body)), "a.docx")
    assert [block.text for block in document.blocks] == ["Once it rained. He left.", "I", "Two."]


def mark(kind, properties=""):
    return f'<w:r><w:rPr>{properties}</w:rPr><w:fldChar w:fldCharType="{kind}"/></w:r>'


def field(code, *result, hides_end=""):
    if not code.startswith("<"):
        code = f"<w:r><w:instrText>{code}</w:instrText></w:r>"
    shown = "".join(f"<w:r><w:t>{text}</w:t></w:r>" if text[0] != "<" else text for text in result)
    return mark("begin") + code + mark("separate") + shown + mark("end", hides_end)


def test_fields_are_read_by_their_results(read):
    made = [
        field(r" TOC \o 1 ", "Contents", field("PAGEREF a", "3"), "4"),
        field(field("PAGE", "7"), "First"),  # a field within an instruction
        field("REF b", "Second", hides_end="<w:vanish/>"),
    ]
    document, notes = read(docx("".join(map(paragraph, made))), "a.docx")
    assert [block.text for block in document.blocks] == ["First", "Second"]
    told = {"tables of contents, left out", "hidden text, left out"}
    assert {note.kind for note in notes} == told
    document, notes = read(docx(paragraph("One.", mark("begin"), "Two.")), "a.docx")
    assert [block.text for block in document.blocks] == ["One."]
    assert [note.kind for note in notes] == ["fields without an end, whose text is left out"]


def test_insertions_are_noted_as_tracked_changes(read):
    document, notes = read(docx(paragraph("a", "<w:ins><w:r><w:t>b</w:t></w:r></w:ins>")), "a")
    assert document.blocks[0].text == "ab"
    assert [note.kind for note in notes] == ["tracked changes, read as accepted"]


def test_the_choice_of_a_list_in_a_form_is_text(read):
    menu = "".join(f'<w:listEntry w:val="{each}"/>' for each in ("Mr", "Mrs"))
    field = (
        '<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:ddList>{}'
        f"{menu}</w:ddList></w:ffData></w:fldChar><w:instrText> FORMDROPDOWN </w:instrText>"
        '<w:fldChar w:fldCharType="separate"/><w:t>{}</w:t><w:fldChar w:fldCharType="end"/></w:r>'
    )
    chosen = field.format('<w:result w:val="1"/>', "Mrs"), field.format("", "")
    body = "".join(paragraph("Dear ", each, " Mill.") for each in chosen)
    document, notes = read(docx(body), "a")
    assert [block.text for block in document.blocks] == ["Dear Mrs Mill.", "Dear Mr Mill."]
    assert notes == ()


def test_notes_whose_references_are_deleted_are_left_out(read):
    reference = '<w:r><w:footnoteReference w:id="{}"/></w:r>'.format
    body = paragraph("One", reference(2), f"<w:del>{reference(3)}</w:del>") + paragraph(
        f"<w:moveFrom>{reference(4)}</w:moveFrom>", f"<w:moveTo>{reference(4)}</w:moveTo>"
    )
    notes = "".join(
        f'<w:footnote w:id="{number}">{paragraph(f"Note {number}.")}</w:footnote>'
        for number in (2, 3, 4)
    )
    document, _ = read(docx(body, notes=notes), "a")
    texts = [(block.kind, block.text) for block in document.blocks]
    assert texts == [("paragraph", "One"), ("note", "Note 2."), ("note", "Note 4.")]


def test_diagrams_are_told(read):
    drawing = '<a:graphicData xmlns:a="x" uri="http://purl.oclc.org/ooxml/drawingml/diagram"/>'
    made = docx(paragraph("One.", f"<w:r><w:drawing>{drawing}</w:drawing></w:r>"))
    document, notes = read(made, "a.dotx")
    assert [block.text for block in document.blocks] == ["One."]
    assert [note.kind for note in notes] == ["diagrams (SmartArt) and charts, left out"]


def test_emoji_of_word_are_characters(read):
    choice = '<w16se:symEx xmlns:w16se="s" w16se:font="Segoe UI Emoji" w16se:char="1F60A"/>'
    run = f"""<w:r><mc:AlternateContent xmlns:mc="mc"><mc:Choice Requires="w16se">{choice}
</mc:Choice><mc:Fallback><w:t>😊</w:t></mc:Fallback></mc:AlternateContent></w:r>"""
    document, notes = read(docx(paragraph("Come", run, ".")), "a.docx")
    assert [block.text for block in document.blocks] == ["Come😊."]
    assert not notes


def test_double_strokes_strike_text_out(read):
    body = [paragraph("A ", ("b", f"{more}<w:dstrike/>"), " c.") for more in ("", "<w:strike/>")]
    document, _ = read(docx("".join(body)), "a.docx")
    strike = '<bpt i="1" type="x-strike">&lt;s&gt;</bpt>b<ept i="1">&lt;/s&gt;</ept>'
    assert [block.marked for block in document.blocks] == [f"A {strike} c."] * 2


def test_the_first_known_alternative_is_read(read):
    choices = '<mc:Choice Requires="z"><z:new xmlns:z="z"/></mc:Choice>'
    known = "<mc:Choice><w:t>two</w:t></mc:Choice><mc:Choice><w:t>three</w:t></mc:Choice>"
    fallback = "<mc:Fallback><w:t>four</w:t></mc:Fallback>"
    runs = [
        f'<w:r><mc:AlternateContent xmlns:mc="mc">{each}{fallback}</mc:AlternateContent></w:r>'
        for each in (choices, choices + known, "")
    ]
    document, _ = read(docx("".join(map(paragraph, runs))), "a.docx")
    assert [block.text for block in document.blocks] == ["four", "two", "four"]


def test_formulas_objects_and_subdocuments_are_noted(read):
    formula = '<m:oMath xmlns:m="m"><m:r><m:t>x=2</m:t></m:r></m:oMath>'
    simple = '<w:fldSimple w:instr=" TOC \\o "><w:r><w:t>One 3</w:t></w:r></w:fldSimple>'
    more = paragraph(simple, "Two.") + '<w:subDoc r:id="r5"/>'
    document, notes = read(
        docx(paragraph("Let ", formula, " hold.", "<w:r><w:object/></w:r>") + more), "a.docx"
    )
    assert [block.text for block in document.blocks] == ["Let hold.", "Two."]
    assert [note.kind for note in notes] == [
        "formulas, as codes and not as text",
        "embedded objects (formulas, tables), as codes and not as text",
        "tables of contents, left out",
        "subdocuments of a master document, not read: give each of them",
    ]


def test_readings_of_ruby_stand_after_their_characters(read):
    ruby = """<w:r><w:ruby><w:rubyPr/><w:rt><w:r><w:t>とう</w:t></w:r></w:rt><w:rubyBase><w:r>
<w:t>東</w:t></w:r></w:rubyBase></w:ruby></w:r>"""
    same = """<text:ruby><text:ruby-base>東</text:ruby-base><text:ruby-text>とう</text:ruby-text>
</text:ruby>"""
    for data, name in (
        (docx(paragraph(ruby, "京。")), "a.docx"),
        (odt(f"<text:p>{same}京。</text:p>"), "a.odt"),
    ):
        (block,) = read(data, name)[0].blocks
        assert block.text == "東京。"
        assert block.marked == '東<ph type="x-ruby">&lt;rt&gt;とう&lt;/rt&gt;</ph>京。'


def test_paragraphs_without_a_style_have_the_default_one(read):
    styles = f"""<w:styles xmlns:w="{W}"><w:style w:type="paragraph" w:default="1"
w:styleId="Standard"><w:name w:val="Normal"/><w:rPr><w:lang w:val="de-DE"/></w:rPr></w:style>
</w:styles>"""
    document, _ = read(docx(paragraph("Guten Tag."), **{"word/styles.xml": styles}), "a.docx")
    assert document.lang == "de-DE"


def _level(depth, kind, text, start=1):
    return (
        f'<w:lvl w:ilvl="{depth}"><w:start w:val="{start}"/><w:numFmt w:val="{kind}"/>'
        f'<w:lvlText w:val="{text}"/></w:lvl>'
    )


PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"
NUMBERING = f"""<w:numbering xmlns:w="{W}"><w:abstractNum w:abstractNumId="0">
{_level(0, "upperRoman", "%1.", 3)}{_level(1, "lowerLetter", "%1.%2)", 26)}
{_level(2, "bullet", "o")}{_level(3, "chineseCounting", "%4")}
{_level(4, "decimal", "%5" * 31)}</w:abstractNum>
<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>
<w:num w:numId="2"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0">
<w:startOverride w:val="9"/></w:lvlOverride></w:num></w:numbering>"""


def test_items_have_their_numbers(read):
    places = [
        (1, 0),
        (1, 1),
        (1, 1),
        (1, 2),
        (1, 0),
        (1, 1),
        (2, 0),
        (2, 0),
        (1, 3),
        (7, 0),
        (1, 4),
    ]
    body = "".join(
        paragraph(
            f"{number}",
            properties=f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{number}"/></w:numPr>',
        )
        for number, level in places
    )
    links = f"""<Relationships xmlns="{PACKAGE}"><Relationship Id="r9" Type="x/numbering"
Target="numbering.xml"/></Relationships>"""
    more = {"word/numbering.xml": NUMBERING, "word/_rels/document.xml.rels": links}
    document, _ = read(docx(body, **more), "a.docx")
    assert [(block.kind, block.label) for block in document.blocks] == [
        ("item", label)
        for label in ("III.", "III.z)", "III.aa)", "", "IV.", "IV.z)", "IX.", "X.", "", "", "")
    ]


FIELD_OF_LINK = field(r' HYPERLINK "http://a.org/" \l "b" \o "Tip"', "there")
SIMPLE_LINK = (
    "<w:fldSimple w:instr=' HYPERLINK \\l \"c\" '><w:r><w:t>here</w:t></w:r></w:fldSimple>"
)


def test_fields_of_links_are_links(read):
    (block,) = read(docx(paragraph("Go ", FIELD_OF_LINK, " or ", SIMPLE_LINK, ".")), "a")[0].blocks
    assert block.marked == (
        'Go <bpt i="1" type="link">&lt;a href="http://a.org/#b"&gt;</bpt>there<ept i="1">'
        '&lt;/a&gt;</ept> or <bpt i="2" type="link">&lt;a href="#c"&gt;</bpt>here<ept i="2">'
        "&lt;/a&gt;</ept>."
    )


def test_links_may_be_to_a_place_of_their_target(read):
    link = '<w:hyperlink r:id="r1" w:anchor="d"><w:r><w:t>there</w:t></w:r></w:hyperlink>'
    (block,) = read(docx(paragraph("Go ", link)), "a")[0].blocks
    assert 'href="http://example.org/a?b&amp;amp;c#d"' in block.marked


def test_a_table_of_contents_may_end_in_its_last_entry(read):
    begin, end = field(" TOC ", "Contents", "9").split(mark("end"))[0], mark("end")
    entry = paragraph(field("PAGEREF a", "3"), "<w:r><w:t>Last</w:t></w:r>", end, style="TOC1")
    document, notes = read(docx(paragraph(begin) + entry + paragraph("It rained.")), "a")
    assert [block.text for block in document.blocks] == ["It rained."]
    assert [note.kind for note in notes] == ["tables of contents, left out"]


def test_styles_of_characters_are_codes(read):
    def style(name, properties, based=""):
        based = f'<w:basedOn w:val="{based}"/>' if based else ""
        return (
            f'<w:style w:type="character" w:styleId="{name}"><w:name w:val="{name}"/>{based}'
            f"<w:rPr>{properties}</w:rPr></w:style>"
        )

    made = style("Strong", "<w:b/>") + style("Loud", "<w:b/><w:i/>")
    made += style("Louder", '<w:i w:val="0"/>', "Loud")
    styles = {"word/styles.xml": f'<w:styles xmlns:w="{W}">{made}</w:styles>'}
    named = [f'<w:rStyle w:val="{name}"/>' for name in ("Strong", "Loud", "Louder")]
    runs = [(f"{k}", name) for k, name in enumerate(named)]
    runs.append(("3", f'{named[2]}<w:b w:val="0"/>'))
    (block,) = read(docx(paragraph(*runs), **styles), "a")[0].blocks
    begins = re.findall(r"&lt;(\w+)&gt;</bpt>", block.marked)
    assert (block.text, begins) == ("0123", ["strong", "b", "i"])
    assert block.marked.endswith("</ept>3")


def test_the_language_is_that_of_the_script(read):
    given = '<w:lang w:val="en-US" w:eastAsia="{}" w:bidi="{}"/>'
    texts = (
        "It rained.",
        "下雨了。他走了。",
        "هطل المطر طوال اليوم.",
        "ירד גשם כל היום.",
        "ฝนตกทั้งวัน",
    )
    langs = []
    for asian, other in (("zh-CN", "ar-SA"), ("en-US", "he-IL")):
        defaults = f"<w:rPrDefault><w:rPr>{given.format(asian, other)}</w:rPr></w:rPrDefault>"
        made = f'<w:styles xmlns:w="{W}"><w:docDefaults>{defaults}</w:docDefaults></w:styles>'
        styles = {"word/styles.xml": made}
        langs.append([read(docx(paragraph(text), **styles), "a")[0].lang for text in texts])
    assert langs == [["en-US", "zh-CN", "ar-SA", "", ""], ["en-US", "", "", "he-IL", ""]]
    run = ("下雨了。", '<w:lang w:val="zh-TW"/>')  # as some programs declare it
    assert read(docx(paragraph(run), **styles), "a")[0].lang == "zh-TW"


def test_notes_come_in_the_order_of_their_references(read):
    own = '<w:r><w:footnoteReference w:customMarkFollows="1" w:id="2"/><w:t>*</w:t></w:r>'
    body = paragraph("One", '<w:r><w:footnoteReference w:id="3"/></w:r>', " two", own, ".")
    notes = "".join(
        f'<w:footnote w:id="{number}">{paragraph(f"Note {number}.")}</w:footnote>'
        for number in (1, 2, 3)
    )
    blocks = read(docx(body, notes=notes), "a")[0].blocks
    assert [block.text for block in blocks] == ["One two.", "Note 3.", "Note 2.", "Note 1."]


def test_deleted_rows_and_cells_are_left_out(read):
    gone = f"<w:tc><w:tcPr><w:cellDel/></w:tcPr>{paragraph('Old')}</w:tc>"
    cell = f"<w:tc>{paragraph('New')}</w:tc>"
    rows = f"<w:tr>{gone}{cell}</w:tr><w:tr><w:trPr><w:del/></w:trPr>{cell}</w:tr>"
    document, notes = read(docx(f"<w:tbl>{rows}</w:tbl>"), "a")
    assert [(block.text, block.level) for block in document.blocks] == [("New", 1)]
    assert [(note.kind, note.count) for note in notes] == [("tracked changes, read as accepted", 2)]


def test_hyphens_that_do_not_break_are_characters_in_each_format(read):
    for data, name in (
        (docx(paragraph("<w:r><w:t>e</w:t><w:noBreakHyphen/><w:t>mail</w:t></w:r>")), "a.docx"),
        (odt("<text:p>e\u2011mail</text:p>"), "a.odt"),
        (r"{\rtf1 e\_mail\par}", "a.rtf"),
    ):
        assert read(data, name)[0].blocks[0].text == "e\u2011mail"


def test_letters_of_the_font_symbol_are_known(read):
    runs = "".join(
        f'<w:r><w:sym w:font="Symbol" w:char="F0{c}"/></w:r>' for c in ("AE", "B7", "A3")
    )
    document, notes = read(docx(paragraph(runs)), "a")
    assert (document.blocks[0].text, notes) == ("→•≤", ())


def test_footnotes_and_endnotes_have_names_of_their_own(read):
    more = f"""<Relationships xmlns="{PACKAGE}"><Relationship Id="r2" Type="x/footnotes"
Target="footnotes.xml"/><Relationship Id="r3" Type="x/endnotes" Target="endnotes.xml"/>
</Relationships>"""
    reference = '<w:r><w:{}Reference w:id="2"/></w:r>'.format
    body = paragraph("One", reference("footnote"), reference("endnote"), ".")
    kinds = ("footnote", "endnote")
    foot, end = (f'<w:{kind} w:id="2">{paragraph(kind)}</w:{kind}>' for kind in kinds)
    members = {
        "word/endnotes.xml": f'<w:endnotes xmlns:w="{W}">{end}</w:endnotes>',
        "word/_rels/document.xml.rels": more,
    }
    blocks = read(docx(body, notes=foot, **members), "a")[0].blocks
    names = re.findall(r"note id=\"(\w+)\"", blocks[0].marked)
    assert names == [block.label for block in blocks[1:]] == ["2", "e2"]
    assert [block.text for block in blocks[1:]] == ["footnote", "endnote"]


def test_characters_with_a_reading_in_a_field_are_text(read):
    ruby, fraction = r"EQ \o\ad(\s\up 9(とう),東)", r" EQ \f(1,2) "
    made = [mark("begin") + f"<w:r><w:instrText>{each}</w:instrText></w:r>" + mark("end")
            for each in (ruby, fraction)]  # fmt: skip
    rich = r"{{\field{{\*\fldinst {}}}{{\fldrslt }}}}".format
    in_rtf = [
        rich(each.replace("\\", "\\\\")) for each in (r"EQ \o\ad(\s\up 9(to),EAST)", fraction)
    ]
    in_rtf[0] = in_rtf[0].replace("EAST", r"\u26481?")
    empty = [field(each) for each in (ruby, fraction)]  # with a mark for the result, and none
    for data, name in (
        (docx(paragraph(made[0], "A", made[1], ".")), "a.docx"),
        (docx(paragraph(empty[0], "A", empty[1], ".")), "a.docx"),
        (docx(paragraph(field(ruby, "東"), "A", made[1], ".")), "a.docx"),
        (rf"{{\rtf1 {in_rtf[0]}A{in_rtf[1]}.\par}}", "a.rtf"),
    ):
        document, notes = read(data, name)
        assert document.blocks[0].text == "東A."
        assert [(note.kind, note.count) for note in notes] == [
            ("formulas, as codes and not as text", 1)
        ]
