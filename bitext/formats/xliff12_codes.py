"""Segments with their marks as XLIFF 1.2 writes them; the table is that of `xliff12_sides`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bitext.formats.marks import attributes_of, pieces, tag
from bitext.formats.xliff12_sides import OURS
from bitext.formats.xliff_flow import made_id
from bitext.formats.xliff_marks import Ids, nested, pairs
from bitext.formats.xml_escapes import escape

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["hidden", "inline"]

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
        i = attributes.get("i", "")
        beside = i if i.isascii() and i.isdigit() and i != str(self._count) else ""
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
            pos = attributes.get("pos") or {"ept": "end"}.get(kind, "begin")
            found["pos"] = _POS.get(pos, "open")
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
