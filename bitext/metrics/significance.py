"""Confidence intervals and significance tests of figures, from counts alone.

Every function takes the counts of units (texts, or blocks of one text), as `metric.many` returns
them or as an array of shape (units, columns). The kind of counts decides the function `of` from
counts to figures: `figures` computes precision, recall and F1 from the columns hits, proposed,
expected, found; `quotients` one figure from the columns numerator, denominator. Resamples are drawn
with a seed, in arrays.

- *Bootstrap interval*: units are drawn with replacement, the figure is computed from each draw, and
  the interval lies between its percentiles (Efron and Tibshirani 1993).
- *Approximate randomisation*: under the hypothesis that two systems are equal, their counts on
  a unit may be exchanged; p is the share of exchanges with a difference at least as large
  (Noreen 1989; Riezler and Maxwell 2005), with one added to numerator and denominator.
- *Paired bootstrap*: units are drawn with replacement for both systems alike; p is the share
  of draws in which the difference, centred on zero, is at least as large as the observed one
  (Efron and Tibshirani 1993; the two-sided form of Koehn 2004).

Resamples in which a figure is undefined (0/0) are left out of its interval and of its p.

Few units are a limit of all three. Percentile intervals are too narrow, the paired bootstrap needs
Student's t distribution to keep its level, and the p of a randomisation of n units cannot fall
below 2 / 2^n: there are 2^n exchanges (`few_units`, `check_bootstrap`). `bitext.metrics.jackknife`
has an interval and a test for few units.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from math import ceil, sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bitext.errors import InputError, OptionError, check_list, check_order, check_truths, remedy
from bitext.kernels.arrays import Floats, Ints
from bitext.kernels.distributions import two_sided_p
from bitext.metrics.arcade import Comparison
from bitext.metrics.registry import confidence, number, whole
from bitext.model import Counts, Ratio, Ratios
from bitext.model.counts import CountsTable, f1_fractions

if TYPE_CHECKING:
    Scores = ArrayLike | Sequence[Counts] | Sequence[Ratio]

# Sums over drawn units for many resamples, which intervals and tests are made of.
#
# A resample of n units is n draws, each unit with the same probability. In small corpora units are
# drawn one by one, and the numbers of draws are stored for the next measure. Large corpora have a
# faster way that is as random: independent Poisson numbers, given their sum s, have the
# distribution of the numbers of s draws. So each unit gets a Poisson number with a mean a little
# below 1, and the draws missing to n are made one by one; the few resamples with more than n draws
# are made again. Nothing is approximated.
#
# A Poisson number is looked up by 16 random bits. If these leave two or more numbers possible,
# at some ten of 65,536 values, 53 more bits decide.

# Set by hand; the sizes keep arrays within some megabytes, and blocks within the cache.
_CELLS_AT_ONCE = 1 << 22  # resamples times units, up to which units are drawn one by one
SMALL_CORPUS = 1024  # units, below which they are always drawn one by one
_ROWS, _WIDTH = 128, 512  # resamples and units of a block of Poisson numbers
_SPREAD_DEVIATIONS = 2.5  # standard deviations between the mean number of draws and n
_VALUE_COUNT = 1 << 16  # values of 16 bits
UNSURE = 255  # entry of the table where 16 bits do not decide the number


def drawn_sums(columns: Floats, *, resamples: int, seed: int) -> Floats:
    """Return the sums of rows drawn with replacement, as many rows as there are units.

    `columns`, of shape (units, columns), are the values to sum; the sums have the shape
    (resamples, columns). The same seed and the same numbers of units and resamples give the same
    draws.
    """
    if _is_small(len(columns), resamples):
        draws = _one_by_one(len(columns), resamples, seed)
        return np.concatenate([weights @ columns for weights in draws])
    rng = np.random.default_rng(seed)
    distinct, column_index = _distinct(columns)
    counted = np.concatenate([distinct, np.ones((len(columns), 1))], axis=1)
    parts: list[Floats] = []
    drawn_count = 0
    while drawn_count < resamples:
        parts.append(_at_once(counted, rng))
        drawn_count += len(parts[-1])
    return np.concatenate(parts)[:resamples, column_index]


def exchanged_sums(columns: Floats, *, resamples: int, seed: int) -> Floats:
    """Return the sums of random subsets of the rows, each row taken with probability 1/2.

    Parameters and returns are as in `drawn_sums`.
    """
    rng = np.random.default_rng(seed)
    if _is_small(len(columns), resamples):
        step = max(1, _CELLS_AT_ONCE // len(columns))
        parts = [
            rng.integers(2, size=(min(step, resamples - begin), len(columns))).astype(float)
            @ columns
            for begin in range(0, resamples, step)
        ]
        return np.concatenate(parts)
    columns, column_index = _distinct(columns[columns.any(axis=1)])  # other rows change no sum
    out = np.zeros((resamples, columns.shape[1]))
    for begin in range(0, resamples, _ROWS):
        rows = out[begin : begin + _ROWS]
        for part in _parts(columns):
            size = len(rows) * len(part)
            bits = np.unpackbits(_bits(rng, size).view(np.uint8), count=size)
            rows += bits.reshape(len(rows), len(part)).astype(float) @ part
    return out[:, column_index]


def _is_small(units: int, resamples: int) -> bool:
    return units < SMALL_CORPUS or units * resamples <= _CELLS_AT_ONCE


def _one_by_one(units: int, resamples: int, seed: int) -> Iterator[Floats]:
    """Yield the number of draws of each unit, some resamples at a time.

    The draws depend on the parameters alone, so those of a small corpus are cached for the next
    measure.
    """
    if units * resamples > _CELLS_AT_ONCE:
        return _drawn(units, resamples, seed)
    return iter(_cached(units, resamples, seed))


@lru_cache(maxsize=2)
def _cached(units: int, resamples: int, seed: int) -> tuple[Floats, ...]:
    return tuple(_drawn(units, resamples, seed))


def _drawn(units: int, resamples: int, seed: int) -> Iterator[Floats]:
    rng = np.random.default_rng(seed)
    step = max(1, _CELLS_AT_ONCE // units)
    for begin in range(0, resamples, step):
        rows = min(step, resamples - begin)
        drawn = rng.integers(units, size=(rows, units)) + np.arange(rows)[:, None] * units
        yield np.bincount(drawn.ravel(), minlength=rows * units).reshape(rows, units).astype(float)


def _distinct(columns: Floats) -> tuple[Floats, Ints]:
    """Return the distinct columns, and the index of each column among them."""
    first: dict[bytes, int] = {}
    same = [first.setdefault(column.tobytes(), k) for k, column in enumerate(columns.T)]
    distinct, column_index = np.unique(np.array(same, dtype=np.int64), return_inverse=True)
    return columns[:, distinct], column_index


def _parts(columns: Floats) -> Iterator[Floats]:
    for begin in range(0, len(columns), _WIDTH):
        yield columns[begin : begin + _WIDTH]


def _bits(rng: np.random.Generator, bits: int) -> NDArray[np.uint64]:
    """Return at least `bits` random bits, in the same order on every machine."""
    return rng.bit_generator.random_raw(ceil(bits / 64)).astype("<u8", copy=False)


class Poisson(NamedTuple):
    """A table that turns random bits into Poisson numbers."""

    below: Floats  # the probability of a number up to 0, 1, 2
    table: NDArray[np.uint8]  # the number for each value of 16 bits, or `UNSURE`

    @classmethod
    def of(cls, mean: float) -> Poisson:
        """Return the table for a mean of at most 1."""
        chances = np.exp(-mean) * np.cumprod(np.concatenate([[1.0], mean / np.arange(1.0, 40.0)]))
        below = np.cumsum(chances)
        value = np.arange(_VALUE_COUNT)
        least = np.searchsorted(below, value / _VALUE_COUNT, side="right")
        most = np.searchsorted(below, (value + 1) / _VALUE_COUNT, side="left")
        return cls(below, np.where(least == most, least, UNSURE).astype(np.uint8))

    def numbers(self, rng: np.random.Generator, count: int) -> NDArray[np.uint8]:
        """Draw `count` numbers."""
        values = _bits(rng, 16 * count).view("<u2")[:count]
        numbers = self.table.take(values, mode="wrap")  # all values are in range, and need no check
        unsure = np.flatnonzero(numbers == UNSURE)
        if unsure.size:
            exact = (values[unsure] + rng.random(unsure.size)) / _VALUE_COUNT
            numbers[unsure] = np.searchsorted(self.below, exact, side="right")
        return numbers


def _at_once(counted: Floats, rng: np.random.Generator) -> Floats:
    """Return the sums of some resamples, without those with more draws than units.

    The last column of `counted` is all ones, so its sum is the number of draws; it is not returned.
    """
    units = len(counted)
    poisson = Poisson.of(1 - _SPREAD_DEVIATIONS / sqrt(units))
    sums = np.zeros((_ROWS, counted.shape[1]))
    for part in _parts(counted):
        drawn = poisson.numbers(rng, _ROWS * len(part)).reshape(_ROWS, len(part))
        sums += drawn.astype(float) @ part
    sums = sums[sums[:, -1] <= units, :]
    missing_draws = units - sums[:, -1].astype(np.int64)
    more = counted[rng.integers(units, size=int(missing_draws.sum()))]
    incomplete = np.flatnonzero(missing_draws)
    if incomplete.size:
        sums[incomplete] += np.add.reduceat(
            more, (np.cumsum(missing_draws) - missing_draws)[incomplete], axis=0
        )
    return sums[:, :-1]


FIGURES = ("precision", "recall", "f1")
BLOCKS_OF_ONE_TEXT = "blocks of one text"
"""The name of the units where a single text is cut into blocks."""
LEAST_BOOTSTRAPPED = 20  # units: below, few are sure to be as varied as the texts they stand for
LEAST_EXCHANGED = 8  # units: with fewer, p of a randomisation cannot fall below .01
# Share of 95% percentile intervals that had the true pooled F1 inside, by the number of whole
# texts; measured on 1,500 synthetic corpora each.
_COVERAGE = {2: 0.52, 3: 0.74, 5: 0.82, 10: 0.90, 20: 0.93}
_STAR, _SURE = 0.05, 0.01  # values of p that tables mark
_TIE = 1e-12  # differences closer than rounding are equal


class Interval(NamedTuple):
    """An interval of a figure: both ends `nan` where the figure is undefined in most resamples."""

    low: float
    high: float


class Figures(Protocol):
    """A function from counts, shape (..., columns), to figures, shape (..., figures)."""

    def __call__(self, counts: Floats, zero_division: float) -> Floats:
        """Return the figures, with `zero_division` for 0/0."""
        ...


def quotients(counts: Floats, zero_division: float = np.nan) -> Floats:
    """Return the ratio of numerators and denominators, shape (..., 2) to (..., 1)."""
    columns = _columns(counts, 2, "numerator, denominator")
    with np.errstate(invalid="ignore", divide="ignore"):
        ratio = columns[..., :1] / columns[..., 1:]
    return np.where(columns[..., 1:] == 0, zero_division, ratio)


def _columns(counts: Floats, columns: int, names: str) -> Floats:
    count_array = np.asarray(counts, dtype=np.float64)
    if count_array.shape[-1] != columns:
        raise InputError(f"counts have the shape (units, {columns}): {names}")
    return count_array


def figures(counts: Floats, zero_division: float = np.nan) -> Floats:
    """Return precision, recall and F1 of counts, shape (..., 4) to (..., 3)."""
    count_columns = _columns(counts, 4, "hits, proposed, expected, found")
    hits, proposed, expected, found = np.moveaxis(count_columns, -1, 0)
    f1_above, f1_below = f1_fractions(hits, proposed, expected, found)
    with np.errstate(invalid="ignore", divide="ignore"):
        shares = hits / proposed, found / expected, f1_above / f1_below
    out = np.stack(shares, axis=-1)
    return np.where(np.isnan(out), zero_division, out)


class Average(NamedTuple):
    """The average of the figures of units, computed from sums of columns."""

    # The summands: counts; for a mean over units, the figures of units and the mask of defined
    # ones. Shape (units, columns).
    columns: Floats
    of: Figures | None  # the function from sums of counts to figures; none for a mean over units
    zero_division: float  # the value of 0/0

    @classmethod
    def over(cls, counts: Floats, *, of: Figures, macro: bool, zero_division: float) -> Average:
        """Return the average of the units of `counts`, pooled or macro."""
        check_truths(macro=macro)
        zero_division = number("zero_division", zero_division)
        if not macro:
            return cls(counts, of, zero_division)
        each = of(counts, zero_division)
        known = ~np.isnan(each)
        return cls(np.concatenate([np.where(known, each, 0.0), known], axis=1), None, zero_division)

    def figures(self, sums: Floats) -> Floats:
        """Return the figures of sums, shape (..., columns)."""
        if self.of is not None:
            return self.of(sums, self.zero_division)
        middle = sums.shape[-1] // 2
        with np.errstate(invalid="ignore"):
            return np.asarray(sums[..., :middle] / sums[..., middle:])

    @property
    def known(self) -> Floats:
        """Return 1 for each figure of a unit that is defined, and 0; `nan` of pooled counts."""
        if self.of is not None:
            return np.full((len(self.columns), 1), np.nan)
        return self.columns[:, self.columns.shape[1] // 2 :]

    @property
    def whole(self) -> Floats:
        """The figures of all units."""
        return self.figures(self.columns.sum(axis=0))


def checked_counts(*systems: Scores, of: Figures | None) -> tuple[list[Floats], Figures]:
    """Return the counts of systems as arrays, and the function from counts to figures."""
    check_order(systems[0], systems[-1])
    if of is not None and not callable(of):
        raise OptionError(f"of is {of!r:.40}: want a function from counts to figures")
    out, kind = [], of
    for scores in systems:
        counts, own = _array(scores)
        out.append(counts)
        kind = kind or own
    if any(counts.ndim != 2 for counts in out):
        figures_alone = out[0].ndim == 1 and out[0].size
        raise InputError(
            "counts have the shape (units, 4): hits, proposed, expected, found; or (units, 2): "
            "numerator, denominator"
            + "; of figures alone, give each with the denominator 1"
            * bool(figures_alone)
        )
    if len({len(counts) for counts in out}) > 1:
        sizes = " and ".join(str(len(counts)) for counts in out)
        raise InputError(f"the systems were scored on {sizes} units: want the same ones")
    if len({counts.shape for counts in out}) > 1:
        sizes = " and ".join(str(counts.shape[1]) for counts in out)
        raise InputError(f"the systems have {sizes} counts a unit: want scores of the same metric")
    if len(out[0]) < 2:
        raise InputError(f"{len(out[0])} unit: want two or more to resample")
    return out, kind or (quotients if out[0].shape[1] == 2 else figures)


def _array(scores: Scores) -> tuple[Floats, Figures | None]:
    """Convert the scores of many texts to an array; return the function to figures, too."""
    if isinstance(scores, np.ndarray):
        return scores.astype(np.float64, copy=False), None
    if isinstance(scores, CountsTable):
        return scores.counts.astype(np.float64), figures
    if isinstance(scores, Ratios):
        columns = np.stack([scores.numerators, scores.denominators], axis=1)
        return columns.astype(np.float64), _ratios_of(scores.empty)
    if not isinstance(scores, Iterable):
        raise InputError(
            f"the scores are {scores!r:.60}: want those of many texts, as metric.many gives"
        )
    check_list("the scores", scores, "a list with the score of each text")
    rows: list[Any] = list(scores)
    if rows and all(isinstance(each, Counts) for each in rows):
        return np.array([each.row for each in rows], dtype=np.float64), figures
    if rows and all(isinstance(each, Ratio) for each in rows):
        pairs = [(each.numerator, each.denominator) for each in rows]
        return np.array(pairs, dtype=np.float64), _ratios_of(rows[0].empty)
    try:
        return np.array(rows, dtype=np.float64), None
    except (TypeError, ValueError):
        kind = type(rows[0]).__name__
        raise InputError(
            f"the scores are {kind} objects, whose counts do not add up to figures here: want what "
            f"metric.many gives of segmentations, a list of Counts or Ratio (of one measure), or "
            f"an array; of agreement see agreement_interval"
        ) from None


def _ratios_of(empty: float) -> Figures:
    """Return a function from sums to ratios, with `empty` for 0/0 unless set otherwise."""

    def of(counts: Floats, zero_division: float) -> Floats:
        return quotients(counts, empty if np.isnan(zero_division) else zero_division)

    return of


def _draws(resamples: int, seed: int) -> tuple[int, int]:
    return whole("resamples", resamples, "draws", least=1), whole("seed", seed)


def bootstrap(
    counts: Scores,
    *,
    of: Figures | None = None,
    macro: bool = False,
    zero_division: float = np.nan,
    resamples: int = 10_000,
    level: float = 0.95,
    seed: int = 0,
) -> tuple[Interval, ...]:
    """Return the bootstrap percentile interval of each figure.

    Parameters
    ----------
    counts : array, shape (units, columns), or sequence of Counts or of Ratio
        The counts of each unit, as `metric.many` returns them: hits, proposed, expected and found,
        for precision, recall and F1; or numerator and denominator, for one figure.
    of : callable, optional
        The function from counts to figures, for other counts.
    macro : bool
        Whether to average the figures of the units, instead of pooling their counts.
    zero_division : float
        The value of a ratio 0/0; `nan` leaves the ratio out.
    resamples : int
        The number of resamples.
    level : float
        The share of resamples between the two ends.
    seed : int
        The same seed gives the same interval.

    Raises
    ------
    InputError
        For fewer than two units.
    OptionError
        When an option has a value that is not allowed.

    """
    (unit_counts,), of = checked_counts(counts, of=of)
    resamples, seed = _draws(resamples, seed)
    level = confidence(level)
    average = Average.over(unit_counts, of=of, macro=macro, zero_division=zero_division)
    values = average.figures(drawn_sums(average.columns, resamples=resamples, seed=seed))
    tail = 100 * (1 - level) / 2
    ends = []
    for column in values.T:
        known = column[~np.isnan(column)]
        if known.size * 2 < column.size:
            ends.append(Interval(np.nan, np.nan))
        else:
            low, high = np.percentile(known, [tail, 100 - tail])
            ends.append(Interval(float(low), float(high)))
    return tuple(ends)


def _share(differences: Floats, least: Floats) -> tuple[float, ...]:
    """Return the share of differences at least as large, with one added to both counts."""
    large = (np.abs(differences) >= np.abs(least) - _TIE).sum(axis=0)
    defined = (~np.isnan(differences)).sum(axis=0)
    p = np.where(np.isnan(least), np.nan, (large + 1) / (defined + 1))
    return tuple(p.tolist())


def averages_of_both(
    first: Scores, second: Scores, *, of: Figures | None, macro: bool, zero_division: float
) -> tuple[Average, Average]:
    """Return the averages of two systems; unit k of both is the same text."""
    systems, of = checked_counts(first, second, of=of)
    a, b = (
        Average.over(counts, of=of, macro=macro, zero_division=zero_division) for counts in systems
    )
    return a, b


def randomisation(
    first: Scores,
    second: Scores,
    *,
    of: Figures | None = None,
    macro: bool = False,
    zero_division: float = np.nan,
    resamples: int = 10_000,
    seed: int = 0,
) -> tuple[float, ...]:
    """Return p of each figure by paired approximate randomisation, two-sided.

    Parameters and errors are as in `bootstrap`; unit k of both systems is the same text.
    """
    resamples, seed = _draws(resamples, seed)
    a, b = averages_of_both(first, second, of=of, macro=macro, zero_division=zero_division)
    # Exchange the numbers of defined figures together with the figures.
    moved = exchanged_sums(a.columns - b.columns, resamples=resamples, seed=seed)
    left, right = b.columns.sum(axis=0) + moved, a.columns.sum(axis=0) - moved
    return _share(b.figures(right) - a.figures(left), b.whole - a.whole)


def paired_bootstrap(
    first: Scores,
    second: Scores,
    *,
    of: Figures | None = None,
    macro: bool = False,
    zero_division: float = np.nan,
    resamples: int = 10_000,
    seed: int = 0,
) -> tuple[float, ...]:
    """Return p of each figure by the paired bootstrap, two-sided.

    With fewer than 20 units the test rejects too often, and evaluations refuse it
    (`check_bootstrap`); `randomisation` keeps its level.

    Parameters and errors are as in `bootstrap`; unit k of both systems is the same text.
    """
    resamples, seed = _draws(resamples, seed)
    a, b = averages_of_both(first, second, of=of, macro=macro, zero_division=zero_division)
    both = np.concatenate([a.columns, b.columns], axis=1)
    sums = drawn_sums(both, resamples=resamples, seed=seed)
    before, after = np.split(sums, 2, axis=1)
    observed = b.whole - a.whole
    p = _share(b.figures(after) - a.figures(before) - observed, observed)
    return tuple(_expanded(each, len(a.columns)) for each in p)


def _expanded(p: float, units: int) -> float:
    """Return p as Student's t distribution has it where a bootstrap gives that of a normal one.

    Draws of n units vary by (n - 1) / n of the variance of the units, and know nothing of the
    uncertainty of this variance (Hesterberg 2015, section 3.3: the expanded percentile interval).
    """
    if not 0 < p < 1:
        return p
    z = NormalDist().inv_cdf(1 - p / 2)
    return two_sided_p(z * sqrt((units - 1) / units), units - 1)


def few_units(
    units: int, what: str = "texts", *, interval: str = "jackknife", test: str | None = None
) -> list[str]:
    """Warn of the limits of intervals and tests that resample few units.

    `what` is the kind of units: whole texts, or other units, whose coverage was not measured.
    `interval` is `jackknife` or `bootstrap`; `test` is `randomisation`, `t` or `bootstrap`, where
    systems are tested.

    Examples
    --------
    >>> few_units(5, test="randomisation")[0]
    'p cannot fall below 0.0625 with 5 texts (randomisation): no difference gets a star'

    """
    notes = []
    if interval == "bootstrap" and what in {"texts", "chapters"} and units < max(_COVERAGE):
        share = np.interp(units, [*_COVERAGE], [*_COVERAGE.values()])
        notes.append(
            f"bootstrap intervals of {units} {what} are too narrow: in made corpora of as many, "
            f"those of 95% held the true figure in {share:.0%} of cases"
        )
    least = 2.0 ** (1 - units)
    if test == "randomisation" and least > _SURE:
        stars = "" if least <= _STAR else ": no difference gets a star"
        notes.append(f"p cannot fall below {least:.4g} with {units} {what} (randomisation){stars}")
    return notes


def holm(p: Sequence[Sequence[float]]) -> list[tuple[float, ...]]:
    """Correct the p of several tests of each figure by Holm's step-down method.

    Parameters
    ----------
    p : sequence of sequence of float
        One sequence a test, one p a figure; the tests of one figure are a family. An undefined p
        stays undefined, and is no test.

    Returns
    -------
    list of tuple of float
        The corrected p, which may be compared with the wanted level as they are.

    Notes
    -----
    **Source**: S. Holm, A simple sequentially rejective multiple test procedure, Scandinavian
    Journal of Statistics 6(2), 1979.

    Examples
    --------
    >>> holm([[0.01], [0.04], [0.03]])
    [(0.03,), (0.06,), (0.06,)]

    """
    p_of_tests = np.array(p, dtype=np.float64).reshape(len(p), -1)
    out = np.full(p_of_tests.shape, np.nan)
    for k, column in enumerate(p_of_tests.T):
        known = np.flatnonzero(~np.isnan(column))
        order = known[np.argsort(column[known], kind="stable")]
        grown = column[order] * np.arange(len(order), 0, -1)
        out[order, k] = np.minimum(np.maximum.accumulate(grown), 1.0)
    return [tuple(row) for row in out.tolist()]


def check_bootstrap(units: int, what: str = "texts") -> None:
    """Refuse the paired bootstrap of few units.

    Raises `InputError` when there are fewer than 20 units; the message names the remedy.
    """
    if units < LEAST_BOOTSTRAPPED:
        raise InputError(
            f"a bootstrap test of {units} {what} is of too few: give {LEAST_BOOTSTRAPPED} or more, "
            f"or leave {remedy('test')} out"
        )


def blocks(comparison: Comparison, measure: str, count: int) -> Floats:
    """Return the counts of one text by contiguous blocks of its gold bisegments: (blocks, 4).

    The gold bisegments stand in the order of the source text and are cut into `count` blocks of
    nearly equal number; every counted item belongs to the block of its source segment, so that the
    blocks add up to the text.
    """
    gold, hyp = comparison.anchors()
    cuts = block_cuts(gold, count)
    place = {
        "src": np.searchsorted(cuts, np.arange(comparison.ground.src.size), side="right"),
        "gold": np.searchsorted(cuts, gold, side="right"),
        "hyp": np.searchsorted(cuts, hyp, side="right"),
    }
    columns = [
        np.bincount(place[axis], weights=values, minlength=count)
        for axis, values in comparison.tally(measure)
    ]
    return np.stack(columns, axis=1)


def block_cuts(anchors: Ints, count: int) -> Ints:
    """Return the starts of all blocks but the first, with about equal numbers of `anchors`."""
    ordered = np.sort(anchors)
    return np.unique(ordered[np.arange(1, count) * ordered.size // count])
