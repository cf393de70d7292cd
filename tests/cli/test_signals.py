"""Signals that end a run: in order, in one line, with the status of a shell."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals are of POSIX systems")


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_what_a_run_by_jobs_has_begun_is_taken_away(coast, tmp_path, name):
    held = tmp_path / "held"
    for folder in ("en", "fr", "held"):
        (tmp_path / folder).mkdir()
    for k in range(20):
        for side in ("en", "fr"):
            text = (coast / "text" / f"ferry.{side}").read_bytes()
            (tmp_path / side / f"t{k}.txt").write_bytes(text)
    program = (  # under `nohup` one of them is ignored, and what is begun there inherits that
        "import signal\n"
        f"signal.signal(signal.{name}, signal.SIG_DFL)\n"
        "from bitext.cli.main import entry\n"
        "entry()\n"
    )
    command = [*(sys.executable, "-c", program, "align", "en", "fr", "-o", "out/"),
               *("--to", "jsonl", "--max-failures", "3", "-q")]  # fmt: skip
    running = subprocess.Popen(
        command, cwd=tmp_path, stderr=subprocess.PIPE, env={**os.environ, "TMPDIR": str(held)}
    )
    with running:
        while not list(held.glob("bitext-*")):
            assert running.poll() is None
            time.sleep(0.01)
        for _ in range(2):  # as `timeout` does
            running.send_signal(getattr(signal, name))
        _, told = running.communicate(timeout=60)
    assert told.decode() == f"bitext align: ended by {name}\n"
    assert running.returncode == 128 + getattr(signal, name)
    assert not list(held.iterdir())


def test_a_signal_that_is_ignored_remains_so_and_what_was_forked_ends_by_it():
    program = (
        "import os, signal\n"
        "from bitext.cli.signals import EndedError, end_in_order\n"
        "signal.signal(signal.SIGHUP, signal.SIG_IGN)\n"
        "end_in_order()\n"
        "os.kill(os.getpid(), signal.SIGHUP)\n"
        "child = os.fork()\n"
        "if not child:\n    signal.raise_signal(signal.SIGTERM)\n    os._exit(0)\n"
        "print(os.WTERMSIG(os.waitpid(child, 0)[1]))\n"
        "try:\n    signal.raise_signal(signal.SIGTERM)\n"
        "except EndedError as error:\n    print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert (done.stdout, done.stderr) == ("15\nended by SIGTERM\n", "")


def test_an_end_that_does_not_come_is_made():
    program = (
        "import signal, threading\n"
        "from bitext.cli.signals import EndedError, end_in_order\n"
        "end_in_order(grace=0.1)\n"
        "try:\n    signal.raise_signal(signal.SIGTERM)\n"
        "except EndedError:\n    threading.Event().wait()\n"
    )
    done = subprocess.run([sys.executable, "-c", program], timeout=60, check=False)
    assert done.returncode == -signal.SIGALRM
