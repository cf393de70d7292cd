"""Options of an evaluation, and the averages, intervals and tests that follow from them.

The errors of an alignment are counted by bead type, and listed place by place.
"""

from __future__ import annotations

import collections
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from decimal import Decimal
from functools import partial
from math import isinf, isnan, nan
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

import bitext
from bitext.errors import OptionError, check_one_of, did_you_mean, many, remedy
from bitext.kernels.arrays import (
    Floats,
    Ints,
    Rows,
    components,
    concatenate,
    distinct,
    identify,
    kinds,
    prefix,
    put,
    row_of,
    side_by_side,
    take,
    transposed,
)
from bitext.kernels.overlap import Beads
from bitext.metrics.arcade import MEASURES, WEIGHTS, Comparison
from bitext.metrics.jackknife import BURST, jackknife_interval, paired_t
from bitext.metrics.registry import confidence, number, whole
from bitext.metrics.significance import (
    BLOCKS_OF_ONE_TEXT,
    LEAST_EXCHANGED,
    Figures,
    Interval,
    bootstrap,
    check_bootstrap,
    few_units,
    figures,
    holm,
    paired_bootstrap,
    randomisation,
)
from bitext.metrics.units import CHARACTERS, WORDS, Counter, check_counter, counter_name

__all__ = [
    "ALSO",
    "BLOCKS_OF_ONE_TEXT",
    "INTERVALS",
    "TESTS",
    "AverageDifference",
    "Options",
    "Sampling",
    "SystemAverages",
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
        check_one_of("test", self.test, TESTS)
        if self.interval not in INTERVALS:
            known = ", ".join(INTERVALS)
            none = f"for none: {remedy('resamples 0', python='resamples=0')}"
            raise OptionError(
                f"interval {self.interval!r} is not known: want one of {known}; {none}"
            )
        confidence(self.level)
        if not isinstance(self.baseline, str | None):
            option = remedy("baseline", python=f"baseline={self.baseline!r:.40}")
            raise OptionError(f"{option}: want the name of a system")
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

    def given(self) -> dict[str, object]:
        """Return the options of intervals and tests, by their names, that are not the default."""
        usual = {each.name: each.default for each in fields(Sampling)}
        names = ("seed", "level", "interval", "test", "baseline", "pairs", "holm")
        return {
            "confidence" if name == "level" else name: getattr(self, name)
            for name in names
            if getattr(self, name) != usual[name]
        }

    def without_units(self, what: str) -> list[str]:
        """Note the given options of intervals and tests, where there is nothing to resample."""
        names = self.given() if self.resamples else {}
        why = f"no effect, as there are too few {what} to resample"
        return [f"{remedy(*names)}: {why}"] if names else []

    def test_of(self, units: int, what: str = "texts") -> str:
        """Return the name of the test of so many units, for which `auto` stands."""
        if self.test != "auto":
            return self.test
        few = units < LEAST_EXCHANGED and what != BLOCKS_OF_ONE_TEXT
        return "t" if few else "randomisation"

    def test_members(self, units: int, what: str = "texts") -> dict[str, str | None]:
        """Return the test and its correction as members of JSON."""
        return {"test": self.test_of(units, what), "correction": "holm" if self.holm else None}

    def few(self, units: int, what: str = "texts", *, tested: bool) -> list[str]:
        """Warn of the limits of intervals, and of tests if any, of few units.

        Raises `InputError` when there are too few units for the bootstrap test.
        """
        test = self.test_of(units, what) if tested else None
        if test == "bootstrap":
            check_bootstrap(units, what)
        notes = few_units(units, what, interval=self.interval, test=test)
        return [*notes, *self.seed_note(units, what, tested=tested)]

    def seed_note(self, units: int, what: str = "texts", *, tested: bool = False) -> list[str]:
        """Return a note on a seed where nothing is drawn at random."""
        if not self.seed or self.draws(units, what, tested=tested):
            return []
        way = remedy("interval bootstrap")
        return [f"{remedy('seed')}: no effect, as nothing is drawn at random (but by {way})"]

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

        Raises `OptionError` when no system, or more than one, has its name.
        """
        if self.baseline is None:
            return 0
        places = [k for k, system in enumerate(systems) if system == self.baseline]
        if len(places) != 1:
            has = "several systems have" if places else "no system has"
            raise OptionError(
                f"{remedy(f'baseline {self.baseline}')}: {has} this name; "
                f"{did_you_mean(self.baseline, systems)}the systems are {', '.join(systems)}"
            )
        return places[0]

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
    words: Counter = "space"  # as in `arcade`
    characters: Counter = "codepoint"  # as in `arcade`
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
        if not (isnan(self.zero_division) or 0 <= self.zero_division <= 1):
            raise OptionError(
                f"{remedy('zero-division', python='zero_division')} is {self.zero_division:g}: "
                f"want a figure that precision and recall may have, from 0 to 1"
            )

    def signature(self, *parts: str) -> str:
        """Return the choices that change a figure, and the version, as one string."""
        version = f"bitext:{bitext.__version__}"
        return "|".join([*parts, *self._choices(), self.undefined, version])

    def _choices(self) -> list[str]:
        return [
            f"words:{counter_name(self.words)}",
            f"characters:{counter_name(self.characters)}",
            f"min-matched:{exactly(self.min_matched)}",
        ]


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
    macro: bool = False  # whether the average is a mean of figures, not of pooled counts
    what: str = "texts"  # the name of the units in messages
    # Returns the number of gold bisegments or segments of each unit, as in `jackknife_interval`.
    sizes: Callable[[], Floats] | None = None
    burst: float = BURST  # the number of them that are right or wrong together, likewise
    # The least and the greatest value of each figure, as in `jackknife_interval`.
    bounds: ArrayLike = (0.0, 1.0)

    def intervals(self, system: int) -> tuple[Interval, ...]:
        """Return the interval of each figure of a system."""
        options, units = self.options, self.units(system)
        if options.interval == "bootstrap":
            return bootstrap(units, level=options.level, **self._average(), **self._draws())
        return jackknife_interval(
            units,
            level=options.level,
            burst=self.burst,
            bounds=self.bounds,
            **self._average(),
            **self._jackknife(),
        )

    def differences(self) -> Iterator[AverageDifference]:
        """Test systems against the baseline, or in all pairs.

        Raises `InputError` when there are too few units for the bootstrap test.
        """
        if len(self.systems) < 2:
            return
        pairs = self.options.tested_pairs(self.systems)
        units = [self.units(k) for k in range(len(self.systems))]
        test = self._test(len(units[0]))
        p = [test(units[a], units[b]) for a, b in pairs]
        values = [self.values(k) for k in range(len(self.systems))]
        for (a, b), each in zip(pairs, holm(p) if self.options.holm else p, strict=True):
            gain = tuple(y - x for x, y in zip(values[a], values[b], strict=True))
            yield AverageDifference(self.systems[b], self.systems[a], gain, each)

    def _test(self, units: int) -> Callable[[Floats, Floats], tuple[float, ...]]:
        """Return the test of so many units: a function of two systems to p of each figure."""
        test = self.options.test_of(units, self.what)
        if test == "t":
            return partial(paired_t, **self._average(), **self._jackknife())
        if test == "bootstrap":
            check_bootstrap(units, self.what)
            return partial(paired_bootstrap, **self._average(), **self._draws())
        return partial(randomisation, **self._average(), **self._draws())

    # The arguments that several intervals and tests share.

    def _average(self) -> dict[str, Any]:
        zero_division = self.options.zero_division
        return {"of": self.of, "macro": self.macro, "zero_division": zero_division}

    def _draws(self) -> dict[str, Any]:
        return {"resamples": self.options.resamples, "seed": self.options.seed}

    def _jackknife(self) -> dict[str, Any]:
        sizes = self.sizes() if self.sizes is not None else None
        return {"sizes": sizes, "one_text": self.what == BLOCKS_OF_ONE_TEXT}


def mean_of_defined(each: Floats) -> tuple[list[float], list[int]]:
    """Average the figures of texts, shape (texts, figures), without undefined ones.

    Return the mean of each figure, `nan` if it is undefined in all texts, and the number of texts
    left out of each mean.
    """
    known = ~np.isnan(each)
    sums = np.where(known, each, 0.0).sum(axis=0).tolist()
    pairs = zip(sums, known.sum(axis=0).tolist(), strict=True)
    return [total / n if n else nan for total, n in pairs], (~known).sum(axis=0).tolist()


TOO_MANY = "(too many to tell)"

# Pairs of bisegments with a common segment; set by hand: bounds time and memory
_MOST_NEIGHBOURS = 50_000_000


@dataclass(frozen=True, slots=True)
class BeadType:
    """The gold and the proposed bisegments of one bead type, and the outcomes of the former."""

    type: str  # the numbers of source and target segments, as `2-1`
    expected: int  # the number of gold bisegments
    found: int  # the number of those that were proposed exactly
    # The outcomes of missed bisegments and their numbers. An outcome is the types of the proposed
    # bisegments that share a segment with the missed one, as `1-1 + 1-0`, or `nothing`.
    became: dict[str, int]
    proposed: int = 0  # the number of proposed bisegments of the type; `found` of these are right

    @property
    def missed(self) -> int:
        """The number of bisegments that were not proposed exactly."""
        return self.expected - self.found


@dataclass(frozen=True, slots=True)
class Place:
    """A place where gold standard and hypothesis differ."""

    # `gold`, `hyp`: the bisegments of one alignment that the other lacks, linked by common
    # segments.
    gold: tuple[int, ...]
    hyp: tuple[int, ...]
    # The size of the error: the weight of the pairs of segments that only one of the two has, in
    # characters x characters where the texts are known, else in pairs of sentences.
    weight: int


def bead_types(
    comparison: Comparison, *, most_neighbours: int = _MOST_NEIGHBOURS
) -> list[BeadType]:
    """Return the breakdown by bead type, the most frequent type of the gold standard first.

    Types that are proposed only stand at the end, with `expected` 0.

    Cost is linear in the memberships, except for segments in many bisegments of both alignments:
    above `most_neighbours` pairs of bisegments with a common segment, the outcome of every missed
    bisegment is `TOO_MANY`.
    """
    gold, hyp = comparison.ground.gold, comparison.ground.hyp
    counted = np.flatnonzero(comparison.gold_counts)
    kind, names = _types(comparison.ground.gold_sizes)
    missed = counted[~comparison.gold_exact[counted]]
    became = _outcomes(gold, hyp, missed, comparison, most_neighbours)
    outcome: dict[int, collections.Counter[str]] = {}
    for k, text in zip(kind[missed].tolist(), became, strict=True):
        outcome.setdefault(k, collections.Counter())[text] += 1
    expected = np.bincount(kind[counted], minlength=len(names))
    hits = expected - np.bincount(kind[missed], minlength=len(names))
    order = np.argsort(-expected, kind="stable")
    proposed = _proposed(comparison)
    rows = [
        BeadType(
            names[k],
            int(expected[k]),
            int(hits[k]),
            dict(outcome.get(k, collections.Counter()).most_common()),
            proposed.pop(names[k], 0),
        )
        for k in order.tolist()
        if expected[k]
    ]
    return rows + [BeadType(name, 0, 0, {}, count) for name, count in proposed.items()]


def _proposed(comparison: Comparison) -> dict[str, int]:
    """Return the number of proposed bisegments of each type, the most frequent first."""
    kind, names = _types(comparison.ground.hyp_sizes)
    counts = np.bincount(kind[np.flatnonzero(comparison.hyp_counts)], minlength=len(names))
    order = np.argsort(-counts, kind="stable")
    return {names[k]: int(counts[k]) for k in order.tolist() if counts[k]}


def pool(parts: Iterable[list[BeadType]]) -> list[BeadType]:
    """Add up the breakdowns of several texts."""
    total: dict[str, list[BeadType]] = {}
    for rows in parts:
        for row in rows:
            total.setdefault(row.type, []).append(row)
    pooled = []
    for name, rows in total.items():
        became = collections.Counter[str]()
        for row in rows:
            became.update(row.became)
        numbers = [[row.expected, row.found, row.proposed] for row in rows]
        expected, found, proposed = map(sum, zip(*numbers, strict=True))
        pooled.append(BeadType(name, expected, found, dict(became.most_common()), proposed))
    return sorted(pooled, key=lambda row: -row.expected)


def _types(sizes: tuple[Ints, Ints]) -> tuple[Ints, list[str]]:
    """Return the bead type of each bisegment as a number, and the names of the numbers."""
    types, kind = kinds(*sizes)
    return kind, [f"{n}-{m}" for n, m in types]


def _outcomes(
    gold: Beads, hyp: Beads, missed: Ints, comparison: Comparison, most: int
) -> list[str]:
    """Return the outcome of each missed bisegment; equal outcomes are formatted once."""
    sides = [
        (take(gold.src, missed), hyp.src, comparison.ground.src.size),
        (take(gold.tgt, missed), hyp.tgt, comparison.ground.tgt.size),
    ]
    shared_counts = (
        np.bincount(other.idx, minlength=n)[missed_rows.idx].sum()
        for missed_rows, other, n in sides
    )
    if sum(shared_counts) > most:
        return [TOO_MANY] * missed.size
    pairs = [_sharing(missed_rows, other, n) for missed_rows, other, n in sides]
    n_hyp = max(len(hyp.src.ptr) - 1, 1)
    both = distinct(np.concatenate([bead * n_hyp + other for bead, other in pairs]))
    bead, other = both // n_hyp, both % n_hyp
    counted = comparison.hyp_counts[other]
    bead, other = bead[counted], other[counted]
    kind, names = _types(comparison.ground.hyp_sizes)
    # A type and its number as one number, so that an outcome is a set of numbers.
    size = len(names) or 1
    typed, count = np.unique(bead * size + kind[other], return_counts=True)
    members = typed % size + size * count
    outcome = Rows(prefix(np.bincount(typed // size, minlength=missed.size)), members)
    order = np.lexsort((members, row_of(outcome)))
    outcome = Rows(outcome.ptr, members[order])
    none = Rows(np.zeros(missed.size + 1, dtype=np.int64), np.zeros(0, dtype=np.int64))
    ids = identify(outcome, none)
    _, first = np.unique(ids, return_index=True)
    words: dict[int, str] = {}
    for k in first.tolist():
        parts = [(names[m % size], m // size) for m in outcome.row(k).tolist()]
        names_of = [name if n == 1 else f"{n} × {name}" for name, n in sorted(parts)]
        words[int(ids[k])] = " + ".join(names_of) or "nothing"
    return [words[k] for k in ids.tolist()]


def _sharing(missed_rows: Rows, other: Rows, size: int) -> tuple[Ints, Ints]:
    """Return the pairs of rows that share a member, with repeats."""
    holders = transposed(other, size)
    lengths = holders.lengths[missed_rows.idx]
    return np.repeat(row_of(missed_rows), lengths), take(holders, missed_rows.idx).idx


def worst_places(comparison: Comparison, most: int | None = None) -> list[Place]:
    """Return the places where the two differ, the greatest error first.

    A place is a set of missed and wrong bisegments linked by common segments.
    """
    ground, laid = comparison.ground, comparison.overlay
    gold = np.flatnonzero(~comparison.gold_exact & comparison.gold_counts)
    hyp = np.flatnonzero(~comparison.hyp_exact & comparison.hyp_counts)
    if not gold.size + hyp.size:
        return []
    # Places are the connected components of the graph between bisegments and their segments.
    src, tgt = (
        concatenate([take(golds, gold), take(hyps, hyp)], [0, 0])
        for golds, hyps in zip(ground.gold, ground.hyp, strict=True)
    )
    label = components(side_by_side([src, tgt], [0, ground.src.size]))
    k = WEIGHTS.index("character") if ground.src.texts and ground.tgt.texts else 0
    wrong = laid.expected[k] + laid.proposed[k] - 2 * laid.hits[k]
    # Errors are counted by source segment; each lies in one place, since its bisegments are linked.
    of_source = np.full(ground.src.size, -1, dtype=np.int64)
    of_source[src.idx] = label[row_of(src)]
    size = np.bincount(label)
    weight = np.zeros(size.size, dtype=np.int64)
    np.add.at(weight, of_source[of_source >= 0], wrong[of_source >= 0])
    ranked = np.lexsort((np.arange(size.size), -size, -weight))[:most]
    member = np.argsort(label, kind="stable")
    begin = prefix(size)
    out = []
    for place in ranked.tolist():
        items = member[begin[place] : begin[place + 1]]
        gold_items, hyp_items = items[items < gold.size], items[items >= gold.size] - gold.size
        out.append(
            Place(
                tuple(gold[gold_items].tolist()), tuple(hyp[hyp_items].tolist()), int(weight[place])
            )
        )
    return out
