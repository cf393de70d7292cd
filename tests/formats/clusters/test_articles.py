"""Folders of articles, and what may be wrong with them."""

import gzip
import io

import pytest

from bitext.errors import FormatError, InputError
from bitext.formats.clusters import Article, read_articles
from bitext.formats.io.source import Notes


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "b.txt").write_text("It burns.\n", encoding="utf-8")
    (tmp_path / "a.txt").write_bytes("Café\r\nburns.".encode())
    (tmp_path / ".hidden").write_text("no", encoding="utf-8")
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "c.txt").write_text("no", encoding="utf-8")
    return tmp_path


def test_a_folder_gives_its_files_by_name(folder):
    want = [Article("a", "Café\nburns."), Article("b", "It burns.\n")]
    assert read_articles(folder) == read_articles(str(folder)) == want
    assert read_articles([folder / "b.txt", folder / "a.txt"]) == want[::-1]
    assert read_articles([folder / "inner", folder / "b.txt"])[0] == Article("c", "no")


def test_compression_encodings_and_standard_input(tmp_path, monkeypatch):
    (tmp_path / "wire.txt.gz").write_bytes(gzip.compress(b"It burns."))
    (tmp_path / "old.news").write_bytes("Café".encode("latin-1"))
    packed = tmp_path / "wire.txt.gz"
    assert read_articles(packed) == [Article("wire", "It burns.")]
    assert read_articles(tmp_path / "old.news", encoding="latin-1") == [Article("old.news", "Café")]
    with pytest.raises(FormatError, match=r"old\.news line 1: byte 4 .* not utf-8"):
        read_articles(tmp_path)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"Text.")))
    assert read_articles("-") == [Article("standard input", "Text.")]


def test_names_that_meet_keep_their_folders(folder):
    (folder / "inner" / "b.txt").write_text("Another.", encoding="utf-8")
    found = read_articles([folder, folder / "inner"])
    inner = folder / "inner"
    assert [article.name for article in found] == ["a", str(folder / "b"), str(inner / "b"), "c"]


def test_names_that_meet_in_one_folder_keep_their_suffixes(folder):
    (folder / "b.text").write_text("Another.", encoding="utf-8")
    found = [article.name for article in read_articles(folder)]
    assert found == ["a", str(folder / "b.text"), str(folder / "b.txt")]


def test_files_without_text_are_told_and_left_out(folder):
    (folder / "empty.txt").write_text(" \n", encoding="utf-8")
    notes = Notes()
    assert [article.name for article in read_articles(folder, notes=notes)] == ["a", "b"]
    _, note = notes.all()
    assert (note.kind, note.count) == ("files without text, left out", 1)
    assert note.first.endswith("empty.txt")
    with pytest.raises(InputError, match=r"empty\.txt: is empty, as all articles are"):
        read_articles(folder / "empty.txt")


def test_what_is_no_article_is_refused_by_name(folder):
    (folder / "none").mkdir()
    with pytest.raises(InputError, match=r"none: the folder has no file"):
        read_articles(folder / "none")
    with pytest.raises(InputError, match=r"b\.tx: no such file; did you mean"):
        read_articles(folder / "b.tx")
    with pytest.raises(InputError, match=r"b\.txt: is named twice"):
        read_articles([folder / "b.txt", folder])
    with pytest.raises(InputError, match="no article is named"):
        read_articles([])
    (folder / "binary").write_bytes(b"a\nb\0c")
    with pytest.raises(FormatError, match=r"binary line 2: has NUL bytes"):
        read_articles(folder)


def test_folders_within_a_folder_are_told_and_left_out(folder):
    (folder / ".git").mkdir()
    (folder / "more").mkdir()
    notes = Notes()
    assert len(read_articles(folder, notes=notes)) == 2
    (note,) = notes.all()
    assert (note.kind, note.count) == ("folders within a folder, left out", 2)
    assert note.first == str(folder / "inner")
    assert len(read_articles(folder)) == 2
    notes = Notes()
    read_articles(folder / "b.txt", notes=notes)
    assert not notes.all()


def test_tables_and_escaped_characters_in_articles_are_noted(folder):
    (folder / "t.csv").write_text("title,text\nFire,It burns.\n", encoding="utf-8")
    (folder / "e.txt").write_text("The &quot;fire&quot; burns.\n", encoding="utf-8")
    notes = Notes()
    read_articles([folder / "t.csv", folder / "e.txt"], notes=notes)
    table, escaped = notes.all()
    assert table.kind.startswith("articles with lines that seem to be cells of a table")
    assert "references of HTML" in escaped.kind


def test_documents_are_articles_without_their_cells(folder):
    page = "<!DOCTYPE html><nav><a href=x>Home</a></nav><main><h1>Fire</h1><p>It <b>burns</b>.</p>"
    (folder / "page.html").write_text(f"{page}<table><tr><td>7</table></main>", encoding="utf-8")
    (folder / "mark.md").write_text("# Fire\n\nIt *burns*.\n\nHelp came.\n", encoding="utf-8")
    notes = Notes()
    articles = read_articles(folder, main_text=True, notes=notes)
    named = {article.name: article.text for article in articles}
    assert named["page"] == "Fire\n\nIt burns."
    assert named["mark"] == "Fire\n\nIt burns.\n\nHelp came."
    kinds = {note.kind: note.count for note in notes.all()}
    assert kinds["documents with cells or notes, which are left out"] == 1
    assert kinds["texts that are no HTML, so main_text= is of no use"] >= 2
    assert read_articles(folder / "page.html")[0].text.startswith("Home\n\nFire")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ('{"schema": "bitext.cluster/1"}', "JSON"),
        ('\n[\n {"text": "It burns."}]', "JSON"),
        ("[]", "JSON"),
        ('<p class="x">\n<p>It burns.', "XML or HTML"),
        ('<?xml version="1.0"?><a/>', "XML or HTML"),
        ("<html lang='en'>", "XML or HTML"),
        (" <tei:TEI\nxmlns='x'>", "XML or HTML"),
    ],
)
def test_what_is_no_plain_text_is_refused(text, kind, folder):
    (folder / "odd.txt").write_text(text, encoding="utf-8")
    with pytest.raises(
        FormatError, match=rf"odd\.txt: begins like {kind}, not .*: want plain text"
    ):
        read_articles(folder)


@pytest.mark.parametrize(
    "text",
    [
        "[Music] It burns.",
        "{It} burns.",
        "< 5 burned.",
        "<-- so it burned",
        "[“It burns”]",
        "<3 it",
    ],
)
def test_a_text_may_begin_with_a_bracket(text, tmp_path):
    (tmp_path / "a.txt").write_text(text, encoding="utf-8")
    assert read_articles(tmp_path) == [Article("a", text)]


def test_a_picture_in_a_folder_is_left_out_and_noted(tmp_path):
    (tmp_path / "a.txt").write_text("It rained.", encoding="utf-8")
    (tmp_path / "b.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\xff\xfe")
    notes = Notes()
    assert [article.name for article in read_articles(tmp_path, notes=notes)] == ["a"]
    assert [(note.kind, note.count) for note in notes.all()] == [
        ("files that are not text, left out", 1)
    ]
    with pytest.raises(FormatError, match=r"b\.png"):
        read_articles(tmp_path / "b.png")


def test_wide_encodings_are_no_pictures(tmp_path):
    (tmp_path / "a.txt").write_text("It rained.", encoding="utf-16-le")
    with pytest.raises(FormatError, match="encoding='utf-16-le'"):
        read_articles(tmp_path)
    assert read_articles(tmp_path, encoding="utf-16-le")[0].text == "It rained."
