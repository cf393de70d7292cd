"""Two texts without their words: the lengths of their sentences, and their punctuation.

If two texts share no equal or similar words, the first path has no other evidence. This evidence is
weak for a single bead, but strong for a hundred in a row. First come the scores of pairs of lengths
and marks, then the search with them for a path through a wide table, and for the places of a
shorter text in a longer one.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bitext.align.sentences.bead_types import FINELY, are_unequal, finely_cut_priors
from bitext.align.sentences.corridor import Anchors, Corridor
from bitext.align.sentences.evidence import UNIT, LengthEvidence, LengthModel, whole_numbers
from bitext.align.sentences.evidence.punctuation import (
    PunctuationEvidence,
    PunctuationModel,
    SentenceMarks,
)
from bitext.align.sentences.lexical.translation_model import BeadPoints
from bitext.kernels.arrays import Bools, Floats, Ints, median
from bitext.kernels.bead_path import Band, BeadPath, Passages, Scores, free_paths, passage_path

# Set by hand. Change of F1 if halved and if doubled, mean of two cases with passages cut out
# (alignment_constants.md): IN_PASSAGE 0 and -.173; the others move no bead.
# Beads if both texts have sentences of equal size
_EQUAL_BEADS = ((1, 1), (1, 0), (0, 1), (2, 1), (1, 2))
# More, if the target has shorter sentences
_FINER_BEADS = tuple((1, k) for k in range(3, FINELY + 1))
# Probability, for each side, of a sentence without a translation outside passages
_ALONE_PRIOR = 0.05
_TWO_PRIOR = 0.06  # probability, for each side, of a bead with two sentences
# Least mean number of target sentences for one if the target has shorter sentences
_LEAST_FINER_RATIO = 1.1
IN_PASSAGE = 0.7  # probability of a sentence of the source, or of the target, in a passage
_OPENING_COST = -10.0  # natural logarithm: cost of opening a passage
_LOWEST = -1e5  # natural logarithm: lowest score; 1,024 times this fits into the kernels' 32 bits


class LengthProfile(NamedTuple):
    """Two texts without their words."""

    # `src`, `tgt`: the length of each sentence, above 0; shape (sentences,).
    src: Floats
    tgt: Floats
    marks: tuple[SentenceMarks, SentenceMarks] | None = None  # of both sides

    @property
    def sentence_ratio(self) -> float:
        """Target sentences per source sentence; all target sentences if the source is empty."""
        return len(self.tgt) / max(len(self.src), 1)

    def part(self, rows: slice, columns: slice) -> LengthProfile:
        """Return the profile of some sentences of both sides."""
        marks = None
        if self.marks is not None:
            src, tgt = self.marks
            marks = (
                SentenceMarks(*(own[rows] for own in src)),
                SentenceMarks(*(own[columns] for own in tgt)),
            )
        return LengthProfile(self.src[rows], self.tgt[columns], marks)


class ProfileModel(NamedTuple):
    """A model of the lengths and marks of translations."""

    lengths: LengthModel
    marks: PunctuationModel | None
    usual: float  # the ratio of the lengths of both texts
    beads: tuple[tuple[int, int], ...] = _EQUAL_BEADS  # the bead types of paths
    # The prior of each bead outside of passages.
    chance: tuple[float, ...] = (
        1.0 - 2 * _ALONE_PRIOR - 2 * _TWO_PRIOR,
        _ALONE_PRIOR,
        _ALONE_PRIOR,
        _TWO_PRIOR,
        _TWO_PRIOR,
    )
    # Target sentences for each source sentence, if one text is cut more finely than the other; 1 if
    # they are cut alike.
    sentence_ratio: float = 1.0

    @classmethod
    def first(cls, profile: LengthProfile) -> ProfileModel:
        """Make a model of two texts before they are aligned."""
        lengths = LengthModel.first(profile.src, profile.tgt)
        marks = None if profile.marks is None else PunctuationModel.first([profile.marks])
        return cls(lengths, marks, lengths.ratio)

    def finer(self, many: float) -> ProfileModel:
        """Return the model for texts of which one is cut more finely than the other.

        `many` is the number of target sentences for one of the source; above 0, and not 1.

        Examples
        --------
        >>> model = ProfileModel.first(LengthProfile(np.array([80.0, 90.0]), np.array([40.0] * 4)))
        >>> finer = model.finer(2.0)
        >>> finer.beads[3:7], np.round(finer.chance[3:7], 2).tolist()
        (((2, 1), (1, 2), (1, 3), (1, 4)), [0.01, 0.33, 0.16, 0.05])

        """
        more = _FINER_BEADS if many > 1 else tuple((b, a) for a, b in _FINER_BEADS)
        beads = (*_EQUAL_BEADS, *more)
        equal_chances = np.array(
            [0.0, _ALONE_PRIOR, _ALONE_PRIOR, _TWO_PRIOR, _TWO_PRIOR, *[0.0] * len(more)]
        )
        chance = finely_cut_priors(beads, equal_chances, many)
        return self._replace(beads=beads, chance=tuple(chance.tolist()), sentence_ratio=many)

    @property
    def is_finer(self) -> bool:
        """Whether one text is cut more finely than the other."""
        return self.sentence_ratio != 1.0

    @property
    def passages(self) -> Passages:
        """The affine costs of passages that a path leaves out."""
        down, across = (
            max(0, round(math.log(IN_PASSAGE / self.chance[self.beads.index(bead)]) * UNIT))
            for bead in ((1, 0), (0, 1))
        )
        return Passages(round(_OPENING_COST * UNIT), (down, across))

    @property
    def scale(self) -> float:
        """The ratio of lengths, divided by the ratio of both texts."""
        return self.lengths.ratio / self.usual

    def key(self) -> tuple[object, ...]:
        """Return a key that two models share if they give the same scores."""
        marks = None
        if self.marks is not None:
            paired = [array.tobytes() for array in self.marks.paired.values()]
            marks = (*paired, *(array.tobytes() for array in self.marks.inside))
        return self.lengths, self.beads, self.chance, marks

    def scaled(self, scale: float) -> ProfileModel:
        """Multiply the ratio of the lengths by `scale`."""
        ratio = self.lengths.ratio * scale
        return self._replace(lengths=self.lengths._replace(ratio=ratio))

    def learned(self, profile: LengthProfile, path: BeadPath) -> ProfileModel:
        """Estimate the model from the beads of a path through some or all of two texts.

        The ratio of the lengths is that of the median bead, so wrong beads do not count. If one
        text is cut more finely, the ratio of sentences is estimated from the two-sided beads.
        """
        src, tgt = (
            np.diff(np.append(0.0, np.cumsum(side))[ends], prepend=0.0)
            for side, ends in ((profile.src, path.row), (profile.tgt, path.column))
        )
        full = np.flatnonzero((src > 0) & (tgt > 0))
        if not len(full):
            return self
        ratio = float(np.exp(median(np.log(tgt[full] / src[full]))))
        lengths = self.lengths.learned(src[full], tgt[full])._replace(ratio=ratio)
        marks = self.marks
        if marks is not None and profile.marks is not None:
            marks = marks.learned([profile.marks], [BeadPoints(path.row, path.column)])
        learned = self._replace(lengths=lengths, marks=marks)
        if not self.is_finer:
            return learned
        rows, columns = np.diff(path.row, prepend=0)[full], np.diff(path.column, prepend=0)[full]
        tgt_per_src = float(columns.sum() / rows.sum())
        return learned.finer(
            max(tgt_per_src, _LEAST_FINER_RATIO)
            if self.sentence_ratio > 1
            else min(tgt_per_src, 1 / _LEAST_FINER_RATIO)
        )

    def scores(self, profile: LengthProfile, band: Band | None = None) -> Scores:
        """Return the function that scores beads in all of a band; default: the whole table."""
        rows, columns = len(profile.src), len(profile.tgt)
        where = band or Band(np.zeros(rows + 1, dtype=np.int64), columns + 1, columns)
        prior = np.log(self.chance).astype(np.float32)[:, None, None]
        lengths = LengthEvidence(self.beads, profile.src, profile.tgt, self.lengths)
        marks = None
        if self.marks is not None and profile.marks is not None:
            marks = PunctuationEvidence(self.beads, profile.marks, self.marks)

        def scores(first: int, last: int) -> NDArray[np.int32]:
            total = lengths.block(first, last, where)
            total += prior
            if marks is not None:
                total += marks.block(first, last, where)
            return whole_numbers(total, _LOWEST)

        return scores


# A path through a wide table, from the lengths and marks of sentences alone.
#
# If two texts have no equal or similar words, the path may be anywhere at first. After an omitted
# passage it is far from the diagonal for the rest of the text. Therefore the whole table is
# searched with few bead types for a path that may omit passages, and later searches, with all
# evidence, stay near this path. Omitted passages also distort the ratio of the lengths of the
# texts, so the search is repeated with the ratio in the beads. If the path is poor, the search
# starts again with other ratios, as if half of one text were missing in the other.

# Set by hand. Change of F1 if halved and if doubled (alignment_constants.md, as above):
# _COLUMNS_AROUND -.007 and 0, with 1.2 times the time if doubled; the others move no bead. `gain`
# defines gains.
POINTS = 1 << 26  # points that are searched, 8,000 by 8,000 sentences: bounds time and memory
RATIOS = (1.0, 0.63, 1.6, 0.4, 2.5)
"""Factors of the ratio of the lengths of two texts that are tried, as one may omit much."""
_MOST_POINTS = 1 << 22  # points of a table, above which other ratios are not tried: bounds time
_LEAST_COLUMNS = 1024  # columns: a narrower band misses the path too often to be worth its time
_SMALL_POINTS = 1 << 12  # points between two anchors that later searches search whole
_COLUMNS_AROUND = 48  # columns, or rows, beside the path in later searches
_COLUMNS_BESIDE = 8  # the same beside a long passage, whose rows are as wide as the passage
_LONG_PASSAGE = 256  # sentences of a long passage
_MOST_SEARCHES = 3  # searches, each with the model estimated from the path before: bounds time
_MOST_SEARCHES_OF_RATIOS = 7  # the same if several ratios are tried: bounds time
# Natural logarithm: least change of the ratio of lengths that is worth a search
_LEAST_RATIO_CHANGE = 0.04
_LEAST_GAIN = 0.02  # gain: least improvement that is worth a search
# Gain: least lead of a path with finer sentences in one text, which is rare
_LEAST_FINER_LEAD = 0.1
# Factors of the ratio, if one text has finer sentences
_RATIO_FACTORS = (1.0, 1.25, 0.8, 1.6, 0.63)
FIT = 0.4
"""The least gain of a path from which the ratio of lengths is estimated (see `LengthPath.gain`)."""
_LEAST_USEFUL_GAIN = 0.15  # gain: least gain of a path that is evidence
_GOOD_GAIN = 0.75  # gain: least gain of a path for which no other ratio is tried


_Known = dict[tuple[object, ...], "BeadPath"]
"""Paths by the keys of their models."""


class LengthPath(NamedTuple):
    """The best path by lengths and marks, with its model."""

    path: BeadPath  # of the beads of the model
    model: ProfileModel  # the model that found the path
    # The share of the cost of leaving both texts out that the path saves: up to 1 and more, 0 or
    # less if it saves nothing.
    gain: float


def profile_corridor(
    anchors: Anchors,
    profile: LengthProfile,
    *,
    model: ProfileModel | None = None,
    points: int = POINTS,
    least: int = _SMALL_POINTS,
) -> tuple[Corridor, ProfileModel | None] | None:
    """Build the corridor near the best path by lengths and marks between anchors.

    By default the model is that of both texts, and others if it proves wrong, in a table that is
    not too large, with marks. At most `points` points are searched: of a larger table, those
    nearest to the diagonals between the anchors, so time and memory do not grow any further. Where
    there are at most `least` points between two anchors, later searches search them whole, and no
    path is needed.

    The returned model is that of the longest way between two anchors; it is None if the path of
    that way saves too little to be reliable. The whole result is None if so few points are near the
    diagonals that a search is not worth its time.
    """
    src, tgt = profile.src, profile.tgt
    begin_row, begin = np.append(0, anchors.row + 1), np.append(0, anchors.column + 1)
    end_row, end = np.append(anchors.row, len(src)), np.append(anchors.column, len(tgt))
    area = (end_row - begin_row + 1) * (end - begin + 1)
    share = min(1.0, points / max(int(area[area > least].sum()), 1))
    best = model
    row, column = [anchors.row], [anchors.column]
    # The model of the largest gap is used for the others, if its path is not accidental.
    order = sorted(np.flatnonzero(area > least).tolist(), key=lambda k: -area[k])
    for k in order:
        part = profile.part(slice(begin_row[k], end_row[k]), slice(begin[k], end[k]))
        width = int((end[k] - begin[k] + 1) * share)
        if share < 1 and width < min(_LEAST_COLUMNS, end[k] - begin[k] + 1):
            return None
        tried = best is None and profile.marks is not None and area[k] <= _MOST_POINTS
        ratios = RATIOS if tried else RATIOS[:1]
        first = best or ProfileModel.first(profile)
        sentence_ratio = profile.sentence_ratio if best is None else None
        part_path, learned, saved = profile_path(
            part, first, width=width, ratios=ratios, sentence_ratio=sentence_ratio
        )
        if best is None and k == order[0]:
            if saved < _LEAST_USEFUL_GAIN:
                return None
            if saved >= FIT or learned.is_finer:
                best = learned
        row.append(part_path.row + begin_row[k])
        column.append(part_path.column + begin[k])
    rows, columns = np.concatenate(row), np.concatenate(column)
    way = np.lexsort((columns, rows))
    margin = _margins(rows[way], columns[way])
    near = Corridor.around(rows[way], columns[way], rows=len(src), columns=len(tgt), margin=margin)
    return near, best


def _margins(row: Ints, column: Ints) -> Ints:
    """Choose the margin of the corridor at each point of a path: least beside long passages.

    A row in which a passage may be left out is as wide as the passage; such rows should be few.
    """
    down, across = np.diff(row, prepend=0), np.diff(column, prepend=0)
    far = np.full(len(row), len(row))
    for alone in (down == 0, across == 0):
        edges = np.flatnonzero(np.diff(alone, prepend=False, append=False))
        for begin, end in edges.reshape(-1, 2).tolist():
            if end - begin < _LONG_PASSAGE:
                continue
            every = np.arange(max(begin - _COLUMNS_AROUND, 0), min(end + _COLUMNS_AROUND, len(row)))
            away = np.maximum(np.maximum(begin - every, every - end + 1), 0)
            far[every] = np.minimum(far[every], away)
    result: Ints = np.minimum(_COLUMNS_AROUND, _COLUMNS_BESIDE + far)
    return result


def profile_path(
    profile: LengthProfile,
    model: ProfileModel,
    *,
    width: int | None = None,
    ratios: Sequence[float] = RATIOS[:1],
    sentence_ratio: float | None = None,
) -> LengthPath:
    """Find the best path by lengths and marks, which may leave passages out.

    `width` is the number of columns to search in each row, around the diagonal, by default all.
    `ratios` are factors of the ratio of the model, tried one after another until a path is good.
    `sentence_ratio` is the number of target sentences for each source sentence in both texts: if it
    is given and `are_unequal`, a model with one text cut more finely, by this ratio, is tried
    second; with several `ratios`, also models with a higher and a lower ratio.

    Examples
    --------
    >>> from bitext.align.sentences.length_profile import LengthProfile
    >>> text = np.random.default_rng(1).integers(10, 200, 60).astype(float)
    >>> profile = LengthProfile(text, np.append(text[:12], text))
    >>> found = profile_path(profile, ProfileModel.first(profile)).path
    >>> sorted(set((found.column - found.row)[-40:].tolist()))
    [12]

    """
    rows, columns = len(profile.src), len(profile.tgt)
    width = columns + 1 if width is None else width
    width = min(max(width, 1 + -(-columns // max(rows, 1))), columns + 1)
    middle = np.arange(rows + 1) * columns // max(rows, 1)
    band = Band(np.clip(middle - width // 2, 0, columns + 1 - width), width, columns)
    models = [(model.scaled(scale), FIT) for scale in ratios]
    models[1:1] = [
        (model.scaled(scale).finer(sentence_ratio * scale), 0.0 if scale == 1.0 else FIT)
        for scale in _RATIO_FACTORS
        if sentence_ratio is not None
        and are_unequal(sentence_ratio * scale)
        and (scale == 1.0 or len(ratios) > 1)
    ]
    # If no other ratio is tried, the ratio is known, or the table is large.
    again = _MOST_SEARCHES_OF_RATIOS if len(ratios) > 1 else _MOST_SEARCHES
    known: _Known = {}
    best = _searched(profile, models[0][0], band, known, again=again)
    for other, least_lead in models[1:]:
        if best.gain >= _GOOD_GAIN:
            break
        candidate = _searched(profile, other, band, known, again=again)
        # Finely cut texts are rare, and more bead types explain more by chance.
        lead = _LEAST_FINER_LEAD * (candidate.model.is_finer - best.model.is_finer)
        if candidate.gain > max(best.gain + lead, least_lead):
            best = candidate
    return best


def _searched(
    profile: LengthProfile, model: ProfileModel, band: Band, known: _Known, *, again: int
) -> LengthPath:
    """Search with a model, and again with the models estimated from the paths."""
    current = _search_once(profile, model, band, known)
    for _ in range(again):
        model = current.model.learned(profile, current.path)
        change = model.lengths.ratio / current.model.lengths.ratio
        same = abs(np.log(change)) < _LEAST_RATIO_CHANGE
        if same and (current.gain >= _GOOD_GAIN or again < _MOST_SEARCHES_OF_RATIOS):
            break
        before, current = current, _search_once(profile, model, band, known)
        if same and current.gain < before.gain + _LEAST_GAIN:
            return max(current, before, key=lambda one: one.gain)
    return current


def _search_once(
    profile: LengthProfile, model: ProfileModel, band: Band, known: _Known
) -> LengthPath:
    # If sentences are alike, different models converge.
    key = model.key()
    path = known.get(key)
    if path is None:
        path, _ = passage_path(model.beads, model.scores(profile, band), band, model.passages)
        known[key] = path
    return LengthPath(path, model, gain(path.score, band.rows + band.columns))


def whole_path(profile: LengthProfile, model: ProfileModel) -> tuple[BeadPath, Bools]:
    """Find the best path through the whole table; mark its beads in passages that it leaves out."""
    rows, columns = len(profile.src), len(profile.tgt)
    band = Band(np.zeros(rows + 1, dtype=np.int64), columns + 1, columns)
    return passage_path(model.beads, model.scores(profile, band), band, model.passages)


class FreePlace(NamedTuple):
    """A place of all source sentences in the target."""

    # `begin`, `end`: the target sentences, half-open.
    begin: int
    end: int
    score: float  # the score of the path through them, a natural logarithm
    # The lead of this score over that of the best path that shares no sentence with it; infinite
    # without such a path.
    lead: float
    # The lead of this score over that of the path that ends at the median target sentence
    above: float


def free_places(profile: LengthProfile, model: ProfileModel) -> Iterator[FreePlace]:
    """Yield the places of all source sentences in the target, the best first.

    Places share no sentence with earlier ones.

    Examples
    --------
    >>> text = np.random.default_rng(1).integers(10, 200, 400).astype(float)
    >>> profile = LengthProfile(text[100:130] + 3, text)
    >>> model = ProfileModel.first(profile).scaled(30 / 400)
    >>> place = next(free_places(profile, model))
    >>> place.begin, place.end, place.lead > 20
    (100, 130, True)

    """
    columns = len(profile.tgt)
    score, begin = free_paths(
        model.beads, model.scores(profile), rows=len(profile.src), columns=columns
    )
    every, middle = np.arange(columns + 1), median(score)
    left = begin < every
    while left.any():
        end = int(np.argmax(np.where(left, score, np.iinfo(np.int64).min)))
        apart = (every <= begin[end]) | (begin >= end)
        best, other = float(score[end]), -math.inf
        if apart.any():
            other = float(score[apart].max())
        yield FreePlace(
            int(begin[end]), end, best / UNIT, (best - other) / UNIT, (best - middle) / UNIT
        )
        left &= apart


def gain(score: float, sentences: int) -> float:
    """Return the gain of a path by its score and its sentences, as `LengthPath.gain`."""
    return 1.0 + score / (-float(np.log(IN_PASSAGE)) * UNIT * max(sentences, 1))
