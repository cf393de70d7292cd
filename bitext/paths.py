"""Checks of files and folders without permission errors, and files that appear when complete.

`Path.is_dir` and similar methods raise errors inside an unreadable folder before Python 3.14, and
not from then on; `Path.rglob` silently skips such folders. Here the results are the same
everywhere: a path that cannot be examined is neither a folder nor a file, but may exist, so that
opening it shows the reason; and no file of a folder is skipped.

Temporary files and folders have names that are chosen before they are created, so that they can be
removed after any interruption, as by a signal.

Every file that is written again is an `AtomicFile`, written beside its place and then renamed.
Files that only grow, as journals, are opened by `open_to_append`. Neither is written through a
link.
"""

from __future__ import annotations

import errno
import os
import re
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO
from unicodedata import normalize

from bitext.errors import FormatError, InputError

if TYPE_CHECKING:
    from zipfile import ZipFile

_BUFFER = 1 << 17  # bytes of a write; set by hand
_NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_FREE_SIZE = 1 << 26  # unpacked bytes of an archive that are always allowed; set by hand
_MOST_RATIO = 200
_PATIENCE, _LOOK = 1.0, 0.02  # seconds of waiting for a lock, and between two looks; set by hand
_BINARY = getattr(os, "O_BINARY", 0)
# Names of open descriptors of this process.
_STANDARD = {"/dev/stdin": 0, "/dev/stdout": 1, "/dev/stderr": 2}
_DESCRIPTOR = re.compile(r"/(?:dev|proc/self)/fd/(\d{1,9})", re.ASCII)


def descriptor_of(name: str) -> int | None:
    """Return the file descriptor that a name stands for, or `None`.

    Examples
    --------
    >>> descriptor_of("/dev/stdout"), descriptor_of("/dev/fd/63"), descriptor_of("a.tsv")
    (1, 63, None)

    """
    match = _DESCRIPTOR.fullmatch(name)
    return int(match[1]) if match else _STANDARD.get(name)


def path_name(path: object) -> str:
    """Return a path as a string.

    Raises `InputError` when it is none, as the bytes of a file are none.

    Examples
    --------
    >>> path_name(Path("a.tmx"))
    'a.tmx'

    """
    name = os.fspath(path) if isinstance(path, str | os.PathLike) else path
    if isinstance(name, str):
        return name
    contents = isinstance(path, bytes | bytearray) or hasattr(path, "read")
    advice = "; write the contents into a file, and name it" if contents else ""
    raise InputError(
        f"{path!r:.60}, of type {type(path).__name__}, is no path: want the name "
        f"of a file, as a string or a Path{advice}"
    )


def is_folder(path: str | Path) -> bool:
    """Test a path for a folder; False if the path cannot be examined."""
    return os.path.isdir(path)  # noqa: PTH112


def is_file(path: str | Path) -> bool:
    """Test a path for a regular file; False if the path cannot be examined."""
    return os.path.isfile(path)  # noqa: PTH113


def is_device(path: str | Path) -> bool:
    """Test a path for a character device; False if the path cannot be examined."""
    return stat.S_ISCHR(_mode(path))


def is_pipe(path: str | Path) -> bool:
    """Test a path for a named pipe; False if the path cannot be examined."""
    return stat.S_ISFIFO(_mode(path))


def _mode(path: str | Path) -> int:
    try:
        return os.stat(path).st_mode  # noqa: PTH116
    except (OSError, ValueError):
        return 0


def is_there(path: str | Path) -> bool:
    """Test a path for existence; False if the path cannot be examined."""
    return os.path.exists(path)  # noqa: PTH110


def may_be_there(path: str | Path) -> bool:
    """Test a path for existence; True if the path cannot be examined."""
    try:
        Path(path).stat()
    except PermissionError:
        return True
    except (OSError, ValueError):
        return False
    return True


def names_in(folder: str | Path) -> list[str]:
    """Return the names in a folder; none for an unreadable folder."""
    try:
        return os.listdir(folder)  # noqa: PTH208
    except OSError:
        return []


def files_in(folder: str | Path) -> list[Path]:
    """Return the files in a folder, sorted, without those of its subfolders.

    Raises `InputError` when the folder cannot be read.
    """
    try:
        names = os.listdir(folder)  # noqa: PTH208
    except OSError as error:
        raise _unread(error) from None
    return sorted(path for path in (Path(folder, name) for name in names) if is_file(path))


def files_below(folder: str | Path) -> list[Path]:
    """Return the files in a folder and in all folders below it, sorted.

    Links to folders are not followed.

    Raises `InputError` when one of these folders cannot be read, or a link that is not hidden leads
    to no file, or to a folder elsewhere, whose files would be left out.
    """

    def refuse(error: OSError) -> None:
        raise _unread(error) from None

    found = []
    root = os.path.realpath(folder)
    for at, folders, names in os.walk(folder, onerror=refuse):
        paths = [Path(at, name) for name in names]
        found += (files := [path for path in paths if is_file(path)])
        others = [] if len(files) == len(paths) else sorted({*paths}.difference(files))
        for path in (*others, *(Path(at, name) for name in folders)):
            hidden = any(part.startswith(".") for part in path.relative_to(folder).parts)
            if path.is_symlink() and not hidden:
                _refuse_link(path, root)
    return sorted(found)


def _refuse_link(path: Path, root: str) -> None:
    """Refuse a link below the folder `root` if files would be left out because of it."""
    target = os.readlink(path)  # noqa: PTH115
    if not may_be_there(path):
        raise InputError(
            f"{path}: is a link to {target}, which is not there; restore that, or delete the link"
        )
    if is_folder(path) and not Path(os.path.realpath(path)).is_relative_to(root):
        raise InputError(
            f"{path}: is a link to the folder {target}, and links to folders are not followed; "
            f"name that folder, or move it here"
        )


def why_unwritable(path: str | Path) -> str:
    """Return the reason why a file cannot be written, if one is known in advance.

    The reason is empty where nothing forbids it, and where the folder is missing, which opening the
    file reports. Files are written beside their place and renamed, so the folder must be writable.
    """
    try:
        mode = Path(path).stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        mode = stat.S_IFREG  # a new file
    except (OSError, ValueError) as error:
        return getattr(error, "strerror", None) or str(error)
    if not stat.S_ISREG(mode):
        return ""  # a pipe, a device
    folder, nameless = Path(path).parent, getattr(os, "O_TMPFILE", 0)
    if not nameless or not is_folder(folder):
        return ""
    try:
        os.close(os.open(folder, os.O_WRONLY | nameless))  # removed when closed
    except OSError as error:
        if error.errno in {errno.EACCES, errno.EPERM, errno.EROFS}:
            return error.strerror or ""
    return ""


def aside_in(folder: str | Path) -> Path:
    """Return an unused name in a folder, for a file or folder that is not yet complete."""
    return Path(folder, f".bitext-{os.urandom(8).hex()}.part")


def unwritable(path: str | Path, error: OSError | ValueError) -> InputError:
    """Return the error of a file that the system does not let us write."""
    reason = getattr(error, "strerror", None) or str(error)
    folder = Path(path).parent
    if isinstance(error, FileNotFoundError) and not is_there(folder):
        reason += home_hint(path) or f"; make the folder {folder} first"
    return InputError(f"{path}: cannot be written: {reason}")


def is_same_document(one: str, other: str) -> bool:
    """Compare two paths of a document, apart from outer folders and endings of XML and compression.

    Examples
    --------
    >>> is_same_document("en/a.xml", "Books/raw/en/a.xml.gz"), is_same_document("en/a", "fr/a")
    (True, False)

    """
    parts, others = map(_document_parts, (one, other))
    return parts[: len(others)] == others[: len(parts)]


def _document_parts(document: str) -> list[str]:
    """Return the parts of a path, the last one first and without the endings of XML and gzip.

    Accents are composed with their letters, as most systems write them, and macOS does not.
    """
    composed = normalize("NFC", document.replace("\\", "/"))
    bare = re.sub(r"(\.(gz|bz2|xz|zst))?$", "", composed)
    return [part for part in re.sub(r"\.xml$", "", bare).split("/") if part not in ("", ".")][::-1]


def no_folder(path: str | Path, folder: Path) -> InputError:
    """Return the error of an output in a folder that does not exist."""
    return InputError(f"{path}: no folder {folder}{home_hint(folder) or '; make it first'}")


def make_folders(folder: Path) -> None:
    """Make a folder and those above it, but none named `~`, which was to be the home folder."""
    if (hint := home_hint(folder)) and not is_there(folder.parts[0]):
        raise InputError(f"{folder}: cannot be made{hint}")
    folder.mkdir(parents=True, exist_ok=True)


def home_hint(path: str | Path) -> str:
    """Word the hint on a path in `~`, which no shell has replaced; else empty.

    Examples
    --------
    >>> home_hint("~/a.tmx")
    '; ~ is the home folder only for a shell, outside of quotation marks: write the whole path'
    >>> home_hint("~$a.docx"), home_hint("a/~/b.tmx")
    ('', '')

    """
    if Path(path).parts[:1] != ("~",):
        return ""
    only = "only for a shell, outside of quotation marks"
    return f"; ~ is the home folder {only}: write the whole path"


def refuse_writing_to(path: str | Path) -> os.stat_result | None:
    """Return the `stat` result of the file to replace; `None` for a new file.

    Raises `InputError` when the path is a folder (as the string `out/` is, too), a link or a disk,
    or cannot be examined.
    """
    if path_name(path).endswith("/"):
        raise InputError(f"{path}: is a directory; name a file in it")
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

    If the system can do that, the file has no name before. Call `open` and write to the
    descriptor; `finish` after closing it; then `publish`; and in the end always `discard`.

    Parameters
    ----------
    path : str or path
        The place. `refuse_writing_to` refuses some existing files; the permissions of others stay.

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
        if not is_there(f"/proc/self/fd/{handle}"):  # needed to name the file later
            os.close(handle)
            return None
        self._nameless = True
        return handle

    def finish(self) -> None:
        """Flush the written data to the disk."""
        try:
            if self._mode is not None:
                os.chmod(self._kept, self._mode)  # noqa: PTH101 - a descriptor
            os.fsync(self._kept)
            if self._nameless:
                self._give_name()
        except OSError as error:
            raise unwritable(self._path, error) from None

    def _give_name(self) -> None:
        # Python follows the link in /proc to the file only with the descriptor of a folder.
        folder = os.open(self._target.parent, os.O_PATH | os.O_DIRECTORY)
        try:
            os.link(f"/proc/self/fd/{self._kept}", self._part.name, dst_dir_fd=folder)
        finally:
            os.close(folder)

    def publish(self) -> None:
        """Rename the file to its place."""
        try:
            os.replace(self._part, self._target)  # noqa: PTH105
        except OSError as error:
            raise unwritable(self._path, error) from None

    def discard(self) -> None:
        """Remove the file unless it was published."""
        if self._kept >= 0:
            os.close(self._kept)
            self._kept = -1
        self._part.unlink(missing_ok=True)


@contextmanager
def replace_file(path: str | Path) -> Iterator[BinaryIO]:
    """Open a binary file for writing, which appears when it is complete.

    The file can seek. For the outputs of commands, which may be streams or compressed, see
    `bitext.formats.io.output`.

    Raises `InputError` when the place is a link, a folder, a pipe or a device, or cannot be written
    to.
    """
    state = refuse_writing_to(path)
    if state is not None and not stat.S_ISREG(state.st_mode):  # renaming would replace it
        raise InputError(f"{path}: is no file that can be written anew; name another")
    made = AtomicFile(path)
    try:
        with os.fdopen(made.open(), "wb", _BUFFER) as out:
            yield out
        made.finish()
        made.publish()
    except OSError as error:
        if error.filename is not None:  # the error of another file
            raise
        raise unwritable(path, error) from None
    finally:
        made.discard()


def open_to_append(path: str | Path) -> int:
    """Return the descriptor of a growing file, to read and write; create the file if missing.

    Raises `InputError` when the path is a link or no regular file, its folder is missing, or it
    cannot be written.
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
            raise no_folder(path, folder) from None
        raise unwritable(path, error) from None


def lock_file(descriptor: int, busy: str) -> None:
    """Lock an open file against other processes, until it is closed.

    A file that another process has locked is tried again for a second: of a run that was killed, a
    worker that was just starting may hold the lock for a moment. Where files have no locks (on
    Windows, and on some file systems) nothing happens.

    Raises `InputError` with the message `busy` when another process has the file locked.
    """
    try:
        import fcntl
    except ImportError:
        return
    end = time.monotonic() + _PATIENCE
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > end:
                raise InputError(busy) from None
            time.sleep(_LOOK)
        except OSError:
            return
        else:
            return


def refuse_bomb(archive: ZipFile, path: str | Path) -> None:
    """Refuse a small zip archive that unpacks to far more data than its size suggests.

    Our own archives compress to a half or a tenth. No member yields more bytes than its entry
    says.

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
    """Create a temporary folder, and remove it at the end.

    Unlike that of `tempfile.TemporaryDirectory`, the folder is removed even when its creation is
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
    """Name the temporary folder in the errors of temporary files, which have no name.

    Raises `InputError` when there is no space for temporary files.
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
    """Return the folder of temporary files."""
    import tempfile

    return tempfile.gettempdir()


def _unread(error: OSError) -> InputError:
    return InputError(
        f"{error.filename}: cannot be read: {error.strerror}; make it readable, or move it away"
    )
