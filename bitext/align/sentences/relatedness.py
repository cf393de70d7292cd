"""Whether two texts that were aligned are translations of each other at all.

A best path is found through any two texts, and its beads may even look sure: what is learned of
words is learned from the path. So the texts themselves are asked. Stretches of ten beads are taken
of the path, spread over it. From one half of them a lexicon is learned; those of the other half are
aligned anew with it, once with the target sentences that stand beside them, and once with those of
another stretch far away. Of translations the first is much better than the second. Of unrelated
texts both are as bad, whatever was learned. Nothing is known of the languages beforehand, and no
score has to mean anything by itself. Of few stretches both halves learn from each other, but where
the first to be asked leaves no doubt, the other is not.

True translations are doubtful, too, where they are aligned so badly that nothing can be learned
from it. How often that is, and how many wrong pairs are found, is in
`scripts/bench/alignment_doubts.md`. Stretches keep their beads with an empty side: without them the
sentences that are left are those that were chosen to fit, of unrelated texts as well.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bitext.align.sentences.bead_types import DEFAULT_BEADS, beads_for, learned_chances
from bitext.align.sentences.cognates import cognates
from bitext.align.sentences.evidence.lengths import LengthEvidence, LengthModel
from bitext.align.sentences.evidence.punctuation import MarkEvidence, MarkModel, marks_of
from bitext.align.sentences.evidence.words import LexicalEvidence
from bitext.align.sentences.texts import SentencePair
from bitext.align.sentences.translation_model import BeadPoints, learn
from bitext.align.sentences.vocabulary import Vocabulary
from bitext.align.sentences.word_links import (
    frequencies,
    join_pairs,
    links_of,
    shares_of,
    without_common,
)
from bitext.kernels.bead_path import Band, best_path
from bitext.kernels.length_fit import better_reading
from bitext.kernels.rows import Rows
from bitext.model import Text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from bitext.align.sentences.evidence.punctuation import SentenceMarks
    from bitext.align.sentences.path_choice import Evidence
    from bitext.align.sentences.vectors import SentenceVectors
    from bitext.align.sentences.word_links import WordPairs
    from bitext.kernels.length_fit import Reading
    from bitext.model import Alignment

__all__ = ["Relatedness", "relatedness", "vectors_fit", "vectors_reading"]

_BEADS = 10  # of a stretch
_MOST = 16  # stretches that are looked at
_FEW = 12  # with fewer of them, both halves learn from each other
_LEAST = 4  # with fewer of them nothing can be told
_LONG = 80  # sentences on a side of a stretch: more are no stretch of a translation
_SAME = 0.8  # of the words of two stretches are the same: one says no more than the other
_ROOM = 6  # columns beside a stretch that its path may run through
_VECTORS, _FEW_VECTORS = 400, 20  # beads whose vectors are compared
_PARTS, _ROWS = 3, 500  # stretches whose nearest vectors are looked at, and their rows
_ERRORS = 3.0  # standard errors of their gain that are no chance
_UNIT = 1024.0  # what a natural logarithm of 1 is in the integers of the kernel
_GAIN = 0.6  # of a bead: less is no sign of a translation
_PLAIN = 3.0  # and so much a sure one
_ENOUGH = 60  # beads to tell that by; of fewer less is asked
_EXPLAINED = 3.0  # times what sentences that do not belong together score, as much more is wanted


class Relatedness(NamedTuple):
    """How much better two texts fit together as they are aligned than anywhere else.

    Attributes
    ----------
    own, other : float
        The score of a bead, in the mean, of stretches beside their own target sentences, and
        beside those of others. Natural logarithms; 0 is what sentences score by themselves.
    beads : int
        How many beads were looked at.

    """

    own: float
    other: float
    beads: int

    @property
    def doubtful(self) -> bool:
        """Whether there is no sign that the texts are translations, as they are aligned.

        Of translations, sentences that do not belong together score below 0. Where they score
        above, what was learned explains any sentence by any other, as where many stand beside few,
        and a gain means as much less.
        """
        return self._gain < _GAIN * min(self.beads / _ENOUGH, 1.0)

    @property
    def plain(self) -> bool:
        """Whether so much speaks for it that the texts are translations that no more is needed."""
        return self._gain >= _PLAIN

    @property
    def _gain(self) -> float:
        """What a bead gains, but for what it would gain by being explained by anything."""
        return self.own - self.other - _EXPLAINED * max(self.other, 0.0)


class _Stretch(NamedTuple):
    """Some beads in a row: their sentences, and how many each bead has of both sides."""

    src: list[str]
    tgt: list[str]
    sizes: NDArray[np.int64]


def relatedness(src: Text, tgt: Text, alignment: Alignment) -> Relatedness | None:
    """Return how much better two texts fit as they are aligned than elsewhere.

    At most 160 beads are looked at, so it takes as long for texts of any length; half of them are
    enough where it is plain that the texts belong together.

    Parameters
    ----------
    src, tgt : Text
    alignment : Alignment
        In order and without gaps, as `align_sentences` makes them.

    Returns
    -------
    Relatedness or None
        `None` where there is too little to tell: fewer than 40 beads, or beads without a partner
        nearly everywhere, or all stretches have the same words.

    Examples
    --------
    >>> from bitext.align.sentences import align_sentences
    >>> src, tgt = Text(["One."]), Text(["Un."])
    >>> relatedness(src, tgt, align_sentences(src, tgt)) is None
    True

    """
    stretches = _stretches(src, tgt, alignment)
    if len(stretches) < _LEAST:
        return None
    vocabularies = Vocabulary(), Vocabulary()
    halves = [_Half.of(some, vocabularies) for some in (stretches[::2], stretches[1::2])]
    words = _Words.of(halves, vocabularies)
    own = other = 0.0
    beads = 0
    for taught, asked in ((1, 0), (0, 1)) if len(stretches) < _FEW else ((0, 1),):
        if halves[asked].here:
            judge = _Judge(halves[taught], halves[asked], words)
            own, other = own + judge.own(), other + judge.other()
            beads += len(_sizes(halves[asked].here))
            if Relatedness(own / beads, other / beads, beads).plain:
                break
    return Relatedness(own / beads, other / beads, beads) if beads else None


def vectors_fit(src: SentenceVectors, tgt: SentenceVectors, alignment: Alignment) -> bool:
    """Tell whether the vectors of sentences that are aligned are nearer than those of others.

    Those of beads 1-1 are compared, 400 at most. The gain of the cosine is to be 3 times its
    standard error; of fewer than 20 beads nothing is told, and they fit.

    Parameters
    ----------
    src, tgt : SentenceVectors
        Of the texts that were aligned.
    alignment : Alignment

    """
    single = np.flatnonzero((alignment.src.lengths == 1) & (alignment.tgt.lengths == 1))
    single = single[:: -(-len(single) // _VECTORS) or 1]
    if len(single) < _FEW_VECTORS:
        return True
    here, there = (
        side.sentences(rows.idx[rows.ptr[single]])
        for side, rows in ((src, alignment.src), (tgt, alignment.tgt))
    )
    gain = np.einsum("ij,ij->i", here, there - np.roll(there, len(there) // 2, axis=0))
    error = float(gain.std()) / len(gain) ** 0.5
    return bool(gain.mean() > _ERRORS * error)


def vectors_reading(
    src: SentenceVectors, tgt: SentenceVectors, texts: tuple[Text, Text]
) -> Reading | None:
    """Return the reading of rows that fits the lengths of sentences clearly better than as given.

    Rows that are nearest to each other should be of sentences of about the same length. Of long
    texts some stretches are looked at, each beside the target that is as far from the start.

    Parameters
    ----------
    src, tgt : SentenceVectors
    texts : pair of Text
        The texts that they are said to be of.

    Returns
    -------
    Reading or None
        `None` where the rows fit as they are given, or nothing can be told.

    """
    count, other = len(src), len(tgt)
    if not count or not other:
        return None
    places = []
    for part in range(_PARTS):
        first = part * max(count - _ROWS, 0) // (_PARTS - 1)
        last = min(first + _ROWS, count)
        low = max(first * other // count - _ROWS, 0)
        high = min(last * other // count + _ROWS, other)
        cosines = src.windows(1, first, last) @ tgt.windows(1, low, high).T
        nearest = cosines.argmax(axis=1)
        mutual = np.flatnonzero(cosines.argmax(axis=0)[nearest] == np.arange(last - first))
        places.append(np.stack([mutual + first, nearest[mutual] + low]))
        if last == count:
            break
    here, there = np.concatenate(places, axis=1)
    ptr = np.arange(len(here) + 1)
    lengths = texts[0].lengths(), texts[1].lengths()
    return better_reading(Rows(ptr, here), Rows(ptr, there), *lengths)


def _stretches(src: Text, tgt: Text, alignment: Alignment) -> list[_Stretch]:
    """Return stretches that are spread evenly over an alignment."""
    ends = alignment.src.ptr, alignment.tgt.ptr
    beads = len(ends[0]) - 1
    cuts = np.linspace(0, beads, beads // _BEADS + 1).astype(np.int64)
    down, across = (np.diff(side[cuts]) for side in ends)
    fits = np.flatnonzero((np.minimum(down, across) > 0) & (np.maximum(down, across) <= _LONG))
    if len(fits) > _MOST:
        fits = fits[np.linspace(0, len(fits) - 1, _MOST).astype(np.int64)]
    ranges = [(int(cuts[k]), int(cuts[k + 1])) for k in fits.tolist()]
    sentences = [
        _picked(text, [(int(side[first]), int(side[last])) for first, last in ranges])
        for text, side in zip((src, tgt), ends, strict=True)
    ]
    sizes = np.stack([np.diff(side) for side in ends], axis=1)
    return [
        _Stretch(mine, theirs, sizes[first:last])
        for mine, theirs, (first, last) in zip(*sentences, ranges, strict=True)
    ]


def _picked(text: Text, ranges: Iterable[tuple[int, int]]) -> list[list[str]]:
    """Return some runs of the sentences of a text; a large one is gone through once."""
    sentences, at = text.segments(), 0
    found = []
    for first, last in ranges:
        found.append(list(islice(sentences, first - at, last - at)))
        at = last
    return found


class _Half(NamedTuple):
    """Every other stretch, and what each is held against: the target sentences of one far away.

    Attributes
    ----------
    pair : SentencePair
        All stretches, one after the other.
    sizes : array of int64, shape (beads, 2)
        Of the sentences of each of their beads.
    here, there : list of _Stretch
        Those that can be told from one far away, and these.
    own, other : SentencePair
        The source sentences of `here` beside its target sentences, and beside those of `there`.

    """

    pair: SentencePair
    sizes: NDArray[np.int64]
    here: list[_Stretch]
    there: list[_Stretch]
    own: SentencePair
    other: SentencePair

    @classmethod
    def of(cls, stretches: Sequence[_Stretch], words: tuple[Vocabulary, Vocabulary]) -> _Half:
        """Put stretches together, their words numbered by two vocabularies, which grow."""
        number = len(stretches)
        far = [stretches[(k + number // 2) % number] for k in range(number)]
        both = zip(stretches, far, strict=True)
        kept = [k for k, (one, other) in enumerate(both) if _differ(one, other)]
        here, there = [stretches[k] for k in kept], [far[k] for k in kept]
        pair = _joined(stretches, stretches, words)
        own = pair if len(kept) == number else _joined(here, here, words)
        return cls(pair, _sizes(stretches), here, there, own, _joined(here, there, words))


class _Words(NamedTuple):
    """What is known of the words of all stretches, source and target.

    Attributes
    ----------
    frequent, shares : pair of array of float64, shape (vocabulary,)
        How frequent each is, and the share of sentences that has it.
    alike : WordPairs
        Those that look or sound alike.

    """

    frequent: tuple[NDArray[np.float64], NDArray[np.float64]]
    shares: tuple[NDArray[np.float64], NDArray[np.float64]]
    alike: WordPairs

    @classmethod
    def of(cls, halves: Sequence[_Half], words: tuple[Vocabulary, Vocabulary]) -> _Words:
        """Count the words of all halves."""
        src, tgt = [half.pair.src for half in halves], [half.pair.tgt for half in halves]
        number = len(words[0]), len(words[1])
        shares = shares_of(src, number[0]), shares_of(tgt, number[1])
        alike = without_common(cognates(*words, shares=shares), *shares)
        return cls((frequencies(src, number[0]), frequencies(tgt, number[1])), shares, alike)


def _differ(one: _Stretch, other: _Stretch) -> bool:
    """Tell whether two stretches have other words, in both languages."""
    for here, there in ((one.src, other.src), (one.tgt, other.tgt)):
        words, others = (set(" ".join(sentences).split()) for sentences in (here, there))
        if len(words & others) > _SAME * min(len(words), len(others)):
            return False
    return True


def _sizes(stretches: Sequence[_Stretch]) -> NDArray[np.int64]:
    return np.concatenate([each.sizes for each in stretches])


def _joined(
    rows: Sequence[_Stretch], columns: Sequence[_Stretch], words: tuple[Vocabulary, Vocabulary]
) -> SentencePair:
    """Return the source sentences of some stretches and the target sentences of others."""
    src = [sentence for each in rows for sentence in each.src]
    tgt = [sentence for each in columns for sentence in each.tgt]
    return SentencePair(Text(src), Text(tgt), vocabularies=words)


class _Judge:
    """What the beads of one half of the stretches teach of those of the other.

    Parameters
    ----------
    taught, asked : _Half
    words : _Words
        Of both.

    """

    def __init__(self, taught: _Half, asked: _Half, words: _Words) -> None:
        self._asked = asked
        pair, sizes, other = taught.pair, taught.sizes, asked.own
        points = BeadPoints(*np.cumsum(sizes, axis=0).T)
        lexicon = learn([pair], [points], words.alike, shares=words.shares)
        self._links = links_of(join_pairs([words.alike, lexicon]), *words.frequent)
        both = (pair.src, other.src), (pair.tgt, other.tgt)
        self._lengths = LengthModel.first(
            *(np.concatenate([side.letters for side in each]) for each in both)
        )
        totals = [
            np.diff(np.append(0.0, np.cumsum(side.letters))[np.append(0, ends)])
            for side, ends in zip((pair.src, pair.tgt), points, strict=True)
        ]
        full = np.flatnonzero((sizes > 0).all(axis=1))
        self._lengths = self._lengths.learned(totals[0][full], totals[1][full])
        marks = _marks(pair), _marks(other)
        self._marks = MarkModel.first(marks).learned(marks[:1], [points])
        down, across = sizes.sum(axis=0).tolist()
        self._beads = beads_for(DEFAULT_BEADS, across / max(down, 1))
        kinds = {bead: k for k, bead in enumerate(self._beads)}
        met = [kinds[a, b] for a, b in sizes.tolist() if (a, b) in kinds]
        counts = np.bincount(met, minlength=len(kinds)).astype(np.float64)
        chances = learned_chances(self._beads, counts)
        self._prior = np.log(chances).astype(np.float32)[:, None, None]

    def own(self) -> float:
        """Return the score of stretches beside their own target sentences."""
        return self._score(self._asked.own, self._asked.here)

    def other(self) -> float:
        """Return the score of stretches beside the target sentences of others."""
        return self._score(self._asked.other, self._asked.there)

    def _score(self, pair: SentencePair, beside: Sequence[_Stretch]) -> float:
        """Return the score of the best path through stretches beside the targets of some."""
        down = [len(each.src) for each in self._asked.here]
        across = [len(each.tgt) for each in beside]
        evidence: list[Evidence] = [
            LengthEvidence(self._beads, pair.src.letters, pair.tgt.letters, self._lengths),
            MarkEvidence(self._beads, _marks(pair), self._marks),
            LexicalEvidence(self._beads, pair, self._links),
        ]
        left = np.append(0, np.cumsum(across))[:-1]
        lo = np.append(left[0], np.repeat(left, down)) - _ROOM
        band = Band(lo, max(across) + 2 * _ROOM, sum(across))

        def scores(first: int, last: int) -> NDArray[np.int64]:
            total = evidence[0].block(first, last, band) + self._prior
            for one in evidence[1:]:
                total += one.block(first, last, band)
            result: NDArray[np.int64] = np.rint(total * _UNIT).astype(np.int64)
            return result

        return best_path(self._beads, scores, band).score / _UNIT


def _marks(pair: SentencePair) -> tuple[SentenceMarks, SentenceMarks]:
    return marks_of(pair.src.seen.segments()), marks_of(pair.tgt.seen.segments())
