"""How much nearer a left-out sentence is to the lattice of the others than to the others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from bitext.errors import InputError
from bitext.kernels.lattice_distance import distance, layers, side_by_side
from bitext.kernels.rows import Rows, prefix
from bitext.model import Ratio
from bitext.model.sentence import folded

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from bitext.kernels.lattice_distance import Layers
    from bitext.model import Cluster, Lattice

__all__ = ["EdGain", "edgain"]

_ALONE = "a cluster of one sentence has no other"


@dataclass(frozen=True, slots=True)
class EdGain:
    """Edit distances of left-out sentences; `+` pools clusters.

    Attributes
    ----------
    words : tuple of int
        The length of each sentence.
    to_inputs : tuple of int
        Its distance to the nearest of the other sentences.
    to_lattice : tuple of int
        Its distance to the nearest path of the lattice of the others: no greater.

    """

    words: tuple[int, ...]
    to_inputs: tuple[int, ...]
    to_lattice: tuple[int, ...]

    @property
    def gain(self) -> Ratio:
        """The mean number of edits that the lattice saves a sentence: `edgain`."""
        return Ratio(self._saved, len(self.words), reason=_ALONE)

    @property
    def per_word(self) -> Ratio:
        """The number of edits saved over the number of words."""
        return Ratio(self._saved, sum(self.words), reason=_ALONE)

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
        """Let `sum` begin at 0."""
        return self if other == 0 else NotImplemented


def edgain(cluster: Cluster, lattices: Iterable[Lattice]) -> EdGain:
    """Leave each sentence out, and see how many edits the lattice of the others saves it.

    For each sentence: its word edit distance to the nearest other sentence, less that to the
    nearest path of the lattice of the others. The mean is 0 or more, since the other sentences are
    paths of their lattice; higher is better: combinations of the inputs come nearer to what
    people write. It says nothing of wrong paths, so read it beside the repetition ratio.

    Parameters
    ----------
    cluster : Cluster
        The sentences.
    lattices : iterable of Lattice
        One a sentence, in order: the lattice of all other sentences. They are taken one by one,
        as `bitext.align.words.progressive.leave_one_out` makes them. None for a cluster of one.

    Returns
    -------
    EdGain
        The distances; `value` is their mean difference. A cluster of one has none: `nan`.

    Raises
    ------
    InputError
        When a lattice is not over the other sentences, or there is not one a sentence.

    Notes
    -----
    **Source**: B. Pang, K. Knight and D. Marcu, Syntax-based alignment of multiple translations,
    NAACL 2003 (their mean: 0.91).

    **Departures**: words are compared `folded`, each edit costs 1, and punctuation counts as
    words do. A node with words of several forms takes any of them for its own.

    Examples
    --------
    >>> from bitext.model import Cluster, Lattice, Sentence
    >>> c = Cluster([Sentence(s.split()) for s in ("a fire in Rome", "a blaze in Rome now",
    ...     "the fire in Rome now")])
    >>> def others(k, groups):
    ...     return Lattice(Cluster([s for n, s in enumerate(c) if n != k]), groups)
    >>> found = edgain(c, [
    ...     others(0, [[1, 2, 3, 4, 5], [6, 7, 3, 4, 5]]),
    ...     others(1, [[1, 2, 3, 4], [6, 2, 3, 4, 5]]),
    ...     others(2, [[1, 2, 3, 4], [1, 6, 3, 4, 5]]),
    ... ])
    >>> found.to_inputs, found.to_lattice, found.gain
    ((2, 2, 2), (2, 1, 1), Ratio(2, 3))

    """
    words = _numbered(cluster)
    if len(cluster) == 1:
        return EdGain((), (), ())
    to_inputs, to_lattice = [], []
    for number, lattice in enumerate(lattices):
        if number >= len(cluster):
            raise InputError(
                f"more lattices than the {len(cluster)} sentences: want one a sentence"
            )
        others = words[:number] + words[number + 1 :]
        _check_others(cluster, number, lattice)
        to_inputs.append(distance(side_by_side(others), words[number]))
        to_lattice.append(distance(_graph(lattice, np.concatenate(others)), words[number]))
    if len(to_lattice) != len(cluster):
        raise InputError(
            f"{len(to_lattice)} lattices for {len(cluster)} sentences: want the lattice of the "
            f"others for each sentence"
        )
    return EdGain(tuple(map(len, words)), tuple(to_inputs), tuple(to_lattice))


def _numbered(cluster: Cluster) -> list[NDArray[np.int64]]:
    """Return the words of each sentence as numbers: one for each folded form."""
    known: dict[str, int] = {}
    return [
        np.array([known.setdefault(folded(form), len(known)) for form in sentence.forms])
        for sentence in cluster
    ]


def _graph(lattice: Lattice, words: NDArray[np.int64]) -> Layers:
    """Return the graph of a lattice over words with these numbers."""
    width = int(words.max()) + 1
    keys = np.unique(lattice.paths.idx * width + words)
    labels = Rows(prefix(np.bincount(keys // width, minlength=len(lattice))), keys % width)
    return layers(lattice.arcs.tail, lattice.arcs.head, labels)


def _check_others(cluster: Cluster, number: int, lattice: Lattice) -> None:
    """Refuse a lattice that is not over all sentences but one."""
    others = cluster.sentences[:number] + cluster.sentences[number + 1 :]
    held = lattice.cluster.sentences
    if len(held) != len(others) or any(
        one is not other and one.forms != other.forms
        for one, other in zip(held, others, strict=True)
    ):
        raise InputError(
            f"lattice {number + 1} is not over all sentences but sentence {number + 1}: want the "
            f"lattices of `leave_one_out`, in the order of the sentences"
        )
