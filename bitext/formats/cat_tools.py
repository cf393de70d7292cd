r"""TTX, of Trados TagEditor: XML with what was translated and what was not; one `Tu` a bisegment.

    <TRADOStag Version="2.0"><FrontMatter>...<UserSettings SourceLanguage="EN-US"
            TargetLanguage="FR-FR" SourceDocumentPath="C:\a.html" .../></FrontMatter>
        <Body><Raw><ut Type="start">&lt;p&gt;</ut><Tu Origin="manual" MatchPercent="0">
            <Tuv Lang="EN-US">Some <df Bold="on">words</df>.</Tuv>
            <Tuv Lang="FR-FR">Quelques <df Bold="on">mots</df>.</Tuv></Tu></Raw></Body></TRADOStag>

The files are UTF-16 with a mark. `Tuv` are told by their `Lang`; where no `Tuv` is in the language
of the source, the first is taken, and noted. `ut` is native code, no text: `ph` in `Text.marked`,
or, where its `Type` is `start` or `end`, half of a pair; its other attributes are lost, and noted.
`df`, which tells how its text is shown, is a pair of codes with its tags. Text outside of `Tu` was
not segmented and is not read; it is counted. Attributes of `Tu` are columns of their own names;
`MatchPercent` is how like it was in a translation memory, no score of an alignment. Each file is
one document pair, named for its `SourceDocumentPath`. Not written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitext.formats.languages import finds, known
from bitext.formats.registry import Format, ReadOptions
from bitext.formats.xliff.codes import Content, Flow, walk
from bitext.formats.xliff.common import (
    Columns,
    Row,
    UnitBeads,
    Wanted,
    attributes,
    native_tag,
    note_attributes,
    note_codes,
    place,
)
from bitext.formats.xml.prolog import has_root
from bitext.formats.xml.safe import iterate, line_of, local_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.etree import _Element as Element

    from bitext.formats.io.source import Source
    from bitext.model import Bitext

__all__ = ["FORMAT", "TXML"]


# TXML, of Wordfast: XML with skeleton and texts; one `segment` a bisegment.
#
#     <txml locale="EN" targetlocale="FR" version="1.0"><skeleton>...</skeleton>
#         <translatable blockId="1"><segment segmentId="1" modified="true">
#             <ws> </ws><source>One <ut x="1">&lt;b&gt;</ut>two.</source><target>Un deux.</target>
#         </segment></translatable></txml>
#
# `ut` is native code, no text; it is `ph x type` in `Text.marked`. `ws` is white space, or code,
# around a segment, and no part of it. An absent target is an empty side, an empty one a segment
# without characters. Attributes of a segment are columns of their own names, `blockId` that of
# what it stands in, `score` of a target `tgt.score`: how like it was in a translation memory, not
# how sure the alignment is. Notes are columns `note`, `note#2`. Each file is one document pair.
# Not written.


def _sniff_txml(head: bytes) -> int:
    return 95 if has_root(head, "txml") else 0


def _read_txml(source: Source, options: ReadOptions) -> Iterator[Bitext]:
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
            beads.add_unit(_rows_of_txml(source, element, block))
            yield from beads.parts()
    if not opened:
        raise source.error("has no root element txml; give a TXML file of Wordfast")
    wanted.check()
    yield from beads.rest()


def _rows_of_txml(source: Source, segment: Element, block: str) -> list[Row]:
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
        tgt = [(0, _text_of_txml(source, target))]
        columns.update((f"tgt.{name}", value) for name, value in attributes(source, target))
    return [Row([(0, _text_of_txml(source, sides["source"]))], tgt, columns)]


_KEPT_BY_TXML = frozenset({"x", "type"})


def _text_of_txml(source: Source, element: Element) -> Content:
    flow, codes = Flow(), 0
    note_codes(source, element, lambda code: _KEPT_BY_TXML if local_name(code) == "ut" else None)
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


TXML = Format(
    name="txml",
    title="TXML of Wordfast (read)",
    holds="text",
    suffixes=(".txml",),
    sniff=_sniff_txml,
    read=_read_txml,
    streams=True,
    units=("segment",),
    holders=("translatable",),
)


def _sniff(head: bytes) -> int:
    return 95 if has_root(head, "TRADOStag") else 0


def _read(source: Source, options: ReadOptions) -> Iterator[Bitext]:
    wanted = Wanted(source, options)
    beads = UnitBeads(source, options)
    opened = settled = False
    taken = True
    events = iterate(source, start=("TRADOStag", "UserSettings"), end=("Tu", "Raw"))
    for _, element in events:
        name = local_name(element)
        if not opened:
            if name != "TRADOStag":
                break
            opened = True
        elif name == "UserSettings" and not settled:
            settled = True
            codes = (element.get("SourceLanguage", ""), element.get("TargetLanguage", ""))
            beads.langs = known(str(codes[0])), known(str(codes[1]))
            taken = wanted.takes(beads.langs, line_of(element))
            path = str(element.get("SourceDocumentPath", ""))
            if path:
                beads.meta["src_doc"] = path
                beads.name = options.name or path
        elif name == "Raw":
            _see_outside(source, element)
        elif name == "Tu":
            _sweep(source, element)
            if taken:
                beads.line = line_of(element) or 0
                beads.add_unit(_rows(source, element, beads))
                yield from beads.parts()
    if not opened:
        raise source.error("has no root element TRADOStag; give a TTX file of Trados TagEditor")
    wanted.check()
    yield from beads.rest()


def _rows(source: Source, unit: Element, beads: UnitBeads) -> list[Row]:
    sides = [child for child in unit if local_name(child) == "Tuv"]
    if not sides:
        source.notes.add("units without any text, left out", place(source, unit))
        return []
    src = next((side for side in sides if _is_in(side, beads.langs[0])), None)
    if src is None:
        src = sides[0]
        kind = "units without a text in the language of the source, of which the first is taken"
        source.notes.add(kind, f"{place(source, unit)}: {str(src.get('Lang', ''))[:40]}")
    others = [side for side in sides if side is not src]
    tgt = next((side for side in others if _is_in(side, beads.langs[1])), None)
    if others and tgt is None:
        tgt = others[0]
        kind = "units without a text in the language of the target, of which the next is taken"
        source.notes.add(kind, f"{place(source, unit)}: {str(tgt.get('Lang', ''))[:40]}")
    if len(others) > 1:
        source.notes.add("further texts of a unit, left out", place(source, unit), len(others) - 1)
    if tgt is None:
        source.notes.add("units without a target, read as 1-0", place(source, unit))
    elif not beads.langs[1]:
        beads.langs = (beads.langs[0], known(str(tgt.get("Lang", ""))))
    held = [] if tgt is None else [(0, _text(source, tgt))]
    return [Row([(0, _text(source, src))], held, dict(attributes(source, unit)))]


def _is_in(side: Element, language: str) -> bool:
    told = str(side.get("Lang", ""))
    return not language or finds(language, told) or finds(told, language)


def _text(source: Source, side: Element) -> Content:
    flow, codes = Flow(), 0
    opened: list[object] = []  # the df elements that are
    note_codes(source, side, lambda code: _KEPT if local_name(code) == "ut" else None)
    for event, element, characters in walk(side):
        name = local_name(element)
        if event == "text":
            flow.text(characters)
        elif name == "df" and not codes:
            flow.enter()
            if event == "start":
                opened.append(object())
                flow.text(native_tag(source, element, empty=False))
                flow.opening(opened[-1], None, "")
            else:
                flow.text("</df>")
                flow.closing(opened.pop(), None)
        elif name == "ut":
            codes += 1 if event == "start" else -1
            if event == "start" and codes == 1:
                flow.enter()
            elif event == "end" and codes == 0:
                _code(flow, element)
        elif name != "df" and event == "start" and not codes:
            kind = "elements that TTX does not have, of which the text is kept"
            source.notes.add(kind, f"{place(source, element)}: {name[:40]}")
    if flow.codes:
        source.notes.add("segments with inline codes, which are no text", place(source, side))
    return flow.content()


_KEPT = frozenset({"Type", "DisplayText"})


def _code(flow: Flow, code: Element) -> None:
    """End a code; the halves of a pair have the name of it in common."""
    shown = str(code.get("DisplayText", ""))
    kind = str(code.get("Type", ""))
    if kind == "start":
        flow.opening(shown, None, "")
    elif kind == "end":
        flow.closing(shown, None)
    else:
        flow.alone(None, "")


def _sweep(source: Source, unit: Element) -> None:
    """Take what stands before a unit out of the tree: memory does not grow with the file."""
    node: Element | None = unit
    while node is not None and local_name(node) != "Raw":
        parent = node.getparent()
        while parent is not None and (before := node.getprevious()) is not None:
            _see(source, before, before.tail)
            _see_outside(source, before)
            parent.remove(before)
        node = parent


def _see_outside(source: Source, element: Element) -> None:
    """Note text that is in no unit."""
    for inner in element.iter():
        if local_name(inner) in {"Raw", "df"}:
            _see(source, inner, inner.text)
        if inner is not element:
            _see(source, inner, inner.tail)


def _see(source: Source, element: Element, text: str | None) -> None:
    if text and text.strip():
        kind = "texts outside of units, not segmented, left out"
        source.notes.add(kind, place(source, element))


FORMAT = Format(
    name="ttx",
    title="TTX of Trados TagEditor (read)",
    holds="text",
    suffixes=(".ttx",),
    sniff=_sniff,
    read=_read,
    streams=True,
    units=("Tu",),
    holders=("Raw",),
)
