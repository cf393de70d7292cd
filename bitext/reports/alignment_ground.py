"""The segments that a gold standard and several hypotheses have in common, to be shown.

`bitext.metrics.ground` brings two alignments to common segments; here that is done for one
hypothesis after the other, and what came before is carried over to the finer pieces.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from bitext.errors import InputError
from bitext.kernels.overlay import Beads
from bitext.kernels.rows import Rows, row_of, take
from bitext.metrics.ground import common_ground, pack_positions
from bitext.model import Alignment, Bitext, Text
from bitext.reports.table import many

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bitext.metrics.ground import Side

__all__ = ["Common", "Shown", "common"]


@dataclass(frozen=True, slots=True)
class Shown:
    """The segments of one side.

    Attributes
    ----------
    ids : list of str
        Their identifiers, or their indices; pieces of one segment have the same.
    texts : list of str or None
        Their characters, where they are known.
    name : str
        Of the text, or its language.
    pieces : bool
        Whether segments were cut, as not all alignments go over the same.

    """

    ids: list[str]
    texts: list[str] | None
    name: str = ""
    pieces: bool = False

    @property
    def size(self) -> int:
        """How many they are."""
        return len(self.ids)


@dataclass(frozen=True, slots=True)
class Common:
    """The segments of either side, and the bisegments of each alignment over them."""

    src: Shown
    tgt: Shown
    beads: list[Beads]


def common(
    bitext: Bitext, hypotheses: Mapping[str, Alignment | Bitext], *, min_matched: float = 0.9
) -> Common:
    """Bring a gold standard and hypotheses to common segments: first the gold one, then in order.

    Raises
    ------
    InputError
        When a hypothesis has no common ground with the gold standard; it is named.

    """
    given: dict[str, Bitext] = {}
    for name, hyp in hypotheses.items():
        try:
            given[name] = _over(bitext, hyp)
        except InputError as error:
            raise InputError(f"{name}: {error}") from error
    bitext, given, shown = _numbered(bitext, given)
    state = _State(bitext, shown)
    # Those that only name segments come first: pieces have no names of their own.
    for name in sorted(given, key=lambda name: _has_characters(given[name])):
        try:
            state.add(name, given[name], min_matched)
        except InputError as error:
            raise InputError(f"{name}: {error}") from error
    return Common(state.shown[0], state.shown[1], [state.beads[name] for name in (None, *given)])


def _over(bitext: Bitext, hyp: Alignment | Bitext) -> Bitext:
    """Return a hypothesis with the texts of the gold standard where it has positions only."""
    if isinstance(hyp, Alignment):
        return Bitext(bitext.src, bitext.tgt, hyp)
    src, tgt = (
        gold if text is None and gold is not None and gold.has_text else text
        for text, gold in ((hyp.src, bitext.src), (hyp.tgt, bitext.tgt))
    )
    return replace(hyp, src=src, tgt=tgt)


def _numbered(
    bitext: Bitext, given: Mapping[str, Bitext]
) -> tuple[Bitext, dict[str, Bitext], list[Shown]]:
    """Return all alignments over the segments that the gold standard begins with, and these.

    Where no text is known, positions that go far beyond the number of members are packed.
    """
    family = [bitext, *given.values()]
    both, shown = [], []
    for side in ("src", "tgt"):
        rows: list[Rows] = [getattr(each.alignment, side) for each in family]
        text = getattr(bitext, side)
        lengths = [len(known) for each in family if (known := getattr(each, side)) is not None]
        if text is not None:
            shown.append(_shown(text))
        elif lengths:
            size = max(int(each.idx.max(initial=-1)) for each in rows) + 1
            if size > max(lengths):
                raise InputError(
                    f"there is no {'source' if side == 'src' else 'target'} segment {size - 1} in "
                    f"any text: the longest has {many(max(lengths), 'segment')}"
                )
            shown.append(Shown([str(k) for k in range(size)], None))
        else:
            rows, used = pack_positions(rows)
            size = max(int(each.idx.max(initial=-1)) for each in rows) + 1
            names = range(size) if used is None else used.tolist()
            shown.append(Shown([str(k) for k in names], None))
        both.append(rows)
    moved = [
        replace(each, alignment=Alignment.from_arrays(src, tgt, scores=each.alignment.scores))
        for each, src, tgt in zip(family, *both, strict=True)
    ]
    return moved[0], dict(zip(given, moved[1:], strict=True)), shown


def _has_characters(hyp: Bitext) -> bool:
    return any(text is not None and text.has_text for text in (hyp.src, hyp.tgt))


class _State:
    """The segments so far, and the bisegments of each alignment over them."""

    def __init__(self, bitext: Bitext, shown: list[Shown]) -> None:
        self.first = (bitext.src, bitext.tgt)
        self.texts = [bitext.src, bitext.tgt]
        self.beads: dict[str | None, Beads] = {
            None: Beads(bitext.alignment.src, bitext.alignment.tgt)
        }
        self.shown = shown
        # What became of each segment that the gold standard goes over.
        self.own = [_each(shown.size) for shown in self.shown]

    def add(self, name: str, hyp: Bitext, min_matched: float) -> None:
        """Bring one more to the segments so far, or all to finer ones."""
        texts, rows = [], []
        for k, (text, own) in enumerate(
            zip((hyp.src, hyp.tgt), (hyp.alignment.src, hyp.alignment.tgt), strict=True)
        ):
            same = text is self.first[k]
            texts.append(self.texts[k] if same else text)
            rows.append(_through(own, self.own[k]) if same else own)
        if texts[0] is self.texts[0] and texts[1] is self.texts[1]:
            self.beads[name] = Beads(rows[0], rows[1])
            return
        moved = replace(
            hyp, src=texts[0], tgt=texts[1], alignment=Alignment.from_arrays(rows[0], rows[1])
        )
        ground = common_ground(self._every(), moved, min_matched=min_matched)
        sizes = [shown.size for shown in self.shown]
        maps = [
            take(ground.gold.src, np.arange(sizes[0])),
            take(ground.gold.tgt, np.arange(sizes[0], sum(sizes))),
        ]
        self.beads = {
            key: Beads(_through(beads.src, maps[0]), _through(beads.tgt, maps[1]))
            for key, beads in self.beads.items()
        }
        self.beads[name] = ground.hyp
        for k, side in enumerate((ground.src, ground.tgt)):
            self.own[k] = _through(self.own[k], maps[k])
            self._renew(k, side, maps[k])

    def _every(self) -> Bitext:
        """Return a bitext in which each segment is a bisegment: it tells what becomes of them."""
        src, tgt = (_each(shown.size) for shown in self.shown)
        alignment = Alignment.from_arrays(
            (np.append(src.ptr, np.full(tgt.idx.size, src.idx.size)), src.idx),
            (np.append(np.zeros(src.idx.size, dtype=np.int64), tgt.ptr), tgt.idx),
        )
        return Bitext(self.texts[0], self.texts[1], alignment, name="the gold standard")

    def _renew(self, k: int, side: Side, parts: Rows) -> None:
        if not side.texts and not side.names:
            return
        old = self.shown[k]
        texts = [side.segment(piece) for piece in range(side.size)] if side.texts else None
        ids = [side.label(piece) for piece in range(side.size)]
        if side.atoms and texts is not None:
            for piece, owner in zip(parts.idx.tolist(), row_of(parts).tolist(), strict=True):
                ids[piece] = old.ids[owner]
            self.texts[k] = Text(texts)
        elif side.texts:
            self.texts[k] = side.texts[0]
        elif side.names:
            self.texts[k] = Text.of_ids(ids)
        cut = side.atoms and bool((parts.lengths > 1).any())
        self.shown[k] = Shown(ids, texts, old.name, pieces=old.pieces or cut)


def _shown(text: Text) -> Shown:
    texts = list(text.segments()) if text.has_text else None
    return Shown(list(text.ids), texts, text.name or text.lang)


def _each(size: int) -> Rows:
    return Rows(np.arange(size + 1), np.arange(size))


def _through(rows: Rows, parts: Rows) -> Rows:
    """Return the rows with each member replaced by its parts, ascending."""
    inner = take(parts, rows.idx)
    found = Rows(inner.ptr[rows.ptr], inner.idx)
    order = np.lexsort((found.idx, row_of(found)))
    return Rows(found.ptr, found.idx[order])
