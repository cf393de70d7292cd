"""The evidence of sentence vectors for beads.

The score of a bead of a source sentences and b target sentences is

    weight * (a + b) / 2 * (slope * scale * cosine + offset)

where the cosine is that of the vectors of both sides, with adjacent sentences joined, after the
mean of the text is subtracted: a margin over random sentences (see `align.sentences.vectors`).
`scale` gives the cosines of joined sentences the spread of the cosines of single sentences (see
`window_scales`). `slope` and `offset` turn the cosine into the log-likelihood ratio of translations
and random sentences (see `LogOdds`). The factor (a + b) / 2 makes one bead of many sentences
comparable with many beads of few: without the factor, merged beads would have the evidence of one
bead only. The weight is below 1, as the evidence of a vector is partly that of words and lengths.

Beads with an empty side, or with a side without vectors, have 0.

**Source**: M. Artetxe and H. Schwenk, Margin-based parallel corpus mining, ACL
2019; B. Thompson and P. Koehn, Vecalign, EMNLP 2019, equation 2, which multiplies
with the numbers of sentences. **Departures**: log-odds, which can be added to those of words and
lengths; the mean of the numbers of sentences, not their product.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from bitext.align.sentences.vectors import share_means, vectors_of
from bitext.errors import InputError
from bitext.kernels.arrays import Floats, Singles, distinct, matrix_product
from bitext.kernels.bead_path import Band
from bitext.model import Text

if TYPE_CHECKING:
    from pathlib import Path

    from bitext.align.sentences.vectors import Encoder, SentenceVectors

    Vectors = Encoder | SentenceVectors | ArrayLike | Path | str

# Log-odds of a cosine of two vectors.
#
# Cosines are not comparable between encoders, or between pairs of languages: they are measured in
# the spread of the cosines of random sentences.

# Set by hand. Change of F1 if halved and if doubled, mean of parice, text+berg and hunalign-dtm
# (alignment_constants.md): _RANDOM_PAIRS 0 and +.001; the others are not measured.
_RANDOM_PAIRS = 2000  # random pairs of sentences for this spread
_SLOPE = 1.8  # natural logarithm: log-odds for each spread
_EVEN = 1.5  # spreads: cosine of which the log-odds are 0
_LEAST_SPREAD = 0.02  # least spread, of texts in which all sentences have nearly one vector
_UNKNOWN_SPREAD = 0.1  # spread of texts without two vectors


class LogOdds(NamedTuple):
    """Log-odds of a cosine: slope * cosine + offset, a natural logarithm."""

    slope: float
    offset: float

    @classmethod
    def first(cls, spread: float) -> LogOdds:
        """Estimate log-odds from the spread of the cosines of random pairs."""
        spread = max(spread, _LEAST_SPREAD)
        slope = _SLOPE / spread
        return cls(slope, -_EVEN * slope * spread)


def random_spread(pairs: Sequence[tuple[SentenceVectors, SentenceVectors]]) -> float:
    """Return the root mean square of the cosines of random pairs of sentences."""
    cosines = _random_cosines(pairs)
    return float(np.sqrt(np.mean(cosines**2))) if cosines.size else _UNKNOWN_SPREAD


def _cosines(
    src: SentenceVectors, tgt: SentenceVectors, sources: ArrayLike, targets: ArrayLike
) -> Floats:
    """Return the cosines of pairs of sentences, without pairs with a vector of 0."""
    if not (src.dimensions and tgt.dimensions):
        return np.zeros(0)
    first, second = np.asarray(sources, dtype=np.int64), np.asarray(targets, dtype=np.int64)
    cosines = [np.zeros(0)]
    for begin in range(0, len(first), 4096):
        left = src.sentences(first[begin : begin + 4096])
        right = tgt.sentences(second[begin : begin + 4096])
        known = left.any(axis=1) & right.any(axis=1)
        cosines.append(np.einsum("ij,ij->i", left, right, dtype=np.float64)[known])
    return np.concatenate(cosines)


def _random_cosines(pairs: Sequence[tuple[SentenceVectors, SentenceVectors]]) -> Floats:
    """Return the cosines of random pairs of sentences within pairs of texts, from a fixed seed."""
    sizes = np.array([min(len(src), len(tgt)) for src, tgt in pairs], dtype=np.float64)
    draw = np.random.default_rng(8)
    cosines = [np.zeros(0)]
    for (src, tgt), size in zip(pairs, sizes.tolist(), strict=True):
        draws = int(np.ceil(_RANDOM_PAIRS * size / sizes.sum())) if size else 0
        if draws and len(src) * len(tgt) > 4:
            first, second = draw.integers(len(src), size=draws), draw.integers(len(tgt), size=draws)
            cosines.append(_cosines(src, tgt, first, second))
    return np.concatenate(cosines)


# Scales of the cosines of windows: joined adjacent sentences.
#
# Vectors of long strings are more similar than vectors of short ones. Unrelated sentences that are
# joined with their neighbours have higher cosines, and beads of many sentences would be preferred
# to many beads of few. The cosines of each bead type are therefore scaled to the spread of the
# cosines of single sentences.

# Set by hand. Change of F1 if halved and if doubled (alignment_constants.md, as above): _RUN +.002
# and 0, _LEAST 0 and +.004, _MOST +.002 and 0, which is two or three beads; the others 0.
_SAMPLED_TEXTS = 32  # texts that are sampled: bounds time
_RUNS = 8  # runs of adjacent windows, at even distances in a text
_RUN = 32  # windows of a run
_LEAST_WINDOWS = 4  # smallest length of a sampled text, in windows: in shorter ones all are similar
_LEAST, _MOST = 0.5, 1.25  # bounds of the factor of a cosine


def window_scales(
    pairs: Sequence[tuple[SentenceVectors, SentenceVectors]], beads: Sequence[tuple[int, int]]
) -> dict[tuple[int, int], float]:
    """Estimate the factor of the cosines of each bead type.

    The factor is the ratio of the spread of the cosines of single sentences to the spread of the
    cosines of windows, for each bead type with two sides, 0.5 to 1.25; it is 1 if all texts are too
    short. At most 32 pairs of texts are sampled.

    Examples
    --------
    >>> from bitext.align.sentences.vectors import SentenceVectors
    >>> drift = np.random.default_rng(1).normal(size=(200, 8)).astype(np.float32)
    >>> side = SentenceVectors(drift + np.cumsum(drift, axis=0) / 8)
    >>> scales = window_scales([(side, side)], [(1, 1), (1, 0), (2, 2)])
    >>> sorted(scales), scales[1, 1], scales[2, 2] < 1
    ([(1, 1), (2, 2)], 1.0, True)

    """
    sampled = distinct(np.linspace(0, len(pairs) - 1, min(len(pairs), _SAMPLED_TEXTS)).astype(int))
    chosen = [pairs[k] for k in sampled.tolist()] if len(pairs) else []
    chosen = [pair for pair in chosen if pair[0].dimensions and pair[1].dimensions]
    two_sided = [(a, b) for a, b in beads if a and b]
    scales = dict.fromkeys(two_sided, 1.0)
    for bead in two_sided:
        # The same texts for both spreads.
        long = [pair for pair in chosen if min(map(len, pair)) >= _LEAST_WINDOWS * max(bead)]
        own, single = _square(long, bead), _square(long, (1, 1))
        if own > 0 and single > 0:
            scales[bead] = float(np.clip(np.sqrt(single / own), _LEAST, _MOST))
    return scales


def _square(
    pairs: Sequence[tuple[SentenceVectors, SentenceVectors]], bead: tuple[int, int]
) -> float:
    """Return the mean square of the cosines of windows within pairs of texts."""
    total, number = 0.0, 0
    for src, tgt in pairs:
        cosines = matrix_product(_windows(src, bead[0]), _windows(tgt, bead[1]).T)
        total += float(np.square(cosines, dtype=np.float64).sum())
        number += cosines.size
    return total / number if number else 0.0


def _windows(vectors: SentenceVectors, size: int) -> Singles:
    count = len(vectors) - size + 1
    runs = max(1, min(_RUNS, count // _RUN))
    begins = np.linspace(0, max(count - _RUN, 0), runs).astype(int).tolist()
    return np.concatenate([vectors.windows(size, k, min(k + _RUN, count)) for k in begins])


# Set by hand. Change of F1 if halved and if doubled (alignment_constants.md, as above): +.004 and
# +.005.
_WEIGHT = 0.5  # weight of the log-odds of vectors, beside words and lengths
_COLUMNS_AT_ONCE = 2048  # columns, and rows, with vectors in memory at once: memory only
# Cosines are rounded to 1 / this, so that the order of sums does not matter
_GRID = np.float32(1 << 14)


class EmbeddingEvidence:
    """Evidence of vectors for all beads of two texts.

    Raises `InputError` when the vectors of the two sides differ in their number of dimensions.

    By default, `odds` are estimated from random pairs of sentences of the two texts. `weight` is
    the factor of the log-odds, and `scales` has the factor of the cosines of each bead type, by
    default 1.

    Examples
    --------
    >>> from bitext.align.sentences.vectors import SentenceVectors
    >>> from bitext.kernels.bead_path import Band
    >>> side = SentenceVectors(np.eye(3, dtype=np.float32))
    >>> evidence = EmbeddingEvidence([(1, 1), (1, 0)], side, side, odds=LogOdds(10.0, -5.0))
    >>> evidence.block(1, 4, Band(np.zeros(4, dtype=np.int64), 4, 3))[0].round(1)
    array([[ 0. ,  2.5, -5. , -5. ],
           [ 0. , -5. ,  2.5, -5. ],
           [ 0. , -5. , -5. ,  2.5]], dtype=float32)

    """

    def __init__(
        self,
        beads: Sequence[tuple[int, int]],
        src: SentenceVectors,
        tgt: SentenceVectors,
        *,
        odds: LogOdds | None = None,
        weight: float = _WEIGHT,
        scales: Mapping[tuple[int, int], float] | None = None,
    ) -> None:
        if src.dimensions and tgt.dimensions and src.dimensions != tgt.dimensions:
            raise InputError(
                f"{src.name} has {src.dimensions} dimensions, {tgt.name} {tgt.dimensions}: want "
                f"vectors of one encoder on both sides"
            )
        self.beads = list(beads)
        self.odds = LogOdds.first(random_spread([(src, tgt)])) if odds is None else odds
        self.weight = weight
        self.scales = dict(scales or {})
        self._src, self._tgt = src, tgt

    def block(self, first: int, last: int, band: Band) -> Singles:
        """Score the beads that end at each point of some rows; see `Evidence.block`.

        The time is proportional to points times dimensions for any course of the band. Beads that
        begin before the table, or end after it, score 0.
        """
        out = np.zeros((len(self.beads), last - first, band.width), dtype=np.float32)
        if not (self._src.dimensions and self._tgt.dimensions):
            return out  # a side without a sentence that has characters
        for begin, end in _parts(first, last, band, _COLUMNS_AT_ONCE):
            self._fill(out[:, begin - first : end - first], begin, end, band)
        return out

    def of(self, row: int, column: int, kind: int) -> tuple[float, float]:
        """Return the cosine of a bead that ends at a point, and its score."""
        a, b = self.beads[kind]
        if not (a and b and self._src.dimensions and self._tgt.dimensions):
            return 0.0, 0.0
        source = self._src.windows(a, row - a, row - a + 1)
        target = self._tgt.windows(b, column - b, column - b + 1)
        cosine, score = self._score(source, target, (a, b))
        return float(cosine[0, 0]), float(score[0, 0])

    def _fill(self, out: Singles, begin: int, end: int, band: Band) -> None:
        """Fill in some rows, with vectors made once, and multiplied in small parts."""
        low, high = int(band.lo[begin]), int(band.lo[end - 1]) + band.width
        both = [(a, b) for a, b in self.beads if a and b]
        sources = {a: self._src.windows(a, begin - a, end - a) for a in {a for a, _ in both}}
        targets = {b: self._tgt.windows(b, low - b, high - b) for b in {b for _, b in both}}
        for top, bottom in _parts(begin, end, band, max(band.width // 2, 16)):
            left = int(band.lo[top])
            right = int(band.lo[bottom - 1]) + band.width
            at = (band.lo[top:bottom] - left)[:, None] + np.arange(band.width)
            for k, (a, b) in enumerate(self.beads):
                if a and b:
                    source = sources[a][top - begin : bottom - begin]
                    target = targets[b][left - low : right - low]
                    score = self._score(source, target, (a, b))[1]
                    out[k, top - begin : bottom - begin] = np.take_along_axis(score, at, axis=1)

    def _score(
        self, source: Singles, target: Singles, bead: tuple[int, int]
    ) -> tuple[Singles, Singles]:
        """Return the cosines and the scores of all pairs of vectors."""
        cosine = np.rint(matrix_product(source, target.T) * _GRID) / _GRID
        factor = self.weight * (bead[0] + bead[1]) / 2
        score = cosine * np.float32(factor * self.odds.slope * self.scales.get(bead, 1.0))
        score += np.float32(factor * self.odds.offset)
        score[~source.any(axis=1)] = 0.0
        score[:, ~target.any(axis=1)] = 0.0
        return cosine, score


def _parts(first: int, last: int, band: Band, reach: int) -> Iterator[tuple[int, int]]:
    """Cut rows into parts with at most `reach` more columns than a single row."""
    begin = first
    while begin < last:
        near = band.lo[begin : min(last, begin + max(reach, 64))]
        end = begin + int(np.searchsorted(near, near[0] + reach, side="right"))
        yield begin, end
        begin = end


# Vectors of texts that are aligned together.
#
# The means of short texts, the log-odds of cosines and the scales of windows are estimated from all
# of these texts.


class CorpusVectors:
    """Vectors of pairs of texts in the same two languages, from one encoder.

    `weight` is as in `EmbeddingEvidence`. Raises `InputError` when the vectors differ in their
    number of dimensions.
    """

    def __init__(
        self,
        beads: Sequence[tuple[int, int]],
        pairs: Sequence[tuple[SentenceVectors, SentenceVectors]],
        *,
        weight: float = _WEIGHT,
    ) -> None:
        self.beads, self.weight = list(beads), weight
        # Copies, as the means of this corpus must not change with other uses of the vectors.
        self.pairs = [(src.apart(), tgt.apart()) for src, tgt in pairs]
        known = [side for pair in self.pairs for side in pair if len(side) and side.dimensions]
        for side in known[1:]:
            if side.dimensions != known[0].dimensions:
                raise InputError(
                    f"{side.name} has {side.dimensions} dimensions, {known[0].name} "
                    f"{known[0].dimensions}: want vectors of one encoder"
                )
        for k in (0, 1):
            texts = [pair[k] for pair in self.pairs if pair[k].dimensions]
            share_means(texts, sorted({bead[k] for bead in self.beads if all(bead)}))
        self.scales = window_scales(self.pairs, self.beads)
        self.odds: LogOdds = LogOdds.first(random_spread(self.pairs))

    @classmethod
    def of_texts(
        cls,
        beads: Sequence[tuple[int, int]],
        texts: Sequence[tuple[Text, Text]],
        vectors: Encoder | Sequence[tuple[Vectors, Vectors]],
        *,
        weight: float = _WEIGHT,
    ) -> CorpusVectors:
        """Return the vectors of pairs of texts, made by an encoder or given for each pair.

        `vectors` is an encoder for all texts, or has arguments of `vectors_of` for the source and
        the target of each pair of texts. Raises `InputError` when the number of pairs differs, or
        vectors do not fit their text.
        """
        if callable(vectors):
            vectors_of_pairs: list[tuple[Vectors, Vectors]] = [(vectors, vectors)] * len(texts)
        else:
            if wrong := [
                each
                for each in vectors
                if isinstance(each, str) or not hasattr(each, "__len__") or len(each) != 2
            ]:
                raise InputError(
                    f"the vectors are {wrong[0]!r:.60}: want those of the source and those of the "
                    f"target, or an encoder"
                )
            vectors_of_pairs = [(src, tgt) for src, tgt in vectors]
        if len(vectors_of_pairs) != len(texts):
            raise InputError(
                f"vectors of {len(vectors_of_pairs)} pairs for {len(texts)} pairs of texts"
            )
        pairs = [
            (
                vectors_of(src, first, name=src.name or "the source"),
                vectors_of(tgt, second, name=tgt.name or "the target"),
            )
            for (src, tgt), (first, second) in zip(texts, vectors_of_pairs, strict=True)
        ]
        return cls(beads, pairs, weight=weight)

    def __call__(self, k: int) -> list[EmbeddingEvidence]:
        """Return the evidence of text pair k."""
        src, tgt = self.pairs[k]
        evidence = EmbeddingEvidence(
            self.beads, src, tgt, odds=self.odds, weight=self.weight, scales=self.scales
        )
        return [evidence]
