"""XLS, the workbooks of Excel before 2007; read.

Sheets, columns and cells are read as those of XLSX (`bitext.formats.tables.spreadsheets`).

The library that reads the cells allocates memory for what the file only says: the size of a sheet,
all cells between the used ones, the number of strings. So the stream of the workbook is taken out
of its container, its records are examined, and the library gets a new container with a stream whose
sizes are those of the cells.
"""

from __future__ import annotations

import struct
from dataclasses import replace
from typing import TYPE_CHECKING

from bitext.errors import import_extra
from bitext.formats.documents.blocks import read_bytes
from bitext.formats.tables import spreadsheets

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitext.formats.io.source import Source
    from bitext.formats.registry import ReadOptions
    from bitext.model import Bitext

__all__ = ["FORMAT"]

_MAGIC = bytes.fromhex("d0cf11e0a1b11ae1")
_NAMES = ("workbook", "book")  # of the stream
_UTF16_NAMES = tuple(name.encode("utf-16-le") for name in ("Workbook", "Book"))


def _sniff(head: bytes) -> int:
    """Return a confidence by the directory of the container, where it is among the first bytes."""
    if not head.startswith(_MAGIC):
        return 0
    return 90 if any(name in head for name in _UTF16_NAMES) else 30


def _read(source: Source, options: ReadOptions) -> Iterator[Bitext]:
    calamine = import_extra("python_calamine", what="reading spreadsheets", extra="sheets")
    try:
        stream = bytearray(_stream_of(source, read_bytes(source)))
        _examine(source, stream)
    except (struct.error, IndexError):
        raise source.error("is a damaged workbook: get the whole file anew") from None
    with spreadsheets.Workbook(source, calamine, _container(bytes(stream))) as book:
        yield from spreadsheets.read_sheets(source, options, book.names, book.rows)


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
    """Return the stream of the workbook."""
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
            raise source.error(
                "is protected by a password: save it without, in the program that made it"
            )
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
    begin = tables + further + 1  # behind the tables, and the directory
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
_LEAST = {
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
    """Refuse sizes that no cells account for; set those of the sheets to what their cells need."""
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
            raise source.error("is a damaged workbook: a sheet lies behind its end")
        _examine_sheet(source, stream, begin)


def _refuse_short(source: Source, kind: int, length: int) -> None:
    if length < _LEAST.get(kind, 0):
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
    spreadsheets.refuse_far_cells(source, "a sheet", row, column, cells)
    for at, length in sizes:
        if length >= 14:
            struct.pack_into("<IIHH", stream, at, 0, row, 0, min(column, 0xFFFF))
        elif length >= 8:
            struct.pack_into("<HHHH", stream, at, 0, min(row, 0xFFFF), 0, min(column, 0xFFFF))


FORMAT = replace(
    spreadsheets.FORMAT,
    name="xls",
    title="one row a bisegment, in a spreadsheet (Excel before 2007, read)",
    suffixes=(".xls",),
    sniff=_sniff,
    read=_read,
    write=None,
    write_multitexts=None,
)
