"""Targets of XCES 1.0: one locator a text, which names a segment or a range of them.

    <link>
     <align xlink:href="#s1"/>
     <align xlink:href="fr.xml#xpointer(id('s1')/range-to(id('s3')))"/>
    </link>

A locator is `#id`, or `#xpointer(...)` with `id('a')` or with a range from one id to another, which
only the document can tell. Before `#` the document may be named. An empty one is an empty side.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from bitext.formats.xces_group import Half
from bitext.formats.xces_texts import places
from bitext.kernels.rows import Rows, prefix
from bitext.remedies import remedy

if TYPE_CHECKING:
    from bitext.model import Text

__all__ = ["RANGE", "expanded", "targets"]

RANGE = "\0"  # between the first id and the last one: no id has it

_QUOTED = r"""id\(\s*(?:'([^'\s;]+)'|"([^"\s;]+)")\s*\)"""
_POINTER = re.compile(rf"xpointer\(\s*{_QUOTED}(?:\s*/\s*range-to\(\s*{_QUOTED}\s*\))?\s*\)")
_BARE = re.compile(r"[^\s;#()]+")


def targets(hrefs: list[str]) -> str | None:
    """Return what `xtargets` would say for the locators of a link; `None` where one is no such.

    Examples
    --------
    >>> targets(["#s1", "b.xml#xpointer(id('s2'))"])
    's1;s2'

    """
    if len(hrefs) != 2:
        return None
    halves = [_names(href.strip()) for href in hrefs]
    return None if None in halves else ";".join(map(str, halves))


def _names(href: str) -> str | None:
    if href.endswith("#") or not href:
        return ""
    fragment = href.rpartition("#")[2] if "#" in href else ""
    found = _POINTER.fullmatch(fragment)
    if found:
        first, last = found[1] or found[2], found[3] or found[4]
        return f"{first}{RANGE}{last}" if last else first
    return fragment if _BARE.fullmatch(fragment) else None


def expanded(half: Half, text: Text | None, name: str) -> tuple[Half, dict[int, str]]:
    """Put the segments of ranges in their places; say which links cannot be, and why."""
    ranges = [k for k, each in enumerate(half.ids) if RANGE in each]
    wrong: dict[int, str] = {}
    if not ranges:
        return half, wrong
    ids = [each for each in half.ids if RANGE not in each]
    index = {each: k for k, each in enumerate(ids)}
    parts: dict[int, list[int] | str] = {
        k: [index[each]] for k, each in enumerate(half.ids) if RANGE not in each
    }
    for k in ranges:
        found = _between(half.ids[k], text, name)
        if isinstance(found, str):
            parts[k] = found
        else:
            parts[k] = [index.setdefault(each, len(index)) for each in found]
    members: list[int] = []
    lengths = []
    for row in range(len(half.rows.ptr) - 1):
        inside: dict[int, None] = {}
        for k in half.rows.row(row).tolist():
            part = parts[k]
            if isinstance(part, str):
                wrong[row] = part
            else:
                inside.update(dict.fromkeys(part))
        members += inside
        lengths.append(len(inside))
    rows = Rows(prefix(np.array(lengths, dtype=np.int64)), np.array(members, dtype=np.int64))
    return Half(list(index), rows), wrong


def _between(ends: str, text: Text | None, name: str) -> list[str] | str:
    """Return the ids of a range, or say why there are none."""
    first, last = ends.split(RANGE)
    shown = f"has a range from {first!r} to {last!r}"
    if text is None or not text.has_ids:
        return (
            f"{shown}, which only the document ({name or 'not named'!r}) can tell; give it "
            f"({remedy('src', 'tgt')}), or the folder where it lies ({remedy('root')})"
        )
    begin, end = places([first, last], text).tolist()
    if not 0 <= begin <= end:
        return f"{shown}, which {text.name or 'its text'} does not have in that order; correct it"
    return list(text.ids[begin : end + 1])
