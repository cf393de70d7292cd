"""Edit scripts between the boundaries of two segmentations, for all pairs at once.

A *match* is a boundary that both have, and it stays one: scripts are over what only one side has.
Of that, a *transposition* moves a boundary of gold by at most `max_transposition` places to where
the hypothesis has it; what is left is an *addition*, of either side. Boundaries with types, which
know substitutions too, are worked on in `bitext.metrics.typed_boundaries`.
"""

from __future__ import annotations

from math import lcm
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bitext.kernels.line_matching import match_points, pair_off
from bitext.kernels.rows import prefix
from bitext.metrics.pairs import Pairs
from bitext.metrics.typed_boundaries import is_typed, typed_script
from bitext.metrics.windows import held_up_to

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bitext.metrics.edit_rules import Rules
    from bitext.metrics.typed_boundaries import TypedScript
    from bitext.model import Segmentation

__all__ = ["Figures", "Lone", "lone", "moves", "spaced", "tally"]


class Lone(NamedTuple):
    """The boundaries that only one side has, in order.

    Attributes
    ----------
    places : array of int64
        Where they are.
    of_gold : array of bool
        Whose they are.

    """

    places: NDArray[np.int64]
    of_gold: NDArray[np.bool_]


def lone(gold: NDArray[np.int64], hyp: NDArray[np.int64]) -> Lone:
    """Return the places that only one of two ascending arrays has."""
    keys = np.concatenate([gold * 2, hyp * 2 + 1])
    keys.sort(kind="stable")  # two ascending runs: one merge
    only = np.ones(keys.size, dtype=bool)
    same = keys[1:] ^ keys[:-1] == 1  # the neighbours 2p and 2p + 1
    only[1:] ^= same
    only[:-1] ^= same
    keys = keys[only]
    return Lone(keys >> 1, keys & 1 == 0)


def spaced(points: Lone, starts: NDArray[np.int64], reach: int) -> NDArray[np.int64]:
    """Return the places with those of different pairs put more than `reach` apart.

    Last boundary of a pair and first of the next are 2 apart as they are.
    """
    if starts.size == 2 or reach < 2:
        return points.places
    pair = np.searchsorted(starts, points.places) - 1
    return points.places + pair * reach


def moves(
    points: Lone, rules: Rules, starts: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the index of the left and the right point of each transposition."""
    # No longer shift than a text has units: the room between pairs stays small.
    reach = min(rules.max_transposition, int(np.diff(starts).max(initial=0)))
    places = spaced(points, starts, reach)
    if rules.script == "minimal":
        unit = rules.weight == "unit"
        return match_points(
            places,
            points.of_gold,
            reach=reach,
            alone=(rules.scale, rules.scale),
            fixed=1 if unit else 0,
            slope=0 if unit else 1,
        )
    left, right = [], []
    waiting = np.arange(places.size)
    for step in range(1, reach + 1):
        a, b = pair_off(places[waiting], points.of_gold[waiting], step)
        left.append(waiting[a])
        right.append(waiting[b])
        rest = np.ones(waiting.size, dtype=bool)
        rest[a] = rest[b] = False
        waiting = waiting[rest]
    none = np.zeros(0, dtype=np.int64)
    first, second = np.concatenate([none, *left]), np.concatenate([none, *right])
    order = np.argsort(first)
    return first[order], second[order]


class Figures(NamedTuple):
    """The edits of each pair, counted: arrays with one of each a pair.

    Attributes
    ----------
    matches, additions, transpositions, substitutions : array of int64
        How many.
    distance : array of int64
        By how many places the transpositions move, together.
    expected, proposed : array of int64
        How many boundaries gold and the hypothesis have; one of two types counts twice.
    cost : array of int64
        What they cost, times `scale`.
    scale : array of int64
        What makes costs whole numbers.
    types : array of int64
        How many types of boundaries the pair has; 1 without types.

    """

    matches: NDArray[np.int64]
    additions: NDArray[np.int64]
    transpositions: NDArray[np.int64]
    substitutions: NDArray[np.int64]
    distance: NDArray[np.int64]
    expected: NDArray[np.int64]
    proposed: NDArray[np.int64]
    cost: NDArray[np.int64]
    scale: NDArray[np.int64]
    types: NDArray[np.int64]

    @property
    def edits(self) -> NDArray[np.int64]:
        """How many edits there are."""
        return self.additions + self.transpositions + self.substitutions

    def less(self, whole: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return what is left of so many when the cost is taken off; rounded once."""
        most = int(whole.max(initial=0)) * int(self.scale.max(initial=1))
        left = held_up_to(most, whole) * self.scale - self.cost
        return np.asarray(left / self.scale, dtype=np.float64)


def tally(pairs: Pairs, rules: Rules) -> Figures:
    """Count the edits of each pair."""
    if pairs.typed is not None:
        return _tally_typed(*pairs.typed, rules, first=pairs.first)
    gold, hyp = pairs.gold.boundaries, pairs.hyp.boundaries
    points = lone(gold, hyp)
    left, right = moves(points, rules, pairs.starts)
    begins = points.places[left]
    distance = points.places[right] - begins
    if len(pairs) == 1:
        single = np.array([points.places.size])
        moved = np.array([left.size])
        far = np.array([int(distance.sum())])
    else:
        single = np.diff(np.searchsorted(points.places, pairs.starts))
        cuts = np.searchsorted(begins, pairs.starts)
        moved = np.diff(cuts)
        far = moved
        if rules.max_transposition > 1:
            far = np.diff(prefix(distance)[cuts])
    expected, proposed = pairs.gold.segments - 1, pairs.hyp.segments - 1
    additions = single - 2 * moved
    cost = additions * rules.scale + (far if rules.weight == "scaled" else moved)
    one = np.ones(len(pairs), dtype=np.int64)
    return Figures(
        matches=(expected + proposed - single) // 2,
        additions=additions,
        transpositions=moved,
        substitutions=np.zeros(len(pairs), dtype=np.int64),
        distance=far,
        expected=expected,
        proposed=proposed,
        cost=cost,
        scale=one * rules.scale,
        types=one,
    )


def _tally_typed(
    golds: Sequence[Segmentation],
    hyps: Sequence[Segmentation],
    rules: Rules,
    *,
    first: int | None,
) -> Figures:
    """Count pairs of which some have types: those that have one by one, the others together."""
    rows = np.zeros((len(golds), len(Figures._fields)), dtype=np.int64)
    plain = []
    for p, (gold, hyp) in enumerate(zip(golds, hyps, strict=True)):
        if not is_typed(gold, hyp, pair=None if first is None else first + p):
            plain.append(p)
            continue
        rows[p] = _row(typed_script(gold, hyp, rules), rules)
    if plain:
        bare = [
            [type(side)(side.masses) for side in (family[p] for p in plain)]
            for family in (golds, hyps)
        ]
        rows[plain] = np.stack(tally(Pairs.of(*bare), rules), axis=1)
    return Figures(*rows.T)


def _row(script: TypedScript, rules: Rules) -> tuple[int, ...]:
    scale = lcm(rules.scale, script.span)
    paired = len(script.matches) + len(script.transpositions) + len(script.substitutions)
    extra = sum(side == "hyp" for _, side in script.additions)
    return (
        len(script.matches),
        len(script.additions),
        len(script.transpositions),
        len(script.substitutions),
        sum(abs(a.place - b.place) for a, b in script.transpositions),
        paired + len(script.additions) - extra,
        paired + extra,
        int(script.cost(rules) * scale),
        scale,
        max(script.types, 1),
    )
