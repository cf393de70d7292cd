"""`bitext compare` of files with several coders."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bitext.cli.main import main

CODERS = Path(__file__).resolve().parents[2] / "fixtures" / "coders"
FERRY = CODERS / "ferry.json"


@pytest.fixture
def run(capsys):
    def one(*words, status=0):
        assert main(["compare", *map(str, words)]) == status
        return capsys.readouterr()

    return one


def systems(found):
    return list(dict.fromkeys(row["system"] for row in json.loads(found.out)["rows"]))


def test_coders_of_one_file_agree(run):
    found = json.loads(run(FERRY, "--agreement", "--json").out)
    assert found["agreement"]["coders"] == ["ada", "bea", "cem"]
    assert found["references"] == [f"{FERRY} ({name})" for name in ("ada", "bea", "cem")]
    assert [each["text"] for each in found["unpaired"]] == ["winter"]
    two = json.loads(run(FERRY, "--agreement", "--json", "--coders", "cem,ada").out)
    assert two["agreement"]["coders"] == ["cem", "ada"]
    assert len(two["agreement"]["texts"]) == 3


def test_the_boundary_at_the_end_counts_in_metrics_of_pairs_that_have_the_option(run):
    given = (FERRY, "--agreement", "--json", "--resamples", 0, "--matrix", "boundary,B")
    pairs = [
        json.loads(run(*given, *more).out)["agreement"]["pairs"] for more in ((), ["--closing"])
    ]
    values = [{pair["metric"]: pair["value"] for pair in each[::-1]} for each in pairs]
    b = "boundary-similarity"
    assert values[0] == {"boundary.f1": pytest.approx(2 / 3), b: 0.5}
    assert values[1] == {"boundary(closing=True).f1": 0.8, b: 0.5}


def test_coders_are_systems_with_tests_between_them(run):
    given = (FERRY, FERRY, "--ref-coders", "ada", "-m", "pk", "--json")
    found = run(*given, "--pairs", "--baseline", "cem")
    assert systems(found) == ["bea", "cem"]
    (pair,) = [d for d in json.loads(found.out)["differences"] if d["average"] == "micro"]
    assert (pair["system"], pair["baseline"]) == ("bea", "cem")
    refused = run(*given, "--baseline", "ada", status=2).err
    assert "no system has this name; the systems are bea, cem" in refused.replace(
        "did you mean", ""
    )
    refused = run(*given, "--coders", "cem", "--pairs", status=2).err
    assert "--pairs is between systems, and there is one" in refused


def test_names_of_files_go_before_those_of_their_coders(run):
    given = (FERRY, FERRY, "--ref-coders", "ada", "-m", "pk", "--resamples", 0, "--json")
    assert systems(run(*given, "--names", "ours")) == ["ours:bea", "ours:cem"]


@pytest.mark.usefixtures("at_hand")
def test_a_comparison_of_coders_with_a_journal_is_the_same(run, tmp_path):
    given = (FERRY, FERRY, "--ref-coders", "ada", "-m", "pk,B", "--json")
    rows = json.loads(run(*given).out)["rows"]
    journaled = (*given, "--journal", tmp_path / "journal", "--jobs", 1)
    assert json.loads(run(*journaled).out)["rows"] == rows


def test_the_page_and_the_errors_name_coders_and_units(run, tmp_path):
    scenes = CODERS / "scenes.csv"
    given = (scenes, scenes, "--from", "begin-bits", "--texts", "scene", "--ref-coders", "ada")
    page = tmp_path / "page.html"
    found = run(*given, "--coders", "bea", "--errors", 1, "-m", "pk", "--html", page)
    assert "1. bea, quay: 1 missing; 1 right" in found.out
    assert "A boy sold tea, and then coffee." in page.read_text(encoding="utf-8")


def test_references_tell_that_a_table_has_coders(run, tmp_path):
    scenes = CODERS / "scenes.csv"
    given = (scenes, scenes, "--from", "begin-bits", "--texts", "scene", "--ref-coders", "ada")
    wanted = json.loads(run(*given, "--coders", "bea,cem", "-m", "boundary", "--json").out)
    found = json.loads(run(*given, "-m", "boundary", "--json").out)
    assert found["rows"] == wanted["rows"]
    assert any("like those of the coders of the reference" in each for each in found["notes"])
    bio = tmp_path / "bio.tsv"
    bio.write_text("sent\tann\tben\nHe came.\tB\tB\nHe saw.\tI\tB\n", encoding="utf-8")
    rows = json.loads(run(bio, bio, "--ref-coders", "ann", "-m", "boundary", "--json").out)["rows"]
    assert {row["system"] for row in rows} == {"ben"}
    names = tmp_path / "names.csv"
    names.write_text(
        "text,topic,ann,ben,note,sentence\n"
        "1,x,A,A,u,Oh.\n1,x,A,B,v,No.\n1,x,B,B,w,Ah.\n1,y,B,B,x,Aha.\n",
        encoding="utf-8",
    )
    ways = ("--ref-coders", "ann", "--from", "labels", "--texts", "one")
    given = (names, names, *ways, "-m", "boundary", "--json")
    rows = json.loads(run(*given).out)["rows"]
    assert {row["system"] for row in rows} == {"topic", "ben"}  # noted: topic may be no coder


def test_a_table_with_the_labels_of_the_reference_alone_has_no_system(run, tmp_path):
    table = tmp_path / "t.csv"
    table.write_text("unit,gold,pred\nOh.,1,0.9\nNo.,0,0.7\nSo.,1,0.1\n", encoding="utf-8")
    given = (table, table, "--from", "begin-bits", "--ref-coders", "gold", "-m", "boundary")
    told = run(*given, status=2).err
    assert "all its coders are references: name the coders that are systems (--coders)" in told
    assert "line 2: holds '0.9' as a label" in run(*given, "--coders", "pred", status=2).err


def test_options_of_coders_are_refused_where_there_are_none(run, tmp_path):
    plain = tmp_path / "a.masses"
    plain.write_text("5 5\n", encoding="utf-8")
    for option in (("--coders", "a"), ("--labels", "x"), ("--time-units", "1")):
        assert f"bitext compare: {option[0]} is for " in run(plain, plain, *option, status=2).err
    grid = CODERS / "talk.TextGrid"
    steps = run(grid, "--agreement", "--coders", "ada,bea", "--time-units", "0.5", "--json")
    assert json.loads(steps.out)["agreement"]["coders"] == ["ada", "bea"]
    err = run(grid, "--agreement", "--labels", "nothing", status=2).err
    assert "has no label 'nothing' (--labels); it has main, reason, degree, 4, 1" in err
