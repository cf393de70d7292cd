"""The aligner of sentences, and the explanation of a bead by it.

Each round aligns the texts, and estimates lengths, priors and words from the paths for the next.
First come the rounds, then the aligner that runs them, and last the explanation.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bitext.align.sentences.evidence import UNIT, Evidence, LengthEvidence
from bitext.align.sentences.evidence.punctuation import PunctuationEvidence
from bitext.align.sentences.evidence.times import TimeEvidence
from bitext.align.sentences.evidence.words import LexicalEvidence
from bitext.align.sentences.lexical.word_links import WordPairs
from bitext.align.sentences.lockstep import Steps
from bitext.align.sentences.path_choice import choose_initial_paths, is_unusual
from bitext.align.sentences.relatedness import WrongLanguageSides, wrong_language_sides
from bitext.align.sentences.search_space import SearchSpace
from bitext.align.sentences.state import (
    AlignerState,
    AlignmentTask,
    PairPath,
    bead_posteriors,
    bead_scores,
    count_beads,
    estimate,
    estimate_lexicon,
    evidence_of,
    find_path,
    find_paths,
    first_state,
    priors_in,
    space_in,
)
from bitext.errors import InputError, check_type
from bitext.kernels.arrays import Floats
from bitext.kernels.bead_path import Band, BeadPath, best_path
from bitext.model import Bisegment

if TYPE_CHECKING:
    from bitext.align.sentences.texts import Each, SentencePair

    Progress = Callable[[int, int], object]


# Set by hand: halving or doubling either does not change F1 (alignment_constants.md, and whole
# texts of parice, text+berg and maligna).
_MOST_CHANGED = 0.1  # share of beads that change, above which there is one more round
_MOST_EXTRA_ROUNDS = 5  # maximum number of such rounds: paths that still change then alternate


def run_rounds(
    task: AlignmentTask,
    state: AlignerState,
    *,
    progress: Progress | None = None,
    each: Each = map,
    unsettled: float = _MOST_CHANGED,
) -> AlignerState:
    """Align in rounds, each from the state of the previous one; return the last state.

    Up to 5 rounds are added if words are learned and many beads still change before the last round.

    `state` is the one that `first_state` returns. `progress` is called with the number of finished
    texts and of all texts, counted in each round. `each` does the work of a round for each text
    pair, as `map` does: it is called with a function of a number, and the numbers, the longest work
    first. The results can be pickled, so processes forked by `each` can do the work; long text
    pairs are divided in this way, one pair after another. `unsettled` is the share of the beads
    that change, above which there is one more round.
    """
    rounds = _rounds(task, state, progress, each, unsettled)
    try:
        search = next(rounds)
        while True:
            wanted_pairs, last = search.numbers, search.last
            search = rounds.send(find_paths(task, search.state, wanted_pairs, each, last=last))
    except StopIteration as end:
        result: AlignerState = end.value
        return result


def steps_of_rounds(task: AlignmentTask, state: AlignerState) -> Steps[AlignerState]:
    """Align in rounds as `run_rounds` does, in steps, for lockstep with other tasks.

    The task has one text pair, or a few, whose paths are found one after another.
    """
    rounds = _rounds(task, state, None, map, _MOST_CHANGED)
    try:
        search = next(rounds)
        while True:
            numbered_paths = []
            for k in search.numbers:
                path = yield from find_path(task, search.state, k, last=search.last)
                numbered_paths.append((k, path))
            search = rounds.send(numbered_paths)
    except StopIteration as end:
        result: AlignerState = end.value
        return result


class _Search(NamedTuple):
    """A request for a round of paths: the state, the text pairs, whether it is the last round."""

    state: AlignerState
    numbers: list[int]
    last: bool


def _rounds(
    task: AlignmentTask,
    state: AlignerState,
    progress: Progress | None,
    each: Each,
    unsettled: float,
) -> Generator[_Search, Iterable[tuple[int, PairPath]], AlignerState]:
    """Yield a request for the paths of each round, and receive them; return the last state."""
    numbers = range(len(task.pairs))
    rounds = max(1, task.options.rounds - task.spared)
    most = rounds + (_MOST_EXTRA_ROUNDS if task.method.words else 0)
    known: dict[int, PairPath] = {}
    # In one round priors are not chosen, but a rare kind of text is recognised.
    if task.options.rounds > 1 or any(is_unusual(task, k) for k in numbers):
        state, known = choose_initial_paths(task, state, each)
    number = 0
    while True:
        last = number == rounds - 1
        rest = yield _Search(state, [k for k in numbers if k not in known], last)
        paths: dict[int, PairPath] = {}
        for k, one in chain(known.items(), rest):
            paths[k] = one
            if progress is not None:
                progress(number * len(numbers) + len(paths), rounds * len(numbers))
        before, state, known = state.paths, _with_paths(state, paths), {}
        number += 1
        # Paths that still change may come right with the words that are learned from them.
        if number == rounds - (not task.spared) and before and rounds < most:
            rounds += changed(before, state.paths) > unsettled
        if number == rounds:
            task.cache.clear()
            return state
        state = estimate(task, replace(state, with_punctuation=True))


def _with_paths(state: AlignerState, new_paths: Mapping[int, PairPath]) -> AlignerState:
    posteriors = {k: one.posteriors for k, one in new_paths.items() if one.posteriors is not None}
    return replace(
        state,
        paths=tuple(new_paths[k].path for k in range(len(new_paths))),
        spaces={**state.spaces, **{k: one.space for k, one in new_paths.items()}},
        posteriors={**state.posteriors, **posteriors},
    )


def changed(before: Sequence[BeadPath], after: Sequence[BeadPath]) -> float:
    """Return the share of beads whose end was no end of a bead before, 0 to 1.

    The paths are of the same text pairs, in the same order. Stretches that were not searched, of
    kind -1, do not count.

    Examples
    --------
    >>> from bitext.kernels.bead_path import BeadPath
    >>> kinds, every = np.zeros(4, np.int64), np.arange(1, 5)
    >>> one = BeadPath(0, kinds, every, every, 0.5)
    >>> changed([one], [one._replace(column=np.array([1, 3, 3, 4]))])
    0.25

    """
    new = beads = 0
    for old, path in zip(before, after, strict=True):
        searched = path.kinds >= 0
        ends, known = (side.row * (1 << 32) + side.column for side in (path, old))
        at = np.searchsorted(known, ends[searched])  # where beads end, ascending
        same = np.append(known, -1)[at] == ends[searched]
        new += int(np.count_nonzero(~same))
        beads += int(np.count_nonzero(searched))
    return new / beads if beads else 0.0


class SentenceAligner:
    """Text pairs of two languages that are aligned together, with the state after the last round.

    Parameters
    ----------
    task : AlignmentTask
    state : AlignerState, optional
        Where to begin; default: `first_state`.

    Attributes
    ----------
    task : AlignmentTask
    state : AlignerState
        After `run`, that of the last round.

    """

    def __init__(self, task: AlignmentTask, state: AlignerState | None = None) -> None:
        self.task = task
        self.state = first_state(task) if state is None else state

    def run(
        self,
        *,
        progress: Progress | None = None,
        each: Each = map,
        unsettled: float = _MOST_CHANGED,
    ) -> None:
        """Align, as `run_rounds` does; an aligner runs once."""
        self.state = run_rounds(
            self.task, self.state, progress=progress, each=each, unsettled=unsettled
        )

    def steps(self) -> Steps[None]:
        """Align as `run` does, as a search in steps (`steps_of_rounds`)."""
        self.state = yield from steps_of_rounds(self.task, self.state)

    @property
    def pairs(self) -> list[SentencePair]:
        """The text pairs."""
        return self.task.pairs

    @property
    def beads(self) -> tuple[tuple[int, int], ...]:
        """The bead types."""
        return self.task.beads

    @property
    def paths(self) -> tuple[BeadPath, ...]:
        """The path of each text pair; none before it has run."""
        return self.state.paths

    @cached_property
    def wrong_language(self) -> list[WrongLanguageSides]:
        """Which sides of the text pairs are in the language of the other side."""
        known = self.task.wrong_language
        return wrong_language_sides(self.task.pairs) if known is None else known

    def learn_lexicon(self) -> WordPairs | None:
        """Learn a lexicon from the last paths; None if words are not evidence."""
        return estimate_lexicon(self.task, self.state).lexicon

    def evidence(self, k: int) -> list[Evidence]:
        """Return the evidence of text pair k: lengths first, then punctuation and words."""
        return evidence_of(self.task, self.state, k)

    def priors(self, k: int) -> Floats:
        """Return the prior of each bead type in text pair k."""
        return priors_in(self.task, self.state, k)

    def space(self, k: int) -> SearchSpace:
        """Return the search space of text pair k."""
        return space_in(self.task, self.state, k)

    def scores(self, k: int) -> Callable[[int, int, Band], NDArray[np.int32]]:
        """Return the function that scores the beads of text pair k."""
        return bead_scores(self.task, self.state, k, self.space(k))

    def count_beads(self, k: int) -> Floats:
        """Count the beads of each type in the path of text pair k; of long passages only some."""
        return count_beads(self.task, self.state, k)

    def posteriors(self, k: int, *, temper: float | None = None) -> Floats:
        """Return the posterior of each bead of text pair k among all paths near its path, 0 to 1.

        The posterior of a bead with an empty side is the probability that its sentence is
        unaligned, at any place.

        Parameters
        ----------
        k : int
        temper : float, optional
            The divisor of scores; default: `SentenceMethod.temper`.

        """
        path = self.paths[k]
        if not len(path.kinds):
            return np.zeros(0)
        known = self.state.posteriors.get(k)
        if temper is None and known is not None and len(known) == len(path.kinds):
            return known
        return bead_posteriors(self.task, self.state, k, path, temper=temper)


# Explanation of a bead: the score of each kind of evidence, and the second best alignment.


# Set by hand; none has an effect on alignments.
_AROUND = 6  # beads on each side that are aligned again without a bead, at least
_LEAST_TWO_SIDED = 3  # beads with two sides among these, at least
_MOST_AROUND = 200  # beads on each side, at most: bounds time
_FORBIDDEN_SCORE = -(1 << 36)  # score of the forbidden bead, below that of any path


class WordReason(NamedTuple):
    """A word that speaks for or against a bead."""

    word: str
    side: str  # `src` or `tgt`: the side of the word
    by: str  # the word of the other side that explains it best; empty if none does
    gain: float  # its part of the score of the bead, a natural logarithm


@dataclass(frozen=True, slots=True)
class BeadExplanation:
    """The parts of the score of a bead, and the best beads in its place; natural logarithms.

    Attributes
    ----------
    bead : Bisegment
    posterior : float
        Its posterior probability, 0 to 1.
    prior : float
        The prior of its bead type.
    lengths : (float, float)
        The lengths of both sides, in letters or words.
    expected : float
        The expected length of the target side, from the length of the source side.
    parts : tuple of (str, float)
        The score of each kind of evidence: `length`, `marks`, `words`, `times`, `vectors`; and
        `place`, for omitted passages and the ends of paragraphs.
    words : tuple of WordReason
        The strongest first.
    instead : tuple of Bisegment
        The beads in its place if this one were forbidden.
    lost : float
        The loss of score of the whole alignment without the bead.

    """

    bead: Bisegment
    posterior: float
    prior: float
    lengths: tuple[float, float]
    expected: float
    parts: tuple[tuple[str, float], ...]
    words: tuple[WordReason, ...]
    instead: tuple[Bisegment, ...]
    lost: float


def _is_within(k: object, size: int) -> bool:
    is_whole = isinstance(k, int | np.integer) and not isinstance(k, bool)
    return is_whole and 0 <= k < size  # type: ignore[operator]


def check_pair(aligner: SentenceAligner, k: int) -> None:
    """Refuse a text pair that the aligner lacks or has not aligned.

    Raises `InputError`.
    """
    check_type("the aligner", aligner, SentenceAligner, "a SentenceAligner, as aligner_of's")
    if len(aligner.paths) < len(aligner.pairs):
        raise InputError("the texts are not aligned yet: run the aligner (aligner.run())")
    if not _is_within(k, len(aligner.paths)):
        raise InputError(f"there is no text pair {k} among {len(aligner.paths)}: they count from 0")


def explain_bead(
    aligner: SentenceAligner, bead: int, *, text: int = 0, words: int = 12
) -> BeadExplanation:
    """Explain a bead of an aligner that has run.

    Parameters
    ----------
    aligner : SentenceAligner
    bead : int
        Its number in the alignment, from 0.
    text : int
        The number of the text pair, from 0.
    words : int
        The largest number of listed words.

    Raises
    ------
    InputError
        When the aligner has not run, or there is no such text pair or bead.

    """
    check_pair(aligner, text)
    path = aligner.paths[text]
    if not _is_within(bead, len(path.kinds)):
        raise InputError(f"there is no bead {bead} among {len(path.kinds)}: they count from 0")
    kind, row, column = int(path.kinds[bead]), int(path.row[bead]), int(path.column[bead])
    a, b = aligner.beads[kind]
    parts: list[tuple[str, float]] = []
    reasons: list[WordReason] = []
    lengths, expected = (0.0, 0.0), 0.0
    # Each kind of evidence scores the one point at which the bead ends, as in the search.
    point = _columns(column, column, len(aligner.pairs[text].src), int(path.column[-1]))
    for one in aligner.evidence(text):
        name = "vectors"
        if isinstance(one, LengthEvidence):
            name, lengths = "length", one.of(row, column, kind)
            expected = lengths[0] * one.model.ratio
        elif isinstance(one, PunctuationEvidence):
            name = "marks"
        elif isinstance(one, LexicalEvidence):
            name, reasons = "words", word_reasons(one, row, column, kind)
        elif isinstance(one, TimeEvidence):
            name = "times"
        value = float(one.block(row, row + 1, point)[kind, 0, 0]) if a and b else 0.0
        parts.append((name, value))
    # What the search space adds is no evidence of the sentences, and is named if it is not 0.
    priors = aligner.priors(text)
    beside = aligner.space(text).block(aligner.beads, priors, row, row + 1, point)
    if place := float(np.broadcast_to(beside, (len(aligner.beads), 1, 1))[kind, 0, 0]):
        parts.append(("place", place))
    instead, lost = _instead(aligner, text, bead)
    reasons.sort(key=lambda reason: (-abs(reason.gain), reason.side, reason.word))
    return BeadExplanation(
        bead=_bisegment(row, column, a, b),
        posterior=float(aligner.posteriors(text)[bead]),
        prior=float(np.log(priors[kind])),
        lengths=lengths,
        expected=expected,
        parts=tuple(parts),
        words=tuple(reasons[:words]),
        instead=instead,
        lost=lost,
    )


def word_reasons(evidence: LexicalEvidence, row: int, column: int, kind: int) -> list[WordReason]:
    """List the score that each word adds to a bead which ends at a point."""
    a, b = evidence.beads[kind]
    if not (a and b):
        return []
    src = evidence.words_between(0, row - a, row)
    tgt = evidence.words_between(1, column - b, column)
    reasons = []
    for side, takes, gives in (("tgt", tgt, src), ("src", src, tgt)):
        for number, times in takes.counts.items():
            known = takes.known[number]
            if not known:
                continue
            ratios = {
                other: count * evidence.ratio(side, other, number)
                for other, count in gives.counts.items()
            }
            best = max(ratios, key=lambda other: (ratios[other], -other), default=-1)
            inside = 1 - known + known * sum(ratios.values()) / gives.room
            by = gives.forms[best] if ratios and ratios[best] > 0 else ""
            gain = evidence.weight / 2 * times * float(np.log(inside))
            reasons.append(WordReason(takes.forms[number], side, by, gain))
    # Such a bead scores 0 where its words speak against it (`LexicalEvidence.is_spared`).
    if evidence.is_spared(row, column, kind) and sum(reason.gain for reason in reasons) < 0:
        return []
    return reasons


def _bisegment(row: int, column: int, a: int, b: int) -> Bisegment:
    return Bisegment(tuple(range(row - a, row)), tuple(range(column - b, column)))


def _columns(left: int, right: int, rows: int, columns: int) -> Band:
    """Return a band of some columns; only some of its rows are used."""
    return Band(np.full(rows + 1, left, dtype=np.int64), right - left + 1, columns)


def _around(path: BeadPath, beads: Sequence[tuple[int, int]], bead: int) -> tuple[int, int]:
    """Return the half-open range of beads that may change if one bead is forbidden.

    The range of a bead in an omitted passage includes the beads around the passage, since the beads
    in the passage have no alternative.
    """
    both = np.flatnonzero((np.array(beads)[path.kinds] > 0).all(axis=1))
    number = len(path.kinds)
    before, after = both[both < bead], both[both > bead]
    first = int(before[-_LEAST_TWO_SIDED]) if len(before) >= _LEAST_TWO_SIDED else 0
    last = int(after[_LEAST_TWO_SIDED - 1]) + 1 if len(after) >= _LEAST_TWO_SIDED else number
    first, last = min(first, bead - _AROUND), max(last, bead + 1 + _AROUND)
    return max(0, first, bead - _MOST_AROUND), min(number, last, bead + 1 + _MOST_AROUND)


def _instead(aligner: SentenceAligner, text: int, bead: int) -> tuple[tuple[Bisegment, ...], float]:
    """Find the best beads around a bead without the bead itself, and the loss of score."""
    path, beads = aligner.paths[text], aligner.beads
    rows, columns = np.append(0, path.row), np.append(0, path.column)
    first, last = _around(path, beads, bead)
    top, left = int(rows[first]), int(columns[first])
    bottom, right = int(rows[last]), int(columns[last])
    band = _columns(left, right, len(aligner.pairs[text].src), int(columns[-1]))
    table = aligner.scores(text)(top, bottom + 1, band).astype(np.int64)
    kind, row, column = int(path.kinds[bead]), int(rows[bead + 1]), int(columns[bead + 1])
    path_cells = (
        path.kinds[first:last],
        rows[first + 1 : last + 1] - top,
        columns[first + 1 : last + 1],
    )
    path_score = int(table[path_cells[0], path_cells[1], path_cells[2] - left].sum())
    a, b = beads[kind]
    # An unaligned sentence is the same bead at any place in the other text.
    end_cells = (row - top if a else slice(None)), (column - left if b else slice(None))
    table[kind, *end_cells] = _FORBIDDEN_SCORE
    own = Band(np.zeros(bottom - top + 1, dtype=np.int64), right - left + 1, right - left)
    other = best_path(beads, lambda begin, end: table[:, begin:end], own)
    path_bisegments = {
        _bisegment(int(i) + top, int(j), *beads[k]) for k, i, j in zip(*path_cells, strict=True)
    }
    other_bisegments = [
        _bisegment(int(i) + top, int(j) + left, *beads[k])
        for k, i, j in zip(other.kinds, other.row, other.column, strict=True)
    ]
    if other.score < _FORBIDDEN_SCORE // 2:  # there is no other way, as with one empty text
        return (), float("inf")
    changed = tuple(one for one in other_bisegments if one not in path_bisegments)
    return changed, (path_score - other.score) / UNIT
