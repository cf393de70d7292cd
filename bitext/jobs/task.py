"""Documents and tasks over them, and processes that execute the tasks.

`Processes` is an executor over processes of this machine that survives the death of a worker. When
a worker of `concurrent.futures.ProcessPoolExecutor` dies, the calls of all workers are lost, and
the executor with them. Here only the call of that worker fails, with `WorkerLost`, and another
worker takes its place. Workers are fresh interpreters that start when there is work, or before
(`Processes.start`), so that a script needs no `if __name__ == "__main__"`. A command may fork the
first ones after its imports, while it has a single thread (`Processes.fork`).
"""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import gc
import json
import os
import pickle
import signal
import struct
import subprocess
import sys
import threading
import time
import traceback
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from queue import SimpleQueue
from typing import IO, TYPE_CHECKING, Any, NoReturn, cast

from bitext.errors import BitextError, InputError, OptionError

if TYPE_CHECKING:
    from bitext.model.counts import Note


@dataclass(frozen=True, slots=True)
class Document:
    """One document of a corpus.

    Attributes
    ----------
    number : int
        The position in the corpus, from 0.
    name : str
        The name in messages.
    item : object
        The input of the task. It is pickled for another process, so it should be small, as names
        of files are.
    files : tuple of str
        The files that the task reads; a change of one makes a result in a journal invalid.

    """

    number: int
    name: str
    item: Any
    files: tuple[str, ...] = ()


def numbered(inputs: Iterable[tuple[str, Any, Iterable[str]]]) -> Iterator[Document]:
    """Yield documents, given as the name, the input and the files of each."""
    for number, (name, item, files) in enumerate(inputs):
        yield Document(number, name, item, tuple(files))


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a document: a value, or the reason of its failure.

    Attributes
    ----------
    number, name
        As in `Document`.
    value : object
        The value that the task returned, of types that JSON has.
    failed : str
        The reason of the failure; empty if there is a value.

    """

    number: int
    name: str
    value: Any = None
    failed: str = ""


def notes_of(values: Iterable[Mapping[str, Any]]) -> tuple[Note, ...]:
    """Return the notes that JSON values describe."""
    from bitext.model.counts import Note  # with numpy, which a worker without a task does not need

    return tuple(Note(**each) for each in values)


def with_name(result: Result) -> str:
    """Return the reason of a failure with its file; those of limits and processes name none."""
    return result.failed if ": " in result.failed else f"{result.name}: {result.failed}"


@dataclass(frozen=True, slots=True)
class Failure:
    """A document without a result, and the reason."""

    number: int
    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of time and memory for one document.

    Attributes
    ----------
    seconds : float or None
        `None`: no limit of time.
    megabytes : int or None
        Memory in addition to that of a worker before its first document; `None`: no limit.

    """

    seconds: float | None = None
    megabytes: int | None = None

    def __post_init__(self) -> None:
        if self.seconds is not None and not 0 < self.seconds < 1e8:
            raise OptionError(f"the time limit is {self.seconds}: want seconds, above 0")
        if self.megabytes is not None and not 1 <= self.megabytes < 1 << 40:
            raise OptionError(
                f"the memory limit is {self.megabytes}: want megabytes, at least 1 and below 2**40"
            )

    def __bool__(self) -> bool:
        return self.seconds is not None or self.megabytes is not None


@dataclass(frozen=True, slots=True)
class Shard:
    """The documents `k` with `k % count == index - 1`: the part of the corpus for one machine.

    Attributes
    ----------
    index, count : int
        The number of the shard, from 1, and the number of all shards.

    Examples
    --------
    >>> [number for number in range(10) if number in Shard(2, 4)]
    [1, 5, 9]

    """

    index: int = 1
    count: int = 1

    def __post_init__(self) -> None:
        if not 1 <= self.index <= self.count:
            raise OptionError(f"the shard is {self}: want I/N, as 1/8 to 8/8")

    def __contains__(self, number: int) -> bool:
        return number % self.count == self.index - 1

    def __str__(self) -> str:
        return f"{self.index}/{self.count}"


WHOLE = Shard()  # all documents


@dataclass(slots=True)
class Outcome:
    """The outcome of a run.

    Attributes
    ----------
    output : object
        The return value of `Task.assemble`.
    done, kept : int
        The numbers of documents done now, and of those taken from the journal.
    failures : list of Failure
        The documents without a result.
    notes : list of str
        Notes on the journal, as on damaged lines.

    """

    output: Any = None
    done: int = 0
    kept: int = 0
    failures: list[Failure] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


class Task(ABC):
    """The work on each document of a corpus, and the output from all results.

    A task is pickled for other processes: its class stands at the top level of a module, and its
    attributes can be pickled.
    """

    @property
    def is_in_step(self) -> bool:
        """Whether documents take less time in lockstep, by `work_in_steps`, than one by one."""
        return False

    @abstractmethod
    def describe(self) -> dict[str, Any]:
        """Return everything that results depend on except the files of documents, as JSON values.

        A run goes on from a journal only if both descriptions are equal.
        """

    def shown(self) -> dict[str, Any]:
        """Return the options of the output alone, as JSON values, for `bitext merge`."""
        return {}

    def outputs(self) -> Sequence[str]:
        """Return the files that the run will write; a document that reads one ends the run."""
        return ()

    def prepare(self) -> None:  # noqa: B027 - most tasks need none
        """Prepare a worker once: load models, open files that all documents need."""

    @abstractmethod
    def work(self, item: Any) -> Any:
        """Process one document; return a JSON value. An error is a failure of the document."""

    def work_in_steps(self, item: Any) -> Generator[Any, Any, Any]:
        """Process one document as `work` does, in steps: `answers` serves the yielded requests.

        Only called where `is_in_step`. Work on another document between two steps does not change
        the value.
        """
        yield from ()
        return self.work(item)

    def answers(self, requests: Mapping[int, Any]) -> Mapping[int, Any]:
        """Return the answers to the requests of the steps of several documents, by their numbers.

        An error makes all of these documents be processed again, one by one.
        """
        raise NotImplementedError

    def stands(self, item: Any, value: Any) -> bool:
        """Check whether a result in a journal is still valid; its output may have changed."""
        del item, value
        return True

    def whole(self) -> Any:
        """Return facts about the whole corpus, as a JSON value, for `bitext merge`."""
        return None

    def assemble(self, results: Iterable[Result]) -> Any:
        """Return the output from all results, failures included, in the order of the documents.

        The iterable yields results while the work goes on. The default is a list of the values.
        """
        return [result.value for result in results if not result.failed]


@dataclass(kw_only=True)
class CommandTask(Task):
    """A task of a command."""

    # `run`, `presentation`: the options that results depend on, with the command, and those of the
    # output alone.
    run: dict[str, Any] = field(default_factory=dict)
    presentation: dict[str, Any] = field(default_factory=dict)

    def describe(self) -> dict[str, Any]:
        """Return the command with its options."""
        return self.run

    def shown(self) -> dict[str, Any]:
        """Return the options of the output."""
        return self.presentation

    def outputs(self) -> Sequence[str]:
        """Return the files of the output."""
        places = (self.presentation.get(name) for name in ("output", "html", "store"))
        return [place for place in places if place and place != "-"]


# An executor over processes of this machine that survives the death of a worker.


# A worker process reads calls from its standard input and answers on its standard output. It ends
# when its input ends, and when its parent process does, even in the middle of a call.

BEGUN, DONE, FAILED = "begun", "done", "failed"  # kinds of answers

_SIZE = struct.Struct("<Q")
_ALLOCATED = 100_000  # objects between two garbage collections (the default is 700); set by hand
_WORKER_GRACE = 1.0  # seconds for an orderly end of a worker; set by hand
_SOON = 0.01  # seconds until an exit that was ignored is raised again; set by hand
_PARENT_CHECK = 0.25  # seconds between two checks for the parent process; set by hand


def write_frame(out: IO[bytes], value: Any) -> None:
    """Write the size of a pickled object, and the object."""
    data = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
    out.write(_SIZE.pack(len(data)) + data)
    out.flush()


def read_frame(source: IO[bytes]) -> Any:
    """Read an object; raise `EOFError` at the end of the input, or in the middle of an object."""
    head = source.read(_SIZE.size)
    if len(head) < _SIZE.size:
        raise EOFError
    (size,) = _SIZE.unpack(head)
    data = source.read(size)
    if len(data) < size:
        raise EOFError
    return pickle.loads(data)  # noqa: S301 - from our child or parent process


def main() -> None:
    """Answer calls until the input ends."""
    # As in the process of a command: data are long lists of strings without cycles.
    gc.set_threshold(_ALLOCATED, 20, 100)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent process handles Ctrl-C
    signal.signal(signal.SIGTERM, _end)
    sys.unraisablehook = _end_again
    # Libraries that print or read must not meddle with answers and calls.
    calls, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    threading.Thread(target=_watch, args=(os.getppid(),), daemon=True).start()
    try:
        while True:
            call, arguments, reports_progress = read_frame(calls)
            write_frame(answers, _answer(call, arguments, answers if reports_progress else None))
    except (EOFError, OSError):  # the parent process is gone
        return
    finally:
        gc.freeze()  # Python's last collections pass over no object
        # Nobody reads the rest of the buffer.
        os.dup2(os.open(os.devnull, os.O_WRONLY), answers.fileno())


def _answer(call: Any, arguments: tuple[Any, ...], answers: IO[bytes] | None) -> tuple[str, Any]:
    options = {} if answers is None else {"began": lambda k: write_frame(answers, (BEGUN, k))}
    try:
        return DONE, pickle.loads(call)(*arguments, **options)  # noqa: S301
    except Exception as error:  # noqa: BLE001 - the parent process raises it
        try:
            pickle.loads(pickle.dumps(error))  # noqa: S301
        except Exception:  # noqa: BLE001 - not every error can be pickled
            if isinstance(error, BitextError):
                return FAILED, InputError(str(error))
            return FAILED, RuntimeError(f"{type(error).__name__}: {error}")
        return FAILED, error


def _watch(parent: int) -> None:
    """End this process when its parent process has ended."""
    while os.getppid() == parent:
        time.sleep(_PARENT_CHECK)
    main_thread = threading.main_thread().ident
    if main_thread is not None and hasattr(signal, "pthread_kill"):
        signal.pthread_kill(main_thread, signal.SIGTERM)  # removes unfinished files
        time.sleep(_WORKER_GRACE)
    os._exit(1)


def _end(*_: object) -> NoReturn:
    """End in order, or abruptly after the time of grace."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    last = threading.Timer(_WORKER_GRACE, os._exit, (1,))
    last.daemon = True
    last.start()
    sys.exit(1)


def _end_again(unraisable: sys.UnraisableHookArgs) -> None:
    """Raise the exit of `_end` again, soon after it struck code whose errors Python ignores."""
    main_thread = threading.main_thread().ident
    if not isinstance(unraisable.exc_value, SystemExit) or main_thread is None:
        sys.__unraisablehook__(unraisable)
    elif hasattr(signal, "pthread_kill"):
        signal.signal(signal.SIGTERM, _end)
        again = threading.Timer(_SOON, signal.pthread_kill, (main_thread, signal.SIGTERM))
        again.daemon = True
        again.start()


# A forked worker shares the modules of its parent process, which took a fifth of a second of CPU
# time to import. Another thread may hold a lock at that moment, so there must be none, not even of
# a library of numpy. Elsewhere than on Linux, libraries of the system may have threads.


def may_fork() -> bool:
    """Check whether this process may fork workers: on Linux, with a single thread."""
    try:
        threads = len(os.listdir("/proc/self/task"))  # noqa: PTH208 - counted, not opened
    except OSError:
        return False
    return sys.platform == "linux" and threads == 1 == threading.active_count()


class _Forked:
    """A forked worker process, with what `_Worker` needs of `subprocess.Popen`.

    The worker closes the descriptors `foreign`, which are of the pipes to other workers.
    """

    def __init__(self, foreign: Sequence[int]) -> None:
        (calls, stdin), (stdout, answers) = os.pipe(), os.pipe()
        for stream in filter(None, (sys.stdout, sys.stderr)):
            with contextlib.suppress(OSError, ValueError):
                stream.flush()  # or the worker would write the rest, too
        self._status: int | None = None
        try:
            self.pid = os.fork()
        except OSError:
            for descriptor in (calls, stdin, stdout, answers):
                os.close(descriptor)
            raise
        if not self.pid:
            _work_as_fork(calls, answers, [stdin, stdout, *foreign])
        os.close(calls)
        os.close(answers)
        self.stdin, self.stdout = os.fdopen(stdin, "wb"), os.fdopen(stdout, "rb")

    def wait(self) -> int:
        """Wait for the end of the process; return its exit status, negative for a signal."""
        if self._status is None:
            try:
                self._status = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
            except ChildProcessError:  # SIGCHLD is ignored, and with it the status
                self._status = 0
        return self._status

    def send_signal(self, number: int) -> None:
        """Send a signal, unless the process has ended."""
        if self._status is None:
            os.kill(self.pid, number)


def _work_as_fork(calls: int, answers: int, foreign: Sequence[int]) -> NoReturn:
    """Become a worker like a fresh interpreter, and end with its work."""
    status = 1
    try:
        os.setpgid(0, 0)  # Ctrl-C goes to the parent process alone
        for number in signal.valid_signals():
            if callable(signal.getsignal(number)):
                signal.signal(number, signal.SIG_DFL)
        os.dup2(calls, 0)
        os.dup2(answers, 1)
        # Pipes of a process without standard streams may have their numbers.
        for descriptor in {calls, answers, *foreign} - {0, 1}:
            os.close(descriptor)
        atexit._clear()  # noqa: SLF001 - what the parent process has to do at its end
        gc.freeze()  # the modules stay shared
        for name in _THREADS:
            os.environ.setdefault(name, "1")
        _keep_memory()
        kernels = sys.modules.get("bitext.kernels.kernel_groups")
        if kernels is not None:
            kernels.work_as_others()
        main()
        status = 0
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 1
    except BaseException:  # noqa: BLE001 - it must not go on as the parent process
        traceback.print_exc()
    finally:
        atexit._run_exitfuncs()  # noqa: SLF001
        for stream in filter(None, (sys.stdout, sys.stderr)):
            with contextlib.suppress(OSError, ValueError):
                stream.flush()
        os._exit(status)


def _keep_memory() -> None:
    """Set the limits of `_MEMORY` in this process, unless its environment does."""
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)  # of glibc alone
    for name, option in (("MALLOC_TRIM_THRESHOLD_", -1), ("MALLOC_MMAP_THRESHOLD_", -3)):
        if mallopt is not None and name not in os.environ:
            mallopt(option, int(_MEMORY[name]))


_START = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from bitext.jobs.task import main; main()"
)
_GRACE_SECONDS = 1.5  # seconds for an orderly end of all workers; set by hand
_KILL = getattr(signal, "SIGKILL", signal.SIGTERM)
# Workers are one a core, so libraries in them must not start threads.
_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
# glibc keeps so many bytes of arrays that are let go, and asks the system for larger arrays only:
# new pages for each document were a sixteenth of the time of aligning (align_profile.md). At their
# defaults both grow while a process works, up to a quarter of the first and to the second.
_MEMORY = {"MALLOC_TRIM_THRESHOLD_": str(1 << 28), "MALLOC_MMAP_THRESHOLD_": str(1 << 25)}


class WorkerLost(Exception):  # noqa: N818 - an event, not a mistake of the caller
    """A worker died.

    `status` is its exit status, negative for a signal. `begun` is the index in the batch of the
    document that it was processing; -1 if it reported none.
    """

    def __init__(self, status: int, begun: int = -1) -> None:
        super().__init__(status, begun)
        self.status, self.begun = status, begun

    @property
    def is_alarm(self) -> bool:
        """Whether the time limit ended the worker."""
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
    """An executor over `count` processes of this machine."""

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
        """The ids of the worker processes that exist now."""
        with self._lock:
            return [worker.pid for worker in self._workers.values()]

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Let a worker call a function; the function and its arguments are pickled."""
        return self._put(_Call(Future(), fn, args, kwargs))

    def submit_batch(
        self,
        fn: Callable[..., Any],
        /,
        *args: Any,
        on_begun: Callable[[Any], object] = lambda _: None,
    ) -> Future[Any]:
        """Submit a function that reports by its argument `began` which document it processes.

        `on_begun` is called with each report, from a thread.
        """
        return self._put(_Call(Future(), fn, args, None, on_begun))

    def start(self, count: int, modules: Sequence[str]) -> None:
        """Start workers before there is work for them: so many at most, which import modules."""
        for _ in range(min(count, self.count)):
            self.submit(_import, modules)

    def fork(self, count: int) -> None:
        """Fork workers before there is work for them, so many at most; see `may_fork`.

        Where the system forks no more, the others start when there is work.
        """
        with contextlib.suppress(OSError):
            for number in range(min(count, self.count)):
                descriptors = [fd for worker in self._workers.values() for fd in worker.descriptors]
                self._workers[number] = _Worker(_Forked(descriptors))

    def _put(self, call: _Call) -> Future[Any]:
        with self._lock:
            if self._closed:
                raise RuntimeError("the processes were shut down")
            if len(self._threads) < self.count:
                thread_number = len(self._threads)
                thread = threading.Thread(target=self._serve, args=(thread_number,), daemon=True)
                self._threads.append(thread)
                thread.start()
        self._queue.put(call)
        return call.future

    def _serve(self, number: int) -> None:
        """Pass calls to worker `number` until there are no more; replace the worker if it dies."""
        while (call := self._queue.get()) is not None:
            if not call.future.set_running_or_notify_cancel():
                continue
            try:
                answer = self._worker(number).ask(call)
            except WorkerLost as error:
                with self._lock:
                    self._workers.pop(number, None)
                call.future.set_exception(error)
            except BaseException as error:  # noqa: BLE001 - the waiting thread raises it
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

    def kill(self, *, at_once: bool = False) -> None:
        """End all workers, even in the middle of calls, and `at_once` without their last steps."""
        with self._lock:
            self._killed = True
        self.shutdown(wait=False, cancel_futures=True)
        with self._lock:
            workers = list(self._workers.values())
        for worker in workers:
            worker.stop(at_once=at_once)
        end = time.monotonic() + _GRACE_SECONDS
        for thread in self._threads:
            _join(thread, max(0.0, end - time.monotonic()))
        for worker in workers:
            worker.stop(at_once=True)
        for thread in self._threads:
            _join(thread)
        self._end_unused()

    def _end_unused(self) -> None:
        """End the workers that no thread has passed a call to."""
        with self._lock:
            unused = [number for number in self._workers if number >= len(self._threads)]
            workers = [self._workers.pop(number) for number in unused]
        for worker in workers:
            worker.end()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Accept no more calls; finish the waiting ones, or cancel them."""
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
        if not self._killed:
            self._end_unused()
        if wait:
            for thread in threads:
                _join(thread)


def _import(modules: Sequence[str]) -> None:
    for name in modules:
        import_module(name)


def _join(thread: threading.Thread, limit: float | None = None) -> None:
    """Wait for the end of a thread, unless its start was interrupted before it ran."""
    if thread.is_alive():
        thread.join(limit)


class _Call:
    """A call waiting for a worker."""

    def __init__(
        self,
        future: Future[Any],
        function: Callable[..., Any],
        arguments: tuple[Any, ...],
        named: dict[str, Any] | None,
        on_begun: Callable[[Any], object] = lambda _: None,
    ) -> None:
        self.future, self.arguments, self.tells = future, arguments, named is None
        self.on_begun = on_begun
        if named:
            function = partial(function, **named)
        self.function = pickle.dumps(function)


class _Worker:
    """A worker process, and the pipes to it."""

    def __init__(self, process: _Forked | None = None) -> None:
        self._process = process or self._started()
        self._calls = cast("IO[bytes]", self._process.stdin)
        self._answers = cast("IO[bytes]", self._process.stdout)

    @staticmethod
    def _started() -> subprocess.Popen[bytes]:
        """Start a fresh interpreter."""
        environment = dict.fromkeys(_THREADS, "1") | _MEMORY | dict(os.environ)
        return subprocess.Popen(  # noqa: S603 - our own interpreter
            [sys.executable, "-P", "-c", _START, json.dumps(sys.path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
            # Ctrl-C goes to the parent process alone.
            process_group=0 if os.name == "posix" else None,
        )

    @property
    def descriptors(self) -> list[int]:
        """The descriptors of the pipes to the process."""
        return [self._calls.fileno(), self._answers.fileno()]

    @property
    def pid(self) -> int:
        return self._process.pid

    def ask(self, call: _Call) -> Any:
        """Pass a call to the process; return its result, or raise its error."""
        begun = -1
        try:
            write_frame(self._calls, (call.function, call.arguments, call.tells))
            kind, value = read_frame(self._answers)
            while kind == BEGUN:
                begun = value
                call.on_begun(value)
                kind, value = read_frame(self._answers)
        except (EOFError, BrokenPipeError, ConnectionError):
            self._close()
            raise WorkerLost(self._process.wait(), begun) from None
        if kind == DONE:
            return value
        raise value

    def end(self) -> None:
        """Close the input of the process, so that it ends by itself, and wait for the end."""
        self._close()
        self._process.wait()

    def stop(self, *, at_once: bool = False) -> None:
        """End the process: by SIGTERM, which lets it remove unfinished files, or `at_once`."""
        with contextlib.suppress(OSError):
            self._process.send_signal(signal.SIGTERM if not at_once else _KILL)

    def _close(self) -> None:
        for pipe in (self._calls, self._answers):
            with contextlib.suppress(OSError):  # a call that the process never read
                pipe.close()
