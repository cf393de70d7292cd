"""Runs of the bead (0, 1) along the rows of a table: sums with what leads on from each point.

With w for the weights of the bead that ends at each point of a row, a row of numbers x becomes

    y[j] = x[j] + y[j - 1] * w[j]    along it, or    y[j] = x[j] + y[j + 1] * w[j + 1]    back.

Many rows are worked on together, and none of their columns one by one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["BeadRuns", "runs_of"]

_LEAST, _MOST = 1e-100, 1e200  # products of weights that numbers are divided by


class BeadRuns(Protocol):
    """What sums up rows, some of them at each step."""

    def along(self, step: int, here: NDArray[np.float64], out: NDArray[np.float64]) -> None:
        """Put the sums along the rows of a step into `out`; `here` is used up."""

    def back(self, step: int, here: NDArray[np.float64], out: NDArray[np.float64]) -> None:
        """Put those from the ends of the rows to their beginnings into `out`."""


def runs_of(single: NDArray[np.float64], inside: NDArray[np.bool_]) -> BeadRuns:
    """Return what sums up the rows of a table.

    Parameters
    ----------
    single : array of float64, shape (steps, rows, width)
        The weights of the bead (0, 1) that ends at each point, at least 0. It is 0 in the first
        column, where there is no point, and at the first one behind such.
    inside : array of bool, shape (steps, rows, width)
        Where there are points. The sums elsewhere are 0, or such as come from numbers there.

    Examples
    --------
    >>> runs = runs_of(np.array([[[0.0, 0.5, 0.0, 2.0]]]), np.ones((1, 1, 4), dtype=bool))
    >>> sums = np.empty((1, 4))
    >>> runs.along(0, np.array([[4.0, 1.0, 3.0, 1.0]]), sums)
    >>> sums
    array([[4., 3., 3., 7.]])
    >>> runs.back(0, np.array([[4.0, 1.0, 3.0, 1.0]]), sums)
    >>> sums
    array([[4.5, 1. , 5. , 1. ]])

    """
    follows = inside.copy()
    follows[..., 1:] &= inside[..., :-1]
    follows[..., 0] = False
    products = np.where(follows, single, 1.0)
    np.cumprod(products, axis=-1, out=products)
    if products.min(initial=1.0) >= _LEAST and products.max(initial=1.0) <= _MOST:
        return _ByProducts(products, inside)
    return _ByDoubling(single)


class _ByProducts:
    """By products of all weights from the beginning of a row on, which are in range.

    Divided by these, the sums are those of the numbers alone.
    """

    def __init__(self, products: NDArray[np.float64], inside: NDArray[np.bool_]) -> None:
        self._products = np.where(inside, products, 0.0)
        self._inverse = np.where(inside, 1 / products, 0.0)

    def along(self, step: int, here: NDArray[np.float64], out: NDArray[np.float64]) -> None:
        here *= self._inverse[step]
        np.add.accumulate(here, axis=1, out=here)
        np.multiply(here, self._products[step], out=out)

    def back(self, step: int, here: NDArray[np.float64], out: NDArray[np.float64]) -> None:
        here *= self._products[step]
        np.add.accumulate(here[:, ::-1], axis=1, out=here[:, ::-1])
        np.multiply(here, self._inverse[step], out=out)


class _ByDoubling:
    """By the sums of the last 1, 2, 4, ... numbers at each point, whatever the weights are.

    They may be 0: no bead crosses the border of two paragraphs.
    """

    def __init__(self, single: NDArray[np.float64]) -> None:
        # What 1, 2, 4, ... beads that end at a point weigh together.
        self._runs, number = [single[..., 1:]], 1
        while 2 * number < single.shape[-1]:
            last = self._runs[-1]
            self._runs.append(last[..., number:] * last[..., :-number])
            number *= 2

    def along(self, step: int, here: NDArray[np.float64], out: NDArray[np.float64]) -> None:
        for k, run in enumerate(self._runs):
            here[:, 1 << k :] += here[:, : -1 << k] * run[step]
        out[...] = here

    def back(self, step: int, here: NDArray[np.float64], out: NDArray[np.float64]) -> None:
        for k, run in enumerate(self._runs):
            here[:, : -1 << k] += here[:, 1 << k :] * run[step]
        out[...] = here
