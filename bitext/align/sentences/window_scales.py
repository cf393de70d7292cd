"""What a cosine of neighbours joined is worth beside one of single sentences.

The vectors of long texts are alike more often than those of short ones: sentences that have nothing
to do with each other, when they are joined with their neighbours, have higher cosines, and beads of
many sentences would be taken for better than many beads of few. So the cosines of each kind of bead
are brought to the spread that those of single sentences have.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bitext.align.sentences.vectors import SentenceVectors

__all__ = ["window_scales"]

_TEXTS = 32  # that are looked at
_RUNS = 8  # of neighbouring windows, evenly over a text
_RUN = 32  # windows of each
_SHORT = 4  # times as many sentences as a window has: in shorter texts all windows are alike
_LEAST, _MOST = 0.5, 1.25


def window_scales(
    pairs: Sequence[tuple[SentenceVectors, SentenceVectors]], beads: Sequence[tuple[int, int]]
) -> dict[tuple[int, int], float]:
    """Return what the cosines of beads are to be multiplied with.

    Parameters
    ----------
    pairs : sequence of (SentenceVectors, SentenceVectors)
        The texts; of many, 32 are looked at.
    beads : sequence of (int, int)

    Returns
    -------
    dict
        Of each bead with two sides the spread of the cosines of single sentences at random over
        that of windows of its sizes, 0.5 to 1.25; 1 where the texts are too short to tell.

    Examples
    --------
    >>> from bitext.align.sentences.vectors import SentenceVectors
    >>> drift = np.random.default_rng(1).normal(size=(200, 8)).astype(np.float32)
    >>> side = SentenceVectors(drift + np.cumsum(drift, axis=0) / 8)
    >>> scales = window_scales([(side, side)], [(1, 1), (1, 0), (2, 2)])
    >>> sorted(scales), scales[1, 1], scales[2, 2] < 1
    ([(1, 1), (2, 2)], 1.0, True)

    """
    some = np.unique(np.linspace(0, len(pairs) - 1, min(len(pairs), _TEXTS)).astype(int))
    chosen = [pairs[k] for k in some.tolist()] if len(pairs) else []
    chosen = [pair for pair in chosen if pair[0].dimensions and pair[1].dimensions]
    wanted = [(a, b) for a, b in beads if a and b]
    scales = dict.fromkeys(wanted, 1.0)
    for bead in wanted:
        # Both spreads are of the same texts.
        long = [pair for pair in chosen if min(map(len, pair)) >= _SHORT * max(bead)]
        own, single = _square(long, bead), _square(long, (1, 1))
        if own > 0 and single > 0:
            scales[bead] = float(np.clip(np.sqrt(single / own), _LEAST, _MOST))
    return scales


def _square(
    pairs: Sequence[tuple[SentenceVectors, SentenceVectors]], bead: tuple[int, int]
) -> float:
    """Return the mean of the squares of the cosines of windows, within pairs of texts."""
    total, number = 0.0, 0
    for src, tgt in pairs:
        cosines = _windows(src, bead[0]) @ _windows(tgt, bead[1]).T
        total += float(np.square(cosines, dtype=np.float64).sum())
        number += cosines.size
    return total / number if number else 0.0


def _windows(vectors: SentenceVectors, size: int) -> NDArray[np.float32]:
    count = len(vectors) - size + 1
    runs = max(1, min(_RUNS, count // _RUN))
    begins = np.linspace(0, max(count - _RUN, 0), runs).astype(int).tolist()
    return np.concatenate([vectors.windows(size, k, min(k + _RUN, count)) for k in begins])
