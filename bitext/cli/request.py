"""Requests: the frozen values into which commands parse their arguments.

Each command derives its own request from these classes: one field an option, with the name that
argparse gives the option. `request_of` fills the fields, and `resolve()` of the command checks them
before any work. A field without an option in the command keeps its default. What all commands do
with their options are methods of these classes: checks of outputs and of reading, results, notes,
and jobs.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from importlib import import_module
from math import nan
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar, dataclass_transform

from bitext.cli.common import (
    FIGURES,
    MOST_DECIMALS,
    as_csv,
    ending_of,
    json_line,
    refuse_folder,
    style_of_name,
    write_file,
)
from bitext.cli.console import Progress, write_err, write_out
from bitext.cli.job_options import merged_outcome
from bitext.cli.option_tables import whole_number
from bitext.errors import InputError, OptionError, import_extra, many, masked
from bitext.paths import is_file, is_folder, is_there, no_folder, why_unwritable

if TYPE_CHECKING:
    import argparse

    from bitext.formats.columns import Columns
    from bitext.formats.corpora import Corpus, Entry
    from bitext.formats.io.compression import Limits
    from bitext.formats.io.source import Notes
    from bitext.formats.reading import FileOptions
    from bitext.formats.registry import BookOptions, Format
    from bitext.jobs import Document, Failure, Outcome, Shard, Task
    from bitext.jobs.journal import Parts
    from bitext.metrics.evaluation import Sampling
    from bitext.model import Bitext
    from bitext.reports.table import Look
    from bitext.scoring.common import EvaluationResults

Value = TypeVar("Value")


@dataclass_transform(kw_only_default=True, frozen_default=True)
class FrozenOptions:
    """A frozen value whose fields are the annotations of its class, given by keyword.

    Type checkers see a frozen dataclass. The decorator of dataclasses would compile six methods for
    each class at every start of a command, which is a tenth of the time of `score --help`.

    Raises `TypeError` when a field without a default is missing, or an argument is not a field, and
    `AttributeError` when a field is set later.
    """

    fields: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        own_fields = [
            name for name, kind in cls.__annotations__.items() if "ClassVar" not in str(kind)
        ]
        inherited = [name for base in cls.__bases__ for name in getattr(base, "fields", ())]
        cls.fields = tuple(dict.fromkeys((*inherited, *own_fields)))

    def __init__(self, **values: Any) -> None:
        kind = type(self)
        unknown = [name for name in values if name not in kind.fields]
        missing = [name for name in kind.fields if name not in values and not hasattr(kind, name)]
        if unknown or missing:
            raise TypeError(f"{kind.__name__}: unknown {unknown}, missing {missing}")
        vars(self).update(values)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen: {name} cannot be set")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen: {name} cannot be deleted")

    def __repr__(self) -> str:
        values = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.fields)
        return f"{type(self).__name__}({values})"

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in self.fields)

    def __hash__(self) -> int:
        return hash(tuple(getattr(self, name) for name in self.fields))

    def value(self, kind: type[Value], **others: Any) -> Value:
        """Return a dataclass made of the options with the names of its fields, and of `others`.

        Raises `AttributeError` when a field is neither an option nor among the others.
        """
        names = vars(kind)["__dataclass_fields__"]
        return kind(**{name: getattr(self, name) for name in names if name not in others}, **others)

    def replaced(self, **values: Any) -> Self:
        """Return a copy with some fields set to other values."""
        return type(self)(**{**vars(self), **values})


_FIELDS = {"-o": "output", "--from": "known"}  # of options with another name


class OutputRequest(FrozenOptions):
    """The options about output."""

    draws: ClassVar[bool] = False  # whether the command draws figures
    output: str = "-"  # the file to write; `-` is standard output
    html: str | None = None  # the HTML file of a page, written beside other output
    json: bool = False  # whether output is one JSON document
    # The style of tables; `None`: from the name of the file, or from standard output.
    format: str | None = None
    digits: int | None = None  # the decimals of figures in tables for readers; `None`: four
    no_intervals: bool = False  # whether tables for readers, and figures, leave out the intervals
    quiet: bool = False  # whether notes and progress are not printed
    verbose: bool = False  # whether all notes are printed, not the first few
    offered: tuple[str, ...] = ()  # the options of the command, in the order of its parser

    @property
    def outputs(self) -> tuple[str | None, ...]:
        """The values of the options that name files to write."""
        return self.output, self.html

    @property
    def look(self) -> Look:
        """How figures are shown to readers."""
        from bitext.reports.table import Look

        shown = Look(intervals=not self.no_intervals)
        return shown if self.digits is None else shown._replace(digits=self.digits)

    def given(self, *options: str) -> list[str]:
        """List the options, such as `--per-text`, whose values differ from their defaults."""
        names = {option: _FIELDS.get(option, option[2:].replace("-", "_")) for option in options}
        values = {option: getattr(self, name) for option, name in names.items()}
        usual = {option: getattr(type(self), name) for option, name in names.items()}
        return [
            option
            for option, value in values.items()
            if value != usual[option] and value == value  # noqa: PLR0124 - a value that is no `nan`
        ]

    def refuse(self, options: str, message: str) -> None:
        """Refuse the first given option of some, with blanks between; OPTION in the message is it.

        Raises `OptionError`.
        """
        for option in self.given(*options.split()):
            raise OptionError(message.replace("OPTION", option))

    def refuse_both(self, first: str, second: str) -> None:
        """Refuse two options, if both are given. Raises `OptionError`."""
        if len(self.given(first, second)) == 2:
            raise OptionError(f"{first} and {second} exclude each other: give one")

    def refuse_below(self, **minima: int) -> None:
        """Refuse options whose numbers are below their minima. Raises `OptionError`."""
        for name, least in minima.items():
            number = getattr(self, name)
            if number is not None and number < least:
                raise OptionError(f"--{name.replace('_', '-')} {number}: want {least} or more")

    def options(self) -> dict[str, Any]:
        """Return the options of the command by name."""
        return {name: getattr(self, name) for name in self.offered}

    def with_options_of_align(self, note: str) -> str:
        """Name the command of options in a note of `bitext align` that this command has not."""
        offered = {name.replace("_", "-") for name in self.offered}
        offered |= {option[2:] for option, name in _FIELDS.items() if name in self.offered}
        offered |= {"no-head"} & {f"no-{name}" for name in offered}
        return re.sub(
            r"(?<![\w/'-])--([a-z][a-z-]*[a-z])",
            lambda option: option[0] + " of bitext align" * (option[1] not in offered),
            note,
        )

    def style(self) -> str:
        """Return the style of tables, or `json`, from the options, else from the kind of output.

        The style of CSV is `tsv`, as `deliver` writes one for the other.
        """
        self._check_place()
        if self.digits is not None and not 0 <= self.digits <= MOST_DECIMALS:
            raise OptionError(f"--digits {self.digits}: want 0 to {MOST_DECIMALS}")
        style = self._style_given()
        if style in FIGURES:
            if self.digits is not None:
                raise OptionError("--digits is for tables, and a figure is drawn: leave one out")
            import_extra("matplotlib", what="drawing figures", extra="figures")
        given = ["--digits"] * (self.digits is not None) + ["--no-intervals"] * self.no_intervals
        if given and style in {"tsv", "json"}:
            name = "csv" if self.writes_csv() else style
            raise OptionError(
                f"{given[0]} is for reading, and {name} has every figure with all its digits: give "
                f"--format table, markdown or latex, or leave {given[0]} out"
            )
        return style

    def _style_given(self) -> str:
        self.refuse_both("--json", "--format")
        if self.json:
            return "json"
        if self.format:
            return "tsv" if self.format == "csv" else self.format
        if self.output != "-":
            page = "html" in self.offered
            return style_of_name(self.output, page=page, figure=self.draws)
        reads = self.digits is not None or self.no_intervals
        return "table" if sys.stdout.isatty() or reads else "tsv"

    def writes_csv(self) -> bool:
        """Check whether the tables are wanted as CSV."""
        if self.json or self.format:
            return self.format == "csv"
        return ending_of(self.output) == ".csv"

    def _check_place(self) -> None:
        """Refuse an empty name of the output, and a closed standard output."""
        if not self.output:
            raise OptionError("-o names no file: want a name, or - for standard output")
        if self.output == "-" and sys.stdout is None:
            raise InputError("standard output is closed: open it, or name a file (-o FILE)")

    def check_page(self, *, printed: bool = False, one_file: bool = False) -> None:
        """Refuse a page (--html) without a file or stream of its own, or named as another format.

        A page on standard output takes the place of tables; `printed` is true if the command has
        further output there, and `one_file` if there is no folder of pages.
        """
        if self.html is None:
            return
        if not self.html:
            raise OptionError("--html names no file: want a name, or - for standard output")
        printed = printed or bool(self.given("--json", "--format"))
        if self.html == self.output == "-" and printed:
            raise OptionError("--html - takes standard output: name a file for one of the two")
        if self.html == self.output != "-":
            raise OptionError(f"-o and --html both name {self.html}: give each a file of its own")
        self._check_page_name()
        if one_file:
            refuse_folder(self.html)

    def _check_page_name(self) -> None:
        """Refuse a page (--html) whose name is that of a format in which it is not written."""
        page = self.html
        if not page or page.endswith(("/", os.sep)) or self._is_named_twice(page):
            return
        from bitext.formats.registry import by_suffix

        known = by_suffix(page)
        if known is not None and known.name != "book-html":
            raise OptionError(
                f"--html {page}: has the name of {known.name}, and is written as HTML: want a name "
                f"that ends with .html"
            )
        from bitext.reports.pages import refuse_other_ending

        refuse_other_ending(page)

    def _is_named_twice(self, page: str) -> bool:
        """Check for another option or argument that names the page; `refuse_inputs` reports it."""
        given = [value for name, value in vars(self).items() if name != "html"]
        named = [
            one for value in given for one in (value if isinstance(value, tuple) else (value,))
        ]
        return any(
            Path(one).absolute() == Path(page).absolute() for one in named if isinstance(one, str)
        )

    def refuse_inputs(
        self, inputs: Iterable[str | None], beside: Iterable[str | None] = ()
    ) -> None:
        """Refuse outputs (-o, --html, --store, --report) that are inputs, or would be next time.

        Of a folder in `inputs` all files count as read; of one in `beside`, those that an input
        names.
        """
        files, read = self._files_to_write(), [name for name in inputs if name]
        page = self.html
        if page is not None and "://" in page and page not in files:
            raise OptionError(f"--html {page}: folders of pages are written here: name one")
        folders = [name for name in read if name != "-" and is_folder(name)]
        if not files and not folders:
            return
        from bitext.formats.io.output import refuse_clashes
        from bitext.formats.io.remote import two_files

        for place in files:
            for file in two_files(place) or (place,):
                if "://" in file:
                    continue
                if why := why_unwritable(file):
                    raise InputError(f"{file}: cannot be written: {why}")
                if place == self.output and not is_there(folder := Path(file).parent):
                    raise no_folder(file, folder)

        names = {name for name in (*read, *beside) if name and name != "-"}

        # A page may be a folder; `check_jobs` compares the journal with the other outputs.
        journal = self.journal if isinstance(self, JobRequest) else None
        outside = filter(None, (page, journal))
        refuse_clashes(names, files, folders=folders, outside=outside)

    @contextmanager
    def protected_outputs(self) -> Iterator[None]:
        """Refuse to open an output (-o, --html, --store, ...) as an input within the context.

        Documents that a file names, and files of folders, are not known before they are opened.
        Named pipes may be opened again once their head was examined.
        """
        from bitext.formats.io.output import protect_outputs
        from bitext.formats.io.source import held_pipes

        with protect_outputs(self._files_to_write()), held_pipes():
            yield

    def _files_to_write(self) -> list[str]:
        """Return the single files to write; folders are checked when they are made."""
        named = [place for place in self.outputs if place and place != "-"]
        return [place for place in named if not place.endswith("/") and not is_folder(place)]

    def deliver(self, text: str | Iterable[str]) -> None:
        """Print a result, given whole or in parts, or write it to the output file."""
        self._check_place()
        parts = [text] if isinstance(text, str) else text
        # Commands with both options print tables; lines of other commands are no cells.
        if {"json", "format"}.issubset(self.offered) and self.writes_csv():
            parts = as_csv(parts)
        if self.output == "-":
            write_out(parts)
            return
        write_file(self.output, parts)

    def deliver_json(self, document: Any, **options: Any) -> None:
        """Print one JSON document, or write it to the output file; options as of `json_line`."""
        self.deliver(json_line(document, **options))

    def refuse_undrawn(self, style: str, *options: str) -> None:
        """Refuse options whose results a figure does not show.

        The options of shards that are merged cannot be left out. Raises `OptionError`.
        """
        merged = isinstance(self, JobRequest) and self.parts is not None
        for option in self.given("--pairs", *options):
            if style not in FIGURES or merged:
                return
            raise OptionError(
                f"{option} is for tables, and -o {self.output} is a figure ({style}) of the "
                f"averages: leave {option} out"
            )

    def show_results(self, results: EvaluationResults, style: str, *, per_text: bool) -> None:
        """Print results, or write them to the output file: as a figure, as JSON, or as tables.

        A page on standard output takes their place.
        """
        if style in FIGURES:
            results.save_figure(self.output, intervals=not self.no_intervals)
        elif not self.html == self.output == "-":
            self.deliver(
                results.json_parts()
                if style == "json"
                else "\n".join(results.parts(style, results.averages, self.look, per_text=per_text))
            )

    def print_notes(self, lines: Iterable[str], *, most: int = 5, failed: bool = False) -> None:
        """Print the first notes on standard error, or all with --verbose.

        With --quiet none are printed, unless they are failures (`failed`).
        """
        if (self.quiet and not failed) or sys.stderr is None:
            return
        from bitext.reports.table import printable

        notes = [masked(line) for line in lines]
        shown = notes if self.verbose else notes[:most]
        for line in shown:
            write_err(f"note: {printable(line)}\n")
        if len(notes) > len(shown):
            write_err(f"note: and {len(notes) - len(shown)} more (--verbose)\n")


class ReadingRequest(OutputRequest):
    """The options about reading files of alignments, and about output."""

    # `src`, `tgt`: the texts, for formats that hold ids or positions only.
    src: str | None = None
    tgt: str | None = None
    root: tuple[str, ...] = ()  # the folders of the documents that a file names
    # `src_lang`, `tgt_lang`: the languages to read, in a file with more than two.
    src_lang: str = ""
    tgt_lang: str = ""
    known: str | None = None  # the name of the format (`--from`); `None`: from the contents
    encoding: str = "utf-8"  # the encoding of files without a declaration
    columns: str | None = None  # the columns of a table with the texts
    head: bool | None = None  # whether the first line of a table is a header
    # The conditions on columns that bisegments have to meet, all of them.
    where: tuple[str, ...] = ()
    drafts: bool = False  # whether draft targets, as of state `fuzzy`, are read as translations
    # How many bytes a compressed byte may unfold to, once a file has unfolded to `unpacked_size`.
    unpacked_ratio: float = 200.0
    unpacked_size: int = 128  # megabytes that a compressed file may always unfold to
    title: str = ""  # the title of a book that is written
    # `first`, `rows`: the first side of a book, and the unit of its rows; `None`: by default.
    first: str | None = None
    rows: str | None = None
    font: tuple[str, ...] = ()  # the fonts of a book in PDF

    def book_options(self, known: Format) -> BookOptions:
        """Return the options of a book; refuse them for another format.

        Raises `OptionError` naming the option.
        """
        from bitext.formats.registry import BookOptions

        return BookOptions.of(
            known, title=self.title, first=self.first, rows=self.rows, fonts=self.font
        )

    @property
    def languages(self) -> tuple[str, str]:
        """The languages to read, or to write; empty where they are not named."""
        return self.src_lang, self.tgt_lang

    def write_bitexts(
        self, bitexts: Iterable[Bitext], output: str, known: Format, losses: Notes, notes: Notes
    ) -> None:
        """Write bitexts to a file, in the languages of the options or of the names of the texts.

        `losses` and `notes` take the notes of writing.
        """
        from bitext.formats.registry import WriteOptions
        from bitext.formats.writing import deliver

        options = WriteOptions(
            src_lang=self.src_lang, tgt_lang=self.tgt_lang, book=self.book_options(known)
        )
        deliver(
            bitexts,
            output,
            known,
            options=options,
            losses=losses,
            notes=notes,
            infers_languages=True,
        )

    def limits(self) -> Limits:
        """Return the limits of compressed files."""
        from bitext.formats.io.compression import Limits

        return Limits(ratio=self.unpacked_ratio, size=self.unpacked_size << 20)

    def table_columns(self) -> Columns:
        """Return the columns of tables that `--columns` and `--head` name."""
        from bitext.formats.columns import Columns

        return Columns.of(self.columns, self.head)

    def file_options(self) -> FileOptions:
        """Collect the options for reading files, the same for all of them; without their texts."""
        from bitext.formats.reading import FileOptions

        return FileOptions(
            format=self.known,
            encoding=self.encoding,
            roots=self.root,
            src_lang=self.src_lang,
            tgt_lang=self.tgt_lang,
            where=self.where,
            drafts=self.drafts,
            columns=self.table_columns(),
            limits=self.limits(),
        )

    def corpus(self, path: str) -> Corpus:
        """Find the files of alignments under a path, as `--from` and the languages say."""
        from bitext.formats.corpora import open_corpus
        from bitext.formats.registry import by_name

        known = by_name(self.known) if self.known else None
        return open_corpus(path, known=known, limits=self.limits(), langs=self.languages)

    def check_reading(self, *, fault: str = "is not a folder") -> None:
        """Refuse unknown encodings, impossible limits of compressed files, --where and --root.

        The documents of shards that are merged may lie on another machine. Messages call the
        `fault` of a folder so.
        """
        if not self.unpacked_ratio > 0 or self.unpacked_size < 0:
            raise OptionError("--max-ratio and --max-size: want numbers above 0")
        if self.encoding != ReadingRequest.encoding:
            from bitext.formats.io.encodings import check_encodings

            check_encodings(self.encoding)
        if self.where:
            from bitext.formats.convert.filters import Where

            Where(self.where)
        if isinstance(self, JobRequest) and self.parts is not None:
            return
        from bitext.formats.io.remote import is_folder_at

        for root in self.root:
            is_archive = root.lower().endswith(".zip") and "://" not in root and is_file(root)
            if not is_archive and not is_folder_at(root):
                raise OptionError(
                    f"--root {root}: {fault}, nor a ZIP archive; name the one where documents lie"
                )

    def check_files(self, files: Sequence[str], beside: Iterable[str | None]) -> None:
        """Check the files to read, and how, before any work; `beside` are texts and the like."""
        if files.count("-") > 1:
            raise OptionError("standard input (-) is given more than once: name files")
        self.refuse_inputs(files, beside=beside)
        self.check_reading()

    def reading_of(self, entry: Entry, base: int | None) -> FileOptions:
        """Collect the options for reading a file of a corpus; `base` is its first position."""
        from bitext.formats.corpora import find_text

        return replace(
            self.file_options(),
            src=entry.src or find_text(self.src, entry.name, option="src"),
            tgt=entry.tgt or find_text(self.tgt, entry.name, option="tgt"),
            roots=tuple(map(Path, self.root)),
            base=base,
        )

    def refuse_beside_texts(self, text: str, *options: str, where: str = "") -> None:
        """Refuse options that choose from a file of alignments, where `text` is a text.

        `--no-head` is no mistake, and `notes_beside_texts` has the others that change nothing in
        texts. Raises `OptionError`, whose message says `where` the file of alignments would be.
        """
        head = ["--head"] * bool(self.head)
        for option in self.given("--where", "--columns", *head, *options):
            raise OptionError(
                f"{option} is for a file of alignments{where}, and {text} is a text: leave it out"
            )

    def notes_beside_texts(self) -> list[str]:
        """Return a note on options that change nothing where texts are read, not alignments."""
        options = (f"--{name}" for name in ("drafts", "base", "root") if name in self.offered)
        given = " and ".join(self.given(*options))
        return [f"{given}: for files of alignments, and of no effect on texts"] if given else []


# The defaults of the options of jobs.
NO_JOBS: dict[str, Any] = {
    **dict.fromkeys(("journal", "max_failures", "time_limit", "memory_limit", "shard")),
    "jobs": 1,
    "engine": "local",
    "scheduler": None,
}
_OWN_FILES = {"convert", "combine", "compose", "join"}  # commands with a file for each document
# Options about output; results do not depend on them.
_SHOWN = {
    "output", "json", "format", "quiet", "verbose", "html", "per_text", "average", "store",
    "also", "digits", "no_intervals", "total", "clean_report",
}  # fmt: skip
# Workers that start, or are forked, before it is known how many are needed
_AHEAD, _FORKED = 2, 8


class JobRequest(ReadingRequest):
    """The options of jobs over many documents, about reading, and about output."""

    jobs: int = 1  # the number of processes
    journal: str | None = None  # the file with the results so far, from which a run goes on
    # The number of documents that may fail before the run ends with an error.
    max_failures: int | None = None
    time_limit: float | None = None  # the time limit of a document, in seconds
    memory_limit: int | None = None  # the memory limit of a document, in megabytes
    shard: str | None = None  # the shard of the documents to do, as `1/8`
    engine: str = "local"  # the executor: `local` or `dask`
    scheduler: str | None = None  # the address of the cluster
    parts: Parts | None = None  # the journals of all shards, to be merged
    # The file for a table of the counts of every text, if the command writes one.
    store: str | None = None

    @property
    def outputs(self) -> tuple[str | None, ...]:
        """The values of the options that name files to write."""
        return self.output, self.html, self.store

    @property
    def names_jobs(self) -> bool:
        """Whether an option asks for work by jobs; `--jobs` alone does not."""
        others = NO_JOBS.keys() - {"jobs"}
        return self.parts is not None or any(getattr(self, n) != NO_JOBS[n] for n in others)

    def uses_jobs(self) -> bool:
        """Check the options of jobs; return whether any is given, so that jobs do the work."""
        self.check_jobs()
        return self.names_jobs or self.jobs > 1

    def check_jobs(self) -> None:
        """Refuse options of jobs that exclude each other, and values out of range.

        Raises `OptionError` or `InputError` with the remedy.
        """
        from bitext.formats.io.remote import refuse_remote

        if self.jobs < 1:
            raise OptionError(f"--jobs {self.jobs}: want at least 1")
        self.refuse_below(max_failures=0)
        if self.journal is not None and self.journal in {"", "-"}:
            raise OptionError("--journal: want the name of a file that a later run can continue")
        refuse_remote(self.journal, "a journal is added to line by line, which places cannot do")
        if self.journal is not None:
            from bitext.formats.io.output import refuse_clashes

            others = (self.output, self.html, self.store)
            refuse_clashes((), (self.journal, *(name for name in others if name and name != "-")))
        if self.shard is not None:
            self.shard_to_do()
            if self.journal is None:
                raise OptionError("--shard writes its part to --journal: name that file, too")
        if self.engine == "local" and self.scheduler is not None:
            raise OptionError("--scheduler is for --engine dask: give both")
        if self.engine != "local" and self.jobs > 1:
            raise OptionError("--jobs is for this machine: the cluster has workers of its own")
        if self.time_limit is not None or self.memory_limit is not None:
            from bitext.jobs import Limits

            Limits(self.time_limit, self.memory_limit)

    def check_table(self, files: Sequence[str]) -> tuple[str, bool]:
        """Check the options of a command that prints a table about files, before any work.

        Return the style of the table, and whether jobs do the work.
        """
        style = self.style()
        by_jobs = self.uses_jobs()
        self.refuse_unwritten()
        self.check_page(one_file=True)
        self.check_files(files, [self.src, self.tgt])
        if by_jobs and self.parts is None:
            self.refuse_streams([*files, self.src, self.tgt])
        return style, by_jobs

    def refuse_streams(self, names: Iterable[str | None], *, read_here: bool = False) -> None:
        """Refuse standard input and other streams of this process if jobs do the work.

        With `read_here` this process reads the streams and passes their contents to the jobs. Then
        they are refused beside a journal only, which could not tell whether they have changed when
        the run goes on.
        """
        from bitext.formats.io.source import is_stream

        given = next((name for name in names if name is not None and is_stream(name)), None)
        if given is None or (read_here and self.journal is None):
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

    def refuse_unwritten(self, *, own_files: bool = False, report: str | None = None) -> None:
        """Refuse output files for a shard, which writes its results to the journal alone.

        With `own_files` each document becomes a file of its own, which a shard writes too. `report`
        is the name of a report, in commands that write one.
        """
        if self.shard is None:
            return
        if self.digits is not None or self.no_intervals:
            option = "--no-intervals" if self.digits is None else "--digits"
            raise OptionError(
                f"{option} is for the tables of all shards: leave it out, and give it to 'bitext "
                f"merge'"
            )
        output = self.output if not own_files else None
        for option, given in (("-o", output), ("--store", self.store)):
            if given not in {None, "-"}:
                raise OptionError(
                    f"{option} {given}: a shard writes its part to --journal and nothing else: "
                    f"leave {option} out, and give it to 'bitext merge', which combines all shards"
                )
        if report:
            raise OptionError(
                f"--report {report}: a shard writes its part to --journal and no report: leave "
                f"--report out; the result of 'bitext merge' has the unreadable parts of all shards"
            )

    def shard_to_do(self) -> Shard:
        """Return the shard that `--shard` names; the whole corpus without."""
        from bitext.jobs import Shard

        if self.shard is None:
            return Shard()
        index, _, count = (whole_number(part) for part in self.shard.partition("/"))
        if index is None or count is None:
            raise OptionError(f"--shard {self.shard!r:.40}: want I/N, as 1/8 to 8/8")
        return Shard(index, count)

    def split_options(self, command: str) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the options that results depend on, with the command, and those about output.

        The output of commands with a file for each document is part of the former, as `place`.
        """
        options = self.options()
        run = {name: options[name] for name in options if name not in {*NO_JOBS, *_SHOWN, "parts"}}
        shown = {name: options[name] for name in options if name in _SHOWN}
        if command in _OWN_FILES:
            run["place"] = shown.pop("output")
        return {"command": command, "options": run}, shown

    def run_jobs(
        self, documents: Iterable[Document], task: Task, *, what: str, **changed: Any
    ) -> Outcome:
        """Run a task over documents by jobs; show the progress, and print notes."""
        from bitext.jobs import run

        arguments: dict[str, Any] = {
            "journal": self.journal,
            "max_failures": self.max_failures,
            "timeout": self.time_limit,
            "memory": self.memory_limit,
            "shard": self.shard_to_do(),
            "processes": self.jobs,
            **changed,
        }
        with ExitStack() as stack:
            progress = stack.enter_context(Progress(what, quiet=self.quiet))
            if self.engine != "local":
                from bitext.jobs.running import engine_executor

                engine = engine_executor(self.engine, self.scheduler)
                arguments["executor"], arguments["processes"] = stack.enter_context(engine)
            outcome = run(documents, task, on_progress=lambda _: progress.add(1), **arguments)
        self.print_notes(outcome.notes)
        if outcome.kept:
            verb = "was" if outcome.kept == 1 else "were"
            before = f"{many(outcome.kept, 'document')} {verb} done before"
            self.print_notes([f"{before}, by {arguments['journal']}"])
        return outcome

    def run_or_merge(
        self, documents: Iterable[Document], task: Task, *, what: str, **changed: Any
    ) -> Outcome:
        """Run a task over documents by jobs, or assemble the results of its shards."""
        if self.parts is None:
            return self.run_jobs(documents, task, what=what, **changed)
        return merged_outcome(task, self.parts)

    def of_shards(self, key: str, own: list[str]) -> list[str]:
        """Return the records of journals of merged shards about their corpora; else `own`."""
        if self.parts is None:
            return own
        return list(dict.fromkeys(each for whole in self.parts.wholes for each in whole[key]))

    @contextmanager
    def one_executor(self, *, ahead: Sequence[str] = ()) -> Iterator[dict[str, Any]]:
        """Yield the executor as an argument of `run_jobs`, for several runs of one command.

        With `ahead`, the names of modules, workers start at once and import these; where workers
        may be forked, this process imports them first.
        """
        if self.engine != "local":
            yield {}
            return
        from bitext.jobs.running import local_executor
        from bitext.jobs.task import may_fork

        with local_executor(self.jobs) as workers:
            if ahead and may_fork():
                for name in ahead:
                    import_module(name)
            if ahead and may_fork():
                workers.fork(_FORKED)
            elif ahead:
                workers.start(_AHEAD, ahead)
            yield {"executor": workers}

    def print_failures(self, failures: Iterable[Failure]) -> int:
        """Print the failures, with --quiet too; return the exit status."""
        lines = [f"failed: {failure.name}: {failure.reason}" for failure in failures]
        self.print_notes(lines, failed=True)
        return 1 if lines else 0

    def finish_shard(self, outcome: Outcome, *, what: str = "") -> int:
        """Print the failures of a finished shard, and how to go on; return the exit status.

        `what` was done, with its number, where it was not documents.
        """
        status = self.print_failures(outcome.failures)
        done = outcome.done + outcome.kept
        if not self.quiet:
            write_err(
                f"shard {self.shard}: {what or many(done, 'document')} in "
                f"{self.journal}; 'bitext merge OUT JOURNAL ...' makes the whole of all shards\n"
            )
        return status


class SampledRequest(FrozenOptions):
    """The options of `SAMPLING`."""

    zero_division: float = nan  # the value of a ratio 0/0
    # `resamples`, `confidence`, `seed`, `interval`, `test`, `baseline`, `pairs`, `holm`: as
    # `resamples`, `level`, `seed` and so on of `bitext.metrics.evaluation.Sampling`.
    resamples: int = 10_000
    confidence: float = 0.95
    seed: int = 0
    interval: str = "jackknife"
    test: str = "auto"
    baseline: str | None = None
    pairs: bool = False
    holm: bool = False

    def sampling(self) -> Sampling:
        """Return the value of 0/0, and the options of intervals and tests."""
        from bitext.metrics.evaluation import Sampling

        return self.value(Sampling, level=self.confidence)


Request = TypeVar("Request", bound=OutputRequest)


def request_of(
    kind: type[Request], parser: argparse.ArgumentParser, arguments: Sequence[str]
) -> Request:
    """Parse the arguments of a command into its request."""
    return request_from(kind, vars(parser.parse_args(arguments)))


def request_from(
    kind: type[Request], given: Mapping[str, Any], needed: Iterable[str] = ()
) -> Request:
    """Build the request of a command from its options by name; lists become tuples.

    An option that is not given, with the value `None`, has the default of its field.

    Raises `KeyError` when one of the options `needed` is missing, as in a journal that was changed.
    """
    for name in needed:
        given[name]
    options: dict[str, Any] = {}
    for name in given:
        if name in kind.fields:
            value = getattr(kind, name, None) if given[name] is None else given[name]
            options[name] = tuple(value) if isinstance(value, list) else value
    return kind(**options, offered=tuple(options))
