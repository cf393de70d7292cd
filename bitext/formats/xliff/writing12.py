"""Writing XLIFF 1.2, valid by its strict schema; what is written where stands in `xliff12`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bitext.formats.registry import WriteOptions
from bitext.formats.states import told_draft, xliff12_state
from bitext.formats.xliff.codes import Ids, half_position, made_id, nested, own_number, pairs
from bitext.formats.xliff.reading12 import BORDER, NONE, OURS, SCORE
from bitext.formats.xliff.writing import (
    ANY,
    YES_NO,
    DocumentWriter,
    check,
    drafted,
    notes,
    series,
    spelled,
    taken,
    typed_values,
)
from bitext.formats.xml.inline_codes import attributes_of, pieces, tag
from bitext.formats.xml.text import escape, escape_value

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import IO

    from bitext.formats.xliff.writing import Bead, Segment
    from bitext.model import Bitext

__all__ = ["hidden", "inline", "write"]


# Segments with their marks as XLIFF 1.2 writes them; the table is that of `xliff12_sides`.

_DELIMITERS = frozenset({"bold", "italic", "underlined", "link"})
_PLACEHOLDERS = frozenset({"image", "pb", "lb"})
_MARKS = frozenset({"term", "phrase", "name", "abbreviation", "acronym", "datetime", "protected"})
_POS = {"begin": "open", "end": "close"}
_ASSOC = {"p": "preceding", "f": "following", "b": "both"}
_FREE = re.compile(r"x-\S+")
_DATATYPES = frozenset({"html", "xhtml", "xml", "plaintext", "rtf", "sgml"})
_HIDE = re.compile(r"_(?=x[0-9a-f]{1,6}_)|\s")
_TAG = re.compile(r"<(/?)(bpt|ept|it|ph|hi|sub)((?:[^<>\"'/]|\"[^\"<]*\"|'[^'<]*')*)(/?)>")


def hidden(text: str) -> str:
    """Return a text without white space, which `xliff_flow.shown` puts in again.

    Examples
    --------
    >>> hidden("a b")
    'a_x20_b'

    """
    return _HIDE.sub(lambda m: f"_x{ord(m[0]):x}_", text)


def _typed(kind: str, allowed: frozenset[str]) -> str:
    """Return a type as a `ctype` or an `mtype`; empty for none."""
    if not kind or kind in allowed:
        return kind
    if _FREE.fullmatch(kind) and not kind.startswith(("x-bitext", "x-sdl-")):
        return kind
    return OURS + hidden(kind)


def inline(marked: str, ids: Ids) -> str:
    """Return a segment with its marks as XLIFF; `ids` are those of the side of the unit."""
    found = list(pieces(marked))
    paired = pairs(found)
    bare = {
        k
        for k, other in paired.items()
        if not any(found[half].text or found[half].inner for half in (k, other))
    }
    elements = nested(found, paired) & bare
    spelling = _Spelling(ids)
    parts: list[str] = []
    halves: dict[int, dict[str, str]] = {}  # the ids of each pair, by the place of its end
    for k, piece in enumerate(found):
        if piece.kind == "text":
            parts.append(escape(piece.text))
            continue
        native = spelling.native(piece.inner) if piece.inner else escape(piece.text)
        if k in paired and piece.kind == "bpt":
            attributes = spelling.opening(piece.attributes)
            halves[paired[k]] = {name: attributes[name] for name in ("id", "rid")}
            if k in elements:
                del attributes["rid"]
                parts.append(tag("g", attributes))
                continue
            name = "bx" if k in bare else "bpt"
        elif k in paired:
            if k in elements:
                parts.append("</g>")
                continue
            name, attributes = "ex" if k in bare else "ept", halves[k]
        elif piece.kind == "hi":
            parts.append(tag("mrk", _mark(piece.attributes)))
            continue
        elif piece.kind == "/hi":
            parts.append("</mrk>")
            continue
        else:
            name, attributes = spelling.alone(piece.kind, piece.attributes)
            if name == "ph" and not native and "assoc" not in attributes:
                name = "x"
        parts.append(_element(name, attributes, native))
    return "".join(parts)


def _element(name: str, attributes: Mapping[str, str], content: str) -> str:
    if content:
        return f"{tag(name, attributes)}{content}</{name}>"
    return tag(name, attributes, empty=True)


def _mark(attributes: Mapping[str, str]) -> dict[str, str]:
    """Return the attributes of a `mrk`; a `mid` would have to be that of a segment."""
    x = attributes.get("x")
    kind = _typed(attributes.get("type", ""), _MARKS) or OURS[:-1]
    return {"mtype": kind} | ({"comment": made_id(0, x)} if x else {})


class _Spelling:
    """Spells the codes of one segment, which numbers its pairs in the order they open."""

    def __init__(self, ids: Ids) -> None:
        self._ids = ids
        self._count = 0

    def opening(self, attributes: Mapping[str, str]) -> dict[str, str]:
        self._count += 1
        beside = own_number(attributes, self._count)
        id = self._ids.give(attributes.get("x"), beside)  # noqa: A001 - XLIFF's word
        kind = _typed(attributes.get("type", ""), _DELIMITERS)
        return {"id": id, "rid": str(self._ids.number)} | ({"ctype": kind} if kind else {})

    def alone(self, kind: str, attributes: Mapping[str, str]) -> tuple[str, dict[str, str]]:
        """Return the name and the attributes of a code that is no pair, or is half of one."""
        told = attributes.get("assoc", "") if kind == "ph" else ""
        beside = told if told not in _ASSOC and re.fullmatch(r"\w+", told, re.ASCII) else ""
        found = {"id": self._ids.give(attributes.get("x"), beside)}
        allowed = _PLACEHOLDERS if kind == "ph" else _DELIMITERS
        if kind != "ph":
            found["pos"] = _POS.get(half_position(kind, attributes), "open")
        elif told in _ASSOC:
            found["assoc"] = _ASSOC[told]
        ctype = _typed(attributes.get("type", ""), allowed)
        return "ph" if kind == "ph" else "it", found | ({"ctype": ctype} if ctype else {})

    def native(self, inner: str) -> str:
        """Return native code with flows in it: the same tags, under the names of XLIFF."""
        opened: dict[str, dict[str, str]] = {}

        def spelled(found: re.Match[str]) -> str:
            name, empty = found[2], bool(found[4])
            attributes = attributes_of(found[3]) or {}
            if name == "hi":
                return "</mrk>" if found[1] else tag("mrk", _mark(attributes), empty=empty)
            if found[1]:
                return found[0]
            if name == "sub":
                kind = _typed(attributes.get("type", ""), _DELIMITERS)
                data = _typed(attributes.get("datatype", ""), _DATATYPES)
                told = {"datatype": data, "ctype": kind}
                return tag("sub", {k: v for k, v in told.items() if v}, empty=empty)
            i = attributes.get("i", "")
            if name == "bpt":
                told = self.opening(attributes)
                opened[i] = {key: told[key] for key in ("id", "rid")}
            elif name == "ept":
                told = opened.pop(i, {}) or {"id": self._ids.give(None)}
            else:
                told = self.alone(name, attributes)[1]
            return tag(name, told, empty=empty)

        return _TAG.sub(spelled, inner)


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
_START = (
    '<file original="{}" source-language="{}" target-language="{}" datatype="plaintext" '
    'xml:space="preserve"><body>\n'
)


def write(bitexts: Iterable[Bitext], out: IO[str], *, options: WriteOptions = _DEFAULT) -> None:
    """Write bitexts as XLIFF 1.2.

    Raises
    ------
    InputError
        When a text is not known, has a character that XML forbids, or a language is no code.

    """
    _Writer(out, options).write(bitexts)


class _Writer(DocumentWriter[Ids]):
    """Writes the documents of version 1.2; each side of a unit has ids of its own."""

    version = "xliff12"

    def head(self, langs: tuple[str, str]) -> str:  # noqa: ARG002 - each file names its own
        return _HEAD

    def begin(self, bitext: Bitext | None, langs: tuple[str, str], number: int) -> str:  # noqa: ARG002
        original = "" if bitext is None else bitext.meta.get("src_doc") or bitext.name
        return _START.format(escape_value(original), *langs)

    def end(self, *, empty: bool) -> str:  # noqa: ARG002 - a body may be empty
        return "</body></file>\n"

    def unit(self, name: str, run: list[Bead], columns: list[dict[str, str]]) -> str:
        if len(run) > 1:
            return self._crossing(name, run, columns)
        bead, rest = run[0], columns[0]
        unit = {"id": name} | taken(rest, _OF_UNIT)
        src, tgt = self.side(bead.src, bead, Ids(unique=False)), ""
        held = bead.tgt or drafted(bead, rest)
        if held or told_draft(rest.get("state", "")):
            if "state" in rest:
                rest["state"] = xliff12_state(rest["state"])
            target = spelled(taken(rest, _OF_TARGET), bead)
            text = self.side(held, bead, Ids(unique=False)) if held else ""
            tgt = f"<target{target}>{text}</target>"
        about = notes(rest, bead, "annotates")
        contexts = f"{_standard(rest, bead)}{_contexts(bead, rest, 'information')}"
        return (
            f"<trans-unit{spelled(unit, bead)}><source>{src}</source>{tgt}{about}{contexts}"
            f"</trans-unit>\n"
        )

    def _crossing(self, name: str, run: list[Bead], columns: list[dict[str, str]]) -> str:
        """Return several bisegments as one unit, the parts of the target in their own order."""
        sides = [Ids(unique=False), Ids(unique=False)]
        src = [self.side(bead.src, bead, sides[0]) for bead in run]
        marked = " ".join(
            f'<mrk mtype="seg" mid="bitext.{k}">{text}</mrk>' for k, text in enumerate(src, 1)
        )
        tgt = " ".join(
            f'<mrk mtype="seg" mid="bitext.{k}">{self.side(bead.tgt, bead, sides[1])}</mrk>'
            for k, bead in sorted(enumerate(run, 1), key=lambda item: item[1].order)
            if bead.tgt
        )
        contexts = "".join(
            _contexts(bead, rest, f"x-bitext.{k}")
            for k, (bead, rest) in enumerate(zip(run, columns, strict=True), 1)
        )
        return (
            f"<trans-unit{spelled({'id': name}, run[0])}><source>{' '.join(src)}</source>"
            f"<seg-source>{marked}</seg-source><target>{tgt}</target>{contexts}</trans-unit>\n"
        )

    def no_segment(self, codes: Ids) -> str:  # noqa: ARG002 - such a mark needs no id
        return f'<mrk mtype="{NONE}"/>'

    def border(self, segment: Segment, bead: Bead, codes: Ids) -> str:  # noqa: ARG002
        attributes = {"mtype": BORDER}
        if segment.id:
            attributes["comment"] = check(segment.id, bead, "the id")
        return tag("mrk", attributes)

    def text(self, segment: Segment, bead: Bead, codes: Ids) -> str:
        if segment.marked is None:
            return escape(check(segment.plain, bead, "the segment"))
        return inline(check(segment.marked, bead, "the segment"), codes)


def _standard(columns: dict[str, str], bead: Bead) -> str:
    """Take out of the columns the contexts of the types that XLIFF has."""
    kinds = [
        kind
        for name in columns
        if name.startswith("context:") and _CONTEXT.fullmatch(kind := name.removeprefix("context:"))
    ]
    values = [(kind, value) for kind in kinds for value in series(columns, f"context:{kind}")]
    contexts = typed_values(values, bead, "context", "context-type")
    return f"<context-group>{contexts}</context-group>" if contexts else ""


def _contexts(bead: Bead, columns: dict[str, str], purpose: str) -> str:
    """Return the columns and the score as contexts of our own types."""
    values = [(OURS + hidden(name), value) for name, value in columns.items()]
    if bead.score:
        values.append((SCORE, bead.score))
    contexts = typed_values(values, bead, "context", "context-type")
    return f'<context-group purpose="{purpose}">{contexts}</context-group>' if contexts else ""
