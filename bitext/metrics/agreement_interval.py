"""How sure a coefficient of agreement is: its bootstrap interval over texts.

Products of shares do not add up over texts, but the columns that they are made of do
(`bitext.metrics.observed`): a resample is one sum of rows, and all of them one product of arrays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from bitext.errors import InputError, OptionError
from bitext.metrics.chance import CHANCE, coefficients, tallied
from bitext.metrics.significance import Interval, bootstrap

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bitext.metrics.coders import Incomplete
    from bitext.metrics.observed import Tally
    from bitext.metrics.registry import Metric

__all__ = ["agreement_interval", "agreement_intervals"]


def agreement_interval(
    measure: Metric[..., Any],
    codings: Incomplete,
    *,
    resamples: int = 10_000,
    level: float = 0.95,
    seed: int = 0,
    **options: Any,
) -> Interval:
    """Bootstrap interval of a coefficient of agreement: texts are drawn with replacement.

    Parameters
    ----------
    measure : Metric
        A coefficient of agreement: `fleiss_kappa`, `multi_kappa`, `observed_agreement` ...
    codings : list of lists of Segmentation
        Two texts or more.
    resamples, level, seed
        As of `bitext.metrics.significance.bootstrap`.
    **options
        Options of the coefficient: `observed`, `observed_options`, `pooled`.

    Returns
    -------
    Interval
        `nan` at both ends where the coefficient is undefined in most resamples.

    Raises
    ------
    InputError
        For one text: there is nothing to draw from.
    OptionError
        When the metric is no coefficient of agreement, or has no such option.

    Examples
    --------
    >>> from bitext import Segmentation
    >>> from bitext.metrics.agreement import multi_pi
    >>> near, same = [Segmentation([2, 3]), Segmentation([3, 2])], [Segmentation([2, 3])] * 2
    >>> low, high = agreement_interval(multi_pi, [near, same, same])
    >>> round(low, 4), high
    (-0.3333, 1.0)

    """
    name = getattr(measure, "name", "")
    if name not in CHANCE:
        raise OptionError(f"{measure!r:.60} is not over codings: want one of {', '.join(CHANCE)}")
    unknown = sorted(set(options) - set(measure.options))
    if unknown:
        known = ", ".join(measure.options)
        raise OptionError(f"{name} has no option {unknown[0]!r}: its options are {known}")
    observed, given = options.get("observed", "boundaries"), options.get("observed_options")
    sums = tallied(name, codings, observed, given or {})
    if len(sums.counts) < 2:
        raise InputError("one text has no interval, as texts are what is drawn: want two or more")
    pooled = options.get("pooled", False)
    return agreement_intervals(
        [name], sums, resamples=resamples, level=level, seed=seed, pooled=pooled
    )[0]


def agreement_intervals(
    names: Sequence[str],
    sums: Tally,
    *,
    resamples: int,
    level: float,
    seed: int,
    pooled: bool = False,
) -> tuple[Interval, ...]:
    """Return the intervals of several coefficients of one tally, over the same draws.

    Parameters and errors are as of `agreement_interval`.
    """

    def of(counts: NDArray[np.float64], zero_division: float) -> NDArray[np.float64]:
        found = [
            coefficients(counts, zero_division, name=name, sums=sums, pooled=pooled)
            for name in names
        ]
        return np.concatenate(found, axis=-1)

    return bootstrap(sums.counts, of=of, resamples=resamples, level=level, seed=seed)
