"""The two texts of TEI links: elements of the file itself, or documents that it points into.

What our own writer made up is taken back here: identifiers `bitext-1-src-1` are positions, or stand
for the identifier that the element has as its `n`.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from bitext.errors import FormatError
from bitext.formats.opening import Notes
from bitext.formats.xces_texts import Documents, places
from bitext.model import Segmentation, Text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from bitext.formats.opening import Source
    from bitext.formats.registry import ReadOptions
    from bitext.formats.tei_places import Place, Scan
    from bitext.formats.tei_pointers import Pointer
    from bitext.formats.tei_sides import Key
    from bitext.formats.tei_units import Units

__all__ = ["Side", "Texts"]

_MADE = re.compile(r"bitext-\d+-(?:src|tgt)-\d+")
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

    """

    text: Text
    places: dict[Pointer, int]
    doc: str
    own: bool


class Texts:
    """Finds the texts of one file of links."""

    def __init__(self, source: Source, scan: Scan, units: Units, options: ReadOptions) -> None:
        self._source, self._scan, self._units = source, scan, units
        self._options = options
        self._documents = Documents(source, options.roots)
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
            kind = "documents that cannot be read, their segments known by ids only"
            self._source.notes.add(kind, str(error))
            return None
        if doc not in self._told:
            self._told.add(doc)
            self._source.notes.extend(notes)
        return text

    def holding(self, name: str, files: Iterable[str]) -> tuple[list[str], bool]:
        """Return which of the files have an identifier, and whether any of them is there."""
        found = [(doc, self.find(doc)) for doc in files]
        there = [(doc, text) for doc, text in found if text is not None]
        return [doc for doc, text in there if places([name], text)[0] >= 0], bool(there)

    def language(self, key: Key, pointers: Counter[str]) -> str:
        """Return the language of a text, by those of the elements pointed to; empty if unknown."""
        if key[0] == "file":
            text = self.find(key[1])
            return text.lang if text is not None else ""
        if key[0] == "lang":
            return key[1].rpartition("@")[0]
        if pointers:
            return pointers.most_common(1)[0][0]
        container = self._container(key)
        return container.lang if container is not None else ""

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
        key_of: Callable[[Place], Key | None],
        *,
        over: Text | None,
        names: set[str],
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
        key_of : callable
            Tells for an element of this file of which text it is.
        over : Text or None
            The text that the alignment is scored over.
        names : set of str
            The names of the segments of the other text.

        """
        from urllib.parse import unquote

        docs = {pointer.doc for pointer in pointers} or {key[1] if key[0] == "file" else ""}
        doc = docs.pop() if len(docs) == 1 else ""
        given = (self._options.src, self._options.tgt)[which]
        own = not docs and not doc and self._scan.has_units
        if own and given is None:
            return self._own(key, pointers, key_of, names)
        found = self.find(doc) if doc and given is None else None
        text = found if given is None else given
        if text is None and over is not None and (over.has_text or not over.has_ids):
            text = over
        if text is not None:
            index = _lookup(pointers, text)
            if index or not pointers or text is not found:
                return Side(text, index, unquote(doc), own=False)
            kind = "documents that have none of the segments, these known by ids only"
            self._source.notes.add(kind, f"{self._source.path}: {doc[:80]!r}")
        unique = list(dict.fromkeys(pointers))
        ids = [f"{p.doc}#{p.id}" if p.doc else p.id for p in unique]
        text = Text.of_ids(ids, name=unquote(doc))
        return Side(text, {p: k for k, p in enumerate(unique)}, unquote(doc), own=False)

    def names(self, pointers: Iterable[Pointer]) -> set[str]:
        """Return the names of the elements of this file that are pointed to."""
        known = (self._scan.by_id.get(p.id) for p in pointers if not p.doc)
        return {self._units.head(place).name for place in known if place is not None}

    def _own(
        self,
        key: Key,
        pointers: Sequence[Pointer],
        key_of: Callable[[Place], Key | None],
        names: set[str],
    ) -> Side:
        by_id, head = self._scan.by_id, self._units.head
        named = {p: head(by_id[p.id]) for p in dict.fromkeys(pointers) if p.id in by_id}
        there = [p for p in self._units.within(self._home(key)) if key_of(p) == key]
        wanted = self.names(pointers) or {p.name for p in there} & names
        wanted = wanted or self._units.likely(there)
        if self._is_ours(key):
            wanted = {"s"}
        heads = {place.order: place for place in named.values()}
        heads.update(
            (place.order, place)
            for place in _beside([p for p in there if p.name in wanted], list(heads.values()))
        )
        found = [heads[order] for order in sorted(heads)]
        place_of = {place.order: k for k, place in enumerate(found)}
        text, doc = self._text(found, key)
        index = {p: place_of[place.order] for p, place in named.items()}
        return Side(text, index, doc, own=True)

    def _text(self, heads: list[Place], key: Key) -> tuple[Text, str]:
        container = self._container(key)
        langs = Counter(place.lang for place in heads if place.lang)
        lang = langs.most_common(1)[0][0] if langs else ""
        if not heads and container is not None:
            lang = container.lang
        doc = (container.n or "") if container is not None and self._is_ours(key) else ""
        paragraphs = None
        if heads and all(place.paragraph >= 0 for place in heads):
            runs = groupby(place.paragraph for place in heads)
            paragraphs = Segmentation([len(list(run)) for _, run in runs])
        text = Text(
            map(self._units.text, heads),
            ids=self._ids(heads),
            name=self._source.path,
            lang=lang,
            paragraphs=paragraphs,
        )
        return text, doc

    def _ids(self, heads: list[Place]) -> list[str] | None:
        """Return the identifiers of segments, without those that a writer of ours made up."""
        ids = [self._units.id(place) for place in heads]
        made = [_MADE.fullmatch(name) is not None for name in ids]
        if all(made) and all(place.n is None for place in heads):
            return None if heads else []
        unnamed = [place for place in heads if place.made and self._units.id(place) == place.id]
        if unnamed:
            kind = "segments without xml:id, named by their place"
            where = f"{self._source.path} line {unnamed[0].line}: {unnamed[0].id}"
            self._source.notes.add(kind, where, len(unnamed))
        if any(made):
            told = [
                place.n if ours and place.n is not None else name
                for place, name, ours in zip(heads, ids, made, strict=True)
            ]
            often = Counter(told)
            ids = [new if often[new] == 1 else old for new, old in zip(told, ids, strict=True)]
        return ids


def _beside(candidates: list[Place], pointed: list[Place]) -> list[Place]:
    """Return the candidates that neither lie in, nor around, an element pointed to or another."""
    pointed = sorted(pointed, key=lambda place: place.order)
    orders = [place.order for place in pointed]
    reach = []  # the last element inside of any up to here
    last = -1
    for place in pointed:
        last = max(last, place.last)
        reach.append(last)
    found: list[Place] = []
    for place in candidates:
        k = bisect_right(orders, place.order)
        inside = k and reach[k - 1] >= place.order
        around = k < len(orders) and orders[k] <= place.last
        if not (inside or around or (found and found[-1].last >= place.order)):
            found.append(place)
    return found


def _lookup(pointers: Sequence[Pointer], text: Text) -> dict[Pointer, int]:
    """Return the indices in a text of what is pointed to: by identifiers, or whole pointers."""
    unique = list(dict.fromkeys(pointers))
    found = places([p.id for p in unique], text)
    if (found < 0).any():
        whole = places([f"{p.doc}#{p.id}" for p in unique], text)
        found = whole if (whole < 0).sum() < (found < 0).sum() else found
    return {p: k for p, k in zip(unique, found.tolist(), strict=True) if k >= 0}
