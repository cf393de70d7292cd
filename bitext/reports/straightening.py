"""Heights at which lines run straight: items in one line form a block, and blocks are packed.

Blocks are found as Brandes and Koepf (2002) find theirs, but strongest line first: the main path,
then text, then arcs that pass layers, then by weight. A line that would cross one taken before
it bends. The main path is one block from the first layer to the last and lies in the middle; all
others are packed towards it, from above and from below.
"""

from __future__ import annotations

from bisect import bisect_left
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bitext.reports.layering import Items

__all__ = ["blocks", "heights", "loosen"]

_WASTE = 44.0  # a line bends to come this much nearer to the middle
_LAYERS = 4  # for so many layers; or for fewer, to come nearer still


def blocks(items: Items, place: NDArray[np.int64], weight: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the number of the block of each item; numbers ascend with the first item of each.

    Parameters
    ----------
    items : Items
    place : array of int64, shape (items,)
        The place of each item in its layer.
    weight : array of int64, shape (arcs,)
        How much each arc matters.

    """
    count = len(items.node)
    before = np.full(count, -1, dtype=np.int64)
    for gap, arc, strength in zip(items.layers.gaps, items.of, items.inner, strict=True):
        left, right = place[gap.left], place[gap.right]
        order = np.lexsort((right, left, -weight[arc], -strength))
        lefts: list[int] = []
        rights: list[int] = []
        for k in order.tolist():
            a, b = int(left[k]), int(right[k])
            at = bisect_left(lefts, a)
            if at < len(lefts) and (lefts[at] == a or rights[at] <= b):
                continue
            if at and rights[at - 1] >= b:
                continue
            lefts.insert(at, a)
            rights.insert(at, b)
            before[gap.right[k]] = gap.left[k]
    return _chained(before)


def _chained(before: NDArray[np.int64]) -> NDArray[np.int64]:
    """Number the chains of items of which each but the first follows another."""
    block = list(range(len(before)))
    for item, earlier in enumerate(before.tolist()):
        if earlier >= 0:
            block[item] = block[earlier]
    return np.unique(np.array(block), return_inverse=True)[1].reshape(-1).astype(np.int64)


def loosen(
    items: Items,
    place: NDArray[np.int64],
    block: NDArray[np.int64],
    reach: NDArray[np.float64],
    *,
    gap: float,
) -> NDArray[np.int64]:
    """Cut blocks that one crowded place would hold far from the middle all along.

    Text and the main path stay whole. Parameters are those of `heights`.
    """
    firm = np.full(len(block), -1, dtype=np.int64)
    for lines, strength in zip(items.layers.gaps, items.inner, strict=True):
        kept = (strength >= 2) & (block[lines.left] == block[lines.right])
        firm[lines.right[kept]] = lines.left[kept]
    short = _chained(firm)
    need = np.abs(heights(items, place, short, reach, gap=gap)[short]).tolist()
    chains: list[list[int]] = [[] for _ in range(int(block.max()) + 1)]
    for item, number in enumerate(block.tolist()):
        chains[number].append(item)
    before = np.full(len(block), -1, dtype=np.int64)
    for number, chain in enumerate(chains):
        for part in _parts(chain, need) if number else [chain]:
            before[part[1:]] = part[:-1]
    return _chained(before)


def _parts(chain: list[int], need: list[float]) -> list[list[int]]:
    """Cut a chain where some of it could be much nearer to the middle than the rest."""
    done, waiting = [], [chain]
    while waiting:
        chain = waiting.pop()
        most = max(need[item] for item in chain)
        saved = [most - need[item] if most - need[item] >= _WASTE else 0.0 for item in chain]
        edges = [k for k in range(1, len(chain)) if bool(saved[k]) != bool(saved[k - 1])]
        wanted = [
            (a, b)
            for a, b in pairwise([0, *edges, len(chain)])
            if sum(saved[a:b]) >= _WASTE * _LAYERS
        ]
        if not wanted:
            done.append(chain)
            continue
        at = 0
        for a, b in wanted:
            if a > at:
                waiting.append(chain[at:a])
            waiting.append(chain[a:b])
            at = b
        if at < len(chain):
            waiting.append(chain[at:])
    return done


def heights(
    items: Items,
    place: NDArray[np.int64],
    block: NDArray[np.int64],
    reach: NDArray[np.float64],
    *,
    gap: float,
) -> NDArray[np.float64]:
    """Return the middle of each block, downwards from the main path at 0.

    Parameters
    ----------
    items, place, block
        The items, their places and blocks.
    reach : array of float64, shape (items,)
        Half the height of each item.
    gap : float
        What stays free between two items.

    """
    count = int(block.max()) + 1
    order = np.lexsort((place, items.layer))
    upper, lower = order[:-1], order[1:]
    same = items.layer[upper] == items.layer[lower]
    upper, lower = upper[same], lower[same]
    apart = reach[upper] + reach[lower] + gap
    above, below = block[upper], block[lower]
    y = np.zeros(count)
    for sign in (1, -1):
        # Away from the middle, each block is as near as the blocks before it let it be.
        near, far = (above, below) if sign > 0 else (below, above)
        after: list[list[tuple[int, float]]] = [[] for _ in range(count)]
        for a, b, d in zip(near.tolist(), far.tolist(), apart.tolist(), strict=True):
            after[a].append((b, d))
        reached = _side(after)
        waiting = [0] * count
        for a in reached:
            for b, _ in after[a]:
                waiting[b] += 1
        far_off = [0.0] * count
        queue = [0]
        for a in queue:
            for b, d in after[a]:
                far_off[b] = max(far_off[b], far_off[a] + d)
                waiting[b] -= 1
                if not waiting[b]:
                    queue.append(b)
        y[queue] = sign * np.array(far_off)[queue]
    return y


def _side(after: list[list[tuple[int, float]]]) -> list[int]:
    """Return what lies on one side of block 0, and block 0: the first item is on the main path."""
    seen = {0}
    queue = [0]
    for a in queue:
        for b, _ in after[a]:
            if b not in seen:
                seen.add(b)
                queue.append(b)
    return queue
