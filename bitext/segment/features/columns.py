"""Groups of features: of nodes, which are sentences, and of edges, which are paragraphs.

A group of node features is a function from a `TextView` to columns: properties of a sentence that
may begin a paragraph. The groups of Shi, Altun, Smola and Vishwanathan (2007, section 3) come
first. The groups after them are additions, whose effect `scripts/bench/paragraphs_ablation.py`
measures.

A group of edge features is a function from an `EdgeBlock` to columns: properties of a paragraph,
whatever the boundaries of its neighbours. A block has all paragraphs that may end with a range of
sentences: cell (k, c) is the paragraph of M - c sentences that ends with sentence `first` + k. Sums
over a paragraph are differences of cumulative sums. Cells that reach back before the first sentence
have arbitrary values.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import ArrayLike, NDArray

from bitext.kernels.arrays import Bools, Floats, Ints, divided
from bitext.segment.features import Column, Joint, Labels, Scalar, binned, cross, labels_of
from bitext.segment.features.text import (
    STEPS,
    WIDEST,
    TextView,
    bag,
    cosine,
    joined,
    row_products,
    shared_with_next,
)
from bitext.segment.tokens import NUMERAL, Beginning, Close, Ending, Kind, Shape

if TYPE_CHECKING:
    from enum import IntEnum


# The pattern of narration and quotation in a sentence.
#
# A pattern is a string of letters: `Q` for a run of words in quotation and `N` for a run outside,
# for the first seven runs. The prefix `I` marks a quotation that is open at the beginning of the
# sentence; the prefix `R` marks one that the sentence opens again, as speech does in each new
# paragraph; the suffix `>` marks a quotation that is open at the end. Nested quotations are not
# distinguished.

_MOST_RUNS = 7  # runs of words in a pattern; set by hand
_PREFIXES = ("", "I", "R")


def sentence_forms(view: TextView) -> Labels:
    """Return the pattern of narration and quotation of each sentence.

    Examples
    --------
    >>> from bitext.segment.features.text import TextView
    >>> view = TextView(["“Well,” he said, “go", "on.", "Now.”", "I went."], 30)
    >>> labels = sentence_forms(view)
    >>> [labels.forms[k] for k in labels.codes]
    ['QNQ>', 'IQ>', 'IQ', 'N']

    """
    tokens, marks, spoken = view.tokens, view.marks, view.word_spoken
    sentence = tokens.sentence_of
    begins = np.ones(len(spoken), dtype=np.bool_)
    begins[1:] = (spoken[1:] != spoken[:-1]) | (sentence[1:] != sentence[:-1])
    runs = np.flatnonzero(begins)
    of_run = sentence[runs]
    first = np.searchsorted(of_run, np.arange(view.n))
    place = np.arange(len(runs)) - first[of_run]
    # Code of a pattern: a digit to base 3 for each run (1 `Q`, 2 `N`), then prefix and suffix.
    early = place < _MOST_RUNS
    digits = (np.where(spoken[runs], 1, 2) * 3 ** place.clip(max=_MOST_RUNS))[early]
    code = np.bincount(of_run[early], digits, minlength=view.n).astype(np.int64)
    prefix = (marks.before > 0).astype(np.int64)
    prefix[(prefix > 0) & (marks.beginning == Beginning.AGAIN)] = 2
    code = (code * len(_PREFIXES) + prefix) * 2 + (marks.after > 0)
    known, codes = np.unique(code, return_inverse=True)
    return Labels("form", codes.astype(np.int64), [_spell(k) for k in known.tolist()])


def _spell(code: int) -> str:
    rest, still_open = divmod(code, 2)
    rest, prefix = divmod(rest, len(_PREFIXES))
    letters = ""
    while rest:
        rest, letter = divmod(rest, 3)
        letters += "?QN"[letter]
    return _PREFIXES[prefix] + letters + (">" if still_open else "")


Columns = list[Column]


def _kind_labels(name: str, codes: NDArray[np.uint8], kinds: type[IntEnum]) -> Labels:
    forms = [kind.name.lower().replace("_", "-") for kind in kinds]
    return Labels(name, codes.astype(np.int64), forms)


def _word(view: TextView, name: str, at: Ints, has: Bools) -> Labels:
    """Return labels of one word for each sentence, given by its index among all words."""
    codes = np.full(view.n, -1, dtype=np.int64)
    codes[has] = view.tokens.ids[at[has]]
    return Labels(name, codes, view.tokens.forms)


def bias(view: TextView) -> Columns:
    """Return one label for all sentences, whose weight is the cost or gain of a boundary."""
    return [Labels("bias", np.zeros(view.n, dtype=np.int64), ["boundary"])]


def length(view: TextView) -> Columns:
    """Return the number of words."""
    return [Scalar("length", view.words.astype(np.float64))]


def characters(view: TextView) -> Columns:
    """Return the number of characters."""
    return [Scalar("characters", (view.tokens.ends - view.tokens.starts).astype(np.float64))]


def position(view: TextView) -> Columns:
    """Return the relative position in the text, 0 to 1."""
    return [Scalar("position", np.arange(view.n) / max(1, view.n - 1))]


def final_punctuation(view: TextView) -> Columns:
    """Return the kind of the last character, without quotation marks and brackets."""
    return [_kind_labels("final-punctuation", view.marks.ending, Ending)]


def capitals(view: TextView) -> Columns:
    """Return the number of words that begin with a capital."""
    tokens = view.tokens
    upper = tokens.kinds[tokens.begins] == Kind.UPPER
    total = np.concatenate([[0], np.cumsum(upper)])
    return [Scalar("capitals", np.diff(total[tokens.ptr]).astype(np.float64))]


def overlap(view: TextView) -> Columns:
    """Return the number of different words shared with the next sentence."""
    return [Scalar("overlap", shared_with_next(view.counts))]


def dice(view: TextView) -> Columns:
    """Return the Dice coefficient of the words of the sentence and the next one, 0 to 1."""
    sizes = np.diff(view.counts.ptr).astype(np.float64)
    both = sizes + np.append(sizes[1:], np.zeros(min(1, view.n)))
    return [Scalar("dice", divided(2 * shared_with_next(view.counts), both, empty=0.0))]


def first_word(view: TextView) -> Columns:
    """Return the first word."""
    return [_word(view, "first-word", view.tokens.ptr[:-1], view.words > 0)]


def words(view: TextView) -> Columns:
    """Return the bag of words of the sentence."""
    return [bag("words", view.counts, view.tokens.forms, view.bags)]


def words_with_previous(view: TextView) -> Columns:
    """Return the joint bag of words of the sentence and the sentence before."""
    both = joined(view.counts, -1)
    return [bag("words-with-previous", both, view.tokens.forms, view.bags)]


def words_with_next(view: TextView) -> Columns:
    """Return the joint bag of words of the sentence and the next sentence."""
    both = joined(view.counts, 1)
    return [bag("words-with-next", both, view.tokens.forms, view.bags)]


def inner_product(view: TextView) -> Columns:
    """Return the unscaled inner product of the bags of the sentence and the sentence before."""
    return [Scalar("inner-product", view.first_products)]


def joint_product(view: TextView) -> Columns:
    """Return the inner product of the joint bags with the sentence before and the next one."""
    before, behind = joined(view.counts, -1), joined(view.counts, 1)
    return [Scalar("joint-product", row_products(before, behind))]


def cosine_with_previous(view: TextView) -> Columns:
    """Return the cosine of the bags of the sentence and the sentence before, 0 to 1."""
    squares = view.weighted.squares()
    before = np.concatenate([[0.0], squares])[:-1]
    return [Scalar("cosine", cosine(view.first_products, before[: view.n], squares))]


def quotes(view: TextView) -> Columns:
    """Return the number of quotation pairs, and the state of quotation at the beginning."""
    inside = Labels("inside-quotes", (view.marks.before > 0).astype(np.int64), ["no", "yes"])
    return [Scalar("quote-pairs", view.marks.pairs.astype(np.float64)), inside]


def quotes_before(view: TextView) -> Columns:
    """Return the number of quotation pairs in the sentence before."""
    pairs = view.marks.pairs.astype(np.float64)
    return [
        Scalar("quote-pairs-before", np.concatenate([np.zeros(min(1, len(pairs))), pairs[:-1]]))
    ]


def half_marks(view: TextView) -> Columns:
    """Return half the marks of the sentence before and of this one, and whether it is quoted."""
    marks = view.marks
    halves = (marks.opened + marks.closed) / 2
    before = np.concatenate([np.zeros(min(1, view.n)), halves[:-1]])
    inside = (marks.before > 0).astype(np.float64)
    return [
        Scalar("half-marks-before", before),
        Scalar("half-marks", halves),
        Scalar("inside-quotes", inside),
    ]


def quote_marks(view: TextView) -> Columns:
    """Return the kinds of marks at both ends, the depth of quotation, and the counts of marks."""
    marks = view.marks
    depth = np.minimum(marks.before, 2)
    counts = [
        Labels(name, np.minimum(values, 3), ["0", "1", "2", "3+"])
        for name, values in (("marks-opened", marks.opened), ("marks-closed", marks.closed))
    ]
    return [
        _kind_labels("beginning", marks.beginning, Beginning),
        _kind_labels("close", marks.close, Close),
        Labels("depth", depth, ["0", "1", "2"]),
        *counts,
    ]


def shape(view: TextView) -> Columns:
    """Return the shape of the first word, such as capitalised, one capital or digits."""
    return [_kind_labels("shape", view.marks.shape, Shape)]


def _normalised_line(view: TextView) -> str:
    """Return the text with one character for all kinds of marks, dashes, ellipses and spaces."""
    tokens, marks = view.tokens, view.marks.marks
    codes = tokens.codes.copy()
    codes[marks.places] = np.where(marks.turns > 0, ord("“"), ord("”"))
    for kind, char in ((Kind.DASH, "—"), (Kind.ELLIPSIS, "…"), (Kind.SPACE, " ")):
        codes[tokens.kinds == kind] = ord(char)
    return codes.tobytes().decode("utf-32-le", "surrogatepass")


def ends(view: TextView) -> Columns:
    """Return the last three characters after the words, and the first three before the words."""
    tokens, line, has = view.tokens, _normalised_line(view), view.words > 0
    last = tokens.starts.copy()
    last[has] = tokens.stops[tokens.ptr[1:][has] - 1]
    first = tokens.ends.copy()
    first[has] = tokens.begins[tokens.ptr[:-1][has]]
    # Six characters hold three marks and spaces between; a sentence of marks only may be long.
    late = np.maximum(last, tokens.ends - 6)
    early = np.minimum(first, tokens.starts + 6)
    closing = [
        line[begin:end].replace(" ", "")[-3:]
        for begin, end in zip(late.tolist(), tokens.ends.tolist(), strict=True)
    ]
    opening = [
        line[begin:end].replace(" ", "")[:3]
        for begin, end in zip(tokens.starts.tolist(), early.tolist(), strict=True)
    ]
    return [labels_of("end", closing), labels_of("begin", opening)]


def form(view: TextView) -> Columns:
    """Return the pattern of narration and quotation in the sentence, such as `QNQ>`."""
    return [view.once(sentence_forms)]


def narration(view: TextView) -> Columns:
    """Return the number of words outside quotation."""
    return [Scalar("narration", (view.words - view.spoken).astype(np.float64))]


def entropy(view: TextView) -> Columns:
    """Return the mean surprisal of words under the model of the training texts, in bits."""
    return [Scalar("entropy", divided(view.surprise, view.words * STEPS))]


def speech(view: TextView) -> Columns:
    """Return the first word and first two words after the last quotation that closes inside."""
    tokens, tail = view.tokens, view.marks.tail
    at = np.searchsorted(tokens.begins, tail)
    has = (tail >= 0) & (at < tokens.ptr[1:])
    one = _word(view, "speech", at, has)
    return [one, _pair(view, "speech-two", at, has & (at + 1 < tokens.ptr[1:]))]


def _pair(view: TextView, name: str, at: Ints, has: Bools) -> Labels:
    """Return labels of two consecutive words for each sentence."""
    tokens = view.tokens
    codes = np.full(view.n, -1, dtype=np.int64)
    pairs = tokens.ids[at[has]] * max(1, len(tokens.forms)) + tokens.ids[at[has] + 1]
    known, codes[has] = np.unique(pairs, return_inverse=True)
    size = max(1, len(tokens.forms))
    forms = [f"{tokens.forms[k // size]} {tokens.forms[k % size]}" for k in known.tolist()]
    return Labels(name, codes, forms)


def first_words(view: TextView) -> Columns:
    """Return the first two words, so that connectives are learned instead of listed."""
    return [_pair(view, "first-words", view.tokens.ptr[:-1], view.words > 1)]


def last_word(view: TextView) -> Columns:
    """Return the last word."""
    return [_word(view, "last-word", view.tokens.ptr[1:] - 1, view.words > 0)]


def numerals(view: TextView) -> Columns:
    """Return the number of numerals, up to two and more."""
    tokens = view.tokens
    numerals = np.array([form == NUMERAL for form in tokens.forms], dtype=np.bool_)[tokens.ids]
    total = np.concatenate([[0], np.cumsum(numerals)])
    numeral_count = np.minimum(np.diff(total[tokens.ptr]), 2)
    return [Labels("numerals", numeral_count, ["0", "1", "2+"])]


def topic_shift(view: TextView) -> Columns:
    """Return the cosines of blocks of 2, 4 and 8 sentences around the boundary (Hearst 1997).

    Blocks are compared as in TextTiling, and cut at the ends of the text.
    """
    return [
        Scalar(f"topic-{width}", _block_cosine(view, k)) for width, k in ((2, 1), (4, 2), (8, 3))
    ]


def drop(view: TextView) -> Columns:
    """Return the mean cosine at the neighbours minus the cosine, of blocks of two sentences."""
    likeness = _block_cosine(view, 1)
    padded = np.concatenate([likeness[:1], likeness, likeness[-1:]])
    return [Scalar("drop", (padded[:-2] + padded[2:]) / 2 - likeness)]


def _block_cosine(view: TextView, size: int) -> Floats:
    """Return the cosine of blocks of 2^size sentences before and from each sentence on."""
    width, n = 2**size, view.n
    squares = view.stretch_squares
    before = squares[size, WIDEST - 1 : WIDEST - 1 + n]
    behind = squares[size, WIDEST - 1 + width : WIDEST - 1 + width + n]
    both = squares[size + 1, WIDEST - 1 + width : WIDEST - 1 + width + n]
    return cosine((both - before - behind) / 2, before, behind)


# Conjunctions of labels of neighbouring sentences, which a linear model cannot form by itself.
#
# The evidence for a new paragraph is often in two sentences together and in neither alone, as when
# a sentence opens a quotation after a sentence of narration. The vocabularies of conjunctions come
# from the training texts.

# Upper edges of the bins of words of a sentence; set by hand: steps of about 1.4.
_LENGTH_BOUNDS = (1, 2, 3, 4, 6, 8, 11, 15, 20, 28, 40, 60)


def _labels(view: TextView, group: Callable[[TextView], list[Column]]) -> list[Labels]:
    """Return the columns of labels of a group, computed once a text."""
    return [column for column in view.once(group) if isinstance(column, Labels)]


def _joint(*parts: Labels | tuple[Labels, int]) -> Joint:
    return Joint([part if isinstance(part, tuple) else (part, 0) for part in parts])


def forms_joined(view: TextView) -> list[Column]:
    """Return pairs and triples of patterns of neighbouring sentences."""
    form = view.once(sentence_forms)
    return [
        _joint((form, -1), form),
        _joint(form, (form, 1)),
        _joint((form, -2), (form, -1)),
        _joint((form, -1), form, (form, 1)),
        _joint((form, -2), (form, -1), form),
    ]


def form_lengths(view: TextView) -> list[Column]:
    """Return the patterns of this sentence and the sentence before, with the length of one."""
    form = view.once(sentence_forms)
    size = binned("many-words", view.words, _LENGTH_BOUNDS)
    narrated = binned("many-words-told", view.words - view.spoken, _LENGTH_BOUNDS)
    return [
        _joint((form, -1), form, size),
        _joint((form, -1), form, (size, -1)),
        _joint((form, -1), form, (narrated, -1)),
    ]


def first_words_joined(view: TextView) -> list[Column]:
    """Return the first word with the patterns, marks and first words around it."""
    form = view.once(sentence_forms)
    (first,) = _labels(view, first_word)
    beginning, _, depth, *_ = _labels(view, quote_marks)
    return [
        _joint(first, form),
        _joint(first, (form, -1)),
        _joint(first, (form, -1), form),
        _joint(first, cross(beginning, depth)),
        _joint((first, -1), first),
        _joint(first, (first, 1)),
    ]


def ends_joined(view: TextView) -> list[Column]:
    """Return the marks at the end of the sentence before with the beginning of this sentence."""
    form = view.once(sentence_forms)
    end, begin = _labels(view, ends)
    (first,) = _labels(view, first_word)
    return [
        _joint((end, -1), form),
        _joint((end, -1), begin, end),
        _joint((end, -1), first),
        _joint((end, -2), (end, -1), begin),
    ]


def speech_joined(view: TextView) -> list[Column]:
    """Return words after the last quotation of the sentence before, with the pattern of this."""
    form = view.once(sentence_forms)
    return [_joint((words, -1), form) for words in _labels(view, speech)]


def marks_joined(view: TextView) -> list[Column]:
    """Return the kinds of the end of the sentence before with the beginning of this sentence.

    The end is the last character and the closing mark; the beginning is the opening mark, the shape
    of the first word and the depth of quotation.
    """
    beginning, close, depth, *_ = _labels(view, quote_marks)
    (ending,) = _labels(view, final_punctuation)
    (case,) = _labels(view, shape)
    return [
        _joint((close, -1), beginning, depth),
        _joint((cross(ending, close), -1), cross(beginning, case, depth)),
    ]


# Groups of edge features: properties of a paragraph, whatever the boundaries of its neighbours.


LENGTHS = (1, 2, 3, 4, 5, 7, 10, 15, 25)
"""Upper edges of the bins of paragraph length, in sentences, with one more bin above.

Set by hand: exact for short paragraphs, then steps of about 1.5.
"""

# Upper edges of the bins of words of a paragraph; set by hand: steps of about 1.4.
_WORD_BOUNDS = (5, 10, 15, 20, 30, 40, 55, 75, 100, 140, 200, 300, 500)
_MANY_COUNT = 4  # greater counts share the label `4+`; set by hand


@dataclass(frozen=True, slots=True)
class EdgeScalar:
    """One number for each paragraph, shape (rows, M)."""

    name: str
    values: Floats


@dataclass(frozen=True, slots=True)
class EdgeLabels:
    """One label for each paragraph: `codes`, shape (rows, M), or (1, M) for labels of length."""

    name: str
    codes: NDArray[np.uint8]
    forms: Sequence[str]


EdgeColumnPart = EdgeScalar | EdgeLabels


class EdgeBlock:
    """All paragraphs that end with the sentences from `first` to `last` of a text."""

    def __init__(self, view: TextView, first: int, last: int) -> None:
        self.view, self.first, self.last = view, first, last
        self.longest = view.longest

    def sums(self, values: ArrayLike) -> Ints:
        """Return the sums over each paragraph of integers of the sentences."""
        before = np.zeros(self.longest, dtype=np.int64)
        total = np.concatenate([before, np.cumsum(np.concatenate([[0], values]))])
        # total[M + e + 1] sums up to sentence e, total[c + e + 1] up to the start of the paragraph
        windows = sliding_window_view(total, self.longest)[self.first + 1 : self.last + 1]
        ends = total[self.longest + self.first + 1 : self.longest + self.last + 1]
        sums: Ints = ends[:, None] - windows
        return sums

    def at_start(self, values: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Return a view of the value of the first sentence of each paragraph."""
        padded = np.concatenate([np.zeros(self.longest - 1, dtype=np.uint8), values])
        return sliding_window_view(padded, self.longest)[self.first : self.last]

    def at_end(self, values: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Return the value of the last sentence of each paragraph, shape (rows, 1)."""
        return values[self.first : self.last, None]


def edge_length(block: EdgeBlock) -> list[EdgeColumnPart]:
    """Return the number of sentences, in bins: unbinned lengths have a constant sum."""
    labels = binned("edge:length", block.longest - np.arange(block.longest), LENGTHS)
    return [EdgeLabels("edge:length", labels.codes.astype(np.uint8)[None, :], labels.forms)]


def edge_words(block: EdgeBlock) -> list[EdgeColumnPart]:
    """Return the number of words, in bins."""
    labels = binned("edge:words", block.sums(block.view.words), _WORD_BOUNDS)
    return [EdgeLabels(labels.name, labels.codes.astype(np.uint8), labels.forms)]


def edge_cosine(block: EdgeBlock) -> list[EdgeColumnPart]:
    """Return the cosines with the sentences before and after the paragraph; 0 at the ends.

    The vector of a paragraph is the sum of the bags of words of its sentences.
    """
    products = block.view.products(block.first, block.last)
    rows, size = block.last - block.first, block.longest
    squares = products.squares[:rows, :size]
    # Row k of `single` is the sentence that is `width` sentences before row k of `products`.
    width = products.squares.shape[1]
    single = products.single
    windows = sliding_window_view(single, size)[width - size : width - size + rows]
    before = cosine(products.before[:rows, :size], squares, windows[:, ::-1])
    behind = cosine(
        products.after[:rows, :size], squares, single[width + 1 : width + 1 + rows, None]
    )
    return [
        EdgeScalar("edge:cosine-before", before[:, ::-1]),
        EdgeScalar("edge:cosine-after", behind[:, ::-1]),
    ]


def edge_entropy(block: EdgeBlock) -> list[EdgeColumnPart]:
    """Return the mean surprisal of words under the model of the training texts, in bits."""
    surprise, words = block.sums(block.view.surprise), block.sums(block.view.words)
    return [EdgeScalar("edge:entropy", divided(surprise, words * STEPS, empty=0.0))]


def edge_balance(block: EdgeBlock) -> list[EdgeColumnPart]:
    """Return the open quotations before and after the paragraph, and the presence of marks."""
    marks = block.view.marks
    start = block.at_start((marks.before > 0).astype(np.uint8))
    end = block.at_end((marks.after > 0).astype(np.uint8))
    has_marks = block.sums(marks.opened + marks.closed) > 0
    codes = start * np.uint8(4) + end * np.uint8(2) + has_marks.astype(np.uint8)
    forms = [
        f"{begun}-{left}-{inside}"
        for begun in ("closed", "open")
        for left in ("closed", "open")
        for inside in ("none", "marks")
    ]
    return [EdgeLabels("edge:balance", codes, forms)]


def edge_marks(block: EdgeBlock) -> list[EdgeColumnPart]:
    """Return the opening mark or dash at the beginning and the closing mark at the end."""
    marks = block.view.marks
    kinds = np.zeros(max(Beginning) + 1, dtype=np.uint8)
    kinds[[Beginning.OPENING, Beginning.AGAIN, Beginning.DASH]] = 1, 2, 3
    closes = ((marks.close == Close.LAST) | (marks.close == Close.BEFORE)).astype(np.uint8)
    codes = block.at_start(kinds[marks.beginning]) * np.uint8(2) + block.at_end(closes)
    forms = [
        f"{begun}-{left}"
        for begun in ("plain", "opening", "again", "dash")
        for left in ("plain", "closing")
    ]
    return [EdgeLabels("edge:marks", codes, forms)]


def edge_pairs(block: EdgeBlock) -> list[EdgeColumnPart]:
    """Return the number of quotations that open in the paragraph, up to four and more."""
    return [_up_to("edge:pairs", block.sums(block.view.marks.opened))]


def edge_turns(block: EdgeBlock) -> list[EdgeColumnPart]:
    """Return the number of sentences inside that begin a speech directly after another."""
    marks = block.view.marks
    begins = (marks.beginning == Beginning.OPENING) | (marks.beginning == Beginning.DASH)
    turn = begins.copy()
    turn[:1] = False
    turn[1:] &= marks.close[:-1] == Close.LAST
    # A turn at the first sentence is between paragraphs, not inside one.
    inside = block.sums(turn) - block.at_start(turn.astype(np.uint8))
    return [_up_to("edge:turns", inside)]


def edge_narration(block: EdgeBlock) -> list[EdgeColumnPart]:
    """Return the number of sentences without quotation, and the presence of other sentences."""
    view = block.view
    narrated = (view.spoken == 0).astype(np.int64)
    narrated_count = block.sums(narrated)
    mixed = block.sums(1 - narrated) > 0
    base = np.minimum(narrated_count, _MANY_COUNT).astype(np.uint8)
    forms = [f"{k}{more}" for more in ("", "-mixed") for k in ("0", "1", "2", "3", "4+")]
    return [EdgeLabels("edge:narration", base + mixed.astype(np.uint8) * np.uint8(5), forms)]


def _up_to(name: str, values: Ints) -> EdgeLabels:
    codes = np.minimum(values, _MANY_COUNT).clip(0).astype(np.uint8)
    return EdgeLabels(name, codes, ["0", "1", "2", "3", "4+"])
