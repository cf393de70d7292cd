"""Books in EPUB 3, for readers of electronic books: chapters of facing paragraphs.

A chapter is a file, or several if it is long, with the rows of `bitext.formats.books.html`:
columns on wide screens, one below the other on narrow ones. There are no scripts and no external
resources. The table of contents is that of EPUB 3, and that of EPUB 2 for older readers.

The same book has the same bytes: dates are fixed, and the identifier is derived from the content.
"""

from __future__ import annotations

import io
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from html import escape
from typing import IO, NamedTuple
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from bitext.formats.books import Book, asset, make_book, template
from bitext.formats.books.html import (
    KEEPS,
    SCREEN_DEPTH,
    anchor,
    begins_with_title,
    contents_list,
    heading_depths,
    lights,
    named_title,
    row_html,
    title_html,
)
from bitext.formats.registry import Format, WriteOptions
from bitext.model import Bitext

_ROWS = 500  # rows of a file at most: readers lay out a file as a whole; set by hand
_DATE = (1980, 1, 1, 0, 0, 0)  # the earliest of ZIP archives
_JOINT = " · "  # between titles in the table of contents, which readers show as plain text


class _Page(NamedTuple):
    name: str
    chapter: int  # its index
    # `first`, `last`: its rows, half-open.
    first: int
    last: int


def _write(bitexts: Iterable[Bitext], out: IO[bytes], *, options: WriteOptions) -> None:
    book = make_book(bitexts, options, format=FORMAT.name)
    data = io.BytesIO()  # an archive on a stream that cannot be sought has other bytes
    with ZipFile(data, "w") as archive:
        for name, content in _members(book):
            info = ZipInfo(name, _DATE)
            info.create_system, info.external_attr = 3, 0o644 << 16
            info.compress_type = ZIP_STORED if name == "mimetype" else ZIP_DEFLATED
            archive.writestr(info, content)
    out.write(data.getbuffer())


def _members(book: Book) -> Iterator[tuple[str, str]]:
    pages, depths = list(_pages(book)), heading_depths(book)
    names = [page.name for page in pages]
    if not begins_with_title(book):
        names.insert(0, "title.xhtml")
    yield "mimetype", "application/epub+zip"
    yield "META-INF/container.xml", template("container.xml", {})
    digest = sha256()
    members = []
    for page in pages:
        content = _chapter_page(book, page, depths)
        digest.update(content.encode())
        members.append((f"EPUB/{page.name}", content))
    digest.update(book.title.encode())
    name = f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_OID, digest.hexdigest())}"
    yield "EPUB/package.opf", _package(book, names, name)
    yield "EPUB/nav.xhtml", _navigation(book, pages, names[0])
    yield "EPUB/toc.ncx", _old_navigation(book, pages, name)
    style = asset("book.css").replace(".page ", "") + asset("epub.css") + lights(book)
    yield "EPUB/book.css", style
    if names[0] == "title.xhtml":
        title = f'<section><h1 class="title">{title_html(book)}</h1></section>\n'
        yield "EPUB/title.xhtml", _xhtml(book, title)
    yield from members


def _pages(book: Book) -> Iterator[_Page]:
    for number, chapter in enumerate(book.chapters):
        for first in range(0, len(chapter.rows), _ROWS):
            part = f"-{first // _ROWS + 1}" if first else ""
            last = min(first + _ROWS, len(chapter.rows))
            yield _Page(f"{anchor(number)}{part}.xhtml", number, first, last)


def _address(chapter: int, row: int) -> str:
    part = f"-{row // _ROWS + 1}" if row >= _ROWS else ""
    return f"{anchor(chapter)}{part}.xhtml#{anchor(chapter, row)}"


def _xhtml(book: Book, body: str, *, title: str = "") -> str:
    lang, title = escape(book.sides[0].lang or "en"), escape(title or book.title)
    return template("page.xhtml", {"lang": lang, "title": title, "body": body})


def _chapter_page(book: Book, page: _Page, depths: Mapping[tuple[int, int], int]) -> str:
    chapter = book.chapters[page.chapter]
    parts = []
    if not page.first:
        parts.append(f'<section id="{anchor(page.chapter)}">\n')
        if chapter.is_named:
            parts.append(f"<h2>{named_title(chapter.titles, None)}</h2>\n")
    else:
        parts.append("<section>\n")
    for place in range(page.first, page.last):
        place_id = anchor(page.chapter, place)
        depth = depths.get((page.chapter, place), 0)
        parts.append(row_html(chapter.rows[place], book.sides, depth=depth, anchor=place_id))
    parts.append("</section>\n")
    return _xhtml(book, "".join(parts), title=next(filter(None, chapter.titles), ""))


def _package(book: Book, names: Sequence[str], identifier: str) -> str:
    """Return the package document: metadata, files, and the order of reading."""
    langs = list(dict.fromkeys(side.lang for side in book.sides if side.lang)) or ["und"]
    direction = "rtl" if all(side.right_to_left for side in book.sides) else "ltr"
    items = "".join(
        f'<item id="{_id(name)}" href="{name}" media-type="application/xhtml+xml"/>\n'
        for name in names
    )
    values = {
        "identifier": identifier,
        "title": escape(book.title),
        "languages": "".join(f"<dc:language>{escape(lang)}</dc:language>\n" for lang in langs),
        "items": items,
        "direction": direction,
        "order": "".join(f'<itemref idref="{_id(name)}"/>\n' for name in names),
    }
    return template("package.opf", values)


def _id(name: str) -> str:
    return name.removesuffix(".xhtml")


def _navigation(book: Book, pages: Sequence[_Page], first: str) -> str:
    """Return the table of contents of EPUB 3."""
    if book.contents:
        entries = "".join(contents_list(book, _address, joint=_JOINT))
    else:
        entries = f'<ol><li><a href="{pages[0].name}">{escape(book.title)}</a></li></ol>\n'
    body = (
        '<nav epub:type="toc" id="toc" role="doc-toc">\n'
        f'<h1 lang="en" dir="ltr">Contents</h1>\n{entries}</nav>\n'
        '<nav epub:type="landmarks" hidden="hidden"><ol>'
        f'<li><a epub:type="bodymatter" href="{first}">Start</a></li></ol></nav>\n'
    )
    return _xhtml(book, body)


def _old_navigation(book: Book, pages: Sequence[_Page], identifier: str) -> str:
    """Return the table of contents of EPUB 2."""
    entries = [entry for entry in book.contents if entry.depth <= SCREEN_DEPTH]
    points: list[str] = []
    depth = 0
    for number, entry in enumerate(entries):
        points.append("</navPoint>" * max(depth - entry.depth + 1, 0) if number else "")
        depth = entry.depth
        title = _JOINT.join(filter(None, entry.titles))
        points.append(_point(number, title, _address(entry.chapter, entry.row)))
    points.append("</navPoint>" * depth)
    if not entries:
        points = [_point(0, book.title, pages[0].name), "</navPoint>"]
    deepest = max((entry.depth for entry in entries), default=1)
    values = {"identifier": identifier, "depth": str(deepest), "title": escape(book.title)}
    return template("toc.ncx", values | {"points": "".join(points)})


def _point(number: int, title: str, address: str) -> str:
    return (
        f'<navPoint id="p{number + 1}" playOrder="{number + 1}"><navLabel><text>{escape(title)}'
        f'</text></navLabel><content src="{address}"/>'
    )


FORMAT = Format(
    name="epub",
    title="a book with facing columns, in EPUB 3",
    holds="text",
    suffixes=(".epub",),
    write=_write,
    binary=True,
    keeps=KEEPS,
    names_languages=True,
    book=True,
)
