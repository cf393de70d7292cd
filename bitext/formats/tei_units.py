"""The segments of a TEI file: elements, those that are parts of one put together.

A segment may be split over elements, as a sentence over two paragraphs: these name each other by
`prev` and `next`, or say their place by `part` (I, M, F: an initial one and all up to the next
final one of the same name). Such elements are one segment, named for the first of them, with their
texts joined by one blank. Elements are known here by their indices in `Places`.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

import numpy as np

from bitext.formats.tei_places import UNITS
from bitext.formats.tei_pointers import split

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from bitext.formats.opening import Source
    from bitext.formats.tei_places import Place, Scan
    from bitext.formats.tei_pointers import Pointers

__all__ = ["Units"]

# What segments are, if all else fails.
_LIKELY = ("s", "seg", "anchor", "ab", "p", "l", "u", "head")


class Units:
    """The elements of a file as segments.

    Attributes
    ----------
    all : array
        The elements of the running text that can be segments, or begin one, in order.
    joined : bool
        Whether any are parts of one segment.

    """

    def __init__(self, source: Source, scan: Scan, pointers: Pointers) -> None:
        self._source, self._scan, self._pointers = source, scan, pointers
        self._head: dict[int, int] = {}
        self._rest: dict[int, list[int]] = {}
        self._join()
        self.joined = bool(self._head)
        places = scan.places
        shown = np.array([context.shown for context in places.contexts], dtype=bool)
        if len(places):
            found = shown[np.asarray(places.context)] & places.named(UNITS)
            found[list(self._head)] = False
            self.all: NDArray[np.int64] = np.flatnonzero(found)
        else:
            self.all = np.zeros(0, dtype=np.int64)

    def within(self, around: Place | None) -> NDArray[np.int64]:
        """Return the segments inside an element; all of them without one."""
        if around is None:
            return self.all
        first = bisect_left(self._scan.places.orders, around.order)
        past = bisect_right(self._scan.places.orders, around.last)
        return self.all[np.searchsorted(self.all, first) : np.searchsorted(self.all, past)]

    def head(self, k: int) -> int:
        """Return the element that the segment of this one begins with."""
        return self._head.get(k, k)

    def parts(self, head: int) -> list[int]:
        """Return the elements of a segment, in order."""
        return [head, *self._rest.get(head, ())]

    def id(self, head: int) -> str:
        """Return the identifier of a segment: the first that one of its elements has."""
        places = self._scan.places
        if head in places.made:
            return next(
                (places.ids[part] for part in self.parts(head) if part not in places.made),
                places.ids[head],
            )
        return places.ids[head]

    def ids(self, heads: Sequence[int]) -> list[str]:
        """Return the identifiers of segments."""
        return list(
            map(self.id if self._scan.places.made else self._scan.places.ids.__getitem__, heads)
        )

    def texts(self, heads: Sequence[int]) -> list[str]:
        """Return the texts of segments."""
        texts = None if self._rest else self._scan.texts(heads)
        return list(map(self._text, heads)) if texts is None else texts

    def _text(self, head: int) -> str:
        texts = []
        for part in self.parts(head):
            text, aside = self._scan.text(part)
            texts.append(text)
            if aside:
                kind = "notes and the like inside segments, not taken as their text"
                place = self._scan.places[part]
                where = f"{self._source.path} line {place.line}: {place.id}"
                self._source.notes.add(kind, where, aside)
        return texts[0] if len(texts) == 1 else " ".join(filter(None, texts))

    def names(self, heads: NDArray[np.int64]) -> set[str]:
        """Return the names of elements."""
        places = self._scan.places
        if not heads.size:
            return set()
        found = np.flatnonzero(np.bincount(np.asarray(places.context)[heads])).tolist()
        return {places.contexts[number].name for number in found}

    def likely(self, heads: NDArray[np.int64]) -> set[str]:
        """Return the name of the elements that most likely are the segments among these."""
        names = self.names(heads)
        return set(next(([name] for name in _LIKELY if name in names), []))

    def _join(self) -> None:
        """Find the elements that are parts of one segment."""
        pairs = list(self._neighbours())
        if not pairs:
            return
        up = {k: k for pair in pairs for k in pair}

        def top(k: int) -> int:
            while up[k] != k:
                up[k] = up[up[k]]
                k = up[k]
            return k

        for one, other in pairs:
            a, b = sorted((top(one), top(other)))
            up[b] = a
        for k in sorted(up):
            head = top(k)
            if head != k:
                self._head[k] = head
                self._rest.setdefault(head, []).append(k)

    def _neighbours(self) -> Iterator[tuple[int, int]]:
        """Yield pairs of elements that are parts of one segment."""
        opened: dict[str, int] = {}
        for k in sorted(self._scan.places.attributes):
            place = self._scan.places[k]
            before, after, part = map(place.attribute, ("prev", "next", "part"))
            if before or after:
                for target in split(f"{before} {after}"):
                    pointer, wrong = self._pointers.find(target, place.context.base)
                    other = self._scan.by_id.get(pointer.id)
                    if wrong or pointer.doc or other is None:
                        kind = "parts of a segment that are not there"
                        where = f"{self._source.path} line {place.line}: {target[:80]}"
                        self._source.notes.add(kind, where)
                    else:
                        yield k, other
            elif part == "I":
                opened[place.name] = k
            elif part in {"M", "F"}:
                begun = opened.get(place.name)
                if begun is None:
                    kind = "parts of a segment without its beginning, taken as segments"
                    where = f"{self._source.path} line {place.line}: {place.id}"
                    self._source.notes.add(kind, where)
                else:
                    yield begun, k
                if part == "F":
                    opened.pop(place.name, None)
