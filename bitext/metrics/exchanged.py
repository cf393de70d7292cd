"""Whether the sides of an alignment are exchanged: how it scores as given, and the other way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitext.errors import InputError
from bitext.metrics.arcade import counts_of
from bitext.metrics.comparison import compare_many
from bitext.model import Bitext, Text

if TYPE_CHECKING:
    from bitext.metrics.comparison import Comparison
    from bitext.model import Counts

__all__ = ["SWAP_GAIN", "both_ways"]

SWAP_GAIN = 0.4  # so much better exchanged is no accident


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


def _bare(bitext: Bitext) -> Bitext:
    """Return a bitext without its characters: by position, or by identifier."""
    src, tgt = (
        Text.of_ids(text.ids) if text is not None and text.has_ids else None
        for text in (bitext.src, bitext.tgt)
    )
    return Bitext(src, tgt, bitext.alignment)
