"""Excerpts of bitexts: a part with its surroundings, and places where two alignments differ.

A part of a bitext: some bisegments that follow one another, with the segments around them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from bitext.errors import OptionError, many
from bitext.formats.beads import ChunkPosition, ChunkPositions
from bitext.kernels.arrays import Rows, concatenate
from bitext.metrics.common_ground import pack_positions
from bitext.model import Alignment, Text
from bitext.model.word_links import COLUMN, NULLS
from bitext.reports.lettering import clipped, padded
from bitext.reports.table import printable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitext.kernels.overlap import Beads
    from bitext.metrics.arcade import Comparison
    from bitext.metrics.evaluation.breakdown import Place
    from bitext.model import Bitext

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
    attributes = {name: column for name, column in part.attributes.items() if name in _LINK_COLUMNS}
    alignment = Alignment.from_arrays(src_rows, tgt_rows, scores=part.scores, attributes=attributes)
    return replace(bitext, src=src, tgt=tgt, alignment=alignment, lines=None)


def _check(first: int, last: int, size: int) -> None:
    if not 0 <= first < size:
        expected = f"want one from 0 to {size - 1}" if size else "the alignment is empty"
        raise OptionError(f"there is no bisegment {first}: {expected}")
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

        Raises `OptionError` as `excerpt` does.
        """
        _check(self._first, self._last, self._size)
        before = self._held[0][1].beads
        return excerpt(_joined(self._held), self._first - before, self._last - before)


def _joined(chunks: Sequence[tuple[Bitext, ChunkPosition]]) -> Bitext:
    """Join consecutive parts to one bitext; all its segments have identifiers.

    Without texts, as for word links, each bisegment has its own segments.
    """
    parts = [part for part, _ in chunks]
    src, src_rows = _joined_side(
        [
            (part.src, part.alignment.src, place.beads if part.src is None else place.src)
            for part, place in chunks
        ]
    )
    tgt, tgt_rows = _joined_side(
        [
            (part.tgt, part.alignment.tgt, place.beads if part.tgt is None else place.tgt)
            for part, place in chunks
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


def _joined_side(pieces: Sequence[tuple[Text | None, Rows, int]]) -> tuple[Text | None, Rows]:
    """Join one side of parts to one text, if any, and its rows.

    Each part has its text, its rows, and the number of segments before.
    """
    rows = [each for _, each, _ in pieces]
    texts_and_offsets = [(text, offset) for text, _, offset in pieces if text is not None]
    if len(texts_and_offsets) < len(pieces):
        return None, concatenate(rows, [offset for *_, offset in pieces])
    numbers = [[str(offset + k) for k in range(len(text))] for text, offset in texts_and_offsets]
    ids = [
        list(text.ids) if text.has_ids else own_numbers
        for (text, _), own_numbers in zip(texts_and_offsets, numbers, strict=True)
    ]
    if len(set(chain(*ids))) < sum(map(len, ids)):  # those of one part, or numbers, in another
        ids = numbers
    texts = [text for text, _ in texts_and_offsets]
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
    shifted = Rows(rows.ptr, rows.idx - begin)
    if text is None:
        (packed_rows,), used = pack_positions([shifted])
        numbers = range(end - begin) if used is None else used.tolist()
        return Text.of_ids([str(begin + k) for k in numbers]), packed_rows
    ids = list(text.ids[begin:end]) if text.has_ids else [str(k) for k in range(begin, end)]
    if not text.has_text:
        return Text.of_ids(ids, name=text.name, lang=text.lang), shifted
    return Text(list(text.segments())[begin:end], ids=ids, name=text.name, lang=text.lang), shifted


# Places where gold standard and hypothesis differ, side by side with the text.


_MOST_BEADS = 12  # bisegments of a place
_MOST_SEGMENTS = 6  # segments of a side


@dataclass(frozen=True, slots=True)
class BeadView:
    """A bisegment for display: identifiers and characters of its first segments."""

    src: tuple[str, ...]
    tgt: tuple[str, ...]
    src_text: tuple[str, ...]
    tgt_text: tuple[str, ...]
    more: tuple[int, int]

    @property
    def title(self) -> str:
        """Its identifiers, as `3 4 : 5`."""
        sides = []
        for names, more in zip((self.src, self.tgt), self.more, strict=True):
            sides.append(" ".join(names) + (f" ... {more:,} more" if more else "") or "nothing")
        return " : ".join(sides)


@dataclass(frozen=True, slots=True)
class PlaceView:
    """A place for display."""

    system: str
    text: str
    weight: int
    unit: str
    gold: tuple[BeadView, ...]
    hyp: tuple[BeadView, ...]
    more: tuple[int, int]

    def to_json(self) -> dict[str, Any]:
        """Return the members of the JSON document."""

        def beads(family: tuple[BeadView, ...]) -> list[dict[str, Any]]:
            return [
                {
                    "src": list(bead.src),
                    "tgt": list(bead.tgt),
                    "src_text": list(bead.src_text),
                    "tgt_text": list(bead.tgt_text),
                }
                for bead in family
            ]

        return {
            "system": self.system,
            "text": self.text,
            "weight": self.weight,
            "unit": self.unit,
            "gold": beads(self.gold),
            "hyp": beads(self.hyp),
        }


def restored(held: dict[str, Any]) -> PlaceView:
    """Return a place from its `dataclasses.asdict`, which may have been JSON."""
    families = [
        tuple(
            BeadView(**{name: tuple(value) for name, value in bead.items()})
            for bead in held[family]
        )
        for family in ("gold", "hyp")
    ]
    sides = {"gold": families[0], "hyp": families[1], "more": tuple(held["more"])}
    return PlaceView(**{**held, **sides})


def view(comparison: Comparison, place: Place, *, system: str, text: str) -> PlaceView:
    """Return a place with the segments of its bisegments; very large places are truncated."""
    ground = comparison.ground
    unit = "character pairs" if ground.src.texts and ground.tgt.texts else "sentence pairs"
    families = [
        tuple(_bead(comparison, beads, k) for k in chosen[:_MOST_BEADS])
        for beads, chosen in ((ground.gold, place.gold), (ground.hyp, place.hyp))
    ]
    more = tuple(max(len(chosen) - _MOST_BEADS, 0) for chosen in (place.gold, place.hyp))
    return PlaceView(system, text, place.weight, unit, families[0], families[1], (more[0], more[1]))


def _bead(comparison: Comparison, beads: Beads, k: int) -> BeadView:
    ground = comparison.ground
    names, texts, omitted = [], [], []
    for side, rows in ((ground.src, beads.src), (ground.tgt, beads.tgt)):
        members = rows.row(k).tolist()
        shown_members = members[:_MOST_SEGMENTS]
        # Atoms of one segment have one name.
        names.append(tuple(dict.fromkeys(side.label(m) for m in shown_members)))
        texts.append(tuple(side.segment(m) for m in shown_members))
        omitted.append(len(members) - len(shown_members))
    return BeadView(names[0], names[1], texts[0], texts[1], (omitted[0], omitted[1]))


def render(place: PlaceView, *, number: int, columns: int) -> str:
    """Return a place as text: gold bisegments on the left, proposed ones on the right."""
    half = max((columns - 3) // 2, 20)
    left, right = (
        _lines(beads, more, half)
        for beads, more in ((place.gold, place.more[0]), (place.hyp, place.more[1]))
    )
    size = max(len(left), len(right))
    left += [""] * (size - len(left))
    right += [""] * (size - len(right))
    head = f"{number}. {place.system}, {place.text}: {many(place.weight, place.unit[:-1])} wrong"
    title = padded("gold", half) + " │ proposed"
    rows = [f"{padded(a, half)} │ {b}".rstrip() for a, b in zip(left, right, strict=True)]
    return "\n".join([printable(head), title, *rows]) + "\n"


def _lines(beads: tuple[BeadView, ...], omitted: int, columns: int) -> list[str]:
    lines: list[str] = []
    for bead in beads:
        lines.append(clipped(printable(f"[{bead.title}]"), columns))
        for mark, texts in (("<", bead.src_text), (">", bead.tgt_text)):
            lines += [clipped(f"  {mark} {printable(text)}", columns) for text in texts if text]
    if omitted:
        lines.append(f"... and {omitted:,} more")
    return lines or ["(nothing)"]
