"""The links of a TEI file with their pointers made out, group by group."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bitext.formats.tei_pointers import Pointer, split
from bitext.formats.tei_sides import Made, tell
from bitext.remedies import remedy

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bitext.formats.opening import Source
    from bitext.formats.tei_groups import Group
    from bitext.formats.tei_places import Scan
    from bitext.formats.tei_pointers import Pointers
    from bitext.formats.tei_sides import Sides
    from bitext.formats.tei_texts import Texts
    from bitext.formats.tei_units import Units

__all__ = ["alignments", "told_links"]

_ALIGNMENT = re.compile(r"align|trans|parall|equival|bitext|pair", re.IGNORECASE)


def alignments(source: Source, scan: Scan) -> list[Group]:
    """Return the groups that are alignments: of links between segments of texts.

    Groups of links serve for other things too (`type="UD-SYN"`). Where some say that they are
    alignments by their type, those that say to be of another type are left out.
    """
    groups = [group for group in scan.groups if group.links or "domains" in group.attributes]
    said = [_ALIGNMENT.search(group.attributes.get("type", "")) for group in groups]
    kept = []
    for group, is_said in zip(groups, said, strict=True):
        kind = group.attributes.get("type", "")
        if kind and not is_said and any(said):
            where = f"{source.path} line {group.line}: type {kind[:40]!r}"
            source.notes.add("groups of links of another type than alignments, left out", where)
        else:
            kept.append(group)
    return kept


def told_links(
    source: Source, scan: Scan, pointers: Pointers, units: Units, texts: Texts, group: Group
) -> tuple[list[Made], Sides]:
    """Return the links of a group, each pointer with the text that it points into.

    Raises
    ------
    FormatError
        When a pointer cannot be followed, or the sides of the links cannot be told; with the line.

    """
    files = [
        doc
        for name in ("corresp", "domains")
        for target in split(group.attributes.get(name, ""))
        if (doc := pointers.document(target, group.base))
    ]
    finder = _Finder(source, scan, pointers, units, texts, list(dict.fromkeys(files)))
    links = list(finder.links(group))
    sides = tell(scan, pointers, group, links)
    if sides is None:
        line = next((link.line for link in links if len(link.pointers) != 2), group.line)
        raise source.error(
            "has links of which nothing tells the sides: their segments lie in one document, and "
            "neither domains of the linkGrp nor xml:lang of the segments says of which text they "
            "are; name the elements that hold the two texts in domains",
            line,
        )
    return links, sides


class _Finder:
    """Makes out the pointers of the links of one group."""

    def __init__(
        self,
        source: Source,
        scan: Scan,
        pointers: Pointers,
        units: Units,
        texts: Texts,
        files: Sequence[str],
    ) -> None:
        self._source, self._scan, self._pointers = source, scan, pointers
        self._units, self._texts, self._files = units, texts, files

    def links(self, group: Group) -> Iterator[Made]:
        """Yield the links that can be read."""
        for link in group.links:
            found: list[Pointer] = []
            wrong = ""
            targets = split(link.targets)
            for place, target in enumerate(targets):
                pointer, flaw = self._pointers.find(target, link.base)
                if not flaw:
                    pointer, flaw = self._element(pointer, place, len(targets))
                if flaw:
                    wrong = wrong or f"the pointer {target[:80]!r} {flaw}"
                found.append(pointer)
            if not found:
                wrong = "has a link without target, which links nothing; take it out"
            if wrong:
                self._source.refuse(wrong, link.line)
                continue
            kept = list(dict.fromkeys(found))
            where = f"{self._source.path} line {link.line}"
            if len(kept) < len(found):
                kind = "links that name a segment twice, taken once"
                self._source.notes.add(kind, where)
            if len(kept) == 1:
                kind = "links with one pointer, taken as 0-1 and 1-0"
                self._source.notes.add(kind, f"{where}: {targets[0][:80]}")
            yield Made(kept, link.attributes, link.line)

    def _element(self, pointer: Pointer, place: int, size: int) -> tuple[Pointer, str]:
        """Find what a pointer into this file names; in a file of links only, in those it lists."""
        if pointer.doc:
            return pointer, ""
        known = self._scan.by_id.get(pointer.id)
        if known is not None:
            return Pointer("", self._units.id(self._units.head(known))), ""
        holding, missing = self._texts.holding(pointer.id, self._files)
        looked = len(missing) < len(self._files)
        if len(holding) == 1:
            return Pointer(holding[0], pointer.id), ""
        if (holding or not looked) and len(self._files) == size == 2:
            return Pointer(self._files[place], pointer.id), ""
        if holding:
            return pointer, (
                f"names an element that several of the files have ({', '.join(holding)[:80]}); "
                f"name the file in the pointer (en.xml#e1)"
            )
        if missing and (self._scan.has_units or looked):
            return pointer, (
                f"names no element of what was read, and {missing[0][:80]}, which the linkGrp "
                f"lists, is not found; give its folder ({remedy('root')}), or correct its name"
            )
        if self._scan.has_units or looked:
            return pointer, "names no element of this file or of those it lists; correct it"
        if self._files:
            return pointer, (
                f"names an element of one of the files that the linkGrp lists, which are not there "
                f"to tell of which; give their folder ({remedy('root')})"
            )
        return pointer, ""
