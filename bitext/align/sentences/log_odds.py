"""How much evidence a cosine of two vectors is.

Cosines of one encoder, and of one pair of languages, mean other things than those of another: they
are held against those of sentences at random.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

    from bitext.align.sentences.vectors import SentenceVectors

__all__ = ["LogOdds", "random_spread"]

_RANDOM = 2000  # pairs at random that cosines are held against


class LogOdds(NamedTuple):
    """How a cosine becomes evidence: slope * cosine + offset, a natural logarithm."""

    slope: float
    offset: float

    @classmethod
    def first(cls, spread: float) -> LogOdds:
        """Return them, from the spread of the cosines of random pairs.

        A cosine of one and a half times the spread is evidence for nothing.
        """
        slope = 1.8 / max(spread, 0.02)
        return cls(slope, -1.5 * slope * max(spread, 0.02))


def random_spread(pairs: Sequence[tuple[SentenceVectors, SentenceVectors]]) -> float:
    """Return the spread of the cosines of sentences at random: the root of their mean square."""
    cosines = _random_cosines(pairs)
    return float(np.sqrt(np.mean(cosines**2))) if cosines.size else 0.1


def _cosines(
    src: SentenceVectors, tgt: SentenceVectors, sources: ArrayLike, targets: ArrayLike
) -> NDArray[np.float64]:
    """Return the cosines of pairs of sentences, of those of which something is known."""
    if not (src.dimensions and tgt.dimensions):
        return np.zeros(0)
    first, second = np.asarray(sources, dtype=np.int64), np.asarray(targets, dtype=np.int64)
    found = [np.zeros(0)]
    for begin in range(0, len(first), 4096):
        left = src.sentences(first[begin : begin + 4096])
        right = tgt.sentences(second[begin : begin + 4096])
        known = left.any(axis=1) & right.any(axis=1)
        found.append(np.einsum("ij,ij->i", left, right, dtype=np.float64)[known])
    return np.concatenate(found)


def _random_cosines(
    pairs: Sequence[tuple[SentenceVectors, SentenceVectors]],
) -> NDArray[np.float64]:
    """Return the cosines of sentences at random, within pairs of texts, from a fixed seed."""
    sizes = np.array([min(len(src), len(tgt)) for src, tgt in pairs], dtype=np.float64)
    draw = np.random.default_rng(8)
    found = [np.zeros(0)]
    for (src, tgt), size in zip(pairs, sizes.tolist(), strict=True):
        many = int(np.ceil(_RANDOM * size / sizes.sum())) if size else 0
        if many and len(src) * len(tgt) > 4:
            first, second = draw.integers(len(src), size=many), draw.integers(len(tgt), size=many)
            found.append(_cosines(src, tgt, first, second))
    return np.concatenate(found)
