"""The choice of the initial path of each text pair.

Estimates from a bad path confirm that path. So the first path is searched with several priors and
in several search spaces; each path is scored with the estimates from itself, and rounds begin with
the best one. First come the search spaces of texts that are a part of the other text, then the
comparison of paths, and last the order in which priors and spaces are tried.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bitext.align.sentences.bead_types import (
    abridged,
    are_excerpts,
    are_unequal,
    finely_cut_priors,
    may_be_abridged,
    sentence_ratio,
    starts,
    usual_priors,
)
from bitext.align.sentences.corridor import Corridor
from bitext.align.sentences.evidence import UNIT
from bitext.align.sentences.evidence.punctuation import SentenceMarks
from bitext.align.sentences.hard_boundaries import HardBoundaries
from bitext.align.sentences.length_profile import (
    LengthProfile,
    ProfileModel,
    free_places,
    whole_path,
)
from bitext.align.sentences.omissions import Expected, Omissions, worth
from bitext.align.sentences.search_space import SearchSpace, apart_of, space_of
from bitext.align.sentences.state import (
    AlignerState,
    AlignmentTask,
    PairPath,
    bead_scores,
    estimate_priors,
    estimate_punctuation,
    find_paths,
    priors_in,
    space_in,
)
from bitext.kernels.arrays import Floats, median
from bitext.kernels.bead_path import BeadPath

if TYPE_CHECKING:
    from bitext.align.sentences.texts import Each, SentencePair

# Search spaces for a text that is only a part of the other text.
#
# If one text has many more sentences than the other, most of these have no translation, and the
# ratio of the lengths of whole texts does not apply to sentences. Two search spaces are tried
# beside the usual one. The first assumes that the shorter text is taken from several places:
# passages may be omitted nearly everywhere. The second assumes that it is taken from one place,
# where the path of all its sentences, by lengths and marks, fits best. This search begins at the
# places that fit best with the usual model, and is repeated with the model estimated there.
#
# An abridged text omits single sentences everywhere. For such texts a path is tried with a prior of
# unaligned sentences that corresponds to the numbers of sentences.

# Set by hand. Change of F1 if halved and if doubled, mean of three cases with shortened texts
# (alignment_constants.md): _OPENING_COST -.047 and 0, _LARGEST_LENGTH_RATIO -.210 and 0,
# _SENTENCES_BESIDE 0 and -.067, _SHARE_BESIDE 0 and -.116. SEARCHED_ROWS moves some beads and no
# F1, the other numbers move no bead: margins and least scores only decide for texts that fit in
# several places, or nowhere.
_OPENING_COST = -3.0  # natural logarithm: cost of opening a passage in an excerpt, which has many
_END_PROBABILITY = 0.5  # probability, for each sentence of the shorter text, that a passage ends
SMALL_TABLE = 1 << 18  # points of a table that is searched whole in any case
# Points of a table that is searched for passages whole: bounds time and memory
_MOST_PASSAGE_POINTS = 1 << 22
# Points of a table that is searched for a place: bounds time and memory
_MOST_PLACE_POINTS = 1 << 25
SEARCHED_ROWS = 192  # sentences of the shorter text whose place is searched: bounds time
_VARIANCE = 2.0  # letters: variance of a length for each letter, before any is learned
_MOST_PLACES = 4  # candidate places that are aligned: bounds time
_MOST_SEARCHES = 2  # searches with the model estimated from a place
_LEAST_LEAD = 10.0  # natural logarithm: least lead of a place over any other
_EACH = 0.25  # natural logarithm: more of `_LEAST_LEAD` for each sentence, as chance grows
_SCALED_EACH = 0.4  # the same at each of several other ratios of lengths
_LEAST_SENTENCE_SCORE = -0.05  # natural logarithm: least score of the path for each sentence
# Factor: largest length of a place, in sentences, relative to the searched text
_LARGEST_LENGTH_RATIO = 1.6
# Factors of the ratio of lengths, tried if no place is found
_SCALES = (1.35, 1 / 1.35, 1.8, 1 / 1.8)
# Sentences: shorter texts fit by chance at one of these ratios, which are not tried
_LEAST_SCALED_SENTENCES = 60
# Natural logarithm: upper bound of the lead that counts against other search spaces
_MOST_LEAD = 10.0
_MOST_SCALED_LEAD = 50.0  # the same at another ratio, since other spaces explain more by chance
_SENTENCES_BESIDE = 8  # sentences before and after a place that belong to it
_SHARE_BESIDE = 0.1  # more of them for each sentence of the place
_DRIFT = 0.25  # more of them for each sentence that was not searched


class Excerpt(NamedTuple):
    """The search space of the path if one text is an excerpt of the other."""

    space: SearchSpace
    lead: float  # the evidence for it besides its path, a natural logarithm


class Place(NamedTuple):
    """The place of a whole text in another one."""

    # `begin`, `end`: the sentences there, half-open.
    begin: int
    end: int
    score: float  # of the path through them, a natural logarithm
    margin: float  # the lead of that path over any path through other sentences
    # The factor between the ratio of letters there and the expected one, from the ratio of
    # sentences; 1 if both agree.
    scale: float = 1.0
    # The number of these sentences for each sentence of the text, if one of the texts is cut more
    # finely; else 1.
    sentence_ratio: float = 1.0

    def adapted(self, model: ProfileModel, *, turned: bool) -> ProfileModel:
        """Adapt a model to the lengths of the place, with the sides exchanged if `turned`."""
        scaled = model.scaled(1 / self.scale if turned else self.scale)
        if self.sentence_ratio == 1.0:
            return scaled
        return scaled.finer(1 / self.sentence_ratio if turned else self.sentence_ratio)


def excerpt_spaces(
    pair: SentencePair,
    space: SearchSpace,
    marks: tuple[SentenceMarks, SentenceMarks] | None,
    *,
    most: int = _MOST_PASSAGE_POINTS,
) -> list[Excerpt]:
    """Build the search spaces of an excerpt: from several places, and from one place.

    `space` is that of the usual search, and `marks` are the punctuation marks of both sides. A
    table of at most `most` points is searched whole, a larger one near its anchors.

    The result has a space from several places, if the table is not too large, and one from one
    place, if a place fits and there are no paragraphs. It is empty unless one text is longer and
    has three times the sentences of the other.
    """
    rows, columns = len(pair.src), len(pair.tgt)
    shorter_size, longer_size = sorted([rows, columns])
    if not shorter_size or not are_excerpts(columns / rows, _length_ratio(pair)):
        return []
    profile = LengthProfile(pair.src.letters, pair.tgt.letters, marks)
    source_is_longer = rows > columns
    # Nearly all omissions are sentences of the longer text.
    rest = _END_PROBABILITY * shorter_size / longer_size
    priors = (1.0 - rest, rest) if source_is_longer else (rest, 1.0 - rest)
    known = _alike(space, profile)._replace(expected=Expected(_OPENING_COST, *priors))
    apart = apart_of(pair)
    anywhere = _anywhere(known, apart, SMALL_TABLE, most)
    excerpts = [Excerpt(anywhere, 0.0)] if anywhere.corridor.cells <= most else []
    place = excerpt_place(profile) if space.hard_boundaries is None else None
    if place is not None:
        long = np.array([0, place.begin, place.end, longer_size])
        short = np.array([0, 0, shorter_size, shorter_size])
        in_place = HardBoundaries(long, short) if source_is_longer else HardBoundaries(short, long)
        corridor = in_place.narrowed(Corridor.whole(rows, columns))
        model = None if known.model is None else place.adapted(known.model, turned=source_is_longer)
        one = known._replace(
            corridor=corridor, omissions=apart, bare=0, hard_boundaries=in_place, model=model
        )
        most_lead = _MOST_LEAD if place.sentence_ratio == 1.0 else _MOST_SCALED_LEAD
        excerpts.append(Excerpt(one, min(place.margin, most_lead)))
    return excerpts


def abridged_space(
    pair: SentencePair,
    space: SearchSpace,
    marks: tuple[SentenceMarks, SentenceMarks] | None,
    *,
    small: int = SMALL_TABLE,
    most: int = _MOST_PASSAGE_POINTS,
) -> SearchSpace | None:
    """Build the search space of an abridged translation.

    `pair`, `space` and `marks` are as in `excerpt_spaces`. The space is the whole table, if that
    has at most `small` points, or at most `most` points and too few anchors. The result is None
    unless one text is longer and has 1.2 times the sentences of the other.
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
    """Set the model of a space to equal lengths of sentences in both texts, for any numbers."""
    model = ProfileModel.first(profile).scaled(len(profile.src) / len(profile.tgt))
    return space._replace(model=model, profiled=True)


def _anywhere(space: SearchSpace, apart: Omissions | None, small: int, most: int) -> SearchSpace:
    """Widen a space to the whole table, if that is needed and the table is not too large."""
    rows, columns = space.corridor.rows, space.corridor.columns
    points = (rows + 1) * (columns + 1)
    sure = points > small and space.tied and not space.hangs_on_few
    if points > most or sure:
        return space
    return space._replace(corridor=Corridor.whole(rows, columns), omissions=apart, bare=0)


def excerpt_place(profile: LengthProfile) -> Place | None:
    """Find the place of the shorter text in the longer one, by lengths and punctuation.

    From a long text 192 sentences in its middle are placed; the others are assumed to be around
    them. Sentences are assumed to have equal lengths in both texts. If no place fits, and the text
    has 60 sentences or more, other ratios are tried, and a finer cut of either text.

    The place has some sentences before and after it, for uncertainty. The result is None if no
    place fits clearly better than all others, or the table is too large.

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
    src_size, tgt_size = len(profile.src), len(profile.tgt)
    size = min(src_size, SEARCHED_ROWS)
    if not src_size or (size + 1) * (tgt_size + 1) > _MOST_PLACE_POINTS:
        return None
    first = ProfileModel.first(profile).scaled(src_size / tgt_size)
    first = first._replace(lengths=first.lengths._replace(variance=_VARIANCE))
    before = (src_size - size) // 2
    amid = profile.part(slice(before, before + size), slice(0, tgt_size))
    best = _best(amid, [first], _EACH)
    is_unscaled = best is not None
    if (
        not is_unscaled
        and size >= _LEAST_SCALED_SENTENCES
        and (size + 1) * (tgt_size + 1) * len(_SCALES) <= _MOST_PLACE_POINTS
    ):
        # Sentences of both texts may differ in length, for example if one text is cut more finely.
        scaled = [first.scaled(scale) for scale in _SCALES]
        finer = [one.finer(scale) for one, scale in zip(scaled, _SCALES, strict=True)]
        best = _best(amid, [*scaled, *finer], _SCALED_EACH)
    if best is None:
        return None
    place_size = best.end - best.begin
    beside = _SENTENCES_BESIDE + int(_SHARE_BESIDE * place_size)
    slope = (1.0 + _DRIFT) * place_size / size
    begin = best.begin - beside - int(slope * before)
    end = best.end + beside + int(slope * (src_size - size - before))
    scale = 1.0 if is_unscaled else best.scale * tgt_size / src_size
    return best._replace(begin=max(begin, 0), end=min(end, tgt_size), scale=scale)


def _best(profile: LengthProfile, models: Sequence[ProfileModel], each: float) -> Place | None:
    """Choose the best of the places that fit clearly better than any other."""
    size = len(profile.src)
    settled = [
        _settled(profile, model, place) for model in models for place in _places(profile, model)
    ]
    sure = [
        place
        for place in settled
        if place.margin >= max(_LEAST_LEAD, each * size)
        and place.score >= _LEAST_SENTENCE_SCORE * size
        and place.end - place.begin <= _LARGEST_LENGTH_RATIO * size * max(place.sentence_ratio, 1.0)
    ]
    return max(sure, key=lambda one: one.score, default=None)


def _settled(profile: LengthProfile, model: ProfileModel, place: Place) -> Place:
    """Search a place again with the model estimated from the place."""
    for _ in range(_MOST_SEARCHES):
        part = profile.part(slice(0, len(profile.src)), slice(place.begin, place.end))
        model = model.learned(part, whole_path(part, model)[0])
        before, place = place, next(_places(profile, model), place)
        if (place.begin, place.end) == (before.begin, before.end):
            break
    return place


def _places(profile: LengthProfile, model: ProfileModel) -> Iterator[Place]:
    """Yield the places that fit best, without common sentences."""
    for begin, end, score, lead, _ in itertools.islice(free_places(profile, model), _MOST_PLACES):
        yield Place(begin, end, score, lead, scale=model.scale, sentence_ratio=model.sentence_ratio)


_NONE = np.zeros(0, dtype=np.int64)
_NO_PATH = BeadPath(0, _NONE, _NONE, _NONE, 0.5)  # of a text pair that was not searched

# Set by hand; scores are natural logarithms. Change of F1 if halved and if doubled (same cases):
# _RARELY 0 and -.048, _LEAST_ABRIDGED_SCORE -.048 and 0; on parice _CLEAR_LEAD 0 and -.049. The
# others move no bead there.
_CLEAR_LEAD = 3.0  # least difference from a clearly better path: 20 times as likely
# Cost for each bead of a path of a rare kind of text (chosen by alignment_corpora.py)
_RARELY = 0.1
# Largest sum of this cost if the path scores above 0, and so is not accidental
_LARGEST_RARITY_COST = 50.0
_MOST_ONE_SIDED = 0.03  # largest share of beads with an empty side in a path that fits
_FIT, _MORE = 1.0, 70.0  # least mean score of a bead in a path that fits; slope with this share
# Least mean score of a bead of an abridged text (chosen by alignment_passages.py)
_LEAST_ABRIDGED_SCORE = -0.75
# Least mean score of a bead of a path along few anchors that is accepted
_LEAST_TRUSTED_SCORE = 2.0


class InitialPaths(NamedTuple):
    """The paths of text pairs with some priors, before any estimates."""

    priors: Floats  # shape (beads,)
    found: Mapping[int, PairPath]  # by the number of the text pair
    scores: Mapping[int, int]  # the score of each path, with the estimates from the paths
    with_punctuation: bool = True  # whether punctuation counted in the search

    @property
    def score(self) -> int:
        """The score of all paths."""
        return sum(self.scores.values())

    @property
    def spaces(self) -> dict[int, SearchSpace]:
        """The search space of each path."""
        return {k: one.space for k, one in self.found.items()}

    def fits(self, beads: Sequence[tuple[int, int]], *, unit: float) -> bool:
        """Judge whether other priors need not be tried.

        If the path misses omissions, sentences are aligned with wrong ones: beads have low scores,
        and some sentences are still unaligned. In 92 cases of 23 language pairs other priors are
        better for 28; with as few unaligned sentences, none of these reaches two thirds of the
        score that is required here.

        `unit` is the score of a natural logarithm of 1.
        """
        kinds = np.concatenate([_NONE, *(one.path.kinds for one in self.found.values())])
        kinds = kinds[kinds >= 0]
        if not len(kinds) or any(one.space.passages is not None for one in self.found.values()):
            return False
        alone = [k for k, (a, b) in enumerate(beads) if not (a and b)]
        share = float(np.isin(kinds, alone).mean())
        least_mean = (_FIT + _MORE * share) * unit
        return share <= _MOST_ONE_SIDED and self.score >= least_mean * len(kinds)

    def of(self, numbers: Sequence[int]) -> InitialPaths:
        """Return the paths of some text pairs."""
        return self._replace(
            found={k: self.found[k] for k in numbers}, scores={k: self.scores[k] for k in numbers}
        )

    def joined(self, other: InitialPaths) -> InitialPaths:
        """Return these paths with those of `other` in place of their own."""
        return self._replace(
            found={**self.found, **other.found}, scores={**self.scores, **other.scores}
        )

    def telling(self, beads: Sequence[tuple[int, int]], *, least: float) -> InitialPaths:
        """Return the paths that score at least `least` for each bead with both sides."""
        both = [k for k, (a, b) in enumerate(beads) if a and b]
        numbers = [
            k
            for k, one in self.found.items()
            if self.scores[k] >= least * np.count_nonzero(np.isin(one.path.kinds, both))
        ]
        return self.of(numbers)

    def rarity_penalty(self) -> dict[int, float]:
        """Return the handicap of each path for a rare kind of text, below 0."""
        handicaps = {k: _RARELY * one.beads for k, one in self.found.items()}
        return {
            k: -min(handicap, _LARGEST_RARITY_COST) if self.scores[k] > 0 else -handicap
            for k, handicap in handicaps.items()
        }

    def with_better(
        self, other: InitialPaths, *, unit: float, leads: Mapping[int, float] | None = None
    ) -> InitialPaths:
        """Return these paths with those of `other` that score clearly better.

        `other` has paths of some or all of the text pairs: if all are better, `other` itself is
        returned. `leads` has the lead or handicap of the other path, by text pair. `unit` is the
        score of a natural logarithm of 1.
        """
        known = leads or {}
        least = {k: (_CLEAR_LEAD - known.get(k, 0.0)) * unit for k in self.found}
        better = [k for k in other.found if other.scores[k] > self.scores[k] + least[k]]
        if len(better) == len(self.found):
            return other
        return self.joined(other.of(better))

    def or_better(self, others: Sequence[InitialPaths]) -> InitialPaths:
        """Return the best of these paths, with usual priors, and of those with other priors.

        Paths with priors of many omissions must be clearly better. Texts of which one is cut more
        finely are rare, so paths with their priors have a handicap for each bead.

        `others` are in the order of `bead_types.starts`.
        """
        beads = sum(one.beads for one in self.found.values())
        leads = [_CLEAR_LEAD, *[_CLEAR_LEAD + _RARELY * beads] * (len(others) - 1)]
        better = [
            other
            for other, lead in zip(others, leads, strict=True)
            if other.score > self.score + lead * UNIT
        ]
        return max(better, key=lambda other: other.score, default=self)


def is_unusual(task: AlignmentTask, k: int) -> bool:
    """Judge by its sizes whether text pair k may be of a rare kind."""
    return may_be_partial(task.pairs[k]) or are_unequal(_ratio(task, k))


def _ratio(task: AlignmentTask, k: int) -> float:
    """Return the number of target sentences of text pair k for each of the source."""
    return len(task.pairs[k].tgt) / max(len(task.pairs[k].src), 1)


def choose_initial_paths(
    task: AlignmentTask, state: AlignerState, each: Each
) -> tuple[AlignerState, dict[int, PairPath]]:
    """Choose the priors and search spaces that rounds begin with.

    First a sample of the texts is searched with usual priors. If these paths do not fit well, other
    priors are tried, then the rare kinds of texts (one cut more finely than the other, excerpts,
    abridged ones), and finally the best of these without punctuation, since full stops agree by
    accident in lists of abbreviations. If they fit, other priors are tried only for the single
    texts that do not fit.

    Paths are scored with the priors, lengths and punctuation that are estimated from them: these
    have few parameters to overfit. Words are left out, as a lexicon learned from a path confirms
    it.

    The sample decides for all texts of a corpus, but each text of unusual sizes is decided by
    itself.

    The returned paths are those that the first round need not search again.
    """
    choice = _Choice(task, each)
    if task.pretrained is not None:
        if not is_unusual(task, 0):  # the corpus taught the priors
            path = task.pretrained.path
            known = {} if path is None else {0: PairPath(path, None, space_in(task, state, 0))}
            return state, known
        best = choice.try_priors(state, state.priors, [0])
        state, best = choice.with_rare_kinds(state, best)
        return _begin_from(state, best)
    unusual = [k for k in range(len(task.pairs)) if is_unusual(task, k)]
    best = choice.try_priors(state, starts(task.beads)[0], _sample(task, unusual))
    if best.fits(task.beads, unit=UNIT):
        state, best = choice.choose_for_unfit(state, best)
    else:
        state, best = choice.choose(state, best)
    if rest := [k for k in unusual if k not in best.found]:
        choice = choice._replace(beside=best.found)
        usual = choice.try_priors(state, best.priors, rest, punctuation=best.with_punctuation)
        state, usual = choice.choose_for_unfit(state, usual)
        best = best.joined(usual)
    return _begin_from(state, best)


def _begin_from(
    state: AlignerState, start: InitialPaths
) -> tuple[AlignerState, dict[int, PairPath]]:
    state = replace(
        state,
        priors=start.priors,
        with_punctuation=start.with_punctuation,
        spaces={**state.spaces, **start.spaces},
    )
    # In long texts the part that is learned from is larger than the part that is compared.
    return state, {k: one for k, one in start.found.items() if (one.path.kinds >= 0).all()}


def _sample(task: AlignmentTask, unusual: Sequence[int]) -> list[int]:
    """Return enough text pairs to compare priors; the choice does not depend on their order."""
    usual = sorted({*range(len(task.pairs))}.difference(unusual)) or list(unusual)
    usual.sort(key=lambda k: [f(side) for side in task.sizes[k] for f in (len, np.sum)])
    sentence_count = sum(len(task.pairs[k].src) for k in usual)
    return sorted(usual[:: max(1, sentence_count // task.compared)])


class _Choice(NamedTuple):
    task: AlignmentTask
    each: Each  # does the work for each text pair, as `map` does
    beside: Mapping[int, PairPath] = {}  # paths of other text pairs, which estimates include

    def choose_for_unfit(
        self, state: AlignerState, start: InitialPaths
    ) -> tuple[AlignerState, InitialPaths]:
        """Choose again for those text pairs whose paths do not fit."""
        unfit = [k for k in start.found if not start.of([k]).fits(self.task.beads, unit=UNIT)]
        if not unfit:
            return state, start
        others = self._replace(beside={**self.beside, **start.found})
        state, chosen = others.choose(state, start.of(unfit))
        return state, start.joined(chosen)

    def choose(self, state: AlignerState, usual: InitialPaths) -> tuple[AlignerState, InitialPaths]:
        """Choose the best paths of text pairs whose paths with usual priors do not fit well."""
        numbers = list(usual.found)
        state, best = self._without_few_anchors(state, usual)
        spaces, others = best.spaces, []
        for priors in starts(self.task.beads, self._sentence_ratio(state, spaces))[1:]:
            others.append(self.try_priors(state, priors, numbers, spaces))
            # A model of lengths is searched for only once.
            spaces = others[-1].spaces
        best = best.or_better(others)
        # For a single pair, the other priors include one text that is cut more finely.
        finer = len(self.task.pairs) > 1
        state, best = self.with_rare_kinds(state, best, finer=finer)
        if state.punctuation is not None:
            spaces = best.spaces
            plain = self.try_priors(state, best.priors, numbers, spaces, punctuation=False)
            best = best.or_better([plain])
        return state, best

    def _sentence_ratio(self, state: AlignerState, spaces: Mapping[int, SearchSpace]) -> float:
        """Return the number of target sentences for one of the source, outside of passages."""
        models = [space.model for space in spaces.values()]
        if finer := [one.sentence_ratio for one in models if one is not None and one.is_finer]:
            return median(finer)
        src = sum(len(self.task.pairs[k].src) for k in spaces)
        tgt = sum(len(self.task.pairs[k].tgt) for k in spaces)
        return sentence_ratio(src, tgt, lambda: state.lengths.ratio)

    def try_priors(
        self,
        state: AlignerState,
        priors: Floats,
        numbers: Sequence[int],
        spaces: Mapping[int, SearchSpace] | None = None,
        *,
        punctuation: bool = True,
    ) -> InitialPaths:
        """Search the paths of some text pairs with some priors, and score them.

        `spaces` are the search spaces, as far as they are known; passages are searched again.
        Without `punctuation`, punctuation does not count in the search.
        """
        known = {k: space._replace(passages=None) for k, space in (spaces or {}).items()}
        tried = replace(state, priors=priors, with_punctuation=punctuation, spaces=known)
        pair_paths = dict(
            find_paths(self.task, tried, numbers, self.each, last=False, rows=self.task.compared)
        )
        return self._score(state, priors, pair_paths, punctuation=punctuation)

    def _score(
        self,
        state: AlignerState,
        priors: Floats,
        pair_paths: Mapping[int, PairPath],
        *,
        punctuation: bool,
    ) -> InitialPaths:
        """Score paths with the estimates from them and from the paths `beside`."""
        all_paths = {**self.beside, **pair_paths}
        taught = replace(
            state,
            priors=priors,
            with_punctuation=True,
            spaces={k: one.space for k, one in all_paths.items()},
            paths=tuple(
                all_paths[k].path if k in all_paths else _NO_PATH
                for k in range(len(self.task.pairs))
            ),
        )
        taught = estimate_punctuation(self.task, estimate_priors(self.task, taught))
        scores = {}
        for k, one in pair_paths.items():
            scores[k] = worth(
                self.task.beads,
                bead_scores(self.task, taught, k, one.space, omissions=False),
                one.path,
                unit=UNIT,
                chance=priors_in(self.task, taught, k),
                expected=one.space.expected,
            )
        return InitialPaths(priors, pair_paths, scores, punctuation)

    def _without_few_anchors(
        self, state: AlignerState, start: InitialPaths
    ) -> tuple[AlignerState, InitialPaths]:
        """Search without anchors if a few of them may be misleading; choose the better paths.

        A few anchors may be accidental, for example if the pages of both texts have their own
        numbers. If beads fit, anchors are not accidental, and a search without them would cover the
        whole table.
        """
        doubtful = [
            k
            for k, one in start.found.items()
            if one.space.hangs_on_few and start.scores[k] < _LEAST_TRUSTED_SCORE * UNIT * one.beads
        ]
        if not doubtful:
            return state, start
        bare = {k: space_of(self.task.pairs[k], marks=self.task.marks_of(k)) for k in doubtful}
        numbers = list(start.found)
        other = self.try_priors(state, start.priors, numbers, {**start.spaces, **bare})
        better = start.with_better(other, unit=UNIT)
        misled = state.misled.union(k for k in doubtful if not better.found[k].space.tied)
        return replace(state, misled=misled), better

    def with_rare_kinds(
        self, state: AlignerState, start: InitialPaths, *, finer: bool = True
    ) -> tuple[AlignerState, InitialPaths]:
        """Try the rare kinds of texts; choose the paths that are better."""
        if finer:
            state, start = self._as_finer(state, start)
        start = self._as_excerpts(state, start)
        return state, self._as_abridged(state, start)

    def _as_finer(
        self, state: AlignerState, start: InitialPaths
    ) -> tuple[AlignerState, InitialPaths]:
        """Try priors and models for texts of which one is cut more finely."""
        unequal = [k for k in start.found if are_unequal(_ratio(self.task, k))]
        spaces = {k: start.found[k].space for k in unequal}
        priors = partial(finely_cut_priors, self.task.beads)
        if state.finer is None:
            return state, self._as_rare(state, start, spaces, priors)
        if not unequal:
            return state, start
        others = state.finer.difference(start.found)
        state = replace(state, finer=others.union(unequal))
        # A list or two within a sentence do not show that the whole text is cut finely: for the
        # comparison of paths, the usual path may also have large beads.
        punctuation = start.with_punctuation
        usual = self._score(state, start.priors, start.found, punctuation=punctuation)
        rare_paths = self._as_rare(state, usual, spaces, priors)
        finer = others.union(k for k in unequal if rare_paths.found[k] is not start.found[k])
        # If neither text is cut finely, the score of the path does not change.
        unchanged = start.of([k for k in start.found if k not in finer])
        return replace(state, finer=finer), rare_paths.joined(unchanged)

    def _as_excerpts(self, state: AlignerState, start: InitialPaths) -> InitialPaths:
        """Try excerpts: sentences from several places, then from one place."""
        excerpts = {
            k: excerpt_spaces(self.task.pairs[k], one.space, self.task.marks_of(k))
            for k, one in start.found.items()
        }
        for number in (0, 1):
            excerpts_of_pairs = {
                k: found[number] for k, found in excerpts.items() if number < len(found)
            }
            leads = {k: one.lead for k, one in excerpts_of_pairs.items()}
            spaces = {k: one.space for k, one in excerpts_of_pairs.items()}
            for priors in starts(self.task.beads) if excerpts_of_pairs else []:
                other = self.try_priors(state, priors, list(excerpts_of_pairs), spaces)
                start = start.with_better(other, unit=UNIT, leads=leads)
        return start

    def _as_abridged(self, state: AlignerState, start: InitialPaths) -> InitialPaths:
        space_of_pair = {
            k: abridged_space(self.task.pairs[k], one.space, self.task.marks_of(k))
            for k, one in start.found.items()
        }
        spaces = {k: space for k, space in space_of_pair.items() if space is not None}
        priors = partial(abridged, self.task.beads)
        # If so many sentences may be unaligned, some of the others fit by chance.
        return self._as_rare(state, start, spaces, priors, least=_LEAST_ABRIDGED_SCORE)

    def _as_rare(
        self,
        state: AlignerState,
        start: InitialPaths,
        spaces: Mapping[int, SearchSpace],
        rare_priors: Callable[[Floats, float], Floats],
        *,
        least: float | None = None,
    ) -> InitialPaths:
        """Try the priors of a rare kind of text in some search spaces; keep better paths.

        `rare_priors` computes them from the usual priors and a number of target sentences for each
        source sentence: the median over texts with more source sentences, and over the others.
        """
        for fewer in (True, False):
            numbers = [k for k in spaces if (_ratio(self.task, k) < 1.0) is fewer]
            if not numbers:
                continue
            ratio = median([_ratio(self.task, k) for k in numbers])
            priors = rare_priors(usual_priors(self.task.beads), ratio)
            other = self.try_priors(state, priors, numbers, {k: spaces[k] for k in numbers})
            if least is not None:
                other = other.telling(self.task.beads, least=least * UNIT)
            start = start.with_better(other, unit=UNIT, leads=other.rarity_penalty())
        return start
