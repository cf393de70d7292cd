"""The table of scores, as other tools read it."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path

import pytest

from bitext.cli import merge, score
from bitext.errors import MissingExtraError, OptionError, by_options
from bitext.scoring.by_jobs import check_store

COLUMNS = (
    "text", "system", "granularity", "precision", "recall", "f1", "hits", "proposed", "expected",
    "found", "signature",
)  # fmt: skip


@pytest.fixture
def corpus(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for folder in ("gold", "hyp"):
        Path(folder).mkdir()
        for k in range(3):
            beads = [f"[{n}]:[{n}]\n" for n in range(9) if folder == "gold" or n % (k + 2)]
            Path(folder, f"t{k}.txt").write_text("".join(beads), encoding="utf-8")
    Path("hyp/t2.txt").write_text("[]:[0]\n", encoding="utf-8")
    return ["gold", "hyp", "--from", "vecalign", "--resamples", "0", "-o", "out"]


@pytest.mark.usefixtures("at_hand")
def test_both_kinds_hold_the_same_and_sums_are_the_figures(corpus):
    parquet = pytest.importorskip("pyarrow.parquet")
    score.run([*corpus, "--json", "--store", "s.parquet"])
    score.run([*corpus, "--json", "--store", "s.jsonl", "-j", "2"])
    table = parquet.read_table("s.parquet")
    rows = [json.loads(line) for line in Path("s.jsonl").read_text().splitlines()]
    assert table.to_pylist() == rows
    assert tuple(table.column_names) == COLUMNS
    assert table.schema.metadata[b"bitext.schema"] == b"bitext.scores/1"
    assert len(rows) == 3 * 4  # alignment, sentence, strict, lax
    (micro,) = [
        row
        for row in json.loads(Path("out").read_text())["rows"]
        if (row["granularity"], row["average"]) == ("sentence", "micro")
    ]
    ours = [row for row in rows if row["granularity"] == "sentence"]
    sums = {name: sum(row[name] for row in ours) for name in ("hits", "proposed", "found")}
    assert sums["hits"] / sums["proposed"] == micro["precision"]
    assert any(row["recall"] is None or row["precision"] is None for row in rows)


@pytest.mark.usefixtures("at_hand")
def test_shards_make_the_same_table(corpus):
    score.run([*corpus, "--store", "whole.jsonl.gz"])
    for k in (1, 2):
        score.run([*corpus, "-o", "-", "--shard", f"{k}/2", "--journal", f"p{k}"])
    merge.run(["out2", "p1", "p2", "--store", "merged.jsonl"])
    import gzip

    assert gzip.decompress(Path("whole.jsonl.gz").read_bytes()) == Path("merged.jsonl").read_bytes()


def test_what_cannot_be_written_is_told_before_the_work(corpus, monkeypatch):
    with (
        by_options(),
        pytest.raises(OptionError, match=r"^--store s\.csv: want a name that ends with"),
    ):
        score.run([*corpus, "--store", "s.csv"])
    with pytest.raises(OptionError, match=r"^s\.csv: want a name that ends with"):
        check_store("s.csv")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtraError, match="table"):
        check_store("s.parquet")


COUNT = 130  # more rows than any of the tools looks at to tell types


@pytest.fixture(scope="module")
def stores(tmp_path_factory):
    """A folder of one table in each kind of file."""
    folder = tmp_path_factory.mktemp("stores")
    for name, beads in (("g", "[0]:[0]\n[1]:[1]\n"), ("h", "[]:[0]\n")):
        (folder / name).mkdir()
        for k in range(COUNT):
            late = beads if name == "g" or k < COUNT - 5 else "[0]:[0]\n"
            (folder / name / f"é{k:03}.txt").write_text(late, encoding="utf-8")
    given = [f"{folder}/g", f"{folder}/h", "--from", "vecalign", "-g", "sentence"]
    given += ["--resamples", "0", "-q", "-o", f"{folder}/out"]
    for kind in ("parquet", "jsonl", "jsonl.gz"):
        if kind != "parquet" or importlib.util.find_spec("pyarrow"):
            score.run([*given, "--store", f"{folder}/s.{kind}"])
    return folder


@pytest.mark.parametrize("kind", ["parquet", "jsonl", "jsonl.gz"])
@pytest.mark.parametrize("tool", ["pandas", "duckdb", "polars"])
def test_data_tools_read_it_without_help(stores, monkeypatch, kind, tool):
    module = pytest.importorskip(tool)
    monkeypatch.chdir(stores)
    if tool == "duckdb":
        found = module.sql(f"SELECT * FROM 's.{kind}'")
        rows = [dict(zip(found.columns, row, strict=True)) for row in found.fetchall()]
    elif tool == "pandas":
        frame = module.read_parquet if kind == "parquet" else module.read_json
        table = frame(f"s.{kind}", **({} if kind == "parquet" else {"lines": True}))
        rows = table.astype(object).where(table.notna(), None).to_dict("records")
    else:
        read = module.read_parquet if kind == "parquet" else module.read_ndjson
        rows = read(f"s.{kind}").to_dicts()
    assert len(rows) == COUNT
    assert {tuple(row) for row in rows} == {COLUMNS}
    by_name = sorted(rows, key=lambda row: row["text"])
    assert [row["text"] for row in by_name] == [f"é{k:03}" for k in range(COUNT)]
    assert [row["precision"] for row in by_name] == [None] * (COUNT - 5) + [1.0] * 5
    assert [row["recall"] for row in by_name] == [0.0] * (COUNT - 5) + [0.5] * 5
    assert sum(row["expected"] for row in rows) == 2 * COUNT
    assert rows[1]["precision"] == 1.0  # it tells the type
