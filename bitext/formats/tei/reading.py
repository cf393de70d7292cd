"""Bitexts of a TEI file: its links or `corresp`, and their texts, pair by pair."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from math import inf, isnan, nan
from pathlib import PurePath

import numpy as np

from bitext.errors import few, many, remedy
from bitext.formats.beads import AttributeColumns
from bitext.formats.io.source import Source
from bitext.formats.languages import finds, normal
from bitext.formats.positions import note_oddities
from bitext.formats.registry import ReadOptions
from bitext.formats.scores import known_scores, score_of
from bitext.formats.tei.documents import (
    Evidence,
    Key,
    PairText,
    ResolvedLink,
    TextAssignment,
    Texts,
    alignments,
    assign_texts,
    resolve_links,
)
from bitext.formats.tei.fast import scan
from bitext.formats.tei.pointers import NO_SEGMENTS, Pointer, Units, components, split
from bitext.formats.tei.scan import UNITS, Group, Links, Place, Scan
from bitext.formats.tei.writing import BARE
from bitext.formats.xces.reading import pair_name
from bitext.kernels.arrays import Ints, Rows, distinct, prefix
from bitext.model import Alignment, Bitext

# Alignments from links: bisegments, scores, and the attributes of links as columns.

Bead = tuple[list[int], list[int]]
_WRITTEN_LINK_ID = re.compile(r"bitext-\d+-link-\d+")


def alignment_of(beads: Sequence[Bead], links: Sequence[ResolvedLink]) -> Alignment:
    """Make an alignment of bisegments and the attributes of their links."""
    rows = []
    for which in (0, 1):
        sizes = np.array([len(bead[which]) for bead in beads], dtype=np.int64)
        members = np.array([k for bead in beads for k in bead[which]], dtype=np.int64)
        rows.append(Rows(prefix(sizes), members))
    columns: dict[str, list[str | None]] = {}
    for k, link in enumerate(links):
        for name, value in link.attributes.items():
            columns.setdefault(name, [None] * len(links))[k] = value
    return with_columns(rows, columns, len(links))


def with_columns(
    rows: Sequence[Rows], given: Mapping[str, list[str | None]], size: int
) -> Alignment:
    """Make an alignment; split the attributes of links into scores and columns."""
    scores = [nan] * size
    columns: dict[str, list[str | None]] = {}
    for name in sorted(given, key="a score".__eq__):  # a score that we wrote overrides `cert`
        values = given[name]
        if name in {"cert", "a score"}:
            numbers = [nan if value is None else score_of(value) for value in values]
            scores = [
                old if new is None or isnan(new) else new
                for old, new in zip(scores, numbers, strict=True)
            ]
            values = [
                value if number is None or (value is not None and isnan(number)) else None
                for value, number in zip(values, numbers, strict=True)
            ]
        elif name == "id":
            values = [v if v is None or not _WRITTEN_LINK_ID.fullmatch(v) else None for v in values]
        if any(value is not None for value in values):
            _merge(columns, name.removeprefix("a column "), values)
    return Alignment.from_arrays(rows[0], rows[1], scores=known_scores(scores), attributes=columns)


def _merge(columns: dict[str, list[str | None]], name: str, values: list[str | None]) -> None:
    """Add a column; in an existing column, new values replace the old ones."""
    known = columns.get(name)
    if known is None:
        columns[name] = values
        return
    columns[name] = [old if new is None else new for old, new in zip(known, values, strict=True)]


# Links between elements of the file itself, resolved by the column.
#
# Most links of large files are of this kind. The functions below return the same as
# `resolve_links`, `assign_texts` and `pair_up`, which go link by link, and `None` for any group
# with documents, segments of several elements, three texts or faults.


@dataclass(slots=True)
class ColumnGroup:
    """A group of links between two texts of the file."""

    group: Group  # the links
    sides: TextAssignment  # the evidence for the texts
    pair: frozenset[Key]  # the two texts
    # The first link between both texts, else the first link; its line is that of the first link.
    first: ResolvedLink
    _members: Rows  # the elements pointed to
    _codes: Ints  # the text of each, as an index of `_keys`
    _keys: list[Key]

    def pointed(self, key: Key) -> Ints:
        """Return the elements of a text that links point to, in the order of the links."""
        code = self._keys.index(key) if key in self._keys else -1
        elements: Ints = self._members.idx[self._codes == code]
        return elements

    def rows(self, key: Key, heads: Ints) -> Rows:
        """Return the segments of a text for each link, as indices of `heads`."""
        code = self._keys.index(key) if key in self._keys else -1
        mask = self._codes == code
        size = self._members.ptr.size - 1
        row = np.repeat(np.arange(size), self._members.lengths)[mask]
        member = np.searchsorted(heads, self._members.idx[mask])
        return Rows(prefix(np.bincount(row, minlength=size)), member[np.lexsort((member, row))])

    def note(self, source: Source) -> None:
        """Note links with one pointer."""
        alone = np.flatnonzero(self._members.lengths == 1)
        if alone.size:
            links, k = self.group.links, int(alone[0])
            kind = "links with one pointer, taken as 0-1 and 1-0"
            source.note(kind, links.targets[k][:80], line=links.lines[k], count=alone.size)


def column_groups(groups: Sequence[Group], units: Units) -> list[ColumnGroup] | None:
    """Return all groups, if each is between two texts of its own; `None` otherwise."""
    if units.scan.repeated or units.joined or not units.scan.has_units:
        return None
    in_columns: list[ColumnGroup] = []
    for group in groups:
        plain = _column_group(group, units)
        if plain is None:
            return None
        in_columns.append(plain)
    return in_columns if len({plain.pair for plain in in_columns}) == len(in_columns) else None


def _column_group(group: Group, units: Units) -> ColumnGroup | None:
    members = _members(group.links.targets, units.scan)
    if members is None:
        return None
    evidence = Evidence(units, group)
    for by, declared in evidence.kinds():
        codes, keys = evidence.coded(by, members.idx)
        if not (codes >= 0).all():
            continue
        low = np.minimum.reduceat(codes, members.ptr[:-1])
        high = np.maximum.reduceat(codes, members.ptr[:-1])
        both = np.flatnonzero(low != high)
        known = {keys[code] for code in np.flatnonzero(np.bincount(codes))}
        if not both.size and not (len(declared) > 1 and known <= set(declared)):
            continue
        pair = {keys[low[both[0]]], keys[high[both[0]]]} if both.size else set(declared[:2])
        if not known <= pair or any(key[0] == "file" for key in pair):
            return None
        k = int(both[0]) if both.size else 0
        begin, end = members.ptr[k : k + 2].tolist()
        ids = units.scan.places.ids
        named = [Pointer("", ids[place]) for place in members.idx[begin:end].tolist()]
        first = ResolvedLink(
            named, {}, group.links.lines[0], [keys[c] for c in codes[begin:end].tolist()]
        )
        sides = TextAssignment(evidence, by, declared)
        return ColumnGroup(group, sides, frozenset(pair), first, members, codes, keys)
    return None


def _members(targets: Sequence[str], scan: Scan) -> Rows | None:
    """Return the elements that links point to; `None` if links differ in kind."""
    whole = " ".join(targets)
    if not targets or any(blank in whole for blank in "\t\r\n"):
        return None
    pointers = whole.split(" ")
    if not all(pointer[:1] == "#" for pointer in pointers):
        return None
    by_id = scan.by_id
    idx = np.array([by_id.get(pointer[1:], -1) for pointer in pointers], dtype=np.int64)
    if (idx < 0).any() or scan.places.named(NO_SEGMENTS)[idx].any():
        return None
    counts = np.array([target.count(" ") for target in targets], dtype=np.int64) + 1
    row = np.repeat(np.arange(counts.size), counts)
    order = np.lexsort((idx, row))
    again = (np.diff(row[order]) == 0) & (np.diff(idx[order]) == 0)
    return None if again.any() else Rows(prefix(counts), idx)


# Document pairs of TEI links: which two texts form a pair, and which of them is the source.
#
# Every two texts with links between them are a pair, so a hub makes a pair with each other text.
# If a link has segments of three texts or more, the user chooses two by their languages
# (`--src-lang`, `--tgt-lang`): by `xml:lang`, or where no file has one, by the parts of the name of
# the file (`oana-en.xml`), which is noted. Segments of other texts are left out, and noted.

_PARTS = re.compile(r"[^0-9A-Za-z]+")


@dataclass(slots=True)
class Pair:
    """Two texts and the links between them, of one group or several."""

    src: Key
    tgt: Key
    sides: TextAssignment
    group: Group  # the first group
    links: list[ResolvedLink] = field(default_factory=list)
    line: int = 0  # of the first link; of the group without links
    lonely: bool = False  # whether segments without links become 1-0 and 0-1
    plain: ColumnGroup | None = None  # the links in columns, instead of `links`


@dataclass(slots=True)
class LanguageChoice:
    """The languages that the user chose, and the languages of the texts."""

    src: str
    tgt: str
    language_of: Callable[[Key], str]
    source: Source

    def fits(self, key: Key, wanted: str) -> bool | None:
        """Check whether a text is in a language; `None` if the text has no known language."""
        if not wanted:
            return None
        language = self.language_of(key)
        if language:
            return finds(wanted, language)
        if key[0] != "file":
            return None
        parts = [normal(part) for part in _PARTS.split(key[1])]
        if normal(wanted) not in parts and wanted != key[1]:
            return None
        kind = "texts whose language was taken from the name of their file"
        self.source.note(kind, f"{key[1][:80]!r} as {wanted}")
        return True

    def turn(self, src: Key, tgt: Key) -> tuple[int, Key, Key]:
        """Order two texts by the chosen languages; count the texts known to be in their language.

        The count is -1 if a text is known to be in another language.
        """
        if not (self.src or self.tgt):
            return 0, src, tgt
        straight = (self.fits(src, self.src), self.fits(tgt, self.tgt))
        turned = (self.fits(tgt, self.src), self.fits(src, self.tgt))
        best = max((straight, turned), key=lambda fit: (fit.count(True), -fit.count(False)))
        sure = -1 if False in best else best.count(True)
        return (sure, src, tgt) if best == straight else (sure, tgt, src)

    def shown(self, keys: Sequence[Key]) -> str:
        """Name texts for a message."""
        return few([self.name(key) for key in keys], 12)

    def name(self, key: Key) -> str:
        """Name a text for a message."""
        language = self.language_of(key)
        if key[0] == "file":
            return f"{key[1]!r}{f' ({language})' if language else ''}"
        return language or {"corresp": f"those {key[1]}"}.get(key[0], f"a text ({' '.join(key)})")


def pair_up(
    links: Sequence[ResolvedLink], sides: TextAssignment, wanted: LanguageChoice, group: Group
) -> list[Pair]:
    """Group links into pairs of texts, in the order of their first links.

    Raises `FormatError` when there are more than two texts and no choice, or no text is in a chosen
    language.
    """
    several = next((link for link in links if len(link.sides()) > 2), None)
    if several is not None:
        return [_chosen_pair(links, sides, wanted, several, group)]
    pairs: dict[frozenset[Key], Pair] = {}
    rank = {key: k for k, key in enumerate(sides.declared)}
    for link in links:
        both = link.sides()
        if len(both) == 2 and frozenset(both) not in pairs:
            both.sort(key=lambda key: rank.get(key, len(rank)))
            pairs[frozenset(both)] = Pair(both[0], both[1], sides, group)
    if not pairs and len(sides.declared) > 1:
        src, tgt = sides.declared[:2]
        pairs[frozenset((src, tgt))] = Pair(src, tgt, sides, group)
    for link in links:
        both = link.sides()
        pair = pairs.get(frozenset(both)) if len(both) == 2 else None
        pair = pair or _pair_of_one(both[0], link, pairs, wanted)
        if pair is not None:
            pair.links.append(link)
    return _of_languages(list(pairs.values()), wanted, group.line)


def _of_languages(pairs: list[Pair], wanted: LanguageChoice, line: int) -> list[Pair]:
    """Return the pairs that match the chosen languages best."""
    turned = [wanted.turn(pair.src, pair.tgt) for pair in pairs]
    best = max((sure for sure, _, _ in turned), default=0)
    if best < 0:
        keys = list(dict.fromkeys(key for pair in pairs for key in (pair.src, pair.tgt)))
        raise wanted.source.error(_other(wanted, keys), line)
    chosen = []
    for pair, (sure, src, tgt) in zip(pairs, turned, strict=True):
        if sure == best:
            chosen.append(replace(pair, src=src, tgt=tgt))
        else:
            kind = "document pairs in other languages than those asked for, left out"
            first = pair.links[0].line if pair.links else line
            wanted.source.note(kind, wanted.shown([pair.src, pair.tgt]), line=first)
    return chosen


def _pair_of_one(
    key: Key, link: ResolvedLink, pairs: dict[frozenset[Key], Pair], wanted: LanguageChoice
) -> Pair | None:
    candidates = [pair for both, pair in pairs.items() if key in both]
    if len(candidates) > 1:
        kind = "links with one side, of a text that is aligned with several, taken for the first"
        wanted.source.note(kind, wanted.name(key), line=link.line)
    if not candidates:
        wanted.source.refuse(
            f"has a link of one side only ({wanted.name(key)}), and nothing says with which text "
            f"that is aligned; name the two texts in domains of the linkGrp",
            link.line,
        )
    return candidates[0] if candidates else None


def _chosen_pair(
    links: Sequence[ResolvedLink],
    sides: TextAssignment,
    wanted: LanguageChoice,
    several: ResolvedLink,
    group: Group,
) -> Pair:
    """Return the pair of the two chosen texts among three or more."""
    keys = list(dict.fromkeys([*sides.declared, *(key for link in links for key in link.sides())]))
    src = [key for key in keys if wanted.fits(key, wanted.src)]
    tgt = [key for key in keys if wanted.fits(key, wanted.tgt)]
    if not (wanted.src and wanted.tgt):
        raise wanted.source.error(
            f"has a link between {len(several.sides())} texts; choose two by their languages "
            f"({remedy('src-lang', 'tgt-lang')}): {wanted.shown(keys)}",
            several.line,
        )
    if len(src) != 1 or len(tgt) != 1 or src == tgt:
        raise wanted.source.error(_other(wanted, keys), several.line)
    pair = Pair(src[0], tgt[0], sides, group)
    for link in links:
        chosen = [k for k, key in enumerate(link.keys) if key in {pair.src, pair.tgt}]
        others = [link.keys[k] for k in range(len(link.keys)) if k not in chosen]
        if others:
            kind = "segments of further texts, left out"
            wanted.source.note(kind, wanted.name(others[0]), line=link.line, count=len(others))
        if chosen:
            pointers = [link.pointers[k] for k in chosen]
            keys = [link.keys[k] for k in chosen]
            pair.links.append(ResolvedLink(pointers, link.attributes, link.line, keys))
    return pair


def _other(wanted: LanguageChoice, keys: Sequence[Key]) -> str:
    requested = " and ".join(filter(None, (wanted.src, wanted.tgt)))
    return (
        f"has not one text for each language asked for ({requested}), but: {wanted.shown(keys)}; "
        f"choose of these ({remedy('src-lang', 'tgt-lang')})"
    )


# Bisegments of TEI files without links: the connected components of the graph of `corresp`.
#
# `corresp` is symmetric, but may be written on one side, on both, or on some elements only, so a
# one-sided n-1 and an overlap look alike; a component with a missing edge is noted. Of nested
# elements with `corresp` the innermost count. The text that comes first is the source.


def beads_of_corresp(units: Units) -> tuple[list[ResolvedLink], frozenset[str]]:
    """Return the bisegments as links, and the identifiers of the elements that have `corresp`.

    Raises `FormatError` when a pointer cannot be read, or names no element; with the line.
    """
    source, scan = units.source, units.scan
    edges: list[tuple[Pointer, Pointer, int]] = []
    for place in _innermost_elements(source, scan):
        here = Pointer("", scan.places.ids[units.head(place.k)])
        for target in split(place.attribute("corresp")):
            there, wrong = units.pointers.find(target, place.context.base)
            other = None if there.doc else scan.named(there.id)
            if not wrong and not there.doc and other is None:
                wrong = "names no element of this file; correct it"
            if wrong:
                source.refuse(f"the pointer {target[:80]!r} {wrong}", place.line)
                continue
            there = there if other is None else Pointer("", scan.places.ids[units.head(other.k)])
            if there != here:
                edges.append((here, there, place.line))
    beads = _components(source, edges)
    for bead in beads:
        # The text that comes first is the source, whichever text has the attributes.
        bead.pointers.sort(key=lambda p: inf if p.doc else scan.by_id[p.id])
        if not bead.pointers[0].doc:
            bead.line = scan.places.lines[scan.by_id[bead.pointers[0].id]]
    return beads, frozenset(here.id for here, _, _ in edges)


def _innermost_elements(source: Source, scan: Scan) -> list[Place]:
    """Return the elements with `corresp` that contain no other element with it; note the rest."""
    pointing = [k for k, given in scan.places.attributes.items() if given.get("corresp")]
    places = map(scan.places.__getitem__, sorted(pointing))
    elements = [p for p in places if p.context.shown and p.name in UNITS]
    outer = [p for p, after in pairwise(elements) if after.order <= p.last]
    if outer:
        kind = "elements with corresp around others with it, left out"
        source.note(kind, outer[0].id, line=outer[0].line, count=len(outer))
    gone = {place.order for place in outer}
    return [place for place in elements if place.order not in gone]


def _components(source: Source, edges: list[tuple[Pointer, Pointer, int]]) -> list[ResolvedLink]:
    """Return the connected components of the graph, in the order of their first edges."""
    least = components((here, there) for here, there, _ in edges)
    parts: dict[Pointer, ResolvedLink] = {}
    seen: set[Pointer] = set()
    for here, there, line in edges:
        part = parts.setdefault(least[here], ResolvedLink([], {}, line))
        for node in (here, there):
            if node not in seen:
                seen.add(node)
                part.pointers.append(node)
    _note_joined(source, edges, parts.values())
    return list(parts.values())


def _note_joined(
    source: Source, edges: list[tuple[Pointer, Pointer, int]], parts: Iterable[ResolvedLink]
) -> None:
    """Note components of three or more segments that lack an edge from some segment to another."""
    goes: dict[Pointer, set[Pointer]] = {}
    comes: dict[Pointer, set[Pointer]] = {}
    for here, there, _ in edges:
        goes.setdefault(here, set()).add(there)
        comes.setdefault(there, set()).add(here)
    none: set[Pointer] = set()
    for part in parts:
        if len(part.pointers) < 3:
            continue
        opposite = goes.get(part.pointers[0], none)
        same = [pointer for pointer in part.pointers if pointer not in opposite]
        sure = all(goes.get(p, none) == comes.get(p, none) == opposite for p in same)
        if not sure:
            kind = (
                "bisegments joined of corresp that is not written from each segment to each one "
                "opposite (they may be overlaps)"
            )
            source.note(kind, part.pointers[0].id, line=part.line)


_META = ("type", "targFunc")


def read_bitexts(source: Source, options: ReadOptions) -> Iterator[Bitext]:
    """Yield the bitexts of a file, one a document pair.

    For a source that is read by the parser alone, pointers are resolved link by link.

    Raises `FormatError` when there are no links and no `corresp`, a pointer cannot be resolved, or
    there is no evidence for the texts; with the line.
    """
    reader = _Reader(source, options)
    pairs = reader.pairs()
    for k, pair in enumerate(pairs):
        bitext = reader.bitext(pair, alone=len(pairs) == 1, place=k + 1)
        yield replace(bitext, notes=source.notes.drain())


class _Reader:
    def __init__(self, source: Source, options: ReadOptions) -> None:
        self._source, self._options = source, options
        self._scan = scan(source)
        self._units = Units(source, self._scan)
        self._texts = Texts(self._units, options)
        self._names: Counter[str] = Counter()

    def pairs(self) -> list[Pair]:
        """Return the document pairs of the file."""
        groups = alignments(self._units)
        pairs = self._linked(groups) if groups else self._by_corresp()
        if len(pairs) > 1 and (self._options.src is not None or self._options.tgt is not None):
            raise self._source.error(
                f"holds several document pairs, while one text is given for all; give the folder "
                f"of the documents instead ({remedy('root')})",
                pairs[1].line,
            )
        return pairs

    def _linked(self, groups: list[Group]) -> list[Pair]:
        places = self._scan.places
        pointing = [k for k, given in places.attributes.items() if given.get("corresp")]
        beside = np.intersect1d(np.array(pointing, dtype=np.int64), self._units.all)
        if beside.size:
            first = places[int(beside[0])]
            kind = "elements with corresp beside links, their corresp not taken"
            self._source.note(kind, first.id, line=first.line, count=beside.size)
        self._add_columns(groups)
        plain = None
        if not self._source.by_parser and all(text is None for text in self._options.given):
            plain = column_groups(groups, self._units)
        if plain is not None:
            return [whole for each in plain for whole in self._paired_columns(each)]
        found: dict[frozenset[Key], Pair] = {}
        for group in groups:
            links, sides = resolve_links(self._units, self._texts, group)
            for whole in self._paired(links, sides, group):
                known = found.setdefault(frozenset((whole.src, whole.tgt)), whole)
                if known is not whole:
                    self._source.note("groups of the same two texts, merged", line=group.line)
                    known.links.extend(whole.links)
        return list(found.values())

    def _by_corresp(self) -> list[Pair]:
        links, pointing = beads_of_corresp(self._units)
        if not pointing:
            raise self._source.error(
                "holds no linkGrp, no link and no corresp of segments; give the file with the "
                "alignment, not a text of it"
            )
        line = links[0].line if links else 1
        group = Group({}, line, "", Links(AttributeColumns(self._source)))
        sides = assign_texts(self._units, group, links, pointing=pointing)
        if sides is None:
            raise self._source.error(
                "has segments with corresp that belong to no known text: give each text its "
                "xml:lang, or put each in a text of a group",
                group.line,
            )
        pairs = list(self._paired(links, sides, group))
        for pair in pairs:
            pair.lonely = True
        return pairs

    def _paired_columns(self, plain: ColumnGroup) -> Iterator[Pair]:
        """Yield the pair of a group in columns, in the order of the chosen languages."""
        plain.note(self._source)

        def language_of(key: Key) -> str:
            return self._texts.language(key, self._texts.languages(plain.pointed(key)))

        for whole in self._chosen_pair([plain.first], plain.sides, plain.group, language_of):
            whole.links, whole.plain = [], plain
            yield whole

    def _paired(
        self, links: list[ResolvedLink], sides: TextAssignment, group: Group
    ) -> Iterator[Pair]:
        langs: dict[Key, Counter[str]] = {}

        def language_of(key: Key) -> str:
            if not langs:
                langs.update(self._languages(links))
            return self._texts.language(key, langs.get(key, Counter()))

        yield from self._chosen_pair(links, sides, group, language_of)

    def _chosen_pair(
        self,
        links: list[ResolvedLink],
        sides: TextAssignment,
        group: Group,
        language_of: Callable[[Key], str],
    ) -> Iterator[Pair]:
        wanted = LanguageChoice(*self._options.languages, language_of, self._source)
        for pair in pair_up(links, sides, wanted, group):
            yield replace(pair, line=pair.links[0].line if pair.links else group.line)

    def _languages(self, links: list[ResolvedLink]) -> dict[Key, Counter[str]]:
        """Count the languages of the elements pointed to, by text."""
        counts: dict[Key, Counter[str]] = {}
        for link in links:
            for pointer, key in zip(link.pointers, link.keys, strict=True):
                place = None if pointer.doc else self._scan.named(pointer.id)
                if place is not None and place.context.lang:
                    counts.setdefault(key, Counter())[place.context.lang] += 1
        return counts

    def _add_columns(self, groups: list[Group]) -> None:
        """Add the values in spans to the attributes of links."""
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
                # No name of an attribute has a blank, so these keys cannot clash with attributes.
                links.put(k, "a score" if kind == "score" else f"a column {name}", value)

    def bitext(self, pair: Pair, *, alone: bool, place: int) -> Bitext:
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
                bare=pair.group.attributes.get("subtype") == BARE,
            )
            for which in (0, 1)
        )
        beads, links = self._beads(pair, rows, (src, tgt))
        if pair.lonely:
            beads, links = self._with_lonely(beads, links, (src, tgt))
        alignment = alignment_of(beads, links)
        lines = [link.line for link in links]
        return self._bitext_of(pair, src, tgt, alignment, lines, alone=alone, place=place)

    def _plain_bitext(self, pair: Pair, plain: ColumnGroup, *, alone: bool, place: int) -> Bitext:
        names = [self._units.names(plain.pointed(key)) for key in (pair.tgt, pair.src)]
        sides, rows = [], []
        for key, others in zip((pair.src, pair.tgt), names, strict=True):
            pointed = distinct(plain.pointed(key))
            text, doc, heads = self._texts.own(key, pointed, plain.sides, others)
            sides.append(PairText(text, {}, doc, own=True))
            rows.append(plain.rows(key, heads))
        links = plain.group.links
        columns = links.columns.whole(len(links))
        alignment = with_columns(rows, columns, len(links))
        return self._bitext_of(
            pair, sides[0], sides[1], alignment, links.lines, alone=alone, place=place
        )

    def _bitext_of(
        self,
        pair: Pair,
        src: PairText,
        tgt: PairText,
        alignment: Alignment,
        lines: Sequence[int],
        *,
        alone: bool,
        place: int,
    ) -> Bitext:
        path = self._source.path
        if src.text.has_text and tgt.text.has_text:
            note_oddities(self._source, alignment, lambda k: f"{path} line {lines[k]}")
        meta = {key: pair.group.attributes[key] for key in _META if key in pair.group.attributes}
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

    def _name(self, pair: Pair, src: PairText, tgt: PairText, *, alone: bool, place: int) -> str:
        given = pair.group.attributes.get("n", "")
        if alone:
            return self._options.name or given
        named = given or (pair_name(src.doc, tgt.doc) if src.doc and tgt.doc else "")
        self._names[named] += 1
        if named and self._names[named] == 1:
            return named
        stem = named or PurePath(self._source.path).name.partition(".")[0]
        return f"{stem}#{self._names[named] if named else place}"

    def _beads(
        self, pair: Pair, rows: list[list[list[Pointer]]], sides: tuple[PairText, PairText]
    ) -> tuple[list[Bead], list[ResolvedLink]]:
        """Return the bisegments as indices, and the links that they come from."""
        beads: list[Bead] = []
        links = []
        for link, row in zip(pair.links, rows, strict=True):
            src, tgt = (
                sorted({side.places.get(pointer, -1) for pointer in pointers})
                for side, pointers in zip(sides, row, strict=True)
            )
            if -1 in {*src[:1], *tgt[:1]}:
                self._missing(link, row, sides)
            else:
                beads.append((src, tgt))
                links.append(link)
        return beads, links

    def _missing(
        self, link: ResolvedLink, row: list[list[Pointer]], sides: tuple[PairText, PairText]
    ) -> None:
        which, pointer = next(
            (which, p) for which in (0, 1) for p in row[which] if p not in sides[which].places
        )
        text = sides[which].text
        where = text.name or f"the {('source', 'target')[which]} text"
        span = f"ids {text.ids[0]!r} to {text.ids[-1]!r}" if len(text) else "no segments"
        self._source.refuse(
            f"target names the {('source', 'target')[which]} segment {pointer.id!r}, but {where} "
            f"has {many(len(text), 'segment')}, {span}; give the document that was aligned "
            f"({remedy(('src', 'tgt')[which])})",
            link.line,
        )

    def _with_lonely(
        self, beads: list[Bead], links: list[ResolvedLink], sides: tuple[PairText, PairText]
    ) -> tuple[list[Bead], list[ResolvedLink]]:
        """Add a bisegment for each segment without `corresp`; return all in document order."""
        made = list(zip(beads, links, strict=True))
        used = [{k for bead in beads for k in bead[which]} for which in (0, 1)]
        for which, side in enumerate(sides):
            for k in range(len(side.text) if side.own else 0):
                if k not in used[which]:
                    kind = "segments without corresp, taken as 1-0 and 0-1"
                    self._source.note(kind, side.text.ids[k])
                    alone = ([k], []) if which == 0 else ([], [k])
                    made.append((alone, ResolvedLink([], {}, side.lines[k])))
        anchors = sorted((bead[1][0], bead[0][0]) for bead in beads if bead[0] and bead[1])

        def rank(item: tuple[Bead, ResolvedLink]) -> tuple[int, int, int]:
            (src, tgt), _ = item
            if src:
                return src[0], 0, tgt[0] if tgt else -1
            before = bisect_left(anchors, (tgt[0], -1))
            return (anchors[before - 1][1] if before else -1), 1, tgt[0]

        made.sort(key=rank)
        return [bead for bead, _ in made], [link for _, link in made]
