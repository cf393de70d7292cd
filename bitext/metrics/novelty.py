"""How much of what a lattice says no input says: by whole paths, and by sequences of words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bitext.errors import OptionError
from bitext.kernels.paths import count_paths, successors
from bitext.kernels.rows import prefix
from bitext.model import Ratio
from bitext.model.sentence import folded

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from bitext.model import Cluster, Lattice

__all__ = ["ngram_novelty", "path_novelty", "trigram_novelty"]

_JOINED = 1 << 20  # pairs of arcs that are looked at together


def path_novelty(lattice: Lattice) -> Ratio:
    """Share of the paths that are not the path of an input. 0 to 1.

    Inputs with one path count once. Numerator and denominator are exact, of any size. A path that
    says the words of an input along other nodes is new here; `ngram_novelty` goes by the words.

    Examples
    --------
    >>> from bitext.model import Cluster, Lattice, Sentence
    >>> c = Cluster([Sentence("fires in Rome".split()), Sentence("fire in Milan".split())])
    >>> path_novelty(Lattice(c, [[1, 2, 3], [4, 2, 5]]))
    Ratio(2, 4)

    """
    paths = count_paths(successors(lattice.arcs.tail, lattice.arcs.head, len(lattice)))[0]
    inputs = {lattice.paths.row(k).tobytes() for k in range(len(lattice.cluster))}
    return Ratio(paths - len(inputs), paths)


def ngram_novelty(texts: Iterable[Sequence[str]], cluster: Cluster, *, n: int = 3) -> Ratio:
    """Share of the sequences of `n` words of some sentences that no input has. 0 to 1.

    Words are compared `folded`, punctuation as words are. Each place of each sentence counts.
    Without a sentence of `n` words the share is `nan`: 0/0.

    Parameters
    ----------
    texts : iterable of sequence of str
        The words of each sentence, as `Paraphrase.tokens`.
    cluster : Cluster
        The inputs.
    n : int
        How long a sequence is; 1 or more.

    Raises
    ------
    OptionError
        When `n` is below 1.

    Examples
    --------
    >>> from bitext.model import Cluster, Sentence
    >>> c = Cluster([Sentence("fires burn in Rome".split()), Sentence("it burns in Milan".split())])
    >>> ngram_novelty([["fires", "burn", "in", "Milan"]], c).value
    0.5

    """
    if n < 1:
        raise OptionError(f"sequences of {n} words: want 1 or more")
    known = {gram for sentence in cluster for gram in _grams(sentence.forms, n)}
    found = [gram not in known for text in texts for gram in _grams(text, n)]
    return Ratio(sum(found), len(found), reason=f"no sentence has {n} words")


def _grams(words: Sequence[str], n: int) -> Iterator[tuple[str, ...]]:
    same = list(map(folded, words))
    return (tuple(same[k : k + n]) for k in range(len(same) - n + 1))


def trigram_novelty(lattice: Lattice) -> Ratio:
    """Share of the sequences of three words, over all paths of a lattice, that no input has.

    0 to 1, exactly: every path counts alike, and each place of it. Two words in a row are never
    new, since an arc is a step of an input; three are the least that can be. Words are those of
    the nodes, `folded`. Without a path of three words the share is `nan`: 0/0.

    Examples
    --------
    >>> from bitext.model import Cluster, Lattice, Sentence
    >>> c = Cluster([Sentence("fires in Rome".split()), Sentence("fire in Milan".split())])
    >>> trigram_novelty(Lattice(c, [[1, 2, 3], [4, 2, 5]]))
    Ratio(2, 4)

    """
    tail, head = lattice.arcs.tail, lattice.arcs.head
    to_end = count_paths(successors(tail, head, len(lattice)))
    from_start = [1] + [0] * (len(lattice) - 1)
    for node, after in zip(tail.tolist(), head.tolist(), strict=True):
        from_start[after] += from_start[node]
    before, onward = np.array(from_start, dtype=object), np.array(to_end, dtype=object)
    word, words = _node_words(lattice)
    known = _input_trigrams(lattice, word, words)
    inner = (tail > 0) & (head < len(lattice) - 1)
    tail, head = tail[inner], head[inner]  # arcs ascend by tail: those of a node are a run
    ptr = prefix(np.bincount(tail, minlength=len(lattice)))
    degree = np.diff(ptr)[head]
    new = total = 0
    for lo, hi in _blocks(degree):
        first = np.repeat(np.arange(lo, hi), degree[lo:hi])
        begun = prefix(degree[lo:hi])
        second = np.arange(begun[-1]) + np.repeat(ptr[head[lo:hi]] - begun[:-1], degree[lo:hi])
        ends = head[second]
        weight = before[tail[first]] * onward[ends]
        keys = _key(word[tail[first]], word[head[first]], word[ends], words)
        total += int(weight.sum())
        new += int(weight[~np.isin(keys, known)].sum())
    return Ratio(new, total, reason="no path has three words")


def _blocks(sizes: NDArray[np.int64]) -> Iterator[tuple[int, int]]:
    """Cut a sequence into stretches of a bounded sum, or of one member."""
    total, lo = prefix(sizes), 0
    while lo < len(sizes):
        hi = max(lo + 1, int(np.searchsorted(total, total[lo] + _JOINED, side="right")) - 1)
        yield lo, hi
        lo = hi


def _node_words(lattice: Lattice) -> tuple[NDArray[np.int64], int]:
    """Return the word of each node as a number, and how many words there are."""
    numbers: dict[str, int] = {}
    words = [
        numbers.setdefault(folded(lattice.form(node)), len(numbers)) for node in range(len(lattice))
    ]
    return np.array(words, dtype=np.int64), len(numbers)


def _input_trigrams(lattice: Lattice, word: NDArray[np.int64], words: int) -> NDArray[np.int64]:
    """Return the trigrams of the inputs, as numbers."""
    along, lengths = (
        word[lattice.paths.idx],
        np.repeat(lattice.paths.lengths, lattice.paths.lengths),
    )
    place = np.arange(len(along)) - np.repeat(lattice.paths.ptr[:-1], lattice.paths.lengths)
    at = np.flatnonzero(place + 2 < lengths)
    return np.unique(_key(along[at], along[at + 1], along[at + 2], words))


def _key(
    one: NDArray[np.int64], two: NDArray[np.int64], three: NDArray[np.int64], words: int
) -> NDArray[np.int64]:
    """Return the number of each trigram; 64 bits hold those of two million words."""
    return (one * words + two) * words + three
