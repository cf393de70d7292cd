"""Bisegments of TEI files without links: the connected parts of the graph of `corresp`.

`corresp` is symmetric, but may be written on one side, on both, or partly. So a one-sided n-1 and
an overlap look alike; what is joined without being written from everywhere is noted. Where elements
with `corresp` lie in each other, the innermost count. The text that stands first is the source.
"""

from __future__ import annotations

from itertools import pairwise
from math import inf
from typing import TYPE_CHECKING

from bitext.formats.tei_places import UNITS
from bitext.formats.tei_pointers import Pointer, split
from bitext.formats.tei_sides import Made

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bitext.formats.opening import Source
    from bitext.formats.tei_places import Place, Scan
    from bitext.formats.tei_pointers import Pointers
    from bitext.formats.tei_units import Units

__all__ = ["beads_of_corresp"]


def beads_of_corresp(
    source: Source, scan: Scan, pointers: Pointers, units: Units
) -> tuple[list[Made], frozenset[str]]:
    """Return the bisegments as links, and the identifiers of the elements that have `corresp`.

    Raises
    ------
    FormatError
        When a pointer cannot be read, or names no element; with the line.

    """
    edges: list[tuple[Pointer, Pointer, int]] = []
    for place in _innermost(source, scan):
        here = Pointer("", scan.places.ids[units.head(place.k)])
        for target in split(place.attribute("corresp")):
            there, wrong = pointers.find(target, place.context.base)
            other = None if there.doc else scan.named(there.id)
            if not wrong and not there.doc and other is None:
                wrong = "names no element of this file; correct it"
            if wrong:
                source.refuse(f"the pointer {target[:80]!r} {wrong}", place.line)
                continue
            there = there if other is None else Pointer("", scan.places.ids[units.head(other.k)])
            if there != here:
                edges.append((here, there, place.line))
    beads = _components(source, edges)
    for bead in beads:
        # The text that stands first is the source, whichever of them has the attributes.
        bead.pointers.sort(key=lambda p: inf if p.doc else scan.by_id[p.id])
        if not bead.pointers[0].doc:
            bead.line = scan.places.lines[scan.by_id[bead.pointers[0].id]]
    return beads, frozenset(here.id for here, _, _ in edges)


def _innermost(source: Source, scan: Scan) -> list[Place]:
    """Return the elements with `corresp` that have no other such inside, and note the rest."""
    pointing = [k for k, given in scan.places.attributes.items() if given.get("corresp")]
    places = map(scan.places.__getitem__, sorted(pointing))
    found = [p for p in places if p.context.shown and p.name in UNITS]
    outer = [p for p, after in pairwise(found) if after.order <= p.last]
    if outer:
        kind = "elements with corresp around others with it, left out"
        where = f"{source.path} line {outer[0].line}: {outer[0].id}"
        source.notes.add(kind, where, len(outer))
    gone = {place.order for place in outer}
    return [place for place in found if place.order not in gone]


def _components(source: Source, edges: list[tuple[Pointer, Pointer, int]]) -> list[Made]:
    """Return the connected parts of the graph, in the order of their first edges."""
    up: dict[Pointer, Pointer] = {}

    def top(node: Pointer) -> Pointer:
        while up[node] != node:
            up[node] = up[up[node]]
            node = up[node]
        return node

    for here, there, _ in edges:
        up.setdefault(here, here)
        up.setdefault(there, there)
        up[top(there)] = top(here)
    parts: dict[Pointer, Made] = {}
    seen: set[Pointer] = set()
    for here, there, line in edges:
        part = parts.setdefault(top(here), Made([], {}, line))
        for node in (here, there):
            if node not in seen:
                seen.add(node)
                part.pointers.append(node)
    _note_doubt(source, edges, parts.values())
    return list(parts.values())


def _note_doubt(
    source: Source, edges: list[tuple[Pointer, Pointer, int]], parts: Iterable[Made]
) -> None:
    """Note the larger parts that are not written from every segment to every one opposite."""
    goes: dict[Pointer, set[Pointer]] = {}
    comes: dict[Pointer, set[Pointer]] = {}
    for here, there, _ in edges:
        goes.setdefault(here, set()).add(there)
        comes.setdefault(there, set()).add(here)
    none: set[Pointer] = set()
    for part in parts:
        if len(part.pointers) < 3:
            continue
        opposite = goes.get(part.pointers[0], none)
        same = [pointer for pointer in part.pointers if pointer not in opposite]
        sure = all(goes.get(p, none) == comes.get(p, none) == opposite for p in same)
        if not sure:
            kind = (
                "bisegments joined of corresp that is not written from each segment to each one "
                "opposite (they may be overlaps)"
            )
            source.notes.add(kind, f"{source.path} line {part.line}: {part.pointers[0].id}")
