"""The analysis of one text for the feature groups, and its features for training and decoding."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np

from bitext.errors import InputError
from bitext.segment.features.words import Counts, SegmentProducts, counts_of, segment_products
from bitext.segment.tokens import Punctuation, Tokens, punctuation

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from bitext.kernels.arrays import Bools, Floats, Ints, Singles
    from bitext.model import Text
    from bitext.segment.features.words import RarityWeights, WordModel

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

    def add_nodes(
        self,
        totals: Floats,
        sentences: Ints,
        factors: Floats,
    ) -> None:
        """Add the node features of sentences to `totals`, times the factor of each sentence."""
        begins = self.nodes.ptr[sentences]
        sizes = self.nodes.ptr[sentences + 1] - begins
        places = np.arange(int(sizes.sum())) + np.repeat(begins - np.cumsum(sizes) + sizes, sizes)
        values = self.nodes.values[places] * np.repeat(factors, sizes)
        _add(totals, self.nodes.idx[places], values)

    def add_edges(
        self,
        totals: Floats,
        starts: Ints,
        ends: Ints,
        factors: Floats,
    ) -> None:
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
        """The sentences with node features."""
        return np.flatnonzero(np.diff(self.nodes.ptr))

    @cached_property
    def _none(self) -> Bools:
        """A mask of the cells of the first sentences that reach back before the text."""
        rows = np.arange(min(self.n, self.longest - 1))
        lengths = self.longest - np.arange(self.longest)
        none: Bools = lengths[None, :] > rows[:, None] + 1
        return none

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
        sums: Ints = np.diff(total[self.tokens.ptr])
        return sums

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
        quoted: Bools = depths[np.searchsorted(marks.places, self.tokens.begins)] > 0
        return quoted

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
