"""Runs pytest with several processes, which are forked after the tests have been collected.

    python scripts/run_tests.py --workers N [ARGUMENT OF PYTEST ...]

Tests are collected, and what they import is imported, once; pytest-xdist does both in each of its
workers. Each worker has a stretch of the tests; one that is done takes half of the longest stretch
that is left. A worker that ends in a test is reported as the failure of that test, and another one
goes on behind it. With one worker, with `--pdb`, with `--cov`, and where processes cannot be
forked, pytest runs as it always does.
"""

from __future__ import annotations

import gc
import importlib
import mmap
import os
import random
import signal
import sys
import threading
import time
import traceback
import warnings
from collections import deque
from contextlib import suppress
from multiprocessing import Pipe
from multiprocessing.connection import wait
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import pytest
from _pytest.runner import call_and_report
from _pytest.runner import pytest_sessionfinish as take_down
from hypothesis import strategies

from bitext.kernels import compiled, compiled_charts

if TYPE_CHECKING:
    from collections.abc import Iterator
    from multiprocessing.connection import Connection

_CHUNK = 8  # tests at most that a worker has before it: nobody else can take them
_LOOK = 1.0  # seconds after which workers that say nothing are looked at
_END = 10.0  # seconds that workers have to take down what they set up
_MANY = 2000  # tests, of which some in each worker will need what `_prepare` has ready
# pyarrow starts no thread as it is imported.
os.environ.setdefault("JE_ARROW_MALLOC_CONF", "background_thread:false")


class _Worker:
    """In the parent: a worker, and which tests it has before it."""

    def __init__(self, tests: range) -> None:
        self.tests = tests  # not yet given to it
        self.given = range(0)
        self.pid = 0
        self.pipe: Connection
        self.going = False
        # The number of the test that it is in, plus 1: read when it can no longer say so.
        self.place = memoryview(mmap.mmap(-1, 8)).cast("q")

    def next_tests(self) -> range:
        size = max(1, min(_CHUNK, len(self.tests) // 8))
        self.given, self.tests = self.tests[:size], self.tests[size:]
        return self.given

    def end(self) -> str:
        """Wait for the end; return how it came about."""
        self.going = False
        self.pipe.close()
        status = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        return f"signal {-status}" if status < 0 else f"status {status}"


def _other_threads() -> list[str]:
    """Name the threads beside this one: a forked process has none of them, but waits for them."""
    if sys.platform != "linux":
        return [thread.name for thread in threading.enumerate()[1:]]
    own = str(os.getpid())
    every = Path("/proc/self/task").iterdir()
    return [(each / "comm").read_text().strip() for each in every if each.name != own]


def _prepare() -> None:
    """Import slow packages; compile the kernels in a new clone, and after a change of them.

    In a new clone hypothesis also makes its tables of characters, which takes it over a second.
    """
    for name in ("pyarrow", "matplotlib.figure"):
        with suppress(ImportError):
            importlib.import_module(name)
    strategies.text().validate()
    compiled.load_kernels()
    compiled_charts.load_chart_kernels()


class ForkedWorkers:
    """The plug-in of pytest in the process that collects tests, starts workers and reports."""

    def __init__(self) -> None:
        self._workers: list[_Worker] = []

    @staticmethod
    def pytest_addoption(parser: pytest.Parser) -> None:
        """Add the option for the number of workers."""
        parser.addoption(
            "--workers", type=int, default=1, help="number of processes that run tests"
        )

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool | None:
        """Run all tests by workers; leave to pytest what is not for them."""
        option = session.config.option
        number = min(option.workers, len(session.items))
        alone = option.collectonly or option.usepdb or getattr(option, "cov_source", None)
        if number < 2 or session.testsfailed or alone or not hasattr(os, "fork"):
            return None
        if len(session.items) >= _MANY:
            _prepare()
        if threads := _other_threads():
            told = "; import what starts them in the tests that need it"
            raise RuntimeError(f"threads run when tests are collected: {' '.join(threads)}{told}")
        session.config._tmp_path_factory.getbasetemp()  # type: ignore[attr-defined]  # noqa: SLF001
        gc.freeze()  # no worker looks for garbage among what is shared, which would copy it
        bounds = [len(session.items) * k // number for k in range(number + 1)]
        self._workers = [_Worker(range(*bounds[k : k + 2])) for k in range(number)]
        try:
            for worker in self._workers:
                self._start(session, worker)
            while any(worker.going for worker in self._workers):
                for worker in self._ready():
                    self._hear(session, worker)
                    if session.shouldfail:
                        raise session.Failed(session.shouldfail)
                    if session.shouldstop:
                        raise session.Interrupted(session.shouldstop)
        finally:
            self._end()
        return True

    def _start(self, session: pytest.Session, worker: _Worker) -> None:
        session.config.get_terminal_writer().flush()
        sys.stdout.flush()
        sys.stderr.flush()
        worker.place[0] = 0
        worker.pipe, theirs = Pipe()
        worker.pid = os.fork()
        if not worker.pid:
            for other in self._workers:  # their pipes end as the parent does
                if other.going or other is worker:
                    other.pipe.close()
            _work(session, theirs, worker.place)
        worker.going = True
        theirs.close()

    def _ready(self) -> Iterator[_Worker]:
        going = [worker for worker in self._workers if worker.going]
        ready = wait([worker.pipe for worker in going], _LOOK)
        for worker in going:
            ended = os.WEXITED | os.WNOHANG | os.WNOWAIT
            # What a worker has started may hold its end of the pipe when it has ended itself.
            if worker.pipe in ready or (not ready and os.waitid(os.P_PID, worker.pid, ended)):
                yield worker

    def _hear(self, session: pytest.Session, worker: _Worker) -> None:
        """Do what a worker has to say, or what has to be done as it has ended."""
        hook = session.config.hook
        kind: str
        told: Any
        try:
            kind, told = worker.pipe.recv() if worker.pipe.poll() else ("ended", None)
        except (EOFError, OSError):
            kind, told = "ended", None
        if kind == "report":
            report = hook.pytest_report_from_serializable(config=session.config, data=told)
            hook.pytest_runtest_logreport(report=report)
        elif kind == "more":
            self._fill(worker)
            with suppress(ConnectionError):  # it has ended: the next to be heard
                worker.pipe.send(worker.next_tests())
        elif kind == "warning":
            text, filename, line, when, nodeid, location = told
            message = warnings.WarningMessage(UserWarning(text), UserWarning, filename, line)
            given = {"when": when, "nodeid": nodeid, "location": location}
            hook.pytest_warning_recorded.call_historic(kwargs={"warning_message": message, **given})
        elif kind == "stop":
            session.shouldstop = told
        elif kind == "ended":
            self._replace(session, worker)
        else:
            worker.end()
            if kind == "interrupted":
                raise KeyboardInterrupt(told)
            if kind == "exit":
                pytest.exit(*told)
            if kind == "error":
                raise RuntimeError(f"a process of the tests failed:\n{told}")

    def _fill(self, worker: _Worker) -> None:
        """Give a worker that has no tests the second half of the longest stretch."""
        if not worker.tests:
            longest = max(self._workers, key=lambda other: len(other.tests))
            half = len(longest.tests) // 2
            longest.tests, worker.tests = longest.tests[:half], longest.tests[half:]

    def _replace(self, session: pytest.Session, worker: _Worker) -> None:
        """Report the test in which a worker ended as failed; start another one behind it."""
        how = worker.end()
        last = worker.place[0] - 1
        if last < 0:
            raise RuntimeError(f"a process of the tests ended before its first test ({how})")
        item = session.items[last]
        report = pytest.TestReport(
            nodeid=item.nodeid,
            location=item.location,
            keywords={},
            outcome="failed",
            longrepr=f"{item.nodeid}\nThe process of the tests ended in this test ({how}).",
            when="call",
        )
        session.config.hook.pytest_runtest_logreport(report=report)
        given = worker.given
        left = given[given.index(last) + 1 :] if last in given else given
        worker.tests = range(left.start, worker.tests.stop) if worker.tests else left
        if not session.shouldfail:
            self._start(session, worker)

    def _end(self) -> None:
        """End workers that still run as Ctrl-C does, and those that do not end then."""
        going = [worker for worker in self._workers if worker.going]
        for worker in going:
            os.kill(worker.pid, signal.SIGINT)
        limit = time.monotonic() + _END
        while going and time.monotonic() < limit:
            going = [each for each in going if not os.waitpid(each.pid, os.WNOHANG)[0]]
            time.sleep(0.01)
        for worker in going:
            os.kill(worker.pid, signal.SIGKILL)
            os.waitpid(worker.pid, 0)


class _InWorker:
    """The plug-in of pytest in a worker: sends reports and warnings to the parent."""

    def __init__(self, pipe: Connection, config: pytest.Config) -> None:
        self._pipe = pipe
        self._send = pipe.send
        self._given: deque[int] = deque()
        self._begun = False
        self._config = config
        # No summary tells that a test was set up and taken down, so mostly that is not sent.
        self._all = config.option.durations is not None or config.option.xmlpath is not None

    def next_test(self) -> int | None:
        if not self._given:
            self._send(("more", None))
            self._given.extend(self._pipe.recv())
        return self._given[0] if self._given else None

    def run(self, session: pytest.Session, place: memoryview) -> None:
        self._begun = True
        while (test := self.next_test()) is not None:
            place[0] = test + 1
            item = session.items[test]
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
            if told := session.shouldfail or session.shouldstop:
                self._send(("stop", told))

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> bool:
        """Run a test as pytest does, which test is next being asked only as this one is over."""
        self._report(setup := call_and_report(item, "setup", log=False))
        if setup.passed:
            self._report(call_and_report(item, "call", log=False))
        self._given.popleft()
        session, test = item.session, self.next_test()
        nextitem = None if test is None else session.items[test]
        if session.shouldfail or session.shouldstop:
            nextitem = None
        self._report(call_and_report(item, "teardown", log=False, nextitem=nextitem))
        if hasattr(item, "_request"):  # what pytest lets go of, too
            item._request = False  # noqa: SLF001
            item.funcargs = None  # type: ignore[attr-defined]
        return True

    def _report(self, report: pytest.TestReport) -> None:
        if self._all or report.when == "call" or not report.passed:
            given = {"config": self._config, "report": report}
            self._send(("report", self._config.hook.pytest_report_to_serializable(**given)))

    def pytest_warning_recorded(
        self,
        warning_message: warnings.WarningMessage,
        when: str,
        nodeid: str,
        location: tuple[str, int, str] | None,
    ) -> None:
        if not self._begun:
            return  # the parent's, which are told again to each plug-in that comes later
        text = f"{warning_message.category.__name__}: {warning_message.message}"
        place = warning_message.filename, warning_message.lineno
        self._send(("warning", (text, *place, when, nodeid, location)))


class _Silent:
    """In the place of pytest's reporter: has what pytest-timeout writes to as it ends a worker."""

    def __init__(self, writer: object) -> None:
        self._tw = writer


def _settle(session: pytest.Session) -> None:
    """Part with what is the parent's: captured output, reports, folder, random numbers."""
    config = session.config
    plugins = config.pluginmanager
    capture = plugins.getplugin("capturemanager")
    capture.stop_global_capturing()
    capture.start_global_capturing()
    writer = config.get_terminal_writer()
    plugins.unregister(name="terminalreporter")
    plugins.register(_Silent(writer), "terminalreporter")
    factory = config._tmp_path_factory  # type: ignore[attr-defined]  # noqa: SLF001
    factory._basetemp = factory.getbasetemp() / f"worker{os.getpid()}"  # noqa: SLF001
    factory.getbasetemp().mkdir(mode=0o700)
    random.seed()
    # Processes that tests spawn import the main module anew, where it has a place to be found at.
    main = sys.modules["__main__"]
    main.__spec__ = None
    vars(main).pop("__file__", None)


def _work(session: pytest.Session, pipe: Connection, place: memoryview) -> NoReturn:
    """Run tests until there are none left; end this process."""
    told: tuple[str, object]
    try:
        _settle(session)
        worker = _InWorker(pipe, session.config)
        session.config.pluginmanager.register(worker)
        worker.run(session, place)
        # What is no longer used, such as a file that nobody closed, may raise an error as it goes.
        gc.collect()
        gc.freeze()
        session.config._ensure_unconfigure()  # noqa: SLF001
        told = "done", None
    except (EOFError, ConnectionError):  # the parent has ended
        told = "ended", None
    except KeyboardInterrupt:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        told = "interrupted", session.items[place[0] - 1].nodeid
    except pytest.exit.Exception as error:
        told = "exit", (error.msg, error.returncode)
    except BaseException:  # noqa: BLE001 - the parent raises it
        told = "error", traceback.format_exc()
    if told[0] != "done":
        with suppress(Exception):
            take_down(session)
    with suppress(OSError):
        pipe.send(told)
    os._exit(0)


if __name__ == "__main__":
    sys.exit(pytest.main(plugins=[ForkedWorkers()]))
