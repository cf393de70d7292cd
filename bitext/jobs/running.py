"""A task, run over the documents of a corpus through any executor, with a journal."""

from __future__ import annotations

import json
from collections import deque
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, wait
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bitext.errors import BitextError, ClashError, InputError, JobError, OptionError
from bitext.formats.clashes import refuse_read_before, spared
from bitext.jobs.apart import do_apart, lost_answer
from bitext.jobs.journal import Journal, stamps
from bitext.jobs.journal_reader import result_of
from bitext.jobs.processes import Processes, WorkerLost
from bitext.jobs.task import WHOLE, Document, Failure, Limits, Outcome, Result, Shard, Task
from bitext.jobs.work import Answer, do_batch, pack
from bitext.remedies import remedy

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Generator, Iterable, Iterator
    from concurrent.futures import Future

__all__ = ["run"]

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
        stack.enter_context(spared(task.outputs()))
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
