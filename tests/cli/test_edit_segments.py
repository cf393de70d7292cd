"""`bitext edit --segment`: texts to segment, codings of others, what is refused; agreement."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bitext.workbench.project import Project

TALK = """\
The ferry left at noon. It was late.
Nobody minded.

The storm came in the night.
Mr. Smith saw it first.
=====
Bread is made of flour.
It takes an hour.
"""


def test_the_command_makes_a_project_and_tells_the_agreement(bitext, write, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = write("talk.txt", TALK)
    codings = write("coders.json", json.dumps(
        {"items": {"talk": {"bea": [2, 2, 2], "cleo": [2, 3, 1]}}, "segmentation_type": "linear"}
    ))  # fmt: skip
    common = ["--no-server", "--annotator", "anna"]
    made = bitext("edit", path, "--segment", "--codings", codings, *common)
    assert made.status == 0
    assert made.lines()[0] == "note: talk.bitext: 1 document, annotators: anna, bea, cleo"
    assert made.lines()[1] == (
        "note: talk: 6 lines (--units sentences or --units words for others), 3 segments proposed"
    )
    again = bitext("edit", path, "--segment", "--codings", codings, *common)
    assert "is made of these files already" in again.err
    other = bitext("edit", path, "--segment", "--units", "words", *common)
    assert (other.status, "was made of other files or units" in other.err) == (2, True)
    told = bitext("agreement", "talk.bitext", "--format", "tsv")
    rows = [line.split("\t") for line in told.out.splitlines()]
    assert rows[0] == ["document", "annotators", "measure", "value", "units", "share"]
    assert ["talk", "bea, cleo", "boundary-similarity", "0.75", "6", "1.0"] in rows
    page = bitext("edit", "talk.bitext", "--annotator", "bea", "--page", "talk.html")
    assert page.status == 0
    back = bitext("edit", "talk.html", "--project", "back.bitext", *common)
    assert back.status == 0
    with Project("back.bitext") as project:
        rows = project.rows(2)[1]["segments"]
    assert [row.start for row in rows] == ["u1", "u3", "u5"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--units", "words"], "--units is for a text to segment: give --segment, too"),
        (["--segment", "--units", "pages"], "--units pages: want one of lines, sentences, words"),
        (["--segment", "--types", "a,,b"], "--types 'a,,b': want names of 1 to 100"),
        (["--segment", "--types", "a,a"], "a type is there twice"),
        (["--segment", "--split"], "--split is for two texts: give --units sentences"),
        (["--segment", "--src", "x.txt"], "--src is for alignments, and --segment for one text"),
        (["--segment", "--codings-from", "bits"], "--codings-from is for --codings"),
        (["--coders", "a"], "--coders is for a text to segment: give --segment, too"),
        (["--segment", "--codings", "-"], "standard input (-) cannot be part of a project"),
        (["--segment", "--codings", "none.json"], "none.json"),
        (["--segment", "--coders", "a"], "--coders is for files of several coders, and there is"),
        (["--segment", "--time-units", "1"], "--time-units is for TextGrids, and there is none"),
    ],
)
def test_options_that_do_not_fit_are_refused(
    bitext, write, tmp_path, monkeypatch, arguments, message
):
    monkeypatch.chdir(tmp_path)
    write("talk.txt", TALK)
    refused = bitext("edit", "talk.txt", *arguments, "--no-server")
    assert (refused.status, refused.out) == (2, "")
    assert message in refused.err
    assert not (tmp_path / "talk.bitext").exists()


def test_a_table_of_several_coders_is_the_text_and_their_codings(
    bitext, write, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    table = write("scenes.csv", "line,ana,bo\nIt rains.,1,1\nWe go.,0,1\nA dog.,1,0\n")
    options = ["--from", "begin-bits", "--coders", "ana,bo", "--types", "scene", "--no-server"]
    made = bitext("edit", table, "--segment", "--codings", table, *options, "--annotator", "cy")
    assert made.lines()[0] == "note: scenes.bitext: 1 document, annotators: ana, bo, cy"
    assert (
        "note: texts of several coders, of whom none is proposed (add them: --codings)" in made.err
    )
    told = bitext("agreement", "scenes.bitext", "--format", "tsv").out
    assert "scenes\tana, bo\tboundary.f1\t0.0\t3\t1.0" in told


def test_the_notation_of_codings_is_named_by_its_own_option(bitext, write, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text, codings = write("talk.txt", TALK), write("x.lab", "0\n1\n0\n0\n1\n0\n")
    arguments = ["edit", text, "--segment", "--codings", codings, "--no-server"]
    refused = bitext(*arguments)
    assert refused.status == 2
    assert "--codings-from labels or --codings-from begin-bits" in refused.err
    assert bitext(*arguments, "--codings-from", "begin-bits").status == 0


@pytest.mark.parametrize("named", [(), ("--from", "text")])
@pytest.mark.parametrize("options", [["--column", "3"], ["--coders", "2,3"], ["--coders", "2"]])
def test_options_of_labels_are_for_codings_beside_a_text(
    bitext, write, tmp_path, monkeypatch, options, named
):
    monkeypatch.chdir(tmp_path)
    text = write("talk.txt", "One.\nTwo, and more.\nThree.\n")
    codings = write("codes.tsv", "One.\tB\tB\nTwo, and more.\tI\tB\nThree.\tB\tI\n")
    given = ["edit", text, "--segment", *named, "--codings", codings, *options]
    made = bitext(*given, "--no-server", "--project", "p.bitext")
    assert made.status == 0, made.err
    told = f"taken as those of the codings alone ({options[0]}): 1, first {text}"
    # Of this text coders would be none.
    assert (told in made.err) == (not named and options[0] == "--column")
    with Project("p.bitext") as project:
        names = {each.annotator for each in project.segmentations()}
    assert len(names) == 3 + (options[1] == "2,3")  # the text, the user, and the coders


def test_a_text_of_a_name_that_is_taken_is_numbered_and_exported(
    bitext, write, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    for folder in ("x", "y"):
        options = ["--project", "p.bitext", "--no-server", "--annotator", "anna"]
        codings = write(f"{folder}/ben.json", '{"talk": [1, 1], "more": [2]}')
        texts = [write(f"{folder}/{name}.txt", f"{folder}.\nTwo.\n") for name in ("talk", "more")]
        made = bitext("edit", *texts, "--segment", *options, "--codings", codings)
        assert made.status == 0
    assert "named anew: 2, first talk: talk-2" in made.err
    assert "annotators: anna, ben" in made.err
    assert bitext("convert", "p.bitext", "out/", "--to", "jsonl", "--annotator", "ben").status == 0
    assert sorted(path.name for path in Path("out").iterdir()) == [
        "more-2.jsonl", "more.jsonl", "talk-2.jsonl", "talk.jsonl",
    ]  # fmt: skip


def test_codings_are_added_to_a_project(bitext, write, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text, codings = write("talk.txt", TALK), write("late.masses", "4,2\n")
    common = ["--no-server", "--annotator", "anna"]
    assert bitext("edit", text, "--segment", *common).status == 0
    added = bitext("edit", "talk.bitext", "--codings", codings, *common)
    assert added.lines()[0] == "note: talk.bitext: 1 document, annotators: anna, late"
    again = bitext("edit", "talk.bitext", "--codings", codings, *common)
    assert (again.status, "'late' has a segmentation of 'talk' already" in again.err) == (2, True)
    page = bitext("edit", "talk.bitext", "--codings", codings, "--page", "a.html")
    assert (page.status, "--codings is for a text to segment" in page.err) == (2, True)
