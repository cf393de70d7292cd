"""Plain text: one segment per line, running text, and files of paragraphs.

Files of paragraphs have sentences in lines, each with a 1 at the start of a paragraph, else a 0:
UTF-8, one file for each book, with a tab between the digit and the sentence:

    # title: The Mill
    # doc: I. The Flood
    1   It had rained for nine days.
    0   On the tenth the miller went out.
    1   “Who is there?” he called.

First lines that begin with `#`, as `# title: ...`, are the header of the file. `# doc: NAME` starts
a chapter, which is one text of the model. An empty line ends a chapter, too. The first sentence of
a chapter always starts a paragraph. Further columns, as the confidences that `bitext paragraphs
split` writes, are ignored.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path, PurePath
from typing import NamedTuple

from bitext.errors import FormatError, InputError, OptionError, remedy
from bitext.formats.header_names import ALIKE, are_identifiers, is_identifier
from bitext.formats.io.compression import unpacked
from bitext.formats.io.encodings import mark_of
from bitext.formats.io.source import Notes, Source, open_source
from bitext.formats.line_files import read_lines
from bitext.lazy import late_pattern
from bitext.model import Bitext, Segmentation, Text
from bitext.paths import files_below, is_file, is_folder, is_same_document, may_be_there

# Plain text: files and folders, lines with their line ends.

_SUFFIXES = (".txt", ".text", ".tsv")
# Names of files about other files; with `more` only documents are, as `README.de.md`.
_NO_BOOK = late_pattern(r"(?i)(?:readme|licen[cs]e|changelog|contributing)(?P<more>[._-].*)?")
_FOREIGN_SHARE = 0.8  # least share of lines of another kind in a file that is no plain text
# A line that is a string of JSON, or one of Python in a list or of bytes; a quoted cell of CSV.
_LITERAL = late_pattern(
    r"""\s*(?:(?:b|(\[))?"(?:[^"\\]|\\.)*"|(?:b|(\[))'(?:[^'\\]|\\.)*')(?(1)\]|(?(2)\]|,?))\s*$"""
)
_CELL = late_pattern(r'"(?:[^"]|"")*"\s*$')
_FEWEST_QUOTED = 3  # lines, and cells of CSV, that show quoting; set by hand
# Lines, and cells, without an escape, of which fewer may be those of a dialogue; set by hand.
_MANY_QUOTED, _MANY_CELLS = 20, 10
_FEWEST_MARKS, _MARKS_ALONE = 2, 0.03  # punctuation marks, least number and share of words alone
_LONGEST_LINE = 4096  # bytes of a first line that is examined; set by hand
_TIMES = late_pattern(r"\s*(?:\d+:)?\d{1,2}:\d{2}[.,]\d{1,3}\s*-->")
_TAGGED = late_pattern(r"\S+[/|_](?:[A-Z]{1,5}\$?|[^\w\s]{1,2}|-[LR]RB-)")
_TAG_ALONE = late_pattern(r"</?[A-Za-z][^<>]*>|\.EOA")  # the second is a border of Bleualign
# A line that is one element, as `<url>...</url>`; those of HTML are text with markup.
_FIELD = late_pattern(
    r"<(?!(?:[abipqsu]|h\d|br|em|li|td|th|tt|code|cite|div|font|small|span|strong|su[bp])\b)"
    r"([A-Za-z][\w-]*)(?:\s[^<>]*)?>.*</\1>"
)
_OF_STRINGS = (".strings", ".properties", ".yml", ".yaml", ".ini", ".toml", ".po", ".pot", ".lang")
# Lines that are not plain text: what each has, their pattern, their name, and the advice.
_FOREIGN = (
    ("|||", late_pattern(r".*\S \|\|\| "), "two texts with ||| between", "give one of them"),
    ("", late_pattern(r"\s*[{\[]\s*[\"{\[]"), "JSON", "give the text that it holds"),
    (
        "<",
        late_pattern(r"\s*(?:<[A-Za-z?!][^<>]*>.*)?</?[A-Za-z][^<>]*>\s*$"),
        "markup",
        "leave it out",
    ),
    (
        '"',
        late_pattern(r'[^",]*,".*"\s*$'),
        "cells of a table with commas",
        "give those that are text",
    ),
    (
        "",
        late_pattern(r"# ?[\w.]+ ?=|\d+(?:[-.]\d+)?(?:\t[^\t]*){9}\s*$"),
        "words with their columns (CoNLL-U)",
        "give the sentences",
    ),
    (
        ":",
        late_pattern(
            r"\s*(?:[\[(](?:\d{1,2}:)?\d{1,3}:\d\d(?:[.,]\d{1,3})?[\])]|"
            r"\d{1,2}:\d\d:\d\d(?:[.,:;]\d{1,3})?(?!\d))"
        ),
        "a time before each line, as of a transcript",
        "leave the times out",
    ),
    ("|", late_pattern(r"\d{1,3}\|\d{1,3}\|"), "a number of a verse before each", "leave it out"),
    (
        "",
        late_pattern(
            r"\s*(?:[1-4]\.? ?)?(?:[^\W\d_]{2,15}\.? )?\d{1,3}"
            r"(?::\d{1,3}|[.,](?:[1-9]\d?|1[0-7]\d))[ \t]+[^\W\d_]"
        ),
        "a number of a verse before each",
        "leave it out",
    ),
    ("\t", late_pattern(r"\s*\d+\t"), "a number before each line", "leave the numbers out"),
    (",", late_pattern(r"\d+,[^\s\d]"), "a number and a comma before each line", "leave them out"),
    (
        " | ",
        late_pattern(r"[^|]*[^\s|\u0900-\u0d7f] \| [^\s|][^|]*$"),
        "columns with a bar between",
        "give the one that is text",
    ),
    (
        "\t",
        late_pattern(r"[^\t]*\S\t[^\t]*\S"),
        "columns with tabs between",
        "give the one that is text",
    ),
)


# A time alone on its line, and the share of such lines in a transcript, at least; set by hand
_TIME_ALONE = late_pattern(r"\s*[\[(]?(?:\d{1,2}:)?\d{1,3}:\d\d(?:[.,]\d{1,3})?[\])]?\s*$")
_TIMED_SHARE = 0.2


class TextFile(NamedTuple):
    """A file to read."""

    path: str  # the path, as in `open_source`
    name: str  # its path below the given folder, or its own name


def text_files(names: Sequence[str], notes: Notes | None = None) -> list[TextFile]:
    """Return the given files, and the text files and documents of given folders.

    Text files of a folder and its subfolders are those named `.txt`, `.text` or `.tsv`, or as
    documents are, compressed or not, in the order of their names, without hidden ones and without
    READMEs and licences. Of a text in several formats, the first of them is taken.

    `notes` takes the documents of a folder that are left out beside a file of the same name, and
    plain texts named as READMEs and licences.

    Raises `InputError` when there is no such file or a folder has no files, and `OptionError` when
    standard input is named twice.
    """
    if names.count("-") > 1:
        raise OptionError("standard input (-) is given twice: give it once")
    files = []
    for name in names:
        folder = Path(name)
        if name == "-" or not is_folder(folder):
            if name != "-" and not may_be_there(folder):
                open_source(name).close()  # which raises, with the most similar name
            files.append(TextFile(name, "standard input" if name == "-" else folder.name))
            continue
        inside = _texts_below(folder, notes)
        if not inside:
            raise InputError(
                f"{name}: has no file named {', '.join(_SUFFIXES)}, nor a document as .docx or "
                f".html, beside READMEs and licences; name the files"
            )
        files += [TextFile(str(path), path.relative_to(folder).as_posix()) for path in inside]
    return files


def _texts_below(folder: Path, notes: Notes | None) -> list[Path]:
    """Return the plain texts of a folder, and its documents without such a text or another one."""
    from bitext.formats.documents import FORMATS

    endings = [*_SUFFIXES, *(ending for known in FORMATS for ending in known.endings)]
    ranked: list[tuple[Path, Path, int]] = []  # file, its name without ending, rank of the ending
    best: dict[Path, int] = {}
    for path in files_below(folder):
        name = unpacked(path.name)
        rank = next((k for k, end in enumerate(endings) if name.lower().endswith(end)), None)
        hidden = any(part.startswith(".") for part in path.relative_to(folder).parts)
        if rank is None or hidden:
            continue
        stem = path.parent / name[: -len(endings[rank])]
        about = _NO_BOOK.fullmatch(stem.name)
        if about is not None and (rank >= len(_SUFFIXES) or not about["more"]):
            if notes is not None and rank < len(_SUFFIXES):
                notes.add(
                    "texts named as READMEs or licences, left out (name the files)", str(path)
                )
            continue
        ranked.append((path, stem, rank))
        best[stem] = min(rank, best.get(stem, rank))
    taken = []
    for path, stem, rank in ranked:
        if rank < len(_SUFFIXES) or rank == best[stem]:
            taken.append(path)
        elif notes is not None:
            kind = "documents beside the same text in another format, left out (name the files)"
            notes.add(kind, str(path))
    return taken


def raw_lines(source: Source) -> Iterator[str]:
    """Yield the lines of a file with their ends, while reading; a byte order mark is left out.

    Raises `FormatError` when the file cannot be decoded, or has NUL bytes.
    """
    for first, block in source.blocks():
        at = block.find("\0")
        if at >= 0:
            number = first + block.count("\n", 0, at)
            raise source.error(
                f"has a NUL byte, so it is not text in this encoding; name another "
                f"({remedy('encoding utf-16-le')}) or leave the file out",
                number,
            )
        lines = block.split("\n")
        last = lines.pop()
        yield from (f"{line}\n" for line in lines)
        if last:
            yield last


def foreign_lines(lines: Iterable[str], path: str = "") -> str:
    r"""Describe lines that are not plain text, with advice; empty for plain text.

    Detects subtitles, pairs of texts, JSON, markup, numbered lines, columns, words with tags, and
    line ends that are carriage returns or spelled as two characters, all of which would be read as
    words.

    `lines` are the first lines of a text, and `path` is the name of its file. Lines of a `.csv` are
    cells, also without quotation marks, and those of `.properties` and others have keys.

    Examples
    --------
    >>> foreign_lines(["It rained. ||| Es regnete.\n", "He came. ||| Er kam.\n"])
    'two texts with ||| between: give one of them'
    >>> foreign_lines(["It rained.\n", "He came.\n"])
    ''

    """
    filled = [line for line in lines if line.strip()]
    joined = "\n".join(filled)  # one search shows for all lines what no line has
    if _has(joined, "-->") and any(map(_TIMES.match, filled)):
        return "subtitles: leave their numbers and times out"
    returns = sum("\r" in line.strip() for line in filled) if "\r" in joined else 0
    if returns > _FOREIGN_SHARE * len(filled):
        return "lines that end with a carriage return alone: make line feeds of them"
    for part, pattern, name, advice in _FOREIGN:
        # The number before an only line may belong to its sentence.
        alone = len(filled) == 1 and name.startswith("a number")
        if _has(joined, part) and not alone and _match_most(pattern, filled):
            return f"{name}: {advice}"
    if found := _quoted_lines(filled) or _timed_lines(filled):
        return found
    words_alone = [s for s in map(str.strip, filled) if " " not in s and len(s.split(None, 1)) == 1]
    if len(words_alone) > _FOREIGN_SHARE * len(filled):
        marks = sum(not any(map(str.isalnum, word)) for word in words_alone)
        if marks >= max(_FEWEST_MARKS, _MARKS_ALONE * len(words_alone)):
            return "words with a line each: join those of a sentence"
    if filled and _are_tagged(joined):
        return "words with their tags: leave the tags out, or give columns"
    if "\\" in joined and joined.count("\\n") > len(filled):
        return "line ends written as two characters (\\n): make line ends of them"
    ending = Path(unpacked(path)).suffix.lower() if filled else ""
    if ending == ".csv":
        return "cells of a table, as the name of the file has it: give those that are text"
    if ending in _OF_STRINGS:
        return "strings with their keys, as the name of the file has it: leave the keys out"
    return ""


def _has(text: str, part: str) -> bool:
    """Check for a part of a text, by its first character first, in a tenth of the time."""
    return part.strip()[:1] in text and part in text


def _are_tagged(text: str) -> bool:
    """Check whether most words of a text have a tag."""
    marks = sum(text.count(mark) for mark in "/|_" if mark in text)
    if marks <= _FOREIGN_SHARE * (text.count("\n") + 1):  # a tag has a mark, and a line has a word
        return False
    words = text.split()
    return sum(_TAGGED.fullmatch(word) is not None for word in words) > _FOREIGN_SHARE * len(words)


def _quoted_lines(lines: Sequence[str]) -> str:
    """Describe lines that a program has put in quotation marks, with advice; empty for others."""
    if len(lines) < _FEWEST_QUOTED:
        return ""
    bare = sum(line[0] == line[-1] == '"' for line in map(str.strip, lines) if '"' in line)
    marked = 2 * bare < len(lines) or any("\\" in line for line in lines)
    if (marked or bare == len(lines) >= _MANY_QUOTED) and _match_most(_LITERAL, lines):
        return "strings in quotation marks (as of jq without -r): give the text that they hold"
    # Writers of CSV quote the cells with a comma or a mark, and no others.
    cells = [line for line in lines if line[0] == '"' and _CELL.match(line)]
    if len(cells) < _FEWEST_QUOTED:
        return ""
    others = [line for line in lines if "," in line or line.startswith('"')]
    doubled = any('""' in cell[1:-1] for cell in cells)
    fewest = _FEWEST_QUOTED if doubled else _MANY_CELLS
    some = fewest <= len(cells) == len(others) < len(lines)
    if some and all("," in cell or '""' in cell for cell in cells):
        return "cells of CSV, quoted where they have a comma: give the text that they hold"
    return ""


def _timed_lines(lines: Sequence[str]) -> str:
    """Describe lines of which many are a time alone, with advice; empty for others."""
    timed = sum(_TIME_ALONE.match(line) is not None for line in lines if ":" in line)
    if timed <= _TIMED_SHARE * len(lines):
        return ""
    return "times on lines of their own, as of a transcript: leave them out"


_ESCAPE = r"\\(?:u(?!00[0-7])[0-9A-Fa-f]{4}|x[C-Fc-f][0-9A-Fa-f])"
# What other programs made of characters: strings of which each match has one, whose search is far
# faster; a pattern; and the words for lines with it.
_ODD = (
    (("\ufffd",), late_pattern("\ufffd"), "with characters that were lost on the way (U+FFFD)"),
    (
        ("\u00ad", "\ufb00", "\ufb01", "\ufb02", "\ufb03", "\ufb04"),
        late_pattern("[\u00ad\ufb00-\ufb04]"),
        "with soft hyphens or ligatures (\ufb01), taken as they are: replace them",
    ),
    (("\0",), late_pattern("\0"), "with NUL characters, as damaged files have: leave them out"),
    (
        ("&",),
        late_pattern(r"&(?:[A-Za-z]{2,8}|#\d{2,5}|#[xX][0-9A-Fa-f]{2,5});"),
        "with references of HTML (&uuml;, &apos;), taken as they are: put the characters there",
    ),
    (
        ("\\u", "\\x"),
        # Beside a letter or another one, as texts on programming name them alone.
        late_pattern(rf"[^\W\d_]{_ESCAPE}|{_ESCAPE}(?:[^\W\d_]|\\[ux])"),
        "with escapes of programs (\\u00fc), taken as they are: put the characters there",
    ),
    (
        ("@@ ", "\u2581"),
        late_pattern(r"\S@@ \S|(?:^| )\u2581\w", re.MULTILINE),
        "of subwords (BPE, SentencePiece), taken as words: join them",
    ),
    (
        ("</",),
        late_pattern(r"^[^\S\n]*<([A-Za-z]\w*)>[^<>\n]*</\1>\s*$", re.MULTILINE),
        "with nothing but an element of markup (<url>...</url>), taken as they are: leave them out",
    ),
)


def changed_characters(lines: Sequence[str]) -> Iterator[tuple[str, int, str]]:
    r"""Yield the kinds of lines whose characters other programs changed, their number, the first.

    Examples
    --------
    >>> [(count, first) for _, count, first in changed_characters(["A.", "R&amp;D", "lo@@ west"])]
    [(1, 'R&amp;D'), (1, 'lo@@ west')]

    """
    joined = "\n".join(lines)
    for parts, pattern, kind in _ODD:
        if any(_has(joined, part) for part in parts) and pattern.search(joined):
            those = [line for line in lines if pattern.search(line)]
            yield f"lines {kind}", len(those), those[0].strip()


def tag_lines(lines: Sequence[str]) -> list[int]:
    """Return the numbers of lines that are a tag alone.

    Examples
    --------
    >>> tag_lines(["<p>", "It rained.", "</p>", "I <3 rain."])
    [1, 3]

    """
    return [k for k, line in enumerate(lines, start=1) if _TAG_ALONE.fullmatch(line.strip())]


def _match_most(pattern: re.Pattern[str], lines: Sequence[str]) -> bool:
    """Check whether more than the share `_FOREIGN_SHARE` of the lines match.

    The first lines that do not match decide, once too few others are left.
    """
    match, least = pattern.match, _FOREIGN_SHARE * len(lines)
    possible = len(lines)
    for line in lines:
        if match(line) is None:
            possible -= 1
            if possible <= least:
                return False
    return possible > least


# Files of strings by their endings; those of formats that contents show are sniffed.
_STRINGS = {".json": "JSON", ".arb": "JSON", ".yml": "YAML", ".yaml": "YAML", ".toml": "TOML"} | {
    ".conllu": "CoNLL-U",
    ".vert": "vertical text",
    ".vrt": "vertical text",
    ".properties": "Java properties",
    ".ini": "a list of settings",
    ".php": "a program",
    ".ftl": "strings of Fluent",
}
_SAMPLE = 200  # lines; set by hand
_HTML = late_pattern(r"\s*(?:<\?xml[^>]*>\s*)?(?:<!doctype\s+html|<html)\b", re.IGNORECASE)
_XML = late_pattern(r"\s*<(?:\?xml|!doctype|!entity)\b", re.IGNORECASE)
# Strings of programs as code: modules of JavaScript and TypeScript, resources of Windows
_CODE = late_pattern(
    r"\s*(?:(?://[^\n]*\n|/\*(?:[^*]|\*(?!/))*\*/|#[^\n]*\n)\s*)*"
    r"(?:export\s+default\s*[\w$.]*[({]|(?:export\s+)?const[ \t][^\n]*=\s*[\w$.(]*\{"
    r"|(?:module\.)?exports(?:\.\w+|\[[^\]\n]*\])?\s*="
    r"|import[ \t][^\n]*\sfrom\s*['\"][^'\"\n]*['\"];?[ \t]*(?:\n|\Z)|define\(|STRINGTABLE\s)"
)


def check_lines(source: Source, notes: Notes) -> None:
    """Refuse one of two files that is not a text by lines; note lines that seem to be none.

    Raises `FormatError` when it is XML, HTML or JSON, or a file of another format by its name and
    contents.
    """
    from bitext.formats.registry import by_suffix

    head = source.head()
    mark, encoding = mark_of(head, source.encoding)
    text = head[len(mark) :].decode(encoding, "replace")
    name = unpacked(source.path)
    named = by_suffix(source.path)
    what = _STRINGS.get(PurePath(name).suffix.lower(), "")
    if _HTML.match(text):
        what = "an HTML page"
    elif _XML.match(text):
        what = "XML"
    elif _CODE.match(text):
        what = "a program"
    elif not what and named is not None and named.sniff(head):
        what = f"a file of alignments ({named.name})"
    elif not what and (foreign := foreign_lines(text.split("\n")[:_SAMPLE], source.path)):
        if foreign.startswith("JSON"):
            what = "JSON"
        else:
            notes.add(f"lines that seem to be {foreign}; taken as segments", source.path)
    else:
        lines = text.split("\n")[:_SAMPLE]
        tags = tag_lines(lines)
        fields = [k for k, line in enumerate(lines, start=1) if _FIELD.fullmatch(line.strip())]
        for kind, which in (("a tag alone", tags), ("a field in tags, as of IWSLT", fields)):
            if which:
                case = f"{source.path} line {which[0]}: {lines[which[0] - 1].strip()[:40]!r}"
                notes.add(f"lines that are {kind}, taken as segments", case, len(which))
    if what:
        raise source.error(
            f"is {what}, and two files are read line by line: give the texts with one segment a "
            f"line, or a file of both languages alone, or name {remedy('from moses')} to read its "
            f"lines as they are"
        )


DOC = "# doc:"

_SENTENCE = late_pattern(rb"[01]\t")
# Rows of similar files, which are refused with advice rather than read as plain text.
_NEARLY = (_SENTENCE, late_pattern(rb"[^\t]+\t[01]\s*$"), late_pattern(rb"[BIOE]\t"))
_ROW_SHARE = 0.9  # least share of such rows after the first line; set by hand
_HEAD_LINE = late_pattern(rb"# ?[\w-]+:")
_HEAD_FIELD = late_pattern(r"#\s*([\w-]+)\s*:\s*(.*)")


class Rows(NamedTuple):
    """The rows of a chapter."""

    # The name in the file, with a number appended if an empty line ended an earlier part; empty
    # without a name.
    name: str
    sentences: list[str]
    starts: list[int]  # the indices of the sentences that start a paragraph, ascending from 0
    line: int  # the line of the first sentence; the others follow it line by line


def is_paragraph_file(head: bytes) -> bool:
    """Distinguish a file of paragraphs (True) from plain text by its first bytes.

    True also for similar files, with other columns or labels, which reading refuses.
    """
    lines = head.removeprefix(b"\xef\xbb\xbf").splitlines()
    rows = [line for line in lines if line.strip() and not line.startswith(b"#")]
    if rows:
        rest = rows[1:]
        counts = (sum(pattern.match(row) is not None for row in rest) for pattern in _NEARLY)
        known = _SENTENCE.match(rows[0]) is not None
        return known or (len(rest) > 1 and max(counts) >= _ROW_SHARE * len(rest))
    filled = [line for line in lines if line.strip()]
    return bool(filled) and all(map(_HEAD_LINE.match, filled))


def read_chapters(source: Source, head: dict[str, str] | None = None) -> Iterator[Text]:
    """Yield the chapters of a file while reading.

    A chapter is a text of sentences with its `paragraphs`, named `FILE: CHAPTER`. The notes of the
    source take irregularities; `head` takes the fields of the header (`title`, `author`, `source`,
    `rights`).

    Raises `FormatError`, with the line, when a line is not a sentence after a 0 or 1, or the file
    has no sentence.
    """
    for number, (name, sentences, starts, _) in enumerate(read_rows(source, head)):
        shown = name or (f"text ({number + 1})" if number else "")
        full = f"{source.path}: {shown}" if shown else source.path
        paragraphs = Segmentation.from_boundaries(starts[1:], len(sentences))
        yield Text(sentences, name=full, paragraphs=paragraphs)


def read_rows(
    source: Source,
    head: dict[str, str] | None = None,
    *,
    lines: Iterable[tuple[int, str]] | None = None,
) -> Iterator[Rows]:
    """Yield the rows of each chapter; parameters and errors as in `read_chapters`.

    `lines` are the numbered lines of the source, if they have been read.
    """
    name, parts, has_sentences = "", 0, False
    fields = {} if head is None else head
    numbered = source.stream_lines() if lines is None else lines
    for is_border, group in groupby(numbered, key=lambda each: _is_border(each[1])):
        if not is_border:
            yield _chapter_part(source, group, f"{name} ({parts + 1})" if name and parts else name)
            parts, has_sentences = parts + 1, True
            continue
        for _, line in group:
            if line.startswith(DOC):
                name, parts = line.removeprefix(DOC).strip(), 0
            elif not has_sentences and (field := _HEAD_FIELD.fullmatch(line.rstrip())):
                fields[field[1]] = field[2]
    if not has_sentences:
        raise source.error("has no sentence; want lines of 1 or 0, a tab and a sentence")


def _is_border(line: str) -> bool:
    return line.startswith("#") or not line.strip()


def _chapter_part(source: Source, lines: Iterable[tuple[int, str]], name: str) -> Rows:
    """Return the rows of lines of sentences; refuse those whose signs seem to mark ends."""
    rows = [(number, *_parsed(source, line, number)) for number, line in lines]
    (first, begins, _), (last, ends, _) = rows[0], rows[-1]
    if begins == "0":
        kind = "chapters whose first sentence has the sign 0, taken as 1: 1 starts a paragraph"
        source.note(kind, line=first)
        if ends == "1":
            raise source.error(
                "ends a chapter with 1 that began with 0: does 1 mark the ends of paragraphs? Want "
                "1 where a paragraph starts, as at the first sentence",
                last,
            )
    starts = [k for k, (_, digit, _) in enumerate(rows) if not k or digit == "1"]
    return Rows(name, [sentence for *_, sentence in rows], starts, first)


def chapter_line(name: str) -> str:
    """Return the line that starts a chapter."""
    return f"{DOC} {' '.join(name.split())}\n"


def sentence_line(sentence: str, *, starts: bool, chance: float | None = None) -> str:
    """Return the line of a sentence, with the probability of a paragraph as a third column."""
    more = "" if chance is None else f"\t{chance:.4f}"
    return f"{int(starts)}\t{' '.join(sentence.split())}{more}\n"


def _parsed(source: Source, line: str, number: int) -> tuple[str, str]:
    """Return the digit and the sentence of a line."""
    digit, tab, rest = line.partition("\t")
    if digit not in {"0", "1"} or not tab:
        flaw = f"begins with {digit!r:.30}" if tab else "has no tab"
        raise source.error(
            f"{flaw}; want 1 where a paragraph starts, else 0, a tab, and the sentence", number
        )
    sentence, tab, _ = rest.partition("\t")
    if tab:
        source.note("lines with more than two columns, the others skipped", line=number)
    sentence = sentence.strip()
    if not sentence:
        raise source.error("has a 0 or 1 and no sentence; delete the line", number)
    if "\0" in sentence:
        raise FormatError("has a NUL byte; take it out", path=source.path, line=number)
    return digit, sentence


# Texts for alignments that hold only positions or identifiers.


def load_text(
    value: str | os.PathLike[str] | Text | None, encoding: str = "utf-8", notes: Notes | None = None
) -> Text | None:
    """Return a text that a user gave: a `Text` unchanged, a file read.

    A file that begins with an XML declaration, a document type or the root element of a known
    kind of document is read as such, and subtitles have one segment per cue, as `bitext align` has
    them; any other file has one segment per line. Irregularities of the file go to `notes`.

    Raises `FormatError` when the file is a document of running text, as DOCX or HTML: its lines are
    no sentences.
    """
    if value is None or isinstance(value, Text):
        return value
    if not isinstance(value, str | os.PathLike):
        raise InputError(f"a text is given as {value!r:.60}: want the name of its file, or a Text")
    with open_source(value, encoding=encoding) as source:
        return _read_text(source, notes)


def _read_text(source: Source, notes: Notes | None) -> Text:
    from bitext.formats.documents import document_format
    from bitext.formats.opus_documents import is_document, read_document

    head = source.head()
    if is_document(head) and document_format(head, source.path) is None:
        text = read_document(source, counted=True)
    else:
        text = read_lines_or_cues(source)
    if notes is not None:
        notes.extend(source.notes)
    return text


_OWN_ID = late_pattern(r"\d{1,3}\|\d{1,3}\||[^\s\t]{1,100}\t[^\t\n]*(?:\n|$)")
_VERSE = late_pattern(r"(\d{1,3})\|(\d{1,3})\|(.*)")  # as `1|7|`


def read_lines_or_cues(source: Source) -> Text:
    """Read a text that positions or ids point into: one segment per line, or a cue of subtitles.

    Raises `FormatError` when the file is a document of running text, as DOCX or HTML, or a file of
    positions by its name and contents: its lines are no sentences.
    """
    from bitext.formats.documents import document_format
    from bitext.formats.registry import by_suffix
    from bitext.formats.subtitles import is_subtitles, read_subtitles

    head = source.head()
    named = by_suffix(source.path)
    if named is not None and named.holds == "positions" and named.sniff(head):
        raise source.error(
            f"is a file of alignments ({named.name}), where a text is wanted: name the text "
            f"({remedy(source.side) if source.side else remedy('src', 'tgt')})"
        )
    known = document_format(head, source.path)
    if known is not None:
        lines = "" if known.begins else ", or if each line is a segment, name the file .txt"
        raise source.error(
            f"is {known.title}, which has no segments that positions could count: give the "
            f"sentences that were aligned, one a line, or an alignment that holds its texts (tsv, "
            f"tmx){lines}"
        )
    if is_subtitles(head, source.path, source.encoding):
        return read_subtitles(source, "", dialogue=None)
    return with_own_ids(read_lines(source), source.notes)


def begin_with_own_ids(src: str, tgt: str, encoding: str) -> bool:
    """Check whether `with_own_ids` may divide the first lines of both files."""
    for path, side in ((src, "src"), (tgt, "tgt")):
        if not is_file(path):  # a pipe can be read once
            return False
        with open_source(path, encoding=encoding, side=side) as source:
            head = source.head()
            mark, named = mark_of(head, source.encoding)
        if not _OWN_ID.match(head[len(mark) : _LONGEST_LINE].decode(named, "ignore")):
            return False
    return True


def with_own_ids(text: Text, notes: Notes) -> Text:
    r"""Return the text with the identifiers that its lines begin with, before a tab, as of BUCC.

    All lines have one tab, and distinct identifiers before it, most of one shape (`de-000012`,
    `17`); or chapter and verse before bars (`1|7|`), as texts of Tanzil, of which empty lines and
    those that begin with `#` are left out. Any other text is returned as it is.

    Examples
    --------
    >>> from bitext.formats.io.source import Notes
    >>> text = with_own_ids(Text(["s1.1\tIt rained.", "s1.2\tHe came."]), Notes())
    >>> text.ids, list(text.segments())
    (['s1.1', 's1.2'], ['It rained.', 'He came.'])
    >>> with_own_ids(Text(["1|1|It rained.", "1|2|He came."]), Notes()).ids
    ['1:1', '1:2']

    """
    first = next(text.segments(), "")
    pairs: list[tuple[str, str]] = []
    if _VERSE.fullmatch(first):
        lines = [line for line in text.segments() if line.strip() and line[0] != "#"]
        verses = [_VERSE.fullmatch(line) for line in lines]
        pairs = [(f"{match[1]}:{match[2]}", match[3]) for match in verses if match]
        kind = "texts with chapter and verse before each line, read as its identifier"
        if len(pairs) < len(lines):
            return text
    elif first.count("\t") == 1 and is_identifier(first.partition("\t")[0]):
        rows = [line.split("\t") for line in text.segments()]
        kind = "texts with an identifier and a tab before each sentence, read as its identifier"
        if any(len(row) != 2 for row in rows):
            return text
        pairs = [(name.strip(), sentence.strip()) for name, sentence in rows]
        names = [name for name, _ in pairs]
        if not (all(map(is_identifier, names)) and are_identifiers(names)):
            return text
        if all(is_identifier(sentence) for _, sentence in pairs):
            return text
    if len(pairs) < ALIKE or len({name for name, _ in pairs}) < len(pairs):
        return text
    ids, sentences = zip(*pairs, strict=True)
    notes.add(kind, f"{text.name}: {first[:40]!r}")
    return Text(sentences, ids=ids, name=text.name, lang=text.lang)


def load_texts(
    src: str | os.PathLike[str] | Text | None,
    tgt: str | os.PathLike[str] | Text | None,
    encoding: str = "utf-8",
    notes: Notes | None = None,
    on_bad: Callable[[FormatError], None] | None = None,
) -> tuple[Text | None, Text | None]:
    """Return the two texts that a user gave, each as by `load_text`.

    A file of lines `source ||| target`, as fast_align reads them, holds both texts: it is named
    as the source text alone, or as both.

    Raises `InputError` when such a file is named beside another one, or as the target text alone.
    """
    texts: list[Text | None] = []
    for side, given, other in (("src", src, tgt), ("tgt", tgt, src)):
        if not isinstance(given, str | os.PathLike):
            texts.append(load_text(given))
            continue
        with open_source(given, encoding=encoding, side=side) as source:  # once: it may be a pipe
            source.on_bad = on_bad
            head = source.head()
            if b"|||" in head:
                from bitext.formats.moses import is_of_both_sides, read_both_sides
            if b"|||" not in head or not is_of_both_sides(head):
                texts.append(_read_text(source, notes))
                continue
            if given != other and (other is not None or texts):
                raise InputError(
                    f"{source.path}: holds both texts (source ||| target): name it alone, "
                    f"as the source text ({remedy('src')})"
                )
            both = read_both_sides(source)
            if notes is not None:
                notes.extend(source.notes)
            return both
    return texts[0], texts[1]


def refuse_exchanged(
    source: Source, bitext: Bitext, given: tuple[Text | None, Text | None]
) -> None:
    """Refuse texts that a user gave in each other's place.

    Raises `FormatError` when the path of a text is that of the document that the file of links
    names for the other side.
    """
    documents = [str(bitext.meta.get(key, "")) for key in ("src_doc", "tgt_doc")]
    if not all(documents):
        return
    ways = remedy("src"), remedy("tgt")
    for side, (text, own) in enumerate(zip(given, documents, strict=True)):
        if (
            text is not None
            and text.name
            and is_same_document(text.name, documents[1 - side])
            and not is_same_document(text.name, own)
        ):
            raise source.error(
                f"aligns {documents[0]!r} with {documents[1]!r}, and {ways[side]} is "
                f"{text.name!r}: exchange {ways[0]} and {ways[1]}"
            )
