"""Semi-Markov models: inference, the max-margin training problem, and its solvers.

**Inference**: the best segmentation, the k best, and boundary marginals.

The score of a segmentation of n sentences is the sum of the scores of its inner boundaries
(`nodes`, indexed by the sentence that begins a paragraph) and of its paragraphs (`edges`). Cell
(i, c) of `edges` is the paragraph of M - c sentences that ends with sentence i. If that
paragraph would begin before the text, the cell is minus infinity or any finite number.

**Source**: Shi, Altun, Smola and Vishwanathan 2007, section 2.4; Sarawagi and Cohen 2004.

**The max-margin training problem**, with one block a text: loss, scores and feature differences.

Weights w minimise 1/2 |w|^2 + C sum over texts of max over y of [loss(y) - <w, difference(y)>],
where difference(y) = features(gold) - features(y) and the loss counts the inner boundaries that
only one of gold and y has. **Source**: Shi, Altun, Smola and Vishwanathan 2007, equation 4, where
`Phi` is read as the difference (with the sign printed there, w would move towards violating
segmentations); C is per text.

**Solvers**: block-coordinate Frank-Wolfe, and cutting planes by block.

A block is one text. The cutting planes solve the dual of one block exactly while the others are
fixed. Each text has a set of constraints: the segmentations that violated the margin most under the
weights of some pass. A constraint is stored as the starts of its paragraphs, and its score follows
from the scores of the sentences, so no feature vector of a constraint is ever built. The solver is
deterministic, and works for one text as for many.

**Source**: Shi, Altun, Smola and Vishwanathan 2007, algorithm 1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bitext.errors import InputError, many, remedy
from bitext.kernels.arrays import Floats, Ints, ranges
from bitext.model import Segmentation

if TYPE_CHECKING:
    from bitext.segment.features.text import TextFeatures


def decode(
    nodes: ArrayLike, edges: ArrayLike, *, gold: Sequence[int] | Ints | None = None
) -> tuple[Ints, float]:
    """Find the segmentation with the highest score.

    T_0 = 0, and T_i is the maximum over max(i - M, 0) <= j < i of T_j + nodes[j] + edge(j, i); ties
    go to the smallest j, which is the longest paragraph. The time is linear in n and in M.

    Parameters
    ----------
    nodes : array of float, shape (n,)
        The score of each sentence as the beginning of a paragraph; that of the first sentence does
        not count.
    edges : array of float, shape (n, M)
        The score of each paragraph of up to M sentences.
    gold : array of int, optional
        The first sentences of the gold paragraphs. If given, the loss is added to the score: the
        number of inner boundaries that only one of the two segmentations has.

    Returns
    -------
    starts : array of int64
        The first sentences of the paragraphs, ascending, with 0; empty for an empty text.
    score : float
        The score of the segmentation, the loss included; 0 for an empty text.

    Examples
    --------
    >>> edges = [[-np.inf, 0.0], [1.0, 0.0], [3.0, 0.0]]
    >>> decode([0.0, 1.0, 2.0], edges)
    (array([0, 1]), 4.0)
    >>> decode([0.0, 1.0, 2.0], edges, gold=[0, 1])
    (array([0, 2]), 5.0)

    """
    gains, cells, constant = _prepared(nodes, edges, gold)
    n, longest = cells.shape
    if not n:
        return np.zeros(0, dtype=np.int64), 0.0
    # totals[j + M] is the best score of the sentences before j, with the boundary at j. M cells of
    # minus infinity before the text give every sentence a window of M cells.
    totals = np.full(n + longest, -np.inf)
    totals[longest] = 0.0
    later = totals.data[longest + 1 :]  # a memoryview stores a single number faster than an array
    steps = [*gains[1:].tolist(), 0.0]
    back = [0] * n
    room = np.empty(longest)
    add, largest, item = np.add, room.argmax, room.item
    best = 0.0
    for i, (row, window) in enumerate(zip(cells, _windows(totals, n, longest), strict=True)):
        add(row, window, room)
        back[i] = at = int(largest())
        best = item(at)
        if i < n - 1:
            later[i] = best + steps[i]
    starts, end = [], n
    while end:
        end += back[end - 1] - longest
        starts.append(end)
    return np.array(starts[::-1], dtype=np.int64), best + constant


def k_best(nodes: ArrayLike, edges: ArrayLike, k: int) -> list[tuple[Ints, float]]:
    """Return the k best segmentations, all different, with their scores, best first.

    Ties go to the segmentation whose last paragraph begins earlier, then to the one whose last
    paragraph but one does, and so on: the first segmentation is that of `decode`. There are fewer
    than k for texts with fewer segmentations, and none for an empty text. The time is
    O(n M k log(M k)).

    Examples
    --------
    >>> edges = [[-np.inf, 0.0], [1.0, 0.0], [3.0, 0.0]]
    >>> [(starts.tolist(), score) for starts, score in k_best([0.0, 1.0, 2.0], edges, 9)]
    [([0, 1], 4.0), ([0, 2], 3.0), ([0, 1, 2], 3.0)]

    """
    gains, cells, _ = _prepared(nodes, edges, None)
    n, longest = cells.shape
    if not n or k < 1:
        return []
    totals = np.full((n + longest, k), -np.inf)
    totals[longest, 0] = 0.0
    back = np.zeros((n, k), dtype=np.int64)  # the best predecessors, as cell * k + rank
    scores = np.zeros(k)
    for i in range(n):
        together = (cells[i, :, None] + totals[i + 1 : i + 1 + longest]).ravel()
        # A stable sort puts the earlier beginning first among ties, then the better rank.
        order = np.argsort(-together, kind="stable")[:k]
        scores = np.full(k, -np.inf)
        scores[: len(order)] = together[order]
        back[i, : len(order)] = order
        if i < n - 1:
            totals[i + 1 + longest] = scores + gains[i + 1]
    answers = []
    for rank in range(int(np.count_nonzero(scores > -np.inf))):
        starts, end, place = [], n, rank
        while end:
            cell, place = divmod(int(back[end - 1, place]), k)
            end += cell - longest
            starts.append(end)
        answers.append((np.array(starts[::-1], dtype=np.int64), float(scores[rank])))
    return answers


def marginals(nodes: ArrayLike, edges: ArrayLike) -> Floats:
    """Return the probability that each sentence begins a paragraph, shape (n,).

    The probability of a segmentation is exp(score), divided by the sum of exp(score) over all
    segmentations. The forward-backward algorithm works in logarithms, so that large scores do not
    overflow. The probability of the first sentence is 1. The time is linear in n and in M.

    Examples
    --------
    >>> edges = [[-np.inf, 0.0], [0.0, 0.0], [0.0, 0.0]]
    >>> marginals(np.log([1, 1, 2]), edges).round(6).tolist()
    [1.0, 0.6, 0.8]

    """
    gains, cells, _ = _prepared(nodes, edges, None)
    n, longest = cells.shape
    if not n:
        return np.zeros(0)
    # before[j + M] is the log-sum of the sentences before j, with the boundary at j.
    before = np.full(n + longest, -np.inf)
    before[longest] = 0.0
    total = 0.0
    for i, (row, window) in enumerate(zip(cells, _windows(before, n, longest), strict=True)):
        total = _log_sum(row + window)
        if i < n - 1:
            before[i + 1 + longest] = total + gains[i + 1]
    # The paragraphs that begin with sentence j are a diagonal of the cells: a paragraph of t more
    # sentences is t rows down and t cells to the left.
    padded = np.full((n + longest, longest), -np.inf)
    padded[:n] = cells
    step = padded.itemsize
    begun: Floats = np.ndarray(
        (n, longest),
        padded.dtype,
        padded,
        offset=(longest - 1) * step,
        strides=(longest * step, (longest - 1) * step),
    )
    # after[j] is the log-sum of the sentences from j on, with the boundary at j.
    after = np.full(n + longest, -np.inf)
    after[n] = 0.0
    for j in range(n - 1, -1, -1):
        after[j] = _log_sum(begun[j] + after[j + 1 : j + 1 + longest])
        if j:
            after[j] += gains[j]
    # Both log-sums include the boundary at j: subtract its score once.
    chances = np.exp(before[longest:] - gains + after[:n] - total)
    chances[0] = 1.0
    return np.minimum(chances, 1.0)


def score_of(nodes: Floats, edges: Floats, starts: Ints) -> float:
    """Return the score of a segmentation, given by the first sentences of its paragraphs."""
    n, longest = edges.shape
    ends = np.append(starts[1:], n)[: len(starts)]
    return float(nodes[starts[1:]].sum() + edges[ends - 1, longest - ends + starts].sum())


def _prepared(
    nodes: ArrayLike, edges: ArrayLike, gold: Sequence[int] | Ints | None
) -> tuple[Floats, Floats, float]:
    """Return the scores as arrays, and the constant part of the loss.

    The loss is the number of gold boundaries, plus 1 for each boundary outside gold, minus 1 for
    each boundary of gold that the segmentation has: it is a sum over nodes and a constant.
    """
    gains = np.array(nodes, dtype=np.float64)
    cells = np.ascontiguousarray(edges, dtype=np.float64).reshape(len(gains), np.shape(edges)[-1])
    gains[:1] = 0.0
    if gold is None:
        return gains, cells, 0.0
    starts = np.asarray(gold, dtype=np.int64)
    inner = starts[starts > 0]
    gains[1:] += 1.0
    gains[inner] -= 2.0
    return gains, cells, float(len(inner))


def _windows(totals: Floats, n: int, longest: int) -> Floats:
    """Return a view with the M totals before the end of each sentence, where paragraphs begin."""
    step = totals.itemsize
    return np.ndarray((n, longest), totals.dtype, totals, offset=step, strides=(step, step))


def _log_sum(values: Floats) -> float:
    top = values.max()
    return float(top + np.log(np.exp(values - top).sum()))


# **The max-margin training problem**, with one block a text: loss, scores and feature differences.


class Violation(NamedTuple):
    """The segmentation of a text that violates the margin most."""

    starts: Ints  # the first sentences of its paragraphs, ascending
    violation: float  # loss(starts) + score(starts) - score(gold), or 0 if that is negative
    # `nodes`, `edges`: the scores of the text under the weights, without the loss.
    nodes: Floats
    edges: Floats
    gold: float  # the score of the gold paragraphs


class Block:
    """A training text: its gold paragraphs, and its features over the columns that occur in it.

    Attributes
    ----------
    columns : array of int64
        The indices of the weights whose features occur in the text, ascending.
    features : TextFeatures
        The features of the text, indexed by position in `columns`.
    gold : array of int64
        The first sentences of the gold paragraphs, ascending.

    """

    def __init__(self, features: TextFeatures, gold: Ints) -> None:
        self.columns, self.features = features.local()
        self.gold = gold
        self.begins = np.zeros(features.n, dtype=np.bool_)
        self.begins[gold] = True

    def find(self, weights: Floats) -> Violation:
        """Find the most violating segmentation, given the weights of `columns`."""
        nodes, edges, gold = self.scores(weights)
        starts, score = decode(nodes, edges, gold=self.gold)
        return Violation(starts, max(score - gold, 0.0), nodes, edges, gold)

    def scores(self, weights: Floats) -> tuple[Floats, Floats, float]:
        """Return the scores of nodes, of edges, and of the gold paragraphs."""
        nodes, edges = self.features.node_scores(weights), self.features.edge_scores(weights)
        return nodes, edges, score_of(nodes, edges, self.gold)

    def loss(self, starts: Ints) -> int:
        """Count the inner boundaries that only one of the gold segmentation and `starts` has."""
        common = int(np.count_nonzero(self.begins[starts]))
        return len(self.gold) + len(starts) - 2 * common

    def difference(self, starts: Ints) -> Floats:
        """Return the features of the gold paragraphs minus those of `starts`, by column."""
        totals = np.zeros(len(self.columns))
        others = np.zeros_like(self.begins)
        others[starts] = True
        apart = np.flatnonzero(self.begins != others)
        self.features.add_nodes(totals, apart, np.where(self.begins[apart], 1.0, -1.0))
        firsts = np.concatenate([self.gold, starts])
        ends = np.concatenate([self.gold[1:], [self.features.n], starts[1:], [self.features.n]])
        factors = np.ones(len(firsts))
        factors[len(self.gold) :] = -1.0
        self.features.add_edges(totals, firsts, ends, factors)
        return totals


@dataclass
class Problem:
    """A training problem: the blocks of all texts, and the cost of their loss."""

    # One for each text of two sentences or more; shorter texts have no inner boundary.
    blocks: list[Block]
    size: int  # the number of weights
    cost: float  # C, the weight of the loss of each text relative to 1/2 |w|^2
    notes: list[str]  # notes on gold paragraphs that were cut

    @classmethod
    def of(
        cls,
        features: Sequence[TextFeatures],
        golds: Sequence[Segmentation | Sequence[int] | Ints],
        size: int,
        *,
        cost: float,
        names: Sequence[str] | None = None,
    ) -> Problem:
        """Build the problem from the features and the gold paragraphs of texts.

        Decoding never returns a paragraph of more than M sentences. A longer gold paragraph is
        therefore cut into the fewest parts of about equal length, with a note.

        Raises `InputError` when the numbers of texts and gold segmentations differ, or a gold
        segmentation does not fit its text.
        """
        if len(features) != len(golds):
            raise InputError(f"{many(len(features), 'text')} and {len(golds)} gold segmentations")
        blocks, notes = [], []
        for k, (text, gold) in enumerate(zip(features, golds, strict=True)):
            name = names[k] if names is not None else f"text {k}"
            starts = starts_of(gold, text.n, name)
            if text.n < 2:
                continue
            fitting, long = _cut(starts, text.n, text.longest)
            if long.size:
                notes.append(
                    f"{name}: {long.size} gold paragraphs have more than {text.longest} sentences, "
                    f"the first from sentence {long[0]} on: cut for training; "
                    f"a greater longest paragraph ({remedy('longest')}) keeps them whole"
                )
            blocks.append(Block(text, fitting))
        return cls(blocks, size, float(cost), notes)

    def primal(self, weights: Floats) -> float:
        """Return the primal objective of `weights`; decodes each text once."""
        total = sum(block.find(weights[block.columns]).violation for block in self.blocks)
        return float(0.5 * (weights @ weights) + self.cost * total)

    def fingerprint(self) -> str:
        """Return a hash of the features, the gold paragraphs and the cost."""
        digest = blake2b(f"{self.size} {self.cost!r}".encode(), digest_size=16)
        for block in self.blocks:
            text = block.features
            for array in (block.columns, block.gold, *text.nodes):
                digest.update(array.tobytes())
            for first, bins, values in text.edges:
                digest.update(f"{first} {text.longest}".encode())
                for cells in (bins, values):
                    digest.update(b"" if cells is None else cells.tobytes())
        return digest.hexdigest()


def starts_of(gold: Segmentation | Sequence[int] | Ints, n: int, name: str = "the text") -> Ints:
    """Return the first sentences of gold paragraphs as an array.

    The gold paragraphs are a segmentation, or the indices of their first sentences.

    Raises `InputError` when the paragraphs do not fit a text of n sentences.
    """
    if isinstance(gold, Segmentation):
        if gold.n != n:
            raise InputError(f"{name}: paragraphs over {many(gold.n, 'sentence')}, but it has {n}")
        return np.concatenate([[0], gold.boundaries])
    starts = np.asarray(gold)
    fits = (
        starts.ndim == 1 and bool(starts.size) == bool(n) and (not n or starts.dtype.kind in "iu")
    )
    starts = starts.astype(np.int64) if fits else starts
    if not fits or (n and (starts[0] or starts[-1] >= n or (np.diff(starts) <= 0).any())):
        raise InputError(
            f"{name}: {gold!r:.60} are no first sentences of paragraphs: "
            f"want 0 and ascending numbers below {n}"
        )
    return starts


def _cut(starts: Ints, n: int, longest: int) -> tuple[Ints, Ints]:
    """Cut paragraphs of more than `longest` sentences; return all starts and those of long ones.

    A paragraph of L sentences becomes p = ceil(L / longest) parts; part k starts floor(k L / p)
    sentences after its first one.
    """
    lengths = np.diff(starts, append=n)
    long = starts[lengths > longest]
    if not long.size:
        return starts, long
    parts = -(-lengths // longest)
    part_number = ranges(0, parts)
    shares = np.repeat(lengths, parts) * part_number // np.repeat(parts, parts)
    return np.repeat(starts, parts) + shares, long


# Block-coordinate Frank-Wolfe: one step with line search for each text in turn.
#
# The weights are a sum of one vector a text, stored over the columns of that text alone, so memory
# grows with the corpus, not with texts times columns. The model gets a weighted average of the
# weights after each step, in which later steps count more.
#
# Source: Lacoste-Julien, Jaggi, Schmidt and Pletscher 2013, algorithm 4 and section 5 (averaging).


class BlockFrankWolfe:
    """Block-coordinate Frank-Wolfe on a problem, from zero weights.

    The order of the texts is drawn from `seed` for each pass.
    """

    name = "bcfw"

    def __init__(self, problem: Problem, seed: int) -> None:
        self.problem, self.seed = problem, seed
        self.passes = self.steps = 0
        self._current = np.zeros(problem.size)
        # The difference of the current weights from their average, scaled; see `weights`.
        self._early = np.zeros(problem.size)
        sizes = [len(block.columns) for block in problem.blocks]
        self._parts = np.zeros(sum(sizes))
        self._bounds = np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)])
        self._losses = np.zeros(len(sizes))
        self._arrays = {
            "current": self._current,
            "early": self._early,
            "parts": self._parts,
            "losses": self._losses,
        }

    def run_pass(self, tolerance: float) -> tuple[float, int]:
        """Take one step on each text; return the sum of the duality gaps and the texts moved."""
        del tolerance  # every step is an improvement, however small
        blocks, cost = self.problem.blocks, self.problem.cost
        order = np.random.default_rng([self.seed, self.passes]).permutation(len(blocks))
        total, moved = 0.0, 0
        for k in order.tolist():
            block = blocks[k]
            block_point = self._current[block.columns]
            part = self._parts[self._bounds[k] : self._bounds[k + 1]]
            starts = block.find(block_point).starts
            apart = block.difference(starts)
            apart *= -cost
            apart += part  # from the end of a full step back to the current vector of the text
            loss = cost * block.loss(starts)
            gap = float(apart @ block_point) - self._losses[k] + loss
            length = float(apart @ apart)
            step = min(max(gap / length, 0.0), 1.0) if length > 0.0 else 0.0
            total += max(gap, 0.0)
            if step > 0.0:
                moved += 1
                apart *= step
                part -= apart
                block_point -= apart
                self._current[block.columns] = block_point
                self._losses[k] += step * (loss - self._losses[k])
                # Step s of K counts s times in the average, so a change at step s is missing from
                # the terms before it, which sum to s (s - 1) / 2.
                apart *= self.steps * (self.steps + 1) / 2
                self._early[block.columns] -= apart
            self.steps += 1
        self.passes += 1
        return total, moved

    def dual(self) -> float:
        """Return the dual objective."""
        return float(self._losses.sum() - 0.5 * (self._current @ self._current))

    def current(self) -> Floats:
        """Return the weights at which `dual` is evaluated."""
        return self._current.copy()

    def weights(self) -> Floats:
        """Return the average of the weights after steps 1 to K, step s counted s times."""
        if not self.steps:
            return self.current()
        return self._current - self._early / (self.steps * (self.steps + 1) / 2)

    def to_arrays(self) -> dict[str, Floats]:
        """Return the state, from which `take_up` resumes the same sequence of steps."""
        return {name: array.copy() for name, array in self._arrays.items()}

    def take_up(self, passes: int, arrays: Mapping[str, Floats]) -> None:
        """Resume from the output of `to_arrays` after `passes` passes over the same problem.

        Raises `KeyError` or `ValueError` when an array is missing or has another shape.
        """
        for name, array in self._arrays.items():
            if arrays[name].shape != array.shape:
                raise ValueError(f"{name} has the shape {arrays[name].shape}, not {array.shape}")
        self.passes, self.steps = passes, passes * len(self.problem.blocks)
        for name, array in self._arrays.items():
            array[:] = arrays[name]


# The dual of one text: the best share for each of its constraints.

_RIDGE = 1e-11  # relative to the mean diagonal: linearly dependent differences stay solvable
# Rounds of active sets, and more for each share: a bound on the time of hard cases, which ends with
# shares that are no worse than the initial ones
_ROUNDS, _ROUNDS_PER_SHARE = 50, 10
_PRECISION = 1e-11  # relative tolerance of sums and gains; set by hand, near the limit of float64


def best_shares(products: Floats, gains: Floats, cost: float, shares: Floats) -> Floats:
    """Maximise gains a - 1/2 a products a over shares a of 0 or more that sum to at most `cost`.

    `products`, of shape (k, k), is symmetric and positive semidefinite; `gains` has the shape (k,),
    as `shares`, the initial shares, which are feasible; `cost` is above 0.

    Active sets: linear equations give the optimum over the free shares (those above 0). A share
    that would fall below 0 on the way leaves the free ones, and the share with the largest positive
    gradient joins them, until there is none. No round lowers the objective, so the result is never
    worse than the initial shares.

    Examples
    --------
    >>> best_shares(np.eye(2), np.array([0.5, 3.0]), 2.0, np.zeros(2)).tolist()
    [0.0, 2.0]

    """
    shares = shares.copy()
    free = shares > 0.0
    slack = cost - float(shares.sum())
    bound = slack <= _PRECISION * cost  # whether the bound on the sum is active
    scale = float(np.abs(gains).max(initial=0.0)) or 1.0
    ridge = _RIDGE * (float(np.trace(products)) / max(len(shares), 1) or 1.0)
    for _ in range(_ROUNDS + _ROUNDS_PER_SHARE * len(shares)):
        inside = np.flatnonzero(free)
        move, price = _newton(products, gains, shares, inside, ridge, bound=bound)
        step, leaves = _room(shares[inside], move, slack, bound=bound)
        shares[inside] = np.maximum(shares[inside] + step * move, 0.0)
        if bound:
            shares *= cost / float(shares.sum())
        slack = cost - float(shares.sum())
        if leaves is not None:
            if leaves < 0:
                bound = True
            else:
                shares[inside[leaves]] = 0.0
                free[inside[leaves]] = False
            continue
        promise = gains - products @ shares - price
        promise[free] = -np.inf
        joins = int(promise.argmax()) if len(promise) else 0
        best = float(promise[joins]) if len(promise) else -np.inf
        if bound and -price > max(best, _PRECISION * scale):
            bound = False
        elif best > _PRECISION * scale:
            free[joins] = True
        else:
            break
    return shares


def _newton(
    products: Floats, gains: Floats, shares: Floats, inside: Ints, ridge: float, *, bound: bool
) -> tuple[Floats, float]:
    """Return the step to the optimum over the free shares, and the multiplier of the bound."""
    if not len(inside):
        return np.zeros(0), 0.0
    slope: Floats = (gains - products @ shares)[inside]
    matrix = products[np.ix_(inside, inside)] + ridge * np.eye(len(inside))
    sides = np.stack([slope, np.ones(len(inside))], axis=1)
    both = np.linalg.solve(matrix, sides).astype(np.float64, copy=False)
    if not bound:
        return both[:, 0], 0.0
    price = float(both[:, 0].sum() / both[:, 1].sum())
    move = both[:, 0] - price * both[:, 1]
    # Keeps the sum at the cost to the last digit, even where the equations are nearly singular.
    return move - move.mean(), price


def _room(shares: Floats, move: Floats, slack: float, *, bound: bool) -> tuple[float, int | None]:
    """Return the longest step, at most 1, and the share that limits it; -1 for the sum."""
    step, leaves = 1.0, None
    falling = np.flatnonzero(move < 0.0)
    if len(falling):
        limits = shares[falling] / -move[falling]
        first = int(limits.argmin())
        if limits[first] < step:
            step, leaves = float(limits[first]), int(falling[first])
    rise = float(move.sum())
    if not bound and rise * step > slack:
        step, leaves = max(slack, 0.0) / rise, -1
    return step, leaves


_MOST_IDLE_PASSES = 25  # passes after which a constraint without a share is dropped; set by hand
_LEAST_RELATIVE_GAP = 1e-12  # least gap that counts, relative to the cost: below is rounding


class _Constraints:
    """The constraints of one text, with their shares in the weights, whose sum is at most C."""

    def __init__(self, block: Block) -> None:
        self.block = block
        self.size = 0
        self.flat = np.zeros(0, dtype=np.int64)  # beginnings, of one constraint after another
        self.bounds = np.zeros(1, dtype=np.int64)
        self.losses = self.shares = np.zeros(0)
        self.idle = np.zeros(0, dtype=np.int64)
        self.products = np.zeros((0, 0))

    def put(self, flat: Ints, bounds: Ints) -> None:
        """Replace all constraints by segmentations, given as concatenated starts."""
        self.flat, self.bounds, self.size = flat, bounds, len(bounds) - 1
        ends = np.append(flat[1:], 0)
        ends[bounds[1:] - 1] = self.block.features.n
        longest = self.block.features.longest
        self.cells = (ends - 1) * longest + longest - (ends - flat)

    def values(self, nodes: Floats, edges: Floats, gold: float) -> Floats:
        """Return the score of the gold segmentation minus that of each constraint."""
        if not self.size:
            return np.zeros(0)
        scores = nodes[self.flat] + edges.ravel()[self.cells]
        return gold - np.add.reduceat(scores, self.bounds[:-1])

    def holds(self, starts: Ints) -> bool:
        """Check for a segmentation, given by its starts, among the constraints."""
        same = np.flatnonzero(np.diff(self.bounds) == len(starts))
        return any(
            np.array_equal(self.flat[self.bounds[k] : self.bounds[k + 1]], starts)
            for k in same.tolist()
        )

    def add(self, starts: Ints) -> None:
        """Add a segmentation with share 0."""
        block, size = self.block, self.size
        self.put(
            np.concatenate([self.flat, starts]),
            np.append(self.bounds, len(self.flat) + len(starts)),
        )
        self.losses = np.append(self.losses, float(block.loss(starts)))
        self.shares, self.idle = np.append(self.shares, 0.0), np.append(self.idle, 0)
        # Its products with the other differences: their values under this difference as weights.
        apart = block.difference(starts)
        scores = block.scores(apart)
        products = np.zeros((size + 1, size + 1))
        products[:size, :size] = self.products
        products[size] = products[:, size] = self.values(*scores)
        self.products = products

    def difference(self, factors: Floats) -> Floats:
        """Return the differences times their `factors`, summed, over the columns of the block."""
        features, gold = self.block.features, self.block.gold
        totals = np.zeros(len(self.block.columns))
        each = -np.repeat(factors, np.diff(self.bounds))
        nodes = _sums(self.flat, each, features.n)
        nodes[gold] += factors.sum()
        nodes[0] = 0.0
        apart = np.flatnonzero(nodes)
        features.add_nodes(totals, apart, nodes[apart])
        edges = _sums(self.cells, each, features.n * features.longest)
        ends = np.append(gold[1:], features.n)
        edges[(ends - 1) * features.longest + features.longest - (ends - gold)] += factors.sum()
        cells = np.flatnonzero(edges)
        ends, places = np.divmod(cells, features.longest)
        ends += 1
        features.add_edges(totals, ends - (features.longest - places), ends, edges[cells])
        return totals

    def drop_idle(self) -> None:
        """Drop constraints that had no share for `_MOST_IDLE_PASSES` passes."""
        self.idle = np.where(self.shares > 0.0, 0, self.idle + 1)
        recent = np.flatnonzero(self.idle <= _MOST_IDLE_PASSES)
        if len(recent) < self.size:
            lengths = np.diff(self.bounds)
            flat = self.flat[np.repeat(self.idle <= _MOST_IDLE_PASSES, lengths)]
            self.put(flat, np.concatenate([[0], np.cumsum(lengths[recent])]))
            self.losses, self.shares = self.losses[recent], self.shares[recent]
            self.idle, self.products = self.idle[recent], self.products[np.ix_(recent, recent)]


class BlockCuttingPlane:
    """Cutting planes by block on a problem, from zero weights."""

    name = "cutting-plane"

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.passes = 0
        self._current = np.zeros(problem.size)
        self._texts = [_Constraints(block) for block in problem.blocks]

    def run_pass(self, tolerance: float) -> tuple[float, int]:
        """Visit each text once; return the sum of the duality gaps and the number of moves.

        A text is skipped if its gap is within its part of the tolerance, which is relative to
        the dual.
        """
        cost, total, moved = self.problem.cost, 0.0, 0
        allowed = max(
            tolerance * self.dual() / max(len(self._texts), 1), _LEAST_RELATIVE_GAP * cost
        )
        for text in self._texts:
            block = text.block
            worst = block.find(self._current[block.columns])
            values = text.values(worst.nodes, worst.edges, worst.gold)
            gap = cost * worst.violation - float(text.shares @ (text.losses - values))
            total += max(gap, 0.0)
            if gap <= allowed:
                continue
            moved += 1
            if not text.holds(worst.starts):
                text.add(worst.starts)
                values = text.values(worst.nodes, worst.edges, worst.gold)
            # The values without the contribution of this text to the weights.
            rest = values - text.products @ text.shares
            before = text.shares
            text.shares = best_shares(text.products, text.losses - rest, cost, before)
            self._current[block.columns] += text.difference(text.shares - before)
            text.drop_idle()
        self.passes += 1
        return total, moved

    def dual(self) -> float:
        """Return the dual objective."""
        gains = sum(float(text.shares @ text.losses) for text in self._texts)
        return float(gains - 0.5 * (self._current @ self._current))

    def current(self) -> Floats:
        """Return the weights at which `dual` is evaluated."""
        return self._current.copy()

    def weights(self) -> Floats:
        """Return the weights of the model, which are the current ones."""
        return self.current()

    def to_arrays(self) -> dict[str, Floats]:
        """Return the state, from which `take_up` resumes the same sequence of steps."""
        texts = self._texts
        return {
            "current": self._current.copy(),
            "sizes": _joined([[text.size] for text in texts], np.int64),
            "lengths": _joined([np.diff(text.bounds) for text in texts], np.int64),
            "starts": _joined([text.flat for text in texts], np.int64),
            "losses": _joined([text.losses for text in texts], np.float64),
            "shares": _joined([text.shares for text in texts], np.float64),
            "idle": _joined([text.idle for text in texts], np.int64),
            "products": _joined([text.products.ravel() for text in texts], np.float64),
        }

    def take_up(self, passes: int, arrays: Mapping[str, Floats]) -> None:
        """Resume from the output of `to_arrays` after `passes` passes over the same problem.

        Raises `KeyError` or `ValueError` when an array is missing or does not fit the problem.
        """
        sizes, spans, starts = (
            arrays[name].astype(np.int64) for name in ("sizes", "lengths", "starts")
        )
        shapes = {"current": self._current.size, "sizes": len(self._texts), "starts": spans.sum()}
        shapes |= dict.fromkeys(("lengths", "losses", "shares", "idle"), sizes.sum())
        shapes["products"] = (sizes * sizes).sum()
        for name, size in shapes.items():
            if arrays[name].shape != (size,):
                raise ValueError(f"{name} has the shape {arrays[name].shape}, not {(size,)}")
        if min(sizes.min(initial=0), spans.min(initial=1) - 1, starts.min(initial=0)) < 0:
            raise ValueError("a size or a place is below 0")
        self.passes = passes
        self._current[:] = arrays["current"]
        lengths = _split(spans, sizes)
        flats = _split(starts, [int(part.sum()) for part in lengths])
        for text, flat in zip(self._texts, flats, strict=True):
            if flat.max(initial=0) >= text.block.features.n:
                raise ValueError("a paragraph begins after the end of its text")
        for k, text in enumerate(self._texts):
            text.put(flats[k], np.concatenate([[0], np.cumsum(lengths[k])]))
        for name in ("losses", "shares", "idle"):
            for text, part in zip(self._texts, _split(arrays[name], sizes), strict=True):
                setattr(text, name, part)
        squares = _split(arrays["products"], sizes * sizes)
        for text, part in zip(self._texts, squares, strict=True):
            text.products = part.reshape(text.size, text.size)


def _sums(places: Ints, values: Floats, size: int) -> Floats:
    return np.bincount(places, weights=values, minlength=size).astype(np.float64)


def _joined(parts: Sequence[Any], kind: type) -> NDArray[Any]:
    arrays: list[NDArray[Any]] = [np.asarray(part, dtype=kind) for part in parts]
    return np.concatenate([*arrays, np.zeros(0, dtype=kind)])


def _split(array: NDArray[Any], sizes: Sequence[int] | Ints) -> list[NDArray[Any]]:
    """Return copies of the parts of an array, one after another."""
    return [part.copy() for part in np.split(array, np.cumsum(sizes)[:-1])] if len(sizes) else []
