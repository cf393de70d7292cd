"""Which paths of an acyclic graph of words hold a word twice: counted exactly, or path by path.

Exact counting carries from node to node how many ways lead there without a repetition, apart by
the set of words that they hold and that may still come again. Two ways that differ only in words
that cannot come again are one. The number of sets can grow fast with the words that can come
again, so it is given up beyond a number of steps; then paths are to be drawn, and looked at.

A graph is as of `bitext.kernels.paths`; of each node there is the number of its word, -1 where it
holds none that counts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bitext.kernels.rows import row_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bitext.kernels.rows import Rows

__all__ = ["can_repeat", "paths_without_repetition", "repeats"]


def can_repeat(graph: Rows, words: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the words that some path of the graph holds at two nodes, ascending."""
    bits, ahead = _ahead(graph, words)
    found = 0
    for bit, after in zip(bits, ahead, strict=True):
        found |= bit & after
    held = [bool(bit & found) for bit in bits]
    return np.unique(words[held])


def _ahead(graph: Rows, words: NDArray[np.int64]) -> tuple[list[int], list[int]]:
    """Return of each node its word, and all words that can come after it, as sets of bits.

    Words that stand at one node only cannot come again, and are left out.
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
    """Return how many paths from node 0 to the last one hold no word twice.

    `None` when that would take more than so many steps.
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
    """Return which paths (rows of nodes) hold a word twice."""
    width = int(words.max(initial=0)) + 1
    path, word = row_of(paths), words[paths.idx]
    keys = np.sort((path * width + word)[word >= 0])
    out = np.zeros(len(paths.ptr) - 1, dtype=bool)
    out[keys[1:][keys[1:] == keys[:-1]] // width] = True
    return out
