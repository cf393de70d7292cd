"""What a metric reduces a text to: counts that add up."""

from __future__ import annotations

from dataclasses import dataclass
from math import nan

__all__ = ["Counts"]


@dataclass(frozen=True, slots=True)
class Counts:
    """Hits among what was proposed and what was expected; `+` pools texts.

    Precision, recall and F are between 0 and 1. A ratio without a denominator is `nan`, with
    its reason in `undefined`.

    Attributes
    ----------
    hits : int
        What was proposed and is right.
    proposed, expected : int
        What the hypothesis and what the gold standard holds. For recall of measures that leave
        something out (strict, lax), `expected` is what is left.
    found : int
        What was expected and was found. The same as `hits` for measures on sets; the two differ
        where precision and recall count different things (strict, lax).

    Examples
    --------
    >>> (Counts(1, 2, 4) + Counts(2, 2, 2)).f1
    0.6

    """

    hits: int
    proposed: int
    expected: int
    found: int = -1

    def __post_init__(self) -> None:
        if self.found < 0:
            object.__setattr__(self, "found", self.hits)

    @property
    def precision(self) -> float:
        """The share of what was proposed that is right."""
        return self.hits / self.proposed if self.proposed else nan

    @property
    def recall(self) -> float:
        """The share of what was expected that was found."""
        return self.found / self.expected if self.expected else nan

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall.

        With hits = found this is 2 hits / (proposed + expected), which is also defined where
        one of the two is not. Where they differ it is `nan` when there are hits and the other
        ratio is undefined: a text of empty-sided bisegments only, which recall leaves out.
        """
        if not self.proposed + self.expected:
            return nan
        below = self.hits * self.expected + self.found * self.proposed
        if not below:
            return nan if self.hits + self.found else 0.0
        return 2 * self.hits * self.found / below

    @property
    def undefined(self) -> str:
        """Why a ratio is `nan`; empty when none is."""
        reasons = []
        if not self.proposed:
            reasons.append("nothing proposed")
        if not self.expected:
            reasons.append("nothing expected")
        return ", ".join(reasons)

    def __add__(self, other: Counts) -> Counts:
        if not isinstance(other, Counts):
            return NotImplemented
        return Counts(
            self.hits + other.hits,
            self.proposed + other.proposed,
            self.expected + other.expected,
            self.found + other.found,
        )

    def __radd__(self, other: int) -> Counts:
        """Let `sum` begin at 0."""
        return self if other == 0 else NotImplemented
