"""Texts in Markdown, RTF and USFM."""

import pytest

MARKDOWN = """---
title: "The Mill"
lang: en-GB
---
# The *Mill*

It rained **nine days. On** the
tenth he [left](http://x.y).\\
She stayed.

- Bread
  - Salt

| Year | Wind |
| --- | --- |
| 1871 | hard |

    code

> Who is `there`?
"""


def test_markdown_is_read_with_its_kinds(read):
    document, notes = read(MARKDOWN, "a.md")
    assert (document.lang, document.title) == ("en-GB", "The Mill")
    assert [(block.kind, block.level, block.text) for block in document.blocks] == [
        ("heading", 1, "The Mill"),
        ("paragraph", 0, "It rained nine days. On the tenth he left. She stayed."),
        ("item", 1, "Bread"),
        ("item", 2, "Salt"),
        ("cell", 1, "Year"),
        ("cell", 2, "Wind"),
        ("cell", 1, "1871"),
        ("cell", 2, "hard"),
        ("paragraph", 0, "Who is there?"),
    ]
    assert [note.kind for note in notes] == ["blocks of code in Markdown, left out"]
    codes = document.blocks[1].marked
    assert '<bpt i="1" type="bold">**</bpt>nine days. On<ept i="1">**</ept> the' in codes
    assert '<ept i="2">](http://x.y)</ept>.<ph type="lb">\\</ph> She' in codes


def test_divisions_of_markdown_are_left_out_with_their_lines(read):
    document, notes = read("One.\n::: {.note}\nTwo: three.\n:::\nFour :::\n", "a.md")
    assert [block.text for block in document.blocks] == ["One.", "Two: three.", "Four :::"]
    assert [(note.kind, note.count) for note in notes] == [
        ("lines that begin or end divisions (:::) of Markdown, left out", 2)
    ]


RTF = rb"""{\rtf1\ansi\ansicpg1252\deff0\deflang1031{\fonttbl{\f0 Times;}{\f1\fcharset204 A;}}
{\stylesheet{\s0 Normal;}{\s1\outlinelevel0 berschrift;}{\s2 heading 2;}}
{\info{\title T}}{\header Kopf\par}
\pard\s1 Die {\i M\'fchle}\par
\pard\plain Es regnete \b neun\b0  Tage.{\footnote Eine Notiz.} Dann \u8222?gut\u8220?.
 {\v geheim}\par
\pard{\pntext 1.\tab}\ls1 Brot\par
\pard\intbl 1871\cell Wind\cell\row
\pard\s2\f1\lang1049 \'cc\'ee\par
\pard\f0{\field{\*\fldinst{HYPERLINK "http://x.y"}}{\fldrslt dort}} \u-10179?\u-8704?\line neu}"""


def test_rtf_is_read_with_its_kinds(read):
    document, notes = read(RTF, "a")
    assert document.lang == "de"
    assert [(block.kind, block.level, block.text) for block in document.blocks] == [
        ("heading", 1, "Die Mühle"),
        ("paragraph", 0, "Es regnete neun Tage. Dann „gut“."),
        ("item", 1, "Brot"),
        ("cell", 0, "1871"),
        ("cell", 0, "Wind"),
        ("heading", 2, "Мо"),
        ("paragraph", 0, "dort 😀 neu"),
        ("note", 0, "Eine Notiz."),
    ]
    assert [note.kind for note in notes] == ["hidden text, left out"]
    assert document.blocks[0].marked.startswith('Die <bpt i="1" type="italic">&lt;i&gt;</bpt>M')
    assert document.blocks[6].marked.startswith('<bpt i="1" type="link">&lt;a href="http://x.y"')


def test_the_choice_of_a_list_in_a_form_of_rtf_is_text(read):
    field = (
        r"{\field{\*\fldinst { FORMDROPDOWN }{\*\formfield{\fftype2\ffres%d{\*\ffname D}"
        r"{\*\ffdefres0}{\*\ffl Herr}{\*\ffl Fr\u228?ulein}}}}{\fldrslt %s}}"
    )
    text = rf"{{\rtf1\ansi Dear {field % (1, 'x')} Mill, \par dear {field % (25, '')} Mill.}}"
    document, notes = read(text, "a.rtf")
    assert [block.text for block in document.blocks] == ["Dear Fräulein Mill,", "dear Herr Mill."]
    assert notes == ()


def test_shapes_of_rtf_are_their_text_alone(read):
    shape = rb"""{\shp{\*\shpinst\shpleft10{\sp{\sn shapeType}{\sv 202}}
{\shptxt\pard\plain In it.\par}}{\shprslt{\*\do\dobxcolumn{\dptxbxtext\pard In it.\par}}}}"""
    old = rb"{\*\do\dobxcolumn{\dptxbxtext\pard Old.\par}}"
    more = rb"{\*\annotation\pard No.\par}{\mmath{\*\moMath{\mr x}}}{\object{\result No.}}"
    cap = rb"{\pard\dropcapli3 T\par}\pard he "
    document, notes = read(
        rb"{\rtf1\pard\intbl A\cell\row" + cap + shape + rb"mill" + old + rb"\column stood."
        rb"\par End" + more + shape + rb".}", "a"
    )  # fmt: skip
    assert [(block.kind, block.text) for block in document.blocks] == [
        ("cell", "A"),
        ("paragraph", "The mill stood."),
        ("paragraph", "In it."),
        ("paragraph", "Old."),
        ("paragraph", "End."),
        ("paragraph", "In it."),
    ]
    assert [note.kind for note in notes] == [
        "comments, left out",
        "formulas, as codes and not as text",
        "embedded objects (formulas, tables), as codes and not as text",
    ]


USFM = r"""\id RUT - a test
\h Ruth
\toc1 The Book
\mt1 Ruth
\c 1
\s1 The famine
\p
\v 1 In the days of \nd the judges\nd* there was a famine.\f + \fr 1:1 \ft A note.\f*
\q1 A man went.
\v 2-3 His name \w was|strong="H1"\w* Elimelech.
\p Then he died.
\li1 Bread"""


def test_usfm_is_read_by_verses(read):
    document, _ = read(USFM, "a.usfm")
    assert document.title == "Ruth"
    assert [(block.kind, block.level, block.text) for block in document.blocks] == [
        ("heading", 1, "Ruth"),
        ("heading", 3, "The famine"),
        ("verse", 0, "In the days of the judges there was a famine. A man went."),
        ("verse", 0, "His name was Elimelech. Then he died."),
        ("item", 1, "Bread"),
        ("note", 0, "A note."),
    ]
    assert [block.label for block in document.blocks] == ["", "", "1:1", "1:2-3", "", ""]
    assert '\\nd </bpt>the judges<ept i="1">\\nd*</ept>' in document.blocks[2].marked


def test_references_of_usfm_are_text_beside_notes_of_references(read):
    text = USFM.replace("A note.", r"See \xt Gen 1.1\xt*.").replace(
        "\\p\n", "\\r (\\xt Mic 5:2\\xt*)\n", 1
    )
    document, _ = read(text.replace("died.", r"died.\x - \xo 1:2 \xt Job 3.1\x*"), "a.usfm")
    texts = [block.text for block in document.blocks]
    assert texts[2] == "(Mic 5:2)"
    assert texts[-2:] == ["Bread", "See Gen 1.1."]


@pytest.mark.parametrize(
    ("data", "name", "fault"),
    [
        ("- " * 2000 + "x", "a.md", "has blocks nested more than 100 deep"),
        (b"{\\rtf1 " + b"{" * 100_000, "a.rtf", "has groups nested more than 1,000 deep"),
        (RTF[:-20], "a.rtf", "is damaged: it ends in the middle"),
    ],
)
def test_what_is_nested_too_deep_or_cut_is_refused(refused, data, name, fault):
    assert fault in refused(data, name)


def test_double_bytes_and_spellings_in_unicode_of_rtf_are_read(read):
    """Second bytes may be those of markup; `upr` has a spelling in a code page that is left out."""
    fonts = r"{\fonttbl{\f0\fcharset128 Mincho;}{\f1\fcharset2 Symbol;}}"
    shown = r"\'83A\'83\'5c\'83\\{\upr{A?B}{\*\ud{A\uc2\u12354 \'82\'a0B}}} {\f1\'b7\'61} d\{\}"
    document, notes = read(rf"{{\rtf1\ansi\ansicpg932{fonts}\f0 {shown}\par}}", "a.rtf")
    assert [block.text for block in document.blocks] == ["アソソAあB •\ufffd d{}"]
    assert [note.kind for note in notes] == [
        "characters of RTF in fonts of symbols, whose letters are not known"
    ]


def test_footnotes_tasks_and_html_of_markdown_are_read(read):
    text = """+++
title = "The Mill"
lang = "fr"
+++
One[^a], two[^1] and [^none].

[^a]: Note *a*
goes on.

    Its second paragraph.

- [x] Done

<!-- a comment -->
<p align="center"><b>Bold</b> text.</p>
<script>x()</script>

```
[^b]: code
```
[^1]: Note b.
"""
    document, notes = read(text, "a.md")
    assert (document.lang, document.title) == ("fr", "The Mill")
    assert [(block.kind, block.text) for block in document.blocks] == [
        ("paragraph", "One, two and [^none]."),
        ("item", "Done"),
        ("paragraph", "Bold text."),
        ("note", "Note a goes on."),
        ("note", "Its second paragraph."),
        ("note", "Note b."),
    ]
    assert [block.label for block in document.blocks[3:]] == ["a", "", "1"]
    assert document.blocks[0].marked.count('type="fnote"') == 2
    assert '<ph type="x-task">[x]</ph>' in document.blocks[1].marked
    assert [note.kind for note in notes] == ["blocks of code in Markdown, left out"]


@pytest.mark.parametrize(
    ("front", "texts"),
    [
        ("---\n\nIt rained. He left.\n\n---\n", ["It rained. He left.", "End."]),
        ("---\n# Rain\n\nIt rained.\n\n---\n", ["Rain", "It rained.", "End."]),
        ("---\n# A comment\n\n'the key': a\nlang: en\n---\n", ["End."]),
        ("+++\n[params]\nlang = 'en'\n+++\n", ["End."]),
        ("---\n---\n", ["End."]),
        ("---\ndate created: 2020\ntags:\n  - a\n\nlast edited: 2021\n---\n", ["End."]),
        ("---\n$schema: a.json\nlang: en\n---\n", ["End."]),
        (
            "---\nHe said so: it rained.\nHe left.\n\n---\n",
            ["He said so: it rained. He left.", "End."],
        ),
        ("[^1]: It rained\nand rained.\n# Rain\n\n", ["Rain", "End.", "It rained and rained."]),
    ],
)
def test_text_between_rules_or_below_a_footnote_of_markdown_is_read(read, front, texts):
    document, _ = read(f"{front}End.\n", "a.md")
    assert [block.text for block in document.blocks] == texts


def test_brackets_that_take_the_parser_long_are_refused(read, refused):
    assert "square brackets that are not closed" in refused("a\n\n" + "|x|[" * 1500, "a.md")
    links = "[a](b) \\[ " * 500
    assert read(links, "a.md")[0].blocks[0].text.startswith("a [ a [")


def test_items_and_notes_of_rtf_have_their_numbers(read):
    number = r"{\listtext\pard\plain %s\tab}\ls1\ilvl%d "
    note = r"{\super\chftn}{\footnote\pard{\super\chftn} Note %s.\par Its end.}"
    parts = [
        rf"\pard{number % ('3.', 0)}a{note % 1}\par",
        rf"\pard{number % ('(iv)', 1)}b\par",
        rf"\pard{number % ('o', 0)}c{note % 2}\par",
        r"\pard d\par",
    ]
    document, _ = read("{\\rtf1\\ansi " + "".join(parts) + "}", "a.rtf")
    assert [(block.kind, block.level, block.label, block.text) for block in document.blocks] == [
        ("item", 1, "3.", "a"),
        ("item", 2, "(iv)", "b"),
        ("item", 1, "", "c"),
        ("paragraph", 0, "", "d"),
        ("note", 0, "1", "Note 1."),
        ("note", 0, "", "Its end."),
        ("note", 0, "2", "Note 2."),
        ("note", 0, "", "Its end."),
    ]
    assert '&lt;note id="2"/&gt;' in document.blocks[2].marked


def test_tables_of_contents_of_rtf_are_left_out(read):
    contents = r"{\field{\*\fldinst{ TOC \\o}}{\fldrslt{\plain One\tab 3\par}Two\tab 9}}\par"
    document, notes = read(rf"{{\rtf1 {contents} The mill.\par}}", "a.rtf")
    assert [block.text for block in document.blocks] == ["The mill."]
    assert [note.kind for note in notes] == ["tables of contents, left out"]


def test_line_breaks_and_attributes_of_markdown_are_codes(read):
    table = "| a |\n|---|\n| One<br>two |"
    page = f"## Mills {{#mills .wide}}\n\n## Sets {{a}}\n\n{table}\n\nx<BR/>y<br><br>z\n"
    document, _ = read(page, "a.md")
    texts = ["Mills", "Sets {a}", "a", "One two", "x y", "z"]
    assert [block.text for block in document.blocks] == texts
    assert document.blocks[0].marked == 'Mills<ph type="x-attributes">{#mills .wide}</ph>'


def test_code_pages_of_mac_os_are_those_of_rtf_from_word_for_it(read):
    font = r"{\fonttbl{\f0\fcharset0 Times;}}"
    document, notes = read(rf"{{\rtf1\ansi\ansicpg10000{font}\f0 don\'d5t caf\'8e\par}}", "a.rtf")
    assert (document.blocks[0].text, notes) == ("don\u2019t café", ())


def test_bytes_of_rtf_that_are_no_characters_are_noted(read):
    document, [note] = read(r"{\rtf1\ansi a\'81\'8db\par}", "a.rtf")
    assert (document.blocks[0].text, note.count) == ("a\ufffd\ufffdb", 2)
    assert note.kind == (
        "bytes of RTF that are no characters of its code page (cp1252), read as U+FFFD"
    )


def test_the_language_of_rtf_is_that_of_the_script(read):
    head = r"{\rtf1\ansi\ansicpg936\adeflang1037\deflang1033\deflangfe2052 "
    texts = (
        r"It rained.",
        r"\'cf\'c2\'d3\'ea",
        r"\u1513?\u1500?\u1493?",
        r"{\langfe1041 \'d3\'ea}",
    )
    assert [read(f"{head}{text}\\par}}", "a.rtf")[0].lang for text in texts] == [
        "en", "zh", "he", "ja",
    ]  # fmt: skip


def test_fields_of_rtf_may_link_to_a_place(read):
    field = r'{\field{\*\fldinst HYPERLINK \\l "a"}{\fldrslt here}}'
    (block,) = read(rf"{{\rtf1 Go {field}.\par}}", "a.rtf")[0].blocks
    assert block.marked.startswith('Go <bpt i="1" type="link">&lt;a href="#a"&gt;</bpt>here')
