"""The best labels and the probabilities of a chain of two labels: inside (0) and start (1).

The score of labels y_0 ... y_{n-1} is the sum of one score a sentence, `nodes[k]` where y_k is a
start, and one a transition, `moves[y_{k-1}, y_k]`. The first sentence is always a start, and its
own score is the same whatever follows: it is not looked at.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["best_chain", "chain_marginals"]


def best_chain(
    nodes: NDArray[np.float64], moves: NDArray[np.float64]
) -> tuple[NDArray[np.int64], float]:
    """Return the starts of the best labels, and their score.

    Of equally good labels the one with `inside` at the last sentence where they differ.

    Parameters
    ----------
    nodes : array of float64, shape (n,)
        What a start gains over an inside at each sentence.
    moves : array of float64, shape (2, 2)
        What a label gains after another: `moves[before, after]`.

    Returns
    -------
    starts : array of int64
        Ascending from 0; none of a text without sentences.
    score : float
        0 of a text of one sentence or none.

    Examples
    --------
    >>> best_chain(np.array([0.0, -1.0, 3.0]), np.zeros((2, 2)))
    (array([0, 2]), 3.0)

    """
    n = len(nodes)
    if n == 0:
        return np.zeros(0, dtype=np.int64), 0.0
    (inside_inside, inside_start), (start_inside, start_start) = moves.tolist()
    inside, start = -np.inf, 0.0
    # Whether the best way to each label comes from a start.
    came = np.zeros((2, n), dtype=bool)
    from_start_in, from_start = [False], [False]
    for gain in nodes[1:].tolist():
        a, b = inside + inside_inside, start + start_inside
        c, d = inside + inside_start, start + start_start
        from_start_in.append(b > a)
        from_start.append(d > c)
        inside, start = max(a, b), max(c, d) + gain
    came[0], came[1] = from_start_in, from_start
    labels = np.zeros(n, dtype=bool)
    label, score = start > inside, max(inside, start)
    for k in range(n - 1, -1, -1):
        labels[k] = label
        label = bool(came[int(label), k])
    return np.flatnonzero(labels), float(score)


def chain_marginals(nodes: NDArray[np.float64], moves: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the probability of each sentence to be a start, shape (n,), by forward-backward.

    The probability of labels is proportional to the exponential of their score; arguments are as
    of `best_chain`.

    Examples
    --------
    >>> chain_marginals(np.array([0.0, np.log(3.0)]), np.zeros((2, 2))).tolist()
    [1.0, 0.75]

    """
    n = len(nodes)
    if n == 0:
        return np.zeros(0)
    # Only differences matter, start less inside; those of the way ahead and of the way back.
    (inside_inside, inside_start), (start_inside, start_start) = moves.tolist()
    gains = nodes.tolist()
    ahead = np.empty(n)
    ahead[0] = np.inf
    for k in range(1, n):
        before = ahead[k - 1]
        if before == np.inf:
            ahead[k] = start_start - start_inside + gains[k]
            continue
        start = np.logaddexp(inside_start, before + start_start)
        ahead[k] = start - np.logaddexp(inside_inside, before + start_inside) + gains[k]
    back = np.zeros(n)
    for k in range(n - 2, -1, -1):
        after = back[k + 1] + gains[k + 1]
        start = np.logaddexp(start_inside, after + start_start)
        back[k] = start - np.logaddexp(inside_inside, after + inside_start)
    out: NDArray[np.float64] = (1 + np.tanh((ahead + back) / 2)) / 2
    return out
