"""What the marks at the ends of sentences say of beads.

A question is translated by a question, and speech by speech: so both sides of a bead begin alike
and end alike. What stands between two sentences of a bead is another thing: there commas, colons
and no marks at all are usual, and beginnings in small letters. The score of a bead is the logarithm
of how much likelier its marks are together than by themselves:

    0.7 * sum over ends, closes, begins of log P(x, y) / (P(x) P(y))
        + sum over cuts between its sentences of log P(cut | inside) / P(cut)

where x and y are those of its source and its target side. A pair of marks is at first held to be
alike with a chance of 0.5, and by chance otherwise; then the beads of the texts count, with this
worth 30 beads more. What one mark says is bounded: a rare one that was met once is no proof.

Nor are many in a row many proofs: where a list has full stops behind its abbreviations and its
translation has none, or small letters where that has capitals, this was chosen once for the list.
So where sentences of both sides are in runs with the same mark, all the beads of the shorter
run together say about what five say.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bitext.align.sentences.band_columns import BandColumns, within
from bitext.align.sentences.sentence_marks import SORTS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bitext.align.sentences.sentence_marks import SentenceMarks
    from bitext.align.sentences.words_together import BeadPoints
    from bitext.kernels.bead_path import Band

__all__ = ["MarkEvidence", "MarkModel"]

_Both = tuple["SentenceMarks", "SentenceMarks"]  # of the source, of the target

_PAIRED = ("ends", "closes", "begins")
_ALIKE = 0.5  # of the marks of beads are alike because they are translations, before any are known
_BELIEF = 30.0  # beads that what is held at first is worth
_PAIRS = 0.7  # what pairs of marks count for: ends, closes and words depend on each other
_RUN = 5.0  # sentences in a row with the same mark that count in full; of more, all for so many
_HALVED = 2  # steps in which the lengths of longer runs double, and what each bead says is halved
_LENGTHS = 10  # such steps: runs of more than 110 are as those of 110
_MOST = 3.0  # that a pair of marks, or what is inside a bead, says for or against it
_LONGEST = 9  # sentences on a side of a bead: what was not aligned stands as one of more
_SEEN = 0.1  # that each mark counts more than it was seen


class MarkModel(NamedTuple):
    """How marks go together, as natural logarithms.

    Attributes
    ----------
    paired : dict of str to array of float32, shape (sorts, sorts)
        Of `ends`, `closes` and `begins` of source and target.
    inside : pair of arrays of float64, shape (sorts,)
        Of what stands between two sentences of a bead, in the source and in the target.
    alone : dict of str to pair of arrays of float64
        The share of the sentences with each sort, in the source and in the target.

    """

    paired: dict[str, NDArray[np.float32]]
    inside: tuple[NDArray[np.float64], NDArray[np.float64]]
    alone: dict[str, tuple[NDArray[np.float64], NDArray[np.float64]]]

    @classmethod
    def first(cls, marks: Sequence[_Both]) -> MarkModel:
        """Make a model of the marks of texts, before any are aligned."""
        alone = {}
        for name, sorts in SORTS.items():
            counts = np.full((2, sorts), _SEEN)
            for both in marks:
                for side, own in enumerate(both):
                    counts[side] += np.bincount(getattr(own, name), minlength=sorts)
            src, tgt = counts / counts.sum(axis=1, keepdims=True)
            alone[name] = src, tgt
        return cls({}, (np.zeros(0), np.zeros(0)), alone).learned([], [])

    def learned(self, marks: Sequence[_Both], points: Sequence[BeadPoints]) -> MarkModel:
        """Return the model after the beads of some texts.

        Parameters
        ----------
        marks : sequence of pairs of SentenceMarks
        points : sequence of BeadPoints
            The beads of each text pair.

        """
        met = {name: np.zeros((SORTS[name], SORTS[name])) for name in _PAIRED}
        inner = np.zeros((2, SORTS["cuts"]))
        for both, ends in zip(marks, points, strict=True):
            row, column = np.append(0, ends.row), np.append(0, ends.column)
            least, most = (pick(np.diff(row), np.diff(column)) for pick in (np.minimum, np.maximum))
            full = np.flatnonzero((least > 0) & (most <= _LONGEST))
            for name in _PAIRED:
                places = [
                    side[full] if name == "begins" else side[full + 1] - 1 for side in (row, column)
                ]
                sorts = [getattr(own, name)[at] for own, at in zip(both, places, strict=True)]
                np.add.at(met[name], (sorts[0], sorts[1]), 1.0)
            for side, end in enumerate((row, column)):
                sizes = np.diff(end)[full]
                last = np.repeat(end[full + 1] - 1, sizes)
                at = np.repeat(end[full] - np.cumsum(sizes) + sizes, sizes) + np.arange(sizes.sum())
                inner[side] += np.bincount(both[side].cuts[at[at < last]], minlength=SORTS["cuts"])
        inside = tuple(
            _bounded((counts + _BELIEF * alone) / (counts.sum() + _BELIEF) / alone)
            for counts, alone in zip(inner, self.alone["cuts"], strict=True)
        )
        paired = {name: _together(met[name], *self.alone[name]) for name in _PAIRED}
        return self._replace(paired=paired, inside=(inside[0], inside[1]))


def _together(
    met: NDArray[np.float64], src: NDArray[np.float64], tgt: NDArray[np.float64]
) -> NDArray[np.float32]:
    """Return how much likelier marks are in a bead together than by themselves."""
    alike = np.sqrt(src * tgt)
    by_chance = np.outer(src, tgt)
    usual = (1 - _ALIKE) * by_chance + _ALIKE * np.diag(alike / alike.sum())
    chance = (met + _BELIEF * usual) / (met.sum() + _BELIEF)
    return _bounded(chance / by_chance).astype(np.float32)


def _bounded(ratio: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the logarithm of a ratio, within bounds."""
    result: NDArray[np.float64] = np.clip(np.log(ratio), -_MOST, _MOST)
    return result


class MarkEvidence:
    """The evidence of marks for all beads of two texts.

    Parameters
    ----------
    beads : sequence of (int, int)
    marks : pair of SentenceMarks
        Of the source and of the target.
    model : MarkModel
    weight : float
        What the score is multiplied with.

    """

    def __init__(
        self,
        beads: Sequence[tuple[int, int]],
        marks: _Both,
        model: MarkModel,
        *,
        weight: float = 1.0,
    ) -> None:
        self.beads, self.weight, self._marks = list(beads), weight, marks
        self._keys = {name: [_keys(getattr(own, name)) for own in marks] for name in _PAIRED}
        self._said = {name: _in_runs(model.paired[name]).ravel() for name in _PAIRED}
        self._inside = [
            np.append(0.0, np.cumsum(inside[own.cuts])).astype(np.float64)
            for own, inside in zip(marks, model.inside, strict=True)
        ]

    def block(self, first: int, last: int, band: Band) -> NDArray[np.float32]:
        """Return the score of each bead that ends at each point of rows `first` <= i < `last`.

        Returns
        -------
        array of float32, shape (beads, last - first, width)
            Natural logarithms; 0 of beads with an empty side; those of beads that begin before
            the table mean nothing.

        """
        out = np.zeros((len(self.beads), last - first, band.width), dtype=np.float32)
        src, tgt = self._marks
        both = [k for k, (a, b) in enumerate(self.beads) if a and b]
        if not (len(src.ends) and len(tgt.ends) and both):
            return out
        columns, row = BandColumns.of(first, last, band), np.arange(first, last)
        a, b = np.array([self.beads[k] for k in both]).T[..., None]
        ended = self._paired("ends", row - 1, columns.column - 1, columns)
        ended += self._paired("closes", row - 1, columns.column - 1, columns)
        found = self._paired("begins", row - a, columns.column - b, columns)
        found += ended
        found *= np.float32(_PAIRS)
        inside = columns.by_rows(self._within(1, columns.column, b))
        inside += self._within(0, row, a)[..., None]
        found += inside
        found *= np.float32(self.weight)
        out[both] = found
        return out

    def _paired(
        self,
        name: str,
        row: NDArray[np.int64],
        column: NDArray[np.int64],
        columns: BandColumns,
    ) -> NDArray[np.float32]:
        """Return what the marks of sentences in rows and columns say of each other.

        Parameters
        ----------
        name : str
        row : array of int64, shape (..., rows)
        column : array of int64, shape (..., columns)
        columns : BandColumns

        Returns
        -------
        array of float32, shape (..., rows, width)

        """
        src, tgt = self._keys[name]
        down = src[within(row, 0, len(src) - 1)].astype(np.int64) * (SORTS[name] * _LENGTHS)
        across = tgt[within(column, 0, len(tgt) - 1)].astype(np.int64)
        met = columns.by_rows(across)
        met += down[..., None]
        result: NDArray[np.float32] = self._said[name].take(met)
        return result

    def _within(
        self, side: int, end: NDArray[np.int64], number: NDArray[np.int64]
    ) -> NDArray[np.float32]:
        """Return what stands between so many sentences says of their being one bead."""
        sums = self._inside[side]
        size = len(sums) - 1
        between = sums[within(end - 1, 0, size)] - sums[within(end - number, 0, size)]
        result: NDArray[np.float32] = between.astype(np.float32)
        return result


def _keys(sorts: NDArray[np.int8]) -> NDArray[np.int16]:
    """Return for each sentence its mark and how long the run is that it is in, as one number."""
    borders = np.flatnonzero(np.diff(sorts)) + 1
    sizes = np.diff(borders, prepend=0, append=len(sorts))
    steps = np.rint(_HALVED * np.log2(np.maximum(sizes / _RUN, 1.0)))
    steps = np.minimum(steps, _LENGTHS - 1).astype(np.int16)
    keys: NDArray[np.int16] = sorts * np.int16(_LENGTHS) + np.repeat(steps, sizes)
    return keys


def _in_runs(paired: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return what pairs of marks say by the numbers of `_keys`: the shorter run counts."""
    step = np.arange(_LENGTHS)
    weight = 2.0 ** (-np.minimum(step[:, None], step) / _HALVED)
    size = len(paired) * _LENGTHS
    both = paired[:, None, :, None] * weight[:, None, :].astype(np.float32)
    return both.reshape(size, size)
