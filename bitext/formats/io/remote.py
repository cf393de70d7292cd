"""Remote files by URL: `s3://`, `gs://`, `http://`, `memory://`, through `fsspec`.

Wherever a file is read or written, its name may be a URL:

| use | behaviour |
| --- | --- |
| reading | on demand, in blocks; nothing is copied to this machine first |
| writing | to a local temporary file, which is uploaded when complete |
| a folder | every file under it whose path in the folder has no part that begins with a dot |
| a folder of `http` | its URL ends with `/`, and the page there links its files |
| two files | two URLs, or one pattern: `s3://b/c.en,s3://b/c.fr`, `s3://b/c.{en,fr}` |
| documents that a file names | under the folder of the file, or under a URL as `--root` |

A journal (`bitext.jobs`) does not check whether a remote file has changed, and is itself a local
file. An upload to an object store appears there when complete; to `http` it is a `PUT` request;
`file://` is a local file, and is renamed as other local files are. Retries and credentials are
those of `fsspec`: credentials are best kept in its configuration, or in that of the store. Messages
show neither the credentials in a URL nor its query.
"""

from __future__ import annotations

import errno
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO, cast
from urllib.parse import unquote, urldefrag, urljoin

from bitext.errors import FormatError, InputError, MissingExtraError, import_extra, masked
from bitext.paths import is_folder, is_there, make_folders

_TIMEOUT = 60.0  # seconds without an answer of an http server; set by hand
_EXTRAS = {"s3": "s3", "s3a": "s3"}  # our extras by protocol
_WEB = ("http://", "https://")
# Answers of http about a file: some stores refuse (403) a missing one, some servers the question
# (405). The others are about the server: a timeout, too many requests.
_NO_FILE = frozenset(range(400, 500)) - {408, 429}
_BLOCK = 1 << 23  # bytes of one request
_MOST_BLOCKS = 9000  # parts of an upload: S3 takes 10,000


def is_remote(name: str) -> bool:
    """Recognise a URL.

    Examples
    --------
    >>> is_remote("s3://bucket/gold/"), is_remote("gold/")
    (True, False)

    """
    return "://" in name


def called(place: str) -> str:
    """Return a URL for display: without credentials, and without its query.

    Examples
    --------
    >>> called("https://me:secret@example.org/a.tmx.gz?token=abc"), called("s3://bucket/a.tmx")
    ('https://***@example.org/a.tmx.gz', 's3://bucket/a.tmx')

    """
    return masked(_bare(place))


def _bare(place: str) -> str:
    return place.partition("?")[0].partition("#")[0] if place.startswith(_WEB) else place


def local_path(name: str) -> Path | None:
    """Return the local path of a name; `None` for a remote file.

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
    """Return the folder of a remote file.

    Examples
    --------
    >>> beside("https://example.org/gold/a.xml?token=abc")
    'https://example.org/gold'

    """
    return _bare(name).rpartition("/")[0]


def join(folder: str, name: str) -> str:
    """Join a folder and a relative path, or a remote folder and a relative address."""
    return f"{folder.rstrip('/')}/{name}" if is_remote(folder) else str(Path(folder) / name)


def in_address(place: str, name: str) -> str:
    """Spell the name of a file for a part of a URL of `http`; other names stay as they are.

    Examples
    --------
    >>> in_address("https://example.org/en", "why?"), in_address("s3://bucket/en", "why?")
    ('why%3F', 'why?')

    """
    return name.replace("?", "%3F").replace("#", "%23") if place.startswith(_WEB) else name


def join_file(folder: str, name: str) -> str:
    """Join a folder and the name of a file in it; `join` takes a relative address."""
    return join(folder, in_address(folder, name))


def make_folder_of(name: str) -> list[Path]:
    """Create the folder of a local file to write; stores have no empty folders.

    Return the created folders, each before its subfolders. Raises `InputError` when the folder
    cannot be created.
    """
    here = local_path(name)
    if here is None:
        return []
    made = [folder for folder in here.parents if not is_there(folder)][::-1]
    try:
        make_folders(here.parent)
    except OSError as error:
        raise InputError(f"{name}: cannot be made: {error.strerror or error}") from None
    return made


def remove_empty(folders: Iterable[Path]) -> None:
    """Remove the empty ones of some folders, which are listed before their subfolders."""
    for folder in reversed([*folders]):
        with suppress(OSError):
            folder.rmdir()


def refuse_remote(name: str | None, what: str) -> None:
    """Refuse a remote file if a local one is required; `what` states the requirement.

    Raises `InputError` when `name` is a URL.
    """
    if name is not None and is_remote(name):
        raise InputError(f"{name}: {what}; name a file here")


def file_system(place: str) -> tuple[Any, str]:
    """Return the file system of a URL, and the path in it."""
    fsspec = import_extra("fsspec", what=f"reading or writing {place}", extra="places")
    kind = place.partition("://")[0]
    settings = _settings(fsspec, kind)
    try:
        located: tuple[Any, str] = fsspec.core.url_to_fs(place, **settings)
    except ImportError as error:
        if kind in _EXTRAS:
            raise MissingExtraError(f"{kind}://", extra=_EXTRAS[kind]) from None
        raise InputError(
            f"{place}: this kind of place needs a package: {_message(error)}"
        ) from None
    except Exception as error:
        raise InputError(f"{place}: cannot be reached: {_message(error)}") from error
    return located


def _settings(fsspec: Any, kind: str) -> dict[str, Any]:
    """Return the options of the file system: a timeout of `http`, unless the user set options."""
    if kind not in {"http", "https"}:
        return {}
    set_by_user: dict[str, Any] = {}
    for name in ("http", "https"):
        set_by_user.update(fsspec.config.conf.get(name, {}))
    if "client_kwargs" in set_by_user:
        return {"use_listings_cache": False}
    aiohttp = import_extra("aiohttp", what=f"{kind}://", extra="places")
    # The default of aiohttp limits the whole download to five minutes, even one that proceeds.
    timeout = aiohttp.ClientTimeout(total=None, sock_connect=_TIMEOUT, sock_read=_TIMEOUT)
    return {"client_kwargs": {"timeout": timeout}, "use_listings_cache": False}


@contextmanager
def _reached(place: str, participle: str) -> Iterator[tuple[Any, str]]:
    """Yield `file_system(place)`; translate its own types of errors to `InputError`."""
    located = file_system(place)
    try:
        yield located
    except Exception as error:
        raise InputError(f"{called(place)}: cannot be {participle}: {_reason(error)}") from error


def _message(error: BaseException) -> str:
    return " ".join(str(error).split()) or type(error).__name__


def _cause(error: BaseException) -> BaseException:
    """Return the failure of http for which fsspec raised `FileNotFoundError`, as it always does."""
    cause = error.__cause__
    of_http = isinstance(cause, OSError) or type(cause).__module__.startswith("aiohttp.")
    return cause if cause and of_http and isinstance(error, FileNotFoundError) else error


def _reason(error: BaseException) -> str:
    """Word the reason of an error of a file system, with advice."""
    error = _cause(error)
    if isinstance(error, OSError) and error.errno == errno.EBUSY:  # of s3fs
        return "the file changed while it was read; try again"
    if isinstance(error, FileNotFoundError) or getattr(error, "status", 0) in {404, 410}:
        return "no such file; check the address"
    if isinstance(error, IsADirectoryError):
        return "is a folder where a file is wanted; name a file"
    if isinstance(error, PermissionError) or getattr(error, "status", 0) in {401, 403}:
        return f"refused: {_message(error)}; check the credentials"
    if isinstance(error, TimeoutError):
        return "no answer in time; try again, or copy the file here"
    return f"{_message(error)}; check the address and the network, and try again"


class RemoteReader:
    """A reader of a remote file that translates errors and detects a truncated download."""

    def __init__(self, stream: Any, name: str) -> None:
        self._stream, self._name = stream, name
        self._size, self._taken = getattr(stream, "size", None), 0
        self._ended = False

    def read(self, size: int = -1) -> bytes:
        """Read at most `size` bytes, or the rest; check the length at the end of the file."""
        if self._ended:  # aiohttp logs a warning when read at the end again
            return b""
        try:
            data: bytes = self._stream.read(size)
        except Exception as error:
            # File systems have their own error types, not all of them OSError.
            self._stream.close()
            raise FormatError(f"cannot be read: {_reason(error)}", path=self._name) from error
        self._taken += len(data)
        if not data and size and self._size is not None and self._taken < self._size:
            raise FormatError(
                f"ends after {self._taken:,} of {self._size:,} bytes; try again", path=self._name
            )
        self._ended = not data and size != 0
        return data

    def close(self) -> None:
        """Close the stream."""
        self._stream.close()


def open_remote(place: str) -> BinaryIO:
    """Open a remote file for sequential reading.

    Raises `MissingExtraError` when the package for its protocol is not installed, and `InputError`,
    with advice, when the file does not exist or cannot be reached.
    """
    with _reached(place, "read") as (system, path):
        system.invalidate_cache(path)  # the size in an older listing may be another
        # http in one request: not every server supports ranges.
        stream = system.open(path, "rb", block_size=0 if place.startswith(_WEB) else _BLOCK)
    return cast("BinaryIO", RemoteReader(stream, called(place)))


def upload(place: str, file: str) -> None:
    """Upload a local file; it appears under the URL when complete.

    Raises `MissingExtraError` when the package for the protocol is not installed, and `InputError`
    when it cannot be uploaded.
    """
    system, path = file_system(place)
    settings: dict[str, Any] = {}
    if place.startswith(_WEB):
        settings = {"method": "put"}
    elif place.partition("://")[0] in _EXTRAS:  # s3fs would hold 500 MB in memory by default
        settings = {"chunksize": max(_BLOCK, Path(file).stat().st_size // _MOST_BLOCKS)}
    try:
        system.put_file(file, path, **settings)
    except NotImplementedError:
        raise InputError(f"{called(place)}: can be read but not written; name another") from None
    except Exception as error:
        reason = _reason(error)
        if isinstance(error, FileNotFoundError):
            reason = "no such folder, or bucket, there; make it first"
        raise InputError(f"{called(place)}: cannot be written: {reason}") from error


def size_at(place: str) -> int | None:
    """Return the size of a remote file in bytes; -1 if it is unknown, `None` for no file.

    Raises `MissingExtraError` when the package for its protocol is not installed, and `InputError`
    when it cannot be reached.
    """
    with _reached(place, "reached") as (system, path):
        system.invalidate_cache(path)
        try:
            info = system.info(path)
        except FileNotFoundError as error:
            if _is_missing(_cause(error)):
                return None
            raise
    if info["type"] == "directory":
        return None
    size = info.get("size")
    return -1 if size is None else int(size)


def _is_missing(error: BaseException) -> bool:
    """Test an error for that of a missing file, and not of a server that cannot answer now."""
    return isinstance(error, FileNotFoundError) or getattr(error, "status", 0) in _NO_FILE


def is_folder_at(name: str) -> bool:
    """Check for a local or remote folder of that name.

    Raises `MissingExtraError` when the package for its protocol is not installed, and `InputError`
    when it cannot be reached.
    """
    if not is_remote(name):
        return is_folder(name)
    if name.startswith(_WEB):
        return _bare(name).endswith("/")  # a page that links to files is a file itself
    with _reached(name, "reached") as (system, path):
        return bool(system.isdir(path))


def files_at(folder: str) -> Iterator[tuple[str, str]]:
    """Yield each file under a remote folder, in order: its path in the folder, and its URL.

    Raises `MissingExtraError` when the package for its protocol is not installed, and `InputError`
    when it cannot be listed.
    """
    if folder.startswith(_WEB):
        yield from _linked_files(folder)
        return
    with _reached(folder, "listed") as (system, path):
        paths = sorted(system.find(path))
    root = path.rstrip("/")
    for each in paths:
        within = PurePosixPath(each[len(root) :].lstrip("/"))
        # An object whose name ends with a slash stands for a folder.
        if not each.endswith("/") and not _is_hidden(within):
            yield within.as_posix(), system.unstrip_protocol(each)


def _is_hidden(within: PurePosixPath) -> bool:
    return any(part.startswith(".") for part in within.parts)


def _linked_files(folder: str) -> list[tuple[str, str]]:
    """List the files under a folder of `http`, from the links of its page and of those below.

    Links that lead out of the folder, and those that sort a page (`?C=N;O=D`), are none of files.
    """
    from html import unescape  # imported here, as few runs list such folders

    root = _bare(folder).rstrip("/").partition("://")[2] + "/"
    pages, known, files = [folder], {root}, set()
    while pages:
        page = pages.pop()
        with _reached(page, "listed") as (system, path):
            links = system.ls(path, detail=False)
        for link in links:
            below = unescape(link.removeprefix(f"{path.rstrip('/')}/"))
            url = urldefrag(urljoin(f"{_bare(page).rstrip('/')}/", below)).url
            place, _, query = url.partition("?")
            place = place.partition("://")[2]  # a page may link from https to http
            within = PurePosixPath(unquote(place.removeprefix(root)))
            if not place.startswith(root) or _is_hidden(within):
                continue
            if not place.endswith("/"):
                files.add((url, within.as_posix() + (f"?{query}" if query else "")))
            elif not query and place not in known:
                known.add(place)
                pages.append(url)
    return [(within, url) for url, within in sorted(files)]


def two_files(path: str) -> tuple[str, str] | None:
    """Split `a,b` and `corpus.{en,fr}` into two names, unless a file has that very name.

    A URL may contain a comma: it is split only where both parts are URLs.
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
