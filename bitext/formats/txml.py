"""TXML, of Wordfast: XML with skeleton and texts; one `segment` a bisegment.

    <txml locale="EN" targetlocale="FR" version="1.0"><skeleton>...</skeleton>
        <translatable blockId="1"><segment segmentId="1" modified="true">
            <ws> </ws><source>One <ut x="1">&lt;b&gt;</ut>two.</source><target>Un deux.</target>
        </segment></translatable></txml>

`ut` is native code, no text; it is `ph x type` in `Text.marked`. `ws` is white space, or code,
around a segment, and no part of it. An absent target is an empty side, an empty one a segment
without characters. Attributes of a segment are columns of their own names, `blockId` that of what
it stands in, `score` of a target `tgt.score`: how like it was in a translation memory, not how sure
the alignment is. Notes are columns `note`, `note#2`. Each file is one document pair. Not written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitext.formats.languages import known
from bitext.formats.prolog import has_root
from bitext.formats.registry import Format, ReadOptions
from bitext.formats.safexml import iterate, line_of, local_name
from bitext.formats.xliff_beads import Columns, Row, UnitBeads, Wanted, attributes, place
from bitext.formats.xliff_beside import note_attributes, note_codes
from bitext.formats.xliff_flow import Content, Flow, walk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.etree import _Element as Element

    from bitext.formats.opening import Source
    from bitext.model import Bitext

__all__ = ["FORMAT"]


def _sniff(head: bytes) -> int:
    return 95 if has_root(head, "txml") else 0


def _read(source: Source, options: ReadOptions) -> Iterator[Bitext]:
    wanted = Wanted(source, options)
    beads = UnitBeads(source, options)
    block, opened, taken = "", False, False
    events = iterate(source, start=("txml", "translatable"), end=("segment", "skeleton"))
    for event, element in events:
        name = local_name(element)
        if not opened:
            if name != "txml":
                break
            opened = True
            codes = (element.get("locale", ""), element.get("targetlocale", ""))
            beads.langs = known(str(codes[0])), known(str(codes[1]))
            taken = wanted.takes(beads.langs, line_of(element))
        elif name == "translatable":
            block = str(element.get("blockId", ""))
            note_attributes(source, element, "blocks of segments", {"blockId"})
        elif event == "end" and name == "segment" and taken:
            beads.line = line_of(element) or 0
            beads.add_unit(_rows(source, element, block))
            yield from beads.parts()
    if not opened:
        raise source.error("has no root element txml; give a TXML file of Wordfast")
    wanted.check()
    yield from beads.rest()


def _rows(source: Source, segment: Element, block: str) -> list[Row]:
    sides: dict[str, Element] = {}
    columns = Columns()
    columns.update(attributes(source, segment))
    if block:
        columns["blockId"] = block
    for child in segment:
        name = local_name(child)
        if name in {"source", "target"}:
            sides.setdefault(name, child)
        elif name in {"comment", "note"}:
            columns.put("note", "".join(map(str, child.itertext())))
        elif name == "comments":
            for note in child:
                columns.put("note", "".join(map(str, note.itertext())))
        elif name != "ws":
            kind = "elements besides the texts of a segment, left out"
            source.notes.add(kind, f"{place(source, child)}: {name[:40]}")
    if "source" not in sides:
        source.refuse("has a segment without a source; want one", line_of(segment))
        return []
    own = attributes(source, sides["source"])
    columns.update((f"src.{name}", value) for name, value in own)
    target = sides.get("target")
    if target is None:
        source.notes.add("segments without a target, read as 1-0", place(source, segment))
        tgt = []
    else:
        tgt = [(0, _text(source, target))]
        columns.update((f"tgt.{name}", value) for name, value in attributes(source, target))
    return [Row([(0, _text(source, sides["source"]))], tgt, columns)]


_KEPT = frozenset({"x", "type"})


def _text(source: Source, element: Element) -> Content:
    flow, codes = Flow(), 0
    note_codes(source, element, lambda code: _KEPT if local_name(code) == "ut" else None)
    for event, inner, characters in walk(element):
        name = local_name(inner)
        if event == "text":
            flow.text(characters)
        elif name == "sub" and event == "start":
            kind = "codes with flows of their own, which are segments (sub)"
            source.notes.add(kind, place(source, inner))
        elif name == "ut":
            codes += 1 if event == "start" else -1
            if event == "start" and codes == 1:
                flow.enter()
            elif event == "end" and codes == 0:
                flow.alone(inner.get("x"), str(inner.get("type", "")))
    if flow.codes:
        kind = "segments with inline codes, which are no text"
        source.notes.add(kind, place(source, element))
    return flow.content()


FORMAT = Format(
    name="txml",
    title="TXML of Wordfast (read)",
    holds="text",
    suffixes=(".txml",),
    sniff=_sniff,
    read=_read,
    streams=True,
    units=("segment",),
    holders=("translatable",),
)
