"""The texts that the links of a TEI file are between, told apart.

`target` is a flat list. The text of each pointer is told by the first of these that tells it for
all pointers of a group of links:

1. the file, the TEI of a corpus or the text of a group that it lies in;
2. `domains` of the group: the elements or files that hold the texts, in the order of the sides;
3. `corresp` of the group, which lists the files, in the order of the sides;
4. `xml:lang` of the element pointed to;
5. its place in the link, where every link has exactly two; `targFunc` names the places.

`domains` is looked at first where it holds all that is pointed to, as it says more than (1): how
many texts there are, and in which order.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bitext.formats.languages import normal
from bitext.formats.tei_pointers import split

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bitext.formats.tei_places import Group, Place, Scan
    from bitext.formats.tei_pointers import Pointer, Pointers

__all__ = ["Key", "Made", "Sides", "tell"]

Key = tuple[str, str]  # what tells a text: the kind of evidence, and what it says
_SOURCES = {"source", "src", "original", "orig"}


@dataclass(slots=True)
class Made:
    """A link with its pointers made out, and the text of each."""

    pointers: list[Pointer]
    attributes: dict[str, str]
    line: int
    keys: list[Key] = field(default_factory=list)

    def sides(self) -> list[Key]:
        """Return the texts that it has segments of, in the order of its pointers."""
        return list(dict.fromkeys(self.keys))


@dataclass(slots=True)
class Sides:
    """How the texts of a group were told.

    Attributes
    ----------
    key_of : callable
        Gives the text that an element of this file is of; `None` for one of none.
    declared : list of Key
        The texts that the group declares, in its order.

    """

    key_of: Callable[[Place], Key | None]
    declared: list[Key]


def tell(
    scan: Scan,
    pointers: Pointers,
    group: Group,
    links: Sequence[Made],
    *,
    pointing: frozenset[str] | None = None,
) -> Sides | None:
    """Tell the text of every pointer of the links of a group, and put it there.

    Parameters
    ----------
    pointing : frozenset of str, optional
        Where the links are made of `corresp` attributes: the identifiers of the elements that have
        one. If none of them is pointed to, they are one text and those pointed to the other.

    Returns
    -------
    Sides or None
        `None` when nothing tells.

    """
    told = _Telling(scan, pointers, group)
    if len(told.domains) > 1 and _put(links, told.by_domain, told.domains):
        return Sides(told.in_domain, told.domains)
    declared = told.domains if len(told.domains) > 1 else told.listed
    if _put(links, told.by_document, declared):
        return Sides(told.home, declared)
    if _put(links, told.by_language, []):
        return Sides(told.language, [])
    if pointing is not None:
        return _by_direction(links, pointing)
    if links and all(len(link.pointers) == 2 for link in links):
        for link in links:
            link.keys = [("at", "0"), ("at", "1")]
        turned = len(told.functions) == 2 and told.functions[1] in _SOURCES
        return Sides(lambda _: None, [("at", "1"), ("at", "0")] if turned else [])
    return None


def _put(
    links: Sequence[Made], key_of: Callable[[Pointer], Key | None], declared: Sequence[Key]
) -> bool:
    """Put the keys into the links, if every pointer has one and they tell two texts or more."""
    found: list[list[Key]] = []
    for link in links:
        keys = [key for key in map(key_of, link.pointers) if key is not None]
        if len(keys) < len(link.pointers):
            return False
        found.append(keys)
    if not any(len(set(keys)) > 1 for keys in found):
        known = set(declared)
        if len(known) < 2 or not all(known.issuperset(keys) for keys in found):
            return False
    for link, keys in zip(links, found, strict=True):
        link.keys = keys
    return True


def _by_direction(links: Sequence[Made], pointing: frozenset[str]) -> Sides | None:
    """Tell texts by which of them has the `corresp` attributes."""
    found = []
    for link in links:
        keys = [("corresp", "from" if p.id in pointing else "to") for p in link.pointers]
        found.append(keys)
        if len(set(keys)) < 2:
            return None
    for link, keys in zip(links, found, strict=True):
        link.keys = keys
    return Sides(lambda _: None, []) if found else None


class _Telling:
    """The kinds of evidence for one group."""

    def __init__(self, scan: Scan, pointers: Pointers, group: Group) -> None:
        self._scan = scan
        self._homes: dict[int, Key] = {}
        self.functions = split(group.attributes.get("targFunc", "").lower())
        self.containers: list[tuple[int, int, Key]] = []
        self.files: dict[str, Key] = {}
        self.domains: list[Key] = []
        for target in split(group.attributes.get("domains", "")):
            self._add_domain(pointers, target, group.base)
        self.domains = list(dict.fromkeys(self.domains))
        docs = [
            pointers.document(target, group.base)
            for target in split(group.attributes.get("corresp", ""))
        ]
        self.listed = list(dict.fromkeys(self._file(doc) for doc in docs))
        if len(self.listed) == 1 and docs[0] and scan.has_units:
            # A file that lists the one other text holds the first itself.
            self.listed = [("home", "0"), *self.listed]

    def _file(self, doc: str) -> Key:
        return ("file", doc) if doc else ("home", "0")

    def _add_domain(self, pointers: Pointers, target: str, base: str) -> None:
        pointer, _ = pointers.find(target, base)
        place = None if pointer.doc else self._scan.by_id.get(pointer.id)
        if place is not None:
            kind = "home" if place.home == place.order else "in"
            key = (kind, str(place.order))
            self.containers.append((place.order, place.last, key))
        else:
            doc = pointers.document(target, base)
            if not doc:
                return
            key = self._file(doc)
            self.files[doc] = key
        self.domains.append(key)

    def _place(self, pointer: Pointer) -> Place | None:
        return None if pointer.doc else self._scan.by_id.get(pointer.id)

    def by_document(self, pointer: Pointer) -> Key | None:
        """Tell by the file, or the part of this one, that is a document."""
        if pointer.doc:
            return ("file", pointer.doc)
        place = self._place(pointer)
        return None if place is None else self.home(place)

    def home(self, place: Place) -> Key:
        """Return the document within this file that an element lies in."""
        key = self._homes.get(place.home)
        if key is None:
            key = self._homes[place.home] = ("home", str(place.home))
        return key

    def by_domain(self, pointer: Pointer) -> Key | None:
        """Tell by the domains."""
        if pointer.doc:
            return self.files.get(pointer.doc)
        place = self._place(pointer)
        return None if place is None else self.in_domain(place)

    def in_domain(self, place: Place) -> Key | None:
        """Return the domain that an element lies in."""
        for first, last, key in self.containers:
            if first <= place.order <= last:
                return key
        return None

    def by_language(self, pointer: Pointer) -> Key | None:
        """Tell by the language of the element."""
        place = self._place(pointer)
        return None if place is None else self.language(place)

    def language(self, place: Place) -> Key | None:
        """Return the language of an element, in its document."""
        return ("lang", f"{normal(place.lang)}@{place.home}") if place.lang else None
