"""The common line: two versions of one text laid over each other, character by character.

Each character that both have is a place of the line. Between two such places is a *slot*, which
holds what only one or the other has there: `"` against `“`, a word too much, a lost sentence.
Characters that were not matched say nothing about where the texts are cut, so a slot is one place
for boundaries, whatever stands before or behind them in it:

- If both texts have one boundary in a slot, it is the same one. If both have as many, they are
  the same in their order, and the segments between them are replaced ones.
- If only one text has boundaries there, the other is cut in proportion.
- If both have some, but not as many, segments that lie within the slot are those of one text
  alone, and places of the line; what stands around them is cut at the same place in both.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple
from unicodedata import normalize

import numpy as np

from bitext.kernels.matching import match_characters
from bitext.metrics.units import is_space
from bitext.model import Text

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["CommonLine", "Line", "first_difference", "matches", "meeting_lines"]


class Line:
    """A text as the line of its characters, white space left out.

    Attributes
    ----------
    text : Text
        With characters.
    points : array of uint32
        The characters, as code points.
    where : array of int64
        Where each stands in the text.
    inner : array of bool
        Which of them are no first part of what is one character in the text.

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
        """Put canonical decompositions in the place of characters: `é` is `e` and an accent."""
        present = np.bincount(self.points) > 0
        parts = [normalize("NFD", chr(code)) for code in np.flatnonzero(present).tolist()]
        flat = np.array([ord(c) for part in parts for c in part], dtype=np.uint32)
        lengths = np.array([len(part) for part in parts], dtype=np.int64)
        kind = (np.cumsum(present) - 1)[self.points]
        each = lengths[kind]
        ends = np.cumsum(each)
        offset = np.arange(ends[-1] if ends.size else 0) - np.repeat(ends - each, each)
        self.points = flat[np.repeat((np.cumsum(lengths) - lengths)[kind], each) + offset]
        self.where = np.repeat(self.where, each)
        self.inner = offset > 0

    def begins(self) -> NDArray[np.int64]:
        """Return the characters at which segments begin, ascending."""
        return np.searchsorted(self.where, self.text.starts)

    def ends(self) -> NDArray[np.int64]:
        """Return the characters before which segments end, ascending."""
        return np.searchsorted(self.where, self.text.ends)

    @cached_property
    def edges(self) -> NDArray[np.int64]:
        """The characters at which segments that have some begin; the end of the line, too."""
        low, high = self.begins(), self.ends()
        return np.unique(np.append(low[high > low], self.points.size))


def meeting_lines(a: Text, b: Text) -> tuple[Line, Line]:
    """Return the lines of two texts, such that canonically equivalent texts have equal ones."""
    lines = Line(a), Line(b)
    if np.array_equal(lines[0].points, lines[1].points):
        return lines
    return Line(a, decomposed=True), Line(b, decomposed=True)


def matches(first: Line, second: Line) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Pair the characters that both have, as `match_characters`; the same if they are exchanged."""
    if _order(second) < _order(first):
        in_second, in_first = matches(second, first)
        return in_first, in_second
    return match_characters(first.points, second.points, begins=(first.begins(), second.begins()))


def first_difference(first: Line, second: Line) -> str:
    """Show where the characters of two texts first differ, in which segment of each."""
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
    """What one text has in each slot.

    Attributes
    ----------
    start, run : array of int64
        The first character of a slot, and how many it has.
    first, counts : array of int64
        The first edge at or behind the slot, and how many are in it.
    of : array of int64
        The slot of each edge.

    """

    start: NDArray[np.int64]
    run: NDArray[np.int64]
    first: NDArray[np.int64]
    counts: NDArray[np.int64]
    of: NDArray[np.int64]

    @classmethod
    def between(cls, matched: NDArray[np.int64], line: Line) -> _Slots:
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
        Which of their characters were matched, as of `matches`.

    Attributes
    ----------
    length : int
        Its places.

    """

    def __init__(
        self, first: Line, second: Line, pairs: tuple[NDArray[np.int64], NDArray[np.int64]]
    ) -> None:
        self._lines = first, second
        found = zip(pairs, self._lines, strict=True)
        self._slots = tuple(_Slots.between(matched, line) for matched, line in found)
        a, b = (slots.counts for slots in self._slots)
        self._apart = (a != b) & (a > 0) & (b > 0)
        width = np.maximum(np.where(self._apart, a + b - 2, np.maximum(a, b) - 1), 0)
        self._width = width
        self._start = np.arange(width.size) + np.cumsum(width) - width
        self.length = int(self._start[-1] + width[-1])
        # Where each has segments of its own, those of the first text come first.
        lead = np.where(self._apart, a - 1, 0)
        self._lead = np.zeros_like(lead), lead

    def spans(self, k: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the span on the common line of each segment of the first (0) or second text."""
        line, slots = self._lines[k], self._slots[k]
        rank = np.arange(line.edges.size) - slots.first[slots.of]
        slot = self._start[slots.of]
        at = slot + self._lead[k][slots.of] + rank
        apart = self._apart[slots.of]
        # What stands around segments that are only in one text does not reach into them.
        last = apart & (rank == slots.counts[slots.of] - 1)
        begin = np.where(last, slot + self._width[slots.of], at)
        end = np.where(apart & (rank == 0), slot, at)
        low, high = line.begins(), line.ends()
        edge = np.searchsorted(line.edges, low)
        start = begin[edge]
        return start, np.where(high > low, end[np.minimum(edge + 1, end.size - 1)], start)

    def cut(self, k: int, start: NDArray[np.int64], end: NDArray[np.int64]) -> Text:
        """Return the first (0) or second text, cut into the spans, without white space around.

        Spans start and end where a segment of either text does.
        """
        line = self._lines[k]
        # A character that is cut within stays with the piece that has its first part.
        whole = np.flatnonzero(~np.append(line.inner, False))
        low, high = self.characters(k, start), self.characters(k, end)
        low = whole[np.searchsorted(whole, low)]
        where = np.append(line.where, len(line.text.line or ""))
        first = where[low]
        last = np.where(high > low, where[high - 1] + 1, first)
        return Text.from_offsets(line.text.line or "", first, last, name=line.text.name)

    def characters(self, k: int, at: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the character of a text before which a place of the line begins.

        Places are those at which a segment of either text starts or ends.
        """
        slot = np.searchsorted(self._start, at, side="right") - 1
        step = at - self._start[slot]
        mine, other = self._slots[k], self._slots[1 - k]
        last = np.maximum(mine.counts[slot] - 1, 0)
        own = self._lines[k].edges[mine.first[slot] + np.clip(step - self._lead[k][slot], 0, last)]
        theirs = self._lines[1 - k].edges
        into = theirs[np.minimum(other.first[slot] + step, theirs.size - 1)] - other.start[slot]
        run, width = other.run[slot], mine.run[slot]
        share = np.where(run > 0, (2 * into * width + run) // np.maximum(2 * run, 1), width)
        return np.where(mine.counts[slot] > 0, own, mine.start[slot] + share)
