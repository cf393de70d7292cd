"""Coarse alignment by length: blocks of sentences first, then where the path of blocks leads.

Blocks of eight sentences make a table with 64 times fewer points; if that is still large, blocks of
64 are aligned before. The path of blocks is only as good as lengths tell; so what is looked at
after is some blocks wide.

Where a text repeats itself, nothing tells one copy of a passage from the next, and how the blocks
happen to be cut decides where their path goes. So what is far from the diagonal costs a little:
enough where one place is as good as another, and next to nothing elsewhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bitext.align.sentences.corridors import Corridor
from bitext.align.sentences.long_paths import best_along

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bitext.kernels.bead_path import Band

__all__ = ["narrowed"]

_BLOCK = 8  # sentences, or blocks, in one block
_CELLS = 4_000_000  # points that are looked at, at most, before blocks are made of blocks
_AROUND = 10  # blocks on both sides of the path that are looked at after
_BEADS = ((1, 1), (1, 0), (0, 1), (2, 1), (1, 2))
_CHANCES = np.log([0.9, 0.02, 0.02, 0.03, 0.03])
_UNIT = 1024.0
_FREEDOM = 5.0  # degrees of Student's t
_LENGTH = 4.0  # the variance for a letter
_BORDER = (
    0.5  # and for the length of a sentence, squared: a block does not end where the other does
)
_NEAR = 4.0  # blocks before and after the diagonal, where they cost nothing
_FAR = 0.04  # what each that is farther from it costs, as a natural logarithm


def narrowed(corridor: Corridor, src: NDArray[np.float64], tgt: NDArray[np.float64]) -> Corridor:
    """Return the part of a corridor that is near the best path of blocks of sentences.

    Parameters
    ----------
    corridor : Corridor
    src, tgt : array of float64, shape (sentences,)
        The length of each sentence, above 0.

    """
    tilt = len(tgt) / len(src)
    down = max(2, round(_BLOCK / max(1.0, tilt)))
    across = max(2, round(down * tilt))
    rows, columns = -(-len(src) // down), -(-len(tgt) // across)
    top = np.minimum(np.arange(rows + 1) * down, len(src))
    # A row of blocks looks where the rows of sentences about it do.
    low = corridor.lo[np.maximum(top - down // 2, 0)] // across
    high = -(-corridor.hi[np.minimum(top + down // 2, len(src))] // across)
    coarse = Corridor.between(low, high, columns)
    heights = np.add.reduceat(src, top[:-1])
    widths = np.add.reduceat(tgt, np.arange(columns) * across)
    if coarse.cells > _CELLS and min(rows, columns) > 4 * _BLOCK:
        coarse = narrowed(coarse, heights, widths)
    usual = float(tgt.mean()) ** 2 * _BORDER * max(across / _BLOCK, 1.0)
    path = best_along(_BEADS, _Lengths(heights, widths, usual).scores, coarse)
    row = np.minimum(path.row * down, len(src))
    column = np.minimum(path.column * across, len(tgt))
    near = Corridor.around(
        row, column, rows=len(src), columns=len(tgt), margin=_AROUND * max(down, across)
    )
    # The blocks may be wrong where there are anchors, and these do not tell how wide.
    low, high = np.maximum(near.lo, corridor.lo), np.minimum(near.hi, corridor.hi)
    apart = low > high
    low[apart], high[apart] = corridor.lo[apart], corridor.hi[apart]
    return Corridor.between(low, high, len(tgt))


class _Lengths:
    """The scores of beads of blocks, by their lengths."""

    def __init__(self, src: NDArray[np.float64], tgt: NDArray[np.float64], border: float) -> None:
        self.ratio = float(tgt.sum() / src.sum())
        self.slope = len(tgt) / len(src)
        self.border = border
        self.src = np.concatenate([[0.0], np.cumsum(src * self.ratio)])
        self.tgt = np.concatenate([[0.0], np.cumsum(tgt)])
        self.mean, self.spread = float(tgt.mean()), max(float(tgt.var()), 1.0)

    def scores(self, first: int, last: int, band: Band) -> NDArray[np.int64]:
        """Return the scores of beads that end in some rows of a band."""
        row = np.arange(first, last)
        column = band.lo[first:last, None] + np.arange(band.width)
        ends = np.clip(column, 0, len(self.tgt) - 1)
        out = np.empty((len(_BEADS), *column.shape))
        far = np.abs(column - self.slope * row[:, None]) > _NEAR * max(self.slope, 1.0)
        for k, (a, b) in enumerate(_BEADS):
            out[k] = _CHANCES[k] - _FAR * (a + b) / 2 * far
            if a and b:
                wanted = (self.src[row] - self.src[np.maximum(row - a, 0)])[:, None]
                found = self.tgt[ends] - self.tgt[np.clip(column - b, 0, len(self.tgt) - 1)]
                beside = _LENGTH * (wanted + found) / 2 + self.border
                alone = self.spread * b + 1.0
                out[k] += _fit(found - wanted, beside) - _fit(found - b * self.mean, alone)
        result: NDArray[np.int64] = np.rint(out * _UNIT).astype(np.int64)
        return result


def _fit(apart: NDArray[np.float64], variance: NDArray[np.float64] | float) -> NDArray[np.float64]:
    """Return the logarithm of the density of Student's t, but for what is always the same."""
    result: NDArray[np.float64] = -(_FREEDOM + 1) / 2 * np.log1p(
        apart**2 / variance / _FREEDOM
    ) - 0.5 * np.log(variance)
    return result
