"""Complete linkage and n-gram overlap by their definitions."""

from collections import Counter
from fractions import Fraction


def complete_link(similarity, threshold):
    """Join the most similar pair of groups, over and over; groups are sorted lists."""
    groups = [[k] for k in range(len(similarity))]
    while True:
        pairs = []
        for i, one in enumerate(groups):
            for j in range(i + 1, len(groups)):
                least = min(similarity[min(a, b)][max(a, b)] for a in one for b in groups[j])
                pairs.append((-least, i, j))
        if not pairs or -min(pairs)[0] < threshold:
            return groups
        _, i, j = min(pairs)
        groups[i] = sorted(groups[i] + groups[j])
        del groups[j]


def overlap(one, other, n):
    """Return the share of n-grams that two sequences of words have in common."""
    grams = [
        Counter(
            tuple(words[k : k + size])
            for size in range(1, n + 1)
            for k in range(len(words) - size + 1)
        )
        for words in (one, other)
    ]
    total = sum(map(Counter.total, grams))
    return Fraction(2 * (grams[0] & grams[1]).total(), total) if total else Fraction(0)
