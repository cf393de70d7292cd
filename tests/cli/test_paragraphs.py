from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from bitext.cli.paragraphs import TASKS
from bitext.cli.paragraphs_reading import held_out
from bitext.model import Segmentation, Text

STORIES = Path(__file__).resolve().parents[2] / "fixtures" / "paragraphs"
ENGLISH, GERMAN = STORIES / "ferry.en.tsv", STORIES / "clock.de.tsv"
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
        (["split", "nothere.txt"], "no such file"),
        (["split", "-", "-"], "standard input (-) is given twice"),
        (["split", "x", "--sentences", "--layout", "lines"], "exclude each other"),
        (["train", "x"], "the following arguments are required: -o/--output"),
        (["train", "x", "-o", "-"], "-o names no file"),
        (["train", "x", "-o", "no/m"], "no/m: there is no no"),
        (["train", "x", "-o", "m", "--method", "svn"], "did you mean 'svm'?"),
        (["train", "x", "-o", "m", "--tune-offset"], "--tune-offset needs held-out texts"),
        (["train", "x", "-o", "m", "--dev-share", "1.5"], "want a share below 1"),
        (["train", "x", "-o", "m", "--dev", "y", "--dev-share", "0.1"], "exclude each other"),
        (["train", "x", "-o", "m", "--method", "svm", "--resume", "s"], "--resume is for semi"),
        (["train", "x", "-o", "m", "--features", "lenght"], "did you mean 'length'?"),
        (["train", "x", "-o", "m", "--features", "length,paper"], "want one preset"),
        (["score", "x", "--methods", "quotes"], "give --train FILES or --split"),
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
    assert "106 sentences in 1 chapters" in result.err


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


def test_running_text_is_split_by_punkt(bitext, model):
    result = bitext("paragraphs", "split", BOOK, "--model", model, "--breaks", "ignore", "-q")
    given = BOOK.read_text(encoding="utf-8")
    assert result.out.split() == given.split()
    joined = bitext(
        *("paragraphs", "split", BOOK, "--model", model, "-q", "--unwrap", "--to", "text")
    )
    assert joined.out.split() == given.split()
    assert "river stood so high that the ferry could not cross. Anna" in joined.out


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
    assert "no model of the language 'la' ships" in result.err


# train, score, show, export, import


def test_training_tells_what_was_learned(bitext, tmp_path):
    model, state = tmp_path / "m", tmp_path / "state"
    arguments = ("paragraphs", "train", ENGLISH, "-o", model, "--dev-share", "0.25")
    result = bitext(*arguments, "--passes", "3", "--resume", state, "--tune-offset")
    assert result.status == 0
    assert "note: learned from 3 texts, 79 sentences and 36 paragraphs" in result.err
    assert "passes, duality gap" in result.err
    assert "note: offset" in result.err
    assert "semi-markov\tF1\thigher\t0." in result.out
    assert state.exists()
    again = tmp_path / "again"
    bitext(*arguments[:4], again, *arguments[5:], "--passes", "3", "--tune-offset", "-q")
    assert again.read_bytes() == model.read_bytes()


def test_training_goes_on_where_it_stopped(bitext, tmp_path):
    arguments = ("paragraphs", "train", ENGLISH, "-q", "--solver", "bcfw")
    whole, state = tmp_path / "whole", tmp_path / "state"
    assert bitext(*arguments, "-o", whole, "--passes", "4").status == 0
    part = tmp_path / "part"
    assert bitext(*arguments, "-o", part, "--passes", "2", "--resume", state).status == 0
    assert bitext(*arguments, "-o", part, "--passes", "4", "--resume", state).status == 0
    found = [json.loads(bitext("paragraphs", "show", m, "--json").out) for m in (whole, part)]
    assert found[0]["weights"] == found[1]["weights"]
    other = bitext(*arguments, "-o", part, "--cost", "7", "--resume", state)
    assert other.status == 2
    assert "the state to resume from" in other.err


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("1\tA.\n0\tB.\n0\tC.\n", "no training text has a break"),
        ("1\tA.\n", "no training text has a break"),
        ("# doc: x\n1\tA b c.\n1\tD.\n", "learned from 1 texts, 2 sentences and 2 paragraphs"),
    ],
)
def test_little_text_trains(bitext, tmp_path, content, told):
    path, model = tmp_path / "little.tsv", tmp_path / "m"
    path.write_text(content, encoding="utf-8")
    result = bitext("paragraphs", "train", path, "-o", model)
    assert result.status == 0
    assert told in result.err
    assert bitext("paragraphs", "split", path, "--model", model).status == 0


@pytest.mark.parametrize("content", ["", "\n", "# title: T\n"])
def test_empty_files_do_not_train(bitext, tmp_path, content):
    path = tmp_path / "empty.tsv"
    path.write_text(content, encoding="utf-8")
    result = bitext("paragraphs", "train", path, "-o", tmp_path / "m", "--sentences")
    assert result.status == 2 or not content.startswith("# t")
    assert len(result.lines()) >= 1
    assert (tmp_path / "m").exists() is (result.status == 0)


def test_plain_text_trains_with_its_breaks_hidden(bitext, tmp_path):
    path, model = tmp_path / "book.txt", tmp_path / "m"
    path.write_text("A b.\nC d.\n\nE f.\n\n* * *\n\nG h.\n", encoding="utf-8")
    result = bitext("paragraphs", "train", path, "-o", model, "--sentences", "--json", "-q")
    card = json.loads(result.out)["card"]
    assert (card["texts"], card["sentences"], card["paragraphs"]) == (2, 4, 3)
    assert card["data"] == ["book.txt"]


def test_starts_within_sentences_are_told(bitext, tmp_path):
    path = tmp_path / "book.txt"
    path.write_text("他说，\n\n好。\n\n她走了。\n", encoding="utf-8")
    result = bitext("paragraphs", "train", path, "-o", tmp_path / "m", "--lang", "zh")
    assert result.status == 0
    assert "paragraphs that start within a sentence, their starts lost" in result.err


def test_chapters_are_parted_by_the_middle_of_their_spans():
    def book(*sizes):
        return [Text(["a"] * n, paragraphs=Segmentation([n])) for n in sizes]

    parts = held_out({"one": book(895)}, (0.72, 0.21, 0.07))
    assert [len(text) for part in parts for text in part] == [644, 188, 63]
    parts = held_out({"a": book(60, 20, 20), "b": book(10, 90)}, (0.75, 0.25))
    assert [[len(text) for text in part] for part in parts] == [[60, 20, 10, 90], [20]]
    cut = Text(list("abcde"), paragraphs=Segmentation([1, 2, 2]))
    (first,), (last,) = held_out({"one": [cut]}, (0.4, 0.6))
    assert (first.paragraphs, last.paragraphs) == (Segmentation([1, 1]), Segmentation([1, 2]))
    assert list(last.segments()) == ["c", "d", "e"]


def test_features_are_chosen(bitext, tmp_path):
    path = tmp_path / "m"
    common = ("paragraphs", "train", ENGLISH, "-o", path, "-q", "--passes", "1", "--features")
    for given, groups in (("first-word,edge-length", ["first-word", "edge-length"]),):
        assert bitext(*common, given).status == 0
        found = json.loads(bitext("paragraphs", "show", path, "--json").out)
        assert found["groups"] == groups
    assert bitext(*common, "default,-first-word").status == 0
    groups = json.loads(bitext("paragraphs", "show", path, "--json").out)["groups"]
    assert "first-word" not in groups
    assert "edge-length" in groups


def test_models_and_methods_are_scored(bitext, model):
    arguments = ("paragraphs", "score", GERMAN, "--resamples", "50")
    split = bitext(*arguments, "--methods", "quotes,semi-markov", "--split", "72/28", "--json")
    found = json.loads(split.out)
    assert found["baseline"] == "quotes"
    assert {row["method"] for row in found["rows"]} == {"quotes", "semi-markov"}
    trained = bitext(*arguments, "--methods", "majority", "--train", ENGLISH, "--model", model)
    assert trained.status == 0
    assert next(line.split("\t")[0] for line in trained.out.splitlines()[1:]) == str(model)
    assert "majority\tF1" in trained.out
    table = bitext(*arguments, "--model", model, "--format", "table")
    assert "4 chapters, 74 decisions" in table.out


def test_a_method_without_its_package_is_told_or_left_out(bitext, monkeypatch):
    for name in ("sklearn", "sklearn.svm", "sklearn.ensemble", "pycrfsuite", "sklearn_crfsuite"):
        monkeypatch.setitem(sys.modules, name, None)
    common = ("paragraphs", "score", ENGLISH, "--split", "1/1", "--resamples", "0", "--methods")
    result = bitext(*common, "svm")
    assert result.status == 2
    assert "pip install 'bitext[paragraphs]'" in result.err
    result = bitext(*common, "all")
    assert result.status == 0
    assert "svm is left out" in result.err
    assert "semi-markov\tF1" in result.out


def test_models_are_shown_written_out_and_read_again(bitext, model, tmp_path):
    shown = bitext("paragraphs", "show", model, "--top", "3", "--format", "tsv")
    assert "method\tsemi-markov" in shown.out
    assert "data\tferry.en.tsv" in shown.out
    weights = shown.out.split("feature\tweight\n")[1].splitlines()
    assert len(weights) == 6
    values = [float(line.split("\t")[1]) for line in weights]
    assert values == sorted(values, reverse=True)
    for name in ("table.tsv", "table.json"):
        table, again = tmp_path / name, tmp_path / "again"
        assert bitext("paragraphs", "export", model, table).status == 0
        assert bitext("paragraphs", "import", table, again).status == 0
        assert again.read_bytes() == model.read_bytes()


def test_what_is_no_model_is_told(bitext, model, tmp_path):
    path = tmp_path / "m"
    for content in (b"", b"no model", model.read_bytes()[:300]):
        path.write_bytes(content)
        result = bitext("paragraphs", "split", ENGLISH, "--model", path)
        assert result.status == 2
        assert len(result.lines()) == 1
        assert str(path) in result.err
    table = tmp_path / "t.tsv"
    bitext("paragraphs", "export", model, table)
    text = table.read_text(encoding="utf-8")
    table.write_text(text.replace("paragraphs 1", "paragraphs 9", 1), encoding="utf-8")
    assert "version 1" in bitext("paragraphs", "import", table, path).err
