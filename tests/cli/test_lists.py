from __future__ import annotations

import json

import pytest

from bitext.formats.registry import all_formats
from bitext.metrics.registry import all_metrics


def test_formats_lists_the_registry(bitext):
    document = json.loads(bitext("formats", "--json").out)
    assert document["schema"] == "bitext.formats/1"
    assert [row["format"] for row in document["rows"]] == list(all_formats())


def test_formats_tell_what_each_keeps(bitext):
    head, *rows = [line.split("\t") for line in bitext("formats", "--keeps").out.splitlines()]
    written = [name for name, known in all_formats().items() if known.write is not None]
    assert [row[0] for row in rows] == written
    assert all(len(row) == len(head) for row in rows)
    assert {cell for row in rows for cell in row[1:]} == {"+", "(+)", "some", ""}
    jsonl = dict(zip(head, next(row for row in rows if row[0] == "jsonl"), strict=True))
    assert jsonl["score"] == "+"


def test_metrics_lists_the_registry_with_options_and_sources(bitext):
    document = json.loads(bitext("metrics", "--json").out)
    assert [row["metric"] for row in document["rows"]] == list(all_metrics())
    assert all(row["source"] and row["summary"] for row in document["rows"])
    options = {row["metric"]: row["options"] for row in document["rows"]}
    assert options["arcade"]["words"] == "space"
    assert options["window-diff"] == {"k": None, "padded": False, "weighted": False}
    assert options["generalized-hamming"]["insertion"] == 2.0
    for name, known in all_metrics().items():
        assert options[name] == known.options


@pytest.mark.parametrize("command", ["formats", "metrics"])
@pytest.mark.parametrize("style", ["table", "tsv", "markdown", "latex"])
def test_lists_come_in_every_style(bitext, command, style):
    result = bitext(command, "--format", style)
    assert result.status == 0
    names = all_formats() if command == "formats" else all_metrics()
    assert all(name in result.out for name in names)


def test_elsewhere_than_on_a_terminal_a_list_is_tab_separated(bitext):
    head = bitext("formats").out.splitlines()[0]
    assert head.split("\t")[:2] == ["format", "what"]


def test_json_and_format_exclude_each_other(bitext):
    result = bitext("formats", "--json", "--format", "tsv")
    assert result.status == 2
    assert "exclude each other" in result.err


@pytest.mark.parametrize(
    ("name", "begin"),
    [("a.json", "{"), ("a.md", "| format"), ("a.tex", "\\begin"), ("a.tsv", "format\t")],
)
def test_the_name_of_the_output_tells_its_style(bitext, tmp_path, name, begin):
    result = bitext("formats", "-o", tmp_path / name)
    assert (result.status, result.out) == (0, "")
    assert (tmp_path / name).read_text(encoding="utf-8").startswith(begin)
