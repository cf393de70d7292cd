"""The state of the aligner after each round, and the path of a text pair in a state.

`AlignmentTask` holds the data computed once. `AlignerState` holds the estimates and paths of a
round; it is frozen, and the functions of this module return the next one. Scores of beads come
from both. First come the two classes, then the score of a bead, the estimates from paths, and the
search for a path with its posteriors.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bitext.align.sentences.bead_types import (
    are_unequal,
    estimate_text_priors,
    leave_one_out_counts,
    share_alone,
    smoothed_priors,
    usual_priors,
    without_finer,
)
from bitext.align.sentences.corridor import Corridor
from bitext.align.sentences.evidence import (
    UNIT,
    WORD,
    Evidence,
    LengthEvidence,
    LengthModel,
    ScoreCache,
    whole_sums,
)
from bitext.align.sentences.evidence.punctuation import (
    PunctuationEvidence,
    PunctuationModel,
    SentenceMarks,
    marks_of_texts,
)
from bitext.align.sentences.evidence.times import TimeEvidence, TimeMap, estimate_time_map
from bitext.align.sentences.evidence.words import LexicalEvidence
from bitext.align.sentences.lexical import Vocabulary
from bitext.align.sentences.lexical.cognates import SimilarWords, cognates
from bitext.align.sentences.lexical.translation_model import (
    BeadPoints,
    WordFamilies,
    adjusted_discount,
    learn_families,
)
from bitext.align.sentences.lexical.word_links import (
    Links,
    WordPairs,
    frequencies,
    join_pairs,
    links_of,
    renumbered,
    shares_of,
    without_common,
)
from bitext.align.sentences.lockstep import Steps, alone, together
from bitext.align.sentences.omissions import (
    Omissions,
    are_good,
    doubtful,
    keep_passages_whole,
    may_be_doubtful,
    search_omissions,
)
from bitext.align.sentences.options import SentenceMethod, SentenceOptions
from bitext.align.sentences.relatedness import WrongLanguageSides, wrong_language_sides
from bitext.align.sentences.search import (
    BandScores,
    PosteriorScope,
    SearchLimits,
    StretchPath,
    best_in_stretches,
    by_size,
    posteriors_along,
    sample_along,
)
from bitext.align.sentences.search_space import SearchSpace, space_of
from bitext.kernels.arrays import Floats, Ints, prefix
from bitext.kernels.bead_path import Band, BeadPath
from bitext.kernels.compiled import compiled_kernels

if TYPE_CHECKING:
    from bitext.align.sentences.texts import Each, SentencePair

    _Model = tuple[Hashable, object, Callable[[], Evidence]]
    BothSides = tuple[Floats, Floats]  # of the source, of the target


# Set by hand. Change of F1 if halved and if doubled (alignment_constants.md): _PASSAGE_BEADS 0 and
# -.008. The cases there do not reach _TRUST_BEADS, which is for corpora; _LOWEST moves no bead.
_LOWEST = -1e6  # natural logarithm: lowest score; 1,024 times this fits into the kernels' 32 bits
# Beads: weight of other texts' priors for lengths alone (alignment_corpora.py)
_TRUST_BEADS = 500.0
_COMPARED_SENTENCES = 2_000  # source sentences that are aligned to compare priors: bounds time
# Beads of a type counted in passages of a text: as long as the shortest passage
_PASSAGE_BEADS = 32


class WordStatistics(NamedTuple):
    """Statistics and links of the words of both languages before any text is aligned."""

    # `frequencies`, `shares`: the relative frequency of each word, and the share of sentences that
    # have it; shape (vocabulary,).
    frequencies: BothSides
    shares: BothSides
    prior_links: WordPairs  # words that look or sound alike, and those of given lexicons


class Pretrained(NamedTuple):
    """Priors and a lexicon from a corpus, for a text that is aligned by itself."""

    priors: Floats  # shape (beads,)
    beads: float  # the number of beads that they were estimated from
    lexicon: WordPairs
    path: BeadPath | None = None  # the path of this text if it was learned from


@dataclass(frozen=True, eq=False)
class AlignmentTask:
    """Text pairs of two languages, with all data that are computed once."""

    pairs: list[SentencePair]  # with common vocabularies
    method: SentenceMethod
    options: SentenceOptions
    sizes: list[BothSides]  # the lengths of the sentences of each pair, in the unit of the method
    words: WordStatistics | None = None  # none if words are not evidence
    # None if punctuation is not evidence.
    marks: list[tuple[SentenceMarks, SentenceMarks]] | None = None
    # Returns further evidence of a pair by its number.
    more: Callable[[int], Sequence[Evidence]] | None = None
    pretrained: Pretrained | None = None
    # Which sides are in the language of the other side; None before they are detected.
    wrong_language: list[WrongLanguageSides] | None = None
    # Scores of short texts, which are used repeatedly.
    cache: ScoreCache = field(default_factory=ScoreCache)
    # The sizes of the parts of each search.
    limits: SearchLimits = field(default_factory=SearchLimits)
    compared: int = _COMPARED_SENTENCES  # source sentences that are aligned to compare priors
    # Whether the last round computes the posteriors of all beads; paths do not depend on it.
    scored: bool = True
    spared: int = 0  # rounds that are left out at the end

    @property
    def beads(self) -> tuple[tuple[int, int], ...]:
        """The bead types."""
        return self.options.kinds

    def marks_of(self, k: int) -> tuple[SentenceMarks, SentenceMarks] | None:
        """Return the marks of text pair k."""
        return None if self.marks is None else self.marks[k]

    @cached_property
    def families(self) -> tuple[WordFamilies, WordFamilies]:
        """The families of the words of both languages; only learning needs them."""
        one, (src, tgt) = self.pairs[0], self.words.shares if self.words else ((), ())
        # The vocabulary may have grown since.
        return (
            WordFamilies.among(one.src.vocabulary.forms[: len(src)]),
            WordFamilies.among(one.tgt.vocabulary.forms[: len(tgt)]),
        )

    @property
    def prior_lexicons(self) -> list[WordPairs]:
        """The links that are known before any alignment."""
        return [] if self.words is None else [self.words.prior_links]


@dataclass(frozen=True, slots=True, eq=False)
class AlignerState:
    """The estimates and paths of the text pairs after a round."""

    priors: Floats  # the prior of each bead type over all texts; shape (beads,)
    lengths: LengthModel
    # The priors in each text; None before any were estimated. Shape (texts, beads).
    text_priors: Floats | None = None
    punctuation: PunctuationModel | None = None  # none if punctuation is not evidence
    with_punctuation: bool = True  # whether punctuation counts in this search
    lexicon: WordPairs | None = None  # the translation model that was learned
    # The translation model of word families, as links of their members.
    family_links: WordPairs | None = None
    links: Links | None = None  # all links together, for the evidence of words
    # The search space of each text pair, as far as it is known.
    spaces: Mapping[int, SearchSpace] = field(default_factory=dict)
    paths: tuple[BeadPath, ...] = ()  # the paths of the last round; empty before the first
    # The posteriors of the beads of paths, if they are known.
    posteriors: Mapping[int, Floats] = field(default_factory=dict)
    misled: frozenset[int] = frozenset()  # text pairs whose first path was misled by known words
    # The maps of times of text pairs with times, if a map fits.
    time_maps: Mapping[int, TimeMap] = field(default_factory=dict)
    # Text pairs that may have the bead types of finely cut texts; None: all pairs.
    finer: frozenset[int] | None = None


def prepare_task(
    pairs: Sequence[SentencePair],
    method: SentenceMethod,
    options: SentenceOptions,
    *,
    given: Sequence[WordPairs] = (),
    more: Callable[[int], Sequence[Evidence]] | None = None,
    each: Each = map,
    statistics: tuple[BothSides, BothSides] | None = None,
    similar: SimilarWords | None = None,
) -> AlignmentTask:
    """Compute the data of some text pairs that never change.

    `pairs` have common vocabularies; `given` has lexicons and dictionaries in their numbers. `more`
    returns further evidence of a pair by its number. `each` does the work for each of some numbers,
    as `map` does. `statistics` are the frequencies of words and the shares of sentences that have
    them, by default counted; `similar` are the words of one pair with similar spelling, by default
    compared.
    """
    sides = [lengths_in(method, one) for one in pairs]
    words, wrong_language = None, None
    if method.words and pairs:
        vocabularies = pairs[0].src.vocabulary, pairs[0].tgt.vocabulary
        wrong_language = wrong_language_sides(pairs)
        counted, shares = statistics or _count_words(pairs, *vocabularies)
        similar_pairs = _alike_words(
            pairs, vocabularies, shares, wrong_language, similar, each=each
        )
        prior_links = without_common(join_pairs([*given, similar_pairs]), *shares)
        words = WordStatistics(counted, shares, prior_links)
    marks = marks_of_pairs(pairs, method, options, each=each)
    return AlignmentTask(
        list(pairs), method, options, sides, words, marks, more, wrong_language=wrong_language
    )


def marks_of_pairs(
    pairs: Sequence[SentencePair],
    method: SentenceMethod,
    options: SentenceOptions,
    *,
    each: Each = map,
) -> list[tuple[SentenceMarks, SentenceMarks]] | None:
    """Return the marks of both sides of each pair; None if punctuation is not evidence."""
    if not (method.words and options.mark_weight):
        return None
    texts = [side.seen for pair in pairs for side in (pair.src, pair.tgt)]
    mark_tables = marks_of_texts(texts, each=each)
    return list(zip(mark_tables[::2], mark_tables[1::2], strict=True))


def first_state(task: AlignmentTask, links: Links | None = None) -> AlignerState:
    """Return the state before any alignment; `links` are by default those known before it."""
    none = np.zeros(0)
    lengths = LengthModel.first(
        np.concatenate([none, *(src for src, _ in task.sizes)]),
        np.concatenate([none, *(tgt for _, tgt in task.sizes)]),
        poisson=task.method.poisson,
        unit=1.0 if task.method.unit == "letters" else WORD,
    )
    src, tgt = (sum(len(getattr(one, side)) for one in task.pairs) for side in ("src", "tgt"))
    all_alike = len(task.pairs) < 2 or are_unequal(tgt / max(src, 1))
    state = AlignerState(
        priors=usual_priors(task.beads),
        lengths=lengths,
        punctuation=None if task.marks is None else PunctuationModel.first(task.marks),
        links=links,
        finer=None if all_alike else frozenset(),
    )
    return with_links(task, state) if links is None else state


def with_links(task: AlignmentTask, state: AlignerState) -> AlignerState:
    """Return the state with the links of all words known at this point."""
    if task.words is None:
        return state
    # Cached scores by other links are no longer valid.
    task.cache.clear()
    known = (task.words.prior_links, state.lexicon, state.family_links)
    joined = join_pairs([one for one in known if one is not None])
    return replace(state, links=links_of(joined, *task.words.frequencies))


def lengths_in(method: SentenceMethod, pair: SentencePair) -> BothSides:
    """Return the lengths of the sentences of a pair, in the unit of the method."""
    if method.unit == "letters":
        return pair.src.letters, pair.tgt.letters
    src, tgt = (np.maximum(side.words, 1).astype(np.float64) for side in (pair.src, pair.tgt))
    return src, tgt


def _count_words(
    pairs: Sequence[SentencePair], *vocabularies: Vocabulary
) -> tuple[BothSides, BothSides]:
    """Return the frequency of each word of both languages, and the share of sentences with it."""
    src, tgt = [pair.src for pair in pairs], [pair.tgt for pair in pairs]
    number = len(vocabularies[0]), len(vocabularies[1])
    return (
        (frequencies(src, number[0]), frequencies(tgt, number[1])),
        (shares_of(src, number[0]), shares_of(tgt, number[1])),
    )


def _alike_words(
    pairs: Sequence[SentencePair],
    vocabularies: tuple[Vocabulary, Vocabulary],
    shares: BothSides,
    wrong_language: Sequence[WrongLanguageSides],
    similar: SimilarWords | None,
    *,
    each: Each,
) -> WordPairs:
    """Link the words that look or sound alike.

    A text in the language of the other side puts its words into both vocabularies, where each
    equals itself; words that only such texts have are therefore left out.
    """
    src, tgt = vocabularies
    if not any(side.src or side.tgt for side in wrong_language):
        return cognates(src, tgt, shares=shares, similar=similar, each=each)
    is_used = np.zeros(len(src), dtype=bool), np.zeros(len(tgt), dtype=bool)
    for pair, side in zip(pairs, wrong_language, strict=True):
        if not side.src:
            is_used[0][pair.src.ids] = True
        if not side.tgt:
            is_used[1][pair.tgt.ids] = True
    used_words = np.flatnonzero(is_used[0]), np.flatnonzero(is_used[1])
    part = [
        Vocabulary([forms[k] for k in numbers.tolist()])
        for forms, numbers in zip((src.forms, tgt.forms), used_words, strict=True)
    ]
    similar_pairs = cognates(
        part[0], part[1], shares=(shares[0][used_words[0]], shares[1][used_words[1]]), each=each
    )
    return renumbered(similar_pairs, *used_words, sizes=(len(src), len(tgt)))


# The score of a bead: its prior, the evidence, and the terms of the search space.


def evidence_of(task: AlignmentTask, state: AlignerState, k: int) -> list[Evidence]:
    """Return the evidence of text pair k: lengths first, then punctuation, words and times."""
    space = state.spaces.get(k)
    evidence = [make() for _, _, make in _models(task, state, k, space)]
    return evidence if task.more is None else [*evidence, *task.more(k)]


def _models(
    task: AlignmentTask, state: AlignerState, k: int, space: SearchSpace | None
) -> list[_Model]:
    """Return the models of text pair k, and the maker of evidence for each, without `more`."""
    (src, tgt), beads, options = task.sizes[k], task.beads, task.options
    lengths = state.lengths
    if space is not None and state.text_priors is None:
        lengths = space.lengths(lengths, src, tgt)
    # Two equal length models give the same evidence, so the model is its own name.
    models: list[_Model] = [(lengths, lengths, partial(LengthEvidence, beads, src, tgt, lengths))]
    marks, punctuation = task.marks_of(k), state.punctuation
    if punctuation is not None and marks is not None and state.with_punctuation:
        weight = options.mark_weight
        make = partial(PunctuationEvidence, beads, marks, punctuation, weight=weight)
        models.append((id(punctuation), punctuation, make))
    if (links := state.links) is not None:
        words = partial(LexicalEvidence, beads, task.pairs[k], links, weight=options.word_weight)
        models.append((id(links), links, words))
    if (time_map := state.time_maps.get(k)) is not None and (times := times_of(task, k)):
        weight = options.time_weight
        timed = partial(TimeEvidence, beads, *times, time_map, weight=weight)
        models.append((id(time_map), time_map, timed))
    return models


def _cached_evidence(
    task: AlignmentTask, state: AlignerState, k: int, space: SearchSpace
) -> list[Evidence]:
    """Return evidence as `evidence_of` does, with the scores of short texts cached.

    Its blocks are read-only.
    """
    models, cache = _models(task, state, k, space), task.cache
    if (len(task.pairs[k].src) + 1) * (len(task.pairs[k].tgt) + 1) > cache.short:
        evidence = [make() for _, _, make in models]
        return evidence if task.more is None else [*evidence, *task.more(k)]
    cached = [cache.of((k, name), model, make) for name, model, make in models]
    if task.more is not None:
        further = cache.further(k, task.more)
        cached += [cache.of((k, id(one)), one, partial(_itself, one)) for one in further]
    return cached


def _itself(evidence: Evidence) -> Evidence:
    return evidence


def priors_in(task: AlignmentTask, state: AlignerState, k: int) -> Floats:
    """Return the prior of each bead type in text pair k."""
    priors = state.priors if state.text_priors is None else state.text_priors[k]
    is_equally_cut = state.finer is not None and k not in state.finer
    return without_finer(task.beads, priors) if is_equally_cut else priors


def space_in(task: AlignmentTask, state: AlignerState, k: int) -> SearchSpace:
    """Return the search space of text pair k, by its anchors and paragraphs."""
    known = state.spaces.get(k)
    if known is not None:
        return known
    return space_of(task.pairs[k], task.prior_lexicons, marks=task.marks_of(k))


def bead_scores(
    task: AlignmentTask, state: AlignerState, k: int, space: SearchSpace, *, omissions: bool = True
) -> Callable[[int, int, Band], NDArray[np.int32]]:
    """Return the function that scores the beads of text pair k, as the kernels call it.

    Without `omissions`, priors are the same everywhere.
    """
    evidence, priors = _cached_evidence(task, state, k, space), priors_in(task, state, k)
    # Joined once, because it has a number for each sentence.
    left_out = space.left_out if omissions else None
    local = space._replace(omissions=left_out, passages=None)
    logs = np.log(priors).astype(np.float32)

    def score(first: int, last: int, band: Band) -> NDArray[np.int32]:
        parts = [one.block(first, last, band) for one in evidence]
        more = local.block(task.beads, priors, first, last, band)
        return whole_sums([*parts, more] if isinstance(more, np.ndarray) else parts, logs, _LOWEST)

    return score


def estimate(task: AlignmentTask, state: AlignerState) -> AlignerState:
    """Estimate priors, lengths, punctuation and the lexicon from the paths of the last round."""
    state = estimate_times(task, state)
    if task.pretrained is None:
        state = estimate_punctuation(task, estimate_priors(task, state))
        return estimate_lexicon(task, state)
    # For a single text only priors are estimated: the corpus has better estimates of all else.
    if state.lexicon is not task.pretrained.lexicon:
        state = with_links(task, replace(state, lexicon=task.pretrained.lexicon))
    return estimate_priors(task, state)


def estimate_priors(task: AlignmentTask, state: AlignerState) -> AlignerState:
    """Estimate the priors of bead types, and the length model, from the paths."""
    trust = 0.0 if task.method.words else _TRUST_BEADS
    if (known := task.pretrained) is not None:
        weight = min(known.beads, trust)
        counts = (
            leave_one_out_counts(task.beads, count_beads(task, state, 0)) + weight * known.priors
        )
        own = smoothed_priors(task.beads, counts, usual=known.priors)
        return replace(state, text_priors=own[None])
    every = np.zeros((len(state.paths), len(task.beads)))
    for k, path in enumerate(state.paths):
        if len(path.kinds):  # while initial paths are compared, most texts have none
            every[k] = count_beads(task, state, k)
    priors, text_priors = estimate_text_priors(task.beads, every, trust=trust)
    lengths = lengths_of_paths(state.lengths, zip(state.paths, task.sizes, strict=True))
    return replace(state, priors=priors, text_priors=text_priors, lengths=lengths)


def count_beads(task: AlignmentTask, state: AlignerState, k: int) -> Floats:
    """Count the beads of each type in the path of text pair k, as `beads_of_path` does."""
    path = state.paths[k]
    passages = space_in(task, state, k).left_out if len(path.kinds) else None
    return beads_of_path(task.beads, path, passages)


def estimate_punctuation(task: AlignmentTask, state: AlignerState) -> AlignerState:
    """Estimate the model of corresponding marks."""
    if state.punctuation is None or task.marks is None:
        return state
    return replace(state, punctuation=state.punctuation.learned(task.marks, _points(state)))


def estimate_lexicon(task: AlignmentTask, state: AlignerState) -> AlignerState:
    """Estimate the translation model of words, and of families of words."""
    words, options = task.words, task.options
    if words is None:
        return state
    lexicon, family_links = learn_families(
        task.pairs,
        _points(state),
        words.prior_links,
        task.families,
        words.frequencies,
        shares=words.shares,
        discount=adjusted_discount(options.discount, share_alone(task.beads, state.priors)),
        steps=options.steps,
    )
    return with_links(task, replace(state, lexicon=lexicon, family_links=family_links))


def times_of(task: AlignmentTask, k: int) -> BothSides | None:
    """Return the times of both sides of text pair k; None if they are not known, or not used."""
    src, tgt = task.pairs[k].src.text.times, task.pairs[k].tgt.text.times
    if src is None or tgt is None or not task.options.time_weight:
        return None
    return src, tgt


def estimate_times(task: AlignmentTask, state: AlignerState) -> AlignerState:
    """Estimate the map of times of each text pair that has times."""
    maps = {}
    for k, path in enumerate(state.paths):
        times = times_of(task, k)
        if times is None:
            continue
        sizes = np.array([*task.beads, (0, 0)], dtype=np.int64)[path.kinds]  # -1 is not searched
        both = sizes.all(axis=1)
        row, column, (a, b) = path.row[both], path.column[both], sizes[both].T
        beads = np.stack([row - a, row - 1, column - b, column - 1], axis=1)
        time_map = estimate_time_map(*times, beads)
        if time_map is not None:
            maps[k] = time_map
    return replace(state, time_maps=maps)


def _points(state: AlignerState) -> list[BeadPoints]:
    return [BeadPoints(path.row, path.column) for path in state.paths]


def beads_of_path(
    beads: Sequence[tuple[int, int]], path: BeadPath, passages: Omissions | None = None
) -> Floats:
    """Count the beads of each type in a path.

    Beads of kind -1 are not counted. In a long passage that the path leaves out, at most 32 beads
    of a type are counted, since it says nothing about other places.
    """
    counts = np.bincount(path.kinds[path.kinds >= 0], minlength=len(beads)).astype(np.float64)
    if passages is not None and len(path.kinds):
        alone = passages.alone(beads, path)
        counts -= np.maximum(
            np.bincount(path.kinds[alone], minlength=len(beads)) - _PASSAGE_BEADS, 0
        )
    return counts


def _totals(sizes: Floats, ends: Ints) -> Floats:
    """Return the total length of each of the beads that end at some sentences."""
    upto = prefix(sizes)[ends]
    totals = upto.copy()
    totals[1:] -= upto[:-1]
    return totals


def lengths_of_paths(
    model: LengthModel, paths: Iterable[tuple[BeadPath, BothSides]]
) -> LengthModel:
    """Estimate a length model from the two-sided beads of some paths.

    `model` is the prior model. The lengths of the sentences of both sides come with each path.
    """
    totals: list[BothSides] = [(np.zeros(0), np.zeros(0))]
    for path, sizes in paths:
        if not len(path.kinds):
            continue
        src, tgt = (
            _totals(side, ends) for side, ends in zip(sizes, (path.row, path.column), strict=True)
        )
        both = np.flatnonzero((src > 0) & (tgt > 0))
        totals.append((src[both], tgt[both]))
    src, tgt = (np.concatenate(side) for side in zip(*totals, strict=True))
    return model.learned(src, tgt)


# The path of one text pair in a given state, and the posteriors of its beads.


# Set by hand: halving or doubling each moves no bead (alignment_constants.md). The widths bound
# time: a path moves little from round to round, and distant paths have hardly any probability.
_NEAR_COLUMNS = 8  # columns, or rows, around the last path that are searched in the next round
_FAR_COLUMNS = 32  # the same without anchors, when the last path may be far off
_SAMPLED_ROWS = 16_000  # rows of a long text that are searched to learn from: bounds time
_USUAL_WIDTH = 24  # approximate columns of a corridor: to judge whether kernels are worth loading
_MOST_IN_STEP = 16  # texts that are searched in lockstep at most: speed and memory only
_MOST_POINTS_IN_STEP = 1 << 19  # points of the whole tables of these texts
_POSTERIOR_COLUMNS = 4  # columns on both sides of a path over which posteriors are summed


class PairPath(NamedTuple):
    """The path of a text pair."""

    path: BeadPath
    # The posterior of each bead; None before the last round. Shape (beads of the path,).
    posteriors: Floats | None
    space: SearchSpace  # where the path was searched

    @property
    def beads(self) -> int:
        """The number of bead types in the search of the path."""
        return int(np.count_nonzero(self.path.kinds >= 0))


def find_paths(
    task: AlignmentTask,
    state: AlignerState,
    numbers: Sequence[int],
    each: Each,
    *,
    last: bool,
    rows: int = _SAMPLED_ROWS,
) -> Iterator[tuple[int, PairPath]]:
    """Find the paths of some text pairs; yield the longest pairs first.

    `each` does the work for each of the numbers, as `map` does; the results can be pickled. In the
    last round whole paths are found, with posteriors; in earlier rounds `rows` rows of a long text
    are searched.
    """
    sizes = [len(pair.src) for pair in task.pairs]
    large, others = by_size(sizes, numbers, stretch=task.limits.stretch)
    points = [sizes[k] * len(task.pairs[k].tgt) for k in others]
    if each is not map:  # which may fork processes; these would not load kernels themselves
        whole = sum(sizes[k] for k in numbers)
        compiled_kernels(len(task.beads) * whole * _USUAL_WIDTH)
    # Processes work on separate groups, so there are many groups, except in a single process.
    most = (
        _MOST_IN_STEP if each is map else max(1, min(_MOST_IN_STEP, len(others) // _MOST_IN_STEP))
    )
    groups = [[others[at] for at in group] for group in _groups(points, most)]

    def find(number: int) -> list[PairPath]:
        group = groups[number]
        return together(find_path(task, state, k, last=last, rows=rows) for k in group)

    apart = (alone(find_path(task, state, k, last=last, rows=rows, each=each)) for k in large)
    grouped = each(find, range(len(groups))) if groups else ()
    return zip([*large, *others], chain(apart, chain.from_iterable(grouped)), strict=True)


def _groups(points: Sequence[int], most: int) -> list[list[int]]:
    """Divide texts, given the points of their tables, into groups that are searched in lockstep.

    Examples
    --------
    >>> _groups([1 << 20, 1 << 17, 1 << 17, 1 << 17], 2)
    [[0], [1, 2], [3]]

    """
    groups: list[list[int]] = []
    room = 0
    for k, size in enumerate(points):
        room -= size
        if not groups or room < 0 or len(groups[-1]) == most:
            groups.append([])
            room = _MOST_POINTS_IN_STEP - size
        groups[-1].append(k)
    return groups


def find_path(
    task: AlignmentTask,
    state: AlignerState,
    k: int,
    *,
    last: bool,
    rows: int = _SAMPLED_ROWS,
    each: Each = map,
) -> Steps[PairPath]:
    """Find the path of text pair k, as `find_paths` does."""
    space, corridor = _search_area(task, state, k)
    scores = bead_scores(task, state, k, space)
    if not last:
        first = yield from sample_along(
            task.beads, scores, corridor, rows=rows, each=each, limits=task.limits
        )
        own = first.own if first.scored else None
        return (yield from _without_passages(task, state, k, first.path, space, own=own))
    scope = PosteriorScope(_POSTERIOR_COLUMNS, UNIT * task.method.temper, everywhere=task.scored)
    best = yield from best_in_stretches(
        task.beads, scores, corridor, scope, each=each, limits=task.limits
    )
    pair_path = yield from _without_passages(task, state, k, best.path, space, own=best.own)
    if not task.scored:
        return pair_path
    if pair_path.path is best.path and pair_path.space.passages is None:
        return pair_path._replace(posteriors=best.posteriors)
    anew = yield from _posteriors(task, state, k, pair_path.path, pair_path.space, before=best)
    return pair_path._replace(posteriors=anew)


def _search_area(task: AlignmentTask, state: AlignerState, k: int) -> tuple[SearchSpace, Corridor]:
    """Return the search space of text pair k, and the corridor to search in this round."""
    space = space_in(task, state, k)
    path = state.paths[k] if state.paths else None
    again = path is not None
    # A learned lexicon gives new anchors, which may be far from the earlier path.
    lexicon = state.lexicon if space.unsure else None
    if lexicon is not None:
        lexicons_before = [] if k in state.misled else task.prior_lexicons
        lexicons, marks = [join_pairs([*lexicons_before, lexicon])], task.marks_of(k)
        anew = space_of(task.pairs[k], lexicons, path=path, marks=marks, before=space)
        # If there are still none, the whole table has already been searched with a learned lexicon.
        again = space.searched and (anew.tied, anew.bare) == (space.tied, space.bare)
        space = anew._replace(passages=space.passages, searched=True)
    if path is None or not again or (path.kinds < 0).any():
        return space, space.corridor
    near = space.around(
        path.row, path.column, reach=_NEAR_COLUMNS if lexicon is None else _FAR_COLUMNS
    )
    if (time_map := state.time_maps.get(k)) is not None and (times := times_of(task, k)):
        column = time_map.columns(*times)
        timed = space.around(np.arange(len(column)), column, reach=_NEAR_COLUMNS)
        near = near.joined(timed)
    wide = lexicon is not None and near.cells >= space.corridor.cells
    return space, space.corridor if wide else near


def _without_passages(
    task: AlignmentTask,
    state: AlignerState,
    k: int,
    path: BeadPath,
    space: SearchSpace,
    *,
    own: Ints | None = None,
) -> Steps[PairPath]:
    """Search the doubtful stretches of a path again, so that they may leave passages out."""
    # The region near the path is not smaller than the corridor, and takes much memory for a long
    # text.
    if (path.kinds < 0).any() or not may_be_doubtful(path, space.corridor):
        return PairPath(path, None, space)
    priors = priors_in(task, state, k)
    # Doubtful paths are judged by scores without omissions
    if own is not None and space.left_out is not None:
        more = space.left_out.of(task.beads, priors, path)
        own = own - np.rint(more * UNIT).astype(np.int64)
    if own is not None and are_good(own):
        return PairPath(path, None, space)
    scores = bead_scores(task, state, k, space, omissions=False)
    # The path may have been found near the previous path, outside of the corridor.
    near = space.around(path.row, path.column, reach=_NEAR_COLUMNS).joined(space.corridor)
    # What an earlier round left out, and this path leaves out again, is not searched again.
    known = None if space.passages is None else space.passages.kept(task.beads, path)
    stretches = doubtful(scores, path, near, own=own, known=known)
    if not stretches:
        return PairPath(path, None, space)
    if not state.paths and space.model is None and not space.profiled:
        # The first path may be bad because the ratio of lengths differs from that of both texts.
        space = space.with_model(task.pairs[k], task.marks_of(k))
        if space.model is not None:
            scores = bead_scores(task, state, k, space)
            anew = yield from best_in_stretches(
                task.beads, scores, space.corridor, limits=task.limits
            )
            own = anew.own if anew.scored else None
            return (yield from _without_passages(task, state, k, anew.path, space, own=own))
    searched = yield from search_omissions(
        task.beads,
        scores,
        near,
        path,
        stretches,
        unit=UNIT,
        chance=priors,
        expected=space.expected,
    )
    if searched.omissions is not None:
        return PairPath(searched.path, None, space._replace(passages=searched.omissions))
    return PairPath(path, None, space)


def bead_posteriors(
    task: AlignmentTask, state: AlignerState, k: int, path: BeadPath, *, temper: float | None = None
) -> Floats:
    """Return the posterior of each bead of a path of text pair k, among all paths near it.

    The posterior of a bead with an empty side is the probability that its sentence is unaligned, at
    any place. `temper` is the divisor of scores, by default that of the method.
    """
    return alone(_posteriors(task, state, k, path, space_in(task, state, k), temper=temper))


def _posteriors(
    task: AlignmentTask,
    state: AlignerState,
    k: int,
    path: BeadPath,
    space: SearchSpace,
    *,
    temper: float | None = None,
    before: StretchPath | None = None,
) -> Steps[Floats]:
    scores: BandScores = bead_scores(task, state, k, space)
    passages = space.passages
    path_options: dict[str, Any] = {
        "rows": len(task.pairs[k].src),
        "columns": len(task.pairs[k].tgt),
        "reach": _POSTERIOR_COLUMNS,
        "unit": UNIT * (temper or task.method.temper),
        "before": before,
        "limits": task.limits,
    }
    if passages is not None:
        scores = keep_passages_whole(scores, task.beads, passages, unit=UNIT)
        path_options["anew"] = passages.alone(task.beads, path)
    return (yield from posteriors_along(task.beads, scores, path, **path_options))
