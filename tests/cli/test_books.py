"""Bilingual books and tables, on the command line."""

import pytest

from formats.document_samples import docx, paragraph

LANGS = ("--src-lang", "en", "--tgt-lang", "fr")


@pytest.fixture
def chapters(tmp_path):
    """Write two chapters in Word; return their paths."""
    paths = tmp_path / "ferry.en.docx", tmp_path / "ferry.fr.docx"
    texts = (
        ("The ferry", "It rained. The ferry left at nine.", "Anna waited on the quay."),
        ("Le bac", "Il pleuvait. Le bac partit à neuf heures.", "Anna attendait sur le quai."),
    )
    for path, (heading, *rest) in zip(paths, texts, strict=True):
        body = paragraph(heading, style="H1") + "".join(map(paragraph, rest))
        path.write_bytes(docx(body))
    return paths


def test_two_documents_become_a_table_that_converts_back(chapters, bitext, tmp_path):
    table = tmp_path / "table.docx"
    assert bitext("align", *chapters, *LANGS, "-o", table).status == 0
    memory = tmp_path / "memory.tmx"
    assert bitext("convert", table, memory).status == 0
    assert "<seg>Le bac partit à neuf heures.</seg>" in memory.read_text(encoding="utf-8")
    again = tmp_path / "again.docx"
    assert bitext("align", table, "-o", again).status == 0
    assert bitext("score", table, again).status == 0


def test_two_files_are_documents_and_one_is_an_alignment(chapters, bitext, tmp_path):
    table = tmp_path / "table.docx"
    assert bitext("align", *chapters, *LANGS, "-o", table).status == 0
    done = bitext("align", table, chapters[1], "-o", tmp_path / "out.tsv", "-v")
    assert "bilingual tables, read as running text" in done.err
    done = bitext("align", chapters[0], "-o", tmp_path / "out.tsv")
    assert done.status == 2
    assert "without a table: align it with its translation" in done.err


@pytest.mark.parametrize("name", ["book.epub", "book.html"])
def test_rows_of_paragraphs_that_texts_have_not_are_noted(bitext, write, tmp_path, name):
    path = write("a.jsonl", '{"src": ["1"], "tgt": ["1"], "src_text": "A.", "tgt_text": "B."}\n')
    text = write("b.html", "<p>One. Two.</p><p>Three.</p>")
    known = ["--to", "book-html"] if name.endswith("html") else []
    note = "texts without paragraphs, whose rows are beads"
    for more, noted in (([], False), (["--rows", "bead"], False), (["--rows", "paragraph"], True)):
        found = bitext("convert", path, tmp_path / name, *known, *more)
        assert (found.status, note in found.err) == (0, noted), found.err
    found = bitext("align", text, text, "-o", tmp_path / name, *known, "--rows", "paragraph")
    assert (found.status, note in found.err) == (0, False)


def test_chapters_of_a_folder_are_in_the_order_of_their_numbers(bitext, write, tmp_path):
    for k in (1, 2, 10):
        write(f"in/{k}.tsv", f"Chapter {k}.\tKapitel {k}.\n")
    files = [f"{tmp_path}/in/{k}.tsv" for k in (1, 10, 2)]
    whole = bitext("convert", tmp_path / "in", "-", "--to", "tsv", "-q").out
    assert whole == "".join(f"Chapter {k}.\tKapitel {k}.\n" for k in (1, 2, 10))
    given = bitext("convert", *files, f"{tmp_path}/given.html")
    told = "10.tsv comes before"
    assert told in given.err
    assert told not in bitext("convert", *files, f"{tmp_path}/all.tmx").err
    files[1:] = files[:0:-1]
    assert told not in bitext("convert", *files, f"{tmp_path}/sorted.html").err
    assert told not in bitext("convert", tmp_path / "in", f"{tmp_path}/folder.html").err
    pages = [(tmp_path / f"{name}.html").read_text("utf-8") for name in ("sorted", "folder")]
    places = [[page.rindex(f"Kapitel {k}.") for k in (1, 2, 10)] for page in pages]
    assert places == [sorted(each) for each in places]
