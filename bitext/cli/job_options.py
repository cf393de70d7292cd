"""The options of commands that go over a corpus by jobs, their checks, and running jobs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

from bitext.cli.common import Parser, print_notes
from bitext.cli.console import Progress, write_err
from bitext.cli.option_tables import add_groups, options_of, whole_number
from bitext.cli.request import JobRequest
from bitext.errors import JobError, OptionError, many

if TYPE_CHECKING:
    from bitext.jobs import Document, Failure, Outcome, Result, Shard, Task
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
_DESTS = (
    "jobs", "journal", "max_failures", "time_limit", "memory_limit", "shard", "engine", "scheduler",
)  # fmt: skip
# The defaults of the options.
NO_JOBS: dict[str, Any] = dict.fromkeys(_DESTS) | {"jobs": 1, "engine": "local"}
_OWN_FILES = {"convert", "combine", "compose", "join"}  # commands with a file for each document
# Options about output; results do not depend on them.
_SHOWN = {
    "output", "json", "format", "quiet", "verbose", "html", "per_text", "average", "store",
    "also", "digits", "no_intervals", "total", "clean_report",
}  # fmt: skip

_AHEAD = 2  # workers that start before it is known how many are needed


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


def uses_jobs(request: JobRequest) -> bool:
    """Check the options of jobs; return whether any is given, so that jobs do the work."""
    check_jobs(request)
    return request.names_jobs or request.jobs > 1


def check_jobs(request: JobRequest) -> None:
    """Refuse options of jobs that exclude each other, and values out of range.

    Raises `OptionError` or `InputError` with the remedy.
    """
    from bitext.formats.io.remote import refuse_remote

    if request.jobs < 1:
        raise OptionError(f"--jobs {request.jobs}: want at least 1")
    if request.max_failures is not None and request.max_failures < 0:
        raise OptionError(f"--max-failures {request.max_failures}: want 0 or more")
    if request.journal is not None and request.journal in {"", "-"}:
        raise OptionError("--journal: want the name of a file that a later run can continue")
    refuse_remote(request.journal, "a journal is added to line by line, which places cannot do")
    if request.journal is not None:
        from bitext.formats.io.output import refuse_clashes

        others = (request.output, request.html, request.store)
        refuse_clashes((), (request.journal, *(name for name in others if name and name != "-")))
    if request.shard is not None:
        shard_of(request)
        if request.journal is None:
            raise OptionError("--shard writes its part to --journal: name that file, too")
    if request.engine == "local" and request.scheduler is not None:
        raise OptionError("--scheduler is for --engine dask: give both")
    if request.engine != "local" and request.jobs > 1:
        raise OptionError("--jobs is for this machine: the cluster has workers of its own")
    if request.time_limit is not None or request.memory_limit is not None:
        from bitext.jobs import Limits

        Limits(request.time_limit, request.memory_limit)


def refuse_streams(
    names: Iterable[str | None], request: JobRequest, *, read_here: bool = False
) -> None:
    """Refuse standard input and other streams of this process if jobs do the work.

    With `read_here` this process reads the streams and passes their contents to the jobs. Then they
    are refused beside a journal only, which could not tell whether they have changed when the run
    goes on.
    """
    from bitext.formats.io.source import is_stream

    given = next((name for name in names if name is not None and is_stream(name)), None)
    if given is None or (read_here and request.journal is None):
        return
    if read_here:
        raise OptionError(
            f"{given}: a journal cannot check whether it has changed: name a file, or leave "
            f"--journal out"
        )
    raise OptionError(
        f"{given}: standard input and output are not for work by jobs: name a file, or leave "
        f"--jobs and the like out"
    )


def refuse_unwritten(
    request: JobRequest, *, own_files: bool = False, report: str | None = None
) -> None:
    """Refuse output files for a shard, which writes its results to the journal alone.

    With `own_files` each document becomes a file of its own, which a shard writes too. `report` is
    the name of a report, in commands that write one.
    """
    if request.shard is None or request.parts is not None:
        return
    if request.digits is not None or request.no_intervals:
        option = "--no-intervals" if request.digits is None else "--digits"
        raise OptionError(
            f"{option} is for the tables of all shards: leave it out, and give it to 'bitext merge'"
        )
    output = request.output if not own_files else None
    for option, given in (("-o", output), ("--store", request.store)):
        if given not in {None, "-"}:
            raise OptionError(
                f"{option} {given}: a shard writes its part to --journal and nothing else: leave "
                f"{option} out, and give it to 'bitext merge', which combines all shards"
            )
    if report:
        raise OptionError(
            f"--report {report}: a shard writes its part to --journal and no report: leave "
            f"--report out; the result of 'bitext merge' has the unreadable parts of all shards"
        )


def shard_of(request: JobRequest) -> Shard:
    """Return the shard that `--shard` names; the whole corpus without."""
    from bitext.jobs import Shard

    if request.shard is None:
        return Shard()
    index, _, count = (whole_number(part) for part in request.shard.partition("/"))
    if index is None or count is None:
        raise OptionError(f"--shard {request.shard!r:.40}: want I/N, as 1/8 to 8/8")
    return Shard(index, count)


def split_options(command: str, request: JobRequest) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the options that results depend on, with the command, and those about output.

    The output of commands with a file for each document is part of the former, as `place`.
    """
    options = request.options()
    run = {name: options[name] for name in options if name not in {*_DESTS, *_SHOWN, "parts"}}
    shown = {name: options[name] for name in options if name in _SHOWN}
    if command in _OWN_FILES:
        run["place"] = shown.pop("output")
    return {"command": command, "options": run}, shown


def run_settings(request: JobRequest) -> dict[str, Any]:
    """Return the arguments of `bitext.jobs.run` from the request, except for the executor."""
    return {
        "journal": request.journal,
        "max_failures": request.max_failures,
        "timeout": request.time_limit,
        "memory": request.memory_limit,
        "shard": shard_of(request),
    }


def run_jobs(
    documents: Iterable[Document], task: Task, request: JobRequest, *, what: str, **changed: Any
) -> Outcome:
    """Run a task over documents by jobs; show the progress, and print notes."""
    from bitext.jobs import run

    arguments = {**run_settings(request), "processes": request.jobs, **changed}
    with ExitStack() as stack:
        progress = stack.enter_context(Progress(what, quiet=request.quiet))
        if request.engine != "local":
            from bitext.jobs.running import engine_executor

            engine = engine_executor(request.engine, request.scheduler)
            arguments["executor"], arguments["processes"] = stack.enter_context(engine)
        outcome = run(documents, task, on_progress=lambda _: progress.add(1), **arguments)
    print_notes(outcome.notes, request)
    if outcome.kept:
        many = "1 document was" if outcome.kept == 1 else f"{outcome.kept:,} documents were"
        print_notes([f"{many} done before, by {arguments['journal']}"], request)
    return outcome


def run_or_merge(
    documents: Iterable[Document], task: Task, request: JobRequest, *, what: str
) -> Outcome:
    """Run a task over documents by jobs, or assemble the results of its shards."""
    if request.parts is None:
        return run_jobs(documents, task, request, what=what)
    return merged_outcome(task, request.parts)


def merged_outcome(task: Task, parts: Parts) -> Outcome:
    """Assemble the results of all shards."""
    from bitext.jobs import Outcome

    outcome = Outcome()
    outcome.output = task.assemble(collect_failures(parts.results(), outcome.failures))
    return outcome


@contextmanager
def one_executor(request: JobRequest, *, ahead: Sequence[str] = ()) -> Iterator[dict[str, Any]]:
    """Yield the executor as an argument of `run_jobs`, for several runs of one command.

    With `ahead`, the names of modules, workers start at once and import these.
    """
    if request.engine != "local":
        yield {}
        return
    from bitext.jobs.running import local_executor

    with local_executor(request.jobs) as workers:
        if ahead:
            workers.start(_AHEAD, ahead)
        yield {"executor": workers}


def print_failures(failures: Iterable[Failure], request: JobRequest) -> int:
    """Print the failures, with --quiet too; return the exit status."""
    lines = [f"failed: {failure.name}: {failure.reason}" for failure in failures]
    print_notes(lines, request, failed=True)
    return 1 if lines else 0


def finish_shard(outcome: Outcome, request: JobRequest, *, what: str = "") -> int:
    """Print the failures of a finished shard, and how to go on; return the exit status.

    `what` was done, with its number, where it was not documents.
    """
    status = print_failures(outcome.failures, request)
    done = outcome.done + outcome.kept
    if not request.quiet:
        write_err(
            f"shard {request.shard}: {what or many(done, 'document')} in "
            f"{request.journal}; 'bitext merge OUT JOURNAL ...' makes the whole of all shards\n"
        )
    return status


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
