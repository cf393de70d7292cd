"""Edit distance gain: how much nearer a left-out sentence is to the lattice of the others.

The gain is relative to the distance to the nearest of the other sentences.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from bitext.errors import InputError, check_type
from bitext.kernels.arrays import Ints, Rows, distinct, prefix, take
from bitext.kernels.lattice_distance import (
    distance_kernels,
    distances,
    layers,
    near_distances,
    nearest_distances,
)
from bitext.metrics.registry import whole
from bitext.model import Cluster, Lattice, Ratio
from bitext.model.lattice import WordGroups
from bitext.model.sentence import folded

_ALONE_REASON = "a cluster of one sentence has no other"
_WORDS_TOGETHER = 1 << 18  # words of lattices that are compared at once; set by hand


@dataclass(frozen=True, slots=True)
class EdGain:
    """Edit distances of left-out sentences; `+` pools clusters.

    Attributes
    ----------
    words : tuple of int
        The length of each sentence.
    to_inputs : tuple of int
        The distance of each sentence to the nearest other sentence.
    to_lattice : tuple of int
        The distance of each sentence to the nearest path of the lattice of the others, never
        greater than that to the nearest other sentence.

    """

    words: tuple[int, ...]
    to_inputs: tuple[int, ...]
    to_lattice: tuple[int, ...]

    @property
    def gain(self) -> Ratio:
        """The mean number of edits that the lattice saves for a sentence: `edgain`."""
        return Ratio(self._saved, len(self.words), reason=_ALONE_REASON)

    @property
    def per_word(self) -> Ratio:
        """The number of edits saved over the number of words."""
        return Ratio(self._saved, sum(self.words), reason=_ALONE_REASON)

    @property
    def saved(self) -> Ratio:
        """The share of the edits to the nearest input that the lattice saves; 0 to 1."""
        return Ratio(self._saved, sum(self.to_inputs), reason="every sentence has a double")

    @property
    def value(self) -> float:
        """The mean number of edits saved; `nan` of a cluster of one."""
        return self.gain.value

    @property
    def _saved(self) -> int:
        return sum(self.to_inputs) - sum(self.to_lattice)

    def __add__(self, other: EdGain) -> EdGain:
        if not isinstance(other, EdGain):
            return NotImplemented
        return EdGain(
            self.words + other.words,
            self.to_inputs + other.to_inputs,
            self.to_lattice + other.to_lattice,
        )

    def __radd__(self, other: int) -> EdGain:
        """Support `sum`, which begins at 0."""
        return self if other == 0 else NotImplemented


def edgain(
    cluster: Cluster,
    lattices: Iterable[Lattice | WordGroups],
    *,
    nearest: Sequence[int] | None = None,
) -> EdGain:
    """Edits that the lattice of the other sentences saves for each left-out sentence.

    The gain of a sentence is its word edit distance to the nearest other sentence, minus its
    distance to the nearest path of the lattice of the others. The mean is 0 or more, since the
    other sentences are paths of their lattice; higher is better, as combinations of the inputs then
    come nearer to a sentence of a person. It does not measure wrong paths, so read it beside the
    repetition ratio.

    Parameters
    ----------
    cluster : Cluster
        The sentences.
    lattices : iterable of Lattice or WordGroups
        One a sentence, in order: the lattice of all other sentences, or the groups of their words,
        as `leave_one_out` and `held_out_groups` of `bitext.align.words.progressive` yield them.
        Some are read, then compared together. None for a cluster of one.
    nearest : sequence of int, optional
        The result of `distances_to_inputs`, if already known.

    Returns
    -------
    EdGain
        The distances; `value` is their mean difference, `nan` for a cluster of one.

    Raises
    ------
    InputError
        When a lattice is not over the other sentences, or there is not one lattice a sentence.

    Notes
    -----
    **Source**: B. Pang, K. Knight and D. Marcu, Syntax-based alignment of multiple translations,
    NAACL 2003 (their mean: 0.91).

    **Departures**: words are compared `folded`, each edit costs 1, and punctuation marks count as
    words. A node with several forms matches any of them.

    Examples
    --------
    >>> from bitext.model import Cluster, Lattice, Sentence
    >>> c = Cluster([Sentence(s.split()) for s in ("a fire in Rome", "a blaze in Rome now",
    ...     "the fire in Rome now")])
    >>> def others(k, groups):
    ...     return Lattice(Cluster([s for n, s in enumerate(c) if n != k]), groups)
    >>> result = edgain(c, [
    ...     others(0, [[1, 2, 3, 4, 5], [6, 7, 3, 4, 5]]),
    ...     others(1, [[1, 2, 3, 4], [6, 2, 3, 4, 5]]),
    ...     others(2, [[1, 2, 3, 4], [1, 6, 3, 4, 5]]),
    ... ])
    >>> result.to_inputs, result.to_lattice, result.gain
    ((2, 2, 2), (2, 1, 1), <Ratio: 0.6667 (2/3)>)

    """
    words = _numbered(cluster)
    if len(cluster) == 1:
        return EdGain((), (), ())
    to_lattice: list[int] = []
    waiting: list[Ints] = []
    size = cluster.words
    for number, lattice in enumerate(lattices):
        if number >= len(cluster):
            raise InputError(
                f"more lattices than the {len(cluster)} sentences: want one a sentence"
            )
        _check_others(cluster, number, lattice)
        waiting.append(lattice.paths.idx)
        if len(waiting) * size > _WORDS_TOGETHER:
            to_lattice += _to_lattices(words, len(to_lattice), waiting)
            waiting = []
    to_lattice += _to_lattices(words, len(to_lattice), waiting)
    if len(to_lattice) != len(cluster):
        raise InputError(
            f"{len(to_lattice)} lattices for {len(cluster)} sentences: want the lattice of the "
            f"others for each sentence"
        )
    to_inputs = distances_to_inputs(cluster) if nearest is None else tuple(nearest)
    if len(to_inputs) != len(cluster):
        raise InputError(
            f"{len(to_inputs)} distances for {len(cluster)} sentences: want one for each sentence"
        )
    to_inputs = tuple(whole("a distance to the nearest sentence", each) for each in to_inputs)
    return EdGain(tuple(map(len, words)), to_inputs, tuple(to_lattice))


def distances_to_inputs(cluster: Cluster) -> tuple[int, ...]:
    """Return the edit distance of each sentence to the nearest other one, as in `EdGain`.

    Examples
    --------
    >>> from bitext.model import Cluster, Sentence
    >>> c = Cluster([Sentence(s.split()) for s in ("a fire in Rome", "the fire in Rome", "Rome")])
    >>> distances_to_inputs(c)
    (1, 1, 3)

    """
    if len(cluster) == 1:
        return ()
    return tuple(nearest_distances(_numbered(cluster)).tolist())


def _numbered(cluster: Cluster) -> list[Ints]:
    """Return the words of each sentence as numbers, one for each folded form."""
    check_type("the cluster", cluster, Cluster, "a Cluster")
    known: dict[str, int] = {}
    return [
        np.array([known.setdefault(folded(form), len(known)) for form in sentence.forms])
        for sentence in cluster
    ]


def _to_lattices(words: Sequence[Ints], first: int, nodes: Sequence[Ints]) -> list[int]:
    """Return the distances of sentences, from `first` on, to the lattices of the others.

    `nodes` has the node of each word of the other sentences, for each sentence.
    """
    if not nodes:
        return []
    graphs = len(nodes)
    queries = words[first : first + graphs]
    sizes, every = np.array([len(one) for one in words], dtype=np.int64), np.concatenate(words)
    bounds, left_out = prefix(sizes).tolist(), range(first, first + graphs)
    if (kernels := distance_kernels.after(len(every) * graphs)) is not None:
        begin = np.array(bounds, dtype=np.int64)
        return [
            int(kernels.left_out_distance(every, begin, first + k, node))
            for k, node in enumerate(nodes)
        ]
    labels = np.concatenate(
        [part for k in left_out for part in (every[: bounds[k]], every[bounds[k + 1] :])]
    )
    lengths = np.concatenate([np.delete(sizes, k) for k in left_out])
    of_node, node = _dense(nodes)
    count = len(of_node) + 1 + graphs  # with the start, 0, and the accepts, which come last
    begin = prefix(lengths)
    graph = np.repeat(np.arange(graphs), len(words) - 1)
    accept = count - graphs + graph
    before = np.concatenate([[0], node[:-1]])
    before[begin[:-1]] = 0
    named = _distinct_pairs(node, labels, count)
    arcs = _distinct_pairs(
        np.concatenate([node, accept]), np.concatenate([before, node[begin[1:] - 1]]), count
    )
    head, tail = np.repeat(np.arange(count), arcs.lengths), arcs.idx
    owner = np.concatenate([[0], of_node, np.arange(graphs)])
    distances_found = near_distances(tail, head, named, owner, queries)
    far = np.flatnonzero(distances_found < 0)
    if far.size:  # without the other graphs
        number = np.full(graphs, -1, dtype=np.int64)
        number[far] = np.arange(far.size)
        is_kept = number[owner] >= 0
        is_kept[0] = True
        new, nodes_kept = np.cumsum(is_kept) - 1, np.flatnonzero(is_kept)
        inside = is_kept[head]
        of_graph = layers(new[tail[inside]], new[head[inside]], take(named, nodes_kept))
        owners = number[owner[nodes_kept]][of_graph.order]
        distances_found[far] = distances(of_graph, owners, [queries[k] for k in far.tolist()])
    return [int(each) for each in distances_found]


def _distinct_pairs(key: Ints, value: Ints, keys: int) -> Rows:
    """Return the distinct values of each key, ascending."""
    # Most keys have one value: only pairs with another are sorted.
    usual = np.full(keys, -1, dtype=np.int64)
    usual[key] = value
    other = value != usual[key]
    width = int(value.max()) + 1
    first = np.flatnonzero(usual >= 0)
    pairs, more = first * width + usual[first], distinct(key[other] * width + value[other])
    pairs = np.insert(pairs, np.searchsorted(pairs, more), more)
    return Rows(prefix(np.bincount(pairs // width, minlength=keys)), pairs % width)


def _dense(nodes: Sequence[Ints]) -> tuple[Ints, Ints]:
    """Number the nodes of several lattices from 1; return the lattice of each and the nodes."""
    sizes = [int(node_numbers.max()) + 1 for node_numbers in nodes]
    shift = prefix(np.array(sizes, dtype=np.int64))
    keys = np.concatenate(
        [node_numbers + at for node_numbers, at in zip(nodes, shift.tolist(), strict=False)]
    )
    is_present = np.zeros(int(shift[-1]), dtype=np.int64)
    is_present[keys] = 1
    of_node = np.repeat(np.arange(len(nodes)), sizes)[is_present > 0]
    return of_node, np.cumsum(is_present)[keys]


def _check_others(cluster: Cluster, number: int, lattice: Lattice | WordGroups) -> None:
    """Refuse a lattice that is not over all sentences but one."""
    others = cluster.sentences[:number] + cluster.sentences[number + 1 :]
    cluster_sentences = lattice.cluster.sentences
    if cluster_sentences == others:  # soon seen of the same objects
        return
    if len(cluster_sentences) != len(others) or any(
        one is not other and one.forms != other.forms
        for one, other in zip(cluster_sentences, others, strict=True)
    ):
        raise InputError(
            f"lattice {number + 1} is not over all sentences but sentence {number + 1}: want the "
            f"lattices of `leave_one_out`, in the order of the sentences"
        )
