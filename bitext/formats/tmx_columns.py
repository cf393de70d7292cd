"""The names of columns that attributes, props and notes of TMX have, both ways."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from bitext.formats.lines import score_of
from bitext.formats.tmx_borders import RESERVED

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bitext.formats.tmx_units import Extra

__all__ = ["COLUMN", "SCORE", "Place", "columns_of", "place_of", "stands"]

SCORE = "x-score"  # the type of the prop of a unit that is its score
COLUMN = "x-column-"  # what the type of a prop begins with that is a column of another name

_SHARED = {
    "o-encoding",
    "datatype",
    "usagecount",
    "lastusagedate",
    "creationtool",
    "creationtoolversion",
    "creationdate",
    "creationid",
    "changedate",
    "changeid",
    "o-tmf",
}
_OF_UNITS = _SHARED | {"tuid", "segtype", "srclang"}
_OF_TEXTS = _SHARED | {"xml:lang"}
_SEGTYPES = {"block", "paragraph", "sentence", "phrase"}
_SUFFIX = re.compile(r"#([0-9]+)$", re.ASCII)
_ATTRIBUTE = re.compile(r"@(xml:lang|lang|o-encoding)$")
_LANGUAGE = re.compile(r"[A-Za-z]{1,8}(?:[-_][A-Za-z0-9]{1,8})*", re.ASCII)


def _numbered(base: str, count: int) -> str:
    """Return the name of the column of a prop or note: the `count`th of its type."""
    like_a_suffix = base != "note" and (_SUFFIX.search(base) or _ATTRIBUTE.search(base))
    return f"{base}#{count}" if count > 1 or like_a_suffix else base


def columns_of(prefix: str, extras: Iterable[Extra]) -> Iterator[tuple[str, str]]:
    """Yield the names and values of the columns of props and notes, in order."""
    times: dict[str, int] = {}
    for extra in extras:
        if extra.kind == "prop" and extra.type.startswith(COLUMN):
            yield f"{prefix}{extra.type.removeprefix(COLUMN)}", extra.text
            continue
        base = f"prop:{extra.type}" if extra.kind == "prop" else extra.kind
        times[base] = times.get(base, 0) + 1
        name = prefix + _numbered(base, times[base])
        yield name, extra.text
        for key, value in extra.attributes.items():
            yield f"{name}@{key}", value


class Place(NamedTuple):
    """Where the values of a column are written.

    Attributes
    ----------
    kind : {"attribute", "prop", "note", "ude", "of", "lang", "other"}
        As an attribute; a prop or a note, of which the attributes are `of` it; as a text in a
        further language; by no name of TMX.
    side : str
        `src`, `tgt`, or empty for the unit.
    name : str
        The name of the attribute, the type of the prop, the code of the language.
    number : int
        Which one it is of those of its name, from 1.
    base : str
        Of an attribute of a prop or note, the name of the column of that; of a second one, of the
        first one.

    """

    kind: str
    side: str
    name: str
    number: int = 1
    base: str = ""


def place_of(column: str) -> Place:
    """Return where a column is written: where a reader finds it by the same name.

    Examples
    --------
    >>> place_of("src.creationid"), place_of("prop:x-a#2").name, place_of("certainty").kind
    (Place(kind='attribute', side='src', name='creationid', number=1, base=''), 'x-a', 'other')

    """
    side = column[:3] if column.startswith(("src.", "tgt.")) else ""
    rest = column[4:] if side else column
    if rest in (_OF_TEXTS if side else _OF_UNITS):
        return Place("attribute", side, rest)
    if rest.startswith("lang:") and not side:
        code, count = _parted(rest)
        if _LANGUAGE.fullmatch(code[5:]) and rest in {code, f"{code}#{count}"}:
            return Place("lang", "", code[5:], count, _earlier(code, count))
    if not rest.startswith(("note", "prop:", "ude")):
        return Place("other", side, rest)
    attribute = _ATTRIBUTE.search(rest)
    if attribute and _is_native(rest[: attribute.start()]):
        return Place("of", side, attribute[1], 1, f"{column[: len(column) - len(attribute[0])]}")
    if not _is_native(rest):
        return Place("other", side, rest)
    base, count = _parted(rest)
    kind, _, name = base.partition(":")
    before = _numbered(base, count - 1) if count > 1 else ""
    prefix = f"{side}." if side else ""
    return Place(kind, side, name, count, before and prefix + before)


def _earlier(code: str, count: int) -> str:
    if count == 1:
        return ""
    return code if count == 2 else f"{code}#{count - 1}"


def _parted(name: str) -> tuple[str, int]:
    """Return the name without its number, and the number."""
    found = _SUFFIX.search(name)
    if found and len(found[1]) < 10:
        return name[: found.start()], int(found[1])
    return name, 1


def _is_native(name: str) -> bool:
    """Tell whether a reader would give a prop or note this very name."""
    base, count = _parted(name)
    if base not in {"note", "ude"} and not base.startswith("prop:"):
        return False
    return count > 0 and _numbered(base, count) == name and not base.startswith(f"prop:{COLUMN}")


def stands(place: Place, value: str) -> bool:
    """Tell whether a value may stand where its column has its place."""
    if place.kind == "attribute" and place.name == "segtype":
        return value in _SEGTYPES
    if place.kind == "prop" and not place.side:
        if place.name == SCORE:
            return score_of(value) is None or not value.strip(" ")
        return place.name not in RESERVED
    return True
