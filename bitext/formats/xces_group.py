"""A group of XCES links, held small: ids as numbers, rows as arrays.

The two halves of `xtargets` are called left and right here: which of them points into which
document is decided later, when the group is whole.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from itertools import chain, compress, count
from math import nan
from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np

from bitext.formats.opening import Notes
from bitext.kernels.rows import Rows, prefix, row_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bitext.formats.opening import Source

__all__ = ["Group", "Half"]

_AT_ONCE = 500  # few enough to stay in the cache
_END, _MIDDLE = "\0", ";"  # no id is one of them
_XML = "{http://www.w3.org/XML/1998/namespace}"


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
        self.lines = array("q")
        self.scores = array("d")
        self.columns: dict[str, list[str | None]] = {}
        self.notes = Notes()
        self._waiting: list[Sequence[tuple[str, str]]] = []
        self._codes: defaultdict[str, int] = defaultdict(count().__next__)
        self._codes[_END], self._codes[_MIDDLE]
        none = np.zeros(0, dtype=np.int64)
        self._members: tuple[list[NDArray[np.int64]], ...] = ([none], [none])
        self._lengths: tuple[list[NDArray[np.int64]], ...] = ([none], [none])
        self._known: tuple[set[str], set[str]] | None = None

    def __len__(self) -> int:
        return len(self.lines)

    @property
    def pair(self) -> tuple[str, str]:
        """The names of the two documents; empty where they are not named."""
        return self.attributes.get("fromDoc", ""), self.attributes.get("toDoc", "")

    def add(self, attributes: Sequence[tuple[str, str]], line: int) -> None:
        """Take up a link; it is looked at later, with many others at once."""
        self._waiting.append(attributes)
        self.lines.append(line)
        if len(self._waiting) >= _AT_ONCE:
            self.settle()

    def settle(self) -> None:
        """Look at the links taken up since the last time."""
        if not self._waiting:
            return
        columns = _transposed(self._waiting)
        count, self._waiting = len(self._waiting), []
        lines = self.lines[-count:]
        targets = columns.pop("xtargets", [None] * count)
        if None in targets:
            raise self._source.error(
                'has a link without xtargets; want one as <link xtargets="s1 s2;s1"/>',
                lines[targets.index(None)],
            )
        halves = self._halved(cast("list[str]", targets), lines)
        kept = (halves[0].lengths > 0) | (halves[1].lengths > 0)
        dropped = np.flatnonzero(~kept).tolist()
        if dropped:
            where = f"{self._source.path} line {lines[dropped[0]]}"
            self.notes.add("links without any id, left out", where, len(dropped))
            for k in reversed(dropped):
                del lines[k]
            columns = {name: list(compress(column, kept)) for name, column in columns.items()}
        del self.lines[-count:]
        for side, rows in enumerate(halves):
            self._lengths[side].append(rows.lengths[kept])
            self._members[side].append(rows.idx)
        self.scores.extend(_scores(columns, len(lines)))
        for name, column in columns.items():
            self._extend_column(name, column)
        self.lines.extend(lines)

    def _extend_column(self, name: str, column: list[str | None]) -> None:
        if name in self.columns or column.count(None) < len(column):
            mine = self.columns.setdefault(name, [])
            mine.extend([None] * (len(self.lines) - len(mine)))
            mine.extend(column)

    def _halved(self, targets: list[str], lines: Sequence[int]) -> tuple[Rows, Rows]:
        """Return the ids of both sides, as numbers."""
        whole = f" {_END} ".join(targets).replace(_MIDDLE, f" {_MIDDLE} ")
        names = [*whole.split(), _END]
        codes = np.fromiter(map(self._codes.__getitem__, names), dtype=np.int64, count=len(names))
        ends, middles = np.flatnonzero(codes == 0), np.flatnonzero(codes == 1)
        wrong = np.flatnonzero(np.diff(np.searchsorted(middles, ends), prepend=0) != 1)
        if wrong.size:
            k = int(wrong[0])
            raise self._source.error(
                f"xtargets is {targets[k][:60]!r}, with {targets[k].count(_MIDDLE)} semicolons; "
                f"want one, between the ids of the two sides",
                lines[k],
            )
        begins = np.append(0, ends[:-1] + 1)
        is_right = np.cumsum(codes == 1) - np.cumsum(codes == 0) == 1
        is_id = codes > 1
        halves = (
            Rows(prefix(middles - begins), codes[is_id & ~is_right]),
            Rows(prefix(ends - middles - 1), codes[is_id & is_right]),
        )
        for rows in halves:
            self._refuse_twice(rows, lines)
        return halves

    def _refuse_twice(self, rows: Rows, lines: Sequence[int]) -> None:
        """Refuse an id twice in one half of a link."""
        row = row_of(rows)
        several = rows.lengths[row] > 1
        row, members = row[several], rows.idx[several]
        order = np.lexsort((members, row))
        same = (np.diff(row[order]) == 0) & (np.diff(members[order]) == 0)
        if same.any():
            first = order[int(np.flatnonzero(same)[0])]
            raise self._source.error(
                f"xtargets names {list(self._codes)[members[first]]!r} twice on one side; want "
                f"each id once",
                lines[int(row[first])],
            )

    def halves(self) -> tuple[Half, Half]:
        """Return the two halves of the links, all of them settled."""
        names = list(self._codes)
        return self._half(0, names), self._half(1, names)

    def _half(self, side: int, names: list[str]) -> Half:
        members = np.concatenate(self._members[side])
        pointers = prefix(np.concatenate(self._lengths[side]))
        first = np.full(len(names), members.size)
        first[members[::-1]] = np.arange(members.size)[::-1]  # the last written is the first met
        order = np.argsort(first, kind="stable")[: int((first < members.size).sum())]
        rank = np.zeros(len(names), dtype=np.int64)
        rank[order] = np.arange(order.size)
        ids = list(map(names.__getitem__, order.tolist()))
        return Half(ids, Rows(pointers, rank[members]))

    def is_disjoint(self, other: Group) -> bool:
        """Tell whether no id of the other group occurs in the same half of this one."""
        if self._known is None:
            left, right = self.halves()
            self._known = set(left.ids), set(right.ids)
        return all(
            known.isdisjoint(half.ids)
            for known, half in zip(self._known, other.halves(), strict=True)
        )

    def extend(self, other: Group) -> None:
        """Take up the links of another group of the same documents; both are settled."""
        codes = np.fromiter(map(self._codes.__getitem__, other._codes), dtype=np.int64)
        for side, half in enumerate(other.halves()):
            self._lengths[side].extend(other._lengths[side])
            self._members[side].extend(codes[some] for some in other._members[side])
            if self._known is not None:
                self._known[side].update(half.ids)
        for name, column in other.columns.items():
            self._extend_column(name, column)
        self.lines.extend(other.lines)
        self.scores.extend(other.scores)
        for note in other.notes.all():
            self.notes.add(note.kind, note.first, note.count)

    def attribute_columns(self) -> dict[str, list[str | None]]:
        """Return the columns, one value a link."""
        return {
            name.replace(_XML, "xml:").rpartition("}")[2]: column
            + [None] * (len(self) - len(column))
            for name, column in self.columns.items()
        }


def _transposed(links: list[Sequence[tuple[str, str]]]) -> dict[str, list[str | None]]:
    """Return the attributes of links as columns."""
    flat = list(chain.from_iterable(links))
    names = [name for name, _ in links[0]]
    width = len(names)
    if [name for name, _ in flat] == names * len(links):  # the usual case, and the fast one
        return {name: [value for _, value in flat[k::width]] for k, name in enumerate(names)}
    rows = [dict(link) for link in links]
    return {name: [row.get(name) for row in rows] for name in dict.fromkeys(n for n, _ in flat)}


def _scores(columns: dict[str, list[str | None]], count: int) -> list[float]:
    """Take the scores out of the column `certainty`; what is no number stays in it."""
    certainty = columns.pop("certainty", None)
    if certainty is None:
        return [nan] * count
    scores = [nan if value is None else _number(value) for value in certainty]
    rest = [
        value if score != score and value and value.strip() else None  # noqa: PLR0124 - nan
        for value, score in zip(certainty, scores, strict=True)
    ]
    if rest.count(None) < len(rest):
        columns["certainty"] = rest
    return scores


def _number(text: str) -> float:
    """Return the number, or `nan` where there is none."""
    try:
        return nan if "_" in text else float(text)
    except ValueError:
        return nan
