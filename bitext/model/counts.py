"""What a metric reduces a text to: counts that add up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import nan
from typing import TYPE_CHECKING, overload

import numpy as np

from bitext.model.frozen import Frozen, put

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Counts", "CountsTable"]


@dataclass(frozen=True, slots=True)
class Counts:
    """Hits among what was proposed and what was expected; `+` pools texts.

    Precision, recall and F are between 0 and 1. A ratio without a denominator is `nan`, with
    its reason in `undefined`.

    Attributes
    ----------
    hits : float
        What was proposed and is right.
    proposed, expected : float
        What the hypothesis and what the gold standard holds. For recall of measures that leave
        something out (strict, lax), `expected` is what is left.
    found : float
        What was expected and was found. The same as `hits` for measures on sets; the two differ
        where precision and recall count different things (strict, lax).
    neither : float or None
        What was neither proposed nor expected (true negatives), where a metric counts it.
    k : int or None
        As of `Ratio`.

    Examples
    --------
    >>> (Counts(1, 2, 4) + Counts(2, 2, 2)).f1
    0.6

    """

    hits: float
    proposed: float
    expected: float
    found: float = -1
    neither: float | None = field(default=None, repr=False)
    k: int | None = field(default=None, repr=False, compare=False)

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

    def f(self, alpha: float = 0.5) -> float:
        """The weighted harmonic mean of precision P and recall R: 1 / (alpha/P + (1 - alpha)/R).

        0 where one of them is 0, `nan` where one is undefined and counts; `f1` is that of .5.
        """
        if alpha == 0.5:
            return self.f1
        weighed = [(alpha, self.precision), (1 - alpha, self.recall)]
        shares = [(weight, share) for weight, share in weighed if weight]
        if any(share == 0 for _, share in shares):
            return 0.0
        return 1 / sum(weight / share for weight, share in shares)

    @property
    def aer(self) -> float:
        """The alignment error rate of word links: 1 - (hits + found) / (proposed + expected).

        From 0 (best) to 1; `nan` where nothing is proposed and nothing expected.
        """
        whole = self.proposed + self.expected
        return 1 - (self.hits + self.found) / whole if whole else nan

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
        known = self.neither is not None and other.neither is not None
        return Counts(
            self.hits + other.hits,
            self.proposed + other.proposed,
            self.expected + other.expected,
            self.found + other.found,
            (self.neither or 0) + (other.neither or 0) if known else None,
            self.k if self.k == other.k else None,
        )

    def __radd__(self, other: int) -> Counts:
        """Let `sum` begin at 0."""
        return self if other == 0 else NotImplemented


class CountsTable(Frozen, Sequence[Counts]):
    """The counts of many pairs, held as arrays; a `Counts` is made when one is asked for.

    Attributes
    ----------
    counts : array, shape (pairs, 4)
        Hits, proposed, expected and found.
    neither, k : array or None
        As of `Counts`, one a pair; objects where 64 bits are too few, as `counts` may be, too.

    """

    __slots__ = ("counts", "k", "neither")

    counts: NDArray[np.int64 | np.float64]
    neither: NDArray[np.int64] | None
    k: NDArray[np.int64] | None

    def __init__(
        self,
        counts: NDArray[np.int64 | np.float64],
        *,
        neither: NDArray[np.int64] | None = None,
        k: NDArray[np.int64] | None = None,
    ) -> None:
        put(self, "counts", counts)
        put(self, "neither", neither)
        put(self, "k", k)

    def __len__(self) -> int:
        return len(self.counts)

    @overload
    def __getitem__(self, index: int) -> Counts: ...
    @overload
    def __getitem__(self, index: slice) -> CountsTable: ...
    def __getitem__(self, index: int | slice) -> Counts | CountsTable:
        columns = (self.neither, self.k)
        if isinstance(index, slice):
            others = [None if column is None else column[index] for column in columns]
            return CountsTable(self.counts[index], neither=others[0], k=others[1])
        numbers = [None if column is None else column.item(index) for column in columns]
        hits, proposed, expected, found = self.counts[index].tolist()
        return Counts(hits, proposed, expected, found, *numbers)

    @classmethod
    def join(cls, parts: Sequence[CountsTable]) -> CountsTable:
        """Return the counts of all parts, one after another; the parts are of one metric."""
        neither = [part.neither for part in parts if part.neither is not None]
        sizes = [part.k for part in parts if part.k is not None]
        return cls(
            np.concatenate([part.counts for part in parts]),
            neither=np.concatenate(neither) if len(neither) == len(parts) else None,
            k=np.concatenate(sizes) if len(sizes) == len(parts) else None,
        )

    def __repr__(self) -> str:
        return f"<CountsTable of {len(self)} pairs>"
