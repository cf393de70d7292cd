"""Corpora at places: a file system in memory, an S3-compatible server, manifests that name them."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from bitext.cli import score
from bitext.errors import FormatError, InputError, MissingExtraError
from bitext.formats.corpus import open_corpus as open_anywhere
from reference.job_tasks import AtHand

BEADS = {
    "gold": "".join(f"[{n}]:[{n}]\n" for n in range(9)),
    "hyp": "".join(f"[{n}]:[{n}]\n" for n in range(9) if n % 4),
}
TEXT = "".join(f"a sentence {n}\n" for n in range(9))


@pytest.fixture
def corpus(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for folder, text in {**BEADS, "texts": TEXT}.items():
        Path(folder, "news").mkdir(parents=True)
        for k in range(3):
            Path(folder, "news", f"t{k}.txt").write_text(text, encoding="utf-8")
    return ["--from", "vecalign", "--json", "--resamples", "0"]


def rows(path):
    return json.loads(Path(path).read_text(encoding="utf-8"))["rows"]


def upload(root):
    fsspec = pytest.importorskip("fsspec")
    system, inside = fsspec.core.url_to_fs(root)
    for path in sorted(Path().rglob("*.txt")):
        system.pipe_file(f"{inside}/{path}", path.read_bytes())
    system.pipe_file(f"{inside}/gold/.hidden", b"x")
    return system


def check(root, corpus):
    texts = [f"--{side}={{}}texts/{{name}}.txt" for side in ("src", "tgt")]
    score.run(["gold", "hyp", *(t.replace("{}", "") for t in texts), *corpus, "-o", "plain"])
    far = [t.replace("{}", f"{root}/") for t in texts]
    score.run([f"{root}/gold", f"{root}/hyp", *far, *corpus, "-o", "far", "--names", "hyp",
               "--store", f"{root}/scores.jsonl"])  # fmt: skip
    assert rows("far") == rows("plain")
    assert len(rows("plain")) > 20


def test_a_corpus_in_memory_is_read_where_the_work_is(corpus, monkeypatch):
    # Workers have a memory of their own: work here.
    monkeypatch.setattr("bitext.jobs.running.Processes", AtHand)
    system = upload("memory://corpus")
    check("memory://corpus", corpus)
    assert system.cat_file("/corpus/scores.jsonl").count(b"\n") == 3 * 6
    found = open_anywhere("memory://corpus/gold")
    assert list(found.entries) == [f"news/t{k}" for k in range(3)]


def test_files_by_their_addresses_and_manifests_of_them(corpus, tmp_path):
    root = f"file://{tmp_path}"
    upload(root)
    check(root, corpus)
    lines = [{"text": f"t{k}", "path": f"{root}/hyp/news/t{k}.txt"} for k in range(3)]
    Path("hyps.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    golds = ["text\tpath", *(f"t{k}\t{root}/gold/news/t{k}.txt" for k in range(3))]
    Path("golds.tsv").write_text("\n".join(golds) + "\n", encoding="utf-8")
    score.run(["golds.tsv", "hyps.jsonl", *corpus, "-j", "2", "-o", "far", "--names", "hyp"])
    score.run(["gold", "hyp", *corpus, "-o", "plain"])
    assert [row["f1"] for row in rows("far")] == [row["f1"] for row in rows("plain")]
    found = open_anywhere(f"{root}/golds.tsv")
    assert found.entries["t1"].path == f"{root}/gold/news/t1.txt"


def test_an_object_store_is_read(corpus, monkeypatch):
    server = pytest.importorskip("moto.server")
    pytest.importorskip("s3fs")
    running = server.ThreadedMotoServer(ip_address="127.0.0.1", port=0)
    running.start()
    try:
        host, port = running.get_host_and_port()
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://{host}:{port}")
        for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
            monkeypatch.setenv(name, "testing")
        monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
        import fsspec

        fsspec.filesystem("s3").mkdir("corpus")
        system = upload("s3://corpus")
        check("s3://corpus", corpus)
        assert system.cat_file("corpus/scores.jsonl").count(b"\n") == 3 * 6
    finally:
        running.stop()


def test_what_is_wrong_with_a_place_is_told(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    pytest.importorskip("fsspec")
    root = f"file://{tmp_path}"
    with pytest.raises(InputError, match="nowhere: no such file"):
        open_anywhere(f"{root}/nowhere")
    with pytest.raises(InputError, match="cannot be reached"):
        open_anywhere("quux://x")
    Path("m.jsonl").write_text('{"text": "a", "path": "b", "odd": 1}\n', encoding="utf-8")
    with pytest.raises(
        FormatError, match=r"m\.jsonl line 1: the manifest has a column 'odd'; want text, path"
    ):
        open_anywhere(f"{root}/m.jsonl")
    Path("m.jsonl").write_text('{"text": "a", "path": "b"}\n[]\n', encoding="utf-8")
    with pytest.raises(FormatError, match=r"m\.jsonl line 2: is no JSON object"):
        open_anywhere("m.jsonl")
    Path("m.tsv").write_text("text\tpath\na\tb\na\tc\n", encoding="utf-8")
    with pytest.raises(FormatError, match=r"m\.tsv line 3: names 'a' again"):
        open_anywhere(f"{root}/m.tsv")


def test_the_missing_package_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "fsspec", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'bitext\[places\]'"):
        open_anywhere("s3://bucket/gold/")
