"""Complete linkage and n-gram overlap by their definitions."""

from collections import Counter
from fractions import Fraction
from math import log


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


def average_link(similarity, threshold, groups=None):
    """Join the pair of groups that is most similar on average, over and over."""
    found = [[k] for k in range(len(similarity))]
    while len(found) > (groups or 1):
        pairs = []
        for i, one in enumerate(found):
            for j in range(i + 1, len(found)):
                values = [similarity[min(a, b)][max(a, b)] for a in one for b in found[j]]
                pairs.append((-Fraction(sum(values), len(values)), i, j))
        if groups is None and -min(pairs)[0] < threshold:
            return found
        _, i, j = min(pairs)
        found[i] = sorted(found[i] + found[j])
        del found[j]
    return found


def cosine(documents):
    """Return the cosines of documents, given as lists of words."""
    counts = [Counter(words) for words in documents]
    held = Counter(word for words in counts for word in words)
    weights = [
        {w: (1 + log(k)) * log(1 + len(documents) / held[w]) for w, k in words.items()}
        for words in counts
    ]
    norms = [sum(w * w for w in words.values()) ** 0.5 for words in weights]
    return [
        [
            sum(w * other.get(word, 0) for word, w in one.items()) / (norm * size)
            if norm and size
            else 0
            for other, size in zip(weights, norms, strict=True)
        ]
        for one, norm in zip(weights, norms, strict=True)
    ]
