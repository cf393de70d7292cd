"""The segments of a TEI file: elements, those that are parts of one put together.

A segment may be split over elements, as a sentence over two paragraphs: these name each other by
`prev` and `next`, or say their place by `part` (I, M, F: an initial one and all up to the next
final one of the same name). Such elements are one segment, named for the first of them, with their
texts joined by one blank.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

from bitext.formats.tei_places import UNITS
from bitext.formats.tei_pointers import split

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitext.formats.opening import Source
    from bitext.formats.tei_places import Place, Scan
    from bitext.formats.tei_pointers import Pointers

__all__ = ["Units"]

_LIKELY = (
    "s",
    "seg",
    "anchor",
    "ab",
    "p",
    "l",
    "u",
    "head",
)  # what segments are, if all else fails


class Units:
    """The elements of a file as segments.

    Attributes
    ----------
    all : list of Place
        The elements of the running text that can be segments, or begin one, in order.

    """

    def __init__(self, source: Source, scan: Scan, pointers: Pointers) -> None:
        self._source, self._scan, self._pointers = source, scan, pointers
        self._head: dict[int, Place] = {}
        self._rest: dict[int, list[Place]] = {}
        self._join()
        self.all = [
            place
            for place in scan.places
            if place.shown and place.name in UNITS and place.order not in self._head
        ]

    def within(self, around: Place | None) -> list[Place]:
        """Return the segments inside an element; all of them without one."""
        if around is None:
            return self.all
        first = bisect_left(self.all, around.order, key=lambda place: place.order)
        past = bisect_right(self.all, around.last, key=lambda place: place.order)
        return self.all[first:past]

    def head(self, place: Place) -> Place:
        """Return the element that the segment of this one begins with."""
        return self._head.get(place.order, place)

    def parts(self, head: Place) -> list[Place]:
        """Return the elements of a segment, in order."""
        return [head, *self._rest.get(head.order, ())]

    def id(self, head: Place) -> str:
        """Return the identifier of a segment: the first that one of its elements has."""
        if head.made:
            return next((part.id for part in self.parts(head) if not part.made), head.id)
        return head.id

    def text(self, head: Place) -> str:
        """Return the text of a segment."""
        texts = []
        for part in self.parts(head):
            text, aside = self._scan.text(part)
            texts.append(text)
            if aside:
                kind = "notes and the like inside segments, not taken as their text"
                where = f"{self._source.path} line {part.line}: {part.id}"
                self._source.notes.add(kind, where, aside)
        return texts[0] if len(texts) == 1 else " ".join(filter(None, texts))

    def likely(self, heads: list[Place]) -> set[str]:
        """Return the name of the elements that most likely are the segments among these."""
        names = {head.name for head in heads}
        return set(next(([name] for name in _LIKELY if name in names), []))

    def _join(self) -> None:
        """Find the elements that are parts of one segment."""
        pairs = list(self._neighbours())
        if not pairs:
            return
        first = {place.order: place for pair in pairs for place in pair}
        up = {order: order for order in first}

        def top(order: int) -> int:
            while up[order] != order:
                up[order] = up[up[order]]
                order = up[order]
            return order

        for one, other in pairs:
            a, b = sorted((top(one.order), top(other.order)))
            up[b] = a
        for order in sorted(first):
            head = top(order)
            if head != order:
                self._head[order] = first[head]
                self._rest.setdefault(head, []).append(first[order])

    def _neighbours(self) -> Iterator[tuple[Place, Place]]:
        """Yield pairs of elements that are parts of one segment."""
        opened: dict[str, Place] = {}
        for place in self._scan.places:
            if place.prev or place.next:
                for target in split(f"{place.prev} {place.next}"):
                    pointer, wrong = self._pointers.find(target, place.base)
                    other = self._scan.by_id.get(pointer.id)
                    if wrong or pointer.doc or other is None:
                        kind = "parts of a segment that are not there"
                        where = f"{self._source.path} line {place.line}: {target[:80]}"
                        self._source.notes.add(kind, where)
                    else:
                        yield place, other
            elif place.part == "I":
                opened[place.name] = place
            elif place.part in {"M", "F"}:
                begun = opened.get(place.name)
                if begun is None:
                    kind = "parts of a segment without its beginning, taken as segments"
                    where = f"{self._source.path} line {place.line}: {place.id}"
                    self._source.notes.add(kind, where)
                else:
                    yield begun, place
                if place.part == "F":
                    opened.pop(place.name, None)
