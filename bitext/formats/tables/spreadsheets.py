"""Spreadsheets of Excel: XLSX, read and written, and XLS, read; one bisegment per row.

Read
    Columns, headers, segments and documents are those of `bitext.formats.tables`. Hidden
    sheets are left out. If several sheets have a table, those with the same header are read, one
    after another; otherwise the only one with a header, or the only one. Other workbooks are
    refused; `--columns sheet=NAME` names a sheet. Numbers, dates and truth values are spelled as in
    JSON; a formula is read as its value. Merged cells belong to the first of them.
Written (XLSX)
    Cells are text, whatever they begin with, and scores are numbers. The header is frozen, columns
    of text are wide and wrapped, those of languages written from right to left run that way. A
    sheet has 1,048,576 rows; further rows go to further sheets, with the header. A cell holds
    32,767 characters. The bytes of a file depend on its contents only.

| kept | lost |
| --- | --- |
| as CSV, but a text with the characters `_xFFFE_` or `_xFFFF_`, which is refused | as CSV |

XLSX is read by python-calamine, which holds a sheet in memory, and written by XlsxWriter (extra
`sheets`). An archive is read within the limits of compressed files, and a sheet is refused whose
cells are far apart, since the cells between them would fill the memory.

XLS, the workbooks of Excel before 2007; read.

Sheets, columns and cells are read as those of XLSX (`bitext.formats.tables.spreadsheets`).

The library that reads the cells allocates memory for what the file only says: the size of a sheet,
all cells between the used ones, the number of strings. So the stream of the workbook is taken out
of its container, its records are examined, and the library gets a new container with a stream whose
sizes are those of the cells.
"""

from __future__ import annotations

import io
import re
import struct
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from itertools import chain, islice
from math import isfinite
from typing import IO, Any, Self

from bitext.errors import InputError, did_you_mean, import_extra, remedy
from bitext.formats.columns import SAMPLE, UnclearColumnsError, lay_out
from bitext.formats.documents.archive import PROTECTED, Archive
from bitext.formats.documents.blocks import read_bytes
from bitext.formats.io.source import Source
from bitext.formats.multitexts import Multitexts
from bitext.formats.registry import Format, ReadOptions, WriteOptions
from bitext.formats.tables import CellValue, read_rows
from bitext.formats.tables.writing import KEEPS, Written, multitext_table, written_table
from bitext.model import Bitext
from bitext.model.languages import is_right_to_left
from bitext.paths import temporary_folder, temporary_room

NumberedRows = Iterator[tuple[int, list[str]]]

# Which sheets hold the table.


def read_sheets(
    source: Source,
    options: ReadOptions,
    names: Sequence[str],
    rows_of: Callable[[str], NumberedRows],
) -> Iterator[Bitext]:
    """Yield the bitexts of the sheets with the table.

    `rows_of` returns the rows of a sheet that are not empty, each with its number from 1.
    """
    chosen = _chosen_sheets(source, options, names, rows_of)
    sheets = (
        rows_of(name) if not k else _behind_header(rows_of(name)) for k, name in enumerate(chosen)
    )
    rows = chain.from_iterable(sheets)
    yield from read_rows(source, options, rows, noun="row", padded=True)


def _behind_header(rows: NumberedRows) -> NumberedRows:
    for _, row in rows:
        if sum(map(bool, row)) > 1:
            break
    yield from rows


def _chosen_sheets(
    source: Source,
    options: ReadOptions,
    names: Sequence[str],
    rows_of: Callable[[str], NumberedRows],
) -> list[str]:
    wanted = options.columns.sheet
    if wanted:
        matches = [name for name in names if name == wanted]
        matches = matches or [name for name in names if name.lower() == wanted.lower()]
        if len(matches) == 1:
            return matches
        raise source.error(
            f"has no sheet {wanted[:40]!r}; {did_you_mean(wanted, names)}it has "
            f"{', '.join(map(repr, names))[:200]}"
        )
    if len(names) == 1:
        return list(names)
    headers: dict[str, tuple[str, ...] | None] = {}  # of the sheets with a table
    for name in names:
        rows = [row for _, row in islice(rows_of(name), SAMPLE) if sum(map(bool, row)) > 1]
        if not rows:
            continue
        width = max(map(len, rows))
        sample = [row + [""] * (width - len(row)) for row in rows]
        try:
            layout = lay_out(sample, options.columns, options.requested)
        except UnclearColumnsError:
            continue
        headers[name] = tuple(sample[0]) if layout.header else None
    known = [name for name, header in headers.items() if header]
    if known and len({headers[name] for name in known}) == 1:
        chosen = known
    elif len(headers) == 1:
        chosen = list(headers)
    elif not headers:
        chosen = list(names[:1])  # whose error explains it
    else:
        shown = ", ".join(repr(name[:40]) for name in known or headers)[:200]
        way = remedy(f"columns sheet={next(iter(known or headers))}")
        raise source.error(f"has several sheets that may be the table, {shown}: name one ({way})")
    rest = [name for name in names if name not in chosen]
    if rest:
        way = remedy("columns sheet=NAME")
        kind = f"sheets beside the table, left out ({way} names another)"
        source.note(kind, f"{rest[0][:40]!r}", count=len(rest))
    return chosen


# XLSX, read.

_CELL = re.compile(rb"""\br\s*=\s*["']\s*([A-Za-z]{0,3})(\d{1,9})["']""")
_NO_VALUE = re.compile(rb"</f>\s*(?:<v\s*/>|<v>\s*</v>)?\s*</c>")  # a formula never computed
_WIDE_XML = re.compile(rb"\xff\xfe|\xfe\xff|<\0|\0<")  # UTF-16, in which no cell would be found
_OTHER_ENCODING = re.compile(
    rb"""(?:\xef\xbb\xbf)?\s*<\?xml[^>]{0,200}?encoding\s*=\s*["'](?!utf-?8["']|us-ascii["'])""",
    re.IGNORECASE,
)
_OVERLAP = 256  # bytes of a chunk that are examined with the next one, as a tag may be cut
# What a table shows otherwise than it is read: each with bytes without which it is not looked for.
_DIFFERENCES = (
    (b"</f>", _NO_VALUE, "formulas without a value, read as empty cells: save the file in Excel"),
    (b't="e"', re.compile(rb't="e"'), "cells with the error of a formula, read as empty"),
    (
        b"hidden=",
        re.compile(rb"""<row\s[^<>]{0,200}?\bhidden=["'](?:1|true)["']"""),
        "hidden rows, read as the others: delete those that are not wanted",
    ),
    (
        b"hidden=",
        re.compile(rb"""<col\s[^<>]{0,200}?\bhidden=["'](?:1|true)["']"""),
        "hidden columns, read as the others",
    ),
    (
        b"<mergeCell ",
        re.compile(rb"""<mergeCell [^<>]{0,60}?ref="[A-Z]{1,3}(\d{1,7}):[A-Z]{1,3}(?!\1")\d"""),
        "cells merged over several rows, whose text is in the first of them only",
    ),
)
_FREE_CELLS = 4_000_000  # cells of a sheet between its used ones: 128 MB in calamine; set by hand
_CELLS_A_CELL = 16  # the same for each used cell of a larger sheet; set by hand


def is_archive_of(head: bytes, member: bytes) -> bool:
    """Recognise a ZIP archive with a member of this name by its first bytes."""
    return head.startswith(b"PK\x03\x04") and bool(
        re.search(rb"PK\x03\x04.{26}" + member, head, re.DOTALL)
    )


COMMENTS = "comments on cells, left out"


def _read(source: Source, options: ReadOptions) -> Iterator[Bitext]:
    with _opened(source) as book:
        yield from read_sheets(source, options, book.names, book.rows)


def _opened(source: Source) -> Workbook:
    """Open a workbook, of which nothing but the library's copy stays in memory."""
    calamine = import_extra("python_calamine", what="reading spreadsheets", extra="sheets")
    archive = Archive(source)
    if not any(name.startswith("xl/") for name in archive.names):
        raise source.error("is a ZIP archive, but no workbook: save it as .xlsx")
    if archive.repeats_names:
        raise source.error("has two members of one name, which no workbook has: save it anew")
    for name in sorted(archive.names):
        _refuse_sparse(source, name, archive.pieces(name))
    archive.tell_members((("xl/comments", COMMENTS),))
    return Workbook(source, calamine, archive.data)


def _refuse_sparse(source: Source, name: str, pieces: Iterable[bytes]) -> None:
    """Refuse a sheet whose cells are far apart, before memory is allocated for those between."""
    cells = row = column = 0
    is_sheet = name.startswith("xl/worksheets/")
    before = b""
    for piece in pieces:
        if not before and (_WIDE_XML.match(piece) or _OTHER_ENCODING.match(piece)):
            raise source.error(
                f"its member {name[:60]} is not in UTF-8, which every workbook is: save it anew"
            )
        data = before + piece
        for mark, pattern, kind in _DIFFERENCES if is_sheet else ():
            if mark in data:
                count = sum(match.end() > len(before) for match in pattern.finditer(data))
                if count:
                    source.note(kind, name[:60], count=count)
        before = data[-_OVERLAP:]
        places = _CELL.findall(data)
        if places:
            cells += len(places)
            letters = {letters for letters, _ in places}
            column = max(column, *map(_column_of, letters))
            row = max(row, *map(int, {number for _, number in places}))
    refuse_far_cells(source, f"its member {name[:60]}", row, column, cells)


def refuse_far_cells(source: Source, what: str, row: int, column: int, cells: int) -> None:
    """Refuse a sheet with cells down to a row and a column, and hardly any between.

    Raises `FormatError` when the cells between would fill the memory.
    """
    if row * column > max(_FREE_CELLS, _CELLS_A_CELL * cells):
        raise source.error(
            f"{what} has cells down to row {row:,} and column {column:,}, and hardly any between: "
            f"delete the cells that are far out, or save the table as CSV"
        )


def _column_of(letters: bytes) -> int:
    column = 0
    for letter in letters.upper():
        column = 26 * column + letter - 64
    return column


def visible_sheets(source: Source, sheets: Mapping[str, bool]) -> list[str]:
    """Return the visible sheets of a workbook, or all where all are hidden; note hidden ones.

    `sheets` says of each whether it is hidden.

    Raises `FormatError` when there is no sheet.
    """
    if not sheets:
        raise source.error("has no sheet of cells")
    visible = [name for name, is_hidden in sheets.items() if not is_hidden]
    hidden = [name for name, is_hidden in sheets.items() if is_hidden]
    if visible and hidden:
        source.note("hidden sheets, left out", f"{hidden[0][:40]!r}", count=len(hidden))
    return visible or hidden


class Workbook:
    """A workbook that calamine reads; its errors are those of the file.

    `names` are the visible sheets of cells; all sheets of cells where all are hidden.
    """

    def __init__(self, source: Source, calamine: Any, data: bytes) -> None:
        self._source = source
        self._book = self._guarded(calamine.CalamineWorkbook.from_object, io.BytesIO(data))
        sheets = {
            each.name: each.visible != calamine.SheetVisibleEnum.Visible
            for each in self._book.sheets_metadata
            if each.typ == calamine.SheetTypeEnum.WorkSheet
        }
        self.names = visible_sheets(source, sheets)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self._book.close()

    def _guarded(self, function: Callable[..., Any], *given: object) -> Any:
        try:
            return function(*given)
        except (KeyboardInterrupt, MemoryError):
            raise
        except BaseException as error:  # noqa: BLE001 - panics of Rust are no `Exception`
            if type(error).__name__ == "PasswordError":
                raise self._source.error(
                    "is protected by a password: save it without, in the program that made it"
                ) from None
            reason = " ".join(str(error).split())[:160]
            raise self._source.error(
                f"is no workbook that can be read ({reason}): save it anew, or as CSV"
            ) from None

    def rows(self, name: str) -> NumberedRows:
        """Yield the rows of a sheet that are not empty, each with its number from 1."""
        sheet = self._guarded(self._book.get_sheet_by_name, name)
        for number, row in enumerate(sheet.iter_rows(), start=1):
            cells = [
                cell if type(cell) is str and "_xFFF" not in cell else _spelled(cell)
                for cell in row
            ]
            if any(cells):
                yield number, cells


def _spelled(cell: object) -> str:
    """Spell a value of a cell.

    Examples
    --------
    >>> [_spelled(cell) for cell in (7.0, 0.5, True, date(2026, 5, 4), None)]
    ['7', '0.5', 'true', '2026-05-04', '']

    """
    if isinstance(cell, bool):
        return CellValue("true" if cell else "false")
    if isinstance(cell, float):
        return CellValue(str(int(cell)) if cell.is_integer() and abs(cell) < 1e15 else repr(cell))
    if isinstance(cell, datetime | date | time):
        return CellValue(cell.isoformat())
    if isinstance(cell, timedelta):
        return CellValue(str(cell))
    return (
        "" if cell is None else str(cell).replace("_xFFFE_", "\ufffe").replace("_xFFFF_", "\uffff")
    )


# XLSX, written.

MOST_ROWS = 1_048_576  # of a sheet, with the header (Excel)
MOST_COLUMNS = 16_384  # of a sheet (Excel)
_MOST_CHARACTERS = 32_767  # of a cell (Excel)
WIDE, NARROW = 60, 16  # widths of columns in characters; set by hand: two texts fill a page
_SPELLED = ("_xFFFE_", "_xFFFF_")  # how XlsxWriter spells two characters, and calamine leaves them


def write_workbook(
    bitexts: Iterable[Bitext], out: IO[bytes], options: WriteOptions, *, most_rows: int = MOST_ROWS
) -> None:
    """Write a workbook of sheets with `most_rows` rows each at most, the header among them.

    Raises `MissingExtraError` when XlsxWriter is not installed, and `InputError` when a cell is too
    long or document pairs have different languages.
    """
    with written_table(bitexts, options, "xlsx") as table:
        _write_sheets(table, out, most_rows)


def _write_multitexts(multitexts: Multitexts, out: IO[bytes]) -> None:
    _write_sheets(multitext_table(multitexts), out, MOST_ROWS)


def _write_sheets(table: Written, out: IO[bytes], most_rows: int) -> None:
    writer = import_extra("xlsxwriter", what="writing spreadsheets", extra="sheets")
    with (
        temporary_room(),
        temporary_folder() as folder,
        _new_workbook(writer, out, str(folder)) as book,
    ):
        if len(table.header) > MOST_COLUMNS:
            raise InputError(f"xlsx has {MOST_COLUMNS:,} columns at most; choose csv or jsonl")
        sheets = _Sheets(book, table, most_rows)
        for row in table.rows:
            sheets.add(row)
        sheets.finish()


@contextmanager
def _new_workbook(writer: Any, out: IO[bytes], folder: str) -> Iterator[Any]:
    """Open a workbook for writing, with its temporary files in a folder."""
    options = {
        "constant_memory": True,
        "strings_to_formulas": False,
        "strings_to_numbers": False,
        "strings_to_urls": False,
        "tmpdir": folder,
    }
    book = writer.Workbook(out, options)
    book.set_properties({"created": datetime(2000, 1, 1)})  # noqa: DTZ001 - a constant
    try:
        yield book
        book.close()
    except writer.exceptions.FileCreateError as error:
        raise OSError(*getattr(error.args[0], "args", error.args)) from None
    finally:
        for sheet in book.worksheets():  # closed by then, unless an error came before
            sheet.row_data_fh.close()


class _Sheets:
    """Writes rows to a sheet, and to further ones where it is full."""

    def __init__(self, book: Any, table: Written, most_rows: int) -> None:
        self._book, self._table, self._most_rows = book, table, most_rows
        plain = {"text_wrap": True, "valign": "top"}
        right = plain | {"reading_order": 2, "align": "right"}
        formats = {False: book.add_format(plain), True: book.add_format(right)}
        right_to_left = [is_right_to_left(lang) for lang in table.langs]
        self._formats = [formats[side] for side in right_to_left]
        self._formats += [formats[False]] * (len(table.header) - len(table.langs))
        self._mirrored = all(right_to_left)
        self._bold = book.add_format({"bold": True, "bottom": 1})
        self._sheet: Any = None
        self._rows = 0
        self._total = 0
        self._begin()

    def _begin(self) -> None:
        sheet = self._sheet = self._book.add_worksheet()
        for k, form in enumerate(self._formats):
            sheet.set_column(k, k, WIDE if k < len(self._table.langs) else NARROW, form)
        if self._mirrored:
            sheet.right_to_left()
        sheet.freeze_panes(1, 0)
        for k, name in enumerate(self._table.header):
            sheet.write_string(0, k, name, self._bold)
        self._rows = 1

    def add(self, row: Sequence[str]) -> None:
        """Write a row."""
        if self._rows == self._most_rows:
            self.finish()
            self._begin()
        self._total += 1
        scores, sheet, at = self._table.scores, self._sheet, self._rows
        for k, cell in enumerate(row):
            if not cell:
                continue
            if k == scores and _is_plain_number(cell):
                sheet.write_number(at, k, float(cell))
            else:
                self._check(cell, k)
                sheet.write_string(at, k, cell, self._formats[k])
        self._rows += 1

    def _check(self, cell: str, column: int) -> None:
        """Refuse a cell that a workbook cannot hold.

        Raises `InputError` when it is too long, or has a character that would come back as another
        string.
        """
        name = self._table.header[column]
        # Excel counts the units of UTF-16.
        units = (
            len(cell) if 2 * len(cell) <= _MOST_CHARACTERS else len(cell.encode("utf-16-le")) // 2
        )
        if units > _MOST_CHARACTERS:
            raise InputError(
                f"xlsx holds {_MOST_CHARACTERS:,} characters a cell, and {name} of bisegment "
                f"{self._total - 1} has {units:,}; choose csv"
            )
        if "_xFFF" in cell and any(each in cell for each in _SPELLED):
            raise InputError(
                f"xlsx cannot hold {' or '.join(_SPELLED)}, and {name} of bisegment "
                f"{self._total - 1} has it; choose csv"
            )

    def finish(self) -> None:
        """Put a filter on the header, which spreadsheet programs offer for each column."""
        if self._rows > 1:
            self._sheet.autofilter(0, 0, self._rows - 1, len(self._table.header) - 1)


def _is_plain_number(cell: str) -> bool:
    """Check whether a score survives as a number of a workbook, which has 16 digits."""
    value = float(cell)
    return isfinite(value) and float(f"{value:.16G}") == value


FORMAT = Format(
    name="xlsx",
    title="one row a bisegment, in a spreadsheet (Excel)",
    suffixes=(".xlsx", ".xlsm"),
    sniff=lambda head: 95 if is_archive_of(head, rb"xl/") else 0,
    read=_read,
    write=write_workbook,
    write_multitexts=_write_multitexts,
    keeps=KEEPS,
    binary=True,
    tabular=True,
    extra="sheets",
)


# XLS, the workbooks of Excel before 2007; read.


_MAGIC = bytes.fromhex("d0cf11e0a1b11ae1")
_NAMES = ("workbook", "book")  # of the stream
_UTF16_NAMES = tuple(name.encode("utf-16-le") for name in ("Workbook", "Book"))


def _sniff_xls(head: bytes) -> int:
    """Return a confidence by the directory of the container, where it is among the first bytes."""
    if not head.startswith(_MAGIC):
        return 0
    return 90 if any(name in head for name in _UTF16_NAMES) else 30


def _read_xls(source: Source, options: ReadOptions) -> Iterator[Bitext]:
    calamine = import_extra("python_calamine", what="reading spreadsheets", extra="sheets")
    try:
        stream = bytearray(_stream_of(source, read_bytes(source)))
        _examine(source, stream)
    except (struct.error, IndexError):
        raise source.error("is a damaged workbook: get the whole file anew") from None
    with Workbook(source, calamine, _container(bytes(stream))) as book:
        yield from read_sheets(source, options, book.names, book.rows)


# The container: sectors that tables chain to streams ([MS-CFB]).

_LAST_SECTOR = 0xFFFFFFFA  # greater numbers are marks


class _Container:
    """The sectors of a container, and their chains."""

    def __init__(self, source: Source, data: bytes) -> None:
        self._source, self._data = source, data
        self._size = 1 << struct.unpack_from("<H", data, 30)[0]
        self.mini = 1 << struct.unpack_from("<H", data, 32)[0]
        if self._size not in {512, 4096} or self.mini != 64:
            raise source.error("is a damaged workbook: get the whole file anew")
        numbers = list(struct.unpack_from("<109I", data, 76))
        further, count = struct.unpack_from("<II", data, 68)
        for _ in range(min(count, len(data) // self._size)):
            if further > _LAST_SECTOR:
                break
            *more, further = self.numbers(further)
            numbers += more
        self._next: list[int] = []
        for number in numbers:
            if number <= _LAST_SECTOR:
                self._next += self.numbers(number)
            if len(self._next) > len(data) // self._size:
                break

    def _sector(self, number: int) -> bytes:
        begin = (number + 1) * self._size
        return self._data[begin : begin + self._size].ljust(self._size, b"\0")

    def numbers(self, number: int) -> list[int]:
        """Return the numbers in a sector."""
        return list(struct.unpack(f"<{self._size // 4}I", self._sector(number)))

    def chain(self, first: int, following: list[int] | None = None) -> list[int]:
        """Return the sectors of a stream; a chain that comes back to itself is refused."""
        following = self._next if following is None else following
        out: list[int] = []
        while first <= _LAST_SECTOR:
            if len(out) > len(following):
                raise self._source.error("is a damaged workbook: its sectors go round in a circle")
            out.append(first)
            first = following[first]
        return out

    def stream(self, first: int) -> bytes:
        """Return the bytes of a stream, up to the end of its last sector."""
        return b"".join(map(self._sector, self.chain(first)))


def _stream_of(source: Source, data: bytes) -> bytes:
    if not data.startswith(_MAGIC):
        raise source.error("is no workbook of Excel: save it as .xlsx")
    container = _Container(source, data)
    (directory,) = struct.unpack_from("<I", data, 48)
    cutoff, mini_table = struct.unpack_from("<II", data, 56)
    entries = container.stream(directory)
    root: tuple[int, int] | None = None
    for at in range(0, len(entries) - 127, 128):
        length, kind = struct.unpack_from("<HB", entries, at + 64)
        first, size = struct.unpack_from("<II", entries, at + 116)
        name = entries[at : at + max(0, min(length, 64) - 2)].decode("utf-16-le", "replace")
        if kind == 5 and root is None:
            root = first, size
        if kind == 2 and name.lower() == "encryptedpackage":
            raise source.error(PROTECTED)
        if kind == 2 and name.lower() in _NAMES:
            if size >= cutoff or root is None:
                return container.stream(first)[:size]
            following = [
                number
                for sector in container.chain(mini_table)
                for number in container.numbers(sector)
            ]
            whole, step = container.stream(root[0]), container.mini
            parts = (whole[k * step : (k + 1) * step] for k in container.chain(first, following))
            return b"".join(parts)[:size]
    raise source.error(
        "is a file of Office without a workbook in it: if it is a text, save it as .docx"
    )


def _container(stream: bytes) -> bytes:
    """Return a container with this stream alone."""
    size = 512
    stream = stream.ljust(max(4096, -(-len(stream) // size) * size), b"\0")
    count = len(stream) // size
    # The table has a sector for 128 sectors, its own among them; further ones are chained.
    tables = further = 0
    while tables * 128 < count + 1 + tables + further:
        tables += 1
        further = -(-max(0, tables - 109) // 127)
    free, end, table, chained = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD, 0xFFFFFFFC
    begin = tables + further + 1  # after the tables, and the directory
    following = [table] * tables + [chained] * further + [end]
    following += [begin + k + 1 for k in range(count - 1)] + [end]
    following += [free] * (tables * 128 - len(following))
    numbers = list(range(tables))
    lists = []
    for k in range(further):
        part = numbers[109 + 127 * k : 109 + 127 * (k + 1)]
        part += [free] * (127 - len(part))
        lists.append(struct.pack("<128I", *part, tables + k + 1 if k + 1 < further else end))
    directory = _entry("Root Entry", 5, end, 0, child=1) + _entry("Workbook", 2, begin, len(stream))
    header = _MAGIC + bytes(16) + struct.pack("<HHHHH6x", 0x3E, 3, 0xFFFE, 9, 6)
    header += struct.pack("<IIIIIII", 0, tables, tables + further, 0, 4096, end, 0)
    header += struct.pack("<II", tables if further else end, further)
    first = numbers[:109]
    header += struct.pack("<109I", *first, *[free] * (109 - len(first)))
    return b"".join(
        (
            header,
            struct.pack(f"<{len(following)}I", *following),
            *lists,
            directory.ljust(size, b"\0"),
            stream,
        )
    )


def _entry(name: str, kind: int, first: int, size: int, child: int = 0xFFFFFFFF) -> bytes:
    spelled = name.encode("utf-16-le") + b"\0\0"
    links = struct.pack("<HBBIII", len(spelled), kind, 1, 0xFFFFFFFF, 0xFFFFFFFF, child)
    return spelled.ljust(64, b"\0") + links + bytes(36) + struct.pack("<IQ", first, size)


# The stream: records, first those of the workbook, then those of each sheet ([MS-XLS]).

_SHEET, _STRINGS, _END, _SIZE = 0x0085, 0x00FC, 0x000A, 0x0200
# Records of a cell, which begin with its row and its column; and of several in a row.
_CELLS = frozenset((*range(0x0001, 0x0007), *range(0x0201, 0x0207), 0x00FD, 0x00D6, 0x027E, 0x0406))
_SEVERAL = frozenset((0x00BD, 0x00BE))


# The least bytes of records that the library reads without a look at their length.
_MIN_LENGTHS = {
    0x0006: 20, 0x0042: 2, 0x0085: 8, 0x00BD: 12, 0x00E0: 4, 0x00FC: 8, 0x00FD: 10, 0x0200: 10,
    0x0203: 14, 0x0204: 9, 0x0205: 8, 0x0207: 3, 0x027E: 10, 0x041E: 5, 0x0809: 4,
}  # fmt: skip


def _records(stream: bytearray, at: int) -> Iterator[tuple[int, int, int]]:
    """Yield the records up to the end of a part: kind, beginning and length of the contents."""
    while at + 4 <= len(stream):
        kind, length = struct.unpack_from("<HH", stream, at)
        yield kind, at + 4, min(length, len(stream) - at - 4)
        if kind == _END:
            return
        at += 4 + length


def _examine(source: Source, stream: bytearray) -> None:
    """Refuse sizes that no cells account for; set those of the sheets by their cells."""
    sheets: list[int] = []
    for kind, at, length in _records(stream, 0):
        _refuse_short(source, kind, length)
        if kind == _SHEET:
            sheets.append(struct.unpack_from("<I", stream, at)[0])
        if kind == _STRINGS:
            (count,) = struct.unpack_from("<i", stream, at + 4)
            if not 0 <= 3 * count <= len(stream):  # the shortest string has three bytes
                raise source.error("is a damaged workbook: it says that it has too many strings")
    for begin in dict.fromkeys(sheets):
        if begin >= len(stream):
            raise source.error("is a damaged workbook: a sheet begins after its end")
        _examine_sheet(source, stream, begin)


def _refuse_short(source: Source, kind: int, length: int) -> None:
    if length < _MIN_LENGTHS.get(kind, 0):
        raise source.error("is a damaged workbook: a record is too short")


def _examine_sheet(source: Source, stream: bytearray, begin: int) -> None:
    cells = row = column = 0
    sizes: list[tuple[int, int]] = []
    for kind, at, length in _records(stream, begin):
        _refuse_short(source, kind, length)
        if kind == _SIZE:
            sizes.append((at, length))
        elif (kind in _CELLS and length >= 4) or (kind in _SEVERAL and length >= 6):
            first, last = struct.unpack_from("<HH", stream, at)
            if kind in _SEVERAL:
                (last,) = struct.unpack_from("<H", stream, at + length - 2)
                cells += (length - 6) // 6
            cells += 1
            row, column = max(row, first + 1), max(column, last + 1)
    refuse_far_cells(source, "a sheet", row, column, cells)
    for at, length in sizes:
        if length >= 14:
            struct.pack_into("<IIHH", stream, at, 0, row, 0, min(column, 0xFFFF))
        elif length >= 8:
            struct.pack_into("<HHHH", stream, at, 0, min(row, 0xFFFF), 0, min(column, 0xFFFF))


XLS = replace(
    FORMAT,
    name="xls",
    title="one row a bisegment, in a spreadsheet (Excel before 2007, read)",
    suffixes=(".xls",),
    sniff=_sniff_xls,
    read=_read_xls,
    write=None,
    write_multitexts=None,
)
