"""Numbers made features, as learned from training text: in bins, or scaled and clipped."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ["Bins", "Range"]


class Bins:
    """Bins with about as many training values in each (deciles by default).

    Parameters
    ----------
    edges : sequence of float
        The upper edges of the bins, ascending; there is one bin more above them.

    Examples
    --------
    >>> bins = Bins.fit(np.array([1.0, 2.0, 3.0, 4.0]), 2)
    >>> bins.edges.tolist(), bins.codes(np.array([-9.0, 2.5, 3.0])).tolist()
    ([2.5], [0, 0, 1])

    """

    def __init__(self, edges: Sequence[float]) -> None:
        self.edges = np.asarray(edges, dtype=np.float64)

    @classmethod
    def fit(cls, values: NDArray[np.float64], number: int) -> Bins:
        """Learn the edges; fewer bins where many values are equal, one without any value."""
        known = values[np.isfinite(values)]
        if not len(known):
            return cls([])
        edges = np.unique(np.quantile(known, np.arange(1, number) / number))
        return cls(edges[edges < known.max()].tolist())

    def __len__(self) -> int:
        return len(self.edges) + 1

    def codes(self, values: NDArray[np.float64]) -> NDArray[np.int64]:
        """Return the bin of each value; -1 for what is not a number."""
        codes = np.searchsorted(self.edges, values, side="left").astype(np.int64)
        codes[np.isnan(values)] = -1
        return codes


class Range:
    """Numbers brought to between 0 and 1: the least and the greatest of training, clipped outside.

    Examples
    --------
    >>> Range(1.0, 3.0).scaled(np.array([0.0, 2.0, 9.0])).tolist()
    [0.0, 0.5, 1.0]

    """

    def __init__(self, low: float, high: float) -> None:
        self.low, self.high = low, high

    @classmethod
    def fit(cls, values: NDArray[np.float64]) -> Range:
        """Learn the least and the greatest value; 0 and 1 without any."""
        known = values[np.isfinite(values)]
        if not len(known):
            return cls(0.0, 1.0)
        return cls(float(known.min()), float(known.max()))

    def scaled(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the values between 0 and 1; 0 for what is not a number, or was always equal."""
        if not self.high > self.low:
            return np.zeros_like(values)
        scaled = (np.clip(values, self.low, self.high) - self.low) / (self.high - self.low)
        found: NDArray[np.float64] = np.nan_to_num(scaled)
        return found
