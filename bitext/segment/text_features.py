"""The features of one text as training and decoding see them.

A segmentation of n sentences into paragraphs has a score that is a sum (Shi, Altun, Smola and
Vishwanathan 2007, section 2): of a *node* score for each sentence but the first that begins a
paragraph, and an *edge* score for each paragraph. Both are linear in the weights.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ["EdgeColumn", "NodeRows", "TextFeatures"]


class NodeRows(NamedTuple):
    """Sparse rows: sentence k has the features `idx[ptr[k]:ptr[k+1]]`, of the values there.

    Attributes
    ----------
    ptr : array of int64, shape (n + 1,)
    idx : array of int64, shape (entries,)
        Weights, by number; ascending in a row, without repeats.
    values : array of float64, shape (entries,)

    """

    ptr: NDArray[np.int64]
    idx: NDArray[np.int64]
    values: NDArray[np.float64]


class EdgeColumn(NamedTuple):
    """One feature of all the paragraphs that a text may have, in bins or as a number.

    Cell (i, c) is the paragraph of M - c sentences that ends with sentence i: the longest come
    first. What stands in cells that reach back behind the first sentence does not matter.

    Attributes
    ----------
    first : int
        The weight of the feature, or of its first bin.
    bins : array of uint8, shape (n, M), optional
        The bin of each paragraph, whose weight is `first` plus it.
    values : array of float32, shape (n, M), optional
        The value of each paragraph, times the weight `first`. One of the two is given.

    """

    first: int
    bins: NDArray[np.uint8] | None = None
    values: NDArray[np.float32] | None = None


class TextFeatures:
    """The features of one text of n sentences, with paragraphs of up to M.

    Parameters
    ----------
    nodes : NodeRows
        What speaks for or against a paragraph that begins with each sentence. The first sentence
        always begins one: its row is not looked at.
    edges : sequence of EdgeColumn
        What speaks for or against each paragraph.
    longest : int
        M, at least 1.

    """

    def __init__(self, nodes: NodeRows, edges: Sequence[EdgeColumn], longest: int) -> None:
        self.nodes, self.edges, self.longest = nodes, tuple(edges), longest
        self.n = len(nodes.ptr) - 1

    def node_scores(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the score of each sentence as the beginning of a paragraph; 0 for the first."""
        parts = weights[self.nodes.idx] * self.nodes.values
        sums = np.concatenate([[0.0], np.cumsum(parts)])
        scores: NDArray[np.float64] = np.diff(sums[self.nodes.ptr])
        scores[:1] = 0.0
        return scores

    def edge_scores(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the score of each paragraph, shape (n, M); minus infinity for what is none."""
        scores = np.zeros((self.n, self.longest))
        for column in self.edges:
            if column.bins is not None:
                last = column.first + int(column.bins.max(initial=0)) + 1
                scores += weights[column.first : last][column.bins]
            elif column.values is not None:
                scores += weights[column.first] * column.values
        rows = np.arange(min(self.n, self.longest - 1))
        lengths = self.longest - np.arange(self.longest)
        scores[: len(rows)][lengths[None, :] > rows[:, None] + 1] = -np.inf
        return scores

    def add_to(
        self, totals: NDArray[np.float64], starts: NDArray[np.int64], factor: float = 1.0
    ) -> None:
        """Add the features of a segmentation to an array as long as the weights.

        `starts` are the first sentences of its paragraphs, ascending, with 0; none of them is
        longer than M.
        """
        inner = starts[1:]
        begins, sizes = self.nodes.ptr[inner], self.nodes.ptr[inner + 1] - self.nodes.ptr[inner]
        offsets = np.repeat(begins - np.cumsum(sizes) + sizes, sizes)
        places = offsets + np.arange(int(sizes.sum()))
        np.add.at(totals, self.nodes.idx[places], factor * self.nodes.values[places])
        ends = np.append(inner, self.n) - 1
        lengths = ends - starts + 1
        for column in self.edges:
            cells = (ends, self.longest - lengths)
            if column.bins is not None:
                np.add.at(totals, column.first + column.bins[cells].astype(np.int64), factor)
            elif column.values is not None:
                totals[column.first] += factor * float(column.values[cells].sum(dtype=np.float64))
