"""Tests run by forked workers: each once, and what happens to one of them is told of that one."""

import subprocess
import sys
import time
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "scripts" / "run_tests.py"
LIMIT = 60  # seconds

SOME = """
import os, signal, sys, time, warnings
import pytest

@pytest.fixture(scope="session")
def held(tmp_path_factory):
    folder = tmp_path_factory.mktemp("held")
    yield folder
    open(os.environ["ENDED"], "a").write(f"{os.getpid()}\\n")

@pytest.mark.parametrize("n", range(60))
def test_passes(n, held, tmp_path, capfd):
    assert not list(tmp_path.iterdir())
    (tmp_path / "one").touch()
    os.write(1, b"%d" % n)
    assert capfd.readouterr().out == str(n)

def test_fails(held):
    print("seen by the one that fails")
    assert 1 + 1 == 3

@pytest.mark.skip(reason="none wanted")
def test_is_skipped(): pass

def test_ends_its_process(): os._exit(7)

def test_is_killed(): os.kill(os.getpid(), signal.SIGKILL)

def test_warns(): warnings.warn("not so")

@pytest.fixture
def broken():
    yield
    raise ValueError("cannot be taken down")

def test_is_taken_down_wrong(broken): pass
"""


def command(folder, code, *args):
    (folder / "test_some.py").write_text(code)
    (folder / "pytest.ini").write_text("[pytest]\n")
    options = ["--workers", "3", "-p", "no:cacheprovider", "-p", "pytest_timeout", "-rA"]
    return [sys.executable, str(SCRIPT), *options, *args, str(folder)]


@pytest.fixture
def surroundings(tmp_path, monkeypatch):
    monkeypatch.setenv("ENDED", str(tmp_path / "ended"))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)


def run(folder, code, *args):
    asked = command(folder, code, *args)
    return subprocess.run(asked, capture_output=True, text=True, timeout=LIMIT, check=False)


@pytest.mark.usefixtures("surroundings")
def test_each_test_is_run_once_and_each_end_is_told(tmp_path):
    done = run(tmp_path, SOME, f"--junitxml={tmp_path / 'all.xml'}", "--durations=3")
    assert done.returncode == 1, done.stdout
    assert not done.stderr
    assert "3 failed, 62 passed, 1 skipped, 1 warning, 1 error" in done.stdout
    assert "assert (1 + 1) == 3" in done.stdout
    assert "seen by the one that fails" in done.stdout
    assert (
        "test_ends_its_process\nThe process of the tests ended in this test (status 7)"
        in done.stdout
    )
    assert "test_is_killed\nThe process of the tests ended in this test (signal 9)" in done.stdout
    assert "UserWarning: not so" in done.stdout
    assert "slowest 3 durations" in done.stdout
    cases = ET.parse(tmp_path / "all.xml").getroot().iter("testcase")
    names = [case.get("name") for case in cases]
    assert len(names) == len(set(names)) == 66
    # Of each worker that ended as it should, what was set up for the session was taken down once.
    ended = (tmp_path / "ended").read_text().split()
    assert len(ended) == len(set(ended)) > 0


@pytest.mark.usefixtures("surroundings")
def test_a_choice_of_tests_and_the_exit_status_are_pytests_own(tmp_path):
    done = run(tmp_path, SOME, "-k", "passes and 1", "-q")
    assert done.returncode == 0, done.stdout
    assert "15 passed, 51 deselected" in done.stdout
    assert run(tmp_path, SOME, "-k", "nothing").returncode == pytest.ExitCode.NO_TESTS_COLLECTED
    code = "import pytest\ndef test_a(): pytest.exit('so', returncode=9)\ndef test_b(): pass"
    done = run(tmp_path, code)
    assert done.returncode == 9
    assert "Exit: so" in done.stdout + done.stderr


@pytest.mark.usefixtures("surroundings")
def test_no_process_is_forked_beside_a_thread(tmp_path):
    code = """
import threading
threading.Thread(target=threading.Event().wait, args=[9], daemon=True).start()
def test_a(): pass
def test_b(): pass
"""
    done = run(tmp_path, code)
    assert done.returncode == pytest.ExitCode.INTERNAL_ERROR
    assert "threads run when tests are collected" in done.stdout + done.stderr


WAITING = """
import os, time
import pytest

@pytest.fixture
def held():
    open(os.environ["ENDED"] + f".begun{os.getpid()}", "w").close()
    yield
    open(os.environ["ENDED"], "a").write("taken down\\n")

@pytest.mark.parametrize("n", range(2))
def test_waits(held, n): time.sleep(50)

def test_fails():
    limit = time.monotonic() + 30
    while sum("begun" in name for name in os.listdir(os.path.dirname(os.environ["ENDED"]))) < 2:
        assert time.monotonic() < limit
        time.sleep(.01)
    assert FAILS
"""


@pytest.mark.usefixtures("surroundings")
def test_with_x_the_first_failure_ends_the_others(tmp_path):
    start = time.monotonic()
    done = run(tmp_path, WAITING.replace("FAILS", "False"), "-x")
    assert time.monotonic() - start < 40
    assert done.returncode == 1
    assert "1 failed" in done.stdout
    assert (tmp_path / "ended").read_text() == "taken down\n" * 2


@pytest.mark.usefixtures("surroundings")
def test_ctrl_c_ends_all_and_takes_down_what_was_set_up(tmp_path):
    code = WAITING.replace("FAILS", "not os.kill(os.getppid(), 2)")
    done = run(tmp_path, code)
    assert done.returncode == pytest.ExitCode.INTERRUPTED
    assert "KeyboardInterrupt" in done.stdout
    assert (tmp_path / "ended").read_text() == "taken down\n" * 2


@pytest.mark.usefixtures("surroundings")
def test_a_test_that_waits_for_ever_is_ended_and_named(tmp_path):
    code = "import time\ndef test_a(): pass\ndef test_b(): time.sleep(50)\ndef test_c(): pass"
    done = run(tmp_path, code, "--timeout=0.5", "--timeout-method=thread")
    assert done.returncode == 1
    assert "Stack of MainThread" in done.stdout
    assert "test_b\nThe process of the tests ended in this test (status 1)" in done.stdout
    assert "1 failed, 2 passed" in done.stdout
