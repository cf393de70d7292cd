from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from bitext.cli.paragraphs.files import groups_of, held_out, texts_of
from bitext.model import Segmentation, Text
from bitext.segment.training import SemiMarkov

STORIES = Path(__file__).resolve().parents[2] / "fixtures" / "paragraphs"
ENGLISH, GERMAN = STORIES / "ferry.en.tsv", STORIES / "clock.de.tsv"


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    from bitext.cli.main import main

    path = tmp_path_factory.mktemp("models") / "ferry.model"
    assert main(["paragraphs", "train", str(ENGLISH), "-o", str(path), "-q", "--cost", "1"]) == 0
    return path


def test_training_tells_what_was_learned(bitext, tmp_path):
    model, state = tmp_path / "m", tmp_path / "state"
    arguments = ("paragraphs", "train", ENGLISH, "-o", model, "--dev-share", "0.25")
    result = bitext(*arguments, "--passes", "3", "--resume", state, "--tune-offset")
    assert result.status == 0
    assert "note: learned from 3 texts, 79 sentences and 36 paragraphs" in result.err
    assert "passes, duality gap" in result.err
    assert "note: semi-markov: offset " in result.err
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
        ("# doc: x\n1\tA b c.\n1\tD.\n", "learned from 1 text, 2 sentences and 2 paragraphs"),
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
    assert (result.status, len(result.lines())) == (2, 1)
    assert "has no sentence" in result.err
    assert not (tmp_path / "m").exists()


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
    assert [len(text) for part in parts for text in texts_of(part)] == [644, 188, 63]
    parts = held_out({"a": book(60, 20, 20), "b": book(10, 90)}, (0.75, 0.25))
    assert [[len(text) for text in texts_of(part)] for part in parts] == [[60, 20, 10, 90], [20]]
    cut = Text(list("abcde"), paragraphs=Segmentation([1, 2, 2]))
    (first,), (last,) = map(texts_of, held_out({"one": [cut]}, (0.4, 0.6)))
    assert (first.paragraphs, last.paragraphs) == (Segmentation([1, 1]), Segmentation([1, 2]))
    assert list(last.segments()) == ["c", "d", "e"]


def test_books_are_held_out_whole_and_chapters_where_there_is_one_book():
    text = Text(["a"], paragraphs=Segmentation([1]))
    assert groups_of({"a": [text, text], "b": [text]}) == ["a", "a", "b"]
    assert groups_of({"a": [text, text], "b": []}) == ["chapter 1", "chapter 2"]


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


def test_scored_texts_without_a_break_are_noted_with_the_remedy(bitext, model, tmp_path):
    path = tmp_path / "lines.txt"
    path.write_text("One came. She sat.\nTwo went.\n", encoding="utf-8")
    arguments = ("paragraphs", "score", path, "--model", model)
    found = bitext(*arguments)
    assert "no scored text has a paragraph break" in found.err
    assert "(a paragraph a line: --layout lines)" in found.err
    assert f"taken as English (--lang CODE): 1, first {path}" in found.err
    assert "no scored text" not in bitext(*arguments, "--layout", "lines").err


def test_texts_without_a_break_beside_others_are_noted(bitext, write, tmp_path):
    said = [f"The {one} came home in the evening.\n" for one in ("cat", "dog", "boy", "cook")]
    train = ("paragraphs", "train", "--lang", "en", "--passes", "1", "-o", tmp_path / "m")
    broken = write("a.txt", "\n".join(said * 8))
    found = bitext(*train, broken, write("b.txt", "".join(said * 8)))
    assert "texts without a paragraph break beside others with some" in found.err
    assert "b.txt" in found.err.split("beside others")[1]
    assert "beside others" not in bitext(*train, broken, write("c.txt", "".join(said))).err


def test_scores_are_a_page_too(bitext, model, tmp_path):
    arguments = ("paragraphs", "score", GERMAN, "--resamples", "0", "--model", model, "-q")
    page = tmp_path / "page.html"
    result = bitext(*arguments, "--html", page, "--format", "table")
    assert "WindowDiff" in result.out
    html = page.read_text(encoding="utf-8")
    assert "Paragraphs against the gold standard" in html
    f1 = bitext(*arguments, "--json").out.split('"figure": "F1"')[1]
    value = json.loads(f1.split('"value": ')[1].split(",")[0])
    assert f">{value:.4f}<" in html
    assert bitext(*arguments, "--html", "-").out == html
    for more, told in (
        (["--html", ""], "--html names no file"),
        (["--html", "-", "--json"], "--html - takes standard output"),
        (["--html", model], "is the same file as"),
    ):
        refused = bitext(*arguments, *more)
        assert (refused.status, refused.out) == (2, "")
        assert told in refused.err
    assert model.read_bytes()[:9] != b"<!DOCTYPE"


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


@pytest.mark.parametrize(
    ("method", "used"),
    [
        ("majority", ()),
        ("quotes", ()),
        ("svm", ("--cost", "--passes", "--features")),
        ("boosting", ("--features",)),
        ("crf", ("--passes", "--features")),
        ("max-margin-chain", ("--solver", "--cost", "--passes", "--features", "--longest")),
        ("semi-markov", ("--solver", "--cost", "--passes", "--features", "--longest")),
    ],
)
def test_options_that_a_method_has_no_use_for_are_refused(bitext, tmp_path, method, used):
    values = {
        "--solver": "bcfw",
        "--cost": "0.1",
        "--passes": "2",
        "--features": "paper",
        "--longest": "40",
    }
    for option, value in values.items():
        # Of no text: what is not refused gets as far as reading it.
        command = ["paragraphs", "train", tmp_path / "none.txt", "-o", tmp_path / "m"]
        result = bitext(*command, "--method", method, option, value)
        assert result.status == 2
        told = "no such file" if option in used else f"and --method is {method}: leave it out"
        assert told in result.err


def test_all_methods_are_tuned_alike(bitext, monkeypatch):
    # Costs at which training converges at once.
    monkeypatch.setattr(SemiMarkov, "tuned", ("cost", (1e-5, 1e-4)))
    command = ["paragraphs", "score", ENGLISH, "--resamples", "0", "--format", "tsv"]
    learned = [*command, "--train", ENGLISH, "--methods", "majority,max-margin-chain,semi-markov"]
    result = bitext(*learned, "--tune")
    assert result.status == 0
    for name in ("max-margin-chain", "semi-markov"):
        assert f"note: {name}: C 0.0001, offset +" in result.err
    assert "held out in turn for that: chapter 1, chapter 4; chapter 2; chapter 3" in result.err
    assert result.out.count("\tF1\t") == 3
    assert "note: scored texts that are learned from, too: 4; figures of them flatter" in result.err
    learned = [*command, "--methods", "majority,semi-markov", "--train", ENGLISH, "--cost", "1e-4"]
    told = bitext(*learned, "--dev", ENGLISH, "--tune-offset")
    assert "note: semi-markov: offset +" in told.err
    assert "held out in turn" not in told.err
    assert "note: held-out texts that are learned from, too: 4;" in told.err
    assert told.out != bitext(*learned).out  # no break without the offset
