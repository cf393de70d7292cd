"""Agreement among coders item by item, in fractions; a coding is a string of 0s and 1s."""

from collections import Counter
from fractions import Fraction
from itertools import combinations, permutations


def items(texts):
    """Return for every potential boundary the marks of all coders."""
    return [marks for text in texts for marks in zip(*text, strict=True)]


def observed(texts):
    """Return the share of alike marks, over pairs of coders and items."""
    alike = [a == b for marks in items(texts) for a, b in combinations(marks, 2)]
    return Fraction(sum(alike), len(alike))


def shares(texts):
    """Return the share of boundaries of each coder."""
    every = items(texts)
    return [Fraction(column.count("1"), len(every)) for column in zip(*every, strict=True)]


def chance_of_kappa(texts):
    """Return the mean over pairs of coders of what each would agree on by his own share."""
    found = [p * q + (1 - p) * (1 - q) for p, q in combinations(shares(texts), 2)]
    return sum(found) / len(found)


def chance_of_pi(texts):
    found = shares(texts)
    p = sum(found) / len(found)
    return p * p + (1 - p) * (1 - p)


def chance_of_alpha(texts):
    """Return the share of alike pairs among all pairs of different marks."""
    marks = [mark for each in items(texts) for mark in each]
    alike = [a == b for a, b in permutations(marks, 2)]
    return Fraction(sum(alike), len(alike))


def coefficient(seen, chance):
    """Correct for chance; `None` where chance is certain."""
    return None if chance == 1 else (seen - chance) / (1 - chance)


COEFFICIENTS = {
    "bennett-s": lambda _: Fraction(1, 2),
    "fleiss-kappa": chance_of_pi,
    "krippendorff-alpha": chance_of_alpha,
    "multi-kappa": chance_of_kappa,
    "multi-pi": chance_of_pi,
}


def alpha_of_some(texts):
    """Krippendorff's alpha from his table of coincidences; a mark of `None` is missing.

    `texts` are lists of 0/1 strings, one a coder.
    """
    coincidences = Counter()
    for text in texts:
        for marks in zip(*(coding for coding in text if coding is not None), strict=True):
            for one, other in permutations(marks, 2):
                coincidences[one, other] += Fraction(1, len(marks) - 1)
    total = sum(coincidences.values())
    ones = sum(count for (mark, _), count in coincidences.items() if mark == "1")
    observed = sum(count for (one, other), count in coincidences.items() if one != other) / total
    return 1 - observed * total * (total - 1) / (2 * ones * (total - ones))
