"""`bitext diff`: the bisegments that only one of two files has."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from bitext.cli.algebra import SIDES, AlgebraRequest, Options, reading_options
from bitext.cli.common import (
    Parser,
    add_groups,
    add_output,
    check_page,
    deliver,
    print_notes,
    protected_outputs,
    refuse_folder,
    style_of,
)
from bitext.cli.console import Progress
from bitext.cli.job_options import (
    add_jobs,
    all_failed,
    collect_failures,
    finish_shard,
    print_failures,
    refuse_streams,
    refuse_unwritten,
    run_jobs,
    split_options,
    uses_jobs,
)
from bitext.cli.request import request_of
from bitext.errors import InputError, many

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitext.formats.corpora import Corpus, Entry
    from bitext.jobs import Failure, Outcome
    from bitext.jobs.algebra import Compared
    from bitext.jobs.operands import Group, Missing, Operand
    from bitext.reports.alignment.differences import DifferencePage

__all__ = ["DiffRequest", "diff", "run_diff"]

_COLUMNS = 60  # columns of the text of one side in tables for reading; set by hand
_SHOWN = ("file", "text", "bead", "type", "change", "src", "tgt", "source", "target")
_EPILOG = """\
Bisegments are compared as sets of segments; where the texts are cut in different ways, as sets of
the pieces of both. Two files that hold the texts of their bisegments alone, as memories do, are
compared by these texts, white space apart, unless their segments are the same; so are any two with
--by text.

Bisegments of both files that share segments make a change: moved (as many in both), split (more in
the second) or merged (fewer); added and missing have a counterpart in neither. With --by text they
are changed, added or missing. Of folders and manifests the files of the same names are compared.

exit status: 0 no differences, 1 differences, 2 not compared, or not all

examples:
  bitext diff old.tmx new.tmx
  bitext diff one.align two.align --src a.en --tgt a.fr --html diff.html
  bitext diff one/ two/ --src 'en/{name}.txt' --tgt 'fr/{name}.txt' --json -j 4
"""


class DiffRequest(AlgebraRequest):
    """The request of `bitext diff`; the fields are its options."""

    first_file: str
    second_file: str
    by: str | None = None

    def resolve(self) -> tuple[str, bool]:
        """Check options, paths and clashes before any work.

        Returns
        -------
        style : str
            The style of the table.
        by_jobs : bool
            Whether jobs do the work.

        """
        style = style_of(self)
        by_jobs = uses_jobs(self)
        refuse_unwritten(self)
        check_page(self, printed=self.json or self.format is not None)
        refuse_folder(self.html)
        files = self.first_file, self.second_file
        self.check(files, [self.src, self.tgt])
        if by_jobs and self.parts is None:
            refuse_streams([*files, self.src, self.tgt], self)
        return style, by_jobs

    def operand(self, number: int, name: str, entry: Entry, corpus: Corpus) -> Operand:
        """Return a file with the arguments of reading."""
        from bitext.jobs.operands import Operand

        del number
        texts = ("src", self.src), ("tgt", self.tgt)
        reading = self.reading(name, entry, corpus, texts, (self.src_lang, self.tgt_lang))
        return Operand(entry, corpus.path, reading)

    def groups(self) -> tuple[list[Group], list[Missing], list[str]]:
        """Find the files; return those to compare, the texts that one lacks, and notes."""
        from bitext.formats.corpora import refuse_lone_text
        from bitext.jobs.operands import corpora_of, grouped

        corpora = corpora_of((self.first_file, self.second_file), self.known)
        for corpus in corpora:
            refuse_lone_text(corpus, self.src, option="src")
            refuse_lone_text(corpus, self.tgt, option="tgt")
        groups, missing = grouped(corpora, self.operand)
        return groups, missing, [note for corpus in corpora for note in corpus.notes()]


def run_diff(arguments: Sequence[str]) -> int:
    """Compare two files of alignments; return 1 if they differ, 0 otherwise."""
    parser = Parser(
        prog="bitext diff",
        description="List the bisegments that only one of two files has.",
        epilog=_EPILOG,
    )
    parser.add_argument("first_file", metavar="FIRST", help="alignments, in any format")
    parser.add_argument("second_file", metavar="SECOND", help="others of the same texts")
    by = (
        "--by",
        {"choices": ("segments", "text")},
        (
            "compare segments, or the characters of bisegments (default: text for two memories, "
            "unless their segments are the same)"
        ),
    )
    page = ("--html", {"metavar": "FILE"}, "write a page with the differences, too")
    comparing: Options = [by, page]
    add_groups(parser, {"reading": reading_options(*SIDES), "comparing": comparing})
    add_output(parser)
    request = request_of(DiffRequest, add_jobs(parser), arguments)
    with protected_outputs(request):
        return diff(request)


def diff(request: DiffRequest) -> int:
    """Compare here or by jobs, or merge the results of shards; return the exit status."""
    style, by_jobs = request.resolve()
    failures: Sequence[Failure] = ()
    page = None
    if by_jobs:
        compared, missing, notes, outcome = _by_jobs(request)
        if request.shard is not None and request.parts is None:
            return finish_shard(outcome, request)
        failures = outcome.failures
        if failures and not compared.texts:
            raise all_failed(list(failures))
    else:
        groups, missing, notes = request.groups()
        if request.html is not None:
            page = _page(request)
        compared = _here(request, groups, page)
    for each in missing:
        compared.add_missing(each)
    if request.html is not None:
        from bitext.formats.io.output import write_whole

        if page is None:
            page = _page(request)
            _read_again(request, compared, page)
        with write_whole(request.html) as out:
            out.write(page.html(compared.changes, compared.common))
    print_notes([*notes, *map(str, compared.notes)], request)
    if not request.html == request.output == "-":
        deliver(_listed(compared, failures, style), request)
    print_notes([_summary(compared)], request)
    if print_failures(failures, request):
        return 2
    return 1 if compared.rows else 0


def _page(request: DiffRequest) -> DifferencePage:
    from bitext.reports.alignment.differences import DifferencePage
    from bitext.scoring.common import distinct_names

    files = request.first_file, request.second_file
    names = ["first", "second"] if files[0] == files[1] else [*distinct_names(files, ())]
    return DifferencePage(*names)


def _here(request: DiffRequest, groups: Sequence[Group], page: DifferencePage | None) -> Compared:
    """Compare the files one after another; show the progress in files."""
    from bitext.jobs.algebra import Compared, compare_group

    compared = Compared()
    progress = Progress("files", len(groups), quiet=request.quiet)
    try:
        for group in groups:
            on_text = None if page is None else page.add
            compared.include(compare_group(group, by=request.by, on_text=on_text))
            progress.add(1)
    finally:
        progress.end()
    return compared


def _by_jobs(request: DiffRequest) -> tuple[Compared, list[Missing], list[str], Outcome]:
    """Compare by jobs, or add up the results of shards."""
    from bitext.jobs import Outcome
    from bitext.jobs.algebra import DiffTask, group_documents
    from bitext.jobs.operands import Missing

    run, shown = split_options("diff", request)
    task = DiffTask(by=request.by, run=run, presentation=shown)
    if (parts := request.parts) is not None:
        outcome = Outcome()
        outcome.output = task.assemble(collect_failures(parts.results(), outcome.failures))
        for path, whole in zip(parts.paths, parts.wholes, strict=True):
            if whole != parts.wholes[0]:
                raise InputError(
                    f"{path}: saw other files than {parts.paths[0]}; run the shards over one corpus"
                )
        missing = [Missing(*each) for each in parts.wholes[0]["missing"]]
        return outcome.output, missing, parts.wholes[0]["notes"], outcome
    groups, task.missing, task.corpus_notes = request.groups()
    outcome = run_jobs(group_documents(groups), task, request, what="files")
    return outcome.output, task.missing, task.corpus_notes, outcome


def _read_again(request: DiffRequest, compared: Compared, page: DifferencePage) -> None:
    """Read the files with differences again, which jobs return as rows."""
    from bitext.jobs.algebra import compare_group

    groups, _, _ = request.groups()
    differing = set(compared.files)
    for group in groups:
        if group.name in differing:
            compare_group(group, by=request.by, on_text=page.add)


def _summary(compared: Compared) -> str:
    sizes = [sum(r.file == sign and r.bead is not None for r in compared.rows) for sign in "-+"]
    alone = f"{sizes[0]:,} in the first alone (-), {sizes[1]:,} in the second alone (+)"
    kinds = ", ".join(f"{count:,} {kind}" for kind, count in _counts(compared).items() if count)
    common = many(compared.common, "bisegment")
    return f"{common} in both, {alone}{f'; changes: {kinds}' * bool(kinds)}"


def _counts(compared: Compared) -> dict[str, int]:
    from bitext.jobs.algebra import CHANGES

    return {kind: compared.changes[kind] for kind in CHANGES if kind in compared.changes}


def _listed(compared: Compared, failures: Sequence[Failure], style: str) -> str:
    from bitext.jobs.algebra import Difference
    from bitext.reports.table import Table, printable
    from bitext.reports.terminal import shortened

    rows = compared.rows
    if style == "json":
        document: dict[str, Any] = {
            "schema": "bitext.diff/1",
            "common": compared.common,
            "first_alone": sum(row.file == "-" and row.bead is not None for row in rows),
            "second_alone": sum(row.file == "+" and row.bead is not None for row in rows),
            "changes": _counts(compared),
            "rows": [row._asdict() for row in rows],
            "failed": [{"text": each.name, "reason": each.reason} for each in failures],
        }
        return json.dumps(document, ensure_ascii=False) + "\n"
    if not rows and style == "table":
        return "no differences\n"
    table = Table(list(_SHOWN if style == "table" else Difference._fields))
    for row in rows:
        values = (getattr(row, name) for name in table.head)
        cells = [
            "" if value is None else printable(" ".join(str(value).split())) for value in values
        ]
        if style == "table":
            cells[-2:] = [shortened(cell, _COLUMNS) for cell in cells[-2:]]
        table.rows.append(cells)
    return table.render(style)
