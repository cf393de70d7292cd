"""Which words translate which, and how likely.

A lexicon is learned from beads by the first model of Brown, Della Pietra, Della Pietra and Mercer
(1993): each word of the target stands there because of one word of the source sentences of its
bead, or of none (NULL, which yields any word as frequent as it is). The chances are found by
expectation and maximisation, in both directions apart. From each expected count a part of one is
taken away (absolute discounting), so that what has been seen once is hardly believed.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bitext.align.sentences.word_families import of_members
from bitext.align.sentences.word_links import COMMON, WordPairs
from bitext.align.sentences.words_together import together_in

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bitext.align.sentences.sentence_pair import SentencePair
    from bitext.align.sentences.word_families import Families
    from bitext.align.sentences.words_together import BeadPoints, Cooccurrence, WordsOfBeads

__all__ = [
    "ALIKE",
    "FREQUENT",
    "LEAST",
    "NULL",
    "Translation",
    "chances_of",
    "doubting",
    "learn",
    "learn_families",
    "telling_pairs",
]

FREQUENT = 0.8  # no word is explained more than that
LEAST = 4.0  # t / p of a pair that is kept, in one of the directions
# And of families: they are met so often that beads of a wrong path make pairs of them by chance,
# which would confirm it.
_LEAST_OF_FAMILIES = 16.0
_DOUBT = 2.0  # how much more is taken away for each share of sentences without a translation
NULL = 0.5  # words of NULL beside each word of the source
_EXPLAINS = 0.4  # of the words that fall to a word, those that it is held to explain at least
_MORE = 2.0  # words that each is held to explain beside: what was seen once tells little
ALIKE = 5.0  # what words that look or sound alike are worth in the first step


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
        What is taken from each expected count, 0 to 1.
    steps : int
        Of expectation and maximisation, from 1.

    """
    together, hints, sizes = _prepared(pairs, points, prior)
    return _learned(together, hints, sizes, shares=shares, discount=discount, steps=steps)


def learn_families(
    pairs: Sequence[SentencePair],
    points: Sequence[BeadPoints],
    prior: WordPairs,
    families: tuple[Families, Families],
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
    return words, of_members(found, families, frequent)


def _prepared(
    pairs: Sequence[SentencePair], points: Sequence[BeadPoints], prior: WordPairs
) -> tuple[Cooccurrence, NDArray[np.float64], tuple[int, int]]:
    """Return the words that stand together, what is known of them, and both vocabularies' sizes."""
    sizes = len(prior.known_src), len(prior.known_tgt)
    together = together_in(pairs, points, sizes)
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
    """Return what words that stand together teach."""
    source, target = together.keys // sizes[1], together.keys % sizes[1]
    forward = _translate(
        together.src, together.tgt, (together.x, together.y), together,
        hints[0], source, sizes, discount=discount, steps=steps,
    )  # fmt: skip
    backward = _translate(
        together.tgt, together.src, (together.y, together.x), together,
        hints[1], target, sizes[::-1], discount=discount, steps=steps,
    )  # fmt: skip
    return telling_pairs(
        (source, target), forward, backward, shares=shares, discount=discount, least=least
    )


def doubting(discount: float, alone: float) -> float:
    """Return what is taken from each expected count, where so many beads have an empty side.

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
    >>> [round(doubting(0.55, alone), 3) for alone in (0.0, 0.1, 0.25, 0.5)]
    [0.55, 0.64, 0.775, 1.0]

    """
    return discount + max(1.0 - discount, 0.0) * min(_DOUBT * alone, 1.0)


def telling_pairs(
    words: tuple[NDArray[np.int64], NDArray[np.int64]],
    forward: Translation,
    backward: Translation,
    *,
    shares: tuple[NDArray[np.float64], NDArray[np.float64]] | None,
    discount: float,
    least: float = LEAST,
) -> WordPairs:
    """Return the pairs of words that tell something, of all that were learned.

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
    """What has been learned of one direction.

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
        """Return how much of each word some pairs explain."""
        total = np.bincount(word, self.expected[kept], len(self.counts))
        share = np.maximum(total - discount, 0.0) / (self.counts + 1.0)
        result: NDArray[np.float64] = np.minimum(share, FREQUENT)
        return result


def chances_of(
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
        What is taken from each expected count.

    Examples
    --------
    >>> expected, giver, seen = np.array([5.5, 2.5, 1.5]), np.array([0, 0, 1]), np.array([9.0, 5.0])
    >>> chances_of(expected, giver, seen, each=1.0, less=0.5).tolist()
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
    """Return what words of one side yield of the other."""
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
            part *= chance[kind] if step else ALIKE * hints[kind] + 4 * frequent[key][y]
            total += np.bincount(y, part, len(key))
            times = takes.times[first : first + len(key)] / np.maximum(total, 1e-300)
            part *= times[y]
            expected += np.bincount(kind, part, len(hints))
        less = discount * (0.5 if not step else 1.0)
        chance = chances_of(expected, giver, seen, each=each, less=less)
    return Translation(chance, expected, frequent, counts)
