"""Fast reading of XLIFF units with the same layout, many units by one regular expression.

The reader of units tells the meaning of a layout: it reads one unit of the layout with a
placeholder for each value, and the texts and columns of the bisegment show where each value
belongs. A layout is accepted if the reader noted nothing, and if other values, such as numbers,
blanks and empty ones, belong to the same places. So its units have one segment per side, without
codes. Units of other layouts are parsed, those of a piece together, and read in their places.

The first document of a file is read in this way as long as its beginning is followed by units
alone; the parser reads the rest of the file.

What this buys, measured beside the parser on made files of 24 MB without codes
(`scripts/bench/convert.md`): 0.38 s of CPU in place of 1.13 s for version 1.2, 0.34 s in place of
1.37 s for version 2. With codes in a tenth of the units it saves a twentieth to a fifth
of the time of whole commands.
"""

from __future__ import annotations

import io
import re
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isnan, nan
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Protocol, Self

from bitext.errors import FormatError
from bitext.formats.beads import Beads
from bitext.formats.io.source import Source
from bitext.formats.registry import ReadOptions
from bitext.formats.scores import score_of
from bitext.formats.states import STATE_COLUMNS
from bitext.formats.xml.fast import (
    NAME,
    VALUE,
    Layout,
    Layouts,
    Matches,
    Piece,
    Pieces,
    WrittenUnit,
    in_parts,
    lines_of_units,
    placed,
)
from bitext.lazy import late_pattern
from bitext.model import Bitext

if TYPE_CHECKING:
    from lxml.etree import _Element as Element


SIZE = 1 << 16  # bytes per piece; set by hand, as for TMX
_TRIALS = 12  # pieces from which layouts are learnt; set by hand
_LAYOUTS = 8  # layouts of a file after which no more are learnt; set by hand
_FAILURES = 100  # unknown layouts after which no more are examined; set by hand
_MOST_VALUES = 60  # values in a unit; set by hand
_WORTH = 1_000  # units after which most have to be of known layouts; set by hand
_STRUCTURE = {"xliff", "file", "body", "group", "unit", "trans-unit", "bin-unit"}
# Attributes whose values differ from unit to unit. The values of other attributes are part of a
# layout, as the reader examines most of them.
_OWN = {"unit": ("id", "name"), "trans-unit": ("id", "resname"), "segment": ("id",)}
_LOOKED_AT = STATE_COLUMNS | {"approved"}  # columns whose values the reader examines
_PREFIXED = rf"(?:{NAME}:)?{NAME}"
_TAG = late_pattern(rf"<(/?)({_PREFIXED})((?: {_PREFIXED}={VALUE})*)( ?/?)>", re.ASCII)
_GIVEN = late_pattern(rf" ({_PREFIXED})=({VALUE})", re.ASCII)
_TEXT = "([^<]*)"
# An id as the file has it, or one that our writer made, with nothing in it.
_ID = r'((?:(?!bitext\.)|(?=bitext\.[0-9]+"))[^"<>&\t\n]+)'
_MADE = "bitext."


class UnitReader(Protocol):
    """The reader of the units of a file."""

    source: Source
    options: ReadOptions
    units: str  # the name of units
    closing: bytes  # the end tags after the units of the only document

    def unit(self, unit: Element, beads: Any) -> None:
        """Add the bisegments of a unit."""

    def read_unit(self, unit: Element) -> Iterator[Bitext]:
        """Add a unit with its id; yield a part that it completes."""

    def see_ids(self, ids: Sequence[str | None], lines: Sequence[int]) -> None:
        """Note the repeated ids of units on some lines."""

    def apart(self, source: Source) -> Self:
        """Return a reader of the same document that has read no unit, with notes of its own."""

    def repeat(self, learnt: Self, count: int, line: int) -> None:
        """Repeat the effects of reading a unit for others of its layout, the first on that line."""


@dataclass(frozen=True, slots=True)
class UnitLayout(Layout):
    """The layout of a unit with one segment per side.

    Its `names` are `id` for the id of the unit, `attribute` for other attributes, empty for text.
    """

    # The numbers of the groups with the texts and the score; 0 if no value is the score.
    src: int
    tgt: int
    score: int
    common_score: float  # of all units, where no value is the score
    # Each column, with the number of its group, or with the value that all units have.
    columns: Mapping[str, int | str]
    learnt: UnitReader  # the reader after it has read a unit of the layout


class RegularUnits:
    """Reads the regular pieces of the document that a file begins with.

    `opened` has the root and the document, with the elements before the units; it is empty if the
    beginning of the file is irregular. `ended` is true once the file has ended.
    """

    def __init__(self, reader: UnitReader, pieces: Pieces) -> None:
        self._reader, self._pieces = reader, pieces
        self.opened: tuple[Element, ...] = ()
        self.ended = False
        self._unit = ""  # the full name of units
        self._trials = self._read = self._parsed = 0
        self._failed: set[str] = set()
        name = re.escape(reader.units)
        self._begin = re.compile(rf"<{name}[\s/>]")
        inside = rf"[^<]*(?:<(?!/{name}>)[^<]*)*"
        self._other = rf"([ \t\n]*<{name}[\s/>]{inside}</{name}>)"
        self._layouts: Layouts[UnitLayout] = Layouts(self._other)
        self._langs = ("", "")  # the languages with which the layouts were learnt

    def open(self) -> bool:
        """Read up to the first unit; return whether this was regular."""
        opening = self._pieces.opening(f"<{self._reader.units}".encode(), exclusive=True)
        root = None if opening is None else self._pieces.parsed(self._reader.closing)
        if opening is None or root is None or len(root) != 1:
            return False
        namespace = root.nsmap.get(None)
        prefix = f"{{{namespace}}}" if namespace else ""
        file = root[0]
        around = [(root, "xliff"), (file, "file")]
        if self._reader.closing.startswith(b"</body>"):
            if not len(file):
                return False
            around.append((file[-1], "body"))
        if len(around[-1][0]) and len(around) > 2:
            return False
        inside = [element for element in root.iter() if element not in [each for each, _ in around]]
        if not all(
            element.tag == f"{prefix}{name}" and element.nsmap.get(None) == namespace
            for element, name in around
        ) or any(
            not isinstance(element.tag, str) or element.tag.rpartition("}")[2] in _STRUCTURE
            for element in inside
        ):
            return False
        self._unit = f"{prefix}{self._reader.units}"
        self.opened = (root, file)
        return True

    def take(self, piece: Piece, beads: Beads) -> Generator[Bitext, None, bool]:
        """Yield the bitexts that a piece completes; return whether the piece was regular."""
        if f"</{self._reader.units}>" not in piece.text:
            closing = self._reader.closing.decode().replace("<", r"[ \t\n]*<")
            self.ended = re.fullmatch(rf"{closing}[ \t\n]*", piece.text) is not None
            return self.ended
        if beads.langs != self._langs:  # a text declared the language
            self._langs, self._layouts = beads.langs, Layouts(self._other)
            self._failed.clear()
        matches = self._layouts.match(piece.text)
        if matches and any(matches.groups[-1]) and self._learn(matches, beads):
            matches = self._layouts.match(piece.text)
        if matches is None or matches.size != len(piece.text) or not self._is_worth(matches):
            return False
        units = _Units(piece, self._layouts, matches)
        units.lines = self._lines(piece, matches)
        others = [k for k, text in enumerate(matches.groups[-1]) if text]
        parsed = self._parse(piece, units, others) if others else []
        if parsed is None or len(units.lines) != len(units):
            return False
        at = 0
        for k, element in zip((*others, len(units)), (*parsed, None), strict=True):
            yield from self._add(units, range(at, k), beads)
            if element is not None:
                self._reader.source.lines_before = self._pieces.lines_skipped
                yield from self._reader.read_unit(element)
                self._reader.source.lines_before = 0
            at = k + 1
        return True

    def _is_worth(self, matches: Matches) -> bool:
        """Count the units, and those that are parsed; return whether these are not the most."""
        self._read += len(matches.groups[0])
        self._parsed += sum(map(bool, matches.groups[-1]))
        return self._read < _WORTH or self._parsed * 2 < self._read

    def _lines(self, piece: Piece, matches: Matches) -> list[int]:
        if any("\n" in block for block in matches.blocks):
            return lines_of_units(piece, self._begin)
        return self._layouts.lines(piece, matches)

    def _parse(self, piece: Piece, units: _Units, others: list[int]) -> list[Element] | None:
        """Parse the units of unknown layouts in their lines; return `None` if malformed."""
        if len(units.lines) != len(units):
            return None
        parts, line = [], piece.line
        for k in others:
            text = units.others[k].lstrip(" \t\n")
            parts += ["\n" * (units.lines[k] - line), text]
            line = units.lines[k] + text.count("\n")
        root = self._pieces.parsed(self._reader.closing, "".join(parts))
        if root is None or len(root) != 1:
            return None
        file = self.opened[1]
        holder, before = root[0], len(file)
        if self._reader.closing.startswith(b"</body>"):
            if len(holder) != before:
                return None
            holder, before = holder[-1], 0
        parsed = list(holder)[before:]
        usual = len(parsed) == len(others) and all(each.tag == self._unit for each in parsed)
        return parsed if usual else None

    def _add(self, units: _Units, which: range, beads: Beads) -> Iterator[Bitext]:
        """Add units of known layouts, in parts as the parser does it."""
        for some in in_parts(which, beads, self._reader.options):
            here = slice(some.start, some.stop)
            self._reader.see_ids(units.ids[here], units.lines[here])
            for layout, first, count in units.layouts_of(some):
                self._reader.repeat(layout.learnt, count, units.lines[first])
            units.add(some, beads)
            yield from beads.parts()

    def _learn(self, matches: Matches, beads: Beads) -> bool:
        """Add the unknown layouts of a piece; return whether any was added."""
        known = len(self._layouts)
        if self._trials >= _TRIALS or known >= _LAYOUTS:
            return False
        self._trials += 1
        for text in filter(None, matches.groups[-1]):
            if len(self._failed) >= _FAILURES or len(self._layouts) >= _LAYOUTS:
                break
            if self._layouts.fits(text):
                continue
            written = _WrittenUnit(self._reader.units)
            if not written.read(text):
                continue
            expression = "".join(written.parts)
            layout = None if expression in self._failed else self._meaning(written, beads)
            if layout is None:
                self._failed.add(expression)
            else:
                self._layouts.add(layout)
        return len(self._layouts) > known

    def _meaning(self, written: _WrittenUnit, beads: Beads) -> UnitLayout | None:
        """Return the layout of a unit with the meaning of its values; `None` for an unusual one."""
        ids = [name != "" for name in written.names]
        first = [f" p{k}  q " if own else f"\n p{k}.  q " for k, own in enumerate(ids)]
        read = self._placeholders(written, first, beads)
        if read is None:
            return None
        reader, src, tgt, found, score = read
        number = {value: k for k, value in enumerate(first)}
        columns = {name: number.get(value, value) for name, value in found.items()}
        free = {name: k for name, k in columns.items() if isinstance(k, int)}
        used = [number.get(src, -1), number.get(tgt, -1), *free.values()]
        rest = sorted(set(range(len(ids))) - set(used))
        if -1 in used or len(set(used)) < len(used) or len(rest) > 1 or free.keys() & _LOOKED_AT:
            return None
        # Values that look like numbers, are blank or empty have to belong to the same places.
        for values in (
            [f"0.{k + 101}" for k in range(len(ids))],
            [f"x{k}" if own else "" for k, own in enumerate(ids)],
            [" " if own else " \n " for own in ids],
        ):
            known = score_of(values[rest[0]]) if rest and values[rest[0]] else score
            score_there = nan if known is None else known
            there = {name: values[k] if isinstance(k, int) else k for name, k in columns.items()}
            again = self._placeholders(written, values, beads)
            wanted = (values[used[0]], values[used[1]], list(there.items()), repr(score_there))
            if again is None or (*again[1:3], list(again[3].items()), repr(again[4])) != wanted:
                return None
        return UnitLayout(
            "".join(written.parts),
            written.fixed,
            ["<", *written.names],
            (written.before, written.ends),
            used[0] + 1,
            used[1] + 1,
            rest[0] + 1 if rest else 0,
            score,
            {name: k + 1 if isinstance(k, int) else k for name, k in columns.items()},
            reader,
        )

    def _placeholders(
        self, written: _WrittenUnit, values: list[str], beads: Beads
    ) -> tuple[UnitReader, str, str, dict[str, str], float] | None:
        """Read a unit with other values: the reader, both texts, the columns and the score.

        Return `None` where the unit is not a bisegment of one segment per side, without codes and
        ids, or where the reader notes anything.
        """
        root = self._pieces.parsed(self._reader.closing, written.filled(values))
        if root is None:
            return None
        holder = root[0][-1] if self._reader.closing.startswith(b"</body>") else root[0]
        with Source(self._reader.source.path, io.BytesIO(b"")) as source:
            reader = self._reader.apart(source)
            apart = type(beads)(source, self._reader.options, langs=beads.langs)
            try:
                reader.unit(holder[-1], apart)
                (bitext,) = apart.rest()
            except FormatError:
                return None
        texts = bitext.src, bitext.tgt
        sizes = [0 if each is None else len(each) for each in texts]
        if bitext.notes or apart.langs != beads.langs or sizes != [1, 1]:
            return None
        if len(bitext.alignment) != 1 or bitext.alignment[0].type != "1-1":
            return None
        if any(each is None or each.marked or each.has_ids for each in texts):
            return None
        (src,), (tgt,) = (each.segments() for each in texts if each is not None)
        columns = {name: column[0] or "" for name, column in bitext.alignment.attributes.items()}
        scores = bitext.alignment.scores
        return reader, src, tgt, columns, nan if scores is None else float(scores[0])


class _WrittenUnit(WrittenUnit):
    """A unit as written, translated to an expression tag by tag.

    `before` is the number of line ends before the start tag, whose group is the first part.
    """

    def __init__(self, unit: str) -> None:
        super().__init__()
        self._unit = unit
        self.before = 0
        self._pieces: list[str | None] = []  # the characters outside of values; `None` for a value

    def read(self, text: str) -> bool:
        """Read all tags; return whether all are usual."""
        opened: list[str] = []  # the names of the open elements
        at, leaf = 0, False
        for match in _TAG.finditer(text):
            between, at = text[at : match.start()], match.end()
            closes, name, attributes, end = match.groups()
            if leaf and closes:
                self._value("", _TEXT)
            elif between.strip(" \t\n"):
                return False
            else:
                self.literal(between)
            if closes:
                if not opened or opened.pop() != name or attributes or end:
                    return False
                self.literal(match[0])
            elif not self._start(name, attributes, end, first=not opened):
                return False
            elif not end:
                opened.append(name)
            leaf = not closes and not end
            if not opened or len(self.names) > _MOST_VALUES:
                break
        return bool(self.parts) and not opened and at == len(text)

    def _start(self, name: str, attributes: str, end: str, *, first: bool) -> bool:
        """Read a start tag; return whether the tag is usual."""
        if first != (name == self._unit):
            return False
        if first:
            self.before = self.ends
            self.parts.append(f"(<{self._unit})")
            self._pieces.append(f"<{self._unit}")
        else:
            self.literal(f"<{name}")
        given = _GIVEN.findall(attributes)
        names = [key for key, _ in given]
        if len(set(names)) < len(names) or any(key.startswith("xmlns") for key in names):
            return False
        for key, value in given:
            if key in _OWN.get(name, ()):
                self.literal(f' {key}="')
                self._value("id" if first and key == "id" else "attribute", _ID)
                self.literal('"')
            else:
                self.literal(f" {key}={value}")
        self.literal(f"{end}>")
        return True

    def _value(self, name: str, expression: str) -> None:
        self.names.append(name)
        self.parts.append(expression)
        self._pieces.append(None)

    def literal(self, text: str) -> None:
        super().literal(text)
        self._pieces.append(text)

    def filled(self, values: list[str]) -> str:
        """Return the unit with other values."""
        rest = iter(values)
        return "".join(next(rest) if piece is None else piece for piece in self._pieces)


class _Units:
    """The values of the units of a piece; units of unknown layouts have none.

    `others` has the units of unknown layouts as written, and is empty at other units. `ids` and
    `lines` have the id of each unit, and the line on which it begins.
    """

    def __init__(self, piece: Piece, layouts: Layouts[UnitLayout], matches: Matches) -> None:
        self._matches = matches
        self._count = count = len(matches.groups[0])
        self.others = matches.groups[-1]
        self.lines: list[int] = []
        self.ids: list[str | None] = [None] * count
        self._texts: list[list[str]] = [[""] * count, [""] * count]
        self._scores: list[float] | None = None
        self._columns: dict[str, list[str | None]] = {}
        self._layouts = [each for each in enumerate(layouts) if matches.counts[each[0]]]
        for number, layout in self._layouts:
            which = matches.which(number)
            many, begin = matches.counts[number], matches.begins[number]
            values = [
                matches.values(begin + k, which, references=piece.references)
                for k in range(len(layout.names))
            ]
            if "id" in layout.names:
                self.ids = placed(values[layout.names.index("id")], which, self.ids)
            for side, k in enumerate((layout.src, layout.tgt)):
                self._texts[side] = placed(values[k], which, self._texts[side])
            if layout.score:
                scores = [(score_of(text) if text else None) for text in values[layout.score]]
                numbers = [nan if score is None else score for score in scores]
            else:
                numbers = [layout.common_score] * many
            if layout.score or not isnan(layout.common_score):
                self._scores = placed(numbers, which, self._scores or [nan] * count)
            for name, own in layout.columns.items():
                cells: list[str | None] = [own] * many if isinstance(own, str) else [*values[own]]
                if not isinstance(own, str) and layout.names[own] == "id":
                    cells = [None if cell and cell.startswith(_MADE) else cell for cell in cells]
                among = self._columns.get(name) or [None] * count
                self._columns[name] = placed(cells, which, among)

    def __len__(self) -> int:
        return self._count

    def layouts_of(self, which: range) -> Iterator[tuple[UnitLayout, int, int]]:
        """Yield the layouts of consecutive units in order, each with its first unit and a count."""
        found = []
        for number, layout in self._layouts:
            marks = self._matches.groups[self._matches.begins[number]]
            here = [k for k in which if marks[k]] if len(self._layouts) > 1 else which
            if here:
                found.append((here[0], number, layout, len(here)))
        for first, _, layout, count in sorted(found, key=itemgetter(0)):
            yield layout, first, count

    def add(self, which: range, beads: Beads) -> None:
        """Add consecutive units, all of known layouts."""
        begin, end = which.start, which.stop
        beads.line = self.lines[end - 1]
        cells = {name: column[begin:end] for name, column in self._columns.items()}
        beads.extend(
            self._texts[0][begin:end],
            self._texts[1][begin:end],
            scores=None if self._scores is None else self._scores[begin:end],
            attributes={name: cells[name] for name in self._in_order(cells, which)},
            lines=self.lines[begin:end],
        )

    def _in_order(self, cells: Mapping[str, list[str | None]], which: range) -> list[str]:
        """Return the names of the columns with values, in the order in which units have them."""
        names = []
        for name, column in cells.items():
            first = next((k for k, cell in enumerate(column) if cell is not None), None)
            if first is not None:
                unit = which.start + first
                names.append((first, self._place(name, unit), name))
        return [name for *_, name in sorted(names)]

    def _place(self, name: str, unit: int) -> int:
        """Return the place of a column in the layout of a unit."""
        for number, layout in self._layouts:
            if self._matches.groups[self._matches.begins[number]][unit]:
                return list(layout.columns).index(name)
        return 0
