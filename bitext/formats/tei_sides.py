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

import numpy as np

from bitext.formats.languages import normal
from bitext.formats.tei_pointers import split

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from bitext.formats.tei_groups import Group
    from bitext.formats.tei_places import Context, Place, Scan
    from bitext.formats.tei_pointers import Pointer, Pointers

__all__ = ["Key", "Made", "Sides", "Telling", "tell"]

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
    told : Telling
        The evidence.
    by : {"domain", "home", "language", ""}
        Which of it counts for elements of this file; empty for none.
    declared : list of Key
        The texts that the group declares, in its order.

    """

    told: Telling
    by: str
    declared: list[Key]

    def mask(self, key: Key, places: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Tell of each element of this file whether it is of a text."""
        codes, keys = self.told.coded(self.by, places)
        code = keys.index(key) if key in keys else len(keys)
        return np.asarray(codes == code)


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
    told = Telling(scan, pointers, group)
    if len(told.domains) > 1 and _put(links, told.by_domain, told.domains):
        return Sides(told, "domain", told.domains)
    declared = told.domains if len(told.domains) > 1 else told.listed
    if _put(links, told.by_document, declared):
        return Sides(told, "home", declared)
    if _put(links, told.by_language, []):
        return Sides(told, "language", [])
    if pointing is not None:
        return _by_direction(told, links, pointing)
    if links and all(len(link.pointers) == 2 for link in links):
        for link in links:
            link.keys = [("at", "0"), ("at", "1")]
        turned = len(told.functions) == 2 and told.functions[1] in _SOURCES
        return Sides(told, "", [("at", "1"), ("at", "0")] if turned else [])
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


def _by_direction(told: Telling, links: Sequence[Made], pointing: frozenset[str]) -> Sides | None:
    """Tell texts by which of them has the `corresp` attributes."""
    found = []
    for link in links:
        keys = [("corresp", "from" if p.id in pointing else "to") for p in link.pointers]
        found.append(keys)
        if len(set(keys)) < 2:
            return None
    for link, keys in zip(links, found, strict=True):
        link.keys = keys
    return Sides(told, "", []) if found else None


class Telling:
    """The kinds of evidence for one group."""

    def __init__(self, scan: Scan, pointers: Pointers, group: Group) -> None:
        self._scan = scan
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
        place = None if pointer.doc else self._scan.named(pointer.id)
        if place is not None:
            kind = "home" if place.context.home == place.order else "in"
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
        return None if pointer.doc else self._scan.named(pointer.id)

    def by_document(self, pointer: Pointer) -> Key | None:
        """Tell by the file, or the part of this one, that is a document."""
        if pointer.doc:
            return ("file", pointer.doc)
        place = self._place(pointer)
        return None if place is None else _home(place.context)

    def by_domain(self, pointer: Pointer) -> Key | None:
        """Tell by the domains."""
        if pointer.doc:
            return self.files.get(pointer.doc)
        place = self._place(pointer)
        order = -1 if place is None else place.order
        return next((key for a, b, key in self.containers if a <= order <= b), None)

    def by_language(self, pointer: Pointer) -> Key | None:
        """Tell by the language of the element."""
        place = self._place(pointer)
        return None if place is None else _language(place.context)

    def coded(self, by: str, places: NDArray[np.int64]) -> tuple[NDArray[np.int64], list[Key]]:
        """Return the texts that elements are of, as indices of keys; -1 for none."""
        all_places = self._scan.places
        codes = np.full(len(places), -1)
        if by == "domain":
            keys = list(dict.fromkeys(key for _, _, key in self.containers))
            orders = np.asarray(all_places.orders)[places] if len(places) else places
            for first, last, key in self.containers:
                codes[(codes < 0) & (orders >= first) & (orders <= last)] = keys.index(key)
            return codes, keys
        if not by or not len(places):
            return codes, []
        of = {"home": _home, "language": _language}[by]
        known: dict[Key, int] = {}
        each = [
            -1 if (told := of(context)) is None else known.setdefault(told, len(known))
            for context in all_places.contexts
        ]
        return np.array(each)[np.asarray(all_places.context)[places]], list(known)


def _home(context: Context) -> Key:
    """Return the document within this file that elements lie in."""
    return "home", str(context.home)


def _language(context: Context) -> Key | None:
    """Return the language of elements, in their document."""
    return ("lang", f"{normal(context.lang)}@{context.home}") if context.lang else None
