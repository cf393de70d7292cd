"""What the lengths of sentences say of beads, after Gale and Church (1993).

The score of a bead is the logarithm of how much likelier its target sentences are beside its
source sentences than by themselves:

    log P(lengths of its target sentences | total length of its source sentences)
        - sum over its target sentences of log P(length)

so that beads of all kinds can be compared, and those with an empty side have 0. By themselves
lengths are log-normal. Beside the source, the total is `ratio` times that of the source, give or
take: a Student t with 5 degrees of freedom, the square of its scale in proportion to the length
(Gale and Church: a normal); or Poisson, as in Moore (2002). Any division of it among the target
sentences is as good as another. Ratio and variance come from the texts.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bitext.kernels.bead_path import Band

__all__ = ["LengthEvidence", "LengthModel"]

_FREEDOM = 5.0  # degrees, of Student's t
_PEAK = -0.9686  # the logarithm of its density at 0, for those degrees
_MEDIAN = 0.528  # of its square, for those degrees
_FIRST = 6.8  # the variance a letter of Gale and Church (1993, section 3.3)
_USUAL, _LEAST = 2.0, 1.0  # the variance that is usual once texts are aligned, and the least one
_BELIEF = 20.0  # beads that the usual variance is worth
_LONG = 50.0  # medians of the lengths of a text, beyond which a sentence counts for no ratio
_SLACK = 4.0  # what the variance of any sentence has more, in letters


class LengthModel(NamedTuple):
    """How long translations are.

    Attributes
    ----------
    ratio : float
        Target length for a source length of 1.
    variance : float
        The square of the scale of the difference, for a length of 1.
    mean, spread : float
        Of the logarithms of the lengths of target sentences.
    poisson : bool
        Whether the total is Poisson; else Student's t.
    unit : float
        What lengths are counted in, in letters: 1, or those of a word.

    """

    ratio: float
    variance: float
    mean: float
    spread: float
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
        logs = np.log(np.maximum(tgt, 1.0)) if tgt.size else np.zeros(1)
        spread = max(float(logs.std()), 0.3)
        return cls(ratio, _FIRST / unit, float(logs.mean()), spread, poisson, unit)

    def learned(self, src: NDArray[np.float64], tgt: NDArray[np.float64]) -> LengthModel:
        """Return the model with the ratio and variance of beads, of total lengths `src`, `tgt`."""
        if not src.size:
            return self
        ratio = float((tgt.sum() + 1e-3 * self.ratio) / (src.sum() + 1e-3))
        squares = (tgt - src * ratio) ** 2 / ((src * ratio + tgt) / 2)
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
        self._src = np.concatenate([[0.0], np.cumsum(src)])
        self._tgt = np.concatenate([[0.0], np.cumsum(tgt)])
        at = (np.log(tgt) - model.mean) / model.spread
        alone = -np.log(tgt * model.spread * math.sqrt(2 * math.pi)) - at * at / 2
        self._alone = np.concatenate([[0.0], np.cumsum(alone)])

    def block(self, first: int, last: int, band: Band) -> NDArray[np.float32]:
        """Return the score of each bead that ends at each point of rows `first` <= i < `last`.

        Returns
        -------
        array of float32, shape (beads, last - first, width)
            Natural logarithms; those of beads that begin before the table mean nothing.

        """
        row = np.arange(first, last)
        column = band.lo[first:last, None] + np.arange(band.width)
        out = np.zeros((len(self.beads), *column.shape), dtype=np.float32)
        targets = {b: self._target(column, b) for _, b in self.beads if b}
        for k, (a, b) in enumerate(self.beads):
            if a and b:
                source = self._src[row] - self._src[np.maximum(row - a, 0)]
                out[k] = self._beside((source * self.model.ratio)[:, None], *targets[b])
        return out

    def of(self, row: int, column: int, kind: int) -> tuple[float, float]:
        """Return the total lengths of both sides of a bead that ends at a point."""
        a, b = self.beads[kind]
        return (
            float(self._src[row] - self._src[row - a]),
            float(self._tgt[column] - self._tgt[column - b]),
        )

    def _target(
        self, column: NDArray[np.int64], b: int
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return the total of b sentences, and what a bead gets that does not hang on the source.

        These are the chances of the division among the sentences, and of the sentences themselves.
        """
        size = len(self._tgt) - 1
        end, begin = np.clip(column, 0, size), np.clip(column - b, 0, size)
        total = np.maximum(self._tgt[end] - self._tgt[begin], 1e-3)
        rest = -(b - 1) * np.log(total) - (self._alone[end] - self._alone[begin])
        return total.astype(np.float32), rest.astype(np.float32)

    def _beside(
        self, expected: NDArray[np.float64], total: NDArray[np.float32], rest: NDArray[np.float32]
    ) -> NDArray[np.float32]:
        """Return the logarithm of the chance of a total length, plus the rest."""
        wanted = np.maximum(expected, 1e-3).astype(np.float32)
        result: NDArray[np.float32]
        if self.model.poisson:
            factorial = total * np.log(total) - total + np.log(2 * np.pi * total) / 2  # Stirling
            result = total * np.log(wanted) - wanted - factorial - 1 / (12 * total + 1) + rest
            return result
        variance = np.float32(self.model.variance / 2) * (wanted + total)
        variance += np.float32(_SLACK / self.model.unit**2)
        square = (total - wanted) ** 2 / (variance * np.float32(_FREEDOM))
        result = np.log1p(square)
        result *= np.float32(-(_FREEDOM + 1) / 2)
        result -= np.log(variance) / 2
        result += rest + np.float32(_PEAK)
        return result
