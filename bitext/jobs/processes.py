"""Processes on this machine, as an executor that outlives them.

When a worker of `concurrent.futures.ProcessPoolExecutor` dies, all that it and the others were
doing is lost, and the executor with it. Here only the call that the worker was doing fails, with
`WorkerLost`, and another worker takes its place. Workers are fresh interpreters, which begin when
there is work: nothing is forked, and a script needs no `if __name__ == "__main__"`.
"""

from __future__ import annotations

import contextlib
import json
import os
import pickle
import signal
import struct
import subprocess
import sys
import threading
import time
from concurrent.futures import Executor, Future
from queue import SimpleQueue
from typing import IO, TYPE_CHECKING, Any, NoReturn, cast

from bitext.errors import BitextError, InputError, OptionError

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = [
    "BEGUN",
    "DONE",
    "FAILED",
    "Processes",
    "WorkerLost",
    "main",
    "read_frame",
    "write_frame",
]


# A worker process: it reads calls from its standard input and answers on its standard output.
#
# It ends when its input ends, and with the process that began it, whatever it is doing then.

BEGUN, DONE, FAILED = "begun", "done", "failed"  # kinds of answers

_SIZE = struct.Struct("<Q")
_WORKER_GRACE = 1.0  # seconds that it has to end in good order
_LOOK = 0.25  # seconds between two looks for the one that began it


def write_frame(out: IO[bytes], value: Any) -> None:
    """Write an object, with its size before it."""
    data = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
    out.write(_SIZE.pack(len(data)) + data)
    out.flush()


def read_frame(source: IO[bytes]) -> Any:
    """Read an object; raises `EOFError` at the end, also in the midst of one."""
    head = source.read(_SIZE.size)
    if len(head) < _SIZE.size:
        raise EOFError
    (size,) = _SIZE.unpack(head)
    data = source.read(size)
    if len(data) < size:
        raise EOFError
    return pickle.loads(data)  # noqa: S301 - from the process that we began, or that began us


def main() -> None:
    """Work until there is no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it is for the one that began it
    signal.signal(signal.SIGTERM, _end)
    # What a library prints is no answer, and what it reads no call.
    calls, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    threading.Thread(target=_watch, args=(os.getppid(),), daemon=True).start()
    try:
        while True:
            call, arguments, tells = read_frame(calls)
            write_frame(answers, _answer(call, arguments, answers if tells else None))
    except (EOFError, OSError):  # whoever asked is gone
        return
    finally:  # and so is who would have what was not written yet
        os.dup2(os.open(os.devnull, os.O_WRONLY), answers.fileno())


def _answer(call: Any, arguments: tuple[Any, ...], answers: IO[bytes] | None) -> tuple[str, Any]:
    more = {} if answers is None else {"began": lambda k: write_frame(answers, (BEGUN, k))}
    try:
        return DONE, pickle.loads(call)(*arguments, **more)  # noqa: S301
    except Exception as error:  # noqa: BLE001 - it travels to the one who asked
        try:
            pickle.loads(pickle.dumps(error))  # noqa: S301
        except Exception:  # noqa: BLE001 - not every error can travel
            if isinstance(error, BitextError):
                return FAILED, InputError(str(error))
            return FAILED, RuntimeError(f"{type(error).__name__}: {error}")
        return FAILED, error


def _watch(parent: int) -> None:
    """End this process with the one that began it."""
    while os.getppid() == parent:
        time.sleep(_LOOK)
    main_thread = threading.main_thread().ident
    if main_thread is not None and hasattr(signal, "pthread_kill"):
        signal.pthread_kill(main_thread, signal.SIGTERM)  # to take away what is not whole
        time.sleep(_WORKER_GRACE)
    os._exit(1)


def _end(*_: object) -> NoReturn:
    """End in good order, or else in no order."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    last = threading.Timer(_WORKER_GRACE, os._exit, (1,))
    last.daemon = True
    last.start()
    sys.exit(1)


_START = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from bitext.jobs.processes import main; main()"
)
_GRACE = 1.5  # seconds that workers have to end in good order
_KILL = getattr(signal, "SIGKILL", signal.SIGTERM)
# One worker a core is the plan: libraries must not begin threads for each.
_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


class WorkerLost(Exception):  # noqa: N818 - what happened, not who erred
    """A worker died.

    Attributes
    ----------
    status : int
        Its exit status; negative for a signal.
    begun : int
        Which of the documents of the batch it was at; -1: none, as far as it told.

    """

    def __init__(self, status: int, begun: int = -1) -> None:
        super().__init__(status, begun)
        self.status, self.begun = status, begun

    @property
    def is_alarm(self) -> bool:
        """Whether the time limit ended it."""
        return self.status == -getattr(signal, "SIGALRM", 0) != 0

    def __str__(self) -> str:
        if self.status >= 0:
            return f"its worker ended with status {self.status}"
        try:
            name = signal.Signals(-self.status).name
        except ValueError:
            name = str(-self.status)
        maybe = ", maybe for want of memory" if name == "SIGKILL" else ""
        return f"its worker was ended by {name}{maybe}"


class Processes(Executor):
    """An executor over processes of this machine.

    Parameters
    ----------
    count : int
        How many work at once.

    """

    def __init__(self, count: int = 1) -> None:
        if count < 1:
            raise OptionError(f"{count} processes: want at least 1")
        self.count = count
        self._queue: SimpleQueue[_Call | None] = SimpleQueue()
        self._workers: dict[int, _Worker] = {}
        self._threads: list[threading.Thread] = []
        self._lock = threading.Lock()
        self._closed = self._killed = False

    @property
    def pids(self) -> list[int]:
        """The processes that are there now."""
        with self._lock:
            return [worker.pid for worker in self._workers.values()]

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Let a worker call a function; it and its arguments are pickled."""
        return self._put(_Call(Future(), fn, args, kwargs))

    def submit_batch(self, fn: Callable[..., Any], /, *args: Any) -> Future[Any]:
        """As `submit`, of a function that tells by `began` where it is."""
        return self._put(_Call(Future(), fn, args, None))

    def _put(self, call: _Call) -> Future[Any]:
        with self._lock:
            if self._closed:
                raise RuntimeError("the processes were shut down")
            if len(self._threads) < self.count:
                number = len(self._threads)
                thread = threading.Thread(target=self._serve, args=(number,), daemon=True)
                self._threads.append(thread)
                thread.start()
        self._queue.put(call)
        return call.future

    def _serve(self, number: int) -> None:
        """Pass calls to one worker after another, until there are no more."""
        while (call := self._queue.get()) is not None:
            if not call.future.set_running_or_notify_cancel():
                continue
            try:
                answer = self._worker(number).ask(call)
            except WorkerLost as error:
                with self._lock:
                    self._workers.pop(number, None)
                call.future.set_exception(error)
            except BaseException as error:  # noqa: BLE001 - it is for the one who waits
                call.future.set_exception(error)
            else:
                call.future.set_result(answer)
        with self._lock:
            worker = self._workers.pop(number, None)
        if worker is not None:
            worker.end()

    def _worker(self, number: int) -> _Worker:
        with self._lock:
            if self._killed:
                raise WorkerLost(0)
            if number not in self._workers:
                self._workers[number] = _Worker()
            return self._workers[number]

    def kill(self) -> None:
        """End all workers at once, whatever they are doing."""
        with self._lock:
            self._killed = True
        self.shutdown(wait=False, cancel_futures=True)
        with self._lock:
            workers = list(self._workers.values())
        for worker in workers:
            worker.stop()
        end = time.monotonic() + _GRACE
        for thread in self._threads:
            _join(thread, max(0.0, end - time.monotonic()))
        for worker in workers:
            worker.stop(at_once=True)
        for thread in self._threads:
            _join(thread)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Take no more calls; do, or cancel, those that wait."""
        with self._lock:
            first, self._closed = not self._closed, True
            threads = list(self._threads)
        ends = len(threads) if first else 0
        while cancel_futures and not self._queue.empty():
            call = self._queue.get()
            if call is None:
                ends += 1
            else:
                call.future.cancel()
        for _ in range(ends):
            self._queue.put(None)
        if wait:
            for thread in threads:
                _join(thread)


def _join(thread: threading.Thread, limit: float | None = None) -> None:
    """Wait for the end of a thread; one whose start was interrupted may never have begun."""
    if thread.is_alive():
        thread.join(limit)


class _Call:
    """A call that waits for a worker."""

    def __init__(
        self,
        future: Future[Any],
        function: Callable[..., Any],
        arguments: tuple[Any, ...],
        named: dict[str, Any] | None,
    ) -> None:
        self.future, self.arguments, self.tells = future, arguments, named is None
        if named:
            from functools import partial

            function = partial(function, **named)
        self.function = pickle.dumps(function)


class _Worker:
    """One process, and the pipes to it."""

    def __init__(self) -> None:
        environment = dict.fromkeys(_THREADS, "1") | dict(os.environ)
        self._process = subprocess.Popen(  # noqa: S603 - our own interpreter
            [sys.executable, "-P", "-c", _START, json.dumps(sys.path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
            # Ctrl-C is for the one that began it.
            process_group=0 if os.name == "posix" else None,
        )
        self._calls = cast("IO[bytes]", self._process.stdin)
        self._answers = cast("IO[bytes]", self._process.stdout)

    @property
    def pid(self) -> int:
        return self._process.pid

    def ask(self, call: _Call) -> Any:
        """Pass a call on, and return its result or raise its error."""
        begun = -1
        try:
            write_frame(self._calls, (call.function, call.arguments, call.tells))
            kind, value = read_frame(self._answers)
            while kind == BEGUN:
                begun = value
                kind, value = read_frame(self._answers)
        except (EOFError, BrokenPipeError, ConnectionError):
            self._close()
            raise WorkerLost(self._process.wait(), begun) from None
        if kind == DONE:
            return value
        raise value

    def end(self) -> None:
        """Let the process end by itself: it does when its input does."""
        self._close()
        self._process.wait()

    def stop(self, *, at_once: bool = False) -> None:
        """End the process: it may take away what is not whole, unless that takes too long."""
        with contextlib.suppress(OSError):
            self._process.send_signal(signal.SIGTERM if not at_once else _KILL)

    def _close(self) -> None:
        for pipe in (self._calls, self._answers):
            with contextlib.suppress(OSError):  # a call that it never read
                pipe.close()
