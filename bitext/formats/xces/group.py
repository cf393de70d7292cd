"""Groups of XCES links, held small (ids as numbers, rows as arrays), and how links come to them.

The two halves of `xtargets` are called left and right here: which of them points into which
document is decided later, when the group is whole.
"""

from __future__ import annotations

import re
from collections import defaultdict
from itertools import chain, compress, count
from math import nan
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bitext.formats.beads import PART, AttributeColumns
from bitext.formats.columns import score_of
from bitext.formats.io.source import Notes
from bitext.formats.line_files import first_repeat
from bitext.formats.xces.writing import meant
from bitext.kernels.rows import Rows, prefix

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from bitext.formats.io.source import Source

__all__ = ["Builder", "Group", "Half", "WordLink"]

_AT_ONCE = 500  # few enough to stay in the cache
_XML = "{http://www.w3.org/XML/1998/namespace}"
_SPACE, _LINE_END, _SEMICOLON = map(ord, " \n;")
_BLANK = re.compile(r"[^\S\n]")
_NONE: NDArray[np.int64] = np.zeros(0, dtype=np.int64)


class Half(NamedTuple):
    """One half of the links of a group.

    Attributes
    ----------
    ids : list of str
        In order of first appearance.
    rows : Rows
        The places in `ids` of each link, in the order written.

    """

    ids: list[str]
    rows: Rows


class WordLink(NamedTuple):
    """A link between words, inside a link: what its attributes say."""

    xtargets: str
    certainty: str
    line: int


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
    continues, cut : bool
        Whether it is a further part of the `linkGrp` before it, and whether such parts follow.
    line : int
        Where the group begins.
    columns : AttributeColumns
        The attributes of the links but `xtargets` and scores.
    ranged : bool
        Whether there are ranges among the ids.
    words : dict
        The word links inside of links, by the place of the link.
    notes : Notes
        What was odd in the group.

    """

    def __init__(
        self,
        source: Source,
        attributes: dict[str, str],
        line: int,
        *,
        rooted: bool = False,
        continues: bool = False,
    ) -> None:
        self._source = source
        self.attributes, self.line, self.rooted = attributes, line, rooted
        self.continues, self.outer, self.cut, self.ranged = continues, False, False, False
        self.columns = AttributeColumns(source)
        self.words: dict[int, list[WordLink]] = {}
        self.notes = Notes()
        self._waiting: list[Sequence[tuple[str, str]]] = []
        self._waiting_lines: list[int] = []
        self._waiting_words: dict[int, list[WordLink]] = {}
        self._size = 0
        self._codes = _codes(), _codes()
        self._members: tuple[list[NDArray[np.int64]], ...] = ([_NONE], [_NONE])
        self._lengths: tuple[list[NDArray[np.int64]], ...] = ([_NONE], [_NONE])
        self._lines: list[NDArray[np.int64]] = [_NONE]
        self._scores: list[NDArray[np.float64]] = [np.zeros(0)]

    def __len__(self) -> int:
        return self._size

    @property
    def pair(self) -> tuple[str, str]:
        """The names of the two documents; empty where they are not named."""
        return self.attributes.get("fromDoc", ""), self.attributes.get("toDoc", "")

    @property
    def lines(self) -> NDArray[np.int64]:
        """The line of each link."""
        return np.concatenate(self._lines)

    @property
    def scores(self) -> NDArray[np.float64]:
        """The `certainty` of each link; `nan` where it has none."""
        return np.concatenate(self._scores)

    def add(
        self, attributes: Sequence[tuple[str, str]], line: int, words: Sequence[WordLink] = ()
    ) -> None:
        """Take up a link; it is looked at later, with many others at once."""
        if words:
            self._waiting_words[len(self._waiting)] = list(words)
        self._waiting.append(attributes)
        self._waiting_lines.append(line)
        if len(self._waiting) >= _AT_ONCE:
            self.settle()

    def settle(self) -> None:
        """Look at the links taken up one by one since the last time."""
        if self._waiting:
            if sum(map(len, self._waiting)) > _AT_ONCE * _AT_ONCE:  # else there are few cells
                names = {name for link in self._waiting for name, _ in link}
                values, line = sum(map(len, self._waiting)), self._waiting_lines[0]
                self.columns.refuse_sparse(len(names), len(self._waiting), values, line)
            columns, lines = _transposed(self._waiting), np.array(self._waiting_lines)
            words = self._waiting_words
            self._waiting, self._waiting_lines, self._waiting_words = [], [], {}
            self.take(columns, lines, words)

    def take(
        self,
        columns: dict[str, Sequence[str | None]],
        lines: NDArray[np.int64],
        words: dict[int, list[WordLink]] | None = None,
    ) -> None:
        """Take up many links by their attributes.

        Raises
        ------
        FormatError
            When a link is not one, with its line, unless bad units are collected.

        """
        targets = columns.pop("xtargets", [None] * len(lines))
        halves = _halves(targets)
        if halves is None:
            kept = self._without_flaws(targets, lines)
            columns["xtargets"] = targets
            self.take(*_kept(columns, lines, words or {}, kept))
            return
        bare = (halves[0].lengths == 0) & (halves[1].lengths == 0)
        if bare.any():
            first = f"{self._source.path} line {lines[bare.argmax()]}"
            self.notes.add("links without any id, left out", first, int(bare.sum()))
            columns, lines, words = _kept(columns, lines, words or {}, ~bare)
        for side, half in enumerate(halves):
            codes = map(self._codes[side].__getitem__, half.names)
            self._members[side].append(np.fromiter(codes, dtype=np.int64, count=len(half.names)))
            self._lengths[side].append(half.lengths[~bare])
        self._scores.append(_scores(columns, len(lines)))
        line = int(lines[0]) if len(lines) else self.line
        self.columns.extend(self._size, self._named(columns), line)
        self.words.update((self._size + k, held) for k, held in (words or {}).items())
        self._lines.append(lines)
        self._size += len(lines)

    def _without_flaws(
        self, targets: Sequence[str | None], lines: NDArray[np.int64]
    ) -> NDArray[np.bool_]:
        """Refuse the links that are none; tell which others there are."""
        flaws = list(map(_flaw, targets))
        for flaw, line in zip(flaws, lines.tolist(), strict=True):
            if flaw:
                self._source.refuse(flaw, line)
        return np.array([not flaw for flaw in flaws])

    def _named(
        self, columns: Mapping[str, Sequence[str | None]]
    ) -> dict[str, Sequence[str | None]]:
        """Return columns by the names that are meant, without new ones that have no value."""
        named: dict[str, Sequence[str | None]] = {}
        for spelled, column in columns.items():
            name = meant(spelled.replace(_XML, "xml:").rpartition("}")[2])
            if name in named:  # spelled in two ways
                both = zip(named[name], column, strict=True)
                column = [old if new is None else new for old, new in both]
            if name in self.columns or column.count(None) < len(column):
                named[name] = column
        return named

    def halves(self) -> tuple[Half, Half]:
        """Return the two halves of the links, all of them settled."""
        return self._half(0), self._half(1)

    def _half(self, side: int) -> Half:
        lengths = prefix(np.concatenate(self._lengths[side]))
        return Half(list(self._codes[side]), Rows(lengths, np.concatenate(self._members[side])))

    def is_disjoint(self, other: Group) -> bool:
        """Tell whether no id of the other group occurs in the same half of this one."""
        pairs = zip(self._codes, other._codes, strict=True)
        return all(mine.keys().isdisjoint(theirs) for mine, theirs in pairs)

    def extend(self, other: Group) -> None:
        """Take up the links of another group of the same documents; both are settled."""
        for side, (mine, theirs) in enumerate(zip(self._codes, other._codes, strict=True)):
            codes = np.fromiter(map(mine.__getitem__, theirs), dtype=np.int64, count=len(theirs))
            self._members[side].extend(codes[some] for some in other._members[side])
            self._lengths[side].extend(other._lengths[side])
        self.columns.extend(self._size, other.attribute_columns(), other.line)
        self.words.update((self._size + k, held) for k, held in other.words.items())
        self._lines.extend(other._lines)
        self._scores.extend(other._scores)
        self._size += len(other)
        self.ranged |= other.ranged
        self.notes.extend(other.notes)

    def attribute_columns(self) -> dict[str, list[str | None]]:
        """Return the columns, one value a link."""
        return self.columns.whole(len(self), self.line)


def _codes() -> defaultdict[str, int]:
    """Return a dictionary that numbers its keys in the order in which they are first asked for."""
    return defaultdict(count().__next__)


def _transposed(links: list[Sequence[tuple[str, str]]]) -> dict[str, Sequence[str | None]]:
    """Return the attributes of links as columns."""
    flat = list(chain.from_iterable(links))
    names = [name for name, _ in links[0]]
    width = len(names)
    if [name for name, _ in flat] == names * len(links):  # the usual case, and the fast one
        return {name: [value for _, value in flat[k::width]] for k, name in enumerate(names)}
    rows = [dict(link) for link in links]
    return {name: [row.get(name) for row in rows] for name in dict.fromkeys(n for n, _ in flat)}


def _kept(
    columns: dict[str, Sequence[str | None]],
    lines: NDArray[np.int64],
    words: dict[int, list[WordLink]],
    kept: NDArray[np.bool_],
) -> tuple[dict[str, Sequence[str | None]], NDArray[np.int64], dict[int, list[WordLink]]]:
    """Return what there is of some links only."""
    place = np.cumsum(kept) - 1
    return (
        {name: list(compress(column, kept)) for name, column in columns.items()},
        lines[kept],
        {int(place[k]): held for k, held in words.items() if kept[k]},
    )


def _flaw(targets: str | None) -> str:
    """Say what is wrong with the targets of a link; empty for nothing."""
    if targets is None:
        return 'has a link without xtargets; want one as <link xtargets="s1 s2;s1"/>'
    semicolons = targets.count(";")
    if semicolons != 1:
        return (
            f"xtargets is {targets[:60]!r}, with {semicolons} semicolons; want one, between the "
            f"ids of the two sides"
        )
    for half in targets.split(";"):
        names = half.split()
        if len(set(names)) < len(names):
            return f"xtargets names {first_repeat(names)!r} twice on one side; want each id once"
    return ""


class _Named(NamedTuple):
    """One half of some links: all the ids in order, and where those of each link begin."""

    names: list[str]
    ptr: NDArray[np.int64]

    @property
    def lengths(self) -> NDArray[np.int64]:
        return np.diff(self.ptr)

    def has_twice(self) -> bool:
        """Tell whether a link has an id twice."""
        names, lengths = self.names, self.lengths
        twos = self.ptr[:-1][lengths == 2].tolist()  # by far the most of those with several
        if any(names[k] == names[k + 1] for k in twos):
            return True
        many = np.flatnonzero(lengths > 2)
        spans = zip(self.ptr[many].tolist(), self.ptr[many + 1].tolist(), strict=True)
        return any(len(set(names[begin:end])) < end - begin for begin, end in spans)


def _halves(targets: Sequence[str | None]) -> tuple[_Named, _Named] | None:
    """Return the names of both halves; `None` where a link has a flaw."""
    if None in targets:
        return None
    whole = "\n".join(targets) + "\n" if targets else ""  # type: ignore[arg-type]  # just looked
    if whole.count("\n") != len(targets):
        whole = "\n".join(" ".join(text.split()) for text in targets if text is not None) + "\n"
    if not whole.isascii() or "\t" in whole:
        whole = _BLANK.sub(" ", whole)
    signs = np.frombuffer(whole.encode(), dtype=np.uint8)
    at = np.flatnonzero((signs == _SPACE) | (signs == _LINE_END) | (signs == _SEMICOLON))
    kinds = signs[at]
    borders = kinds[kinds != _SPACE]
    if borders.size != 2 * len(targets) or (borders[::2] != _SEMICOLON).any():
        return None
    # Halves are numbered through; each sign ends the half that it stands behind, or a name in it.
    half = np.cumsum(kinds != _SPACE) - (kinds != _SPACE)
    named = half[np.diff(at, prepend=-1) > 1]
    lengths = np.bincount(named, minlength=borders.size)
    names = whole.replace(";", " ").split()
    if borders.size == len(names) and (lengths == 1).all():  # 1-1 throughout
        sides = names[::2], names[1::2]
    else:
        is_right = (named & 1).astype(bool)
        sides = (
            list(compress(names, (~is_right).tobytes())),
            list(compress(names, is_right.tobytes())),
        )
    left = _Named(sides[0], prefix(lengths[::2]))
    right = _Named(sides[1], prefix(lengths[1::2]))
    return None if left.has_twice() or right.has_twice() else (left, right)


def _scores(columns: dict[str, Sequence[str | None]], size: int) -> NDArray[np.float64]:
    """Take the scores out of the column `certainty`; what is no number stays in it."""
    certainty = columns.pop("certainty", None)
    if certainty is None:
        return np.full(size, nan)
    quick = _floats(certainty)
    if quick is not None:
        return quick
    known = [score_of(value or "") for value in certainty]
    scores = [nan if score is None else score for score in known]
    rest = [
        value if score != score and value and value.strip() else None  # noqa: PLR0124 - nan
        for value, score in zip(certainty, scores, strict=True)
    ]
    if rest.count(None) < len(rest):
        columns["certainty"] = rest
    return np.array(scores, dtype=np.float64)


def _floats(values: Sequence[str | None]) -> NDArray[np.float64] | None:
    """Return the numbers that are spelled, `None` where any is not one."""
    joined = "" if None in values else "".join(values)  # type: ignore[arg-type]  # just looked
    if None in values or "_" in joined or not joined.isascii():
        return None
    try:
        numbers = np.fromiter(map(float, values), dtype=np.float64, count=len(values))  # type: ignore[arg-type]
    except ValueError:
        return None
    return numbers if np.isfinite(numbers).all() else None


# Links put into groups, as an XCES file is gone through.

_KNOWN = frozenset({"targType", "fromDoc", "toDoc", "version"})  # attributes that are read
_SHARED = ("fromDoc", "toDoc", "version")  # what a group has from cesAlign when not of its own


class Builder:
    """Puts links into groups; groups may lie in groups, and links outside of any.

    Parameters
    ----------
    source : Source
        The file, for messages.
    cut : callable or None
        Tells of a group that has become long whether it may be handed out in parts.
    rooted : bool
        Whether the root of the file is a `linkGrp`.

    """

    def __init__(
        self, source: Source, cut: Callable[[Group], bool] | None = None, *, rooted: bool = False
    ) -> None:
        self._source, self._cut = source, cut
        self._rooted = rooted
        self._open: list[Group] = []
        self._loose: Group | None = None
        self._shared: dict[str, str] = {}

    def share(self, attributes: dict[str, str]) -> None:
        """Take what a `cesAlign` says for all groups in it."""
        self._shared = {key: attributes[key] for key in _SHARED if key in attributes}
        self._note_attributes(attributes, 0)

    def translation(self, attributes: dict[str, str]) -> None:
        """Take the name of a document from the header (XCES 1.0), by its number."""
        side = {"1": "fromDoc", "2": "toDoc"}.get(attributes.get("n", ""))
        if side and attributes.get("trans.loc"):
            self._shared.setdefault(side, attributes["trans.loc"])

    def group(self) -> Group:
        """Return the group that is open; outside of any, one made for loose links."""
        if self._open:
            return self._open[-1]
        if self._loose is None:
            self._loose = Group(self._source, dict(self._shared), 1)
        return self._loose

    def part(self) -> Iterator[Group]:
        """Yield the links so far of the group that is open, if it is long and may be cut."""
        group = self.group()
        if self._cut is None or len(group) < PART or not self._cut(group):
            return
        group.settle()
        group.cut = True
        more = Group(
            self._source, group.attributes, group.line, rooted=group.rooted, continues=True
        )
        more.outer = group.outer
        if self._open:
            self._open[-1] = more
        else:
            self._loose = more
        yield group

    def open(self, attributes: dict[str, str], line: int) -> Iterator[Group]:
        """Begin a group; yield the links that stood loose before it."""
        yield from self._take_loose()
        around = self._shared
        if self._open:
            self._open[-1].outer = True
            around = self._open[-1].attributes
        whole = {**{key: around[key] for key in _SHARED if key in around}, **attributes}
        rooted = self._rooted and not self._open
        self._note_attributes(attributes, line)
        self._open.append(Group(self._source, whole, line, rooted=rooted))

    def _note_attributes(self, attributes: dict[str, str], line: int) -> None:
        """Note the attributes of a root or a group that nothing is made of."""
        for name in attributes:
            if name not in _KNOWN and not name.startswith(("xmlns", "xml:", "xsi:")):
                where = f"{self._source.path} line {line}" if line else self._source.path
                kind = "attributes of cesAlign and linkGrp, left out"
                self._source.notes.add(kind, f"{where}: {name[:40]}")

    def close(self) -> Iterator[Group]:
        """End the group that is open and yield it, unless it only held other groups."""
        if self._open:
            group = self._open.pop()
            group.settle()
            if len(group) or not (group.outer or group.continues):
                yield group

    def flush(self) -> Iterator[Group]:
        """Yield what is left: loose links, and in SGML groups that were never closed."""
        while self._open:
            yield from self.close()
        yield from self._take_loose()

    def _take_loose(self) -> Iterator[Group]:
        if self._loose is not None:
            self._loose.settle()
            if len(self._loose) or not self._loose.continues:
                yield self._loose
        self._loose = None
