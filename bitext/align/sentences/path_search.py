"""The path of one text pair in a given state, and the posteriors of its beads."""

from __future__ import annotations

from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bitext.align.sentences.evidence import UNIT
from bitext.align.sentences.lexical.word_links import join_pairs
from bitext.align.sentences.omissions import doubtful, keep_passages_whole, search_omissions
from bitext.align.sentences.search import (
    best_in_stretches,
    best_with_posteriors,
    by_size,
    posteriors_along,
    sample_along,
)
from bitext.align.sentences.search_space import space_of
from bitext.align.sentences.state import bead_scores, priors_in, space_in, times_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from bitext.align.sentences.corridor import Corridor
    from bitext.align.sentences.search import BandScores, StretchPath
    from bitext.align.sentences.search_space import SearchSpace
    from bitext.align.sentences.state import AlignerState, AlignmentTask
    from bitext.align.sentences.texts import Each
    from bitext.kernels.bead_path import BeadPath

__all__ = ["PairPath", "bead_posteriors", "find_path", "find_paths"]

# Set by hand: half and twice of each move no bead (alignment_constants.md). The widths bound time:
# a path moves little from round to round, and paths farther off have next to no probability.
_NEAR = 8  # columns, or rows, around the last path that are searched in the next round
_FAR = 32  # the same without anchors, where the last path may be far off
_SAMPLED = 16_000  # rows of a long text that are searched to learn from: bounds time
_SIDE = 4  # columns on both sides of a path over which posteriors are summed


class PairPath(NamedTuple):
    """The path of a text pair.

    Attributes
    ----------
    path : BeadPath
    posteriors : array of float64, shape (beads of the path,), or None
        Of each bead; None before the last round.
    space : SearchSpace
        Where the path was searched.

    """

    path: BeadPath
    posteriors: NDArray[np.float64] | None
    space: SearchSpace

    @property
    def beads(self) -> int:
        """The number of beads where the path was searched."""
        return int(np.count_nonzero(self.path.kinds >= 0))


def find_paths(
    task: AlignmentTask,
    state: AlignerState,
    numbers: Sequence[int],
    each: Each,
    *,
    last: bool,
    rows: int = _SAMPLED,
) -> Iterator[tuple[int, PairPath]]:
    """Find the paths of some text pairs; yield the longest pairs first.

    Parameters
    ----------
    task : AlignmentTask
    state : AlignerState
    numbers : sequence of int
        Of the text pairs.
    each : callable
        Does the work for each number, as `map` does. What it returns can be pickled.
    last : bool
        Whether this is the last round: then all of each path is found, with posteriors.
    rows : int
        How many rows of a long text are searched in earlier rounds.

    """
    sizes = [len(pair.src) for pair in task.pairs]
    large, others = by_size(sizes, numbers, stretch=task.limits.stretch)
    found = chain(
        (find_path(task, state, k, last=last, rows=rows, each=each) for k in large),
        each(partial(find_path, task, state, last=last, rows=rows), others) if others else (),
    )
    return zip([*large, *others], found, strict=True)


def find_path(
    task: AlignmentTask,
    state: AlignerState,
    k: int,
    *,
    last: bool,
    rows: int = _SAMPLED,
    each: Each = map,
) -> PairPath:
    """Find the path of text pair k, as `find_paths` does."""
    space, corridor = _search_area(task, state, k)
    scores = bead_scores(task, state, k, space)
    how: dict[str, Any] = {"each": each, "limits": task.limits}
    if not last:
        first = sample_along(task.beads, scores, corridor, rows=rows, **how)
        own = first.own if first.scored else None
        return _without_passages(task, state, k, first.path, space, own=own)
    how |= {"reach": _SIDE, "unit": UNIT * task.method.temper}
    best = best_with_posteriors(task.beads, scores, corridor, **how)
    found = _without_passages(task, state, k, best.path, space, own=best.own)
    if found.path is best.path:
        return found._replace(posteriors=best.posteriors)
    anew = bead_posteriors(task, state, k, found.path, space=found.space, before=best)
    return found._replace(posteriors=anew)


def _search_area(task: AlignmentTask, state: AlignerState, k: int) -> tuple[SearchSpace, Corridor]:
    """Return the search space of text pair k, and the corridor of it that is searched now."""
    space = space_in(task, state, k)
    path = state.paths[k] if state.paths else None
    again = path is not None
    # A learned lexicon makes anchors where there were none, and these may be far from the path.
    lexicon = state.lexicon if space.unsure else None
    if lexicon is not None:
        held = [] if k in state.misled else task.prior_lexicons
        lexicons, marks = [join_pairs([*held, lexicon])], task.marks_of(k)
        anew = space_of(task.pairs[k], lexicons, path=path, marks=marks, before=space)
        # Where there are none once more, all was searched before with a learned lexicon.
        again = space.searched and (anew.tied, anew.bare) == (space.tied, space.bare)
        space = anew._replace(passages=space.passages, searched=True)
    if path is None or not again or (path.kinds < 0).any():
        return space, space.corridor
    near = space.around(path.row, path.column, reach=_NEAR if lexicon is None else _FAR)
    if (time_map := state.time_maps.get(k)) is not None and (times := times_of(task, k)):
        column = time_map.columns(*times)
        timed = space.around(np.arange(len(column)), column, reach=_NEAR)
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
    own: NDArray[np.int64] | None = None,
) -> PairPath:
    """Search the doubtful stretches of a path again, so that they may leave passages out."""
    if (path.kinds < 0).any():
        return PairPath(path, None, space)
    scores, priors = bead_scores(task, state, k, space, omissions=False), priors_in(task, state, k)
    # The path may have been found near that of the round before, outside of the corridor.
    near = space.around(path.row, path.column, reach=_NEAR).joined(space.corridor)
    if own is not None and space.left_out is not None:  # doubt is about scores without omissions
        more = space.left_out.of(task.beads, priors, path)
        own = own - np.rint(more * UNIT).astype(np.int64)
    stretches = doubtful(scores, path, near, own=own)
    if not stretches:
        return PairPath(path, None, space)
    if not state.paths and space.model is None and not space.asked:
        # The first path may be bad because the ratio of lengths is not that of both texts.
        space = space.with_model(task.pairs[k], task.marks_of(k))
        if space.model is not None:
            scores = bead_scores(task, state, k, space)
            anew = best_in_stretches(task.beads, scores, space.corridor, limits=task.limits)
            own = anew.own if anew.scored else None
            return _without_passages(task, state, k, anew.path, space, own=own)
    how: dict[str, Any] = {"chance": priors, "expected": space.expected}
    found = search_omissions(task.beads, scores, near, path, stretches, unit=UNIT, **how)
    if found.omissions is not None:
        return PairPath(found.path, None, space._replace(passages=found.omissions))
    return PairPath(path, None, space)


def bead_posteriors(
    task: AlignmentTask,
    state: AlignerState,
    k: int,
    path: BeadPath,
    *,
    space: SearchSpace | None = None,
    temper: float | None = None,
    before: StretchPath | None = None,
) -> NDArray[np.float64]:
    """Return the posterior of each bead of a path of text pair k, among all paths near it.

    Of a bead with an empty side it is the posterior that its sentence stands alone, wherever.

    Parameters
    ----------
    task : AlignmentTask
    state : AlignerState
    k : int
    path : BeadPath
    space : SearchSpace, optional
        Where the path was searched; default: that of the state.
    temper : float, optional
        The divisor of scores; default: that of the method.
    before : StretchPath, optional
        The earlier result: only beads that may have changed are computed again.

    """
    space = space_in(task, state, k) if space is None else space
    scores: BandScores = bead_scores(task, state, k, space)
    passages = space.passages
    how: dict[str, Any] = {"rows": len(task.pairs[k].src), "columns": len(task.pairs[k].tgt)}
    how |= {"reach": _SIDE, "unit": UNIT * (temper or task.method.temper), "before": before}
    how["limits"] = task.limits
    if passages is not None:
        scores = keep_passages_whole(scores, task.beads, passages, unit=UNIT)
        how["anew"] = passages.alone(task.beads, path)
    return posteriors_along(task.beads, scores, path, **how)
