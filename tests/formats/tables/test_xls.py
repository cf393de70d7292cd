"""XLS: workbooks of Excel before 2007, made here of the records that the format has."""

import struct

import pytest

from bitext.errors import FormatError
from bitext.formats.registry import sniff
from formats.samples import read

FREE, END, TABLE = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD


def record(kind, data=b""):
    return struct.pack("<HH", kind, len(data)) + data


def begin(kind):
    return record(0x0809, struct.pack("<HHHHII", 0x0600, kind, 0, 0, 0, 0))


def sheet(cells, size=None):
    """Make a sheet of cells by row and column, which may lie about its size."""
    size = size or (0, max(row for row, _ in cells) + 1, 0, max(column for _, column in cells) + 1)
    out = begin(0x10) + record(0x0200, struct.pack("<IIHHH", *size, 0))
    for (row, column), cell in cells.items():
        place = struct.pack("<HHH", row, column, 0)
        if isinstance(cell, str):
            text = struct.pack("<HB", len(cell), 1) + cell.encode("utf-16-le")
            out += record(0x0204, place + text)
        else:
            out += record(0x0203, place + struct.pack("<d", cell))
    return out + record(0x000A)


def stream(*sheets, strings=0, at=None):
    names = [f"S{k}".encode() for k in range(len(sheets))]
    head = begin(5) + record(0x0042, struct.pack("<H", 1200))
    if strings:
        head += record(0x00FC, struct.pack("<ii", strings, strings))
    place = len(head) + sum(12 + len(name) for name in names) + 4
    for name, content in zip(names, sheets, strict=True):
        where = place if at is None else at
        head += record(0x0085, struct.pack("<IBBBB", where, 0, 0, len(name), 0) + name)
        place += len(content)
    return head + record(0x000A) + b"".join(sheets)


def container(content, name="Workbook", loop=False):
    content = content.ljust(4096, b"\0")
    count = len(content) // 512
    following = [TABLE, END, *(k + 3 for k in range(count - 1)), 2 if loop else END]
    following += [FREE] * (128 - len(following))

    def entry(title, kind, first, size, child=FREE):
        spelled = title.encode("utf-16-le") + b"\0\0"
        links = struct.pack("<HBBIII", len(spelled), kind, 1, FREE, FREE, child)
        return spelled.ljust(64, b"\0") + links + bytes(36) + struct.pack("<IQ", first, size)

    header = bytes.fromhex("d0cf11e0a1b11ae1") + bytes(16)
    header += struct.pack("<HHHHH6x", 0x3E, 3, 0xFFFE, 9, 6)
    header += struct.pack("<9I", 0, 1, 1, 0, 4096, END, 0, END, 0)
    header += struct.pack("<I", 0) + b"\xff" * 432
    directory = entry("Root Entry", 5, END, 0, 1) + entry(name, 2, 2, len(content))
    table = struct.pack("<128I", *following)
    return header + table + directory.ljust(512, b"\0") + content


CELLS = {
    (0, 0): "id", (0, 1): "English", (0, 2): "Русский",
    (1, 0): 7.0, (1, 1): "One\ntwo", (1, 2): "Раз",
    (2, 0): 8.0, (2, 1): "Two",
}  # fmt: skip


def test_a_workbook_is_read_by_its_header():
    data = container(stream(sheet(CELLS)))
    bt = read("xls", data)
    assert bt.pairs() == [(["One\ntwo"], ["Раз"]), (["Two"], [])]
    assert (bt.src.lang, bt.tgt.lang) == ("en", "ru")
    assert bt.alignment.attributes == {"id": ["7", "8"]}
    assert sniff(data, "a.xls").name == "xls"


def test_a_sheet_that_lies_about_its_size_costs_nothing():
    size = (0, 0xFFFFFFFF, 0, 0xFFFF)
    assert len(read("xls", container(stream(sheet(CELLS, size)))).alignment) == 2


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (container(stream(sheet(CELLS | {(65535, 255): "x"}))), "hardly any between"),
        (container(stream(sheet(CELLS), strings=1 << 30)), "too many strings"),
        (container(stream(sheet(CELLS), at=1 << 20)), "a sheet begins after its end"),
        (container(stream(sheet(CELLS)), loop=True), "go round in a circle|cannot|is a damaged"),
        (container(stream(sheet(CELLS)), "WordDocument"), "a file of Office without a workbook"),
        (container(stream(sheet(CELLS)), "EncryptedPackage"), "is protected by a password"),
        (container(stream(begin(0x10) + record(0x0203, b"\0\0"))), "a record is too short"),
        (container(stream(sheet(CELLS)))[:700], "damaged workbook|without a workbook"),
        (b"PK\x03\x04", "is no workbook of Excel"),
    ],
)
def test_hostile_and_damaged_workbooks_are_refused_in_one_line(data, told):
    with pytest.raises(FormatError, match=told) as caught:
        read("xls", data)
    assert "\n" not in str(caught.value)
