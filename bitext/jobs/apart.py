"""Batches in a process of their own, for workers that may not die: those of other executors."""

from __future__ import annotations

import atexit
import threading
from typing import TYPE_CHECKING, Any

from bitext.jobs.processes import Processes, WorkerLost
from bitext.jobs.work import Answer, Packed, do_batch
from bitext.remedies import by_options, remedy

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitext.jobs.task import Limits

__all__ = ["do_apart", "lost_answer"]

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
