"""Shared parts of the readers of XLIFF and its kin: units of several segments, and languages.

Within a unit, the target segments may be in another order than the source segments. Then bisegments
cross, because each text is in its own order.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy
from itertools import takewhile
from math import nan
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np

from bitext.errors import remedy
from bitext.formats.beads import Beads
from bitext.formats.io.source import Source
from bitext.formats.languages import Wanted
from bitext.formats.registry import Capabilities, ReadOptions
from bitext.formats.scores import score_of
from bitext.formats.states import (
    STATE_COLUMNS,
    as_drafts,
    is_draft,
    note_draft,
    state_in_columns,
    unknown_state,
    unknown_states,
)
from bitext.formats.xliff.codes import Content, Flow, original_id
from bitext.formats.xliff.fast import SIZE, RegularUnits
from bitext.formats.xml import read_prolog
from bitext.formats.xml.fast import Pieces
from bitext.formats.xml.inline_codes import LOST_ATTRIBUTES, tag, unmatched_halves
from bitext.formats.xml.safe import (
    LOOSE,
    items_of,
    line_of,
    local_name,
    loose_end,
    loose_text,
    text_of,
)
from bitext.kernels.arrays import Rows
from bitext.model import Bitext, Text

if TYPE_CHECKING:
    from lxml.etree import _Element as Element


_XLIFF = "{urn:oasis:names:tc:xliff:document:"  # the beginning of its namespaces, in tags
_MOST_ATTRIBUTES = 256  # of an element; set by hand
_MOST_NAMESPACES = 256  # in force for an element; set by hand
_MOST_NAMES = 1 << 10  # cached names of elements; set by hand
_MOST_IDS = 100_000  # ids recorded of a document, so that memory does not grow with the file


class Row(NamedTuple):
    """A bisegment of a unit."""

    # `src`, `tgt`: the segments, each with its position on its side of the unit.
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
        rows = [self._settled(row) for row in rows]
        # The usual unit has one segment on each side: there is nothing to arrange.
        if len(rows) == 1 and len(rows[0].src) == len(rows[0].tgt) == 1:
            ((_, src),), ((_, tgt),), columns, score = rows[0]
            marked = None
            if src.marked is not None or tgt.marked is not None:
                marked = [src.marked], [tgt.marked]
            self.add([src.plain], [tgt.plain], score, attributes=columns, marked=marked)
            self._ids[0].append(src.id)
            self._ids[1].append(tgt.id)
            return
        begins = [len(side) for side in self._segments]
        for row in rows:
            sides = [[content for _, content in side] for side in (row.src, row.tgt)]
            self.add(
                [content.plain for content in sides[0]],
                [content.plain for content in sides[1]],
                row.score,
                attributes=row.columns,
                marked=(
                    [content.marked for content in sides[0]],
                    [content.marked for content in sides[1]],
                ),
            )
            for ids, contents in zip(self._ids, sides, strict=True):
                ids.extend(content.id for content in contents)
        if len(rows) == 1 and len(rows[0].src) < 2 and len(rows[0].tgt) < 2:
            return
        for side, begin in enumerate(begins):
            moved = (row.tgt if side else row.src for row in rows)
            self._arrange(side, begin, [at for segments in moved for at, _ in segments])

    def extend(self, src: Sequence[str], tgt: Sequence[str], **more: Any) -> None:
        """Add many bisegments at once, as `Beads` does; their segments have no ids."""
        super().extend(src, tgt, **more)
        self._ids[0].extend([""] * len(src))
        self._ids[1].extend([""] * len(tgt))

    def _settled(self, row: Row) -> Row:
        """Return a bisegment with its state; a target that is not a translation becomes a draft."""
        if STATE_COLUMNS.isdisjoint(row.columns):
            return self._approved(row)
        state, word = state_in_columns(row.columns)
        if row.tgt and (unknown := unknown_state(row.columns)):
            self._source.note(unknown_states(), f"{unknown[:40]!r}", line=self.line)
        if not state:
            return self._approved(row)
        columns = {**row.columns, "state": state}
        if not (row.src and row.tgt and is_draft(state)):
            return self._approved(row._replace(columns=columns))
        drafts = as_drafts([(content.plain, content.marked) for _, content in row.tgt])
        if drafts:
            where = f"{self._source.path} line {self.line}"
            note_draft(self._source.notes, word, where, taken=self._options.drafts)
        if self._options.drafts:
            return row._replace(columns=columns)
        return row._replace(tgt=[], columns=columns | drafts)

    def _approved(self, row: Row) -> Row:
        """Note a translation that XLIFF 1 calls not approved."""
        if row.tgt and row.columns.get("approved") == "no":
            way = remedy("where approved!=no")
            kind = f'units that are not approved (approved="no"), read as the others ({way})'
            self._source.note(kind, line=self.line)
        return row

    def _arrange(self, side: int, begin: int, places: list[int]) -> None:
        """Sort the segments from `begin` on by their positions."""
        order = sorted(range(len(places)), key=places.__getitem__)
        if order == list(range(len(places))):
            return
        segments, marked, ids = self._segments[side], self._marked[side], self._ids[side]
        segments[begin:] = [segments[begin + k] for k in order]
        ids[begin:] = [ids[begin + k] for k in order]
        marked_before = {begin + k: marked.pop(begin + k, "") for k in order}
        marked.update(
            (begin + at, marked_before[begin + k])
            for at, k in enumerate(order)
            if marked_before[begin + k]
        )
        moved = [0] * len(order)
        for at, k in enumerate(order):
            moved[k] = at
        self._moved[side].append((begin, moved))

    def _rows(self) -> list[Rows]:
        rows = super()._rows()
        for side, moved in enumerate(self._moved):
            if moved:
                idx = rows[side].idx.copy()
                for begin, places in moved:
                    idx[begin : begin + len(places)] = begin + np.array(places)
                rows[side] = rows[side]._replace(idx=idx)
        return rows

    def _texts(self) -> list[Text]:
        """Return the two texts, with ids where each segment has one of its own."""
        return [
            text.with_ids(ids) if ids and all(ids) and len({*ids}) == len(ids) else text
            for text, ids in zip(super()._texts(), self._ids, strict=True)
        ]


class SeenIds:
    """Notes repeated ids within a document."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._known: set[str] = set()

    def begin(self) -> None:
        """Begin a document."""
        self._known.clear()

    def see(self, id: str | None, line: int) -> None:  # noqa: A002 - XLIFF's word
        """Note a repeated id; after very many ids, no further id is recorded."""
        if id is None:
            return
        if id in self._known:
            self._source.note("ids that repeat within a document", id[:40], line=line)
        elif len(self._known) < _MOST_IDS:
            self._known.add(id)

    def see_all(self, ids: Sequence[str | None], lines: Sequence[int]) -> None:
        """Note the repeated ids of units on some lines."""
        new = {*ids}
        room = len(self._known) + len(new) <= _MOST_IDS
        if room and len(new) == len(ids) and None not in new and self._known.isdisjoint(new):
            self._known.update(filter(None, new))
            return
        for id, line in zip(ids, lines, strict=True):  # noqa: A001 - XLIFF's word
            self.see(id, line)


class Kinds(dict[str, str]):
    """The local names of elements by their full names; `:` precedes those of other namespaces."""

    def __init__(self, namespace: str) -> None:
        super().__init__()
        self._namespace = namespace

    def __missing__(self, tag: str) -> str:
        if len(self) > _MOST_NAMES:  # a file may invent any number of namespaces
            self.clear()
        namespace, _, name = tag.rpartition("}")
        self[tag] = name if namespace == self._namespace else f":{name}"
        return self[tag]


class Columns(dict[str, str]):
    """Values by the names of columns; a repeated name gets a number."""

    _numbers: dict[str, int] | None = None  # of the names that repeat

    def put(self, name: str, value: str) -> None:
        """Set a column; a repeated name gets the first free number.

        Examples
        --------
        >>> columns = Columns()
        >>> columns.put("note", "a")
        >>> columns.put("note", "b")
        >>> columns
        {'note': 'a', 'note#2': 'b'}

        """
        if name not in self:
            self[name] = value
            return
        if self._numbers is None:
            self._numbers = {}
        number = self._numbers.get(name, 1)
        free = name
        while free in self:
            number += 1
            free = f"{name}#{number}"
        self._numbers[name] = number
        self[free] = value


SCORE = "\0score"  # the key of the score among columns; no name of one has NUL
ALL, FIRST = -1, 0  # keys of columns in a unit; other keys are numbers of bisegments, from 1


def values_of(
    columns: Mapping[int, Mapping[str, str]], numbers: Iterable[int]
) -> tuple[dict[str, str], float]:
    """Return the columns of a bisegment, those of some keys after those of all, and the score."""
    values = dict(columns[ALL])
    for number in numbers:
        values.update(columns.get(number, ()))
    score = score_of(values.pop(SCORE, ""))
    return values, nan if score is None else score


def note_at(
    source: Source, element: Element, kind: str, case: object = None, *, count: int = 1
) -> None:
    """Note an irregularity of an element by its kind, with its place and its case."""
    source.note(kind, case, line=line_in_file(source, element), count=count)


def line_in_file(source: Source, element: Element) -> int:
    """Return the line of the file on which an element begins."""
    return (line_of(element) or 0) + source.lines_before


# The prefixes by which columns with states, and others, are known. Programs that rewrite XML give
# others (`ns0`).
_USUAL_PREFIXES = {
    "MQXliff": "mq",
    "http://www.memsource.com/mxlf/1.0": "m",
    "http://www.memsource.com/mxlf/2.0": "m",
    "http://sdl.com/FileTypes/SdlXliff/1.0": "sdl",
    "okapi-framework:xliff-extensions": "okp",
}


def attributes(source: Source, element: Element) -> list[tuple[str, str]]:
    """Return the attributes of an element, with the usual prefixes, or those of the file.

    Raises `FormatError` when there are too many attributes to list.
    """
    pairs = items_of(element)
    if len(pairs) > _MOST_ATTRIBUTES:
        raise source.error(
            f"element {local_name(element)} has {len(pairs)} attributes, more than the "
            f"{_MOST_ATTRIBUTES} that are read; check the file",
            line_in_file(source, element),
        )
    if "{" not in "".join([name[0] for name, _ in pairs]):
        return pairs
    prefixes: dict[str, str] | None = None
    named = []
    for name, value in pairs:
        uri, brace, local = name[1:].partition("}")
        if not brace:
            named.append((name, value))
        elif uri == "http://www.w3.org/XML/1998/namespace":
            named.append((f"xml:{local}", value))
        else:
            prefixes = _prefixes(source, element) if prefixes is None else prefixes
            named.append((f"{prefixes.get(uri, '')}:{local}", value))
    return named


def _prefixes(source: Source, element: Element) -> dict[str, str]:
    prefixes = {str(uri): str(prefix) for prefix, uri in element.nsmap.items() if prefix}
    if len(prefixes) > _MOST_NAMESPACES:
        raise source.error(
            f"has {len(prefixes)} namespaces in force, more than the {_MOST_NAMESPACES} that are "
            f"read; check the file",
            line_in_file(source, element),
        )
    return prefixes | _USUAL_PREFIXES


# Notes on elements and attributes without a column.
#
# A unit, its notes, contexts and metadata become columns. Everything else is left out and counted
# here, except the borders of groups, whose units are read like the units around.

AROUND = "headers, notes and modules of documents and groups, left out"
CODES_OUTSIDE = "inline codes outside of segments, left out"
_USUAL = ("datatype", "plaintext")  # what writers use as a default
_SPACE = {"xml:space", "xml:lang"}


def note_around(source: Source, children: Iterable[Element], units: Collection[str]) -> None:
    """Note the children of a document or a group that are not units, unless empty."""
    for child in children:
        if local_name(child) in units:
            continue
        if len(child) or str(child.text or "").strip():
            note_at(source, child, AROUND, local_name(child)[:40])


def note_extension(source: Source, child: Element) -> None:
    """Note an element of another namespace, or without a meaning, in a unit."""
    note_at(source, child, "modules and extensions in units, left out", local_name(child)[:40])


def refuse_nested(source: Source, unit: Element, others: list[tuple[str, Element]]) -> bool:
    """Refuse a unit with a unit in it, as missing tags make it; return whether it is one.

    `others` are the children of the unit without texts, with their names.
    """
    name = local_name(unit)
    inner = next((child for kind, child in others if kind == name), None)
    if inner is not None:
        line = line_in_file(source, inner)
        source.refuse(f"has a {name} within a {name}; correct the tags between", line)
    return inner is not None


def unit_columns(source: Source, unit: Element, left_out: Collection[str]) -> dict[str, str]:
    """Return the columns of the attributes of a unit: its own `id`, and the others."""
    return {
        name: value
        for name, value in attributes(source, unit)
        if (original_id(value)[1] if name == "id" else name not in left_out)
    }


def put_note(source: Source, note: Element, columns: Columns, about: str, what: str) -> None:
    """Put a note into the column of the side that the attribute `about` names."""
    side = {"source": "src.note", "target": "tgt.note"}.get(note.get(about, ""), "note")
    note_attributes(source, note, what, {about})
    columns.put(side, text_of(note))


def note_kept(source: Source, unit: Element) -> None:
    """Note a unit that is not to be translated, although it may have a target."""
    way = remedy("where translate!=no")
    kind = f'units that are not to be translated (translate="no"), read as the others ({way})'
    note_at(source, unit, kind)


def note_attributes(source: Source, element: Element, what: str, known: Collection[str]) -> None:
    """Note the attributes of an element, except the known ones."""
    names = element.keys()
    if not names or (len(names) == 1 and names[0] in known):
        return
    for name, value in attributes(source, element):
        if name not in known and (name, value) != _USUAL and name not in _SPACE:
            note_at(source, element, f"attributes of {what}, left out", name[:40])


def note_codes(
    source: Source, side: Element, known: Callable[[Element], Collection[str] | None]
) -> None:
    """Note the attributes of the codes of a side that are left out.

    `known` returns the attributes of an element that are kept; `None` for an element that is kept
    whole, or that our writer made.
    """
    for element in side.iterdescendants():
        expected = known(element)
        if expected is None or not element.attrib:
            continue
        for name, _ in attributes(source, element):
            if name not in expected:
                note_at(source, element, LOST_ATTRIBUTES, f"{local_name(element)[:40]} {name[:40]}")


def native_tag(source: Source, element: Element, *, empty: bool) -> str:
    """Return the start tag of an element that becomes a code, with all attributes."""
    values = dict(attributes(source, element))
    namespace = str(element.tag).rpartition("}")[0]
    parent = element.getparent()
    if namespace and (parent is None or not str(parent.tag).startswith(f"{namespace}}}")):
        values = {"xmlns": namespace[1:], **values}
    return tag(local_name(element), values, empty=empty)


class SideReader:
    """Reads the segments of a side of a unit; subclasses read the elements of a version.

    `border` and `none` are the types of the marks of our writer: of a segment of several, and of no
    segment.
    """

    border = none = ""

    def __init__(self, source: Source, element: Element) -> None:
        self._source, self._element = source, element
        self._flows: list[Flow] = []  # open flows; the last is the current segment
        self._held: list[Content] | None = None  # segments of our writer within the part
        self._kinds: list[str] = []  # types of the open mrk elements
        self._pairs: list[object | None] = []  # keys of the open elements that are pairs of codes

    def _note(self, kind: str, *, count: int = 1) -> None:
        note_at(self._source, self._element, kind, count=count)

    def _finished(self, flow: Flow) -> Content:
        if flow.codes:
            self._note("segments with inline codes, which are not text")
        if flow.subs:
            kind = "texts within inline codes (sub), left out of the text of their segments"
            self._note(kind, count=flow.subs)
        return flow.content()

    def _begin_mark(self, kind: str, id: str | None, shown: str) -> str:  # noqa: A002
        """Begin a mark that is not native code; return its kind, `hi` for an annotation."""
        if kind == self.border and len(self._flows) == 1:
            self._flows.append(Flow())
        elif kind == self.none:
            self._held = self._held or []
        else:
            self._flows[-1].annotate(id, shown)
            return "hi"
        return kind

    def _end_mark(self, kind: str, id: str) -> None:  # noqa: A002 - XLIFF's word
        if kind == self.border:
            content = self._finished(self._flows.pop())
            self._held = [*(self._held or []), content._replace(id=id)]
        elif kind == "hi":
            self._flows[-1].end_annotation()

    def _foreign(self, event: str, element: Element, kind: str = "") -> None:
        """Add an element outside of XLIFF as a code with its tags."""
        flow, name = self._flows[-1], local_name(element)
        empty = not len(element) and not element.text
        if event == "end" and empty:
            return
        flow.enter()
        if event == "end":
            flow.text(f"</{name}>")
            flow.closing(self._pairs.pop(), None)
            return
        outside = "elements that XLIFF does not have, kept as codes with their tags"
        note_at(self._source, element, outside, name[:40])
        flow.text(native_tag(self._source, element, empty=empty))
        if empty:
            flow.alone(None, "")
        else:
            self._pairs.append(object())
            flow.opening(self._pairs[-1], None, kind)


# The documents of an XLIFF file of any version: one bitext for each `file`, in parts if wanted.

XML_LANG = "{http://www.w3.org/XML/1998/namespace}lang"
_VERSION = re.compile(r"(?<![\w:.-])version\s*=\s*[\"'](\d{1,4})")


def sniff_version(head: bytes) -> int:
    """Return the major version of an XLIFF file; 0 for anything else."""
    if b"xliff" not in head.replace(b"\0", b""):
        return 0
    prolog = read_prolog(head)
    if prolog.name != "xliff":
        return 0
    match = _VERSION.search(prolog.attributes)
    if match:
        return int(match[1])
    return 2 if "srcLang" in prolog.attributes else 1


# Capabilities of both versions; XLIFF 2 also keeps characters that XML forbids (`cp`).
KEEPS = Capabilities.of(
    "texts borders empty_sides empty_segments crossings scores attributes times documents "
    "languages other_languages markup words breaks",
    names=frozenset({"src_doc", "name"}),
)


class Documents(ABC):
    """Makes bitexts from the elements of a file; subclasses handle a version each."""

    units = ""  # the name of the elements with the texts
    holders: tuple[str, ...] = ()  # the elements around units, within a document, and the units
    of_file: tuple[str, ...] = ()  # attributes of a document that are read, or have no meaning
    passed: tuple[str, ...] = ()  # the elements that are skipped, and may be large
    closing = b"</file></xliff>"  # the end tags after the units of the only document
    version = ""  # the major version
    other = ""  # the format of other versions

    def __init__(self, source: Source, options: ReadOptions) -> None:
        self.source, self.options = source, options
        self.ids = SeenIds(source)
        self.translate: list[bool] = []  # of the file and of the open groups
        self._wanted = Wanted(source, options.languages)
        self._beads: UnitBeads | None = None
        self._done: UnitBeads | None = (
            None  # a complete document, held back for notes on following elements
        )
        self._namespace: str | None = None
        self._unit = ""  # the full name of units
        self.kinds = Kinds("")  # the names of elements, once the root was seen
        self._any = False
        # Documents by name and languages, with the last number of each; the name of the last one
        self._names = Counter[tuple[str, tuple[str, str]]]()
        self._name = ""
        self._opened: Element | None = None  # a document that the parser gets again

    def root(self, element: Element) -> None:
        """Check the root element."""
        version = str(element.get("version", self.version))
        if not version.startswith(self.version):
            raise self.source.error(
                f"is XLIFF {version[:20]!r}, not {self.version}.x; read it as another format "
                f"({remedy(f'from {self.other}')})",
                line_in_file(self.source, element),
            )

    @abstractmethod
    def languages(self, file: Element) -> tuple[str, str]:
        """Return the languages of a document."""

    @abstractmethod
    def name(self, file: Element) -> str:
        """Return the name of a document."""

    @abstractmethod
    def unit(self, unit: Element, beads: UnitBeads) -> None:
        """Add the bisegments of a unit."""

    def read(self) -> Iterator[Bitext]:
        """Yield the bitexts.

        Raises `FormatError` when the file is not XLIFF of this version, or has no document, or none
        in the wanted languages.
        """
        pieces = Pieces(self.source, f"</{self.units}>".encode(), size=SIZE)
        regular = RegularUnits(self, pieces)
        again = 0  # start tags that the parser gets again
        if not pieces.are_few and regular.open():  # the layouts of a small file do not pay
            for element in regular.opened:
                yield from self._take("start", element)
            again, self._opened = len(regular.opened), regular.opened[-1]
            yield from self._read_pieces(pieces, regular)
        if regular.ended and pieces.regular:
            file, self._opened = regular.opened[-1], None
            yield from self._take("end", file)
        else:
            yield from self._read_rest(pieces, again)
        if self._namespace is None:
            raise self.source.error("has no root element xliff; give an XLIFF file")
        if not self._any:
            raise self.source.error("has no file element, so no document; check the file")
        self._wanted.check()
        yield from self._waiting()

    def _read_pieces(self, pieces: Pieces, regular: RegularUnits) -> Iterator[Bitext]:
        """Yield the bitexts of regular pieces, up to a piece that the parser has to read."""
        if self._beads is None:
            return
        for piece in pieces:
            if not (yield from regular.take(piece, self._beads)):
                return

    def _read_rest(self, pieces: Pieces, again: int) -> Iterator[Bitext]:
        """Yield the bitexts of the rest of a file, by the parser."""
        events = pieces.rest(
            start=("xliff", "file", "group"), end=("file", "group", self.units, *self.passed)
        )
        self.source.lines_before = pieces.lines_skipped if again else 0
        for event, element, _ in events:
            if event == "end" and element.tag == self._unit:
                if self._beads is not None:
                    yield from self.read_unit(element)
            elif event == "start" and again:
                again -= 1
            else:
                yield from self._take(event, element)

    def read_unit(self, unit: Element) -> Iterator[Bitext]:
        """Add a unit of the document with its id; yield a part that it completes."""
        if self._beads is not None:
            self._beads.line = line_in_file(self.source, unit)
            self._note_loose_text(unit)
            self.ids.see(unit.get("id"), self._beads.line)
            self.unit(unit, self._beads)
            yield from self._beads.parts()

    def see_ids(self, ids: Sequence[str | None], lines: Sequence[int]) -> None:
        """Note the repeated ids of units on some lines."""
        self.ids.see_all(ids, lines)

    def apart(self, source: Source) -> Self:
        """Return a reader of the same document that has read no unit, with another source."""
        apart = copy(self)
        apart.source = source
        return apart

    @abstractmethod
    def repeat(self, learnt: Self, count: int, line: int) -> None:
        """Repeat the effects of reading a unit for others of its layout, the first on that line."""

    def _waiting(self) -> Iterator[Bitext]:
        if self._done is not None:
            yield from self._done.rest()
        self._done = None

    def _take(self, event: str, element: Element) -> Iterator[Bitext]:
        name = local_name(element)
        namespace = str(element.tag).rpartition("}")[0]
        if self._namespace is None:
            if name != "xliff":
                raise self.source.error("has no root element xliff; give an XLIFF file")
            self._namespace = namespace
            self._unit = f"{namespace}}}{self.units}" if namespace else self.units
            self.kinds = Kinds(namespace)
            self.root(element)
        elif namespace != self._namespace:
            if not namespace or namespace.startswith(_XLIFF):  # else an extension of a program
                self._note_foreign(event, name, element)
        elif event == "start" and name == "file":
            yield from self._begin(element)
        elif event == "start":
            self._begin_group(element)
        elif name in {"file", "group"}:
            self._end(name, element)
        elif self._beads is None:
            return
        elif name == "bin-unit":
            note_at(self.source, element, "binary units, left out")

    def _note_foreign(self, event: str, name: str, element: Element) -> None:
        """Note a document, a group or a unit without a namespace, or of another XLIFF."""
        around = str(next(element.iterancestors(), element).tag).rpartition("}")[0]
        if event == "end" and name not in self.passed and around == self._namespace:
            kind = "elements of another namespace than the root, left out with their units"
            note_at(self.source, element, kind, name)

    def _begin(self, file: Element) -> Iterator[Bitext]:
        self._any = True
        self.ids.begin()
        self.translate = [file.get("translate") != "no"]
        langs = self.languages(file)
        if not self._wanted.takes(langs, line_in_file(self.source, file)):
            return
        alone = self._done is None
        if self._done is not None:  # documents of a file of several have their own names
            self._done.name = self._name or self._done.name
        yield from self._waiting()
        self._beads = UnitBeads(self.source, self.options, langs=langs)
        note_attributes(self.source, file, "documents", self.of_file)
        others = file.itersiblings("*", preceding=True)
        before = takewhile(lambda element: local_name(element) != "file", others)
        note_around(self.source, before, self.holders)
        name = self._name = self.name(file)
        if name:
            self._beads.meta["src_doc"] = name
            # Documents of other languages are joined by names.
            if (name, langs) in self._names:
                note_at(self.source, file, "documents of one name, which are numbered", name[:60])
            while (self._name, langs) in self._names:
                self._names[name, langs] += 1
                self._name = f"{name} ({self._names[name, langs]})"
            self._names[self._name, langs] = 1
            self._beads.name = (alone and self.options.name) or self._name

    def _begin_group(self, group: Element) -> None:
        if local_name(group) == "group":
            self.translate.append(self.translates(group))
            if self._beads is not None:
                self._note_loose_text(group)
                note_attributes(self.source, group, "groups", ("id", "translate"))

    def _end(self, name: str, element: Element) -> None:
        if self._beads is not None:
            self._note_around(element)
        if name == "group":
            self.translate.pop()
        elif self._beads is not None:
            self._beads, self._done = None, self._beads

    def _note_loose_text(self, element: Element) -> None:
        """Note text before a unit or a group."""
        if text := loose_text(element):
            note_at(self.source, element, LOOSE, text[:40])

    def _note_around(self, holder: Element) -> None:
        children = list(holder)
        if self._opened is not None and local_name(holder) == "file":
            # What the parser got again is on the lines where it was at first.
            before, self.source.lines_before = self.source.lines_before, 0
            note_around(self.source, self._opened, self.holders)
            self.source.lines_before = before
            del children[: len(self._opened)]
            self._opened = None
        note_around(self.source, children, self.holders)
        for around in (holder, *(child for child in holder if local_name(child) == "body")):
            if text := loose_end(around):
                self.source.note(LOOSE, text[:40])

    def translates(self, element: Element) -> bool:
        """Check whether a group or a unit is to be translated, by itself or by those around."""
        own = element.get("translate")
        if own is not None:
            return own != "no"
        return self.translate[-1] if self.translate else True


# Codes of XLIFF that begin or end a pair, and lack the other half in their unit.
#
# XLIFF 1 joins `bpt` and `ept`, `bx` and `ex` by `rid`, or by `id` where they have none. XLIFF 2
# joins `sc` and `ec`, `sm` and `em` by `startRef`; a lone half has `isolated="yes"`, and ids are
# unique on a side. The halves may be in two segments of the unit, in any order.

_LONE = "codes that begin or end a pair without the other half in their unit"
_AGAIN = "codes that begin a pair as another one in their unit does"
_IDS1 = "ids of codes that repeat in the source of a unit"
_IDS2 = "ids of codes that repeat in a unit"
_BEGINS = {"bpt", "bx", "sc", "sm"}
_FAMILIES = {"bx": "x", "ex": "x", "bpt": "pt", "ept": "pt"}
_HALVES2 = {"sc": "c", "ec": "c", "sm": "m", "em": "m"}
_WITH_IDS2 = {"ph", "pc", "sc", "sm", "mrk"}


def pair_key(element: Element) -> tuple[str, str]:
    """Return the key that the two halves of a pair of XLIFF 1 share."""
    family = _FAMILIES.get(local_name(element), "pt")
    for name in ("rid", "id", "i"):
        value = element.get(name)
        if value is not None:
            return family, str(value)
    return family, ""


def note_pairs1(source: Source, side: Element) -> None:
    """Note the codes of a side of a unit of XLIFF 1 that lack the other half."""
    halves = [
        (element, " ".join(pair_key(element)))
        for element in side.iterdescendants()
        if local_name(element) in _FAMILIES
    ]
    _note(source, halves)


def note_ids(source: Source, side: Element) -> None:
    """Note the codes of the source of a unit of XLIFF 1 with a repeated id.

    A target may repeat ids, because it can have a code of the source more than once.
    """
    codes = [element for element in side.iterdescendants() if local_name(element) in {"g", "x"}]
    _note_again(source, codes, _IDS1)


def note_pairs2(source: Source, sides: Iterable[Element]) -> None:
    """Note the codes of a side of a unit of XLIFF 2 that lack the other half, part by part."""
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
    # Beginnings of pairs first: in a target, segments may be in another order.
    halves.sort(key=lambda half: local_name(half[0]) not in _BEGINS)
    lone, more = unmatched_halves((local_name(code) in _BEGINS, key) for code, key in halves)
    for kind, places in ((_LONE, lone), (_AGAIN, more if again else [])):
        for k in places:
            code, key = halves[k]
            case = f"{local_name(code)} {key.partition(' ')[2][:20]!r}"
            note_at(source, code, kind, case)


def _note_again(source: Source, codes: list[Element], kind: str) -> None:
    seen: set[str] = set()
    for code in codes:
        name = str(code.get("id", ""))
        if name and name in seen:
            note_at(source, code, kind, f"{local_name(code)} {name[:20]!r}")
        seen.add(name)
