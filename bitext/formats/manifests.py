"""Manifests: files that name the texts of a corpus, one a line.

A manifest is a file of tab-separated columns whose first line names them: `text` and `path`, and
optionally `src` and `tgt`, the texts; or of JSON lines with these keys. Names in it are relative
to its folder, or to the working directory where it comes through a stream, unless they are URLs or
begin with `/`. It is read line by line.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from bitext.errors import FormatError, many, nearest
from bitext.formats.io.remote import beside, is_remote, join, two_files
from bitext.formats.io.source import is_stream

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bitext.formats.io.source import Source

MANIFEST_COLUMNS = ("text", "path", "src", "tgt")
# Least similarity (difflib) of a column name and a mistyped one, as `pat` and `path`; set by hand.
_MISTYPED = 0.75


class ManifestRow(NamedTuple):
    """A text of a manifest, with the full names of its files."""

    line: int
    text: str
    path: str
    src: str | None
    tgt: str | None


def is_manifest(source: Source) -> bool:
    """Return whether a file begins as a manifest; nothing of it is consumed.

    Raises
    ------
    FormatError
        When the first line is almost the head of a manifest.

    """
    first = _first_line(source)
    if _is_manifest_head(first):
        return True
    if first.startswith(b"{"):
        keys = _json_keys(first)
        if {"text", "path"} <= keys:
            return True
        if _is_almost_head(sorted(keys)):
            raise source.error(
                f"has the keys {', '.join(sorted(keys))!r:.60}, which are almost those of a "
                f"manifest; want 'text' and 'path', and if wanted 'src' and 'tgt'",
                1,
            )
        return False
    line = first.decode("utf-8", "replace").lower()
    words = line.replace(",", " ").split()
    if {"text", "path"} <= set(words) <= set(MANIFEST_COLUMNS) or _is_almost_head(line.split("\t")):
        raise source.error(
            f"is {' '.join(words)!r:.60}, which is almost the head of a manifest; want 'text' and "
            f"'path' first, in small letters, with a tab between",
            1,
        )
    return False


def _is_almost_head(names: Sequence[str]) -> bool:
    """Return whether names are columns of a manifest with `text` or `path` mistyped."""
    if ("text" in names) == ("path" in names) or not 1 < len(names) <= len(MANIFEST_COLUMNS):
        return False
    meant = {nearest(name, MANIFEST_COLUMNS, cutoff=_MISTYPED) for name in names}
    return {"text", "path"} <= meant <= set(MANIFEST_COLUMNS) and len(meant) == len(names)


def refuse_manifest(source: Source, wanted: str) -> None:
    """Refuse a manifest where a file of another kind is `wanted`; nothing of it is consumed.

    Raises
    ------
    FormatError
        When the file is a manifest.

    """
    first = _first_line(source)
    if _is_manifest_head(first) or {"text", "path"} <= _json_keys(first) <= set(MANIFEST_COLUMNS):
        raise source.error(
            f"is a manifest, not a {wanted}; where a corpus is wanted give the manifest itself, by "
            f"its name or as -, not in a folder or a manifest; elsewhere give what it names"
        )


def _first_line(source: Source) -> bytes:
    return source.head().partition(b"\n")[0].rstrip(b"\r").removeprefix(b"\xef\xbb\xbf")


def _is_manifest_head(line: bytes) -> bool:
    return line.split(b"\t")[:2] == [b"text", b"path"]


def _json_keys(line: bytes) -> set[str]:
    """Return the keys of a line that is a JSON object; empty for other lines."""
    row = _json_object(line.decode("utf-8", "replace")) if line.startswith(b"{") else None
    return set(row or ())


def manifest_rows(
    source: Source, where: str, *, columns: Sequence[str] = MANIFEST_COLUMNS
) -> Iterator[ManifestRow]:
    """Yield the texts of a manifest, line by line.

    Parameters
    ----------
    source : Source
        The manifest, from its beginning.
    where : str
        Its name: files are relative to its folder.
    columns : sequence of str
        The columns that it may have.

    Raises
    ------
    FormatError
        When it lacks a column or a value, names a text twice, or names none; with the line.

    """
    as_json = source.head().removeprefix(b"\xef\xbb\xbf").startswith(b"{")
    folder = "." if is_stream(where) else str(Path(where).parent)
    if is_remote(where):
        folder = beside(where)
    known: set[str] = set()
    for number, row in (_json_rows if as_json else _tab_rows)(source, columns):
        if not (row.get("text") and row.get("path")):
            raise source.error("lacks its text or its path; give both", number)
        text = row["text"]
        if text in known:
            raise source.error(f"names {text!r:.60} again; want once", number)
        known.add(text)
        path, src, tgt = (_under_folder(folder, row.get(name)) for name in ("path", "src", "tgt"))
        yield ManifestRow(number, text, str(path), src, tgt)
    if not known:
        raise FormatError("the manifest names no text; want a line each", path=source.path)


def _under_folder(folder: str, name: str | None) -> str | None:
    if not name:
        return None
    if is_remote(name) or name.startswith("/"):
        return name
    whole = join(folder, name)
    both = two_files(name) if two_files(whole) else None
    return whole if both is None else ",".join(str(_under_folder(folder, half)) for half in both)


def _refuse_unknown(
    source: Source, names: Sequence[str], columns: Sequence[str], line: int
) -> None:
    unknown = next((name for name in names if name not in columns), None)
    if unknown is not None:
        wanted = ", ".join(columns)
        raise source.error(f"the manifest has a column {unknown!r:.60}; want {wanted}", line)


def _tab_rows(source: Source, columns: Sequence[str]) -> Iterator[tuple[int, dict[str, str]]]:
    names: list[str] = []
    for number, line in source.stream_lines():
        values = line.removeprefix("\ufeff").split("\t") if number == 1 else line.split("\t")
        if number == 1:
            names = values
            _refuse_unknown(source, names, columns, number)
        elif len(values) > len(names):
            raise source.error(
                f"has {many(len(values), 'column')}; the first line names {len(names)}", number
            )
        elif line.strip():
            yield number, dict(zip(names, values, strict=False))


def _json_rows(source: Source, columns: Sequence[str]) -> Iterator[tuple[int, dict[str, str]]]:
    for number, line in source.stream_lines():
        if not line.strip():
            continue
        row = _json_object(line.removeprefix("\ufeff"))
        if row is None:
            raise source.error("is not a JSON object; want one a line", number)
        _refuse_unknown(source, list(row), columns, number)
        wrong = next((name for name, value in row.items() if not isinstance(value, str)), None)
        if wrong is not None and row[wrong] is not None:
            raise source.error(
                f"has {wrong!r:.60} that is not a string; want the name of a file", number
            )
        yield number, {name: value for name, value in row.items() if value is not None}


def _json_object(line: str) -> dict[str, str] | None:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
