"""The names of columns that attributes, props and notes of TMX have, both ways.

What TMX has no place for, in props: ids of segments, their borders, their places in the texts.

| prop of a tu | holds |
| --- | --- |
| `x-bitext-name` | the name of a document pair, on its first unit |
| `x-src-ids`, `x-tgt-ids` | the ids of the segments, parted by blanks |
| `x-src-lengths`, `x-tgt-lengths` | their lengths, where there are several, joined by blanks |
| `x-src-positions`, `x-tgt-positions` | their places, where those are not the next ones |
| `x-bead` | `none` where the segments are in no bisegment |

In ids, blanks, tabs, line ends and percent signs are written as `%20;`, and an empty id as `%`.
Places count on through the parts of a document pair. Where places are not the next ones, what is
read is held until there is no gap before it, so memory grows with the distance.
"""

from __future__ import annotations

import re
from itertools import accumulate
from math import nan
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bitext.formats.beads import AttributeColumns
from bitext.formats.columns import score_of
from bitext.formats.line_files import PART, known_scores
from bitext.formats.xml.inline_codes import cut
from bitext.model import Alignment, Bitext, Text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from bitext.formats.io.source import Source
    from bitext.formats.registry import ReadOptions
    from bitext.formats.tmx.units import Extra, Unit

__all__ = [
    "BEAD",
    "COLUMN",
    "NAME",
    "NO_BEAD",
    "RESERVED",
    "SCORE",
    "Place",
    "Placed",
    "columns_of",
    "place_of",
    "spell_ids",
    "stands",
]


NAME = "x-bitext-name"
BEAD, NO_BEAD = "x-bead", "none"

_SIDES = ("src", "tgt")
RESERVED = {NAME, BEAD} | {
    f"x-{side}-{what}" for side in _SIDES for what in ("ids", "lengths", "positions")
}
_NUMBERS = re.compile(r"[0-9]{1,10}(?: [0-9]{1,10})*", re.ASCII)
_NOT_IN_IDS = re.compile(r"[%\s]")
_SPELLED = re.compile(r"%([0-9a-f]{1,4});")


def spell_ids(ids: Sequence[str]) -> str:
    """Return ids as they stand in a prop.

    Examples
    --------
    >>> spell_ids(["s1", "a b", ""])
    's1 a%20;b %'

    """
    return " ".join(_NOT_IN_IDS.sub(lambda m: f"%{ord(m[0]):x};", name) or "%" for name in ids)


def _ids_of(spelled: str) -> list[str]:
    return [
        "" if name == "%" else _SPELLED.sub(lambda m: chr(int(m[1], 16)), name)
        for name in spelled.split(" ")
    ]


class _Side:
    """The segments of one side by their places."""

    def __init__(self, base: int = 0) -> None:
        self.base = self.next = base
        self.texts: dict[int, str] = {}
        self.marked: dict[int, str] = {}
        self.ids: dict[int, str] = {}
        self.rows: list[list[int]] = []

    def text(self, name: str, lang: str) -> Text:
        order = sorted(self.texts)
        ids = [self.ids[k] for k in order if k in self.ids]
        whole = bool(ids) and len(ids) == len(order) == len(set(ids))
        return Text(
            [self.texts[k] for k in order],
            ids=ids if whole else None,
            name=name,
            lang=lang,
            marked=[self.marked.get(k) for k in order] if self.marked else None,
        )

    def ranked(self) -> list[list[int]]:
        """Return the rows by indices into the text."""
        rank = {place: k for k, place in enumerate(sorted(self.texts))}
        return [[rank[place] for place in row] for row in self.rows]


class Placed:
    """Collects bisegments whose segments have places and ids of their own.

    Parameters
    ----------
    source : Source
        The file; takes notes.
    options : ReadOptions
        Say whether parts are wanted, and the name.
    meta : mapping of str to str
        What the header says.

    Attributes
    ----------
    langs : pair of str
        The languages of the two texts.

    """

    def __init__(self, source: Source, options: ReadOptions, meta: Mapping[str, str]) -> None:
        self._source, self._options, self._meta = source, options, meta
        self.langs = ("", "")
        self._name = options.name
        self._made = self._documents = 0
        self._clear((0, 0))
        source.collecting.append(self)

    def __len__(self) -> int:
        return len(self._scores) + sum(len(side.texts) for side in self._sides)

    def _clear(self, bases: tuple[int, int]) -> None:
        self._sides = (_Side(bases[0]), _Side(bases[1]))
        self._scores: list[float] = []
        self._lines: list[int] = []
        self._columns = AttributeColumns(self._source)

    def begin(self, unit: Unit, langs: tuple[str, str]) -> Iterator[Bitext]:
        """Begin another document pair where a unit is its first; yield the one before."""
        named = [extra.text for extra in unit.extras if extra.type == NAME]
        if not named:
            return
        if self._documents:
            yield from self.rest()
            self._made = 0
            self._clear((0, 0))
        self.langs = langs
        self._documents += 1
        self._name = named[0] or self._options.name

    def add(
        self,
        line: int,
        texts: tuple[list[str], list[str]],
        marked: tuple[list[str | None], list[str | None]],
        attributes: dict[str, str],
        places: dict[str, str],
        score: float,
    ) -> None:
        """Add a bisegment, or segments that are in none; `places` are the props of the table."""
        places = {name: text for name, text in places.items() if name != NAME}
        rows = [
            self._place(side, texts[side], marked[side], places, line)
            for side in range(len(_SIDES))
        ]
        if places.get(BEAD) == NO_BEAD:
            return
        attributes = {**attributes, **{f"prop:{name}": text for name, text in places.items()}}
        if not any(rows):
            where = f"{self._source.path} line {line}"
            self._source.notes.add("units without any segment, left out", where)
            return
        self._columns.put(len(self._scores), attributes, line)
        self._scores.append(score)
        self._lines.append(line)
        for side, row in zip(self._sides, rows, strict=True):
            side.rows.append(row)

    def _place(
        self,
        number: int,
        texts: list[str],
        marked: list[str | None],
        given: dict[str, str],
        line: int,
    ) -> list[int]:
        """Put the segments of one side where they belong; return their places."""
        side, name = self._sides[number], f"x-{_SIDES[number]}-"
        texts, marked = self._cut(name, texts, marked, given, line)
        ids = _ids_of(given[f"{name}ids"]) if f"{name}ids" in given else []
        if ids and len(ids) == len(texts):
            del given[f"{name}ids"]
        elif ids:
            self._odd("ids", line)
            ids = []
        places = _numbers(given.get(f"{name}positions", ""))
        fits = len(places) == len(texts) == len(set(places)) and all(
            place >= side.base and side.texts.get(place, text) == text
            for place, text in zip(places, texts, strict=False)
        )
        if not fits:
            if f"{name}positions" in given:
                self._odd("positions", line)
            places = list(range(side.next, side.next + len(texts)))
        else:
            given.pop(f"{name}positions", None)
        for k, place in enumerate(places):
            side.texts[place] = texts[k]
            if marked[k] is not None:
                side.marked[place] = marked[k] or ""
            if ids:
                side.ids[place] = ids[k]
        side.next = max([side.next, *(place + 1 for place in places)])
        return places

    def _cut(
        self,
        name: str,
        texts: list[str],
        marked: list[str | None],
        given: dict[str, str],
        line: int,
    ) -> tuple[list[str], list[str | None]]:
        """Part a side that was joined, where its lengths fit it."""
        spelled = given.get(f"{name}lengths", "")
        lengths = _numbers(spelled)
        if not spelled:
            return texts, marked
        if len(texts) == 1 and len(lengths) > 1:
            ends = list(accumulate(length + 1 for length in lengths))
            whole = texts[0]
            if ends[-1] - 1 == len(whole) and all(whole[end - 1] == " " for end in ends[:-1]):
                parts = [
                    whole[end - 1 - size : end - 1] for end, size in zip(ends, lengths, strict=True)
                ]
                found = [None] * len(parts) if marked[0] is None else cut(marked[0], lengths)
                if found is not None:
                    del given[f"{name}lengths"]
                    return parts, [xml if xml and "<" in xml else None for xml in found]
        self._odd("lengths", line)
        return texts, marked

    def _odd(self, what: str, line: int) -> None:
        self._source.notes.add(
            f"units whose {what} of segments do not fit their text, kept as a column",
            f"{self._source.path} line {line}",
        )

    def parts(self) -> Iterator[Bitext]:
        """Yield a part where parts are wanted, and no segment is missing before its last."""
        if not self._options.parts or len(self._scores) < PART:
            return
        if all(len(side.texts) == side.next - side.base for side in self._sides):
            yield self._bitext()

    def rest(self) -> Iterator[Bitext]:
        """Yield what is left of the document pair."""
        if self._scores or any(side.texts for side in self._sides) or not self._made:
            yield self._bitext()

    def _bitext(self) -> Bitext:
        src, tgt = self._sides
        size = len(self._scores)
        columns = self._columns.whole(size)
        scores = known_scores(self._scores or [nan])
        lines = np.array(self._lines, dtype=np.int64) if self._options.lines else None
        made, self._made = self._made, self._made + 1
        self._clear((src.next, tgt.next))
        return Bitext(
            src.text(self._source.path, self.langs[0]),
            tgt.text(self._source.path, self.langs[1]),
            Alignment(
                zip(src.ranked(), tgt.ranked(), strict=True), scores=scores, attributes=columns
            ),
            name=self._name,
            meta=self._meta,
            notes=self._source.notes.drain(),
            continues=made > 0,
            lines=lines,
        )


def _numbers(spelled: str) -> list[int]:
    return [int(number) for number in spelled.split()] if _NUMBERS.fullmatch(spelled) else []


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
