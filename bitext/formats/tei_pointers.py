"""Pointers of TEI files: which element of which document each of them names.

| pointer | names |
| --- | --- |
| `#e1` | the element of this file, or of that of `xml:base` |
| `en.xml#e1`, `http://host/en.xml#e1` | an element of another file, by `xml:base` |
| `e1` (P4 only) | the element of this file |
| `en.xml` | a whole file: no segment, an error |
| `#xpath(...)`, `#string-range(...)`, any other scheme | an error that names it |

Nothing is opened here.
"""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from bitext.formats.opening import Source
    from bitext.formats.tei_places import Scan

__all__ = ["NO_SEGMENTS", "Pointer", "Pointers", "split"]

_BLANKS = re.compile(r"[ \t\r\n]+")
NO_SEGMENTS = {"join", "link", "linkGrp", "alt", "xptr", "xref", "ptr", "ref"}


class Pointer(NamedTuple):
    """What a pointer names: a document, empty for this file, and an identifier in it."""

    doc: str
    id: str


def split(targets: str) -> list[str]:
    """Return the pointers of an attribute."""
    return [target for target in _BLANKS.split(targets) if target]


class Pointers:
    """Makes out the pointers of one file."""

    def __init__(self, source: Source, scan: Scan) -> None:
        self._scan = scan
        self._own = PurePath(source.path).name

    def document(self, target: str, base: str) -> str:
        """Return the document that a pointer to a file, or into one, names; empty for this one."""
        name = target.partition("#")[0]
        if not name:
            return ""
        return "" if self._is_own(self._joined(base, name)) else self._joined(base, name)

    def find(self, target: str, base: str) -> tuple[Pointer, str]:
        """Return what a pointer names, and what is wrong with it if anything is."""
        name, mark, fragment = target.partition("#")
        place = None if name else self._scan.named(fragment)
        if place is not None and place.name not in NO_SEGMENTS and not self._scan.repeated:
            return Pointer("", fragment), ""
        if not mark and self._scan.old:
            name, fragment = "", name
        elif not fragment:
            return Pointer(name, ""), "names a whole document; name the element in it (en.xml#e1)"
        if "(" in fragment:
            scheme = fragment.partition("(")[0]
            return Pointer(name, fragment), (
                f"is by the scheme {scheme[:40]}(), which is not read; point to an xml:id instead"
            )
        known = self._scan.by_id
        own = fragment
        if "%" in fragment and fragment not in known:
            from urllib.parse import unquote

            own = unquote(fragment)
        if not name:
            there = self._joined(base, "") if base != self._scan.base else ""
            if own in known or not there or there.endswith("/"):
                return self._here(own)
            return Pointer(there, own), ""
        doc = self._joined(base, name)
        if self._is_own(doc) and (own in known or doc == self._scan.base):
            return self._here(own)
        return Pointer(doc, own), ""

    def _here(self, name: str) -> tuple[Pointer, str]:
        place = self._scan.named(name)
        wrong = ""
        if place is not None and place.name in NO_SEGMENTS:
            wrong = (
                f"names an element {place.name}, which is no segment and is not followed; name "
                f"the segment itself"
            )
        elif name in self._scan.repeated:
            wrong = (
                f"names an identifier that two elements have (again in line "
                f"{self._scan.repeated[name]}); give each one of its own"
            )
        return Pointer("", name), wrong

    def _is_own(self, doc: str) -> bool:
        return doc in {self._own, f"./{self._own}"} or (doc == self._scan.base and bool(doc))

    def _joined(self, base: str, name: str) -> str:
        if not base:
            return name
        from urllib.parse import urljoin

        try:
            return urljoin(base, name)
        except ValueError:  # an address that is none, as http://[
            return name
