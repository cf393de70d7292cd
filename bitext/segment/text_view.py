"""One text as the feature groups see it: its words, marks and likenesses, each found once."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np

from bitext.errors import InputError
from bitext.segment.bag_of_words import counts_of
from bitext.segment.punctuation import Punctuation, punctuation
from bitext.segment.similarity import Counts, SegmentProducts, segment_products
from bitext.segment.tokens import Tokens

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from bitext.model import Text
    from bitext.segment.bag_of_words import RarityWeights
    from bitext.segment.word_model import WordModel

__all__ = ["BLOCK", "NO_BACKGROUND", "WIDEST", "Background", "TextView"]

T = TypeVar("T")


class Background(NamedTuple):
    """What training texts tell of words.

    Attributes
    ----------
    rarity : RarityWeights, optional
    words : WordModel, optional

    """

    rarity: RarityWeights | None = None
    words: WordModel | None = None


NO_BACKGROUND = Background()

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
    background : Background, optional
        The weights of words in likenesses, and how likely words are. Default: each word counts as
        often as it occurs, and none is surprising.
    bags : {"unit", "binary", "printed"}, optional
        How bags of words are scaled.
    held_out : bool, optional
        Whether the text is one of those that the background is of.

    """

    def __init__(
        self,
        sentences: Sequence[str],
        longest: int,
        *,
        background: Background = NO_BACKGROUND,
        bags: str = "unit",
        held_out: bool = False,
    ) -> None:
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
    ) -> TextView:
        """Make the view of a text, whose bags are of a kind (`FeatureOptions.bag`).

        Raises
        ------
        InputError
            When the text is known by identifiers only.

        """
        if not text.has_text and len(text):
            raise InputError(f"{text.name or 'the text'} is known by ids only: give its characters")
        return cls(
            list(text.segments()),
            longest,
            background=background,
            bags=bags,
            held_out=held_out,
        )

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
        if self._background.rarity is None:
            return self.counts
        weights = self._background.rarity.of(self.tokens.forms)
        return self.counts._replace(values=self.counts.values * weights[self.counts.ids])

    @cached_property
    def words(self) -> NDArray[np.int64]:
        """The number of words of each sentence."""
        return np.diff(self.tokens.ptr)

    @cached_property
    def surprise(self) -> NDArray[np.int64]:
        """How surprising the words of each sentence are together, in parts of a bit (`STEPS`)."""
        if self._background.words is None:
            return np.zeros(self.n, dtype=np.int64)
        of_words = self._background.words.surprise(self.tokens, held_out=self._held_out)
        total = np.concatenate([[0], np.cumsum(of_words)])
        found: NDArray[np.int64] = np.diff(total[self.tokens.ptr])
        return found

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
