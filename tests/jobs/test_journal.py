"""Journals: torn and damaged lines, other runs, full disks, two runs at once."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
import threading
import zlib
from pathlib import Path

import pytest

from bitext.errors import FormatError, InputError
from bitext.jobs import Document, Journal, Shard, run
from bitext.jobs.journal import Parts
from reference.job_tasks import Here, Tries, documents

TESTS = Path(__file__).resolve().parents[1]


@pytest.fixture
def journal(tmp_path):
    path = tmp_path / "journal"
    run(documents(range(6)), Tries(), executor=Here(), journal=path)
    return path


def test_however_much_is_torn_off_the_output_is_the_same(journal):
    whole = run(documents(range(6)), Tries(), executor=Here()).output
    data = journal.read_bytes()
    for cut in range(0, len(data), 23):
        journal.write_bytes(data[:cut])
        found = run(documents(range(6)), Tries(), executor=Here(), journal=journal)
        assert found.output == whole
        assert found.kept == max(0, data[:cut].count(b"\n") - 1)
        assert sorted(journal.read_bytes().splitlines()) == sorted(data.splitlines())


@pytest.mark.parametrize("room", [0, 1, 4])
def test_on_a_full_disk_a_run_stops_and_goes_on_when_there_is_room(tmp_path, room, monkeypatch):
    path, write = tmp_path / "journal", os.pwrite
    left = [room]

    def full(descriptor, data, place):
        left[0] -= 1
        if left[0] < 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return write(descriptor, data[: len(data) // 2] if not left[0] else data, place)

    with monkeypatch.context() as patch:
        patch.setattr("bitext.jobs.journal.os.pwrite", full)
        with pytest.raises(InputError, match=r"No space left on device; make room, and give the s"):
            run(documents(range(6)), Tries(), executor=Here(), journal=path)
    found = run(documents(range(6)), Tries(), executor=Here(), journal=path)
    assert [value["square"] for value in found.output] == [0, 1, 4, 9, 16, 25]
    assert found.kept == max(0, room - 2)  # the first line is no document, the last one was torn


def test_a_damaged_line_counts_for_nothing(journal):
    data = journal.read_bytes()
    journal.write_bytes(data.replace(b'"square": 4,', b'"square": 5,'))
    found = run(documents(range(6)), Tries(), executor=Here(), journal=journal)
    assert (found.kept, found.done, found.output[2]["square"]) == (5, 1, 4)
    assert "1 line is torn or damaged, and ignored" in found.notes[0]


def test_another_run_is_refused(journal, tmp_path):
    with pytest.raises(InputError, match="another run: name was not given and is 'b'"):
        Journal(journal, {"task": "tries", "name": "b"})
    with pytest.raises(InputError, match=r"another run: shard was \[1, 1\] and is \[1, 2\]"):
        Journal(journal, {"task": "tries"}, shard=Shard(1, 2))
    with pytest.raises(InputError, match="document 1 was 'd0' and is 'other'"):
        run([Document(0, "other", 1)], Tries(), executor=Here(), journal=journal)
    letter = tmp_path / "letter"
    letter.write_text("Dear all,\n", encoding="utf-8")
    with pytest.raises(FormatError, match="letter line 1: is no journal"):
        Journal(letter, {})
    assert letter.read_text(encoding="utf-8") == "Dear all,\n"
    with pytest.raises(InputError, match=r"no folder .*no; make it first"):
        Journal(tmp_path / "no" / "j", {})


def test_two_runs_with_one_journal_are_refused(journal):
    with Journal(journal, {"task": "tries"}), pytest.raises(InputError, match="another run has"):
        Journal(journal, {"task": "tries"})
    Journal(journal, {"task": "tries"}).close()


def test_a_lock_of_a_moment_is_waited_for(journal):
    held = Journal(journal, {"task": "tries"})
    threading.Timer(0.1, held.close).start()
    Journal(journal, {"task": "tries"}).close()


def test_a_full_disk_is_told_and_the_run_goes_on_later(tmp_path):
    script = """
import resource, sys
sys.path.insert(0, sys.argv[1])
from reference.job_tasks import Here, Tries, documents
from bitext.jobs import run
resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))  # as a disk that is full
run(documents(range(300)), Tries(), executor=Here(), journal=sys.argv[2])
"""
    path = tmp_path / "j"
    done = subprocess.run(
        [sys.executable, "-c", script, TESTS, path], capture_output=True, text=True, check=False
    )
    assert "InputError" in done.stderr
    assert "make room, and give the same command again" in done.stderr
    assert path.stat().st_size == 2000
    found = run(documents(range(300)), Tries(), executor=Here(), journal=path)
    assert found.output == run(documents(range(300)), Tries(), executor=Here()).output
    assert found.kept > 10


def _line(**found):
    data = json.dumps(found).encode()
    return b"%08x %s\n" % (zlib.crc32(data), data)


@pytest.mark.parametrize(
    "line",
    [
        _line(n=[1], name="d0", files=[], value=1),
        _line(n=0.5, name="d0", files=[], value=1),
        _line(n=10**30, name="d0", files=[], value=1),
        _line(n=-1, name="d0", files=[], value=1),
        _line(n=1, files=[], value=1),
        _line(n=1, name="d1"),
        _line(n=1, name="d1", files=[], read=["a"], value=1),
        _line(end="x"),
        _line(end=6),
        _line(x=1),
        b"%08x \xff\n" % zlib.crc32(b"\xff"),
        b"%08x {1}\n" % zlib.crc32(b"{1}"),
        b"%08x %s\n" % (zlib.crc32(b"[" * 9999), b"[" * 9999),
    ],
)
def test_lines_that_nobody_wrote_count_for_nothing(journal, line):
    """Found by fuzzing: their checksums are right."""
    data = journal.read_bytes()
    journal.write_bytes(data + line)
    found = run(documents(range(6)), Tries(), executor=Here(), journal=journal)
    assert (found.kept, found.done) == (6, 0)
    assert "1 line is torn or damaged, and ignored" in found.notes[0]


@pytest.mark.parametrize("shard", [2, [1], [0, 1], [3, 2], ["1", "2"], None])
def test_first_lines_that_nobody_wrote_are_refused(journal, shard):
    """Found by fuzzing."""
    head = {"schema": "bitext.journal/1", "bitext": "0", "run": {}, "shown": {}, "shard": shard}
    for found in (head, {k: v for k, v in head.items() if k != "shard"}):
        journal.write_bytes(_line(**found))
        with pytest.raises(FormatError, match="line 1: is no journal of bitext"):
            Journal(journal, {})


@pytest.mark.parametrize("device", ["/dev/null", "/dev/zero"])
def test_devices_are_no_journals(device):
    """Found by fuzzing: reading the first line of /dev/zero took all memory."""
    with pytest.raises(InputError, match=f"{device}: is no file that a journal can be"):
        Journal(device, {})
    with pytest.raises(InputError, match=f"{device}: is no file that a journal can be"):
        Parts([device])


class Doubles(Tries):
    """Makes its output of numbers."""

    def assemble(self, results):
        return [2 + result.value["square"] for result in results]


def test_a_result_that_no_run_wrote_is_told_by_its_document(tmp_path):
    path = tmp_path / "j"
    run(documents(range(3)), Tries(), executor=Here(), journal=path)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines) + _line(**{**json.loads(lines[2][9:]), "value": {}}))
    with pytest.raises(InputError, match="what it holds of 'd1' is no result of this run"):
        run(documents(range(3)), Doubles(), executor=Here(), journal=path)
