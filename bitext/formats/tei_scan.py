"""Reading a TEI file: its elements that can be segments, its text, and its links."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitext.formats.prolog import read_prolog
from bitext.formats.safexml import line_of, local_name
from bitext.formats.tei_places import UNITS, Group, Link, Place, Scan
from bitext.formats.tei_walk import walk

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

    from bitext.formats.opening import Source

__all__ = ["scan"]

XML = "{http://www.w3.org/XML/1998/namespace}"
_ID, _LANG, _BASE, _SPACE = f"{XML}id", f"{XML}lang", f"{XML}base", f"{XML}space"
_HOMES = {"TEI", "TEI.2"}
_ASIDE = {"note", "fw", "rdg", "del", "figDesc"}  # not of the text that they stand in
_ORIGINAL = {"sic", "orig", "abbr"}  # of a choice, where what the editor reads is the text
_TOKENS = {"w", "pc"}
_BREAKS = {"lb", "pb", "cb", "gb"}
_CONTAINERS = (
    "TEI TEI.2 teiHeader standOff text front body back group div div1 div2 div3 lg list item table "
    "row cell sp quote linkGrp spanGrp listAnnotation annotation annotationBlock"
)
_SMALL = "w pc c phr cl m note link span certainty hi foreign"
_MANY = (*sorted(UNITS), *_CONTAINERS.split(), *_SMALL.split())
_BLANKS = " \t\r\n"
_PRIVATE = {"attribute", "score"}  # the types of spanGrp that hold columns of links


def scan(source: Source) -> Scan:
    """Read a file.

    Raises
    ------
    FormatError
        When it is not well-formed or not safe to read; with the line.

    """
    prolog = read_prolog(source.head())
    scanner = _Scanner(source, Scan(old="www.tei-c.org" not in prolog.attributes))
    walk(source, scanner, _MANY)
    return scanner.finish()


class _Scanner:
    """Takes the elements of a file one by one; see `tei_walk.Visitor`."""

    def __init__(self, source: Source, found: Scan) -> None:
        self._source, self._found = source, found
        self._stack: list[tuple[Place | None, str, str, int, int, bool, bool]] = []
        self._lang, self._base, self._home, self._paragraph = "", "", 0, -1
        self._shown, self._kept = True, False
        self._names: list[str] = []
        self._order = -1
        self._pieces: list[str] = []
        self._at = 0
        self._muted = 0  # depth inside of what has no text: headers, links
        self._aside = 0  # depth inside of what is not of the text around it
        self._aside_from = 0
        self._anchors: list[tuple[int, Place]] = []  # with the depth of the element around
        self._after: str | None = None  # the join of the token before, if white space only follows
        self._blank: list[str] = []
        self._groups: list[Group] = []
        self._loose: Group | None = None
        self._span: tuple[str, str] | None = None

    def start(self, element: Element) -> None:
        name = local_name(element)
        self._order += 1
        self._names.append(name)
        if name in _TOKENS:
            self._begin_token(name, element)
        else:
            self._flush()
        state = (self._lang, self._base, self._home, self._paragraph, self._shown, self._kept)
        self._inherit(element)
        place = self._place(name, element)
        self._stack.append((place, *state))
        self._enter(name, element)
        if name == "p":
            self._paragraph = self._order
        if place is not None and place.name == "anchor":
            self._anchors.append((len(self._names) - 1, place))

    def _inherit(self, element: Element) -> None:
        lang = element.get(_LANG)
        if lang is None and self._found.old:
            lang = element.get("lang")
        if lang is not None:
            self._lang = str(lang)
        base = element.get(_BASE)
        if base is not None:
            from urllib.parse import urljoin

            self._base = urljoin(self._base, str(base))
            if not self._order:
                self._found.base = self._base
        space = element.get(_SPACE)
        if space is not None:
            self._kept = space == "preserve"

    def _place(self, name: str, element: Element) -> Place | None:
        own = element.get(_ID) or (element.get("id") if self._found.old else None) or ""
        parent = self._names[-2] if len(self._names) > 1 else ""
        if name in _HOMES or (name == "text" and parent == "group"):
            self._home = self._order
        elif not own and name not in UNITS:
            return None
        if name == "anchor":
            self._end_anchors(len(self._names) - 1)
        place = Place(
            name=name,
            id=str(own),
            n=_text_or_none(element.get("n")),
            lang=self._lang,
            line=line_of(element) or 0,
            order=self._order,
            begin=self._at,
            home=self._home,
            paragraph=self._paragraph,
            shown=self._shown,
            kept=self._kept,
            base=self._base,
        )
        if name in UNITS:
            place.corresp = str(element.get("corresp") or "")
            place.prev, place.next = str(element.get("prev") or ""), str(element.get("next") or "")
            place.part = str(element.get("part") or "")
        self._found.places.append(place)
        if place.id:
            if place.id in self._found.by_id:
                self._found.repeated.setdefault(place.id, place.line)
            self._found.by_id.setdefault(place.id, place)
        return place

    def _enter(self, name: str, element: Element) -> None:
        """Take what begins beside a place: what has no text, groups, breaks."""
        if name in {"teiHeader", "standOff", "linkGrp", "spanGrp"}:
            self._muted += 1
            self._shown = False
        if name in _ASIDE or (name in _ORIGINAL and self._names[-2:-1] == ["choice"]):
            if not self._aside:
                self._aside_from = self._at
                self._found.aside_order.append(self._order)
            self._aside += 1
            self._shown = False
        if name == "linkGrp":
            # Known names only: an element with very many attributes is slow to list.
            wanted = ("type", "corresp", "domains", "targFunc", "targType", "targOrder", "n")
            given = {key: element.get(key) for key in wanted}
            known = {key: str(value) for key, value in given.items() if value is not None}
            around = self._groups[-1].attributes if self._groups else {}
            self._groups.append(Group(around | known, line_of(element) or 0, self._base))
            self._found.groups.append(self._groups[-1])
        elif name == "spanGrp" and element.get("type") in _PRIVATE:
            self._span = (str(element.get("type")), str(element.get("n") or ""))
        elif name in _BREAKS and element.get("break") != "no":
            self.text("\n")

    def text(self, text: str) -> None:
        if self._muted:
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

    def _begin_token(self, name: str, element: Element) -> None:
        """Put between two tokens what they say: `join`, else what is there, else a blank."""
        before = self._after
        join = element.get("join")
        if before is not None:
            if before in {"right", "both"} or join in {"left", "both"}:
                self._blank = []
            elif not self._blank and name == "w" and before != "pc":
                self._blank = [" "]
        self._flush()

    def end(self, element: Element) -> None:
        name = self._names[-1]
        if name not in _TOKENS:
            self._flush()
        depth = len(self._names)
        self._end_anchors(depth)
        (
            place,
            self._lang,
            self._base,
            self._home,
            self._paragraph,
            self._shown,
            self._kept,
        ) = self._stack.pop()
        if place is not None and place.name != "anchor":
            place.end, place.last = self._at, self._order
        self._leave(name, element)
        self._names.pop()
        if name in _TOKENS and not self._muted:
            # A token within a token says nothing of what is beside that.
            self._flush()
            self._after = str(element.get("join") or ("pc" if name == "pc" else ""))

    def _leave(self, name: str, element: Element) -> None:
        if name in {"teiHeader", "standOff", "linkGrp", "spanGrp"}:
            self._muted -= 1
        if name in _ASIDE or (name in _ORIGINAL and self._names[-2:-1] == ["choice"]):
            self._aside -= 1
            if not self._aside:
                self._found.aside_span.append((self._aside_from, self._at))
        if name == "link":
            self._link(element)
        elif name == "linkGrp":
            self._groups.pop()
        elif name == "spanGrp":
            self._span = None
        elif name == "span" and self._span is not None:
            value = "".join(map(str, element.itertext()))
            self._found.columns.append((*self._span, str(element.get("target") or ""), value))
        elif name == "certainty":
            where = f"{self._source.path} line {line_of(element)}"
            self._source.notes.add("certainty elements, left out", where)

    def _end_anchors(self, depth: int) -> None:
        """End the segment that an anchor began: at the next one, or with the element around."""
        while self._anchors and self._anchors[-1][0] >= depth:
            _, place = self._anchors.pop()
            self._flush()
            place.end, place.last = self._at, max(place.order, self._order - 1)

    def _link(self, element: Element) -> None:
        given = {_attribute(str(key)): str(value) for key, value in element.items()}
        given.pop("xml:base", None)
        line = line_of(element) or 0
        targets = given.pop("target", None)
        spelled = given.pop("targets", None)
        if targets is None and spelled is not None:
            targets = spelled
            if not self._found.old:
                self._source.notes.add(
                    "links with targets, an old spelling of target",
                    f"{self._source.path} line {line}",
                )
        base = element.get(_BASE)
        if base is not None:
            from urllib.parse import urljoin

            base = urljoin(self._base, str(base))
        link = Link(targets or "", given, line, self._base if base is None else base)
        if self._groups:
            self._groups[-1].links.append(link)
            return
        if self._loose is None:
            self._loose = Group({}, line, link.base)
        self._loose.links.append(link)

    def finish(self) -> Scan:
        """Return what was found."""
        if self._loose is not None:
            self._found.groups.append(self._loose)
        self._found.line = "".join(self._pieces)
        count = dict.fromkeys(UNITS, 0)
        for place in self._found.places:
            if place.name in UNITS:
                self._found.has_units |= place.shown
                count[place.name] += 1
                if not place.id:
                    place.id, place.made = f"{place.name}[{count[place.name]}]", True
                    self._found.by_id[place.id] = place
        return self._found


def _text_or_none(value: object) -> str | None:
    return None if value is None else str(value)


def _attribute(name: str) -> str:
    """Return the name of an attribute of a link as a column has it."""
    if name == _ID:
        return "id"
    return f"xml:{name.removeprefix(XML)}" if name.startswith(XML) else name.rpartition("}")[2]
