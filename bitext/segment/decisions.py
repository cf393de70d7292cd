"""The decisions of many texts, one a sentence, as methods see them that know no sequence.

Every sentence but the first of a text is one decision: does it start a paragraph?
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bitext.kernels.rows import prefix
from bitext.segment.features.text import NodeRows
from bitext.segment.method import checked_golds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bitext.segment.features.text import TextFeatures
    from bitext.segment.method import Gold

__all__ = ["Decisions", "decisions", "inner_rows", "linear_scores", "weight_count"]


class Decisions(NamedTuple):
    """The feature rows of all decisions, with the right answers.

    Attributes
    ----------
    rows : NodeRows
        One row a decision.
    starts : array of bool, shape (decisions,)
        Whether the sentence starts a paragraph.

    """

    rows: NodeRows
    starts: NDArray[np.bool_]

    @property
    def decided(self) -> bool:
        """Whether both answers occur; otherwise there is nothing to learn."""
        return bool(self.starts.any()) and not bool(self.starts.all())

    @property
    def majority(self) -> bool:
        """The answer that is more frequent; no paragraph where they are even."""
        return bool(2 * self.starts.sum() > self.starts.size)


def decisions(features: Sequence[TextFeatures], golds: Sequence[Gold]) -> Decisions:
    """Put the decisions of texts one after another.

    Raises
    ------
    InputError
        As of `checked_golds`.

    """
    rows, right = [], []
    for text, gold in zip(features, checked_golds(features, golds), strict=True):
        rows.append(inner_rows(text))
        marks = np.zeros(text.n, dtype=bool)
        marks[gold] = True
        right.append(marks[1:])
    lengths = np.concatenate([np.diff(part.ptr) for part in rows])
    joined = NodeRows(
        prefix(lengths),
        np.concatenate([part.idx for part in rows]),
        np.concatenate([part.values for part in rows]),
    )
    return Decisions(joined, np.concatenate(right))


def inner_rows(features: TextFeatures) -> NodeRows:
    """Return the rows of all sentences but the first; views where they can be."""
    ptr, idx, values = features.nodes
    if features.n == 0:
        return NodeRows(np.zeros(1, dtype=np.int64), idx[:0], values[:0])
    begin = int(ptr[1])
    return NodeRows(ptr[1:] - begin, idx[begin:], values[begin:])


def linear_scores(
    features: TextFeatures, weights: NDArray[np.float64], intercept: float
) -> NDArray[np.float64]:
    """Return the score of each sentence, shape (n,); columns beyond the weights count nothing."""
    ptr, idx, values = features.nodes
    if idx.size and int(idx.max()) >= weights.size:
        weights = np.concatenate([weights, np.zeros(int(idx.max()) + 1 - weights.size)])
    rows = np.repeat(np.arange(features.n), np.diff(ptr))
    sums = np.bincount(rows, weights=weights[idx] * values, minlength=features.n)
    return sums.astype(np.float64) + intercept


def weight_count(features: Sequence[TextFeatures], *, edges: bool = True) -> int:
    """Return the number of weights of the features of texts, with or without those of edges."""
    most = max((int(text.nodes.idx.max(initial=-1)) + 1 for text in features), default=0)
    if not edges:
        return most
    for text in features:
        for column in text.edges:
            bins = 0 if column.bins is None else int(column.bins.max(initial=0))
            most = max(most, column.first + bins + 1)
    return most
