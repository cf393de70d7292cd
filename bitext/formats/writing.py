"""Outputs that are whole or not there: written beside their place, then renamed.

| what happens | what the name holds then |
| --- | --- |
| an error, Ctrl-C, the end of the process by any signal | the old file, if there was one |
| a full disk | the old file, and an error that says so |
| a power cut | the old file or the whole new one: the new one is on the disk when it is renamed |
| two runs with one output at the same time | the whole file of the one that ends last |
| two outputs of one run | both new or both old: they are renamed when both are whole |

Only an end between the renaming of two outputs, which takes microseconds, leaves one new and one
old. While it is written a file has no name, where the system can do that (Linux, on most file
systems); elsewhere it is named `.bitext-*.part`, beside its place, and a process that is killed
leaves it there: it may be deleted.

Names that are links are refused: to write through one is to write elsewhere than was said, and to
replace it is to lose it. `/dev/stdout`, `/dev/stderr` and `/dev/fd/N` are what they stand for.
Devices and named pipes are written to straight. What is replaced keeps its permissions.
"""

from __future__ import annotations

import codecs
import io
import os
import re
import shutil
import stat
import sys
import tempfile
from abc import ABC, abstractmethod
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, BinaryIO, TextIO, cast

from bitext.errors import InputError
from bitext.formats.packing import compressing, packing_of_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

__all__ = ["refuse_same", "write_together", "write_whole"]

_BUFFER = 1 << 17
_STANDARD = {"/dev/stdin": 0, "/dev/stdout": 1, "/dev/stderr": 2}
_DESCRIPTOR = re.compile(r"/(?:dev|proc/self)/fd/(\d{1,9})", re.ASCII)


@contextmanager
def write_whole(
    path: str | os.PathLike[str], *, binary: bool = False, held_back: bool = False
) -> Iterator[IO[Any]]:
    """Give a UTF-8 text file, or a `binary` one, to write; it appears when all is written.

    It is written beside its place and renamed, so that whatever happens the name holds the
    old file or the whole new one. `-` is standard output. Compression goes by the name.

    Parameters
    ----------
    path : str or path
        The file.
    binary : bool
        Whether bytes are written.
    held_back : bool
        Whether what cannot be renamed, as standard output and pipes, gets nothing before all is
        written either; it takes that much room for temporary files.

    Raises
    ------
    InputError
        When the place cannot be written to, or is a link.

    """
    with write_together((path,), binary=binary, held_back=held_back) as (out,):
        yield out


@contextmanager
def write_together(
    paths: Sequence[str | os.PathLike[str]], *, binary: bool = False, held_back: bool = False
) -> Iterator[list[IO[Any]]]:
    """Give several files to write, which appear together when all of them are whole.

    Parameters as of `write_whole`.

    Raises
    ------
    InputError
        When a place cannot be written to, is a link, or is named twice.

    """
    names = [os.fspath(path) for path in paths]
    refuse_same((), names)
    with ExitStack() as stack:
        outputs = []
        for name in names:
            output = _output(name, binary=binary, held_back=held_back)
            stack.callback(output.discard)
            output.open()
            outputs.append(output)
        try:
            yield [output.file for output in outputs]
            for output in outputs:
                output.finish()
        except UnicodeEncodeError as error:
            wrong = error.object[error.start : error.start + 1]
            raise InputError(
                f"{', '.join(names)}: cannot be written: the text has half of a surrogate pair, "
                f"{wrong!a}; take it out of the text"
            ) from None
        for output in outputs:
            output.publish()


def refuse_same(inputs: Iterable[str], outputs: Iterable[str]) -> None:
    """Refuse an output that is an input too, or another output, by whatever names.

    Parameters
    ----------
    inputs, outputs : iterable of str
        Names of single files; `-` is standard input and output. Pipes and devices may be the same.

    Raises
    ------
    InputError
        When two are the same; it names them.

    """
    known = {_identity(name, 0): name for name in inputs}
    for name in outputs:
        found = _identity(name, 1)
        other = known.get(found)
        if other is not None and found is not None:
            raise InputError(
                f"{name}: is the same file as {other}, which is read or written too; "
                f"name another file to write"
            )
        known[found] = name


def _identity(name: str, descriptor: int) -> tuple[object, ...] | None:
    """Return what tells a file from others; `None` for what is none."""
    try:
        state = os.fstat(descriptor) if name == "-" else os.stat(name)  # noqa: PTH116
    except FileNotFoundError:
        return (os.path.realpath(name),)
    except (OSError, ValueError):
        return None  # opening it tells what is wrong
    return (state.st_dev, state.st_ino) if stat.S_ISREG(state.st_mode) else None


def _output(name: str, *, binary: bool, held_back: bool) -> _Output:
    """Look at what a name stands for now."""
    descriptor = _DESCRIPTOR.fullmatch(name)
    number = int(descriptor[1]) if descriptor else _STANDARD.get(name)
    if name == "-" or number is not None:
        return _Straight(name, binary=binary, held_back=held_back, number=number)
    try:
        mode = os.lstat(name).st_mode
    except FileNotFoundError:
        return _Aside(name, None, binary=binary)
    except (OSError, ValueError) as error:
        raise _refused(name, error) from None
    if stat.S_ISDIR(mode):
        raise InputError(f"{name}: is a directory; name a file in it")
    if stat.S_ISLNK(mode):
        raise InputError(
            f"{name}: is a link to {os.readlink(name)}, and links are not written through; "  # noqa: PTH115
            f"name the file itself, or delete the link"
        )
    if stat.S_ISREG(mode):
        return _Aside(name, stat.S_IMODE(mode) & 0o777, binary=binary)
    if stat.S_ISBLK(mode):
        raise InputError(f"{name}: is a disk, and would be overwritten; name a file")
    return _Straight(name, binary=binary, held_back=held_back, number=None)


def _refused(name: str, error: OSError | ValueError) -> InputError:
    return InputError(f"{name}: cannot be written: {getattr(error, 'strerror', None) or error}")


class _File(io.FileIO):
    """An open descriptor whose errors name the place; may be muted, to be closed in peace."""

    def __init__(self, descriptor: int, name: str) -> None:
        super().__init__(descriptor, "wb")
        self._place, self.muted = name, False

    def write(self, data: Any, /) -> int:
        if self.muted:
            return memoryview(data).nbytes
        try:
            return super().write(data)
        except BrokenPipeError:
            raise  # who reads has gone, as `head` does: no error of the place
        except OSError as error:
            raise _refused(self._place, error) from None


class _Onto(io.RawIOBase):
    """Bytes onto a text stream that has no descriptor, as a notebook's standard output."""

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


class _Output(ABC):
    """One output: opened, written to, finished, and then made public or discarded."""

    def __init__(self, name: str, *, binary: bool) -> None:
        self.name, self._binary = name, binary
        self._raw: _File | _Onto | None = None
        self._layers: list[Any] = []

    @property
    def file(self) -> IO[Any]:
        return cast("IO[Any]", self._layers[-1])

    @abstractmethod
    def open(self) -> None:
        """Make the file to write to."""

    @abstractmethod
    def publish(self) -> None:
        """Put what is finished where it belongs."""

    def finish(self) -> None:
        """Pass on what the layers still hold."""
        for layer in reversed(self._layers):
            layer.close()

    def discard(self) -> None:
        """Close everything; what the layers still hold goes nowhere."""
        if self._raw is not None:
            self._raw.muted = True
            for layer in reversed(self._layers):
                layer.close()
            self._raw.close()

    def _stack_up(self, raw: _File | _Onto) -> None:
        self._raw = raw
        self._layers.append(io.BufferedWriter(raw, _BUFFER))
        packing = packing_of_name(self.name)
        if packing:
            self._layers.append(compressing(cast("BinaryIO", self._layers[0]), packing))
        if not self._binary:
            self._layers.append(io.TextIOWrapper(self.file, encoding="utf-8", newline="\n"))


class _Straight(_Output):
    """Standard output, another open descriptor, a device or a pipe: nothing to rename over."""

    def __init__(self, name: str, *, binary: bool, held_back: bool, number: int | None) -> None:
        super().__init__("standard output" if name == "-" else name, binary=binary)
        self._held_back, self._number, self._is_standard = held_back, number, name == "-"
        self._sink: _File | _Onto | None = None

    def open(self) -> None:
        self._sink = self._onto()
        if self._held_back:
            spool = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115 - the descriptor lives on
            with spool:
                self._spooled = os.dup(spool.fileno())
            self._stack_up(_File(os.dup(self._spooled), f"{self.name}: temporary file"))
        else:
            self._stack_up(self._sink)

    def _onto(self) -> _File | _Onto:
        if self._is_standard or self._number in {1, 2}:
            stream = sys.stderr if self._number == 2 else sys.stdout
            if stream is None:
                raise InputError(f"{self.name} is closed: open it, or name a file")
            stream.flush()  # what was printed comes before
            try:
                return _File(os.dup(stream.fileno()), self.name)
            except io.UnsupportedOperation:
                return _Onto(stream)
        try:
            if self._number is not None:
                return _File(os.dup(self._number), self.name)
            flags = os.O_WRONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NOCTTY", 0)
            return _File(os.open(self.name, flags), self.name)
        except OSError as error:
            raise _refused(self.name, error) from None

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


class _Aside(_Output):
    """A file beside its place, without a name where the system can do that."""

    def __init__(self, name: str, mode: int | None, *, binary: bool) -> None:
        super().__init__(name, binary=binary)
        self._target, self._mode = Path(name), mode
        # Chosen before it is made: so it is known whatever interrupts its making.
        self._part = self._target.parent / f".bitext-{os.urandom(8).hex()}.part"
        self._nameless = False
        self._kept = -1

    def open(self) -> None:
        handle = self._unnamed()
        if handle is None:
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
            try:
                handle = os.open(self._part, flags, 0o666)
            except (OSError, ValueError) as error:
                raise _refused(self.name, error) from None
        self._kept = os.dup(handle)
        self._stack_up(_File(handle, self.name))

    def _unnamed(self) -> int | None:
        flag = getattr(os, "O_TMPFILE", 0)
        if not flag:
            return None
        try:
            handle = os.open(self._target.parent, os.O_WRONLY | flag, 0o666)
        except (OSError, ValueError):
            return None
        if not Path(f"/proc/self/fd/{handle}").exists():  # the way to name it later
            os.close(handle)
            return None
        self._nameless = True
        return handle

    def finish(self) -> None:
        try:
            super().finish()
            if self._mode is not None:
                os.chmod(self._kept, self._mode)  # noqa: PTH101 - a descriptor
            os.fsync(self._kept)
            if self._nameless:
                self._give_name()
        except OSError as error:
            raise _refused(self.name, error) from None

    def _give_name(self) -> None:
        # Only with a folder's descriptor does Python follow the link that stands for the file.
        folder = os.open(self._target.parent, os.O_PATH | os.O_DIRECTORY)
        try:
            os.link(f"/proc/self/fd/{self._kept}", self._part.name, dst_dir_fd=folder)
        finally:
            os.close(folder)

    def publish(self) -> None:
        try:
            os.replace(self._part, self._target)  # noqa: PTH105
        except OSError as error:
            raise _refused(self.name, error) from None

    def discard(self) -> None:
        super().discard()
        if self._kept >= 0:
            os.close(self._kept)
            self._kept = -1
        self._part.unlink(missing_ok=True)
