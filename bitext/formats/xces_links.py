"""The links of an XCES file, group by group, as the file is read.

The two halves of `xtargets` are called left and right here: which of them points into which
document is decided later, when the group is whole.
"""

from __future__ import annotations

from array import array
from math import nan
from typing import TYPE_CHECKING, cast

from bitext.formats.opening import Notes
from bitext.formats.prolog import read_prolog
from bitext.formats.safexml import iterate, line_of, local_name
from bitext.formats.xces_sgml import is_sgml, tags

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.etree import _Element as Element

    from bitext.errors import FormatError
    from bitext.formats.opening import Source

__all__ = ["Group", "Half", "read_groups"]

_ROOTS = {"cesalign", "cesdoc", "linkgrp", "linklist", "link"}
_SPELLING = {"fromdoc": "fromDoc", "todoc": "toDoc", "targtype": "targType"}
_SHARED = ("fromDoc", "toDoc", "version")  # what a group has from cesAlign when not of its own
_XML = "{http://www.w3.org/XML/1998/namespace}"


class Half:
    """One half of the links: ids numbered in order of first appearance, in compressed rows."""

    def __init__(self) -> None:
        self.ids: dict[str, int] = {}
        self.members = array("q")
        self.pointers = array("q", [0])

    def add(self, names: list[str]) -> None:
        """Take up the ids of a link."""
        ids = self.ids
        for name in names:
            self.members.append(ids.setdefault(name, len(ids)))
        self.pointers.append(len(self.members))

    def extend(self, other: Half) -> None:
        """Take up the links of another group of the same document."""
        new = [self.ids.setdefault(name, len(self.ids)) for name in other.ids]
        begin = len(self.members)
        self.members.extend(new[k] for k in other.members)
        self.pointers.extend(begin + k for k in other.pointers[1:])


class Group:
    """The links between two documents.

    Attributes
    ----------
    attributes : dict
        Those of the `linkGrp`, completed from what is around it.
    rooted : bool
        Whether the `linkGrp` is the root of the file.
    outer : bool
        Whether there are groups inside it.
    line : int
        Where the group begins.
    left, right : Half
        The halves of `xtargets`.
    lines : array
        The line of each link.
    scores : array
        The `certainty` of each link; `nan` where it has none.
    columns : dict
        The other attributes, each up to the last link that has it, `None` where one lacks it.
    notes : Notes
        What was odd in the group.

    """

    def __init__(
        self, source: Source, attributes: dict[str, str], line: int, *, rooted: bool = False
    ) -> None:
        self._source = source
        self.attributes, self.line, self.rooted = attributes, line, rooted
        self.outer = False
        self.left, self.right = Half(), Half()
        self.lines = array("q")
        self.scores = array("d")
        self.columns: dict[str, list[str | None]] = {}
        self.notes = Notes()

    def __len__(self) -> int:
        return len(self.lines)

    @property
    def pair(self) -> tuple[str, str]:
        """The names of the two documents; empty where they are not named."""
        return self.attributes.get("fromDoc", ""), self.attributes.get("toDoc", "")

    def add(self, attributes: dict[str, str], line: int) -> None:
        """Take up a link."""
        targets = attributes.pop("xtargets", None)
        halves = (targets or "").split(";")
        if targets is None or len(halves) != 2:
            raise self._broken(targets, line)
        left, right = halves[0].split(), halves[1].split()
        if not (left or right):
            self.notes.add("links without any id, left out", f"{self._source.path} line {line}")
            return
        if len(left) + len(right) > 2:
            self._check(left, line)
            self._check(right, line)
        self.left.add(left)
        self.right.add(right)
        certainty = attributes.get("certainty")
        if certainty is None:
            self.scores.append(nan)
        else:
            score = _number(certainty)
            self.scores.append(score)
            if score == score or not certainty.strip():  # noqa: PLR0124 - nan
                del attributes["certainty"]
        self.lines.append(line)
        for name, value in attributes.items():
            self._put(name, value)

    def _put(self, name: str, value: str) -> None:
        column = self.columns.get(name)
        if column is None:
            column = self.columns[name] = []
        gap = len(self.lines) - 1 - len(column)
        if gap:
            column.extend([None] * gap)
        column.append(value)

    def _broken(self, targets: str | None, line: int) -> FormatError:
        if targets is None:
            return self._source.error(
                'has a link without xtargets; want one as <link xtargets="s1 s2;s1"/>', line
            )
        return self._source.error(
            f"xtargets is {targets[:60]!r}, with {targets.count(';')} semicolons; want one, "
            f"between the ids of the two sides",
            line,
        )

    def _check(self, names: list[str], line: int) -> None:
        if len(set(names)) < len(names):
            twice = next(name for k, name in enumerate(names) if name in names[:k])
            raise self._source.error(
                f"xtargets names {twice!r} twice on one side; want each id once", line
            )

    def extend(self, other: Group) -> None:
        """Take up the links of another group of the same documents."""
        begin = len(self)
        self.left.extend(other.left)
        self.right.extend(other.right)
        self.lines.extend(other.lines)
        self.scores.extend(other.scores)
        for name, column in other.columns.items():
            mine = self.columns.setdefault(name, [])
            mine.extend([None] * (begin - len(mine)))
            mine.extend(column)
        for note in other.notes.all():
            self.notes.add(note.kind, note.first, note.count)

    def attribute_columns(self) -> dict[str, list[str | None]]:
        """Return the columns, one value a link."""
        return {
            name.replace(_XML, "xml:").rpartition("}")[2]: column
            + [None] * (len(self) - len(column))
            for name, column in self.columns.items()
        }


def _number(text: str) -> float:
    """Return the number, or `nan` where there is none."""
    try:
        return nan if "_" in text else float(text)
    except ValueError:
        return nan


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
    return f"has the root element {root}; want cesAlign, cesDoc or linkGrp with links in it"


def _from_xml(source: Source, builder: _Builder) -> Iterator[Group]:
    for event, element in iterate(
        source, start=("cesAlign", "linkGrp"), end=("link", "linkGrp", "cesAlign")
    ):
        if event == "end" and element.tag.endswith("link"):
            if len(element):
                _look_inside(source, builder, element)
            builder.link(_attributes(element), line_of(element) or 0)
            continue
        name = local_name(element)
        attributes = _attributes(element)
        if event == "end":
            yield from builder.close() if name == "linkGrp" else builder.flush()
        elif name == "linkGrp":
            yield from builder.open(attributes, line_of(element) or 0)
        else:
            builder.shared = {key: attributes[key] for key in _SHARED if key in attributes}
    yield from builder.flush()


def _attributes(element: Element) -> dict[str, str]:
    return dict(cast("list[tuple[str, str]]", element.items()))


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
        builder.notes().add("word links inside links, left out", where, words)
    if len(kinds) > words:
        other = next(kind for kind in kinds if kind != "wordLink")
        builder.notes().add(
            "elements inside links, left out", f"{where}: {other}", len(kinds) - words
        )


def _from_sgml(source: Source, builder: _Builder) -> Iterator[Group]:
    source.notes.add("alignments in SGML, not XML, read by their tags", source.path)
    for tag in tags(source):
        attributes = {_SPELLING.get(key, key): value for key, value in tag.attributes.items()}
        if tag.name == "link" and not tag.closes:
            builder.link(attributes, tag.line)
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

    def _current(self) -> Group:
        if self._open:
            return self._open[-1]
        if self._loose is None:
            self._loose = Group(self._source, dict(self.shared), 1)
        return self._loose

    def notes(self) -> Notes:
        """Return the notes of the group that is open."""
        return self._current().notes

    def link(self, attributes: dict[str, str], line: int) -> None:
        """Take up a link."""
        self._current().add(attributes, line)

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
            if len(group) or not group.outer:
                yield group

    def flush(self) -> Iterator[Group]:
        """Yield what is left: loose links, and in SGML groups that were never closed."""
        while self._open:
            yield from self.close()
        yield from self._take_loose()

    def _take_loose(self) -> Iterator[Group]:
        if self._loose is not None:
            yield self._loose
        self._loose = None
