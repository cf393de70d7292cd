"""The documents of an XLIFF file of any version: one bitext for each `file`, in parts if wanted."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from bitext.formats.keeps import Keeps
from bitext.formats.prolog import read_prolog
from bitext.formats.safexml import iterate, line_of, local_name
from bitext.formats.xliff_beads import Ids, UnitBeads, Wanted, place
from bitext.formats.xliff_beside import note_around, note_attributes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.etree import _Element as Element

    from bitext.formats.opening import Source
    from bitext.formats.registry import ReadOptions
    from bitext.model import Bitext

__all__ = ["KEEPS", "XML_LANG", "Documents", "sniff_version"]

XML_LANG = "{http://www.w3.org/XML/1998/namespace}lang"
_VERSION = re.compile(r"(?<![\w:.-])version\s*=\s*[\"'](\d{1,4})")


def sniff_version(head: bytes) -> int:
    """Return the first number of the version of an XLIFF file; 0 for anything else."""
    if b"xliff" not in head.replace(b"\0", b""):
        return 0
    prolog = read_prolog(head)
    if prolog.name != "xliff":
        return 0
    found = _VERSION.search(prolog.attributes)
    if found:
        return int(found[1])
    return 2 if "srcLang" in prolog.attributes else 1


# What both versions keep; the later one characters that XML forbids, too (`cp`).
KEEPS = Keeps(
    texts=True,
    borders=True,
    empty_sides=True,
    empty_segments=True,
    crossings=True,
    scores=True,
    attributes=True,
    documents=True,
    names=frozenset({"src_doc", "name"}),
    languages=True,
    other_languages=True,
    markup=True,
    words=True,
    breaks=True,
)


class Documents(ABC):
    """Makes bitexts of the elements of a file, as they come; one for a version is made of it.

    Attributes
    ----------
    units : str
        The name of the elements that hold the texts.
    holders : tuple of str
        Those that units stand in, within a document, and the units.
    of_file : tuple of str
        The attributes of a document that are read, or say nothing.
    passed : tuple of str
        Those that are passed over, and may be large.

    """

    units = ""
    holders: tuple[str, ...] = ()
    of_file: tuple[str, ...] = ()
    passed: tuple[str, ...] = ()

    def __init__(self, source: Source, options: ReadOptions) -> None:
        self.source, self.options = source, options
        self.ids = Ids(source)
        self.translate: list[bool] = []  # of the file and of the groups that are open
        self._wanted = Wanted(source, options)
        self._beads: UnitBeads | None = None
        self._done: UnitBeads | None = None  # a document that waits for notes on what follows
        self._namespace: str | None = None
        self._any = False

    @abstractmethod
    def root(self, element: Element) -> None:
        """Look at the root element."""

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

        Raises
        ------
        FormatError
            When the file is not XLIFF of this version, or has no document, or none in the
            languages that are asked for.

        """
        events = iterate(
            self.source,
            start=("xliff", "file", "group"),
            end=("file", "group", self.units, *self.passed),
        )
        for event, element in events:
            yield from self._take(event, element)
        if self._namespace is None:
            raise self.source.error("has no root element xliff; give an XLIFF file")
        if not self._any:
            raise self.source.error("has no file element, so no document; check the file")
        self._wanted.check()
        yield from self._waiting()

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
            self.root(element)
        elif namespace != self._namespace:
            return
        elif event == "start" and name == "file":
            yield from self._begin(element)
        elif event == "start":
            self._begin_group(element)
        elif name in {"file", "group"}:
            self._end(name, element)
        elif self._beads is None:
            return
        elif name == "bin-unit":
            self.source.notes.add("binary units, left out", place(self.source, element))
        elif name == self.units:
            self.ids.see(element.get("id"), element)
            self._beads.line = line_of(element) or 0
            self.unit(element, self._beads)
            yield from self._beads.parts()

    def _begin(self, file: Element) -> Iterator[Bitext]:
        self._any = True
        self.ids.begin()
        self.translate = [file.get("translate") != "no"]
        langs = self.languages(file)
        if not self._wanted.takes(langs, line_of(file)):
            return
        yield from self._waiting()
        self._beads = UnitBeads(self.source, self.options, langs=langs)
        note_attributes(self.source, file, "documents", self.of_file)
        name = self.name(file)
        if name:
            self._beads.meta["src_doc"] = name
            self._beads.name = self.options.name or name

    def _begin_group(self, group: Element) -> None:
        if local_name(group) == "group":
            self.translate.append(self._inherited(group))
            if self._beads is not None:
                note_attributes(self.source, group, "groups", ("id", "translate"))

    def _end(self, name: str, element: Element) -> None:
        """End a document or a group."""
        if self._beads is not None:
            note_around(self.source, element, self.holders)
        if name == "group":
            self.translate.pop()
        elif self._beads is not None:
            self._beads, self._done = None, self._beads

    def _inherited(self, element: Element) -> bool:
        told = element.get("translate")
        if told is not None:
            return told != "no"
        return self.translate[-1] if self.translate else True
