"""The options of commands that go over a corpus by jobs, and the results of all shards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from bitext.cli.common import Parser
from bitext.cli.option_tables import add_groups, options_of
from bitext.errors import JobError

if TYPE_CHECKING:
    from bitext.jobs import Failure, Outcome, Result, Task
    from bitext.jobs.journal import Parts


_JOBS = options_of("""
    -j --jobs N:whole  processes (1)
    --journal FILE
        record finished work there; the same command, given again after an interruption, resumes
        from it
    --max-failures N:whole  how many documents may fail before the run ends with an error
    --time-limit S:seconds  give up a document that takes longer, in seconds
    --memory-limit MB:whole  give up a document that takes more memory, in megabytes
    --shard I/N
        process the I-th of N parts of the documents, and write the results to --journal; 'bitext
        merge' combines all parts
    --engine {local,dask}  local processes (default), or a Dask cluster
    --scheduler ADDRESS  the address of the cluster, as tcp://HOST:8786
""")
STORE = options_of("""
    --store FILE  write the counts of every text as a table, too: .parquet or .jsonl
""")


def add_jobs(parser: Parser, *, only: Sequence[str] | None = None) -> Parser:
    """Add the options of jobs that the parser lacks, or some of them; return the parser."""
    option_strings = {name for option in parser.options() for name in option.option_strings}
    rows = [
        row
        for row in _JOBS
        if not option_strings.intersection(row[0].split()) and (only is None or row[0] in only)
    ]
    add_groups(parser, {"over a corpus": rows})
    return parser


def merged_outcome(task: Task, parts: Parts) -> Outcome:
    """Assemble the results of all shards."""
    from bitext.jobs import Outcome

    outcome = Outcome()
    outcome.output = task.assemble(collect_failures(parts.results(), outcome.failures))
    return outcome


def refuse_all_failed(failures: Sequence[Failure], done: int) -> None:
    """Raise a `JobError` where documents failed, and none of them was `done`."""
    if failures and not done:
        raise JobError.of_all(failures)


def collect_failures(results: Iterator[Result], failures: list[Failure]) -> Iterator[Result]:
    """Yield the results; append those that failed to `failures`."""
    from bitext.jobs import Failure

    for result in results:
        if result.failed:
            failures.append(Failure(result.number, result.name, result.failed))
        yield result
