"""Which segments of a gold standard lie in no bisegment: told, and refused where it is too many."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from bitext.errors import InputError
from bitext.model import Bitext, Note
from bitext.remedies import remedy

__all__ = ["check_coverage"]

_TAIL = 0.1  # of a text, that a gold standard may leave at its end


def check_coverage(gold: Bitext, *, partial: bool = False) -> Bitext:
    """Return the gold standard with notes on the segments of its texts that no bisegment holds.

    Published gold standards leave some out, which is told. One by position that stops long
    before the end of its text was most likely made over another text, unless it is `partial`.

    Raises
    ------
    InputError
        When the positions leave more than one segment and more than a tenth of a text at its end.

    """
    by_position = gold.meta["holds"] == "positions"
    notes = []
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
            raise InputError(
                f"{gold.meta['path']}: aligns nothing {where}, but {text.name or 'the text'} has "
                f"{len(text)}; give the text that was aligned ({option}), or with "
                f"{partial_too} score what is aligned"
            )
        bare = np.flatnonzero(~held)
        if bare.size:
            first = text[int(bare[0])].id
            kind = f"{side} segments in no bisegment of the gold standard"
            notes.append(Note(kind, int(bare.size), f"{gold.meta['path']}: segment {first}"))
    return replace(gold, notes=(*gold.notes, *notes))
