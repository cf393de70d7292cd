"""Questions about files and folders that one may not be allowed to ask, and names for new ones.

`Path.is_dir` and its kin end in errors for what lies in a folder that must not be looked into, and
from Python 3.14 on do not; `Path.rglob` passes over such folders without a word. Here the answers
are the same everywhere: what cannot be looked at is no folder and no file, but may be there, so
whoever opens it tells why that fails; and no file of a folder is passed over.

What is made for a while only has a name that is chosen before it is made. Whatever interrupts its
making, as a signal may at any moment, it can be taken away.

Every file that is written anew is an `AtomicFile`: written beside its place, then renamed. Files
that only grow, as journals, are opened by `open_to_append`. Neither is written through a link.
"""

from __future__ import annotations

import errno
import os
import stat
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from bitext.errors import FormatError, InputError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO
    from zipfile import ZipFile

__all__ = [
    "AtomicFile",
    "aside_in",
    "files_below",
    "files_in",
    "is_device",
    "is_file",
    "is_folder",
    "is_there",
    "names_in",
    "open_to_append",
    "refuse_bomb",
    "refuse_writing_to",
    "replace_file",
    "temporary_folder",
    "temporary_place",
    "temporary_room",
    "unwritable",
    "why_unwritable",
]

_BUFFER = 1 << 17  # bytes
_NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_FREE_SIZE = 1 << 26  # bytes that an archive may come to, however small it is
_MOST_RATIO = 200
_BINARY = getattr(os, "O_BINARY", 0)


def is_folder(path: str | Path) -> bool:
    """Tell whether a path is a folder, as far as one may know."""
    return os.path.isdir(path)  # noqa: PTH112


def is_file(path: str | Path) -> bool:
    """Tell whether a path is a file, not a folder, a pipe or a device, as far as one may know."""
    return os.path.isfile(path)  # noqa: PTH113


def is_device(path: str | Path) -> bool:
    """Tell whether a path is a device that gives or takes signs, as far as one may know."""
    try:
        return stat.S_ISCHR(os.stat(path).st_mode)  # noqa: PTH116
    except (OSError, ValueError):
        return False


def is_there(path: str | Path) -> bool:
    """Tell whether there is something of that name, as far as one may know."""
    return os.path.exists(path)  # noqa: PTH110


def may_be_there(path: str | Path) -> bool:
    """Tell whether there is something of that name, or may be, as one must not look."""
    try:
        Path(path).stat()
    except PermissionError:
        return True
    except (OSError, ValueError):
        return False
    return True


def names_in(folder: str | Path) -> list[str]:
    """Return the names in a folder; none where it cannot be read."""
    try:
        return os.listdir(folder)  # noqa: PTH208
    except OSError:
        return []


def files_in(folder: str | Path) -> list[Path]:
    """Return the files in a folder, sorted, without those of the folders in it.

    Raises
    ------
    InputError
        When it cannot be read.

    """
    try:
        names = os.listdir(folder)  # noqa: PTH208
    except OSError as error:
        raise _unread(error) from None
    return sorted(path for path in (Path(folder, name) for name in names) if is_file(path))


def files_below(folder: str | Path) -> list[Path]:
    """Return the files in a folder and in all folders below it, sorted.

    Folders that are links are not gone into.

    Raises
    ------
    InputError
        When one of these folders cannot be read.

    """

    def refuse(error: OSError) -> None:
        raise _unread(error) from None

    found = []
    for at, _, names in os.walk(folder, onerror=refuse):
        found += [path for path in (Path(at, name) for name in names) if is_file(path)]
    return sorted(found)


def why_unwritable(path: str | Path) -> str:
    """Return why a file cannot be made or written anew, as far as that can be told before.

    That is "" where nothing speaks against it, and where its folder is not there: whoever opens it
    tells that. Files are made aside and renamed, so it is the folder that counts.
    """
    try:
        mode = Path(path).stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        mode = stat.S_IFREG  # it is to be made
    except (OSError, ValueError) as error:
        return getattr(error, "strerror", None) or str(error)
    if not stat.S_ISREG(mode):
        return ""  # a pipe, a device
    folder, nameless = Path(path).parent, getattr(os, "O_TMPFILE", 0)
    if not nameless or not is_folder(folder):
        return ""
    try:
        os.close(os.open(folder, os.O_WRONLY | nameless))  # it is gone when it is closed
    except OSError as error:
        if error.errno in {errno.EACCES, errno.EPERM, errno.EROFS}:
            return error.strerror or ""
    return ""


def aside_in(folder: str | Path) -> Path:
    """Return a name in a folder that nobody else has, for what is there until it is whole."""
    return Path(folder, f".bitext-{os.urandom(8).hex()}.part")


def unwritable(path: str | Path, error: OSError | ValueError) -> InputError:
    """Return the error of a file that the system lets nobody write."""
    return InputError(f"{path}: cannot be written: {getattr(error, 'strerror', None) or error}")


def refuse_writing_to(path: str | Path) -> os.stat_result | None:
    """Return the state of what a file would replace; `None` where there is nothing yet.

    Raises
    ------
    InputError
        When it is a directory, a link or a disk, or cannot be looked at.

    """
    try:
        state = os.lstat(path)
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise unwritable(path, error) from None
    if stat.S_ISDIR(state.st_mode):
        raise InputError(f"{path}: is a directory; name a file in it")
    if stat.S_ISLNK(state.st_mode):
        raise InputError(
            f"{path}: is a link to {os.readlink(path)}, and links are not written through; "  # noqa: PTH115
            f"name the file itself, or delete the link"
        )
    if stat.S_ISBLK(state.st_mode):
        raise InputError(f"{path}: is a disk, and would be overwritten; name a file")
    return state


class AtomicFile:
    """A file that is written beside its place, and then renamed.

    It has no name before, where the system can do that. Call `open` and write to the descriptor;
    `finish` when it is closed; then `publish`; in the end `discard`, whatever happened.

    Parameters
    ----------
    path : str or path
        The place. What is there is refused as by `refuse_writing_to`; its permissions stay.

    """

    def __init__(self, path: str | Path) -> None:
        state = refuse_writing_to(path)
        self._path, self._target = path, Path(path)
        self._mode = None if state is None else stat.S_IMODE(state.st_mode) & 0o777
        self._part = aside_in(self._target.parent)
        self._nameless = False
        self._kept = -1

    def open(self) -> int:
        """Return the descriptor to write to; the caller closes it."""
        handle = self._unnamed()
        if handle is None:
            try:
                handle = os.open(self._part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY, 0o666)
            except (OSError, ValueError) as error:
                raise unwritable(self._path, error) from None
        self._kept = os.dup(handle)
        return handle

    def _unnamed(self) -> int | None:
        flag = getattr(os, "O_TMPFILE", 0)
        if not flag:
            return None
        try:
            handle = os.open(self._target.parent, os.O_WRONLY | flag, 0o666)
        except (OSError, ValueError):
            return None
        if not is_there(f"/proc/self/fd/{handle}"):  # the way to name it later
            os.close(handle)
            return None
        self._nameless = True
        return handle

    def finish(self) -> None:
        """Bring what was written to the disk."""
        try:
            if self._mode is not None:
                os.chmod(self._kept, self._mode)  # noqa: PTH101 - a descriptor
            os.fsync(self._kept)
            if self._nameless:
                self._give_name()
        except OSError as error:
            raise unwritable(self._path, error) from None

    def _give_name(self) -> None:
        # Only with a folder's descriptor does Python follow the link that stands for the file.
        folder = os.open(self._target.parent, os.O_PATH | os.O_DIRECTORY)
        try:
            os.link(f"/proc/self/fd/{self._kept}", self._part.name, dst_dir_fd=folder)
        finally:
            os.close(folder)

    def publish(self) -> None:
        """Give it the name of its place."""
        try:
            os.replace(self._part, self._target)  # noqa: PTH105
        except OSError as error:
            raise unwritable(self._path, error) from None

    def discard(self) -> None:
        """Take away what was not published."""
        if self._kept >= 0:
            os.close(self._kept)
            self._kept = -1
        self._part.unlink(missing_ok=True)


@contextmanager
def replace_file(path: str | Path) -> Iterator[BinaryIO]:
    """Give a binary file to write, which appears when it is whole.

    It may be sought in. For the outputs of commands, which may be streams or packed, see
    `bitext.formats.io.output`.

    Raises
    ------
    InputError
        When there is a link, a folder, a pipe or a device, or the place cannot be written to.

    """
    state = refuse_writing_to(path)
    if state is not None and not stat.S_ISREG(state.st_mode):  # it would be replaced
        raise InputError(f"{path}: is no file that can be written anew; name another")
    made = AtomicFile(path)
    try:
        with os.fdopen(made.open(), "wb", _BUFFER) as out:
            yield out
        made.finish()
        made.publish()
    except OSError as error:
        if error.filename is not None:  # of another file
            raise
        raise unwritable(path, error) from None
    finally:
        made.discard()


def open_to_append(path: str | Path) -> int:
    """Return the descriptor of a file that grows, to read and write; it is made where it lacks.

    Raises
    ------
    InputError
        When it is a link or no ordinary file, lies in no folder, or cannot be written to.

    """
    state = refuse_writing_to(path)
    if state is not None and not stat.S_ISREG(state.st_mode):
        raise InputError(f"{path}: is no file that a journal can be; name another")
    flags = os.O_RDWR | os.O_CREAT | _BINARY
    flags |= getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0)
    try:
        return os.open(path, flags, 0o666)
    except (OSError, ValueError) as error:
        folder = Path(path).parent
        if isinstance(error, FileNotFoundError) and not is_there(folder):
            raise InputError(f"{path}: no folder {folder}; make it first") from None
        raise unwritable(path, error) from None


def refuse_bomb(archive: ZipFile, path: str | Path) -> None:
    """Refuse a zip archive that is small and comes to far more than what is written into one.

    What is written by us packs to a half or a tenth. No member gives more bytes than its entry
    tells.

    Raises
    ------
    FormatError

    """
    members = archive.infolist()
    whole = sum(each.file_size for each in members)
    if whole > _FREE_SIZE + _MOST_RATIO * sum(each.compress_size for each in members):
        raise FormatError(
            f"unpacks to {whole:,} bytes, more than {_MOST_RATIO} times its size: it is no file "
            f"that was written by this program; make it anew",
            path=str(path),
        )


@contextmanager
def temporary_folder() -> Iterator[Path]:
    """Give a folder where the system has its temporary ones; at the end it is taken away.

    Unlike that of `tempfile.TemporaryDirectory` it is not left behind when its making is
    interrupted.
    """
    import shutil
    import tempfile

    folder = Path(tempfile.gettempdir(), f"bitext-{os.urandom(8).hex()}")
    try:
        folder.mkdir(mode=0o700)
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def temporary_room() -> Iterator[None]:
    """Let errors of temporary files, which have no name, tell where these lie.

    Raises
    ------
    InputError
        When there is no room for them.

    """
    try:
        yield
    except OSError as error:
        if error.filename is not None or error.errno not in _NO_ROOM:
            raise
        raise InputError(
            f"{temporary_place()}: temporary files cannot be written: {error.strerror}; make room, "
            f"or name another folder for them (the variable TMPDIR)"
        ) from None


def temporary_place() -> str:
    """Return the folder that temporary files lie in."""
    import tempfile

    return tempfile.gettempdir()


def _unread(error: OSError) -> InputError:
    return InputError(
        f"{error.filename}: cannot be read: {error.strerror}; make it readable, or move it away"
    )
