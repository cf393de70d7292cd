"""The units of a TMX file, made of tokens; a parser or an expression may have made those."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from bitext.formats.xml.inline_codes import Token, attributes_of, flow, tag
from bitext.formats.xml.safe import line_of, local_name
from bitext.formats.xml.text import unescape
from bitext.option_names import remedy

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from lxml.etree import _Element as Element

    from bitext.formats.io.source import Source

__all__ = [
    "PARENTS",
    "WANTED",
    "Builder",
    "Extra",
    "Header",
    "Unit",
    "Variant",
    "foreign",
    "header_of",
    "read_elements",
    "tokens",
    "tokens_of",
    "units_of",
]


# The tokens of regular pieces of a TMX file, by one expression for many.
#
# Whatever a parser might see otherwise gives no tokens at all, and goes to the parser: elements
# out of place, prefixes, an attribute that stands twice.

_TAG = re.compile(
    r"<(/?)([A-Za-z_][A-Za-z0-9_.-]*)"
    r"([^<>\"']*(?:(?:\"[^\"<]*\"|'[^'<]*')[^<>\"']*)*)>([^<]*)"
)
_QUOTED = r"(?:\"[^\"<>&]*\"|'[^'<>&]*')"
_PROLOG = re.compile(
    r"(?:<\?xml version=[\"']1\.0[\"'](?: encoding=[\"'][A-Za-z][A-Za-z0-9._-]*[\"'])?"
    r"(?: standalone=[\"'](?:yes|no)[\"'])?[ \t\n]*\?>)?[ \t\n]*"
    rf"(?:<!DOCTYPE[ \t\n]+tmx(?:[ \t\n]+SYSTEM[ \t\n]+{_QUOTED})?[ \t\n]*>)?[ \t\n]*"
    r"(?=<tmx[ \t\n>])"
)
_OF_XML = {"xml:lang", "xml:space"}
_DEEP = 200
_MOST = 1 << 12  # start tags remembered
_CROWD = 200  # attributes

_Known = tuple["Mapping[str, str]", bool]
_known: dict[str, _Known | None] = {}


def tokens_of(text: str, line: int, begin: int = 0) -> list[Token] | None:
    """Return the tokens of a text from a place on; `None` where it does not consist of such.

    Nesting is checked, and all that is opened is closed, unless it is `tmx` or `body`. `line` is
    that on which the text begins. What stands before the first tag is left out.
    """
    first = text.find("<", begin)
    if first < 0:
        return []
    found = _TAG.findall(text, first)
    size = sum([len(a) + len(b) + len(c) + len(d) for a, b, c, d in found])
    if size + 2 * len(found) != len(text) - first:
        return None
    line += text.count("\n", 0, first)
    tokens: list[Token] = []
    opened: list[str] = []
    for closes, name, attributes, after in found:
        if "\n" in attributes:
            line += attributes.count("\n")
        if closes:
            if not opened or opened.pop() != name or attributes.strip(" \t\n"):
                return None
            tokens.append(Token(">", name, {}, 0))
        else:
            known = _attributes(attributes)
            if known is None or len(opened) > _DEEP:
                return None
            values, empty = known
            tokens.append(Token("<", name, values, line))
            if empty:
                tokens.append(Token(">", name, {}, 0))
            else:
                opened.append(name)
        if after:
            tokens.append(Token("", unescape(after), {}, 0))
            if "\n" in after:
                line += after.count("\n")
    return tokens if not set(opened) - {"tmx", "body"} else None


def _attributes(written: str) -> _Known | None:
    """Return the attributes of a start tag, and whether it is also the end tag."""
    if written not in _known:
        if len(_known) >= _MOST:
            _known.clear()
        _known[written] = _read_attributes(written)
    return _known[written]


def _read_attributes(written: str) -> _Known | None:
    empty = written.endswith("/")
    values = attributes_of(written[:-1] if empty else written)
    if values is None or len(values) > _CROWD or "xmlns" in values:
        return None
    if any(":" in name and name not in _OF_XML for name in values):
        return None
    return values, empty


def header_of(opening: str) -> tuple[str, list[Token]] | None:
    """Return the version and the tokens of the header in all that stands before the units.

    The tokens are none where there is no header. `None` where a parser has to look.
    """
    prolog = _PROLOG.match(opening)
    tokens = tokens_of(opening, 1, prolog.end()) if prolog else None
    if not tokens or tokens[0].name != "tmx" or tokens[-1].name != "body":
        return None
    version = tokens[0].attributes.get("version", "")
    inside = [token for token in tokens[1:-1] if token.what or token.name.strip()]
    if not inside:
        return version, []
    elements = [k for k, token in enumerate(tokens) if token.what and token.name == "header"]
    if len(elements) != 2 or inside[0].name != "header" or inside[-1].name != "header":
        return None
    return version, tokens[elements[0] : elements[1] + 1]


def units_of(tokens: list[Token]) -> list[list[Token]] | None:
    """Part tokens into those of each unit; `None` where anything else stands between units."""
    units: list[list[Token]] = []
    begin, depth = 0, 0
    for k, token in enumerate(tokens):
        if token.what == "<":
            if not depth:
                if token.name != "tu":
                    return None
                begin = k
            depth += 1
        elif token.what:
            depth -= 1
            if not depth:
                units.append(tokens[begin : k + 1])
    return None if depth else units


_OF_ENCODINGS = {"ude": {"name", "base"}, "map": {"unicode", "code", "ent", "subst"}}
_OF_EXTRAS = ("xml:lang", "lang", "o-encoding")


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


class Builder:
    """Makes units of tokens, and notes what is odd in them.

    Parameters
    ----------
    source : Source
        Takes the notes, and the errors of units that cannot be read.

    """

    def __init__(self, source: Source) -> None:
        self._source = source

    def header(self, tokens: Sequence[Token]) -> Header:
        """Return the header; tokens are those from its start tag to its end tag."""
        header = Header(self._attributes(tokens[0]), there=True)
        for begin, end in _children(tokens, 0, len(tokens) - 1):
            if tokens[begin].name == "ude" and tokens[begin].what:
                self._encoding(tokens[begin : end + 1], header)
            else:
                self._extra(tokens, begin, end, header.extras)
        return header

    def _encoding(self, tokens: Sequence[Token], header: Header) -> None:
        """Keep a user-defined encoding as it is written again; it does nothing to the texts."""
        maps = [token for token in tokens[1:-1] if token.what == "<"]
        known = all(
            not token.attributes.keys() - _OF_ENCODINGS[token.name]
            for token in (tokens[0], *maps)
            if token.name in _OF_ENCODINGS
        )
        if not (known and maps and all(token.name == "map" for token in maps)):
            self._note("user-defined encodings (ude) that TMX does not have", tokens[0].line)
            return
        inside = "".join(tag("map", token.attributes, empty=True) for token in maps)
        xml = f"{tag('ude', tokens[0].attributes)}{inside}</ude>"
        header.extras.append(Extra("ude", "", xml, {}))

    def unit(self, tokens: Sequence[Token]) -> Unit | None:
        """Return a unit, or `None` for one that is refused; tokens as for a header."""
        unit = Unit(tokens[0].line, self._attributes(tokens[0]))
        for begin, end in _children(tokens, 0, len(tokens) - 1):
            token = tokens[begin]
            if token.name == "tuv" and token.what:
                variant = self._variant(tokens, begin, end)
                if variant is None:
                    return None
                unit.variants.append(variant)
            elif token.name == "tu" and token.what:
                self._source.refuse(
                    "has a tu within a tu, as opus_read writes them for links that are not 1-1: "
                    "which texts belong together is not known; make the file anew from the links",
                    token.line,
                )
                return None
            else:
                self._extra(tokens, begin, end, unit.extras, unit.line)
        return unit

    def _variant(self, tokens: Sequence[Token], begin: int, end: int) -> Variant | None:
        start = tokens[begin]
        attributes = dict(self._attributes(start))
        modern, old = attributes.pop("xml:lang", ""), attributes.pop("lang", "")
        if modern and old and modern != old:
            kind = "tuv with lang beside another xml:lang, which holds"
            self._note(kind, start.line, f"{old} and {modern}")
        lang = (modern or old).strip()
        if not lang:
            self._source.refuse(
                f'has a tuv without a language; want one, as xml:lang="en": add it, or leave the '
                f"unit out ({remedy('keep-going', command='convert')})",
                start.line,
            )
            return None
        variant = Variant(lang, start.line, attributes)
        loose: list[str] = []
        for first, last in _children(tokens, begin, end):
            token = tokens[first]
            if not token.what:
                loose.append(token.name)
            elif token.name == "seg":
                self._segment(tokens[first : last + 1], variant)
            else:
                self._extra(tokens, first, last, variant.extras, start.line)
        self._settle(variant, "".join(loose))
        return variant

    def _segment(self, tokens: Sequence[Token], variant: Variant) -> None:
        line = tokens[0].line
        text, marked = flow(tokens[1:-1], lambda kind, case: self._note(kind, line, case))
        for name in tokens[0].attributes:
            if name != "xml:space":
                self._note("attributes of seg, left out", line, name.rpartition("}")[2][:40])
        preserved = tokens[0].attributes.get("xml:space") == "preserve"
        if "\n" in text and not preserved and _is_laid_out(text):
            kind = "segments with line ends of the lay-out of the file in them, kept as they are"
            self._note(kind, line)
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
            self._note("texts outside of segments, left out", variant.line, loose.strip()[:40])
        else:
            self._note("texts that stand in a tuv without a seg, taken as one", variant.line)
            variant.segments.append(loose)
            variant.marked.append(None)

    def _extra(
        self,
        tokens: Sequence[Token],
        begin: int,
        end: int,
        extras: list[Extra],
        line: int = 1,
    ) -> None:
        """Take a prop or a note; anything else is left out, and noted."""
        token = tokens[begin]
        if not token.what:
            if token.name.strip():
                case = token.name.strip()[:40]
                self._note("texts outside of segments, left out", line, case)
            return
        if token.name not in {"prop", "note"}:
            name = token.name.rpartition("}")[2]
            self._note("elements that are not read, left out", token.line, name[:40])
            return
        inside = tokens[begin + 1 : end]
        if any(part.what for part in inside):
            self._note("elements within a prop or note, of which the text is kept", token.line)
        attributes = dict(self._attributes(token))
        kind = "" if token.name == "note" else attributes.pop("type", "")
        unknown = [key for key in attributes if key not in _OF_EXTRAS]
        for key in unknown:
            self._note("attributes of props and notes, left out", token.line, key[:40])
            del attributes[key]
        text = "".join(part.name for part in inside if not part.what)
        extras.append(Extra(token.name, kind, text, attributes))

    def _attributes(self, token: Token) -> Mapping[str, str]:
        """Return the attributes without those of other vocabularies, which are noted."""
        attributes = token.attributes
        if not any(":" in key for key in attributes):
            return attributes
        kept = {}
        for key, value in attributes.items():
            if ":" not in key or key == "xml:lang":
                kept[key] = value
            elif key != "xml:space":
                name = key.rpartition("}")[2]
                self._note("attributes of other vocabularies, left out", token.line, name[:40])
        return kept

    def _note(self, kind: str, line: int, case: str = "") -> None:
        where = f"{self._source.path} line {line}"
        self._source.notes.add(kind, f"{where}: {case}" if case else where)


def _is_laid_out(text: str) -> bool:
    """Tell whether line ends in a segment look like those of an indented file."""
    return text[0] == "\n" or text[-1] == "\n" or "\n " in text or "\n\t" in text


def _children(tokens: Sequence[Token], begin: int, end: int) -> list[tuple[int, int]]:
    """Return where the children of an element begin and end, texts among them."""
    found, depth, start = [], 0, 0
    for k in range(begin + 1, end):
        what = tokens[k].what
        if what == "<":
            if not depth:
                start = k
            depth += 1
        elif what:
            depth -= 1
            if not depth:
                found.append((start, k))
        elif not depth:
            found.append((k, k))
    return found


# The elements of a TMX file, as a parser gives them, made tokens.

WANTED = {"start": ("tmx", "body"), "end": ("header", "tu")}
PARENTS = ("tmx", "body")  # of elements wanted, and of no others
_XML = "{http://www.w3.org/XML/1998/namespace}"


def read_elements(
    source: Source,
    builder: Builder,
    events: Iterable[tuple[str, Element, int]],
    header: Header,
    *,
    again: bool = False,
) -> Iterator[Unit]:
    """Yield the units of a file by the events of its parser; fill in its header.

    `again` tells that the header was read already, and comes again.
    """
    space, opened, inside = "", False, False
    for event, element, line in events:
        name = local_name(element)
        if event == "start":
            if name == "tmx" and not opened:
                space = _space(element)
                header.version = str(element.get("version", ""))
                opened = True
            inside = inside or (name == "body" and _space(element) == space)
            continue
        if not opened:
            break
        if name == "header":
            if not again and not inside and _space(element) == space:
                known = builder.header(tokens(element, space, line))
                known.version = header.version
                for field in known.__slots__:
                    setattr(header, field, getattr(known, field))
            continue
        if _space(element) != space:
            foreign(source, local_name(element), line)
            continue
        parent = element.getparent()
        if parent is not None and any(
            local_name(outer) == "tu" for outer in (parent, *parent.iterancestors())
        ):
            continue  # in another unit, which is refused when it ends
        unit = builder.unit(tokens(element, space, line))
        if unit is not None:
            yield unit
    if not opened:
        raise source.error("has no root element tmx; give a translation memory (TMX)")


def _space(element: Element) -> str:
    return str(element.tag).rpartition("}")[0]


def foreign(source: Source, name: str, line: int) -> None:
    """Note an element that is not read."""
    where = f"{source.path} line {line}: {name[:40]}"
    source.notes.add("elements that are not read, left out", where)


def tokens(element: Element, space: str, line: int) -> list[Token]:
    """Return the tokens of an element, from its start tag to its end tag.

    Names of elements in the namespace of the root come without it; `line` is that of the element,
    where the parser counts from another beginning than the file.
    """
    shift = line - (line_of(element) or line)
    prefix = f"{space}}}" if space else ""
    found: list[Token] = []
    opened: list[tuple[str, Element, Iterator[Element]]] = []
    part: Element | None = element
    while True:
        if part is not None:
            name = str(part.tag)
            name = name.removeprefix(prefix) if prefix else name
            attributes = {str(key).replace(_XML, "xml:"): str(value) for key, value in part.items()}
            found.append(Token("<", name, attributes, (line_of(part) or 0) + shift))
            if part.text:
                found.append(Token("", str(part.text), {}, 0))
            opened.append((name, part, iter(part)))
        name, outer, children = opened[-1]
        part = next(children, None)
        if part is None:
            found.append(Token(">", name, {}, 0))
            opened.pop()
            if not opened:
                return found
            if outer.tail:
                found.append(Token("", str(outer.tail), {}, 0))
