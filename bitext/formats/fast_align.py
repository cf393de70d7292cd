"""fast_align's input: the two sides of a bisegment on a line, words parted by blanks.

    the old harbour ||| le vieux port

Line k is bisegment k; ` ||| ` stands once on it, so `|||` cannot be a word. A side may be empty
here; fast_align itself refuses such lines, so they are noted. A line without either side is no
bisegment, left out and noted. The segments of a side are joined by a blank; tabs and line ends in
them become blanks when they are written.

Files of word links (Pharaoh) go over the same sentences line by line: such a file may be named for
both texts at once (--src).

| kept | lost |
| --- | --- |
| texts, empty sides | borders of the segments of a side, segments without characters |
| the order of bisegments | the order of segments (crossings, gaps), overlaps, what is in none |
| characters of any kind | tabs and line ends, inline marks, borders of documents and paragraphs |
| | ids, scores, attributes, word links, languages |
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bitext.errors import InputError
from bitext.formats.beads import Beads, ChunkPositions, joined_sides
from bitext.formats.line_files import LinesOut, head_lines, line_chunks, no_segment
from bitext.formats.losses import Capabilities
from bitext.formats.registry import Format, ReadOptions, WriteOptions
from bitext.model import Text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import IO

    from bitext.formats.io.source import Source
    from bitext.model import Bitext

__all__ = ["FORMAT", "is_of_both_sides", "read_both_sides"]

_DEFAULT = WriteOptions()
_BARS = "|||"
_BETWEEN = re.compile(r"(?:^|(?<=[ \t]))\|\|\|(?=[ \t]|$)")
_EMPTY = "lines with an empty side, which fast_align itself refuses"


def is_of_both_sides(head: bytes) -> bool:
    """Tell whether the first bytes are those of such a file."""
    return _sniff(head) > 0


def _sniff(head: bytes) -> int:
    lines = [line for line in head_lines(head) if line.strip(" \t")]
    return 70 if lines and all(len(_BETWEEN.findall(line)) == 1 for line in lines) else 0


def _sides(source: Source, line: str, number: int) -> tuple[str, str] | None:
    """Return both sides of a line; `None` where it is refused."""
    if not line:
        return "", ""
    found = [match.span() for match in _BETWEEN.finditer(line)]
    if len(found) != 1:
        source.refuse(
            f"has {_BARS} {len(found)} times; want it once, with blanks around it, between the "
            f"source and the target sentence",
            number,
        )
        return None
    begin, end = found[0]
    return line[: max(begin - 1, 0)], line[end + 1 :]


def _read(source: Source, options: ReadOptions) -> Iterator[Bitext]:
    beads = Beads(source, options)
    for first, lines in line_chunks(source, options):
        for number, line in enumerate(lines, start=first):
            found = _sides(source, line, number)
            if found is None:
                continue
            src, tgt = found
            if not (src or tgt):
                no_segment(source, number)
                continue
            if not (src and tgt):
                source.notes.add(_EMPTY, f"{source.path} line {number}")
            beads.line = number
            beads.add([src] * bool(src), [tgt] * bool(tgt))
        yield from beads.parts()
    yield from beads.rest()


def read_both_sides(source: Source) -> tuple[Text, Text]:
    """Read both sides as texts of one segment a line; an empty side is an empty segment."""
    src: list[str] = []
    tgt: list[str] = []
    for number, line in source.stream_lines():
        one, other = _sides(source, line, number) or ("", "")
        src.append(one)
        tgt.append(other)
    return Text(src, name=source.path), Text(tgt, name=source.path)


def _write(
    bitexts: Iterable[Bitext],
    out: IO[str],
    *,
    options: WriteOptions = _DEFAULT,  # noqa: ARG001 - nothing of them matters here
) -> None:
    lines = LinesOut(out)
    places = ChunkPositions()
    for bitext in bitexts:
        first = places.of(bitext).beads
        rows = []
        for k, sides in enumerate(zip(*joined_sides(bitext, FORMAT.name), strict=True), first):
            if any(_BETWEEN.search(side) for side in sides):
                raise InputError(
                    f"bisegment {k} has the word {_BARS}, which parts the sides in {FORMAT.name}: "
                    f"take it out, or choose another format"
                )
            rows.append(f"{f' {_BARS} '.join(sides)}\n")
        lines.writelines(rows)


FORMAT = Format(
    name="fast-align",
    title="source ||| target, words parted by blanks (fast_align)",
    holds="text",
    suffixes=(".src-tgt", ".fast_align"),
    sniff=_sniff,
    read=_read,
    write=_write,
    keeps=Capabilities(texts=True, empty_sides=True, controls=True),
    streams=True,
)
