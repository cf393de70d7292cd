"""ODS (OpenDocument 1.2, spreadsheets): one bisegment per row, with any columns; read and written.

Read
    As XLSX (`bitext.formats.tables.spreadsheets`), but row by row. White space in a paragraph is
    one blank except for `text:s` and `text:tab`, as the standard has it.
Written
    As XLSX: cells are text, whatever they begin with, and scores are numbers; the header is in bold
    and stays in view, columns of text are wide and wrapped, those of languages written from right
    to left run that way; a sheet has 1,048,576 rows. A line of a cell is a paragraph. No library is
    needed, and rows are written as they come. The bytes of a file depend on its contents only.

| kept | lost |
| --- | --- |
| as CSV | as CSV, and characters that XML forbids |
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from math import isfinite
from typing import IO, Any
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from bitext.errors import InputError
from bitext.formats.documents.archive import PROTECTED, Archive
from bitext.formats.io.source import Notes, Source
from bitext.formats.multitexts import Multitexts
from bitext.formats.registry import Format, ReadOptions, WriteOptions
from bitext.formats.tables import CellValue
from bitext.formats.tables.spreadsheets import (
    COMMENTS,
    MOST_COLUMNS,
    MOST_ROWS,
    NARROW,
    WIDE,
    NumberedRows,
    is_archive_of,
    read_sheets,
    visible_sheets,
)
from bitext.formats.tables.writing import KEEPS, Written, multitext_table, written_table
from bitext.formats.xml import FORBIDDEN, escape, escape_value, has_forbidden
from bitext.formats.xml.safe import iterate, local_name
from bitext.model import Bitext
from bitext.model.languages import is_right_to_left

# Reading.

_MOST_REPEATED = 1_000_000  # cells that repetition may make in any file; set by hand
_REPEATED_A_BYTE = 64  # the same for each byte of a larger file; set by hand
_MOST_BLANKS = 1000  # that one element stands for; set by hand
_ODF = "{urn:oasis:names:tc:opendocument:xmlns:%s:1.0}%s"
_TABLE_NAME, _ROWS, _COLUMNS = (
    _ODF % ("table", name) for name in ("name", "number-rows-repeated", "number-columns-repeated")
)
_TABLE_STYLE, _DISPLAY, _SHOWN = (
    _ODF % ("table", name) for name in ("style-name", "display", "visibility")
)
_STYLE_NAME = _ODF % ("style", "name")
_TYPE, _BLANKS = _ODF % ("office", "value-type"), _ODF % ("text", "c")
_STRING = _ODF % ("office", "string-value")
_FORMULA = _ODF % ("table", "formula")
_SPANNED = _ODF % ("table", "number-rows-spanned")
_ERROR = re.compile(r"#[A-Z0-9/_]+[!?]?|Err:\d+")
_WHITE, _LAID_OUT = re.compile(r"[ \t\n]+"), re.compile(r"[ \t\n]{2}|[\t\n]")
# White space that elements stand for, until that of the XML is collapsed: no XML has these.
_KEPT = {" ": "\ud800", "\t": "\ud801", "\n": "\ud802"}
_UNKEPT = {ord(mark): char for char, mark in _KEPT.items()}
_VALUES = {
    "float": _ODF % ("office", "value"),
    "percentage": _ODF % ("office", "value"),
    "currency": _ODF % ("office", "value"),
    "date": _ODF % ("office", "date-value"),
    "time": _ODF % ("office", "time-value"),
    "boolean": _ODF % ("office", "boolean-value"),
}


_COMMENT = re.compile(rb"<(?:[\w-]+:)?annotation[\s>]")


def _sniff(head: bytes) -> int:
    mime = rb"mimetypeapplication/vnd\.oasis\.opendocument\.spreadsheet"
    return 95 if is_archive_of(head, mime) else 0


def _read(source: Source, options: ReadOptions) -> Iterator[Bitext]:
    archive = Archive(source)
    if b"encryption-data" in archive.read("META-INF/manifest.xml"):
        raise source.error(PROTECTED)
    data = archive.read("content.xml")
    if not data:
        raise source.error("is a ZIP archive without the contents of a table: save it as .ods")
    if comments := len(_COMMENT.findall(data)):
        source.note(COMMENTS, count=comments)
    sheets = _OdsSheets(source, data)
    yield from read_sheets(source, options, sheets.names, sheets.rows)


class _OdsSheets:
    """The sheets of `content.xml`, which is parsed again for each."""

    def __init__(self, source: Source, data: bytes) -> None:
        self._source, self._data = source, data
        self._told: set[str] = set()
        # Most files have neither formulas nor merged cells; UTF-16 is examined cell by cell.
        marks = (b"formula", b"rows-spanned")
        self._odd = b"\0" in data[:200] or any(mark in data for mark in marks)
        names: dict[str, bool] = {}  # whether each is hidden
        hidden_styles: set[str] = set()
        repeated = False
        for event, element in iterate(
            self._content(), start=("table",), end=("style", "table-row")
        ):
            if event == "start":
                outer = element.getparent()
                if outer is not None and local_name(outer) == "table-cell":
                    raise source.error("has a table within a cell: save it as XLSX or CSV")
                name = element.get(_TABLE_NAME, "")
                repeated = repeated or name in names
                names[name] = element.get(_TABLE_STYLE) in hidden_styles
            elif local_name(element) == "style" and any(
                child.get(_DISPLAY) == "false" for child in element
            ):
                hidden_styles.add(element.get(_STYLE_NAME, ""))
        if repeated:
            raise source.error("has two sheets of one name: give them different names")
        self.names = visible_sheets(source, names)

    def _content(self) -> Source:
        source = self._source
        path = f"{source.path}: content.xml"
        return Source(path, io.BytesIO(self._data), "utf-8", limits=source.limits)

    def rows(self, name: str) -> NumberedRows:
        """Yield the rows of a sheet that are not empty, each with its number from 1."""
        current, number, made = "", 1, 0
        notes = Notes()
        for event, element in iterate(
            self._content(), start=("table",), end=("table-row", "table-column", "table")
        ):
            if local_name(element) == "table":
                if event == "start":
                    current = element.get(_TABLE_NAME, "")
                elif current == name:
                    if name not in self._told:  # some rows are read before the table is chosen
                        self._source.notes.extend(notes)
                        self._told.add(name)
                    return
            elif current == name and local_name(element) == "table-column":
                _note_hidden(element, notes, f"{self._source.path}: {name[:40]!r}")
            elif current == name:
                cells, again = self._cells(element), self._repeats(element, _ROWS)
                made += len(cells) * again
                if made > max(_MOST_REPEATED, _REPEATED_A_BYTE * len(self._data)):
                    raise self._source.error(
                        f"its sheet {name[:40]!r} has more than {made:,} cells by repetition: "
                        f"delete those that are not needed, or save the table as CSV"
                    )
                if cells:
                    place = f"{self._source.path} row {number}"
                    _note_cells(element if self._odd else (), notes, place)
                    _note_hidden(element, notes, place, again)
                    yield from ((number + k, list(cells)) for k in range(again))
                number += again

    def _repeats(self, element: Any, name: str) -> int:
        given = element.get(name, "1")
        if not (given.isascii() and given.isdecimal() and len(given) < 8):
            raise self._source.error(f"repeats a cell or row {given[:20]!r} times; want a number")
        return int(given)

    def _text(self, cell: Any) -> str:
        if self._odd and cell.get(_FORMULA) is not None and _is_error(cell):
            return ""
        return _ods_text(cell)

    def _cells(self, row: Any) -> list[str]:
        """Return the cells of a row without the empty ones at its end."""
        cells = [
            (self._text(cell), self._repeats(cell, _COLUMNS))
            for cell in row
            if isinstance(cell.tag, str)
            and local_name(cell) in {"table-cell", "covered-table-cell"}
        ]
        while cells and not cells[-1][0]:
            cells.pop()
        if sum(count for _, count in cells) > MOST_COLUMNS:
            raise self._source.error(f"has a row of more than {MOST_COLUMNS:,} cells")
        return [text for text, count in cells for _ in range(count)]


def _note_hidden(element: Any, notes: Notes, place: str, count: int = 1) -> None:
    if element.get(_SHOWN, "visible") != "visible":
        kind = "hidden columns, read as the others"
        if local_name(element) == "table-row":
            kind = "hidden rows, read as the others: delete those that are not wanted"
        notes.add(kind, place, count)


def _note_cells(row: Any, notes: Notes, place: str) -> None:
    """Note cells that a table shows otherwise than they are read."""
    for cell in row:
        if cell.get(_FORMULA) is not None and _is_error(cell):
            notes.add("cells with the error of a formula, read as empty", place)
        if cell.get(_SPANNED, "1") != "1" and _ods_text(cell):
            kind = "cells merged over several rows, whose text is in the first of them only"
            notes.add(kind, place)


def _is_error(cell: Any) -> bool:
    return _ERROR.fullmatch(_paragraphs(cell)) is not None


def _ods_text(cell: Any) -> str:
    """Return the value of a cell with the text that the sheet shows, or its paragraphs as lines."""
    value = _VALUES.get(cell.get(_TYPE, ""))
    if value is not None and (spelled := cell.get(value)):
        return CellValue(str(spelled), _paragraphs(cell) or str(spelled))
    return _paragraphs(cell) or str(cell.get(_STRING, ""))


def _paragraphs(cell: Any) -> str:
    paragraphs = [each for each in cell if isinstance(each.tag, str) and local_name(each) == "p"]
    return "\n".join(map(_paragraph, paragraphs))


def _paragraph(element: Any) -> str:
    """Return the text of a paragraph, without the white space that only lays out the XML."""
    text = _characters(element) if len(element) else element.text or ""
    if _LAID_OUT.search(text):
        text = _WHITE.sub(" ", text)
    text = text.strip(" ")
    return text.translate(_UNKEPT) if len(element) else text


def _characters(element: Any) -> str:
    parts = [element.text or ""]
    for child in element:
        name = local_name(child) if isinstance(child.tag, str) else ""
        if name == "s":
            given = child.get(_BLANKS, "1")
            parts.append(_KEPT[" "] * min(int(given) if given.isdecimal() else 1, _MOST_BLANKS))
        elif name in {"tab", "line-break"}:
            parts.append(_KEPT["\t" if name == "tab" else "\n"])
        elif name and name not in {"note", "annotation"}:
            parts.append(_characters(child))
        parts.append(child.tail or "")
    return "".join(parts)


# Writing.

_MIME = "application/vnd.oasis.opendocument.spreadsheet"
_DATE = (2000, 1, 1, 0, 0, 0)
_VERSION = '<?xml version="1.0" encoding="UTF-8"?>\n'
_SPACES = "".join(
    f' xmlns:{prefix}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
    for prefix, name in (
        ("office", "office"),
        ("style", "style"),
        ("table", "table"),
        ("text", "text"),
        ("fo", "xsl-fo-compatible"),
        ("config", "config"),
    )
)
_MANIFEST = (
    f'{_VERSION}<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest'
    f':1.0" manifest:version="1.2"><manifest:file-entry manifest:full-path="/" '
    f'manifest:version="1.2" manifest:media-type="{_MIME}"/><manifest:file-entry '
    'manifest:full-path="content.xml" manifest:media-type="text/xml"/><manifest:file-entry '
    'manifest:full-path="settings.xml" manifest:media-type="text/xml"/></manifest:manifest>'
)
_CHARACTER = 0.2  # centimetres of a character of the usual font; set by hand
_STYLES = (
    "<office:automatic-styles>"
    + "".join(
        f'<style:style style:name="{name}" style:family="table-column"><style:table-column-'
        f'properties style:column-width="{_CHARACTER * width:g}cm"/></style:style>'
        for name, width in (("wide", WIDE), ("narrow", NARROW))
    )
    + "".join(
        f'<style:style style:name="{name}" style:family="table"><style:table-properties '
        f'table:display="true" style:writing-mode="{mode}"/></style:style>'
        for name, mode in (("sheet", "lr-tb"), ("mirrored", "rl-tb"))
    )
    + "".join(
        f'<style:style style:name="{name}" style:family="table-cell"><style:table-cell-properties '
        f'fo:wrap-option="wrap" style:vertical-align="top"/><style:paragraph-properties '
        f'{align}style:writing-mode="{mode}"/></style:style>'
        for name, align, mode in (("left", "", "lr-tb"), ("right", 'fo:text-align="end" ', "rl-tb"))
    )
    + '<style:style style:name="head" style:family="table-cell"><style:text-properties '
    'fo:font-weight="bold"/></style:style></office:automatic-styles>'
)
_BLANK_RUNS = re.compile(r"^ | $| {2,}|\t")


def _write(bitexts: Iterable[Bitext], out: IO[bytes], *, options: WriteOptions) -> None:
    with written_table(bitexts, options, "ods") as table:
        write_spreadsheet(table, out)


def _write_multitexts(multitexts: Multitexts, out: IO[bytes]) -> None:
    write_spreadsheet(multitext_table(multitexts), out)


def write_spreadsheet(table: Written, out: IO[bytes], *, most_rows: int = MOST_ROWS) -> None:
    """Write a table as sheets with `most_rows` rows each at most, the header among them.

    Raises `InputError` when the table has too many columns, a character that XML forbids, or more
    text than such a file can have.
    """
    if len(table.header) > MOST_COLUMNS:
        raise InputError(f"ods has {MOST_COLUMNS:,} columns at most; choose csv or jsonl")
    if has_forbidden("".join(table.header)):
        raise InputError("ods: the name of a column has a character that XML forbids; choose csv")
    sheets = 0
    with ZipFile(out, "w") as archive:
        archive.writestr(_info("mimetype", ZIP_STORED), _MIME)
        archive.writestr(_info("META-INF/manifest.xml"), _MANIFEST)
        with archive.open(_info("content.xml"), "w") as member:
            size = 0
            for piece, begins in _content(table, most_rows):
                sheets += begins
                data = piece.encode()
                size += len(data)
                if size > _MOST_BYTES:
                    raise InputError("ods holds 2 GB of contents at most; choose csv or jsonl")
                member.write(data)
        archive.writestr(_info("settings.xml"), _settings(sheets))


_MOST_BYTES = (1 << 31) - (1 << 20)  # of a member of an archive without 64-bit sizes


def _info(name: str, compression: int = ZIP_DEFLATED) -> ZipInfo:
    info = ZipInfo(name, _DATE)
    info.compress_type = compression
    return info


def _content(table: Written, most_rows: int) -> Iterator[tuple[str, bool]]:
    """Yield `content.xml` in pieces, each with whether it begins a sheet."""
    right = [is_right_to_left(lang) for lang in table.langs]
    styles = ["right" if each else "left" for each in right]
    styles += ["left"] * (len(table.header) - len(right))
    begin = "".join(
        f'<table:table-column table:style-name="{"wide" if k < len(right) else "narrow"}" '
        f'table:default-cell-style-name="{style}"/>'
        for k, style in enumerate(styles)
    )
    begin += f"<table:table-row>{''.join(_cell(name, 'head') for name in table.header)}"
    begin = f'table:style-name="{"mirrored" if all(right) else "sheet"}">{begin}</table:table-row>'
    yield f'{_VERSION}<office:document-content{_SPACES} office:version="1.2">{_STYLES}', False
    yield "<office:body><office:spreadsheet>", False
    rows = sheets = 0
    for number, row in enumerate(table.rows):
        if has_forbidden("".join(row)):
            raise _forbidden(table, row, number)
        if not sheets or rows == most_rows:
            sheets += 1
            end = "</table:table>" if sheets > 1 else ""
            yield f'{end}<table:table table:name="Sheet{sheets}" {begin}', True
            rows = 1
        cells = "".join(
            _number(cell) if k == table.scores else _cell(cell, styles[k])
            for k, cell in enumerate(row)
        )
        yield f"<table:table-row>{cells}</table:table-row>", False
        rows += 1
    if not sheets:
        yield f'<table:table table:name="Sheet1" {begin}', True
    yield "</table:table></office:spreadsheet></office:body></office:document-content>", False


def _forbidden(table: Written, row: Sequence[str], number: int) -> InputError:
    name, match = next(
        (name, match)
        for name, cell in zip(table.header, row, strict=True)
        if (match := FORBIDDEN.search(cell))
    )
    return InputError(
        f"ods: {name} of bisegment {number} has the character U+{ord(match[0]):04X}, which XML "
        f"forbids: replace it, or choose csv"
    )


def _number(cell: str) -> str:
    if not cell or not isfinite(float(cell)):
        return _cell(cell, "left")
    value = escape_value(cell)
    return (
        f'<table:table-cell office:value-type="float" office:value="{value}"><text:p>{value}'
        f"</text:p></table:table-cell>"
    )


def _cell(text: str, style: str) -> str:
    """Return a cell of text, with a paragraph for each line."""
    if not text:
        return "<table:table-cell/>"
    paragraphs = "</text:p><text:p>".join(map(_line, text.split("\n")))
    return (
        f'<table:table-cell table:style-name="{style}" office:value-type="string"><text:p>'
        f"{paragraphs}</text:p></table:table-cell>"
    )


def _line(line: str) -> str:
    """Return a line as the content of a paragraph, in which blanks beside each other are one."""
    escaped = escape(line)
    return _BLANK_RUNS.sub(_blanks, escaped) if " " in line or "\t" in line else escaped


def _blanks(match: re.Match[str]) -> str:
    if match[0] == "\t":
        return "<text:tab/>"
    count = len(match[0])
    return "".join(
        f'<text:s text:c="{min(_MOST_BLANKS, count - begin)}"/>'
        for begin in range(0, count, _MOST_BLANKS)
    )


def _settings(sheets: int) -> str:
    """Return `settings.xml`, by which the header of each sheet stays in view."""

    def item(name: str, kind: str, value: str) -> str:
        return (
            f'<config:config-item config:name="{name}" config:type="{kind}">{value}'
            f"</config:config-item>"
        )

    frozen = (
        item("VerticalSplitMode", "short", "2")
        + item("VerticalSplitPosition", "int", "1")
        + item("ActiveSplitRange", "short", "2")
        + item("PositionBottom", "int", "1")
    )
    tables = "".join(
        f'<config:config-item-map-entry config:name="Sheet{k}">{frozen}'
        f"</config:config-item-map-entry>"
        for k in range(1, sheets + 1)
    )
    return (
        f"{_VERSION}<office:document-settings{_SPACES} "
        'xmlns:ooo="http://openoffice.org/2004/office" office:version="1.2"><office:settings>'
        '<config:config-item-set config:name="ooo:view-settings">'
        '<config:config-item-map-indexed config:name="Views"><config:config-item-map-entry>'
        f"{item('ViewId', 'string', 'view1')}"
        f'<config:config-item-map-named config:name="Tables">{tables}'
        "</config:config-item-map-named></config:config-item-map-entry>"
        "</config:config-item-map-indexed></config:config-item-set></office:settings>"
        "</office:document-settings>"
    )


FORMAT = Format(
    name="ods",
    title="one row a bisegment, in a spreadsheet (OpenDocument)",
    suffixes=(".ods",),
    sniff=_sniff,
    read=_read,
    write=_write,
    write_multitexts=_write_multitexts,
    keeps=replace(KEEPS, controls=False),
    binary=True,
    tabular=True,
)
