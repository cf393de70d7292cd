"""Groups of edge features: properties of a paragraph, whatever the boundaries of its neighbours.

A block has all paragraphs that may end with a range of sentences: cell (k, c) is the paragraph of
M - c sentences that ends with sentence `first` + k. Sums over a paragraph are differences of
cumulative sums. Cells that reach back before the first sentence have arbitrary values.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from bitext.segment.features import binned
from bitext.segment.features.words import STEPS, cosine
from bitext.segment.tokens import Beginning, Close

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

    from bitext.segment.features.text import TextView

LENGTHS = (1, 2, 3, 4, 5, 7, 10, 15, 25)
"""Upper edges of the bins of paragraph length, in sentences, with one more bin above.

Set by hand: exact for short paragraphs, then steps of about 1.5.
"""

# Upper edges of the bins of words of a paragraph; set by hand: steps of about 1.4.
_WORDS = (5, 10, 15, 20, 30, 40, 55, 75, 100, 140, 200, 300, 500)
_MANY = 4  # greater counts share the label `4+`; set by hand


@dataclass(frozen=True, slots=True)
class EdgeScalar:
    """One number for each paragraph, shape (rows, M)."""

    name: str
    values: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class EdgeLabels:
    """One label for each paragraph: `codes`, shape (rows, M), or (1, M) for labels of length."""

    name: str
    codes: NDArray[np.uint8]
    forms: Sequence[str]


EdgeColumnPart = EdgeScalar | EdgeLabels


class EdgeBlock:
    """All paragraphs that end with the sentences from `first` to `last` of a text."""

    def __init__(self, view: TextView, first: int, last: int) -> None:
        self.view, self.first, self.last = view, first, last
        self.longest = view.longest

    def sums(self, values: ArrayLike) -> NDArray[np.int64]:
        """Return the sums over each paragraph of integers of the sentences."""
        before = np.zeros(self.longest, dtype=np.int64)
        total = np.concatenate([before, np.cumsum(np.concatenate([[0], values]))])
        # total[M + e + 1] sums up to sentence e, total[c + e + 1] up to the start of the paragraph
        windows = sliding_window_view(total, self.longest)[self.first + 1 : self.last + 1]
        ends = total[self.longest + self.first + 1 : self.longest + self.last + 1]
        sums: NDArray[np.int64] = ends[:, None] - windows
        return sums

    def at_start(self, values: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Return a view of the value of the first sentence of each paragraph."""
        padded = np.concatenate([np.zeros(self.longest - 1, dtype=np.uint8), values])
        return sliding_window_view(padded, self.longest)[self.first : self.last]

    def at_end(self, values: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Return the value of the last sentence of each paragraph, shape (rows, 1)."""
        return values[self.first : self.last, None]


def edge_length(block: EdgeBlock) -> list[EdgeColumnPart]:
    """Return the number of sentences, in bins: unbinned lengths have a constant sum."""
    labels = binned("edge:length", block.longest - np.arange(block.longest), LENGTHS)
    return [EdgeLabels("edge:length", labels.codes.astype(np.uint8)[None, :], labels.forms)]


def edge_words(block: EdgeBlock) -> list[EdgeColumnPart]:
    """Return the number of words, in bins."""
    return [_in_bins("edge:words", block.sums(block.view.words), _WORDS)]


def edge_cosine(block: EdgeBlock) -> list[EdgeColumnPart]:
    """Return the cosines with the sentences before and after the paragraph; 0 at the ends.

    The vector of a paragraph is the sum of the bags of words of its sentences.
    """
    products = block.view.products(block.first, block.last)
    rows, size = block.last - block.first, block.longest
    squares = products.squares[:rows, :size]
    # Row k of `single` is the sentence that is `width` sentences before row k of `products`.
    width = products.squares.shape[1]
    single = products.single
    windows = sliding_window_view(single, size)[width - size : width - size + rows]
    before = cosine(products.before[:rows, :size], squares, windows[:, ::-1])
    behind = cosine(
        products.after[:rows, :size], squares, single[width + 1 : width + 1 + rows, None]
    )
    return [
        EdgeScalar("edge:cosine-before", before[:, ::-1]),
        EdgeScalar("edge:cosine-after", behind[:, ::-1]),
    ]


def edge_entropy(block: EdgeBlock) -> list[EdgeColumnPart]:
    """Return the mean surprisal of words under the model of the training texts, in bits."""
    many = block.sums(block.view.words)
    mean = np.zeros(many.shape)
    np.divide(block.sums(block.view.surprise), many * STEPS, out=mean, where=many > 0)
    return [EdgeScalar("edge:entropy", mean)]


def edge_balance(block: EdgeBlock) -> list[EdgeColumnPart]:
    """Return the open quotations before and after the paragraph, and the presence of marks."""
    marks = block.view.marks
    start = block.at_start((marks.before > 0).astype(np.uint8))
    end = block.at_end((marks.after > 0).astype(np.uint8))
    some = block.sums(marks.opened + marks.closed) > 0
    codes = start * np.uint8(4) + end * np.uint8(2) + some.astype(np.uint8)
    forms = [
        f"{begun}-{left}-{inside}"
        for begun in ("closed", "open")
        for left in ("closed", "open")
        for inside in ("none", "marks")
    ]
    return [EdgeLabels("edge:balance", codes, forms)]


def edge_marks(block: EdgeBlock) -> list[EdgeColumnPart]:
    """Return the opening mark or dash at the beginning and the closing mark at the end."""
    marks = block.view.marks
    kinds = np.zeros(max(Beginning) + 1, dtype=np.uint8)
    kinds[[Beginning.OPENING, Beginning.AGAIN, Beginning.DASH]] = 1, 2, 3
    closes = ((marks.close == Close.LAST) | (marks.close == Close.BEFORE)).astype(np.uint8)
    codes = block.at_start(kinds[marks.beginning]) * np.uint8(2) + block.at_end(closes)
    forms = [
        f"{begun}-{left}"
        for begun in ("plain", "opening", "again", "dash")
        for left in ("plain", "closing")
    ]
    return [EdgeLabels("edge:marks", codes, forms)]


def edge_pairs(block: EdgeBlock) -> list[EdgeColumnPart]:
    """Return the number of quotations that open in the paragraph, up to four and more."""
    return [_up_to("edge:pairs", block.sums(block.view.marks.opened))]


def edge_turns(block: EdgeBlock) -> list[EdgeColumnPart]:
    """Return the number of sentences inside that begin a speech directly after another."""
    marks = block.view.marks
    begins = (marks.beginning == Beginning.OPENING) | (marks.beginning == Beginning.DASH)
    turn = begins.copy()
    turn[:1] = False
    turn[1:] &= marks.close[:-1] == Close.LAST
    # A turn at the first sentence is between paragraphs, not inside one.
    inside = block.sums(turn) - block.at_start(turn.astype(np.uint8))
    return [_up_to("edge:turns", inside)]


def edge_narration(block: EdgeBlock) -> list[EdgeColumnPart]:
    """Return the number of sentences without quotation, and the presence of other sentences."""
    view = block.view
    narrated = (view.spoken == 0).astype(np.int64)
    many = block.sums(narrated)
    mixed = block.sums(1 - narrated) > 0
    base = np.minimum(many, _MANY).astype(np.uint8)
    forms = [f"{k}{more}" for more in ("", "-mixed") for k in ("0", "1", "2", "3", "4+")]
    return [EdgeLabels("edge:narration", base + mixed.astype(np.uint8) * np.uint8(5), forms)]


def _up_to(name: str, values: NDArray[np.int64]) -> EdgeLabels:
    codes = np.minimum(values, _MANY).clip(0).astype(np.uint8)
    return EdgeLabels(name, codes, ["0", "1", "2", "3", "4+"])


def _in_bins(name: str, values: NDArray[np.int64], edges: Sequence[int]) -> EdgeLabels:
    labels = binned(name, values, edges)
    return EdgeLabels(name, labels.codes.astype(np.uint8), labels.forms)
