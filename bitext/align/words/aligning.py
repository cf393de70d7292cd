"""Alignment of the words of two comparable sentences, and the match of words that it needs.

Two words match *syntactically* when their forms and their parts of speech are the same, their
positions are not too far apart, and this score is not below the threshold, 0 by default:

    iob(chunks) + weight * (sum of iob over the trimmed traces, from their ends, until one of them
    is exhausted) - weight * |difference of the lengths of the trimmed traces|

`iob` of two tags is 1 for identical ones, 0 for the same constituent at another position (B-PP and
I-PP), -1 otherwise. A trimmed trace lacks its first element, the root, and its last. The position
of a word is its index, from 1, divided by the length of its sentence, punctuation counted.

All arithmetic is in integers: scores are multiplied by the common denominator of weight and
threshold, and positions compared by cross-multiplication. A cluster has few distinct words and few
distinct *places in the syntax* (chunk and trimmed trace), and the score depends on the two places
alone, so each score is computed once.

The method of alignment is that of Shen, Radev, Patel and Erkan (2006): the dynamic program of the
Levenshtein distance, in which only words that match syntactically can be aligned. D is maximised:

    D[i][0] = D[0][j] = 0
    D[i][j] = max(D[i-1][j-1] + (2 if the words match, else -1), D[i-1][j] - 1, D[i][j-1] - 1)

A diagonal step over words that do not match aligns both with a gap. Ties are settled from the ends
of the sentences backwards: the diagonal is preferred, then a gap in the second sentence, then one
in the first. Commas and stop words that a preset leaves out are never aligned; they are removed
first, or stay and cost gaps (`left_out_gaps`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import chain, combinations, count
from math import lcm
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bitext.align.words.options import WordOptions, choose
from bitext.errors import InputError
from bitext.kernels.arrays import Bools, Ints, Rows, prefix
from bitext.kernels.lattice_path import Gains, best_paths, best_scores
from bitext.model import Alignment, Bitext, Cluster, Lattice, Sentence, Text
from bitext.model.alignment import Alignments
from bitext.model.lattice import want_lattice

MATCH, MISMATCH, GAP = 2, -1, -1  # scores of a step: Shen et al. 2006

_TABLE_BYTES = 1 << 26  # bytes of the table of matches of two places in the syntax; set by hand
_UNKNOWN, _NO, _YES = 0, 1, 2  # what the table of matches says of two places


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
    """Places in the syntax: tags and constituents from the end of the trimmed trace backwards."""

    ptr: Ints  # shape (places + 1,)
    # `tag`, `label`: the chunk of place p at `ptr[p]`, then its trace.
    tag: Ints
    label: Ints

    @classmethod
    def of(cls, places: Sequence[tuple[str, tuple[str, ...]]]) -> _Places:
        lengths = np.array([1 + len(trace) for _, trace in places], dtype=np.int64)
        tags: defaultdict[str, int] = defaultdict(count().__next__)
        flat = chain.from_iterable((iob, *reversed(trace)) for iob, trace in places)
        tag = np.fromiter(map(tags.__getitem__, flat), dtype=np.int64, count=int(lengths.sum()))
        labels: defaultdict[str, int] = defaultdict(count().__next__)
        of_tag = np.array([labels[_constituent(name)] for name in tags], dtype=np.int64)
        return cls(prefix(lengths), tag, of_tag[tag] if tag.size else tag)

    def _iob(self, first: Ints, second: Ints) -> Ints:
        same = self.tag[first] == self.tag[second]
        same_label = self.label[first] == self.label[second]
        return np.asarray(same.astype(np.int64) + same_label - 1)

    def scaled(self, first: Ints, second: Ints, weight: int, unit: int) -> Ints:
        """Return the scores of pairs of places, times `unit`.

        `weight` is the weight of traces, times `unit` as well.
        """
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
    """Weight, threshold and greatest distance in integers."""

    # `unit`, `weight`, `threshold`: the scores of chunks and traces, and the least score of a
    # match, times one denominator.
    unit: int
    weight: int
    threshold: int
    # `far`, `of`: the greatest distance is `far / of`.
    far: int
    of: int
    strict: bool  # whether words at the greatest distance do not match

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
        ptr: Ints,
        word: Ints,
        length: Ints,
        key: NDArray[np.int32],
        place: Ints,
        places: _Places | None,
        scale: _Scale,
        *,
        table_bytes: int = _TABLE_BYTES,
    ) -> None:
        self.ptr, self.word, self.length = ptr, word, length
        self.key, self.place = key, place
        self._places, self._scale = places, scale
        self._kinds = 0 if places is None else len(places.ptr) - 1
        fits = 0 < self._kinds**2 <= table_bytes
        self._verdicts = np.zeros(self._kinds**2, dtype=np.uint8) if fits else None

    @property
    def sizes(self) -> Ints:
        """The number of words of each sentence, without left-out ones unless these are gaps."""
        return np.diff(self.ptr)

    def gains(self, first: Ints, second: Ints) -> Gains:
        """Return the gains of pairs of sentences for the dynamic program."""

        def table(pairs: Ints, lo: int, hi: int) -> NDArray[np.int8]:
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

    def _begin_and_size(self, sentences: Ints) -> tuple[Ints, Ints]:
        begin = self.ptr[sentences]
        return begin, self.ptr[sentences + 1] - begin

    def _sift(self, equal: Bools, above: Ints, left: Ints) -> None:
        """Filter cells of equal words by syntax."""
        cells = np.flatnonzero(equal)
        across, pair = np.divmod(cells, equal.shape[2])
        row, column = np.divmod(across, equal.shape[1])
        wrong = ~self._syntax(above[pair] + row, left[pair] + column)
        equal.reshape(-1)[cells[wrong]] = False

    def match(self, first: Ints, second: Ints) -> Bools:
        """Mark the matching pairs of words, given as indices into the arrays of words."""
        same = np.asarray((self.key[first] == self.key[second]) & (self.key[first] >= 0))
        if self._places is not None:
            going = np.flatnonzero(same)
            same[going] = self._syntax(first[going], second[going])
        return same

    def _syntax(self, first: Ints, second: Ints) -> Bools:
        """Mark the matches among pairs of equal form and part of speech, by position, trace."""
        size, other = self.length[first], self.length[second]
        scale = self._scale
        apart = scale.of * np.abs((self.word[first] + 1) * other - (self.word[second] + 1) * size)
        limit = scale.far * size * other
        near = apart < limit if scale.strict else apart <= limit
        going = np.flatnonzero(near)
        near[going] = self._verdict(self.place[first[going]], self.place[second[going]])
        return np.asarray(near)

    def _verdict(self, first: Ints, second: Ints) -> Bools:
        codes = first * self._kinds + second
        if self._verdicts is None:
            distinct, code_index = np.unique(codes, return_inverse=True)
            return np.asarray(self._judged(distinct)[code_index.reshape(-1)])
        new = np.unique(codes[self._verdicts[codes] == _UNKNOWN])
        if new.size:
            self._verdicts[new] = np.where(self._judged(new), _YES, _NO)
        return np.asarray(self._verdicts[codes] == _YES)

    def _judged(self, codes: Ints) -> Bools:
        if self._places is None or not codes.size:
            return np.ones(codes.shape, dtype=bool)
        scale = self._scale
        score = self._places.scaled(
            codes // self._kinds, codes % self._kinds, scale.weight, scale.unit
        )
        return np.asarray(score >= scale.threshold)


def _padded(
    values: NDArray[np.int32], begin: Ints, size: Ints, chosen: range, filler: int
) -> NDArray[np.int32]:
    """Return the `chosen` members of each row as a column, with a filler beyond its end."""
    index = np.arange(chosen.start, chosen.stop)[:, None]
    inside = index < size
    out = np.full(inside.shape, filler, dtype=values.dtype)
    out[inside] = values[(begin + index)[inside]]
    return out


def encode(
    sentences: Sequence[Sentence], options: WordOptions, *, table_bytes: int = _TABLE_BYTES
) -> EncodedWords:
    """Turn the words of sentences into numbers.

    Raises `InputError` when the options need syntax and a word lacks its part of speech or its
    chunk. A missing trace counts as empty.

    `table_bytes` is the maximum size of the table of matches of two places in the syntax.
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
        distinct_places, place = _numbered(sentences, lengths, "iob", "trace")
        lacks_syntax = np.array([not pos for _, pos in forms], dtype=bool)[word]
        lacks_syntax |= np.array([not iob for iob, _ in distinct_places], dtype=bool)[place]
        if lacks_syntax.any():
            raise _without_syntax(sentences, lengths, int(np.argmax(lacks_syntax)))
        seen: defaultdict[tuple[str, tuple[str, ...]], int] = defaultdict(count().__next__)
        numbers = [seen[iob, trimmed(trace)] for iob, trace in distinct_places]
        place = np.array(numbers, dtype=np.int64)[place]
        places = _Places.of(list(seen))
    # The alignment sees only words that count; `kept_words` leads back to their places.
    kept_words = np.flatnonzero((key[word] >= 0) | options.left_out_gaps)
    sentence = np.repeat(np.arange(len(lengths)), lengths)[kept_words]
    return EncodedWords(
        prefix(np.bincount(sentence, minlength=len(lengths))),
        kept_words - prefix(lengths)[sentence],
        lengths[sentence],
        key[word[kept_words]],
        place[kept_words],
        places,
        _Scale.of_options(options),
        table_bytes=table_bytes,
    )


def _numbered(
    sentences: Sequence[Sentence], lengths: Ints, *fields: str
) -> tuple[list[tuple[Any, ...]], Ints]:
    """Return the distinct values of fields of words, and the index of the value of each word."""
    numbers: defaultdict[tuple[Any, ...], int] = defaultdict(count().__next__)
    tokens = chain.from_iterable(sentence.tokens for sentence in sentences)
    word_numbers = map(numbers.__getitem__, map(attrgetter(*fields), tokens))
    number_index = np.fromiter(word_numbers, dtype=np.int64, count=int(lengths.sum()))
    return list(numbers), number_index


def _without_syntax(sentences: Sequence[Sentence], lengths: Ints, place: int) -> InputError:
    begins = prefix(lengths)
    sentence_number = int(np.searchsorted(begins, place, side="right")) - 1
    word = place - int(begins[sentence_number])
    sentence = sentences[sentence_number]
    name = f"sentence {sentence_number + 1}" + (
        "" if sentence.id is None else f" ({sentence.id!r})"
    )
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


def pairwise(lattice: Lattice, a: int, b: int) -> Alignment:
    """Return the alignment of the words of sentence `a` with those of sentence `b`.

    Words that share a node make a bisegment, and each other word a bisegment with an empty side.
    Bisegments follow the order of the sentences; between two aligned pairs, words of `a` come
    first.

    Parameters
    ----------
    lattice : Lattice
        The lattice of both sentences.
    a, b : int
        The indices of the sentences in its cluster, from 0; `a` is the source.

    Raises
    ------
    InputError
        When `lattice` is not a `Lattice`, or has no such sentence.

    Examples
    --------
    >>> from bitext.model import Cluster, Lattice, Sentence
    >>> c = Cluster([Sentence(["Milan", "burns"]), Sentence(["Now", "it", "burns"])])
    >>> [tuple(bead) for bead in pairwise(Lattice(c, [[1, 2], [3, 4, 2]]), 0, 1)]
    [((0,), ()), ((), (0,)), ((), (1,)), ((1,), (2,))]

    """
    want_lattice(lattice)
    for sentence in (a, b):
        whole = isinstance(sentence, int | np.integer) and not isinstance(sentence, bool)
        if not whole or not 0 <= sentence < len(lattice.cluster):
            raise InputError(
                f"the lattice has no sentence {sentence}: want 0 to {len(lattice.cluster) - 1}"
            )
    src, tgt = lattice.paths.row(a), lattice.paths.row(b)
    _, both_src, both_tgt = np.intersect1d(src, tgt, assume_unique=True, return_indices=True)
    left, right = np.ones(len(src), dtype=bool), np.ones(len(tgt), dtype=bool)
    left[both_src] = right[both_tgt] = False
    src_gap, tgt_gap = np.flatnonzero(left), np.flatnonzero(right)
    # Sort key of each bisegment: the number of aligned pairs before it, and its kind.
    matched = np.arange(len(both_src))
    stretch = np.concatenate(
        [matched, np.searchsorted(both_src, src_gap), np.searchsorted(both_tgt, tgt_gap)]
    )
    sizes = (len(both_src), len(src_gap), len(tgt_gap))
    kind = np.repeat([2, 0, 1], sizes)
    word = np.concatenate([both_src, src_gap, tgt_gap])
    order = np.lexsort((word, kind, stretch))
    has_src, has_tgt = (kind != 1)[order], (kind != 0)[order]
    return Alignment.from_arrays(
        (np.append(0, np.cumsum(has_src)), np.arange(len(src))),
        (np.append(0, np.cumsum(has_tgt)), np.arange(len(tgt))),
    )


def bitexts(lattice: Lattice) -> Iterator[Bitext]:
    """Yield a bitext for each pair of sentences, with words as segments.

    The name of a bitext contains the ids of its sentences, or their numbers from 1. Formats and
    metrics can therefore pair the bitexts of two lattices over one cluster.

    Examples
    --------
    >>> from bitext.model import Cluster, Lattice, Sentence
    >>> c = Cluster([Sentence(["It", "burns"], id="a"), Sentence(["burns"], id="b")], id="milan")
    >>> for bitext in bitexts(Lattice(c, [[1, 2], [2]])):
    ...     print(bitext.name, bitext.pairs())
    milan:a:b [(['It'], []), (['burns'], ['burns'])]

    """
    want_lattice(lattice)
    cluster = lattice.cluster
    names = cluster.names
    texts = [Text(s.forms, name=name) for s, name in zip(cluster, names, strict=True)]
    front = "" if cluster.id is None else f"{cluster.id}:"
    for a, b in combinations(range(len(cluster)), 2):
        yield Bitext(
            texts[a], texts[b], pairwise(lattice, a, b), name=f"{front}{names[a]}:{names[b]}"
        )


_PAIRS_AT_ONCE = 1 << 15  # pairs of sentences scored between two calls of `progress`; set by hand


class WordPairs(NamedTuple):
    """The aligned words of pairs of sentences."""

    # The aligned words of pair k are `ptr[k]` to `ptr[k + 1]`. Shape (pairs + 1,).
    ptr: Ints
    # `src`, `tgt`: the indices of the words in their sentences, ascending in both.
    src: Ints
    tgt: Ints

    def of(self, pair: int) -> tuple[Ints, Ints]:
        """Return the aligned words of both sides of a pair."""
        pair_links = slice(self.ptr[pair], self.ptr[pair + 1])
        return self.src[pair_links], self.tgt[pair_links]


class WordAligner:
    """Sentences with their words as numbers, of which any pairs are aligned in arrays.

    Raises `InputError` when an item is not a `Sentence`, or lacks syntax that the options need.
    """

    def __init__(self, sentences: Sequence[Sentence], options: WordOptions) -> None:
        for number, sentence in enumerate(sentences, start=1):
            if not isinstance(sentence, Sentence):
                raise InputError(
                    f"sentence {number} is {sentence!r:.40} ({type(sentence).__name__}): want a "
                    f"Sentence of its words, as Sentence(text.split()); "
                    f"bitext.syntax.parse_cluster makes them of texts"
                )
        self.sentences = sentences
        self.options = options
        self.words: EncodedWords = encode(sentences, options)
        self._costs = {"gap": GAP, "largest": MATCH, "free": options.borders == "free"}

    def scores(self, src: Ints, tgt: Ints) -> Ints:
        """Return D[M][N] of pairs of sentences, given by their indices."""
        sizes, gains = self.words.sizes, self.words.gains(src, tgt)
        return best_scores(sizes[src], sizes[tgt], gains, **self._costs)  # type: ignore[arg-type]

    def pairs(self, src: Ints, tgt: Ints) -> WordPairs:
        """Return the aligned words of pairs of sentences, given by their indices."""
        words = self.words
        sizes, gains = words.sizes, words.gains(src, tgt)
        paths = best_paths(sizes[src], sizes[tgt], gains, **self._costs)  # type: ignore[arg-type]
        pair = np.repeat(np.arange(len(src)), np.diff(paths.ptr))
        first, second = words.ptr[src][pair] + paths.row, words.ptr[tgt][pair] + paths.column
        is_match = words.match(first, second)
        ptr = prefix(np.bincount(pair[is_match], minlength=len(src)))
        return WordPairs(ptr, words.word[first[is_match]], words.word[second[is_match]])


def align_words(
    src: Sentence, tgt: Sentence, *, preset: str | WordOptions = "V4", **options: Any
) -> Alignment:
    """Align the words of two comparable sentences.

    Parameters
    ----------
    src, tgt : Sentence
        With part of speech, chunk and trace of every word, unless the preset is of words only.
    preset : str or WordOptions
        `V1` words only; `V2` words, no commas; `V3` words, no commas or stop words; `V4` syntax, no
        commas or stop words; `V5` syntax, no commas.
    **options
        Fields of `WordOptions`, in place of those of the preset.

    Returns
    -------
    Alignment
        A bisegment for each pair of aligned words, and one with an empty side for every other word,
        left-out words included; in order, with words of `src` first between two pairs.

    Raises
    ------
    InputError
        When an argument is not a `Sentence`, or lacks syntax that the preset needs.
    OptionError
        When an option is unknown or has a value that is not allowed.

    Notes
    -----
    **Source**: S. Shen, D. R. Radev, A. Patel and G. Erkan, Adding syntax to dynamic programming
    for aligning comparable texts for the generation of paraphrases, COLING/ACL 2006.

    **Departures**: the paper's text and its figure 4 differ; the text is followed, and
    `figure4=True` follows the figure. The text also exchanges the two sentences where it says which
    one a gap goes into. Leading gaps are free, as in the recurrence, and trailing ones are not;
    `borders="gap"` charges both. Forms that differ only in case, in the kind of their apostrophe or
    in the Unicode composition of letters are the same; the paper does not mention this, and
    `forms="exact"` distinguishes them.

    Examples
    --------
    The published example. By words, Milan goes with Milan:

    >>> from bitext.model import Sentence
    >>> first, second = Sentence("Milan is beautiful".split()), Sentence("I went to Milan".split())
    >>> for pair in align_words(first, second, preset="V1"):
    ...     print(pair.src, pair.tgt)
    () (0,)
    () (1,)
    () (2,)
    (0,) (3,)
    (1,) ()
    (2,) ()

    """
    return align_many([(src, tgt)], preset=preset, **options)[0]


def align_many(
    pairs: Iterable[tuple[Sentence, Sentence]], *, preset: str | WordOptions = "V4", **options: Any
) -> Alignments:
    """Align the words of many pairs of sentences, as `align_words` does, in arrays.

    Parameters
    ----------
    pairs : iterable of (Sentence, Sentence)
        A sentence object that is in several pairs is encoded once.
    preset, **options
        As for `align_words`.

    Returns
    -------
    Alignments
        One alignment a pair, in order, each made on access.

    Raises
    ------
    InputError
        When an item is not a pair of sentences, and as `align_words`.
    OptionError
        As `align_words`.

    Examples
    --------
    >>> from bitext.model import Sentence
    >>> one, two, three = (Sentence(text.split()) for text in ("it burns", "burns", "it is"))
    >>> found = align_many([(one, two), (one, three)], preset="V1")
    >>> [bead.type for bead in found[1]]
    ['1-1', '1-0', '0-1']

    """
    chosen = choose(preset, **options)
    numbers: dict[int, int] = {}
    sentences: list[Sentence] = []
    both: list[int] = []
    sentence_pairs = list(pairs)  # keeps all sentences alive, so that no `id` is used twice
    for number, pair in enumerate(sentence_pairs, start=1):
        if not isinstance(pair, Sequence) or len(pair) != 2 or isinstance(pair, str):
            raise InputError(
                f"pair {number} is {pair!r:.60}: want two sentences, as (Sentence, Sentence)"
            )
        for sentence in pair:
            at = numbers.setdefault(id(sentence), len(sentences))
            if at == len(sentences):
                sentences.append(sentence)
            both.append(at)
    src, tgt = np.array(both, dtype=np.int64).reshape(-1, 2).T
    word_pairs = WordAligner(sentences, chosen).pairs(src, tgt)
    lengths = np.array([len(sentence) for sentence in sentences], dtype=np.int64)
    return _alignments(word_pairs, lengths[src], lengths[tgt])


def _alignments(pairs: WordPairs, rows: Ints, columns: Ints) -> Alignments:
    """Return alignments with aligned and unaligned words in order, given the lengths."""
    # A word comes after those before it on its own side, and after those of the other side that
    # come no later than the last pair before it (a source word) or before the next pair (a target
    # word). Pairs take one place, not two.
    count = np.diff(pairs.ptr)
    pair = np.repeat(np.arange(len(rows)), count)
    sides = []
    for lengths, aligned in ((rows, pairs.src), (columns, pairs.tgt)):
        begin = prefix(lengths)
        of = np.repeat(np.arange(len(rows)), lengths)
        paired = np.zeros(len(of), dtype=np.int64)
        paired[begin[pair] + aligned] = 1
        before = prefix(paired)[:-1]  # pairs before each word, those of other sentences too
        sides.append((np.arange(len(of)) - begin[of], of, before))
    total = rows + columns - count
    ends = prefix(total)
    padded = WordPairs(pairs.ptr, np.append(pairs.src, 0), np.append(pairs.tgt, 0))
    pointers = []
    for side, (word, of, before) in enumerate(sides):
        done = before - pairs.ptr[of]
        if side:
            other = np.where(done < count[of], padded.src[before], rows[of])
        else:
            other = np.where(done > 0, padded.tgt[before - 1] + 1, 0)
            # An aligned word stands where its pair does, after the target words before it.
            at = np.flatnonzero(np.diff(before, append=len(pair)))
            other[at] = pairs.tgt
        has = np.zeros(int(ends[-1]), dtype=np.int64)
        has[ends[of] + word + other - done] = 1
        pointers.append(prefix(has))
    # A row of either side has one word or none, and words ascend from 0 within a sentence.
    sides_of = [Rows(pointer, word) for pointer, (word, _, _) in zip(pointers, sides, strict=True)]
    return Alignments(Alignment.from_arrays(*sides_of), ends)


def pair_scores(cluster: Cluster, *, preset: str | WordOptions = "V4", **options: Any) -> Ints:
    """Return D[M][N] of every pair of sentences of a cluster.

    Parameters are those of `align_words`.

    Returns
    -------
    array of int64, shape (sentences, sentences)
        Symmetric; the diagonal holds each sentence against itself.

    Examples
    --------
    >>> from bitext.model import Cluster, Sentence
    >>> c = Cluster(Sentence(text.split()) for text in ("a b c", "b c", "a d"))
    >>> pair_scores(c, preset="V1").tolist()
    [[6, 4, 0], [4, 4, -2], [0, -2, 4]]

    """
    return scores_within(WordAligner(sentences_of(cluster), choose(preset, **options)))


def sentences_of(cluster: Cluster) -> tuple[Sentence, ...]:
    """Return the sentences of a cluster.

    Raises `InputError` when `cluster` is no cluster.
    """
    if not isinstance(cluster, Cluster):
        raise InputError(
            f"the cluster is {cluster!r:.40} ({type(cluster).__name__}): want a Cluster, as "
            f"Cluster([Sentence(...), Sentence(...)])"
        )
    return cluster.sentences


def scores_within(
    aligner: WordAligner,
    progress: Callable[[int, int], None] | None = None,
    *,
    at_once: int = _PAIRS_AT_ONCE,
) -> Ints:
    """Return D[M][N] of every pair of sentences of an aligner, as `pair_scores` does.

    `at_once` pairs are scored between two calls of `progress`.
    """
    count = len(aligner.sentences)
    src, tgt = np.triu_indices(count, 1)
    own = np.arange(count)
    out = np.diag(aligner.scores(own, own))
    for begin in range(0, len(src), at_once):
        batch = slice(begin, begin + at_once)
        scores = aligner.scores(src[batch], tgt[batch])
        out[src[batch], tgt[batch]] = out[tgt[batch], src[batch]] = scores
        if progress is not None:
            progress(min(begin + at_once, len(src)), len(src))
    return out
