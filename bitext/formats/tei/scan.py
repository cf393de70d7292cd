"""Scanning a TEI file: its elements that can be segments, its text, and its links."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, compress
from typing import TYPE_CHECKING, NamedTuple, Protocol, cast
from urllib.parse import urljoin

import numpy as np

from bitext.formats.beads import AttributeColumns
from bitext.formats.io.source import Source
from bitext.formats.opus_documents import INLINE, tidy
from bitext.formats.opus_documents.tei_sentences import (
    ANNOTATION,
    ASIDE,
    BREAKS,
    ORIGINAL,
    TOKENS,
    TokenSpacing,
)
from bitext.formats.xml import read_prolog
from bitext.formats.xml.inline_codes import LOST_ELEMENTS
from bitext.formats.xml.safe import line_of, local_name
from bitext.kernels.arrays import Bools

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

    class Given(Protocol):
        """Attributes by name: a dict, or an element."""

        def get(self, key: str, /) -> str | None:
            """Return the value of an attribute."""

        def items(self) -> Iterable[tuple[str | bytes, str | bytes]]:
            """Return all names and values."""


# Groups of links of a TEI file, as columns.


class Link(NamedTuple):
    """A link: its pointers as written, its other attributes, its line, the `xml:base` in force."""

    targets: str
    attributes: dict[str, str]
    line: int
    base: str


@dataclass(slots=True)
class Links:
    """Links in their order."""

    columns: AttributeColumns  # their other attributes by name
    targets: list[str] = field(default_factory=list)  # their pointers as written
    lines: array[int] = field(default_factory=lambda: array("q"))  # the line of each
    _bases: list[str] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.targets)

    def add(self, targets: str, attributes: Mapping[str, str], line: int, base: str) -> None:
        """Append a link."""
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
        """Append many links."""
        size = len(self.targets)
        self.targets.extend(targets)
        self.lines.extend(lines)
        self._bases.extend([base] * len(targets))
        self.columns.extend(size, columns, lines[0] if lines else None)

    def put(self, k: int, name: str, value: str) -> None:
        """Set an attribute of a link."""
        self.columns.put(k, {name: value})

    def __iter__(self) -> Iterator[Link]:
        given = self.columns.rows(len(self))
        for each in zip(self.targets, given, self.lines, self._bases, strict=True):
            yield Link(*each)


@dataclass(slots=True)
class Group:
    """Links of one `linkGrp`, whose attributes are `attributes`; loose links have an empty dict."""

    attributes: dict[str, str]
    line: int
    base: str
    links: Links


# Elements of a TEI file.
#
# Elements are columns, not objects, because a corpus has millions of elements and most are
# processed by the column. A `Place` is a view of one element.

UNITS = {"s", "seg", "ab", "p", "l", "u", "head", "anchor"}  # elements that can be segments


class Context(NamedTuple):
    """Properties that many elements share."""

    # `name`, `lang`: the local name, and the language in force; empty if unknown.
    name: str
    lang: str
    home: int  # the `order` of the enclosing document: a TEI, or a text of a group; 0 for the file
    shown: bool  # whether the elements belong to the running text: not to a header or a note
    preserved: bool  # whether white space is text as it stands (`xml:space="preserve"`)
    base: str  # the `xml:base` in force


class Place(NamedTuple):
    """An element that can be a segment, or can hold segments."""

    k: int  # the index in `Places`
    id: str  # the identifier; a possible segment without one is named by its position, as `s[3]`
    context: Context  # the properties that the element shares with others
    # `order`, `last`: the number among all elements, and that of the last element inside.
    order: int
    last: int
    line: int  # the line of the start tag
    attributes: Mapping[str, str]  # those that `Places` has

    @property
    def name(self) -> str:
        """The local name."""
        return self.context.name

    def attribute(self, name: str) -> str:
        """Return an attribute of this element; empty if the element has none of that name."""
        return self.attributes.get(name, "")


@dataclass(slots=True)
class Places:
    """The elements of a file that can be segments, or can contain some, in document order."""

    # The identifiers; a possible segment without one is called `s[3]`.
    ids: list[str] = field(default_factory=list)
    # `orders`, `lasts`: the number of each among all elements, and of the last element inside.
    orders: array[int] = field(default_factory=lambda: array("q"))
    lasts: array[int] = field(default_factory=lambda: array("q"))
    # `begins`, `ends`: the span of each in the text of the file.
    begins: array[int] = field(default_factory=lambda: array("q"))
    ends: array[int] = field(default_factory=lambda: array("q"))
    lines: array[int] = field(default_factory=lambda: array("q"))  # the line of each start tag
    # The `order` of the enclosing `p`; -1 for none.
    paragraphs: array[int] = field(default_factory=lambda: array("q"))
    # The index of each in `contexts`.
    context: array[int] = field(default_factory=lambda: array("q"))
    contexts: list[Context] = field(default_factory=list)
    # The attributes `n`, `corresp`, `prev`, `next` and `part`, by the index of the element.
    attributes: dict[int, dict[str, str]] = field(default_factory=dict)
    # The indices of the elements with an identifier of that kind.
    made: set[int] = field(default_factory=set)
    _known: dict[Context, int] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.ids)

    def __getitem__(self, k: int) -> Place:
        return Place(
            k,
            self.ids[k],
            self.contexts[self.context[k]],
            self.orders[k],
            self.lasts[k],
            self.lines[k],
            self.attributes.get(k, {}),
        )

    def common(self, context: Context) -> int:
        """Return the number of a context."""
        k = self._known.setdefault(context, len(self.contexts))
        if k == len(self.contexts):
            self.contexts.append(context)
        return k

    def add(
        self, name: str, order: int, begin: int, end: int, line: int, paragraph: int, context: int
    ) -> int:
        """Append an element that has no elements inside yet; return its index."""
        self.ids.append(name)
        self.orders.append(order)
        self.lasts.append(order)
        self.begins.append(begin)
        self.ends.append(end)
        self.lines.append(line)
        self.paragraphs.append(paragraph)
        self.context.append(context)
        return len(self.ids) - 1

    def named(self, names: set[str]) -> Bools:
        """Return for each element whether its name is one of `names`."""
        fits = np.array([context.name in names for context in self.contexts], dtype=bool)
        return fits[np.asarray(self.context)] if len(self) else np.zeros(0, dtype=bool)


@dataclass(slots=True)
class Scan:
    """A scanned file."""

    old: bool  # whether the file is P4, where pointers are names without `#`
    base: str = ""  # the `xml:base` of the root
    places: Places = field(default_factory=Places)  # the elements
    # The index of each element with an identifier; the first where two share one.
    by_id: dict[str, int] = field(default_factory=dict)
    # The line of the second element with the same identifier.
    repeated: dict[str, int] = field(default_factory=dict)
    # The groups of links, in order; loose links form the last group.
    groups: list[Group] = field(default_factory=list)
    # Values of links that `span` elements give.
    columns: list[tuple[str, str, str, str]] = field(default_factory=list)
    has_units: bool = False  # whether there are elements that can be segments
    line: str = ""  # the text of the file
    aside_order: array[int] = field(default_factory=lambda: array("q"))
    aside_span: list[tuple[int, int]] = field(default_factory=list)

    def named(self, name: str) -> Place | None:
        """Return the element with an identifier."""
        k = self.by_id.get(name)
        return None if k is None else self.places[k]

    def at(self, order: int) -> Place | None:
        """Return the element with a number, if `places` has the element."""
        k = bisect_left(self.places.orders, order)
        there = k < len(self.places) and self.places.orders[k] == order
        return self.places[k] if there else None

    def text(self, k: int) -> tuple[str, int]:
        """Return the text of an element, and the number of notes and the like left out."""
        places = self.places
        preserved = places.contexts[places.context[k]].preserved
        if not self.aside_order:
            text = self.line[places.begins[k] : places.ends[k]]
            return text if preserved else tidy(text), 0
        first = bisect_right(self.aside_order, places.orders[k])
        past = bisect_right(self.aside_order, places.lasts[k])
        pieces, at = [], places.begins[k]
        for begin, end in self.aside_span[first:past]:
            pieces.append(self.line[at:begin])
            at = end
        pieces.append(self.line[at : places.ends[k]])
        text = "".join(pieces)
        return text if preserved else tidy(text), past - first

    def texts(self, indices: Sequence[int]) -> list[str] | None:
        """Return the texts of many elements; `None` if notes have to be cut out of some."""
        if self.aside_order:
            return None
        line, places = self.line, self.places
        begins, ends, context = places.begins, places.ends, places.context
        preserved = [each.preserved for each in places.contexts]
        return [
            line[begins[k] : ends[k]] if preserved[context[k]] else tidy(line[begins[k] : ends[k]])
            for k in indices
        ]


XML = "{http://www.w3.org/XML/1998/namespace}"
_ID, _LANG, _BASE, _SPACE = f"{XML}id", f"{XML}lang", f"{XML}base", f"{XML}space"
_HOMES = {"TEI", "TEI.2"}
_MUTED = {"teiHeader", "standOff", "linkGrp", "spanGrp", ANNOTATION}
_PRIVATE = {"attribute", "score"}  # the types of spanGrp that hold columns of links
_POINTING = ("corresp", "prev", "next", "part")
_OF_GROUPS = ("type", "subtype", "corresp", "domains", "targFunc", "n")  # attributes of linkGrp
_KEPT = {_ID, _LANG, _BASE, _SPACE, "id", "lang", "n", *_POINTING}  # attributes of s
_LINKS, _IN_LINKS = (["linkGrp"], ["link"]), {"linkGrp", "link", "certainty"}
_KEPT_OF = {
    "s": _KEPT,
    "seg": _KEPT,
    **{token: {*_KEPT, "join"} for token in TOKENS},
    "linkGrp": {*_KEPT, *_OF_GROUPS, "targOrder", "targType", "evaluate"},
}


_LEAVES = {*UNITS, "link"} - {"anchor"}


class Scanner:
    """Collects the elements, text and links of a file, in document order."""

    def __init__(self, source: Source) -> None:
        prolog = read_prolog(source.head())
        self._source, self.scan = source, Scan(old="www.tei-c.org" not in prolog.attributes)
        self._places = self.scan.places
        self._node: Element | None = None  # the parsed element that ended last
        self._known = 0  # elements to come that are parsed a second time
        self._lines_again = 0  # lines at the beginning that are parsed a second time
        # The index, attributes and line of each open element, and what was in force around it.
        self._stack: list[tuple[int, Given, int, tuple[Context, int]]] = []
        # What is in force here, with the name of the last element.
        self._in_force = Context("", "", 0, shown=True, preserved=False, base="")
        self._paragraph = -1
        self._leaves: dict[object, str] = {}  # full names of elements that mostly are leaves
        self.names: list[str] = []  # local names of the open elements
        self._order = -1
        self._pieces: list[str] = []
        self._at = 0
        self._segments = 0  # open elements of `UNITS`
        self._muted = 0  # open elements without text: headers, links
        self._aside = 0  # open elements of `ASIDE` and `ORIGINAL`
        self._aside_from = 0
        self._anchors: list[tuple[int, int]] = []  # depth of the enclosing element, index
        self._spacing = TokenSpacing()
        self._made_first = 0  # the line of the first blank put between tokens
        self._groups: list[Group] = []
        self._loose: Group | None = None
        self._span: tuple[str, str] | None = None
        self._values: list[list[str]] = []  # texts of the open spans

    def parse(self, ends: Iterable[tuple[str, Element, int]], *, lines_again: int) -> None:
        """Take the rest of a file from the parser.

        `ends` are the ends of elements as `Pieces.rest` yields them, with their lines in the file;
        `lines_again` is the last of the lines that were taken before and are parsed a second time.
        """
        self._known, self._lines_again = len(self.names), lines_again
        for _, element, line in ends:
            # The parser takes this element out of the tree when the next one has been dealt with,
            # so its place among the others is known until then.
            self._advance(element, line)

    def _advance(self, target: Element, line: int) -> None:
        """Go on from the element that ended last to the end of `target`.

        Each start tag, text and end tag in between is taken once, in document order.
        """
        shift = line - (line_of(target) or 0)
        node = self._node
        entered = node is None
        if node is None:
            node = target.getroottree().getroot()
            if not self.scan.old:
                namespace = str(node.tag)[: -len(local_name(node))]
                self._leaves = {namespace + name: name for name in _LEAVES}
            self._begin(node, shift)
        while True:
            if entered:
                if node.text:
                    self.text(node.text)
                following = node[0] if len(node) else None
            else:
                if node.tail:
                    self.text(node.tail)
                following = node.getnext()
            if following is target and not len(target) and self._take_leaf(target, line):
                node = target
                break
            if following is not None:
                node, entered = following, True
                self._begin(node, shift)
                continue
            if not entered:
                around = node.getparent()
                if around is None:
                    break
                node = around
            self.end()
            entered = False
            if node is target:
                break
        self._node = node

    def _begin(self, node: Element, shift: int) -> None:
        if self._known:
            self._known -= 1
            return
        line = line_of(node) or 0
        self.start(local_name(node), node, line + (shift if line > self._lines_again else 0))

    def _take_leaf(self, node: Element, line: int) -> bool:
        """Take a segment or a link without elements inside, unless its attributes are unusual.

        Nearly all elements of a large file are such leaves, for which nothing in force needs to be
        saved. Return whether the element was taken.
        """
        name = self._leaves.get(node.tag)
        if name is None or self._known or (name != "link" and self.names[-1:] == ["linkGrp"]):
            return False
        given = _attributes(node)
        if name == "link":
            if _BASE in given or _LANG in given or _SPACE in given:
                return False
            own = given.get(_ID, "")
        else:
            own = given.pop(_ID, "")
            if given and (len(given) > 1 or "n" not in given):
                return False
        if self._spacing.after is not None:
            self._flush()
        self._order += 1
        begin, text = self._at, node.text
        if text:
            self.text(text)
        if own or name != "link":
            place = self._places.add(
                own, self._order, begin, self._at, line, self._paragraph, self._context(name)
            )
            if own:
                self._identify(own, place, line)
            if given and name != "link":
                self._places.attributes[place] = given
        if name == "link":
            self._link(given, line)
        elif self._in_force.shown:
            self.scan.has_units = True
        return True

    def start(self, name: str, given: Given, line: int) -> None:
        """Take a start tag: the local name, the attributes, the line."""
        self._order += 1
        self.names.append(name)
        if name in TOKENS:
            self._begin_token(name, given, line)
        else:
            self._flush()
        around = (self._in_force, self._paragraph)
        self._inherit(given)
        place = self._place(name, given, line)
        self._stack.append((place, given, line, around))
        self._enter(name, given, line)
        if name in INLINE and self._segments and not (self._muted or self._aside):
            self._source.note(LOST_ELEMENTS, name, line=line)
        self._note_loss(name, given, line)
        self._segments += name in UNITS
        if name == "p":
            self._paragraph = self._order
        if place >= 0 and name == "anchor":
            self._anchors.append((len(self.names) - 1, place))

    def _note_loss(self, name: str, given: Given, line: int) -> None:
        """Note attributes of segments, tokens and groups of links, and elements in these groups."""
        kept = _KEPT_OF.get(name)
        if kept is not None and not self._aside and (not self._muted or name == "linkGrp"):
            further = next((key for key, _ in given.items() if key not in kept), None)
            if further is not None:
                kind = f"attributes of {name}, left out"
                self._source.note(kind, _attribute(str(further))[:40], line=line)
        elif self.names[-2:-1] in _LINKS and name not in _IN_LINKS:
            self._source.note("elements in groups of links, left out", name[:40], line=line)

    def _inherit(self, given: Given) -> None:
        lang = given.get(_LANG)
        if lang is None and self.scan.old:
            lang = given.get("lang")
        if lang is not None:
            self._in_force = self._in_force._replace(lang=str(lang))
        base = given.get(_BASE)
        if base is not None:
            whole = urljoin(self._in_force.base, str(base))
            self._in_force = self._in_force._replace(base=whole)
            if not self._order:
                self.scan.base = whole
        space = given.get(_SPACE)
        if space is not None:
            self._in_force = self._in_force._replace(preserved=space == "preserve")

    def _place(self, name: str, given: Given, line: int) -> int:
        """Add an element that can be a segment or contain some; return its index, -1 for others."""
        own = given.get(_ID) or (given.get("id") if self.scan.old else None) or ""
        parent = self.names[-2] if len(self.names) > 1 else ""
        if name in _HOMES or (name == "text" and parent == "group"):
            self._in_force = self._in_force._replace(home=self._order)
        elif not own and name not in UNITS:
            return -1
        if name == "anchor":
            self._end_anchors(len(self.names) - 1)
        place = self._places.add(
            str(own), self._order, self._at, 0, line, self._paragraph, self._context(name)
        )
        keys = ("n", *_POINTING) if name in UNITS else ("n",) if name != "link" else ()
        values = {key: str(value) for key in keys if (value := given.get(key)) is not None}
        if values:
            self._places.attributes[place] = values
        self.scan.has_units |= self._in_force.shown and name in UNITS
        if own:
            self._identify(str(own), place, line, by_xml_id=bool(given.get(_ID)))
        return place

    def _identify(self, own: str, place: int, line: int, *, by_xml_id: bool = True) -> None:
        first = self.scan.by_id.setdefault(own, place)
        if first == place:
            return
        if by_xml_id:  # the parser reports only repetitions within its window
            raise self._source.error(
                f"is not well-formed XML: ID {own} already defined; give each element an xml:id "
                f"of its own",
                line,
            )
        self.scan.repeated.setdefault(own, line)

    def _context(self, name: str, *, preserved: bool = False) -> int:
        """Return the number of the context of an element of that name here."""
        if name != self._in_force.name:
            self._in_force = self._in_force._replace(name=name)
        context = self._in_force
        return self._places.common(context._replace(preserved=True) if preserved else context)

    def _enter(self, name: str, given: Given, line: int) -> None:
        """Open elements without text of their own, groups of links, and line breaks."""
        if name in _MUTED:
            self._muted += 1
            self._in_force = self._in_force._replace(shown=False)
        if name in ASIDE or (name in ORIGINAL and self.names[-2:-1] == ["choice"]):
            if not self._aside:
                self._aside_from = self._at
                self.scan.aside_order.append(self._order)
            self._aside += 1
            self._in_force = self._in_force._replace(shown=False)
        if name == "linkGrp":
            # Only known names are looked up: very many attributes are slow to list.
            values = {key: given.get(key) for key in _OF_GROUPS}
            known = {key: str(value) for key, value in values.items() if value is not None}
            around = self._groups[-1].attributes if self._groups else {}
            self._groups.append(Group(around | known, line, self._in_force.base, self._no_links()))
            self.scan.groups.append(self._groups[-1])
        elif name == "spanGrp" and given.get("type") in _PRIVATE:
            self._span = (str(given.get("type")), str(given.get("n") or ""))
        elif name == "span" and self._span is not None:
            self._values.append([])
        elif name in BREAKS and given.get("break") != "no":
            self.text("\n")

    def text(self, text: str) -> None:
        """Take a run of character data."""
        if self._muted:
            if self._values:
                self._values[-1].append(text)
            return
        if self._spacing.after is not None:
            if self._spacing.holds(text):
                return
            self._flush()
        self._append(text)

    def _append(self, text: str) -> None:
        self._pieces.append(text)
        self._at += len(text)

    def _flush(self) -> None:
        """Append the white space that followed a token."""
        if blank := self._spacing.flush():
            self._append(blank)

    def _begin_token(self, name: str, given: Given, line: int) -> None:
        if blank := self._spacing.begin(name, given.get("join"), self._pieces):
            self._append(blank)
        if self._spacing.made_blanks and not self._made_first:
            self._made_first = line

    def end(self) -> None:
        """Take the end tag of the innermost open element."""
        name = self.names[-1]
        if name not in TOKENS:
            self._flush()
        self._end_anchors(len(self.names))
        place, given, line, (self._in_force, self._paragraph) = self._stack.pop()
        if place >= 0 and name != "anchor":
            self._places.ends[place], self._places.lasts[place] = self._at, self._order
        self._leave(name, given, line)
        self.names.pop()
        self._segments -= name in UNITS
        if name in TOKENS and not self._muted:
            # `join` of an inner token does not concern the neighbours of the outer one.
            self._flush()
            self._spacing.end(name, given.get("join"))

    def _leave(self, name: str, given: Given, line: int) -> None:
        if name in _MUTED:
            self._muted -= 1
        if name in ASIDE or (name in ORIGINAL and self.names[-2:-1] == ["choice"]):
            self._aside -= 1
            if not self._aside:
                self.scan.aside_span.append((self._aside_from, self._at))
        if name == "link":
            self._link(_attributes(given), line)
        elif name == "linkGrp":
            self._groups.pop()
        elif name == "spanGrp":
            self._span = None
        elif name == "span" and self._span is not None:
            value = "".join(self._values.pop())
            self.scan.columns.append((*self._span, str(given.get("target") or ""), value))
        elif name == "certainty":
            self._source.note("certainty elements, left out", line=line)

    def _end_anchors(self, depth: int) -> None:
        """End the segment of an anchor: at the next anchor, or with the enclosing element."""
        places = self._places
        while self._anchors and self._anchors[-1][0] >= depth:
            _, place = self._anchors.pop()
            self._flush()
            places.ends[place] = self._at
            places.lasts[place] = max(places.orders[place], self._order - 1)

    def _link(self, given: dict[str, str], line: int) -> None:
        base = given.pop(_BASE, None)
        if "{" in "".join(given):  # any name with a namespace
            given = {_attribute(name): value for name, value in given.items()}
        targets = given.pop("target", None)
        spelled = given.pop("targets", None)
        if targets is None and spelled is not None:
            targets = spelled
            if not self.scan.old:
                self._source.note("links with targets, an old spelling of target", line=line)
        base = self._in_force.base if base is None else urljoin(self._in_force.base, base)
        self._group(line).links.add(targets or "", given, line, base)

    def _group(self, line: int) -> Group:
        """Return the group that the next link is added to."""
        if self._groups:
            return self._groups[-1]
        if self._loose is None:
            self._loose = Group({}, line, self._in_force.base, self._no_links())
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
        numbers: Sequence[str | None],
        preserved: Sequence[bool],
    ) -> None:
        """Take a run of elements that contain only text, each followed by white space.

        `numbers` are their attributes `n`, and `preserved` whether their white space is preserved;
        either may be empty if no element has any.
        """
        self._flush()
        places, size, first = self._places, len(ids), len(self._places)
        self.scan.by_id.update(zip(ids, range(first, first + size), strict=True))
        places.ids.extend(ids)
        orders = range(self._order + 1, self._order + 1 + size)
        places.orders.extend(orders)
        places.lasts.extend(orders)
        self._order += size
        pieces = [""] * (2 * size)
        pieces[::2], pieces[1::2] = texts, between
        offsets = list(accumulate(map(len, pieces), initial=self._at))
        self._at = offsets[-1]
        places.begins.extend(offsets[:-1:2])
        places.ends.extend(offsets[1::2])
        self._pieces.append("".join(pieces))
        places.lines.extend(lines)
        places.paragraphs.extend([self._paragraph] * size)
        places.context.extend([self._context(name)] * size)
        if numbers:
            own = enumerate(numbers, first)
            places.attributes.update({k: {"n": n} for k, n in own if n is not None})
        for k in compress(range(first, first + size), preserved):
            places.context[k] = self._context(name, preserved=True)
        self.scan.has_units |= self._in_force.shown

    def take_links(
        self, targets: Sequence[str], columns: dict[str, Sequence[str | None]], lines: Sequence[int]
    ) -> None:
        """Take a run of links of the open group."""
        for k, name in enumerate(columns.get("id", ())):
            if name is not None:
                at, paragraph, order = self._at, self._paragraph, self._order + 1 + k
                self.scan.by_id[name] = self._places.add(
                    name, order, at, at, lines[k], paragraph, self._context("link")
                )
        self._order += len(targets)
        self._group(lines[0]).links.extend(targets, columns, lines, self._in_force.base)

    def finish(self) -> Scan:
        """Return the scanned file."""
        if self._loose is not None:
            self.scan.groups.append(self._loose)
        if self._spacing.is_spaced and self._spacing.made_blanks:
            kind = "tokens (w) without the white space that others have between them, separated too"
            self._source.note(kind, line=self._made_first, count=self._spacing.made_blanks)
        self.scan.line = "".join(self._pieces)
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
                        self.scan.by_id[places.ids[k]] = k
        return self.scan


def _attributes(element: Given) -> dict[str, str]:
    return dict(cast("list[tuple[str, str]]", element.items()))


def _attribute(name: str) -> str:
    """Return the name of the column for an attribute of a link."""
    if name == _ID:
        return "id"
    return f"xml:{name.removeprefix(XML)}" if name.startswith(XML) else name.rpartition("}")[2]
