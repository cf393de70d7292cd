"""The analysis of one text for the feature groups, and its features for training and decoding.

Words come as bags of sentences, with weights by rarity, and in a bigram model.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np
from numpy.lib.stride_tricks import as_strided
from numpy.typing import NDArray

from bitext.errors import InputError
from bitext.kernels.arrays import Bools, Floats, Ints, Singles, divided, matrix_product, ranges
from bitext.kernels.one_thread import one_thread
from bitext.segment.features import Bag
from bitext.segment.tokens import Punctuation, Tokens, punctuation

if TYPE_CHECKING:
    from bitext.model import Text

# The features of one text, as training and decoding use them.
#
# The score of a segmentation of n sentences into paragraphs (Shi, Altun, Smola and Vishwanathan
# 2007, section 2) is the sum of a *node* score for each sentence but the first that begins a
# paragraph, and an *edge* score for each paragraph. Both are linear in the weights.


class NodeRows(NamedTuple):
    """Sparse rows: the features of sentence k are `ptr[k]:ptr[k+1]` of `idx` and `values`."""

    ptr: Ints  # shape (n + 1,)
    # Numbers of weights; ascending within a row, without repeats. Shape (entries,).
    idx: Ints
    values: Floats  # shape (entries,)


class EdgeColumn(NamedTuple):
    """One feature of all possible paragraphs of a text, in bins or as a number.

    Cell (i, c) is the paragraph of M - c sentences that ends with sentence i: the longest come
    first. Cells that reach back before the first sentence have arbitrary values.
    """

    first: int  # the number of the weight of the feature, or of its first bin
    # The bin of each paragraph; the number of its weight is `first` plus the bin. Shape (n, M).
    bins: NDArray[np.uint8] | None = None
    # The value of each paragraph, a factor of the weight `first`. Either `bins` or `values` is
    # given. Shape (n, M).
    values: Singles | None = None


# Greatest number of sums in the table that columns of bins share; set by hand: 16 KiB of float64
# stay in the first-level cache of a processor.
_TABLE = 2048


class _Lookup(NamedTuple):
    """Columns of bins with one table of sums, whose indices are `codes`, (n, M) or (M,)."""

    codes: NDArray[np.uint16]
    parts: tuple[tuple[int, int], ...]  # the first weight and the number of bins of each

    def table(self, weights: Floats) -> Floats:
        """Return the sum of weights for each code."""
        sums = np.zeros(1)
        for first, size in self.parts:
            sums = np.add.outer(sums, weights[first : first + size]).ravel()
        return sums


class TextFeatures:
    """The features of one text of n sentences, with paragraphs of up to M.

    The arrays must not be changed: lookups derived from them are cached.

    Parameters
    ----------
    nodes : NodeRows
        The features of a boundary before each sentence. The row of the first sentence is ignored,
        as it always begins a paragraph.
    edges : sequence of EdgeColumn
        The features of each possible paragraph.
    longest : int
        M, the length of the longest paragraph, in sentences; at least 1.

    """

    def __init__(self, nodes: NodeRows, edges: Sequence[EdgeColumn], longest: int) -> None:
        self.nodes, self.edges, self.longest = nodes, tuple(edges), longest
        self.n = len(nodes.ptr) - 1

    def node_scores(self, weights: Floats) -> Floats:
        """Return the score of each sentence as the beginning of a paragraph; 0 for the first."""
        scores = np.zeros(self.n)
        rows = self._rows
        if len(rows):
            parts = np.take(weights, self.nodes.idx) * self.nodes.values
            # Sum row by row: a cumulative sum over the text would lose precision.
            scores[rows] = np.add.reduceat(parts, self.nodes.ptr[rows])
        scores[:1] = 0.0
        return scores

    def edge_scores(self, weights: Floats) -> Floats:
        """Return the score of each paragraph, shape (n, M); minus infinity for impossible ones."""
        scores = np.zeros((self.n, self.longest))
        room = np.empty_like(scores)
        for lookup in self.lookups:
            if lookup.codes.ndim == 1:
                scores += lookup.table(weights)[lookup.codes]
            else:  # clipping is faster than a check of bounds, and all codes are in the table
                scores += np.take(lookup.table(weights), lookup.codes, out=room, mode="clip")
        for column in self.edges:
            if column.values is not None:
                scores += np.multiply(column.values, weights[column.first], out=room)
        head = self._none
        scores[: len(head)][head] = -np.inf
        return scores

    def add_nodes(self, totals: Floats, sentences: Ints, factors: Floats) -> None:
        """Add the node features of sentences to `totals`, times the factor of each sentence."""
        begins = self.nodes.ptr[sentences]
        sizes = self.nodes.ptr[sentences + 1] - begins
        places = ranges(begins, sizes)
        values = self.nodes.values[places] * np.repeat(factors, sizes)
        _add(totals, self.nodes.idx[places], values)

    def add_edges(self, totals: Floats, starts: Ints, ends: Ints, factors: Floats) -> None:
        """Add the edge features of paragraphs [start, end) to `totals`, times their factors."""
        cells = (ends - 1, self.longest - (ends - starts))
        for column in self.edges:
            if column.bins is not None:
                sums = np.bincount(column.bins[cells], weights=factors)
                totals[column.first : column.first + len(sums)] += sums
            elif column.values is not None:
                totals[column.first] += float(column.values[cells] @ factors)

    def local(self) -> tuple[Ints, TextFeatures]:
        """Return the numbers of the weights of this text, ascending, and renumbered features.

        Arrays of weights then have the size that one text needs, not the size of the model.
        """
        ranges = [np.arange(c.first, c.first + size) for c, size in self._sizes]
        known, idx = np.unique(np.concatenate([self.nodes.idx, *ranges]), return_inverse=True)
        nodes = NodeRows(self.nodes.ptr, idx[: len(self.nodes.idx)], self.nodes.values)
        edges = [
            column._replace(first=int(np.searchsorted(known, column.first)))
            for column in self.edges
        ]
        text = TextFeatures(nodes, edges, self.longest)
        text.__dict__.update(_rows=self._rows, _none=self._none)
        return known, text

    @cached_property
    def _rows(self) -> Ints:
        return np.flatnonzero(np.diff(self.nodes.ptr))

    @cached_property
    def _none(self) -> Bools:
        """A mask of the cells of the first sentences that reach back before the text."""
        rows = np.arange(min(self.n, self.longest - 1))
        lengths = self.longest - np.arange(self.longest)
        return lengths[None, :] > rows[:, None] + 1

    @cached_property
    def _sizes(self) -> list[tuple[EdgeColumn, int]]:
        """Each edge column with the number of its weights that the text can use."""
        sizes = []
        for column in self.edges:
            size = 1
            if column.bins is not None:
                bins, head = column.bins, len(self._none)
                tail = int(bins[head:].max(initial=0))
                size = 1 + max(tail, int(bins[:head].max(initial=0, where=~self._none)))
            sizes.append((column, size))
        return sizes

    @cached_property
    def lookups(self) -> list[_Lookup]:
        """The columns of bins, grouped by table; columns of the length alone are not grouped."""
        lookups: list[_Lookup] = []
        for column, size in self._sizes:
            if column.bins is None or not self.n:
                continue
            bins = column.bins
            if self.n > 1 and (bins[1:] == bins[0]).all():
                codes = np.minimum(bins[0], size - 1, dtype=np.uint16)
                lookups.append(_Lookup(codes, ((column.first, size),)))
                continue
            codes = np.minimum(bins, size - 1, dtype=np.uint16)
            part = (column.first, size)
            # Join the first table that has room for the column, else begin a new one.
            for k, known in enumerate(lookups):
                cells = size
                for _, other in known.parts:
                    cells *= other
                if known.codes.ndim == 2 and cells <= _TABLE:
                    together = known.codes * np.uint16(size) + codes
                    lookups[k] = _Lookup(together, (*known.parts, part))
                    break
            else:
                lookups.append(_Lookup(codes, (part,)))
        return lookups


def _add(totals: Floats, idx: Ints, values: Floats) -> None:
    """Add values to totals at indices, of which any may be repeated."""
    if len(totals) < 4 * len(idx):
        totals += np.bincount(idx, weights=values, minlength=len(totals))
    else:
        np.add.at(totals, idx, values)


T = TypeVar("T")


class Background(NamedTuple):
    """Background statistics of words, from training texts."""

    rarity: RarityWeights | None = None
    words: WordModel | None = None


NO_BACKGROUND = Background()

WIDEST = 8
"""Sentences on each side of the widest blocks that `topic_shift` compares; set by hand."""

BLOCK = 4096
"""Sentences whose paragraphs are processed at once; set by hand: some tens of MB of memory."""


class TextView:
    """The analysis of n sentences, each part computed on first use.

    Parameters
    ----------
    longest : int
        M, the length of the longest paragraph, in sentences.
    background : Background, optional
        The weights of words in similarities, and a model of word probabilities. Default: all words
        have weight 1, and none has surprisal.
    bags : {"unit", "binary", "printed"}, optional
        The scaling of bags of words.
    held_out : bool, optional
        Whether the background contains the counts of this text, which are then subtracted from the
        model of word probabilities.
    at_once : int, optional
        The number of sentences of a block, whose paragraphs are processed together.

    """

    def __init__(
        self,
        sentences: Sequence[str],
        longest: int,
        *,
        background: Background = NO_BACKGROUND,
        bags: str = "unit",
        held_out: bool = False,
        at_once: int = BLOCK,
    ) -> None:
        self._at_once = at_once
        self.tokens = Tokens(sentences)
        self.n, self.longest, self.bags = len(sentences), longest, bags
        self._background, self._held_out = background, held_out
        self._found: dict[Callable[[TextView], Any], Any] = {}
        self._products: tuple[int, int, SegmentProducts] | None = None

    @classmethod
    def of(
        cls,
        text: Text,
        longest: int,
        bags: str,
        background: Background,
        *,
        held_out: bool = False,
        at_once: int = BLOCK,
    ) -> TextView:
        """Return the view of a text, with bags scaled as in `FeatureOptions.bag`.

        Raises `InputError` when the text has identifiers only.
        """
        if not text.has_text and len(text):
            raise InputError(f"{text.name or 'the text'} is known by ids only: give its characters")
        return cls(
            list(text.segments()),
            longest,
            background=background,
            bags=bags,
            held_out=held_out,
            at_once=at_once,
        )

    def once(self, ask: Callable[[TextView], T]) -> T:
        """Return the result of a function of this view, which is called only once."""
        if ask not in self._found:
            self._found[ask] = ask(self)
        result: T = self._found[ask]
        return result

    @cached_property
    def marks(self) -> Punctuation:
        """The quotation marks of the text, and the beginnings and ends of its sentences."""
        return punctuation(self.tokens)

    @cached_property
    def counts(self) -> Counts:
        """The counts of words in each sentence."""
        return counts_of(self.tokens)

    @cached_property
    def weighted(self) -> Counts:
        """The counts times the weights of the words."""
        if self._background.rarity is None:
            return self.counts
        weights = self._background.rarity.of(self.tokens.forms)
        return self.counts._replace(values=self.counts.values * weights[self.counts.ids])

    @cached_property
    def words(self) -> Ints:
        """The number of words of each sentence."""
        return np.diff(self.tokens.ptr)

    @cached_property
    def surprise(self) -> Ints:
        """The sum of the surprisal of the words of each sentence, in units of 1/`STEPS` bit."""
        if self._background.words is None:
            return np.zeros(self.n, dtype=np.int64)
        of_words = self._background.words.surprise(self.tokens, held_out=self._held_out)
        total = np.concatenate([[0], np.cumsum(of_words)])
        return np.diff(total[self.tokens.ptr])

    @cached_property
    def spoken(self) -> Ints:
        """The number of words of each sentence in quotation."""
        inside = np.concatenate([[0], np.cumsum(self.word_spoken)])
        counts: Ints = inside[self.tokens.ptr[1:]] - inside[self.tokens.ptr[:-1]]
        return counts

    @cached_property
    def word_spoken(self) -> Bools:
        """A mask of the words in quotation."""
        marks = self.marks.marks
        depths = np.concatenate([[0], marks.depths])
        return depths[np.searchsorted(marks.places, self.tokens.begins)] > 0

    def products(self, first: int, last: int) -> SegmentProducts:
        """Return the products of stretches that end with the sentences from `first` to `last`.

        `WIDEST` more rows are for stretches that end after the block or the text. Stretches have up
        to M sentences, or twice `WIDEST` if that is more.
        """
        if self._products is None or self._products[:2] != (first, last):
            width = max(self.longest, 2 * WIDEST)
            products = segment_products(self.weighted, first, last + WIDEST, width)
            self._products = (first, last, products)
        return self._products[2]

    def blocks(self) -> list[tuple[int, int]]:
        """Return the half-open ranges of the blocks of sentences that are processed together."""
        return [
            (begin, min(begin + self._at_once, self.n)) for begin in range(0, self.n, self._at_once)
        ]

    @cached_property
    def stretch_squares(self) -> Floats:
        """The squared lengths of stretches of 1, 2, 4, 8 and 16 sentences, by their last sentence.

        Shape (5, n + 2 WIDEST): stretches that end with sentence e are in column e + WIDEST.
        """
        sizes = [1, 2, 4, 8, 16]
        out = np.zeros((len(sizes), self.n + 2 * WIDEST))
        for first, last in self.blocks():
            squares = self.products(first, last).squares[:, [size - 1 for size in sizes]]
            out[:, first + WIDEST : last + 2 * WIDEST] = squares.T
        return out

    @cached_property
    def first_products(self) -> Floats:
        """The inner product of each sentence with the sentence before; 0 for the first."""
        parts = [
            self.products(first, last).before[: last - first, 0] for first, last in self.blocks()
        ]
        return np.concatenate([np.zeros(0), *parts])


# Similarity of neighbouring stretches of sentences, in time linear in the number of sentences.
#
# The vector of a stretch is the sum of the bags of words of its sentences. Its squared length and
# its inner products with the sentences before and after are sums over a band of the Gram matrix of
# the sentences: <x_a, x_(a+d)> for d up to the longest stretch. The band is computed in dense
# blocks, over the words of two sentences or more of the block; the sums are cumulative sums along
# rows, columns and diagonals. Bags contain integers, so all sums are exact in any order.

_SENTENCES_AT_ONCE = 64  # sentences whose products are computed at once; set by hand
_EXACT_FLOAT32 = 2.0**24  # integers up to here are exact in float32


class Counts(NamedTuple):
    """Sparse rows of integers: the count of each word in each sentence, times its weight."""

    ptr: Ints  # shape (n + 1,)
    # Word numbers, ascending within a sentence, without repeats. Shape (entries,).
    ids: Ints
    values: Floats  # integers; shape (entries,)

    def squares(self) -> Floats:
        """Return the squared length of each row."""
        total = np.concatenate([[0.0], np.cumsum(self.values**2)])
        sums: Floats = total[self.ptr[1:]] - total[self.ptr[:-1]]
        return sums


def gram_band(counts: Counts, first: int, last: int, width: int) -> Floats:
    """Return <x_a, x_(a+d)> for sentences a from `first` to `last` and d from 0 to `width`.

    The shape is (last - first, width + 1). Sentences outside the text have no words.
    """
    n = len(counts.ptr) - 1
    band = np.zeros((last - first, width + 1))
    squares = counts.squares()
    # No sum exceeds the greatest square: below 2^24 single precision is exact, and twice as fast.
    kind = np.float32 if squares.max(initial=0.0) < _EXACT_FLOAT32 else np.float64
    for begin in range(max(0, first), min(n, last), _SENTENCES_AT_ONCE):
        end = min(begin + _SENTENCES_AT_ONCE, last, n)
        stop = min(end + width, n)
        entries = slice(counts.ptr[begin], counts.ptr[stop])
        _, column, often = np.unique(counts.ids[entries], return_inverse=True, return_counts=True)
        # Words of one sentence only add nothing off the diagonal: leave them out.
        shared = often > 1
        number = np.cumsum(shared) - 1
        common = shared[column]
        row = np.repeat(np.arange(stop - begin), np.diff(counts.ptr[begin : stop + 1]))[common]
        dense = np.zeros((end - begin + width, int(shared.sum())), dtype=kind)
        dense[row, number[column[common]]] = counts.values[entries][common]
        with one_thread():
            products = matrix_product(dense[: end - begin], dense.T)
        # Cell [k, d] of the band is cell [k, k + d] of the products.
        down, right = products.strides
        band[begin - first : end - first] = as_strided(
            products, (end - begin, width + 1), (down + right, right)
        )
    inner = slice(max(0, first), max(0, min(n, last)))
    band[inner.start - first : inner.stop - first, 0] = squares[inner]
    return band


class SegmentProducts(NamedTuple):
    """Squares and products of the stretches of L = 1 .. width sentences that end at a sentence."""

    # The squared length of the stretch of L sentences in column L - 1. Shape (rows, width).
    squares: Floats
    # The inner product of the stretch with the sentence before. Shape (rows, width).
    before: Floats
    # The inner product of the stretch with the sentence after. Shape (rows, width).
    after: Floats
    # The squared length of each sentence, from `width` sentences before the first row to one
    # sentence after the last row. Shape (rows + width + 1,).
    single: Floats


def segment_products(counts: Counts, first: int, last: int, width: int) -> SegmentProducts:
    """Return the products of all stretches that end with the sentences from `first` to `last`.

    Time and memory, without those of `gram_band`, are linear in (last - first) times width.
    """
    rows = last - first
    # Row k of the band is sentence first - width + k; there are `width` empty ones above.
    band = gram_band(counts, first - width, last + 1, width)
    padded = np.concatenate([np.zeros((width, width + 1)), band])
    back = _rising(padded, width, len(band), width + 1)  # back[k, d] = <x_(k-d), x_k>
    behind = np.cumsum(back[width + 1 :, 1:], axis=1)
    ahead = np.cumsum(band[:, 1:], axis=1)
    # growth[k, d]: increase of the square of a stretch of d sentences when sentence k is appended.
    growth = np.zeros((len(band) + width, width))
    growth[: len(band)] = back[:, :-1]
    growth[:, 1:] *= 2.0
    np.cumsum(growth, axis=1, out=growth)
    down, right = growth.strides
    falling = as_strided(growth, (len(band), width), (down, down + right))
    squares = np.cumsum(falling, axis=1)  # [k, L - 1]: the stretch of L sentences from k on
    return SegmentProducts(
        squares=_rising(squares, width, rows, width),
        before=_rising(ahead, width - 1, rows, width),
        after=behind,
        single=band[:, 0],
    )


def _rising(values: Floats, first: int, rows: int, columns: int) -> Floats:
    """Return a view whose cell [k, d] is `values[first + k - d, d]`."""
    down, right = values.strides
    return as_strided(values[first:], (rows, columns), (down, right - down))


def cosine(product: Floats, one: Floats, other: Floats) -> Floats:
    """Return the cosine from the inner product and two squared lengths; 0 if a length is 0."""
    return divided(product, np.sqrt(one * other), empty=0.0)


# Units of a weight in one bit; set by hand: weights are integers, for exact sums
_STEPS_PER_BIT = 4.0


class RarityWeights:
    """Integer weights of words by rarity: 4 log2((N + 1) / (n + 1)), n of N sentences with a word.

    Parameters
    ----------
    sentences : int
        N, the number of sentences.
    counts : mapping of str to int
        n for each word; it is 1 for any other word.

    Examples
    --------
    >>> weights = RarityWeights(7, {"the": 7, "fog": 1})
    >>> weights.of(["the", "fog", "unknown"]).tolist()
    [0.0, 8.0, 8.0]

    """

    def __init__(self, sentences: int, counts: Mapping[str, int]) -> None:
        self.sentences = sentences
        self.counts = dict(sorted(counts.items()))

    def of(self, forms: Sequence[str]) -> Floats:
        """Return the weight of each word."""
        times = np.array([self.counts.get(form, 1) for form in forms], dtype=np.float64)
        ratio = (self.sentences + 1.0) / (times + 1.0)
        return np.rint(_STEPS_PER_BIT * np.log2(np.maximum(ratio, 1.0)))


def counts_of(tokens: Tokens) -> Counts:
    """Return the counts of the words in each sentence."""
    size = max(1, len(tokens.forms))
    keys, often = np.unique(tokens.sentence_of * size + tokens.ids, return_counts=True)
    ptr = np.searchsorted(keys, np.arange(tokens.n + 1) * size).astype(np.int64)
    return Counts(ptr, keys % size, often.astype(np.float64))


def joined(counts: Counts, by: int) -> Counts:
    """Return the sum of each row and the row at offset `by`, where this exists."""
    n, size = len(counts.ptr) - 1, int(counts.ids.max(initial=0)) + 1
    row = np.repeat(np.arange(n), np.diff(counts.ptr))
    other = (row - by >= 0) & (row - by < n)
    keys = np.concatenate([row, row[other] - by]) * size
    keys += np.concatenate([counts.ids, counts.ids[other]])
    distinct, place = np.unique(keys, return_inverse=True)
    values = np.zeros(len(distinct))
    np.add.at(values, place, np.concatenate([counts.values, counts.values[other]]))
    ptr = np.searchsorted(distinct, np.arange(n + 1) * size).astype(np.int64)
    return Counts(ptr, distinct % size, values)


def row_products(one: Counts, other: Counts) -> Floats:
    """Return the inner product of each row of one with the same row of the other."""
    n = len(one.ptr) - 1
    size = int(max(one.ids.max(initial=0), other.ids.max(initial=0))) + 1
    keys, others = (
        np.repeat(np.arange(n) * size, np.diff(rows.ptr)) + rows.ids for rows in (one, other)
    )
    both, own_places, other_places = np.intersect1d(
        keys, others, assume_unique=True, return_indices=True
    )
    products = one.values[own_places] * other.values[other_places]
    return np.bincount(both // size, weights=products, minlength=n).astype(np.float64)


def bag(name: str, counts: Counts, forms: Sequence[str], scale: str = "unit") -> Bag:
    """Return counts scaled to `unit` length, to B / <B, B> (`printed`) or to 1 (`binary`)."""
    if scale == "binary":
        return Bag(name, counts.ptr, counts.ids, np.ones(len(counts.ids)), forms)
    squares = counts.squares()
    length = squares if scale == "printed" else np.sqrt(squares)
    values = counts.values / np.repeat(length, np.diff(counts.ptr))
    return Bag(name, counts.ptr, counts.ids, values, forms)


def shared_with_next(counts: Counts) -> Floats:
    """Return the number of different words of each sentence and its next one; 0 for the last."""
    n = len(counts.ptr) - 1
    row = np.repeat(np.arange(n), np.diff(counts.ptr))
    # Sorted keys of (word, sentence): a word of two neighbouring sentences has keys 1 apart.
    keys = np.sort(counts.ids * (n + 1) + row)
    both = keys[:-1][np.diff(keys) == 1]
    return np.bincount(both % (n + 1), minlength=n).astype(np.float64)


# A bigram model of words, for the surprisal of a sentence given the training texts.
#
#     p(w) = (c(w) + 1) / (c + V)        p(w | h) = (c(h, w) + K p(w)) / (c(h) + K)
#
# with counts c, V different words (all unknown words are one) and K = 5. A text has less surprisal
# under a model that its own counts are part of, so the features of a training text come from the
# *other* training texts (cross-fitting): the counts of the text itself are subtracted.

STEPS = 1024.0
"""Units of surprisal in one bit: surprisal is an integer, so that sums are exact."""

_PRIOR_WEIGHT = 5.0  # K, the weight of p(w) as a count of pairs; set by hand
_LEAST_COUNT = 2  # rarer words are unknown, and rarer pairs have count 0; set by hand


class WordModel:
    """Counts of words and of pairs of consecutive words in a sentence.

    Parameters
    ----------
    forms : sequence of str
        The known words, ascending, with numbers from 1. Number 0 is any other word.
    counts : array of int64, shape (words + 1,)
        The count of each word.
    pairs : array of int64
        The keys of the pairs, ascending: (first + 1) (words + 1) + second, where first is -1 at the
        beginning of a sentence.
    times : array of int64
        The count of each pair.
    sentences : int
        The number of sentences with a word, which is c(h) at their beginning.

    """

    def __init__(
        self, forms: Sequence[str], counts: Ints, pairs: Ints, times: Ints, sentences: int
    ) -> None:
        self.forms, self.counts, self.pairs, self.times = list(forms), counts, pairs, times
        self.sentences = sentences
        self._number = {form: k for k, form in enumerate(self.forms, start=1)}

    @classmethod
    def fit(cls, texts: Sequence[Tokens]) -> WordModel:
        """Count the words of texts, then the pairs of words, with all unknown words as one."""
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
        frequent = times >= _LEAST_COUNT
        begun = sum(int((np.diff(tokens.ptr) > 0).sum()) for tokens in texts)
        return cls(forms, counts, pairs[frequent], times[frequent].astype(np.int64), begun)

    def _numbers(self, tokens: Tokens) -> tuple[Ints, Ints]:
        """Return the number of each word, and the key of the pair that ends with the word."""
        known = np.array([self._number.get(form, 0) for form in tokens.forms], dtype=np.int64)
        words = known[tokens.ids]
        before = np.full(len(words), -1, dtype=np.int64)
        before[1:] = words[:-1]
        before[tokens.ptr[:-1][np.diff(tokens.ptr) > 0]] = -1
        return words, (before + 1) * len(self.counts) + words

    def surprise(self, tokens: Tokens, *, held_out: bool = False) -> Ints:
        """Return the surprisal -log2 p of each word, in units of 1/`STEPS` bit.

        With `held_out`, the text is one of the training texts, and its own counts are subtracted.

        Examples
        --------
        >>> from bitext.segment.tokens import Tokens
        >>> tokens = Tokens(["the fog", "the fog", "the man"])
        >>> bits = WordModel.fit([tokens]).surprise(Tokens(["the fog", "fog the"])) / STEPS
        >>> bits.round(1).tolist()
        [0.6, 1.1, 2.3, 1.7]

        """
        words, pairs = self._numbers(tokens)
        size = len(self.counts)
        counts = self.counts
        begun = self.sentences
        own = np.zeros(len(words), dtype=np.int64)
        # Subtract the counts of the text itself from those of words, pairs and sentences.
        if held_out:
            counts = np.maximum(counts - np.bincount(words, minlength=size), 0)
            _, place, often = np.unique(pairs, return_inverse=True, return_counts=True)
            own = often[place]
            begun = max(0, begun - int((np.diff(tokens.ptr) > 0).sum()))
        single = (counts + 1.0) / (counts.sum() + size)
        # Look up the counts c(h, w), then c(h), and smooth the bigrams with the unigrams.
        times = np.zeros(len(words))
        if len(self.pairs):
            at = np.searchsorted(self.pairs, pairs).clip(max=len(self.pairs) - 1)
            together = np.where(self.pairs[at] == pairs, self.times[at], 0)
            times = np.maximum(together - own, 0).astype(np.float64)
        first = pairs // size - 1
        before = np.where(first < 0, begun, counts[first]).astype(np.float64)
        chance = (times + _PRIOR_WEIGHT * single[words]) / (
            np.maximum(before, times) + _PRIOR_WEIGHT
        )
        bits: Ints = np.rint(-np.log2(chance) * STEPS).astype(np.int64)
        return bits
