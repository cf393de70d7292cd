"""Notes on what is allowed in an alignment but seldom meant: gaps, crossings, overlaps."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bitext.formats.texts import shown
from bitext.kernels.rows import late, repeated, row_of, with_gaps

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from bitext.formats.opening import Source
    from bitext.model import Alignment

__all__ = ["note_oddities"]


def note_oddities(source: Source, alignment: Alignment, place_of: Callable[[int], str]) -> None:
    """Note gaps, inversions and overlaps, each kind with its count and its first case.

    A bisegment is out of order when, on one side, its first segment comes before the first
    segment of an earlier bisegment. A crossing always makes one. The cost is linear, but for a
    sort where segments repeat or are not in order.

    Parameters
    ----------
    source : Source
        Takes the notes.
    alignment : Alignment
        Its indices are positions in the two texts.
    place_of : callable
        Tells the place of a bisegment by its index, as `a.xml line 3`.

    """
    both = (alignment.src, alignment.tgt)

    def add(kind: str, found: NDArray[np.bool_]) -> None:
        if found.any():
            first = int(found.argmax())
            case = f"{place_of(first)}: {shown(alignment[first])}"
            source.notes.add(kind, case, int(found.sum()))

    add("discontinuous bisegments", with_gaps(both[0]) | with_gaps(both[1]))
    add("bisegments out of order (crossing)", late(both[0]) | late(both[1]))
    for side, rows in zip(("source", "target"), both, strict=True):
        again = repeated(rows)
        if again.size:
            k, segment = int(row_of(rows)[again[0]]), int(rows.idx[again[0]])
            source.notes.add(
                f"{side} segments in more than one bisegment",
                f"{place_of(k)}: {side} segment {segment}",
                np.unique(rows.idx[again]).size,
            )
