"""What is known of where the path of two texts runs, before any evidence of single beads."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bitext.align.sentences.anchors import anchors_along, anchors_of, with_more_between
from bitext.align.sentences.corridors import Corridor
from bitext.align.sentences.delimiters import points_of
from bitext.align.sentences.omissions import Omissions, omissions_of
from bitext.align.sentences.passages import USUAL, Expected
from bitext.align.sentences.running_numbers import Unnumbered
from bitext.align.sentences.sentence_bands import model_by_lengths, way_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bitext.align.sentences.anchors import Anchors
    from bitext.align.sentences.delimiters import Delimiters
    from bitext.align.sentences.length_evidence import LengthModel
    from bitext.align.sentences.outlines import OutlineModel
    from bitext.align.sentences.sentence_marks import SentenceMarks
    from bitext.align.sentences.sentence_pair import SentencePair
    from bitext.align.sentences.word_links import WordPairs
    from bitext.kernels.bead_path import Band, BeadPath

__all__ = ["SMALL", "SearchSpace", "apart_of", "space_of"]

_BARE = 100  # sentences between two anchors that leave it open where the path runs
_UNEQUAL = 8.0  # times as long on one side as on the other such a way counts, at most
_PAGE = 20.0  # times as likely as what is sure is it that the number of a page stands alone
_SPARSE = 0.1  # anchors for each sentence, of which fewer may be there by accident
_LITTLE = 1 << 12  # points of a table that are all looked at again when a path is known
SMALL = 1 << 15  # points of a table that are always all looked at, and have no omissions


class SearchSpace(NamedTuple):
    """Where a path may run, and what that says of beads.

    Attributes
    ----------
    corridor : Corridor
    omissions : Omissions or None
        What is left out, as anchors show it, and numbers of pages.
    delimiters : Delimiters or None
    bare : int
        The most source sentences, or what as many are worth, between two anchors; 0 where all of
        the table is looked at.
    passages : Omissions or None
        What is left out, as a search for passages shows it.
    model : OutlineModel or None
        How lengths and marks go together; None where it was not looked for, or is as usual.
    asked : bool
        Whether it was looked for in all of the table.
    tied : int
        The anchors that words made.
    expected : Expected
        What passages are like.
    searched : bool
        Whether a path was looked for in all of it with words that were learned.

    """

    corridor: Corridor
    omissions: Omissions | None
    delimiters: Delimiters | None
    bare: int = 0
    passages: Omissions | None = None
    model: OutlineModel | None = None
    asked: bool = False
    tied: int = 0
    expected: Expected = USUAL
    searched: bool = False

    @property
    def unsure(self) -> bool:
        """Whether anchors are so far from each other that the path may have been missed."""
        return self.bare > _BARE

    @property
    def hangs_on_few(self) -> bool:
        """Whether words made anchors, but so few that these may all be there by accident."""
        return 0 < self.tied < _SPARSE * min(self.corridor.rows, self.corridor.columns)

    @property
    def left_out(self) -> Omissions | None:
        """All that is known to be left out."""
        if self.omissions is None or self.passages is None:
            return self.omissions or self.passages
        return self.omissions.joined(self.passages)

    def with_model(
        self, pair: SentencePair, marks: tuple[SentenceMarks, SentenceMarks] | None
    ) -> SearchSpace:
        """Return it with the model that lengths and marks show, if its ratio is another one."""
        return self._replace(model=model_by_lengths(pair, marks), asked=True)

    def lengths(
        self, lengths: LengthModel, src: NDArray[np.float64], tgt: NDArray[np.float64]
    ) -> LengthModel:
        """Return how lengths go together before any are learned.

        Where a passage is left out, the ratio is not that of both texts, whose sentences have the
        lengths `src` and `tgt`, in letters or words.
        """
        if self.model is None:
            return lengths
        return lengths._replace(ratio=lengths.first(src, tgt).ratio * self.model.scale)

    def around(self, row: NDArray[np.int64], column: NDArray[np.int64], *, reach: int) -> Corridor:
        """Return what is near a path that was found before, or all where that is little."""
        rows, columns = self.corridor.rows, self.corridor.columns
        if (rows + 1) * (columns + 1) <= _LITTLE:
            return self.corridor
        near = Corridor.around(row, column, rows=rows, columns=columns, margin=reach)
        return near if self.delimiters is None else self.delimiters.narrowed(near)

    def block(
        self,
        beads: Sequence[tuple[int, int]],
        chance: NDArray[np.float64],
        first: int,
        last: int,
        band: Band,
    ) -> NDArray[np.float32] | float:
        """Return what is to be added to the scores of beads in some rows of a band.

        Parameters
        ----------
        beads : sequence of (int, int)
        chance : array of float64, shape (beads,)
            How frequent each is.
        first, last : int
            Rows of the table, half-open.
        band : Band

        Returns
        -------
        array of float32, shape (beads, last - first, width), or 0
            Natural logarithms.

        """
        total: NDArray[np.float32] | float = 0.0
        left_out = self.left_out
        if left_out is not None:
            total = left_out.block(beads, chance, first, last, band)
        if self.delimiters is not None:
            total = total + self.delimiters.block(beads, first, last, band)
        return total


def space_of(
    pair: SentencePair,
    lexicons: Sequence[WordPairs] = (),
    *,
    path: BeadPath | None = None,
    marks: tuple[SentenceMarks, SentenceMarks] | None = None,
    before: SearchSpace | None = None,
) -> SearchSpace:
    """Return where the path of two texts is to be looked for.

    Parameters
    ----------
    pair : SentencePair
    lexicons : sequence of WordPairs
        Words that are linked: anchors come from them.
    path : BeadPath, optional
        What was found of the path before, with beads of kind -1 where it was not sought: more
        anchors are looked for between those that are far from each other, or, where there are
        none, between the stretches of this path.
    marks : pair of SentenceMarks, optional
        Those of both sides.
    before : SearchSpace, optional
        What was known before: it stays so where there are no anchors.

    Examples
    --------
    >>> from bitext.align.sentences.sentence_pair import SentencePair
    >>> from bitext.model import Text
    >>> space = space_of(SentencePair(Text(["One.", "Two."]), Text(["Un.", "Deux."])))
    >>> space.corridor.cells, space.omissions, space.delimiters
    (9, None, None)

    """
    rows, columns = len(pair.src), len(pair.tgt)
    small = (rows + 1) * (columns + 1) <= SMALL
    parted = all(side.text.paragraphs is not None for side in (pair.src, pair.tgt))
    anchors = None if small and not parted else anchors_of(pair, lexicons)
    tied = 0 if anchors is None else len(anchors.row)
    if anchors is not None and path is not None:
        known = anchors if len(anchors.row) else anchors_along(path, anchors.tilt)
        more = with_more_between(known, pair, lexicons)
        anchors = anchors if more is known else more
    points = points_of(pair, anchors) if parted else None
    if small or anchors is None:
        corridor, omissions, model, bare = Corridor.whole(rows, columns), None, None, 0
        asked = False
    else:
        model = None if before is None else before.model
        # Without anchors what was found with a model stays, and nothing else would be found anew.
        if before is not None and not len(anchors.row) and (model is not None or not before.tied):
            return before
        corridor, found, model, asked = way_of(pair, anchors=anchors, marks=marks, model=model)
        anchors = found or anchors
        omissions = omissions_of(anchors, rows=rows, columns=columns)
        bare = _bare(anchors, rows, columns)
    corridor = corridor if points is None else points.narrowed(corridor)
    apart = apart_of(pair)
    if apart is not None:
        omissions = apart if omissions is None else apart.joined(omissions)
    return SearchSpace(corridor, omissions, points, bare, model=model, asked=asked, tied=tied)


def apart_of(pair: SentencePair) -> Omissions | None:
    """Return which sentences are numbers of pages that each text has of its own, if there are."""
    sides = [np.zeros(len(pair.src)), np.zeros(len(pair.tgt))]
    for one, apart in zip((pair.src, pair.tgt), sides, strict=True):
        if isinstance(one.seen, Unnumbered):
            apart[one.seen.apart()] = _PAGE
    return Omissions(sides[0], sides[1]) if any(side.any() for side in sides) else None


def _bare(anchors: Anchors, rows: int, columns: int) -> int:
    """Return the length of the longest way without an anchor, in source sentences.

    Where there is hardly anything on one side it is known where the path runs.
    """
    down = np.diff(np.concatenate([[0], anchors.row, [rows]]))
    across = np.diff(np.concatenate([[0], anchors.column, [columns]])) / anchors.tilt
    most = np.minimum(np.maximum(down, across), _UNEQUAL * np.minimum(down, across))
    return int(most.max())
