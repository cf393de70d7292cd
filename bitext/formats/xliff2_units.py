"""The units of XLIFF 2: their segments, in the order of the target, their attributes as columns."""

from __future__ import annotations

import re
from math import nan
from typing import TYPE_CHECKING

from bitext.formats.lines import score_of
from bitext.formats.safexml import line_of, local_name
from bitext.formats.states import state_of
from bitext.formats.xliff2_sides import character, read_side
from bitext.formats.xliff_beads import Columns, Row, attributes, place
from bitext.formats.xliff_beside import note_attributes, note_extension, note_kept
from bitext.formats.xliff_flow import original_id
from bitext.formats.xliff_pairs import note_pairs2

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.etree import _Element as Element

    from bitext.formats.opening import Source
    from bitext.formats.xliff_flow import Content

__all__ = ["CATEGORY", "COLUMN", "SCORE", "read_unit"]

CATEGORY = "bitext"
COLUMN = "column:"
SCORE = "score"
_NUMBERED = re.compile(r"bitext:(\d{1,9})")
_ABOUT = {"source": "src.note", "target": "tgt.note"}
_INHERITED = frozenset({f"{COLUMN}canResegment"})  # a segment says its own by the standard
ALL, FIRST = -1, 0  # of the bisegments of a unit; the others by their numbers, from 1


def read_unit(source: Source, unit: Element, *, translate: bool = True) -> list[Row]:
    """Return the bisegments of a `unit`, in the order of the source.

    Parameters
    ----------
    source : Source
        Takes notes, and segments that cannot be read.
    unit : Element
        It, whole.
    translate : bool
        Whether what it stands in is to be translated.

    """
    told = unit.get("translate")
    kept = translate if told is None else told != "no"
    if not kept:
        note_kept(source, unit)
    namespace = str(unit.tag).rpartition("}")[0]
    children = []
    for child in unit:
        own = str(child.tag).rpartition("}")[0] == namespace
        if own:
            children.append(child)
        elif local_name(child) != "metadata":
            note_extension(source, child)
    columns = _columns(source, unit)
    if not kept:
        columns[ALL][f"{COLUMN}translate"] = "no"
    data = _data(source, children)
    found: list[tuple[int, list[Content], list[Content], dict[str, str]]] = []
    orders: list[int] = []
    parts = [child for child in children if local_name(child) in {"segment", "ignorable"}]
    for number, part in enumerate(parts, start=1):
        if local_name(part) == "ignorable":
            _see_ignorable(source, part)
            continue
        read = _segment(source, part, data, namespace)
        if read is None:
            continue
        src, tgt, order = read
        orders.append(order or number)
        found.append((number, src, tgt, _of_segment(source, part, columns[ALL])))
    for name in ("source", "target"):
        sides = (side for part in parts for side in part.iterchildren(f"{{*}}{name}"))
        note_pairs2(source, (side for side in sides if len(side)))
    if not found:
        source.notes.add("units without any segment, left out", place(source, unit))
    if len(set(orders)) < len(orders):
        kind = "units in which two targets have one place (order), read in the order of the source"
        source.notes.add(kind, place(source, unit))
        orders = [number for number, *_ in found]
    return list(_rows(found, orders, columns))


def _rows(
    found: list[tuple[int, list[Content], list[Content], dict[str, str]]],
    orders: list[int],
    columns: dict[int, Columns],
) -> Iterator[Row]:
    # The places of segments of a side: those of one part follow each other.
    ranks = sorted(range(len(found)), key=orders.__getitem__)
    begins, at = [0] * len(found), 0
    for k in ranks:
        begins[k] = at
        at += len(found[k][2])
    done = 0
    for k, (_, src, tgt, told) in enumerate(found):
        values = columns[ALL] | (columns[FIRST] if k == 0 else {}) | told
        values |= columns.get(k + 1, {})
        score = score_of(values.pop(SCORE, ""))
        if src or tgt:
            yield Row(
                list(enumerate(src, done)),
                list(enumerate(tgt, begins[k])),
                {name.removeprefix(COLUMN): value for name, value in values.items()},
                nan if score is None else score,
            )
        done += len(src)


def _segment(
    source: Source, segment: Element, data: dict[str, str], namespace: str
) -> tuple[list[Content], list[Content], int] | None:
    """Return both sides of a segment and the place that its target has, 0 for its own."""
    sides: dict[str, Element] = {}
    for child in segment:
        if str(child.tag).rpartition("}")[0] == namespace:
            sides.setdefault(local_name(child), child)
    if "source" not in sides:
        source.refuse("has a segment without a source; want one", line_of(segment))
        return None
    for side in sides.values():
        if local_name(side) in {"source", "target"}:
            note_attributes(source, side, "source and target", {"order"})
    src = read_side(source, sides["source"], data)
    target = sides.get("target")
    if target is None:
        source.notes.add("segments without a target, read as 1-0", place(source, segment))
        return src, [], 0
    spelled = str(target.get("order", "")).strip()
    if spelled and not re.fullmatch(r"0*[1-9]\d{0,8}", spelled, re.ASCII):
        source.refuse(
            f"has a target with order={spelled[:20]!r}; want a number from 1 on", line_of(target)
        )
        return None
    return src, read_side(source, target, data), int(spelled or 0)


def _see_ignorable(source: Source, part: Element) -> None:
    if "".join(map(str, part.itertext())).strip():
        kind = "parts with text that are told to be no segments (ignorable), left out"
        source.notes.add(kind, place(source, part))


def _of_segment(source: Source, segment: Element, of_unit: Columns) -> dict[str, str]:
    """Return the columns of a segment, which win over those of its unit; `segment` is its id."""
    columns = {}
    for name, value in attributes(source, segment):
        if name == "id":
            columns[f"{COLUMN}segment"] = value
        elif name != "xml:space":
            columns[COLUMN + name] = value
    state, substate = columns.get(f"{COLUMN}state", ""), columns.get(f"{COLUMN}subState", "")
    if (own := state_of(state, substate)) != state:
        columns[f"{COLUMN}state"] = own
        del columns[f"{COLUMN}subState"]
    for name, value in columns.items():
        if name not in _INHERITED and of_unit.get(name, value) != value:
            kind = "attributes of units that a segment has too, left out for its own"
            case = f"{place(source, segment)}: {name.removeprefix(COLUMN)[:40]}"
            source.notes.add(kind, case)
    return columns


def _columns(source: Source, unit: Element) -> dict[int, Columns]:
    """Return the columns of all bisegments, of the first one, and of each by its number.

    Their names have `column:` before them, so that the score is told from them.
    """
    common, first = Columns(), Columns()
    columns = {ALL: common, FIRST: first}
    for name, value in attributes(source, unit):
        if name == "id" and original_id(value)[1]:
            common[f"{COLUMN}id"] = value
        elif name not in {"id", "xml:space", "xml:lang"}:
            common[COLUMN + name] = value
    for child in unit:
        name = local_name(child)
        if name == "notes":
            for note in child:
                about = COLUMN + _ABOUT.get(str(note.get("appliesTo")), "note")
                note_attributes(source, note, "notes", {"appliesTo"})
                first.put(about, "".join(map(str, note.itertext())))
        elif name == "metadata":
            for group in child.iter("{*}metaGroup"):
                _group(group, columns)
    return columns


def _group(group: Element, columns: dict[int, Columns]) -> None:
    category = str(group.get("category", ""))
    number = _NUMBERED.fullmatch(category)
    own = columns.setdefault(int(number[1]) if number else FIRST, Columns())
    for meta in group:
        if local_name(meta) != "meta":
            continue
        kind, value = str(meta.get("type", "")), str(meta.text or "")
        if number or category == CATEGORY:
            own[kind] = value
        else:
            name = f"{COLUMN}meta:{category}/{kind}" if category else f"{COLUMN}meta:{kind}"
            own.put(name, value)


def _data(source: Source, children: list[Element]) -> dict[str, str]:
    """Return the native code of a unit, by its ids."""
    found: dict[str, str] = {}
    for held in children:
        if local_name(held) != "originalData":
            continue
        for data in held:
            name = str(data.get("id", ""))
            if name in found:
                kind = "ids of original data that repeat, of which the first is taken"
                source.notes.add(kind, f"{place(source, data)}: {name[:40]}")
                continue
            parts = [str(data.text or "")]
            for child in data:
                if local_name(child) == "cp":
                    parts.append(character(source, child))
                parts.append(str(child.tail or ""))
            found[name] = "".join(parts)
    return found
