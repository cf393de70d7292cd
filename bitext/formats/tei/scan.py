"""Reading a TEI file: its elements that can be segments, its text, and its links."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bitext.formats.beads import AttributeColumns
from bitext.formats.opus_documents.reading import INLINE, tidy
from bitext.formats.xml.inline_codes import LOST_ELEMENTS
from bitext.formats.xml.safe import line_of, local_name
from bitext.formats.xml.syntax import read_prolog

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Protocol

    from lxml.etree import _Element as Element
    from numpy.typing import NDArray

    from bitext.formats.io.source import Source
    from bitext.formats.xml.fast import Pieces

    class Given(Protocol):
        """Attributes by name: a dict, or an element; one with very many is slow to list."""

        def get(self, key: str, /) -> str | None:
            """Return the value of an attribute."""

        def items(self) -> Iterable[tuple[str | bytes, str | bytes]]:
            """Return all names and values."""


__all__ = [
    "UNITS",
    "XML",
    "Context",
    "Group",
    "Link",
    "Links",
    "Place",
    "Places",
    "Scan",
    "Scanner",
    "walk",
]


# Groups of links of a TEI file, as columns.


class Link(NamedTuple):
    """A link: its pointers as written, its other attributes, its line, the `xml:base` in force."""

    targets: str
    attributes: dict[str, str]
    line: int
    base: str


@dataclass(slots=True)
class Links:
    """Links in their order.

    Attributes
    ----------
    targets : list of str
        Their pointers as written.
    lines : array
        The line of each.
    columns : AttributeColumns
        Their other attributes by name.

    """

    columns: AttributeColumns
    targets: list[str] = field(default_factory=list)
    lines: array[int] = field(default_factory=lambda: array("q"))
    _bases: list[str] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.targets)

    def add(self, targets: str, attributes: Mapping[str, str], line: int, base: str) -> None:
        """Add a link."""
        k = len(self.targets)
        self.targets.append(targets)
        self.lines.append(line)
        self._bases.append(base)
        self.columns.put(k, attributes, line)

    def extend(
        self,
        targets: Sequence[str],
        columns: Mapping[str, Sequence[str | None]],
        lines: Sequence[int],
        base: str,
    ) -> None:
        """Add many links."""
        size = len(self.targets)
        self.targets.extend(targets)
        self.lines.extend(lines)
        self._bases.extend([base] * len(targets))
        self.columns.extend(size, columns, lines[0] if lines else None)

    def put(self, k: int, name: str, value: str) -> None:
        """Give a link one more attribute."""
        self.columns.put(k, {name: value})

    def __iter__(self) -> Iterator[Link]:
        given = self.columns.rows(len(self))
        for each in zip(self.targets, given, self.lines, self._bases, strict=True):
            yield Link(*each)


@dataclass(slots=True)
class Group:
    """Links that stand together; `attributes` are those of the linkGrp, empty for loose links."""

    attributes: dict[str, str]
    line: int
    base: str
    links: Links


# What is known of a TEI file that was read: its elements, its text, its links.
#
# Elements are columns, not objects: a corpus has millions of them, and most are looked at by the
# column. A `Place` is a view of one.

UNITS = {"s", "seg", "ab", "p", "l", "u", "head", "anchor"}  # what segments mostly are


class Context(NamedTuple):
    """What many elements have in common.

    Attributes
    ----------
    name, lang : str
        The local name, and the language in force, empty where not told.
    home : int
        The `order` of the document that they lie in: a TEI, or a text of a group; 0 for the file.
    shown : bool
        Whether they are of the running text: not in a header, and not in a note.
    kept : bool
        Whether their white space is text as it stands.
    base : str
        The `xml:base` in force.

    """

    name: str
    lang: str
    home: int
    shown: bool
    kept: bool
    base: str


class Place:
    """An element that can be a segment, or can hold segments.

    Attributes
    ----------
    k : int
        Its index among the places of the file.
    order, last : int
        Its number among all elements, and that of the last one inside it.
    id, line : str, int
        Its identifier, and where it begins.
    corresp, prev, next, part : str
        Its attributes of these names.

    """

    __slots__ = ("_all", "k")

    def __init__(self, places: Places, k: int) -> None:
        self._all, self.k = places, k

    @property
    def context(self) -> Context:
        """What it has in common with others."""
        return self._all.contexts[self._all.context[self.k]]

    @property
    def name(self) -> str:
        """Its local name."""
        return self.context.name

    @property
    def id(self) -> str:
        """Its identifier; an element that can be a segment and has none is named by its place."""
        return self._all.ids[self.k]

    @property
    def order(self) -> int:
        """Its number among all elements."""
        return self._all.orders[self.k]

    @property
    def last(self) -> int:
        """The number of the last element inside it."""
        return self._all.lasts[self.k]

    @property
    def line(self) -> int:
        """The line on which it begins."""
        return self._all.lines[self.k]

    def attribute(self, name: str) -> str:
        """Return one of its attributes; empty where it has none such."""
        return self._all.attributes.get(self.k, {}).get(name, "")


@dataclass(slots=True)
class Places:
    """The elements of a file that can be segments, or can hold some, in the order of the file.

    Attributes
    ----------
    ids : list of str
        The identifiers; those of elements that can be segments and have none are like `s[3]`.
    made : set of int
        Which are so named.
    orders, lasts : array
        The number of each among all elements, and that of the last one inside it.
    begins, ends : array
        Its span of the text of the file.
    lines : array
        The line on which it begins.
    paragraphs : array
        The `order` of the p around it; -1 for none.
    context : array
        Which of `contexts` it has.
    attributes : dict
        `n`, `corresp`, `prev`, `next` and `part` of those that have any.

    """

    ids: list[str] = field(default_factory=list)
    orders: array[int] = field(default_factory=lambda: array("q"))
    lasts: array[int] = field(default_factory=lambda: array("q"))
    begins: array[int] = field(default_factory=lambda: array("q"))
    ends: array[int] = field(default_factory=lambda: array("q"))
    lines: array[int] = field(default_factory=lambda: array("q"))
    paragraphs: array[int] = field(default_factory=lambda: array("q"))
    context: array[int] = field(default_factory=lambda: array("q"))
    contexts: list[Context] = field(default_factory=list)
    attributes: dict[int, dict[str, str]] = field(default_factory=dict)
    made: set[int] = field(default_factory=set)
    _known: dict[Context, int] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.ids)

    def __getitem__(self, k: int) -> Place:
        return Place(self, k)

    def common(self, context: Context) -> int:
        """Return the number of a context."""
        k = self._known.setdefault(context, len(self.contexts))
        if k == len(self.contexts):
            self.contexts.append(context)
        return k

    def add(self, name: str, order: int, at: int, line: int, paragraph: int, context: int) -> int:
        """Add an element that begins; return its index."""
        self.ids.append(name)
        self.orders.append(order)
        self.lasts.append(0)
        self.begins.append(at)
        self.ends.append(0)
        self.lines.append(line)
        self.paragraphs.append(paragraph)
        self.context.append(context)
        return len(self.ids) - 1

    def named(self, names: set[str]) -> NDArray[np.bool_]:
        """Tell of each place whether its name is one of these."""
        fits = np.array([context.name in names for context in self.contexts], dtype=bool)
        return fits[np.asarray(self.context)] if len(self) else np.zeros(0, dtype=bool)


@dataclass(slots=True)
class Scan:
    """A whole file.

    Attributes
    ----------
    places : Places
        Its elements.
    by_id : dict
        The indices of those with an identifier; the first where it is repeated.
    repeated : dict
        The line of the second element of each identifier that is repeated.
    groups : list of Group
        The groups of links, in order; loose links are a group, the last.
    has_units : bool
        Whether there are elements that can be segments.
    columns : list of (type, name, pointer, value)
        What `span` elements say of links.
    old : bool
        Whether the file is P4, where pointers are names without `#`.
    base : str
        The `xml:base` of the root.
    line : str
        Its text.

    """

    old: bool
    base: str = ""
    places: Places = field(default_factory=Places)
    by_id: dict[str, int] = field(default_factory=dict)
    repeated: dict[str, int] = field(default_factory=dict)
    groups: list[Group] = field(default_factory=list)
    columns: list[tuple[str, str, str, str]] = field(default_factory=list)
    has_units: bool = False
    line: str = ""
    aside_order: array[int] = field(default_factory=lambda: array("q"))
    aside_span: list[tuple[int, int]] = field(default_factory=list)

    def named(self, name: str) -> Place | None:
        """Return the element of that identifier."""
        k = self.by_id.get(name)
        return None if k is None else self.places[k]

    def at(self, order: int) -> Place | None:
        """Return the element of that number, if it is one that is kept."""
        k = bisect_left(self.places.orders, order)
        there = k < len(self.places) and self.places.orders[k] == order
        return self.places[k] if there else None

    def text(self, k: int) -> tuple[str, int]:
        """Return the text of an element, and how many elements in it are not of its text."""
        places = self.places
        kept = places.contexts[places.context[k]].kept
        if not self.aside_order:
            text = self.line[places.begins[k] : places.ends[k]]
            return text if kept else tidy(text), 0
        first = bisect_right(self.aside_order, places.orders[k])
        past = bisect_right(self.aside_order, places.lasts[k])
        pieces, at = [], places.begins[k]
        for begin, end in self.aside_span[first:past]:
            pieces.append(self.line[at:begin])
            at = end
        pieces.append(self.line[at : places.ends[k]])
        text = "".join(pieces)
        return text if kept else tidy(text), past - first

    def texts(self, indices: Sequence[int]) -> list[str] | None:
        """Return the texts of many elements, `None` where a look at each one is needed."""
        if self.aside_order:
            return None
        line, places = self.line, self.places
        begins, ends, context = places.begins, places.ends, places.context
        kept = [each.kept for each in places.contexts]
        return [
            line[begins[k] : ends[k]] if kept[context[k]] else tidy(line[begins[k] : ends[k]])
            for k in indices
        ]


XML = "{http://www.w3.org/XML/1998/namespace}"
_ID, _LANG, _BASE, _SPACE = f"{XML}id", f"{XML}lang", f"{XML}base", f"{XML}space"
_HOMES = {"TEI", "TEI.2"}
_ASIDE = {"note", "fw", "rdg", "del", "figDesc"}  # not of the text that they stand in
_ORIGINAL = {"sic", "orig", "abbr"}  # of a choice, where what the editor reads is the text
_MUTED = {"teiHeader", "standOff", "linkGrp", "spanGrp"}
_TOKENS = {"w", "pc"}
_BREAKS = {"lb", "pb", "cb", "gb"}
_BLANKS = " \t\r\n"
_PRIVATE = {"attribute", "score"}  # the types of spanGrp that hold columns of links
_POINTING = ("corresp", "prev", "next", "part")


class Scanner:
    """Takes the elements of a file one by one, in its order."""

    def __init__(self, source: Source) -> None:
        prolog = read_prolog(source.head())
        self._source, self.found = source, Scan(old="www.tei-c.org" not in prolog.attributes)
        self._places = self.found.places
        self._stack: list[tuple[int, Given, int, str, str, int, int, bool, bool]] = []
        self._lang, self._base, self._home, self._paragraph = "", "", 0, -1
        self._shown, self._kept = True, False
        self.names: list[str] = []  # of the elements that are open
        self._order = -1
        self._pieces: list[str] = []
        self._at = 0
        self._segments = 0  # depth inside of what segments mostly are
        self._muted = 0  # depth inside of what has no text: headers, links
        self._aside = 0  # depth inside of what is not of the text around it
        self._aside_from = 0
        self._anchors: list[tuple[int, int]] = []  # with the depth of the element around
        self._after: str | None = None  # the join of the token before, if white space only follows
        self._blank: list[str] = []
        self._groups: list[Group] = []
        self._loose: Group | None = None
        self._span: tuple[str, str] | None = None
        self._values: list[list[str]] = []  # the texts of the spans that are open

    def start(self, name: str, given: Given, line: int) -> None:
        """Take the start of an element: its local name, its attributes, its line."""
        self._order += 1
        self.names.append(name)
        if name in _TOKENS:
            self._begin_token(name, given)
        else:
            self._flush()
        state = (self._lang, self._base, self._home, self._paragraph, self._shown, self._kept)
        self._inherit(given)
        place = self._place(name, given, line)
        self._stack.append((place, given, line, *state))
        self._enter(name, given, line)
        if name in INLINE and self._segments and not (self._muted or self._aside):
            self._source.notes.add(LOST_ELEMENTS, f"{self._source.path} line {line}: {name}")
        self._segments += name in UNITS
        if name == "p":
            self._paragraph = self._order
        if place >= 0 and name == "anchor":
            self._anchors.append((len(self.names) - 1, place))

    def _inherit(self, given: Given) -> None:
        lang = given.get(_LANG)
        if lang is None and self.found.old:
            lang = given.get("lang")
        if lang is not None:
            self._lang = str(lang)
        base = given.get(_BASE)
        if base is not None:
            from urllib.parse import urljoin

            self._base = urljoin(self._base, str(base))
            if not self._order:
                self.found.base = self._base
        space = given.get(_SPACE)
        if space is not None:
            self._kept = space == "preserve"

    def _place(self, name: str, given: Given, line: int) -> int:
        """Keep an element that can be a segment or hold some; return its index, -1 for others."""
        own = given.get(_ID) or (given.get("id") if self.found.old else None) or ""
        parent = self.names[-2] if len(self.names) > 1 else ""
        if name in _HOMES or (name == "text" and parent == "group"):
            self._home = self._order
        elif not own and name not in UNITS:
            return -1
        if name == "anchor":
            self._end_anchors(len(self.names) - 1)
        context = self._context(name)
        place = self._places.add(
            str(own), self._order, self._at, line, self._paragraph, self._places.common(context)
        )
        keys = ("n", *_POINTING) if name in UNITS else ("n",) if name != "link" else ()
        values = {key: str(value) for key in keys if (value := given.get(key)) is not None}
        if values:
            self._places.attributes[place] = values
        self.found.has_units |= self._shown and name in UNITS
        if own:
            first = self.found.by_id.setdefault(str(own), place)
            if first != place:
                if given.get(_ID):  # one beyond the sight of the parser that would tell
                    raise self._source.error(
                        f"is not well-formed XML: ID {own} already defined; give each element an "
                        f"xml:id of its own",
                        line,
                    )
                self.found.repeated.setdefault(str(own), line)
        return place

    def _context(self, name: str, *, kept: bool = False) -> Context:
        preserved = self._kept or kept
        return Context(name, self._lang, self._home, self._shown, preserved, self._base)

    def _enter(self, name: str, given: Given, line: int) -> None:
        """Take what begins beside a place: what has no text, groups, breaks."""
        if name in _MUTED:
            self._muted += 1
            self._shown = False
        if name in _ASIDE or (name in _ORIGINAL and self.names[-2:-1] == ["choice"]):
            if not self._aside:
                self._aside_from = self._at
                self.found.aside_order.append(self._order)
            self._aside += 1
            self._shown = False
        if name == "linkGrp":
            # Known names only: an element with very many attributes is slow to list.
            wanted = ("type", "subtype", "corresp", "domains", "targFunc", "n")
            values = {key: given.get(key) for key in wanted}
            known = {key: str(value) for key, value in values.items() if value is not None}
            around = self._groups[-1].attributes if self._groups else {}
            self._groups.append(Group(around | known, line, self._base, self._no_links()))
            self.found.groups.append(self._groups[-1])
        elif name == "spanGrp" and given.get("type") in _PRIVATE:
            self._span = (str(given.get("type")), str(given.get("n") or ""))
        elif name == "span" and self._span is not None:
            self._values.append([])
        elif name in _BREAKS and given.get("break") != "no":
            self.text("\n")

    def text(self, text: str) -> None:
        """Take text, as it stands."""
        if self._muted:
            if self._values:
                self._values[-1].append(text)
            return
        if self._after is not None and not text.strip(_BLANKS):
            self._blank.append(text)
            return
        self._flush()
        self._put(text)

    def _put(self, text: str) -> None:
        self._pieces.append(text)
        self._at += len(text)

    def _flush(self) -> None:
        """Take white space behind a token as it stands."""
        if self._after is not None:
            blank, self._blank, self._after = "".join(self._blank), [], None
            if blank:
                self._put(blank)

    def _begin_token(self, name: str, given: Given) -> None:
        """Put between two tokens what they say: `join`, else what is there, else a blank."""
        before = self._after
        join = given.get("join")
        if before is not None:
            if before in {"right", "both"} or join in {"left", "both"}:
                self._blank = []
            elif not self._blank and name == "w" and before != "pc":
                self._blank = [" "]
        self._flush()

    def end(self) -> None:
        """Take the end of the innermost element that is open."""
        name = self.names[-1]
        if name not in _TOKENS:
            self._flush()
        self._end_anchors(len(self.names))
        (
            place,
            given,
            line,
            self._lang,
            self._base,
            self._home,
            self._paragraph,
            self._shown,
            self._kept,
        ) = self._stack.pop()
        if place >= 0 and name != "anchor":
            self._places.ends[place], self._places.lasts[place] = self._at, self._order
        self._leave(name, given, line)
        self.names.pop()
        self._segments -= name in UNITS
        if name in _TOKENS and not self._muted:
            # A token within a token says nothing of what is beside that.
            self._flush()
            self._after = str(given.get("join") or ("pc" if name == "pc" else ""))

    def _leave(self, name: str, given: Given, line: int) -> None:
        if name in _MUTED:
            self._muted -= 1
        if name in _ASIDE or (name in _ORIGINAL and self.names[-2:-1] == ["choice"]):
            self._aside -= 1
            if not self._aside:
                self.found.aside_span.append((self._aside_from, self._at))
        if name == "link":
            self._link(given, line)
        elif name == "linkGrp":
            self._groups.pop()
        elif name == "spanGrp":
            self._span = None
        elif name == "span" and self._span is not None:
            value = "".join(self._values.pop())
            self.found.columns.append((*self._span, str(given.get("target") or ""), value))
        elif name == "certainty":
            where = f"{self._source.path} line {line}"
            self._source.notes.add("certainty elements, left out", where)

    def _end_anchors(self, depth: int) -> None:
        """End the segment that an anchor began: at the next one, or with the element around."""
        places = self._places
        while self._anchors and self._anchors[-1][0] >= depth:
            _, place = self._anchors.pop()
            self._flush()
            places.ends[place] = self._at
            places.lasts[place] = max(places.orders[place], self._order - 1)

    def _link(self, element: Given, line: int) -> None:
        given = {_attribute(str(key)): str(value) for key, value in element.items()}
        given.pop("xml:base", None)
        targets = given.pop("target", None)
        spelled = given.pop("targets", None)
        if targets is None and spelled is not None:
            targets = spelled
            if not self.found.old:
                self._source.notes.add(
                    "links with targets, an old spelling of target",
                    f"{self._source.path} line {line}",
                )
        base = element.get(_BASE)
        if base is not None:
            from urllib.parse import urljoin

            base = urljoin(self._base, str(base))
        self._group(line).links.add(
            targets or "", given, line, self._base if base is None else base
        )

    def _group(self, line: int) -> Group:
        """Return the group that a link is added to."""
        if self._groups:
            return self._groups[-1]
        if self._loose is None:
            self._loose = Group({}, line, self._base, self._no_links())
        return self._loose

    def _no_links(self) -> Links:
        return Links(AttributeColumns(self._source))

    def take_units(
        self,
        name: str,
        ids: Sequence[str],
        texts: Sequence[str],
        between: Sequence[str],
        lines: Sequence[int],
        more: Sequence[tuple[int, str | None, bool]],
    ) -> None:
        """Take many elements with nothing but text in them, and the white space after each.

        `more` has of those with `n` or kept white space the place, `n`, and whether it is kept.
        """
        self._flush()
        places, size, first = self._places, len(ids), len(self._places)
        self.found.by_id.update(zip(ids, range(first, first + size), strict=True))
        places.ids.extend(ids)
        orders = range(self._order + 1, self._order + 1 + size)
        places.orders.extend(orders)
        places.lasts.extend(orders)
        self._order += size
        at = self._at
        for text, blank in zip(texts, between, strict=True):
            places.begins.append(at)
            at += len(text)
            places.ends.append(at)
            at += len(blank)
        self._at = at
        pieces = [""] * (2 * size)
        pieces[::2], pieces[1::2] = texts, between
        self._pieces.append("".join(pieces))
        places.lines.extend(lines)
        places.paragraphs.extend([self._paragraph] * size)
        places.context.extend([places.common(self._context(name))] * size)
        for k, n, kept in more:
            if n is not None:
                places.attributes[first + k] = {"n": n}
            if kept:
                places.context[first + k] = places.common(self._context(name, kept=True))
        self.found.has_units |= self._shown

    def take_links(
        self,
        targets: Sequence[str],
        columns: dict[str, Sequence[str | None]],
        lines: Sequence[int],
    ) -> None:
        """Take many links of the group that is open."""
        for k, name in enumerate(columns.get("id", ())):
            if name is not None:
                context = self._places.common(self._context("link"))
                order = self._order + 1 + k
                place = self._places.add(name, order, self._at, lines[k], self._paragraph, context)
                self._places.ends[place], self._places.lasts[place] = self._at, order
                self.found.by_id[name] = place
        self._order += len(targets)
        self._group(lines[0]).links.extend(targets, columns, lines, self._base)

    def finish(self) -> Scan:
        """Return what was found."""
        if self._loose is not None:
            self.found.groups.append(self._loose)
        self.found.line = "".join(self._pieces)
        self._pieces = []
        places = self._places
        if "" in places.ids:
            count = dict.fromkeys(UNITS, 0)
            for k, number in enumerate(places.context):
                name = places.contexts[number].name
                if name in UNITS:
                    count[name] += 1
                    if not places.ids[k]:
                        places.ids[k] = f"{name}[{count[name]}]"
                        places.made.add(k)
                        self.found.by_id[places.ids[k]] = k
        return self.found


def _attribute(name: str) -> str:
    """Return the name of an attribute of a link as a column has it."""
    if name == _ID:
        return "id"
    return f"xml:{name.removeprefix(XML)}" if name.startswith(XML) else name.rpartition("}")[2]


# All of an XML file in its order, element by element, while it is read and forgotten.
#
# `safe.iterate` gives whole elements at their ends and empties them. What lies between two of
# them (text, other elements, the starts of those around) is walked through here, so that a reader
# sees each start, each text and each end once, in the order of the file.


def walk(pieces: Pieces, scanner: Scanner, names: set[str], inside: str) -> None:
    """Go through what is left of a file.

    Parameters
    ----------
    pieces : Pieces
        The file; what was taken of it before is not seen again.
    scanner : Scanner
        Takes all that is left; knows what is open.
    names : set of str
        The local names of elements that are many, and small or made of such: at their ends they
        are emptied. The others stay in memory until one around them ends.
    inside : str
        The start tags of what is open in the root.

    Raises
    ------
    FormatError
        When the file is not well-formed, or is not safe to read; with the line.

    """
    walker = _Walker(scanner, pieces.lines_again)
    for _, target, line in pieces.rest(end=tuple(names), inside=inside):
        # An element that ended is taken out of the tree when the next has been dealt with, so the
        # place behind it can still be found here.
        walker.advance(target, line)


class _Walker:
    """Goes from element to element."""

    def __init__(self, scanner: Scanner, lines_again: int) -> None:
        self._scanner, self._lines_again = scanner, lines_again
        self._known = len(scanner.names)  # elements that come again, and were taken before
        self._node: Element | None = None

    def _start(self, node: Element, shift: int) -> None:
        if self._known:
            self._known -= 1
            return
        line = line_of(node) or 0
        line += shift if line > self._lines_again else 0
        self._scanner.start(local_name(node), node, line)

    def advance(self, target: Element, line: int) -> None:
        """Go on from the element that was left last until `target` is left.

        `line` is that of the target in the file.
        """
        shift = line - (line_of(target) or 0)
        node = self._node
        entered = node is None
        if node is None:
            node = target.getroottree().getroot()
            self._start(node, shift)
        while True:
            if entered:
                if node.text:
                    self._scanner.text(node.text)
                inner = node[0] if len(node) else None
                if inner is not None:
                    node = inner
                    self._start(node, shift)
                    continue
            else:
                if node.tail:
                    self._scanner.text(node.tail)
                after = node.getnext()
                if after is not None:
                    node, entered = after, True
                    self._start(node, shift)
                    continue
                around = node.getparent()
                if around is None:
                    break
                node = around
            self._scanner.end()
            entered = False
            if node is target:
                break
        self._node = node
