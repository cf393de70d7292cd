"""Window metrics as their definitions stand: one window at a time, and chance by trying all."""

from fractions import Fraction
from itertools import combinations, pairwise
from math import comb


def bits(masses, pad=0):
    """Return one sign a potential boundary, with `pad` units more at either end."""
    out = []
    for mass in masses:
        out += [0] * (mass - 1) + [1]
    return [0] * pad + out[:-1] + [0] * pad


def counts(signs, k):
    """Return the number of boundaries in each window of k potential boundaries."""
    return [sum(signs[i : i + k]) for i in range(len(signs) - k + 1)]


def pk(gold, hyp, k, pad=0):
    pairs = zip(counts(bits(gold, pad), k), counts(bits(hyp, pad), k), strict=True)
    apart = [(a > 0) != (b > 0) for a, b in pairs]
    return sum(apart), len(apart)


def window_diff(gold, hyp, k, pad=0, *, weighted=False):
    pairs = zip(counts(bits(gold, pad), k), counts(bits(hyp, pad), k), strict=True)
    apart = [abs(a - b) if weighted else a != b for a, b in pairs]
    return sum(apart), len(apart)


def winpr(gold, hyp, k):
    """Return true positives, false positives, false negatives and true negatives."""
    pairs = list(zip(counts(bits(gold, k - 1), k), counts(bits(hyp, k - 1), k), strict=True))
    return (
        sum(min(r, c) for r, c in pairs),
        sum(max(0, c - r) for r, c in pairs),
        sum(max(0, r - c) for r, c in pairs),
        sum(k - max(r, c) for r, c in pairs) - k * (k - 1),
    )


def random_masses(n, boundaries):
    """Yield all segmentations of n units with so many boundaries."""
    for chosen in combinations(range(1, n), boundaries):
        cuts = [0, *chosen, n]
        yield [b - a for a, b in pairwise(cuts)]


def expected_of_one(gold, hyp, k):
    """Return the windows expected to differ, over all hypotheses with as many boundaries."""
    n, drawn = sum(gold), len(hyp) - 1
    total = sum(window_diff(gold, other, k, k - 1)[0] for other in random_masses(n, drawn))
    return Fraction(total, comb(n - 1, drawn))


def expected_of_both(gold, hyp, k):
    """Return the windows expected to differ, over all golds and hypotheses with as many."""
    n = sum(gold)
    each = [expected_of_one(other, hyp, k) for other in random_masses(n, len(gold) - 1)]
    return sum(each) / len(each)


def half_mean(masses):
    """Return the default size of the window."""
    return max(2, round(Fraction(sum(masses), 2 * len(masses))))
