"""Likeness of neighbouring stretches of sentences, in time linear in the sentences.

A stretch of sentences is the sum of their bags of words. All that is asked of it, its length and
its products with what stands before and behind, are sums over a band of the Gram matrix of the
sentences: <x_a, x_(a+d)> for d up to the longest stretch. The band comes from dense blocks over the
words that occur in two sentences of the block; the sums are running sums along its rows, its
columns and its diagonals. Bags hold whole numbers, so all sums are exact, in any order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.lib.stride_tricks import as_strided

from bitext.kernels.one_thread import one_thread

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Counts", "cosine", "gram_band", "segment_products"]

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
