"""Writing XLIFF 1.2, valid by its strict schema; what is written where stands in `xliff12`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bitext.formats.part_places import Places
from bitext.formats.registry import WriteOptions
from bitext.formats.states import told_draft, xliff12_state
from bitext.formats.xliff12_codes import hidden, inline
from bitext.formats.xliff12_sides import BORDER, NONE, OURS
from bitext.formats.xliff12_units import SCORE
from bitext.formats.xliff_marks import Ids
from bitext.formats.xliff_writing import (
    ANY,
    YES_NO,
    UnitIds,
    check,
    drafted,
    language,
    languages,
    series,
    spelled,
    taken,
    units,
)
from bitext.formats.xml_escapes import escape, escape_value

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import IO

    from bitext.formats.xliff_writing import Bead, Segment
    from bitext.model import Bitext

__all__ = ["write"]

_DEFAULT = WriteOptions()

_HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">
"""
_OF_UNIT = {
    "approved": YES_NO,
    "translate": YES_NO,
    "resname": ANY,
    "extradata": ANY,
    "extype": ANY,
    "restype": re.compile(r"x-\S+|string|label|heading|header|footer|cell|caption|title"),
    "datatype": re.compile(r"x-\S+|html|xhtml|xml|plaintext|rtf|sgml|php|po|resx"),
}
_OF_TARGET = {
    "state": re.compile(
        r"x-\S+|final|needs-(?:review-)?(?:adaptation|l10n)|needs-(?:review-)?translation|new"
        r"|signed-off|translated"
    ),
    "state-qualifier": re.compile(
        r"x-\S+|(?:exact|fuzzy|id)-match|leveraged-(?:glossary|inherited|mt|repository|tm)"
        r"|(?:mt|tm)-suggestion|rejected-(?:grammar|inaccurate|length|spelling)"
    ),
}
_CONTEXT = re.compile(
    r"x-(?!bitext)\S+|database|element|elementtitle|linenumber|numparams|paramnotes|record"
    r"|recordtitle|sourcefile"
)
_NOTES = {"note": "", "src.note": "source", "tgt.note": "target"}


def write(bitexts: Iterable[Bitext], out: IO[str], *, options: WriteOptions = _DEFAULT) -> None:
    """Write bitexts, each document pair a `file`.

    Raises
    ------
    InputError
        When a text is not known, has a character that XML forbids, or a language no code.

    """
    out.write(_HEAD)
    ids, places = UnitIds(), Places()
    opened = False
    for bitext in bitexts:
        place = places.of(bitext)
        if not (opened and bitext.continues):
            if opened:
                out.write(_END)
            out.write(_begin(bitext, options))
            ids.begin()
            opened = True
        out.writelines(_unit(run, ids) for run in units(bitext, "xliff12", options, place))
    if not opened:
        out.write(_START.format("", *(language("", side) for side in (0, 1))))
    out.write(f"{_END}</xliff>\n")


_START = (
    '<file original="{}" source-language="{}" target-language="{}" datatype="plaintext" '
    'xml:space="preserve"><body>\n'
)
_END = "</body></file>\n"


def _begin(bitext: Bitext, options: WriteOptions) -> str:
    original = bitext.meta.get("src_doc") or bitext.name
    return _START.format(escape_value(original), *languages(bitext, options))


def _unit(run: list[Bead], ids: UnitIds) -> str:
    bead = run[0]
    rest = dict(bead.columns) if len(run) == 1 else {}
    told, kept = ids.give(run, token=False)
    if kept:
        rest.pop("id", None)
    unit = {"id": told} | taken(rest, _OF_UNIT)
    if len(run) == 1:
        src, tgt = _side(bead.src, bead, Ids(unique=False)), ""
        held = bead.tgt or drafted(bead, rest)
        if held or told_draft(rest.get("state", "")):
            if "state" in rest:
                rest["state"] = xliff12_state(rest["state"])
            target = spelled(taken(rest, _OF_TARGET), bead)
            text = _side(held, bead, Ids(unique=False)) if held else ""
            tgt = f"<target{target}>{text}</target>"
        notes = _notes(rest, bead)
        contexts = f"{_standard(rest, bead)}{_contexts(bead, rest, 'information')}"
        return (
            f"<trans-unit{spelled(unit, bead)}><source>{src}</source>{tgt}{notes}{contexts}"
            f"</trans-unit>\n"
        )
    return _crossing(run, unit, left={"id"} if kept else set())


def _crossing(run: list[Bead], unit: dict[str, str], *, left: set[str]) -> str:
    """Write several bisegments as one unit, the parts of the target in their own order."""
    sides = [Ids(unique=False), Ids(unique=False)]
    src = [_side(bead.src, bead, sides[0]) for bead in run]
    marked = " ".join(f'<mrk mtype="seg" mid="bitext.{k}">{s}</mrk>' for k, s in enumerate(src, 1))
    tgt = " ".join(
        f'<mrk mtype="seg" mid="bitext.{k}">{_side(bead.tgt, bead, sides[1])}</mrk>'
        for k, bead in sorted(enumerate(run, 1), key=lambda item: item[1].order)
        if bead.tgt
    )
    contexts = ""
    for k, bead in enumerate(run, 1):
        rest = {name: value for name, value in bead.columns.items() if name not in left}
        contexts += _contexts(bead, rest, f"x-bitext.{k}")
    return (
        f"<trans-unit{spelled(unit, run[0])}><source>{' '.join(src)}</source>"
        f"<seg-source>{marked}</seg-source><target>{tgt}</target>{contexts}</trans-unit>\n"
    )


def _side(segments: list[Segment], bead: Bead, ids: Ids) -> str:
    """Return a side: several segments, or one with an id, each in an annotation of its own."""
    if not segments:
        return f'<mrk mtype="{NONE}"/>'
    if len(segments) == 1 and not segments[0].id:
        return _text(segments[0], bead, ids)
    parts = []
    for segment in segments:
        told = escape_value(check(segment.id, bead, "the id"))
        comment = f' comment="{told}"'
        parts.append(
            f'<mrk mtype="{BORDER}"{comment if segment.id else ""}>'
            f"{_text(segment, bead, ids)}</mrk>"
        )
    return " ".join(parts)


def _text(segment: Segment, bead: Bead, ids: Ids) -> str:
    if segment.marked is None:
        return escape(check(segment.plain, bead, "the segment"))
    return inline(check(segment.marked, bead, "the segment"), ids)


def _notes(columns: dict[str, str], bead: Bead) -> str:
    parts = []
    for name, side in _NOTES.items():
        about = f' annotates="{side}"' if side else ""
        for value in series(columns, name):
            text = escape(check(value, bead, f"the value of {name!r}"))
            parts.append(f"<note{about}>{text}</note>")
    return "".join(parts)


def _standard(columns: dict[str, str], bead: Bead) -> str:
    """Return the contexts of types that XLIFF has."""
    kinds = [
        name.removeprefix("context:")
        for name in columns
        if name.startswith("context:") and _CONTEXT.fullmatch(name.removeprefix("context:"))
    ]
    parts = []
    for kind in kinds:
        for value in series(columns, f"context:{kind}"):
            text = escape(check(value, bead, f"the value of {kind!r}"))
            parts.append(f'<context context-type="{escape_value(kind)}">{text}</context>')
    return f"<context-group>{''.join(parts)}</context-group>" if parts else ""


def _contexts(bead: Bead, columns: dict[str, str], purpose: str) -> str:
    """Return the columns and the score as contexts of ours."""
    values = [(OURS + hidden(name), value) for name, value in columns.items()]
    if bead.score:
        values.append((SCORE, bead.score))
    parts = []
    for kind, value in values:
        name = escape_value(check(kind, bead, "the name"))
        text = escape(check(value, bead, f"the value of {name!r}"))
        parts.append(f'<context context-type="{name}">{text}</context>')
    if not parts:
        return ""
    return f'<context-group purpose="{purpose}">{"".join(parts)}</context-group>'
