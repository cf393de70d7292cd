"""Paths through all rows and some columns, found by trying every beginning."""

from __future__ import annotations

from functools import cache


def best_between(beads, score, rows, begin, end):
    """Return the score of the best path from (0, begin) to (rows, end), None if there is none."""

    @cache
    def best(i, j):
        if i == 0:
            return 0 if j == begin else None
        found = []
        for kind, (a, b) in enumerate(beads):
            if i >= a and j - b >= begin:
                before = best(i - a, j - b)
                if before is not None:
                    found.append(before + score(kind, i, j))
        return max(found, default=None)

    return best(rows, end)
