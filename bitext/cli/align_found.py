"""What came of alignments: which beads are kept, and how many there are of which kind."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import argparse

    from bitext.cli.align_texts import TextPair
    from bitext.model import Alignment, Bitext

__all__ = ["Kept", "Totals", "counts_of", "selected"]

_DIGITS = 4  # of a probability
_SHOWN = 6  # kinds of beads


class Kept(NamedTuple):
    """What is kept of the alignment of a text.

    Attributes
    ----------
    bitext : Bitext
        With the beads that are probable enough.
    numbers : list of int
        Which of all beads they are, counted from 1.
    left : int
        How many of all beads are none of them.

    """

    bitext: Bitext
    numbers: list[int]
    left: int


def selected(pair: TextPair, found: Alignment, options: argparse.Namespace) -> Kept:
    """Return the bitext of an alignment of its texts without beads that are not probable enough."""
    import numpy as np

    from bitext.model import Alignment

    found = pair.placed(found).alignment
    wanted = np.ones(len(found), dtype=bool)
    if options.min_score is not None and found.scores is not None:
        wanted = found.scores >= options.min_score
    kept = found if wanted.all() else found.select(wanted)
    if kept.scores is not None:  # digits that tell nothing are not written
        kept = Alignment.from_arrays(kept.src, kept.tgt, scores=np.round(kept.scores, _DIGITS))
    numbers = (np.flatnonzero(wanted) + 1).tolist()
    return Kept(pair.bitext(kept), numbers, len(found) - len(kept))


@dataclass(slots=True)
class Totals:
    """How many beads of how many texts there are.

    Attributes
    ----------
    texts : int
    kinds : dict of str to int
        Beads by their kind.
    sure : float
        The sum of their probabilities.
    left : int
        Beads that were left out.

    """

    texts: int = 0
    kinds: dict[str, int] = field(default_factory=dict)
    sure: float = 0.0
    left: int = 0

    def add(self, bitext: Bitext, left: int = 0) -> None:
        """Count what is in a bitext."""
        scores = bitext.alignment.scores
        sure = 0.0 if scores is None else float(scores.sum())
        self.add_counts(bitext.alignment.bead_types(), sure, left)

    def add_counts(self, kinds: dict[str, int], sure: float, left: int) -> None:
        """Take the counts of a text."""
        self.texts += 1
        self.sure += sure
        self.left += left
        for kind, count in kinds.items():
            self.kinds[kind] = self.kinds.get(kind, 0) + count

    def told(self, seconds: float) -> str:
        """Return them in a line."""
        kinds, beads = self.kinds, sum(self.kinds.values())
        texts = "1 text" if self.texts == 1 else f"{self.texts:,} texts"
        if not beads:
            return f"no bead in {texts}"
        most = sorted(kinds, key=lambda kind: (-kinds[kind], kind))
        shown = ", ".join(f"{kind}: {kinds[kind]:,}" for kind in most[:_SHOWN])
        more = ", ..." if len(most) > _SHOWN else ""
        took = f"; {seconds:,.0f} s" if seconds >= 1 else ""
        found = "1 bead" if beads == 1 else f"{beads:,} beads"
        return f"{found} of {texts} ({shown}{more}); mean probability {self.sure / beads:.3f}{took}"


def counts_of(bitext: Bitext, left: int) -> dict[str, Any]:
    """Return what `Totals` takes of a bitext, as for JSON."""
    one = Totals()
    one.add(bitext, left)
    return {"beads": one.kinds, "sure": one.sure, "left": one.left}
