"""The units of XLIFF 1: their segments paired by `mid`, their attributes as columns."""

from __future__ import annotations

import re
from math import nan
from typing import TYPE_CHECKING

from bitext.formats.lines import score_of
from bitext.formats.safexml import line_of, local_name
from bitext.formats.xliff12_sides import OURS, is_segmented, read_side
from bitext.formats.xliff_beads import Columns, Row, attributes, place
from bitext.formats.xliff_beside import note_attributes, note_extension, note_kept
from bitext.formats.xliff_flow import original_id, shown
from bitext.formats.xliff_pairs import note_ids

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from lxml.etree import _Element as Element

    from bitext.formats.opening import Source
    from bitext.formats.xliff_flow import Content

    Part = tuple[str, list[Content]]
    Segments = list[tuple[int, Content]]

__all__ = ["PURPOSE", "SCORE", "read_unit"]

SCORE = "x-bitext.score"
PURPOSE = "information"  # of a group of contexts that says nothing else
_PURPOSE = re.compile(r"x-bitext\.(\d{1,9})")
_ABOUT = {"source": "src.note", "target": "tgt.note"}
ALL, FIRST = -1, 0  # of the bisegments of a unit; the others by their numbers, from 1


def read_unit(
    source: Source,
    unit: Element,
    *,
    translate: bool = True,
    more: Callable[[Element], dict[str, dict[str, str]]] | None = None,
) -> list[Row]:
    """Return the bisegments of a `trans-unit`, in the order of the source.

    Parameters
    ----------
    source : Source
        Takes notes, and units that cannot be read.
    unit : Element
        It, whole.
    translate : bool
        Whether what it stands in is to be translated.
    more : callable, optional
        Takes the unit and gives further columns, by the `mid`.

    """
    parts = _parts(source, unit, known=more is not None)
    src, tgt = parts.get("source"), parts.get("target")
    if src is None:
        source.refuse("has a trans-unit without a source; want one", line_of(unit))
        return []
    kept = unit.get("translate", "yes" if translate else "no") != "no"
    if not kept and tgt is None and not "".join(map(str, src.itertext())).strip():
        kind = "units of codes only that are not to be translated, left out"
        source.notes.add(kind, place(source, unit))
        return []
    if not kept:
        note_kept(source, unit)
    segmented = parts.get("seg-source")
    if segmented is not None and not is_segmented(segmented):
        if not "".join(map(str, segmented.itertext())).strip():
            source.notes.add("units without any segment, left out", place(source, unit))
            return []
        segmented = None
    if more is None and len(src):
        note_ids(source, src)  # of others, they are those of tags that may come again
    sides = (
        read_side(source, src if segmented is None else segmented),
        [] if tgt is None else read_side(source, tgt),
    )
    if tgt is None:
        source.notes.add("units without a target, read as 1-0", place(source, unit))
    found = more(unit) if more else {}
    columns = _columns(source, unit, tgt)
    if not kept:
        columns[ALL]["translate"] = "no"
    return list(_rows(source, unit, sides, columns, found))


def _parts(source: Source, unit: Element, *, known: bool) -> dict[str, Element]:
    """Return the parts of a unit by their names; of the namespace of the unit only.

    What is of another one is noted, unless it is known to somebody else.
    """
    namespace = str(unit.tag).rpartition("}")[0]
    parts: dict[str, Element] = {}
    for child in unit:
        if str(child.tag).rpartition("}")[0] != namespace:
            if not known:
                note_extension(source, child)
            continue
        name = local_name(child)
        if name == "alt-trans":
            kind = "proposals (alt-trans), which are no translations, left out"
            source.notes.add(kind, place(source, child))
        elif name in {"source", "seg-source", "target"}:
            if name in parts:
                kind = f"units with a second {name}, of which the first is read"
                source.notes.add(kind, place(source, child))
            parts.setdefault(name, child)
    return parts


def _rows(
    source: Source,
    unit: Element,
    sides: tuple[list[Part], list[Part]],
    columns: dict[int, Columns],
    found: dict[str, dict[str, str]],
) -> Iterator[Row]:
    """Yield the bisegments: the parts with one `mid` belong together."""
    last = -1
    for k, (mid, (src, tgt)) in enumerate(_groups(source, unit, sides).items(), start=1):
        if not (src or tgt):
            source.notes.add("units without any segment, left out", place(source, unit))
            continue
        told = columns[ALL] | (columns[FIRST] if k == 1 else {}) | columns.get(k, {})
        score = score_of(told.pop(SCORE, ""))
        if original_id(mid)[1]:
            told["mid"] = mid
        if tgt:
            if tgt[0][0] < last:
                kind = "segments in another order in the target (crossing)"
                source.notes.add(kind, place(source, unit))
            last = max(last, tgt[-1][0])
        yield Row(src, tgt, told | found.get(mid, {}), nan if score is None else score)


def _groups(
    source: Source, unit: Element, sides: tuple[list[Part], list[Part]]
) -> dict[str, tuple[Segments, Segments]]:
    """Return the segments of both sides by their `mid`, with their places."""
    src, tgt = sides
    if len(src) > 1 and len(tgt) == 1 and not tgt[0][0]:
        # The target is whole where the source is not.
        text = tgt[0][1]
        if not any(held.plain.strip() for held in text):
            tgt = []
        else:
            kind = "units with a target that is not segmented as the source, read as n-1"
            source.notes.add(kind, place(source, unit))
            src = [("", [held for _, part in src for held in part])]
    elif len(src) == 1 and len(tgt) == 1 and "" in {src[0][0], tgt[0][0]}:
        mid = src[0][0] or tgt[0][0]
        src, tgt = [(mid, src[0][1])], [(mid, tgt[0][1])]
    elif len(src) == 1 and not src[0][0] and tgt:
        kind = "units with a source that is not segmented as the target, read as 1-n"
        source.notes.add(kind, place(source, unit))
        tgt = [("", [held for _, part in tgt for held in part])]
    groups: dict[str, tuple[Segments, Segments]] = {}
    for side, parts in enumerate((src, tgt)):
        seen: set[str] = set()
        number = 0
        for mid, part in parts:
            if mid in seen:
                kind = "segments with one mid on a side, read as one n-m bisegment"
                source.notes.add(kind, f"{place(source, unit)}: {mid[:40]}")
            seen.add(mid)
            group = groups.setdefault(mid, ([], []))
            for held in part:
                group[side].append((number, held))
                number += 1
    if src and tgt:
        lone = [mid for mid, (one, other) in groups.items() if not (one and other)]
        known = {mid for mid, part in (*src, *tgt) if not part}
        if not known.issuperset(lone):
            kind = "segments whose mid the other side does not have, read as 1-0 or 0-1"
            source.notes.add(kind, f"{place(source, unit)}: {lone[0][:40]}")
    return groups


def _columns(source: Source, unit: Element, target: Element | None) -> dict[int, Columns]:
    """Return the columns of all bisegments, of the first one, and of each by its number."""
    common, first = Columns(), Columns()
    columns = {ALL: common, FIRST: first}
    for name, value in attributes(source, unit):
        if name == "id" and original_id(value)[1]:
            common["id"] = value
        elif name not in {"id", "xml:space"}:
            common[name] = value
    parts = [("src.", child) for child in unit if local_name(child) == "source"][:1]
    parts += [("tgt.", target)] if target is not None else []
    for prefix, element in parts:
        for name, value in attributes(source, element):
            if name.startswith("state"):
                common[name] = value
            elif name not in {"xml:lang", "xml:space"}:
                common[prefix + name] = value
    _children(source, unit, columns)
    return columns


def _children(source: Source, unit: Element, columns: dict[int, Columns]) -> None:
    """Put what stands beside the texts of a unit into columns."""
    first = columns[FIRST]
    for child in unit:
        name = local_name(child)
        if name == "note":
            about = _ABOUT.get(str(child.get("annotates")), "note")
            note_attributes(source, child, "notes and contexts", {"annotates"})
            first.put(about, "".join(map(str, child.itertext())))
        elif name == "context-group":
            purpose = _PURPOSE.fullmatch(str(child.get("purpose", "")))
            number = int(purpose[1]) if purpose else FIRST
            ours = purpose or child.get("purpose") == PURPOSE
            known = {"purpose"} if ours else set()
            note_attributes(source, child, "notes and contexts", known)
            _contexts(child, columns.setdefault(number, Columns()))
        elif name == "prop-group":
            for prop in child:
                kind = str(prop.get("prop-type", ""))
                first.put(f"prop:{kind}", str(prop.text or ""))
        elif name == "count-group":
            source.notes.add("counts (count-group), left out", place(source, child))


def _contexts(group: Element, columns: Columns) -> None:
    for context in group:
        kind, value = str(context.get("context-type", "")), "".join(map(str, context.itertext()))
        if kind == SCORE:
            columns[SCORE] = value
        elif kind.startswith(OURS):
            columns[shown(kind.removeprefix(OURS))] = value
        else:
            columns.put(f"context:{kind}", value)
