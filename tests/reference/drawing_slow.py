"""Slow, obvious checks of layouts: what crosses, and what lies upon what."""

from __future__ import annotations


def crossing_cost(gaps, place):
    """Sum the products of weights over all pairs of lines of a gap that cross."""
    total = 0
    for left, right, weight, *_ in gaps:
        lines = [(place[a], place[b], w) for a, b, w in zip(left, right, weight, strict=True)]
        for k, (a, b, w) in enumerate(lines):
            for c, d, v in lines[:k]:
                if (a - c) * (b - d) < 0:
                    total += int(w * v)
    return total


def upon(boxes):
    """Return the pairs of boxes (left, top, right, bottom) of which one lies upon the other."""
    found = []
    for k, (a, b, c, d) in enumerate(boxes):
        for m, (e, f, g, h) in enumerate(boxes[:k]):
            if a < g - 1e-6 and e < c - 1e-6 and b < h - 1e-6 and f < d - 1e-6:
                found.append((m, k))
    return found


def longest_ranks(count, arcs):
    """Return the length of the longest way from node 0 to each node, by relaxing all arcs."""
    rank = [0] * count
    for _ in range(count):
        for tail, head in arcs:
            rank[head] = max(rank[head], rank[tail] + 1)
    return rank


def best_sum(count, arcs, weights):
    """Return the greatest sum of (weight - 1) over all paths, by trying each."""
    out = {}
    for (tail, head), weight in zip(arcs, weights, strict=True):
        out.setdefault(tail, []).append((head, weight - 1))

    def follow(node):
        if node == count - 1:
            return 0
        return max(weight + follow(head) for head, weight in out[node])

    return follow(0)
