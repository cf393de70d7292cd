"""A word lattice: the sentences of a cluster as paths through shared words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from heapq import heappop, heappush
from typing import NamedTuple

import numpy as np

from bitext.errors import LatticeError, check_type, many
from bitext.kernels.arrays import Frozen, Ints, Rows, index_within, prefix, put
from bitext.model.sentence import Cluster, Token
from bitext.notebooks import InNotebooks

Place = tuple[int, int]


class Arcs(NamedTuple):
    """The arcs of a lattice, ascending by tail and head.

    Attributes
    ----------
    tail, head : array of int64, shape (arcs,)
        The nodes at the two ends of each arc; tail < head.
    sentences : Rows
        The sentences whose paths take each arc.

    """

    tail: Ints
    head: Ints
    sentences: Rows


class WordGroups(NamedTuple):
    """The words of a cluster in groups, which would be the nodes of its lattice.

    Unlike a `Lattice`, they are not checked, and have no arcs. `paths` has a row for each sentence:
    the groups of its words, as numbers of 0 or more in no order.
    """

    cluster: Cluster
    paths: Rows


class Lattice(Frozen, InNotebooks):
    """An acyclic graph of words: aligned words of different sentences share a node.

    Node 0 is the start, the last node the accept state; both have no word. The nodes between are
    numbered so that every arc goes from a lower to a higher number (of the numberings with that
    property, the one that takes words of earlier sentences first). Every sentence of the cluster
    is a path from start to accept.

    Parameters
    ----------
    cluster : Cluster
        The sentences.
    groups : sequence of sequences of int
        For each sentence, the group that each of its words belongs to: words with one number
        share a node. Any integers.
    pairs : iterable of ((sentence, word), (sentence, word)), optional
        The aligned word pairs from which the groups were made.

    Raises
    ------
    LatticeError
        When there is not one group a word, or the graph would have a cycle.

    Examples
    --------
    >>> from bitext.model.sentence import Cluster, Sentence
    >>> c = Cluster([Sentence(["Milan", "burns"]), Sentence(["It", "burns"])])
    >>> lattice = Lattice(c, [[7, 8], [9, 8]])
    >>> len(lattice), [lattice.form(n) for n in range(len(lattice))]
    (5, ['', 'Milan', 'It', 'burns', ''])
    >>> lattice.path(1), lattice.members(3)
    ([0, 2, 3, 4], [(0, 1), (1, 1)])
    >>> list(zip(lattice.arcs.tail.tolist(), lattice.arcs.head.tolist()))
    [(0, 1), (0, 2), (1, 3), (2, 3), (3, 4)]

    """

    __slots__ = (
        "_member_ptr",
        "_member_sentence",
        "_member_word",
        "arcs",
        "cluster",
        "pairs",
        "paths",
    )

    cluster: Cluster
    paths: Rows  # row s: the nodes of the words of sentence s, ascending
    arcs: Arcs
    pairs: tuple[tuple[Place, Place], ...]
    _member_ptr: Ints
    _member_sentence: Ints
    _member_word: Ints

    def __init__(
        self,
        cluster: Cluster,
        groups: Sequence[Sequence[int]],
        pairs: Iterable[tuple[Place, Place]] = (),
    ) -> None:
        lengths = [len(sentence) for sentence in cluster]
        if [len(group) for group in groups] != lengths:
            raise LatticeError(
                f"groups of {[len(group) for group in groups]!r:.60} words for sentences of "
                f"{lengths!r:.60}: want one group a word"
            )
        ptr = prefix(np.array(lengths, dtype=np.int64))
        flat = np.array([number for group in groups for number in group])
        if flat.dtype.kind == "f" and np.isnan(flat).any():  # equal to each other in `np.unique`
            raise LatticeError("a word has the group nan: want a number for each word")
        _, group = np.unique(flat, return_inverse=True)
        node = _topological(ptr, group.reshape(-1).astype(np.int64), cluster)
        put(self, "cluster", cluster)
        put(self, "pairs", tuple(pairs))
        put(self, "paths", Rows(ptr, node))
        order = np.argsort(node, kind="stable")
        sentence = np.repeat(np.arange(len(lengths)), lengths)
        count = int(node.max()) + 2
        put(self, "_member_ptr", prefix(np.bincount(node, minlength=count)))
        put(self, "_member_sentence", sentence[order])
        put(self, "_member_word", (np.arange(len(node)) - ptr[sentence])[order])
        put(self, "arcs", _arcs(self.paths, sentence, count))

    @property
    def start(self) -> int:
        """The node where every path begins."""
        return 0

    @property
    def accept(self) -> int:
        """The node where every path ends."""
        return len(self) - 1

    def __len__(self) -> int:
        """The number of nodes, with start and accept."""
        return len(self._member_ptr) - 1

    def members(self, node: int) -> list[Place]:
        """Return (sentence, word) of each word of a node, ascending."""
        node = index_within(node, len(self), "node")
        lo, hi = self._member_ptr[node], self._member_ptr[node + 1]
        return list(
            zip(
                self._member_sentence[lo:hi].tolist(),
                self._member_word[lo:hi].tolist(),
                strict=True,
            )
        )

    def tokens(self, node: int) -> list[Token]:
        """Return the words of a node, as `members`."""
        return [self.cluster[sentence][word] for sentence, word in self.members(node)]

    def form(self, node: int) -> str:
        """Return the most frequent form of a node (ties: the earliest); empty at the ends."""
        return _commonest(token.form for token in self.tokens(node))

    def pos(self, node: int) -> str:
        """Return the most frequent part of speech of a node (ties: the earliest)."""
        return _commonest(token.pos for token in self.tokens(node))

    def path(self, sentence: int) -> list[int]:
        """Return the nodes of a sentence of the cluster, from start to accept."""
        sentence = index_within(sentence, len(self.cluster), "sentence")
        return [self.start, *self.paths.row(sentence).tolist(), self.accept]

    def successors(self) -> list[list[int]]:
        """Return the heads of the arcs of each node, ascending."""
        out: list[list[int]] = [[] for _ in range(len(self))]
        for tail, head in zip(self.arcs.tail.tolist(), self.arcs.head.tolist(), strict=True):
            out[tail].append(head)
        return out

    def __eq__(self, other: object) -> bool:
        """Compare the clusters of both, and the words in each node."""
        if not isinstance(other, Lattice):
            return NotImplemented
        return self.cluster == other.cluster and np.array_equal(self.paths.idx, other.paths.idx)

    def __hash__(self) -> int:
        return hash((self.cluster, self.paths.idx.tobytes()))

    def __repr__(self) -> str:
        return (
            f"<Lattice of {len(self.cluster)} sentences, {self.cluster.words} words: "
            f"{many(len(self), 'node')}, {len(self.arcs.tail)} arcs>"
        )


def _commonest(values: Iterable[str]) -> str:
    counts = Counter(values)
    return max(counts, key=counts.__getitem__) if counts else ""


def _topological(ptr: Ints, group: Ints, cluster: Cluster) -> Ints:
    """Number the groups from 1 so that numbers ascend along every sentence.

    Among groups with numbered predecessors, the group of the earliest word comes first.
    """
    count = int(group.max()) + 1
    first = np.full(count, len(group), dtype=np.int64)
    np.minimum.at(first, group, np.arange(len(group)))
    is_inner = np.ones(len(group), dtype=bool)
    is_inner[ptr[:-1]] = False
    heads = np.flatnonzero(is_inner)
    # Distinct steps from group to group; `waiting` counts those into a group that are still open.
    edges = np.unique(np.stack([group[heads - 1], group[heads]], axis=1), axis=0)
    waiting = np.bincount(edges[:, 1], minlength=count).tolist()
    after: list[list[int]] = [[] for _ in range(count)]
    for tail, head in edges.tolist():
        after[tail].append(head)
    earliest = first.tolist()
    # A heap, so that of the groups without open steps that of the earliest word comes next.
    ready: list[tuple[int, int]] = []
    for number, open_arcs in enumerate(waiting):
        if not open_arcs:
            heappush(ready, (earliest[number], number))
    new = np.zeros(count, dtype=np.int64)
    placed = 0
    while ready:
        _, number = heappop(ready)
        placed += 1
        new[number] = placed
        for head in after[number]:
            waiting[head] -= 1
            if not waiting[head]:
                heappush(ready, (earliest[head], head))
    if placed < count:
        # Groups that are left lie on a cycle, or after one.
        place = min(earliest[number] for number in range(count) if waiting[number])
        sentence = int(np.searchsorted(ptr, place, side="right")) - 1
        word = place - int(ptr[sentence])
        raise LatticeError(
            f"word {word + 1} ({cluster[sentence][word].form!r}) of sentence {sentence + 1} is "
            f"in or after a cycle: want words that share nodes in one order in all sentences"
        )
    return new[group]


def _arcs(paths: Rows, sentence: Ints, count: int) -> Arcs:
    ptr, node = paths
    ends = np.full(len(ptr) - 1, count - 1, dtype=np.int64)
    previous = np.zeros(len(node), dtype=np.int64)
    previous[1:] = node[:-1]
    previous[ptr[:-1]] = 0
    tail = np.concatenate([previous, node[ptr[1:] - 1]])
    head = np.concatenate([node, ends])
    sentence_of_arc = np.concatenate([sentence, np.arange(len(ends))])
    keys, arc = np.unique(tail * count + head, return_inverse=True)
    arc = arc.reshape(-1)
    order = np.lexsort((sentence_of_arc, arc))
    rows = Rows(prefix(np.bincount(arc, minlength=len(keys))), sentence_of_arc[order])
    return Arcs(keys // count, keys % count, rows)


def want_lattice(given: object) -> None:
    """Refuse a value that is not a lattice.

    Raises `InputError` when the value is no `Lattice`.
    """
    check_type("the lattice", given, Lattice, "a Lattice, as align_cluster(cluster) makes it")
