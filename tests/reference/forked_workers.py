"""Runs tests in several processes, forked after all tests are collected: `pytest --workers 3`.

Each worker of pytest-xdist collects all tests anew, and imports all that they need. Here one
process does so, and its forks share it. Each has a range of the tests; one that is done takes half
of the longest range that is left. One that dies fails the test that it ran; another goes on in its
place.
"""

from __future__ import annotations

import importlib
import os
import random
import signal
import sys
import time
import traceback
import warnings
from atexit import _run_exitfuncs
from contextlib import suppress
from itertools import pairwise
from multiprocessing.connection import Connection, Pipe, wait

import pytest
from _pytest.runner import runtestprotocol

# Tests that a worker knows of: the one it runs, the next one, for which it keeps what both need,
# and one more, so that it never waits for this process.
AHEAD = 3
# Libraries that tests in all folders import, and that take longest: they are shared, too, when
# there are so many tests.
COMMON = ("nltk", "matplotlib.figure")
MANY = 2000
# Seconds. Between two looks at whether workers live: one may be killed while processes that it
# began keep its end of the connection open.
LOOK = 2.0
# Seconds. Time that workers have to put away what their tests began when all is stopped.
GRACE = 10.0


def pytest_addoption(parser):
    parser.addoption("--workers", type=int, default=1, help="number of processes that run tests")


def pytest_configure(config):
    option = config.option
    alone = (
        option.usepdb or getattr(option, "numprocesses", None) or getattr(option, "cov_source", 0)
    )
    if option.workers > 1 and hasattr(os, "fork") and not alone:
        config.pluginmanager.register(Workers(config), "forked-workers")


class Worker:
    """A process that runs tests, and what it was given to do."""

    def __init__(self, pid: int, connection: Connection, tests: range):
        self.pid = pid
        self.connection = connection
        self.left = tests  # not yet given
        self.given: list[int] = []  # of which the first one runs
        self.told = False  # that there is nothing more
        self.status: int | None = None

    def has_ended(self, *, wait: bool) -> bool:
        """Return whether the process is gone; keep what it ended with."""
        if self.status is None:
            pid, status = os.waitpid(self.pid, 0 if wait else os.WNOHANG)
            self.status = status if pid else None
        return self.status is not None


class Workers:
    """Gives tests to workers and reports what comes of them."""

    def __init__(self, config):
        self.config = config
        self.workers: list[Worker] = []
        self.begun = 0
        self.answers: Connection | None = None  # in a worker alone

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session):
        count = min(self.config.option.workers, len(session.items))
        if session.config.option.collectonly or session.testsfailed or count < 2:
            return None
        if len(session.items) > MANY:
            for name in COMMON:
                with suppress(ImportError):
                    importlib.import_module(name)
        bounds = [len(session.items) * k // count for k in range(count + 1)]
        try:
            for begin, end in pairwise(bounds):
                self._begin(session, range(begin, end))
            while self.workers:
                self._step(session)
                if session.shouldfail:
                    raise session.Failed(session.shouldfail)
                if session.shouldstop:
                    raise session.Interrupted(session.shouldstop)
        finally:
            self._stop()
        return True

    def _begin(self, session, tests, again=()):
        """Fork a worker for a range of tests, and for those that another one was given."""
        here, there = Pipe()
        self.begun += 1
        self.config.get_terminal_writer().flush()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that libraries have threads: they wait for work
            pid = os.fork()
        if not pid:
            here.close()
            for worker in self.workers:
                worker.connection.close()
            self._work(session, there)
        there.close()
        self.workers.append(worker := Worker(pid, here, tests))
        for index in again:
            self._give(worker, index)
        self._feed(worker)

    def _give(self, worker, index):
        worker.given.append(index)
        # Whoever died is noticed where it is waited for.
        with suppress(BrokenPipeError, ConnectionResetError):
            worker.connection.send(index)

    def _feed(self, worker):
        """Give a worker what it may know of; take from others when it has nothing left."""
        while len(worker.given) < AHEAD and not worker.told:
            if not worker.left:
                longest = max(self.workers, key=lambda each: len(each.left))
                middle = len(longest.left) // 2
                worker.left, longest.left = longest.left[middle:], longest.left[:middle]
            if worker.left:
                self._give(worker, worker.left[0])
                worker.left = worker.left[1:]
            else:
                worker.told = True
                with suppress(BrokenPipeError, ConnectionResetError):
                    worker.connection.send(None)

    def _step(self, session):
        """Wait for what workers tell, and for their ends."""
        ready = wait([worker.connection for worker in self.workers], timeout=LOOK)
        for worker in list(self.workers):
            if worker.connection in ready:
                try:
                    kind, content = worker.connection.recv()
                except (EOFError, ConnectionResetError):
                    worker.has_ended(wait=True)
                    self._end(session, worker)
                else:
                    self._take(worker, kind, content)
            elif not ready and worker.has_ended(wait=False) and not worker.connection.poll():
                self._end(session, worker)

    def _take(self, worker, kind, content):
        hook = self.config.hook
        if kind == "warning":
            message, nodeid, when, location = content
            hook.pytest_warning_recorded.call_historic(
                kwargs={
                    "warning_message": message,
                    "nodeid": nodeid,
                    "when": when,
                    "location": location,
                }
            )
            return
        index, reports = content
        worker.given.remove(index)
        self._feed(worker)
        for data in reports:
            report = hook.pytest_report_from_serializable(config=self.config, data=data)
            hook.pytest_runtest_logreport(report=report)

    def _end(self, session, worker):
        """Put away a worker that ended; another takes its place if it ended too early."""
        self.workers.remove(worker)
        worker.connection.close()
        if not worker.given and worker.told:
            return
        again = worker.given[1:]
        if worker.given:
            item = session.items[worker.given[0]]
            code = os.waitstatus_to_exitcode(worker.status)
            how = f"signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
            report = pytest.TestReport(
                item.nodeid, item.location, {}, "failed", f"its worker ended by {how}", "call"
            )
            item.ihook.pytest_runtest_logreport(report=report)
        self._begin(session, worker.left, again)

    def _stop(self):
        """End workers that still run: the run was interrupted, or has failed often enough."""
        for worker in self.workers:
            if not worker.has_ended(wait=False):
                os.kill(worker.pid, signal.SIGINT)
        until = time.monotonic() + GRACE
        for worker in self.workers:
            while not worker.has_ended(wait=False):
                if time.monotonic() > until:
                    os.kill(worker.pid, signal.SIGKILL)
                time.sleep(0.05)
            worker.connection.close()
        self.workers.clear()

    # What follows is done in workers.

    def _work(self, session, connection):
        """Run tests as they are given, and exit."""
        code = 1
        try:
            self._settle(connection)
            hook = self.config.hook
            current = connection.recv()
            while current is not None:
                following = connection.recv()
                self.index = current
                after = None if following is None else session.items[following]
                hook.pytest_runtest_protocol(item=session.items[current], nextitem=after)
                current = following
            code = 0
        except (KeyboardInterrupt, EOFError):  # the run was stopped
            pass
        except BaseException:  # noqa: BLE001 - nothing may go back to the loop that was forked
            traceback.print_exc(file=sys.__stderr__)
        finally:
            with suppress(BaseException):
                _run_exitfuncs()
            os._exit(code)

    def _settle(self, connection):
        """Leave to the first process what is its own: the terminal, and what it captures."""
        self.answers = connection
        random.seed()
        plugins = self.config.pluginmanager
        plugins.unregister(plugins.getplugin("terminalreporter"))
        capture = plugins.getplugin("capturemanager")
        if capture.is_globally_capturing():
            capture.stop_global_capturing()
            capture.start_global_capturing()
            capture.suspend_global_capture()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item, nextitem):
        reports = runtestprotocol(item, log=False, nextitem=nextitem)
        option = self.config.option
        every = option.durations is not None or option.xmlpath
        make = self.config.hook.pytest_report_to_serializable
        told = [
            make(config=self.config, report=report)
            for report in reports
            if every or report.when == "call" or not report.passed
        ]
        self.answers.send(("done", (self.index, told)))
        return True

    @pytest.hookimpl(tryfirst=True)
    def pytest_warning_recorded(self, warning_message, when, nodeid, location):
        if self.answers is not None:
            told = warnings.WarningMessage(
                str(warning_message.message),
                UserWarning,
                warning_message.filename,
                warning_message.lineno,
            )
            self.answers.send(("warning", (told, nodeid, when, location)))
