"""What an XLIFF file holds beside the texts of its units and no column keeps: noted, not kept.

A unit, its notes, contexts and metadata become columns; the rest is passed over, and counted here,
but for the borders of groups: their units are read as those around them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitext.formats.marks import LOST_ATTRIBUTES, tag
from bitext.formats.safexml import local_name
from bitext.formats.xliff_beads import attributes, place
from bitext.remedies import remedy

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from lxml.etree import _Element as Element

    from bitext.formats.opening import Source

__all__ = [
    "AROUND",
    "native_tag",
    "note_around",
    "note_attributes",
    "note_codes",
    "note_extension",
    "note_kept",
]

AROUND = "headers, notes and modules of documents and groups, left out"
_USUAL = ("datatype", "plaintext")  # what is written where nothing is known
_SPACE = {"xml:space", "xml:lang"}


def note_around(source: Source, holder: Element, units: Collection[str]) -> None:
    """Note the children of a document or a group that are no units, and hold anything."""
    for child in holder:
        if local_name(child) in units:
            continue
        if len(child) or str(child.text or "").strip():
            source.notes.add(AROUND, f"{place(source, child)}: {local_name(child)[:40]}")


def note_extension(source: Source, child: Element) -> None:
    """Note an element of a unit that is of another namespace."""
    kind = "modules and extensions in units, left out"
    source.notes.add(kind, f"{place(source, child)}: {local_name(child)[:40]}")


def note_kept(source: Source, unit: Element) -> None:
    """Note a unit that is not to be translated, though a text may stand as its target."""
    way = remedy("where translate!=no")
    kind = f'units that are not to be translated (translate="no"), read as the others ({way})'
    source.notes.add(kind, place(source, unit))


def note_attributes(source: Source, element: Element, what: str, known: Collection[str]) -> None:
    """Note the attributes of an element but for those that are known."""
    if not element.attrib:
        return
    for name, value in attributes(source, element):
        if name not in known and (name, value) != _USUAL and name not in _SPACE:
            kind = f"attributes of {what}, left out"
            source.notes.add(kind, f"{place(source, element)}: {name[:40]}")


def note_codes(
    source: Source,
    side: Element,
    known: Callable[[Element], Collection[str] | None],
) -> None:
    """Note the attributes of the codes and marks of a side that are not kept.

    Parameters
    ----------
    known : callable
        Takes an element and gives the attributes of it that are; `None` where it is kept whole,
        or is of our own writing.

    """
    for element in side.iterdescendants():
        kept = known(element)
        if kept is None or not element.attrib:
            continue
        for name, _ in attributes(source, element):
            if name not in kept:
                case = f"{place(source, element)}: {local_name(element)[:40]} {name[:40]}"
                source.notes.add(LOST_ATTRIBUTES, case)


def native_tag(source: Source, element: Element, *, empty: bool) -> str:
    """Return the start tag of an element that is kept as a code, with all that it says."""
    told = dict(attributes(source, element))
    namespace = str(element.tag).rpartition("}")[0]
    parent = element.getparent()
    if namespace and (parent is None or not str(parent.tag).startswith(f"{namespace}}}")):
        told = {"xmlns": namespace[1:], **told}
    return tag(local_name(element), told, empty=empty)
