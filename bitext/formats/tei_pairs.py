"""Bitexts of a TEI file: links or `corresp`, the texts found, pair by pair."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import TYPE_CHECKING

import numpy as np

from bitext.formats.attribute_columns import AttributeColumns
from bitext.formats.oddities import note_oddities
from bitext.formats.tei_choice import Wanted, pair_up
from bitext.formats.tei_columns import alignment_of, with_columns
from bitext.formats.tei_corresp import beads_of_corresp
from bitext.formats.tei_groups import Group, Links
from bitext.formats.tei_links import alignments, told_links
from bitext.formats.tei_plain import plain_groups
from bitext.formats.tei_pointers import Pointers
from bitext.formats.tei_quick import scan
from bitext.formats.tei_sides import Made, Sides, tell
from bitext.formats.tei_spelling import BARE
from bitext.formats.tei_texts import Side, Texts
from bitext.formats.tei_units import Units
from bitext.formats.xces_pairs import pair_name
from bitext.model import Bitext
from bitext.remedies import remedy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from bitext.formats.opening import Source
    from bitext.formats.registry import ReadOptions
    from bitext.formats.tei_columns import Bead
    from bitext.formats.tei_plain import Plain
    from bitext.formats.tei_pointers import Pointer
    from bitext.formats.tei_sides import Key
    from bitext.model import Alignment

__all__ = ["read_bitexts"]

_KEPT_META = ("type", "targFunc")


@dataclass(slots=True)
class _Whole:
    """A document pair with all its links, of one group or several."""

    src: Key
    tgt: Key
    links: list[Made]
    sides: Sides
    attributes: dict[str, str]
    line: int
    lonely: bool = False  # whether a segment in no link is a bisegment with an empty side
    plain: Plain | None = None  # which holds the links, in columns, in the place of `links`


def read_bitexts(source: Source, options: ReadOptions, *, quick: bool = True) -> Iterator[Bitext]:
    """Yield the bitexts of a file, one a document pair.

    Not `quick` is by the parser only, and link by link.

    Raises
    ------
    FormatError
        When there are no links and no `corresp`, a pointer cannot be followed, or the texts cannot
        be told; with the line.

    """
    reader = _Reader(source, options, quick=quick)
    pairs = reader.pairs()
    for k, pair in enumerate(pairs):
        bitext = reader.bitext(pair, alone=len(pairs) == 1, place=k + 1)
        yield replace(bitext, notes=source.notes.drain())


class _Reader:
    """Makes the bitexts of one file."""

    def __init__(self, source: Source, options: ReadOptions, *, quick: bool) -> None:
        self._source, self._options, self._columnar = source, options, quick
        self._scan = scan(source, quick=quick)
        self._pointers = Pointers(source, self._scan)
        self._units = Units(source, self._scan, self._pointers)
        self._texts = Texts(source, self._scan, self._units, options)
        self._names: Counter[str] = Counter()

    def pairs(self) -> list[_Whole]:
        """Return the document pairs of the file."""
        groups = alignments(self._source, self._scan)
        pairs = self._linked(groups) if groups else self._by_corresp()
        if len(pairs) > 1 and (self._options.src is not None or self._options.tgt is not None):
            raise self._source.error(
                f"holds several document pairs, while one text is given for all; give the folder "
                f"of the documents instead ({remedy('root')})",
                pairs[1].line,
            )
        return pairs

    def _linked(self, groups: list[Group]) -> list[_Whole]:
        places = self._scan.places
        pointing = [k for k, given in places.attributes.items() if given.get("corresp")]
        beside = np.intersect1d(np.array(pointing, dtype=np.int64), self._units.all)
        if beside.size:
            first = places[int(beside[0])]
            kind = "elements with corresp beside links, their corresp not taken"
            where = f"{self._source.path} line {first.line}: {first.id}"
            self._source.notes.add(kind, where, beside.size)
        self._add_columns(groups)
        options = self._options
        given = (options.src, options.tgt, options.over_src, options.over_tgt)
        plain = None
        if self._columnar and all(text is None for text in given):
            plain = plain_groups(groups, self._scan, self._pointers, self._units)
        if plain is not None:
            return [whole for each in plain for whole in self._paired_plain(each)]
        found: dict[frozenset[Key], _Whole] = {}
        for group in groups:
            links, sides = told_links(
                self._source, self._scan, self._pointers, self._units, self._texts, group
            )
            for whole in self._paired(links, sides, group):
                known = found.setdefault(frozenset((whole.src, whole.tgt)), whole)
                if known is not whole:
                    where = f"{self._source.path} line {group.line}"
                    self._source.notes.add("groups of the same two texts, merged", where)
                    known.links.extend(whole.links)
        return list(found.values())

    def _by_corresp(self) -> list[_Whole]:
        links, pointing = beads_of_corresp(self._source, self._scan, self._pointers, self._units)
        if not pointing:
            raise self._source.error(
                "holds no linkGrp, no link and no corresp of segments; give the file with the "
                "alignment, not a text of it"
            )
        line = links[0].line if links else 1
        group = Group({}, line, "", Links(AttributeColumns(self._source)))
        sides = tell(self._scan, self._pointers, group, links, pointing=pointing)
        if sides is None:
            raise self._source.error(
                "has segments with corresp of which nothing tells the text: give each text its "
                "xml:lang, or put each in a text of a group",
                group.line,
            )
        pairs = list(self._paired(links, sides, group))
        for pair in pairs:
            pair.lonely = True
        return pairs

    def _paired_plain(self, plain: Plain) -> Iterator[_Whole]:
        """Yield the pair of a plain group, turned as the languages asked for are."""
        plain.note(self._source.notes, self._source.path)

        def language_of(key: Key) -> str:
            return self._texts.language(key, self._texts.languages(plain.pointed(key)))

        for whole in self._chosen([plain.first], plain.sides, plain.group, language_of):
            whole.links, whole.plain = [], plain
            yield whole

    def _paired(self, links: list[Made], sides: Sides, group: Group) -> Iterator[_Whole]:
        langs: dict[Key, Counter[str]] = {}

        def language_of(key: Key) -> str:
            if not langs:
                langs.update(self._languages(links))
            return self._texts.language(key, langs.get(key, Counter()))

        yield from self._chosen(links, sides, group, language_of)

    def _chosen(
        self, links: list[Made], sides: Sides, group: Group, language_of: Callable[[Key], str]
    ) -> Iterator[_Whole]:
        wanted = Wanted(
            self._options.src_lang,
            self._options.tgt_lang,
            language_of,
            self._source,
            self._source.notes,
        )
        for pair in pair_up(links, sides, wanted, group.line):
            line = pair.links[0].line if pair.links else group.line
            yield _Whole(pair.src, pair.tgt, pair.links, sides, group.attributes, line)

    def _languages(self, links: list[Made]) -> dict[Key, Counter[str]]:
        """Count the languages of what is pointed to in each text."""
        found: dict[Key, Counter[str]] = {}
        for link in links:
            for pointer, key in zip(link.pointers, link.keys, strict=True):
                place = None if pointer.doc else self._scan.named(pointer.id)
                if place is not None and place.context.lang:
                    found.setdefault(key, Counter())[place.context.lang] += 1
        return found

    def _add_columns(self, groups: list[Group]) -> None:
        """Put what spans say of links into the attributes of these."""
        if not self._scan.columns:
            return
        by_id = {
            name: (group.links, k)
            for group in groups
            for k, name in enumerate(group.links.columns.column("id", len(group.links)))
            if name is not None
        }
        for kind, name, target, value in self._scan.columns:
            links, k = by_id.get(target.removeprefix("#"), (None, 0))
            if links is not None:
                # A blank is in no name of an attribute, so these two kinds cannot meet.
                links.put(k, "a score" if kind == "score" else f"a column {name}", value)

    def bitext(self, pair: _Whole, *, alone: bool, place: int) -> Bitext:
        """Make the bitext of a document pair."""
        if pair.plain is not None:
            return self._plain_bitext(pair, pair.plain, alone=alone, place=place)
        both = (pair.src, pair.tgt)
        over = (self._options.over_src, self._options.over_tgt) if alone else (None, None)
        rows: list[list[list[Pointer]]] = []
        for link in pair.links:
            row: list[list[Pointer]] = [[], []]
            for pointer, key in zip(link.pointers, link.keys, strict=True):
                row[key != pair.src].append(pointer)
            rows.append(row)
        flat = [[p for row in rows for p in row[which]] for which in (0, 1)]
        names = [self._texts.names(pointers) for pointers in flat]
        src, tgt = (
            self._texts.side(
                which,
                both[which],
                flat[which],
                pair.sides,
                over=over[which],
                names=names[1 - which],
                bare=pair.attributes.get("subtype") == BARE,
            )
            for which in (0, 1)
        )
        beads, kept = self._beads(pair, rows, (src, tgt))
        if pair.lonely:
            beads, kept = self._with_lonely(beads, kept, (src, tgt))
        alignment = alignment_of(beads, kept)
        lines = [link.line for link in kept]
        return self._made(pair, src, tgt, alignment, lines, alone=alone, place=place)

    def _plain_bitext(self, pair: _Whole, plain: Plain, *, alone: bool, place: int) -> Bitext:
        names = [self._units.names(plain.pointed(key)) for key in (pair.tgt, pair.src)]
        sides, rows = [], []
        for key, others in zip((pair.src, pair.tgt), names, strict=True):
            pointed = np.unique(plain.pointed(key))
            text, doc, heads = self._texts.own(key, pointed, plain.sides, others)
            sides.append(Side(text, {}, doc, own=True))
            rows.append(plain.rows(key, heads))
        links = plain.group.links
        columns = links.columns.whole(len(links))
        alignment = with_columns(rows, columns, len(links))
        return self._made(
            pair, sides[0], sides[1], alignment, links.lines, alone=alone, place=place
        )

    def _made(
        self,
        pair: _Whole,
        src: Side,
        tgt: Side,
        alignment: Alignment,
        lines: Sequence[int],
        *,
        alone: bool,
        place: int,
    ) -> Bitext:
        path = self._source.path
        if src.text.has_text and tgt.text.has_text:
            note_oddities(self._source, alignment, lambda k: f"{path} line {lines[k]}")
        meta = {key: pair.attributes[key] for key in _KEPT_META if key in pair.attributes}
        meta.update({key: doc for key, doc in (("src_doc", src.doc), ("tgt_doc", tgt.doc)) if doc})
        if src.own or tgt.own:
            meta["holds"] = "text"
        name = self._name(pair, src, tgt, alone=alone, place=place)
        return Bitext(
            src.text,
            tgt.text,
            alignment,
            name=name,
            meta=meta,
            lines=np.array(lines, dtype=np.int64) if self._options.lines else None,
        )

    def _name(self, pair: _Whole, src: Side, tgt: Side, *, alone: bool, place: int) -> str:
        given = pair.attributes.get("n", "")
        if alone:
            return self._options.name or given
        named = given or (pair_name(src.doc, tgt.doc) if src.doc and tgt.doc else "")
        self._names[named] += 1
        if named and self._names[named] == 1:
            return named
        stem = named or PurePath(self._source.path).name.partition(".")[0]
        return f"{stem}#{self._names[named] if named else place}"

    def _beads(
        self, pair: _Whole, rows: list[list[list[Pointer]]], sides: tuple[Side, Side]
    ) -> tuple[list[Bead], list[Made]]:
        """Return the bisegments as indices, and the links that they come from."""
        beads: list[Bead] = []
        kept = []
        for link, row in zip(pair.links, rows, strict=True):
            src, tgt = (
                sorted({side.places.get(pointer, -1) for pointer in pointers})
                for side, pointers in zip(sides, row, strict=True)
            )
            if -1 in {*src[:1], *tgt[:1]}:
                self._missing(link, row, sides)
            else:
                beads.append((src, tgt))
                kept.append(link)
        return beads, kept

    def _missing(self, link: Made, row: list[list[Pointer]], sides: tuple[Side, Side]) -> None:
        which, pointer = next(
            (which, p) for which in (0, 1) for p in row[which] if p not in sides[which].places
        )
        text = sides[which].text
        where = text.name or f"the {('source', 'target')[which]} text"
        span = f"ids {text.ids[0]!r} to {text.ids[-1]!r}" if len(text) else "no segments"
        self._source.refuse(
            f"target names the {('source', 'target')[which]} segment {pointer.id!r}, but {where} "
            f"has {len(text)} segments, {span}; give the document that was aligned "
            f"({remedy(('src', 'tgt')[which])})",
            link.line,
        )

    def _with_lonely(
        self,
        beads: list[Bead],
        kept: list[Made],
        sides: tuple[Side, Side],
    ) -> tuple[list[Bead], list[Made]]:
        """Return the bisegments with those of one segment that corresponds to none, in order."""
        made = list(zip(beads, kept, strict=True))
        used = [{k for bead in beads for k in bead[which]} for which in (0, 1)]
        for which, side in enumerate(sides):
            for k in range(len(side.text) if side.own else 0):
                if k not in used[which]:
                    where = f"{self._source.path}: {side.text.ids[k]}"
                    kind = "segments without corresp, taken as 1-0 and 0-1"
                    self._source.notes.add(kind, where)
                    alone = ([k], []) if which == 0 else ([], [k])
                    made.append((alone, Made([], {}, side.lines[k])))
        anchors = sorted((bead[1][0], bead[0][0]) for bead in beads if bead[0] and bead[1])

        def rank(item: tuple[Bead, Made]) -> tuple[int, int, int]:
            (src, tgt), _ = item
            if src:
                return src[0], 0, tgt[0] if tgt else -1
            before = bisect_left(anchors, (tgt[0], -1))
            return (anchors[before - 1][1] if before else -1), 1, tgt[0]

        made.sort(key=rank)
        return [bead for bead, _ in made], [link for _, link in made]
