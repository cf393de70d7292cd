"""What paths teach of beads: how frequent each is, and how lengths go together in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from bitext.align.sentences.length_evidence import LengthModel
    from bitext.align.sentences.omissions import Omissions
    from bitext.kernels.bead_path import BeadPath

    Lengths = tuple[NDArray[np.float64], NDArray[np.float64]]  # of sentences: source, target

__all__ = ["beads_of_path", "lengths_of_paths"]

_PASSAGE = 32  # beads of passages that are left out that are counted, of a kind and a text


def beads_of_path(
    beads: Sequence[tuple[int, int]], path: BeadPath, passages: Omissions | None = None
) -> NDArray[np.float64]:
    """Return how many beads of each kind a path has.

    Parameters
    ----------
    beads : sequence of (int, int)
    path : BeadPath
        Beads of kind -1 are not counted.
    passages : Omissions, optional
        Those that the path leaves out: of a long one 32 beads of a kind are counted, as it says
        nothing of other places.

    """
    counts = np.bincount(path.kinds[path.kinds >= 0], minlength=len(beads)).astype(np.float64)
    if passages is not None and len(path.kinds):
        alone = passages.alone(beads, path)
        counts -= np.maximum(np.bincount(path.kinds[alone], minlength=len(beads)) - _PASSAGE, 0)
    return counts


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
