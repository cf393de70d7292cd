"""The way of a path through a wide table, by the lengths of sentences alone.

Where two texts share no words that are equal or alike, nothing tells at first where the path runs;
and where a passage is left out, it is far from the diagonal for the rest of the text. Lengths say
little of one bead, but much of a hundred in a row. So all of the table is searched with few kinds
of beads, for a path that may leave passages out, and what is near it is looked at after with all
that is known. The ratio of the lengths of both texts is wrong where a passage is left out: the
search is done again with that of the beads.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bitext.align.corridors import Corridor
from bitext.align.length_evidence import LengthEvidence, LengthModel
from bitext.align.passages import passages_of
from bitext.kernels.bead_path import Band
from bitext.kernels.passage_path import passage_path

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bitext.align.anchors import Anchors
    from bitext.kernels.bead_path import BeadPath

__all__ = ["POINTS", "along_lengths", "length_path"]

POINTS = 1 << 26  # that are searched at most, as 8,000 sentences against as many
_NARROW = 1024  # columns of a band that is too narrow to be worth its time
_SMALL = 1 << 12  # points between two anchors, of which all are looked at
_AROUND = 48  # columns, or rows, beside the path that are looked at after
_BEADS = ((1, 1), (1, 0), (0, 1), (2, 1), (1, 2))
_ALONE = 0.05  # the chance of a sentence without a translation, a side, outside of passages
_TWO = 0.06  # and of two sentences for one, on either side
_LOWEST = -1e5  # of a score, as a natural logarithm
_UNIT = 1024.0
_AGAIN = 3  # searches with a ratio of lengths that the path before has shown, at most
_SAME = 0.04  # of the logarithm of a ratio


def along_lengths(
    anchors: Anchors,
    src: NDArray[np.float64],
    tgt: NDArray[np.float64],
    *,
    points: int = POINTS,
) -> Corridor | None:
    """Return what is near the best path by lengths between anchors.

    Parameters
    ----------
    anchors : Anchors
    src, tgt : array of float64, shape (sentences,)
        The length of each sentence in letters, above 0.
    points : int
        How many are searched at most. Of more, those are that are nearest to the diagonals
        between the anchors; time and memory do not grow any further.

    Returns
    -------
    Corridor or None
        None where so few points are near the diagonals that it is not worth the time.

    """
    begin_row, begin = np.append(0, anchors.row + 1), np.append(0, anchors.column + 1)
    end_row, end = np.append(anchors.row, len(src)), np.append(anchors.column, len(tgt))
    area = (end_row - begin_row + 1) * (end - begin + 1)
    share = min(1.0, points / max(int(area[area > _SMALL].sum()), 1))
    model = LengthModel.first(src, tgt)
    row, column = [anchors.row], [anchors.column]
    for k in np.flatnonzero(area > _SMALL).tolist():
        mine, theirs = slice(begin_row[k], end_row[k]), slice(begin[k], end[k])
        width = int((end[k] - begin[k] + 1) * share)
        if share < 1 and width < min(_NARROW, end[k] - begin[k] + 1):
            return None
        found = length_path(src[mine], tgt[theirs], model, width=width)
        row.append(found[0] + begin_row[k])
        column.append(found[1] + begin[k])
    rows, columns = np.concatenate(row), np.concatenate(column)
    order = np.lexsort((columns, rows))
    return Corridor.around(
        rows[order], columns[order], rows=len(src), columns=len(tgt), margin=_AROUND
    )


def length_path(
    src: NDArray[np.float64], tgt: NDArray[np.float64], model: LengthModel, *, width: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the points of the best path by lengths, 1-1, 1-0, 0-1, 2-1 and 1-2.

    Parameters
    ----------
    src, tgt : array of float64, shape (sentences,)
    model : LengthModel
    width : int
        Columns that are looked at in each row, about the diagonal.

    Returns
    -------
    (row, column) : arrays of int64, shape (beads,)
        Where each bead ends.

    Examples
    --------
    >>> text = np.random.default_rng(1).integers(10, 200, 60).astype(float)
    >>> model = LengthModel.first(text, text)
    >>> row, column = length_path(text, np.append(text[:12], text), model, width=73)
    >>> sorted(set((column - row)[-40:].tolist()))
    [12]

    """
    rows, columns = len(src), len(tgt)
    width = min(max(width, 1 + -(-columns // max(rows, 1))), columns + 1)
    middle = np.arange(rows + 1) * columns // max(rows, 1)
    band = Band(np.clip(middle - width // 2, 0, columns + 1 - width), width, columns)
    chance = np.array([1.0 - 2 * _ALONE - 2 * _TWO, _ALONE, _ALONE, _TWO, _TWO])
    prior = np.log(chance).astype(np.float32)[:, None, None]
    evidence = LengthEvidence(_BEADS, src, tgt, model)

    def scores(first: int, last: int) -> NDArray[np.int64]:
        total = np.maximum(evidence.block(first, last, band) + prior, _LOWEST)
        result: NDArray[np.int64] = np.rint(total * _UNIT).astype(np.int64)
        return result

    passages = passages_of((_ALONE, _ALONE), unit=_UNIT)
    path, _ = passage_path(_BEADS, scores, band, passages)
    for _ in range(_AGAIN):
        ratio = _ratio(path, src, tgt)
        if abs(np.log(ratio / evidence.model.ratio)) < _SAME:
            break
        evidence = LengthEvidence(_BEADS, src, tgt, evidence.model._replace(ratio=ratio))
        path, _ = passage_path(_BEADS, scores, band, passages)
    return path.row, path.column


def _ratio(path: BeadPath, src: NDArray[np.float64], tgt: NDArray[np.float64]) -> float:
    """Return the target length for a source length of 1 in most beads of a path."""
    mine = np.diff(np.append(0.0, np.cumsum(src))[path.row], prepend=0.0)
    theirs = np.diff(np.append(0.0, np.cumsum(tgt))[path.column], prepend=0.0)
    both = (mine > 0) & (theirs > 0)
    if not both.any():
        return float(tgt.sum() / src.sum())
    return float(np.exp(np.median(np.log(theirs[both] / mine[both]))))
