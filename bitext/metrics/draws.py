"""Sums over units that were drawn, for many resamples: what intervals and tests are made of.

A resample of n units is n draws, each of any unit alike. Few are drawn one by one, and how often
each unit was drawn is kept for the next measure. Many are had faster, and are as random: numbers of
draws that are Poisson and independent are, given their sum s, those of s draws. So each unit gets a
Poisson number of a mean a little below 1, and the draws that are lacking to n are made one by one;
the few resamples with more than n are left out, and made anew. Nothing is approximated.

A Poisson number is looked up by 16 random bits. Where these leave two or more numbers possible, at
some ten of 65,536 values, 53 more bits tell.
"""

from __future__ import annotations

from functools import lru_cache
from math import ceil, sqrt
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

__all__ = ["drawn_sums", "exchanged_sums"]

_CELLS = 1 << 22  # resamples times units that are drawn one by one, and held at a time
_LEAST = 1024  # units, below which they always are
_ROWS, _WIDTH = 128, 512  # resamples and units at a time, of more: what a cache holds
_SPREAD = 2.5  # standard deviations from the mean of all draws to n
_VALUES = 1 << 16  # of 16 bits
_UNSURE = 255  # in the place of a number


def drawn_sums(columns: NDArray[np.float64], *, resamples: int, seed: int) -> NDArray[np.float64]:
    """Return the sums of rows drawn with replacement, as many as there are.

    Parameters
    ----------
    columns : array, shape (units, columns)
        What is summed.
    resamples : int
        How often to draw.
    seed : int
        The same seed, and as many units and resamples, give the same draws.

    Returns
    -------
    array, shape (resamples, columns)

    """
    if _is_small(len(columns), resamples):
        draws = _one_by_one(len(columns), resamples, seed)
        return np.concatenate([weights @ columns for weights in draws])
    rng = np.random.default_rng(seed)
    distinct, which = _distinct(columns)
    counted = np.concatenate([distinct, np.ones((len(columns), 1))], axis=1)
    found: list[NDArray[np.float64]] = []
    made = 0
    while made < resamples:
        found.append(_at_once(counted, rng))
        made += len(found[-1])
    return np.concatenate(found)[:resamples, which]


def exchanged_sums(
    columns: NDArray[np.float64], *, resamples: int, seed: int
) -> NDArray[np.float64]:
    """Return the sums of rows of which each is taken or not, with one chance in two.

    Parameters and what is returned are as of `drawn_sums`.
    """
    rng = np.random.default_rng(seed)
    if _is_small(len(columns), resamples):
        step = max(1, _CELLS // len(columns))
        found = [
            rng.integers(2, size=(min(step, resamples - begin), len(columns))).astype(float)
            @ columns
            for begin in range(0, resamples, step)
        ]
        return np.concatenate(found)
    columns, which = _distinct(columns[columns.any(axis=1)])  # other rows change no sum
    out = np.zeros((resamples, columns.shape[1]))
    for begin in range(0, resamples, _ROWS):
        rows = out[begin : begin + _ROWS]
        for part in _parts(columns):
            size = len(rows) * len(part)
            bits = np.unpackbits(_bits(rng, size).view(np.uint8), count=size)
            rows += bits.reshape(len(rows), len(part)).astype(float) @ part
    return out[:, which]


def _is_small(units: int, resamples: int) -> bool:
    return units < _LEAST or units * resamples <= _CELLS


def _one_by_one(units: int, resamples: int, seed: int) -> Iterator[NDArray[np.float64]]:
    """Yield how often each unit is drawn, some resamples at a time.

    The draws depend on nothing else, so those of a usual corpus are kept for the next measure.
    """
    if units * resamples > _CELLS:
        return _drawn(units, resamples, seed)
    return iter(_kept(units, resamples, seed))


@lru_cache(maxsize=2)
def _kept(units: int, resamples: int, seed: int) -> tuple[NDArray[np.float64], ...]:
    return tuple(_drawn(units, resamples, seed))


def _drawn(units: int, resamples: int, seed: int) -> Iterator[NDArray[np.float64]]:
    rng = np.random.default_rng(seed)
    step = max(1, _CELLS // units)
    for begin in range(0, resamples, step):
        rows = min(step, resamples - begin)
        drawn = rng.integers(units, size=(rows, units)) + np.arange(rows)[:, None] * units
        yield np.bincount(drawn.ravel(), minlength=rows * units).reshape(rows, units).astype(float)


def _distinct(
    columns: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return the columns, equal ones once, and which of them each one is."""
    first: dict[bytes, int] = {}
    same = [first.setdefault(column.tobytes(), k) for k, column in enumerate(columns.T)]
    kept, which = np.unique(np.array(same, dtype=np.int64), return_inverse=True)
    return columns[:, kept], which


def _parts(columns: NDArray[np.float64]) -> Iterator[NDArray[np.float64]]:
    for begin in range(0, len(columns), _WIDTH):
        yield columns[begin : begin + _WIDTH]


def _bits(rng: np.random.Generator, bits: int) -> NDArray[np.uint64]:
    """Return at least so many random bits, in the same order on every machine."""
    return rng.bit_generator.random_raw(ceil(bits / 64)).astype("<u8", copy=False)


class _Poisson(NamedTuple):
    """How Poisson numbers are looked up.

    Attributes
    ----------
    below : array of float64
        The chance of a number up to 0, 1, 2 ...
    table : array of uint8
        The number of each value of 16 bits, or `_UNSURE`.

    """

    below: NDArray[np.float64]
    table: NDArray[np.uint8]

    @classmethod
    def of(cls, mean: float) -> _Poisson:
        """Return the table of a mean of at most 1."""
        chances = np.exp(-mean) * np.cumprod(np.concatenate([[1.0], mean / np.arange(1.0, 40.0)]))
        below = np.cumsum(chances)
        value = np.arange(_VALUES)
        least = np.searchsorted(below, value / _VALUES, side="right")
        most = np.searchsorted(below, (value + 1) / _VALUES, side="left")
        return cls(below, np.where(least == most, least, _UNSURE).astype(np.uint8))

    def numbers(self, rng: np.random.Generator, count: int) -> NDArray[np.uint8]:
        """Return so many numbers."""
        values = _bits(rng, 16 * count).view("<u2")[:count]
        found = self.table.take(values, mode="wrap")  # all are in it, and need no check
        unsure = np.flatnonzero(found == _UNSURE)
        if unsure.size:
            exact = (values[unsure] + rng.random(unsure.size)) / _VALUES
            found[unsure] = np.searchsorted(self.below, exact, side="right")
        return found


def _at_once(counted: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.float64]:
    """Return the sums of some resamples: of those with no more draws than there are units.

    The last column is all ones, whose sum is the number of draws; it is left out of what is given.
    """
    units = len(counted)
    poisson = _Poisson.of(1 - _SPREAD / sqrt(units))
    sums = np.zeros((_ROWS, counted.shape[1]))
    for part in _parts(counted):
        drawn = poisson.numbers(rng, _ROWS * len(part)).reshape(_ROWS, len(part))
        sums += drawn.astype(float) @ part
    sums = sums[sums[:, -1] <= units, :]
    lacking = units - sums[:, -1].astype(np.int64)
    more = counted[rng.integers(units, size=int(lacking.sum()))]
    some = np.flatnonzero(lacking)
    if some.size:
        sums[some] += np.add.reduceat(more, (np.cumsum(lacking) - lacking)[some], axis=0)
    return sums[:, :-1]
