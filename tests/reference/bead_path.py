"""All paths of beads through a small table, one by one."""

from __future__ import annotations

import math

import numpy as np


def paths(beads, rows, columns, inside):
    """Yield every path as a list of (kind, row, column), the last bead varying slowest."""

    def to(i, j):
        if (i, j) == (0, 0):
            yield []
        if not inside(i, j):
            return
        for kind, (a, b) in enumerate(beads):
            if a <= i and b <= j and inside(i - a, j - b):
                for path in to(i - a, j - b):
                    yield [*path, (kind, i, j)]

    return list(to(rows, columns))


def best(beads, score, rows, columns, inside):
    """Return the best path: among equal ones the first bead of the list counted from the end."""
    order = [*(k for k, bead in enumerate(beads) if bead != (0, 1)), list(beads).index((0, 1))]
    found = [
        (sum(score(*step) for step in path), path) for path in paths(beads, rows, columns, inside)
    ]
    if not found:
        return None
    top = max(total for total, _ in found)
    ties = [path for total, path in found if total == top]
    return top, min(ties, key=lambda path: [order.index(kind) for kind, _, _ in reversed(path)])


def shares(beads, score, rows, columns, inside, path, unit):
    """Return of each bead of a path the share of the weight of the paths that have it.

    A bead with an empty side is in all paths that leave its members alone, wherever.
    """

    def named(steps):
        names = []
        for kind, i, j in steps:
            a, b = beads[kind]
            names.append((kind, i if a else None, j if b else None))
        return names

    weights = [
        (math.exp(sum(score(*step) for step in each) / unit), set(named(each)))
        for each in paths(beads, rows, columns, inside)
    ]
    whole = sum(weight for weight, _ in weights)
    return [sum(weight for weight, held in weights if one in held) / whole for one in named(path)]


def scores_of(table):
    """Return the function from blocks of a band to the scores of a table."""

    def scores(first, last, band):
        column = np.clip(band.lo[first:last, None] + np.arange(band.width), 0, table.shape[2] - 1)
        return table[:, np.arange(first, last)[:, None], column]

    return scores
