"""Edit scripts between boundaries that have types.

Each place has a set of types on either side. A type that both sides have at a place is a *match*.
Of the other types, a *transposition* moves a type of gold to a nearby place with that type in the
hypothesis; a *substitution* replaces a type of gold by another type of the hypothesis at the same
place; and the remaining types are *additions*. The script of least cost is found exactly, by an
assignment within each part of the text that edits connect. Ties go to fewer edits, then to shorter
shifts in total, then to the leftmost edits: of two scripts, the one with the first edit, from the
left, that the other lacks.

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

# Rules: the allowed edits of boundaries, and their costs.

Script = Literal["minimal", "greedy"]
Weight = Literal["scaled", "unit"]
_MOST_PLACES = 10**9  # greatest max_transposition, so that costs of a corpus fit into 64 bits


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """The allowed edits and their costs."""

    max_transposition: int = 1  # the greatest shift of a boundary, in places; 0 for none
    # The choice of the edits: the least cost, or the order of the library `segeval`. One of
    # "minimal", "greedy".
    script: Script = "minimal"
    # Whether a transposition by d places costs d / (max_transposition + 1) or 1. One of "scaled",
    # "unit".
    weight: Weight = "scaled"
    ordered: bool = False  # whether types are numbers, and near ones replace each other for less

    def __post_init__(self) -> None:
        reach = whole("max_transposition", self.max_transposition, "places", most=_MOST_PLACES)
        object.__setattr__(self, "max_transposition", reach)
        for name, value, allowed in (
            ("script", self.script, get_args(Script)),
            ("weight", self.weight, get_args(Weight)),
        ):
            if value not in allowed:
                raise OptionError(f"{name} is {value!r}: want one of {', '.join(allowed)}")

    @property
    def scale(self) -> int:
        """The cost of an addition in whole numbers."""
        return self.max_transposition + 1 if self.weight == "scaled" else 1

    def moved(self, distance: int) -> int:
        """Return the cost of a transposition."""
        return distance if self.weight == "scaled" else 1


Type = int | str
Sets = dict[int, frozenset[Type]]


class Point(NamedTuple):
    """A type at a place, where only one side has it."""

    place: int
    type: Type


Edit = tuple[Point, Point]  # of gold, of the hypothesis


@dataclass(frozen=True, slots=True)
class TypedScript:
    """The edits of one pair."""

    matches: list[Point]
    additions: list[tuple[Point, str]]
    transpositions: list[Edit]
    substitutions: list[Edit]
    span: int  # the divisor of a difference of types; 1 without order
    types: int  # the number of types of the pair

    def cost(self, rules: Rules) -> Fraction:
        """Return the cost of the edits."""
        moved = sum(rules.moved(abs(a.place - b.place)) for a, b in self.transpositions)
        replaced = sum(_difference(a.type, b.type, rules) for a, b in self.substitutions)
        return len(self.additions) + Fraction(moved, rules.scale) + Fraction(replaced, self.span)


def _difference(a: Type, b: Type, rules: Rules) -> int:
    return abs(int(a) - int(b)) if rules.ordered else 1


def is_typed(gold: Segmentation, hyp: Segmentation, *, pair: int | None = None) -> bool:
    """Return whether the boundaries of a pair have types.

    Raises
    ------
    SegmentationError
        When only the boundaries of one side have types.

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
    """Return the edit script of a pair by the rules.

    Raises
    ------
    SegmentationError
        When types are ordered and one is no integer.

    """
    sets = [
        dict(zip(side.boundaries.tolist(), side.types or (), strict=True)) for side in (gold, hyp)
    ]
    types = {t for side in sets for types_there in side.values() for t in types_there}
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
    return {Point(place, type_) for place, types in sets.items() for type_ in types}


def _order(point: Point) -> tuple[int, bool, Type]:
    return point.place, isinstance(point.type, str), point.type


def _edit_order(edit: Edit) -> tuple[tuple[int, bool, Type], ...]:
    """Order edits from the left: by the left point, then by the right one."""
    return tuple(sorted(map(_order, edit)))


def _span(types: Iterable[Type]) -> int:
    numbers = []
    for type_ in types:
        if not isinstance(type_, int | np.integer):
            raise SegmentationError(
                f"a boundary has the type {type_!r}: want integers when types are ordered"
            )
        numbers.append(int(type_))
    return max(max(numbers) - min(numbers), 1) if numbers else 1


def _minimal(
    gold: list[Point], hyp: list[Point], span: int, rules: Rules
) -> tuple[list[Edit], list[Edit]]:
    """Assign points of gold to points of the hypothesis, at the least cost of edits."""
    moved: list[Edit] = []
    replaced: list[Edit] = []
    for part in _parts(list(_edits(gold, hyp, rules.max_transposition))):
        for edit in _best(part, span, rules):
            (moved if edit[0].type == edit[1].type else replaced).append(edit)
    return moved, replaced


def _edits(gold: list[Point], hyp: list[Point], reach: int) -> Iterator[Edit]:
    """Yield every possible transposition and substitution."""
    at: dict[int, list[Point]] = {}
    of_type: dict[Type, list[Point]] = {}
    for point in hyp:
        at.setdefault(point.place, []).append(point)
        of_type.setdefault(point.type, []).append(point)
    places = {type_: np.array([p.place for p in points]) for type_, points in of_type.items()}
    for point in gold:
        yield from ((point, other) for other in at.get(point.place, ()))
        if reach and point.type in places:
            near = np.searchsorted(
                places[point.type], [point.place - reach, point.place + reach + 1]
            )
            yield from ((point, other) for other in of_type[point.type][near[0] : near[1]])


def _parts(edits: list[Edit]) -> Iterator[list[Edit]]:
    """Yield the edits of each connected part of the text."""
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
    """Yield the edits of the least cost in a part, with the ties of the head of the module."""
    scale = lcm(rules.scale, span)
    rows = {point: k for k, point in enumerate(dict.fromkeys(a for a, _ in part))}
    columns = {point: k for k, point in enumerate(dict.fromkeys(b for _, b in part))}
    distances = [abs(a.place - b.place) for a, b in part]
    # A gain is one integer with the digits, from the highest: saved cost, edits, distance, and one
    # bit an edit, the leftmost the highest.
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
            for type_ in sorted(crossing, key=_by_type):
                if all((*first, *second)):
                    continue  # the two places already have two substitutions
                of_gold = type_ in first[0]
                first[0 if of_gold else 1].discard(type_)
                second[1 if of_gold else 0].discard(type_)
                ends = Point(place, type_), Point(place + step, type_)
                moved.append(ends if of_gold else ends[::-1])
    replaced = []
    for place in places:
        a, b = (sorted(side.get(place, set()), key=_by_type) for side in waiting)
        edits = [(Point(place, x), Point(place, y)) for x, y in product(a, b)]
        if edits:
            replaced += _nearest(edits)
    return moved, replaced


def _by_type(type_: Type) -> tuple[bool, Type]:
    return isinstance(type_, str), type_


def _nearest(edits: list[Edit]) -> list[Edit]:
    """Return the most edits of one place, with the least differences of types."""
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
