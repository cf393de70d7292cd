"""One side of a unit of XLIFF 1: its segments, each with its marks.

| XLIFF 1 | `Text.marked` |
| --- | --- |
| `g id ctype` | `bpt x type`, its content, `ept`, both without native code |
| `bx`, `ex`; `bpt`, `ept` | `bpt`, `ept`; paired by `rid`, else by `id`; `it` where one is alone |
| `it pos="open"`, `pos="close"` | `it pos="begin"`, `pos="end"` |
| `x`, `ph assoc` | `ph`; `equiv-text` stands for native code that is not there |
| `sub` in a code | `sub`; it is no text of the segment |
| `mrk mtype mid` | `hi type x`, but for those below |
| `mrk mtype="seg" mid` | a segment |
| `mrk mtype="x-sdl-deleted"` | left out: it was taken out of the text |
| `mrk mtype="x-bitext.segment"` | a segment of several on one side of a bisegment (ours) |
| `mrk mtype="x-bitext.none"` | no segment, where XLIFF wants a text (ours) |

A `ctype` or `mtype` of ours, `x-bitext-NAME`, is the type `NAME`. An element that XLIFF does not
have is a code with its tags whole. Other attributes of codes and marks are left out: that is a
loss, and noted as one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitext.formats.safexml import local_name
from bitext.formats.xliff_beads import place
from bitext.formats.xliff_beside import native_tag, note_codes
from bitext.formats.xliff_flow import Content, Flow, shown, walk
from bitext.formats.xliff_pairs import note_pairs1, pair_key

if TYPE_CHECKING:
    from collections.abc import Callable

    from lxml.etree import _Element as Element

    from bitext.formats.opening import Source

__all__ = ["BORDER", "NONE", "OURS", "is_segmented", "read_side"]

BORDER, NONE = "x-bitext.segment", "x-bitext.none"
OURS = "x-bitext-"
_DELETED = "x-sdl-deleted"
_KNOWN = {
    "g": frozenset({"id", "ctype"}),
    "x": frozenset({"id", "ctype", "type", "assoc"}),
    "bx": frozenset({"id", "rid", "i", "ctype", "type"}),
    "ex": frozenset({"id", "rid", "i"}),
    "bpt": frozenset({"id", "rid", "i", "ctype", "type"}),
    "ept": frozenset({"id", "rid", "i"}),
    "it": frozenset({"id", "pos", "ctype"}),
    "ph": frozenset({"id", "ctype", "type", "assoc"}),
    "sub": frozenset({"datatype", "ctype"}),
    "mrk": frozenset({"mtype", "mid"}),
}
_POS = {"open": "begin", "begin": "begin", "close": "end", "end": "end"}
_ASSOC = {"preceding": "p", "following": "f", "both": "b"}


def is_segmented(element: Element | None) -> bool:
    """Tell whether a side has segments of its own."""
    if element is None or not len(element):
        return False
    return any(mark.get("mtype") == "seg" for mark in element.iter("{*}mrk"))


def read_side(source: Source, element: Element) -> list[tuple[str, list[Content]]]:
    """Return what stands on a side: for each part of it its `mid` and its segments.

    A side that is not segmented is one part, without a `mid`.
    """
    if not len(element):
        return [("", [Content(str(element.text or ""))])]
    note_codes(source, element, _known)
    note_pairs1(source, element)
    return _Side(source, element).read()


def _known(code: Element) -> frozenset[str] | None:
    """Return the attributes of a code or mark that are kept."""
    if code.get("mtype") == BORDER or str(code.get("comment", "")).startswith("bitext."):
        return None
    known = _KNOWN.get(local_name(code))
    if known is not None and code.get("equiv-text") and not len(code) and not code.text:
        known |= {"equiv-text"}  # the native code, where there is no other
    return known


class _Side:
    """Reads one side."""

    def __init__(self, source: Source, element: Element) -> None:
        self._source, self._element = source, element
        self._found: list[tuple[str, list[Content]]] = []
        self._flows: list[Flow] = []  # the last is that of the segment that is read
        self._held: list[Content] | None = None  # the segments of ours within the part
        self._kinds: list[str] = []  # of the mrk elements that are open
        self._pairs: list[object | None] = []  # of the g elements that are open
        self._codes = self._subs = 0  # how many of each are open
        self._within: list[str] = []  # of the other elements that are open: codes, or in them
        self._outside = False
        self._segmented = is_segmented(element)

    def read(self) -> list[tuple[str, list[Content]]]:
        if not self._segmented:
            self._begin()
        for event, element, characters in walk(self._element):
            if event == "text":
                if self._flows:
                    self._flows[-1].text(characters)
                elif characters.strip():
                    self._outside = True
            elif local_name(element) == "mrk":
                (self._mark if event == "start" else self._end_mark)(element)
            elif self._flows or local_name(element) == "g":
                self._code(event, element)
        if not self._segmented:
            self._end("")
        if self._outside:
            kind = "units with text outside of their segments, left out"
            self._source.notes.add(kind, place(self._source, self._element))
        return self._found

    def _begin(self) -> None:
        self._flows.append(Flow())
        self._held = None

    def _end(self, mid: str) -> None:
        flow = self._flows.pop()
        if self._held is None:
            self._found.append((mid, [self._finished(flow)]))
            return
        if flow.content().plain.strip():
            self._outside = True
        self._found.append((mid, self._held))

    def _finished(self, flow: Flow) -> Content:
        if flow.codes:
            kind = "segments with inline codes, which are no text"
            self._source.notes.add(kind, place(self._source, self._element))
        if flow.subs:
            kind = "texts within inline codes (sub), left out of the text of their segments"
            self._source.notes.add(kind, place(self._source, self._element), flow.subs)
        return flow.content()

    def _mark(self, mark: Element) -> None:
        kind = str(mark.get("mtype", ""))
        if kind == "seg" and not self._flows:
            self._begin()
        elif kind == "seg":
            self._source.notes.add(
                "segments within segments, read as one", place(self._source, mark)
            )
            kind = ""
        elif not self._flows or self._codes > self._subs:
            kind = ""
        elif kind in {BORDER, _DELETED} and len(self._flows) == 1:
            self._flows.append(Flow())
        elif kind == NONE:
            self._held = self._held or []
        else:
            told = str(mark.get("comment", ""))
            x = told if told.startswith("bitext.") else mark.get("mid")
            self._flows[-1].annotate(x, _kind(kind))
            kind = "hi"
        self._kinds.append(kind)

    def _end_mark(self, mark: Element) -> None:
        kind = self._kinds.pop()
        if kind == "seg":
            self._end(str(mark.get("mid", "")))
        elif kind == BORDER:
            content = self._finished(self._flows.pop())
            self._held = [*(self._held or []), content._replace(id=str(mark.get("comment", "")))]
        elif kind == _DELETED:
            self._flows.pop()
            self._source.notes.add(
                "deletions that are tracked, left out", place(self._source, mark)
            )
        elif kind == "hi":
            self._flows[-1].end_annotation()

    def _code(self, event: str, element: Element) -> None:
        name = local_name(element)
        inside = self._codes > self._subs
        if not inside and (name == "g" or name not in _KNOWN):
            self._pair(event, element)
            return
        if event == "start":
            fits = inside == (name == "sub")
            self._within.append("part" if fits else "native" if inside else "")
        part = self._within[-1] if event == "start" else self._within.pop()
        if part == "native":  # with its tags
            begins = event == "start"
            native = native_tag(self._source, element, empty=False) if begins else f"</{name}>"
            self._flows[-1].text(native)
        if part != "part":
            return
        if name == "sub":
            self._sub(event, element)
        elif event == "start":
            self._codes += 1
            self._flows[-1].enter()
            equivalent = element.get("equiv-text")
            if equivalent and not len(element) and not element.text:
                self._flows[-1].text(str(equivalent))
        else:
            self._codes -= 1
            _ENDS[name](self._flows[-1], element)

    def _sub(self, event: str, element: Element) -> None:
        if event == "start":
            self._subs += 1
            self._flows[-1].enter_sub()
            return
        self._subs -= 1
        told = {"datatype": element.get("datatype"), "type": _kind(element.get("ctype", ""))}
        self._flows[-1].leave_sub({name: str(value) for name, value in told.items() if value})

    def _pair(self, event: str, element: Element) -> None:
        if event == "start":
            inside = not self._flows or self._codes > self._subs
            self._pairs.append(None if inside else object())
            key = self._pairs[-1]
        else:
            key = self._pairs.pop()
        if key is None or not self._flows:
            return
        flow = self._flows[-1]
        name = local_name(element)
        foreign = name not in _KNOWN
        if foreign and not len(element) and not element.text:
            if event == "start":
                self._foreign(element)
                flow.enter()
                flow.text(native_tag(self._source, element, empty=True))
                flow.alone(None, "")
            return
        flow.enter()
        if event == "start":
            if foreign:
                self._foreign(element)
                flow.text(native_tag(self._source, element, empty=False))
            flow.opening(key, None if foreign else element.get("id"), _kind(element.get("ctype")))
        else:
            flow.text(f"</{name}>" if foreign else "")
            flow.closing(key, None if foreign else element.get("id"))

    def _foreign(self, element: Element) -> None:
        kind = "elements that XLIFF does not have, kept as codes with their tags"
        case = f"{place(self._source, element)}: {local_name(element)[:40]}"
        self._source.notes.add(kind, case)


def _kind(spelled: str | None) -> str:
    """Return the type that a `ctype` or an `mtype` stands for."""
    kind = str(spelled or "")
    if kind == OURS[:-1]:
        return ""
    return shown(kind.removeprefix(OURS)) if kind.startswith(OURS) else kind


def _open(flow: Flow, element: Element) -> None:
    kind = _kind(element.get("ctype") or element.get("type"))
    flow.opening(pair_key(element), element.get("id"), kind)


def _close(flow: Flow, element: Element) -> None:
    flow.closing(pair_key(element), element.get("id"))


def _half(flow: Flow, element: Element) -> None:
    pos = _POS.get(str(element.get("pos")), "begin")
    flow.half(pos, element.get("id"), _kind(element.get("ctype")))


def _alone(flow: Flow, element: Element) -> None:
    kind = _kind(element.get("ctype") or element.get("type"))
    assoc = str(element.get("assoc", ""))
    flow.alone(element.get("id"), kind, _ASSOC.get(assoc, assoc))


_ENDS: dict[str, Callable[[Flow, Element], None]] = {
    "bpt": _open,
    "bx": _open,
    "ept": _close,
    "ex": _close,
    "it": _half,
    "ph": _alone,
    "x": _alone,
}
