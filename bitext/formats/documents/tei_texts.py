"""Texts in TEI (P5, and P4 as `TEI.2`) whose sentences are not marked: novels, plays, letters.

| in the text | is |
| --- | --- |
| `head`, by the depth of its division; `titlePart` | headings |
| `p`, `ab`, lines of verse `l`, `speaker`, `stage`, `opener` and other blocks | paragraphs |
| `item` of lists, `cell` of tables | items, cells |
| `note` | notes after the text; a code where they stand |
| `hi` and `emph` with `rend` (italic, bold ...), `ref target`, `graphic` | codes as of HTML |
| of `choice` the regular form (`reg`, `corr`, `expan`), `unclear`, `supplied`, `add` | text |
| the original in `choice`; `teiHeader`, `del`, `rdg`, `fw`, `figDesc`, page breaks | left out |

Language and title are those of the header, or `xml:lang` of the text. A file whose first 64 KB have
sentences (`s`), words (`w`) or links is no such text: `formats.opus_documents` and `formats.tei`
read it.

**Source**: TEI P5, chapters 3 (elements in all documents), 4 (structure), 6 (verse), 7 (drama).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitext.formats.documents.blocks import (
    STYLES,
    BlockBuilder,
    Code,
    Document,
    TableColumns,
    walk,
    whole_number,
)
from bitext.formats.xml import escape_value
from bitext.formats.xml.safe import local_name, whole_tree

if TYPE_CHECKING:
    from bitext.formats.io.source import Source

_NAMES = (
    "p ab l speaker stage opener closer salute signed dateline byline argument trailer epigraph "
    "postscript docAuthor docDate docEdition docImprint imprimatur"
)
_PARAGRAPHS = frozenset(_NAMES.split())
_LEFT_OUT_NAMES = "teiHeader del rdg fw figDesc pb cb gb milestone anchor index listBibl"
_LEFT_OUT = frozenset(_LEFT_OUT_NAMES.split())
_ORIGINALS = frozenset(("sic", "orig", "abbr"))  # left out in `choice`
_RENDERED = {
    "italic": "italic", "i": "italic", "bold": "bold", "b": "bold", "sup": "superscript",
    "superscript": "superscript", "sub": "subscript", "subscript": "subscript",
    "underline": "underline", "u": "underline", "strike": "strike",
}  # fmt: skip
_MOST_LEVELS = 6  # of headings
_XML_LANG = "{http://www.w3.org/XML/1998/namespace}lang"


def read(source: Source) -> Document:
    """Read a text."""
    tree = whole_tree(source)
    reader = _TeiReader()
    walk(tree, reader)
    for note in reader.notes:
        inner = _TeiReader(in_note=True)
        inner.builder.begin("note")
        walk(note, inner)
        inner.builder.end()
        reader.builder.blocks.extend(inner.builder.blocks)
    header = tree.find("{*}teiHeader")
    title = lang = ""
    if header is not None:
        title = header.findtext("{*}fileDesc/{*}titleStmt/{*}title") or ""
        named = header.find("{*}profileDesc/{*}langUsage/{*}language")
        lang = "" if named is None else named.get("ident") or named.get("id") or ""
    places = (tree.find("{*}text"), tree)
    declared = [each.get(_XML_LANG) or each.get("lang") for each in places if each is not None]
    lang = next(filter(None, declared), lang)
    return Document(tuple(reader.builder.blocks), lang.strip(), " ".join(title.split()))


class _TeiReader:
    """Reads the elements of a text into blocks."""

    def __init__(self, *, in_note: bool = False) -> None:
        self.builder = BlockBuilder()
        self.notes: list[Any] = []
        self._in_note = in_note
        self._depth = 0  # of divisions
        self._columns = TableColumns()
        self._ends: list[str] = []  # of the open elements: what ends with them

    def start(self, element: Any) -> bool:
        """Begin an element; return whether to go into it."""
        name, builder = local_name(element), self.builder
        parent = element.getparent()
        is_original = name in _ORIGINALS and parent is not None and local_name(parent) == "choice"
        if name in _LEFT_OUT or is_original:
            return False
        if name == "note" and self._ends and not self._in_note:
            builder.code("<note/>", "fnote")
            self.notes.append(element)
            return False
        if name in {"lb", "graphic"}:
            if name == "graphic":
                builder.code("<img/>", "image")
            elif element.get("break") != "no":
                builder.text("\n")
            return False
        self._ends.append(self._start_block(element, name))
        return True

    def _start_block(self, element: Any, name: str) -> str:
        """Begin an element that has text; return what ends with it."""
        builder, lang = self.builder, element.get(_XML_LANG) or element.get("lang") or ""
        is_amid = name == "stage" and "block" in self._ends
        if name in {"head", "titlePart"}:
            level = min(max(self._depth, 1), _MOST_LEVELS)
            builder.begin("" if self._in_note else "heading", level=level, lang=lang)
        elif name.startswith("div"):
            self._depth += 1
            builder.begin("", lang=lang)
            return "division"
        elif name in _PARAGRAPHS and not is_amid:
            builder.begin("", lang=lang)
        elif name == "item":
            builder.begin("item", level=1, lang=lang)
        elif name == "cell":
            self._columns.begin_cell(whole_number(element.get("cols") or "", 1))
            builder.begin("cell", level=self._columns.column, lang=lang)
        elif name == "table":
            self._columns.begin_table()
            return "table"
        elif name == "row":
            self._columns.begin_row()
            return ""
        else:
            code = _code_of(element, name)
            if code is not None:
                builder.open(code)
            return "code" if code else ""
        return "block"

    def text(self, characters: str) -> None:
        """Read characters."""
        self.builder.text(characters)

    def end(self, _element: Any) -> None:
        """End an element that was gone into."""
        ends = self._ends.pop()
        if ends == "code":
            self.builder.close()
        elif ends == "table":
            self._columns.end_table()
        elif ends:
            self._depth -= ends == "division"
            self.builder.end()


def _code_of(element: Any, name: str) -> Code | None:
    """Return the code of highlighted characters and references; `None` for other elements."""
    if name in {"hi", "emph"}:
        rendered = (element.get("rend") or "italic" * (name == "emph")).lower().split()
        styles = (_RENDERED.get(word.removesuffix("s")) for word in rendered)  # `italics`
        style = next(filter(None, styles), None)
        return STYLES[style] if style else None
    if name == "ref" and element.get("target"):
        return Code("link", f'<a href="{escape_value(element.get("target"))}">', "</a>")
    return None
