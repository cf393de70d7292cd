"""Tests run in forked workers: each once, and whatever ends one of them is told."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="processes cannot fork here")

PLUGIN = f"""
import gc, sys
gc.disable()  # garbage is left to the end
sys.path.insert(0, {str(Path(__file__).parent)!r})
from reference.forked_workers import ForkedWorkers
def pytest_configure(config):
    config.pluginmanager.register(ForkedWorkers(2, lambda item: "waits" in item.path.name))
"""
TESTS = """
import os, pathlib, pytest, time
HERE = pathlib.Path(__file__).parent
def _ran(name):
    with (HERE / "ran").open("a") as file:
        file.write(f"{name}\\n")
@pytest.fixture
def odd():
    yield
    raise ValueError("at the end")
@pytest.mark.parametrize("k", range(50))
def test_each(k, tmp_path):
    _ran(k)
def test_odd(odd):
    pass
def test_wrong():
    os.write(1, b"by its descriptor")
    assert 1 == 2
def test_killed():
    os.kill(os.getpid(), 9)
def test_ended():
    os._exit(3)
def test_interrupted():
    raise KeyboardInterrupt
def test_of_a_process_that_stays():
    if not os.fork():
        os.closerange(0, 3)
        time.sleep(1)
        os._exit(0)
@pytest.mark.skip(reason="so")
def test_skipped():
    pass
@pytest.mark.xfail
def test_weak():
    assert not HERE
"""
WAITS = """
import pytest, time
from test_some import _ran
@pytest.fixture(scope="session")
def service():
    yield
    _ran("service ended")
def test_first(service):
    _ran("first")
"""
CIRCLE = """
def test_circle():
    class Circle:
        file = open(__file__)
    del Circle
"""


@pytest.fixture
def begin(tmp_path):
    """Begin pytest with tests in modules of these names; without packages' plug-ins."""
    (tmp_path / "pytest.ini").write_text("[pytest]\nfilterwarnings = error\npythonpath = .\n")
    (tmp_path / "conftest.py").write_text(PLUGIN)

    def begun(*more, **modules):
        for name, tests in modules.items():
            (tmp_path / f"test_{name}.py").write_text(tests)
        return subprocess.Popen(
            [sys.executable, "-m", "pytest", "-q", "--assert=plain", *more],
            cwd=tmp_path,
            env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "COLUMNS": "200"},
            stdout=subprocess.PIPE,
            text=True,
        )

    return begun


def test_each_test_runs_once_and_whatever_ends_a_worker_is_told(begin, tmp_path):
    told, _ = begin(some=TESTS, waits="def test_first():\n    pass\n").communicate(timeout=60)
    assert "4 failed, 53 passed, 1 skipped, 1 xfailed, 1 error" in told
    for line in (
        "FAILED test_some.py::test_wrong",
        "the worker ended with status -9 while it ran test_some.py::test_killed",
        "the worker ended with status 3 while it ran test_some.py::test_ended",
        "the worker ended with status 1 while it ran test_some.py::test_interrupted",
        "ERROR test_some.py::test_odd - ValueError: at the end",
        "Captured stdout call",
        "by its descriptor",
    ):
        assert line in told
    ran = (tmp_path / "ran").read_text().split()
    assert sorted(ran, key=int) == [*map(str, range(50))]


def test_garbage_whose_end_raises_an_error_is_told_at_the_end(begin):
    told, _ = begin(some=CIRCLE, more=CIRCLE).communicate(timeout=60)
    assert re.search(r"\n2 passed, [12] error", told)
    assert "ResourceWarning: unclosed file" in told


def test_the_first_failure_ends_the_run_where_that_is_wanted(begin):
    slow = "import pytest, time\n@pytest.mark.parametrize('k', range(60))\n"
    slow += "def test_slow(k):\n    time.sleep(.1)\n    assert k != 3\n"
    told, _ = begin("-x", some=slow).communicate(timeout=60)
    assert "stopping after 1 failures" in told
    assert "1 failed" in told
    assert " 59 passed" not in told


def test_an_interrupt_ends_workers_and_what_they_have_begun(begin, tmp_path):
    waits = WAITS.replace('_ran("first")', '_ran("first"), time.sleep(60)')
    process = begin(some=TESTS.replace("test_", "not_"), waits=waits)
    with process:
        ran = tmp_path / "ran"
        while not ran.exists() or ran.read_text() != "first\n":
            time.sleep(0.02)
            assert process.poll() is None
        process.send_signal(signal.SIGINT)
        assert "KeyboardInterrupt" in process.communicate(timeout=30)[0]
    assert ran.read_text() == "first\nservice ended\n"
