"""Rounds of alignment: align, estimate lengths, priors and words from the paths, align again."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from bitext.align.sentences.path_choice import choose_initial_paths, is_unusual
from bitext.align.sentences.path_search import bead_posteriors, find_paths
from bitext.align.sentences.state import (
    bead_scores,
    count_beads,
    estimate,
    estimate_lexicon,
    evidence_of,
    first_state,
    priors_in,
    space_in,
)
from bitext.align.sentences.wrong_language import wrong_language_sides

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from bitext.align.sentences.evidence import Evidence
    from bitext.align.sentences.lexical.word_links import WordPairs
    from bitext.align.sentences.path_search import PairPath
    from bitext.align.sentences.search_space import SearchSpace
    from bitext.align.sentences.state import AlignerState, AlignmentTask
    from bitext.align.sentences.texts import Each, SentencePair
    from bitext.align.sentences.wrong_language import WrongLanguageSides
    from bitext.kernels.bead_path import Band, BeadPath

    Progress = Callable[[int, int], object]

__all__ = ["SentenceAligner", "changed", "run_rounds"]

# Set by hand: half and twice of both leave F1 as it is (alignment_constants.md, and whole texts of
# parice, text+berg and maligna).
_UNSETTLED = 0.1  # share of beads that change, above which there is one more round
_MORE = 5  # such rounds at most: paths that still change then go to and fro


def run_rounds(
    task: AlignmentTask,
    state: AlignerState,
    *,
    progress: Progress | None = None,
    each: Each = map,
    unsettled: float = _UNSETTLED,
) -> AlignerState:
    """Align in rounds, each from the state after the one before; return the last state.

    There are more rounds, up to 5, where words are learned and many beads still change before the
    last one.

    Parameters
    ----------
    task : AlignmentTask
    state : AlignerState
        As `first_state` returns it.
    progress : callable, optional
        Called with the number of texts that are done and of all to do; there are more with more
        rounds.
    each : callable
        Does the work of a round for each text pair, as `map` does: called with a function of a
        number, and the numbers, those that take longest first. What that returns can be pickled, so
        the work can be done in processes that are forked when `each` is called. Parts of long text
        pairs are done so, one pair after another.
    unsettled : float
        The share of the beads that change, above which there is one more round.

    """
    rounds, numbers = task.options.rounds, range(len(task.pairs))
    known: dict[int, PairPath] = {}
    # In one round priors are not chosen, but a rare kind of text is recognised.
    if rounds > 1 or any(is_unusual(task, k) for k in numbers):
        state, known = choose_initial_paths(task, state, each)
    number = 0
    while True:
        last = number == rounds - 1
        rest = find_paths(task, state, [k for k in numbers if k not in known], each, last=last)
        found: dict[int, PairPath] = {}
        for k, one in chain(known.items(), rest):
            found[k] = one
            if progress is not None:
                progress(number * len(numbers) + len(found), rounds * len(numbers))
        before, state, known = state.paths, _with_paths(state, found), {}
        number += 1
        if last:
            task.cache.clear()
            return state
        # Paths that still change may come right with the words that are learned from them.
        more = task.method.words and rounds < task.options.rounds + _MORE
        if more and number == rounds - 1 and before:
            rounds += changed(before, state.paths) > unsettled
        state = estimate(task, replace(state, with_punctuation=True))


def _with_paths(state: AlignerState, found: Mapping[int, PairPath]) -> AlignerState:
    """Return the state with the paths of a round."""
    posteriors = {k: one.posteriors for k, one in found.items() if one.posteriors is not None}
    return replace(
        state,
        paths=tuple(found[k].path for k in range(len(found))),
        spaces={**state.spaces, **{k: one.space for k, one in found.items()}},
        posteriors={**state.posteriors, **posteriors},
    )


def changed(before: Sequence[BeadPath], after: Sequence[BeadPath]) -> float:
    """Return the share of the beads of some paths that end where none ended before, 0 to 1.

    Stretches that were not searched, of kind -1, do not count.

    Parameters
    ----------
    before, after : sequence of BeadPath
        Of the same text pairs, in the same order.

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
        unsettled: float = _UNSETTLED,
    ) -> None:
        """Align, as `run_rounds` does; an aligner runs once."""
        how: dict[str, Any] = {"progress": progress, "each": each, "unsettled": unsettled}
        self.state = run_rounds(self.task, self.state, **how)

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
        """Learn a lexicon from the last paths; None where words are no evidence."""
        return estimate_lexicon(self.task, self.state).lexicon

    def evidence(self, k: int) -> list[Evidence]:
        """Return the evidence of text pair k: lengths first, then punctuation and words."""
        return evidence_of(self.task, self.state, k)

    def priors(self, k: int) -> NDArray[np.float64]:
        """Return the prior of each bead type in text pair k."""
        return priors_in(self.task, self.state, k)

    def space(self, k: int) -> SearchSpace:
        """Return the search space of text pair k."""
        return space_in(self.task, self.state, k)

    def scores(self, k: int) -> Callable[[int, int, Band], NDArray[np.int32]]:
        """Return the function that scores the beads of text pair k."""
        return bead_scores(self.task, self.state, k, self.space(k))

    def count_beads(self, k: int) -> NDArray[np.float64]:
        """Count the beads of each type in the path of text pair k; of long passages only some."""
        return count_beads(self.task, self.state, k)

    def posteriors(self, k: int, *, temper: float | None = None) -> NDArray[np.float64]:
        """Return the posterior of each bead of text pair k among all paths near its own, 0 to 1.

        Of a bead with an empty side it is the posterior that its sentence stands alone, wherever.

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
