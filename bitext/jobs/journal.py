r"""The journal of a run: the results so far, from which a killed run continues.

It is a text file that grows by lines. A line is a checksum (CRC-32 in eight hexadecimal digits), a
blank, and a JSON object:

    {"schema": "bitext.journal/1", "bitext": "0.1.0", "run": {...}, "shard": [1, 1], "shown": {}}
    {"n": 0, "name": "coast", "files": [[5120, 1700000000000000000]], "read": {...}, "value": ...}
    {"n": 1, "name": "mill", "failed": "mill.xml line 3: ..."}
    {"end": 2, "whole": ...}

The first line describes the run; a journal of another run is refused, with the difference (`shown`
are the options of the output, which may differ). `files` are the sizes and times of the input
files, `read` those of further files that were opened, by name, as documents in a file of links. If
one of these has changed, or the document failed, it is processed again. Lines are in the order in
which documents were done; `n` is the position in the corpus. The last line marks the end of the
run, with the number of documents.

Lines are passed to the system at once and forced to the disk about once a second: the death of the
process by any signal loses no line, a power cut the lines of a second. A torn or damaged line is
ignored, so its document is processed again. `bitext merge` reads the journals of shards.
"""

from __future__ import annotations

import io
import json
import os
import stat
import time
import zlib
from array import array
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from heapq import merge
from itertools import chain
from pathlib import Path
from typing import Any, Self

import bitext
from bitext.errors import FormatError, InputError, few, many
from bitext.formats.io.output import ReadRecord
from bitext.formats.io.remote import refuse_remote
from bitext.jobs.task import WHOLE, Document, Result, Shard
from bitext.paths import is_there, lock_file, open_to_append

SCHEMA = "bitext.journal/1"
LEARNED = ".lexicon"
"""Ending of the lexicon that `align` learns, beside its journal."""
MOST_OF_HEAD = 1 << 20
"""Upper bound of the first line, in bytes."""

# Documents that a line may skip: as documents begin in order, a larger gap is damage. Set by hand.
_MAX_NUMBER = 1 << 24


class Reader:
    """The contents of a journal: the offset of the line of each document, and the end.

    `head` is the first line, and `shard` the shard of the run. `end` is the last line; `None` if
    the run is not finished. `damaged` is the number of damaged lines, and `size` the offset of the
    end of the last whole line.
    """

    def __init__(self, path: str, file: io.BufferedIOBase) -> None:
        self.path, self._file = path, file
        self._offsets = array("q")
        self.end: dict[str, Any] | None = None
        self.damaged = self.size = 0
        refuse_device(file.fileno(), path)
        self.head = _head(path, file.readline(MOST_OF_HEAD))
        self.shard = Shard(*self.head["shard"])
        self._scan()

    def _scan(self) -> None:
        self.size = offset = self._file.tell()
        for line in self._file:
            record = _parse(line)
            after = offset + len(line)
            if record is None or not _is_line(record):
                self.damaged += 1
            elif "end" in record:
                self.end = record
            elif record["n"] // self.shard.count > len(self._offsets) + _MAX_NUMBER:
                self.damaged += 1
            else:
                self.end = None
                self.put(record["n"], offset)
            if line.endswith(b"\n"):
                self.size = after
            offset = after

    def put(self, number: int, offset: int) -> None:
        """Set the offset of the line of a document."""
        index = number // self.shard.count
        if index >= len(self._offsets):
            self._offsets.extend([-1] * (index + 1 - len(self._offsets)))
        self._offsets[index] = offset

    def line(self, number: int) -> dict[str, Any] | None:
        """Return the last line of a document; `None` if it has none."""
        index = number // self.shard.count
        offset = self._offsets[index] if index < len(self._offsets) else -1
        if offset < 0:
            return None
        self._file.seek(offset)
        record = _parse(self._file.readline())
        if record is None:
            raise InputError(f"{self.path}: was changed while it was read; give the command again")
        return record

    def lines(self) -> Iterator[dict[str, Any]]:
        """Yield the last line of each document, in the order of the documents."""
        for index in range(len(self._offsets)):
            record = self.line(index * self.shard.count + self.shard.index - 1)
            if record is not None:
                yield record

    def results(self) -> Iterator[Result]:
        """Yield the results in the order of the documents."""
        return map(result_of, self.lines())


def run_of(path: str) -> dict[str, Any] | None:
    """Return the description of the run of a journal; `None` if its first line is torn.

    Raises `FormatError` or `InputError` when the file is not a journal.
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
    """Refuse a journal whose first line `was` differs from that of the run `now`.

    Raises `InputError` with the first difference.
    """
    differs = difference(was, now)
    if differs is not None:
        key, old, new = differs
        raise InputError(
            f"{path}: is the journal of another run: {key} was {old:.80} and is {new:.80}; "
            f"name another journal, or delete this one{learned_beside(path)} to begin anew"
        )


def learned_beside(path: str) -> str:
    """Name the lexicon of a run of `align`, which has to go with its journal; empty for none."""
    learned = f"{path}{LEARNED}"
    of_align = is_there(learned) and (run_of(path) or {}).get("command") == "align"
    return f" and {learned}" if of_align else ""


def refuse_device(descriptor: int, path: str) -> None:
    """Refuse anything but a regular file, as a pipe or `/dev/zero`."""
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        raise InputError(f"{path}: is no file that a journal can be; name another")


def result_of(record: dict[str, Any]) -> Result:
    """Return the result in a line."""
    return Result(record["n"], record["name"], record.get("value"), record.get("failed", ""))


def difference(first: dict[str, Any], second: dict[str, Any]) -> tuple[str, str, str] | None:
    """Return the first key on which two first lines differ, with both values, if they do."""
    flat = [_flat({k: v for k, v in head.items() if k != "shown"}) for head in (first, second)]
    for key in dict.fromkeys([*flat[1], *flat[0]]):
        was, now = (repr(each[key]) if key in each else "not given" for each in flat)
        if was != now:
            return key, was, now
    return None


def spelled(text: str) -> bytes:
    """Return the line of a JSON object: its checksum, a blank, the object."""
    data = text.encode("utf-8", "surrogatepass")
    return b"%08x %s\n" % (zlib.crc32(data), data)


def is_torn(data: bytes) -> bool:
    """Check whether the first line is torn; then no line follows it."""
    head, expected = data[9:], b'{"schema": "%s"' % SCHEMA.encode()
    is_complete = b"\n" in data or len(data) == MOST_OF_HEAD
    return not is_complete and (expected.startswith(head) or head.startswith(expected))


def _parse(line: bytes) -> dict[str, Any] | None:
    """Return the object of a line; `None` if the line is damaged."""
    data = line[9:-1]
    if line[-1:] != b"\n" or line[:9] != b"%08x " % zlib.crc32(data):
        return None
    try:
        record = json.loads(data.decode("utf-8", "surrogatepass"))
    except (ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) else None


def _head(path: str, line: bytes) -> dict[str, Any]:
    """Return the object of a first line; refuse a file that is not a journal."""
    head = _parse(line)
    if head is None or not _is_head(head):
        raise FormatError(
            f"is no journal of bitext ({SCHEMA}), and may be something of yours: name another file",
            path=path,
            line=1,
        )
    return head


def _is_head(head: dict[str, Any] | None) -> bool:
    """Check the fields of the first line of a journal."""
    if head is None or head.get("schema") != SCHEMA:
        return False
    shard = head.get("shard")
    if not (isinstance(shard, list) and len(shard) == 2 and all(type(k) is int for k in shard)):
        return False
    if not 1 <= shard[0] <= shard[1]:
        return False
    return isinstance(head.get("run"), dict) and isinstance(head.get("shown"), dict)


def _is_line(record: dict[str, Any]) -> bool:
    if "end" in record:
        return type(record["end"]) is int and record["end"] >= 0 and "whole" in record
    number = record.get("n")
    read = isinstance(record.get("read", {}), dict)
    is_result = isinstance(record.get("files"), list) and read and "value" in record
    complete = is_result or isinstance(record.get("failed"), str)
    return type(number) is int and number >= 0 and isinstance(record.get("name"), str) and complete


def _flat(value: Any, name: str = "") -> dict[str, Any]:
    """Return the leaves of nested dictionaries by their paths of keys."""
    if not isinstance(value, dict):
        return {name: value}
    leaves: dict[str, Any] = {}
    for key, item in value.items():
        leaves |= _flat(item, key if name in {"", "run"} else f"{name} {key}")
    return leaves


_SYNC_SECONDS = 1.0  # seconds between two calls of fsync; set by hand
_encode = json.JSONEncoder(ensure_ascii=False).encode  # json.dumps would make an encoder a line


def stamps(files: tuple[str, ...]) -> list[list[int] | None]:
    """Return the size and time of each file; `None` for other names, as standard input."""
    stats: list[list[int] | None] = []
    for name in files:
        try:
            state = os.stat(name)  # noqa: PTH116 - called a million times
        except (OSError, ValueError):
            stats.append(None)
        else:
            stats.append([state.st_size, state.st_mtime_ns])
    return stats


class Journal:
    """A journal open for writing, new or of an interrupted run.

    Parameters
    ----------
    path : str or path
        The file; it may hold a journal of the same run.
    run : dict
        The description of the run, of JSON values.
    shard : Shard
        The shard of the run.
    shown : dict, optional
        The options of the output: written to the journal, not compared.

    Raises
    ------
    InputError
        When the file cannot be opened, is of another run, or is in use.
    FormatError
        When the file is not a journal.

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
        self._fd = self._open()
        try:
            self._begin()
        except BaseException:
            os.close(self._fd)
            raise

    def _open(self) -> int:
        descriptor = open_to_append(self.path)
        try:
            refuse_device(descriptor, self.path)
            busy = "another run has this journal open; wait for its end, or name another"
            lock_file(descriptor, f"{self.path}: {busy}")
        except BaseException:
            os.close(descriptor)
            raise
        return descriptor

    def _begin(self) -> None:
        """Read the lines, or write the first one; cut off a torn end."""
        head = os.pread(self._fd, MOST_OF_HEAD, 0)
        file = io.BufferedReader(io.FileIO(self._fd, "rb", closefd=False))
        if is_torn(head):
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
                f"{self.path}: {lines} torn or damaged, and ignored; what they recorded is done "
                f"again"
            )

    def find(self, document: Document) -> dict[str, Any] | None:
        """Return the line of a document that is done, and whose files have not changed since.

        Raises `InputError` when the journal has another document of this number.
        """
        record = self._reader.line(document.number)
        if record is None:
            return None
        if record["name"] != document.name:
            raise InputError(
                f"{self.path}: is the journal of another run: document {document.number + 1} was "
                f"{record['name']!r} and is {document.name!r}; name another journal, or delete "
                f"this one{learned_beside(self.path)} to begin anew"
            )
        if record.get("failed") or record["files"] != stamps(document.files):
            return None
        read = record.get("read", {})
        return record if [*read.values()] == stamps(tuple(read)) else None

    def line(self, number: int) -> dict[str, Any]:
        """Return the line of a document that the journal has."""
        record = self._reader.line(number)
        if record is None:
            raise InputError(f"{self.path}: lost a line; give the command again")
        return record

    def add(
        self,
        document: Document,
        *,
        value: str | None = None,
        failed: str = "",
        files: list[list[int] | None] | None = None,
        read: ReadRecord | None = None,
    ) -> None:
        """Add the result of a document: its value as JSON, or the reason of the failure."""
        name = _encode(document.name)
        if value is None:
            content = f'"failed": {_encode(failed)}'
        else:
            others = {path: was for path, was in (read or {}).items() if path not in document.files}
            other_files = f'"read": {_encode(others)}, ' if others else ""
            content = f'"files": {_encode(files or [])}, {other_files}"value": {value}'
        offset = self._end
        self._write(spelled(f'{{"n": {document.number}, "name": {name}, {content}}}'))
        self._reader.put(document.number, offset)
        if time.monotonic() - self._synced > _SYNC_SECONDS:
            self.sync()

    def finish(self, count: int, whole: Any = None) -> None:
        """Write the last line, with the number of documents in the corpus."""
        end = {"end": count, "whole": whole}
        if self._reader.end != json.loads(json.dumps(end)):
            self._write(spelled(json.dumps(end, ensure_ascii=False)))
        self.sync()

    def sync(self) -> None:
        """Force the lines written so far to the disk."""
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
        """Close the file, so that another run can open the journal."""
        os.close(self._fd)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()


class Parts:
    """The checked journals of all shards of a run.

    `run` is the command with its options, and `shown` are the options of the output. `count` is the
    number of documents of the corpus; `paths` are the journals and `wholes` the facts about the
    corpus (`Task.whole`), both in the order of the shards.

    Raises `InputError` when a journal cannot be read, is of another run or version, or is not
    finished, or when a shard is missing or given twice, and `FormatError` when a file is not a
    journal.
    """

    def __init__(self, paths: Sequence[str]) -> None:
        self._stack = ExitStack()
        try:
            self._readers = [self._open(path) for path in paths]
            self._check()
        except BaseException:
            self._stack.close()
            raise
        first = self._readers[0]
        self.paths = [reader.path for reader in self._readers]
        self.run, self.shown = first.head["run"], first.head["shown"]
        ends = [reader.end for reader in self._readers if reader.end is not None]
        self.count = ends[0]["end"]
        self.wholes = [end["whole"] for end in ends]

    def _open(self, path: str) -> Reader:
        from bitext.formats.io.source import nearest_file

        refuse_remote(path, "the journals of shards are read here: copy it")
        try:
            return Reader(path, self._stack.enter_context(Path(path).open("rb")))
        except FileNotFoundError:
            raise InputError(f"{path}: no such file{nearest_file(Path(path))}") from None
        except OSError as error:
            raise InputError(
                f"{path}: cannot be read: {error.strerror or error}; name the journal of a shard"
            ) from None

    def _check(self) -> None:
        """Refuse journals that are not all shards of one corpus; sort them."""
        first = self._readers[0]
        if (made_by := first.head.get("bitext")) != bitext.__version__:
            raise InputError(
                f"{first.path}: is of bitext {made_by!s:.20}, and this is {bitext.__version__}; "
                f"merge with the version that made the shards, or make them anew"
            )
        readers: dict[int, Reader] = {}
        for reader in self._readers:
            # Shards of one run differ in the number of the shard alone.
            heads = ({**each.head, "shard": each.shard.count} for each in (first, reader))
            if (differs := difference(*heads)) is not None:
                key, was, now = differs
                raise InputError(
                    f"{reader.path}: is of another run than {first.path}: {key} is {now:.80} here "
                    f"and {was:.80} there; name the shards of one run"
                )
            other = readers.setdefault(reader.shard.index, reader)
            if other is not reader:
                raise InputError(
                    f"{reader.path}: is shard {reader.shard}, and so is {other.path}; name each "
                    f"shard once"
                )
            if reader.end is None:
                raise InputError(
                    f"{reader.path}: shard {reader.shard} is not finished; give its command again, "
                    f"it goes on from there"
                )
            if reader.damaged:
                raise InputError(
                    f"{reader.path}: {many(reader.damaged, 'damaged line')}; give the command of "
                    f"shard {reader.shard} again, which mends that"
                )
            if first.end is not None and reader.end["end"] != first.end["end"]:
                raise InputError(
                    f"{reader.path}: is of a corpus of {reader.end['end']:,} documents, and "
                    f"{first.path} of one of {first.end['end']:,}; run the shards over one corpus"
                )
        count = first.shard.count
        missing = [f"{k}/{count}" for k in range(1, count + 1) if k not in readers]
        if missing:
            shards = f"shard{'s' * (len(missing) > 1)} {few(missing, 10)}"
            raise InputError(
                f"{shards} of {first.path} and others: not given; name the output, then all shards"
            )
        self._readers = [readers[k] for k in range(1, count + 1)]

    def results(self) -> Iterator[Result]:
        """Yield the results of the corpus in the order of the documents.

        Raises `InputError` when a document is missing.
        """
        shards = (reader.results() for reader in self._readers)
        expected = 0
        for result in merge(*shards, key=lambda result: result.number):
            if result.number != expected:
                break
            expected += 1
            yield result
        if expected != self.count:
            shard = self._readers[expected % len(self._readers)]
            raise InputError(
                f"{shard.path}: lacks document {expected + 1} of {self.count}; give the command of "
                f"shard {shard.shard} again"
            )

    def lines(self) -> Iterator[dict[str, Any]]:
        """Yield the journal lines of the documents, shard by shard."""
        return chain.from_iterable(reader.lines() for reader in self._readers)

    def close(self) -> None:
        """Close the files."""
        self._stack.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()
