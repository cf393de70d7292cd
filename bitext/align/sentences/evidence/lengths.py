"""The evidence of sentence lengths for beads, after Gale and Church (1993).

The score of a bead is the logarithm of how much likelier its source and its target sentences are
beside each other than by themselves:

    log P(lengths of its target sentences | total length of its source sentences)
        - sum over its target sentences of log P(length)

and the same from the target to the source, in the mean of both: two texts are aligned alike
whichever of them is the source. So beads of all kinds can be compared, and those with an empty side
have 0. By themselves lengths are log-normal. Beside the source, the total is `ratio` times that of
the source, give or take: a Student t with 5 degrees of freedom, the square of its scale in
proportion to the length (Gale and Church: a normal); or Poisson, as in Moore (2002). Any division
of it among the target sentences is as good as another. Ratio and variance come from the texts.
Lengths are counted in a unit between those of both languages, in which the ratio is 1.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bitext.align.sentences.evidence import BandColumns, within

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bitext.kernels.bead_path import Band

__all__ = ["WORD", "LengthEvidence", "LengthModel"]

WORD = 6.0  # letters of a word, where lengths are in words

FREEDOM = 5.0  # degrees of freedom of Student's t: heavier tails than Gale and Church's normal
_PEAK = -0.9686  # log density of that t at 0
_MEDIAN = 0.528  # median of the square of that t
_FIRST = 6.8  # variance for each letter: Gale and Church (1993, section 3.3)
_USUAL, _LEAST = 2.0, 1.0  # variance for each letter once texts are aligned, and the least
_BELIEF = 20.0  # beads that the usual variance is worth
_LONG = 50.0  # medians: a longer sentence counts as so long in the ratio of lengths
_SLACK = 4.0  # letters squared: variance of any sentence, however short


class LengthModel(NamedTuple):
    """How long translations are.

    Attributes
    ----------
    ratio : float
        Target length for a source length of 1.
    variance : float
        The square of the scale of the difference, for a length of 1, in the unit between.
    means, spreads : (float, float)
        Of the logarithms of the lengths of source, and of target sentences.
    poisson : bool
        Whether the total is Poisson; else Student's t.
    unit : float
        The unit of lengths, in letters: 1, or those of a word.

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
        """Make a model of the lengths of all sentences, before any are aligned."""
        ratio = float(_usual(tgt) / _usual(src)) if src.size and tgt.size else 1.0
        logs = [np.log(np.maximum(side, 1.0)) if side.size else np.zeros(1) for side in (src, tgt)]
        means = float(logs[0].mean()), float(logs[1].mean())
        spreads = max(float(logs[0].std()), 0.3), max(float(logs[1].std()), 0.3)
        return cls(ratio, _FIRST / unit, means, spreads, poisson, unit)

    def learned(self, src: NDArray[np.float64], tgt: NDArray[np.float64]) -> LengthModel:
        """Return the model with the ratio and variance of beads, of total lengths `src`, `tgt`."""
        if not src.size:
            return self
        before = 1e-3 * math.sqrt(self.ratio), 1e-3 / math.sqrt(self.ratio)
        ratio = float((tgt.sum() + before[0]) / (src.sum() + before[1]))
        src, tgt = src * math.sqrt(ratio), tgt / math.sqrt(ratio)
        squares = (tgt - src) ** 2 / ((src + tgt) / 2)
        seen = float(np.median(squares)) / _MEDIAN
        usual = min(self.variance, _USUAL / self.unit)
        variance = (len(src) * seen + _BELIEF * usual) / (len(src) + _BELIEF)
        return self._replace(ratio=ratio, variance=max(variance, _LEAST / self.unit))


def _usual(lengths: NDArray[np.float64]) -> float:
    """Return the sum of lengths; none counts for more than 50 times the median."""
    return float(np.minimum(lengths, _LONG * float(np.median(lengths))).sum())


class LengthEvidence:
    """The evidence of lengths for all beads of two texts.

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
        """Return the score of each bead that ends at each point of rows `first` <= i < `last`.

        Returns
        -------
        array of float32, shape (beads, last - first, width)
            Natural logarithms; those of beads that begin before the table mean nothing.

        """
        out = np.zeros((len(self.beads), last - first, band.width), dtype=np.float32)
        both = [k for k, (a, b) in enumerate(self.beads) if a and b]
        if not both:
            return out
        columns, row = BandColumns.of(first, last, band), np.arange(first, last)
        a, b = np.array([self.beads[k] for k in both]).T[..., None]
        source, rest = self._side(0, row, a)
        numbers, which = np.unique(b, return_inverse=True)
        targets = columns.by_rows(np.stack(self._side(1, columns.column, numbers[:, None])))
        found = self._beside(source[..., None], targets[0, which.ravel()])
        more = targets[1, which.ravel()]
        more += rest[..., None]
        found += more
        out[both] = found
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
        """Sum the lengths of the sentences of one side, and half of its own terms.

        These are the chances of the division among the sentences, and of the sentences themselves.
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
        """Return the logarithm of the chance of a total length, given that of the other side."""
        result: NDArray[np.float32]
        if self.model.poisson:
            # The mean of both directions: of the powers and exponentials only factorials are left.
            cross = (target - source) * (np.log(source) - np.log(target)) / 2
            result = cross - np.log(source * target) / 4
            result -= np.float32(math.log(2 * math.pi) / 2)
            result -= 1 / (24 * source + 2) + 1 / (24 * target + 2)
            return result
        # In place: there are as many numbers as points of the band, and of kinds of beads. With
        # v for the variance, d for the difference and r for 1 + d^2 / 5v, the chance is in
        # proportion to 1 / (v^(1/2) r^3): one logarithm, as these take longest.
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
    """Return the sums of the first 0, 1, ... values."""
    return np.concatenate([[0.0], np.cumsum(values)])


def _alone(lengths: NDArray[np.float64], mean: float, spread: float) -> NDArray[np.float64]:
    """Return the logarithm of the chance of each length by itself."""
    at = (np.log(lengths) - mean) / spread
    result: NDArray[np.float64] = -np.log(lengths * spread * math.sqrt(2 * math.pi)) - at * at / 2
    return result
