from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
import time

import pytest

from bitext.cli.main import main

FILES = ["errors.csv", "errors.json"]
DRAWN = [f"{error}.svg" for error in ("constant-cost", "cross", "vanishing")]
FIGURES = [
    f"{e}.{kind}" for e in ("constant-cost", "cross", "vanishing") for kind in ("png", "svg")
]


def names_in(folder):
    return sorted(path.name for path in folder.iterdir())


@pytest.fixture
def study(bitext):
    return lambda *arguments: bitext("study", "errors", *arguments)


def test_the_table_has_a_row_a_metric_error_type_and_length(study):
    result = study("--from-n", 9, "--to-n", 10)
    assert (result.status, result.err) == (0, "")
    head, *rows = [line.split("\t") for line in result.out.splitlines()]
    assert " ".join(head) == "metric error n references erring share reference h1 h2"
    assert len(rows) == 3 * 3 * 2
    said = [" ".join(row) for row in rows]
    assert said[0] == "window-diff cross 9 254 0 0.0000 - - -"
    assert "boundary-similarity vanishing 10 510 23 0.0451 3,7 5,5 6,4" in said


def test_by_segments_there_is_a_row_a_number_of_segments_from_three_units_on(
    study, tmp_path, monkeypatch
):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    given = ["--to-n", 8, "-m", "window-diff", "-o", tmp_path]
    head, *rows = [line.split("\t") for line in study(*given, "--by", "segments").out.splitlines()]
    assert head[:4] == ["metric", "error", "m", "references"]
    assert [row[2] for row in rows] == [str(m) for m in range(2, 8)] * 3
    assert rows[0][3] == str(2 + 3 + 4 + 5 + 6 + 7)  # n - 1 of 3 to 8 units
    # The journal serves both, and no file of one replaces one of the other.
    assert study(*given).status == 0
    names = {"cross.svg", "cross-by-segments.svg", "errors.csv", "errors-by-segments.json"}
    assert names <= {*names_in(tmp_path)}
    drawn = (tmp_path / "vanishing-by-segments.svg").read_text(encoding="utf-8")
    assert "segments of the reference, m" in drawn
    told = json.loads((tmp_path / "errors-by-segments.json").read_text(encoding="utf-8"))
    assert [row["m"] for row in told["rows"]] == [*range(2, 8)] * 3
    assert "|n:3-8|by:segments|" in told["signature"]
    page = study("--to-n", 8, "--by", "segments", "--html", "-").out
    assert "Section 5 of the paper describes two of them otherwise" in page
    assert "in per cent of all of m segments" in page
    assert '<th scope="col">m</th>' in page


def test_json_tells_each_row_with_its_signature(study):
    options = ["--metric", "window-diff(k=2)", "--metric", "winpr", "--measure", "recall"]
    document = json.loads(study("--from-n", 8, "--to-n", 8, "--json", *options).out)
    assert document["schema"] == "bitext.study/1"
    assert [row["metric"] for row in document["metrics"]] == ["window-diff(k=2)", "winpr recall"]
    row = document["rows"][1]
    assert (row["metric"], row["error"], row["n"]) == ("window-diff(k=2)", "vanishing", 8)
    assert row["share"] == row["erring"] / 126
    assert set(row["example"]) == {"reference", "h1", "h2"}
    assert row["signature"].startswith("window-diff|k:2|padded:yes|weighted:no|study:errors|n:8-8|")
    assert "winpr|k:n/2m|measure:recall" in document["signature"]


def test_without_matplotlib_the_tables_are_written_all_the_same(study, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    result = study("--to-n", 6, "-o", tmp_path)
    assert result.status == 0
    assert len(result.lines()) == 1
    assert result.err.startswith(
        "note: the PNG figures were left out: drawing PNG figures needs a pack"
    )
    assert "pip install 'bitext[figures]'" in result.err
    assert names_in(tmp_path) == sorted([*DRAWN, *FILES, "journal.jsonl"])
    assert study("--to-n", 6, "-o", tmp_path, "-q").err == ""


def test_a_finished_study_is_not_done_again(study, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    first = study("--to-n", 7, "-o", tmp_path)
    journal = (tmp_path / "journal.jsonl").read_bytes()
    monkeypatch.setattr("bitext.metrics.study.runs.study_batch", None)
    assert study("--to-n", 7, "-o", tmp_path).out == first.out
    assert study("--from-n", 6, "--to-n", 6, "-o", tmp_path).status == 0
    assert (tmp_path / "journal.jsonl").read_bytes() == journal


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A study that nobody disturbed."""
    folder = tmp_path_factory.mktemp("whole")
    assert main(["study", "errors", "--to-n", "14", "-q", "-o", str(folder)]) == 0
    return folder


def test_a_folder_gets_tables_figures_and_a_journal(study, whole):
    pytest.importorskip("matplotlib")
    assert names_in(whole) == sorted([*FIGURES, *FILES, "journal.jsonl"])
    said = study("--to-n", 14, "--json").out
    assert (whole / "errors.json").read_text(encoding="utf-8") == said
    with (whole / "errors.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for row, other in zip(rows, json.loads(said)["rows"], strict=True):
        assert float(row["share"]) == other["share"]
        masses = other["example"]["h1"] if other["example"] else []
        assert row["h1"] == ",".join(map(str, masses))


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_killed_run_continues_and_gives_the_same_files(study, tmp_path, whole, jobs, monkeypatch):
    if jobs > 1:  # once is enough to see that the figures are the same
        monkeypatch.setitem(sys.modules, "matplotlib", None)
    options = ["--to-n", "14", "-q", "-o", str(tmp_path)]
    process = subprocess.Popen(
        [sys.executable, "-m", "bitext", "study", "errors", *options, "-j", str(jobs)],
        stdout=subprocess.DEVNULL,
        start_new_session=True,
    )
    journal = tmp_path / "journal.jsonl"
    while not (journal.exists() and journal.read_bytes().count(b"\n") > 8):
        assert process.poll() is None
        time.sleep(0.001)
    process.send_signal(signal.SIGKILL)
    process.wait()
    _wait_for_group(process.pid)
    done = journal.read_bytes()
    lines = (whole / "journal.jsonl").read_bytes().splitlines()
    assert 8 < done.count(b"\n") < len(lines)
    assert names_in(tmp_path) == ["journal.jsonl"]
    journal.write_bytes(done + b'{"batch":[9,')  # as if it had been killed while it wrote
    assert study(*options).status == 0
    after = journal.read_bytes()
    assert after.startswith(done)
    assert sorted(after.splitlines()) == sorted(lines)
    assert names_in(tmp_path) == (
        names_in(whole) if jobs == 1 else sorted([*DRAWN, *FILES, "journal.jsonl"])
    )
    for name in {*names_in(tmp_path)} - {"journal.jsonl"}:
        assert (tmp_path / name).read_bytes() == (whole / name).read_bytes(), name


def _wait_for_group(leader):
    """Wait until no process of a session is left: jobs end with the one that began them."""
    for _ in range(1000):
        try:
            os.killpg(leader, 0)
        except ProcessLookupError:
            return
        time.sleep(0.01)
    pytest.fail("jobs are left over")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--from-n", 2], "references of 2 units: want 3 to 24; each unit more takes twice"),
        (["--to-n", 25], "references of 25 units: want 3 to 24"),
        (["--from-n", 9, "--to-n", 8], "from 9 to 8 units: want the smaller number first"),
        (["--to-n", "many"], "argument --to-n: 'many' is not a whole number"),
        (["-j", 0], "--jobs 0: want 1 or more"),
        (["--metric", "windowdif"], "no metric 'windowdif'; did you mean 'window-diff'?"),
        (["--metric", "pk(k=6)"], "pk(k=6, padded=True): k is 6 and the text has 5 units"),
        (["--metric", "pk", "--metric", "pk(padded=True)"], "metric 'pk' is asked for twice"),
        (["--measure", "f1"], "--measure f1: no metric here has several; leave it out"),
        (["--measure", "x", "--metric", "winpr"], "measure 'x': winpr has f1, precision, recall"),
        (["-o", "-"], "-o -: a study writes several files; name a folder, or leave -o out"),
        (["--html", ""], "--html names no file: want a name"),
        (["--html", "-", "--json"], "--html - takes standard output: name a file for one of the"),
        (["--html", "gone/x.html"], "--html gone/x.html: there is no folder gone; make it"),
        (["--json", "--format", "tsv"], "--json and --format exclude each other"),
    ],
)
def test_what_cannot_be_studied_is_told_in_one_line(study, arguments, told):
    result = study(*arguments)
    assert (result.status, result.out, len(result.lines())) == (2, "", 1)
    assert told in result.err


def test_a_folder_that_cannot_be_used_is_told(study, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    (tmp_path / "file").write_text("", encoding="utf-8")
    for place, told in (
        ("file", "is a file where a folder is wanted"),
        ("file/in", "cannot be made"),
    ):
        result = study("--to-n", 6, "-o", tmp_path / place)
        assert result.status == 2
        assert told in result.err
    assert study("--to-n", 6, "-o", tmp_path, "-q", "--metric", "pk").status == 0
    result = study("--to-n", 6, "-o", tmp_path, "--metric", "window-diff")
    assert result.status == 2
    assert "is the journal of other metrics or options, as pk|k:n/2m" in result.err


def test_padded_may_be_unasked_for_beside_the_padded_form(study):
    result = study("--to-n", 6, "--metric", "pk", "--metric", "pk(padded=False)")
    assert {line.split("\t")[0] for line in result.out.splitlines()[1:]} == {
        "pk",
        "pk(padded=False)",
    }


def test_there_is_one_study(bitext):
    result = bitext("study", "losses")
    assert result.status == 2
    assert "invalid choice: 'losses'" in result.err


def test_a_folder_without_a_name_is_refused(bitext):
    result = bitext("study", "errors", "--to-n", "5", "-o", "")
    assert (result.status, result.out) == (2, "")
    assert "-o names no folder" in result.err


def test_a_file_of_plain_text_is_no_folder(study, tmp_path):
    study("--to-n", 5, "--metric", "pk", "-o", tmp_path / "shares.txt")
    printed = study("--to-n", 5, "--metric", "pk", "--format", "table").out
    assert (tmp_path / "shares.txt").read_text("utf-8") == printed


def test_a_page_is_written_too_or_printed(study, tmp_path):
    options = ["--from-n", 9, "--to-n", 10]
    said = study(*options, "--html", tmp_path / "study.html")
    assert said.out == study(*options).out
    page = (tmp_path / "study.html").read_text(encoding="utf-8")
    assert study(*options, "--html", "-").out == page
    assert "study:errors|n:9-10|window-diff|k:n/2m|" in page
    for row in json.loads(study(*options, "--json").out)["rows"]:
        assert f"<bdi>{100 * row['share']:.2f}</bdi></td>" in page


def test_the_figures_of_the_paper_are_computed_and_drawn(bitext, tmp_path):
    result = bitext("study", "figures", "-o", tmp_path, "--html", tmp_path / "page.html", "--json")
    assert len(result.lines()) == 1
    assert result.err.startswith("note: figure 9 is left out: the 0.58 that it prints does not")
    told = json.loads(result.out)
    assert told["schema"] == "bitext.study-figures/1"
    assert all(row["equal"] for row in told["rows"])
    assert told["errata"][0] in result.err
    first = told["rows"][0]
    assert (first["figure"], first["pair"]) == (10, "a")
    assert first["exact"]["alignment-similarity"] == "29/35"
    assert first["1-window-diff"] == pytest.approx(2 / 3)
    names = [f"{row['figure']}{row['pair']}" for row in told["rows"]]
    drawn = [f"figure-{name}.svg" for name in names]
    assert names_in(tmp_path) == sorted([*drawn, "figures.csv", "figures.json", "page.html"])
    assert (tmp_path / "figures.json").read_text(encoding="utf-8") == result.out
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert page.count("<svg") == len(names)
    assert "10a: A = 29/35 = 0.8286, B = 0.50, 1 − WindowDiff = 0.67" in page
    assert "5/7" in (tmp_path / "figure-10a.svg").read_text(encoding="utf-8")
    head, *rows = [line.split("\t") for line in bitext("study", "figures").out.splitlines()]
    assert [row[0] for row in rows] == names
    assert dict(zip(head, rows[1], strict=True))["A"] == "0.6"
    table = bitext("study", "figures", "--format", "markdown").out
    assert "| 16c | 1,8,1 | 3,6,1 | 0.5764 |" in table


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--by", "segments"], "--by is of study errors: leave it out"),
        (["-m", "pk"], "--metric is of study errors"),
        (["-o", "x.svg"], "-o x.svg: the figures are several; name a folder (-o figures/)"),
    ],
)
def test_options_of_the_error_study_are_not_for_the_figures(bitext, arguments, told):
    pytest.importorskip("matplotlib")
    result = bitext("study", "figures", *arguments)
    assert (result.status, result.out) == (2, "")
    assert told in result.err
