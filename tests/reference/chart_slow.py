"""All trees of a short sentence, one by one, with what each weighs and uses."""

from __future__ import annotations

import math
from collections import Counter
from itertools import pairwise, product


def derivations(grammar, weights, scores, tags):
    """Return (weight, counts of events) of every tree over tags.

    `scores` gives label, state and left scores as arrays [first, length, column].
    """
    words, known = len(tags), len(grammar.tags)
    found = []
    for label, (weight, events) in _labelled(grammar, weights, scores, tags, 0, words):
        own = Counter(events)
        own["root", label] += 1
        found.append((weight * math.exp(weights["root"][label]), own))
    assert known
    return found


def _labelled(grammar, weights, scores, tags, first, end):
    """Yield each label over a span with each of its trees."""
    length = end - first
    for label in range(len(grammar.labels)):
        own = math.exp(scores["label"][first, length, label])
        events = Counter({("label", first, length, label): 1})
        if length == 1:
            yield label, (own, events)
            continue
        for weight, below in _daughters(grammar, weights, scores, tags, label, first, end):
            yield label, (own * weight, events + below)


def _symbols(grammar, weights, scores, tags, first, end):
    """Yield each symbol over a span with each of its trees."""
    if end - first == 1:
        yield tags[first], (1.0, Counter())
    for label, tree in _labelled(grammar, weights, scores, tags, first, end):
        yield len(grammar.tags) + label, tree


def _cuts(first, end):
    """Yield the ways to part a span into two or more."""
    for marks in product((False, True), repeat=end - first - 1):
        cuts = [first, *(first + k + 1 for k, mark in enumerate(marks) if mark), end]
        if len(cuts) > 2:
            yield cuts


def _daughters(grammar, weights, scores, tags, label, first, end):
    category = int(grammar.lowest[label])
    for cuts in _cuts(first, end):
        places = list(pairwise(cuts))
        below = [list(_symbols(grammar, weights, scores, tags, a, b)) for a, b in places]
        for row in product(*below):
            weight, events, state = 1.0, Counter(), None
            for at, ((a, b), (symbol, (inner, used))) in enumerate(zip(places, row, strict=True)):
                weight *= inner
                events += used
                if at:
                    weight *= math.exp(scores["state"][a, end - a, category])
                    events["state", a, end - a, category] += 1
                if at == len(row) - 1:
                    weight *= math.exp(weights["last"][state, symbol])
                    events["last", state, symbol] += 1
                    break
                leads = int(grammar.leads[symbol, category])
                rule = ("next", state, leads) if at else ("start", label, leads)
                weight *= math.exp(weights[rule[0]][rule[1], rule[2]])
                weight *= math.exp(weights["child"][category, symbol])
                weight *= math.exp(scores["left"][a, b - a, category])
                events[rule] += 1
                events["child", category, symbol] += 1
                events["left", a, b - a, category] += 1
                state = leads
            yield weight, events


def best_gain(gain, words):
    """Return the gain of the best nested brackets by trying all ways to halve each span."""

    def best(first, end):
        own = gain[first][end - first]
        if (first, end) != (0, words):
            own = max(own, 0.0)
        if end - first == 1:
            return own
        return own + max(best(first, at) + best(at, end) for at in range(first + 1, end))

    return best(0, words)
