"""Anchors from stretches of the source that are placed in the target by lengths and punctuation.

If two texts share no words, and one of them lacks a passage of thousands of sentences, the path
may be far from the diagonal nearly everywhere, and the table too large to be searched whole. But
the lengths of a hundred sentences in a row hardly occur a second time: a stretch of the source is
placed where it fits much better than anywhere else in the target. The first stretch is taken from
the middle of the texts, the next from the middle of each half, and so on. Each place bounds the
search for the next ones, so time is little more than linear in the sentences.

Lengths can be compared only once their ratio is known, and the ratio of the whole texts is wrong if
much is left out. If no stretch fits, other ratios are tried, first at both ends of the texts, where
the search is short for texts of any length. From there the path keeps its slope up to the next
omitted passage, so stretches are placed near that line first. If one text has many more sentences,
it may be cut more finely: other ratios are tried in any case, and the one that saves most is
chosen.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from bitext.align.sentences.bead_types import are_unequal
from bitext.align.sentences.corridor import Anchors, Corridor, best_chain, slope
from bitext.align.sentences.evidence import FREEDOM, UNIT
from bitext.align.sentences.length_profile import (
    IN_PASSAGE,
    LengthProfile,
    ProfileModel,
    free_places,
    gain,
    whole_path,
)
from bitext.align.sentences.search import best_along
from bitext.kernels.arrays import Floats, Ints, median
from bitext.kernels.bead_path import Band

# Alignment of blocks of sentences by their lengths, which narrows a corridor.
#
# Blocks of eight sentences have a table with 64 times fewer points. If this is still large, blocks
# of 64 sentences are aligned before. With lengths alone the path of the blocks is uncertain, so the
# corridor around it is several blocks wide.
#
# If a text repeats itself, the copies of a passage are equal, and the accidental edges of blocks
# would decide which copy the path takes. Therefore blocks far from the diagonal have a small cost,
# which decides between equal places and has hardly any effect elsewhere.

# Set by hand: halving or doubling each moves no bead of texts of 600 to 1,500 sentences
# (alignment_constants.md). Blocks are for corridors of longer texts.
_BLOCK_SIZE = 8  # sentences of a block, and blocks of a larger block
# Points of blocks, above which larger blocks are aligned before: bounds time
_MOST_BLOCK_POINTS = 4_000_000
_BLOCKS_AROUND = 10  # blocks on both sides of the path in later searches
_BEADS = ((1, 1), (1, 0), (0, 1), (2, 1), (1, 2))  # types of beads, in blocks
_CHANCES = np.log([0.9, 0.02, 0.02, 0.03, 0.03])  # priors of these
_LETTER_VARIANCE = 4.0  # letters: variance for each letter of a block
# Squared mean lengths of a sentence: variance because blocks do not end at corresponding sentences.
_BORDER = 0.5
_FREE_BLOCKS = 4.0  # blocks before and after the diagonal that have no cost
_FAR_COST = 0.04  # natural logarithm: cost of each block that is farther off


def narrowed(
    corridor: Corridor, src: Floats, tgt: Floats, *, most: int = _MOST_BLOCK_POINTS
) -> Corridor:
    """Narrow a corridor to the neighbourhood of the best path of blocks of sentences.

    `src` and `tgt` have the length of each sentence, above 0. If there are more than `most` points
    of blocks, blocks are made of these blocks first.
    """
    tilt = len(tgt) / len(src)
    down = max(2, round(_BLOCK_SIZE / max(1.0, tilt)))
    across = max(2, round(down * tilt))
    rows, columns = -(-len(src) // down), -(-len(tgt) // across)
    top = np.minimum(np.arange(rows + 1) * down, len(src))
    # A row of blocks covers the columns of the corridor in its rows of sentences.
    low = corridor.lo[np.maximum(top - down // 2, 0)] // across
    high = -(-corridor.hi[np.minimum(top + down // 2, len(src))] // across)
    coarse = Corridor.between(low, high, columns)
    heights = np.add.reduceat(src, top[:-1])
    widths = np.add.reduceat(tgt, np.arange(columns) * across)
    if coarse.cells > most and min(rows, columns) > 4 * _BLOCK_SIZE:
        coarse = narrowed(coarse, heights, widths, most=most)
    usual = float(tgt.mean()) ** 2 * _BORDER * max(across / _BLOCK_SIZE, 1.0)
    path = best_along(_BEADS, _Lengths(heights, widths, usual).scores, coarse)
    row = np.minimum(path.row * down, len(src))
    column = np.minimum(path.column * across, len(tgt))
    near = Corridor.around(
        row, column, rows=len(src), columns=len(tgt), margin=_BLOCKS_AROUND * max(down, across)
    )
    # If the path of blocks contradicts the anchors, the corridor between the anchors stays.
    low, high = np.maximum(near.lo, corridor.lo), np.minimum(near.hi, corridor.hi)
    apart = low > high
    low[apart], high[apart] = corridor.lo[apart], corridor.hi[apart]
    return Corridor.between(low, high, len(tgt))


class _Lengths:
    """Scores of beads of blocks by their lengths."""

    def __init__(self, src: Floats, tgt: Floats, border: float) -> None:
        self.ratio = float(tgt.sum() / src.sum())
        self.slope = len(tgt) / len(src)
        self.border = border
        self.src = np.concatenate([[0.0], np.cumsum(src * self.ratio)])
        self.tgt = np.concatenate([[0.0], np.cumsum(tgt)])
        self.mean, self.spread = float(tgt.mean()), max(float(tgt.var()), 1.0)

    def scores(self, first: int, last: int, band: Band) -> Ints:
        """Score the beads that end in some rows of a band."""
        row = np.arange(first, last)
        column = band.lo[first:last, None] + np.arange(band.width)
        ends = np.clip(column, 0, len(self.tgt) - 1)
        out = np.empty((len(_BEADS), *column.shape))
        far = np.abs(column - self.slope * row[:, None]) > _FREE_BLOCKS * max(self.slope, 1.0)
        for k, (a, b) in enumerate(_BEADS):
            out[k] = _CHANCES[k] - _FAR_COST * (a + b) / 2 * far
            if a and b:
                src_length = (self.src[row] - self.src[np.maximum(row - a, 0)])[:, None]
                tgt_length = self.tgt[ends] - self.tgt[np.clip(column - b, 0, len(self.tgt) - 1)]
                beside = _LETTER_VARIANCE * (src_length + tgt_length) / 2 + self.border
                alone = self.spread * b + 1.0
                out[k] += _fit(tgt_length - src_length, beside) - _fit(
                    tgt_length - b * self.mean, alone
                )
        return np.rint(out * UNIT).astype(np.int64)


def _fit(apart: Floats, variance: Floats | float) -> Floats:
    """Return the log density of Student's t, without its constant."""
    return -(FREEDOM + 1) / 2 * np.log1p(apart**2 / variance / FREEDOM) - 0.5 * np.log(variance)


# Set by hand: halving or doubling each moves no bead of texts of 600 to 1,500 sentences
# (alignment_constants.md), for which the whole table is also searched. Thresholds matter for texts
# that repeat themselves, or if one omits most of the other.
_STRETCH_SENTENCES = 192  # sentences of a stretch: enough for lengths to fit in one place only
_SENTENCES_BETWEEN = 512  # sentences between two stretches: bounds time
_SMALL_POINTS = 1 << 18  # points between two anchors that later searches search whole
_LEAST_LEAD = 20.0  # natural logarithm: least lead of a place over any other
_LEAST_GAIN = 0.5  # gain: least gain of a stretch that has a translation
# Least lead over other places, as a share of the lead over the median column
_LEAST_LEAD_SHARE = 0.3
# Reach of a search, as a share of the columns from an anchor to the expected place
_REACH_SHARE = 0.1
_LEAST_REACH = 512  # columns: least reach
_CLEAR_LEADS = 80.0  # natural logarithm: sum of the leads from which on no other ratio is tried
_VARIANCE = 2.0  # letters: variance of a length for each letter, before any is learned
_FIRST_LEVELS = 3  # levels, of 1, 2 and 4 stretches, after which one must have a place
# Factors of the ratio of lengths that are tried.
_RATIO_FACTORS = (1.0, 1.35, 1 / 1.35, 1.8, 1 / 1.8, 2.5, 1 / 2.5)
# The same if one text has finer sentences
_FINER_RATIO_FACTORS = (1.0, 1.35, 1 / 1.35, 1.8, 1 / 1.8)
_BEADS_BESIDE = 32  # beads around an anchor whose scores are summed to rate the anchor
_MOST_REPEATS = 3  # repeated searches of the first levels with a better ratio: bounds time
_MODEL_STRETCHES = 4  # stretches from which the length model is estimated: bounds time
_TRIAL_SHARES = (1 / 2, 1 / 6, 5 / 6)  # shares of the source: places where ratios are tried
_LEAST_LEADS = 40.0  # natural logarithm: least sum of the leads with which a ratio is accepted
_MOST_POINTS = 1 << 26  # points that are searched: bounds time
_POINTS_PER_SENTENCE = 512  # points for each sentence of both texts, if that is more: bounds time
_MANY_ANCHORS = 32  # anchors that give a better estimate of the slope than stretches
_AT_ENDS = (0, 512)  # sentences between an end of the text and the stretch that is tried there
_MOST_REPEATED = 2  # stretches that fit in several places: so many show that a text repeats itself
_PASSAGE_COST = -math.log(IN_PASSAGE)  # natural logarithm: cost of a sentence in a passage
_KNOWN_WEIGHT = 1e6  # weight of a known anchor: above any lead


class SeedAnchors(NamedTuple):
    """Anchors from stretches, with the model estimated from the stretches."""

    anchors: Anchors  # the earlier anchors, and one in the middle of each placed stretch
    # The model of lengths and marks estimated from the stretches; None if none was placed.
    model: ProfileModel | None


class _Place(NamedTuple):
    """A placed stretch of the source, with its lead over any other place."""

    rows: slice
    columns: slice
    margin: float
    score: float

    @property
    def saved(self) -> float:
        """Gain of the path over leaving the stretch out, a natural logarithm."""
        sentences: int = self.rows.stop - self.rows.start + self.columns.stop - self.columns.start
        return self.score + _PASSAGE_COST * sentences


class _Gap(NamedTuple):
    row: int
    end_row: int
    column: int
    end: int

    @property
    def points(self) -> int:
        return (self.end_row - self.row + 1) * (self.end - self.column + 1)


def seed_anchors(
    anchors: Anchors,
    profile: LengthProfile,
    model: ProfileModel | None = None,
    *,
    most: int | None = None,
) -> SeedAnchors:
    """Find more anchors between distant ones.

    `model` is that of lengths and marks, if it is known. At most `most` points are searched, by
    default 67,108,864, or 512 for each sentence of both texts, if that is more.

    Examples
    --------
    >>> from bitext.align.sentences.length_profile import LengthProfile
    >>> text = np.random.default_rng(1).integers(10, 200, 1500).astype(float)
    >>> none = Anchors(np.zeros(0, np.int64), np.zeros(0, np.int64), 1.0)
    >>> found = seed_anchors(none, LengthProfile(text, np.delete(text, np.s_[500:1000]))).anchors
    >>> sorted(set((found.row - found.column).tolist()))
    [0, 500]

    """
    if most is None:
        most = max(_MOST_POINTS, _POINTS_PER_SENTENCE * (len(profile.src) + len(profile.tgt)))
    begun = _Search.begin(profile, anchors, model or _usual_model(profile), most)
    search = _searched(begun, range(_FIRST_LEVELS), near=True)
    for _ in range(_MOST_REPEATS):
        if not 0 < search.gained < _CLEAR_LEADS:
            break
        # With a slightly wrong ratio few stretches fit, but they give a better ratio.
        better = begun._replace(model=search.model, points=search.points)
        search = _searched(better, range(_FIRST_LEVELS), near=True)
    if not search.gained and search.alike >= _MOST_REPEATED:
        return SeedAnchors(anchors, model)  # no ratio has a clear place in a text of repeats
    first = _FIRST_LEVELS
    if model is None and (search.gained < _CLEAR_LEADS or are_unequal(profile.sentence_ratio)):
        search, first = _best_ratio(begun, search), 0
    search = _searched(search, itertools.count(first), near=True)
    search = _searched(search, itertools.count())
    if not search.gained:
        return SeedAnchors(anchors, model)
    return SeedAnchors(search.anchors, search.model)


def _usual_model(profile: LengthProfile) -> ProfileModel:
    """Return the model before any stretch is placed."""
    usual = ProfileModel.first(profile)
    return usual._replace(lengths=usual.lengths._replace(variance=_VARIANCE))


class _Search(NamedTuple):
    """The state of a search for the places of stretches."""

    profile: LengthProfile
    model: ProfileModel  # of lengths and marks, estimated from the first placed stretches
    # The anchors, ascending on both sides, and the lead of each; shape (anchors,).
    row: Ints
    column: Ints
    weight: Floats
    usual: float  # target sentences per source sentence at the known anchors
    points: int  # that may still be searched
    tilts: tuple[float, ...] = ()  # target sentences per source sentence of each placed stretch
    gained: float = 0.0  # sum of the leads of all places over any other place
    saved: float = 0.0  # gain of all stretches over leaving them out
    alike: int = 0  # stretches that fit, but in several places

    @classmethod
    def begin(
        cls, profile: LengthProfile, known: Anchors, model: ProfileModel, points: int
    ) -> _Search:
        weight = np.full(len(known.row), _KNOWN_WEIGHT)
        return cls(profile, model, known.row, known.column, weight, known.tilt, points)

    @property
    def sentences(self) -> tuple[int, int]:
        """The number of sentences of both texts."""
        return len(self.profile.src), len(self.profile.tgt)

    @property
    def slope(self) -> float:
        """The median number of target sentences per source sentence in the placed stretches."""
        if self.tilts:
            return median(self.tilts)
        return self.profile.sentence_ratio * self.model.scale

    @property
    def anchors(self) -> Anchors:
        """The anchors, with the slope of the stretches if anchors are few."""
        tilt = median(self.tilts) if self.tilts else self.usual
        # An omitted passage between two of few anchors would count too much.
        if len(self.row) >= _MANY_ANCHORS:
            tilt = slope(self.row, self.column, usual=tilt)
        return Anchors(self.row, self.column, tilt)

    def gap(self, row: int) -> _Gap:
        """Return the gap between anchors around a source sentence."""
        at = int(np.searchsorted(self.row, row))
        before = (int(self.row[at - 1]) + 1, int(self.column[at - 1]) + 1) if at else (0, 0)
        after = (int(self.row[at]), int(self.column[at])) if at < len(self.row) else self.sentences
        return _Gap(before[0], after[0], before[1], after[1])


def _searched(search: _Search, levels: Iterable[int], *, near: bool = False) -> _Search:
    """Place the stretches of some levels: anywhere, or only where they are likely."""
    rows, _ = search.sentences
    for level in levels:
        parts = 1 << level
        if rows // parts < _SENTENCES_BETWEEN and level:
            break
        places: list[_Place] = []
        for k in range(parts):
            search, place = _place_around(search, (2 * k + 1) * rows // (2 * parts), near=near)
            places += [place] if place else []
        search = _with_places(search, places)
    return search


def _best_ratio(begun: _Search, search: _Search) -> _Search:
    """Begin the search again with the ratio of lengths that fits best.

    If one text may be cut more finely, models for this case are tried, too. With other models
    some stretches fit by accident, so all searches that have a place continue before one is
    chosen, and `search`, with the ratio that it has, is one of them.
    """
    sentence_ratio = begun.profile.sentence_ratio
    unequal = are_unequal(sentence_ratio)
    model = _usual_model(begun.profile) if unequal else search.model
    models = [model.scaled(one) for one in _RATIO_FACTORS]
    if unequal:
        finer = [(model.scaled(one), sentence_ratio * one) for one in _FINER_RATIO_FACTORS]
        models += [scaled.finer(one) for scaled, one in finer if are_unequal(one)]
    scales = [begun._replace(model=one) for one in models]
    tried = [_from_ends(one) for one in scales]
    if unequal:
        first = range(_FIRST_LEVELS)
        tried = [_searched(one, first, near=True) if one.gained else one for one in tried]
        tried.append(search)
    best = max(tried, key=lambda one: one.saved)
    if best.gained >= _LEAST_LEADS:
        return best
    # If no ratio is clear from the ends, a stretch farther inside is placed with each.
    points, (rows, _) = best.points, begun.sentences
    for share, k in itertools.product(_TRIAL_SHARES, range(len(scales))):
        one, place = _place_around(scales[k]._replace(points=points), int(share * rows))
        points = one.points
        scales[k] = _with_places(one, [place] if place else [])
        # A stretch may fit in a wrong place by chance, but hardly as well.
        if scales[k].gained >= _LEAST_LEADS:
            break
    return max(scales, key=lambda one: one.gained)._replace(points=points)


def _from_ends(search: _Search) -> _Search:
    """Place a stretch at each end of the texts, or farther inside if none fits there."""
    rows, columns = search.sentences
    for begin in _AT_ENDS:
        if search.gained or rows < begin + _STRETCH_SENTENCES:
            break
        wide = min(int(2 * search.slope * (begin + _STRETCH_SENTENCES)) + _LEAST_REACH, columns)
        last = slice(rows - begin - _STRETCH_SENTENCES, rows - begin)
        both = (
            (slice(begin, begin + _STRETCH_SENTENCES), slice(0, wide)),
            (last, slice(columns - wide, columns)),
        )
        places: list[_Place] = []
        for stretch, part in both:
            search, place = _place_within(search, stretch, part)
            places += [place] if place else []
        search = _with_places(search, places)
    return search


def _with_places(search: _Search, places: list[_Place]) -> _Search:
    """Set an anchor in the middle of each placed stretch; re-estimate the model."""
    if not places:
        return search
    model, tilts = search.model, list(search.tilts)
    gained, saved = search.gained, search.saved
    rows, columns, weights = [search.row], [search.column], [search.weight]
    for place in places:
        part = search.profile.part(place.rows, place.columns)
        path, inside = whole_path(part, model)
        tilts.append(len(part.tgt) / len(part.src))
        gained += place.margin
        saved += place.saved
        one = np.flatnonzero((path.kinds == model.beads.index((1, 1))) & ~inside)
        if len(one):
            # A part of a stretch may be left out, so its place is uncertain; the place of its best
            # beads is certain.
            own = model.scores(part)(0, len(part.src) + 1)[path.kinds, path.row, path.column]
            middle = one[[np.argmax(np.convolve(own, np.ones(_BEADS_BESIDE), "same")[one])]]
            rows.append(path.row[middle] - 1 + place.rows.start)
            columns.append(path.column[middle] - 1 + place.columns.start)
            weights.append(np.array([place.margin]))
        if len(tilts) <= _MODEL_STRETCHES:
            model = model.learned(part, path)
    row, column, weight = np.concatenate(rows), np.concatenate(columns), np.concatenate(weights)
    chain = best_chain(row, column, weight)
    return search._replace(
        model=model,
        row=row[chain],
        column=column[chain],
        weight=weight[chain],
        tilts=tuple(tilts),
        gained=gained,
        saved=saved,
    )


def _place_around(
    search: _Search, middle: int, *, near: bool = False
) -> tuple[_Search, _Place | None]:
    """Place a stretch between the anchors around it: anywhere, or only where it is likely."""
    gap = search.gap(middle)
    if gap.end_row - gap.row < _SENTENCES_BETWEEN or gap.points <= _SMALL_POINTS:
        return search, None
    begin = min(max(middle - _STRETCH_SENTENCES // 2, gap.row), gap.end_row - _STRETCH_SENTENCES)
    rows = slice(begin, begin + _STRETCH_SENTENCES)
    about = [slice(gap.column, gap.end)]
    if near:
        about = _likely(gap, begin + _STRETCH_SENTENCES // 2, search.slope)
    places: list[_Place] = []
    for columns in about:
        search, place = _place_within(search, rows, columns)
        places += [place] if place else []
    return search, max(places, key=lambda one: one.score, default=None)


def _likely(gap: _Gap, row: int, tilt: float) -> list[slice]:
    """Return columns near the diagonal of a gap, and near the slope from both its ends."""
    wide = gap.end - gap.column
    share = (row - gap.row) / (gap.end_row - gap.row)
    before, after = tilt * (row - gap.row), tilt * (gap.end_row - row)
    likely = [
        (gap.column + share * wide, wide),
        (gap.column + before, before),
        (gap.end - after, after),
    ]
    column_runs: list[slice] = []
    for at, far in sorted(likely):
        reach = max(_REACH_SHARE * far, _LEAST_REACH)
        low, high = max(int(at - reach), gap.column), min(int(at + reach), gap.end)
        if column_runs and low <= column_runs[-1].stop:
            low, high = column_runs[-1].start, max(column_runs.pop().stop, high)
        if low < high:
            column_runs.append(slice(low, high))
    return column_runs


def _place_within(search: _Search, rows: slice, columns: slice) -> tuple[_Search, _Place | None]:
    """Place a stretch in some columns, if it clearly fits in one place."""
    size = columns.stop - columns.start
    points = (rows.stop - rows.start) * (size + 1)
    if points > search.points or not size:
        return search, None
    search = search._replace(points=search.points - points)
    part = search.profile.part(rows, columns)
    place = next(free_places(part, search.model), None)
    if place is None or place.lead == math.inf:
        return search, None
    if gain(place.score * UNIT, len(part.src) + place.end - place.begin) < _LEAST_GAIN:
        return search, None
    if place.lead < max(_LEAST_LEAD, _LEAST_LEAD_SHARE * place.above):
        return search._replace(alike=search.alike + 1), None
    fitting = slice(columns.start + place.begin, columns.start + place.end)
    return search, _Place(rows, fitting, place.lead, place.score)
