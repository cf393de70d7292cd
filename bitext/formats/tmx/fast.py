"""Fast reading of TMX units with the same layout, many units by one regular expression.

Programs write all units of a file alike: the same tags with the same attributes in the same order
and the same white space between them. An expression derived from the layout (`Shape`) of one unit
matches the values of the others. The match is complete if the lengths of the values and of the
fixed parts add up to the length of the text.

What this buys, measured beside the parser on made files of 24 MB with inline codes in a tenth of
their units (`make_tmx` of `scripts/bench/convert_made.py`): 0.45 s of CPU in place of 1.9 s, and a
small file whose header is empty is read without importing lxml. The texts in
further languages may be missing in some units, and with `ReadOptions.every_language` any text may.

A piece with a unit of another layout is parsed by itself; if the piece is not well-formed by
itself, the parser reads the rest of the file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from math import isnan, nan
from operator import add, itemgetter
from typing import TYPE_CHECKING

from bitext.formats.beads import Beads
from bitext.formats.io.source import Source
from bitext.formats.registry import LANGUAGE, ReadOptions
from bitext.formats.scores import score_of
from bitext.formats.tmx.reading import LONE, BeadCollector, has_places
from bitext.formats.tmx.units import (
    NAME,
    PARENTS,
    SCORE,
    WANTED,
    Extra,
    Header,
    Unit,
    UnitReader,
    Variant,
    columns_of,
    note_foreign,
    read_units,
)
from bitext.formats.xml import unescape
from bitext.formats.xml.fast import (
    NUL,
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
from bitext.formats.xml.inline_codes import MarkedSegment, attributes_of, read_marked
from bitext.formats.xml.safe import line_of, local_name
from bitext.model import Bitext

if TYPE_CHECKING:
    from lxml.etree import _Element as Element


_MOST_VALUES = 100  # values in a unit: naming them takes quadratic time
_SEGMENT = r"([^<]*(?:<(?!/seg>)[^<]*)*)"
_PIECE = re.compile(r"<(/?)(tu|tuv|seg|prop|note)((?: [a-z:-]+=\"[^\"<>\n\t]*\")*)>|<|>")
_BEGIN = re.compile("<tu[ >]")
_VALUE = re.compile(r" ([a-z:-]+)=\"([^\"<>]*)\"")
_FIXED = {"tu": (), "tuv": ("xml:lang", "lang"), "seg": (), "prop": ("type",), "note": ()}
_NO_COLUMNS = ("lang", "xmlns")
_PARENTS = {
    "tu": ("",),
    "tuv": ("tu",),
    "seg": ("tuv",),
    "prop": ("tu", "tuv"),
    "note": ("tu", "tuv"),
}
_SIDES = ("", "src.", "tgt.")
_TEXTS = ("<src", "<tgt")
_LEAVES = ("seg", "prop", "note")


@dataclass(frozen=True, slots=True)
class Shape(Layout):
    """The layout of a unit with texts in one or both languages, and in further ones.

    Its `names` are `<src`, `<tgt` for the texts, `<score`, or those of columns.
    """

    # The columns among the names, in the order of other units: columns of the unit, texts in
    # further languages, columns of the source, of the target.
    columns: Sequence[str]
    # The names of the texts that units may lack, with the number of characters around each.
    optional: Mapping[str, int]
    lacks: bool  # whether the unit lacks a text of the two, and texts are not optional


class _Units:
    """The values of the units of a piece: `matches` has the values of each group, for all units.

    `references` is true if the values contain references. `parse` reads a segment with unusual
    codes.
    """

    def __init__(
        self,
        matches: Matches,
        parse: Callable[[str], MarkedSegment | None],
        *,
        references: bool,
    ) -> None:
        self.matches, self.groups, self._blocks = matches, matches.groups, matches.blocks
        self._parse, self._references = parse, references
        self._count = len(matches)
        self._of: dict[str, list[int]] = {"<src": [], "<tgt": []}  # groups with texts
        self.texts: dict[str, list[str]] = {"<src": [], "<tgt": []}
        self.marked: dict[str, dict[int, str]] = {"<src": {}, "<tgt": {}}
        self.scores: list[float] | None = None
        self.columns: dict[str, Sequence[str | None]] = {}
        self.faults: list[tuple[int, str, str, str]] = []  # unit, side, kind, case
        self.lines: list[int] | None = None
        self.lone: list[int] = []  # the units that lack a text of the two, as a fault
        # How many segments each unit has a side; `None`: one.
        self.sizes: tuple[list[int], list[int]] | None = None

    def read(self, names: Sequence[str], layout: int) -> bool:
        """Read the values of the units of one layout; return whether all are usual."""
        begin = self.matches.begins[layout]
        which: list[int] | None = None
        if not {"<", *self.texts}.issuperset(names):
            which = self.matches.which(layout)
        for number, name in enumerate(names[1:], begin + 1):
            if name in self.texts:
                self._of[name].append(number)
                continue
            values = self.matches.values(number, which, references=self._references)
            if name.startswith(LANGUAGE) and (
                "\n" in self._blocks[number] or any("\n" in value for value in values)
            ):
                return False
            if name != "<score":
                among = self.columns.get(name) or [None] * self._count
                own: list[str | None] = [*values]
                if name.startswith(LANGUAGE):
                    own = [value or None for value in values]
                self.columns[name] = placed(own, which, among)
                continue
            scores = [score_of(spelled) for spelled in values]
            known = [score for score in scores if score is not None and not isnan(score)]
            if len(known) < len(values):
                return False
            self.scores = placed(known, which, self.scores or [nan] * self._count)
        return True

    def __len__(self) -> int:
        return self._count

    def has_line_ends(self) -> bool:
        """Check for line ends in the values of the file."""
        return any("\n" in block for block in self._blocks)

    def add(self, which: range, beads: Beads, names: Iterable[str]) -> None:
        """Add consecutive units, which are settled, with the columns of some names in order."""
        begin, end = which.start, which.stop
        texts, marked = [], []
        for side, name in enumerate(_TEXTS):
            sizes = None if self.sizes is None else self.sizes[side]
            first, last = (at if sizes is None else sum(sizes[:at]) for at in (begin, end))
            texts.append(self.texts[name][first:last])
            codes = self.marked[name].items()
            marked.append({k - first: xml for k, xml in codes if first <= k < last})
        columns = {name: self.columns[name][begin:end] for name in names if name in self.columns}
        beads.extend(
            texts[0],
            texts[1],
            sizes=self.sizes and (self.sizes[0][begin:end], self.sizes[1][begin:end]),
            scores=self.scores and self.scores[begin:end],
            # Units have a column only if one of them has a value.
            attributes={
                name: values
                for name, values in columns.items()
                if any(value is not None for value in values)
            },
            marked=(marked[0], marked[1]),
            lines=self.lines and self.lines[begin:end],
        )

    def leave_out_missing(self, shapes: Sequence[Shape]) -> bool:
        """Leave out the texts that units of some layouts lack; return whether each has a text.

        A unit with texts in further languages alone has an empty source segment.
        """
        used = [each for each in enumerate(shapes) if self.matches.counts[each[0]]]
        if all({*_TEXTS} <= {*shape.names} - shape.optional.keys() for _, shape in used):
            return True
        there = [[False] * len(self), [False] * len(self)]
        for number, shape in used:
            for side, name in zip(there, _TEXTS, strict=True):
                if name in shape.names:
                    group = self.groups[self.matches.begins[number] + shape.names.index(name)]
                    for k in self.matches.which(number) or range(len(self)):
                        side[k] = name not in shape.optional or bool(group[k])
        if any(shape.lacks for _, shape in used):
            self.lone = [k for k, (src, tgt) in enumerate(zip(*there, strict=True)) if src != tgt]
        further = [column for name, column in self.columns.items() if name.startswith(LANGUAGE)]
        for k, sides in enumerate(zip(*there, strict=True)):
            if not any(sides):
                if not any(column[k] for column in further):
                    return False
                there[0][k] = True
        self._leave_out(there)
        return True

    def _leave_out(self, there: list[list[bool]]) -> None:
        """Leave out the texts that are not there; `there` has one value per unit for each side."""
        self.sizes = ([*map(int, there[0])], [*map(int, there[1])])
        for name, side in zip(self.texts, there, strict=True):
            kept = [k for k, is_there in enumerate(side) if is_there]
            self.texts[name] = [self.texts[name][k] for k in kept]
            if codes := self.marked[name]:
                self.marked[name] = {new: codes[k] for new, k in enumerate(kept) if k in codes}

    def settle(self, name: str) -> bool:
        """Collect the texts of a side; return whether all are usual."""
        if not self._of[name]:
            self.texts[name] = [""] * self._count
            return True
        first, *others = self._of[name]
        group: Sequence[str] = self.groups[first]
        for other in others:  # only one group has a value in each unit
            group = list(map(add, group, self.groups[other]))
        block = NUL.join(group) if others else self._blocks[first]
        if "\n" in block:
            return False
        texts = list(group)
        inline: list[int] = []
        if "<" in block:
            inline = [k for k, written in enumerate(group) if "<" in written]
            for k in inline:
                texts[k] = ""
            block = NUL.join(texts)
        if self._references and "&" in block:
            plain = unescape(block)
            if "\n" in plain:
                return False
            texts = plain.split(NUL)
        if inline:
            found = read_marked([group[k] for k in inline], self._parse)
            if found is None:
                return False
            for k, (text, xml, odd) in zip(inline, found, strict=True):
                if "\n" in text:
                    return False
                texts[k], self.marked[name][k] = text, xml
                self.faults.extend((k, name, kind, case) for kind, case in odd)
        self.texts[name] = texts
        return True


def shape_of(
    text: str, codes: Sequence[str], further: Collection[str] = (), *, every_language: bool = False
) -> Shape | None:
    """Return the layout of a unit; `None` for an irregular unit.

    `text` is the unit with the white space in front; `codes` are the languages of the source and of
    the target, and `further` other ones, as written. Units of the layout may lack the texts in
    `further` languages, and with `every_language` any text.
    """
    before, mark, rest = text.partition("<tu")
    if not mark or before.strip(" \t\n") or codes[0] == codes[1]:
        return None
    written = _WrittenUnit(codes, further, every_language=every_language)
    if not written.read(mark + rest):
        return None
    parts = [re.escape(before), f"({mark})", *written.parts]
    names = ["<", *written.names]
    own = written.columns
    columns = [*own[""], *written.further, *own["src."], *own["tgt."]]
    fixed = len(before) + written.fixed
    ends = before.count("\n")
    return Shape(
        "".join(parts),
        fixed,
        names,
        (ends, ends + written.ends),
        columns,
        written.optional,
        not every_language and not {*_TEXTS} <= {*names},
    )


class _WrittenUnit(WrittenUnit):
    """A unit as written, translated to an expression tag by tag."""

    def __init__(
        self, codes: Sequence[str], further: Collection[str], *, every_language: bool
    ) -> None:
        super().__init__()
        self._codes, self._further, self._every = codes, further, every_language
        self.further: list[str] = []
        self.optional: dict[str, int] = {}
        # The parts, names and fixed characters before the text that is being read.
        self._before = (0, 0, 0)
        self._plain = False
        self._variants = 0
        self._side = ""
        self._open: list[str] = []
        self._extras: dict[str, list[Extra]] = {side: [] for side in _SIDES}
        self.columns: dict[str, list[str]] = {side: [] for side in _SIDES}

    def read(self, text: str) -> bool:
        """Read all tags; return whether all are usual."""
        at = 0
        for match in _PIECE.finditer(text):
            inside = self._open[-1] if self._open else ""
            if inside == "seg" and match[0] != "</seg>":
                continue  # inline codes
            between = text[at : match.start()]
            at = match.end()
            closes, name, attributes = match.groups()
            if not name:
                return False
            if inside in _LEAVES:
                self.parts.append(_SEGMENT if inside == "seg" else "([^<]*)")
            elif between.strip(" \t\n"):
                return False
            else:
                if name == "tuv" and not closes:
                    self._before = (len(self.parts), len(self.names), self.fixed)
                self.literal(between)
            if closes:
                if name != inside or attributes:
                    return False
                self._open.pop()
                self._side = "" if name == "tuv" else self._side
                self.literal(match[0])
                if name == "tuv" and not self._end_text():
                    return False
            elif inside not in _PARENTS[name] or not self._start(name, attributes):
                return False
            else:
                self._open.append(name)
        whole = at == len(text) and not self._open and len(set(self.names)) == len(self.names)
        texts = sum(name in self.names for name in _TEXTS)
        # Each variant has a text; the parser notes those without a segment.
        whole = whole and texts == self._variants - len(self.further)
        return whole and (texts > 0 or (self._every and self._variants > 0))

    def _end_text(self) -> bool:
        """Make a text that units may lack optional; return whether the text is usual."""
        parts, names, fixed = self._before
        own = self.names[names:]
        further = bool(own) and own[0].startswith(LANGUAGE)
        if not further and not (self._every and self._plain and len(own) == 1):
            return True
        if len(own) > 1:
            return False
        inside = "".join(self.parts[parts:])
        # A text that is there has a character, which tells it from one that is not.
        seg = "([^<]+)" if further else rf"(?=[^<]|<(?!/seg>)){_SEGMENT}"
        inside = inside.replace(_SEGMENT, seg)
        self.parts[parts:] = [f"(?:{inside})?"]
        self.optional[own[0]] = self.fixed - fixed
        self.fixed = fixed
        return True

    def _start(self, name: str, attributes: str) -> bool:
        """Read a start tag; return whether the tag is usual."""
        if len(self.names) > _MOST_VALUES or (name == "tu" and self.names):
            return False
        if name != "tu":
            self.literal(f"<{name}")
        found = _VALUE.findall(attributes)
        values = dict(found)
        if len(values) != len(found):
            return False
        if name == "tuv":
            self._variants += 1
            self._side = self._side_of(values)
            self._plain = len(values) == 1
            if not self._side or (self._side not in _SIDES and not self._plain):
                return False
        for key, value in values.items():
            if key in _FIXED[name]:
                self.literal(f' {key}="{value}"')
            elif name in {"tu", "tuv"} and key not in _NO_COLUMNS and ":" not in key:
                self.literal(f' {key}="')
                self.parts.append(r'([^"<>\n\t]*)')
                self._column(f"{self._side}{key}")
                self.literal('"')
            else:
                return False
        self.literal(">")
        return self._name(name, values)

    def _side_of(self, values: dict[str, str]) -> str:
        lang = values.get("xml:lang") or values.get("lang", "")
        if len(values.keys() & {"xml:lang", "lang"}) != 1 or not lang:
            return ""
        if lang not in self._codes:
            return f"{LANGUAGE}{lang}" if lang in self._further else ""
        return ("src.", "tgt.")[self._codes.index(lang)]

    def _name(self, name: str, values: dict[str, str]) -> bool:
        """Name the value after a start tag; return whether the tag is usual."""
        if name == "seg":
            if self._side in _SIDES:
                self.names.append(f"<{self._side[:3]}")
            else:
                self.names.append(self._side)
                self.further.append(self._side)
            return bool(self._side) and not values
        if name in {"prop", "note"}:
            if self._side not in _SIDES:
                return False
            if values.keys() - {"type"} or "&" in values.get("type", ""):
                return False
            if name == "prop" and not self._side and values.get("type") == SCORE:
                self.names.append("<score")
                return True
            extras = self._extras[self._side]
            extras.append(Extra(name, values.get("type", "") if name == "prop" else "", "", {}))
            *_, (column, _) = columns_of(self._side, extras)
            if column.startswith(LANGUAGE):  # a column, and no text in that language
                return False
            self._column(column)
            return name == "prop" or not values
        return True

    def _column(self, name: str) -> None:
        self.names.append(name)
        self.columns[self._side].append(name)


# The file, piece by piece: by the layouts known so far, by layouts learnt from the piece, or by the
# parser. A usual opening and a plain first unit are read without the parser, so that a regular file
# needs no import of lxml.

_END = re.compile(r"\s*</body\s*>\s*</tmx\s*>\s*", re.ASCII)
_SIZE = 1 << 16  # bytes per piece; set by hand: larger pieces are not faster
_UNIT = "</tu>"
_TRIALS = 12  # pieces from which layouts are learnt; set by hand
# Layouts of a file after which no more are learnt: with texts in both languages, and in one; set by
# hand.
_SHAPES, _LONE_SHAPES = 8, 4
_CLOSING = b"</body></tmx>"

_QUOTED = r"(?:\"[^\"<]*\"|'[^'<]*')"
_GIVEN = rf"((?:[ \t\n]+[A-Za-z:-]+={_QUOTED})*)[ \t\n]*"
_OPENING = re.compile(
    r"(?:<\?xml version=[\"']1\.0[\"'](?: encoding=[\"'][A-Za-z][A-Za-z0-9._-]*[\"'])?"
    r"(?: standalone=[\"'](?:yes|no)[\"'])?[ \t\n]*\?>)?[ \t\n]*"
    rf"(?:<!DOCTYPE[ \t\n]+tmx(?:[ \t\n]+SYSTEM[ \t\n]+{_QUOTED})?[ \t\n]*>)?[ \t\n]*"
    rf"<tmx{_GIVEN}>[ \t\n]*"
    rf"(?:(<header){_GIVEN}(?:/>|>[ \t\n]*</header>)[ \t\n]*)?<body>"
)
_TU = re.compile(r"<tu((?: [a-z:-]+=\"[^\"<>&]*\")*)>")
_TUV_LANG = re.compile(r"<tuv(?: [a-z:-]+=\"[^\"<>]*\")*? (?:xml:)?lang=\"([^\"<>&\s]+)\"[^<>]*>")
_NOT_PLAIN = re.compile(r"<seg>[^<]*(?:\n|&#|<(?!/))")


def read(source: Source, options: ReadOptions) -> Iterator[Bitext]:
    """Yield the bitexts of a TMX file."""
    reader = UnitReader(source)
    is_placed = has_places(source)
    pieces = Pieces(source, b"</tu>", size=_SIZE)
    header = _regular_header(pieces, reader)
    sides = None
    if header is not None:
        sides = BeadCollector(source, options, header, is_placed=is_placed)
        regular = _Regular(source, options, reader, sides, pieces)
        for piece in pieces:
            if regular.ended or not (yield from regular.take(piece)):
                break
        else:
            if regular.ended and pieces.regular:
                yield from sides.rest()
                return
    header = header or Header()
    events = pieces.rest(
        start=WANTED["start"],
        end=WANTED["end"],
        parents=PARENTS,
        on_other=lambda element, line: note_foreign(source, local_name(element), line),
    )
    for unit in read_units(source, reader, events, header, again=sides is not None):
        sides = sides or BeadCollector(source, options, header, is_placed=is_placed)
        yield from sides.add(unit)
    sides = sides or BeadCollector(source, options, header, is_placed=is_placed)
    yield from sides.rest()


def _regular_header(pieces: Pieces, reader: UnitReader) -> Header | None:
    """Read the file up to the units; return `None` where it is irregular."""
    opening = pieces.opening(b"<body>")
    if opening is None:
        return None
    header = _written_header(opening.text)
    if header is not None:
        return header
    body = _body(pieces)
    if body is None:
        return None
    header, root = Header(), body.getparent()
    for child in body.itersiblings(preceding=True):
        reader.read_header(child, line_of(child) or 0, header)
    header.version = str(root.get("version", "")) if root is not None else ""
    return header


def _body(pieces: Pieces) -> Element | None:
    """Return the body of the last piece; `None` if the body contains more than units."""
    root = pieces.parsed(_CLOSING)
    if root is None or root.tag != "tmx" or root[-1].tag != "body":
        return None
    around = [root.text, *(child.tail for child in root)]
    regular = len(root) == 1 or (len(root) == 2 and root[0].tag == "header")
    if not regular or any(text and text.strip() for text in around):
        return None
    return root[-1] if all(element.tag == "tu" for element in root[-1]) else None


def _written_header(opening: str) -> Header | None:
    """Read a usual opening without the parser."""
    match = _OPENING.fullmatch(opening)
    if match is None:
        return None
    root, there, own = match.groups()
    attributes = _regular_attributes(root)
    if attributes is None:
        return None
    header = Header(version=attributes.get("version", ""))
    if there:
        given = _regular_attributes(own)
        if given is None:
            return None
        header.attributes, header.there = given, True
    return header


def _regular_attributes(written: str) -> dict[str, str] | None:
    found = attributes_of(written)
    if found is None or len(found) > _MOST_VALUES or "xmlns" in found:
        return None
    if any(":" in name and name != "xml:lang" for name in found):
        return None
    return found


class _Regular:
    """Reads the regular pieces of a file by the layouts of its units, which it learns.

    `ended` is true once the file has ended.
    """

    def __init__(
        self,
        source: Source,
        options: ReadOptions,
        reader: UnitReader,
        sides: BeadCollector,
        pieces: Pieces,
    ) -> None:
        self._source, self._options, self._reader = source, options, reader
        self._sides, self._pieces = sides, pieces
        self._shapes: Layouts[Shape] = Layouts()
        self._codes: Sequence[str] = ()  # the languages of the learnt layouts
        self._trials = 0
        self.ended = False

    def take(self, piece: Piece) -> Generator[Bitext, None, bool]:
        """Yield the bitexts that a piece completes; return whether the piece was regular."""
        units = self._by_shape(piece)
        if units is None and self._learn(piece):
            units = self._by_shape(piece)
        if units is not None:
            yield from self._add(piece, units)
            return True
        if _END.fullmatch(piece.text):
            self.ended = True
            return True
        body = _body(self._pieces)
        if body is None:
            return False
        before = self._pieces.lines_before
        for element in body:
            unit = self._reader.unit(element, (line_of(element) or 0) + before)
            if unit is not None:
                yield from self._sides.add(unit)
        return True

    def _by_shape(self, piece: Piece) -> _Units | None:
        """Return the units of a piece; `None` for an irregular piece."""
        if self._sides.begun and self._codes != self._sides.languages.codes:
            return None
        units = self._matched(piece)
        if units is not None and self._options.lines:
            units.lines = self._lines(piece, units)
            if len(units.lines) != len(units):
                return None
        if units is None or self._sides.begun:
            return units
        first = self._first_unit(piece)
        if first is None:
            return None
        self._sides.begin(first)
        return units

    def _matched(self, piece: Piece) -> _Units | None:
        """Match all units of a piece; return `None` if the layout of one is unknown."""
        matches = self._shapes.match(piece.text)
        if matches is None:
            return None
        size = matches.size
        units = _Units(matches, self._reader.marked, references=piece.references)
        for number, shape in enumerate(self._shapes):
            if not matches.counts[number]:
                continue
            if not units.read(shape.names, number):
                return None
            for group, name in enumerate(shape.names, matches.begins[number]):
                if name in shape.optional:
                    size += sum(map(bool, matches.groups[group])) * shape.optional[name]
        if size != len(piece.text) or not all(map(units.settle, _TEXTS)):
            return None
        return units if units.leave_out_missing([*self._shapes]) else None

    def _lines(self, piece: Piece, units: _Units) -> list[int]:
        """Return the line on which each unit of a piece begins."""
        # Without line ends in values, the layout of a unit tells how many it has.
        if units.has_line_ends() or any(shape.optional for shape in self._shapes):
            return lines_of_units(piece, _BEGIN)
        return self._shapes.lines(piece, units.matches)

    def _add(self, piece: Piece, units: _Units) -> Iterator[Bitext]:
        """Add the units of a piece; yield the bitexts that they complete.

        With lines, a part has the bisegments and the notes that it has where each unit is parsed,
        so that a check reports the same; without, its last piece is added whole.
        """
        beads, every = self._sides.beads, range(len(units))
        names = dict.fromkeys(name for shape in self._shapes for name in shape.columns)
        for which in [every] if units.lines is None else in_parts(every, beads, self._options):
            if units.lines is not None:
                beads.line = units.lines[which[-1]]
            self._note_faults(piece, units, which)
            units.add(which, beads, names)
            yield from beads.parts()

    def _note_faults(self, piece: Piece, units: _Units, which: range) -> None:
        """Note the faults of segments, and units that lack a text, with the first of each kind."""
        placed = [
            (unit, 0, self._group(units, unit, name), kind, f": {case}")
            for unit, name, kind, case in units.faults
            if unit in which
        ]
        lone = [unit for unit in units.lone if unit in which]
        placed += [(unit, 1, self._group(units, unit, "<"), LONE, "") for unit in lone]
        noted = {note.kind for note in self._source.notes.all()} if placed else set()
        for unit, _, group, kind, case in sorted(placed, key=itemgetter(0, 1, 2)):
            line = 0
            if kind not in noted:
                noted.add(kind)
                found = next(islice(self._shapes.pattern.finditer(piece.text), unit, None))
                line = piece.line + piece.text.count("\n", 0, found.start(group + 1))
            self._source.notes.add(kind, f"{self._source.path} line {line}{case}")

    def _group(self, units: _Units, unit: int, name: str) -> int:
        """Return the number of the group with that name of a unit."""
        for shape, begin in zip(self._shapes, units.matches.begins, strict=True):
            if units.groups[begin][unit]:
                return begin + shape.names.index(name)
        return 0

    def _learn(self, piece: Piece) -> bool:
        """Add the unknown layouts of a piece; return whether any was added."""
        if self._trials >= _TRIALS:
            return False
        codes: Sequence[str] | None = None
        if self._sides.plain and self._sides.languages.are_settled:
            codes = self._sides.languages.codes
        elif not self._sides.begun and (first := self._first_unit(piece)):
            codes = self._sides.foreseen(first)
        if codes is None or not all(codes):
            return False
        self._codes = list(codes)
        self._trials += 1
        known = len(self._shapes)
        named = [f'lang="{code}"' for code in codes]
        for text in piece.text.split(_UNIT)[:-1]:
            # If every unit has a layout of its own, to read each takes longer than the parser:
            # one for which there is no room is recognised by its languages.
            lone = not all(name in text for name in named)
            if self._has_room(lone=lone) and not self._shapes.fits(text + _UNIT):
                shape = shape_of(
                    text + _UNIT,
                    codes,
                    self._sides.languages.further,
                    every_language=self._options.every_language,
                )
                if shape is not None and self._has_room(lone=shape.lacks):
                    self._shapes.add(shape)
        return len(self._shapes) > known

    def _has_room(self, *, lone: bool | None = None) -> bool:
        """Check whether another layout may be learnt: with one language if `lone`, or any."""
        lacking = sum(shape.lacks for shape in self._shapes)
        room = [lacking < _LONE_SHAPES] * (lone is not False)
        room += [len(self._shapes) - lacking < _SHAPES] * (not lone)
        return any(room)

    def _first_unit(self, piece: Piece) -> Unit | None:
        """Return the first unit of a piece with its languages only, if the unit is plain."""
        text, end, _ = piece.text.partition(_UNIT)
        begin = _TU.search(text)
        langs = _TUV_LANG.findall(text)
        plain = not (_NOT_PLAIN.search(text) or self._sides.is_placed or NAME in text)
        if not end or begin is None or len(langs) != 2 or not plain:
            return None
        line = piece.line + text.count("\n", 0, begin.start())
        attributes = dict(_VALUE.findall(begin[1]))
        return Unit(line, attributes, [], [Variant(lang, line, {}) for lang in langs])
