"""mALIGNa: XML that holds the text, one `alignment` a bisegment.

    <alignmentlist>
        <alignment score="0.0">
            <sourcelist><segment>One.</segment> <segment>Two.</segment></sourcelist>
            <targetlist><segment>Yksi.</segment></targetlist>
        </alignment>
    </alignmentlist>

The two lists stand in any order; the score may be left out. An alignment without any segment is no
bisegment, and is noted. So is a file where each text stands as a whole in one alignment, which is
how mALIGNa writes texts that it has split but not aligned. Lost: ids, attributes, languages, the
borders between documents, crossings, overlaps. Characters that XML 1.0 forbids cannot be written.
"""

from __future__ import annotations

import re
from math import isinf, nan
from typing import TYPE_CHECKING

from bitext.errors import InputError
from bitext.formats.inline import Beads, sides
from bitext.formats.lines import score_of, spell_score
from bitext.formats.registry import Format, ReadOptions, WriteOptions
from bitext.formats.safexml import iterate, line_of, local_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import IO

    from lxml.etree import _Element as Element

    from bitext.formats.opening import Source
    from bitext.model import Bitext

__all__ = ["FORMAT"]

_DEFAULT = WriteOptions()

_ROOT = re.compile(r"<(?:[\w.-]+:)?alignmentlist[\s/>]")
_LISTS = ("sourcelist", "targetlist")
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;"})


def _sniff(head: bytes) -> int:
    text = head[:4096].replace(b"\0", b"").decode("latin-1")
    return 95 if _ROOT.search(text) else 0


def _read(source: Source, options: ReadOptions) -> Iterator[Bitext]:
    beads = Beads(source, options)
    opened = False
    for event, element in iterate(source, start=("alignmentlist",), end=("alignment",)):
        if event == "start":
            opened = True
            continue
        if not opened:
            break
        found = _lists(source, element)
        src, tgt = ([_text(source, segment) for segment in found[name]] for name in _LISTS)
        if src or tgt:
            beads.add(src, tgt, _score(source, element))
        else:
            source.notes.add("alignments without any segment, left out", _place(source, element))
    if not opened:
        raise source.error("has no root element alignmentlist; give a .al file of mALIGNa")
    _note_split(source, beads)
    yield from beads.rest()


def _lists(source: Source, alignment: Element) -> dict[str, list[Element]]:
    """Return the segments of the two lists of an alignment."""
    found: dict[str, list[Element]] = {}
    for child in alignment:
        name = local_name(child)
        if name in found:
            raise source.error(f"has a second {name} in one alignment; want one", line_of(child))
        if name in _LISTS:
            found[name] = [part for part in child if _is_known(source, part, "segment")]
        else:
            _is_known(source, child, *_LISTS)
    for name in _LISTS:
        if name not in found:
            kind = f"alignments without a {name}, taken as empty"
            source.notes.add(kind, _place(source, alignment))
            found[name] = []
    return found


def _is_known(source: Source, element: Element, *wanted: str) -> bool:
    name = local_name(element)
    if name not in wanted:
        kind = "elements that mALIGNa does not have, left out"
        source.notes.add(kind, f"{_place(source, element)}: {name[:40]}")
    return name in wanted


def _text(source: Source, segment: Element) -> str:
    if len(segment):
        kind = "elements within a segment, of which the text is kept"
        source.notes.add(kind, f"{_place(source, segment)}: {local_name(segment[0])[:40]}")
    return "".join(map(str, segment.itertext()))


def _score(source: Source, alignment: Element) -> float:
    spelled = str(alignment.get("score", ""))
    score = score_of(spelled) if spelled else nan
    if score is None:
        raise source.error(
            f"has the score {spelled[:40]!r}; want a number, as 0.48", line_of(alignment)
        )
    return score


def _place(source: Source, element: Element) -> str:
    return f"{source.path} line {line_of(element)}"


def _note_split(source: Source, beads: Beads) -> None:
    """Note texts that stand, each as a whole, in one alignment."""
    sizes = [side for side in beads.sizes() if side.any()]
    if sizes and all(1 < side.max() == side.sum() for side in sizes):
        counts = " and ".join(str(side.sum()) for side in sizes)
        source.notes.add(
            "texts with all their segments in one alignment (split, but not aligned yet?)",
            f"{source.path}: {counts} segments",
        )


def _write(
    bitexts: Iterable[Bitext],
    out: IO[str],
    *,
    options: WriteOptions = _DEFAULT,  # noqa: ARG001 - nothing of them matters here
) -> None:
    out.write('<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<alignmentlist>\n')
    for bitext in bitexts:
        scores = bitext.alignment.scores
        for k, lists in enumerate(sides(bitext, FORMAT.name)):
            score = "" if scores is None else _spell(scores[k])
            out.write(f'    <alignment score="{score}">\n' if score else "    <alignment>\n")
            for name, segments in zip(_LISTS, lists, strict=True):
                out.write(f"        <{name}>\n")
                for segment in segments:
                    text = _escape(segment, f"bisegment {k}, {name}")
                    out.write(f"            <segment>{text}</segment>\n")
                out.write(f"        </{name}>\n")
            out.write("    </alignment>\n")
    out.write("</alignmentlist>\n")


def _spell(score: float) -> str:
    """Spell a score as XML Schema spells a double."""
    return spell_score(score).replace("inf", "INF") if isinf(score) else spell_score(score)


def _escape(segment: str, where: str) -> str:
    found = _FORBIDDEN.search(segment)
    if found:
        raise InputError(
            f"{where}: the segment {segment[:40]!r} has the character U+{ord(found[0]):04X}, which "
            f"XML forbids; take it out, or choose a format that is not XML, as jsonl"
        )
    return segment.translate(_ESCAPES)


FORMAT = Format(
    name="maligna",
    title="XML with the text, one alignment a bisegment (mALIGNa)",
    holds="text",
    suffixes=(".al",),
    sniff=_sniff,
    read=_read,
    write=_write,
)
