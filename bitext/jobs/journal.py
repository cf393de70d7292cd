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
import stat
import time
import zlib
from array import array
from pathlib import Path
from typing import TYPE_CHECKING, Any

import bitext
from bitext.errors import FormatError, InputError
from bitext.jobs.task import WHOLE, Document, Result, Shard
from bitext.paths import open_to_append

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import TracebackType
    from typing import Self

    from bitext.formats.io.clashes import ReadRecord

__all__ = [
    "MOST_OF_HEAD",
    "SCHEMA",
    "Journal",
    "Reader",
    "difference",
    "is_torn",
    "refuse_device",
    "refuse_difference",
    "result_of",
    "run_of",
    "spelled",
    "stamps",
]


# What a journal of a run holds, and how its lines are spelled (`bitext.jobs.journal`).

SCHEMA = "bitext.journal/1"
MOST_OF_HEAD = 1 << 20
"""Bytes, of which a first line has less."""

_FARTHEST = 1 << 24  # documents that may be passed over at once: they are begun in order


class Reader:
    """What a journal holds: where the line of each document is, and its end.

    Attributes
    ----------
    path : str
        The file.
    head : dict
        The first line.
    shard : Shard
        Which documents it is of.
    end : dict or None
        The last line, if the run was done.
    damaged : int
        How many lines count for nothing.
    size : int
        Where the last good line ends.

    """

    def __init__(self, path: str, file: io.BufferedIOBase) -> None:
        self.path, self._file = path, file
        self._places = array("q")
        self.end: dict[str, Any] | None = None
        self.damaged = self.size = 0
        refuse_device(file.fileno(), path)
        self.head = _head(path, file.readline(MOST_OF_HEAD))
        self.shard = Shard(*self.head["shard"])
        self._scan()

    def _scan(self) -> None:
        self.size = place = self._file.tell()
        for line in self._file:
            found = _parsed(line)
            after = place + len(line)
            if found is None or not _is_line(found):
                self.damaged += 1
            elif "end" in found:
                self.end = found
            elif found["n"] // self.shard.count > len(self._places) + _FARTHEST:
                self.damaged += 1
            else:
                self.end = None
                self.put(found["n"], place)
            if line.endswith(b"\n"):
                self.size = after
            place = after

    def put(self, number: int, place: int) -> None:
        """Remember where the line of a document begins."""
        at = number // self.shard.count
        if at >= len(self._places):
            self._places.extend([-1] * (at + 1 - len(self._places)))
        self._places[at] = place

    def line(self, number: int) -> dict[str, Any] | None:
        """Return the last line of a document; `None` where there is none."""
        at = number // self.shard.count
        place = self._places[at] if at < len(self._places) else -1
        if place < 0:
            return None
        self._file.seek(place)
        found = _parsed(self._file.readline())
        if found is None:
            raise InputError(f"{self.path}: was changed while it was read; give the command again")
        return found

    def lines(self) -> Iterator[dict[str, Any]]:
        """Yield the last line of each document, in their order."""
        for at in range(len(self._places)):
            found = self.line(at * self.shard.count + self.shard.index - 1)
            if found is not None:
                yield found

    def results(self) -> Iterator[Result]:
        """Yield the results in the order of the documents."""
        return map(result_of, self.lines())


def run_of(path: str) -> dict[str, Any] | None:
    """Return the run that a journal is of; `None` where its first line was never written whole.

    Raises
    ------
    FormatError, InputError
        When the file is no journal.

    """
    try:
        with Path(path).open("rb") as file:
            refuse_device(file.fileno(), path)
            line = file.readline(MOST_OF_HEAD)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from None
    if is_torn(line):
        return None
    run: dict[str, Any] = _head(path, line)["run"]
    return run


def refuse_difference(path: str, was: dict[str, Any], now: dict[str, Any]) -> None:
    """Refuse the first line of a journal that is not that of this run, or a part of both.

    Raises
    ------
    InputError
        When they differ, with the difference.

    """
    found = difference(was, now)
    if found is not None:
        key, before, after = found
        raise InputError(
            f"{path}: is the journal of another run: {key} was {before:.80} and is {after:.80}; "
            f"name another journal, or delete this one to begin anew"
        )


def refuse_device(descriptor: int, path: str) -> None:
    """Refuse what is no file that has an end and can be read again, as `/dev/zero`."""
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        raise InputError(f"{path}: is no file that a journal can be; name another")


def result_of(found: dict[str, Any]) -> Result:
    """Return the result that a line tells."""
    return Result(found["n"], found["name"], found.get("value"), found.get("failed", ""))


def difference(first: dict[str, Any], second: dict[str, Any]) -> tuple[str, str, str] | None:
    """Return in what the first lines of two journals tell of different runs, if they do."""
    flat = [_flat({k: v for k, v in head.items() if k != "shown"}) for head in (first, second)]
    for key in dict.fromkeys([*flat[1], *flat[0]]):
        was, now = (repr(each[key]) if key in each else "not given" for each in flat)
        if was != now:
            return key, was, now
    return None


def spelled(text: str) -> bytes:
    """Return a line of an object that is JSON already: with its checksum."""
    data = text.encode("utf-8", "surrogatepass")
    return b"%08x %s\n" % (zlib.crc32(data), data)


def is_torn(data: bytes) -> bool:
    """Tell whether the first line was never written whole; then there is nothing after it."""
    head, wanted = data[9:], b'{"schema": "%s"' % SCHEMA.encode()
    whole = b"\n" in data or len(data) == MOST_OF_HEAD
    return not whole and (wanted.startswith(head) or head.startswith(wanted))


def _parsed(line: bytes) -> dict[str, Any] | None:
    """Return the object of a line; `None` where it is damaged."""
    data = line[9:-1]
    if line[-1:] != b"\n" or line[:9] != b"%08x " % zlib.crc32(data):
        return None
    try:
        found = json.loads(data.decode("utf-8", "surrogatepass"))
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _head(path: str, line: bytes) -> dict[str, Any]:
    """Return the object of a first line."""
    head = _parsed(line)
    if head is None or not _is_head(head):
        raise FormatError(
            f"is no journal of bitext ({SCHEMA}), and may be something of yours: name another file",
            path=path,
            line=1,
        )
    return head


def _is_head(head: dict[str, Any] | None) -> bool:
    """Tell whether a first line is one that was written."""
    if head is None or head.get("schema") != SCHEMA:
        return False
    shard = head.get("shard")
    if not (isinstance(shard, list) and len(shard) == 2 and all(type(k) is int for k in shard)):
        return False
    if not 1 <= shard[0] <= shard[1]:
        return False
    return isinstance(head.get("run"), dict) and isinstance(head.get("shown"), dict)


def _is_line(found: dict[str, Any] | None) -> bool:
    """Tell whether a further line is one that was written."""
    if found is None:
        return False
    if "end" in found:
        return type(found["end"]) is int and found["end"] >= 0 and "whole" in found
    number = found.get("n")
    read = isinstance(found.get("read", {}), dict)
    done = isinstance(found.get("files"), list) and read and "value" in found
    told = done or isinstance(found.get("failed"), str)
    return type(number) is int and number >= 0 and isinstance(found.get("name"), str) and told


def _flat(value: Any, name: str = "") -> dict[str, Any]:
    """Return the leaves of nested dictionaries by their keys: for telling what differs."""
    if not isinstance(value, dict):
        return {name: value}
    found: dict[str, Any] = {}
    for key, held in value.items():
        found |= _flat(held, key if name in {"", "run"} else f"{name} {key}")
    return found


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
        read: ReadRecord | None = None,
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
