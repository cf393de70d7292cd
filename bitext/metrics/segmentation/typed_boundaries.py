"""Edit scripts between boundaries that have types.

Each place has a set of types on either side. What both sides have at a place is a *match*. Of the
rest, a *transposition* moves a type of gold to a place near it where the hypothesis has it, a
*substitution* makes of a type of gold another one that the hypothesis has at the same place, and
what is left is an *addition*. The script of least cost is found exactly, as an assignment in each
part of the text that edits connect; among those of equal cost it has fewer edits, then shorter
shifts in total, then the leftmost edits: the first one, from the left, that only one of two has.

The *greedy* script is that of the library `segeval`: transpositions by growing distance, from the
left, unless they would undo two substitutions; then substitutions, place by place.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import lcm
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

import numpy as np

from bitext.errors import OptionError, SegmentationError
from bitext.kernels.matching import assign
from bitext.metrics.registry import whole

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bitext.model import Segmentation

__all__ = ["Rules", "Script", "TypedScript", "Weight", "is_typed", "typed_script"]


# What edits of boundaries there are, and what they cost.

Script = Literal["minimal", "greedy"]
Weight = Literal["scaled", "unit"]
_MOST = 10**9  # so that costs of whole corpora fit into 64 bits


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What edits there are and what they cost; checked.

    Attributes
    ----------
    max_transposition : int
        The greatest shift of a boundary, in places; 0 for none.
    script : {"minimal", "greedy"}
        How edits are chosen.
    weight : {"scaled", "unit"}
        Whether a transposition by d places costs d / (max_transposition + 1) or 1.
    ordered : bool
        Whether types are numbers, and near ones replace each other for less.

    """

    max_transposition: int = 1
    script: Script = "minimal"
    weight: Weight = "scaled"
    ordered: bool = False

    def __post_init__(self) -> None:
        reach = whole("max_transposition", self.max_transposition, "places", most=_MOST)
        object.__setattr__(self, "max_transposition", reach)
        for name, value, allowed in (
            ("script", self.script, get_args(Script)),
            ("weight", self.weight, get_args(Weight)),
        ):
            if value not in allowed:
                raise OptionError(f"{name} is {value!r}: want one of {', '.join(allowed)}")

    @property
    def scale(self) -> int:
        """What the cost of an addition is in whole numbers."""
        return self.max_transposition + 1 if self.weight == "scaled" else 1

    def moved(self, distance: int) -> int:
        """Return the cost of a transposition."""
        return distance if self.weight == "scaled" else 1


Type = int | str
Sets = dict[int, frozenset[Type]]


class Point(NamedTuple):
    """One type of a boundary that only one side has there."""

    place: int
    type: Type


Edit = tuple[Point, Point]  # of gold, of the hypothesis


@dataclass(frozen=True, slots=True)
class TypedScript:
    """The edits of one pair.

    Attributes
    ----------
    matches : list of (place, type)
    additions : list of (point, side)
    transpositions, substitutions : list of (point of gold, point of the hypothesis)
    span : int
        What a difference of types is divided by; 1 without order.
    types : int
        How many types the pair has.

    """

    matches: list[Point]
    additions: list[tuple[Point, str]]
    transpositions: list[Edit]
    substitutions: list[Edit]
    span: int
    types: int

    def cost(self, rules: Rules) -> Fraction:
        """Return the cost of the edits."""
        moved = sum(rules.moved(abs(a.place - b.place)) for a, b in self.transpositions)
        replaced = sum(_difference(a.type, b.type, rules) for a, b in self.substitutions)
        return len(self.additions) + Fraction(moved, rules.scale) + Fraction(replaced, self.span)


def _difference(a: Type, b: Type, rules: Rules) -> int:
    return abs(int(a) - int(b)) if rules.ordered else 1


def is_typed(gold: Segmentation, hyp: Segmentation, *, pair: int | None = None) -> bool:
    """Whether the boundaries of a pair have types.

    Raises
    ------
    SegmentationError
        When only those of one side have.

    """
    known = [bool(side.types) for side in (gold, hyp)]
    for side, typed, other in ((gold, known[0], known[1]), (hyp, known[1], known[0])):
        if other and not typed and len(side) > 1:
            where = "" if pair is None else f"pair {pair}: "
            who = "gold standard" if side is gold else "hypothesis"
            raise SegmentationError(
                f"{where}the boundaries of the {who} have no types, and those of the other side "
                f"have: want types on both sides or on neither"
            )
    return any(known)


def typed_script(gold: Segmentation, hyp: Segmentation, rules: Rules) -> TypedScript:
    """Return the script that the rules ask for.

    Raises
    ------
    SegmentationError
        When types are to be ordered and one is no integer.

    """
    sets = [
        dict(zip(side.boundaries.tolist(), side.types or (), strict=True)) for side in (gold, hyp)
    ]
    types = {t for side in sets for found in side.values() for t in found}
    span = _span(types) if rules.ordered else 1
    a, b = (_points(side) for side in sets)
    both = a & b
    lone = sorted(a - both, key=_order), sorted(b - both, key=_order)
    if rules.script == "minimal":
        moved, replaced = _minimal(*lone, span, rules)
    else:
        moved, replaced = _greedy(*lone, rules.max_transposition)
    done = [{edit[k] for edit in (*moved, *replaced)} for k in (0, 1)]
    left = [
        (point, name)
        for side, name, used in zip(lone, ("gold", "hyp"), done, strict=True)
        for point in side
        if point not in used
    ]
    return TypedScript(
        matches=sorted(both, key=_order),
        additions=sorted(left, key=lambda item: (_order(item[0]), item[1])),
        transpositions=sorted(moved, key=_edit_order),
        substitutions=sorted(replaced, key=_edit_order),
        span=span,
        types=len(types),
    )


def _points(sets: Sets) -> set[Point]:
    return {Point(place, found) for place, types in sets.items() for found in types}


def _order(point: Point) -> tuple[int, bool, Type]:
    return point.place, isinstance(point.type, str), point.type


def _edit_order(edit: Edit) -> tuple[tuple[int, bool, Type], ...]:
    """From the left: by the left point of the two, then by the right one."""
    return tuple(sorted(map(_order, edit)))


def _span(types: Iterable[Type]) -> int:
    numbers = []
    for found in types:
        if not isinstance(found, int | np.integer):
            raise SegmentationError(
                f"a boundary has the type {found!r}: want integers when types are ordered"
            )
        numbers.append(int(found))
    return max(max(numbers) - min(numbers), 1) if numbers else 1


def _minimal(
    gold: list[Point], hyp: list[Point], span: int, rules: Rules
) -> tuple[list[Edit], list[Edit]]:
    """Assign points of gold to those of the hypothesis that an edit may make of them."""
    moved: list[Edit] = []
    replaced: list[Edit] = []
    for part in _parts(list(_edits(gold, hyp, rules.max_transposition))):
        for edit in _best(part, span, rules):
            (moved if edit[0].type == edit[1].type else replaced).append(edit)
    return moved, replaced


def _edits(gold: list[Point], hyp: list[Point], reach: int) -> Iterator[Edit]:
    """Yield every transposition and substitution that may be."""
    at: dict[int, list[Point]] = {}
    of_type: dict[Type, list[Point]] = {}
    for point in hyp:
        at.setdefault(point.place, []).append(point)
        of_type.setdefault(point.type, []).append(point)
    places = {found: np.array([p.place for p in points]) for found, points in of_type.items()}
    for point in gold:
        yield from ((point, other) for other in at.get(point.place, ()))
        if reach and point.type in places:
            near = np.searchsorted(
                places[point.type], [point.place - reach, point.place + reach + 1]
            )
            yield from ((point, other) for other in of_type[point.type][near[0] : near[1]])


def _parts(edits: list[Edit]) -> Iterator[list[Edit]]:
    """Yield the edits by what they connect."""
    touching: dict[tuple[int, Point], list[Edit]] = {}
    for edit in edits:
        for key in enumerate(edit):
            touching.setdefault(key, []).append(edit)
    seen: set[tuple[int, Point]] = set()
    for first in touching:
        if first in seen:
            continue
        part, waiting = dict[Edit, None](), [first]
        seen.add(first)
        while waiting:
            for edit in touching[waiting.pop()]:
                part[edit] = None
                fresh = [key for key in enumerate(edit) if key not in seen]
                seen.update(fresh)
                waiting += fresh
        yield sorted(part, key=_edit_order)


def _best(part: list[Edit], span: int, rules: Rules) -> Iterator[Edit]:
    """Yield the edits of a part that are made: the least cost, and ties as the module says."""
    scale = lcm(rules.scale, span)
    rows = {point: k for k, point in enumerate(dict.fromkeys(a for a, _ in part))}
    columns = {point: k for k, point in enumerate(dict.fromkeys(b for _, b in part))}
    distances = [abs(a.place - b.place) for a, b in part]
    # Digits, from the highest: cost, edits, distance, and one bit an edit, the leftmost highest.
    bits = len(part)
    far = (sum(distances) + 1) << bits
    fewer = far * (len(part) + 1)
    gains: list[dict[int, int]] = [{} for _ in rows]
    for rank, ((a, b), distance) in enumerate(zip(part, distances, strict=True)):
        cost = Fraction(rules.moved(distance), rules.scale)
        if not distance:
            cost = Fraction(_difference(a.type, b.type, rules), span)
        saved = int((2 - cost) * scale)
        gains[rows[a]][columns[b]] = (
            saved * fewer + far - (distance << bits) + (1 << (bits - 1 - rank))
        )
    made = assign(gains)
    yield from ((a, b) for a, b in part if made.get(rows[a]) == columns[b])


def _greedy(gold: list[Point], hyp: list[Point], reach: int) -> tuple[list[Edit], list[Edit]]:
    """Take transpositions by growing distance, then substitutions place by place."""
    waiting: tuple[dict[int, set[Type]], dict[int, set[Type]]] = ({}, {})
    for points, side in zip((gold, hyp), waiting, strict=True):
        for point in points:
            side.setdefault(point.place, set()).add(point.type)
    moved = []
    places = sorted(waiting[0].keys() | waiting[1].keys())
    reach = min(reach, places[-1] - places[0] if places else 0)
    for step in range(1, reach + 1):
        for place in places:
            first = [side.get(place, set()) for side in waiting]
            second = [side.get(place + step, set()) for side in waiting]
            crossing = (first[0] & second[1]) | (first[1] & second[0])
            for found in sorted(crossing, key=_by_type):
                if all((*first, *second)):
                    continue  # two substitutions are there already
                of_gold = found in first[0]
                first[0 if of_gold else 1].discard(found)
                second[1 if of_gold else 0].discard(found)
                ends = Point(place, found), Point(place + step, found)
                moved.append(ends if of_gold else ends[::-1])
    replaced = []
    for place in places:
        a, b = (sorted(side.get(place, set()), key=_by_type) for side in waiting)
        edits = [(Point(place, x), Point(place, y)) for x, y in product(a, b)]
        if edits:
            replaced += _nearest(edits)
    return moved, replaced


def _by_type(found: Type) -> tuple[bool, Type]:
    return isinstance(found, str), found


def _nearest(edits: list[Edit]) -> list[Edit]:
    """Return as many of the edits of one place as can be, of types as near as can be."""
    rows = {point: k for k, point in enumerate(dict.fromkeys(a for a, _ in edits))}
    columns = {point: k for k, point in enumerate(dict.fromkeys(b for _, b in edits))}
    apart = [
        abs(a.type - b.type) if isinstance(a.type, int) and isinstance(b.type, int) else 1
        for a, b in edits
    ]
    many = sum(apart) + 1
    gains: list[dict[int, int]] = [{} for _ in rows]
    for rank, ((a, b), difference) in enumerate(zip(edits, apart, strict=True)):
        tie = 1 << (len(edits) - 1 - rank)
        gains[rows[a]][columns[b]] = ((many - difference) << len(edits)) + tie
    made = assign(gains)
    return [(a, b) for a, b in edits if made.get(rows[a]) == columns[b]]
