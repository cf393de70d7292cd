r"""TSV: one bisegment per line: source, target, then any columns, separated by tabs; no quoting.

Columns
    A first line that names a source and a target column (`src tgt`, `source target`,
    `text1 text2`, ...) or two languages (`en de`, `English Icelandic`) is a header, and its names
    are the names of the columns. Without one, a column of numbers only, of addresses or of language
    codes holds no text, and the texts are the first two of the others: `1.23 src tgt` (LASER),
    `id src id tgt` (Tatoeba), `url1 url2 text1 text2` (ParaCrawl). Any layout but the plain one is
    noted; a file with fewer than two columns of text is refused. `--columns src=2,tgt=3` names the
    columns by their numbers or by the header, `--head` and `--no-head` set whether there is one.
    The other columns are attributes, `col3` and so on without a header; an empty cell is not a
    value.
Score
    The column named `score`, or without a header the column after the texts, or else the only one
    of decimal numbers before them, if all its cells are numbers.
Ragged lines
    Each kind is noted. A line with more columns than the first, or without both texts, is left
    out, since a surplus or missing tab shifts the texts; in such a file an empty column may be a
    missing one, so lines with an empty side are left out, too. A line that lacks only columns after
    the texts is read.
Escapes
    `--columns escape=backslash` reads what databases write: `\t`, `\n`, `\r`, `\\`, a backslash
    before a tab or a line end, and `\N` for no text. Otherwise these are characters, except for a
    cell `\N`, which is empty in a table without the header `src tgt`, and noted. In a memory of
    Wordfast (first line `%...`), `&'26;` is `&`, and so on.
Read in parts
    Whether there are scores, and whether the file is ragged, depends on the lines read so far.
    Later contradictions are noted: a cell that is not a number among scores becomes an attribute,
    and a line with an empty side before the first ragged line is not left out. One of the first
    1000 lines must have two columns.

The segments of a side are joined by a blank, so a side comes back as one segment; an empty column
is an empty side. Only LF and CRLF end a line. On writing, tabs and line ends within a segment or a
value become blanks. A header is written where there are columns to name, or where the first line
would be read as one. All lines have the same columns; where several bitexts are written, the lines
are stored in a temporary file until all columns are known.

| kept | lost |
| --- | --- |
| texts, empty sides | borders of the segments of a side, segments without characters |
| scores, attributes, word links, further languages (columns) | languages, ids, inline codes |
| the order of bisegments | the order of segments (crossings, gaps), overlaps, uncovered segments |
| characters of any kind | tabs and line ends; borders of documents and paragraphs |
| | empty values of columns, which come back as missing values |
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from io import TextIOWrapper
from itertools import islice, pairwise, repeat
from tempfile import SpooledTemporaryFile
from typing import IO, BinaryIO

from bitext.errors import InputError, remedy
from bitext.formats.beads import MOST_COLUMNS, AttributeColumns, Beads, joined_sides
from bitext.formats.columns import (
    SAMPLE,
    Layout,
    UnclearColumnsError,
    lay_out,
)
from bitext.formats.hunalign import JOINT
from bitext.formats.io.source import Source
from bitext.formats.line_files import flat, flat_all, head_lines, line_chunks
from bitext.formats.multitexts import Multitexts, parts_of
from bitext.formats.registry import Capabilities, Format, ReadOptions, WriteOptions
from bitext.formats.scores import NULLS, spell_scores
from bitext.formats.tables import (
    TableRows,
    columns_of_rows,
    comments_before,
    read_rows,
)
from bitext.formats.tables.separated import unescaped_rows
from bitext.model import Bitext
from bitext.paths import temporary_room

_QUOTED = 0.9  # least share of cells in quotation marks that are quoting; set by hand
_SPOOL = 1 << 24  # bytes in memory before the temporary file goes to disk


def _sniff(head: bytes) -> int:
    lines = [line for line in head_lines(head) if line]
    if not lines or "\0" in lines[0] or lines[0].startswith(("<?", "<!")):
        return 0
    inner = sum("\t" in line.lstrip("\t") for line in lines)  # tabs of an indent do not count
    first = next((line for line in lines if not line.startswith("#")), lines[0])
    return 31 if "\t" in first or 2 * inner > len(lines) else 0


def _read(source: Source, options: ReadOptions) -> Iterator[Bitext]:
    if options.columns.escape == "backslash":
        yield from read_rows(source, options, unescaped_rows(source))
        return
    beads = Beads(source, options)
    table: TableRows | None = None
    header = exchanged = ""
    for number, lines in line_chunks(source, options):
        rows = list(map(str.split, lines, repeat("\t")))
        if table is None:
            comments = comments_before(rows)
            if comments:
                source.note(
                    "lines before a table, left out",
                    f"{lines[0][:40]!r}",
                    line=number,
                    count=comments,
                )
                number, lines, rows = number + comments, lines[comments:], rows[comments:]
            first = next((row for row in rows if len(row) > 1), None)
            if first is None and any(lines):
                which = (
                    f"none of the first {options.part_size} lines" if options.parts else "no line"
                )
                raise source.error(
                    f"{which} has two columns; want source and target, separated by a tab"
                )
            first = first or ["", ""]
            AttributeColumns(source).refuse_sparse(len(first), 1, len(first), number)
            # As many lines as the first part has, so that a file has the same columns in parts.
            sample = [row for row in rows[: min(SAMPLE, options.part_size)] if len(row) > 1]
            layout = columns_of_rows(source, sample, options)
            even = [row for row in sample if len(row) == len(sample[0])]
            broken = _has_quoted_break(rows[:SAMPLE])
            if broken or _is_quoted(even) or any(map(_has_quoted_tab, sample)):
                way = remedy("from csv", python="format='csv'")
                kind = (
                    "tables with cells in quotation marks, as CSV has them, read as they are "
                    f"({way} reads them as CSV)"
                )
                source.note(kind)
            if not layout.exact and _has_escapes(even):
                way = remedy("columns escape=backslash")
                source.note(f"tables with \\N and \\n, as databases write them ({way} reads \\n)")
            table = TableRows(source, layout, first, options, lines=True)
            header, exchanged = "\t".join(first), "\t".join(table.exchanged or first)
            beads.langs = layout.langs
        numbers: Sequence[int] = range(number, number + len(lines))
        if header in lines or f"\ufeff{header}" in lines or exchanged in lines:
            numbers, rows = table.body(numbers, rows)
        if layout.is_wordfast:
            _complete_wordfast(source, numbers, rows, layout)
        table.add(beads, numbers, rows)
        yield from beads.parts()
    if table is not None:
        table.check()
    yield from beads.rest()


_WORDFAST = re.compile(r"&'([0-9A-F]{2});|&t[A-Z]+;")


def _without_wordfast_escapes(text: str) -> tuple[str, int]:
    """Return a text of a memory of Wordfast without escapes, and the number of those left.

    `&'26;` is `&`, and `&'80;` to `&'BF;` are characters of Windows-1252. Above these, Windows and
    Macintosh differ; placeholders of tags (`&tA;`) have their tags elsewhere. Both stay.

    Source: the table of escapes in the reader of Translate Toolkit (`storage/wordfast.py`).

    Examples
    --------
    >>> _without_wordfast_escapes("R&'26;D &'96; &tA;x")
    ('R&D – &tA;x', 1)

    """
    left = 0

    def character(match: re.Match[str]) -> str:
        nonlocal left
        code = int(match[1] or "0", 16)
        if code == ord("&"):
            return "&"
        if not 0x80 <= code < 0xC0 or not (decoded := bytes([code]).decode("cp1252", "ignore")):
            left += 1
            return match[0]
        return decoded

    return _WORDFAST.sub(character, text), left


def _complete_wordfast(
    source: Source, numbers: Sequence[int], rows: list[list[str]], layout: Layout
) -> None:
    """Fill rows of a memory of Wordfast that have no attributes, and replace escapes in texts.

    Escapes that stay are noted.
    """
    for number, row in zip(numbers, rows, strict=True):
        if len(row) > layout.tgt:
            row += [""] * (len(layout.names) - len(row))
        for k in (layout.src, layout.tgt):
            if k < len(row) and "&" in row[k]:
                row[k], left = _without_wordfast_escapes(row[k])
                if left:
                    kind = "escapes and placeholders of tags of Wordfast, read as they are"
                    source.note(kind, f"{row[k][:40]!r}", line=number, count=left)


def _is_quoted(rows: list[list[str]]) -> bool:
    """Test cells for quotation marks around most of them, or for doubled marks within."""
    filled = [cell for row in rows for cell in row if cell]
    quoted = [cell for cell in filled if len(cell) > 1 and cell[0] == cell[-1] == '"']
    doubled = any(len(cell) > 4 and '""' in cell[1:-1] for cell in quoted)
    return doubled or (len(rows) > 1 and len(quoted) > _QUOTED * len(filled))


def _has_escapes(rows: list[list[str]]) -> bool:
    r"""Check for cells `\N`, and for `\n` or `\t` in others, as databases write line ends."""
    cells = {cell for row in rows for cell in row if "\\" in cell}
    return "\\N" in cells and any("\\n" in cell or "\\t" in cell for cell in cells)


def _has_quoted_tab(row: list[str]) -> bool:
    """Check for a quotation mark that opens at the start of a cell and closes a later one."""
    opening = [k for k, cell in enumerate(row) if cell[:1] == '"' and cell.count('"') % 2]
    closing = [k for k, cell in enumerate(row) if cell[-1:] == '"' and cell.count('"') % 2]
    return bool(opening and closing and opening[0] < closing[-1])


def _has_quoted_break(rows: list[list[str]]) -> bool:
    """Check for a quoted cell that continues in the next line, as Excel writes it."""
    width = max(map(len, rows), default=0)
    return any(
        first[-1][:1] == '"' == last[0][-1:]
        and first[-1].count('"') % 2 == 1 == last[0].count('"') % 2
        for first, last in pairwise(rows)
        if len(first) < width or len(last) < width
    )


def _write(bitexts: Iterable[Bitext], out: IO[str], **_options: WriteOptions) -> None:
    rest = iter(bitexts)
    head = list(islice(rest, 2))
    columns: dict[str | None, str] = {}
    if len(head) < 2:
        lines = [line for bitext in head for line in _lines_of(bitext, columns)]
        _put_header(out, columns, lines[:SAMPLE], has_null=_has_null(lines))
        out.write(_joined(lines))
        return
    runs: list[tuple[int, int]] = []  # bytes of lines, with their number of columns
    first: list[str] = []
    has_null = False
    with SpooledTemporaryFile(_SPOOL) as spool:
        while head:
            lines = _lines_of(head.pop(0), columns)
            first += lines[: SAMPLE - len(first)]
            has_null = has_null or _has_null(lines)
            encoded = _joined(lines).encode()
            with temporary_room():
                spool.write(encoded)
            runs.append((len(encoded), len(columns)))
            head = head or list(islice(rest, 1))
        _put_header(out, columns, first, has_null=has_null)
        with temporary_room():
            spool.seek(0)
        put = _writer_of_bytes(out)
        for size, width in runs:
            encoded = spool.read(size)
            if width < len(columns):
                lacking = b"\t" * (len(columns) - width) + b"\n"
                encoded = encoded.replace(b"\n", lacking)
            put(encoded)


def _joined(lines: list[str]) -> str:
    return "\n".join([*lines, ""])


def _writer_of_bytes(out: IO[str]) -> Callable[[bytes], object]:
    """Return a function that writes UTF-8 to a text file, without decoding it where possible."""
    if isinstance(out, TextIOWrapper) and out.encoding == "utf-8":
        out.flush()
        below: BinaryIO = out.buffer
        return below.write
    return lambda encoded: out.write(encoded.decode())


def _write_multitexts(multitexts: Multitexts, out: IO[str]) -> None:
    out.write("\t".join(multitexts.header()) + "\n")
    for part in parts_of(multitexts, breaks=False):
        rows = zip(*map(flat_all, part.columns().values()), strict=True)
        out.writelines("\t".join(row) + "\n" for row in rows)


_SCORE = None  # the key of the scores among the names of attributes, which may be empty
_OWN = frozenset(("src", "tgt", "score"))  # the names of columns that the format itself has


def _lines_of(bitext: Bitext, columns: dict[str | None, str]) -> list[str]:
    """Return the lines of a bitext without their ends; add its new columns to `columns`."""
    a = bitext.alignment
    taken = {"src", "tgt", *columns.values()}
    for name in (*[_SCORE] * (a.scores is not None), *a.attributes):
        if name not in columns:
            columns[name] = _header(name, taken)
            taken.add(columns[name])
    if len(columns) > MOST_COLUMNS:
        raise InputError(
            f"tsv has a column on every line for each attribute, and here are more than "
            f"{MOST_COLUMNS:,}; choose a format that writes those there are, as jsonl"
        )
    cells: list[Sequence[str]] = [*joined_sides(bitext, FORMAT.name)]
    void = [""] * len(a)
    for name in columns:
        if name is _SCORE:
            cells.append(void if a.scores is None else spell_scores(a.scores))
        else:
            cells.append(flat_all(a.attributes[name]) if name in a.attributes else void)
    return list(map("\t".join, zip(*cells, strict=True)))


def _header(name: str | None, taken: set[str]) -> str:
    """Return a unique name for a column, made of that of the attribute."""
    if name is _SCORE:
        return "score"
    shown = flat(name) if name.strip() else "_"
    while shown in taken or shown.strip().lower() in _OWN:
        shown += "_"
    return shown


def _has_null(lines: list[str]) -> bool:
    r"""Check for texts as `\N`, which are empty cells in a table without a header of bitext."""
    return any(null in line and null in line.split("\t") for line in lines for null in NULLS)


def _put_header(
    out: IO[str], columns: dict[str | None, str], lines: list[str], *, has_null: bool
) -> None:
    """Write a header where there are columns to name, or where texts would be misread without."""
    # A text that begins with U+FEFF would be read as a byte order mark.
    is_marked = bool(lines) and lines[0].startswith("\ufeff")
    has_joints = any(JOINT in line for line in lines)
    if columns or has_null or is_marked or has_joints or (lines and not _is_plain(lines)):
        out.write("\t".join(["src", "tgt", *columns.values()]) + "\n")


def _is_plain(lines: list[str]) -> bool:
    """Check whether two columns without a header are read as source and target."""
    try:
        layout = lay_out([line.split("\t") for line in lines])
    except UnclearColumnsError:
        return False
    return not layout.header and (layout.src, layout.tgt) == (0, 1)


FORMAT = Format(
    name="tsv",
    title="source and target separated by a tab, then any columns",
    suffixes=(".tsv",),
    sniff=_sniff,
    read=_read,
    write=_write,
    write_multitexts=_write_multitexts,
    keeps=Capabilities.of(
        "texts empty_sides scores attributes times other_languages words controls",
        empty_values=False,
    ),
    streams=True,
    tabular=True,
)
