"""Word files that are written: a bilingual table, and a book of facing paragraphs.

DOCX: a bilingual table in Word, for translators; one row a bisegment, one column a language.

    | # | English (en)              | French (fr)     |
    | 1 | It rained.                | Il pleuvait.    |
    | 2 | The ferry left. It was    | Le bac partit à |
    |   | late.                     |                 |

A paragraph of a cell is a segment, so that n-m bisegments and empty sides survive; a document pair
is a table of its own below its name. A table that `bitext` wrote is recognised by a property of the
document, or by the title or the style of the table, also after Word or another program saved it.
Its first column (`#`) is not read: rows may be added, deleted and moved. With rows of paragraphs
(`BookOptions.rows`) the document is a book (below), and each row is read as one bisegment.

Other documents
    A table in two columns of texts, or more, of which a header, the cells or the user (`--columns
    src=1,tgt=3`) names two, as for TSV; the other columns are attributes. The languages are those
    of the header. Of several tables those with as many columns as most rows have are read, one
    after another. What stands outside of them is left out, and noted; a document with more
    characters outside of its table than in it is running text, and refused.
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

from typing import IO, TYPE_CHECKING

from bitext.errors import FormatError, remedy
from bitext.formats.books import make_book, shows_codes
from bitext.formats.books.docx_writing import WIDTH, run_language, write_document
from bitext.formats.registry import Capabilities, Format, ReadOptions, WriteOptions
from bitext.formats.xml import escape
from bitext.model.languages import is_right_to_left

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from bitext.formats.books import Block, Book, Row, Run
    from bitext.formats.io.source import Source
    from bitext.model import Bitext


def _sniff(head: bytes) -> int:
    if not head.startswith(b"PK\x03\x04"):
        return 0
    from bitext.formats.documents import document_format

    try:
        known = document_format(head, "")
    except FormatError:  # another archive, as ODS is
        return 0
    return 80 if known is not None and known.name == "docx" else 0


def _read(source: Source, options: ReadOptions) -> Iterator[Bitext]:
    from bitext.formats.books.docx_reading import read

    return read(source, options)


def _write(bitexts: Iterable[Bitext], out: IO[bytes], *, options: WriteOptions) -> None:
    if options.book.rows == "paragraph":
        write_book(bitexts, out, options)
        return
    from bitext.formats.books.docx_writing import write

    write(bitexts, out, options)


FORMAT = Format(
    name="docx",
    title="bilingual tables in Word, for translators (DOCX)",
    holds="text",
    suffixes=(".docx",),
    sniff=_sniff,
    read=_read,
    write=_write,
    keeps=Capabilities.of(
        "texts borders empty_sides empty_segments documents languages markup breaks",
        names=frozenset({"name"}),
    ),
    keeps_by_paragraph=Capabilities(
        texts=True,
        empty_sides=True,
        languages=True,
        markup=True,
        shows_codes=shows_codes,
    ),
    names_languages=True,
    binary=True,
    tabular=True,
    book=True,
)


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
    yield _paragraph("Title", _run(book.title))
    entries = {(entry.chapter, entry.row): k for k, entry in enumerate(book.contents)}
    if len(entries) > 1:
        yield _contents(book)
    for number, chapter in enumerate(book.chapters):
        if chapter.is_named:
            depth = _depth(book, entries, number, -1, 1)
            mark = entries.get((number, -1))
            yield _heading(depth, [_run(title) for title in chapter.titles[:1]], mark)
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
    for k, entry in enumerate(book.contents):
        begin = (
            '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText xml:space="preserve">'
            f' TOC \\o "1-{_DEEPEST}" \\n \\h </w:instrText></w:r>'
            '<w:r><w:fldChar w:fldCharType="separate"/></w:r>'
        )
        end = '<w:r><w:fldChar w:fldCharType="end"/></w:r>'
        titles = " · ".join(filter(None, entry.titles))
        link = f'<w:hyperlink w:anchor="{_mark(k)}">{_run(titles)}</w:hyperlink>'
        inner = f"{begin if k == 0 else ''}{link}{end if k == last else ''}"
        out.append(_paragraph(f"TOC{min(entry.depth, 9)}", inner))
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
    return _paragraph(f"Heading{depth}", inner)


def _facing_titles(row: Row, book: Book) -> list[str]:
    titles = []
    for blocks, side in zip(row.sides, book.sides, strict=True):
        runs = [
            _block_runs(block, block.lang or side.lang, rtl=side.right_to_left)
            for block in blocks
            if block.kind == "heading"
        ]
        titles.append(_run(" ").join(runs))
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
    """Return a row of a table, without headings; empty where there is nothing else."""
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
    properties = _with_direction(properties, rtl=rtl)
    runs = _block_runs(block, block.lang or lang, rtl=rtl, is_note=block.kind == "note")
    return _paragraph(style, runs, properties)


def _with_direction(properties: str, *, rtl: bool) -> str:
    """Add the direction of a paragraph, in the order of the schema."""
    bidi = "<w:bidi/>" if rtl else ""
    return properties + bidi if properties.startswith("<w:numPr") else bidi + properties


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
        out.append(_run(f"{block.label}\u00a0", '<w:rStyle w:val="BitextLabel"/>'))
    begins = False  # a line, which no blank begins
    for sentence in block.sentences:
        if sentence.space:
            out.append(_run(" "))
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
    made = _run(run.text, properties)
    if run.link:
        target = escape(run.link)
        begin = (
            '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText xml:space="preserve">'
        )
        return (
            f'{begin} HYPERLINK "{target}" </w:instrText></w:r><w:r><w:fldChar '
            f'w:fldCharType="separate"/></w:r>{made}<w:r><w:fldChar w:fldCharType="end"/></w:r>'
        )
    return made


def _run(text: str, properties: str = "") -> str:
    inner = f"<w:rPr>{properties}</w:rPr>" if properties else ""
    return f'<w:r>{inner}<w:t xml:space="preserve">{escape(text)}</w:t></w:r>'


def _paragraph(style: str, inner: str, properties: str = "") -> str:
    return f'<w:p><w:pPr><w:pStyle w:val="{style}"/>{properties}</w:pPr>{inner}</w:p>'
