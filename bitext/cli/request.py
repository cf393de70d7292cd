"""Requests: the frozen values into which commands parse their arguments.

Each command derives its own request from these classes: one field an option, with the name that
argparse gives the option. `request_of` fills the fields, and `resolve()` of the command checks them
before any work. A field without an option in the command keeps its default.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar, dataclass_transform

if TYPE_CHECKING:
    import argparse

    from bitext.formats.columns import Columns
    from bitext.formats.corpora import Corpus
    from bitext.formats.io.encodings import Limits
    from bitext.formats.reading import FileOptions
    from bitext.formats.registry import BookOptions, Format
    from bitext.jobs.journal import Parts
    from bitext.reports.table import Look

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

    def limits(self) -> Limits:
        """Return the limits of compressed files."""
        from bitext.formats.io.encodings import Limits

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
        return open_corpus(path, known=known, langs=(self.src_lang, self.tgt_lang))


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
        options = (
            self.journal, self.max_failures, self.time_limit, self.memory_limit, self.shard,
            self.scheduler, self.parts,
        )  # fmt: skip
        return any(option is not None for option in options) or self.engine != "local"


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
