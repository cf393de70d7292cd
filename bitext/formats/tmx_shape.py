"""Units of one shape, read many at once.

Machines write all units of a file alike: the same tags with the same attributes in the same order
and the same white space between them. The shape of one unit gives an expression that finds the
values of the others. That they are all of a piece is certain when the lengths of what was found
and of what stands between add up to its length.
"""

from __future__ import annotations

import re
from math import isnan
from typing import TYPE_CHECKING

from bitext.formats.lines import score_of
from bitext.formats.marks_quick import read_marked
from bitext.formats.regular import unescape
from bitext.formats.tmx_columns import SCORE, columns_of
from bitext.formats.tmx_units import Extra

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitext.formats.inline import Beads
    from bitext.formats.regular import Piece
    from bitext.formats.tmx_sides import Sides
    from bitext.formats.tmx_units import Unit

__all__ = ["Shape", "shape_of"]

_NUL = "\0"
_SEGMENT = r"([^<]*(?:<(?!/seg>)[^<]*)*)"
_PIECE = re.compile(r"<(/?)(tu|tuv|seg|prop|note)((?: [a-z:-]+=\"[^\"<>]*\")*)>|<|>")
_VALUE = re.compile(r" ([a-z:-]+)=\"([^\"<>]*)\"")
_FIXED = {"xml:lang", "lang", "type"}


class Shape:
    """The shape of a unit of two texts, and what its values are.

    Parameters
    ----------
    expression : str
        Finds a unit; its groups are the values.
    fixed : int
        The number of characters of a unit that are in no group.
    names : sequence of str
        What each group is: `<src`, `<tgt` for the texts, `<score`, or the name of a column.
    constants : sequence of (str, str)
        Columns whose value is part of the shape.
    beads : Beads
        Takes the bisegments.

    """

    def __init__(self, expression: str, fixed: int, names: Sequence[str], beads: Beads) -> None:
        self._find = re.compile(expression).findall
        self._fixed, self._names, self._beads = fixed, names, beads

    def take(self, piece: Piece) -> bool:
        """Take all units of a piece, or none if one of them is of another shape."""
        found = self._find(piece.text)
        if not found:
            return False
        groups = list(zip(*found, strict=True))
        blocks = [_NUL.join(group) for group in groups]
        size = sum(map(len, blocks)) - len(blocks) * (len(found) - 1)
        if size + self._fixed * len(found) != len(piece.text):
            return False
        columns: dict[str, list[str]] = {}
        marked: dict[str, dict[int, str]] = {"<src": {}, "<tgt": {}}
        for name, group, block in zip(self._names, groups, blocks, strict=True):
            if name not in marked:
                columns[name] = _unescaped(block) if piece.references else list(group)
                continue
            texts = _texts(list(group), block, marked[name], references=piece.references)
            if texts is None:
                return False
            columns[name] = texts
        scores = _scores(columns.pop("<score", None))
        if scores is not None and len(scores) != len(found):
            return False
        src, tgt = columns.pop("<src"), columns.pop("<tgt")
        both = (marked["<src"], marked["<tgt"])
        self._beads.extend(
            src,
            tgt,
            scores=scores,
            attributes=columns,
            marked=both if any(both) else None,
        )
        return True


def _unescaped(block: str) -> list[str]:
    return unescape(block).split(_NUL)


def _texts(
    group: list[str], block: str, marked: dict[int, str], *, references: bool
) -> list[str] | None:
    """Return the texts of segments, `None` where something in them is to be looked at."""
    if "\n" in block:
        return None
    if "<" not in block:
        texts = _unescaped(block) if references and "&" in block else group
    else:
        inline = [k for k, written in enumerate(group) if "<" in written]
        found = read_marked([group[k] for k in inline])
        if found is None:
            return None
        for k, (_, xml) in zip(inline, found, strict=True):
            group[k] = ""
            marked[k] = xml
        if references:
            group = _unescaped(_NUL.join(group))
        for k, (text, _) in zip(inline, found, strict=True):
            group[k] = text
        texts = group
    return None if references and "&#" in block and "\n" in _NUL.join(texts) else texts


def _scores(spelled: list[str] | None) -> list[float] | None:
    """Return the scores; too few where one is none."""
    if spelled is None:
        return None
    return [score for score in map(score_of, spelled) if score is not None and not isnan(score)]


def shape_of(text: str, unit: Unit, sides: Sides) -> Shape | None:
    """Return the shape of the last unit in a text, `None` where it is not regular enough."""
    begin = text.rfind("<tu>")
    begin = max(begin, text.rfind("<tu "))
    before = text[:begin].rpartition(">")[2]
    if begin < 0 or before.strip(" \t\n") or not _is_common(unit, sides):
        return None
    written = _Written(sides)
    if not written.read(text[begin:]):
        return None
    expression = re.escape(before) + "".join(written.parts)
    return Shape(expression, len(before) + written.fixed, written.names, sides.beads)


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
