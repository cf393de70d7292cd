"""How much of the texts of systems was matched with those of the gold standard."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import floor
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitext.metrics.ground import Ground

__all__ = ["Matched"]


@dataclass(slots=True)
class Matched:
    """Collects, text by text, which share of the characters of both texts was matched.

    Attributes
    ----------
    shares : dict of int to list of pair of float
        Of each system, one pair a text: source and target.

    """

    shares: dict[int, list[tuple[float, float]]] = field(default_factory=dict)

    def add(self, grounds: Sequence[Ground]) -> None:
        """Add a text, by what each system has in common with the gold standard."""
        self.take([(ground.src.matched, ground.tgt.matched) for ground in grounds])

    def take(self, shares: Sequence[Sequence[float]]) -> None:
        """Add a text, by the shares of each system."""
        for system, (src, tgt) in enumerate(shares):
            self.shares.setdefault(system, []).append((src, tgt))

    def notes(self, systems: Sequence[str], texts: Sequence[str]) -> list[str]:
        """Return a note for each system and side whose texts are not all those of the gold."""
        out = []
        for k, found in self.shares.items():
            for n, side in enumerate(("source", "target")):
                shares = [pair[n] for pair in found]
                if min(shares) < 1:
                    out.append(f"{systems[k]}: {_told(side, shares, texts)}")
        return out


def _told(side: str, shares: Sequence[float], texts: Sequence[str]) -> str:
    least = min(shares)
    count = sum(share < 1 for share in shares)
    if len(shares) == 1:
        return (
            f"the {side} text differs from the gold standard's: {_percent(least)} of the "
            f"characters match, white space apart"
        )
    where = texts[shares.index(least)]
    return (
        f"{count:,} of {len(shares):,} {side} texts {'differs' if count == 1 else 'differ'} from "
        f"the gold standard's: {'' if count == 1 else 'at least '}{_percent(least)} of the "
        f"characters match, white space apart ({where})"
    )


def _percent(share: float) -> str:
    """Write a share, rounded down: only what is whole is 100 %."""
    return f"{floor(share * 1_000) / 10:.1f}%"
