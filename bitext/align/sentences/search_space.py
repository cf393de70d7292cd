"""The part of the table of two texts in which their path is searched.

First comes the corridor, from anchors, placed stretches and lengths; then the search space, which
is the corridor with hard boundaries and omitted passages.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from bitext.align.sentences.cleaning import Unnumbered
from bitext.align.sentences.corridor import (
    Anchors,
    Corridor,
    anchors_between,
    anchors_of,
    anchors_of_samples,
)
from bitext.align.sentences.evidence import LengthModel
from bitext.align.sentences.evidence.punctuation import SentenceMarks
from bitext.align.sentences.hard_boundaries import HardBoundaries, hard_boundaries_of
from bitext.align.sentences.length_profile import (
    FIT,
    RATIOS,
    LengthProfile,
    ProfileModel,
    profile_corridor,
    profile_path,
)
from bitext.align.sentences.lexical.word_links import WordPairs
from bitext.align.sentences.omissions import USUAL, Expected, Omissions, omissions_of
from bitext.align.sentences.seed_stretches import narrowed, seed_anchors
from bitext.align.sentences.texts import SentencePair
from bitext.kernels.arrays import Floats, Ints, Singles
from bitext.kernels.bead_path import Band, BeadPath

# The corridor: the part of the table of two texts that is searched.
#
# The path passes through all anchors. Between two anchors it is near their diagonal if both sides
# have the usual ratio of sentences. If one side has more, the surplus may be omitted anywhere, so
# everything between the diagonals from both anchors is searched. The width grows with the number of
# sentences between the anchors, because a path drifts.
#
# If there are too few anchors, the corridor would be too wide. Then more anchors are computed from
# stretches of sentences, placed by lengths and marks, and the sentences between them are aligned
# first by lengths and marks alone; if even that is too much, blocks of sentences are aligned.

# Set by hand. Change of F1 if halved and if doubled, mean of five cases (alignment_constants.md):
# WHOLE -.089 and 0, with .78 and 1.18 times the time. The others move no bead: the texts there have
# small tables or enough anchors. With fewer anchors narrow corridors lose the path; wide ones cost
# time.
WHOLE = 1 << 18  # points of a table that is searched whole: 500 by 500 sentences
_SMALL_GAP = 32  # sentences between two anchors that are searched whole
_FEWEST_SENTENCES = 8  # sentences: a text with fewer has no path worth a search by lengths
_LEAST_COLUMNS = 6.0  # columns on both sides of the diagonal between two anchors
_DRIFT_COLUMNS = 1.5  # columns more for the square root of the sentences between them
# Columns more for each of them: omissions of both sides may be at different places
_SHARE_COLUMNS = 0.1
_COLUMNS_BESIDE = 5  # columns before one anchor and after the next
# Points of a table that is searched for the ratio of lengths: bounds time
_MOST_TRIED_POINTS = 1 << 22
# Natural logarithm: least difference of two ratios of lengths that counts
_LEAST_RATIO_DIFFERENCE = 0.2
# Points for each sentence, above which a corridor is narrowed by lengths: bounds time
_MANY_POINTS = 150


class InitialCorridor(NamedTuple):
    """The corridor in which the first path of two texts is searched."""

    # The whole table if it has at most 262,144 points, or one text fewer than 8 sentences.
    corridor: Corridor
    anchors: Anchors | None  # None if anchors were not needed.
    model: ProfileModel | None  # the model of lengths and marks, if anchors were too few
    # Whether the model was estimated over the whole table, as `profile_model` does.
    profiled: bool = False


def initial_corridor(
    pair: SentencePair,
    lexicons: Sequence[WordPairs] = (),
    *,
    anchors: Anchors | None = None,
    marks: tuple[SentenceMarks, SentenceMarks] | None = None,
    model: ProfileModel | None = None,
    whole: int = WHOLE,
) -> InitialCorridor:
    """Build the search space of two texts.

    Anchors are known, or come from `lexicons`: linked words, as `cognates` and `learn` return them.
    `marks` are the punctuation marks of both sides; without them no stretches are placed. `model`
    is that of lengths and marks, if it is known. A table of at most `whole` points is searched
    whole.
    """
    rows, columns = len(pair.src), len(pair.tgt)
    if (rows + 1) * (columns + 1) <= whole or min(rows, columns) < _FEWEST_SENTENCES:
        return InitialCorridor(Corridor.whole(rows, columns), anchors, None)
    known = anchors_of(pair, lexicons) if anchors is None else anchors
    corridor = corridor_between(known, rows=rows, columns=columns)
    # Between anchors that are far apart the diagonal is a guess.
    unsure = marks is not None and int(_points(known, rows, columns).max()) > whole
    if not unsure and not _is_wide(corridor, whole):
        return InitialCorridor(corridor, known, model)
    profile = LengthProfile(pair.src.letters, pair.tgt.letters, marks)
    # By lengths alone the place of a stretch is not certain enough.
    if marks is not None:
        known, model = seed_anchors(known, profile, model)
        corridor = corridor_between(known, rows=rows, columns=columns)
    first = model is None and not len(known.row) and not _excludes_other_ratios(pair, marks)
    profiled = False
    if not _is_wide(corridor, whole) and unsure:
        near, profiled = profile_corridor(known, profile, model=model, least=whole), first
        # A path that saves little is uncertain: then the whole table is searched, which is not too
        # large.
        if near is not None and near[1] is not None:
            corridor, model = _where_wide(known, near[0], corridor, whole), near[1]
    elif _is_wide(corridor, whole):
        near, profiled = profile_corridor(known, profile, model=model), first
        if near is None:
            corridor = narrowed(corridor, profile.src, profile.tgt)
        else:
            corridor, model = near[0], near[1] if marks is not None else None
    return InitialCorridor(corridor, known, model, profiled)


def _points(anchors: Anchors, rows: int, columns: int) -> Ints:
    """Return the points between each anchor and the next; 0 if a side has hardly any sentences."""
    down = np.diff(anchors.row, prepend=-1, append=rows)
    across = np.diff(anchors.column, prepend=-1, append=columns)
    return down * across * (np.minimum(down, across) > _SMALL_GAP)


def _where_wide(anchors: Anchors, near: Corridor, corridor: Corridor, whole: int) -> Corridor:
    """Return one corridor between distant anchors, and the other one elsewhere."""
    wide = _points(anchors, corridor.rows, corridor.columns) > whole
    every = np.searchsorted(anchors.row, np.arange(corridor.rows + 1), side="left")
    lo, hi = np.where(wide[every], near[:2], corridor[:2])
    return Corridor.between(lo, hi, corridor.columns)


def _is_wide(corridor: Corridor, whole: int) -> bool:
    """Judge whether a corridor has more points than a single search may have."""
    return corridor.cells > max(_MANY_POINTS * (corridor.rows + corridor.columns), whole)


def profile_model(
    pair: SentencePair, marks: tuple[SentenceMarks, SentenceMarks] | None
) -> ProfileModel | None:
    """Estimate a profile model, if the ratio of lengths differs from that of the whole texts.

    The model has another ratio, or one text cut more finely than the other. None if neither is the
    case, or nothing can be estimated: without marks, for texts of fewer than 8 sentences, and
    for tables of more than 4,194,304 points.
    """
    profile = LengthProfile(pair.src.letters, pair.tgt.letters, marks)
    if _excludes_other_ratios(pair, marks):
        return None
    first = ProfileModel.first(profile)
    length_path = profile_path(profile, first, ratios=RATIOS, sentence_ratio=profile.sentence_ratio)
    other = (
        abs(np.log(length_path.model.lengths.ratio / first.lengths.ratio)) > _LEAST_RATIO_DIFFERENCE
    )
    different = length_path.gain > FIT and (other or length_path.model.is_finer)
    return length_path.model if different else None


def _excludes_other_ratios(
    pair: SentencePair, marks: tuple[SentenceMarks, SentenceMarks] | None
) -> bool:
    """Check whether the marks or the size of the table rule out other ratios."""
    rows, columns = len(pair.src), len(pair.tgt)
    return (
        marks is None
        or (rows + 1) * (columns + 1) > _MOST_TRIED_POINTS
        or min(rows, columns) < _FEWEST_SENTENCES
    )


def corridor_between(anchors: Anchors, *, rows: int, columns: int) -> Corridor:
    """Build the corridor between anchors, wider between distant ones.

    Examples
    --------
    >>> from bitext.align.sentences.corridor import Anchors
    >>> anchors = Anchors(np.array([10, 90]), np.array([10, 90]), 1.0)
    >>> corridor = corridor_between(anchors, rows=100, columns=100)
    >>> corridor.lo[[11, 50, 91]].tolist(), corridor.hi[[11, 50, 91]].tolist()
    ([6, 22, 86], [39, 78, 100])

    """
    # An anchor is a sentence on each side; the path passes the corners before and after it.
    begin_row, begin = np.append(0, anchors.row + 1), np.append(0, anchors.column + 1)
    end_row, end = np.append(anchors.row, rows), np.append(anchors.column, columns)
    down, across = end_row - begin_row, end - begin
    more = across - anchors.tilt * down
    far = np.maximum(down * anchors.tilt, across)
    wide = _LEAST_COLUMNS + _DRIFT_COLUMNS * np.sqrt(far) + _SHARE_COLUMNS * far
    every = np.arange(rows + 1)
    stretch = np.maximum(np.searchsorted(begin_row, every, side="right") - 1, 0)
    middle = begin[stretch] + anchors.tilt * (every - begin_row[stretch])
    low = middle + np.minimum(more, 0.0)[stretch] - wide[stretch]
    high = middle + np.maximum(more, 0.0)[stretch] + wide[stretch]
    low = np.clip(low, begin[stretch] - _COLUMNS_BESIDE, end[stretch] + _COLUMNS_BESIDE)
    high = np.clip(high, begin[stretch] - _COLUMNS_BESIDE, end[stretch] + _COLUMNS_BESIDE)
    # The row in which the path passes from one stretch to the next belongs to both.
    joint = np.append(begin_row[1:] - 1, rows)
    low[joint] = np.minimum(low[joint], end - _COLUMNS_BESIDE)
    high[joint] = np.maximum(high[joint], end + _COLUMNS_BESIDE)
    return Corridor.between(np.floor(low), np.ceil(high), columns)


# Set by hand: halving or doubling each moves no bead (alignment_constants.md).
_BARE_SENTENCES = 100  # sentences between two anchors, above which the path is uncertain
_LARGEST_GAP_RATIO = 8.0  # factor: largest ratio of the two sides of such a gap that counts
# In place of a probability: a page number of one text is certainly left unaligned
_PAGE_WEIGHT = 20.0
_SPARSE_ANCHORS = 0.1  # anchors for each sentence: fewer may be an accident
# Points of a table that is searched whole in each round, as this costs no time
_WHOLE_POINTS = 1 << 12
SMALL = 1 << 15  # points of a table that needs no anchors: 180 by 180 sentences


class SearchSpace(NamedTuple):
    """The corridor of a path, with all additions to the scores of beads in it."""

    corridor: Corridor
    # Passages between anchors, and the page numbers that only one text has.
    omissions: Omissions | None
    hard_boundaries: HardBoundaries | None
    # The most source sentences between two anchors, or target sentences divided by the slope; 0 if
    # the whole table is searched.
    bare: int = 0
    passages: Omissions | None = None  # passages from the search for them
    # The model of lengths and marks; None if it was not estimated, or is the usual one.
    model: ProfileModel | None = None
    profiled: bool = False  # whether the model was estimated over the whole table
    tied: int = 0  # the anchors by words
    expected: Expected = USUAL  # the cost and the priors of passages
    # Whether a path was searched for in all of it with a learned lexicon.
    searched: bool = False

    @property
    def unsure(self) -> bool:
        """Whether anchors are so far apart that the path may have been missed."""
        return self.bare > _BARE_SENTENCES

    @property
    def hangs_on_few(self) -> bool:
        """Whether there are anchors by words, but so few that all may be accidental."""
        return 0 < self.tied < _SPARSE_ANCHORS * min(self.corridor.rows, self.corridor.columns)

    @property
    def left_out(self) -> Omissions | None:
        """All known omissions."""
        if self.omissions is None or self.passages is None:
            return self.omissions or self.passages
        return self.omissions.joined(self.passages)

    def with_model(
        self, pair: SentencePair, marks: tuple[SentenceMarks, SentenceMarks] | None
    ) -> SearchSpace:
        """Add the profile model of both texts, if its ratio differs from theirs."""
        return self._replace(model=profile_model(pair, marks), profiled=True)

    def lengths(self, lengths: LengthModel, src: Floats, tgt: Floats) -> LengthModel:
        """Correct the first length model by the ratio of the profile.

        With omitted passages the ratio differs from that of both texts, whose sentences have the
        lengths `src` and `tgt`, in letters or words.
        """
        if self.model is None:
            return lengths
        return lengths._replace(ratio=lengths.first(src, tgt).ratio * self.model.scale)

    def around(self, row: Ints, column: Ints, *, reach: int) -> Corridor:
        """Return the corridor near a known path, or the whole of a small table."""
        rows, columns = self.corridor.rows, self.corridor.columns
        if (rows + 1) * (columns + 1) <= _WHOLE_POINTS:
            return self.corridor
        near = Corridor.around(row, column, rows=rows, columns=columns, margin=reach)
        return near if self.hard_boundaries is None else self.hard_boundaries.narrowed(near)

    def block(
        self, beads: Sequence[tuple[int, int]], chance: Floats, first: int, last: int, band: Band
    ) -> Singles | float:
        """Return the logarithms that are added to the scores of beads in some rows of a band.

        `chance` is the prior of each bead. The result is 0, or natural logarithms for the half-open
        range of rows of the table, of shape (beads, last - first, width).
        """
        total: Singles | float = 0.0
        left_out = self.left_out
        if left_out is not None:
            total = left_out.block(beads, chance, first, last, band)
        if self.hard_boundaries is not None:
            total = total + self.hard_boundaries.block(beads, first, last, band)
        return total


def space_of(
    pair: SentencePair,
    lexicons: Sequence[WordPairs] = (),
    *,
    path: BeadPath | None = None,
    marks: tuple[SentenceMarks, SentenceMarks] | None = None,
    before: SearchSpace | None = None,
) -> SearchSpace:
    """Build the search space of two texts.

    Anchors come from `lexicons`, which are linked words. `path` is the earlier path, with beads of
    kind -1 where it was not searched: more anchors are sought between distant ones, or, without
    anchors, between the stretches of this path. `marks` are the punctuation marks of both sides.
    `before` is the earlier search space, which stays valid without anchors.

    Examples
    --------
    >>> from bitext.align.sentences.texts import SentencePair
    >>> from bitext.model import Text
    >>> space = space_of(SentencePair(Text(["One.", "Two."]), Text(["Un.", "Deux."])))
    >>> space.corridor.cells, space.omissions, space.hard_boundaries
    (9, None, None)

    """
    rows, columns = len(pair.src), len(pair.tgt)
    small = (rows + 1) * (columns + 1) <= SMALL
    parted = all(side.text.paragraphs is not None for side in (pair.src, pair.tgt))
    anchors = None if small and not parted else anchors_of(pair, lexicons)
    tied = 0 if anchors is None else len(anchors.row)
    if anchors is not None and path is not None:
        known = anchors if len(anchors.row) else anchors_of_samples(path, anchors.tilt)
        more = anchors_between(known, pair, lexicons)
        anchors = anchors if more is known else more
    points = hard_boundaries_of(pair, anchors) if parted else None
    if small or anchors is None:
        corridor, omissions, model, bare = Corridor.whole(rows, columns), None, None, 0
        profiled = False
    else:
        model = None if before is None else before.model
        # Without anchors a search with the same model would have the same result.
        if before is not None and not len(anchors.row) and (model is not None or not before.tied):
            return before
        corridor, space_anchors, model, profiled = initial_corridor(
            pair, anchors=anchors, marks=marks, model=model
        )
        anchors = space_anchors or anchors
        omissions = omissions_of(anchors, rows=rows, columns=columns)
        bare = _bare(anchors, rows, columns)
    corridor = corridor if points is None else points.narrowed(corridor)
    apart = apart_of(pair)
    if apart is not None:
        omissions = apart if omissions is None else apart.joined(omissions)
    return SearchSpace(corridor, omissions, points, bare, model=model, profiled=profiled, tied=tied)


def apart_of(pair: SentencePair) -> Omissions | None:
    """Find the page numbers that only one of the texts has, if there are any."""
    sides = [np.zeros(len(pair.src)), np.zeros(len(pair.tgt))]
    for one, apart in zip((pair.src, pair.tgt), sides, strict=True):
        if isinstance(one.seen, Unnumbered):
            apart[one.seen.apart()] = _PAGE_WEIGHT
    return Omissions(sides[0], sides[1]) if any(side.any() for side in sides) else None


def _bare(anchors: Anchors, rows: int, columns: int) -> int:
    """Return the length of the longest gap between two anchors, in source sentences.

    A gap with hardly any sentences on one side counts less, as the path there is certain.
    """
    down = np.diff(np.concatenate([[0], anchors.row, [rows]]))
    across = np.diff(np.concatenate([[0], anchors.column, [columns]])) / anchors.tilt
    most = np.minimum(np.maximum(down, across), _LARGEST_GAP_RATIO * np.minimum(down, across))
    return int(most.max())
