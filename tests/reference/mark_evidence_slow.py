"""What marks say of a bead, one mark after another."""

from __future__ import annotations

import math

PAIRED = ("ends", "closes", "begins")


def learned(marks, beads, sorts):
    """Return the logarithms of pairs of marks, and of cuts inside, after some beads.

    `marks` are dicts of lists of both sides, `beads` pairs of ranges, `sorts` how many there are.
    """
    share = [{name: _shares(side[name], sorts[name]) for name in sorts} for side in marks]
    tables = {}
    for name in PAIRED:
        src, tgt = share[0][name], share[1][name]
        alike = [math.sqrt(x * y) for x, y in zip(src, tgt, strict=True)]
        met = [
            (
                marks[0][name][rows[0] if name == "begins" else rows[-1]],
                marks[1][name][columns[0] if name == "begins" else columns[-1]],
            )
            for rows, columns in beads
            if rows and columns
        ]
        for x, p in enumerate(src):
            for y, q in enumerate(tgt):
                usual = 0.5 * p * q + (0.5 * alike[x] / sum(alike) if x == y else 0.0)
                chance = (met.count((x, y)) + 30 * usual) / (len(met) + 30)
                tables[name, x, y] = _bounded(chance / (p * q))
    inside = []
    for side in (0, 1):
        cuts = [
            marks[side]["cuts"][k] for bead in beads if bead[0] and bead[1] for k in bead[side][:-1]
        ]
        own = share[side]["cuts"]
        inside.append(
            [
                _bounded((cuts.count(x) + 30 * p) / (len(cuts) + 30) / p) if p else 0.0
                for x, p in enumerate(own)
            ]
        )
    return tables, inside


def score(marks, tables, inside, rows, columns):
    """Return the score of a bead of some source and target sentences."""
    total = 0.0
    for name in PAIRED:
        at = 0 if name == "begins" else -1
        places = rows[at], columns[at]
        run = min(_run(side[name], k) for side, k in zip(marks, places, strict=True))
        said = tables[name, marks[0][name][places[0]], marks[1][name][places[1]]]
        total += 0.7 * said * 2.0 ** (-min(9, round(2 * math.log2(max(1.0, run / 5)))) / 2)
    for side, members in ((0, rows), (1, columns)):
        total += sum(inside[side][marks[side]["cuts"][k]] for k in members[:-1])
    return total


def _run(sorts, k):
    """Return how many sentences round sentence k have its mark."""
    first = last = k
    while first and sorts[first - 1] == sorts[k]:
        first -= 1
    while last + 1 < len(sorts) and sorts[last + 1] == sorts[k]:
        last += 1
    return last + 1 - first


def _shares(seen, sorts):
    counts = [0.1 + seen.count(k) for k in range(sorts)]
    return [count / sum(counts) for count in counts]


def _bounded(ratio):
    return max(-3.0, min(3.0, math.log(ratio)))
