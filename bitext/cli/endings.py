"""What the name of a file for tables (`-o`) tells of their format."""

from __future__ import annotations

import csv
import io
import re
from pathlib import PurePath
from typing import TYPE_CHECKING

from bitext.errors import OptionError, nearest
from bitext.paths import is_folder

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["as_csv", "is_csv", "refuse_file_name", "style_of_name"]

# CSV is made of the cells of TSV when it is written (`as_csv`).
_STYLES = {".json": "json", ".tsv": "tsv", ".csv": "tsv", ".md": "markdown", ".tex": "latex"}
_PLAIN = frozenset((".txt", ".text", ".out", ".log"))
_PAGES = (".html", ".htm")
# What comes behind a point in `run.2`, `run.v2` or `scores.2024-05` is no ending.
_ENDING = re.compile(r"\.[a-z]{2,}", re.ASCII)
_LIKE = 0.7  # .tvs and .tsv are, .xml and .html are not


def style_of_name(name: str, *, page: bool = False) -> str:
    """Return `json` or the style of tables that the name of a file asks for.

    A name without an ending, or with one of plain text, gets a table. `page` tells whether the
    command writes pages, too (--html).

    Raises
    ------
    OptionError
        When the ending is one of nothing that can be written; the message names those that are.

    """
    ending = _ending(name)
    if not ending or ending in _STYLES:
        return _STYLES.get(ending, "table")
    what = f"-o {name}: tables are not written as {ending}"
    ways = (
        f"the endings of tables are {' '.join(_STYLES)} and .txt; --format writes one to any name"
    )
    if ending in _PAGES and page:
        raise OptionError(f"{what}: a page is written with --html {name}; {ways}")
    near = nearest(ending, [*_STYLES, *([_PAGES[0]] if page else [])], cutoff=_LIKE)
    raise OptionError(f"{what}{f'; did you mean {near}?' if near else ':'} {ways}")


def refuse_file_name(name: str) -> None:
    """Refuse a folder for results (-o) whose name has the ending of a file.

    Raises
    ------
    OptionError
        Unless the folder is there, or its name ends with `/`.

    """
    ending = _ending(name)
    if ending and not name.endswith("/") and not is_folder(name):
        page = f"; a page is written with --html {name}" if ending in _PAGES else ""
        raise OptionError(
            f"-o {name}: several files are written, into a folder, and this is the name of a file: "
            f"name a folder (with / at its end), or redirect standard output{page}"
        )


def is_csv(name: str) -> bool:
    """Tell whether the name of a file asks for CSV."""
    return _ending(name) == ".csv"


def as_csv(parts: Iterable[str]) -> Iterator[str]:
    """Yield a table of TSV, in parts of any size, as CSV (RFC 4180, but for LF at the ends)."""
    rest = ""
    for part in parts:
        *lines, rest = (rest + part).split("\n")
        yield _csv_lines(lines)
    if rest:
        yield _csv_lines([rest])


def _csv_lines(lines: list[str]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(
        line.split("\t") if line else [] for line in lines
    )
    return out.getvalue()


def _ending(name: str) -> str:
    """Return the ending of a name without that of its compression; empty for one of plain text."""
    from bitext.formats.packing import unpacked

    ending = PurePath(unpacked(name.partition("?")[0])).suffix.lower()
    return ending if _ENDING.fullmatch(ending) and ending not in _PLAIN else ""
