"""Documents of `jsonl` by identifiers, in parts: where a document can be cut, and where it cannot.

A document can be cut behind an object if the objects up to it have, on both sides, just the
positions from the last cut on: nothing of what was handed out comes again later, and the order of
the segments is known. Files written in order can be cut behind almost every object. A document
whose segments have names, no texts, or are in no bisegment in part (`src_size`), is read whole.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING, Any

import numpy as np

from bitext.formats.jsonl_columns import SIDES, Objects, names_of
from bitext.formats.jsonl_ids import identified_bitext, positions
from bitext.formats.jsonl_texts import values_of
from bitext.formats.lines import PART

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from bitext.formats.jsonl_texts import Line
    from bitext.formats.opening import Source
    from bitext.formats.registry import ReadOptions
    from bitext.model import Bitext

__all__ = ["document_bitexts"]


def document_bitexts(
    source: Source, options: ReadOptions, blocks: Iterable[list[Line]]
) -> Iterator[Bitext]:
    """Yield the bitext of each document, or its parts, where these are wanted and can be made.

    Parameters
    ----------
    source : Source
        The file.
    options : ReadOptions
        Say the name of a document without one, and whether parts are wanted.
    blocks : iterable of list of Line
        The objects, some at a time, which are sound.

    """
    document: _Document | None = None
    for block in blocks:
        for name, lines in _by_document(block):
            if document is None or name != document.name:
                if document is not None:
                    yield from document.rest()
                document = _Document(source, options, name, lines[0][1])
            yield from document.add(lines)
    if document is not None:
        yield from document.rest()


def _by_document(block: list[Line]) -> Iterator[tuple[str | None, list[Line]]]:
    """Yield the objects of one document that follow each other, with its name."""
    names = set(values_of([found for _, found in block], "document"))
    if names == {None}:
        yield None, block
        return
    for name, lines in groupby(block, key=lambda line: line[1].get("document")):
        yield name, list(lines)


class _Document:
    """A document that is read.

    Attributes
    ----------
    name : str or None
        Its name in the file.

    """

    def __init__(
        self, source: Source, options: ReadOptions, name: str | None, first: dict[str, Any]
    ) -> None:
        self.name = name
        self._source = source
        self._options = options if name is None else replace(options, name=name)
        langs = [first.get(f"{side}_lang") for side in SIDES]
        self._langs = tuple(lang if isinstance(lang, str) else "" for lang in langs)
        self._begun = False
        self._next = [0, 0]  # the position behind all that is handed out
        self._may_cut = options.parts and all(
            f"{side}_size" not in first and {f"{side}_text", f"{side}_segments"} & first.keys()
            for side in SIDES
        )
        self._tried = 0  # how many objects could not be cut
        self._waiting: Objects | None = None
        self._members: tuple[list[int], list[int]] = ([], [])  # their positions, if it may be cut

    def add(self, lines: list[Line]) -> Iterator[Bitext]:
        """Take objects; yield a part where one can be made."""
        new = Objects(self._source, lines)
        found = [positions(side.names) for side in new.sides] if self._may_cut else []
        if None in found and self._begun:
            new = Objects(self._source, [line for line in lines if self._admits(line)])
            found = [positions(side.names) for side in new.sides]
        self._may_cut = self._may_cut and None not in found
        for members, more in zip(self._members, found, strict=False):
            members += more or ()
        if self._waiting is None:
            self._waiting = new
        else:
            self._waiting.extend(new)
        cut = self._cut(self._waiting) if self._may_cut else 0
        if cut:
            yield self._part(self._waiting, cut)

    def _admits(self, line: Line) -> bool:
        """Tell whether an object goes by positions, as those that were handed out; refuse it."""
        names = names_of(name for side in SIDES for name in line[1][side] or ())
        odd = next((name for name in names if positions([name]) is None), None)
        if odd is not None:
            self._source.refuse(
                f"names the segment {odd[:40]!r}, and the lines before go by positions, as "
                f"'0'; want positions in all of the document, or in none of it",
                line[0],
            )
        return odd is None

    def _cut(self, waiting: Objects) -> int:
        """Return how many objects, from the front, can be handed out as a part."""
        if len(waiting) < max(PART, 2 * self._tried):
            return 0
        closed = np.ones(len(waiting), dtype=np.bool_)
        for side, found, begin in zip(waiting.sides, self._members, self._next, strict=True):
            members, sizes = np.array(found, np.int64), np.array(side.sizes, np.int64)
            closed &= _closed(members, sizes, begin)
        ends = np.flatnonzero(closed)
        self._tried = 0 if ends.size else len(waiting)
        return int(ends[-1]) + 1 if ends.size else 0

    def _part(self, waiting: Objects, count: int) -> Bitext:
        """Return the first of the waiting objects as a part."""
        objects = waiting.taken(count)
        sizes = [len(side.names) for side in objects.sides]
        taken = [found[:size] for found, size in zip(self._members, sizes, strict=True)]
        for found, size in zip(self._members, sizes, strict=True):
            del found[:size]
        for k, members in enumerate(taken):
            self._step(k, members, objects.lines)
        bitext = identified_bitext(
            self._source,
            self._options,
            objects,
            langs=(self._langs[0], self._langs[1]),
            part=(taken[0], taken[1]),
        )
        begun, self._begun = self._begun, True
        return replace(bitext, continues=begun)

    def _step(self, which: int, members: list[int], lines: list[int]) -> None:
        """Go on to the position behind these objects; note what is not just in order."""
        side, before = SIDES[which], self._next[which]
        held = np.unique(np.array(members, dtype=np.int64))
        new = held[held >= before]
        self._next[which] = int(new[-1]) + 1 if new.size else before
        place = f"{self._source.path} lines {lines[0]} to {lines[-1]}"
        if new.size < held.size:
            kind = f"{side} segments of a part before, taken as further segments"
            self._source.notes.add(kind, f"{place}: segment {held[0]}", held.size - new.size)
        lacking = self._next[which] - before - new.size
        if lacking:
            gap = before + int(np.flatnonzero(np.append(np.diff(new), 0) != 1)[0]) + 1
            gap = gap if new[0] == before else before
            kind = f"{side} positions in no bisegment, left out"
            self._source.notes.add(kind, f"{place}: segment {gap}", lacking)

    def rest(self) -> Iterator[Bitext]:
        """Yield the objects that are left: all of the document, or its last part."""
        waiting = self._waiting
        if waiting is None or (self._begun and not len(waiting)):
            return
        if self._begun:
            yield self._part(waiting, len(waiting))
            return
        langs = (self._langs[0], self._langs[1])
        yield identified_bitext(self._source, self._options, waiting, langs=langs)


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
