"""Links of a TEI file that point to its own elements and nothing else, by the column.

That is how large files are. What these functions return is what `tei_links`, `tei_sides` and
`tei_choice` come to link by link; for anything that needs a look at the single link (documents,
segments of several elements, three texts, what is wrong) they return nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import isnan, nan
from typing import TYPE_CHECKING

import numpy as np

from bitext.formats.columns import score_of
from bitext.formats.line_files import known_scores
from bitext.formats.tei.documents import Made, Sides, Telling
from bitext.formats.tei.pointers import NO_SEGMENTS, Pointer
from bitext.kernels.rows import Rows, prefix
from bitext.model import Alignment

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from bitext.formats.io.source import Notes
    from bitext.formats.tei.documents import Key
    from bitext.formats.tei.pointers import Pointers, Units
    from bitext.formats.tei.scan import Group, Scan

__all__ = ["Bead", "Plain", "alignment_of", "plain_groups", "with_columns"]


# Alignments out of TEI links: bisegments, scores, and the attributes of links as columns.

Bead = tuple[list[int], list[int]]
_OUR_LINK = re.compile(r"bitext-\d+-link-\d+")


def alignment_of(beads: Sequence[Bead], links: Sequence[Made]) -> Alignment:
    """Return bisegments, each with the attributes of its link."""
    rows = []
    for which in (0, 1):
        sizes = np.array([len(bead[which]) for bead in beads], dtype=np.int64)
        members = np.array([k for bead in beads for k in bead[which]], dtype=np.int64)
        rows.append(Rows(prefix(sizes), members))
    columns: dict[str, list[str | None]] = {}
    for k, link in enumerate(links):
        for name, value in link.attributes.items():
            columns.setdefault(name, [None] * len(links))[k] = value
    return with_columns(rows, columns, len(links))


def with_columns(
    rows: Sequence[Rows], given: Mapping[str, list[str | None]], size: int
) -> Alignment:
    """Return the alignment with the attributes of links as scores and columns."""
    scores = [nan] * size
    columns: dict[str, list[str | None]] = {}
    for name in sorted(given, key="a score".__eq__):  # what we wrote is the score, if it is there
        values = given[name]
        if name in {"cert", "a score"}:
            numbers = [nan if value is None else score_of(value) for value in values]
            scores = [
                old if new is None or isnan(new) else new
                for old, new in zip(scores, numbers, strict=True)
            ]
            values = [
                value if number is None or (value is not None and isnan(number)) else None
                for value, number in zip(values, numbers, strict=True)
            ]
        elif name == "id":
            values = [v if v is None or not _OUR_LINK.fullmatch(v) else None for v in values]
        if any(value is not None for value in values):
            _merge(columns, name.removeprefix("a column "), values)
    return Alignment.from_arrays(rows[0], rows[1], scores=known_scores(scores), attributes=columns)


def _merge(columns: dict[str, list[str | None]], name: str, values: list[str | None]) -> None:
    """Add a column; of one that is there already, the new values count."""
    known = columns.get(name)
    if known is None:
        columns[name] = values
        return
    columns[name] = [old if new is None else new for old, new in zip(known, values, strict=True)]


@dataclass(slots=True)
class Plain:
    """A group of links between two texts of the file.

    Attributes
    ----------
    group : Group
        The links.
    sides : Sides
        How the texts were told.
    pair : frozenset of Key
        The two texts.
    first : Made
        The first link between both, or else the first; with the line of the first of all.

    """

    group: Group
    sides: Sides
    pair: frozenset[Key]
    first: Made
    _members: Rows  # the elements pointed to
    _codes: NDArray[np.int64]  # the text of each, as an index of `_keys`
    _keys: list[Key]

    def pointed(self, key: Key) -> NDArray[np.int64]:
        """Return the elements of a text that are pointed to, as the links have them."""
        code = self._keys.index(key) if key in self._keys else -1
        found: NDArray[np.int64] = self._members.idx[self._codes == code]
        return found

    def rows(self, key: Key, heads: NDArray[np.int64]) -> Rows:
        """Return the segments of a text that each link names, by their places among these."""
        code = self._keys.index(key) if key in self._keys else -1
        mask = self._codes == code
        size = self._members.ptr.size - 1
        row = np.repeat(np.arange(size), self._members.lengths)[mask]
        member = np.searchsorted(heads, self._members.idx[mask])
        return Rows(prefix(np.bincount(row, minlength=size)), member[np.lexsort((member, row))])

    def note(self, notes: Notes, path: str) -> None:
        """Note links with one pointer."""
        alone = np.flatnonzero(self._members.lengths == 1)
        if alone.size:
            links, k = self.group.links, int(alone[0])
            kind = "links with one pointer, taken as 0-1 and 1-0"
            notes.add(kind, f"{path} line {links.lines[k]}: {links.targets[k][:80]}", alone.size)


def plain_groups(
    groups: Sequence[Group], scan: Scan, pointers: Pointers, units: Units
) -> list[Plain] | None:
    """Return all groups, each of two texts that no other group is of; `None` if one is not so."""
    if scan.repeated or units.joined or not scan.has_units:
        return None
    found: list[Plain] = []
    for group in groups:
        plain = _plain(group, scan, pointers)
        if plain is None:
            return None
        found.append(plain)
    return found if len({plain.pair for plain in found}) == len(found) else None


def _plain(group: Group, scan: Scan, pointers: Pointers) -> Plain | None:
    members = _members(group.links.targets, scan)
    if members is None:
        return None
    told = Telling(scan, pointers, group)
    for by, declared in _evidence(told):
        codes, keys = told.coded(by, members.idx)
        if not (codes >= 0).all():
            continue
        low = np.minimum.reduceat(codes, members.ptr[:-1])
        high = np.maximum.reduceat(codes, members.ptr[:-1])
        both = np.flatnonzero(low != high)
        known = {keys[code] for code in np.flatnonzero(np.bincount(codes))}
        if not both.size and not (len(declared) > 1 and known <= set(declared)):
            continue
        pair = {keys[low[both[0]]], keys[high[both[0]]]} if both.size else set(declared[:2])
        if not known <= pair or any(key[0] == "file" for key in pair):
            return None
        k = int(both[0]) if both.size else 0
        begin, end = members.ptr[k : k + 2].tolist()
        named = [Pointer("", scan.places.ids[place]) for place in members.idx[begin:end].tolist()]
        first = Made(named, {}, group.links.lines[0], [keys[c] for c in codes[begin:end].tolist()])
        sides = Sides(told, by, declared)
        return Plain(group, sides, frozenset(pair), first, members, codes, keys)
    return None


def _evidence(told: Telling) -> Iterator[tuple[str, list[Key]]]:
    """Yield the kinds of evidence in their order, with the texts that are declared beside."""
    declared = told.domains if len(told.domains) > 1 else told.listed
    if len(told.domains) > 1:
        yield "domain", declared
    yield "home", declared
    yield "language", []


def _members(targets: Sequence[str], scan: Scan) -> Rows | None:
    """Return the elements that links point to; `None` where one has to be looked at singly."""
    whole = " ".join(targets)
    if not targets or any(blank in whole for blank in "\t\r\n"):
        return None
    pointers = whole.split(" ")
    if not all(pointer[:1] == "#" for pointer in pointers):
        return None
    by_id = scan.by_id
    idx = np.array([by_id.get(pointer[1:], -1) for pointer in pointers], dtype=np.int64)
    if (idx < 0).any() or scan.places.named(NO_SEGMENTS)[idx].any():
        return None
    counts = np.array([target.count(" ") for target in targets], dtype=np.int64) + 1
    row = np.repeat(np.arange(counts.size), counts)
    order = np.lexsort((idx, row))
    again = (np.diff(row[order]) == 0) & (np.diff(idx[order]) == 0)
    return None if again.any() else Rows(prefix(counts), idx)
