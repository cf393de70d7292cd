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

from bitext.segment.block_dual import best_shares

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from bitext.segment.blocks import Block, Problem

__all__ = ["BlockCuttingPlane"]

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
        """Return how far the gold paragraphs' score is above that of each constraint."""
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
