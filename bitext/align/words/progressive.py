"""Progressive multiple alignment of the sentences of a cluster to a word lattice.

The two most similar sentences are aligned first. Each further sentence is aligned with the most
similar sentence already in the lattice, and joins through it: a word aligned with a word of that
sentence goes to the node of that word, and any other word gets a new node. A sentence therefore
shares nodes with one path only, and in their order: the lattice is acyclic, and every sentence is a
path.

The similarity of two sentences is the score of their alignment, D[M][N]. The score is symmetric, so
it does not depend on the order of the cluster; the earlier sentence of the cluster is the source.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from bitext.align.words.aligning import WordAligner, scores_within, sentences_of
from bitext.align.words.options import WordOptions, choose
from bitext.errors import InputError, OptionError, check_truths
from bitext.kernels.arrays import Floats, Ints, Rows, prefix
from bitext.model import Cluster, Lattice
from bitext.model.lattice import WordGroups

ORDERS = ("cluster", "similarity")
_FORBIDDEN_SIMILARITY = -np.inf


class Join(NamedTuple):
    """A sentence that joins a lattice, and the sentence it joins through; None for the first."""

    sentence: int
    through: int | None


def align_cluster(
    cluster: Cluster,
    *,
    preset: str | WordOptions = "V4",
    order: str = "cluster",
    normalise: bool = False,
    progress: Callable[[int, int], None] | None = None,
    **options: Any,
) -> Lattice:
    """Align the sentences of a cluster to a lattice.

    Parameters
    ----------
    cluster : Cluster
        One sentence or more; equal sentences share nodes wherever the options let words match.
    preset : str or WordOptions
        `V1` to `V5`, as for `align_words`.
    order : str
        The next sentence after the two most similar ones: `cluster`, the earliest of the cluster;
        `similarity`, the one with the highest score to any sentence in the lattice.
    normalise : bool
        Whether scores are divided by M + N, the numbers of words that are compared; then two
        equal sentences score 1 at any length, and long sentences are not preferred. Two sentences
        of left-out words only score 0, even if they are equal.
    progress : callable, optional
        Called from time to time with the number of pairs of sentences scored and the total.
    **options
        Fields of `WordOptions`, in place of those of the preset.

    Returns
    -------
    Lattice
        Its `pairs` are the aligned words of each sentence and the sentence it joined through, the
        earlier sentence of the cluster first. A cluster of one sentence gives a single path.

    Raises
    ------
    InputError
        When `cluster` is not a `Cluster`, or a sentence lacks syntax that the preset needs.
    OptionError
        When an option is not known or has a value that is not allowed.

    Notes
    -----
    **Source**: S. Shen, D. R. Radev, A. Patel and G. Erkan, Adding syntax to dynamic programming
    for aligning comparable texts for the generation of paraphrases, COLING/ACL 2006.

    Ties go to the earliest sentence of the cluster: for pairs by the first, then the second
    sentence; for sentences to join next, and to join through, by the order of the cluster, not of
    joining.

    Examples
    --------
    >>> from bitext.model import Sentence
    >>> texts = ("Milan is beautiful", "I went to Milan")
    >>> lattice = align_cluster(Cluster(Sentence(t.split()) for t in texts), preset="V1")
    >>> [lattice.form(node) for node in lattice.path(1)]
    ['', 'I', 'went', 'to', 'Milan', '']
    >>> lattice.pairs
    (((0, 0), (1, 3)),)

    """
    check_truths(normalise=normalise)
    aligner = _aligner(cluster, preset, order, **options)
    similar = _similarities(aligner, normalise=normalise, progress=progress)
    return _lattice(cluster, aligner, similar, order)[0]


def _aligner(
    cluster: Cluster, preset: str | WordOptions, order: str, **options: Any
) -> WordAligner:
    chosen = choose(preset, **options)
    if order not in ORDERS:
        raise OptionError(f"order is {order!r}: want one of {', '.join(ORDERS)}")
    return WordAligner(sentences_of(cluster), chosen)


def _lattice(
    cluster: Cluster, aligner: WordAligner, similar: Floats, order: str
) -> tuple[Lattice, _Links]:
    joins, links = join_order(similar, order=order), _Links(aligner)
    links.learn(joins)
    return _joined(cluster, range(len(cluster)), joins, links), links


def lattice_and_held_out(
    cluster: Cluster,
    *,
    preset: str | WordOptions = "V4",
    order: str = "cluster",
    normalise: bool = False,
    **options: Any,
) -> tuple[Lattice, Iterator[WordGroups]]:
    """Align a cluster to a lattice, and its sentences without each one in turn.

    The lattice is that of `align_cluster`, which has the same parameters and errors; scores of
    pairs are computed once. The second result yields the groups of words that are the nodes of the
    lattices of `leave_one_out`, each made on access in some milliseconds; none for a cluster of one
    sentence.

    Examples
    --------
    >>> from bitext.model import Sentence
    >>> c = Cluster(Sentence(t.split()) for t in ("it burns", "it is", "Milan burns"))
    >>> lattice, held_out = lattice_and_held_out(c, preset="V1")
    >>> len(lattice), [groups.paths.idx.tolist() for groups in held_out]
    (6, [[2, 3, 4, 5], [0, 1, 4, 1], [0, 1, 0, 3]])

    """
    aligner = _aligner(cluster, preset, order, **options)
    similar = _similarities(aligner, normalise=normalise)
    lattice, links = _lattice(cluster, aligner, similar, order)
    return lattice, _held_out(cluster, similar, order, links)


_SENTENCES_AT_ONCE = 256  # sentences left out whose pairs are aligned at once; set by hand


def _held_out(cluster: Cluster, similar: Floats, order: str, links: _Links) -> Iterator[WordGroups]:
    """Yield the groups of words without each sentence in turn."""
    count = len(cluster)
    if count == 1:
        return
    lengths = np.array([len(sentence) for sentence in cluster], dtype=np.int64)
    begin = prefix(lengths)
    throughs = _joins_without_each(similar, order)
    ahead = links.groups(begin)
    for batch_start in range(0, count, _SENTENCES_AT_ONCE):
        together = list(islice(throughs, _SENTENCES_AT_ONCE))
        row, sentence = np.nonzero(np.array(together) >= 0)
        pairs = np.unique(np.array(together)[row, sentence] * count + sentence)
        links.learn([Join(pair % count, pair // count) for pair in pairs.tolist()])
        for left_out, through in enumerate(together, start=batch_start):
            through[left_out] = -1
            ahead.join(through)
            paths = np.delete(ahead.roots(), slice(begin[left_out], begin[left_out + 1]))
            rows = Rows(prefix(np.delete(lengths, left_out)), paths)
            yield WordGroups(cluster.without(left_out), rows)


def _joins_without_each(similar: Floats, order: str) -> Iterator[Ints]:
    """Yield the sentence through which each one joins when one is left out, for each in turn.

    The number is -1 for the first sentence, and for the one left out. In the order of the cluster,
    most joins are the same whichever sentence is left out: a sentence joins through the best one
    there, or through the second best where that is left out.
    """
    count = len(similar)
    first, second, best, next_best = -1, -1, np.zeros(0, np.int64), np.zeros(0, np.int64)
    if order == "cluster" and count > 3:
        first, second, best, next_best = _best_two(similar)
    for left_out in range(count):
        if first < 0 or left_out in {first, second}:
            through = np.full(count, -1)
            for s, other in _join_order_without(similar, left_out, order):
                through[s] = -1 if other is None else other
        else:
            through = np.where(best == left_out, next_best, best)
            through[[first, left_out]] = -1
        yield through


def _join_order_without(similar: Floats, left_out: int, order: str) -> list[Join]:
    """Return the order in which all sentences but one join."""
    rest = [s for s in range(len(similar)) if s != left_out]
    joins = join_order(similar[np.ix_(rest, rest)], order=order)
    return [Join(rest[s], None if other is None else rest[other]) for s, other in joins]


def _most_similar(similar: Floats) -> tuple[int, int]:
    count = len(similar)
    is_upper = np.triu(np.ones((count, count), dtype=bool), 1)
    return divmod(int(np.argmax(np.where(is_upper, similar, _FORBIDDEN_SIMILARITY))), count)


def _best_two(similar: Floats) -> tuple[int, int, Ints, Ints]:
    """Return the first two sentences to join, and the best two for each other one to join through.

    The other sentences join in the order of the cluster.
    """
    count = len(similar)
    first, second = _most_similar(similar)
    is_joined = np.tril(np.ones((count, count), dtype=bool), -1)  # row s: those that joined before
    is_joined[:, [first, second]] = True
    is_joined[second] = is_joined[first] = False
    is_joined[second, first] = True
    value = np.where(is_joined, similar, _FORBIDDEN_SIMILARITY)
    best = value.argmax(axis=1)  # ties go to the earliest
    value[np.arange(count), best] = _FORBIDDEN_SIMILARITY
    return first, second, best, value.argmax(axis=1)


def joins_of_cluster(
    cluster: Cluster,
    *,
    preset: str | WordOptions = "V4",
    order: str = "cluster",
    normalise: bool = False,
) -> list[Join]:
    """Return the order in which the sentences of a cluster join its lattice.

    Parameters are those of `align_cluster`.

    Examples
    --------
    >>> from bitext.model import Sentence
    >>> c = Cluster(Sentence(t.split()) for t in ("it burns", "it is", "Milan burns"))
    >>> [join.through for join in joins_of_cluster(c, preset="V1")]
    [None, 0, 0]

    """
    aligner = _aligner(cluster, preset, order)
    return join_order(_similarities(aligner, normalise=normalise), order=order)


def leave_one_out(
    cluster: Cluster,
    *,
    preset: str | WordOptions = "V4",
    order: str = "cluster",
    normalise: bool = False,
    **options: Any,
) -> Iterator[Lattice]:
    """Return the lattices of a cluster with each sentence left out in turn.

    Parameters and lattices are those of `align_cluster`; the scores of pairs are computed once.
    Each lattice is made on access.

    Raises
    ------
    InputError
        At the call, if the cluster has one sentence only, and as `align_cluster`.
    OptionError
        At the call, as `align_cluster`.

    Examples
    --------
    >>> from bitext.model import Sentence
    >>> c = Cluster(Sentence(t.split()) for t in ("it burns", "it is", "Milan burns"))
    >>> [len(lattice) for lattice in leave_one_out(c, preset="V1")]
    [6, 5, 5]

    """
    check_truths(normalise=normalise)
    if len(sentences_of(cluster)) < 2:
        raise InputError("the cluster has one sentence: want two or more, to leave out each")
    aligner = _aligner(cluster, preset, order, **options)
    return _others(cluster, aligner, order, normalise=normalise)


def _others(
    cluster: Cluster, aligner: WordAligner, order: str, *, normalise: bool
) -> Iterator[Lattice]:
    similar = _similarities(aligner, normalise=normalise)
    links = _Links(aligner)
    for left_out in range(len(cluster)):
        joins = _join_order_without(similar, left_out, order)
        links.learn(joins)
        numbers = [s for s in range(len(cluster)) if s != left_out]
        yield _joined(cluster.without(left_out), numbers, joins, links)


def _similarities(
    aligner: WordAligner, *, normalise: bool, progress: Callable[[int, int], None] | None = None
) -> Floats:
    scores = scores_within(aligner, progress)
    if not normalise:
        return scores.astype(np.float64)
    sizes = aligner.words.sizes
    # Floats order these fractions as they are: a quotient is rounded correctly, so equal ones
    # are equal, and different ones of such small numbers differ by more than the rounding.
    return np.asarray(scores / np.maximum(np.add.outer(sizes, sizes), 1))


def join_order(similar: Floats, *, order: str = "cluster") -> list[Join]:
    """Return the order in which sentences join a lattice, with the sentences they join through.

    `similar`, of shape (sentences, sentences), has the similarity of each pair, symmetric; the
    diagonal is ignored. `order` is that of `align_cluster`. There is a `Join` for each sentence.

    Examples
    --------
    >>> join_order(np.array([[0.0, 1, 4], [1, 0, 3], [4, 3, 0]]))
    [Join(sentence=0, through=None), Join(sentence=2, through=0), Join(sentence=1, through=2)]

    """
    count = len(similar)
    if count == 1:
        return [Join(0, None)]
    first, second = _most_similar(similar)
    joins = [Join(first, None), Join(second, first)]
    is_joined = np.zeros(count, dtype=bool)
    is_joined[[first, second]] = True
    # The highest score of each sentence to one in the lattice, and the earliest with that score.
    best = np.maximum(similar[first], similar[second])
    through = np.where(similar[first] >= similar[second], first, second)
    for _ in range(count - 2):
        if order == "cluster":
            chosen = int(np.argmin(is_joined))
        else:
            chosen = int(np.argmax(np.where(is_joined, _FORBIDDEN_SIMILARITY, best)))
        joins.append(Join(chosen, int(through[chosen])))
        is_joined[chosen] = True
        new = similar[chosen]
        better = (new > best) | ((new == best) & (chosen < through))
        best, through = np.where(better, new, best), np.where(better, chosen, through)
    return joins


class _Links:
    """Aligned words of pairs of sentences, each pair aligned once."""

    def __init__(self, aligner: WordAligner) -> None:
        self._aligner = aligner
        self._known: dict[tuple[int, int], tuple[Ints, Ints]] = {}

    def learn(self, joins: list[Join]) -> None:
        """Align each sentence with the one it joins through, unless the pair is aligned already."""
        wanted_pairs = {_sorted(s, through) for s, through in joins if through is not None}
        new = sorted(wanted_pairs - self._known.keys())
        if not new:
            return
        src, tgt = np.array(new, dtype=np.int64).reshape(-1, 2).T
        word_pairs = self._aligner.pairs(src, tgt)
        for k, pair in enumerate(new):
            self._known[pair] = word_pairs.of(k)

    def between(self, first: int, second: int) -> tuple[list[int], list[int]]:
        """Return the aligned words of the earlier sentence and of the later one."""
        earlier, later = self._known[_sorted(first, second)]
        return earlier.tolist(), later.tolist()

    def groups(self, begin: Ints) -> _Groups:
        """Return the words of all sentences, each in a group by itself."""
        return _Groups(self._known, begin)


class _Groups:
    """The group of each word: the number of the word that brought its node.

    The words of sentence s are numbers `begin[s]` to `begin[s + 1]`. A word that is aligned with a
    word of the sentence through which its sentence joins has the group of that word.
    """

    def __init__(self, known: Mapping[tuple[int, int], tuple[Ints, Ints]], begin: Ints) -> None:
        self._known, self._begin = known, begin.tolist()
        self._through = np.full(len(begin) - 1, -1)
        self._ahead = np.arange(begin[-1])  # the word whose group each word has

    def join(self, through: Ints) -> None:
        """Join each sentence through another one, or through none (-1)."""
        changed = np.flatnonzero(through != self._through).tolist()
        at = self._begin
        for sentence in changed:
            other = int(through[sentence])
            self._ahead[at[sentence] : at[sentence + 1]] = np.arange(at[sentence], at[sentence + 1])
            if other < 0:
                continue
            words, others = self._known[_sorted(sentence, other)]
            if sentence > other:
                words, others = others, words
            self._ahead[at[sentence] + words] = at[other] + others
        self._through = through

    def roots(self) -> Ints:
        """Return the group of each word."""
        ahead = self._ahead
        while True:
            further = ahead.take(ahead)
            if np.array_equal(further, ahead):
                return further
            ahead = further


def _sorted(first: int, second: int) -> tuple[int, int]:
    return (first, second) if first < second else (second, first)


def _joined(
    cluster: Cluster, numbers: range | list[int], joins: list[Join], links: _Links
) -> Lattice:
    """Build the lattice; sentence k of the cluster is `numbers[k]` in `joins` and `links`."""
    place = {number: k for k, number in enumerate(numbers)}
    pairs = []
    for sentence, through in joins:
        if through is not None:
            earlier, later = _sorted(place[sentence], place[through])
            words, others = links.between(sentence, through)
            pairs += [((earlier, a), (later, b)) for a, b in zip(words, others, strict=True)]
    lengths = np.zeros(max(numbers) + 1, dtype=np.int64)
    lengths[list(numbers)] = [len(sentence) for sentence in cluster]
    begin = prefix(lengths)
    through_of = np.full(len(lengths), -1)
    for sentence, through in joins:
        through_of[sentence] = -1 if through is None else through
    together = links.groups(begin)
    together.join(through_of)
    node = together.roots()
    groups = [node[begin[number] : begin[number + 1]].tolist() for number in numbers]
    return Lattice(cluster, groups, pairs)
