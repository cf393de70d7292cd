"""Documents of two languages: pairing by their contents, and the sections that correspond.

The score of a pair is a natural logarithm of odds, from two kinds of evidence that need no
dictionary. Linked words (`sentences.lexical.cognates`) are equal numbers and names, cognates, and
words that sound alike in different scripts; words of few documents count most. The length profile
(`sentences.length_profile`) is the best alignment of the lengths and end marks of the sentences;
its lead over the alignments of other pairs distinguishes translations also where no word is shared.

Each document has one partner at most. Two solutions are computed: the best assignment, and the best
one in which both sides are in the same order. The second is taken unless the first is better by
more than the logarithm of the number of orders, the prior of one order among all.

Sections correspond by their headings or the references of their verses. They are found before
sentences are aligned, and become the paragraphs of both texts, whose borders the aligner keeps
where lengths and anchors agree with them (`sentences.hard_boundaries`).

Headings correspond in the first or the second of three ways, whichever matches more of them, else
in the third:

1. Both documents have headings of the same levels in the same order, at least down to some level,
   and no two of them have different numbers. The highest level of each document counts as first.
2. Headings have numbers, as `Chapter 3`, `3.2`, `IV.` or `第三章`: those of the same number
   correspond, in order. Between two of them the first way applies again.
3. Otherwise, the headings of both texts are borders down to the deepest levels at which their
   counts are similar, and the aligner decides which of them correspond.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from itertools import pairwise, product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bitext.align.sentences.bead_types import letters_of
from bitext.align.sentences.corridor import best_chain
from bitext.align.sentences.evidence import UNIT
from bitext.align.sentences.evidence.punctuation import SentenceMarks, marks_of
from bitext.align.sentences.length_profile import LengthProfile, ProfileModel, gain, whole_path
from bitext.align.sentences.lexical import SIGNS, Vocabulary, words_of
from bitext.align.sentences.lexical.cognates import cognates
from bitext.kernels.arrays import Bools, Floats, Ints
from bitext.kernels.matching import assign
from bitext.lazy import late_pattern
from bitext.model import Text
from bitext.model.numerals import HAN, ROMAN, han_value, roman_value
from bitext.model.text import BIBLE_BOOKS

# Set by hand, and examined with scripts/bench/chapters.py.
_COMPARED_SENTENCES = 300  # sentences of a document whose lengths are compared, from its beginning
# Documents of the other side whose lengths are compared with one; bounds time
_MOST_CANDIDATES = 16
_WORD_TEMPER = 0.3  # of the odds of words, which depend on each other
_MOST_WORDS = 15.0  # natural logarithm: evidence of words at most, for or against
_LINKED_SHARE = 0.5  # of the words of a text that a translation has linked words of
# Mean and standard deviation of the gain of pairs that are not translations
_UNRELATED_GAIN = (-0.1, 0.35)
_PRIOR_PAIRS = 5  # pairs that this is worth, beside those that are compared
# Standard deviations above that mean from which a gain is evidence for a pair
_LEAST_DEVIATIONS = 3.0
_ODDS_PER_DEVIATION = 1.5  # natural logarithm: odds for each standard deviation
_LEAST_SPREAD = 0.01  # of the gains, where nearly all are equal
_DEVIATION_FACTOR = 1.4826  # standard deviation of a normal distribution for each median deviation
_FULL_EVIDENCE_SENTENCES = 30  # sentences of both documents with full evidence for a pair
# Linked words that are compared at most, those of the fewest documents: memory
_MOST_LINKS = 20_000
_LINKS_AT_ONCE = 2_000  # linked words that are compared at once: memory only


class DocumentPair(NamedTuple):
    """A source and a target document, by their indices."""

    src: int
    tgt: int
    probability: float  # that of the pair, among the other pairs of both documents and of no pair


class DocumentPairing(NamedTuple):
    """The pairs of the documents of two sides."""

    pairs: list[DocumentPair]  # in the order of the source documents
    # The natural logarithm of the odds of each pair against no pair. Shape (source documents,
    # target documents).
    score: Floats
    in_order: bool  # whether both sides are in the same order

    def probability(self, src: int, tgt: int) -> float:
        """Return the probability of a pair among the other pairs of both documents."""
        return _probability(self.score, src, tgt)


def pair_documents(src: Sequence[Text], tgt: Sequence[Text]) -> DocumentPairing:
    """Pair the documents of two sides by their contents.

    Documents are in the order of their names. A document that is more probably without a partner
    has none.
    """
    if not (src and tgt):
        return DocumentPairing([], np.zeros((len(src), len(tgt))), in_order=True)
    sides = _Documents(src), _Documents(tgt)
    words = _word_scores(*sides)
    score = words + _profile_scores(*sides, words)
    ordered, assigned = _in_order(score), _assigned(score)
    totals = [
        sum(float(score[pair]) for pair in candidate_pairs)
        for candidate_pairs in (ordered, assigned)
    ]
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
        probability = _probability(part, row - (rows.start or 0), column - (columns.start or 0))
        pairs.append(DocumentPair(row, column, probability))
    return DocumentPairing(pairs, score, in_order)


def _probability(score: Floats, row: int, column: int) -> float:
    """Return the probability of a pair against those of its row and column, and no pair."""
    rivals = np.concatenate([score[row], np.delete(score[:, column], row), [0.0]])
    return float(np.exp(score[row, column] - np.logaddexp.reduce(rivals)))


def _in_order(score: Floats) -> list[tuple[int, int]]:
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


def _assigned(score: Floats) -> list[tuple[int, int]]:
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
        self.counts: list[tuple[NDArray[np.int32], Ints]] = []
        self.lengths: list[Floats] = []
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
            self.lengths.append(lengths[:_COMPARED_SENTENCES])
            self.marks.append(marks_of(sentences[:_COMPARED_SENTENCES]))
        self.letters = np.array(letters)
        self.sentences = np.array([len(lengths) for lengths in self.lengths])

    def __len__(self) -> int:
        return len(self.counts)

    def documents_with(self) -> Ints:
        """Return the number of documents with each word."""
        words = np.concatenate([ids for ids, _ in self.counts] or [np.zeros(0, np.int32)])
        return np.bincount(words, minlength=len(self.vocabulary))

    def shares(self) -> Floats:
        """Return the mean count of each word in a sentence."""
        total = np.zeros(len(self.vocabulary))
        for ids, counts in self.counts:
            total[ids] += counts
        return np.minimum(total / max(1, int(self.sentences.sum())), 1.0)

    def having(self, words: NDArray[np.int32]) -> Bools:
        """Compute the incidence of words in documents, as a Boolean array (documents, words)."""
        different, column = np.unique(words, return_inverse=True)
        place = np.full(len(self.vocabulary), -1)
        place[different] = np.arange(len(different))
        mask = np.zeros((len(self), len(different)), dtype=bool)
        for row, (ids, _) in enumerate(self.counts):
            at = place[ids]
            mask[row, at[at >= 0]] = True
        return mask[:, column]


def _word_scores(src: _Documents, tgt: _Documents) -> Floats:
    """Score pairs of documents by linked words that both have, or that one lacks.

    A word whose link has the probability p is in the other text with the probability p + (1 - p) f,
    f being the share of documents with it; in a text that is not a translation with f.
    """
    links = cognates(src.vocabulary, tgt.vocabulary, shares=(src.shares(), tgt.shares()))
    documents_with_word = [
        (side.documents_with()[words] + 0.5) / (len(side) + 2.0)
        for side, words in ((src, links.src), (tgt, links.tgt))
    ]
    rare = np.argsort(
        documents_with_word[0] * documents_with_word[1] / np.maximum(links.forward, 1e-9),
        kind="stable",
    )[:_MOST_LINKS]
    score = np.zeros((len(src), len(tgt)))
    for begin in range(0, len(rare), _LINKS_AT_ONCE):
        batch = rare[begin : begin + _LINKS_AT_ONCE]
        probability = links.forward[batch] * _LINKED_SHARE * 2
        one, two = src.having(links.src[batch]), tgt.having(links.tgt[batch])
        share = np.maximum(documents_with_word[0][batch], documents_with_word[1][batch])
        both = np.log((probability + (1 - probability) * share) / share)
        log_lacking = np.log1p(-probability)
        score += (one * (both - log_lacking)) @ two.T
        score += (one @ log_lacking)[:, None] / 2 + (two @ log_lacking)[None, :] / 2
    return np.clip(_WORD_TEMPER * score, -_MOST_WORDS, _MOST_WORDS)


def _profile_scores(src: _Documents, tgt: _Documents, words: Floats) -> Floats:
    """Score pairs of documents by the gain of their best paths by lengths and end marks.

    Only the pairs with the best words, and of the nearest lengths, are compared.
    """
    ratio = _length_ratio(src, tgt, words)
    apart = np.abs(np.log((tgt.letters + 1)[None, :] / ((src.letters + 1) * ratio)[:, None]))
    length_scores = words - apart
    compared = np.zeros(words.shape, dtype=bool)
    for table, mask in ((length_scores, compared), (length_scores.T, compared.T)):
        most = min(_MOST_CANDIDATES, table.shape[1])
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
        return np.full(words.shape, -_ODDS_PER_DEVIATION * _LEAST_DEVIATIONS)
    # Documents that fit all others, as those of equal sentences do, tell less: rows and columns are
    # centred. Nearly all pairs are not translations, so medians tell how such pairs are.
    for axis in (1, 0):
        compared_count = compared.sum(axis=axis, keepdims=True)
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)
            own = np.nan_to_num(np.nanmedian(gains, axis=axis, keepdims=True) - _UNRELATED_GAIN[0])
        gains -= own * np.maximum(compared_count - 2, 0) / (compared_count + 1)
    values = gains[compared]
    middle = float(np.median(values))
    spread = float(np.median(np.abs(values - middle))) * _DEVIATION_FACTOR
    worth = max(0, len(values) - 4 * max(words.shape))
    mean = (_PRIOR_PAIRS * _UNRELATED_GAIN[0] + worth * middle) / (_PRIOR_PAIRS + worth)
    logs = math.log(_UNRELATED_GAIN[1]), math.log(max(spread, _LEAST_SPREAD))
    deviation = math.exp((_PRIOR_PAIRS * logs[0] + worth * logs[1]) / (_PRIOR_PAIRS + worth))
    result = np.where(compared, (np.nan_to_num(gains) - mean) / deviation, 0.0) - _LEAST_DEVIATIONS
    sentences = (src.sentences[:, None] + tgt.sentences[None, :]) / _FULL_EVIDENCE_SENTENCES
    return _ODDS_PER_DEVIATION * np.where(result > 0, result * np.minimum(sentences, 1.0), result)


def _length_ratio(src: _Documents, tgt: _Documents, words: Floats) -> float:
    """Estimate target letters for one of the source: the median over pairs clear by words."""
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


# Sections of two documents that correspond, by their headings or the references of their verses.


# All set by hand.
_SAME_NUMBER_SCORE = 4.0  # score of two headings with one number
_SAME_LEVEL_SCORE = 1.0  # added where their levels are the same
_DISTANCE_COST = 4.0  # taken off for each whole text between their places
# Least share of the numbered headings of a text that correspond by numbers
_LEAST_NUMBERED_SHARE = 0.5
# Most headings of one text for each of the other, where the aligner decides
_MOST_HEADINGS_RATIO = 1.5
_MOST_HEADING_PAIRS = 500_000  # pairs of numbered headings that are compared at most: bounds time

# One word before a number, with its combining marks: Chapter, Глава, บทที่; or the sign of a section
_LABEL = rf"(?:(?:[^\W\d_][{SIGNS}]*)+\.?\s+|§{{1,2}}\s*)?"
_DIGITS = late_pattern(_LABEL + r"(\d{1,4}(?:\.\d{1,3})*)(?=[\s.:,)\]–—-]|$)(?!\s*%)")
_ROMAN = late_pattern(_LABEL + r"([IVXLC]+)(?=[.:,)–—-]|\s*$)")
_ROMAN_FORM = late_pattern(ROMAN)
# Chapters (第三章, 제3장), and articles of laws (第三条, 제3조)
_HAN = late_pattern(rf"[第제]\s*([{HAN}\d]{{1,6}})\s*[章节節回部编編卷話话篇条條장절부편권화회조]")


class Heading(NamedTuple):
    """A heading: its level from 1, its first sentence, and its characters."""

    level: int
    first: int
    text: str


def heading_number(text: str) -> tuple[int, ...]:
    """Return the number that a heading begins with; empty without.

    Examples
    --------
    >>> [heading_number(text) for text in ("Chapter 3", "3.2 The Mill", "IV. Flut", "第十二章 水")]
    [(3,), (3, 2), (4,), (12,)]
    >>> heading_number("The Mill"), heading_number("I was there"), heading_number("50 % of all")
    ((), (), ())

    """
    text = text.strip()
    if match := _HAN.match(text):
        return (han_value(match[1]),)
    if match := _DIGITS.match(text):
        return tuple(map(int, match[1].split(".")))
    if (match := _ROMAN.match(text)) and _ROMAN_FORM.fullmatch(match[1]):
        return (roman_value(match[1]),)
    return ()


def sections_of_headings(
    src: Sequence[Heading], tgt: Sequence[Heading], sentences: tuple[int, int]
) -> tuple[list[int], list[int]] | None:
    """Return the first sentences of the sections of both texts; `None` without headings.

    `sentences` has the number of sentences of both texts.

    Examples
    --------
    >>> src = [Heading(1, 0, "Chapter 1"), Heading(1, 8, "Chapter 2"), Heading(1, 20, "Chapter 3")]
    >>> tgt = [Heading(2, 0, "Kapitel 1"), Heading(2, 21, "Kapitel 3")]
    >>> sections_of_headings(src, tgt, (30, 31))
    ([0, 20], [0, 21])

    """
    if not src or not tgt:
        return None
    numbers = [[heading_number(heading.text) for heading in side] for side in (src, tgt)]
    by_levels = _by_levels(src, tgt)
    if any(
        numbers[0][i] and numbers[1][j] and numbers[0][i] != numbers[1][j] for i, j in by_levels
    ):
        by_levels = []
    by_numbers = _by_numbers((src, tgt), numbers, sentences)
    pairs = by_numbers if len(by_numbers) > len(by_levels) else by_levels
    if pairs:
        return [src[i].first for i, _ in pairs], [tgt[j].first for _, j in pairs]
    # Equal numbers of headings would be matched by their numbers, which nothing supports here.
    cuts = [
        (one, other)
        for one, other in product(_cuts(src), _cuts(tgt))
        if len(one) != len(other)
        and max(map(len, (one, other))) <= _MOST_HEADINGS_RATIO * min(len(one), len(other))
    ]
    return max(cuts, key=lambda both: len(both[0]) + len(both[1]), default=None)


def _cuts(headings: Sequence[Heading]) -> list[list[int]]:
    """Return the first sentences of the headings down to each level."""
    levels = sorted({heading.level for heading in headings})
    return [
        [heading.first for heading in headings if heading.level <= deepest] for deepest in levels
    ]


def _by_levels(src: Sequence[Heading], tgt: Sequence[Heading]) -> list[tuple[int, int]]:
    """Match headings of the same levels in the same order, down to the deepest such level.

    Levels are counted within each text, so that its highest one is 0.
    """
    ranks = [_ranks(side) for side in (src, tgt)]
    for deepest in sorted({*ranks[0]}, reverse=True):
        one, other = ([k for k, rank in enumerate(side) if rank <= deepest] for side in ranks)
        if [ranks[0][i] for i in one] == [ranks[1][j] for j in other]:
            return list(zip(one, other, strict=True))
    return []


def _ranks(headings: Sequence[Heading]) -> list[int]:
    levels = sorted({heading.level for heading in headings})
    return [levels.index(heading.level) for heading in headings]


def _by_numbers(
    sides: tuple[Sequence[Heading], Sequence[Heading]],
    numbers: list[list[tuple[int, ...]]],
    sentences: tuple[int, int],
) -> list[tuple[int, int]]:
    """Match headings of the same numbers in order, and those between them by their levels."""
    src, tgt = sides
    rows, columns = ([k for k, number in enumerate(side) if number] for side in numbers)
    if not rows or not columns or len(rows) * len(columns) > _MOST_HEADING_PAIRS:
        return []
    # The best ascending chain of pairs with one number. Numbers may begin again in each part of a
    # book, so that the places of two headings in their texts count, too.
    places: dict[tuple[int, ...], list[int]] = {}
    for j in columns:
        places.setdefault(numbers[1][j], []).append(j)
    pairs = [(i, j) for i in rows for j in places.get(numbers[0][i], ())]
    scores = []
    for i, j in pairs:
        apart = abs(src[i].first / sentences[0] - tgt[j].first / sentences[1])
        score = _SAME_NUMBER_SCORE - _DISTANCE_COST * apart
        scores.append(score + _SAME_LEVEL_SCORE * (src[i].level == tgt[j].level))
    row, column = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    matched = [pairs[k] for k in best_chain(row, column, np.array(scores)).tolist()]
    if len(matched) < max(2, _LEAST_NUMBERED_SHARE * min(len(rows), len(columns))):
        return []
    out: list[tuple[int, int]] = []
    bounds = [(-1, -1), *matched, (len(src), len(tgt))]
    for (i, j), (k, m) in pairwise(bounds):
        out += [(i, j)] if i >= 0 else []
        between = _by_levels(src[i + 1 : k], tgt[j + 1 : m])
        inner = [(i + 1 + a, j + 1 + b) for a, b in between]
        if all(numbers[0][a] == numbers[1][b] for a, b in inner):
            out += inner
    return out


_PLACES = {code: place for place, code in enumerate(BIBLE_BOOKS, start=1)}
_FIRST = late_pattern(r"(?:(\w{3}) )?(\d{1,6}):(\d{1,6})(?!\d)")


def sections_of_verses(
    src: Sequence[tuple[str, int]], tgt: Sequence[tuple[str, int]]
) -> tuple[list[int], list[int]] | None:
    """Return the first sentences of the verses that both texts have; `None` for hardly any.

    An item of `src` or `tgt` has the reference of a verse and its first sentence. A verse that is
    joined with the next ones in one text (`3:1-2`) corresponds to all of them.

    Examples
    --------
    >>> src = [("3:1", 0), ("3:2", 1), ("3:3", 4)]
    >>> sections_of_verses(src, [("3:1-2", 0), ("3:3", 2)])
    ([0, 4], [0, 2])

    """
    firsts = [{}, {}]  # type: list[dict[tuple[int, int, int], int]]
    for side, verses in zip(firsts, (src, tgt), strict=True):
        highest = (0, 0, 0)
        for label, first in verses:
            match = _FIRST.match(label)
            book = _PLACES.get(match[1] or "", 0) if match else 0
            key = (book, int(match[2]), int(match[3])) if match else (0, 0, 0)
            # The rest of a verse in two parts goes with the first one, and so do books of another
            # order, and those that are in few Bibles.
            if key > highest:
                side[key] = first
                highest = key
    common = [key for key in firsts[0] if key in firsts[1]]
    if len(common) < max(2, _LEAST_NUMBERED_SHARE * min(map(len, firsts))):
        return None
    return [firsts[0][key] for key in common], [firsts[1][key] for key in common]
