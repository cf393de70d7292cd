"""Segment alignment as its definition stands: sets of units, every segment tried."""

from fractions import Fraction
from itertools import combinations


def units(masses):
    """Return each segment as the set of its units."""
    out, at = [], 0
    for mass in masses:
        out.append(frozenset(range(at, at + mass)))
        at += mass
    return out


def jaccard(x, y):
    return Fraction(len(x & y), len(x | y))


CLOSENESS = {
    "intersect": lambda x, y: Fraction(len(x & y), len(x)),
    "jaccard": jaccard,
    "dice": lambda x, y: Fraction(2 * len(x & y), len(x) + len(y)),
    "overlap": lambda x, y: Fraction(len(x & y), min(len(x), len(y))),
}


def edges(gold, hyp, closeness="intersect"):
    """Return {(gold segment, hyp segment): who chose it}."""
    a, b = units(gold), units(hyp)
    close = CLOSENESS[closeness]
    out = {}
    for i, x in enumerate(a):
        best = max(range(len(b)), key=lambda j: (close(x, b[j]), jaccard(x, b[j]), -j))
        out.setdefault((i, best), set()).add("gold")
    for j, y in enumerate(b):
        best = max(range(len(a)), key=lambda i: (close(y, a[i]), jaccard(y, a[i]), -i))
        out.setdefault((best, j), set()).add("hyp")
    return out


def similarity(
    gold, hyp, closeness="intersect", weight="jaccard", threshold=0, penalty="hard", scoring="edges"
):
    """Return the sum of weights and what it is divided by."""
    a, b = units(gold), units(hyp)
    weights = {}
    for i, j in edges(gold, hyp, closeness):
        w = CLOSENESS[weight](a[i], b[j])
        if w < threshold:
            w = Fraction(0) if penalty == "hard" else w * w / Fraction(threshold)
        weights[i, j] = w
    if scoring == "best":
        best = [max(w for (i, _), w in weights.items() if i == s) for s in range(len(a))]
        best += [max(w for (_, j), w in weights.items() if j == s) for s in range(len(b))]
        return sum(best), len(best)
    if scoring == "degree":
        for i, j in list(weights):
            of_gold = sum(1 for x, _ in edges(gold, hyp, closeness) if x == i)
            of_hyp = sum(1 for _, y in edges(gold, hyp, closeness) if y == j)
            weights[i, j] /= max(of_gold, of_hyp)
    total = sum(weights.values())
    if scoring == "growing":
        for side, count in ((0, len(a)), (1, len(b))):
            degrees = [sum(edge[side] == s for edge in weights) for s in range(count)]
            total -= sum(2 ** (d - 1) - 1 for d in degrees)
    return total, len(weights)


def rand(gold, hyp):
    """Return how many pairs of units both sides join or both separate, of how many."""
    a, b = ([k for k, mass in enumerate(side) for _ in range(mass)] for side in (gold, hyp))
    pairs = list(combinations(range(len(a)), 2))
    return sum((a[i] == a[j]) == (b[i] == b[j]) for i, j in pairs), len(pairs)


def adjusted_rand(gold, hyp):
    """Return the Rand index less its mean over all orders of the units of hyp, over the most."""
    a, b = ([k for k, mass in enumerate(side) for _ in range(mass)] for side in (gold, hyp))
    pairs = list(combinations(range(len(a)), 2))
    joined = [sum(side[i] == side[j] for i, j in pairs) for side in (a, b)]
    both = sum(a[i] == a[j] and b[i] == b[j] for i, j in pairs)
    # A pair that gold joins is joined by a random order of hyp as often as any other pair.
    chance = Fraction(joined[0] * joined[1], len(pairs)) if pairs else Fraction(0)
    most = Fraction(sum(joined), 2)
    return None if most == chance else (both - chance) / (most - chance)


def slot_errors(gold, hyp):
    """Return the slots of {(place, type)} that are wrong, place by place."""
    errors = 0
    for place in {place for place, _ in gold | hyp}:
        missing = sum(p == place for p, _ in gold - hyp)
        extra = sum(p == place for p, _ in hyp - gold)
        while missing or extra:  # one error at a time, a substitution where it can be one
            missing, extra, errors = max(missing - 1, 0), max(extra - 1, 0), errors + 1
    return errors
