"""A figure as a numerator and a denominator: ratios that pool by addition."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import isnan, nan
from typing import TYPE_CHECKING, Any, cast, overload

import numpy as np

from bitext.model.frozen import Frozen, put

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

__all__ = ["Ratio", "Ratios", "joined"]


@dataclass(frozen=True, slots=True, repr=False)
class Ratio:
    """A numerator over a denominator; `+` pools texts.

    Attributes
    ----------
    numerator, denominator : float
        Whole numbers where the metric counts, other ones where it weighs.
    empty : float
        What 0/0 is by the definition of the metric; `nan` where it is undefined.
    reason : str
        Why a denominator is 0, in words, where 0/0 is undefined.
    k : int or None
        The size of the windows that were counted, for metrics over windows; `None` for others,
        and where windows of several sizes were pooled.

    Examples
    --------
    >>> (Ratio(1, 4) + Ratio(2, 4)).value
    0.375
    >>> Ratio(0, 0, reason="no boundary").undefined
    'no boundary'

    """

    numerator: float
    denominator: float
    empty: float = field(default=nan, compare=False)
    reason: str = field(default="nothing to count", compare=False)
    k: int | None = field(default=None, compare=False)

    @property
    def value(self) -> float:
        """The figure; `empty`, which is `nan` unless the metric says otherwise, of 0/0."""
        return self.numerator / self.denominator if self.denominator else self.empty

    @property
    def undefined(self) -> str:
        """Why the value is `nan`; empty when it is not."""
        return self.reason if isnan(self.value) else ""

    def __repr__(self) -> str:
        windows = "" if self.k is None else f", k={self.k}"
        return f"Ratio({self.numerator!r}, {self.denominator!r}{windows})"

    def __float__(self) -> float:
        return float(self.value)

    def __add__(self, other: Ratio) -> Ratio:
        if not isinstance(other, Ratio):
            return NotImplemented
        return Ratio(
            self.numerator + other.numerator,
            self.denominator + other.denominator,
            self.empty,
            self.reason,
            self.k if self.k == other.k else None,
        )

    def __radd__(self, other: int) -> Ratio:
        """Let `sum` begin at 0."""
        return self if other == 0 else NotImplemented


class Ratios(Frozen, Sequence[Ratio]):
    """Many ratios, held as two arrays; a `Ratio` is made when one is asked for.

    Attributes
    ----------
    numerators, denominators : array
        One of each a pair.
    empty, reason
        As of `Ratio`.
    k : array of int64 or None
        The size of the windows of each pair.

    """

    __slots__ = ("denominators", "empty", "k", "numerators", "reason")

    numerators: NDArray[np.float64 | np.int64]
    denominators: NDArray[np.float64 | np.int64]
    empty: float
    reason: str
    k: NDArray[np.int64] | None

    def __init__(
        self,
        numerators: ArrayLike,
        denominators: ArrayLike,
        *,
        empty: float = nan,
        reason: str = "nothing to count",
        k: NDArray[np.int64] | None = None,
    ) -> None:
        put(self, "numerators", _numbers(numerators))
        put(self, "denominators", _numbers(denominators))
        put(self, "empty", empty)
        put(self, "reason", reason)
        put(self, "k", k)

    @property
    def values(self) -> NDArray[np.float64]:
        """The figures."""
        defined = self.denominators != 0
        out = np.full(len(self), self.empty)
        np.divide(self.numerators, self.denominators, out=out, where=defined)
        return out

    @property
    def counts(self) -> NDArray[np.float64]:
        """Numerators and denominators, shape (pairs, 2)."""
        return np.stack([self.numerators, self.denominators], axis=1).astype(np.float64)

    @classmethod
    def join(cls, parts: Sequence[Ratios]) -> Ratios:
        """Return the ratios of all parts, one after another; the parts are of one metric."""
        sizes = [part.k for part in parts]
        known = [k for k in sizes if k is not None]
        return cls(
            np.concatenate([part.numerators for part in parts]),
            np.concatenate([part.denominators for part in parts]),
            empty=parts[0].empty,
            reason=parts[0].reason,
            k=np.concatenate(known) if len(known) == len(parts) else None,
        )

    def total(self) -> Ratio:
        """Return the pooled ratio."""
        same = self.k is not None and len(self) > 0 and bool((self.k == self.k[0]).all())
        return Ratio(
            self.numerators.sum().item(),
            self.denominators.sum().item(),
            self.empty,
            self.reason,
            int(self.k[0]) if same and self.k is not None else None,
        )

    def __len__(self) -> int:
        return len(self.numerators)

    @overload
    def __getitem__(self, index: int) -> Ratio: ...
    @overload
    def __getitem__(self, index: slice) -> Ratios: ...
    def __getitem__(self, index: int | slice) -> Ratio | Ratios:
        if isinstance(index, slice):
            return Ratios(
                self.numerators[index],
                self.denominators[index],
                empty=self.empty,
                reason=self.reason,
                k=None if self.k is None else self.k[index],
            )
        return Ratio(
            self.numerators[index].item(),
            self.denominators[index].item(),
            self.empty,
            self.reason,
            None if self.k is None else int(self.k[index]),
        )

    def __repr__(self) -> str:
        return f"<Ratios of {len(self)} pairs, pooled {self.total().value:.4f}>"


def _numbers(given: ArrayLike) -> NDArray[Any]:
    """Return an array of numbers; those that 64 bits do not hold are floats."""
    found = np.asarray(given)
    return found.astype(np.float64) if found.dtype == object else found


def joined(parts: Sequence[Sequence[Any]]) -> Sequence[Any]:
    """Return the results of all parts as one: of their own kind if it has `join`, or a list."""
    join = getattr(type(parts[0]), "join", None)
    if join is not None:
        return cast("Sequence[Any]", join(parts))
    return [result for part in parts for result in part]
