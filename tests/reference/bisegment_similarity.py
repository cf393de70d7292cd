"""Bisegment similarity on sets of pairs of units, with fractions, straight from its definition."""

from fractions import Fraction
from itertools import product

from reference.measures import as_set

NULL = "null"


def area(bead, src, tgt):
    """Return the units of source by target that a bisegment covers; sides are weights."""
    return set(product(units(bead[0], src), units(bead[1], tgt)))


def units(side, weights):
    """Return the units of a side: a segment has as many as it weighs, and one at the least."""
    if not side:
        return {NULL}
    return {(s, k) for s in side for k in range(max(weights[s], 1))}


def leftmost(bead):
    """Return what bisegments are sorted by; empty sides come first."""
    src, tgt = (tuple(sorted(side)) for side in bead)
    ends = (src[:1], tgt[:1], src[-1:], tgt[-1:])
    return (*ends, src, tgt)


def jaccard(a, b):
    return Fraction(len(a & b), len(a | b))


def closest(bead, others, areas):
    """Return the closest of the others, `None` where none overlaps."""
    mine = areas[bead]
    met = [other for other in others if mine & areas[other]]
    if not met:
        return None

    def rank(other):
        theirs = areas[other]
        closeness = Fraction(len(mine & theirs), len(mine))
        return (-closeness, -jaccard(mine, theirs), leftmost(other))

    return min(met, key=rank)


def edges(gold, hyp, src, tgt):
    """Return the distinct edges as a dict of (gold, hyp) to weight; `None` where one is alone."""
    gold, hyp = as_set(gold), as_set(hyp)
    areas = {bead: area(bead, src, tgt) for bead in gold | hyp}
    found = {(bead, closest(bead, hyp, areas)) for bead in gold}
    found |= {(closest(bead, gold, areas), bead) for bead in hyp}
    return {
        (a, b): Fraction(0) if a is None or b is None else jaccard(areas[a], areas[b])
        for a, b in found
    }


def similarity(gold, hyp, src, tgt):
    """Return the sum of the weights and the number of edges."""
    found = edges(gold, hyp, src, tgt)
    return sum(found.values(), Fraction(0)), len(found)
