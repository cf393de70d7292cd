"""Bisegments and their columns from the units of a TMX file.

Several texts of a unit in one language pair off, in order, with the texts in the other language;
the shorter side repeats its last text. Texts in further languages are columns `lang:de`, the second
in a unit is `lang:de#2`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import isnan, nan

from bitext.errors import FormatError, remedy
from bitext.formats.beads import Beads
from bitext.formats.io.source import Notes, Source
from bitext.formats.languages import finds, known, normal
from bitext.formats.registry import LANGUAGE, MARKS, ReadOptions
from bitext.formats.scores import score_of
from bitext.formats.tmx.units import (
    NAME,
    RESERVED,
    SCORE,
    Header,
    PlacedBeads,
    Unit,
    Variant,
    columns_of,
)
from bitext.formats.xml import escape
from bitext.formats.xml.inline_codes import joined
from bitext.model import Bitext

# Which texts of a unit are the source, the target, or neither.
#
# The user chooses the languages; else the source is `srclang`, the target the one other language.
# Units decide in their order, and a decision holds to the end of the file.

_PLACES = re.compile(
    rb"""type=["']x-(?:src|tgt)-(?:lengths|positions)["'][^<>]*>\s*[0-9]+(?: [0-9]+)*\s*<"""
)
LONE = "units with a text in one of the two languages only"
TARGET = "x-targetlang"  # type of the prop with the target language in a header


class Languages:
    """Assigns texts to sides by the codes of their languages.

    `options` have the languages that the user chose, and the header names the source language.
    `codes` are the codes of source and target as first written; empty until then. `same` is true if
    the user chose one language for both sides. `notes` takes the notes, by default the source.
    """

    def __init__(
        self, source: Source, options: ReadOptions, header: Header, notes: Notes | None = None
    ) -> None:
        self._source = source
        self._notes = source.notes if notes is None else notes
        self._requested = options.languages
        self.same = bool(options.src_lang) and normal(options.src_lang) == normal(options.tgt_lang)
        claim = header.attributes.get("srclang", "").strip()
        self._claim = "" if claim == "*all*" else claim
        self._wanted = [options.src_lang, options.tgt_lang]
        named = [extra.text for extra in header.extras if extra.type == TARGET]
        self._in_header = [self._claim, *named]
        if not options.tgt_lang:
            self._wanted[1] = named[0] if named and not finds(options.src_lang, named[0]) else ""
        self._named = bool(self._wanted[1]) and not options.tgt_lang
        own = self._named and not options.src_lang
        if own:
            self._wanted[0] = self._claim
        self._sides: dict[str, int | None] = {}
        self._looked = False
        self._seen: dict[str, None] = {}
        self._every = options.every_language
        self._paired = False
        self.codes = list(self._wanted) if own else ["", ""]

    def side(self, code: str) -> int | None:
        """Return 0 for a code of the source, 1 for a code of the target, else `None`."""
        if code not in self._sides:
            self._sides[code] = self._side(code)
        return self._sides[code]

    def _side(self, code: str) -> int | None:
        fits = [
            (normal(wanted) == normal(code), len(normal(wanted)), -side)
            for side, wanted in enumerate(self._wanted)
            if wanted and finds(wanted, code)
        ]
        if not fits:
            return None
        side = -max(fits)[2]
        if not self.codes[side]:
            self.codes[side] = code
        wanted = self._wanted[side]
        if wanted and normal(wanted) != normal(code):
            kind = "codes of languages that say more than the one wanted, taken as that language"
            self._notes.add(kind, f"{self._source.path}: {code} for {wanted}")
        return side

    @property
    def further(self) -> set[str]:
        """The codes of neither side so far."""
        return {code for code, side in self._sides.items() if side is None}

    @property
    def langs(self) -> tuple[str, str]:
        """The languages of the two texts, as far as known."""
        src = self.codes[0] or self._wanted[0] or self._claim
        return known(src), known(self.codes[1] or self._wanted[1])

    @property
    def are_settled(self) -> bool:
        """Whether units with texts in the two languages, or in one, leave the languages as is."""
        return all(self.codes) and all(code in self._sides for code in self.codes)

    def settle(self, unit: Unit) -> bool:
        """Update the languages by a unit; return whether a side is new.

        Raises `FormatError` when the unit has more than two languages and the user chose none.
        """
        if all(variant.lang in self._sides for variant in unit.variants):
            return False
        codes = list({normal(v.lang): v.lang for v in reversed(unit.variants)}.values())[::-1]
        self._seen.update(dict.fromkeys(codes))
        if len(codes) > 1 and not self._looked:
            self._looked = True
            self._compare_source_language(unit, codes)
        if not all(self._wanted):
            self._choose_open_languages(unit, codes)
        for code in codes:
            if self.side(code) is None and not (all(self._requested) or self._named or self._every):
                self._note_further(code, f"{self._source.path} line {unit.line}: {code}")
        return True

    def _note_further(self, code: str, place: str) -> None:
        """Note the texts of a further language, which may be another kind of one of the two."""
        src, tgt = (normal(wanted).split("-")[0] for wanted in self._wanted)
        ways = remedy("src-lang", "tgt-lang")
        kind = f"further languages that appear late, read as columns; name the two wanted ({ways})"
        if src != tgt and normal(code).split("-")[0] in {src, tgt}:
            ways = remedy(f"src-lang {src}", f"tgt-lang {tgt}")
            kind = "texts in another kind of one of the two languages, read as columns"
            kind = f"{kind} ({ways} take all)"
        self._notes.add(kind, place)

    def pair(self) -> None:
        """Record a unit with two texts in the one chosen language."""
        self._paired = True

    def check_languages(self) -> None:
        """Check after the last unit that there were texts in the chosen languages.

        Raises `FormatError` when no unit had a text in a chosen language: the code may be mistyped.
        """
        if not self._seen:
            return
        missing = [
            repr(requested)
            for requested, code in zip(self._requested, self.codes, strict=True)
            if requested
            and not code
            and not self.same
            # A language that the header names needs no text.
            and not any(named and finds(requested, named) for named in self._in_header)
        ]
        options = remedy("src-lang", "tgt-lang")
        holds = f"it holds {', '.join(list(self._seen)[:30])}"
        if missing:
            raise self._source.error(
                f"has no text in {' nor in '.join(missing)}; {holds}: ask for two of them "
                f"({options})"
            )
        if self.same and not self._paired:
            raise self._source.error(
                f"has no unit with two texts in {self._requested[0]!r}, which is asked for on both "
                f"sides; {holds}: ask for two of them ({options})"
            )

    def _compare_source_language(self, unit: Unit, codes: list[str]) -> None:
        claim = self._source_language(unit)
        if (
            claim
            and not any(finds(claim, code) for code in codes)
            and not _only_variant(claim, codes)
        ):
            self._notes.add(
                "files whose srclang is the language of no text",
                f"{self._source.path} line {unit.line}: {claim}, and here are {', '.join(codes)}",
            )

    def _source_language(self, unit: Unit) -> str:
        """Return the source language of the unit, or else of the file."""
        claim = unit.attributes.get("srclang", "").strip()
        return self._claim if claim in {"", "*all*"} else claim

    def _choose_source(self, unit: Unit, codes: list[str], rest: list[str], claim: str) -> str:
        """Choose the source among the `rest` of the codes of a unit; note a choice that may err."""
        src = kind = case = ""
        if any(claim and finds(claim, code) for code in rest):
            src = claim
            others = [code for code in rest if not finds(claim, code)]
            if self._claim and any(finds(self._claim, code) for code in others):
                kind = "whose first unit has another srclang than the header, taken as the source"
                kind, case = f"{kind} of all", f"{claim}, not {self._claim}"
        elif claim and (alike := _only_variant(claim, rest)):
            src = alike
            if not self._requested[0]:
                kind = "whose texts are in another kind of the language of srclang, taken as"
                kind, case = f"{kind} the source", f"{alike} for {claim}"
        elif rest and (not claim or len(codes) > 1):
            src = rest[0]
            if not self._wanted[1] and not claim and len(codes) > 1 and not self._every:
                kind = "that do not say which language is the source, of which the first is taken"
                case = f"{src} of {', '.join(codes[:30])}"
        if kind:
            kind = f"files {kind} ({remedy('src-lang')} names another)"
            self._notes.add(kind, f"{self._source.path} line {unit.line}: {case}")
        return src

    def _choose_open_languages(self, unit: Unit, codes: list[str]) -> None:
        src, tgt = self._wanted
        claim = self._source_language(unit)
        if tgt and claim and finds(tgt, claim):
            claim = ""
        # With `pt` for `pt-BR` and `pt-PT`, the header does not tell the source from the target.
        if not (src or tgt) and len(codes) > 1 and all(_refines(code, claim) for code in codes):
            claim = ""
        if not src:
            rest = [code for code in codes if not (tgt and finds(tgt, code))]
            src = self._wanted[0] = self._choose_source(unit, codes, rest, claim)
        exact = any(normal(code) == normal(src) for code in codes)
        others = [
            code
            for code in codes
            if not (src and (normal(code) == normal(src) if exact else finds(src, code)))
        ]
        if not tgt and len(others) > 1 and not self._every:
            listed = ", ".join(codes[:30])
            wanted = self._requested[0]
            lacks = bool(wanted) and not any(finds(wanted, code) for code in codes)
            none = f", and none in {wanted!r}" if lacks else ""
            sides = ("src", "tgt") if lacks or not wanted else ("tgt",)
            requested = " and ".join(dict.fromkeys(remedy(f"{side}-lang") for side in sides))
            raise self._source.error(
                f"holds texts in {len(codes)} languages: {listed}{none}; choose two ({requested})",
                unit.line,
            )
        if not tgt and others:
            self._wanted[1] = others[0]
        self._sides.clear()


def _refines(code: str, wider: str) -> bool:
    return bool(wider) and normal(code) != normal(wider) and finds(wider, code)


def _only_variant(claim: str, codes: list[str]) -> str:
    """Return the only code of the claimed language in another kind: `en`, `en-GB` for `en-US`."""
    main = normal(claim).partition("-")[0]
    alike = [code for code in codes if finds(main, code)]
    return alike[0] if len(alike) == 1 else ""


def has_places(source: Source) -> bool:
    """Check the head of a file for borders or positions of segments in units.

    The first unit, which says that there are some, may be deleted. Nothing is consumed.
    """
    return _PLACES.search(source.head().replace(b"\0", b"")) is not None  # also in UTF-16


class BeadCollector:
    """Collects the bisegments of the units of a file.

    `languages` assigns texts to sides, and `beads` takes the bisegments. `begun` is true once the
    first unit was added. `is_placed` is true if early units have borders or positions of segments.
    """

    def __init__(
        self, source: Source, options: ReadOptions, header: Header, *, is_placed: bool = False
    ) -> None:
        self._source, self._options, self._header = source, options, header
        self.languages, self.is_placed = Languages(source, options, header), is_placed
        meta = dict(header.attributes)
        if header.version:
            meta["version"] = header.version
        meta.update(columns_of("", [extra for extra in header.extras if extra.type != TARGET]))
        requested = {"srclang": options.src_lang, "targetlang": options.tgt_lang}
        meta.update({name: code for name, code in requested.items() if code})
        self.beads = Beads(source, options, meta=meta)
        self._placed: PlacedBeads | None = None  # the same, in files with positions of segments
        self.begun = False
        if not header.there:
            source.note("files without a header")

    @property
    def plain(self) -> bool:
        """Whether bisegments may be added directly to `beads`."""
        return self._placed is None and self.begun

    def foreseen(self, unit: Unit) -> list[str]:
        """Return the codes of source and target that the first unit will settle, without notes.

        Both are empty where the two languages are one, and where the unit will be refused.
        """
        languages = Languages(self._source, self._options, self._header, Notes())
        try:
            languages.settle(unit)
        except FormatError:
            return ["", ""]
        return ["", ""] if languages.same else languages.codes

    def begin(self, unit: Unit) -> None:
        """Settle the languages of the first unit, where the unit is added in another way."""
        self.begun = True
        self.languages.settle(unit)
        self.beads.line = unit.line
        self.settle_languages()

    def add(self, unit: Unit) -> Iterator[Bitext]:
        """Add a unit; yield a bitext when one, or a part of one, is complete."""
        if not self.begun:
            self.begun = True
            named = any(extra.type == NAME for extra in unit.extras)
            if self.is_placed and not named:
                kind = f"files whose first unit has no {NAME} (was one deleted?), read with beads"
                self._note(kind, unit)
            if self.is_placed or named:
                meta = self.beads.meta
                self.beads = self._placed = PlacedBeads(self._source, self._options, meta=meta)
        new = self.languages.settle(unit)
        if self._placed is not None:
            yield from self._placed.begin(unit, self.languages.langs)
        self.beads.line = unit.line
        self._take(unit)
        if new:
            self.settle_languages()
        yield from self.beads.parts()

    def settle_languages(self) -> None:
        """Pass the languages known so far to the collectors of bisegments."""
        self.beads.langs = self.languages.langs

    def rest(self) -> Iterator[Bitext]:
        """Yield the remaining bitext, if there were texts in the chosen languages."""
        self.settle_languages()
        self.languages.check_languages()
        yield from self.beads.rest()

    def _take(self, unit: Unit) -> None:
        sides = self._sides(unit)
        shared, score = self._unit_columns(unit)
        pairs = max(map(len, sides[:2]))
        further = self._options.every_language and self._placed is None and bool(sides[2])
        if not pairs and not further:
            self._note("units without the languages wanted, left out", unit)
            return
        if pairs > 1:
            kind = "units with several texts in a language, paired off in order"
            self._note(kind, unit, f"{len(sides[0])} and {len(sides[1])}")
        shared.update(self._further(unit, sides[2]))
        if not pairs:
            self.beads.add([""], [], score, attributes=shared)
        for k in range(pairs):
            src, tgt = (side[min(k, len(side) - 1)] if side else None for side in sides[:2])
            self._put(unit, src, tgt, shared if pairs == 1 else dict(shared), score)

    def _sides(self, unit: Unit) -> tuple[list[Variant], list[Variant], list[Variant]]:
        sides: tuple[list[Variant], list[Variant], list[Variant]] = ([], [], [])
        same = self.languages.same
        for variant in unit.variants:
            side = self.languages.side(variant.lang)
            if side is not None and same:
                side = int(bool(sides[0]))
            sides[2 if side is None else side].append(variant)
        if same and sides[1]:
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
        codes = self.languages.codes
        segments: list[list[str]] = [[], []]
        marked: list[list[str | None]] = [[], []]
        for side, variant in enumerate((src, tgt)):
            if variant is None:
                continue
            if variant.lang != codes[side] or variant.attributes or variant.extras:
                attributes.update(self._own(("src.", "tgt.")[side], side, variant))
            segments[side], marked[side] = variant.segments, variant.marked
        if self._placed is not None:
            texts, marks = (segments[0], segments[1]), (marked[0], marked[1])
            given = {extra.type: extra.text for extra in unit.extras if extra.type in RESERVED}
            self._placed.add_unit(texts, marks, attributes, given, score)
            return
        if not any(segments):
            self._note("units without any segment, left out", unit)
            return
        if not all(segments) and not self._options.every_language:
            self._note(LONE, unit)
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

    def _unit_columns(self, unit: Unit) -> tuple[dict[str, str], float]:
        if not unit.extras:
            return dict(unit.attributes), nan
        score, rest = nan, []
        for extra in unit.extras:
            if self._placed is not None and extra.type in RESERVED:
                continue
            number = score_of(extra.text) if extra.type == SCORE and isnan(score) else None
            if number is None or isnan(number):
                rest.append(extra)
            else:
                score = number
        return {**unit.attributes, **dict(columns_of("", rest))}, score

    def _further(self, unit: Unit, variants: list[Variant]) -> dict[str, str]:
        columns: dict[str, str] = {}
        for variant in variants:
            name, count = f"{LANGUAGE}{variant.lang}", 1
            while name in columns:
                count += 1
                name = f"{LANGUAGE}{variant.lang}#{count}"
            columns[name] = " ".join(variant.segments)
            marked = any(variant.marked)
            if marked and self._options.every_language:
                texts = zip(variant.segments, variant.marked, strict=True)
                marks = joined([escape(text) if xml is None else xml for text, xml in texts])
                columns[f"{MARKS}{name.removeprefix(LANGUAGE)}"] = marks
                marked = False
            if variant.attributes or variant.extras or marked:
                kind = "texts in further languages with marks, attributes or props, left out"
                self._note(kind, unit, variant.lang)
        return columns

    def _note(self, kind: str, unit: Unit, case: str = "") -> None:
        self._source.note(kind, case or None, line=unit.line)
