"""Trees for tagged sentences: the chart, its weights, and the choice of the best brackets.

The tree is not the most probable one but the one whose brackets are expected to be right most
often: a bracket gains its probability less `BAR`, and the best set of nested brackets is taken
(Goodman 1996, "Parsing algorithms and metrics").
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bitext.model.tree import Tree
from bitext.syntax.chart import Chart, Scores
from bitext.syntax.feature_table import Table
from bitext.syntax.grammar import RULES, Grammar, Rules
from bitext.syntax.span_features import span_features

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from bitext.syntax.span_features import SpanFeatures

    Floats = NDArray[np.float32]
    Sums = Callable[[NDArray[np.int64]], Floats]

__all__ = ["BAR", "WAYS", "ChartParser", "best_brackets", "score_spans", "tree_of"]

BAR = 0.4
WAYS = ("forward", "backward")

Node = tuple[int, int, int]  # label, first word, number of words


class ChartParser:
    """Two charts: one reads the daughters of a node from left to right, one from right to left.

    The second sees sentences backwards; otherwise they are alike. They were trained apart, know
    different neighbours, and err differently: the mean of their probabilities is taken.

    Parameters
    ----------
    packed : mapping of str to array
        The arrays of the model.

    """

    def __init__(self, packed: Mapping[str, NDArray[np.generic]]) -> None:
        self._forward, self._backward = (_OneWay(packed, way) for way in WAYS)
        self.grammar = self._forward.grammar

    def parse(self, words: Sequence[Sequence[str]], tags: Sequence[Sequence[str]]) -> list[Tree]:
        """Return the trees of sentences, none of them empty; best of about one length.

        Time grows with the third power, memory with the second power of the longest.
        """
        forward = self._forward.probabilities(words, tags)
        backward = self._backward.probabilities(
            [row[::-1] for row in words], [row[::-1] for row in tags]
        )
        trees = []
        for k, (row, row_tags) in enumerate(zip(words, tags, strict=True)):
            size = len(row)
            label: Floats = np.zeros((size, size + 1, len(self.grammar.labels)), np.float32)
            for n in range(1, size + 1):
                count = size - n + 1
                label[:count, n] = forward[k, :count, n] + backward[k, :count, n][::-1]
            label /= 2
            found = best_brackets(label, size, self.grammar)
            trees.append(tree_of(found, row, row_tags, self.grammar))
        return trees


class _OneWay:
    """A grammar, and the weights of its rules and features."""

    def __init__(self, packed: Mapping[str, NDArray[np.generic]], way: str) -> None:
        self.grammar = Grammar.unpacked(packed, way)
        self._rules = Rules(
            self.grammar, {rule: packed[f"{way}_{rule}"].astype(np.float32) for rule in RULES}
        )
        self._own = Table(packed, f"{way}_own")
        self._left = Table(packed, f"{way}_left")
        self._tag = {tag: k for k, tag in enumerate(self.grammar.tags)}

    def probabilities(
        self, words: Sequence[Sequence[str]], tags: Sequence[Sequence[str]]
    ) -> Floats:
        """Return the probability of each label [sentence, first word, length, label]."""
        features = span_features(words, tags)
        scores = score_spans(features, self.grammar, self._own.sums, self._left.sums)
        sizes = np.array([len(row) for row in words])
        numbers = np.zeros((len(words), int(sizes.max())), dtype=np.intp)
        for k, row in enumerate(tags):
            numbers[k, : len(row)] = [self._tag[tag] for tag in row]
        label: Floats = Chart(self._rules, scores, numbers, sizes).outside().label
        return label


def score_spans(features: SpanFeatures, grammar: Grammar, own: Sums, left: Sums) -> Scores:
    """Return the scores of all spans of a batch.

    Parameters
    ----------
    features : SpanFeatures
        The features of the batch.
    grammar : Grammar
        Its labels and categories are the columns of the weights.
    own, left : callable
        The sums of the weights of rows of features.

    """
    at = features
    batch, words = int(at.sentence.max()) + 1, int(at.length.max())
    labels, categories = len(grammar.labels), len(grammar.categories)
    scores = Scores(
        *(
            np.zeros((batch, words, words + 1, width), dtype=np.float32)
            for width in (labels, categories, categories)
        )
    )
    both = own(at.own_start)[at.start] + own(at.own_end)[at.end] + own(at.own_span)
    scores.label[at.sentence, at.first, at.length] = both[:, :labels]
    scores.state[at.sentence, at.first, at.length] = both[:, labels:]
    scores.left[at.sentence, at.first, at.length] = left(at.left_end)[at.end] + left(at.left_span)
    scores.clip()
    return scores


def best_brackets(label: Floats, words: int, grammar: Grammar, *, bar: float = BAR) -> list[Node]:
    """Return the nested brackets that gain most, in preorder; the first is the whole sentence.

    Parameters
    ----------
    label : array of float
        The probability of each label [first word, length, label].
    words : int
        The length of the sentence.
    grammar : Grammar
        What the labels consist of.
    bar : float
        What a bracket costs; the higher, the fewer there are.

    """
    gains = (label @ grammar.brackets - bar) @ grammar.brackets.T
    best, gain = gains.argmax(axis=2), gains.max(axis=2)
    by_start = np.zeros((words, words + 1))
    by_end = np.zeros((words + 1, words + 1))
    split = np.zeros((words, words + 1), dtype=np.intp)
    for length in range(1, words + 1):
        count = words - length + 1
        value = np.maximum(gain[:count, length], 0)
        if length > 1:
            both = by_start[:count, 1:length] + by_end[length : words + 1, length - 1 : 0 : -1]
            at = both.argmax(axis=1)
            split[:count, length] = at + 1
            value = value + both[np.arange(count), at]
        by_start[:count, length] = value
        by_end[length : words + 1, length] = value
    out: list[Node] = []
    waiting = [(0, words)]
    while waiting:
        first, length = waiting.pop()
        if gain[first, length] > 0 or length == words:
            out.append((int(best[first, length]), first, length))
        if length > 1:
            at = int(split[first, length])
            waiting += [(first + at, length - at), (first, at)]
    return out


def tree_of(
    brackets: Sequence[Node], words: Sequence[str], tags: Sequence[str], grammar: Grammar
) -> Tree:
    """Return the tree of nested brackets in preorder, with the root ROOT."""
    labels, parents, forms = ["ROOT"], [-1], list[str | None]([None])
    path = [(0, len(words))]  # nodes above, and where they end
    at = 0
    for label, first, length in [*brackets, (-1, len(words), 0)]:
        while at < first:
            while path[-1][1] <= at:
                path.pop()
            labels.append(tags[at])
            parents.append(path[-1][0])
            forms.append(words[at])
            at += 1
        if label < 0:
            break
        while path[-1][1] <= first:
            path.pop()
        for part in grammar.parts[label]:
            parents.append(path[-1][0])
            path.append((len(labels), first + length))
            labels.append(part)
            forms.append(None)
    return Tree(labels, parents, forms)
