"""The error study: how often metrics do not distinguish a better hypothesis from a worse one.

A hypothesis is a reference of n units with one boundary moved. With a the length of the segment
that gets shorter, b the length of the segment that gets longer, a *shift* by d units is *soft* when
the Jaccard index of both segments with their former selves stays above 1/2 (2d < a and d < b), and
*hard* when both fall below 1/2 (2d > a and d > b). A metric errs on a reference when it gives equal
scores to the hypotheses h1 and h2 of some pair, of one of three types:

- `cross`: h1 is a soft shift; h2 moves a boundary by as many units over exactly one neighbour, to
  a place inside the segment after it.
- `vanishing`: h1 is a soft shift; h2 shifts the same boundary farther, to either side.
- `constant-cost`: h1 is a soft shift; h2 is a hard one by as many units, of any boundary.

The study goes through all 2 ** (n - 1) - 2 references of n units with 2 to n - 1 segments.

**Source**: G. Ocampo Diaz and J. Ouyang, An alignment-based approach to text segmentation
similarity scoring, CoNLL 2022, section 5.

**Departures**: the types are those of the authors' program, and reproduce its published totals. The
text of section 5 defines two of them differently. There a hard shift is one *by one unit*, which
cannot be: the segment that gets shorter keeps (a - 1) / a of itself, 1/2 or more, and constant cost
would have no case. And vanishing is a soft shift by x against a soft shift by x + 1: of 11 units,
WindowDiff would err on 32 references and B on 2, against 515 and 59 here.

Of 524,286 references of 20 units, WindowDiff errs on 78,228 by crossing, 417,096 by vanishing and
50,508 by constant cost, B on 78,228, 83,844 and 50,508, and A on none.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from math import comb
from typing import Any, Final, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bitext.errors import InputError, OptionError, many
from bitext.kernels.arrays import Bools, Floats, Ints, divided, prefix
from bitext.metrics.registry import NamedMetric
from bitext.metrics.segmentation import Pairs, Side
from bitext.model import CountsTable, Segmentation
from bitext.model.counts import f1_fractions

# The cases of the error study: the hypotheses of a reference, and the pairs that may be errors.
#
# A hypothesis is the reference with one boundary moved: a *shift* leaves it between its
# neighbours, a *crossing* moves it over one of them, into the next segment. All arrays are over
# many references with the same numbers of units and of segments.

# The error types, in the order of all arrays over them.
ERRORS: Final = ("cross", "vanishing", "constant-cost")
# What readers of the figures are to know of the paper.
DEFINITIONS: Final = (
    "The types of errors are those of the authors' program, which printed the published totals. "
    "Section 5 of the paper describes two of them otherwise: a hard shift by one unit, which "
    "cannot be, and a vanishing error as a soft shift by x against a soft shift by x + 1."
)
By = Literal["units", "segments"]
# The largest number of units. Distances are packed into five bits.
LARGEST: Final = 24

# The kinds of moves; 0 is a shift that is neither soft nor hard.
_SOFT, _HARD, _CROSS = 1, 2, 4


class Moves(NamedTuple):
    """Hypotheses: one moved boundary of one reference each, as columns."""

    reference: Ints  # the row of the reference
    boundary: Ints  # the boundary that moves, from 1 to m - 1 for m segments
    to: Ints  # the position of the boundary in the hypothesis
    distance: Ints  # the distance from its position in the reference
    kind: Ints  # soft, hard, crossing, or neither
    # Whether the move is a shift of a boundary that has soft shifts, too; only these shifts are in
    # pairs of the vanishing type.
    graded: Bools

    def chosen(self, which: NDArray[np.bool_ | np.int64]) -> Moves:
        """Return the moves of a mask or an index."""
        return Moves._make(column[which] for column in self)


@cache
def _pascal(n: int) -> Ints:
    return np.array([[comb(a, b) for b in range(n)] for a in range(n)], dtype=np.int64)


def references(n: int, m: int, first: int, last: int) -> Ints:
    """Return the bounds of segmentations of n units into m segments, ends included, one a row.

    The rows are numbers `first` to `last` of all comb(n - 1, m - 1), in the order of their masses.
    """
    rank = np.arange(first, last)
    left = np.full(rank.size, m - 1)
    chosen = np.zeros((rank.size, n - 1), dtype=bool)
    for at in range(1, n):
        # The number of segmentations with the same boundaries so far, and the next one here.
        place_count = _pascal(n)[n - 1 - at, np.maximum(left - 1, 0)]
        has_boundary = (left > 0) & (rank < place_count)
        chosen[:, at - 1] = has_boundary
        rank = np.where(has_boundary, rank, rank - place_count)
        left -= has_boundary
    out = np.zeros((len(chosen), m + 1), dtype=np.int64)
    out[:, 1:-1] = np.nonzero(chosen)[1].reshape(-1, m - 1) + 1
    out[:, -1] = n
    return out


def moves_of(bounds: Ints) -> Moves:
    """Return the hypotheses that are in a pair of any error type.

    `bounds` has the shape (references, m + 1), as that of `references`.
    """
    masses = np.pad(np.diff(bounds), ((0, 0), (1, 1)))
    before, after = masses[:, 1:-2], masses[:, 2:-1]
    softest = np.maximum(_longest_soft(before, after), _longest_soft(after, before))
    # A boundary with soft shifts has one by 1. So a reference has soft shifts by every distance up
    # to the longest, and a longer move has no soft shift of the same distance.
    reach = softest.max(axis=1, initial=0)[:, None]
    left = _moves(bounds, before, after, masses[:, :-3], softest > 0, reach, -1)
    right = _moves(bounds, after, before, masses[:, 3:], softest > 0, reach, 1)
    return Moves._make(np.concatenate(both) for both in zip(left, right, strict=True))


def _longest_soft(shorter: Ints, longer: Ints) -> Ints:
    """Return the longest soft shift into the segment that gets shorter, 0 for none.

    For a shift by d, the Jaccard indices are (shorter - d) / shorter and longer / (longer + d):
    both are above 1/2 for 2d < shorter and d < longer.
    """
    return np.minimum((shorter - 1) // 2, longer - 1)


def _moves(
    bounds: Ints, shorter: Ints, longer: Ints, beyond: Ints, graded: Bools, reach: Ints, sign: int
) -> Moves:
    """Return the moves to one side: into the segment that gets shorter, or the one beyond it."""
    hard = np.maximum(shorter // 2, longer) + 1
    low = np.where(graded, 1, hard)
    high = np.where(graded, shorter - 1, np.minimum(shorter - 1, reach))
    shifts = _steps(low, high)
    crossings = _steps(shorter + 1, np.minimum(shorter + beyond - 1, reach))
    row, column, distance = map(np.concatenate, zip(shifts, crossings, strict=True))
    over = np.arange(row.size) >= shifts[0].size
    a, b = shorter[row, column], longer[row, column]
    kind = np.where((2 * distance < a) & (distance < b), _SOFT, 0)
    kind[(2 * distance > a) & (distance > b)] = _HARD
    kind[over] = _CROSS
    to = bounds[row, column + 1] + sign * distance
    moves = Moves(row, column + 1, to, distance, kind, graded[row, column] & ~over)
    # The shorter of two shifts of a boundary is soft, so a shift by 1 that is not is in no pair.
    return moves.chosen((kind > 0) | (distance > 1))


def _steps(low: Ints, high: Ints) -> tuple[Ints, Ints, Ints]:
    """Return the row and column of every cell, for each number from low to high, both included."""
    counts = np.maximum(high - low + 1, 0).ravel()
    cell = np.repeat(np.arange(counts.size), counts)
    steps = np.arange(cell.size) + (low.ravel() - prefix(counts)[:-1])[cell]
    row, column = np.divmod(cell, low.shape[1])
    return row, column, steps


def lay(bounds: Ints, moves: Moves) -> Pairs:
    """Lay out the pairs of reference and hypothesis."""
    count, m, n = moves.reference.size, bounds.shape[1] - 1, int(bounds[0, -1])
    starts = np.arange(count + 1) * n
    ptr = np.arange(count + 1) * m
    rows = np.arange(count)
    gold = bounds[moves.reference, :-1] + starts[:-1, None]
    hyp = gold.copy()
    # A boundary that crosses its neighbour is exchanged with it in the order of boundaries.
    old = bounds[moves.reference, moves.boundary]
    place = moves.boundary + np.where(moves.kind == _CROSS, np.sign(moves.to - old), 0)
    hyp[rows, moves.boundary] = gold[rows, place]
    hyp[rows, place] = moves.to + starts[:-1]
    first, second = (Side(ptr, np.append(side.ravel(), count * n)) for side in (gold, hyp))
    return Pairs(starts, first, second)


def ranks(scores: Floats, tolerance: float) -> Ints:
    """Rank the scores; those that differ by no more than the tolerance have the same rank."""
    known = np.unique(scores)
    heads = known[np.diff(known, prepend=-np.inf) > tolerance]
    return np.searchsorted(heads, scores, side="right") - 1


def erring(moves: Moves, rank: Ints, count: int) -> Bools:
    """Mask the references with a pair of equal scores, one column per error type.

    `moves` are hypotheses in any order, `rank` is an array of their scores as ranked by `ranks`,
    and `count` is the number of references.
    """
    out = np.zeros((count, len(ERRORS)), dtype=bool)
    width = int(rank.max(initial=0)) + 1
    # Vanishing: a soft shift and a longer shift of one boundary with one score.
    shifts = moves.graded
    key = (moves.reference[shifts] * LARGEST + moves.boundary[shifts]) * width + rank[shifts]
    hardness = np.where(moves.kind[shifts] == _SOFT, 0, 32)
    group, starts, code = _grouped(key, 6, hardness + moves.distance[shifts])
    longest = np.maximum.reduceat(code & 31, starts) if starts.size else code
    wrong = code[starts] < np.minimum(longest, 32)
    out[group[wrong] // width // LARGEST, 1] = True
    # The other types: the kinds of moves of one distance with one score.
    rival = np.zeros((count, LARGEST), dtype=bool)
    hard = moves.kind >= _HARD
    rival[moves.reference[hard], moves.distance[hard]] = True
    has_rival = rival[moves.reference, moves.distance] & (moves.kind > 0)
    key = (moves.reference[has_rival] * LARGEST + moves.distance[has_rival]) * width + rank[
        has_rival
    ]
    group, starts, code = _grouped(key, 3, moves.kind[has_rival])
    kinds = np.bitwise_or.reduceat(code, starts) if starts.size else code
    for column, rivals in ((0, _CROSS), (2, _HARD)):
        wrong = (kinds & (_SOFT | rivals)) == _SOFT | rivals
        out[group[wrong] // width // LARGEST, column] = True
    return out


def _grouped(key: Ints, bits: int, code: Ints) -> tuple[Ints, Ints, Ints]:
    """Sort codes by key; return the distinct keys, the start of the codes of each, and the codes.

    Key and code are packed into one number, which sorts several times faster than two columns.
    """
    packed = np.sort(key << bits | code)
    keys = packed >> bits
    starts = np.flatnonzero(np.diff(keys, prepend=-1))
    return keys[starts], starts, packed & ((1 << bits) - 1)


def equal_pairs(moves: Moves, rank: Ints) -> list[Ints]:
    """Return the pairs (h1, h2) of equal scores of one reference, one array an error type.

    Rows are in the order of h1, then h2; hypotheses in the order of boundary and new position.
    """
    order: Ints = np.lexsort((moves.to, moves.boundary)).astype(np.int64)
    chosen_moves = moves.chosen(order)
    equal = (chosen_moves.kind == _SOFT)[:, None] & (rank[order][:, None] == rank[order])
    farther = chosen_moves.distance - chosen_moves.distance[:, None]
    own = (chosen_moves.boundary[:, None] == chosen_moves.boundary) & (chosen_moves.kind != _CROSS)
    wrong = (
        equal & (farther == 0) & (chosen_moves.kind == _CROSS),
        equal & (farther > 0) & own,
        equal & (farther == 0) & (chosen_moves.kind == _HARD),
    )
    return [order[np.argwhere(cases)] for cases in wrong]


# The metrics of the error study: with the options of the study, and with scores as floats.

# The figures of a metric with counts; the first is the default.
MEASURES = ("f1", "precision", "recall")
# Values that differ by less than this are equal. With L the least common multiple of 1 to n, A is a
# whole number over L times its number of edges, at most 25 here: two values differ by at least 1 /
# (L * 25 * 25), which is 3e-13 for n = 24 and more below. Rounding is below 1e-14. Metrics that
# count in halves, over denominators of some hundred, differ by far more.
TOLERANCE = 1e-13


@dataclass(frozen=True, slots=True)
class StudiedMetric:
    """A metric with the options of the study.

    Windows have max(1, round half even (n / 2m)) units, as in the paper, and are padded; B and S
    transpose by one unit. The options of the user come before those of the study.
    """

    named: NamedMetric  # the metric with the options of the user
    measure: str = field(default="")  # the compared figure of a metric that has several

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
        """The metric as a user writes it, without the options of the study; and its measure."""
        usual = {**self.named.metric.options, **self._wanted("n/2m")}
        changed = [f"{name}={v!r}" for name, v in self.named.options.items() if v != usual[name]]
        options = f"({', '.join(changed)})" if changed else ""
        return f"{self.named.name}{options} {self.measure}".rstrip()

    @property
    def signature(self) -> str:
        """The metric with every option; `k:n/2m` where the window follows the reference."""
        named = NamedMetric(self.named.metric, {**self._wanted("n/2m"), **self.named.options})
        return named.signature(*([f"measure:{self.measure}"] if self.measure else []))

    def _wanted(self, k: Any) -> dict[str, Any]:
        """Return the options of the study that the metric has."""
        study_options = {"k": k, "padded": True, "max_transposition": 1}
        return {name: v for name, v in study_options.items() if name in self.named.metric.options}

    def scores(self, pairs: Pairs, n: int, m: int) -> tuple[Floats, float]:
        """Return the score of each pair, `nan` if undefined, and the tolerance of equal scores."""
        options = {**self._wanted(window(n, m)), **self.named.options}
        figures = NamedMetric(self.named.metric, options).pairs(pairs)
        if isinstance(figures, CountsTable):
            top, below = _figure(figures, self.measure)
        else:
            top, below = figures.numerators, figures.denominators
        # Different quotients of whole numbers of this size are different floats.
        exact = top.dtype.kind in "iu" and below.dtype.kind in "iu"
        empty = np.nan if isinstance(figures, CountsTable) else figures.empty
        return divided(top, below, empty=empty), 0.0 if exact else TOLERANCE

    def check(self, n: int) -> None:
        """Check the options of the metric by the score of a text of n units.

        Raises `OptionError` when an option has a value that is not allowed, or a window is too long
        for n units.
        """
        text = Segmentation([1, n - 1])
        try:
            self.scores(Pairs.of([text], [text]), n, 2)
        except InputError as error:
            raise OptionError(f"{error}, in a study from {many(n, 'unit')} on") from error


def _figure(
    table: CountsTable, measure: str
) -> tuple[NDArray[np.int64 | np.float64], NDArray[np.int64 | np.float64]]:
    """Return a measure of counts as numerators and denominators."""
    hits, proposed, expected, right = table.counts.T
    if measure == "precision":
        return hits, proposed
    if measure == "recall":
        return right, expected
    return f1_fractions(hits, proposed, expected, right)


def window(n: int, m: int) -> int:
    """Return the size of windows for references of n units in m segments.

    Examples
    --------
    >>> window(20, 2), window(20, 4), window(20, 19)
    (5, 2, 1)

    """
    return max(1, round(n / (2 * m)))  # half to even; a quotient of .5 is exact in floats


# The smallest number of units; with fewer there is no reference with 2 to n - 1 segments.
SMALLEST = 3
# References in one batch; set by hand: the arrays of their hypotheses stay in the cache.
BATCH = 4096


class Batch(NamedTuple):
    """References `first` to `last` of all of n units in m segments."""

    n: int
    m: int
    first: int
    last: int


class Example(NamedTuple):
    """A reference and two hypotheses with equal scores, as masses."""

    reference: list[int]
    h1: list[int]
    h2: list[int]


class Finding(NamedTuple):
    """The number of references with one type of error by a metric, and the first of them."""

    erring: int
    example: Example | None


def check_range(smallest: int, largest: int) -> None:
    """Check the range of numbers of units of a study.

    Raises `OptionError` when `smallest` is too small for a reference, `largest` too large, or the
    range empty.
    """
    for n in (smallest, largest):
        if not SMALLEST <= n <= LARGEST:
            raise OptionError(
                f"references of {n} units: want {SMALLEST} to {LARGEST}; each unit more takes "
                f"twice the time"
            )
    if smallest > largest:
        raise OptionError(f"from {smallest} to {largest} units: want the smaller number first")


def batches_of(smallest: int, largest: int, *, size: int = BATCH) -> list[Batch]:
    """Return the batches of all references in the range, by units, segments and masses.

    A batch has `size` references at most.
    """
    check_range(smallest, largest)
    return [
        Batch(n, m, first, min(first + size, comb(n - 1, m - 1)))
        for n in range(smallest, largest + 1)
        for m in range(2, n)
        for first in range(0, comb(n - 1, m - 1), size)
    ]


def study_batch(batch: Batch, metrics: Sequence[StudiedMetric]) -> list[list[Finding]]:
    """Study a batch of references: for each metric one finding an error type, as in `ERRORS`."""
    bounds = references(*batch)
    moves = moves_of(bounds)
    if not moves.to.size:
        return [[Finding(0, None)] * len(ERRORS) for _ in metrics]
    pairs = lay(bounds, moves)
    out = []
    for studied in metrics:
        values, tolerance = studied.scores(pairs, batch.n, batch.m)
        # An undefined score equals no other.
        scored = ~np.isnan(values)
        scored_moves = moves.chosen(scored)
        rank = ranks(values[scored], tolerance)
        wrong = erring(scored_moves, rank, len(bounds))
        examples = [
            _example(bounds, scored_moves, rank, wrong[:, k], k) for k in range(len(ERRORS))
        ]
        totals = wrong.sum(axis=0).tolist()
        out.append([Finding(*row) for row in zip(totals, examples, strict=True)])
    return out


def _example(bounds: Ints, moves: Moves, rank: Ints, wrong: Bools, error: int) -> Example | None:
    """Return the first reference with an error, with its first pair."""
    if not wrong.any():
        return None
    row = int(wrong.argmax())
    own = moves.reference == row
    own_moves = moves.chosen(own)
    pair = equal_pairs(own_moves, rank[own])[error][0]
    masses = np.diff(lay(bounds, own_moves).hyp.bounds).reshape(-1, bounds.shape[1] - 1)
    h1, h2 = masses[pair].tolist()
    return Example(np.diff(bounds[row]).tolist(), h1, h2)


class Row(NamedTuple):
    """One row of the table: a metric, an error type and a number of units or segments."""

    metric: StudiedMetric
    error: str  # one of `ERRORS`
    n: int  # the number of units, or of segments
    references: int  # the number of references
    erring: int  # the number of those on which the metric errs
    # The first reference with an error, by units, segments and masses, with its first pair.
    example: Example | None
    by: By = "units"  # which of the two `n` counts; one of "units", "segments"

    @property
    def share(self) -> float:
        """The share of references that the metric errs on."""
        return self.erring / self.references


def rows_of(
    metrics: Sequence[StudiedMetric],
    findings: Mapping[Batch, Sequence[Sequence[Finding]]],
    by: By = "units",
) -> list[Row]:
    """Add up the findings of batches: one row a metric, error type and number of units.

    By segments, a row has all references of as many segments, whatever their numbers of units.
    """
    order = sorted(findings)
    sizes = {batch: batch.n if by == "units" else batch.m for batch in order}
    rows = []
    for number, studied in enumerate(metrics):
        for column, error in enumerate(ERRORS):
            for n in sorted(set(sizes.values())):
                own_batches = [batch for batch in order if sizes[batch] == n]
                parts = [findings[batch][number][column] for batch in own_batches]
                rows.append(
                    Row(
                        studied,
                        error,
                        n,
                        sum(batch.last - batch.first for batch in own_batches),
                        sum(part.erring for part in parts),
                        next((part.example for part in parts if part.example), None),
                        by,
                    )
                )
    return rows


def study_errors(
    metrics: Iterable[StudiedMetric], smallest: int = 5, largest: int = 20, *, by: By = "units"
) -> list[Row]:
    """Run the whole study in this process.

    Raises `OptionError` when the range is empty or too large, or a metric cannot be run on
    `smallest` units.

    Examples
    --------
    >>> from bitext.metrics.study import StudiedMetric
    >>> from bitext.metrics.registry import parse_metrics
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
    return rows_of(known, {batch: study_batch(batch, known) for batch in batches}, by)
