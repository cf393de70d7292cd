"""What can be seen of two texts without their words: how long sentences are, and their marks.

Where two texts share no words that are equal or alike, this is all there is at first. It says
little of one bead, but much of a hundred in a row.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bitext.align.sentences.bead_types import cut_finely
from bitext.align.sentences.length_evidence import LengthEvidence, LengthModel
from bitext.align.sentences.mark_evidence import MarkEvidence, MarkModel
from bitext.align.sentences.sentence_marks import SentenceMarks
from bitext.align.sentences.text_sizes import FINELY
from bitext.align.sentences.words_together import BeadPoints
from bitext.kernels.bead_path import Band
from bitext.kernels.passage_path import Passages

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bitext.kernels.bead_path import BeadPath, Scores

__all__ = ["IN_PASSAGE", "UNIT", "Outline", "OutlineModel"]

_FEW = ((1, 1), (1, 0), (0, 1), (2, 1), (1, 2))  # beads where both texts are cut alike
_MORE = tuple((1, k) for k in range(3, FINELY + 1))  # and where the target is cut more finely
_ALONE = 0.05  # the chance of a sentence without a translation, a side, outside of passages
_TWO = 0.06  # and of two sentences for one, on either side
_FINER = 1.1  # sentences for one, at least, where a text is held to be cut more finely
IN_PASSAGE = 0.7  # the chance of a sentence of the source, or of the target, in a passage
_OPENING = -10.0  # what it costs to begin one, as a natural logarithm
_LOWEST = -1e5  # of a score, as a natural logarithm
UNIT = 1024.0  # what a natural logarithm of 1 is in scores


class Outline(NamedTuple):
    """Two texts without their words.

    Attributes
    ----------
    src, tgt : array of float64, shape (sentences,)
        The length of each sentence, above 0.
    marks : pair of SentenceMarks, or None
        Of both sides.

    """

    src: NDArray[np.float64]
    tgt: NDArray[np.float64]
    marks: tuple[SentenceMarks, SentenceMarks] | None = None

    @property
    def many(self) -> float:
        """The target sentences for one of the source; all of them where it has none."""
        return len(self.tgt) / max(len(self.src), 1)

    def part(self, rows: slice, columns: slice) -> Outline:
        """Return some sentences of both sides."""
        marks = None
        if self.marks is not None:
            src, tgt = self.marks
            marks = (
                SentenceMarks(*(own[rows] for own in src)),
                SentenceMarks(*(own[columns] for own in tgt)),
            )
        return Outline(self.src[rows], self.tgt[columns], marks)


class OutlineModel(NamedTuple):
    """How lengths and marks of translations go together.

    Attributes
    ----------
    lengths : LengthModel
    marks : MarkModel or None
    usual : float
        The ratio of the lengths of both texts.
    beads : tuple of (int, int)
        Of which paths are made.
    chance : tuple of float
        How frequent each is outside of passages.
    many : float
        Target sentences for one of the source, where one text is cut more finely than the other;
        1 where they are cut alike.

    """

    lengths: LengthModel
    marks: MarkModel | None
    usual: float
    beads: tuple[tuple[int, int], ...] = _FEW
    chance: tuple[float, ...] = (1.0 - 2 * _ALONE - 2 * _TWO, _ALONE, _ALONE, _TWO, _TWO)
    many: float = 1.0

    @classmethod
    def first(cls, outline: Outline) -> OutlineModel:
        """Make a model of two texts before they are aligned."""
        lengths = LengthModel.first(outline.src, outline.tgt)
        marks = None if outline.marks is None else MarkModel.first([outline.marks])
        return cls(lengths, marks, lengths.ratio)

    def finer(self, many: float) -> OutlineModel:
        """Return the model of texts of which one is cut more finely than the other.

        Parameters
        ----------
        many : float
            Target sentences for one of the source; above 0, and not 1.

        Examples
        --------
        >>> model = OutlineModel.first(Outline(np.array([80.0, 90.0]), np.array([40.0] * 4)))
        >>> finer = model.finer(2.0)
        >>> finer.beads[3:7], np.round(finer.chance[3:7], 2).tolist()
        (((2, 1), (1, 2), (1, 3), (1, 4)), [0.01, 0.33, 0.16, 0.05])

        """
        more = _MORE if many > 1 else tuple((b, a) for a, b in _MORE)
        beads = (*_FEW, *more)
        alike = np.array([0.0, _ALONE, _ALONE, _TWO, _TWO, *[0.0] * len(more)])
        chance = cut_finely(beads, alike, many)
        return self._replace(beads=beads, chance=tuple(chance.tolist()), many=many)

    @property
    def is_finer(self) -> bool:
        """Whether it is that of texts of which one is cut more finely."""
        return self.many != 1.0

    @property
    def passages(self) -> Passages:
        """What passages cost that a path leaves out."""
        down, across = (
            max(0, round(math.log(IN_PASSAGE / self.chance[self.beads.index(bead)]) * UNIT))
            for bead in ((1, 0), (0, 1))
        )
        return Passages(round(_OPENING * UNIT), (down, across))

    @property
    def scale(self) -> float:
        """How many times as great the ratio of lengths is as that of both texts."""
        return self.lengths.ratio / self.usual

    def key(self) -> tuple[object, ...]:
        """Return all that scores depend on, to tell whether two models give the same ones."""
        marks = None
        if self.marks is not None:
            paired = [array.tobytes() for array in self.marks.paired.values()]
            marks = (*paired, *(array.tobytes() for array in self.marks.inside))
        return self.lengths, self.beads, self.chance, marks

    def scaled(self, scale: float) -> OutlineModel:
        """Return the model with the ratio of the lengths so many times as great."""
        ratio = self.lengths.ratio * scale
        return self._replace(lengths=self.lengths._replace(ratio=ratio))

    def learned(self, outline: Outline, path: BeadPath) -> OutlineModel:
        """Return the model after the beads of a path through some or all of two texts.

        The ratio of the lengths is that of the median bead: those that are wrong do not count.
        Where one text is cut more finely, so many sentences of it are beside one as there are in
        beads that have both sides.
        """
        src, tgt = (
            np.diff(np.append(0.0, np.cumsum(side))[ends], prepend=0.0)
            for side, ends in ((outline.src, path.row), (outline.tgt, path.column))
        )
        full = np.flatnonzero((src > 0) & (tgt > 0))
        if not len(full):
            return self
        ratio = float(np.exp(np.median(np.log(tgt[full] / src[full]))))
        lengths = self.lengths.learned(src[full], tgt[full])._replace(ratio=ratio)
        marks = self.marks
        if marks is not None and outline.marks is not None:
            marks = marks.learned([outline.marks], [BeadPoints(path.row, path.column)])
        learned = self._replace(lengths=lengths, marks=marks)
        if not self.is_finer:
            return learned
        rows, columns = np.diff(path.row, prepend=0)[full], np.diff(path.column, prepend=0)[full]
        many = float(columns.sum() / rows.sum())
        return learned.finer(max(many, _FINER) if self.many > 1 else min(many, 1 / _FINER))

    def scores(self, outline: Outline, band: Band | None = None) -> Scores:
        """Return the scores of the beads of some or all of two texts, in all of a band.

        Without a band, in the whole table.
        """
        rows, columns = len(outline.src), len(outline.tgt)
        where = band or Band(np.zeros(rows + 1, dtype=np.int64), columns + 1, columns)
        prior = np.log(self.chance).astype(np.float32)[:, None, None]
        lengths = LengthEvidence(self.beads, outline.src, outline.tgt, self.lengths)
        marks = None
        if self.marks is not None and outline.marks is not None:
            marks = MarkEvidence(self.beads, outline.marks, self.marks)

        def scores(first: int, last: int) -> NDArray[np.int64]:
            total = lengths.block(first, last, where)
            total += prior
            if marks is not None:
                total += marks.block(first, last, where)
            np.maximum(total, _LOWEST, out=total)
            total *= UNIT
            return np.rint(total, out=total).astype(np.int64)

        return scores
