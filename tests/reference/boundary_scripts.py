"""Edit scripts between boundaries, by trying all of them, and scores by their definitions.

A side is a list of n-1 sets of types, one a potential boundary.
"""

from fractions import Fraction


def sides(first, second):
    """Return the points that both have, and those that only one side has."""
    a, b = ({(p, t) for p, types in enumerate(side, 1) for t in types} for side in (first, second))
    return a & b, sorted(a - b), sorted(b - a)


def weight_of(edit, *, most, unit, span):
    (p, s), (q, t) = edit
    if s == t:
        return Fraction(1) if unit else Fraction(abs(p - q), most + 1)
    return Fraction(abs(s - t), span) if span else Fraction(1)


def scripts(gold, hyp, most):
    """Yield every set of transpositions and substitutions."""
    if not gold:
        yield ()
        return
    yield from scripts(gold[1:], hyp, most)
    for k, (q, t) in enumerate(hyp):
        p, s = gold[0]
        if (s == t and abs(p - q) <= most) or (s != t and p == q):
            for found in scripts(gold[1:], hyp[:k] + hyp[k + 1 :], most):
                yield (((p, s), (q, t)), *found)


def edits(first, second, *, most=1, unit=False, ordered=False):
    """Return the cost, the matches and the transpositions and substitutions of the best script."""
    both, gold, hyp = sides(first, second)
    types = {t for side in (first, second) for found in side for t in found}
    span = max(max(types) - min(types), 1) if ordered and types else 0

    def rank(found):
        cost = sum((weight_of(e, most=most, unit=unit, span=span) for e in found), Fraction(0))
        count = len(gold) + len(hyp) - len(found)
        distance = sum(abs(a[0] - b[0]) for a, b in found)
        # The leftmost: the edit that comes first, and that only one script has, decides.
        order = sorted(tuple(sorted(e)) for e in found)
        return (cost + count - len(found), count, distance, [*order, ((len(first) + 2, 0),)])

    best = min(scripts(gold, hyp, most), key=rank)
    return rank(best)[0], sorted(both), sorted(best), rank(best)[1]


def boundary_similarity(first, second, **options):
    cost, both, _, count = edits(first, second, **options)
    whole = count + len(both)
    return 1 - cost / whole if whole else Fraction(1)


def segmentation_similarity(first, second, **options):
    cost, *_ = edits(first, second, unit=True, **options)
    types = {t for side in (first, second) for found in side for t in found}
    whole = max(len(types), 1) * len(first)
    return 1 - cost / whole if whole else Fraction(1)


def most_hits(gold, hyp, tolerance):
    """Return the largest number of pairs of boundaries within tolerance, one to one."""
    if not gold:
        return 0
    best = most_hits(gold[1:], hyp, tolerance)
    for k, other in enumerate(hyp):
        if abs(gold[0] - other) <= tolerance:
            best = max(best, 1 + most_hits(gold[1:], hyp[:k] + hyp[k + 1 :], tolerance))
    return best


def hamming(gold, hyp, *, insertion, deletion, shift):
    """Return the least cost, by the table of all beginnings of both sides."""
    table = [
        [insertion * i + deletion * j for j in range(len(hyp) + 1)] for i in range(len(gold) + 1)
    ]
    for i, a in enumerate(gold, 1):
        for j, b in enumerate(hyp, 1):
            table[i][j] = min(
                table[i - 1][j] + insertion,
                table[i][j - 1] + deletion,
                table[i - 1][j - 1] + shift * abs(a - b),
            )
    return table[-1][-1]
