"""The tables of a project in SQLite, how rows of lists stand in them, and states of a project."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from json.encoder import encode_basestring
from typing import TYPE_CHECKING, Any, NamedTuple

from bitext.errors import InputError
from bitext.workbench.changes import (
    SIDES,
    Bead,
    ChangeRefused,
    Row,
    RowList,
    Segment,
    Sentence,
    Splice,
)

if TYPE_CHECKING:
    import sqlite3


# The schema, version by version: a file of an older one is brought to the last when it is opened.
MIGRATIONS = (
    """
    CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE texts (id INTEGER PRIMARY KEY, name TEXT NOT NULL, language TEXT NOT NULL);
    CREATE TABLE sentences (
        text INTEGER NOT NULL REFERENCES texts, id TEXT NOT NULL, rank INTEGER NOT NULL,
        content TEXT NOT NULL, paragraph INTEGER NOT NULL, PRIMARY KEY (text, id)) WITHOUT ROWID;
    CREATE TABLE alignments (
        id INTEGER PRIMARY KEY, name TEXT NOT NULL, annotator TEXT NOT NULL,
        source INTEGER NOT NULL REFERENCES texts, target INTEGER NOT NULL REFERENCES texts,
        version INTEGER NOT NULL DEFAULT 0, document INTEGER NOT NULL DEFAULT 0,
        meta TEXT NOT NULL DEFAULT '{}');
    CREATE TABLE beads (
        alignment INTEGER NOT NULL REFERENCES alignments, id TEXT NOT NULL, rank INTEGER NOT NULL,
        source TEXT NOT NULL, target TEXT NOT NULL, state TEXT NOT NULL, probability REAL,
        comment TEXT NOT NULL, bookmark INTEGER NOT NULL,
        PRIMARY KEY (alignment, id)) WITHOUT ROWID;
    CREATE TABLE journal (
        seq INTEGER PRIMARY KEY AUTOINCREMENT, alignment INTEGER NOT NULL REFERENCES alignments,
        annotator TEXT NOT NULL, time TEXT NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL,
        splices TEXT NOT NULL, of INTEGER, latest INTEGER, undone INTEGER NOT NULL DEFAULT 0);
    CREATE INDEX journal_of_alignment ON journal (alignment, undone, seq);
    CREATE TABLE effects (
        alignment INTEGER NOT NULL REFERENCES alignments, seq INTEGER NOT NULL REFERENCES journal,
        splices TEXT NOT NULL, PRIMARY KEY (alignment, seq)) WITHOUT ROWID;
    CREATE TABLE locks (
        alignment INTEGER PRIMARY KEY REFERENCES alignments, holder TEXT NOT NULL,
        annotator TEXT NOT NULL, expires REAL NOT NULL);
    """,
    # Segmentations: rows of `alignments` whose two texts are one.
    """
    ALTER TABLE alignments ADD COLUMN kind TEXT NOT NULL DEFAULT 'alignment';
    CREATE TABLE segments (
        alignment INTEGER NOT NULL REFERENCES alignments, id TEXT NOT NULL, rank INTEGER NOT NULL,
        start TEXT NOT NULL, types TEXT NOT NULL, state TEXT NOT NULL, comment TEXT NOT NULL,
        bookmark INTEGER NOT NULL, PRIMARY KEY (alignment, id)) WITHOUT ROWID;
    """,
    # Word links of beads, and what the words of a text are.
    """
    ALTER TABLE beads ADD COLUMN words TEXT NOT NULL DEFAULT '[]';
    ALTER TABLE beads ADD COLUMN linked INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE texts ADD COLUMN words TEXT NOT NULL DEFAULT 'words-1';
    """,
    # Places of a segmentation that are decided in segments that are not.
    """
    ALTER TABLE segments ADD COLUMN decided TEXT NOT NULL DEFAULT '[]';
    """,
)


class Stale(ChangeRefused):
    """A change that was made on a version that is no longer the last."""

    def __init__(self, version: int) -> None:
        self.version = version
        super().__init__(f"the alignment has changed since: its version is {version}")


class Locked(InputError):  # noqa: N818 - a state, not a mistake
    """An alignment that somebody else is editing."""

    def __init__(self, annotator: str) -> None:
        self.annotator = annotator
        super().__init__(f"{annotator} is editing this alignment")


class NoSuchAlignment(InputError):  # noqa: N818 - as the others
    """A number that no alignment of the project has."""


class Entry(NamedTuple):
    """An entry of the journal, as one alignment sees it."""

    version: int  # its number
    time: str  # UTC, ISO 8601
    annotator: str
    kind: str  # one of "change", "undo", "redo"
    name: str  # what was done, as `merge`
    splices: list[Splice]
    undone: bool = False
    # The number of the change that was made, taken back or done again in this alignment; `None` for
    # what follows from a change of another one.
    of: int | None = None


class AlignmentInfo(NamedTuple):
    """An alignment or a segmentation of a project, without its rows."""

    id: int
    name: str  # that of its document
    annotator: str  # whose it is; empty: the proposal that annotators begin with
    # `source`, `target`: its texts; those of a segmentation are one.
    source: int
    target: int
    version: int
    document: int  # the number of the proposal
    kind: str = "alignment"  # one of "alignment", "segmentation"

    @property
    def own(self) -> tuple[str, int]:
        """The table of its beads or segments, and its number."""
        return ("segments" if self.kind == "segmentation" else "beads"), self.id

    @property
    def tables(self) -> dict[str, tuple[str, int]]:
        """The table of each list of rows, and whose rows they are: those of a text, or its own."""
        if self.kind == "segmentation":
            return {"source": ("sentences", self.source), "segments": self.own}
        texts = {side: ("sentences", getattr(self, side)) for side in SIDES}
        return {**texts, "beads": self.own}


INFO = "id, name, annotator, source, target, version, document, kind"
# Of each table with rows: the column of the text or alignment, and those after the id and the rank.
_COLUMNS = {
    "sentences": ("text", "content, paragraph"),
    "beads": (
        "alignment",
        "source, target, state, probability, comment, bookmark, words, linked",
    ),
    "segments": ("alignment", "start, types, state, comment, bookmark, decided"),
}


class _Queries(NamedTuple):
    """The queries of a table with rows."""

    select: str
    insert: str
    replace: str
    delete: str
    ids: str
    rank: str


def _queries(table: str, owner: str, others: str) -> _Queries:
    marks = ", ".join("?" * (4 + others.count(",")))
    insert = f"INTO {table} ({owner}, id, rank, {others}) VALUES ({marks})"
    return _Queries(
        f"SELECT rank, id, {others} FROM {table} WHERE {owner} = ? ORDER BY rank",  # noqa: S608
        f"INSERT {insert}",
        f"INSERT OR REPLACE {insert}",
        f"DELETE FROM {table} WHERE {owner} = ? AND id = ?",  # noqa: S608
        f"SELECT id FROM {table} WHERE {owner} = ? ORDER BY rank",  # noqa: S608
        f"UPDATE {table} SET rank = ? WHERE {owner} = ? AND id = ?",  # noqa: S608
    )


_QUERIES = {table: _queries(table, *names) for table, names in _COLUMNS.items()}
SINCE = """
    SELECT seq, time, annotator, kind, name, splices, undone, COALESCE(of, seq) FROM journal
    WHERE alignment = ? AND seq > ?
    UNION ALL
    SELECT e.seq, j.time, j.annotator, j.kind, j.name, e.splices, j.undone, NULL
    FROM effects e JOIN journal j ON j.seq = e.seq WHERE e.alignment = ? AND e.seq > ?
"""
HISTORY = """
    SELECT seq, time, annotator, kind, name, '[]', undone, COALESCE(of, seq) FROM journal
    WHERE alignment = ? AND seq < ?
    UNION ALL
    SELECT e.seq, j.time, j.annotator, j.kind, j.name, '[]', j.undone, NULL
    FROM effects e JOIN journal j ON j.seq = e.seq WHERE e.alignment = ? AND e.seq < ?
    ORDER BY seq DESC LIMIT ?
"""


_spell = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode


def spelled(value: object) -> str:
    """Return a value as JSON without blanks."""
    return _spell(value)


def _spelled_ids(ids: Iterable[str]) -> str:
    """Return ids as `spelled` does: thousands of rows have some each."""
    return f"[{','.join(map(encode_basestring, ids))}]"


def _sentence_of(row: tuple[Any, ...]) -> Sentence:
    return Sentence(row[1], row[2], bool(row[3]))


def _bead_of(row: tuple[Any, ...]) -> Bead:
    source, target = (tuple(json.loads(side)) for side in row[2:4])
    words = () if row[8] == "[]" else tuple(tuple(link) for link in json.loads(row[8]))
    about = row[4], row[5], row[6], bool(row[7])
    return Bead(row[1], source, target, *about, words, bool(row[9]))


def _segment_of(row: tuple[Any, ...]) -> Segment:
    types, decided = (tuple(json.loads(each)) for each in (row[3], row[7]))
    return Segment(row[1], row[2], types, row[4], row[5], bool(row[6]), decided)


READ: dict[str, Callable[[tuple[Any, ...]], Row]] = {
    "sentences": _sentence_of,
    "beads": _bead_of,
    "segments": _segment_of,
}


def columns(row: Row) -> tuple[Any, ...]:
    """Return the columns of a row after its number, id and rank."""
    if isinstance(row, Sentence):
        return row.text, int(row.paragraph)
    if isinstance(row, Segment):
        types, decided = spelled(row.types), spelled(row.decided)
        return row.start, types, row.state, row.comment, int(row.bookmark), decided
    sides = _spelled_ids(row.source), _spelled_ids(row.target)
    about = row.state, row.probability, row.comment, int(row.bookmark)
    return (*sides, *about, spelled(row.words) if row.words else "[]", int(row.linked))


# Rows in memory and in the file of a project.
#
# Rows have ranks with gaps, so that a change writes the rows that it touches and no others.


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
            found_rows = self._db.execute(_QUERIES[table].select, (number,)).fetchall()
            rows = RowList(READ[table](row) for row in found_rows)
            self._shelves[key] = Shelf(rows, [row[0] for row in found_rows])
        return self._shelves[key]

    def fill(self, table: str, number: int | None, rows: Iterable[Row]) -> None:
        """Write the first rows of a list."""
        self._write(
            _QUERIES[table].insert, number, ((k * _STEP, row) for k, row in enumerate(rows))
        )

    def _write(self, query: str, number: int | None, rows: Iterable[tuple[int, Row]]) -> None:
        values = ((number, row.id, rank, *columns(row)) for rank, row in rows)
        self._db.executemany(query, values)

    def save(self, info: AlignmentInfo, splices: Sequence[Splice]) -> None:
        """Write the rows of splices that were applied in memory."""
        for splice in splices:
            table, number = info.tables[splice.list]
            pairs = zip(splice.remove, splice.insert, strict=False)
            kept_count = next((k for k, (old, new) in enumerate(pairs) if old.id != new.id), None)
            if kept_count is None:
                kept_count = min(len(splice.remove), len(splice.insert))
            self._save(table, number, splice, kept_count)

    def _save(self, table: str, number: int, splice: Splice, kept_count: int) -> None:
        """Write the rows of a splice, of which the first `kept_count` keep their ids and ranks."""
        ranks, start = self.shelf(table, number).ranks, splice.at + kept_count
        replaced = zip(ranks[splice.at : start], splice.insert, strict=False)
        self._write(_QUERIES[table].replace, number, replaced)
        old, new = splice.remove[kept_count:], splice.insert[kept_count:]
        self._db.executemany(_QUERIES[table].delete, [(number, row.id) for row in old])
        end = start + len(old)
        rank_span = _STEP * (len(new) + 1)
        low = ranks[start - 1] if start else (ranks[end] if end < len(ranks) else 0) - rank_span
        high = ranks[end] if end < len(ranks) else low + rank_span
        step = (high - low) // (len(new) + 1)
        if step:
            new_ranks = [low + step * (k + 1) for k in range(len(new))]
            ranks[start:end] = new_ranks
            self._write(_QUERIES[table].insert, number, zip(new_ranks, new, strict=True))
            return
        # No room between two ranks: all rows of the list have new ones. The rows in memory may be
        # those after later splices of the change, so ids are taken from the file.
        id_rows = self._db.execute(_QUERIES[table].ids, (number,)).fetchall()
        ids = [row[0] for row in id_rows]
        ids[start:start] = [row.id for row in new]
        self._write(_QUERIES[table].insert, number, ((0, row) for row in new))
        spaced = ((k * _STEP, number, each) for k, each in enumerate(ids))
        self._db.executemany(_QUERIES[table].rank, spaced)
        ranks[:] = [k * _STEP for k in range(len(ids))]
