"""Articles: plain text files, one article each, by themselves or in a folder.

A folder gives the files in it, sorted by name, without those whose name begins with a dot, and
without what lies in folders of its own, which is noted; the name of an article is that of its file
without folder, `.txt` and what tells of compression. Where two names are one, they keep their
folders, and their suffixes if need be.

What begins like JSON, or like XML or HTML, is refused: its names and tags are no sentences. What
is no text at all (a picture) is left out of a folder, which is noted.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from bitext.errors import InputError
from bitext.formats.opening import open_source
from bitext.formats.packing import unpacked
from bitext.paths import is_file, is_folder

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bitext.formats.opening import Notes, Source

__all__ = ["Article", "read_articles"]

_TEXT = {".txt", ".text"}
_OTHERS = {  # a text may begin with [Music] or a quotation in brackets
    "JSON": re.compile(r"\s*(?:\{\s*[\"}]|\[\s*[\[{\"\]])"),
    "XML or HTML": re.compile(r"\s*<(?:[?!]|[A-Za-z][\w:.-]*(?:\s[^<>]*)?/?>)"),
}


class Article(NamedTuple):
    """A text with the name of its file."""

    name: str
    text: str


def read_articles(
    paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    *,
    encoding: str = "utf-8",
    notes: Notes | None = None,
) -> list[Article]:
    """Read articles from a folder, a file, or several of either.

    Parameters
    ----------
    paths : path or iterable of paths
        Folders and files; `-` is standard input. Files keep the order given.
    encoding : str
        Of files without a byte order mark.
    notes : Notes, optional
        Takes up what is odd: files without text and folders within a folder, which are left out,
        and what `open_source` notes.

    Returns
    -------
    list of Article
        One or more.

    Raises
    ------
    InputError
        When a file or a folder is not there, a folder has no file, a file holds NUL bytes (it is no
        text), no file has text, or a file is named twice.
    FormatError
        When a file is not in the encoding, is damaged, or is JSON or markup and no text.

    """
    given = [paths] if isinstance(paths, str | os.PathLike) else list(paths)
    files = [name for path in given for name in _files(os.fspath(path), notes)]
    named = {os.fspath(path) for path in given}
    if not files:
        raise InputError("no article is named: name a folder of text files, or text files")
    names = _names(files)
    found: list[Article] = []
    for file, name in zip(files, names, strict=True):
        with open_source(file, encoding=encoding) as source:
            if file not in named and _is_binary(source):
                if notes is not None:
                    notes.add("files that are no text, left out", source.path)
                continue
            text = source.plain_text()
            if notes is not None:
                notes.extend(source.notes)
        for kind, begins in _OTHERS.items():
            if begins.match(text):
                raise source.error(
                    f"begins like {kind}, not like an article: want plain text; take the text out "
                    f"of it, or leave the file out"
                )
        if text.strip():
            found.append(Article(name, text.replace("\r\n", "\n")))
        elif notes is not None:
            notes.add("files without text, left out", source.path)
    if not found:
        raise InputError(f"{files[0]}: is empty, as all articles are: want text")
    return found


def _is_binary(source: Source) -> bool:
    """Tell whether a file has NUL bytes where no encoding of text has them."""
    head = source.head()
    wide = source.encoding.lower().replace("_", "-").startswith(("utf-16", "utf-32", "ucs"))
    if wide or head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return False
    # Latin letters in UTF-16 have theirs on one side.
    return b"\0" in head[::2] and b"\0" in head[1::2]


def _files(path: str, notes: Notes | None) -> list[str]:
    """Return a file by itself, or the files of a folder; note the folders in it."""
    if path == "-" or not is_folder(path):
        return [path]
    try:
        inside = sorted(Path(path).iterdir())
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from None
    files = [str(file) for file in inside if not file.name.startswith(".") and is_file(file)]
    folders = [str(file) for file in inside if not file.name.startswith(".") and is_folder(file)]
    if folders and notes is not None:
        notes.add("folders within a folder, left out", folders[0], len(folders))
    if not files:
        raise InputError(f"{path}: the folder has no file: want text files, an article each")
    return files


def _names(files: list[str]) -> list[str]:
    """Return the name of each article: with its folder, and its suffixes, where names meet."""
    twice = [file for file, times in Counter(files).items() if times > 1]
    if twice:
        raise InputError(f"{twice[0]}: is named twice: name each article once")
    names = [_bare(Path(file).name) for file in files]
    for longer in ([_bare(file) for file in files], files):
        met = Counter(names)
        names = [
            name if met[name] == 1 else other for name, other in zip(names, longer, strict=True)
        ]
    return names


def _bare(name: str) -> str:
    """Cut what tells of compression and of plain text from the end of a name."""
    if name == "-":
        return "standard input"
    name = unpacked(name)
    stem, dot, end = name.rpartition(".")
    return stem if dot and stem and dot + end.lower() in _TEXT else name
