"""The cases of the error study: which hypotheses there are, and which pairs of them are errors.

A hypothesis is the reference with one boundary moved: a *shift* leaves it between its neighbours,
a *crossing* takes it over one of them, into the segment behind. All of it is in arrays over many
references of the same number of units and of segments.
"""

from __future__ import annotations

from functools import cache
from math import comb
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from bitext.kernels.rows import prefix
from bitext.metrics.segmentation.pairs import Pairs, Side

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "ERRORS",
    "LARGEST",
    "Moves",
    "equal_pairs",
    "erring",
    "lay",
    "moves_of",
    "ranks",
    "references",
]

# The error types, in the order of all arrays over them.
ERRORS: Final = ("cross", "vanishing", "constant-cost")
# The largest number of units. Distances are packed into five bits.
LARGEST: Final = 24

# The kinds of moves; 0 is a shift that is neither soft nor hard.
_SOFT, _HARD, _CROSS = 1, 2, 4


class Moves(NamedTuple):
    """Hypotheses: one moved boundary of one reference each, as columns.

    Attributes
    ----------
    reference : array of int64
        The row of the reference.
    boundary : array of int64
        The boundary that moves, from 1 to m - 1 for m segments.
    to : array of int64
        Where it lies in the hypothesis.
    distance : array of int64
        How far that is from where it lay.
    kind : array of int64
        Soft, hard, crossing, or neither.
    graded : array of bool
        Whether it is a shift of a boundary that can be shifted softly too: only such shifts stand
        in pairs of the vanishing type.

    """

    reference: NDArray[np.int64]
    boundary: NDArray[np.int64]
    to: NDArray[np.int64]
    distance: NDArray[np.int64]
    kind: NDArray[np.int64]
    graded: NDArray[np.bool_]

    def chosen(self, which: NDArray[np.bool_ | np.int64]) -> Moves:
        """Return some of the moves."""
        return Moves._make(column[which] for column in self)


@cache
def _pascal(n: int) -> NDArray[np.int64]:
    return np.array([[comb(a, b) for b in range(n)] for a in range(n)], dtype=np.int64)


def references(n: int, m: int, first: int, last: int) -> NDArray[np.int64]:
    """Return the bounds of segmentations of n units into m segments, ends included, a row each.

    They are number `first` to `last` of all comb(n - 1, m - 1), in the order of their masses.
    """
    rank = np.arange(first, last)
    left = np.full(rank.size, m - 1)
    chosen = np.zeros((rank.size, n - 1), dtype=bool)
    for at in range(1, n):
        # How many of those that are alike so far have their next boundary here.
        here = _pascal(n)[n - 1 - at, np.maximum(left - 1, 0)]
        taken = (left > 0) & (rank < here)
        chosen[:, at - 1] = taken
        rank = np.where(taken, rank, rank - here)
        left -= taken
    out = np.zeros((len(chosen), m + 1), dtype=np.int64)
    out[:, 1:-1] = np.nonzero(chosen)[1].reshape(-1, m - 1) + 1
    out[:, -1] = n
    return out


def moves_of(bounds: NDArray[np.int64]) -> Moves:
    """Return the hypotheses that stand in some pair of some error type.

    Parameters
    ----------
    bounds : array, shape (references, m + 1)
        As of `references`.

    """
    masses = np.pad(np.diff(bounds), ((0, 0), (1, 1)))
    before, after = masses[:, 1:-2], masses[:, 2:-1]
    softest = np.maximum(_longest_soft(before, after), _longest_soft(after, before))
    # A boundary that has soft shifts has one by 1. So a reference has soft shifts by every distance
    # up to the longest, and what goes further is compared with none of the same distance.
    reach = softest.max(axis=1, initial=0)[:, None]
    left = _moves(bounds, before, after, masses[:, :-3], softest > 0, reach, -1)
    right = _moves(bounds, after, before, masses[:, 3:], softest > 0, reach, 1)
    return Moves._make(np.concatenate(both) for both in zip(left, right, strict=True))


def _longest_soft(shorter: NDArray[np.int64], longer: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the longest soft shift into the segment that gets shorter, 0 for none.

    By d, the Jaccard indices are (shorter - d) / shorter and longer / (longer + d): both are above
    1/2 for 2d < shorter and d < longer.
    """
    return np.minimum((shorter - 1) // 2, longer - 1)


def _moves(
    bounds: NDArray[np.int64],
    shorter: NDArray[np.int64],
    longer: NDArray[np.int64],
    beyond: NDArray[np.int64],
    graded: NDArray[np.bool_],
    reach: NDArray[np.int64],
    sign: int,
) -> Moves:
    """Return the moves to one side: into the segment that gets shorter, or to the one beyond it."""
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
    found = Moves(row, column + 1, to, distance, kind, graded[row, column] & ~over)
    # Of two shifts of a boundary the shorter is soft: one by 1 that is not is in no pair.
    return found.chosen((kind > 0) | (distance > 1))


def _steps(
    low: NDArray[np.int64], high: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return the row, the column and each number from low to high, included, of every cell."""
    counts = np.maximum(high - low + 1, 0).ravel()
    cell = np.repeat(np.arange(counts.size), counts)
    steps = np.arange(cell.size) + (low.ravel() - prefix(counts)[:-1])[cell]
    row, column = np.divmod(cell, low.shape[1])
    return row, column, steps


def lay(bounds: NDArray[np.int64], moves: Moves) -> Pairs:
    """Lay out the pairs of reference and hypothesis."""
    count, m, n = moves.reference.size, bounds.shape[1] - 1, int(bounds[0, -1])
    starts = np.arange(count + 1) * n
    ptr = np.arange(count + 1) * m
    rows = np.arange(count)
    gold = bounds[moves.reference, :-1] + starts[:-1, None]
    hyp = gold.copy()
    # A boundary that crosses its neighbour changes places with it in the order of boundaries.
    old = bounds[moves.reference, moves.boundary]
    place = moves.boundary + np.where(moves.kind == _CROSS, np.sign(moves.to - old), 0)
    hyp[rows, moves.boundary] = gold[rows, place]
    hyp[rows, place] = moves.to + starts[:-1]
    first, second = (Side(ptr, np.append(side.ravel(), count * n)) for side in (gold, hyp))
    return Pairs(starts, first, second)


def ranks(scores: NDArray[np.float64], tolerance: float) -> NDArray[np.int64]:
    """Number the scores by size: those that differ by no more than the tolerance are equal."""
    known = np.unique(scores)
    heads = known[np.diff(known, prepend=-np.inf) > tolerance]
    return np.searchsorted(heads, scores, side="right") - 1


def erring(moves: Moves, rank: NDArray[np.int64], count: int) -> NDArray[np.bool_]:
    """Return which of `count` references have a pair of equal scores, one column an error type.

    Parameters
    ----------
    moves : Moves
        Hypotheses, in any order.
    rank : array of int64
        Their scores, as numbered by `ranks`.
    count : int
        The number of references.

    """
    out = np.zeros((count, len(ERRORS)), dtype=bool)
    width = int(rank.max(initial=0)) + 1
    # Vanishing: of one boundary and one score, the shortest soft shift and the longest of all.
    shifts = moves.graded
    key = (moves.reference[shifts] * LARGEST + moves.boundary[shifts]) * width + rank[shifts]
    hardness = np.where(moves.kind[shifts] == _SOFT, 0, 32)
    group, starts, code = _grouped(key, 6, hardness + moves.distance[shifts])
    longest = np.maximum.reduceat(code & 31, starts) if starts.size else code
    wrong = code[starts] < np.minimum(longest, 32)
    out[group[wrong] // width // LARGEST, 1] = True
    # The others: of one distance and one score, which kinds of moves there are.
    rival = np.zeros((count, LARGEST), dtype=bool)
    hard = moves.kind >= _HARD
    rival[moves.reference[hard], moves.distance[hard]] = True
    kept = rival[moves.reference, moves.distance] & (moves.kind > 0)
    key = (moves.reference[kept] * LARGEST + moves.distance[kept]) * width + rank[kept]
    group, starts, code = _grouped(key, 3, moves.kind[kept])
    kinds = np.bitwise_or.reduceat(code, starts) if starts.size else code
    for column, rivals in ((0, _CROSS), (2, _HARD)):
        wrong = (kinds & (_SOFT | rivals)) == _SOFT | rivals
        out[group[wrong] // width // LARGEST, column] = True
    return out


def _grouped(
    key: NDArray[np.int64], bits: int, code: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Sort codes by key; return the different keys, where the codes of each begin, and the codes.

    Both are packed into one number, which sorts several times faster than two columns.
    """
    packed = np.sort(key << bits | code)
    keys = packed >> bits
    starts = np.flatnonzero(np.diff(keys, prepend=-1))
    return keys[starts], starts, packed & ((1 << bits) - 1)


def equal_pairs(moves: Moves, rank: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    """Return for each error type the pairs (h1, h2) of equal scores of one reference, a row each.

    They are in the order of h1, then h2, and hypotheses in that of their boundaries and of where
    these go.
    """
    order: NDArray[np.int64] = np.lexsort((moves.to, moves.boundary)).astype(np.int64)
    found = moves.chosen(order)
    equal = (found.kind == _SOFT)[:, None] & (rank[order][:, None] == rank[order])
    farther = found.distance - found.distance[:, None]
    own = (found.boundary[:, None] == found.boundary) & (found.kind != _CROSS)
    wrong = (
        equal & (farther == 0) & (found.kind == _CROSS),
        equal & (farther > 0) & own,
        equal & (farther == 0) & (found.kind == _HARD),
    )
    return [order[np.argwhere(cases)] for cases in wrong]
