"""Runs of Word: what stands in a paragraph, in order, with the codes of its characters.

`Runs.of` yields the parts of a paragraph. The reader of documents (`docx`) and that of the cells of
bilingual tables (`bitext.formats.books.docx_cells`) make blocks and segments of them.

| in the paragraph | is |
| --- | --- |
| characters, tabs, hyphens, known symbols of fonts | text |
| bold, italic ... by a run or its style; links, also by fields | codes around text |
| line breaks; page and column breaks | breaks; a blank |
| pictures, formulas, ruby, other symbols, references to notes | codes that stand alone |
| text boxes | text boxes, which the caller reads |
| fields | their results; the chosen entry of lists in forms |
| tracked changes | read as accepted |
| hidden text, instructions of fields, tables of contents, prompts of empty controls | left out |
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from bitext.formats.documents.blocks import (
    FIELD_OF_CONTENTS,
    FORMULAS,
    OBJECTS,
    STYLES,
    SYMBOL_LETTERS,
    Code,
    equation_of_field,
    link_code,
    link_of_field,
    names_of,
    whole_number,
)
from bitext.formats.xml import escape_value
from bitext.formats.xml.safe import attribute_of, local_name

REMOVED = "tracked changes, read as accepted"
HIDDEN = "hidden text, left out"
CONTENTS = "tables of contents, left out"
_SYMBOLS = "symbols of fonts (Wingdings), whose characters are not known, as codes"
_DIAGRAMS = "diagrams (SmartArt) and charts, left out"
_ENDLESS = "fields without an end, whose text is left out"

_OFF = frozenset(("0", "false", "off", "none"))
_FORMATS = {  # by the properties of runs
    "b": STYLES["bold"],
    "i": STYLES["italic"],
    "u": STYLES["underline"],
    "strike": STYLES["strike"],
    "dstrike": STYLES["strike"],
}
_VERTICAL = {name: STYLES[name] for name in ("superscript", "subscript")}
_NAMED = {  # by the names of styles of characters
    "strong": Code("bold", "<strong>", "</strong>"),
    "emphasis": Code("italic", "<em>", "</em>"),
}
_ORDER = (*_NAMED.values(), *STYLES.values())  # of nesting
_CHARACTERS = {
    "tab": "\t", "ptab": "\t", "noBreakHyphen": "\u2011", "softHyphen": "\u00ad",
}  # fmt: skip
_LEFT_OUT_NAMES = (
    "delText delInstrText commentReference annotationRef footnoteRef endnoteRef Fallback sdtPr "
    "sdtEndPr pPr rPr tblPr trPr tcPr tblGrid sectPr rt bookmarkStart bookmarkEnd proofErr ctrlPr"
)
LEFT_OUT = frozenset(_LEFT_OUT_NAMES.split())
# Elements that are read, of the choices of a program
_SHOWN = names_of("t drawing pict object sym symEx oMath footnoteReference endnoteReference br")
_OWN_MARK = "customMarkFollows"  # of notes
_DRAWN = ("/diagram", "/chart")
_HEX_DIGITS = 6  # of a symbol
_MOST_BASED = 20  # styles that a style is based on, in a row; set by hand


def child_of(element: Any, name: str) -> Any:
    """Return the first child of a local name; `None` without the element or the child."""
    if element is None:
        return None
    return next(element.iterchildren(f"{{*}}{name}"), None)


def value_of(element: Any, name: str = "val") -> str:
    """Return an attribute by its local name; empty without the element or the attribute."""
    return "" if element is None else attribute_of(element, name)


def property_of(element: Any, name: str) -> str:
    """Return the value of a property, a child; empty without."""
    return value_of(child_of(element, name))


def is_on(element: Any) -> bool:
    """Check whether a toggle property is present and not off."""
    return element is not None and value_of(element).lower() not in _OFF


def characters_of(element: Any) -> str:
    """Return the characters of the runs in an element."""
    return "".join(each.text or "" for each in element.iter("{*}t"))


def alternative_of(element: Any) -> Any:
    """Return the first choice with an element that is known, else the fallback; or `None`."""
    for each in element:
        if local_name(each) == "Fallback" or any(local_name(one) in _SHOWN for one in each.iter()):
            return each
    return None


def children_by(element: Any, name: str, attribute: str) -> dict[str, Any]:
    """Return the children of a local name by an attribute; none without the element."""
    children = () if element is None else element.iterchildren(f"{{*}}{name}")
    return {value_of(each, attribute): each for each in children}


def based_styles(name: str, styles: Mapping[str, Any]) -> Iterator[Any]:
    """Yield the element of a style, then those of the styles that it is based on."""
    for _ in range(_MOST_BASED):
        element = styles.get(name)
        if element is None:
            return
        yield element
        name = property_of(element, "basedOn")


def joined_by(paragraph: Any) -> str:
    """Return the reason why the next paragraph continues this one; empty where it does not.

    The reason is `REMOVED` where the mark of the paragraph is deleted, or the kind of a drop cap.
    """
    properties = child_of(paragraph, "pPr")
    if properties is None:
        return ""
    mark = child_of(properties, "rPr")
    if any(child_of(mark, name) is not None for name in ("del", "moveFrom")):
        return REMOVED
    drop_cap = value_of(child_of(properties, "framePr"), "dropCap")
    return "" if drop_cap == "none" else drop_cap


def is_deleted(element: Any) -> bool:
    """Check whether a tracked change deletes a row or a cell of a table."""
    properties, mark = ("trPr", "del") if local_name(element) == "tr" else ("tcPr", "cellDel")
    return child_of(child_of(element, properties), mark) is not None


def is_read(control: Any, left_out: Counter[str]) -> bool:
    """Check whether a content control (`sdt`) has text: neither a prompt nor a table of contents.

    Tables of contents are counted in `left_out`, by the kind of their note.
    """
    properties = child_of(control, "sdtPr")
    gallery = property_of(child_of(properties, "docPartObj"), "docPartGallery")
    if gallery == "Table of Contents":
        left_out[CONTENTS] = 1
        return False
    return child_of(properties, "showingPlcHdr") is None


class Inline(NamedTuple):
    """A part of a paragraph."""

    kind: str  # `text`, `break`, `boxes`, `note`; else the type of a code that stands alone
    value: Any  # characters; `br` or `cr`; text boxes; the name of the note; else the native code
    codes: tuple[Code, ...] = ()  # around it
    style: str = ""  # the name of the style of its characters
    properties: Any = None  # the element of the properties of its run


class _Format(NamedTuple):
    """The formatting of a run, or of a style of characters."""

    codes: tuple[Code, ...] = ()
    style: str = ""  # its name
    hides: bool = False
    properties: Any = None


_PLAIN = _Format()


class Runs:
    """Yields the parts of paragraphs.

    Parameters
    ----------
    styles : mapping of str to element
        The styles of the document by their ids.
    plain : bool
        Yields characters without formatting, hidden ones too.

    Attributes
    ----------
    left_out : Counter
        Numbers of parts that are left out or changed, by the kinds of their notes.
    targets : mapping of str to str
        The addresses of links by their ids.
    fields : Fields
        The open fields, which may go on in the next paragraph.
    notes : dict of (str, str) to bool
        The kinds and ids of notes in the order of the references to them; False if all of these are
        deleted.

    """

    def __init__(self, styles: Mapping[str, Any], *, plain: bool = False) -> None:
        self.left_out: Counter[str] = Counter()
        self.targets: Mapping[str, str] = {}
        self.fields = Fields(self.left_out)
        self.notes: dict[tuple[str, str], bool] = {}
        self._styles, self._is_plain = styles, plain
        self._formats: dict[str, _Format] = {}  # of styles of characters that are used
        self._hides: dict[str, bool] = {}  # by styles of paragraphs
        self._is_hidden = False  # by the style of the paragraph
        self._links: list[Code] = []

    def of(self, paragraph: Any, style: str) -> Iterator[Inline]:
        """Yield the parts of a paragraph, by the id of its style."""
        if style not in self._hides:
            self._hides[style] = self._hidden_by(style)
        self._is_hidden = self._hides[style]
        yield from self._inline(paragraph, _Format(hides=self._is_hidden))

    def _inline(self, element: Any, run: _Format) -> Iterator[Inline]:
        """Yield the parts of a run, or of an element around runs; characters in one part."""
        characters = ""
        for child in element:
            name = local_name(child)
            added = _characters(child, name)
            if added:
                characters += added if self.fields.is_shown else ""
                continue
            if characters:  # before a field may begin or end, which changes the codes
                yield self._part("text", characters, run)
                characters = ""
            if name == "fldChar":
                characters = self.fields.follow(child)
            elif name == "r":
                made = self._format(child)
                yield from () if made is None else self._inline(child, made)
            elif name not in LEFT_OUT:
                yield from self._other(child, name, run)
                if name.endswith("Reference") and value_of(child, _OWN_MARK) not in _OFF | {""}:
                    return  # the run goes on with the mark of the note
        if characters:
            yield self._part("text", characters, run)

    def _part(self, kind: str, value: Any, run: _Format) -> Inline:
        codes = run.codes
        self.fields.mark_results()
        if links := (*self._links, *self.fields.links):  # links are underlined anyway
            codes = (*links, *(code for code in codes if code != STYLES["underline"]))
        return Inline(kind, value, codes, run.style, run.properties)

    def _other(  # noqa: C901 - a list of elements
        self, element: Any, name: str, run: _Format
    ) -> Iterator[Inline]:
        """Yield the parts of an element that is neither a run nor characters."""
        match name:
            case "instrText":
                self.fields.add_instruction(element.text or "")
            case "del" | "moveFrom":
                self.left_out[REMOVED] += 1
                for each in element.iter("{*}footnoteReference", "{*}endnoteReference"):
                    self.notes.setdefault(_note_of(each), False)
            case "ruby":
                for base in element.iterchildren("{*}rubyBase"):
                    yield from self._inline(base, run)
                reading = "".join(map(characters_of, element.iterchildren("{*}rt"))).strip()
                if reading and self.fields.is_shown:
                    yield self._part("x-ruby", f"<rt>{reading}</rt>", run)
            case "AlternateContent":
                if (read := alternative_of(element)) is not None:
                    yield from self._inline(read, run)
            case "hyperlink":
                target = self.targets.get(value_of(element, "id"), "")
                place = value_of(element, "anchor")
                link = link_code(f"{target}#{place}" if place or not target else target)
                yield from self._linked(element, link, run)
            case "fldSimple":
                instruction = value_of(element, "instr")
                if FIELD_OF_CONTENTS.match(instruction):
                    self.left_out[CONTENTS] = 1
                else:
                    yield from self._linked(element, link_of_field(instruction), run)
            case "sdt" if not is_read(element, self.left_out):
                pass
            case _ if name not in _ALONE:
                if name in {"ins", "moveTo"}:
                    self.left_out[REMOVED] += 1
                yield from self._inline(element, run)
            case _ if self.fields.is_shown:
                yield from self._alone(element, name, run)

    def _linked(self, element: Any, link: Code | None, run: _Format) -> Iterator[Inline]:
        if link is not None:
            self._links.append(link)
        yield from self._inline(element, run)
        if link is not None:
            self._links.pop()

    def _alone(self, element: Any, name: str, run: _Format) -> Iterator[Inline]:
        """Yield the parts of an element without characters of the paragraph."""
        match name:
            case "br" | "cr":
                yield self._part("break", name, run)
            case "sym" | "symEx":
                self.left_out[_SYMBOLS] += 1
                native = f'<sym char="{escape_value(value_of(element, "char"))}"/>'
                yield self._part("x-sym", native, run)
            case "oMath":
                self.left_out[FORMULAS] += 1
                yield self._part("x-math", f"<math>{characters_of(element)}</math>", run)
            case "footnoteReference" | "endnoteReference":
                self.notes[_note_of(element)] = True
                yield self._part("note", note_name(*_note_of(element)), run)
            case "drawing" | "pict" | "object":
                self.left_out[OBJECTS] += name == "object"
                drawn = element.iter("{*}graphicData")
                if any((each.get("uri") or "").endswith(_DRAWN) for each in drawn):
                    self.left_out[_DIAGRAMS] += 1
                boxes = list(element.iter("{*}txbxContent"))
                inner = set(boxes)
                boxes = [box for box in boxes if inner.isdisjoint(box.iterancestors())]
                yield (
                    self._part("boxes", boxes, run) if boxes else self._part("image", "<img/>", run)
                )

    def _format(self, run: Any) -> _Format | None:
        """Return the formatting of a run; `None` for hidden text, whose fields are followed."""
        if self._is_plain:
            return _PLAIN
        properties = child_of(run, "rPr")
        style, hidden = _PLAIN, self._is_hidden
        if properties is not None and len(properties):
            style = self._style(property_of(properties, "rStyle"))
            vanish = child_of(properties, "vanish")
            hidden = hidden or style.hides if vanish is None else is_on(vanish)
            hidden = hidden or is_on(child_of(properties, "webHidden"))
        if hidden:
            for each in run.iterchildren("{*}fldChar", "{*}instrText"):
                if local_name(each) == "fldChar":
                    self.fields.follow(each)
                else:
                    self.fields.add_instruction(each.text or "")
            self.left_out[HIDDEN] += self.fields.is_shown  # not in a table of contents
            return None
        return style if properties is None else _formatted(properties, style)

    def _style(self, name: str) -> _Format:
        """Return the formatting of a style of characters."""
        if not name:
            return _PLAIN
        if name not in self._formats:
            made = _Format(hides=self._hidden_by(name))
            for element in reversed([*based_styles(name, self._styles)]):
                title = property_of(element, "name")
                made = _formatted(child_of(element, "rPr"), made._replace(style=title))
            known = _NAMED.get(made.style.lower())
            self._formats[name] = made._replace(codes=(known,)) if known else made
        return self._formats[name]

    def _hidden_by(self, style: str) -> bool:
        for element in based_styles(style, self._styles):
            if (vanish := child_of(child_of(element, "rPr"), "vanish")) is not None:
                return is_on(vanish)
        return False


_ALONE = names_of("br cr sym symEx oMath footnoteReference endnoteReference drawing pict object")


def _formatted(properties: Any, style: _Format) -> _Format:
    """Return formatting with the properties of a run, or of a style that is based on it."""
    if properties is None:
        return style
    codes = set(style.codes)
    for each in properties:
        name = local_name(each)
        if name == "vertAlign":
            codes.difference_update(_VERTICAL.values())
            if raised := _VERTICAL.get(value_of(each)):
                codes.add(raised)
        elif (code := _FORMATS.get(name)) is not None:
            if not is_on(each):
                codes = {other for other in codes if other.type != code.type}
            elif all(other.type != code.type for other in codes):
                codes.add(code)
    made = tuple(sorted(codes, key=_ORDER.index)) if codes else ()
    return style._replace(codes=made, properties=properties)


def _characters(element: Any, name: str) -> str:
    """Return the characters of an element in a run; empty for one that has none itself."""
    if name == "t":
        return element.text or ""
    if name in _CHARACTERS:
        return _CHARACTERS[name]
    if name == "br":
        return " " if value_of(element, "type") in {"page", "column"} else ""
    return symbol_of(element) if name in {"sym", "symEx"} else ""


def note_name(kind: str, number: str) -> str:
    """Return the name of a note: footnotes and endnotes have the same numbers."""
    return f"e{number}" if kind == "endnote" else number


def _note_of(reference: Any) -> tuple[str, str]:
    """Return the kind and the id of the note that a reference is to."""
    return local_name(reference).removesuffix("Reference"), value_of(reference, "id")


def symbol_of(element: Any) -> str:
    """Return the character of a symbol; empty where only its font knows it."""
    code = value_of(element, "char")
    try:
        number = int(code, 16) if len(code) <= _HEX_DIGITS else 0
    except ValueError:
        return ""
    if number in range(0xF020, 0xF100) and value_of(element, "font") == "Symbol":
        return SYMBOL_LETTERS.get(chr(number - 0xF000), "")
    is_known = ord(" ") <= number < 0x30000 and number & 0xFFFF < 0xFFF0
    return chr(number) if is_known and number not in range(0xD800, 0xF900) else ""


@dataclass(slots=True)
class _Field:
    """An open field."""

    instruction: str = ""
    is_shown: bool = False  # whether its result has begun, and is read
    chooses: bool = False  # whether it is a list to choose from
    link: Code | None = None  # around its result
    has_result: bool = False  # whether its result has characters


class Fields:
    """The open fields at a place of a document, whose instructions are no text."""

    def __init__(self, left_out: Counter[str]) -> None:
        self._left_out = left_out
        self._open: list[_Field] = []

    @property
    def is_shown(self) -> bool:
        """Whether characters are text."""
        return all(field.is_shown for field in self._open)

    @property
    def links(self) -> tuple[Code, ...]:
        """The links around characters."""
        return tuple(field.link for field in self._open if field.link is not None)

    def __len__(self) -> int:
        return len(self._open)

    def mark_results(self) -> None:
        """Note that the results of the open fields have characters."""
        for field in self._open:
            field.has_result = True

    def add_instruction(self, characters: str) -> None:
        """Add characters to the instruction of the innermost field."""
        if self._open:
            self._open[-1].instruction += characters

    def follow(self, element: Any) -> str:
        """Follow the beginning of a field, the beginning of its result, or its end (`fldChar`).

        Returns the text that no run has: the choice in a list of a form, characters with a reading.
        """
        kind, chosen = value_of(element, "fldCharType"), ""
        if kind == "begin":
            menu = child_of(child_of(element, "ffData"), "ddList")
            chooses = menu is not None and self.is_shown
            chosen = _choice(menu) if chooses else ""
            self._open.append(_Field(chooses=chooses))
        elif self._open and kind == "separate":
            field = self._open[-1]
            is_contents = FIELD_OF_CONTENTS.match(field.instruction) is not None
            field.is_shown = not (field.chooses or is_contents)
            field.link = link_of_field(field.instruction)
        elif self._open:
            field = self._open.pop()
            if FIELD_OF_CONTENTS.match(field.instruction):
                self._left_out[CONTENTS] = 1
            if self.is_shown and not (field.is_shown and field.has_result):
                equation = equation_of_field(field.instruction)
                self._left_out[FORMULAS] += equation == ""
                return equation or ""
        return chosen

    def end(self) -> None:
        """Close the fields that are open at the end of a text; count them if they hid some."""
        self._left_out[_ENDLESS] += not self.is_shown
        self._open.clear()


def _choice(menu: Any) -> str:
    choices = [value_of(each) for each in menu.iterchildren("{*}listEntry")]
    default = whole_number(property_of(menu, "default"), 0)
    number = whole_number(property_of(menu, "result"), default)
    return choices[number] if number < len(choices) else ""
