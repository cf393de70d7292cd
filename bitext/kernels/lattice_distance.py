"""Edit distances of sequences of words, to the nearest path of a graph and to one another."""

from __future__ import annotations

from itertools import count, pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bitext.kernels.arrays import Rows, prefix, ranges, take

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from bitext.kernels.arrays import Bools, Ints

# The edit distance of a sequence of words to the nearest path of an acyclic graph of words.
#
# A deletion, an insertion and a substitution cost 1 each. Let D[v][j] be the distance of the
# first j words to the nearest path from the start to the node v, v included; `before` is the least
# over the nodes u that have an arc to v:
#
#     before[j] = min D[u][j]
#     D[v][j]   = min(before[j-1] + (0 if v has word j, else 1), before[j] + 1, D[v][j-1] + 1)
#
# The nodes are processed layer by layer: the layer of a node is the length of the longest way to
# it, so no arc stays within a layer. A row needs a minimum over arcs from earlier rows, and a
# running minimum along itself. Time is words x (arcs + labels), in arrays; memory is words x the
# nodes that later layers still need.


class Layers(NamedTuple):
    """A graph of words with its nodes sorted by layer; the start is node 0, the accept the last."""

    # The first node of each layer, and the number of nodes. Shape (layers + 1,).
    bounds: Ints
    # Row v: the nodes with an arc to v. Only the start has none.
    tails: Rows
    # Row v: the words of v, as numbers; none at the start and the accept, one or more at every
    # other node.
    labels: Rows
    last: Ints  # the last node with an arc from each node; for the accept, the accept
    order: Ints  # the number that each node had before it was sorted


def layers(tail: Ints, head: Ints, labels: Rows) -> Layers:
    """Sort the nodes of a graph by layer.

    Parameters
    ----------
    tail, head : array of int64, shape (arcs,)
        The arcs of an acyclic graph. Every node is on a way from node 0 to a node without words,
        such as the last node.
    labels : Rows
        Row v: the words of node v, as numbers; one or more, except at both ends.

    Within a layer, nodes with words come first, in their order.

    """
    nodes = len(labels.ptr) - 1
    layer = _longest_way(tail, head, nodes)
    order = np.argsort(2 * layer + (labels.lengths == 0), kind="stable")
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
        order,
    )


def _longest_way(tail: Ints, head: Ints, nodes: int) -> Ints:
    """Return the number of arcs of the longest way to each node from a node without arcs to it."""
    order = np.argsort(tail, kind="stable")
    after = Rows(prefix(np.bincount(tail, minlength=nodes)), head[order])
    waiting = np.bincount(head, minlength=nodes)
    layer, mark = np.zeros(nodes, dtype=np.int64), np.empty(nodes, dtype=np.int64)
    free = np.flatnonzero(waiting == 0)
    depth = 0
    while free.size:
        layer[free] = depth
        depth += 1
        met = take(after, free).idx
        np.subtract.at(waiting, met, 1)
        met = met[waiting[met] == 0]
        mark[met] = steps = np.arange(len(met))
        free = met[mark[met] == steps]  # each once
    return layer


def distances(graph: Layers, owner: Ints, sequences: Sequence[Ints]) -> Ints:
    """Return the edit distance of each sequence of words to the nearest path of its own graph.

    Parameters
    ----------
    graph : Layers
        The graphs of all sequences, by `layers`. They have the start in common, and each its own
        accept.
    owner : array of int64, shape (nodes,)
        The sequence of each node; that of the start is not used.
    sequences : sequence of array of int64
        Each in the numbers that label the nodes.

    """
    sizes = np.array([len(sequence) for sequence in sequences], dtype=np.int64)
    out = sizes.copy()  # of a graph of one node
    words = np.full((len(sizes), int(sizes.max())), -1, dtype=np.int64)
    for row, sequence in zip(words, sequences, strict=True):
        row[: len(sequence)] = sequence
    # The rows of the nodes that later layers need, D[v][j] - j, and these nodes. Less j, the last
    # term of the minimum is the value before it, and a row is a running minimum.
    held = np.zeros((1, words.shape[1] + 1), dtype=np.int32)
    who = np.zeros(1, dtype=np.int64)
    labelled = np.diff(prefix((graph.labels.lengths > 0).astype(np.int64))[graph.bounds])
    for (lo, hi), inner in zip(pairwise(graph.bounds[1:].tolist()), labelled[1:], strict=True):
        first, end = graph.tails.ptr[lo], graph.tails.ptr[hi]
        rows = np.searchsorted(who, graph.tails.idx[first:end])
        before = np.minimum.reduceat(
            held.take(rows, axis=0, mode="clip"), graph.tails.ptr[lo:hi] - first, axis=0
        )
        mid = lo + int(inner)
        done = owner[mid:hi]
        out[done] = before[np.arange(mid - lo, hi - lo), sizes[done]] + sizes[done]
        before = before[: mid - lo]
        here = before + np.int32(1)
        if mid > lo:
            same = _has_word(graph.labels, lo, mid, owner, words)
            np.minimum(here[:, 1:], before[:, :-1] - same, out=here[:, 1:])
            np.minimum.accumulate(here, axis=1, out=here)
        kept = graph.last[who] >= hi
        held = np.concatenate([held[kept], here])
        who = np.concatenate([who[kept], np.arange(lo, mid)])
    return out


def _has_word(
    labels: Rows,
    lo: int,
    hi: int,
    owner: Ints,
    words: Ints,
) -> Bools:
    """Mask the words (columns) of its sequence that each of the nodes lo to hi (rows) has."""
    first, end = labels.ptr[lo], labels.ptr[hi]
    begins = labels.ptr[lo : hi + 1]
    whose = np.repeat(owner[lo:hi], begins[1:] - begins[:-1])
    has = labels.idx[first:end, None] == words.take(whose, axis=0, mode="clip")
    if end - first == hi - lo:
        return np.asarray(has)
    return np.asarray(np.logical_or.reduceat(has, begins[:-1] - first, axis=0))


# Small distances. Most sentences are near a path of the lattice of the others, so that few of the
# D[v][j] are as small as the result: these are visited in the order of their values, from 0 on.
#
# What this buys, measured with `bitext cluster --report` of 500 made sentences of 36 words, in five
# presets: 5.2 s of CPU in place of 8.5 s for `layers` and `distances`.

_MOST_VISITED = 0.1  # of the D[v][j], beyond which `distances` takes over; set by hand


def near_distances(
    tail: Ints,
    head: Ints,
    labels: Rows,
    owner: Ints,
    sequences: Sequence[Ints],
    *,
    most_visited: float = _MOST_VISITED,
) -> Ints:
    """Return the edit distance of each sequence to the nearest path of its own graph, if small.

    Parameters
    ----------
    tail, head : array of int64, shape (arcs,)
        The arcs of acyclic graphs, which have the start, node 0, in common, and each its own
        accept: a node without words.
    labels : Rows
        Row v: the words of node v, as numbers; none at the start and the accepts only.
    owner : array of int64, shape (nodes,)
        The sequence of each node; that of the start is not used.
    sequences : sequence of array of int64
        Each in the numbers that label the nodes.
    most_visited : float
        The share of all pairs of a node and a number of words beyond which the search ends.

    Returns
    -------
    array of int64
        The same as of `distances`; -1 where the search ended before.

    """
    graphs, nodes = len(sequences), len(labels.ptr) - 1
    moves = _Moves.of(tail, head, labels, owner, sequences)
    width = moves.words.shape[1]
    out = np.full(graphs, -1, dtype=np.int64)
    # A state is a node and a number of words; each graph has a start of its own behind all nodes.
    states = (nodes + np.arange(graphs)) * width
    seen = np.zeros((nodes + graphs) * width, dtype=np.int32)
    seen[states] = 1
    visited = 0
    for cost in count():
        met = [states]
        while states.size:
            states = _new(moves.matches(states), seen)
            met.append(states)
        states = np.concatenate(met)
        at, done = states // width, states % width
        whose = moves.owner[at]
        out[whose[moves.is_last[at] & (done == moves.sizes[whose])]] = cost
        visited += states.size
        states = states[out[whose] < 0]
        if not states.size or visited > most_visited * seen.size:
            break
        states = _new(moves.edits(states), seen)
    return out


class _Moves(NamedTuple):
    """The moves between states: matches, which cost nothing, and edits, which cost 1."""

    after: Rows  # row v: the nodes with words that have an arc from v
    labels: Rows  # row v: the words of node v
    word: Ints  # the first word of each node; negative at the ends
    owner: Ints  # the sequence of each node
    is_last: Bools  # whether the accept has an arc from each node
    words: Ints  # the sequences, filled up with -1; shape (sequences, words + 1)
    sizes: Ints  # their lengths

    @classmethod
    def of(
        cls,
        tail: Ints,
        head: Ints,
        labels: Rows,
        owner: Ints,
        sequences: Sequence[Ints],
    ) -> _Moves:
        graphs, nodes = len(sequences), len(labels.ptr) - 1
        sizes = np.array([len(sequence) for sequence in sequences], dtype=np.int64)
        words = np.full((graphs, int(sizes.max()) + 1), -1, dtype=np.int64)
        for row, sequence in zip(words, sequences, strict=True):
            row[: len(sequence)] = sequence
        tail = np.where(tail == 0, nodes + owner[head], tail)
        has_words = labels.lengths > 0
        word = np.full(nodes + graphs, -2, dtype=np.int64)
        word[:nodes][has_words] = labels.idx[labels.ptr[:-1][has_words]]
        ends = ~has_words[head]
        is_last = np.zeros(nodes + graphs, dtype=np.bool_)
        is_last[tail[ends]] = True
        tail, head = tail[~ends], head[~ends]
        after = Rows(
            prefix(np.bincount(tail, minlength=nodes + graphs)),
            head[np.argsort(tail, kind="stable")],
        )
        owner = np.concatenate([owner, np.arange(graphs)])
        return cls(after, labels, word, owner, is_last, words, sizes)

    def _heads(self, at: Ints) -> tuple[Ints, Ints]:
        """Return the nodes after each node, and their number."""
        begin = self.after.ptr[at]
        many = self.after.ptr[at + 1] - begin
        return self.after.idx[ranges(begin, many)], many

    def matches(self, states: Ints) -> Ints:
        """Return the states behind a node that has the next word."""
        width = self.words.shape[1]
        heads, many = self._heads(states // width)
        done = np.repeat(states % width, many)
        words = self.words[self.owner[heads], done]
        same = self.word[heads] == words
        # Few nodes have several words.
        several = np.flatnonzero(~same & (self.labels.lengths > 1)[heads])
        if several.size:
            begin = self.labels.ptr[heads[several]]
            many = self.labels.ptr[heads[several] + 1] - begin
            members = self.labels.idx[ranges(begin, many)]
            same[np.repeat(several, many)[members == np.repeat(words[several], many)]] = True
        behind: Ints = heads[same] * width + done[same] + 1
        return behind

    def edits(self, states: Ints) -> Ints:
        """Return the states behind the next word, behind a node, and behind both."""
        width = self.words.shape[1]
        at, done = states // width, states % width
        more = done < self.sizes[self.owner[at]]
        heads, many = self._heads(at)
        behind = heads * width + np.repeat(done, many)
        return np.concatenate([states[more] + 1, behind, behind[np.repeat(more, many)] + 1])


def _new(states: Ints, seen: NDArray[np.int32]) -> Ints:
    """Return the states that are not seen, each once, and mark them as seen."""
    states = states[seen[states] == 0]
    # Where a state comes several times, the last mark stays.
    marks = np.arange(1, states.size + 1, dtype=np.int32)
    seen[states] = marks
    first: Ints = states[seen[states] == marks]
    return first


def nearest_distances(sequences: Sequence[Ints]) -> Ints:
    """Return the edit distance of each of several sequences of words to the nearest other one.

    Each pair is compared once, a short sequence with many longer ones at a time: time is the
    product of their lengths, summed over pairs, in arrays.

    Examples
    --------
    >>> nearest_distances([np.array([1, 2, 3]), np.array([1, 2]), np.array([4])]).tolist()
    [1, 1, 2]

    """
    sizes = np.array([len(sequence) for sequence in sequences], dtype=np.int64)
    out = np.full(len(sizes), np.iinfo(np.int64).max)
    order = np.argsort(sizes, kind="stable")
    lengths = sizes[order].tolist()
    for begin, end in _alike(lengths):
        longer = order[begin:end]
        words = np.full((lengths[end - 1], end - begin), -1, dtype=np.int64)
        for column, number in zip(words.T, longer.tolist(), strict=True):
            column[: sizes[number]] = sequences[number]
        for at, number in enumerate(order[:end].tolist()):
            # Those after this one alone, so that each pair is compared once.
            skipped = max(0, at + 1 - begin)
            others = longer[skipped:]
            if not len(others):
                continue
            row = np.zeros((len(words) + 1, len(others)), dtype=np.int32)  # D[i][j] - j
            for word in sequences[number].tolist():
                here = row + np.int32(1)
                same = words[:, skipped:] == word
                np.minimum(here[1:], row[:-1] - same, out=here[1:])
                np.minimum.accumulate(here, axis=0, out=here)
                row = here
            found = row[sizes[others], np.arange(len(others))] + sizes[others]
            out[number] = min(out[number], int(found.min()))
            out[others] = np.minimum(out[others], found)
    return out


def _alike(lengths: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Cut ascending lengths into stretches of little padding and of some thousand words."""
    begin = 0
    for end in range(1, len(lengths) + 1):
        if (
            end == len(lengths)
            or (end - begin) * lengths[end] > _TOGETHER
            or lengths[end] > 2 * lengths[begin] + _NEARLY
        ):
            yield begin, end
            begin = end


_TOGETHER = 1 << 15  # words of sequences that one sequence is compared with at once; set by hand
_NEARLY = 8  # words; sequences of so unlike a length, or twice, are compared apart; set by hand
