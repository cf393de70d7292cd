"""What a command is asked to do: a frozen value made of its arguments, below which nobody parses.

A command derives its own request from these, one field an option, under the name that argparse
gives it. `request_of` fills it; `resolve()` of a command refuses what cannot be, before any work.
Fields that a command has no option for keep their default.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping, Sequence

    from bitext.formats.columns import Columns
    from bitext.jobs.parts import Parts

__all__ = ["JobRequest", "OutputRequest", "ReadingRequest", "request_from", "request_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputRequest:
    """Where results go, and how they are printed.

    Attributes
    ----------
    output : str
        The file; `-` is standard output.
    html : str or None
        The file of a page, beside what is printed.
    json : bool
        Whether one JSON document is printed.
    format : str or None
        The style of tables; `None`: told by the place of output.
    quiet : bool
        Whether notes and progress are left out.
    verbose : bool
        Whether all notes are printed, not a few.
    offered : tuple of str
        The names of the options that the command has, in order; other fields keep their default.

    """

    output: str = "-"
    html: str | None = None
    json: bool = False
    format: str | None = None
    quiet: bool = False
    verbose: bool = False
    offered: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingRequest(OutputRequest):
    """How files of alignments are read, and where results go.

    Attributes
    ----------
    src, tgt : str or None
        The texts, for formats that hold ids or positions.
    root : tuple of str
        The folders under which documents lie that a file names.
    src_lang, tgt_lang : str
        The languages, of a file that holds more than two.
    known : str or None
        The name of the format; `None`: told by the contents.
    encoding : str
        The encoding of files that declare none.
    columns : str or None
        The columns of a table that hold the texts.
    head : bool or None
        Whether the first line of a table is a header.
    where : tuple of str
        The conditions on columns that bisegments have to meet.
    drafts : bool
        Whether drafts are read as translations.

    """

    src: str | None = None
    tgt: str | None = None
    root: tuple[str, ...] = ()
    src_lang: str = ""
    tgt_lang: str = ""
    known: str | None = None
    encoding: str = "utf-8"
    columns: str | None = None
    head: bool | None = None
    where: tuple[str, ...] = ()
    drafts: bool = False

    def table_columns(self) -> Columns:
        """Return the columns of tables that the options name."""
        from bitext.formats.columns import Columns

        return Columns.of(self.columns, self.head)


@dataclass(frozen=True, slots=True, kw_only=True)
class JobRequest(ReadingRequest):
    """How work over many documents is done, beside how they are read and where results go.

    Attributes
    ----------
    jobs : int
        The number of processes.
    journal : str or None
        The file that notes what is done.
    max_failures : int or None
        How many documents may fail before the run ends with an error.
    time_limit : float or None
        The seconds after which a document is given up.
    memory_limit : int or None
        The megabytes above which a document is given up.
    shard : str or None
        Which part of the documents is done, as `1/8`.
    engine : str
        Where the work is done: `local` or `dask`.
    scheduler : str or None
        The address of the cluster.
    parts : Parts or None
        What shards did, which is put together.
    store : str or None
        The table of the counts of every text, of commands that write one.

    """

    jobs: int = 1
    journal: str | None = None
    max_failures: int | None = None
    time_limit: float | None = None
    memory_limit: int | None = None
    shard: str | None = None
    engine: str = "local"
    scheduler: str | None = None
    parts: Parts | None = None
    store: str | None = None


Request = TypeVar("Request", bound=OutputRequest)


def request_of(
    kind: type[Request], parser: argparse.ArgumentParser, arguments: Sequence[str]
) -> Request:
    """Parse the arguments of a command into its request; lists become tuples."""
    return request_from(kind, vars(parser.parse_args(arguments)))


def request_from(kind: type[Request], given: Mapping[str, Any]) -> Request:
    """Make the request of a command from its options by name; lists become tuples."""
    known = {field.name for field in fields(kind)}
    held: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in given.items()
        if name in known
    }
    return kind(**held, offered=tuple(held))
