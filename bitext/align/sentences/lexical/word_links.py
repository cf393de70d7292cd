"""Linked words of two languages in arrays, as used for scores of beads."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bitext.align.sentences.texts import Side
from bitext.kernels.arrays import Bools, Floats, Ints, Singles, prefix, ranges
from bitext.kernels.compiled import compiled_kernels

_SENTENCES_AT_ONCE = 1 << 14  # sentences counted at once: memory only
_WORDS_AT_ONCE = 1 << 19  # words counted at once: memory only
# Set by hand: halving or doubling either does not change F1 (alignment_constants.py on parice).
# Smallest odds of a word times t / p of a link: changes a score of 20 words by 0.05
_LEAST_ODDS = 1.0
COMMON = 0.15  # share of sentence pairs: words that meet in more by chance are not evidence


class WordPairs(NamedTuple):
    """Linked words with translation probabilities."""

    # `src`, `tgt`: the numbers of the words, sorted by source, then by target.
    src: NDArray[np.int32]
    tgt: NDArray[np.int32]
    # `forward`, `backward`: the probabilities t(tgt|src) and t(src|tgt).
    forward: Floats
    backward: Floats
    # `known_src`, `known_tgt`: the share of each word that links explain, 0 to 0.8; shape
    # (vocabulary,).
    known_src: Floats
    known_tgt: Floats

    @classmethod
    def alike(
        cls,
        words: tuple[Ints, Ints],
        probability: Floats,
        *,
        sizes: tuple[int, int],
        known: Floats | float = 1.0,
    ) -> WordPairs:
        """Make pairs with the same probability in both directions.

        `words` has the source and the target word of each pair, in any order; `sizes` the sizes of
        both vocabularies. `known` is the share of both words that a pair explains, for each 1 of
        its probability.

        Examples
        --------
        >>> words = np.array([3, 0]), np.array([1, 2])
        >>> pairs = WordPairs.alike(words, np.array([0.5, 0.1]), sizes=(4, 3))
        >>> pairs.src.tolist(), pairs.forward.tolist(), pairs.known_tgt.tolist()
        ([0, 3], [0.1, 0.5], [0.0, 0.5, 0.1])

        """
        shares = [np.zeros(size) for size in sizes]
        for share, side in zip(shares, words, strict=True):
            np.maximum.at(share, side, known * probability)
        order = np.lexsort(words[::-1])
        src, tgt = (side[order].astype(np.int32) for side in words)
        return cls(src, tgt, probability[order], probability[order], shares[0], shares[1])

    def chosen(self, pairs: Bools) -> WordPairs:
        """Return the marked pairs."""
        return self._replace(
            src=self.src[pairs],
            tgt=self.tgt[pairs],
            forward=self.forward[pairs],
            backward=self.backward[pairs],
        )


class WordShares(NamedTuple):
    """Shares of the words of one language that links explain, and functions of the shares."""

    # The share l of each word that links explain, 0 to 0.8. Shape (vocabulary,).
    known: Floats
    # `odds`, `silent`: l / (1 - l), and log(1 - l): the score of a word in a bead without a word
    # that explains it; shape (vocabulary,).
    odds: Floats
    silent: Floats
    linked: Bools  # the mask of words with a link; shape (vocabulary,)

    @classmethod
    def of(cls, known: Floats, linked: NDArray[np.integer]) -> WordShares:
        """Compute the functions of the shares of words, and mark the linked words."""
        mask = np.zeros(len(known), dtype=bool)
        mask[linked] = True
        return cls(known, known / (1 - known), np.log1p(-known), mask)


class LinksByTarget(NamedTuple):
    """Links in rows of target words, as `Links` has them in rows of source words."""

    ptr: Ints
    src: NDArray[np.int32]
    forward: Floats


class Scratch:
    """Memory of compiled kernels, which grows and is used again."""

    def __init__(self) -> None:
        self._values = np.zeros(0, np.float32)
        self._rooms = np.zeros(0, np.int32), np.zeros(0, np.float32), np.zeros(0)

    def of_size(self, size: int) -> Singles:
        """Return an array of at least `size` numbers with any values."""
        if len(self._values) < size:
            self._values = np.empty(size, np.float32)
        return self._values

    def rooms(self, sizes: tuple[int, int, int]) -> tuple[NDArray[np.int32], Singles, Floats]:
        """Return arrays of at least as many integers and numbers of 32 and 64 bits."""
        known = [room.size for room in self._rooms]
        if any(size > room for room, size in zip(known, sizes, strict=True)):
            ints, singles, floats = map(max, known, sizes)
            self._rooms = np.empty(ints, np.int32), np.empty(singles, np.float32), np.empty(floats)
        return self._rooms


@dataclass(frozen=True, eq=False)
class Links:
    """Linked words in rows of source words, for scores of beads."""

    ptr: Ints  # shape (source vocabulary + 1,)
    tgt: NDArray[np.int32]  # the words linked with source word s are `tgt[ptr[s]:ptr[s + 1]]`
    # `forward`, `backward`: t(tgt|src) / p(tgt), and t(src|tgt) / p(src); 0 if the change of any
    # score is small.
    forward: Floats
    backward: Floats
    src_shares: WordShares
    tgt_shares: WordShares

    @cached_property
    def by_target(self) -> LinksByTarget:
        """The links in rows of target words, in which source words ascend."""
        order = np.argsort(self.tgt, kind="stable")
        source = np.repeat(np.arange(len(self.ptr) - 1, dtype=np.int32), np.diff(self.ptr))
        counts = np.bincount(self.tgt, minlength=len(self.tgt_shares.known))
        return LinksByTarget(prefix(counts), source[order], self.forward[order])

    @cached_property
    def scratch(self) -> Scratch:
        """Memory for the kernels of all texts that are scored by these links."""
        return Scratch()

    @cached_property
    def places(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """-1 for each word of both vocabularies, for kernels that leave them so."""
        src, tgt = len(self.src_shares.known), len(self.tgt_shares.known)
        return np.full(src, -1, dtype=np.int32), np.full(tgt, -1, dtype=np.int32)


def frequencies(sides: Iterable[Side], size: int) -> Floats:
    """Estimate the relative frequency of each word; never 0."""
    counts = np.zeros(size)
    for side in sides:
        weight = side.weight
        for first in range(0, len(side), _SENTENCES_AT_ONCE):
            ids, times, sentence = side.words_of(first, min(first + _SENTENCES_AT_ONCE, len(side)))
            counts += np.bincount(ids, times * weight[sentence], size)
    result: Floats = (counts + 0.5) / (counts.sum() + 100)
    return result


def shares_of(sides: Iterable[Side], size: int) -> Floats:
    """Return the share of the sentences of texts with each word.

    Two sentences are subtracted from each count, as shares in short texts are unreliable.
    """
    counts, sentences = np.zeros(size), 0
    for side in sides:
        for first in range(0, len(side.ids), _WORDS_AT_ONCE):
            counts += np.bincount(side.ids[first : first + _WORDS_AT_ONCE], minlength=size)
        sentences += len(side)
    return np.maximum(counts - 2, 0) / max(sentences, 1)


def renumbered(pairs: WordPairs, src: Ints, tgt: Ints, *, sizes: tuple[int, int]) -> WordPairs:
    """Renumber word pairs of parts of two vocabularies for the whole vocabularies.

    `src` and `tgt` have the number in the whole vocabulary of each word of the part, ascending;
    `sizes` are the sizes of both whole vocabularies.

    Examples
    --------
    >>> words = np.array([0, 1]), np.array([1, 0])
    >>> part = WordPairs.alike(words, np.array([0.5, 0.1]), sizes=(2, 2))
    >>> whole = renumbered(part, np.array([3, 7]), np.array([0, 2]), sizes=(9, 4))
    >>> whole.src.tolist(), whole.tgt.tolist(), whole.known_tgt.tolist()
    ([3, 7], [2, 0], [0.1, 0.0, 0.5, 0.0])

    """
    known = np.zeros(sizes[0]), np.zeros(sizes[1])
    known[0][src], known[1][tgt] = pairs.known_src, pairs.known_tgt
    return pairs._replace(
        src=src[pairs.src].astype(np.int32),
        tgt=tgt[pairs.tgt].astype(np.int32),
        known_src=known[0],
        known_tgt=known[1],
    )


def without_common(pairs: WordPairs, src: Floats, tgt: Floats) -> WordPairs:
    """Remove word pairs that co-occur nearly everywhere, such as full stops.

    `src` and `tgt`, of shape (vocabulary,), have the share of sentences with each word. The
    explained share of a word without remaining pairs becomes 0.
    """
    rare = np.flatnonzero(src[pairs.src] * tgt[pairs.tgt] <= COMMON)
    linked = np.zeros(len(src), dtype=bool), np.zeros(len(tgt), dtype=bool)
    linked[0][pairs.src[rare]] = True
    linked[1][pairs.tgt[rare]] = True
    return WordPairs(
        src=pairs.src[rare],
        tgt=pairs.tgt[rare],
        forward=pairs.forward[rare],
        backward=pairs.backward[rare],
        known_src=pairs.known_src * linked[0],
        known_tgt=pairs.known_tgt * linked[1],
    )


def join_pairs(lexicons: Sequence[WordPairs]) -> WordPairs:
    """Merge word pairs of the same vocabularies, with the highest value of each."""
    wide = len(lexicons[0].known_tgt) + 1
    key = np.concatenate([one.src.astype(np.int64) * wide + one.tgt for one in lexicons])
    keys, key_index = np.unique(key, return_inverse=True)
    forward, backward = np.zeros(len(keys)), np.zeros(len(keys))
    np.maximum.at(forward, key_index, np.concatenate([one.forward for one in lexicons]))
    np.maximum.at(backward, key_index, np.concatenate([one.backward for one in lexicons]))
    return WordPairs(
        src=(keys // wide).astype(np.int32),
        tgt=(keys % wide).astype(np.int32),
        forward=forward,
        backward=backward,
        known_src=np.maximum.reduce([one.known_src for one in lexicons]),
        known_tgt=np.maximum.reduce([one.known_tgt for one in lexicons]),
    )


def links_of(pairs: WordPairs, src: Floats, tgt: Floats) -> Links:
    """Return word pairs as links, without links that hardly change a score.

    Pairs ascend by source, each pair once, as `join_pairs` returns them. `src` and `tgt`, of shape
    (vocabulary,), have the relative frequency of each word.
    """
    forward, backward = pairs.forward / tgt[pairs.tgt], pairs.backward / src[pairs.src]
    known = pairs.known_src[pairs.src], pairs.known_tgt[pairs.tgt]
    backward, forward = (
        np.where(share * ratio >= _LEAST_ODDS * (1 - share), ratio, 0.0)
        for share, ratio in zip(known, (backward, forward), strict=True)
    )
    nonzero = np.flatnonzero((forward > 0) | (backward > 0))
    source, target = pairs.src[nonzero], pairs.tgt[nonzero]
    return Links(
        ptr=prefix(np.bincount(source, minlength=len(src))),
        tgt=target,
        forward=forward[nonzero],
        backward=backward[nonzero],
        src_shares=WordShares.of(pairs.known_src, source),
        tgt_shares=WordShares.of(pairs.known_tgt, target),
    )


# Linked words of a text, computed for a range of sentences at a time.
#
# Values of a word are stored by its number in the vocabulary; values of its occurrences are
# computed when a range of sentences is scored. A long text then needs memory for its words and for
# running sums of its sentences only.

_SUMMED_AT_ONCE = 1 << 12  # sentences summed at once: memory only


class LinkedWords(NamedTuple):
    """Linked words of some ranges of sentences of one side.

    `tile` has the range of each distinct word of it, and `ids` its number, both ascending; `share`
    is l / (1 - l). The items of word k are the `number[k]` items from `begin[k]` on. An item has a
    sentence, counted from the first of the range, and the weighted count of the word there.
    """

    tile: Ints
    ids: Ints
    share: Floats
    begin: Ints
    number: Ints
    sentence: Ints
    times: Floats


class KnownWords:
    """Linked words of one side of a pair of texts, with running sums over its sentences.

    Attributes
    ----------
    nothing : array of float64, shape (sentences + 1,)
        The running sum of log(1 - l) of all words: their score without words that explain them.
    weight : array of float64, shape (sentences,)
        The weight of a word of each sentence.
    room : array of float64, shape (sentences + 1,)
        The running sum of 1 + the weighted number of words of each sentence.

    """

    def __init__(self, side: Side, shares: WordShares) -> None:
        self._side, self._shares = side, shares
        self.weight = weight = side.weight
        if (kernels := compiled_kernels(len(side.ids))) is not None:
            self.nothing, self.room = np.empty(len(side) + 1), np.empty(len(side) + 1)
            kernels.known_words(
                *(side.ptr, side.ids, side.times, side.words, weight, shares.silent),
                *(self.nothing, self.room),
            )
            return
        parts = []
        for first in range(0, len(side), _SUMMED_AT_ONCE):
            last = min(first + _SUMMED_AT_ONCE, len(side))
            ids, times, sentence = side.words_of(first, last)
            silent_weights = times * weight[sentence] * shares.silent[ids]
            parts.append(np.bincount(sentence - first, silent_weights, last - first))
        self.nothing = prefix(np.concatenate([np.zeros(0), *parts]))
        self.room = prefix(side.words * weight + 1.0)

    def many(self, first: int, last: int) -> int:
        """Count the words of a range of sentences, linked or not."""
        return int(self._side.ptr[last] - self._side.ptr[first])

    def silence(self, first: Ints, count: int) -> Floats:
        """Return the score of `count` sentences from each of `first`, without explaining words."""
        ends = first[:, None] + np.arange(count + 1)
        sums: Floats = self.nothing[np.minimum(np.maximum(ends, 0), len(self.nothing) - 1)]
        return sums[:, 1:] - sums[:, :-1]

    def room_of(self, end: Ints, count: int, most: int) -> Floats:
        """Count the sentences and words of the last 1 to `most` sentences at some points.

        Each range has `count` points from `end` on; a point is the number of sentences before it.
        Counts have the shape (ranges, most, count).
        """
        ends = end[:, None] + np.arange(-most, count)
        sums = self.room[np.minimum(np.maximum(ends, 0), len(self.room) - 1)]
        room = np.empty((len(end), most, count))
        for k in range(1, most + 1):
            np.subtract(sums[:, most:], sums[:, most - k : most - k + count], out=room[:, k - 1])
        return room

    def words(self, first: Ints, count: int) -> LinkedWords:
        """Return the linked words of `count` sentences from each of `first`.

        Sentences outside of the text have no words.
        """
        side, size = self._side, len(self._side)
        low, high = (np.minimum(np.maximum(at, 0), size) for at in (first, first + count))
        word_counts = side.ptr[high] - side.ptr[low]
        word = ranges(side.ptr[low], word_counts)
        tile = np.repeat(np.arange(len(first)), word_counts)
        sentences = ranges(low, high - low)
        sentence = np.repeat(sentences, side.ptr[sentences + 1] - side.ptr[sentences])
        ids = side.ids[word]
        linked = self._shares.linked[ids].nonzero()[0]
        # Words are sorted with their indices in the low 32 bits, which is faster than `argsort`.
        wide = len(self._shares.linked)
        ordered = tile[linked] * wide
        ordered += ids[linked]
        ordered <<= 32
        ordered += linked
        ordered.sort()
        words = ordered >> 32
        ordered &= 0xFFFFFFFF
        new = np.ones(len(words), dtype=bool)
        np.not_equal(words[1:], words[:-1], out=new[1:])
        begin = new.nonzero()[0]
        end = np.full_like(begin, len(words))
        end[:-1] = begin[1:]
        different, item = words[begin], ordered
        own, of = sentence[item], different // wide
        return LinkedWords(
            tile=of,
            ids=different - of * wide,
            share=self._shares.odds[different - of * wide],
            begin=begin,
            number=end - begin,
            sentence=own - first[tile[item]],
            times=side.times[word[item]] * self.weight[own],
        )
