"""The units of a TMX file, made of tokens; a parser or an expression may have made those."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from bitext.formats.marks import tag
from bitext.formats.marks_flow import Token, flow
from bitext.remedies import remedy

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bitext.formats.opening import Source

__all__ = ["Builder", "Extra", "Header", "Unit", "Variant"]

_OF_ENCODINGS = {"ude": {"name", "base"}, "map": {"unicode", "code", "ent", "subst"}}
_OF_EXTRAS = ("xml:lang", "lang", "o-encoding")


class Extra(NamedTuple):
    """A `prop` or a `note`: its `type` (of a note empty), its text, its other attributes.

    An `ude` of a header is one too; its text is its XML.
    """

    kind: str
    type: str
    text: str
    attributes: Mapping[str, str]


@dataclass(slots=True)
class Variant:
    """A `tuv`: a text in a language, of one segment if the file is valid."""

    lang: str
    line: int
    attributes: Mapping[str, str]
    extras: list[Extra] = field(default_factory=list)
    segments: list[str] = field(default_factory=list)
    marked: list[str | None] = field(default_factory=list)


@dataclass(slots=True)
class Unit:
    """A `tu`."""

    line: int
    attributes: Mapping[str, str]
    extras: list[Extra] = field(default_factory=list)
    variants: list[Variant] = field(default_factory=list)


@dataclass(slots=True)
class Header:
    """The `header`; `there` tells whether the file has one."""

    attributes: Mapping[str, str] = field(default_factory=dict)
    extras: list[Extra] = field(default_factory=list)
    version: str = ""
    there: bool = False


class Builder:
    """Makes units of tokens, and notes what is odd in them.

    Parameters
    ----------
    source : Source
        Takes the notes, and the errors of units that cannot be read.

    """

    def __init__(self, source: Source) -> None:
        self._source = source

    def header(self, tokens: Sequence[Token]) -> Header:
        """Return the header; tokens are those from its start tag to its end tag."""
        header = Header(self._attributes(tokens[0]), there=True)
        for begin, end in _children(tokens, 0, len(tokens) - 1):
            if tokens[begin].name == "ude" and tokens[begin].what:
                self._encoding(tokens[begin : end + 1], header)
            else:
                self._extra(tokens, begin, end, header.extras)
        return header

    def _encoding(self, tokens: Sequence[Token], header: Header) -> None:
        """Keep a user-defined encoding as it is written again; it does nothing to the texts."""
        maps = [token for token in tokens[1:-1] if token.what == "<"]
        known = all(
            not token.attributes.keys() - _OF_ENCODINGS[token.name]
            for token in (tokens[0], *maps)
            if token.name in _OF_ENCODINGS
        )
        if not (known and maps and all(token.name == "map" for token in maps)):
            self._note("user-defined encodings (ude) that TMX does not have", tokens[0].line)
            return
        inside = "".join(tag("map", token.attributes, empty=True) for token in maps)
        xml = f"{tag('ude', tokens[0].attributes)}{inside}</ude>"
        header.extras.append(Extra("ude", "", xml, {}))

    def unit(self, tokens: Sequence[Token]) -> Unit | None:
        """Return a unit, or `None` for one that is refused; tokens as for a header."""
        unit = Unit(tokens[0].line, self._attributes(tokens[0]))
        for begin, end in _children(tokens, 0, len(tokens) - 1):
            token = tokens[begin]
            if token.name == "tuv" and token.what:
                variant = self._variant(tokens, begin, end)
                if variant is None:
                    return None
                unit.variants.append(variant)
            elif token.name == "tu" and token.what:
                self._source.refuse(
                    "has a tu within a tu, as opus_read writes them for links that are not 1-1: "
                    "which texts belong together is not known; make the file anew from the links",
                    token.line,
                )
                return None
            else:
                self._extra(tokens, begin, end, unit.extras, unit.line)
        return unit

    def _variant(self, tokens: Sequence[Token], begin: int, end: int) -> Variant | None:
        start = tokens[begin]
        attributes = dict(self._attributes(start))
        modern, old = attributes.pop("xml:lang", ""), attributes.pop("lang", "")
        if modern and old and modern != old:
            kind = "tuv with lang beside another xml:lang, which holds"
            self._note(kind, start.line, f"{old} and {modern}")
        lang = (modern or old).strip()
        if not lang:
            self._source.refuse(
                f'has a tuv without a language; want one, as xml:lang="en": add it, or leave the '
                f"unit out ({remedy('keep-going', command='convert')})",
                start.line,
            )
            return None
        variant = Variant(lang, start.line, attributes)
        loose: list[str] = []
        for first, last in _children(tokens, begin, end):
            token = tokens[first]
            if not token.what:
                loose.append(token.name)
            elif token.name == "seg":
                self._segment(tokens[first : last + 1], variant)
            else:
                self._extra(tokens, first, last, variant.extras, start.line)
        self._settle(variant, "".join(loose))
        return variant

    def _segment(self, tokens: Sequence[Token], variant: Variant) -> None:
        line = tokens[0].line
        text, marked = flow(tokens[1:-1], lambda kind, case: self._note(kind, line, case))
        for name in tokens[0].attributes:
            if name != "xml:space":
                self._note("attributes of seg, left out", line, name.rpartition("}")[2][:40])
        preserved = tokens[0].attributes.get("xml:space") == "preserve"
        if "\n" in text and not preserved and _is_laid_out(text):
            kind = "segments with line ends of the lay-out of the file in them, kept as they are"
            self._note(kind, line)
        variant.segments.append(text)
        variant.marked.append(marked)

    def _settle(self, variant: Variant, loose: str) -> None:
        """See to text outside of segments, and to their number."""
        size = len(variant.segments)
        if size > 1:
            self._note("tuv with several seg, taken as several segments", variant.line, str(size))
        if not loose.strip():
            if not size:
                self._note("tuv without a seg, taken as no segment", variant.line)
        elif size:
            self._note("texts outside of segments, left out", variant.line, loose.strip()[:40])
        else:
            self._note("texts that stand in a tuv without a seg, taken as one", variant.line)
            variant.segments.append(loose)
            variant.marked.append(None)

    def _extra(
        self,
        tokens: Sequence[Token],
        begin: int,
        end: int,
        extras: list[Extra],
        line: int = 1,
    ) -> None:
        """Take a prop or a note; anything else is left out, and noted."""
        token = tokens[begin]
        if not token.what:
            if token.name.strip():
                case = token.name.strip()[:40]
                self._note("texts outside of segments, left out", line, case)
            return
        if token.name not in {"prop", "note"}:
            name = token.name.rpartition("}")[2]
            self._note("elements that are not read, left out", token.line, name[:40])
            return
        inside = tokens[begin + 1 : end]
        if any(part.what for part in inside):
            self._note("elements within a prop or note, of which the text is kept", token.line)
        attributes = dict(self._attributes(token))
        kind = "" if token.name == "note" else attributes.pop("type", "")
        unknown = [key for key in attributes if key not in _OF_EXTRAS]
        for key in unknown:
            self._note("attributes of props and notes, left out", token.line, key[:40])
            del attributes[key]
        text = "".join(part.name for part in inside if not part.what)
        extras.append(Extra(token.name, kind, text, attributes))

    def _attributes(self, token: Token) -> Mapping[str, str]:
        """Return the attributes without those of other vocabularies, which are noted."""
        attributes = token.attributes
        if not any(":" in key for key in attributes):
            return attributes
        kept = {}
        for key, value in attributes.items():
            if ":" not in key or key == "xml:lang":
                kept[key] = value
            elif key != "xml:space":
                name = key.rpartition("}")[2]
                self._note("attributes of other vocabularies, left out", token.line, name[:40])
        return kept

    def _note(self, kind: str, line: int, case: str = "") -> None:
        where = f"{self._source.path} line {line}"
        self._source.notes.add(kind, f"{where}: {case}" if case else where)


def _is_laid_out(text: str) -> bool:
    """Tell whether line ends in a segment look like those of an indented file."""
    return text[0] == "\n" or text[-1] == "\n" or "\n " in text or "\n\t" in text


def _children(tokens: Sequence[Token], begin: int, end: int) -> list[tuple[int, int]]:
    """Return where the children of an element begin and end, texts among them."""
    found, depth, start = [], 0, 0
    for k in range(begin + 1, end):
        what = tokens[k].what
        if what == "<":
            if not depth:
                start = k
            depth += 1
        elif what:
            depth -= 1
            if not depth:
                found.append((start, k))
        elif not depth:
            found.append((k, k))
    return found
