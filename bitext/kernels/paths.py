"""Paths through an acyclic graph: their number, the path of each number, and random paths.

The nodes are numbered so that every arc goes up; paths lead from node 0 to the last node. A graph
is `Rows`: row k has the heads of the arcs of node k. Paths are `Rows`, too: row k has the nodes of
path k, with both ends, ascending.

Paths are ordered by their lists of nodes. The number of paths from each node is an integer of any
size, so the path at any place of this order is computed directly: a path drawn uniformly is the
path at a place drawn uniformly, and all paths are the paths at all places.

Random numbers depend on the seed, the number of the draw and the number of the step alone
(splitmix64, one stream a draw). So they are the same on every machine, and draw 7 is the same among
ten draws or a thousand.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING

import numpy as np

from bitext.errors import InputError, OptionError
from bitext.kernels.rows import Rows, prefix, row_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

__all__ = [
    "all_paths",
    "arc_log2",
    "can_repeat",
    "count_paths",
    "draw_paths",
    "paths_at",
    "paths_without_repetition",
    "random_shares",
    "repeats",
    "successors",
    "walk_arcs",
]


# Repetition: the paths of an acyclic graph of words that have a word twice, counted exactly or path
# by path.
#
# Exact counting carries from node to node the number of ways without a repetition, by the set of
# their words that may still come again. Ways that differ only in words that cannot come again are
# counted together. The number of sets can grow fast with the words that can come again, so counting
# stops beyond a number of steps; the caller then draws paths.
#
# `words` has the number of the word of each node, -1 for a node without a word that counts.


def can_repeat(graph: Rows, words: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the words that stand at two nodes of some path, ascending."""
    bits, ahead = _ahead(graph, words)
    found = 0
    for bit, after in zip(bits, ahead, strict=True):
        found |= bit & after
    held = [bool(bit & found) for bit in bits]
    return np.unique(words[held])


def _ahead(graph: Rows, words: NDArray[np.int64]) -> tuple[list[int], list[int]]:
    """Return the word of each node, and all words that can come after it, as bit sets.

    Words of a single node cannot come again, and are left out.
    """
    known, times = np.unique(words[words >= 0], return_counts=True)
    bit_of = {word: 1 << k for k, word in enumerate(known[times > 1].tolist())}
    bits = [bit_of.get(word, 0) for word in words.tolist()]
    ahead = [0] * len(bits)
    ptr, idx = graph.ptr.tolist(), graph.idx.tolist()
    for node in range(len(bits) - 1, -1, -1):
        for after in idx[ptr[node] : ptr[node + 1]]:
            ahead[node] |= ahead[after] | bits[after]
    return bits, ahead


def paths_without_repetition(graph: Rows, words: NDArray[np.int64], *, steps: int) -> int | None:
    """Count the paths from node 0 to the last node without a repeated word.

    `None` when counting would take more than `steps` steps.
    """
    bits, ahead = _ahead(graph, words)
    ptr, idx = graph.ptr.tolist(), graph.idx.tolist()
    ways: list[dict[int, int]] = [{} for _ in bits]
    ways[0] = {bits[0] & ahead[0]: 1}
    for node, there in enumerate(ways[:-1]):
        successors = idx[ptr[node] : ptr[node + 1]]
        steps -= len(there) * len(successors)
        if steps < 0:
            return None
        for after in successors:
            bit, still, onward = bits[after], ahead[after], ways[after]
            for held, count in there.items():
                if held & bit:
                    continue
                key = (held | bit) & still
                onward[key] = onward.get(key, 0) + count
        ways[node] = {}
    return sum(ways[-1].values())


def repeats(paths: Rows, words: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Mask the paths (rows of nodes) with a repeated word."""
    width = int(words.max(initial=0)) + 1
    path, word = row_of(paths), words[paths.idx]
    keys = np.sort((path * width + word)[word >= 0])
    out = np.zeros(len(paths.ptr) - 1, dtype=bool)
    out[keys[1:][keys[1:] == keys[:-1]] // width] = True
    return out


_GAMMA = 0x9E3779B97F4A7C15
_WORD = 64
_HALF = np.uint64(32)


def successors(tail: NDArray[np.int64], head: NDArray[np.int64], nodes: int) -> Rows:
    """Return the graph of some arcs, checked.

    Parameters
    ----------
    tail, head : array of int64, shape (arcs,)
        The two ends of each arc, in any order of arcs, without repeats.
    nodes : int
        The number of nodes, 1 or more.

    Raises
    ------
    InputError
        When an arc does not go up or is repeated, or a node before the last has no arc.

    Examples
    --------
    >>> graph = successors(np.array([0, 0, 1, 2]), np.array([1, 2, 3, 3]), 4)
    >>> count_paths(graph)
    [2, 1, 1, 1]

    """
    order = np.lexsort((head, tail))
    tail, head = tail[order], head[order]
    wrong = np.flatnonzero((tail >= head) | (tail < 0) | (head >= nodes))
    if wrong.size:
        arc = (int(tail[wrong[0]]), int(head[wrong[0]]))
        raise InputError(
            f"an arc from node {arc[0]} to node {arc[1]} of {nodes}: want arcs that go up; number "
            f"the nodes in topological order"
        )
    twice = np.flatnonzero((np.diff(tail) == 0) & (np.diff(head) == 0))
    if twice.size:
        arc = (int(tail[twice[0]]), int(head[twice[0]]))
        raise InputError(f"the arc from node {arc[0]} to node {arc[1]} stands twice: give it once")
    degree = np.bincount(tail, minlength=nodes)
    ends = np.flatnonzero(degree[:-1] == 0)
    if ends.size:
        raise InputError(
            f"no arc leaves node {int(ends[0])} of {nodes}: want a way from every node to the last"
        )
    return Rows(prefix(degree.astype(np.int64)), head.astype(np.int64))


def count_paths(graph: Rows) -> list[int]:
    """Return the exact number of paths from each node to the last."""
    ptr, head = graph.ptr.tolist(), graph.idx.tolist()
    counts = [1] * (len(ptr) - 1)
    for node in range(len(counts) - 2, -1, -1):
        counts[node] = sum(counts[other] for other in head[ptr[node] : ptr[node + 1]])
    return counts


def paths_at(graph: Rows, places: Iterable[int], counts: Sequence[int] | None = None) -> Rows:
    """Return the paths at places of the order of all paths.

    Parameters
    ----------
    graph : Rows
    places : iterable of int
        From 0 to the number of paths minus 1, of any size, in any order.
    counts : sequence of int, optional
        The result of `count_paths`, if already known.

    Raises
    ------
    InputError
        When there is no such place.

    Examples
    --------
    >>> graph = successors(np.array([0, 0, 1, 2]), np.array([1, 2, 3, 3]), 4)
    >>> paths_at(graph, [1, 0]).idx.reshape(2, 3).tolist()
    [[0, 2, 3], [0, 1, 3]]

    """
    ptr, head = graph.ptr.tolist(), graph.idx.tolist()
    counts = count_paths(graph) if counts is None else counts
    last = len(ptr) - 2
    begins: dict[int, list[int]] = {}  # by node: the first place of the paths of each arc
    lengths: list[int] = []
    found: list[int] = []
    for place in places:
        if not 0 <= place < counts[0]:
            raise InputError(f"path {place} of {counts[0]}: want a place from 0 to {counts[0] - 1}")
        node, before = 0, len(found)
        found.append(node)
        while node != last:
            if node not in begins:
                inner = head[ptr[node] : ptr[node + 1]]
                begins[node] = [0, *accumulate(counts[other] for other in inner[:-1])]
            arc = bisect_right(begins[node], place) - 1
            place -= begins[node][arc]
            node = head[ptr[node] + arc]
            found.append(node)
        lengths.append(len(found) - before)
    return Rows(prefix(np.array(lengths, dtype=np.int64)), np.array(found, dtype=np.int64))


def all_paths(graph: Rows, *, limit: int | None = None) -> Rows:
    """Return all paths in their order, or the first `limit` of them."""
    counts = count_paths(graph)
    wanted = counts[0] if limit is None else min(limit, counts[0])
    return paths_at(graph, range(wanted), counts)


def draw_paths(
    graph: Rows,
    draws: int,
    *,
    seed: int,
    first: int = 0,
    counts: Sequence[int] | None = None,
) -> Rows:
    """Draw paths with exactly equal probabilities.

    Parameters
    ----------
    graph : Rows
    draws : int
        The number of draws; the same path may come again.
    seed : int
        0 or more; the same seed gives the same paths.
    first : int
        The number of the first draw: draws 0 to 9 and then 10 to 19 are draws 0 to 19.
    counts : sequence of int, optional
        The result of `count_paths`, if already known.

    """
    counts = count_paths(graph) if counts is None else counts
    return paths_at(graph, _below(counts[0], np.arange(first, first + draws), seed), counts)


def walk_arcs(graph: Rows, walks: int, *, seed: int, first: int = 0) -> Rows:
    """Walk at random from node 0, every arc of a node equally likely.

    The error of a probability is at most 2 ** -32 times the number of arcs. Parameters are as of
    `draw_paths`.

    Examples
    --------
    >>> graph = successors(np.array([0, 0, 1, 2]), np.array([1, 2, 3, 3]), 4)
    >>> few, more = walk_arcs(graph, 3, seed=5), walk_arcs(graph, 9, seed=5)
    >>> few.idx.tolist() == more.idx.tolist()[:9]
    True

    """
    degree = graph.lengths.astype(np.uint64)
    last = len(degree) - 1
    walk = np.arange(first, first + walks)
    node = np.zeros(walks, dtype=np.int64)
    who, where, step = [walk], [node], 0
    while True:
        going = node != last
        walk, node = walk[going], node[going]
        if not walk.size:
            break
        word = _words(seed, walk, step, 1)[:, 0]
        arc = ((word >> _HALF) * degree[node]) >> _HALF
        node = graph.idx[graph.ptr[node] + arc.astype(np.int64)]
        who.append(walk)
        where.append(node)
        step += 1
    whose, nodes = np.concatenate(who), np.concatenate(where)
    order = np.argsort(whose, kind="stable")
    return Rows(prefix(np.bincount(whose - first, minlength=walks)), nodes[order])


def arc_log2(graph: Rows, paths: Rows) -> NDArray[np.float64]:
    """Return the logarithm (base 2) of the probability that `walk_arcs` takes each path."""
    degree = graph.lengths.astype(np.float64)
    degree[-1] = 1.0
    bits = np.log2(degree[paths.idx])
    if not bits.size:
        return np.zeros(0)
    return np.asarray(-np.add.reduceat(bits, paths.ptr[:-1]))


def random_shares(seed: int, draws: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return a random number from 0 to below 1 for each draw."""
    word = _words(seed, draws, 0, 1)[:, 0]
    return np.asarray((word >> np.uint64(11)).astype(np.float64) * 2.0**-53)


def _below(total: int, draws: NDArray[np.int64], seed: int) -> list[int]:
    """Draw integers from 0 to `total` - 1: surplus bits are cut, too great numbers redrawn."""
    bits = (total - 1).bit_length()
    width = -(-bits // _WORD)
    if not width:
        return [0] * len(draws)
    out = [0] * len(draws)
    open_, step = np.arange(len(draws)), 0
    while open_.size:
        words = _words(seed, draws[open_], step, width).astype("<u8")
        values = [
            int.from_bytes(row.tobytes(), "little") >> (width * _WORD - bits) for row in words
        ]
        for place, value in zip(open_.tolist(), values, strict=True):
            out[place] = value
        open_ = open_[[value >= total for value in values]]
        step += width
    return out


def _words(seed: int, draws: NDArray[np.int64], step: int, width: int) -> NDArray[np.uint64]:
    """Return words of 64 random bits: one row a draw, from its word `step` on."""
    if seed < 0:
        raise OptionError(f"the seed is {seed}: want 0 or more")
    state = np.array([seed & (2**_WORD - 1)], dtype=np.uint64)
    for part in range(_WORD, max(seed.bit_length(), 1), _WORD):  # a seed of more than 64 bits
        state = _mixed(state) ^ np.uint64((seed >> part) & (2**_WORD - 1))
    stream = _mixed(_mixed(state) + draws.astype(np.uint64) * np.uint64(_GAMMA))
    steps = np.arange(step + 1, step + width + 1).astype(np.uint64) * np.uint64(_GAMMA)
    return _mixed(stream[:, None] + steps[None, :])


def _mixed(values: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Scatter integers over 64 bits (the finaliser of splitmix64)."""
    x = values ^ (values >> np.uint64(30))
    x *= np.uint64(0xBF58476D1CE4E5B9)
    x ^= x >> np.uint64(27)
    x *= np.uint64(0x94D049BB133111EB)
    return np.asarray(x ^ (x >> np.uint64(31)))
