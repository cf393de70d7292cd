"""Two texts as sentence alignment uses them: in arrays that are computed once.

First come one text and the pair, then how texts are cut into words and these numbered.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bitext.align.sentences.bead_types import letters_of
from bitext.align.sentences.cleaning import (
    TextView,
    without_references,
    without_running_numbers,
    without_useless_tags,
)
from bitext.align.sentences.lexical import Vocabulary, numbered
from bitext.errors import InputError
from bitext.kernels.arrays import Bools, Floats, Ints, prefix
from bitext.kernels.compiled_words import word_kernels
from bitext.model import Text

if TYPE_CHECKING:
    Each = Callable[[Callable[[int], Any], Iterable[int]], Iterable[Any]]

# Set by hand; no sentence of the sets of alignment_quality.py is long enough for a limit.
_SENTENCES_AT_ONCE = 1 << 12  # sentences divided into words at once: memory only
_MOST_WORDS = 2000  # distinct words of a sentence: bounds memory
# Words of a sentence with full weight: a longer one may have any word by chance
_LONG_SENTENCE_WORDS = 400.0
_TIMES, _NUMBERS = 16, 31  # bits of the count and of the number of a word
# Sentences whose number fits with these into an integer of 63 bits
_MOST_SORTED = 1 << (63 - _TIMES - _NUMBERS)
_MOST_CHARACTERS = 20_000  # characters of a sentence: a longer one would outweigh the whole text


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """One text of a pair.

    A sentence has at most its first 2,000 distinct words; only its first 20,000 characters count,
    for its length and its words.
    """

    text: Text
    # For alignment: references (`&amp;`) resolved, without tags and numbers that are no evidence
    seen: TextView
    vocabulary: Vocabulary  # the words of its language; shared by the texts of a corpus
    # The length of each sentence: its characters without spaces, wide ones counted as 2.5, plus 1
    letters: Floats
    words: NDArray[np.int32]  # of each sentence, punctuation marks included
    # The distinct words of sentence k are `ids[ptr[k]:ptr[k + 1]]`, ascending, with their counts in
    # `times`, 65,535 at most.
    ptr: Ints
    ids: NDArray[np.int32]
    times: NDArray[np.uint16]

    def __len__(self) -> int:
        return len(self.letters)

    def words_of(self, first: int, last: int) -> tuple[NDArray[np.int32], NDArray[np.uint16], Ints]:
        """Return the distinct words of some sentences, their counts, and the sentence of each."""
        ptr = self.ptr[first : last + 1]
        occurrences = slice(ptr[0], ptr[-1])
        return (
            self.ids[occurrences],
            self.times[occurrences],
            np.arange(first, last).repeat(ptr[1:] - ptr[:-1]),
        )

    @property
    def sentence(self) -> Ints:
        """The sentence of each of `ids`."""
        return np.repeat(np.arange(len(self)), np.diff(self.ptr))

    @property
    def weight(self) -> Floats:
        """The weight of a word in each sentence, lower in long ones: they have words by chance."""
        return np.minimum(1.0, _LONG_SENTENCE_WORDS / np.maximum(self.words, 1))


class SentencePair:
    """A text and its translation, with their words as numbers.

    The vocabularies of the two languages grow; by default they are new. `name` is the name of the
    source text. Raises `InputError` when only the ids of a text are known.

    Examples
    --------
    >>> from bitext.model import Text
    >>> pair = SentencePair(Text(["A dog.", "It is a dog."]), Text(["Un chien."]))
    >>> len(pair.src), pair.src.ids.tolist(), pair.src.ptr.tolist(), pair.tgt.letters.tolist()
    (2, [0, 1, 2, 0, 1, 2, 3, 4], [0, 3, 8], [9.0])

    """

    def __init__(
        self, src: Text, tgt: Text, *, vocabularies: tuple[Vocabulary, Vocabulary] | None = None
    ) -> None:
        self.name = src.name
        self.src, self.tgt = _sides([src, tgt], vocabularies or (Vocabulary(), Vocabulary()), map)

    @classmethod
    def of(cls, src: Side, tgt: Side, digest: str = "") -> SentencePair:
        """Return a pair of two sides, with the `digest` of their sentences, if it is known."""
        pair = cls.__new__(cls)
        pair.name, pair.src, pair.tgt = src.text.name, src, tgt
        if digest:
            pair.digest = digest
        return pair

    @cached_property
    def digest(self) -> str:
        """A digest of the sentences of both texts, 32 hexadecimal digits."""
        return _digest_of(self.src.text, self.tgt.text)

    @classmethod
    def several(
        cls,
        pairs: Iterable[tuple[Text, Text]],
        *,
        vocabularies: tuple[Vocabulary, Vocabulary],
        each: Each = map,
    ) -> list[SentencePair]:
        """Return pairs of texts with common vocabularies.

        `each` does work for each of some numbers, as `map` does: the texts are cut into words some
        thousand sentences at a time, in processes that it may fork. The result does not depend on
        the processes.
        """
        texts = [text for pair in pairs for text in pair]
        sides = _sides(texts, vocabularies, each)
        return [cls.of(src, tgt) for src, tgt in zip(sides[::2], sides[1::2], strict=True)]

    def renumbered(self, vocabularies: tuple[Vocabulary, Vocabulary]) -> SentencePair:
        """Return the pair with other vocabularies, which grow by its words.

        Pairs with separate vocabularies that are renumbered one after another become equal to those
        of `several`.
        """
        sides = zip((self.src, self.tgt), vocabularies, strict=True)
        src, tgt = (_renumbered(side, vocabulary) for side, vocabulary in sides)
        return SentencePair.of(src, tgt, self.digest)

    def within(self, vocabularies: tuple[Vocabulary, Vocabulary]) -> SentencePair:
        """Return the pair with other vocabularies, whose last words stand for all unknown ones."""
        sides = []
        for side, vocabulary in zip((self.src, self.tgt), vocabularies, strict=True):
            numbers = vocabulary.find(side.vocabulary.forms)
            numbers[numbers < 0] = len(vocabulary) - 1
            sides.append(_with_numbers(side, vocabulary, numbers))
        return SentencePair.of(sides[0], sides[1], self.digest)


def _digest_of(src: Text, tgt: Text) -> str:
    digest = hashlib.blake2b(digest_size=16)
    for text in (src, tgt):
        sentences = list(text.segments())
        sizes = np.fromiter(map(len, sentences), dtype="<i8", count=len(sentences))
        digest.update(np.int64(len(sentences)).astype("<i8").tobytes() + sizes.tobytes())
        digest.update("".join(sentences).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def _renumbered(side: Side, vocabulary: Vocabulary) -> Side:
    """Return a side with the numbers of its words in another vocabulary, which grows."""
    return _with_numbers(side, vocabulary, vocabulary.numbers(side.vocabulary.forms))


def _with_numbers(side: Side, vocabulary: Vocabulary, numbers: NDArray[np.int32]) -> Side:
    """Return a side with other numbers of its words, those of another vocabulary."""
    ids, times, ptr = _by_sentence(numbers[side.ids], side.times, np.diff(side.ptr))
    return replace(side, vocabulary=vocabulary, ids=ids, times=times, ptr=ptr)


class PairMemory:
    """A cache of text pairs that were cut into words, for repeated sentences.

    The cache has at most `most` sentences of both sides, at about 1 kB each. Results do not depend
    on `most`.

    Examples
    --------
    >>> from bitext.model import Text
    >>> memory, texts = PairMemory(most=10), (Text(["A dog."]), Text(["Un chien."]))
    >>> first = memory.pair(*texts, hold=True)
    >>> memory.pair(Text(["A dog."]), Text(["Un chien."])).src.ids is first.src.ids
    True

    """

    def __init__(self, most: int) -> None:
        self._room = most
        self._pairs: dict[str, SentencePair] = {}

    def pair(self, src: Text, tgt: Text, *, hold: bool = False) -> SentencePair:
        """Return a pair with separate vocabularies, which must not grow.

        Raises `InputError` when only the ids of a text are known.

        With `hold` the pair is stored, if it is new and there is room.
        """
        if not (src.has_text and tgt.has_text and (hold or self._pairs)):
            return SentencePair(src, tgt)
        digest = _digest_of(src, tgt)
        known_pair = self._pairs.get(digest)
        if known_pair is not None:
            own_sides = replace(known_pair.src, text=src), replace(known_pair.tgt, text=tgt)
            return SentencePair.of(*own_sides, digest)
        new = SentencePair(src, tgt)
        size = len(src) + len(tgt)
        if hold and size <= self._room:
            self._pairs[digest] = new
            self._room -= size
        return new


class _Part(NamedTuple):
    """Some sentences: the letters and words of each, and the numbers of those that count.

    Words are numbered by their positions in `forms`.
    """

    letters: Floats
    words: Ints
    sizes: Ints
    ids: NDArray[np.int32]
    forms: list[str]


def _sides(
    texts: Sequence[Text], vocabularies: tuple[Vocabulary, Vocabulary], each: Each
) -> list[Side]:
    """Return texts, alternately sources and targets, with their words as numbers."""
    for k, text in enumerate(texts):
        if len(text) and not text.has_text:
            raise InputError(
                f"the {'target' if k % 2 else 'source'} text {text.name or 'without a name'} is "
                f"known by ids only: give its sentences"
            )
    stretches = stretches_of_texts([len(text) for text in texts])
    pairs = zip(texts[::2], texts[1::2], strict=True)
    read = (map(without_references, pair) for pair in pairs)
    seen = [one for pair in read for one in without_running_numbers(*without_useless_tags(*pair))]
    growing = [_Grown(text, seen[k], vocabularies[k % 2]) for k, text in enumerate(texts)]

    def cut(number: int) -> list[_Part]:
        """Cut a stretch into words, the sentences of each side together, since they share words."""
        return [
            _cut([one for k, *span in spans for one in seen[k].segments(*span)])
            for spans in _by_side(stretches[number])
        ]

    # Words are numbered here, in the order of the texts, and not when a stretch is cut, so that
    # numbers do not depend on the processes of `each`.
    for stretch, parts in zip(stretches, each(cut, range(len(stretches))), strict=True):
        for spans, part in zip(_by_side(stretch), parts, strict=True):
            if not spans:
                continue
            words = _Words.of(part, vocabularies[spans[0][0] % 2])
            ends = prefix(np.array([last - first for _, first, last in spans], dtype=np.int64))
            for (k, _, _), begin, end in zip(spans, ends[:-1], ends[1:], strict=True):
                growing[k].add(words.some(int(begin), int(end)))
    return [one.side() for one in growing]


def _by_side(stretch: Sequence[tuple[int, int, int]]) -> list[list[tuple[int, int, int]]]:
    return [[span for span in stretch if span[0] % 2 == side] for side in (0, 1)]


class _Grown:
    """A side that grows part by part, without a copy when it is complete."""

    def __init__(self, text: Text, seen: TextView, vocabulary: Vocabulary) -> None:
        self._text, self._seen, self._vocabulary = text, seen, vocabulary
        size = len(text)
        self._letters, self._words = np.empty(size), np.empty(size, dtype=np.int32)
        self._ptr = np.zeros(size + 1, dtype=np.int64)
        self._ids, self._times = np.empty(0, dtype=np.int32), np.empty(0, dtype=np.uint16)
        self._size = 0

    def add(self, more: _Words) -> None:
        begin, size = self._size, int(self._ptr[self._size])
        ids, times = more.ids, more.times
        end, most = begin + len(more.letters), size + len(ids)
        self._size = end
        self._letters[begin:end], self._words[begin:end] = more.letters, more.words
        self._ptr[begin + 1 : end + 1] = size + more.ptr[1:]
        if most > len(self._ids):
            # The expected number for all sentences, judged by those so far, plus a margin: growing
            # repeatedly would fragment memory.
            self._resize(most * len(self._letters) // end * 17 // 16)
        self._ids[size:most], self._times[size:most] = ids, times

    def _resize(self, size: int) -> None:
        # No other object refers to the arrays.
        self._ids.resize(size, refcheck=False)
        self._times.resize(size, refcheck=False)

    def side(self) -> Side:
        self._resize(int(self._ptr[-1]))
        return Side(
            text=self._text,
            seen=self._seen,
            vocabulary=self._vocabulary,
            letters=self._letters,
            words=self._words,
            ptr=self._ptr,
            ids=self._ids,
            times=self._times,
        )


def stretches_of_texts(sizes: Sequence[int]) -> list[list[tuple[int, int, int]]]:
    """Divide texts into runs of sentences of about equal size: text, first, last."""
    stretches: list[list[tuple[int, int, int]]] = []
    room = 0
    for k, size in enumerate(sizes):
        first = 0
        while first < size:
            if not room:
                stretches.append([])
                room = _SENTENCES_AT_ONCE
            last = min(size, first + room)
            stretches[-1].append((k, first, last))
            room -= last - first
            first = last
    return stretches


def _cut(sentences: list[str]) -> _Part:
    excerpts = [sentence[:_MOST_CHARACTERS] for sentence in sentences]
    number, words, forms = numbered(excerpts)
    sizes = words
    if words.max(initial=0) > _MOST_WORDS:
        is_early = _are_early(number, np.repeat(np.arange(len(excerpts)), words))
        sizes = np.diff(prefix(is_early.astype(np.int64))[prefix(words)])
        number = number[is_early]
    return _Part(letters_of(excerpts), words, sizes, number, forms)


def _are_early(number: NDArray[np.int32], sentence: Ints) -> Bools:
    """Mark the words that are among the first different ones of their sentences."""
    wide = int(number.max(initial=0)) + 1
    keys, first, index = np.unique(sentence * wide + number, return_index=True, return_inverse=True)
    order = np.lexsort((first, keys // wide))
    different = prefix(np.bincount(keys // wide))
    early = np.empty(len(keys), dtype=bool)
    early[order] = np.arange(len(keys)) - different[keys[order] // wide] < _MOST_WORDS
    return early[index]


class _Words(NamedTuple):
    """Some sentences with their words as numbers of a vocabulary, as in `Side`."""

    letters: Floats
    words: Ints
    ptr: Ints
    ids: NDArray[np.int32]
    times: NDArray[np.uint16]

    @classmethod
    def of(cls, part: _Part, vocabulary: Vocabulary) -> _Words:
        """Number the distinct words of each sentence, and count them.

        The numbers are those of a vocabulary, which grows; they ascend within a sentence.
        """
        numbers = vocabulary.numbers(part.forms)[part.ids]
        once = np.ones(len(numbers), dtype=np.uint16)
        ids, times, ptr = _by_sentence(numbers, once, part.sizes)
        return cls(part.letters, part.words, ptr, ids, times)

    def some(self, first: int, last: int) -> _Words:
        """Return the words of the sentences from `first` up to `last`."""
        ptr = self.ptr[first : last + 1]
        occurrences = slice(int(ptr[0]), int(ptr[-1]))
        return _Words(
            self.letters[first:last],
            self.words[first:last],
            ptr - ptr[0],
            self.ids[occurrences],
            self.times[occurrences],
        )


def _by_sentence(
    numbers: NDArray[np.int32], times: NDArray[np.uint16], sizes: Ints
) -> tuple[NDArray[np.int32], NDArray[np.uint16], Ints]:
    """Sort the words of each sentence by their numbers, and add up the counts of equal ones.

    Returns the words, their counts, 65,535 at most, and the offsets of the sentences.
    """
    ptr = prefix(sizes)
    most = (1 << _TIMES) - 1
    if (kernels := word_kernels.after(0)) is not None:
        ids, sums = (np.empty(len(numbers), dtype=np.int32) for _ in range(2))
        ends = np.empty_like(ptr)
        room = np.empty(sizes.max(initial=0), dtype=np.int64)
        kernels.sorted_rows(numbers, times, ptr[:-1], ptr[1:], room, ids, sums, ends)
        return ids[: ends[-1]], np.minimum(sums[: ends[-1]], most).astype(np.uint16), ends
    words, counts, different = [numbers[:0]], [times[:0]], [sizes[:0]]
    for first in range(0, len(sizes), _MOST_SORTED):
        own = sizes[first : first + _MOST_SORTED]
        part = slice(ptr[first], ptr[first + len(own)])
        # Sentence, word and count in one number: sorting these is faster than an indirect sort.
        keys = numbers[part].astype(np.int64) << _TIMES
        keys += np.repeat(np.arange(len(own)), own) << (_TIMES + _NUMBERS)
        keys += times[part]
        keys.sort(kind="stable")  # merges runs: the sentences ascend
        opens = np.flatnonzero(np.diff(keys >> _TIMES, prepend=-1))
        ends = np.append(opens[1:], len(keys))[: len(opens)]
        total = prefix(keys & most)
        keys = keys[opens] >> _TIMES
        words.append((keys & (1 << _NUMBERS) - 1).astype(np.int32))
        counts.append(np.minimum(total[ends] - total[opens], most).astype(np.uint16))
        different.append(np.bincount(keys >> _NUMBERS, minlength=len(own)))
    return np.concatenate(words), np.concatenate(counts), prefix(np.concatenate(different))
