"""The two texts of TEI links: elements of the same file, or documents that the links point into.

Identifiers made by our writer (`bitext-1-src-1`) are positions, or replace the original identifier,
which is the `n` of the element.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

import numpy as np

from bitext.errors import FormatError, remedy
from bitext.formats.io.source import Notes, Source
from bitext.formats.languages import normal
from bitext.formats.registry import ReadOptions
from bitext.formats.tei.fast import scan
from bitext.formats.tei.pointers import Pointer, Pointers, Units, split
from bitext.formats.tei.scan import Context, Group, Place, Scan
from bitext.formats.xces.reading import Documents, places
from bitext.formats.xml import read_prolog
from bitext.kernels.arrays import Bools, Ints, distinct
from bitext.model import Segmentation, Text

if TYPE_CHECKING:
    from pathlib import Path


# Documents that TEI links point into.
#
# `xces.reading.Documents` finds documents, under the given roots only, and reads their sentences.
# Links to other elements need a scan of the same files, with all elements that have an identifier.

_MOST_DOCUMENTS = 4  # scanned documents in memory; set by hand, as in `xces.reading`


class TeiDocuments(Documents):
    """Opens the documents that a file names, under the given roots only."""

    def __init__(self, source: Source, roots: tuple[Path | str, ...]) -> None:
        super().__init__(source, roots, source.limits)
        self._scanned: dict[str, Units | None] = {}

    def scanned(self, name: str) -> Units | None:
        """Scan a document; return `None` for one that is missing or has no identifiers.

        The source of the document is closed, and has its notes.
        """
        if name not in self._scanned:
            while len(self._scanned) >= _MOST_DOCUMENTS:
                del self._scanned[next(iter(self._scanned))]
            self._scanned[name] = self._scan(name)
        return self._scanned[name]

    def _scan(self, name: str) -> Units | None:
        located = self._locate(name)
        if located.path is None:
            return None
        with self._opened(located) as source:
            if not read_prolog(source.head()).root:
                return None
            try:
                units = Units(source, scan(source))
            except FormatError:  # reported when its sentences were read
                return None
        return units if len(units.scan.by_id) > len(units.scan.places.made) else None


# The texts that the links of a TEI file are between.
#
# `target` is a flat list. Pointers are assigned to texts by the first kind of evidence that covers
# all pointers of a group of links:
#
# 1. the file, the TEI of a corpus or the text of a group that contains the element;
# 2. `domains` of the group: the elements or files that are the texts, in the order of the sides;
# 3. `corresp` of the group, which lists the files, in the order of the sides;
# 4. `xml:lang` of the element pointed to;
# 5. the position in the link, where every link has two pointers; `targFunc` names the positions.
#
# If `domains` covers all pointers it precedes (1), because it also gives the number of texts and
# their order.

Key = tuple[str, str]  # identifies a text: the kind of evidence, and its value
_SOURCES = {"source", "src", "original", "orig"}


@dataclass(slots=True)
class ResolvedLink:
    """A link with resolved pointers, and the key of the text of each."""

    pointers: list[Pointer]
    attributes: dict[str, str]
    line: int
    keys: list[Key] = field(default_factory=list)

    def sides(self) -> list[Key]:
        """Return the keys of its texts, in the order of the pointers."""
        return list(dict.fromkeys(self.keys))


@dataclass(slots=True)
class TextAssignment:
    """The evidence that assigned the segments of a group to texts."""

    evidence: Evidence  # the evidence
    # The kind that holds for elements of this file; empty for none. One of "domain", "home",
    # "language", "".
    by: str
    declared: list[Key]  # the texts that the group declares, in its order

    def mask(self, key: Key, places: Ints) -> Bools:
        """Return for each element of this file whether the element belongs to a text."""
        codes, keys = self.evidence.coded(self.by, places)
        code = keys.index(key) if key in keys else len(keys)
        return np.asarray(codes == code)


def assign_texts(
    units: Units,
    group: Group,
    links: Sequence[ResolvedLink],
    *,
    pointing: frozenset[str] | None = None,
) -> TextAssignment | None:
    """Assign every pointer of the links of a group to a text.

    For links from `corresp` attributes, `pointing` are the identifiers of the elements with the
    attribute. If no such element is pointed to, these elements are one text, and their targets the
    other. Return `None` without evidence.
    """
    evidence = Evidence(units, group)
    for by, declared in evidence.kinds():
        if _assign(links, evidence.keys(by, links), declared):
            return TextAssignment(evidence, by, declared)
    if pointing is not None:
        return _by_direction(evidence, links, pointing)
    if links and all(len(link.pointers) == 2 for link in links):
        for link in links:
            link.keys = [("at", "0"), ("at", "1")]
        turned = len(evidence.functions) == 2 and evidence.functions[1] in _SOURCES
        return TextAssignment(evidence, "", [("at", "1"), ("at", "0")] if turned else [])
    return None


def _assign(
    links: Sequence[ResolvedLink], key_of: Mapping[Pointer, Key], declared: Sequence[Key]
) -> bool:
    """Set the keys of the links, if every pointer has a key and there are two texts or more."""
    keys_of_links: list[list[Key]] = []
    for link in links:
        keys = [key_of[pointer] for pointer in link.pointers if pointer in key_of]
        if len(keys) < len(link.pointers):
            return False
        keys_of_links.append(keys)
    if not any(len(set(keys)) > 1 for keys in keys_of_links):
        known = set(declared)
        if len(known) < 2 or not all(known.issuperset(keys) for keys in keys_of_links):
            return False
    for link, keys in zip(links, keys_of_links, strict=True):
        link.keys = keys
    return True


def _by_direction(
    evidence: Evidence, links: Sequence[ResolvedLink], pointing: frozenset[str]
) -> TextAssignment | None:
    """Assign texts by which elements have the `corresp` attributes."""
    keys_of_links = []
    for link in links:
        keys = [("corresp", "from" if p.id in pointing else "to") for p in link.pointers]
        keys_of_links.append(keys)
        if len(set(keys)) < 2:
            return None
    for link, keys in zip(links, keys_of_links, strict=True):
        link.keys = keys
    return TextAssignment(evidence, "", []) if keys_of_links else None


class Evidence:
    """The kinds of evidence for one group."""

    def __init__(self, units: Units, group: Group) -> None:
        self._scan, pointers = units.scan, units.pointers
        self.functions = split(group.attributes.get("targFunc", "").lower())
        self.containers: list[tuple[int, int, Key]] = []
        self.files: dict[str, Key] = {}
        self.domains: list[Key] = []
        for target in split(group.attributes.get("domains", "")):
            self._add_domain(pointers, target, group.base)
        self.domains = list(dict.fromkeys(self.domains))
        docs = [
            pointers.document(target, group.base)
            for target in split(group.attributes.get("corresp", ""))
        ]
        self.listed = list(dict.fromkeys(self._file(doc) for doc in docs))
        if len(self.listed) == 1 and docs[0] and self._scan.has_units:
            # A file that lists only the other text is the first text itself.
            self.listed = [("home", "0"), *self.listed]

    def _file(self, doc: str) -> Key:
        return ("file", doc) if doc else ("home", "0")

    def _add_domain(self, pointers: Pointers, target: str, base: str) -> None:
        pointer, _ = pointers.find(target, base)
        place = None if pointer.doc else self._scan.named(pointer.id)
        if place is not None:
            kind = "home" if place.context.home == place.order else "in"
            key = (kind, str(place.order))
            self.containers.append((place.order, place.last, key))
        else:
            doc = pointers.document(target, base)
            if not doc:
                return
            key = self._file(doc)
            self.files[doc] = key
        self.domains.append(key)

    def kinds(self) -> Iterator[tuple[str, list[Key]]]:
        """Yield the kinds of evidence in order, each with the declared texts."""
        if len(self.domains) > 1:
            yield "domain", self.domains
        yield "home", self.domains if len(self.domains) > 1 else self.listed
        yield "language", []

    def keys(self, by: str, links: Iterable[ResolvedLink]) -> dict[Pointer, Key]:
        """Return the texts of the pointers of links by one kind of evidence, as far as known."""
        pointers = dict.fromkeys(pointer for link in links for pointer in link.pointers)
        named = {
            p: self._scan.by_id[p.id] for p in pointers if not p.doc and p.id in self._scan.by_id
        }
        codes, known = self.coded(by, np.fromiter(named.values(), np.int64, len(named)))
        keys = {p: known[code] for p, code in zip(named, codes.tolist(), strict=True) if code >= 0}
        files = self.files if by == "domain" else {p.doc: ("file", p.doc) for p in pointers}
        if by != "language":
            keys |= {p: files[p.doc] for p in pointers if p.doc and p.doc in files}
        return keys

    def coded(self, by: str, places: Ints) -> tuple[Ints, list[Key]]:
        """Return the text of each element, as an index of the keys; -1 for none."""
        all_places = self._scan.places
        codes = np.full(len(places), -1)
        if by == "domain":
            keys = list(dict.fromkeys(key for _, _, key in self.containers))
            orders = np.asarray(all_places.orders)[places] if len(places) else places
            for first, last, key in self.containers:
                codes[(codes < 0) & (orders >= first) & (orders <= last)] = keys.index(key)
            return codes, keys
        if not by or not len(places):
            return codes, []
        of = {"home": _home, "language": _language}[by]
        known: dict[Key, int] = {}
        each = [
            -1 if (text_key := of(context)) is None else known.setdefault(text_key, len(known))
            for context in all_places.contexts
        ]
        return np.array(each)[np.asarray(all_places.context)[places]], list(known)


def _home(context: Context) -> Key:
    """Return the key of the enclosing document within this file."""
    return "home", str(context.home)


def _language(context: Context) -> Key | None:
    """Return the key of the language, within the enclosing document."""
    return ("lang", f"{normal(context.lang)}@{context.home}") if context.lang else None


_WRITTEN_ID = re.compile(r"bitext-\d+-(?:src|tgt)-\d+")
_NOTHING: Mapping[str, str] = {}
_WHOLE_DOCUMENT = ("all", "")  # key of a text that is a whole document
_WRITTEN_TEXT_ID = re.compile(r"bitext-\d+-(?:src|tgt)")


class PairText(NamedTuple):
    """One text of a pair."""

    text: Text  # the segments
    places: dict[Pointer, int]  # the index of the segment for each pointer into the text
    doc: str  # the name of the document; may be empty
    own: bool  # whether the file contains the text itself
    lines: Sequence[int] = ()  # the line of each segment, if the file contains the text


class Texts:
    """Finds the texts of one file of links."""

    def __init__(self, units: Units, options: ReadOptions) -> None:
        self._source, self._scan, self._units = units.source, units.scan, units
        self._options = options
        self._documents = TeiDocuments(units.source, options.roots)
        self._bad: set[str] = set()
        self._told: set[str] = set()

    def find(self, doc: str) -> Text | None:
        """Read a document under the roots; note why a document cannot be read."""
        if doc in self._bad:
            return None
        notes = Notes()
        try:
            text = self._documents.find(unquote(doc), notes)
        except FormatError as error:
            self._bad.add(doc)
            if self._documents.scanned(unquote(doc)) is not None:
                return None  # other elements of the document may be the targets
            kind = "documents that cannot be read, their segments known by ids only"
            self._source.notes.add(kind, str(error))
            return None
        if doc not in self._told:
            self._told.add(doc)
            self._source.notes.extend(notes)
        return text

    def holding(self, name: str, files: Iterable[str]) -> tuple[list[str], list[str]]:
        """Return the files with an identifier, and the files that are missing."""
        having, missing = [], []
        for doc in files:
            text = self.find(doc)
            has = text is not None and places([name], text)[0] >= 0
            other = None if has else self._documents.scanned(unquote(doc))
            if text is None and other is None:
                missing.append(doc)
            if has or (other is not None and other.has(name)):
                having.append(doc)
        return having, missing

    def language(self, key: Key, pointers: Counter[str]) -> str:
        """Return the most frequent language of the elements pointed to; empty if unknown."""
        if key[0] == "file":
            text = self.find(key[1])
            return text.lang if text is not None else self._language_of_document(key[1])
        if key[0] == "lang":
            return key[1].rpartition("@")[0]
        if pointers:
            return pointers.most_common(1)[0][0]
        container = self._container(key)
        return container.context.lang if container is not None else ""

    def _language_of_document(self, doc: str) -> str:
        other = self._documents.scanned(unquote(doc))
        spoken = other and Texts(other, self._options).languages(other.all)
        return spoken.most_common(1)[0][0] if spoken else ""

    def _elsewhere(
        self, doc: str, pointers: Sequence[Pointer], names: set[str], least: int
    ) -> PairText | None:
        """Return a document by elements other than sentences, if more than `least` are targets."""
        other = self._documents.scanned(unquote(doc))
        if other is None:
            return None
        there = [pointer for pointer in dict.fromkeys(pointers) if other.has(pointer.id)]
        if len(there) <= least:
            return None
        found = Texts(other, self._options).pointed_text(_WHOLE_DOCUMENT, there, None, names)
        self._source.notes.extend(other.source.notes)
        other.source.notes.drain()
        return PairText(found.text, found.places, unquote(doc), own=False)

    def pointed_text(
        self,
        key: Key,
        pointers: Iterable[Pointer],
        sides: TextAssignment | None,
        names: set[str],
    ) -> PairText:
        """Return a text within the file by the pointers into it (see `own`)."""
        by_id, head = self._scan.by_id, self._units.head
        named = {p: head(by_id[p.id]) for p in dict.fromkeys(pointers) if p.id in by_id}
        heads = distinct(np.fromiter(named.values(), dtype=np.int64, count=len(named)))
        text, doc, segments = self.own(key, heads, sides, names)
        index = np.searchsorted(segments, list(named.values())).tolist()
        lines = [self._scan.places.lines[k] for k in segments.tolist()]
        return PairText(text, dict(zip(named, index, strict=True)), doc, own=True, lines=lines)

    def _container(self, key: Key) -> Place | None:
        """Return the element that contains a text."""
        if key[0] not in {"home", "in"}:
            return None
        return self._scan.at(int(key[1]))

    def _home(self, key: Key) -> Place | None:
        """Return the element that contains a text; `None` for the whole file."""
        if key[0] == "lang":
            return self._scan.at(int(key[1].rpartition("@")[2]))
        return self._container(key)

    def _is_written_here(self, key: Key) -> bool:
        """Check whether this program wrote a text."""
        container = self._container(key)
        return container is not None and _WRITTEN_TEXT_ID.fullmatch(container.id) is not None

    def side(
        self,
        which: int,
        key: Key,
        pointers: Sequence[Pointer],
        sides: TextAssignment,
        *,
        over: Text | None,
        names: set[str],
        bare: bool,
    ) -> PairText:
        """Return a text of a pair: `which` is 0 for the source, 1 for the target.

        `pointers` are all pointers into the text, in the order of the links, and `sides` assigns
        elements of this file to texts. `over` is the text that the alignment is scored over,
        `names` are the names of the segments of the other text. `bare` is true if identifiers are
        written without the name of the document.
        """
        docs = {pointer.doc for pointer in pointers} or {key[1] if key[0] == "file" else ""}
        doc = docs.pop() if len(docs) == 1 else ""
        given = (self._options.src, self._options.tgt)[which]
        own = not docs and not doc and self._scan.has_units
        if own and given is None:
            return self.pointed_text(key, pointers, sides, names)
        document = self.find(doc) if doc and given is None else None
        if doc and given is None:
            least = 0 if document is None else len(_lookup(pointers, document))
            if least < len(set(pointers)):
                other = self._elsewhere(doc, pointers, names, least)
                if other is not None:
                    return other
        text = document if given is None else given
        if text is None and over is not None and (over.has_text or not over.has_ids):
            text = over
        if text is not None:
            index = _lookup(pointers, text)
            if index or not pointers or text is not document:
                return PairText(text, index, unquote(doc), own=False)
        if text is not None or (doc in self._bad and self._documents.scanned(unquote(doc))):
            kind = "documents that have none of the segments, these known by ids only"
            self._source.note(kind, f"{doc[:80]!r}")
        unique = list(dict.fromkeys(pointers))
        whole_names = not (bare and doc)
        ids = [f"{p.doc}#{p.id}" if p.doc and whole_names else p.id for p in unique]
        text = Text.of_ids(ids, name=unquote(doc))
        return PairText(text, {p: k for k, p in enumerate(unique)}, unquote(doc), own=False)

    def names(self, pointers: Iterable[Pointer]) -> set[str]:
        """Return the names of the elements of this file that are pointed to."""
        known = (self._scan.by_id.get(p.id) for p in pointers if not p.doc)
        heads = {self._units.head(place) for place in known if place is not None}
        return self._units.names(np.array(sorted(heads), dtype=np.int64))

    def own(
        self, key: Key, pointed: Ints, sides: TextAssignment | None, names: set[str]
    ) -> tuple[Text, str, Ints]:
        """Return a text within the file, the name of its document, and its elements.

        `pointed` are the elements pointed to, in order. `sides` assigns the other elements to
        texts; `None` if there is only one text. `names` are the names of the segments of the other
        text.
        """
        there = self._units.within(self._home(key))
        there = there if sides is None else there[sides.mask(key, there)]
        wanted = self._units.names(pointed) or self._units.names(there) & names
        wanted = wanted or self._units.likely(there)
        if self._is_written_here(key):
            wanted = {"s"}
        candidates = there[self._scan.places.named(wanted)[there]]
        heads = np.union1d(pointed, _beside(candidates, pointed, self._scan))
        text, doc = self._text(heads, key)
        return text, doc, heads

    def _text(self, heads: Ints, key: Key) -> tuple[Text, str]:
        places, container = self._scan.places, self._container(key)
        lang = container.context.lang if container is not None else ""
        if heads.size:
            spoken = self.languages(heads)
            lang = spoken.most_common(1)[0][0] if spoken else ""
        doc = (
            container.attribute("n") if container is not None and self._is_written_here(key) else ""
        )
        paragraphs = None
        around = np.asarray(places.paragraphs)[heads] if heads.size else heads
        if heads.size and (around >= 0).all():
            borders = np.flatnonzero(np.diff(around)) + 1
            paragraphs = Segmentation(np.diff(borders, prepend=0, append=heads.size))
        indices = heads.tolist()
        text = Text(
            self._units.texts(indices),
            ids=self._ids(indices),
            name=self._source.path,
            lang=lang,
            paragraphs=paragraphs,
        )
        return text, doc

    def languages(self, heads: Ints) -> Counter[str]:
        """Count the languages of elements, in the order of first appearance."""
        if not heads.size:
            return Counter()
        places = self._scan.places
        numbers = np.asarray(places.context)[heads]
        counts = np.bincount(numbers)
        first = {int(k): int(np.argmax(numbers == k)) for k in np.flatnonzero(counts)}
        spoken: Counter[str] = Counter()
        for k in sorted(first, key=first.__getitem__):
            lang = places.contexts[k].lang
            if lang:
                spoken[lang] += int(counts[k])
        return spoken

    def _ids(self, heads: list[int]) -> list[str] | None:
        """Return the identifiers of segments; `n` replaces one that our writer made up."""
        places = self._scan.places
        ids = self._units.ids(heads)
        made = [_WRITTEN_ID.fullmatch(name) is not None for name in ids]
        called = [places.attributes.get(k, _NOTHING).get("n") for k in heads]
        if all(made) and called.count(None) == len(called):
            return None if heads else []
        unnamed = [k for k in heads if k in places.made and self._units.id(k) == places.ids[k]]
        if unnamed:
            kind = "segments without xml:id, named by their place"
            first = places[unnamed[0]]
            self._source.note(kind, first.id, line=first.line, count=len(unnamed))
        if any(made):
            names = [
                n if ours and n is not None else name
                for n, name, ours in zip(called, ids, made, strict=True)
            ]
            often = Counter(names)
            ids = [new if often[new] == 1 else old for new, old in zip(names, ids, strict=True)]
        return ids


def _beside(candidates: Ints, pointed: Ints, scan: Scan) -> Ints:
    """Return the candidates that neither enclose, nor lie in, a segment."""
    if not candidates.size:
        return candidates
    orders, lasts = np.asarray(scan.places.orders), np.asarray(scan.places.lasts)
    if pointed.size:
        own = orders[pointed]
        reach = np.maximum.accumulate(lasts[pointed])  # the last element inside any of them so far
        k = np.searchsorted(own, orders[candidates], side="right")
        inside = (k > 0) & (reach[k - 1] >= orders[candidates])
        around = (k < own.size) & (own[np.minimum(k, own.size - 1)] <= lasts[candidates])
        candidates = candidates[~(inside | around)]
    if (orders[candidates][1:] > lasts[candidates][:-1]).all():
        return candidates
    outermost, last = [], -1
    for k, order, end in zip(
        candidates.tolist(), orders[candidates].tolist(), lasts[candidates].tolist(), strict=True
    ):
        if order > last:
            outermost.append(k)
            last = end
    return np.array(outermost, dtype=np.int64)


def _lookup(pointers: Sequence[Pointer], text: Text) -> dict[Pointer, int]:
    """Look up pointers in a text, by identifiers or by whole pointers."""
    unique = list(dict.fromkeys(pointers))
    by_id = places([p.id for p in unique], text)
    if (by_id < 0).any():
        whole = places([f"{p.doc}#{p.id}" for p in unique], text)
        by_id = whole if (whole < 0).sum() < (by_id < 0).sum() else by_id
    return {p: k for p, k in zip(unique, by_id.tolist(), strict=True) if k >= 0}


# The links of a TEI file with resolved pointers, group by group.

# Uses within one text: of coreference, syntax and entities.
_OTHER = re.compile(r"coref|anaph|\bsyn|\bud-|depend|treebank|entit|event|citation", re.IGNORECASE)
_ALIGNMENT = re.compile(r"align|trans|parall|equival|bitext|pair", re.IGNORECASE)


def alignments(units: Units) -> list[Group]:
    """Select the groups that align segments of texts.

    Groups of links have other uses, too (`type="UD-SYN"`). If the type of some groups says
    alignment, groups of another type are left out.
    """
    groups = [group for group in units.scan.groups if group.links or "domains" in group.attributes]
    stated = [_ALIGNMENT.search(group.attributes.get("type", "")) for group in groups]
    groups_left = []
    for group, is_said in zip(groups, stated, strict=True):
        kind = group.attributes.get("type", "")
        left_out = bool(kind) and not is_said and any(stated)
        if not left_out:
            groups_left.append(group)
        if left_out or (_OTHER.search(kind) and not is_said):
            note = "groups of links of another type, read as alignments"
            if left_out:
                note = "groups of links of another type than alignments, left out"
            units.source.note(note, f"type {kind[:40]!r}", line=group.line)
    return groups_left


def resolve_links(
    units: Units, texts: Texts, group: Group
) -> tuple[list[ResolvedLink], TextAssignment]:
    """Resolve the links of a group, and assign each pointer to a text.

    Raises `FormatError` when a pointer cannot be resolved, or there is no evidence for the texts;
    with the line.
    """
    files = [
        doc
        for name in ("corresp", "domains")
        for target in split(group.attributes.get(name, ""))
        if (doc := units.pointers.document(target, group.base))
    ]
    finder = _Finder(units, texts, list(dict.fromkeys(files)))
    links = list(finder.links(group))
    sides = assign_texts(units, group, links)
    if sides is None:
        line = next((link.line for link in links if len(link.pointers) != 2), group.line)
        raise units.source.error(
            "has links whose sides are not clear: their segments are in one document, and neither "
            "domains of the linkGrp nor xml:lang of the segments identifies the two texts; name "
            "the elements that hold the two texts in domains",
            line,
        )
    return links, sides


class _Finder:
    """Resolves the pointers of the links of one group."""

    def __init__(self, units: Units, texts: Texts, files: Sequence[str]) -> None:
        self._source, self._scan, self._pointers = units.source, units.scan, units.pointers
        self._units, self._texts, self._files = units, texts, files

    def links(self, group: Group) -> Iterator[ResolvedLink]:
        """Yield the links that can be read."""
        for link in group.links:
            resolved: list[Pointer] = []
            wrong = ""
            targets = split(link.targets)
            for place, target in enumerate(targets):
                pointer, flaw = self._pointers.find(target, link.base)
                if not flaw:
                    pointer, flaw = self._element(pointer, place, len(targets))
                if flaw:
                    wrong = wrong or f"the pointer {target[:80]!r} {flaw}"
                resolved.append(pointer)
            if not resolved:
                wrong = "has a link without target, which links nothing; take it out"
                if link.attributes.get("xtargets"):
                    wrong = (
                        "has a link with xtargets, as in XCES and in JRC-Acquis, in a linkGrp "
                        "without fromDoc and toDoc: name the two documents there, whose s have "
                        "these ids"
                    )
            if wrong:
                self._source.refuse(wrong, link.line)
                continue
            distinct = list(dict.fromkeys(resolved))
            if len(distinct) < len(resolved):
                kind = "links that name a segment twice, taken once"
                self._source.note(kind, line=link.line)
            if len(distinct) == 1:
                kind = "links with one pointer, taken as 0-1 and 1-0"
                self._source.note(kind, targets[0][:80], line=link.line)
            yield ResolvedLink(distinct, link.attributes, link.line)

    def _element(self, pointer: Pointer, place: int, size: int) -> tuple[Pointer, str]:
        """Resolve a pointer within this file; in a file of links, within the files of the group."""
        if pointer.doc:
            return pointer, ""
        known = self._scan.by_id.get(pointer.id)
        if known is not None:
            return Pointer("", self._units.id(self._units.head(known))), ""
        holding, missing = self._texts.holding(pointer.id, self._files)
        looked = len(missing) < len(self._files)
        if len(holding) == 1:
            return Pointer(holding[0], pointer.id), ""
        if (holding or not looked) and len(self._files) == size == 2:
            return Pointer(self._files[place], pointer.id), ""
        if holding:
            return pointer, (
                f"names an element that several of the files have ({', '.join(holding)[:80]}); "
                f"name the file in the pointer (en.xml#e1)"
            )
        if missing and (self._scan.has_units or looked):
            return pointer, (
                f"names no element of what was read, and {missing[0][:80]}, which the linkGrp "
                f"lists, is not found; give its folder ({remedy('root')}), or correct its name"
            )
        if self._scan.has_units or looked:
            return pointer, "names no element of this file or of those it lists; correct it"
        if self._files:
            return pointer, (
                f"names an element of one of the files that the linkGrp lists, which are not there "
                f"to tell of which; give their folder ({remedy('root')})"
            )
        return pointer, ""
