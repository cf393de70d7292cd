"""Segments with marks that are written as `marks` writes them, read many at once."""

from __future__ import annotations

import re
from functools import lru_cache

from bitext.formats.marks import ALLOWED, attributes_of, tag
from bitext.formats.marks_flow import Token, flow
from bitext.formats.regular import unescape

__all__ = ["read_marked"]

_NUL = "\0"
_CODE = re.compile(r"<(bpt|ept|it|ph)((?: [a-z]+=\"[^\"<>]*\")*)(?:/>|>[^<>\0]+</\1>)")
_START = re.compile(r"<[a-z][^<>]*>")
_TAG = re.compile(
    r"(<(?:/?)[A-Za-z_][A-Za-z0-9_.-]*[^<>\"']*(?:(?:\"[^\"<]*\"|'[^'<]*')[^<>\"']*)*>)"
)
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")
_WANTED = {"bpt": "i", "ept": "i", "it": "pos"}


def read_marked(written: list[str]) -> list[tuple[str, str]] | None:
    """Return the characters of segments, and the segments with their marks.

    Parameters
    ----------
    written : list of str
        The contents of `seg` with tags in them, as they stand in a file; references are valid.

    Returns
    -------
    list of pair of str, or None
        `None` where one of them is not well-formed, or is in a way that has to be told.

    """
    block = _NUL.join(written)
    if "&quot;" not in block and "&apos;" not in block and "&#" not in block:
        bare = _CODE.sub("", block)
        if "<" not in bare and ">" not in bare and all(map(_is_usual, set(_START.findall(block)))):
            return list(zip(unescape(bare).split(_NUL), written, strict=True))
    found = [_read(segment) for segment in written]
    return None if None in found else [pair for pair in found if pair is not None]


@lru_cache(1 << 12)
def _is_usual(start: str) -> bool:
    """Tell whether a start tag is as `marks` writes it, with what it has to have."""
    empty = start.endswith("/>")
    inside = start[1 : -2 if empty else -1]
    name, _, rest = inside.partition(" ")
    attributes = attributes_of(f" {rest}" if rest else "")
    if attributes is None or name not in ALLOWED or attributes.keys() - set(ALLOWED[name]):
        return False
    if _WANTED.get(name, "x") not in attributes and name in _WANTED:
        return False
    if name == "it" and attributes["pos"] not in {"begin", "end"}:
        return False
    return tag(name, attributes, empty=empty) == start


def _read(segment: str) -> tuple[str, str] | None:
    """Read one segment by its tags."""
    tokens: list[Token] = []
    opened: list[str] = []
    for k, part in enumerate(_TAG.split(segment)):
        if k % 2 == 0:
            if "<" in part:
                return None
            if part:
                tokens.append(Token("", unescape(part), {}, 0))
            continue
        closes, empty = part.startswith("</"), part.endswith("/>")
        inside = part[2 if closes else 1 : -2 if empty else -1]
        found = _NAME.match(inside)
        name = found[0] if found else ""
        attributes = attributes_of(inside[len(name) :])
        if attributes is None or "xmlns" in attributes or any(":" in key for key in attributes):
            return None
        if closes:
            if attributes or empty or not opened or opened.pop() != name:
                return None
            tokens.append(Token(">", name, {}, 0))
            continue
        if name == "seg" or len(opened) > 100:
            return None
        tokens.append(Token("<", name, attributes, 0))
        if empty:
            tokens.append(Token(">", name, {}, 0))
        else:
            opened.append(name)
    odd: list[str] = []
    text, xml = flow(tokens, lambda kind, _: odd.append(kind))
    return None if opened or odd or xml is None else (text, xml)
