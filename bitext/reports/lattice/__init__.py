"""A layered layout of lattices, from left to right.

The steps are those of Sugiyama, Tagawa and Toda (1981): layers, the order in them, coordinates.
Particular to word lattices are:

- Words that always follow each other (a run) stand next to each other on one line, as in a text.
- The most shared path is a straight line in the middle.
- Columns are as wide as the words that begin and end in them require, not as their widest word.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from bitext.errors import InputError
from bitext.kernels.arrays import Bools, Floats, Ints, joined_labels, prefix

# The order of items within layers, with few crossing lines.
#
# Sweeps go back and forth over the layers: each layer is ordered by the means of the places of the
# neighbours in the layer before (Sugiyama, Tagawa and Toda 1981), then neighbours are swapped where
# that saves crossings. Some lines are *rigid* (text that must stay on one line, the main path), and
# never cross each other.

# Set by hand, to bound time.
_ROUNDS = 12  # rounds at most; two without a gain are the last
_STEPS = 400_000  # items ordered in all, so that large drawings have fewer rounds
_SWAPPED = 12_000  # greatest number of items for swaps
_SWEEPS = 8  # sweeps of swaps over one layer


class Gap(NamedTuple):
    """The lines between a layer and the next one."""

    left: Ints  # the item at the left end of each line; shape (lines,)
    right: Ints  # the item at the right end, likewise
    # The weight of each line; a crossing costs the product of the weights of its two lines. Shape
    # (lines,).
    weight: Ints
    # The lines that must not cross each other; an item has at most one on a side. Shape (lines,).
    rigid: Bools


class Layers(NamedTuple):
    """Items in layers: those of layer k are numbered from `ptr[k]` to `ptr[k + 1]` - 1.

    Every item but those of the first layer has a line from the layer before, every item but those
    of the last one to the next.
    """

    ptr: Ints
    gaps: list[Gap]


def crossings(layers: Layers, place: Ints) -> int:
    """Return the cost of all crossings for these places of the items."""
    total = 0
    for gap in layers.gaps:
        left, right = place[gap.left], place[gap.right]
        if len(left) < 2:
            continue
        cross = (left[:, None] < left) & (right[:, None] > right)
        total += int(gap.weight @ (cross @ gap.weight))
    return total


def untangle(layers: Layers, *firsts: Floats) -> Ints:
    """Return the place of each item within its layer, from 0 at the top.

    `firsts`, each of shape (items,), are initial orders: each layer is first ordered by these
    values (ties: by number). The best result is returned (ties: that of the earliest); large
    drawings use only the first.

    Notes
    -----
    Cost: linear in the items and quadratic in the lines between two layers, for each of at most
    12 rounds; large drawings get fewer. The same input gives the same order everywhere.

    """
    count = int(layers.ptr[-1])
    swaps = _Swaps(layers) if count <= _SWAPPED else None
    results = [_settle(layers, first, swaps) for first in (firsts if swaps else firsts[:1])]
    return min(results, key=lambda pair: pair[0])[1]


def _settle(layers: Layers, first: Floats, swaps: _Swaps | None) -> tuple[int, Ints]:
    """Return the least cost from one initial order, and the places."""
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


def _sweep(layers: Layers, place: Ints, *, forward: bool) -> Ints:
    """Order each layer by the means of the layer before (or after)."""
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
    """The swaps of neighbours in layers, as long as they save crossings."""

    def __init__(self, layers: Layers) -> None:
        count = int(layers.ptr[-1])
        self.layers = layers
        # The lines of each item to the layer before and after: (item, weight).
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

    def settle(self, place: Ints) -> Ints:
        """Return the places after swapping, layer by layer."""
        places = place.tolist()
        rigid_before, after = self.rigid[0].tolist(), self.rigid[1].tolist()
        for low, high in zip(
            self.layers.ptr[:-1].tolist(), self.layers.ptr[1:].tolist(), strict=True
        ):
            row = [0] * (high - low)
            for item in range(low, high):
                row[places[item]] = item
            for _ in range(_SWEEPS):
                is_changed = False
                for k in range(len(row) - 1):
                    a, b = row[k], row[k + 1]
                    if (rigid_before[a] and rigid_before[b]) or (after[a] and after[b]):
                        continue
                    if self._gain(a, b, places) > 0:
                        row[k], row[k + 1] = b, a
                        places[a], places[b] = k + 1, k
                        is_changed = True
                if not is_changed:
                    break
        return np.array(places, dtype=np.int64)

    def _gain(self, upper: int, lower: int, places: list[int]) -> int:
        """Return the saved cost of crossings when two neighbours are swapped."""
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


# The layers of a lattice: its unbranched runs, its main path, and the items joined by lines.
#
# A *run* is a longest chain of nodes without a branch: words that always follow each other, on one
# line as in a text. An *item* has a place in one layer: a node, or an arc that passes the layer.

_TEXT = 4  # weight of a line of text over that of others
_HEAVY = 4  # greatest weight of a line


class Items(NamedTuple):
    """The items of the layers."""

    layers: Layers  # the items by layer and the lines between them
    node: Ints  # the node of each item; -1 for a passing arc; shape (items,)
    arc: Ints  # the passing arc of each item; -1 for a node; shape (items,)
    layer: Ints  # the layer of each item; shape (items,)
    of: list[Ints]  # for each gap, the arc of each line
    # For each gap, the priority of straight lines: 3 for the main path, 2 for text, 1 within an
    # arc, 0 for others.
    inner: list[Ints]
    at: Ints  # the item of each node; shape (nodes,)
    passing: list[list[int]]  # for each arc, its passing items, from left to right


def runs(count: int, tail: Ints, head: Ints) -> Ints:
    """Return the number of the run of each node; the first and the last node are runs of one.

    Numbers ascend with the first node of each run.
    """
    out = np.bincount(tail, minlength=count)
    in_degrees = np.bincount(head, minlength=count)
    joined = (out[tail] == 1) & (in_degrees[head] == 1) & (tail > 0) & (head < count - 1)
    previous = np.full(count, -1, dtype=np.int64)
    previous[head[joined]] = tail[joined]
    return _chained(previous)


def _chained(previous: Ints) -> Ints:
    """Number the chains of items; `previous` is the predecessor of each in its chain, or -1."""
    first = list(range(len(previous)))
    for item, earlier in enumerate(previous.tolist()):
        if earlier >= 0:
            first[item] = first[earlier]
    return np.unique(np.array(first), return_inverse=True)[1].reshape(-1).astype(np.int64)


def main_path(count: int, tail: Ints, head: Ints, weight: Ints) -> Bools:
    """Mask the arcs of the most shared path.

    This path has the greatest sum of (weight - 1); ties go to the heavier arc, then the earlier
    tail.
    """
    best = [0] * count
    best_arc = [(-1, -1, 0)] * count
    order = np.lexsort((tail, head))
    for arc in order.tolist():
        a, b, w = int(tail[arc]), int(head[arc]), int(weight[arc])
        total = best[a] + w - 1
        if best_arc[b][0] < 0 or (total, w) > (best[b], best_arc[b][2]):
            best[b], best_arc[b] = total, (a, arc, w)
    on_path = np.zeros(len(tail), dtype=bool)
    node = count - 1
    while node:
        node, arc, _ = best_arc[node]
        on_path[arc] = True
    return on_path


def ranks(run: Ints, tail: Ints, head: Ints) -> Ints:
    """Return the layer of each node, as far left as its predecessors allow.

    Runs are not cut. A run with more outgoing than incoming arcs then moves as far right as
    possible, for fewer and shorter lines.
    """
    length = np.bincount(run)
    count = len(length)
    offset = np.zeros(len(run), dtype=np.int64)
    run_sizes = [0] * count
    for node, number in enumerate(run.tolist()):
        offset[node] = run_sizes[number]
        run_sizes[number] += 1
    between_runs = run[tail] != run[head]
    predecessors: list[list[int]] = [[] for _ in range(count)]
    out: list[list[int]] = [[] for _ in range(count)]
    for a, b in zip(
        run[tail[between_runs]].tolist(), run[head[between_runs]].tolist(), strict=True
    ):
        predecessors[b].append(a)
        out[a].append(b)
    # The numbers of runs do not ascend along all arcs, but their first nodes do along incoming
    # arcs.
    order = _along(predecessors, out)
    start = [0] * count
    size = length.tolist()
    for number in order:
        start[number] = max((start[a] + size[a] for a in predecessors[number]), default=0)
    for _ in range(2):
        for number in reversed(order):
            if len(out[number]) > len(predecessors[number]) > 0:
                start[number] = min(start[b] for b in out[number]) - size[number]
        for number in order:
            if predecessors[number] and len(out[number]) <= len(predecessors[number]):
                start[number] = max(start[a] + size[a] for a in predecessors[number])
    return np.array(start, dtype=np.int64)[run] + offset


def _along(predecessors: list[list[int]], out: list[list[int]]) -> list[int]:
    waiting = [len(nodes_before) for nodes_before in predecessors]
    order = [number for number, open_arcs in enumerate(waiting) if not open_arcs]
    for number in order:
        for after in out[number]:
            waiting[after] -= 1
            if not waiting[after]:
                order.append(after)
    return order


def itemise(layer: Ints, run: Ints, tail: Ints, head: Ints, weight: Ints) -> Items:
    """Make the items: one a node, and one an arc and passed layer."""
    nodes, arcs = len(layer), len(tail)
    passed = layer[head] - layer[tail] - 1
    ptr = prefix(passed)
    arc = np.repeat(np.arange(arcs), passed)
    layer_of_item = np.concatenate([layer, layer[tail[arc]] + 1 + np.arange(len(arc)) - ptr[arc]])
    order = np.argsort(layer_of_item, kind="stable")
    item = np.empty(len(layer_of_item), dtype=np.int64)
    item[order] = np.arange(len(layer_of_item))
    # The stations of each arc: its tail, its passing items, its head.
    stations = np.empty(len(arc) + 2 * arcs, dtype=np.int64)
    begin = prefix(passed + 2)
    stations[begin[:-1]] = item[tail]
    stations[begin[1:] - 1] = item[head]
    stations[begin[arc] + 1 + np.arange(len(arc)) - ptr[arc]] = item[nodes:]
    line = np.ones(len(stations), dtype=bool)
    line[begin[1:] - 1] = False
    left = stations[np.flatnonzero(line)]
    right = stations[np.flatnonzero(line) + 1]
    arc_of_station = np.repeat(np.arange(arcs), passed + 1)
    main = main_path(nodes, tail, head, weight)
    text = run[tail] == run[head]
    cost = np.minimum(weight, _HEAVY)
    cost[text] = _TEXT
    is_inner = (left != item[tail[arc_of_station]]) & (right != item[head[arc_of_station]])
    strength = np.where(
        main[arc_of_station], 3, np.where(text[arc_of_station], 2, np.where(is_inner, 1, 0))
    )
    sorted_layers = layer_of_item[order]
    by_gap = np.argsort(sorted_layers[left], kind="stable")
    depth = int(layer.max()) + 1
    cuts = np.searchsorted(sorted_layers[left][by_gap], np.arange(1, depth - 1))
    parts = np.split(by_gap, cuts) if depth > 1 else []
    gaps = [
        Gap(left[part], right[part], cost[arc_of_station[part]], (strength[part] >= 2))
        for part in parts
    ]
    layer_ptr = prefix(np.bincount(layer_of_item, minlength=depth))
    return Items(
        Layers(layer_ptr, gaps),
        np.where(order < nodes, order, -1),
        np.concatenate([np.full(nodes, -1), arc])[order],
        sorted_layers,
        [arc_of_station[part] for part in parts],
        [strength[part] for part in parts],
        item[:nodes],
        [
            item[nodes + low : nodes + high].tolist()
            for low, high in zip(ptr[:-1].tolist(), ptr[1:].tolist(), strict=True)
        ],
    )


# The sides of the main path: about as much above as below.


def sided(items: Items, wish: Floats) -> Floats:
    """Return an initial order of the items: 0 for the main path, less above, more below.

    Items that are connected without the main path stay together. The largest parts go first, each
    to the side with more room; parts over fewer layers lie nearer to the path. Within a part,
    `wish` decides.
    """
    count = len(items.node)
    main = np.zeros(count, dtype=bool)
    for gap, strength in zip(items.layers.gaps, items.inner, strict=True):
        main[gap.left[strength == 3]] = True
        main[gap.right[strength == 3]] = True
    parts = _connected_parts(items, main)
    depth = len(items.layers.ptr) - 1
    used_space = {1: np.zeros(depth, dtype=np.int64), -1: np.zeros(depth, dtype=np.int64)}
    low, spread = float(wish.min()), float(np.ptp(wish)) + 1
    out = np.zeros(count)
    for part in sorted(parts, key=lambda part: (-len(part), part[0])):
        layers, counts = np.unique(items.layer[part], return_counts=True)
        filled = {side: used_space[side][layers] + counts for side in (1, -1)}
        side = min(
            (1, -1), key=lambda side: (int(filled[side].max()), int(filled[side].sum()), -side)
        )
        used_space[side][layers] = filled[side]
        out[part] = side * (len(layers) + (wish[part] - low) / spread)
    return out


def _connected_parts(items: Items, main: Bools) -> list[list[int]]:
    """Return the connected parts of the items off the main path."""
    left = np.concatenate([gap.left for gap in items.layers.gaps])
    right = np.concatenate([gap.right for gap in items.layers.gaps])
    off = ~main[left] & ~main[right]
    labels = joined_labels(np.arange(len(main)), left[off], right[off]).tolist()
    parts: dict[int, list[int]] = {}
    for item in np.flatnonzero(~main).tolist():
        parts.setdefault(labels[item], []).append(item)
    return list(parts.values())


# Heights with straight lines: items on one straight line form a block, and blocks are packed.
#
# Blocks are built as by Brandes and Koepf (2002), but in the order of priority: the main path, then
# text, then arcs that pass layers, then by weight. A line that would cross an earlier one bends.
# The main path is one block from the first layer to the last, in the middle; all other blocks are
# packed towards it, from above and from below.

# Set by hand.
_WASTE = 44.0  # a line bends to come nearer to the middle by this distance
_LAYERS = 4  # over this many layers, or by more over fewer


def blocks(items: Items, place: Ints, weight: Ints) -> Ints:
    """Return the number of the block of each item; numbers ascend with the first item of each.

    `place` has the place of each item in its layer, `weight` the weight of each arc.
    """
    count = len(items.node)
    previous = np.full(count, -1, dtype=np.int64)
    for gap, arc, strength in zip(items.layers.gaps, items.of, items.inner, strict=True):
        left, right = place[gap.left], place[gap.right]
        order = np.lexsort((right, left, -weight[arc], -strength))
        lefts: list[int] = []
        rights: list[int] = []
        for k in order.tolist():
            a, b = int(left[k]), int(right[k])
            index = bisect_left(lefts, a)
            if index < len(lefts) and (lefts[index] == a or rights[index] <= b):
                continue
            if index and rights[index - 1] >= b:
                continue
            lefts.insert(index, a)
            rights.insert(index, b)
            previous[gap.right[k]] = gap.left[k]
    return _chained(previous)


def loosen(items: Items, place: Ints, block: Ints, reach: Floats, *, gap: float) -> Ints:
    """Cut blocks that a single crowded layer would keep far from the middle over all layers.

    Text and the main path are not cut. Parameters are as in `heights`.
    """
    straight_only = np.full(len(block), -1, dtype=np.int64)
    for lines, strength in zip(items.layers.gaps, items.inner, strict=True):
        straight = (strength >= 2) & (block[lines.left] == block[lines.right])
        straight_only[lines.right[straight]] = lines.left[straight]
    short = _chained(straight_only)
    height_needed = np.abs(heights(items, place, short, reach, gap=gap)[short]).tolist()
    chains: list[list[int]] = [[] for _ in range(int(block.max()) + 1)]
    for item, number in enumerate(block.tolist()):
        chains[number].append(item)
    previous = np.full(len(block), -1, dtype=np.int64)
    for number, chain in enumerate(chains):
        for part in _chain_parts(chain, height_needed) if number else [chain]:
            previous[part[1:]] = part[:-1]
    return _chained(previous)


def _chain_parts(chain: list[int], height_needed: list[float]) -> list[list[int]]:
    """Cut a chain where a part of it could be much nearer to the middle than the rest."""
    parts, waiting = [], [chain]
    while waiting:
        chain = waiting.pop()
        greatest = max(height_needed[item] for item in chain)
        saved = [
            greatest - height_needed[item] if greatest - height_needed[item] >= _WASTE else 0.0
            for item in chain
        ]
        # Edges between items that would save height by themselves, and others.
        edges = [k for k in range(1, len(chain)) if bool(saved[k]) != bool(saved[k - 1])]
        cuts = [
            (a, b)
            for a, b in pairwise([0, *edges, len(chain)])
            if sum(saved[a:b]) >= _WASTE * _LAYERS
        ]
        if not cuts:
            parts.append(chain)
            continue
        start = 0
        for a, b in cuts:
            if a > start:
                waiting.append(chain[start:a])
            waiting.append(chain[a:b])
            start = b
        if start < len(chain):
            waiting.append(chain[start:])
    return parts


def heights(items: Items, place: Ints, block: Ints, reach: Floats, *, gap: float) -> Floats:
    """Return the middle of each block, downwards from the main path at 0.

    `place` and `block` are those of each item, `reach` is half its height; `gap` is the least
    distance between two items.
    """
    count = int(block.max()) + 1
    order = np.lexsort((place, items.layer))
    upper, lower = order[:-1], order[1:]
    is_same_layer = items.layer[upper] == items.layer[lower]
    upper, lower = upper[is_same_layer], lower[is_same_layer]
    distances = reach[upper] + reach[lower] + gap
    above, below = block[upper], block[lower]
    y = np.zeros(count)
    for sign in (1, -1):
        # Outwards from the middle, each block is as near as the blocks before allow.
        near, far = (above, below) if sign > 0 else (below, above)
        after: list[list[tuple[int, float]]] = [[] for _ in range(count)]
        for a, b, d in zip(near.tolist(), far.tolist(), distances.tolist(), strict=True):
            after[a].append((b, d))
        reached = _side(after)
        waiting = [0] * count
        for a in reached:
            for b, _ in after[a]:
                waiting[b] += 1
        far_off = [0.0] * count
        queue = [0]
        for a in queue:
            for b, d in after[a]:
                far_off[b] = max(far_off[b], far_off[a] + d)
                waiting[b] -= 1
                if not waiting[b]:
                    queue.append(b)
        y[queue] = sign * np.array(far_off)[queue]
    return y


def _side(after: list[list[tuple[int, float]]]) -> list[int]:
    """Return the blocks on one side of block 0, the main path, and block 0 itself."""
    visited = {0}
    queue = [0]
    for a in queue:
        for b, _ in after[a]:
            if b not in visited:
                visited.add(b)
                queue.append(b)
    return queue


_BEND = 18.0  # width of a bend
_SLOPE = 0.16  # further width for each unit of height
_BEND_MOST = 64.0


class Strand(NamedTuple):
    """A level piece of an arc. Between two pieces the arc bends."""

    left: float
    right: float
    y: float


class Layout(NamedTuple):
    """The positions of all elements, in the unit of the given widths; y grows downwards."""

    layer: list[int]  # the layer of each node
    run: list[int]  # the run of each node
    left: list[float]  # the left edge of each node
    y: list[float]  # the middle of each node
    # The pieces of each arc, from the right edge of its tail to the left edge of its head. Empty
    # for an arc within a run.
    strands: list[list[Strand]]
    width: float  # of the layout
    height: float  # of the layout


def lay_out(
    widths: Sequence[float],
    heights_: Sequence[float],
    arcs: Sequence[tuple[int, int]],
    *,
    weights: Sequence[int],
    thickness: Sequence[float] | None = None,
    first: Sequence[float] | None = None,
    space: float = 5.0,
    gap: float = 7.0,
) -> Layout:
    """Return a layout of a graph whose nodes are numbered along all its arcs.

    `widths` and `heights_` are those of the nodes. Arcs, from tail to head, are different and have
    tail < head; only node 0 has no incoming arc, and only the last node no outgoing one. Each arc
    has a weight, from 1, and a thickness, by default 0.

    `first` is the preferred order of nodes from top to bottom, as an initial order; `space` is that
    between words of a run, `gap` the least distance between elements one above the other. The
    layout is the same for the same input on every machine.

    Raises `InputError` when the arcs are not as above.

    Notes
    -----
    No two nodes overlap, and no level piece of an arc runs over a node. Cost grows with the items:
    nodes, and arcs in the layers they pass, for a lattice at most sentences x layers.

    Examples
    --------
    >>> arcs = [(0, 1), (0, 2), (1, 3), (2, 3), (3, 4)]
    >>> shape = lay_out([5, 30, 10, 30, 5], [10] * 5, arcs, weights=[1, 1, 1, 1, 2])
    >>> shape.layer, shape.y[0] == shape.y[1] == shape.y[4], shape.y[1] != shape.y[2]
    ([0, 1, 1, 2, 3], True, True)

    """
    tail, head = _checked(len(widths), arcs)
    weight = np.array(weights, dtype=np.int64)
    run = runs(len(widths), tail, head)
    layer = ranks(run, tail, head)
    items = itemise(layer, run, tail, head, weight)
    wished = np.zeros(len(widths)) if first is None else np.array(first, dtype=np.float64)
    # An arc that passes a layer begins halfway between its ends.
    passing = items.arc >= 0
    start = np.where(
        passing, (wished[tail[items.arc]] + wished[head[items.arc]]) / 2, wished[items.node]
    )
    place = untangle(items.layers, sided(items, start), start)
    thick = np.zeros(len(tail)) if thickness is None else np.array(thickness, dtype=np.float64)
    size = np.array(heights_, dtype=np.float64)
    reach = np.where(passing, thick[items.arc], size[items.node]) / 2
    # Items of a block are at one height, so that arcs through several layers are level.
    block = loosen(items, place, blocks(items, place, weight), reach, gap=gap)
    level = heights(items, place, block, reach, gap=gap)[block]
    top = float((level - reach).min())
    level -= top
    ends = level[items.at]
    bends = _bends(items, level)
    left, column = _across(widths, run, layer, bends, space)
    strands = [
        []
        if run[a] == run[b]
        else _strands(
            left[a] + widths[a],
            left[b],
            [float(level[i]) for i in (items.at[a], *levels, items.at[b])],
            int(layer[a]),
            column,
            bends,
        )
        for a, b, levels in zip(tail.tolist(), head.tolist(), items.passing, strict=True)
    ]
    return Layout(
        layer.tolist(),
        run.tolist(),
        left,
        ends.tolist(),
        strands,
        left[-1] + float(widths[-1]),
        float((level + reach).max()),
    )


def _checked(count: int, arcs: Sequence[tuple[int, int]]) -> tuple[Ints, Ints]:
    pairs = np.array(arcs, dtype=np.int64).reshape(-1, 2)
    tail, head = pairs[:, 0], pairs[:, 1]
    if count < 2 or not len(pairs) or tail.min() < 0 or head.max() >= count:
        raise InputError(
            f"a graph of {count} nodes, {len(pairs)} arcs: want arcs between its nodes"
        )
    into, out = (np.bincount(part, minlength=count) > 0 for part in (head, tail))
    if not ((tail < head).all() and into[1:].all() and out[:-1].all()):
        raise InputError(
            "arcs that do not lead from the first node to the last: want tail < head, and every "
            "node on a path between the two"
        )
    return tail, head


def _bends(items: Items, level: Floats) -> list[float]:
    """Return the width of the bends between each layer and the next."""
    widths = []
    for gap in items.layers.gaps:
        greatest_bend = float(np.abs(level[gap.left] - level[gap.right]).max())
        widths.append(min(_BEND + _SLOPE * greatest_bend, _BEND_MOST) if greatest_bend else 0.0)
    return widths


def _across(
    widths: Sequence[float], run: Ints, layer: Ints, bends: Sequence[float], space: float
) -> tuple[list[float], list[float]]:
    """Return the left edge of each node, and of each column."""
    members: list[list[int]] = [[] for _ in range(int(run.max()) + 1)]
    for node, number in enumerate(run.tolist()):
        members[number].append(node)
    ending: list[list[list[int]]] = [[] for _ in range(len(bends) + 1)]
    for nodes in members:
        ending[int(layer[nodes[-1]])].append(nodes)
    column = [0.0]
    size, layers = [float(width) for width in widths], layer.tolist()
    for number, bend in enumerate(bends):
        least_x = column[-1] + bend
        for nodes in ending[number]:
            text = sum(size[node] for node in nodes) + space * (len(nodes) - 1)
            least_x = max(least_x, column[layers[nodes[0]]] + text + max(bend, _BEND))
        column.append(least_x)
    left = [0.0] * len(size)
    for nodes in members:
        x = column[layers[nodes[0]]]
        for node in nodes:
            left[node] = x
            x += size[node] + space
    return left, column


def _strands(
    begin: float,
    end: float,
    levels: list[float],
    layer: int,
    column: list[float],
    bends: list[float],
) -> list[Strand]:
    """Cut an arc into its level pieces; each bend lies right before the next column."""
    strands = []
    x = begin
    for number, (level_before, level_after) in enumerate(pairwise(levels)):
        if level_before != level_after:
            edge = column[layer + number + 1]
            # A sum may exceed its parts by a rounding error.
            strands.append(Strand(x, max(x, edge - bends[layer + number]), level_before))
            x = edge
    strands.append(Strand(x, end, levels[-1]))
    return strands
