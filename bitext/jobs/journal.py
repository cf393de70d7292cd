r"""The journal of a run: what was done, so that a run that was killed goes on where it was.

A text file, to which lines are added. A line is a checksum (CRC-32 in eight hexadecimal digits), a
blank, and a JSON object:

    {"schema": "bitext.journal/1", "bitext": "0.1.0", "run": {...}, "shard": [1, 1], "shown": {}}
    {"n": 0, "name": "coast", "files": [[5120, 1700000000000000000]], "read": {...}, "value": ...}
    {"n": 1, "name": "mill", "failed": "mill.xml line 3: ..."}
    {"end": 2, "whole": ...}

The first tells what is run; a journal of another run is refused, with the difference (`shown` is
how results are shown, and may differ). `files` are the sizes and times of what was given, `read`
those of what was found and opened besides, by name, as documents that a file of links names: where
one has changed, the document is done again, and so is one that failed. Lines stand as documents
were done; `n` is the place in the corpus. The last line tells that the run was done, and how many
documents there were.

Lines are passed to the system at once and forced to the disk about once a second: an end of the
process by any signal loses no line, a power cut those of a second. A line that is torn or damaged
counts for nothing, so its document is done again. The same file is what a shard hands over to
`bitext merge`.
"""

from __future__ import annotations

import io
import json
import os
import time
from typing import TYPE_CHECKING, Any

import bitext
from bitext.errors import InputError
from bitext.jobs.journal_reader import (
    MOST_OF_HEAD,
    SCHEMA,
    Reader,
    is_torn,
    refuse_device,
    refuse_difference,
    spelled,
)
from bitext.jobs.task import WHOLE, Document, Shard
from bitext.paths import open_to_append

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

    from bitext.formats.clashes import Noted

__all__ = ["Journal", "stamps"]

_SYNC = 1.0  # seconds between two times that lines are forced to the disk
_encoded = json.JSONEncoder(ensure_ascii=False).encode  # one for all: it is asked for each line


def stamps(files: tuple[str, ...]) -> list[list[int] | None]:
    """Return size and time of files; `None` for what is none here, as standard input."""
    found: list[list[int] | None] = []
    for name in files:
        try:
            state = os.stat(name)  # noqa: PTH116 - a million of them
        except (OSError, ValueError):
            found.append(None)
        else:
            found.append([state.st_size, state.st_mtime_ns])
    return found


class Journal:
    """A journal that is gone on with, or begun.

    Parameters
    ----------
    path : str or path
        The file; what is there must be a journal of the same run.
    run : dict
        What the run is, as for JSON.
    shard : Shard
        Which documents it is of.
    shown : dict, optional
        What the results do not depend on, as how they are printed: kept, not compared.

    Raises
    ------
    InputError
        When the file cannot be opened, is of another run, or is in use.
    FormatError
        When it is no journal.

    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        run: dict[str, Any],
        *,
        shard: Shard = WHOLE,
        shown: dict[str, Any] | None = None,
    ) -> None:
        self.path = os.fspath(path)
        self.notes: list[str] = []
        head = {"schema": SCHEMA, "bitext": bitext.__version__, "run": run}
        self._head = {**json.loads(json.dumps(head)), "shard": [shard.index, shard.count]}
        self._head["shown"] = shown or {}
        self._synced = time.monotonic()
        self._fd = self._opened()
        try:
            self._begin()
        except BaseException:
            os.close(self._fd)
            raise

    def _opened(self) -> int:
        descriptor = open_to_append(self.path)
        try:
            refuse_device(descriptor, self.path)
            _lock(descriptor, self.path)
        except BaseException:
            os.close(descriptor)
            raise
        return descriptor

    def _begin(self) -> None:
        """Read what is there, and write the first line where nothing is."""
        there = os.pread(self._fd, MOST_OF_HEAD, 0)
        file = io.BufferedReader(io.FileIO(self._fd, "rb", closefd=False))
        if is_torn(there):
            self._cut(0)
            self._write(spelled(json.dumps(self._head, ensure_ascii=False)))
            self.sync()
        self._reader = Reader(self.path, file)
        refuse_difference(self.path, self._reader.head, self._head)
        self._cut(self._reader.size)
        if self._reader.damaged:
            lines = (
                "1 line is" if self._reader.damaged == 1 else f"{self._reader.damaged:,} lines are"
            )
            self.notes.append(
                f"{self.path}: {lines} torn or damaged and left aside; what they told is done again"
            )

    def find(self, document: Document) -> dict[str, Any] | None:
        """Return the line of a document that was done, and not since changed.

        Raises
        ------
        InputError
            When the journal has another document in its place.

        """
        found = self._reader.line(document.number)
        if found is None:
            return None
        if found["name"] != document.name:
            raise InputError(
                f"{self.path}: is the journal of another run: document {document.number + 1} was "
                f"{found['name']!r} and is {document.name!r}; name another journal, or delete this "
                f"one to begin anew"
            )
        if found.get("failed") or found["files"] != stamps(document.files):
            return None
        read = found.get("read", {})
        return found if [*read.values()] == stamps(tuple(read)) else None

    def line(self, number: int) -> dict[str, Any]:
        """Return the line of a document that is there."""
        found = self._reader.line(number)
        if found is None:
            raise InputError(f"{self.path}: lost a line; give the command again")
        return found

    def add(
        self,
        document: Document,
        *,
        value: str | None = None,
        failed: str = "",
        files: list[list[int] | None] | None = None,
        read: Noted | None = None,
    ) -> None:
        """Add what came of a document: its value, spelled in JSON, or why there is none."""
        name = _encoded(document.name)
        if value is None:
            held = f'"failed": {_encoded(failed)}'
        else:
            given = document.files
            besides = {path: was for path, was in (read or {}).items() if path not in given}
            more = f'"read": {_encoded(besides)}, ' if besides else ""
            held = f'"files": {_encoded(files or [])}, {more}"value": {value}'
        place = self._end
        self._write(spelled(f'{{"n": {document.number}, "name": {name}, {held}}}'))
        self._reader.put(document.number, place)
        if time.monotonic() - self._synced > _SYNC:
            self.sync()

    def finish(self, count: int, whole: Any = None) -> None:
        """Tell that all documents were done, and how many there are in the whole corpus."""
        end = {"end": count, "whole": whole}
        if self._reader.end != json.loads(json.dumps(end)):
            self._write(spelled(json.dumps(end, ensure_ascii=False)))
        self.sync()

    def sync(self) -> None:
        """Force what was written to the disk."""
        try:
            os.fsync(self._fd)
        except OSError as error:
            raise self._full(error) from None
        self._synced = time.monotonic()

    def _write(self, data: bytes) -> None:
        view = memoryview(data)
        while view:
            try:
                count = os.pwrite(self._fd, view, self._end)
            except OSError as error:
                raise self._full(error) from None
            self._end += count
            view = view[count:]

    def _cut(self, size: int) -> None:
        os.ftruncate(self._fd, size)
        self._end = size

    def _full(self, error: OSError) -> InputError:
        return InputError(
            f"{self.path}: the journal cannot be written: {error.strerror or error}; make room, "
            f"and give the same command again: it goes on from here"
        )

    def close(self) -> None:
        """Close the file; another run may take it."""
        os.close(self._fd)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _lock(descriptor: int, path: str) -> None:
    """Refuse a journal that another run has open, where the system can tell."""
    try:
        import fcntl
    except ImportError:  # no such system
        return
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise InputError(
            f"{path}: another run has this journal open; wait for its end, or name another"
        ) from None
    except OSError:  # file systems that have no locks: nothing can be told
        return
