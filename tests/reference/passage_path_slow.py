"""The best path with passages, point by point, from scores that are looked up one by one."""

from __future__ import annotations


def best_score(beads, score, rows, columns, inside, opening, more):
    """Return the score of the best path, or None where there is none.

    A state is a point and whether it is in a passage; `open` holds the states that are reached,
    taken in the order of rows and columns.
    """
    held = {(0, 0, False): 0}

    def better(state, total):
        if state not in held or held[state] < total:
            held[state] = total

    for i in range(rows + 1):
        for j in range(columns + 1):
            if not inside(i, j):
                continue
            # A passage of no sentence is never worth its cost, so the order of both is free.
            if (i, j, True) in held:
                better((i, j, False), held[i, j, True])
            if (i, j, False) in held:
                better((i, j, True), held[i, j, False] + opening)
            for passage in (False, True):
                if (i, j, passage) not in held:
                    continue
                total = held[i, j, passage]
                for kind, (a, b) in enumerate(beads):
                    if not inside(i + a, j + b) or (passage and a + b > 1):
                        continue
                    extra = more[b] if passage else 0
                    better((i + a, j + b, passage), total + score(kind, i + a, j + b) + extra)
    return held.get((rows, columns, False))


def score_of(beads, score, path, within, opening, more):
    """Return the score of a path of which it is known which beads are in passages."""
    total, before = 0, False
    for kind, i, j, inside in zip(path.kinds, path.row, path.column, within, strict=True):
        a, b = beads[kind]
        total += score(kind, i, j)
        if inside:
            total += more[b] + (0 if before else opening)
            assert a + b == 1
        before = inside
    return total
