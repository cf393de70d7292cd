"""Plain text as it stands: files and folders of it, lines with their line ends."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from bitext.errors import InputError, OptionError
from bitext.formats.opening import open_source
from bitext.paths import files_below, is_folder, may_be_there
from bitext.remedies import remedy

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from bitext.formats.opening import Source

__all__ = ["TextFile", "foreign_lines", "raw_lines", "text_files"]

_SUFFIXES = (".txt", ".text", ".tsv")
_PACKED = (".gz", ".bz2", ".xz", ".zst")
_MOST = 0.8  # of the lines are written in a way that is no plain text
_TIMES = re.compile(r"\s*(?:\d+:)?\d{1,2}:\d{2}[.,]\d{1,3}\s*-->")
_TAGGED = re.compile(r"\S+[/|_](?:[A-Z]{1,5}\$?|[^\w\s]{1,2}|-[LR]RB-)")
# What lines may be instead of text: how they look, and what to do.
_FOREIGN = (
    (re.compile(r".*\S \|\|\| "), "two texts with ||| between", "give one of them"),
    (re.compile(r"\s*[{\[]\s*[\"{\[]"), "JSON", "give the text that it holds"),
    (re.compile(r"\s*<[A-Za-z?!][^<>]*>.*</?[A-Za-z][^<>]*>\s*$"), "markup", "leave it out"),
    (re.compile(r'[^",]*,".*"\s*$'), "cells of a table with commas", "give those that are text"),
    (re.compile(r"\s*\d+\t"), "a number before each line", "leave the numbers out"),
    (re.compile(r"[^\t]*\S\t[^\t]*\S"), "columns with tabs between", "give the one that is text"),
)


class TextFile(NamedTuple):
    """A file to read.

    Attributes
    ----------
    path : str
        As `open_source` takes it.
    name : str
        Its path below the folder that was named, or its own name.

    """

    path: str
    name: str


def text_files(names: Sequence[str]) -> list[TextFile]:
    """Return the files that were named: each itself, and those of text in each folder.

    In a folder and the folders in it these are files named `.txt`, `.text` or `.tsv`, packed or
    not, in the order of their names; hidden ones are left out.

    Raises
    ------
    InputError
        When there is no such file, or a folder has none.
    OptionError
        When standard input is named twice.

    """
    if names.count("-") > 1:
        raise OptionError("standard input (-) is given twice: give it once")
    found = []
    for name in names:
        folder = Path(name)
        if name == "-" or not is_folder(folder):
            if name != "-" and not may_be_there(folder):
                open_source(name).close()  # tells what is wrong, and the nearest name
            found.append(TextFile(name, "standard input" if name == "-" else folder.name))
            continue
        inside = [path for path in files_below(folder) if _is_text(path, folder)]
        if not inside:
            raise InputError(f"{name}: has no file named {', '.join(_SUFFIXES)}; name the files")
        found += [TextFile(str(path), path.relative_to(folder).as_posix()) for path in inside]
    return found


def raw_lines(source: Source) -> Iterator[str]:
    """Yield the lines of a file with their ends, as it is read; a byte order mark is left out.

    Raises
    ------
    FormatError
        When it cannot be decoded, or has NUL bytes.

    """
    for first, piece in source.blocks():
        at = piece.find("\0")
        if at >= 0:
            number = first + piece.count("\n", 0, at)
            raise source.error(
                f"has a NUL byte, so it is no text in this encoding; name another "
                f"({remedy('encoding utf-16-le')}) or leave the file out",
                number,
            )
        lines = piece.split("\n")
        last = lines.pop()
        yield from (f"{line}\n" for line in lines)
        if last:
            yield last


def foreign_lines(lines: Iterable[str]) -> str:
    r"""Name the kind of lines that are no plain text, with the remedy; empty for plain text.

    Subtitles, pairs of texts, JSON, markup, numbered lines, columns, words with tags, and line ends
    that are carriage returns or written as two characters. Each would be taken as words.

    Parameters
    ----------
    lines : iterable of str
        The first lines of a text.

    Examples
    --------
    >>> foreign_lines(["It rained. ||| Es regnete.\n", "He came. ||| Er kam.\n"])
    'two texts with ||| between: give one of them'
    >>> foreign_lines(["It rained.\n", "He came.\n"])
    ''

    """
    filled = [line for line in lines if line.strip()]
    if any(map(_TIMES.match, filled)):
        return "subtitles: leave their numbers and times out"
    if sum("\r" in line.strip() for line in filled) > _MOST * len(filled):
        return "lines that end with a carriage return alone: make line feeds of them"
    for shape, what, wanted in _FOREIGN:
        if sum(shape.match(line) is not None for line in filled) > _MOST * len(filled):
            return f"{what}: {wanted}"
    words = [word for line in filled for word in line.split()]
    if sum(_TAGGED.fullmatch(word) is not None for word in words) > _MOST * len(words):
        return "words with their tags: leave the tags out, or give columns"
    if sum(line.count("\\n") for line in filled) > len(filled):
        return "line ends written as two characters (\\n): make line ends of them"
    return ""


def _is_text(path: Path, folder: Path) -> bool:
    name = path.name.lower()
    for suffix in _PACKED:
        name = name.removesuffix(suffix)
    hidden = any(part.startswith(".") for part in path.relative_to(folder).parts)
    return name.endswith(_SUFFIXES) and not hidden
