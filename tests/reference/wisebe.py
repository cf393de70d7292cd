"""WiSeBE as its definition stands: every position of the text looked at, in fractions."""

from fractions import Fraction


def general_reference(references):
    """Return the votes by position."""
    every = sorted(set().union(*references))
    return {j: sum(j in reference for reference in references) for j in every}


def windows(votes, limit):
    """Walk over the text, and close a window when no vote came for more than `limit` words."""
    out, current, last = [], [], None
    for j in range(max(votes, default=0) + limit + 2):
        if current and j - last > limit:
            out.append(current)
            current = []
        if j in votes:
            current.append(j)
            last = j
    return out + [current] * bool(current)


def agreement_ratio(votes, references):
    return Fraction(sum(d for d in votes.values() if d >= 2), len(references) * len(votes))


def inside(boundary, window):
    return window[0] <= boundary <= window[-1]


def score(references, candidate, limit=3):
    """Return (agreement ratio, precision, recall, value)."""
    votes = general_reference(references)
    found = windows(votes, limit)
    ratio = agreement_ratio(votes, references)
    right = [b for b in candidate if any(inside(b, w) for w in found)]
    hit = [w for w in found if any(inside(b, w) for b in candidate)]
    precision = Fraction(len(right), len(candidate)) if candidate else Fraction(0)
    recall = Fraction(len(hit), len(found))
    if not right:
        return ratio, precision, recall, Fraction(0)
    f1 = 2 * precision * recall / (precision + recall)
    return ratio, precision, recall, ratio * f1
