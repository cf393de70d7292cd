"""JRC-Acquis: alignments with their texts in the links, as `getAlignmentWithText` writes them.

    <TEI.2 ...><text><body><div type="body" n="31958D1127" select="en fr">
     <linkGrp targType="head p" n="31958D1127" select="en fr" type="n-n">
      <link type="1-2" xtargets="2;2 3"><s1>One.</s1><s2>Un.</s2><s2>Deux.</s2></link>

Each `linkGrp` is a document pair, named `n`, in the languages of `select`. `s1` are segments of the
source, `s2` of the target; those without characters are an empty side. `type` is that of the
bisegment and not kept. Files with links alone (`xtargets`, without texts) are refused by the reader
of TEI, as they do not name their documents.

| kept | lost |
| --- | --- |
| texts, borders of segments, empty sides | segments in no bisegment, the order of segments |
| document pairs and their names, languages | paragraphs, headers |
| `xtargets` and other attributes of links | |

Read only. Memory is that of a part of a document pair.

**Source**: R. Steinberger et al., The JRC-Acquis: a multilingual aligned parallel corpus with 20+
languages, LREC 2006, and its version 3.0.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from bitext.formats.beads import Beads
from bitext.formats.registry import Capabilities, Format, ReadOptions
from bitext.formats.xml import read_prolog
from bitext.formats.xml.safe import iterate, line_of, local_name
from bitext.lazy import late_pattern
from bitext.model.languages import language_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.etree import _Element as Element

    from bitext.formats.io.source import Source
    from bitext.model import Bitext

_SIDES = ("s1", "s2")
_WITH_TEXTS = late_pattern(rb"<link\b[^<>]*>\s*<s[12]\b")


def _sniff(head: bytes) -> int:
    known = read_prolog(head).name in {"TEI.2", "linkGrp", "body", "div"}
    return 98 if known and _WITH_TEXTS.search(head.replace(b"\0", b"")) else 0


def _read(source: Source, options: ReadOptions) -> Iterator[Bitext]:
    beads: Beads | None = None
    for event, element in iterate(source, start=("linkGrp",), end=("link", "linkGrp")):
        if local_name(element) == "linkGrp":
            if beads is not None:
                yield from beads.rest()
                beads = None
            if event == "start":
                beads = _begin(source, options, element)
            continue
        if beads is None:
            source.refuse("is a link outside of a linkGrp; want it in one", line_of(element))
            continue
        sides = [_texts(element, name) for name in _SIDES]
        if not (sides[0] or sides[1]):
            kind = "links without text, left out"
            source.notes.add(kind, f"{source.path} line {line_of(element)}")
            continue
        attributes = {str(key): str(value) for key, value in element.items() if key != "type"}
        beads.line = line_of(element) or 0
        beads.add(sides[0], sides[1], attributes=attributes)
        yield from beads.parts()


def _begin(source: Source, options: ReadOptions, group: Element) -> Beads:
    name = str(group.get("n") or group.get("id") or "") or options.name
    langs = str(group.get("select") or "").split()
    one, other = map(language_of, langs) if len(langs) == 2 else ("", "")
    return Beads(source, replace(options, name=name), langs=(one, other))


def _texts(link: Element, name: str) -> list[str]:
    """Return the segments of a side, with white space as one blank."""
    texts = (" ".join("".join(map(str, each.itertext())).split()) for each in link)
    sides = map(local_name, link)
    return [text for text, side in zip(texts, sides, strict=True) if side == name and text]


FORMAT = Format(
    name="jrc-acquis",
    title="alignments of JRC-Acquis with their texts in the links (read)",
    holds="text",
    suffixes=(),
    sniff=_sniff,
    read=_read,
    keeps=Capabilities.of("texts borders empty_sides attributes documents languages"),
    units=("link",),
    holders=("TEI.2", "text", "body", "div", "linkGrp"),
    streams=True,
    names_languages=True,
)
