"""Semi-Markov models: inference, and the max-margin training problem.

Inference in semi-Markov models: the best segmentation, the k best, and boundary marginals.

The score of a segmentation of n sentences is the sum of the scores of its inner boundaries
(`nodes`, indexed by the sentence that begins a paragraph) and of its paragraphs (`edges`). Cell
(i, c) of `edges` is the paragraph of M - c sentences that ends with sentence i. If that
paragraph would begin before the text, the cell is minus infinity or any finite number.

Source: Shi, Altun, Smola and Vishwanathan 2007, section 2.4; Sarawagi and Cohen 2004.

The max-margin training problem, with one block a text: loss, scores and feature differences.

Weights w minimise 1/2 |w|^2 + C sum over texts of max over y of [loss(y) - <w, difference(y)>],
where difference(y) = features(gold) - features(y) and the loss counts the inner boundaries that
only one of gold and y has. Source: Shi, Altun, Smola and Vishwanathan 2007, equation 4, where `Phi`
is read as the difference (with the sign printed there, w would move towards violating
segmentations); C is per text.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bitext.errors import InputError, many, remedy
from bitext.model import Segmentation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike

    from bitext.kernels.arrays import Floats, Ints
    from bitext.segment.features.text import TextFeatures


def decode(
    nodes: ArrayLike, edges: ArrayLike, *, gold: Sequence[int] | Ints | None = None
) -> tuple[Ints, float]:
    """Find the segmentation with the highest score.

    T_0 = 0, and T_i is the maximum over max(i - M, 0) <= j < i of T_j + nodes[j] + edge(j, i); ties
    go to the smallest j, which is the longest paragraph. The time is linear in n and in M.

    Parameters
    ----------
    nodes : array of float, shape (n,)
        The score of each sentence as the beginning of a paragraph; that of the first sentence does
        not count.
    edges : array of float, shape (n, M)
        The score of each paragraph of up to M sentences.
    gold : array of int, optional
        The first sentences of the gold paragraphs. If given, the loss is added to the score: the
        number of inner boundaries that only one of the two segmentations has.

    Returns
    -------
    starts : array of int64
        The first sentences of the paragraphs, ascending, with 0; empty for an empty text.
    score : float
        The score of the segmentation, the loss included; 0 for an empty text.

    Examples
    --------
    >>> edges = [[-np.inf, 0.0], [1.0, 0.0], [3.0, 0.0]]
    >>> decode([0.0, 1.0, 2.0], edges)
    (array([0, 1]), 4.0)
    >>> decode([0.0, 1.0, 2.0], edges, gold=[0, 1])
    (array([0, 2]), 5.0)

    """
    gains, cells, constant = _prepared(nodes, edges, gold)
    n, longest = cells.shape
    if not n:
        return np.zeros(0, dtype=np.int64), 0.0
    # totals[j + M] is the best score of the sentences before j, with the boundary at j. M cells of
    # minus infinity before the text give every sentence a window of M cells.
    totals = np.full(n + longest, -np.inf)
    totals[longest] = 0.0
    later = totals.data[longest + 1 :]  # a memoryview stores a single number faster than an array
    steps = [*gains[1:].tolist(), 0.0]
    back = [0] * n
    room = np.empty(longest)
    add, largest, item = np.add, room.argmax, room.item
    best = 0.0
    for i, (row, window) in enumerate(zip(cells, _windows(totals, n, longest), strict=True)):
        add(row, window, room)
        back[i] = at = int(largest())
        best = item(at)
        if i < n - 1:
            later[i] = best + steps[i]
    starts, end = [], n
    while end:
        end += back[end - 1] - longest
        starts.append(end)
    return np.array(starts[::-1], dtype=np.int64), best + constant


def k_best(nodes: ArrayLike, edges: ArrayLike, k: int) -> list[tuple[Ints, float]]:
    """Return the k best segmentations, all different, with their scores, best first.

    Ties go to the segmentation whose last paragraph begins earlier, then to the one whose last
    paragraph but one does, and so on: the first segmentation is that of `decode`. There are fewer
    than k for texts with fewer segmentations, and none for an empty text. The time is
    O(n M k log(M k)).

    Examples
    --------
    >>> edges = [[-np.inf, 0.0], [1.0, 0.0], [3.0, 0.0]]
    >>> [(starts.tolist(), score) for starts, score in k_best([0.0, 1.0, 2.0], edges, 9)]
    [([0, 1], 4.0), ([0, 2], 3.0), ([0, 1, 2], 3.0)]

    """
    gains, cells, _ = _prepared(nodes, edges, None)
    n, longest = cells.shape
    if not n or k < 1:
        return []
    totals = np.full((n + longest, k), -np.inf)
    totals[longest, 0] = 0.0
    back = np.zeros((n, k), dtype=np.int64)  # the best predecessors, as cell * k + rank
    scores = np.zeros(k)
    for i in range(n):
        together = (cells[i, :, None] + totals[i + 1 : i + 1 + longest]).ravel()
        # A stable sort puts the earlier beginning first among ties, then the better rank.
        order = np.argsort(-together, kind="stable")[:k]
        scores = np.full(k, -np.inf)
        scores[: len(order)] = together[order]
        back[i, : len(order)] = order
        if i < n - 1:
            totals[i + 1 + longest] = scores + gains[i + 1]
    answers = []
    for rank in range(int(np.count_nonzero(scores > -np.inf))):
        starts, end, place = [], n, rank
        while end:
            cell, place = divmod(int(back[end - 1, place]), k)
            end += cell - longest
            starts.append(end)
        answers.append((np.array(starts[::-1], dtype=np.int64), float(scores[rank])))
    return answers


def marginals(nodes: ArrayLike, edges: ArrayLike) -> Floats:
    """Return the probability that each sentence begins a paragraph, shape (n,).

    The probability of a segmentation is exp(score), divided by the sum of exp(score) over all
    segmentations. The forward-backward algorithm works in logarithms, so that large scores do not
    overflow. The probability of the first sentence is 1. The time is linear in n and in M.

    Examples
    --------
    >>> edges = [[-np.inf, 0.0], [0.0, 0.0], [0.0, 0.0]]
    >>> marginals(np.log([1, 1, 2]), edges).round(6).tolist()
    [1.0, 0.6, 0.8]

    """
    gains, cells, _ = _prepared(nodes, edges, None)
    n, longest = cells.shape
    if not n:
        return np.zeros(0)
    # before[j + M] is the log-sum of the sentences before j, with the boundary at j.
    before = np.full(n + longest, -np.inf)
    before[longest] = 0.0
    total = 0.0
    for i, (row, window) in enumerate(zip(cells, _windows(before, n, longest), strict=True)):
        total = _log_sum(row + window)
        if i < n - 1:
            before[i + 1 + longest] = total + gains[i + 1]
    # The paragraphs that begin with sentence j are a diagonal of the cells: a paragraph of t more
    # sentences is t rows down and t cells to the left.
    padded = np.full((n + longest, longest), -np.inf)
    padded[:n] = cells
    step = padded.itemsize
    begun: Floats = np.ndarray(
        (n, longest),
        padded.dtype,
        padded,
        offset=(longest - 1) * step,
        strides=(longest * step, (longest - 1) * step),
    )
    # after[j] is the log-sum of the sentences from j on, with the boundary at j.
    after = np.full(n + longest, -np.inf)
    after[n] = 0.0
    for j in range(n - 1, -1, -1):
        after[j] = _log_sum(begun[j] + after[j + 1 : j + 1 + longest])
        if j:
            after[j] += gains[j]
    # Both log-sums include the boundary at j: subtract its score once.
    chances = np.exp(before[longest:] - gains + after[:n] - total)
    chances[0] = 1.0
    bounded: Floats = np.minimum(chances, 1.0)
    return bounded


def score_of(nodes: Floats, edges: Floats, starts: Ints) -> float:
    """Return the score of a segmentation, given by the first sentences of its paragraphs."""
    n, longest = edges.shape
    ends = np.append(starts[1:], n)[: len(starts)]
    return float(nodes[starts[1:]].sum() + edges[ends - 1, longest - ends + starts].sum())


def _prepared(
    nodes: ArrayLike, edges: ArrayLike, gold: Sequence[int] | Ints | None
) -> tuple[Floats, Floats, float]:
    """Return the scores as arrays, and the constant part of the loss.

    The loss is the number of gold boundaries, plus 1 for each boundary outside gold, minus 1 for
    each boundary of gold that the segmentation has: it is a sum over nodes and a constant.
    """
    gains = np.array(nodes, dtype=np.float64)
    cells = np.ascontiguousarray(edges, dtype=np.float64).reshape(len(gains), np.shape(edges)[-1])
    gains[:1] = 0.0
    if gold is None:
        return gains, cells, 0.0
    starts = np.asarray(gold, dtype=np.int64)
    inner = starts[starts > 0]
    gains[1:] += 1.0
    gains[inner] -= 2.0
    return gains, cells, float(len(inner))


def _windows(totals: Floats, n: int, longest: int) -> Floats:
    """Return a view with the M totals before the end of each sentence, where paragraphs begin."""
    step = totals.itemsize
    return np.ndarray((n, longest), totals.dtype, totals, offset=step, strides=(step, step))


def _log_sum(values: Floats) -> float:
    top = values.max()
    return float(top + np.log(np.exp(values - top).sum()))


# The max-margin training problem, with one block a text: loss, scores and feature differences.


class Violation(NamedTuple):
    """The segmentation of a text that violates the margin most."""

    starts: Ints  # the first sentences of its paragraphs, ascending
    violation: float  # loss(starts) + score(starts) - score(gold), or 0 if that is negative
    # `nodes`, `edges`: the scores of the text under the weights, without the loss.
    nodes: Floats
    edges: Floats
    gold: float  # the score of the gold paragraphs


class Block:
    """A training text: its gold paragraphs, and its features over the columns that occur in it.

    Attributes
    ----------
    columns : array of int64
        The indices of the weights whose features occur in the text, ascending.
    features : TextFeatures
        The features of the text, indexed by position in `columns`.
    gold : array of int64
        The first sentences of the gold paragraphs, ascending.

    """

    def __init__(self, features: TextFeatures, gold: Ints) -> None:
        self.columns, self.features = features.local()
        self.gold = gold
        self.begins = np.zeros(features.n, dtype=np.bool_)
        self.begins[gold] = True

    def find(self, weights: Floats) -> Violation:
        """Find the most violating segmentation, given the weights of `columns`."""
        nodes, edges, gold = self.scores(weights)
        starts, score = decode(nodes, edges, gold=self.gold)
        return Violation(starts, max(score - gold, 0.0), nodes, edges, gold)

    def scores(self, weights: Floats) -> tuple[Floats, Floats, float]:
        """Return the scores of nodes, of edges, and of the gold paragraphs."""
        nodes, edges = self.features.node_scores(weights), self.features.edge_scores(weights)
        return nodes, edges, score_of(nodes, edges, self.gold)

    def loss(self, starts: Ints) -> int:
        """Count the inner boundaries that only one of the gold segmentation and `starts` has."""
        common = int(np.count_nonzero(self.begins[starts]))
        return len(self.gold) + len(starts) - 2 * common

    def difference(self, starts: Ints) -> Floats:
        """Return the features of the gold paragraphs minus those of `starts`, by column."""
        totals = np.zeros(len(self.columns))
        others = np.zeros_like(self.begins)
        others[starts] = True
        apart = np.flatnonzero(self.begins != others)
        self.features.add_nodes(totals, apart, np.where(self.begins[apart], 1.0, -1.0))
        firsts = np.concatenate([self.gold, starts])
        ends = np.concatenate([self.gold[1:], [self.features.n], starts[1:], [self.features.n]])
        factors = np.ones(len(firsts))
        factors[len(self.gold) :] = -1.0
        self.features.add_edges(totals, firsts, ends, factors)
        return totals


@dataclass
class Problem:
    """A training problem: the blocks of all texts, and the cost of their loss."""

    # One for each text of two sentences or more; shorter texts have no inner boundary.
    blocks: list[Block]
    size: int  # the number of weights
    cost: float  # C, the weight of the loss of each text relative to 1/2 |w|^2
    notes: list[str]  # notes on gold paragraphs that were cut

    @classmethod
    def of(
        cls,
        features: Sequence[TextFeatures],
        golds: Sequence[Segmentation | Sequence[int] | Ints],
        size: int,
        *,
        cost: float,
        names: Sequence[str] | None = None,
    ) -> Problem:
        """Build the problem from the features and the gold paragraphs of texts.

        Decoding never returns a paragraph of more than M sentences. A longer gold paragraph is
        therefore cut into the fewest parts of about equal length, with a note.

        Raises `InputError` when the numbers of texts and gold segmentations differ, or a gold
        segmentation does not fit its text.
        """
        if len(features) != len(golds):
            raise InputError(f"{many(len(features), 'text')} and {len(golds)} gold segmentations")
        blocks, notes = [], []
        for k, (text, gold) in enumerate(zip(features, golds, strict=True)):
            name = names[k] if names is not None else f"text {k}"
            starts = starts_of(gold, text.n, name)
            if text.n < 2:
                continue
            fitting, long = _cut(starts, text.n, text.longest)
            if long.size:
                notes.append(
                    f"{name}: {long.size} gold paragraphs have more than {text.longest} sentences, "
                    f"the first from sentence {long[0]} on: cut for training; "
                    f"a greater longest paragraph ({remedy('longest')}) keeps them whole"
                )
            blocks.append(Block(text, fitting))
        return cls(blocks, size, float(cost), notes)

    def primal(self, weights: Floats) -> float:
        """Return the primal objective of `weights`; decodes each text once."""
        total = sum(block.find(weights[block.columns]).violation for block in self.blocks)
        return float(0.5 * (weights @ weights) + self.cost * total)

    def fingerprint(self) -> str:
        """Return a hash of the features, the gold paragraphs and the cost."""
        sign = blake2b(f"{self.size} {self.cost!r}".encode(), digest_size=16)
        for block in self.blocks:
            text = block.features
            for array in (block.columns, block.gold, *text.nodes):
                sign.update(array.tobytes())
            for first, bins, values in text.edges:
                sign.update(f"{first} {text.longest}".encode())
                for cells in (bins, values):
                    sign.update(b"" if cells is None else cells.tobytes())
        return sign.hexdigest()


def starts_of(gold: Segmentation | Sequence[int] | Ints, n: int, name: str = "the text") -> Ints:
    """Return the first sentences of gold paragraphs as an array.

    The gold paragraphs are a segmentation, or the indices of their first sentences.

    Raises `InputError` when the paragraphs do not fit a text of n sentences.
    """
    if isinstance(gold, Segmentation):
        if gold.n != n:
            raise InputError(f"{name}: paragraphs over {many(gold.n, 'sentence')}, but it has {n}")
        return np.concatenate([[0], gold.boundaries])
    starts = np.asarray(gold, dtype=np.int64)
    fits = starts.ndim == 1 and (starts.size == 0) == (n == 0)
    if not fits or (n and (starts[0] or starts[-1] >= n or (np.diff(starts) <= 0).any())):
        raise InputError(
            f"{name}: {gold!r:.60} are no first sentences of paragraphs: "
            f"want 0 and ascending numbers below {n}"
        )
    return starts


def _cut(starts: Ints, n: int, longest: int) -> tuple[Ints, Ints]:
    """Cut paragraphs of more than `longest` sentences; return all starts and those of long ones.

    A paragraph of L sentences becomes p = ceil(L / longest) parts; part k starts floor(k L / p)
    sentences after its first one.
    """
    lengths = np.diff(starts, append=n)
    long = starts[lengths > longest]
    if not long.size:
        return starts, long
    parts = -(-lengths // longest)
    part_number = np.arange(int(parts.sum())) - np.repeat(np.cumsum(parts) - parts, parts)
    shares = np.repeat(lengths, parts) * part_number // np.repeat(parts, parts)
    return np.repeat(starts, parts) + shares, long
