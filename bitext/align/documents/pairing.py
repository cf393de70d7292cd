"""Pairing of the documents of two languages by their contents.

The score of a pair is a natural logarithm of odds, from two kinds of evidence that need no
dictionary. Linked words (`sentences.lexical.cognates`) are equal numbers and names, cognates, and
words that sound alike in different scripts; those of few documents count most. The length profile
(`sentences.length_profile`) is the best alignment of the lengths and end marks of the sentences;
how much better it is than those of other pairs tells translations apart also where no word is
shared.

Each document has one partner at most. Two solutions are computed: the best assignment, and the best
one in which both sides are in the same order. The second is taken unless the first is better by
more than the logarithm of the number of orders, the prior of one order among all.
"""

from __future__ import annotations

import math
import warnings
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bitext.align.sentences.bead_types import letters_of
from bitext.align.sentences.evidence import UNIT
from bitext.align.sentences.evidence.punctuation import marks_of
from bitext.align.sentences.length_profile import LengthProfile, ProfileModel, gain, whole_path
from bitext.align.sentences.lexical.cognates import cognates
from bitext.align.sentences.lexical.vocabulary import Vocabulary, words_of
from bitext.kernels.matching import assign

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bitext.align.sentences.evidence.punctuation import SentenceMarks
    from bitext.model import Text

__all__ = ["DocumentPair", "DocumentPairing", "pair_documents"]

# Set by hand, and looked at with scripts/bench/chapters.py.
_SENTENCES = 300  # sentences of a document whose lengths are compared, from its beginning
_CANDIDATES = 16  # documents of the other side whose lengths are compared with one; bounds time
_TEMPER = 0.3  # of the odds of words, which depend on each other
_MOST_WORDS = 15.0  # natural logarithm: evidence of words at most, for or against
_SHARE = 0.5  # of the words of a text that a translation has linked words of
_USUAL = (-0.1, 0.35)  # mean and standard deviation of the gain of pairs that are no translations
_PAIRS = 5  # pairs that this is worth, beside those that are compared
_LEAST = 3.0  # standard deviations above that mean from which a gain is evidence for a pair
_STEEP = 1.5  # natural logarithm: odds for each standard deviation
_LEAST_SPREAD = 0.01  # of the gains, where nearly all are equal
_NORMAL = 1.4826  # standard deviation of a normal distribution for each median deviation
_FULL = 30  # sentences of both documents with full evidence for a pair
_LINKS = 20_000  # linked words that are compared at most, those of the fewest documents: memory
_AT_ONCE = 2_000  # linked words that are compared at once: memory only


class DocumentPair(NamedTuple):
    """A source and a target document, by their indices.

    Attributes
    ----------
    src, tgt : int
    probability : float
        That of the pair, among the other pairs of both documents and of no pair.

    """

    src: int
    tgt: int
    probability: float


class DocumentPairing(NamedTuple):
    """The pairs of the documents of two sides.

    Attributes
    ----------
    pairs : list of DocumentPair
        In the order of the source documents.
    score : array of float64, shape (source documents, target documents)
        The natural logarithm of the odds of each pair against no pair.
    in_order : bool
        Whether both sides are in the same order.

    """

    pairs: list[DocumentPair]
    score: NDArray[np.float64]
    in_order: bool

    def probability(self, src: int, tgt: int) -> float:
        """Return the probability of a pair among the other pairs of both documents."""
        return _probability(self.score, src, tgt)


def pair_documents(src: Sequence[Text], tgt: Sequence[Text]) -> DocumentPairing:
    """Pair the documents of two sides by their contents.

    Parameters
    ----------
    src, tgt : sequence of Text
        The documents, in the order of their names.

    Returns
    -------
    DocumentPairing
        A document that is more probably without a partner has none.

    """
    if not (src and tgt):
        return DocumentPairing([], np.zeros((len(src), len(tgt))), in_order=True)
    sides = _Documents(src), _Documents(tgt)
    words = _word_scores(*sides)
    score = words + _profile_scores(*sides, words)
    ordered, assigned = _in_order(score), _assigned(score)
    totals = [sum(float(score[pair]) for pair in some) for some in (ordered, assigned)]
    in_order = totals[0] + math.lgamma(len(ordered) + 1) >= totals[1]
    chosen = ordered if in_order else assigned
    pairs = []
    for k, (row, column) in enumerate(chosen):
        rows, columns = slice(None), slice(None)
        if in_order:  # only pairs that keep the order are alternatives
            before = chosen[k - 1] if k else (-1, -1)
            after = chosen[k + 1] if k + 1 < len(chosen) else score.shape
            rows, columns = slice(before[0] + 1, after[0]), slice(before[1] + 1, after[1])
        part = score[rows, columns]
        chance = _probability(part, row - (rows.start or 0), column - (columns.start or 0))
        pairs.append(DocumentPair(row, column, chance))
    return DocumentPairing(pairs, score, in_order)


def _probability(score: NDArray[np.float64], row: int, column: int) -> float:
    """Return the probability of a pair among those of its row and column, and no pair."""
    rivals = np.concatenate([score[row], np.delete(score[:, column], row), [0.0]])
    return float(np.exp(score[row, column] - np.logaddexp.reduce(rivals)))


def _in_order(score: NDArray[np.float64]) -> list[tuple[int, int]]:
    """Return the pairs with the largest sum of scores in which both sides ascend."""
    rows, columns = score.shape
    best = np.zeros((rows + 1, columns + 1))
    for row in range(rows):
        paired = np.maximum.accumulate(best[row, :-1] + score[row])
        best[row + 1, 1:] = np.maximum(best[row, 1:], paired)
    pairs = []
    row, column = rows, columns
    while row and column:
        if best[row, column] == best[row - 1, column]:
            row -= 1
        elif best[row, column] == best[row, column - 1]:
            column -= 1
        else:
            row, column = row - 1, column - 1
            pairs.append((row, column))
    return pairs[::-1]


def _assigned(score: NDArray[np.float64]) -> list[tuple[int, int]]:
    """Return the pairs with the largest sum of scores in any order."""
    gains = [
        {int(k): round(float(row[k]) * UNIT) for k in np.flatnonzero(row * UNIT >= 1)}
        for row in score
    ]
    return sorted(assign(gains).items())


class _Documents:
    """The documents of a side: words, lengths and end marks.

    Attributes
    ----------
    vocabulary : Vocabulary
    counts : list of (array of int32, array of int64)
        The different words of each document, and their counts.
    lengths : list of array of float64
        The length of each sentence, for the first sentences of each document.
    marks : list of SentenceMarks
        The end marks of the same sentences.
    letters : array of float64, shape (documents,)
        The length of each document.

    """

    def __init__(self, texts: Sequence[Text]) -> None:
        self.vocabulary = Vocabulary()
        self.counts: list[tuple[NDArray[np.int32], NDArray[np.int64]]] = []
        self.lengths: list[NDArray[np.float64]] = []
        self.marks: list[SentenceMarks] = []
        letters = []
        for text in texts:
            sentences = [sentence for sentence in text.segments() if sentence.strip()]
            numbers = self.vocabulary.numbers(
                word for sentence in sentences for word in words_of(sentence)
            )
            self.counts.append(np.unique(numbers, return_counts=True))
            lengths = letters_of(sentences)
            letters.append(float(lengths.sum()))
            self.lengths.append(lengths[:_SENTENCES])
            self.marks.append(marks_of(sentences[:_SENTENCES]))
        self.letters = np.array(letters)
        self.sentences = np.array([len(lengths) for lengths in self.lengths])

    def __len__(self) -> int:
        return len(self.counts)

    def documents_with(self) -> NDArray[np.int64]:
        """Return the number of documents with each word."""
        words = np.concatenate([ids for ids, _ in self.counts] or [np.zeros(0, np.int32)])
        return np.bincount(words, minlength=len(self.vocabulary))

    def shares(self) -> NDArray[np.float64]:
        """Return the mean count of each word in a sentence."""
        total = np.zeros(len(self.vocabulary))
        for ids, counts in self.counts:
            total[ids] += counts
        return np.minimum(total / max(1, int(self.sentences.sum())), 1.0)

    def having(self, words: NDArray[np.int32]) -> NDArray[np.bool_]:
        """Return whether each document has each word, as an array (documents, words)."""
        different, column = np.unique(words, return_inverse=True)
        place = np.full(len(self.vocabulary), -1)
        place[different] = np.arange(len(different))
        mask = np.zeros((len(self), len(different)), dtype=bool)
        for row, (ids, _) in enumerate(self.counts):
            at = place[ids]
            mask[row, at[at >= 0]] = True
        return mask[:, column]


def _word_scores(src: _Documents, tgt: _Documents) -> NDArray[np.float64]:
    """Score pairs of documents by linked words that both have, or that one lacks.

    A word whose link has the probability p is in the other text with the probability p + (1 - p) f,
    f being the share of documents with it; in a text that is no translation with f.
    """
    links = cognates(src.vocabulary, tgt.vocabulary, shares=(src.shares(), tgt.shares()))
    many = [
        (side.documents_with()[words] + 0.5) / (len(side) + 2.0)
        for side, words in ((src, links.src), (tgt, links.tgt))
    ]
    rare = np.argsort(many[0] * many[1] / np.maximum(links.forward, 1e-9), kind="stable")[:_LINKS]
    score = np.zeros((len(src), len(tgt)))
    for begin in range(0, len(rare), _AT_ONCE):
        some = rare[begin : begin + _AT_ONCE]
        chance = links.forward[some] * _SHARE * 2
        one, two = src.having(links.src[some]), tgt.having(links.tgt[some])
        share = np.maximum(many[0][some], many[1][some])
        both = np.log((chance + (1 - chance) * share) / share)
        lacking = np.log1p(-chance)
        score += (one * (both - lacking)) @ two.T
        score += (one @ lacking)[:, None] / 2 + (two @ lacking)[None, :] / 2
    return np.clip(_TEMPER * score, -_MOST_WORDS, _MOST_WORDS)


def _profile_scores(
    src: _Documents, tgt: _Documents, words: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Score pairs of documents by the gain of their best paths by lengths and end marks.

    Only the pairs with the best words, and of the nearest lengths, are compared.
    """
    ratio = _length_ratio(src, tgt, words)
    apart = np.abs(np.log((tgt.letters + 1)[None, :] / ((src.letters + 1) * ratio)[:, None]))
    wanted = words - apart
    compared = np.zeros(words.shape, dtype=bool)
    for table, mask in ((wanted, compared), (wanted.T, compared.T)):
        most = min(_CANDIDATES, table.shape[1])
        best = np.argpartition(-table, most - 1, axis=1)[:, :most]
        np.put_along_axis(mask, best, values=True, axis=1)
    compared &= (src.sentences > 0)[:, None] & (tgt.sentences > 0)[None, :]
    gains = np.full(words.shape, np.nan)
    for row, column in zip(*np.nonzero(compared), strict=True):
        profile = LengthProfile(
            src.lengths[row], tgt.lengths[column], (src.marks[row], tgt.marks[column])
        )
        model = ProfileModel.first(profile)
        path, _ = whole_path(profile, model.scaled(ratio / model.lengths.ratio))
        gains[row, column] = gain(path.score, len(profile.src) + len(profile.tgt))
    if not compared.any():
        return np.full(words.shape, -_STEEP * _LEAST)
    # Documents that fit all others, as those of equal sentences do, tell less: rows and columns are
    # centred. Nearly all pairs are no translations, so medians tell how such pairs are.
    for axis in (1, 0):
        many = compared.sum(axis=axis, keepdims=True)
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)
            own = np.nan_to_num(np.nanmedian(gains, axis=axis, keepdims=True) - _USUAL[0])
        gains -= own * np.maximum(many - 2, 0) / (many + 1)
    values = gains[compared]
    middle = float(np.median(values))
    spread = float(np.median(np.abs(values - middle))) * _NORMAL
    worth = max(0, len(values) - 4 * max(words.shape))
    mean = (_PAIRS * _USUAL[0] + worth * middle) / (_PAIRS + worth)
    logs = math.log(_USUAL[1]), math.log(max(spread, _LEAST_SPREAD))
    deviation = math.exp((_PAIRS * logs[0] + worth * logs[1]) / (_PAIRS + worth))
    result = np.where(compared, (np.nan_to_num(gains) - mean) / deviation, 0.0) - _LEAST
    sentences = (src.sentences[:, None] + tgt.sentences[None, :]) / _FULL
    return _STEEP * np.where(result > 0, result * np.minimum(sentences, 1.0), result)


def _length_ratio(src: _Documents, tgt: _Documents, words: NDArray[np.float64]) -> float:
    """Estimate target letters for one of the source: the median of pairs that words tell."""
    mutual = [
        (row, int(column))
        for row, column in enumerate(words.argmax(axis=1))
        if words[row, column] > 2.0 and words[:, column].argmax() == row
    ]
    if len(mutual) > 2:
        rows, columns = np.array(mutual).T
        ratios = (tgt.letters[columns] + 1) / (src.letters[rows] + 1)
        return float(np.median(ratios))
    return float((tgt.letters.mean() + 1) / (src.letters.mean() + 1))
