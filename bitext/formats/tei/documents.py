"""The two texts of TEI links: elements of the file itself, or documents that it points into.

What our own writer made up is taken back here: identifiers `bitext-1-src-1` are positions, or stand
for the identifier that the element has as its `n`.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bitext.errors import FormatError
from bitext.formats.io.source import Notes
from bitext.formats.languages import normal
from bitext.formats.tei.fast import scan
from bitext.formats.tei.pointers import Pointer, Pointers, Units, split
from bitext.formats.xces.reading import Documents, places
from bitext.formats.xml.syntax import read_prolog
from bitext.model import Segmentation, Text
from bitext.option_names import remedy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from bitext.formats.io.source import Source
    from bitext.formats.registry import ReadOptions
    from bitext.formats.tei.scan import Context, Group, Place, Scan

__all__ = [
    "Document",
    "Key",
    "Made",
    "Side",
    "Sides",
    "TeiDocuments",
    "Telling",
    "Texts",
    "alignments",
    "tell",
    "told_links",
]


# Documents that TEI links point into, where what they name is not a sentence (`s`).
#
# `xces.reading.Documents` finds them, under the given roots only, and reads their sentences. Here
# the same files are read as TEI is, with all elements that have an identifier.

_KEPT = 4  # documents held for the groups to come


class Document(NamedTuple):
    """A document with all its elements; its notes are in its source, which is closed."""

    source: Source
    scan: Scan
    units: Units

    def has(self, name: str) -> bool:
        """Tell whether there is an element of that identifier."""
        place = self.scan.by_id.get(name)
        return place is not None and place not in self.scan.places.made


class TeiDocuments(Documents):
    """Opens the documents that a file names, under the given roots only."""

    def __init__(self, source: Source, roots: tuple[Path | str, ...]) -> None:
        super().__init__(source, roots, source.limits)
        self._scanned: dict[str, Document | None] = {}

    def scanned(self, name: str) -> Document | None:
        """Return a document with its elements; `None` if it is not there, or has no identifiers."""
        if name not in self._scanned:
            while len(self._scanned) >= _KEPT:
                del self._scanned[next(iter(self._scanned))]
            self._scanned[name] = self._scan(name)
        return self._scanned[name]

    def _scan(self, name: str) -> Document | None:
        located = self._locate(name)
        if located.path is None:
            return None
        with self._opened(located) as source:
            if not read_prolog(source.head()).root:
                return None
            try:
                found = scan(source)
            except FormatError:  # told when its sentences were looked for
                return None
            units = Units(source, found, Pointers(source, found))
        return Document(source, found, units) if len(found.by_id) > len(found.places.made) else None


# The texts that the links of a TEI file are between, told apart.
#
# `target` is a flat list. The text of each pointer is told by the first of these that tells it for
# all pointers of a group of links:
#
# 1. the file, the TEI of a corpus or the text of a group that it lies in;
# 2. `domains` of the group: the elements or files that hold the texts, in the order of the sides;
# 3. `corresp` of the group, which lists the files, in the order of the sides;
# 4. `xml:lang` of the element pointed to;
# 5. its place in the link, where every link has exactly two; `targFunc` names the places.
#
# `domains` is looked at first where it holds all that is pointed to, as it says more than (1): how
# many texts there are, and in which order.

Key = tuple[str, str]  # what tells a text: the kind of evidence, and what it says
_SOURCES = {"source", "src", "original", "orig"}


@dataclass(slots=True)
class Made:
    """A link with its pointers made out, and the text of each."""

    pointers: list[Pointer]
    attributes: dict[str, str]
    line: int
    keys: list[Key] = field(default_factory=list)

    def sides(self) -> list[Key]:
        """Return the texts that it has segments of, in the order of its pointers."""
        return list(dict.fromkeys(self.keys))


@dataclass(slots=True)
class Sides:
    """How the texts of a group were told.

    Attributes
    ----------
    told : Telling
        The evidence.
    by : {"domain", "home", "language", ""}
        Which of it counts for elements of this file; empty for none.
    declared : list of Key
        The texts that the group declares, in its order.

    """

    told: Telling
    by: str
    declared: list[Key]

    def mask(self, key: Key, places: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Tell of each element of this file whether it is of a text."""
        codes, keys = self.told.coded(self.by, places)
        code = keys.index(key) if key in keys else len(keys)
        return np.asarray(codes == code)


def tell(
    scan: Scan,
    pointers: Pointers,
    group: Group,
    links: Sequence[Made],
    *,
    pointing: frozenset[str] | None = None,
) -> Sides | None:
    """Tell the text of every pointer of the links of a group, and put it there.

    Parameters
    ----------
    pointing : frozenset of str, optional
        Where the links are made of `corresp` attributes: the identifiers of the elements that have
        one. If none of them is pointed to, they are one text and those pointed to the other.

    Returns
    -------
    Sides or None
        `None` when nothing tells.

    """
    told = Telling(scan, pointers, group)
    if len(told.domains) > 1 and _put(links, told.by_domain, told.domains):
        return Sides(told, "domain", told.domains)
    declared = told.domains if len(told.domains) > 1 else told.listed
    if _put(links, told.by_document, declared):
        return Sides(told, "home", declared)
    if _put(links, told.by_language, []):
        return Sides(told, "language", [])
    if pointing is not None:
        return _by_direction(told, links, pointing)
    if links and all(len(link.pointers) == 2 for link in links):
        for link in links:
            link.keys = [("at", "0"), ("at", "1")]
        turned = len(told.functions) == 2 and told.functions[1] in _SOURCES
        return Sides(told, "", [("at", "1"), ("at", "0")] if turned else [])
    return None


def _put(
    links: Sequence[Made], key_of: Callable[[Pointer], Key | None], declared: Sequence[Key]
) -> bool:
    """Put the keys into the links, if every pointer has one and they tell two texts or more."""
    found: list[list[Key]] = []
    for link in links:
        keys = [key for key in map(key_of, link.pointers) if key is not None]
        if len(keys) < len(link.pointers):
            return False
        found.append(keys)
    if not any(len(set(keys)) > 1 for keys in found):
        known = set(declared)
        if len(known) < 2 or not all(known.issuperset(keys) for keys in found):
            return False
    for link, keys in zip(links, found, strict=True):
        link.keys = keys
    return True


def _by_direction(told: Telling, links: Sequence[Made], pointing: frozenset[str]) -> Sides | None:
    """Tell texts by which of them has the `corresp` attributes."""
    found = []
    for link in links:
        keys = [("corresp", "from" if p.id in pointing else "to") for p in link.pointers]
        found.append(keys)
        if len(set(keys)) < 2:
            return None
    for link, keys in zip(links, found, strict=True):
        link.keys = keys
    return Sides(told, "", []) if found else None


class Telling:
    """The kinds of evidence for one group."""

    def __init__(self, scan: Scan, pointers: Pointers, group: Group) -> None:
        self._scan = scan
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
        if len(self.listed) == 1 and docs[0] and scan.has_units:
            # A file that lists the one other text holds the first itself.
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

    def _place(self, pointer: Pointer) -> Place | None:
        return None if pointer.doc else self._scan.named(pointer.id)

    def by_document(self, pointer: Pointer) -> Key | None:
        """Tell by the file, or the part of this one, that is a document."""
        if pointer.doc:
            return ("file", pointer.doc)
        place = self._place(pointer)
        return None if place is None else _home(place.context)

    def by_domain(self, pointer: Pointer) -> Key | None:
        """Tell by the domains."""
        if pointer.doc:
            return self.files.get(pointer.doc)
        place = self._place(pointer)
        order = -1 if place is None else place.order
        return next((key for a, b, key in self.containers if a <= order <= b), None)

    def by_language(self, pointer: Pointer) -> Key | None:
        """Tell by the language of the element."""
        place = self._place(pointer)
        return None if place is None else _language(place.context)

    def coded(self, by: str, places: NDArray[np.int64]) -> tuple[NDArray[np.int64], list[Key]]:
        """Return the texts that elements are of, as indices of keys; -1 for none."""
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
            -1 if (told := of(context)) is None else known.setdefault(told, len(known))
            for context in all_places.contexts
        ]
        return np.array(each)[np.asarray(all_places.context)[places]], list(known)


def _home(context: Context) -> Key:
    """Return the document within this file that elements lie in."""
    return "home", str(context.home)


def _language(context: Context) -> Key | None:
    """Return the language of elements, in their document."""
    return ("lang", f"{normal(context.lang)}@{context.home}") if context.lang else None


_MADE = re.compile(r"bitext-\d+-(?:src|tgt)-\d+")
_NOTHING: Mapping[str, str] = {}
_WHOLE = ("all", "")  # the text that a document is
_CONTAINER = re.compile(r"bitext-\d+-(?:src|tgt)")


class Side(NamedTuple):
    """One text of a pair.

    Attributes
    ----------
    text : Text
        Its segments.
    places : dict
        The index of the segment that each pointer names; none for what the text has not.
    doc : str
        The document, as it is named; may be empty.
    own : bool
        Whether the file holds the text itself.
    lines : list of int
        Where its segments begin, if the file holds it.

    """

    text: Text
    places: dict[Pointer, int]
    doc: str
    own: bool
    lines: Sequence[int] = ()


class Texts:
    """Finds the texts of one file of links."""

    def __init__(self, source: Source, scan: Scan, units: Units, options: ReadOptions) -> None:
        self._source, self._scan, self._units = source, scan, units
        self._options = options
        self._documents = TeiDocuments(source, options.roots)
        self._bad: set[str] = set()
        self._told: set[str] = set()

    def find(self, doc: str) -> Text | None:
        """Return the document of that name, if it is under the roots; notes tell why not."""
        from urllib.parse import unquote

        if doc in self._bad:
            return None
        notes = Notes()
        try:
            text = self._documents.find(unquote(doc), notes)
        except FormatError as error:
            self._bad.add(doc)
            if self._documents.scanned(unquote(doc)) is not None:
                return None  # its other elements may be what is pointed to
            kind = "documents that cannot be read, their segments known by ids only"
            self._source.notes.add(kind, str(error))
            return None
        if doc not in self._told:
            self._told.add(doc)
            self._source.notes.extend(notes)
        return text

    def holding(self, name: str, files: Iterable[str]) -> tuple[list[str], list[str]]:
        """Return which of the files have an identifier, and which of them are not found."""
        from urllib.parse import unquote

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
        """Return the language of a text, by those of the elements pointed to; empty if unknown."""
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
        from urllib.parse import unquote

        other = self._documents.scanned(unquote(doc))
        spoken = (
            Counter[str]() if other is None else self._texts_of(other).languages(other.units.all)
        )
        return spoken.most_common(1)[0][0] if spoken else ""

    def _texts_of(self, other: Document) -> Texts:
        """Return what makes a text of the elements of a document."""
        return Texts(other.source, other.scan, other.units, self._options)

    def _elsewhere(
        self, doc: str, pointers: Sequence[Pointer], names: set[str], least: int
    ) -> Side | None:
        """Return a document by elements that are no sentences, if more than `least` are there."""
        from urllib.parse import unquote

        other = self._documents.scanned(unquote(doc))
        if other is None:
            return None
        by_id, head = other.scan.by_id, other.units.head
        named = {p: head(by_id[p.id]) for p in dict.fromkeys(pointers) if other.has(p.id)}
        if len(named) <= least:
            return None
        heads = np.unique(np.fromiter(named.values(), dtype=np.int64, count=len(named)))
        text, _, segments = self._texts_of(other).own(_WHOLE, heads, None, names)
        self._source.notes.extend(other.source.notes)
        other.source.notes.drain()
        index = np.searchsorted(segments, list(named.values())).tolist()
        return Side(text, dict(zip(named, index, strict=True)), unquote(doc), own=False)

    def _container(self, key: Key) -> Place | None:
        """Return the element that holds a text."""
        if key[0] not in {"home", "in"}:
            return None
        return self._scan.at(int(key[1]))

    def _home(self, key: Key) -> Place | None:
        """Return the element that a text lies in; `None` for all of the file."""
        if key[0] == "lang":
            return self._scan.at(int(key[1].rpartition("@")[2]))
        return self._container(key)

    def _is_ours(self, key: Key) -> bool:
        """Tell whether a text is one that our writer wrote."""
        container = self._container(key)
        return container is not None and _CONTAINER.fullmatch(container.id) is not None

    def side(
        self,
        which: int,
        key: Key,
        pointers: Sequence[Pointer],
        sides: Sides,
        *,
        over: Text | None,
        names: set[str],
        bare: bool,
    ) -> Side:
        """Return a text of a pair.

        Parameters
        ----------
        which : int
            0 for the source, 1 for the target.
        key : Key
            What it was told by.
        pointers : sequence of Pointer
            All that are of it, in the order of the links.
        sides : Sides
            Tells for elements of this file of which text they are.
        over : Text or None
            The text that the alignment is scored over.
        names : set of str
            The names of the segments of the other text.
        bare : bool
            Whether identifiers are known to be without the name of the document.

        """
        from urllib.parse import unquote

        docs = {pointer.doc for pointer in pointers} or {key[1] if key[0] == "file" else ""}
        doc = docs.pop() if len(docs) == 1 else ""
        given = (self._options.src, self._options.tgt)[which]
        own = not docs and not doc and self._scan.has_units
        if own and given is None:
            by_id, head = self._scan.by_id, self._units.head
            named = {p: head(by_id[p.id]) for p in dict.fromkeys(pointers) if p.id in by_id}
            heads = np.unique(np.fromiter(named.values(), dtype=np.int64, count=len(named)))
            whole, named_doc, segments = self.own(key, heads, sides, names)
            index = np.searchsorted(segments, list(named.values())).tolist()
            lines = [self._scan.places.lines[k] for k in segments.tolist()]
            index_of = dict(zip(named, index, strict=True))
            return Side(whole, index_of, named_doc, own=True, lines=lines)
        found = self.find(doc) if doc and given is None else None
        if doc and given is None:
            least = 0 if found is None else len(_lookup(pointers, found))
            if least < len(set(pointers)):
                other = self._elsewhere(doc, pointers, names, least)
                if other is not None:
                    return other
        text = found if given is None else given
        if text is None and over is not None and (over.has_text or not over.has_ids):
            text = over
        if text is not None:
            index = _lookup(pointers, text)
            if index or not pointers or text is not found:
                return Side(text, index, unquote(doc), own=False)
        if text is not None or (doc in self._bad and self._documents.scanned(unquote(doc))):
            kind = "documents that have none of the segments, these known by ids only"
            self._source.notes.add(kind, f"{self._source.path}: {doc[:80]!r}")
        unique = list(dict.fromkeys(pointers))
        whole_names = not (bare and doc)
        ids = [f"{p.doc}#{p.id}" if p.doc and whole_names else p.id for p in unique]
        text = Text.of_ids(ids, name=unquote(doc))
        return Side(text, {p: k for k, p in enumerate(unique)}, unquote(doc), own=False)

    def names(self, pointers: Iterable[Pointer]) -> set[str]:
        """Return the names of the elements of this file that are pointed to."""
        known = (self._scan.by_id.get(p.id) for p in pointers if not p.doc)
        heads = {self._units.head(place) for place in known if place is not None}
        return self._units.names(np.array(sorted(heads), dtype=np.int64))

    def own(
        self, key: Key, pointed: NDArray[np.int64], sides: Sides | None, names: set[str]
    ) -> tuple[Text, str, NDArray[np.int64]]:
        """Return a text that the file holds, its document, and the elements that are its segments.

        Parameters
        ----------
        key : Key
            What it was told by.
        pointed : array
            The elements pointed to, in order.
        sides : Sides or None
            Tells for the other elements of which text they are; `None` where all are of one.
        names : set of str
            The names of the segments of the other text.

        """
        there = self._units.within(self._home(key))
        there = there if sides is None else there[sides.mask(key, there)]
        wanted = self._units.names(pointed) or self._units.names(there) & names
        wanted = wanted or self._units.likely(there)
        if self._is_ours(key):
            wanted = {"s"}
        candidates = there[self._scan.places.named(wanted)[there]]
        heads = np.union1d(pointed, _beside(candidates, pointed, self._scan))
        text, doc = self._text(heads, key)
        return text, doc, heads

    def _text(self, heads: NDArray[np.int64], key: Key) -> tuple[Text, str]:
        places, container = self._scan.places, self._container(key)
        lang = container.context.lang if container is not None else ""
        if heads.size:
            spoken = self.languages(heads)
            lang = spoken.most_common(1)[0][0] if spoken else ""
        doc = container.attribute("n") if container is not None and self._is_ours(key) else ""
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

    def languages(self, heads: NDArray[np.int64]) -> Counter[str]:
        """Count the languages of elements, in the order in which they come."""
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
        """Return the identifiers of segments, without those that a writer of ours made up."""
        places = self._scan.places
        ids = self._units.ids(heads)
        made = [_MADE.fullmatch(name) is not None for name in ids]
        called = [places.attributes.get(k, _NOTHING).get("n") for k in heads]
        if all(made) and called.count(None) == len(called):
            return None if heads else []
        unnamed = [k for k in heads if k in places.made and self._units.id(k) == places.ids[k]]
        if unnamed:
            kind = "segments without xml:id, named by their place"
            first = places[unnamed[0]]
            where = f"{self._source.path} line {first.line}: {first.id}"
            self._source.notes.add(kind, where, len(unnamed))
        if any(made):
            told = [
                n if ours and n is not None else name
                for n, name, ours in zip(called, ids, made, strict=True)
            ]
            often = Counter(told)
            ids = [new if often[new] == 1 else old for new, old in zip(told, ids, strict=True)]
        return ids


def _beside(
    candidates: NDArray[np.int64], pointed: NDArray[np.int64], scan: Scan
) -> NDArray[np.int64]:
    """Return the candidates that neither lie in, nor around, an element pointed to or another."""
    if not candidates.size:
        return candidates
    orders, lasts = np.asarray(scan.places.orders), np.asarray(scan.places.lasts)
    if pointed.size:
        own = orders[pointed]
        reach = np.maximum.accumulate(lasts[pointed])  # the last element inside of any up to here
        k = np.searchsorted(own, orders[candidates], side="right")
        inside = (k > 0) & (reach[k - 1] >= orders[candidates])
        around = (k < own.size) & (own[np.minimum(k, own.size - 1)] <= lasts[candidates])
        candidates = candidates[~(inside | around)]
    if (orders[candidates][1:] > lasts[candidates][:-1]).all():
        return candidates
    kept, last = [], -1
    for k, order, end in zip(
        candidates.tolist(), orders[candidates].tolist(), lasts[candidates].tolist(), strict=True
    ):
        if order > last:
            kept.append(k)
            last = end
    return np.array(kept, dtype=np.int64)


def _lookup(pointers: Sequence[Pointer], text: Text) -> dict[Pointer, int]:
    """Return the indices in a text of what is pointed to: by identifiers, or whole pointers."""
    unique = list(dict.fromkeys(pointers))
    found = places([p.id for p in unique], text)
    if (found < 0).any():
        whole = places([f"{p.doc}#{p.id}" for p in unique], text)
        found = whole if (whole < 0).sum() < (found < 0).sum() else found
    return {p: k for p, k in zip(unique, found.tolist(), strict=True) if k >= 0}


# The links of a TEI file with their pointers made out, group by group.

_ALIGNMENT = re.compile(r"align|trans|parall|equival|bitext|pair", re.IGNORECASE)


def alignments(source: Source, scan: Scan) -> list[Group]:
    """Return the groups that are alignments: of links between segments of texts.

    Groups of links serve for other things too (`type="UD-SYN"`). Where some say that they are
    alignments by their type, those that say to be of another type are left out.
    """
    groups = [group for group in scan.groups if group.links or "domains" in group.attributes]
    said = [_ALIGNMENT.search(group.attributes.get("type", "")) for group in groups]
    kept = []
    for group, is_said in zip(groups, said, strict=True):
        kind = group.attributes.get("type", "")
        if kind and not is_said and any(said):
            where = f"{source.path} line {group.line}: type {kind[:40]!r}"
            source.notes.add("groups of links of another type than alignments, left out", where)
        else:
            kept.append(group)
    return kept


def told_links(
    source: Source, scan: Scan, pointers: Pointers, units: Units, texts: Texts, group: Group
) -> tuple[list[Made], Sides]:
    """Return the links of a group, each pointer with the text that it points into.

    Raises
    ------
    FormatError
        When a pointer cannot be followed, or the sides of the links cannot be told; with the line.

    """
    files = [
        doc
        for name in ("corresp", "domains")
        for target in split(group.attributes.get(name, ""))
        if (doc := pointers.document(target, group.base))
    ]
    finder = _Finder(source, scan, pointers, units, texts, list(dict.fromkeys(files)))
    links = list(finder.links(group))
    sides = tell(scan, pointers, group, links)
    if sides is None:
        line = next((link.line for link in links if len(link.pointers) != 2), group.line)
        raise source.error(
            "has links of which nothing tells the sides: their segments lie in one document, and "
            "neither domains of the linkGrp nor xml:lang of the segments says of which text they "
            "are; name the elements that hold the two texts in domains",
            line,
        )
    return links, sides


class _Finder:
    """Makes out the pointers of the links of one group."""

    def __init__(
        self,
        source: Source,
        scan: Scan,
        pointers: Pointers,
        units: Units,
        texts: Texts,
        files: Sequence[str],
    ) -> None:
        self._source, self._scan, self._pointers = source, scan, pointers
        self._units, self._texts, self._files = units, texts, files

    def links(self, group: Group) -> Iterator[Made]:
        """Yield the links that can be read."""
        for link in group.links:
            found: list[Pointer] = []
            wrong = ""
            targets = split(link.targets)
            for place, target in enumerate(targets):
                pointer, flaw = self._pointers.find(target, link.base)
                if not flaw:
                    pointer, flaw = self._element(pointer, place, len(targets))
                if flaw:
                    wrong = wrong or f"the pointer {target[:80]!r} {flaw}"
                found.append(pointer)
            if not found:
                wrong = "has a link without target, which links nothing; take it out"
            if wrong:
                self._source.refuse(wrong, link.line)
                continue
            kept = list(dict.fromkeys(found))
            where = f"{self._source.path} line {link.line}"
            if len(kept) < len(found):
                kind = "links that name a segment twice, taken once"
                self._source.notes.add(kind, where)
            if len(kept) == 1:
                kind = "links with one pointer, taken as 0-1 and 1-0"
                self._source.notes.add(kind, f"{where}: {targets[0][:80]}")
            yield Made(kept, link.attributes, link.line)

    def _element(self, pointer: Pointer, place: int, size: int) -> tuple[Pointer, str]:
        """Find what a pointer into this file names; in a file of links only, in those it lists."""
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
