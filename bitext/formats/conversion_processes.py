"""Many conversions, in one process or in several, which end when nobody wants them any more."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from typing import TYPE_CHECKING, NoReturn

from bitext.errors import BitextError, InputError
from bitext.formats.conversion import Outcome, convert

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from bitext.formats.conversion import Task

__all__ = ["convert_all"]

_GRACE = 1.0  # seconds that a process has to end by itself


def convert_all(tasks: Sequence[Task], *, jobs: int = 1) -> Generator[Outcome]:
    """Do tasks, in several processes if asked for; yield their outcomes in order.

    A task that fails gives an outcome that says so, and the others go on; whoever does not want
    that stops asking: those that have not begun are not done then, and of those that have, in
    other processes, nothing is left. Processes end with the one that began them.

    Raises
    ------
    InputError
        When a process is killed, as for want of memory.

    """
    if jobs == 1 or len(tasks) < 2:
        yield from map(_attempt, tasks)
        return
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import get_context

    # Fresh processes: a fork would carry along whatever threads and files there are.
    pool = ProcessPoolExecutor(
        min(jobs, len(tasks)), mp_context=get_context("spawn"), initializer=_begin
    )
    try:
        yield from pool.map(_work_off, tasks)
    except BrokenProcessPool:
        raise InputError(
            "a process was killed, maybe for want of memory: try with fewer --jobs"
        ) from None
    except BaseException:  # interrupted, or nobody wants the rest: nobody waits for it either
        for process in list(pool._processes.values()):  # noqa: SLF001 - 3.14 has a method for it
            process.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _begin() -> None:
    """Make a process ready: it ends when it is told to, and with the one that began it."""
    from multiprocessing import parent_process

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it is for the one that began it
    parent = parent_process()
    if parent is not None:

        def end() -> None:
            parent.join()
            main = threading.main_thread().ident
            if main is not None and hasattr(signal, "pthread_kill"):
                signal.pthread_kill(main, signal.SIGTERM)  # to take away what is not whole
                time.sleep(_GRACE)
            os._exit(1)

        threading.Thread(target=end, daemon=True).start()
    signal.signal(signal.SIGTERM, _end)


def _end(*_: object) -> NoReturn:
    """End in good order, so that what is not whole is taken away, or else in no order."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    last = threading.Timer(_GRACE, os._exit, (1,))
    last.daemon = True
    last.start()
    sys.exit(1)


def _work_off(task: Task) -> Outcome:
    """Do a task in a process of its own, where `SystemExit` would be taken for its result."""
    try:
        return _attempt(task)
    except SystemExit:
        os._exit(1)


def _attempt(task: Task) -> Outcome:
    """Do a task; errors of it, of which not all can travel between processes, become words."""
    try:
        return convert(task)
    except BitextError as error:
        return Outcome(task.output, task.to, failed=str(error))
