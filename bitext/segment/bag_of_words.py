"""Bags of words of sentences, and the weights of words by how rare they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bitext.segment.columns import Bag
from bitext.segment.similarity import Counts

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from bitext.segment.tokens import Tokens

__all__ = ["RarityWeights", "bag", "counts_of", "joined", "shared_with_next"]

_STEPS = 4.0  # of a weight in one bit: weights are whole numbers, so that sums of them are exact


class RarityWeights:
    """Weights of words by rarity, as whole numbers: 4 log2((sentences + 1) / (those with it + 1)).

    Parameters
    ----------
    sentences : int
        How many were counted.
    found : mapping of str to int
        In how many of them each word was; a word that is not there was in one.

    Examples
    --------
    >>> weights = RarityWeights(7, {"the": 7, "fog": 1})
    >>> weights.of(["the", "fog", "unknown"]).tolist()
    [0.0, 8.0, 8.0]

    """

    def __init__(self, sentences: int, found: Mapping[str, int]) -> None:
        self.sentences = sentences
        self.found = dict(sorted(found.items()))

    def of(self, forms: Sequence[str]) -> NDArray[np.float64]:
        """Return the weight of each word."""
        times = np.array([self.found.get(form, 1) for form in forms], dtype=np.float64)
        ratio = (self.sentences + 1.0) / (times + 1.0)
        weights: NDArray[np.float64] = np.rint(_STEPS * np.log2(np.maximum(ratio, 1.0)))
        return weights


def counts_of(tokens: Tokens) -> Counts:
    """Return how often each word is in each sentence."""
    size = max(1, len(tokens.forms))
    keys, often = np.unique(tokens.sentence_of * size + tokens.ids, return_counts=True)
    ptr = np.searchsorted(keys, np.arange(tokens.n + 1) * size).astype(np.int64)
    return Counts(ptr, keys % size, often.astype(np.float64))


def joined(counts: Counts, by: int) -> Counts:
    """Return the sum of each row with the one `by` further on; alone where there is none."""
    n, size = len(counts.ptr) - 1, int(counts.ids.max(initial=0)) + 1
    row = np.repeat(np.arange(n), np.diff(counts.ptr))
    other = (row - by >= 0) & (row - by < n)
    keys = np.concatenate([row, row[other] - by]) * size
    keys += np.concatenate([counts.ids, counts.ids[other]])
    found, place = np.unique(keys, return_inverse=True)
    values = np.zeros(len(found))
    np.add.at(values, place, np.concatenate([counts.values, counts.values[other]]))
    ptr = np.searchsorted(found, np.arange(n + 1) * size).astype(np.int64)
    return Counts(ptr, found % size, values)


def bag(name: str, counts: Counts, forms: Sequence[str], scale: str = "unit") -> Bag:
    """Make rows of counts: of `unit` length, B / <B, B> as `printed`, or 1 a word (`binary`)."""
    if scale == "binary":
        return Bag(name, counts.ptr, counts.ids, np.ones(len(counts.ids)), forms)
    squares = counts.squares()
    length = squares if scale == "printed" else np.sqrt(squares)
    values = counts.values / np.repeat(length, np.diff(counts.ptr))
    return Bag(name, counts.ptr, counts.ids, values, forms)


def shared_with_next(counts: Counts) -> NDArray[np.float64]:
    """Return how many different words each sentence shares with the next; 0 for the last."""
    n = len(counts.ptr) - 1
    row = np.repeat(np.arange(n), np.diff(counts.ptr))
    # Words in order, each with its sentences: neighbours differ by one.
    keys = np.sort(counts.ids * (n + 1) + row)
    both = keys[:-1][np.diff(keys) == 1]
    return np.bincount(both % (n + 1), minlength=n).astype(np.float64)
