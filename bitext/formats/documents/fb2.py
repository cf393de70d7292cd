"""Books in FictionBook (FB2), plain or in an archive (FB2.ZIP).

| in the book | is |
| --- | --- |
| titles of sections, by the depth of the section; subtitles | headings |
| paragraphs, lines of verse, epigraphs, citations | paragraphs |
| cells of tables | cells |
| the body of notes and comments | notes after the text; a code where they are named |
| emphasis, strong, links, pictures | codes, as HTML writes them |
| the description, pictures (`binary`) | left out, but for the title and the language |
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from bitext.formats.documents.archive import Archive
from bitext.formats.documents.blocks import (
    STYLES,
    BlockBuilder,
    Code,
    Document,
    TableColumns,
    walk,
    whole_number,
)
from bitext.formats.xml.safe import local_name, whole_tree
from bitext.formats.xml.syntax import escape_value

if TYPE_CHECKING:
    from bitext.formats.io.source import Source

__all__ = ["read"]

_CODES = {
    "emphasis": STYLES["italic"],
    "strong": STYLES["bold"],
    "strikethrough": STYLES["strike"],
    "sub": STYLES["subscript"],
    "sup": STYLES["superscript"],
    "code": Code("x-code", "<code>", "</code>"),
}
_PARAGRAPHS = frozenset(("p", "v", "text-author", "date"))
_CELLS = frozenset(("td", "th"))
_NOTES = re.compile(r"notes|comments|footnotes", re.IGNORECASE)
_MOST_LEVELS = 6  # of headings
_XML_LANG = "{http://www.w3.org/XML/1998/namespace}lang"


def read(source: Source) -> Document:
    """Read a book."""
    tree = whole_tree(_book(source))
    reader = _Fb2Reader()
    bodies = [each for each in tree if local_name(each) == "body"]
    for notes in (False, True):
        for body in bodies:
            if (_NOTES.fullmatch(body.get("name") or "") is not None) == notes:
                reader.is_notes = notes
                walk(body, reader)
    information = tree.find("{*}description/{*}title-info")
    if information is None:
        return Document(tuple(reader.builder.blocks))
    title, lang = (information.findtext(f"{{*}}{name}") or "" for name in ("book-title", "lang"))
    return Document(tuple(reader.builder.blocks), lang.strip(), " ".join(title.split()))


def _book(source: Source) -> Source:
    """Return the book in an archive; the source itself if it is none."""
    if not source.head().startswith(b"PK"):
        return source
    archive = Archive(source)
    names = sorted(name for name in archive.names if name.lower().endswith(".fb2"))
    if len(names) != 1:
        raise source.error(f"has {len(names)} books: unpack it, and name them one by one")
    return archive.open(names[0])


class _Fb2Reader:
    """Reads the elements of a body into blocks."""

    def __init__(self) -> None:
        self.builder = BlockBuilder()
        self.is_notes = False
        self._depth = 0  # of sections
        self._columns = TableColumns()

    def start(self, element: Any) -> bool:
        """Begin an element; return whether to go into it."""
        name, builder = local_name(element), self.builder
        lang = element.get(_XML_LANG) or ""
        if name == "section":
            self._depth += 1
            builder.begin("note" if self.is_notes else "", lang=lang)
        elif name in {"title", "subtitle"}:
            if self.is_notes and name == "title" and self._depth:
                return False  # the number of a note
            level = min(max(self._depth, 1) + (name == "subtitle"), _MOST_LEVELS)
            is_line = not any(map(str.isalnum, "".join(element.itertext())))  # as * * *
            builder.begin("" if is_line else "heading", level=level, lang=lang)
        elif name in _CELLS:
            span = element.get("colspan") or ""
            self._columns.begin_cell(whole_number(span, 1))
            builder.begin("cell", level=self._columns.column, lang=lang)
        elif name in _PARAGRAPHS:
            builder.begin("", lang=lang)
        elif name in _CODES:
            builder.open(_CODES[name])
        elif name == "a":
            return self._start_link(element)
        elif name in {"image", "empty-line"}:
            if name == "image":
                builder.code("<img/>", "image")
            else:
                builder.flush()
            return False
        else:
            if name == "table":
                self._columns.begin_table()
            elif name == "tr":
                self._columns.begin_row()
            builder.begin("", lang=lang)
        return True

    def _start_link(self, element: Any) -> bool:
        target = next((v for k, v in element.attrib.items() if k.endswith("href")), "")
        if element.get("type") == "note":
            shown = "".join(element.itertext()).strip()
            self.builder.code(f'<a href="{escape_value(target)}">{shown}</a>', "fnote")
            return False
        self.builder.open(Code("link", f'<a href="{escape_value(target)}">', "</a>"))
        return True

    def text(self, characters: str) -> None:
        """Read characters."""
        self.builder.text(characters)

    def end(self, element: Any) -> None:
        """End an element that was gone into."""
        name = local_name(element)
        if name == "a" or name in _CODES:
            self.builder.close()
            return
        self._depth -= name == "section"
        if name == "table":
            self._columns.end_table()
        self.builder.end()
