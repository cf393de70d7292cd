"""The units of a TMX file, read from the elements that the parser gives."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, cast

from bitext.formats.xml.inline_codes import Token, flow, tag
from bitext.formats.xml.safe import line_of, local_name
from bitext.option_names import remedy

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from lxml.etree import _Element as Element

    from bitext.formats.io.source import Source

__all__ = [
    "OF_EXTRAS",
    "PARENTS",
    "WANTED",
    "Extra",
    "Header",
    "Unit",
    "UnitReader",
    "Variant",
    "note_foreign",
    "read_units",
]

_XML = "{http://www.w3.org/XML/1998/namespace}"
_XML_LANG = f"{_XML}lang"
_OF_ENCODINGS = {"ude": {"name", "base"}, "map": {"unicode", "code", "ent", "subst"}}
OF_EXTRAS = ("xml:lang", "lang", "o-encoding")


class Extra(NamedTuple):
    """A `prop` or a `note`: its `type` (of a note empty), its text, its other attributes.

    An `ude` of a header is one too; its text is its XML.
    """

    kind: str
    type: str
    text: str
    attributes: Mapping[str, str]


@dataclass(slots=True)
class Variant:
    """A `tuv`: a text in a language, of one segment if the file is valid."""

    lang: str
    line: int
    attributes: Mapping[str, str]
    extras: list[Extra] = field(default_factory=list)
    segments: list[str] = field(default_factory=list)
    marked: list[str | None] = field(default_factory=list)


@dataclass(slots=True)
class Unit:
    """A `tu`."""

    line: int
    attributes: Mapping[str, str]
    extras: list[Extra] = field(default_factory=list)
    variants: list[Variant] = field(default_factory=list)


@dataclass(slots=True)
class Header:
    """The `header`; `there` tells whether the file has one."""

    attributes: Mapping[str, str] = field(default_factory=dict)
    extras: list[Extra] = field(default_factory=list)
    version: str = ""
    there: bool = False


class UnitReader:
    """Reads units and the header from their elements, and notes what is irregular in them.

    Parameters
    ----------
    source : Source
        Takes the notes, and the errors of units that cannot be read.

    Attributes
    ----------
    space : str
        The namespace of the root, as it stands before a name: `{http://...}`, or empty.

    """

    def __init__(self, source: Source) -> None:
        self._source = source
        self.space = ""
        self._shift = 0  # lines of the file before the first that the parser saw

    def read_header(self, element: Element, line: int, header: Header) -> None:
        """Fill in the header from its element, which begins on that line of the file."""
        self._shift = line - (line_of(element) or line)
        header.attributes, header.extras = self._attributes(element), []
        header.there = True
        self._loose(element.text, 1)
        for child in element:
            if self._name(child) == "ude":
                self._encoding(child, header)
            else:
                self._extra(child, header.extras)
            self._loose(child.tail, 1)

    def _encoding(self, element: Element, header: Header) -> None:
        """Keep a user-defined encoding as it is written again; it does nothing to the texts."""
        maps = list(element.iterdescendants())
        known = all(
            not self._written(part).keys() - _OF_ENCODINGS[self._name(part)]
            for part in (element, *maps)
            if self._name(part) in _OF_ENCODINGS
        )
        if not (known and maps and all(self._name(part) == "map" for part in maps)):
            self._note("user-defined encodings (ude) that TMX does not have", self._line(element))
            return
        inside = "".join(tag("map", self._written(part), empty=True) for part in maps)
        xml = f"{tag('ude', self._written(element))}{inside}</ude>"
        header.extras.append(Extra("ude", "", xml, {}))

    def unit(self, element: Element, line: int) -> Unit | None:
        """Read a unit that begins on that line of the file; return `None` for one refused."""
        self._shift = line - (line_of(element) or line)
        unit = Unit(line, self._attributes(element))
        text = element.text
        if text and not text.isspace():
            self._loose(text, unit.line)
        for child in element:
            name = self._name(child)
            if name == "tuv":
                variant = self._variant(child)
                if variant is None:
                    return None
                unit.variants.append(variant)
            elif name == "tu":
                self._source.refuse(
                    "has a tu within a tu, as opus_read writes them for links that are not 1-1: "
                    "which texts belong together is not known; make the file anew from the links",
                    self._line(child),
                )
                return None
            else:
                self._extra(child, unit.extras)
            text = child.tail
            if text and not text.isspace():
                self._loose(text, unit.line)
        return unit

    def _variant(self, element: Element) -> Variant | None:
        items = _items(element)
        if len(items) == 1 and items[0][0] == _XML_LANG:  # the rule
            lang = items[0][1].strip()
            attributes: dict[str, str] = {}
        else:
            attributes = dict(self._attributes(element))
            modern, old = attributes.pop("xml:lang", ""), attributes.pop("lang", "")
            if modern and old and modern != old:
                kind = "tuv with lang beside another xml:lang, which holds"
                self._note(kind, self._line(element), f"{old} and {modern}")
            lang = (modern or old).strip()
        if not lang:
            self._source.refuse(
                f'has a tuv without a language; want one, as xml:lang="en": add it, or leave the '
                f"unit out ({remedy('keep-going', command='convert')})",
                self._line(element),
            )
            return None
        variant = Variant(lang, self._line(element), attributes)
        loose = element.text or ""
        for child in element:
            if self._name(child) == "seg":
                self._segment(child, variant)
            else:
                self._extra(child, variant.extras)
            loose += child.tail or ""
        if len(variant.segments) != 1 or (loose and not loose.isspace()):
            self._settle(variant, loose)
        return variant

    def _segment(self, element: Element, variant: Variant) -> None:
        text, marked = element.text or "", None
        if len(element):
            line = self._line(element)
            text, marked = flow(
                self._content(element), lambda kind, case: self._note(kind, line, case)
            )
        preserved = False
        for name, value in self._written(element).items():
            if name != "xml:space":
                kind = "attributes of seg, left out"
                self._note(kind, self._line(element), name.rpartition("}")[2][:40])
            elif value == "preserve":
                preserved = True
        if "\n" in text and not preserved and _is_laid_out(text):
            kind = "segments with line ends of the lay-out of the file in them, kept as they are"
            self._note(kind, self._line(element))
        variant.segments.append(text)
        variant.marked.append(marked)

    def _settle(self, variant: Variant, loose: str) -> None:
        """See to text outside of segments, and to their number."""
        size = len(variant.segments)
        if size > 1:
            self._note("tuv with several seg, taken as several segments", variant.line, str(size))
        if not loose.strip():
            if not size:
                self._note("tuv without a seg, taken as no segment", variant.line)
        elif size:
            self._loose(loose, variant.line)
        else:
            self._note("texts that stand in a tuv without a seg, taken as one", variant.line)
            variant.segments.append(loose)
            variant.marked.append(None)

    def _loose(self, text: str | None, line: int) -> None:
        """Note text where none belongs."""
        case = (text or "").strip()[:40]
        if case:
            self._note("texts outside of segments, left out", line, case)

    def _extra(self, element: Element, extras: list[Extra]) -> None:
        """Add a prop or a note to `extras`; leave anything else out, with a note."""
        name = self._name(element)
        if name not in {"prop", "note"}:
            shown = name.rpartition("}")[2][:40]
            self._note("elements that are not read, left out", self._line(element), shown)
            return
        if len(element):
            kind = "elements within a prop or note, of which the text is kept"
            self._note(kind, self._line(element))
            text = "".join(map(str, element.itertext()))
        else:
            text = element.text or ""
        attributes = dict(self._attributes(element))
        kind = "" if name == "note" else attributes.pop("type", "")
        for key in [key for key in attributes if key not in OF_EXTRAS]:
            self._note("attributes of props and notes, left out", self._line(element), key[:40])
            del attributes[key]
        extras.append(Extra(name, kind, text, attributes))

    def _attributes(self, element: Element) -> Mapping[str, str]:
        """Return the attributes without those of other vocabularies, which are noted."""
        attributes = self._written(element)
        if ":" not in "".join(attributes):
            return attributes
        kept = {}
        for key, value in attributes.items():
            if ":" not in key or key == "xml:lang":
                kept[key] = value
            elif key != "xml:space":
                name = key.rpartition("}")[2][:40]
                kind = "attributes of other vocabularies, left out"
                self._note(kind, self._line(element), name)
        return kept

    def _written(self, element: Element) -> dict[str, str]:
        """Return all attributes, those of XML by the names that they have in the file."""
        return {
            key.replace(_XML, "xml:") if key[0] == "{" else key: value
            for key, value in _items(element)
        }

    def _name(self, element: Element) -> str:
        """Return the name of an element, without a namespace where that is the root's."""
        name = str(element.tag)
        return name.removeprefix(self.space) if self.space else name

    def _line(self, element: Element) -> int:
        return (line_of(element) or 0) + self._shift

    def _content(self, element: Element) -> list[Token]:
        """Return the start tags, end tags and texts in an element, without recursion."""
        found = [Token("", str(element.text), {}, 0)] if element.text else []
        opened = [("", element, iter(element))]
        while opened:
            name, outer, children = opened[-1]
            part = next(children, None)
            if part is not None:
                name = self._name(part)
                found.append(Token("<", name, self._written(part), self._line(part)))
                if part.text:
                    found.append(Token("", str(part.text), {}, 0))
                opened.append((name, part, iter(part)))
                continue
            opened.pop()
            if opened:
                found.append(Token(">", name, {}, 0))
                if outer.tail:
                    found.append(Token("", str(outer.tail), {}, 0))
        return found

    def _note(self, kind: str, line: int, case: str = "") -> None:
        where = f"{self._source.path} line {line}"
        self._source.notes.add(kind, f"{where}: {case}" if case else where)


def _items(element: Element) -> list[tuple[str, str]]:
    return cast("list[tuple[str, str]]", element.items())


def _is_laid_out(text: str) -> bool:
    """Tell whether line ends in a segment look like those of an indented file."""
    return text[0] == "\n" or text[-1] == "\n" or "\n " in text or "\n\t" in text


WANTED = {"start": ("tmx", "body"), "end": ("header", "tu")}
PARENTS = ("tmx", "body")  # of elements wanted, and of no others


def read_units(
    source: Source,
    reader: UnitReader,
    events: Iterable[tuple[str, Element, int]],
    header: Header,
    *,
    again: bool = False,
) -> Iterator[Unit]:
    """Yield the units of a file by the events of its parser; fill in its header.

    `again` tells that the header was read already, and comes again.
    """
    space, tu = "", ""
    opened = inside = False
    holder: Element | None = None  # the parent of the units, known to be in no other unit
    for event, element, line in events:
        if event == "end" and opened and element.tag == tu:
            parent = element.getparent()
            if parent is not holder:
                if parent is None or _is_in_unit(parent):
                    continue  # the outer unit is refused when it ends
                holder = parent
            unit = reader.unit(element, line)
            if unit is not None:
                yield unit
            continue
        name = local_name(element)
        if event == "start":
            if name == "tmx" and not opened:
                space = reader.space = _space(element)
                tu = f"{space}tu"
                header.version = str(element.get("version", ""))
                opened = True
            inside = inside or (name == "body" and _space(element) == space)
            continue
        if not opened:
            break
        if name == "header":
            if not again and not inside and _space(element) == space:
                reader.read_header(element, line, header)
        else:
            note_foreign(source, name, line)
    if not opened:
        raise source.error("has no root element tmx; give a translation memory (TMX)")


def _is_in_unit(element: Element) -> bool:
    return any(local_name(outer) == "tu" for outer in (element, *element.iterancestors()))


def _space(element: Element) -> str:
    space, brace, _ = str(element.tag).rpartition("}")
    return space + brace


def note_foreign(source: Source, name: str, line: int) -> None:
    """Note an element that is not read."""
    where = f"{source.path} line {line}: {name[:40]}"
    source.notes.add("elements that are not read, left out", where)
