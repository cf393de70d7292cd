"""The layers of a lattice: its unbranched runs, its main path, and the items that lines join.

A *run* is a longest chain of nodes without a branch: words that always follow each other, and so
stand on one line as text does. An *item* is what has a place in one layer: a node, or an arc where
it passes by.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bitext.kernels.rows import prefix
from bitext.reports.crossings import Gap, Layers

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Items", "itemise", "main_path", "ranks", "runs"]

_TEXT = 4  # a line through text costs as much as through four others
_HEAVY = 4  # from here on a line weighs no more


class Items(NamedTuple):
    """What stands in the layers.

    Attributes
    ----------
    layers : Layers
        The items by layer and the lines between them.
    node : array of int64, shape (items,)
        The node that an item is; -1 for an arc that passes.
    arc : array of int64, shape (items,)
        The arc that passes; -1 for a node.
    layer : array of int64, shape (items,)
        The layer of each item.
    of : list of array of int64
        For each gap, the arc of each line.
    inner : list of array of int64
        For each gap, how strongly a line wants to be straight: 3 the main path, 2 text, 1 an arc
        within itself, 0 others.
    at : array of int64, shape (nodes,)
        The item of each node.
    passing : list of list of int
        For each arc, the items where it passes, from left to right.

    """

    layers: Layers
    node: NDArray[np.int64]
    arc: NDArray[np.int64]
    layer: NDArray[np.int64]
    of: list[NDArray[np.int64]]
    inner: list[NDArray[np.int64]]
    at: NDArray[np.int64]
    passing: list[list[int]]


def runs(count: int, tail: NDArray[np.int64], head: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the number of the run of each node; the first and the last node are by themselves.

    Numbers ascend with the first node of each run.
    """
    out = np.bincount(tail, minlength=count)
    into = np.bincount(head, minlength=count)
    joined = (out[tail] == 1) & (into[head] == 1) & (tail > 0) & (head < count - 1)
    before = np.full(count, -1, dtype=np.int64)
    before[head[joined]] = tail[joined]
    first = list(range(count))
    for node, earlier in enumerate(before.tolist()):
        if earlier >= 0:
            first[node] = first[earlier]
    return np.unique(np.array(first), return_inverse=True)[1].reshape(-1).astype(np.int64)


def main_path(
    count: int, tail: NDArray[np.int64], head: NDArray[np.int64], weight: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Mark the arcs of the path that most is shared on.

    It has the greatest sum of (weight - 1); ties prefer the heavier arc, then the earlier tail.
    """
    best = [0] * count
    came = [(-1, -1, 0)] * count
    order = np.lexsort((tail, head))
    for arc in order.tolist():
        a, b, w = int(tail[arc]), int(head[arc]), int(weight[arc])
        total = best[a] + w - 1
        if came[b][0] < 0 or (total, w) > (best[b], came[b][2]):
            best[b], came[b] = total, (a, arc, w)
    marked = np.zeros(len(tail), dtype=bool)
    node = count - 1
    while node:
        node, arc, _ = came[node]
        marked[arc] = True
    return marked


def ranks(
    run: NDArray[np.int64], tail: NDArray[np.int64], head: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return the layer of each node: each as far left as its predecessors let it be.

    Runs stay whole. A run that more arcs leave than enter then moves right as far as it can, which
    makes fewer and shorter lines.
    """
    length = np.bincount(run)
    count = len(length)
    offset = np.zeros(len(run), dtype=np.int64)
    seen = [0] * count
    for node, number in enumerate(run.tolist()):
        offset[node] = seen[number]
        seen[number] += 1
    outer = run[tail] != run[head]
    into: list[list[int]] = [[] for _ in range(count)]
    out: list[list[int]] = [[] for _ in range(count)]
    for a, b in zip(run[tail[outer]].tolist(), run[head[outer]].tolist(), strict=True):
        into[b].append(a)
        out[a].append(b)
    # Runs are not numbered along all arcs, their first nodes are along those that enter them.
    order = _along(into, out)
    start = [0] * count
    size = length.tolist()
    for number in order:
        start[number] = max((start[a] + size[a] for a in into[number]), default=0)
    for _ in range(2):
        for number in reversed(order):
            if len(out[number]) > len(into[number]) > 0:
                start[number] = min(start[b] for b in out[number]) - size[number]
        for number in order:
            if into[number] and len(out[number]) <= len(into[number]):
                start[number] = max(start[a] + size[a] for a in into[number])
    return np.array(start, dtype=np.int64)[run] + offset


def _along(into: list[list[int]], out: list[list[int]]) -> list[int]:
    waiting = [len(before) for before in into]
    order = [number for number, open_arcs in enumerate(waiting) if not open_arcs]
    for number in order:
        for after in out[number]:
            waiting[after] -= 1
            if not waiting[after]:
                order.append(after)
    return order


def itemise(
    layer: NDArray[np.int64],
    run: NDArray[np.int64],
    tail: NDArray[np.int64],
    head: NDArray[np.int64],
    weight: NDArray[np.int64],
) -> Items:
    """Give every node, and every arc in each layer that it passes, an item."""
    nodes, arcs = len(layer), len(tail)
    passed = layer[head] - layer[tail] - 1
    ptr = prefix(passed)
    arc = np.repeat(np.arange(arcs), passed)
    at = np.concatenate([layer, layer[tail[arc]] + 1 + np.arange(len(arc)) - ptr[arc]])
    order = np.argsort(at, kind="stable")
    item = np.empty(len(at), dtype=np.int64)
    item[order] = np.arange(len(at))
    # The stations of each arc: its tail, where it passes, its head.
    stations = np.empty(len(arc) + 2 * arcs, dtype=np.int64)
    begin = prefix(passed + 2)
    stations[begin[:-1]] = item[tail]
    stations[begin[1:] - 1] = item[head]
    stations[begin[arc] + 1 + np.arange(len(arc)) - ptr[arc]] = item[nodes:]
    line = np.ones(len(stations), dtype=bool)
    line[begin[1:] - 1] = False
    left = stations[np.flatnonzero(line)]
    right = stations[np.flatnonzero(line) + 1]
    of = np.repeat(np.arange(arcs), passed + 1)
    main = main_path(nodes, tail, head, weight)
    text = run[tail] == run[head]
    cost = np.minimum(weight, _HEAVY)
    cost[text] = _TEXT
    within = (left != item[tail[of]]) & (right != item[head[of]])
    strength = np.where(main[of], 3, np.where(text[of], 2, np.where(within, 1, 0)))
    here = at[order]
    by_gap = np.argsort(here[left], kind="stable")
    depth = int(layer.max()) + 1
    cuts = np.searchsorted(here[left][by_gap], np.arange(1, depth - 1))
    parts = np.split(by_gap, cuts) if depth > 1 else []
    gaps = [Gap(left[part], right[part], cost[of[part]], (strength[part] >= 2)) for part in parts]
    tall = prefix(np.bincount(at, minlength=depth))
    return Items(
        Layers(tall, gaps),
        np.where(order < nodes, order, -1),
        np.concatenate([np.full(nodes, -1), arc])[order],
        here,
        [of[part] for part in parts],
        [strength[part] for part in parts],
        item[:nodes],
        [
            item[nodes + low : nodes + high].tolist()
            for low, high in zip(ptr[:-1].tolist(), ptr[1:].tolist(), strict=True)
        ],
    )
