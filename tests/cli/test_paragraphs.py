from __future__ import annotations

import gzip
import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from bitext.cli.paragraphs import TASKS

STORIES = Path(__file__).resolve().parents[2] / "fixtures" / "paragraphs"
ENGLISH = STORIES / "ferry.en.tsv"
BOOK = STORIES / "ferry.en.txt"


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    from bitext.cli.main import main

    path = tmp_path_factory.mktemp("models") / "ferry.model"
    arguments = ["paragraphs", "train", str(ENGLISH), "-o", str(path), "-q", "--lang", "en"]
    assert main([*arguments, "--cost", "1"]) == 0
    return path


@pytest.fixture
def lines_of_book(tmp_path):
    """The English story, one sentence a line: no package is needed to split it."""
    path = tmp_path / "lines.txt"
    text = ENGLISH.read_text(encoding="utf-8")
    sentences = [line[2:] for line in text.splitlines() if line[:2] in {"0\t", "1\t"}]
    path.write_text("\n".join(sentences) + "\n", encoding="utf-8")
    return path


# help and what is wrong with a command


def test_help_tells_the_tasks(bitext):
    result = bitext("paragraphs", "--help")
    assert result.status == 0
    assert all(f"  {name}" in result.out for name in TASKS)


def test_help_of_each_task_imports_nothing_heavy():
    code = (
        "import sys, contextlib, io\n"
        "from bitext.cli.main import main\n"
        f"for task in {list(TASKS)!r}:\n"
        "    with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):\n"
        "        main(['paragraphs', task, '--help'])\n"
        "print([n for n in ('numpy', 'lxml', 'nltk', 'punkt', 'sklearn') if n in sys.modules])\n"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["spilt"], "no task 'spilt'; did you mean 'split'?"),
        (["split"], "the following arguments are required: IN"),
        (["split", "x", "--modle", "en"], "no option --modle; did you mean --model?"),
        (["split", "x", "--to", "masses", "--confidence"], "--confidence has no place in masses"),
        (["split", "x", "--to", "tsv", "--unwrap"], "--unwrap is for text"),
        (["split", "x", "--min-confidence", "2"], "want a share from 0 to 1"),
        (["split", "x", "-o", "b.docx"], "not written as .docx: want .txt, .tsv, .masses, .jsonl"),
        (["split", "x", "-o", "b.csv.gz"], "not written as .csv: want .txt"),
        (["split", "x", "-o", "b.html"], "a page is written with --html b.html"),
        (["split", "nothere.txt"], "no such file"),
        (["split", "-", "-"], "standard input (-) is given twice"),
        (["split", "x", "--sentences", "--layout", "lines"], "exclude each other"),
        (["train", "x"], "the following arguments are required: -o/--output"),
        (["train", "x", "-o", "-"], "-o names no file"),
        (["train", "x", "-o", "no/m"], "no/m: there is no folder no; make it"),
        (
            ["train", "x", "-o", f"{__file__}/m"],
            f"no folder {__file__}, but a file of that name; name another",
        ),
        (["train", "x", "-o", "/"], "/: is a directory; name a file in it"),
        (["train", "x", "-o", "m", "--method", "svn"], "did you mean 'svm'?"),
        (["train", "x", "-o", "m", "--tune-offset"], "--tune-offset needs held-out texts"),
        (["train", "x", "-o", "m", "--dev-share", "1.5"], "want a share below 1"),
        (["train", "x", "-o", "m", "--dev", "y", "--dev-share", "0.1"], "exclude each other"),
        (["train", "x", "-o", "m", "--method", "svm", "--resume", "s"], "--resume is for semi"),
        (["train", "x", "-o", "m", "--passes", "0"], "--passes 0: want 1 or more"),
        (
            ["score", "x", "--longest", "3"],
            "--longest is for --methods max-margin-chain, semi-markov: name one of them",
        ),
        (["score", "x", "--features", "paper"], "--features is for --methods svm, boosting, crf, "),
        (
            ["score", "x", "--methods", "quotes", "--split", "72/21/7", "--tune-offset"],
            "--tune-offset is for --methods svm, boosting, crf, max-margin-chain, semi-markov: ",
        ),
        (["score", "x", "--methods", "quotes", "--tune"], "--tune is for --methods svm, boosting"),
        (["score", "x", "--methods", "crf", "--train", "y", "--cost", "1"], "--cost is for --meth"),
        (
            ["score", "x", "--methods", "svm", "--train", "y", "--dev", "x"],
            "--dev is for --train with --tune or --tune-offset: give both",
        ),
        (
            ["score", "x", "--methods", "svm", "--train", "y", "--tune", "--cost", "1"],
            "--tune replaces --cost: leave it out",
        ),
        (
            ["train", "x", "-o", "m", "--tune", "--tune-offset", "--dev", "y"],
            "--tune replaces --tune-offset: leave it out",
        ),
        (["train", "x", "-o", "m", "--tune", "--resume", "s"], "--resume is of one: leave one out"),
        (["train", "x", "-o", "m", "--method", "quotes", "--tune"], "and --method is quotes"),
        (["score", "x", "--seed", "3", "--resamples", "0"], "--resamples 0 makes none: leave one"),
        (["score", "x", "--test", "bootstrap"], "there is one: give several --model or --methods"),
        (["train", "x", "-o", "m", "--features", "lenght"], "did you mean 'length'?"),
        (["train", "x", "-o", "m", "--features", "length,paper"], "want one preset"),
        (
            ["score", "x", "--methods", "quotes,crf"],
            "--methods crf: are trained before: give --train FILES or --split",
        ),
        (
            ["score", "x", "--methods", "crf", "--train", "y", "--split", "1/1"],
            "exclude each other",
        ),
        (["score", "x", "--methods", "qotes", "--split", "1/1"], "did you mean 'quotes'?"),
        (["score", "x", "--methods", "quotes", "--split", "72-28"], "want two or three shares"),
        (["score", "x", "--train", "y"], "--train is for --methods"),
        (["score", "x", "--methods", "all", "--split", "8/2", "--tune-offset"], "a share between"),
        (["show", "xx"], "no model of the language 'xx' ships"),
        (["show", "no.model"], "no.model: no such file"),
        (["export", "no.model", "x.tsv"], "no.model: no such file"),
        (["import", "no.tsv", "m"], "no.tsv: cannot be read"),
    ],
)
def test_what_is_wrong_with_a_command_is_one_line(bitext, tmp_path, monkeypatch, arguments, told):
    monkeypatch.chdir(tmp_path)
    for name in "xy":
        (tmp_path / name).write_text("1\tA.\n0\tB.\n", encoding="utf-8")
    result = bitext("paragraphs", *arguments)
    assert result.status == 2
    assert told in result.err
    assert len(result.lines()) == 1
    assert not result.out


# split


def test_breaks_are_added_to_sentences_in_lines(bitext, model, lines_of_book):
    result = bitext("paragraphs", "split", lines_of_book, "--sentences", "--model", model)
    assert result.status == 0
    given = lines_of_book.read_text(encoding="utf-8")
    assert result.out.replace("\n\n", "\n") == given
    assert result.out.count("\n\n") > 20
    assert f"note: model {model}" in result.err
    assert "106 sentences in 1 chapter" in result.err


def test_a_file_of_paragraphs_is_parted_anew(bitext, model):
    arguments = ("paragraphs", "split", ENGLISH, "--model", model, "--breaks", "ignore", "-q")
    result = bitext(*arguments, "--to", "tsv")
    found = result.out.splitlines()
    given = [line for line in ENGLISH.read_text(encoding="utf-8").splitlines() if "\t" in line]
    assert [line[1:] for line in found if "\t" in line] == [line[1:] for line in given]
    assert next(line for line in found if line.startswith("#")) == "# doc: CHAPTER I. The Wire"
    signs = [line[0] for line in found if "\t" in line]
    agreed = sum(a == b[0] for a, b in zip(signs, given, strict=True))
    assert agreed > 100  # it was trained on them
    masses = bitext(*arguments, "--to", "masses").out.splitlines()
    lengths = [line.split("\t")[1].split(",") for line in masses]
    assert [sum(map(int, line)) for line in lengths] == [24, 26, 29, 27]
    assert sum(map(len, lengths)) == signs.count("1")
    rows = [json.loads(line) for line in bitext(*arguments, "--to", "jsonl").out.splitlines()]
    assert [len(row["sentences"]) for row in rows] == [int(x) for line in lengths for x in line]
    assert rows[0]["chapter"] == "CHAPTER I. The Wire"
    assert rows[0]["paragraph"] == 1


def test_breaks_that_are_there_are_kept(bitext, model):
    result = bitext("paragraphs", "split", ENGLISH, "--model", model, "--to", "tsv", "-q")
    given = [line for line in ENGLISH.read_text(encoding="utf-8").splitlines() if "\t" in line]
    found = [line for line in result.out.splitlines() if "\t" in line]
    assert all(b[0] == "1" for a, b in zip(given, found, strict=True) if a[0] == "1")


def test_confidences_are_told_and_bound(bitext, model):
    arguments = ("paragraphs", "split", ENGLISH, "--model", model, "--breaks", "ignore", "-q")
    rows = [
        line.split("\t")
        for line in bitext(*arguments, "--to", "tsv", "--confidence").out.splitlines()
        if "\t" in line
    ]
    assert all(0 <= float(row[2]) <= 1 for row in rows)
    assert any(row[0] == "1" and 0.5 < float(row[2]) < 1 for row in rows)
    sure = bitext(*arguments, "--to", "jsonl", "--confidence", "--min-confidence", "0.7").out
    found = [json.loads(line) for line in sure.splitlines()]
    assert all(row["confidence"] >= 0.7 for row in found)
    assert len(found) == sum(row[0] == "1" and float(row[2]) >= 0.7 for row in rows)


def test_the_ending_before_that_of_compression_names_the_output(bitext, model, write, tmp_path):
    book = write("book.tsv", "1\tOne.\n0\tTwo.\n")
    out = tmp_path / "out.masses.gz"
    assert bitext("paragraphs", "split", book, "--model", model, "-o", out).status == 0
    assert gzip.decompress(out.read_bytes()) == b"chapter-1\t2\n"


def test_standard_input_to_standard_output(bitext, model, lines_of_book, monkeypatch):
    data = lines_of_book.read_bytes().replace(b"\n", b"\r\n")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    result = bitext("paragraphs", "split", "-", "--sentences", "--model", model)
    assert result.out.replace("\r\n\r\n", "\r\n") == data.decode()
    assert "\r\n\r\n" in result.out


def test_a_folder_becomes_a_folder(bitext, model, tmp_path):
    books = tmp_path / "books"
    (books / "a").mkdir(parents=True)
    (books / "a" / "one.txt").write_text("It rained.\nIt rained.\n", encoding="utf-8")
    (books / "two.tsv").write_text("1\tIt rained.\n", encoding="utf-8")
    (books / ".hidden.txt").write_text("No.\n", encoding="utf-8")
    out = tmp_path / "out"
    common = ("paragraphs", "split", books, "--sentences", "--model", model)
    result = bitext(*common, "-o", f"{out}/")
    assert result.status == 0
    written = sorted(path.relative_to(out).as_posix() for path in out.rglob("*.*"))
    assert written == ["a/one.txt", "two.txt"]
    assert "2 texts into one would run together" in bitext(*common).err
    lines = bitext(*common, "--to", "masses").out.splitlines()
    assert [line.split("\t")[0] for line in lines] == ["a/one.txt: chapter-1", "two.tsv: chapter-1"]


ROWS = (
    *("# doc: A", "1\tOne.", "0\tTwo.", "", "1\t* * *", "", "# doc: B", "1\tX."),
    *("0\tHe left.", "1\t***", "0\tCHAPTER IV", "", "# doc: C", "1\tTHE FLOOD", ""),
)


@pytest.mark.parametrize("breaks", ["keep", "ignore"])
def test_every_row_of_a_table_is_a_sentence(bitext, model, write, breaks):
    path = write("book.tsv", "\n".join(ROWS))
    common = ("paragraphs", "split", path, "--model", model, "--breaks", breaks)
    result = bitext(*common, "--to", "tsv")
    rows = [row for row in ROWS if row and row != ROWS[4]]
    rows.insert(3, "# doc: A (2)\n1\t* * *")
    found = [row for row in result.out.splitlines() if row]
    assert [row[1:] for row in found] == [row[1:] for row in "\n".join(rows).splitlines()]
    assert "of 8 sentences in 4 chapters" in result.err
    scored = bitext("paragraphs", "score", path, "--model", model, "--json")
    assert json.loads(scored.out)["chapters"] == 4
    assert json.loads(bitext(*common, "--to", "jsonl").out.splitlines()[-1]) == {
        "chapter": "C",
        "paragraph": 1,
        "sentences": ["THE FLOOD"],
    }


def test_a_table_without_names_of_chapters_gets_none(bitext, model, write):
    rows = "1\tOne.\n0\tTwo.\n\n1\tHe left.\n"
    common = ("paragraphs", "split", write("book.tsv", rows), "--model", model, "-q")
    assert bitext(*common, "--to", "tsv").out == rows + "\n"
    assert bitext(*common).out == "One.\nTwo.\n\n* * *\n\nHe left.\n"
    masses = bitext(*common, "--to", "masses").out.splitlines()
    assert [row.split("\t")[0] for row in masses] == ["chapter-1", "chapter-2"]


def test_a_text_is_not_written_over_itself(bitext, model, lines_of_book):
    result = bitext("paragraphs", "split", lines_of_book, "--model", model, "-o", lines_of_book)
    assert result.status == 2
    assert "is the same file as" in result.err


@pytest.mark.parametrize("to", ["text", "tsv", "masses", "jsonl"])
@pytest.mark.parametrize("content", ["", "\n\n", "One sentence.", "Eins\n", "…\n", "\ufeffA.\n"])
def test_small_texts_are_answered(bitext, model, tmp_path, content, to):
    path = tmp_path / "small.txt"
    path.write_text(content, encoding="utf-8")
    result = bitext("paragraphs", "split", path, "--sentences", "--model", model, "--to", to)
    assert result.status == 0
    if to == "text":
        assert result.out == content.removeprefix("\ufeff")
    if not content.strip():
        assert "texts without a sentence" in result.err


@pytest.mark.parametrize("breaks", ["keep", "ignore"])
def test_sentences_of_100_000_characters_are_answered(bitext, model, tmp_path, breaks):
    path = tmp_path / "long.txt"
    content = f"{'word ' * 20_000}end.\n{'x' * 100_000}.\nShort.\n"
    path.write_text(content, encoding="utf-8")
    arguments = ("--sentences", "--model", model, "--breaks", breaks)
    result = bitext("paragraphs", "split", path, *arguments)
    assert result.status == 0
    assert result.out.replace("\n\n", "\n") == content


@pytest.mark.parametrize(
    ("content", "told"),
    [(b"A\0B\n", "has a NUL byte"), (b"\xff\xfa\n", "is not utf-8"), (b"1\tA.\nB\n", "line 2")],
)
def test_files_that_are_no_text_are_told(bitext, model, tmp_path, content, told):
    path = tmp_path / "bad.txt"
    path.write_bytes(content)
    result = bitext("paragraphs", "split", path, "--sentences", "--model", model)
    assert result.status == 2
    assert told in result.err
    assert "line" in result.err


def test_a_model_in_the_place_of_a_text_is_refused_with_its_option(bitext, model):
    for inputs in ([model], [model, BOOK], [BOOK, model]):
        told = bitext("paragraphs", "split", *inputs).err
        assert told.endswith(
            "ferry.model: is a model of paragraphs, not text: give it as a model (--model)\n"
        )
    assert "(--model of bitext paragraphs)" in bitext("align", model, BOOK).err


def test_running_text_is_split_by_punkt(bitext, model):
    result = bitext("paragraphs", "split", BOOK, "--model", model, "--breaks", "ignore", "-q")
    given = BOOK.read_text(encoding="utf-8")
    assert result.out.split() == given.split()
    joined = bitext(
        *("paragraphs", "split", BOOK, "--model", model, "-q", "--unwrap", "--to", "text")
    )
    assert joined.out.split() == given.split()
    assert "river stood so high that the ferry could not cross. Anna" in joined.out


GERMAN = """Er ging in das Haus, und sie war nicht da. Dann kam der Wirt, und es wurde still.
„Sie kommt nicht“, sagte er. „Wir warten.“ Draußen fiel der Regen auf die Straße.
"""


def test_the_rule_of_quotation_marks_needs_no_training(bitext, write):
    found = bitext("paragraphs", "score", ENGLISH, "--methods", "quotes", "--resamples", "0", "-q")
    trained = bitext(
        *("paragraphs", "score", ENGLISH, "--methods", "quotes", "--resamples", "0", "-q"),
        *("--train", write("t.tsv", "1\tOne.\n0\tTwo.\n")),
    )
    assert found.status == 0
    assert found.out == trained.out
    assert "quotes\trecall\thigher\t0.81" in found.out


def test_several_books_of_project_gutenberg_in_a_file_are_all_read(bitext, write):
    books = [
        f"The Project Gutenberg eBook of {name}\n\n*** START OF THE PROJECT GUTENBERG EBOOK {name} "
        f"***\n\nIt was a {name}. It rained.\n\n*** END OF THE PROJECT GUTENBERG EBOOK {name} ***\n"
        for name in ("bell", "boat")
    ]
    text = write("a.txt", "\nThe license.\n\n".join(books))
    rows = bitext("paragraphs", "split", text, "--to", "tsv", "-q", "--lang", "en").out
    assert [line[2:] for line in rows.splitlines() if line[1:2] == "\t"] == [
        *("It was a bell.", "It rained.", "It was a boat.", "It rained.")
    ]
    as_text = bitext("paragraphs", "split", text, "-q", "--lang", "en").out
    assert as_text.split() == "\nThe license.\n\n".join(books).split()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("It rained. ||| Es regnete.\nHe came. ||| Er kam.\n", "two texts with ||| between"),
        ('{"text": "It rained."}\n{"text": "He came."}\n', "JSON"),
        ('<s id="1">It rained.</s>\n<s id="2">He came.</s>\n', "markup"),
        ("It rained.\t1\nHe came.\t0\n", "columns with tabs between"),
        ("It rained.\\nHe came.\\n\\nShe left.\n", "line ends written as two characters"),
        ("it/PRP rained/VBD\nhe/PRP came/VBD\n", "words with their tags"),
    ],
)
def test_what_seems_to_be_no_text_is_told(bitext, write, text, told):
    found = bitext("paragraphs", "split", write("a.txt", text), "--lang", "en")
    assert found.status == 0
    assert f"lines that seem to be {told}" in found.err
    found = bitext("cluster", write("b.txt", text), "--preset", "V1", "--from", "text")
    assert f"lines that seem to be {told}" in found.err


def test_lines_that_end_with_carriage_returns_alone_are_refused(bitext, write):
    path = write("a.txt", "It rained.\rHe came.\r")
    for command in (["paragraphs", "split", "--lang", "en"], ["cluster", "--preset", "V1"]):
        found = bitext(*command, path, *["--from", "text"] * (command[0] == "cluster"))
        assert found.status == 2
        assert f"{path}: has carriage returns (CR) alone where lines end" in found.err


def test_subtitles_are_no_text(bitext, write):
    cues = "1\n00:00:01,000 --> 00:00:02,500\nHello.\n"
    for task in (["paragraphs", "split"], ["cluster", "--preset", "V1"]):
        found = bitext(*task, write("a.srt", cues))
        assert found.status == 2
        assert "is subtitles: leave their numbers and times out" in found.err


def test_documents_are_books_whose_headings_begin_chapters(bitext, write):
    body = "<h1>One</h1><p>It rained. We <b>stayed</b>.</p><p>He came.</p><h2>Two</h2><p>So?</p>"
    found = bitext("paragraphs", "split", write("a.html", f"<html><body>{body}"), "--to", "tsv")
    first = ["# doc: One", "1\tIt rained.", "0\tWe stayed.", "1\tHe came."]
    assert found.out.strip().splitlines() == [*first, "", "# doc: Two", "1\tSo?"]


def test_a_folder_of_documents_and_texts_is_split_file_by_file(bitext, write, tmp_path):
    page = "<html><nav>Menu</nav><main><h1>One</h1><p>It rained. We stayed.</p></main></html>"
    write("in/a.html", page)
    write("in/sub/b.md.txt", "He came. She sat.\n")
    write("in/c.txt", "It rained.\n")
    write("in/c.html", "<html><p>It rained.</html>")
    write("in/README.md", "# About\n")
    out = tmp_path / "out"
    options = ["--lang", "en", "--main-text", "-o", f"{out}/"]
    found = bitext("paragraphs", "split", tmp_path / "in", *options)
    assert sorted(path.relative_to(out).as_posix() for path in out.rglob("*.*")) == [
        "a.txt",
        "c.txt",
        "sub/b.md.txt",
    ]
    assert (out / "a.txt").read_text("utf-8").splitlines()[0] == "One"
    assert "documents beside the same text in another format, left out" in found.err
    assert "texts that are no HTML, so --main-text is of no use: 2" in found.err
    shown = bitext("paragraphs", "split", tmp_path / "in", "--lang", "en", "--to", "tsv", "-q").out
    assert "# doc: a.html: One" in shown


def test_known_paragraphs_are_those_of_documents(bitext, write, tmp_path):
    body = "<h1>One</h1><p>It rained. We stayed.</p><p>He came.</p><table><tr><td>7</table>"
    write("in/a.html", f"<html><body>{body}<h1>Two</h1><p>So we went. He sang.</p><p>Yes.</p>")
    write("in/b.txt", "It rained. We stayed.\n\nHe came.\n")
    score = ["paragraphs", "score", tmp_path / "in", "--methods", "majority"]
    found = bitext(*score, "--train", tmp_path / "in", "--lang", "en", "--format", "table")
    assert found.status == 0, found.err
    # Chapters One and Two of the page, and the text: 2, 2 and 2 decisions, with a break each.
    assert found.out.startswith("3 chapters, 6 decisions, 3 breaks")
    assert "cells and notes of documents, left out: 2" in found.err  # it is read twice
    verses = write("c.usfm", r"\id RUT\c 1\v 1 It rained.\v 2 He came.")
    found = bitext("paragraphs", "score", verses, "--model", "en")
    assert "has verses as its blocks, and its paragraphs are not known" in found.err
    found = bitext("paragraphs", "split", tmp_path / "in", "--sentences", "--to", "tsv")
    assert "--sentences is for text with one sentence a line, and " in found.err


def test_a_line_of_several_sentences_is_told_in_a_cluster(bitext, write):
    text = write("a.txt", "A fire broke out. It burned. Two men died.\n")
    found = bitext("cluster", text, "--preset", "V1")
    assert "one line of several sentences, taken as one sentence" in found.err


def test_verse_keeps_its_lines(bitext, write):
    verse = (
        "    The mill is old, the mill is grey,\n      The water runs from day to day,\n    And on."
    )
    text = write("a.txt", f"It rained. He sang to\nthem of it.\n\n{verse}\n\nThen he\nleft.\n")
    lines = "It rained. He sang to them of it.\n\n%s\n\nThen he left.\n"
    options = ["--unwrap", "--lang", "en", "-q"]
    assert bitext("paragraphs", "split", text, *options).out == lines % verse
    text = write("b.txt", f"{verse}\n\nThen he\nleft.\n")
    assert bitext("paragraphs", "split", text, *options).out == f"{verse}\n\nThen he left.\n"
    # The first lines of paragraphs may be further in, and so may a whole text.
    text = write("c.txt", "    It rained. He\nsang.\n\n    Then he\nleft.\n")
    assert bitext("paragraphs", "split", text, *options).out.count("\n") == 3
    text = write("d.txt", "    It rained. He\n    sang.\n\n    Then he\n    left.\n")
    assert bitext("paragraphs", "split", text, *options).out.count("\n") == 3


@pytest.mark.parametrize("stream", [False, True])
def test_the_language_of_a_text_is_told_by_its_words(bitext, write, monkeypatch, stream):
    named = bitext("paragraphs", "split", write("a.txt", GERMAN), "--lang", "de", "-q").out
    if stream:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(GERMAN.encode())))
    found = bitext("paragraphs", "split", "-" if stream else write("a.txt", GERMAN))
    assert found.out == named
    assert "note: model 'de' that ships" in found.err
    assert "texts taken as de by their words (--lang CODE): 1" in found.err


def test_what_project_gutenberg_puts_before_a_book_does_not_tell_its_language(bitext, write):
    front = "The Project Gutenberg eBook of it\n\nThis is for the use of you and of all. " * 9
    book = f"{front}\n*** START OF THE PROJECT GUTENBERG EBOOK IT ***\n\n{GERMAN}"
    assert "texts taken as de" in bitext("paragraphs", "split", write("a.txt", book)).err


def test_languages_are_known_by_codes_of_three_letters_and_with_a_region(bitext, write):
    text = write("a.txt", GERMAN)
    by_default = bitext("paragraphs", "split", text)
    assert bitext("paragraphs", "split", text, "--lang", "deu").out == by_default.out
    page = write(
        "b.html", '<html lang="de-AT"><body><p>Die Tessel fährt um zwölf.</p></body></html>'
    )
    assert bitext("paragraphs", "split", page).status == 0


def test_another_language_than_is_named_is_told(bitext, write):
    text = write("a.txt", GERMAN)
    for options in (["--lang", "en"], ["--model", "en"]):
        found = bitext("paragraphs", "split", text, *options)
        assert found.status == 0
        assert "texts whose words are those of de, read as en (--lang CODE): 1" in found.err
    french = (
        "Il entre dans la maison, et elle ne vit pas ce que je vis. Puis ils sont là, et moi.\n"
    )
    found = bitext("paragraphs", "split", write("b.txt", french))
    assert found.status == 2
    assert "is in fr by its words, and no model of that language ships" in found.err
    assert bitext("paragraphs", "split", write("b.txt", french), "--model", "en").status == 0


def test_a_text_in_small_letters_has_sentences(bitext, write):
    text = write("a.txt", "it rained all day. the road was wet. was it late? no one came to us.\n")
    found = bitext("paragraphs", "split", text, "--to", "tsv")
    assert [line[:1] for line in found.out.splitlines()] == ["#", "1", "0", "0", "0", ""]
    assert "texts in lower case only: each full stop ends a sentence" in found.err


@pytest.mark.parametrize(
    ("lang", "sentences"),
    [
        ("de", ["Sie las Bücher, z. B. »Faust« und »Nathan«.", "Er las nie.", "„Ja.“", "Er ging."]),
        (
            "en",
            ["See Fig. 3 and Sec. 2.1 for it.", "It was late.", "“Mr. Hill is here,” said Tom."],
        ),
    ],
)
def test_sentences_are_those_that_align_splits(bitext, tmp_path, lang, sentences):
    text = tmp_path / "a.txt"
    text.write_text(" ".join(sentences) + "\n", encoding="utf-8")
    split = bitext("paragraphs", "split", str(text), "--lang", lang, "--to", "tsv", "-q").out
    assert [line[2:] for line in split.splitlines() if line[1:2] == "\t"] == sentences
    codes = ["--src-lang", lang, "--tgt-lang", lang]
    aligned = bitext("align", str(text), str(text), "--split", *codes, "--to", "jsonl", "-q").out
    assert [json.loads(line)["src_text"] for line in aligned.splitlines()] == sentences


def test_what_project_gutenberg_adds_is_passed_on(bitext, model, tmp_path):
    path = tmp_path / "pg.txt"
    content = (
        "The Project Gutenberg eBook of X\n\nA note. Another note.\n"
        "*** START OF THE PROJECT GUTENBERG EBOOK X ***\n\nIt rained.\n\n"
        "*** END OF THE PROJECT GUTENBERG EBOOK X ***\nA licence. Another one.\n"
    )
    path.write_text(content, encoding="utf-8")
    common = ("paragraphs", "split", path, "--model", model, "--breaks", "ignore")
    assert bitext(*common).out == content
    result = bitext(*common, "--to", "tsv")
    assert result.out == "# doc: chapter-1\n1\tIt rained.\n\n"
    assert "of Project Gutenberg's own, left out" in result.err


def test_a_language_without_a_model_is_told(bitext):
    result = bitext("paragraphs", "split", BOOK, "--lang", "la")
    assert result.status == 2
    assert "no model of the language 'la' ships; there are: de, en. Train one" in result.err
    assert "(bitext paragraphs train texts/ --lang la -o la.model)" in result.err
    assert "name it (--model la.model); if 'la' is a file, it is ./la" in result.err


def test_a_model_is_made_and_named_as_the_error_tells(bitext, write, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for k in range(8):
        paragraphs = [f"Canis {k} currit. Feles {n} dormit.\n" for n in range(20)]
        write(f"texts/{k}.txt", "\n".join(paragraphs))
    write("in.txt", "Canis currit. Feles dormit. Canis 2 currit. Feles 3 dormit.\n")
    told = bitext("paragraphs", "split", "in.txt", "--lang", "la").err
    train = told.partition("(bitext ")[2].partition(")")[0].split()
    assert bitext(*train, "--passes", "2").status == 0
    model = told.partition("name it (")[2].partition(")")[0].split()
    assert bitext("paragraphs", "split", "in.txt", "--lang", "la", *model).status == 0


def test_splitting_writes_a_page_too(bitext, lines_of_book, model, tmp_path):
    page = tmp_path / "page.html"
    arguments = ("paragraphs", "split", lines_of_book, "--layout", "lines", "--model", model)
    alone = bitext(*arguments, "-q")
    result = bitext(*arguments, "-q", "--html", page)
    assert (result.status, result.out) == (0, alone.out)
    html = page.read_text(encoding="utf-8")
    rows = bitext(*arguments, "-q", "--to", "tsv", "--confidence").out.splitlines()
    found = [row.split("\t") for row in rows if row[:2] == "1\t"]
    assert html.count('<p class="part"') == len(found)
    assert html.count('class="sure"') == len(found) - html.count('<div class="chapter"')
    assert f'class="sure">{float(found[1][2]):.2f}<' in html
    for place, told in (("-", "--html - takes standard output"), (lines_of_book, "same file as")):
        refused = bitext(*arguments, "--html", place)
        assert (refused.status, refused.out) == (2, "")
        assert told in refused.err


STORIES = [
    f"The door of house {k} was open. {who} came in and sat down. Nobody spoke."
    for k, who in enumerate(["Anna", "Tom", "The cook", "A boy", "The judge", "A girl", "Nobody"])
]


def test_paragraphs_that_are_lines_are_told(bitext, write):
    path = write("lines.txt", "\n".join(STORIES) + "\n")
    told = "lines seem to be paragraphs, without blank lines between: --layout lines takes each"
    for task in (["split", path], ["score", path, "--resamples", "0"]):
        assert told in bitext("paragraphs", *task).err
    found = bitext("paragraphs", "split", path, "--layout", "lines", "--to", "tsv")
    assert "seem" not in found.err
    assert found.out.count("\n1\t") >= len(STORIES) - 1
    parted = write("parted.txt", "\n\n".join(STORIES) + "\n")
    assert "seem" not in bitext("paragraphs", "split", parted).err


def test_paragraphs_that_begin_further_in_are_told(bitext, write):
    broken = "".join(f"    {text[:40]}\n{text[40:].lstrip()}\n" for text in STORIES)
    told = "paragraphs seem to begin further in: put a blank line before each"
    assert told in bitext("paragraphs", "split", write("in.txt", broken)).err
    parted = broken.replace("    ", "\n    ")
    assert "seem" not in bitext("paragraphs", "split", write("parted.txt", parted)).err


def test_tags_alone_and_references_of_html_are_told(bitext, write):
    text = "She &quot;sang&quot; at home.\n<P>\nHe came late.\n<P>\nNobody spoke.\n"
    found = bitext("paragraphs", "split", write("a.txt", text), "--lang", "en").err
    assert "lines that are a tag alone, taken as text: leave them out, or empty: 2, first" in found
    assert "with references of HTML" in found


def test_page_numbers_amid_sentences_are_told(bitext, write):
    pages = write("a.txt", "It was late. He had found\n\n12\n\nhis boat. He was glad.\n")
    found = bitext("paragraphs", "split", pages)
    assert "numbers amid sentences, as page numbers are, taken as headings" in found.err
    chapters = write("b.txt", "It was late.\n\n12\n\nHe found his boat. He was glad.\n")
    assert "page numbers" not in bitext("paragraphs", "split", chapters).err
