"""Texts in OpenDocument (ODT, OTT; FODT, which is one XML file), as LibreOffice writes them.

| in the document | is |
| --- | --- |
| `text:h`, the style Title or Subtitle | headings |
| paragraphs in a list, in a table | items, cells |
| footnotes and endnotes | notes after the text; a code where they stand |
| text frames and shapes | blocks after the paragraph that they belong to |
| bold, italic, underlined, struck, raised and lowered spans, links | codes, as HTML writes them |
| tracked changes | read as accepted |
| comments, hidden text, tables of contents and indices, heads and feet | left out |

The language is the one that most characters declare.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from bitext.formats.documents.archive import PROTECTED, Archive
from bitext.formats.documents.blocks import (
    COMMENTS,
    HEADS,
    LONGEST_LABEL,
    NUMBERED,
    OBJECTS,
    STYLES,
    Code,
    Document,
    Ending,
    Languages,
    TreeReader,
    declared_language,
    end_nothing,
    link_code,
    list_number,
    names_of,
    note_code,
    style_level,
    walk,
    whole_number,
)
from bitext.formats.io.source import Source
from bitext.formats.xml.safe import attribute_of, local_name, text_of, whole_tree

_CONTENTS = names_of(
    "table-of-content illustration-index table-index object-index user-index alphabetical-index "
    "bibliography"
)
_LEFT_OUT = names_of(
    "tracked-changes sequence-decls forms annotation-end note-citation number script"
)
_SHAPES = names_of(
    "caption circle connector custom-shape ellipse g line measure path polygon polyline rect "
    "regular-polygon"
)  # which may have paragraphs
# Parts of a paragraph without characters of their own, which a deletion around them deletes
_ALONE = _SHAPES | names_of("s tab line-break note annotation frame ruby-text")
_MEMBERS = (
    ("Basic/", "documents with macros, which are not read"),
    ("Scripts/", "documents with macros, which are not read"),
)
_HIDDEN = "hidden text, left out"
_MOST_BASED = 20  # styles that a style is based on, in a row; set by hand
_MOST_SPACES = 1000  # blanks of one `text:s`


def read(source: Source) -> Document:
    """Read a text in OpenDocument."""
    if source.head().startswith(b"PK"):
        return _read_archive(source)
    tree = whole_tree(source)
    document = _read(source, tree, [tree], tree)
    if any(local_name(each) == "scripts" and len(each) for each in tree):
        source.note(_MEMBERS[0][1])
    return document


def _read_archive(source: Source) -> Document:
    archive = Archive(source)
    # The manifest of OpenOffice.org 2 has its namespace in a document type that is not read.
    if b"encryption-data" in archive.read("META-INF/manifest.xml"):
        raise source.error(PROTECTED)
    tree = archive.tree("content.xml")
    if tree is None:
        raise source.error("has no member content.xml, so it is no OpenDocument; get it anew")
    document = _read(source, tree, [archive.tree("styles.xml"), tree], archive.tree("meta.xml"))
    archive.tell_members(_MEMBERS)
    return document


def _read(source: Source, tree: Any, styles: list[Any], meta: Any) -> Document:
    reader = _OdtReader(_Styles(styles))
    walk(tree, reader)
    reader.read_notes()
    if reader.styles.has_heads:
        source.note(HEADS)
    titles = () if meta is None else meta.iter("{*}title")
    title = next((each.text for each in titles if each.tag.startswith("{http://purl.org/dc/")), "")
    return reader.document(source, title=title or "")


class _Styles:
    """The codes, the language and the display of each style, inherited ones included."""

    def __init__(self, trees: list[Any]) -> None:
        self._given: dict[tuple[str, str], Any] = {}
        self._lists: dict[str, Any] = {}
        self.default: Languages = ("", "", "")
        self.has_heads = False  # whether a page has a running head or foot with characters
        for tree in trees:
            for each in tree.iter("{*}*") if tree is not None else ():
                name = local_name(each)
                if name == "style":
                    self._given[attribute_of(each, "family"), attribute_of(each, "name")] = each
                elif name == "list-style":
                    self._lists[attribute_of(each, "name")] = each
                elif name in {"header", "footer"}:
                    self.has_heads |= any(map(str.strip, each.itertext()))
                elif name == "default-style" and attribute_of(each, "family") == "paragraph":
                    self.default = self.default if any(self.default) else _languages(each)
        self._cache: dict[tuple[str, str], tuple[tuple[Code, ...], list[Languages], bool]] = {}

    def of(self, family: str, name: str) -> tuple[tuple[Code, ...], list[Languages], bool]:
        """Return the codes and the languages of a style, and whether it hides its text."""
        key = family, name
        if key not in self._cache:
            values: dict[str, str] = {}
            chain = self._chain(family, name)
            langs = [each for each in map(_languages, chain) if any(each)]
            for element in chain:
                for child in element.iterchildren("{*}text-properties"):
                    for attribute, value in child.attrib.items():
                        values.setdefault(attribute.rpartition("}")[2], value)
            self._cache[key] = tuple(_codes(values)), langs, values.get("display") == "none"
        return self._cache[key]

    def list_level(self, name: str, level: int) -> Any:
        """Return the element for a level of the style of a list; `None` without."""
        style = self._lists.get(name)
        levels = () if style is None else style.iterchildren("{*}*")
        return next((each for each in levels if attribute_of(each, "level") == str(level)), None)

    def heading(self, name: str) -> int:
        """Return the level of a paragraph in the style of titles; 0 for others."""
        names = (attribute_of(element, "name") for element in self._chain("paragraph", name))
        return next(filter(None, map(style_level, (*names, name))), 0)

    def _chain(self, family: str, name: str) -> list[Any]:
        chain = []
        for _ in range(_MOST_BASED):
            element = self._given.get((family, name))
            if element is None:
                break
            chain.append(element)
            name = attribute_of(element, "parent-style-name")
        return chain


def _languages(style: Any) -> Languages:
    for child in style.iterchildren("{*}text-properties"):
        western, asian, other = (_language(child, kind) for kind in ("", "-asian", "-complex"))
        return western, asian, other
    return "", "", ""


def _language(properties: Any, kind: str) -> str:
    language = attribute_of(properties, f"language{kind}")
    country = attribute_of(properties, f"country{kind}")
    if language in {"", "none", "zxx"}:
        return ""
    return f"{language}-{country}" if country not in {"", "none"} else language


def _codes(values: dict[str, str]) -> list[Code]:
    weight, position = values.get("font-weight", ""), values.get("text-position", "")
    moved = position.partition(" ")[0].rstrip("%")  # `super`, `sub`, or a share of the height
    shown = {
        "bold": weight == "bold" or whole_number(weight, 0) >= 600,
        "italic": values.get("font-style") in {"italic", "oblique"},
        "underline": values.get("text-underline-style", "none") != "none",
        "strike": values.get("text-line-through-style", "none") != "none",
        "superscript": moved == "super" or whole_number(moved, 0) > 0,
        "subscript": moved == "sub" or (moved[:1] == "-" and moved.lstrip("-").isdecimal()),
    }
    return [code for name, code in STYLES.items() if shown[name]]


_NUMBERS = frozenset(("1", "a", "A", "i", "I"))  # formats of numbers


@dataclass(slots=True)
class _List:
    """An open list: its style, the number of its next item, and the style of its level."""

    style: str
    number: int
    level: Any


class _OdtReader(TreeReader):
    def __init__(self, styles: _Styles) -> None:
        super().__init__(cells=True)
        self.styles = styles
        self._langs = [[styles.default]]  # of the open paragraph and spans
        self._opened: list[int] = []  # codes of each open span
        self._lists: list[_List] = []
        self._item = ""  # the number of the open item, until its first paragraph
        self._ended: dict[tuple[str, int], int] = {}  # next numbers by style and depth of lists
        self._paragraphs = 0  # open ones
        self._in_body = self._in_note = False
        self._boxes: list[Any] = []  # frames of the paragraph
        self._notes: list[tuple[str, Any]] = []
        self._note_id = ""
        self._deletions: set[str] = set()  # tracked ones
        self._deleted: set[str] = set()  # those of them that are open in the text
        self._has_text = False  # whether the block so far has characters
        self._goes_on = False  # whether the mark of the last paragraph is deleted

    def read_notes(self) -> None:
        """Read the notes that were named in the text, each as a block after it."""
        self._deleted.clear()
        if self._goes_on:
            self._end_block()
        self._in_note = True
        for name, body in self._notes:
            self._note_id = name
            walk(body, self)
        self._in_note = False

    def start(self, element: Any) -> Ending | None:
        """Begin an element; return what ends it, or `None` to leave out what is in it."""
        name = local_name(element)
        if name in _LEFT_OUT or (name in _CONTENTS and self._in_body):
            if name in _CONTENTS:
                self.left_out["tables of contents and indices, left out"] += 1
            elif name == "tracked-changes":
                self.left_out["tracked changes, read as accepted"] += len(element)
                self._deletions |= {
                    attribute_of(each.getparent(), "id") for each in element.iter("{*}deletion")
                }
            return None
        if name == "text" and element.tag.endswith("office:1.0}text"):
            self._in_body = True
        if not self._in_body and not self._in_note:
            return end_nothing if name in {"document-content", "document", "body"} else None
        if name == "change-start":  # in flat files deletions stand in the text
            self._deleted |= self._deletions & {attribute_of(element, "change-id")}
        elif name == "change-end":
            self._deleted.discard(attribute_of(element, "change-id"))
        if self._deleted and name in _ALONE:
            return None
        return self._start(element, name)

    def _start(self, element: Any, name: str) -> Ending | None:
        builder = self.builder
        family = {"p": "paragraph", "h": "paragraph", "span": "text"}.get(name)
        style = self.styles.of(family, attribute_of(element, "style-name")) if family else None
        if style is not None and style[2]:
            self.left_out[_HIDDEN] += 1
            return None
        if name in {"p", "h"}:
            self._start_paragraph(element, name)
            return self._end_paragraph
        if name == "list":
            self._begin_list(element)
            return self._end_list
        if name == "list-item" and self._lists:
            self._begin_item(element)
        elif name == "table":
            self.columns.begin_table()
            return self.columns.end_table
        elif name == "table-row":
            self.columns.begin_row()
        elif name in {"table-cell", "covered-table-cell"}:
            repeated = attribute_of(element, "number-columns-repeated")
            self.columns.begin_cell(whole_number(repeated, 1))
        elif style is not None:
            codes, langs, _ = style
            for code in codes:
                builder.open(code)
            self._opened.append(len(codes))
            self._langs.append(langs + self._langs[-1])
            return self._end_span
        elif name == "a":
            builder.open(link_code(attribute_of(element, "href")))
            return builder.close
        else:
            return self._start_inline(element, name)
        return end_nothing

    def _begin_list(self, element: Any) -> None:
        """Begin a list, whose style is that of the outer list where it names none."""
        depth = len(self._lists)
        outer = self._lists[-1].style if self._lists else ""
        style = attribute_of(element, "style-name") or outer
        level = self.styles.list_level(style, depth + 1)
        number = whole_number(attribute_of(level, "start-value"), 1) if level is not None else 1
        goes_on = attribute_of(element, "continue-numbering") == "true"
        if goes_on or attribute_of(element, "continue-list"):
            number = self._ended.get((style, depth), number)
        self._lists.append(_List(style, number, level))

    def _begin_item(self, element: Any) -> None:
        """Count an item, and keep its number as it is shown."""
        inner = self._lists[-1]
        inner.number = whole_number(attribute_of(element, "start-value"), inner.number) + 1
        self._item = ""
        if inner.level is None or local_name(inner.level) != "list-level-style-number":
            return
        shown = whole_number(attribute_of(inner.level, "display-levels"), 1)
        if attribute_of(inner.level, "num-format") not in _NUMBERS:
            return
        numbers = []
        for each in self._lists[-max(shown, 1) :]:
            style = "" if each.level is None else attribute_of(each.level, "num-format")
            if style in _NUMBERS:
                doubles = attribute_of(each.level, "num-letter-sync") == "true"
                numbers.append(list_number(each.number - 1, style, doubles=doubles))
        around = attribute_of(inner.level, "num-prefix"), attribute_of(inner.level, "num-suffix")
        if sum(map(len, around)) <= LONGEST_LABEL:
            self._item = f"{around[0]}{'.'.join(numbers)}{around[1]}".strip()

    def _start_inline(self, element: Any, name: str) -> Ending | None:
        builder = self.builder
        if name == "s":
            builder.text(" " * min(whole_number(attribute_of(element, "c"), 1), _MOST_SPACES))
        elif name == "tab":
            builder.text(" ")
        elif name == "line-break":
            builder.line_break("<br/>")
        elif name == "note":
            name = attribute_of(element, "id") or f"note {len(self._notes) + 1}"
            builder.code(note_code(name), "fnote")
            self._notes += [(name, each) for each in element.iterchildren("{*}note-body")]
        elif name == "annotation":
            self.left_out[COMMENTS] += 1
        elif name == "hidden-text" or attribute_of(element, "display") == "none":
            self.left_out[_HIDDEN] += 1
        elif name == "frame" and self._paragraphs:
            if boxes := [*element.iterchildren("{*}text-box")]:
                self._boxes += boxes
            else:
                builder.code("<img/>", "image")
                objects = any(local_name(each).startswith("object") for each in element)
                self.left_out[OBJECTS] += objects
        elif name == "ruby-text":
            builder.code(f"<rt>{text_of(element).strip()}</rt>", "x-ruby")
        elif name in _SHAPES and self._paragraphs:
            self._boxes.append(element)
        elif name not in {"object", "object-ole", "image"}:
            is_prompt = attribute_of(element, "showing-place-holder") == "true"  # of a control
            return None if is_prompt else end_nothing
        return None

    def _start_paragraph(self, element: Any, name: str) -> None:
        style = attribute_of(element, "style-name")
        self._langs.append([*self.styles.of("paragraph", style)[1], self.styles.default])
        self._paragraphs += 1
        if self._goes_on and self._has_text:
            self._goes_on = False
            return
        if self._goes_on:
            self._end_block()
        self._has_text = False
        level = whole_number(attribute_of(element, "outline-level"), 1)
        depth = level if name == "h" else self.styles.heading(style)
        if self._in_note:
            self.builder.begin("note", label=self._note_id)
            self._note_id = ""  # its further paragraphs have none
        elif depth:
            self.builder.begin("heading", level=depth)
        elif self._lists:
            self.builder.begin("item", level=len(self._lists), label=self._item)
            self._item = NUMBERED if self._item else ""
        elif self.columns.in_table:
            self.builder.begin("cell", level=self.columns.column)
        else:
            self.builder.begin("paragraph")

    def text(self, characters: str) -> None:
        """Read characters, where they are those of a paragraph."""
        if self._paragraphs and characters and not self._deleted:
            self._has_text |= not characters.isspace()
            self.builder.text(characters)
            self.langs[declared_language(characters, *self._langs[-1])] += len(characters)

    def _end_paragraph(self) -> None:
        self._paragraphs -= 1
        self._langs.pop()
        if self._deleted:
            self._goes_on = True
        else:
            self._end_block()

    def _end_block(self) -> None:
        self._goes_on = False
        self.builder.end()
        if not self._paragraphs:
            boxes, self._boxes = self._boxes, []
            for box in boxes:
                walk(box, self)

    def _end_list(self) -> None:
        ended = self._lists.pop()
        self._ended[ended.style, len(self._lists)] = ended.number

    def _end_span(self) -> None:
        self._langs.pop()
        for _ in range(self._opened.pop()):
            self.builder.close()
