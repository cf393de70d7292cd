"""Corpora: one file, a folder, or a manifest, as named alignments or segmentations.

A manifest is a file of tab-separated columns whose first line names them: `text` and `path`, and
if wanted `src` and `tgt`, the texts. Paths are relative to the folder of the manifest.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from bitext.errors import FormatError, InputError
from bitext.formats.opening import open_source, two_files
from bitext.formats.packing import unpacked
from bitext.formats.registry import INDEX, Format, sniff

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

__all__ = ["Corpus", "Entry", "Kind", "find_text", "open_corpus", "text_name"]

_PLAIN = {".txt", ".xml", ".json"}
_COLUMNS = ("text", "path", "src", "tgt")


@dataclass(frozen=True, slots=True)
class Kind:
    """What the files of a corpus hold.

    Attributes
    ----------
    noun : str
        What it is called: `an alignment`.
    holds : callable
        Tells of a file in a folder whether it holds that.
    suffixes : sequence of str
        Endings of names of files that are not of the names of texts, beside the usual ones.
    columns : sequence of str
        The columns that a manifest may have.
    among : str
        What it is one of, for the error that there is none.

    """

    noun: str
    holds: Callable[[Path], bool]
    suffixes: Sequence[str] = ()
    columns: Sequence[str] = _COLUMNS
    among: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """A file of a corpus: its name, its path, and its texts where a manifest tells them."""

    name: str
    path: str
    src: str | None = None
    tgt: str | None = None


@dataclass(frozen=True, slots=True)
class Corpus:
    """The alignments, or segmentations, of a file, a folder or a manifest.

    Attributes
    ----------
    path : str
        As the user named it.
    kind : {"file", "folder", "manifest"}
        What it is.
    entries : dict of str to Entry
        By the name of the text.
    aside : tuple of str
        The files of a folder that hold nothing of the kind.

    """

    path: str
    kind: str
    entries: dict[str, Entry]
    aside: tuple[str, ...] = ()


def open_corpus(
    path: str | os.PathLike[str], *, known: Format | None = None, kind: Kind | None = None
) -> Corpus:
    """Find the alignments, or what else is of a kind, under a path.

    Parameters
    ----------
    path : str or path
        A file, a folder (every file in it that holds an alignment, however deep), or a manifest.
    known : Format, optional
        The format of the alignments of a folder; default: whatever each one's contents tell.
    kind : Kind, optional
        What to look for, where it is no alignment.

    Raises
    ------
    InputError
        When nothing is there, or two files have one name.
    FormatError
        When a manifest lacks a column or a value.

    """
    where = os.fspath(path)
    if not where:
        raise InputError("a name is empty: name a file, a folder, or - for standard input")
    kind = kind or _alignments(known)
    if where != "-" and Path(where).is_dir():
        return _folder(Path(where), kind)
    if where == "-" or not Path(where).is_file():
        # A pipe can be read once only, and two files in one argument are no file.
        if where != "-" and not Path(where).exists() and not two_files(where):
            open_source(where).close()  # raises, with the nearest name there is
        name = text_name(Path(Path(where).name), kind) if where != "-" else "standard input"
        return Corpus(where, "file", {name: Entry(name, where)})
    with open_source(where) as source:
        first = source.head().partition(b"\n")[0].rstrip(b"\r").removeprefix(b"\xef\xbb\xbf")
        if first.split(b"\t")[:2] == [b"text", b"path"]:
            return _manifest(where, source.lines(), kind)
        _refuse_head(where, first)
    name = text_name(Path(Path(where).name), kind)
    return Corpus(where, "file", {name: Entry(name, where)})


def _refuse_head(where: str, first: bytes) -> None:
    """Refuse a first line that names the columns of a manifest in no way that a head may."""
    words = first.decode("utf-8", "replace").replace(",", " ").lower().split()
    if {"text", "path"} <= set(words) <= set(_COLUMNS):
        raise FormatError(
            f"is {' '.join(words)!r}, which is almost the head of a manifest; want 'text' and "
            f"'path' first, in small letters, with a tab between",
            path=where,
            line=1,
        )


def _alignments(known: Format | None) -> Kind:
    wanted = f"in the format {known.name}" if known else "in a format that bitext can tell"
    return Kind("an alignment", partial(_holds_alignment, known=known), among=wanted)


def text_name(path: Path, kind: Kind | None = None) -> str:
    """Return the name of a text: that of its file without the endings that tell the format."""
    name = unpacked(path.as_posix())
    endings = set(kind.suffixes) if kind else set()
    endings = (endings or {s for _, suffixes in INDEX.values() for s in suffixes}) | _PLAIN
    for ending in sorted(endings, key=len, reverse=True):
        if name.lower().endswith(ending) and Path(name).name.lower() != ending:
            return name[: -len(ending)]
    return name


def _folder(folder: Path, kind: Kind) -> Corpus:
    entries: dict[str, Entry] = {}
    aside: list[str] = []
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        inside = path.relative_to(folder)
        if any(part.startswith(".") for part in inside.parts):
            continue
        if not kind.holds(path):
            aside.append(str(inside))
            continue
        name = text_name(inside, kind)
        if name in entries:
            raise InputError(
                f"{folder}: {Path(entries[name].path).name} and {path.name} are both named "
                f"{name!r}: keep one, or name them in a manifest"
            )
        entries[name] = Entry(name, str(path))
    if not entries:
        if not aside:
            raise InputError(f"{folder}: is empty: name another folder")
        what = f"{kind.noun} {kind.among}".strip()
        raise InputError(
            f"{folder}: none of its {len(aside)} files holds {what}; name the format (--from) or "
            f"another folder"
        )
    return Corpus(str(folder), "folder", entries, tuple(aside))


def _holds_alignment(path: Path, *, known: Format | None) -> bool:
    with open_source(path) as source:
        try:
            head = source.head()
        except FormatError:
            return False
        if known is None:
            return bool(head.strip()) and sniff(head, str(path)) is not None
        return known.sniff(head) > 0 or any(path.name.endswith(s) for s in known.suffixes)


def _manifest(where: str, lines: list[str], kind: Kind) -> Corpus:
    columns = lines[0].removeprefix("\ufeff").split("\t")
    unknown = next((c for c in columns if c not in kind.columns), None)
    if unknown is not None:
        raise FormatError(
            f"the manifest has a column {unknown!r}; want {', '.join(kind.columns)}",
            path=where,
            line=1,
        )
    entries: dict[str, Entry] = {}
    for number, line in enumerate(lines[1:], start=2):
        if not line.strip():
            continue
        values = line.split("\t")
        if len(values) > len(columns):
            raise FormatError(
                f"has {len(values)} columns; the first line names {len(columns)}",
                path=where,
                line=number,
            )
        row = dict(zip(columns, values, strict=False))
        if not (row.get("text") and row.get("path")):
            raise FormatError("lacks its text or its path; give both", path=where, line=number)
        if row["text"] in entries:
            raise FormatError(f"names {row['text']!r} again; want once", path=where, line=number)
        beside = Path(where).parent
        files = {c: str(beside / row[c]) for c in ("path", "src", "tgt") if row.get(c)}
        entries[row["text"]] = Entry(row["text"], files["path"], files.get("src"), files.get("tgt"))
    if not entries:
        raise FormatError("the manifest names no text; want a line each", path=where)
    return Corpus(where, "manifest", entries)


def find_text(value: str | None, name: str, *, option: str) -> str | None:
    """Return the file of the text of a name: a file, a folder to look in, or a pattern `{name}`.

    Raises
    ------
    InputError
        When a folder has no file of that name, or several.

    """
    if value is None:
        return None
    if "{name}" in value:
        return value.replace("{name}", name)
    folder = Path(value)
    if not folder.is_dir():
        if "{" in value and not folder.exists():
            raise InputError(f"{option} {value}: no such file; a pattern holds {{name}}")
        return value
    wanted = folder / name
    found = [p for p in _siblings(wanted) if p.is_file()]
    if len(found) == 1:
        return str(found[0])
    if not found:
        raise InputError(
            f"{value}: has no text named {name!r} for {option}; a pattern says where they are, "
            f"as {option} '{value.rstrip('/')}/{{name}}.txt'"
        )
    raise InputError(
        f"{value}: {found[0].name} and {found[1].name} could both be {name!r} for {option}; "
        f"a pattern tells, as {option} '{value.rstrip('/')}/{{name}}{found[0].suffix}'"
    )


def _siblings(wanted: Path) -> Iterable[Path]:
    if not wanted.parent.is_dir():
        return []
    name = wanted.name
    inside = sorted(wanted.parent.iterdir())
    return [p for p in inside if p.name == name or p.name.startswith(f"{name}.")]
