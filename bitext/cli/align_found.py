"""What came of alignments: which beads are kept, and how many there are of which kind."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping

    from bitext.cli.align_texts import TextPair
    from bitext.model import Alignment, Bitext

__all__ = ["Kept", "Totals", "selected"]

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
    empty : int
        How many are of empty sentences that were set aside.

    """

    bitext: Bitext
    numbers: list[int]
    left: int
    empty: int

    def counts(self) -> dict[str, Any]:
        """Return what `Totals` takes of it, as for JSON."""
        scores = self.bitext.alignment.scores
        return {
            "beads": self.bitext.alignment.bead_types(),
            "sure": 0.0 if scores is None else float(scores.sum()) - self.empty,
            "left": self.left,
            "empty": self.empty,
        }


def selected(pair: TextPair, found: Alignment, options: argparse.Namespace) -> Kept:
    """Return the bitext of an alignment of its texts without beads that are not probable enough."""
    import numpy as np

    from bitext.model import Alignment

    found, aligned = pair.placed(found)
    wanted = np.ones(len(found), dtype=bool)
    if options.min_score is not None and found.scores is not None:
        wanted = found.scores >= options.min_score
    kept = found if wanted.all() else found.select(wanted)
    if kept.scores is not None:  # digits that tell nothing are not written
        kept = Alignment.from_arrays(kept.src, kept.tgt, scores=np.round(kept.scores, _DIGITS))
    numbers = (np.flatnonzero(wanted) + 1).tolist()
    empty = int((wanted & ~aligned).sum())
    return Kept(pair.bitext(kept), numbers, len(found) - len(kept), empty)


@dataclass(slots=True)
class Totals:
    """How many beads of how many texts there are.

    Attributes
    ----------
    texts : int
    kinds : dict of str to int
        Beads by their kind.
    sure : float
        The sum of the probabilities of those that were aligned.
    left : int
        Beads that were left out.
    empty : int
        Beads of empty sentences, which are there for the sake of completeness.

    """

    texts: int = 0
    kinds: dict[str, int] = field(default_factory=dict)
    sure: float = 0.0
    left: int = 0
    empty: int = 0

    def add(self, counts: Mapping[str, Any]) -> None:
        """Take the counts of a text, as `Kept.counts` returns them."""
        self.texts += 1
        self.sure += counts["sure"]
        self.left += counts["left"]
        self.empty += counts["empty"]
        for kind, count in counts["beads"].items():
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
        judged = beads - self.empty
        sure = f"; mean probability {self.sure / judged:.3f}" if judged else ""
        return f"{found} of {texts} ({shown}{more}){sure}{took}"
