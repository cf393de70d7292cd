"""From the units of a TMX file to bisegments with their columns.

Several texts of a unit in one language pair off, in order, with those in the other; where one side
has fewer, its last one serves again. Texts in further languages are columns `lang:de`, of which a
second one in a unit is `lang:de#2`.
"""

from __future__ import annotations

from math import isnan, nan
from typing import TYPE_CHECKING

from bitext.formats.inline import Beads
from bitext.formats.lines import score_of
from bitext.formats.tmx_borders import NAME, RESERVED, Placed
from bitext.formats.tmx_columns import SCORE, columns_of
from bitext.formats.tmx_languages import TARGET, Languages

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitext.formats.opening import Source
    from bitext.formats.registry import ReadOptions
    from bitext.formats.tmx_units import Header, Unit, Variant
    from bitext.model import Bitext

__all__ = ["Sides"]


class Sides:
    """Collects the bisegments of the units of a file.

    Parameters
    ----------
    source : Source
        The file; takes notes.
    options : ReadOptions
        Name the languages asked for, and say whether parts are wanted.
    header : Header
        That of the file.

    Attributes
    ----------
    languages : Languages
        Tells the sides.
    beads : Beads
        Takes the bisegments; those of files with the places of segments go elsewhere.

    """

    def __init__(self, source: Source, options: ReadOptions, header: Header) -> None:
        self._source, self._options = source, options
        self.languages = Languages(source, options, header)
        meta = dict(header.attributes)
        if header.version:
            meta["version"] = header.version
        meta.update(columns_of("", [extra for extra in header.extras if extra.type != TARGET]))
        asked = {"srclang": options.src_lang, "targetlang": options.tgt_lang}
        meta.update({name: code for name, code in asked.items() if code})
        self.beads = Beads(source, options, meta=meta)
        self._placed: Placed | None = None
        self._begun = False
        if not header.there:
            source.notes.add("files without a header", source.path)

    @property
    def plain(self) -> bool:
        """Whether bisegments may be put straight into `beads`."""
        return self._placed is None and self._begun

    def add(self, unit: Unit) -> Iterator[Bitext]:
        """Add a unit; yield a bitext where one, or a part of one, is whole."""
        if not self._begun:
            self._begun = True
            if any(extra.type == NAME for extra in unit.extras):
                self._placed = Placed(self._source, self._options, self.beads.meta)
        self.languages.settle(unit)
        if self._placed is not None:
            yield from self._placed.begin(unit, self.languages.langs)
        self.beads.line = unit.line
        self._take(unit)
        self.settle_languages()
        if self._placed is not None:
            yield from self._placed.parts()
        else:
            yield from self.beads.parts()

    def settle_languages(self) -> None:
        """Give the languages known by now to what collects the bisegments."""
        self.beads.langs = self.languages.langs
        if self._placed is not None:
            self._placed.langs = self.languages.langs

    def rest(self) -> Iterator[Bitext]:
        """Yield what is left, if there were texts in the languages asked for."""
        self.settle_languages()
        self.languages.check_found()
        yield from self.beads.rest() if self._placed is None else self._placed.rest()

    def _take(self, unit: Unit) -> None:
        sides = self._sides(unit)
        shared, score = self._shared(unit)
        pairs = max(map(len, sides[:2]))
        if not pairs:
            self._note("units without the languages wanted, left out", unit)
            return
        if pairs > 1:
            kind = "units with several texts in a language, paired off in order"
            self._note(kind, unit, f"{len(sides[0])} and {len(sides[1])}")
        further = self._further(unit, sides[2])
        for k in range(pairs):
            src, tgt = (side[min(k, len(side) - 1)] if side else None for side in sides[:2])
            self._put(unit, src, tgt, {**shared, **further}, score)

    def _sides(self, unit: Unit) -> tuple[list[Variant], list[Variant], list[Variant]]:
        sides: tuple[list[Variant], list[Variant], list[Variant]] = ([], [], [])
        for variant in unit.variants:
            side = self.languages.side(variant.lang)
            if side is not None and self.languages.same:
                side = int(bool(sides[0]))
            sides[2 if side is None else side].append(variant)
        if self.languages.same and sides[1]:
            self.languages.pair()
        return sides

    def _put(
        self,
        unit: Unit,
        src: Variant | None,
        tgt: Variant | None,
        attributes: dict[str, str],
        score: float,
    ) -> None:
        """Put in one bisegment."""
        segments: list[list[str]] = [[], []]
        marked: list[list[str | None]] = [[], []]
        for side, variant in enumerate((src, tgt)):
            if variant is None:
                continue
            attributes.update(self._own(("src.", "tgt.")[side], side, variant))
            segments[side], marked[side] = variant.segments, variant.marked
        if self._placed is not None:
            texts, marks = (segments[0], segments[1]), (marked[0], marked[1])
            given = {extra.type: extra.text for extra in unit.extras if extra.type in RESERVED}
            self._placed.add(unit.line, texts, marks, attributes, given, score)
            return
        if not any(segments):
            self._note("units without any segment, left out", unit)
            return
        if not all(segments):
            self._note("units with a text in one of the two languages only", unit)
        known = any(any(side) for side in marked)
        self.beads.add(
            segments[0],
            segments[1],
            score,
            attributes=attributes,
            marked=(marked[0], marked[1]) if known else None,
        )

    def _own(self, prefix: str, side: int, variant: Variant) -> Iterator[tuple[str, str]]:
        if variant.lang != self.languages.codes[side]:
            yield f"{prefix}xml:lang", variant.lang
        for name, value in variant.attributes.items():
            yield f"{prefix}{name}", value
        yield from columns_of(prefix, variant.extras)

    def _shared(self, unit: Unit) -> tuple[dict[str, str], float]:
        """Return the columns of a unit, and its score."""
        score, rest = nan, []
        for extra in unit.extras:
            if self._placed is not None and extra.type in RESERVED:
                continue
            found = score_of(extra.text) if extra.type == SCORE and isnan(score) else None
            if found is None or isnan(found):
                rest.append(extra)
            else:
                score = found
        return {**unit.attributes, **dict(columns_of("", rest))}, score

    def _further(self, unit: Unit, variants: list[Variant]) -> dict[str, str]:
        columns: dict[str, str] = {}
        for variant in variants:
            name, count = f"lang:{variant.lang}", 1
            while name in columns:
                count += 1
                name = f"lang:{variant.lang}#{count}"
            columns[name] = " ".join(variant.segments)
            if variant.attributes or variant.extras or any(variant.marked):
                kind = "texts in further languages with marks, attributes or props, left out"
                self._note(kind, unit, variant.lang)
        return columns

    def _note(self, kind: str, unit: Unit, case: str = "") -> None:
        where = f"{self._source.path} line {unit.line}"
        self._source.notes.add(kind, f"{where}: {case}" if case else where)
