"""The two texts of TEI links: elements of the file itself, or documents that it points into.

What our own writer made up is taken back here: identifiers `bitext-1-src-1` are positions, or stand
for the identifier that the element has as its `n`.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bitext.errors import FormatError
from bitext.formats.opening import Notes
from bitext.formats.tei_documents import TeiDocuments
from bitext.formats.xces_texts import places
from bitext.model import Segmentation, Text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from bitext.formats.opening import Source
    from bitext.formats.registry import ReadOptions
    from bitext.formats.tei_documents import Document
    from bitext.formats.tei_places import Place, Scan
    from bitext.formats.tei_pointers import Pointer
    from bitext.formats.tei_sides import Key, Sides
    from bitext.formats.tei_units import Units

__all__ = ["Side", "Texts"]

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
