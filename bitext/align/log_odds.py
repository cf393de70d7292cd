"""How much evidence a cosine of two vectors is: learned from the texts at hand.

Cosines of one encoder, and of one pair of languages, mean other things than those of another. They
are held against those of sentences at random, twice: their spread alone gives log-odds to begin
with; an alignment that is sure of some beads 1-1 gives examples for a logistic regression.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

    from bitext.align.vectors import SentenceVectors

__all__ = ["LogOdds", "learn_log_odds", "random_spread"]

_RANDOM = 2000  # pairs at random that cosines are held against
_BELIEF = 10.0  # pairs that the first log-odds are worth
_STEPS = 30  # of Newton's method, at most
_RIGHT = 0.97  # how many of the sure beads are taken to be right


class LogOdds(NamedTuple):
    """How a cosine becomes evidence: slope * cosine + offset, a natural logarithm."""

    slope: float
    offset: float

    @classmethod
    def first(cls, spread: float) -> LogOdds:
        """Return those to begin with, from the spread of the cosines of random pairs.

        A cosine of one and a half times the spread is evidence for nothing.
        """
        slope = 1.8 / max(spread, 0.02)
        return cls(slope, -1.5 * slope * max(spread, 0.02))


def random_spread(pairs: Sequence[tuple[SentenceVectors, SentenceVectors]]) -> float:
    """Return the spread of the cosines of sentences at random: the root of their mean square."""
    cosines = _random_cosines(pairs)
    return float(np.sqrt(np.mean(cosines**2))) if cosines.size else 0.1


def learn_log_odds(
    pairs: Sequence[tuple[SentenceVectors, SentenceVectors]],
    beads: Sequence[tuple[ArrayLike, ArrayLike]],
) -> LogOdds:
    """Learn the log-odds of cosines from beads 1-1 that are taken for right.

    Logistic regression of these beads against pairs at random, both as heavy as the beads; 3 in
    100 beads are taken to be wrong, and the log-odds to begin with count as 10 beads more. The
    result is the same on every run.

    Parameters
    ----------
    pairs : sequence of (SentenceVectors, SentenceVectors)
        The texts, which share their languages and encoder.
    beads : sequence of (array of int, array of int)
        Of each pair of texts the source and the target sentences of its beads, in parallel.

    Returns
    -------
    LogOdds
        With a slope that is never negative.

    """
    right = [_cosines(src, tgt, *ends) for (src, tgt), ends in zip(pairs, beads, strict=True)]
    sure = np.concatenate(right) if right else np.zeros(0)
    chance = _random_cosines(pairs)
    first = LogOdds.first(float(np.sqrt(np.mean(chance**2))) if chance.size else 0.1)
    if not (sure.size and chance.size):
        return first
    x = np.concatenate([sure, chance])
    y = np.concatenate([np.full(sure.size, _RIGHT), np.zeros(chance.size)])
    weight = np.concatenate([np.ones(sure.size), np.full(chance.size, sure.size / chance.size)])
    # The first log-odds as examples: cosines over the range, as likely as they say.
    grid = np.linspace(-0.2, 1.0, 25)
    believed = 1 / (1 + np.exp(-(first.slope * grid + first.offset)))
    x, y = np.concatenate([x, grid]), np.concatenate([y, believed])
    weight = np.concatenate([weight, np.full(grid.size, _BELIEF / grid.size)])
    slope, offset = _logistic(x, y, weight, first)
    if slope <= 0:
        return LogOdds(0.0, 0.0)
    return LogOdds(slope, offset)


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


def _logistic(
    x: NDArray[np.float64], y: NDArray[np.float64], weight: NDArray[np.float64], first: LogOdds
) -> LogOdds:
    """Return slope and offset of a weighted logistic regression, by damped Newton steps."""
    slope, offset = first

    def loss(slope: float, offset: float) -> float:
        at = slope * x + offset
        return float((weight * (np.logaddexp(0, at) - y * at)).sum())

    held = loss(slope, offset)
    for _ in range(_STEPS):
        p = 1 / (1 + np.exp(-np.clip(slope * x + offset, -500, 500)))
        rest, curve = weight * (p - y), weight * p * (1 - p)
        a, b, c = (float((curve * x**k).sum()) for k in (2, 1, 0))
        g, h = float((rest * x).sum()), float(rest.sum())
        det = a * c - b * b
        if det <= 1e-12:
            break
        steps = (c * g - b * h) / det, (a * h - b * g) / det
        size = 1.0
        while size > 1e-3 and loss(slope - size * steps[0], offset - size * steps[1]) > held:
            size /= 2
        new = slope - size * steps[0], offset - size * steps[1]
        if not loss(*new) < held - 1e-9:
            break
        slope, offset = new
        held = loss(slope, offset)
    return LogOdds(slope, offset)
