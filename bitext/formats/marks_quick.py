"""Segments with marks, read many at once as they stand in a file.

Marks are taken out from the innermost on, all those of all segments at once: each leaves a sign
that no XML can have, so that what stands where it may not is seen. What is left in the end is the
text. Segments that this does not take to an end are read tag by tag.
"""

from __future__ import annotations

import re
from functools import lru_cache

from bitext.formats.code_pairs import odd_pairs
from bitext.formats.marks import ALLOWED, attributes_of, tag
from bitext.formats.marks_flow import FLOWS, Token, flow
from bitext.formats.regular import unescape
from bitext.formats.xml_escapes import escape

__all__ = ["read_marked"]

_NUL = "\0"  # between segments
_VALUES = '(?: [a-z]+="[^"<>]*")*'
_CODE = re.compile(rf"<(bpt|ept|it|ph|ut){_VALUES}(?:/>|>[^<>\0\2\3\4]+</\1>)")  # leaves \4
_SUB = re.compile(rf"<sub{_VALUES}>[^<>\0\1]*</sub>")  # leaves \1
_HI = re.compile(rf"<hi{_VALUES}>([^<>\0\1]*)</hi>")  # leaves \2 and \3 about its text
_ROUNDS = 12
_START = re.compile(r"<[a-z][^<>]*>")
_ODD = re.compile(r"&(?:quot|apos|#[0-9]+|#x[0-9a-fA-F]+);")
_TAG = re.compile(
    r"(<(?:/?)[A-Za-z_][A-Za-z0-9_.-]*[^<>\"']*(?:(?:\"[^\"<]*\"|'[^'<]*')[^<>\"']*)*>)"
)
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")
_WANTED = {"bpt": "i", "ept": "i", "it": "pos"}

_Read = tuple[str, str, list[tuple[str, str]]]


def read_marked(written: list[str]) -> list[_Read] | None:
    """Return of each segment its characters, itself with its marks, and what is odd in it.

    Parameters
    ----------
    written : list of str
        The contents of `seg` with tags in them, as they stand in a file; references are valid.

    Returns
    -------
    list of (str, str, list of (str, str)), or None
        What is odd is by kind and case. `None` where a segment is not well-formed.

    """
    usual = [_with_usual_references(segment) for segment in written]
    found = _peeled(usual)
    if found is not None:
        return found
    each: list[_Read] = []
    for segment in usual:
        read = _peeled([segment]) or _read(segment)
        if read is None:
            return None
        each.extend(read)
    return each


def _with_usual_references(segment: str) -> str:
    """Return a segment without references in its text that need not be any."""
    if "&#" not in segment and "&quot;" not in segment and "&apos;" not in segment:
        return segment
    if any("&" in start for start in _START.findall(segment)):
        return segment
    return _ODD.sub(lambda found: escape(unescape(found[0])), segment)


def _peeled(written: list[str]) -> list[_Read] | None:
    """Read segments as `marks` writes them; `ut` may stand for `ph`."""
    block = _NUL.join(written)
    if not all(map(_is_usual, set(_START.findall(block)))):
        return None
    if "&#" in block or "&quot;" in block or "&apos;" in block:
        bare = _ODD.search(_START.sub("", block))
        if bare:
            return None
    rounds = 0
    left = block
    while "<" in left:
        before = left
        left = _HI.sub("\2\\1\3", _SUB.sub("\1", _CODE.sub("\4", left)))
        rounds += 1
        if len(left) == len(before) or rounds > _ROUNDS:
            return None
    if ">" in left or "\1" in left:
        return None
    left = left.replace("\2", "").replace("\3", "").replace("\4", "")
    texts = unescape(left).split(_NUL)
    if "<ut" in block:
        written = [segment.replace("<ut", "<ph").replace("</ut>", "</ph>") for segment in written]
    odd: list[list[tuple[str, str]]] = [[] for _ in written]
    if "<sub" in block:
        for k, segment in enumerate(written):
            odd[k] = [(FLOWS, "sub")] * segment.count("<sub")
    for k, segment in enumerate(written):
        odd[k] += odd_pairs(segment)
    return list(zip(texts, written, odd, strict=True))


@lru_cache(1 << 12)
def _is_usual(start: str) -> bool:
    """Tell whether a start tag is as `marks` writes it, with what it has to have."""
    empty = start.endswith("/>")
    inside = start[1 : -2 if empty else -1]
    name, _, rest = inside.partition(" ")
    attributes = attributes_of(f" {rest}" if rest else "")
    allowed = ALLOWED["ph" if name == "ut" else name] if name == "ut" or name in ALLOWED else ()
    if not allowed or attributes is None or attributes.keys() - set(allowed):
        return False
    if name in _WANTED and _WANTED[name] not in attributes:
        return False
    if name == "it" and attributes["pos"] not in {"begin", "end"}:
        return False
    return tag(name, attributes, empty=empty) == start


def _read(segment: str) -> list[_Read] | None:
    """Read one segment by its tags; return it as a list of one."""
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
    odd: list[tuple[str, str]] = []
    text, xml = flow(tokens, lambda kind, case: odd.append((kind, case)))
    return None if opened or xml is None else [(text, xml, odd)]
