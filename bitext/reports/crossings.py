"""The order of items within layers that lets few lines cross.

Layers are swept to and fro: each layer is ordered by the means of the neighbours' places in the
layer before (Sugiyama, Tagawa and Toda 1981), then neighbours swap where that saves crossings. Some
lines are *rigid* (text that must stay on one line, the main path): they never cross each other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Gap", "Layers", "crossings", "untangle"]

_ROUNDS = 12  # at most; two that bring nothing end it
_STEPS = 400_000  # items ordered in all: fewer rounds for larger drawings, so that time is bounded
_SWAPPED = 12_000  # items up to which neighbours are swapped
_SWEEPS = 8  # swaps in one layer, from top to bottom and again


class Gap(NamedTuple):
    """The lines between a layer and the next one.

    Attributes
    ----------
    left, right : array of int64, shape (lines,)
        The item of each layer that a line joins.
    weight : array of int64, shape (lines,)
        What a crossing costs is the product of the weights of its two lines.
    rigid : array of bool, shape (lines,)
        Lines that may not cross each other; an item has at most one of them on a side.

    """

    left: NDArray[np.int64]
    right: NDArray[np.int64]
    weight: NDArray[np.int64]
    rigid: NDArray[np.bool_]


class Layers(NamedTuple):
    """Items in layers: those of layer k are numbered from `ptr[k]` to `ptr[k + 1]` - 1.

    Every item but those of the first layer has a line from the layer before, every item but those
    of the last one to the next.
    """

    ptr: NDArray[np.int64]
    gaps: list[Gap]


def crossings(layers: Layers, place: NDArray[np.int64]) -> int:
    """Return the cost of all crossings, with the items at these places of their layers."""
    total = 0
    for gap in layers.gaps:
        left, right = place[gap.left], place[gap.right]
        if len(left) < 2:
            continue
        cross = (left[:, None] < left) & (right[:, None] > right)
        total += int(gap.weight @ (cross @ gap.weight))
    return total


def untangle(layers: Layers, *firsts: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the place of each item within its layer, from 0 at the top.

    Parameters
    ----------
    layers : Layers
        The items and lines.
    firsts : arrays of float64, shape (items,)
        Where to begin: each layer is first ordered by these values (ties: by number). The best
        result counts (ties: of the earliest); of large drawings only the first beginning is tried.

    Notes
    -----
    Cost: linear in the items and quadratic in the lines between two layers, for each of at most
    12 rounds; large drawings get fewer. The same input gives the same order everywhere.

    """
    count = int(layers.ptr[-1])
    swaps = _Swaps(layers) if count <= _SWAPPED else None
    found = [_settle(layers, first, swaps) for first in (firsts if swaps else firsts[:1])]
    return min(found, key=lambda pair: pair[0])[1]


def _settle(
    layers: Layers, first: NDArray[np.float64], swaps: _Swaps | None
) -> tuple[int, NDArray[np.int64]]:
    """Return the least cost from one beginning, and the places."""
    count = int(layers.ptr[-1])
    place = np.zeros(count, dtype=np.int64)
    for low, high in zip(layers.ptr[:-1].tolist(), layers.ptr[1:].tolist(), strict=True):
        place[low + np.argsort(first[low:high], kind="stable")] = np.arange(high - low)
    best, least, idle = place, -1, 0
    for turn in range(max(2, min(_ROUNDS, _STEPS // count)) * 2):
        place = _sweep(layers, place, forward=turn % 2 == 0)
        if swaps is not None:
            place = swaps.settle(place)
        cost = crossings(layers, place)
        if least < 0 or cost < least:
            best, least, idle = place, cost, 0
        else:
            idle += 1
        if not least or idle == 4:
            break
    return least, best


def _sweep(layers: Layers, place: NDArray[np.int64], *, forward: bool) -> NDArray[np.int64]:
    """Order each layer by the means of the layer before it (or after it)."""
    place = place.copy()
    gaps = range(len(layers.gaps)) if forward else range(len(layers.gaps) - 1, -1, -1)
    for number in gaps:
        gap = layers.gaps[number]
        near, far = (gap.left, gap.right) if forward else (gap.right, gap.left)
        layer = number + 1 if forward else number
        low, high = int(layers.ptr[layer]), int(layers.ptr[layer + 1])
        item = far - low
        total = np.bincount(item, gap.weight * place[near], high - low)
        key = total / np.bincount(item, gap.weight, high - low)
        # Rigid lines keep the order of the layer before.
        key[item[gap.rigid]] = place[near[gap.rigid]]
        order = np.lexsort((place[low:high], key))
        place[low + order] = np.arange(high - low)
    return place


class _Swaps:
    """Swaps neighbours of a layer as long as that saves crossings."""

    def __init__(self, layers: Layers) -> None:
        count = int(layers.ptr[-1])
        self.layers = layers
        # Each item's lines to the layer before and after: (item, weight).
        self.lines: tuple[list[list[tuple[int, int]]], ...] = tuple(
            [[] for _ in range(count)] for _ in range(2)
        )
        self.rigid = (np.zeros(count, dtype=bool), np.zeros(count, dtype=bool))
        for gap in layers.gaps:
            for left, right, weight in zip(*(part.tolist() for part in gap[:3]), strict=True):
                self.lines[0][right].append((left, weight))
                self.lines[1][left].append((right, weight))
            self.rigid[0][gap.right[gap.rigid]] = True
            self.rigid[1][gap.left[gap.rigid]] = True

    def settle(self, place: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the places after swapping, layer by layer."""
        places = place.tolist()
        before, after = self.rigid[0].tolist(), self.rigid[1].tolist()
        for low, high in zip(
            self.layers.ptr[:-1].tolist(), self.layers.ptr[1:].tolist(), strict=True
        ):
            row = [0] * (high - low)
            for item in range(low, high):
                row[places[item]] = item
            for _ in range(_SWEEPS):
                moved = False
                for k in range(len(row) - 1):
                    a, b = row[k], row[k + 1]
                    if (before[a] and before[b]) or (after[a] and after[b]):
                        continue
                    if self._gain(a, b, places) > 0:
                        row[k], row[k + 1] = b, a
                        places[a], places[b] = k + 1, k
                        moved = True
                if not moved:
                    break
        return np.array(places, dtype=np.int64)

    def _gain(self, upper: int, lower: int, places: list[int]) -> int:
        """Return how much less the crossings cost when the two are swapped."""
        gain = 0
        for lines in self.lines:
            for a, weight in lines[upper]:
                place = places[a]
                for b, other in lines[lower]:
                    if place > places[b]:
                        gain += weight * other
                    elif place < places[b]:
                        gain -= weight * other
        return gain
