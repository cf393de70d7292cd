"""Cutting planes, block by block: the exact dual of one text while the others stand still.

Each text has a set of constraints: segmentations that the weights of some pass took furthest
from the gold one. A constraint is kept as the beginnings of its paragraphs, and what it weighs
under some weights is read off the scores of the text: no constraint is ever laid out over the
features. Deterministic, and as good for one text as for many.

Source: Shi, Altun, Smola and Vishwanathan 2007, algorithm 1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from bitext.segment.blocks import Block, Problem

__all__ = ["BlockCuttingPlane", "BlockFrankWolfe", "best_shares"]


# Block-coordinate Frank-Wolfe: one text after another, a step by line search each.
#
# The weights are a sum of one vector a text, which is kept over the columns that the text has: the
# memory is that of the corpus. The weights that a model gets are an average in which pass by pass
# later ones count more.
#
# Source: Lacoste-Julien, Jaggi, Schmidt and Pletscher 2013, algorithm 4 and section 5 (averaging).


class BlockFrankWolfe:
    """The state of the solver on a problem; begins at zero.

    Parameters
    ----------
    problem : Problem
    seed : int
        Draws the order of the texts, anew for each pass.

    """

    name = "bcfw"

    def __init__(self, problem: Problem, seed: int) -> None:
        self.problem, self.seed = problem, seed
        self.passes = self.steps = 0
        self._current = np.zeros(problem.size)
        # What the steps leave to take from the weights to have their average; see `weights`.
        self._early = np.zeros(problem.size)
        sizes = [len(block.columns) for block in problem.blocks]
        self._parts = np.zeros(sum(sizes))
        self._bounds = np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)])
        self._losses = np.zeros(len(sizes))

    def run_pass(self, tolerance: float) -> tuple[float, int]:
        """Take one step on each text; return the sum of their gaps and how many steps moved."""
        del tolerance  # every step is an improvement, however small
        blocks, cost = self.problem.blocks, self.problem.cost
        order = np.random.default_rng([self.seed, self.passes]).permutation(len(blocks))
        total, moved = 0.0, 0
        for k in order.tolist():
            block = blocks[k]
            here = self._current[block.columns]
            part = self._parts[self._bounds[k] : self._bounds[k + 1]]
            starts = block.find(here).starts
            apart = block.difference(starts)
            apart *= -cost
            apart += part  # from where a full step would lead to where the text is now
            loss = cost * block.loss(starts)
            gap = float(apart @ here) - self._losses[k] + loss
            length = float(apart @ apart)
            step = min(max(gap / length, 0.0), 1.0) if length > 0.0 else 0.0
            total += max(gap, 0.0)
            if step > 0.0:
                moved += 1
                apart *= step
                part -= apart
                here -= apart
                self._current[block.columns] = here
                self._losses[k] += step * (loss - self._losses[k])
                # Step s of K counts s times in the average, so what is taken away at step s is
                # missing in the steps before it: s (s - 1) / 2 of them.
                apart *= self.steps * (self.steps + 1) / 2
                self._early[block.columns] -= apart
            self.steps += 1
        self.passes += 1
        return total, moved

    def dual(self) -> float:
        """Return the dual objective."""
        return float(self._losses.sum() - 0.5 * (self._current @ self._current))

    def current(self) -> NDArray[np.float64]:
        """Return the weights that the dual objective is of."""
        return self._current.copy()

    def weights(self) -> NDArray[np.float64]:
        """Return the average of the weights after steps 1 to K, step s counted s times."""
        if not self.steps:
            return self.current()
        return self._current - self._early / (self.steps * (self.steps + 1) / 2)

    def to_arrays(self) -> dict[str, NDArray[np.float64]]:
        """Return all that a later run needs to go on as this one would."""
        return {
            "current": self._current.copy(),
            "early": self._early.copy(),
            "parts": self._parts.copy(),
            "losses": self._losses.copy(),
        }

    def take_up(self, passes: int, arrays: Mapping[str, NDArray[np.float64]]) -> None:
        """Go on from a state that `to_arrays` gave after so many passes of the same problem.

        Raises
        ------
        KeyError, ValueError
            When the arrays are not those of one.

        """
        for name, array in self.to_arrays().items():
            if arrays[name].shape != array.shape:
                raise ValueError(f"{name} has the shape {arrays[name].shape}, not {array.shape}")
        self.passes, self.steps = passes, passes * len(self.problem.blocks)
        self._current[:] = arrays["current"]
        self._early[:] = arrays["early"]
        self._parts[:] = arrays["parts"]
        self._losses[:] = arrays["losses"]


# The dual of one text in closed form: the best share for each of its constraints.

_RIDGE = 1e-11  # so that differences that depend on each other still give one answer
_PRECISION = 1e-11


def best_shares(
    products: NDArray[np.float64],
    gains: NDArray[np.float64],
    cost: float,
    shares: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Maximise gains a - 1/2 a products a over shares a of 0 or more that sum to at most `cost`.

    The method of active sets: the optimum over the shares above 0 is had from linear equations;
    a share that would fall below 0 on the way there leaves them, and the one whose rise
    promises most joins them, until none does. Each round improves, so that the answer
    is never worse than the shares it began with.

    Parameters
    ----------
    products : array of float, shape (k, k)
        Symmetric, without negative eigenvalues.
    gains : array of float, shape (k,)
    cost : float
        Above 0.
    shares : array of float, shape (k,)
        Where to begin: allowed shares.

    Examples
    --------
    >>> best_shares(np.eye(2), np.array([0.5, 3.0]), 2.0, np.zeros(2)).tolist()
    [0.0, 2.0]

    """
    shares = shares.copy()
    free = shares > 0.0
    slack = cost - float(shares.sum())
    bound = slack <= _PRECISION * cost  # whether the sum is held at the cost
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
    products: NDArray[np.float64],
    gains: NDArray[np.float64],
    shares: NDArray[np.float64],
    inside: NDArray[np.int64],
    ridge: float,
    *,
    bound: bool,
) -> tuple[NDArray[np.float64], float]:
    """Return the way to the optimum over the free shares, and the price of the bound on the sum."""
    if not len(inside):
        return np.zeros(0), 0.0
    slope: NDArray[np.float64] = (gains - products @ shares)[inside]
    matrix = products[np.ix_(inside, inside)] + ridge * np.eye(len(inside))
    sides = np.stack([slope, np.ones(len(inside))], axis=1)
    both = np.linalg.solve(matrix, sides).astype(np.float64, copy=False)
    if not bound:
        return both[:, 0], 0.0
    price = float(both[:, 0].sum() / both[:, 1].sum())
    move = both[:, 0] - price * both[:, 1]
    # The sum stays at the cost to the last digits, however close to singular the equations are.
    return move - move.mean(), price


def _room(
    shares: NDArray[np.float64], move: NDArray[np.float64], slack: float, *, bound: bool
) -> tuple[float, int | None]:
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


_IDLE = 25  # passes after which a constraint without a share is dropped
_NOISE = 1e-12


class _Constraints:
    """The constraints of one text, with their shares in the weights, which sum to C at most."""

    def __init__(self, block: Block) -> None:
        self.block = block
        self.size = 0
        self.flat = np.zeros(0, dtype=np.int64)  # beginnings, of one constraint after another
        self.bounds = np.zeros(1, dtype=np.int64)
        self.losses = self.shares = np.zeros(0)
        self.idle = np.zeros(0, dtype=np.int64)
        self.products = np.zeros((0, 0))

    def put(self, flat: NDArray[np.int64], bounds: NDArray[np.int64]) -> None:
        """Set which segmentations they are, all of them at once."""
        self.flat, self.bounds, self.size = flat, bounds, len(bounds) - 1
        ends = np.append(flat[1:], 0)
        ends[bounds[1:] - 1] = self.block.features.n
        longest = self.block.features.longest
        self.cells = (ends - 1) * longest + longest - (ends - flat)

    def values(
        self, nodes: NDArray[np.float64], edges: NDArray[np.float64], gold: float
    ) -> NDArray[np.float64]:
        """Return the gold score less that of each constraint."""
        if not self.size:
            return np.zeros(0)
        scores = nodes[self.flat] + edges.ravel()[self.cells]
        return gold - np.add.reduceat(scores, self.bounds[:-1])

    def holds(self, starts: NDArray[np.int64]) -> bool:
        """Whether a segmentation is among them."""
        same = np.flatnonzero(np.diff(self.bounds) == len(starts))
        return any(
            np.array_equal(self.flat[self.bounds[k] : self.bounds[k + 1]], starts)
            for k in same.tolist()
        )

    def add(self, starts: NDArray[np.int64]) -> None:
        """Add a segmentation, of no share yet."""
        block, size = self.block, self.size
        self.put(
            np.concatenate([self.flat, starts]),
            np.append(self.bounds, len(self.flat) + len(starts)),
        )
        self.losses = np.append(self.losses, float(block.loss(starts)))
        self.shares, self.idle = np.append(self.shares, 0.0), np.append(self.idle, 0)
        # The product with another difference is what this one gives it, taken as weights.
        apart = block.difference(starts)
        found = block.scores(apart)
        products = np.zeros((size + 1, size + 1))
        products[:size, :size] = self.products
        products[size] = products[:, size] = self.values(*found)
        self.products = products

    def difference(self, factors: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the sum of the differences, each times its factor, by column of the block."""
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
        """Forget constraints that have had no share for many passes."""
        self.idle = np.where(self.shares > 0.0, 0, self.idle + 1)
        kept = np.flatnonzero(self.idle <= _IDLE)
        if len(kept) < self.size:
            lengths = np.diff(self.bounds)
            flat = self.flat[np.repeat(self.idle <= _IDLE, lengths)]
            self.put(flat, np.concatenate([[0], np.cumsum(lengths[kept])]))
            self.losses, self.shares = self.losses[kept], self.shares[kept]
            self.idle, self.products = self.idle[kept], self.products[np.ix_(kept, kept)]


class BlockCuttingPlane:
    """The state of the solver on a problem; begins at zero.

    Parameters
    ----------
    problem : Problem

    """

    name = "cutting-plane"

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.passes = 0
        self._current = np.zeros(problem.size)
        self._texts = [_Constraints(block) for block in problem.blocks]

    def run_pass(self, tolerance: float) -> tuple[float, int]:
        """Visit each text once; return the sum of their gaps and how many of them moved.

        A text is left as it is when its gap is within its part of the tolerance, which is
        relative to the dual.
        """
        cost, total, moved = self.problem.cost, 0.0, 0
        allowed = max(tolerance * self.dual() / max(len(self._texts), 1), _NOISE * cost)
        for text in self._texts:
            block = text.block
            found = block.find(self._current[block.columns])
            values = text.values(found.nodes, found.edges, found.gold)
            gap = cost * found.violation - float(text.shares @ (text.losses - values))
            total += max(gap, 0.0)
            if gap <= allowed:
                continue
            moved += 1
            if not text.holds(found.starts):
                text.add(found.starts)
                values = text.values(found.nodes, found.edges, found.gold)
            # What the shares of this text put into the weights is taken out of the values.
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

    def current(self) -> NDArray[np.float64]:
        """Return the weights that the dual objective is of."""
        return self._current.copy()

    def weights(self) -> NDArray[np.float64]:
        """Return the weights to use: the same."""
        return self.current()

    def to_arrays(self) -> dict[str, NDArray[np.float64]]:
        """Return all that a later run needs to go on as this one would."""
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

    def take_up(self, passes: int, arrays: Mapping[str, NDArray[np.float64]]) -> None:
        """Go on from a state that `to_arrays` gave after so many passes of the same problem.

        Raises
        ------
        KeyError, ValueError
            When the arrays are not those of one.

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


def _sums(places: NDArray[np.int64], values: NDArray[np.float64], size: int) -> NDArray[np.float64]:
    return np.bincount(places, weights=values, minlength=size).astype(np.float64)


def _joined(parts: Sequence[Any], kind: type) -> NDArray[Any]:
    arrays: list[NDArray[Any]] = [np.asarray(part, dtype=kind) for part in parts]
    return np.concatenate([*arrays, np.zeros(0, dtype=kind)])


def _split(array: NDArray[Any], sizes: Sequence[int] | NDArray[np.int64]) -> list[NDArray[Any]]:
    """Return copies of the parts of an array, one after another."""
    return [part.copy() for part in np.split(array, np.cumsum(sizes)[:-1])] if len(sizes) else []
