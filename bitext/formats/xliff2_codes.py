"""Segments with their marks as XLIFF 2 writes them; the table is that of `xliff2_sides`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bitext.formats.forbidden import FORBIDDEN
from bitext.formats.marks import pieces, tag
from bitext.formats.xliff2_sides import NAMES, OURS, SPAN, XML
from bitext.formats.xliff_flow import token
from bitext.formats.xliff_marks import Ids, nested, pairs
from bitext.formats.xml_escapes import escape

if TYPE_CHECKING:
    from bitext.formats.marks import Piece

__all__ = ["Codes", "characters"]

_TYPES = frozenset({"fmt", "ui", "quote", "link", "image", "other"})
_SUBTYPE = re.compile(r"(?!bitext:)[^\s:/]+:[^\s:/]+")
_KNOWN = frozenset(NAMES.values())
_TOKEN = re.compile(r"(?!bitext\.)[A-Za-z0-9_.-]+")


def characters(text: str) -> str:
    r"""Return a text as it stands between tags; characters that XML forbids are told by `cp`.

    Examples
    --------
    >>> characters("R&D\x0b")
    'R&amp;D<cp hex="000B"/>'

    """
    return FORBIDDEN.sub(lambda found: f'<cp hex="{ord(found[0]):04X}"/>', escape(text))


class Codes:
    """Writes the inline elements of a unit: those of the source, and after `turn` of the target.

    Attributes
    ----------
    ids : Ids
        Those of the side that is written.

    """

    def __init__(self) -> None:
        self.ids = Ids(unique=True)
        self._data: dict[tuple[str, bool], str] = {}

    def reserve(self, name: str | None) -> str:
        """Return the id of a segment, which no inline element may have; empty if it cannot be."""
        if not name or not _TOKEN.fullmatch(name):
            return ""
        return name if self.ids.reserve(name) else ""

    def turn(self) -> None:
        """Go on with the target, whose elements may have the ids of those of the source."""
        self.ids = self.ids.other_side()

    def original_data(self) -> str:
        """Return the native code of the unit, that of each code once."""
        if not self._data:
            return ""
        parts = [
            f'<data id="{name}">{characters(text)}</data>' for (text, _), name in self._data.items()
        ]
        return f"<originalData>{''.join(parts)}</originalData>"

    def inline(self, marked: str) -> str:
        """Return a segment with its marks."""
        found = list(pieces(marked))
        paired = pairs(found)
        elements = nested(found, paired)
        names: dict[int, str] = {}  # the id of each pair, by the place of its end
        parts: list[str] = []
        for k, piece in enumerate(found):
            if piece.kind == "text":
                parts.append(characters(piece.text))
            elif piece.kind == "hi":
                told = {"id": self.ids.give(piece.attributes.get("x"))}
                parts.append(tag("mrk", told | _annotation(piece.attributes.get("type", ""))))
            elif piece.kind == "/hi":
                parts.append("</mrk>")
            elif k not in paired:
                parts.append(self._alone(piece))
            elif piece.kind == "bpt":
                end = paired[k]
                names[end] = self._pair_id(piece, len(names) + 1)
                other = found[end] if k in elements else None
                parts.append(self._opening(piece, names[end], other))
            else:
                begin = found[paired[k]]
                parts.append(self._closing(piece, names[k], begin, element=k in elements))
        return "".join(parts)

    def _pair_id(self, piece: Piece, count: int) -> str:
        """Return the id of a pair; pairs are numbered in the order in which they open."""
        i = piece.attributes.get("i", "")
        told = i if i.isascii() and i.isdigit() and i != str(count) else ""
        return self.ids.give(piece.attributes.get("x"), told)

    def _opening(self, piece: Piece, name: str, other: Piece | None) -> str:
        """Return the beginning of a pair; `other` is its end, where both are one element."""
        kind = piece.attributes.get("type", "")
        if _is_span(piece):
            annotation = _annotation(kind.removeprefix(SPAN).removeprefix("/"))
            return tag("sm", {"id": name} | annotation, empty=True)
        if other is None:
            told = {"id": name} | self._reference(piece, "dataRef") | _type(kind)
            return tag("sc", told, empty=True)
        told = self._reference(piece, "dataRefStart") | self._reference(other, "dataRefEnd")
        return tag("pc", {"id": name} | told | _type(kind))

    def _closing(self, piece: Piece, name: str, begin: Piece, *, element: bool) -> str:
        if _is_span(begin):
            return tag("em", {"startRef": name}, empty=True)
        if element:
            return "</pc>"
        return tag("ec", {"startRef": name} | self._reference(piece, "dataRef"), empty=True)

    def _alone(self, piece: Piece) -> str:
        attributes = piece.attributes
        assoc = attributes.get("assoc", "") if piece.kind == "ph" else ""
        told = assoc if re.fullmatch(r"\w+", assoc, re.ASCII) else ""
        found = {"id": self.ids.give(attributes.get("x"), told)}
        name = "ph"
        if piece.kind != "ph":
            pos = attributes.get("pos") or {"ept": "end"}.get(piece.kind, "begin")
            name = "ec" if pos == "end" else "sc"
            found["isolated"] = "yes"
        found |= self._reference(piece, "dataRef") | _type(attributes.get("type", ""))
        return tag(name, found, empty=True)

    def _reference(self, piece: Piece, name: str) -> dict[str, str]:
        """Return the reference to the native code of a code, which is kept once."""
        if not (piece.text or piece.inner):
            return {}
        key = (piece.inner or piece.text, bool(piece.inner))
        number = len(self._data) + 1
        return {name: self._data.setdefault(key, f"{XML if piece.inner else 'd'}{number}")}


def _is_span(piece: Piece) -> bool:
    kind = piece.attributes.get("type", "")
    return kind == SPAN or kind.startswith(f"{SPAN}/")


def _annotation(kind: str) -> dict[str, str]:
    if not kind:
        return {}
    return {"type": "term" if kind == "term" else OURS + token(kind)}


def _type(kind: str) -> dict[str, str]:
    """Return a type as `type` and `subType`."""
    if not kind:
        return {}
    if kind in NAMES:
        first, second = NAMES[kind]
        return {"type": first, "subType": second}
    first, slash, second = kind.partition("/")
    fits = _SUBTYPE.fullmatch(second) and (first, second) not in _KNOWN
    if first in _TYPES and (fits or not slash):
        return {"type": first} | ({"subType": second} if slash else {})
    return {"type": "other", "subType": OURS + token(kind)}
