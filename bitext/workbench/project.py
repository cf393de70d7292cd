"""The file of a project: texts, alignments, and the journal of their changes, in SQLite.

Every change is checked, applied and entered in the journal in one transaction, which is on the disk
when it is acknowledged (WAL, `synchronous=FULL`). Entries are never removed: undo and redo append
entries of their own. `version` of an alignment is the number of the last entry that concerns it;
alignments that share a text also share the changes of its sentences.
"""

from __future__ import annotations

import json
import os
import sqlite3
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any, Self, cast

from bitext.errors import FormatError, InputError
from bitext.formats.io.source import Notes, open_source
from bitext.paths import is_file
from bitext.workbench.changes import (
    SIDES,
    Bead,
    ChangeRefused,
    Lists,
    Row,
    RowList,
    Segment,
    Segments,
    Sentence,
    Splice,
    State,
    carried,
    inverse,
    splices_of,
    splices_to_json,
)
from bitext.workbench.schema import (
    HISTORY,
    INFO,
    MIGRATIONS,
    SINCE,
    AlignmentInfo,
    Entry,
    Locked,
    NoSuchAlignment,
    Shelves,
    Stale,
    spelled,
)
from bitext.workbench.words import WORDS

LOCK_SECONDS = 60.0  # a lock ends so long after the last sign of life
_LONGEST_LOCK = 2 * LOCK_SECONDS  # a lock that lasts longer is of before the clock went back

_APPLICATION = 0x62697478  # "bitx": what SQLite's header says of a project
_NAME_LENGTH = 200  # characters of names
_MAX_RECENT_ROWS = 200_000  # rows in memory of entries of the journal, set by hand
_LOCK_PATIENCE = 10.0  # seconds to wait for another process that writes

# What `undone` of an entry of the journal says.
_DONE, _UNDONE, _DROPPED = 0, 1, 2  # the last: undone, and other changes came after


class Project:
    """An open project, of an existing file.

    Its methods may be called from several threads, and several processes may have a file open.
    `clock` returns the time in seconds, by which locks end; `durable` tells whether a change waits
    until it is on the disk, and so survives a power failure.

    Raises `InputError` when the file does not exist, or cannot be opened, and `FormatError` when it
    is not a project, or one of a later version of bitext.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        clock: Callable[[], float] = time.time,
        durable: bool = True,
    ) -> None:
        self.path = Path(path)
        if not is_file(self.path):
            open_source(str(path)).close()  # raises, with the nearest name there is
            raise InputError(f"{path}: is no file, as a project is: name another")
        self._clock = clock
        self._durable = durable
        self._lock = threading.RLock()
        self._states: dict[int, Lists] = {}
        self._recent: dict[int, list[Splice]] = {}  # of entries of the journal, the last ones
        self._data_version = -1
        self._absolute_path = self.path.absolute()
        self._file = self._file_now()
        with self._named_errors():
            self._db = sqlite3.connect(
                self.path, timeout=_LOCK_PATIENCE, isolation_level=None, check_same_thread=False
            )
            self._shelves = Shelves(self._db)
            try:
                self._set_up()
            except BaseException:
                self._db.close()
                raise

    @classmethod
    def create(cls, path: str | os.PathLike[str], name: str, **options: Any) -> Project:
        """Create the file of a project without alignments, and open it.

        Raises `InputError` when there is a file of this name, or it cannot be written.
        """
        try:
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o644))
        except FileExistsError:
            raise InputError(f"{path}: exists already: open it, or choose another name") from None
        except OSError as error:
            raise InputError(f"{path}: cannot be created: {error.strerror}") from None
        try:
            with closing(sqlite3.connect(path)) as db:
                db.execute(f"PRAGMA application_id = {_APPLICATION}")
            project = cls(path, **options)
            try:
                project.put("name", _stored(name))
            except BaseException:
                project.close()
                raise
        except sqlite3.Error as error:
            Path(path).unlink(missing_ok=True)
            raise InputError(f"{path}: cannot be created: {error}") from error
        except BaseException:
            Path(path).unlink(missing_ok=True)
            raise
        return project

    def _set_up(self) -> None:
        (application,) = self._db.execute("PRAGMA application_id").fetchone()
        (version,) = self._db.execute("PRAGMA user_version").fetchone()
        if application != _APPLICATION:
            raise FormatError("is no project of bitext edit", path=str(self.path))
        if version > len(MIGRATIONS):
            raise FormatError(
                f"is of a later version of bitext (schema {version}, this one knows "
                f"{len(MIGRATIONS)}): update bitext",
                path=str(self.path),
            )
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute(f"PRAGMA synchronous = {'FULL' if self._durable else 'OFF'}")
        self._db.execute("PRAGMA foreign_keys = ON")
        self._db.execute("PRAGMA trusted_schema = OFF")
        if version < len(MIGRATIONS):
            self._migrate()

    def _migrate(self) -> None:
        with self._transaction():
            # Another process may have come first.
            (version,) = self._db.execute("PRAGMA user_version").fetchone()
            for number, script in enumerate(MIGRATIONS[version:], start=version + 1):
                for statement in filter(str.strip, script.split(";")):
                    self._db.execute(statement)
                self._db.execute(f"PRAGMA user_version = {number}")

    def close(self) -> None:
        """Close the file; the project is not to be used after that."""
        with self._lock, self._named_errors():
            self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def _named_errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.OperationalError as error:
            raise InputError(
                f"{self.path}: cannot be used: {error}; check that its folder can be written, and "
                f"that the disk has room"
            ) from error
        except sqlite3.DatabaseError as error:
            raise FormatError(f"is no project, or damaged: {error}", path=str(self.path)) from error

    @contextmanager
    def _sound(self, name: str) -> Iterator[None]:
        """Refuse rows of a document that this program has not written."""
        try:
            yield
        except (ValueError, TypeError) as error:
            fault = f"is damaged, or another program has changed it: {name}: {error}"
            raise FormatError(fault, path=str(self.path)) from None

    @contextmanager
    def together(self) -> Iterator[None]:
        """Do all changes of a block as a whole or not at all."""
        with self._transaction():
            yield

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """Do the work of a block as a whole or not at all; on the disk when the block ends.

        Within another transaction it is part of that.
        """
        with self._lock, self._named_errors():
            if self._db.in_transaction:
                yield self._db
                return
            self.refuse_other_file()
            self._db.execute("BEGIN IMMEDIATE")
            try:
                self._forget_if_written()
                yield self._db
                self._db.execute("COMMIT")
            except BaseException:
                self._forget()
                with suppress(sqlite3.Error):  # SQLite itself has, where the disk is full
                    self._db.execute("ROLLBACK")
                raise

    def _file_now(self) -> tuple[int, int] | None:
        """Identify the file that has the name of the project."""
        try:
            status = self._absolute_path.stat()
        except OSError:
            return None
        return status.st_dev, status.st_ino

    def refuse_other_file(self) -> None:
        """Refuse a file that nobody finds, into which SQLite would go on to write: `InputError`."""
        if self._file_now() != self._file:
            fault = "was moved, deleted or replaced since it was opened: open it again"
            raise InputError(f"{self.path}: {fault}") from sqlite3.OperationalError(fault)

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        """See one state of the file in a block."""
        with self._lock, self._named_errors():
            if self._db.in_transaction:
                yield self._db
                return
            self._db.execute("BEGIN")
            try:
                self._db.execute("SELECT 1 FROM settings").fetchone()
                self._forget_if_written()
                yield self._db
            finally:
                self._db.execute("COMMIT")

    def _forget(self) -> None:
        self._shelves.clear()
        self._states.clear()
        self._recent.clear()

    def _forget_if_written(self) -> None:
        """Forget the rows in memory if another process has written since."""
        (data_version,) = self._db.execute("PRAGMA data_version").fetchone()
        if data_version != self._data_version:
            self._forget()
            self._data_version = data_version

    # Settings, texts and alignments

    def get(self, key: str) -> str | None:
        """Return a setting; `None` if it was not put."""
        with self._reading() as db:
            row = db.execute("SELECT value FROM settings WHERE key = ?", (key,)).fetchone()
        return None if row is None else str(row[0])

    def put(self, key: str, value: str) -> None:
        """Set a setting."""
        with self._transaction() as db:
            db.execute("INSERT OR REPLACE INTO settings VALUES (?, ?)", (key, value))

    @property
    def name(self) -> str:
        """The name of the project."""
        return self.get("name") or self.path.stem

    def add_text(
        self,
        name: str,
        language: str,
        sentences: Iterable[Sentence],
        cut: str = WORDS,
        *,
        exact: bool = True,
    ) -> int:
        """Add a text; return its number, or that of a text that is there with all the same.

        `cut` names how it is cut into words (`words.CUTS`); unless `exact`, a text that is
        there may have others.
        """
        rows, name, language = list(sentences), _stored(name), _stored(language)
        with self._transaction():
            for number, held in self._texts_named(name, language, cut if exact else "%"):
                if held == rows:
                    return number
            return self._new_text(name, language, rows, cut)

    def texts_named(self, name: str, language: str) -> list[list[Sentence]]:
        """Return the sentences of all texts of a name and language, except for those to segment."""
        with self._lock, self._named_errors():
            return [list(rows) for _, rows in self._texts_named(_stored(name), _stored(language))]

    def _texts_named(
        self, name: str, language: str, cut: str = "%"
    ) -> Iterator[tuple[int, list[Any]]]:
        # The units of a segmentation are its own: they do not change.
        query = (
            "SELECT id FROM texts WHERE name = ? AND language = ? AND words LIKE ?"
            " AND id NOT IN (SELECT source FROM alignments WHERE kind = 'segmentation')"
            " ORDER BY id"
        )
        for (number,) in self._db.execute(query, (name, language, cut)).fetchall():
            yield int(number), self._shelves.text(number).rows.rows

    def free_name(self, name: str, notes: Notes | None = None) -> str:
        """Number a name that a document has, so that each can be named; `notes` gets the new name.

        Bytes of a file name that are no UTF-8 become `?`.
        """
        name = _stored(name)
        query = "SELECT DISTINCT name FROM alignments WHERE substr(name, 1, ?) = ?"
        with self._lock, self._named_errors():
            taken = {each for (each,) in self._db.execute(query, (len(name), name))}
        if name not in taken:
            return name
        free = next(f"{name}-{k}" for k in count(2) if f"{name}-{k}" not in taken)
        if notes is not None:
            kind = "documents with the name of another of the project, named anew"
            notes.add(kind, f"{name}: {free}")
        return free

    def _new_text(
        self, name: str, language: str, rows: Sequence[Sentence], cut: str = WORDS
    ) -> int:
        number = self._db.execute(
            "INSERT INTO texts (name, language, words) VALUES (?, ?, ?)",
            (_stored(name), _stored(language), cut),
        ).lastrowid
        self._shelves.fill("sentences", number, rows)
        return int(number or 0)

    def add_document(
        self,
        name: str,
        source: int,
        target: int,
        beads: Iterable[Bead],
        *,
        meta: Mapping[str, Any] | None = None,
    ) -> int:
        """Add two texts as a document, with the alignment that annotators begin with.

        This alignment, the proposal, belongs to nobody (its annotator is the empty string), and is
        not edited. It follows changes of the sentences, like the alignments of annotators. A text
        that is aligned with itself is copied.

        Raises `ChangeRefused` when the beads break an invariant of alignments.
        """
        rows = list(beads)
        with self._transaction():
            if source == target:
                target_rows = self._shelves.text(target).rows.rows
                target = self._new_text(*self.text_of(target), target_rows, self.cut_of(target))
            cuts = self.cut_of(source), self.cut_of(target)
            State(
                self._shelves.text(source).rows,
                self._shelves.text(target).rows,
                RowList(rows),
                cuts,
            )
            return self._new(name, "", (source, target), "alignment", rows, meta=meta)

    def add_segmentation(
        self,
        name: str,
        language: str,
        units: Sequence[Sentence],
        segments: Iterable[Segment],
        *,
        document: str = "",
        meta: Mapping[str, Any] | None = None,
    ) -> int:
        """Add a text to segment as a document, with the segments that annotators begin with.

        `name` and `language` are those of the text, and `document` is the name of the document, if
        that is another. Boundaries lie between the
        `units`, which are not edited. Raises `ChangeRefused` when the segments break an invariant
        of segmentations.
        """
        rows = list(segments)
        Segments(RowList(units), RowList(rows))
        with self._transaction():
            text = self._new_text(name, language, units)
            return self._new(document or name, "", (text, text), "segmentation", rows, meta=meta)

    def assign(self, document: int, annotator: str) -> int:
        """Return the alignment of an annotator of a document; begin one with the proposal.

        `document` is the number of the document, or of an alignment of it.
        """
        if not annotator:
            raise InputError("an annotator has a name")
        annotator = annotator[:_NAME_LENGTH]
        with self._transaction() as db:
            base = self.info(self.info(document).document)
            row = db.execute(
                "SELECT id FROM alignments WHERE document = ? AND annotator = ?",
                (base.id, annotator),
            ).fetchone()
            if row is not None:
                return int(row[0])
            self._state(base)
            rows, texts = self._shelves.shelf(*base.own).rows.rows, (base.source, base.target)
            return self._new(base.name, annotator, texts, base.kind, rows, document=base.id)

    def _new(
        self,
        name: str,
        annotator: str,
        texts: tuple[int, int],
        kind: str,
        rows: Sequence[Row],
        *,
        document: int | None = None,
        meta: Mapping[str, Any] | None = None,
    ) -> int:
        """Add an alignment or a segmentation, of a document that is there or as a new one."""
        number = self._db.execute(
            "INSERT INTO alignments (name, annotator, source, target, kind) VALUES (?, ?, ?, ?, ?)",
            (_stored(name), annotator, *texts, kind),
        ).lastrowid
        self._db.execute(
            "UPDATE alignments SET document = coalesce(?, id), meta = ? WHERE id = ?",
            (document, spelled(meta or {}), number),
        )
        self._shelves.fill("segments" if kind == "segmentation" else "beads", number, rows)
        return int(number or 0)

    def alignments(self) -> list[AlignmentInfo]:
        """Return the alignments, in the order in which they were added."""
        return self._infos("alignment")

    def segmentations(self) -> list[AlignmentInfo]:
        """Return the segmentations, in the order in which they were added."""
        return self._infos("segmentation")

    def infos(self) -> list[AlignmentInfo]:
        """Return the alignments, then the segmentations."""
        return self.alignments() + self.segmentations()

    def _infos(self, kind: str) -> list[AlignmentInfo]:
        query = f"SELECT {INFO} FROM alignments WHERE kind = ? ORDER BY id"  # noqa: S608
        with self._reading() as db:
            rows = db.execute(query, (kind,)).fetchall()
        return [AlignmentInfo(*row) for row in rows]

    def info(self, number: int) -> AlignmentInfo:
        """Return an alignment or a segmentation without its rows.

        Raises `NoSuchAlignment` when the project has none of this number.
        """
        with self._lock, self._named_errors():
            query = f"SELECT {INFO} FROM alignments WHERE id = ?"  # noqa: S608 - a constant
            row = self._db.execute(query, (number,)).fetchone()
        if row is None:
            raise NoSuchAlignment(f"the project has no alignment {number}")
        return AlignmentInfo(*row)

    def of_kind(self, number: int, kind: str) -> AlignmentInfo:
        """Return an alignment, or a segmentation, without its rows; refuse the other kind.

        Raises `NoSuchAlignment` when the project has none of this number and kind.
        """
        info = self.info(number)
        if info.kind != kind:
            raise NoSuchAlignment(f"{number} is no {kind}: it is a {info.kind}")
        return info

    def meta(self, number: int) -> dict[str, Any]:
        """Return the format, the documents and the columns of the file of a document."""
        with self._lock, self._named_errors():
            query = "SELECT name, meta FROM alignments WHERE id = ?"
            row = self._db.execute(query, (self.info(number).document,)).fetchone()
        if row is None:
            return {}
        with self._sound(row[0]):
            return dict(json.loads(row[1]))

    def counts(self) -> dict[int, dict[str, int]]:
        """Count the beads of each alignment, or its segments, by their states."""
        counts_of_states: dict[int, dict[str, int]] = {}
        query = (
            "SELECT alignment, state, COUNT(*) FROM beads GROUP BY alignment, state UNION ALL"
            " SELECT alignment, state, COUNT(*) FROM segments GROUP BY alignment, state"
        )
        with self._reading() as db:
            for number, state, count in db.execute(query):
                counts_of_states.setdefault(number, {})[state] = count
        return counts_of_states

    def decided(self) -> dict[int, int]:
        """Count the places that are decided one by one, in segments that are not confirmed."""
        query = (
            "SELECT alignment, decided FROM segments WHERE decided <> '[]' AND state <> 'confirmed'"
        )
        decided_counts: Counter[int] = Counter()
        with self._reading() as db:
            for number, decided in db.execute(query):
                decided_counts[number] += len(json.loads(decided))
        return decided_counts

    def linked(self) -> dict[int, tuple[int, int]]:
        """Count the beads of each alignment whose word links are confirmed, and that have links."""
        query = "SELECT alignment, SUM(linked), SUM(linked OR words <> '[]') FROM beads GROUP BY 1"
        with self._reading() as db:
            return {number: (confirmed, held) for number, confirmed, held in db.execute(query)}

    def text_of(self, number: int) -> tuple[str, str]:
        """Return the name and the language of a text."""
        query = "SELECT name, language FROM texts WHERE id = ?"
        with self._reading() as db:
            name, language = db.execute(query, (number,)).fetchone()
        return name, language

    def cut_of(self, number: int) -> str:
        """Return the cut of a text into words, one of `words.CUTS`."""
        with self._reading() as db:
            (cut,) = db.execute("SELECT words FROM texts WHERE id = ?", (number,)).fetchone()
        return str(cut)

    def rows(self, number: int) -> tuple[AlignmentInfo, dict[str, list[Any]]]:
        """Return an alignment or a segmentation with its lists of rows, as they are now."""
        with self._reading():
            info = self.info(number)
            return info, {name: list(each.rows) for name, each in self._state(info).lists.items()}

    # Rows in memory and in the file

    def _state(self, info: AlignmentInfo) -> Lists:
        if info.id not in self._states:
            with self._sound(info.name):
                lists = {
                    name: self._shelves.shelf(table, number).rows
                    for name, (table, number) in info.tables.items()
                }
                if info.kind == "segmentation":
                    self._states[info.id] = Segments(**lists)
                else:
                    cuts = self.cut_of(info.source), self.cut_of(info.target)
                    self._states[info.id] = State(**lists, cuts=cuts)
        return self._states[info.id]

    # Changes

    def change(
        self,
        number: int,
        splices: Sequence[Splice],
        *,
        name: str,
        annotator: str,
        version: int | None = None,
        holder: str | None = None,
    ) -> Entry:
        """Apply a change, of a kind as `merge`, to an alignment, and enter it in the journal.

        `version` is the one that the change was made on; `holder` must have the lock, if somebody
        has it, and takes it.

        Raises `Stale` when the alignment has another version, `ChangeRefused` when the change does
        not fit, or would break an invariant of alignments, and `Locked` when somebody else is
        editing the alignment.
        """
        with self._transaction() as db:
            info = self._checked(number, version, holder, annotator)
            sharing = self._others(info, splices)
            applied = self._state(info).apply(splices)
            db.execute(
                "UPDATE journal SET undone = ? WHERE alignment = ? AND undone = ?",
                (_DROPPED, number, _UNDONE),
            )
            entry = self._enter(info, applied, "change", name, annotator)
            db.execute("UPDATE journal SET latest = seq WHERE seq = ?", (entry.version,))
            self._carry(info, entry, sharing)
        return entry

    def undo(self, number: int, **options: Any) -> Entry:
        """Undo the last change of an alignment that is not undone; options of `change`.

        With `of`, the number of a change, any other change is refused. Raises `ChangeRefused` when
        there is no change to undo, or its rows were changed since through another alignment.
        """
        return self._turn(number, "undo", **options)

    def redo(self, number: int, **options: Any) -> Entry:
        """Redo the change that was undone last; options of `change`.

        Raises `ChangeRefused` as `undo` does.
        """
        return self._turn(number, "redo", **options)

    def _turn(
        self,
        number: int,
        kind: str,
        *,
        annotator: str,
        version: int | None = None,
        holder: str | None = None,
        of: int | None = None,
    ) -> Entry:
        order, flag = ("DESC", _DONE) if kind == "undo" else ("ASC", _UNDONE)
        with self._transaction() as db:
            info = self._checked(number, version, holder, annotator)
            row = db.execute(
                "SELECT seq, name, latest FROM journal WHERE alignment = ? AND kind = 'change'"  # noqa: S608
                f" AND undone = ? ORDER BY seq {order} LIMIT 1",
                (number, flag),
            ).fetchone()
            if row is None:
                raise ChangeRefused(f"nothing to {kind}")
            seq, name, latest = row
            if of is not None and of != seq:
                raise ChangeRefused(f"another change is the next to {kind}")
            back = inverse(self._splices_of(latest))
            sharing = self._others(info, back)
            applied = self._state(info).revert(back)
            entry = self._enter(info, applied, kind, name, annotator, seq_of_change=seq)
            now = _UNDONE if kind == "undo" else _DONE
            db.execute(
                "UPDATE journal SET latest = ?, undone = ? WHERE seq = ?", (entry.version, now, seq)
            )
            self._carry(info, entry, sharing, back=latest)
        return entry

    def _checked(
        self, number: int, version: int | None, holder: str | None, annotator: str
    ) -> AlignmentInfo:
        info = self.info(number)
        if not info.annotator:
            raise ChangeRefused("the proposal is not edited: begin an alignment with it")
        if holder is not None:
            self._take_lock(number, holder, annotator)
        if version is not None and version != info.version:
            raise Stale(info.version)
        return info

    def _enter(
        self,
        info: AlignmentInfo,
        splices: list[Splice],
        kind: str,
        name: str,
        annotator: str,
        *,
        seq_of_change: int | None = None,
    ) -> Entry:
        """Save splices that were applied, and append them to the journal."""
        self._shelves.save(info, splices)
        changed_at = datetime.now(UTC).isoformat(timespec="milliseconds")
        seq = self._db.execute(
            "INSERT INTO journal (alignment, annotator, time, kind, name, splices, of)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            (
                info.id,
                annotator,
                changed_at,
                kind,
                name,
                spelled(splices_to_json(splices)),
                seq_of_change,
            ),
        ).lastrowid
        self._db.execute("UPDATE alignments SET version = ? WHERE id = ?", (seq, info.id))
        self._remember(int(seq or 0), splices)
        of = seq_of_change or seq
        return Entry(int(seq or 0), changed_at, annotator, kind, name, splices, of=of)

    def _remember(self, seq: int, splices: list[Splice]) -> None:
        """Keep the splices of an entry, which is the next to undo, and forget old ones."""
        self._recent[seq] = splices
        rows = sum(_size(each) for each in self._recent.values())
        while rows > _MAX_RECENT_ROWS and len(self._recent) > 1:
            rows -= _size(self._recent.pop(next(iter(self._recent))))

    def _splices_of(self, seq: int) -> list[Splice]:
        remembered = self._recent.get(seq)
        if remembered is not None:
            return remembered
        query = "SELECT splices FROM journal WHERE seq = ?"
        (written,) = self._db.execute(query, (seq,)).fetchone()
        return splices_of(json.loads(written))

    def _others(self, info: AlignmentInfo, splices: Sequence[Splice]) -> list[AlignmentInfo]:
        """Return the alignments that share a text that splices will change, read from the file."""
        if info.kind == "segmentation":  # whose units are its own
            return []
        texts = {getattr(info, splice.list) for splice in splices if splice.list in SIDES}
        sharing = {}
        for text in texts:
            query = f"SELECT {INFO} FROM alignments WHERE source = ? OR target = ?"  # noqa: S608
            for row in self._db.execute(query, (text, text)).fetchall():
                sharing[row[0]] = AlignmentInfo(*row)
        sharing.pop(info.id, None)
        for other in sharing.values():
            self._state(other)
        return [sharing[number] for number in sorted(sharing)]

    def _carry(
        self,
        info: AlignmentInfo,
        entry: Entry,
        sharing: Iterable[AlignmentInfo],
        *,
        back: int | None = None,
    ) -> None:
        """Have the other alignments of a text follow the changes of its sentences.

        With `back`, an entry that is taken back: beads that nobody has changed since are as before.
        """
        texts = {
            getattr(info, side): [each for each in entry.splices if each.list == side]
            for side in SIDES
        }
        for other in sharing:
            state, carried_splices = cast("State", self._state(other)), []
            for side in SIDES:
                splices = texts.get(getattr(other, side), [])
                carried_splices += [splice._replace(list=side) for splice in splices]
            of_beads = self._followed(other, state, carried_splices, back)
            self._shelves.save(other, of_beads)
            self._db.execute(
                "INSERT INTO effects VALUES (?, ?, ?)",
                (other.id, entry.version, spelled(splices_to_json([*carried_splices, *of_beads]))),
            )
            version = "UPDATE alignments SET version = ? WHERE id = ?"
            self._db.execute(version, (entry.version, other.id))

    def _followed(
        self, other: AlignmentInfo, state: State, texts: list[Splice], back: int | None
    ) -> list[Splice]:
        """Apply to an alignment the consequences of splices of its texts for its beads."""
        if back is not None:
            row = self._db.execute(
                "SELECT splices FROM effects WHERE alignment = ? AND seq = ?", (other.id, back)
            ).fetchone()
            earlier = splices_of(json.loads(row[0])) if row else []
            undone = inverse([splice for splice in earlier if splice.list == "beads"])
            with suppress(ChangeRefused):  # beads that were changed since follow as by any change
                reverted = state.revert(undone, check=False)
                try:
                    state.check([*texts, *reverted])
                except ChangeRefused:
                    state.apply(inverse(reverted), check=False)
                    raise
                return reverted
        of_beads: list[Splice] = []
        for side in SIDES:
            side_splices = [splice for splice in texts if splice.list == side]
            of_beads += (
                state.apply(carried(side_splices, side, state), check=False) if side_splices else []
            )
        state.check([*texts, *of_beads])
        return of_beads

    def spelled_since(self, number: int, version: int) -> list[tuple[int, str]]:
        """Return the changes that `since` returns as JSON, each with its version.

        The splices are as they stand in the file: those of thousands of beads are not read.
        """
        events = []
        for row in self._rows_since(number, version):
            seq, changed_at, annotator, kind, name, splices, _, seq_of_change = row
            about = {"version": seq, "time": changed_at, "annotator": annotator, "kind": kind}
            event = spelled({**about, "name": name, "of": seq_of_change})
            events.append((seq, f'{event[:-1]},"splices":{splices}}}'))
        return events

    def since(self, number: int, version: int) -> list[Entry]:
        """Return the changes of an alignment after a version, in order."""
        return [_entry(row) for row in self._rows_since(number, version)]

    def _rows_since(self, number: int, version: int) -> list[tuple[Any, ...]]:
        with self._reading() as db:
            self.info(number)
            rows = db.execute(SINCE, (number, version, number, version)).fetchall()
        return sorted(rows)

    def history(self, number: int, *, before: int | None = None, limit: int = 100) -> list[Entry]:
        """List the changes with their annotators and times, the last first, without the splices."""
        last = before if before is not None else 1 << 62
        with self._reading() as db:
            self.info(number)
            rows = db.execute(HISTORY, (number, last, number, last, limit)).fetchall()
        return [_entry(row) for row in rows]

    # Locks

    def lock(self, number: int, holder: str, annotator: str) -> None:
        """Take or renew the lock of an alignment; it ends 60 seconds after the last time.

        A lock of the same annotator at another server is replaced: that server was killed, or its
        page was left. `holder` is the server and the browser, with a point between. Raises `Locked`
        when somebody else has the lock.
        """
        with self._transaction():
            self.info(number)
            self._take_lock(number, holder, annotator)

    def _take_lock(self, number: int, holder: str, annotator: str) -> None:
        now = self._clock()
        row = self._db.execute(
            "SELECT holder, annotator, expires FROM locks WHERE alignment = ?", (number,)
        ).fetchone()
        if row is not None and row[0] != holder and now < row[2] <= now + _LONGEST_LOCK:
            servers = {name.partition(".")[0] for name in (row[0], holder)}
            if row[1] != annotator or len(servers) == 1:
                raise Locked(row[1])
        self._db.execute(
            "INSERT OR REPLACE INTO locks VALUES (?, ?, ?, ?)",
            (number, holder, annotator, now + LOCK_SECONDS),
        )

    def unlock(self, number: int, holder: str) -> None:
        """Give the lock of an alignment back, if the holder has it."""
        with self._transaction() as db:
            db.execute("DELETE FROM locks WHERE alignment = ? AND holder = ?", (number, holder))
        with self._lock, self._named_errors():  # a copy of the file alone has all changes then
            self._db.execute("PRAGMA wal_checkpoint")

    def unlock_all(self, server: str) -> None:
        """Give back the locks of all browsers of a server, which ends."""
        with self._transaction() as db:
            begin = f"{server}."
            query = "DELETE FROM locks WHERE substr(holder, 1, ?) = ?"
            db.execute(query, (len(begin), begin))

    def locks(self) -> dict[int, tuple[str, str]]:
        """Return the holder and the annotator of each lock."""
        with self._reading() as db:
            now = self._clock()
            query = (
                "SELECT alignment, holder, annotator FROM locks WHERE expires > ? AND expires <= ?"
            )
            rows = db.execute(query, (now, now + _LONGEST_LOCK)).fetchall()
        return {alignment: (holder, annotator) for alignment, holder, annotator in rows}


def _stored(name: str) -> str:
    """Return a name as the file has it: a file name may have bytes that are no UTF-8."""
    return name[:_NAME_LENGTH].encode("utf-8", "replace").decode()


def _size(splices: Iterable[Splice]) -> int:
    return sum(len(each.remove) + len(each.insert) for each in splices)


def _entry(row: tuple[Any, ...]) -> Entry:
    seq, changed_at, annotator, kind, name, splices, undone, seq_of_change = row
    read = splices_of(json.loads(splices))
    return Entry(seq, changed_at, annotator, kind, name, read, undone != _DONE, seq_of_change)
