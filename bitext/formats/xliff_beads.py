"""What the readers of XLIFF and its kin share: units of several segments, and languages asked for.

In a unit the target segments may stand in another order than those of the source: then bisegments
cross, each text being in its own order.
"""

from __future__ import annotations

from dataclasses import replace
from math import nan
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bitext.formats.inline import Beads
from bitext.formats.languages import finds
from bitext.formats.safexml import line_of, local_name
from bitext.formats.states import as_drafts, note_draft, told_draft, told_state
from bitext.model import Alignment, Text
from bitext.remedies import remedy

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from lxml.etree import _Element as Element

    from bitext.formats.opening import Source
    from bitext.formats.registry import ReadOptions
    from bitext.formats.xliff_flow import Content
    from bitext.kernels.rows import Rows
    from bitext.model import Bitext

__all__ = ["Columns", "Ids", "Row", "UnitBeads", "Wanted", "attributes", "place"]

_MOST_ATTRIBUTES = 256
_MOST_NAMESPACES = 256
_MOST_IDS = 100_000  # of a document, so that memory does not grow with the file


class Row(NamedTuple):
    """A bisegment of a unit.

    Attributes
    ----------
    src, tgt : list of (int, Content)
        Its segments, each with its place among those of its side of the unit.
    columns : mapping of str to str
    score : float

    """

    src: list[tuple[int, Content]]
    tgt: list[tuple[int, Content]]
    columns: Mapping[str, str]
    score: float = nan


class UnitBeads(Beads):
    """Collects bisegments unit by unit, each side in the order of its own text."""

    def _begin(self) -> None:
        super()._begin()
        self._moved: tuple[list[tuple[int, list[int]]], ...] = ([], [])
        self._ids: tuple[list[str], list[str]] = ([], [])

    def add_unit(self, rows: Sequence[Row]) -> None:
        """Add the bisegments of a unit."""
        begins = [len(side) for side in self._segments]
        rows = [self._settled(row) for row in rows]
        for row in rows:
            src, tgt = ([held for _, held in side] for side in (row.src, row.tgt))
            self.add(
                [held.plain for held in src],
                [held.plain for held in tgt],
                row.score,
                attributes=row.columns,
                marked=([held.marked for held in src], [held.marked for held in tgt]),
            )
            self._ids[0].extend(held.id for held in src)
            self._ids[1].extend(held.id for held in tgt)
        if len(rows) == 1 and len(rows[0].src) < 2 and len(rows[0].tgt) < 2:
            return
        for side, begin in enumerate(begins):
            held = (row.tgt if side else row.src for row in rows)
            self._arrange(side, begin, [at for segments in held for at, _ in segments])

    def _settled(self, row: Row) -> Row:
        """Return a bisegment with its state; a target that is no translation becomes a draft."""
        state, told = told_state(row.columns)
        if not state:
            return self._approved(row)
        columns = {**row.columns, "state": state}
        if not (row.src and row.tgt and told_draft(state)):
            return self._approved(row._replace(columns=columns))
        drafts = as_drafts([(held.plain, held.marked) for _, held in row.tgt])
        if drafts:
            where = f"{self._source.path} line {self.line}"
            note_draft(self._source.notes, told, where, taken=self._options.drafts)
        if self._options.drafts:
            return row._replace(columns=columns)
        return row._replace(tgt=[], columns=columns | drafts)

    def _approved(self, row: Row) -> Row:
        """Note a translation that XLIFF 1 calls not approved."""
        if row.tgt and row.columns.get("approved") == "no":
            way = remedy("where approved!=no")
            kind = f'units that are not approved (approved="no"), read as the others ({way})'
            self._source.notes.add(kind, f"{self._source.path} line {self.line}")
        return row

    def add_plain(self, src: str, tgt: str, columns: Mapping[str, str]) -> None:
        """Add a unit of one segment a side, without marks."""
        self.add([src], [tgt], attributes=columns)
        self._ids[0].append("")
        self._ids[1].append("")

    def _arrange(self, side: int, begin: int, places: list[int]) -> None:
        """Put the segments from `begin` on in the order of their places."""
        order = sorted(range(len(places)), key=places.__getitem__)
        if order == list(range(len(places))):
            return
        segments, marked, ids = self._segments[side], self._marked[side], self._ids[side]
        segments[begin:] = [segments[begin + k] for k in order]
        ids[begin:] = [ids[begin + k] for k in order]
        kept = {begin + k: marked.pop(begin + k, "") for k in order}
        marked.update(
            (begin + at, kept[begin + k]) for at, k in enumerate(order) if kept[begin + k]
        )
        moved = [0] * len(order)
        for at, k in enumerate(order):
            moved[k] = at
        self._moved[side].append((begin, moved))

    def _bitext(self) -> Bitext:
        moved, ids = self._moved, self._ids
        made = super()._bitext()
        if any(moved):
            rows = [
                _renumbered(rows, changes)
                for rows, changes in zip(
                    (made.alignment.src, made.alignment.tgt), moved, strict=True
                )
            ]
            alignment = Alignment.from_arrays(
                rows[0],
                rows[1],
                scores=made.alignment.scores,
                attributes=made.alignment.attributes,
            )
            made = replace(made, alignment=alignment)
        texts = [
            text and _identified(text, names)
            for text, names in zip((made.src, made.tgt), ids, strict=True)
        ]
        return replace(made, src=texts[0], tgt=texts[1])


def _renumbered(rows: Rows, changes: list[tuple[int, list[int]]]) -> Rows:
    idx = rows.idx.copy()
    for begin, moved in changes:
        idx[begin : begin + len(moved)] = begin + np.array(moved)
    return rows._replace(idx=idx)


def _identified(text: Text, ids: list[str]) -> Text:
    """Give a text its ids, where every segment has one of its own."""
    if not ids or not all(ids) or len(set(ids)) < len(ids):
        return text
    return Text(text.segments(), ids=ids, name=text.name, lang=text.lang, marked=text.marked)


class Wanted:
    """Which documents of a file are read, by the languages that are asked for."""

    def __init__(self, source: Source, options: ReadOptions) -> None:
        self._source, self._options = source, options
        self._left: dict[str, int] = {}
        self._taken = False

    def takes(self, langs: tuple[str, str], line: int | None) -> bool:
        """Tell whether a document in two languages is wanted; note one that is not."""
        asked = (self._options.src_lang, self._options.tgt_lang)
        if all(
            not wanted or not code or finds(wanted, code)
            for wanted, code in zip(asked, langs, strict=True)
        ):
            self._taken = True
            return True
        pair = "-".join(code or "?" for code in langs)
        self._left[pair] = self._left.get(pair, 0) + 1
        self._source.notes.add(
            "documents in other languages than those asked for, left out",
            f"{self._source.path} line {line}: {pair}",
        )
        return False

    def check(self) -> None:
        """Raise an error when no document was wanted, but there were some.

        Raises
        ------
        FormatError
            With the languages that there are.

        """
        if self._left and not self._taken:
            asked = "-".join(
                code or "?" for code in (self._options.src_lang, self._options.tgt_lang)
            )
            pairs = ", ".join(list(self._left)[:10])
            raise self._source.error(
                f"has no document in {asked}, but in {pairs}; ask for one of these "
                f"({remedy('src-lang', 'tgt-lang')})"
            )


class Ids:
    """Notes ids that repeat within a document."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._known: set[str] = set()

    def begin(self) -> None:
        """Begin a document."""
        self._known.clear()

    def see(self, id: str | None, element: Element) -> None:  # noqa: A002 - XLIFF's word
        """Note an id that stood before in the document; after very many ids none is looked at."""
        if id is None:
            return
        if id in self._known:
            kind = "ids that repeat within a document"
            self._source.notes.add(kind, f"{place(self._source, element)}: {id[:40]}")
        elif len(self._known) < _MOST_IDS:
            self._known.add(id)


class Columns(dict[str, str]):
    """Values by the names of columns; a name that is taken gets a number behind it."""

    def __init__(self) -> None:
        super().__init__()
        self._numbers: dict[str, int] = {}

    def put(self, name: str, value: str) -> None:
        """Put a value under its name, or under that with the first free number.

        Examples
        --------
        >>> columns = Columns()
        >>> columns.put("note", "a")
        >>> columns.put("note", "b")
        >>> columns
        {'note': 'a', 'note#2': 'b'}

        """
        free, number = name, self._numbers.get(name, 1)
        while free in self:
            number += 1
            free = f"{name}#{number}"
        self._numbers[name] = number
        self[free] = value


def place(source: Source, element: Element) -> str:
    """Return where an element is, for a note."""
    return f"{source.path} line {line_of(element)}"


def attributes(source: Source, element: Element) -> Iterator[tuple[str, str]]:
    """Yield the attributes of an element, by names with the prefix that the file uses.

    Raises
    ------
    FormatError
        When there are so many that looking at them is slow.

    """
    if len(element.attrib) > _MOST_ATTRIBUTES:
        raise source.error(
            f"element {local_name(element)} has {len(element.attrib)} attributes, more than the "
            f"{_MOST_ATTRIBUTES} that are read; check the file",
            line_of(element),
        )
    prefixes: dict[str, str] | None = None
    for name, value in element.attrib.items():
        uri, brace, local = str(name)[1:].partition("}")
        if not brace:
            yield str(name), str(value)
            continue
        if uri == "http://www.w3.org/XML/1998/namespace":
            yield f"xml:{local}", str(value)
            continue
        if prefixes is None:
            prefixes = _prefixes(source, element)
        yield f"{prefixes.get(uri, '')}:{local}", str(value)


def _prefixes(source: Source, element: Element) -> dict[str, str]:
    """Return the prefixes of the namespaces that are in force."""
    found = {str(uri): str(prefix) for prefix, uri in element.nsmap.items() if prefix}
    if len(found) > _MOST_NAMESPACES:
        raise source.error(
            f"has {len(found)} namespaces in force, more than the {_MOST_NAMESPACES} that are "
            f"read; check the file",
            line_of(element),
        )
    return found
