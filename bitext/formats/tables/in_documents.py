"""Bilingual tables in documents: HTML, ODT and RTF, one row per bisegment; read.

Translators exchange them as they do those of Word (`bitext.formats.books.docx`). The columns are
recognised as in other tables (`bitext.formats.tables`), or named by the user. A table in HTML needs
a header that names two texts or languages, since most tables of web pages are not alignments.

The paragraphs of a cell are its lines. Of several tables, those with the number of columns of most
rows, or of a header of two texts, are read, one after another. Text outside of them is left out,
with a note; a document with more characters outside of its tables than in them is running text, and
refused. Inline codes are left out, and noted. A row that lacks cells, for example because cells
were merged, is refused with its number; a cell over several columns belongs to the first of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from bitext.errors import FormatError, remedy
from bitext.formats.documents import Document, document_format, read_document
from bitext.formats.header_names import BEGINNING, names_texts, width_of_texts
from bitext.formats.io.source import Source
from bitext.formats.registry import Format, ReadOptions
from bitext.formats.tables import read_rows
from bitext.model import Bitext

_PAGE = "an HTML page"  # as its documents are titled
_EXAMINED = 1000  # bytes of a document that show its kind; set by hand


def _sniff(head: bytes) -> int:
    is_page = b"<table" in head.lower()
    if not (is_page or head.startswith(b"{\\rtf") or b"opendocument.text" in head[:_EXAMINED]):
        return 0
    try:
        known = document_format(head, "")
    except FormatError:  # a presentation, as ODP is
        return 0
    return 70 if known is not None and known.name in {"html", "odt", "rtf"} else 0


def _read(source: Source, options: ReadOptions) -> Iterator[Bitext]:
    known = document_format(source.head(), source.path)
    title = "a document" if known is None else known.title
    document = read_document(source)
    named = bool(options.columns.named)
    rows = [*_rows(source, document, title, named=named)]
    headed = any(names_texts(row) for _, row in rows[:BEGINNING])
    if title == _PAGE and not named and not headed:
        raise _no_alignment(source, title, "its table has no header of two texts or languages")
    yield from read_rows(source, options, rows, noun="row", padded=True)


def _rows(
    source: Source, document: Document, title: str, *, named: bool
) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows of the tables that hold the texts, each with its number from 1."""
    tables = _tables(document)
    width = width_of_texts([[*rows.values()] for rows in tables.values()])
    if width < 2:
        fault = "its table has one column" if width else "it has no table"
        raise _no_alignment(source, title, fault)
    chosen = {
        table: rows
        for table, rows in tables.items()
        if any(len(row) == width for row in rows.values())
    }
    outside, coded = [], []
    for block in document.blocks:
        cell = block.cell
        row = [] if cell is None else chosen.get(cell.table, {}).get(cell.row, [])
        if cell is None or cell.column > len(row):  # as behind the last cell of RTF
            outside.append(block.text)
        elif block.marked is not None:
            coded.append(block.text)
    before, inside = sum(map(len, outside)), sum(map(len, (b.text for b in document.blocks)))
    if 2 * before > inside and not named:
        raise _no_alignment(source, title, "more of its text is outside of its table than in it")
    for kind, texts in (
        ("paragraphs outside of the table, left out", outside),
        ("paragraphs with inline codes, written without them", coded),
    ):
        if texts:
            source.note(kind, f"{texts[0][:40]!r}", count=len(texts))
    for number, row in chain.from_iterable(rows.items() for rows in chosen.values()):
        if (count := len(row)) != width:
            source.refuse(
                f"row {number} of its tables has {count} of {width} cells, as after cells were "
                f"merged or split: give each row all cells"
            )
        elif any(row):
            yield number, row


def _tables(document: Document) -> dict[int, dict[int, list[str]]]:
    """Return the cells of each row of each table; the paragraphs of a cell are its lines."""
    cells: dict[tuple[int, int], list[list[str]]] = {
        place: [[] for _ in range(size)] for place, size in document.widths.items()
    }
    for block in document.blocks:
        if block.cell and block.cell.column <= len(row := cells.get(block.cell[:2], [])):
            row[block.cell.column - 1].append(block.text)
    tables: dict[int, dict[int, list[str]]] = {}
    for (table, number), row in cells.items():
        tables.setdefault(table, {})[number] = list(map("\n".join, row))
    return tables


def _no_alignment(source: Source, title: str, fault: str) -> Exception:
    way = remedy("columns src=1,tgt=2")
    last = "save it as .docx if its segments are those of Trados"
    if title == _PAGE:
        last = "get the file itself if this is the page about it"
    return source.error(
        f"is {title}, not an alignment: {fault}; align it with its translation ('bitext align'), "
        f"name the columns if its table is bilingual ({way}), or {last}"
    )


FORMAT = Format(
    name="document-table",
    title="bilingual tables in HTML, ODT and RTF (read)",
    sniff=_sniff,
    read=_read,
    binary=True,
    tabular=True,
)
