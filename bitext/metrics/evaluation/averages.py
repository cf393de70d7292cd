"""Averages of systems over texts, with the intervals and tests that go with them."""

from __future__ import annotations

from dataclasses import dataclass
from math import nan
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bitext.metrics.significance import bootstrap, figures

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from bitext.metrics.evaluation.options import Sampling
    from bitext.metrics.significance import Figures, Interval

__all__ = ["AverageDifference", "SystemAverages", "mean_of_defined"]


class AverageDifference(NamedTuple):
    """The differences of a system's figures from those of the first system, and their p."""

    system: str
    baseline: str
    values: tuple[float, ...]
    p: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemAverages:
    """The averages of systems by one measure, whose intervals and tests resample counts.

    `score`, `compare` and the bisegment similarity differ in their counts and in how a figure is
    printed; intervals and tests are made here for all three.

    Attributes
    ----------
    systems : sequence of str
        Their names; the first is the one that others are tested against.
    options : Sampling
        The number of resamples, the seed, the level and the test.
    units : callable
        Returns the counts of a system, shape (units, columns): of texts, blocks or sentence pairs.
    values : callable
        Returns the averages of a system as they are printed. They are not recomputed from `units`:
        sums in another order differ in the last digit.
    of : callable
        Makes figures of counts.
    macro : bool
        Whether the average is the mean of the figures of units; otherwise counts are pooled.
    what : str
        What the units are, for messages.

    """

    systems: Sequence[str]
    options: Sampling
    units: Callable[[int], NDArray[np.float64]]
    values: Callable[[int], Sequence[float]]
    of: Figures = figures
    macro: bool = False
    what: str = "texts"

    def intervals(self, system: int) -> tuple[Interval, ...]:
        """Return the bootstrap interval of each figure of a system."""
        return bootstrap(
            self.units(system),
            of=self.of,
            macro=self.macro,
            zero_division=self.options.zero_division,
            resamples=self.options.resamples,
            level=self.options.level,
            seed=self.options.seed,
        )

    def differences(self) -> Iterator[AverageDifference]:
        """Test every other system against the first one."""
        if len(self.systems) < 2:
            return
        first, before = self.units(0), self.values(0)
        for k in range(1, len(self.systems)):
            p = self.options.compare(
                first, self.units(k), what=self.what, of=self.of, macro=self.macro
            )
            after = self.values(k)
            values = tuple(b - a for a, b in zip(before, after, strict=True))
            yield AverageDifference(self.systems[k], self.systems[0], values, p)


def mean_of_defined(each: NDArray[np.float64]) -> tuple[list[float], list[int]]:
    """Average the figures of texts, shape (texts, figures), leaving out undefined ones.

    Returns
    -------
    means : list of float
        One a figure; `nan` where it is undefined in all texts.
    undefined : list of int
        The number of texts left out of each mean.

    """
    known = ~np.isnan(each)
    sums = np.where(known, each, 0.0).sum(axis=0).tolist()
    pairs = zip(sums, known.sum(axis=0).tolist(), strict=True)
    return [total / n if n else nan for total, n in pairs], (~known).sum(axis=0).tolist()
