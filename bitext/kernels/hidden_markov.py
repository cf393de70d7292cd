"""Forward-backward of hidden Markov models of word links, for batches of sentence pairs.

The states are the words of one sentence, the observations those of the other. The probability of a
move from state i to state k depends on k - i alone, so that all pairs of a batch share one matrix
of weights, and each step of the recursion is one product of matrices for the whole batch. Shorter
sentences are padded: a padded state is never entered, and a padded observation changes nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

__all__ = ["JUMPS", "WIDEST", "Posteriors", "forward_backward", "initial_jumps"]

WIDEST = 128  # words: longer jumps count as jumps of this width; set by hand
JUMPS = 2 * WIDEST + 1  # the number of jump weights
_DECAY = 0.3  # the initial weights fall by this rate a word; set by hand: EM replaces them
_TINY = np.float32(1e-30)  # keeps sums of impossible observations above 0


class Posteriors(NamedTuple):
    """Results of forward-backward for a batch.

    Attributes
    ----------
    links : array of float32, shape (observations, pairs, states)
        The probability that an observation comes from a state.
    jumps : array of float64, shape (JUMPS,)
        The expected number of jumps of each width, over all pairs.
    log_likelihood : array of float64, shape (pairs,)

    """

    links: Floats
    jumps: NDArray[np.float64]
    log_likelihood: NDArray[np.float64]


def initial_jumps() -> NDArray[np.float64]:
    """Return weights that prefer short jumps, in neither direction, and sum to 1."""
    weights = np.exp(-_DECAY * np.abs(np.arange(JUMPS) - WIDEST))
    normalised: NDArray[np.float64] = weights / weights.sum()
    return normalised


def forward_backward(
    emissions: Floats,
    null: Floats,
    jumps: NDArray[np.float64],
    *,
    null_share: float,
    states: Floats,
    observations: Floats,
) -> Posteriors:
    """Compute the posterior of every link, with states that emit as no word in between.

    An observation without a link is emitted by the empty word, which keeps the position: the next
    jump starts from the last linked state. The first jump starts before the first state.

    Parameters
    ----------
    emissions : array of float32, shape (observations, pairs, states)
        The probability of the observation given the state. Values at paddings have no effect.
    null : array of float32, shape (observations, pairs)
        The probability of the observation given the empty word.
    jumps : array of float64, shape (JUMPS,)
        The weight of each jump from -`WIDEST` to `WIDEST`; wider ones count as the widest.
    null_share : float
        The probability that an observation has no link.
    states : array of float32, shape (pairs, states)
        1 for a word, 0 for padding; one word at least a pair.
    observations : array of float32, shape (observations, pairs)
        1 for a word, 0 for padding.

    Returns
    -------
    Posteriors

    Notes
    -----
    Each step is scaled to sum 1 (Rabiner's scaling), so that no logarithms are taken. The cost is
    two products of (pairs x states) and (states x states) an observation.

    **Source**: S. Vogel, H. Ney and C. Tillmann, HMM-Based Word Alignment in Statistical
    Translation, COLING 1996; F. J. Och and H. Ney, A Systematic Comparison of Various Statistical
    Alignment Models, Computational Linguistics 29, 2003, section 2.3 (the empty word); L. R.
    Rabiner, A Tutorial on Hidden Markov Models, Proceedings of the IEEE 77, 1989, section V.A
    (scaling).

    **Departures**: the jump to the first word counts as the others here; Och and Ney give it a
    distribution of its own.

    Examples
    --------
    >>> ones = np.ones((2, 1), dtype=np.float32)
    >>> emissions = np.array([[[0.9, 0.1]], [[0.1, 0.9]]], dtype=np.float32)
    >>> links = forward_backward(
    ...     emissions, ones / 100, initial_jumps(), null_share=0.2, states=ones.T, observations=ones
    ... ).links
    >>> links[:, 0].astype(float).round(2).tolist()
    [[0.9, 0.09], [0.12, 0.87]]

    """
    length, pairs, size = emissions.shape
    width = np.clip(np.arange(size) - np.arange(size)[:, None], -WIDEST, WIDEST) + WIDEST
    moves = jumps[width].astype(np.float32)
    leaving = states / np.maximum(states @ moves.T, _TINY)
    first_width = np.minimum(np.arange(size) + 1, WIDEST) + WIDEST
    start = jumps[first_width].astype(np.float32) * states
    start /= np.maximum(start.sum(axis=1, keepdims=True), _TINY)
    padding = np.float32(1) - observations
    emit = emissions * (observations * np.float32(1 - null_share))[:, :, None]
    emit += padding[:, :, None] * np.float32(1 - null_share)
    emit *= states
    skip = ((null * observations + padding) * np.float32(null_share))[:, :, None]
    ones = np.ones((size, 1), dtype=np.float32)

    # Forward: `linked` has states that emitted the observation, `reached` also those that kept it.
    linked, reached = np.empty_like(emit), np.empty_like(emit)
    scale = np.empty((length, pairs, 1), dtype=np.float32)
    entered = start
    before = start
    for step in range(length):
        if step:
            before = reached[step - 1]
            entered = (before * leaving) @ moves
        np.multiply(entered, emit[step], out=linked[step])
        np.multiply(before, skip[step], out=reached[step])
        reached[step] += linked[step]
        np.maximum(reached[step] @ ones, _TINY, out=scale[step])
        linked[step] /= scale[step]
        reached[step] /= scale[step]

    # Backward: `linked` becomes the posterior, `emit` what is needed of the next step for jumps.
    kept_first = reached[0] - linked[0]
    after = np.ones((pairs, size), dtype=np.float32)
    back = np.ascontiguousarray(moves.T)
    for step in range(length - 1, -1, -1):
        linked[step] *= after
        if step:
            emit[step] *= after
            emit[step] /= scale[step]
            after = (emit[step] @ back) * leaving + after * (skip[step] / scale[step])
    counts = np.zeros(JUMPS)
    if length > 1:
        # Padded observations would count as jumps.
        emit[1:] *= observations[1:, :, None]
        reached[:-1] *= leaving
        met = reached[:-1].reshape(-1, size).T @ emit[1:].reshape(-1, size)
        counts += np.bincount(width.ravel(), (met * moves).ravel(), JUMPS)
    counts += np.bincount(first_width, (linked[0] + kept_first * after).sum(axis=0), JUMPS)
    linked *= observations[:, :, None]
    return Posteriors(linked, counts, np.log(scale[:, :, 0].astype(np.float64)).sum(axis=0))
