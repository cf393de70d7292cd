"""A task, run over the documents of a corpus through any executor, with a journal."""

from __future__ import annotations

import atexit
import hashlib
import json
import pickle
import signal
import threading
import time
from collections import deque
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, wait
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from bitext.errors import (
    BitextError,
    ClashError,
    InputError,
    JobError,
    OptionError,
    import_extra,
)
from bitext.formats.io.clashes import protect_outputs, record_reads, refuse_read_before
from bitext.jobs.journal import Journal, result_of, stamps
from bitext.jobs.processes import Processes, WorkerLost
from bitext.jobs.task import WHOLE, Document, Failure, Limits, Outcome, Result, Shard, Task
from bitext.option_names import by_options, named_by_options, remedy

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
    from concurrent.futures import Future

    from bitext.formats.io.clashes import ReadRecord

__all__ = [
    "ENGINES",
    "Answer",
    "Packed",
    "do_apart",
    "do_batch",
    "engine_executor",
    "lost_answer",
    "pack",
    "run",
]


# Executors of engines that a user runs already: Dask.
#
# A run over a cluster goes through the executor that `distributed` has for it. The workers must
# have `bitext` installed and see the files by the same names (a shared file system, or places as
# `s3://`). The scheduler moves the work of a worker that dies to others; what kills several, it
# gives up.

ENGINES = ("local", "dask")
_PATIENCE = "10s"  # for a scheduler that does not answer


@contextmanager
def engine_executor(name: str, address: str | None) -> Iterator[tuple[Executor, int]]:
    """Give the executor of an engine, and how many work in it at once.

    Parameters
    ----------
    name : str
        `dask`.
    address : str
        Of its scheduler, as `tcp://10.0.0.1:8786`.

    Raises
    ------
    MissingExtraError
        When `distributed` is not installed.
    InputError
        When the scheduler cannot be reached, or has no workers.
    OptionError
        When the engine is not known, or the address is missing.

    """
    if name != "dask":
        raise OptionError(f"the engine {name!r} is not known: want one of {', '.join(ENGINES)}")
    if not address:
        shown = remedy("scheduler tcp://HOST:8786", python="address='tcp://HOST:8786'")
        raise OptionError(f"{_dask()} wants the address of its scheduler, as {shown}")
    distributed = import_extra("distributed", what=_dask(), extra="cluster")
    try:
        client = distributed.Client(address, timeout=_PATIENCE, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        raise InputError(
            f"{address}: no scheduler answers: {error}; check "
            f"{remedy('scheduler', python='the address')}, and that it runs"
        ) from None
    try:
        threads = sum(client.nthreads().values())
        if not threads:
            raise InputError(f"{address}: the scheduler has no workers; begin some")
        yield client.get_executor(pure=False), threads
    finally:
        client.close()


def _dask() -> str:
    return remedy("engine dask", python="the engine dask")


# What is done where the work is: the documents of a batch, one after another, within limits.


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a document, as it travels back.

    Attributes
    ----------
    text : str or None
        The value, spelled in JSON: so it is the same whether a journal held it or not.
    failed : str
        Why there is none.
    seconds : float
        How long it took.
    lost : bool
        Whether the worker died of it.
    clash : bool
        Whether it read what the run is to write, which `failed` tells: that ends the run.
    read : Noted
        What was opened for it.

    """

    text: str | None
    failed: str
    seconds: float
    lost: bool = False
    clash: bool = False
    read: ReadRecord = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Packed:
    """A task as it travels: pickled once, and unpacked once in each worker.

    Attributes
    ----------
    key : str
        What tells it from others.
    data : bytes
        The task, pickled.
    by_options : str or None
        The command that is at work: what remedies are called in its errors.

    """

    key: str
    data: bytes
    by_options: str | None = None


def pack(task: Task) -> Packed:
    """Pickle a task.

    Raises
    ------
    InputError
        When it cannot travel.

    """
    try:
        data = pickle.dumps(task)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise InputError(
            f"the task {type(task).__name__} cannot go to other processes: {error}; its class has "
            f"to stand at the top of a module, and hold what can be pickled"
        ) from None
    return Packed(hashlib.sha256(data).hexdigest(), data, named_by_options())


_ready: dict[str, Task] = {}
_lock = threading.Lock()


def unpacked(packed: Packed) -> Task:
    """Return the task, prepared; there is one of a kind in each worker."""
    with _lock:
        if packed.key not in _ready:
            task: Task = pickle.loads(packed.data)  # noqa: S301 - from the run that asked for it
            task.prepare()
            _ready[packed.key] = task
        return _ready[packed.key]


def do_batch(
    packed: Packed,
    items: Sequence[Any],
    limits: Limits | None = None,
    began: Callable[[int], None] | None = None,
) -> list[Answer]:
    """Do documents, and return what came of each.

    Parameters
    ----------
    packed : Packed
        The task.
    items : sequence
        What the task works on.
    limits : Limits, optional
        What each may take; only for a process that nobody else works in, as it may die of it.
    began : callable
        Is told the place of each document before it is begun.

    """
    with by_options(on=packed.by_options):
        return _done(packed, items, limits, began)


def _done(
    packed: Packed,
    items: Sequence[Any],
    limits: Limits | None,
    began: Callable[[int], None] | None,
) -> list[Answer]:
    task = unpacked(packed)
    if limits is not None:
        _limit_memory(limits)
    answers = []
    for k, item in enumerate(items):
        if began is not None:
            began(k)
        _set_alarm(limits, on=True)
        with protect_outputs(task.outputs()) as outputs, record_reads() as read:
            answers.append(replace(_answer(task, item, limits), read=read))
        if (clash := outputs.clash()) is not None:  # whatever the task made of it
            answers[-1] = replace(answers[-1], text=None, failed=str(clash), clash=True)
        _set_alarm(limits, on=False)
    return answers


def _answer(task: Task, item: Any, limits: Limits | None) -> Answer:
    begun = time.perf_counter()
    text, failed = None, ""
    try:
        text = json.dumps(task.work(item), ensure_ascii=False)
    except BitextError as error:
        failed = str(error)
    except MemoryError:
        most = f"the {limits.megabytes:,} MB" if limits and limits.megabytes else "what there is"
        limit = remedy("memory-limit", python="memory=")
        failed = f"wants more memory than {most} it may take; raise {limit}, or cut it up"
    except Exception as error:  # noqa: BLE001 - a bug of one document must not stop the others
        failed = f"{type(error).__name__}: {error} ({_place(error)}); this is a bug of bitext"
    return Answer(text, failed, time.perf_counter() - begun)


def _place(error: BaseException) -> str:
    """Return where an error was raised."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        return "nowhere"
    code = trace.tb_frame.f_code
    return f"{code.co_filename} line {trace.tb_lineno}"


def _set_alarm(limits: Limits | None, *, on: bool) -> None:
    """Let the system end this process after the time limit, whatever it does; or not any more.

    An exception would wait for the end of compiled code; the signal does not.
    """
    if limits is not None and limits.seconds is not None:
        signal.setitimer(signal.ITIMER_REAL, limits.seconds if on else 0.0)


_limited = False


def _limit_memory(limits: Limits) -> None:
    """Limit the memory of this process to what it holds now, and as much more as is allowed."""
    global _limited  # noqa: PLW0603 - it is of the process, too
    if limits.megabytes is None or _limited:
        return
    try:
        import resource
    except ImportError:
        limit = remedy("memory-limit", python="memory=")
        raise OptionError(f"this system cannot limit memory; leave {limit} out") from None
    most = _held() + (limits.megabytes << 20)
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    if hard != resource.RLIM_INFINITY:
        most = min(most, hard)
    resource.setrlimit(resource.RLIMIT_AS, (most, hard))
    _limited = True


def _held() -> int:
    """Return the size of the address space of this process, where the system tells it."""
    import resource

    try:
        with open("/proc/self/statm", encoding="ascii") as file:  # noqa: PTH123
            return int(file.read().split()[0]) * resource.getpagesize()
    except OSError:
        return 1 << 30  # about what an interpreter with numpy has


# Batches in a process of their own, for workers that may not die: those of other executors.

_own = threading.local()  # executors of threads do several batches at once


def do_apart(packed: Packed, items: Sequence[Any], limits: Limits) -> list[Answer]:
    """Do documents one by one, as `do_batch`, in a process that this one keeps for that."""
    process: Processes | None = getattr(_own, "process", None)
    if process is None:
        process = _own.process = Processes(1)
        atexit.register(process.kill)
    answers: list[Answer] = []
    for item in items:
        try:
            answers += process.submit(do_batch, packed, [item], limits).result()
        except WorkerLost as error:
            with by_options(on=packed.by_options):
                answers.append(lost_answer(error, limits))
    return answers


def lost_answer(error: WorkerLost, limits: Limits) -> Answer:
    """Return what came of a document whose worker died: over time, it is not tried again."""
    if limits.seconds is not None and error.is_alarm:
        limit = remedy("time-limit", python="timeout=")
        told = f"took longer than the {limits.seconds:g} s it may take; raise {limit}"
        return Answer(None, told, limits.seconds)
    return Answer(None, str(error), 0.0, lost=True)


_GOAL = 0.2  # seconds that a batch is to take: long beside the way there and back
_MOST = 256  # documents of a batch
_STARTS = 5  # workers that may die before they begin a document, before it counts against it
_AHEAD = 4096  # documents that may be done before an earlier one is


def run(
    documents: Iterable[Document],
    task: Task,
    *,
    executor: Executor | None = None,
    processes: int = 1,
    batch: int | None = None,
    journal: str | os.PathLike[str] | None = None,
    max_failures: int | None = None,
    timeout: float | None = None,
    memory: int | None = None,
    shard: Shard = WHOLE,
    on_progress: Callable[[Result], None] | None = None,
) -> Outcome:
    """Run a task over documents, and make the output of the results.

    Documents are taken one by one, a bounded number ahead, and none is held longer than until its
    result is passed on: the corpus may be of any size. What comes out does not depend on how many
    processes there are, on the sizes of batches, nor on what was killed in between.

    Parameters
    ----------
    documents : iterable of Document
        Numbered from 0, in order.
    task : Task
        What is done with each.
    executor : concurrent.futures.Executor, optional
        Where the work is done; default: processes on this machine.
    processes : int
        How many work at once.
    batch : int, optional
        Documents that go to a worker at once; default: as many as take about 0.2 seconds.
    journal : path, optional
        What is done is written there; the same run, given again, goes on from it.
    max_failures : int, optional
        With more failures than that the run ends with an error; default: it never does.
    timeout, memory : optional
        Seconds and megabytes that a document may take (`Limits`).
    shard : Shard
        Which of the documents are done.
    on_progress : callable, optional
        Is told the result of each document that is done, as they are done.

    Raises
    ------
    InputError
        When the journal is of another run or cannot be written, or a document is, or by the
        journal was, read of what is to be written (`Task.outputs`).
    JobError
        When too many documents fail, or the executor breaks down; with the failures by then.

    Notes
    -----
    A document that raises an error fails, with its message; so does one that takes too much time
    or memory. One whose worker dies is tried once more, alone, and then given up. Failed documents
    are tried again when a run goes on from its journal.

    """
    if batch is not None and batch < 1:
        raise OptionError(f"batches of {batch} documents: want at least 1")
    limits = Limits(timeout, memory)
    outcome = Outcome()
    with ExitStack() as stack:
        stack.enter_context(protect_outputs(task.outputs()))
        kept = None
        if journal is not None:
            made = Journal(journal, task.describe(), shard=shard, shown=task.shown())
            kept = stack.enter_context(made)
            outcome.notes += kept.notes
        own = None
        if isinstance(executor, Processes | None) and type(task).__module__ == "__main__":
            raise InputError(
                f"the task {type(task).__name__} is of the script itself, which workers do not "
                f"read; put it into a module that the script imports"
            )
        if executor is None:
            executor = own = Processes(processes)
            stack.callback(own.kill)
        running = _Running(
            task=task,
            executor=executor,
            width=processes,
            batch=batch,
            journal=kept,
            most=max_failures,
            limits=limits,
            tell=on_progress,
            outcome=outcome,
            shard=shard,
        )
        results = running.results(documents)
        stack.callback(results.close)
        outcome.output = running.assembled(results)
        for _ in results:  # of a task that did not want them all
            pass
        outcome.failures.sort(key=lambda failure: failure.number)
        if kept is not None:
            kept.finish(running.count, task.whole())
        if own is not None:
            own.shutdown()
    return outcome


@dataclass(slots=True)
class _Slot:
    """A document on its way, in the order of the corpus."""

    document: Document
    result: Result | None = None
    is_kept: bool = False  # its result is in the journal
    files: list[list[int] | None] | None = None  # as they were before it was read
    deaths: int = 0  # of workers that were at it
    starts: int = 0  # of workers that died before they began it


@dataclass(slots=True, kw_only=True)
class _Running:
    """A run that is under way."""

    task: Task
    executor: Executor
    width: int
    batch: int | None
    journal: Journal | None
    most: int | None
    limits: Limits
    tell: Callable[[Result], None] | None
    outcome: Outcome
    shard: Shard = WHOLE
    count: int = 0  # of the documents of the whole corpus that were seen
    _size: float = 1.0
    _dry: bool = False  # there are no more documents
    _found: str | None = None  # the document at hand, where its result is from the journal

    def assembled(self, results: Iterable[Result]) -> Any:
        """Return the outcome of a task over its results; refuse a journal that was changed."""
        try:
            return self.task.assemble(results)
        except BitextError:
            raise
        except Exception as error:
            if self._found is None or self.journal is None:
                raise
            raise InputError(
                f"{self.journal.path}: what it holds of {self._found!r:.80} is no result of this "
                f"run ({type(error).__name__}: {error!s:.80}); delete it to begin anew"
            ) from error

    def results(self, documents: Iterable[Document]) -> Generator[Result]:
        """Do the documents, and yield their results in order."""
        packed = pack(self.task)
        rest = iter(documents)
        order: deque[_Slot] = deque()
        again: deque[_Slot] = deque()
        flying: dict[Future[list[Answer]], list[_Slot]] = {}
        try:
            while True:
                room = not self._dry and len(order) < _AHEAD
                if len(flying) < 2 * self.width and (again or room):
                    slots = [again.popleft()] if again else self._next(rest, order)
                    if slots:
                        flying[self._submit(packed, slots)] = slots
                elif flying:
                    done = wait(flying, return_when=FIRST_COMPLETED).done
                    for future in [one for one in flying if one in done]:  # `done` has no order
                        again.extend(self._take(future, flying.pop(future)))
                elif self._dry:
                    return
                yield from self._ready(order)
        finally:
            for future in flying:
                future.cancel()

    def _next(self, rest: Iterator[Document], order: deque[_Slot]) -> list[_Slot]:
        """Take documents until there is a batch of those that are not done, or no room."""
        wanted = self.batch or max(1, min(_MOST, int(self._size)))
        slots: list[_Slot] = []
        while len(slots) < wanted and len(order) < _AHEAD:
            document = next(rest, None)
            if document is None:
                self._dry = True
                break
            self.count = document.number + 1
            if document.number in self.shard:
                slot = self._slot(document)
                order.append(slot)
                if not slot.is_kept:
                    slots.append(slot)
        return slots

    def _slot(self, document: Document) -> _Slot:
        """Look a document up in the journal."""
        if self.journal is None:
            return _Slot(document)
        found = self.journal.find(document)
        if found is not None and self.task.stands(document.item, found.get("value")):
            refuse_read_before(found.get("read", ()))
            self.outcome.kept += 1
            return _Slot(document, is_kept=True)
        return _Slot(document, files=stamps(document.files))

    def _submit(self, packed: Any, slots: list[_Slot]) -> Future[list[Answer]]:
        items = [slot.document.item for slot in slots]
        try:
            if isinstance(self.executor, Processes):
                limits = self.limits or None
                return self.executor.submit_batch(do_batch, packed, items, limits)
            if self.limits:
                return self.executor.submit(do_apart, packed, items, self.limits)
            return self.executor.submit(do_batch, packed, items)
        except (BrokenExecutor, RuntimeError) as error:
            raise _broken(error) from error

    def _take(self, future: Future[list[Answer]], slots: list[_Slot]) -> list[_Slot]:
        """Take what came of a batch; return what is to be tried again."""
        try:
            answers = future.result()
        except WorkerLost as error:
            return self._lost(slots, error)
        except Exception as error:
            if not _is_loss(error):
                raise
            if isinstance(error, BrokenExecutor):
                raise _broken(error) from error
            return [slot for slot in slots if self._retried(slot, "its worker died of it")]
        except CancelledError as error:
            raise _broken(error) from error
        taken = sum(answer.seconds for answer in answers)
        self._size = max(1.0, min(2 * self._size + 1, len(answers) * _GOAL / max(taken, 1e-6)))
        again = []
        for slot, answer in zip(slots, answers, strict=True):
            if not answer.lost:
                self._done(slot, answer)
            elif self._retried(slot, answer.failed):
                again.append(slot)
        return again

    def _lost(self, slots: list[_Slot], error: WorkerLost) -> list[_Slot]:
        """Sort out the documents of a batch whose worker died: it told which one it was at."""
        again = []
        for k, slot in enumerate(slots):
            if error.begun < 0:  # it died before it began any: of what is around it, most likely
                slot.starts += 1
            if k != error.begun and slot.starts < _STARTS:
                again.append(slot)  # not its fault
                continue
            answer = lost_answer(error, self.limits)
            if not answer.lost:
                self._done(slot, answer)
            elif self._retried(slot, answer.failed):
                again.append(slot)
        return again

    def _retried(self, slot: _Slot, why: str) -> bool:
        """Tell whether to try a document again, alone; give it up if not."""
        slot.deaths += 1
        if slot.deaths < 2:
            return True
        self._done(slot, Answer(None, f"given up: tried twice, {why}", 0.0))
        return False

    def _done(self, slot: _Slot, answer: Answer) -> None:
        """Keep what came of a document; end with the error of one that is to be written."""
        if answer.clash:
            raise ClashError(answer.failed)
        document = slot.document
        result = Result(document.number, document.name, failed=answer.failed)
        if self.journal is not None:
            self.journal.add(
                document,
                value=answer.text,
                failed=answer.failed,
                files=slot.files,
                read=answer.read,
            )
        if answer.text is not None:
            result = Result(document.number, document.name, json.loads(answer.text))
        self.outcome.done += 1
        slot.result = result
        if self.tell is not None:
            self.tell(result)
        if answer.failed:
            self._failed(result)

    def _failed(self, result: Result) -> None:
        failures = self.outcome.failures
        failures.append(Failure(result.number, result.name, result.failed))
        if self.most is not None and len(failures) > self.most:
            first = min(failures, key=lambda failure: failure.number)
            plural = "" if len(failures) == 1 else "s"
            most = remedy(f"max-failures {self.most}", python=f"max_failures={self.most}")
            raise JobError(
                f"{len(failures):,} document{plural} failed, more than {most}: "
                f"{first.name}: {first.reason}",
                failures=failures,
            )

    def _ready(self, order: deque[_Slot]) -> Generator[Result]:
        """Yield the results that nothing before them is missing of."""
        while order and (order[0].result is not None or order[0].is_kept):
            slot = order.popleft()
            if slot.result is not None:
                self._found = None
                yield slot.result
            elif self.journal is not None:
                self._found = slot.document.name
                yield result_of(self.journal.line(slot.document.number))


def _is_loss(error: Exception) -> bool:
    """Tell whether a worker, or the executor itself, is gone: by name, of packages not imported."""
    return isinstance(error, BrokenExecutor) or type(error).__name__ == "KilledWorker"


def _broken(error: BaseException) -> JobError:
    told = str(error) or type(error).__name__
    return JobError(
        f"the executor broke down: {told}; with a journal the same command goes on from there"
    )
