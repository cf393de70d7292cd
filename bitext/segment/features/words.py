"""Bags of words of sentences, and the weights of words by how rare they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.lib.stride_tricks import as_strided

from bitext.kernels.one_thread import one_thread
from bitext.segment.features.columns import Bag

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from bitext.segment.tokens import Tokens

__all__ = [
    "Counts",
    "RarityWeights",
    "bag",
    "cosine",
    "counts_of",
    "gram_band",
    "joined",
    "segment_products",
    "shared_with_next",
]


# Likeness of neighbouring stretches of sentences, in time linear in the sentences.
#
# A stretch of sentences is the sum of their bags of words. Its length and its products with the
# stretches before and after it are sums over a band of the Gram matrix of the sentences: <x_a,
# x_(a+d)> for d up to the longest stretch. The band comes from dense blocks over the words that
# occur in two sentences of the block; the sums are running sums along its rows, its columns and
# its diagonals. Bags hold whole numbers, so all sums are exact, in any order.

_BLOCK = 64  # sentences whose products are taken at once
_EXACT = 2.0**24


class Counts(NamedTuple):
    """Sparse rows of whole numbers: how often each word is in each sentence, times its weight.

    Attributes
    ----------
    ptr : array of int64, shape (n + 1,)
    ids : array of int64, shape (entries,)
        The words, ascending in a sentence, without repeats.
    values : array of float64, shape (entries,)
        Whole numbers.

    """

    ptr: NDArray[np.int64]
    ids: NDArray[np.int64]
    values: NDArray[np.float64]

    def squares(self) -> NDArray[np.float64]:
        """Return the squared length of each row."""
        total = np.concatenate([[0.0], np.cumsum(self.values**2)])
        found: NDArray[np.float64] = total[self.ptr[1:]] - total[self.ptr[:-1]]
        return found


def gram_band(counts: Counts, first: int, last: int, width: int) -> NDArray[np.float64]:
    """Return <x_a, x_(a+d)> for sentences a from `first` to `last` and d from 0 to `width`.

    Sentences outside of the text have no words. Shape (last - first, width + 1).
    """
    n = len(counts.ptr) - 1
    band = np.zeros((last - first, width + 1))
    squares = counts.squares()
    # No sum exceeds the greatest square: below 2^24 single precision is exact, and twice as fast.
    kind = np.float32 if squares.max(initial=0.0) < _EXACT else np.float64
    for begin in range(max(0, first), min(n, last), _BLOCK):
        end = min(begin + _BLOCK, last, n)
        stop = min(end + width, n)
        entries = slice(counts.ptr[begin], counts.ptr[stop])
        _, column, often = np.unique(counts.ids[entries], return_inverse=True, return_counts=True)
        shared = often > 1
        number = np.cumsum(shared) - 1
        kept = shared[column]
        row = np.repeat(np.arange(stop - begin), np.diff(counts.ptr[begin : stop + 1]))[kept]
        dense = np.zeros((end - begin + width, int(shared.sum())), dtype=kind)
        dense[row, number[column[kept]]] = counts.values[entries][kept]
        with one_thread():
            product = dense[: end - begin] @ dense.T
        down, right = product.strides
        band[begin - first : end - first] = as_strided(
            product, (end - begin, width + 1), (down + right, right)
        )
    inner = slice(max(0, first), max(0, min(n, last)))
    band[inner.start - first : inner.stop - first, 0] = squares[inner]
    return band


class SegmentProducts(NamedTuple):
    """Of the stretches of L = 1 .. width sentences that end with each sentence.

    Attributes
    ----------
    squares : array of float64, shape (rows, width)
        The squared length of the stretch of L sentences in column L - 1.
    before : array of float64, shape (rows, width)
        Its product with the sentence before it.
    after : array of float64, shape (rows, width)
        Its product with the sentence behind it.
    single : array of float64, shape (rows + width + 1,)
        The squared length of each sentence, from `width` before the first row to one behind the
        last.

    """

    squares: NDArray[np.float64]
    before: NDArray[np.float64]
    after: NDArray[np.float64]
    single: NDArray[np.float64]


def segment_products(counts: Counts, first: int, last: int, width: int) -> SegmentProducts:
    """Return the products of all stretches that end with the sentences from `first` to `last`.

    Cost and memory are linear in (last - first) times width, beside the products themselves.
    """
    rows = last - first
    # Row k of the band is sentence first - width + k; there are `width` empty ones above.
    band = gram_band(counts, first - width, last + 1, width)
    padded = np.concatenate([np.zeros((width, width + 1)), band])
    back = _rising(padded, width, len(band), width + 1)  # back[k, d] = <x_(k-d), x_k>
    behind = np.cumsum(back[width + 1 :, 1:], axis=1)
    ahead = np.cumsum(band[:, 1:], axis=1)
    # A stretch is longer by sentence k, and then has d others before k: its square grows by this.
    growth = np.zeros((len(band) + width, width))
    growth[: len(band)] = back[:, :-1]
    growth[:, 1:] *= 2.0
    np.cumsum(growth, axis=1, out=growth)
    down, right = growth.strides
    falling = as_strided(growth, (len(band), width), (down, down + right))
    squares = np.cumsum(falling, axis=1)  # [k, L - 1] of the stretch of L from k
    return SegmentProducts(
        squares=_rising(squares, width, rows, width),
        before=_rising(ahead, width - 1, rows, width),
        after=behind,
        single=band[:, 0],
    )


def _rising(
    values: NDArray[np.float64], first: int, rows: int, columns: int
) -> NDArray[np.float64]:
    """Return the array whose cell [k, d] is `values[first + k - d, d]`; a view."""
    down, right = values.strides
    return as_strided(values[first:], (rows, columns), (down, right - down))


def cosine(
    product: NDArray[np.float64], one: NDArray[np.float64], other: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the cosine from the product and the two squared lengths; 0 where one is 0."""
    scale = np.sqrt(one * other)
    found: NDArray[np.float64] = np.divide(
        product, scale, out=np.zeros_like(scale), where=scale > 0
    )
    return found


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
    """Count each word in each sentence."""
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
    """Count the different words that each sentence shares with the next; 0 for the last."""
    n = len(counts.ptr) - 1
    row = np.repeat(np.arange(n), np.diff(counts.ptr))
    # Words in order, each with its sentences: neighbours differ by one.
    keys = np.sort(counts.ids * (n + 1) + row)
    both = keys[:-1][np.diff(keys) == 1]
    return np.bincount(both % (n + 1), minlength=n).astype(np.float64)
