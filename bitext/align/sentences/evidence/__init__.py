"""The evidence for beads, a score of each: lengths, words, punctuation, times and vectors.

The score of a bead by its lengths, after Gale and Church (1993), is the log-likelihood ratio of the
lengths as a translation and by themselves:

    log P(lengths of its target sentences | total length of its source sentences)
        - sum over its target sentences of log P(length)

and the same from the target to the source. The mean of both directions makes the alignment of two
texts independent of which text is the source. Scores of all bead types are comparable, and beads
with an empty side have 0. By themselves, lengths are log-normal. Given the source, the total length
of the target has a mean of `ratio` times the length of the source, and a Student t distribution
with 5 degrees of freedom and a squared scale in proportion to the length (Gale and Church: a normal
distribution); or a Poisson distribution, as in Moore (2002). All divisions of the total among the
target sentences are equally likely. Ratio and variance are estimated from the texts. The unit of
lengths is between those of both languages, so that the ratio becomes 1.

First comes what all evidence needs, the columns of a band and a cache of scores, then the evidence
of lengths. The other kinds of evidence have their own modules.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import cached_property, lru_cache, partial
from itertools import chain
from typing import NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from bitext.kernels.arrays import (
    Floats,
    Ints,
    RunningSums,
    Singles,
    median,
    running_sums,
    window_of,
    within,
)
from bitext.kernels.bead_path import Band
from bitext.kernels.compiled_evidence import EvidenceKernels, evidence_kernels

UNIT = 1024.0
"""Integer score of a natural logarithm of 1: ties are exact, and rounding is below any evidence."""


def whole_numbers(scores: Singles, least: float) -> NDArray[np.int32]:
    """Return natural logarithms, `least` at least, as integers of 1/1024; scores are overwritten.

    Examples
    --------
    >>> whole_numbers(np.array([1.0, -0.5, -9.0], dtype=np.float32), -2.0).tolist()
    [1024, -512, -2048]

    """
    kernels = evidence_kernels.after(0)
    if kernels is not None:
        whole = np.empty(scores.shape, dtype=np.int32)
        limit, unit = np.float32(least), np.float32(UNIT)
        kernels.whole_numbers(scores.reshape(-1), limit, unit, whole.reshape(-1))
        return whole
    np.maximum(scores, least, out=scores)
    scores *= UNIT
    return np.rint(scores, out=scores).astype(np.int32)


_NONE: tuple[Singles, int, int, int] = np.zeros(0, dtype=np.float32), 0, 0, 0
_MOST_SUMMED = 4  # arrays that a compiled kernel adds up
_BYTES = 4  # bytes of a score of 32 bits


def whole_sums(scores: Sequence[Singles], logs: Singles, least: float) -> NDArray[np.int32]:
    """Sum natural logarithms, and convert the sums as `whole_numbers` does.

    The arrays of `scores` have the shape (beads, rows, width); `logs`, of shape (beads,), is added
    to the first of them.

    Examples
    --------
    >>> one = np.array([[[1.0, -0.5]]], dtype=np.float32)
    >>> whole_sums([one, one], np.array([-1.0], dtype=np.float32), -9.0).tolist()
    [[[1024, -2048]]]

    """
    kernels = evidence_kernels.after(0)
    are_alike = all(one.dtype == np.float32 and one.shape == scores[0].shape for one in scores)
    if kernels is not None and are_alike and len(scores) <= _MOST_SUMMED:
        parts = [_in_memory(one) for one in scores] + [_NONE] * (_MOST_SUMMED - len(scores))
        whole = np.empty(scores[0].shape, dtype=np.int32)
        numbers = chain.from_iterable(parts)
        kernels.whole_sums(*numbers, logs, np.float32(least), np.float32(UNIT), whole)
        return whole
    total = scores[0] + logs[:, None, None]
    for one in scores[1:]:
        total += one
    return whole_numbers(total, least)


def _in_memory(scores: Singles) -> tuple[Singles, int, int, int]:
    """Return the memory with some scores, the index there of the first one, and the distances.

    The distances are those of beads and of rows. A part of an array in the cache is not copied.
    """
    whole, is_run = scores.base, scores.strides[-1] == _BYTES
    if not (
        is_run
        and isinstance(whole, np.ndarray)
        and whole.dtype == scores.dtype
        and whole.flags.c_contiguous
    ):
        whole = scores = np.ascontiguousarray(scores)
    by_kind, by_row, _ = scores.strides
    places = (one.__array_interface__["data"][0] for one in (scores, whole))
    first = next(places) - next(places)
    return whole.reshape(-1), first // _BYTES, by_kind // _BYTES, by_row // _BYTES


class Evidence(Protocol):
    """A kind of evidence, which scores beads."""

    def block(self, first: int, last: int, band: Band) -> Singles:
        """Score the beads that end at each point of the rows `first` <= i < `last` of a band.

        Scores are natural logarithms, shape (beads, last - first, width); those of beads that begin
        before the table are undefined.
        """


# The columns of some rows of a band, with values that are computed once for each column.
#
# Adjacent rows have nearly the same columns. Values that depend on a column alone, such as the
# length of the sentences before the column, are computed for each column of all rows, and then laid
# out by rows.

_Number = TypeVar("_Number", np.int64, np.float32, np.float64)

_IN_CACHE = 1 << 15  # numbers of 32 bits of each of two arrays: speed only


class BandColumns(NamedTuple):
    """Columns of some rows of a band."""

    # All columns from the first to the last of the rows; some may be outside of the table. Shape
    # (columns,).
    column: Ints
    # The index in `column` of the first point of each row, never descending. Shape (rows,).
    begin: Ints
    width: int  # the number of points of each row

    @classmethod
    def of(cls, first: int, last: int, band: Band) -> BandColumns:
        """Return the columns of the rows `first` <= i < `last`.

        Examples
        --------
        >>> from bitext.kernels.bead_path import Band
        >>> columns = BandColumns.of(1, 3, Band(np.array([0, 2, 3]), 2, 4))
        >>> columns.column.tolist(), columns.by_rows(columns.column[None], np.array([0])).tolist()
        ([2, 3, 4], [[2, 3], [3, 4]])

        """
        lo = band.lo[first:last]
        column = np.arange(int(lo[0]), int(lo[-1]) + band.width)
        return cls(column, lo - lo[0], band.width)

    def by_rows(self, values: NDArray[_Number], kind: Ints) -> NDArray[_Number]:
        """Lay out values of columns by rows.

        `values` has the shape (kinds, columns). `kind` numbers the values of each row: its shape is
        (..., rows), or (..., 1) where all rows have the same. The result has the shape (..., rows,
        width).
        """
        # Rows are copied whole, which is faster than an index of each point. The windows are made
        # by hand: `sliding_window_view` takes as long as the copies of a narrow band.
        values = np.ascontiguousarray(values)
        shape = len(values), values.shape[1] - self.width + 1, self.width
        strides = *values.strides, values.strides[1]
        windows: NDArray[_Number] = np.ndarray(shape, values.dtype, values, 0, strides)
        return windows[kind, self.begin]

    def together(self, beads: int) -> Iterator[slice]:
        """Divide bead types so that the scores of those of a part fit into a cache of 256 KB."""
        step = max(1, _IN_CACHE // (len(self.begin) * self.width))
        for begin in range(0, beads, step):
            yield slice(begin, begin + step)


class TwoSidedBeads(NamedTuple):
    """The bead types with two sides."""

    kinds: Ints  # their indices among all types; shape (types,)
    src: Ints  # the number of source sentences of each; shape (types, 1)
    # The distinct numbers of target sentences, ascending. Shape (numbers, 1).
    tgt: Ints
    which: Ints  # the index in `tgt` of the number of each type; shape (types, 1)
    others: Ints  # the indices of the types with an empty side
    # As kernels get them: the numbers of sentences of each type, the distinct ones, and the index
    # of those of each type. Shapes (types,), (numbers,), (types,).
    sides: tuple[Ints, Ints]
    numbers: tuple[Ints, Ints]
    indices: tuple[Ints, Ints]
    most: tuple[int, int]  # the largest of both

    def windows(
        self, sums: Sequence[Floats | RunningSums], shape: tuple[int, int], row: int, column: int
    ) -> tuple[Floats | Ints | int, ...]:
        """Return the running sums of both sides near some points, as kernels get them.

        The points are those of `shape` rows and columns from `row` and `column` on.
        """
        src, tgt = sums
        return (
            *(*window_of(src, row - self.most[0], row + shape[0]), len(src) - 1),
            *(*window_of(tgt, column - self.most[1], column + shape[1]), len(tgt) - 1),
            *(row, column, *self.numbers),
        )

    def scores(self, beads: int, rows: int, width: int) -> Singles:
        """Return an array for scores, with those of the types with an empty side, which are 0."""
        scores = np.empty((beads, rows, width), dtype=np.float32)
        scores[self.others] = 0.0
        return scores

    @classmethod
    def of(cls, beads: Sequence[tuple[int, int]]) -> TwoSidedBeads:
        """Select the types with sentences on both sides."""
        return _two_sided(tuple(beads))


@lru_cache(maxsize=16)  # the evidence of each text is for the same bead types
def _two_sided(beads: tuple[tuple[int, int], ...]) -> TwoSidedBeads:
    kinds = np.flatnonzero([a and b for a, b in beads])
    src, tgt = np.array(beads, dtype=np.int64).reshape(-1, 2)[kinds].T
    rows, row_index = np.unique(src, return_inverse=True)
    columns, column_index = np.unique(tgt, return_inverse=True)
    numbers, indices = (rows, columns), (row_index.reshape(-1), column_index.reshape(-1))
    others = np.flatnonzero([not (a and b) for a, b in beads])
    most = int(src.max(initial=0)), int(tgt.max(initial=0))
    of_kernels = (src.copy(), tgt.copy()), numbers, indices, most
    return TwoSidedBeads(
        kinds, src[:, None], columns[:, None], indices[1][:, None], others, *of_kernels
    )


# A cache of the scores of short texts, each of which is used many times.
#
# The initial path of a text is searched with up to a dozen priors and search spaces, and each path
# is searched again for passages and scored. The evidence for a bead is the same in all searches.
# Scores of long texts are not cached: they are large, and each search has other, narrow bands.

_SHORT = 1 << 19  # points of the largest table with cached scores: 700 by 700 sentences
_ROOM = 1 << 26  # bytes of all blocks, 64 MB in each process: bounds memory

_Rows = tuple[int, int, int, bytes, bytes]  # first and last row, width, first and last columns


class ScoreCache:
    """Cache of the latest scores.

    All blocks have at most `room` bytes; `short` is the largest number of points of a table with
    cached scores.
    """

    def __init__(self, room: int = _ROOM, *, short: int = _SHORT) -> None:
        self._room = self._left = room
        self.short = short
        self._held: OrderedDict[Hashable, _Blocks] = OrderedDict()
        self._further: dict[int, list[Evidence]] = {}

    def of(self, key: Hashable, model: object, make: Callable[[], Evidence]) -> Evidence:
        """Return cached evidence for a key; `make` makes the evidence of an immutable model.

        The evidence is made when the first uncached block is scored. Cached blocks are read-only.
        The cache refers to the model as long as to its blocks, so the key may contain the `id` of
        the model.
        """
        blocks = self._held.setdefault(key, _Blocks(model))
        self._held.move_to_end(key)
        return _CachedEvidence(make, blocks, self._has_room)

    def further(self, k: int, more: Callable[[int], Sequence[Evidence]]) -> list[Evidence]:
        """Return the additional evidence of text pair k; `more` is called once for each pair."""
        if k not in self._further:
            self._further[k] = list(more(k))
        return self._further[k]

    @property
    def size(self) -> int:
        """The number of bytes of all blocks."""
        return self._room - self._left

    def clear(self) -> None:
        """Drop all blocks."""
        while self._held:
            self._drop()

    def _drop(self) -> None:
        """Drop the blocks of the least recently used key."""
        _, blocks = self._held.popitem(last=False)
        blocks.is_held = False
        self._left += blocks.size

    def _has_room(self, size: int, blocks: _Blocks) -> bool:
        """Reserve `size` bytes for blocks by dropping others; return whether there is room."""
        while (
            blocks.is_held and self._left < size and next(iter(self._held.values())) is not blocks
        ):
            self._drop()
        if not blocks.is_held or self._left < size:
            return False
        self._left -= size
        blocks.size += size
        return True


class _Blocks:
    """Cached scores of one model."""

    def __init__(self, model: object) -> None:
        self.model, self.is_held, self.size = model, True, 0
        self.blocks: dict[_Rows, Singles] = {}

    def within(self, first: int, last: int, width: int, lo: Ints, ends: Ints) -> Singles | None:
        """Return scores that are part of a block; None if no block has all of them.

        `lo` and `ends` are the first column of each row, and the last one that matters.
        """
        for (begin, end, _, first_columns, last_columns), block in self.blocks.items():
            if begin > first or last > end:
                continue
            part = slice(first - begin, last - begin)
            low = np.frombuffer(first_columns, dtype=np.int64)[part]
            high = np.frombuffer(last_columns, dtype=np.int64)[part]
            if (low > lo).any() or (high < ends).any():
                continue
            shift = lo - low
            end = int(shift[0]) + width
            if end <= block.shape[2] and (shift == shift[0]).all():  # as in a whole table
                return block[:, part, end - width : end]
            place = np.minimum(shift[:, None] + np.arange(width), block.shape[2] - 1)
            return np.take_along_axis(block[:, part], place[None], axis=2)
        return None


class _CachedEvidence:
    """Evidence that computes only blocks that are not cached."""

    def __init__(
        self,
        make: Callable[[], Evidence],
        cached: _Blocks,
        has_room: Callable[[int, _Blocks], bool],
    ) -> None:
        self._make, self._cached, self._has_room = make, cached, has_room

    @cached_property
    def _evidence(self) -> Evidence:
        return self._make()

    def block(self, first: int, last: int, band: Band) -> Singles:
        """Return the cached scores of some rows of a band, or score the rows and cache them."""
        lo = band.lo[first:last]
        ends = lo + (band.width - 1) if band.hi is None else band.hi[first:last]
        key = first, last, band.width, lo.tobytes(), ends.tobytes()
        scores = self._cached.blocks.get(key)
        if scores is None:
            scores = self._cached.within(first, last, band.width, lo, ends)
        if scores is None:
            scores = self._evidence.block(first, last, band)
            if self._has_room(scores.nbytes, self._cached):
                scores.flags.writeable = False
                self._cached.blocks[key] = scores
        return scores


# The evidence of sentence lengths for beads, after Gale and Church (1993).


# Set by hand, where there is no source. Change of F1 if halved and if doubled, mean of parice and
# text+berg (alignment_constants.md): FREEDOM -.009 and -.028, _FIRST -.006 and -.015, _USUAL -.005
# and 0; the others 0. WORD is for methods that count words.
WORD = 6.0  # letters of a word, if lengths are in words

FREEDOM = 5.0  # degrees of freedom of Student's t: heavier tails than Gale and Church's normal
_PEAK = -0.9686  # log density at 0 of Student's t with 5 degrees of freedom
_MEDIAN = 0.528  # median of the square of this t
_FIRST = 6.8  # variance for each letter before alignment: Gale and Church (1993, section 3.3)
_USUAL, _LEAST = 2.0, 1.0  # prior and smallest variance for each letter of aligned texts
_BELIEF = 20.0  # weight of the prior variance, in beads
_LONG = 50.0  # medians: the largest length of a sentence in the estimate of the first ratio
_SLACK = 4.0  # letters squared: variance added to that of any bead, however short
LEAST_SPREAD = 0.3  # least standard deviation of the logarithms of lengths, which may all be equal
_PRIOR_LENGTH = 1e-3  # length of both sides, in the unit between both, with the ratio from before
_LEAST_TOTAL = 1e-3  # length: least total of a side, whose logarithm is finite


class LengthModel(NamedTuple):
    """Model of the lengths of translations."""

    ratio: float  # the target length for a source length of 1
    # The squared scale of the difference of lengths, for a length of 1 in the unit between both
    # languages.
    variance: float
    # `means`, `spreads`: means and standard deviations of the logarithms of the lengths of source
    # and of target sentences.
    means: tuple[float, float]
    spreads: tuple[float, float]
    poisson: bool = False  # use a Poisson distribution of the total length; default: Student's t
    unit: float = 1.0  # the unit of lengths, in letters: 1, or the letters of a word

    @classmethod
    def first(
        cls, src: Floats, tgt: Floats, *, poisson: bool = False, unit: float = 1.0
    ) -> LengthModel:
        """Estimate a model from the lengths of all sentences, before alignment."""
        ratio = float(_usual(tgt) / _usual(src)) if src.size and tgt.size else 1.0
        logs = [np.log(np.maximum(side, 1.0)) if side.size else np.zeros(1) for side in (src, tgt)]
        means = float(logs[0].mean()), float(logs[1].mean())
        spreads = [max(float(side.std()), LEAST_SPREAD) for side in logs]
        return cls(ratio, _FIRST / unit, means, (spreads[0], spreads[1]), poisson, unit)

    def learned(self, src: Floats, tgt: Floats) -> LengthModel:
        """Estimate ratio and variance from the total lengths `src` and `tgt` of beads."""
        if not src.size:
            return self
        between = math.sqrt(self.ratio)
        ratio = float((tgt.sum() + _PRIOR_LENGTH * between) / (src.sum() + _PRIOR_LENGTH / between))
        src, tgt = src * math.sqrt(ratio), tgt / math.sqrt(ratio)
        squares = (tgt - src) ** 2 / ((src + tgt) / 2)
        seen = median(squares) / _MEDIAN
        usual = min(self.variance, _USUAL / self.unit)
        variance = (len(src) * seen + _BELIEF * usual) / (len(src) + _BELIEF)
        return self._replace(ratio=ratio, variance=max(variance, _LEAST / self.unit))


def _usual(lengths: Floats) -> float:
    """Sum lengths, each of which counts at most 50 times the median."""
    return float(np.minimum(lengths, _LONG * median(lengths)).sum())


class LengthEvidence:
    """Evidence of lengths for all beads of two texts.

    `src` and `tgt` have the length of each sentence, above 0.
    """

    def __init__(
        self, beads: Sequence[tuple[int, int]], src: Floats, tgt: Floats, model: LengthModel
    ) -> None:
        self.beads, self.model = list(beads), model
        self._both = TwoSidedBeads.of(beads)
        between = math.sqrt(model.ratio)
        self._units = 1 / between, between

        def source(first: int, last: int) -> Floats:
            return src[first:last] * between

        def target(first: int, last: int) -> Floats:
            return tgt[first:last] / between

        sides = (len(src), source), (len(tgt), target)
        self._total = [running_sums(*side) for side in sides]
        self._alone = [
            running_sums(size, partial(_alone, lengths, mean + math.log(unit), spread))
            for (size, lengths), unit, mean, spread in zip(
                sides, (between, 1 / between), model.means, model.spreads, strict=True
            )
        ]

    def block(self, first: int, last: int, band: Band) -> Singles:
        """Score the beads that end at each point of some rows; see `Evidence.block`."""
        both, shape = self._both, (len(self.beads), last - first, band.width)
        if not len(both.kinds):
            return np.zeros(shape, dtype=np.float32)
        columns = BandColumns.of(first, last, band)
        kernels = None if self.model.poisson else evidence_kernels.after(math.prod(shape))
        if kernels is not None:
            return self._compiled(kernels, first, columns, np.empty(shape, dtype=np.float32))
        source, rest = self._side(0, np.arange(first, last), both.src)
        target, more = self._side(1, columns.column, both.tgt)
        out = both.scores(*shape)
        for batch in columns.together(len(both.kinds)):
            kind = both.which[batch]
            ratios = self._beside(source[batch, :, None], columns.by_rows(target, kind))
            alone = columns.by_rows(more, kind)
            alone += rest[batch, :, None]
            ratios += alone
            out[both.kinds[batch]] = ratios
        return out

    def _compiled(
        self, kernels: EvidenceKernels, first: int, columns: BandColumns, out: Singles
    ) -> Singles:
        both, begin = self._both, columns.begin
        place = (len(begin), len(columns.column)), first, int(columns.column[0])
        row, column = zip(map(len, both.numbers), place[0], strict=True)
        cells = row[0] * row[1]
        totals = np.empty(cells + column[0] * column[1])
        sides = totals[:cells].reshape(row), totals[cells:].reshape(column)
        kernels.length_totals(*both.windows(self._total, *place), _LEAST_TOTAL, *sides)
        logs = np.log(totals)
        rest, (singles, more) = np.empty(row, np.float32), np.empty((2, *column), np.float32)
        kernels.length_terms(
            *(*sides, logs[:cells].reshape(row), logs[cells:].reshape(column)),
            *(*both.windows(self._alone, *place), *both.indices, both.kinds, begin),
            *(*self._spread, singles, rest, more, out),
        )
        out[both.others] = 1.0  # whose logarithm is their score
        np.log(out, out=out)
        kernels.length_scores(rest, more, *both.indices, both.kinds, begin, np.float32(_PEAK), out)
        return out

    @cached_property
    def _spread(self) -> tuple[np.float32, np.float32, np.float32]:
        """Half of the variance for a letter, the variance of any bead, and 1 over `FREEDOM`."""
        return (
            np.float32(self.model.variance / 2),
            np.float32(_SLACK / self.model.unit**2),
            np.float32(1 / FREEDOM),
        )

    def of(self, row: int, column: int, kind: int) -> tuple[float, float]:
        """Return the total lengths of both sides of a bead that ends at a point."""
        a, b = self.beads[kind]
        src, tgt = self._total
        return (
            float(np.diff(src[np.array([row - a, row])])[0]) * self._units[0],
            float(np.diff(tgt[np.array([column - b, column])])[0]) * self._units[1],
        )

    def _side(self, side: int, end: Ints, number: Ints) -> tuple[Singles, Singles]:
        """Return the total length of one side of beads, and half of the terms of this side alone.

        The terms are the log probability of the division among the sentences, and the negative log
        probabilities of the lengths of the sentences by themselves.
        """
        sums, alone = self._total[side], self._alone[side]
        size = len(sums) - 1
        begin, end = within(end - number, 0, size), within(end, 0, size)
        total = np.maximum(sums[end] - sums[begin], _LEAST_TOTAL)
        rest = -(number - 1) * np.log(total) - (alone[end] - alone[begin])
        return total.astype(np.float32), (rest / 2).astype(np.float32)

    def _beside(self, source: Singles, target: Singles) -> Singles:
        """Return the log probability of a total length, given that of the other side."""
        result: Singles
        if self.model.poisson:
            # The mean of both directions, in which most terms cancel; factorials by Stirling.
            cross = (target - source) * (np.log(source) - np.log(target)) / 2
            result = cross - np.log(source * target) / 4
            result -= np.float32(math.log(2 * math.pi) / 2)
            result -= 1 / (24 * source + 2) + 1 / (24 * target + 2)
            return result
        # In place, as there is a number for each bead type at each point of the band. With v for
        # the variance, d for the difference and r for 1 + d^2 / 5v, the density is proportional to
        # 1 / (v^(1/2) r^3): a single logarithm, as logarithms take most of the time.
        each, slack, share = self._spread
        variance = source + target
        variance *= each
        variance += slack
        result = target - source
        result *= result
        result /= variance
        result *= share
        result += np.float32(1)
        np.sqrt(variance, out=variance)
        variance *= result
        result *= result
        result *= variance
        np.log(result, out=result)
        np.subtract(np.float32(_PEAK), result, out=result)
        return result


def _alone(
    lengths_of: Callable[[int, int], Floats], mean: float, spread: float, first: int, last: int
) -> Floats:
    """Return the log-normal log density of the length of each of some sentences."""
    lengths = lengths_of(first, last)
    at = (np.log(lengths) - mean) / spread
    return -np.log(lengths * spread * math.sqrt(2 * math.pi)) - at * at / 2
