"""The words of a text that a lexicon links with words of its translation, some sentences at a time.

What is asked of a word again and again is held by its number in the vocabulary; what is asked of
its place in the text is made when a stretch of sentences is looked at. So of a long text only sums
of sentences are held, beside its words themselves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bitext.kernels.rows import prefix

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bitext.align.sentences.sentence_pair import Side
    from bitext.align.sentences.word_links import WordShares

__all__ = ["KnownWords", "LinkedWords"]

_SUMMED = 1 << 12  # sentences whose words are summed up at once


class LinkedWords(NamedTuple):
    """The linked words of some sentences of one side.

    There are the numbers of the different words, ascending, and l / (1 - l) of each. Word k stands
    at the places from `begin[k]` on, `number[k]` of them. Of a place there is its sentence, counted
    from one that was asked for, and how often the word stands there.
    """

    ids: NDArray[np.int64]
    share: NDArray[np.float64]
    begin: NDArray[np.int64]
    number: NDArray[np.int64]
    sentence: NDArray[np.int64]
    times: NDArray[np.float64]


class KnownWords:
    """What is known of the words of one side.

    Attributes
    ----------
    nothing : array of float64, shape (sentences + 1,)
        The running sum of log(1 - l) of all words: what they say where nothing is beside them.
    room : array of float64, shape (sentences + 1,)
        That of 1 + the number of words.

    """

    def __init__(self, side: Side, shares: WordShares) -> None:
        self._side, self._shares = side, shares
        self._weight = weight = side.weight
        parts = []
        for first in range(0, len(side), _SUMMED):
            last = min(first + _SUMMED, len(side))
            ids, times, sentence = side.words_of(first, last)
            said = times * weight[sentence] * shares.silent[ids]
            parts.append(np.bincount(sentence - first, said, last - first))
        self.nothing = prefix(np.concatenate([np.zeros(0), *parts]))
        self.room = prefix(side.words * weight + 1.0)

    def many(self, first: int, last: int) -> int:
        """Return how many words some sentences have, linked or not."""
        return int(self._side.ptr[last] - self._side.ptr[first])

    def words(self, first: int, last: int, *, start: int) -> LinkedWords:
        """Return the words of some sentences that are linked; sentences count from `start`."""
        ids, times, sentence = self._side.words_of(first, last)
        kept = np.flatnonzero(self._shares.linked[ids])
        # Words with their places below them: sorting these is quicker than finding the order.
        ordered = ids[kept].astype(np.int64) << 32
        ordered += kept
        ordered.sort()
        words = ordered >> 32
        ordered &= 0xFFFFFFFF
        begin = np.flatnonzero(np.append(True, words[1:] != words[:-1])[: len(words)])
        different, own = words[begin], sentence[ordered]
        return LinkedWords(
            ids=different,
            share=self._shares.odds[different],
            begin=begin,
            number=np.append(begin[1:], len(words))[: len(begin)] - begin,
            sentence=own - start,
            times=times[ordered] * self._weight[own],
        )
