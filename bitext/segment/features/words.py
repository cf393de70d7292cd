"""Bags of words of sentences, the weights of words by rarity, and a model of word probabilities."""

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
    "WordModel",
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


# A small language model of words: how surprising each sentence is after the training texts.
#
#     p(w) = (c(w) + 1) / (c + V)        p(w | h) = (c(h, w) + K p(w)) / (c(h) + K)
#
# with counts c, V different words (all unknown ones are one) and K = 5. A model that has seen a
# text finds it less surprising than others, so the features of a training text are of what the
# *other* training texts say (cross-fitting): its own counts are taken off before.

STEPS = 1024.0
"""Surprise is in whole parts of a bit, so that sums of it are exact."""

_PRIOR = 5.0  # K
_LEAST_COUNT = 2  # words and pairs that are rarer are as if not seen


class WordModel:
    """Counts of words and of pairs of neighbours in a sentence.

    Parameters
    ----------
    forms : sequence of str
        The known words, ascending: number 1 and up. 0 is any other word.
    counts : array of int64, shape (words + 1,)
        How often each word was there.
    pairs : array of int64
        The pairs, ascending: (first + 1) times (words + 1) plus second; first is -1 at the
        beginning of a sentence.
    times : array of int64
        How often each pair was there.
    sentences : int
        How many sentences had a word: c(h) of their beginning.

    """

    def __init__(
        self,
        forms: Sequence[str],
        counts: NDArray[np.int64],
        pairs: NDArray[np.int64],
        times: NDArray[np.int64],
        sentences: int,
    ) -> None:
        self.forms, self.counts, self.pairs, self.times = list(forms), counts, pairs, times
        self.sentences = sentences
        self._number = {form: k for k, form in enumerate(self.forms, start=1)}

    @classmethod
    def fit(cls, texts: Sequence[Tokens]) -> WordModel:
        """Count the words of texts, and then the pairs of those that are known."""
        total: dict[str, int] = {}
        for tokens in texts:
            often = np.bincount(tokens.ids, minlength=len(tokens.forms)).tolist()
            for form, times in zip(tokens.forms, often, strict=True):
                total[form] = total.get(form, 0) + times
        forms = sorted(form for form, times in total.items() if times >= _LEAST_COUNT)
        none = np.zeros(0, dtype=np.int64)
        empty = cls(forms, np.zeros(len(forms) + 1, dtype=np.int64), none, none, 0)
        counts, keys = empty.counts.copy(), [none]
        for tokens in texts:
            words, pairs = empty._numbers(tokens)
            counts += np.bincount(words, minlength=len(counts))
            keys.append(pairs)
        pairs, times = np.unique(np.concatenate(keys), return_counts=True)
        kept = times >= _LEAST_COUNT
        begun = sum(int((np.diff(tokens.ptr) > 0).sum()) for tokens in texts)
        return cls(forms, counts, pairs[kept], times[kept].astype(np.int64), begun)

    def _numbers(self, tokens: Tokens) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the number of each word, and the pair that it is the second of."""
        known = np.array([self._number.get(form, 0) for form in tokens.forms], dtype=np.int64)
        words = known[tokens.ids]
        before = np.full(len(words), -1, dtype=np.int64)
        before[1:] = words[:-1]
        before[tokens.ptr[:-1][np.diff(tokens.ptr) > 0]] = -1
        return words, (before + 1) * len(self.counts) + words

    def surprise(self, tokens: Tokens, *, held_out: bool = False) -> NDArray[np.int64]:
        """Return -log2 p of each word, in parts of a bit (`STEPS`).

        With `held_out` the text is one of the training texts, and its own counts are taken off.

        Examples
        --------
        >>> from bitext.segment.tokens import Tokens
        >>> told = Tokens(["the fog", "the fog", "the man"])
        >>> bits = WordModel.fit([told]).surprise(Tokens(["the fog", "fog the"])) / STEPS
        >>> bits.round(1).tolist()
        [0.6, 1.1, 2.3, 1.7]

        """
        words, pairs = self._numbers(tokens)
        size = len(self.counts)
        counts = self.counts
        begun = self.sentences
        own = np.zeros(len(words), dtype=np.int64)
        if held_out:
            counts = np.maximum(counts - np.bincount(words, minlength=size), 0)
            _, place, often = np.unique(pairs, return_inverse=True, return_counts=True)
            own = often[place]
            begun = max(0, begun - int((np.diff(tokens.ptr) > 0).sum()))
        single = (counts + 1.0) / (counts.sum() + size)
        times = np.zeros(len(words))
        if len(self.pairs):
            at = np.searchsorted(self.pairs, pairs).clip(max=len(self.pairs) - 1)
            found = np.where(self.pairs[at] == pairs, self.times[at], 0)
            times = np.maximum(found - own, 0).astype(np.float64)
        first = pairs // size - 1
        before = np.where(first < 0, begun, counts[first]).astype(np.float64)
        chance = (times + _PRIOR * single[words]) / (np.maximum(before, times) + _PRIOR)
        bits: NDArray[np.int64] = np.rint(-np.log2(chance) * STEPS).astype(np.int64)
        return bits
