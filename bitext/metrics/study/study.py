"""The error study: for how many references a metric scores hypotheses equally that differ in worth.

For every reference of n units, hypotheses are made by moving one boundary. With a the length of the
segment that gets shorter, b that of the one that gets longer, a *shift* by d units is *soft* when
both segments keep a Jaccard index above 1/2 with what they were (2d < a and d < b), and *hard*
when both fall below 1/2 (2d > a and d > b). A metric errs on a reference when it scores the two
hypotheses h1 and h2 of some pair equally, of one of three types:

- `cross`: h1 is a soft shift; h2 moves a boundary by as many units over exactly one neighbour, to
  a place inside the segment behind it.
- `vanishing`: h1 is a soft shift; h2 shifts the same boundary farther, to either side.
- `constant-cost`: h1 is a soft shift; h2 is a hard one by as many units, of any boundary.

All references of n units with 2 to n - 1 segments are gone through, 2 ** (n - 1) - 2 of them.

**Source**: G. Ocampo Diaz and J. Ouyang, An alignment-based approach to text segmentation
similarity scoring, CoNLL 2022, section 5.

**Departures**: the types are those of the authors' program, whose published totals they give. The
text of section 5 says otherwise of two. There a hard shift is one *by one unit*, which cannot be:
the segment that gets shorter keeps (a - 1) / a of itself, 1/2 or more, and constant cost would have
no case. And vanishing is a soft shift by x against a soft one by x + 1: of 11 units WindowDiff
would err on 32 references and B on 2, where it is 515 and 59 here.

Of 524,286 references of 20 units, WindowDiff errs on 78,228 by crossing, 417,096 by vanishing and
50,508 by constant cost, B on 78,228, 83,844 and 50,508, and A on none.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import comb
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bitext.errors import InputError, OptionError
from bitext.metrics.metric_spec import NamedMetric
from bitext.metrics.segmentation.pairs import Pairs
from bitext.metrics.study.cases import (
    ERRORS,
    LARGEST,
    equal_pairs,
    erring,
    lay,
    moves_of,
    ranks,
    references,
)
from bitext.model import CountsTable, Segmentation

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from bitext.metrics.study.cases import Moves

__all__ = [
    "BATCH",
    "MEASURES",
    "SMALLEST",
    "Batch",
    "Example",
    "Finding",
    "Row",
    "StudiedMetric",
    "batches_of",
    "check_range",
    "rows_of",
    "study_batch",
    "study_errors",
    "window",
]


# The metrics of the error study: with the options of the study, and their scores as numbers.

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
        """Select the options of the study that the metric has."""
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


# The smallest number of units: below it there is no reference with 2 to n - 1 segments.
SMALLEST = 3
# References in one batch: the arrays of their hypotheses stay near the processor.
BATCH = 4096


class Batch(NamedTuple):
    """References `first` to `last` of those of n units in m segments."""

    n: int
    m: int
    first: int
    last: int


class Example(NamedTuple):
    """A reference and two hypotheses that were scored equally, as masses."""

    reference: list[int]
    h1: list[int]
    h2: list[int]


class Finding(NamedTuple):
    """How many references a metric errs on by one error type, and the first of them."""

    erring: int
    example: Example | None


def check_range(smallest: int, largest: int) -> None:
    """Check from and to how many units a study goes.

    Raises
    ------
    OptionError
        When there is no reference of so few units, they are too many, or the range is empty.

    """
    for n in (smallest, largest):
        if not SMALLEST <= n <= LARGEST:
            raise OptionError(
                f"references of {n} units: want {SMALLEST} to {LARGEST}; each unit more takes "
                f"twice the time"
            )
    if smallest > largest:
        raise OptionError(f"from {smallest} to {largest} units: want the smaller number first")


def batches_of(smallest: int, largest: int) -> list[Batch]:
    """Return all references of so many units in batches, by units, segments and masses."""
    check_range(smallest, largest)
    return [
        Batch(n, m, first, min(first + BATCH, comb(n - 1, m - 1)))
        for n in range(smallest, largest + 1)
        for m in range(2, n)
        for first in range(0, comb(n - 1, m - 1), BATCH)
    ]


def study_batch(batch: Batch, metrics: Sequence[StudiedMetric]) -> list[list[Finding]]:
    """Study a batch of references: for each metric one finding an error type, as of `ERRORS`."""
    bounds = references(*batch)
    moves = moves_of(bounds)
    if not moves.to.size:
        return [[Finding(0, None)] * len(ERRORS) for _ in metrics]
    pairs = lay(bounds, moves)
    out = []
    for studied in metrics:
        values, tolerance = studied.scores(pairs, batch.n, batch.m)
        # A hypothesis without a score is not scored as any other is.
        scored = ~np.isnan(values)
        kept = moves.chosen(scored)
        rank = ranks(values[scored], tolerance)
        wrong = erring(kept, rank, len(bounds))
        examples = [_example(bounds, kept, rank, wrong[:, k], k) for k in range(len(ERRORS))]
        totals = wrong.sum(axis=0).tolist()
        out.append([Finding(*found) for found in zip(totals, examples, strict=True)])
    return out


def _example(
    bounds: NDArray[np.int64],
    moves: Moves,
    rank: NDArray[np.int64],
    wrong: NDArray[np.bool_],
    error: int,
) -> Example | None:
    """Return the first reference that is wrong, with its first pair."""
    if not wrong.any():
        return None
    row = int(wrong.argmax())
    own = moves.reference == row
    mine = moves.chosen(own)
    pair = equal_pairs(mine, rank[own])[error][0]
    masses = np.diff(lay(bounds, mine).hyp.bounds).reshape(-1, bounds.shape[1] - 1)
    h1, h2 = masses[pair].tolist()
    return Example(np.diff(bounds[row]).tolist(), h1, h2)


class Row(NamedTuple):
    """One line of the table: a metric, an error type and a number of units.

    Attributes
    ----------
    metric : StudiedMetric
    error : str
        One of `ERRORS`.
    n : int
        The number of units.
    references, erring : int
        How many references there are, and how many the metric errs on.
    example : Example or None
        The smallest of the latter, by segments and then masses, with its first pair.

    """

    metric: StudiedMetric
    error: str
    n: int
    references: int
    erring: int
    example: Example | None

    @property
    def share(self) -> float:
        """The share of references that the metric errs on."""
        return self.erring / self.references


def rows_of(
    metrics: Sequence[StudiedMetric], found: Mapping[Batch, Sequence[Sequence[Finding]]]
) -> list[Row]:
    """Add up the findings of batches: a row a metric, error type and number of units."""
    order = sorted(found)
    rows = []
    for number, studied in enumerate(metrics):
        for column, error in enumerate(ERRORS):
            for n in sorted({batch.n for batch in order}):
                mine = [batch for batch in order if batch.n == n]
                parts = [found[batch][number][column] for batch in mine]
                rows.append(
                    Row(
                        studied,
                        error,
                        n,
                        sum(batch.last - batch.first for batch in mine),
                        sum(part.erring for part in parts),
                        next((part.example for part in parts if part.example), None),
                    )
                )
    return rows


def study_errors(
    metrics: Iterable[StudiedMetric], smallest: int = 5, largest: int = 20
) -> list[Row]:
    """Run the whole study in this process.

    Raises
    ------
    OptionError
        When the range is not one, or a metric cannot be run on `smallest` units.

    Examples
    --------
    >>> from bitext.metrics.study.study import StudiedMetric
    >>> from bitext.metrics.metric_spec import parse_metrics
    >>> metrics = [StudiedMetric(m) for m in parse_metrics(["window-diff", "alignment-similarity"])]
    >>> for row in study_errors(metrics, 9, 9):
    ...     print(row.metric.label, row.error, row.erring, "of", row.references)
    window-diff cross 0 of 254
    window-diff vanishing 89 of 254
    window-diff constant-cost 2 of 254
    alignment-similarity cross 0 of 254
    alignment-similarity vanishing 0 of 254
    alignment-similarity constant-cost 0 of 254

    """
    known = list(metrics)
    batches = batches_of(smallest, largest)
    for studied in known:
        studied.check(smallest)
    return rows_of(known, {batch: study_batch(batch, known) for batch in batches})
