"""The units of XLIFF 2: their segments, in the order of the target, their attributes as columns.

A side of a segment is translated to text with codes:

| XLIFF 2 | `Text.marked` |
| --- | --- |
| `pc id`, `sc id` and `ec startRef` | `bpt x type`, `ept`; `it` where one half is elsewhere |
| `sc isolated="yes"`, `ec isolated="yes"` | `it pos="begin"`, `it pos="end"` |
| `ph id` | `ph x type` |
| `dataRef`, `dataRefStart`, `dataRefEnd` | native code in `originalData`; without, `equiv` |
| `mrk id type` | `hi x type`, except for those below |
| `sm`, `em` | `bpt type="x-xliff-sm"` or `type="x-xliff-sm/TYPE"`, `ept` |
| `cp hex` | the character |
| `mrk type="bitext.beads:segment" value` | a segment of several on one side, its id (ours) |
| `mrk type="bitext.beads:none"` | no segment, where XLIFF wants a text (ours) |

The types `fmt` with `xlf:b`, `xlf:i`, `xlf:u`, `xlf:lb`, `xlf:pb` are `bold`, `italic`,
`underlined`, `lb`, `pb`; `other` with `bitext:NAME` is `NAME`; any other is `TYPE` or
`TYPE/SUBTYPE`. Flows of a code (`subFlows`) are units of their own. An element outside of XLIFF is
a code with its whole tags. Other attributes of codes are left out, which is noted as a loss.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from bitext.formats.io.source import Source
from bitext.formats.states import state_of
from bitext.formats.xliff import (
    ALL,
    CODES_OUTSIDE,
    FIRST,
    SCORE,
    Columns,
    Kinds,
    Row,
    SideReader,
    attributes,
    line_in_file,
    note_at,
    note_attributes,
    note_codes,
    note_extension,
    note_kept,
    note_pairs2,
    put_note,
    refuse_nested,
    unit_columns,
    values_of,
)
from bitext.formats.xliff.codes import Content, Flow, shown
from bitext.formats.xml.safe import local_name, text_of, walk

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

    Named = list[tuple[str, Element]]  # elements with their names, as `Kinds` has them

_HEX = re.compile("[0-9a-fA-F]{1,6}")
_LAST = 0x10FFFF  # the last code point of Unicode

BORDER, NONE, OURS = "bitext.beads:segment", "bitext.beads:none", "bitext:"
SPAN = "x-xliff-sm"
XML = "bitext.xml."  # prefix of the id of data that is XML: native code with flows
NAMES = {
    "bold": ("fmt", "xlf:b"),
    "italic": ("fmt", "xlf:i"),
    "underlined": ("fmt", "xlf:u"),
    "lb": ("fmt", "xlf:lb"),
    "pb": ("fmt", "xlf:pb"),
}
_KNOWN = {
    "ph": frozenset({"id", "type", "subType", "dataRef", "subFlows"}),
    "pc": frozenset(
        ("id", "type", "subType", "dataRefStart", "dataRefEnd", "subFlowsStart", "subFlowsEnd")
    ),
    "sc": frozenset({"id", "type", "subType", "isolated", "dataRef", "subFlows"}),
    "ec": frozenset({"id", "startRef", "type", "subType", "isolated", "dataRef", "subFlows"}),
    "mrk": frozenset({"id", "type"}),
    "sm": frozenset({"id", "type"}),
    "em": frozenset({"startRef"}),
    "cp": frozenset({"hex"}),
}
_TYPES = {spelled: name for name, spelled in NAMES.items()}


def _kept_attributes(code: Element) -> frozenset[str] | None:
    if code.get("type") == BORDER:
        return None
    known = _KNOWN.get(local_name(code))
    if known is not None and local_name(code) in {"ph", "pc", "sc", "ec"}:
        # `equiv` is kept as the native code, if there is no other.
        known |= {
            f"equiv{end}" for end in ("", "Start", "End") if code.get(f"dataRef{end}") is None
        }
    return known


def character(source: Source, cp: Element) -> str:
    """Return the character of a `cp`.

    Raises `FormatError` when the code is not a character.
    """
    spelled = str(cp.get("hex", ""))
    code = int(spelled, 16) if _HEX.fullmatch(spelled) else -1
    if not 0 <= code <= _LAST or 0xD800 <= code < 0xE000:
        raise source.error(
            f"has a cp with hex={spelled[:20]!r}, which is not a character; want its number, "
            f"as 001A",
            line_in_file(source, cp),
        )
    return chr(code)


def read_side(source: Source, element: Element, data: Mapping[str, str]) -> list[Content]:
    """Return the segments of a side: one, unless our annotations divide the side.

    Raises `FormatError` when the code of a `cp` is not a character.
    """
    if not len(element):
        return [Content(str(element.text or ""))]
    note_codes(source, element, _kept_attributes)
    return _SideReader(source, element, data).read()


class _SideReader(SideReader):
    border, none = BORDER, NONE

    def __init__(self, source: Source, element: Element, data: Mapping[str, str]) -> None:
        super().__init__(source, element)
        self._data = data
        self._flows.append(Flow())

    def read(self) -> list[Content]:
        for event, element, characters in walk(self._element):
            if event == "text":
                if local_name(element) != "cp":
                    self._flows[-1].text(characters)
                continue
            name = local_name(element)
            if name == "mrk":
                self._mark(event, element)
            elif name == "pc":
                self._pair(event, element)
            elif name not in _KNOWN:
                self._foreign(event, element)
            elif event == "start":
                self._alone(name, element)
        flow = self._flows.pop()
        if self._held is None:
            return [self._finished(flow)]
        if flow.content().plain.strip():
            self._note("units with text outside of their segments, left out")
        return self._held

    def _mark(self, event: str, mark: Element) -> None:
        if event == "end":
            self._end_mark(self._kinds.pop(), str(mark.get("value", "")))
            return
        kind = str(mark.get("type", ""))
        self._kinds.append(self._begin_mark(kind, mark.get("id"), _annotation(kind)))

    def _pair(self, event: str, pc: Element) -> None:
        flow = self._flows[-1]
        flow.enter()
        if event == "start":
            self._pairs.append(object())
            self._native(pc, "dataRefStart", "equivStart", "subFlowsStart")
            flow.opening(self._pairs[-1], pc.get("id"), _kind(pc))
        else:
            self._native(pc, "dataRefEnd", "equivEnd", "subFlowsEnd")
            flow.closing(self._pairs.pop(), pc.get("id"))

    def _alone(self, name: str, element: Element) -> None:
        flow = self._flows[-1]
        if name == "cp":
            flow.text(character(self._source, element))
            return
        flow.enter()
        self._native(element, "dataRef", "equiv", "subFlows")
        id = element.get("id")  # noqa: A001 - XLIFF's word
        reference = str(element.get("startRef", ""))
        if name == "ph":
            flow.alone(id, _kind(element))
        elif name in {"sc", "ec"} and element.get("isolated") == "yes":
            flow.half("begin" if name == "sc" else "end", id, _kind(element))
        elif name == "sc":
            flow.opening(("sc", id), id, _kind(element))
        elif name == "ec":
            flow.closing(("sc", reference), reference or id, _kind(element))
        elif name == "sm":
            kind = _annotation(str(element.get("type", "")))
            flow.opening(("sm", id), id, f"{SPAN}/{kind}" if kind else SPAN)
        else:
            flow.closing(("sm", reference), reference, SPAN)

    def _native(self, element: Element, data: str, equivalent: str, flows: str) -> None:
        reference = element.get(data)
        flow = self._flows[-1]
        if element.get(flows):
            kind = "codes with flows of their own, which are units (subFlows)"
            note_at(self._source, element, kind)
        if reference is None:
            flow.text(str(element.get(equivalent, "")))
        elif str(reference).startswith(XML) and reference in self._data:
            flow.xml(self._data[str(reference)])
        elif reference in self._data:
            flow.text(self._data[str(reference)])
        else:
            kind = "references to original data that is not there"
            note_at(self._source, element, kind, str(reference)[:40])


def _annotation(spelled: str) -> str:
    if spelled == "generic":
        return ""
    return shown(spelled.removeprefix(OURS)) if spelled.startswith(OURS) else spelled


def _kind(element: Element) -> str:
    kind, sub = str(element.get("type", "")), str(element.get("subType", ""))
    if sub.startswith(OURS):
        return shown(sub.removeprefix(OURS))
    known = _TYPES.get((kind, sub))
    if known:
        return known
    return f"{kind}/{sub}" if sub else kind


CATEGORY = "bitext"
COLUMN = "column:"  # prefix of the types of our metadata, but for the score
SCORE_TYPE = "score"
_NUMBERED = re.compile(r"bitext:(\d{1,9})")
_ORDER = re.compile(r"0*[1-9]\d{0,8}", re.ASCII)
_PARTS = frozenset({"segment", "ignorable"})
_BESIDE = frozenset({"notes", "originalData", "metadata", ":metadata"})
_SIDES = {"source": 0, "target": 1}
_SPACE = {"xml:space", "xml:lang"}
_INHERITED = "canResegment"  # by the standard, a segment overrides its unit


def read_unit(source: Source, unit: Element, kinds: Kinds, *, translate: bool = True) -> list[Row]:
    """Return the bisegments of a `unit`, in the order of the source.

    `translate` is true if the unit is to be translated. The source takes notes, and
    the errors of refused segments.
    """
    if not translate:
        note_kept(source, unit)
    parts, others = _children(source, unit, kinds)
    if others and refuse_nested(source, unit, others):
        return []
    columns = _columns(source, unit, others)
    if not translate:
        columns[ALL]["translate"] = "no"
    data = _data(source, others) if others else {}
    parts_read: list[tuple[int, list[Content], list[Content], dict[str, str]]] = []
    orders: list[int] = []
    for number, (kind, part) in enumerate(parts, start=1):
        if kind == "ignorable":
            _see_ignorable(source, part)
            continue
        read = _segment(source, part, data, kinds)
        if read is None:
            continue
        src, tgt, order = read
        orders.append(order or number)
        parts_read.append((number, src, tgt, _of_segment(source, part, columns[ALL])))
    for sides in _with_codes(parts, kinds):
        if sides:
            note_pairs2(source, sides)
    if not parts_read:
        note_at(source, unit, "units without any segment, left out")
    if len(set(orders)) < len(orders):
        kind = "units in which two targets have one place (order), read in the order of the source"
        note_at(source, unit, kind)
        orders = [number for number, *_ in parts_read]
    return list(_rows(parts_read, orders, columns))


def _children(source: Source, unit: Element, kinds: Kinds) -> tuple[Named, Named]:
    """Return the parts with texts of a unit, and its other children; note extensions."""
    parts: Named = []
    others: Named = []
    for child in unit:
        kind = kinds[child.tag]
        if kind in _PARTS:
            parts.append((kind, child))
            continue
        others.append((kind, child))
        if kind not in _BESIDE:
            note_extension(source, child)
    return parts, others


def _with_codes(parts: Named, kinds: Kinds) -> tuple[list[Element], list[Element]]:
    """Return the sources with elements in them, and the targets."""
    sides: tuple[list[Element], list[Element]] = ([], [])
    for _, part in parts:
        for child in part:
            if len(child) and (name := kinds[child.tag].removeprefix(":")) in _SIDES:
                sides[_SIDES[name]].append(child)
    return sides


def _rows(
    parts_read: list[tuple[int, list[Content], list[Content], dict[str, str]]],
    orders: list[int],
    columns: dict[int, dict[str, str]],
) -> Iterator[Row]:
    # Positions on each side; segments of one part are consecutive.
    begins, at = [0] * len(parts_read), 0
    for k in sorted(range(len(parts_read)), key=orders.__getitem__) if len(orders) > 1 else ():
        begins[k] = at
        at += len(parts_read[k][2])
    done = 0
    for k, (_, src, tgt, own) in enumerate(parts_read):
        of_all = {**columns[ALL], **(columns.get(FIRST, {}) if k == 0 else {}), **own}
        values, score = values_of({ALL: of_all, k: columns.get(k + 1, {})}, [k])
        if src or tgt:
            yield Row(list(enumerate(src, done)), list(enumerate(tgt, begins[k])), values, score)
        done += len(src)


def _segment(
    source: Source, segment: Element, data: dict[str, str], kinds: Kinds
) -> tuple[list[Content], list[Content], int] | None:
    """Return both sides of a segment and the position of its target, 0 for its own."""
    sides: dict[str, Element] = {}
    for child in segment:
        kind = kinds[child.tag]
        if kind not in _SIDES:
            note_extension(source, child)
        elif kind in sides:
            note_at(source, child, f"segments with a second {kind}, of which the first is read")
        else:
            sides[kind] = child
    if "source" not in sides:
        source.refuse("has a segment without a source; want one", line_in_file(source, segment))
        return None
    for side in sides.values():
        if side.attrib:
            note_attributes(source, side, "source and target", {"order"})
    src = read_side(source, sides["source"], data)
    target = sides.get("target")
    if target is None:
        note_at(source, segment, "segments without a target, read as 1-0")
        return src, [], 0
    spelled = str(target.get("order", "")).strip()
    if spelled and not _ORDER.fullmatch(spelled):
        source.refuse(
            f"has a target with order={spelled[:20]!r}; want a number from 1 on",
            line_in_file(source, target),
        )
        return None
    return src, read_side(source, target, data), int(spelled or 0)


def _see_ignorable(source: Source, part: Element) -> None:
    if text_of(part).strip():
        note_at(source, part, "parts with text that are marked as ignorable, left out")
    if codes := sum(len(side) for side in part):
        note_at(source, part, CODES_OUTSIDE, count=codes)


def _of_segment(source: Source, segment: Element, of_unit: dict[str, str]) -> dict[str, str]:
    """Return the columns of a segment, which override those of its unit; `segment` is its id."""
    columns: dict[str, str] = {}
    if not segment.attrib:
        return columns
    for name, value in attributes(source, segment):
        if name == "id":
            columns["segment"] = value
        elif name != "xml:space":
            columns[name] = value
    state, substate = columns.get("state", ""), columns.get("subState", "")
    if (own := state_of(state, substate)) != state:
        columns["state"] = own
        del columns["subState"]
    for name, value in columns.items():
        if name != _INHERITED and of_unit.get(name, value) != value:
            kind = "attributes of units that a segment has too, left out for its own"
            note_at(source, segment, kind, name[:40])
    return columns


def _columns(source: Source, unit: Element, others: Named) -> dict[int, dict[str, str]]:
    """Return the columns of all bisegments, of the first, and of each by its number.

    `others` are the children of the unit without texts, with their names.
    """
    common = unit_columns(source, unit, _SPACE)
    own: dict[int, Columns] = {}
    for kind, child in others:
        name = kind.removeprefix(":")
        if name == "notes":
            for note in child:
                put_note(source, note, own.setdefault(FIRST, Columns()), "appliesTo", "notes")
        elif name == "metadata":
            _read_groups(child, own)
    return {ALL: common, **own}


def _read_groups(holder: Element, columns: dict[int, Columns]) -> None:
    """Read the `metaGroup` elements within an element, at any depth, into columns."""
    for group in holder:
        if local_name(group) == "metaGroup":
            _group(group, columns)
        elif len(group):
            _read_groups(group, columns)


def _group(group: Element, columns: dict[int, Columns]) -> None:
    category = str(group.get("category", ""))
    number = None if category == CATEGORY else _NUMBERED.fullmatch(category)
    key = int(number[1]) if number else FIRST
    own = columns.get(key)
    if own is None:
        own = columns[key] = Columns()
    deeper = False
    for meta in group:
        deeper = deeper or len(meta) > 0
        if local_name(meta) != "meta":
            continue
        kind, value = str(meta.get("type", "")), str(meta.text or "")
        if number or category == CATEGORY:
            own[SCORE if kind == SCORE_TYPE else kind.removeprefix(COLUMN)] = value
        else:
            own.put(f"meta:{category}/{kind}" if category else f"meta:{kind}", value)
    if deeper:
        _read_groups(group, columns)


def _data(source: Source, others: Named) -> dict[str, str]:
    """Return the native code of a unit, by its ids."""
    native: dict[str, str] = {}
    for kind, element in others:
        if kind != "originalData":
            continue
        for data in element:
            name = str(data.get("id", ""))
            if name in native:
                kind = "ids of original data that repeat, of which the first is taken"
                note_at(source, data, kind, name[:40])
                continue
            parts = [str(data.text or "")]
            for child in data:
                if local_name(child) == "cp":
                    parts.append(character(source, child))
                parts.append(str(child.tail or ""))
            native[name] = "".join(parts)
    return native
