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

The language is the one that most characters declare.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import partial
from typing import Any, NamedTuple

from bitext.formats.documents.archive import Archive, resolve
from bitext.formats.documents.blocks import (
    FIELD_OF_CONTENTS,
    FORMULAS,
    LONGEST_LABEL,
    OBJECTS,
    STYLES,
    BlockBuilder,
    Code,
    Document,
    Ending,
    TableColumns,
    end_nothing,
    link_code,
    list_number,
    note_code,
    walk,
    whole_number,
)
from bitext.formats.io.source import Source
from bitext.formats.xml import escape_value
from bitext.formats.xml.safe import attribute_of

MARKER = "bitext"  # property of bilingual tables, and title of each table (`books.docx`)

_OFF = frozenset(("0", "false", "off", "none"))
RUN_CODES = {  # of the properties of runs
    "b": STYLES["bold"],
    "i": STYLES["italic"],
    "u": STYLES["underline"],
    "strike": STYLES["strike"],
    "dstrike": STYLES["strike"],
}
_LEFT_OUT_NAMES = (
    "delText delInstrText commentReference annotationRef footnoteRef endnoteRef Fallback sdtPr "
    "sdtEndPr pPr rPr tblPr trPr tcPr tblGrid sectPr rt bookmarkStart bookmarkEnd proofErr ctrlPr"
)
_LEFT_OUT = frozenset(_LEFT_OUT_NAMES.split())
_SHOWN_NAMES = "t drawing pict object sym symEx oMath footnoteReference endnoteReference br"
_SHOWN = frozenset(_SHOWN_NAMES.split())  # elements that are read, of the choices of a program
REMOVED = "tracked changes, read as accepted"
_BILINGUAL = "bilingual tables, read as running text (an alignment where one is given alone)"
_HIDDEN = "hidden text, left out"
_CONTENTS = "tables of contents, left out"
COMMENTS = "comments, left out"
_PARTS = "parts in other formats (altChunk), not read"
_SUBDOCUMENTS = "subdocuments of a master document, not read: give each of them"
_DIAGRAMS = "diagrams (SmartArt) and charts, left out"
SYMBOLS = "symbols of fonts (Wingdings), whose characters are not known, as codes"
_ENDLESS = "fields without an end, whose text is left out"
_DRAWN = ("/diagram", "/chart")
# Letters of the font Symbol, from U+F041 and U+F061
_GREEK = ("ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ", "αβχδεφγηιϕκλμνοπθρστυϖωξψζ")
_MEMBERS = (
    ("word/vbaProject.bin", "documents with macros, which are not read"),
    ("word/header", "running heads and feet of documents, left out"),
    ("word/footer", "running heads and feet of documents, left out"),
)
_PLACE = re.compile(r"%([1-9])")
# Numbers of lists, as styles of `list_number`; items with other ones have no label.
_NUMBERS = {
    "decimal": "1", "decimalZero": "01", "lowerLetter": "a", "upperLetter": "A",
    "lowerRoman": "i", "upperRoman": "I",
}  # fmt: skip
_HEX_DIGITS = 6  # of a symbol
_MOST_BASED = 20  # styles that a style is based on, in a row; set by hand


class _Style(NamedTuple):
    level: int  # of headings, from 1; else 0
    lang: str
    is_contents: bool
    number: tuple[str, str] | None  # of a list and the level in it; "" where it is not given


def read(source: Source) -> Document:
    """Read a document of Word."""
    archive = Archive(source)
    main = main_part(archive)
    tree = archive.tree(main)
    if tree is None:
        raise source.error(f"has no member {main}, so it is no document of Word; get it anew")
    targets, parts = relations_of(archive, main)
    if bilingual_kind(archive):
        source.note(_BILINGUAL)
    styles, default = _styles(archive.tree(parts.get("styles", resolve(main, "styles.xml"))))
    numbering = (
        archive.tree(parts["numbering"]) if parts.get("numbering") in archive.names else None
    )
    reader = _DocxReader(targets, styles, default, _Numbering(numbering, styles))
    walk(tree, reader)
    for kind in ("footnotes", "endnotes"):
        notes = archive.tree(parts.get(kind, "")) if parts.get(kind) in archive.names else None
        if notes is not None:
            reader.targets = relations_of(archive, parts[kind])[0]
            reader.read_notes(notes, kind.removesuffix("s"))
    reader.note_endless_fields()
    archive.tell_members(_MEMBERS)
    if parts.get("comments", "") in archive.names:
        source.note(COMMENTS)
    for kind, count in reader.left_out.items():
        source.note(kind, count=count)
    lang = max(reader.langs, key=reader.langs.__getitem__, default="")
    return Document(tuple(reader.builder.blocks), lang, _title(archive))


def _local(element: Any) -> str:
    return "" if element is None else str(element.tag).rpartition("}")[2]


def child_of(element: Any, name: str) -> Any:
    """Return the first child of a local name; `None` without the element or the child."""
    if element is None:
        return None
    return next(element.iterchildren(f"{{*}}{name}"), None)


def value_of(element: Any, name: str = "val") -> str:
    """Return an attribute by its local name; empty without the element or the attribute."""
    return "" if element is None else attribute_of(element, name)


def characters_of(element: Any) -> str:
    """Return the characters of the runs in an element."""
    return "".join(each.text or "" for each in element.iter() if _local(each) == "t")


def property_of(element: Any, name: str) -> str:
    """Return the value of a property, a child; empty without."""
    return value_of(child_of(element, name))


def is_on(element: Any) -> bool:
    """Check whether a toggle property is present and not off."""
    return element is not None and value_of(element).lower() not in _OFF


def style_hides(name: str, styles: dict[str, Any]) -> bool:
    """Check whether a style, or one that it is based on, hides its text."""
    for _ in range(_MOST_BASED):
        element = styles.get(name)
        hidden = child_of(child_of(element, "rPr"), "vanish")
        if element is None or hidden is not None:
            return is_on(hidden)
        name = property_of(element, "basedOn")
    return False


def add_symbol(builder: Any, element: Any) -> bool:
    """Add a symbol (`sym`) as its character, or as a code where only its font knows it."""
    character = symbol_of(element)
    if character:
        builder.text(character)
    else:
        builder.code(f'<sym char="{escape_value(value_of(element, "char"))}"/>', "x-sym")
    return bool(character)


def symbol_of(element: Any) -> str:
    """Return the character of a symbol; empty where only its font knows it."""
    code = value_of(element, "char")
    try:
        number = int(code, 16) if len(code) <= _HEX_DIGITS else 0
    except ValueError:
        return ""
    if number in range(0xF020, 0xF100) and value_of(element, "font") == "Symbol":
        number -= 0xF000
        for begin, letters in zip((ord("A"), ord("a")), _GREEK, strict=True):
            if 0 <= number - begin < len(letters):
                return letters[number - begin]
        return chr(number) if chr(number) in "+-=<>()[]{}/,.%0123456789" else ""
    is_known = ord(" ") <= number < 0x30000 and number & 0xFFFF < 0xFFF0
    return chr(number) if is_known and number not in range(0xD800, 0xF900) else ""


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
            return "".join(each.itertext()).strip() or MARKER
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


def _title(archive: Archive) -> str:
    tree = archive.tree("docProps/core.xml")
    title = child_of(tree, "title")
    return "" if title is None else " ".join((title.text or "").split())


def _styles(tree: Any) -> tuple[dict[str, Any], str]:
    """Return the elements of styles by their ids, and the default language."""
    if tree is None:
        return {}, ""
    defaults = child_of(child_of(child_of(tree, "docDefaults"), "rPrDefault"), "rPr")
    given = {value_of(each, "styleId"): each for each in tree if _local(each) == "style"}
    return given, property_of(defaults, "lang")


def _style(name: str, given: dict[str, Any]) -> _Style:
    """Return a style, completed by the styles that the style is based on."""
    level, lang, contents = 0, "", False
    number: tuple[str, str] | None = None
    for _ in range(_MOST_BASED):
        element = given.get(name)
        if element is None:
            break
        title = property_of(element, "name").lower()
        properties = child_of(element, "pPr")
        if not level:
            outline = whole_number(property_of(properties, "outlineLvl"), 9)
            if outline < 9:
                level = outline + 1
            elif title.startswith("heading "):
                level = whole_number(title[8:], 0)
            else:
                level = {"title": 1, "subtitle": 2}.get(title, 0)
        lang = lang or property_of(child_of(element, "rPr"), "lang")
        contents |= title.startswith("toc ") and title[4:].isdecimal()
        number = number or _number_of(properties)
        based = child_of(element, "basedOn")
        if based is None:
            break
        name = value_of(based)
    return _Style(level, lang, contents, number)


def _number_of(properties: Any) -> tuple[str, str] | None:
    """Return the list of a paragraph and the level in it; "" where one of them is not given."""
    given = child_of(properties, "numPr")
    if given is None:
        return None
    return property_of(given, "numId"), property_of(given, "ilvl")


class _Numbering:
    """The numbers of the items of lists, as Word counts them (`numbering.xml`)."""

    def __init__(self, tree: Any, styles: dict[str, Any]) -> None:
        self._lists: dict[str, Any] = {}
        self._abstract: dict[str, Any] = {}
        self._styles = styles
        for each in tree if tree is not None else ():
            if _local(each) == "num":
                self._lists[value_of(each, "numId")] = each
            elif _local(each) == "abstractNum":
                self._abstract[value_of(each, "abstractNumId")] = each
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
            counts[level] = counts[level] + 1 if level in counts else _start(levels[level])
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
        levels: dict[int, Any] = {}
        for each in self._abstract.get(key, ()):
            if _local(each) == "lvl":
                levels[whole_number(value_of(each, "ilvl"), 0)] = each
        starts: dict[int, int] = {}
        for each in number if number is not None else ():
            if _local(each) != "lvlOverride":
                continue
            level = whole_number(value_of(each, "ilvl"), 0)
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
            given = child_of(each, "numFmt")
            kind = "decimal" if given is None else value_of(given)
            if each is None or kind not in _NUMBERS:
                return ""
            number = counts.get(place - 1, _start(each))
            shown = list_number(number, "1" if decimal else _NUMBERS[kind], doubles=True)
            label = label.replace(f"%{place}", shown)
        kind = child_of(levels[level], "numFmt")
        return "" if kind is not None and value_of(kind) not in _NUMBERS else label.strip()


def _note_of(reference: Any) -> tuple[str, str]:
    """Return the kind and the name of the note that a reference is to."""
    return _local(reference).removesuffix("Reference"), value_of(reference, "id")


def _has_paragraph_behind(element: Any) -> bool:
    """Check whether a paragraph is followed by another one, with borders of ranges between."""
    behind = element.getnext()
    while behind is not None and _local(behind).endswith(("Start", "End")):
        behind = behind.getnext()
    return _local(behind) == "p"


def alternative_of(element: Any) -> Any:
    """Return the first choice with an element that is known, else the fallback; or `None`."""
    for each in element:
        if _local(each) == "Fallback" or any(_local(one) in _SHOWN for one in each.iter()):
            return each
    return None


def add_reading(builder: Any, ruby: Any) -> None:
    """Add the reading of characters (`ruby`) as a code."""
    reading = "".join(map(characters_of, ruby.iterchildren("{*}rt"))).strip()
    if reading:
        builder.code(f"<rt>{reading}</rt>", "x-ruby")


class Fields:
    """The open fields at a place of a document, whose instructions are no text."""

    def __init__(self) -> None:
        self._shown: list[bool] = []  # for each open field whether its result is read
        self._menu = 0  # the depth of the open field that is a list to choose from

    def __len__(self) -> int:
        return len(self._shown)

    @property
    def is_shown(self) -> bool:
        """Whether characters are text."""
        return all(self._shown)

    def follow(self, element: Any, *, shown: bool = True) -> str:
        """Follow the beginning of a field, the beginning of its result, or its end (`fldChar`).

        Returns the text that is chosen in a list of a form, which no run has. A result is read
        if it is `shown`.
        """
        kind = value_of(element, "fldCharType")
        depth = len(self._shown)
        chosen = ""
        menu = child_of(child_of(element, "ffData"), "ddList")
        if menu is not None and self.is_shown:
            self._menu = depth + 1
            chosen = _choice(menu)
        if kind == "begin":
            self._shown.append(False)
        elif depth and kind == "separate":
            self._shown[-1] = shown and depth != self._menu
        elif depth:
            self._shown.pop()
            self._menu = 0 if depth == self._menu else self._menu
        return chosen

    def clear(self) -> None:
        """Close all fields."""
        self._shown.clear()


def _choice(menu: Any) -> str:
    choices = [value_of(each) for each in menu.iterchildren("{*}listEntry")]
    default = whole_number(property_of(menu, "default"), 0)
    number = whole_number(property_of(menu, "result"), default)
    return choices[number] if number < len(choices) else ""


def _start(level: Any) -> int:
    start = child_of(level, "start")
    return 1 if start is None else whole_number(value_of(start), 1)


class _DocxReader:
    """Reads the elements of a part of the document into blocks."""

    def __init__(
        self, targets: dict[str, str], styles: dict[str, Any], default: str, numbering: _Numbering
    ) -> None:
        self.builder = BlockBuilder()
        self.targets = targets
        self.langs: Counter[str] = Counter()
        self.left_out: Counter[str] = Counter()
        self._given, self._default, self._numbering = styles, default, numbering
        defaults = (s for s in styles.values() if value_of(s, "default") in {"1", "true"})
        self._normal = next((s for s in defaults if value_of(s, "type") == "paragraph"), None)
        self._styles: dict[str, _Style] = {}  # that are used: few of the hundreds that Word has
        self._hides: dict[str, bool] = {}  # by style
        self._is_hidden = False  # by the style of the paragraph
        self._lang = ""  # of the run
        self._paragraph_lang = ""
        self._fields = Fields()
        self._contents = 0  # the depth of the open field that is a table of contents
        self._notes: dict[tuple[str, str], bool] = {}  # whether a reference to a note is left
        self._links: list[Code] = []
        self._columns = TableColumns()
        self._in_text = False
        self._has_text = False  # whether the paragraph has characters
        self._goes_on = False  # whether the last paragraph was a drop cap, or its mark is deleted
        self._note = ""  # the kind of notes that is read
        self._note_id = ""
        self._boxes: list[Any] = []  # text boxes of the paragraph

    def read_notes(self, tree: Any, kind: str) -> None:
        """Read footnotes or endnotes whose references are not deleted.

        Those of a type are lines that separate them.
        """
        for note in tree:
            name = value_of(note, "id")
            if _local(note) != kind or value_of(note, "type") not in {"", "normal"}:
                continue
            if self._notes.get((kind, name), True):
                self._note, self._note_id = kind, name
                walk(note, self)
        self._note = ""

    def note_endless_fields(self) -> None:
        """Note open fields at the end of a part, whose text is lost, and close them."""
        if not self._fields.is_shown:
            self.left_out[_ENDLESS] += 1
        self._fields.clear()

    def start(self, element: Any) -> Ending | None:
        """Begin an element; return what ends it, or `None` to leave out what is in it."""
        match _local(element):
            case "r":
                return self._start_run(element)
            case "t":
                self._in_text = self._fields.is_shown
                return self._end_text if self._in_text else None
            case "p":
                return self._start_paragraph(element)
            case "del" | "moveFrom":
                self.left_out[REMOVED] += 1
                for each in element.iter("{*}footnoteReference", "{*}endnoteReference"):
                    self._notes.setdefault(_note_of(each), False)
                return None
            case "ins" | "moveTo":
                self.left_out[REMOVED] += 1
            case name if name in _LEFT_OUT:
                return None
            case "tbl":
                self._columns.begin_table()
                return self._columns.end_table
            case "tr":
                self._columns.begin_row()
            case "tc":
                span = property_of(child_of(element, "tcPr"), "gridSpan")
                self._columns.begin_cell(whole_number(span, 1))
            case "hyperlink":
                target = self.targets.get(value_of(element, "id"))
                target = target or f"#{value_of(element, 'anchor')}"
                self._links.append(link_code(target))
                return self._links.pop
            case name:
                return self._start_other(element, name)
        return end_nothing

    def _start_other(self, element: Any, name: str) -> Ending | None:  # noqa: C901 - a list of elements
        builder = self.builder
        match name:
            case "tab" | "ptab":
                builder.text(" ")
            case "br" | "cr" if value_of(element, "type") in {"page", "column"}:
                builder.text(" ")
            case "br" | "cr":
                builder.line_break("<br/>")
            case "noBreakHyphen":
                builder.text("-")
            case "sym" | "symEx":
                if add_symbol(builder, element):
                    self._has_text = True
                else:
                    self.left_out[SYMBOLS] += 1
            case "drawing" | "pict":
                self._start_drawing(element)
            case "object":
                self.left_out[OBJECTS] += 1
                self._start_drawing(element)
            case "ruby":
                for base in element.iterchildren("{*}rubyBase"):
                    walk(base, self)
                add_reading(builder, element)
            case "AlternateContent":
                for child in () if (read := alternative_of(element)) is None else read:
                    walk(child, self)
            case "oMath":
                builder.code(f"<math>{characters_of(element)}</math>", "x-math")
                self.left_out[FORMULAS] += 1
            case "footnoteReference" | "endnoteReference":
                self._notes[_note_of(element)] = True
                builder.code(note_code(value_of(element, "id")), "fnote")
            case "fldChar":
                self._follow_field(element)
            case "instrText":
                if FIELD_OF_CONTENTS.match(element.text or ""):
                    self._contents = len(self._fields)
            case "fldSimple":
                if FIELD_OF_CONTENTS.match(value_of(element, "instr")) is None:
                    return end_nothing
                self.left_out[_CONTENTS] = 1
            case "altChunk":
                self.left_out[_PARTS] += 1
            case "subDoc":
                self.left_out[_SUBDOCUMENTS] += 1
            case "sdt":
                return self._start_control(element)
            case _:
                return end_nothing
        return None

    def _end_text(self) -> None:
        self._in_text = False

    def text(self, characters: str) -> None:
        """Read characters, where they are those of a run."""
        if self._in_text and characters:
            self.builder.text(characters)
            self._has_text = True
            lang = self._lang or self._paragraph_lang or self._default
            if lang:
                self.langs[lang] += len(characters)

    def _start_paragraph(self, element: Any) -> Ending | None:
        if self._goes_on:
            self._goes_on = False
            return partial(self._end_paragraph, element)
        self._has_text = False
        properties = child_of(element, "pPr")
        given = child_of(properties, "pStyle")
        name = value_of(self._normal, "styleId") if given is None else value_of(given)
        if name not in self._styles:
            self._styles[name] = _style(name, self._given)
        style = self._styles[name]
        self._is_hidden = self._hidden_by(name)
        if style.is_contents:
            self.left_out[_CONTENTS] = 1
            return None
        outline = child_of(properties, "outlineLvl")
        level = style.level
        if outline is not None:
            level = (whole_number(value_of(outline), level - 1) + 1) % 10
        number = self._number(_number_of(properties), style.number)
        self._paragraph_lang = style.lang
        if self._note:
            self.builder.begin("note", label=self._note_id)
            self._note_id = ""  # its further paragraphs have none
        elif level:
            self.builder.begin("heading", level=level)
        elif self._columns.in_table:
            self.builder.begin("cell", level=self._columns.column)
        elif number is not None:
            self.builder.begin("item", level=number[0] + 1, label=number[1])
        else:
            self.builder.begin("paragraph")
        return partial(self._end_paragraph, element)

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

    def _end_paragraph(self, element: Any) -> None:
        self.builder.style(())
        properties = child_of(element, "pPr")
        mark = child_of(properties, "rPr")
        gone = any(child_of(mark, name) is not None for name in ("del", "moveFrom"))
        drops = value_of(child_of(properties, "framePr"), "dropCap") not in {"", "none"}
        if (gone or drops) and self._has_text and _has_paragraph_behind(element):
            if gone:
                self.left_out[REMOVED] += 1
            self._goes_on = True
            return
        self.builder.end()
        boxes, self._boxes = self._boxes, []
        for box in boxes:
            walk(box, self)

    def _start_run(self, element: Any) -> Ending | None:
        properties = child_of(element, "rPr")
        vanish = child_of(properties, "vanish")
        hidden = self._is_hidden or self._hidden_by(property_of(properties, "rStyle"))
        hidden = hidden if vanish is None else is_on(vanish)
        if hidden or is_on(child_of(properties, "webHidden")):
            self.left_out[_HIDDEN] += 1
            for each in element.iterchildren("{*}fldChar"):
                self._follow_field(each)
            return None
        self._lang = property_of(properties, "lang")
        codes = list(self._links)
        for name, code in RUN_CODES.items():
            underlined = name == "u" and self._links  # links are underlined anyway
            if not underlined and code not in codes and is_on(child_of(properties, name)):
                codes.append(code)
        raised = property_of(properties, "vertAlign")
        if raised in {"superscript", "subscript"}:
            codes.append(STYLES[raised])
        self.builder.style(codes)
        return end_nothing

    def _hidden_by(self, style: str) -> bool:
        if style not in self._hides:
            self._hides[style] = style_hides(style, self._given)
        return self._hides[style]

    def _start_drawing(self, element: Any) -> None:
        boxes = [each for each in element.iter() if _local(each) == "txbxContent"]
        inner = set(boxes)
        self._boxes += [box for box in boxes if inner.isdisjoint(box.iterancestors())]
        if any((each.get("uri") or "").endswith(_DRAWN) for each in element.iter("{*}graphicData")):
            self.left_out[_DIAGRAMS] += 1
        if not boxes:
            self.builder.code("<img/>", "image")

    def _follow_field(self, element: Any) -> None:
        kind = value_of(element, "fldCharType")
        depth = len(self._fields)
        of_contents = 0 < depth == self._contents
        if of_contents and kind == "end":
            self._contents = 0
            self.left_out[_CONTENTS] = 1
        if chosen := self._fields.follow(element, shown=not of_contents):
            self.builder.text(chosen)
            self._has_text = True

    def _start_control(self, element: Any) -> Ending | None:
        properties = child_of(element, "sdtPr")
        if child_of(properties, "showingPlcHdr") is not None:
            return None
        gallery = property_of(child_of(properties, "docPartObj"), "docPartGallery")
        if gallery == "Table of Contents":
            self.left_out[_CONTENTS] = 1
            return None
        return end_nothing
