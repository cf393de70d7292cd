"""A small language model of words: how surprising each sentence is after the training texts.

    p(w) = (c(w) + 1) / (c + V)        p(w | h) = (c(h, w) + K p(w)) / (c(h) + K)

with counts c, V different words (all unknown ones are one) and K = 5. A model that has seen a text
finds it less surprising than others, so the features of a training text are of what the *other*
training texts say (cross-fitting): its own counts are taken off before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bitext.segment.tokens import Tokens

__all__ = ["WordModel"]

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
