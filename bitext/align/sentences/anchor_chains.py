"""The best chain of points that ascend on both sides, and the points of it that can be believed.

Most points come from words that stand for each other, and lie near the path. The others are
anywhere. The chain with the greatest weight has few of these, as they rarely ascend together; those
that it has lie off the diagonal of their neighbours, and are dropped.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["believed", "best_chain", "slope"]

_SIDE = 4  # neighbours on both sides that a point is held against
_FREE = 2.0  # columns off their diagonal that are always believed
_DRIFT = 0.7  # and so much for the square root of the distance in rows
_STEP = 8  # points that a slope is measured over


def best_chain(
    row: NDArray[np.int64], column: NDArray[np.int64], weight: NDArray[np.float64]
) -> NDArray[np.int64]:
    """Return which points make the heaviest chain that ascends in rows and columns.

    Parameters
    ----------
    row, column : array of int64, shape (points,)
        In any order.
    weight : array of float64, shape (points,)
        Above 0.

    Returns
    -------
    array of int64
        Indices of points, ascending in row and column; of equal chains any, but always the same.

    Notes
    -----
    n log n for points that lie about a diagonal.

    Examples
    --------
    >>> where = np.array([0, 1, 2, 3]), np.array([5, 1, 2, 3])
    >>> best_chain(*where, np.array([2.0, 1.0, 1.0, 1.0])).tolist()
    [1, 2, 3]

    """
    # Columns descend within a row, so that no chain has two points of it.
    order = np.lexsort((-column, row))
    # The ends of the chains that no other is better than: columns and weights ascend.
    ends: list[int] = []
    sums: list[float] = []
    points: list[int] = []
    before = np.full(len(row), -1, dtype=np.int64)
    steps = zip(order.tolist(), column[order].tolist(), weight[order].tolist(), strict=True)
    for point, end, own in steps:
        at = bisect_left(ends, end)
        total = own
        if at:
            before[point] = points[at - 1]
            total += sums[at - 1]
        worse = at
        while worse < len(ends) and sums[worse] <= total:
            worse += 1
        if worse > at or at == len(ends) or ends[at] > end:
            ends[at:worse], sums[at:worse], points[at:worse] = [end], [total], [point]
    chain = []
    point = points[-1] if points else -1
    while point >= 0:
        chain.append(point)
        point = int(before[point])
    return np.array(chain[::-1], dtype=np.int64)


def slope(row: NDArray[np.int64], column: NDArray[np.int64], *, usual: float) -> float:
    """Return how many columns a row is worth along a chain; `usual` where there are few points.

    It is the median over short ways, so passages that are on one side only do not change it.
    """
    step = min(_STEP, len(row) // 2)
    if step < 2:
        return usual
    found = (column[step:] - column[:-step]) / (row[step:] - row[:-step])
    # Of an excerpt and the whole text the usual ratio is not that of sentences.
    return float(np.clip(np.median(found), min(usual, 1.0) / 64, max(usual, 1.0) * 64))


def believed(
    row: NDArray[np.int64], column: NDArray[np.int64], *, tilt: float
) -> NDArray[np.bool_]:
    """Return which points of a chain lie near the diagonal of most of their neighbours.

    Parameters
    ----------
    row, column : array of int64, shape (points,)
        Ascending.
    tilt : float
        Columns that a row is worth.

    Returns
    -------
    array of bool, shape (points,)
        Where the diagonal changes, as beside a passage that is on one side only, points that
        are many enough on their own side of the change are kept.

    """
    if len(row) <= 2:
        return np.ones(len(row), dtype=bool)
    away = column - tilt * row
    side = min(_SIDE, (len(row) - 1) // 2)
    # Before the first point and behind the last one the ends are mirrored.
    spread = np.pad(away, side, mode="reflect")
    middle = np.median(sliding_window_view(spread, 2 * side + 1), axis=1)
    reach = np.pad(row, side, mode="reflect")
    far = np.abs(sliding_window_view(reach, 2 * side + 1) - row[:, None]).mean(axis=1)
    near = _FREE + _DRIFT * np.sqrt(far)
    # Between two diagonals a point that is on neither is the middle one.
    about = np.abs(sliding_window_view(spread, 2 * side + 1) - away[:, None]) <= near[:, None]
    alone = np.count_nonzero(about, axis=1) <= max(1, side // 2)
    kept: NDArray[np.bool_] = (np.abs(away - middle) <= near) & ~alone
    return kept
