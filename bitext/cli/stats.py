"""`bitext stats`: sizes, lengths, languages, scores and duplicates of files of alignments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from bitext.cli.common import (
    LIMITS,
    READING,
    Parser,
    add_output,
    notes_on_repeated,
    write_file,
)
from bitext.cli.console import Progress
from bitext.cli.job_options import add_jobs, refuse_all_failed
from bitext.cli.option_tables import add_groups, options_of
from bitext.cli.request import JobRequest, request_of

if TYPE_CHECKING:
    from bitext.formats.convert.statistics import FileDescriptions
    from bitext.formats.corpora import Corpus
    from bitext.jobs import Failure, Outcome

_EPILOG = """\
Words are separated by blanks; lengths are those of sentences, aligned or not. A length ratio is the
target characters of a bisegment by its source characters. A duplicate repeats an earlier bisegment
character by character: both sides, or one alone. Quantiles of ratios and scores are exact to 0.05
%.

examples:
  bitext stats memory.tmx
  bitext stats corpus/ --html corpus.html
  bitext stats corpus/ -j 4 --journal stats.journal --json -o stats.json
  bitext stats corpus.tsv --json | jq .total.bisegments

memory: 16 bytes a bisegment and 100 a type, beside what reading takes; a file is one job
"""


class StatsRequest(JobRequest):
    """The request of `bitext stats`; the fields are its options."""

    files: tuple[str, ...]
    base: int | None = None
    total: bool = False


def run(arguments: Sequence[str]) -> int:
    """Describe files; return the exit status."""
    request = request_of(StatsRequest, add_jobs(_parser()), arguments)
    from bitext.kernels.one_thread import import_numpy

    import_numpy()
    with request.protected_outputs():
        return stats(request)


def stats(request: StatsRequest) -> int:
    """Describe files here or by jobs, or merge the counts of shards; return the exit status."""
    style, by_jobs = request.check_table(request.files)
    failures: Sequence[Failure] = ()
    if by_jobs:
        described, outcome = _by_jobs(request)
        failures = outcome.failures
        if request.shard is not None:
            return request.finish_shard(outcome)
    else:
        described = _here(request)
    document = described.document((each.name, each.reason) for each in failures)
    request.print_notes(map(str, described.notes.all()))
    if request.html is not None:
        from bitext.reports.corpus_statistics import statistics_page

        title = f"Statistics of {document['total']['name']}"
        write_file(request.html, statistics_page(document, title=title))
    if style == "json":
        request.deliver_json(document)
    elif not request.html == request.output == "-":
        from bitext.reports.corpus_statistics import statistics_table, statistics_text

        if style == "table":
            request.deliver(statistics_text(document))
        else:
            request.deliver(statistics_table(document, exact=style == "tsv").render(style))
    return request.print_failures(failures)


def _parser() -> Parser:
    parser = Parser(
        prog="bitext stats",
        description="Describe files of alignments: sizes, lengths, languages, scores, duplicates.",
        epilog=_EPILOG,
    )
    parser.add_argument("files", metavar="FILE", nargs="+", help="a file, a folder, or a manifest")
    add_groups(
        parser,
        {
            "reading": [*READING, *LIMITS],
            "describing": options_of("""
                --total  describe all files together only
                --html FILE  also write a page with histograms
            """),
        },
    )
    add_output(parser)
    return parser


def _corpora(request: StatsRequest) -> tuple[list[Corpus], list[str]]:
    """Find the files; return the corpora, and notes on them."""
    from bitext.formats.corpora import refuse_lone_texts

    notes = notes_on_repeated(request.files, "counted")
    corpora = list(map(request.corpus, request.files))
    notes += [note for corpus in corpora for note in corpus.notes()]
    refuse_lone_texts(corpora, request.src, request.tgt)
    return corpora, notes


def _here(request: StatsRequest) -> FileDescriptions:
    """Describe the files one after another; show the progress in bisegments."""
    from bitext.formats.convert.statistics import FileDescriptions, describe

    corpora, notes = _corpora(request)
    request.print_notes(notes)
    described = FileDescriptions(each=not request.total)
    with Progress("bisegments", quiet=request.quiet) as progress:
        for corpus in corpora:
            for entry in corpus.entries.values():
                entry.check(corpus.path)
                description = describe(
                    entry.path,
                    reading=request.reading_of(entry, request.base),
                    notes=described.notes,
                    on_part=progress.add,
                )
                described.add(description)
    return described


def _by_jobs(request: StatsRequest) -> tuple[FileDescriptions, Outcome]:
    """Describe the files by jobs, or add up the counts of shards."""
    from bitext.jobs.task import numbered
    from bitext.jobs.tasks import DescribeTask

    run, shown = request.split_options("stats")
    task = DescribeTask(each=not request.total, run=run, presentation=shown)
    corpora, task.corpus_notes = _corpora(request) if request.parts is None else ([], [])
    documents = numbered(
        (entry.name, (entry, corpus.path, reading), reading.files(entry.path))
        for corpus in corpora
        for entry in corpus.entries.values()
        for reading in [request.reading_of(entry, request.base)]
    )
    outcome = request.run_or_merge(documents, task, what="files described")
    if request.shard is None:
        refuse_all_failed(outcome.failures, outcome.output.number)
        request.print_notes(request.of_shards("notes", task.corpus_notes))
    return outcome.output, outcome
