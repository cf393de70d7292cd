"""Whether aligned texts are translations of each other at all, and each in its language.

A best path is found through any two texts, so the path itself is tested, in two ways. The first
test costs nothing: in translations most sentences are in probable beads 1-1, 1-2 and 2-1, in other
texts few. Between these cases a Mantel test decides: sentences of the source that are similar to
each other should have targets that are similar to each other. Sentences are compared only within a
language, so the test needs no knowledge of the languages. The correlation of the two tables of
similarities is compared with that of the same tables with the beads of one side shifted: texts with
similar neighbouring sentences, such as lists, have the same correlation after a shift.

`scripts/bench/alignment_doubts.md` has the shares of detected wrong pairs and of doubted right
ones. A lexicon learned from one half of the beads and tested on the other had the same shares, and
took 20 to 40 times as long.

**Source**: N. Mantel, The detection of disease clustering and a generalized regression approach,
Cancer Research 27, 1967.

**Texts in the language of the other side** are detected by the frequent words of a corpus.
The most frequent words of a text are those of its language, and all sources of a corpus share them.
So each text is compared with all other sources and all other targets: the mean over its words of
log P(word | sources) - log P(word | targets) is well above 0 for a source, and well below for a
target. The languages need not be known; where both are nearly the same, no text is reported.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import islice, repeat
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bitext.align.sentences.bead_types import FINELY
from bitext.align.sentences.cleaning import unescaped, without_tags
from bitext.align.sentences.lexical import Vocabulary, is_word
from bitext.align.sentences.texts import SentencePair, Side
from bitext.kernels.arrays import Bools, Floats, Ints, Rows, matrix_product
from bitext.kernels.distributions import Reading, better_reading
from bitext.kernels.one_thread import one_thread
from bitext.model import Alignment, Text

if TYPE_CHECKING:
    from bitext.align.sentences.vectors import SentenceVectors

# Chosen by scripts/bench/alignment_doubts.py, unless noted otherwise. Change of the share of its
# pairs that are judged correctly, if halved and if doubled (alignment_constants.md, by lengths):
# _LEAST_DOUBTFUL_SHARE -.048 and -.006, _LEAST_AGREEMENT -.009 and +.009, _FEWEST_BEADS +.088 and
# -.009, _MOST_BEADS +.009 and -.006, _MOST_SMALL_SENTENCES +.009 and -.014, _NEAR_BEADS 0 and
# -.003; the others 0. Half of _FEWEST_BEADS adds notes to short pairs of unrelated texts; it stays,
# since a wrong note on a translation is worse than no note.
# Least confident share of translations: none of 542 pairs of other texts had .85
_LEAST_CONFIDENT_SHARE = 0.9
_LEAST_DOUBTFUL_SHARE = 0.3  # confident share that all well-aligned translations exceed
_LEAST_AGREEMENT = 2.5  # standard deviations above shifted tables; translations have 4 or more
_FEWEST_BEADS = 40  # beads with both sides: in fewer, agreement is often an accident
# Beads that are compared, at even distances: bounds time, which grows with the square
_MOST_BEADS = 64
# Sentences: larger beads of unrelated texts are confident, too, and do not count
_MOST_SMALL_SENTENCES = 3
_FEATURES = 256  # columns of the hash of pairs of characters: bounds time
_NEAR_BEADS = 2  # distance within which beads are similar in any text, and are not compared
_LEAST_VARIATION = 1e-9  # variation of similarities that is a rounding error
_LEAST_SQUARE = 1e-12  # square of the size of a row that is a rounding error
_VECTORS, _FEW_VECTORS = 400, 20  # the most and fewest beads whose vectors are compared
_PARTS, _ROWS = 3, 500  # stretches whose nearest vectors are compared, and the rows of each
_LEAST_STANDARD_ERRORS = 3.0  # standard errors of a gain that are no accident


def are_related(src: Text, tgt: Text, alignment: Alignment, *, words: bool = True) -> bool | None:
    """Judge whether two aligned texts are translations of each other.

    The alignment is in order and without gaps, with scores, as `align_sentences` makes it. `words`
    says whether words were evidence: by lengths alone, unrelated texts may also have confident
    beads. The result is None with too little evidence: fewer than 40 beads with both sides, or
    sentences that are all alike.

    Examples
    --------
    >>> from bitext.align.sentences import align_sentences
    >>> from bitext.model import Text
    >>> src, tgt = Text(["One."]), Text(["Un."])
    >>> are_related(src, tgt, align_sentences(src, tgt)) is None
    True

    """
    if len(_both_sided(alignment)) < _FEWEST_BEADS:
        return None
    share = confident_share(alignment)
    if words and share >= _LEAST_CONFIDENT_SHARE:
        return True
    table_agreement = agreement(src, tgt, alignment)
    if table_agreement is None:
        return None
    return share >= _LEAST_DOUBTFUL_SHARE and table_agreement >= _LEAST_AGREEMENT


def disagree(src: Text, tgt: Text, alignment: Alignment) -> bool:
    """Judge whether the similarities within both texts disagree."""
    table_agreement = agreement(src, tgt, alignment)
    return table_agreement is not None and table_agreement < _LEAST_AGREEMENT


def confident_share(alignment: Alignment) -> float:
    """Return the share of all sentences that are expected to be in right beads 1-1, 1-2 and 2-1.

    If one text is cut more finely, beads 1-3 and so on count, too, up to its ratio.

    Examples
    --------
    >>> from bitext.model import Alignment
    >>> confident_share(Alignment([((0,), (0,)), ((1,), ())], scores=np.array([0.9, 0.5])))
    0.6

    """
    if alignment.scores is None:
        return 0.0
    src, tgt = alignment.src.lengths, alignment.tgt.lengths
    sizes = int(src.sum()), int(tgt.sum())
    most = max(_MOST_SMALL_SENTENCES, 1 + round(max(sizes) / max(min(sizes), 1)))
    small = (np.minimum(src, tgt) == 1) & (src + tgt <= min(most, 1 + FINELY))
    total = sum(sizes)
    return float((alignment.scores * (src + tgt))[small].sum()) / max(total, 1)


def agreement(src: Text, tgt: Text, alignment: Alignment) -> float | None:
    """Compare the similarities within both texts, against those with one side shifted.

    At most 64 beads are compared, so the time does not depend on the length of the texts.

    The result is the difference in standard deviations over the shifts. It is None with fewer than
    40 beads that have both sides, or if all sentences of a side are alike.
    """
    beads = _both_sided(alignment)
    if len(beads) < _FEWEST_BEADS:
        return None
    if len(beads) > _MOST_BEADS:
        beads = beads[np.linspace(0, len(beads) - 1, _MOST_BEADS).astype(np.int64)]
    with one_thread():
        tables = [
            _similarities(_texts_of_beads(text, rows.ptr, beads))
            for text, rows in ((src, alignment.src), (tgt, alignment.tgt))
        ]
    src_table, tgt_table = tables
    norm = float(np.sqrt((src_table * src_table).sum() * (tgt_table * tgt_table).sum()))
    if norm < _LEAST_VARIATION * src_table.size:
        return None
    # The correlation with both rows and columns of one table shifted, for every shift at once: a
    # shift moves the values of a diagonal along it.
    src_waves, tgt_waves = (
        np.fft.rfft(table.ravel()[_diagonals(len(beads))]) for table in (src_table, tgt_table)
    )
    shifted = np.fft.irfft((src_waves.conj() * tgt_waves).sum(axis=0), len(beads)) / norm
    chance = shifted[_NEAR_BEADS + 1 : len(beads) - _NEAR_BEADS]
    return float((shifted[0] - chance.mean()) / max(float(chance.std()), 1 / len(beads)))


@cache
def _diagonals(count: int) -> Ints:
    """Return the places of the diagonals of a square table, a row each, in the flat table."""
    every = np.arange(count)
    return every * count + (every + every[:, None]) % count


@cache
def _far(count: int) -> Bools:
    """Mask the pairs of beads that are no neighbours."""
    every = np.arange(count)
    far: Bools = np.abs(every[:, None] - every) > _NEAR_BEADS
    return far


def _both_sided(alignment: Alignment) -> Ints:
    return np.flatnonzero((alignment.src.lengths > 0) & (alignment.tgt.lengths > 0))


def _texts_of_beads(text: Text, ptr: Ints, beads: Ints) -> list[str]:
    """Return the sentences of one side of some beads, joined and without tags.

    Tags repeat in any text, and would make sentences similar.
    """
    ranges = zip(ptr[beads].tolist(), ptr[beads + 1].tolist(), strict=True)
    return [
        " ".join(without_tags(unescaped(sentence)) for sentence in sentences)
        for sentences in _picked(text, ranges)
    ]


def _picked(text: Text, ranges: Iterable[tuple[int, int]]) -> list[list[str]]:
    """Return some runs of the sentences of a text, in a single pass over it."""
    sentences, at = text.segments(), 0
    runs = []
    for first, last in ranges:
        runs.append(list(islice(sentences, first - at, last - at)))
        at = last
    return runs


def _similarities(texts: list[str]) -> Floats:
    """Return the cosines of character pairs of all texts, less their mean; 0 for neighbours."""
    joined = "\0".join(["", *(text.replace("\0", " ") for text in texts), ""]).lower()
    codes = np.frombuffer(joined.encode("utf-32-le", "surrogatepass"), np.uint32)
    count = len(texts)
    places = np.cumsum(codes[:-1] == 0) - 1
    places *= _FEATURES
    places += (codes[:-1] * 31 + codes[1:]) % _FEATURES
    counts = np.bincount(places, minlength=count * _FEATURES)
    # Square roots, so that the most frequent pair does not dominate a long text.
    roots = np.sqrt(np.arange(counts.max() + 1))
    table = roots[counts].reshape(count, _FEATURES)
    # Cosines of the rows, then of their differences from the mean of all rows of length 1.
    cosines = _cosines(table @ table.T)
    near_mean = cosines.mean(axis=0)
    cosines = _cosines(cosines - near_mean - near_mean[:, None] + near_mean.mean())
    far = _far(count)
    cosines -= cosines[far].mean()
    cosines *= far
    return cosines


def _cosines(products: Floats) -> Floats:
    """Return the cosines of rows by their products; rows of rounding errors alone have 0."""
    squares = products.diagonal().copy()
    squares[squares < _LEAST_SQUARE] = np.inf
    sizes = np.sqrt(squares)
    result: Floats = products / sizes / sizes[:, None]
    return result


def vectors_fit(src: SentenceVectors, tgt: SentenceVectors, alignment: Alignment) -> bool:
    """Judge whether vectors of aligned sentences are nearer than those of other pairs.

    At most 400 beads 1-1 are compared. The gain of the cosine must be 3 times its standard error.
    With fewer than 20 beads the vectors count as fitting.
    """
    single = np.flatnonzero((alignment.src.lengths == 1) & (alignment.tgt.lengths == 1))
    single = single[:: -(-len(single) // _VECTORS) or 1]
    if len(single) < _FEW_VECTORS:
        return True
    src_vectors, tgt_vectors = (
        side.sentences(rows.idx[rows.ptr[single]])
        for side, rows in ((src, alignment.src), (tgt, alignment.tgt))
    )
    gain = np.einsum(
        "ij,ij->i", src_vectors, tgt_vectors - np.roll(tgt_vectors, len(tgt_vectors) // 2, axis=0)
    )
    error = float(gain.std()) / len(gain) ** 0.5
    return bool(gain.mean() > _LEAST_STANDARD_ERRORS * error)


def vectors_reading(
    src: SentenceVectors, tgt: SentenceVectors, texts: tuple[Text, Text]
) -> Reading | None:
    """Return the reading of rows that fits the lengths of sentences clearly better than as given.

    Rows that are nearest to each other should belong to sentences of about the same length. In long
    texts some stretches are compared, each with the target sentences at the same relative place.

    `texts` are those to which the vectors should belong. The result is None if the rows fit as
    given, or there is too little evidence.
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
        cosines = matrix_product(src.windows(1, first, last), tgt.windows(1, low, high).T)
        nearest = cosines.argmax(axis=1)
        mutual = np.flatnonzero(cosines.argmax(axis=0)[nearest] == np.arange(last - first))
        places.append(np.stack([mutual + first, nearest[mutual] + low]))
        if last == count:
            break
    src_rows, tgt_rows = np.concatenate(places, axis=1)
    ptr = np.arange(len(src_rows) + 1)
    lengths = texts[0].lengths(), texts[1].lengths()
    return better_reading(Rows(ptr, src_rows), Rows(ptr, tgt_rows), *lengths)


# Set by hand. Change of the share of pieces that rightly count as exchanged or not, for half and
# twice (alignment_constants.md): _FEWEST_WORDS 0 and -.010, _CLEARLY 0 and -.032, _MOST_LOG_ODDS
# -.002 and 0; the others 0.
_COMPARED_WORDS = 200  # most frequent words of a text that are compared: bounds time
_FEWEST_WORDS = 20  # words of a text: shorter texts are not judged
# Words of a text, repeated ones too, of which a share of known ones counts
_FEWEST_RUNNING = 50
_FIRST_WORDS = 100  # distinct words of a text that are looked at first: speed only
# Natural logarithm: least mean odds that are no matter of style (alignment_doubts.py)
_CLEARLY = 1.0
_MOST_LOG_ODDS = 4.0  # natural logarithm: upper bound of the odds of one word
_WIDE = 30  # words of a vocabulary for each of a text, up to which a table is quicker than a sort
_LONGEST_TEXTS = 8  # longest texts among which the first one is chosen


class WrongLanguageSides(NamedTuple):
    """The sides of a text pair that are in the language of the other side."""

    # `src`, `tgt`: both: the pair is exchanged. One: both its texts are in one language.
    src: bool
    tgt: bool


def frequent_words(side: Side, forms: Sequence[str]) -> Counter[str]:
    """Count the 200 most frequent words of a text, without figures and marks.

    `forms` are the words of the vocabulary of the text.
    """
    if len(forms) <= _WIDE * len(side.ids):
        counts = np.bincount(side.ids, side.times, len(forms)).astype(np.int64)
        ids = np.flatnonzero(counts)
        counts = counts[ids]
    else:  # of many texts: a number for each of their words would take longer
        ids, word_index = np.unique(side.ids, return_inverse=True)
        counts = np.bincount(word_index, side.times, len(ids)).astype(np.int64)
    frequent = _most_frequent(forms, ids, counts)
    numbers = zip(ids[frequent].tolist(), counts[frequent].tolist(), strict=True)
    return Counter({forms[k]: n for k, n in numbers})


def _most_frequent(forms: Sequence[str], ids: Ints, counts: Ints) -> Ints:
    """Return the places in `ids` of the 200 most frequent words, the most frequent first."""
    order = np.argsort(-counts, kind="stable")[: 2 * _COMPARED_WORDS]
    # As `is_word`, whose calls would take as long as all of this.
    words = [forms[k][:1].isalpha() for k in ids[order].tolist()]
    return order[np.flatnonzero(words)[:_COMPARED_WORDS]]


def share_is_known(side: Side, known: Container[str], least: float) -> bool:
    """Check whether the share of the words of a text that are known is at least `least`.

    Words count as often as they occur. Texts of fewer than 50 words have any share. The side has a
    vocabulary of its own.
    """
    forms = side.vocabulary.forms
    counts = np.bincount(side.ids, side.times, len(forms))
    # The first words of most texts suffice.
    first = [k for k, form in enumerate(forms[:_FIRST_WORDS]) if is_word(form) and form in known]
    if counts[first].sum() >= least * counts.sum():
        return True
    are_words = np.fromiter(map(is_word, forms), dtype=bool, count=len(forms))
    counts *= are_words
    total = float(counts.sum())
    are_known = np.fromiter(map(known.__contains__, forms), dtype=bool, count=len(forms))
    return total < _FEWEST_RUNNING or float(counts[are_known].sum()) / total >= least


class CorpusLanguages:
    """The counts of the most frequent words of the sources and of the targets of a corpus."""

    def __init__(self, src: Mapping[str, int], tgt: Mapping[str, int]) -> None:
        self._words = Vocabulary([*src, *tgt])
        # The last number is that of unknown words.
        self._counts = np.zeros((2, len(self._words) + 1), dtype=np.int64)
        for own, counts in zip(self._counts, (src, tgt), strict=True):
            own[self._words.find(counts)] = list(counts.values())

    def wrong_language(self, pair: SentencePair) -> WrongLanguageSides:
        """Detect the sides of a text pair that are in the language of the other side.

        The text pair may be of the corpus, even be the corpus; it is no evidence of its own
        languages. Both sides have vocabularies of their own.
        """
        texts = []
        corpus = self._counts.copy()
        for side, rest in zip((pair.src, pair.tgt), corpus, strict=True):
            forms = side.vocabulary.forms
            counts = np.bincount(side.ids, side.times, len(forms)).astype(np.int64)
            numbers = self._words.find(forms)
            rest[numbers] -= counts
            ids = np.flatnonzero(counts)
            frequent = ids[_most_frequent(forms, ids, counts[ids])]
            texts.append((counts[frequent], numbers[frequent]))
        np.maximum(corpus, 0, out=corpus)
        corpus[:, -1] = 0
        totals = int(corpus[0].sum()), int(corpus[1].sum())
        src, tgt = (
            _mean_log_odds(counts, corpus[0, numbers], corpus[1, numbers], totals)
            for counts, numbers in texts
        )
        return WrongLanguageSides(src=src < -_CLEARLY, tgt=tgt > _CLEARLY)


class LanguageWords:
    """Counts of the words of the texts of one language.

    `counts` are the first counts; none is 0.
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
        words = list(words)
        counts = list(map(self._counts.get, words, repeat(0)))
        if not self._less:
            return counts
        less = map(self._less.get, words, repeat(0))
        return [count - own if count > own else 0 for count, own in zip(counts, less, strict=True)]

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

    `words` has the count of each word in a text; `src` and `tgt` have the counts in all sources,
    and in all targets. The result is above 1 for a text that is clearly of the sources, below -1
    for one of the targets, and 0 if too little is known.

    Examples
    --------
    >>> src, tgt = LanguageWords({"der": 20, "und": 20}), LanguageWords({"le": 30, "et": 10})
    >>> round(source_log_odds({"der": 9, "und": 12}, src, tgt), 1)
    3.7

    """
    counts = np.fromiter(words.values(), dtype=np.int64, count=len(words))
    src_counts, tgt_counts = (
        np.array(side.counts_of(words), dtype=np.int64) for side in (src, tgt)
    )
    return _mean_log_odds(counts, src_counts, tgt_counts, (src.total, tgt.total))


def _mean_log_odds(
    counts: Ints, src_counts: Ints, tgt_counts: Ints, totals: tuple[int, int]
) -> float:
    """Compute the mean log-odds of words from their counts in a text, and in both languages."""
    known = (src_counts > 0) | (tgt_counts > 0)
    number = int(counts[known].sum())
    if min(number, *totals) < _FEWEST_WORDS:
        return 0.0
    src_size, tgt_size = (size + 0.5 * _COMPARED_WORDS for size in totals)
    odds = ((src_counts[known] + 0.5) / src_size) / ((tgt_counts[known] + 0.5) / tgt_size)
    clipped = np.clip(np.log(odds), -_MOST_LOG_ODDS, _MOST_LOG_ODDS)
    return float(counts[known].astype(np.float64) @ clipped) / number


def wrong_language_sides(pairs: Sequence[SentencePair]) -> list[WrongLanguageSides]:
    """Detect, for each pair of a corpus, the sides in the language of the other side.

    Most pairs decide which language is that of the sources; with as many on both sides, the first
    pair.

    The pairs have common vocabularies.
    """
    if len(pairs) < 2:
        return [WrongLanguageSides(src=False, tgt=False)] * len(pairs)
    forms = pairs[0].src.vocabulary.forms, pairs[0].tgt.vocabulary.forms
    texts = [
        (frequent_words(pair.src, forms[0]), frequent_words(pair.tgt, forms[1])) for pair in pairs
    ]
    turned, sources, targets = _turned(texts)
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

    `texts` has the counts of the words of the source, and of the target, of the pair; `sources` and
    `targets` have the counts in the sources, and in the targets, of the corpus.
    """
    src, tgt = (source_log_odds(words, sources, targets) for words in texts)
    return WrongLanguageSides(src=src < -_CLEARLY, tgt=tgt > _CLEARLY)


def _turned(
    texts: Sequence[tuple[Counter[str], Counter[str]]],
) -> tuple[list[int], LanguageWords, LanguageWords]:
    """Return 1 for each pair that is like most, -1 for an exchanged one, 0 if unknown.

    The words of both languages are also returned, without those of unknown pairs.

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
        return [-way for way in ways], targets, sources
    return ways, sources, targets


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
