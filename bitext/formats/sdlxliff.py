"""SDLXLIFF, of SDL Trados Studio: XLIFF 1.2 with things of its own, in the namespace `sdl`.

    <trans-unit id="..."><source>One. Two.</source>
        <seg-source><mrk mtype="seg" mid="1">One.</mrk> <mrk mtype="seg" mid="2">Two.</mrk>
            </seg-source>
        <target><mrk mtype="seg" mid="1">Un.</mrk> <mrk mtype="seg" mid="2"/></target>
        <sdl:seg-defs><sdl:seg id="1" conf="Translated" origin="tm" percent="100"/>...

Read as XLIFF 1.2 (`xliff12` says how), and `sdl:seg` besides: its attributes are columns
`sdl:conf`, `sdl:origin`, `sdl:percent` and so on of the segment with that `mid`, its values columns
`sdl:KEY`. Most units hold only codes and are not to be translated; they are left out, and counted.
A target that nobody has written yet is there, but empty. Not written: Studio wants definitions of
tags that no other format has.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitext.formats.registry import Format, ReadOptions
from bitext.formats.safexml import local_name
from bitext.formats.xliff12 import read_documents
from bitext.formats.xliff_documents import sniff_version

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.etree import _Element as Element

    from bitext.formats.opening import Source
    from bitext.model import Bitext

__all__ = ["FORMAT"]

_NAMESPACE = b"http://sdl.com/FileTypes/SdlXliff/"


def _sniff(head: bytes) -> int:
    return 97 if sniff_version(head) == 1 and _NAMESPACE in head.replace(b"\0", b"") else 0


def _read(source: Source, options: ReadOptions) -> Iterator[Bitext]:
    return read_documents(source, options, more=_segments)


def _segments(unit: Element) -> dict[str, dict[str, str]]:
    """Return what is told of each segment of a unit, by its `mid`."""
    found: dict[str, dict[str, str]] = {}
    for definitions in unit.iterchildren("{*}seg-defs"):
        for segment in definitions:
            columns = found.setdefault(str(segment.get("id", "")), {})
            for name in ("conf", "origin", "origin-system", "percent", "text-match", "locked"):
                value = segment.get(name)
                if value is not None:
                    columns[f"sdl:{name}"] = str(value)
            for child in segment:
                if local_name(child) == "value":
                    columns[f"sdl:{child.get('key', '')}"] = str(child.text or "")
    return found


FORMAT = Format(
    name="sdlxliff",
    title="XLIFF 1.2 as SDL Trados Studio writes it (read)",
    holds="text",
    suffixes=(".sdlxliff",),
    sniff=_sniff,
    read=_read,
    streams=True,
    units=("trans-unit", "bin-unit"),
    holders=("file", "group"),
)
