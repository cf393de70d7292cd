r"""CSV (RFC 4180): one bisegment per row, with any columns; quoted cells may have breaks.

Read
    The separator (comma, semicolon, tab, bar) is the one that gives most rows two cells or more;
    among several the one with clear columns, a header, or equal rows. `sep=;` on the first line, as
    in Excel, has priority, and `--columns sep=semicolon` names it. If two fit equally well, the
    file is refused. A quotation mark within a cell in quotation marks is doubled; others are
    refused with their line. Cells in single quotation marks, and blanks before quotation marks, are
    read as quoting if most lines have them, with a note. A cell has 131,072 characters at most,
    which bounds the search for a closing mark.

    Databases and Hadoop write a quotation mark within a cell as `\"`, a backslash as `\\`. They
    are read, with a note, where the first rows cannot be read otherwise, or as `--columns
    escape=backslash` and `none` say: a backslash before a quotation mark, a backslash, a separator
    or a line end is left out, and any other is a character. A cell `\N` (NULL) is empty, except for
    tables of bitext, and noted.

    Columns, headers, segments and documents are those of `bitext.formats.tables`. A byte order
    mark sets the encoding (UTF-8, UTF-16); rows end with LF or CRLF.

Written
    UTF-8 with a comma, LF at line ends, marks around the cells that need them, and a header. Text
    is never changed: a spreadsheet program that opens the file takes a cell that begins with `=`,
    `+`, `-` or `@` for a formula, so cells of this kind are noted; XLSX has them as text.

| kept | lost |
| --- | --- |
| texts, borders, empty sides and segments, tabs and line ends | ids, inline codes, paragraphs |
| scores, attributes, word links, languages, further ones | overlaps, gaps, crossings, uncovered |
| borders of documents, characters of any kind | documents without bisegments |
| | empty values of columns, which come back as missing values |
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import chain
from typing import IO, Any

from bitext.errors import remedy
from bitext.formats.columns import ESCAPES, SEPARATORS, UnclearColumnsError, lay_out
from bitext.formats.header_names import heads_of
from bitext.formats.io.encodings import mark_of
from bitext.formats.io.source import Notes, Source
from bitext.formats.line_files import head_lines
from bitext.formats.multitexts import Multitexts
from bitext.formats.registry import Format, ReadOptions, WriteOptions
from bitext.formats.tables import read_rows
from bitext.formats.tables.writing import KEEPS, Written, multitext_table, written_table
from bitext.model import Bitext

_SAMPLE = 200  # rows that separators are tried on; set by hand
_EVEN = 0.9  # least share of rows with the usual number of cells; set by hand
_SEPARATOR_LINE = "sep="  # of Excel
_TITLES = 8  # lines before and with a header, at most, where the contents have to show CSV
# A header with `translation` and no source, and in the next row `{'en': '`, or with doubled marks.
_OBJECTS = re.compile(
    r"(?![^\n]*(?:source|src|original))[^\n]*\btranslations?\b[^\n]*\n"
    r"[^\n]*[{]\s*([\"']{1,2})[a-z]{2,3}(?:[-_]\w+)?\1\s*:\s*[\"']"
)
_LONGEST = 1000  # characters of a header; set by hand: longer lines are texts


def _sniff(head: bytes) -> int:
    """Return a confidence by a header that names the two texts; other contents decide nothing.

    Lines with a single cell may be a title before the header.
    """
    lines = head_lines(head, _TITLES)
    if len(lines) < 2 or lines[0].startswith("{"):
        return 0
    first = lines[0].removeprefix("\ufeff")
    if first.lower().startswith(_SEPARATOR_LINE) and len(first) == len(_SEPARATOR_LINE) + 1:
        return 50
    for separator in ",;":
        for line in lines[:-1]:
            cells = [] if "\t" in line or len(line) > _LONGEST else _cells(line, separator)
            if sum(map(bool, cells)) > 1:
                if _is_header(cells):
                    return 33
                break
    return 0


def _cells(line: str, separator: str) -> list[str]:
    try:
        return next(csv.reader([line], delimiter=separator, strict=True), [])
    except csv.Error:
        return []


def _is_header(cells: list[str]) -> bool:
    """Recognise cells that name two sides, or languages beside other usual columns."""
    heads = heads_of(cells)
    sides = {head.role for head in heads if head.role in {"src", "tgt"} and head.rank < 3}
    langs = {head.lang for head in heads if head.lang}
    named = [head for head, cell in zip(heads, cells, strict=True) if cell.strip()]
    return len(sides) == 2 or (len(langs) > 1 and all(head.role or head.lang for head in named))


def is_tab_separated(head: bytes) -> bool:
    """Test the first lines for columns separated by tabs, without quoted cells."""
    text = _sample(head, "utf-8")
    lines = [line for line in text.split("\n") if line.strip()]
    quoted = any(cell.startswith('"') for line in lines for cell in line.split("\t"))
    return bool(lines) and all("\t" in line for line in lines) and not quoted


def _sample(head: bytes, encoding: str) -> str:
    """Decode the first bytes of a file; a last line that may be cut is left out."""
    bom, encoding = mark_of(head, encoding)
    text = head[len(bom) :].decode(encoding, "replace")
    whole, newline, _ = text.rpartition("\n")
    return whole if newline and len(head) >= 1 << 15 else text


def _read(source: Source, options: ReadOptions) -> Iterator[Bitext]:
    text = _sample(source.head(), source.encoding)
    line = text.partition("\n")[0]
    first = line.rstrip("\r")
    named = first.lower().startswith(_SEPARATOR_LINE) and len(first) == len(_SEPARATOR_LINE) + 1
    separator = options.columns.separator or (first[-1] if named else "")
    if not options.columns.named and _OBJECTS.match(text):
        raise source.error(
            "has objects with its texts by language in a column 'translation', as data sets of "
            "Hugging Face have them: save it as JSON lines (to_json) or Parquet"
        )
    escaped = options.columns.escape == ESCAPES[0]
    if not options.columns.escape and _is_escaped(text, separator):
        kind = 'tables with \\" for quotation marks in cells, read with backslashes as escapes'
        way = remedy("columns escape=none")
        source.note(f"{kind} ({way} reads them as characters)")
        escaped = True
    sample = _masked(text, "") if escaped else text
    separator = separator or _separator(source, sample, options)
    if separator == "|" and _is_markdown(sample):
        rows = _markdown_rows(source)
    else:
        rows = _rows(source, separator, _quoting(source, sample, separator), escaped=escaped)
    if named:
        next(rows, None)
    if first != line and "bead" in first.replace('"', "").lower().split(separator):
        # Written with LF, and changed as a whole to CRLF, so also between segments.
        rows = ((number, [cell.replace("\r\n", "\n") for cell in row]) for number, row in rows)
    yield from read_rows(source, options, rows)


def _separator(source: Source, text: str, options: ReadOptions) -> str:
    """Return the separator of the columns, by the first rows.

    Raises `FormatError` when no separator fits, or two do.
    """
    # Whether the columns are clear, whether there is a header, and how even the rows are.
    fitting: dict[str, tuple[bool, bool, bool, bool]] = {}
    for separator in SEPARATORS.values():
        rows = [row for row in _tried(text, separator) if row and not _is_comment(row)]
        if 2 * sum(len(row) > 1 for row in rows) <= len(rows):
            continue
        widths = Counter(map(len, rows))
        width = max(widths, key=lambda each: (widths[each], each))
        even = [row for row in rows if len(row) == width]
        clear, header = True, False
        try:
            header = lay_out(even, options.columns, options.requested).header
        except UnclearColumnsError:
            clear = False
        evenness = len(even) >= _EVEN * len(rows), len(even) == len(rows)
        fitting[separator] = (clear, header, *evenness)
    if not fitting and "\r" in text and "\n" not in text:
        raise source.error(_CARRIAGE_RETURNS)
    if not fitting:
        way = remedy("columns sep=semicolon")
        raise source.error(
            f"has no separator that gives most rows two columns or more: want a comma, a "
            f"semicolon, a tab or a bar ({way} names it)"
        )
    best = max(fitting.values())
    those = [name for name, each in SEPARATORS.items() if fitting.get(each) == best]
    if len(those) > 1 and best[0]:
        ways = remedy(*(f"columns sep={name}" for name in those))
        raise source.error(
            f"can be read with columns separated by {' or '.join(those)}: name the separator "
            f"({ways})"
        )
    return SEPARATORS[those[0]]


def _is_comment(row: list[str]) -> bool:
    return len(row) == 1 and row[0].startswith("#")


# Tables of Markdown. The row of marks below the header shows them.

_RULE = re.compile(r" {0,3}(?:\|[ \t]*)?:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)+\|?[ \t]*\r?")
_CELL_BORDER = re.compile(r"(?<!\\)\|")


def _is_markdown(text: str) -> bool:
    """Recognise a Markdown table by the rule below its header."""
    lines = [line for line in text.split("\n", 8) if line.strip()]
    return len(lines) > 1 and "|" in lines[0] and _RULE.fullmatch(lines[1]) is not None


def _markdown_rows(source: Source) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows of a table of Markdown: cells without the blanks around them."""
    source.note("tables of Markdown, cells read without the blanks around them")
    ruled = False
    for number, line in source.stream_lines():
        if not ruled and _RULE.fullmatch(line):
            ruled = True
            continue
        inner = line.strip().removeprefix("|")
        inner = inner[:-1] if inner.endswith("|") and not inner.endswith("\\|") else inner
        cells = _CELL_BORDER.split(inner) if inner else []
        yield number, [cell.strip().replace("\\|", "|") for cell in cells]


# Escapes. What they stand for is put into the text as halves of surrogate pairs, which no decoded
# text has, and is put back in the cells.

_MASKS = {
    "\\": "\ud800",
    '"': "\ud801",
    "\n": "\ud802",
    "\r\n": "\ud802",
    ",": "\ud803",
    ";": "\ud804",
    "|": "\ud805",
    "\t": "\ud806",
}
_LINE_END, _NEW_LINE, _RETURN = "\ud802", "\ud807", "\ud808"
_OF_LETTERS = {"n": _NEW_LINE, "t": _MASKS["\t"], "r": _RETURN, "N": "\\N"}
_UNMASKED = {ord(mask): char for char, mask in _MASKS.items() if char != "\r\n"}
_UNMASKED |= {ord(_NEW_LINE): "\n", ord(_RETURN): "\r"}
_MASKED = re.compile("[\ud800-\ud808]")
_ANY_ESCAPE = re.compile(r"\\(\r\n|.)", re.DOTALL)


def _masked(text: str, separator: str) -> str:
    """Return a text of CSV with masks for escapes; without `separator` those of any separator."""
    named = {"\\", '"', "\n", "\r\n", *(separator or SEPARATORS.values())}

    def one(match: re.Match[str]) -> str:
        return _MASKS[match[1]] if match[1] in named else match[0]

    return _ANY_ESCAPE.sub(one, text) if "\\" in text else text


def _unmasked(cells: list[str]) -> list[str]:
    return [cell.translate(_UNMASKED) if _MASKED.search(cell) else cell for cell in cells]


def _is_escaped(text: str, separator: str) -> bool:
    r"""Check whether the first rows have `\"` in cells and are readable in no other way."""
    if '\\"' not in text:
        return False
    separators = [separator] if separator else [*SEPARATORS.values()]
    masked = _masked(text, "")
    for each in separators:
        plain, escaped = _tried_whole(text, each), _tried_whole(masked, each)
        if escaped and max(map(len, escaped)) > 1 and len(set(map(len, escaped))) == 1:
            return not plain or len(set(map(len, plain))) > 1
    return False


def _tried_whole(text: str, separator: str) -> list[list[str]]:
    """Return the rows of a text with a separator; none if one of them is not sound."""
    reader = csv.reader(io.StringIO(text, newline="\n"), delimiter=separator, strict=True)
    rows: list[list[str]] = []
    try:
        rows.extend(filter(None, reader))
    except csv.Error as error:
        # The last row may be cut.
        return rows if "unexpected end" in str(error) else []
    return rows


def unescaped_rows(source: Source) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows of TSV with escapes as databases write them, each with its line."""

    def one(match: re.Match[str]) -> str:
        char = match[1]
        return _OF_LETTERS.get(char) or _MASKS.get(char) or char

    line, rest = 1, ""
    for _, block in source.blocks():
        *lines, rest = (rest + _ANY_ESCAPE.sub(one, block)).split("\n")
        for text in lines:
            yield line, _unmasked(text.removesuffix("\r").split("\t"))
            line += 1 + text.count(_LINE_END)
    if rest:
        yield line, _unmasked(rest.removesuffix("\r").split("\t"))


def _tried(text: str, separator: str) -> list[list[str]]:
    """Return the first rows with a separator, up to one that is not sound."""
    rows: list[list[str]] = []
    reader = csv.reader(io.StringIO(text, newline="\n"), delimiter=separator, strict=True)
    with suppress(csv.Error):  # reading with this separator raises it again
        for row in reader:
            rows.append(row)
            if len(rows) == _SAMPLE:
                break
    return rows


def _quoting(source: Source, text: str, separator: str) -> dict[str, Any]:
    """Return the options of quoting that differ from RFC 4180, where most first lines show them."""
    lines = [line.rstrip("\r") for line in text.split("\n")[1 : _SAMPLE + 1]]
    lines = [line for line in lines if line]
    single = f"'{separator}'"
    if sum(line[0] == line[-1] == "'" and single in line for line in lines) > _EVEN * len(lines):
        source.note("tables with cells in single quotation marks, read as quoted")
        return {"quotechar": "'"}
    blank = re.compile(f'{re.escape(separator)} +"')
    if sum(bool(blank.search(line)) for line in lines) > _EVEN * len(lines):
        source.note("tables with blanks before quotation marks, read as quoted without the blanks")
        return {"skipinitialspace": True}
    return {}


def _rows(
    source: Source, separator: str, quoting: dict[str, Any], *, escaped: bool
) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows, each with the number of its first line.

    If bad rows are left out, the lines after the first line of one are read again: a mark that is
    not closed has joined them to it.
    """
    texts = (_masked(block, separator) if escaped else block for _, block in source.blocks())
    blocks = (io.StringIO(block, newline="\n") for block in texts)
    lines: Iterator[str] = chain.from_iterable(blocks)
    held: list[str] = []  # the lines of the row that is being read
    again: list[str] = []  # lines to be read again, the next one last

    def begun() -> Any:
        given = lines if source.on_bad is None else _recorded(lines, again, held)
        return csv.reader(given, delimiter=separator, strict=True, **quoting)

    reader = begun()
    # The first line of the reader, and the lines that escapes joined to the next one.
    line = first = 1
    joined = 0
    while True:
        try:
            for row in reader:
                if escaped:
                    joined += sum(cell.count(_LINE_END) for cell in row)
                    yield line, _unmasked(row)
                else:
                    yield line, row
                line = first + reader.line_num + joined
                held.clear()
        except csv.Error as error:
            source.refuse(_flaw(str(error), separator), line)
            if not held:
                return
            line = first = line + 1 + held[0].count(_LINE_END)
            joined = 0
            again += held[:0:-1]
            held.clear()
            reader = begun()
        else:
            return


def _recorded(lines: Iterator[str], again: list[str], held: list[str]) -> Iterator[str]:
    """Yield the lines to be read again, and then the others; add them to those of the row."""
    while (line := again.pop() if again else next(lines, None)) is not None:
        held.append(line)
        yield line


_CARRIAGE_RETURNS = (
    "has a carriage return outside of quotation marks: save the file with line ends of LF or CRLF"
)


def _flaw(reason: str, separator: str) -> str:
    if "field limit" in reason:
        return (
            f"begins a cell of more than {csv.field_size_limit():,} characters: is a closing "
            f"quotation mark missing?"
        )
    if "unexpected end" in reason:
        return "begins a cell in quotation marks that is not closed: add the mark that is missing"
    if "expected after" in reason:
        way = remedy("from tsv", python="format='tsv'")
        hint = f", or if marks have no meaning here, read it as TSV ({way})"
        escape = remedy("columns escape=backslash")
        return (
            'has a quotation mark within a cell in quotation marks: double it, as "" '
            f'({escape} if it is written \\"){hint if separator == chr(9) else ""}'
        )
    if "new-line" in reason:
        return _CARRIAGE_RETURNS
    return f"is not CSV: {reason}"


def _write(bitexts: Iterable[Bitext], out: IO[str], *, options: WriteOptions) -> None:
    with written_table(bitexts, options, "csv") as table:
        _write_table(table, out)


def _write_multitexts(multitexts: Multitexts, out: IO[str]) -> None:
    _write_table(multitext_table(multitexts), out)


def _write_table(table: Written, out: IO[str]) -> None:
    # Marks go around a carriage return only where it is part of the line end.
    writer = csv.writer(_LineFeeds(out), lineterminator="\r\n")
    writer.writerow(table.header)
    writer.writerows(table.rows)


class _LineFeeds:
    """A file for rows, which end with CRLF and are written with LF."""

    def __init__(self, out: IO[str]) -> None:
        self._write = out.write

    def write(self, row: str) -> int:
        return self._write(row[:-2] + "\n")


_FORMULA = ("=", "+", "-", "@", "\t", "\r")  # what spreadsheet programs begin formulas with


def _note_formulas(bitexts: Iterable[Bitext], notes: Notes) -> Iterator[Bitext]:
    """Yield bitexts; note segments that a spreadsheet program takes for formulas."""
    for bitext in bitexts:
        for side, text in (("source", bitext.src), ("target", bitext.tgt)):
            if text is None or not text.has_text:
                continue
            those = [segment for segment in text.segments() if segment.startswith(_FORMULA)]
            if those:
                kind = (
                    "segments that a spreadsheet program may take for formulas: import them as "
                    "text, or write XLSX"
                )
                notes.add(kind, f"{side}: {those[0][:40]!r}", len(those))
        yield bitext


FORMAT = Format(
    name="csv",
    title="one row a bisegment, in columns with quoting (CSV)",
    suffixes=(".csv",),
    sniff=_sniff,
    read=_read,
    write=_write,
    write_multitexts=_write_multitexts,
    keeps=KEEPS,
    streams=True,
    tabular=True,
    remarks=_note_formulas,
)
