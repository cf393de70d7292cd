"""Alignment of the words of comparable sentences, by form and syntax.

The method is that of Shen, Radev, Patel and Erkan (2006): the dynamic program of the Levenshtein
distance, in which only words that match syntactically can be aligned. D is maximised:

    D[i][0] = D[0][j] = 0
    D[i][j] = max(D[i-1][j-1] + (2 if the words match, else -1), D[i-1][j] - 1, D[i][j-1] - 1)

A diagonal step over words that do not match aligns both with a gap. Ties are settled from the ends
of the sentences backwards: the diagonal is preferred, then a gap in the second sentence, then one
in the first. Commas and stop words that a preset leaves out are never aligned; they are removed
first, or stay and cost gaps (`left_out_gaps`).
The match of words is defined in `syntactic_match`.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bitext.align.words.options import WordOptions, choose
from bitext.align.words.syntactic_match import GAP, MATCH, EncodedWords, encode
from bitext.errors import InputError
from bitext.kernels.lattice_path import best_paths, best_scores
from bitext.kernels.rows import Rows, prefix
from bitext.model import Alignment, Bitext, Cluster, Sentence, Text
from bitext.model.alignment import Alignments
from bitext.model.lattice import want_lattice

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from numpy.typing import NDArray

    from bitext.model import Lattice

__all__ = [
    "WordAligner",
    "WordPairs",
    "align_many",
    "align_words",
    "bitexts",
    "pair_scores",
    "pairwise",
    "scores_within",
    "sentences_of",
]


# The word alignment of two sentences of a lattice, as an alignment like any other.


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
        if not 0 <= sentence < len(lattice.cluster):
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


_AT_ONCE = 1 << 15  # pairs of sentences scored between two calls of `progress`; set by hand


class WordPairs(NamedTuple):
    """The aligned words of pairs of sentences.

    Attributes
    ----------
    ptr : array of int64, shape (pairs + 1,)
        The aligned words of pair k are `ptr[k]` to `ptr[k + 1]`.
    src, tgt : array of int64
        The indices of the words in their sentences, ascending in both.

    """

    ptr: NDArray[np.int64]
    src: NDArray[np.int64]
    tgt: NDArray[np.int64]

    def of(self, pair: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the aligned words of both sides of a pair."""
        mine = slice(self.ptr[pair], self.ptr[pair + 1])
        return self.src[mine], self.tgt[mine]


class WordAligner:
    """Sentences with their words as numbers, of which any pairs are aligned in arrays.

    Parameters
    ----------
    sentences : sequence of Sentence
    options : WordOptions

    Raises
    ------
    InputError
        When an item is not a `Sentence`, or lacks syntax that the options need.

    """

    def __init__(self, sentences: Sequence[Sentence], options: WordOptions) -> None:
        for number, sentence in enumerate(sentences, start=1):
            if not isinstance(sentence, Sentence):
                raise _no_sentence(number, sentence)
        self.sentences = sentences
        self.options = options
        self.words: EncodedWords = encode(sentences, options)
        self._costs = {"gap": GAP, "largest": MATCH, "free": options.borders == "free"}

    def scores(self, src: NDArray[np.int64], tgt: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return D[M][N] of pairs of sentences, given by their indices."""
        sizes, gains = self.words.sizes, self.words.gains(src, tgt)
        return best_scores(sizes[src], sizes[tgt], gains, **self._costs)  # type: ignore[arg-type]

    def pairs(self, src: NDArray[np.int64], tgt: NDArray[np.int64]) -> WordPairs:
        """Return the aligned words of pairs of sentences, given by their indices."""
        words = self.words
        sizes, gains = words.sizes, words.gains(src, tgt)
        paths = best_paths(sizes[src], sizes[tgt], gains, **self._costs)  # type: ignore[arg-type]
        pair = np.repeat(np.arange(len(src)), np.diff(paths.ptr))
        first, second = words.ptr[src][pair] + paths.row, words.ptr[tgt][pair] + paths.column
        kept = words.match(first, second)
        ptr = prefix(np.bincount(pair[kept], minlength=len(src)))
        return WordPairs(ptr, words.word[first[kept]], words.word[second[kept]])


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
    pairs: Iterable[tuple[Sentence, Sentence]],
    *,
    preset: str | WordOptions = "V4",
    **options: Any,
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
    given = list(pairs)  # keeps all sentences alive, so that no `id` is used twice
    for number, pair in enumerate(given, start=1):
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
    found = WordAligner(sentences, chosen).pairs(src, tgt)
    lengths = np.array([len(sentence) for sentence in sentences], dtype=np.int64)
    return _alignments(found, lengths[src], lengths[tgt])


def _alignments(
    pairs: WordPairs, rows: NDArray[np.int64], columns: NDArray[np.int64]
) -> Alignments:
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


def pair_scores(
    cluster: Cluster, *, preset: str | WordOptions = "V4", **options: Any
) -> NDArray[np.int64]:
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

    Raises
    ------
    InputError
        When it is no cluster.

    """
    if not isinstance(cluster, Cluster):
        raise InputError(
            f"the cluster is {cluster!r:.40} ({type(cluster).__name__}): want a Cluster, as "
            f"Cluster([Sentence(...), Sentence(...)])"
        )
    return cluster.sentences


def _no_sentence(number: int, given: object) -> InputError:
    """Word the error of an argument that is no sentence."""
    return InputError(
        f"sentence {number} is {given!r:.40} ({type(given).__name__}): want a Sentence of its "
        f"words, as Sentence(text.split()); bitext.syntax.parse_cluster makes them of texts"
    )


def scores_within(
    aligner: WordAligner,
    progress: Callable[[int, int], None] | None = None,
    *,
    at_once: int = _AT_ONCE,
) -> NDArray[np.int64]:
    """Return D[M][N] of every pair of sentences of an aligner, as `pair_scores` does.

    So many pairs `at_once` are scored between two calls of `progress`.
    """
    count = len(aligner.sentences)
    src, tgt = np.triu_indices(count, 1)
    own = np.arange(count)
    out = np.diag(aligner.scores(own, own))
    for begin in range(0, len(src), at_once):
        some = slice(begin, begin + at_once)
        scores = aligner.scores(src[some], tgt[some])
        out[src[some], tgt[some]] = out[tgt[some], src[some]] = scores
        if progress is not None:
            progress(min(begin + at_once, len(src)), len(src))
    return out
