"""What paths teach of beads: how frequent each is, and how lengths go together in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bitext.align.bead_types import learned_chances

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from bitext.align.length_evidence import LengthModel
    from bitext.align.omissions import Omissions
    from bitext.kernels.bead_path import BeadPath

    Lengths = tuple[NDArray[np.float64], NDArray[np.float64]]  # of sentences: source, target

__all__ = ["beads_of_paths", "lengths_of_paths"]

_PASSAGE = 32  # beads of passages that are left out that are counted, of a kind and a text


def beads_of_paths(
    beads: Sequence[tuple[int, int]], paths: Iterable[tuple[BeadPath, Omissions | None]]
) -> NDArray[np.float64]:
    """Return how frequent each bead is in some paths, as `learned_chances`.

    Parameters
    ----------
    beads : sequence of (int, int)
    paths : iterable of (BeadPath, Omissions or None)
        Beads of kind -1 are not counted. The passages are those that the path leaves out: of a
        long one 32 beads of a kind are counted, as it says nothing of other places.

    Examples
    --------
    >>> from bitext.kernels.bead_path import BeadPath
    >>> path = BeadPath(0, np.array([0] * 900 + [1] * 100), np.arange(1000), np.arange(1000), 0.5)
    >>> beads_of_paths([(1, 1), (1, 0), (0, 1)], [(path, None)]).round(3).tolist()
    [0.905, 0.094, 0.001]

    """
    counts = np.zeros(len(beads))
    for path, passages in paths:
        counts += np.bincount(path.kinds[path.kinds >= 0], minlength=len(beads))
        if passages is not None and len(path.kinds):
            alone = passages.alone(beads, path)
            many = np.bincount(path.kinds[alone], minlength=len(beads))
            counts -= np.maximum(many - _PASSAGE, 0)
    return learned_chances(beads, counts)


def lengths_of_paths(model: LengthModel, paths: Iterable[tuple[BeadPath, Lengths]]) -> LengthModel:
    """Return how lengths go together in the beads of some paths that have both sides.

    Parameters
    ----------
    model : LengthModel
        What is known before.
    paths : iterable of (BeadPath, (array of float64, array of float64))
        With the length of each sentence of both sides.

    """
    totals: list[Lengths] = [(np.zeros(0), np.zeros(0))]
    for path, sizes in paths:
        src, tgt = (
            np.diff(np.append(0.0, np.cumsum(side))[ends], prepend=0.0)
            for side, ends in zip(sizes, (path.row, path.column), strict=True)
        )
        both = np.flatnonzero((src > 0) & (tgt > 0))
        totals.append((src[both], tgt[both]))
    src, tgt = (np.concatenate(side) for side in zip(*totals, strict=True))
    return model.learned(src, tgt)
