"""The links of an XCES file, group by group, as the file is read.

The two halves of `xtargets` are called left and right here: which of them points into which
document is decided later, when the group is whole.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from itertools import accumulate, chain, count
from math import nan
from typing import TYPE_CHECKING, cast

from bitext.formats.opening import Notes
from bitext.formats.prolog import read_prolog
from bitext.formats.safexml import iterate, line_of, local_name
from bitext.formats.xces_sgml import is_sgml, tags

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from lxml.etree import _Element as Element

    from bitext.formats.opening import Source

__all__ = ["Group", "Half", "read_groups"]

_ROOTS = {"cesalign", "cesdoc", "linkgrp", "linklist", "link"}
_SPELLING = {"fromdoc": "fromDoc", "todoc": "toDoc", "targtype": "targType"}
_SHARED = ("fromDoc", "toDoc", "version")  # what a group has from cesAlign when not of its own
_AT_ONCE = 20_000
_XML = "{http://www.w3.org/XML/1998/namespace}"


class Half:
    """One half of the links: ids numbered in order of first appearance, in compressed rows."""

    def __init__(self) -> None:
        self.ids: dict[str, int] = defaultdict(count().__next__)
        self.members = array("q")
        self.pointers = array("q", [0])

    def add(self, sides: Sequence[Sequence[str]]) -> None:
        """Take up the ids of links, one list a link."""
        begin = self.pointers.pop()
        self.members.extend(map(self.ids.__getitem__, chain.from_iterable(sides)))
        self.pointers.extend(accumulate(map(len, sides), initial=begin))

    def extend(self, other: Half) -> None:
        """Take up the links of another group of the same document."""
        new = list(map(self.ids.__getitem__, other.ids))
        begin = len(self.members)
        self.members.extend(map(new.__getitem__, other.members))
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
        self._targets: list[str] = []

    def __len__(self) -> int:
        return len(self.lines)

    @property
    def pair(self) -> tuple[str, str]:
        """The names of the two documents; empty where they are not named."""
        return self.attributes.get("fromDoc", ""), self.attributes.get("toDoc", "")

    def add(self, attributes: Iterable[tuple[str, str]], line: int) -> None:
        """Take up a link; its ids are looked at later, many links at a time."""
        at = len(self.lines)
        targets, score = None, nan
        for name, value in attributes:
            if name == "xtargets":
                targets = value
                continue
            if name == "certainty":
                score = _number(value)
                if score == score or not value.strip():  # noqa: PLR0124 - nan
                    continue
            column = self.columns.setdefault(name, [])
            if len(column) < at:
                column.extend([None] * (at - len(column)))
            column.append(value)
        if targets is None:
            raise self._source.error(
                'has a link without xtargets; want one as <link xtargets="s1 s2;s1"/>', line
            )
        if targets.strip() == ";":
            self._drop(at, line)
            return
        self._targets.append(targets)
        self.scores.append(score)
        self.lines.append(line)
        if len(self._targets) >= _AT_ONCE:
            self.settle()

    def _drop(self, at: int, line: int) -> None:
        """Take back what columns got of a link with two empty halves."""
        self.notes.add("links without any id, left out", f"{self._source.path} line {line}")
        for name in list(self.columns):
            del self.columns[name][at:]
            if not any(self.columns[name]):
                del self.columns[name]

    def settle(self) -> None:
        """Number the ids of the links taken up since the last time."""
        targets, self._targets = self._targets, []
        begin = len(self.lines) - len(targets)
        halves = [target.split(";") for target in targets]
        wrong = next((k for k, half in enumerate(halves) if len(half) != 2), None)
        if wrong is not None:
            raise self._source.error(
                f"xtargets is {targets[wrong][:60]!r}, with {targets[wrong].count(';')} semicolons; "
                f"want one, between the ids of the two sides",
                self.lines[begin + wrong],
            )
        for half, side in ((self.left, 0), (self.right, 1)):
            names = [pair[side].split() for pair in halves]
            for k, some in enumerate(names):
                if len(some) > 1 and len(set(some)) < len(some):
                    twice = next(name for i, name in enumerate(some) if name in some[:i])
                    raise self._source.error(
                        f"xtargets names {twice!r} twice on one side; want each id once",
                        self.lines[begin + k],
                    )
            half.add(names)

    def extend(self, other: Group) -> None:
        """Take up the links of another group of the same documents; both settled."""
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
            builder.link(_attributes(element), element.sourceline)
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
            builder.link(attributes.items(), tag.line)
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

    def link(self, attributes: Iterable[tuple[str, str]], line: int) -> None:
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
