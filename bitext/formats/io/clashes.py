"""Refusing to write a file that the same run reads, whatever its names.

Three checks, from the earliest to the latest:

* `refuse_clashes` compares the names of all inputs with those of all outputs, before any work.
* `protect_outputs` watches the files that are opened during the work, such as documents that a
  file of links names. A file that does not exist yet cannot be lost and is not watched. An output
  that was opened stays refused even if its error was handled, as `bitext check` handles
  errors of inputs.
* `record_reads` lists the opened files for a journal. A run that resumes from the journal does not
  open them again; `refuse_read_before` compares the list with the outputs of the new run.

Files are compared by device and inode, so links and relative names are resolved.
"""

from __future__ import annotations

import os
import stat
import threading
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from bitext.errors import ClashError
from bitext.formats.io.remote import is_remote, local_path, two_files
from bitext.paths import is_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    Identity = tuple[object, ...]

ReadRecord = dict[str, list[int] | None]
"""Size and modification time (ns) of each opened file by its name; `None` for a remote file."""


class ProtectedOutputs:
    """The outputs of a run and those among them that were opened for reading.

    Attributes
    ----------
    names : dict
        Name of each output, by its identity.
    opened : dict
        Name under which an output was opened, by its identity.

    """

    def __init__(self, names: dict[Identity, str]) -> None:
        self.names = names
        self.opened: dict[Identity, str] = {}

    def clash(self) -> ClashError | None:
        """Return the error for the first output that was opened, even if that error was handled."""
        return next(
            (_same(self.names[identity], other) for identity, other in self.opened.items()), None
        )


class _Active(threading.local):
    """State of one thread: another thread may read the old file until it is replaced."""

    outputs: tuple[ProtectedOutputs, ...] = ()
    read: ReadRecord | None = None


_active = _Active()


@contextmanager
def protect_outputs(outputs: Iterable[str]) -> Iterator[ProtectedOutputs]:
    """Refuse to open the outputs for reading within the block, in this thread.

    Code that hands work to other threads or processes protects the outputs there, too.

    Parameters
    ----------
    outputs : iterable of str
        Names of single files. Missing files, pipes and devices may be read.

    """
    names = {identity: name for name in outputs if (identity := _existing_output(name)) is not None}
    ours = ProtectedOutputs(names)
    if not names:
        yield ours
        return
    _active.outputs = (*_active.outputs, ours)
    try:
        yield ours
    finally:
        _active.outputs = tuple(each for each in _active.outputs if each is not ours)


@contextmanager
def record_reads() -> Iterator[ReadRecord]:
    """Record the local and remote files that this thread opens within the block."""
    before = _active.read
    ours: ReadRecord = {}
    _active.read = ours
    try:
        yield ours
    finally:
        _active.read = before


def check_reading(name: str, state: os.stat_result | None = None) -> None:
    """Record an opened file; refuse it if it is an output.

    Parameters
    ----------
    name : str
    state : os.stat_result or None
        State of the open file; `None` for a remote file.

    Raises
    ------
    ClashError
        When it is an output; the message names both.

    """
    if _active.read is not None and (state is None or stat.S_ISREG(state.st_mode)):
        here = None if state is None else [state.st_size, state.st_mtime_ns]
        _active.read.setdefault(name, here)
    if not (active := _active.outputs):
        return
    identity = (name.rstrip("/"),) if state is None else (state.st_dev, state.st_ino)
    for each in active:
        if identity in each.names:
            each.opened[identity] = name
            raise _same(each.names[identity], name)


def refuse_read_before(names: Iterable[str]) -> None:
    """Refuse outputs that an earlier run of the same work read.

    Raises
    ------
    ClashError
        When one is; the message names both.

    """
    if not any(each.names for each in _active.outputs):
        return
    for name in names:
        identity = _identity(name, 0)
        for each in _active.outputs:
            if identity is not None and identity in each.names:
                each.opened[identity] = name
                raise _same(each.names[identity], name)


def refuse_writing(outputs: Iterable[str]) -> None:
    """Refuse to write outputs that were opened for reading meanwhile.

    Raises
    ------
    ClashError
        When one was; the message names both.

    """
    if not any(each.opened for each in _active.outputs):
        return
    for name in outputs:
        identity = _existing_output(name)
        for each in _active.outputs:
            if identity in each.opened:
                raise _same(name, each.opened[identity])


def refuse_clashes(
    inputs: Iterable[str],
    outputs: Iterable[str],
    *,
    folders: Iterable[str] = (),
    outside: Iterable[str] = (),
) -> None:
    """Refuse, before any work, the outputs that would replace an input or each other.

    A name of two files (`a,b`, `corpus.{en,fr}`) stands for both.

    Parameters
    ----------
    inputs, outputs : iterable of str
        Names of files; `-` is standard input and output. Pipes and devices may be the same.
    folders : iterable of str
        Folders all of whose files are read: no output may lie in one, as the next run would read
        it. Hidden files, whose names begin with a dot, are not read.
    outside : iterable of str
        Further outputs that only must not lie in `folders`.

    Raises
    ------
    ClashError
        The message names both.

    """
    written = list(_split(outputs))
    refuse_same(_split(inputs), written)
    _refuse_within(folders, (*written, *outside))


def _split(names: Iterable[str]) -> Iterator[str]:
    for name in names:
        yield from two_files(name) or (name,)


def refuse_same(inputs: Iterable[str], outputs: Iterable[str]) -> None:
    """Refuse an output that is also an input or another output, whatever its name.

    Parameters
    ----------
    inputs, outputs : iterable of str
        Names of single files; `-` is standard input and output. Pipes and devices may be the same.

    Raises
    ------
    ClashError
        When two are the same; the message names both.

    """
    known = {_identity(name, 0): name for name in inputs}
    for name in outputs:
        identity = _identity(name, 1)
        other = known.get(identity)
        if other is not None and identity is not None:
            raise _same(name, other)
        known[identity] = name


def _refuse_within(folders: Iterable[str], outputs: Iterable[str]) -> None:
    """Refuse an output in a folder whose files are all read: the next run would read it, too.

    Parameters
    ----------
    folders, outputs : iterable of str
        Names; `-` is standard output. Hidden files, whose names begin with a dot, are not read.

    Raises
    ------
    ClashError
        When one lies there; the message names both.

    """
    read = {_resolved(folder): folder for folder in folders}
    for output in outputs if read else ():
        if output == "-":
            continue
        around = _resolved(output)
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


def _resolved(name: str) -> str:
    """Return the absolute name of a file, links resolved, or the address of a remote one."""
    here = local_path(name)
    return (name if here is None else Path(os.path.realpath(here)).as_posix()).rstrip("/")


def _same(output: str, other: str) -> ClashError:
    return ClashError(
        f"{output}: is the same file as {other}, which is read or written too; "
        f"name another file to write"
    )


def _existing_output(name: str) -> Identity | None:
    """Return the identity of an output that exists; `None` for any other."""
    if name == "-":
        return None
    identity = _identity(name, 1)
    # An identity of a name alone is that of a remote file or of a missing one.
    return identity if identity is None or len(identity) == 2 or is_remote(name) else None


def _identity(name: str, descriptor: int) -> Identity | None:
    """Return device and inode, or the name of a remote or missing file; `None` for a pipe."""
    if is_remote(name):
        here = local_path(name)
        if here is None:
            return (name.rstrip("/"),)
        name = str(here)
    try:
        state = os.fstat(descriptor) if name == "-" else os.stat(name)  # noqa: PTH116
    except FileNotFoundError:
        return (os.path.realpath(name),)
    except (OSError, ValueError):
        return None  # opening it raises the error
    return (state.st_dev, state.st_ino) if stat.S_ISREG(state.st_mode) else None
