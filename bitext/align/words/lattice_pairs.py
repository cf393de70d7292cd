"""The word alignment of two sentences of a lattice, as an alignment like any other."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from bitext.errors import InputError
from bitext.model import Alignment, Bitext, Text
from bitext.model.lattice import want_lattice

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitext.model import Lattice

__all__ = ["bitexts", "pairwise"]


def pairwise(lattice: Lattice, a: int, b: int) -> Alignment:
    """Return the alignment of the words of sentence `a` with those of sentence `b`.

    Words that share a node make a bisegment, and each other word one with an empty side.
    They stand in the order of the sentences; between two aligned pairs those of `a` come first.

    Parameters
    ----------
    lattice : Lattice
        What holds the two.
    a, b : int
        The two sentences of its cluster, from 0; `a` is the source.

    Raises
    ------
    InputError
        When it is no `Lattice`, or there is no such sentence.

    Examples
    --------
    >>> from bitext.model import Cluster, Lattice, Sentence
    >>> c = Cluster([Sentence(["Milan", "burns"]), Sentence(["Now", "it", "burns"])])
    >>> [tuple(bead) for bead in pairwise(Lattice(c, [[1, 2], [3, 4, 2]]), 0, 1)]
    [((0,), ()), ((), (0,)), ((), (1,)), ((1,), (2,))]

    """
    want_lattice(lattice)
    for sentence in (a, b):
        if not 0 <= sentence < len(lattice.cluster):
            raise InputError(
                f"the lattice has no sentence {sentence}: want 0 to {len(lattice.cluster) - 1}"
            )
    src, tgt = lattice.paths.row(a), lattice.paths.row(b)
    _, both_src, both_tgt = np.intersect1d(src, tgt, assume_unique=True, return_indices=True)
    left, right = np.ones(len(src), dtype=bool), np.ones(len(tgt), dtype=bool)
    left[both_src] = right[both_tgt] = False
    src_gap, tgt_gap = np.flatnonzero(left), np.flatnonzero(right)
    # Where each bisegment stands: the aligned pairs before it, and whether it is a pair.
    matched = np.arange(len(both_src))
    stretch = np.concatenate(
        [matched, np.searchsorted(both_src, src_gap), np.searchsorted(both_tgt, tgt_gap)]
    )
    sizes = (len(both_src), len(src_gap), len(tgt_gap))
    kind = np.repeat([2, 0, 1], sizes)
    word = np.concatenate([both_src, src_gap, tgt_gap])
    order = np.lexsort((word, kind, stretch))
    has_src, has_tgt = (kind != 1)[order], (kind != 0)[order]
    return Alignment.from_arrays(
        (np.append(0, np.cumsum(has_src)), np.arange(len(src))),
        (np.append(0, np.cumsum(has_tgt)), np.arange(len(tgt))),
    )


def bitexts(lattice: Lattice) -> Iterator[Bitext]:
    """Yield a bitext for each two sentences, the words of each being its segments.

    Its name tells the two sentences, by their ids, or their numbers from 1, so that formats and
    scores take the alignments of two lattices over one cluster as they take any others.

    Examples
    --------
    >>> from bitext.model import Cluster, Lattice, Sentence
    >>> c = Cluster([Sentence(["It", "burns"], id="a"), Sentence(["burns"], id="b")], id="milan")
    >>> for bitext in bitexts(Lattice(c, [[1, 2], [2]])):
    ...     print(bitext.name, bitext.pairs())
    milan:a:b [(['It'], []), (['burns'], ['burns'])]

    """
    want_lattice(lattice)
    cluster = lattice.cluster
    names = cluster.names
    texts = [Text(s.forms, name=name) for s, name in zip(cluster, names, strict=True)]
    front = "" if cluster.id is None else f"{cluster.id}:"
    for a, b in combinations(range(len(cluster)), 2):
        yield Bitext(
            texts[a], texts[b], pairwise(lattice, a, b), name=f"{front}{names[a]}:{names[b]}"
        )
