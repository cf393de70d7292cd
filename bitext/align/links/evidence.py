"""Evidence for word links beside co-occurrence: spelling, frequency, and families of words.

Word pairs are sorted into classes, by the similarity of their letters and by the ratio of their
frequencies. The lift of a class, the ratio of the odds of a link to those by chance, is estimated
from the links themselves in each iteration: similar letters count in related languages, and hardly
in others. Words of one family share their statistics: they have the same beginning, or the same
ending in languages that inflect by prefixes.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bitext.align.links.corpus import Words
from bitext.align.links.similarity import CLASSES, near_lifts
from bitext.align.sentences.lexical.translation_model import beginning_of
from bitext.align.sentences.lexical.word_links import WordPairs
from bitext.kernels.arrays import Floats, Ints, Singles, distinct_below
from bitext.kernels.word_links import JUMPS

if TYPE_CHECKING:
    AnyFloats = Singles | Floats
    Sides = tuple[Floats, Floats]

# Letters: an n-gram of a word sets one of `_SET_BITS` bits; collisions add about 1 n-gram to 5 x 5.
_SET_BITS = 512
_COMPARED_LETTERS = 24  # letters of a word that are compared
_MIXERS = (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9)  # odd multipliers of hashes
_WORD_PAIRS_AT_ONCE = 1 << 16  # word pairs compared at once: memory only
_VOWELS = re.compile("[aeiouhwy]+")  # letters that other scripts omit, or spell in many ways
_SEPARATOR = re.compile("(?<=[0-9])[.,'’](?=[0-9])")  # of thousands or decimals
_SIMILARITY_CLASSES = 8  # classes of similarity; equal words are one more
_WORD_KINDS = 6  # short, medium and long words; numbers; marks; words of different kinds
# Classes of the ratio of frequencies, in octaves either way; all above are the last
_FREQUENCY_CLASSES = 5
_PRIOR_LINKS = 2.0  # links at the prior rate, added to each class; set by hand
_LARGEST_SHARE = 0.95  # largest share of the cells of a class that counts as linked; set by hand
# Prior lifts, which a few links confirm or not: a name that occurs once in two texts is otherwise
# as any other pair. Set by hand: see scripts/bench/link_constants.md.
_IDENTICAL_LIFT = 50.0  # of equal numbers, marks and long words
_SIMILAR_LIFT = 7.0  # of equal words of three to five letters, and of similar long words
_SIMILAR_STEP = 5  # the first step of similar words
# Families by endings, as in Swahili: where far more words share endings than beginnings.
_ENDING_LETTERS = 4  # letters, as of beginnings
_LONG_WORD_LETTERS = 6  # letters of words that are compared for it
_LEAST_SHARED_PART = 0.6  # share of the letters of a word that are its beginning or ending
_LEAST_PREFIXING_RATIO = 1.8  # times as many words; suffixing languages have 0.1 to 1, Swahili 10
_FEWEST_WORDS = 50  # words that show it
_COMMON_WORDS = 1000  # frequent words that show the script of a text


class Lexemes(NamedTuple):
    """Properties of the words of one side."""

    # `letters`, `consonants`: the letter n-grams of each word in Latin letters, with vowels and
    # without, as sets of bits; shape (vocabulary, 8).
    letters: NDArray[np.uint64]
    consonants: NDArray[np.uint64]
    # A number that equal words of both sides share. Shape (vocabulary,).
    spelling: Ints
    # 0 for a word of one or two letters, 1 of three to five, 2 of more. Shape (vocabulary,).
    size: Ints
    # 0 for words with a letter, 1 for numbers, 2 for marks. Shape (vocabulary,).
    kind: Ints
    family: Ints  # the number of the family of each word; shape (vocabulary,)
    share: Floats  # the relative frequency of a word; shape (vocabulary,)
    # The relative frequency of a word in its family. Shape (vocabulary,).
    within: Floats
    script: str  # the script of most frequent words, as in Unicode names: `LATIN`

    @classmethod
    def of(cls, words: Words, spellings: dict[str, int]) -> Lexemes:
        """Compute the properties of words; new spellings are added to `spellings`."""
        forms = words.forms
        latin = _latin(forms)
        families: dict[str, int] = {}
        key = _ending_of if _inflects_by_prefixes(forms) else beginning_of
        family = [families.setdefault(key(form), len(families)) for form in forms]
        families_of = np.array(family, dtype=np.int64)
        of_family = np.bincount(families_of, words.tally, len(families))
        spelling = [spellings.setdefault(_spelled(word), len(spellings)) for word in latin]
        sizes = np.array([len(word) for word in latin], dtype=np.int64)
        return cls(
            _letter_sets(latin),
            _letter_sets([_VOWELS.sub("", word) or word for word in latin]),
            np.array(spelling, dtype=np.int64),
            np.minimum(sizes, 8) // 3,
            np.array([_kind(form) for form in forms], dtype=np.int64),
            families_of,
            words.tally / max(words.tally.sum(), 1.0),
            words.tally / of_family[families_of],
            _script(forms[:_COMMON_WORDS]),
        )


def _ending_of(word: str) -> str:
    return word[-_ENDING_LETTERS:] if word.isalpha() else word


def _inflects_by_prefixes(forms: Sequence[str]) -> bool:
    """Check whether far more longer words share an ending than a beginning with another."""
    words = [form for form in forms if len(form) >= _LONG_WORD_LETTERS and form.isalpha()]
    if len(words) < _FEWEST_WORDS:
        return False
    sharing_words = []
    for order in (1, -1):
        spelled = [word[::order] for word in words]
        shared = [
            word[: max(_ENDING_LETTERS, math.ceil(_LEAST_SHARED_PART * len(word)))]
            for word in spelled
        ]
        wanted_parts = set(shared)
        counts = Counter(
            word[:size]
            for word in spelled
            for size in range(_ENDING_LETTERS, len(word) + 1)
            if word[:size] in wanted_parts
        )
        sharing_words.append(sum(counts[beginning] > 1 for beginning in shared))
    return sharing_words[1] > _LEAST_PREFIXING_RATIO * sharing_words[0]


def _latin(forms: Sequence[str]) -> list[str]:
    """Transliterate words to Latin letters in lower case."""
    if all(form.isascii() for form in forms):
        return list(forms)
    from anyascii import anyascii

    return [form if form.isascii() else (anyascii(form).lower().strip() or form) for form in forms]


def _spelled(word: str) -> str:
    """Return a word, or a number without the separators of its digits, as 1700 for 1,700."""
    return _SEPARATOR.sub("", word) if word[:1].isdigit() else word


def _kind(form: str) -> int:
    if any(character.isalpha() for character in form):
        return 0
    return 1 if any(character.isdigit() for character in form) else 2


def _script(forms: Sequence[str]) -> str:
    counts_of_scripts: dict[str, int] = {}
    for form in forms:
        if form[:1].isalpha():
            script = unicodedata.name(form[0], "").partition(" ")[0]
            counts_of_scripts[script] = counts_of_scripts.get(script, 0) + 1
    return max(counts_of_scripts, key=lambda script: counts_of_scripts[script], default="")


def _letter_sets(words: Sequence[str]) -> NDArray[np.uint64]:
    """Return the hashed letter bigrams and trigrams of words, with one mark at both ends."""
    codes = np.zeros((len(words), _COMPARED_LETTERS + 3), dtype=np.uint64)
    codes[:, 0] = 1
    text = np.array(words, dtype=f"U{_COMPARED_LETTERS}").reshape(-1)
    codes[:, 1:-2] = text.view(np.uint32).reshape(len(words), _COMPARED_LETTERS)
    sets = np.zeros((len(words), _SET_BITS // 64), dtype=np.uint64)
    first, second, third = (np.uint64(mixer) for mixer in _MIXERS)
    row = np.arange(len(words))
    longest = min(max(map(len, words), default=0), _COMPARED_LETTERS)
    for k in range(longest + 1):
        bigram = codes[:, k] * first + codes[:, k + 1] * second
        trigram = bigram + (codes[:, k + 2] + np.uint64(1)) * third
        for gram, is_letter in ((bigram, codes[:, k] > 0), (trigram, codes[:, k + 1] > 0)):
            bit = (gram ^ (gram >> np.uint64(29))) * third >> np.uint64(
                64 - _SET_BITS.bit_length() + 1
            )
            word_rows = row[is_letter]
            sets[word_rows, bit[is_letter] >> np.uint64(6)] |= np.uint64(1) << (
                bit[is_letter] & np.uint64(63)
            )
    return sets


class Classes(NamedTuple):
    """The classes of the word pairs of a block."""

    # `spelling`, `frequency`: the class of each pair by similarity of letters, and by ratio of
    # frequencies; shape (word pairs,).
    spelling: Ints
    frequency: Ints
    family: Ints  # the number of the pair of families; shape (word pairs,)
    # `src_family`, `tgt_family`: the families of both sides; shape (pairs of families,).
    src_family: Ints
    tgt_family: Ints


class PairClasses(NamedTuple):
    """The classes of one word pair, for an explanation."""

    similarity: float  # the Dice coefficient of the letter n-grams
    identical: bool  # whether both are spelled alike in Latin letters
    # `spelling`, `frequency`: the lifts of its classes.
    spelling: float
    frequency: float


class Evidence(NamedTuple):
    """The properties of the words of both sides."""

    src: Lexemes
    tgt: Lexemes

    @classmethod
    def of(cls, src: Words, tgt: Words) -> Evidence:
        """Compute the properties of the words of both sides."""
        spellings: dict[str, int] = {}
        return cls(Lexemes.of(src, spellings), Lexemes.of(tgt, spellings))

    def classes(
        self, src: NDArray[np.int32], tgt: NDArray[np.int32], counts: tuple[Words, Words]
    ) -> Classes:
        """Sort word pairs into classes."""
        similar = self._similarity(src, tgt)
        step = np.minimum((similar * _SIMILARITY_CLASSES).astype(np.int64), _SIMILARITY_CLASSES - 1)
        step[self.src.spelling[src] == self.tgt.spelling[tgt]] = _SIMILARITY_CLASSES
        kinds = self.src.kind[src], self.tgt.kind[tgt]
        sizes = np.minimum(self.src.size[src], self.tgt.size[tgt])
        kind = np.where(kinds[0] == 0, sizes, 2 + kinds[0])
        kind[kinds[0] != kinds[1]] = _WORD_KINDS - 1
        ratio = np.log2(counts[0].tally)[src] - np.log2(counts[1].tally)[tgt]
        octave = (
            np.clip(np.rint(ratio), -_FREQUENCY_CLASSES, _FREQUENCY_CLASSES).astype(np.int64)
            + _FREQUENCY_CLASSES
        )
        wide = int(self.tgt.family.max(initial=0)) + 1
        limit = wide * (int(self.src.family.max(initial=0)) + 1)
        pairs, family = distinct_below(self.src.family[src] * wide + self.tgt.family[tgt], limit)
        families = family.astype(np.int64), pairs // wide, pairs % wide
        return Classes(step * _WORD_KINDS + kind, octave, *families)

    def _similarity(self, src: NDArray[np.int32], tgt: NDArray[np.int32]) -> Singles:
        similar = _dice(self.src.letters, self.tgt.letters, src, tgt)
        if self.src.script != self.tgt.script:
            other = _dice(self.src.consonants, self.tgt.consonants, src, tgt)
            np.maximum(similar, other, out=similar)
        return similar

    def of_pair(self, src: int, tgt: int, counts: tuple[Words, Words], lifts: Lifts) -> PairClasses:
        """Return the classes of one word pair, with their lifts."""
        both = np.array([src], dtype=np.int32), np.array([tgt], dtype=np.int32)
        classes = self.classes(*both, counts)
        return PairClasses(
            float(self._similarity(*both)[0]),
            bool(self.src.spelling[src] == self.tgt.spelling[tgt]),
            float(lifts.spelling[classes.spelling[0]]),
            float(lifts.frequency[classes.frequency[0]]),
        )


def _dice(
    left: NDArray[np.uint64],
    right: NDArray[np.uint64],
    first: NDArray[np.int32],
    second: NDArray[np.int32],
) -> Singles:
    """Compute the Dice coefficient of the letter n-grams of pairs of words."""
    sizes = [np.bitwise_count(sets).sum(axis=1, dtype=np.float32) for sets in (left, right)]
    result = np.empty(first.size, dtype=np.float32)
    for begin in range(0, first.size, _WORD_PAIRS_AT_ONCE):
        left_words = first[begin : begin + _WORD_PAIRS_AT_ONCE]
        right_words = second[begin : begin + _WORD_PAIRS_AT_ONCE]
        shared = np.bitwise_count(left[left_words] & right[right_words]).sum(
            axis=1, dtype=np.float32
        )
        result[begin : begin + _WORD_PAIRS_AT_ONCE] = (
            2 * shared / (sizes[0][left_words] + sizes[1][right_words])
        )
    return result


def _prior_lifts() -> Floats:
    """Return the lifts of the classes of spelling before any link is known."""
    lifts = np.ones((_SIMILARITY_CLASSES + 1, _WORD_KINDS))
    lifts[_SIMILARITY_CLASSES, 1] = lifts[_SIMILAR_STEP:_SIMILARITY_CLASSES, 2] = _SIMILAR_LIFT
    lifts[_SIMILARITY_CLASSES, 2:-1] = _IDENTICAL_LIFT
    return lifts.reshape(-1)


class Lifts(NamedTuple):
    """The ratios of the odds that word pairs of each class are linked to the odds by chance."""

    # `spelling`, `frequency`: shape (classes,) each.
    spelling: Floats
    frequency: Floats

    @classmethod
    def none(cls) -> Lifts:
        """Return lifts of 1, for links that are not known yet."""
        return cls(
            np.ones((_SIMILARITY_CLASSES + 1) * _WORD_KINDS), np.ones(2 * _FREQUENCY_CLASSES + 1)
        )

    @classmethod
    def estimate(cls, classes: Classes, links: Floats, chance: Floats, cells: Floats) -> Lifts:
        """Estimate the lifts of spelling, and beside them those of frequency.

        The arrays, of shape (word pairs,), have for each word pair the expected number of links,
        their number if words were linked at random, and how many times both words are in one
        sentence pair.

        In a sentence pair of 20 words, no class is linked more than 20 times as often as by chance,
        even if all equal words are linked; only those of `_LARGEST_SHARE` bound their odds.
        """
        none = cls.none()
        rate = links.sum() / max(chance.sum(), 1.0)
        if not rate:
            return none
        shrunk = _PRIOR_LINKS * rate
        expected = chance * rate
        prior = _prior_lifts()
        spelling = (np.bincount(classes.spelling, links, none.spelling.size) + shrunk) / (
            np.bincount(classes.spelling, expected, none.spelling.size) + shrunk / prior
        )
        expected *= spelling[classes.spelling]
        linked = np.bincount(classes.spelling, links, none.spelling.size)
        share = linked / (np.bincount(classes.spelling, cells, none.spelling.size) + 1)
        every = linked.sum() / (cells.sum() + 1)
        spelling *= (1 - min(every, _LARGEST_SHARE)) / (1 - np.minimum(share, _LARGEST_SHARE))
        frequency = (np.bincount(classes.frequency, links, none.frequency.size) + shrunk) / (
            np.bincount(classes.frequency, expected, none.frequency.size) + shrunk
        )
        return cls(spelling, frequency)

    def of(self, classes: Classes) -> Floats:
        """Return the lift of each word pair."""
        result: Floats = self.spelling[classes.spelling]
        result *= self.frequency[classes.frequency]
        return result


# Expected counts of word links: of one block, of several, and those that a model is made from.


# Links that a known translation counts for, times its probability; set by hand
_LINKS_OF_TRANSLATION = 10.0


class Memory(NamedTuple):
    """Expected counts of the blocks so far."""

    # `source word * size of the target vocabulary + target word`, ascending. Shape (word pairs,).
    key: Ints
    # The expected number of links of each word pair; those near 0 are left out. Shape (word
    # pairs,).
    links: AnyFloats
    totals: Sides  # the expected number of links of each word of both sides; shape (vocabulary,)
    tokens: Sides  # the number of tokens of each word of both sides; shape (vocabulary,)
    jumps: Floats  # the expected number of jumps of each direction; shape (2, JUMPS)
    lifts: Lifts  # the lifts of these counts
    # Those of the classes of nearness; 1 without vectors. Shape (CLASSES,).
    near: Floats

    @classmethod
    def empty(cls, src: int, tgt: int, given: WordPairs | None = None) -> Memory:
        """Return the counts of no block, for vocabularies of two sizes, with known translations."""
        key, links = np.zeros(0, dtype=np.int64), np.zeros(0)
        totals = np.zeros(src), np.zeros(tgt)
        if given is not None:
            key, first_index = np.unique(
                given.src.astype(np.int64) * tgt + given.tgt, return_index=True
            )
            links = _LINKS_OF_TRANSLATION * np.sqrt(given.forward * given.backward)[first_index]
            totals = (
                np.bincount(key // tgt, links, src).astype(np.float64),
                np.bincount(key % tgt, links, tgt).astype(np.float64),
            )
        jumps = np.zeros((2, JUMPS))
        return cls(key, links, totals, totals, jumps, Lifts.none(), np.ones(CLASSES))

    @staticmethod
    def given(known: WordPairs, src: int, tgt: int) -> float:
        """Return the number of links that a known translation of two words counts as."""
        chance = np.sqrt(known.forward * known.backward)[(known.src == src) & (known.tgt == tgt)]
        return float(_LINKS_OF_TRANSLATION * chance[0]) if chance.size else 0.0

    def of(self, key: Ints) -> Floats:
        """Return the counts of word pairs."""
        if not self.key.size:
            return np.zeros(key.size)
        place = np.searchsorted(self.key, key).clip(max=self.key.size - 1)
        return np.where(self.key[place] == key, self.links[place], 0.0).astype(np.float64)

    def with_sums(
        self, totals: Sides, tokens: Sides, jumps: Floats, lifts: Lifts, near: Floats
    ) -> Memory:
        """Add the sums of one block, or of several, and take their lifts; word pairs stay."""
        return self._replace(
            totals=(self.totals[0] + totals[0], self.totals[1] + totals[1]),
            tokens=(self.tokens[0] + tokens[0], self.tokens[1] + tokens[1]),
            jumps=self.jumps + jumps,
            lifts=lifts,
            near=near,
        )

    def with_counts(self, counts: BlockCounts, tokens: Sides) -> Memory:
        """Add the counts of one block, or of several, with the tokens of their words."""
        key, links = _merged((self.key, self.links), (counts.key, counts.links))
        totals = (
            np.bincount(counts.src, counts.src_links, self.totals[0].size).astype(np.float64),
            np.bincount(counts.tgt, counts.tgt_links, self.totals[1].size).astype(np.float64),
        )
        return self.with_sums(
            totals, tokens, counts.jumps, counts.lifts(), near_lifts(*counts.near)
        )._replace(key=key, links=links)


class BlockCounts(NamedTuple):
    """The expected counts of a block after its training, or the sum of those of several."""

    key: Ints  # as in `Memory`; shape (word pairs,)
    # The expected number of links of each word pair; those below 0.01 are left out. Shape (word
    # pairs,).
    links: Singles
    # `src`, `tgt`: the words of both sides that have links, ascending; shape (words,).
    src: NDArray[np.int32]
    # `src_links`, `tgt_links`: their expected numbers of links, also of pairs that are left out;
    # shape (words,).
    src_links: Floats
    tgt: NDArray[np.int32]
    tgt_links: Floats
    jumps: Floats  # shape (2, JUMPS)
    # The expected links of all word pairs of each class, those by chance, and the cells. Shape (3,
    # classes of spelling, classes of frequency).
    classes: Floats
    # The expected links of the cells of each class of nearness, and those by chance; zeros without
    # vectors. Shape (2, CLASSES).
    near: Floats
    # The cells of the block with a posterior of 0.01 at least; none for a sum.
    cells: NDArray[np.int32]
    posteriors: NDArray[np.float16]  # their posteriors

    def lifts(self) -> Lifts:
        """Estimate the lifts from the links of each class."""
        wide = self.classes.shape[2]
        place = np.arange(self.classes[0].size)
        grid = Classes(place // wide, place % wide, place, place, place)
        return Lifts.estimate(grid, *self.classes.reshape(3, -1))

    def plus(self, other: BlockCounts) -> BlockCounts:
        """Return the sum, without posteriors."""
        src = _merged((self.src, self.src_links), (other.src, other.src_links))
        tgt = _merged((self.tgt, self.tgt_links), (other.tgt, other.tgt_links))
        return BlockCounts(
            *_merged((self.key, self.links), (other.key, other.links)),
            *src,
            *tgt,
            self.jumps + other.jumps,
            self.classes + other.classes,
            self.near + other.near,
            self.cells[:0],
            self.posteriors[:0],
        )


def summed(counts: Iterable[BlockCounts]) -> BlockCounts:
    """Add the counts of blocks up, in a fixed order: the sum of floats depends on it.

    Neighbours are added first, then neighbouring sums, so that each count is copied a few times
    only, and few sums are in memory.
    """
    sums: list[tuple[int, BlockCounts]] = []
    for each in counts:
        level, total = 0, each
        while sums and sums[-1][0] == level:
            total = sums.pop()[1].plus(total)
            level += 1
        sums.append((level, total))
    total = sums.pop()[1]
    while sums:
        total = sums.pop()[1].plus(total)
    return total


def _merged(
    first: tuple[NDArray[Any], NDArray[Any]], second: tuple[NDArray[Any], NDArray[Any]]
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Merge two lists of ascending keys with their values; add the values of equal keys."""
    if not (first[0].size and second[0].size):
        return first if first[0].size else second
    key = np.concatenate([first[0], second[0]])
    order = np.argsort(key, kind="stable")  # merges two ascending runs in linear time
    key = key[order]
    begin = np.flatnonzero(np.diff(key, prepend=key[0] - 1))
    values = np.concatenate([first[1], second[1]])[order]
    return key[begin], np.add.reduceat(values, begin)
