"""The evidence of sentence lengths for beads, after Gale and Church (1993).

The score of a bead is the log-likelihood ratio of its lengths as a translation and by themselves:

    log P(lengths of its target sentences | total length of its source sentences)
        - sum over its target sentences of log P(length)

and the same from the target to the source. The mean of both directions makes the alignment of two
texts independent of which text is the source. Scores of all bead types are comparable, and beads
with an empty side have 0. By themselves, lengths are log-normal. Given the source, the total length
of the target has a mean of `ratio` times the length of the source, and a Student t distribution
with 5 degrees of freedom and a squared scale in proportion to the length (Gale and Church: a normal
distribution); or a Poisson distribution, as in Moore (2002). All divisions of the total among the
target sentences are equally likely. Ratio and variance are estimated from the texts. The unit of
lengths is between those of both languages, so that the ratio becomes 1.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bitext.align.sentences.evidence import BandColumns, TwoSidedBeads, within
from bitext.kernels.order import median

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bitext.kernels.bead_path import Band

__all__ = ["WORD", "LengthEvidence", "LengthModel"]

# Set by hand, where there is no source. Change of F1 for half and twice, mean of parice and
# text+berg (alignment_constants.md): FREEDOM -.009 and -.028, _FIRST -.006 and -.015, _USUAL -.005
# and 0; the others 0, of which WORD is for methods that count words.
WORD = 6.0  # letters of a word, if lengths are in words

FREEDOM = 5.0  # degrees of freedom of Student's t: heavier tails than Gale and Church's normal
_PEAK = -0.9686  # log density at 0 of Student's t with 5 degrees of freedom
_MEDIAN = 0.528  # median of the square of this t
_FIRST = 6.8  # variance for each letter before alignment: Gale and Church (1993, section 3.3)
_USUAL, _LEAST = 2.0, 1.0  # prior and smallest variance for each letter of aligned texts
_BELIEF = 20.0  # weight of the prior variance, in beads
_LONG = 50.0  # medians: the largest length of a sentence in the estimate of the first ratio
_SLACK = 4.0  # letters squared: variance added to that of any bead, however short


class LengthModel(NamedTuple):
    """Model of the lengths of translations.

    Attributes
    ----------
    ratio : float
        The target length for a source length of 1.
    variance : float
        The squared scale of the difference of lengths, for a length of 1 in the unit between both
        languages.
    means, spreads : (float, float)
        Means and standard deviations of the logarithms of the lengths of source and of target
        sentences.
    poisson : bool
        Use a Poisson distribution of the total length; default: Student's t.
    unit : float
        The unit of lengths, in letters: 1, or the letters of a word.

    """

    ratio: float
    variance: float
    means: tuple[float, float]
    spreads: tuple[float, float]
    poisson: bool = False
    unit: float = 1.0

    @classmethod
    def first(
        cls,
        src: NDArray[np.float64],
        tgt: NDArray[np.float64],
        *,
        poisson: bool = False,
        unit: float = 1.0,
    ) -> LengthModel:
        """Estimate a model from the lengths of all sentences, before alignment."""
        ratio = float(_usual(tgt) / _usual(src)) if src.size and tgt.size else 1.0
        logs = [np.log(np.maximum(side, 1.0)) if side.size else np.zeros(1) for side in (src, tgt)]
        means = float(logs[0].mean()), float(logs[1].mean())
        spreads = max(float(logs[0].std()), 0.3), max(float(logs[1].std()), 0.3)
        return cls(ratio, _FIRST / unit, means, spreads, poisson, unit)

    def learned(self, src: NDArray[np.float64], tgt: NDArray[np.float64]) -> LengthModel:
        """Estimate ratio and variance from the total lengths `src` and `tgt` of beads."""
        if not src.size:
            return self
        before = 1e-3 * math.sqrt(self.ratio), 1e-3 / math.sqrt(self.ratio)
        ratio = float((tgt.sum() + before[0]) / (src.sum() + before[1]))
        src, tgt = src * math.sqrt(ratio), tgt / math.sqrt(ratio)
        squares = (tgt - src) ** 2 / ((src + tgt) / 2)
        seen = median(squares) / _MEDIAN
        usual = min(self.variance, _USUAL / self.unit)
        variance = (len(src) * seen + _BELIEF * usual) / (len(src) + _BELIEF)
        return self._replace(ratio=ratio, variance=max(variance, _LEAST / self.unit))


def _usual(lengths: NDArray[np.float64]) -> float:
    """Sum lengths, each of which counts at most 50 times the median."""
    return float(np.minimum(lengths, _LONG * median(lengths)).sum())


class LengthEvidence:
    """Evidence of lengths for all beads of two texts.

    Parameters
    ----------
    beads : sequence of (int, int)
    src, tgt : array of float64, shape (sentences,)
        The length of each sentence, above 0.
    model : LengthModel

    """

    def __init__(
        self,
        beads: Sequence[tuple[int, int]],
        src: NDArray[np.float64],
        tgt: NDArray[np.float64],
        model: LengthModel,
    ) -> None:
        self.beads, self.model = list(beads), model
        self._both = TwoSidedBeads.of(beads)
        between = math.sqrt(model.ratio)
        self._units = 1 / between, between
        sides = src * between, tgt / between
        self._total = [_sums(side) for side in sides]
        self._alone = [
            _sums(_alone(side, mean + math.log(unit), spread))
            for side, unit, mean, spread in zip(
                sides, (between, 1 / between), model.means, model.spreads, strict=True
            )
        ]

    def block(self, first: int, last: int, band: Band) -> NDArray[np.float32]:
        """Score the beads that end at each point of the rows `first` <= i < `last` of a band.

        Returns
        -------
        array of float32, shape (beads, last - first, width)
            Natural logarithms; scores of beads that begin before the table are undefined.

        """
        out = np.zeros((len(self.beads), last - first, band.width), dtype=np.float32)
        both = self._both
        if not len(both.kinds):
            return out
        columns, row = BandColumns.of(first, last, band), np.arange(first, last)
        source, rest = self._side(0, row, both.src)
        target, more = self._side(1, columns.column, both.tgt)
        for some in columns.together(len(both.kinds)):
            kind = both.which[some]
            ratios = self._beside(source[some, :, None], columns.by_rows(target, kind))
            alone = columns.by_rows(more, kind)
            alone += rest[some, :, None]
            ratios += alone
            out[both.kinds[some]] = ratios
        return out

    def of(self, row: int, column: int, kind: int) -> tuple[float, float]:
        """Return the total lengths of both sides of a bead that ends at a point."""
        a, b = self.beads[kind]
        src, tgt = self._total
        return (
            float(src[row] - src[row - a]) * self._units[0],
            float(tgt[column] - tgt[column - b]) * self._units[1],
        )

    def _side(
        self, side: int, end: NDArray[np.int64], number: NDArray[np.int64]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return the total length of one side of beads, and half of the terms of this side alone.

        The terms are the log probability of the division among the sentences, and the negative log
        probabilities of the lengths of the sentences by themselves.
        """
        sums, alone = self._total[side], self._alone[side]
        size = len(sums) - 1
        begin, end = within(end - number, 0, size), within(end, 0, size)
        total = np.maximum(sums[end] - sums[begin], 1e-3)
        rest = -(number - 1) * np.log(total) - (alone[end] - alone[begin])
        return total.astype(np.float32), (rest / 2).astype(np.float32)

    def _beside(
        self, source: NDArray[np.float32], target: NDArray[np.float32]
    ) -> NDArray[np.float32]:
        """Return the log probability of a total length, given that of the other side."""
        result: NDArray[np.float32]
        if self.model.poisson:
            # The mean of both directions, in which most terms cancel; factorials by Stirling.
            cross = (target - source) * (np.log(source) - np.log(target)) / 2
            result = cross - np.log(source * target) / 4
            result -= np.float32(math.log(2 * math.pi) / 2)
            result -= 1 / (24 * source + 2) + 1 / (24 * target + 2)
            return result
        # In place, as there is a number for each bead type at each point of the band. With v for
        # the variance, d for the difference and r for 1 + d^2 / 5v, the density is proportional to
        # 1 / (v^(1/2) r^3): a single logarithm, as logarithms take most of the time.
        variance = source + target
        variance *= np.float32(self.model.variance / 2)
        variance += np.float32(_SLACK / self.model.unit**2)
        result = target - source
        result *= result
        result /= variance
        result *= np.float32(1 / FREEDOM)
        result += np.float32(1)
        np.sqrt(variance, out=variance)
        variance *= result
        result *= result
        result *= variance
        np.log(result, out=result)
        np.subtract(np.float32(_PEAK), result, out=result)
        return result


def _sums(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the running sums of values, from 0."""
    return np.concatenate([[0.0], np.cumsum(values)])


def _alone(lengths: NDArray[np.float64], mean: float, spread: float) -> NDArray[np.float64]:
    """Return the log-normal log density of each length."""
    at = (np.log(lengths) - mean) / spread
    result: NDArray[np.float64] = -np.log(lengths * spread * math.sqrt(2 * math.pi)) - at * at / 2
    return result
