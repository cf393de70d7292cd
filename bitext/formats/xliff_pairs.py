"""Codes of XLIFF that begin or end a pair: whether the other half is in their unit.

XLIFF 1 joins `bpt` and `ept`, `bx` and `ex` by `rid`, or by `id` where they have none. XLIFF 2
joins `sc` and `ec`, `sm` and `em` by `startRef`; half of a pair says `isolated="yes"`, and an id is
that of one code of a side only. The halves may be in two segments of the unit, in any order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitext.formats.code_pairs import odd_halves
from bitext.formats.safexml import local_name
from bitext.formats.xliff_beads import place

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lxml.etree import _Element as Element

    from bitext.formats.opening import Source

__all__ = ["note_ids", "note_pairs1", "note_pairs2", "pair_key"]

_LONE = "codes that begin or end a pair without the other half in their unit"
_AGAIN = "codes that begin a pair as another one in their unit does"
_IDS1 = "ids of codes that repeat in the source of a unit"
_IDS2 = "ids of codes that repeat in a unit"
_BEGINS = {"bpt", "bx", "sc", "sm"}
_FAMILIES = {"bx": "x", "ex": "x", "bpt": "pt", "ept": "pt"}
_HALVES2 = {"sc": "c", "ec": "c", "sm": "m", "em": "m"}
_WITH_IDS2 = {"ph", "pc", "sc", "sm", "mrk"}


def pair_key(element: Element) -> tuple[str, str]:
    """Return what the two halves of a pair of XLIFF 1 have in common."""
    family = _FAMILIES.get(local_name(element), "pt")
    for name in ("rid", "id", "i"):
        value = element.get(name)
        if value is not None:
            return family, str(value)
    return family, ""


def note_pairs1(source: Source, side: Element) -> None:
    """Note the codes of a side of a unit of XLIFF 1 that do not go together."""
    halves = [
        (element, " ".join(pair_key(element)))
        for element in side.iterdescendants()
        if local_name(element) in _FAMILIES
    ]
    _note(source, halves)


def note_ids(source: Source, side: Element) -> None:
    """Note the codes of the source of a unit of XLIFF 1 that have the id of another one.

    In a target they may: it can have a code of the source more than once.
    """
    codes = [element for element in side.iterdescendants() if local_name(element) in {"g", "x"}]
    _note_again(source, codes, _IDS1)


def note_pairs2(source: Source, sides: Iterable[Element]) -> None:
    """Note the codes of a side of a unit of XLIFF 2, part by part, that do not go together."""
    halves, with_ids = [], []
    for element in (element for side in sides for element in side.iterdescendants()):
        name = local_name(element)
        isolated = element.get("isolated") == "yes"
        if name in _HALVES2 and not (isolated and name in {"sc", "ec"}):
            key = element.get("id" if name in _BEGINS else "startRef", "")
            halves.append((element, f"{_HALVES2[name]} {key}"))
        if name in _WITH_IDS2 or (name == "ec" and isolated):
            with_ids.append(element)
    _note(source, halves, again=False)
    _note_again(source, with_ids, _IDS2)


def _note(source: Source, halves: list[tuple[Element, str]], *, again: bool = True) -> None:
    if not halves:
        return
    # Those that begin pairs first: in a target, segments may stand in another order.
    halves.sort(key=lambda half: local_name(half[0]) not in _BEGINS)
    lone, more = odd_halves((local_name(code) in _BEGINS, key) for code, key in halves)
    for kind, places in ((_LONE, lone), (_AGAIN, more if again else [])):
        for k in places:
            code, key = halves[k]
            case = f"{local_name(code)} {key.partition(' ')[2][:20]!r}"
            source.notes.add(kind, f"{place(source, code)}: {case}")


def _note_again(source: Source, codes: list[Element], kind: str) -> None:
    seen: set[str] = set()
    for code in codes:
        name = str(code.get("id", ""))
        if name and name in seen:
            source.notes.add(kind, f"{place(source, code)}: {local_name(code)} {name[:20]!r}")
        seen.add(name)
