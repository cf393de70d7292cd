"""The syntactic match of words: by form, part of speech, chunk, trace and position.

Two words match *syntactically* when their forms and their parts of speech are the same, their
positions are not too far apart, and this score is not below the threshold, 0 by default:

    iob(chunks) + weight * (sum of iob over the trimmed traces, from their ends, until one of them
    is exhausted) - weight * |difference of the lengths of the trimmed traces|

`iob` of two tags is 1 for identical ones, 0 for the same constituent at another position (B-PP and
I-PP), -1 otherwise. A trimmed trace lacks its first element, the root, and its last. The position
of a word is its index, from 1, divided by the length of its sentence, punctuation counted.

All arithmetic is in integers: scores are multiplied by the common denominator of weight and
threshold, and positions compared by cross-multiplication.
A cluster has few distinct words and few distinct *places in the syntax* (chunk and trimmed trace),
and the score depends on the two places alone, so each score is computed once.
"""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from itertools import chain, count
from math import lcm
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bitext.errors import InputError
from bitext.kernels.rows import prefix

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bitext.align.words.options import WordOptions
    from bitext.kernels.lattice_path import Gains
    from bitext.model import Sentence

__all__ = ["GAP", "MATCH", "MISMATCH", "EncodedWords", "encode", "iob_score", "trimmed"]

MATCH, MISMATCH, GAP = 2, -1, -1

_TABLE = 1 << 26  # bytes of the table of matches of two places in the syntax; set by hand
_UNKNOWN, _NO, _YES = 0, 1, 2


def iob_score(first: str, second: str) -> int:
    """Return 1 for identical tags, 0 for the same constituent at two positions, -1 otherwise.

    Examples
    --------
    >>> iob_score("B-PP", "B-PP"), iob_score("B-PP", "I-PP"), iob_score("O", "I-PP")
    (1, 0, -1)

    """
    if first == second:
        return 1
    return 0 if _constituent(first) == _constituent(second) else -1


def trimmed(trace: tuple[str, ...]) -> tuple[str, ...]:
    """Return a trace without its first and its last element."""
    return trace[1:-1]


def _constituent(tag: str) -> str:
    """Strip the position from a tag: tags of one constituent become equal; `O` stays alone."""
    before, dash, label = tag.partition("-")
    return label if dash else f"\0{before}"


class _Places(NamedTuple):
    """Places in the syntax: tags and constituents from the end of the trimmed trace backwards.

    Attributes
    ----------
    ptr : array of int64, shape (places + 1,)
    tag, label : array of int64
        The chunk of place p at `ptr[p]`, then its trace.

    """

    ptr: NDArray[np.int64]
    tag: NDArray[np.int64]
    label: NDArray[np.int64]

    @classmethod
    def of(cls, places: Sequence[tuple[str, tuple[str, ...]]]) -> _Places:
        lengths = np.array([1 + len(trace) for _, trace in places], dtype=np.int64)
        tags: defaultdict[str, int] = defaultdict(count().__next__)
        flat = chain.from_iterable((iob, *reversed(trace)) for iob, trace in places)
        tag = np.fromiter(map(tags.__getitem__, flat), dtype=np.int64, count=int(lengths.sum()))
        labels: defaultdict[str, int] = defaultdict(count().__next__)
        of_tag = np.array([labels[_constituent(name)] for name in tags], dtype=np.int64)
        return cls(prefix(lengths), tag, of_tag[tag] if tag.size else tag)

    def _iob(self, first: NDArray[np.int64], second: NDArray[np.int64]) -> NDArray[np.int64]:
        same = self.tag[first] == self.tag[second]
        alike = self.label[first] == self.label[second]
        return np.asarray(same.astype(np.int64) + alike - 1)

    def scaled(
        self, first: NDArray[np.int64], second: NDArray[np.int64], weight: int, unit: int
    ) -> NDArray[np.int64]:
        """Return the score of pairs of places times `unit`; `weight` is that of traces, too."""
        at, to = self.ptr[first], self.ptr[second]
        size, other = self.ptr[first + 1] - at - 1, self.ptr[second + 1] - to - 1
        score = unit * self._iob(at, to) - weight * np.abs(size - other)
        common = np.minimum(size, other)
        going = np.flatnonzero(common)
        depth = 0
        while going.size:
            depth += 1
            score[going] += weight * self._iob(at[going] + depth, to[going] + depth)
            going = going[common[going] > depth]
        return np.asarray(score)


class _Scale(NamedTuple):
    """Weight, threshold and greatest distance in integers.

    Attributes
    ----------
    unit, weight, threshold : int
        The scores of chunks and traces, and the least score of a match, times one denominator.
    far, of : int
        The greatest distance is `far / of`.
    strict : bool
        Whether words at the greatest distance do not match.

    """

    unit: int
    weight: int
    threshold: int
    far: int
    of: int
    strict: bool

    @classmethod
    def of_options(cls, options: WordOptions) -> _Scale:
        threshold, limit = Fraction(options.match_threshold), options.limit
        unit = lcm(options.weight.denominator, threshold.denominator)
        return cls(
            unit,
            int(unit * options.weight),
            int(unit * threshold),
            limit.numerator,
            limit.denominator,
            options.figure4,
        )


class EncodedWords:
    """The words of sentences as arrays of numbers, without left-out words unless these are gaps.

    Attributes
    ----------
    ptr : array of int64, shape (sentences + 1,)
        The words of sentence s are `ptr[s]` to `ptr[s + 1]`.
    word : array of int64
        The index of each word in its sentence, from 0.
    length : array of int64
        The number of words of its sentence, left-out words included.
    key : array of int32
        A number for the form, and with syntax for form and part of speech: equal in matching words.
        -1 for a left-out word, which matches none.
    place : array of int64
        The number of its place in the syntax.

    """

    def __init__(
        self,
        ptr: NDArray[np.int64],
        word: NDArray[np.int64],
        length: NDArray[np.int64],
        key: NDArray[np.int32],
        place: NDArray[np.int64],
        places: _Places | None,
        scale: _Scale,
        *,
        table_bytes: int = _TABLE,
    ) -> None:
        self.ptr, self.word, self.length = ptr, word, length
        self.key, self.place = key, place
        self._places, self._scale = places, scale
        self._kinds = 0 if places is None else len(places.ptr) - 1
        fits = 0 < self._kinds**2 <= table_bytes
        self._verdicts = np.zeros(self._kinds**2, dtype=np.uint8) if fits else None

    @property
    def sizes(self) -> NDArray[np.int64]:
        """The number of words of each sentence, without left-out ones unless these are gaps."""
        return np.diff(self.ptr)

    def gains(self, first: NDArray[np.int64], second: NDArray[np.int64]) -> Gains:
        """Return the gains of pairs of sentences for the dynamic program."""

        def table(pairs: NDArray[np.int64], lo: int, hi: int) -> NDArray[np.int8]:
            rows, columns = (self._begin_and_size(side[pairs]) for side in (first, second))
            width = int(columns[1].max(initial=0))
            across = _padded(self.key, *columns, range(width), -2)
            across[across < 0] = -2  # left-out words of the two sides do not match either
            equal = np.empty((hi - lo, width, len(pairs)), dtype=bool)
            for row, key in enumerate(_padded(self.key, *rows, range(lo, hi), -1)):
                np.equal(key, across, out=equal[row])
            if self._places is not None:
                self._sift(equal, rows[0] + lo, columns[0])
            gain = equal.view(np.int8)
            gain *= MATCH - MISMATCH
            gain += MISMATCH
            return gain

        return table

    def _begin_and_size(
        self, sentences: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        begin = self.ptr[sentences]
        return begin, self.ptr[sentences + 1] - begin

    def _sift(
        self, equal: NDArray[np.bool_], above: NDArray[np.int64], left: NDArray[np.int64]
    ) -> None:
        """Filter cells of equal words by syntax."""
        cells = np.flatnonzero(equal)
        across, pair = np.divmod(cells, equal.shape[2])
        row, column = np.divmod(across, equal.shape[1])
        wrong = ~self._syntax(above[pair] + row, left[pair] + column)
        equal.reshape(-1)[cells[wrong]] = False

    def match(self, first: NDArray[np.int64], second: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Mark the matching pairs of words, given as indices into the arrays of words."""
        same = np.asarray((self.key[first] == self.key[second]) & (self.key[first] >= 0))
        if self._places is not None:
            going = np.flatnonzero(same)
            same[going] = self._syntax(first[going], second[going])
        return same

    def _syntax(self, first: NDArray[np.int64], second: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Mark the matches among pairs of equal form and part of speech, by position, trace."""
        size, other = self.length[first], self.length[second]
        scale = self._scale
        apart = scale.of * np.abs((self.word[first] + 1) * other - (self.word[second] + 1) * size)
        limit = scale.far * size * other
        near = apart < limit if scale.strict else apart <= limit
        going = np.flatnonzero(near)
        near[going] = self._verdict(self.place[first[going]], self.place[second[going]])
        return np.asarray(near)

    def _verdict(self, first: NDArray[np.int64], second: NDArray[np.int64]) -> NDArray[np.bool_]:
        codes = first * self._kinds + second
        if self._verdicts is None:
            found, which = np.unique(codes, return_inverse=True)
            return np.asarray(self._judged(found)[which.reshape(-1)])
        new = np.unique(codes[self._verdicts[codes] == _UNKNOWN])
        if new.size:
            self._verdicts[new] = np.where(self._judged(new), _YES, _NO)
        return np.asarray(self._verdicts[codes] == _YES)

    def _judged(self, codes: NDArray[np.int64]) -> NDArray[np.bool_]:
        if self._places is None or not codes.size:
            return np.ones(codes.shape, dtype=bool)
        scale = self._scale
        score = self._places.scaled(
            codes // self._kinds, codes % self._kinds, scale.weight, scale.unit
        )
        return np.asarray(score >= scale.threshold)


def _padded(
    values: NDArray[np.int32],
    begin: NDArray[np.int64],
    size: NDArray[np.int64],
    chosen: range,
    filler: int,
) -> NDArray[np.int32]:
    """Return the `chosen` members of each row as a column, with a filler beyond its end."""
    index = np.arange(chosen.start, chosen.stop)[:, None]
    inside = index < size
    out = np.full(inside.shape, filler, dtype=values.dtype)
    out[inside] = values[(begin + index)[inside]]
    return out


def encode(
    sentences: Sequence[Sentence], options: WordOptions, *, table_bytes: int = _TABLE
) -> EncodedWords:
    """Turn the words of sentences into numbers.

    Parameters
    ----------
    sentences : sequence of Sentence
    options : WordOptions
    table_bytes : int
        The maximum size, in bytes, of the table of matches of two places in the syntax.

    Raises
    ------
    InputError
        When the options need syntax and a word lacks its part of speech or its chunk. A missing
        trace counts as empty.

    """
    lengths = np.array([len(sentence) for sentence in sentences], dtype=np.int64)
    forms, word = _numbered(sentences, lengths, "form", "pos")
    keys: defaultdict[tuple[str, str], int] = defaultdict(count().__next__)
    normal = options.normal
    known: dict[str, str] = {}
    key = np.empty(len(forms), dtype=np.int32)
    for number, (form, pos) in enumerate(forms):
        if options.left_out(form, pos):
            key[number] = -1
            continue
        if form not in known:
            known[form] = normal(form)
        key[number] = keys[known[form], pos if options.syntax else ""]
    places, place = None, np.zeros(len(word), dtype=np.int64)
    if options.syntax:
        found, place = _numbered(sentences, lengths, "iob", "trace")
        lacking = np.array([not pos for _, pos in forms], dtype=bool)[word]
        lacking |= np.array([not iob for iob, _ in found], dtype=bool)[place]
        if lacking.any():
            raise _without_syntax(sentences, lengths, int(np.argmax(lacking)))
        seen: defaultdict[tuple[str, tuple[str, ...]], int] = defaultdict(count().__next__)
        numbers = [seen[iob, trimmed(trace)] for iob, trace in found]
        place = np.array(numbers, dtype=np.int64)[place]
        places = _Places.of(list(seen))
    kept = np.flatnonzero((key[word] >= 0) | options.left_out_gaps)
    sentence = np.repeat(np.arange(len(lengths)), lengths)[kept]
    return EncodedWords(
        prefix(np.bincount(sentence, minlength=len(lengths))),
        kept - prefix(lengths)[sentence],
        lengths[sentence],
        key[word[kept]],
        place[kept],
        places,
        _Scale.of_options(options),
        table_bytes=table_bytes,
    )


def _numbered(
    sentences: Sequence[Sentence], lengths: NDArray[np.int64], *fields: str
) -> tuple[list[tuple[Any, ...]], NDArray[np.int64]]:
    """Return the distinct values of fields of words, and the index of the value of each word."""
    numbers: defaultdict[tuple[Any, ...], int] = defaultdict(count().__next__)
    tokens = chain.from_iterable(sentence.tokens for sentence in sentences)
    found = map(numbers.__getitem__, map(attrgetter(*fields), tokens))
    which = np.fromiter(found, dtype=np.int64, count=int(lengths.sum()))
    return list(numbers), which


def _without_syntax(
    sentences: Sequence[Sentence], lengths: NDArray[np.int64], place: int
) -> InputError:
    """Return the error for a word without syntax."""
    begins = prefix(lengths)
    which = int(np.searchsorted(begins, place, side="right")) - 1
    word = place - int(begins[which])
    sentence = sentences[which]
    name = f"sentence {which + 1}" + ("" if sentence.id is None else f" ({sentence.id!r})")
    if sentence.tree is not None:
        return InputError(
            f"{name} has a tree, but no part of speech or chunk for word {word + 1}, "
            f"{sentence[word].form!r}: take them from the tree with bitext.syntax.analyse"
        )
    return InputError(
        f"{name} has no part of speech or chunk for word {word + 1}, {sentence[word].form!r}: "
        f"parse the sentences first with bitext.syntax.analyse, or take a preset without syntax "
        f"(V1, V2 or V3)"
    )
