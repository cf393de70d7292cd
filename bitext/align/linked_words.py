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

    from bitext.align.sentence_pair import Side

__all__ = ["KnownWords", "LinkedWords", "groups"]

_SUMMED = 1 << 12  # sentences whose words are summed up at once


class LinkedWords(NamedTuple):
    """The linked words of some sentences of one side.

    The words of sentence `first` + k are `ptr[k]` to `ptr[k + 1]`; of each there is its number in
    the vocabulary, how often it stands there, its sentence in the text, and l / (1 - l).
    """

    first: int
    ptr: NDArray[np.int64]
    ids: NDArray[np.int32]
    times: NDArray[np.float64]
    sentence: NDArray[np.int64]
    share: NDArray[np.float64]


class KnownWords:
    """What is known of the words of one side.

    Attributes
    ----------
    nothing : array of float64, shape (sentences + 1,)
        The running sum of log(1 - l) of all words: what they say where nothing is beside them.
    room : array of float64, shape (sentences + 1,)
        That of 1 + the number of words.

    """

    def __init__(self, side: Side, known: NDArray[np.float64], linked: NDArray[np.bool_]) -> None:
        self._side, self._linked, self._share = side, linked, known / (1 - known)
        self._weight = weight = side.weight
        silent = np.log1p(-known)
        parts = []
        for first in range(0, len(side), _SUMMED):
            last = min(first + _SUMMED, len(side))
            ids, times, sentence = side.words_of(first, last)
            said = times * weight[sentence] * silent[ids]
            parts.append(np.bincount(sentence - first, said, last - first))
        self.nothing = prefix(np.concatenate([np.zeros(0), *parts]))
        self.room = prefix(side.words * weight + 1.0)

    def words(self, first: int, last: int) -> LinkedWords:
        """Return the words of some sentences that are linked."""
        ids, times, sentence = self._side.words_of(first, last)
        kept = np.flatnonzero(self._linked[ids])
        ids, sentence = ids[kept], sentence[kept]
        return LinkedWords(
            first=first,
            ptr=np.searchsorted(sentence, np.arange(first, last + 1)),
            ids=ids,
            times=times[kept] * self._weight[sentence],
            sentence=sentence,
            share=self._share[ids],
        )


def groups(ids: NDArray[np.int32]) -> tuple[NDArray[np.int64], ...]:
    """Return the different words of an array, and where each stands.

    Those of word k are at `places[begin[k]:begin[k] + number[k]]`, ascending; returned are the
    words, `begin`, `number` and `places`.
    """
    # Numbers with their places below them: sorting these is quicker than finding the order.
    ordered = ids.astype(np.int64) << 32
    ordered += np.arange(len(ids))
    ordered.sort()
    words = ordered >> 32
    opens = np.flatnonzero(np.append(True, words[1:] != words[:-1])[: len(words)])
    ends = np.append(opens[1:], len(words))[: len(opens)]
    return words[opens], opens, ends - opens, ordered & 0xFFFFFFFF
