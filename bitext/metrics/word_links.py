"""The words that a lattice aligns, held against those that another lattice aligns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from bitext.errors import InputError, OptionError
from bitext.model import Counts

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bitext.model import Lattice

__all__ = ["word_links"]


def word_links(
    gold: Lattice, hyp: Lattice, *, links: Literal["shared", "direct"] = "shared"
) -> Counts:
    """Precision, recall and F of the word pairs that a lattice aligns. Higher is better.

    A link is a pair of words of two sentences. `shared`: the words share a node, so links are
    transitive; a node of k words has k (k - 1) / 2. They are counted by the nodes that both
    lattices make of the same words, so the cost does not grow with the number of links.
    `direct`: the pairs whose alignment made the lattice (`Lattice.pairs`), whichever way round.

    Parameters
    ----------
    gold, hyp : Lattice
        Two lattices over the same words of the same sentences.
    links : {"shared", "direct"}
        What a link is.

    Returns
    -------
    Counts
        They add over clusters. Without links on a side its ratio is `nan`: 0/0.

    Raises
    ------
    InputError
        When the two are over different sentences.
    OptionError
        When `links` is neither of the two.

    Examples
    --------
    >>> from bitext.model import Cluster, Lattice, Sentence
    >>> c = Cluster([Sentence(["Milan", "burns"]), Sentence(["Milan", "burns"])])
    >>> word_links(Lattice(c, [[1, 2], [1, 2]]), Lattice(c, [[1, 2], [3, 2]])).recall
    0.5

    """
    _check_same(gold, hyp)
    if links == "direct":
        expected, proposed = _direct(gold), _direct(hyp)
        return Counts(len(expected & proposed), len(proposed), len(expected))
    if links != "shared":
        raise OptionError(f"links {links!r} are not known: want 'shared' or 'direct'")
    a, b = gold.paths.idx, hyp.paths.idx
    both = np.unique(a * len(hyp) + b, return_counts=True)[1]
    return Counts(_pairs(both), _pairs(np.bincount(b)), _pairs(np.bincount(a)))


def _pairs(sizes: NDArray[np.int64]) -> int:
    """Return how many pairs the members of groups of some sizes make."""
    return int((sizes * (sizes - 1) // 2).sum())


def _direct(lattice: Lattice) -> set[tuple[tuple[int, int], ...]]:
    return {tuple(sorted(pair)) for pair in lattice.pairs}


def _check_same(gold: Lattice, hyp: Lattice) -> None:
    """Refuse lattices over different words; name the first difference."""
    sides = (gold.cluster, hyp.cluster)
    if len(sides[0]) != len(sides[1]):
        raise InputError(
            f"gold is over {len(sides[0])} sentences and the hypothesis over {len(sides[1])}: "
            f"want two alignments of the same cluster"
        )
    for number, (one, other) in enumerate(zip(*sides, strict=True), start=1):
        if one.forms == other.forms:
            continue
        least = min(len(one), len(other))
        place = next((k for k in range(least) if one[k].form != other[k].form), least)
        found = [
            repr(side[place].form) if place < len(side) else "missing" for side in (one, other)
        ]
        raise InputError(
            f"word {place + 1} of sentence {number} is {found[0]} in gold and {found[1]} in the "
            f"hypothesis: want two alignments of the same words"
        )
