"""Bands round a diagonal or a path: where the path of beads is looked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bitext.kernels.bead_path import Band

if TYPE_CHECKING:
    from bitext.kernels.bead_path import BeadPath

__all__ = ["band_round", "whole_or_diagonal"]

_WHOLE = 700  # columns that are always all looked at


def whole_or_diagonal(rows: int, columns: int, *, width: int = _WHOLE) -> Band:
    """Return the whole table where it is narrow, else a band round its diagonal.

    Examples
    --------
    >>> whole_or_diagonal(3, 2).width
    3
    >>> whole_or_diagonal(2000, 1000, width=101).lo[[0, 500]].tolist()
    [-50, 200]

    """
    if columns < width or not rows:
        return Band(np.zeros(rows + 1, dtype=np.int64), columns + 1, columns)
    across = max(width, columns // rows * 4 + width)
    middle = np.arange(rows + 1) * columns // rows
    return Band(middle - across // 2, across, columns)


def band_round(path: BeadPath, rows: int, columns: int, *, reach: int) -> Band:
    """Return a band that holds a path and at least `reach` points on both sides of it.

    Rows that are crossed within a bead are as wide as the bead.
    """
    row, column = np.append(0, path.row), np.append(0, path.column)
    first = np.full(rows + 1, columns)
    last = np.zeros(rows + 1, dtype=np.int64)
    np.minimum.at(first, row, column)
    np.maximum.at(last, row, column)
    # A row within a bead reaches from where the bead begins to where it ends.
    last = np.maximum.accumulate(last)
    first = np.minimum.accumulate(first[::-1])[::-1]
    low, high = np.minimum(first, last), np.maximum(first, last)
    width = int((high - low).max(initial=0)) + 2 * reach + 1
    return Band((low + high - width + 1) // 2, width, columns)
