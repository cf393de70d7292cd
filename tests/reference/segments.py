"""Segment alignment as its definition stands: sets of units, every segment tried."""

from fractions import Fraction


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
