"""The max-margin training problem, with one block a text: loss, scores and feature differences.

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

from bitext.errors import InputError, many
from bitext.model import Segmentation
from bitext.option_names import remedy
from bitext.segment.semi_markov import decode, score_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bitext.segment.features.text import TextFeatures

__all__ = ["Block", "Problem", "Violation", "starts_of"]


class Violation(NamedTuple):
    """The segmentation of a text that violates the margin most.

    Attributes
    ----------
    starts : array of int64
        The first sentences of its paragraphs, ascending.
    violation : float
        loss(starts) + score(starts) - score(gold), or 0 where that is negative.
    nodes, edges : arrays
        The scores of the text under the weights, without the loss.
    gold : float
        The score of the gold paragraphs.

    """

    starts: NDArray[np.int64]
    violation: float
    nodes: NDArray[np.float64]
    edges: NDArray[np.float64]
    gold: float


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

    def __init__(self, features: TextFeatures, gold: NDArray[np.int64]) -> None:
        self.columns, self.features = features.local()
        self.gold = gold
        self.begins = np.zeros(features.n, dtype=np.bool_)
        self.begins[gold] = True

    def find(self, weights: NDArray[np.float64]) -> Violation:
        """Find the most violating segmentation, given the weights of `columns`."""
        nodes, edges, gold = self.scores(weights)
        starts, score = decode(nodes, edges, gold=self.gold)
        return Violation(starts, max(score - gold, 0.0), nodes, edges, gold)

    def scores(
        self, weights: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], float]:
        """Return the scores of nodes, of edges, and of the gold paragraphs."""
        nodes, edges = self.features.node_scores(weights), self.features.edge_scores(weights)
        return nodes, edges, score_of(nodes, edges, self.gold)

    def loss(self, starts: NDArray[np.int64]) -> int:
        """Count the inner boundaries that only one of the gold segmentation and `starts` has."""
        common = int(np.count_nonzero(self.begins[starts]))
        return len(self.gold) + len(starts) - 2 * common

    def difference(self, starts: NDArray[np.int64]) -> NDArray[np.float64]:
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
    """A training problem: the blocks of all texts, and the cost of their loss.

    Attributes
    ----------
    blocks : list of Block
        One for each text of two sentences or more; shorter texts have no inner boundary.
    size : int
        The number of weights.
    cost : float
        C, the weight of the loss of each text relative to 1/2 |w|^2.
    notes : list of str
        Notes on gold paragraphs that were cut.

    """

    blocks: list[Block]
    size: int
    cost: float
    notes: list[str]

    @classmethod
    def of(
        cls,
        features: Sequence[TextFeatures],
        golds: Sequence[Segmentation | Sequence[int] | NDArray[np.int64]],
        size: int,
        *,
        cost: float,
        names: Sequence[str] | None = None,
    ) -> Problem:
        """Build the problem from the features and the gold paragraphs of texts.

        Decoding never returns a paragraph of more than M sentences. A longer gold paragraph is
        therefore cut into the fewest parts of about equal length, with a note.

        Raises
        ------
        InputError
            When the numbers of texts and gold segmentations differ, or a gold segmentation does
            not fit its text.

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

    def primal(self, weights: NDArray[np.float64]) -> float:
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


def starts_of(
    gold: Segmentation | Sequence[int] | NDArray[np.int64], n: int, name: str = "the text"
) -> NDArray[np.int64]:
    """Return the first sentences of gold paragraphs as an array.

    The gold paragraphs are a segmentation, or the indices of their first sentences.

    Raises
    ------
    InputError
        When the paragraphs do not fit a text of n sentences.

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


def _cut(
    starts: NDArray[np.int64], n: int, longest: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Cut paragraphs of more than `longest` sentences; return all starts and those of long ones.

    A paragraph of L sentences becomes p = ceil(L / longest) parts; part k starts floor(k L / p)
    sentences after its first one.
    """
    lengths = np.diff(starts, append=n)
    long = starts[lengths > longest]
    if not long.size:
        return starts, long
    parts = -(-lengths // longest)
    which = np.arange(int(parts.sum())) - np.repeat(np.cumsum(parts) - parts, parts)
    shares = np.repeat(lengths, parts) * which // np.repeat(parts, parts)
    return np.repeat(starts, parts) + shares, long
