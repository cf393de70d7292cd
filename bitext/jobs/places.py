"""Places that are no files here: `s3://`, `gs://`, `http://`, `memory://`, through `fsspec`.

A corpus may be a folder at such a place (every file in it that does not begin with a dot), a single
file, or a manifest, there or here, that names such places. A manifest is a file of tab-separated
columns under the head `text path [src tgt]`, or of JSON lines with these keys; names in it are
relative to its folder, unless they are places or begin with `/`.

What a document needs is copied to a folder of its own where the work is done, and taken away after
it. A journal does not look whether a place has changed.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from bitext.errors import BitextError, FormatError, InputError, MissingExtraError
from bitext.formats.corpus import Corpus, Entry, open_corpus, text_name
from bitext.formats.opening import two_files

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bitext.formats.registry import Format

__all__ = ["fetch", "is_place", "open_anywhere", "sent", "workplace"]

_COLUMNS = {"text", "path", "src", "tgt"}


def is_place(name: str) -> bool:
    """Tell whether a name is that of a place.

    Examples
    --------
    >>> is_place("s3://bucket/gold/"), is_place("gold/")
    (True, False)

    """
    return "://" in name


def _system(place: str) -> tuple[Any, str]:
    """Return the file system of a place, and its path there."""
    try:
        fsspec = import_module("fsspec")
    except ImportError:
        raise MissingExtraError(place, extra="places") from None
    try:
        found: tuple[Any, str] = fsspec.core.url_to_fs(place)
    except (ImportError, ValueError, OSError) as error:
        raise InputError(f"{place}: cannot be reached: {error}") from None
    return found


def fetch(place: str, folder: Path) -> str:
    """Copy a place into a folder, under its own name; return the file. Others stay as they are.

    Raises
    ------
    InputError
        When it cannot be read.

    """
    pair = two_files(place)
    if pair:
        return ",".join(fetch(each, folder) for each in pair)
    if not is_place(place):
        return place
    system, path = _system(place)
    target = folder / str(len(list(folder.iterdir()))) / PurePosixPath(path).name
    target.parent.mkdir()
    try:
        with system.open(path, "rb") as source, target.open("wb") as out:
            shutil.copyfileobj(source, out, 1 << 20)
    except Exception as error:
        # Every file system has errors of its own, which need not be those of the system.
        raise InputError(f"{place}: cannot be read: {error or type(error).__name__}") from error
    return str(target)


@contextmanager
def workplace() -> Iterator[Path]:
    """Give a folder that is taken away afterwards."""
    with tempfile.TemporaryDirectory(prefix="bitext-") as folder:
        yield Path(folder)


@contextmanager
def sent(place: str) -> Iterator[str]:
    """Give a file to write; what is in it is copied to the place when all went well."""
    if not is_place(place):
        yield place
        return
    system, path = _system(place)
    with workplace() as folder:
        local = folder / PurePosixPath(path).name
        yield str(local)
        try:
            system.put_file(str(local), path)
        except Exception as error:
            raise InputError(f"{place}: cannot be written: {error}") from error


def open_anywhere(path: str, *, known: Format | None = None) -> Corpus:
    """Find the alignments under a path or a place: as `bitext.formats.corpus.open_corpus`.

    Raises
    ------
    InputError
        When nothing is there, or two files have one name.
    FormatError
        When a manifest lacks a column or a value.

    """
    if not is_place(path):
        if Path(path).is_file() and not two_files(path):
            with Path(path).open("rb") as source:
                told = _rows(path, source)
                if told is not None and _names_places(held := list(told)):
                    return _corpus(path, "manifest", _entries(path, held))
        return open_corpus(path, known=known)
    system, inside = _system(path)
    try:
        if system.isdir(inside):
            return _corpus(path, "folder", _found(system, inside))
        with system.open(inside, "rb") as source:
            rows = _rows(path, source)
            if rows is not None:
                return _corpus(path, "manifest", _entries(path, rows))
    except BitextError:
        raise
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: cannot be read: {error}") from None
    name = text_name(Path(PurePosixPath(inside).name))
    return _corpus(path, "file", [Entry(name, path)])


def _names_places(rows: list[tuple[int, dict[str, Any]]]) -> bool:
    """Tell whether the manifest of a file needs us: it names places, or is of JSON lines."""
    kinds = (is_place(str(value)) for _, row in rows for value in row.values())
    return any(kinds) or any(row.get("json") for _, row in rows)


def _rows(path: str, source: Iterable[bytes]) -> Iterator[tuple[int, dict[str, Any]]] | None:
    """Return the numbered rows of a manifest, one by one; `None` where it is none."""
    lines = iter(source)
    first = next(lines, b"")[: 1 << 16].removeprefix(b"\xef\xbb\xbf")
    columns = first.decode("utf-8", "replace").rstrip("\r\n").split("\t")
    if columns[:2] == ["text", "path"]:
        return _table(path, columns, lines)
    row = _object(first)
    if row is None or not {"text", "path"} <= set(row):
        return None
    return _objects(path, first, lines)


def _table(
    path: str, columns: list[str], lines: Iterator[bytes]
) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, line in enumerate(lines, start=2):
        values = line.decode("utf-8", "replace").rstrip("\r\n").split("\t")
        if len(values) > len(columns):
            raise FormatError(
                f"has {len(values)} columns; the first line names {len(columns)}",
                path=path,
                line=number,
            )
        if any(values):
            yield number, dict(zip(columns, values, strict=False))


def _objects(
    path: str, first: bytes, lines: Iterator[bytes]
) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, line in enumerate((first, *lines), start=1):
        if line.strip():
            row = _object(line)
            if row is None:
                raise FormatError("is no JSON object; want one a line", path=path, line=number)
            yield number, {**row, "json": True}


def _object(line: bytes) -> dict[str, Any] | None:
    if not line.lstrip().startswith(b"{"):
        return None
    try:
        found = json.loads(line)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def _entries(path: str, rows: Iterable[tuple[int, dict[str, Any]]]) -> Iterator[Entry]:
    beside = path.rpartition("/")[0]
    for number, row in rows:
        wrong = sorted(set(row) - _COLUMNS - {"json"})
        if wrong:
            want = "text, path, src, tgt"
            raise FormatError(f"has {wrong[0]!r}; want {want}", path=path, line=number)
        if not (row.get("text") and row.get("path")):
            raise FormatError("lacks its text or its path; give both", path=path, line=number)
        held = {name: _beside(beside, row.get(name)) for name in ("path", "src", "tgt")}
        yield Entry(str(row["text"]), str(held["path"]), held["src"], held["tgt"])


def _beside(folder: str, name: str | None) -> str | None:
    if not name:
        return None
    return name if is_place(name) or name.startswith("/") or not folder else f"{folder}/{name}"


def _found(system: Any, inside: str) -> Iterator[Entry]:
    root = inside.rstrip("/")
    for each in sorted(system.find(inside)):
        within = PurePosixPath(each[len(root) :].lstrip("/"))
        if not any(part.startswith(".") for part in within.parts):
            yield Entry(text_name(Path(within)), system.unstrip_protocol(each))


def _corpus(path: str, kind: str, entries: Iterable[Entry]) -> Corpus:
    found: dict[str, Entry] = {}
    for entry in entries:
        other = found.setdefault(entry.name, entry)
        if other is not entry:
            raise InputError(
                f"{path}: {other.path} and {entry.path} are both named {entry.name!r}: keep one, "
                f"or name them in a manifest"
            )
    if not found:
        raise InputError(f"{path}: names no text; want at least one")
    return Corpus(path, kind, found)
