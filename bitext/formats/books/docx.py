"""Word files that are written: a bilingual table, and a book of facing paragraphs.

DOCX: a bilingual table in Word, for translators; one row per bisegment, one column per language.

    | # | English (en)              | French (fr)     |
    | 1 | It rained.                | Il pleuvait.    |
    | 2 | The ferry left. It was    | Le bac partit à |
    |   | late.                     |                 |

A paragraph of a cell is a segment, so that n-m bisegments and empty sides survive; each document
pair is a separate table below its name. A table that `bitext` wrote is recognised by a property of
the document, or by the title or the style of the table, also after Word or another program saved
it. Its first column (`#`) is not read: rows may be added, deleted and moved. With rows of
paragraphs (`BookOptions.rows`) the document is a book (below), and each row is read as one
bisegment.

Other documents
    A table with two or more columns of texts. A header, the cells or the user
    (`--columns src=1,tgt=3`) determines the two texts, as for TSV; the other columns are
    attributes. The languages are those of the header. Of several tables, those with the number of
    columns of most rows are read, one after another. Text outside of them is left out, with a note;
    a document with more characters outside of its table than in it is running text, and refused.
Documents with segments of Trados
    `{0>source<}100{>target<0}`, the source hidden, as Trados and Wordfast Classic leave documents
    that are not cleaned: each is a bisegment, with the column `match`; formatting is lost.
Codes
    Bold, italic, underlined, struck out, raised and lowered characters are formatting of Word, and
    so are `<strong>` and `<em>` (styles of characters). They come back as the codes of documents,
    also where a pair began in another segment. Any other code is a label in a style of its own,
    `‹link 1›` to `‹/link 1›`, or `‹image 2/›`: it may be moved, copied and deleted. The codes
    themselves are in a part of the document that Word does not show.
Tracked changes
    Read as accepted: insertions are texts, deletions are left out; noted.
Rows
    A row that lacks a cell, as after cells were merged or split, is refused with its number.

| in the text | in the cell |
| --- | --- |
| no segment; a segment without visible characters | nothing; `∅` in the style of codes |
| a tab; a line end; a carriage return | a tab; a line break; `␍` in the style of codes |
| a line break of a document (a code) | a line break |

| kept | lost |
| --- | --- |
| texts, the segments of each side, empty sides and segments | scores, attributes, identifiers |
| inline codes, languages, names of document pairs | further languages, word links, paragraphs |
| the order of bisegments | the order of segments (crossings, gaps), overlaps, uncovered segments |

The bytes of a file depend on its contents only.

Books in Word: facing paragraphs, below headings of Word, with a table of contents.

Headings of both texts are one heading of Word, so that the navigation pane and the table of
contents have them; the rows of a book between two headings are a table. A segment that is read back
from it is a paragraph or a heading.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import IO, Any, NamedTuple

from bitext.errors import FormatError, many, remedy
from bitext.formats.beads import Beads
from bitext.formats.books import Block, Book, Row, Run, make_book, shows_codes
from bitext.formats.books.docx_cells import (
    CellReader,
    Segment,
    blocks_of,
    plain_text,
    read_codes,
    trados_segments,
)
from bitext.formats.books.docx_writing import (
    TABLE,
    WIDTH,
    run_language,
    word_field,
    word_paragraph,
    word_run,
    write,
    write_document,
)
from bitext.formats.columns import SAMPLE, Layout, UnclearColumnsError, lay_out
from bitext.formats.documents import document_format
from bitext.formats.documents.archive import Archive
from bitext.formats.documents.blocks import COMMENTS
from bitext.formats.documents.docx import (
    MARKER,
    bilingual_kind,
    main_part,
    relations_of,
)
from bitext.formats.documents.docx_runs import (
    REMOVED,
    characters_of,
    child_of,
    children_by,
    is_deleted,
    is_on,
    property_of,
    value_of,
)
from bitext.formats.header_names import names_texts, width_of_texts
from bitext.formats.io.source import Source
from bitext.formats.languages import two_languages, wrong_languages
from bitext.formats.registry import Capabilities, Format, ReadOptions, WriteOptions
from bitext.formats.states import as_drafts, is_draft, note_draft, spelled_state, unknown_states
from bitext.formats.xml import escape
from bitext.formats.xml.safe import local_name
from bitext.lazy import late_pattern
from bitext.model import Bitext
from bitext.model.languages import is_right_to_left, language_of


def _sniff(head: bytes) -> int:
    if not head.startswith(b"PK\x03\x04"):
        return 0
    try:
        known = document_format(head, "")
    except FormatError:  # another archive, as ODS is
        return 0
    return 80 if known is not None and known.name == "docx" else 0


def _write(bitexts: Iterable[Bitext], out: IO[bytes], *, options: WriteOptions) -> None:
    if options.book.rows == "paragraph":
        write_book(bitexts, out, options)
        return
    write(bitexts, out, options)


# Books in Word: facing paragraphs, below headings of Word, with a table of contents.

# Properties of runs by the styles of a book, in the order of the schema.
_STYLES = {
    "code": '<w:rFonts w:ascii="Courier New" w:hAnsi="Courier New" w:cs="Courier New"/>',
    "bold": "<w:b/><w:bCs/>",
    "italic": "<w:i/><w:iCs/>",
    "strike": "<w:strike/>",
    "small": '<w:sz w:val="18"/><w:szCs w:val="18"/>',
    "underline": '<w:u w:val="single"/>',
    "superscript": '<w:vertAlign w:val="superscript"/>',
    "subscript": '<w:vertAlign w:val="subscript"/>',
}
_DEEPEST = 3  # levels of the table of contents, as in the contents of a book
_INDENT = 284  # of list items and verses, in twentieths of a point


def write_book(bitexts: Iterable[Bitext], out: IO[bytes], options: WriteOptions) -> None:
    """Write bitexts as a book by paragraphs; raises as `make_book`."""
    book = make_book(bitexts, options, format="docx")
    if options.notes is not None:
        rows = sum(len(chapter.rows) for chapter in book.chapters)
        way = remedy("rows bead")
        kind = f"rows of facing paragraphs, each read back as one bisegment ({way} has theirs)"
        options.notes.add(kind, book.title, rows)
    langs = (book.sides[0].lang, book.sides[1].lang)
    kind = f"book {langs[0] or '-'} {langs[1] or '-'}"
    write_document(out, langs, book.title, _body(book), kind=kind)


def _body(book: Book) -> Iterator[str]:
    yield word_paragraph("Title", word_run(book.title))
    entries = {(entry.chapter, entry.row): k for k, entry in enumerate(book.contents)}
    if len(entries) > 1:
        yield _contents(book)
    for number, chapter in enumerate(book.chapters):
        if chapter.is_named:
            depth = _depth(book, entries, number, -1, 1)
            mark = entries.get((number, -1))
            yield _heading(depth, [word_run(title) for title in chapter.titles[:1]], mark)
        rows: list[str] = []
        for place, row in enumerate(chapter.rows):
            if row.level:
                yield from _table(rows, book)
                rows = []
                depth = _depth(book, entries, number, place, row.level)
                yield _heading(depth, _facing_titles(row, book), entries.get((number, place)))
            cells = _cells(row, book)
            if cells:
                rows.append(cells)
        yield from _table(rows, book)


def _depth(
    book: Book, entries: dict[tuple[int, int], int], chapter: int, row: int, level: int
) -> int:
    """Return the level of a heading: its depth in the contents, else its own, from 1 to 9."""
    number = entries.get((chapter, row))
    depth = max(level, _DEEPEST + 1) if number is None else book.contents[number].depth
    return min(depth, 9)


def _contents(book: Book) -> str:
    """Return a table of contents: a field, with its result."""
    out = []
    last = len(book.contents) - 1
    begin, end = word_field(f'TOC \\o "1-{_DEEPEST}" \\n \\h')
    for k, entry in enumerate(book.contents):
        titles = " · ".join(filter(None, entry.titles))
        link = f'<w:hyperlink w:anchor="{_mark(k)}">{word_run(titles)}</w:hyperlink>'
        inner = f"{begin if k == 0 else ''}{link}{end if k == last else ''}"
        out.append(word_paragraph(f"TOC{min(entry.depth, 9)}", inner))
    return (
        '<w:sdt><w:sdtPr><w:docPartObj><w:docPartGallery w:val="Table of Contents"/>'
        f"<w:docPartUnique/></w:docPartObj></w:sdtPr><w:sdtContent>{''.join(out)}"
        "</w:sdtContent></w:sdt>"
    )


def _mark(number: int) -> str:
    return f"_Toc{number + 1:06d}"


def _heading(depth: int, titles: Sequence[str], number: int | None) -> str:
    """Return a heading of Word, from the runs of the titles of both sides."""
    divider = '<w:r><w:rPr><w:rStyle w:val="BitextDivider"/></w:rPr><w:t xml:space="preserve"> · '
    inner = f"{divider}</w:t></w:r>".join(titles)
    if number is not None:
        place = f'<w:bookmarkStart w:id="{number}" w:name="{_mark(number)}"/>'
        inner = f'{place}{inner}<w:bookmarkEnd w:id="{number}"/>'
    return word_paragraph(f"Heading{depth}", inner)


def _facing_titles(row: Row, book: Book) -> list[str]:
    titles = []
    for blocks, side in zip(row.sides, book.sides, strict=True):
        runs = [
            _block_runs(block, block.lang or side.lang, rtl=side.right_to_left)
            for block in blocks
            if block.kind == "heading"
        ]
        titles.append(word_run(" ").join(runs))
    return titles


def _table(rows: list[str], book: Book) -> Iterator[str]:
    if rows:
        visual = "<w:bidiVisual/>" if all(side.right_to_left for side in book.sides) else ""
        column = f'<w:gridCol w:w="{WIDTH // 2}"/>'
        yield (
            f'<w:tbl><w:tblPr><w:tblStyle w:val="BitextBook"/>{visual}'
            f'<w:tblW w:w="{WIDTH}" w:type="dxa"/><w:tblLayout w:type="fixed"/>'
            f'<w:tblCaption w:val="bitext"/></w:tblPr><w:tblGrid>{column}{column}</w:tblGrid>'
        )
        yield from rows
        yield "</w:tbl>"


def _cells(row: Row, book: Book) -> str:
    """Return a row of a table, without headings; empty if there is nothing else."""
    cells = []
    for blocks, side, style in zip(
        row.sides, book.sides, ("BitextSource", "BitextTarget"), strict=True
    ):
        paragraphs = [
            _block(block, side.lang, style, rtl=side.right_to_left)
            for block in blocks
            if block.kind != "heading"
        ]
        cells.append("".join(paragraphs))
    if not any(cells):
        return ""
    empty = '<w:p><w:pPr><w:pStyle w:val="Normal"/></w:pPr></w:p>'
    width = f'<w:tcPr><w:tcW w:w="{WIDTH // 2}" w:type="dxa"/></w:tcPr>'
    return f"<w:tr>{''.join(f'<w:tc>{width}{cell or empty}</w:tc>' for cell in cells)}</w:tr>"


def _block(block: Block, lang: str, style: str, *, rtl: bool) -> str:
    properties = ""
    if block.kind == "item":
        level = min(max(block.level, 1), 9) - 1
        bullet = f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="1"/></w:numPr>'
        left = _INDENT * (level + 1)
        if block.label:
            properties = f'<w:ind w:left="{left}" w:hanging="{_INDENT}"/>'
        else:
            properties = f'<w:ind w:left="{left}"/>' if block.goes_on else bullet
    elif block.kind == "verse":
        properties = f'<w:ind w:left="{_INDENT}" w:hanging="{_INDENT}"/>'
    bidi = "<w:bidi/>" if rtl else ""  # in the order of the schema
    is_list = properties.startswith("<w:numPr")
    properties = properties + bidi if is_list else bidi + properties
    runs = _block_runs(block, block.lang or lang, rtl=rtl, is_note=block.kind == "note")
    return word_paragraph(style, runs, properties)


def _block_runs(block: Block, lang: str, *, rtl: bool, is_note: bool = False) -> str:
    """Return the runs of a block; those of a block in a language of its own name the language."""
    own = run_language(lang).replace("<w:rtl/>", "") if block.lang else ""
    rtl = is_right_to_left(block.lang) if block.lang else rtl
    out = []
    if block.label and block.kind == "item":
        style = '<w:rPr><w:rStyle w:val="BitextLabel"/><w:vertAlign w:val="baseline"/></w:rPr>'
        # Blanks within a number are narrow, so that the number ends where it is read back.
        number = "\u202f".join(block.label.split())
        out.append(f"<w:r>{style}<w:t>{escape(number)}\u00a0</w:t><w:tab/></w:r>")
    elif block.label:
        out.append(word_run(f"{block.label}\u00a0", '<w:rStyle w:val="BitextLabel"/>'))
    begins = False  # a line, which no blank begins
    for sentence in block.sentences:
        if sentence.space:
            out.append(word_run(" "))
        for run in sentence.runs:
            if begins:
                run = run._replace(text=run.text.removeprefix(" "))
            begins = run.text == "\n"
            styles = (*run.styles, "small") if is_note and "small" not in run.styles else run.styles
            out.append(_styled(run._replace(styles=styles), own, rtl=rtl))
    return "".join(out)


def _styled(run: Run, lang: str, *, rtl: bool) -> str:
    if run.text == "\n":
        return "<w:r><w:br/></w:r>"
    properties = "".join(value for name, value in _STYLES.items() if name in run.styles)
    fonts, _, code = lang.rpartition("<w:lang")
    if fonts and "code" not in run.styles:
        properties = fonts + properties
    properties += "<w:rtl/>" if rtl else ""
    properties += f"<w:lang{code}" if code else ""
    made = word_run(run.text, properties)
    if run.link:
        begin, end = word_field(f'HYPERLINK "{run.link}"')
        return f"{begin}{made}{end}"
    return made


# Reading of bilingual tables in Word, by us and by others: the tables of a document.


class _Table(NamedTuple):
    name: str  # the text of the heading before the table, if it is the first after the heading
    number: int  # its number among the tables of the document, from 1
    rows: list[Any]
    is_ours: bool  # whether `bitext` wrote it
    begins: bool  # whether a heading stands before it


class _Row(NamedTuple):
    """A row: its table, its number in the table from 1, its cells; whether pages repeat it."""

    table: _Table
    number: int
    cells: list[Any]
    is_head: bool

    @property
    def place(self) -> str:
        """Its place, for messages."""
        table = "table" if self.table.number == 1 else f"table {self.table.number}"
        return f"{table} row {self.number}"


def read(source: Source, options: ReadOptions) -> Iterator[Bitext]:
    """Yield the bitexts of a bilingual document of Word.

    Raises `FormatError` when the document is not one, or a row cannot be read.
    """
    archive = Archive(source)
    main = main_part(archive)
    tree = archive.tree(main)
    body = child_of(tree, "body")
    if body is None:
        raise source.error(f"has no member {main} with a body, so it is no document of Word")
    targets, parts = relations_of(archive, main)
    if parts.get("comments", "") in archive.names:
        source.note(COMMENTS)
    kind = bilingual_kind(archive)
    tree = archive.tree(parts.get("styles", "word/styles.xml"))
    styles = children_by(tree, "style", "styleId")
    cells = CellReader(targets, styles, read_codes(archive))
    if kind.startswith("book "):
        yield from _book(source, options, body, styles, cells, kind)
        return
    tables, outside = _tables(body, styles)
    ours = [table for table in tables if table.is_ours]
    if not ours and kind:
        ours = tables
    if ours:
        if len(ours) < len(tables):
            source.note("tables that bitext did not write, left out", count=len(tables) - len(ours))
        _note_outside(source, outside)
        yield from _ours(source, options, ours, cells)
    elif segments := trados_segments(source, _with_notes(archive, parts, body)):
        beads = Beads(source, options)
        for src, tgt, match in segments:
            beads.add([src] if src else [], [tgt] if tgt else [], attributes={"match": match})
            yield from beads.parts()
        yield from beads.rest()
    else:
        chosen = _chosen(source, options, tables, outside)
        yield from _theirs(source, options, chosen, cells)


_HEADING = late_pattern(r"heading \d|title|subtitle", re.IGNORECASE)


def _style_name(style: str, styles: Mapping[str, Any]) -> str:
    return property_of(styles.get(style), "name")


def _with_notes(archive: Archive, parts: Mapping[str, str], body: Any) -> Iterator[Any]:
    """Yield the body of a document, and its footnotes and endnotes."""
    yield body
    for kind in ("footnotes", "endnotes"):
        tree = archive.tree(parts.get(kind, ""))
        if tree is not None:
            yield tree


def _tables(body: Any, styles: Mapping[str, Any]) -> tuple[list[_Table], list[Any]]:
    """Return the tables, and the paragraphs outside of them that are not their names."""
    tables: list[_Table] = []
    outside: list[Any] = []
    heading: Any = None
    for element in blocks_of(body):
        if local_name(element) == "p":
            if not characters_of(element):
                continue
            style = property_of(child_of(element, "pPr"), "pStyle")
            if _HEADING.fullmatch(_style_name(style, styles)):
                if heading is not None:
                    outside.append(heading)
                heading = element
            else:
                outside.append(element)
            continue
        properties = child_of(element, "tblPr")
        style = property_of(properties, "tblStyle")
        titled = property_of(properties, "tblCaption") == MARKER
        ours = titled or (_style_name(style, styles) == TABLE)
        name = "" if heading is None else plain_text(heading)
        rows = _members(element, "tr")
        tables.append(_Table(name, len(tables) + 1, rows, ours, heading is not None))
        heading = None
    if heading is not None:
        outside.append(heading)
    return tables, outside


def _flat_children(element: Any) -> Iterator[Any]:
    """Yield the rows of a table, or the cells of a row, also those in content controls."""
    for child in element:
        if local_name(child) in {"sdt", "sdtContent", "customXml", "ins", "moveTo"}:
            yield from _flat_children(child)
        else:
            yield child


def _members(element: Any, name: str) -> list[Any]:
    return [each for each in _flat_children(element) if local_name(each) == name]


def _chosen(
    source: Source, options: ReadOptions, tables: list[_Table], outside: list[Any]
) -> list[_Table]:
    """Return the tables of a document by others that hold its bisegments."""
    advice = "align it with its translation (bitext align), or give the file of the alignment"
    if not tables:
        both = "; if it has both languages, make a table of two columns of them"
        raise source.error(f"is a document of Word without a table: {advice}{both}")
    texts = [
        [list(map(characters_of, _members(row, "tc"))) for row in table.rows] for table in tables
    ]
    width = width_of_texts(texts)
    chosen = [
        table
        for table, rows in zip(tables, texts, strict=True)
        if any(len(row) == width for row in rows)
    ]
    inside = sum(len(characters_of(row)) for table in chosen for row in table.rows)
    before = sum(map(len, map(characters_of, outside)))
    if width < 2 or (before > inside and not options.columns.named):
        fault = (
            "whose table has one column"
            if width < 2
            else f"with {many(before, 'character')} outside of its table, and {inside:,} in it"
        )
        more = "" if width < 2 else f"; to read its table, name the columns ({_columns_way()})"
        raise source.error(f"is a running document of Word, {fault}: {advice}{more}")
    if len(chosen) < len(tables):
        kind = f"tables with another number of columns than {width}, left out"
        source.note(kind, count=len(tables) - len(chosen))
    _note_outside(source, outside, [table.name for table in chosen if table.name])
    return chosen


def _note_outside(source: Source, outside: Sequence[Any], names: Sequence[str] = ()) -> None:
    if outside or names:
        first = plain_text(outside[0]) if outside else names[0]
        kind = "paragraphs outside of the table, left out"
        source.note(kind, f"{first[:40]!r}", count=len(outside) + len(names))


def _columns_way() -> str:
    return remedy("columns src=1,tgt=2")


def _rows_of(source: Source, tables: Iterable[_Table], cells: CellReader) -> Iterator[_Row]:
    """Yield the rows of tables; deleted ones are left out."""
    for table in tables:
        for number, row in enumerate(table.rows, start=1):
            is_head = is_on(child_of(child_of(row, "trPr"), "tblHeader"))
            made = _Row(table, number, _members(row, "tc"), is_head)
            if is_deleted(row):
                source.note(REMOVED, made.place)
                continue
            made.cells[:] = [each for each in made.cells if not cells.is_deleted(each)]
            yield made


def _fault(row: _Row, width: int, columns: Iterable[int]) -> str:
    """Return the fault of a row that cannot be read; empty for none."""
    if len(row.cells) != width:
        count = "one cell" if len(row.cells) == 1 else f"{len(row.cells)} cells"
        return (
            f"{row.place} has {count} where the table has {width} columns, as where cells were "
            f"merged or split: make it {width} cells again, or delete the row"
        )
    for k in columns:
        merged = child_of(child_of(row.cells[k], "tcPr"), "vMerge")
        if merged is not None and value_of(merged) in {"", "continue"}:
            return (
                f"{row.place} has a cell that is merged with the one above: split it, or move its "
                f"text and delete the row"
            )
        if any(local_name(each) == "tbl" for each in _flat_children(row.cells[k])):
            return f"{row.place} has a table in a cell: take its text out of the table"
    return ""


def _ours(
    source: Source, options: ReadOptions, tables: list[_Table], cells: CellReader
) -> Iterator[Bitext]:
    """Yield the bitexts of tables that `bitext` wrote: a document pair below each heading."""
    beads: Beads | None = None
    labels: list[str] = []
    for table in tables:
        for row in _rows_of(source, [table], cells):
            plain = None
            if row.number == 1 or row.is_head:
                plain = [" ".join(text for text, _ in cells.read(each)) for each in row.cells]
            if beads is None or (row.number == 1 and table.begins):
                if plain is None:
                    raise source.error(
                        f"{row.place} should be the head of the table, with the "
                        f"languages: put it back, or name the columns of another table"
                    )
                if beads is not None:
                    yield from beads.rest()
                columns, labels, langs = _our_columns(source, options, row, plain)
                adder = _RowAdder(source, options, cells, columns, labels)
                beads = Beads(source, options, langs=langs)
                beads.name = table.name or options.name
                continue
            if plain is not None and (row.is_head or plain == labels):
                continue  # the head again, of a table that was divided
            adder.add(beads, row)
            yield from beads.parts()
    if beads is not None:
        yield from beads.rest()
    cells.tell(source)


_LABEL = late_pattern(r".*\(([A-Za-z][A-Za-z0-9_-]*)\)")


def _our_columns(
    source: Source, options: ReadOptions, row: _Row, labels: list[str]
) -> tuple[list[int], list[str], tuple[str, str]]:
    """Return the columns of source and target, the names of all columns, and the languages."""
    texts = [k for k, label in enumerate(labels) if not (k == 0 and label.strip() == "#")]
    if len(texts) < 2:
        raise source.error(f"{row.place}, the head, has {len(texts)} columns of texts; want two")
    codes = []
    for k, otherwise in zip(texts[:2], ("Source", "Target"), strict=True):
        label = labels[k].strip()
        match = _LABEL.fullmatch(label)
        known = match[1] if match else language_of(label) or label
        codes.append("" if known == otherwise else known)
    requested = (options.src_lang, options.tgt_lang)
    columns = texts[:2]
    if any(requested) and all(codes):
        chosen = two_languages(codes, requested)
        if chosen is None:
            raise source.error(wrong_languages(codes, requested))
        if chosen != (codes[0], codes[1]):
            columns.reverse()
            codes.reverse()
    names = [label or f"col{k + 1}" for k, label in enumerate(labels)]
    return columns, names, (codes[0], codes[1])


def _book(
    source: Source,
    options: ReadOptions,
    body: Any,
    styles: Mapping[str, Any],
    cells: CellReader,
    kind: str,
) -> Iterator[Bitext]:
    """Yield the bitexts of a book by paragraphs: titles and facing paragraphs are bisegments."""
    src, tgt = [*kind.split()[1:3], "-", "-"][:2]
    langs = ("" if src == "-" else src, "" if tgt == "-" else tgt)
    beads = Beads(source, options, langs=langs)
    adder = _RowAdder(source, options, cells, (0, 1), ("", ""), strip=True)
    outside: list[Any] = []
    number = 0
    for element in blocks_of(body):
        if local_name(element) == "tbl":
            number += 1
            table = _Table("", number, _members(element, "tr"), is_ours=True, begins=False)
            for row in _rows_of(source, [table], cells):
                adder.add(beads, row)
                yield from beads.parts()
        elif characters_of(element):
            style = _style_name(property_of(child_of(element, "pPr"), "pStyle"), styles)
            titles = cells.read_divided(element)
            if not _HEADING.fullmatch(style):
                outside.append(element)
            elif len(titles) == 2:
                _add_titles(beads, titles)
            elif style.lower() != "title":  # the name of a document pair
                if len(beads):
                    yield from beads.rest()
                    beads = Beads(source, options, langs=langs)
                beads.name = plain_text(element)
    _note_outside(source, outside)
    yield from beads.rest()
    cells.tell(source)


def _add_titles(beads: Beads, titles: Sequence[Segment | None]) -> None:
    src, tgt = ([] if title is None else [title] for title in titles)
    if src or tgt:
        beads.line = 0
        _add_segments(beads, src, tgt)


def _add_segments(
    beads: Beads,
    src: Sequence[Segment],
    tgt: Sequence[Segment],
    attributes: dict[str, str] | None = None,
) -> None:
    codes = ([xml for _, xml in src], [xml for _, xml in tgt])
    beads.add(
        [text for text, _ in src],
        [text for text, _ in tgt],
        attributes=attributes,
        marked=codes if any(codes[0]) or any(codes[1]) else None,
    )


_HEAD = late_pattern(r"(source|target)(?: (?:segment|text|language))?", re.IGNORECASE)


def _theirs(
    source: Source, options: ReadOptions, tables: list[_Table], cells: CellReader
) -> Iterator[Bitext]:
    """Yield the bitext of a table by others."""
    rows = _rows_of(source, tables, cells)
    sample = list(islice(rows, min(SAMPLE, options.part_size)))
    width = Counter(len(row.cells) for row in sample).most_common(1)[0][0]
    sample = _without_title(source, sample)
    texts = [
        [plain_text(each) for each in row.cells]
        for row in sample
        if len(row.cells) == width and not _is_further_head(row, sample[0])
    ]
    layout = _their_layout(source, options, sample[0], texts)
    columns = [layout.src, layout.tgt]
    adder = _RowAdder(source, options, cells, columns, layout.names, layout.states, strip=True)
    beads = Beads(source, options, langs=layout.langs)
    begun = False
    other: _Table | None = None  # a table whose header is another one
    for row in chain(sample, rows):
        if row.table is other:
            continue
        if layout.header and not begun:
            begun = True
            continue
        if row.number == 1 or row.is_head:
            plain = [plain_text(each) for each in row.cells]
            if layout.header and plain != texts[0] and _is_further_head(row, sample[0]):
                other = row.table
                source.refuse(
                    f"{row.place} has another header than the first table "
                    f"({' | '.join(plain)[:60]!r} and {' | '.join(texts[0])[:60]!r}): put its "
                    f"columns in that order, or make a document of it"
                )
                continue
            if row.is_head or (layout.header and plain == texts[0]):
                continue
        adder.add(beads, row)
        yield from beads.parts()
    yield from beads.rest()
    cells.tell(source)


def _is_further_head(row: _Row, first: _Row) -> bool:
    begins = row.number == 1 and row.table is not first.table
    return begins and names_texts([plain_text(each) for each in row.cells])


def _without_title(source: Source, rows: list[_Row]) -> list[_Row]:
    """Return the rows of a table from its header on, if rows with a single text stand before it."""
    for k, row in enumerate(rows):
        texts = [text for text in map(plain_text, row.cells) if text]
        if len(texts) > 1:
            if k and names_texts(texts):
                shown = " ".join(map(plain_text, rows[0].cells)).strip()[:40]
                source.note(
                    "rows before a table, left out",
                    f"{rows[0].place}: {shown!r}",
                    count=k,
                )
                return rows[k:]
            break
    return rows


def _their_layout(
    source: Source, options: ReadOptions, first: _Row, texts: list[list[str]]
) -> Layout:
    """Determine the columns of a table by others; note them."""
    shown = [list(row) for row in texts]
    matches = [_HEAD.fullmatch(cell) for cell in shown[0]]
    shown[0] = [m[1].lower() if m else cell for m, cell in zip(matches, shown[0], strict=True)]
    # A column of automatic numbers has no characters.
    filled = [k for k in range(len(shown[0])) if any(row[k] for row in shown)]
    if options.columns.named or len(filled) < 2:
        filled = list(range(len(shown[0])))
    shown = [[row[k] for k in filled] for row in shown]
    columns = options.columns
    if first.is_head and columns.head is None:
        columns = replace(columns, head=True)
    try:
        layout = lay_out(shown, columns, (options.src_lang, options.tgt_lang))
    except UnclearColumnsError as error:
        way = _columns_way()
        raise source.error(f"its table {error}; name the columns ({way})") from None
    src, tgt = filled[layout.src], filled[layout.tgt]
    if not columns.named:
        other = remedy("columns src=2,tgt=3")
        kind = f"bilingual tables in documents of Word (name other columns with {other})"
        shape = f"source {src + 1}, target {tgt + 1}, of {len(texts[0])}"
        source.note(kind, shape)
        if layout.header and options.columns.head is None:
            way = remedy("no-head", python="head=False")
            kind = f"first rows taken as a header ({way} reads them as texts)"
            source.note(kind, " | ".join(texts[0])[:60])
    names = [""] * len(texts[0])
    for k, name in zip(filled, layout.names, strict=True):
        names[k] = name
    states = None if layout.states is None else filled[layout.states]
    if states is not None:
        names[states] = "state"
    return layout._replace(names=names, src=src, tgt=tgt, score=None, states=states)


@dataclass(frozen=True, slots=True)
class _RowAdder:
    """Adds rows of tables as bisegments, with the values of other columns."""

    source: Source
    options: ReadOptions
    cells: CellReader
    columns: Sequence[int]  # of the source and the target
    names: Sequence[str]  # of all columns
    states: int | None = None  # the column of states of translation
    strip: bool = False  # whether segments lose white space at their ends

    def add(self, beads: Beads, row: _Row) -> None:
        """Add the bisegment of a row, or refuse the row."""
        if fault := _fault(row, len(self.names), self.columns):
            self.source.refuse(fault)
            return
        spelled = "" if self.states is None else plain_text(row.cells[self.states])
        state = spelled_state(spelled)
        place = f"{self.source.path}: {row.place}"
        if spelled and not state:
            self.source.notes.add(unknown_states(), f"{place}: {spelled[:40]!r}")
        draft = is_draft(state) and all(plain_text(row.cells[k]) for k in self.columns)
        if draft:
            taken = self.options.drafts
            note_draft(self.source.notes, f"state {spelled[:40]!r}", place, taken=taken)
        src, tgt = (self.cells.read(row.cells[k], strip=self.strip) for k in self.columns)
        if not src and not tgt:
            self.source.note("empty rows of tables, left out", row.place)
            return
        others = {
            name: value
            for k, name in enumerate(self.names)
            if k not in self.columns
            and name not in {"", "#"}
            and (value := plain_text(row.cells[k]))
        }
        if state:
            others["state"] = state
        if draft and not self.options.drafts:
            others |= as_drafts(tgt)
            tgt = []
        beads.line = row.number
        _add_segments(beads, src, tgt, others or None)


FORMAT = Format(
    name="docx",
    title="bilingual tables in Word, for translators (DOCX)",
    holds="text",
    suffixes=(".docx",),
    sniff=_sniff,
    read=read,
    write=_write,
    keeps=Capabilities.of(
        "texts borders empty_sides empty_segments documents languages markup breaks",
        names=frozenset({"name"}),
    ),
    keeps_by_paragraph=Capabilities(
        texts=True, empty_sides=True, languages=True, markup=True, shows_codes=shows_codes
    ),
    names_languages=True,
    binary=True,
    tabular=True,
    book=True,
)
