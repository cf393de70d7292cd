"""A group of XCES links, held small: ids as numbers, rows as arrays.

The two halves of `xtargets` are called left and right here: which of them points into which
document is decided later, when the group is whole.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from itertools import count
from math import nan
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bitext.formats.opening import Notes
from bitext.kernels.rows import Rows, prefix, row_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from bitext.formats.opening import Source

__all__ = ["Group", "Half"]

_AT_ONCE = 20_000
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
        self._targets: list[str] = []
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

    def add(self, targets: str | None, attributes: Iterable[tuple[str, str]], line: int) -> None:
        """Take up a link by its xtargets and all its attributes.

        Its ids are looked at later, many links at a time.
        """
        if targets is None:
            raise self._source.error(
                'has a link without xtargets; want one as <link xtargets="s1 s2;s1"/>', line
            )
        if targets.strip() == _MIDDLE:
            self.notes.add("links without any id, left out", f"{self._source.path} line {line}")
            return
        at = len(self.lines)
        score = nan
        for name, value in attributes:
            if name == "xtargets":
                continue
            if name == "certainty":
                score = _number(value)
                if score == score or not value.strip():  # noqa: PLR0124 - nan
                    continue
            column = self.columns.get(name)
            if column is None:
                column = self.columns[name] = []
            if len(column) < at:
                column.extend([None] * (at - len(column)))
            column.append(value)
        self._targets.append(targets)
        self.scores.append(score)
        self.lines.append(line)
        if len(self._targets) >= _AT_ONCE:
            self.settle()

    def settle(self) -> None:
        """Number the ids of the links taken up since the last time."""
        if not self._targets:
            return
        whole = f" {_END} ".join(self._targets).replace(_MIDDLE, f" {_MIDDLE} ")
        names = [*whole.split(), _END]
        codes = np.fromiter(map(self._codes.__getitem__, names), dtype=np.int64, count=len(names))
        ends, middles = np.flatnonzero(codes == 0), np.flatnonzero(codes == 1)
        each = np.diff(np.searchsorted(middles, ends), prepend=0)
        if (each != 1).any():
            self._refuse_semicolons(int(np.flatnonzero(each != 1)[0]))
        begins = np.append(0, ends[:-1] + 1)
        is_right = np.zeros(len(codes), dtype=bool)
        is_right[middles] = True
        is_right = np.cumsum(is_right) - np.cumsum(codes == 0) == 1
        for side, (lengths, here) in enumerate(
            ((middles - begins, ~is_right), (ends - middles - 1, is_right))
        ):
            members = codes[here & (codes > 1)]
            self._refuse_twice(Rows(prefix(lengths), members))
            self._lengths[side].append(lengths)
            self._members[side].append(members)
        self._targets = []

    def _refuse_semicolons(self, k: int) -> None:
        targets = self._targets[k]
        raise self._source.error(
            f"xtargets is {targets[:60]!r}, with {targets.count(_MIDDLE)} semicolons; want one, "
            f"between the ids of the two sides",
            self.lines[len(self.lines) - len(self._targets) + k],
        )

    def _refuse_twice(self, rows: Rows) -> None:
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
                self.lines[len(self.lines) - len(self._targets) + int(row[first])],
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
        begin = len(self)
        codes = np.fromiter(map(self._codes.__getitem__, other._codes), dtype=np.int64)
        for side, half in enumerate(other.halves()):
            self._lengths[side].extend(other._lengths[side])
            self._members[side].extend(codes[some] for some in other._members[side])
            if self._known is not None:
                self._known[side].update(half.ids)
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
