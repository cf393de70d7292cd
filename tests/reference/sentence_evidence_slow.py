"""Lengths and words of beads, and the lexicon, computed one by one from their formulas."""

from __future__ import annotations

import math
from collections import Counter


def word_score(src, tgt, links, known, frequent, weight):
    """Return the score of a bead: lists of words a sentence, links {(s, y): (forward, backward)}.

    `known` and `frequent` are pairs of dicts, of the source and of the target.
    """
    total = 0.0
    sides = [(src, tgt, 0), (tgt, src, 1)]
    for gives, takes, direction in sides:
        given = Counter(word for sentence in gives for word in sentence)
        room = sum(given.values()) + len(gives)
        for y in (word for sentence in takes for word in sentence):
            share = known[1 - direction].get(y, 0.0)
            explained = 0.0
            for s, times in given.items():
                pair = (s, y) if not direction else (y, s)
                chance = links.get(pair, (0.0, 0.0))[direction]
                explained += times * chance / frequent[1 - direction][y]
            total += math.log(1 - share + share * explained / room)
    return weight / 2 * total


def length_score(src, tgt, everything, ratio, variance):
    """Return the score of a bead of lengths, Student's t with 5 degrees of freedom.

    `everything` are the lengths of all sentences of the source, and of the target.
    """
    units = 1 / math.sqrt(ratio), math.sqrt(ratio)
    src, tgt = [x / units[0] for x in src], [y / units[1] for y in tgt]
    x, y = sum(src), sum(tgt)
    scale = variance * (x + y) / 2 + 4
    peak = math.lgamma(3) - math.lgamma(2.5) - math.log(5 * math.pi) / 2
    beside = peak - math.log(scale) / 2 - 3 * math.log1p((y - x) ** 2 / (5 * scale))
    found = []
    for side, unit, lengths in zip((src, tgt), units, everything, strict=True):
        alone = length_alone(side, [length / unit for length in lengths])
        found.append(beside - (len(side) - 1) * math.log(sum(side)) - alone)
    return sum(found) / 2


def length_alone(some, everything):
    """Return the logarithm of the chance of lengths by themselves: log-normal."""
    logs = [math.log(length) for length in everything]
    mean = sum(logs) / len(logs)
    spread = max(math.sqrt(sum((x - mean) ** 2 for x in logs) / len(logs)), 0.3)
    return sum(
        -math.log(y * spread * math.sqrt(2 * math.pi)) - (math.log(y) - mean) ** 2 / (2 * spread**2)
        for y in some
    )


def translate(beads, hints, discount, steps):
    """Return t(y|s) and the expected counts after some steps; beads are (words, words)."""
    seen = Counter(s for src, _ in beads for s in src)
    counts = Counter(y for _, tgt in beads for y in tgt)
    size = sum(counts.values())
    each = size / sum(seen.values())
    chance, expected = {}, Counter()
    for step in range(steps):
        expected = Counter()
        for src, tgt in beads:
            for y in tgt:
                parts = [
                    (s, chance.get((s, y), 0.0))
                    if step
                    else (s, 4 * counts[y] / size + 5 * hints.get((s, y), 0.0))
                    for s in src
                ]
                total = sum(part for _, part in parts) + 0.5 * len(src) * counts[y] / size
                for s, part in parts:
                    expected[s, y] += part / total
        less = discount * (1.0 if step else 0.5)
        yields = Counter()
        for (s, _), count in expected.items():
            yields[s] += count
        chance = {
            (s, y): (count - less) / (max(yields[s], 0.4 * each * seen[s]) + 2)
            for (s, y), count in expected.items()
            if count > less
        }
    return chance, expected
