"""Scores of pairs of strings: the probability of a translation by a lexicon, and by vectors.

The pairs are already aligned, and a score measures the confidence in a pair:
`bitext convert --clean` rejects pairs by their scores.

**Lexicon.** The score of a word is that of the aligner (`evidence.words`): the log ratio of the
probability of a target word y, given the source words s, to its probability anywhere,

    log((1 - l(y)) + l(y) * (sum over s of t(y|s) / p(y)) / (1 + number of source words))

and likewise of a source word. A file of a lexicon has no frequencies, so p(y) is the probability
of y as a translation of any source word of the lexicon, all source words being equally probable.
The scores of the words are summed for the first and the second half of each side. The probability
of a side is that of its half with the lower sum, so that a pair with only one half translated also
has a low probability: 1 / (1 + exp(-sum) / odds), with prior odds of nine to one for a translation.
scripts/bench/cleaning.md has precision and recall.

A lexicon learned from a pair would confirm the pair as a translation. So a corpus that is its own
lexicon is divided into two halves by hashes of its texts, and each half is scored with the lexicon
of the other.

**Vectors.** The similarity of two sides is the cosine of their vectors, each less the mean of its
file (`vectors`): near 0 for unrelated sentences.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

import numpy as np

from bitext.align.sentences.cleaning import unescaped
from bitext.align.sentences.corpus import BagWords, learn_from_bags, pairs_in_parts
from bitext.align.sentences.lexical import Vocabulary, is_word, numbered
from bitext.align.sentences.lexical.cognates import cognates
from bitext.align.sentences.lexical.lexicon import Lexicon, inflected
from bitext.align.sentences.lexical.word_links import WordPairs, join_pairs, without_common
from bitext.align.sentences.vectors import SentenceVectors, read_vectors
from bitext.errors import FormatError, InputError
from bitext.kernels.arrays import Bools, Floats, Ints, Rows, prefix

if TYPE_CHECKING:
    Scores = Floats

# Set by hand: scripts/bench/cleaning.md has the effect on precision and recall.
_PRIOR_ODDS = 9.0  # of a translation, before the words are known
_WEIGHT = 0.7  # of the sum of the scores of words, as in `LexicalEvidence`
_LEAST_RELATIVE_PROBABILITY = 0.01  # smallest p(y), as a share of the mean
_CELLS_AT_ONCE = 1 << 20  # pairs of words looked up at once: memory only
_MOST_SAMPLED_PAIRS = 1 << 16  # pairs that the lexicon of one half of a corpus is learned from
# A lexicon of another pair of languages knows names, loans and a few short words.
_FEWEST_WORDS = 300  # words of a side that are judged
_FEWEST_PAIRS = 100  # of a half of a corpus that is its own lexicon
_LEAST_KNOWN_TERMS = 0.05  # the same of a dictionary, which has one form of a word
# Least share of the words of each side that the lexicon of their languages knows
_LEAST_KNOWN_SHARE = 0.25


class _Bags(NamedTuple):
    """Distinct known words of strings: those of string k are `ids[ptr[k]:ptr[k + 1]]`."""

    ptr: Ints
    ids: Ints
    times: Ints

    @property
    def string(self) -> Ints:
        """The string of each of `ids`."""
        return np.repeat(np.arange(len(self.ptr) - 1), np.diff(self.ptr))


class _Words(NamedTuple):
    # `ids`, `string`: the number of each word in a vocabulary, -1 for an unknown one, and its
    # string.
    ids: Ints
    string: Ints
    counts: Ints  # the number of words of each string
    late: Bools  # whether a word is in the second half of its string

    @classmethod
    def of(cls, strings: Sequence[str], vocabulary: Vocabulary, *, grow: bool = False) -> _Words:
        number, counts, forms = numbered([unescaped(string) for string in strings])
        own = vocabulary.numbers(forms) if grow else vocabulary.find(forms)
        string = np.repeat(np.arange(len(strings)), counts)
        offset = np.arange(len(number)) - prefix(counts)[:-1][string]
        return cls(own.astype(np.int64)[number], string, counts, 2 * offset >= counts[string])

    def bags(self) -> _Bags:
        known, wide = self.ids >= 0, int(self.ids.max(initial=0)) + 1
        keys, times = np.unique(self.string[known] * wide + self.ids[known], return_counts=True)
        sizes = np.bincount(keys // wide, minlength=len(self.counts))
        return _Bags(prefix(sizes), keys % wide, times)


class _Model(NamedTuple):
    """A lexicon for lookups."""

    src: Vocabulary
    tgt: Vocabulary
    keys: Ints  # the pairs of words, ascending
    # `forward`, `backward`: t(y|s) / p(y), and t(s|y) / p(s), of each pair.
    forward: Scores
    backward: Scores
    # `known_src`, `known_tgt`: the share of each word that links explain.
    known_src: Scores
    known_tgt: Scores

    @classmethod
    def of(cls, src: Vocabulary, tgt: Vocabulary, pairs: WordPairs, *, flat: float = 0.0) -> _Model:
        """Return the model of word pairs; `flat`, if given, is 1 / p of every word."""
        ratios, shares = [], []
        for word, probability, known, size in (
            (pairs.tgt, pairs.forward, pairs.known_tgt, len(tgt)),
            (pairs.src, pairs.backward, pairs.known_src, len(src)),
        ):
            total = np.bincount(word, probability, size)
            least = (
                _LEAST_RELATIVE_PROBABILITY * float(total.sum()) / max(int((total > 0).sum()), 1)
            )
            share = np.maximum(total, least) / max(float(total.sum()), 1e-300)
            ratios.append(
                probability * flat if flat else probability / np.maximum(share[word], 1e-300)
            )
            shares.append(np.append(known, np.zeros(size - len(known))))
        keys = pairs.src.astype(np.int64) * len(tgt) + pairs.tgt
        return cls(src, tgt, keys, ratios[0], ratios[1], shares[1], shares[0])


class LexiconScores:
    """Scores pairs of strings by a lexicon.

    `name` is the file in messages. With `is_dictionary`, inflected forms of the words are taken as
    well.

    Examples
    --------
    >>> entries = [("house", "maison"), ("dog", "chien"), ("water", "eau"), ("old", "vieux")]
    >>> scores = LexiconScores(Lexicon.of_entries(entries))
    >>> scores(["old house water", "old house water"], ["maison vieux eau", "chien"]).round(2)
    array([[0.86, 0.77],
           [0.86, 0.85]])

    """

    def __init__(
        self, lexicon: Lexicon, *, name: str = "the lexicon", is_dictionary: bool = False
    ) -> None:
        if not len(lexicon):
            raise InputError(f"{name}: holds no pair of words: name another")
        self._lexicon, self._name, self._is_dictionary = lexicon, name, is_dictionary

    @property
    def lexicon(self) -> Lexicon:
        """The lexicon."""
        return self._lexicon

    @cached_property
    def _model(self) -> _Model:
        lexicon = self._lexicon
        return _Model.of(lexicon.src, lexicon.tgt, lexicon.pairs)

    def __call__(self, src: Sequence[str], tgt: Sequence[str]) -> Scores:
        """Return the probability of each side of each pair, of shape (2, pairs).

        The probability is `nan` where the lexicon knows no word of a side.
        """
        model = self._model_of(src, tgt) if self._is_dictionary else self._model
        sides = _Words.of(src, model.src), _Words.of(tgt, model.tgt)
        bags = sides[0].bags(), sides[1].bags()
        ratios = _explained(model, *bags)
        values = np.array(
            [
                _probabilities(sides[0], bags[0], ratios[0], model.known_src, sides[1].counts),
                _probabilities(sides[1], bags[1], ratios[1], model.known_tgt, sides[0].counts),
            ]
        )
        values[:, np.isnan(values).any(axis=0)] = np.nan
        return values

    def _model_of(self, src: Sequence[str], tgt: Sequence[str]) -> _Model:
        """Return the entries of a dictionary, and forms of their words, in some strings."""
        own, other = (
            Vocabulary(numbered([unescaped(string) for string in side])[2]) for side in (src, tgt)
        )
        pairs = inflected(self._lexicon, own, other)
        # The frequencies of the forms are not known.
        flat = float(max(len(self._lexicon.src), len(self._lexicon.tgt)))
        return _Model.of(own, other, pairs, flat=flat)

    def check(self, src: Sequence[str], tgt: Sequence[str]) -> bool:
        """Check whether a lexicon is in the languages of both sides, in this direction.

        Raises `InputError` when it knows few words of a side, or fits clearly better exchanged.

        Returns False if a side has fewer than 300 words, too few to judge.
        """
        shares = np.zeros((2, 2))
        vocabularies = (self._lexicon.src, self._lexicon.tgt)
        for side, strings in enumerate((src, tgt)):
            number, _, forms = numbered([unescaped(string) for string in strings])
            words = np.array([is_word(form) for form in forms], dtype=np.bool_)[number]
            if int(words.sum()) < _FEWEST_WORDS:
                return False
            for language, vocabulary in enumerate(vocabularies):
                known = vocabulary.find(forms) >= 0
                shares[side, language] = known[number][words].mean()
        least = _LEAST_KNOWN_TERMS if self._is_dictionary else _LEAST_KNOWN_SHARE
        in_direction, in_opposite = np.diagonal(shares), np.diagonal(shares[:, ::-1])
        # Names and loanwords are in both languages: the other direction has to be far better.
        if in_opposite.min() >= least and in_opposite.min() > 2 * in_direction.min():
            raise InputError(
                f"{self._name}: is in the wrong direction, target to source: name one from source "
                f"to target"
            )
        if in_direction.min() < least:
            side = int(in_direction.argmin())
            raise InputError(
                f"{self._name}: knows {in_direction[side]:.0%} of the words of the "
                f"{('source', 'target')[side]}: name one of these two languages"
            )
        return True


def _explained(model: _Model, src: _Bags, tgt: _Bags) -> tuple[Scores, Scores]:
    """Return the sum of t / p over the words of the other side, for each word of both sides."""
    by_tgt, by_src = np.zeros(len(src.ids)), np.zeros(len(tgt.ids))
    if not len(model.keys):  # of a dictionary without a word of these strings
        return by_tgt, by_src
    for x, y, *_ in pairs_in_parts(src.ptr, tgt.ptr, _CELLS_AT_ONCE):
        keys = src.ids[x] * len(model.tgt) + tgt.ids[y]
        place = np.minimum(np.searchsorted(model.keys, keys), len(model.keys) - 1)
        is_known = np.flatnonzero(model.keys[place] == keys)
        x, y, place = x[is_known], y[is_known], place[is_known]
        by_tgt += np.bincount(x, model.backward[place] * tgt.times[y], len(src.ids))
        by_src += np.bincount(y, model.forward[place] * src.times[x], len(tgt.ids))
    return by_tgt, by_src


def _probabilities(
    words: _Words, bags: _Bags, ratios: Scores, known: Scores, others: Ints
) -> Scores:
    """Return the probability of one side of each pair, by the half that is explained less."""
    size = len(words.counts)
    is_known = np.flatnonzero(words.ids >= 0)
    ids, string, late = words.ids[is_known], words.string[is_known], words.late[is_known]
    wide = int(ids.max(initial=0)) + 1
    ratio = ratios[np.searchsorted(bags.string * wide + bags.ids, string * wide + ids)]
    share = known[ids]
    scores = np.log((1 - share) + share * ratio / (1 + others[string]))
    halves = [np.bincount(string[part], scores[part], size) for part in (~late, late)]
    total = _WEIGHT * np.minimum(halves[0], halves[1])
    values = 1 / (1 + np.exp(-np.clip(total, -50, 50)) / _PRIOR_ODDS)
    values[np.bincount(string, share > 0, size) == 0] = np.nan
    return np.asarray(values, dtype=np.float64)


class CorpusLexicon:
    """Scores pairs of a corpus by lexicons learned from it, each half by that of the other.

    `size` is the number of filled pairs of the corpus.
    """

    def __init__(self, scores: tuple[LexiconScores, LexiconScores], size: int) -> None:
        self._scores, self.size = scores, size

    @cached_property
    def digest(self) -> str:
        """A digest of both lexicons."""
        digest = blake2b(digest_size=16)
        for scores in self._scores:
            lexicon = scores.lexicon
            for vocabulary in (lexicon.src, lexicon.tgt):
                digest.update("\n".join(vocabulary.forms).encode("utf-8", "surrogatepass"))
            for array in lexicon.pairs:
                digest.update(array.tobytes())
        return digest.hexdigest()

    def check(self, src: Sequence[str], tgt: Sequence[str]) -> bool:
        """Check nothing: the lexicons are those of the corpus."""
        return bool(len(src) == len(tgt))

    def __call__(self, src: Sequence[str], tgt: Sequence[str]) -> Scores:
        """Return the probability of each side of each pair, as `LexiconScores` does."""
        half = _half_of(src, tgt)
        values = np.full((2, len(src)), np.nan)
        for half_number, scores in enumerate(self._scores):
            rows = np.flatnonzero(half != half_number)
            if rows.size:
                values[:, rows] = scores(*([side[k] for k in rows.tolist()] for side in (src, tgt)))
        return values


def _half_of(src: Sequence[str], tgt: Sequence[str]) -> Ints:
    """Return 0 or 1 for each pair, by a hash of its texts without white space."""
    joined = ("".join(f"{one}\0{other}".split()) for one, other in zip(src, tgt, strict=True))
    hashes = (crc32(text.encode("utf-8", "surrogatepass")) for text in joined)
    return np.fromiter(hashes, np.int64, len(src)) & 1


def learned_lexicons(
    pairs: Iterable[tuple[Sequence[str], Sequence[str]]], *, name: str = "the corpus"
) -> CorpusLexicon:
    """Learn the lexicons of both halves of a corpus.

    Raises `InputError` when a half has fewer than 100 pairs of filled strings.

    Each item of `pairs` has the strings of both sides of some pairs; `name` is the corpus in
    messages.
    """
    samples: list[_Sample] = [_Sample(), _Sample()]
    for src, tgt in pairs:
        half = _half_of(src, tgt).tolist()
        for half_number, one, other in zip(half, src, tgt, strict=True):
            if one and other and not one.isspace() and not other.isspace():
                samples[half_number].add(one, other)
    fewest = min(len(sample.pairs) for sample in samples)
    if fewest < _FEWEST_PAIRS:
        raise InputError(
            f"{name}: too few bisegments to learn a lexicon from ({fewest} in a half, and "
            f"{_FEWEST_PAIRS} are wanted): name a lexicon or a dictionary in the profile"
        )
    first, second = (LexiconScores(_learned(sample.pairs), name=name) for sample in samples)
    return CorpusLexicon((first, second), sum(sample.seen for sample in samples))


class _Sample:
    """Pairs at even distances, 65,536 at most."""

    def __init__(self) -> None:
        self.pairs: list[tuple[str, str]] = []
        self._step, self.seen = 1, 0

    def add(self, src: str, tgt: str) -> None:
        if self.seen % self._step == 0:
            self.pairs.append((src, tgt))
            if len(self.pairs) > _MOST_SAMPLED_PAIRS:
                del self.pairs[1::2]
                self._step *= 2
        self.seen += 1


def _learned(pairs: Sequence[tuple[str, str]]) -> Lexicon:
    src, tgt = Vocabulary(), Vocabulary()
    bags, shares = [], []
    for k, vocabulary in enumerate((src, tgt)):
        words = _Words.of([pair[k] for pair in pairs], vocabulary, grow=True).bags()
        size, ids = len(vocabulary), words.ids.astype(np.int32)
        bags.append(BagWords(words.ptr, ids, words.times.astype(np.int32), size))
        # Two strings are subtracted, as shares in short texts are unreliable (`shares_of`).
        counts = np.bincount(ids, minlength=size)
        shares.append(np.maximum(counts - 2, 0) / len(pairs))
    both = shares[0], shares[1]
    similar = without_common(cognates(src, tgt, shares=both), *both)
    learned = learn_from_bags(bags[0], bags[1], similar, shares=both)
    return Lexicon(src, tgt, join_pairs([learned, similar]))


class VectorScores:
    """Compares the sides of pairs by vectors of their sentences, from two files.

    Raises `FormatError` when a file is not an array of vectors, or their dimensions differ.

    `src` and `tgt` are files that `read_vectors` can read. A file of raw float32 needs the number
    of `dimensions`.
    """

    def __init__(self, src: str, tgt: str, *, dimensions: int | None = None) -> None:
        one, other = (
            SentenceVectors(read_vectors(path, dimensions=dimensions), blank=True, name=path)
            for path in (src, tgt)
        )
        if one.dimensions != other.dimensions:
            raise FormatError(
                f"has {other.dimensions} dimensions, and {src} has {one.dimensions}: want vectors "
                f"of one encoder",
                path=tgt,
            )
        self.sides = one, other

    def __call__(self, src: Rows, tgt: Rows, filled: Bools) -> Scores:
        """Return the cosine of the vectors of both sides of each pair.

        The cosine is `nan` for blank sides, and where a vector is the mean of its file.

        Raises `InputError` when a side with characters has only rows of zeros.

        `src` and `tgt` are the rows of the files that belong to each pair. `filled` marks the pairs
        whose sides both have characters other than white space.
        """
        means = [
            vectors.of_groups(rows) for vectors, rows in zip(self.sides, (src, tgt), strict=True)
        ]
        for mean, rows, vectors in zip(means, (src, tgt), self.sides, strict=True):
            zero = filled & ~mean.any(axis=1)
            if zero.any():
                row = int(rows.idx[rows.ptr[int(zero.argmax())]])
                raise InputError(
                    f"{vectors.name} row {row} (from 0): zeros only, for a segment with text: "
                    f"encode it anew"
                )
        one, other = (
            vectors.less_mean(mean) for vectors, mean in zip(self.sides, means, strict=True)
        )
        known = filled & one.any(axis=1) & other.any(axis=1)
        return np.where(known, np.einsum("ij,ij->i", one, other).astype(np.float64), np.nan)
