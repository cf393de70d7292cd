"""Makes the slow versions under `reference` importable; examples may take their time."""

import contextlib
import gc
import itertools
import os
import random
import re
import signal
import sys
import threading
import warnings
from pathlib import Path
from time import monotonic

import pytest
from _pytest.doctest import DoctestModule
from _pytest.runner import runtestprotocol
from hypothesis import control, settings, strategies
from hypothesis.errors import HypothesisWarning
from hypothesis.internal import entropy

try:
    import fcntl
except ImportError:  # on Windows
    fcntl = None

# Tests of which most of the time is waiting, by the start of their paths.
_WAITING = (
    *(
        "workbench/",
        "reports/",
        "cli/test_edit",
        "jobs/",
        "cli/test_signals",
        "cli/test_link_blocks",
    ),
    *("formats/books/test_epub", "formats/io/test_remote"),
)
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
    # Hooks of this module are for tests alone; these are for the examples of docstrings, too.
    config.pluginmanager.register(Examples())
    config.pluginmanager.register(_TimeLimits())


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node):
    """Tell workers whether any test is compiled yet."""
    compiled = any(Path(__file__).parent.glob("__pycache__/test_*.pyc"))
    node.workerinput["new"] = not compiled and not sys.dont_write_bytecode


@contextlib.contextmanager
def _one_first(config):
    """One worker compiles the tests of a new checkout while the others wait for what it compiles.

    To compile takes twice as long as all else that is done to collect tests. So it is with
    hypothesis' tables of characters: over a second in each worker that comes to draw text before
    another has written them to disk.
    """
    if fcntl is None or not getattr(config, "workerinput", {}).get("new"):
        yield
        return
    with Path(__file__).open() as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            strategies.text().validate()
        except BlockingIOError:
            fcntl.flock(file, fcntl.LOCK_SH)
        yield


@pytest.hookimpl(wrapper=True)
def pytest_collection(session):
    """Ten thousand tests that are collected are no garbage: none is looked for meanwhile."""
    gc.disable()
    try:
        with _one_first(session.config):
            return (yield)
    finally:
        gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_collect_file():
    """Of a file of tests no examples in docstrings are collected: there are none."""
    return [each for each in (yield) if not isinstance(each, DoctestModule)]


def pytest_collection_modifyitems(items):
    """Put first what waits for browsers, servers and processes: one worker then does all of it.

    Where it is last, all workers wait at once, and the cores have nothing to do.
    """
    waiting = tuple(str(Path(__file__).parent / place) for place in _WAITING)
    items.sort(key=lambda item: not str(item.path).startswith(waiting))


def pytest_collection_finish():
    """Tests that were collected are no garbage: whoever looks for some passes them over."""
    gc.freeze()  # hypothesis looks for garbage as it registers its generator
    _leave_generators_their_states()
    gc.freeze()
    # Nearly all objects of a test are gone without being looked for: with the 100,000 of a command
    # a twentieth of the time of tests goes into the search for the rest.
    gc.set_threshold(1_000_000, 20, 100)


def _leave_generators_their_states():
    """Have hypothesis save, seed and restore no global generator before and after each example.

    No test draws from numpy's, and a test that draws examples fails where it comes to draw from
    Python's (`pytest_runtest_call`). To do so, and to look for such draws after each argument,
    took a tenth of the time of tests with examples for Python's generator alone.
    """
    with warnings.catch_warnings():
        # From Python 3.14 on it sees no references by frozen objects, and warns of its own one.
        warnings.simplefilter("ignore", HypothesisWarning)
        with entropy.deterministic_PRNG():  # they are registered here, numpy's where it is imported
            entropy.RANDOMS_TO_MANAGE.clear()
    nothing = contextlib.nullcontext()
    control.deprecate_random_in_strategy = lambda *_: nothing


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    """Refuse tests whose examples depend on Python's global generator: none can be drawn again."""
    if not getattr(getattr(item, "obj", None), "is_hypothesis_test", False):
        return (yield)
    before = random.getstate()
    result = yield
    if random.getstate() != before:
        pytest.fail("its examples are drawn from Python's global generator", pytrace=False)
    return result


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish():
    """Look once for garbage whose end raises an error, as files that nobody closed.

    pytest does so twice more, and Python as it ends: each takes half a second.
    """
    gc.collect()
    gc.freeze()


def pytest_runtest_protocol(item, nextitem):
    """Send the outcome of a test only: not that it begins and ends, is set up and put away.

    To send messages to the process that counts tests takes a hundredth of the time of all tests.
    """
    if "PYTEST_XDIST_WORKER" not in os.environ or item.config.option.durations is not None:
        return None
    for report in runtestprotocol(item, log=False, nextitem=nextitem):
        if report.when == "call" or not report.passed:
            item.ihook.pytest_runtest_logreport(report=report)
    return True


class _TimeLimits:
    """Watches the time limits of all tests from one thread.

    pytest-timeout starts a thread for each test, which takes as long as a short test.
    """

    def __init__(self):
        self._running = None  # the test that runs: when it has to end, itself, its settings
        self._thread = None

    @pytest.hookimpl(optionalhook=True)
    def pytest_timeout_set_timer(self, item, settings):
        if settings.method != "thread":
            return None  # pytest-timeout's own way
        self._running = monotonic() + settings.timeout, item, settings
        if self._thread is None:
            self._thread = threading.Thread(target=self._watch, daemon=True)
            self._thread.start()
        return True

    @pytest.hookimpl(optionalhook=True)
    def pytest_timeout_cancel_timer(self):
        self._running = None  # whoever has a timer of pytest-timeout cancels that next

    def _watch(self):
        from pytest_timeout import timeout_timer

        wait = threading.Event().wait
        while True:
            wait(0.25)  # seconds by which a test that hangs may outlast its limit
            running = self._running
            if running is not None and monotonic() > running[0]:
                timeout_timer(*running[1:])  # shows where all threads are, and ends the process
                return


_FOLDERS = itertools.count()


@pytest.fixture
def tmp_path(request, tmp_path_factory):
    """A new folder; pytest's own fixture looks through the folders of all tests for a free name."""
    name = re.sub(r"\W", "_", request.node.name)[:30]
    path = tmp_path_factory.getbasetemp() / f"{name}_{next(_FOLDERS)}"
    path.mkdir(mode=0o700)
    return path


@pytest.fixture
def write(tmp_path):
    """Writes small files, and gives their paths."""

    def make(name, content):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            path.write_text(content, encoding="utf-8", newline="")
        return path

    return make


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
