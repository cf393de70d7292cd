"""N-gram language models: interpolated Kneser-Ney, counted and queried in arrays, and ARPA files.

The probability of a word w after the history h, the n - 1 words before it, is

    P_n(w | h) = (max(c(h w) - D, 0) + D N(h) P_(n-1)(w | h')) / c(h)

where h' is h without its first word, c(h) the sum of c(h w) over w, N(h) the number of different w
after h, and P_0 is uniform over the known words, the end of a sentence and one unknown word. For
the longest n-grams c is their frequency, for shorter ones the number of different words before
them. Each order has one discount D = n1 / (n1 + 2 n2), where n1 and n2 are the numbers of n-grams
with c = 1 and c = 2; D is 1/2 if either is 0. If h never occurred, P_n is P_(n-1). A sentence is
preceded by n - 1 start symbols, and its end is predicted like a word.

**Source**: R. Kneser and H. Ney, Improved backing-off for m-gram language modeling, ICASSP 1995;
interpolated as in S. Chen and J. Goodman, An empirical study of smoothing techniques for language
modeling, 1999. **Departures**: n-grams that begin with a start symbol are counted like all
others of their length, by their different left neighbours.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice
from math import isfinite, log2
from typing import NamedTuple

import numpy as np

from bitext.errors import FormatError, InputError, OptionError, check_list, of_file
from bitext.kernels.arrays import Floats, Ints
from bitext.model.sentence import folded

# An n-gram model from a file in the ARPA format, as SRILM, KenLM and IRSTLM write it.
#
# The file has a section `\data\` with the number of n-grams of each order, then a section
# `\k-grams:` for each order k, and `\end\`. A line of a section has, with blanks or tabs between,
# the logarithm (base 10) of a probability, the k words and, where a longer n-gram begins with
# them, the logarithm of a back-off weight. Other white space belongs to a word. The probability of
# a word after others is that of the longest n-gram in the file that ends there, times the back-off
# weights of the longer histories in the file. A logarithm of minus infinity is read as -99, which
# SRILM writes, so that impossible sentences still have an order.
#
# A word is looked up as it is written, then casefolded, then folded (`word_forms`), then as
# `<unk>`. In a file without `<unk>`, an unknown word has the probability of the rarest known one.

_BITS_PER_DIGIT = log2(10)
_BLANKS = " \t\r\n"
_SECTION = re.compile(r"\\([0-9]{1,9})-grams:")
_COUNT = re.compile(r"(?:ngram)?[ \t]*([0-9]{1,9})[ \t]*=[ \t]*([0-9]{1,18})")
_SEPARATORS = re.compile(r"[ \t]+")
_LOG_OF_ZERO = -99.0  # logarithm (base 10) of probability 0, as SRILM writes it
_ARPA_BEGIN, _ARPA_END, _ARPA_UNKNOWN = "<s>", "</s>", "<unk>"

Gram = tuple[str, ...]


class ArpaModel:
    r"""A language model in the ARPA format.

    Raises `FormatError` when a line does not follow the format.

    `path` is the name of the file, for errors.

    Examples
    --------
    >>> text = "\\data\\\nngram 1=3\n\n\\1-grams:\n-0.5 a\n-1 b\n-0.25 </s>\n\n\\end\\"
    >>> model = ArpaModel(text.split("\n"), path="tiny.arpa")
    >>> round(model.log2([["a", "b"]])[0], 3)  # (-0.5 - 1 - 0.25) log2(10)
    -5.813

    """

    def __init__(self, lines: Iterable[str], *, path: str) -> None:
        self._logarithms: dict[Gram, float] = {}
        self._weight: dict[Gram, float] = {}
        self.order = 0
        with of_file(path):
            self._read(lines)
        # An unknown word costs as much as the rarest one that has a probability at all.
        alone = (logarithm for gram, logarithm in self._logarithms.items() if len(gram) == 1)
        self._rarest = min(
            (logarithm for logarithm in alone if logarithm > _LOG_OF_ZERO), default=_LOG_OF_ZERO
        )

    def _read(self, lines: Iterable[str]) -> None:
        for number, order, line in _entries(lines):
            self.order = max(self.order, order)
            fields = _SEPARATORS.split(line.strip(_BLANKS))
            if not order + 1 <= len(fields) <= order + 2:
                raise FormatError(
                    f"found {line.strip()!r:.60}: want a logarithm, {order} words and perhaps a "
                    f"back-off weight",
                    line=number,
                )
            gram = tuple(fields[1 : order + 1])
            if gram in self._logarithms:
                shown_gram = " ".join(gram)
                raise FormatError(
                    f"has the n-gram {shown_gram!r:.60} again: want each once", line=number
                )
            logarithm = _logarithm(fields[0])
            weight = _logarithm(fields[-1]) if len(fields) == order + 2 else 0.0
            if logarithm is None or logarithm > 0 or weight is None:
                raise FormatError(
                    f"found {line.strip()!r:.60}: want a logarithm of 0 or less before the words, "
                    f"and none or a number after them",
                    line=number,
                )
            self._logarithms[gram] = logarithm
            if weight:
                self._weight[gram] = weight

    def log2(self, sentences: Iterable[Sequence[str]]) -> list[float]:
        """Return the logarithm (base 2) of the probability of each sentence and its end."""
        return [self._log10(words) * _BITS_PER_DIGIT for words in sentences]

    def per_word(self, sentences: Sequence[Sequence[str]]) -> list[float]:
        """Return `log2` of each sentence divided by its number of words, the end included."""
        return [self._log10(words) * _BITS_PER_DIGIT / (len(words) + 1) for words in sentences]

    def _log10(self, words: Sequence[str]) -> float:
        line = [_ARPA_BEGIN, *map(self._listed, words), _ARPA_END]
        total = 0.0
        for end in range(2, len(line) + 1):
            gram = tuple(line[max(end - self.order, 0) : end])
            while len(gram) > 1 and gram not in self._logarithms:
                total += self._weight.get(gram[:-1], 0.0)
                gram = gram[1:]
            total += self._logarithms.get(gram, self._rarest)
        return total

    def _listed(self, word: str) -> str:
        for spelt in (word, word.casefold(), folded(word)):
            if (spelt,) in self._logarithms:
                return spelt
        return _ARPA_UNKNOWN


def _logarithm(text: str) -> float | None:
    """Parse a logarithm, with minus infinity as -99; return None for other text."""
    try:
        value = float(text)
    except ValueError:
        return None
    if value == float("-inf"):
        return _LOG_OF_ZERO
    return value if isfinite(value) else None


def _entries(lines: Iterable[str]) -> Iterator[tuple[int, int, str]]:
    """Yield line number, order and line of each n-gram; check the counts of the header."""
    stated_counts: dict[int, int] = {}
    gram_counts: dict[int, int] = {}
    order, number = -1, 0  # the order is 0 in the header, and -1 before it
    for number, line in enumerate(lines, start=1):
        text = line.strip(_BLANKS)
        if not text:
            continue
        if text == "\\end\\":
            break
        if text == "\\data\\":
            order = 0
        elif (head := _SECTION.fullmatch(text)) is not None:
            order = int(head[1])
            gram_counts[order] = 0
        elif order > 0:
            gram_counts[order] += 1
            yield number, order, line
        elif order == 0:
            stated_counts.update([_count_line(text, number)])
    else:
        raise FormatError(
            "the file ends without \\end\\: want a whole file in the ARPA format",
            line=number or None,
        )
    if not gram_counts.get(1) or gram_counts != stated_counts:
        raise FormatError(
            f"found {_counts(gram_counts)} n-grams of order 1, 2, ...; the head tells "
            f"{_counts(stated_counts)}: want a whole file"
        )


def _count_line(text: str, line: int) -> tuple[int, int]:
    match = _COUNT.fullmatch(text)
    if match is None:
        raise FormatError(f"found {text!r:.60}: want 'ngram 1=1000'", line=line)
    return int(match[1]), int(match[2])


def _counts(counts: dict[int, int]) -> str:
    return ", ".join(str(counts[order]) for order in sorted(counts)) or "no"


_BEGIN, _END, _UNKNOWN, _FIRST = 0, 1, 2, 3  # numbers of symbols, and of the first word
_SENTENCES_AT_ONCE = 10_000  # sentences numbered at a time; set by hand


class _Order(NamedTuple):
    """The n-grams of one length, and their histories.

    Histories are numbered by their keys, from the last word backwards: the number of a history is
    the index of its key in `histories`, and its key combines the number of the history without the
    first word with that first word. The key of an n-gram combines the number of its history with
    its last word.
    """

    histories: Ints  # the keys of the histories, ascending
    grams: Ints  # the keys of the n-grams, ascending
    less: Floats  # for each n-gram, c(h w) - D
    # `total`, `spread`: for each history, c(h) and D N(h).
    total: Floats
    spread: Floats


class NgramModel:
    """An interpolated Kneser-Ney model: log2 probabilities of sentences.

    Parameters
    ----------
    sentences : iterable of sequence of str
        The words of each sentence; iterated once, and stored as four bytes a word until they are
        counted.
    order : int
        The length of the longest n-gram, 1 or more.
    fold : callable
        The normalisation of words. The default ignores case, the kind of apostrophe and the Unicode
        composition of letters.

    Raises
    ------
    InputError
        When there is no sentence.
    OptionError
        When the order is less than 1.

    Examples
    --------
    >>> model = NgramModel([["a", "ferry", "burns"], ["the", "ferry", "sinks"]])
    >>> right, turned = model.log2([["A", "ferry", "sinks"], ["sinks", "ferry", "a"]])
    >>> round(right, 2), round(turned, 2)
    (-4.61, -15.32)

    """

    def __init__(
        self,
        sentences: Iterable[Sequence[str]],
        *,
        order: int = 3,
        fold: Callable[[str], str] = folded,
    ) -> None:
        if order < 1:
            raise OptionError(f"an n-gram model of order {order}: want 1 or more")
        self.order = order
        self._fold = fold
        self._ids: dict[str, int] = {}
        windows = self._learned(sentences)
        if not windows.size:
            raise InputError("the n-gram model has no sentence to learn from: give it some text")
        self._orders = self._counted(windows)

    @classmethod
    def of_lines(cls, lines: Iterable[str], *, order: int = 3) -> NgramModel:
        """Train a model on plain text, one sentence per line; empty lines are ignored."""
        from bitext.syntax.tokenizer import tokenize

        return cls((tokenize(line) for line in lines if line.strip()), order=order)

    @property
    def words(self) -> int:
        """The number of different words."""
        return len(self._ids)

    def log2(self, sentences: Iterable[Sequence[str]]) -> list[float]:
        """Return the logarithm (base 2) of the probability of each sentence and its end."""
        rows = list(sentences)
        if not rows:
            return []
        # The sentences of a lattice repeat its words.
        number = {
            word: self._ids.get(self._fold(word), _UNKNOWN)
            for word in set(chain.from_iterable(rows))
        }
        ids = [[number[word] for word in words] for words in rows]
        lengths = np.array([len(words) + 1 for words in ids])
        bits = np.log2(self._probabilities(self._windows(ids)))
        return [float(total) for total in np.add.reduceat(bits, np.cumsum(lengths) - lengths)]

    def per_word(self, sentences: Sequence[Sequence[str]]) -> list[float]:
        """Return `log2` of each sentence divided by its number of words, the end included."""
        return [
            bits / (len(words) + 1)
            for bits, words in zip(self.log2(sentences), sentences, strict=True)
        ]

    def probability(self, word: str, history: Sequence[str] = ()) -> float:
        """Return the probability of a word after a history, of which the last `order` - 1 count.

        The history starts at the beginning of a sentence. The word "" is the end of the sentence.
        """
        get, fold = self._ids.get, self._fold
        before = [_BEGIN] * self.order + [get(fold(other), _UNKNOWN) for other in history]
        own = get(fold(word), _UNKNOWN) if word else _END
        window = np.array([[*before[len(before) - self.order + 1 :], own]], dtype=np.int64)
        return float(self._probabilities(window)[0])

    def _learned(self, sentences: Iterable[Sequence[str]]) -> Ints:
        """Number the words of the training sentences; return them as windows."""
        ids, fold = self._ids, self._fold
        stream, parts = iter(sentences), [np.zeros((0, self.order), dtype=np.int32)]
        while batch := list(islice(stream, _SENTENCES_AT_ONCE)):
            for words in batch:
                check_list("the words of a sentence", words, "a list of words, as text.split()")
            numbers = [
                [ids.setdefault(fold(word), len(ids) + _FIRST) for word in words] for words in batch
            ]
            parts.append(self._windows(numbers).astype(np.int32))
        return np.concatenate(parts).astype(np.int64)

    def _windows(self, sentences: list[list[int]]) -> Ints:
        """Return a row for each word and each end: its history, then the word itself."""
        marks = [_BEGIN] * (self.order - 1)
        strung = chain.from_iterable([*marks, *words, _END] for words in sentences)
        line = np.fromiter(strung, dtype=np.int64)
        rows = np.lib.stride_tricks.sliding_window_view(line, self.order)
        return np.asarray(rows[rows[:, -1] != _BEGIN])

    def _counted(self, windows: Ints) -> list[_Order]:
        """Count the n-grams of each order, from the longest to single words."""
        size = len(self._ids) + _FIRST
        word, history = windows[:, -1], np.zeros(len(windows), dtype=np.int64)
        keys = np.zeros(1, dtype=np.int64)
        grams_of_orders = []
        for n in range(1, self.order + 1):
            if n > 1:
                keys, history = _numbered(history * size + windows[:, -n])
            grams, first, gram = np.unique(
                history * size + word, return_index=True, return_inverse=True
            )
            grams_of_orders.append((keys, grams, first, gram.reshape(-1)))
        orders = []
        counts = np.bincount(grams_of_orders[-1][3]).astype(np.float64)
        for n in range(self.order, 0, -1):
            keys, grams, first, _ = grams_of_orders[n - 1]
            discount = _discount(counts)
            history = grams // size
            total = np.bincount(history, weights=counts, minlength=len(keys)).astype(np.float64)
            spread = discount * np.bincount(history, minlength=len(keys)).astype(np.float64)
            orders.append(_Order(keys, grams, counts - discount, total, spread))
            if n > 1:  # n-grams of the next lower order, once for each different left neighbour
                counts = np.bincount(grams_of_orders[n - 2][3][first]).astype(np.float64)
        return orders[::-1]

    def _probabilities(self, windows: Ints) -> Floats:
        """Return the probability of the last word of each row after those before it."""
        size = len(self._ids) + _FIRST
        word, history = windows[:, -1], np.zeros(len(windows), dtype=np.int64)
        probability = np.full(len(windows), 1 / (len(self._ids) + 2))
        for n, order in enumerate(self._orders, start=1):
            if n > 1:
                key = np.where(history < 0, -1, history * size + windows[:, -n])
                history = _place(order.histories, key)
            gram = _place(order.grams, np.where(history < 0, -1, history * size + word))
            less = np.where(gram < 0, 0.0, order.less[gram])
            seen = (less + order.spread[history] * probability) / order.total[history]
            probability = np.where(history < 0, probability, seen)
        return probability


def _numbered(keys: Ints) -> tuple[Ints, Ints]:
    known, number = np.unique(keys, return_inverse=True)
    return known, number.reshape(-1)


def _place(known: Ints, keys: Ints) -> Ints:
    """Return the index of each key among the known ones; -1 for a missing key."""
    place = np.minimum(np.searchsorted(known, keys), len(known) - 1)
    return np.where(known[place] == keys, place, -1)


def _discount(counts: Floats) -> float:
    ones, twos = int((counts == 1).sum()), int((counts == 2).sum())
    return ones / (ones + 2 * twos) if ones and twos else 0.5
