from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext.errors import FormatError, InputError
from bitext.formats.io.source import Notes, Source
from bitext.formats.plain_text import (
    foreign_lines,
    is_paragraph_file,
    read_chapters,
    text_files,
)
from bitext.model import Segmentation, Text
from reference.chapters import read_paragraph_file, write_chapters
from reference.shared_data import data


def source(content):
    data = content if isinstance(content, bytes) else content.encode()
    return Source("book.tsv", io.BytesIO(data))


def read(content):
    return list(read_chapters(source(content)))


def test_chapters_have_sentences_paragraphs_and_names():
    texts = read("# title: T\n\n# doc: I\n1\tA.\n0\tB.\n1\tC.\n\n# doc: II\n1\tD.\n")
    assert [text.name for text in texts] == ["book.tsv: I", "book.tsv: II"]
    assert list(texts[0].segments()) == ["A.", "B.", "C."]
    assert texts[0].paragraphs == Segmentation([2, 1])
    assert texts[1].paragraphs == Segmentation([1])


def test_the_head_is_given():
    head = {}
    list(read_chapters(source("# title: T\n# author: A: B\n# doc: I\n# note: x\n1\tA.\n"), head))
    assert head == {"title": "T", "author": "A: B", "note": "x"}


def test_an_empty_line_ends_a_chapter():
    texts = read("1\tA.\n0\tB.\n\n0\tC.\n")
    assert [len(text) for text in texts] == [2, 1]
    assert [text.name for text in texts] == ["book.tsv", "book.tsv: text (2)"]


def test_a_first_sentence_always_starts_a_paragraph():
    with source("# doc: I\r\n0\tA.\r\n0\tB.\r\n") as file:
        (text,) = read_chapters(file)
        assert text.paragraphs == Segmentation([2])
        assert list(text.segments()) == ["A.", "B."]
        assert "line 2" in file.notes.all()[0].first


def test_further_columns_are_passed_over():
    with source("1\tA.\t1.0\n1\tB.\t0.7\n") as file:
        (text,) = read_chapters(file)
        assert list(text.segments()) == ["A.", "B."]
        assert file.notes.all()[0].count == 2


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("", r"book.tsv: has no sentence"),
        ("# title: T\n# doc: I\n", r"book.tsv: has no sentence"),
        ("# doc: I\n1\tA.\nB.\n", r"book.tsv line 3: has no tab"),
        ("1\tA.\n2\tB.\n", r"book.tsv line 2: begins with '2'"),
        ("0\tA.\n1\tB.\n", r"book.tsv line 2: ends a chapter with 1 that began with 0"),
        ("1\tA.\n\n0\tB.\n1\tC.\n\n1\tD.\n", r"line 4: .* Want 1 where a paragraph starts"),
        ("1\tA.\n1\t \n", r"book.tsv line 2: has a 0 or 1 and no sentence"),
        ("1\tA\0.\n", r"book.tsv line 1: has a NUL byte"),
        (b"1\t\xff\xfe.\n", r"book.tsv line 1: byte 3 of the line is 0xff"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(content, told):
    with pytest.raises(FormatError, match=told):
        read(content)


@pytest.mark.parametrize(
    ("head", "known"),
    [
        (b"# title: T\n\n# doc: I\n1\tA.\n", True),
        (b"\xef\xbb\xbf1\tA.\n", True),
        (b"# title: T\n\n# doc: I\n", True),
        (b"label\tsentence\n1\tA.\n0\tB.\n", True),  # and is refused as one
        (b"A.\t1\nB.\t0\nC.\t1\n", True),
        (b"B\tA.\nI\tB.\nB\tC.\n", True),
        (b"1 Once\nA.\nB.\n", False),
        (b"# and nothing\n", False),
        (b"# doc: I\nOnce upon a time.\n", False),
        (b"1 Once\n", False),
        (b"", False),
    ],
)
def test_files_of_paragraphs_are_known(head, known):
    assert is_paragraph_file(head) is known


sentences = st.text(st.characters(exclude_categories=["Cs", "Cc", "Z"]), min_size=1).filter(
    lambda s: s.strip() and "\0" not in s
)


@given(
    st.lists(
        st.lists(st.tuples(st.booleans(), sentences), min_size=1, max_size=6),
        min_size=1,
        max_size=4,
    )
)
def test_what_is_written_is_read(chapters):
    texts = []
    for k, chapter in enumerate(chapters):
        starts = [j for j, (start, _) in enumerate(chapter) if start and j]
        paragraphs = Segmentation.from_boundaries(starts, len(chapter))
        texts.append(Text([s for _, s in chapter], name=f"c{k}", paragraphs=paragraphs))
    out = io.StringIO()
    write_chapters(texts, out, head={"title": "T"})
    found = read(out.getvalue())
    assert found == texts
    assert [text.paragraphs for text in found] == [text.paragraphs for text in texts]
    assert [text.name for text in found] == [f"book.tsv: {text.name}" for text in texts]


def test_the_data_are_read_as_their_table_counts():
    name = "the-adventure-of-the-bruce-partington-plans.tsv"
    texts = read_paragraph_file(data("paragraphs", "sb", name))
    assert len(texts) == 1
    assert len(texts[0]) == 895
    assert len(texts[0].paragraphs) == 298


def test_files_about_a_folder_are_no_texts(write, tmp_path):
    names = [
        "LICENSE.txt.gz",
        "Licence to Kill.html",
        "README.de.md",
        "readme.txt",
        "license-2.txt",
    ]
    for name in [*names, "contributing.docx"]:
        write(f"in/{name}", "It rained.\n")
    notes = Notes()
    files = text_files([str(tmp_path / "in")], notes)
    assert [file.name for file in files] == ["Licence to Kill.html", "license-2.txt"]
    (note,) = notes.all()
    assert (note.count, note.kind.partition(",")[0]) == (2, "texts named as READMEs or licences")
    write("of/readme.txt", "It rained.\n")
    with pytest.raises(InputError, match="beside READMEs and licences; name the files"):
        text_files([str(tmp_path / "of")])


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (["(0:01) It rained.", "(0:03) He came."], "a time before each line"),
        (["[00:00:01.5] It rained.", "[00:01:03] He came."], "a time before each line"),
        (["00:00:01 It rained.", "01:00:03 He came."], "a time before each line"),
        (["0:01", "It rained.", "He came.", "0:07", "She left."], "times on lines of their own"),
        (["It rained at 10:30.", "10:45", *["He came."] * 4], ""),
        (["12:30 trains left.", "They came (0:01) late."], ""),
    ],
)
def test_times_of_transcripts_are_no_text(lines, told):
    assert foreign_lines([f"{line}\n" for line in lines]).startswith(told)
    assert told or foreign_lines([f"{line}\n" for line in lines]) == ""


@pytest.mark.parametrize("others_first", [True, False])
def test_lines_are_another_kind_when_more_than_four_fifths_of_them_are(others_first):
    def described(objects, sentences):
        lines = ['{"text": "Es regnete."}\n'] * objects + ["It rained.\n"] * sentences
        return foreign_lines(lines[::-1] if others_first else lines)

    assert described(8, 2) == ""
    assert described(9, 2).startswith("JSON")
    assert described(1, 0).startswith("JSON")
    assert described(0, 0) == ""
