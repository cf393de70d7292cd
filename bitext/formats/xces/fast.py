"""Reading the links of an XCES file as machines write them: a run of links at once.

A link here is an empty element with attributes in double quotes. Where the links of a piece of the
file are alike, in names and order, they are taken apart at the quotes; else one by one. Everything
else is the parser's (see `bitext.formats.xml.fast`).

What this buys, measured beside the parser on 60,000 made links (`make_links` of
`scripts/bench/convert_made.py`): 0.12 s of CPU in place of 0.44 s.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bitext.formats.xml.fast import ATTRIBUTES, NAME, VALUE, Tags, attribute_names, opened_root
from bitext.formats.xml.text import unescape
from bitext.kernels.rows import prefix

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from bitext.formats.xces.group import Builder, Group
    from bitext.formats.xml.fast import Piece, Pieces

__all__ = ["Quick"]


_MOST_NAMES = 256  # of attributes of links that are taken at once, with a cell in each
_GROUPS = ("cesAlign", "linkGrp")
_OTHER = re.compile(r"<(?!link )[^<]*")
_QUICK_LINK = re.compile(rf"<link({ATTRIBUTES}) ?/>([^<]*)", re.ASCII)
_PAIR = re.compile(rf" ((?:xml:)?{NAME})=({VALUE})", re.ASCII)
_FIRST = re.compile(rf"<link ((?:xml:)?{NAME})=", re.ASCII)
_NEXT = re.compile(rf" ((?:xml:)?{NAME})=", re.ASCII)
_LAST = re.compile(r' ?/>[^<"]*')


class _Tag(NamedTuple):
    """A tag that is no link: what begins or ends, its attributes, and its line."""

    name: str
    attributes: dict[str, str]
    line: int


class _Links(NamedTuple):
    """Neighbouring links, by their attributes as columns, and their lines."""

    columns: dict[str, Sequence[str | None]]
    lines: NDArray[np.int64]


class Quick:
    """Goes the quick way through a file as far as it leads.

    Attributes
    ----------
    done : bool
        Whether it led to the end of the file.
    inside : str
        The start tags of the elements in the root that are open where it ended.
    again : int
        How many elements `cesAlign` and `linkGrp` are open there, the root among them.

    """

    def __init__(self, pieces: Pieces, builder: Builder) -> None:
        self._pieces, self._builder = pieces, builder
        self.done, self.inside, self.again = False, "", 0

    def groups(self) -> Iterator[Group]:
        """Yield the groups that end."""
        root = opened_root(self._pieces)
        if root is None:
            return
        name, attributes = root
        line = self._pieces.lines_again + 1
        yield from self._apply(_Tag(name, _pairs(attributes), line))
        tags = Tags(name, "link")
        at_root = self.again = name in _GROUPS
        for piece in self._pieces:
            taken = tags.copy()
            parts = _parts(piece, taken)
            if parts is None:
                return
            for part in parts:
                if isinstance(part, _Tag):
                    yield from self._apply(part)
                else:
                    self._builder.group().take(part.columns, part.lines)
                    yield from self._builder.part()
            tags, self.inside = taken, taken.inside()
            self.again = at_root + sum(map(tags.count, _GROUPS))
        self.done = tags.closed

    def _apply(self, tag: _Tag) -> Iterator[Group]:
        if tag.name == "cesAlign":
            self._builder.share(tag.attributes)
        elif tag.name == "linkGrp":
            yield from self._builder.open(tag.attributes, tag.line)
        elif tag.name in {"/cesAlign", "cesAlign/"}:
            yield from self._builder.flush()
        elif tag.name == "/linkGrp":
            yield from self._builder.close()
        elif tag.name == "linkGrp/":
            yield from self._builder.open(tag.attributes, tag.line)
            yield from self._builder.close()


def _parts(piece: Piece, tags: Tags) -> list[_Tag | _Links] | None:
    """Return the tags and links of a piece in order, `None` where it is odd; take up its tags."""
    text, line, at = piece.text, piece.line, 0
    parts: list[_Tag | _Links] = []
    ends = [found.span() for found in _OTHER.finditer(text)]
    for begin, end in [*ends, (len(text), len(text))]:
        links, at = text[at:begin], end
        if links.strip(" \n"):
            found = None if tags.closed else _links(links, line, references=piece.references)
            if found is None:
                return None
            parts += [found] if len(found.lines) else []
        line += links.count("\n")
        if begin < end:
            taken = tags.take(text[begin + 1 : end])
            if taken is None or "trans.loc=" in taken[1]:  # names a document (XCES 1.0)
                return None
            parts.append(_Tag(taken[0], _pairs(taken[1]), line))
            line += text.count("\n", begin, end)
    return parts


def _pairs(attributes: str) -> dict[str, str]:
    return {name: unescape(value[1:-1]) for name, value in _PAIR.findall(attributes)}


def _links(text: str, line: int, *, references: bool) -> _Links | None:
    """Return the links of a text that begins on a line; `None` where something else is there."""
    begin = text.find("<")
    if begin < 0:
        return _Links({}, np.zeros(0, dtype=np.int64))
    line += text.count("\n", 0, begin)
    found = _alike(text[begin:], line) or _one_by_one(text[begin:], line)
    if found is None or not (references and "&" in text):
        return found
    columns: dict[str, Sequence[str | None]] = {
        name: [value and unescape(value) for value in column]
        for name, column in found.columns.items()
    }
    return _Links(columns, found.lines)


def _alike(text: str, line: int) -> _Links | None:
    """Return links with the same attributes in the same order; `None` for others.

    Between two quotes is a value, or what leads to the next value: with as many such between two
    links as there are attributes, each is to be the same in all links.
    """
    parts = text.split('"')
    first = _FIRST.fullmatch(parts[0])
    names = [first[1]] if first else []
    while 2 * len(names) < len(parts) and (more := _NEXT.fullmatch(parts[2 * len(names)])):
        names.append(more[1])
    width = 2 * len(names)
    known = attribute_names("".join(f' {name}=""' for name in names)) if width else None
    if not known or len(parts) % width != 1:
        return None
    size = len(parts) // width
    if any(parts[2 * k :: width].count(f" {name}=") != size for k, name in enumerate(names) if k):
        return None
    borders = parts[width:-1:width]
    same = borders.count(borders[0]) == len(borders) if borders else True  # the usual case
    between = {border: border.count("\n") for border in (borders[:1] if same else set(borders))}
    if not all(b.endswith(parts[0]) and _LAST.fullmatch(b[: -len(parts[0])]) for b in between):
        return None
    if same:
        ends = np.full(len(borders), sum(between.values()))
    else:
        ends = np.fromiter(map(between.__getitem__, borders), dtype=np.int64, count=len(borders))
    lines = prefix(ends) + line
    plain = text.count("<") == size and "\t" not in text
    if not plain or not _LAST.fullmatch(parts[-1]):
        return None
    if text.count("\n") != int(ends.sum()) + parts[-1].count("\n"):
        return None  # within a value, where it is a blank
    return _Links({name: parts[2 * k + 1 :: width] for k, name in enumerate(names)}, lines)


def _one_by_one(text: str, line: int) -> _Links | None:
    """Return links with any attributes; `None` where something else is there."""
    found = _QUICK_LINK.findall(text)
    if len(found) != text.count("<"):
        return None
    rows: list[dict[str, str]] = []
    for attributes, _ in found:
        if attribute_names(attributes) is None:
            return None
        rows.append({name: value[1:-1] for name, value in _PAIR.findall(attributes)})
    ends = np.array([behind.count("\n") for _, behind in found])
    names = dict.fromkeys(name for row in rows for name in row)
    if len(names) > _MOST_NAMES:
        return None  # so many cells may be empty: the parser gives a few links at a time
    return _Links(
        {name: [row.get(name) for row in rows] for name in names}, line + prefix(ends)[:-1]
    )
