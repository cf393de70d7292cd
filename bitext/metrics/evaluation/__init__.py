"""Options of an evaluation, and the averages, intervals and tests that follow from them."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from math import isinf, nan
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

import bitext
from bitext.errors import OptionError, did_you_mean, many, remedy
from bitext.kernels.arrays import put
from bitext.metrics.arcade import MEASURES
from bitext.metrics.jackknife import BURST, jackknife_interval, paired_t
from bitext.metrics.registry import confidence, number, whole
from bitext.metrics.significance import (
    BLOCKS_OF_ONE_TEXT,
    LEAST_EXCHANGED,
    bootstrap,
    check_bootstrap,
    few_units,
    figures,
    holm,
    paired_bootstrap,
    randomisation,
)
from bitext.metrics.units import CHARACTERS, WORDS, Counter, check_counter, counter_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import ArrayLike

    from bitext.kernels.arrays import Floats
    from bitext.metrics.significance import Figures, Interval

__all__ = [
    "ALSO",
    "BLOCKS_OF_ONE_TEXT",
    "INTERVALS",
    "TESTS",
    "AverageDifference",
    "Options",
    "Sampling",
    "SystemAverages",
    "baseline_place",
    "exactly",
    "mean_of_defined",
    "percent",
]

# Figures beside precision, recall and F1, with the index of their complement.
ALSO = {"silence": 1, "noise": 0}
TESTS = {
    "auto": "",  # t below eight texts, randomisation from eight on
    "randomisation": "approximate randomisation",
    "t": "paired t test",
    "bootstrap": "paired bootstrap",
}
"""The tests by name, as tables call them."""
INTERVALS = ("jackknife", "bootstrap")


def percent(share: float) -> str:
    """Format a share in percent, with all its digits.

    Examples
    --------
    >>> percent(0.95), percent(0.9999999), percent(0.00001)
    ('95%', '99.99999%', '0.001%')

    """
    return f"{(Decimal(repr(float(share))) * 100).normalize():f}%"


def exactly(value: float) -> str:
    """Format a number for a signature, exactly: different numbers have different strings."""
    return repr(float(value))


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampling:
    """The value of 0/0, and the options of intervals and tests.

    Attributes
    ----------
    zero_division : float
        The value of a ratio 0/0; `nan` leaves the ratio undefined, and out of a macro average.
    resamples : int
        The number of resamples of the bootstrap and the tests; 0 leaves both out.
    level : float
        The wanted share of intervals that contain the true figure.
    seed : int
        The seed of the random generator.
    interval : str
        `jackknife` or `bootstrap`: the percentiles of resamples, too narrow for few texts.
    test : str
        `randomisation`, `t` or `bootstrap`; `auto` is `t` below eight texts, which have too few
        exchanges for a randomisation, and `randomisation` otherwise.
    baseline : str or None
        The system that the others are tested against; by default the first.
    pairs : bool
        Whether to test every system against every other one.
    holm : bool
        Whether to correct p for the number of tests of a figure (Holm 1979).

    """

    zero_division: float = nan
    resamples: int = 10_000
    level: float = 0.95
    seed: int = 0
    interval: str = "jackknife"
    test: str = "auto"
    baseline: str | None = None
    pairs: bool = False
    holm: bool = False

    def __post_init__(self) -> None:
        if self.test not in TESTS:
            raise OptionError(f"test {self.test!r} is not known: want one of {', '.join(TESTS)}")
        if self.interval not in INTERVALS:
            known = ", ".join(INTERVALS)
            raise OptionError(f"interval {self.interval!r} is not known: want one of {known}")
        confidence(self.level)
        if isinstance(self.resamples, int) and self.resamples < 0:
            raise OptionError(f"{self.resamples} resamples: want 0 (none) or more")
        whole("resamples", self.resamples, "draws")
        if isinstance(self.seed, int) and self.seed < 0:
            raise OptionError(f"the seed is {self.seed}: want 0 or more")
        whole("seed", self.seed)
        # A float also where an integer is given: it fills arrays, and is in the signature.
        put(self, "zero_division", number("zero_division", self.zero_division))
        if isinf(self.zero_division):
            raise OptionError(f"0/0 is to count as {self.zero_division}: want a number")

    def test_of(self, units: int, what: str = "texts") -> str:
        """Return the name of the test of so many units, for which `auto` stands."""
        if self.test != "auto":
            return self.test
        few = units < LEAST_EXCHANGED and what != BLOCKS_OF_ONE_TEXT
        return "t" if few else "randomisation"

    def test_members(self, units: int, what: str = "texts") -> dict[str, str | None]:
        """Return the test and its correction as members of JSON."""
        return {"test": self.test_of(units, what), "correction": "holm" if self.holm else None}

    def compare(
        self,
        first: Floats,
        second: Floats,
        *,
        what: str = "texts",
        of: Figures = figures,
        macro: bool = False,
        sizes: Floats | None = None,
    ) -> tuple[float, ...]:
        """Return p of each figure of two systems on the same units, by the test.

        Parameters
        ----------
        first, second : array, shape (units, columns)
            Counts, as in `bitext.metrics.significance`.
        what : str
            The name of the units in messages.
        sizes : array, optional
            The number of gold bisegments or segments of each unit, as in `paired_t`.

        Raises
        ------
        InputError
            When there are too few units for the bootstrap test.

        """
        test = self.test_of(len(first), what)
        if test == "t":
            return paired_t(
                first,
                second,
                of=of,
                macro=macro,
                zero_division=self.zero_division,
                sizes=sizes,
                one_text=what == BLOCKS_OF_ONE_TEXT,
            )
        if test == "bootstrap":
            check_bootstrap(len(first), what)
        return (paired_bootstrap if test == "bootstrap" else randomisation)(
            first,
            second,
            of=of,
            macro=macro,
            zero_division=self.zero_division,
            resamples=self.resamples,
            seed=self.seed,
        )

    def few(self, units: int, what: str = "texts", *, tested: bool) -> list[str]:
        """Warn of the limits of intervals, and of tests if any, of few units.

        Raises
        ------
        InputError
            As `compare`, but before anything is tested.

        """
        test = self.test_of(units, what) if tested else None
        if test == "bootstrap":
            check_bootstrap(units, what)
        notes = few_units(units, what, interval=self.interval, test=test)
        if self.seed and not self.draws(units, what, tested=tested):
            way = remedy("interval bootstrap")
            notes.append(
                f"{remedy('seed')}: no effect, as nothing is drawn at random (but by {way})"
            )
        return notes

    def parts(self, units: int, what: str = "texts", *, tested: bool) -> list[str]:
        """Return the options of intervals, and of tests if any, for signatures."""
        parts = [f"interval:{self.interval}", f"level:{exactly(self.level)}"]
        if self.draws(units, what, tested=tested):
            parts += [f"resamples:{self.resamples}", f"seed:{self.seed}"]
        if tested:
            parts.append(f"test:{self.test_of(units, what)}")
            parts += [f"baseline:{self.baseline}"] if self.baseline is not None else []
            parts += ["pairs"] * self.pairs + ["holm"] * self.holm
        return parts

    def draws(self, units: int, what: str = "texts", *, tested: bool) -> bool:
        """Test the interval and the test for random draws."""
        return self.interval == "bootstrap" or (tested and self.test_of(units, what) != "t")

    def interval_words(self, resampled: str) -> str:
        """Return the interval in words, for captions; `resampled` is such as `12 texts`."""
        # Other texts may be harder: blocks of one text cannot show it.
        within = " within this text" if resampled.endswith(BLOCKS_OF_ONE_TEXT) else ""
        words = f"{percent(self.level)} intervals{within}: {self.interval} of {resampled}"
        if self.interval == "bootstrap":
            words += f", {many(self.resamples, 'resample')}, seed {self.seed}"
        return words

    def test_words(self, systems: Sequence[str], units: int, what: str = "texts") -> str:
        """Return the meaning of stars in words, for captions."""
        test = self.test_of(units, what)
        words = TESTS[test]
        if test != "t":
            words += f", {many(self.resamples, 'resample')}, seed {self.seed}"
        if self.holm:
            words += ", with Holm's correction"
        return f"* p < 0.05, ** p < 0.01 against {systems[self.baseline_of(systems)]} ({words})"

    def baseline_of(self, systems: Sequence[str]) -> int:
        """Return the place of the baseline among systems.

        Raises
        ------
        OptionError
            When no system, or more than one, has its name.

        """
        return 0 if self.baseline is None else baseline_place(self.baseline, systems)

    def tested_pairs(self, systems: Sequence[str]) -> list[tuple[int, int]]:
        """Return the pairs of systems to test, each the place of a baseline and of a system."""
        first = self.baseline_of(systems)
        order = [first, *(k for k in range(len(systems)) if k != first)]
        if not self.pairs:
            return [(first, k) for k in order[1:]]
        return [(a, b) for n, a in enumerate(order) for b in order[n + 1 :]]

    @property
    def undefined(self) -> str:
        """The value of 0/0, for signatures."""
        return f"undefined:{exactly(self.zero_division)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Options(Sampling):
    """The options of scores, beside those of `Sampling`; all that change a figure are signed."""

    # Which of `alignment`, `sentence`, `word`, `character`, `strict`, `lax`; `None`: all that the
    # texts allow.
    measures: tuple[str, ...] | None = None
    # `words`, `characters`: the counters, as in `arcade`.
    words: Counter = "space"
    characters: Counter = "codepoint"
    min_matched: float = 0.9  # as in `arcade`
    # Which figures beside precision, recall and F1: `silence` (1 - recall), `noise` (1 -
    # precision).
    also: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        Sampling.__post_init__(self)
        if self.measures is not None and len(set(self.measures)) != max(len(self.measures), 1):
            raise OptionError(f"the granularities are {self.measures}: want each once, one or more")
        wrong = next((m for m in self.measures or () if m not in MEASURES), None)
        if wrong is not None:
            raise OptionError(f"granularity {wrong!r} is not known: {', '.join(MEASURES)}")
        unknown = next((name for name in self.also if name not in ALSO), None)
        if unknown is not None or len(set(self.also)) != len(self.also):
            also = remedy("also", python="also")
            raise OptionError(
                f"{also} {','.join(map(str, self.also))}: want figures beside precision, recall "
                f"and F1, each once: {', '.join(ALSO)}"
            )
        check_counter(self.words, WORDS)
        check_counter(self.characters, CHARACTERS)
        share = remedy("min-matched", python="min_matched")
        if not 0 <= number(share, self.min_matched) <= 1:
            raise OptionError(f"{share} is {self.min_matched}: want a share from 0 to 1")

    def signature(self, *parts: str) -> str:
        """Return the choices that change a figure, and the version, as one string."""
        return "|".join(
            [
                *parts,
                f"words:{counter_name(self.words)}",
                f"characters:{counter_name(self.characters)}",
                f"min-matched:{exactly(self.min_matched)}",
                self.undefined,
                f"bitext:{bitext.__version__}",
            ]
        )


def baseline_place(name: str, systems: Sequence[str]) -> int:
    """Return the place of a system among systems.

    Raises
    ------
    OptionError
        When no system, or more than one, has the name.

    """
    places = [k for k, system in enumerate(systems) if system == name]
    if len(places) != 1:
        has = "several systems have" if places else "no system has"
        raise OptionError(
            f"{remedy(f'baseline {name}')}: {has} this name; {did_you_mean(name, systems)}the "
            f"systems are {', '.join(systems)}"
        )
    return places[0]


# Averages of systems over texts, with their intervals and tests.


class AverageDifference(NamedTuple):
    """The differences of the figures of a system from those of the baseline, and their p."""

    system: str
    baseline: str
    values: tuple[float, ...]
    p: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemAverages:
    """The averages of systems by one measure, with intervals and tests that resample counts.

    `score`, `compare` and the bisegment similarity differ in their counts and in the order of sums
    of printed figures; intervals and tests are the same for all three.
    """

    systems: Sequence[str]  # their names
    options: Sampling  # the options of intervals and tests
    # Returns the counts of a system, shape (units, columns): of texts, blocks or sentence pairs.
    units: Callable[[int], Floats]
    # Returns the averages of a system as they are printed. They are not recomputed from `units`:
    # sums in another order differ in the last digit.
    values: Callable[[int], Sequence[float]]
    of: Figures = figures  # the function from counts to figures
    # Whether the average is the mean of the figures of units; otherwise counts are pooled.
    macro: bool = False
    what: str = "texts"  # the name of the units in messages
    # Returns the number of gold bisegments or segments of each unit, as in `jackknife_interval`.
    sizes: Callable[[], Floats] | None = None
    burst: float = BURST  # the number of them that are right or wrong together, likewise
    # The least and the greatest value of each figure, as in `jackknife_interval`.
    bounds: ArrayLike = (0.0, 1.0)

    def intervals(self, system: int) -> tuple[Interval, ...]:
        """Return the interval of each figure of a system."""
        if self.options.interval == "bootstrap":
            return bootstrap(
                self.units(system),
                of=self.of,
                macro=self.macro,
                zero_division=self.options.zero_division,
                resamples=self.options.resamples,
                level=self.options.level,
                seed=self.options.seed,
            )
        return jackknife_interval(
            self.units(system),
            of=self.of,
            macro=self.macro,
            zero_division=self.options.zero_division,
            level=self.options.level,
            sizes=self.sizes() if self.sizes is not None else None,
            one_text=self.what == BLOCKS_OF_ONE_TEXT,
            burst=self.burst,
            bounds=self.bounds,
        )

    def differences(self) -> Iterator[AverageDifference]:
        """Test systems against the baseline, or in all pairs."""
        if len(self.systems) < 2:
            return
        sizes = self.sizes() if self.sizes is not None else None
        pairs = self.options.tested_pairs(self.systems)
        units = [self.units(k) for k in range(len(self.systems))]
        p = [
            self.options.compare(
                units[a], units[b], what=self.what, of=self.of, macro=self.macro, sizes=sizes
            )
            for a, b in pairs
        ]
        values = [self.values(k) for k in range(len(self.systems))]
        for (a, b), each in zip(pairs, holm(p) if self.options.holm else p, strict=True):
            gain = tuple(y - x for x, y in zip(values[a], values[b], strict=True))
            yield AverageDifference(self.systems[b], self.systems[a], gain, each)


def mean_of_defined(each: Floats) -> tuple[list[float], list[int]]:
    """Average the figures of texts, shape (texts, figures), without undefined ones.

    Returns
    -------
    means : list of float
        One a figure; `nan` if the figure is undefined in all texts.
    undefined : list of int
        The number of texts left out of each mean.

    """
    known = ~np.isnan(each)
    sums = np.where(known, each, 0.0).sum(axis=0).tolist()
    pairs = zip(sums, known.sum(axis=0).tolist(), strict=True)
    return [total / n if n else nan for total, n in pairs], (~known).sum(axis=0).tolist()
