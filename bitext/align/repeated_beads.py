"""Which beads say the same as others, so that nothing is learned from the same thing many times.

A formula that comes a hundred times, or a chapter that is printed twice, tells no more of its words
than once: words that stand beside each other there by chance would seem to do so always.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["told_before"]

_RARE = 8  # beads that a word is in at most which does not make a bead another: a name, a number
_FACTORS = (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F)
_MIX = 0xBF58476D1CE4E5B9


def told_before(
    src: tuple[NDArray[np.int64], NDArray[np.int64]],
    tgt: tuple[NDArray[np.int64], NDArray[np.int64]],
    *,
    beads: int,
    times: int = 2,
) -> NDArray[np.bool_]:
    """Return which beads have the words of `times` beads before them, but for rare words.

    Parameters
    ----------
    src, tgt : (array of int64, array of int64), each of shape (words of beads,)
        The words of all beads of one side: the bead, ascending, and the number of the word.
    beads : int
    times : int
        How often a bead is new.

    Returns
    -------
    array of bool, shape (beads,)
        Beads are told apart by a sum of 64 bits: that two others are taken for one is unlikely.

    Examples
    --------
    >>> bead, word = np.repeat(np.arange(30), 2), np.tile([1, 2], 30)
    >>> int(told_before((bead, word), (bead, word + 1), beads=30).sum())
    28

    """
    key = np.zeros(beads, dtype=np.uint64)
    for (bead, word), factor in zip((src, tgt), _FACTORS, strict=True):
        often = np.flatnonzero(np.bincount(word)[word] > _RARE) if len(word) else word
        mixed = (word[often].astype(np.uint64) + np.uint64(1)) * np.uint64(factor)
        mixed = (mixed ^ mixed >> np.uint64(29)) * np.uint64(_MIX)
        sums = np.concatenate([np.zeros(1, np.uint64), np.cumsum(mixed ^ mixed >> np.uint64(32))])
        ptr = np.searchsorted(bead[often], np.arange(beads + 1))
        key = (key ^ key >> np.uint64(31)) * np.uint64(factor) + sums[ptr[1:]] - sums[ptr[:-1]]
    order = np.argsort(key, kind="stable")
    ordered = key[order]
    told = np.zeros(beads, dtype=bool)
    told[order] = np.arange(beads) - np.searchsorted(ordered, ordered) >= times
    # A bead of rare words only has no words to be told by.
    told[key == 0] = False
    return told
