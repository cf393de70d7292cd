"""The units of a TMX file, read from the elements of the parser, and their columns."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bitext.errors import leaving_out
from bitext.formats.beads import Beads
from bitext.formats.io.source import Source
from bitext.formats.scores import score_of
from bitext.formats.xml.inline_codes import MarkedSegment, Token, cut, flow, tag
from bitext.formats.xml.safe import (
    LOOSE,
    items_of,
    line_of,
    local_name,
    loose_end,
    loose_text,
    parse_fragment,
    text_of,
    walk,
)
from bitext.kernels.arrays import Rows, prefix
from bitext.model import Bitext, Text

if TYPE_CHECKING:
    from lxml.etree import _Element as Element


_XML = "{http://www.w3.org/XML/1998/namespace}"
_XML_LANG = f"{_XML}lang"
_OF_ENCODINGS = {"ude": {"name", "base"}, "map": {"unicode", "code", "ent", "subst"}}
_MOST_TAGS = 200  # of a segment that is parsed by itself: libxml2 refuses a depth above 256
OF_EXTRAS = ("xml:lang", "lang", "o-encoding")


class Extra(NamedTuple):
    """A `prop` or a `note`: its `type` (empty for a note), its text, its other attributes.

    An `ude` of a header is an extra, too, with its XML as text.
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
    """The `header`; `there` is false in a file without one."""

    attributes: Mapping[str, str] = field(default_factory=dict)
    extras: list[Extra] = field(default_factory=list)
    version: str = ""
    there: bool = False


class UnitReader:
    """Reads units and the header from their elements, and notes irregularities.

    `space` is the namespace of the root as a prefix of names, `{http://...}`, or empty. Once the
    root has begun, `tag` is the full name of units, and `body` the element around them.
    """

    def __init__(self, source: Source) -> None:
        self._source = source
        self.space = self.tag = ""
        self.body: Element | None = None
        self._shift = 0  # lines of the file before the first line of the parser

    def begin(self, name: str, element: Element, header: Header) -> None:
        """Take the start tag of the root, or of the body."""
        if name == "tmx" and not self.tag:
            self.space = _space(element)
            self.tag = f"{self.space}tu"
            header.version = str(element.get("version", ""))
        elif name == "body" and _space(element) == self.space:
            self.body = element

    def read_header(self, element: Element, line: int, header: Header) -> None:
        """Fill in the header from its element, which begins on that line of the file."""
        self._shift = line - (line_of(element) or line)
        header.attributes, header.extras = self._attributes(element), []
        header.there = True
        self._note_loose_text(element.text, 1)
        for child in element:
            if self._name(child) == "ude":
                self._encoding(child, header)
            else:
                self._extra(child, header.extras)
            self._note_loose_text(child.tail, 1)

    def _encoding(self, element: Element, header: Header) -> None:
        """Keep a user-defined encoding for the output; the texts do not depend on it."""
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
        """Read a unit that begins on that line of the file; return `None` for a refused unit."""
        self._shift = line - (line_of(element) or line)
        unit = Unit(line, self._attributes(element))
        if before := loose_text(element):
            self._note(LOOSE, line, before[:40])
        text = element.text
        if text and not text.isspace():
            self._note_loose_text(text, unit.line)
        for child in element:
            name = "tuv" if child.tag == "tuv" else self._name(child)
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
                self._note_loose_text(text, unit.line)
        return unit

    def finish(self) -> None:
        """Note text after the last unit."""
        if self.body is not None and (text := loose_end(self.body)):
            self._source.note(LOOSE, text[:40])

    def _variant(self, element: Element) -> Variant | None:
        items = items_of(element)
        if len(items) == 1 and items[0][0] == _XML_LANG:  # the usual case
            lang = items[0][1].strip()
            attributes: dict[str, str] = {}
        else:
            attributes = dict(self._attributes(element))
            modern, old = attributes.pop("xml:lang", ""), attributes.pop("lang", "")
            if modern and old and modern != old:
                kind = "tuv with lang and a different xml:lang, which is used"
                self._note(kind, self._line(element), f"{old} and {modern}")
            lang = (modern or old).strip()
        if not lang:
            self._source.refuse(
                f'has a tuv without a language; want one, as xml:lang="en": add it'
                f"{leaving_out('units')}",
                self._line(element),
            )
            return None
        variant = Variant(lang, self._line(element), attributes)
        loose = element.text or ""
        for child in element:
            if child.tag == "seg" or self._name(child) == "seg":
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
        for name, value in self._written(element).items() if items_of(element) else ():
            if name != "xml:space":
                kind = "attributes of seg, left out"
                self._note(kind, self._line(element), name.rpartition("}")[2][:40])
            elif value == "preserve":
                preserved = True
        if "\n" in text and not preserved and _is_laid_out(text):
            kind = (
                "segments with line ends that seem to be the layout of the file, kept as they are"
            )
            self._note(kind, self._line(element))
        variant.segments.append(text)
        variant.marked.append(marked)

    def marked(self, written: str) -> MarkedSegment | None:
        """Parse a segment with elements in it, given as in the file.

        Return `None` where only a parser of the whole file can read it.
        """
        plain = "xmlns" not in written and written.count("<") < _MOST_TAGS
        root = parse_fragment(f"<seg>{written}</seg>") if plain else None
        if root is None or any(
            part.tag == "seg" or any(":" in key for key in self._written(part))
            for part in root.iterdescendants()
        ):
            return None
        faults: list[tuple[str, str]] = []
        text, xml = flow(self._content(root), lambda kind, case: faults.append((kind, case)))
        return None if xml is None else (text, xml, faults)

    def _settle(self, variant: Variant, loose: str) -> None:
        """Handle text outside of segments, and several segments."""
        size = len(variant.segments)
        if size > 1:
            self._note("tuv with several seg, taken as several segments", variant.line, str(size))
        if not loose.strip():
            if not size:
                self._note("tuv without a seg, taken as no segment", variant.line)
        elif size:
            self._note_loose_text(loose, variant.line)
        else:
            self._note("texts that stand in a tuv without a seg, taken as one", variant.line)
            variant.segments.append(loose)
            variant.marked.append(None)

    def _note_loose_text(self, text: str | None, line: int) -> None:
        case = (text or "").strip()[:40]
        if case:
            self._note("texts outside of segments, left out", line, case)

    def _extra(self, element: Element, extras: list[Extra]) -> None:
        """Append a prop or a note to `extras`; note any other element."""
        name = self._name(element)
        if name not in {"prop", "note"}:
            shown = name.rpartition("}")[2][:40]
            self._note("elements that are not read, left out", self._line(element), shown)
            return
        if len(element):
            kind = "elements within a prop or note, of which the text is kept"
            self._note(kind, self._line(element))
            text = text_of(element)
        else:
            text = element.text or ""
        attributes = dict(self._attributes(element))
        kind = "" if name == "note" else attributes.pop("type", "")
        for key in [key for key in attributes if key not in OF_EXTRAS]:
            self._note("attributes of props and notes, left out", self._line(element), key[:40])
            del attributes[key]
        extras.append(Extra(name, kind, text, attributes))

    def _attributes(self, element: Element) -> Mapping[str, str]:
        """Return the attributes; note those of other vocabularies."""
        attributes = self._written(element)
        if ":" not in "".join(attributes):
            return attributes
        own = {}
        for key, value in attributes.items():
            if ":" not in key or key == "xml:lang":
                own[key] = value
            elif key != "xml:space":
                name = key.rpartition("}")[2][:40]
                kind = "attributes of other vocabularies, left out"
                self._note(kind, self._line(element), name)
        return own

    def _written(self, element: Element) -> dict[str, str]:
        """Return all attributes, with `xml:` names as in the file."""
        return {
            key.replace(_XML, "xml:") if key[0] == "{" else key: value
            for key, value in items_of(element)
        }

    def _name(self, element: Element) -> str:
        """Return the name of an element, without the namespace of the root."""
        name = str(element.tag)
        return name.removeprefix(self.space) if self.space else name

    def _line(self, element: Element) -> int:
        return (line_of(element) or 0) + self._shift

    def _content(self, element: Element) -> list[Token]:
        """Return the start tags, end tags and texts in an element."""
        tokens = []
        for event, part, characters in walk(element):
            if event == "text":
                tokens.append(Token("", characters, {}, 0))
            elif event == "start":
                tokens.append(Token("<", self._name(part), self._written(part), self._line(part)))
            else:
                tokens.append(Token(">", self._name(part), {}, 0))
        return tokens

    def _note(self, kind: str, line: int, case: str = "") -> None:
        self._source.note(kind, case or None, line=line)


def _is_laid_out(text: str) -> bool:
    """Test line ends in a segment for indentation."""
    return text[0] == "\n" or text[-1] == "\n" or "\n " in text or "\n\t" in text


WANTED = {"start": ("tmx", "body"), "end": ("header", "tu")}
PARENTS = ("tmx", "body")  # elements that should contain only known elements


def read_units(
    source: Source,
    reader: UnitReader,
    events: Iterable[tuple[str, Element, int]],
    header: Header,
    *,
    again: bool = False,
) -> Iterator[Unit]:
    """Yield the units of a file by the events of its parser; fill in its header.

    With `again` the header was read already, and is parsed a second time.
    """
    holder: Element | None = None  # the parent of the units, which is in no unit itself
    for event, element, line in events:
        if event == "end" and element.tag == reader.tag:
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
            reader.begin(name, element, header)
        elif not reader.tag:
            break
        elif name != "header":
            note_foreign(source, name, line)
        elif not again and reader.body is None and _space(element) == reader.space:
            reader.read_header(element, line, header)
    if not reader.tag:
        raise source.error("has no root element tmx; give a translation memory (TMX)")
    reader.finish()


def _is_in_unit(element: Element) -> bool:
    return any(local_name(outer) == "tu" for outer in (element, *element.iterancestors()))


def _space(element: Element) -> str:
    space, brace, _ = str(element.tag).rpartition("}")
    return space + brace


def note_foreign(source: Source, name: str, line: int) -> None:
    """Note an element that is not read."""
    source.note("elements that are not read, left out", name[:40], line=line)


# The columns of attributes, props and notes of TMX, for reading and writing.
#
# Our own props hold data that TMX has no element for: ids, borders and positions of segments.
#
# | prop of a tu | content |
# | --- | --- |
# | `x-bitext-name` | the name of a document pair, on its first unit |
# | `x-src-ids`, `x-tgt-ids` | the ids of the segments, separated by blanks |
# | `x-src-lengths`, `x-tgt-lengths` | the lengths of several segments, separated by blanks |
# | `x-src-positions`, `x-tgt-positions` | the positions, unless they are the next ones |
# | `x-bead` | `none` where the segments are in no bisegment |
#
# In ids, blanks, tabs, line ends and percent signs are written as `%20;`, and an empty id as `%`.
# Positions count on through the parts of a document pair. Segments at later positions stay in
# memory until all earlier ones have been read, so memory grows with the distance.

NAME = "x-bitext-name"
BEAD, NO_BEAD = "x-bead", "none"

_SIDES = ("src", "tgt")
RESERVED = {NAME, BEAD} | {
    f"x-{side}-{what}" for side in _SIDES for what in ("ids", "lengths", "positions")
}
_NUMBERS = re.compile(r"[0-9]{1,10}(?: [0-9]{1,10})*", re.ASCII)
_NOT_IN_IDS = re.compile(r"[%\s]")
_SPELLED = re.compile(r"%([0-9a-f]{1,4});")


def spell_ids(ids: Sequence[str]) -> str:
    """Spell ids as the text of a prop.

    Examples
    --------
    >>> spell_ids(["s1", "a b", ""])
    's1 a%20;b %'

    """
    return " ".join(_NOT_IN_IDS.sub(lambda m: f"%{ord(m[0]):x};", name) or "%" for name in ids)


def _ids_of(spelled: str) -> list[str]:
    return [
        "" if name == "%" else _SPELLED.sub(lambda m: chr(int(m[1], 16)), name)
        for name in spelled.split(" ")
    ]


class _PlacedSegments:
    """The segments of one side by their positions."""

    def __init__(self, base: int = 0) -> None:
        self.base = self.next = base
        self.texts: dict[int, str] = {}
        self.marked: dict[int, str] = {}
        self.ids: dict[int, str] = {}
        self.rows: list[list[int]] = []

    def text(self, name: str, lang: str) -> Text:
        order = sorted(self.texts)
        ids = [self.ids[k] for k in order if k in self.ids]
        whole = bool(ids) and len(ids) == len(order) == len(set(ids))
        return Text(
            [self.texts[k] for k in order],
            ids=ids if whole else None,
            name=name,
            lang=lang,
            marked=[self.marked.get(k) for k in order] if self.marked else None,
        )

    def ranked(self) -> Rows:
        """Return the rows as indices into the text."""
        rank = {place: k for k, place in enumerate(sorted(self.texts))}
        members = [rank[place] for row in self.rows for place in row]
        sizes = np.array(list(map(len, self.rows)), dtype=np.int64)
        return Rows(prefix(sizes), np.array(members, dtype=np.int64))


class PlacedBeads(Beads):
    """Collects bisegments whose segments have positions and ids of their own."""

    _documents = 0  # begun so far
    _bases = (0, 0)  # the positions of the next segments, of the part that begins

    def __len__(self) -> int:
        return len(self._scores) + sum(len(side.texts) for side in self._sides)

    def _begin(self) -> None:
        super()._begin()
        self._sides = (_PlacedSegments(self._bases[0]), _PlacedSegments(self._bases[1]))

    def begin(self, unit: Unit, langs: tuple[str, str]) -> Iterator[Bitext]:
        """Begin a document pair at its first unit; yield the pair before."""
        named = [extra.text for extra in unit.extras if extra.type == NAME]
        if not (named or self._documents == 0):
            return
        if self._documents:
            yield from self.rest()
            self._made, self._bases = 0, (0, 0)
            self._begin()
        self.langs = langs
        self._documents += 1
        self.name = named[0] if named and named[0] else self._options.name

    def add_unit(
        self,
        texts: tuple[list[str], list[str]],
        marked: tuple[list[str | None], list[str | None]],
        attributes: dict[str, str],
        places: dict[str, str],
        score: float,
    ) -> None:
        """Add a bisegment, or segments in no bisegment; `places` are the props of the table."""
        places = {name: text for name, text in places.items() if name != NAME}
        rows = [self._place(side, texts[side], marked[side], places) for side in (0, 1)]
        if places.get(BEAD) == NO_BEAD:
            return
        attributes = {**attributes, **{f"prop:{name}": text for name, text in places.items()}}
        if not any(rows):
            self._source.note("units without any segment, left out", line=self.line)
            return
        self.add([], [], score, attributes=attributes)
        for side, row in zip(self._sides, rows, strict=True):
            side.rows.append(row)

    def _place(
        self,
        number: int,
        texts: list[str],
        marked: list[str | None],
        given: dict[str, str],
    ) -> list[int]:
        """Insert the segments of one side at their positions; return the positions."""
        side, name = self._sides[number], f"x-{_SIDES[number]}-"
        texts, marked = self._cut(name, texts, marked, given)
        ids = _ids_of(given[f"{name}ids"]) if f"{name}ids" in given else []
        if ids and len(ids) == len(texts):
            del given[f"{name}ids"]
        elif ids:
            self._odd("ids")
            ids = []
        places = _numbers(given.get(f"{name}positions", ""))
        fits = len(places) == len(texts) == len(set(places)) and all(
            place >= side.base and side.texts.get(place, text) == text
            for place, text in zip(places, texts, strict=False)
        )
        if not fits:
            if f"{name}positions" in given:
                self._odd("positions")
            places = list(range(side.next, side.next + len(texts)))
        else:
            given.pop(f"{name}positions", None)
        for k, place in enumerate(places):
            side.texts[place] = texts[k]
            if marked[k] is not None:
                side.marked[place] = marked[k] or ""
            if ids:
                side.ids[place] = ids[k]
        side.next = max([side.next, *(place + 1 for place in places)])
        return places

    def _cut(
        self,
        name: str,
        texts: list[str],
        marked: list[str | None],
        given: dict[str, str],
    ) -> tuple[list[str], list[str | None]]:
        """Split a joined side by its lengths, where these fit."""
        spelled = given.get(f"{name}lengths", "")
        lengths = _numbers(spelled)
        if not spelled:
            return texts, marked
        if len(texts) == 1 and len(lengths) > 1:
            ends = list(accumulate(length + 1 for length in lengths))
            whole = texts[0]
            if ends[-1] - 1 == len(whole) and all(whole[end - 1] == " " for end in ends[:-1]):
                parts = [
                    whole[end - 1 - size : end - 1] for end, size in zip(ends, lengths, strict=True)
                ]
                marked_parts = [None] * len(parts) if marked[0] is None else cut(marked[0], lengths)
                if marked_parts is not None:
                    del given[f"{name}lengths"]
                    return parts, [xml if xml and "<" in xml else None for xml in marked_parts]
        self._odd("lengths")
        return texts, marked

    def _odd(self, what: str) -> None:
        kind = f"units whose {what} of segments do not fit their text, kept as a column"
        self._source.note(kind, line=self.line)

    def parts(self) -> Iterator[Bitext]:
        """Yield a part where parts are wanted, and no earlier segment is missing."""
        options = self._options
        if not options.parts or len(self._scores) < options.part_size:
            return
        if all(len(side.texts) == side.next - side.base for side in self._sides):
            yield self._bitext()

    def _bitext(self) -> Bitext:
        self._bases = (self._sides[0].next, self._sides[1].next)
        return super()._bitext()

    def _texts(self) -> list[Text]:
        return [
            side.text(self._source.path, lang)
            for side, lang in zip(self._sides, self.langs, strict=True)
        ]

    def _rows(self) -> list[Rows]:
        return [side.ranked() for side in self._sides]


def _numbers(spelled: str) -> list[int]:
    return [int(number) for number in spelled.split()] if _NUMBERS.fullmatch(spelled) else []


SCORE = "x-score"  # type of the prop with the score of a unit
COLUMN = "x-column-"  # prefix of the type of props for columns of other formats

_SHARED = {
    "o-encoding",
    "datatype",
    "usagecount",
    "lastusagedate",
    "creationtool",
    "creationtoolversion",
    "creationdate",
    "creationid",
    "changedate",
    "changeid",
    "o-tmf",
}
_OF_UNITS = _SHARED | {"tuid", "segtype", "srclang"}
_OF_TEXTS = _SHARED | {"xml:lang"}
_SEGTYPES = {"block", "paragraph", "sentence", "phrase"}
_SUFFIX = re.compile(r"#([0-9]+)$", re.ASCII)
_ATTRIBUTE = re.compile(r"@(xml:lang|lang|o-encoding)$")
_LANGUAGE = re.compile(r"[A-Za-z]{1,8}(?:[-_][A-Za-z0-9]{1,8})*", re.ASCII)


def _numbered(base: str, count: int) -> str:
    """Return the column for the `count`th prop of a type, or note."""
    like_a_suffix = base != "note" and (_SUFFIX.search(base) or _ATTRIBUTE.search(base))
    return f"{base}#{count}" if count > 1 or like_a_suffix else base


def columns_of(prefix: str, extras: Iterable[Extra]) -> Iterator[tuple[str, str]]:
    """Yield the names and values of the columns of props and notes, in order."""
    times: dict[str, int] = {}
    for extra in extras:
        if extra.kind == "prop" and extra.type.startswith(COLUMN):
            yield f"{prefix}{extra.type.removeprefix(COLUMN)}", extra.text
            continue
        base = f"prop:{extra.type}" if extra.kind == "prop" else extra.kind
        times[base] = times.get(base, 0) + 1
        name = prefix + _numbered(base, times[base])
        yield name, extra.text
        for key, value in extra.attributes.items():
            yield f"{name}@{key}", value


class ColumnPlace(NamedTuple):
    """The place of a column in a unit."""

    # An attribute; a prop or a note; a user-defined encoding; an attribute `of` a prop or note; a
    # text in a further language; no name of TMX. One of "attribute", "prop", "note", "ude", "of",
    # "lang", "other".
    kind: str
    side: str  # `src`, `tgt`, or empty for the unit
    name: str  # the name of the attribute, the type of the prop, the code of the language
    number: int = 1  # the number among those of the same name, from 1
    # For an attribute of a prop or note, the column of the prop or note; for a second prop or note,
    # the column of the first.
    base: str = ""


def place_of(column: str) -> ColumnPlace:
    """Return the place of a column: where a reader gives the same name.

    Examples
    --------
    >>> place_of("src.creationid")
    ColumnPlace(kind='attribute', side='src', name='creationid', number=1, base='')
    >>> place_of("prop:x-a#2").name, place_of("certainty").kind
    ('x-a', 'other')

    """
    side = column[:3] if column.startswith(("src.", "tgt.")) else ""
    rest = column[4:] if side else column
    if rest in (_OF_TEXTS if side else _OF_UNITS):
        return ColumnPlace("attribute", side, rest)
    if rest.startswith("lang:") and not side:
        code, count = _base_and_number(rest)
        if _LANGUAGE.fullmatch(code[5:]) and rest in {code, f"{code}#{count}"}:
            return ColumnPlace("lang", "", code[5:], count, _earlier(code, count))
    if not rest.startswith(("note", "prop:", "ude")):
        return ColumnPlace("other", side, rest)
    attribute = _ATTRIBUTE.search(rest)
    if attribute and _is_native(rest[: attribute.start()]):
        return ColumnPlace(
            "of", side, attribute[1], 1, f"{column[: len(column) - len(attribute[0])]}"
        )
    if not _is_native(rest):
        return ColumnPlace("other", side, rest)
    base, count = _base_and_number(rest)
    kind, _, name = base.partition(":")
    before = _numbered(base, count - 1) if count > 1 else ""
    prefix = f"{side}." if side else ""
    return ColumnPlace(kind, side, name, count, before and prefix + before)


def _earlier(code: str, count: int) -> str:
    if count == 1:
        return ""
    return code if count == 2 else f"{code}#{count - 1}"


def _base_and_number(name: str) -> tuple[str, int]:
    match = _SUFFIX.search(name)
    if match and len(match[1]) < 10:
        return name[: match.start()], int(match[1])
    return name, 1


def _is_native(name: str) -> bool:
    """Check whether a reader would give a prop or note the same name."""
    base, count = _base_and_number(name)
    if base not in {"note", "ude"} and not base.startswith("prop:"):
        return False
    return count > 0 and _numbered(base, count) == name and not base.startswith(f"prop:{COLUMN}")


def can_stand(place: ColumnPlace, value: str) -> bool:
    """Check whether the place of a column in the file allows a value."""
    if place.kind == "attribute" and place.name == "segtype":
        return value in _SEGTYPES
    if place.kind == "prop" and not place.side:
        if place.name == SCORE:
            return score_of(value) is None or not value.strip(" ")
        return place.name not in RESERVED
    return True
