"""Places that are no files here: `s3://`, `gs://`, `http://`, `memory://`, through `fsspec`.

Wherever a file is read or written, its name may be that of a place:

| what | how |
| --- | --- |
| read | as it is needed, in pieces; nothing is copied here first |
| written | beside the others of this machine first, and sent when it is whole |
| a folder | every file under it whose path there has no part that begins with a dot |
| a folder of `http` | its address ends with `/`, and the page there links its files |
| two files | both are places, or have one name: `s3://b/c.en,s3://b/c.fr`, `s3://b/c.{en,fr}` |
| documents that a file names | under the folder of the file, or a place as `--root` |

A journal (`bitext.jobs`) does not look whether a place has changed, and is itself a file here. What
is sent to an object store appears there when all of it has arrived; to an `http` address it is sent
as `PUT`; `file://` is a file of this machine, and is renamed there as others are. Retries are those
of `fsspec`, and so are credentials: they are best kept in its configuration, or in that of the
store. Messages show neither what stands before `@` in an address nor its query.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, cast

from bitext.errors import FormatError, InputError
from bitext.paths import is_folder, is_there

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


from contextlib import contextmanager, suppress
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from bitext.errors import MissingExtraError, import_extra, masked
from bitext.paths import files_below

__all__ = [
    "beside",
    "called",
    "files_at",
    "files_here",
    "is_folder_at",
    "is_remote",
    "join",
    "local_path",
    "make_folder_of",
    "open_remote",
    "refuse_remote",
    "remove_empty",
    "size_at",
    "two_files",
    "upload",
]

_PATIENCE = 60.0  # seconds without an answer of an http server
_EXTRAS = {"s3": "s3", "s3a": "s3"}  # of our own, for kinds of places
_WEB = ("http://", "https://")
_BLOCK = 1 << 23  # bytes that are asked for, or sent, at a time
_MOST_BLOCKS = 9000  # a store takes 10,000 of a file


def is_remote(name: str) -> bool:
    """Tell whether a name is that of a place.

    Examples
    --------
    >>> is_remote("s3://bucket/gold/"), is_remote("gold/")
    (True, False)

    """
    return "://" in name


def called(place: str) -> str:
    """Return what a place is called: without credentials, and without the query of an address.

    Examples
    --------
    >>> called("https://me:secret@example.org/a.tmx.gz?token=abc"), called("s3://bucket/a.tmx")
    ('https://***@example.org/a.tmx.gz', 's3://bucket/a.tmx')

    """
    return masked(_bare(place))


def _bare(place: str) -> str:
    return place.partition("?")[0].partition("#")[0] if place.startswith(_WEB) else place


def local_path(name: str) -> Path | None:
    """Return the file of this machine that a name stands for; `None` for one elsewhere.

    Examples
    --------
    >>> local_path("file:///gold/a.xml").as_posix(), local_path("s3://bucket/a.xml")
    ('/gold/a.xml', None)

    """
    kind, separator, rest = name.partition("://")
    if not separator:
        return Path(name)
    return Path(rest) if kind in {"file", "local"} else None


def beside(name: str) -> str:
    """Return the folder of a place.

    Examples
    --------
    >>> beside("https://example.org/gold/a.xml?token=abc")
    'https://example.org/gold'

    """
    return _bare(name).rpartition("/")[0]


def join(folder: str, name: str) -> str:
    """Return the place, or the file, of a relative name in a folder."""
    return f"{folder.rstrip('/')}/{name}" if is_remote(folder) else str(Path(folder) / name)


def make_folder_of(name: str) -> list[Path]:
    """Make the folder of a file to write, where it is one here: stores have no empty folders.

    Returns
    -------
    list of Path
        The folders that were not there, each before those in it.

    Raises
    ------
    InputError
        When it cannot be made.

    """
    here = local_path(name)
    if here is None:
        return []
    made = [folder for folder in here.parents if not is_there(folder)][::-1]
    try:
        here.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{name}: cannot be made: {error.strerror or error}") from None
    return made


def remove_empty(folders: Iterable[Path]) -> None:
    """Remove those of some folders, each named before those in it, that hold nothing."""
    for folder in reversed([*folders]):
        with suppress(OSError):
            folder.rmdir()


def refuse_remote(name: str | None, what: str) -> None:
    """Refuse a place where a file of this machine is wanted; `what` tells for what, and why.

    Raises
    ------
    InputError
        When it is one.

    """
    if name is not None and is_remote(name):
        raise InputError(f"{name}: {what}; name a file here")


def _system(place: str) -> tuple[Any, str]:
    """Return the file system of a place, and its path there."""
    fsspec = import_extra("fsspec", what=f"reading or writing {place}", extra="places")
    kind = place.partition("://")[0]
    settings = _settings(fsspec, kind)
    try:
        found: tuple[Any, str] = fsspec.core.url_to_fs(place, **settings)
    except ImportError as error:
        if kind in _EXTRAS:
            raise MissingExtraError(f"{kind}://", extra=_EXTRAS[kind]) from None
        raise InputError(f"{place}: its kind of place needs a package: {_said(error)}") from None
    except Exception as error:
        raise InputError(f"{place}: cannot be reached: {_said(error)}") from error
    return found


def _settings(fsspec: Any, kind: str) -> dict[str, Any]:
    """Return what the file system is told: how long to wait, where the user does not say."""
    set_by_user: dict[str, Any] = {}
    for name in ("http", "https"):
        set_by_user.update(fsspec.config.conf.get(name, {}))
    if kind not in {"http", "https"} or "client_kwargs" in set_by_user:
        return {}
    aiohttp = import_extra("aiohttp", what=f"{kind}://", extra="places")
    # Its own limit is of five minutes for a whole file, however well it comes.
    waiting = aiohttp.ClientTimeout(total=None, sock_connect=_PATIENCE, sock_read=_PATIENCE)
    return {"client_kwargs": {"timeout": waiting}}


@contextmanager
def _told(place: str, what: str) -> Iterator[None]:
    """Tell what goes wrong at a place. File systems have errors of their own, of many kinds."""
    try:
        yield
    except Exception as error:
        raise InputError(f"{called(place)}: cannot be {what}: {_why(error)}") from error


def _said(error: BaseException) -> str:
    return " ".join(str(error).split()) or type(error).__name__


def _why(error: BaseException) -> str:
    """Return what went wrong at a place, and what to do about it."""
    cause = error.__cause__
    if isinstance(error, FileNotFoundError) and type(cause).__module__.startswith("aiohttp."):
        error = cause or error  # of the web whatever goes wrong is called so
    if isinstance(error, FileNotFoundError) or getattr(error, "status", 0) in {404, 410}:
        return "no such file; check the address"
    if isinstance(error, IsADirectoryError):
        return "is a folder where a file is wanted; name a file"
    if isinstance(error, PermissionError) or getattr(error, "status", 0) in {401, 403}:
        return f"refused: {_said(error)}; check the credentials"
    if isinstance(error, TimeoutError):
        return "no answer in time; try again, or copy the file here"
    return f"{_said(error)}; check the address and the network, and try again"


class _RemoteReader:
    """Bytes of a place, as they are asked for; what goes wrong on the way is told."""

    def __init__(self, stream: Any, name: str) -> None:
        self._stream, self._name = stream, name
        self._size, self._taken = getattr(stream, "size", None), 0

    def read(self, size: int = -1) -> bytes:
        try:
            data: bytes = self._stream.read(size)
        except Exception as error:
            # Every file system has errors of its own, which need not be those of the system.
            self._stream.close()
            raise FormatError(f"cannot be read: {_why(error)}", path=self._name) from error
        self._taken += len(data)
        if not data and size and self._size is not None and self._taken < self._size:
            raise FormatError(
                f"ends after {self._taken:,} of {self._size:,} bytes; try again", path=self._name
            )
        return data

    def close(self) -> None:
        self._stream.close()


def open_remote(place: str) -> BinaryIO:
    """Open a place for reading, from its beginning to its end.

    Raises
    ------
    MissingExtraError
        When the package for it is not installed.
    InputError
        When it is not there, or cannot be reached; with the remedy.

    """
    system, path = _system(place)
    with _told(place, "read"):
        # Of the web in one answer: not every server gives parts of a file.
        stream = system.open(path, "rb", block_size=0 if place.startswith(_WEB) else _BLOCK)
    return cast("BinaryIO", _RemoteReader(stream, called(place)))


def upload(place: str, file: str) -> None:
    """Send a file of this machine to a place; it appears there when it has arrived.

    Raises
    ------
    MissingExtraError
        When the package for it is not installed.
    InputError
        When it cannot be sent.

    """
    system, path = _system(place)
    how: dict[str, Any] = {}
    if place.startswith(_WEB):
        how = {"method": "put"}
    elif place.partition("://")[0] in _EXTRAS:  # which else holds 500 MB at once
        how = {"chunksize": max(_BLOCK, Path(file).stat().st_size // _MOST_BLOCKS)}
    try:
        system.put_file(file, path, **how)
    except NotImplementedError:
        raise InputError(f"{called(place)}: can be read but not written; name another") from None
    except Exception as error:
        why = _why(error)
        if isinstance(error, FileNotFoundError):
            why = "no such folder, or bucket, there; make it first"
        raise InputError(f"{called(place)}: cannot be written: {why}") from error


def size_at(place: str) -> int | None:
    """Return how many bytes the file at a place has; -1 where it does not tell, `None` for no file.

    Raises
    ------
    MissingExtraError
        When the package for it is not installed.
    InputError
        When it cannot be reached.

    """
    system, path = _system(place)
    with _told(place, "reached"):
        try:
            found = system.info(path)
        except FileNotFoundError:
            return None
    if found["type"] == "directory":
        return None
    size = found.get("size")
    return -1 if size is None else int(size)


def is_folder_at(name: str) -> bool:
    """Tell whether there is a folder of that name, here or at a place.

    Raises
    ------
    MissingExtraError
        When the package for it is not installed.
    InputError
        When it cannot be reached.

    """
    if not is_remote(name):
        return is_folder(name)
    if name.startswith(_WEB):
        return _bare(name).endswith("/")  # a page that links others is a file, too
    system, path = _system(name)
    with _told(name, "reached"):
        return bool(system.isdir(path))


def files_at(folder: str) -> Iterator[tuple[str, str]]:
    """Yield each file under a folder that is a place, in order: its path there, and its place.

    Raises
    ------
    MissingExtraError
        When the package for it is not installed.
    InputError
        When it cannot be listed.

    """
    system, path = _system(folder)
    with _told(folder, "listed"):
        found = sorted(system.find(path))
    root = path.rstrip("/")
    for each in found:
        within = PurePosixPath(each[len(root) :].lstrip("/"))
        if not any(part.startswith(".") for part in within.parts):
            yield within.as_posix(), system.unstrip_protocol(each)


def files_here(folder: str) -> Iterator[tuple[str, str]]:
    """Yield each file under a folder of this machine, as `files_at` does."""
    for path in files_below(folder):
        inside = path.relative_to(folder)
        if not any(part.startswith(".") for part in inside.parts):
            yield inside.as_posix(), str(path)


def two_files(path: str) -> tuple[str, str] | None:
    """Split `a,b` and `corpus.{en,fr}` into two names, where no file has that very name.

    An address may hold a comma: it is split where two addresses come of that.
    """
    if path == "-" or (not is_remote(path) and is_there(path)):
        return None
    before, brace, rest = path.partition("{")
    inside, closing, after = rest.partition("}")
    if brace and closing and inside.count(",") == 1:
        first, second = inside.split(",")
        return f"{before}{first}{after}", f"{before}{second}{after}"
    if path.count(",") == 1:
        first, second = path.split(",")
        return None if is_remote(first) and not is_remote(second) else (first, second)
    return None
