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


def places_of_some(texts):
    """Return the marks at every potential boundary by coder, of texts of two coders or more."""
    places = []
    for text in texts:
        coders = {k: coding for k, coding in enumerate(text) if coding is not None}
        if len(coders) > 1:
            columns = zip(*coders.values(), strict=True)
            places += [dict(zip(coders, marks, strict=True)) for marks in columns]
    return places


def kappa_of_some(texts):
    """Fleiss' kappa of dichotomous marks by unequal numbers of coders (Fleiss and Cuzick 1979)."""
    places = [("".join(marks.values()).count("1"), len(marks)) for marks in places_of_some(texts)]
    free = sum(m - 1 for _, m in places)
    share = Fraction(sum(x for x, _ in places), sum(m for _, m in places))
    within = sum(Fraction(x * (m - x), m) for x, m in places)
    return 1 - within / (free * share * (1 - share))


def multi_kappa_of_some(texts):
    """Return multi-kappa and Bennett's S as Gwet (2014) defines them with missing marks."""
    places = places_of_some(texts)
    seen = Fraction(0)
    for marks in places:
        alike = [a == b for a, b in combinations(marks.values(), 2)]
        seen += Fraction(sum(alike), len(alike)) / len(places)
    shares_of = []
    for coder in range(len(texts[0])):
        own = [marks[coder] for marks in places if coder in marks]
        shares_of += [Fraction(own.count("1"), len(own))] if own else []
    chances = [p * q + (1 - p) * (1 - q) for p, q in combinations(shares_of, 2)]
    chance = sum(chances) / len(chances)
    return coefficient(seen, chance), 2 * seen - 1
