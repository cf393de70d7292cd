"""The edit distance of a sequence of words to the nearest path of an acyclic graph of words.

Leaving out a word, adding one and taking another cost 1 each. Let D[v][j] be the distance of the
first j words to the nearest path from the start to the node v, v included; `before` is the least
over the nodes u that have an arc to v:

    before[j] = min D[u][j]
    D[v][j]   = min(before[j-1] + (0 if v holds word j, else 1), before[j] + 1, D[v][j-1] + 1)

The nodes are taken in layers, a layer at a time: the layer of a node is the length of the longest
way to it, so no arc stays within one. What a node needs of those before it is a minimum over arcs;
what it needs of its own row is a running minimum. The cost is words x (arcs + labels), in arrays;
the memory is words x the nodes that later layers still ask for.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bitext.kernels.rows import Rows, prefix, take

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ["Layers", "distance", "layers", "side_by_side"]


class Layers(NamedTuple):
    """A graph of words with its nodes sorted by layer; the start is node 0, the accept the last.

    Attributes
    ----------
    bounds : array of int64, shape (layers + 1,)
        The first node of each layer, and the number of nodes.
    tails : Rows
        Row v: the nodes with an arc to v. Only the start has none.
    labels : Rows
        Row v: the words that v holds, as numbers: none at the start and the accept, one or more
        at every other node.
    last : array of int64
        The last node with an arc from each one; the accept's is its own.

    """

    bounds: NDArray[np.int64]
    tails: Rows
    labels: Rows
    last: NDArray[np.int64]


def layers(tail: NDArray[np.int64], head: NDArray[np.int64], labels: Rows) -> Layers:
    """Sort the nodes of a graph by layer.

    Parameters
    ----------
    tail, head : array of int64, shape (arcs,)
        The arcs of an acyclic graph. Every node is on a way from node 0 to the last one, which no
        other node shares its layer with.
    labels : Rows
        Row v: the words that node v holds, as numbers: one or more but at both ends.

    """
    nodes = len(labels.ptr) - 1
    layer = _longest_way(tail, head, nodes)
    order = np.argsort(layer, kind="stable")
    new = np.empty(nodes, dtype=np.int64)
    new[order] = np.arange(nodes)
    tail, head = new[tail], new[head]
    by_head = np.lexsort((tail, head))
    last = np.arange(nodes)
    np.maximum.at(last, tail, head)
    return Layers(
        prefix(np.bincount(layer)),
        Rows(prefix(np.bincount(head, minlength=nodes)), tail[by_head]),
        take(labels, order),
        last,
    )


def _longest_way(tail: NDArray[np.int64], head: NDArray[np.int64], nodes: int) -> NDArray[np.int64]:
    """Return the number of arcs of the longest way to each node from a node without arcs to it."""
    order = np.argsort(tail, kind="stable")
    after = Rows(prefix(np.bincount(tail, minlength=nodes)), head[order])
    waiting = np.bincount(head, minlength=nodes)
    layer = np.zeros(nodes, dtype=np.int64)
    free = np.flatnonzero(waiting == 0)
    depth = 0
    while free.size:
        layer[free] = depth
        depth += 1
        met, times = np.unique(take(after, free).idx, return_counts=True)
        waiting[met] -= times
        free = met[waiting[met] == 0]
    return layer


def side_by_side(sequences: Sequence[NDArray[np.int64]]) -> Layers:
    """Return the graph whose paths are some sequences of words, which share no node.

    The distance to it is that to the nearest of the sequences. A sequence may be empty.
    """
    lengths = np.array([len(sequence) for sequence in sequences], dtype=np.int64)
    words = np.concatenate([np.zeros(0, dtype=np.int64), *sequences])
    ptr, nodes = prefix(lengths), len(words) + 2
    inner = np.arange(1, nodes - 1)
    before = inner - 1
    before[ptr[:-1][lengths > 0]] = 0
    ends = np.where(lengths > 0, ptr[1:], 0)
    tail = np.concatenate([before, ends])
    head = np.concatenate([inner, np.full(len(lengths), nodes - 1)])
    counts = np.ones(nodes, dtype=np.int64)
    counts[[0, -1]] = 0
    return layers(tail, head, Rows(prefix(counts), words))


def distance(graph: Layers, words: NDArray[np.int64]) -> int:
    """Return the edit distance of a sequence of words to the nearest path of a graph.

    Parameters
    ----------
    graph : Layers
        The graph, by `layers` or `side_by_side`.
    words : array of int64
        The sequence, in the numbers that label the nodes.

    """
    steps = np.arange(len(words) + 1, dtype=np.int32)
    held = steps[None, :].copy()  # the rows of the nodes that later layers ask for ...
    who = np.zeros(1, dtype=np.int64)  # ... and which nodes those are
    bounds = graph.bounds.tolist()
    for lo, hi in pairwise(bounds[1:]):
        first, end = graph.tails.ptr[lo], graph.tails.ptr[hi]
        rows = np.searchsorted(who, graph.tails.idx[first:end])
        before = np.minimum.reduceat(held[rows], graph.tails.ptr[lo:hi] - first, axis=0)
        if hi == bounds[-1]:
            return int(before[-1, -1])
        here = before + np.int32(1)
        np.minimum(
            here[:, 1:], before[:, :-1] + _others(graph.labels, lo, hi, words), out=here[:, 1:]
        )
        here -= steps
        np.minimum.accumulate(here, axis=1, out=here)
        here += steps
        kept = graph.last[who] >= hi
        held = np.concatenate([held[kept], here])
        who = np.concatenate([who[kept], np.arange(lo, hi)])
    return len(words)  # a graph of one node


def _others(labels: Rows, lo: int, hi: int, words: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return which words (columns) nodes lo to hi (rows) do not hold."""
    first, end = labels.ptr[lo], labels.ptr[hi]
    differs = labels.idx[first:end, None] != words
    if end - first == hi - lo:
        return np.asarray(differs)
    return np.asarray(np.logical_and.reduceat(differs, labels.ptr[lo:hi] - first, axis=0))
