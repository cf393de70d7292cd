"""Texts in TEI whose sentences are not marked."""

import pytest

from bitext.formats.documents import document_format

TEXT = """<?xml version="1.0" encoding="UTF-8"?>
<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc><titleStmt><title>The
 Mill</title></titleStmt></fileDesc><profileDesc><langUsage><language ident="en"/></langUsage>
</profileDesc></teiHeader><text><front><titlePage><docTitle><titlePart>The Mill</titlePart>
</docTitle></titlePage></front><body><div type="part"><head>Part One</head><div type="chapter">
<head>1</head>
<p>It <hi rend="italics">rained</hi>. The <choice><sic>fery</sic><corr>ferry</corr></choice>
<lb/>left<note place="foot"><p>At nine.</p></note>, he <quote>said</quote>.<pb n="2"/> Over<lb
break="no"/>all.</p><p>He <sic>cam</sic>.<del>x</del></p>
<lg><l>Roses are red</l><l>Violets <emph>blue</emph></l></lg>
<sp><speaker>Anna</speaker><p>Go <stage>(aside)</stage> home.</p></sp><stage>Exit.</stage>
<list><item>Bread</item></list><table><row><cell cols="2">1871</cell><cell>Wind</cell></row></table>
<p xml:lang="fr"><ref target="http://x.y">Oui</ref>.</p></div></div></body></text></TEI>"""


def test_a_text_is_read_with_its_kinds(read):
    document, notes = read(TEXT, "a.xml")
    assert (document.lang, document.title) == ("en", "The Mill")
    assert [(block.kind, block.level, block.text) for block in document.blocks] == [
        ("heading", 1, "The Mill"),
        ("heading", 1, "Part One"),
        ("heading", 2, "1"),
        ("paragraph", 0, "It rained. The ferry left, he said. Overall."),
        ("paragraph", 0, "He cam."),
        ("paragraph", 0, "Roses are red"),
        ("paragraph", 0, "Violets blue"),
        ("paragraph", 0, "Anna"),
        ("paragraph", 0, "Go (aside) home."),
        ("paragraph", 0, "Exit."),
        ("item", 1, "Bread"),
        ("cell", 1, "1871"),
        ("cell", 3, "Wind"),
        ("paragraph", 0, "Oui."),
        ("note", 0, "At nine."),
    ]
    assert document.blocks[3].marked.startswith('It <bpt i="1" type="italic">&lt;i&gt;</bpt>rained')
    assert '<ph type="fnote">' in document.blocks[3].marked
    assert document.blocks[13].lang == "fr"
    assert not notes
    document, notes = read(
        TEXT.replace("</table>", "</table><listBibl><bibl/></listBibl>"), "a.xml"
    )
    assert [note.kind for note in notes] == ["lists of literature, left out"]


@pytest.mark.parametrize(
    ("old", "new", "known"),
    [
        ("", "", "tei_texts"),
        ("<TEI xmlns", "<!-- made --><TEI.2 xmlns", "tei_texts"),
        ("<TEI xmlns", '<tei:TEI xmlns:tei="http://www.tei-c.org/ns/1.0" xmlns', "tei_texts"),
        # What has sentences, words or links is read by others, and so is a part of a file.
        ("<p>It", '<p><s xml:id="s1">It', ""),
        ("<p>It", "<p><w>It", ""),
        ("</body>", '<linkGrp type="alignment"/></body>', ""),
        ("<p>It", '<p corresp="#f1">It', ""),
        ("<body>", "<group>", ""),
    ],
)
def test_texts_are_told_from_sentences_and_links(old, new, known):
    found = document_format(TEXT.replace(old, new, 1).encode(), "a.xml")
    assert (found.name if found else "") == known


def test_heads_of_tables_lists_and_figures_begin_no_section(read):
    parts = """<div><head>One</head><table><head>Winds</head><row><cell>1871</cell></row></table>
<list><head>Things</head><item>Rope<list><item>Thin</item></list></item></list>
<figure><head>A mill</head></figure><lg><head>Song</head><l>Roses</l></lg></div></body>"""
    document, _ = read(TEXT.replace("</body>", parts), "a.xml")
    assert [(block.kind, block.level, block.text) for block in document.blocks][-10:-1] == [
        ("heading", 1, "One"),
        ("cell", 0, "Winds"),
        ("cell", 1, "1871"),
        ("paragraph", 0, "Things"),
        ("item", 1, "Rope"),
        ("item", 2, "Thin"),
        ("paragraph", 0, "A mill"),
        ("heading", 1, "Song"),
        ("paragraph", 0, "Roses"),
    ]
