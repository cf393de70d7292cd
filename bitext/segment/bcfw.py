"""Block-coordinate Frank-Wolfe: one text after another, a step by line search each.

The weights are a sum of one vector a text, which is kept over the columns that the text has: the
memory is that of the corpus. The weights that a model gets are an average in which pass by pass
later ones count more.

Source: Lacoste-Julien, Jaggi, Schmidt and Pletscher 2013, algorithm 4 and section 5 (averaging).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from bitext.segment.blocks import Problem

__all__ = ["BlockFrankWolfe"]


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
