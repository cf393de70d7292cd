"""The files of the texts: two files, two folders, a folder of both sides, a manifest, a corpus."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from bitext.errors import FormatError, InputError, OptionError
from bitext.paths import is_file, is_folder, may_be_there

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["FilePair", "PairStream", "find_pairs", "manifest_pairs"]

_LANGUAGE = re.compile(r"\.[a-z]{2,3}(?:[-_][A-Za-z]{2,4})?")  # at the end of a name of a file
_COLUMNS = ("text", "src", "tgt")  # of a manifest
_MOST_ENDINGS = 5  # endings of files that a message names


class FilePair(NamedTuple):
    """The files of two texts to align.

    Attributes
    ----------
    name : str
        The name of the text in its corpus.
    src : str
        The file of the source text; where `tgt` is `None`, a file of alignments with both texts.
    tgt : str or None

    """

    name: str
    src: str
    tgt: str | None


def find_pairs(
    src: str, tgt: str | None, *, known: str | None, langs: tuple[str, str]
) -> tuple[list[FilePair], list[str]]:
    """Return the pairs of files, and notes on files without a partner.

    Parameters
    ----------
    src : str
        A text, a folder, a manifest or a file of alignments.
    tgt : str or None
        The text or the folder of the other side.
    known : str or None
        The format of a file of alignments, if the user names it.
    langs : pair of str
        The codes of the languages, which name the files of a folder of both sides.

    Raises
    ------
    FormatError
        When a manifest lacks a column or a value, with its line.
    InputError
        When nothing is there, or nothing can be paired.

    """
    if "" in {src, tgt}:
        raise InputError("a name is empty: name a file, a folder, or -")
    from bitext.formats.io.remote import is_folder_at

    if known and tgt is not None:
        raise OptionError("--from is for one file of alignments, and TGT is given: leave it out")
    folders = [name != "-" and name is not None and is_folder_at(name) for name in (src, tgt)]
    if tgt is None:
        if folders[0]:
            if not all(langs):
                raise InputError(
                    f"{src}: is a folder of both texts or of one? Name the languages, which their "
                    f"names end with (--src-lang de --tgt-lang fr: one.de and one.fr), or a second "
                    f"folder"
                )
            if known:
                raise OptionError(f"--from is for a file of alignments, and {src} is a folder")
            return _pairs_of_folders(src, src, langs)
        rows = None if known else manifest_pairs(src, once=True)
        if rows is None:
            return [FilePair(Path(_text_name(src)).name, src, None)], []
        return list(rows), []
    if folders[0] != folders[1]:
        which = (src, tgt) if folders[0] else (tgt, src)
        if which[1] != "-":
            _refuse_missing(which[1])
        raise InputError(
            f"{which[0]} is a folder and {which[1]} a file: name two files, or two folders"
        )
    if folders[0]:
        far = "://" in src + tgt
        same = src.rstrip("/") == tgt.rstrip("/") if far else Path(src).samefile(tgt)
        return _pairs_of_folders(src, tgt, langs if same else ("", ""))
    return [FilePair(Path(_text_name(src)).name, src, tgt)], []


def _refuse_missing(name: str) -> None:
    """Refuse a file that is not there, with the nearest name there is."""
    from bitext.formats.io.remote import two_files
    from bitext.formats.io.source import open_source

    if "://" not in name and not may_be_there(name) and not two_files(name):
        open_source(name).close()


def _pairs_of_folders(
    src: str, tgt: str, langs: tuple[str, str]
) -> tuple[list[FilePair], list[str]]:
    """Pair the files of two folders by their names."""
    first, second = (
        _files_by_name(folder, lang) for folder, lang in zip((src, tgt), langs, strict=True)
    )
    pairs = [FilePair(name, path, second[name]) for name, path in first.items() if name in second]
    if not pairs:
        here, there = (next(iter(files), "") for files in (first, second))
        raise InputError(
            f"no text of {src} has a partner of the same name in {tgt}: {here!r} against "
            f"{there!r}; name the files alike, or pair them in a manifest"
        )
    notes = []
    for folder, files, partners in ((src, first, second), (tgt, second, first)):
        alone = [name for name in files if name not in partners]
        if alone:
            few = ", ".join(alone[:3]) + (", ..." if len(alone) > 3 else "")
            texts = f"{len(alone):,} text{'' if len(alone) == 1 else 's'}"
            notes.append(f"{texts} of {folder} without a partner, left out: {few}")
    return pairs, notes


def _files_by_name(folder: str, lang: str) -> dict[str, str]:
    """Return the files of a folder by their names; with a language only its files."""
    from bitext.formats.io.remote import files_at, files_here, is_remote
    from bitext.formats.languages import bare_name

    files: dict[str, str] = {}
    endings: set[str] = set()
    for inside, path in files_at(folder) if is_remote(folder) else files_here(folder):
        name = bare_name(inside) if lang else _text_name(inside)
        endings.add(Path(name).suffix)
        if lang and not name.endswith(f".{lang}"):
            continue
        name = name.removesuffix(f".{lang}") if lang else name
        if name in files:
            raise InputError(
                f"{folder}: {Path(files[name]).name} and {Path(path).name} are both named "
                f"{name!r}: name languages (--src-lang, --tgt-lang) and this folder twice, or pair "
                f"the files in a manifest"
            )
        files[name] = path
    if not files:
        if not lang:
            raise InputError(f"{folder}: has no file; name another folder")
        if is_folder(Path(folder) / lang):
            raise InputError(
                f"{folder}: has no file that ends with .{lang}, but a folder {lang}: name the "
                f"folders of both texts"
            )
        there = ", ".join(sorted(endings - {""})[:_MOST_ENDINGS]) or "no language"
        raise InputError(
            f"{folder}: has no file that ends with .{lang}; its files end with {there}: name that "
            f"language, or another folder"
        )
    return files


def _text_name(path: str) -> str:
    """Return the path of a text without the endings of compression, format and language."""
    from bitext.formats.languages import bare_name

    name = "standard input" if path == "-" else bare_name(path)
    suffix = Path(name).suffix
    if _LANGUAGE.fullmatch(suffix) and Path(name).stem:
        name = name.removesuffix(suffix)
    return name


def manifest_pairs(path: str, *, once: bool) -> Iterator[FilePair] | None:
    """Return an iterator over the pairs of a manifest; `None` for another file.

    A manifest is tab-separated columns under the head `text src tgt`, or JSON lines with these
    keys. Its names are relative to its folder.

    Parameters
    ----------
    path : str
    once : bool
        Whether to refuse texts that are named twice, and files that are missing. The names of all
        texts are in memory then.

    Raises
    ------
    FormatError
        When a line lacks a column or a value, with its number.

    """
    from bitext.formats.io.source import look_ahead, open_source

    if path == "-":
        head = look_ahead().head()
    else:
        _refuse_missing(path)
        if not ("://" in path or is_file(path)):
            return None
        with open_source(path) as source:
            head = source.head()
    lines = head.decode("utf-8", "replace").removeprefix("\ufeff").splitlines()
    first, second = [*lines[:2], "", ""][:2]
    columns = first.split("\t")
    _refuse_other_heads(path, first, second)
    if columns[:2] in (["text", "src"], ["text", "tgt"]) or sorted(columns) == sorted(_COLUMNS):
        if sorted(columns) != sorted(_COLUMNS):
            raise FormatError(
                f"the head of the manifest is {' '.join(columns)!r:.60}; want text, src and tgt, "
                f"with tabs between",
                path=_shown_name(path),
                line=1,
            )
        return _manifest_rows(path, columns, once=once)
    if _json_row(first) is not None:
        return _manifest_rows(path, None, once=once)
    return None


def _refuse_other_heads(path: str, first: str, second: str) -> None:
    """Refuse a manifest with another head or divider, which would be read as another format."""
    for divider in (",", ";", "\t"):
        cells = first.split(divider)
        named = [cell.strip(" \"'").lower() for cell in cells]
        there = len(cells) in {2, 3} and all(_names_file(path, cell) for cell in cells[-2:])
        sides = len(cells) in {2, 3} and sorted(named[-2:]) in (
            ["src", "tgt"],
            ["source", "target"],
        )
        below = second.split(divider)
        head = len(cells) == len(_COLUMNS) and (
            sorted(named) == sorted(_COLUMNS) != sorted(cells)
            or named == ["text", "source", "target"]
        )
        # Sentences may stand under such a head, too, but not names of files.
        head |= sides and named[0] != "text" and all(_names_file(path, cell) for cell in below[-2:])
        if (head or there) or (divider != "\t" and sorted(named) == sorted(_COLUMNS)):
            fault = "names files, without a head" if there else f"begins with {first!r:.60}"
            raise FormatError(
                f"{fault}; a manifest begins with text, src and tgt, with tabs between",
                path=_shown_name(path),
                line=1,
            )


def _names_file(manifest: str, name: str) -> bool:
    """Return whether a cell of a manifest names a file that exists."""
    try:
        return bool(name) and (is_file(name) or is_file(_path_beside(manifest, name)))
    except (OSError, ValueError):  # names that are too long, or have a NUL: texts
        return False


def _manifest_rows(path: str, columns: list[str] | None, *, once: bool) -> Iterator[FilePair]:
    """Yield the pairs of a manifest of columns, or of JSON lines."""
    from bitext.formats.io.source import open_source

    known: set[str] = set()
    count = 0
    with open_source(path) as source:
        for number, line in source.stream_lines():
            if not line.strip() or (number == 1 and columns is not None):
                continue
            if columns is None:
                row = _json_row(line.removeprefix("\ufeff") if number == 1 else line)
                fault = 'is not an object with "text", "src" and "tgt"'
            else:
                values = line.split("\t")
                whole = len(values) == len(columns) and all(values)
                row = dict(zip(columns, values, strict=True)) if whole else None
                fault = f"has {len(values)} columns, or an empty one"
            if row is None:
                raise source.error(f"{fault}; want a text, its source and its target", number)
            if once and row["text"] in known:
                raise source.error(f"names {row['text']!r} again; want once", number)
            if once:
                known.add(row["text"])
            count += 1
            files = [_path_beside(path, row[side]) for side in _COLUMNS[1:]]
            for name in files if once else ():
                if "://" not in name and not may_be_there(name):
                    raise source.error(
                        f"names {name}, and there is no such file; names are relative to the "
                        f"folder {'you are in' if path == '-' else 'of the manifest'}",
                        number,
                    )
            yield FilePair(row["text"], files[0], files[1])
    if not count:
        raise FormatError("the manifest names no text; want a line each", path=_shown_name(path))


def _shown_name(path: str) -> str:
    return "standard input" if path == "-" else path


def _path_beside(manifest: str, name: str) -> str:
    """Return the path of a name in a manifest: relative to its folder, unless it is remote."""
    from bitext.formats.io.remote import beside, is_remote, join

    if is_remote(name):
        return name
    return (
        join(beside(manifest), name) if is_remote(manifest) else str(Path(manifest).parent / name)
    )


def _json_row(line: str) -> dict[str, str] | None:
    """Return the object of a JSON line of a manifest; `None` for another line."""
    if not line.startswith("{"):
        return None
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return None
    fits = isinstance(row, dict) and all(
        isinstance(row.get(name), str) and row[name] for name in _COLUMNS
    )
    return row if fits else None


class PairStream:
    """The pairs of texts of a corpus; a manifest is read anew each time.

    Parameters
    ----------
    src, tgt, known, langs
        As of `find_pairs`.

    Attributes
    ----------
    notes : list of str
        About files without a partner.

    Raises
    ------
    FormatError, InputError
        As `find_pairs`.

    """

    def __init__(
        self, src: str, tgt: str | None, *, known: str | None, langs: tuple[str, str]
    ) -> None:
        self.notes: list[str] = []
        self._manifest = src
        self._pairs: list[FilePair] | None = None
        if tgt is None and not known and manifest_pairs(src, once=False) is not None:
            return
        self._pairs, self.notes = find_pairs(src, tgt, known=known, langs=langs)
        if self._pairs and self._pairs[0].tgt is None:
            raise InputError(
                f"{src}: is one file of alignments; by jobs want two folders of texts, a folder of "
                f"both, or a manifest"
            )

    def __iter__(self) -> Iterator[FilePair]:
        if self._pairs is not None:
            return iter(self._pairs)
        return manifest_pairs(self._manifest, once=False) or iter(())
