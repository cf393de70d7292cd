"""Documents and templates of Word (DOCX, DOCM, DOTX, DOTM): Office Open XML of both kinds.

| in the document | is |
| --- | --- |
| paragraphs with an outline level, of their own or by their style | headings |
| the style Title, Subtitle | headings of level 1, 2 |
| paragraphs with a number or a bullet | items |
| paragraphs in a table | cells |
| footnotes and endnotes | notes after the text; a code where they are named |
| text boxes | blocks after the paragraph that they belong to |
| bold, italic, underlined, struck, raised and lowered text, links | codes, as HTML writes them |
| drop caps | the beginning of the paragraph after them |
| lists to choose from, in forms | the chosen entry |
| tracked changes | read as accepted |
| comments, hidden text, tables of contents, running heads, diagrams, macros | left out |

`docx_runs` reads what stands in a paragraph. The language is the one that is declared for most
characters.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from bitext.formats.documents.archive import Archive, resolve
from bitext.formats.documents.blocks import (
    COMMENTS,
    HEADS,
    LONGEST_LABEL,
    Document,
    Ending,
    Languages,
    TreeReader,
    declared_language,
    end_nothing,
    list_number,
    note_code,
    style_level,
    walk,
    whole_number,
)
from bitext.formats.documents.docx_runs import (
    CONTENTS,
    LEFT_OUT,
    REMOVED,
    Runs,
    alternative_of,
    based_styles,
    child_of,
    children_by,
    is_deleted,
    is_on,
    is_read,
    joined_by,
    note_name,
    property_of,
    value_of,
)
from bitext.formats.io.compression import SENTENCES_OF_TABLE
from bitext.formats.io.source import Source
from bitext.formats.xml.safe import local_name, text_of

MARKER = "bitext"  # property of bilingual tables, and title of each table (`books.docx`)

_BILINGUAL = "bilingual tables, read as running text (an alignment where one is given alone)"
_PARTS = "parts in other formats (altChunk), not read"
_SUBDOCUMENTS = "subdocuments of a master document, not read: give each of them"
_MEMBERS = (
    ("word/vbaProject.bin", "documents with macros, which are not read"),
    ("word/header", HEADS),
    ("word/footer", HEADS),
)
_PLACE = re.compile(r"%([1-9])")
# Numbers of lists, as styles of `list_number`; items with other ones have no label.
_NUMBERS = {
    "decimal": "1", "decimalZero": "01", "lowerLetter": "a", "upperLetter": "A",
    "lowerRoman": "i", "upperRoman": "I",
}  # fmt: skip


class _Style(NamedTuple):
    level: int  # of headings, from 1; else 0
    langs: list[Languages]  # its own, then those of the styles that it is based on
    is_contents: bool
    number: tuple[str, str] | None  # of a list and the level in it; "" where it is not given


def read(source: Source) -> Document:
    """Read a document of Word."""
    archive = Archive(source)
    main = main_part(archive)
    tree = archive.tree(main)
    if tree is None:
        raise source.error(f"has no member {main}, so it is no document of Word; get it anew")
    if local_name(tree) == "workbook":
        raise source.error(f"is a table of Excel by its member {main}: {SENTENCES_OF_TABLE}")
    targets, parts = relations_of(archive, main)
    if bilingual_kind(archive):
        source.note(_BILINGUAL)
    styles, default = _styles(archive.tree(parts.get("styles", resolve(main, "styles.xml"))))
    numbering = _Numbering(archive.tree(parts.get("numbering", "")), styles)
    reader = _DocxReader(targets, styles, default, numbering)
    walk(tree, reader)
    for kind in ("footnotes", "endnotes"):
        if (notes := archive.tree(parts.get(kind, ""))) is not None:
            reader.runs.targets = relations_of(archive, parts[kind])[0]
            reader.read_notes(notes, kind.removesuffix("s"))
    reader.runs.fields.end()
    archive.tell_members(_MEMBERS)
    if parts.get("comments", "") in archive.names:
        source.note(COMMENTS)
    title = child_of(archive.tree("docProps/core.xml"), "title")
    return reader.document(source, title="" if title is None else title.text or "")


def main_part(archive: Archive) -> str:
    """Return the name of the member that is the document itself."""
    relations = archive.tree("_rels/.rels")
    for each in relations if relations is not None else ():
        if each.get("Type", "").endswith("/officeDocument"):
            return resolve("", each.get("Target", ""))
    return "word/document.xml"


def bilingual_kind(archive: Archive) -> str:
    """Return the property that bilingual documents have (`books.docx`); empty for other ones."""
    tree = archive.tree("docProps/custom.xml")
    for each in tree if tree is not None else ():
        if each.get("name") == MARKER:
            return text_of(each).strip() or MARKER
    return ""


def relations_of(archive: Archive, part: str) -> tuple[dict[str, str], dict[str, str]]:
    """Return the targets of external links by their ids, and the other parts by their types."""
    folder, _, name = part.rpartition("/")
    tree = archive.tree(f"{folder}/_rels/{name}.rels" if folder else f"_rels/{name}.rels")
    links: dict[str, str] = {}
    parts: dict[str, str] = {}
    for each in tree if tree is not None else ():
        kind, target = each.get("Type", "").rpartition("/")[2], each.get("Target", "")
        if each.get("TargetMode") == "External":
            links[each.get("Id", "")] = target
        else:
            parts.setdefault(kind, resolve(part, target))
    return links, parts


def _languages(properties: Any) -> Languages:
    lang = child_of(properties, "lang")
    return value_of(lang), value_of(lang, "eastAsia"), value_of(lang, "bidi")


def _styles(tree: Any) -> tuple[dict[str, Any], Languages]:
    """Return the elements of styles by their ids, and the default languages."""
    defaults = child_of(child_of(child_of(tree, "docDefaults"), "rPrDefault"), "rPr")
    return children_by(tree, "style", "styleId"), _languages(defaults)


def _style(name: str, given: dict[str, Any]) -> _Style:
    """Return a style, completed by the styles that the style is based on."""
    level, contents = 0, False
    langs: list[Languages] = []
    number: tuple[str, str] | None = None
    for element in based_styles(name, given):
        title = property_of(element, "name").lower()
        properties = child_of(element, "pPr")
        if not level:
            outline = whole_number(property_of(properties, "outlineLvl"), 9)
            level = outline + 1 if outline < 9 else style_level(title)
        langs.append(_languages(child_of(element, "rPr")))
        contents |= title.startswith("toc ") and title[4:].isdecimal()
        number = number or _number_of(properties)
    return _Style(level, langs, contents, number)


def _number_of(properties: Any) -> tuple[str, str] | None:
    """Return the list of a paragraph and the level in it; "" where one of them is not given."""
    given = child_of(properties, "numPr")
    if given is None:
        return None
    return property_of(given, "numId"), property_of(given, "ilvl")


class _Numbering:
    """The numbers of the items of lists, as Word counts them (`numbering.xml`)."""

    def __init__(self, tree: Any, styles: dict[str, Any]) -> None:
        self._lists = children_by(tree, "num", "numId")
        self._abstract = children_by(tree, "abstractNum", "abstractNumId")
        self._styles = styles
        self._counts: dict[str, dict[int, int]] = {}  # the last numbers by abstract list and level
        self._begun: set[tuple[str, int]] = set()
        self._levels: dict[str, tuple[str, dict[int, Any], dict[int, int]]] = {}

    def label(self, name: str, level: int) -> str:
        """Count an item, and return its number as Word shows it; empty for bullets."""
        if name not in self._levels:
            self._levels[name] = self._read(name)
        key, levels, starts = self._levels[name]
        if level not in levels:
            return ""
        counts = self._counts.setdefault(key, {})
        if level in starts and (name, level) not in self._begun:
            counts[level] = starts[level]
        else:
            first = whole_number(property_of(levels[level], "start"), 1)
            counts[level] = counts[level] + 1 if level in counts else first
        self._begun.add((name, level))
        for deeper in [each for each in counts if each > level]:
            if property_of(levels.get(deeper), "lvlRestart") != "0":
                del counts[deeper]
        return self._shown(levels, counts, level)

    def _read(self, name: str) -> tuple[str, dict[int, Any], dict[int, int]]:
        """Return the abstract list of a list, its levels, and the starts of the list's own."""
        number = self._lists.get(name)
        key = property_of(number, "abstractNumId")
        linked = child_of(self._abstract.get(key), "numStyleLink")
        if linked is not None:
            properties = child_of(self._styles.get(value_of(linked)), "pPr")
            other = child_of(
                self._lists.get((_number_of(properties) or ("", ""))[0]), "abstractNumId"
            )
            key = key if other is None else value_of(other)
        given = children_by(self._abstract.get(key), "lvl", "ilvl")
        levels = {whole_number(level, 0): each for level, each in given.items()}
        starts: dict[int, int] = {}
        for place, each in children_by(number, "lvlOverride", "ilvl").items():
            level = whole_number(place, 0)
            own, start = child_of(each, "lvl"), child_of(each, "startOverride")
            if own is not None:
                levels[level] = own
            if start is not None:
                starts[level] = whole_number(value_of(start), 1)
        return key, levels, starts

    @staticmethod
    def _shown(levels: dict[int, Any], counts: dict[int, int], level: int) -> str:
        label = property_of(levels[level], "lvlText")
        if len(label) > LONGEST_LABEL:
            return ""
        decimal = is_on(child_of(levels[level], "isLgl"))
        for place in map(int, _PLACE.findall(label)):
            each = levels.get(place - 1)
            style = _number_style(each)
            if each is None or not style:
                return ""
            number = counts.get(place - 1, whole_number(property_of(each, "start"), 1))
            shown = list_number(number, "1" if decimal else style, doubles=True)
            label = label.replace(f"%{place}", shown)
        return label.strip() if _number_style(levels[level]) else ""


def _has_paragraph_behind(element: Any) -> bool:
    """Check whether a paragraph is followed by another one, with borders of ranges between."""
    behind = element.getnext()
    while behind is not None and local_name(behind).endswith(("Start", "End")):
        behind = behind.getnext()
    return behind is not None and local_name(behind) == "p"


def _number_style(level: Any) -> str:
    """Return the style of the numbers of a level of lists; empty for bullets and unknown ones."""
    given = child_of(level, "numFmt")
    return _NUMBERS.get("decimal" if given is None else value_of(given), "")


class _DocxReader(TreeReader):
    """Reads the elements of a part of the document into blocks."""

    def __init__(
        self,
        targets: Mapping[str, str],
        styles: dict[str, Any],
        default: Languages,
        numbering: _Numbering,
    ) -> None:
        super().__init__()
        self.runs = Runs(styles)
        self.left_out = self.runs.left_out
        self.runs.targets = targets
        self._given, self._default, self._numbering = styles, default, numbering
        defaults = (s for s in styles.values() if value_of(s, "default") in {"1", "true"})
        self._normal = next((s for s in defaults if value_of(s, "type") == "paragraph"), None)
        self._styles: dict[str, _Style] = {}  # that are used: few of the hundreds that Word has
        self._goes_on = False  # whether the last paragraph was a drop cap, or its mark is deleted
        self._in_note = False
        self._note = ""  # the name of the open note, until its first paragraph
        self._boxes: list[Any] = []  # text boxes of the paragraph

    def read_notes(self, tree: Any, kind: str) -> None:
        """Read footnotes or endnotes in the order of their references, which are not all deleted.

        Those of a type are lines that separate them.
        """
        order = {key: number for number, key in enumerate(self.runs.notes)}
        notes = [
            (key, each)
            for each in tree
            if local_name(each) == kind
            and value_of(each, "type") in {"", "normal"}
            and self.runs.notes.get(key := (kind, value_of(each, "id")), True)
        ]
        notes.sort(key=lambda pair: order.get(pair[0], len(order)))
        self._in_note = True
        for key, note in notes:
            self._note = note_name(*key)
            walk(note, self)
        self._in_note = False

    def start(self, element: Any) -> Ending | None:  # noqa: C901 - a list of elements
        """Begin an element; return what ends it, or `None` to leave out what is in it."""
        name = local_name(element)
        if name in {"del", "moveFrom"} or (name in {"tr", "tc"} and is_deleted(element)):
            self.left_out[REMOVED] += 1
            return None
        match name:
            case "p":
                self._read_paragraph(element)
                return None
            case "tbl":
                self.columns.begin_table()
                return self.columns.end_table
            case "tr":
                self.columns.begin_row()
            case "tc":
                properties = child_of(element, "tcPr")
                self.columns.begin_cell(whole_number(property_of(properties, "gridSpan"), 1))
            case "ins" | "moveTo":
                self.left_out[REMOVED] += 1
            case "AlternateContent":
                for child in () if (read := alternative_of(element)) is None else read:
                    walk(child, self)
                return None
            case "altChunk":
                self.left_out[_PARTS] += 1
            case "subDoc":
                self.left_out[_SUBDOCUMENTS] += 1
            case "sdt" if not is_read(element, self.left_out):
                return None
            case _ if name in LEFT_OUT:
                return None
        return end_nothing

    def text(self, characters: str) -> None:
        """Ignore characters outside of paragraphs."""

    def _read_paragraph(self, element: Any) -> None:
        properties = child_of(element, "pPr")
        name = property_of(properties, "pStyle") or value_of(self._normal, "styleId")
        if name not in self._styles:
            self._styles[name] = _style(name, self._given)
        style = self._styles[name]
        if style.is_contents and not self._goes_on:
            self.left_out[CONTENTS] = 1
            if len(self.runs.fields):  # which may end here
                for _ in self.runs.of(element, name):
                    continue
            return
        if not self._goes_on:
            self._begin_paragraph(properties, style)
        has_text = self._read_runs(element, name, style.langs)
        joined = joined_by(element)
        goes_on = joined != "" and (has_text or self._goes_on)
        self._goes_on = goes_on and _has_paragraph_behind(element)
        if self._goes_on:
            self.left_out[REMOVED] += joined == REMOVED
            return
        self.builder.end()
        boxes, self._boxes = self._boxes, []
        for box in boxes:
            walk(box, self)

    def _begin_paragraph(self, properties: Any, style: _Style) -> None:
        outline = child_of(properties, "outlineLvl")
        level = style.level
        if outline is not None:
            level = (whole_number(value_of(outline), level - 1) + 1) % 10
        number = self._number(_number_of(properties), style.number)
        if self._in_note:
            self.builder.begin("note", label=self._note)
            self._note = ""  # its further paragraphs have none
        elif level:
            self.builder.begin("heading", level=level)
        elif self.columns.in_table:
            self.builder.begin("cell", level=self.columns.column)
        elif number is not None:
            self.builder.begin("item", level=number[0] + 1, label=number[1])
        else:
            self.builder.begin("paragraph")

    def _number(
        self, own: tuple[str, str] | None, of_style: tuple[str, str] | None
    ) -> tuple[int, str] | None:
        """Return the level and the number of a paragraph in a list; `None` for other ones."""
        given = own or of_style
        if given is None or given[0] == "0":
            return None
        name = given[0] or (of_style or ("", ""))[0]
        depth = whole_number(given[1], whole_number((of_style or ("", ""))[1], 0))
        return depth, self._numbering.label(name, depth)

    def _read_runs(self, paragraph: Any, style: str, langs: list[Languages]) -> bool:
        """Read the content of a paragraph; return whether it has characters."""
        builder, has_text = self.builder, False
        for part in self.runs.of(paragraph, style):
            builder.style(part.codes)
            match part.kind:
                case "text":
                    builder.text(part.value)
                    has_text = True
                    own = _languages(part.properties)
                    lang = declared_language(part.value, own, *langs, self._default)
                    self.langs[lang] += len(part.value)
                case "break":
                    builder.line_break("<br/>")
                case "boxes":
                    self._boxes += part.value
                case "note":
                    builder.code(note_code(part.value), "fnote")
                case kind:
                    builder.code(part.value, kind)
        builder.style(())
        return has_text
