"""Segment alignment as its definition stands: sets of units, every segment tried."""

from collections import Counter
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


def spanning_tree(gold, hyp, weight="jaccard", rank=lambda edge: edge):
    """Return the edges of weight above 0 of a maximum spanning tree of all segments, by Kruskal.

    `rank` orders edges of the same weight.
    """
    a, b = units(gold), units(hyp)
    every = [(i, j) for i in range(len(a)) for j in range(len(b))]
    heavy = {(i, j): CLOSENESS[weight](a[i], b[j]) for i, j in every}
    tree_of = {("a", i): {("a", i)} for i in range(len(a))}
    tree_of |= {("b", j): {("b", j)} for j in range(len(b))}
    out = []
    for i, j in sorted(every, key=lambda edge: (-heavy[edge], rank(edge))):
        first, second = tree_of["a", i], tree_of["b", j]
        if first is not second:
            first |= second
            tree_of.update(dict.fromkeys(first, first))
            out.append((i, j))
    assert len(out) == len(a) + len(b) - 1
    return {edge for edge in out if heavy[edge]}


def similarity(
    gold,
    hyp,
    closeness="intersect",
    weight="jaccard",
    threshold=0,
    penalty="hard",
    scoring="edges",
    alignment="closest",
    directions="undirected",
    types=None,
    type_weights=None,
):
    """Return the sum of weights and what it is divided by; `types` are sets, of both sides."""
    a, b = units(gold), units(hyp)
    chosen = edges(gold, hyp, closeness)
    if alignment == "tree":
        chosen = {edge: {"gold", "hyp"} for edge in spanning_tree(gold, hyp)}

    def weigh(x, y):
        w = CLOSENESS[weight](x, y)
        if w < threshold:
            w = Fraction(0) if penalty == "hard" else w * w / Fraction(threshold)
        return w

    if directions != "undirected" or type_weights is not None:
        return _directed(a, b, chosen, weigh, directions, types, type_weights)
    weights = {(i, j): weigh(a[i], b[j]) for i, j in chosen}
    if scoring == "best":
        best = [max(w for (i, _), w in weights.items() if i == s) for s in range(len(a))]
        best += [max(w for (_, j), w in weights.items() if j == s) for s in range(len(b))]
        return sum(best), len(best)
    degrees = {s: Counter(edge[s] for edge in weights) for s in (0, 1)}
    if scoring == "degree":
        weights = {(i, j): w / max(degrees[0][i], degrees[1][j]) for (i, j), w in weights.items()}
    total = sum(weights.values())
    if scoring == "growing":
        total -= sum(2 ** (d - 1) - 1 for side in degrees.values() for d in side.values())
    return total, len(weights)


def _directed(a, b, chosen, weigh, directions, types, type_weights):
    total = whole = Fraction(0)
    for (i, j), by in chosen.items():
        ways = [weigh(a[i], b[j])]
        if directions != "undirected":
            ways = [weigh(a[i], b[j])] * ("gold" in by and directions != "hyp")
            ways += [weigh(b[j], a[i])] * ("hyp" in by and directions != "gold")
        right, of = 1, 1
        if type_weights is not None:
            right, of = _type_shares(i, j, len(a), len(b), types, type_weights)
        total += sum(ways) * right
        whole += len(ways) * of
    return total, whole


def _type_shares(i, j, count_a, count_b, types, weights):
    """Return the weights of the types that both segments have at their two ends, and of either."""
    rights, ofs = [], []
    for x, y in ((i - 1, j - 1), (i, j)):  # the boundaries before, and behind
        first = types[0][x] if 0 <= x < count_a - 1 else None
        second = types[1][y] if 0 <= y < count_b - 1 else None
        if first is None and second is None:
            continue
        first, second = (second if first is None else first), (first if second is None else second)
        rights.append(sum(Fraction(weights.get(t, 1)) for t in first if t in second))
        ofs.append(sum(Fraction(weights.get(t, 1)) for t in {*first, *second}))
    return (sum(rights) / len(rights), sum(ofs) / len(ofs)) if rights else (1, 1)


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
