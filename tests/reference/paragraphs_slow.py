"""Segmentations into paragraphs, as they would be explained: try every one of them."""

from itertools import combinations, pairwise
from math import exp, fsum


def segmentations(n, longest):
    """All lists of beginnings whose paragraphs have at most `longest` sentences."""
    for size in range(n):
        for inner in combinations(range(1, n), size):
            starts = [0, *inner]
            if all(b - a <= longest for a, b in pairwise([*starts, n])):
                yield starts


def score(nodes, edges, starts, gold=None):
    """Add up a segmentation, and the boundaries that it has and the gold one has not, or not it."""
    n, longest = len(nodes), len(edges[0])
    total = sum(nodes[s] for s in starts[1:])
    total += sum(edges[b - 1][longest - (b - a)] for a, b in pairwise([*starts, n]))
    return total if gold is None else total + len(set(starts[1:]) ^ set(gold[1:]))


def ranked(nodes, edges, gold=None):
    """All segmentations with scores, best first; of equal ones, the earlier last beginning."""
    found = [
        (score(nodes, edges, starts, gold), starts)
        for starts in segmentations(len(nodes), len(edges[0]))
    ]
    return sorted(found, key=lambda pair: (-pair[0], pair[1][::-1]))


def marginals(nodes, edges):
    """The probability of each beginning, from the sum over all segmentations."""
    found = ranked(nodes, edges)
    masses = [exp(value - found[0][0]) for value, _ in found]
    return [
        fsum(m for m, (_, starts) in zip(masses, found, strict=True) if k in starts) / fsum(masses)
        for k in range(len(nodes))
    ]
