"""On which side of the main path things lie: so that as much is above it as below."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bitext.reports.layering import Items

__all__ = ["sided"]


def sided(items: Items, wish: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a first order of the items: 0 for the main path, less above it, more below.

    What hangs together without the main path stays together. The largest goes first, each to the
    side with more room; what passes fewer layers lies nearer to the path. Within it the
    wishes decide.
    """
    count = len(items.node)
    main = np.zeros(count, dtype=bool)
    for gap, strength in zip(items.layers.gaps, items.inner, strict=True):
        main[gap.left[strength == 3]] = True
        main[gap.right[strength == 3]] = True
    parts = _parts(items, main)
    depth = len(items.layers.ptr) - 1
    taken = {1: np.zeros(depth, dtype=np.int64), -1: np.zeros(depth, dtype=np.int64)}
    low, spread = float(wish.min()), float(np.ptp(wish)) + 1
    out = np.zeros(count)
    for part in sorted(parts, key=lambda part: (-len(part), part[0])):
        layers, tall = np.unique(items.layer[part], return_counts=True)
        full = {side: taken[side][layers] + tall for side in (1, -1)}
        side = min((1, -1), key=lambda side: (int(full[side].max()), int(full[side].sum()), -side))
        taken[side][layers] = full[side]
        out[part] = side * (len(layers) + (wish[part] - low) / spread)
    return out


def _parts(items: Items, main: NDArray[np.bool_]) -> list[list[int]]:
    """Return the items off the main path that lines between such items join."""
    known = list(range(len(main)))

    def top(item: int) -> int:
        while known[item] != item:
            known[item] = known[known[item]]
            item = known[item]
        return item

    for gap in items.layers.gaps:
        off = ~main[gap.left] & ~main[gap.right]
        for a, b in zip(gap.left[off].tolist(), gap.right[off].tolist(), strict=True):
            first, second = sorted((top(a), top(b)))
            known[second] = first
    parts: dict[int, list[int]] = {}
    for item in np.flatnonzero(~main).tolist():
        parts.setdefault(top(item), []).append(item)
    return list(parts.values())
