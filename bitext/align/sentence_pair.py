"""Two texts with what sentence alignment asks of them, in arrays, computed once."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, islice
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bitext.align.vocabulary import Vocabulary, words_of
from bitext.errors import InputError
from bitext.kernels.rows import prefix

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from bitext.model import Text

__all__ = ["SentencePair", "Side"]

_AT_ONCE = 1 << 12  # sentences that are cut into words at once
_WIDE = 2.5  # letters that a character of Chinese or Japanese is worth
_MOST = 2000  # different words that are kept of a sentence
_LONG = 400.0  # words of a sentence that count in full
_LOOKED_AT = 20_000  # characters of a sentence: a longer one would outweigh the whole text


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """One text of a pair.

    Attributes
    ----------
    text : Text
    vocabulary : Vocabulary
        Of its language; shared by the texts of a corpus.
    letters : array of float64, shape (sentences,)
        The length of each: characters that are no space, wide ones for 2.5, and 1 more.
    words : array of int64, shape (sentences,)
        The number of words, marks among them, of each.
    ptr : array of int64, shape (sentences + 1,)
    ids, times : array of int32
        The different words of sentence k are `ids[ptr[k]:ptr[k + 1]]`, ascending, and stand
        there so many `times`. Of a sentence with more than 2,000 different words these are the
        2,000 first met in the text.

    Of a sentence of more than 20,000 characters the first 20,000 count, for its length and its
    words.

    """

    text: Text
    vocabulary: Vocabulary
    letters: NDArray[np.float64]
    words: NDArray[np.int64]
    ptr: NDArray[np.int64]
    ids: NDArray[np.int32]
    times: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.letters)

    def words_of(
        self, first: int, last: int
    ) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int64]]:
        """Return the different words of some sentences, their times, and the sentence of each."""
        ptr = self.ptr[first : last + 1]
        mine = slice(ptr[0], ptr[-1])
        return self.ids[mine], self.times[mine], np.repeat(np.arange(first, last), np.diff(ptr))

    @property
    def sentence(self) -> NDArray[np.int64]:
        """The sentence of each of `ids`."""
        return np.repeat(np.arange(len(self)), np.diff(self.ptr))

    @property
    def weight(self) -> NDArray[np.float64]:
        """What a word of each sentence counts for: one of many says little, as all are there."""
        result: NDArray[np.float64] = np.minimum(1.0, _LONG / np.maximum(self.words, 1))
        return result


class SentencePair:
    """A text and its translation, with their words as numbers.

    Parameters
    ----------
    src, tgt : Text
    vocabularies : (Vocabulary, Vocabulary), optional
        Those of the two languages, which grow; default: new ones.

    Attributes
    ----------
    src, tgt : Side
    name : str
        That of the source text.

    Raises
    ------
    InputError
        When a text is known by ids only.

    Examples
    --------
    >>> from bitext.model import Text
    >>> pair = SentencePair(Text(["A dog.", "It is a dog."]), Text(["Un chien."]))
    >>> len(pair.src), pair.src.ids.tolist(), pair.src.ptr.tolist(), pair.tgt.letters.tolist()
    (2, [0, 1, 2, 0, 1, 2, 3, 4], [0, 3, 8], [9.0])

    """

    __slots__ = ("name", "src", "tgt")

    def __init__(
        self, src: Text, tgt: Text, *, vocabularies: tuple[Vocabulary, Vocabulary] | None = None
    ) -> None:
        first, second = vocabularies or (Vocabulary(), Vocabulary())
        self.name = src.name
        self.src = _side(src, first, "source")
        self.tgt = _side(tgt, second, "target")


def _side(text: Text, vocabulary: Vocabulary, side: str) -> Side:
    if len(text) and not text.has_text:
        raise InputError(
            f"the {side} text {text.name or 'without a name'} is known by ids only: "
            f"give its sentences"
        )
    none = _Part(*(np.zeros(0, dtype=kind) for kind in (float, int, int, np.int32, np.int32)))
    parts = [none, *_parts(text, vocabulary)]
    return Side(
        text=text,
        vocabulary=vocabulary,
        letters=np.concatenate([part.letters for part in parts]),
        words=np.concatenate([part.words for part in parts]),
        ptr=prefix(np.concatenate([part.kept for part in parts])),
        ids=np.concatenate([part.ids for part in parts]),
        times=np.concatenate([part.times for part in parts]),
    )


class _Part(NamedTuple):
    """Some sentences: per sentence its letters, words and different words; numbers and times."""

    letters: NDArray[np.float64]
    words: NDArray[np.int64]
    kept: NDArray[np.int64]
    ids: NDArray[np.int32]
    times: NDArray[np.int32]


def _parts(text: Text, vocabulary: Vocabulary) -> Iterator[_Part]:
    """Cut the sentences into words, some at a time."""
    sentences = (sentence[:_LOOKED_AT] for sentence in text.segments())
    while some := list(islice(sentences, _AT_ONCE)):
        cut = [words_of(sentence) for sentence in some]
        number = vocabulary.numbers(chain.from_iterable(cut))
        words = np.fromiter(map(len, cut), dtype=np.int64, count=len(cut))
        del cut
        at = np.repeat(np.arange(len(some)), words)
        wide = len(vocabulary) + 1
        keys, times = np.unique(at * wide + number, return_counts=True)
        sentence, ids = keys // wide, keys % wide
        ptr = prefix(np.bincount(sentence, minlength=len(some)))
        kept = np.arange(len(keys)) - ptr[sentence] < _MOST
        yield _Part(
            _letters(some),
            words,
            np.bincount(sentence[kept], minlength=len(some)),
            ids[kept].astype(np.int32),
            times[kept].astype(np.int32),
        )


def _letters(sentences: list[str]) -> NDArray[np.float64]:
    """Return the length of each sentence in letters."""
    sizes = np.fromiter(map(len, sentences), dtype=np.int64, count=len(sentences))
    codes = np.frombuffer("".join(sentences).encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    worth = np.where(codes >= 0x2E80, _WIDE, 1.0)
    worth[(codes <= 0x20) | (codes == 0xA0) | (codes == 0x3000)] = 0.0
    total = np.concatenate([[0.0], np.cumsum(worth)])
    ends = np.cumsum(sizes)
    result: NDArray[np.float64] = total[ends] - total[ends - sizes] + 1.0
    return result
