"""Books as a page of HTML: what is in it, and what no text can bring into it."""

import re
from html import escape

import pytest
from lxml import html as parsed

import bitext
from bitext import Alignment, Bitext, InputError, OptionError, Text
from bitext.errors import FormatError
from bitext.formats.documents import read_document
from bitext.formats.io.source import Notes, open_source
from formats.book_samples import ARABIC, ENGLISH, HEBREW, JAPANESE, facing, text_of
from reference.page_text import assert_nothing_acts


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    path = tmp_path_factory.mktemp("book") / "mill.html"
    bitext.write(facing(ENGLISH, "en", ARABIC, "ar"), path)
    return path


@pytest.fixture(scope="module")
def tree(page):
    return parsed.fromstring(page.read_text(encoding="utf-8"))


def test_rows_face_each_other_with_their_languages(tree):
    rows = tree.xpath("//main//div[contains(@class, 'row')]")
    assert len(rows) == 12  # the cells of a row of the table are one
    for row in rows:
        one, other = row
        assert (one.get("lang"), one.get("dir")) == ("en", "ltr")
        assert (other.get("lang"), other.get("dir")) == ("ar", "rtl")
    assert rows[1].text_content() == (
        "It had rained for nine days, and nobody came. On the tenth day the miller went out1."
        "أمطرت السماء تسعة أيام ولم يأت أحد. في اليوم العاشر خرج الطحان."
    )


def test_blocks_are_what_they_are(tree):
    shapes = [
        child.tag for row in tree.xpath("//main//div[contains(@class, 'row')]") for child in row[0]
    ]
    assert shapes == [
        "h2", "p", "p", "h3", "ul", "ul", "ul", "h3", "table", "table", "p", "aside",
    ]  # fmt: skip
    (note,) = tree.xpath("//div[@lang='en']/aside")
    assert note.get("role") == "doc-footnote"
    (link,) = note.xpath(".//a")
    assert (link.get("href"), link.text) == ("https://mill.example/?a=1&b=2", "chronicle")
    assert [cell.text_content() for cell in tree.xpath("//div[@lang='ar']//td")] == [
        "الشيء", "بنسات", "مصباح", "12",
    ]  # fmt: skip


def test_sentences_of_a_bead_have_its_number_within_the_row(tree):
    row = tree.xpath("//main//div[contains(@class, 'row')]")[1]
    assert [[each.get("class") for each in side.xpath(".//span")] for side in row] == [
        ["s b0", "s b1"],
        ["s b0", "s b1"],
    ]
    style = tree.xpath("string(//style)")
    assert ".row:has(.b1:is(:hover,:focus)) .b1 {" in style
    assert ".row:has(.b2:" not in style


def test_the_contents_lead_to_the_headings(tree):
    links = tree.xpath("//nav//a")
    assert [link.xpath("string(span[1])") for link in links] == [
        "The Mill on the Hill",
        "What he took",
        "What it cost",
    ]
    ids = {each.get("id") for each in tree.xpath("//*[@id]")}
    assert {link.get("href")[1:] for link in links} <= ids
    assert len(links[1].xpath("ancestor::ol")) == 2


def test_the_page_reads_as_a_document_with_both_texts(page):
    with open_source(str(page)) as source:
        document = read_document(source)
    kinds = {block.kind for block in document.blocks}
    assert {"heading", "item", "cell", "note", "paragraph"} <= kinds
    texts = [block.text for block in document.blocks]
    assert "He saw the water at the wall. Who is there, he called?" in texts
    assert "ما أخذه" in texts


def test_nothing_comes_from_elsewhere_and_no_text_acts(tmp_path):
    evil = "</style></script><script>alert(1)</script><img src=x onerror=alert(1)>"
    marked = f'<bpt i="1">{escape(evil)}</bpt>{escape(evil)}<ept i="1"/>'
    text = Text([evil], lang='en"><script>', name=evil, marked=[marked])
    path = tmp_path / "evil.html"
    bitext.write(Bitext(text, text, Alignment([((0,), (0,))]), name=evil), path)
    made = path.read_text(encoding="utf-8")
    assert_nothing_acts(made)
    tree = parsed.fromstring(made)
    assert len(tree.xpath("//script")) == 1
    assert not tree.xpath("//img")
    assert tree.xpath("string(//main//span)") == evil
    assert tree.get("lang") == "en"


def test_the_same_book_is_the_same_page(page, tmp_path):
    again = tmp_path / "again.htm"
    bitext.write(facing(ENGLISH, "en", ARABIC, "ar"), again)
    assert again.read_bytes() == page.read_bytes()


def test_chinese_and_japanese_sentences_have_no_blank_between(tmp_path):
    path = tmp_path / "b.html"
    bitext.write(facing(HEBREW, "he", JAPANESE, "ja"), path)
    made = path.read_text(encoding="utf-8")
    assert "来なかった。</span><span" in made
    assert "לא בא.</span> <span" in made
    assert '<html lang="he">' in made


def test_what_a_book_loses_is_told(tmp_path):
    text = text_of(ENGLISH, "en")
    font = '<bpt i="1" type="font"/>a lamp<ept i="1"/>'
    marked = [font if each == "a lamp" else None for each in text.segments()]
    other = Text(text.segments(), lang="fr", marked=marked)
    beads = [((k,), (k,)) for k in range(len(text))]
    alignment = Alignment(beads, scores=[0.5] * len(text), attributes={"note": ["x"] * len(text)})
    losses = Notes()
    bitext.write(Bitext(text, other, alignment, name="m"), tmp_path / "b.html", losses=losses)
    assert [(note.kind, note.count) for note in losses.all()] == [
        ("scores", len(text)),
        ("values of other attributes", len(text)),
        ("document pairs whose names, or those of their documents, are not written", 1),
        ("segments with inline marks, written without them", 1),
    ]


def test_a_book_is_not_read_as_alignments(page, tmp_path):
    with pytest.raises(FormatError, match=r"mill\.html: is an HTML page, not an alignment"):
        bitext.read(page)
    with pytest.raises(OptionError, match=r"format 'book-html' can be written but not read"):
        bitext.read(page, format="book-html")
    other = tmp_path / "a.html"
    other.write_text("plain words")
    with pytest.raises(FormatError, match=r"is named as book-html, which bitext writes and does"):
        bitext.read(other)


def test_a_book_that_cannot_be_made_leaves_no_file(tmp_path):
    path = tmp_path / "b.html"
    with pytest.raises(InputError, match="known by positions only"):
        bitext.write(Bitext(None, None, Alignment([((0,), (0,))])), path)
    assert not path.exists()


def test_a_row_with_more_beads_than_rules_of_style_is_whole(tmp_path):
    sentences = [f"{k}." for k in range(250)]
    text = Text(sentences, lang="en")
    beads = [((k,), (249 - k,)) for k in range(250)]  # crossing: one row
    path = tmp_path / "b.html"
    bitext.write(Bitext(text, text.in_language("fr"), Alignment(beads)), path)
    made = path.read_text(encoding="utf-8")
    assert made.count('<span class="s') == 500
    assert len(re.findall(r"^\.row:has", made, re.MULTILINE)) == 200
