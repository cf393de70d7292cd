"""A layered layout of lattices, from left to right.

The steps are those of Sugiyama, Tagawa and Toda (1981): layers, the order in them, coordinates.
What is particular to word lattices:

- Words that always follow each other (a run) stand next to each other on one line, as text does.
- The path that most is shared on is a straight line in the middle.
- Columns are as wide as the words that begin and end in them need, not as their widest word.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bitext.errors import InputError
from bitext.reports.crossings import untangle
from bitext.reports.layering import Items, itemise, ranks, runs
from bitext.reports.siding import sided
from bitext.reports.straightening import blocks, heights, loosen

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ["Layout", "Strand", "lay_out"]

_BEND = 18.0  # what a line needs to change its height a little
_SLOPE = 0.16  # and more for each unit of height
_BEND_MOST = 64.0


class Strand(NamedTuple):
    """A level piece of an arc. Between two pieces the arc bends."""

    left: float
    right: float
    y: float


class Layout(NamedTuple):
    """Where everything stands, in the unit of the widths given; y grows downwards.

    Attributes
    ----------
    layer : list of int
        The layer of each node.
    run : list of int
        The run of each node.
    left, y : list of float
        The left edge and the middle of each node.
    strands : list of list of Strand
        Each arc, from the right edge of its tail to the left edge of its head. Empty for an arc
        within a run.
    width, height : float
        The size of all.

    """

    layer: list[int]
    run: list[int]
    left: list[float]
    y: list[float]
    strands: list[list[Strand]]
    width: float
    height: float


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

    Parameters
    ----------
    widths, heights_ : sequence of float
        The size of each node.
    arcs : sequence of (tail, head)
        Different arcs with tail < head. Node 0 alone has none that enters, the last node alone
        none that leaves.
    weights : sequence of int
        How much each arc matters, from 1.
    thickness : sequence of float, optional
        The breadth at which each arc is drawn; by default none.
    first : sequence of float, optional
        Where each node would like to be from top to bottom; lines begin from there.
    space : float
        Between words of a run.
    gap : float
        Between things one above the other.

    Returns
    -------
    Layout
        The same for the same input, on every machine.

    Raises
    ------
    InputError
        When the arcs are not such.

    Notes
    -----
    No two nodes overlap, and no level piece of an arc runs over a node. Cost grows with nodes and
    arcs by the layers that they pass, which for a lattice is at most sentences x layers.

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
    wish = np.zeros(len(widths)) if first is None else np.array(first, dtype=np.float64)
    passing = items.arc >= 0
    start = np.where(passing, (wish[tail[items.arc]] + wish[head[items.arc]]) / 2, wish[items.node])
    place = untangle(items.layers, sided(items, start), start)
    thick = np.zeros(len(tail)) if thickness is None else np.array(thickness, dtype=np.float64)
    size = np.array(heights_, dtype=np.float64)
    reach = np.where(passing, thick[items.arc], size[items.node]) / 2
    block = loosen(items, place, blocks(items, place, weight), reach, gap=gap)
    level = heights(items, place, block, reach, gap=gap)[block]
    top = float((level - reach).min())
    level -= top
    ends = level[items.at]
    left, column = _across(np.array(widths, dtype=np.float64), run, layer, items, level, space)
    bends = _bends(items, level)
    strands = [
        []
        if run[a] == run[b]
        else _strands(
            left[a] + widths[a],
            left[b],
            [float(level[i]) for i in (items.at[a], *inner, items.at[b])],
            int(layer[a]),
            column,
            bends,
        )
        for a, b, inner in zip(tail.tolist(), head.tolist(), items.passing, strict=True)
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


def _checked(
    count: int, arcs: Sequence[tuple[int, int]]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
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


def _bends(items: Items, level: NDArray[np.float64]) -> list[float]:
    """Return how wide the bends between each layer and the next are."""
    widths = []
    for gap in items.layers.gaps:
        most = float(np.abs(level[gap.left] - level[gap.right]).max())
        widths.append(min(_BEND + _SLOPE * most, _BEND_MOST) if most else 0.0)
    return widths


def _across(
    widths: NDArray[np.float64],
    run: NDArray[np.int64],
    layer: NDArray[np.int64],
    items: Items,
    level: NDArray[np.float64],
    space: float,
) -> tuple[list[float], list[float]]:
    """Return the left edge of each node, and of each column."""
    bends = _bends(items, level)
    members: list[list[int]] = [[] for _ in range(int(run.max()) + 1)]
    for node, number in enumerate(run.tolist()):
        members[number].append(node)
    ending: list[list[list[int]]] = [[] for _ in range(len(bends) + 1)]
    for nodes in members:
        ending[int(layer[nodes[-1]])].append(nodes)
    column = [0.0]
    size, layers = widths.tolist(), layer.tolist()
    for number, bend in enumerate(bends):
        least = column[-1] + bend
        for nodes in ending[number]:
            text = sum(size[node] for node in nodes) + space * (len(nodes) - 1)
            least = max(least, column[layers[nodes[0]]] + text + max(bend, _BEND))
        column.append(least)
    left = [0.0] * len(size)
    for nodes in members:
        at = column[layers[nodes[0]]]
        for node in nodes:
            left[node] = at
            at += size[node] + space
    return left, column


def _strands(
    begin: float,
    end: float,
    levels: list[float],
    layer: int,
    column: list[float],
    bends: list[float],
) -> list[Strand]:
    """Cut an arc into its level pieces; bends lie right before the column that they lead to."""
    found = []
    at = begin
    for number, (here, there) in enumerate(pairwise(levels)):
        if here != there:
            edge = column[layer + number + 1]
            # Of a sum and its parts, one may be the larger by a rounding.
            found.append(Strand(at, max(at, edge - bends[layer + number]), here))
            at = edge
    found.append(Strand(at, end, levels[-1]))
    return found
