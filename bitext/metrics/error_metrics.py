"""The metrics of the error study: with the options of the study, and their scores as numbers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from bitext.errors import InputError, OptionError
from bitext.metrics.named import NamedMetric
from bitext.metrics.pairs import Pairs
from bitext.model import CountsTable, Segmentation

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["MEASURES", "StudiedMetric", "window"]

# The figures of a metric that counts; the first is the default.
MEASURES = ("f1", "precision", "recall")
# Values that differ by less are equal. With L the least common multiple of 1 to n, A is a whole
# number over L times its number of edges, at most 25 here: two values differ by at least
# 1 / (L * 25 * 25), which is 3e-13 for n = 24 and more below. Rounding is below 1e-14. Metrics
# that count in halves, over denominators of some hundred, differ by far more.
_TOLERANCE = 1e-13


@dataclass(frozen=True, slots=True)
class StudiedMetric:
    """A metric with the options of the study.

    Windows are max(1, round half even (n / 2m)) units, as the study's authors have it, and padded;
    B and S transpose by one unit. What the user asked for goes before that.

    Attributes
    ----------
    named : NamedMetric
        The metric and the options that the user asked for.
    measure : str
        Which figure is compared, of a metric that has several.

    """

    named: NamedMetric
    measure: str = field(default="")

    def __post_init__(self) -> None:
        known = [name for name in MEASURES if name in self.named.metric.measures]
        if not known:
            object.__setattr__(self, "measure", "")
        elif not self.measure:
            object.__setattr__(self, "measure", known[0])
        elif self.measure not in known:
            raise OptionError(f"measure {self.measure!r}: {self.named.name} has {', '.join(known)}")

    @property
    def label(self) -> str:
        """The metric as one writes it, with what differs from the study's options; its measure."""
        usual = {**self.named.metric.options, **self._wanted("n/2m")}
        told = [f"{name}={v!r}" for name, v in self.named.options.items() if v != usual[name]]
        options = f"({', '.join(told)})" if told else ""
        return f"{self.named.name}{options} {self.measure}".rstrip()

    @property
    def signature(self) -> str:
        """The metric with every option; `k:n/2m` where the window follows the reference."""
        told = NamedMetric(self.named.metric, {**self._wanted("n/2m"), **self.named.options})
        return told.signature(*([f"measure:{self.measure}"] if self.measure else []))

    def _wanted(self, k: Any) -> dict[str, Any]:
        """Return those options of the study that the metric has."""
        wanted = {"k": k, "padded": True, "max_transposition": 1}
        return {name: v for name, v in wanted.items() if name in self.named.metric.options}

    def scores(self, pairs: Pairs, n: int, m: int) -> tuple[NDArray[np.float64], float]:
        """Return the score of each pair, `nan` for none, and how far equal ones may lie apart."""
        options = {**self._wanted(window(n, m)), **self.named.options}
        found = NamedMetric(self.named.metric, options).pairs(pairs)
        if isinstance(found, CountsTable):
            top, below = _figure(found, self.measure)
        else:
            top, below = found.numerators, found.denominators
        # Quotients of different whole numbers of this size are different floats.
        exact = top.dtype.kind in "iu" and below.dtype.kind in "iu"
        out = np.full(len(pairs), np.nan if isinstance(found, CountsTable) else found.empty)
        np.divide(top, below, out=out, where=below != 0)
        return out, 0.0 if exact else _TOLERANCE

    def check(self, n: int) -> None:
        """Score a text of n units, to see that the metric can be run with its options.

        Raises
        ------
        OptionError
            When it has a value of an option that it cannot have, or a window too long for n units.

        """
        text = Segmentation([1, n - 1])
        try:
            self.scores(Pairs.of([text], [text]), n, 2)
        except InputError as error:
            raise OptionError(f"{error}, in a study from {n} units on") from error


def _figure(
    found: CountsTable, measure: str
) -> tuple[NDArray[np.int64 | np.float64], NDArray[np.int64 | np.float64]]:
    """Return a measure of counts as numerators and denominators."""
    hits, proposed, expected, right = found.counts.T
    if measure == "precision":
        return hits, proposed
    if measure == "recall":
        return right, expected
    some = hits + right > 0
    below = np.where(some, hits * expected + right * proposed, proposed + expected)
    return 2 * hits * right, below


def window(n: int, m: int) -> int:
    """Return the size of windows for references of n units in m segments.

    Examples
    --------
    >>> window(20, 2), window(20, 4), window(20, 19)
    (5, 2, 1)

    """
    return max(1, round(n / (2 * m)))  # to even, and a quotient that is a half is exact
