"""One side of a segment of XLIFF 2: its text with its marks.

| XLIFF 2 | `Text.marked` |
| --- | --- |
| `pc id`, `sc id` and `ec startRef` | `bpt x type`, `ept`; `it` where one half is elsewhere |
| `sc isolated="yes"`, `ec isolated="yes"` | `it pos="begin"`, `it pos="end"` |
| `ph id` | `ph x type` |
| `dataRef` and its like | the native code, from `originalData`; `equiv` where there is none |
| `mrk id type` | `hi x type`, but for those below |
| `sm`, `em` | `bpt type="x-xliff-sm"` or `type="x-xliff-sm/TYPE"`, `ept` |
| `cp hex` | the character |
| `mrk type="bitext.beads:segment" value` | a segment of several on one side, its id (ours) |
| `mrk type="bitext.beads:none"` | no segment, where XLIFF wants a text (ours) |

The types `fmt` with `xlf:b`, `xlf:i`, `xlf:u`, `xlf:lb`, `xlf:pb` are `bold`, `italic`,
`underlined`, `lb`, `pb`; `other` with `bitext:NAME` is `NAME`; any other is `TYPE` or
`TYPE/SUBTYPE`. Flows of a code (`subFlows`) are units of their own. An element that XLIFF does not
have is a code with its tags whole. Other attributes of codes and marks are left out: that is a
loss, and noted as one.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bitext.formats.safexml import line_of, local_name
from bitext.formats.xliff_beads import place
from bitext.formats.xliff_beside import native_tag, note_codes
from bitext.formats.xliff_flow import Content, Flow, shown, walk

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lxml.etree import _Element as Element

    from bitext.formats.opening import Source

__all__ = ["BORDER", "NAMES", "NONE", "OURS", "SPAN", "XML", "character", "read_side"]

_HEX = re.compile("[0-9a-fA-F]{1,6}")
_LAST = 0x10FFFF

BORDER, NONE, OURS = "bitext.beads:segment", "bitext.beads:none", "bitext:"
SPAN = "x-xliff-sm"
XML = "bitext.xml."  # begins the id of data that is XML: native code with flows in it
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
_TYPES = {found: name for name, found in NAMES.items()}


def _known(code: Element) -> frozenset[str] | None:
    """Return the attributes of a code or mark that are kept."""
    if code.get("type") == BORDER:
        return None
    known = _KNOWN.get(local_name(code))
    if known is not None and local_name(code) in {"ph", "pc", "sc", "ec"}:
        # What a code is equivalent to is its native code, where there is no other.
        known |= {
            f"equiv{end}" for end in ("", "Start", "End") if code.get(f"dataRef{end}") is None
        }
    return known


def character(source: Source, cp: Element) -> str:
    """Return the character that a `cp` stands for.

    Raises
    ------
    FormatError
        When it stands for none.

    """
    spelled = str(cp.get("hex", ""))
    code = int(spelled, 16) if _HEX.fullmatch(spelled) else -1
    if not 0 <= code <= _LAST or 0xD800 <= code < 0xE000:
        raise source.error(
            f"has a cp with hex={spelled[:20]!r}, which is no character; want its number, as 001A",
            line_of(cp),
        )
    return chr(code)


def read_side(source: Source, element: Element, data: Mapping[str, str]) -> list[Content]:
    """Return the segments of a side: one, but where annotations of ours part it.

    Raises
    ------
    FormatError
        When a character in it is none.

    """
    if not len(element):
        return [Content(str(element.text or ""))]
    note_codes(source, element, _known)
    return _Side(source, element, data).read()


class _Side:
    """Reads one side."""

    def __init__(self, source: Source, element: Element, data: Mapping[str, str]) -> None:
        self._source, self._element, self._data = source, element, data
        self._flows = [Flow()]
        self._held: list[Content] | None = None
        self._kinds: list[str] = []
        self._pairs: list[object] = []

    def read(self) -> list[Content]:
        for event, element, characters in walk(self._element):
            if event == "text":
                if local_name(element) != "cp":
                    self._flows[-1].text(characters)
                continue
            name = local_name(element)
            if name == "mrk":
                (self._mark if event == "start" else self._end_mark)(element)
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
            kind = "units with text outside of their segments, left out"
            self._source.notes.add(kind, place(self._source, self._element))
        return self._held

    def _finished(self, flow: Flow) -> Content:
        if flow.codes:
            kind = "segments with inline codes, which are no text"
            self._source.notes.add(kind, place(self._source, self._element))
        return flow.content()

    def _mark(self, mark: Element) -> None:
        kind = str(mark.get("type", ""))
        if kind == BORDER and len(self._flows) == 1:
            self._flows.append(Flow())
        elif kind == NONE:
            self._held = self._held or []
        else:
            self._flows[-1].annotate(mark.get("id"), _annotation(kind))
            kind = "hi"
        self._kinds.append(kind)

    def _end_mark(self, mark: Element) -> None:
        kind = self._kinds.pop()
        if kind == BORDER:
            content = self._finished(self._flows.pop())
            self._held = self._held or []
            self._held.append(content._replace(id=str(mark.get("value", ""))))
        elif kind == "hi":
            self._flows[-1].end_annotation()

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

    def _foreign(self, event: str, element: Element) -> None:
        """Take an element that XLIFF does not have as a code with its tags."""
        flow, name = self._flows[-1], local_name(element)
        empty = not len(element) and not element.text
        if event == "end" and empty:
            return
        flow.enter()
        if event == "end":
            flow.text(f"</{name}>")
            flow.closing(self._pairs.pop(), None)
            return
        kind = "elements that XLIFF does not have, kept as codes with their tags"
        self._source.notes.add(kind, f"{place(self._source, element)}: {name[:40]}")
        flow.text(native_tag(self._source, element, empty=empty))
        if empty:
            flow.alone(None, "")
        else:
            self._pairs.append(object())
            flow.opening(self._pairs[-1], None, "")

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
        """Add the native code of a code."""
        reference = element.get(data)
        flow = self._flows[-1]
        if element.get(flows):
            kind = "codes with flows of their own, which are units (subFlows)"
            self._source.notes.add(kind, place(self._source, element))
        if reference is None:
            flow.text(str(element.get(equivalent, "")))
        elif str(reference).startswith(XML) and reference in self._data:
            flow.xml(self._data[str(reference)])
        elif reference in self._data:
            flow.text(self._data[str(reference)])
        else:
            kind = "references to original data that is not there"
            first = f"{place(self._source, element)}: {str(reference)[:40]}"
            self._source.notes.add(kind, first)


def _annotation(spelled: str) -> str:
    if spelled == "generic":
        return ""
    return shown(spelled.removeprefix(OURS)) if spelled.startswith(OURS) else spelled


def _kind(element: Element) -> str:
    """Return the type of a code."""
    kind, sub = str(element.get("type", "")), str(element.get("subType", ""))
    if sub.startswith(OURS):
        return shown(sub.removeprefix(OURS))
    known = _TYPES.get((kind, sub))
    if known:
        return known
    return f"{kind}/{sub}" if sub else kind
