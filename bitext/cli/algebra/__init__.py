"""`bitext combine`, `compose`, `diff` and `sample`: the algebra of alignments in files.

This module has `sample`, `diff`, and the parts that these commands share with `bitext join`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from bitext.cli.common import (
    BASE,
    COLUMNS,
    DRAFTS,
    ENCODING,
    FROM,
    LIMITS,
    ROOT,
    WHERE,
    Parser,
    add_output,
    is_output_folder,
    json_line,
    notes_on_repeated,
    output_in,
    refuse_output_clashes,
    write_file,
)
from bitext.cli.console import Progress
from bitext.cli.job_options import add_jobs, merged_outcome, refuse_all_failed
from bitext.cli.leftovers import notes_on_leftovers
from bitext.cli.option_tables import add_groups, option_of, options_of, whole_number
from bitext.cli.request import JobRequest, request_of
from bitext.errors import InputError, OptionError, many

if TYPE_CHECKING:
    from pathlib import Path

    from bitext.formats.corpora import Corpus, Entry
    from bitext.formats.io.source import Notes
    from bitext.formats.reading import FileOptions
    from bitext.formats.registry import Format
    from bitext.jobs import Failure, Outcome
    from bitext.jobs.algebra import Compared
    from bitext.jobs.operands import Group, Missing, Operand
    from bitext.model import Bitext
    from bitext.reports.alignment.excerpts import DifferencePage

Options = list[tuple[str, dict[str, Any], str]]

SIDES = ("src", "source"), ("tgt", "target")
WRITING = options_of("""
    -o --output OUT  the output (default: standard output)
    --to FORMAT  the format of OUT (default: from its name)
    -q --quiet  no notes
    -v --verbose  every note, not a few
""")


def reading_options(*texts: tuple[str, str]) -> Options:
    """Return the options about reading, with the names of the texts and of their languages."""
    options: Options = [FROM]
    for name, called in texts:
        text = (
            f"the {called} text, if the files hold ids or positions: a file, a folder, or a "
            f"pattern with {{name}}"
        )
        options.append(option_of(f"--{name} TEXT", text))
    options.append(ROOT)
    for name, called in texts:
        text = f"the {called} language, of several"
        options.append(option_of(f"--{name}-lang CODE", text))
    return [*options, *COLUMNS, ENCODING, BASE, *LIMITS, *WHERE, *DRAFTS]


class AlgebraRequest(JobRequest):
    """The options that the commands of the algebra share."""

    base: int | None = None  # the number from which positions count
    to: str | None = None  # the name of the format of the output

    def check_files(self, files: Sequence[str], beside: Iterable[str | None]) -> None:
        """Check paths and options about reading before any work."""
        if not self.output:
            raise OptionError("-o names no file: want a name, or - for standard output")
        if "" in files:
            raise InputError("a name is empty: name a file, a folder, or -")
        super().check_files(files, beside)

    def format_to_write(self) -> Format:
        """Return the format of the output."""
        from bitext.formats.writing import writable

        if self.output == "-" and self.to is None:
            raise OptionError("name what to write (-o OUT), or its format (--to jsonl)")
        if self.to is None and is_output_folder(self.output):
            raise OptionError(
                f"-o {self.output}: is a folder: name the format of its files (--to jsonl)"
            )
        return writable(self.output, self.to)

    def reading(
        self,
        name: str,
        entry: Entry,
        corpus: Corpus,
        texts: Sequence[tuple[str, str | None]],
        langs: tuple[str, str],
    ) -> FileOptions:
        """Collect the options for reading a file of the text `name`, an entry of a corpus.

        `texts` are the names and values of the options of the source text and of the target text;
        `langs` are the languages to read.
        """
        from bitext.formats.corpora import find_text

        src, tgt = (find_text(given, name, option=option) for option, given in texts)
        return replace(
            self.file_options(),
            src=entry.src or src,
            tgt=entry.tgt or tgt,
            name="" if corpus.kind == "file" else name,
            src_lang=langs[0],
            tgt_lang=langs[1],
            base=self.base,
        )


class GroupedRequest(AlgebraRequest, ABC):
    """The options of commands that take files of the same texts together, by their names."""

    @property
    @abstractmethod
    def operands(self) -> tuple[str, ...]:
        """The files, folders or manifests."""

    def operand(self, number: int, name: str, entry: Entry, corpus: Corpus) -> Operand:
        """Return a file of the operand `number` with the arguments of reading."""
        from bitext.jobs.operands import Operand

        del number
        texts = ("src", self.src), ("tgt", self.tgt)
        reading = self.reading(name, entry, corpus, texts, self.languages)
        return Operand(entry, corpus.path, reading)

    def check_texts(self, corpora: Sequence[Corpus]) -> None:
        """Refuse a single text for several files."""
        from bitext.formats.corpora import refuse_lone_texts

        refuse_lone_texts(corpora, self.src, self.tgt)

    def groups(self) -> tuple[list[Group], list[Missing], list[str]]:
        """Find the files; return those of each name, the texts that some lack, and notes."""
        from bitext.jobs.operands import corpora_of, grouped

        corpora = corpora_of(self.operands, self.file_options())
        self.check_texts(corpora)
        groups, missing = grouped(corpora, self.operand)
        return groups, missing, [note for corpus in corpora for note in corpus.notes()]


# sample


_SAMPLE_EPILOG = """\
FILE is a file, a folder or a manifest; from several files, N bisegments are drawn from all
together, or N from each with --each. OUT is a file, or with --each a folder (an existing one, or a
name that ends with /) with a file of the same name for each.

The files are read once, with memory for about twice the sample. The same seed draws the same
bisegments from the same files. They are written in the order of the files, without the sentences
around them.

examples:
  bitext sample memory.tmx -n 500 --src-lang en --tgt-lang fr -o sample.tsv
  bitext sample corpus.tsv.gz -n 20 --seed 7 --to tsv
  bitext sample corpus.tsv.gz -n 20 --first --to tsv
  bitext sample corpus/ -n 100 --each --to tsv -o samples/
"""


class SampleRequest(AlgebraRequest):
    """The request of `bitext sample`; the fields are its options."""

    files: tuple[str, ...]
    size: str
    seed: str = "0"
    take_first: bool = False
    each: bool = False

    def resolve(self) -> tuple[int, int, Format]:
        """Check options and paths before any work; return the size, the seed and the format."""
        size, seed = whole_number(self.size), whole_number(self.seed)
        if not size:
            raise OptionError(f"-n {self.size!r:.40}: want a whole number from 1 on")
        if seed is None:
            raise OptionError(f"--seed {self.seed!r:.40}: want a whole number from 0 on")
        if self.take_first and self.seed != "0":
            raise OptionError("--seed draws at random, and --first does not: give one")
        self.check_files(self.files, [self.src, self.tgt])
        known = self.format_to_write()
        if known.holds != "text":
            raise OptionError(
                f"-o {self.output}: {known.name} has {known.holds}, which mean nothing without the "
                f"segments around a sample: name a format with texts, as --to jsonl"
            )
        if is_output_folder(self.output) and not self.each:
            raise OptionError(
                f"-o {self.output}: is a folder, and the sample of all files is one file: name a "
                f"file, or draw from each (--each)"
            )
        return size, seed, known


def run_sample(arguments: Sequence[str]) -> int:
    """Write a random sample of the bisegments of files, or the first ones; return the status."""
    parser = Parser(
        prog="bitext sample",
        description="Draw bisegments at random, or take the first ones.",
        epilog=_SAMPLE_EPILOG,
    )
    help_text = "alignments, in any format, or -; a folder, or a manifest"
    parser.add_argument("files", metavar="FILE", nargs="+", help=help_text)
    choosing: Options = [
        option_of("-n --size N", "the number of bisegments", required=True),
        *options_of("""
            --each  N from each file, not N from all together
            --seed N  the seed of the random numbers (0)
            --first (take_first)  take the first N, and read no further
        """),
    ]
    reading = reading_options(*SIDES)
    add_groups(parser, {"reading": reading, "choosing": choosing, "writing": WRITING})
    request = request_of(SampleRequest, parser, arguments)
    size, seed, known = request.resolve()
    with request.protected_outputs():
        _sample(request, size, seed, known)
    return 0


def _sample(request: SampleRequest, size: int, seed: int, known: Format) -> None:
    from bitext.formats.io.remote import make_folder_of, remove_empty
    from bitext.formats.io.source import Notes

    files = _files(request)
    outputs = _sample_outputs(request, files, known)
    folders: list[Path] = []
    notes, losses = Notes(), Notes()
    numbers: list[int] = []
    with ExitStack() as stack:
        stack.callback(remove_empty, folders)
        progress = stack.enter_context(Progress("bisegments", quiet=request.quiet))
        made: list[Bitext] = []
        groups = [[each] for each in files] if request.each else [files]
        for k, group in enumerate(groups):
            bitexts = _watched(_read(request, group, notes, has_several=len(files) > 1), progress)
            drawn = _drawn(bitexts, request, size, seed)
            numbers.append(sum(len(bitext.alignment) for bitext in drawn))
            if outputs:
                folders += make_folder_of(outputs[k].partition(",")[0])
                request.write_bitexts(drawn, outputs[k], known, losses, notes)
            else:
                made += drawn
        progress.end()
        request.print_notes([_summary(numbers, size)])
        if not outputs:
            request.write_bitexts(made, request.output, known, losses, notes)
    request.print_notes(f"lost: {note}" for note in losses)
    request.print_notes(map(str, notes))


def _summary(numbers: Sequence[int], size: int) -> str:
    total = f"{many(sum(numbers), 'bisegment')}"
    if len(numbers) == 1:
        return total + (f", all that there are of {size:,}" if numbers[0] < size else "")
    fewer = sum(number < size for number in numbers)
    less = f", {fewer:,} of which have fewer than {size:,}" if fewer else ""
    return f"{total} of {len(numbers):,} files{less}"


def _files(request: SampleRequest) -> list[tuple[Corpus, Entry]]:
    from bitext.formats.corpora import refuse_lone_texts

    request.print_notes(notes_on_repeated(request.files, "read"))
    corpora = list(map(request.corpus, request.files))
    for corpus in corpora:
        request.print_notes(corpus.notes())
    refuse_lone_texts(corpora, request.src, request.tgt)
    return [(corpus, entry) for corpus in corpora for entry in corpus.entries.values()]


def _sample_outputs(
    request: SampleRequest, files: Sequence[tuple[Corpus, Entry]], known: Format
) -> list[str]:
    """Return the file to write for each file; an empty list for one file for all."""
    if not is_output_folder(request.output):
        return []
    langs = request.languages
    outputs = [output_in(request.output, entry.name, known, langs) for _, entry in files]
    paths = [entry.path for _, entry in files]
    pairs = zip(paths, outputs, strict=True)
    refuse_output_clashes(pairs, request.files, paths, verb="sample")
    request.print_notes(notes_on_leftovers(request, outputs, request.files, known))
    return outputs


def _read(
    request: SampleRequest,
    files: Iterable[tuple[Corpus, Entry]],
    notes: Notes,
    *,
    has_several: bool,
) -> Iterator[Bitext]:
    from bitext.formats.reading import opened

    texts = ("src", request.src), ("tgt", request.tgt)
    for corpus, entry in files:
        entry.check(corpus.path)
        reading = request.reading(entry.name, entry, corpus, texts, request.languages)
        if has_several:
            reading = replace(reading, name=entry.name)
        with opened(entry.path, replace(reading, parts=True)) as file:
            yield from file.noted(notes)


def _watched(bitexts: Iterable[Bitext], progress: Progress) -> Iterator[Bitext]:
    for bitext in bitexts:
        yield bitext
        progress.add(len(bitext.alignment))


def _drawn(bitexts: Iterable[Bitext], request: SampleRequest, size: int, seed: int) -> list[Bitext]:
    from bitext.model.algebra import head, sample

    return [*head(bitexts, size)] if request.take_first else sample(bitexts, size, seed=seed)


# `bitext diff`: the bisegments that only one of two files has.


_COLUMNS = 60  # columns of the text of one side in tables for reading; set by hand
_SHOWN = ("file", "text", "bead", "type", "change", "src", "tgt", "source", "target")
_EPILOG = """\
Bisegments are compared as sets of segments, or, if the texts are cut into different segments, as
sets of the common pieces. Two files with the texts of their bisegments alone, such as memories, are
compared by these texts, apart from white space, unless their segments are the same. With --by text
all files are compared by their texts.

Bisegments of both files that share segments are a change: moved (equal numbers in both), split
(more in the second) or merged (fewer); added and missing bisegments have no counterpart. With --by
text a change is changed, added or missing. In folders and manifests the files of the same names are
compared.

exit status: 0 no differences, 1 differences, 2 not compared, or not all

examples:
  bitext diff old.tmx new.tmx
  bitext diff one.align two.align --src a.en --tgt a.fr --html diff.html
  bitext diff one/ two/ --src 'en/{name}.txt' --tgt 'fr/{name}.txt' --json -j 4
"""


class DiffRequest(GroupedRequest):
    """The request of `bitext diff`; the fields are its options."""

    first_file: str
    second_file: str
    by: str | None = None

    @property
    def operands(self) -> tuple[str, ...]:
        """The files, folders or manifests."""
        return self.first_file, self.second_file


def run_diff(arguments: Sequence[str]) -> int:
    """Compare two files of alignments; return 1 if they differ, 0 otherwise."""
    parser = Parser(
        prog="bitext diff",
        description="List the bisegments that only one of two files has.",
        epilog=_EPILOG,
    )
    parser.add_argument("first_file", metavar="FIRST", help="alignments, in any format")
    parser.add_argument("second_file", metavar="SECOND", help="others of the same texts")
    by = option_of(
        "--by",
        "compare segments, or the characters of bisegments (default: text for two memories, "
        "unless their segments are the same)",
        choices=("segments", "text"),
    )
    page = option_of("--html FILE", "also write a page with the differences")
    comparing: Options = [by, page]
    add_groups(parser, {"reading": reading_options(*SIDES), "comparing": comparing})
    add_output(parser)
    request = request_of(DiffRequest, add_jobs(parser), arguments)
    with request.protected_outputs():
        return diff(request)


def diff(request: DiffRequest) -> int:
    """Compare here or by jobs, or merge the results of shards; return the exit status."""
    style, by_jobs = request.check_table(request.operands)
    failures: Sequence[Failure] = ()
    page = None
    if by_jobs:
        compared, missing, notes, outcome = _by_jobs(request)
        if request.shard is not None:
            return request.finish_shard(outcome)
        failures = outcome.failures
        refuse_all_failed(failures, compared.texts)
    else:
        groups, missing, notes = request.groups()
        if request.html is not None:
            page = _page(request)
        compared = _here(request, groups, page)
    for each in missing:
        compared.add_missing(each)
    if request.html is not None:
        if page is None:
            page = _page(request)
            _read_again(request, compared, page)
        write_file(request.html, page.html(compared.changes, compared.common))
    request.print_notes([*notes, *map(str, compared.notes)])
    if not request.html == request.output == "-":
        request.deliver(_listed(compared, failures, style))
    request.print_notes([_difference_summary(compared), *_exchange_notes(compared)])
    if request.print_failures(failures):
        return 2
    return 1 if compared.rows else 0


def _page(request: DiffRequest) -> DifferencePage:
    from bitext.reports.alignment.excerpts import DifferencePage
    from bitext.scoring.common import distinct_names

    files = request.operands
    names = ["first", "second"] if files[0] == files[1] else [*distinct_names(files, ())]
    return DifferencePage(*names)


def _here(request: DiffRequest, groups: Sequence[Group], page: DifferencePage | None) -> Compared:
    """Compare the files one after another; show the progress in files."""
    from bitext.jobs.algebra import Compared, compare_group

    compared = Compared()
    with Progress("files", len(groups), quiet=request.quiet) as progress:
        for group in groups:
            on_text = None if page is None else page.add
            compared.include(compare_group(group, by=request.by, on_text=on_text))
            progress.add(1)
    return compared


def _by_jobs(request: DiffRequest) -> tuple[Compared, list[Missing], list[str], Outcome]:
    """Compare by jobs, or add up the results of shards."""
    from bitext.jobs.algebra import DiffTask
    from bitext.jobs.operands import Missing
    from bitext.jobs.task import numbered

    run, shown = request.split_options("diff")
    task = DiffTask(by=request.by, run=run, presentation=shown)
    if (parts := request.parts) is not None:
        outcome = merged_outcome(task, parts)
        for path, head in zip(parts.paths, parts.wholes, strict=True):
            if head != parts.wholes[0]:
                raise InputError(
                    f"{path}: read other files than {parts.paths[0]}; run the shards over one "
                    f"corpus"
                )
        missing = [Missing(*each) for each in parts.wholes[0]["missing"]]
        return outcome.output, missing, parts.wholes[0]["notes"], outcome
    groups, task.missing, task.corpus_notes = request.groups()
    documents = numbered((group.name, group, group.files()) for group in groups)
    outcome = request.run_jobs(documents, task, what="files")
    return outcome.output, task.missing, task.corpus_notes, outcome


def _read_again(request: DiffRequest, compared: Compared, page: DifferencePage) -> None:
    """Read the files with differences again, which jobs return as rows."""
    from bitext.jobs.algebra import compare_group

    groups, _, _ = request.groups()
    differing = set(compared.files)
    for group in groups:
        if group.name in differing:
            compare_group(group, by=request.by, on_text=page.add)


def _difference_summary(compared: Compared) -> str:
    sizes = [sum(r.file == sign and r.bead is not None for r in compared.rows) for sign in "-+"]
    one_sided = f"{sizes[0]:,} in the first alone (-), {sizes[1]:,} in the second alone (+)"
    kinds = ", ".join(f"{count:,} {kind}" for kind, count in _counts(compared).items() if count)
    common = many(compared.common, "bisegment")
    return f"{common} in both, {one_sided}{f'; changes: {kinds}' * bool(kinds)}"


def _exchange_notes(compared: Compared) -> list[str]:
    """Return a note if most bisegments of one file are in the other with their sides exchanged."""
    first, second = (
        {(r.source, r.target) for r in compared.rows if r.file == sign and r.source and r.target}
        for sign in "-+"
    )
    exchanged = sum((target, source) in second for source, target in first if source != target)
    if exchanged <= max(compared.common, len(first) // 2):
        return []
    noun = many(exchanged, "bisegment")
    return [
        f"{noun} of both, with their sides exchanged: exchange one file (bitext convert --swap)"
    ]


def _counts(compared: Compared) -> dict[str, int]:
    from bitext.jobs.algebra import CHANGES

    return {kind: compared.changes[kind] for kind in CHANGES if kind in compared.changes}


def _listed(compared: Compared, failures: Sequence[Failure], style: str) -> str:
    from bitext.jobs.algebra import Difference
    from bitext.reports.lettering import shortened
    from bitext.reports.table import Table, printable

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
        return json_line(document)
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
