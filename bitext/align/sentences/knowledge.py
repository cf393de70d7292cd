"""The statistics learned from a corpus: priors, lengths, words and paths, and their file.

First come the statistics and their lines, then the paths in these, and last the lexicon in the
numbers of the words of a text pair.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from heapq import nlargest
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bitext.align.sentences.bead_types import bead_types, smoothed_priors
from bitext.align.sentences.evidence import LengthModel
from bitext.align.sentences.lexical import Vocabulary, is_word
from bitext.align.sentences.lexical.lexicon import Lexicon
from bitext.align.sentences.lexical.word_links import WordPairs
from bitext.errors import BitextError, FormatError, remedy
from bitext.kernels.arrays import Floats, prefix
from bitext.kernels.bead_path import BeadPath

# A file of the statistics of a corpus has the lines of a `Lexicon`, and lines that begin with two
# empty columns, which readers of the lexicon skip. The columns of these lines, separated by tabs,
# are:
#
#     (empty), (empty), method, NAME
#     (empty), (empty), lengths, ratio, variance, means and spreads of source and target
#     (empty), (empty), bead, TYPE (for example 2-1), number of beads
#     (empty), (empty), source, number of words, number of sentences
#     (empty), (empty), source word, WORD, occurrences, sentences with the word
#     (empty), (empty), path, DIGEST of two texts, their beads (for example 1-1*12 2-1 1-1*3)
#
# and `source` and `source word` also for the target. Numbers are written exactly, except
# probabilities of word pairs, which have five digits.

_SIDES = ("source", "target")
# Set by hand; neither moves a bead (alignment_constants.md, on a corpus of excerpts).
# Words: least lead of the opposite direction of a lexicon, so that a few words are not enough
_LEAST_LEAD = 10
_FEWEST_OCCURRENCES = 2  # occurrences of a word that is written to a file: bounds its size
# Most frequent words of a language, which show texts in the other; set by hand
_FREQUENT_WORDS = 2000


class _WordCounts(NamedTuple):
    # For each word the number of occurrences, and of sentences with the word.
    counts: dict[str, tuple[int, int]]
    # `total`, `sentences`: number of all words, and of all sentences.
    total: int
    sentences: int


class KnownWords(_WordCounts):
    """Frequencies of the words of one language in a corpus."""

    @cached_property
    def _table(self) -> tuple[Vocabulary, Floats, Floats]:
        """The words as numbers, and their counts; the last ones are of unknown words."""
        pairs = chain.from_iterable((*self.counts.values(), (0, 0)))
        counts, sentences = np.fromiter(pairs, dtype=np.float64).reshape(-1, 2).T.copy()
        return Vocabulary(self.counts), counts, sentences

    def of(self, words: Iterable[str]) -> tuple[Floats, Floats]:
        """Return the count of each word, and the number of sentences with it."""
        vocabulary, counts, sentences = self._table
        numbers = vocabulary.find(words)
        return counts[numbers], sentences[numbers]

    def most_frequent(self) -> dict[str, int]:
        """Return the counts of the most frequent words."""
        counts = ((count, word) for word, (count, _) in self.counts.items())
        return {word: count for count, word in nlargest(_FREQUENT_WORDS, counts)}


@dataclass(frozen=True, slots=True, eq=False)
class Knowledge:
    """Priors, lengths and words estimated from a corpus, and the paths of its texts."""

    method: str  # a key of `SENTENCE_METHODS`, which determines the unit of lengths
    lengths: LengthModel
    beads: dict[tuple[int, int], int]  # number of beads of each type
    words: tuple[KnownWords, KnownWords]  # words of the source and of the target
    lexicon: Lexicon
    # The beads of the text pairs that were learned from (`beads_as_text`), by the digest of each.
    paths: dict[str, str] = field(default_factory=dict)

    def chances(self, kinds: Sequence[tuple[int, int]]) -> Floats:
        """Return the priors of bead types; they sum to 1."""
        return smoothed_priors(kinds, np.array([self.beads.get(kind, 0) for kind in kinds], float))

    def lines(self) -> Iterator[str]:
        """Yield the lines of a file."""
        model = self.lengths
        numbers = (model.ratio, model.variance, *model.means, *model.spreads)
        yield f"\t\tmethod\t{self.method}"
        yield "\t\tlengths\t" + "\t".join(map(repr, numbers))
        for (a, b), count in self.beads.items():
            yield f"\t\tbead\t{a}-{b}\t{count}"
        for side, words in zip(_SIDES, self.words, strict=True):
            yield f"\t\t{side}\t{words.total}\t{words.sentences}"
        yield from self.lexicon.lines()
        for side, words, others in zip(_SIDES, self.words, self.words[::-1], strict=True):
            for word, (count, sentences) in words.counts.items():
                if count >= _FEWEST_OCCURRENCES or word in others.counts:  # mostly names
                    yield f"\t\t{side} word\t{word}\t{count}\t{sentences}"
        for digest, beads in self.paths.items():
            yield f"\t\tpath\t{digest}\t{beads}"


def knowledge_of_lines(
    lines: Iterable[str], *, path: str = "the lexicon"
) -> tuple[Lexicon, Knowledge | None]:
    """Read a lexicon with the other statistics of a corpus, or `None` if there are none.

    Raises `FormatError` if `Knowledge.lines` and `Lexicon.lines` do not write such a line; the
    error has the number of the line.
    """
    read = _Reading(path)
    lexicon = Lexicon.of_lines(read.passed(lines), path=path)
    return lexicon, read.knowledge(lexicon)


class _Reading:
    """The statistics from the lines of a file, taken while a lexicon is read from the others."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.method = ""
        self.lengths: LengthModel | None = None
        self.beads: dict[tuple[int, int], int] = {}
        self.totals = [(0, 0), (0, 0)]
        self.counts: tuple[dict[str, tuple[int, int]], ...] = ({}, {})
        self.paths: dict[str, str] = {}

    def passed(self, lines: Iterable[str]) -> Iterator[str]:
        for number, line in enumerate(lines, start=1):
            if line.startswith("\t\t"):
                try:
                    self._take(line.rstrip("\r\n").split("\t")[2:])
                except (ValueError, KeyError, IndexError, BitextError):
                    writer = remedy("save-lexicon", command="align")
                    raise FormatError(
                        f"want what {writer} writes; this line was changed or cut",
                        path=self.path,
                        line=number,
                    ) from None
            yield line

    def _take(self, cells: list[str]) -> None:
        # Cells that no writer makes raise an error, to which `passed` adds the place: a line that
        # was changed by hand would mislead later alignments.
        name, values = cells[0], cells[1:]
        if name.endswith(" word"):
            word, count, sentences = values
            self.counts[_SIDES.index(name[:6])][word] = _count(count), _count(sentences)
        elif name in _SIDES:
            total, sentences = values
            self.totals[_SIDES.index(name)] = _count(total), _count(sentences)
        elif name == "bead":
            a, b = map(int, values[0].split("-"))
            if (a, b) not in bead_types([(a, b)]):
                raise ValueError
            self.beads[a, b] = _count(values[1])
        elif name == "lengths":
            ratio, variance, *means, first, second = map(float, values)
            above = (ratio, variance, first, second)
            if len(means) != 2 or not (
                all(0 < value < np.inf for value in above) and np.isfinite(means).all()
            ):
                raise ValueError
            self.lengths = LengthModel(ratio, variance, (means[0], means[1]), (first, second))
        elif name == "path":
            digest, beads = values
            if not (_DIGEST.fullmatch(digest) and _BEADS.fullmatch(beads)):
                raise ValueError
            self.paths[digest] = beads
        elif name == "method":
            (self.method,) = values
        else:
            raise ValueError

    def knowledge(self, lexicon: Lexicon) -> Knowledge | None:
        if self.lengths is None:
            return None
        words = [
            KnownWords(counts, *total)
            for counts, total in zip(self.counts, self.totals, strict=True)
        ]
        both = words[0], words[1]
        return Knowledge(self.method, self.lengths, self.beads, both, lexicon, self.paths)


def _count(cell: str) -> int:
    count = int(cell)
    if count < 0:
        raise ValueError
    return count


# The paths of the text pairs that were learned from. A text is identified by its content: its file
# may be renamed, and a changed text is a different one.

_DIGEST = re.compile("[0-9a-f]{32}")  # hexadecimal digits of `SentencePair.digest`
# Types with their numbers in a row, as `beads_as_text` writes them: "1-1*12 2-1"
_BEADS = re.compile(r"(?:\d+-\d+(?:\*\d+)?(?: (?!$)|$))*")


def beads_as_text(beads: Sequence[tuple[int, int]], path: BeadPath) -> str:
    """Write the types of the beads of a path, with runs of one type as a count.

    Examples
    --------
    >>> path = BeadPath(0, np.array([1, 1, 0]), np.array([1, 2, 3]), np.array([1, 2, 4]), 1.0)
    >>> text = beads_as_text([(1, 2), (1, 1)], path)
    >>> text, path_of_text(text, [(1, 1), (1, 2)], (3, 4)).kinds.tolist()
    ('1-1*2 1-2', [0, 0, 1])

    """
    first = np.flatnonzero(np.diff(path.kinds, prepend=-2))
    runs = np.diff(first, append=len(path.kinds)).tolist()
    types = [beads[kind] for kind in path.kinds[first].tolist()]
    return " ".join(
        f"{a}-{b}" if count == 1 else f"{a}-{b}*{count}"
        for (a, b), count in zip(types, runs, strict=True)
    )


def path_of_text(
    text: str, beads: Sequence[tuple[int, int]], sizes: tuple[int, int]
) -> BeadPath | None:
    """Read a path that `beads_as_text` wrote; its score is 0.

    The result is None if the path does not fit texts of these sizes, or these bead types.
    """
    kinds: list[int] = []
    runs: list[int] = []
    for bead in text.split():
        one, _, count = bead.partition("*")
        a, b = map(int, one.split("-"))
        if (a, b) not in beads:
            return None
        kinds.append(beads.index((a, b)))
        runs.append(int(count or 1))
    kind = np.repeat(np.array(kinds, dtype=np.int64), runs)
    members = np.array(beads, dtype=np.int64)[kind]
    row, column = np.cumsum(members[:, 0]), np.cumsum(members[:, 1])
    if not len(kind) or (int(row[-1]), int(column[-1])) != sizes:
        return None
    return BeadPath(0, kind, row, column, 0.0)


class LexiconIndex:
    """A lexicon whose lookup time depends on the size of the text, not of the lexicon.

    The pairs of `lexicon` are in ascending order of the source word.
    """

    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon = lexicon
        pairs = lexicon.pairs
        self._ptr = prefix(np.bincount(pairs.src, minlength=len(lexicon.src)))
        self._here = np.full(len(lexicon.tgt), -1, dtype=np.int32)

    def onto(self, src: Vocabulary, tgt: Vocabulary) -> WordPairs:
        """Renumber the pairs by two vocabularies, as `Lexicon.onto` does."""
        lexicon, pairs, ptr = self.lexicon, self.lexicon.pairs, self._ptr
        x, y = lexicon.src.find(src.forms), lexicon.tgt.find(tgt.forms)
        known_src, known_tgt = np.flatnonzero(x >= 0), np.flatnonzero(y >= 0)
        # The array of target words is as large as the lexicon: it is filled in and reset only where
        # this text has words.
        self._here[y[known_tgt]] = known_tgt
        link_counts = ptr[x[known_src] + 1] - ptr[x[known_src]]
        link = np.arange(link_counts.sum()) + np.repeat(
            ptr[x[known_src]] - prefix(link_counts)[:-1], link_counts
        )
        target = self._here[pairs.tgt[link]]
        self._here[y[known_tgt]] = -1
        inside = np.flatnonzero(target >= 0)
        source, target = np.repeat(known_src, link_counts)[inside].astype(np.int32), target[inside]
        order = np.lexsort((target, source))
        link = link[inside][order]
        known = [
            _shares_of(share, at) for share, at in ((pairs.known_src, x), (pairs.known_tgt, y))
        ]
        return WordPairs(
            source[order], target[order], pairs.forward[link], pairs.backward[link], *known
        )


def is_turned(lexicon: Lexicon, src: Vocabulary, tgt: Vocabulary) -> bool:
    """Test a lexicon for a clearly better fit to two texts in the opposite direction.

    Examples
    --------
    >>> from bitext.align.sentences.lexical import Vocabulary
    >>> words = [Vocabulary(f"{side}{chr(k)}" for k in range(97, 123)) for side in "xy"]
    >>> lexicon = Lexicon.of_entries(zip(words[0].forms, words[1].forms, strict=True))
    >>> is_turned(lexicon, *words), is_turned(lexicon, *words[::-1])
    (False, True)

    """
    sides = src.forms, tgt.forms
    turned = _known_indices(lexicon.tgt, sides[0]), _known_indices(lexicon.src, sides[1])
    # Few words of one direction are enough to see that it is the right one.
    most = sum(map(len, turned))
    in_given = 0
    for words, forms in zip((lexicon.src, lexicon.tgt), sides, strict=True):
        for form in forms:
            in_given += form in words and is_word(form)
            if most <= 2 * in_given + _LEAST_LEAD:
                return False
    in_turned = sum(
        is_word(forms[k]) for forms, indices in zip(sides, turned, strict=True) for k in indices
    )
    return in_turned > 2 * in_given + _LEAST_LEAD


def _known_indices(vocabulary: Vocabulary, forms: Sequence[str]) -> list[int]:
    """Return the indices of the words that a vocabulary has."""
    return np.flatnonzero(vocabulary.find(forms) >= 0).tolist()


def _shares_of(share: Floats, at: NDArray[np.int32]) -> Floats:
    """Return the shares of words by their numbers in the lexicon; 0 for unknown words."""
    shares = np.zeros(len(at))
    inside = np.flatnonzero((at >= 0) & (at < len(share)))
    shares[inside] = share[at[inside]]
    return shares
