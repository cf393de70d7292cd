"""XLIFF 1.0 to 1.2: XML of translation tools, one `trans-unit` a paragraph or a sentence.

    <xliff version="1.2"><file original="a.txt" source-language="en" target-language="fr" ...><body>
        <trans-unit id="1"><source>One. Two.</source>
            <seg-source><mrk mtype="seg" mid="1">One.</mrk> <mrk mtype="seg" mid="2">Two.</mrk>
            </seg-source>
            <target><mrk mtype="seg" mid="2">Deux.</mrk> <mrk mtype="seg" mid="1">Un.</mrk></target>
        </trans-unit></body></file></xliff>

Each `file` is a document pair. Where a unit has `seg-source`, its segments pair by `mid`; their
order in the target may be another, and then bisegments cross. Otherwise a unit is one bisegment. An
absent target is an empty side, an empty target a segment without characters. `alt-trans` is a
proposal, never a translation. Files that are named (`external-file`, `skl`, `original`) are never
opened; one that is held in the file (`internal-file`) is passed over.

What is odd but readable is noted: units without a target, or with `translate="no"` (read as the
others), parts whose `mid` the other side lacks, segments that cross, ids that repeat, binary units.
A unit of codes only that is not to be translated is left out. `mrk` and the codes within text are
in `Text.marked` (the table is in `xliff12_sides`).

| kept | where |
| --- | --- |
| attributes of units, `state` of a target | columns of their names; as they were if allowed |
| `note`, `context`, `prop` | columns `note`, `src.note`, `context:TYPE`, `prop:TYPE`, `note#2` |
| other columns, scores, words, further languages | `context context-type="x-bitext-NAME"` |
| n-m bisegments, sides without segments | `mrk mtype="x-bitext.segment"`, `x-bitext.none` |
| crossing | one unit for the bisegments concerned, `mid` in the order of the target |
| ids of segments, with the option | `comment` of such a `mrk` |

Left out, and noted: headers, what else stands beside units, extensions, attributes of documents,
groups, notes and codes. Lost: borders of groups, gaps, overlaps (the segment is written for each),
segments in no bisegment, paragraphs. XML forbids some characters; they cannot be written. Written
files are valid by the strict schema.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from bitext.formats.io.source import Source
from bitext.formats.languages import finds, known
from bitext.formats.registry import Format, ReadOptions
from bitext.formats.xliff.codes import original_id
from bitext.formats.xliff.common import KEEPS, XML_LANG, Documents, UnitBeads, place, sniff_version
from bitext.formats.xliff.reading12 import read_unit
from bitext.formats.xliff.writing12 import write
from bitext.formats.xml.safe import line_of, local_name
from bitext.option_names import remedy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import BinaryIO

    from lxml.etree import _Element as Element

    from bitext.model import Bitext

__all__ = ["FORMAT", "SDLXLIFF", "read_documents", "shortened"]


# Files that are embedded in an XLIFF file (`internal-file`, in base64), taken out as it is read.
#
# They may be larger than any text that the parser takes, and are never looked at. All but their
# beginning is taken out before the parser sees it; line ends stay, so that lines are those of the
# file.

_FREE = 1 << 16  # bytes of an embedded file that stay
_LONGEST = 1 << 12  # bytes of its start tag
_SIZE = 1 << 18
_NAME = b"internal-file"
_TAG = re.compile(rb"internal-file[^<>]*>")
_BASE64 = re.compile(rb"[A-Za-z0-9+/=\s]*")


def shortened(source: Source) -> Source:
    """Return a source without what is long in embedded files; notes and errors go to the same."""
    if b"\0" in source.head():
        return source  # UTF-16: rare, and read as it is
    short = Source(source.path, cast("BinaryIO", _Shortened(source.stream)), source.encoding)
    short.notes, short.on_bad = source.notes, source.on_bad
    short.collecting = source.collecting
    short.units, short.holders = source.units, source.holders
    return short


class _Shortened:
    """A binary file that leaves out what is long between `internal-file>` and the next `<`."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._ready = b""
        self._rest = b""  # read, and may begin the tag
        self._kept = -1  # bytes of the embedded file so far; -1 outside of one

    def read(self, size: int) -> bytes:
        while not self._ready:
            data = self._stream.read(_SIZE)
            if not data:
                self._ready, self._rest = self._rest, b""
                break
            self._ready = self._passed(self._rest + data)
        given, self._ready = self._ready[:size], self._ready[size:]
        return given

    def _passed(self, data: bytes) -> bytes:
        """Return what stays of some bytes, and keep back the end, if the tag may begin there."""
        parts, at = [], 0
        self._rest = b""
        while at < len(data):
            if self._kept >= 0:
                end = cast("re.Match[bytes]", _BASE64.match(data, at)).end()
                stays = max(0, _FREE - self._kept)
                parts.append(data[at : min(end, at + stays)])
                parts.append(b"\n" * data.count(b"\n", min(end, at + stays), end))
                self._kept = -1 if end < len(data) else self._kept + end - at
                at = end
                continue
            tag = _TAG.search(data, at)
            if tag:
                parts.append(data[at : tag.end()])
                at, self._kept = tag.end(), 0
                continue
            cut = data.rfind(_NAME, at)
            cut = max(at, len(data) - len(_NAME)) if cut < 0 else cut
            cut = len(data) if len(data) - cut > _LONGEST else cut
            parts.append(data[at:cut])
            self._rest = data[cut:]
            break
        return b"".join(parts)

    def close(self) -> None:
        """Leave the file to whom it belongs."""


def _sniff(head: bytes) -> int:
    return 95 if sniff_version(head) == 1 else 0


def _read(source: Source, options: ReadOptions) -> Iterator[Bitext]:
    return read_documents(source, options)


def read_documents(
    source: Source,
    options: ReadOptions,
    *,
    more: Callable[[Element], dict[str, dict[str, str]]] | None = None,
) -> Iterator[Bitext]:
    """Yield the document pairs of a file; `more` gives further columns of a unit, by `mid`."""
    return _Documents(shortened(source), options, more).read()


class _Documents(Documents):
    """The documents of a file of version 1."""

    units = "trans-unit"
    holders = ("body", "group", "trans-unit", "bin-unit")
    of_file = ("original", "source-language", "target-language", "translate")
    passed = ("bin-unit", "internal-file")

    def __init__(
        self,
        source: Source,
        options: ReadOptions,
        more: Callable[[Element], dict[str, dict[str, str]]] | None,
    ) -> None:
        super().__init__(source, options)
        self._more = more
        self._names = ("", "")

    def root(self, element: Element) -> None:
        prefix = str(element.tag).removesuffix("xliff")
        self._names = (f"{prefix}source", f"{prefix}target")
        version = str(element.get("version", "1"))
        if not version.startswith("1"):
            raise self.source.error(
                f"is XLIFF {version[:20]!r}, not 1.x; read it as another format "
                f"({remedy('from xliff2')})",
                line_of(element),
            )

    def languages(self, file: Element) -> tuple[str, str]:
        codes = (file.get("source-language", ""), file.get("target-language", ""))
        return known(str(codes[0])), known(str(codes[1]))

    def name(self, file: Element) -> str:
        return str(file.get("original", ""))

    def unit(self, unit: Element, beads: UnitBeads) -> None:
        translate = self.translate[-1]
        plain = self._plain(unit) if translate and all(beads.langs) else None
        if plain:
            beads.add_plain(*plain)
            return
        self._see_languages(unit, beads)
        beads.add_unit(read_unit(self.source, unit, translate=translate, more=self._more))

    def _plain(self, unit: Element) -> tuple[str, str, dict[str, str]] | None:
        """Return the texts of what most units are: nothing but an id and two texts."""
        if len(unit) != 2 or len(unit.attrib) != 1:
            return None
        name, (src, tgt) = original_id(unit.get("id"))[1], unit
        if not name or src.tag != self._names[0] or tgt.tag != self._names[1]:
            return None
        if len(src) or len(tgt) or src.attrib or tgt.attrib:
            return None
        return str(src.text or ""), str(tgt.text or ""), {"id": name}

    def _see_languages(self, unit: Element, beads: UnitBeads) -> None:
        """Note a text in another language than its document; take it where that has none."""
        langs = list(beads.langs)
        for side, name in enumerate(("source", "target")):
            part = next((child for child in unit if local_name(child) == name), None)
            told = known(str(part.get(XML_LANG, ""))) if part is not None else ""
            if told and not langs[side]:
                langs[side] = told
                beads.langs = (langs[0], langs[1])
            elif told and not finds(told, langs[side]):
                kind = "texts in another language than that of their document"
                if finds(langs[side], told):
                    kind = "codes of languages that say more than that of their document, left out"
                first = f"{place(self.source, unit)}: {told[:40]}, not {langs[side][:40]}"
                self.source.notes.add(kind, first)


FORMAT = Format(
    name="xliff12",
    title="XLIFF 1.2 (1.0 and 1.1 are read too), segments paired by mid",
    holds="text",
    suffixes=(".xlf", ".xliff", ".mqxliff", ".mxliff"),
    sniff=_sniff,
    names_languages=True,
    read=_read,
    write=write,
    keeps=KEEPS,
    keeps_in_props=replace(KEEPS, ids=True),
    streams=True,
    units=("trans-unit", "bin-unit"),
    holders=("file", "group"),
)


# SDLXLIFF, of SDL Trados Studio: XLIFF 1.2 with things of its own, in the namespace `sdl`.
#
#     <trans-unit id="..."><source>One. Two.</source>
#         <seg-source><mrk mtype="seg" mid="1">One.</mrk> <mrk mtype="seg" mid="2">Two.</mrk>
#             </seg-source>
#         <target><mrk mtype="seg" mid="1">Un.</mrk> <mrk mtype="seg" mid="2"/></target>
#         <sdl:seg-defs><sdl:seg id="1" conf="Translated" origin="tm" percent="100"/>...
#
# Read as XLIFF 1.2 (`xliff12` says how), and `sdl:seg` besides: its attributes are columns
# `sdl:conf`, `sdl:origin`, `sdl:percent` and so on of the segment with that `mid`, its values
# columns `sdl:KEY`. Most units hold only codes and are not to be translated; they are left out,
# and counted. A target that nobody has written yet is there, but empty. Not written: Studio wants
# definitions of tags that no other format has.

_NAMESPACE = b"http://sdl.com/FileTypes/SdlXliff/"


def _sniff_sdlxliff(head: bytes) -> int:
    return 97 if sniff_version(head) == 1 and _NAMESPACE in head.replace(b"\0", b"") else 0


def _read_sdlxliff(source: Source, options: ReadOptions) -> Iterator[Bitext]:
    return read_documents(source, options, more=_segments)


def _segments(unit: Element) -> dict[str, dict[str, str]]:
    """Return what is told of each segment of a unit, by its `mid`."""
    found: dict[str, dict[str, str]] = {}
    for definitions in unit.iterchildren("{*}seg-defs"):
        for segment in definitions:
            columns = found.setdefault(str(segment.get("id", "")), {})
            for name in ("conf", "origin", "origin-system", "percent", "text-match", "locked"):
                value = segment.get(name)
                if value is not None:
                    columns[f"sdl:{name}"] = str(value)
            for child in segment:
                if local_name(child) == "value":
                    columns[f"sdl:{child.get('key', '')}"] = str(child.text or "")
    return found


SDLXLIFF = Format(
    name="sdlxliff",
    title="XLIFF 1.2 as SDL Trados Studio writes it (read)",
    holds="text",
    suffixes=(".sdlxliff",),
    sniff=_sniff_sdlxliff,
    read=_read_sdlxliff,
    streams=True,
    units=("trans-unit", "bin-unit"),
    holders=("file", "group"),
)
