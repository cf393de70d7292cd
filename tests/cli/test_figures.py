"""Figures that the commands write by the ending of -o."""

from __future__ import annotations

import sys

import pytest

HEADS = {"svg": b"<?xml", "pdf": b"%PDF", "png": b"\x89PNG"}


@pytest.fixture
def commands(coast, texts):
    topics = coast.parent / "topics"
    references = [topics / "ref", "--ref", topics / "ref2.masses"]
    scored = [coast / "gold", coast / "alpha", coast / "beta", *texts, "-g", "sentence,character"]
    return {
        "score": ["score", *scored],
        "compare": ["compare", topics / "ref", topics / "alpha", topics / "beta.jsonl"],
        "agreement": ["compare", *references, "--agreement"],
        "matrix": [
            "compare",
            topics / "ref",
            topics / "ref2.masses",
            topics / "alpha",
            "--agreement",
            "--matrix",
            "B,alpha",
        ],
        "study": ["study", "errors", "--to-n", 6],
    }


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        *(("score", kind) for kind in HEADS),
        ("compare", "png"),
        ("agreement", "svg"),
        ("matrix", "pdf"),
        ("study", "svg"),
    ],
)
def test_the_ending_of_the_output_makes_a_figure(bitext, commands, tmp_path, name, kind):
    pytest.importorskip("matplotlib", reason="matplotlib (the extra figures) is not installed")
    out = tmp_path / f"figure.{kind}"
    made = bitext(*commands[name], "--no-intervals", "-o", out, "-q")
    assert (made.status, made.out) == (0, ""), made.err
    assert out.read_bytes().startswith(HEADS[kind])
    assert [path.name for path in tmp_path.iterdir()] == [out.name]


@pytest.mark.parametrize(
    ("name", "more", "message"),
    [
        ("score", ["--per-text"], "--per-text is for tables, and -o figure.pdf is a figure (pdf)"),
        ("score", ["--similarity"], "--similarity is for tables"),
        ("score", ["--beads"], "--beads is for tables"),
        ("score", ["--errors", 3], "--errors is for reading"),
        ("score", ["--digits", 3], "--digits is for tables, and a figure is drawn"),
        ("compare", ["--per-text"], "--per-text is for tables"),
        ("compare", ["--strips", 1], "--strips is for reading"),
        ("compare", ["--agreement", "--with-systems"], "would be a second figure"),
    ],
)
def test_what_a_figure_does_not_show_is_refused(bitext, commands, name, more, message):
    pytest.importorskip("matplotlib", reason="matplotlib (the extra figures) is not installed")
    refused = bitext(*commands[name], *more, "-o", "figure.pdf")
    assert refused.status == 2
    assert message in refused.err


def test_options_of_tests_stand_beside_a_figure(bitext, commands, tmp_path):
    pytest.importorskip("matplotlib", reason="matplotlib (the extra figures) is not installed")
    out = tmp_path / "figure.svg"
    made = bitext(*commands["score"], "--test", "t", "--baseline", "beta", "--holm", "-o", out)
    assert (made.status, made.out, out.exists()) == (0, "", True), made.err


def test_a_format_that_is_asked_for_wins_over_the_ending(bitext, commands, tmp_path):
    out = tmp_path / "table.svg"
    assert bitext(*commands["score"], "--format", "tsv", "-o", out).status == 0
    assert out.read_text(encoding="utf-8").startswith("system\ttext")


def test_other_endings_are_refused_with_those_of_figures(bitext, commands):
    refused = bitext(*commands["compare"], "-o", "figure.eps")
    assert "the endings of figures are .svg .pdf .png" in refused.err
    assert "figures" not in bitext("formats", "-o", "figure.eps").err


def test_without_matplotlib_a_figure_is_refused_before_the_work(
    bitext, commands, tmp_path, monkeypatch
):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    refused = bitext(*commands["score"], "-o", tmp_path / "figure.svg")
    assert refused.status == 2
    assert "pip install 'bitext[figures]'" in refused.err


@pytest.mark.usefixtures("at_hand")
def test_shards_are_merged_to_a_figure_or_a_table_with_the_digits_of_merge(
    bitext, commands, tmp_path
):
    pytest.importorskip("matplotlib", reason="matplotlib (the extra figures) is not installed")
    parts = [tmp_path / f"part{k}" for k in (1, 2)]
    for k, part in enumerate(parts, start=1):
        assert bitext(*commands["score"], "--shard", f"{k}/2", "--journal", part).status == 0
    assert bitext("merge", tmp_path / "figure.svg", *parts, "-q").status == 0
    assert (tmp_path / "figure.svg").read_bytes().startswith(HEADS["svg"])
    table = tmp_path / "table.tex"
    assert bitext("merge", table, *parts, "--digits", 2, "--no-intervals", "-q").status == 0
    assert r"alpha & \textbf{0.94} & \textbf{0.98}" in table.read_text(encoding="utf-8")
    refused = bitext(*commands["score"], "--shard", "1/2", "--journal", parts[0], "--digits", 2)
    assert "--digits is for the tables of all shards" in refused.err


def test_a_study_writes_one_table_by_the_ending_and_a_folder_otherwise(
    bitext, tmp_path, monkeypatch
):
    monkeypatch.setitem(sys.modules, "matplotlib", None)  # which draws for most of a second
    command = ["study", "errors", "--to-n", 6, "-q"]
    assert bitext(*command, "-o", tmp_path / "shares.tex").status == 0
    latex = (tmp_path / "shares.tex").read_text(encoding="utf-8")
    assert latex.startswith("% signature: study:errors|n:5-6|")
    assert r"5 & 14 & 0.1429 & \textbf{0.0000} & \textbf{0.0000} \\" in latex
    assert bitext(*command, "-o", tmp_path / "shares.csv").status == 0
    rows = (tmp_path / "shares.csv").read_text(encoding="utf-8").splitlines()
    assert rows[0].startswith("metric,error,n,references,erring,share")
    assert 'window-diff,vanishing,5,14,2,0.14285714285714285,"' in "\n".join(rows)
    (tmp_path / "old.csv").mkdir()
    assert bitext(*command, "-o", tmp_path / "old.csv").status == 0
    assert (tmp_path / "old.csv" / "errors.csv").is_file()
