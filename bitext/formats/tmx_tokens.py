"""The tokens of regular pieces of a TMX file, by one expression for many.

Whatever a parser might see otherwise gives no tokens at all, and goes to the parser: elements out
of place, prefixes, an attribute that stands twice.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bitext.formats.marks import attributes_of
from bitext.formats.marks_flow import Token
from bitext.formats.regular import unescape

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["header_of", "tokens_of", "units_of"]

_TAG = re.compile(
    r"<(/?)([A-Za-z_][A-Za-z0-9_.-]*)"
    r"([^<>\"']*(?:(?:\"[^\"<]*\"|'[^'<]*')[^<>\"']*)*)>([^<]*)"
)
_QUOTED = r"(?:\"[^\"<>&]*\"|'[^'<>&]*')"
_PROLOG = re.compile(
    r"(?:<\?xml version=[\"']1\.0[\"'](?: encoding=[\"'][A-Za-z][A-Za-z0-9._-]*[\"'])?"
    r"(?: standalone=[\"'](?:yes|no)[\"'])?[ \t\n]*\?>)?[ \t\n]*"
    rf"(?:<!DOCTYPE[ \t\n]+tmx(?:[ \t\n]+SYSTEM[ \t\n]+{_QUOTED})?[ \t\n]*>)?[ \t\n]*"
    r"(?=<tmx[ \t\n>])"
)
_OF_XML = {"xml:lang", "xml:space"}
_DEEP = 200
_MOST = 1 << 12  # start tags remembered
_CROWD = 200  # attributes

_Known = tuple["Mapping[str, str]", bool]
_known: dict[str, _Known | None] = {}


def tokens_of(text: str, line: int, begin: int = 0) -> list[Token] | None:
    """Return the tokens of a text from a place on; `None` where it does not consist of such.

    Nesting is checked, and all that is opened is closed, unless it is `tmx` or `body`. `line` is
    that on which the text begins. What stands before the first tag is left out.
    """
    first = text.find("<", begin)
    if first < 0:
        return []
    found = _TAG.findall(text, first)
    size = sum([len(a) + len(b) + len(c) + len(d) for a, b, c, d in found])
    if size + 2 * len(found) != len(text) - first:
        return None
    line += text.count("\n", 0, first)
    tokens: list[Token] = []
    opened: list[str] = []
    for closes, name, attributes, after in found:
        if "\n" in attributes:
            line += attributes.count("\n")
        if closes:
            if not opened or opened.pop() != name or attributes.strip(" \t\n"):
                return None
            tokens.append(Token(">", name, {}, 0))
        else:
            known = _attributes(attributes)
            if known is None or len(opened) > _DEEP:
                return None
            values, empty = known
            tokens.append(Token("<", name, values, line))
            if empty:
                tokens.append(Token(">", name, {}, 0))
            else:
                opened.append(name)
        if after:
            tokens.append(Token("", unescape(after), {}, 0))
            if "\n" in after:
                line += after.count("\n")
    return tokens if not set(opened) - {"tmx", "body"} else None


def _attributes(written: str) -> _Known | None:
    """Return the attributes of a start tag, and whether it is also the end tag."""
    if written not in _known:
        if len(_known) >= _MOST:
            _known.clear()
        _known[written] = _read_attributes(written)
    return _known[written]


def _read_attributes(written: str) -> _Known | None:
    empty = written.endswith("/")
    values = attributes_of(written[:-1] if empty else written)
    if values is None or len(values) > _CROWD or "xmlns" in values:
        return None
    if any(":" in name and name not in _OF_XML for name in values):
        return None
    return values, empty


def header_of(opening: str) -> tuple[str, list[Token]] | None:
    """Return the version and the tokens of the header in all that stands before the units.

    The tokens are none where there is no header. `None` where a parser has to look.
    """
    prolog = _PROLOG.match(opening)
    tokens = tokens_of(opening, 1, prolog.end()) if prolog else None
    if not tokens or tokens[0].name != "tmx" or tokens[-1].name != "body":
        return None
    version = tokens[0].attributes.get("version", "")
    inside = [token for token in tokens[1:-1] if token.what or token.name.strip()]
    if not inside:
        return version, []
    elements = [k for k, token in enumerate(tokens) if token.what and token.name == "header"]
    if len(elements) != 2 or inside[0].name != "header" or inside[-1].name != "header":
        return None
    return version, tokens[elements[0] : elements[1] + 1]


def units_of(tokens: list[Token]) -> list[list[Token]] | None:
    """Part tokens into those of each unit; `None` where anything else stands between units."""
    units: list[list[Token]] = []
    begin, depth = 0, 0
    for k, token in enumerate(tokens):
        if token.what == "<":
            if not depth:
                if token.name != "tu":
                    return None
                begin = k
            depth += 1
        elif token.what:
            depth -= 1
            if not depth:
                units.append(tokens[begin : k + 1])
    return None if depth else units
