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

from math import comb
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bitext.errors import OptionError
from bitext.metrics.error_cases import (
    ERRORS,
    LARGEST,
    equal_pairs,
    erring,
    lay,
    moves_of,
    ranks,
    references,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from bitext.metrics.error_cases import Moves
    from bitext.metrics.error_metrics import StudiedMetric

__all__ = [
    "BATCH",
    "SMALLEST",
    "Batch",
    "Example",
    "Finding",
    "Row",
    "batches_of",
    "check_range",
    "rows_of",
    "study_batch",
    "study_errors",
]

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
    >>> from bitext.metrics.error_metrics import StudiedMetric
    >>> from bitext.metrics.named import parse_metrics
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
