"""XLIFF 2.0 to 2.2: XML of translation tools; a `unit` a paragraph, a `segment` a bisegment.

    <xliff version="2.0" srcLang="en" trgLang="fr" xmlns="urn:oasis:names:tc:xliff:document:2.0">
        <file id="1"><unit id="1">
            <segment><source>One.</source><target order="3">Un.</target></segment>
            <ignorable><source> </source></ignorable>
            <segment><source>Two.</source><target order="1">Deux.</target></segment>
        </unit></file></xliff>

Each `file` is a document pair. `order` is the position of a target in its unit, if other than that
of the segment; then bisegments cross. An `ignorable` between segments is not a segment. An absent
target is an empty side, an empty target a segment without characters. `cp` is a character that XML
forbids. Skeletons and other named files are never opened.

Noted are: segments without a target, `translate="no"` (read as the others), repeated ids, modules
(left out), targets with the same position (read in the order of the source). A segment without a
source is an error, and so is a `cp` that is not a character. Files that are invalid by other rules
are read, as far as text and order are clear. Codes and `mrk` are in `Text.marked` (the table is in
`reading2`).

| data | place |
| --- | --- |
| attributes of units and segments | columns of their names, `segment` for the id of a segment |
| notes, metadata of others | columns `note`, `src.note`, `note#2`, `meta:CATEGORY/TYPE` |
| other columns, scores, words, further languages | metadata of the unit, `category="bitext"` |
| n-m bisegments, no segments on a side | `mrk type="bitext.beads:segment"`, `bitext.beads:none` |
| crossing | one unit for the bisegments concerned, with `order` |
| characters that XML forbids, in segments | `cp` |
| ids of segments, with the option | `value` of such a `mrk` |

Left out, and noted: notes and modules beside units, attributes of documents, groups, notes and
codes. Lost: borders of groups, gaps, overlaps (the segment is written for each), segments in no
bisegment, paragraphs. A file has one pair of languages. Written files are 2.0, valid by the core
schema; codes are renumbered where their numbers do not ascend from 1.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import IO, TYPE_CHECKING, Self

from bitext.errors import FormatError, InputError, remedy
from bitext.formats.io.source import Source
from bitext.formats.languages import finds, known
from bitext.formats.registry import Format, ReadOptions, WriteOptions
from bitext.formats.states import is_draft, xliff2_state
from bitext.formats.xliff import (
    KEEPS,
    XML_LANG,
    Documents,
    UnitBeads,
    line_in_file,
    note_at,
    sniff_version,
)
from bitext.formats.xliff.codes import (
    CodeIds,
    half_position,
    nested,
    original_id,
    own_number,
    token,
)
from bitext.formats.xliff.reading2 import (
    BORDER,
    CATEGORY,
    COLUMN,
    NAMES,
    NONE,
    OURS,
    SCORE_TYPE,
    SPAN,
    XML,
    read_unit,
)
from bitext.formats.xliff.writing import (
    ANY,
    YES_NO,
    Bead,
    DocumentWriter,
    Segment,
    check,
    drafted,
    notes,
    spelled,
    taken,
    typed_values,
)
from bitext.formats.xml import FORBIDDEN, SURROGATES, escape, escape_value
from bitext.formats.xml.inline_codes import Piece, pairs, pieces, tag
from bitext.model import Bitext

if TYPE_CHECKING:
    from lxml.etree import _Element as Element


# Writing XLIFF 2.0, valid by its core schema.

# Segments with their codes; the table is that of `reading2`.

_TYPES = frozenset({"fmt", "ui", "quote", "link", "image", "other"})
_SUBTYPE = re.compile(r"(?!bitext:)[^\s:/]+:[^\s:/]+")
_KNOWN = frozenset(NAMES.values())
_TOKEN = re.compile(r"(?!bitext\.)[A-Za-z0-9_.-]+")


def characters(text: str) -> str:
    r"""Escape a text for use between tags; characters that XML forbids become `cp`.

    Examples
    --------
    >>> characters("R&D\x0b")
    'R&amp;D<cp hex="000B"/>'

    """
    return FORBIDDEN.sub(lambda match: f'<cp hex="{ord(match[0]):04X}"/>', escape(text))


class Codes:
    """Writes the inline elements of a unit: of the source, and after `turn` of the target.

    `ids` are the ids of the current side.
    """

    def __init__(self) -> None:
        self.ids = CodeIds(unique=True)
        self._data: dict[tuple[str, bool], str] = {}

    def reserve(self, name: str | None) -> str:
        """Reserve the id of a segment against inline elements; return "" for an unusable id."""
        if not name or not _TOKEN.fullmatch(name):
            return ""
        return name if self.ids.reserve(name) else ""

    def turn(self) -> None:
        """Go on with the target, whose elements may repeat ids of the source."""
        self.ids = self.ids.other_side()

    def original_data(self) -> str:
        """Return the native code of the unit, each only once."""
        if not self._data:
            return ""
        parts = [
            f'<data id="{name}">{characters(text)}</data>' for (text, _), name in self._data.items()
        ]
        return f"<originalData>{''.join(parts)}</originalData>"

    def inline(self, marked: str) -> str:
        """Spell a segment with its codes."""
        all_pieces = list(pieces(marked))
        paired = pairs(all_pieces)
        elements = nested(all_pieces, paired)
        names: dict[int, str] = {}  # the id of each pair, by the index of its end
        parts: list[str] = []
        for k, piece in enumerate(all_pieces):
            if piece.kind == "text":
                parts.append(characters(piece.text))
            elif piece.kind == "hi":
                own = {"id": self.ids.give(piece.attributes.get("x"))}
                parts.append(tag("mrk", own | _annotation(piece.attributes.get("type", ""))))
            elif piece.kind == "/hi":
                parts.append("</mrk>")
            elif k not in paired:
                parts.append(self._alone(piece))
            elif piece.kind == "bpt":
                end = paired[k]
                # Pairs are numbered in the order in which they open.
                beside = own_number(piece.attributes, len(names) + 1)
                names[end] = self.ids.give(piece.attributes.get("x"), beside)
                other = all_pieces[end] if k in elements else None
                parts.append(self._opening(piece, names[end], other))
            else:
                begin = all_pieces[paired[k]]
                parts.append(self._closing(piece, names[k], begin, element=k in elements))
        return "".join(parts)

    def _opening(self, piece: Piece, name: str, other: Piece | None) -> str:
        """Return the beginning of a pair; `other` is its end, where both are one element."""
        kind = piece.attributes.get("type", "")
        if _is_span(piece):
            annotation = _annotation(kind.removeprefix(SPAN).removeprefix("/"))
            return tag("sm", {"id": name} | annotation, empty=True)
        if other is None:
            values = {"id": name} | self._reference(piece, "dataRef") | _type(kind)
            return tag("sc", values, empty=True)
        values = self._reference(piece, "dataRefStart") | self._reference(other, "dataRefEnd")
        return tag("pc", {"id": name} | values | _type(kind))

    def _closing(self, piece: Piece, name: str, begin: Piece, *, element: bool) -> str:
        if _is_span(begin):
            return tag("em", {"startRef": name}, empty=True)
        if element:
            return "</pc>"
        return tag("ec", {"startRef": name} | self._reference(piece, "dataRef"), empty=True)

    def _alone(self, piece: Piece) -> str:
        attributes = piece.attributes
        assoc = attributes.get("assoc", "") if piece.kind == "ph" else ""
        beside = assoc if re.fullmatch(r"\w+", assoc, re.ASCII) else ""
        values = {"id": self.ids.give(attributes.get("x"), beside)}
        name = "ph"
        if piece.kind != "ph":
            name = "ec" if half_position(piece.kind, attributes) == "end" else "sc"
            values["isolated"] = "yes"
        values |= self._reference(piece, "dataRef") | _type(attributes.get("type", ""))
        return tag(name, values, empty=True)

    def _reference(self, piece: Piece, name: str) -> dict[str, str]:
        """Return the reference to the native code of a code."""
        if not (piece.text or piece.inner):
            return {}
        key = (piece.inner or piece.text, bool(piece.inner))
        number = len(self._data) + 1
        return {name: self._data.setdefault(key, f"{XML if piece.inner else 'd'}{number}")}


def _is_span(piece: Piece) -> bool:
    kind = piece.attributes.get("type", "")
    return kind == SPAN or kind.startswith(f"{SPAN}/")


def _annotation(kind: str) -> dict[str, str]:
    if not kind:
        return {}
    return {"type": "term" if kind == "term" else OURS + token(kind)}


def _type(kind: str) -> dict[str, str]:
    if not kind:
        return {}
    if kind in NAMES:
        first, second = NAMES[kind]
        return {"type": first, "subType": second}
    first, slash, second = kind.partition("/")
    fits = _SUBTYPE.fullmatch(second) and (first, second) not in _KNOWN
    if first in _TYPES and (fits or not slash):
        return {"type": first} | ({"subType": second} if slash else {})
    return {"type": "other", "subType": OURS + token(kind)}


_HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<xliff version="2.0" srcLang="{}" trgLang="{}" xmlns="urn:oasis:names:tc:xliff:document:2.0" \
xmlns:mda="urn:oasis:names:tc:xliff:metadata:2.0">
"""
_USER = re.compile(r"[^\s:]+:[^\s:]+")
_OF_UNIT = {
    "name": ANY,
    "canResegment": YES_NO,
    "translate": YES_NO,
    "srcDir": re.compile("ltr|rtl|auto"),
    "trgDir": re.compile("ltr|rtl|auto"),
    "type": _USER,
}
_STATE = {"state": re.compile("initial|translated|reviewed|final")}
_SUBSTATE = {"subState": re.compile(r"(?!xlf:)[^\s:]+:[^\s:]+")}


def write(bitexts: Iterable[Bitext], out: IO[str], *, options: WriteOptions) -> None:
    """Write bitexts as XLIFF 2.0.

    Raises `InputError` when a text is unknown, a value has a character that XML forbids, a language
    is not a code, or a second document pair is in other languages than the first.
    """
    _Writer(out, options).write(bitexts)


class _Writer(DocumentWriter[Codes]):
    """Writes the documents of version 2.0, all in one pair of languages."""

    version = "xliff2"
    token_ids = True

    def head(self, langs: tuple[str, str]) -> str:
        self._langs = langs
        return _HEAD.format(*langs)

    def begin(self, bitext: Bitext | None, langs: tuple[str, str], number: int) -> str:
        if bitext is None:
            return f'<file id="bitext.{number}">\n'
        for side, text in enumerate((bitext.src, bitext.tgt)):
            if text is not None and text.lang and langs[side] != self._langs[side]:
                raise InputError(
                    f"{bitext.name or 'a document'} is in {'-'.join(langs)}, those before it in "
                    f"{'-'.join(self._langs)}; XLIFF 2 holds one pair of languages a file: write "
                    f"it to a file of its own, or choose xliff12"
                )
        name = bitext.meta.get("src_doc") or bitext.name
        original = f' original="{escape_value(name)}"' if name else ""
        return f'<file id="bitext.{number}"{original} xml:space="preserve">\n'

    def end(self, *, empty: bool) -> str:
        # The schema requires a unit or a group in each file.
        group = '<group id="bitext.1"/>\n' if empty else ""
        return f"{group}</file>\n"

    def unit(self, name: str, run: list[Bead], columns: list[dict[str, str]]) -> str:
        first, alone = run[0], len(run) == 1
        unit = {"id": name} | (taken(columns[0], _OF_UNIT) if alone else {})
        about = notes(columns[0], first, "appliesTo") if alone else ""
        # Ids of segments are reserved before codes get theirs; codes of the source come first,
        # because codes of the target repeat their ids.
        codes = Codes()
        names = [codes.reserve(bead.columns.get("segment")) for bead in run]
        targets = [bead.tgt or drafted(bead, own) for bead, own in zip(run, columns, strict=True)]
        opened = [
            _segment_tag(bead, rest, own, translated=bool(target))
            for bead, rest, own, target in zip(run, columns, names, targets, strict=True)
        ]
        sources = [self.side(bead.src, bead, codes) for bead in run]
        codes.turn()
        orders = _orders(run, targets)
        parts = []
        for bead, segments, begin, src, order in zip(
            run, targets, opened, sources, orders, strict=True
        ):
            place = f' order="{order}"' if order else ""
            tgt = f"<target{place}>{self.side(segments, bead, codes)}</target>" if segments else ""
            parts.append(f"{begin}<source>{src}</source>{tgt}</segment>")
        groups = "".join(
            _group(bead, rest, CATEGORY if alone else f"{CATEGORY}:{k}")
            for k, (bead, rest) in enumerate(zip(run, columns, strict=True), start=1)
        )
        metadata = f"<mda:metadata>{groups}</mda:metadata>" if groups else ""
        about = f"<notes>{about}</notes>" if about else ""
        return (
            f"<unit{spelled(unit, first)}>{metadata}{about}{codes.original_data()}"
            f"{''.join(parts)}</unit>\n"
        )

    def no_segment(self, codes: Codes) -> str:
        return tag("mrk", {"id": codes.ids.give(None), "type": NONE}, empty=True)

    def border(self, segment: Segment, bead: Bead, codes: Codes) -> str:
        attributes = {"id": codes.ids.give(None), "type": BORDER}
        if segment.id:
            attributes["value"] = check(segment.id, bead, "the id")
        return tag("mrk", attributes)

    def text(self, segment: Segment, bead: Bead, codes: Codes) -> str:
        if SURROGATES.search(segment.plain if segment.marked is None else segment.marked):
            raise InputError(
                f"bisegment {bead.number}: the segment {segment.plain[:40]!a} has half of a "
                f"surrogate pair, which is not a character; take it out of the text"
            )
        return characters(segment.plain) if segment.marked is None else codes.inline(segment.marked)


def _segment_tag(bead: Bead, columns: dict[str, str], name: str, *, translated: bool) -> str:
    """Return the start tag of a segment; remove its attributes from the columns."""
    own = {"id": name} if name else {}
    if name:
        del columns["segment"]
    if translated or is_draft(columns.get("state", "")):
        own |= _state(columns)
    return f"<segment{spelled(own, bead)}>"


def _state(columns: dict[str, str]) -> dict[str, str]:
    """Remove the state of a segment from its columns; return the state in XLIFF 2."""
    state, substate = xliff2_state(columns.get("state", ""))
    if not state or (substate and "subState" in columns):
        # An original substate is more specific than the state of another version.
        own = taken(columns, _STATE)
        return own | (taken(columns, _SUBSTATE) if own else {})
    del columns["state"]
    return {"state": state} | ({"subState": substate} if substate else taken(columns, _SUBSTATE))


def _orders(run: list[Bead], targets: list[list[Segment]]) -> list[int]:
    """Return the `order` of each target of a unit; 0 if it is the position of its segment.

    No target gets the position of a segment without a target.
    """
    free = iter([k for k, target in enumerate(targets, start=1) if target])
    orders = [0] * len(run)
    for k in sorted(range(len(run)), key=lambda k: run[k].order):
        if targets[k]:
            orders[k] = next(free)
    return [0 if order == k else order for k, order in enumerate(orders, start=1)]


def _group(bead: Bead, columns: Mapping[str, str], category: str) -> str:
    """Return the columns and the score as metadata of our own types."""
    values = [(COLUMN + name, value) for name, value in columns.items()]
    if bead.score:
        values.append((SCORE_TYPE, bead.score))
    metadata = typed_values(values, bead, "mda:meta", "type")
    return f'<mda:metaGroup category="{category}">{metadata}</mda:metaGroup>' if metadata else ""


_CODE = re.compile(r"[a-zA-Z]{1,8}(?:-[a-zA-Z0-9]{1,8})*")


class _Documents(Documents):
    """The documents of a file of version 2.

    `bare` has the number of translations without a state in a document, and the line of the first.
    `stated` is true if a translation of the document has a state.
    """

    units = "unit"
    holders = ("group", "unit", "skeleton")
    of_file = ("id", "original", "translate")
    passed = ("skeleton",)
    version, other = "2", "xliff12"

    def __init__(self, source: Source, options: ReadOptions) -> None:
        super().__init__(source, options)
        self._langs = ("", "")
        self._files: set[str] = set()
        self.bare = (0, 0)
        self.stated = False

    def root(self, element: Element) -> None:
        super().root(element)
        codes = [str(element.get(name, "")) for name in ("srcLang", "trgLang")]
        for code in codes:
            if code and not _CODE.fullmatch(code):
                kind = "languages by no code, taken as they are"
                note_at(self.source, element, kind, f"{code[:40]!r}")
        self._langs = (known(codes[0]), known(codes[1]))

    def languages(self, file: Element) -> tuple[str, str]:
        name = str(file.get("id", ""))
        if name in self._files:
            note_at(self.source, file, "documents with the id of another one", name[:40])
        self._files.add(name)
        return self._langs

    def name(self, file: Element) -> str:
        return str(file.get("original") or original_id(file.get("id"))[1])

    def unit(self, unit: Element, beads: UnitBeads) -> None:
        for segment in unit:
            for element in segment:
                own = element.get(XML_LANG)
                if not own or self.kinds[element.tag].removeprefix(":") != "target":
                    continue
                code = known(own)
                if code and not finds(beads.langs[1], code) and not finds(code, beads.langs[1]):
                    kind = "texts in another language than that of their document"
                    note_at(self.source, element, kind, code[:40])
        try:
            rows = read_unit(self.source, unit, self.kinds, translate=self.translates(unit))
        except FormatError as error:
            # The fault concerns only this unit.
            if self.source.on_bad is None:
                raise
            self.source.on_bad(error)
        else:
            for row in rows:
                if row.tgt:
                    self._see_state(unit, row.columns.get("state"))
            beads.add_unit(rows)

    def _see_state(self, unit: Element, state: str | None) -> None:
        self.stated |= state is not None
        if state is None:
            count, first = self.bare
            self.bare = (count + 1, first or line_in_file(self.source, unit))

    def apart(self, source: Source) -> Self:
        apart = super().apart(source)
        apart.bare, apart.stated = (0, 0), False
        return apart

    def repeat(self, learnt: Self, count: int, line: int) -> None:
        self.stated |= learnt.stated
        if learnt.bare[0]:
            before, first = self.bare
            self.bare = (before + count, first or line)

    def _end(self, name: str, element: Element) -> None:
        if name == "file":
            if self.stated and self.bare[0]:
                way = remedy("where state!=")
                kind = (
                    "translations without a state, where others have one, taken as translations "
                    f"and not as initial ({way} leaves them out)"
                )
                self.source.note(kind, line=self.bare[1], count=self.bare[0])
            self.bare, self.stated = (0, 0), False
        super()._end(name, element)


_KEEPS = replace(KEEPS, controls=True)

FORMAT = Format(
    name="xliff2",
    title="XLIFF 2.0 (2.1 and 2.2 are read too), one segment a bisegment",
    holds="text",
    suffixes=(".xlf", ".xliff"),
    sniff=lambda head: 95 if sniff_version(head) >= 2 else 0,
    names_languages=True,
    read=lambda source, options: _Documents(source, options).read(),
    write=write,
    keeps=_KEEPS,
    keeps_in_props=replace(_KEEPS, ids=True),
    streams=True,
    units=("unit",),
    holders=("file", "group"),
)
