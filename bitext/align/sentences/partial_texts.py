"""Texts of which one has only a part of the other: where the path may run then.

If one text has many more sentences than the other, most of these have no translation, and lengths
cannot be compared as those of two whole texts: it is sentences that are about as long, not texts.
So two ways are tried beside the usual one. The shorter text may be from several places: then a path
is looked for that may leave passages out nearly everywhere. Or it is from one place: that where the
path of all its sentences, by lengths and marks, fits best, with what it teaches there; the search
begins at the places that fit best before anything is learned.

An abridged text leaves out a sentence here and some there, all over it. A path is looked for then
for which sentences of the other text are left alone as often as there are more.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bitext.align.sentences.bead_types import are_excerpts, may_be_abridged
from bitext.align.sentences.corridor import Corridor
from bitext.align.sentences.hard_boundaries import HardBoundaries
from bitext.align.sentences.length_profile import UNIT, LengthProfile, ProfileModel
from bitext.align.sentences.omissions import Expected
from bitext.align.sentences.search_space import apart_of
from bitext.kernels.bead_path import Band, free_paths, passage_path

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bitext.align.sentences.evidence.punctuation import SentenceMarks
    from bitext.align.sentences.omissions import Omissions
    from bitext.align.sentences.search_space import SearchSpace
    from bitext.align.sentences.texts import SentencePair

__all__ = [
    "SEARCHED_ROWS",
    "SMALL_TABLE",
    "Excerpt",
    "Place",
    "abridged_space",
    "excerpt_place",
    "excerpt_spaces",
    "may_be_partial",
]

_OPENING = -3.0  # natural logarithm: cost of opening a passage in an excerpt, which has many
_ENDS = 0.5  # probability, for each sentence of the shorter text, that a passage ends
SMALL_TABLE = 1 << 18  # points of a table that is searched whatever its anchors are
_POINTS = 1 << 22  # points of a table that is searched for passages whole: bounds the work
_LOOKED_AT = 1 << 25  # points of a table searched for a place: bounds the work
SEARCHED_ROWS = 192  # sentences of the shorter text whose place is searched
_VARIANCE = 2.0  # variance of a length for each letter, before any is learned
_PLACES = 4  # places that are searched more closely
_AGAIN = 2  # times that a place is searched with what it taught
_MARGIN = 10.0  # natural logarithm: lead of a place over any other
_EACH = 0.25  # natural logarithm: more of that for each sentence, as chance grows with them
_SCALED_EACH = 0.4  # the same at other ratios of lengths, of which several are tried
_LEAST = -0.05  # natural logarithm: score of the path for each sentence
_WIDEST = 1.6  # times as many sentences as are searched that a place may have
_SCALES = (1.35, 1 / 1.35, 1.8, 1 / 1.8)  # factors of the ratio of lengths, where no place is found
_SCALED = 60  # sentences of the shorter text for which they are tried: fewer fit anywhere at one
_LEAD = 10.0  # natural logarithm: the most that a place counts before other search spaces
_SCALED_LEAD = 50.0  # the same at another ratio, where other spaces explain more by chance
_BESIDE = 8  # sentences before and after a place that belong to it
_SHARE = 0.1  # more of them for each sentence of the place
_DRIFT = 0.25  # more of them for each sentence that was not searched


class Excerpt(NamedTuple):
    """Where the path runs if one text is an excerpt of the other.

    Attributes
    ----------
    space : SearchSpace
    lead : float
        How much speaks for it beside its path, as a natural logarithm.

    """

    space: SearchSpace
    lead: float


class Place(NamedTuple):
    """Where all of a text is in another.

    Attributes
    ----------
    begin, end : int
        The sentences there, half-open.
    score : float
        What the path through them is worth, as a natural logarithm.
    margin : float
        How much more that is than of any path through other sentences.
    scale : float
        How many times as many of their letters go with one of the text as if its sentences went
        with as many of them; 1 where that fits.
    many : float
        How many of them go with one of the text, where one of both is cut more finely; else 1.

    """

    begin: int
    end: int
    score: float
    margin: float
    scale: float = 1.0
    many: float = 1.0

    def told(self, model: ProfileModel, *, turned: bool) -> ProfileModel:
        """Return a model with what is known of lengths; turned, it is of the other text first."""
        scaled = model.scaled(1 / self.scale if turned else self.scale)
        if self.many == 1.0:
            return scaled
        return scaled.finer(1 / self.many if turned else self.many)


def excerpt_spaces(
    pair: SentencePair,
    space: SearchSpace,
    marks: tuple[SentenceMarks, SentenceMarks] | None,
    *,
    most: int = _POINTS,
) -> list[Excerpt]:
    """Build the search spaces of an excerpt: from anywhere, and from one place.

    Parameters
    ----------
    pair : SentencePair
    space : SearchSpace
        What is known of the two texts.
    marks : pair of SentenceMarks, optional
        Those of both sides.
    most : int
        Points of a table that is searched whole; of a larger one only what anchors leave.

    Returns
    -------
    list of Excerpt
        None where neither text has three times the sentences of the other, and is longer. From
        anywhere, in a table that is not too large; and from one place, if one is found and there
        are no paragraphs.

    """
    rows, columns = len(pair.src), len(pair.tgt)
    few, many = sorted([rows, columns])
    if not few or not are_excerpts(columns / rows, _length_ratio(pair)):
        return []
    profile = LengthProfile(pair.src.letters, pair.tgt.letters, marks)
    source_is_longer = rows > columns
    # What is left out is nearly always of the longer text.
    rest = _ENDS * few / many
    chances = (1.0 - rest, rest) if source_is_longer else (rest, 1.0 - rest)
    known = _alike(space, profile)._replace(expected=Expected(_OPENING, *chances))
    apart = apart_of(pair)
    anywhere = _anywhere(known, apart, SMALL_TABLE, most)
    excerpts = [Excerpt(anywhere, 0.0)] if anywhere.corridor.cells <= most else []
    place = excerpt_place(profile) if space.hard_boundaries is None else None
    if place is not None:
        long, short = np.array([0, place.begin, place.end, many]), np.array([0, 0, few, few])
        there = HardBoundaries(long, short) if source_is_longer else HardBoundaries(short, long)
        corridor = there.narrowed(Corridor.whole(rows, columns))
        model = None if known.model is None else place.told(known.model, turned=source_is_longer)
        one = known._replace(
            corridor=corridor, omissions=apart, bare=0, hard_boundaries=there, model=model
        )
        most_lead = _LEAD if place.many == 1.0 else _SCALED_LEAD
        excerpts.append(Excerpt(one, min(place.margin, most_lead)))
    return excerpts


def abridged_space(
    pair: SentencePair,
    space: SearchSpace,
    marks: tuple[SentenceMarks, SentenceMarks] | None,
    *,
    small: int = SMALL_TABLE,
    most: int = _POINTS,
) -> SearchSpace | None:
    """Build the search space of an abridged translation.

    Parameters
    ----------
    pair, space, marks
        As in `excerpt_spaces`.
    small, most : int
        Points of a table that is searched whole whatever its anchors are, and of one that is
        searched whole at all.

    Returns
    -------
    SearchSpace or None
        All of a table that is not too large, and of which anchors do not show enough. None where
        neither text has 1.2 times the sentences of the other, and is longer.

    """
    rows, columns = len(pair.src), len(pair.tgt)
    if not rows or not columns or not may_be_abridged(columns / rows, _length_ratio(pair)):
        return None
    profile = LengthProfile(pair.src.letters, pair.tgt.letters, marks)
    return _anywhere(_alike(space, profile), apart_of(pair), small, most)


def may_be_partial(pair: SentencePair) -> bool:
    """Judge by their sizes whether one text may be an excerpt or abridgement of the other."""
    if not len(pair.src) or not len(pair.tgt):
        return False
    ratios = len(pair.tgt) / len(pair.src), _length_ratio(pair)
    return are_excerpts(*ratios) or may_be_abridged(*ratios)


def _length_ratio(pair: SentencePair) -> float:
    """Return the length of the target for a length of 1 of the source."""
    src, tgt = (max(float(side.letters.sum()), 1.0) for side in (pair.src, pair.tgt))
    return tgt / src


def _alike(space: SearchSpace, profile: LengthProfile) -> SearchSpace:
    """Return a space in which sentences are held to be as long in both texts, not the texts."""
    model = ProfileModel.first(profile).scaled(len(profile.src) / len(profile.tgt))
    return space._replace(model=model, asked=True)


def _anywhere(space: SearchSpace, apart: Omissions | None, small: int, most: int) -> SearchSpace:
    """Return a space with all of its table, if that is not too large and needed."""
    rows, columns = space.corridor.rows, space.corridor.columns
    points = (rows + 1) * (columns + 1)
    sure = points > small and space.tied and not space.hangs_on_few
    if points > most or sure:
        return space
    return space._replace(corridor=Corridor.whole(rows, columns), omissions=apart, bare=0)


def excerpt_place(profile: LengthProfile) -> Place | None:
    """Find the place of the shorter text in the longer one, by lengths and punctuation.

    Of a long one some sentences amid it are looked for, and others are held to be beside these.
    Sentences are held to be as long in both. If there is no place for as many, and these are
    enough to tell, one is looked for where either text is cut more finely.

    Parameters
    ----------
    profile : LengthProfile

    Returns
    -------
    Place or None
        With some sentences before and after it, as it may be a little further. None where no place
        fits clearly better than all others, or there is too much to look at.

    Examples
    --------
    >>> text = np.random.default_rng(1).integers(10, 200, 400).astype(float)
    >>> place = excerpt_place(LengthProfile(text, text[100:130] + 3))
    >>> place.begin, place.end, place.margin > 20
    (89, 141, True)

    """
    if len(profile.src) > len(profile.tgt):
        marks = None if profile.marks is None else profile.marks[::-1]
        profile = LengthProfile(profile.tgt, profile.src, marks)
    few, many = len(profile.src), len(profile.tgt)
    size = min(few, SEARCHED_ROWS)
    if not few or (size + 1) * (many + 1) > _LOOKED_AT:
        return None
    first = ProfileModel.first(profile).scaled(few / many)
    first = first._replace(lengths=first.lengths._replace(variance=_VARIANCE))
    before = (few - size) // 2
    amid = profile.part(slice(before, before + size), slice(0, many))
    best = _best(amid, [first], _EACH)
    alike = best is not None
    if not alike and size >= _SCALED and (size + 1) * (many + 1) * len(_SCALES) <= _LOOKED_AT:
        # Sentences of both texts need not be as long, as if one of them is cut more finely.
        scaled = [first.scaled(scale) for scale in _SCALES]
        finer = [one.finer(scale) for one, scale in zip(scaled, _SCALES, strict=True)]
        best = _best(amid, [*scaled, *finer], _SCALED_EACH)
    if best is None:
        return None
    there = best.end - best.begin
    beside, slope = _BESIDE + int(_SHARE * there), (1.0 + _DRIFT) * there / size
    begin = best.begin - beside - int(slope * before)
    end = best.end + beside + int(slope * (few - size - before))
    scale = 1.0 if alike else best.scale * many / few
    return best._replace(begin=max(begin, 0), end=min(end, many), scale=scale)


def _best(profile: LengthProfile, models: Sequence[ProfileModel], each: float) -> Place | None:
    """Choose the best place of those that fit clearly better than all others."""
    size = len(profile.src)
    settled = [
        _settled(profile, model, place) for model in models for place in _places(profile, model)
    ]
    sure = [
        place
        for place in settled
        if place.margin >= max(_MARGIN, each * size)
        and place.score >= _LEAST * size
        and place.end - place.begin <= _WIDEST * size * max(place.many, 1.0)
    ]
    return max(sure, key=lambda one: one.score, default=None)


def _settled(profile: LengthProfile, model: ProfileModel, place: Place) -> Place:
    """Return the place that is found with what a place teaches."""
    for _ in range(_AGAIN):
        part = profile.part(slice(0, len(profile.src)), slice(place.begin, place.end))
        size = len(part.tgt)
        band = Band(np.zeros(len(part.src) + 1, dtype=np.int64), size + 1, size)
        path, _ = passage_path(model.beads, model.scores(part, band), band, model.passages)
        model = model.learned(part, path)
        before, place = place, next(_places(profile, model), place)
        if (place.begin, place.end) == (before.begin, before.end):
            break
    return place


def _places(profile: LengthProfile, model: ProfileModel) -> Iterator[Place]:
    """Yield the places that fit best, none of which shares a sentence with one before."""
    columns = len(profile.tgt)
    asked = model.scores(profile)
    score, begin = free_paths(model.beads, asked, rows=len(profile.src), columns=columns)
    every = np.arange(columns + 1)
    left = begin < every
    for _ in range(_PLACES):
        if not left.any():
            return
        end = int(np.argmax(np.where(left, score, np.iinfo(np.int64).min)))
        apart = (every <= begin[end]) | (begin >= end)
        other = float(score[apart].max()) if apart.any() else -math.inf
        best = float(score[end])
        found = Place(int(begin[end]), end, best / UNIT, (best - other) / UNIT)
        yield found._replace(scale=model.scale, many=model.many)
        left &= apart
