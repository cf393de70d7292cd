"""Posteriors of the beads of a path, by forward-backward sums over many pieces of a table at once.

The posterior of a bead hardly depends on distant rows. So a table is cut into pieces of some rows,
each with some rows of its neighbours on both sides; at the ends of a piece, paths may begin or end
at any point of the band. All pieces are processed together, a row of each at a time, with as many
calls as for one piece.

Weights are plain floats, since logarithms would take most of the time. With f(i) for the score of
the path up to row i over the unit, a bead from row i to row j weighs exp(its score / unit - f(j) +
f(i)). This divides all paths by the same weight, and the path itself weighs 1, so sums of weights
are near 1 along it. Weights below 1e-308 up to some point are lost; as long as no sum from this
point on is above `_LARGEST_SUM`, the loss is below 1e-100, which is negligible. A table outside
of this range is computed by logarithms, as a whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from bitext.kernels.arrays import Bools, Floats, Ints, distinct
from bitext.kernels.bead_path import CELLS_AT_ONCE, Band, BeadPath, Cuts, Scores, check_beads, runs
from bitext.kernels.compiled import compiled_kernels

# Posteriors of the beads of a path, from the weight of all paths with each bead.
#
# The weight of a path is exp(its score / unit), so if scores are logarithms of probabilities, the
# share of a bead is its posterior (forward-backward). The place of a bead with an empty side among
# its neighbours has no meaning: its share is that of all paths that leave its members alone. So a
# passage that may stand before or after a sentence has the posterior of being left alone.

_UNREACHED = -1e18  # the logarithm of no weight; finite, so that differences are numbers
BESIDE = 32
"""Rows before and after a bead that its posterior depends on, where not all rows are used."""


def chances(
    beads: Sequence[tuple[int, int]],
    scores: Scores,
    band: Band,
    path: BeadPath,
    *,
    unit: float,
    beside: int = BESIDE,
    at_once: int = CELLS_AT_ONCE,
) -> Floats:
    """Return the posterior of each bead of a path: its share of the weight of all paths.

    Posteriors are from 0 to 1, in an array of shape (beads of the path,). That of a bead with an
    empty side is the posterior that its members stand alone, at any place; the member of a bead (0,
    1) counts where it stands alone up to `beside` rows before or after the bead.

    The path is in the band, and need not be the best one. `unit` is the score that weighs e times
    as much as 0. Beads, scores, band and `at_once` are those of `best_path`.

    Examples
    --------
    >>> from bitext.kernels.bead_path import Band, best_path
    >>> tables = np.zeros((3, 2, 2), dtype=np.int64)
    >>> kinds, band = [(1, 1), (1, 0), (0, 1)], Band(np.array([0, 0]), 2, 1)
    >>> result = best_path(kinds, lambda first, last: tables[:, first:last], band)
    >>> chances(kinds, lambda first, last: tables[:, first:last], band, result, unit=1).round(3)
    array([0.333])

    """
    check_beads(beads, band)
    cuts, alone = Cuts(beads, band, at_once), _Alone(beads, path, beside)
    starts = np.concatenate([[[0, 0]], np.stack([path.row, path.column], axis=1)])
    started, whole = _forward(cuts, scores, unit, starts, alone)
    own, after = _backward(cuts, scores, unit, path, alone)
    result: Floats = np.exp(np.minimum(started[:-1] + own + after - whole, 0.0))
    result[alone.which] = np.exp(np.minimum(alone.sums - whole, 0.0))
    return result


def _sums(weights: Floats) -> Floats:
    """Sum weights along the last axis; weights are logarithms."""
    most = weights.max(axis=-1)
    result: Floats = most + np.log(np.exp(weights - most[..., None]).sum(axis=-1))
    return result


class _Alone:
    """The beads of a path with an empty side, and the weights of all paths with such a bead.

    `which` has their indices in the path; `sums`, the weights as logarithms, is complete after the
    last row.
    """

    def __init__(self, beads: Sequence[tuple[int, int]], path: BeadPath, beside: int) -> None:
        number = np.array(beads, dtype=np.int64).reshape(-1, 2)[path.kinds]
        self.which = np.flatnonzero((number == 0).any(axis=1))
        self.sums = np.full(len(self.which), _UNREACHED)
        self._row, self._column = path.row[self.which], path.column[self.which]
        self._kind, self._down = path.kinds[self.which], number[self.which, 0]
        self._before: dict[int, Floats] = {}
        self._beside = beside
        ends = self._row[self._down > 0] - self._down[self._down > 0]
        across = distinct(self._row[self._down == 0])
        steps = np.arange(-beside, beside + 1)
        self._wanted = {*ends.tolist(), *distinct(across[:, None] + steps).tolist()}

    def keep(self, row: int, before: Floats) -> None:
        """Store the weights of the paths to the points of a row, if a later row needs them."""
        if row in self._wanted:
            self._before[row] = before.copy()

    def add(self, row: int, own: Floats, after: Floats, band: Band) -> None:
        """Add the paths with a bead that ends in a row.

        `own` has the scores of all beads there, `after` the weights of the paths from its points.
        """
        near_rows = slice(*np.searchsorted(self._row, [row - self._beside, row + self._beside + 1]))
        if near_rows.start == near_rows.stop:
            return
        near_beads = np.arange(near_rows.start, near_rows.stop)
        across = near_beads[self._down[near_beads] == 0]
        if len(across):
            cell = self._column[across] - band.lo[row]
            inside = (cell >= 1) & (cell < band.width)
            across, cell = across[inside], cell[inside]
            weights = self._before[row][cell - 1] + own[self._kind[across], cell] + after[cell]
            self.sums[across] = np.logaddexp(self.sums[across], weights)
        for k in near_beads[(self._down[near_beads] > 0) & (self._row[near_beads] == row)].tolist():
            before = self._before[row - int(self._down[k])]
            cell = np.arange(
                max(0, -band.lo[row]), min(band.width, band.columns + 1 - band.lo[row])
            )
            back = cell + band.lo[row] - band.lo[row - int(self._down[k])]
            cell, back = cell[back < band.width], back[back < band.width]
            self.sums[k] = _sums(before[back] + own[self._kind[k], cell] + after[cell])


def _by_columns(log_weights: Floats, out: Floats) -> None:
    """Add weights, as logarithms, by columns."""
    np.maximum.reduce(log_weights, axis=0, out=out)
    log_weights -= out
    np.exp(log_weights, out=log_weights)
    out += np.log(np.add.reduce(log_weights, axis=0))


def _forward(
    cuts: Cuts, scores: Scores, unit: float, points: Ints, alone: _Alone
) -> tuple[Floats, float]:
    """Return the sums of weights of all paths to some points, and to the end, as logarithms."""
    band, deep, width = cuts.band, cuts.deep, cuts.band.width
    sums_above = np.full((deep + cuts.at_once, cuts.stride), _UNREACHED)
    window = sliding_window_view(sums_above.reshape(-1), width)
    inner = slice(cuts.left, cuts.left + width)
    weights_above = np.empty((len(cuts.taking), width))
    sums = np.empty(len(points))
    for first, last in cuts.blocks():
        bead_scores = scores(first, last) / unit
        outside = cuts.outside(first, last)
        totals = runs(bead_scores[cuts.alone], outside)
        row_scores = np.ascontiguousarray(bead_scores[cuts.taking].transpose(1, 0, 2))
        if outside is not None:
            row_scores[np.broadcast_to(outside[:, None], row_scores.shape)] = 0.0
        starts = cuts.above(first, last)
        for r in range(last - first):
            row_sums = sums_above[deep + r, inner]
            np.add(window[starts[r]], row_scores[r], out=weights_above)
            _by_columns(weights_above, row_sums)
            if first + r == 0:
                row_sums[-band.lo[0]] = 0.0
            # A run of target segments alone scores a difference of totals: with the totals taken
            # off, one accumulation sums the paths with any such run.
            row_sums -= totals[r]
            np.logaddexp.accumulate(row_sums, out=row_sums)
            row_sums += totals[r]
            alone.keep(first + r, row_sums)
        begin, end = np.searchsorted(points[:, 0], [first, last])
        point = points[begin:end]
        sums[begin:end] = sums_above[
            deep + point[:, 0] - first, cuts.left + point[:, 1] - band.lo[point[:, 0]]
        ]
        sums_above[:deep] = sums_above[last - first : last - first + deep].copy()
    return sums, float(sums[-1])


def _backward(
    cuts: Cuts, scores: Scores, unit: float, path: BeadPath, alone: _Alone
) -> tuple[Floats, Floats]:
    """Return the scores of the beads of a path, and the sums of the paths from their ends."""
    band, deep, width = cuts.band, cuts.deep, cuts.band.width
    sums_below = np.full((deep + cuts.at_once, len(cuts.taking), cuts.stride), _UNREACHED)
    window = sliding_window_view(sums_below.reshape(-1), width)
    weights_below = np.empty((len(cuts.taking), width))
    own, after = np.empty(len(path.kinds)), np.empty(len(path.kinds))
    for first, last in reversed(cuts.blocks()):
        bead_scores = scores(first, last) / unit
        outside = cuts.outside(first, last)
        begin, end = np.searchsorted(path.row, [first, last])
        row, cell = path.row[begin:end] - first, path.column[begin:end]
        cell = cell - band.lo[first + row]
        own[begin:end] = bead_scores[path.kinds[begin:end], row, cell]
        totals = runs(bead_scores[cuts.alone].copy(), outside)
        row_scores = np.ascontiguousarray(bead_scores[cuts.taking].transpose(1, 0, 2))
        if outside is not None:
            row_scores[np.broadcast_to(outside[:, None], row_scores.shape)] = 0.0
        starts = cuts.below(first, last)
        block = np.empty((last - first, width))
        for r in range(last - first - 1, -1, -1):
            row_sums = block[r]
            _by_columns(np.add(window[starts[r]], 0.0, out=weights_below), row_sums)
            if first + r == band.rows:
                row_sums[band.columns - band.lo[-1]] = 0.0
            # Beads without a source sentence lead along the row. Relative to the running sum of
            # their scores, the sums of all these paths are one accumulation.
            row_sums += totals[r]
            np.logaddexp.accumulate(row_sums[::-1], out=row_sums[::-1])
            row_sums -= totals[r]
            if outside is not None:
                row_sums[outside[r]] = _UNREACHED
            alone.add(first + r, bead_scores[:, r], row_sums, band)
            np.add(row_scores[r], row_sums, out=sums_below[r, :, width : 2 * width])
        after[begin:end] = block[row, cell]
        sums_below[cuts.at_once :] = sums_below[:deep].copy()
    return own, after


# Runs of the bead (0, 1) along the rows of a table, summed over all lengths of runs.
#
# With w for the weights of the bead that ends at each point of a row, a row of numbers x becomes
#
#     y[j] = x[j] + y[j - 1] * w[j]    along it, or    y[j] = x[j] + y[j + 1] * w[j + 1]    back.
#
# Many rows are processed together, without a loop over columns.

_LEAST_PRODUCT, _MOST_PRODUCT = 1e-100, 1e200  # products of weights that numbers are divided by


class BeadRuns(Protocol):
    """Sums along rows, some rows at each step."""

    def along(self, step: int, row_sums: Floats, out: Floats) -> None:
        """Put the sums along the rows of a step into `out`; `row_sums` is used up."""

    def back(self, step: int, row_sums: Floats, out: Floats) -> None:
        """Put the sums from the ends of the rows back into `out`; `row_sums` is used up."""


def runs_of(single: Floats, inside: Bools) -> BeadRuns:
    """Return the sums along the rows of a table.

    `single` has the weights of the bead (0, 1) that ends at each point, at least 0, in the shape
    (steps, rows, width). They are 0 in the first column, outside of the points, and at the first
    point of a run. `inside`, of the same shape, masks the points. Sums elsewhere are 0, or depend
    on numbers outside of the points.

    Examples
    --------
    >>> runs = runs_of(np.array([[[0.0, 0.5, 0.0, 2.0]]]), np.ones((1, 1, 4), dtype=bool))
    >>> sums = np.empty((1, 4))
    >>> runs.along(0, np.array([[4.0, 1.0, 3.0, 1.0]]), sums)
    >>> sums
    array([[4., 3., 3., 7.]])
    >>> runs.back(0, np.array([[4.0, 1.0, 3.0, 1.0]]), sums)
    >>> sums
    array([[4.5, 1. , 5. , 1. ]])

    """
    products = _products(single, inside)
    return _ByProducts(products, inside) if _is_usual(products).all() else _ByDoubling(single)


def _products(single: Floats, inside: Bools) -> Floats:
    """Return the products of all weights from the beginning of each row on."""
    follows = inside.copy()
    follows[..., 1:] &= inside[..., :-1]
    follows[..., 0] = False
    products: Floats = np.where(follows, single, 1.0)
    return np.cumprod(products, axis=-1, out=products)


def _masked(products: Floats, inside: Bools) -> tuple[Floats, Floats]:
    """Return products and 1 over each, 0 outside of the points."""
    return np.where(inside, products, 0.0), np.where(inside, 1 / products, 0.0)


def _is_usual(products: Floats) -> Bools:
    """Return for each row of a step, in all steps, whether products are in range."""
    # Axis by axis it takes a third of the time.
    least = products.min(axis=0, initial=1.0).min(axis=1, initial=1.0)
    most = products.max(axis=0, initial=1.0).max(axis=1, initial=1.0)
    usual: Bools = (least >= _LEAST_PRODUCT) & (most <= _MOST_PRODUCT)
    return usual


class _ByProducts:
    """Sums by the products of all weights from the beginning of a row on, which are in range.

    Divided by these products, the sums are plain running sums.
    """

    def __init__(self, products: Floats, inside: Bools) -> None:
        self._products, self._inverse = _masked(products, inside)

    def along(self, step: int, row_sums: Floats, out: Floats) -> None:
        row_sums *= self._inverse[step]
        np.add.accumulate(row_sums, axis=1, out=row_sums)
        np.multiply(row_sums, self._products[step], out=out)

    def back(self, step: int, row_sums: Floats, out: Floats) -> None:
        row_sums *= self._products[step]
        np.add.accumulate(row_sums[:, ::-1], axis=1, out=row_sums[:, ::-1])
        np.multiply(row_sums, self._inverse[step], out=out)


class _ByDoubling:
    """Sums of the last 1, 2, 4, ... numbers at each point, for any weights.

    Weights may be 0: no bead crosses the border of two paragraphs.
    """

    def __init__(self, single: Floats) -> None:
        # The product of the weights of the last 1, 2, 4, ... beads at a point.
        self._runs, number = [single[..., 1:]], 1
        while 2 * number < single.shape[-1]:
            last = self._runs[-1]
            self._runs.append(last[..., number:] * last[..., :-number])
            number *= 2

    def along(self, step: int, row_sums: Floats, out: Floats) -> None:
        for k, run in enumerate(self._runs):
            row_sums[:, 1 << k :] += row_sums[:, : -1 << k] * run[step]
        out[...] = row_sums

    def back(self, step: int, row_sums: Floats, out: Floats) -> None:
        for k, run in enumerate(self._runs):
            row_sums[:, : -1 << k] += row_sums[:, 1 << k :] * run[step]
        out[...] = row_sums


_BEADS_AT_ONCE = 1 << 12  # beads (0, 1) whose rows are processed at once; set by hand
_LARGEST_SUM = 1e200  # greatest sum of weights: times the least float, 1e-308, it is below 1e-100
_LEAST_SUM = 1e-50  # least sum of paths with a bead: 1, or less where a piece cuts a bead


class Table(NamedTuple):
    """The scores of all beads in a band, of shape (beads, rows + 1, width), and a path in it."""

    scores: NDArray[np.integer]
    band: Band
    path: BeadPath


def chances_by_pieces(
    beads: Sequence[tuple[int, int]],
    scores: NDArray[np.integer],
    band: Band,
    path: BeadPath,
    *,
    unit: float,
    rows: int = 128,
    beside: int = BESIDE,
) -> Floats:
    """Return the posterior of each bead of a path: almost as `chances`, and faster.

    `scores`, of shape (beads, rows of the table + 1, width), has the scores of all beads in the
    band. A piece has `rows` rows; `beside` rows before and after it count, and as many before and
    after a bead (0, 1). With as many as the table has, posteriors are exact. All else is as in
    `chances`.
    """
    tables = [Table(scores, band, path)]
    return chances_of_tables(beads, tables, unit=unit, rows=rows, beside=beside)[0]


def chances_of_tables(
    beads: Sequence[tuple[int, int]],
    tables: Sequence[Table],
    *,
    unit: float,
    rows: int = 128,
    beside: int = BESIDE,
) -> list[Floats]:
    """Return the posteriors of the beads of the path of each table, as `chances_by_pieces`.

    The pieces of all tables are processed together: many small tables take as long as a large one.
    The posteriors are those of each table by itself, to the last bit.
    """
    if not tables:
        return []
    # The sums show afterwards whether a table is out of range.
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        pieces = Pieces(beads, tables, unit, rows=rows, beside=beside)
        usual = pieces.usual
        if usual.any() and not usual.all():
            found_of: dict[int, Floats] = {}
            for chosen in (np.flatnonzero(usual).tolist(), np.flatnonzero(~usual).tolist()):
                some = [tables[k] for k in chosen]
                shares = chances_of_tables(beads, some, unit=unit, rows=rows, beside=beside)
                found_of.update(zip(chosen, shares, strict=True))
            return [found_of[k] for k in range(len(tables))]
        before, after = pieces.sums()
        shares_of_beads, is_certain = pieces.shares(before, after, rows=rows, beside=beside)
        in_range = pieces.in_range(before, after)
    ends = np.cumsum([len(table.path.kinds) for table in tables])[:-1]
    by_table = zip(
        tables, np.split(shares_of_beads, ends), np.split(is_certain, ends), in_range, strict=True
    )
    return [
        own if is_in_range and are_held.all() else _by_logarithms(beads, table, unit, beside)
        for table, own, are_held, is_in_range in by_table
    ]


def _by_logarithms(
    beads: Sequence[tuple[int, int]], table: Table, unit: float, beside: int
) -> Floats:
    scores, band, path = table
    return chances(
        beads, lambda first, last: scores[:, first:last], band, path, unit=unit, beside=beside
    )


def _joined(tables: Sequence[Table]) -> tuple[NDArray[np.integer], Ints]:
    """Return the scores of all tables, one below the other, and the first columns of all rows."""
    if len(tables) == 1:
        return tables[0].scores, tables[0].band.lo
    lo = np.concatenate([table.band.lo for table in tables])
    width = max(table.band.width for table in tables)
    scores = np.zeros((len(tables[0].scores), len(lo), width), dtype=tables[0].scores.dtype)
    first = 0
    for table in tables:
        last = first + len(table.band.lo)
        scores[:, first:last, : table.band.width] = table.scores
        first = last
    return scores, lo


class Pieces:
    """Rows of all pieces, by their number in the piece: arrays (rows of a piece, ..., width).

    The tables stand one below the other, and rows are counted over all tables.

    Attributes
    ----------
    lo : array of int64, shape (rows of all,)
    path : BeadPath
        The beads of all paths, by rows of all.
    own : array of float64, shape (beads of all paths,)
        The weight of each bead.
    origin : array of float64, shape (pieces,)
        The weight of a path at the beginning of its table.
    top, opening : arrays of int64, shape (beads of all paths,)
        The first row, and the first piece, of the table of each bead.
    openings : array of int64, shape (tables,)
        The first piece of each table.
    first : array of int64, shape (pieces,)
        The first row of each piece, which may be before its table.
    weights : array of float64, shape (beads that take a row, rows of all, width)
        0 outside of the points.
    single : array of float64, shape (rows of all, width)
        The weight of the bead (0, 1); 0 also at the first point of a row.
    inside : array of bool, shape (rows of all, width)
        The mask of points.
    usual : array of bool, shape (tables,)
        Whether the runs of (0, 1) in each are summed by products.

    """

    def __init__(
        self,
        beads: Sequence[tuple[int, int]],
        tables: Sequence[Table],
        unit: float,
        *,
        rows: int,
        beside: int,
    ) -> None:
        self.number = np.array(beads, dtype=np.int64)
        self.taking = np.flatnonzero(self.number[:, 0])
        self.a, self.b = self.number[self.taking].T.copy()
        self.deep, self.wide = int(self.a.max()), int(self.b.max())
        scores, self.lo = _joined(tables)
        self.width = scores.shape[2]
        sizes = np.array([table.band.rows for table in tables])
        counts = np.maximum(1, -(-sizes // rows))
        of = np.repeat(np.arange(len(tables)), counts)  # the table of each piece
        begins, self.openings = np.cumsum(sizes + 1) - sizes - 1, np.cumsum(counts) - counts
        self.begin, self.end = begins[of], (begins + sizes)[of]
        self.columns = np.array([table.band.columns for table in tables])[of]
        # A bead that ends in a piece may begin some rows before it. A table of one piece has only
        # its own rows.
        cut = len(of) > len(tables)
        before = beside + self.deep if cut else 0
        number = np.arange(len(of)) - self.openings[of]  # of a piece in its table
        self.first = number * rows - before + self.begin
        self.size = before + rows + beside + 1 if cut else int(sizes.max()) + 1
        row = self.first + np.arange(self.size)[:, None]
        self.row = np.clip(row, self.begin, self.end)
        self.real = row == self.row
        lengths = [len(table.path.kinds) for table in tables]
        self.top, self.opening = np.repeat(begins, lengths), np.repeat(self.openings, lengths)
        kinds, ends, column = (
            np.concatenate([getattr(table.path, name) for table in tables])
            for name in ("kinds", "row", "column")
        )
        self.path = BeadPath(0, kinds, ends + self.top, column, 0.5)
        self._weigh(scores, tables, unit)
        self._products = _products(self.single[self.row], self.inside[self.row])
        usual = _is_usual(self._products)
        self.usual: Bools = np.logical_and.reduceat(usual, self.openings)

    def _weigh(self, scores: NDArray[np.integer], tables: Sequence[Table], unit: float) -> None:
        sizes = [len(table.band.lo) for table in tables]
        cells, every = np.arange(self.width), np.arange(len(self.lo))
        last = np.repeat([table.band.columns for table in tables], sizes)
        # Columns after the band of a narrow table beside wider ones are not points, either.
        edge = np.repeat([table.band.width for table in tables], sizes) - 1
        low, high = -self.lo, np.minimum(last - self.lo, edge)
        outside = (cells < low[:, None]) | (cells > high[:, None])
        row, alone = self.path.row, int(np.argmin(self.number[:, 0]))
        own = scores[self.path.kinds, row, self.path.column - self.lo[row]] / unit
        of_row = np.bincount(row, own, len(self.lo))
        # Sums of each path up to the end of each row. Each path is summed by itself, since rounding
        # depends on the terms before.
        parts = np.split(of_row, np.cumsum(sizes)[:-1])
        along = np.concatenate([np.cumsum(part) for part in parts])
        steps = along - along[np.maximum(every - self.number[:, :1], 0)]
        self.own = np.exp(own - steps[self.path.kinds, row])
        self.origin = np.exp(-of_row[self.begin])  # so that it is 1 where the first row ends
        self.weights = self._logarithms(scores, steps, unit)
        np.exp(self.weights, out=self.weights)
        begins = self.begin[self.openings]
        self.weights[every - np.repeat(begins, sizes) < self.a[:, None]] = 0.0  # before the table
        self.single = np.exp(scores[alone] / unit)
        # Cells after the last point of a row where a bead ends are not points, either.
        none = outside | ((self.weights.max(axis=0) == 0.0) & (self.single == 0.0))
        none[begins, -self.lo[begins]] = False  # paths begin there
        outside |= np.logical_and.accumulate(none[:, ::-1], axis=1)[:, ::-1]
        self.single[:, 0] = 0.0
        self.single[:, 1:][outside[:, :-1]] = 0.0
        self.weights[:, outside] = self.single[outside] = 0.0
        self.inside = ~outside

    def _logarithms(self, scores: NDArray[np.integer], steps: Floats, unit: float) -> Floats:
        """Return the logarithms of the weights of beads that take a row."""
        kernels = compiled_kernels(0)
        if kernels is None or scores.itemsize < 4:
            return scores[self.taking] / unit - steps[self.taking, :, None]
        log_weights = np.empty((len(self.taking), *scores.shape[1:]))
        write = kernels.piece_weights if scores.dtype == np.int32 else kernels.long_piece_weights
        parts = (
            np.ascontiguousarray(scores),
            self.taking,
            unit,
            steps.astype(np.float64, copy=False),
        )
        write(*parts, log_weights)
        return log_weights

    def sums(self) -> tuple[Floats, Floats]:
        """Return the sums of the weights of paths to, and from, each point of the pieces."""
        is_usual = bool(self.usual.all())
        kernels = compiled_kernels(self.weights.size) if is_usual and self.width > 1 else None
        if kernels is not None:
            products, inverse = _masked(self._products, self.inside[self.row])
            self._products = np.zeros((0, 0, 0))
            before, after = np.empty_like(products), np.empty_like(products)
            kernels.piece_sums(
                *(self.weights, self.row, self.real, np.ascontiguousarray(self.lo), self.begin),
                *(self.end, self.columns, self.first, self.a, self.b, self.inside, self.origin),
                *(products, inverse, before, after),
            )
            return before, after
        step_weights = np.ascontiguousarray(self.weights[:, self.row].swapaxes(0, 1))
        step_weights.swapaxes(1, 2)[~self.real] = 0.0
        runs: BeadRuns = _ByDoubling(self.single[self.row])
        if is_usual:
            runs = _ByProducts(self._products, self.inside[self.row])
        self._products = np.zeros((0, 0, 0))  # takes memory, and is not wanted again
        return self._forward(step_weights, runs), self._backward(step_weights, runs)

    def _forward(self, step_weights: Floats, runs: BeadRuns) -> Floats:
        """Return the sums of the weights of paths to each point, shape (rows, pieces, width).

        `step_weights` has the weights of beads by rows of the pieces; `runs` adds up runs of beads
        (0, 1).
        """
        width, count, lo = self.width, len(self.first), self.lo
        stride = 2 * width + self.wide
        sums_above = np.zeros((self.size + self.deep, count, stride))
        above = np.maximum(self.row[:, None] - self.a[:, None], self.begin)
        shift = lo[self.row][:, None] - lo[above] - self.b[:, None]
        place = np.arange(self.size)[:, None, None] + self.deep - self.a[:, None]
        starts = (place * count + np.arange(count)) * stride
        starts += self.wide + np.minimum(shift, width)
        cells = starts[..., None] + np.arange(width)
        result = sums_above[self.deep :, :, self.wide : self.wide + width]
        flat = sums_above.reshape(-1)
        products = np.empty_like(step_weights[0])
        row_sums = np.empty((count, width))
        begins = _by_step(self.begin - self.first, self.size)
        by_row = zip(cells, step_weights, begins, result, strict=True)
        for t, (cell, own, begun, sums) in enumerate(by_row):
            flat.take(cell, out=products, mode="clip")  # else it is copied
            products *= own
            np.add.reduce(products, axis=0, out=row_sums)
            # Paths begin at the first point of the table, or anywhere in a piece's first row.
            if t == 0:
                anywhere = self.first > self.begin
                row_sums[anywhere] = self.inside[self.row[0, anywhere]]
            for piece in begun:
                row_sums[piece, -lo[self.begin[piece]]] = self.origin[piece]
            runs.along(t, row_sums, sums)
        return result

    def _backward(self, step_weights: Floats, runs: BeadRuns) -> Floats:
        """Return the sums of the weights of paths from each point, shape (rows, pieces, width)."""
        width, count, lo = self.width, len(self.first), self.lo
        kinds, stride = len(self.a), 2 * width + self.wide
        # The weights with each bead that ends in one of the last rows are stored.
        ring = self.deep + 1
        sums_below = np.zeros((ring, kinds, count, stride))
        below = np.minimum(self.row[:, None] + self.a[:, None], self.end)
        shift = lo[self.row][:, None] - lo[below] + self.b[:, None]
        place = (np.arange(self.size)[:, None, None] + self.a[:, None]) % ring
        starts = ((place * kinds + np.arange(kinds)[:, None]) * count + np.arange(count)) * stride
        starts += width + np.maximum(shift, -width)
        cells = starts[..., None] + np.arange(width)
        result = np.empty((self.size, count, width))
        flat = sums_below.reshape(-1)
        products = np.empty_like(step_weights[0])
        row_sums = np.empty((count, width))
        last = self.first + self.size - 1
        ends = _by_step(self.end - self.first, self.size)
        by_row = list(zip(cells, step_weights, ends, result, strict=True))
        for t in range(self.size - 1, -1, -1):
            cell, own, ended, sums = by_row[t]
            flat.take(cell, out=products, mode="clip")
            np.add.reduce(products, axis=0, out=row_sums)
            if t == self.size - 1:
                anywhere = last < self.end
                row_sums[anywhere] = self.inside[self.row[t, anywhere]]
            for piece in ended:
                row_sums[piece, self.columns[piece] - lo[self.end[piece]]] = 1.0
            runs.back(t, row_sums, sums)
            np.multiply(own, sums, out=sums_below[t % ring, :, :, width : 2 * width])
        return result

    def shares(
        self, before: Floats, after: Floats, *, rows: int, beside: int
    ) -> tuple[Floats, Bools]:
        """Return the share of each bead of the paths in the weight of all paths of its piece.

        The second array masks the beads whose paths are in range. `before` and `after` are the
        weights of the paths to and from each point.
        """
        lo, first, path = self.lo, self.first, self.path
        number = self.number[path.kinds]
        # The bead (0, 1) may end in the first row of a table.
        piece = np.maximum(path.row - self.top - 1, 0) // rows + self.opening
        row, column = path.row - number[:, 0], path.column - number[:, 1]
        total = before[row - first[piece], piece, column - lo[row]] * self.own
        total *= after[path.row - first[piece], piece, path.column - lo[path.row]]
        is_certain = total > _LEAST_SUM
        for alone, weights in self._alone(piece, before, after, beside=beside):
            total[alone] = weights
        return np.minimum(total / self._whole(before)[piece], 1.0), is_certain

    def in_range(self, before: Floats, after: Floats) -> list[bool]:
        """Return, for each table, whether all sums of weights are in range."""
        most = np.maximum(before.max(axis=0), after.max(axis=0)).max(axis=1)
        pieces = most < _LARGEST_SUM
        table_in_range: list[bool] = np.logical_and.reduceat(pieces, self.openings).tolist()
        return table_in_range

    def _whole(self, before: Floats) -> Floats:
        """Return the sum of the weights of all paths of each piece."""
        totals = _in_order(before[-1])
        ends = np.flatnonzero(self.first + self.size - 1 >= self.end)
        step = self.end[ends] - self.first[ends]
        totals[ends] = before[step, ends, self.columns[ends] - self.lo[self.end[ends]]]
        return totals

    def _alone(
        self, piece: Ints, before: Floats, after: Floats, *, beside: int
    ) -> Iterator[tuple[Ints, Floats]]:
        """Yield the beads of the paths with an empty side, and the weights of all such paths."""
        path, lo, width = self.path, self.lo, self.width
        down, across = self.number[path.kinds].T
        alone = np.flatnonzero(across == 0)
        row, a, p = path.row[alone, None], down[alone, None], piece[alone, None]
        t, cell = row - self.first[p], np.arange(width)
        back = cell + lo[row] - lo[row - a]
        weights = before[t - a, p, np.minimum(back, width - 1)] * after[t, p, cell]
        weights *= self.weights[np.searchsorted(self.taking, path.kinds[alone, None]), row, cell]
        weights[back >= width] = 0.0
        yield alone, _in_order(weights)
        every, steps = np.flatnonzero(down == 0), np.arange(-beside, beside + 1)
        for alone in np.split(every, range(_BEADS_AT_ONCE, len(every), _BEADS_AT_ONCE)):
            p = piece[alone, None]
            t = path.row[alone, None] - self.first[p] + steps
            inside = (t >= 0) & (t < self.size)
            t = np.clip(t, 0, self.size - 1)
            row = self.row[t, p]
            cell = path.column[alone, None] - lo[row]
            inside &= self.real[t, p] & (cell >= 1) & (cell < width)
            cell = np.clip(cell, 1, width - 1)
            weights = before[t, p, cell - 1] * after[t, p, cell]
            weights *= self.single[row, cell]
            weights[~inside] = 0.0
            yield alone, weights.sum(axis=-1)


def _in_order(weights: Floats) -> Floats:
    """Sum along the last axis one by one, so that zeros at the end do not change rounding."""
    return np.add.accumulate(weights, axis=-1)[..., -1]


def _by_step(steps: Ints, size: int) -> list[list[int]]:
    """Return the pieces of each step; a piece without a step is in no list."""
    pieces_of_step: list[list[int]] = [[] for _ in range(size)]
    for piece in np.flatnonzero((steps >= 0) & (steps < size)).tolist():
        pieces_of_step[steps[piece]].append(piece)
    return pieces_of_step
