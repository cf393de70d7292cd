"""What a journal of a run holds, and how its lines are spelled (`bitext.jobs.journal`)."""

from __future__ import annotations

import json
import os
import stat
import zlib
from array import array
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bitext.errors import FormatError, InputError
from bitext.jobs.task import Result, Shard

if TYPE_CHECKING:
    import io
    from collections.abc import Iterator

__all__ = [
    "MOST_OF_HEAD",
    "SCHEMA",
    "Reader",
    "difference",
    "is_torn",
    "refuse_device",
    "refuse_difference",
    "result_of",
    "run_of",
    "spelled",
]

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
