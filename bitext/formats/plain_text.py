"""Files of paragraphs: sentences in lines, each with a sign that tells where a paragraph starts.

UTF-8, one file a book. The shape, with a tab between sign and sentence:

    # title: The Mill
    # doc: I. The Flood
    1   It had rained for nine days.
    0   On the tenth the miller went out.
    1   “Who is there?” he called.

Lines that begin with `#` and come first, as `# title: ...`, head the file. `# doc: NAME` starts a
chapter: one text, whose breaks are learned or found together. An empty line ends a chapter too.
The sign is 1 where the sentence starts a paragraph, else 0; the first sentence of a chapter always
starts one. What stands after a second tab, as confidences that `bitext paragraphs split` writes,
is passed over.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TextIO

from bitext.errors import FormatError, InputError, OptionError
from bitext.formats.io.source import open_source
from bitext.model import Segmentation, Text
from bitext.option_names import remedy
from bitext.paths import files_below, is_folder, may_be_there

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from bitext.formats.io.source import Source

__all__ = [
    "DOC",
    "Rows",
    "TextFile",
    "chapter_line",
    "foreign_lines",
    "is_paragraph_file",
    "raw_lines",
    "read_chapters",
    "read_paragraph_file",
    "read_rows",
    "sentence_line",
    "text_files",
    "write_chapters",
]


# Plain text as it stands: files and folders of it, lines with their line ends.

_SUFFIXES = (".txt", ".text", ".tsv")
_PACKED = (".gz", ".bz2", ".xz", ".zst")
_MOST_LINES = 0.8  # of the lines are written in a way that is no plain text
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
    if sum("\r" in line.strip() for line in filled) > _MOST_LINES * len(filled):
        return "lines that end with a carriage return alone: make line feeds of them"
    for shape, what, wanted in _FOREIGN:
        if sum(shape.match(line) is not None for line in filled) > _MOST_LINES * len(filled):
            return f"{what}: {wanted}"
    words = [word for line in filled for word in line.split()]
    if sum(_TAGGED.fullmatch(word) is not None for word in words) > _MOST_LINES * len(words):
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


DOC = "# doc:"

_SENTENCE = re.compile(rb"[01]\t")
# Rows of other columns, which are refused with what is wanted rather than read as plain text.
_NEARLY = (_SENTENCE, re.compile(rb"[^\t]+\t[01]\s*$"), re.compile(rb"[BIOE]\t"))
_MOST = 0.9  # of the lines, but the first
_HEAD_LINE = re.compile(rb"# ?[\w-]+:")
_HEAD_FIELD = re.compile(r"#\s*([\w-]+)\s*:\s*(.*)")


class Rows(NamedTuple):
    """The rows of a chapter.

    Attributes
    ----------
    name : str
        As the file has it, and where an empty line has ended a part before with a number behind it;
        empty where it has none.
    sentences : list of str
    starts : list of int
        The sentences that start a paragraph, ascending from 0.

    """

    name: str
    sentences: list[str]
    starts: list[int]


def is_paragraph_file(head: bytes) -> bool:
    """Tell by its first bytes whether a file is one of paragraphs, and no plain text.

    So are files that nearly are: with a header, other columns or other signs.
    """
    lines = head.removeprefix(b"\xef\xbb\xbf").splitlines()
    rows = [line for line in lines if line.strip() and not line.startswith(b"#")]
    if rows:
        rest = rows[1:]
        nearly = (sum(shape.match(row) is not None for row in rest) for shape in _NEARLY)
        known = _SENTENCE.match(rows[0]) is not None
        return known or (len(rest) > 1 and max(nearly) >= _MOST * len(rest))
    told = [line for line in lines if line.strip()]
    return bool(told) and all(map(_HEAD_LINE.match, told))


def read_paragraph_file(path: str | os.PathLike[str], *, encoding: str = "utf-8") -> list[Text]:
    """Read the chapters of one file; `-` is standard input.

    Raises
    ------
    InputError
        When the file cannot be opened.
    FormatError
        As `read_chapters` does.

    """
    with open_source(path, encoding=encoding) as source:
        return list(read_chapters(source))


def read_chapters(source: Source, head: dict[str, str] | None = None) -> Iterator[Text]:
    """Yield the chapters of a file, each when it has been read.

    Parameters
    ----------
    source : Source
        The file. What is odd goes to its notes.
    head : dict, optional
        Takes the fields that head the file (`title`, `author`, `source`, `rights`).

    Yields
    ------
    Text
        The sentences of a chapter with its `paragraphs`, named `FILE: CHAPTER`.

    Raises
    ------
    FormatError
        When a line is no sentence with its sign, or there is none at all; with file and line.

    """
    for number, (name, sentences, starts) in enumerate(read_rows(source, head)):
        shown = name or (f"text ({number + 1})" if number else "")
        full = f"{source.path}: {shown}" if shown else source.path
        paragraphs = Segmentation.from_boundaries(starts[1:], len(sentences))
        yield Text(sentences, name=full, paragraphs=paragraphs)


def read_rows(source: Source, head: dict[str, str] | None = None) -> Iterator[Rows]:
    """Yield the rows of each chapter, under the name that the file has; as `read_chapters` else."""
    name, parts = "", 0
    sentences: list[str] = []
    starts: list[int] = []
    found = False
    sign = ""
    begins_with = ""  # the first sign of the chapter
    for number, line in source.stream_lines():
        if line.startswith("#") or not line.strip():
            if sentences:
                _refuse_ends(source, begins_with, sign, number - 1)
                yield _rows(name, parts, sentences, starts)
                parts, sentences, starts = parts + 1, [], []
            if line.startswith(DOC):
                name, parts = line.removeprefix(DOC).strip(), 0
            elif line.startswith("#") and not found and head is not None:
                field = _HEAD_FIELD.fullmatch(line.rstrip())
                if field:
                    head[field[1]] = field[2]
            continue
        sign, sentence = _parsed(source, line, number)
        if not sentences:
            begins_with = sign
            if sign == "0":
                kind = (
                    "chapters whose first sentence has the sign 0, taken as 1: 1 starts a paragraph"
                )
                source.notes.add(kind, f"{source.path} line {number}")
        if not sentences or sign == "1":
            starts.append(len(sentences))
        sentences.append(sentence)
        found = True
    if sentences:
        _refuse_ends(source, begins_with, sign, number)
        yield _rows(name, parts, sentences, starts)
    elif not found:
        raise source.error("has no sentence; want lines of 1 or 0, a tab and a sentence")


def write_chapters(
    texts: Iterable[Text], out: TextIO, *, head: Mapping[str, str] | None = None
) -> None:
    """Write chapters as a file of paragraphs, one after another.

    A text without paragraphs is one paragraph. White space in a sentence becomes one blank.

    Raises
    ------
    InputError
        When a text has no characters.

    """
    out.writelines(f"# {key}: {' '.join(told.split())}\n" for key, told in (head or {}).items())
    for k, text in enumerate(texts):
        if not text.has_text:
            raise InputError(f"{text.name or 'a text'} is known by ids only: give its characters")
        starts = {0} if text.paragraphs is None else {0, *text.paragraphs.boundaries.tolist()}
        out.write("\n" if k or head else "")
        out.write(chapter_line(text.name or f"chapter-{k + 1}"))
        out.writelines(
            sentence_line(sentence, starts=place in starts)
            for place, sentence in enumerate(text.segments())
        )


def chapter_line(name: str) -> str:
    """Return the line that starts a chapter."""
    return f"{DOC} {' '.join(name.split())}\n"


def sentence_line(sentence: str, *, starts: bool, chance: float | None = None) -> str:
    """Return the line of a sentence; how likely it starts a paragraph comes as a third column."""
    more = "" if chance is None else f"\t{chance:.4f}"
    return f"{int(starts)}\t{' '.join(sentence.split())}{more}\n"


def _parsed(source: Source, line: str, number: int) -> tuple[str, str]:
    """Return the sign and the sentence of a line."""
    sign, tab, rest = line.partition("\t")
    if sign not in {"0", "1"} or not tab:
        what = f"begins with {sign!r:.30}" if tab else "has no tab"
        raise source.error(
            f"{what}; want 1 where a paragraph starts, else 0, a tab, and the sentence", number
        )
    sentence, tab, _ = rest.partition("\t")
    if tab:
        kind = "lines with more than two columns, the others passed over"
        source.notes.add(kind, f"{source.path} line {number}")
    sentence = sentence.strip()
    if not sentence:
        raise source.error("has a sign and no sentence; take the line out", number)
    if "\0" in sentence:
        raise FormatError("has a NUL byte; take it out", path=source.path, line=number)
    return sign, sentence


def _refuse_ends(source: Source, first: str, last: str, number: int) -> None:
    """Refuse a chapter whose first sign is 0 and whose last is 1: there 1 ends paragraphs."""
    if first == "0" and last == "1":
        raise source.error(
            "ends a chapter with 1 that began with 0: does 1 mark the ends of paragraphs? Want 1 "
            "where a paragraph starts, as at the first sentence",
            number,
        )


def _rows(name: str, part: int, sentences: list[str], starts: list[int]) -> Rows:
    return Rows(f"{name} ({part + 1})" if name and part else name, sentences, starts)
