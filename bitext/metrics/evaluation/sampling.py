"""Options of an evaluation, and the averages, intervals and tests that follow from them."""

from __future__ import annotations

from dataclasses import dataclass
from math import isinf, nan
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

import bitext
from bitext.errors import OptionError
from bitext.metrics.arcade import MEASURES
from bitext.metrics.registry import confidence, number, whole
from bitext.metrics.significance import (
    bootstrap,
    check_bootstrap,
    few_units,
    figures,
    paired_bootstrap,
    randomisation,
)
from bitext.metrics.units import CHARACTERS, WORDS, Counter, check_counter, counter_name
from bitext.option_names import remedy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from bitext.metrics.significance import Figures, Interval

__all__ = [
    "ALSO",
    "TESTS",
    "AverageDifference",
    "Options",
    "Sampling",
    "SystemAverages",
    "exactly",
    "mean_of_defined",
]

# Figures beside precision, recall and F1, with the index of their complement.
ALSO = {"silence": 1, "noise": 0}
TESTS = {"randomisation": randomisation, "bootstrap": paired_bootstrap}


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
        The share of resamples within an interval.
    seed : int
        The seed of the random generator.
    test : str
        `randomisation` or `bootstrap`.

    """

    zero_division: float = nan
    resamples: int = 10_000
    level: float = 0.95
    seed: int = 0
    test: str = "randomisation"

    def __post_init__(self) -> None:
        if self.test not in TESTS:
            raise OptionError(f"test {self.test!r} is not known: want one of {', '.join(TESTS)}")
        confidence(self.level)
        if isinstance(self.resamples, int) and self.resamples < 0:
            raise OptionError(f"{self.resamples} resamples: want 0 (none) or more")
        whole("resamples", self.resamples, "draws")
        if isinstance(self.seed, int) and self.seed < 0:
            raise OptionError(f"the seed is {self.seed}: want 0 or more")
        whole("seed", self.seed)
        if isinf(number("zero_division", self.zero_division)):
            raise OptionError(f"0/0 is to count as {self.zero_division}: want a number")

    def compare(
        self,
        first: NDArray[np.float64],
        second: NDArray[np.float64],
        *,
        what: str = "texts",
        of: Figures = figures,
        macro: bool = False,
    ) -> tuple[float, ...]:
        """Return p of each figure of two systems on the same units, by the test.

        Parameters
        ----------
        first, second : array, shape (units, columns)
            Counts, as of `bitext.metrics.significance`.
        what : str
            The name of the units in messages.

        Raises
        ------
        InputError
            When there are too few units for the bootstrap test.

        """
        if self.test == "bootstrap":
            check_bootstrap(len(first), what)
        return TESTS[self.test](
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
        if tested and self.test == "bootstrap":
            check_bootstrap(units, what)
        return few_units(units, what, test=self.test if tested else None)

    def parts(self, *, tested: bool) -> list[str]:
        """Return the options of intervals, and of tests if any, for signatures."""
        level = exactly(self.level)
        parts = [f"resamples:{self.resamples}", f"level:{level}", f"seed:{self.seed}"]
        return [*parts, f"test:{self.test}"] if tested else parts

    @property
    def undefined(self) -> str:
        """The value of 0/0, for signatures."""
        return f"undefined:{exactly(self.zero_division)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Options(Sampling):
    """The options of scores, beside those of `Sampling`; all that change a figure are signed.

    Attributes
    ----------
    measures : tuple of str or None
        Which of `alignment`, `sentence`, `word`, `character`, `strict`, `lax`; `None`: all that
        the texts allow.
    words, characters : str or callable
        The counters, as of `arcade`.
    min_matched : float
        As of `arcade`.
    also : tuple of str
        Which figures beside precision, recall and F1: `silence` (1 - recall), `noise` (1 -
        precision).

    """

    measures: tuple[str, ...] | None = None
    words: Counter = "space"
    characters: Counter = "codepoint"
    min_matched: float = 0.9
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


# Averages of systems over texts, with their intervals and tests.


class AverageDifference(NamedTuple):
    """The differences of the figures of a system from those of the first system, and their p."""

    system: str
    baseline: str
    values: tuple[float, ...]
    p: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemAverages:
    """The averages of systems by one measure, with intervals and tests that resample counts.

    `score`, `compare` and the bisegment similarity differ in their counts and in the order of sums
    of printed figures; intervals and tests are the same for all three.

    Attributes
    ----------
    systems : sequence of str
        Their names; the others are tested against the first.
    options : Sampling
        The number of resamples, the seed, the level and the test.
    units : callable
        Returns the counts of a system, shape (units, columns): of texts, blocks or sentence pairs.
    values : callable
        Returns the averages of a system as they are printed. They are not recomputed from `units`:
        sums in another order differ in the last digit.
    of : callable
        The function from counts to figures.
    macro : bool
        Whether the average is the mean of the figures of units; otherwise counts are pooled.
    what : str
        The name of the units in messages.

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
    """Average the figures of texts, shape (texts, figures), without undefined ones.

    Returns
    -------
    means : list of float
        One a figure; `nan` where the figure is undefined in all texts.
    undefined : list of int
        The number of texts left out of each mean.

    """
    known = ~np.isnan(each)
    sums = np.where(known, each, 0.0).sum(axis=0).tolist()
    pairs = zip(sums, known.sum(axis=0).tolist(), strict=True)
    return [total / n if n else nan for total, n in pairs], (~known).sum(axis=0).tolist()
