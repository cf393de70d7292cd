"""The common line: two versions of one text laid over each other, character by character.

Each character that both texts have is a place of the line. Between two such places is a *slot*
for the unmatched characters of either text: `"` against `“`, an extra word, a lost sentence.
Unmatched characters do not locate a boundary, so a slot is one place for boundaries, wherever
they stand in it:

- If both texts have one boundary in a slot, the two are the same. If both have the same number,
  they correspond in order, and the segments between them replace each other, unless one of them
  stands elsewhere in the other text.
- If only one text has boundaries there, the other is cut in proportion.
- If both have boundaries there, but of different number, the segments within the slot belong to
  one text alone, and are places of the line; the segments around them end at the same place.
"""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple
from unicodedata import normalize

import numpy as np

from bitext.kernels.arrays import Ints, prefix, ranges
from bitext.kernels.matching import match_characters
from bitext.metrics.units import is_space
from bitext.model import Text


class Line:
    """A text as the line of its characters, white space left out.

    Attributes
    ----------
    text : Text
        With characters.
    points : array of uint32
        The characters, as code points.
    where : array of int64
        The offset of each character in the text.
    inner : array of bool
        Which characters continue a decomposed character of the text: all its parts but the first.

    """

    def __init__(self, text: Text, *, decomposed: bool = False) -> None:
        self.text = text
        line = text.line or ""
        points = np.frombuffer(line.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
        within = np.zeros(points.size + 1, dtype=np.int64)
        np.add.at(within, text.starts, 1)
        np.subtract.at(within, text.ends, 1)
        self.where = np.flatnonzero(~is_space(line) & (np.cumsum(within)[:-1] > 0))
        self.points = points[self.where]
        self.inner = np.zeros(self.where.size, dtype=bool)
        if decomposed:
            self._decompose()

    def _decompose(self) -> None:
        """Replace characters by their canonical decompositions: `é` by `e` and an accent."""
        present = np.bincount(self.points) > 0
        parts = [normalize("NFD", chr(code)) for code in np.flatnonzero(present).tolist()]
        flat = np.array([ord(c) for part in parts for c in part], dtype=np.uint32)
        lengths = np.array([len(part) for part in parts], dtype=np.int64)
        kind = (np.cumsum(present) - 1)[self.points]
        each = lengths[kind]
        self.points = flat[ranges(prefix(lengths)[:-1][kind], each)]
        self.where = np.repeat(self.where, each)
        self.inner = ranges(0, each) > 0

    @cached_property
    def _bounds(self) -> tuple[Ints, Ints]:
        starts, ends = self.text.starts, self.text.ends
        return np.searchsorted(self.where, starts), np.searchsorted(self.where, ends)

    def begins(self) -> Ints:
        """Return the characters at which segments begin, ascending."""
        return self._bounds[0]

    def ends(self) -> Ints:
        """Return the characters before which segments end, ascending."""
        return self._bounds[1]

    @cached_property
    def edges(self) -> Ints:
        """The characters at which segments with characters begin, and the end of the line."""
        low, high = self.begins(), self.ends()
        return np.unique(np.append(low[high > low], self.points.size))


def meeting_lines(a: Text, b: Text) -> tuple[Line, Line]:
    """Return the lines of two texts, equal for canonically equivalent texts."""
    lines = Line(a), Line(b)
    if np.array_equal(lines[0].points, lines[1].points):
        return lines
    return Line(a, decomposed=True), Line(b, decomposed=True)


def matches(first: Line, second: Line) -> tuple[Ints, Ints]:
    """Pair the common characters as `match_characters` does; symmetric in the two lines."""
    if _order(second) < _order(first):
        in_second, in_first = matches(second, first)
        return in_first, in_second
    return match_characters(first.points, second.points, begins=(first.begins(), second.begins()))


def first_difference(first: Line, second: Line) -> str:
    """Describe the first difference between two texts: the characters, and the segment of each."""
    size = min(first.points.size, second.points.size)
    differ = np.flatnonzero(first.points[:size] != second.points[:size])
    at = int(differ[0]) if differ.size else size
    shown = []
    for line in (first, second):
        where = int(line.where[at]) if at < line.where.size else len(line.text.line or "")
        segment = max(int(np.searchsorted(line.text.starts, where, side="right")) - 1, 0)
        around = " ".join((line.text.line or "")[where : where + 30].split()) or "the end"
        shown.append(f"{around!r} in segment {segment}")
    return f"{shown[0]} against {shown[1]}"


def _order(line: Line) -> tuple[int, bytes]:
    return line.points.size, line.points.tobytes()


class _Slots(NamedTuple):
    """The characters and edges of one text in each slot."""

    start: Ints  # the first character of each slot
    run: Ints  # the number of characters of each slot
    first: Ints  # the first edge at or after each slot
    counts: Ints  # the number of edges in each slot
    of: Ints  # the slot of each edge

    @classmethod
    def between(cls, matched: Ints, line: Line) -> _Slots:
        start = np.append(0, matched + 1)
        of = np.searchsorted(matched, line.edges)
        counts = np.bincount(of, minlength=start.size)
        run = np.append(matched, line.points.size) - start
        return cls(start, run, np.cumsum(counts) - counts, counts, of)


class CommonLine:
    """The line that two versions of a text share.

    Time and memory are linear in the texts.

    Parameters
    ----------
    first, second : Line
        The two versions.
    pairs : pair of arrays of int64
        Their matched characters, as in `matches`.
    alone : array of int64, optional
        The first characters of segments of the first text alone; no character of them is matched.

    Attributes
    ----------
    length : int
        The number of its places.

    """

    def __init__(
        self, first: Line, second: Line, pairs: tuple[Ints, Ints], alone: Ints | None = None
    ) -> None:
        self._lines = first, second
        lines = zip(pairs, self._lines, strict=True)
        self._slots = tuple(_Slots.between(matched, line) for matched, line in lines)
        a, b = (slots.counts for slots in self._slots)
        differ = a != b
        if alone is not None:
            differ[np.searchsorted(pairs[0], alone)] = True
        self._apart = differ & (a > 0) & (b > 0)
        width = np.maximum(np.where(self._apart, a + b - 2, np.maximum(a, b) - 1), 0)
        self._width = width
        self._start = np.arange(width.size) + np.cumsum(width) - width
        self.length = int(self._start[-1] + width[-1])
        # If both have segments of their own, those of the first text come first.
        lead = np.where(self._apart, a - 1, 0)
        self._lead = np.zeros_like(lead), lead

    def spans(self, k: int) -> tuple[Ints, Ints]:
        """Return the span on the common line of each segment of the first (0) or second text."""
        line, slots = self._lines[k], self._slots[k]
        rank = np.arange(line.edges.size) - slots.first[slots.of]
        slot = self._start[slots.of]
        at = slot + self._lead[k][slots.of] + rank
        apart = self._apart[slots.of]
        # Segments around those that only one text has do not reach into them.
        last = apart & (rank == slots.counts[slots.of] - 1)
        begin = np.where(last, slot + self._width[slots.of], at)
        end = np.where(apart & (rank == 0), slot, at)
        low, high = line.begins(), line.ends()
        edge = np.searchsorted(line.edges, low)
        start = begin[edge]
        return start, np.where(high > low, end[np.minimum(edge + 1, end.size - 1)], start)

    def cut(self, k: int, start: Ints, end: Ints) -> Text:
        """Return the first (0) or second text, cut into the spans and stripped of white space.

        Spans start and end at boundaries of segments of either text.
        """
        line = self._lines[k]
        # A character that is cut between its parts stays with the piece of its first part.
        whole = np.flatnonzero(~np.append(line.inner, False))
        low, high = self.characters(k, start), self.characters(k, end)
        low = whole[np.searchsorted(whole, low)]
        where = np.append(line.where, len(line.text.line or ""))
        first = where[low]
        last = np.where(high > low, where[high - 1] + 1, first)
        return Text.from_offsets(line.text.line or "", first, last, name=line.text.name)

    def characters(self, k: int, at: Ints) -> Ints:
        """Return the first character of a text after the start of a place of the line.

        The places are boundaries of segments of either text.
        """
        slot = np.searchsorted(self._start, at, side="right") - 1
        step = at - self._start[slot]
        own_slots, other_slots = self._slots[k], self._slots[1 - k]
        last = np.maximum(own_slots.counts[slot] - 1, 0)
        inner = np.clip(step - self._lead[k][slot], 0, last)
        own_character = self._lines[k].edges[own_slots.first[slot] + inner]
        edges = self._lines[1 - k].edges
        into = edges[np.minimum(other_slots.first[slot] + step, edges.size - 1)]
        into = into - other_slots.start[slot]
        run, width = other_slots.run[slot], own_slots.run[slot]
        share = np.where(run > 0, (2 * into * width + run) // np.maximum(2 * run, 1), width)
        return np.where(own_slots.counts[slot] > 0, own_character, own_slots.start[slot] + share)
