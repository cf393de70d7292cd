"""Signals that end a run: in order, in one line, with the status of a shell."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

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
        "from bitext.cli.console import EndedError, handle_signals\n"
        "signal.signal(signal.SIGHUP, signal.SIG_IGN)\n"
        "handle_signals()\n"
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
        "from bitext.cli.console import EndedError, handle_signals\n"
        "handle_signals(grace=0.1)\n"
        "try:\n    signal.raise_signal(signal.SIGTERM)\n"
        "except EndedError:\n    threading.Event().wait()\n"
    )
    done = subprocess.run([sys.executable, "-c", program], timeout=60, check=False)
    assert done.returncode == -signal.SIGALRM


def _told(program, status=0):
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (status, "")
    return done.stdout


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGINT"])
def test_a_signal_that_finds_code_whose_errors_are_ignored_ends_the_run_nevertheless(name):
    program = (
        "import signal, time\n"
        "from bitext.cli.console import handle_signals\n"
        f"signal.signal(signal.{name}, getattr(signal, '{name}' == 'SIGINT' and "
        "'default_int_handler' or 'SIG_DFL'))\n"
        "handle_signals()\n"
        "class Last:\n"
        f"    def __del__(self):\n        signal.raise_signal(signal.{name})\n"
        "class Odd:\n    def __del__(self):\n        raise ValueError\n"
        "try:\n    last = Last()\n    del last\n    time.sleep(30)\n"
        "except KeyboardInterrupt as error:\n    print(type(error).__name__)\n"
    )
    assert _told(program) == ("KeyboardInterrupt\n" if name == "SIGINT" else "EndedError\n")
    odd = program.replace("last = Last()", "last = Odd()").replace("sleep(30)", "sleep(0)")
    done = subprocess.run([sys.executable, "-c", odd], capture_output=True, text=True, check=True)
    assert "ValueError" in done.stderr  # what is ignored else is told as ever


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGINT"])
def test_a_signal_that_comes_again_after_ignored_errors_is_delayed_too(name):
    program = (
        "import signal, time\n"
        "from bitext.cli.console import delayed_signals, handle_signals\n"
        f"signal.signal(signal.{name}, getattr(signal, '{name}' == 'SIGINT' and "
        "'default_int_handler' or 'SIG_DFL'))\n"
        "handle_signals()\n"
        "class Last:\n"
        f"    def __del__(self):\n        signal.raise_signal(signal.{name})\n"
        "try:\n"
        "    last = Last()\n    del last\n"
        "    with delayed_signals():\n        time.sleep(0.1)\n        print('whole')\n"
        "    print('not here')\n"
        "except KeyboardInterrupt as error:\n    print(type(error).__name__)\n"
    )
    assert _told(program) == (
        "whole\nKeyboardInterrupt\n" if name == "SIGINT" else "whole\nEndedError\n"
    )


@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT"])
def test_what_is_not_to_be_interrupted_is_done_first(name):
    program = (
        "import os, signal, threading\n"
        "from bitext.cli.console import handle_signals, delayed_signals\n"
        "handle_signals()\n"
        "try:\n"
        "    with delayed_signals():\n"
        f"        signal.raise_signal(signal.{name})\n"
        "        child = os.fork()\n"
        f"        if not child:\n            signal.raise_signal(signal.{name})\n"
        "            os._exit(5)\n"
        "        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)\n"
        "    print('not here')\n"
        "except KeyboardInterrupt as error:\n    print(type(error).__name__)\n"
        "def elsewhere():\n    with delayed_signals():\n        print('a thread')\n"
        "thread = threading.Thread(target=elsewhere)\nthread.start()\nthread.join()\n"
        "with delayed_signals():\n    pass\n"
    )
    ended = "-15\nEndedError" if name == "SIGTERM" else "5\nKeyboardInterrupt"
    assert _told(program) == f"{ended}\na thread\n"


_FORKS = (
    "import os, signal, sys, threading, time\n"
    "from bitext.cli.align.running import forked_map\n"
    "from bitext.cli.console import handle_signals\n"
    "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
)


def test_a_run_whose_processes_are_telling_much_ends_at_once():
    program = _FORKS + (
        "handle_signals()\n"  # as in a command: an error that strikes a finalizer comes again
        "signal.signal(signal.SIGALRM, lambda *_: signal.raise_signal(signal.SIGINT))\n"
        "for k in range(12):\n"
        "    try:\n"
        "        signal.setitimer(signal.ITIMER_REAL, 0.001 + 0.01 * k)\n"
        "        for _ in forked_map(3)(lambda k: bytes(3_000_000), range(10**6)):\n"
        "            pass\n"
        "    except KeyboardInterrupt:\n        print(threading.active_count())\n"
    )
    assert set(_told(program).split()) == {"1"}


@pytest.mark.parametrize("name", ["SIGKILL", "SIGTERM"])
def test_what_was_forked_ends_with_the_one_that_began_it(name):
    program = _FORKS + (
        "handle_signals()\n"
        "def work(k):\n    os.write(1, b'%d\\n' % os.getpid())\n    time.sleep(60)\n"
        "list(forked_map(2)(work, range(2)))\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as running:
        begun = [int(running.stdout.readline()) for _ in range(2)]
        running.send_signal(getattr(signal, name))
        try:
            assert select.select([running.stdout], [], [], 30)[0], "they go on"
            assert running.stdout.read() == b""  # the end of all that have it
        finally:
            for process in begun:
                with suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_an_error_that_others_make_of_a_signal_is_no_bug(name):
    """numpy makes an ImportError of Ctrl-C while it is imported."""
    program = (
        "import signal, sys, types\n"
        "from bitext.cli import main\n"
        "def run(arguments):\n"
        f"    try:\n        signal.raise_signal(signal.{name})\n"
        "    except KeyboardInterrupt as error:\n"
        "        raise ImportError('a library is not as it should be') from error\n"
        "sys.modules['bitext.cli.listings'] = types.SimpleNamespace(run_formats=run)\n"
        "sys.argv = ['bitext', 'formats']\n"
        "main.entry()\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)
    told = "interrupted" if name == "SIGINT" else "ended by SIGTERM"
    assert done.stderr.decode() == f"bitext formats: {told}\n"
    assert done.returncode == 128 + getattr(signal, name)


@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes as Linux shows them")
def test_the_processes_of_a_study_leave_ctrl_c_to_the_one_that_began_them():
    command = [sys.executable, "-m", "bitext", "study", "errors", "--to-n", "18", "-j", "2"]
    for wait in (0.0, 0.2):  # while they import, and later
        running = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
        )
        children = Path(f"/proc/{running.pid}/task/{running.pid}/children")
        with running:
            while len(children.read_text().split()) < 3:  # one looks after semaphores
                assert running.poll() is None
                time.sleep(0.01)
            time.sleep(wait)
            os.killpg(running.pid, signal.SIGINT)
            _, told = running.communicate(timeout=60)
        assert (running.returncode, told.decode()) == (130, "bitext study: interrupted\n")
