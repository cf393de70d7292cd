"""What the name of a file for tables (`-o`) tells of their format; endings that tell none."""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import TYPE_CHECKING

from bitext.errors import OptionError, nearest

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["misnamed", "style_of_name"]

_STYLES = {".json": "json", ".tsv": "tsv", ".md": "markdown", ".tex": "latex"}
_PLAIN = frozenset((".txt", ".text", ".out", ".log"))
# Endings of other kinds of files: who gives them has not mistyped one.
_OTHERS = (".html", ".xml", ".jsonl", ".csv", ".yaml", ".pdf")
# What comes behind a point in `run.2` or `scores.2024-05` is no ending.
_ENDING = re.compile(r"\.[a-z][a-z0-9]*", re.ASCII)
_LIKE = 0.7  # .tvs and .tsv are, .xml and .html are not


def style_of_name(name: str) -> str:
    """Return `json` or the style of tables that the name of a file asks for.

    A name that tells none gets a table.

    Raises
    ------
    OptionError
        When the ending is mistyped; the message names the one that it is like.

    """
    ending = _ending(name)
    known = [*_STYLES, *_OTHERS]
    near = "" if ending in {"", ".htm", *known} else nearest(ending, known, cutoff=_LIKE)
    if near:
        raise OptionError(
            f"-o {name}: its ending {ending} is not known; did you mean {near}? The endings of "
            f"tables are {' '.join(_STYLES)}; --format writes one to any name"
        )
    return _STYLES.get(ending, "table")


def misnamed(name: str) -> Iterator[str]:
    """Yield a note where the ending of a name tells no format, and is none of plain text."""
    ending = _ending(name)
    if ending and ending not in _STYLES:
        page = " (a page: --html)" if ending.startswith(".htm") else ""
        yield (
            f"{name}: is written as a table of plain text, as {ending} tells no format{page}; "
            f"those that do: {' '.join(_STYLES)}, or --format"
        )


def _ending(name: str) -> str:
    """Return the ending of a name without that of its compression; empty for one of plain text."""
    from bitext.formats.packing import unpacked

    ending = PurePath(unpacked(name.partition("?")[0])).suffix.lower()
    return ending if _ENDING.fullmatch(ending) and ending not in _PLAIN else ""
