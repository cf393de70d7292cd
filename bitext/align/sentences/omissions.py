"""Passages that one of two texts does not have, and what they mean for beads with an empty side.

Sentences without a translation are rare, so each costs much; a passage of hundreds of them would
cost more than to smear it over wrong beads. But where a passage is left out, hardly anything else
is to be expected. That it is left out is seen from the anchors: between two of them lie many more
sentences on one side than on the other, or so many on both that there would be anchors.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from bitext.align.sentences.anchors import Anchors
    from bitext.kernels.bead_path import Band, BeadPath

__all__ = ["Omissions", "omissions_of", "undivided"]

_LEAST = 8.0  # sentences more than usual that are no accident
_DRIFT = 2.0  # and so many for the square root of the sentences between two anchors
_BARE = 4.0  # times as many sentences without an anchor as nearly all stretches have
_FEWEST = 40.0  # sentences without an anchor that are no accident
_MOST = 0.9  # the chance of a sentence without a translation in a passage that is left out
_BOTH = 0.45  # and where both sides may have one
# What it scores to divide a passage: to begin one is a natural logarithm of -9 (`passages`), and
# where one was found, the few beads in a row that would make two of it share that.
_DIVIDED = -3.0


class Omissions(NamedTuple):
    """How frequent sentences without a translation are, by place.

    Attributes
    ----------
    src : array of float64, shape (source sentences,)
        The least chance that a sentence has no translation; 0 where nothing is known.
    tgt : array of float64, shape (target sentences,)

    """

    src: NDArray[np.float64]
    tgt: NDArray[np.float64]

    def joined(self, other: Omissions) -> Omissions:
        """Return what one or the other knows."""
        return Omissions(np.maximum(self.src, other.src), np.maximum(self.tgt, other.tgt))

    def alone(self, beads: Sequence[tuple[int, int]], path: BeadPath) -> NDArray[np.bool_]:
        """Return which beads of a path have an empty side because of what is left out."""
        kinds = list(beads)
        before = np.maximum(path.row - 1, 0), np.maximum(path.column - 1, 0)
        out = np.zeros(len(path.kinds), dtype=bool)
        for bead, at, known in zip(((1, 0), (0, 1)), before, self, strict=True):
            found = np.flatnonzero(path.kinds == kinds.index(bead))
            out[found] = known[at[found]] > 0
        return out

    def of(
        self, beads: Sequence[tuple[int, int]], chance: NDArray[np.float64], path: BeadPath
    ) -> NDArray[np.float64]:
        """Return what is added to the score of each bead of a path, as `block` has it."""
        kinds, out = list(beads), np.zeros(len(path.kinds))
        ends = path.row, path.column
        for bead, at, known in zip(((1, 0), (0, 1)), ends, self, strict=True):
            kind = kinds.index(bead)
            found = np.flatnonzero(path.kinds == kind)
            out[found] = np.log(np.maximum(known[at[found] - 1] / chance[kind], 1.0))
        return out

    def block(
        self,
        beads: Sequence[tuple[int, int]],
        chance: NDArray[np.float64],
        first: int,
        last: int,
        band: Band,
    ) -> NDArray[np.float32]:
        """Return what is to be added to the scores of beads in some rows of a band.

        Parameters
        ----------
        beads : sequence of (int, int)
        chance : array of float64, shape (beads,)
            How frequent each is in the whole text; what is added is the logarithm of how much
            more frequent it is here.
        first, last : int
            Rows of the table, half-open.
        band : Band

        Returns
        -------
        array of float32, shape (beads, last - first, width)
            Natural logarithms, not below 0.

        """
        out = np.zeros((len(beads), last - first, band.width), dtype=np.float32)
        alone = list(beads).index((1, 0)), list(beads).index((0, 1))
        row = np.arange(first, last) - 1
        if len(self.src) and self.src[max(first - 1, 0) : max(last - 1, 0)].any():
            found = np.where(row >= 0, self.src[np.maximum(row, 0)], 0.0)
            out[alone[0]] = np.log(np.maximum(found / chance[alone[0]], 1.0))[:, None]
        low, high = np.clip([band.lo[first] - 1, band.lo[last - 1] + band.width], 0, len(self.tgt))
        if self.tgt[low:high].any():
            column = band.lo[first:last, None] + np.arange(band.width) - 1
            inside = (column >= 0) & (column < len(self.tgt))
            found = np.where(inside, self.tgt[np.clip(column, 0, len(self.tgt) - 1)], 0.0)
            out[alone[1]] = np.log(np.maximum(found / chance[alone[1]], 1.0))
        return out


def undivided(
    scores: Callable[[int, int, Band], NDArray[np.integer]],
    beads: Sequence[tuple[int, int]],
    passages: Omissions,
    *,
    unit: float,
) -> Callable[[int, int, Band], NDArray[np.int64]]:
    """Return scores with which passages that were found stay whole.

    Where leaving out costs next to nothing, a bead beside a passage competes with as many as there
    are sentences in it. But a bead in the midst of a passage makes two of it, and each costs.

    Parameters
    ----------
    scores : callable
        Integers: `scores(first, last, band)` for rows of the table.
    beads : sequence of (int, int)
    passages : Omissions
        What a search for passages has found.
    unit : float
        How much of a score a natural logarithm of 1 is.

    """
    sums = [np.append(0, np.cumsum(side > 0)) for side in passages]
    cost = round(_DIVIDED * unit)

    def scored(first: int, last: int, band: Band) -> NDArray[np.int64]:
        out = np.array(scores(first, last, band), dtype=np.int64)
        row = np.arange(first, last)[:, None]
        column = np.clip(band.lo[first:last, None] + np.arange(band.width), 0, len(passages.tgt))
        ends = row, column
        for kind, number in enumerate(beads):
            if min(number):
                held = [
                    side[end] > side[np.maximum(end - size, 0)]
                    for side, end, size in zip(sums, ends, number, strict=True)
                ]
                out[kind] += cost * (held[0] | held[1])
        return out

    return scored


def omissions_of(anchors: Anchors, *, rows: int, columns: int) -> Omissions | None:
    """Return where passages are left out on one side; None where none are seen.

    Parameters
    ----------
    anchors : Anchors
        At least four, or nothing is seen.
    rows, columns : int
        Sentences of the source, and of the target.

    Examples
    --------
    >>> from bitext.align.sentences.anchors import Anchors
    >>> row = np.arange(0, 200, 4)
    >>> anchors = Anchors(row, row + 300 * (row > 100), 1.0)
    >>> found = omissions_of(anchors, rows=200, columns=500)
    >>> np.flatnonzero(found.tgt)[[0, -1]].tolist(), bool(found.src.any())
    ([101, 403], False)

    """
    if len(anchors.row) < 4:
        return None
    begin_row, begin = np.append(0, anchors.row + 1), np.append(0, anchors.column + 1)
    down = np.append(anchors.row, rows) - begin_row
    across = np.append(anchors.column, columns) - begin
    usual = anchors.tilt * down
    drift = _LEAST + _DRIFT * np.sqrt(np.maximum(np.minimum(usual, across), 1.0))
    more = across - usual
    found_src, found_tgt = np.zeros(rows), np.zeros(columns)
    # Anchors stand in clusters, so stretches without one are long now and then.
    long = max(_FEWEST, _BARE * float(np.quantile(down, 0.95)))
    bare = np.minimum(usual, across) > long * anchors.tilt
    for k in np.flatnonzero((np.abs(more) > drift) | bare).tolist():
        mine = slice(begin_row[k], begin_row[k] + down[k])
        theirs = slice(begin[k], begin[k] + across[k])
        both = _BOTH if bare[k] else 0.0
        left = -more[k] / anchors.tilt / max(down[k], 1) if more[k] < -drift[k] else 0.0
        right = more[k] / max(across[k], 1) if more[k] > drift[k] else 0.0
        found_src[mine] = np.clip(left * _MOST, both, _MOST)
        found_tgt[theirs] = np.clip(right * _MOST, both, _MOST)
    if not found_src.any() and not found_tgt.any():
        return None
    return Omissions(found_src, found_tgt)
