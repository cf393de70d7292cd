r"""TTX of Trados TagEditor and TXML of Wordfast, both read-only.

TTX holds translated and untranslated text; each `Tu` is a bisegment.

    <TRADOStag Version="2.0"><FrontMatter>...<UserSettings SourceLanguage="EN-US"
            TargetLanguage="FR-FR" SourceDocumentPath="C:\a.html" .../></FrontMatter>
        <Body><Raw><ut Type="start">&lt;p&gt;</ut><Tu Origin="manual" MatchPercent="0">
            <Tuv Lang="EN-US">Some <df Bold="on">words</df>.</Tuv>
            <Tuv Lang="FR-FR">Quelques <df Bold="on">mots</df>.</Tuv></Tu></Raw></Body></TRADOStag>

The files are UTF-16 with a byte order mark. The `Lang` of a `Tuv` gives its side; if none has the
source language, the first is the source, which is noted. `ut` is native code, not text: a `ph` in
`Text.marked`, or half of a pair if its `Type` is `start` or `end`; its other attributes are lost,
which is noted. `df`, which formats its text, is a pair of codes. Text outside of `Tu` was never
segmented: it is counted, not read. Attributes of `Tu` are columns of the same names;
`MatchPercent` is the similarity to an entry of a translation memory, not a score of the alignment.

TXML has a skeleton and texts; each `segment` is a bisegment.

    <txml locale="EN" targetlocale="FR" version="1.0"><skeleton>...</skeleton>
        <translatable blockId="1"><segment segmentId="1" modified="true">
            <ws> </ws><source>One <ut x="1">&lt;b&gt;</ut>two.</source><target>Un deux.</target>
        </segment></translatable></txml>

`ut` is native code: `ph x type` in `Text.marked`. `ws` is white space or code around a segment and
no part of it. A missing target is an empty side, an empty one a segment without characters.
Attributes of a segment are columns of the same names, and so is the `blockId` of its block; the
`score` of a target, its similarity to an entry of a translation memory, is `tgt.score`. Notes are
columns `note`, `note#2`.

A file of either is one document pair, in TTX with its `SourceDocumentPath` as name.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import TYPE_CHECKING

from bitext.formats.io.source import Source
from bitext.formats.languages import Wanted, finds, known
from bitext.formats.registry import Format, ReadOptions
from bitext.formats.xliff import (
    Columns,
    Row,
    UnitBeads,
    attributes,
    native_tag,
    note_at,
    note_attributes,
    note_codes,
)
from bitext.formats.xliff.codes import Content, Flow
from bitext.formats.xml import has_root
from bitext.formats.xml.safe import iterate, line_of, local_name, text_of, walk
from bitext.model import Bitext

if TYPE_CHECKING:
    from lxml.etree import _Element as Element


class _UnitReader(ABC):
    """Reads a file as one document pair: its root, then settings, then the units."""

    # `root`, `unit`: names of the root element and of the element of a bisegment.
    root: str
    unit: str
    # `start`, `end`: elements that are handled at their start, or end, besides the units.
    start: tuple[str, ...]
    end: tuple[str, ...]
    whole: str  # the expected kind of file, in the error for another root
    kept: frozenset[str]  # attributes of codes (`ut`) that are read

    def __init__(self, source: Source, options: ReadOptions) -> None:
        self.source, self.options = source, options
        self.wanted = Wanted(source, options.languages)
        self.beads = UnitBeads(source, options)
        self.taken = True  # whether the file has the requested languages

    def read(self) -> Iterator[Bitext]:
        """Yield the parts of the document pair."""
        opened = False
        events = iterate(self.source, start=(self.root, *self.start), end=(self.unit, *self.end))
        for event, element in events:
            name = local_name(element)
            if not opened:
                if name != self.root:
                    break
                opened = True
            elif name == self.root:
                continue
            self.see(name, element)
            if event == "end" and name == self.unit and self.taken:
                self.beads.line = line_of(element) or 0
                self.beads.add_unit(self.rows(element))
                yield from self.beads.parts()
        if not opened:
            raise self.source.error(f"has no root element {self.root}; give a {self.whole}")
        self.wanted.check()
        yield from self.beads.rest()

    def set_languages(self, element: Element, src: str, tgt: str) -> None:
        """Set the languages of the file from two attributes of an element."""
        codes = (known(str(element.get(src, ""))), known(str(element.get(tgt, ""))))
        self.beads.langs = codes
        self.taken = self.wanted.takes(codes, line_of(element))

    def texts(self, side: Element) -> list[tuple[int, Content]]:
        """Return the only segment of a side, whose native code (`ut`) is not text."""
        flow, depth = Flow(), 0
        note_codes(self.source, side, lambda code: self.kept if local_name(code) == "ut" else None)
        for event, element, characters in walk(side):
            if event == "text":
                flow.text(characters)
            elif local_name(element) == "ut":
                depth += 1 if event == "start" else -1
                if event == "start" and depth == 1:
                    flow.enter()
                elif event == "end" and depth == 0:
                    self.add_code(flow, element)
            else:
                self.add_element(flow, element, event, depth)
        if flow.codes:
            note_at(self.source, side, "segments with inline codes, which are not text")
        return [(0, flow.content())]

    @abstractmethod
    def see(self, name: str, element: Element) -> None:
        """Handle an element before its units are read."""

    @abstractmethod
    def rows(self, unit: Element) -> list[Row]:
        """Return the bisegments of a unit."""

    @abstractmethod
    def add_code(self, flow: Flow, code: Element) -> None:
        """Add a native code that ends."""

    @abstractmethod
    def add_element(self, flow: Flow, element: Element, event: str, depth: int) -> None:
        """Follow the `event` of another element, within `depth` native codes."""


class _TxmlReader(_UnitReader):
    root, unit = "txml", "segment"
    start, end = ("translatable",), ("skeleton",)
    whole = "TXML file of Wordfast"
    kept = frozenset(("x", "type"))
    block = ""

    def see(self, name: str, element: Element) -> None:
        if name == self.root:
            self.set_languages(element, "locale", "targetlocale")
        elif name == "translatable":
            self.block = str(element.get("blockId", ""))
            note_attributes(self.source, element, "blocks of segments", {"blockId"})

    def rows(self, unit: Element) -> list[Row]:
        source = self.source
        sides: dict[str, Element] = {}
        columns = Columns()
        columns.update(attributes(source, unit))
        if self.block:
            columns["blockId"] = self.block
        for child in unit:
            name = local_name(child)
            if name in {"source", "target"}:
                sides.setdefault(name, child)
            elif name in {"comment", "note", "comments"}:
                for note in child if name == "comments" else [child]:
                    columns.put("note", text_of(note))
            elif name != "ws":
                kind = "elements besides the texts of a segment, left out"
                note_at(source, child, kind, name[:40])
        if "source" not in sides:
            source.refuse("has a segment without a source; want one", line_of(unit))
            return []
        for key, name in (("src", "source"), ("tgt", "target")):
            own = attributes(source, sides[name]) if name in sides else []
            columns.update((f"{key}.{each}", value) for each, value in own)
        if "target" in sides:
            tgt = self.texts(sides["target"])
        else:
            note_at(source, unit, "segments without a target, read as 1-0")
            tgt = []
        return [Row(self.texts(sides["source"]), tgt, columns)]

    def add_code(self, flow: Flow, code: Element) -> None:
        flow.alone(code.get("x"), str(code.get("type", "")))

    def add_element(self, _flow: Flow, element: Element, event: str, _depth: int) -> None:
        if event == "start" and local_name(element) == "sub":
            kind = "codes with flows of their own, which are segments (sub)"
            note_at(self.source, element, kind)


TXML = Format(
    name="txml",
    title="TXML of Wordfast (read)",
    suffixes=(".txml",),
    sniff=lambda head: 95 if has_root(head, "txml") else 0,
    read=lambda source, options: _TxmlReader(source, options).read(),
    streams=True,
    units=("segment",),
    holders=("translatable",),
)


class _TtxReader(_UnitReader):
    root, unit = "TRADOStag", "Tu"
    start, end = ("UserSettings",), ("Raw",)
    whole = "TTX file of Trados TagEditor"
    kept = frozenset(("Type", "DisplayText"))
    settled = False

    def __init__(self, source: Source, options: ReadOptions) -> None:
        super().__init__(source, options)
        self.opened: list[object] = []  # keys of the open df elements

    def see(self, name: str, element: Element) -> None:
        if name == "UserSettings" and not self.settled:
            self.settled = True
            self.set_languages(element, "SourceLanguage", "TargetLanguage")
            path = str(element.get("SourceDocumentPath", ""))
            if path:
                self.beads.meta["src_doc"] = path
                self.beads.name = self.options.name or path
        elif name == "Raw":
            _see_outside(self.source, element)
        elif name == self.unit:
            sweep(self.source, element)

    def rows(self, unit: Element) -> list[Row]:
        source, beads = self.source, self.beads
        sides = [child for child in unit if local_name(child) == "Tuv"]
        if not sides:
            note_at(source, unit, "units without any text, left out")
            return []
        src = self._taken(sides, beads.langs[0], "source, of which the first is taken")
        others = [side for side in sides if side is not src]
        if not others:
            note_at(source, unit, "units without a target, read as 1-0")
            return [Row(self.texts(src), [], dict(attributes(source, unit)))]
        tgt = self._taken(others, beads.langs[1], "target, of which the next is taken")
        if len(others) > 1:
            note_at(source, unit, "further texts of a unit, left out", count=len(others) - 1)
        if not beads.langs[1]:
            beads.langs = (beads.langs[0], known(str(tgt.get("Lang", ""))))
        targets = self.texts(tgt)
        return [Row(self.texts(src), targets, dict(attributes(source, unit)))]

    def _taken(self, sides: list[Element], lang: str, which: str) -> Element:
        """Return the text in a language, else the first, with a note."""
        for side in sides:
            code = str(side.get("Lang", ""))
            if not lang or finds(lang, code) or finds(code, lang):
                return side
        kind = f"units without a text in the language of the {which}"
        note_at(self.source, sides[0], kind, str(sides[0].get("Lang", ""))[:40])
        return sides[0]

    def add_code(self, flow: Flow, code: Element) -> None:
        """Add a code that ends; the halves of a pair are matched by their `DisplayText`."""
        shown = str(code.get("DisplayText", ""))
        kind = str(code.get("Type", ""))
        if kind == "start":
            flow.opening(shown, None, "")
        elif kind == "end":
            flow.closing(shown, None)
        else:
            flow.alone(None, "")

    def add_element(self, flow: Flow, element: Element, event: str, depth: int) -> None:
        name = local_name(element)
        if depth:
            return
        if name == "df":
            flow.enter()
            if event == "start":
                self.opened.append(object())
                flow.text(native_tag(self.source, element, empty=False))
                flow.opening(self.opened[-1], None, "")
            else:
                flow.text("</df>")
                flow.closing(self.opened.pop(), None)
        elif event == "start":
            kind = "elements that TTX does not have, of which the text is kept"
            note_at(self.source, element, kind, name[:40])


def sweep(source: Source, unit: Element) -> None:
    """Remove all nodes before a unit from the tree, so that memory does not grow with the file."""
    node: Element | None = unit
    while node is not None and local_name(node) != "Raw":
        parent = node.getparent()
        while parent is not None and (before := node.getprevious()) is not None:
            _see(source, before, before.tail)
            _see_outside(source, before)
            parent.remove(before)
        node = parent


def _see_outside(source: Source, element: Element) -> None:
    for inner in element.iter():
        if local_name(inner) in {"Raw", "df"}:
            _see(source, inner, inner.text)
        if inner is not element:
            _see(source, inner, inner.tail)


def _see(source: Source, element: Element, text: str | None) -> None:
    if text and text.strip():
        note_at(source, element, "texts outside of units, not segmented, left out")


FORMAT = Format(
    name="ttx",
    title="TTX of Trados TagEditor (read)",
    suffixes=(".ttx",),
    sniff=lambda head: 95 if has_root(head, "TRADOStag") else 0,
    read=lambda source, options: _TtxReader(source, options).read(),
    streams=True,
    units=("Tu",),
    holders=("Raw",),
)
