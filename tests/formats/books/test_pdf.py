"""Books in PDF, read back by pdfminer."""

import io

import pytest
from pdfminer.high_level import extract_pages, extract_text
from pdfminer.layout import LTTextLine
from pdfminer.pdfdocument import PDFDocument
from pdfminer.pdfparser import PDFParser

from bitext import Alignment, Bitext, Text
from bitext.errors import InputError, OptionError
from bitext.formats.io.source import Notes
from bitext.formats.registry import BookOptions, WriteOptions, by_name
from bitext.model import Blocks

KINDS = ("heading", "paragraph", "heading", "paragraph", "item", "note")
LABELS = ("",) * 4 + ("xiv.", "one")
BLOCKS = Blocks((0, 1, 3, 4, 5, 6), KINDS, (1, 0, 1, 0, 1, 0), ("",) * 6, labels=LABELS)
MARKED = '<bpt i="1" type="bold">&lt;b&gt;</bpt>Nine<ept i="1">&lt;/b&gt;</ept> days.'
ENGLISH = ["Rain", "It rained.", "Nine days.", "Mill", "He left.", "Bread", "A note."]
GERMAN = ["Regen", "Es regnete.", "Neun Tage.", "Mühle", "Er ging.", "Brot", "Ein Hinweis."]


def book(src, tgt, langs=("en", "de"), marked=None):
    texts = [
        Text(segments, lang=lang, blocks=BLOCKS if len(segments) == len(ENGLISH) else None)
        for segments, lang in zip((src, tgt), langs, strict=True)
    ]
    if marked:
        texts[0] = Text(src, lang=langs[0], blocks=BLOCKS, marked=marked)
    return Bitext(*texts, Alignment([((k,), (k,)) for k in range(len(src))]), name="mill")


def written(bitext, notes=None, **options):
    out = io.BytesIO()
    given = WriteOptions(notes=notes, book=BookOptions(**options))
    by_name("pdf").write([bitext], out, options=given)
    return out.getvalue()


@pytest.fixture(scope="module")
def mill():
    marked = [None, None, MARKED, None, None, None, None]
    return written(book(ENGLISH, GERMAN, marked=marked), title="The Mill")


def lines(content):
    """Return the lines of text with the left and right end of each, in points."""
    out = []
    for page in extract_pages(io.BytesIO(content)):
        for box in page:
            rows = [row for row in getattr(box, "_objs", ()) if isinstance(row, LTTextLine)]
            out += [(row.get_text().strip(), row.x0, row.x1) for row in rows]
    return out


def test_a_book_has_both_texts_and_bookmarks(mill):
    text = extract_text(io.BytesIO(mill))
    for segment in (*ENGLISH, *GERMAN):
        assert segment in text
    assert "xiv." in text
    assert "•" not in text
    assert "1\xa0A note." in text.replace("1 \xa0", "1\xa0")
    document = PDFDocument(PDFParser(io.BytesIO(mill)))
    assert [entry[:2] for entry in document.get_outlines()] == [
        (1, "Rain · Regen"),
        (1, "Mill · Mühle"),
    ]
    assert document.info[0]["Title"] == b"The Mill"
    assert document.catalog["Lang"] == b"en"


def test_bytes_depend_on_the_contents_only(mill):
    assert b"CreationDate" not in mill
    marked = [None, None, MARKED, None, None, None, None]
    assert written(book(ENGLISH, GERMAN, marked=marked), title="The Mill") == mill


def test_no_character_of_a_text_is_markup():
    hostile = ['#panic("a") *b* $c$ @d `e` <f>', '#read("/etc/passwd") \\ = g // h', '"]#"']
    text = extract_text(io.BytesIO(written(book(hostile, hostile))))
    squeezed = "".join(text.split())
    for segment in hostile:
        assert squeezed.count("".join(segment.split())) == 2


def test_the_first_of_two_right_to_left_languages_stands_on_the_right():
    where = {text[-4:]: x0 for text, x0, _ in lines(written(book(["Anna1"], ["Bert2"])))}
    assert where["nna1"] < where["ert2"]
    where = {text: x1 for text, _, x1 in lines(written(book(["אבג"], ["דהו"], ("he", "yi"))))}
    assert where["גבא"] > where["והד"]


def test_characters_without_a_font_are_noted_or_refused():
    notes = Notes()
    written(book(["It rained in \U0010fffd."], ["Es regnete."]), notes)
    (note,) = notes.all()
    assert note.kind.startswith("characters that no font here has, shown as boxes: install one")
    assert (note.count, note.first) == (1, "\U0010fffd (U+10FFFD)")
    with pytest.raises(
        InputError, match="no font here has the characters of German, as \U0010fff0"
    ):
        written(book(["It rained."], ["\U0010fff0\U0010fff1\U0010fff2 a"]))


def test_fonts_are_named_or_refused():
    assert b"DejaVuSansMono" not in written(book(["a"], ["b"]))
    with pytest.raises(OptionError, match=r"no font 'Libertinus Sarif' here; did you mean 'Lib"):
        written(book(["a"], ["b"]), fonts=("src=Libertinus Sarif",))
    with pytest.raises(OptionError, match=r"there is no file gone\.ttf"):
        written(book(["a"], ["b"]), fonts=("gone.ttf",))
    content = written(book(["a"], ["b"]), fonts=("tgt=new computer modern",))
    assert b"LibertinusSerif" in content
    assert b"NewCM" in content
