"""The dual of one text in closed form: the best share for each of its constraints."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["best_shares"]

_RIDGE = 1e-11  # so that differences that depend on each other still give one answer
_PRECISION = 1e-11


def best_shares(
    products: NDArray[np.float64],
    gains: NDArray[np.float64],
    cost: float,
    shares: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Maximise gains a - 1/2 a products a over shares a of 0 or more that sum to at most `cost`.

    The method of active sets: the optimum over the shares above 0 is had from linear equations;
    a share that would fall below 0 on the way there leaves them, and the one whose rise
    promises most joins them, until none does. Each round improves, so that the answer
    is never worse than the shares it began with.

    Parameters
    ----------
    products : array of float, shape (k, k)
        Symmetric, without negative eigenvalues.
    gains : array of float, shape (k,)
    cost : float
        Above 0.
    shares : array of float, shape (k,)
        Where to begin: allowed shares.

    Examples
    --------
    >>> best_shares(np.eye(2), np.array([0.5, 3.0]), 2.0, np.zeros(2)).tolist()
    [0.0, 2.0]

    """
    shares = shares.copy()
    free = shares > 0.0
    slack = cost - float(shares.sum())
    bound = slack <= _PRECISION * cost  # whether the sum is held at the cost
    scale = float(np.abs(gains).max(initial=0.0)) or 1.0
    ridge = _RIDGE * (float(np.trace(products)) / max(len(shares), 1) or 1.0)
    for _ in range(50 + 10 * len(shares)):
        inside = np.flatnonzero(free)
        move, price = _newton(products, gains, shares, inside, ridge, bound=bound)
        step, leaves = _room(shares[inside], move, slack, bound=bound)
        shares[inside] = np.maximum(shares[inside] + step * move, 0.0)
        if bound:
            shares *= cost / float(shares.sum())
        slack = cost - float(shares.sum())
        if leaves is not None:
            if leaves < 0:
                bound = True
            else:
                shares[inside[leaves]] = 0.0
                free[inside[leaves]] = False
            continue
        promise = gains - products @ shares - price
        promise[free] = -np.inf
        joins = int(promise.argmax()) if len(promise) else 0
        best = float(promise[joins]) if len(promise) else -np.inf
        if bound and -price > max(best, _PRECISION * scale):
            bound = False
        elif best > _PRECISION * scale:
            free[joins] = True
        else:
            break
    return shares


def _newton(
    products: NDArray[np.float64],
    gains: NDArray[np.float64],
    shares: NDArray[np.float64],
    inside: NDArray[np.int64],
    ridge: float,
    *,
    bound: bool,
) -> tuple[NDArray[np.float64], float]:
    """Return the way to the optimum over the free shares, and the price of the bound on the sum."""
    if not len(inside):
        return np.zeros(0), 0.0
    slope: NDArray[np.float64] = (gains - products @ shares)[inside]
    matrix = products[np.ix_(inside, inside)] + ridge * np.eye(len(inside))
    sides = np.stack([slope, np.ones(len(inside))], axis=1)
    both = np.linalg.solve(matrix, sides).astype(np.float64, copy=False)
    if not bound:
        return both[:, 0], 0.0
    price = float(both[:, 0].sum() / both[:, 1].sum())
    move = both[:, 0] - price * both[:, 1]
    # The sum stays at the cost to the last digits, however close to singular the equations are.
    return move - move.mean(), price


def _room(
    shares: NDArray[np.float64], move: NDArray[np.float64], slack: float, *, bound: bool
) -> tuple[float, int | None]:
    """Return how far the move may go, at most 1, and which share ends it; -1 for the sum."""
    step, leaves = 1.0, None
    falling = np.flatnonzero(move < 0.0)
    if len(falling):
        limits = shares[falling] / -move[falling]
        first = int(limits.argmin())
        if limits[first] < step:
            step, leaves = float(limits[first]), int(falling[first])
    rise = float(move.sum())
    if not bound and rise * step > slack:
        step, leaves = max(slack, 0.0) / rise, -1
    return step, leaves
