"""The groups of links of an XCES file, in XML or SGML, as the file is read."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from bitext.formats.prolog import read_prolog
from bitext.formats.safexml import iterate, line_of, local_name
from bitext.formats.xces_group import Group
from bitext.formats.xces_sgml import is_sgml, tags

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.etree import _Element as Element

    from bitext.formats.opening import Source

__all__ = ["read_groups"]

_ROOTS = {"cesalign", "cesdoc", "linkgrp", "linklist", "link"}
_SPELLING = {"fromdoc": "fromDoc", "todoc": "toDoc", "targtype": "targType"}
_SHARED = ("fromDoc", "toDoc", "version")  # what a group has from cesAlign when not of its own


def read_groups(source: Source) -> Iterator[Group]:
    """Yield the groups of links of a file, each when it is whole.

    Raises
    ------
    FormatError
        When the file is no alignment, or a link is broken; with the line.

    """
    head = source.head()
    root = read_prolog(head).name
    if root and root.lower() not in _ROOTS:
        raise source.error(_other_root(root))
    builder = _Builder(source, rooted=root.lower() == "linkgrp")
    found = False
    for group in _from_sgml(source, builder) if is_sgml(head) else _from_xml(source, builder):
        found = True
        yield group
    if not found:
        raise source.error("holds no linkGrp and no link; give the alignment, not a document of it")


def _other_root(root: str) -> str:
    if root == "liuAlign":
        return (
            "is a word alignment (liuAlign), not an alignment of sentences; give a file whose root "
            "element is cesAlign, cesDoc or linkGrp"
        )
    return f"has the root element {root[:40]!r}; want cesAlign, cesDoc or linkGrp with links in it"


def _from_xml(source: Source, builder: _Builder) -> Iterator[Group]:
    for event, element in iterate(
        source, start=("cesAlign", "linkGrp"), end=("link", "linkGrp", "cesAlign")
    ):
        if event == "end" and element.tag.endswith("link"):
            if len(element):
                _look_inside(source, builder, element)
            builder.group().add(_attributes(element), line_of(element) or 0)
            continue
        name = local_name(element)
        attributes = dict(_attributes(element))
        if event == "end":
            yield from builder.close() if name == "linkGrp" else builder.flush()
        elif name == "linkGrp":
            yield from builder.open(attributes, line_of(element) or 0)
        else:
            builder.shared = {key: attributes[key] for key in _SHARED if key in attributes}
    yield from builder.flush()


def _attributes(element: Element) -> list[tuple[str, str]]:
    return cast("list[tuple[str, str]]", element.items())


def _look_inside(source: Source, builder: _Builder, link: Element) -> None:
    """Note the word links in a link; refuse one that says its targets by child elements."""
    kinds = [local_name(child) for child in link]
    if "align" in kinds and link.get("xtargets") is None:
        raise source.error(
            "has a link whose targets are align elements (XCES 1.0), which are not read; convert "
            "it to links with xtargets",
            line_of(link),
        )
    words = kinds.count("wordLink")
    where = f"{source.path} line {line_of(link)}"
    if words:
        builder.group().notes.add("word links inside links, left out", where, words)
    if len(kinds) > words:
        other = next(kind for kind in kinds if kind != "wordLink")
        builder.group().notes.add(
            "elements inside links, left out", f"{where}: {other}", len(kinds) - words
        )


def _from_sgml(source: Source, builder: _Builder) -> Iterator[Group]:
    source.notes.add("alignments in SGML, not XML, read by their tags", source.path)
    for tag in tags(source):
        attributes = {_SPELLING.get(key, key): value for key, value in tag.attributes.items()}
        if tag.name == "link" and not tag.closes:
            builder.group().add(list(attributes.items()), tag.line)
        elif tag.name == "linkgrp":
            yield from builder.close()
            if not tag.closes:
                yield from builder.open(attributes, tag.line)
        elif tag.name == "cesalign" and not tag.closes:
            builder.shared = {key: attributes[key] for key in _SHARED if key in attributes}
    yield from builder.flush()


class _Builder:
    """Puts links into groups; groups may lie in groups, and links outside of any."""

    def __init__(self, source: Source, *, rooted: bool) -> None:
        self._source = source
        self._rooted = rooted
        self._open: list[Group] = []
        self._loose: Group | None = None
        self.shared: dict[str, str] = {}

    def group(self) -> Group:
        """Return the group that is open; outside of any, one made for loose links."""
        if self._open:
            return self._open[-1]
        if self._loose is None:
            self._loose = Group(self._source, dict(self.shared), 1)
        return self._loose

    def open(self, attributes: dict[str, str], line: int) -> Iterator[Group]:
        """Begin a group; yield the links that stood loose before it."""
        yield from self._take_loose()
        around = self.shared
        if self._open:
            self._open[-1].outer = True
            around = self._open[-1].attributes
        whole = {**{key: around[key] for key in _SHARED if key in around}, **attributes}
        rooted = self._rooted and not self._open
        self._open.append(Group(self._source, whole, line, rooted=rooted))

    def close(self) -> Iterator[Group]:
        """End the group that is open and yield it, unless it only held other groups."""
        if self._open:
            group = self._open.pop()
            group.settle()
            if len(group) or not group.outer:
                yield group

    def flush(self) -> Iterator[Group]:
        """Yield what is left: loose links, and in SGML groups that were never closed."""
        while self._open:
            yield from self.close()
        yield from self._take_loose()

    def _take_loose(self) -> Iterator[Group]:
        if self._loose is not None:
            self._loose.settle()
            yield self._loose
        self._loose = None
