"""What is known of a TEI file that was read: its elements, its text, its links."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field

__all__ = ["UNITS", "Group", "Link", "Place", "Scan", "tidy"]

UNITS = {"s", "seg", "ab", "p", "l", "u", "head", "anchor"}  # what segments mostly are
_BLANKS = " \t\r\n"
_RUN = re.compile(r"[ \t\r\n]+")


@dataclass(slots=True, eq=False)
class Place:
    """An element that can be a segment, or can hold segments.

    Attributes
    ----------
    name, id, lang : str
        Its local name, its identifier, and the language in force, empty where not told. An element
        without an identifier that can be a segment is named by its place: `s[3]` is the third s.
    made : bool
        Whether it is so named.
    n : str or None
        Its `n`.
    line : int
        Where it begins.
    order, last : int
        Its number among all elements, and that of the last one inside it.
    begin, end : int
        Its span of the text of the file.
    home : int
        The `order` of the document that it lies in: a TEI, or a text of a group; 0 for the file.
    paragraph : int
        The `order` of the p around it; -1 for none.
    shown : bool
        Whether it is of the running text: not in a header, and not in a note.
    kept : bool
        Whether its white space is text as it stands.
    base : str
        The `xml:base` in force.
    corresp, prev, next, part : str
        Its attributes of these names.

    """

    name: str
    id: str
    n: str | None
    lang: str
    line: int
    order: int
    begin: int
    home: int
    paragraph: int
    shown: bool
    kept: bool
    base: str
    corresp: str = ""
    prev: str = ""
    next: str = ""
    part: str = ""
    last: int = 0
    end: int = 0
    made: bool = False


@dataclass(slots=True)
class Link:
    """A link: its pointers as written, its other attributes, its line."""

    targets: str
    attributes: dict[str, str]
    line: int
    base: str


@dataclass(slots=True)
class Group:
    """Links that stand together; `attributes` are those of the linkGrp, empty for loose links."""

    attributes: dict[str, str]
    line: int
    base: str
    links: list[Link] = field(default_factory=list)


@dataclass(slots=True)
class Scan:
    """A whole file.

    Attributes
    ----------
    places : list of Place
        In the order of the file.
    by_id : dict
        Those with an identifier; the first where it is repeated.
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

    """

    old: bool
    base: str = ""
    places: list[Place] = field(default_factory=list)
    by_id: dict[str, Place] = field(default_factory=dict)
    repeated: dict[str, int] = field(default_factory=dict)
    groups: list[Group] = field(default_factory=list)
    columns: list[tuple[str, str, str, str]] = field(default_factory=list)
    has_units: bool = False
    line: str = ""
    aside_order: array[int] = field(default_factory=lambda: array("q"))
    aside_span: list[tuple[int, int]] = field(default_factory=list)

    def at(self, order: int) -> Place | None:
        """Return the element of that number, if it is one that is kept."""
        k = bisect_left(self.places, order, key=lambda place: place.order)
        found = self.places[k] if k < len(self.places) else None
        return found if found is not None and found.order == order else None

    def text(self, place: Place) -> tuple[str, int]:
        """Return the text of an element, and how many elements in it are not of its text."""
        if not self.aside_order:
            text = self.line[place.begin : place.end]
            return text if place.kept else tidy(text), 0
        first = bisect_right(self.aside_order, place.order)
        past = bisect_right(self.aside_order, place.last)
        pieces, at = [], place.begin
        for begin, end in self.aside_span[first:past]:
            pieces.append(self.line[at:begin])
            at = end
        pieces.append(self.line[at : place.end])
        text = "".join(pieces)
        return text if place.kept else tidy(text), past - first


def tidy(text: str) -> str:
    r"""Strip white space from the ends; make one blank of each run that has a line end.

    Examples
    --------
    >>> tidy(" one\n   two  three ")
    'one two  three'

    """
    text = text.strip(_BLANKS)
    if "\n" in text or "\r" in text:
        return _RUN.sub(lambda run: " " if "\n" in run[0] or "\r" in run[0] else run[0], text)
    return text
