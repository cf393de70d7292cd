"""Commands by jobs and by shards give what they give without."""

from __future__ import annotations

import json
import os
import random
import zlib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import bitext
from bitext.cli import cluster, compare, convert, merge, score, stats
from bitext.cli.algebra import run_diff
from bitext.cli.algebra.joining import run_combine
from bitext.errors import (
    FormatError,
    InputError,
    JobError,
    OptionError,
    SegmentationError,
    by_options,
)
from bitext.formats.cleaning.repeats import Decided
from bitext.formats.convert.conversion import Input
from bitext.formats.convert.conversion import Task as Conversion
from bitext.formats.convert.filters import Filters
from bitext.formats.segmentations import read_segmentations
from bitext.jobs.task import Result
from bitext.jobs.tasks import CompareTask, ConvertTask, compare_documents
from reference.job_tasks import AtHand

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"


@pytest.fixture(autouse=True)
def _at_hand(request, monkeypatch):
    """Work in this process but in one test: to begin workers takes most of the time."""
    if "kind0" not in request.node.name:
        monkeypatch.setattr("bitext.jobs.running.Processes", AtHand)


@pytest.fixture
def corpus(tmp_path, monkeypatch):
    """Nine texts, aligned by hand and by two systems; one lacks a partner."""
    chance = random.Random(3)
    for folder in ("gold", "one", "two", "texts"):
        (tmp_path / folder).mkdir()
    for k in range(9):
        for side in ("en", "fr"):
            lines = [" ".join("word" for _ in range(chance.randint(1, 9))) for _ in range(60)]
            text = "".join(f"{side} {n} {line}\n" for n, line in enumerate(lines))
            (tmp_path / "texts" / f"t{k}.{side}").write_text(text, encoding="utf-8")
        for folder in ("gold", "one", "two"):
            if (k, folder) != (7, "two"):
                path = tmp_path / folder / f"t{k}.txt"
                path.write_text("\n".join(ladder(chance)) + "\n", encoding="utf-8")
    (tmp_path / "one" / "t99.txt").write_text("[0]:[0]\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return ["gold", "one", "two", "--src", "texts/{name}.en", "--tgt", "texts/{name}.fr",
            "--from", "vecalign", "--resamples", "200"]  # fmt: skip


def ladder(chance):
    i = j = 0
    while i < 60 or j < 60:
        a, b = (min(chance.choice((1, 1, 1, 2)), 60 - x) for x in (i, j))
        yield f"[{', '.join(map(str, range(i, i + a)))}]:[{', '.join(map(str, range(j, j + b)))}]"
        i, j = i + a, j + b


@pytest.mark.parametrize("kind", [["--json"], ["--format", "table", "--per-text", "--beads"]])
def test_scores_by_jobs_and_by_shards_are_the_same(corpus, kind, capsys, request):
    arguments = [*corpus, "--similarity", "--average", "both", *kind]
    assert score.run([*arguments, "-o", "plain"]) == 0
    assert score.run([*arguments, "-o", "jobs", "-j", "2", "--journal", "j"]) == 0
    request.getfixturevalue("at_hand")  # processes have begun once
    assert score.run([*arguments, "-o", "again", "--journal", "j"]) == 0
    assert "9 documents were done before" in capsys.readouterr().err
    parts = []
    for k in (3, 1, 2):
        parts.append(f"part{k}")
        assert score.run([*arguments, "--shard", f"{k}/3", "--journal", parts[-1]]) == 0
    assert not Path("part4").exists()
    assert merge.run(["merged", *parts, *kind[: 1 if kind == ["--json"] else 2]]) == 0
    plain = Path("plain").read_bytes()
    assert len(plain) > 2000
    for other in ("jobs", "again", "merged"):
        assert Path(other).read_bytes() == plain


def test_the_blocks_of_a_single_text_are_the_same(corpus):
    for folder in ("gold", "one", "two"):
        for k in range(1, 9):
            Path(folder, f"t{k}.txt").unlink(missing_ok=True)
    Path("gold/t99.txt").write_text("[0]:[0]\n", encoding="utf-8")
    for side in ("en", "fr"):
        Path(f"texts/t99.{side}").write_text("one\n", encoding="utf-8")
    Path("two/t98.txt").write_text("[0]:[0]\n", encoding="utf-8")
    arguments = [*corpus, "--similarity", "--json"]
    score.run([*arguments, "-o", "plain"])
    rows = json.loads(Path("plain").read_bytes())["rows"]
    assert all(row["intervals"] for row in rows if row["average"] != "text")
    score.run([*arguments, "-o", "jobs", "-j", "2"])
    for k in (1, 2):
        score.run([*arguments, "--shard", f"{k}/2", "--journal", f"p{k}"])
    merge.run(["merged", "p1", "p2", "--json"])
    assert Path("jobs").read_bytes() == Path("merged").read_bytes() == Path("plain").read_bytes()


def test_a_text_that_cannot_be_read_is_told_and_left_out(corpus, capsys):
    Path("one/t3.txt").write_text("[0]:[0]\n[1]:[x]\n", encoding="utf-8")
    with pytest.raises(FormatError, match=r"t3\.txt line 2"):
        score.run([*corpus, "-o", "plain"])
    assert score.run([*corpus, "--json", "-o", "jobs", "-j", "2"]) == 1
    assert "failed: t3: one/t3.txt line 2" in capsys.readouterr().err
    assert score.run([*corpus, "-o", "quiet", "-j", "2", "-q"]) == 1
    (told,) = capsys.readouterr().err.splitlines()
    assert told.startswith("note: failed: t3: one/t3.txt line 2")
    assert '"failed": [{"text": "t3", "reason": "one/t3.txt line 2' in Path("jobs").read_text()
    with (
        by_options(),
        pytest.raises(JobError, match="1 document failed, more than --max-failures 0: t3"),
    ):
        score.run([*corpus, "-j", "2", "--max-failures", "0"])
    for k in range(9):
        Path(f"one/t{k}.txt").write_text("[0]:[0]\n[1]:[x]\n", encoding="utf-8")
    with pytest.raises(JobError, match=r"every document failed: t0: .*and 8 more"):
        score.run([*corpus, "-j", "2"])


def test_shards_that_do_not_make_a_whole_are_refused(corpus):
    for k in (1, 2):
        score.run([*corpus, "--shard", f"{k}/3", "--journal", f"p{k}"])
    score.run([*corpus, "--seed", "5", "--shard", "3/3", "--journal", "p3"])
    with pytest.raises(InputError, match="shard 3/3 of p1 and others: not given"):
        merge.run(["-", "p1", "p2"])
    with pytest.raises(InputError, match="p1: is shard 1/3, and so is p1; name each shard once"):
        merge.run(["-", "p1", "p2", "p1"])
    with pytest.raises(InputError, match="p3: is of another run than p1: options seed is 5 here"):
        merge.run(["-", "p1", "p2", "p3"])
    with pytest.raises(FormatError, match=r"gold/t1\.txt line 1: is no journal"):
        merge.run(["-", "p1", "gold/t1.txt"])
    with pytest.raises(InputError, match=r"p20: no such file; did you mean p\d\?"):
        merge.run(["-", "p1", "p20"])
    data = Path("p2").read_bytes().splitlines(keepends=True)
    Path("p2").write_bytes(b"".join([data[0], b"x\n", *data[1:]]))
    with pytest.raises(InputError, match="p2: 1 damaged line; give the command of shard 2/3 again"):
        merge.run(["-", "p1", "p2", "p3"])
    Path("p2").write_bytes(b"".join(data[:-1]))
    with pytest.raises(InputError, match="p2: shard 2/3 is not finished; give its command again"):
        merge.run(["-", "p1", "p2"])
    with pytest.raises(InputError, match="same file as p1"):
        merge.run(["p1", "p1", "p2"])


def test_shards_of_another_version_are_refused(corpus, monkeypatch):
    score.run([*corpus, "--shard", "1/1", "--journal", "p1"])
    monkeypatch.setattr(bitext, "__version__", "99.0")
    with pytest.raises(InputError, match=r"p1: is of bitext 0\.\S+, and this is 99\.0; merge with"):
        merge.run(["-", "p1"])


@pytest.mark.usefixtures("corpus")
def test_sides_that_seem_exchanged_are_seen_by_jobs_too():
    for k in range(9):
        beads = [f"[{n}]:[{n + 20}]" for n in range(40)]
        Path(f"gold/t{k}.txt").write_text("\n".join(beads) + "\n", encoding="utf-8")
        turned = [f"[{n + 20}]:[{n}]" for n in range(40)]
        Path(f"one/t{k}.txt").write_text("\n".join(turned) + "\n", encoding="utf-8")
    arguments = ["gold", "one", "--from", "vecalign", "-g", "sentence", "--json"]
    for more in ([], ["-j", "2"]):
        with pytest.raises(InputError, match="source and target seem swapped"):
            score.run([*arguments, *more])


def test_a_part_that_lacks_a_document_is_refused(corpus):
    for k in (1, 2):
        score.run([*corpus, "--shard", f"{k}/2", "--journal", f"p{k}"])
    data = Path("p2").read_bytes().splitlines(keepends=True)  # results as they came
    Path("p2").write_bytes(b"".join(line for line in data if b'"name": "t3"' not in line))
    with pytest.raises(InputError, match="p2: lacks document 4 of 9; give the command of shard"):
        merge.run(["-", "p1", "p2"])


CHANGES = [
    (0, lambda head: head["run"]["options"].pop("src")),
    (0, lambda head: head["run"]["options"].update(hyps=7)),
    (0, lambda head: head["run"].update(options=[])),
    (1, lambda row: row["value"].pop("texts")),
    (1, lambda row: row["value"]["texts"][0].update(counts={"0": [["sentence", "x", 1, 1]]})),
    (1, lambda row: row.update(value=None)),
    (-1, lambda end: end.update(whole=None)),
]


def test_parts_that_were_changed_are_refused(corpus):
    score.run([*corpus, "--shard", "1/1", "--journal", "p1"])
    written = Path("p1").read_bytes()
    told = "p1: hold data that no shard of 'bitext score' writes"
    for line, change in CHANGES:
        lines = written.splitlines()
        held = json.loads(lines[line][9:])
        change(held)
        data = json.dumps(held).encode()
        lines[line] = b"%08x %s" % (zlib.crc32(data), data)
        Path("p1").write_bytes(b"\n".join(lines) + b"\n")
        with pytest.raises(InputError, match=told):
            merge.run(["-", "p1"])


def test_a_corpus_that_changed_between_shards_is_refused(corpus):
    score.run([*corpus, "--shard", "1/2", "--journal", "p1"])
    Path("one/t98.txt").write_text("[0]:[0]\n", encoding="utf-8")
    score.run([*corpus, "--shard", "2/2", "--journal", "p2"])
    with pytest.raises(
        InputError, match="p2: read other files than p1; run the shards over one co"
    ):
        merge.run(["-", "p1", "p2"])
    with pytest.raises(InputError, match="p2: read other files than p1"):
        merge.run(["-", "p2", "p1"])  # in another order


def test_a_comparison_that_changed_behind_its_shards_is_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("ref", "hyp"):
        Path(f"{name}.masses").write_text("9,9\n4,5\n", encoding="utf-8")
    for k in (1, 2):
        compare.run(["ref.masses", "hyp.masses", "--shard", f"{k}/2", "--journal", f"p{k}"])
    for name in ("ref", "hyp"):
        Path(f"{name}.masses").write_text("9,9\n4,5\n2,2\n", encoding="utf-8")
    with pytest.raises(InputError, match="the shards are of another corpus: run them over these"):
        merge.run(["-", "p1", "p2"])


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (["-j", "0"], "--jobs 0: want at least 1"),
        (["--shard", "1/2"], "--shard writes its part to --journal"),
        (["--shard", "two", "--journal", "j"], "want I/N"),
        (["--scheduler", "tcp://x"], "--scheduler is for --engine dask"),
        (["--engine", "dask"], "wants the address of its scheduler"),
        (["--max-failures", "-1"], "want 0 or more"),
        (["--time-limit", "0"], "want seconds, above 0"),
        (["--journal", "-"], "--journal: want the name of a file"),
        (["-j", "2", "--errors", "--format", "table"], "--errors without a number shows whole"),
    ],
)
def test_options_that_do_not_go_together_are_refused(corpus, given, told):
    with pytest.raises(OptionError, match=told):
        score.run([*corpus, "--format", "table", *given])


def test_conversions_by_jobs_are_the_same(corpus, capsys):
    texts = corpus[3:7]
    plain = ["convert", "gold", "out/", *texts, "--from", "vecalign", "--to", "tsv"][1:]
    Path("gold/t5.txt").write_text("[0]:[0]\n[1]:[x]\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"t5.txt line 2.*of 9 files were written before this"):
        convert.run(plain)
    assert convert.run([*plain, "--journal", "j"]) == 1
    assert "not written: gold/t5.txt line 2" in capsys.readouterr().err
    for k in (1, 2):
        assert convert.run([*plain, "--shard", f"{k}/2", "--journal", f"q{k}"]) == k - 1
    assert merge.run(["-", "q1", "q2"]) == 1
    assert '"failed": "gold/t5.txt line 2' in capsys.readouterr().out
    assert convert.run([*plain, "--keep-going", "--json"]) == 1
    wanted = capsys.readouterr().out
    files = {path.name: path.read_bytes() for path in Path("out").iterdir()}
    Path("out/t2.tsv").unlink()
    run = [*plain, "--keep-going", "--json", "--journal", "k", "-j", "2"]
    assert (convert.run(run), capsys.readouterr().out) == (1, wanted)
    Path("out/t2.tsv").unlink()
    assert (convert.run(run), capsys.readouterr().out) == (1, wanted)
    assert {path.name: path.read_bytes() for path in Path("out").iterdir()} == files
    for k in (1, 2):  # what cannot be read is told by the merge
        shard = ["--keep-going", "--shard", f"{k}/2", "--journal", f"p{k}"]
        assert convert.run([*plain, *shard]) == 0
    assert merge.run(["-", "p1", "p2"]) == 1
    assert capsys.readouterr().out == wanted


@pytest.mark.parametrize(
    "more",
    [["--json", "--average", "both"], ["--format", "table", "--refused", "leave", "-m", "pk(k=7)"]],
)
def test_comparisons_by_jobs_are_the_same(tmp_path, monkeypatch, more):
    monkeypatch.chdir(tmp_path)
    chance = random.Random(4)
    for name in ("ref", "a", "b"):
        lines = []
        for k in range(520):  # a document has 256 texts
            places = range(1, 30 if k % 20 else 6)
            ends = [n for n in places if chance.random() < 0.2]
            lines.append({"id": f"t{k}", "boundaries": ends, "n": len(places) + 1})
        text = "".join(json.dumps(line) + "\n" for line in lines)
        Path(f"{name}.jsonl").write_text(text, encoding="utf-8")
    plain = ["ref.jsonl", "a.jsonl", "b.jsonl", "--resamples", "100", *more]
    assert compare.run([*plain, "-o", "plain"]) == 0
    assert compare.run([*plain, "-o", "jobs", "-j", "2", "--journal", "j"]) == 0
    for k in (1, 2):
        assert compare.run([*plain, "--shard", f"{k}/2", "--journal", f"p{k}"]) == 0
    kind = more[:1] if more[0] == "--json" else more[:2]
    assert merge.run(["merged", "p1", "p2", *kind]) == 0
    assert Path("jobs").read_bytes() == Path("merged").read_bytes() == Path("plain").read_bytes()


def test_what_a_metric_refuses_is_told_by_jobs_too(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("ref", "hyp"):  # the last text is in the second document
        Path(f"{name}.masses").write_text("9,9\n" * 256 + "1,2\n", encoding="utf-8")
    plain = ["ref.masses", "hyp.masses", "-m", "pk(k=7)", "--json"]
    for more in (["-j", "2"], ["--journal", "j"], ["--journal", "j"], ["--max-failures", "0"]):
        with by_options(), pytest.raises(SegmentationError, match="or --refused leave"):
            compare.run([*plain, *more])
    compare.run([*plain, "-o", "plain", "--refused", "leave"])
    compare.run([*plain, "-o", "jobs", "--refused", "leave", "-j", "2"])  # a block of none
    assert Path("jobs").read_bytes() == Path("plain").read_bytes()


@pytest.mark.parametrize("refused", ["error", "leave"])
def test_limits_of_comparisons_are_told_with_their_texts(refused):
    task = CompareTask(metrics=[], refused=refused)
    told = "took longer than the 9 s it may take; raise --time-limit"
    with pytest.raises(JobError) as error:
        task.assemble([Result(1, "texts c to d", None, told)])
    assert str(error.value) == f"texts c to d, scored at once: {told}"
    assert [failure.reason for failure in error.value.failures] == [told]


def test_blocks_of_texts_have_names():
    table = read_segmentations(FIXTURES / "topics" / "beta.jsonl")
    ids = table.ids
    assert [one.name for one in compare_documents([table], [table])] == [
        f"texts {ids[0]} to {ids[-1]}"
    ]
    lone = table.take(np.arange(1))
    assert [one.name for one in compare_documents([lone], [lone])] == [f"text {ids[0]}"]


def test_clusters_by_jobs_are_the_same(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for k in range(3):
        text = f"Two men were shot in Milan .\n{k + 2} men were shot near Milan today .\n"
        Path(f"c{k}.txt").write_text(text, encoding="utf-8")
    plain = ["c0.txt", "c1.txt", "c2.txt", "--json"]
    assert cluster.run([*plain, "-o", "plain/", "--to", "json"]) == 0
    assert cluster.run([*plain, "-o", "jobs/", "--to", "json", "-j", "2", "--journal", "j"]) == 0
    for k in (1, 2):
        cluster.run([*plain, "--shard", f"{k}/2", "--journal", f"p{k}"])
    capsys.readouterr()
    assert merge.run(["-", "p1", "p2", "--json"]) == 0
    assert len(list(Path("plain").iterdir())) == 3
    for path in Path("plain").iterdir():
        assert (Path("jobs") / path.name).read_bytes() == path.read_bytes()
    merged = capsys.readouterr().out
    assert cluster.run(plain) == 0
    assert capsys.readouterr().out == merged
    with pytest.raises(OptionError, match="cannot be combined with jobs"):
        cluster.run([*plain[:3], "--report", "-j", "2"])


def test_what_takes_too_long_is_told_with_its_file():
    task = ConvertTask(to="tsv", watch=lambda: None, roots=[], run={}, presentation={})
    told = ["took longer than the 9 s it may take; raise --time-limit", "a.tmx line 3: is torn"]
    results = [Result(k, f"o{k}.tsv", None, failed) for k, failed in enumerate(told)]
    assert [one.failed for one in task.assemble(results)] == [f"o0.tsv: {told[0]}", told[1]]


def test_a_file_is_converted_again_when_others_leave_it_other_duplicates(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("a.tsv").write_text("Yes.\tOui.\nNo.\tNon.\n", encoding="utf-8")
    task = ConvertTask(to="tsv", watch=lambda: None, roots=[], run={}, presentation={})
    item = Conversion(
        inputs=(Input("a.tsv"),), output=str(tmp_path / "b.tsv"), to="tsv",
        filters=Filters(unique=True), repeats=Decided("a.tsv", {"unique": np.array([0.0, 1.0])}),
    )  # fmt: skip
    value = task.work(replace(item, repeats=Decided("a.tsv", {"unique": np.array([0.0, 1.0])})))
    assert value["outcome"]["bisegments"] == 1
    assert task.stands(item, value)
    others = replace(item, repeats=Decided("a.tsv", {"unique": np.zeros(2)}))
    assert not task.stands(others, value)


@pytest.fixture
def parts(corpus):
    """Shards of the scores of a corpus, of which the gold standard is named in a manifest."""
    rows = "".join(f"t{k}\tgold/t{k}.txt\n" for k in range(9))
    Path("gold.tsv").write_text(f"text\tpath\n{rows}", encoding="utf-8")
    for k, path in enumerate(sorted(Path().glob("*/*"))):
        os.utime(path, (k, k))  # files of one size, written at one moment, are alike to a journal
    for k in (1, 2):
        given = ["gold.tsv", *corpus[1:], "--shard", f"{k}/2", "--journal", f"p{k}"]
        assert score.run(given) == 0
    return ["p1", "p2"]


SPARED = [
    ("gold.tsv", "same file as gold.tsv"),
    ("link", "same file as gold.tsv"),
    ("gold/t3.txt", "gold/t3.txt: the shards read it, for t3; name another"),
    ("one/t3.txt", "one/t3.txt: (the shards read it, for t3|would lie in one)"),
    ("texts/t4.fr", "texts/t4.fr: the shards read it, for t4"),
    ("one/scores.json", "would lie in one, of which all files are read"),
]


def test_merging_spares_what_the_shards_read(parts):
    Path("link").symlink_to("gold.tsv")
    for output, message in SPARED:
        there = Path(output).is_file() and Path(output).read_bytes()
        for given in (["merge", output, *parts], ["merge", "new", *parts, "--store", output]):
            with pytest.raises(InputError, match=message):
                merge.run([*given[1:], "--json"])
            assert (Path(output).is_file() and Path(output).read_bytes()) == there
    Path("old").write_text("before", encoding="utf-8")
    assert merge.run(["old", *parts, "--json"]) == 0, "any other file may be replaced"


def test_merging_spares_what_the_shards_wrote(corpus):
    Path("one/t99.txt").unlink()
    for k in range(9):
        Path("one", f"t{k}.txt").rename(f"one/t{k}.vecalign")
    given = ["one", "made/", "--to", "jsonl", "--from", "vecalign", *corpus[3:7]]
    for k in (1, 2):
        assert convert.run([*given, "--shard", f"{k}/2", "--journal", f"p{k}"]) == 0
    for output, message in [
        ("made/t3.jsonl", "same file as made/t3.jsonl"),
        ("one/t3.vecalign", "one/t3.vecalign: is in one, of which all"),
        ("one/summary.json", "would lie in one, of which all files are read"),
    ]:
        with pytest.raises(InputError, match=message):
            merge.run([output, "p1", "p2"])
    assert merge.run(["made/summary.json", "p1", "p2"]) == 0


def _of_mill(folder):
    """Write a corpus of four files, one of them damaged, and one with the pairs of another."""
    Path(folder).mkdir()
    memory = (FIXTURES / "mill/memory.tmx").read_bytes()
    Path(folder, "a.tmx").write_bytes(memory)
    Path(folder, "b.tmx").write_bytes(memory)
    Path(folder, "c.tsv").write_text("src\ttgt\nIt rained.\tIl pleuvait.\n", encoding="utf-8")
    Path(folder, "d.tmx").write_bytes(memory[:600])


def test_statistics_by_jobs_and_by_shards_are_the_same(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    _of_mill("corpus")
    Path("corpus/d.tmx").unlink()
    plain = ["corpus", str(FIXTURES / "mill/links.xml"), "--json"]
    assert stats.run([*plain, "-o", "plain"]) == 0
    notes = capsys.readouterr().err
    assert stats.run([*plain, "-o", "jobs", "-j", "2", "--journal", "j"]) == 0
    assert capsys.readouterr().err == notes
    assert stats.run([*plain, "-o", "again", "--journal", "j"]) == 0
    assert "4 documents were done before" in capsys.readouterr().err
    for k in (1, 2):
        assert stats.run([*plain, "--shard", f"{k}/2", "--journal", f"p{k}"]) == 0
    capsys.readouterr()
    assert merge.run(["merged", "p2", "p1", "--json", "--html", "page.html"]) == 0
    assert capsys.readouterr().err == notes
    assert Path("page.html").read_text("utf-8").count("<h3>") == 5
    wanted = Path("plain").read_bytes()
    total = json.loads(wanted)["total"]
    assert total["duplicates"]["both"]["count"] == 2
    assert len(total["src"]["sentence_words"]["quantiles"]) == 5
    for other in ("jobs", "again", "merged"):
        assert Path(other).read_bytes() == wanted


def test_a_file_that_cannot_be_described_is_told_and_left_out(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    _of_mill("corpus")
    with pytest.raises(FormatError, match=r"corpus/d\.tmx line"):
        stats.run(["corpus"])
    assert stats.run(["corpus", "--json", "-o", "jobs", "--max-failures", "1"]) == 1
    assert "failed: d: corpus/d.tmx line" in capsys.readouterr().err
    document = json.loads(Path("jobs").read_bytes())
    assert [each["text"] for each in document["failed"]] == ["d"]
    assert len(document["files"]) == 3
    with pytest.raises(JobError, match=r"every document failed: d: corpus/d\.tmx"):
        stats.run(["corpus/d.tmx", "-j", "2"])


def test_cleaning_by_jobs_and_by_shards_is_the_same(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in").mkdir()
    chance = random.Random(3)
    manifest = ["text\tpath"]
    for k in range(5):
        lines = [f"a{n} b {chance.randint(1, 3)}\tc{n} d {chance.randint(1, 3)}" for n in range(9)]
        lines[k] = "same\tsame"
        (tmp_path / "in" / f"t{k}.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
        manifest.append(f"t{k}\tin/t{k}.tsv")
    (tmp_path / "m.tsv").write_text("\n".join(manifest) + "\n", encoding="utf-8")
    rules = "".join(f'[[filter]]\nname = "{name}"\n' for name in ("identical", "numbers"))
    (tmp_path / "p.toml").write_text(rules, encoding="utf-8")

    def cleaned(name, *more, source="in"):
        arguments = [source, f"{name}/", "--to", "tsv", "-q", "--clean", "p.toml"]
        arguments += ["--keep-rejected", f"{name}-out/", *more]
        assert convert.run(arguments) == 0

    def written(name):
        folders = (tmp_path / name, tmp_path / f"{name}-out")
        return [path.read_text() for folder in folders for path in sorted(folder.iterdir())]

    for ending in ("json", "html"):
        cleaned("whole", "--clean-report", f"whole.{ending}")
        cleaned("jobs", "-j", "2", "--journal", f"j.{ending}", "--clean-report", f"jobs.{ending}")
        cleaned("manifest", "--clean-report", f"manifest.{ending}", source="m.tsv")
    for k in (1, 2):
        cleaned("shards", "--shard", f"{k}/2", "--journal", f"p{k}")
    for ending in ("json", "html"):
        report = f"shards.{ending}"
        assert merge.run(["merged.json", "p1", "p2", "-q", "--clean-report", report]) == 0
        (page,) = {Path(f"{name}.{ending}").read_text() for name in ("whole", "jobs", "shards")}
        assert "identical" in page
    names = ("jobs", "shards", "manifest")
    assert [written(name) for name in names] == [written("whole")] * 3
    assert len(written("whole")) == 10
    assert json.loads(Path("whole.json").read_text())["filters"][0]["rejected"] == 5
    # A file of rejected bisegments that is gone is written anew.
    (tmp_path / "jobs-out" / "t2.tsv").unlink()
    cleaned("jobs", "-j", "2", "--journal", "j.json", "--clean-report", "again.json")
    assert written("jobs") == written("whole")
    assert Path("again.json").read_text() == Path("whole.json").read_text()


def test_a_report_of_cleaning_from_shards_without_cleaning(corpus):
    score.run([*corpus, "--shard", "1/1", "--journal", "p1"])
    with pytest.raises(OptionError, match="is of 'bitext convert --clean', and the shards are no"):
        merge.run(["whole.json", "p1", "--clean-report", "r.html"])


def test_combinations_by_jobs_are_the_same(corpus, capsys):
    plain = ["one", "two", *corpus[3:9], "--to", "jsonl", "--missing", "leave"]
    assert run_combine([*plain, "-o", "plain/"]) == 0
    notes = capsys.readouterr().err
    assert "left out: two has no text 't7', which one has" in notes
    assert run_combine([*plain, "-o", "jobs/", "-j", "2", "--journal", "j"]) == 0
    assert capsys.readouterr().err == notes
    Path("jobs/t2.jsonl").unlink()
    assert run_combine([*plain, "-o", "jobs/", "--journal", "j"]) == 0
    assert "7 documents were done before" in capsys.readouterr().err
    for k in (1, 2):
        assert run_combine([*plain, "-o", "parts/", "--shard", f"{k}/2", "--journal", f"p{k}"]) == 0
    capsys.readouterr()
    assert merge.run(["merged", "p1", "p2"]) == 0
    assert capsys.readouterr().err == notes
    assert len(json.loads(Path("merged").read_bytes())["files"]) == 8
    files = {path.name: path.read_bytes() for path in Path("plain").iterdir()}
    for folder in ("jobs", "parts"):
        assert {path.name: path.read_bytes() for path in Path(folder).iterdir()} == files


def test_a_text_that_cannot_be_combined_is_told_and_the_rest_is_done(corpus, capsys):
    plain = ["one", "gold", *corpus[3:9], "--to", "jsonl", "--missing", "leave"]
    Path("one/t3.txt").write_text("[0]:[0]\n[1]:[x]\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"t3\.txt line 2.*3 of 9 files were written before this"):
        run_combine([*plain, "-o", "plain/"])
    for more in (["--keep-going"], ["-j", "2"]):
        assert run_combine([*plain, "-o", "out/", *more]) == 1
        assert "not written: one/t3.txt line 2" in capsys.readouterr().err
        assert len(list(Path("out").iterdir())) == 8
        assert not Path("out/t3.jsonl").exists()


def test_differences_by_jobs_and_by_shards_are_the_same(corpus, capsys):
    plain = ["one", "two", *corpus[3:9], "--json"]
    assert run_diff([*plain, "-o", "plain", "--html", "plain.html"]) == 1
    notes = capsys.readouterr().err
    assert run_diff([*plain, "-o", "jobs", "-j", "2", "--html", "jobs.html"]) == 1
    assert capsys.readouterr().err == notes
    for k in (1, 2):
        assert run_diff([*plain, "--shard", f"{k}/2", "--journal", f"p{k}"]) == 0
    capsys.readouterr()
    assert merge.run(["merged", "p1", "p2", "--json", "--html", "merged.html"]) == 1
    assert capsys.readouterr().err == notes
    document = json.loads(Path("plain").read_bytes())
    assert document["changes"]["text"] == 2
    for other in ("jobs", "merged"):
        assert Path(other).read_bytes() == Path("plain").read_bytes()
        assert Path(f"{other}.html").read_bytes() == Path("plain.html").read_bytes()
    Path("one/t3.txt").write_text("[0]:[0]\n[1]:[x]\n", encoding="utf-8")
    assert run_diff([*plain, "-o", "jobs", "--max-failures", "1"]) == 2  # not all are compared
    assert "failed: t3: one/t3.txt line 2" in capsys.readouterr().err
