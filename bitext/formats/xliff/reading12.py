"""The units of XLIFF 1: their segments paired by `mid`, their attributes as columns.

A side of a unit is translated to segments with codes:

| XLIFF 1 | `Text.marked` |
| --- | --- |
| `g id ctype` | `bpt x type`, its content, `ept`, both without native code |
| `bx`, `ex`; `bpt`, `ept` | `bpt`, `ept`; paired by `rid`, else by `id`; `it` for a lone half |
| `it pos="open"`, `pos="close"` | `it pos="begin"`, `pos="end"` |
| `x`, `ph assoc` | `ph`; `equiv-text` replaces missing native code |
| `sub` in a code | `sub`; it is not a text of the segment |
| `mrk mtype mid` | `hi type x`, except for those below |
| `mrk mtype="seg" mid` | a segment |
| `mrk mtype="x-sdl-deleted"`, of memoQ `mtype="x-mq-tc" mq:tctype="del"` | left out, as deleted |
| `mrk mtype="x-bitext.segment"` | a segment of several on one side of a bisegment (ours) |
| `mrk mtype="x-bitext.none"` | no segment, where XLIFF wants a text (ours) |

Our own `ctype` or `mtype`, `x-bitext-NAME`, is the type `NAME`. An element outside of XLIFF is a
code with its whole tags. Other attributes of codes are left out, which is noted as a loss.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from bitext.formats.io.source import Source
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
    native_tag,
    note_at,
    note_attributes,
    note_codes,
    note_extension,
    note_ids,
    note_kept,
    note_pairs1,
    pair_key,
    put_note,
    unit_columns,
    values_of,
)
from bitext.formats.xliff.codes import Content, Flow, original_id, shown
from bitext.formats.xml.safe import local_name, text_of, walk

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

    Part = tuple[str, list[Content]]
    Segments = list[tuple[int, Content]]

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
_NATIVE = {"bpt", "ept", "it", "ph"}
_POS = {"open": "begin", "begin": "begin", "close": "end", "end": "end"}
_ASSOC = {"preceding": "p", "following": "f", "both": "b"}


def is_segmented(element: Element) -> bool:
    """Check whether a side has segments of its own."""
    if not len(element):
        return False
    return any(mark.get("mtype") == "seg" for mark in element.iter("{*}mrk"))


def read_side(source: Source, element: Element) -> list[tuple[str, list[Content]]]:
    """Return the parts of a side: for each its `mid` and its segments.

    A side without segments is one part, without a `mid`.
    """
    if not len(element):
        return [("", [Content(str(element.text or ""))])]
    note_codes(source, element, _kept_attributes)
    note_pairs1(source, element)
    return _SideReader(source, element).read()


def _kept_attributes(code: Element) -> frozenset[str] | None:
    if code.get("mtype") == BORDER or str(code.get("comment", "")).startswith("bitext."):
        return None
    known = _KNOWN.get(local_name(code))
    if known is not None and code.get("equiv-text") and not len(code) and not code.text:
        known |= {"equiv-text"}  # instead of missing native code
    return known


class _SideReader(SideReader):
    border, none = BORDER, NONE

    def __init__(self, source: Source, element: Element) -> None:
        super().__init__(source, element)
        self._parts: list[tuple[str, list[Content]]] = []
        self._codes = self._subs = 0  # numbers of open elements
        self._within: list[str] = []  # other open elements: codes, or within codes
        self._outside, self._codes_outside = False, 0
        self._segmented = is_segmented(element)

    def read(self) -> list[tuple[str, list[Content]]]:
        if not self._segmented:
            self._begin()
        for event, element, characters in walk(self._element):
            if event == "text":
                if self._flows:
                    self._flows[-1].text(characters)
                elif characters.strip() and local_name(element) not in _NATIVE:
                    self._outside = True
            elif local_name(element) == "mrk":
                (self._mark if event == "start" else self._after_mark)(element)
            else:
                if not self._flows and event == "start" and not is_segmented(element):
                    self._codes_outside += 1
                if self._flows or local_name(element) == "g":
                    self._code(event, element)
        if not self._segmented:
            self._end("")
        if self._outside:
            self._note("units with text outside of their segments, left out")
        if self._codes_outside:
            self._note(CODES_OUTSIDE, count=self._codes_outside)
        return self._parts

    def _begin(self) -> None:
        self._flows.append(Flow())
        self._held = None

    def _end(self, mid: str) -> None:
        flow = self._flows.pop()
        if self._held is None:
            self._parts.append((mid, [self._finished(flow)]))
            return
        if flow.content().plain.strip():
            self._outside = True
        self._parts.append((mid, self._held))

    def _mark(self, mark: Element) -> None:
        kind = str(mark.get("mtype", ""))
        if kind == "x-mq-tc" and mark.get("{MQXliff}tctype") == "del":
            kind = _DELETED
        if kind == "seg" and not self._flows:
            self._begin()
        elif kind == "seg":
            note_at(self._source, mark, "segments within segments, read as one")
            kind = ""
        elif not self._flows or self._codes > self._subs:
            kind = ""
        elif kind == _DELETED and len(self._flows) == 1:
            self._flows.append(Flow())
        else:
            comment = str(mark.get("comment", ""))
            x = comment if comment.startswith("bitext.") else mark.get("mid")
            kind = self._begin_mark(kind, x, _kind(kind))
        self._kinds.append(kind)

    def _after_mark(self, mark: Element) -> None:
        kind = self._kinds.pop()
        if kind == "seg":
            self._end(str(mark.get("mid", "")))
        elif kind == _DELETED:
            self._flows.pop()
            note_at(self._source, mark, "deletions that are tracked, left out")
        else:
            self._end_mark(kind, str(mark.get("comment", "")))

    def _code(self, event: str, element: Element) -> None:
        name = local_name(element)
        inside = self._codes > self._subs
        if not inside and name == "g":
            self._pair(event, element)
            return
        if not inside and name not in _KNOWN:
            self._foreign(event, element, _kind(element.get("ctype")))
            return
        if event == "start":
            fits = inside == (name == "sub")
            self._within.append("part" if fits else "native" if inside else "")
        part = self._within[-1] if event == "start" else self._within.pop()
        if part == "native":  # as a code with its tags
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
        given = {"datatype": element.get("datatype"), "type": element.get("ctype")}
        kinds = {name: _kind(value) for name, value in given.items()}
        self._flows[-1].leave_sub({name: kind for name, kind in kinds.items() if kind})

    def _pair(self, event: str, g: Element) -> None:
        if event == "start":
            self._pairs.append(object() if self._flows else None)  # none around segments
        key = self._pairs[-1] if event == "start" else self._pairs.pop()
        if key is None:
            return
        flow = self._flows[-1]
        flow.enter()
        if event == "start":
            flow.opening(key, g.get("id"), _kind(g.get("ctype")))
        else:
            flow.closing(key, g.get("id"))


def _kind(spelled: str | None) -> str:
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


SCORE_TYPE = "x-bitext.score"  # of a context
PURPOSE = "information"  # of a group of contexts by default
_PURPOSE = re.compile(r"x-bitext\.(\d{1,9})")
_TEXTS = frozenset({"source", "seg-source", "target"})
_COLUMNS = frozenset({"note", "context-group", "prop-group", "count-group"})


class Parts(NamedTuple):
    """The children of a unit.

    `source`, `segmented` and `target` are the first `source`, `seg-source` and `target` in the
    namespace of the unit; `others` are the other children with their names, as `Kinds` has them.
    """

    source: Element | None
    segmented: Element | None
    target: Element | None
    others: list[tuple[str, Element]]


def parts_of(unit: Element, kinds: Kinds) -> Parts:
    """Return the children of a `trans-unit`."""
    src = segmented = tgt = None
    others = []
    for child in unit:
        kind = kinds[child.tag]
        if kind == "source" and src is None:
            src = child
        elif kind == "target" and tgt is None:
            tgt = child
        elif kind == "seg-source" and segmented is None:
            segmented = child
        else:
            others.append((kind, child))
    return Parts(src, segmented, tgt, others)


def read_unit(
    source: Source,
    unit: Element,
    parts: Parts,
    *,
    translate: bool = True,
    more: Callable[[Source, Element], dict[str, dict[str, str]]] | None = None,
) -> list[Row]:
    """Return the bisegments of a `trans-unit`, in the order of the source.

    `translate` is true if the unit is to be translated. `more` returns further
    columns of a unit, by the `mid`. The source takes notes, and the errors of refused units.
    """
    src, segmented, tgt, others = parts
    if others:
        _note_others(source, others, known=more is not None)
    if src is None:
        source.refuse("has a trans-unit without a source; want one", line_in_file(source, unit))
        return []
    if not translate and tgt is None and not text_of(src).strip():
        note_at(source, unit, "units of codes only that are not to be translated, left out")
        return []
    if not translate:
        note_kept(source, unit)
    if segmented is not None and not is_segmented(segmented):
        if not text_of(segmented).strip():
            note_at(source, unit, "units without any segment, left out")
            return []
        segmented = None
    if more is None and len(src):
        note_ids(source, src)  # with `more`, ids belong to tags that may repeat
    src = src if segmented is None else segmented
    sides = None
    if tgt is None or len(src) or len(tgt):
        sides = (read_side(source, src), [] if tgt is None else read_side(source, tgt))
    if tgt is None:
        note_at(source, unit, "units without a target, read as 1-0")
    further = more(source, unit) if more else {}
    columns = _columns(source, unit, parts)
    if not translate:
        columns[ALL]["translate"] = "no"
    if sides is None:  # one text a side, as in most units
        values, score = values_of(columns, (FIRST, 1))
        values.update(further.get("", ()))
        return [Row(_text(src), _text(tgt), values, score)]
    return list(_rows(source, unit, sides, columns, further))


def _text(side: Element | None) -> Segments:
    """Return the segment of a side that contains only text."""
    return [(0, Content("" if side is None else side.text or ""))]


def _note_others(source: Source, others: list[tuple[str, Element]], *, known: bool) -> None:
    """Note the children of a unit that are left out.

    Elements of another namespace are noted, unless `known` to the caller. Counts are noted where
    columns are read.
    """
    for name, child in others:
        if name.startswith(":"):
            if not known:
                note_extension(source, child)
        elif name == "alt-trans":
            note_at(source, child, "proposals (alt-trans), which are not translations, left out")
        elif name in _TEXTS:
            note_at(source, child, f"units with a second {name}, of which the first is read")
        elif name not in _COLUMNS:
            note_extension(source, child)


def _rows(
    source: Source,
    unit: Element,
    sides: tuple[list[Part], list[Part]],
    columns: dict[int, dict[str, str]],
    further: dict[str, dict[str, str]],
) -> Iterator[Row]:
    """Yield the bisegments: the parts with the same `mid`."""
    last = -1
    for k, (mid, (src, tgt)) in enumerate(_groups(source, unit, sides).items(), start=1):
        if not (src or tgt):
            note_at(source, unit, "units without any segment, left out")
            continue
        values, score = values_of(columns, (FIRST, 1) if k == 1 else (k,))
        if mid and original_id(mid)[1]:
            values["mid"] = mid
        if tgt:
            if tgt[0][0] < last:
                note_at(source, unit, "segments in another order in the target (crossing)")
            last = max(last, tgt[-1][0])
        yield Row(src, tgt, values | further.get(mid, {}), score)


def _groups(
    source: Source, unit: Element, sides: tuple[list[Part], list[Part]]
) -> dict[str, tuple[Segments, Segments]]:
    """Return the segments of both sides by their `mid`, with their positions."""
    src, tgt = sides
    if len(src) > 1 and len(tgt) == 1 and not tgt[0][0]:
        # A target without segments belongs to the whole source.
        text = tgt[0][1]
        if not any(content.plain.strip() for content in text):
            tgt = []
        else:
            kind = "units with a target that is not segmented as the source, read as n-1"
            note_at(source, unit, kind)
            src = [("", [content for _, part in src for content in part])]
    elif len(src) == 1 and len(tgt) == 1 and "" in {src[0][0], tgt[0][0]}:
        mid = src[0][0] or tgt[0][0]
        src, tgt = [(mid, src[0][1])], [(mid, tgt[0][1])]
    elif len(src) == 1 and not src[0][0] and tgt:
        kind = "units with a source that is not segmented as the target, read as 1-n"
        note_at(source, unit, kind)
        tgt = [("", [content for _, part in tgt for content in part])]
    groups: dict[str, tuple[Segments, Segments]] = {}
    for side, parts in enumerate((src, tgt)):
        seen: set[str] = set()
        number = 0
        for mid, part in parts:
            if mid in seen:
                kind = "segments with one mid on a side, read as one n-m bisegment"
                note_at(source, unit, kind, mid[:40])
            seen.add(mid)
            group = groups.setdefault(mid, ([], []))
            for content in part:
                group[side].append((number, content))
                number += 1
    if src and tgt:
        lone = [mid for mid, (one, other) in groups.items() if not (one and other)]
        known = {mid for mid, part in (*src, *tgt) if not part}
        if not known.issuperset(lone):
            kind = "segments whose mid the other side does not have, read as 1-0 or 0-1"
            note_at(source, unit, kind, lone[0][:40])
    return groups


def _columns(source: Source, unit: Element, parts: Parts) -> dict[int, dict[str, str]]:
    """Return the columns of all bisegments, of the first, and of each by its number."""
    common = unit_columns(source, unit, {"xml:space"})
    columns = {ALL: common}
    for prefix, element in (("src.", parts.source), ("tgt.", parts.target)):
        if element is None or not element.attrib:
            continue
        for name, value in attributes(source, element):
            if name.startswith("state"):
                common[name] = value
            elif name not in {"xml:lang", "xml:space"}:
                common[prefix + name] = value
    if parts.others:
        _read_others(source, parts.others, columns)
    return columns


def _read_others(
    source: Source, others: list[tuple[str, Element]], columns: dict[int, dict[str, str]]
) -> None:
    own: dict[int, Columns] = {}

    def numbered(number: int) -> Columns:
        if number not in own:
            own[number] = Columns()
        return own[number]

    for kind, child in others:
        name = kind.removeprefix(":")
        if name == "note":
            put_note(source, child, numbered(FIRST), "annotates", "notes and contexts")
        elif name == "context-group":
            purpose = child.get("purpose", "")
            match = None if purpose == PURPOSE else _PURPOSE.fullmatch(purpose)
            known = {"purpose"} if match or purpose == PURPOSE else set()
            note_attributes(source, child, "notes and contexts", known)
            _contexts(child, numbered(int(match[1]) if match else FIRST))
        elif name == "prop-group":
            for prop in child:
                kind = str(prop.get("prop-type", ""))
                numbered(FIRST).put(f"prop:{kind}", str(prop.text or ""))
        elif name == "count-group":
            note_at(source, child, "counts (count-group), left out")
    columns.update(own)


def _contexts(group: Element, columns: Columns) -> None:
    for context in group:
        kind = context.get("context-type", "")
        value = text_of(context) if len(context) else context.text or ""
        if kind == SCORE_TYPE:
            columns[SCORE] = value
        elif kind.startswith(OURS):
            columns[shown(kind.removeprefix(OURS))] = value
        else:
            columns.put(f"context:{kind}", value)
