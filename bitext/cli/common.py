"""The parser, the common options, and the names and places of outputs."""

from __future__ import annotations

import argparse
import io
import os
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, NoReturn

from bitext.cli.console import write_out
from bitext.cli.option_tables import add_groups, option_of, options_of, value
from bitext.errors import InputError, OptionError, nearest
from bitext.paths import (
    home_hint,
    is_folder,
    is_there,
    make_folders,
    may_be_there,
)

if TYPE_CHECKING:
    from bitext.formats.registry import Format


# Styles of tables by the ending of `-o`. `deliver` turns TSV into CSV.
_STYLES = {".json": "json", ".tsv": "tsv", ".csv": "tsv", ".md": "markdown", ".tex": "latex"}
FIGURES = ("svg", "pdf", "png")  # styles of figures, by the ending of `-o`
_PLAIN = frozenset((".txt", ".text", ".out", ".log"))
_PAGES = (".html", ".htm")
_OF_TEXT = frozenset(("file", "source", "target", "first"))  # columns of tables
# The text after the point in `run.2`, `run.v2` or `scores.2024-05` is no ending.
_ENDING = re.compile(r"\.[a-z]{2,}", re.ASCII)
# Similarity (difflib) of an ending to one that a message proposes; set by hand: .tsv for .tvs, but
# not .html for .xml.
_LIKE = 0.7
# Least similarity of an unknown option to the one that is meant, without dashes; set by hand
_MISTYPED = 0.7


def style_of_name(name: str, *, page: bool = False, figure: bool = False) -> str:
    """Return the style of tables, or `json`, for the ending of a file name.

    A name without an ending, or with one of plain text, gets a table. With `page` messages point
    to `--html`, which the command then has. With `figure` the endings of `FIGURES` are styles, too.

    Raises `OptionError` when tables are not written in the format of the ending; the message names
    those that are.
    """
    ending = ending_of(name)
    if not ending or ending in _STYLES:
        return _STYLES.get(ending, "table")
    if figure and ending[1:] in FIGURES:
        return ending[1:]
    refusal = f"-o {name}: tables are not written as {ending}"
    ways = (
        f"the endings of tables are {' '.join(_STYLES)} and .txt; --format writes one to any name"
    )
    if figure:
        ways += f"; the endings of figures are .{' .'.join(FIGURES)}"
    if ending in _PAGES and page:
        raise OptionError(f"{refusal}: a page is written with --html {name}; {ways}")
    near = nearest(ending, [*_STYLES, *([_PAGES[0]] if page else [])], cutoff=_LIKE)
    raise OptionError(f"{refusal}{f'; did you mean {near}?' if near else ':'} {ways}")


def refuse_file_name(name: str) -> None:
    """Refuse a folder for results (-o) if its name has the ending of a file.

    Raises `OptionError` unless the folder exists, or its name ends with `/`.
    """
    ending = ending_of(name)
    if ending and not name.endswith("/") and not is_folder(name):
        page = f"; a page is written with --html {name}" if ending in _PAGES else ""
        raise OptionError(
            f"-o {name}: several files are written, into a folder, and this is the name of a file: "
            f"name a folder (with / at its end), or redirect standard output{page}"
        )


def is_result_file(name: str) -> bool:
    """Recognise the file name of a table, a text or a figure by its ending."""
    ending = ending_of(name)
    plain = PurePath(name).suffix.lower() in _PLAIN
    return plain or ending in _STYLES or ending[1:] in FIGURES


def as_csv(parts: Iterable[str]) -> Iterator[str]:
    """Yield TSV, given in parts of any size, as CSV (RFC 4180, but with LF at line ends).

    Cells of `-`, for undefined values, become empty, so that columns of figures are numeric; not in
    columns of files and texts, where `-` is a value.
    """
    head: list[str] = []
    partial_line = ""
    for part in parts:
        *lines, partial_line = (partial_line + part).split("\n")
        head = head or next((line.split("\t") for line in lines if line), [])
        yield _csv_lines(lines, head)
    if partial_line:
        yield _csv_lines([partial_line], head)


def _csv_lines(lines: list[str], head: list[str]) -> str:
    import csv

    out = io.StringIO()
    of_text = {k for k, name in enumerate(head) if name in _OF_TEXT}
    csv.writer(out, lineterminator="\n").writerows(
        ["" if cell == "-" and k not in of_text else cell for k, cell in enumerate(cells)]
        for cells in (line.split("\t") if line else [] for line in lines)
    )
    return out.getvalue()


def ending_of(name: str) -> str:
    """Return the ending of a name without that of compression; empty for plain text."""
    from bitext.formats.io.compression import unpacked

    ending = PurePath(unpacked(name.partition("?")[0])).suffix.lower()
    return ending if _ENDING.fullmatch(ending) and ending not in _PLAIN else ""


FORMATS = ("table", "tsv", "csv", "markdown", "latex")
# Words that users write in the names of options, and ours.
_SHORT = {"source": "src", "target": "tgt", "language": "lang", "hypothesis": "hyp"} | {
    "glossary": "dictionary"
}
MOST_DECIMALS = 15  # the significant digits that every float has


class Parser(argparse.ArgumentParser):
    """A parser that raises an `OptionError` with a suggestion, and prints no usage with it.

    With `empty` an option may have an empty value, as an unset variable of a shell gives one. Other
    options are those of `argparse.ArgumentParser`.
    """

    def __init__(self, *, empty: bool = True, **options: Any) -> None:
        self._empty = empty
        self._arguments: Sequence[str] = ()
        super().__init__(
            allow_abbrev=False, formatter_class=argparse.RawDescriptionHelpFormatter, **options
        )

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse the arguments, and keep them: an unknown option may hide a required argument."""
        self._arguments = sys.argv[1:] if args is None else list(args)
        return super().parse_known_args(args, namespace)

    def _get_values(self, action: argparse.Action, arg_strings: list[str]) -> Any:
        """Refuse `--` as a value, for which argparse returns an empty list; or an empty value."""
        if action.option_strings and action.nargs is None and arg_strings == ["--"]:
            self.error(f"argument {'/'.join(action.option_strings)}: expected one argument")
        if action.option_strings and not self._empty and "" in arg_strings:
            name = "/".join(action.option_strings)
            self.error(f"{name} is given an empty value: name one, or leave the option out")
        return super()._get_values(action, arg_strings)

    def names(self) -> list[str]:
        """Return the names under which `parse_args` gives the arguments."""
        return [action.dest for action in self._actions if action.dest != "help"]

    def options(self) -> list[argparse.Action]:
        """Return the options, without the arguments that stand by themselves."""
        return [action for action in self._actions if action.option_strings]

    def print_help(self, file: Any = None) -> None:
        """Print the help on standard output; argparse would ignore an error of writing."""
        del file
        write_out([self.format_help()])

    def _nearest_option(self, given: str) -> str:
        """Return the option that an unknown one resembles, begins, or is a part of."""
        names = {name.lstrip("-"): name for name in self._option_string_actions}
        bare = given.lstrip("-")
        short = "-".join(_SHORT.get(word, word) for word in bare.split("-"))
        if short in names and given.startswith("--"):
            return names[short]
        near = nearest(bare, names, cutoff=_MISTYPED)
        if not near and bare and given.startswith("--"):
            parts = (name for name in names if name.startswith(bare) or bare in name.split("-"))
            near = next(parts, "")
        return names.get(near, "")

    def error(self, message: str) -> NoReturn:
        """Raise an `OptionError` with the message of argparse, or the nearest known option."""
        if message.startswith("the following arguments are required: "):
            message = self._with_order(message)
        if message.startswith("unrecognized arguments: "):
            message = self._with_advice(message)
        if re.search(r": expected .* arguments?$", message):
            name = message.removeprefix("argument ").partition(":")[0].split("/")[-1]
            values = self._option_string_actions[name].metavar or ""
            message += f" ({' '.join([name, *([values] if isinstance(values, str) else values)])})"
        if "invalid choice: 'json'" in message and "--json" in self._option_string_actions:
            message += "; --json prints JSON"
        end = "" if message.endswith("?") else ";"
        raise OptionError(f"{message}{end} '{self.prog} --help' lists the arguments")

    def _with_order(self, message: str) -> str:
        """Add the order of the arguments where some are missing; report an unknown option first."""
        before = takewhile(lambda each: each != "--", self._arguments)
        options = (each for each in before if each.startswith("--"))
        unknown = (o for o in options if o.split("=")[0] not in self._option_string_actions)
        if option := next(unknown, ""):
            return f"unrecognized arguments: {option}"
        order = [str(each.metavar) for each in self._actions if not each.option_strings]
        missing = message.partition(": ")[2].split(", ")
        rest = missing[0] in order[1:]
        return f"{message} (the order is {' '.join(order)})" if rest else message

    def _with_advice(self, message: str) -> str:
        """Add advice about an argument that is too many, or name the option that is meant."""
        given, *_ = message.removeprefix("unrecognized arguments: ").split() or ["''"]
        if given == "--":
            return "nothing follows --: leave it out"
        if given.split("=")[0] in self._option_string_actions:
            return f"{given} follows --, after which there are no options: put it before"
        if given.startswith("-"):
            near = self._nearest_option(given.split("=")[0])
            return f"no option {given}; did you mean {near}?" if near else f"no option {given}"
        if given == "''" or len(self.options()) == len(self._actions):
            return message
        is_new = PurePath(given).suffix and not may_be_there(given)
        if is_new and "-o" in self._option_string_actions:
            message += "; name an output after -o"
        of_many = (each.metavar for each in self._actions if each.nargs in {"+", "*"})
        if name := next((name for name in of_many if name), ""):
            return f"{message}; put each {name} beside the others, with no option between them"
        return f"{message}; put a name with spaces in quotes, and name a folder for many files"


def add_output(parser: argparse.ArgumentParser, *, figures: bool = False) -> None:
    """Add the options about output: --json, --format, --output, --quiet and --verbose.

    With `figures` the command draws its results, too.
    """
    endings_of_figures = ", or, for a figure, .svg, .pdf, .png" if figures else ""
    output = options_of(f"""
        --json  print one JSON document
        --format {{{",".join(FORMATS)}}}
            how tables are printed (default: table on a terminal, tsv elsewhere)
        -o --output FILE
            write there, not to standard output; the ending sets the format: .json, .tsv, .csv, .md,
            .tex{endings_of_figures}
        -q --quiet  no notes and no progress
        -v --verbose  all notes, not only some
    """)
    add_groups(parser, {"output": output})


def check_page_folder(page: str | None) -> None:
    """Refuse a folder of pages (--html FOLDER/) that cannot be written, before any work."""
    if page is None:
        return
    from bitext.reports.pages import check_folder, names_folder

    if names_folder(page):
        check_folder(page)


def refuse_folder(page: str | None, *, option: str = "--html") -> None:
    """Refuse a page that is to be one file, but names a folder, or lies in none."""
    if page is None or page == "-" or "://" in page:
        return
    refuse_place(page, f"{option} {page}")


def refuse_place(path: str, called: str = "") -> None:
    """Refuse a local output file if it is a folder, or lies in none; messages say `called`."""
    folder = Path(path).parent
    if is_folder(path) or path.endswith("/"):
        raise InputError(f"{called or path}: is a directory; name a file in it")
    if not is_folder(folder):
        advice = home_hint(folder) or "; make it"
        if is_there(folder):
            advice = ", but a file of that name; name another"
        raise InputError(f"{called or path}: there is no folder {folder}{advice}")


def make_folder(place: str) -> None:
    """Make a folder, and those above it, if it is not there; remote stores have no empty ones."""
    from bitext.formats.io.remote import local_path

    if (folder := local_path(place)) is None:
        return
    try:
        make_folders(folder)
    except OSError as error:
        raise InputError(f"{place}: cannot be made: {error.strerror or error}") from None


def is_output_folder(output: str) -> bool:
    """Check whether an output is an existing folder, or its name ends with `/`."""
    from bitext.formats.io.remote import is_folder_at, two_files

    if output == "-" or ("://" in output and two_files(output)):
        return False
    return output.endswith(("/", os.sep)) or is_folder_at(output)


def output_in(
    folder: str, name: str, known: Format, langs: tuple[str, str], packing: str = ""
) -> str:
    """Return the output for the text `name`: a file in the folder, or two with a comma.

    `known` is the format, which decides the ending. The languages are the endings of two files.
    `packing` is the compression, as `gz`; empty for none. Raises `InputError` when the name leads
    out of the folder.
    """
    from bitext.formats.io.remote import join_file

    if ".." in PurePath(name).parts or PurePath(name).is_absolute():
        raise InputError(f"{name!r} names no place in the folder {folder}: name it otherwise")
    packed = f".{packing}" if packing else ""
    files = files_named(join_file(folder, name), known, langs)
    return ",".join(f"{file}{packed}" for file in files)


def files_named(name: str, known: Format, langs: tuple[str, str]) -> list[str]:
    """Return the names of the file or the two files of a text, with the endings of the format."""
    if known.two_files:
        return [f"{name}.{langs[0] or 'src'}", f"{name}.{langs[1] or 'tgt'}"]
    return [f"{name}{known.suffixes[0] if known.suffixes else f'.{known.name}'}"]


def note_on_written(written: int, files: int) -> str:
    """Return a note on the files that were written before an error; empty for a single file."""
    if files == 1:
        return ""
    return (
        f" ({written:,} of {files:,} files were written before this; --keep-going goes on with "
        f"the others)"
    )


def notes_on_repeated(files: Sequence[str], done: str) -> list[str]:
    """Return a note on each file that is given more than once, and what is `done` with it."""
    again = sorted({path for path in files if files.count(path) > 1})
    return [f"files that are given more than once, {done} each time: {path}" for path in again]


def distinct_outputs(pairs: Iterable[tuple[str, str]], *, verb: str) -> list[str]:
    """Return the single files to write; refuse two inputs with the same output.

    Each of `pairs` is an input and its output, which may be two files. `verb` says in the message
    what the command does. Raises `InputError` with the names of both inputs.
    """
    from bitext.formats.io.remote import local_path, two_files

    writers: dict[str, tuple[int, str]] = {}
    outputs = []
    for number, (given, output) in enumerate(pairs):
        for name in two_files(output) or (output,):
            local = None if name == "-" else local_path(name)
            place = name if local is None else os.path.realpath(local)
            other, path = writers.setdefault(place, (number, given))
            if other != number:
                raise InputError(
                    f"{path} and {given} would both become {name}; {verb} them one by one, or "
                    f"name them in a manifest"
                )
            outputs.append(name)
    return outputs


def refuse_output_clashes(
    pairs: Iterable[tuple[str, str]],
    operands: Iterable[str],
    read: Iterable[str],
    beside: Iterable[str | None] = (),
    *,
    verb: str,
) -> None:
    """Refuse outputs that would replace an input or each other, or that the next run would read.

    `pairs` and `verb` are as in `distinct_outputs`. `operands` are the files and folders that the
    user names; no output may lie in such a folder. `read` are all other files that are read,
    `beside` further ones that are written, as a journal.
    """
    from bitext.formats.io.output import refuse_clashes
    from bitext.formats.io.remote import is_folder_at

    outputs = [*distinct_outputs(pairs, verb=verb), *filter(None, beside)]
    operands = list(operands)
    folders = [name for name in operands if name != "-" and is_folder_at(name)]
    refuse_clashes([*operands, *read], outputs, folders=folders)


def json_line(document: Any, **options: Any) -> str:
    """Return a JSON document as one line, with its end; `options` are those of `json.dumps`."""
    import json

    return json.dumps(document, ensure_ascii=False, **options) + "\n"


def write_file(path: str | Path, text: str | Iterable[str]) -> None:
    """Write a text, given whole or in parts, to a file, whole or not at all."""
    from bitext.formats.io.output import write_whole

    with write_whole(path) as out:
        out.writelines([text] if isinstance(text, str) else text)


def name_systems(
    paths: Sequence[str], others: Sequence[str], names: str | None, *, role: str = "HYP"
) -> dict[str, str]:
    """Return the paths of systems by name: from --names, else the shortest distinct path ends.

    Names also differ from those of `others`, the gold standards, where possible. Errors call a
    system `role`.
    """
    if names is not None:
        given = [name.strip() for name in names.split(",")]
        if len(given) != len(paths) or len(set(given)) < len(given) or not all(given):
            raise OptionError(
                f"--names {names!r}: want {len(paths)} different names with commas, one for each "
                f"{role}"
            )
        return dict(zip(given, paths, strict=True))
    from bitext.scoring.common import distinct_names

    return distinct_names(paths, others, role=role)


DRAFTS = options_of("""
    --drafts
        read drafts, by a state such as fuzzy or needs-translation, as translations (default: as not
        translated)
""")
WHERE = options_of("""
    --where COLUMN=VALUE,... ...
        select the bisegments with one of these values in the column, as state=final,translated;
        also != and, for numbers, >= <= > < (in quotes); repeats, and all conditions must hold
""")


SAMPLING = options_of("""
    --zero-division VALUE:number  the value of 0/0 (default: undefined)
    --resamples N:whole  the number of resamples for intervals and tests; 0 for none (10000)
    --confidence SHARE:share  the level of the intervals (0.95)
    --interval {jackknife,bootstrap}
        method of the intervals: jackknife (default) covers the true figure from two texts on;
        bootstrap percentiles, too narrow below 20 texts
    --seed N:whole  the seed of the resamples (0)
    --test {auto,randomisation,t,bootstrap}
        paired test of each system against the baseline (default: a t test below eight texts, which
        have too few exchanges for a randomisation, and a randomisation otherwise)
    --baseline NAME  the system that the others are tested against (first)
    --pairs  test all pairs of systems, and show the differences in a table of their own
    --holm  correct p for the number of tested systems or pairs
""")


BASE = option_of(
    "--base 0|1",
    "the base of positions of word links or brackets (default: from the texts, else by the format)",
    type=value(int, "0 or 1"),
    choices=(0, 1),
)
ENCODING = option_of(
    "--encoding NAME",
    "the encoding of files that do not declare one (utf-8); for two files, or two texts, "
    "also src=latin-1,tgt=utf-8",
)
COLUMNS = [
    *options_of("""
        --columns src=N,tgt=N
            columns of a table (TSV, CSV, spreadsheets; keys of JSON, columns of Parquet) that hold
            the texts, also score=N: numbers from 1 or names in the header; or all names in order,
            as score,src,tgt (default: from the header or the cells); sheet=NAME is the sheet of a
            workbook, sep=semicolon (comma, tab, bar) the separator of CSV; escape=backslash (or
            none): CSV and TSV have \\" and \\N, as in dumps of databases
    """),
    option_of(
        "--head",
        "the first line of TSV is a header, or not (default: from its cells)",
        action=argparse.BooleanOptionalAction,
    ),
]


LIMITS = options_of("""
    --max-ratio N:number (unpacked_ratio)
        refuse compressed files that expand to more than N times their size (200) ...
    --max-size MB:whole (unpacked_size)  ... and to more than MB megabytes (128)
""")


FROM = option_of(
    "--from FORMAT", "the format of the files (default: by their contents)", dest="known"
)
ROOT = option_of(
    "--root FOLDER",
    "folder of the documents that the files name (default: the folder of each); repeats",
    action="append",
)
# The languages, and which bisegments of a file to read.
PARTS = [
    option_of("--src-lang CODE", "the source language, to choose among several"),
    option_of("--tgt-lang CODE", "the target language, likewise"),
    *COLUMNS,
    ENCODING,
    BASE,
    *WHERE,
    *DRAFTS,
]
READING = [
    FROM,
    option_of("--src TEXT", "the source text, if the file holds ids or positions"),
    option_of("--tgt TEXT", "the target text, likewise"),
    ROOT,
    *PARTS,
]


BOOK = options_of("""
    --title TEXT  the title of the book (default: that of the documents, or their first heading)
    --first {src,tgt}  the side in the left column, or above if columns do not fit (src)
    --rows {paragraph,bead}
        the units side by side (default: paragraph, or bead if the texts have no paragraphs; in DOCX
        bead, as a table to edit)
    --font NAME|FILE ...
        for a PDF: a font or its file, for one side as src=NAME; each character is set in the first
        font that has it; repeats
""")


LOOK = options_of("""
    --digits N:whole  decimals of figures in tables for reading (4)
    --no-intervals  tables for reading, and figures, without the intervals; tests stay
""")
SHOWING = [
    *options_of("""
        --average {micro,macro,both}  pooled counts (default), or the mean over texts
        --per-text  the figures of every text too
    """),
    *LOOK,
]
