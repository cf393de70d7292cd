"""Whether a gold standard is of the texts it is read with: what it leaves out, and lengths."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from bitext.errors import InputError
from bitext.kernels.length_fit import better_reading
from bitext.model import Bitext, Note
from bitext.remedies import remedy

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from bitext.kernels.length_fit import Reading

__all__ = ["check_coverage"]

_TAIL = 0.1  # of a text, that a gold standard may leave at its end


def check_coverage(gold: Bitext, *, partial: bool = False) -> Bitext:
    """Return the gold standard with notes on the segments of its texts that no bisegment holds.

    Published gold standards leave some out, which is told. One by position that stops long
    before the end of its text was most likely made over another text, unless it is `partial`.
    Positions that fit the texts in another way are noted, too: sides exchanged or shifted,
    by the lengths of what is aligned; empty lines that were not counted, by the number of lines.

    Raises
    ------
    InputError
        When the positions leave more than one segment and more than a tenth of a text at its end.

    """
    by_position = gold.meta["holds"] == "positions"
    notes = list(_other_readings(gold)) if by_position else []
    for side, text, rows in (
        ("source", gold.src, gold.alignment.src),
        ("target", gold.tgt, gold.alignment.tgt),
    ):
        if text is None or not text.has_text:
            continue
        held = np.zeros(len(text), dtype=bool)
        held[rows.idx] = True
        size = int(rows.idx.max()) + 1 if rows.idx.size else 0
        tail = len(text) - size
        if by_position and not partial and tail > max(1, _TAIL * len(text)):
            option = remedy("src" if side == "source" else "tgt")
            partial_too = remedy("partial", python="partial=True")
            where = f"after {side} segment {size - 1}" if size else f"on the {side} side"
            has = f"{text.name or 'the text'} has {len(text)}"
            if _counts_no_empty_lines(text.lengths(), size):
                has += f", of which {size} are not empty: leave out its empty lines"
            raise InputError(
                f"{gold.meta['path']}: aligns nothing {where}, but {has}; give the text that was "
                f"aligned ({option}), or with {partial_too} score what is aligned"
            )
        bare = np.flatnonzero(~held)
        if bare.size:
            first = text[int(bare[0])].id
            kind = f"{side} segments in no bisegment of the gold standard"
            notes.append(Note(kind, int(bare.size), f"{gold.meta['path']}: segment {first}"))
    return replace(gold, notes=(*gold.notes, *notes))


def _other_readings(gold: Bitext) -> Iterator[Note]:
    """Yield notes on texts that positions fit better in another reading."""
    if gold.src is None or gold.tgt is None or not (gold.src.has_text and gold.tgt.has_text):
        return
    rows = gold.alignment.src, gold.alignment.tgt
    lengths = gold.src.lengths(), gold.tgt.lengths()
    told = [
        _counts_no_empty_lines(each, int(side.idx.max(initial=-1)) + 1)
        for side, each in zip(rows, lengths, strict=True)
        if not each.all()
    ]
    if told and all(told):
        kind = "texts whose empty lines the positions seem not to count: leave these lines out"
        yield Note(kind, len(told), gold.meta["path"])
    elif reading := better_reading(*rows, *lengths):
        yield Note(_told(reading), 1, gold.meta["path"])


def _counts_no_empty_lines(lengths: NDArray[np.int64], size: int) -> bool:
    """Tell whether positions end where they would if segments without text were not counted."""
    return bool(size and size == np.count_nonzero(lengths) and lengths[size:].any())


def _told(reading: Reading) -> str:
    by = "by the lengths of what is aligned"
    if reading.exchanged:
        return f"texts that fit better exchanged, {by}: are source and target the right way round"
    fit = f"texts that fit better with positions {reading.steps}, {by}"
    return f"{fit}: were they aligned with a line more or less"
