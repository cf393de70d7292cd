"""Standard input and output: read once, not for work by jobs, and told where they fail."""

from __future__ import annotations

import gzip
import io
import os
import subprocess
import sys
from types import SimpleNamespace

import pytest

GOLD = "[0]:[0]\n[1]:[1]\n[2]:[2]\n"


@pytest.fixture
def files(write, tmp_path, monkeypatch):
    """Small files of each kind, in the current folder."""
    monkeypatch.chdir(tmp_path)
    write("g.align", GOLD)
    write("t.txt", "a\nb\nc\n")
    write("m.tsv", "One.\tUn.\t0.9\nTwo.\tDeux.\t0.8\n")
    write("ref.masses", "2,3\n")
    write("c.txt", "Two men were shot in Milan .\nMen were shot near Milan .\n")
    for folder in ("gold", "hyp"):
        for name in ("a.align", "b.align"):
            write(f"{folder}/{name}", GOLD)
    return tmp_path


@pytest.fixture
def given(monkeypatch):
    """Puts what is to be read on standard input."""

    def put(data):
        monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(data)))

    return put


@pytest.mark.parametrize("jobs", ["-j 2", "--time-limit 9", "--max-failures 3", "--journal j"])
@pytest.mark.parametrize(
    "command",
    [
        "score g.align -",
        "score - g.align",
        "score g.align g.align --src - --tgt t.txt",
        "score g.align g.align --src t.txt --tgt t.txt --hyp-src /dev/stdin --hyp-tgt t.txt",
        "convert m.tsv - --to tsv",
        "convert m.tsv /dev/stdout --to tsv",
        "convert m.tsv /dev/fd/1 --to tsv",
        "convert - o.tsv",
        "convert - m.tsv out/ --to jsonl",
        "convert t.txt,- o.tsv",
        "convert g.align out/ --to tsv --src t.txt --tgt -",
    ],
)
def test_streams_are_not_for_work_by_jobs(bitext, files, given, command, jobs):
    given(GOLD.encode())
    before = sorted(files.rglob("*"))
    found = bitext(*command.split(), *jobs.split())
    assert (found.status, found.out, len(found.lines())) == (2, "", 1)
    assert "standard input and output are not for work by jobs: name a file, or" in found.err
    assert sorted(files.rglob("*")) == before


@pytest.mark.parametrize("command", ["compare ref.masses -", "cluster -"])
def test_what_is_read_here_is_refused_beside_a_journal_alone(bitext, files, given, command):
    text = (files / ("ref.masses" if "ref" in command else "c.txt")).read_bytes()
    given(text)
    found = bitext(*command.split(), "--journal", "j")
    assert (found.status, len(found.lines())) == (2, 1)
    assert "-: a journal cannot check whether it has changed" in found.err
    assert not (files / "j").exists()
    assert bitext(*command.split(), "-j", "2").status == 0


@pytest.mark.parametrize(
    "command",
    [
        "convert g.align o.tsv --src - --tgt -",
        "score g.align g.align --src - --tgt -",
        "score gold hyp --src -",
        "show g.align --src - --tgt -",
        "check g.align --src - --tgt -",
        "paragraphs train - --dev - -o model",
        "paragraphs score - --methods all --train -",
    ],
)
@pytest.mark.usefixtures("files")
def test_standard_input_is_read_once_only(bitext, given, command):
    given(b"a\nb\nc\n\nd\ne\n" if "paragraphs" in command else b"a\nb\nc\n")
    found = bitext(*command.split())
    assert (found.status, len(found.lines())) == (2, 1)
    assert "standard input can be read only once, and is needed again: name" in found.err


MANIFEST = b"text\tpath\na\tgold/a.align\nb\tgold/b.align\n"


@pytest.mark.parametrize("name", ["-", "/dev/stdin"])
@pytest.mark.parametrize(
    "data",
    [
        MANIFEST,
        gzip.compress(MANIFEST, mtime=0),
        b'{"text": "a", "path": "gold/a.align"}\n{"text": "b", "path": "gold/b.align"}\n',
    ],
)
def test_a_manifest_on_standard_input_is_that_of_a_corpus(bitext, files, given, data, name):
    (files / "in.tsv").write_bytes(MANIFEST)
    for command, status in (
        (f"score {name} hyp --per-text", 0),
        (f"score hyp {name} --per-text --names in", 0),
        (f"check {name}", 0),
        (f"convert {name} OUT --to jsonl", 0),
        (f"compare ref.masses {name}", 2),  # of alignments, no segmentations
    ):
        asked = command.replace("OUT", f"{len(data)}.jsonl").split()
        given(data)
        found = bitext(*asked)
        named = bitext(*["in.tsv" if word == name else word for word in asked])
        assert (found.status, named.status) == (status, status)
        assert found.out == named.out
    assert b'"document": "b"' in (files / f"{len(data)}.jsonl").read_bytes()


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"text\tpath\n", "standard input: the manifest names no text; want a line each"),
        (MANIFEST + b"a\tx\n", "standard input line 4: names 'a' again; want once"),
        (MANIFEST + b"c\td/c.align\n", "standard input line 4 names d/c.align: no such file"),
        (b"path,text\n", "standard input line 1: is 'path text', which is almost the header of a"),
        (b"text\tpat\n", "line 1: is 'text pat', which is almost the header of a manifest"),
        (b"txt\tpath\tsrc\n", "line 1: is 'txt path src', which is almost the header of a"),
        (b'{"text": "a", "paht": "x"}\n', "line 1: has the keys 'paht, text', which are almost"),
        (b"", "standard input: is empty"),
    ],
)
@pytest.mark.usefixtures("files")
def test_a_manifest_on_standard_input_has_its_errors(bitext, given, data, told):
    given(data)
    found = bitext("score", "-", "gold")
    assert (found.status, found.out, len(found.lines())) == (2, "", 1)
    assert told in found.err


def test_a_manifest_without_names_of_its_texts_is_refused(bitext, write):
    for name in ("a.en", "a.fr"):
        write(name, "One.\n")
    manifest = write("m.tsv", "path\tsrc\ttgt\na.en\ta.en\ta.fr\n")
    for command in ("stats", "convert"):
        found = bitext(command, manifest, *(["-"] if command == "convert" else []))
        assert found.status == 2
        assert "is 'path src tgt', the header of a manifest without 'text'" in found.err
    table = write("t.tsv", "path\tsrc\ttgt\na.en\tOne.\tUn.\n")  # texts beside a path
    assert bitext("stats", table).status == 0


def test_segmentations_are_named_on_standard_input(bitext, files, given):
    given(b"text\tpath\nref\tref.masses\n")
    found = bitext("compare", "ref.masses", "-", "--names", "in")
    assert (found.status, found.err) == (0, "")
    (files / "in").write_bytes((files / "ref.masses").read_bytes())
    assert found.out == bitext("compare", "ref.masses", "in").out


def test_limits_hold_for_standard_input_that_was_looked_into(bitext, files, given):
    line = b"One.\tUn.\n"
    data = gzip.compress(line * 260_000)
    given(data)
    found = bitext("convert", "-", "o.tsv", "--max-size", "1")
    assert (found.status, len(found.lines())) == (2, 1)
    assert "standard input: unfolds to more than" in found.err
    assert not (files / "o.tsv").exists()
    given(data)
    assert bitext("convert", "-", "o.tsv", "--max-size", "1", "--max-ratio", "9999").status == 0


@pytest.mark.parametrize(
    "command",
    [
        ("stats", "-"),
        ("check", "-"),
        ("sample", "-", "-n", "1", "--to", "tsv"),
        ("diff", "-", "a.tsv"),
        ("split", "90/10", "-", "--near", "0", "--from", "tsv", "-o", "parts/"),
    ],
    ids=lambda command: command[0],
)
def test_every_command_limits_standard_input(bitext, files, given, command):
    (files / "a.tsv").write_bytes(b"One.\tUn.\n")
    given(gzip.compress(b"One.\tUn.\n" * 2_000))
    found = bitext(*command, "--max-size", "0", "--max-ratio", "2")
    assert found.status
    assert "unfolds to more than" in found.err + found.out


@pytest.mark.usefixtures("files")
def test_standard_input_checked_twice_is_a_finding(bitext, given):
    given(b"One.\tUn.\t0.9\n")
    found = bitext("check", "-", "-")
    assert (found.status, found.err) == (1, "")
    assert "standard input can be read only once" in found.out


@pytest.fixture
def piped(monkeypatch):
    """Puts a pipe with what is to be read in the place of standard input, as a shell does."""
    held, opened = os.dup(0), []

    def put(data):
        ours, theirs = os.pipe()
        os.write(theirs, data)
        os.close(theirs)
        os.dup2(ours, 0)
        os.close(ours)
        opened.append(os.fdopen(os.dup(0), encoding="utf-8"))
        monkeypatch.setattr("sys.stdin", opened[-1])

    yield put
    for each in opened:
        each.close()
    os.dup2(held, 0)
    os.close(held)


def test_dev_stdin_is_standard_input(bitext, piped, tmp_path, monkeypatch):
    """A pipe by its name is read as `-` is: once, and by its contents."""
    (tmp_path / "b.fr").write_text("Un.\nDeux.\n", encoding="utf-8")
    found = subprocess.run(
        [sys.executable, "-m", "bitext", *["align", "/dev/stdin", "b.fr", "-q"]],
        input=b"One.\nTwo.\n",
        capture_output=True,
        check=False,
        cwd=tmp_path,
        timeout=60,
    )
    assert (found.returncode, found.stderr) == (0, b"")
    assert "One.\tUn." in found.stdout.decode()
    monkeypatch.chdir(tmp_path)
    for command, told in (
        ("align - /dev/stdin", "standard input (-) can be one of the two texts only"),
        ("check /dev/stdin", "standard input"),
        ("score /dev/stdin /dev/stdin", "standard input"),
    ):
        piped(b"One.\nTwo.\n")
        done = bitext(*command.split())
        assert told in done.out + done.err
        assert "Traceback" not in done.err
