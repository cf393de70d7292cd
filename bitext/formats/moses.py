"""Plain sentence pairs: Moses and NATools in two files, fast_align in one.

Moses: two files, line k of both is bisegment k; an empty line is an empty side.

Only LF and CRLF end a line. Lines that are empty in both files make no bisegment, and are noted.
Unequal numbers of lines are an error with both numbers. The segments of a side are joined by a
blank, so a side comes back as one segment. On writing, tabs and line ends within a segment
become blanks; characters with a meaning in Moses (`|`, `[`, `<` ...) are not escaped.

| kept | lost |
| --- | --- |
| texts, empty sides | borders of the segments of a side, segments without characters |
| the order of bisegments | the order of segments (crossings, gaps), overlaps, uncovered segments |
| characters of any kind | tabs, line ends, inline codes, borders of documents and paragraphs |
| | ids, scores, attributes, word links, languages |

A file whose first text begins with U+FEFF is written with a byte order mark, which readers
remove, so that the text keeps its own.

NATools: two files, the segments of each separated by a line with a dollar sign.

    The house is red .
    $
    It is small .
    $

Segment k of both is bisegment k; one without characters is an empty side. A segment may span
several lines, as in files with one token a line: the lines are joined by a blank, and noted. A
last segment without a dollar sign after it is read, and noted. Blanks are preserved. A side that
consists of a dollar sign alone cannot be written. Losses are those of Moses.

fast_align: one file, the two sides of a bisegment on a line, words separated by blanks.

    the old harbour ||| le vieux port

Line k is bisegment k; ` ||| ` stands once on it, so `|||` cannot be a word. A side may be empty;
fast_align itself refuses such lines, so they are noted. A line without either side is left out
and noted. The segments of a side are joined by a blank; on writing, tabs and line ends in them
become blanks. Losses are those of Moses.

Files of word links (Pharaoh) go over the same sentences line by line: such a file may be named for
both texts at once (--src).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate, compress
from typing import IO, NamedTuple

from bitext.errors import InputError, remedy
from bitext.formats.beads import Beads, ChunkPositions, joined_sides
from bitext.formats.io.source import Notes, Source
from bitext.formats.line_files import (
    LinesOut,
    head_lines,
    line_chunks,
    no_segment,
    split_lines,
)
from bitext.formats.registry import Capabilities, Format, ReadOptions, WriteOptions
from bitext.model import Bitext, Text

# Formats of two files whose items correspond one by one: both files are read in parallel, so that
# neither is in memory as a whole.


class Items(NamedTuple):
    """A run of items of a file."""

    texts: list[str]  # the characters of each; an item without any is an empty side
    # The line of the file on which each begins; arbitrary where lines are not recorded.
    lines: Sequence[int]

    def part(self, begin: int, end: int | None = None) -> Items:
        """Return the items from `begin` up to `end`."""
        return Items(self.texts[begin:end], self.lines[begin:end])


def read_in_step(
    source: Source,
    second: Source,
    options: ReadOptions,
    items: Callable[[Source], Iterator[Items]],
    *,
    noun: str,
) -> Iterator[Bitext]:
    """Yield the bitext of two files, or its parts.

    Raises `FormatError` at the end, when one file has more items than the other.

    `items` yields the items of a file, in runs; `noun` is their plural in messages. Recorded lines
    are lines of the first file.
    """
    beads = Beads(source, options, names=(source.path, second.path))
    files = items(source), items(second)
    waiting = [_NONE, _NONE]
    done, ready = 0, 1
    while ready:
        for k, rest in enumerate(files):
            if not waiting[k].texts:  # the next run; empty only at the end of the file
                waiting[k] = next((run for run in rest if run.texts), _NONE)
        source.notes.extend(second.notes.drain())
        ready = min(len(run.texts) for run in waiting)  # 0 where one file is at its end
        for begin in range(0, ready, options.part_size):
            end = min(begin + options.part_size, ready)
            src, tgt = (run.part(begin, end) for run in waiting)
            _add(beads, source, done + begin, src, tgt.texts, noun)
            yield from beads.parts()
        done += ready
        waiting = [run.part(ready) for run in waiting]
    if any(run.texts for run in waiting):
        sizes = [
            done + len(run.texts) + sum(len(more.texts) for more in rest)
            for run, rest in zip(waiting, files, strict=True)
        ]
        raise source.error(
            f"has {sizes[0]} {noun}, and {second.path or 'the target side'} has {sizes[1]}; want "
            f"as many, since {noun[:-1]} k of both is bisegment k: give the two files of one corpus"
        )
    yield from beads.rest()


_NONE = Items([], ())


def _add(
    beads: Beads, source: Source, before: int, items: Items, tgt: list[str], noun: str
) -> None:
    """Add items of both files, of which the first has the index `before`."""
    src, lines = items
    if all(src) and all(tgt):
        beads.extend(src, tgt, lines=lines)
        return
    taken = [bool(one or other) for one, other in zip(src, tgt, strict=True)]
    if not all(taken):
        kind = f"{noun} that are empty in both files, left out"
        first = f"{source.path} {noun[:-1]} {before + taken.index(False) + 1}"
        source.notes.add(kind, first, taken.count(False))
    sizes = [
        [1 if side else 0 for side, is_bead in zip(sides, taken, strict=True) if is_bead]
        for sides in (src, tgt)
    ]
    beads.extend(
        [side for side in src if side],
        [side for side in tgt if side],
        sizes=(sizes[0], sizes[1]),
        lines=list(compress(lines, taken)),
    )


_BORDER = re.compile(r"(?:(?<=\n)|\A)\$\n")


def _read_natools(source: Source, options: ReadOptions) -> Iterator[Bitext]:
    if options.second is None:
        raise InputError(f"{source.path}: natools is two files; name both, as corpus.en,corpus.fr")
    notes = source.notes

    def items(file: Source) -> Iterator[Items]:
        return _segments(file, notes, lines=options.lines)

    yield from read_in_step(source, options.second, options, items, noun="segments")


def _segments(file: Source, notes: Notes, *, lines: bool) -> Iterator[Items]:
    """Yield the segments of a file, block by block, with their lines if requested."""
    begun: list[str] = []  # the pieces of a segment that continues in the next block
    done, line = 0, 1
    for _, piece in file.blocks():
        plain = piece.replace("\r\n", "\n") if "\r" in piece else piece
        segments = _BORDER.split(plain if plain.endswith("\n") else f"{plain}\n")
        begun.append(segments[0])
        if len(segments) > 1:
            segments[0] = "".join(begun)
            begun = [segments.pop()]
            begins = [line]
            if lines:  # a line with a dollar sign follows each segment
                sizes = (segment.count("\n") + 1 for segment in segments)
                begins = list(accumulate(sizes, initial=line))
            line = begins.pop()
            yield Items(_on_one_line(segments, file, notes, done), begins)
            done += len(segments)
    last = "".join(begun)
    if last.strip():
        kind = "last segments without a dollar sign behind them, taken"
        notes.add(kind, f"{file.path} segment {done + 1}")
        yield Items(_on_one_line([last], file, notes, done), [line])


def _on_one_line(segments: list[str], file: Source, notes: Notes, before: int) -> list[str]:
    """Join the lines of each segment by blanks; note segments of several lines."""
    segments = [segment.removesuffix("\n") for segment in segments]
    several = [k for k, segment in enumerate(segments) if "\n" in segment]
    for k in several:
        segments[k] = " ".join(filter(None, segments[k].split("\n")))
    if several:
        kind = "segments on several lines, joined by blanks"
        notes.add(kind, f"{file.path} segment {before + several[0] + 1}", len(several))
    return segments


def _write_natools(
    bitexts: Iterable[Bitext], src_out: IO[str], tgt_out: IO[str], **_options: WriteOptions
) -> None:
    outs = LinesOut(src_out), LinesOut(tgt_out)
    done = 0
    for bitext in bitexts:
        for out, side in zip(outs, joined_sides(bitext, NATOOLS.name), strict=True):
            if "$" in side:
                raise InputError(
                    f"bisegment {done + side.index('$')} has a side that is a dollar sign alone, "
                    f"which separates segments in natools: leave it out, or choose another format"
                )
            out.writelines(f"{segment}\n$\n" for segment in side)
        done += len(bitext.alignment)


NATOOLS = Format(
    name="natools",
    title="two files, segments separated by a line with $ (NATools)",
    read=_read_natools,
    write=_write_natools,
    keeps=Capabilities(texts=True, empty_sides=True, controls=True),
    two_files=True,
    streams=True,
)


def _read(source: Source, options: ReadOptions) -> Iterator[Bitext]:
    if options.second is None:
        raise InputError(f"{source.path}: moses is two files; name both, as corpus.en,corpus.fr")
    _note_dollars(source, options.second)
    yield from read_in_step(source, options.second, options, _lines, noun="lines")


def _lines(source: Source) -> Iterator[Items]:
    for first, piece in source.blocks():
        lines = split_lines(piece)
        yield Items(lines, range(first, first + len(lines)))


def _note_dollars(source: Source, second: Source) -> None:
    """Note files that look like NATools, which has two files as well."""
    if all(b"\n$\n" in file.head().replace(b"\r", b"") for file in (source, second)):
        way = remedy("from natools")
        kind = f"files with lines of a dollar sign alone (NATools? read those with {way})"
        source.notes.add(kind, f"{source.path} and {second.path}")


def _write(
    bitexts: Iterable[Bitext], src_out: IO[str], tgt_out: IO[str], **_options: WriteOptions
) -> None:
    outs = LinesOut(src_out), LinesOut(tgt_out)
    for bitext in bitexts:
        for out, side in zip(outs, joined_sides(bitext, FORMAT.name), strict=True):
            if side:
                out.writelines(("\n".join(side) + "\n",))


FORMAT = Format(
    name="moses",
    title="two files, line by line (Moses)",
    read=_read,
    write=_write,
    keeps=Capabilities(texts=True, empty_sides=True, controls=True),
    two_files=True,
    streams=True,
)


_BARS = "|||"
_BETWEEN = re.compile(r"(?:^|(?<=[ \t]))\|\|\|(?=[ \t]|$)")
_JSON = re.compile(r'\s*[\[{](?:[^"|]|"(?:[^"\\]|\\.)*")*"(?:[^"\\|]|\\.)*\|')  # bars in a string
_LINKS = re.compile(r"\d{1,9}-\d{1,9}(?:[ \t]+\d{1,9}-\d{1,9})*")
_EMPTY_SIDE = "lines with an empty side, which fast_align itself refuses"


def is_of_both_sides(head: bytes) -> bool:
    """Recognise lines `source ||| target` in the first bytes of a file."""
    return _sniff_fast_align(head) > 0


def _sniff_fast_align(head: bytes) -> int:
    lines = [line for line in head_lines(head) if line.strip(" \t")]
    if not lines or _JSON.match(lines[0]):
        return 0
    return 70 if all(len(_BETWEEN.findall(line)) == 1 for line in lines) else 0


def _split_sides(source: Source, line: str, number: int) -> tuple[str, str] | None:
    """Split a line into both sides; return `None` where the line is refused."""
    if not line:
        return "", ""
    bars = [match.span() for match in _BETWEEN.finditer(line)]
    if len(bars) != 1:
        source.refuse(
            f"has {_BARS} {len(bars)} times; want it once, with blanks around it, between the "
            f"source and the target sentence",
            number,
        )
        return None
    begin, end = bars[0]
    return line[: max(begin - 1, 0)], line[end + 1 :]


def _refuse_links(source: Source) -> None:
    """Refuse a text with its word links: all first lines have links on the same side."""
    lines = [line for line in head_lines(source.head()) if line.strip(" \t")]
    sides = [_BETWEEN.split(line) for line in lines]
    if any(len(both) != 2 for both in sides):
        return
    for side, at in (("before", 0), ("after", 1)):
        cells = [both[at].strip() for both in sides]
        if any(cells) and all(cell == "" or _LINKS.fullmatch(cell) for cell in cells):
            raise source.error(
                f"has word links ({next(filter(None, cells)):.20}) {side} {_BARS} and not a "
                f"translation: put them into a file of their own (.pharaoh), and give it with the "
                f"two texts ({remedy('src', 'tgt')})",
                1,
            )


def _read_fast_align(source: Source, options: ReadOptions) -> Iterator[Bitext]:
    _refuse_links(source)
    beads = Beads(source, options)
    for first, lines in line_chunks(source, options):
        for number, line in enumerate(lines, start=first):
            sides = _split_sides(source, line, number)
            if sides is None:
                continue
            src, tgt = sides
            if not (src or tgt):
                no_segment(source, number)
                continue
            if not (src and tgt):
                source.note(_EMPTY_SIDE, line=number)
            beads.line = number
            beads.add([src] * bool(src), [tgt] * bool(tgt))
        yield from beads.parts()
    yield from beads.rest()


def read_both_sides(source: Source) -> tuple[Text, Text]:
    """Read each side as a text of one segment per line; an empty side is an empty segment."""
    src: list[str] = []
    tgt: list[str] = []
    for number, line in source.stream_lines():
        one, other = _split_sides(source, line, number) or ("", "")
        src.append(one)
        tgt.append(other)
    return Text(src, name=source.path), Text(tgt, name=source.path)


def _write_fast_align(bitexts: Iterable[Bitext], out: IO[str], **_options: WriteOptions) -> None:
    lines = LinesOut(out)
    places = ChunkPositions()
    for bitext in bitexts:
        first = places.of(bitext).beads
        rows = []
        for k, sides in enumerate(zip(*joined_sides(bitext, FAST_ALIGN.name), strict=True), first):
            if any(_BETWEEN.search(side) for side in sides):
                raise InputError(
                    f"bisegment {k} has the word {_BARS}, which separates the sides in "
                    f"{FAST_ALIGN.name}: take it out, or choose another format"
                )
            rows.append(f"{f' {_BARS} '.join(sides)}\n")
        lines.writelines(rows)


FAST_ALIGN = Format(
    name="fast-align",
    title="source ||| target, words separated by blanks (fast_align)",
    suffixes=(".src-tgt", ".fast_align"),
    sniff=_sniff_fast_align,
    read=_read_fast_align,
    write=_write_fast_align,
    keeps=Capabilities(texts=True, empty_sides=True, controls=True),
    streams=True,
)
