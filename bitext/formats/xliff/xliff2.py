"""XLIFF 2.0 to 2.2: XML of translation tools; a `unit` a paragraph, a `segment` a bisegment.

    <xliff version="2.0" srcLang="en" trgLang="fr" xmlns="urn:oasis:names:tc:xliff:document:2.0">
        <file id="1"><unit id="1">
            <segment><source>One.</source><target order="3">Un.</target></segment>
            <ignorable><source> </source></ignorable>
            <segment><source>Two.</source><target order="1">Deux.</target></segment>
        </unit></file></xliff>

Each `file` is a document pair. `order` tells the place of a target in its unit, where that is not
the place of the segment: then bisegments cross. `ignorable` stands between segments and is none of
them. An absent target is an empty side, an empty target a segment without characters. `cp` stands
for a character that XML forbids. Skeletons and other files that are named are never opened.

What is odd but readable is noted: segments without a target, `translate="no"` (read as the others),
ids that repeat, modules that are left out, targets that have one place (read in the order of the
source). A segment without a source is an error, and so is a `cp` that is no character. Files that
are invalid by other rules are read, as far as text and order are told. Codes and `mrk` are in
`Text.marked` (the table is in `xliff2_sides`).

| kept | where |
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
bisegment, paragraphs. A file holds one pair of languages. Written files are 2.0, valid by the core
schema; codes are numbered anew where their numbers do not ascend from 1.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from bitext.errors import FormatError
from bitext.formats.languages import finds, known
from bitext.formats.registry import Format, ReadOptions
from bitext.formats.xliff.codes import original_id
from bitext.formats.xliff.common import KEEPS, XML_LANG, Documents, place, sniff_version
from bitext.formats.xliff.reading2 import read_unit
from bitext.formats.xliff.writing2 import write
from bitext.formats.xml.safe import line_of
from bitext.option_names import remedy

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.etree import _Element as Element

    from bitext.formats.io.source import Source
    from bitext.formats.xliff.common import UnitBeads
    from bitext.model import Bitext

__all__ = ["FORMAT"]

_CODE = re.compile(r"[a-zA-Z]{1,8}(?:-[a-zA-Z0-9]{1,8})*")


def _sniff(head: bytes) -> int:
    return 95 if sniff_version(head) >= 2 else 0


def _read(source: Source, options: ReadOptions) -> Iterator[Bitext]:
    return _Documents(source, options).read()


class _Documents(Documents):
    """The documents of a file of version 2."""

    units = "unit"
    holders = ("group", "unit", "skeleton")
    of_file = ("id", "original", "translate")
    passed = ("skeleton",)

    def __init__(self, source: Source, options: ReadOptions) -> None:
        super().__init__(source, options)
        self._langs = ("", "")
        self._files: set[str] = set()
        self._bare = (0, "")  # translations of the document without a state, and the first
        self._stated = False
        self._names = ("", "", "")

    def root(self, element: Element) -> None:
        prefix = str(element.tag).removesuffix("xliff")
        self._names = (f"{prefix}segment", f"{prefix}source", f"{prefix}target")
        version = str(element.get("version", "2"))
        if not version.startswith("2"):
            raise self.source.error(
                f"is XLIFF {version[:20]!r}, not 2.x; read it as another format "
                f"({remedy('from xliff12')})",
                line_of(element),
            )
        codes = [str(element.get(name, "")) for name in ("srcLang", "trgLang")]
        for code in codes:
            if code and not _CODE.fullmatch(code):
                kind = "languages by no code, taken as they are"
                self.source.notes.add(kind, f"{place(self.source, element)}: {code[:40]!r}")
        self._langs = (known(codes[0]), known(codes[1]))

    def languages(self, file: Element) -> tuple[str, str]:
        name = str(file.get("id", ""))
        if name in self._files:
            kind = "documents with the id of another one"
            self.source.notes.add(kind, f"{place(self.source, file)}: {name[:40]}")
        self._files.add(name)
        return self._langs

    def name(self, file: Element) -> str:
        return str(file.get("original") or original_id(file.get("id"))[1])

    def unit(self, unit: Element, beads: UnitBeads) -> None:
        plain = self._plain(unit) if self.translate[-1] else None
        if plain:
            self._see_state(unit, None)
            beads.add_plain(*plain)
            return
        for segment in unit:
            for element in segment.iterchildren("{*}target"):
                told = known(str(element.get(XML_LANG, "")))
                if told and not finds(beads.langs[1], told) and not finds(told, beads.langs[1]):
                    kind = "texts in another language than that of their document"
                    self.source.notes.add(kind, f"{place(self.source, element)}: {told[:40]}")
        try:
            rows = read_unit(self.source, unit, translate=self.translate[-1])
        except FormatError as error:
            # What is wrong concerns this unit only.
            if self.source.on_bad is None:
                raise
            self.source.on_bad(error)
        else:
            for row in rows:
                if row.tgt:
                    self._see_state(unit, row.columns.get("state"))
            beads.add_unit(rows)

    def _see_state(self, unit: Element, state: str | None) -> None:
        self._stated |= state is not None
        if state is None:
            count, first = self._bare
            self._bare = (count + 1, first or place(self.source, unit))

    def _end(self, name: str, element: Element) -> None:
        if name == "file":
            if self._stated and self._bare[0]:
                way = remedy("where state!=")
                kind = (
                    "translations without a state, where others have one, taken as translations "
                    f"and not as initial ({way} leaves them out)"
                )
                self.source.notes.add(kind, self._bare[1], self._bare[0])
            self._bare, self._stated = (0, ""), False
        super()._end(name, element)

    def _plain(self, unit: Element) -> tuple[str, str, dict[str, str]] | None:
        """Return the texts of what most units are: an id, and a segment of nothing but texts."""
        if len(unit) != 1 or len(unit.attrib) != 1:
            return None
        name, segment = original_id(unit.get("id"))[1], unit[0]
        if not name or segment.tag != self._names[0] or len(segment) != 2 or segment.attrib:
            return None
        src, tgt = segment
        if src.tag != self._names[1] or tgt.tag != self._names[2]:
            return None
        if len(src) or len(tgt) or src.attrib or tgt.attrib:
            return None
        return str(src.text or ""), str(tgt.text or ""), {"id": name}


_KEEPS = replace(KEEPS, controls=True)

FORMAT = Format(
    name="xliff2",
    title="XLIFF 2.0 (2.1 and 2.2 are read too), one segment a bisegment",
    holds="text",
    suffixes=(".xlf", ".xliff"),
    sniff=_sniff,
    names_languages=True,
    read=_read,
    write=write,
    keeps=_KEEPS,
    keeps_in_props=replace(_KEEPS, ids=True),
    streams=True,
    units=("unit",),
    holders=("file", "group"),
)
