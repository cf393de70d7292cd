"""One text as the feature groups see it: its words, marks and likenesses, each found once."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from bitext.errors import InputError
from bitext.segment.bag_of_words import RarityWeights, counts_of
from bitext.segment.punctuation import Punctuation, punctuation
from bitext.segment.similarity import Counts, SegmentProducts, segment_products
from bitext.segment.tokens import Tokens

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from bitext.model import Text
    from bitext.segment.feature_groups import FeatureOptions

__all__ = ["BLOCK", "WIDEST", "TextView"]

T = TypeVar("T")

WIDEST = 8
"""Sentences on each side that the widest comparison of a text with itself looks at."""

BLOCK = 4096
"""Sentences whose paragraphs are looked at at once: memory stays below some tens of MB."""


class TextView:
    """The analysis of n sentences, made when a group first asks for a part of it.

    Parameters
    ----------
    sentences : sequence of str
    longest : int
        M, the most sentences of a paragraph.
    weights : RarityWeights, optional
        The weights of words in likenesses. Default: each word counts as often as it occurs.
    bags : {"unit", "binary", "printed"}, optional
        How bags of words are scaled.

    """

    def __init__(
        self,
        sentences: Sequence[str],
        longest: int,
        *,
        weights: RarityWeights | None = None,
        bags: str = "unit",
    ) -> None:
        self.tokens = Tokens(sentences)
        self.n, self.longest, self.bags = len(sentences), longest, bags
        self._weights = weights
        self._found: dict[Callable[[TextView], Any], Any] = {}
        self._products: tuple[int, int, SegmentProducts] | None = None

    @classmethod
    def of(
        cls, text: Text, longest: int, options: FeatureOptions, weights: RarityWeights | None
    ) -> TextView:
        """Make the view of a text under the options of features.

        Raises
        ------
        InputError
            When the text is known by identifiers only.

        """
        if not text.has_text and len(text):
            raise InputError(f"{text.name or 'the text'} is known by ids only: give its characters")
        return cls(list(text.segments()), longest, weights=weights, bags=options.bag)

    def once(self, ask: Callable[[TextView], T]) -> T:
        """Return what a function says of this text, asking it once only."""
        if ask not in self._found:
            self._found[ask] = ask(self)
        found: T = self._found[ask]
        return found

    @cached_property
    def marks(self) -> Punctuation:
        """How sentences begin and end."""
        return punctuation(self.tokens)

    @cached_property
    def counts(self) -> Counts:
        """How often each word is in each sentence."""
        return counts_of(self.tokens)

    @cached_property
    def weighted(self) -> Counts:
        """The counts times the weights of the words."""
        if self._weights is None:
            return self.counts
        weights = self._weights.of(self.tokens.forms)
        return self.counts._replace(values=self.counts.values * weights[self.counts.ids])

    @cached_property
    def words(self) -> NDArray[np.int64]:
        """The number of words of each sentence."""
        return np.diff(self.tokens.ptr)

    @cached_property
    def spoken(self) -> NDArray[np.int64]:
        """How many words of each sentence are in quotation."""
        inside = np.concatenate([[0], np.cumsum(self.word_spoken)])
        found: NDArray[np.int64] = inside[self.tokens.ptr[1:]] - inside[self.tokens.ptr[:-1]]
        return found

    @cached_property
    def word_spoken(self) -> NDArray[np.bool_]:
        """Which words are in quotation."""
        marks = self.marks.marks
        depths = np.concatenate([[0], marks.depths])
        found: NDArray[np.bool_] = depths[np.searchsorted(marks.places, self.tokens.begins)] > 0
        return found

    def products(self, first: int, last: int) -> SegmentProducts:
        """Return what is known of stretches that end with sentences from `first` to `last`.

        There are `WIDEST` rows more, for stretches that end behind the text or the block; stretches
        are of up to M sentences, or twice `WIDEST` if that is more.
        """
        if self._products is None or self._products[:2] != (first, last):
            width = max(self.longest, 2 * WIDEST)
            found = segment_products(self.weighted, first, last + WIDEST, width)
            self._products = (first, last, found)
        return self._products[2]

    def blocks(self) -> list[tuple[int, int]]:
        """Return the first and last sentence + 1 of each block that is looked at at once."""
        return [(begin, min(begin + BLOCK, self.n)) for begin in range(0, self.n, BLOCK)]

    @cached_property
    def stretch_squares(self) -> NDArray[np.float64]:
        """The squared lengths of the stretches of 1, 2, 4, 8 and 16 sentences that end anywhere.

        Shape (5, n + 2 WIDEST): column e + WIDEST is for those that end with sentence e.
        """
        sizes = [1, 2, 4, 8, 16]
        found = np.zeros((len(sizes), self.n + 2 * WIDEST))
        for first, last in self.blocks():
            squares = self.products(first, last).squares[:, [size - 1 for size in sizes]]
            found[:, first + WIDEST : last + 2 * WIDEST] = squares.T
        return found

    @cached_property
    def first_products(self) -> NDArray[np.float64]:
        """The product of each sentence with the one before it; 0 for the first."""
        parts = [
            self.products(first, last).before[: last - first, 0] for first, last in self.blocks()
        ]
        return np.concatenate([np.zeros(0), *parts])
