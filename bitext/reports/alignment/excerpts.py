"""A part of a bitext: some bisegments that follow one another, with the segments around them."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from bitext.errors import OptionError
from bitext.formats.beads import ChunkPosition, ChunkPositions
from bitext.kernels.rows import Rows, concatenate
from bitext.metrics.common_ground import pack_positions
from bitext.model import Alignment, Text
from bitext.model.word_links import COLUMN, NULLS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitext.model import Bitext

__all__ = ["Excerpting", "excerpt"]

_LINK_COLUMNS = (COLUMN, NULLS)


def excerpt(bitext: Bitext, first: int, last: int) -> Bitext:
    """Return the bisegments `first` to `last`, inclusive, over their part of the texts.

    Segments have their identifiers, or without any their index in the whole text. Columns other
    than those of word links are dropped. A `last` beyond the end means the end.

    Raises
    ------
    OptionError
        When there is no bisegment `first`, or `last` comes before it.

    Examples
    --------
    >>> from bitext import Alignment, Bitext, Text
    >>> whole = Alignment([((0,), (0,)), ((1,), (1,)), ((2,), ())])
    >>> part = excerpt(Bitext(Text(["a", "b", "c"]), Text(["A", "B"]), whole), 1, 2)
    >>> list(part.src.segments()), list(part.src.ids), list(part.alignment)
    (['b', 'c'], ['1', '2'], [Bisegment(src=(0,), tgt=(0,)), Bisegment(src=(1,), tgt=())])

    """
    size = len(bitext.alignment)
    _check(first, last, size)
    part = bitext.alignment.between(first, min(last + 1, size))
    (src, src_rows), (tgt, tgt_rows) = (
        _cut(text, rows) for text, rows in ((bitext.src, part.src), (bitext.tgt, part.tgt))
    )
    kept = {name: column for name, column in part.attributes.items() if name in _LINK_COLUMNS}
    alignment = Alignment.from_arrays(src_rows, tgt_rows, scores=part.scores, attributes=kept)
    return replace(bitext, src=src, tgt=tgt, alignment=alignment, lines=None)


def _check(first: int, last: int, size: int) -> None:
    if not 0 <= first < size:
        there = f"want one from 0 to {size - 1}" if size else "the alignment is empty"
        raise OptionError(f"there is no bisegment {first}: {there}")
    if last < first:
        raise OptionError(f"bisegments {first} to {last}: want the first, then the last")


class Excerpting:
    """An excerpt of a document pair that is read in parts; only parts of the excerpt are stored.

    Parameters
    ----------
    first, last : int
        As of `excerpt`, counted over all parts.

    Examples
    --------
    >>> from bitext import Alignment, Bitext, Text
    >>> one = Alignment([((0,), (0,)), ((1,), (1,))])
    >>> parts = [Bitext(Text(["a", "b"]), Text(["A", "B"]), one, continues=more)
    ...          for more in (False, True, True)]
    >>> excerpting = Excerpting(3, 4)
    >>> for part in parts:
    ...     excerpting.take(part)
    >>> result = excerpting.excerpt()
    >>> list(result.src.segments()), list(result.src.ids)
    (['b', 'a'], ['3', '4'])

    """

    def __init__(self, first: int, last: int) -> None:
        self._first, self._last, self._size = first, last, 0
        self._places = ChunkPositions()
        self._held: list[tuple[Bitext, ChunkPosition]] = []

    def take(self, part: Bitext) -> None:
        """Add the next part; the first part begins the document pair."""
        place = self._places.of(part)
        self._size = place.beads + len(part.alignment)
        if place.beads <= self._last and self._first < self._size:
            self._held.append((part, place))

    def excerpt(self) -> Bitext:
        """Return the bisegments of the excerpt, as `excerpt` does.

        Raises
        ------
        OptionError
            As `excerpt` does.

        """
        _check(self._first, self._last, self._size)
        before = self._held[0][1].beads
        return excerpt(_joined(self._held), self._first - before, self._last - before)


def _joined(held: Sequence[tuple[Bitext, ChunkPosition]]) -> Bitext:
    """Join consecutive parts to one bitext; all its segments have identifiers.

    Without texts, as for word links, each bisegment has its own segments.
    """
    parts = [part for part, _ in held]
    src, src_rows = _joined_side(
        [
            (part.src, part.alignment.src, place.beads if part.src is None else place.src)
            for part, place in held
        ]
    )
    tgt, tgt_rows = _joined_side(
        [
            (part.tgt, part.alignment.tgt, place.beads if part.tgt is None else place.tgt)
            for part, place in held
        ]
    )
    scores = None
    if any(part.alignment.scores is not None for part in parts):
        scores = np.concatenate([
            np.full(len(part.alignment), np.nan)
            if part.alignment.scores is None
            else part.alignment.scores
            for part in parts
        ])  # fmt: skip
    columns = {
        name: [
            value
            for part in parts
            for value in part.alignment.attributes.get(name) or [None] * len(part.alignment)
        ]
        for name in _LINK_COLUMNS
        if any(name in part.alignment.attributes for part in parts)
    }
    alignment = Alignment.from_arrays(src_rows, tgt_rows, scores=scores, attributes=columns)
    return replace(parts[0], src=src, tgt=tgt, alignment=alignment, lines=None)


def _joined_side(held: Sequence[tuple[Text | None, Rows, int]]) -> tuple[Text | None, Rows]:
    """Join one side of parts to one text, if any, and its rows.

    Each part has its text, its rows, and the number of segments before.
    """
    rows = [each for _, each, _ in held]
    known = [(text, before) for text, _, before in held if text is not None]
    if len(known) < len(held):
        return None, concatenate(rows, [before for *_, before in held])
    numbers = [[str(before + k) for k in range(len(text))] for text, before in known]
    ids = [
        list(text.ids) if text.has_ids else own
        for (text, _), own in zip(known, numbers, strict=True)
    ]
    if len(set(chain(*ids))) < sum(map(len, ids)):  # those of one part, or numbers, in another
        ids = numbers
    texts = [text for text, _ in known]
    offsets = np.cumsum([0, *map(len, texts[:-1])]).tolist()
    name, lang = texts[0].name, texts[0].lang
    if not all(text.has_text for text in texts):
        return Text.of_ids(chain(*ids), name=name, lang=lang), concatenate(rows, offsets)
    segments = chain.from_iterable(text.segments() for text in texts)
    return Text(segments, ids=chain(*ids), name=name, lang=lang), concatenate(rows, offsets)


def _cut(text: Text | None, rows: Rows) -> tuple[Text, Rows]:
    """Return the segments from the first to the last used one, and the rows over them."""
    begin = int(rows.idx.min()) if rows.idx.size else 0
    end = int(rows.idx.max()) + 1 if rows.idx.size else 0
    moved = Rows(rows.ptr, rows.idx - begin)
    if text is None:
        (packed,), used = pack_positions([moved])
        numbers = range(end - begin) if used is None else used.tolist()
        return Text.of_ids([str(begin + k) for k in numbers]), packed
    ids = list(text.ids[begin:end]) if text.has_ids else [str(k) for k in range(begin, end)]
    if not text.has_text:
        return Text.of_ids(ids, name=text.name, lang=text.lang), moved
    return Text(list(text.segments())[begin:end], ids=ids, name=text.name, lang=text.lang), moved
