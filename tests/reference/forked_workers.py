"""Workers that run the tests of a session: processes forked when all tests are collected.

What each worker would do anew is done once: to import pytest, hypothesis and the tests, and to
collect them. Nor do processes tell each other the names of ten thousand tests.
"""

from __future__ import annotations

import gc
import mmap
import os
import pickle
import select
import signal
import struct
import sys
import tempfile
import traceback
import warnings
from contextlib import suppress
from functools import partial
from itertools import groupby
from time import monotonic, sleep

import pytest
from _pytest.runner import pytest_runtest_teardown, runtestprotocol
from _pytest.unraisableexception import collect_unraisable

_TOGETHER = 32  # tests of one module that a worker takes at once: they share fixtures and imports
_SPAN = struct.Struct("qq")  # in a queue: the number of a test, and of the next one not with it
_STATE = struct.Struct("q?")  # in shared memory: the test that a worker runs; whether it is to stop
_NUMBER = struct.Struct("q")  # the first of these; the bytes of a message
_NONE = -1  # no test
_WAIT = 0.5  # seconds without a result after which workers are looked at


class ForkedWorkers:
    """A plug-in that has tests run by so many workers.

    The first worker begins with the tests for which `is_waiting` holds, all others with the rest:
    one waits for browsers and servers while the others work. `prepare` is called before they are
    forked.
    """

    def __init__(self, number, is_waiting, prepare=lambda: None):
        self._number, self._is_waiting, self._prepare = number, is_waiting, prepare
        self._worker = None  # the worker that this process is
        self._reports = []  # of the last test that it has run

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session):
        option = session.config.option
        if session.testsfailed or option.collectonly or option.usepdb or len(session.items) < 2:
            return None  # by pytest itself
        terminal = session.config.pluginmanager.getplugin("terminalreporter")
        terminal.showfspath = False  # tests of several modules run at the same time
        self._prepare()
        left = [*range(len(session.items))]
        while left:  # more than once where a worker has crashed
            with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
                os.environ["PYTEST_DEBUG_TEMPROOT"] = folder  # each worker makes one of its own
                left = self._run_some(session, left)
            if session.shouldfail:
                raise session.Failed(session.shouldfail)
            if session.shouldstop:
                raise session.Interrupted(session.shouldstop)
        return True

    def _run_some(self, session, numbers):
        """Run tests until all workers have ended; return the numbers of those that did not run."""
        queues = self._queues(session.items, numbers)
        sys.stdout.flush()
        sys.stderr.flush()
        workers = []
        try:
            for number in range(min(self._number, len(numbers))):
                worker = _Worker()
                if worker.is_here:
                    self._worker = worker
                    self._work(session, queues if number == 0 else queues[::-1])
                workers.append(worker)
            return _listen(session, workers, numbers)
        finally:
            for worker in workers:
                worker.interrupt()
            for worker in workers:
                worker.status(seconds=5)
                worker.answers.close()
            for queue in queues:
                queue.close()

    def _queues(self, items, numbers):
        """Return two files with spans of tests: those that wait, and the others.

        Processes that were forked have one place in a file: each reads on where the last one ended.
        """
        queues = [tempfile.TemporaryFile(buffering=0) for _ in range(2)]  # noqa: SIM115
        for _, group in groupby(numbers, lambda number: items[number].path):
            spans = []
            for test in group:
                if spans and spans[-1][1] == test < spans[-1][0] + _TOGETHER:
                    spans[-1][1] += 1
                else:
                    spans.append([test, test + 1])
            queue = queues[not self._is_waiting(items[spans[0][0]])]
            queue.write(b"".join(_SPAN.pack(*span) for span in spans))
        for queue in queues:
            queue.seek(0)
        return queues

    def _work(self, session, queues):
        """Run tests of the queues in this process, which is a worker, and end it."""
        worker, item, status = self._worker, None, 1
        try:
            _capture_apart(session.config)
            numbers = (
                number
                for queue in queues
                for span in iter(partial(queue.read, _SPAN.size), b"")
                for number in range(*_SPAN.unpack(span))
            )
            number = next(numbers, None)
            while number is not None and worker.begin(number):
                item, following = session.items[number], next(numbers, None)
                nextitem = None if following is None else session.items[following]
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=nextitem)
                worker.tell(session.config, number, self._reports)
                number = following
            _put_away(item)  # where the worker is to stop
            worker.tell(session.config, _NONE, _late_faults(session.config, item))
            worker.send(None)
            status = 0
        except KeyboardInterrupt:
            with suppress(BaseException):
                _put_away(item)
        except BaseException:  # noqa: BLE001 - its end is told
            traceback.print_exc(file=sys.__stderr__)
        finally:
            with suppress(Exception):
                sys.stdout.flush()
            os._exit(status)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item, nextitem):
        """In a worker, keep the reports of a test: another process counts them."""
        if self._worker is None:
            return None
        self._reports = runtestprotocol(item, log=False, nextitem=nextitem)
        return True


def _capture_apart(config):
    """Capture outputs in files of this process alone."""
    capture = config.pluginmanager.getplugin("capturemanager")
    capture.stop_global_capturing()
    capture.start_global_capturing()
    capture.suspend_global_capture()


def _put_away(item):
    """End all fixtures that are left when a test was the last one."""
    if item is not None:
        pytest_runtest_teardown(item, None)


def _late_faults(config, item):
    """Return a report if garbage is left whose end raises an error, as files that nobody closed."""
    gc.collect()
    call = pytest.CallInfo.from_call(lambda: collect_unraisable(config), "teardown")
    if item is None or call.excinfo is None:
        return []
    return [pytest.TestReport.from_item_and_call(item, call)]


def _listen(session, workers, numbers):
    """Count results until all workers have ended; return the numbers of tests without any."""
    left = dict.fromkeys(numbers)
    listening = {worker.answers: worker for worker in workers}
    while listening:
        ready = select.select([*listening], [], [], _WAIT)[0]
        # What a test has forked may hold the pipe open when its worker is gone.
        for answers in ready or [each for each in listening if listening[each].has_ended()]:
            worker = listening[answers]
            if result := worker.received() if ready else None:
                left.pop(result[0], None)
                _count(session, *result)
            else:
                del listening[answers]
                _end(session, worker, left)
        if session.shouldfail or session.shouldstop:
            for worker in workers:
                worker.stop()
    return [*left]


def _end(session, worker, left):
    """Tell of a worker that has crashed, with the test that it ran."""
    if (status := worker.status()) == 0:
        return
    number = worker.running()
    if number not in left:
        session.shouldstop = f"a worker ended with status {status} between tests"
        return
    del left[number]
    item = session.items[number]
    told = f"the worker ended with status {status} while it ran {item.nodeid}"
    report = pytest.TestReport(item.nodeid, item.location, {}, "failed", told, "call")
    item.ihook.pytest_runtest_logreport(report=report)


def _count(session, number, result):
    """Have pytest count a test by how long it took, or by its reports."""
    hook = session.config.hook
    if isinstance(result, float):
        item = session.items[number]
        report = pytest.TestReport(
            item.nodeid, item.location, {}, "passed", None, "call", duration=result
        )
        hook.pytest_runtest_logreport(report=report)
        return
    for data in result:
        report = hook.pytest_report_from_serializable(config=session.config, data=data)
        hook.pytest_runtest_logreport(report=report)


class _Worker:
    """A process that runs tests, seen from itself and from the one that began it."""

    def __init__(self):
        self._state = mmap.mmap(-1, _STATE.size)
        self._state[:] = _STATE.pack(_NONE, False)
        self._status = None
        answers, told = os.pipe()
        with warnings.catch_warnings():
            # From Python 3.12 on it warns of threads, as packages have that tests import.
            warnings.simplefilter("ignore", DeprecationWarning)
            self._process = os.fork()
        self.is_here = self._process == 0  # whether this is the worker
        os.close(answers if self.is_here else told)
        self.answers = None if self.is_here else os.fdopen(answers, "rb", buffering=0)
        self._told = os.fdopen(told, "wb", buffering=0) if self.is_here else None

    # In the worker.

    def begin(self, number):
        """Note which test is run next, for the case of a crash; return whether there is one."""
        _, is_stopped = _STATE.unpack(self._state[:])
        self._state[: _NUMBER.size] = _NUMBER.pack(number)
        return not is_stopped

    def tell(self, config, number, reports):
        """Send how long a test took, or its reports."""
        wants_all = config.option.durations is not None or config.option.xmlpath
        told = [each for each in reports if wants_all or each.when == "call" or not each.passed]
        call = told[0] if len(told) == 1 else None
        if (
            call
            and (call.when, call.outcome) == ("call", "passed")
            and not hasattr(call, "wasxfail")
        ):
            self.send((number, call.duration))
        else:
            to_data = config.hook.pytest_report_to_serializable
            self.send((number, [to_data(config=config, report=report) for report in told]))

    def send(self, result):
        """Send a result, or None: there will be no more."""
        message = pickle.dumps(result)
        self._told.write(_NUMBER.pack(len(message)) + message)

    # In the process that began it.

    def running(self):
        return _STATE.unpack(self._state[:])[0]

    def stop(self):
        self._state[_NUMBER.size :] = b"\1"

    def received(self):
        """Return the next result; None if there are no more, or none that is whole."""
        size = self._read(_NUMBER.size)
        message = self._read(*_NUMBER.unpack(size)) if size else None
        return pickle.loads(message) if message else None

    def _read(self, size):
        parts = []
        while size and (part := self.answers.read(size)):
            parts.append(part)
            size -= len(part)
        return None if size else b"".join(parts)

    def has_ended(self):
        if self._status is None:
            process, status = os.waitpid(self._process, os.WNOHANG)
            self._status = os.waitstatus_to_exitcode(status) if process else None
        return self._status is not None

    def status(self, seconds=60.0):
        """Wait for the end of the process; return its status, a negative one for a signal."""
        end = monotonic() + seconds
        while not self.has_ended():
            if monotonic() > end:
                os.kill(self._process, signal.SIGKILL)
            sleep(0.01)
        return self._status

    def interrupt(self):
        """Have the process end early."""
        if not self.has_ended():
            os.kill(self._process, signal.SIGINT)
