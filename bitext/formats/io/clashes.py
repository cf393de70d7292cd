"""Files that would be read and written in one run: refused, by whatever names.

What is named to be read is held against what is named to be written before any work
(`refuse_same`). What is read besides, as documents that a file of links names, is found when it is
opened: what is to be written is known by then (`spared`), and that is a few files, however many are
read. A file that is not there yet cannot be lost, and is not looked at.

What was met stays known while its output is: an error that is taken for one of the input, as
`bitext check` does, does not make the output any safer.

A run that goes on from a journal does not open what it read before. So what is opened is `noted`,
kept there, and held against the outputs of the next run (`refuse_read_before`).
"""

from __future__ import annotations

import os
import stat
import threading
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from bitext.errors import ClashError
from bitext.formats.io.remote import is_place, local_path
from bitext.paths import is_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    Identity = tuple[object, ...]

__all__ = [
    "Noted",
    "Spared",
    "note_reading",
    "noted",
    "refuse_read_before",
    "refuse_same",
    "refuse_within",
    "refuse_writing",
    "spared",
]

Noted = dict[str, list[int] | None]
"""What was opened, by its name: size and time, or `None` for a place elsewhere."""


class Spared:
    """Outputs by their identity, and which of them were opened, by what name."""

    def __init__(self, names: dict[Identity, str]) -> None:
        self.names = names
        self.met: dict[Identity, str] = {}

    def clash(self) -> ClashError | None:
        """Return the error of the first that was opened, whatever became of it, if any was."""
        return next((_same(self.names[found], other) for found, other in self.met.items()), None)


class _Active(threading.local):
    """Of one thread: another one may well read what stands in a place until it is replaced."""

    outputs: tuple[Spared, ...] = ()
    read: Noted | None = None


_active = _Active()


@contextmanager
def spared(outputs: Iterable[str]) -> Iterator[Spared]:
    """Refuse, while it lasts, to open for reading what is to be written.

    It is of this thread alone: whoever hands work to others names the outputs there, too, and asks
    what was met there.

    Parameters
    ----------
    outputs : iterable of str
        Names of single files. Those that are not there, pipes and devices may be read.

    """
    found = {identity: name for name in outputs if (identity := _of_output(name)) is not None}
    ours = Spared(found)
    if not found:
        yield ours
        return
    _active.outputs = (*_active.outputs, ours)
    try:
        yield ours
    finally:
        _active.outputs = tuple(each for each in _active.outputs if each is not ours)


@contextmanager
def noted() -> Iterator[Noted]:
    """Note, while it lasts, what this thread opens for reading: single files and places."""
    before = _active.read
    ours: Noted = {}
    _active.read = ours
    try:
        yield ours
    finally:
        _active.read = before


def note_reading(name: str, state: os.stat_result | None = None) -> None:
    """Note what is opened, and refuse to read an output.

    Parameters
    ----------
    name : str
    state : os.stat_result or None
        That of the open file; `None` for a place elsewhere.

    Raises
    ------
    ClashError
        When it is an output; it names both.

    """
    if _active.read is not None and (state is None or stat.S_ISREG(state.st_mode)):
        here = None if state is None else [state.st_size, state.st_mtime_ns]
        _active.read.setdefault(name, here)
    if not (active := _active.outputs):
        return
    found = (name.rstrip("/"),) if state is None else (state.st_dev, state.st_ino)
    for each in active:
        if found in each.names:
            each.met[found] = name
            raise _same(each.names[found], name)


def refuse_read_before(names: Iterable[str]) -> None:
    """Refuse what an earlier run of the same work has read, where it is an output now.

    Raises
    ------
    ClashError
        When one is; it names both.

    """
    if not any(each.names for each in _active.outputs):
        return
    for name in names:
        found = _identity(name, 0)
        for each in _active.outputs:
            if found is not None and found in each.names:
                each.met[found] = name
                raise _same(each.names[found], name)


def refuse_writing(outputs: Iterable[str]) -> None:
    """Refuse to write what was to be read meanwhile.

    Raises
    ------
    ClashError
        When one was; it names both.

    """
    if not any(each.met for each in _active.outputs):
        return
    for name in outputs:
        found = _of_output(name)
        for each in _active.outputs:
            if found in each.met:
                raise _same(name, each.met[found])


def refuse_same(inputs: Iterable[str], outputs: Iterable[str]) -> None:
    """Refuse an output that is an input too, or another output, by whatever names.

    Parameters
    ----------
    inputs, outputs : iterable of str
        Names of single files; `-` is standard input and output. Pipes and devices may be the same.

    Raises
    ------
    ClashError
        When two are the same; it names them.

    """
    known = {_identity(name, 0): name for name in inputs}
    for name in outputs:
        found = _identity(name, 1)
        other = known.get(found)
        if other is not None and found is not None:
            raise _same(name, other)
        known[found] = name


def refuse_within(folders: Iterable[str], outputs: Iterable[str]) -> None:
    """Refuse an output that would lie in a folder all of which is read: the next run would read it.

    Parameters
    ----------
    folders, outputs : iterable of str
        Names; `-` is standard output. What is hidden in a folder, by a dot, is not read.

    Raises
    ------
    ClashError
        When one does; it names both.

    """
    read = {_whole(folder): folder for folder in folders}
    for output in outputs if read else ():
        if output == "-":
            continue
        around = _whole(output)
        inside: list[str] = []
        while "/" in around:
            around, _, last = around.rpartition("/")
            inside.append(last)
            if around in read and not any(part.startswith(".") for part in inside):
                here = local_path(output)
                if here is not None and is_file(here):
                    why = f"is in {read[around]}, of which all files are read"
                else:
                    why = (
                        f"would lie in {read[around]}, of which all files are read, and be read, "
                        f"too, the next time"
                    )
                raise ClashError(f"{output}: {why}; write to another folder")


def _whole(name: str) -> str:
    """Return the one name that a file has, or will have, or a place; without `/` at its end."""
    here = local_path(name)
    return (name if here is None else Path(os.path.realpath(here)).as_posix()).rstrip("/")


def _same(output: str, other: str) -> ClashError:
    return ClashError(
        f"{output}: is the same file as {other}, which is read or written too; "
        f"name another file to write"
    )


def _of_output(name: str) -> Identity | None:
    """Return what tells an output that is there already from others; `None` for what is none."""
    if name == "-":
        return None
    found = _identity(name, 1)
    # One name alone is that of a place elsewhere, or of what is not there.
    return found if found is None or len(found) == 2 or is_place(name) else None


def _identity(name: str, descriptor: int) -> Identity | None:
    """Return what tells a file from others; `None` for what is none."""
    if is_place(name):
        here = local_path(name)
        if here is None:
            return (name.rstrip("/"),)
        name = str(here)
    try:
        state = os.fstat(descriptor) if name == "-" else os.stat(name)  # noqa: PTH116
    except FileNotFoundError:
        return (os.path.realpath(name),)
    except (OSError, ValueError):
        return None  # opening it tells what is wrong
    return (state.st_dev, state.st_ino) if stat.S_ISREG(state.st_mode) else None
