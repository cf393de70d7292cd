"""mALIGNa: XML with the text, one `alignment` for each bisegment.

    <alignmentlist>
        <alignment score="0.0">
            <sourcelist><segment>One.</segment> <segment>Two.</segment></sourcelist>
            <targetlist><segment>Yksi.</segment></targetlist>
        </alignment>
    </alignmentlist>

The two lists are in any order; the score is optional. An alignment without any segment is left out
and noted. A file with all segments of each text in one alignment is noted, too: mALIGNa writes
texts in this way if it has split but not aligned them. An alignment with a score that is not a
number, or with a repeated list, is refused.

| kept | lost |
| --- | --- |
| texts, borders of segments, empty sides and segments | ids, languages, inline codes |
| the order of bisegments | the order of segments (crossings, gaps), overlaps, uncovered segments |
| scores | attributes, word links |
| tabs and line ends | borders of documents and paragraphs |

Characters that XML 1.0 forbids cannot be written.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from math import isinf, nan
from typing import IO, TYPE_CHECKING

from bitext.formats.beads import Beads, known_texts
from bitext.formats.io.source import Source
from bitext.formats.registry import Capabilities, Format, ReadOptions, WriteOptions
from bitext.formats.scores import score_of, spell_score
from bitext.formats.xliff import note_at, note_attributes
from bitext.formats.xml import FORBIDDEN, escape, forbidden_error
from bitext.formats.xml.safe import iterate, line_of, local_name, text_of
from bitext.kernels.arrays import Rows, row_of
from bitext.model import Bitext, Text

if TYPE_CHECKING:
    from lxml.etree import _Element as Element


_ROOT = re.compile(r"<(?:[\w.-]+:)?alignmentlist[\s/>]")
_LISTS = ("sourcelist", "targetlist")
_SEPARATOR = "\0"  # between segments that are escaped together: XML forbids it


def _sniff(head: bytes) -> int:
    text = head[:4096].replace(b"\0", b"").decode("latin-1")
    return 95 if _ROOT.search(text) else 0


def _read(source: Source, options: ReadOptions) -> Iterator[Bitext]:
    beads = Beads(source, options)
    opened, whole = False, True
    for event, element in iterate(source, start=("alignmentlist",), end=("alignment",)):
        if event == "start":
            opened = True
            continue
        if not opened:
            break
        score = _score(source, element)
        _note_attributes(source, element)
        lists = _lists(source, element)
        if score is None or lists is None:
            continue
        src, tgt = ([_text(source, segment) for segment in lists[name]] for name in _LISTS)
        if not (src or tgt):
            note_at(source, element, "alignments without any segment, left out")
            continue
        if options.lines:
            beads.line = line_of(element) or 0
        beads.add(src, tgt, score)
        for part in beads.parts():
            whole = False
            yield part
    if not opened:
        raise source.error("has no root element alignmentlist; give a .al file of mALIGNa")
    if whole:
        _note_split(source, beads)
    yield from beads.rest()


def _note_attributes(source: Source, alignment: Element) -> None:
    """Note attributes of an alignment, its lists and segments that mALIGNa does not define."""
    for element in alignment.iter("{*}*"):
        if element is not alignment or len(element.attrib) > ("score" in element.attrib):
            known = {"score"} if element is alignment else frozenset()
            note_attributes(source, element, "alignments, lists and segments", known)


def _lists(source: Source, alignment: Element) -> dict[str, list[Element]] | None:
    """Return the segments of both lists of an alignment; `None` for a refused alignment."""
    lists: dict[str, list[Element]] = {}
    for child in alignment:
        name = local_name(child)
        if name in lists:
            source.refuse(f"has a second {name} in one alignment; want one", line_of(child))
            return None
        if name in _LISTS:
            lists[name] = [part for part in child if _is_known(source, part, "segment")]
        else:
            _is_known(source, child, *_LISTS)
    for name in _LISTS:
        if name not in lists:
            kind = f"alignments without a {name}, taken as empty"
            note_at(source, alignment, kind)
            lists[name] = []
    return lists


def _is_known(source: Source, element: Element, *wanted: str) -> bool:
    name = local_name(element)
    if name not in wanted:
        kind = "elements that mALIGNa does not have, left out"
        note_at(source, element, kind, name[:40])
    return name in wanted


def _text(source: Source, segment: Element) -> str:
    if len(segment):
        kind = "elements within a segment, of which the text is kept"
        note_at(source, segment, kind, local_name(segment[0])[:40])
    return text_of(segment)


def _score(source: Source, alignment: Element) -> float | None:
    spelled = str(alignment.get("score", ""))
    score = score_of(spelled) if spelled else nan
    if score is None:
        source.refuse(f"has the score {spelled[:40]!r}; want a number, as 0.48", line_of(alignment))
    return score


def _note_split(source: Source, beads: Beads) -> None:
    """Note a file with all segments of each text in one alignment."""
    sizes = [side for side in beads.sizes() if side.any()]
    if sizes and all(1 < side.max() == side.sum() for side in sizes):
        counts = " and ".join(str(side.sum()) for side in sizes)
        source.note(
            "texts with all their segments in one alignment (split, but not aligned yet?)",
            f"{counts} segments",
        )


def _write(bitexts: Iterable[Bitext], out: IO[str], **_options: WriteOptions) -> None:
    out.write('<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<alignmentlist>\n')
    done = 0
    for bitext in bitexts:
        a = bitext.alignment
        texts, rows = known_texts(bitext, FORMAT.name), (a.src, a.tgt)
        lists = [
            _elements(name, text, row, done)
            for name, text, row in zip(_LISTS, texts, rows, strict=True)
        ]
        scores = [""] * len(a) if a.scores is None else map(_spell, a.scores.tolist())
        for score, src, tgt in zip(scores, *lists, strict=True):
            spelled = f' score="{score}"' if score else ""
            out.write(f"    <alignment{spelled}>\n{src}{tgt}    </alignment>\n")
        done += len(a)
    out.write("</alignmentlist>\n")


def _elements(name: str, text: Text, rows: Rows, before: int) -> list[str]:
    """Return the XML of one side of each bisegment."""
    segments = list(text.segments())
    members = rows.idx.tolist()
    if FORBIDDEN.search(text.line or ""):
        for k, m in zip(row_of(rows).tolist(), members, strict=True):
            if FORBIDDEN.search(segments[m]):
                what = f"bisegment {before + k}, {name}: the segment {segments[m][:40]!r}"
                raise forbidden_error(what, segments[m])
    # Forbidden characters remain only in segments in no bisegment, which are not written.
    joined = _SEPARATOR.join(segment.replace(_SEPARATOR, "") for segment in segments)
    escaped = escape(joined).split(_SEPARATOR)
    written = [f"            <segment>{escaped[m]}</segment>\n" for m in members]
    opening, closing = f"        <{name}>\n", f"        </{name}>\n"
    return [
        f"{opening}{''.join(written[begin:end])}{closing}"
        for begin, end in pairwise(rows.ptr.tolist())
    ]


def _spell(score: float) -> str:
    """Spell a score as a double of XML Schema."""
    return spell_score(score).replace("inf", "INF") if isinf(score) else spell_score(score)


FORMAT = Format(
    name="maligna",
    title="XML with the text, one alignment a bisegment (mALIGNa)",
    suffixes=(".al",),
    better="lower",
    sniff=_sniff,
    read=_read,
    write=_write,
    keeps=Capabilities.of("texts borders empty_sides empty_segments scores breaks"),
    streams=True,
    units=("alignment",),
)
