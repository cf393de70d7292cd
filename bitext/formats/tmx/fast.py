"""Units of one shape, read many at once.

Machines write all units of a file alike: the same tags with the same attributes in the same order
and the same white space between them. The shape of one unit gives an expression that finds the
values of the others. That they are all of a piece is certain when the lengths of what was found
and of what stands between add up to its length.
"""

from __future__ import annotations

import re
from itertools import islice
from math import isnan, nan
from operator import add, itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from bitext.formats.columns import score_of
from bitext.formats.tmx.columns import SCORE, columns_of
from bitext.formats.tmx.reading import Sides
from bitext.formats.tmx.units import Builder, Extra, Header, header_of, tokens_of, units_of
from bitext.formats.xml.fast import Pieces
from bitext.formats.xml.inline_codes import read_marked
from bitext.formats.xml.text import unescape

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Sequence

    from bitext.formats.beads import Beads
    from bitext.formats.io.source import Source
    from bitext.formats.registry import ReadOptions
    from bitext.formats.tmx.units import Unit
    from bitext.formats.xml.fast import Piece
    from bitext.model import Bitext

__all__ = ["Shape", "Shapes", "read", "shape_of"]


Value = TypeVar("Value")

_MOST_VALUES = 100  # of a unit of a shape: to name each goes through those before it
_NUL = "\0"
_SEGMENT = r"([^<]*(?:<(?!/seg>)[^<]*)*)"
_PIECE = re.compile(r"<(/?)(tu|tuv|seg|prop|note)((?: [a-z:-]+=\"[^\"<>]*\")*)>|<|>")
_VALUE = re.compile(r" ([a-z:-]+)=\"([^\"<>]*)\"")
_FIXED = {"xml:lang", "lang", "type"}


class Shape(NamedTuple):
    """The shape of a unit of two texts.

    Attributes
    ----------
    expression : str
        Finds a unit; its groups are the values, after one that is never empty.
    fixed : int
        The number of characters of a unit that are in no group.
    names : sequence of str
        What each group is: `<src`, `<tgt` for the texts, `<score`, or the name of a column; of
        the first, `<`.

    """

    expression: str
    fixed: int
    names: Sequence[str]


class Shapes:
    """Some shapes that the units of a file have.

    Parameters
    ----------
    source : Source
        Takes notes.
    beads : Beads
        Takes the bisegments.

    """

    def __init__(self, source: Source, beads: Beads) -> None:
        self._source, self._beads = source, beads
        self._shapes: list[Shape] = []
        self._pattern = re.compile("(?!)")

    def __len__(self) -> int:
        return len(self._shapes)

    def add(self, shape: Shape) -> None:
        """Add a shape that those known do not have."""
        self._shapes.append(shape)
        self._pattern = re.compile("|".join(known.expression for known in self._shapes))

    def fits(self, unit: str) -> bool:
        """Tell whether a unit, with the white space before it, is of a shape that is known."""
        return self._pattern.fullmatch(unit) is not None

    def take(self, piece: Piece) -> bool:
        """Take all units of a piece, or none if one of them is of another shape."""
        found = self._pattern.findall(piece.text) if self._shapes else []
        if not found:
            return False
        groups = list(zip(*found, strict=True))
        blocks = [_NUL.join(group) for group in groups]
        size = sum(map(len, blocks)) - len(blocks) * (len(found) - 1)
        units = _Units(groups, blocks, references=piece.references)
        at = 0
        for shape in self._shapes:
            begin, at = at, at + len(shape.names)
            many = blocks[begin].count("<")
            size += many * shape.fixed
            if many and not units.read(shape.names, begin, many):
                return False
        if size != len(piece.text) or not all(map(units.settle, units.texts)):
            return False
        self._tell(piece, groups, units.odd)
        self._beads.extend(
            units.texts["<src"],
            units.texts["<tgt"],
            scores=units.scores,
            attributes=units.columns,
            marked=(units.marked["<src"], units.marked["<tgt"]),
        )
        return True

    def _tell(
        self,
        piece: Piece,
        groups: Sequence[tuple[str, ...]],
        odd: list[tuple[int, str, str, str]],
    ) -> None:
        """Note what is odd in segments, with the line of the first of each kind."""
        if not odd:
            return
        told = {note.kind for note in self._source.notes.all()}
        placed = [
            (unit, self._group(groups, unit, name), kind, case) for unit, name, kind, case in odd
        ]
        for unit, group, kind, case in sorted(placed, key=itemgetter(0, 1)):
            line = 0
            if kind not in told:
                told.add(kind)
                found = next(islice(self._pattern.finditer(piece.text), unit, None))
                line = piece.line + piece.text.count("\n", 0, found.start(group + 1))
            self._source.notes.add(kind, f"{self._source.path} line {line}: {case}")

    def _group(self, groups: Sequence[tuple[str, ...]], unit: int, name: str) -> int:
        """Return the number of the group that a text of a unit is."""
        at = 0
        for shape in self._shapes:
            if groups[at][unit]:
                return at + shape.names.index(name)
            at += len(shape.names)
        return 0


class _Units:
    """The values of the units of a piece.

    Parameters
    ----------
    groups : sequence of tuple of str
        The values of each group, of all units; empty where a unit is of another shape.
    blocks : sequence of str
        The same, joined by NUL.
    references : bool
        Whether there are references in them.

    """

    def __init__(
        self, groups: Sequence[tuple[str, ...]], blocks: Sequence[str], *, references: bool
    ) -> None:
        self._groups, self._blocks, self._references = groups, blocks, references
        self._count = len(groups[0])
        self._of: dict[str, list[int]] = {"<src": [], "<tgt": []}  # the groups of the texts
        self.texts: dict[str, list[str]] = {"<src": [], "<tgt": []}
        self.marked: dict[str, dict[int, str]] = {"<src": {}, "<tgt": {}}
        self.scores: list[float] | None = None
        self.columns: dict[str, Sequence[str | None]] = {}
        self.odd: list[tuple[int, str, str, str]] = []  # unit, side, kind, case

    def read(self, names: Sequence[str], begin: int, many: int) -> bool:
        """Take the values of the units of one shape; tell whether all are as usual.

        `begin` is the number of its first group, which tells which `many` units those are.
        """
        which: list[int] | None = None
        if many < self._count and len(names) > 3:
            which = [k for k, mark in enumerate(self._groups[begin]) if mark]
        for number, name in enumerate(names[1:], begin + 1):
            if name in self.texts:
                self._of[name].append(number)
                continue
            group = self._groups[number]
            values = list(group) if which is None else [group[k] for k in which]
            if self._references and "&" in self._blocks[number]:
                values = unescape(_NUL.join(values)).split(_NUL)
            if name != "<score":
                among = self.columns.get(name) or [None] * self._count
                self.columns[name] = _placed(values, which, among)
                continue
            scores = [score_of(spelled) for spelled in values]
            known = [score for score in scores if score is not None and not isnan(score)]
            if len(known) < len(values):
                return False
            self.scores = _placed(known, which, self.scores or [nan] * self._count)
        return True

    def settle(self, name: str) -> bool:
        """Make the texts of a side; tell whether nothing in them is to be looked at."""
        first, *others = self._of[name]
        group: Sequence[str] = self._groups[first]
        for other in others:  # where one has a value, the others are empty
            group = list(map(add, group, self._groups[other]))
        block = _NUL.join(group) if others else self._blocks[first]
        if "\n" in block:
            return False
        texts = list(group)
        inline: list[int] = []
        if "<" in block:
            inline = [k for k, written in enumerate(group) if "<" in written]
            for k in inline:
                texts[k] = ""
            block = _NUL.join(texts)
        if self._references and "&" in block:
            plain = unescape(block)
            if "\n" in plain:
                return False
            texts = plain.split(_NUL)
        if inline:
            found = read_marked([group[k] for k in inline])
            if found is None:
                return False
            for k, (text, xml, odd) in zip(inline, found, strict=True):
                if "\n" in text:
                    return False
                texts[k], self.marked[name][k] = text, xml
                self.odd.extend((k, name, kind, case) for kind, case in odd)
        self.texts[name] = texts
        return True


def _placed(
    values: list[Value], which: list[int] | None, among: Sequence[Value | None]
) -> list[Any]:
    """Put values where they belong; `which` tells where, `None` that they are all."""
    if which is None:
        return values
    whole = list(among)
    for k, value in zip(which, values, strict=True):
        whole[k] = value
    return whole


def shape_of(text: str, unit: Unit, sides: Sides) -> Shape | None:
    """Return the shape of a unit, `None` where it is not regular enough.

    The text is that of the unit, with the white space before it.
    """
    before, mark, rest = text.partition("<tu")
    if not mark or before.strip(" \t\n") or not _is_common(unit, sides):
        return None
    written = _Written(sides)
    if not written.read(mark + rest):
        return None
    parts = [re.escape(before), f"({mark})", *written.parts]
    return Shape("".join(parts), len(before) + written.fixed, ["<", *written.names])


def _is_common(unit: Unit, sides: Sides) -> bool:
    """Tell whether a unit has one text a side, each of one segment, of the language of the file."""
    codes = [variant.lang for variant in unit.variants]
    if sides.languages.same or sorted(codes) != sorted(sides.languages.codes):
        return False
    return all(len(variant.segments) == 1 for variant in unit.variants)


class _Written:
    """A unit as it is written, made an expression tag by tag."""

    def __init__(self, sides: Sides) -> None:
        self._sides = sides
        self.parts: list[str] = []
        self.names: list[str] = []
        self.fixed = 0
        self._side = ""
        self._extras: dict[str, list[Extra]] = {"": [], "src.": [], "tgt.": []}

    def read(self, text: str) -> bool:
        """Read all tags; tell whether they are as usual."""
        at, inside = 0, ""
        for found in _PIECE.finditer(text):
            if inside == "seg" and found[0] != "</seg>":
                continue  # marks
            between = text[at : found.start()]
            at = found.end()
            if not found[2]:
                return False
            if inside:
                if found[1] != "/" or found[2] != inside:
                    return False
                self.parts.append(_SEGMENT if inside == "seg" else "([^<]*)")
            elif between.strip(" \t\n"):
                return False
            else:
                self._literal(between)
            if found[1]:
                inside = ""
                self._side = "" if found[2] == "tuv" else self._side
                self._literal(found[0])
            elif not self._start(found[2], found[3]):
                return False
            else:
                inside = found[2] if found[2] in {"seg", "prop", "note"} else ""
        return at == len(text) and len(set(self.names)) == len(self.names)

    def _start(self, name: str, attributes: str) -> bool:
        """Take a start tag; tell whether it is as usual."""
        if len(self.names) > _MOST_VALUES:
            return False
        if name != "tu":
            self._literal(f"<{name}")
        values = dict(_VALUE.findall(attributes))
        if name == "tuv":
            self._side = self._side_of(values)
            if not self._side:
                return False
        for key, value in values.items():
            if key in _FIXED and name != "tu":
                self._literal(f' {key}="{value}"')
            elif name in {"tu", "tuv"} and key not in _FIXED and ":" not in key:
                self._literal(f' {key}="')
                self.parts.append(r'([^"<>\n\t]*)')
                self.names.append(f"{self._side}{key}")
                self._literal('"')
            else:
                return False
        self._literal(">")
        return self._name(name, values)

    def _side_of(self, values: dict[str, str]) -> str:
        codes = self._sides.languages.codes
        lang = values.get("xml:lang") or values.get("lang", "")
        if len(values.keys() & {"xml:lang", "lang"}) != 1 or lang not in codes:
            return ""
        return ("src.", "tgt.")[codes.index(lang)]

    def _name(self, name: str, values: dict[str, str]) -> bool:
        """Name the value that follows a start tag; tell whether it is as usual."""
        if name == "seg":
            self.names.append(f"<{self._side[:3]}")
            return bool(self._side) and not values
        if name in {"prop", "note"}:
            if values.keys() - {"type"} or "&" in values.get("type", ""):
                return False
            if name == "prop" and not self._side and values.get("type") == SCORE:
                self.names.append("<score")
                return True
            extras = self._extras[self._side]
            extras.append(Extra(name, values.get("type", "") if name == "prop" else "", "", {}))
            *_, (column, _) = columns_of(self._side, extras)
            self.names.append(column)
            return name == "prop" or not values
        return True

    def _literal(self, text: str) -> None:
        self.parts.append(re.escape(text))
        self.fixed += len(text)


# Reading TMX: pieces of regular files by expressions, what is left by a parser.
#
# A piece is read by the shape of the units before it, with one expression for all its units (see
# `tmx_shape`); else tag by tag (`tmx_tokens`); else it and all behind it go to the parser.

_END = re.compile(r"\s*</body\s*>\s*</tmx\s*>\s*", re.ASCII)
_SIZE = 1 << 16  # bytes of a piece: more is not faster
_UNIT = "</tu>"
_TRIALS = 12  # pieces to learn from, after which shapes are known or there are none
_SHAPES = 8


def read(source: Source, options: ReadOptions, *, quick: bool = True) -> Iterator[Bitext]:
    """Yield the bitexts of a TMX file; not `quick` is by the parser only."""
    builder = Builder(source)
    pieces = Pieces(source, b"</tu>", size=_SIZE)
    opening = pieces.opening(b"<body>") if quick else None
    found = header_of(opening.text) if opening else None
    header, sides = Header(), None
    if found is not None:
        version, tokens = found
        if tokens:
            header = builder.header(tokens)
        header.version = version
        sides = Sides(source, options, header)
        reader = _Regular(source, options, builder, sides)
        for piece in pieces:
            if reader.ended or not (yield from reader.take(piece)):
                break
        else:
            if reader.ended and pieces.regular:
                yield from sides.rest()
                return
    from bitext.formats.tmx.units import PARENTS, WANTED, foreign, read_elements
    from bitext.formats.xml.safe import local_name

    events = pieces.rest(
        start=WANTED["start"],
        end=WANTED["end"],
        parents=PARENTS,
        on_other=lambda element, line: foreign(source, local_name(element), line),
    )
    for unit in read_elements(source, builder, events, header, again=sides is not None):
        sides = sides or Sides(source, options, header)
        yield from sides.add(unit)
    sides = sides or Sides(source, options, header)
    yield from sides.rest()


class _Regular:
    """Reads regular pieces of a file."""

    def __init__(
        self, source: Source, options: ReadOptions, builder: Builder, sides: Sides
    ) -> None:
        self._source, self._options = source, options
        self._builder, self._sides = builder, sides
        self._shapes = Shapes(source, sides.beads)
        self._trials = 0
        self.ended = False

    def take(self, piece: Piece) -> Generator[Bitext, None, bool]:
        """Yield bitexts of a piece as they are whole; return whether it could be read."""
        if self._shapes.take(piece):
            yield from self._sides.beads.parts()
            return True
        if _END.fullmatch(piece.text):
            self.ended = True
            return True
        tokens = tokens_of(piece.text, piece.line)
        units = None if tokens is None else units_of(tokens)
        if units is None:
            return False
        made: list[Unit | None] = []
        for part in units:
            made.append(self._builder.unit(part))
            unit = made[-1]
            if unit is not None:
                yield from self._sides.add(unit)
        if self._sides.plain and not self._options.lines:
            self._learn(piece, made)
        return True

    def _learn(self, piece: Piece, units: list[Unit | None]) -> None:
        """Take the shapes of units that are of none of those known, for the pieces to come."""
        written = piece.text.split(_UNIT)
        if self._trials >= _TRIALS or len(written) != len(units) + 1:
            return
        self._trials += 1
        for text, unit in zip(written[:-1], units, strict=True):
            if len(self._shapes) >= _SHAPES:
                return
            if unit is not None and not self._shapes.fits(text + _UNIT):
                shape = shape_of(text + _UNIT, unit, self._sides)
                if shape is not None:
                    self._shapes.add(shape)
