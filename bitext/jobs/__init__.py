"""Jobs over a corpus of any size: on all cores or many machines, with a journal.

run          runs a task over documents through any executor
Task         the work on each document, and the output from all results
Document     a document of the corpus: its number, its name, the item that a task works on
Processes    an executor over processes of this machine, which survives the death of a process
Journal      the file of results so far, from which a killed run continues
Shard        a part of the documents, for one of many machines
"""

from bitext.jobs.journal import Journal
from bitext.jobs.running import run
from bitext.jobs.task import (
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

__all__ = [
    "Document",
    "Failure",
    "Journal",
    "Limits",
    "Outcome",
    "Processes",
    "Result",
    "Shard",
    "Task",
    "WorkerLost",
    "run",
]
