"""Plain loops that give what the kernels give: after the formulas, without arrays.

They are what one writes first, and are written to be quick as such: lists, whole numbers, names
looked up outside of the loops. What the kernels are held against is this and not a strawman.
"""

from __future__ import annotations

import math
from collections import defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["bead_chances", "bead_path", "complete_link", "lattice_distance", "lattice_path"]
__all__ += ["matching_cost", "overlaps", "pairs_of", "shared"]

_NEVER = -(1 << 60)
_NO_WEIGHT = float("-inf")
_Cell = tuple[int, int, int]


def bead_path(
    beads: Sequence[tuple[int, int]], scores: list[list[list[int]]], lo: list[int], columns: int
) -> list[object]:
    """Find the best path of beads within a band: as `bitext.kernels.bead_path.best_path`."""
    width, rows = len(scores[0][0]), len(lo) - 1
    best = [[_NEVER] * width for _ in lo]
    came = [[-1] * width for _ in lo]
    kinds = [(k, a, b) for k, (a, b) in enumerate(beads)]
    for i in range(rows + 1):
        here = best[i]
        for at in range(width):
            j = lo[i] + at
            if j < 0 or j > columns:
                continue
            top, way = (0, -1) if i == j == 0 else (_NEVER, -1)
            for k, a, b in kinds:
                if i >= a and j >= b:
                    before = j - b - lo[i - a]
                    if 0 <= before < width and best[i - a][before] > _NEVER:
                        total = best[i - a][before] + scores[k][i][at]
                        if total > top:
                            top, way = total, k
            here[at], came[i][at] = top, way
    i, j = rows, columns
    path: list[_Cell] = []
    while i or j:
        k = came[i][j - lo[i]]
        path.append((k, i, j))
        i, j = i - beads[k][0], j - beads[k][1]
    path.reverse()
    return [best[rows][columns - lo[rows]], *([step[n] for step in path] for n in range(3))]


def _logs(values: list[float]) -> float:
    top = max(values, default=_NO_WEIGHT)
    if top == _NO_WEIGHT:
        return top
    return top + math.log(sum([math.exp(value - top) for value in values]))


def bead_chances(
    beads: Sequence[tuple[int, int]],
    scores: list[list[list[int]]],
    lo: list[int],
    columns: int,
    path: list[_Cell],
    unit: float,
) -> list[float]:
    """Return how sure the beads of a path are: as `bitext.kernels.bead_posteriors.chances`."""
    rows = len(lo) - 1
    forward = _forward(beads, scores, lo, columns, unit)
    backward = _backward(beads, scores, lo, columns, unit)
    whole = forward[rows][columns - lo[rows]]
    found = []
    for k, i, j in path:
        a, b = beads[k]
        width, held = len(scores[k][i]), 0.0
        # A bead with an empty side may stand at any place.
        ends = [(i, j)]
        if not a:
            ends = [(other, j) for other in range(rows + 1)]
        elif not b:
            ends = [(i, lo[i] + at) for at in range(width) if 0 <= lo[i] + at <= columns]
        for end, other in ends:
            before, at = other - b - lo[end - a], other - lo[end]
            if 0 <= before < width and 0 <= at < width:
                total = forward[end - a][before] + backward[end][at] + scores[k][end][at] / unit
                held += math.exp(total - whole)
        found.append(held)
    return found


def _forward(
    beads: Sequence[tuple[int, int]],
    scores: list[list[list[int]]],
    lo: list[int],
    columns: int,
    unit: float,
) -> list[list[float]]:
    """Return the sums of the weights of the paths to each point, as logarithms."""
    width = len(scores[0][0])
    sums = [[_NO_WEIGHT] * width for _ in lo]
    kinds = [(k, a, b) for k, (a, b) in enumerate(beads)]
    for i in range(len(lo)):
        for at in range(max(0, -lo[i]), min(width, columns + 1 - lo[i])):
            j = lo[i] + at
            held = [0.0] if i == j == 0 else []
            for k, a, b in kinds:
                if i >= a and j >= b:
                    before = j - b - lo[i - a]
                    if 0 <= before < width and sums[i - a][before] > _NO_WEIGHT:
                        held.append(sums[i - a][before] + scores[k][i][at] / unit)
            sums[i][at] = _logs(held)
    return sums


def _backward(
    beads: Sequence[tuple[int, int]],
    scores: list[list[list[int]]],
    lo: list[int],
    columns: int,
    unit: float,
) -> list[list[float]]:
    """Return the sums of the weights of the paths from each point, as logarithms."""
    width, rows = len(scores[0][0]), len(lo) - 1
    sums = [[_NO_WEIGHT] * width for _ in lo]
    kinds = [(k, a, b) for k, (a, b) in enumerate(beads)]
    for i in range(rows, -1, -1):
        for at in range(min(width, columns + 1 - lo[i]) - 1, max(0, -lo[i]) - 1, -1):
            j = lo[i] + at
            held = [0.0] if (i, j) == (rows, columns) else []
            for k, a, b in kinds:
                if i + a <= rows and j + b <= columns:
                    after = j + b - lo[i + a]
                    if 0 <= after < width and sums[i + a][after] > _NO_WEIGHT:
                        held.append(sums[i + a][after] + scores[k][i + a][after] / unit)
            sums[i][at] = _logs(held)
    return sums


def lattice_path(gain: list[list[int]]) -> tuple[int, list[tuple[int, int]]]:
    """Find the best path through a table; gaps cost 1, those before the first match nothing."""
    rows, columns = len(gain), len(gain[0])
    table = [[0] * (columns + 1)]
    for line in gain:
        above, left, row = table[-1], 0, [0]
        for j, value in enumerate(line):
            best = above[j] + value
            if above[j + 1] - 1 > best:  # noqa: PLR1730 - a call would cost as much again
                best = above[j + 1] - 1
            if left - 1 > best:  # noqa: PLR1730
                best = left - 1
            left = best
            row.append(best)
        table.append(row)
    steps = []
    i, j = rows, columns
    while i and j:
        if table[i][j] == table[i - 1][j - 1] + gain[i - 1][j - 1]:
            i, j = i - 1, j - 1
            steps.append((i, j))
        elif table[i][j] == table[i - 1][j] - 1:
            i -= 1
        else:
            j -= 1
    return table[rows][columns], steps[::-1]


def lattice_distance(tails: list[list[int]], labels: list[set[int]], words: list[int]) -> int:
    """Return the edit distance of words to the nearest path of a graph, node by node."""
    table: list[list[int]] = [list(range(len(words) + 1))]
    last = len(tails) - 1
    for node in range(1, len(tails)):
        before: list[int] = list(map(min, zip(*(table[u] for u in tails[node]), strict=True)))
        if node == last:
            return before[-1]
        row = [before[0] + 1]
        for j, word in enumerate(words):
            change = before[j] + (word not in labels[node])
            row.append(min(change, before[j + 1] + 1, row[j] + 1))
        table.append(row)
    return len(words)


def overlaps(first: list[int], second: list[int]) -> list[list[int]]:
    """Lay two segmentations over each other, with a pointer into each."""
    found: list[list[int]] = [[], [], [], []]
    i = j = 0
    while i < len(first) - 1 and j < len(second) - 1:
        start, end = max(first[i], second[j]), min(first[i + 1], second[j + 1])
        for held, value in zip(found, (i, j, start, end), strict=True):
            held.append(value)
        i, j = i + (first[i + 1] == end), j + (second[j + 1] == end)
    return found


def matching_cost(
    points: list[tuple[int, bool]], reach: int, *, alone: tuple[int, int], fixed: int, slope: int
) -> int:
    """Return the cost of the best matching of points of two sides within reach.

    Blocks of neighbours are walked from the last point to the first: see the kernel.
    """
    count = len(points)
    least = [0] * (count + 1)
    for i in range(count - 1, -1, -1):
        best = least[i + 1] + alone[0 if points[i][1] else 1]
        waiting: list[tuple[int, bool]] = []
        cost = 0
        for j in range(i, count):
            place, side = points[j]
            if waiting and waiting[0][1] != side:
                apart = place - waiting.pop(0)[0]
                if apart > reach:
                    break
                cost += fixed + slope * apart
                if not waiting:
                    best = min(best, cost + least[j + 1])
                    break
            else:
                waiting.append((place, side))
            if place - waiting[0][0] > reach:
                break
        least[i] = best
    return least[0]


def pairs_of(
    gold: list[tuple[list[int], list[int]]], hyp: list[tuple[list[int], list[int]]]
) -> list[int]:
    """Count the pairs of segments that each alignment holds, and those that both hold."""
    targets: defaultdict[int, set[int]] = defaultdict(set)
    for src, tgt in gold:
        for s in src:
            targets[s].update(tgt)
    proposed = hits = 0
    for src, tgt in hyp:
        for s in src:
            proposed += len(tgt)
            hits += sum([t in targets[s] for t in tgt])
    return [sum(map(len, targets.values())), proposed, hits]


def shared(items: list[set[int]]) -> list[list[int]]:
    """Count what each two sets share."""
    return [[len(a & b) for b in items] for a in items]


def complete_link(similarity: list[list[float]], threshold: float) -> list[int]:
    """Join the two groups whose least similar members are most similar, until none are."""
    groups = {k: [k] for k in range(len(similarity))}
    table = {(a, b): similarity[a][b] for a in groups for b in groups if a < b}
    while table:
        (one, other), value = max(table.items(), key=lambda entry: (entry[1], *_last(entry[0])))
        if value < threshold:
            break
        groups[one] += groups.pop(other)
        del table[one, other]
        for k in groups:
            if k != one:
                pair, gone = (min(one, k), max(one, k)), (min(other, k), max(other, k))
                table[pair] = min(table[pair], table.pop(gone))
    found = [0] * len(similarity)
    for first, members in groups.items():
        for member in members:
            found[member] = first
    return found


def _last(pair: tuple[int, int]) -> tuple[int, int]:
    """Order pairs so that the earliest is the greatest."""
    return -pair[0], -pair[1]
