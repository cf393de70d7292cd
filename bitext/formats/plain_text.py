"""Plain text as it stands: files and folders of it, lines with their line ends."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from bitext.errors import InputError, OptionError
from bitext.formats.opening import open_source
from bitext.paths import files_below, is_folder, may_be_there
from bitext.remedies import remedy

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bitext.formats.opening import Source

__all__ = ["TextFile", "raw_lines", "text_files"]

_SUFFIXES = (".txt", ".text", ".tsv")
_PACKED = (".gz", ".bz2", ".xz", ".zst")


class TextFile(NamedTuple):
    """A file to read.

    Attributes
    ----------
    path : str
        As `open_source` takes it.
    name : str
        Its path below the folder that was named, or its own name.

    """

    path: str
    name: str


def text_files(names: Sequence[str]) -> list[TextFile]:
    """Return the files that were named: each itself, and those of text in each folder.

    In a folder and the folders in it these are files named `.txt`, `.text` or `.tsv`, packed or
    not, in the order of their names; hidden ones are left out.

    Raises
    ------
    InputError
        When there is no such file, or a folder has none.
    OptionError
        When standard input is named twice.

    """
    if names.count("-") > 1:
        raise OptionError("standard input (-) is given twice: give it once")
    found = []
    for name in names:
        folder = Path(name)
        if name == "-" or not is_folder(folder):
            if name != "-" and not may_be_there(folder):
                open_source(name).close()  # tells what is wrong, and the nearest name
            found.append(TextFile(name, "standard input" if name == "-" else folder.name))
            continue
        inside = [path for path in files_below(folder) if _is_text(path, folder)]
        if not inside:
            raise InputError(f"{name}: has no file named {', '.join(_SUFFIXES)}; name the files")
        found += [TextFile(str(path), path.relative_to(folder).as_posix()) for path in inside]
    return found


def raw_lines(source: Source) -> Iterator[str]:
    """Yield the lines of a file with their ends, as it is read; a byte order mark is left out.

    Raises
    ------
    FormatError
        When it cannot be decoded, or has NUL bytes.

    """
    for first, piece in source.blocks():
        at = piece.find("\0")
        if at >= 0:
            number = first + piece.count("\n", 0, at)
            raise source.error(
                f"has a NUL byte, so it is no text in this encoding; name another "
                f"({remedy('encoding utf-16-le')}) or leave the file out",
                number,
            )
        lines = piece.split("\n")
        last = lines.pop()
        yield from (f"{line}\n" for line in lines)
        if last:
            yield last


def _is_text(path: Path, folder: Path) -> bool:
    name = path.name.lower()
    for suffix in _PACKED:
        name = name.removesuffix(suffix)
    hidden = any(part.startswith(".") for part in path.relative_to(folder).parts)
    return name.endswith(_SUFFIXES) and not hidden
