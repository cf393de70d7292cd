"""Questions about files and folders that one may not be allowed to ask, and names for new ones.

`Path.is_dir` and its kin end in errors for what lies in a folder that must not be looked into, and
from Python 3.14 on do not; `Path.rglob` passes over such folders without a word. Here the answers
are the same everywhere: what cannot be looked at is no folder and no file, but may be there, so
whoever opens it tells why that fails; and no file of a folder is passed over.

What is made for a while only has a name that is chosen before it is made. Whatever interrupts its
making, as a signal may at any moment, it can be taken away.
"""

from __future__ import annotations

import errno
import os
import stat
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from bitext.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = [
    "aside_in",
    "files_below",
    "files_in",
    "is_device",
    "is_file",
    "is_folder",
    "is_there",
    "names_in",
    "temporary_folder",
    "why_unwritable",
]


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


def _unread(error: OSError) -> InputError:
    return InputError(
        f"{error.filename}: cannot be read: {error.strerror}; make it readable, or move it away"
    )
