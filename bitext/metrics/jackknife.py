"""Confidence intervals and a paired test for few texts, from the jackknife.

Percentiles of resampled texts are too narrow where texts are few: five texts drawn with replacement
vary less than five other texts would, and at a figure of 1 the interval has no width. Here

- the variance of a figure comes from the jackknife, which computes the figure without each unit
  (Miller 1974),
- its multiple from Student's t distribution,
- the interval from the score interval of Wilson (1927), which stays within the range of the
  figure and is asymmetric near the ends of the range. Wilson's interval needs a number of trials:
  the number of independent trials with the same variance, the effective sample size (Kish 1965).

Texts are units that differ, so the interval covers other texts of the same kind. The blocks of a
single text are units, too, but the interval then covers this text alone. The coverage of the
intervals and the level of the test were measured by `scripts/bench/interval_coverage.py`, beside
bootstrap intervals and other tests.
"""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from bitext.errors import InputError, OptionError, check_truths
from bitext.kernels.arrays import Floats
from bitext.kernels.distributions import t_quantile, two_sided_p
from bitext.metrics.registry import confidence, number
from bitext.metrics.significance import Average, Interval, checked_counts

if TYPE_CHECKING:
    from bitext.metrics.significance import Figures, Scores

# From scripts/bench/interval_coverage.py.
_FEW_UNITS = 10  # units, below which bursts of errors may be missing from all of them
_FEW_ERRORS = 30.0  # items that are wrong (or right) in all units, likewise
BURST = 3.0
"""The number of gold bisegments that a burst of errors is taken to damage at least."""
_BLOCK_COUNTS = (10, 5)  # blocks of a single text, since bursts cross the borders of smaller blocks
_NORMAL_DF = 1e6  # degrees of freedom of Wilson's own interval: t is then normal
_ZERO_VARIANCE = 1e-18  # variance that is rounding alone, of figures near 1
_LEAST_DF = 0.5  # degrees of freedom of two texts, if one has nearly all bisegments


class _Jackknife(NamedTuple):
    """Estimates of figures from leaving each unit out; arrays have the shape (figures,)."""

    value: Floats  # the figures of all units
    # The variance of each figure; `nan` if it is undefined without one of the units.
    variance: Floats
    df: Floats  # the degrees of freedom of the variance
    trials: Floats  # the sizes of all units together


def _jackknives(
    columns: Floats,
    figures: Callable[[Floats], Floats],
    *,
    sizes: Floats,
    known: Floats,
    one_text: bool,
) -> list[_Jackknife]:
    """Apply the jackknife to the units, or to each number of blocks of one text."""
    return [
        _jackknife(_merged(columns, n), figures, _merged(sizes, n), _merged(known, n))
        for n in (_BLOCK_COUNTS if one_text else (len(columns),))
    ]


def _jackknife(
    columns: Floats, figures: Callable[[Floats], Floats], sizes: Floats, known: Floats
) -> _Jackknife:
    """Compute figures and their variances from the columns of units.

    `columns`, of shape (units, columns), are summed over units; `figures` computes the figures from
    sums. `sizes`, of shape (units, figures or 1), has the number of gold bisegments or segments of
    each unit; 0 if it has no part in a figure. `known`, of the same shape, has the weight of each
    unit in a macro average, 1 or 0; or it is one column of `nan` where counts are pooled, and the
    sizes are the weights.
    """
    total = columns.sum(axis=0)
    value, without = figures(total), figures(total - columns)
    shape = without.shape
    sizes = np.broadcast_to(np.where(known == 0, 0.0, sizes), shape)
    weights = np.broadcast_to(np.where(np.isnan(known), sizes, known), shape)
    counted = weights > 0
    units = counted.sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.where(counted, without, 0.0).sum(axis=0) / units
        squares = np.where(counted, (without - mean) ** 2, 0.0).sum(axis=0)
        variance = np.where(units > 1, squares * (units - 1) / units, np.nan)
        # Kish's number of units of equal weight gives too wide intervals, the number of units too
        # narrow ones (scripts/bench/interval_coverage.md); the middle of both is close.
        effective = weights.sum(axis=0) ** 2 / (weights**2).sum(axis=0)
        df = np.fmax((effective + units) / 2 - 1, _LEAST_DF)
    return _Jackknife(value, variance, df, np.where(counted, sizes, 0.0).sum(axis=0))


def jackknife_interval(
    counts: Scores,
    *,
    of: Figures | None = None,
    macro: bool = False,
    zero_division: float = np.nan,
    level: float = 0.95,
    sizes: ArrayLike | None = None,
    one_text: bool = False,
    burst: float = BURST,
    bounds: ArrayLike = (0.0, 1.0),
) -> tuple[Interval, ...]:
    """Return an interval of each figure that covers the true figure also with few units.

    Parameters
    ----------
    counts : array, shape (units, columns), or sequence of Counts or of Ratio
        The counts of each unit, as in `bitext.metrics.bootstrap`.
    of : callable, optional
        The function from counts to figures, for other counts.
    macro : bool
        Whether to average the figures of the units, instead of pooling their counts.
    zero_division : float
        The value of a ratio 0/0; `nan` leaves the ratio out.
    level : float
        The wanted share of intervals that contain the true figure.
    sizes : array, shape (units,) or (units, figures), optional
        The number of gold bisegments or segments of each unit, which is the number of things that
        can be right or wrong; 0 if a unit has no part in a figure. Default: the number of
        expected items, or the denominator; 1 for counts of another kind.
    one_text : bool
        Whether the units are consecutive blocks of a single text. They are then merged to ten and
        to five blocks, and the wider of both intervals is returned, since errors in bursts make
        small blocks depend on their neighbours.
    burst : float
        The number of items that are right or wrong together. With fewer than ten units, or fewer
        than thirty wrong (or right) items, the interval is at least as wide as that of
        `sizes / burst` independent items, since few bursts may be missing from all units.
    bounds : array, shape (2,) or (figures, 2)
        The least and the greatest value of a figure. If one is infinite, and for a figure
        beyond them, the interval is t standard errors around the figure, up to a finite bound.

    Returns
    -------
    tuple of Interval
        Within `bounds`; `nan` at both ends where a figure is undefined, or would be without one of
        the units, and where it has an infinite bound and is the same without any of the units.

    Raises
    ------
    InputError
        For fewer than two units, or sizes that do not fit the units or are below 0.
    OptionError
        When an option has a value that is not allowed.

    Notes
    -----
    **Source**: R. G. Miller, The jackknife: a review, Biometrika 61(1), 1974; E. B. Wilson,
    Probable inference, the law of succession, and statistical inference, JASA 22, 1927; L. Kish,
    Survey Sampling, 1965.

    Examples
    --------
    >>> low, high = jackknife_interval([[9, 10], [6, 10], [8, 10]])[0]
    >>> round(low, 4), round(high, 4)
    (0.3413, 0.9542)

    """
    check_truths(one_text=one_text)
    (unit_counts,), of = checked_counts(counts, of=of)
    level = confidence(level)
    if not number("burst", burst) > 0:
        raise OptionError(f"burst is {burst!r}: want a number of items above 0")
    average = Average.over(unit_counts, of=of, macro=macro, zero_division=zero_division)
    runs = _jackknives(
        average.columns,
        average.figures,
        sizes=_sizes(unit_counts, sizes),
        known=average.known,
        one_text=one_text,
    )
    normal = t_quantile(level, _NORMAL_DF)
    ranges = np.broadcast_to(np.asarray(bounds, dtype=np.float64), (runs[0].value.size, 2))
    if not (ranges[:, 0] < ranges[:, 1]).all():
        raise OptionError(f"bounds are {bounds!r:.60}: want the least value, then the greatest")
    ends = []
    for k, value in enumerate(runs[0].value.tolist()):
        variance = max(t_quantile(level, run.df[k]) ** 2 * run.variance[k] for run in runs)
        trials = max(runs[0].trials[k], 1.0)
        low, high = ranges[k].tolist()
        rare = trials * min(value - low, high - value) < _FEW_ERRORS * (high - low)
        together = burst if one_text or rare or len(unit_counts) < _FEW_UNITS else 1.0
        least = normal**2 * together / trials
        ends.append(_wilson(value, variance, least, ranges[k].tolist()))
    return tuple(ends)


def _sizes(counts: Floats, sizes: ArrayLike | None) -> Floats:
    """Return the sizes of units, shape (units, 1) or (units, figures)."""
    if sizes is None:
        # Of numerator, denominator; or of hits, proposed, expected, found.
        column = {2: 1, 4: 2}.get(counts.shape[1])
        return np.ones((len(counts), 1)) if column is None else counts[:, [column]]
    size_array = np.asarray(sizes, dtype=np.float64)
    if size_array.ndim not in (1, 2) or len(size_array) != len(counts):
        raise InputError(f"there are {len(size_array)} sizes of {len(counts)} units: want one each")
    if not (size_array >= 0).all():
        raise InputError("a size is below 0 or not a number: want numbers of items, 0 or more")
    return size_array.reshape(len(size_array), -1)


def _merged(rows: Floats, count: int) -> Floats:
    """Return the sums of `count` runs of consecutive rows, of nearly equal numbers."""
    if count >= len(rows):
        return rows
    return np.add.reduceat(rows, np.arange(count) * len(rows) // count)


def _wilson(value: float, variance: float, least: float, bounds: tuple[float, float]) -> Interval:
    """Return the interval of a figure.

    `variance` is that of the figure, times the square of the quantile of t. `least` is the square
    of the quantile over the number of trials, for a figure without variance. `bounds` are the least
    and the greatest value of the figure.
    """
    if np.isnan(value) or np.isnan(variance):
        return Interval(np.nan, np.nan)
    low, high = bounds
    if not (isfinite(high - low) and low <= value <= high):
        if variance <= _ZERO_VARIANCE * value**2:  # no range bounds the figures of other texts
            return Interval(np.nan, np.nan)
        half = float(np.sqrt(max(variance, 0.0)))
        ends = value - half, value + half
        if low <= value <= high:
            ends = max(ends[0], low), min(ends[1], high)
        return Interval(*ends)
    width = high - low
    share = (value - low) / width
    spread = share * (1 - share)
    # The square of the quantile over the effective sample size.
    ratio = max(variance / width**2 / spread if spread > 0 else 0.0, least)
    middle = (share + ratio / 2) / (1 + ratio)
    half = np.sqrt(ratio * spread + ratio**2 / 4) / (1 + ratio)
    ends = np.clip([middle - half, middle + half], 0.0, 1.0) * width + low
    # Rounding must not put the figure outside its own interval.
    return Interval(min(float(ends[0]), value), max(float(ends[1]), value))


def paired_t(
    first: Scores,
    second: Scores,
    *,
    of: Figures | None = None,
    macro: bool = False,
    zero_division: float = np.nan,
    sizes: ArrayLike | None = None,
    one_text: bool = False,
) -> tuple[float, ...]:
    """Return p of each figure by a paired t test of the jackknife, two-sided.

    The difference of two systems is divided by its standard error, which the jackknife estimates
    from whole units. The test keeps its level from two texts on, also where each system is better
    on some texts than on others.

    Parameters and errors are as in `jackknife_interval`; unit k of both systems is the same text.

    Examples
    --------
    >>> a, b = [[9, 10], [6, 10], [8, 10]], [[7, 10], [5, 10], [5, 10]]
    >>> round(paired_t(a, b)[0], 4)
    0.0742

    """
    check_truths(one_text=one_text)
    systems, of = checked_counts(first, second, of=of)
    a, b = (
        Average.over(counts, of=of, macro=macro, zero_division=zero_division) for counts in systems
    )
    columns = np.concatenate([a.columns, b.columns], axis=1)
    middle = a.columns.shape[1]

    def difference(sums: Floats) -> Floats:
        return b.figures(sums[..., middle:]) - a.figures(sums[..., :middle])

    runs = _jackknives(
        columns,
        difference,
        sizes=_sizes(systems[0], sizes),
        known=np.fmax(a.known, b.known),
        one_text=one_text,
    )
    # One text is divided into several numbers of blocks; the greatest p counts, so that no division
    # makes a difference significant by chance.
    p = [
        [
            _p(*estimate)
            for estimate in zip(run.value, run.variance, run.df, run.trials, strict=True)
        ]
        for run in runs
    ]
    return tuple(np.max(p, axis=0).tolist())


def _p(value: float, variance: float, df: float, trials: float) -> float:
    if np.isnan(value) or np.isnan(variance):
        return np.nan
    if not value:
        return 1.0
    # Equal differences of all units have no variance, but each is made of whole items.
    variance = variance if variance > _ZERO_VARIANCE else abs(value) / max(trials, 1.0)
    return two_sided_p(value / np.sqrt(variance), df)
