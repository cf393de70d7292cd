"""The best path of beads through two sequences, within a band.

A bead (a, b) takes the next a members of the first sequence and the next b of the second. A path
that has taken i members of the first and j of the second is at the point (i, j); it runs from
(0, 0) to (rows, columns). Its score is the sum of the scores of its beads, and is *maximised*:

    D[i][j] = max over beads (a, b) of D[i - a][j - b] + score of the bead that ends at (i, j)

In row i the search visits only the points from `lo[i]` on, as many as the band is wide, so time and
memory are linear in the rows. Scores are integers, so ties are exact: among equal scores, read from
the end of the path, the bead that is first in the list wins, (0, 1) last.

Only the bead (0, 1) may take no member of the first sequence, so a whole row is computed at once,
with a running maximum for this bead.
"""

from __future__ import annotations

import itertools
from array import array
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from bitext.errors import InputError, many
from bitext.kernels.compiled import (
    ALONG,
    NEVER,
    OPENED,
    OPENED_ABOVE,
    STAYED,
    Kernels,
    compiled_kernels,
)
from bitext.kernels.compiled_evidence import EvidenceKernels, evidence_kernels

if TYPE_CHECKING:
    from bitext.kernels.arrays import Bools, Ints

    _Scores = Ints
    _Row = tuple[_Scores, _Scores, _Scores, _Scores, _Scores, np.int64]

# The bits of a cell that are its score; a number would be made an array at each use.
SCORE = np.array(-256)
CELLS_AT_ONCE = 1 << 18  # cells scored at once
_Number = TypeVar("_Number", np.int64, np.float64)

# scores(first, last): the scores of all beads that end in the rows first <= i < last, as an array
# of shape (beads, last - first, width); those of beads that begin before the table may be any
# number. The array may have fewer columns than the band: no path then passes the missing columns.
Scores = Callable[[int, int], "NDArray[np.integer]"]


class Band(NamedTuple):
    """The visited points of each row: columns lo[i] <= j < lo[i] + width."""

    # Never descending; column 0 is in the first row, and the last column in the last row. Shape
    # (rows + 1,).
    lo: Ints
    # At least 1. Columns outside of the table are not points.
    width: int
    columns: int  # the length of the second sequence
    # The last column of each row that matters, never descending; scores after it may be any
    # number. Default: `lo` + `width` - 1. The search itself visits the whole width. Shape (rows +
    # 1,).
    hi: Ints | None = None

    @property
    def rows(self) -> int:
        """The length of the first sequence."""
        return len(self.lo) - 1

    def last(self, row: Ints | int) -> Ints:
        """Return the last column of each row that matters."""
        return self.lo[row] + (self.width - 1) if self.hi is None else self.hi[row]


class BeadPath(NamedTuple):
    """A path of beads."""

    score: int
    kinds: Ints  # the index of each bead in the list; shape (beads of the path,)
    # `row`, `column`: the end of each bead; shape (beads of the path,).
    row: Ints
    column: Ints
    # The least distance between the path and an edge of the band with points of the table after
    # it, as a share of the width, 0 to 0.5; 0.5 without such an edge.
    near: float

    def part(self, first: int, last: int) -> BeadPath:
        """Return the beads `first` to `last`, half-open, with the score of the whole path."""
        return self._replace(
            kinds=self.kinds[first:last], row=self.row[first:last], column=self.column[first:last]
        )

    @classmethod
    def joined(cls, parts: Sequence[BeadPath]) -> BeadPath:
        """Join paths, each of which begins at the end of the one before."""
        columns = zip(*(part[1:4] for part in parts), strict=True)
        kinds, row, column = (np.concatenate(each) for each in columns)
        score, near = sum(part.score for part in parts), min(part.near for part in parts)
        return cls(score, kinds, row, column, near)


def best_path(
    beads: Sequence[tuple[int, int]], scores: Scores, band: Band, *, at_once: int = CELLS_AT_ONCE
) -> BeadPath:
    """Return the best path through a band.

    There are at most 255 beads, all different: (0, 1) and (1, 0) are among them, (0, 0) is not, and
    no other has 0 as its first number. Scores are integers; the size of each score, and of the sum
    over any path, is less than 2^39. `at_once` bounds memory: the cells whose scores are computed
    at once.

    Raises `InputError` when the beads are others, the band descends, or an end of the table is
    outside of it.

    Examples
    --------
    >>> tables = np.array([[[0, 0], [0, 5]], [[0, 0], [-1, -1]], [[0, -1], [0, -1]]])
    >>> band = Band(np.array([0, 0]), 2, 1)
    >>> best = best_path([(1, 1), (1, 0), (0, 1)], lambda first, last: tables[:, first:last], band)
    >>> best.score, best.kinds.tolist(), best.row.tolist(), best.column.tolist()
    (5, [0], [1], [1])

    """
    check_beads(beads, band)
    rows, lo = band.rows, band.lo
    cuts = Cuts(beads, band, at_once)
    if (kernels := compiled_kernels((rows + 1) * band.width * len(beads))) is not None:
        return _compiled_path(kernels, cuts, scores)
    alone, deep, left = cuts.alone, cuts.deep, cuts.left
    # A cell is its score times 256; the last byte of a candidate is its bead, so that one maximum
    # finds both, and among equal scores the first bead of the list.
    code = 255 - np.array(cuts.taking)
    came = np.empty((rows + 1, band.width), dtype=np.uint8)
    # The last rows of the block above stand before those of a block.
    scores_above = np.full((deep + cuts.at_once, cuts.stride), NEVER)
    for first, last in cuts.blocks():
        bead_scores = scores(first, last)
        width = bead_scores.shape[2]
        outside = cuts.outside(first, last, width)
        totals = runs(bead_scores[alone].astype(np.int64), outside) << 8
        row_scores = cuts.by_rows(bead_scores, outside)
        row_scores += code[:, None]
        starts = cuts.above(first, last)
        window = sliding_window_view(scores_above.reshape(-1), width)
        scores_above[deep:, left + width : left + band.width] = NEVER
        candidates = np.empty((len(code), width), dtype=np.int64)
        apart = np.empty((last - first, width), dtype=np.int64)
        reached = np.empty_like(apart)
        below = scores_above[deep : deep + last - first, left : left + width]
        by_row = zip(starts, row_scores, apart, totals, reached, below, strict=True)
        for i, (start, own, best, total, along, row_best) in enumerate(by_row, first):
            np.add(window[start], own, out=candidates)
            np.maximum.reduce(candidates, axis=0, out=best)
            if i == 0:
                best[-lo[0]] = 0
            # In sums of the beads (0, 1) a run of them costs nothing.
            best -= total
            np.maximum.accumulate(best, out=along)
            np.add(along, total, out=row_best)
            row_best &= SCORE
        came[first:last, :width] = np.where(reached >> 8 > apart >> 8, alone, 255 - (apart & 255))
        scores_above[:deep] = scores_above[last - first : last - first + deep].copy()
    score = _reached(scores_above[deep - 1, left + band.columns - lo[rows]])
    starts = np.arange(rows + 1) * band.width - lo
    return _back(beads, came, starts, band, score)


def _reached(packed: np.int64) -> int:
    """Return the score at the end of a table; raises `InputError` where no path leads there."""
    score = int(packed) >> 8
    if score <= NEVER >> 9:
        raise InputError("no path of these beads leads through the band: make it wider")
    return score


def _compiled_path(kernels: Kernels, cuts: Cuts, scores: Scores) -> BeadPath:
    band, deep = cuts.band, cuts.deep
    came = np.empty((band.rows + 1, band.width), dtype=np.uint8)
    scores_above = np.full((deep + cuts.at_once, band.width), NEVER)
    taking, lo = cuts.taking_numbers, np.ascontiguousarray(band.lo)
    for first, last in cuts.blocks():
        bead_scores = _checked_scores(scores, first, last, len(taking) + 1, band.width)
        rows = scores_above[: deep + last - first]
        search = kernels.path_rows if bead_scores.itemsize == 4 else kernels.long_path_rows
        search(
            *(bead_scores, lo, first, cuts.a, cuts.b, taking, cuts.alone, band.columns),
            *(rows, came[first:last]),
        )
        scores_above[:deep] = rows[last - first :].copy()
    score = _reached(scores_above[deep - 1, band.columns - lo[-1]])
    starts = np.arange(band.rows + 1) * band.width - lo
    most, near = band.rows + band.columns, np.empty(1, dtype=np.int64)
    kinds, row, column = (np.empty(most, dtype=np.int64) for _ in range(3))
    begin = kernels.path_back(
        *(came.reshape(-1), starts, *cuts.sizes, band.columns, band.width),
        *(kinds, row, column, near),
    )
    kinds, row, column = (part[begin:].copy() for part in (kinds, row, column))
    return BeadPath(score, kinds, row, column, min(int(near[0]) / band.width, 0.5))


def _checked_scores(
    scores: Scores, first: int, last: int, beads: int, width: int
) -> NDArray[np.integer]:
    """Return the scores of some rows for a compiled kernel, which does not look at sizes.

    Scores that have not 32 bits get 64.
    """
    bead_scores = scores(first, last)
    kind = np.int32 if bead_scores.dtype == np.int32 else np.int64
    bead_scores = np.ascontiguousarray(bead_scores, dtype=kind)
    if bead_scores.shape[:2] != (beads, last - first) or bead_scores.shape[2] > width:
        raise ValueError(
            f"scores of shape {bead_scores.shape}: want {(beads, last - first, width)}"
        )
    return bead_scores


class ScoredBand(NamedTuple):
    """A band with the scores of all its beads, as `best_path` asks for them."""

    scores: NDArray[np.integer]  # shape (beads, rows + 1, columns of the scores)
    band: Band


def best_paths(
    beads: Sequence[tuple[int, int]], tables: Sequence[ScoredBand], *, at_once: int = CELLS_AT_ONCE
) -> list[BeadPath]:
    """Return the best path through each of many bands, as `best_path` does of one.

    The tables are searched in lockstep: each row of all of them at once, so that many small ones
    take as many calls as the one with most rows. `at_once` bounds memory: the cells that are
    prepared at once.

    Raises `InputError` as in `best_path`.

    Examples
    --------
    >>> scores = np.array([[[0, 0], [0, 5]], [[0, 0], [-1, -1]], [[0, -1], [0, -1]]])
    >>> table = ScoredBand(scores, Band(np.array([0, 0]), 2, 1))
    >>> [path.score for path in best_paths([(1, 1), (1, 0), (0, 1)], [table, table])]
    [5, 5]

    """
    for table in tables:
        check_beads(beads, table.band)
    if compiled_kernels(sum(table.scores.size for table in tables)) is not None:
        return [_scored_path(beads, table) for table in tables]
    order = sorted(range(len(tables)), key=lambda k: -tables[k].band.rows)
    step = _Lockstep(beads, [tables[k] for k in order], at_once) if tables else None
    paths = dict(zip(order, step.paths(), strict=True)) if step else {}
    return [paths[k] for k in range(len(tables))]


def _scored_path(beads: Sequence[tuple[int, int]], table: ScoredBand) -> BeadPath:
    # In one block, as a part of the scores would be copied.
    return best_path(
        beads, lambda first, last: table.scores[:, first:last], table.band, at_once=1 << 62
    )


class _Lockstep:
    """The search of many tables, those with most rows first. Rows and numbers are as in `Cuts`."""

    def __init__(
        self, beads: Sequence[tuple[int, int]], tables: Sequence[ScoredBand], at_once: int
    ) -> None:
        self.beads, self.tables = list(beads), tables
        self.alone = self.beads.index((0, 1))
        self.taking = [k for k, (a, _) in enumerate(beads) if a]
        self.a, self.b = np.array([beads[k] for k in self.taking], dtype=np.int64).T
        self.deep, self.wide = int(self.a.max()), int(self.b.max())
        self.width = max(table.scores.shape[2] for table in tables)
        self.rows = np.array([table.band.rows for table in tables])
        self.columns = np.array([table.band.columns for table in tables])
        self.lo = np.zeros((int(self.rows[0]) + 1, len(tables)), dtype=np.int64)
        for k, table in enumerate(tables):
            self.lo[: len(table.band.lo), k] = table.band.lo
            self.lo[len(table.band.lo) :, k] = table.band.lo[-1]
        cells = len(tables) * self.width * len(beads)
        self.at_once = min(max(1, at_once // cells), len(self.lo))

    def paths(self) -> list[BeadPath]:
        """Return the best paths."""
        beads, tables, width, deep = self.beads, self.tables, self.width, self.deep
        stride, count = 2 * width + self.wide, len(tables)
        inner = slice(self.wide, self.wide + width)
        scores_above = np.full((deep + self.at_once, count, stride), NEVER)
        window = sliding_window_view(scores_above.reshape(-1), width)
        came = np.empty((*self.lo.shape, width), dtype=np.uint8)
        ends = np.empty(count, dtype=np.int64)
        code = 255 - np.array(self.taking)
        wide = np.array([table.scores.shape[2] for table in tables])
        none, is_ragged = np.arange(width) >= wide[:, None], int(wide.min()) < width
        for first in range(0, len(self.lo), self.at_once):
            last = min(first + self.at_once, len(self.lo))
            # The tables with rows in this block, and those of them with each row.
            tables_left = int(np.searchsorted(-self.rows, -first, side="right"))
            tables_of_row = np.searchsorted(
                -self.rows, -np.arange(first, last), side="right"
            ).tolist()
            row_scores, totals = self._block(first, last, tables_left)
            row_scores += code[:, None, None]
            starts = self._above(first, last, tables_left, stride)
            apart = np.empty((last - first, tables_left, width), dtype=np.int64)
            reached = np.empty_like(apart)
            candidates = np.empty((len(code), tables_left, width), dtype=np.int64)
            below = scores_above[deep : deep + last - first, :tables_left, inner]
            by_row = zip(
                tables_of_row, starts, row_scores, apart, totals, reached, below, strict=True
            )
            for i, (n, start, own, best, total, along, row_best) in enumerate(by_row, first):
                best, along, row_best = best[:n], along[:n], row_best[:n]
                np.add(window[start[:, :n]], own[:, :n], out=candidates[:, :n])
                np.maximum.reduce(candidates[:, :n], axis=0, out=best)
                if i == 0:
                    best[np.arange(n), -self.lo[0]] = 0
                best -= total[:n]
                np.maximum.accumulate(best, axis=1, out=along)
                np.add(along, total[:n], out=row_best)
                row_best &= SCORE
                if is_ragged:
                    np.copyto(row_best, NEVER, where=none[:n])
            came[first:last, :tables_left] = np.where(
                reached >> 8 > apart >> 8, self.alone, 255 - (apart & 255)
            )
            for k in range(tables_left):
                row, band = int(self.rows[k]), tables[k].band
                if first <= row < last:
                    end_cell = self.wide + min(band.columns - int(band.lo[row]), width)
                    ends[k] = scores_above[deep + row - first, k, end_cell]
            scores_above[:deep] = scores_above[last - first : last - first + deep].copy()
        _reached(ends.min())
        begins = np.arange(len(self.lo)) * (count * width)
        paths = []
        for k, (_, band) in enumerate(tables):
            starts = begins[: len(band.lo)] + k * width - band.lo
            paths.append(_back(beads, came, starts, band, int(ends[k]) >> 8))
        return paths

    def _block(self, first: int, last: int, tables_left: int) -> tuple[Ints, Ints]:
        """Return the scores of some rows of the tables with such rows, as cells.

        Those of the beads with members of the first sequence, and the running sums of (0, 1).
        """
        rows, alone, width = last - first, self.alone, self.width
        row_scores = np.empty((rows, len(self.taking), tables_left, width), dtype=np.int64)
        single = np.empty((rows, tables_left, width), dtype=np.int64)
        for k, (scores, band) in enumerate(self.tables[:tables_left]):
            bead_scores = scores[:, first : min(last, len(band.lo))].swapaxes(0, 1)
            place = slice(len(bead_scores)), slice(None), k, slice(bead_scores.shape[2])
            row_scores[place][:, :alone] = bead_scores[:, :alone]
            row_scores[place][:, alone:] = bead_scores[:, alone + 1 :]
            single[place[0], k, place[3]] = bead_scores[:, alone]
            # Cells after a table are any number, but small enough for sums.
            if len(bead_scores) < rows:
                single[len(bead_scores) :, k] = 0
            if bead_scores.shape[2] < width:
                row_scores[..., k, bead_scores.shape[2] :] = 0
                single[:, k, bead_scores.shape[2] :] = 0
        lo = self.lo[first:last, :tables_left]
        outside = None
        if (lo < 0).any() or (lo[-1] + width > self.columns[:tables_left] + 1).any():
            columns = lo[..., None] + np.arange(width)
            outside = (columns < 0) | (columns > self.columns[:tables_left, None])
            np.copyto(row_scores, 0, where=outside[:, None])
            np.copyto(single, 0, where=outside)
        row_scores <<= 8
        single <<= 8
        single[..., 0] = 0
        if outside is not None:
            # A run begins at the first point of the row, wherever it is.
            single[..., 1:][outside[..., :-1]] = 0
        return row_scores, np.cumsum(single, axis=-1, out=single)

    def _above(self, first: int, last: int, tables_left: int, stride: int) -> Ints:
        """Return the starts of the predecessors by each bead, shape (rows, beads, tables)."""
        i = np.arange(first, last)[:, None]
        above = self.lo[np.maximum(i - self.a, 0), :tables_left] + self.b[:, None]
        shift = np.minimum(self.lo[first:last, None, :tables_left] - above, self.width)
        slot = i - first + self.deep - self.a
        place = slot[..., None] * len(self.tables) + np.arange(tables_left)
        starts: Ints = place * stride + self.wide + shift
        return starts


@lru_cache(maxsize=16)  # the searches of all texts are for the same beads
def _kinds(beads: tuple[tuple[int, int], ...]) -> tuple[int, list[int], Ints, tuple[Ints, Ints]]:
    """Return the index of (0, 1), those of beads that take one of the first, and all sizes."""
    taking = [k for k, (a, _) in enumerate(beads) if a]
    a, b = np.array(beads, dtype=np.int64).T.copy()
    return beads.index((0, 1)), taking, np.array(taking, dtype=np.int64), (a, b)


class Cuts:
    """The places of the rows that beads come from, in a buffer of rows one after another.

    The cells `left` to `left + width` of a row of the buffer are points; the others are never
    reached, so that a bead from the left or right of the row never wins.
    """

    def __init__(self, beads: Sequence[tuple[int, int]], band: Band, cells_at_once: int) -> None:
        self.band = band
        self.alone, self.taking, self.taking_numbers, self.sizes = _kinds(tuple(beads))
        self.a, self.b = (size[self.taking_numbers] for size in self.sizes)
        self.deep, self.wide = int(self.a.max()), int(self.b.max())
        self.left, self.stride = self.wide, 2 * band.width + self.wide
        cells = band.width * len(beads)
        self.at_once = min(max(1, cells_at_once // cells), band.rows + 1)

    def blocks(self) -> list[tuple[int, int]]:
        """Return the blocks of rows whose scores are requested at once, half-open."""
        edges = [*range(0, self.band.rows + 1, self.at_once), self.band.rows + 1]
        return list(itertools.pairwise(edges))

    def above(self, first: int, last: int) -> Ints:
        """Return the starts of the predecessors by each bead, shape (last - first, beads)."""
        i = np.arange(first, last)[:, None]
        lo = self.band.lo
        shift = lo[i] - lo[np.maximum(i - self.a, 0)] - self.b
        slot = i - first + self.deep - self.a
        starts: Ints = slot * self.stride + self.left + np.minimum(shift, self.band.width)
        return starts

    def below(self, first: int, last: int) -> Ints:
        """Return the starts of the successors by each bead; each bead has a row of the buffer."""
        i = np.arange(first, last)[:, None]
        width, lo, count = self.band.width, self.band.lo, len(self.taking)
        shift = lo[i] - lo[np.minimum(i + self.a, self.band.rows)] + self.b
        slot = (i - first + self.a) * count + np.arange(count)
        starts: Ints = slot * self.stride + width + np.maximum(shift, -width)
        return starts

    def by_rows(
        self, bead_scores: NDArray[np.integer], outside: Bools | None, *, unit: int = 256
    ) -> Ints:
        """Return the scores of the beads with members of the first sequence, by rows.

        Scores are multiplied by `unit`, and are 0 outside of the table.
        """
        _, rows, width = bead_scores.shape
        row_scores = np.empty((rows, len(self.taking), width), dtype=np.int64)
        for k, kind in enumerate(self.taking):
            np.multiply(bead_scores[kind], unit, out=row_scores[:, k], dtype=np.int64)
        if outside is not None:
            np.copyto(row_scores, 0, where=outside[:, None])
        return row_scores

    def outside(self, first: int, last: int, width: int | None = None) -> Bools | None:
        """Mask the cells of the rows outside of the table; None without such a cell.

        `width` is the number of columns of each row; default: the width of the band.
        """
        lo, columns = self.band.lo[first:last], self.band.columns
        width = width or self.band.width
        if lo[0] >= 0 and lo[-1] + width <= columns + 1:
            return None
        table_columns = lo[:, None] + np.arange(width)
        return (table_columns < 0) | (table_columns > columns)


def runs(row: NDArray[_Number], outside: Bools | None) -> NDArray[_Number]:
    """Return the running sums of the bead (0, 1) along each row."""
    row[:, 0] = 0
    if outside is not None:
        row[outside] = 0
        # A run begins at the first point of the row, wherever it is.
        row[:, 1:][outside[:, :-1]] = 0
    return np.cumsum(row, axis=1, out=row)


def check_beads(beads: Sequence[tuple[int, int]], band: Band) -> None:
    """Refuse beads that cannot form a path, and bands without a path."""
    _check_kinds(tuple(beads))
    lo = band.lo
    ends = lo[0] <= 0 < lo[0] + band.width and lo[-1] <= band.columns < lo[-1] + band.width
    if band.width < 1 or not ends or (lo[1:] < lo[:-1]).any():
        raise InputError("the band descends, or leaves out an end of the table")


@lru_cache(maxsize=16)
def _check_kinds(beads: tuple[tuple[int, int], ...]) -> None:
    alone = [(a, b) for a, b in beads if not a]
    if alone != [(0, 1)] or (1, 0) not in beads or len(set(beads)) != len(beads):
        raise InputError(f"the beads are {list(beads)}: want (1, 0), (0, 1), and others with 1 up")
    if len(beads) > 255 or min(b for _, b in beads) < 0:
        raise InputError(f"{len(beads)} beads: want at most 255, of no negative numbers")


def _back(
    beads: Sequence[tuple[int, int]],
    came: NDArray[np.uint8],
    starts: Ints,
    band: Band,
    score: int,
) -> BeadPath:
    """Follow the beads back from the end; `starts` has the index in `came` of each column 0."""
    kinds = bytearray()
    # Single items of a flat memoryview are faster than those of an array.
    start_at, kind_at = memoryview(starts.data), memoryview(came.reshape(-1).data)
    i, j = band.rows, band.columns
    while i or j:
        kind = kind_at[start_at[i] + j]
        kinds.append(kind)
        a, b = beads[kind]
        i, j = i - a, j - b
    kind_of = np.frombuffer(bytes(kinds), dtype=np.uint8)[::-1].astype(np.int64)
    row, column = np.cumsum(np.array(beads, dtype=np.int64)[kind_of], axis=0).T.copy()
    cell = column - band.lo[row]
    left = np.where(band.lo[row] > 0, cell, band.width)
    right = np.where(band.lo[row] + band.width <= band.columns, band.width - 1 - cell, band.width)
    near = float(np.minimum(left, right).min(initial=band.width)) / band.width
    return BeadPath(score, kind_of, row, column, min(near, 0.5))


# The best paths of beads through all of one sequence and any stretch of another.
#
# A path is as above, but may begin and end at any column, which finds a passage in a long text.
# With D for the score of the best path that ends at a point:
#
#     D[0][j] = 0
#     D[i][j] = max over beads (a, b) of D[i - a][j - b] + score of the bead that ends at (i, j)
#
# The low bits of a score carry the column where its path begins (an alignment that is free at both
# ends of one sequence: Sellers 1980), so no way back is stored, and memory is linear in the
# columns.

# Points whose scores are computed at once: with 5 beads they fit into a cache of 2 MB, which takes
# two thirds of the time of eight times as many in 3,000 columns.
_FREE_CELLS_AT_ONCE = 1 << 15
_START_BITS = 24  # bits of a score for the column where its path begins
_LOWEST_SCORE = -(1 << 61)  # below every score with these bits


def free_paths(
    beads: Sequence[tuple[int, int]],
    scores: Scores,
    *,
    rows: int,
    columns: int,
    at_once: int = _FREE_CELLS_AT_ONCE,
) -> tuple[Ints, Ints]:
    """Return the best path through all rows that ends at each column.

    The two arrays, of shape (columns + 1,), have the score of each path, and the column where it
    begins: the last one among equal scores.

    `scores(first, last)` returns integers, of shape (beads, last - first, columns + 1): the scores
    of all beads that end in the rows first <= i < last. Those of beads that begin before the table
    may be any number. The sum of the scores of a row is less than 2^34. `at_once` bounds memory:
    the points whose scores are computed at once.

    Raises `InputError` as in `best_path`, or when there are 16,777,216 columns or more.

    Examples
    --------
    >>> def scores(first, last):
    ...     table = np.full((3, last - first, 6), -5)
    ...     same = np.arange(6) == np.arange(first, last)[:, None] + 2
    ...     table[0][same] = 9
    ...     return table
    >>> score, begin = free_paths([(1, 1), (1, 0), (0, 1)], scores, rows=2, columns=5)
    >>> int(score.argmax()), int(score.max()), int(begin[score.argmax()])
    (4, 18, 2)

    """
    band = Band(np.zeros(rows + 1, dtype=np.int64), columns + 1, columns)
    check_beads(beads, band)
    if columns >= 1 << _START_BITS:
        raise InputError(
            f"a path through {many(columns, 'column')}: want less than {1 << _START_BITS}"
        )
    cuts = Cuts(beads, band, CELLS_AT_ONCE)
    deep, inner = cuts.deep, slice(cuts.left, cuts.left + columns + 1)
    step = max(1, at_once // (columns + 1))
    scores_above = np.full((deep + min(step, rows), cuts.stride), _LOWEST_SCORE)
    scores_above[deep - 1, inner] = np.arange(columns + 1)
    window = sliding_window_view(scores_above.reshape(-1), columns + 1)
    candidates = np.empty((len(cuts.taking), columns + 1), dtype=np.int64)
    kernels = evidence_kernels.after(len(beads) * rows * (columns + 1))
    for first in range(1, rows + 1, step):
        last = min(first + step, rows + 1)
        bead_scores = scores(first, last)
        if kernels is not None and bead_scores.dtype == np.int32:
            _free_rows(kernels, cuts, bead_scores, scores_above[: deep + last - first])
            scores_above[:deep] = scores_above[last - first : last - first + deep].copy()
            continue
        # The bead (0, 1) goes along the row: a running maximum, less the cost up to each point.
        sums = runs(bead_scores[cuts.alone].astype(np.int64), None) << _START_BITS
        row_scores = cuts.by_rows(bead_scores, None, unit=1 << _START_BITS)
        starts = cuts.above(first, last)
        for r in range(last - first):
            np.add(window[starts[r]], row_scores[r], out=candidates)
            best = scores_above[deep + r, inner]
            np.maximum.reduce(candidates, axis=0, out=best)
            best -= sums[r]
            np.maximum.accumulate(best, out=best)
            best += sums[r]
        scores_above[:deep] = scores_above[last - first : last - first + deep].copy()
    end = scores_above[deep - 1, inner]
    return end >> _START_BITS, end & ((1 << _START_BITS) - 1)


def _free_rows(
    kernels: EvidenceKernels, cuts: Cuts, bead_scores: NDArray[np.integer], cells: Ints
) -> None:
    wanted = len(cuts.taking) + 1, len(cells) - cuts.deep, cuts.band.width
    if bead_scores.shape != wanted:
        raise ValueError(f"scores of shape {bead_scores.shape}: want {wanted}")
    taking, table = cuts.taking_numbers, np.ascontiguousarray(bead_scores)
    kernels.free_rows(table, cuts.a, cuts.b, taking, cuts.alone, _START_BITS, cuts.left, cells)


# The best path of beads through two sequences, either of which may leave passages out.
#
# A path is as above, but parts of it may be passages, runs of members that stand alone. In a
# passage the beads (1, 0) and (0, 1) score more, and its beginning costs once, so a hundred members
# in a row that stand alone are not a hundred times as rare as one. With A for points outside of
# passages and L for points in one:
#
#     A'[i][j] = max over beads (a, b) of A[i - a][j - b] + score of the bead that ends at (i, j)
#     L[i][j]  = max(max(L[i - 1][j], A[i - 1][j] + opening) + score of (1, 0) + more[0],
#                    max(L[i][j - 1], A'[i][j - 1] + opening) + score of (0, 1) + more[1])
#     A[i][j]  = max(A'[i][j], L[i][j])
#
# Such a gap is affine (Gotoh 1982); as above, a whole row is computed at once.


class Passages(NamedTuple):
    """The costs of passages."""

    opening: int  # added to the score at the beginning of a passage; below 0
    # Added to the scores of the beads (1, 0) and (0, 1) in a passage; 0 or more.
    more: tuple[int, int]


def passage_path(
    beads: Sequence[tuple[int, int]],
    scores: Scores,
    band: Band,
    passages: Passages,
    *,
    at_once: int = CELLS_AT_ONCE,
) -> tuple[BeadPath, Bools]:
    """Return the best path through a band, and the mask of its beads in passages.

    Raises `InputError` as in `best_path`, or when `opening` is not below 0, or `more` has a number
    below 0. Parameters are those of `best_path`; the `near` of the path is always 0.5.

    Examples
    --------
    >>> from bitext.kernels.bead_path import Band
    >>> band = Band(np.zeros(5, dtype=np.int64), 2, 1)
    >>> def scores(first, last):
    ...     table = np.full((3, last - first, 2), -5)
    ...     table[0, np.arange(first, last) == 1] = 9
    ...     return table
    >>> result, inside = passage_path([(1, 1), (1, 0), (0, 1)], scores, band, Passages(-4, (4, 4)))
    >>> result.score, result.kinds.tolist(), inside.tolist()
    (2, [0, 1, 1, 1], [False, True, True, True])

    """
    check_beads(beads, band)
    if passages.opening >= 0 or min(passages.more) < 0:
        raise InputError(f"passages score {tuple(passages)}: want less than 0, and 0 or more")
    rows, lo = band.rows, band.lo
    cuts = Cuts(beads, band, at_once)
    alone, deep, left = cuts.alone, cuts.deep, cuts.left
    down = cuts.taking.index(list(beads).index((1, 0)))
    code = 255 - np.array(cuts.taking)
    # A cell stores both answers: the bead outside of passages, and the step within one.
    kind = np.uint8 if len(beads) < _Way(np.uint8).closed else np.uint16
    way = _Way(kind)
    came = np.empty((rows + 1, band.width), dtype=kind)
    if (kernels := compiled_kernels((rows + 1) * band.width * len(beads))) is not None:
        score = _compiled_passages(kernels, cuts, scores, passages, down, came)
        return _passage_back(beads, came, band, score, way)
    scores_above = np.full((deep + cuts.at_once, cuts.stride), NEVER)  # as in `best_path`
    passed = _Passed(cuts, passages)
    for first, last in cuts.blocks():
        bead_scores = scores(first, last)
        width = bead_scores.shape[2]
        outside = cuts.outside(first, last, width)
        totals = runs(bead_scores[alone].astype(np.int64), outside) << 8
        row_scores = cuts.by_rows(bead_scores, outside)
        starts = cuts.above(first, last)
        # The offset to the row above, from which a bead (1, 0) comes.
        inside = passed.begin(
            row_scores[:, down], totals, starts[:, down] - (deep - 1) * cuts.stride
        )
        row_scores += code[:, None]
        window = sliding_window_view(scores_above.reshape(-1), width)
        scores_above[deep:, left + width : left + band.width] = NEVER
        candidates = np.empty((len(code), width), dtype=np.int64)
        apart = np.empty((last - first, width), dtype=np.int64)
        reached, row_best = np.empty_like(apart), np.empty_like(apart)
        below = scores_above[deep : deep + last - first, left : left + width]
        by_row = zip(
            starts, row_scores, apart, totals, reached, row_best, below, inside, strict=True
        )
        for i, (start, own, best, total, along, outer, either, inner) in enumerate(by_row, first):
            above = window[start]
            np.add(above, own, out=candidates)
            np.maximum.reduce(candidates, axis=0, out=best)
            if i == 0:
                best[-lo[0]] = 255  # any kind will do: a path begins here
            # In sums of the beads (0, 1) a run of them costs nothing.
            best -= total
            np.maximum.accumulate(best, out=along)
            np.add(along, total, out=outer)
            outer &= SCORE
            np.maximum(outer, passed.row(inner, outer, above[down]), out=either)
        step = np.where(reached >> 8 > apart >> 8, alone, 255 - (apart & 255))
        step[passed.rows > row_best] = way.closed
        came[first:last, :width] = step | (passed.ways() << way.bits)
        scores_above[:deep] = scores_above[last - first : last - first + deep].copy()
    score = _reached(scores_above[deep - 1, left + band.columns - lo[rows]])
    return _passage_back(beads, came, band, score, way)


def _compiled_passages(
    kernels: Kernels,
    cuts: Cuts,
    scores: Scores,
    passages: Passages,
    down: int,
    came: NDArray[np.unsignedinteger],
) -> int:
    """Search with passages by compiled kernels; fill `came`, and return the score of the path."""
    band, deep = cuts.band, cuts.deep
    scores_above = np.full((deep + cuts.at_once, band.width), NEVER)
    passed = np.full((2, band.width), NEVER)
    search = kernels.passage_rows if came.itemsize == 1 else kernels.wide_passage_rows
    taking, lo = cuts.taking_numbers, np.ascontiguousarray(band.lo)
    costs = [256 * cost for cost in (passages.opening, *passages.more)]
    costs.append(_Way(came.dtype.type).bits)
    for first, last in cuts.blocks():
        bead_scores = _checked_scores(scores, first, last, len(cuts.taking) + 1, band.width)
        bead_scores = bead_scores.astype(np.int64, copy=False)
        rows = scores_above[: deep + last - first]
        search(
            *(bead_scores, lo, first, cuts.a, cuts.b, taking, cuts.alone, down, band.columns),
            *(np.array(costs), rows, passed, came[first:last]),
        )
        scores_above[:deep] = rows[last - first :].copy()
    return _reached(scores_above[deep - 1, band.columns - lo[-1]])


class _Passed:
    """The points in passages of a block of rows, each row computed from the row above."""

    def __init__(self, cuts: Cuts, passages: Passages) -> None:
        self._left, self._most = cuts.left, cuts.band.width
        opening, self._down, self._along = (
            256 * score for score in (passages.opening, *passages.more)
        )
        # Stored as arrays, since numpy would convert numbers at each use.
        self._opened = np.array(opening + OPENED)
        self._opened_above = np.array(opening + OPENED_ABOVE - STAYED)
        self._held = np.full((1 + cuts.at_once, cuts.stride), NEVER)  # the row above in front
        self.rows: Ints = self._held[:1, :0]

    def begin(self, single: Ints, totals: Ints, above: Ints) -> Iterator[_Row]:
        """Begin a block of rows, and yield the parts of each row.

        `single` has the scores of the bead (1, 0), `totals` the running sums of those of (0, 1),
        and `above` the starts of the predecessors by the bead (1, 0).
        """
        count, width = totals.shape
        done = len(self.rows)
        self._held[0] = self._held[done]
        inner = slice(self._left, self._left + width)
        self._held[1:, inner.stop : self._left + self._most] = NEVER
        self.rows = self._held[1 : 1 + count, inner]
        self._window = sliding_window_view(self._held.reshape(-1), width)
        self._apart, self._reached = np.empty_like(totals), np.empty_like(totals)
        single = single + (self._down + STAYED)
        sums = totals + np.arange(width) * self._along
        return zip(self.rows, self._apart, self._reached, single, sums, above, strict=True)

    def row(self, own: _Row, row_best: Ints, above: Ints) -> Ints:
        """Return the scores of a row in passages.

        `own` has the parts of the row, `row_best` the scores outside of passages, and `above` the
        scores of the row above, in passages or not, from which the bead (1, 0) comes.
        """
        candidates, best, along, single, sums, stayed = own
        np.add(above, self._opened_above, out=best)
        np.maximum(best, self._window[stayed], out=best)
        best += single
        np.add(row_best, self._opened, out=candidates)
        np.maximum(best, candidates, out=best)
        best -= sums
        np.maximum.accumulate(best, out=along)
        np.add(along, sums, out=candidates)
        candidates &= SCORE
        return candidates

    def ways(self) -> Ints:
        """Return the step to each point of the block."""
        along = self._reached >> 8 > self._apart >> 8
        return np.where(along, ALONG, self._apart & 255)


class _Way:
    """The code of both answers as one number of a cell."""

    def __init__(self, kind: type[np.unsignedinteger]) -> None:
        self.bits = 6 if kind is np.uint8 else 8
        self.closed = (1 << self.bits) - 1  # instead of a bead: a passage ends here


def _passage_back(
    beads: Sequence[tuple[int, int]],
    came: NDArray[np.unsignedinteger],
    band: Band,
    score: int,
    way: _Way,
) -> tuple[BeadPath, Bools]:
    kinds, ends, within = array("B"), array("q"), array("B")
    down, across = list(beads).index((1, 0)), list(beads).index((0, 1))
    lo, cell_at = memoryview(band.lo.data), memoryview(came.data)
    i, j, inside = band.rows, band.columns, False
    while i or j or inside:
        cell = cell_at[i, j - lo[i]]
        kind, to = cell & way.closed, cell >> way.bits
        if not inside and kind == way.closed:
            inside = True
        elif inside and to == OPENED:
            inside = False
        else:
            if inside:
                kind = across if to == ALONG else down
            kinds.append(kind)
            ends.extend((i, j))
            within.append(inside)
            a, b = beads[kind]
            i, j, inside = i - a, j - b, inside and to != OPENED_ABOVE
    row, column = np.array(ends, dtype=np.int64).reshape(-1, 2)[::-1].T.copy()
    path = BeadPath(score, np.array(kinds, dtype=np.int64)[::-1], row, column, 0.5)
    return path, np.array(within, dtype=bool)[::-1]
