"""What the vectors of sentences say of beads.

The score of a bead of a source sentences and b target sentences is

    weight * (a + b) / 2 * (slope * scale * cosine + offset)

with the cosine of the vectors of both sides, neighbours joined, without the mean of their text: a
margin over random sentences (see `vectors`). `scale` brings cosines of joined neighbours to the
spread of those of single sentences (see `window_scales`). `slope` and `offset` turn it into the
logarithm of how much likelier such a cosine is between translations than between sentences at
random (see `log_odds`). The factor (a + b) / 2 makes beads of many sentences comparable with many
beads of few: each sentence has its half, and without it the evidence of a merged bead would be that
of one only. The weight is below 1, as what a vector says of a sentence is largely what its words
and its length say, too.

A bead with an empty side has 0, and so has one with a side of which nothing is known.

**Source**: M. Artetxe and H. Schwenk, Margin-based parallel corpus mining, ACL
2019; B. Thompson and P. Koehn, Vecalign, EMNLP 2019, equation 2, which multiplies
with the numbers of sentences. **Departures**: log-odds, so that they add to those of words and
lengths; the mean of the numbers, not their product.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bitext.align.sentences.log_odds import LogOdds, random_spread
from bitext.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from bitext.align.sentences.vectors import SentenceVectors
    from bitext.kernels.bead_path import Band

__all__ = ["EmbeddingEvidence"]

_WEIGHT = 0.5
_COLUMNS = 2048  # columns, and rows, whose vectors are held at a time
_GRID = np.float32(1 << 14)  # cosines are rounded to this, so that sums in another order agree


class EmbeddingEvidence:
    """The evidence of vectors for all beads of two texts.

    Parameters
    ----------
    beads : sequence of (int, int)
    src, tgt : SentenceVectors
    odds : LogOdds, optional
        Default: those to begin with, from random pairs of the two texts.
    weight : float
        What the log-odds are multiplied with.
    scales : mapping, optional
        Of beads what their cosines are multiplied with; default: 1.

    Raises
    ------
    InputError
        When the vectors of the two sides have not as many dimensions.

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
        _same_dimensions(src, tgt)
        self.beads = list(beads)
        self.odds = LogOdds.first(random_spread([(src, tgt)])) if odds is None else odds
        self.weight = weight
        self.scales = dict(scales or {})
        self._src, self._tgt = src, tgt

    def block(self, first: int, last: int, band: Band) -> NDArray[np.float32]:
        """Return the score of each bead that ends at each point of rows `first` <= i < `last`.

        The work is linear in the points times the dimensions, however the band runs.

        Returns
        -------
        array of float32, shape (beads, last - first, width)
            Natural logarithms; 0 for beads that begin before the table, or end behind it.

        """
        out = np.zeros((len(self.beads), last - first, band.width), dtype=np.float32)
        if not (self._src.dimensions and self._tgt.dimensions):
            return out  # a side without a sentence that has characters
        for begin, end in _parts(first, last, band, _COLUMNS):
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

    def _fill(self, out: NDArray[np.float32], begin: int, end: int, band: Band) -> None:
        """Fill in some rows; their vectors are made once, and multiplied in small parts."""
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
        self, source: NDArray[np.float32], target: NDArray[np.float32], bead: tuple[int, int]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return the cosines of all pairs, and the scores."""
        cosine = np.rint((source @ target.T) * _GRID) / _GRID
        factor = self.weight * (bead[0] + bead[1]) / 2
        score = cosine * np.float32(factor * self.odds.slope * self.scales.get(bead, 1.0))
        score += np.float32(factor * self.odds.offset)
        score[~source.any(axis=1)] = 0.0
        score[:, ~target.any(axis=1)] = 0.0
        return cosine, score


def _parts(first: int, last: int, band: Band, reach: int) -> Iterator[tuple[int, int]]:
    """Cut rows so that the columns of a part are at most `reach` more than those of one row."""
    begin = first
    while begin < last:
        near = band.lo[begin : min(last, begin + max(reach, 64))]
        end = begin + int(np.searchsorted(near, near[0] + reach, side="right"))
        yield begin, end
        begin = end


def _same_dimensions(src: SentenceVectors, tgt: SentenceVectors) -> None:
    if src.dimensions and tgt.dimensions and src.dimensions != tgt.dimensions:
        raise InputError(
            f"{src.name} has {src.dimensions} dimensions, {tgt.name} {tgt.dimensions}: want "
            f"vectors of one encoder on both sides"
        )
