"""Kernels of word links: hidden Markov alignment, and growing links from an intersection.

Forward-backward sums of hidden Markov models are for batches of sentence pairs. The states are the
words of one sentence, the observations those of the other. The probability of a move from state i
to state k depends on k - i alone, so that all pairs of a batch share one matrix of weights, and
each step of the recursion is one product of matrices for the whole batch. Shorter sentences are
padded: a padded state is never entered, and a padded observation changes nothing.

Symmetrisation makes one alignment of two directed alignments of the same words. All sentence pairs
are processed at once. The points of the union are sorted by sentence pair, row and column, and
neighbours are matched in arrays. Only the growth itself goes point by point, over the points that
can still be added.
"""

from __future__ import annotations

from collections.abc import Collection
from heapq import heappop, heappush
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np

from bitext.errors import OptionError, nearest

if TYPE_CHECKING:
    from bitext.kernels.arrays import Bools, Floats, Ints, Singles

    _Marks = TypeVar("_Marks", bool, Bools)


WIDEST = 128  # words: longer jumps count as jumps of this width; set by hand
JUMPS = 2 * WIDEST + 1  # the number of jump weights
_DECAY = 0.3  # the initial weights fall by this rate a word; set by hand: EM replaces them
_TINY = np.float32(1e-30)  # keeps sums of impossible observations above 0


class Posteriors(NamedTuple):
    """Results of forward-backward for a batch."""

    # The probability that an observation comes from a state. Shape (observations, pairs, states).
    links: Singles
    # The expected number of jumps of each width, over all pairs. Shape (JUMPS,).
    jumps: Floats
    log_likelihood: Floats  # shape (pairs,)


def initial_jumps() -> Floats:
    """Return weights that prefer short jumps, in neither direction, and sum to 1."""
    weights = np.exp(-_DECAY * np.abs(np.arange(JUMPS) - WIDEST))
    normalised: Floats = weights / weights.sum()
    return normalised


def forward_backward(
    emissions: Singles,
    null: Singles,
    jumps: Floats,
    *,
    null_share: float,
    states: Singles,
    observations: Singles,
) -> Posteriors:
    """Compute the posterior of every link, with states that emit as no word in between.

    An observation without a link is emitted by the empty word, which keeps the position: the next
    jump starts from the last linked state. The first jump starts before the first state.

    Probabilities of an observation given the state, `emissions`, have the shape (observations,
    pairs, states), and those given the empty word, `null`, (observations, pairs); values at
    paddings have no effect. `jumps` are the weights of jumps from -`WIDEST` to `WIDEST`; wider ones
    count as the widest. An observation has no link with the probability `null_share`. `states`,
    shape (pairs, states), and `observations`, shape (observations, pairs), have 1 for a word, 0 for
    padding; a pair has at least one word.

    Notes
    -----
    Each step is scaled to sum 1 (Rabiner's scaling), so that no logarithms are taken. The cost is
    two products of (pairs x states) and (states x states) an observation.

    **Source**: S. Vogel, H. Ney and C. Tillmann, HMM-Based Word Alignment in Statistical
    Translation, COLING 1996; F. J. Och and H. Ney, A Systematic Comparison of Various Statistical
    Alignment Models, Computational Linguistics 29, 2003, section 2.3 (the empty word); L. R.
    Rabiner, A Tutorial on Hidden Markov Models, Proceedings of the IEEE 77, 1989, section V.A
    (scaling).

    **Departures**: the jump to the first word counts as the others here; Och and Ney give it a
    distribution of its own.

    Examples
    --------
    >>> ones = np.ones((2, 1), dtype=np.float32)
    >>> emissions = np.array([[[0.9, 0.1]], [[0.1, 0.9]]], dtype=np.float32)
    >>> links = forward_backward(
    ...     emissions, ones / 100, initial_jumps(), null_share=0.2, states=ones.T, observations=ones
    ... ).links
    >>> links[:, 0].astype(float).round(2).tolist()
    [[0.9, 0.09], [0.12, 0.87]]

    """
    length, pairs, size = emissions.shape
    width = np.clip(np.arange(size) - np.arange(size)[:, None], -WIDEST, WIDEST) + WIDEST
    moves = jumps[width].astype(np.float32)
    leaving = states / np.maximum(states @ moves.T, _TINY)
    first_width = np.minimum(np.arange(size) + 1, WIDEST) + WIDEST
    start = jumps[first_width].astype(np.float32) * states
    start /= np.maximum(start.sum(axis=1, keepdims=True), _TINY)
    padding = np.float32(1) - observations
    emit = emissions * (observations * np.float32(1 - null_share))[:, :, None]
    emit += padding[:, :, None] * np.float32(1 - null_share)
    emit *= states
    skip = ((null * observations + padding) * np.float32(null_share))[:, :, None]
    ones = np.ones((size, 1), dtype=np.float32)

    # Forward: `linked` has states that emitted the observation, `reached` also those that kept it.
    linked, reached = np.empty_like(emit), np.empty_like(emit)
    scale = np.empty((length, pairs, 1), dtype=np.float32)
    entered = start
    before = start
    for step in range(length):
        if step:
            before = reached[step - 1]
            entered = (before * leaving) @ moves
        np.multiply(entered, emit[step], out=linked[step])
        np.multiply(before, skip[step], out=reached[step])
        reached[step] += linked[step]
        np.maximum(reached[step] @ ones, _TINY, out=scale[step])
        linked[step] /= scale[step]
        reached[step] /= scale[step]

    # Backward: `linked` becomes the posterior; `emit` has the terms of the next step for jumps.
    kept_first = reached[0] - linked[0]
    after = np.ones((pairs, size), dtype=np.float32)
    back = np.ascontiguousarray(moves.T)
    for step in range(length - 1, -1, -1):
        linked[step] *= after
        if step:
            emit[step] *= after
            emit[step] /= scale[step]
            after = (emit[step] @ back) * leaving + after * (skip[step] / scale[step])
    counts = np.zeros(JUMPS)
    if length > 1:
        # Padded observations would count as jumps.
        emit[1:] *= observations[1:, :, None]
        reached[:-1] *= leaving
        jumps_of_states = reached[:-1].reshape(-1, size).T @ emit[1:].reshape(-1, size)
        counts += np.bincount(width.ravel(), (jumps_of_states * moves).ravel(), JUMPS)
    counts += np.bincount(first_width, (linked[0] + kept_first * after).sum(axis=0), JUMPS)
    linked *= observations[:, :, None]
    return Posteriors(linked, counts, np.log(scale[:, :, 0].astype(np.float64)).sum(axis=0))


# Symmetrisation of word links: two directed alignments of the same words become one.


# In the order of trial: the nearest, then the diagonal ones.
_STRAIGHT = ((-1, 0), (0, -1), (1, 0), (0, 1))
_DIAGONAL = ((-1, -1), (-1, 1), (1, -1), (1, 1))


class Links(NamedTuple):
    """Word links of many sentence pairs: three arrays of int64 of one length, in any order."""

    # `pair`, `src`, `tgt`: the sentence pair, its source word and its target word, all counted from
    # 0.
    pair: Ints
    src: Ints
    tgt: Ints


class Growth(NamedTuple):
    """The rule by which links of the union are added to those of the intersection."""

    diagonal: bool  # whether diagonal neighbours are added, too
    both: bool  # whether both words of a neighbour, not one of them, must be without a link
    # The words of a remaining link that must be without a link before it is added at the end:
    # `either`, `both`; empty if none is added.
    final: str = ""


METHODS = {
    "intersection": None,
    "union": None,
    "grow": Growth(diagonal=False, both=False),
    "grow-diag": Growth(diagonal=True, both=False),
    "grow-diag-final": Growth(diagonal=True, both=False, final="either"),
    "grow-diag-final-and": Growth(diagonal=True, both=False, final="both"),
    "grow-diag:strict": Growth(diagonal=True, both=True),
    "grow-diag-final:strict": Growth(diagonal=True, both=True, final="both"),
}
"""The methods by name; the first two take no growing."""

_TARGET_ROWS = ":target-rows"


def checked_method(name: str, known: Collection[str] = METHODS) -> str:
    """Return the name of a method; raise an `OptionError` for one that is not known."""
    is_name = isinstance(name, str)
    if is_name and (name in known or METHODS.get(name.removesuffix(_TARGET_ROWS))):
        return name
    near = nearest(str(name), known)
    raise OptionError(
        f"there is no way to symmetrise called {name!r}"
        f"{f'; did you mean {near}?' if near else ''}; want one of {', '.join(known)} (those "
        f"that grow may end in {_TARGET_ROWS})"
    )


def symmetrised(forward: Links, reverse: Links, method: str) -> Links:
    """Combine two sets of links by one of `METHODS`.

    To grow the intersection, the links of the current set are visited row by row (a row is a source
    word); links added ahead of the visit are visited in the same round. The four or eight
    neighbours of a link are added in order where they are in the union and one of their words has
    no link yet. Rounds go on until one adds nothing. At the end, the remaining links of `forward`
    are tried in order, then those of `reverse`. With `:target-rows`, rows are target words.

    A refused neighbour is never added later, since words only gain links; so each link is visited
    once, and the cost is a sort of n links.

    The links ascend by sentence pair, source word and target word, each once.
    """
    plain = checked_method(method).removesuffix(_TARGET_ROWS)
    if plain != method:
        turned = _symmetrised(_turned(forward), _turned(reverse), plain)
        order = np.lexsort((turned.src, turned.tgt, turned.pair))
        return _turned(Links(*(side[order] for side in turned)))
    return _symmetrised(forward, reverse, plain)


def _turned(links: Links) -> Links:
    return Links(links.pair, links.tgt, links.src)


def _symmetrised(forward: Links, reverse: Links, method: str) -> Links:
    points = _Points(forward, reverse)
    growth = METHODS[method]
    if growth is None:
        both = points.forward & points.reverse
        return points.links(both if method == "intersection" else points.forward | points.reverse)
    is_link = points.forward & points.reverse
    rows, cols = points.row, points.col
    row_linked, col_linked = points.words()
    row_linked[rows[is_link]] = True
    col_linked[cols[is_link]] = True
    _grow(points, is_link, row_linked, col_linked, growth)
    if growth.final:
        for candidates in (points.forward, points.reverse):
            _add_left(
                points, candidates, is_link, row_linked, col_linked, both=growth.final == "both"
            )
    return points.links(is_link)


class _Points:
    """The union of two sets of links, sorted, without repeats."""

    def __init__(self, forward: Links, reverse: Links) -> None:
        self._all = Links(*(np.concatenate(sides) for sides in zip(forward, reverse, strict=True)))
        row, col = (_ranks(self._all.pair, side) for side in self._all[1:])
        self.width = int(col.max(initial=0)) + 3  # a neighbour never falls on another row
        self.key, self._first, point_index = np.unique(
            row * self.width + col, return_index=True, return_inverse=True
        )
        self.row, self.col = row[self._first], col[self._first]
        self.forward, self.reverse = np.zeros((2, self.key.size), dtype=np.bool_)
        self.forward[point_index[: forward.pair.size]] = True
        self.reverse[point_index[forward.pair.size :]] = True

    def words(self) -> tuple[Bools, Bools]:
        """Return a mask of rows and one of columns, all False."""
        rows, cols = (int(side.max(initial=-1)) + 1 for side in (self.row, self.col))
        return np.zeros(rows, dtype=np.bool_), np.zeros(cols, dtype=np.bool_)

    def links(self, is_link: Bools) -> Links:
        chosen = self._first[is_link]
        return Links(*(side[chosen] for side in self._all))


def _ranks(pair: Ints, word: Ints) -> Ints:
    """Number the linked words of all sentence pairs; neighbours get consecutive numbers.

    Words further apart, or in different sentence pairs, get numbers two apart, so that all numbers
    are below twice the number of links.
    """
    packed = pair * (int(word.max(initial=0)) + 2) + word
    values, value_index = np.unique(packed, return_inverse=True)
    steps = np.minimum(np.diff(values, prepend=values[:1]), 2)
    return np.cumsum(steps)[value_index] + 1


def _grow(
    points: _Points, is_link: Bools, row_linked: Bools, col_linked: Bools, growth: Growth
) -> None:
    """Add neighbours, round by round."""
    linked = _linked(row_linked[points.row], col_linked[points.col], both=growth.both)
    open_points = np.flatnonzero(~is_link & ~linked)
    begin, end = _edges(points, is_link, open_points, diagonal=growth.diagonal)
    starts = np.searchsorted(begin, np.arange(points.key.size + 1)).tolist()
    ends, rows, cols = end.tolist(), points.row.tolist(), points.col.tolist()
    has_row, has_col, is_linked = row_linked.tolist(), col_linked.tolist(), is_link.tolist()
    current = np.unique(begin[is_link[begin]]).tolist()  # sorted, so it is a heap
    while current:
        behind: list[int] = []
        while current:
            point = heappop(current)
            for other in ends[starts[point] : starts[point + 1]]:
                row, col = rows[other], cols[other]
                if is_linked[other] or _linked(has_row[row], has_col[col], both=growth.both):
                    continue
                is_linked[other] = has_row[row] = has_col[col] = True
                if other > point:
                    heappush(current, other)
                else:
                    behind.append(other)
        current = sorted(behind)
    is_link[:], row_linked[:], col_linked[:] = is_linked, has_row, has_col


def _edges(
    points: _Points, is_link: Bools, open_points: Ints, *, diagonal: bool
) -> tuple[Ints, Ints]:
    """Return the points and their open neighbours, sorted by point, then in order of trial."""
    usable = is_link.copy()
    usable[open_points] = True
    begins, ends = [], []
    for down, right in _STRAIGHT + _DIAGONAL * diagonal:
        neighbour_keys = points.key[open_points] - (down * points.width + right)
        place = np.minimum(np.searchsorted(points.key, neighbour_keys), points.key.size - 1)
        is_neighbour = (
            (points.key[place] == neighbour_keys) & usable[place]
            if place.size
            else np.zeros(0, dtype=np.bool_)
        )
        begins.append(place[is_neighbour])
        ends.append(open_points[is_neighbour])
    begin = np.concatenate(begins)
    order = np.argsort(begin, kind="stable")
    return begin[order], np.concatenate(ends)[order]


def _add_left(
    points: _Points,
    candidates: Bools,
    is_link: Bools,
    row_linked: Bools,
    col_linked: Bools,
    *,
    both: bool,
) -> None:
    """Add the remaining links of one set, in order, where words have no link yet."""
    linked = _linked(row_linked[points.row], col_linked[points.col], both=both)
    for point in np.flatnonzero(candidates & ~is_link & ~linked).tolist():
        row, col = points.row[point], points.col[point]
        if not _linked(row_linked[row], col_linked[col], both=both):
            is_link[point] = row_linked[row] = col_linked[col] = True


def _linked(row: _Marks, col: _Marks, *, both: bool) -> _Marks:
    """Mask the blocked links: by either linked word if both must be free, else by both."""
    return row | col if both else row & col
