"""Rows in memory and in the file of a project.

Rows have ranks with gaps, so that a change writes the rows that it touches and no others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from bitext.workbench.changes import RowList
from bitext.workbench.schema import DELETE, IDS, INSERT, RANK, READ, REPLACE, SELECT, columns

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Sequence

    from bitext.workbench.changes import Row, Splice
    from bitext.workbench.schema import AlignmentInfo

_STEP = 1 << 20  # between the ranks of two rows: twenty insertions at one place before all move


class Shelf(NamedTuple):
    """The rows of a list in memory, and the rank of each in the file."""

    rows: RowList
    ranks: list[int]


class Shelves:
    """The rows of the texts, alignments and segmentations of a project that are in memory."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._shelves: dict[tuple[str, int], Shelf] = {}

    def clear(self) -> None:
        """Forget the rows in memory."""
        self._shelves.clear()

    def text(self, number: int) -> Shelf:
        """Return the sentences of a text."""
        return self.shelf("sentences", number)

    def shelf(self, table: str, number: int) -> Shelf:
        """Return the rows that a table has of a text, an alignment or a segmentation."""
        key = table, number
        if key not in self._shelves:
            held = self._db.execute(SELECT[table], (number,)).fetchall()
            rows = RowList(READ[table](row) for row in held)
            self._shelves[key] = Shelf(rows, [row[0] for row in held])
        return self._shelves[key]

    def fill(self, table: str, number: int | None, rows: Iterable[Row]) -> None:
        """Write the first rows of a list."""
        self._write(INSERT[table], number, ((k * _STEP, row) for k, row in enumerate(rows)))

    def _write(self, query: str, number: int | None, rows: Iterable[tuple[int, Row]]) -> None:
        made = ((number, row.id, rank, *columns(row)) for rank, row in rows)
        self._db.executemany(query, made)

    def save(self, info: AlignmentInfo, splices: Sequence[Splice]) -> None:
        """Write the rows of splices that were applied in memory."""
        for splice in splices:
            table, number = info.tables[splice.list]
            pairs = zip(splice.remove, splice.insert, strict=False)
            same = next((k for k, (old, new) in enumerate(pairs) if old.id != new.id), None)
            if same is None:
                same = min(len(splice.remove), len(splice.insert))
            self._save(table, number, splice, same)

    def _save(self, table: str, number: int, splice: Splice, same: int) -> None:
        """Write the rows of a splice, of which the first `same` keep their ids and ranks."""
        ranks, at = self.shelf(table, number).ranks, splice.at + same
        kept = zip(ranks[splice.at : at], splice.insert, strict=False)
        self._write(REPLACE[table], number, kept)
        old, new = splice.remove[same:], splice.insert[same:]
        self._db.executemany(DELETE[table], [(number, row.id) for row in old])
        end = at + len(old)
        room = _STEP * (len(new) + 1)
        low = ranks[at - 1] if at else (ranks[end] if end < len(ranks) else 0) - room
        high = ranks[end] if end < len(ranks) else low + room
        step = (high - low) // (len(new) + 1)
        if step:
            own = [low + step * (k + 1) for k in range(len(new))]
            ranks[at:end] = own
            self._write(INSERT[table], number, zip(own, new, strict=True))
            return
        # No room between two ranks: all rows of the list have new ones. The rows in memory may be
        # those after later splices of the change, so ids are taken from the file.
        known = self._db.execute(IDS[table], (number,)).fetchall()
        ids = [row[0] for row in known]
        ids[at:at] = [row.id for row in new]
        self._write(INSERT[table], number, ((0, row) for row in new))
        spaced = ((k * _STEP, number, each) for k, each in enumerate(ids))
        self._db.executemany(RANK[table], spaced)
        ranks[:] = [k * _STEP for k in range(len(ids))]
