"""Resampling by loops; undefined figures are `None`."""

from itertools import product

from reference.measures import ratios


def value(units, figure, *, macro):
    """Return one figure (0, 1, 2 for precision, recall, F) of some units; `None` for 0/0."""
    if not macro:
        return ratio([sum(column) for column in zip(*units, strict=True)], figure)
    known = [v for unit in units if (v := ratio(unit, figure)) is not None]
    return sum(known) / len(known) if known else None


def ratio(counts, figure):
    hits, proposed, expected, found = counts
    if figure < 2:
        return ratios(*counts)[figure]
    if not proposed and not expected:
        return None
    if hits == found:
        return 2 * hits / (proposed + expected)
    return ratios(*counts)[2]


def bootstrap(units, draws, figure, *, macro):
    """Return the figure of each draw; a draw is a list of indices of units."""
    return [value([units[k] for k in draw], figure, macro=macro) for draw in draws]


def percentile(values, percent):
    """Return a percentile, by linear interpolation between the sorted values."""
    ordered = sorted(values)
    at = percent / 100 * (len(ordered) - 1)
    low = int(at)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (at - low) * (ordered[high] - ordered[low])


def exact_randomisation(first, second, figure, *, macro):
    """Return the share of all 2^n exchanges with a difference at least as large."""

    def difference(exchanged):
        a = [y if e else x for x, y, e in zip(first, second, exchanged, strict=True)]
        b = [x if e else y for x, y, e in zip(first, second, exchanged, strict=True)]
        return abs(value(b, figure, macro=macro) - value(a, figure, macro=macro))

    observed = difference([False] * len(first))
    every = list(product([False, True], repeat=len(first)))
    return sum(difference(e) >= observed - 1e-12 for e in every) / len(every)
