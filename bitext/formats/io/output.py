"""Outputs: never over a file that the same run reads, and either whole or not at all.

A file that the same run reads is refused as an output, whatever its names. Three checks, from the
earliest to the latest:

* `refuse_clashes` compares the names of all inputs with those of all outputs, before any work.
* `protect_outputs` watches the files that are opened during the work, such as documents that a
  file of links names. A file that does not exist yet cannot be lost and is not watched. An output
  that was opened stays refused even if its error was handled, as `bitext check` handles
  errors of inputs.
* `record_reads` lists the opened files for a journal. A run that resumes from the journal does not
  open them again; `refuse_read_before` compares the list with the outputs of the new run.

Files are compared by device and inode, so links and relative names are resolved.

Outputs appear only when complete: local files, remote files and streams. Local files are written
beside their final path and then renamed.

| event | contents of the path afterwards |
| --- | --- |
| an error, Ctrl-C, the end of the process by any signal | the old file, if there was one |
| a full disk | the old file, with an error |
| a power cut | the old file or the complete new one, which is on disk before it is renamed |
| two runs with one output at the same time | the complete file of the run that ends last |
| two outputs of one run | both new or both old: both are renamed when both are complete |

Only a process that ends between the renaming of two outputs, which takes microseconds, leaves one
new and one old. An unfinished file has no name, where the system allows that (Linux, on most file
systems); elsewhere it is named `.bitext-*.part`, beside its final path, and a process that is
killed leaves it behind: it may be deleted.

Symbolic links are refused: to write through one changes a file that the user did not name, and to
replace one loses it. `/dev/stdout`, `/dev/stderr` and `/dev/fd/N` stand for open descriptors.
Devices and named pipes are written to directly. A replaced file keeps its permissions.

Remote files (`s3://`) are uploaded when all outputs of the run are complete, one after the other,
and before local files are renamed: an error, or the end of the process, before that sends nothing.
"""

from __future__ import annotations

import codecs
import io
import os
import shutil
import stat
import sys
import tempfile
import threading
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, BinaryIO, TextIO, cast

from bitext.errors import ClashError, InputError
from bitext.formats.io.compression import compressing, packing_of_name
from bitext.formats.io.remote import called, is_remote, local_path, two_files, upload
from bitext.paths import (
    AtomicFile,
    descriptor_of,
    is_file,
    path_name,
    refuse_writing_to,
    temporary_folder,
    temporary_place,
    unwritable,
)

if TYPE_CHECKING:
    Identity = tuple[object, ...]

ReadRecord = dict[str, list[int] | None]
"""Size and modification time (ns) of each opened file by its name; `None` for a remote file."""


class ProtectedOutputs:
    """The outputs of a run and those among them that were opened for reading.

    `names` has the name of each output, and `opened` the name under which an output was opened,
    both by the identity of the file.
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

    `outputs` are names of single files. Missing files, pipes and devices may be read.
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
def record_reads(*, around: bool = False) -> Iterator[ReadRecord]:
    """Record the local and remote files that this thread opens within the block.

    With `around` a block around this one records them, too.
    """
    before = _active.read
    ours: ReadRecord = {}
    _active.read = ours
    try:
        yield ours
    finally:
        _active.read = before
        if around and before is not None:
            before.update({name: state for name, state in ours.items() if name not in before})


def check_reading(name: str, state: os.stat_result | None = None) -> None:
    """Record an opened file; refuse it if it is an output.

    `state` is the state of the open file; `None` for a remote file. Raises `ClashError` when it is
    an output; the message names both.
    """
    if _active.read is not None and (state is None or stat.S_ISREG(state.st_mode)):
        here = None if state is None else [state.st_size, state.st_mtime_ns]
        _active.read.setdefault(name, here)
    _refuse_output(name, (name.rstrip("/"),) if state is None else (state.st_dev, state.st_ino))


def reopen(read: ReadRecord) -> bool:
    """Record files as opened, in place of opening them again; return whether all are unchanged.

    Changed and remote files are to be opened again, so none is recorded. Raises `ClashError` when a
    file is an output, as `check_reading` does.
    """
    states: dict[str, os.stat_result] = {}
    for name, before in read.items():
        try:
            state = states[name] = Path(name).stat()
        except (OSError, ValueError):
            return False
        if before != [state.st_size, state.st_mtime_ns]:
            return False
    for name, state in states.items():
        check_reading(name, state)
    return True


def _refuse_output(name: str, identity: Identity) -> None:
    """Refuse a file that is read if it is an output, and remember that it was."""
    for each in _active.outputs:
        if identity in each.names:
            each.opened[identity] = name
            raise _same(each.names[identity], name)


def refuse_read_before(names: Iterable[str]) -> None:
    """Refuse outputs that an earlier run of the same work read.

    Raises `ClashError` when one is; the message names both.
    """
    for name in names if any(each.names for each in _active.outputs) else ():
        if (identity := _identity(name, 0)) is not None:
            _refuse_output(name, identity)


def refuse_writing(outputs: Iterable[str]) -> None:
    """Refuse to write outputs that were opened for reading meanwhile.

    Raises `ClashError` when one was; the message names both.
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

    A name of two files (`a,b`, `corpus.{en,fr}`) stands for both, and `-` is standard input and
    output. Pipes and devices may be the same. No output, and none of those `outside`, may lie in
    one of the `folders`, all of whose files are read: the next run would read it. Hidden files,
    whose names begin with a dot, are not read.

    Raises `ClashError`, whose message names both.
    """
    written = list(_split(outputs))
    refuse_same(_split(inputs), written)
    _refuse_within(folders, (*written, *outside))


def _split(names: Iterable[str]) -> Iterator[str]:
    for name in names:
        yield from two_files(name) or (name,)


def refuse_same(inputs: Iterable[str], outputs: Iterable[str]) -> None:
    """Refuse an output that is also an input or another output, whatever its name.

    `inputs` and `outputs` are names of single files; `-` is standard input and output. Pipes and
    devices may be the same. Raises `ClashError` when two are the same; the message names both.
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

    `-` is standard output. Hidden files, whose names begin with a dot, are not read. Raises
    `ClashError` when an output lies in a folder; the message names both.
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


# Atomic outputs: local files, remote files and streams that appear only when complete.


_BUFFER = 1 << 17  # bytes of a write buffer


def output_of(name: str, *, binary: bool, held_back: bool) -> Output:
    """Return the output of a name: a local file, a remote file or a stream.

    Raises `InputError` when the name cannot be written to, or is a symbolic link.
    """
    if is_remote(name):
        here = local_path(name)
        if here is None:
            return _RemoteOutput(name, binary=binary)
        name = str(here)
    number = descriptor_of(name)
    if name == "-" or number is not None:
        return _StreamOutput(name, binary=binary, held_back=held_back, number=number)
    state = refuse_writing_to(name)
    if state is None or stat.S_ISREG(state.st_mode):
        return _FileOutput(name, binary=binary)
    return _StreamOutput(name, binary=binary, held_back=held_back, number=None)


def _name_temporary(name: str) -> str:
    """Name an output that is buffered in a temporary file, for errors."""
    return f"{name}: temporary file in {temporary_place()}"


class _DescriptorWriter(io.FileIO):
    """An open descriptor whose errors name the output; muted, it discards data without errors."""

    def __init__(self, descriptor: int, name: str) -> None:
        super().__init__(descriptor, "wb")
        self._output_name, self.muted = name, False

    def write(self, data: Any, /) -> int:
        if self.muted:
            return memoryview(data).nbytes
        try:
            return super().write(data)
        except BrokenPipeError:
            raise  # the reader of a pipe has ended, as `head` does: no error of the output
        except OSError as error:
            raise unwritable(self._output_name, error) from None


class _TextStreamWriter(io.RawIOBase):
    """A binary writer onto a text stream without a descriptor, as a notebook's standard output."""

    def __init__(self, stream: TextIO) -> None:
        self._stream, self.muted = stream, False
        self._decoder = codecs.getincrementaldecoder("utf-8")()

    def writable(self) -> bool:
        return True

    def write(self, data: Any, /) -> int:
        whole = bytes(data)
        if self.muted:
            return len(whole)
        below = getattr(self._stream, "buffer", None)
        if below is None:
            self._stream.write(self._decoder.decode(whole))
        else:
            below.write(whole)
            below.flush()
        return len(whole)


class Output(ABC):
    """One output: opened, written to, finished, and then made public or discarded."""

    first = False  # whether it is published before others, since publishing may fail

    def __init__(self, name: str, *, binary: bool) -> None:
        self.name, self._binary = name, binary
        self._raw: _DescriptorWriter | _TextStreamWriter | None = None
        self._layers: list[Any] = []

    @property
    def file(self) -> IO[Any]:
        """The file to write to."""
        return cast("IO[Any]", self._layers[-1])

    @abstractmethod
    def open(self) -> None:
        """Create the file to write to."""

    @abstractmethod
    def publish(self) -> None:
        """Move the finished file to its final path."""

    def finish(self) -> None:
        """Flush and close all layers."""
        for layer in reversed(self._layers):
            layer.close()

    def discard(self) -> None:
        """Close all layers; drop unflushed data."""
        if self._raw is not None:
            self._raw.muted = True
            for layer in reversed(self._layers):
                layer.close()
            self._raw.close()

    def _stack_up(self, raw: _DescriptorWriter | _TextStreamWriter) -> None:
        self._raw = raw
        self._layers.append(io.BufferedWriter(raw, _BUFFER))
        packing = packing_of_name(self.name)
        if packing:
            self._layers.append(compressing(cast("BinaryIO", self._layers[0]), packing))
        if not self._binary:
            self._layers.append(io.TextIOWrapper(self.file, encoding="utf-8", newline="\n"))


class _StreamOutput(Output):
    """Standard output, another open descriptor, a device or a pipe, which cannot be renamed."""

    def __init__(self, name: str, *, binary: bool, held_back: bool, number: int | None) -> None:
        super().__init__("standard output" if name == "-" else name, binary=binary)
        self._held_back, self._number, self._is_standard = held_back, number, name == "-"
        self._sink: _DescriptorWriter | _TextStreamWriter | None = None

    def open(self) -> None:
        self._sink = self._onto()
        if self._held_back:
            spool = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115 - the descriptor lives on
            with spool:
                self._spooled = os.dup(spool.fileno())
            self._stack_up(_DescriptorWriter(os.dup(self._spooled), _name_temporary(self.name)))
        else:
            self._stack_up(self._sink)

    def _onto(self) -> _DescriptorWriter | _TextStreamWriter:
        if self._is_standard or self._number in {1, 2}:
            stream = sys.stderr if self._number == 2 else sys.stdout
            if stream is None:
                raise InputError(f"{self.name} is closed: open it, or name a file")
            stream.flush()  # text printed before comes first
            try:
                return _DescriptorWriter(os.dup(stream.fileno()), self.name)
            except io.UnsupportedOperation:
                return _TextStreamWriter(stream)
        try:
            if self._number is not None:
                return _DescriptorWriter(os.dup(self._number), self.name)
            flags = os.O_WRONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NOCTTY", 0)
            return _DescriptorWriter(os.open(self.name, flags), self.name)
        except OSError as error:
            raise unwritable(self.name, error) from None

    def publish(self) -> None:
        if not self._held_back or self._sink is None:
            return
        with open(self._spooled, "rb", closefd=False) as spool:
            spool.seek(0)
            out = io.BufferedWriter(self._sink, _BUFFER)
            shutil.copyfileobj(spool, out, _BUFFER)
            out.close()

    def discard(self) -> None:
        super().discard()
        if self._sink is not None:
            self._sink.close()
        if self._held_back and self._sink is not None:
            os.close(self._spooled)


class _FileOutput(Output):
    """A local file, written beside its final path and renamed when complete."""

    def __init__(self, name: str, *, binary: bool) -> None:
        super().__init__(name, binary=binary)
        self._made = AtomicFile(name)

    def open(self) -> None:
        self._stack_up(_DescriptorWriter(self._made.open(), self.name))

    def finish(self) -> None:
        try:
            super().finish()
        except OSError as error:
            raise unwritable(self.name, error) from None
        self._made.finish()

    def publish(self) -> None:
        self._made.publish()

    def discard(self) -> None:
        super().discard()
        self._made.discard()


class _RemoteOutput(Output):
    """A local temporary file that is uploaded when complete."""

    first = True

    def __init__(self, place: str, *, binary: bool) -> None:
        super().__init__(called(place), binary=binary)
        self._place = place
        if self.name.endswith("/"):
            raise InputError(f"{place}: is a folder; name a file in it")
        self._made = ExitStack()

    def open(self) -> None:
        folder = self._made.enter_context(temporary_folder())
        # Under its own name, from which some stores derive the media type.
        self._file = folder / (Path(self.name).name or "file")
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        handle = os.open(self._file, flags, 0o600)
        self._stack_up(_DescriptorWriter(handle, _name_temporary(self.name)))

    def publish(self) -> None:
        upload(self._place, str(self._file))

    def discard(self) -> None:
        super().discard()
        self._made.close()


@contextmanager
def write_whole(
    path: str | os.PathLike[str], *, binary: bool = False, held_back: bool = False
) -> Iterator[IO[Any]]:
    """Open a UTF-8 text file, or a `binary` one, for writing; it appears when complete.

    It is written beside its final path and renamed, so that the path always holds the old file or
    the complete new one. `-` is standard output. The suffix sets the compression. With `held_back`,
    outputs that cannot be renamed, as standard output and pipes, are buffered in a temporary file
    until complete.

    Raises `InputError` when the file cannot be written to, or is a symbolic link.
    """
    with write_together((path,), binary=binary, held_back=held_back) as (out,):
        yield out


@contextmanager
def write_together(
    paths: Sequence[str | os.PathLike[str]], *, binary: bool = False, held_back: bool = False
) -> Iterator[list[IO[Any]]]:
    """Open several files for writing, which appear together when all are complete.

    Parameters as in `write_whole`.

    Raises `InputError` when a file cannot be written to, is a symbolic link, is named twice, or is
    opened for reading before all files are complete.
    """
    names = [path_name(path) for path in paths]
    refuse_same((), names)
    refuse_writing(names)
    with ExitStack() as stack:
        stack.enter_context(protect_outputs(names))
        outputs = []
        for name in names:
            output = output_of(name, binary=binary, held_back=held_back)
            stack.callback(output.discard)
            output.open()
            outputs.append(output)
        try:
            yield [output.file for output in outputs]
            refuse_writing(names)
            for output in outputs:
                output.finish()
        except UnicodeEncodeError as error:
            if error.encoding != "utf-8":  # of another file, or of standard output
                raise
            wrong = error.object[error.start : error.start + 1]
            raise InputError(
                f"{', '.join(names)}: cannot be written: the text has half of a surrogate pair, "
                f"{wrong!a}; take it out of the text"
            ) from None
        for output in sorted(outputs, key=lambda output: not output.first):
            output.publish()
