"""The options of commands that go over a corpus by jobs, their checks, and running jobs."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from bitext.cli.common import Parser, add_groups, tell, value, whole_number
from bitext.cli.console import Progress, remark
from bitext.errors import JobError, OptionError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator

    from bitext.cli.request import JobRequest
    from bitext.jobs import Document, Failure, Outcome, Result, Shard, Task

    # Commands whose arguments are no request yet hand on what argparse made.
    Jobs = JobRequest | argparse.Namespace

__all__ = [
    "NO_JOBS",
    "add_jobs",
    "add_store",
    "collect",
    "jobs_asked",
    "nothing_done",
    "refuse_streams",
    "refuse_unwritten",
    "run_jobs",
    "settings",
    "shard_done",
    "split",
    "tell_failures",
]

_whole = value(int, "a whole number")

_JOBS: list[tuple[str, dict[str, Any], str]] = [
    ("-j --jobs", {"type": _whole, "default": 1, "metavar": "N"}, "processes (1)"),
    (
        "--journal",
        {"metavar": "FILE"},
        (
            "write there what is done; the same command, given again after whatever ended it, "
            "goes on from there"
        ),
    ),
    (
        "--max-failures",
        {"type": _whole, "metavar": "N"},
        "how many documents may fail before the run ends with an error",
    ),
    (
        "--time-limit",
        {"type": value(float, "a number of seconds"), "metavar": "S"},
        "give up a document that takes longer, in seconds",
    ),
    (
        "--memory-limit",
        {"type": _whole, "metavar": "MB"},
        "give up a document that takes more memory, in megabytes",
    ),
    (
        "--shard",
        {"metavar": "I/N"},
        (
            "do the I-th of N parts of the documents, and write them to --journal: 'bitext merge' "
            "makes the whole of all"
        ),
    ),
    (
        "--engine",
        {"choices": ("local", "dask"), "default": "local"},
        "where the work is done: processes here (default), or a Dask cluster",
    ),
    ("--scheduler", {"metavar": "ADDRESS"}, "of the cluster, as tcp://HOST:8786"),
]
_DESTS = (
    "jobs", "journal", "max_failures", "time_limit", "memory_limit", "shard", "engine", "scheduler",
)  # fmt: skip
# The defaults of the options.
NO_JOBS: dict[str, Any] = dict.fromkeys(_DESTS) | {"jobs": 1, "engine": "local"}
# Options about output; results do not depend on them.
_SHOWN = {"output", "json", "format", "quiet", "verbose", "html", "per_text", "average", "store"}


def add_jobs(parser: Parser) -> Parser:
    """Add the options of jobs that the parser lacks; return the parser."""
    there = {option for action in parser._actions for option in action.option_strings}  # noqa: SLF001
    rows = [row for row in _JOBS if not there.intersection(row[0].split())]
    add_groups(parser, {"over a corpus": rows})
    return parser


def add_store(parser: Parser) -> Parser:
    """Add --store, which writes a table of counts; return the parser."""
    parser.add_argument(
        "--store",
        metavar="FILE",
        help="write the counts of every text as a table, too: .parquet or .jsonl",
    )
    return parser


def jobs_asked(options: Jobs) -> bool:
    """Check the options of jobs; return whether any is given, so that jobs do the work."""
    check_jobs(options)
    given = [getattr(options, name) for name in _DESTS if name not in {"jobs", "engine"}]
    return (
        options.jobs > 1
        or options.engine != "local"
        or any(one is not None for one in given)
        or getattr(options, "parts", None) is not None
    )


def check_jobs(options: Jobs) -> None:
    """Refuse options of jobs that exclude each other, and values out of range.

    Raises
    ------
    OptionError, InputError
        With the remedy.

    """
    from bitext.formats.io.remote import refuse_remote

    if options.jobs < 1:
        raise OptionError(f"--jobs {options.jobs}: want at least 1")
    if options.max_failures is not None and options.max_failures < 0:
        raise OptionError(f"--max-failures {options.max_failures}: want 0 or more")
    if options.journal is not None and options.journal in {"", "-"}:
        raise OptionError("--journal: want the name of a file that can be gone on with")
    refuse_remote(options.journal, "a journal is added to line by line, which places cannot do")
    if options.journal is not None:
        from bitext.formats.io.clashes import refuse_clashes

        others = (getattr(options, name, None) for name in ("output", "html", "store"))
        refuse_clashes((), (options.journal, *(name for name in others if name and name != "-")))
    if options.shard is not None:
        shard_of(options)
        if options.journal is None:
            raise OptionError("--shard writes its part to --journal: name that file, too")
    if options.engine == "local" and options.scheduler is not None:
        raise OptionError("--scheduler is of --engine dask: give both")
    if options.engine != "local" and options.jobs > 1:
        raise OptionError("--jobs is of this machine: the cluster has workers of its own")
    from bitext.jobs import Limits

    Limits(options.time_limit, options.memory_limit)


def refuse_streams(names: Iterable[str | None], options: Jobs, *, read_here: bool = False) -> None:
    """Refuse standard input and other streams of this process where jobs do the work.

    With `read_here` this process reads the streams and passes their contents to the jobs. Then they
    are refused beside a journal only, which could not tell whether they have changed when the run
    goes on.

    Raises
    ------
    OptionError
        With the remedy.

    """
    from bitext.formats.io.source import is_stream

    given = next((name for name in names if name is not None and is_stream(name)), None)
    if given is None or (read_here and options.journal is None):
        return
    if read_here:
        raise OptionError(
            f"{given}: a journal cannot tell whether it is the same again: name a file, or leave "
            f"--journal out"
        )
    raise OptionError(
        f"{given}: standard input and output are not for work by jobs: name a file, or leave "
        f"--jobs and such out"
    )


def refuse_unwritten(options: Jobs, *, own_files: bool = False) -> None:
    """Refuse output files for a shard, which writes its results to the journal alone.

    Parameters
    ----------
    options : JobRequest
    own_files : bool
        Whether each document becomes a file of its own, which a shard writes too.

    Raises
    ------
    OptionError
        With the remedy.

    """
    if options.shard is None or getattr(options, "parts", None) is not None:
        return
    store = getattr(options, "store", None)
    for option, given in (("-o", options.output if not own_files else None), ("--store", store)):
        if given not in {None, "-"}:
            raise OptionError(
                f"{option} {given}: a shard writes its part to --journal and nothing else: leave "
                f"{option} out, and give it to 'bitext merge', which makes the whole of all"
            )
    report = getattr(options, "report", None)
    if report:
        raise OptionError(
            f"--report {report}: a shard writes its part to --journal and no report: leave "
            f"--report out; what 'bitext merge' writes has what could not be read of all"
        )


def shard_of(options: Jobs) -> Shard:
    """Return the shard that `--shard` names; the whole corpus without."""
    from bitext.jobs import Shard

    if options.shard is None:
        return Shard()
    index, _, count = (whole_number(part) for part in options.shard.partition("/"))
    if index is None or count is None:
        raise OptionError(f"--shard {options.shard!r:.40}: want I/N, as 1/8 to 8/8")
    return Shard(index, count)


def split(command: str, options: Jobs) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the options that results depend on, with the command, and those about output.

    The output of convert is part of the former, as `place`: each document has a file of its own.
    """
    ours = {*_DESTS, "parts"}
    from bitext.cli.request import JobRequest

    given = (
        {name: getattr(options, name) for name in options.offered}
        if isinstance(options, JobRequest)
        else vars(options)
    )
    held = {name: each for name, each in given.items() if name not in ours}
    run = {name: given for name, given in held.items() if name not in _SHOWN}
    shown = {name: given for name, given in held.items() if name in _SHOWN}
    if command == "convert":
        run["place"] = shown.pop("output")
    return {"command": command, "options": run}, shown


def settings(options: Jobs) -> dict[str, Any]:
    """Return the arguments of `bitext.jobs.run` from the options, but for the executor."""
    return {
        "journal": options.journal,
        "max_failures": options.max_failures,
        "timeout": options.time_limit,
        "memory": options.memory_limit,
        "shard": shard_of(options),
    }


def run_jobs(
    documents: Iterable[Document],
    task: Task,
    options: Jobs,
    *,
    what: str,
    **changed: Any,
) -> Outcome:
    """Run a task over documents by jobs; show the progress, and print notes."""
    from bitext.jobs import run

    asked = {**settings(options), "processes": options.jobs, **changed}
    progress = Progress(what, quiet=options.quiet)
    with ExitStack() as stack:
        stack.callback(progress.end)
        if options.engine != "local":
            from bitext.jobs.running import engine_executor

            engine = engine_executor(options.engine, options.scheduler)
            asked["executor"], asked["processes"] = stack.enter_context(engine)
        outcome = run(documents, task, on_progress=lambda _: progress.add(1), **asked)
    tell(outcome.notes, options)
    if outcome.kept:
        many = "1 document was" if outcome.kept == 1 else f"{outcome.kept:,} documents were"
        tell([f"{many} done before, by {asked['journal']}"], options)
    return outcome


def tell_failures(failures: Iterable[Failure], options: Jobs) -> int:
    """Print the failures, with --quiet too; return the exit status."""
    lines = [f"failed: {failure.name}: {failure.reason}" for failure in failures]
    tell(lines, options, failed=True)
    return 1 if lines else 0


def shard_done(outcome: Outcome, options: Jobs) -> int:
    """Print the failures of a finished shard, and how to go on; return the exit status."""
    status = tell_failures(outcome.failures, options)
    done = outcome.done + outcome.kept
    if not options.quiet:
        remark(
            f"shard {options.shard}: {done:,} document{'' if done == 1 else 's'} in "
            f"{options.journal}; 'bitext merge OUT JOURNAL ...' makes the whole of all shards\n"
        )
    return status


def nothing_done(failures: list[Failure]) -> JobError:
    """Return the error for a run in which all documents failed."""
    first = failures[0]
    more = f", and {len(failures) - 1:,} more" if len(failures) > 1 else ""
    message = f"every document failed: {first.name}: {first.reason}{more}"
    return JobError(message, failures=failures)


def collect(results: Iterator[Result], failures: list[Failure]) -> Iterator[Result]:
    """Yield the results; append those that failed to `failures`."""
    from bitext.jobs import Failure

    for result in results:
        if result.failed:
            failures.append(Failure(result.number, result.name, result.failed))
        yield result
