"""Tests run in forked processes: each once, whatever becomes of the process that runs it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
ROOT = Path(__file__).resolve().parents[2]
TESTS = """
import os, signal, time, warnings
from pathlib import Path
import pytest

@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    yield tmp_path_factory.mktemp("shared")
    print("put away")

def note(k, shared):
    (shared / str(k)).touch()
    with Path(os.environ["RUN"]).open("a") as file:
        file.write(f"{k} {os.getpid()}\\n")

@pytest.mark.parametrize("k", range(40))
def test_first(k, shared):
    note(k, shared)

def test_wrong(capsys):
    print("printed by the test")
    assert 1 == 2

def test_ends():
    os._exit(3)

def test_killed():
    os.kill(os.getpid(), signal.SIGKILL)

def test_killed_beside_a_process_of_its_own():
    if not os.fork():
        time.sleep(4)
        os._exit(0)
    os.kill(os.getpid(), signal.SIGKILL)

def test_warns():
    warnings.warn("take care", stacklevel=1)

@pytest.mark.skip(reason="not today")
def test_skipped():
    pass

@pytest.mark.parametrize("k", range(40, 80))
def test_second(k, shared):
    note(k, shared)
"""


@pytest.fixture
def run(tmp_path):
    (tmp_path / "test_some.py").write_text(TESTS, encoding="utf-8")
    (tmp_path / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")

    def answer(*more):
        command = [sys.executable, "-m", "pytest", "-p", "tests.reference.forked_workers"]
        given = ["-c", tmp_path / "pytest.ini", "-p", "no:hypothesispytest", "-q", "-rf"]
        return subprocess.run(
            [*command, *given, *more, tmp_path],
            cwd=ROOT,
            env={**os.environ, "RUN": str(tmp_path / "run"), "COLUMNS": "300"},
            capture_output=True,
            encoding="utf-8",
            timeout=100,
            check=False,
        )

    return answer


def test_each_test_is_run_once_and_told_whatever_it_does_to_its_process(run, tmp_path):
    done = run("--workers", "3")
    assert done.returncode == 1, done.stderr
    assert "4 failed, 81 passed, 1 skipped, 1 warning" in done.stdout
    for line in (
        "test_wrong - assert 1 == 2",
        "test_ends - its worker ended by exit code 3",
        "test_killed - its worker ended by signal SIGKILL",
        "test_killed_beside_a_process_of_its_own - its worker ended by signal SIGKILL",
    ):
        assert f"::{line}" in done.stdout
    assert "printed by the test" in done.stdout
    assert "UserWarning: take care" in done.stdout
    ran = [line.split() for line in (tmp_path / "run").read_text(encoding="utf-8").splitlines()]
    assert sorted(int(test) for test, _ in ran) == list(range(80))
    assert len({process for _, process in ran}) >= 3


def test_a_run_that_has_failed_enough_stops(run):
    done = run("--workers", "2", "-x", "-k", "wrong or warns")
    assert done.returncode == 1, done.stderr
    assert "stopping after 1 failures" in done.stdout
    assert done.stderr == ""
