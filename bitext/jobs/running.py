"""Running a task over the documents of a corpus through any executor, with a journal."""

from __future__ import annotations

import atexit
import hashlib
import json
import pickle
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, wait
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from bitext.errors import (
    BitextError,
    ClashError,
    InputError,
    JobError,
    OptionError,
    by_options,
    import_extra,
    many,
    named_by_options,
    remedy,
)
from bitext.formats.io.output import ReadRecord, protect_outputs, record_reads, refuse_read_before
from bitext.jobs.journal import Journal, learned_beside, result_of, stamps
from bitext.jobs.task import (
    WHOLE,
    Document,
    Failure,
    Limits,
    Outcome,
    Processes,
    Result,
    Shard,
    Task,
    WorkerLost,
)

if TYPE_CHECKING:
    import os
    from concurrent.futures import Future


@contextmanager
def local_executor(processes: int) -> Iterator[Processes]:
    """Yield processes on this machine, for several runs."""
    executor = Processes(processes)
    try:
        yield executor
        executor.shutdown()
    finally:
        executor.kill()


# Executors of a Dask cluster that the user runs.
#
# The executor is that of `distributed`. Its workers need `bitext` installed, and see the files
# under the same names (on a shared file system, or as `s3://` addresses). The scheduler moves the
# calls of a dead worker to others, and gives up a call that has killed several workers.

ENGINES = ("local", "dask")
_CONNECT_TIMEOUT = "10s"  # for the answer of a scheduler; set by hand


@contextmanager
def engine_executor(
    name: str, address: str | None, *, timeout: str = _CONNECT_TIMEOUT
) -> Iterator[tuple[Executor, int]]:
    """Yield the executor of an engine, and the number of its threads.

    The engine is `dask`. `address` is that of its scheduler, as `tcp://10.0.0.1:8786`, which may
    take `timeout` to answer.

    Raises `MissingExtraError` when `distributed` is not installed, `InputError` when the scheduler
    cannot be reached or has no workers, and `OptionError` when the engine is not known or the
    address is missing.
    """
    if name != "dask":
        raise OptionError(f"the engine {name!r} is not known: want one of {', '.join(ENGINES)}")
    if not address:
        example = remedy("scheduler tcp://HOST:8786", python="address='tcp://HOST:8786'")
        raise OptionError(f"{_dask()} wants the address of its scheduler, as {example}")
    distributed = import_extra("distributed", what=_dask(), extra="cluster")
    try:
        client = distributed.Client(address, timeout=timeout, set_as_default=False)
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


# In the worker: the documents of a batch, one after another, within limits.


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer of a worker for a document."""

    text: str | None  # the value as JSON: so it is the same with and without a journal
    failed: str  # the reason of a failure; empty if there is a value
    seconds: float  # the time taken
    lost: bool = False  # whether the worker died while it processed the document
    # Whether the document read an output of the run, named in `failed`; this ends the run.
    clash: bool = False
    read: ReadRecord = field(default_factory=dict)  # the files opened for the document


@dataclass(frozen=True, slots=True)
class Packed:
    """A pickled task; each worker unpacks it once."""

    key: str  # the digest of `data`, which identifies the task
    data: bytes  # the task, pickled
    by_options: str | None = None  # the command whose options messages name


def pack(task: Task) -> Packed:
    """Pickle a task for other processes.

    Raises `InputError` when the task cannot be pickled.
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
    """Return the prepared task, which is unpacked once in each worker."""
    with _lock:
        if packed.key not in _ready:
            task: Task = pickle.loads(packed.data)  # noqa: S301 - from the parent process
            task.prepare()
            _ready[packed.key] = task
        return _ready[packed.key]


def do_batch(
    packed: Packed,
    items: Sequence[Any],
    limits: Limits | None = None,
    began: Callable[[int], None] | None = None,
) -> list[Answer]:
    """Process the items of documents by a packed task; return the answer for each.

    Give `limits` only in a process of its own, which may die of them. `began` is called with the
    index of each document before its processing.
    """
    with by_options(on=packed.by_options):
        return _answers(packed, items, limits, began)


def _answers(
    packed: Packed,
    items: Sequence[Any],
    limits: Limits | None,
    on_begin: Callable[[int], None] | None,
) -> list[Answer]:
    task = unpacked(packed)
    if limits is not None:
        _limit_memory(limits)
    elif task.is_in_step and len(items) > 1:
        return _in_step(task, items, on_begin)
    answers = []
    for k, item in enumerate(items):
        if on_begin is not None:
            on_begin(k)
        _set_alarm(limits, active=True)
        answers.append(_guarded(task, partial(_worked, task, item), limits))
        _set_alarm(limits, active=False)
    return answers


# A few documents at a time, in lockstep: all go on to where each wants an answer, and the task
# answers them together. A worker that dies in the meantime dies of none in particular, and all are
# tried again one by one; so are they when the answers fail.

_LOCKSTEP_BATCH = 16  # documents: to align 8 of 140 sentences at a time takes a twelfth longer


def _in_step(
    task: Task, items: Sequence[Any], on_begin: Callable[[int], None] | None
) -> list[Answer]:
    """Process documents in lockstep, some at a time."""
    answer_of: dict[int, Answer] = {}
    for first in range(0, len(items), _LOCKSTEP_BATCH):
        start_time = time.perf_counter()
        indices = range(first, min(first + _LOCKSTEP_BATCH, len(items)))
        working = {k: task.work_in_steps(items[k]) for k in indices}
        answered: Mapping[int, Any] = dict.fromkeys(indices)
        is_first = True
        while answered:
            request_of: dict[int, Any] = {}
            for k, answer in answered.items():
                if on_begin is not None and is_first:
                    on_begin(k)
                ended = _guarded(task, partial(_stepped, working[k], answer, request_of, k), None)
                if k in answer_of:
                    ended = replace(ended, read=answer_of[k].read | ended.read)
                answer_of[k] = ended
                if ended.clash and request_of.pop(k, None) is not None:
                    working[k].close()
            if on_begin is not None and is_first:
                on_begin(-1)
            is_first = False
            try:
                answered = task.answers(request_of) if request_of else {}
            except Exception:  # noqa: BLE001 - of one of them: it fails by itself below
                answered = {}
                for k in request_of:
                    working[k].close()
                    if on_begin is not None:
                        on_begin(k)
                    answer_of[k] = _guarded(task, partial(_worked, task, items[k]), None)
        seconds = (time.perf_counter() - start_time) / len(indices)
        answer_of |= {k: replace(answer_of[k], seconds=seconds) for k in indices}
    return [answer_of[k] for k in range(len(items))]


def _worked(task: Task, item: Any) -> str:
    return json.dumps(task.work(item), ensure_ascii=False)


def _stepped(
    steps: Generator[Any, Any, Any], answer: Any, request_of: dict[int, Any], index: int
) -> str | None:
    """Take a step of document `index`: return its value, or put its request into `request_of`."""
    try:
        request_of[index] = steps.send(answer)
    except StopIteration as end:
        return json.dumps(end.value, ensure_ascii=False)
    return None


def _guarded(task: Task, work: Callable[[], str | None], limits: Limits | None) -> Answer:
    """Work on a document, or on a step of it; note the files that it reads, and its failure."""
    with protect_outputs(task.outputs()) as outputs, record_reads() as read:
        answer = replace(_answer(work, limits), read=read)
    if (clash := outputs.clash()) is not None:  # even if the task caught the error
        answer = replace(answer, text=None, failed=str(clash), clash=True)
    return answer


def _answer(work: Callable[[], str | None], limits: Limits | None) -> Answer:
    start_time = time.perf_counter()
    text, failed = None, ""
    try:
        text = work()
    except BitextError as error:
        failed = str(error)
    except MemoryError:
        memory = f"the {limits.megabytes:,} MB" if limits and limits.megabytes else "what there is"
        limit = remedy("memory-limit", python="memory=")
        failed = f"wants more memory than {memory} it may take; raise {limit}, or cut it up"
    except Exception as error:  # noqa: BLE001 - a bug of one document must not stop the others
        failed = f"{type(error).__name__}: {error} ({_place(error)}); this is a bug of bitext"
    return Answer(text, failed, time.perf_counter() - start_time)


def _place(error: BaseException) -> str:
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        return "nowhere"
    code = trace.tb_frame.f_code
    return f"{code.co_filename} line {trace.tb_lineno}"


def _set_alarm(limits: Limits | None, *, active: bool) -> None:
    """Let SIGALRM end this process after the time limit, or cancel that.

    An exception would wait for the end of compiled code; the signal does not.
    """
    if limits is not None and limits.seconds is not None:
        signal.setitimer(signal.ITIMER_REAL, limits.seconds if active else 0.0)


_limited = False


def _limit_memory(limits: Limits) -> None:
    """Limit the address space of this process to its present size plus the memory limit."""
    global _limited  # noqa: PLW0603 - the limit is of the process, too
    if limits.megabytes is None or _limited:
        return
    try:
        import resource
    except ImportError:
        limit = remedy("memory-limit", python="memory=")
        raise OptionError(f"this system cannot limit memory; leave {limit} out") from None
    max_bytes = _address_space() + (limits.megabytes << 20)
    _, hard_limit = resource.getrlimit(resource.RLIMIT_AS)
    if hard_limit != resource.RLIM_INFINITY:
        max_bytes = min(max_bytes, hard_limit)
    resource.setrlimit(resource.RLIMIT_AS, (max_bytes, hard_limit))
    _limited = True


def _address_space() -> int:
    """Return the size of the address space of this process in bytes, or an estimate."""
    import resource

    try:
        with open("/proc/self/statm", encoding="ascii") as file:  # noqa: PTH123
            return int(file.read().split()[0]) * resource.getpagesize()
    except OSError:
        return 1 << 30  # about the size of an interpreter with numpy


# Batches with limits in workers of other executors, which may not die: in a child process.

_thread_state = threading.local()  # one child process for each thread of an executor


def do_apart(packed: Packed, items: Sequence[Any], limits: Limits) -> list[Answer]:
    """Process documents one by one in a child process of this thread; return their answers."""
    process: Processes | None = getattr(_thread_state, "process", None)
    if process is None:
        process = _thread_state.process = Processes(1)
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
    """Return the answer for a document whose worker died; after a timeout it is final."""
    if limits.seconds is not None and error.is_alarm:
        limit = remedy("time-limit", python="timeout=")
        reason = f"took longer than the {limits.seconds:g} s it may take; raise {limit}"
        return Answer(None, reason, limits.seconds)
    return Answer(None, str(error), 0.0, lost=True)


# Set by hand.
_GOAL_SECONDS = 0.2  # seconds for a batch: long in comparison with passing it to a worker and back
_GOAL_IN_STEP = 4.0  # the same of documents in lockstep, several of which take less time each
_BATCH_BYTES = 1 << 19  # of the files of a batch in lockstep: long texts gain nothing from others
_WORKER_SHARE = 2  # divides these if there are several workers, which end at about one time so
_MAX_BATCH = 256  # documents in a batch
_MAX_STARTS = 5  # deaths of workers before they begin a document that are not its fault
_MAX_AHEAD = 4096  # documents that may be taken while an earlier one is not done


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
    """Run a task over documents, and return its output.

    Documents are taken one by one, a bounded number ahead, and dropped when their results are
    passed on, so the corpus may be of any size. The output does not depend on the number of
    processes, the sizes of batches, or interruptions.

    Parameters
    ----------
    documents : iterable of Document
        Numbered from 0, in order.
    task : Task
        The work on each document.
    executor : concurrent.futures.Executor, optional
        Default: processes on this machine.
    processes : int
        The number of documents, or batches of them, in work at once.
    batch : int, optional
        The number of documents in a call of a worker; default: as many as take about 0.2 seconds.
    journal : path, optional
        The file for results as they come; the same run, given again, goes on from it.
    max_failures : int, optional
        The number of failures above which the run ends with an error; default: no limit.
    timeout, memory : optional
        The limits of a document, in seconds and megabytes (`Limits`).
    shard : Shard
        The part of the documents to process.
    on_progress : callable, optional
        Called with the result of each document, as soon as it is done.

    Raises
    ------
    InputError
        When the journal is of another run or cannot be written, or a document reads an output of
        the run (`Task.outputs`), now or according to the journal.
    JobError
        When too many documents fail, or the executor breaks down; with the failures so far.

    Notes
    -----
    A document fails if the task raises an error, or exceeds a limit. If its worker dies, it is
    tried once more, alone, and then given up. When a run goes on from its journal, failed documents
    are tried again.

    """
    if batch is not None and batch < 1:
        raise OptionError(f"batches of {batch} documents: want at least 1")
    limits = Limits(timeout, memory)
    outcome = Outcome()
    with ExitStack() as stack:
        stack.enter_context(protect_outputs(task.outputs()))
        record = None
        if journal is not None:
            opened = Journal(journal, task.describe(), shard=shard, shown=task.shown())
            record = stack.enter_context(opened)
            outcome.notes += record.notes
        own_processes = None
        if isinstance(executor, Processes | None) and type(task).__module__ == "__main__":
            raise InputError(
                f"the task {type(task).__name__} is of the script itself, which workers do not "
                f"read; put it into a module that the script imports"
            )
        if executor is None:
            executor = own_processes = Processes(processes)
            stack.callback(own_processes.kill)
        running = _Running(
            task=task,
            executor=executor,
            width=processes,
            batch=batch,
            journal=record,
            most=max_failures,
            limits=limits,
            tell=on_progress,
            outcome=outcome,
            shard=shard,
        )
        results = running.results(documents)
        stack.callback(results.close)
        outcome.output = running.assembled(results)
        for _ in results:  # those that the task did not take
            pass
        outcome.failures.sort(key=lambda failure: failure.number)
        if record is not None:
            record.finish(running.count, task.whole())
        if own_processes is not None:
            own_processes.shutdown()
    return outcome


@dataclass(slots=True)
class _Slot:
    """A document in work, in the order of the corpus."""

    document: Document
    result: Result | None = None
    is_in_journal: bool = False
    files: list[list[int] | None] | None = None  # sizes and times before it was read
    deaths: int = 0  # of workers while they processed it
    starts: int = 0  # deaths of workers before they began it


def _bytes_of(slot: _Slot) -> int:
    """Return the size of the files of a document, as far as they are known."""
    file_stamps = stamps(slot.document.files) if slot.files is None else slot.files
    return sum(stamp[0] for stamp in file_stamps if stamp is not None)


@dataclass(slots=True, kw_only=True)
class _Running:
    """The state of a run."""

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
    count: int = 0  # documents of the whole corpus taken so far
    _size: float = field(init=False)  # documents in the next batch
    _exhausted: bool = False  # there are no more documents
    _resumed: str | None = None  # the document at hand, if its result is from the journal

    def __post_init__(self) -> None:
        self._size = self._together if self._is_in_step else 1.0

    @property
    def _is_in_step(self) -> bool:
        """Whether workers process the documents of a batch in lockstep."""
        return self.task.is_in_step and not self.limits

    @property
    def _together(self) -> int:
        """The most documents in a batch in lockstep."""
        return _LOCKSTEP_BATCH if self.width == 1 else _LOCKSTEP_BATCH // _WORKER_SHARE

    def assembled(self, results: Iterable[Result]) -> Any:
        """Return the output of the task; refuse a journal whose results the task cannot use."""
        try:
            return self.task.assemble(results)
        except BitextError:
            raise
        except Exception as error:
            if self._resumed is None or self.journal is None:
                raise
            raise InputError(
                f"{self.journal.path}: what it holds of {self._resumed!r:.80} is no result of this "
                f"run ({type(error).__name__}: {error!s:.80}); "
                f"delete it{learned_beside(self.journal.path)} to begin anew"
            ) from error

    def results(self, documents: Iterable[Document]) -> Generator[Result]:
        """Process the documents; yield their results in order."""
        packed = pack(self.task)
        remaining = iter(documents)
        order: deque[_Slot] = deque()
        retried_slots: deque[_Slot] = deque()
        pending: dict[Future[list[Answer]], list[_Slot]] = {}
        try:
            while True:
                is_ready = not self._exhausted and len(order) < _MAX_AHEAD
                if len(pending) < 2 * self.width and (retried_slots or is_ready):
                    slots = (
                        [retried_slots.popleft()] if retried_slots else self._next(remaining, order)
                    )
                    if slots:
                        pending[self._submit(packed, slots)] = slots
                elif pending:
                    done = wait(pending, return_when=FIRST_COMPLETED).done
                    for future in [each for each in pending if each in done]:  # `done` has no order
                        retried_slots.extend(self._take(future, pending.pop(future)))
                elif self._exhausted:
                    return
                yield from self._ready(order)
        finally:
            for future in pending:
                future.cancel()

    def _next(self, remaining: Iterator[Document], order: deque[_Slot]) -> list[_Slot]:
        """Return the next batch of documents that are not in the journal."""
        max_documents = self._together if self._is_in_step else _MAX_BATCH
        size = self.batch or max(1, min(max_documents, int(self._size)))
        bytes_left = 1
        if self._is_in_step and self.batch is None:
            bytes_left = _BATCH_BYTES if self.width == 1 else _BATCH_BYTES // _WORKER_SHARE
        slots: list[_Slot] = []
        while len(slots) < size and bytes_left > 0 and len(order) < _MAX_AHEAD:
            document = next(remaining, None)
            if document is None:
                self._exhausted = True
                break
            self.count = document.number + 1
            if document.number in self.shard:
                slot = self._slot(document)
                order.append(slot)
                if not slot.is_in_journal:
                    slots.append(slot)
                    if self._is_in_step and self.batch is None:
                        bytes_left -= _bytes_of(slot)
        return slots

    def _slot(self, document: Document) -> _Slot:
        """Return the slot of a document, after a look into the journal."""
        if self.journal is None:
            return _Slot(document)
        line = self.journal.find(document)
        if line is not None and self.task.stands(document.item, line.get("value")):
            refuse_read_before(line.get("read", ()))
            self.outcome.kept += 1
            return _Slot(document, is_in_journal=True)
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
        """Take the answers for a batch; return the documents to try again."""
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
        seconds = sum(answer.seconds for answer in answers)
        goal_seconds = _GOAL_IN_STEP if self._is_in_step else _GOAL_SECONDS
        self._size = max(
            1.0, min(2 * self._size + 1, len(answers) * goal_seconds / max(seconds, 1e-6))
        )
        each = zip(slots, answers, strict=True)
        return [slot for slot, answer in each if self._goes_on(slot, answer)]

    def _lost(self, slots: list[_Slot], error: WorkerLost) -> list[_Slot]:
        """Find the document of a batch that killed its worker; return those to try again."""
        retried_slots = []
        for k, slot in enumerate(slots):
            if error.begun < 0:  # the worker died before it began any document
                slot.starts += 1
            if k != error.begun and slot.starts < _MAX_STARTS:
                retried_slots.append(slot)  # not the fault of this document
                continue
            if self._goes_on(slot, lost_answer(error, self.limits)):
                retried_slots.append(slot)
        return retried_slots

    def _goes_on(self, slot: _Slot, answer: Answer) -> bool:
        """Take an answer; return whether its document is tried again."""
        if answer.lost:
            return self._retried(slot, answer.failed)
        self._done(slot, answer)
        return False

    def _retried(self, slot: _Slot, reason: str) -> bool:
        """Count a death of a worker; return whether to try its document again, or give it up."""
        slot.deaths += 1
        if slot.deaths < 2:
            return True
        self._done(slot, Answer(None, f"given up: tried twice, {reason}", 0.0))
        return False

    def _done(self, slot: _Slot, answer: Answer) -> None:
        """Record the answer for a document; raise the error if it read an output of the run."""
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
            allowed = remedy(f"max-failures {self.most}", python=f"max_failures={self.most}")
            raise JobError(
                f"{many(len(failures), 'document')} failed, more than {allowed}: {first.name}: "
                f"{first.reason}",
                failures=failures,
            )

    def _ready(self, order: deque[_Slot]) -> Generator[Result]:
        """Yield the results up to the first document that is not done."""
        while order and (order[0].result is not None or order[0].is_in_journal):
            slot = order.popleft()
            if slot.result is not None:
                self._resumed = None
                yield slot.result
            elif self.journal is not None:
                self._resumed = slot.document.name
                yield result_of(self.journal.line(slot.document.number))


def _is_loss(error: Exception) -> bool:
    """Check whether the error is the loss of a worker or of the executor."""
    # `distributed` may not be installed, so its error is compared by name.
    return isinstance(error, BrokenExecutor) or type(error).__name__ == "KilledWorker"


def _broken(error: BaseException) -> JobError:
    reason = str(error) or type(error).__name__
    return JobError(
        f"the executor broke down: {reason}; with a journal the same command goes on from there"
    )
