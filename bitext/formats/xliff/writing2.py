"""Writing XLIFF 2.0, valid by its core schema; what is written where stands in `xliff2`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bitext.errors import InputError
from bitext.formats.registry import WriteOptions
from bitext.formats.states import told_draft, xliff2_state
from bitext.formats.xliff.codes import Ids, half_position, nested, own_number, pairs, token
from bitext.formats.xliff.reading2 import (
    BORDER,
    CATEGORY,
    COLUMN,
    NAMES,
    NONE,
    OURS,
    SCORE,
    SPAN,
    XML,
)
from bitext.formats.xliff.writing import (
    ANY,
    YES_NO,
    DocumentWriter,
    check,
    drafted,
    notes,
    spelled,
    taken,
    typed_values,
)
from bitext.formats.xml.inline_codes import pieces, tag
from bitext.formats.xml.text import FORBIDDEN, escape, escape_value

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import IO

    from bitext.formats.xliff.writing import Bead, Segment
    from bitext.formats.xml.inline_codes import Piece
    from bitext.model import Bitext

__all__ = ["Codes", "characters", "write"]


# Segments with their marks as XLIFF 2 writes them; the table is that of `xliff2_sides`.

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
        return self.ids.give(piece.attributes.get("x"), own_number(piece.attributes, count))

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
            name = "ec" if half_position(piece.kind, attributes) == "end" else "sc"
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


_DEFAULT = WriteOptions()

_HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<xliff version="2.0" srcLang="{}" trgLang="{}" xmlns="urn:oasis:names:tc:xliff:document:2.0" \
xmlns:mda="urn:oasis:names:tc:xliff:metadata:2.0">
"""
_USER = re.compile(r"[^\s:]+:[^\s:]+")
_SURROGATE = re.compile("[\ud800-\udfff]")
_OF_UNIT = {
    "name": ANY,
    "canResegment": YES_NO,
    "translate": YES_NO,
    "srcDir": re.compile("ltr|rtl|auto"),
    "trgDir": re.compile("ltr|rtl|auto"),
    "type": _USER,
}
_STATE = {"state": re.compile("initial|translated|reviewed|final")}
_SUBSTATE = {"subState": re.compile(r"(?!xlf:)[^\s:]+:[^\s:]+")}


def write(bitexts: Iterable[Bitext], out: IO[str], *, options: WriteOptions = _DEFAULT) -> None:
    """Write bitexts as XLIFF 2.0.

    Raises
    ------
    InputError
        When a text is not known, a value has a character that XML forbids, a language is no code,
        or a second document pair is in other languages than the first.

    """
    _Writer(out, options).write(bitexts)


class _Writer(DocumentWriter[Codes]):
    """Writes the documents of version 2.0, all in one pair of languages."""

    version = "xliff2"
    token_ids = True

    def head(self, langs: tuple[str, str]) -> str:
        self._langs = langs
        return _HEAD.format(*langs)

    def begin(self, bitext: Bitext | None, langs: tuple[str, str], number: int) -> str:
        if bitext is None:
            return f'<file id="bitext.{number}">\n'
        for side, text in enumerate((bitext.src, bitext.tgt)):
            if text is not None and text.lang and langs[side] != self._langs[side]:
                raise InputError(
                    f"{bitext.name or 'a document'} is in {'-'.join(langs)}, those before it in "
                    f"{'-'.join(self._langs)}; XLIFF 2 holds one pair of languages a file: write "
                    f"it to a file of its own, or choose xliff12"
                )
        name = bitext.meta.get("src_doc") or bitext.name
        original = f' original="{escape_value(name)}"' if name else ""
        return f'<file id="bitext.{number}"{original} xml:space="preserve">\n'

    def end(self, *, empty: bool) -> str:
        # The schema wants a unit or a group in each file.
        group = '<group id="bitext.1"/>\n' if empty else ""
        return f"{group}</file>\n"

    def unit(self, name: str, run: list[Bead], columns: list[dict[str, str]]) -> str:
        first, alone = run[0], len(run) == 1
        unit = {"id": name} | (taken(columns[0], _OF_UNIT) if alone else {})
        about = notes(columns[0], first, "appliesTo") if alone else ""
        # Ids of segments are reserved before any code gets one; all codes of the source come before
        # those of the target, which repeat their ids.
        codes = Codes()
        names = [codes.reserve(bead.columns.get("segment")) for bead in run]
        targets = [bead.tgt or drafted(bead, own) for bead, own in zip(run, columns, strict=True)]
        opened = [
            _segment_tag(bead, rest, own, held=bool(target))
            for bead, rest, own, target in zip(run, columns, names, targets, strict=True)
        ]
        sources = [self.side(bead.src, bead, codes) for bead in run]
        codes.turn()
        orders = _orders(run, targets)
        parts = []
        for bead, held, begin, src, order in zip(
            run, targets, opened, sources, orders, strict=True
        ):
            place = f' order="{order}"' if order else ""
            tgt = f"<target{place}>{self.side(held, bead, codes)}</target>" if held else ""
            parts.append(f"{begin}<source>{src}</source>{tgt}</segment>")
        groups = "".join(
            _group(bead, rest, CATEGORY if alone else f"{CATEGORY}:{k}")
            for k, (bead, rest) in enumerate(zip(run, columns, strict=True), start=1)
        )
        metadata = f"<mda:metadata>{groups}</mda:metadata>" if groups else ""
        about = f"<notes>{about}</notes>" if about else ""
        return (
            f"<unit{spelled(unit, first)}>{metadata}{about}{codes.original_data()}"
            f"{''.join(parts)}</unit>\n"
        )

    def no_segment(self, codes: Codes) -> str:
        return tag("mrk", {"id": codes.ids.give(None), "type": NONE}, empty=True)

    def border(self, segment: Segment, bead: Bead, codes: Codes) -> str:
        attributes = {"id": codes.ids.give(None), "type": BORDER}
        if segment.id:
            attributes["value"] = check(segment.id, bead, "the id")
        return tag("mrk", attributes)

    def text(self, segment: Segment, bead: Bead, codes: Codes) -> str:
        if _SURROGATE.search(segment.plain if segment.marked is None else segment.marked):
            raise InputError(
                f"bisegment {bead.number}: the segment {segment.plain[:40]!a} has half of a "
                f"surrogate pair, which is no character; take it out of the text"
            )
        return characters(segment.plain) if segment.marked is None else codes.inline(segment.marked)


def _segment_tag(bead: Bead, columns: dict[str, str], name: str, *, held: bool) -> str:
    """Return the start tag of a segment, and take its attributes out of the columns."""
    own = {"id": name} if name else {}
    if name:
        del columns["segment"]
    if held or told_draft(columns.get("state", "")):
        own |= _state(columns)
    return f"<segment{spelled(own, bead)}>"


def _state(columns: dict[str, str]) -> dict[str, str]:
    """Take the state of a segment out of its columns, and what it is in XLIFF 2."""
    state, substate = xliff2_state(columns.get("state", ""))
    if not state or (substate and "subState" in columns):
        # A substate of its own says more than the word of another version.
        told = taken(columns, _STATE)
        return told | (taken(columns, _SUBSTATE) if told else {})
    del columns["state"]
    return {"state": state} | ({"subState": substate} if substate else taken(columns, _SUBSTATE))


def _orders(run: list[Bead], targets: list[list[Segment]]) -> list[int]:
    """Return the `order` of each target of a unit; 0 where it is the place of its segment.

    The places of segments without a target are no other's.
    """
    free = iter([k for k, held in enumerate(targets, start=1) if held])
    orders = [0] * len(run)
    for k in sorted(range(len(run)), key=lambda k: run[k].order):
        if targets[k]:
            orders[k] = next(free)
    return [0 if order == k else order for k, order in enumerate(orders, start=1)]


def _group(bead: Bead, columns: Mapping[str, str], category: str) -> str:
    """Return the columns and the score as metadata of our own types."""
    values = [(COLUMN + name, value) for name, value in columns.items()]
    if bead.score:
        values.append((SCORE, bead.score))
    metadata = typed_values(values, bead, "mda:meta", "type")
    return f'<mda:metaGroup category="{category}">{metadata}</mda:metaGroup>' if metadata else ""
