"""Solvers of the max-margin problem: block-coordinate Frank-Wolfe, and cutting planes by block.

A block is one text. The cutting planes solve the dual of one block exactly while the others are
fixed. Each text has a set of constraints: the segmentations that violated the margin most under the
weights of some pass. A constraint is stored as the starts of its paragraphs, and its score follows
from the scores of the sentences, so no feature vector of a constraint is ever built. The solver is
deterministic, and works for one text as for many.

Source: Shi, Altun, Smola and Vishwanathan 2007, algorithm 1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from bitext.kernels.arrays import Floats, Ints
    from bitext.segment.semi_markov import Block, Problem

# Block-coordinate Frank-Wolfe: one step with line search for each text in turn.
#
# The weights are a sum of one vector a text, stored over the columns of that text alone, so memory
# grows with the corpus, not with texts times columns. The model gets a weighted average of the
# weights after each step, in which later steps count more.
#
# Source: Lacoste-Julien, Jaggi, Schmidt and Pletscher 2013, algorithm 4 and section 5 (averaging).


class BlockFrankWolfe:
    """Block-coordinate Frank-Wolfe on a problem, from zero weights.

    Parameters
    ----------
    seed : int
        Seed of the order of the texts, which is drawn for each pass.

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
        return {
            "current": self._current.copy(),
            "early": self._early.copy(),
            "parts": self._parts.copy(),
            "losses": self._losses.copy(),
        }

    def take_up(self, passes: int, arrays: Mapping[str, Floats]) -> None:
        """Resume from the output of `to_arrays` after `passes` passes over the same problem.

        Raises
        ------
        KeyError, ValueError
            When an array is missing or has another shape.

        """
        for name, array in self.to_arrays().items():
            if arrays[name].shape != array.shape:
                raise ValueError(f"{name} has the shape {arrays[name].shape}, not {array.shape}")
        self.passes, self.steps = passes, passes * len(self.problem.blocks)
        self._current[:] = arrays["current"]
        self._early[:] = arrays["early"]
        self._parts[:] = arrays["parts"]
        self._losses[:] = arrays["losses"]


# The dual of one text: the best share for each of its constraints.

_RIDGE = 1e-11  # relative to the mean diagonal: linearly dependent differences stay solvable
_PRECISION = 1e-11  # relative tolerance of sums and gains; set by hand, near the limit of float64


def best_shares(
    products: Floats,
    gains: Floats,
    cost: float,
    shares: Floats,
) -> Floats:
    """Maximise gains a - 1/2 a products a over shares a of 0 or more that sum to at most `cost`.

    Active sets: linear equations give the optimum over the free shares (those above 0). A share
    that would fall below 0 on the way leaves the free ones, and the share with the largest positive
    gradient joins them, until there is none. No round lowers the objective, so the result is never
    worse than the initial shares.

    Parameters
    ----------
    products : array of float, shape (k, k)
        Symmetric, positive semidefinite.
    gains : array of float, shape (k,)
    cost : float
        The bound on the sum of the shares, above 0.
    shares : array of float, shape (k,)
        Feasible initial shares.

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
    for _ in range(50 + 10 * len(shares)):
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
    products: Floats,
    gains: Floats,
    shares: Floats,
    inside: Ints,
    ridge: float,
    *,
    bound: bool,
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

        Raises
        ------
        KeyError, ValueError
            When an array is missing or does not fit the problem.

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
