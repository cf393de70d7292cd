"""Work over a corpus of any size: on all cores, on many machines, and not lost when one dies.

run          a task over documents, through any executor, with a journal
Task         what is done with each document, and what is made of the results
Document     a document: its number, its name, what the task works on
Processes    an executor over processes of this machine, which outlives them
Journal      what was done, so that a run that was killed goes on
Shard        some of the documents, for one of many machines
"""

from bitext.jobs.journal import Journal
from bitext.jobs.processes import Processes, WorkerLost
from bitext.jobs.running import run
from bitext.jobs.task import Document, Failure, Limits, Outcome, Result, Shard, Task

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
