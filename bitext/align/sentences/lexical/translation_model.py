"""Which words translate which, and how likely.

A lexicon is learned from beads by the first model of Brown, Della Pietra, Della Pietra and Mercer
(1993): each word of the target stands there because of one word of the source sentences of its
bead, or of none (NULL, which yields any word as frequent as it is). The chances are found by
expectation and maximisation, in both directions apart. From each expected count a part of one is
taken away (absolute discounting), so that what has been seen once is hardly believed.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bitext.align.sentences.lexical.vocabulary import is_word
from bitext.align.sentences.lexical.word_links import COMMON, WordPairs, join_pairs
from bitext.kernels.rows import prefix, ranges

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bitext.align.sentences.texts import SentencePair, Side

__all__ = [
    "ALIKE_WEIGHT",
    "FREQUENT",
    "LEAST",
    "MOST_SENTENCES",
    "MOST_WORD_PAIRS",
    "NULL",
    "BeadPoints",
    "Cooccurrence",
    "Translation",
    "WordFamilies",
    "WordsOfBeads",
    "adjusted_discount",
    "beginning_of",
    "cooccurrences",
    "informative_pairs",
    "is_near_duplicate",
    "learn",
    "learn_families",
    "links_of_members",
    "translation_probabilities",
]


# Which beads say the same as others, so that nothing is learned from the same thing many times.
#
# A formula that comes a hundred times, or a chapter that is printed twice, tells no more of its
# words than once: words that stand beside each other there by chance would seem to do so always. A
# copy is seldom exact: names and numbers are others, a sentence is left out, two are joined. So
# the words are divided into groups by their numbers, and a bead is a copy of the first one that
# has the same words in so many groups that these make up half of what the words of both tell.

# Set by hand. Change of F1 for half and twice, by alignment_constants.py on parice, text+berg and
# maligna: _RARE -.003 and -.003, _GROUPS 0 and -.003, _COPIED -.007 and 0.
_RARE = 8  # beads: a word in fewer does not make a bead another, as a name or number
_GROUPS = 24  # groups of words: few words of a bead in each, so that a name spoils one of many
_COPIED = 0.5  # share of the information of a bead that stands in the first, too
_BEADS_AT_ONCE = 1 << 14  # sums of groups worked on at once: memory only
_COMPARED = 1 << 18  # groups of beads compared at once: memory only
# Odd multipliers of a hash, of the source and the target (xxHash).
_FACTORS = (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F)
_MIX = 0xBF58476D1CE4E5B9  # odd multiplier of a hash (SplitMix64)


class _Words(NamedTuple):
    """The words of beads of one side that are not rare.

    Of each its bead, its group, a number at random of 40 bits, which goes by the word, and what it
    tells: the logarithm of how few beads have it.
    """

    bead: NDArray[np.int64]
    group: NDArray[np.uint8]
    code: NDArray[np.float64]
    tells: NDArray[np.float32]


def is_near_duplicate(
    src: tuple[NDArray[np.int64], NDArray[np.int64]],
    tgt: tuple[NDArray[np.int64], NDArray[np.int64]],
    *,
    beads: int,
    times: int = 2,
) -> NDArray[np.bool_]:
    """Mark the beads with nearly the words of `times` earlier ones, without rare words.

    Parameters
    ----------
    src, tgt : (array of int64, array of int64), each of shape (words of beads,)
        The words of all beads of one side: the bead, ascending, and the number of the word.
    beads : int
    times : int
        How often a bead is new.

    Returns
    -------
    array of bool, shape (beads,)
        Words are told apart by sums of some 40 bits: that others are taken for equal is unlikely.

    Examples
    --------
    >>> bead, word = np.repeat(np.arange(30), 2), np.tile([1, 2], 30)
    >>> int(is_near_duplicate((bead, word), (bead, word + 1), beads=30).sum())
    28

    """
    sides = [
        _frequent(*words, beads=beads, factor=factor)
        for words, factor in zip((src, tgt), _FACTORS, strict=True)
    ]
    first = _first_alike(sides, beads)
    # A copy of a copy is one of the first; each is one of an earlier bead, so this ends.
    while (first[first] != first).any():
        first = first[first]
    order = np.argsort(first, kind="stable")
    ordered = first[order]
    told = np.zeros(beads, dtype=bool)
    told[order] = np.arange(beads) - np.searchsorted(ordered, ordered) >= times
    return told


def _frequent(
    bead: NDArray[np.int64], word: NDArray[np.int64], *, beads: int, factor: int
) -> _Words:
    """Return the words that are in more than eight beads."""
    number = np.bincount(word) if len(word) else word
    often = np.flatnonzero(number[word] > _RARE) if len(word) else word
    bead, word = bead[often], word[often]
    mixed = (np.arange(len(number), dtype=np.uint64) + np.uint64(1)) * np.uint64(factor)
    mixed = (mixed ^ mixed >> np.uint64(29)) * np.uint64(_MIX)
    tells = np.log((beads + 1) / np.maximum(number, 1)).astype(np.float32)
    group = (mixed >> np.uint64(20)) % np.uint64(_GROUPS)
    code = (mixed >> np.uint64(24)).astype(np.float64) + 1.0
    return _Words(bead, group.astype(np.uint8)[word], code[word], tells[word])


def _first_alike(sides: list[_Words], beads: int) -> NDArray[np.int32]:
    """Return of each bead the first one that is nearly the same, or itself."""
    if not any(len(side.bead) for side in sides):
        return np.arange(beads, dtype=np.int32)
    worth = np.empty((_GROUPS, beads), dtype=np.float32)
    first = np.empty((_GROUPS, beads), dtype=np.int32)
    whole: NDArray[np.float64] = np.zeros(beads)
    step = max(1, _BEADS_AT_ONCE // max(beads, 1))
    for begin in range(0, _GROUPS, step):
        some = slice(begin, min(begin + step, _GROUPS))
        sums, worth[some] = _of_groups(sides, some, beads)
        first[some] = _first_equal(sums)
        for one in sums:
            whole += one
    same: NDArray[np.int32] = _first_equal(whole[None])[0]
    total = worth.sum(axis=0)
    step = max(1, _COMPARED // _GROUPS**2)
    for begin in range(0, beads, step):
        some = slice(begin, min(begin + step, beads))
        own = np.arange(some.start, some.stop, dtype=np.int32)
        # What each bead has in common with those that were first of its groups.
        others = first[:, some]
        alike = first[:, others] == others[:, None]
        common = np.where(alike, worth[:, None, some], 0).sum(axis=0)
        enough = _COPIED * np.maximum(total[some], total[others])
        common[(others >= own) | (common < enough)] = 0
        most = common.argmax(axis=0)
        at = most, np.arange(len(own))
        found = np.where(common[at] > 0, others[at], own)
        # Beads of frequent words only may have other beads in each group that were first.
        same[some] = np.where(same[some] < own, same[some], found)
    return same


def _of_groups(
    sides: list[_Words], groups: slice, beads: int
) -> tuple[NDArray[np.float64], NDArray[np.float32]]:
    """Return the sum of the words of each group in each bead, and what these tell."""
    shape = groups.stop - groups.start, beads
    sums, worth = np.zeros(shape), np.zeros(shape, dtype=np.float32)
    for side in sides:
        mine = np.flatnonzero((side.group >= groups.start) & (side.group < groups.stop))
        cell = (side.group[mine].astype(np.int64) - groups.start) * beads + side.bead[mine]
        sums += np.bincount(cell, side.code[mine], sums.size).reshape(shape)
        worth += np.bincount(cell, side.tells[mine], sums.size).reshape(shape)
    return sums, worth


def _first_equal(sums: NDArray[np.float64]) -> NDArray[np.int32]:
    """Return the first place of each number of a row; zeros are all different."""
    order = np.argsort(sums, axis=1, kind="stable")
    opens = np.diff(np.take_along_axis(sums, order, axis=1), axis=1, prepend=np.nan) != 0
    begin = np.maximum.accumulate(np.where(opens, np.arange(sums.shape[1]), 0), axis=1)
    result: NDArray[np.int32] = np.empty(sums.shape, dtype=np.int32)
    np.put_along_axis(result, order, np.take_along_axis(order, begin, axis=1), axis=1)
    np.copyto(result, np.arange(sums.shape[1]), where=sums == 0, casting="same_kind")
    return result


# Words that begin alike taken together, as most of them are forms of one word.
#
# Of a short text most words are met once or twice, and of languages that inflect, each time in
# another form: a lexicon of forms learns little from it. Taken together, the forms of a word are
# met often enough, and what is learned of them holds for each. To cut words off behind some
# letters is so crude that it serves any language that is written with letters; what is written
# without spaces is in pieces already.

# Set by hand: half changes F1 by -.010, twice by -.007 (alignment_constants.py, as above).
_LETTERS = 4  # letters that the forms of a word have in common
_SYLLABLES = 2  # characters in Hangul, where each is a syllable
_HANGUL = re.compile("[\uac00-\ud7a3]")
# What Arabic writes together with a word: and, so; in, as, to; the.
_ARTICLE = re.compile(
    "^(?:[\u0648\u0641]?[\u0628\u0643]?\u0627\u0644|[\u0648\u0641]?\u0644\u0644)(?=...)"
)
_FORMS = 300  # pairs of forms of two families: of more these are no forms of one word
_PAIRS = 200_000  # pairs of forms in all: bounds memory


def beginning_of(word: str) -> str:
    """Return the beginning that the forms of a word have in common.

    Examples
    --------
    >>> [beginning_of(word) for word in ("ünnepelte", "ünnepi", "ünnep", "1848", "الكتاب")]
    ['ünne', 'ünne', 'ünne', '1848', 'كتاب']

    """
    if not is_word(word):
        return word
    if "\u0600" <= word[0] <= "\u06ff":
        word = _ARTICLE.sub("", word)
    return word[: _SYLLABLES if _HANGUL.match(word) else _LETTERS]


class WordFamilies(NamedTuple):
    """The words of a vocabulary, grouped by their beginning.

    Attributes
    ----------
    of : array of int64, shape (vocabulary,)
        The number of the family of each word.
    size : int
        How many families there are.

    """

    of: NDArray[np.int64]
    size: int

    @classmethod
    def among(cls, forms: Sequence[str]) -> WordFamilies:
        """Return the families of the words of a vocabulary.

        Examples
        --------
        >>> WordFamilies.among(["celebrate", "day", "celebrations"])
        WordFamilies(of=array([0, 1, 0]), size=2)

        """
        number: dict[str, int] = {}
        found = [number.setdefault(beginning_of(form), len(number)) for form in forms]
        return cls(np.array(found, dtype=np.int64), len(number))

    def sums(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the sum of the values of the words of each family."""
        return np.bincount(self.of, values, self.size).astype(np.float64)

    def members(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the words by family, and where those of each begin; one place more at the end."""
        return np.argsort(self.of, kind="stable"), prefix(np.bincount(self.of, minlength=self.size))


def links_of_members(
    pairs: WordPairs,
    families: tuple[WordFamilies, WordFamilies],
    frequent: tuple[NDArray[np.float64], NDArray[np.float64]],
) -> WordPairs:
    """Expand pairs of families into pairs of their words.

    Parameters
    ----------
    pairs : WordPairs
        In the numbers of families.
    families : (Families, Families)
        Of the vocabularies of the source and of the target.
    frequent : two arrays of float64
        How frequent each word is.

    Returns
    -------
    WordPairs
        Each word of a family yields each of the other one, as likely as their families yield each
        other, by how frequent the word is among those of its family; and each is as much explained
        as its family is. Pairs of words that are alone in their families are left out. So are those
        of two families that have more than 300 pairs of words, and of the largest families, where
        they would be more than 200,000 together.

    Examples
    --------
    >>> src = WordFamilies.among(["ünnepi", "ünnepelte", "nap"])
    >>> families = src, WordFamilies.among(["celebrate"])
    >>> known = WordPairs.alike((np.array([0]), np.array([0])), np.array([0.5]), sizes=(2, 1))
    >>> found = links_of_members(known, families, (np.array([0.3, 0.1, 0.6]), np.array([1.0])))
    >>> found.src.tolist(), found.tgt.tolist(), found.forward.tolist(), found.backward.round(3)
    ([0, 1], [0, 0], [0.5, 0.5], array([0.375, 0.125]))
    >>> found.known_src.tolist()
    [0.5, 0.5, 0.0]

    """
    (src, src_ptr), (tgt, tgt_ptr) = (side.members() for side in families)
    across = np.diff(tgt_ptr)[pairs.tgt]
    many = np.diff(src_ptr)[pairs.src] * across
    order = np.argsort(many, kind="stable")
    order = order[np.cumsum(many[order]) <= _PAIRS]
    kept = np.sort(order[(many[order] > 1) & (many[order] <= _FORMS)])
    which = np.repeat(kept, many[kept])
    down, right = np.divmod(ranges(np.zeros(len(kept), np.int64), many[kept]), across[which])
    words = src[src_ptr[pairs.src[which]] + down], tgt[tgt_ptr[pairs.tgt[which]] + right]
    part = [
        one / np.maximum(side.sums(one)[side.of], 1e-300)
        for one, side in zip(frequent, families, strict=True)
    ]
    known = [np.zeros(len(one)) for one in frequent]
    np.maximum.at(known[0], words[0], pairs.known_src[pairs.src[which]])
    np.maximum.at(known[1], words[1], pairs.known_tgt[pairs.tgt[which]])
    return join_pairs(
        [
            WordPairs(
                words[0].astype(np.int32),
                words[1].astype(np.int32),
                pairs.forward[which] * part[1][words[1]],
                pairs.backward[which] * part[0][words[0]],
                *known,
            )
        ]
    )


# Pairs of words in the same bead, from which a lexicon is learned.

MOST_WORD_PAIRS = 6000  # word pairs of a bead that is learned from: larger ones teach little
MOST_SENTENCES = 100  # sentences on a side of a bead that is learned from
_BUDGET = 3_000_000  # word pairs in beads held at once: bounds memory; of more, a sample
_PAIRS_AT_ONCE = 1 << 18  # word pairs worked on at once: memory only
_BITS = 63  # bits of a number without its sign


class BeadPoints(NamedTuple):
    """Where the beads of a path end: bead k before source sentence `row[k]`, target `column[k]`."""

    row: NDArray[np.int64]
    column: NDArray[np.int64]


class WordsOfBeads(NamedTuple):
    """The words of the beads of a side: bead * vocabulary + number of each, and how often."""

    key: NDArray[np.int64]
    times: NDArray[np.float64]


class Cooccurrence(NamedTuple):
    """The words of beads, and which of them stand together.

    A word of a bead is a place of `src` or `tgt`, with its bead, number and times; a pair of
    places has `x` and `y`, and `kind`, the number of the pair of words in `keys`. Pairs of one bead
    follow each other; `cuts` divides them between beads, for what is worked on at once.
    """

    src: WordsOfBeads
    tgt: WordsOfBeads
    x: NDArray[np.int32]
    y: NDArray[np.int32]
    kind: NDArray[np.int32]
    keys: NDArray[np.int64]
    cuts: list[int]


def cooccurrences(
    pairs: Sequence[SentencePair], points: Sequence[BeadPoints], sizes: tuple[int, int]
) -> Cooccurrence:
    """Find the pairs of words that stand in one bead."""
    src = _all_words([pair.src for pair in pairs], [ends.row for ends in points], sizes[0])
    tgt = _all_words([pair.tgt for pair in pairs], [ends.column for ends in points], sizes[1])
    number = sum(len(ends.row) for ends in points)
    across = np.bincount(src.key // sizes[0], minlength=number)
    down = np.bincount(tgt.key // sizes[1], minlength=number)
    many = across * down
    told = is_near_duplicate(
        (src.key // sizes[0], src.key % sizes[0]),
        (tgt.key // sizes[1], tgt.key % sizes[1]),
        beads=number,
    )
    chosen = np.flatnonzero((many > 0) & (many <= MOST_WORD_PAIRS) & ~told)
    if many[chosen].sum() > _BUDGET:
        share = many[chosen].sum() / _BUDGET
        chosen = chosen[np.unique((np.arange(0, len(chosen), share)).astype(np.int64))]
    src_ptr, tgt_ptr, ptr = prefix(across), prefix(down), prefix(many[chosen])
    # Of each pair of words something is held: half as wide, as there are no more than the budget.
    x, y = np.empty(ptr[-1], dtype=np.int32), np.empty(ptr[-1], dtype=np.int32)
    pair = np.empty(ptr[-1], dtype=np.int64)
    cuts = _cuts(ptr)
    for begin, end in pairwise(np.searchsorted(ptr, cuts).tolist()):
        some, beads = slice(ptr[begin], ptr[end]), chosen[begin:end]
        wide = np.repeat(across[beads], many[beads])
        down_at, across_at = np.divmod(ranges(np.zeros(len(beads), np.int64), many[beads]), wide)
        x[some] = np.repeat(src_ptr[beads], many[beads]) + across_at
        y[some] = np.repeat(tgt_ptr[beads], many[beads]) + down_at
        pair[some] = src.key[x[some]] % sizes[0] * sizes[1] + tgt.key[y[some]] % sizes[1]
    keys, kind = _kinds(pair, sizes[0] * sizes[1])
    used = np.zeros(number, dtype=bool)
    used[chosen] = True
    src_times = np.where(used[src.key // sizes[0]], src.times, 0.0)
    tgt_times = np.where(used[tgt.key // sizes[1]], tgt.times, 0.0)
    words = WordsOfBeads(src.key % sizes[0], src_times), WordsOfBeads(tgt.key % sizes[1], tgt_times)
    return Cooccurrence(*words, x, y, kind, keys, cuts)


def _cuts(ptr: NDArray[np.int64]) -> list[int]:
    """Divide rows into runs of some hundred thousand items.

    No row is divided.
    """
    wanted = np.arange(0, ptr[-1], _PAIRS_AT_ONCE)
    return [*np.unique(ptr[np.searchsorted(ptr, wanted, side="right") - 1]).tolist(), int(ptr[-1])]


def _kinds(values: NDArray[np.int64], limit: int) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return the different values, ascending, and which of them each one is.

    It is `numpy.unique` for values below a limit, in less memory: values with their places below
    them are sorted. The array is taken to work in.
    """
    bits = len(values).bit_length()
    if limit.bit_length() + bits > _BITS:
        keys, found = np.unique(values, return_inverse=True)
        return keys, found.astype(np.int32)
    values <<= bits
    values += np.arange(len(values))
    values.sort()
    kind = np.empty(len(values), dtype=np.int32)
    different, last, number = [values[:0]], -1, -1
    for begin in range(0, len(values), _PAIRS_AT_ONCE):
        some = values[begin : begin + _PAIRS_AT_ONCE]
        found = some >> bits
        new = np.diff(found, prepend=last) != 0
        different.append(found[new])
        rank = np.cumsum(new) + number
        kind[some & ((1 << bits) - 1)] = rank
        last, number = int(found[-1]), int(rank[-1])
    return np.concatenate(different), kind


def _all_words(sides: Sequence[Side], ends: Sequence[NDArray[np.int64]], size: int) -> WordsOfBeads:
    """Return the words of some texts by the bead that they stand in; beads count on."""
    before = 0
    keys, times = [np.zeros(0, dtype=np.int64)], [np.zeros(0)]
    for side, end in zip(sides, ends, strict=True):
        members = np.diff(end, prepend=0)
        # What was not aligned stands as one bead, of so many sentences that it teaches nothing.
        short = np.repeat(members <= MOST_SENTENCES, members)
        words = np.diff(side.ptr)
        used = np.repeat(short, words)
        bead = np.repeat(np.repeat(np.arange(len(end)), members)[short], words[short]) + before
        key, which = np.unique(bead * size + side.ids[used], return_inverse=True)
        keys.append(key)
        times.append(np.bincount(which, side.times[used], len(key)).astype(np.float64))
        before += len(end)
    return WordsOfBeads(np.concatenate(keys), np.concatenate(times))


# Set by hand. Change of F1 for half and twice (alignment_constants.py, as above): FREQUENT -.003
# and 0, LEAST 0 and 0, _LEAST_OF_FAMILIES -.003 and 0, _DOUBT -.002 and -.003, NULL -.007 and
# -.006, _EXPLAINS -.006 and -.003, _MORE 0 and -.004, ALIKE_WEIGHT 0 and 0.
FREQUENT = 0.8  # share of a word that is explained at most
LEAST = 4.0  # t / p of a pair that is kept, in one direction
# And of families: they are met so often that beads of a wrong path make pairs of them by chance,
# which would confirm it.
_LEAST_OF_FAMILIES = 16.0
_DOUBT = 2.0  # factor: how much the discount grows with the share of omissions
NULL = 0.5  # words of NULL for each word of the source
_EXPLAINS = 0.4  # share of the words that fall to a word that it explains at least
_MORE = 2.0  # words added to that: a pair that was seen once is little evidence
ALIKE_WEIGHT = 5.0  # weight of words that look or sound alike in the first step


def learn(
    pairs: Sequence[SentencePair],
    points: Sequence[BeadPoints],
    prior: WordPairs,
    *,
    shares: tuple[NDArray[np.float64], NDArray[np.float64]] | None = None,
    discount: float = 0.5,
    steps: int = 3,
) -> WordPairs:
    """Learn which words translate which from the beads of texts.

    Parameters
    ----------
    pairs : sequence of SentencePair
        With the same vocabularies.
    points : sequence of BeadPoints
        The beads of each of them.
    prior : WordPairs
        What is known before, as of words that look or sound alike.
    shares : two arrays of float64, optional
        The share of sentences that has each word of the source, and of the target: pairs that are
        common to more than 15 % of all pairs of sentences are not learned.
    discount : float
        The absolute discount of each expected count, 0 to 1.
    steps : int
        Of expectation and maximisation, from 1.

    """
    together, hints, sizes = _prepared(pairs, points, prior)
    return _learned(together, hints, sizes, shares=shares, discount=discount, steps=steps)


def learn_families(
    pairs: Sequence[SentencePair],
    points: Sequence[BeadPoints],
    prior: WordPairs,
    families: tuple[WordFamilies, WordFamilies],
    frequent: tuple[NDArray[np.float64], NDArray[np.float64]],
    *,
    shares: tuple[NDArray[np.float64], NDArray[np.float64]],
    discount: float = 0.5,
    steps: int = 3,
) -> tuple[WordPairs, WordPairs]:
    """Learn which words translate which, and the same of families of words.

    Parameters
    ----------
    families : (Families, Families)
        Of the vocabularies.
    frequent : two arrays of float64
        How frequent each word is.
    pairs, points, prior, shares, discount, steps
        As in `learn`.

    Returns
    -------
    words : WordPairs
        As `learn` returns them.
    members : WordPairs
        What was learned of families, of each of their words: see `word_families.of_members`.

    """
    together, hints, sizes = _prepared(pairs, points, prior)
    words = _learned(together, hints, sizes, shares=shares, discount=discount, steps=steps)
    # A word of a bead stands for its family: the places are the same, their names are others.
    (src, tgt), (source, target) = families, np.divmod(together.keys, sizes[1])
    keys, kind = np.unique(src.of[source] * tgt.size + tgt.of[target], return_inverse=True)
    known = np.zeros((2, len(keys)))
    for way in (0, 1):
        np.maximum.at(known[way], kind, hints[way])
    together = together._replace(
        src=together.src._replace(key=src.of[together.src.key]),
        tgt=together.tgt._replace(key=tgt.of[together.tgt.key]),
        kind=kind.astype(np.int32)[together.kind],
        keys=keys,
    )
    found = _learned(
        together,
        known,
        (src.size, tgt.size),
        shares=(np.minimum(src.sums(shares[0]), 1.0), np.minimum(tgt.sums(shares[1]), 1.0)),
        discount=discount,
        steps=steps,
        least=_LEAST_OF_FAMILIES,
    )
    return words, links_of_members(found, families, frequent)


def _prepared(
    pairs: Sequence[SentencePair], points: Sequence[BeadPoints], prior: WordPairs
) -> tuple[Cooccurrence, NDArray[np.float64], tuple[int, int]]:
    """Return the words that stand together, what is known of them, and both vocabularies' sizes."""
    sizes = len(prior.known_src), len(prior.known_tgt)
    together = cooccurrences(pairs, points, sizes)
    known = prior.src.astype(np.int64) * sizes[1] + prior.tgt
    place = np.searchsorted(together.keys, known)
    met = place < len(together.keys)
    met[met] = together.keys[place[met]] == known[met]
    hints = np.zeros((2, len(together.keys)))
    hints[0, place[met]], hints[1, place[met]] = prior.forward[met], prior.backward[met]
    return together, hints, sizes


def _learned(
    together: Cooccurrence,
    hints: NDArray[np.float64],
    sizes: tuple[int, int],
    *,
    shares: tuple[NDArray[np.float64], NDArray[np.float64]] | None,
    discount: float,
    steps: int,
    least: float = LEAST,
) -> WordPairs:
    """Estimate both directions from co-occurrence counts."""
    source, target = together.keys // sizes[1], together.keys % sizes[1]
    forward = _translate(
        together.src, together.tgt, (together.x, together.y), together,
        hints[0], source, sizes, discount=discount, steps=steps,
    )  # fmt: skip
    backward = _translate(
        together.tgt, together.src, (together.y, together.x), together,
        hints[1], target, sizes[::-1], discount=discount, steps=steps,
    )  # fmt: skip
    return informative_pairs(
        (source, target), forward, backward, shares=shares, discount=discount, least=least
    )


def adjusted_discount(discount: float, alone: float) -> float:
    """Adjust the discount of expected counts to the share of beads with an empty side.

    What was met once confirms the bead that it was learned from, be it right or wrong. Where much
    is left out and added, more beads are wrong, so words that were met once are believed less.

    Parameters
    ----------
    discount : float
        Where no sentence is without a translation, 0 to 1.
    alone : float
        The share of all beads that have an empty side.

    Examples
    --------
    >>> [round(adjusted_discount(0.55, alone), 3) for alone in (0.0, 0.1, 0.25, 0.5)]
    [0.55, 0.64, 0.775, 1.0]

    """
    return discount + max(1.0 - discount, 0.0) * min(_DOUBT * alone, 1.0)


def informative_pairs(
    words: tuple[NDArray[np.int64], NDArray[np.int64]],
    forward: Translation,
    backward: Translation,
    *,
    shares: tuple[NDArray[np.float64], NDArray[np.float64]] | None,
    discount: float,
    least: float = LEAST,
) -> WordPairs:
    """Return the informative word pairs of all that were learned.

    Words that are beside each other little more often than anywhere say next to nothing, but
    frequent ones would meet everywhere. What they explain counts as not explained.

    Parameters
    ----------
    words : two arrays of int64
        The source and the target word of each pair.
    forward, backward : Translation
        Of the same pairs: the target from the source, and the source from the target.
    shares, discount
        As in `learn`.
    least : float
        How much likelier than anywhere one word is beside the other, in one of the directions.

    """
    source, target = words
    more = np.maximum(
        forward.chance / np.maximum(forward.frequent[target], 1e-300),
        backward.chance / np.maximum(backward.frequent[source], 1e-300),
    )
    telling = more >= least
    if shares is not None:
        telling &= shares[0][source] * shares[1][target] <= COMMON
    kept = np.flatnonzero(telling)
    return WordPairs(
        src=source[kept].astype(np.int32),
        tgt=target[kept].astype(np.int32),
        forward=forward.chance[kept],
        backward=backward.chance[kept],
        known_src=backward.known(source[kept], kept, discount),
        known_tgt=forward.known(target[kept], kept, discount),
    )


class Translation(NamedTuple):
    """The translation model of one direction.

    Of each pair of words its chance and its expected count; of each word that is explained how
    frequent it is, and how often it was seen.
    """

    chance: NDArray[np.float64]
    expected: NDArray[np.float64]
    frequent: NDArray[np.float64]
    counts: NDArray[np.float64]

    def known(
        self, word: NDArray[np.int64], kept: NDArray[np.int64], discount: float
    ) -> NDArray[np.float64]:
        """Return the share of each word that some pairs explain."""
        total = np.bincount(word, self.expected[kept], len(self.counts))
        share = np.maximum(total - discount, 0.0) / (self.counts + 1.0)
        result: NDArray[np.float64] = np.minimum(share, FREQUENT)
        return result


def translation_probabilities(
    expected: NDArray[np.float64],
    giver: NDArray[np.int64],
    seen: NDArray[np.float64],
    *,
    each: float,
    less: float,
) -> NDArray[np.float64]:
    """Return the chance of each pair of words, from how often it is expected.

    A word's chances add up to 1 at most, whether the other language has few words for it or many:
    a letter or a syllable that stands alone counts as a word, and of these a translation has five.
    What a word yields is what it is expected to explain, or two fifths of the words that fall to
    it if it explains fewer: those few do not tell what it is translated by.

    Parameters
    ----------
    expected : array of float64
        Of each pair of words, how many of the second are there because of the first.
    giver : array of int64
        The first word of each.
    seen : array of float64
        How often each word was seen that explains others.
    each : float
        The words that are explained, for each of those that explain.
    less : float
        The absolute discount of each expected count.

    Examples
    --------
    >>> expected, giver, seen = np.array([5.5, 2.5, 1.5]), np.array([0, 0, 1]), np.array([9.0, 5.0])
    >>> translation_probabilities(expected, giver, seen, each=1.0, less=0.5).tolist()
    [0.5, 0.2, 0.25]

    """
    yields = np.bincount(giver, expected, len(seen))
    room = np.maximum(yields, _EXPLAINS * each * seen) + _MORE
    result: NDArray[np.float64] = np.maximum(expected - less, 0.0) / room[giver]
    return result


def _translate(
    gives: WordsOfBeads,
    takes: WordsOfBeads,
    places: tuple[NDArray[np.int32], NDArray[np.int32]],
    together: Cooccurrence,
    hints: NDArray[np.float64],
    giver: NDArray[np.int64],
    sizes: tuple[int, ...],
    *,
    discount: float,
    steps: int,
) -> Translation:
    """Estimate one direction of the translation model by EM."""
    seen = np.bincount(gives.key, gives.times, sizes[0]).astype(np.float64)
    counts = np.bincount(takes.key, takes.times, sizes[1]).astype(np.float64)
    frequent = counts / max(counts.sum(), 1.0)
    each = float(takes.times.sum()) / max(float(gives.times.sum()), 1.0)
    chance, expected = np.zeros(len(hints)), np.zeros(len(hints))
    for step in range(steps):
        expected = np.zeros(len(hints))
        for begin, end in pairwise(together.cuts):
            (x, y), kind = (each[begin:end] for each in places), together.kind[begin:end]
            # All pairs of a word that is explained are here.
            first = int(y.min(initial=0))
            y = y - first
            key = takes.key[first : first + int(y.max(initial=-1)) + 1]
            part = gives.times[x]
            total = NULL * np.bincount(y, part, len(key)) * frequent[key]
            part *= chance[kind] if step else ALIKE_WEIGHT * hints[kind] + 4 * frequent[key][y]
            total += np.bincount(y, part, len(key))
            times = takes.times[first : first + len(key)] / np.maximum(total, 1e-300)
            part *= times[y]
            expected += np.bincount(kind, part, len(hints))
        less = discount * (0.5 if not step else 1.0)
        chance = translation_probabilities(expected, giver, seen, each=each, less=less)
    return Translation(chance, expected, frequent, counts)
