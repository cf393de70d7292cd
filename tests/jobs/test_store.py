"""The table of scores, as other tools read it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from bitext.cli import merge, score
from bitext.errors import MissingExtraError, OptionError
from bitext.jobs.store import COLUMNS, check_store


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


def test_shards_make_the_same_table(corpus):
    score.run([*corpus, "--store", "whole.jsonl.gz"])
    for k in (1, 2):
        score.run([*corpus, "--shard", f"{k}/2", "--journal", f"p{k}"])
    merge.run(["out2", "p1", "p2", "--store", "merged.jsonl"])
    import gzip

    assert gzip.decompress(Path("whole.jsonl.gz").read_bytes()) == Path("merged.jsonl").read_bytes()


def test_what_cannot_be_written_is_told_before_the_work(corpus, monkeypatch):
    with pytest.raises(OptionError, match=r"--store s\.csv: want a name that ends with"):
        score.run([*corpus, "--store", "s.csv"])
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtraError, match="table"):
        check_store("s.parquet")
