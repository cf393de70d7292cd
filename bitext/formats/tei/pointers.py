"""Pointers of TEI files: which element of which document each of them names.

| pointer | names |
| --- | --- |
| `#e1` | the element of this file, or of that of `xml:base` |
| `en.xml#e1`, `http://host/en.xml#e1` | an element of another file, by `xml:base` |
| `e1` (P4 only) | the element of this file |
| `en.xml` | a whole file: no segment, an error |
| `#xpath(...)`, `#string-range(...)`, any other scheme | an error that names it |

No file is opened here.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePath
from typing import NamedTuple, TypeVar
from urllib.parse import unquote, urljoin

import numpy as np

from bitext.formats.io.source import Source
from bitext.formats.opus_documents.tei_sentences import ASIDES
from bitext.formats.tei.scan import UNITS, Place, Scan
from bitext.kernels.arrays import Ints

NodeT = TypeVar("NodeT", int, "Pointer")
_BLANKS = re.compile(r"[ \t\r\n]+")
NO_SEGMENTS = {"join", "link", "linkGrp", "alt", "xptr", "xref", "ptr", "ref"}


class Pointer(NamedTuple):
    """The target of a pointer: a document, empty for this file, and an identifier."""

    doc: str
    id: str


def split(targets: str) -> list[str]:
    """Split the value of an attribute into pointers."""
    return [target for target in _BLANKS.split(targets) if target]


def components(edges: Iterable[tuple[NodeT, NodeT]]) -> dict[NodeT, NodeT]:
    """Return for each node of a graph the least node of its connected component.

    Examples
    --------
    >>> components([(3, 2), (5, 4), (2, 1)])
    {3: 1, 2: 1, 5: 4, 4: 4, 1: 1}

    """
    up: dict[NodeT, NodeT] = {}

    def top(node: NodeT) -> NodeT:
        while up[node] != node:
            up[node] = up[up[node]]
            node = up[node]
        return node

    for edge in edges:
        for node in edge:
            up.setdefault(node, node)
        least, other = sorted(map(top, edge))
        up[other] = least
    return {node: top(node) for node in up}


class Pointers:
    """Resolves the pointers of one file."""

    def __init__(self, source: Source, scan: Scan) -> None:
        self._scan = scan
        self._own = PurePath(source.path).name

    def document(self, target: str, base: str) -> str:
        """Return the document that a pointer names; empty for this file."""
        name = target.partition("#")[0]
        if not name:
            return ""
        return "" if self._is_own(self._joined(base, name)) else self._joined(base, name)

    def find(self, target: str, base: str) -> tuple[Pointer, str]:
        """Resolve a pointer; return its target and a fault, empty if there is none."""
        name, mark, fragment = target.partition("#")
        place = None if name else self._scan.named(fragment)
        if place is not None and place.name not in NO_SEGMENTS and not self._scan.repeated:
            return Pointer("", fragment), ""
        if not mark and self._scan.old:
            name, fragment = "", name
        elif not fragment:
            return Pointer(name, ""), "names a whole document; name the element in it (en.xml#e1)"
        if "(" in fragment:
            scheme = fragment.partition("(")[0]
            return Pointer(name, fragment), (
                f"is by the scheme {scheme[:40]}(), which is not read; point to an xml:id instead"
            )
        known = self._scan.by_id
        own = fragment
        if "%" in fragment and fragment not in known:
            own = unquote(fragment)
        if not name:
            there = self._joined(base, "") if base != self._scan.base else ""
            if own in known or not there or there.endswith("/"):
                return self._here(own)
            return Pointer(there, own), ""
        doc = self._joined(base, name)
        if self._is_own(doc) and (own in known or doc == self._scan.base):
            return self._here(own)
        return Pointer(doc, own), ""

    def _here(self, name: str) -> tuple[Pointer, str]:
        place = self._scan.named(name)
        wrong = ""
        if place is not None and place.name in NO_SEGMENTS:
            wrong = (
                f"names an element {place.name}, which is not a segment, and is not followed; name "
                f"the segment itself"
            )
        elif name in self._scan.repeated:
            wrong = (
                f"names an identifier that two elements have (again in line "
                f"{self._scan.repeated[name]}); give each one of its own"
            )
        return Pointer("", name), wrong

    def _is_own(self, doc: str) -> bool:
        return doc in {self._own, f"./{self._own}"} or (doc == self._scan.base and bool(doc))

    def _joined(self, base: str, name: str) -> str:
        if not base:
            return name
        try:
            return urljoin(base, name)
        except ValueError:  # a malformed address, as http://[
            return name


# Segments of a TEI file.
#
# A segment may be split over elements, as a sentence over two paragraphs. Such elements name each
# other by `prev` and `next`, or give their position by `part` (I, M, F: from an initial part to the
# next final part of the same name). The elements form one segment with the identifier of the first,
# and their texts are joined by one blank. Elements are given by their indices in `Places`.

_PARTS = {"prev", "next", "part"}  # attributes of elements that are parts of one segment

# Names of segments in the order of preference, where no link shows the name.
_LIKELY = ("s", "seg", "anchor", "ab", "p", "l", "u", "head")


class Units:
    """The elements of a file as segments.

    `pointers` resolves the pointers of the file. `all` are the possible segments of the running
    text, each by its first element, in order. `joined` is true if any segment has several elements.
    """

    def __init__(self, source: Source, scan: Scan) -> None:
        self.source, self.scan, self.pointers = source, scan, Pointers(source, scan)
        self._head: dict[int, int] = {}
        self._rest: dict[int, list[int]] = {}
        self._join_parts()
        self.joined = bool(self._head)
        places = scan.places
        shown = np.array([context.shown for context in places.contexts], dtype=bool)
        if len(places):
            is_unit = shown[np.asarray(places.context)] & places.named(UNITS)
            is_unit[list(self._head)] = False
            self.all: Ints = np.flatnonzero(is_unit)
        else:
            self.all = np.zeros(0, dtype=np.int64)

    def within(self, around: Place | None) -> Ints:
        """Return the segments inside an element; all segments without an element."""
        if around is None:
            return self.all
        first = bisect_left(self.scan.places.orders, around.order)
        past = bisect_right(self.scan.places.orders, around.last)
        return self.all[np.searchsorted(self.all, first) : np.searchsorted(self.all, past)]

    def has(self, name: str) -> bool:
        """Check for an element with that identifier in the file."""
        place = self.scan.by_id.get(name)
        return place is not None and place not in self.scan.places.made

    def head(self, k: int) -> int:
        """Return the first element of the segment that an element belongs to."""
        return self._head.get(k, k)

    def parts(self, head: int) -> list[int]:
        """Return the elements of a segment, in order."""
        return [head, *self._rest.get(head, ())]

    def id(self, head: int) -> str:
        """Return the identifier of a segment: of its first element with one."""
        places = self.scan.places
        if head in places.made:
            return next(
                (places.ids[part] for part in self.parts(head) if part not in places.made),
                places.ids[head],
            )
        return places.ids[head]

    def ids(self, heads: Sequence[int]) -> list[str]:
        """Return the identifiers of segments."""
        return list(
            map(self.id if self.scan.places.made else self.scan.places.ids.__getitem__, heads)
        )

    def texts(self, heads: Sequence[int]) -> list[str]:
        """Return the texts of segments."""
        texts = None if self._rest else self.scan.texts(heads)
        return list(map(self._text, heads)) if texts is None else texts

    def _text(self, head: int) -> str:
        texts = []
        for part in self.parts(head):
            text, aside = self.scan.text(part)
            texts.append(text)
            if aside:
                place = self.scan.places[part]
                self.source.note(ASIDES, place.id, line=place.line, count=aside)
        return texts[0] if len(texts) == 1 else " ".join(filter(None, texts))

    def names(self, heads: Ints) -> set[str]:
        """Return the names of elements."""
        places = self.scan.places
        if not heads.size:
            return set()
        numbers = np.flatnonzero(np.bincount(np.asarray(places.context)[heads])).tolist()
        return {places.contexts[number].name for number in numbers}

    def likely(self, heads: Ints) -> set[str]:
        """Return the name of the elements that are most likely segments."""
        names = self.names(heads)
        return set(next(([name] for name in _LIKELY if name in names), []))

    def _join_parts(self) -> None:
        for k, head in sorted(components(self._pairs_of_parts()).items()):
            if head != k:
                self._head[k] = head
                self._rest.setdefault(head, []).append(k)

    def _pairs_of_parts(self) -> Iterator[tuple[int, int]]:
        opened: dict[str, int] = {}
        attributes = self.scan.places.attributes
        for k in sorted(k for k, given in attributes.items() if not _PARTS.isdisjoint(given)):
            place = self.scan.places[k]
            before, after, part = map(place.attribute, ("prev", "next", "part"))
            if before or after:
                for target in split(f"{before} {after}"):
                    pointer, wrong = self.pointers.find(target, place.context.base)
                    other = self.scan.by_id.get(pointer.id)
                    if wrong or pointer.doc or other is None:
                        kind = "parts of a segment that are not there"
                        self.source.note(kind, target[:80], line=place.line)
                    else:
                        yield k, other
            elif part == "I":
                opened[place.name] = k
            elif part in {"M", "F"}:
                begun = opened.get(place.name)
                if begun is None:
                    kind = "parts of a segment without its beginning, taken as segments"
                    self.source.note(kind, place.id, line=place.line)
                else:
                    yield begun, k
                if part == "F":
                    opened.pop(place.name, None)
