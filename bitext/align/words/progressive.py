"""From the sentences of a cluster to a lattice: progressive multiple alignment.

The two most similar sentences are aligned first. Each further sentence is aligned with the one it
is most similar to among those already there, and joins through it: a word aligned with a word of
that sentence goes to the node of that word, any other word gets a node of its own. So a sentence
meets the nodes of one path only, and in their order: the lattice is acyclic, and every sentence is
a path.

The similarity of two sentences is the score of their alignment, D[M][N]. It is the same from both
sides, and so does not depend on the order of the cluster; of an alignment, the earlier sentence of
the cluster is the source.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bitext.align.words.aligning import WordAligner, scores_within, sentences_of
from bitext.align.words.options import WordOptions, choose
from bitext.errors import InputError, OptionError
from bitext.model import Cluster, Lattice

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

__all__ = ["ORDERS", "Join", "align_cluster", "join_order", "joins_of_cluster", "leave_one_out"]

ORDERS = ("cluster", "similarity")
_FORBIDDEN = -np.inf


class Join(NamedTuple):
    """A sentence that joins a lattice, and the one that it joins through; None for the first."""

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
        One sentence or more; equal ones share all nodes that they may.
    preset : str or WordOptions
        `V1` to `V5`, as of `align_words`.
    order : str
        Which sentence comes next, after the two most similar ones: `cluster`, the earliest of the
        cluster; `similarity`, the one with the highest score to any that is there.
    normalise : bool
        Whether scores are divided by M + N, the words of both sentences that are not left out; so
        two equal sentences score 1, whatever their length, and long sentences are not preferred.
        (Two sentences that have no other words than those left out score 0, equal or not.)
    progress : callable, optional
        Called now and then with the number of pairs of sentences scored, and of all of them.
    **options
        Fields of `WordOptions`, in place of those of the preset.

    Returns
    -------
    Lattice
        Its `pairs` are the aligned words of each sentence and the one that it joined through, the
        earlier sentence of the cluster first. Of a cluster of one, a single path.

    Raises
    ------
    InputError
        When it is no `Cluster`, or syntax is asked for and a sentence has none.
    OptionError
        When an option is not known or has a value that is not allowed.

    Notes
    -----
    **Source**: S. Shen, D. R. Radev, A. Patel and G. Erkan, Adding syntax to dynamic programming
    for aligning comparable texts for the generation of paraphrases, COLING/ACL 2006.

    Ties go to the earliest: of pairs, the one whose first sentence is the earliest of the cluster,
    then the second; of sentences to join next, and of those to join through, the earliest of the
    cluster, not the one that joined first.

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
    chosen = choose(preset, **options)
    _check_order(order)
    aligner = WordAligner(sentences_of(cluster), chosen)
    similar = _similarities(aligner, normalise=normalise, progress=progress)
    joins = join_order(similar, order=order)
    links = _Links(aligner)
    links.learn(joins)
    return _joined(cluster, range(len(cluster)), joins, links)


def joins_of_cluster(
    cluster: Cluster,
    *,
    preset: str | WordOptions = "V4",
    order: str = "cluster",
    normalise: bool = False,
) -> list[Join]:
    """Return in which order the sentences of a cluster join its lattice, and through which.

    Parameters are those of `align_cluster`.

    Examples
    --------
    >>> from bitext.model import Sentence
    >>> c = Cluster(Sentence(t.split()) for t in ("it burns", "it is", "Milan burns"))
    >>> [join.through for join in joins_of_cluster(c, preset="V1")]
    [None, 0, 0]

    """
    _check_order(order)
    aligner = WordAligner(sentences_of(cluster), choose(preset))
    return join_order(_similarities(aligner, normalise=normalise), order=order)


def leave_one_out(
    cluster: Cluster,
    *,
    preset: str | WordOptions = "V4",
    order: str = "cluster",
    normalise: bool = False,
    **options: Any,
) -> Iterator[Lattice]:
    """Return the lattices of all sentences of a cluster but one: the first left out, and so on.

    Parameters, and the lattices, are as of `align_cluster`; the scores of pairs are made once.
    Each lattice is made when it is asked for.

    Raises
    ------
    InputError
        At once: when the cluster has one sentence only, and as `align_cluster` does.
    OptionError
        At once, as `align_cluster` does.

    Examples
    --------
    >>> from bitext.model import Sentence
    >>> c = Cluster(Sentence(t.split()) for t in ("it burns", "it is", "Milan burns"))
    >>> [len(lattice) for lattice in leave_one_out(c, preset="V1")]
    [6, 5, 5]

    """
    chosen = choose(preset, **options)
    _check_order(order)
    sentences = sentences_of(cluster)
    if len(sentences) < 2:
        raise InputError("the cluster has one sentence: want two or more, to leave out each")
    aligner = WordAligner(sentences, chosen)
    return _others(cluster, aligner, order, normalise=normalise)


def _others(
    cluster: Cluster, aligner: WordAligner, order: str, *, normalise: bool
) -> Iterator[Lattice]:
    """Yield the lattices of `leave_one_out`."""
    similar = _similarities(aligner, normalise=normalise)
    links = _Links(aligner)
    for left_out in range(len(cluster)):
        kept = [s for s in range(len(cluster)) if s != left_out]
        inner = join_order(similar[np.ix_(kept, kept)], order=order)
        joins = [Join(kept[s], None if through is None else kept[through]) for s, through in inner]
        links.learn(joins)
        rest = Cluster([cluster[s] for s in kept], id=cluster.id)
        yield _joined(rest, kept, joins, links)


def _check_order(order: str) -> None:
    if order not in ORDERS:
        raise OptionError(f"order is {order!r}: want one of {', '.join(ORDERS)}")


def _similarities(
    aligner: WordAligner,
    *,
    normalise: bool,
    progress: Callable[[int, int], None] | None = None,
) -> NDArray[np.float64]:
    """Score the similarity of each pair of sentences."""
    scores = scores_within(aligner, progress)
    if not normalise:
        return scores.astype(np.float64)
    sizes = aligner.words.sizes
    # Floats order these fractions as they are: a quotient is rounded correctly, so equal ones
    # are equal, and different ones of such small numbers differ by more than the rounding.
    return np.asarray(scores / np.maximum(np.add.outer(sizes, sizes), 1))


def join_order(similar: NDArray[np.float64], *, order: str = "cluster") -> list[Join]:
    """Return in which order sentences join a lattice, and through which.

    Parameters
    ----------
    similar : array of float, shape (sentences, sentences)
        How similar each two are; symmetric. The diagonal is not looked at.
    order : str
        As of `align_cluster`.

    Returns
    -------
    list of Join
        Each sentence once.

    Examples
    --------
    >>> join_order(np.array([[0.0, 1, 4], [1, 0, 3], [4, 3, 0]]))
    [Join(sentence=0, through=None), Join(sentence=2, through=0), Join(sentence=1, through=2)]

    """
    count = len(similar)
    if count == 1:
        return [Join(0, None)]
    upper = np.where(np.triu(np.ones((count, count), dtype=bool), 1), similar, _FORBIDDEN)
    first, second = divmod(int(np.argmax(upper)), count)
    joins = [Join(first, None), Join(second, first)]
    there = np.zeros(count, dtype=bool)
    there[[first, second]] = True
    # The highest score of each sentence to any that is there, and the earliest that has it.
    best = np.maximum(similar[first], similar[second])
    through = np.where(similar[first] >= similar[second], first, second)
    for _ in range(count - 2):
        if order == "cluster":
            chosen = int(np.argmin(there))
        else:
            chosen = int(np.argmax(np.where(there, _FORBIDDEN, best)))
        joins.append(Join(chosen, int(through[chosen])))
        there[chosen] = True
        new = similar[chosen]
        better = (new > best) | ((new == best) & (chosen < through))
        best, through = np.where(better, new, best), np.where(better, chosen, through)
    return joins


class _Links:
    """The aligned words of pairs of sentences, each pair aligned once."""

    def __init__(self, aligner: WordAligner) -> None:
        self._aligner = aligner
        self._known: dict[tuple[int, int], tuple[list[int], list[int]]] = {}

    def learn(self, joins: list[Join]) -> None:
        """Align the sentences that join with those they join through, as far as not yet done."""
        wanted = {_sorted(s, through) for s, through in joins if through is not None}
        new = sorted(wanted - self._known.keys())
        src, tgt = np.array(new, dtype=np.int64).reshape(-1, 2).T
        found = self._aligner.pairs(src, tgt)
        for k, pair in enumerate(new):
            first, second = found.of(k)
            self._known[pair] = first.tolist(), second.tolist()

    def between(self, first: int, second: int) -> tuple[list[int], list[int]]:
        """Return the aligned words of the earlier and of the later sentence."""
        return self._known[_sorted(first, second)]


def _sorted(first: int, second: int) -> tuple[int, int]:
    return (first, second) if first < second else (second, first)


def _joined(
    cluster: Cluster,
    numbers: range | list[int],
    joins: list[Join],
    links: _Links,
) -> Lattice:
    """Make the lattice; sentence k of the cluster is number `numbers[k]` in joins and links."""
    place = {number: k for k, number in enumerate(numbers)}
    groups: list[list[int]] = [[] for _ in cluster]
    pairs = []
    nodes = 0
    for sentence, through in joins:
        mine = place[sentence]
        length = len(cluster[mine])
        groups[mine] = list(range(nodes, nodes + length))
        nodes += length
        if through is not None:
            theirs = place[through]
            words, others = links.between(sentence, through)
            earlier, later = _sorted(mine, theirs)
            pairs += [((earlier, a), (later, b)) for a, b in zip(words, others, strict=True)]
            if mine < theirs:
                words, others = others, words
            for theirs_word, my_word in zip(words, others, strict=True):
                groups[mine][my_word] = groups[theirs][theirs_word]
    return Lattice(cluster, groups, pairs)
