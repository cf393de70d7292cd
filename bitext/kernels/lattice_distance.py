"""Edit distances of sequences of words, to the nearest path of a graph and to one another."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import count, pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bitext.kernels.arrays import Bools, Ints, Rows, prefix, ranges, take
from bitext.kernels.kernel_groups import KernelGroup
from bitext.kernels.object_code import Type, read

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

    `tail` and `head`, of shape (arcs,), are the arcs of an acyclic graph. Every node is on a way
    from node 0 to a node without words, such as the last node. Row v of `labels` has the words of
    node v, as numbers; one or more, except at both ends. Within a layer, nodes with words come
    first, in their order.
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
        heads = take(after, free).idx
        np.subtract.at(waiting, heads, 1)
        heads = heads[waiting[heads] == 0]
        mark[heads] = steps = np.arange(len(heads))
        free = heads[mark[heads] == steps]  # each once
    return layer


def distances(graph: Layers, owner: Ints, sequences: Sequence[Ints]) -> Ints:
    """Return the edit distance of each sequence of words to the nearest path of its own graph.

    `graph` has the graphs of all sequences, which have the start in common, and each its own
    accept. `owner`, of shape (nodes,), has the sequence of each node; that of the start is not
    used. The words of sequences are the numbers that label the nodes.
    """
    sizes = np.array([len(sequence) for sequence in sequences], dtype=np.int64)
    result = sizes.copy()  # of a graph of one node
    words = _padded(sequences, int(sizes.max()))
    # The rows of the nodes that later layers need, D[v][j] - j, and these nodes. Less j, the last
    # term of the minimum is the value before it, and a row is a running minimum.
    rows_kept = np.zeros((1, words.shape[1] + 1), dtype=np.int32)
    row_nodes = np.zeros(1, dtype=np.int64)
    labelled = np.diff(prefix((graph.labels.lengths > 0).astype(np.int64))[graph.bounds])
    for (lo, hi), inner in zip(pairwise(graph.bounds[1:].tolist()), labelled[1:], strict=True):
        first, end = graph.tails.ptr[lo], graph.tails.ptr[hi]
        rows = np.searchsorted(row_nodes, graph.tails.idx[first:end])
        before = np.minimum.reduceat(
            rows_kept.take(rows, axis=0, mode="clip"), graph.tails.ptr[lo:hi] - first, axis=0
        )
        mid = lo + int(inner)
        done = owner[mid:hi]
        result[done] = before[np.arange(mid - lo, hi - lo), sizes[done]] + sizes[done]
        before = before[: mid - lo]
        node_rows = before + np.int32(1)
        if mid > lo:
            same = _has_word(graph.labels, lo, mid, owner, words)
            np.minimum(node_rows[:, 1:], before[:, :-1] - same, out=node_rows[:, 1:])
            np.minimum.accumulate(node_rows, axis=1, out=node_rows)
        is_open = graph.last[row_nodes] >= hi
        rows_kept = np.concatenate([rows_kept[is_open], node_rows])
        row_nodes = np.concatenate([row_nodes[is_open], np.arange(lo, mid)])
    return result


def _padded(sequences: Sequence[Ints], width: int) -> Ints:
    """Return sequences as rows, filled up with -1."""
    rows = np.full((len(sequences), width), -1, dtype=np.int64)
    for row, sequence in zip(rows, sequences, strict=True):
        row[: len(sequence)] = sequence
    return rows


def _has_word(labels: Rows, lo: int, hi: int, owner: Ints, words: Ints) -> Bools:
    """Mask the words (columns) of its sequence that each of the nodes lo to hi (rows) has."""
    first, end = labels.ptr[lo], labels.ptr[hi]
    begins = labels.ptr[lo : hi + 1]
    graph = np.repeat(owner[lo:hi], begins[1:] - begins[:-1])
    has = labels.idx[first:end, None] == words.take(graph, axis=0, mode="clip")
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

    Distances are those of `distances`. If the search visits more than the share `most_visited` of
    all pairs of a node and a number of words, it ends: the distance is -1.

    `tail` and `head`, of shape (arcs,), are the arcs of acyclic graphs, which have the start, node
    0, in common, and each its own accept: a node without words. Row v of `labels` has the words of
    node v, as numbers; none at the start and the accepts only. `owner` and `sequences` are as in
    `distances`.
    """
    graphs, nodes = len(sequences), len(labels.ptr) - 1
    moves = _Moves.of(tail, head, labels, owner, sequences)
    width = moves.words.shape[1]
    result = np.full(graphs, -1, dtype=np.int64)
    # A state is a node and a number of words; each graph has a start of its own after all nodes.
    states = (nodes + np.arange(graphs)) * width
    seen = np.zeros((nodes + graphs) * width, dtype=np.int32)
    seen[states] = 1
    visited = 0
    for cost in count():
        all_states = [states]
        while states.size:
            states = _new(moves.matches(states), seen)
            all_states.append(states)
        states = np.concatenate(all_states)
        node, done = states // width, states % width
        graph = moves.owner[node]
        result[graph[moves.is_last[node] & (done == moves.sizes[graph])]] = cost
        visited += states.size
        states = states[result[graph] < 0]
        if not states.size or visited > most_visited * seen.size:
            break
        states = _new(moves.edits(states), seen)
    return result


class _Moves(NamedTuple):
    """The moves between states: matches, which cost nothing, and edits, which cost 1."""

    begin: Ints  # of each node: its first arc to a node with words
    degree: Ints  # of each node: how many there are
    head: Ints  # of each arc: the node that it leads to
    head_word: Ints  # of each arc: the first word of that node
    is_several: Bools  # of each arc: whether that node has further words
    labels: Rows  # row v: the words of node v
    owner: Ints  # the sequence of each node
    is_last: Bools  # whether the accept has an arc from each node
    words: Ints  # the sequences, filled up with -1; shape (sequences, words + 1)
    sizes: Ints  # their lengths

    @classmethod
    def of(
        cls, tail: Ints, head: Ints, labels: Rows, owner: Ints, sequences: Sequence[Ints]
    ) -> _Moves:
        graphs, nodes = len(sequences), len(labels.ptr) - 1
        sizes = np.array([len(sequence) for sequence in sequences], dtype=np.int64)
        words = _padded(sequences, int(sizes.max()) + 1)
        # All lattices share node 0 as their beginning; each gets one of its own. Arcs to nodes
        # without words end a path.
        tail = np.where(tail == 0, nodes + owner[head], tail)
        lengths = labels.lengths
        ends = lengths[head] == 0
        is_last = np.zeros(nodes + graphs, dtype=np.bool_)
        is_last[tail[ends]] = True
        tail, head = tail[~ends], head[~ends]
        degree = np.bincount(tail, minlength=nodes + graphs)
        head = head[np.argsort(tail, kind="stable")]
        owner = np.concatenate([owner, np.arange(graphs)])
        return cls(
            begin=prefix(degree)[:-1],
            degree=degree,
            head=head,
            head_word=labels.idx[labels.ptr[head]],
            is_several=lengths[head] > 1,
            labels=labels,
            owner=owner,
            is_last=is_last,
            words=words,
            sizes=sizes,
        )

    def matches(self, states: Ints) -> Ints:
        """Return the states after a node that has the next word."""
        width = self.words.shape[1]
        node, done = np.divmod(states, width)
        degrees = self.degree.take(node)
        arcs = ranges(self.begin.take(node), degrees)
        next_word = np.repeat(self.words[self.owner.take(node), done], degrees)
        same = self.head_word.take(arcs) == next_word
        # Few nodes have several words.
        several = np.flatnonzero(self.is_several.take(arcs))
        if several.size:
            heads = self.head[arcs[several]]
            begin = self.labels.ptr[heads]
            number = self.labels.ptr[heads + 1] - begin
            members = self.labels.idx[ranges(begin, number)]
            same[np.repeat(several, number)[members == np.repeat(next_word[several], number)]] = (
                True
            )
        matching = np.flatnonzero(same)
        behind: Ints = self.head[arcs[matching]] * width + np.repeat(done, degrees)[matching] + 1
        return behind

    def edits(self, states: Ints) -> Ints:
        """Return the states after the next word, after a node, and after both."""
        width = self.words.shape[1]
        node, done = np.divmod(states, width)
        more = done < self.sizes[self.owner[node]]
        degrees = self.degree[node]
        heads = self.head[ranges(self.begin[node], degrees)]
        behind = heads * width + np.repeat(done, degrees)
        return np.concatenate([states[more] + 1, behind, behind[np.repeat(more, degrees)] + 1])


def _new(states: Ints, seen: NDArray[np.int32]) -> Ints:
    """Return the states that are not seen, each once, and mark them as seen."""
    states = states[seen[states] == 0]
    # If a state comes several times, the last mark stays.
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
    result = np.full(len(sizes), np.iinfo(np.int64).max)
    order = np.argsort(sizes, kind="stable")
    lengths = sizes[order].tolist()
    for begin, end in _alike(lengths):
        longer = order[begin:end]
        words = _padded([sequences[number] for number in longer.tolist()], lengths[end - 1])
        words = np.ascontiguousarray(words.T)
        for position, number in enumerate(order[:end].tolist()):
            # Those after this one alone, so that each pair is compared once.
            skipped = max(0, position + 1 - begin)
            others = longer[skipped:]
            if not len(others):
                continue
            row = np.zeros((len(words) + 1, len(others)), dtype=np.int32)  # D[i][j] - j
            for word in sequences[number].tolist():
                next_row = row + np.int32(1)
                same = words[:, skipped:] == word
                np.minimum(next_row[1:], row[:-1] - same, out=next_row[1:])
                np.minimum.accumulate(next_row, axis=0, out=next_row)
                row = next_row
            distance = row[sizes[others], np.arange(len(others))] + sizes[others]
            result[number] = min(result[number], int(distance.min()))
            result[others] = np.minimum(result[others], distance)
    return result


def _alike(lengths: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Cut ascending lengths into stretches of little padding and of some thousand words."""
    begin = 0
    for end in range(1, len(lengths) + 1):
        if (
            end == len(lengths)
            or (end - begin) * lengths[end] > _WORDS_TOGETHER
            or lengths[end] > 2 * lengths[begin] + _LENGTH_DIFFERENCE
        ):
            yield begin, end
            begin = end


# Words of sequences that one sequence is compared with at once; set by hand
_WORDS_TOGETHER = 1 << 15
# Words; sequences of so unlike a length, or twice, are compared apart; set by hand
_LENGTH_DIFFERENCE = 8


# The same with the extra `fast`, which also spares the sorting of the arcs of every lattice. What
# it buys: with `fast`, `bitext cluster --report` of 500 sentences takes 13.4 s in place of 20.3 s
# (scripts/bench/clusters.md).

# Words of lattices: with more of them a process loads numba. Set by hand: 9 million take .8 s.
_LEAST_WORK = 8_000_000


class DistanceKernels(NamedTuple):
    """The function below, compiled or not."""

    left_out_distance: Callable[..., Any]


def _signatures() -> dict[str, tuple[Callable[..., Any], list[Type]]]:
    return {
        "left_out_distance": (left_out_distance, [read("i8"), read("i8"), "i8", read("i8")]),
    }


distance_kernels = KernelGroup(DistanceKernels, _signatures, _LEAST_WORK, by_numba=True)
load_distance_kernels = distance_kernels.load


def left_out_distance(  # noqa: C901, PLR0915 - numba compiles whole functions
    words: Any, begin: Any, left_out: int, node: Any
) -> int:
    """Return the edit distance of a sentence to the nearest path of the lattice of the others.

    Parameters
    ----------
    words : array of int64
        The words of all sentences, as numbers.
    begin : array of int64
        The first word of each sentence, and the end of the last one; no sentence is empty.
    left_out : int
        The sentence that is compared.
    node : array of int64
        The node, 0 or more, of each word of the other sentences.

    Returns
    -------
    int
        What `distances` returns.

    """
    first, size = begin[left_out], begin[left_out + 1] - begin[left_out]
    most = most_word = 0
    for k in range(len(node)):
        most = max(most, node[k])
    for k in range(len(words)):
        most_word = max(most_word, words[k])
    # The start is node 0, the others are numbered as they are met. The arcs from a node, and its
    # words, are linked lists with an entry for each word of a sentence; 0 ends them. Most nodes are
    # never reached, so an arc or a word that is there several times is only taken out of the lists
    # of those that are.
    number = np.zeros(most + 1, dtype=np.int32)
    arc = np.zeros(len(node) + 2, dtype=np.int32)
    arc_next = np.zeros(len(node) + 1, dtype=np.int32)
    arc_head = np.zeros(len(node) + 1, dtype=np.int32)
    label = np.zeros(len(node) + 2, dtype=np.int32)
    label_next = np.zeros(len(node) + 1, dtype=np.int32)
    label_word = np.zeros(len(node) + 1, dtype=np.int64)
    is_last = np.zeros(len(node) + 2, dtype=np.bool_)
    nodes, last_arc = 1, 0
    for sentence in range(len(begin) - 1):
        if sentence == left_out:
            continue
        before = 0
        for k in range(begin[sentence], begin[sentence + 1]):
            current = number[node[last_arc]]
            if current == 0:
                current = number[node[last_arc]] = nodes
                nodes += 1
            last_arc += 1
            arc_head[last_arc], arc_next[last_arc], arc[before] = current, arc[before], last_arc
            label_word[last_arc] = words[k]
            label_next[last_arc] = label[current]
            label[current] = last_arc
            before = current
        is_last[before] = True
    # The last node whose list has each node, or word, plus 1; and whose lists have each one once.
    headed = np.zeros(nodes, dtype=np.int32)
    labelled = np.zeros(most_word + 1, dtype=np.int32)
    has_arcs = np.zeros(nodes, dtype=np.bool_)
    has_labels = np.zeros(nodes, dtype=np.bool_)
    # States of a node and a number of words, in the order of their distances: those of one
    # distance first, then those an edit further. A state is put into the queue once.
    width = size + 1
    seen = np.zeros(nodes * width, dtype=np.bool_)
    queue = np.empty(nodes * width, dtype=np.int64)
    queue[0] = 0
    seen[0] = True
    low, high, cost = 0, 1, 0
    while True:
        k = low
        while k < high:  # matches, which cost nothing, lengthen the queue
            current, done = queue[k] // width, queue[k] % width
            if not has_arcs[current]:
                has_arcs[current] = True
                last, one = 0, arc[current]
                while one != 0:
                    head = arc_head[one]
                    if headed[head] == current + 1:
                        arc_next[last] = arc_next[one]
                    else:
                        headed[head], last = current + 1, one
                    one = arc_next[one]
            if done == size:
                if is_last[current]:
                    return cost
            else:
                word, one = words[first + done], arc[current]
                while one != 0:
                    head = arc_head[one]
                    state = head * width + done + 1
                    if not seen[state]:
                        if not has_labels[head]:
                            has_labels[head] = True
                            last, own = 0, label[head]
                            while own != 0:
                                if labelled[label_word[own]] == head + 1:
                                    label_next[last] = label_next[own]
                                else:
                                    labelled[label_word[own]], last = head + 1, own
                                own = label_next[own]
                        own = label[head]
                        while own != 0 and label_word[own] != word:
                            own = label_next[own]
                        if own != 0:
                            seen[state] = True
                            queue[high] = state
                            high += 1
                    one = arc_next[one]
            k += 1
        end = high
        for k in range(low, end):
            current, done = queue[k] // width, queue[k] % width
            if done < size and not seen[queue[k] + 1]:
                seen[queue[k] + 1] = True
                queue[high] = queue[k] + 1
                high += 1
            one = arc[current]
            while one != 0:
                state = arc_head[one] * width + done
                if not seen[state]:
                    seen[state] = True
                    queue[high] = state
                    high += 1
                if done < size and not seen[state + 1]:
                    seen[state + 1] = True
                    queue[high] = state + 1
                    high += 1
                one = arc_next[one]
        low, cost = end, cost + 1
