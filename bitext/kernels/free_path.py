"""The best paths of beads through all of one sequence and any stretch of another.

A path is as in `bead_path`, but it begins and ends at any column: so a passage is looked for in a
long text. With D for the score of the best path that ends at a point:

    D[0][j] = 0
    D[i][j] = max over beads (a, b) of D[i - a][j - b] + score of the bead that ends at (i, j)

Where a path begins is carried along in the low bits of its score (an alignment that is free at both
ends of one sequence: Sellers 1980), so no way back is kept: memory is linear in the columns.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from bitext.errors import InputError
from bitext.kernels.bead_path import Band, Cuts, check_beads, runs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bitext.kernels.bead_path import Scores

__all__ = ["free_paths"]

_BITS = 24  # of a score, that tell the column where its path begins
_LOWEST = -(1 << 61)  # so low that no score, with these bits, comes near it
_AT_ONCE = 1 << 18  # points whose scores are asked for at once


def free_paths(
    beads: Sequence[tuple[int, int]], scores: Scores, *, rows: int, columns: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return, for each column, the best path through all rows that ends there.

    Parameters
    ----------
    beads : sequence of (int, int)
        As `best_path` wants them.
    scores : callable
        Integers: `scores(first, last)` of all beads that end in the rows first <= i < last, shape
        (beads, last - first, columns + 1). Those that begin before the table may hold anything.
        The sum of those of a row is less than 2 ** 34.
    rows, columns : int
        The lengths of both sequences.

    Returns
    -------
    score : array of int64, shape (columns + 1,)
    begin : array of int64, shape (columns + 1,)
        The column where the path begins; of equally good ones the last.

    Raises
    ------
    InputError
        As in `best_path`, or when there are 16,777,216 columns or more.

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
    if columns >= 1 << _BITS:
        raise InputError(f"a path through {columns} columns: want less than {1 << _BITS}")
    cuts = Cuts(beads, band)
    deep, mine = cuts.deep, slice(cuts.left, cuts.left + columns + 1)
    step = max(1, _AT_ONCE // (columns + 1))
    held = np.full((deep + min(step, rows), cuts.stride), _LOWEST)  # as in `best_path`
    held[deep - 1, mine] = np.arange(columns + 1)
    window = sliding_window_view(held.reshape(-1), columns + 1)
    found = np.empty((len(cuts.taking), columns + 1), dtype=np.int64)
    for first in range(1, rows + 1, step):
        last = min(first + step, rows + 1)
        asked = scores(first, last)
        # The bead (0, 1) goes along the row: a running maximum, with what it costs to there.
        sums = runs(asked[cuts.alone].astype(np.int64), None) << _BITS
        given = cuts.by_rows(asked, None, unit=1 << _BITS)
        starts = cuts.above(first, last)
        for r in range(last - first):
            np.add(window[starts[r]], given[r], out=found)
            best = held[deep + r, mine]
            np.maximum.reduce(found, axis=0, out=best)
            best -= sums[r]
            np.maximum.accumulate(best, out=best)
            best += sums[r]
        held[:deep] = held[last - first : last - first + deep].copy()
    end = held[deep - 1, mine]
    return end >> _BITS, end & ((1 << _BITS) - 1)
