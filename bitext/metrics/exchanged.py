"""Whether an alignment is right but for exchanged sides, or positions that are all shifted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bitext.errors import InputError
from bitext.kernels.length_fit import Reading
from bitext.metrics.arcade import counts_of
from bitext.metrics.comparison import compare_many
from bitext.model import Bitext, Text

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bitext.metrics.comparison import Comparison
    from bitext.model import Alignment, Counts

__all__ = ["SHIFTS", "SWAP_GAIN", "better_shift", "both_ways", "hits_shifted"]

SWAP_GAIN = 0.4  # so much better exchanged is no accident
_STEPS = range(-2, 3)
SHIFTS = sorted(
    (Reading(False, i, j) for i in _STEPS for j in _STEPS),
    key=lambda shift: abs(shift.src_step) + abs(shift.tgt_step),
)
"""The shifts of positions that are tried, small ones first; the first is none."""
_SOUND = 0.95  # sentence F1 from which on nothing is tried
_LOOKED_AT = 4000  # bisegments of a gold standard, evenly over the text
_FEWEST, _GAIN, _REST = 10, 0.1, 0.5  # bisegments, what more is found, and what is missed yet
_SIZES = 8  # numbers of segments of a side that are distinguished


def both_ways(gold: Bitext, hyp: Bitext, comparison: Comparison) -> tuple[Counts, Counts] | None:
    """Return the pairs of sentences of a poor text, as given and with its sides exchanged.

    There is nothing to tell of one that scores well, or that exchanged does not even meet.
    """
    given = counts_of(comparison, "sentence")
    if not given.f1 < 1 - SWAP_GAIN:
        return None
    try:
        compared = compare_many([_bare(gold)], [_bare(hyp.swapped())])[0]
    except InputError:
        return None
    return given, counts_of(compared, "sentence")


def hits_shifted(gold: Bitext, hyp: Bitext, comparison: Comparison) -> NDArray[np.int64] | None:
    """Count the gold bisegments found under each of `SHIFTS`, and behind them those looked for.

    There is nothing to tell of a text that scores well, or of texts that are cut otherwise.
    Bisegments with an empty side are left out.
    """
    if gold.src is not hyp.src or gold.tgt is not hyp.tgt:
        return None
    if not counts_of(comparison, "sentence").f1 < _SOUND:
        return None
    width = 1 + max(
        int(rows.idx.max(initial=0))
        for each in (gold, hyp)
        for rows in (each.alignment.src, each.alignment.tgt)
    )
    width += max(_STEPS) - min(_STEPS)  # that no step reaches the next source segment
    wanted, found = _coded(gold.alignment, width), np.sort(_coded(hyp.alignment, width))
    wanted = wanted[:: -(-len(wanted) // _LOOKED_AT) or 1]
    if not len(wanted) or not len(found):
        return None
    hits = []
    for shift in SHIFTS:
        there = wanted - (shift.src_step * width + shift.tgt_step) * _SIZES**2
        places = np.minimum(np.searchsorted(found, there), len(found) - 1)
        hits.append(np.count_nonzero(found[places] == there))
    return np.array([*hits, len(wanted)], dtype=np.int64)


def better_shift(hits: NDArray[np.int64]) -> tuple[Reading, float, float] | None:
    """Return the shift that finds far more of the gold standard: what is found as given, and then.

    Parameters
    ----------
    hits : array of int
        The sum of what `hits_shifted` returns of each text.

    """
    shares = hits[:-1] / max(int(hits[-1]), 1)
    best, given = int(shares.argmax()), float(shares[0])
    most = float(shares[best])
    if hits[-1] < _FEWEST or most < given + _GAIN or 1 - most > _REST * (1 - given):
        return None
    return SHIFTS[best], given, most


def _coded(alignment: Alignment, width: int) -> NDArray[np.int64]:
    """Return a number for each bisegment: where its sides begin, and their numbers of segments."""
    src, tgt = alignment.src, alignment.tgt
    both = np.flatnonzero((src.lengths > 0) & (tgt.lengths > 0))
    first = src.idx[src.ptr[both]] * width + tgt.idx[tgt.ptr[both]]
    sizes = [np.minimum(rows.lengths[both], _SIZES - 1) for rows in (src, tgt)]
    return np.asarray((first * _SIZES + sizes[0]) * _SIZES + sizes[1])


def _bare(bitext: Bitext) -> Bitext:
    """Return a bitext without its characters: by position, or by identifier."""
    src, tgt = (
        Text.of_ids(text.ids) if text is not None and text.has_ids else None
        for text in (bitext.src, bitext.tgt)
    )
    return Bitext(src, tgt, bitext.alignment)
