"""Documents of `jsonl` by identifiers, in parts: where a document can be cut, and where it cannot.

A document can be cut behind an object if the objects up to it have, on both sides, just the
positions from the last cut on: nothing of what was handed out comes again later, and the order of
the segments is known. Files written in order can be cut behind almost every object. A document
whose segments have names, no texts, or are in no bisegment in part (`src_size`), is read whole.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from bitext.formats.jsonl_ids import identified_bitext, positions
from bitext.formats.lines import grouped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from bitext.formats.jsonl_ids import Line
    from bitext.formats.opening import Source
    from bitext.formats.registry import ReadOptions
    from bitext.model import Bitext

__all__ = ["document_bitexts"]

_SIDES = ("src", "tgt")


def document_bitexts(
    source: Source,
    options: ReadOptions,
    lines: Iterable[Line],
    columns: Callable[[list[Line]], tuple[Sequence[float], Mapping[str, Sequence[str | None]]]],
) -> Iterator[Bitext]:
    """Yield the bitext of one document, or its parts, where these are wanted and can be made.

    Parameters
    ----------
    source : Source
        The file.
    options : ReadOptions
        Say the name, and whether parts are wanted.
    lines : iterable of Line
        The objects of the document, which are sound.
    columns : callable
        Gives the scores and the attributes of some of them.

    """
    waiting: list[Line] = []
    document: _Document | None = None
    for group in grouped(lines, options):
        document = document or _Document(source, options, group, columns)
        waiting = [*waiting, *document.admitted(group)] if waiting else document.admitted(group)
        cut = document.cut(waiting) if options.parts else 0
        if cut:
            yield document.part(waiting[:cut])
            waiting = waiting[cut:]
    if document is not None and (waiting or not document.begun):
        yield document.rest(waiting)


class _Document:
    """A document that is read."""

    def __init__(
        self,
        source: Source,
        options: ReadOptions,
        head: list[Line],
        columns: Callable[[list[Line]], tuple[Sequence[float], Mapping[str, Sequence[str | None]]]],
    ) -> None:
        self._source, self._options, self._columns = source, options, columns
        first = head[0][1]
        langs = [first.get(f"{side}_lang") for side in _SIDES]
        self._langs = tuple(lang if isinstance(lang, str) else "" for lang in langs)
        self.begun = False
        self._next = dict.fromkeys(_SIDES, 0)  # the position behind all that is handed out
        self._may_cut = all(
            f"{side}_size" not in first and {f"{side}_text", f"{side}_segments"} & first.keys()
            for side in _SIDES
        )
        self._tried = 0  # how many objects could not be cut

    def admitted(self, lines: list[Line]) -> list[Line]:
        """Return the objects that go by positions as those that were handed out; refuse others."""
        if not self.begun or all(positions(_names(lines, side)) is not None for side in _SIDES):
            return lines
        found = []
        for line in lines:
            names = [name for side in _SIDES for name in _names([line], side)]
            odd = next((name for name in names if positions([name]) is None), None)
            if odd is None:
                found.append(line)
            else:
                self._source.refuse(
                    f"names the segment {odd[:40]!r}, and the lines before go by positions, as "
                    f"'0'; want positions in all of the document, or in none of it",
                    line[0],
                )
        return found

    def cut(self, lines: list[Line]) -> int:
        """Return how many objects, from the front, can be handed out as a part."""
        if not self._may_cut or len(lines) < 2 * self._tried:
            return 0
        closed = np.ones(len(lines), dtype=np.bool_)
        for side in _SIDES:
            found = positions(_names(lines, side))
            if found is None:
                self._may_cut = False
                return 0
            sizes = np.array([len(each[side] or ()) for _, each in lines], dtype=np.int64)
            closed &= _closed(np.array(found, dtype=np.int64), sizes, self._next[side])
        ends = np.flatnonzero(closed)
        self._tried = 0 if ends.size else len(lines)
        return int(ends[-1]) + 1 if ends.size else 0

    def part(self, lines: list[Line]) -> Bitext:
        """Return the objects as a part."""
        for side in _SIDES:
            self._step(side, lines)
        bitext = self._bitext(lines, part=True)
        begun, self.begun = self.begun, True
        return replace(bitext, continues=begun)

    def _step(self, side: str, lines: list[Line]) -> None:
        """Go on to the position behind these objects; note what is not just in order."""
        before = self._next[side]
        held = np.unique(np.array(positions(_names(lines, side)), dtype=np.int64))
        new = held[held >= before]
        self._next[side] = int(new[-1]) + 1 if new.size else before
        place = f"{self._source.path} lines {lines[0][0]} to {lines[-1][0]}"
        if new.size < held.size:
            kind = f"{side} segments of a part before, taken as further segments"
            self._source.notes.add(kind, f"{place}: segment {held[0]}", held.size - new.size)
        lacking = self._next[side] - before - new.size
        if lacking:
            gap = before + int(np.flatnonzero(np.append(np.diff(new), 0) != 1)[0]) + 1
            gap = gap if new[0] == before else before
            kind = f"{side} positions in no bisegment, left out"
            self._source.notes.add(kind, f"{place}: segment {gap}", lacking)

    def rest(self, lines: list[Line]) -> Bitext:
        """Return the objects that are left: all of the document, or its last part."""
        return self.part(lines) if self.begun else self._bitext(lines, part=False)

    def _bitext(self, lines: list[Line], *, part: bool) -> Bitext:
        scores, attributes = self._columns(lines)
        return identified_bitext(
            self._source,
            self._options,
            lines,
            scores=scores,
            attributes=attributes,
            langs=(self._langs[0], self._langs[1]),
            part=part,
        )


def _names(lines: list[Line], side: str) -> list[str]:
    names = list(chain.from_iterable(each[side] or () for _, each in lines))
    return names if set(map(type, names)) <= {str} else list(map(str, names))


def _closed(members: NDArray[np.int64], sizes: NDArray[np.int64], begin: int) -> NDArray[np.bool_]:
    """Tell behind which rows the positions so far are those from `begin` on, without a gap."""
    row = np.repeat(np.arange(sizes.size), sizes)
    new = members >= begin
    highest = np.full(sizes.size, begin - 1, dtype=np.int64)
    np.maximum.at(highest, row[new], members[new])
    highest = np.maximum.accumulate(highest)
    _, first = np.unique(members[new], return_index=True)
    count = np.cumsum(np.bincount(row[new][first], minlength=sizes.size))
    found: NDArray[np.bool_] = highest + 1 - begin == count
    return found
