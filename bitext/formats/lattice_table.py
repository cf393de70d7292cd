"""The alignment table of a lattice: a row a sentence, a column a rank, as tab-separated values.

Nodes that stand equally far from the start share a column: the rank of a node is the number of
words on the longest path that ends there. A sentence then has at most one word in a column, its
words keep their order, and the words of one node stand below each other. Ranks are as low as
can be, so the table is as narrow as the longest path allows. Words that merely stand in one column
are not aligned; words that stand there and share a node are.

A line is the name of the sentence (its id, or its number from 1), then a cell a column, empty where
the sentence has no word. There is no header. Only LF ends a line; a tab or line end within a word
becomes a blank, as in the format `tsv`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bitext.formats.lines import flat

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitext.model import Lattice

__all__ = ["Columns", "columns", "table_of"]


class Columns(NamedTuple):
    """Where the words of a lattice stand in its alignment table.

    Attributes
    ----------
    places : list of list of int
        For each sentence, the column of each of its words, ascending, from 0.
    width : int
        The number of columns.

    """

    places: list[list[int]]
    width: int


def columns(lattice: Lattice) -> Columns:
    """Return the column of each word.

    Examples
    --------
    >>> from bitext.model import Cluster, Lattice, Sentence
    >>> c = Cluster([Sentence(["Milan", "burns"]), Sentence(["Now", "it", "burns"])])
    >>> columns(Lattice(c, [[1, 2], [3, 4, 2]]))
    Columns(places=[[0, 2], [0, 1, 2]], width=3)

    """
    rank = [0] * len(lattice)
    # Arcs ascend by the node they leave, so its rank is known when they are met.
    for tail, head in zip(lattice.arcs.tail.tolist(), lattice.arcs.head.tolist(), strict=True):
        rank[head] = max(rank[head], rank[tail] + 1)
    column = (np.array(rank) - 1)[lattice.paths.idx].tolist()
    ptr = lattice.paths.ptr.tolist()
    places = [column[ptr[s] : ptr[s + 1]] for s in range(len(ptr) - 1)]
    return Columns(places, rank[lattice.accept] - 1)


def table_of(lattice: Lattice) -> Iterator[str]:
    r"""Yield the lines of the table.

    Examples
    --------
    >>> from bitext.model import Cluster, Lattice, Sentence
    >>> c = Cluster([Sentence(["Milan", "burns"]), Sentence(["Now", "it", "burns"], id="b")])
    >>> list(table_of(Lattice(c, [[1, 2], [3, 4, 2]])))
    ['1\tMilan\t\tburns\n', 'b\tNow\tit\tburns\n']

    """
    places, width = columns(lattice)
    cluster = lattice.cluster
    for name, sentence, taken in zip(cluster.names, cluster, places, strict=True):
        cells = [""] * width
        for column, form in zip(taken, sentence.forms, strict=True):
            cells[column] = flat(form)
        yield "\t".join([flat(name), *cells]) + "\n"
