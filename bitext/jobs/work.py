"""What is done where the work is: the documents of a batch, one after another, within limits."""

from __future__ import annotations

import hashlib
import json
import pickle
import signal
import threading
import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from bitext.errors import BitextError, InputError, OptionError
from bitext.formats.clashes import noted, spared
from bitext.remedies import by_options, named_by_options, remedy

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bitext.formats.clashes import Noted
    from bitext.jobs.task import Limits, Task

__all__ = ["Answer", "Packed", "do_batch", "pack"]


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
    read: Noted = field(default_factory=dict)


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
        with spared(task.outputs()) as outputs, noted() as read:
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
