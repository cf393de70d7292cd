"""DOCX: a bilingual table in Word, for translators; one row a bisegment, one column a language.

    | # | English (en)              | French (fr)     |
    | 1 | It rained.                | Il pleuvait.    |
    | 2 | The ferry left. It was    | Le bac partit à |
    |   | late.                     |                 |

A paragraph of a cell is a segment, so that n-m bisegments and empty sides survive; a document pair
is a table of its own below its name. A table that `bitext` wrote is recognised by a property of the
document, or by the title or the style of the table, also after Word or another program saved it.
Its first column (`#`) is not read: rows may be added, deleted and moved. With rows of paragraphs
(`BookOptions.rows`) the document is a book (`docx_book`), and each row is read as one bisegment.

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
"""

from __future__ import annotations

from typing import IO, TYPE_CHECKING

from bitext.errors import FormatError
from bitext.formats.books.layout import shows_codes
from bitext.formats.registry import Capabilities, Format, ReadOptions, WriteOptions

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bitext.formats.io.source import Source
    from bitext.model import Bitext

__all__ = ["FORMAT"]

_DEFAULT = WriteOptions()


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


def _write(bitexts: Iterable[Bitext], out: IO[bytes], *, options: WriteOptions = _DEFAULT) -> None:
    if options.book.rows == "paragraph":
        from bitext.formats.books.docx_book import write_book

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
    keeps=Capabilities(
        texts=True,
        borders=True,
        empty_sides=True,
        empty_segments=True,
        documents=True,
        names=frozenset({"name"}),
        languages=True,
        markup=True,
        breaks=True,
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
