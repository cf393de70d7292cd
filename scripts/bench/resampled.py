"""Intervals of F1 of whole beads and of its differences, by a bootstrap over blocks of texts."""

from __future__ import annotations

from dataclasses import dataclass
from math import nan
from typing import TYPE_CHECKING

import numpy as np

from bitext.reports.table import Table

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from bitext import Alignment
    from bitext.model import Bisegment

__all__ = ["BLOCK", "RESAMPLES", "Compared", "block_counts", "compared", "comparison", "pooled"]

BLOCK = 25  # source sentences; set by hand: errors are runs of a few beads
RESAMPLES = 10_000
_PART = 500  # resamples at a time


@dataclass(frozen=True)
class Compared:
    """F1 of a system, and its difference to a baseline, each with a 95% interval."""

    f1: float
    interval: tuple[float, float]
    difference: float
    difference_interval: tuple[float, float]

    @property
    def verdict(self) -> str:
        """Whether the system is better or worse than the baseline, or a tie."""
        low, high = self.difference_interval
        return "better" if low > 0 else "worse" if high < 0 else "tie"


def block_counts(
    gold: Alignment,
    systems: Mapping[str, Alignment],
    sizes: tuple[int, int],
    *,
    block: int = BLOCK,
) -> dict[str, NDArray[np.int64]]:
    """Return for each system and block of a text the numbers of right, gold and proposed beads.

    A bead belongs to the block of its first source sentence; without one, of the source sentence
    at the same share of the text as its first target sentence.
    """
    blocks = -(-max(sizes[0], 1) // block)
    made = {}
    for name, system in systems.items():
        counts = np.zeros((blocks, 3), dtype=np.int64)
        right = set(gold) & set(system)
        lists: tuple[Iterable[Bisegment], ...] = (right, gold, system)
        for column, beads in enumerate(lists):
            for src, tgt in beads:
                at = src[0] if src else tgt[0] * sizes[0] // max(sizes[1], 1)
                counts[min(at // block, blocks - 1), column] += 1
        made[name] = counts
    return made


def pooled(pairs: Sequence[Mapping[str, NDArray[np.int64]]]) -> dict[str, NDArray[np.int64]]:
    """Return the counts of several pairs of languages of one text, block by block.

    The pairs share sentences, so that their blocks are drawn together.
    """
    size = max(len(each) for pair in pairs for each in pair.values())
    made = {name: np.zeros((size, 3), dtype=np.int64) for name in pairs[0]}
    for pair in pairs:
        for name, own in pair.items():
            made[name][: len(own)] += own
    return made


def compared(
    texts: Sequence[Mapping[str, NDArray[np.int64]]],
    baseline: str,
    *,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> dict[str, Compared]:
    """Return the F1 of each system, micro over texts, resampled over the blocks of all texts."""
    counts = {name: np.concatenate([each[name] for each in texts]) for name in texts[0]}
    size = len(counts[baseline])
    random = np.random.default_rng(seed)
    drawn: dict[str, list[NDArray[np.float64]]] = {name: [] for name in counts}
    for _ in range(resamples // _PART):
        weights = random.multinomial(size, np.full(size, 1 / size), size=_PART)
        for name, own in counts.items():
            drawn[name].append(_f1(weights @ own))
    every = {name: np.concatenate([np.zeros(0), *parts]) for name, parts in drawn.items()}
    whole = {name: float(_f1(own.sum(axis=0))) for name, own in counts.items()}
    return {
        name: Compared(
            whole[name],
            _interval(every[name]),
            whole[name] - whole[baseline],
            _interval(every[name] - every[baseline]),
        )
        for name in counts
    }


def _f1(counts: NDArray[np.int64]) -> NDArray[np.float64]:
    made: NDArray[np.float64] = 2 * counts[..., 0] / np.maximum(counts[..., 1:].sum(axis=-1), 1)
    return made


def _interval(values: NDArray[np.float64]) -> tuple[float, float]:
    if not values.size:
        return nan, nan
    low, high = np.quantile(values, [0.025, 0.975])
    return float(low), float(high)


def comparison(made: Mapping[str, Compared], baseline: str) -> Table:
    """Return the table of all systems beside the baseline."""
    head = ["alignment", "F1", "95%", f"minus {baseline}", "95%", "verdict"]
    shown = Table(head, right={1, 2, 3, 4}, quiet={0})
    for name, each in made.items():
        row = [name, f"{each.f1:.3f}", "{:.3f} to {:.3f}".format(*each.interval)]
        if name == baseline:
            row += ["", "", ""]
        else:
            low, high = each.difference_interval
            row += [f"{each.difference:+.4f}", f"{low:+.4f} to {high:+.4f}", each.verdict]
        shown.rows.append(row)
    return shown
