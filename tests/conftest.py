"""Makes the slow versions under `reference` importable; examples may take their time."""

import faulthandler
import gc
import itertools
import os
import re
import signal
import sys
import time
from pathlib import Path

import pytest
from _pytest.doctest import DoctestModule
from _pytest.faulthandler import fault_handler_stderr_fd_key
from hypothesis import settings

_LIBRARY = Path(__file__).resolve().parents[1] / "bitext"

# The tests run on all cores already: threads of libraries would wait for each other.
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(name, "1")
sys.path.insert(0, str(Path(__file__).parent))
# Files by the thousand, of which none has to outlive a loss of power: no test waits for the disk.
os.fsync = os.fstat
# Each run draws other examples: a few of them each time, and many where `scripts/test` is given
# `--hypothesis-profile=thorough`. A build draws as many as usual, but always the same for the same
# tests: it must not fail by a draw that the change at hand has nothing to do with.
settings.register_profile("bitext", deadline=None, max_examples=30)
settings.register_profile("build", deadline=None, max_examples=30, derandomize=True)
settings.register_profile("thorough", deadline=None, max_examples=500)
settings.load_profile("bitext")


class _LightNltk:
    """Has nltk imported without scipy and scikit-learn, of which no test of nltk uses anything.

    Four fifths of the two seconds of its import are theirs, in each worker.
    """

    @staticmethod
    def find_spec(name, _path=None, _target=None):
        nltk = sys.modules.get("nltk")
        being_imported = nltk is not None and not hasattr(nltk, "demo")  # the last that it defines
        if being_imported and name.partition(".")[0] in {"scipy", "sklearn"}:
            raise ModuleNotFoundError(f"{name} is not imported by nltk in tests", name=name)


sys.meta_path.insert(0, _LightNltk)

# What runs in the background of a shell passes over Ctrl-C, and so would all that it starts.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def browser():
    """One browser for the pages of all tests: to start one takes longer than most of them."""
    from reference.browser import browser_or_skip

    found = browser_or_skip()
    yield found
    found.close()


class Examples:
    """Collects examples of modules that have some, and imports no others."""

    @staticmethod
    def pytest_ignore_collect(collection_path):
        if not collection_path.is_relative_to(_LIBRARY) or collection_path.suffix != ".py":
            return None
        return (b">>> " not in collection_path.read_bytes()) or None


def pytest_configure(config):
    config.pluginmanager.register(Examples())  # hooks of this module are for tests alone


def pytest_unconfigure():
    faulthandler.cancel_dump_traceback_later()


class Watchdog:
    """Ends a process whose test waits for ever, and shows where.

    pytest-timeout begins a thread for each test, which takes a third of the time that is spent on
    a test beside its own. This clock is set anew a few times a minute only, and works also where
    no thread of Python can run.
    """

    PRECISION = 10  # seconds

    def __init__(self):
        self.due = 0.0

    def set(self, item, seconds):
        now = time.monotonic()
        if now >= self.due:
            self.due = now + self.PRECISION
            faulthandler.dump_traceback_later(
                seconds + self.PRECISION,
                exit=True,
                file=item.config.stash[fault_handler_stderr_fd_key],
            )


_WATCHDOG = Watchdog()


def pytest_timeout_set_timer(item, settings):
    """Do so in place of pytest-timeout."""
    if "PYTEST_XDIST_WORKER" in os.environ:
        return None  # a worker may have nothing to do for long
    _WATCHDOG.set(item, settings.timeout)
    return True


def pytest_timeout_cancel_timer():
    return "PYTEST_XDIST_WORKER" not in os.environ or None


def pytest_exception_interact():
    """Set the clock anew: pytest stops it."""
    _WATCHDOG.due = 0.0


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Ten thousand tests that are collected are no garbage: none is looked for meanwhile."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_collect_file():
    """Of a file of tests no examples in docstrings are collected: there are none."""
    return [each for each in (yield) if not isinstance(each, DoctestModule)]


def pytest_collection_finish():
    """Tests that were collected are no garbage: whoever looks for some passes them over."""
    gc.freeze()
    # Most of a test's objects are gone without being looked for; so often as in a command.
    gc.set_threshold(100_000, 20, 100)


_FOLDERS = itertools.count()


@pytest.fixture
def tmp_path(request, tmp_path_factory):
    """A new folder; pytest's own fixture looks through the folders of all tests for a free name."""
    name = re.sub(r"\W", "_", request.node.name)[:30]
    path = tmp_path_factory.getbasetemp() / f"{name}_{next(_FOLDERS)}"
    path.mkdir(mode=0o700)
    return path


@pytest.fixture
def at_hand(monkeypatch):
    """Work by jobs is done in this process: to begin workers takes most of the time of a test."""
    from reference.job_tasks import AtHand

    monkeypatch.setattr("bitext.jobs.running.Processes", AtHand)


@pytest.fixture(params=[False, True], ids=["before", "after"])
def interrupted_mkdir(request, monkeypatch):
    """Whoever makes a folder is interrupted, before or after it is made."""
    request.getfixturevalue("tmp_path")  # this one is made
    make = os.mkdir

    def interrupted(*given, **more):
        if request.param:
            make(*given, **more)
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "mkdir", interrupted)
