"""Tasks of conversion: what they come to, and how several processes end."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bitext.errors import InputError
from bitext.formats.convert.conversion import Input, Task, convert, convert_all
from bitext.formats.convert.filters import Filters
from bitext.formats.reading import FileOptions

TSV = "src\ttgt\tscore\nOne.\tUn.\t0.9\nTwo.\tDeux.\t0.2\n"


def task(tmp_path, name, text=TSV, **options):
    path = tmp_path / f"{name}.tsv"
    path.write_text(text)
    return Task(inputs=(Input(str(path)),), output=str(tmp_path / name), to="jsonl", **options)


def test_outcomes_come_in_order_and_say_what_failed(tmp_path):
    tasks = [
        task(tmp_path, "a"),
        task(tmp_path, "b", "x\n" * 3, reading=FileOptions(format="tsv")),
        task(tmp_path, "c"),
    ]
    found = list(convert_all(tasks))
    assert [(each.output, bool(each.failed)) for each in found] == [
        (str(tmp_path / "a"), False),
        (str(tmp_path / "b"), True),
        (str(tmp_path / "c"), False),
    ]


def test_what_is_changed_is_counted_apart(tmp_path):
    filters = Filters(min_score=0.5, spaces=True)
    given = task(tmp_path, "a", "src\ttgt\tscore\nO  ne.\tUn.\t0.9\nTwo.\tDeux.\t0.2\n")
    found = convert(Task(inputs=given.inputs, output=given.output, to="jsonl", filters=filters))
    assert [note.count for note in found.changed] == [1]
    assert [note.count for note in found.dropped] == [1]


def test_an_error_of_reading_names_no_remedy_of_writing(tmp_path):
    given = task(tmp_path, "a", "src\ttgt\na\x01\tb\n")
    (tmp_path / "b.xces").write_text("<cesAlign><linkGrp><link xtargets='a;b'/>")
    with pytest.raises(InputError, match="replace_forbidden=True replaces"):
        convert(Task(inputs=given.inputs, output=str(tmp_path / "o"), to="tmx"))
    inputs = (*task(tmp_path, "c").inputs, Input(str(tmp_path / "none")))
    with pytest.raises(InputError) as error:
        convert(Task(inputs=inputs, output=str(tmp_path / "o"), to="tmx"))
    assert "replace_forbidden" not in str(error.value)


# Processes. The inputs are pipes that nobody fills: each process waits in the midst of its work.

_COMMAND = "bitext convert in/list out/ --to xces -j 2 --from tsv --write-documents out/docs"


@pytest.fixture
def waiting(tmp_path):
    """A run of two processes, each at work, with documents begun; and the processes."""
    folder = tmp_path / "in"
    folder.mkdir()
    pipes = []
    rows = ["text\tpath\n"]
    for name in "ab":
        os.mkfifo(folder / f"{name}.tsv")
        rows.append(f"{name}\t{name}.tsv\n")
    (folder / "list").write_text("".join(rows))
    run = subprocess.Popen(
        [sys.executable, "-m", *_COMMAND.split()],
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        # Opened when the other end is: then the process reads.
        pipes += [open(folder / f"{name}.tsv", "wb", buffering=0) for name in "ab"]  # noqa: PTH123, SIM115
        row = b"One.\tUn.\t0.5\n"
        for pipe in pipes:
            pipe.write(b"src\ttgt\tscore\n" + row * 50_000)
        _until(lambda: _asides(tmp_path) == 2)
        yield run
    finally:
        for pipe in pipes:
            pipe.close()
        for left in _of_session(run.pid):
            with contextlib.suppress(ProcessLookupError):
                os.kill(left, signal.SIGKILL)
        run.wait()
        run.stderr.close()


def _asides(tmp_path):
    return len([*tmp_path.rglob(".bitext-*.part")])


def _until(condition):
    end = time.monotonic() + 60  # for what may never come
    while not condition():
        assert time.monotonic() < end, "it does not come"
        time.sleep(0.02)


def _of_session(session):
    """The processes of a session that have not ended."""
    found = []
    for each in Path("/proc").iterdir():
        if each.name.isdigit():
            with contextlib.suppress(OSError):
                fields = (each / "stat").read_text().rpartition(")")[2].split()
                if int(fields[3]) == session and fields[0] != "Z":
                    found.append(int(each.name))
    return found


linux = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks into /proc")


@linux
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_processes_end_with_the_one_that_began_them(waiting, tmp_path, number):
    assert len(_of_session(waiting.pid)) >= 3
    waiting.send_signal(number)
    waiting.wait(60)
    _until(lambda: not _of_session(waiting.pid))
    assert _asides(tmp_path) == 0
    assert [*(tmp_path / "out").rglob("*")] == []


@linux
def test_an_interruption_ends_them_in_the_midst(waiting, tmp_path):
    os.killpg(waiting.pid, signal.SIGINT)  # as a terminal does
    assert waiting.wait(60) == 130  # the documents that it reads never end
    assert waiting.stderr.read() == b"bitext convert: interrupted\n"
    _until(lambda: not _of_session(waiting.pid))  # one that counts shared things ends last
    assert [*(tmp_path / "out").rglob("*")] == []
