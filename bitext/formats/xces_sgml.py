"""The tags of SGML alignments: names in any case, tags that are never closed, no root needed.

    <LINK XTARGETS="C1P2S1 C1P2S2 ;C1P2S1 ">

Only tags are looked at; a document type and comments are passed over. Names of elements and
attributes come out in lower case.
"""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING, NamedTuple

from bitext.formats.prolog import read_prolog

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitext.formats.opening import Source

__all__ = ["Tag", "is_sgml", "tags"]

_XML_ROOTS = {"cesAlign", "cesDoc", "linkGrp", "linkList"}
_LINK = re.compile(rb"<link\s[^<>]*>", re.IGNORECASE)
_MARKUP = re.compile(
    r"<!--(?:.*?-->|.*)"
    r"|<![^<>\[]*(?:\[[^\]]*\]\s*)?>"
    r"|<\?[^<>]*>"
    r"|<(?P<close>/?)(?P<name>[A-Za-z][\w.:-]*)"
    r"(?P<attributes>[^<>\"']*(?:(?:\"[^\"<]*\"|'[^'<]*')[^<>\"']*)*)>"
    r"|<",
    re.DOTALL,
)
_ATTRIBUTE = re.compile(r"(?<![\w:.-])([\w:.-]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+))")


class Tag(NamedTuple):
    """A tag: whether it closes, its name and attributes in lower case, and its line."""

    closes: bool
    name: str
    attributes: dict[str, str]
    line: int


def is_sgml(head: bytes) -> bool:
    """Tell whether an alignment is SGML, not XML: by its first bytes, and only if it is one."""
    prolog = read_prolog(head)
    if prolog.declared:
        return False
    if prolog.name not in _XML_ROOTS:
        return True
    link = _LINK.search(head)
    return link is not None and not link[0].endswith(b"/>") and b"</link" not in head


def tags(source: Source) -> Iterator[Tag]:
    """Yield the tags of the file.

    Raises
    ------
    FormatError
        At a `<` that begins no tag.

    """
    text = source.text()
    line, at = 1, 0
    for found in _MARKUP.finditer(text):
        between = text[at : found.start()].strip()
        line += text.count("\n", at, found.start())
        if between:
            source.notes.add(
                "text between the tags of an SGML alignment, left out",
                f"{source.path} line {line}: {between[:40]!r}",
            )
        if found[0] == "<":
            raise source.error(
                f"has a < that begins no tag: {text[found.start() :][:40]!r}; correct the tag, or "
                f"write &lt;",
                line,
            )
        if found["name"]:
            yield Tag(bool(found["close"]), found["name"].lower(), _attributes(found), line)
        line += text.count("\n", found.start(), found.end())
        at = found.end()


def _attributes(tag: re.Match[str]) -> dict[str, str]:
    return {
        name.lower(): " ".join(unescape(double or single or bare).split())
        for name, double, single, bare in _ATTRIBUTE.findall(tag["attributes"])
    }
