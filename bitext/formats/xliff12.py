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

from dataclasses import replace
from typing import TYPE_CHECKING

from bitext.formats.languages import finds, known
from bitext.formats.registry import Format, ReadOptions
from bitext.formats.safexml import line_of, local_name
from bitext.formats.xliff12_units import read_unit
from bitext.formats.xliff12_writing import write
from bitext.formats.xliff_beads import UnitBeads, place
from bitext.formats.xliff_documents import KEEPS, XML_LANG, Documents, sniff_version
from bitext.formats.xliff_embedded import shortened
from bitext.formats.xliff_flow import original_id
from bitext.remedies import remedy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from lxml.etree import _Element as Element

    from bitext.formats.opening import Source
    from bitext.model import Bitext

__all__ = ["FORMAT", "read_documents"]


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
