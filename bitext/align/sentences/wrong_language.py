"""Detection of texts in the language of the other side, by the frequent words of a corpus.

The most frequent words of a text are those of its language, and all sources of a corpus share them.
So each text is compared with all other sources and all other targets: the mean over its words of
log P(word | sources) - log P(word | targets) is well above 0 for a source, and well below for a
target. The languages need not be known; where both are nearly the same, no text is reported.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bitext.align.sentences.lexical import is_word

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from bitext.align.sentences.texts import SentencePair, Side

# Set by hand. Change of the share of pieces that rightly count as exchanged or not, for half and
# twice (alignment_constants.md): _FEWEST 0 and -.010, _CLEARLY 0 and -.032, _MOST -.002 and 0; the
# others 0.
_COMPARED_WORDS = 200  # most frequent words of a text that are compared: bounds time
_FEWEST_WORDS = 20  # words of a text: shorter texts are not judged
_CLEARLY = (
    1.0  # natural logarithm: least mean odds that are no matter of style (alignment_doubts.py)
)
_MOST_LOG_ODDS = 4.0  # natural logarithm: upper bound of the odds of one word
_LONGEST_TEXTS = 8  # longest texts among which the first one is chosen


class WrongLanguageSides(NamedTuple):
    """The sides of a text pair that are in the language of the other side."""

    # `src`, `tgt`: both: the pair is exchanged. One: both its texts are in one language.
    src: bool
    tgt: bool


def frequent_words(side: Side, forms: Sequence[str]) -> Counter[str]:
    """Count the 200 most frequent words of a text, without figures and marks.

    Parameters
    ----------
    forms : sequence of str
        Those of its vocabulary.

    """
    if len(forms) <= len(side.ids):
        counts = np.bincount(side.ids, side.times, len(forms)).astype(np.int64)
        ids = np.flatnonzero(counts)
        counts = counts[ids]
    else:  # of many texts: a number for each of their words would take longer
        ids, word_index = np.unique(side.ids, return_inverse=True)
        counts = np.bincount(word_index, side.times, len(ids)).astype(np.int64)
    order = np.argsort(-counts, kind="stable")[: 2 * _COMPARED_WORDS]
    counted = [
        (forms[k], n) for k, n in zip(ids[order].tolist(), counts[order].tolist(), strict=True)
    ]
    return Counter(dict([(form, n) for form, n in counted if is_word(form)][:_COMPARED_WORDS]))


def occurrences(side: Side, words: Iterable[str]) -> Counter[str]:
    """Count some words in a text; words that it lacks are left out.

    Parameters
    ----------
    side : Side
        With a vocabulary of its own.
    words : iterable of str

    """
    word_list = list(words)
    which = side.vocabulary.find(word_list)
    times = np.bincount(side.ids, side.times, len(side.vocabulary) + 1)[which].astype(np.int64)
    present = np.flatnonzero(times)
    numbers = zip(present.tolist(), times[present].tolist(), strict=True)
    return Counter({word_list[k]: n for k, n in numbers})


class LanguageWords:
    """Counts of the words of the texts of one language.

    Parameters
    ----------
    counts : mapping of str to int
        The first counts; none is 0.

    """

    def __init__(self, counts: Mapping[str, int] | None = None) -> None:
        self._counts = Counter(counts)
        self._less: Mapping[str, int] = {}
        self.total = self._counts.total()

    def __contains__(self, word: str) -> bool:
        return self[word] > 0

    def __iter__(self) -> Iterator[str]:
        return iter(self._counts)

    def __getitem__(self, word: str) -> int:
        return self.counts_of((word,))[0]

    def counts_of(self, words: Iterable[str]) -> list[int]:
        """Return the count of each of some words; 0 for unknown words."""
        known, less = self._counts.get, self._less.get
        if not self._less:
            return [known(word, 0) for word in words]
        return [max(known(word, 0) - less(word, 0), 0) for word in words]

    def add(self, words: Mapping[str, int]) -> None:
        """Count the words of another text."""
        self._counts.update(words)
        self.total += sum(words.values())

    def without(self, words: Mapping[str, int]) -> LanguageWords:
        """Return the counts without those of a text, or of a part of it."""
        rest = LanguageWords()
        rest._counts, rest._less = self._counts, words
        common_counts = map(min, self.counts_of(words), words.values())
        rest.total = self.total - sum(common_counts)
        return rest


def source_log_odds(words: Mapping[str, int], src: LanguageWords, tgt: LanguageWords) -> float:
    """Compute the mean log-odds of the source language over the words of a text.

    Parameters
    ----------
    words : mapping of str to int
        How often a text has each.
    src, tgt : LanguageWords
        How often all sources, and all targets, have each.

    Returns
    -------
    float
        Above 1: clearly of the sources, below -1: of the targets. 0 if too little is known.

    Examples
    --------
    >>> src, tgt = LanguageWords({"der": 20, "und": 20}), LanguageWords({"le": 30, "et": 10})
    >>> round(source_log_odds({"der": 9, "und": 12}, src, tgt), 1)
    3.7

    """
    totals = src.total, tgt.total
    counts, src_counts, tgt_counts = (
        np.array(column, dtype=np.float64)
        for column in (list(words.values()), src.counts_of(words), tgt.counts_of(words))
    )
    known = (src_counts > 0) | (tgt_counts > 0)
    number = int(counts[known].sum())
    if min(number, *totals) < _FEWEST_WORDS:
        return 0.0
    src_size, tgt_size = (size + 0.5 * _COMPARED_WORDS for size in totals)
    odds = ((src_counts[known] + 0.5) / src_size) / ((tgt_counts[known] + 0.5) / tgt_size)
    total = float(counts[known] @ np.clip(np.log(odds), -_MOST_LOG_ODDS, _MOST_LOG_ODDS))
    return total / number


def wrong_language_sides(pairs: Sequence[SentencePair]) -> list[WrongLanguageSides]:
    """Detect, for each pair of a corpus, the sides in the language of the other side.

    Most pairs decide which language is that of the sources; with as many on both sides, the first
    pair.

    Parameters
    ----------
    pairs : sequence of SentencePair
        With common vocabularies.

    """
    if len(pairs) < 2:
        return [WrongLanguageSides(src=False, tgt=False)] * len(pairs)
    forms = pairs[0].src.vocabulary.forms, pairs[0].tgt.vocabulary.forms
    texts = [
        (frequent_words(pair.src, forms[0]), frequent_words(pair.tgt, forms[1])) for pair in pairs
    ]
    turned = _turned(texts)
    sources, targets = LanguageWords(), LanguageWords()
    for (src, tgt), way in zip(texts, turned, strict=True):
        if way:
            sources.add(src if way > 0 else tgt)
            targets.add(tgt if way > 0 else src)
    sides = []
    for (src, tgt), way in zip(texts, turned, strict=True):
        # A text is not evidence of its own language.
        own = (src, tgt) if way > 0 else (tgt, src) if way < 0 else (Counter[str](), Counter[str]())
        sides.append(
            wrong_language_in((src, tgt), sources.without(own[0]), targets.without(own[1]))
        )
    return sides


def wrong_language_in(
    texts: tuple[Mapping[str, int], Mapping[str, int]],
    sources: LanguageWords,
    targets: LanguageWords,
) -> WrongLanguageSides:
    """Detect the sides of one pair that are in the language of the other side of a corpus.

    Parameters
    ----------
    texts : (mapping of str to int, mapping of str to int)
        How often its source and its target have words.
    sources, targets : LanguageWords
        How often those of the corpus have them.

    """
    src, tgt = (source_log_odds(words, sources, targets) for words in texts)
    return WrongLanguageSides(src=src < -_CLEARLY, tgt=tgt > _CLEARLY)


def _turned(texts: Sequence[tuple[Counter[str], Counter[str]]]) -> list[int]:
    """Return 1 for each pair that is like most, -1 for an exchanged one, 0 if unknown.

    Each pair is compared with the pairs before it, the longest first.
    """
    sizes = [min(src.total(), tgt.total()) for src, tgt in texts]
    order = sorted(range(len(texts)), key=lambda k: -sizes[k])
    first = max(order[:_LONGEST_TEXTS], key=lambda k: _apart_by_itself(texts[k]))
    order.remove(first)
    ways = [0] * len(texts)
    sources, targets = LanguageWords(), LanguageWords()
    for k in (first, *order):
        src, tgt = texts[k]
        apart = _apart_by_itself(texts[k]) if k == first else _apart(texts[k], sources, targets)
        ways[k] = (apart > _CLEARLY) - (apart < -_CLEARLY)
        if ways[k]:
            sources.add(src if ways[k] > 0 else tgt)
            targets.add(tgt if ways[k] > 0 else src)
    known = [way for way in ways if way]
    if sum(known) < 0 or (sum(known) == 0 and known and known[0] < 0):
        ways = [-way for way in ways]
    return ways


def _apart_by_itself(texts: tuple[Counter[str], Counter[str]]) -> float:
    src, tgt = texts
    return _apart(texts, LanguageWords(src), LanguageWords(tgt))


def _apart(
    texts: tuple[Mapping[str, int], Mapping[str, int]],
    sources: LanguageWords,
    targets: LanguageWords,
) -> float:
    """Return the difference of the log-odds of the source language, source minus target."""
    src, tgt = (source_log_odds(words, sources, targets) for words in texts)
    return src - tgt
