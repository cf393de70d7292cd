"""Paths through lattices: the best one, their number, and paths drawn at random.

First the best path through the table of two sequences; then the paths of an acyclic graph, in
order, their number, and random ones; at last those that have a word twice.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bitext.errors import InputError, OptionError
from bitext.kernels.arrays import Bools, Floats, Ints, Rows, mixed, prefix, row_of

# The best path through a lattice of two sequences: scores, and the path itself, in integers.
#
# A path runs from the top left of a table to its bottom right. It goes down (a member of the first
# sequence stands alone), right (one of the second stands alone), or diagonally (the two are
# matched, with a gain from a table). Its score is *maximised*:
#
#     D[i][0] = D[0][j] = 0 (leading gaps are free), or gap * i and gap * j
#     D[i][j] = max(D[i-1][j-1] + gain[i][j], D[i-1][j] + gap, D[i][j-1] + gap)
#
# and the result is D[rows][columns]. Ties go, read from the bottom right, to the diagonal, then to
# the step up, then to the step to the left.
#
# The tables store F[i][j] = D[i][j] - gap * (i + j). Gaps are free in F, so a row of F is the
# running maximum of two rows that follow at once from the row above:
#
#     F[i][j] = max(F[i-1][j-1] + gain[i][j] - 2 gap, F[i-1][j], F[i][j-1])
#
# Many pairs of sequences of similar lengths are processed together, the pairs along the last axis.
# A path needs two bits a cell for its direction. If the tables are too large for these bits, one
# row in a block of rows is stored, and the bits of the block are computed again from it.

_MANY_PAIRS = 24  # pairs from which on a step for each column beats numpy's running maximum
_LOG_LENGTH_WIDTH = 0.18  # lengths whose logarithms are this near are worked on together

# gains(pairs, lo, hi): the gains of rows lo to hi of the tables of these pairs, as an array of
# shape (hi - lo, most columns of these pairs or more, pairs). Cells outside of the table of a pair
# may be any gain in the allowed range.
Gains = Callable[["Ints", int, int], "NDArray[np.integer]"]


class Memory(NamedTuple):
    """Bounds of memory: they change no score and no path."""

    cells: int = 1 << 21  # cells of the tables that are worked on together
    gains: int = 1 << 20  # cells whose gains are computed at once
    # Cells whose directions are in memory at once, a quarter of a byte each.
    directions: int = 1 << 28


_MEMORY = Memory()


class Paths(NamedTuple):
    """The best path of each pair."""

    score: Ints  # shape (pairs,)
    # The diagonal steps of pair k are those from `ptr[k]` to `ptr[k + 1]`. Shape (pairs + 1,).
    ptr: Ints
    # `row`, `column`: the matched members, from 0, ascending in both; shape (diagonal steps,).
    row: Ints
    column: Ints


def best_scores(
    rows: Ints,
    columns: Ints,
    gains: Gains,
    *,
    gap: int = -1,
    largest: int = 2,
    free: bool = True,
    memory: Memory = _MEMORY,
) -> Ints:
    """Return D[rows][columns] of each pair.

    `rows` and `columns`, of shape (pairs,), are the lengths of the two sequences of each pair. If
    one is 0, the score is that of the border: 0, or the gaps of the other sequence.
    `gains(pairs, lo, hi)` returns rows lo to hi of the tables of some pairs, pairs last; `largest`
    is the greatest size of a gain, which decides the number of bytes of a cell.

    `gap` is the score of a step down or to the right. If `free`, gaps before the first diagonal
    step of either side cost nothing; gaps after the last one always cost.

    Examples
    --------
    Two tables, of 1 x 2 and of 2 x 1:

    >>> tables = np.array([[[-1, 2], [2, -1]], [[0, 0], [2, 0]]]).transpose(1, 2, 0)
    >>> best_scores(
    ...     np.array([1, 2]), np.array([2, 1]), lambda pairs, lo, hi: tables[lo:hi, :, pairs]
    ... )
    array([2, 2])

    """
    score = np.zeros(len(rows), dtype=np.int64)
    for chosen in _batches(rows, columns, memory.cells):
        table = _Table(chosen, rows[chosen], columns[chosen], gains, gap, largest, free, memory)
        score[chosen] = table.scores()
    return score


def best_paths(
    rows: Ints,
    columns: Ints,
    gains: Gains,
    *,
    gap: int = -1,
    largest: int = 2,
    free: bool = True,
    memory: Memory = _MEMORY,
) -> Paths:
    """Return the score and the diagonal steps of the best path of each pair.

    Parameters are those of `best_scores`. Memory is bounded: about 64 MB for directions, and a
    row of the table for each 2^28 cells.

    Examples
    --------
    >>> table = np.array([[-1, 2, -1], [-1, -1, 2]])
    >>> result = best_paths(np.array([2]), np.array([3]), lambda _, lo, hi: table[lo:hi, :, None])
    >>> result.score, result.row, result.column
    (array([4]), array([0, 1]), array([1, 2]))

    """
    score = np.zeros(len(rows), dtype=np.int64)
    none = np.zeros(0, dtype=np.int64)
    steps: list[tuple[Ints, ...]] = [(none, none, none)]
    for chosen in _batches(rows, columns, memory.cells):
        table = _Table(chosen, rows[chosen], columns[chosen], gains, gap, largest, free, memory)
        score[chosen], diagonal_steps = table.paths()
        steps += [(chosen[pair], row, column) for pair, row, column in diagonal_steps]
    pair, row, column = (np.concatenate(part) for part in zip(*steps, strict=True))
    order = np.lexsort((row, pair))
    ptr = prefix(np.bincount(pair, minlength=len(rows)))
    return Paths(score, ptr, row[order], column[order])


def _batches(rows: Ints, columns: Ints, most_cells: int) -> Iterator[Ints]:
    """Yield pairs of similar lengths, with at most `most_cells` cells together."""
    # The grouping affects time alone, so rounding of floats does no harm.
    down, right = (np.floor(np.log1p(length) / _LOG_LENGTH_WIDTH) for length in (rows, columns))
    order = np.lexsort((right, down))
    apart = (np.diff(down[order]) != 0) | (np.diff(right[order]) != 0)
    bounds = [0, *(np.flatnonzero(apart) + 1).tolist(), len(order)]
    for begin, end in pairwise(bounds):
        if begin == end:
            continue
        batch = order[begin:end]
        cells = (int(rows[batch].max()) + 1) * (int(columns[batch].max()) + 1)
        at_once = max(1, most_cells // cells)
        for first in range(0, len(batch), at_once):
            yield batch[first : first + at_once]


class _Table:
    def __init__(
        self,
        pairs: Ints,
        rows: Ints,
        columns: Ints,
        gains: Gains,
        gap: int,
        largest: int,
        free: bool,
        memory: Memory,
    ) -> None:
        self.pairs, self.rows, self.columns, self.gains = pairs, rows, columns, gains
        self.gap, self.memory = gap, memory
        self.most_rows, self.most_columns = int(rows.max()), int(columns.max())
        bound = (self.most_rows + self.most_columns + 2) * (largest + 2 * abs(gap))
        self.dtype = next(
            kind for kind in (np.int16, np.int32, np.int64) if bound < np.iinfo(kind).max
        )
        self.edge = -gap if free else 0  # the growth of F along the borders
        self.score = np.zeros(len(pairs), dtype=np.int64)

    def scores(self) -> Ints:
        """Return D at the end of each pair."""
        self._forward(self._top(), 0, self.most_rows)
        return self.score + self.gap * (self.rows + self.columns)

    def paths(self) -> tuple[Ints, list[tuple[Ints, ...]]]:
        """Return the scores, and the diagonal steps as arrays of pair, row and column."""
        width = max(1, self.most_columns * len(self.pairs))
        step = max(1, self.memory.directions // width)
        state = self._top()
        begins = range(0, max(1, self.most_rows), step)
        saved_rows = {}
        for lo in begins:
            saved_rows[lo] = state.copy()
            # Only the directions of the last block are needed now; the others are computed again.
            bits = self._bits(lo, step) if lo == begins[-1] else None
            state = self._forward(state, lo, min(lo + step, self.most_rows), bits)
        diagonal_steps: list[tuple[Ints, ...]] = []
        at_row, at_column = self.rows.copy(), self.columns.copy()
        for lo in reversed(begins):
            if lo != begins[-1]:
                bits = self._bits(lo, step)
                self._forward(saved_rows.pop(lo), lo, lo + step, bits)
            if bits is not None:
                diagonal_steps += self._back(bits, lo, at_row, at_column)
        return self.score + self.gap * (self.rows + self.columns), diagonal_steps

    def _top(self) -> NDArray[np.integer]:
        """Return row 0 of F, and set the scores of pairs without another row."""
        top = (np.arange(self.most_columns + 1) * self.edge).astype(self.dtype)
        state = np.repeat(top[:, None], len(self.pairs), axis=1)
        self._note(state, 0)
        return state

    def _note(self, state: NDArray[np.integer], row: int) -> None:
        ended = np.flatnonzero(self.rows == row)
        self.score[ended] = state[self.columns[ended], ended]

    def _bits(self, lo: int, step: int) -> NDArray[np.uint8]:
        """Allocate the directions of a block of rows: whether diagonal, whether up."""
        height = min(step, self.most_rows - lo)
        return np.empty((2, height, (self.most_columns * len(self.pairs) + 7) // 8), dtype=np.uint8)

    def _forward(
        self, state: NDArray[np.integer], lo: int, hi: int, bits: NDArray[np.uint8] | None = None
    ) -> NDArray[np.integer]:
        """Advance F from row lo to row hi, and fill in the directions of these rows."""
        count = len(self.pairs)
        at_once = max(1, self.memory.gains // max(1, self.most_columns * count))
        below = np.empty_like(state)
        for begin in range(lo, hi, at_once):
            end = min(begin + at_once, hi)
            gains = self.gains(self.pairs, begin, end)[:, : self.most_columns]
            raised = np.add(gains, self.dtype(-2 * self.gap), dtype=self.dtype, casting="unsafe")
            for row in range(begin, end):
                diagonal = raised[row - begin]
                diagonal += state[:-1]
                below[0] = self.edge * (row + 1)
                np.maximum(diagonal, state[1:], out=below[1:])
                if count >= _MANY_PAIRS:
                    for column in range(1, self.most_columns + 1):
                        np.maximum(below[column], below[column - 1], out=below[column])
                else:
                    np.maximum.accumulate(below, axis=0, out=below)
                if bits is not None:
                    bits[0, row - lo] = np.packbits(below[1:] == diagonal)
                    bits[1, row - lo] = np.packbits(below[1:] == state[1:])
                state, below = below, state
                self._note(state, row + 1)
        return state

    def _back(
        self, bits: NDArray[np.uint8], lo: int, at_row: Ints, at_column: Ints
    ) -> Iterator[tuple[Ints, ...]]:
        """Trace each pair back from its current cell to row lo, and yield the diagonal steps."""
        count = len(self.pairs)
        pair = np.flatnonzero((at_row > lo) & (at_column > 0))
        row, column = at_row[pair], at_column[pair]
        while pair.size:
            cell = (column - 1) * count + pair
            cells = (row - 1 - lo, cell >> 3)
            bit = (0x80 >> (cell & 7)).astype(np.uint8)
            diagonal = (bits[0][cells] & bit) != 0
            up = diagonal | ((bits[1][cells] & bit) != 0)
            yield pair[diagonal], row[diagonal] - 1, column[diagonal] - 1
            row -= up
            column -= diagonal | ~up
            on = (row > lo) & (column > 0)
            if not on.all():
                at_row[pair], at_column[pair] = row, column
                pair, row, column = pair[on], row[on], column[on]


# Paths through an acyclic graph: their number, the path of each number, and random paths.
#
# The nodes are numbered so that every arc goes up; paths lead from node 0 to the last node. A graph
# is `Rows`: row k has the heads of the arcs of node k. Paths are `Rows`, too: row k has the nodes
# of path k, with both ends, ascending.
#
# Paths are ordered by their lists of nodes. The number of paths from each node is an integer of any
# size, so the path at any place of this order is computed directly: a path drawn uniformly is the
# path at a place drawn uniformly, and all paths are the paths at all places.
#
# Random numbers depend on the seed, the number of the draw and the number of the step alone
# (splitmix64, one stream a draw). So they are the same on every machine, and draw 7 is the same
# among ten draws or a thousand.

_MIX_INCREMENT = 0x9E3779B97F4A7C15  # of splitmix64: 2^64 over the golden ratio
_WORD_BITS = 64
_HALF_WORD_BITS = np.uint64(32)


def successors(tail: Ints, head: Ints, nodes: int) -> Rows:
    """Return the graph of some arcs, checked.

    `tail` and `head`, of shape (arcs,), are the two ends of each arc, in any order of arcs;
    `nodes`, 1 or more, is the number of nodes. Raises `InputError` when an arc does not go up or is
    repeated, or a node before the last has no arc.

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

    Places are from 0 to the number of paths minus 1, of any size, in any order. `counts` is the
    result of `count_paths`, if already known. Raises `InputError` when there is no such place.

    Examples
    --------
    >>> graph = successors(np.array([0, 0, 1, 2]), np.array([1, 2, 3, 3]), 4)
    >>> paths_at(graph, [1, 0]).idx.reshape(2, 3).tolist()
    [[0, 2, 3], [0, 1, 3]]

    """
    ptr, head = graph.ptr.tolist(), graph.idx.tolist()
    counts = count_paths(graph) if counts is None else counts
    last = len(ptr) - 2
    single = [head[a] if b - a == 1 else -1 for a, b in pairwise(ptr)]  # the only next node
    begins: dict[int, list[int]] = {}  # by node: the first place of the paths of each arc
    lengths: list[int] = []
    nodes: list[int] = []
    for place in places:
        if not 0 <= place < counts[0]:
            raise InputError(f"path {place} of {counts[0]}: want a place from 0 to {counts[0] - 1}")
        node, before = 0, len(nodes)
        nodes.append(node)
        while node != last:
            if (only := single[node]) >= 0:
                node = only
            else:
                if (begin := begins.get(node)) is None:
                    inner = head[ptr[node] : ptr[node + 1]]
                    begin = begins[node] = [0, *accumulate(counts[k] for k in inner[:-1])]
                arc = bisect_right(begin, place) - 1
                place -= begin[arc]
                node = head[ptr[node] + arc]
            nodes.append(node)
        lengths.append(len(nodes) - before)
    return Rows(prefix(np.array(lengths, dtype=np.int64)), np.array(nodes, dtype=np.int64))


def all_paths(graph: Rows, *, limit: int | None = None) -> Rows:
    """Return all paths in their order, or the first `limit` of them."""
    counts = count_paths(graph)
    path_count = counts[0] if limit is None else min(limit, counts[0])
    return paths_at(graph, range(path_count), counts)


def draw_paths(
    graph: Rows, draws: int, *, seed: int, first: int = 0, counts: Sequence[int] | None = None
) -> Rows:
    """Draw paths with exactly equal probabilities; the same path may come again.

    The same `seed`, 0 or more, gives the same paths. `first` is the number of the first draw: draws
    0 to 9 and then 10 to 19 are draws 0 to 19. `counts` is the result of `count_paths`, if already
    known.
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
    walk_parts, where, step = [walk], [node], 0
    while True:
        going = node != last
        walk, node = walk[going], node[going]
        if not walk.size:
            break
        word = _words(seed, walk, step, 1)[:, 0]
        arc = ((word >> _HALF_WORD_BITS) * degree[node]) >> _HALF_WORD_BITS
        node = graph.idx[graph.ptr[node] + arc.astype(np.int64)]
        walk_parts.append(walk)
        where.append(node)
        step += 1
    walk_numbers, nodes = np.concatenate(walk_parts), np.concatenate(where)
    order = np.argsort(walk_numbers, kind="stable")
    return Rows(prefix(np.bincount(walk_numbers - first, minlength=walks)), nodes[order])


def arc_log2(graph: Rows, paths: Rows) -> Floats:
    """Return the logarithm (base 2) of the probability that `walk_arcs` takes each path."""
    degree = graph.lengths.astype(np.float64)
    degree[-1] = 1.0
    bits = np.log2(degree[paths.idx])
    if not bits.size:
        return np.zeros(0)
    return np.asarray(-np.add.reduceat(bits, paths.ptr[:-1]))


def random_shares(seed: int, draws: Ints) -> Floats:
    """Return a random number from 0 to below 1 for each draw."""
    word = _words(seed, draws, 0, 1)[:, 0]
    return np.asarray((word >> np.uint64(11)).astype(np.float64) * 2.0**-53)


def _below(total: int, draws: Ints, seed: int) -> list[int]:
    """Draw integers from 0 to `total` - 1: surplus bits are cut, too great numbers redrawn."""
    bits = (total - 1).bit_length()
    width = -(-bits // _WORD_BITS)
    if not width:
        return [0] * len(draws)
    result = [0] * len(draws)
    open_, step = np.arange(len(draws)), 0
    while open_.size:
        words = _words(seed, draws[open_], step, width).astype("<u8")
        values = [
            int.from_bytes(row.tobytes(), "little") >> (width * _WORD_BITS - bits) for row in words
        ]
        for place, value in zip(open_.tolist(), values, strict=True):
            result[place] = value
        open_ = open_[[value >= total for value in values]]
        step += width
    return result


def _words(seed: int, draws: Ints, step: int, width: int) -> NDArray[np.uint64]:
    """Return words of 64 random bits: one row per draw, from its word `step` on."""
    if seed < 0:
        raise OptionError(f"the seed is {seed}: want 0 or more")
    seed = int(seed)  # not of numpy, whose bits are counted and masked in 64
    state = np.array([seed & (2**_WORD_BITS - 1)], dtype=np.uint64)
    for part in range(_WORD_BITS, max(seed.bit_length(), 1), _WORD_BITS):  # of a longer seed
        state = mixed(state) ^ np.uint64((seed >> part) & (2**_WORD_BITS - 1))
    stream = mixed(mixed(state) + draws.astype(np.uint64) * np.uint64(_MIX_INCREMENT))
    steps = np.arange(step + 1, step + width + 1).astype(np.uint64) * np.uint64(_MIX_INCREMENT)
    return mixed(stream[:, None] + steps[None, :])


# Repetition: the paths of an acyclic graph of words that have a word twice, counted exactly or path
# by path.
#
# Exact counting carries from node to node the number of ways without a repetition, by the set of
# their words that may still come again. Ways that differ only in words that cannot come again are
# counted together. The number of sets can grow fast with the words that can come again, so counting
# stops beyond a number of steps; the caller then draws paths.
#
# `words` has the number of the word of each node, -1 for a node without a word that counts.


def can_repeat(graph: Rows, words: Ints) -> Ints:
    """Return the words that stand at two nodes of some path, ascending."""
    bits, ahead = _ahead(graph, words)
    repeated = 0
    for bit, after in zip(bits, ahead, strict=True):
        repeated |= bit & after
    is_repeated = [bool(bit & repeated) for bit in bits]
    return np.unique(words[is_repeated])


def _ahead(graph: Rows, words: Ints) -> tuple[list[int], list[int]]:
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


def paths_without_repetition(graph: Rows, words: Ints, *, steps: int) -> int | None:
    """Count the paths from node 0 to the last node without a repeated word.

    `None` when counting would take more than `steps` steps.
    """
    bits, ahead = _ahead(graph, words)
    ptr, idx = graph.ptr.tolist(), graph.idx.tolist()
    ways: list[dict[int, int]] = [{} for _ in bits]
    ways[0] = {bits[0] & ahead[0]: 1}
    for node, counts_of_words in enumerate(ways[:-1]):
        successors = idx[ptr[node] : ptr[node + 1]]
        steps -= len(counts_of_words) * len(successors)
        if steps < 0:
            return None
        for after in successors:
            bit, still, onward = bits[after], ahead[after], ways[after]
            for words_so_far, count in counts_of_words.items():
                if words_so_far & bit:
                    continue
                key = (words_so_far | bit) & still
                onward[key] = onward.get(key, 0) + count
        ways[node] = {}
    return sum(ways[-1].values())


def repeats(paths: Rows, words: Ints) -> Bools:
    """Mask the paths (rows of nodes) with a repeated word."""
    width = int(words.max(initial=0)) + 1
    path, word = row_of(paths), words[paths.idx]
    keys = np.sort((path * width + word)[word >= 0])
    has_repeat = np.zeros(len(paths.ptr) - 1, dtype=bool)
    has_repeat[keys[1:][keys[1:] == keys[:-1]] // width] = True
    return has_repeat
