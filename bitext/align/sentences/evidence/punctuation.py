"""The evidence of punctuation for beads.

Questions are translated by questions, and direct speech by direct speech: the two sides of a bead
have similar beginnings and ends. Between two sentences of a bead, commas, colons, missing marks and
lower-case beginnings are usual. The score of a bead is the log-likelihood ratio of its marks as a
translation and by accident:

    0.7 * sum over ends, closes, begins of log P(x, y) / (P(x) P(y))
        + sum over cuts between its sentences of log P(cut | inside) / P(cut)

where x and y are the marks of the source and the target side. In the prior, a pair of marks is
equal with a probability of 0.5, and a random pair otherwise; this prior has the weight of 30 beads
beside the beads of the texts. The evidence of a single mark is bounded, as a rare mark that was
seen once is not a proof.

Repeated marks are no independent evidence: a list with full stops after its abbreviations, or with
lower-case items, may have a translation without, by one decision for the whole list. If sentences
of both sides are in runs with the same mark, all beads of the shorter run together count about as
much as five beads.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache, partial
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple
from unicodedata import category

import numpy as np
from numpy.typing import NDArray

from bitext.align.sentences.cleaning import TextView
from bitext.align.sentences.evidence import BandColumns, TwoSidedBeads
from bitext.align.sentences.lexical.translation_model import BeadPoints
from bitext.align.sentences.texts import stretches_of_texts
from bitext.kernels.arrays import Floats, Ints, Singles, ranges, running_sums, within
from bitext.kernels.bead_path import Band
from bitext.kernels.compiled_evidence import EvidenceKernels, evidence_kernels
from bitext.kernels.compiled_words import CharacterKinds, codes_of

if TYPE_CHECKING:
    from bitext.align.sentences.texts import Each

# Sorts of beginnings and ends of sentences: question, speech, list item, part of a sentence.
#
# Marks of all scripts with the same meaning are one sort. Closing quotation marks and brackets are
# removed before the end is classified, and are classified by themselves.

_EDGE_CHARACTERS = 40  # characters of a sentence at each of its ends: bounds the work
_BRACKETS = frozenset(")]}）】〕］｝")
_QUOTES = frozenset("\"'»›”’“‘«‹」』〉》")
# Marks after the end, with blanks between and after them
_CLOSING = "".join([*_BRACKETS, *_QUOTES, *(chr(k) for k in range(0x3001) if chr(k).isspace())])
_DASHES = "-–—―−‒"
# Sort 0 is a letter at the end or at the beginning.
_ENDS = {
    mark: sort
    for sort, marks in enumerate(
        (".。।۔．｡።։။។׃᠃", "?？؟", "!！", ":：", ";；؛", ",，、،", "…", _DASHES), start=1
    )
    for mark in marks
}
_ELLIPSIS, _FIGURE, _OTHER = 7, 9, 10  # sorts of ends
_DOTS = ("...", ". . .", "。。。")
_WITHIN_DOTS, _LONGEST_DOTS = ".。 ", 5
_OPENINGS = (_DASHES, "\"'«‹„“‘‚»›”’「『《", "•·*●▪■◦○►▶‣⁃+#", "([{（【〔［")
_OPENS = {mark: sort for sort, marks in enumerate(_OPENINGS, start=1) for mark in marks}
_BEGUN_FIGURE, _SMALL, _BEGUN_OTHER = 5, 6, 7  # sorts of beginnings
_SKIPPED = "\ufeff¿¡"  # before a beginning
_SEARCHED = _BEGUN_OTHER + 1  # in place of a sort: the beginning is behind this character
_SMALL_NEXT = _OTHER + 1

SORTS = {"ends": _OTHER + 1, "closes": 3, "begins": _BEGUN_OTHER + 1, "cuts": 2 * _SMALL_NEXT}
"""The number of sorts of each attribute of `SentenceMarks`."""


class _Marks(NamedTuple):
    # Shape of all: (sentences,)
    # 0 a letter, 1 a full stop, 2 a question mark, 3 an exclamation mark, 4 a colon, 5 a semicolon,
    # 6 a comma, 7 dots, 8 a dash, 9 a figure, 10 something else
    ends: NDArray[np.int8]
    closes: NDArray[np.int8]  # marks after the end: 0 none, 1 brackets, 2 quotation marks
    # 0 a letter, 1 a dash, 2 a quotation mark, 3 a bullet, 4 a bracket, 5 a figure, 6 a small
    # letter, 7 something else
    begins: NDArray[np.int8]
    # Borders to the next sentence: the end, plus 11 if the next sentence begins with a small letter
    cuts: NDArray[np.int8]


class SentenceMarks(_Marks):
    """Sorts of the beginnings and ends of the sentences of a text."""

    @cached_property
    def keys(self) -> dict[str, NDArray[np.int16]]:
        """The sort of each sentence with the length of its run, as `_keys` numbers them."""
        return {name: _keys(getattr(self, name)) for name in _PAIRED}


def marks_of(sentences: Iterable[str]) -> SentenceMarks:
    """Classify the beginnings and ends of sentences.

    Examples
    --------
    >>> marks = marks_of(["»Kommst du?«", "- Nein,", "sagte er", "他来了。"])
    >>> marks.ends.tolist(), marks.closes.tolist()
    ([2, 6, 0, 1], [2, 0, 0, 0])
    >>> marks.begins.tolist(), marks.cuts.tolist()
    ([2, 1, 6, 0], [2, 17, 0, 1])

    """
    return _whole([_table(sentences)])


def marks_of_texts(texts: Sequence[TextView], *, each: Each = map) -> list[SentenceMarks]:
    """Classify the beginnings and ends of the sentences of several texts.

    `each` calls a function with each of some integers, perhaps in parallel, as `map` does; a call
    classifies some thousand sentences.
    """
    stretches = stretches_of_texts([len(text) for text in texts])

    def look(number: int) -> NDArray[np.int8]:
        spans = stretches[number]
        return _table(chain.from_iterable(texts[k].segments(*span) for k, *span in spans))

    tables_of_text: list[list[NDArray[np.int8]]] = [[_table([])] for _ in texts]
    for stretch, table in zip(stretches, each(look, range(len(stretches))), strict=True):
        begin = 0
        for k, first, last in stretch:
            tables_of_text[k].append(table[begin : begin + last - first])
            begin += last - first
    return [_whole(tables) for tables in tables_of_text]


def _table(sentences: Iterable[str]) -> NDArray[np.int8]:
    """Return the sorts of the end, the closing mark and the beginning of each sentence."""
    texts = list(sentences)
    table = np.zeros((len(texts), 3), dtype=np.int8)
    closed = [sentence.rstrip(_CLOSING) for sentence in texts]
    sizes = np.fromiter(map(len, closed), dtype=np.int64, count=len(texts))
    marks = np.fromiter(map(len, texts), dtype=np.int64, count=len(texts)) - sizes
    some = np.flatnonzero(sizes)
    ends = np.cumsum(sizes)[some]
    codes = codes_of("".join([" ", *closed]))  # there is a character before the first one
    table[some, 0] = _END_SORTS.of(codes[ends]) - 1
    table[some, 2] = begins = _BEGIN_SORTS.of(codes[ends - sizes[some] + 1]) - 1
    before = codes[ends - 1]
    are_dots = np.logical_or.reduce([before == ord(mark) for mark in _WITHIN_DOTS])
    for k in some[are_dots & (table[some, 0] == 1)].tolist():
        if closed[k].endswith(_DOTS):
            table[k, 0] = _ELLIPSIS
    marked = np.flatnonzero(marks)
    behind = zip(marked.tolist(), sizes[marked].tolist(), strict=True)
    table[marked, 1] = [_closing(texts[k][size:]) for k, size in behind]
    # Blanks and marks alone, or very many of them.
    is_bare = (sizes == 0) | (marks > _EDGE_CHARACTERS - _LONGEST_DOTS)
    is_bare[some] |= begins == _SEARCHED
    for k in np.flatnonzero(is_bare).tolist():
        table[k] = *_end(texts[k]), _begin(texts[k])
    return table


def _whole(tables: Sequence[NDArray[np.int8]]) -> SentenceMarks:
    """Join the tables of parts of a text, and add the sorts of borders."""
    ends, closes, begins = np.ascontiguousarray(np.concatenate(tables).T)
    small = np.append(begins[1:], 0)[: len(begins)] == _SMALL
    return SentenceMarks(ends, closes, begins, (ends + _SMALL_NEXT * small).astype(np.int8))


def _end(sentence: str) -> tuple[int, int]:
    """Classify the end of a sentence, and the closing mark after it."""
    whole = sentence[-_EDGE_CHARACTERS:]
    tail = whole.rstrip(_CLOSING)
    closed = _closing(whole[len(tail) :])
    if not tail:
        return 0, closed
    return (_ELLIPSIS if tail.endswith(_DOTS) else _end_sort(tail[-1])), closed


@lru_cache(1 << 10)
def _closing(marks: str) -> int:
    """Classify the closing marks after the end of a sentence, with the blanks between."""
    return 2 if not _QUOTES.isdisjoint(marks) else int(not _BRACKETS.isdisjoint(marks))


def _end_sort(last: str) -> int:
    """Classify the last character of a sentence."""
    sort = _ENDS.get(last)
    if sort is not None:
        return sort
    if last.isalpha() or category(last)[0] == "M":  # vowel signs of many scripts are marks
        return 0
    return _FIGURE if last.isdigit() else _OTHER


def _begin(sentence: str) -> int:
    head = sentence[:_EDGE_CHARACTERS].lstrip()
    if head and head[0] in _SKIPPED:
        head = head.lstrip(_SKIPPED + " ")
    return _begin_sort(head[0]) if head else 0


def _begin_sort(first: str) -> int:
    """Classify the first character of a sentence."""
    if first.isalpha():
        return _SMALL if first.islower() else 0
    sort = _OPENS.get(first)
    if sort is not None:
        return sort
    return _BEGUN_FIGURE if first.isdigit() else _BEGUN_OTHER


# The sorts of the last and the first character of a sentence, plus 1.
_END_SORTS = CharacterKinds(lambda last: 1 + _end_sort(last))
_BEGIN_SORTS = CharacterKinds(
    lambda first: 1 + (_SEARCHED if first.isspace() or first in _SKIPPED else _begin_sort(first))
)

_Both = tuple["SentenceMarks", "SentenceMarks"]  # source and target
_Many = list["NDArray[np.int8]"]
_NONE: NDArray[np.int8] = np.zeros(0, dtype=np.int8)

_PAIRED = ("ends", "closes", "begins")
# Set by hand. Change of F1 if halved and if doubled, mean of parice and text+berg
# (alignment_constants.md): _EQUAL_PRIOR -.023 and -.001, _PRIOR_BEADS -.005 and -.007, _PAIR_WEIGHT
# -.028 and -.010, _MOST_LOG_RATIO -.002 and 0; the others 0.
_EQUAL_PRIOR = 0.5  # prior probability that marks are equal because of translation
_PRIOR_BEADS = 30.0  # weight of the prior, in beads
_PAIR_WEIGHT = 0.7  # weight of pairs of marks: ends, closing marks and words depend on each other
_FULL_RUN = 5.0  # sentences in a row with the same mark that count in full
_DOUBLING_STEPS = 2  # steps in which the length of a run doubles and the weight of a bead is halved
_RUN_STEPS = 10  # number of steps: runs of more than 110 sentences count as 110
# Natural logarithm: largest score of a pair of marks, and the negative of the smallest
_MOST_LOG_RATIO = 3.0
_LONGEST_SIDE = 9  # sentences on a side of a bead: longer beads are not counted
_ADDED_COUNT = 0.1  # added to the count of each mark, so that none is 0


class _Model(NamedTuple):
    # The ratios of pairs of `ends`, `closes` and `begins` of source and target, (sorts, sorts)
    paired: dict[str, Singles]
    # The ratio of each of `cuts` between two sentences of a bead, in the source and in the target
    inside: tuple[Floats, Floats]
    # The share of the sentences with each sort, in the source and in the target
    alone: dict[str, tuple[Floats, Floats]]


class PunctuationModel(_Model):
    """Log-likelihood ratios of marks in beads."""

    @cached_property
    def in_runs(self) -> dict[str, Singles]:
        """The ratios of pairs of sorts, weighted by the lengths of their runs."""
        return {name: _in_runs(self.paired[name]) for name in _PAIRED}

    @classmethod
    def first(cls, marks: Sequence[_Both]) -> PunctuationModel:
        """Estimate a model from the marks of texts, before alignment."""
        alone = {}
        for name, sorts in SORTS.items():
            counts = np.full((2, sorts), _ADDED_COUNT)
            for both in marks:
                for side, own in enumerate(both):
                    counts[side] += np.bincount(getattr(own, name), minlength=sorts)
            src, tgt = counts / counts.sum(axis=1, keepdims=True)
            alone[name] = src, tgt
        return cls({}, (np.zeros(0), np.zeros(0)), alone).learned([], [])

    def learned(self, marks: Sequence[_Both], points: Sequence[BeadPoints]) -> PunctuationModel:
        """Estimate the ratios from the prior and the beads of texts.

        `points` has the beads of each pair of texts.
        """
        # Counts of pairs of marks, and of borders within beads, over beads with two short sides.
        # The marks of all texts are collected, and counted at once: most texts are short.
        paired_marks: dict[str, tuple[_Many, _Many]] = {
            name: ([_NONE], [_NONE]) for name in _PAIRED
        }
        inner: tuple[_Many, _Many] = ([_NONE], [_NONE])
        for both, ends in zip(marks, points, strict=True):
            if not len(ends[0]):  # while initial paths are compared, most texts have none
                continue
            begin, size = zip(*map(_spans, ends), strict=True)
            least, most = np.minimum(*size), np.maximum(*size)
            full = ((least > 0) & (most <= _LONGEST_SIDE)).nonzero()[0]
            for side, own in enumerate(both):
                first, further = begin[side][full], size[side][full] - 1
                last = first + further
                for name in _PAIRED:
                    paired_marks[name][side].append(
                        getattr(own, name)[first if name == "begins" else last]
                    )
                inner[side].append(own.cuts[ranges(first, further)])
        counts_of_cuts = [
            np.bincount(np.concatenate(cuts), minlength=SORTS["cuts"]) for cuts in inner
        ]
        inside = tuple(
            _bounded((counts + _PRIOR_BEADS * alone) / (counts.sum() + _PRIOR_BEADS) / alone)
            for counts, alone in zip(counts_of_cuts, self.alone["cuts"], strict=True)
        )
        paired = {
            name: _together(_met(*paired_marks[name], name), *self.alone[name]) for name in _PAIRED
        }
        return self._replace(paired=paired, inside=(inside[0], inside[1]))


def _spans(end: Ints) -> tuple[Ints, Ints]:
    """Return the first sentence of each bead, and the number of its sentences."""
    begin = np.zeros_like(end)
    begin[1:] = end[:-1]
    return begin, end - begin


def _met(src: _Many, tgt: _Many, name: str) -> Ints:
    sorts = SORTS[name]
    pairs = np.concatenate(src).astype(np.int16) * sorts + np.concatenate(tgt)
    return np.bincount(pairs, minlength=sorts * sorts).reshape(sorts, sorts)


def _together(pair_counts: Ints, src: Floats, tgt: Floats) -> Singles:
    """Return the log ratio of pairs of marks in a bead to pairs by accident."""
    by_both = np.sqrt(src * tgt)
    by_chance = np.outer(src, tgt)
    usual = (1 - _EQUAL_PRIOR) * by_chance + _EQUAL_PRIOR * np.diag(by_both / by_both.sum())
    chance = (pair_counts + _PRIOR_BEADS * usual) / (pair_counts.sum() + _PRIOR_BEADS)
    return _bounded(chance / by_chance).astype(np.float32)


def _bounded(ratio: Floats) -> Floats:
    """Return the logarithm of a ratio, clipped to -3 to 3."""
    return np.minimum(np.maximum(np.log(ratio), -_MOST_LOG_RATIO), _MOST_LOG_RATIO)


_LAST = TwoSidedBeads.of([(1, 1)])  # the last sentence of each side of a bead


class PunctuationEvidence:
    """Evidence of punctuation for all beads of two texts.

    `marks` are those of the source and of the target, and `weight` is the factor of the score.
    """

    def __init__(
        self,
        beads: Sequence[tuple[int, int]],
        marks: _Both,
        model: PunctuationModel,
        *,
        weight: float = 1.0,
    ) -> None:
        self.beads, self.weight, self._marks = list(beads), weight, marks
        self._both = TwoSidedBeads.of(beads)
        self._said = model.in_runs
        self._inside = [
            running_sums(len(own.cuts), partial(_inside, inside, own.cuts))
            for own, inside in zip(marks, model.inside, strict=True)
        ]

    def block(self, first: int, last: int, band: Band) -> Singles:
        """Score the beads that end at each point of some rows; see `Evidence.block`.

        Beads with an empty side score 0.
        """
        src, tgt = self._marks
        both, shape = self._both, (len(self.beads), last - first, band.width)
        if not (len(src.ends) and len(tgt.ends) and len(both.kinds)):
            return np.zeros(shape, dtype=np.float32)
        out = both.scores(*shape)
        columns, row = BandColumns.of(first, last, band), np.arange(first, last)
        kernels = evidence_kernels.after(out.size)
        if kernels is not None:
            self._compiled(kernels, columns, first, out)
            return out
        ended = columns.by_rows(*self._paired("ends", _LAST, row, columns.column))
        ended += columns.by_rows(*self._paired("closes", _LAST, row, columns.column))
        begun, sort = self._paired("begins", both, row, columns.column)
        across, down = self._within(1, columns.column, both.tgt), self._within(0, row, both.src)
        for batch in columns.together(len(both.kinds)):
            ratios = columns.by_rows(begun, sort[batch])
            ratios += ended
            ratios *= np.float32(_PAIR_WEIGHT)
            inside = columns.by_rows(across, both.which[batch])
            inside += down[batch, :, None]
            ratios += inside
            ratios *= np.float32(self.weight)
            out[both.kinds[batch]] = ratios
        return out

    def _compiled(
        self, kernels: EvidenceKernels, columns: BandColumns, first: int, out: Singles
    ) -> None:
        both, said, wide = self._both, self._said, len(columns.column)
        src, tgt = (own.keys for own in self._marks)
        pairs = chain.from_iterable((src[name], tgt[name], said[name]) for name in _PAIRED)
        sorts = len(said["begins"])
        kernels.mark_scores(
            *pairs,
            *both.windows(self._inside, (out.shape[1], wide), first, int(columns.column[0])),
            *(*both.indices, both.kinds, columns.begin),
            *(np.float32(_PAIR_WEIGHT), np.float32(self.weight)),
            *(np.empty((len(both.numbers[1]), wide), np.float32),),
            *(np.empty((sorts, wide + both.most[1]), np.float32), np.empty(sorts, np.int64), out),
        )

    def _sorts(
        self, name: str, both: TwoSidedBeads, row: Ints, column: Ints
    ) -> tuple[NDArray[np.int16], NDArray[np.int16]]:
        """Return the sorts of the first sentences of beads that end at some rows and columns."""
        src, tgt = (own.keys[name] for own in self._marks)
        return (
            src[within(row - both.src, 0, len(src) - 1)],
            tgt[within(column - both.tgt, 0, len(tgt) - 1)],
        )

    def _paired(
        self, name: str, both: TwoSidedBeads, row: Ints, column: Ints
    ) -> tuple[Singles, Ints]:
        """Score the pairs of the marks of the first sentences of beads that end at some points.

        The scores, of shape (kinds, columns), are those beside all columns, for each number of
        target sentences and each sort of mark in the rows, of which there are few. The second
        array, of shape (types, rows), has the kind of each row.
        """
        log_ratios = self._said[name]
        sort, across = self._sorts(name, both, row, column)
        is_present = np.zeros(len(log_ratios), dtype=bool)
        is_present[sort] = True
        sorts = is_present.nonzero()[0]
        kinds = log_ratios[sorts[:, None, None], across].reshape(-1, len(column))
        rank = is_present.cumsum() - 1
        return kinds, rank[sort] * len(both.tgt) + both.which

    def _within(self, side: int, end: Ints, number: Ints) -> Singles:
        """Score the marks between the sentences of one side of a bead."""
        sums = self._inside[side]
        size = len(sums) - 1
        between = sums[within(end - 1, 0, size)] - sums[within(end - number, 0, size)]
        return between.astype(np.float32)


def _inside(ratios: Floats, cuts: NDArray[np.int8], first: int, last: int) -> Floats:
    """Return the ratio of each of some borders within a bead."""
    return ratios[cuts[first:last]]


def _keys(sorts: NDArray[np.int8]) -> NDArray[np.int16]:
    """Return the sort of each sentence and the length step of its run, as one number."""
    borders = (sorts[1:] != sorts[:-1]).nonzero()[0] + 1
    edges = np.concatenate(([0], borders, [len(sorts)]))
    sizes = edges[1:] - edges[:-1]
    steps = np.rint(_DOUBLING_STEPS * np.log2(np.maximum(sizes / _FULL_RUN, 1.0)))
    steps = np.minimum(steps, _RUN_STEPS - 1).astype(np.int16)
    keys: NDArray[np.int16] = sorts * np.int16(_RUN_STEPS) + np.repeat(steps, sizes)
    return keys


def _in_runs(paired: Singles) -> Singles:
    """Weight the scores of pairs of marks by the shorter of both runs, in the order of `_keys`."""
    step = np.arange(_RUN_STEPS)
    weight = 2.0 ** (-np.minimum(step[:, None], step) / _DOUBLING_STEPS)
    size = len(paired) * _RUN_STEPS
    both = paired[:, None, :, None] * weight[:, None, :].astype(np.float32)
    return both.reshape(size, size)
