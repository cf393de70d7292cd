"""Student's t distribution: tails and quantiles, also of fractional degrees of freedom.

The tail is a regularised incomplete beta function (Abramowitz and Stegun 1964, equation 26.5.27
with 26.7.1), computed by its continued fraction (equation 26.5.8, in the form of Lentz); the
quantile is found from the tail by bisection.
"""

from __future__ import annotations

from functools import lru_cache
from math import exp, isinf, isnan, lgamma, log, log1p, nan

from bitext.errors import InputError

__all__ = ["t_quantile", "two_sided_p"]

_STEPS = 500  # of the continued fraction; below 100 are enough up to 10,000 degrees of freedom
_EXACT = 1e-15  # relative change of the continued fraction at which it has converged
_TINY = 1e-300  # in place of 0 as a denominator
_MOST = 1e6  # degrees of freedom: with more, t is as with this many in six digits
_GREATEST = 1e300  # t, for less than one degree of freedom and a level close to 1
_HALVES = 60  # of the bisection: to the last digits of a float


def two_sided_p(t: float, df: float) -> float:
    """Return the probability of a value of at least |t|, in either direction.

    Parameters
    ----------
    t : float
        The statistic; infinity has probability 0, `nan` has `nan`.
    df : float
        Degrees of freedom, above 0.

    Raises
    ------
    InputError
        When there are no degrees of freedom.

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
    df = min(df, _MOST)
    return _incomplete_beta(df / 2, 0.5, df / (df + t * t), t * t / (df + t * t))


@lru_cache(maxsize=1024)  # the intervals of a report ask for a few, each of them hundreds of times
def t_quantile(level: float, df: float) -> float:
    """Return the t that leaves the share `level` between -t and t.

    Parameters
    ----------
    level : float
        From 0 to 1, such as .95.
    df : float
        Degrees of freedom, above 0.

    Raises
    ------
    InputError
        When there are no degrees of freedom, or `level` is no share.

    Examples
    --------
    >>> round(t_quantile(0.95, 5), 6)
    2.570582

    """
    if not 0 <= level < 1:
        raise InputError(f"the level is {level}: want a share from 0 to below 1")
    tail = 1 - level
    high = 1.0
    while two_sided_p(high, df) > tail and high < _GREATEST:
        high *= 2
    low = 0.0
    for _ in range(_HALVES):
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
    for m in range(1, _STEPS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for term in (even, odd):
            d = 1 / _nonzero(1 + term * d)
            c = _nonzero(1 + term / c)
            value *= c * d
        if abs(c * d - 1) < _EXACT:
            break
    return value


def _nonzero(x: float) -> float:
    return x if abs(x) > _TINY else _TINY
