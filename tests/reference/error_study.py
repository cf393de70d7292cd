"""The error study, by loops over all references and all pairs of hypotheses.

With A, padded WindowDiff and B as the papers define them, over plain lists, as fractions.
"""

from fractions import Fraction
from itertools import combinations, pairwise

TYPES = ("cross", "vanishing", "constant")


def references(n, m):
    """Return the positions of the boundaries of every segmentation of n units in m segments."""
    return [list(inner) for inner in combinations(range(1, n), m - 1)]


def size_of_window(n, m):
    return max(1, round(Fraction(n, m) / 2))  # Python rounds half to even


def masses(inner, n):
    ends = [0, *inner, n]
    return [b - a for a, b in pairwise(ends)]


def spans(inner, n):
    ends = [0, *inner, n]
    return [set(range(a, b)) for a, b in pairwise(ends)]


def jaccard(a, b):
    return Fraction(len(a & b), len(a | b))


def moves(inner, n):
    """Return (kind, boundary, distance, hypothesis): kinds are soft, hard, neither and cross."""
    ends = [0, *inner, n]
    out = []
    for i in range(1, len(ends) - 1):
        others = [b for b in inner if b != ends[i]]
        for to in range(ends[i - 1] + 1, ends[i + 1]):
            if to == ends[i]:
                continue
            left = jaccard(set(range(ends[i - 1], ends[i])), set(range(ends[i - 1], to)))
            right = jaccard(set(range(ends[i], ends[i + 1])), set(range(to, ends[i + 1])))
            half = Fraction(1, 2)
            kind = "neither"
            if left > half and right > half:
                kind = "soft"
            if left < half and right < half:
                kind = "hard"
            out.append((kind, i, abs(to - ends[i]), sorted([*others, to])))
        crossed = []
        if i + 2 < len(ends):
            crossed += range(ends[i + 1] + 1, ends[i + 2])
        if i - 2 >= 0:
            crossed += range(ends[i - 2] + 1, ends[i - 1])
        out += [("cross", i, abs(to - ends[i]), sorted([*others, to])) for to in crossed]
    return out


def pairs_of(inner, n):
    """Return {error type: [(h1, h2)]}."""
    found = moves(inner, n)
    out = {kind: [] for kind in TYPES}
    for kind1, i1, d1, h1 in found:
        if kind1 != "soft":
            continue
        for kind2, i2, d2, h2 in found:
            if kind2 == "cross" and d1 == d2 and h1 != h2:
                out["cross"].append((h1, h2))
            if kind2 != "cross" and i1 == i2 and d1 < d2:
                out["vanishing"].append((h1, h2))
            if kind2 == "hard" and d1 == d2:
                out["constant"].append((h1, h2))
    return out


def errs(score, inner, n):
    """Return for each error type whether `score(reference, hypothesis, n, m)` errs."""
    m = len(inner) + 1
    known = {}

    def of(hyp):
        key = tuple(hyp)
        if key not in known:
            known[key] = score(inner, hyp, n, m)
        return known[key]

    found = pairs_of(inner, n)
    return {kind: any(of(h1) == of(h2) for h1, h2 in found[kind]) for kind in TYPES}


def study(score, n):
    """Return how many references of n units a metric errs on, by error type."""
    each = [study_of_segments(score, n, m) for m in range(2, n)]
    return {kind: sum(found[kind] for found in each) for kind in TYPES}


def study_of_segments(score, n, m):
    """Return the same for references of n units in m segments."""
    out = dict.fromkeys(TYPES, 0)
    for inner in references(n, m):
        for kind, wrong in errs(score, inner, n).items():
            out[kind] += wrong
    return out


def padded_window_diff(gold, hyp, n, m):
    k = size_of_window(n, m)
    bits = [
        [0] * (k - 1) + [int(b in side) for b in range(1, n)] + [0] * (k - 1)
        for side in (gold, hyp)
    ]
    windows = n + k - 2
    wrong = sum(sum(bits[0][i : i + k]) != sum(bits[1][i : i + k]) for i in range(windows))
    return Fraction(wrong, windows)


def boundary_similarity(gold, hyp, _n, _m):
    """With transpositions of distance 1, of which each costs 1/2."""
    a, b = set(gold) - set(hyp), set(hyp) - set(gold)
    matches = len(set(gold) & set(hyp))
    cost, edits = transposed(sorted(a), sorted(b))
    return 1 - Fraction(cost) / (edits + matches)


def transposed(a, b):
    """Return the smallest cost of an edit script and its number of edits."""
    if not a or not b:
        return Fraction(len(a) + len(b)), len(a) + len(b)
    found = [(c + 1, e + 1) for c, e in (transposed(a[1:], b), transposed(a, b[1:]))]
    if abs(a[0] - b[0]) == 1:
        c, e = transposed(a[1:], b[1:])
        found.append((c + Fraction(1, 2), e + 1))
    return min(found)


def alignment_similarity(gold, hyp, n, _m):
    one, two = spans(gold, n), spans(hyp, n)
    edges = set()
    for i, x in enumerate(one):
        edges.add((i, closest(x, two)))
    for j, y in enumerate(two):
        edges.add((closest(y, one), j))
    return sum(jaccard(one[i], two[j]) for i, j in edges) / len(edges)


def closest(x, others):
    return max(
        range(len(others)),
        key=lambda j: (Fraction(len(x & others[j]), len(x)), jaccard(x, others[j]), -j),
    )
