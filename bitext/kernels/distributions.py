"""Student's t distribution, and the fit of the lengths of aligned segments.

The t distribution has tails and quantiles, also for fractional degrees of freedom. The tail is a
regularised incomplete beta function (Abramowitz and Stegun 1964, equation 26.5.27 with 26.7.1),
computed by its continued fraction (equation 26.5.8, in the form of Lentz); the quantile is computed
from the tail by bisection. The fit of lengths detects a reading of positions that fits better. A
position is a number and is valid in any text that is long enough, so no error shows that a text was
exchanged with its translation, or got an additional title after it was aligned, or that vectors
belong to other lines. Lengths show it: segments that translate each other are about equally long
(Gale and Church 1993), and under a wrong reading they are not.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from math import exp, isinf, isnan, lgamma, log, log1p, nan
from typing import NamedTuple

import numpy as np

from bitext.errors import InputError
from bitext.kernels.arrays import Floats, Ints, Rows, prefix, take

# Steps of the continued fraction: below 100 are enough up to 10,000 degrees of freedom
_FRACTION_STEPS = 500
_CONVERGED_CHANGE = 1e-15  # relative change of the continued fraction at which it has converged
_TINY = 1e-300  # in place of 0 as a denominator
_MOST_DEGREES = 1e6  # degrees of freedom: with more, t is as with this many in six digits
_GREATEST_T = 1e300  # t, for less than one degree of freedom and a level close to 1
_BISECTION_STEPS = 60  # of the bisection: to the last digits of a float


def two_sided_p(t: float, df: float) -> float:
    """Return the probability of a value of at least |t|, in either direction.

    An infinite `t` has probability 0, and `nan` has `nan`. Raises `InputError` when `df`, the
    degrees of freedom, are not above 0.

    Examples
    --------
    >>> round(two_sided_p(2.0, 5), 6)
    0.101939

    """
    if not df > 0:
        raise InputError(f"{df} degrees of freedom: want more than 0")
    if isnan(t):
        return nan
    if isinf(t):
        return 0.0
    df = min(df, _MOST_DEGREES)
    return _incomplete_beta(df / 2, 0.5, df / (df + t * t), t * t / (df + t * t))


@lru_cache(maxsize=1024)  # the intervals of a report ask for a few, each of them hundreds of times
def t_quantile(level: float, df: float) -> float:
    """Return the t that leaves the share `level`, such as .95, between -t and t.

    Raises `InputError` when `df`, the degrees of freedom, are not above 0, or `level` is not
    between 0 and 1.

    Examples
    --------
    >>> round(t_quantile(0.95, 5), 6)
    2.570582

    """
    if not 0 <= level < 1:
        raise InputError(f"the level is {level}: want a share from 0 to below 1")
    tail = 1 - level
    high = 1.0
    while two_sided_p(high, df) > tail and high < _GREATEST_T:
        high *= 2
    low = 0.0
    for _ in range(_BISECTION_STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if two_sided_p(middle, df) > tail else (low, middle)
    return (low + high) / 2


def _incomplete_beta(a: float, b: float, x: float, rest: float) -> float:
    """Return I_x(a, b); `rest` is 1 - x, exact also where x is close to 1."""
    if x <= 0 or rest <= 0:
        return 0.0 if x <= 0 else 1.0
    log_x = log(x) if x < 0.5 else log1p(-rest)
    log_rest = log(rest) if rest < 0.5 else log1p(-x)
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log_x + b * log_rest)
    if x < (a + 1) / (a + b + 2):  # where the fraction converges fast
        return front * _fraction(a, b, x) / a
    return 1 - front * _fraction(b, a, rest) / b


def _fraction(a: float, b: float, x: float) -> float:
    c, d = 1.0, 1 / _nonzero(1 - (a + b) * x / (a + 1))
    value = d
    for m in range(1, _FRACTION_STEPS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for term in (even, odd):
            d = 1 / _nonzero(1 + term * d)
            c = _nonzero(1 + term / c)
            value *= c * d
        if abs(c * d - 1) < _CONVERGED_CHANGE:
            break
    return value


def _nonzero(x: float) -> float:
    return x if abs(x) > _TINY else _TINY


# Fit of the lengths of aligned segments, and the other reading of positions that fits better.


# Standard errors. Measured: no other reading of 18 gold standards had more than 0.1, and none of
# 1,000 synthetic pairs of unrelated texts more than 3.4.
_CLEAR_ERRORS = 3.0
# Set by hand.
_STEP_ERRORS = 0.5  # standard errors by which a larger step must be better than a smaller one
_LARGEST_MISFIT_SHARE = 0.8  # of the misfit as given; the misfit of another reading must be below
_LARGEST_MISFIT = 1.5  # greatest misfit of one pair of segments, in natural logarithms
_SAMPLED_BISEGMENTS = 4000  # bisegments of the sample, evenly over the text
_GREATEST_SHIFT = 3  # greatest shift of positions


class Reading(NamedTuple):
    """Another reading of the positions of an alignment."""

    # Whether positions of the source are in the target, and those of the target in the source.
    exchanged: bool = False
    # `src_step`, `tgt_step`: the number added to positions.
    src_step: int = 0
    tgt_step: int = 0

    @property
    def steps(self) -> str:
        """The steps in words, as `1 higher in the source and 2 lower in the target`."""
        steps = (("source", self.src_step), ("target", self.tgt_step))
        return " and ".join(
            f"{abs(step)} {'higher' if step > 0 else 'lower'} in the {side}"
            for side, step in steps
            if step
        )


def better_reading(src: Rows, tgt: Rows, src_lengths: Ints, tgt_lengths: Ints) -> Reading | None:
    """Return the reading of positions that fits the lengths clearly better than the given one.

    `src` and `tgt` have the segments of each bisegment, the lengths are those of all segments of
    the texts, in characters. Returns `None` where no other reading is better by three standard
    errors, which needs at least nine bisegments with other lengths in that reading.
    """
    both = np.flatnonzero((src.lengths > 0) & (tgt.lengths > 0))
    if len(both) < _CLEAR_ERRORS**2:
        return None
    both = both[:: -(-len(both) // _SAMPLED_BISEGMENTS)]
    src, tgt = take(src, both), take(tgt, both)
    lengths = (src_lengths, tgt_lengths)

    @cache
    def logs(side: int, step: int, *, exchanged: bool) -> Floats:
        return np.log1p(_summed((src, tgt)[side], lengths[side ^ exchanged], step))

    def misfits(reading: Reading) -> Floats:
        return _misfits(
            logs(0, reading.src_step, exchanged=reading.exchanged),
            logs(1, reading.tgt_step, exchanged=reading.exchanged),
        )

    as_given = misfits(Reading())
    best, most = None, _CLEAR_ERRORS
    for reading in _readings():
        other = misfits(reading)
        known = ~np.isnan(other)
        gain = (as_given - other)[known]
        error = float(np.sqrt((gain**2).sum()))
        if not error or 2 * known.sum() < len(known):
            continue
        clear = float(gain.sum()) / error
        # If all beads are 1-1, a step of the source is the opposite step of the target.
        if (
            clear > most + (_STEP_ERRORS if best else 0)
            and other[known].sum() < _LARGEST_MISFIT_SHARE * as_given[known].sum()
        ):
            best, most = reading, clear
    return best


def _readings() -> Iterator[Reading]:
    """Yield the readings to try, small steps first."""
    yield Reading(exchanged=True)
    steps = range(-_GREATEST_SHIFT, _GREATEST_SHIFT + 1)
    shifts = [Reading(False, i, j) for i in steps for j in steps if i or j]
    yield from sorted(shifts, key=lambda one: abs(one.src_step) + abs(one.tgt_step))


def _misfits(src: Floats, tgt: Floats) -> Floats:
    """Return the distance of each bisegment from the median ratio of lengths; NaN if unknown."""
    ratio = src - tgt
    known = ratio[~np.isnan(ratio)]
    usual = float(np.median(known)) if len(known) else 0.0
    return np.minimum(np.abs(ratio - usual), _LARGEST_MISFIT)


def _summed(rows: Rows, lengths: Ints, step: int) -> Floats:
    """Return the length of each row, shifted by `step`; NaN where a member is beyond the text."""
    places = rows.idx + step
    inside = (places >= 0) & (places < len(lengths))
    padded = np.append(lengths, 0)
    values = np.stack([padded[np.where(inside, places, -1)], ~inside]).astype(np.int64)
    ends = prefix(values)
    total, beyond = ends[:, rows.ptr[1:]] - ends[:, rows.ptr[:-1]]
    return np.where(beyond > 0, np.nan, total)
