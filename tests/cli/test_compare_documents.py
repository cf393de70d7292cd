"""Documents are segmentations of their sentences into paragraphs, or into sections."""

import gzip
import io
import itertools
import json

import pytest

import bitext as package
from bitext.errors import FormatError
from bitext.formats.segmentations import read_segmentations
from formats.document_samples import docx, paragraph

BLOCKS = [
    ["The Flood"],
    ["It had rained for nine days.", "On the tenth the miller went out.", "He saw the water."],
    ["Who is there, he called.", "Nobody answered."],
    ["The Bridge"],
    ["In the morning the bridge was gone.", "He had to go over the hill."],
]
# "He saw the water." is of the next paragraph.
SHIFTED = [BLOCKS[0], BLOCKS[1][:2], [BLOCKS[1][2], *BLOCKS[2]], *BLOCKS[3:]]


def word(blocks):
    return docx("".join(paragraph(" ".join(b), style="H1" if len(b) == 1 else "") for b in blocks))


def page(blocks):
    body = "".join(f"<h1>{b[0]}</h1>" if len(b) == 1 else f"<p>{' '.join(b)}</p>" for b in blocks)
    return f"<!doctype html><html lang=en><body>{body}</body></html>"


@pytest.fixture
def files(tmp_path):
    (tmp_path / "a.docx").write_bytes(word(BLOCKS))
    (tmp_path / "b.html").write_text(page(SHIFTED))
    text = "\n\n".join("\n".join(block) for block in SHIFTED)
    (tmp_path / "c.txt").write_text(f"{text}\n")
    return tmp_path


def f1(found):
    assert found.status == 0, found.err
    rows = [line.split() for line in found.out.splitlines()]
    return next(float(row[-1]) for row in rows if row[:1] == ["boundary.f1"])


OPTIONS = ("-m", "boundary", "--format", "table")


def test_documents_and_texts_are_compared_over_sentences(bitext, files):
    for system in ("b.html", "c.txt"):
        found = bitext("compare", files / "a.docx", files / system, *OPTIONS)
        assert f1(found) == 0.75
        assert "reference: documents, read as sentences in paragraphs" in found.err
    assert f1(bitext("compare", files / "a.docx", files / "a.docx", *OPTIONS)) == 1
    found = bitext("compare", files / "a.docx", files / "b.html", *OPTIONS, "--units", "words")
    assert f1(found) == 0.75


def test_sections_are_what_headings_part(bitext, files):
    options = [*OPTIONS, "--segments", "sections"]
    found = bitext("compare", files / "a.docx", files / "b.html", *options)
    assert f1(found) == 1
    assert "read as sentences in sections" in found.err
    found = bitext("compare", files / "c.txt", files / "c.txt", *options)
    assert "--segments sections is for documents, and there is none" in found.err
    (files / "d.html").write_text("<html><p>It had rained. He saw the water.</p></html>")
    found = bitext("compare", files / "a.docx", files / "d.html", *options)
    assert "d.html: has no headings, and its sections are wanted" in found.err


def test_another_text_is_refused_with_the_first_difference(bitext, files):
    other = [*SHIFTED[:2], ["He saw the fire.", *BLOCKS[2]], *SHIFTED[3:]]
    (files / "d.html").write_text(page(other))
    found = bitext("compare", files / "a.docx", files / "d.html", *OPTIONS)
    assert found.status == 2
    assert "d.html: block 3 has the unit 'He saw the fire.' where " in found.err
    assert "a.docx block 2 has 'He saw the water.'" in found.err
    assert "--units characters where sentences are cut otherwise" in found.err
    found = bitext("compare", files / "c.txt", files / "d.html", *OPTIONS)
    assert "c.txt line 6 has 'He saw the water.'" in found.err
    found = bitext("compare", files / "a.docx", files / "d.html", *OPTIONS, "--units", "words")
    assert "texts that differ from the reference's in more than white space" in found.err


def test_documents_come_from_folders_packed_and_from_standard_input(bitext, files, monkeypatch):
    for name, source in (("ref/x.docx", "a.docx"), ("hyp/x.html", "b.html")):
        (files / name).parent.mkdir()
        (files / name).write_bytes((files / source).read_bytes())
    assert f1(bitext("compare", files / "ref", files / "hyp", *OPTIONS)) == 0.75
    (files / "b.html.gz").write_bytes(gzip.compress((files / "b.html").read_bytes()))
    assert f1(bitext("compare", files / "a.docx", files / "b.html.gz", *OPTIONS)) == 0.75
    data = io.BytesIO((files / "a.docx").read_bytes())
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(data))
    assert f1(bitext("compare", "-", files / "b.html", *OPTIONS)) == 0.75


def test_python_compares_documents_and_reads_no_other_spelling_of_them(files):
    results = package.compare(files / "a.docx", files / "b.html", metric="boundary")
    values = {row["metric"]: row["value"] for row in results.rows()}
    assert values["boundary.f1"] == 0.75
    with pytest.raises(FormatError, match="is a document, whose units are its sentences"):
        read_segmentations(files / "a.docx")
    with pytest.raises(FormatError, match="is a document of Word, and to be read as text"):
        read_segmentations(files / "a.docx", format="text")
    with pytest.raises(FormatError, match="is no document that bitext reads"):
        read_segmentations(files / "c.txt", format="document")


def article(*cuts):
    """Return an array with an article of six sentences, whose sections are from cut to cut."""
    text = "It is a city. It is old. It has a river. It is long. We live there. We work."
    places = [0, *map(text.index, cuts), len(text)]
    sections = [{"begin": a, "length": b - a} for a, b in itertools.pairwise(places)]
    return json.dumps([{"id": "Q1", "text": text, "annotations": sections}])


def test_sections_of_articles_are_compared_over_sentences(tmp_path):
    ref, hyp, bad = (tmp_path / f"{name}.json" for name in ("ref", "hyp", "bad"))
    ref.write_text(article("It has", "We live"))
    hyp.write_text(article("It is old", "We live"))
    found = package.compare(ref, hyp, metric="boundary", resamples=0)
    assert found.texts == ("Q1",)
    assert [row["value"] for row in found.rows()] == [0.5, 0.5, 0.5]
    lines = [tmp_path / f"{name}.jsonl" for name in ("ref", "hyp")]
    for path, whole in zip(lines, (ref, hyp), strict=True):
        path.write_text(whole.read_text()[1:-1] + "\n")
    assert package.compare(*lines, metric="boundary", resamples=0).rows() == found.rows()
    bad.write_text(article("We live", "It has"))
    with pytest.raises(FormatError, match="want sections in order within the text"):
        package.compare(ref, bad)
    with pytest.raises(FormatError, match="has sections of articles, whose units are sentences"):
        read_segmentations(ref)
