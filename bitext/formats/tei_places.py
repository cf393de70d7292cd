"""What is known of a TEI file that was read: its elements, its text, its links.

Elements are columns, not objects: a corpus has millions of them, and most are looked at by the
column. A `Place` is a view of one.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bitext.formats.documents_text import tidy

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bitext.formats.tei_groups import Group

__all__ = ["UNITS", "Context", "Place", "Places", "Scan"]

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
