"""Documents that TEI links point into, where what they name is not a sentence (`s`).

`xces_texts.Documents` finds them, under the given roots only, and reads their sentences. Here the
same files are read as TEI is, with all elements that have an identifier.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from bitext.errors import FormatError
from bitext.formats.prolog import read_prolog
from bitext.formats.tei_pointers import Pointers
from bitext.formats.tei_quick import scan
from bitext.formats.tei_units import Units
from bitext.formats.xces_texts import Documents

if TYPE_CHECKING:
    from pathlib import Path

    from bitext.formats.opening import Source
    from bitext.formats.tei_places import Scan

__all__ = ["Document", "TeiDocuments"]

_KEPT = 4  # documents held for the groups to come


class Document(NamedTuple):
    """A document with all its elements; its notes are in its source, which is closed."""

    source: Source
    scan: Scan
    units: Units

    def has(self, name: str) -> bool:
        """Tell whether there is an element of that identifier."""
        place = self.scan.by_id.get(name)
        return place is not None and place not in self.scan.places.made


class TeiDocuments(Documents):
    """Opens the documents that a file names, under the given roots only."""

    def __init__(self, source: Source, roots: tuple[Path | str, ...]) -> None:
        super().__init__(source, roots, source.limits)
        self._scanned: dict[str, Document | None] = {}

    def scanned(self, name: str) -> Document | None:
        """Return a document with its elements; `None` if it is not there, or has no identifiers."""
        if name not in self._scanned:
            while len(self._scanned) >= _KEPT:
                del self._scanned[next(iter(self._scanned))]
            self._scanned[name] = self._scan(name)
        return self._scanned[name]

    def _scan(self, name: str) -> Document | None:
        located = self._locate(name)
        if located.path is None:
            return None
        with self._opened(located) as source:
            if not read_prolog(source.head()).root:
                return None
            try:
                found = scan(source)
            except FormatError:  # told when its sentences were looked for
                return None
            units = Units(source, found, Pointers(source, found))
        return Document(source, found, units) if len(found.by_id) > len(found.places.made) else None
