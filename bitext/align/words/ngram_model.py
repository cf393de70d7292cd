"""An n-gram model of word sequences: interpolated Kneser-Ney, counted and asked in arrays.

The probability of a word w after the history h, the n - 1 words before it, is

    P_n(w | h) = (max(c(h w) - D, 0) + D N(h) P_(n-1)(w | h')) / c(h)

where h' is h without its first word, c(h) the sum of c(h w) over w, N(h) the number of different w
after h, and P_0 is uniform over the words known, the end of a sentence and one unknown word. For
the longest n-grams c is how often they occur, for shorter ones how many different words stand
before them. D is one discount an order, n1 / (n1 + 2 n2), with n1 and n2 the number of n-grams
whose c is 1 and 2, and 1/2 where one of these is 0. Where h was never seen, P_n is P_(n-1). A
sentence has n - 1 marks before its first word, and its end is a word to predict.

**Source**: R. Kneser and H. Ney, Improved backing-off for m-gram language modeling, ICASSP 1995;
interpolated as in S. Chen and J. Goodman, An empirical study of smoothing techniques for language
modeling, 1999. **Departures**: n-grams that begin with the mark of the beginning are counted as
all others of their length, by their different left neighbours.
"""

from __future__ import annotations

from itertools import chain, islice
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bitext.errors import InputError, OptionError
from bitext.model.sentence import folded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

__all__ = ["NgramModel"]

_BEGIN, _END, _UNKNOWN, _FIRST = 0, 1, 2, 3
_BATCH = 10_000  # sentences that are turned into numbers at a time


class _Order(NamedTuple):
    """The n-grams of one length, and the histories of that length less 1.

    A history is numbered from its last word back: its own number is the place of its key in
    `histories`, and its key is made of the number of the history without its first word and of
    that first word. The key of an n-gram is made of the number of its history and its last word.

    Attributes
    ----------
    histories : array of int64
        The keys of the histories, ascending.
    grams : array of int64
        The keys of the n-grams, ascending.
    less : array of float64
        Of each n-gram: c(h w) - D.
    total, spread : array of float64
        Of each history: c(h), and D N(h).

    """

    histories: NDArray[np.int64]
    grams: NDArray[np.int64]
    less: NDArray[np.float64]
    total: NDArray[np.float64]
    spread: NDArray[np.float64]


class NgramModel:
    """A language model: how probable a sentence is, in bits.

    Parameters
    ----------
    sentences : iterable of sequence of str
        The words of each sentence. They are read once, and kept as four bytes a word until they
        are counted.
    order : int
        The longest n-gram, 1 or more.
    fold : callable
        What is done to every word first: by default, case, the kind of apostrophe and how letters
        are composed do not count.

    Raises
    ------
    InputError
        When there is no sentence.
    OptionError
        When the order is less than 1.

    Examples
    --------
    >>> model = NgramModel([["a", "ferry", "burns"], ["the", "ferry", "sinks"]])
    >>> right, turned = model.log2([["A", "ferry", "sinks"], ["sinks", "ferry", "a"]])
    >>> round(right, 2), round(turned, 2)
    (-4.61, -15.32)

    """

    def __init__(
        self,
        sentences: Iterable[Sequence[str]],
        *,
        order: int = 3,
        fold: Callable[[str], str] = folded,
    ) -> None:
        if order < 1:
            raise OptionError(f"an n-gram model of order {order}: want 1 or more")
        self.order = order
        self._fold = fold
        self._ids: dict[str, int] = {}
        windows = self._learned(sentences)
        if not windows.size:
            raise InputError("the n-gram model has no sentence to learn from: give it some text")
        self._orders = self._counted(windows)

    @classmethod
    def of_lines(cls, lines: Iterable[str], *, order: int = 3) -> NgramModel:
        """Learn from plain text, one sentence a line; empty lines are left out."""
        from bitext.syntax.tokenizer import tokenize

        return cls((tokenize(line) for line in lines if line.strip()), order=order)

    @property
    def words(self) -> int:
        """The number of different words."""
        return len(self._ids)

    def log2(self, sentences: Iterable[Sequence[str]]) -> list[float]:
        """Return the logarithm (base 2) of the probability of each sentence and its end."""
        get, fold = self._ids.get, self._fold
        ids = [[get(fold(word), _UNKNOWN) for word in words] for words in sentences]
        if not ids:
            return []
        lengths = np.array([len(words) + 1 for words in ids])
        bits = np.log2(self._probabilities(self._windows(ids)))
        return [float(total) for total in np.add.reduceat(bits, np.cumsum(lengths) - lengths)]

    def per_word(self, sentences: Sequence[Sequence[str]]) -> list[float]:
        """Return the same divided by the number of words, the end being one of them."""
        return [
            bits / (len(words) + 1)
            for bits, words in zip(self.log2(sentences), sentences, strict=True)
        ]

    def probability(self, word: str, history: Sequence[str] = ()) -> float:
        """Return the probability of a word after others, of which the last `order` - 1 count.

        Before the history stands the beginning of the sentence. The word "" is its end.
        """
        get, fold = self._ids.get, self._fold
        before = [_BEGIN] * self.order + [get(fold(other), _UNKNOWN) for other in history]
        own = get(fold(word), _UNKNOWN) if word else _END
        window = np.array([[*before[len(before) - self.order + 1 :], own]], dtype=np.int64)
        return float(self._probabilities(window)[0])

    def _learned(self, sentences: Iterable[Sequence[str]]) -> NDArray[np.int64]:
        """Number the words, and return each with those before it."""
        ids, fold = self._ids, self._fold
        stream, parts = iter(sentences), [np.zeros((0, self.order), dtype=np.int32)]
        while batch := list(islice(stream, _BATCH)):
            numbers = [
                [ids.setdefault(fold(word), len(ids) + _FIRST) for word in words] for words in batch
            ]
            parts.append(self._windows(numbers).astype(np.int32))
        return np.concatenate(parts).astype(np.int64)

    def _windows(self, sentences: list[list[int]]) -> NDArray[np.int64]:
        """Return a row for each word and end: the words before it, and the word."""
        marks = [_BEGIN] * (self.order - 1)
        strung = chain.from_iterable([*marks, *words, _END] for words in sentences)
        line = np.fromiter(strung, dtype=np.int64)
        rows = np.lib.stride_tricks.sliding_window_view(line, self.order)
        return np.asarray(rows[rows[:, -1] != _BEGIN])

    def _counted(self, windows: NDArray[np.int64]) -> list[_Order]:
        """Count the n-grams of each order, from the longest to single words."""
        size = len(self._ids) + _FIRST
        word, history = windows[:, -1], np.zeros(len(windows), dtype=np.int64)
        keys = np.zeros(1, dtype=np.int64)
        found = []
        for n in range(1, self.order + 1):
            if n > 1:
                keys, history = _numbered(history * size + windows[:, -n])
            grams, first, gram = np.unique(
                history * size + word, return_index=True, return_inverse=True
            )
            found.append((keys, grams, first, gram.reshape(-1)))
        orders = []
        counts = np.bincount(found[-1][3]).astype(np.float64)
        for n in range(self.order, 0, -1):
            keys, grams, first, _ = found[n - 1]
            discount = _discount(counts)
            history = grams // size
            total = np.bincount(history, weights=counts, minlength=len(keys)).astype(np.float64)
            spread = discount * np.bincount(history, minlength=len(keys)).astype(np.float64)
            orders.append(_Order(keys, grams, counts - discount, total, spread))
            if n > 1:  # an n-gram of the order below, once for each different word before it
                counts = np.bincount(found[n - 2][3][first]).astype(np.float64)
        return orders[::-1]

    def _probabilities(self, windows: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the probability of the last word of each row after those before it."""
        size = len(self._ids) + _FIRST
        word, history = windows[:, -1], np.zeros(len(windows), dtype=np.int64)
        chance = np.full(len(windows), 1 / (len(self._ids) + 2))
        for n, order in enumerate(self._orders, start=1):
            if n > 1:
                key = np.where(history < 0, -1, history * size + windows[:, -n])
                history = _place(order.histories, key)
            gram = _place(order.grams, np.where(history < 0, -1, history * size + word))
            less = np.where(gram < 0, 0.0, order.less[gram])
            seen = (less + order.spread[history] * chance) / order.total[history]
            chance = np.where(history < 0, chance, seen)
        return chance


def _numbered(keys: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    known, number = np.unique(keys, return_inverse=True)
    return known, number.reshape(-1)


def _place(known: NDArray[np.int64], keys: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return where each key stands among the known ones, -1 where it does not."""
    place = np.minimum(np.searchsorted(known, keys), len(known) - 1)
    return np.where(known[place] == keys, place, -1)


def _discount(counts: NDArray[np.float64]) -> float:
    """Return what is taken from each count."""
    ones, twos = int((counts == 1).sum()), int((counts == 2).sum())
    return ones / (ones + 2 * twos) if ones and twos else 0.5
