"""Moses: two files, line k of both is bisegment k; an empty line is an empty side.

Only LF and CRLF end a line. Lines that are empty in both files are no bisegment, and are noted.
Unequal numbers of lines are an error, which tells both. The segments of a side are joined by a
blank, so a side comes back as one segment. On writing, tabs and line ends within a segment
become blanks; what Moses itself gives a meaning (`|`, `[`, `<` ...) is left as it is.

| kept | lost |
| --- | --- |
| texts, empty sides | borders of the segments of a side, segments without characters |
| the order of bisegments | the order of segments (crossings, gaps), overlaps, what is in none |
| characters of any kind | tabs and line ends, inline marks, borders of documents and paragraphs |
| | ids, scores, attributes, word links, languages |

A file whose first text begins with U+FEFF is written with a byte order mark, which a reader takes
away: so the text keeps its own.

NATools: two files, the segments of each parted by a line with a dollar sign.

    The house is red .
    $
    It is small .
    $

Segment k of both is bisegment k; one without characters is an empty side. A segment may go over
several lines, as in the files that have one token a line: they are joined by a blank, and noted. A
last segment without a dollar sign behind it is taken, and noted. Blanks stay as they are.

| kept | lost |
| --- | --- |
| texts, empty sides | borders of the segments of a side, segments without characters |
| the order of bisegments | the order of segments (crossings, gaps), overlaps, what is in none |
| characters of any kind | tabs and line ends, inline marks, borders of documents and paragraphs |
| | ids, scores, attributes, word links, languages |

A side that is nothing but a dollar sign cannot be written. A file whose first text begins with
U+FEFF is written with a byte order mark, which a reader takes away: so the text keeps its own.

fast_align: one file, the two sides of a bisegment on a line, words parted by blanks.

    the old harbour ||| le vieux port

Line k is bisegment k; ` ||| ` stands once on it, so `|||` cannot be a word. A side may be empty
here; fast_align itself refuses such lines, so they are noted. A line without either side is no
bisegment, left out and noted. The segments of a side are joined by a blank; tabs and line ends in
them become blanks when they are written. The table of losses is that of Moses.

Files of word links (Pharaoh) go over the same sentences line by line: such a file may be named for
both texts at once (--src).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bitext.errors import InputError
from bitext.formats.beads import Beads, ChunkPositions, joined_sides
from bitext.formats.line_files import LinesOut, head_lines, line_chunks, no_segment
from bitext.formats.registry import Capabilities, Format, ReadOptions, WriteOptions
from bitext.model import Text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import IO

    from numpy.typing import NDArray

    from bitext.errors import FormatError
    from bitext.formats.io.source import Notes, Source
    from bitext.model import Bitext

from itertools import accumulate, compress
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bitext.formats.line_files import PART, read_lines, split_lines
from bitext.kernels.rows import prefix
from bitext.model import Alignment, Bitext
from bitext.option_names import remedy

__all__ = [
    "FAST_ALIGN",
    "FORMAT",
    "NATOOLS",
    "Items",
    "is_of_both_sides",
    "note_void",
    "read_both_sides",
    "read_in_step",
    "unequal",
]


# Formats of two files whose items correspond one by one: read in step, without holding either.


class Items(NamedTuple):
    """Some items of a file.

    Attributes
    ----------
    texts : list of str
        Their characters; an item without any is an empty side.
    lines : sequence of int
        The line of the file on which each begins; anything where these are not wanted.

    """

    texts: list[str]
    lines: Sequence[int]

    def part(self, begin: int, end: int | None = None) -> Items:
        """Return some of them."""
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

    Parameters
    ----------
    source, second : Source
        The two files.
    options : ReadOptions
        Say whether parts are wanted, and lines, which are those of the first file.
    items : callable
        Gives the items of a file, some at a time.
    noun : str
        What they are, in the plural, for messages.

    Raises
    ------
    FormatError
        At the end, when one file has more items than the other.

    """
    beads = Beads(source, options, names=(source.path, second.path))
    files = items(source), items(second)
    waiting = [_NONE, _NONE]
    done, ready = 0, 1
    while ready:
        waiting = [
            held if held.texts else _next(rest) for held, rest in zip(waiting, files, strict=True)
        ]
        source.notes.extend(second.notes.drain())
        ready = min(len(held.texts) for held in waiting)  # none where one of them is at its end
        for begin in range(0, ready, PART):
            end = min(begin + PART, ready)
            src, tgt = (held.part(begin, end) for held in waiting)
            _add(beads, source, done + begin, src, tgt.texts, noun)
            yield from beads.parts()
        done += ready
        waiting = [held.part(ready) for held in waiting]
    if any(held.texts for held in waiting):
        sizes = [
            done + len(held.texts) + sum(len(more.texts) for more in rest)
            for held, rest in zip(waiting, files, strict=True)
        ]
        raise unequal(source, second, (sizes[0], sizes[1]), noun)
    yield from beads.rest()


_NONE = Items([], ())


def _next(rest: Iterator[Items]) -> Items:
    """Return the next items, none at the end only."""
    return next((items for items in rest if items.texts), _NONE)


def _add(
    beads: Beads, source: Source, before: int, items: Items, tgt: list[str], noun: str
) -> None:
    """Add items of both files; `before` items stand before them."""
    src, lines = items
    if all(src) and all(tgt):
        beads.extend(src, tgt, lines=lines)
        return
    taken = [bool(one or other) for one, other in zip(src, tgt, strict=True)]
    if not all(taken):
        note_void(source, before + taken.index(False), taken.count(False), noun)
    sizes = [
        [1 if side else 0 for side, there in zip(sides, taken, strict=True) if there]
        for sides in (src, tgt)
    ]
    beads.extend(
        [side for side in src if side],
        [side for side in tgt if side],
        sizes=(sizes[0], sizes[1]),
        lines=list(compress(lines, taken)),
    )


def note_void(source: Source, first: int, count: int, noun: str) -> None:
    """Note items without characters in both files, the first of them by its number from 0."""
    kind = f"{noun} that are empty in both files, left out"
    source.notes.add(kind, f"{source.path} {noun[:-1]} {first + 1}", count)


def unequal(source: Source, second: Source, counts: tuple[int, int], noun: str) -> FormatError:
    """Make the error of two files with different numbers of items."""
    return source.error(
        f"has {counts[0]} {noun}, and {second.path or 'the target side'} has {counts[1]}; want as "
        f"many, since {noun[:-1]} k of both is bisegment k: give the two files of one corpus"
    )


_DEFAULT = WriteOptions()

_BORDER = re.compile(r"(?:(?<=\n)|\A)\$\n")


def _sniff(head: bytes) -> int:  # noqa: ARG001 - two files are told by the user
    return 0


def _read_natools(source: Source, options: ReadOptions) -> Iterator[Bitext]:
    if options.second is None:
        raise InputError(f"{source.path}: natools is two files; name both, as corpus.en,corpus.fr")
    notes = source.notes

    def items(file: Source) -> Iterator[Items]:
        return _segments(file, notes, lines=options.lines)

    yield from read_in_step(source, options.second, options, items, noun="segments")


def _segments(file: Source, notes: Notes, *, lines: bool) -> Iterator[Items]:
    """Yield the segments of a file, those of a block at a time, with their lines if wanted."""
    held: list[str] = []  # of a segment that goes on in the next block
    done, line = 0, 1
    for _, piece in file.blocks():
        plain = piece.replace("\r\n", "\n") if "\r" in piece else piece
        found = _BORDER.split(plain if plain.endswith("\n") else f"{plain}\n")
        held.append(found[0])
        if len(found) > 1:
            found[0] = "".join(held)
            held = [found.pop()]
            places = _places(found, line) if lines else [line]
            line = places.pop()
            yield Items(_whole(found, file, notes, done), places)
            done += len(found)
    last = "".join(held)
    if last.strip():
        kind = "last segments without a dollar sign behind them, taken"
        notes.add(kind, f"{file.path} segment {done + 1}")
        yield Items(_whole([last], file, notes, done), [line])


def _places(found: list[str], line: int) -> list[int]:
    """Return the lines on which segments begin, the first on that line, and the line behind them.

    A line with a dollar sign is behind each.
    """
    return list(accumulate((segment.count("\n") + 1 for segment in found), initial=line))


def _whole(found: list[str], file: Source, notes: Notes, before: int) -> list[str]:
    """Return segments on one line each."""
    found = [segment.removesuffix("\n") for segment in found]
    several = [k for k, segment in enumerate(found) if "\n" in segment]
    for k in several:
        found[k] = " ".join(filter(None, found[k].split("\n")))
    if several:
        kind = "segments on several lines, joined by blanks"
        notes.add(kind, f"{file.path} segment {before + several[0] + 1}", len(several))
    return found


def _write_natools(
    bitexts: Iterable[Bitext],
    src_out: IO[str],
    tgt_out: IO[str],
    *,
    options: WriteOptions = _DEFAULT,  # noqa: ARG001 - nothing of them matters here
) -> None:
    outs = LinesOut(src_out), LinesOut(tgt_out)
    done = 0
    for bitext in bitexts:
        for out, side in zip(outs, joined_sides(bitext, NATOOLS.name), strict=True):
            if "$" in side:
                raise InputError(
                    f"bisegment {done + side.index('$')} has a side that is a dollar sign alone, "
                    f"which parts segments in natools: leave it out, or choose another format"
                )
            out.writelines(f"{segment}\n$\n" for segment in side)
        done += len(bitext.alignment)


NATOOLS = Format(
    name="natools",
    title="two files, segments parted by a line with $ (NATools)",
    holds="text",
    suffixes=(),
    sniff=_sniff,
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
    if options.parts or source.on_bad is not None:
        yield from read_in_step(source, options.second, options, _lines, noun="lines")
        return
    src, tgt = read_lines(source), read_lines(options.second)
    source.notes.extend(options.second.notes)
    if len(src) != len(tgt):
        raise unequal(source, options.second, (len(src), len(tgt)), "lines")
    filled = src.lengths() > 0, tgt.lengths() > 0
    taken = filled[0] | filled[1]
    void = np.flatnonzero(~taken)
    if void.size:
        note_void(source, int(void[0]), void.size, "lines")
    rows = [(prefix(there[taken].astype(np.int64)), np.arange(there.sum())) for there in filled]
    yield Bitext(
        _only(src, filled[0]),
        _only(tgt, filled[1]),
        Alignment.from_arrays(rows[0], rows[1]),
        name=options.name,
        notes=source.notes.drain(),
        lines=np.flatnonzero(taken) + 1 if options.lines else None,
    )


def _only(text: Text, there: NDArray[np.bool_]) -> Text:
    return Text.from_offsets(
        text.line or "", text.starts[there], text.ends[there], name=text.name, lang=text.lang
    )


def _lines(source: Source) -> Iterator[Items]:
    for first, piece in source.blocks():
        lines = split_lines(piece)
        yield Items(lines, range(first, first + len(lines)))


def _note_dollars(source: Source, second: Source) -> None:
    """Note that the files look like those of NATools, which are two as well."""
    if all(b"\n$\n" in file.head().replace(b"\r", b"") for file in (source, second)):
        way = remedy("from natools")
        kind = f"files with lines of a dollar sign alone (NATools? read those with {way})"
        source.notes.add(kind, f"{source.path} and {second.path}")


def _write(
    bitexts: Iterable[Bitext],
    src_out: IO[str],
    tgt_out: IO[str],
    *,
    options: WriteOptions = _DEFAULT,  # noqa: ARG001 - nothing of them matters here
) -> None:
    outs = LinesOut(src_out), LinesOut(tgt_out)
    for bitext in bitexts:
        for out, side in zip(outs, joined_sides(bitext, FORMAT.name), strict=True):
            if side:
                out.writelines(("\n".join(side) + "\n",))


FORMAT = Format(
    name="moses",
    title="two files, line by line (Moses)",
    holds="text",
    suffixes=(),
    sniff=_sniff,
    read=_read,
    write=_write,
    keeps=Capabilities(texts=True, empty_sides=True, controls=True),
    two_files=True,
    streams=True,
)


_BARS = "|||"
_BETWEEN = re.compile(r"(?:^|(?<=[ \t]))\|\|\|(?=[ \t]|$)")
_EMPTY_SIDE = "lines with an empty side, which fast_align itself refuses"


def is_of_both_sides(head: bytes) -> bool:
    """Tell whether the first bytes are those of such a file."""
    return _sniff_fast_align(head) > 0


def _sniff_fast_align(head: bytes) -> int:
    lines = [line for line in head_lines(head) if line.strip(" \t")]
    return 70 if lines and all(len(_BETWEEN.findall(line)) == 1 for line in lines) else 0


def _split_sides(source: Source, line: str, number: int) -> tuple[str, str] | None:
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


def _read_fast_align(source: Source, options: ReadOptions) -> Iterator[Bitext]:
    beads = Beads(source, options)
    for first, lines in line_chunks(source, options):
        for number, line in enumerate(lines, start=first):
            found = _split_sides(source, line, number)
            if found is None:
                continue
            src, tgt = found
            if not (src or tgt):
                no_segment(source, number)
                continue
            if not (src and tgt):
                source.notes.add(_EMPTY_SIDE, f"{source.path} line {number}")
            beads.line = number
            beads.add([src] * bool(src), [tgt] * bool(tgt))
        yield from beads.parts()
    yield from beads.rest()


def read_both_sides(source: Source) -> tuple[Text, Text]:
    """Read both sides as texts of one segment a line; an empty side is an empty segment."""
    src: list[str] = []
    tgt: list[str] = []
    for number, line in source.stream_lines():
        one, other = _split_sides(source, line, number) or ("", "")
        src.append(one)
        tgt.append(other)
    return Text(src, name=source.path), Text(tgt, name=source.path)


def _write_fast_align(
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
        for k, sides in enumerate(zip(*joined_sides(bitext, FAST_ALIGN.name), strict=True), first):
            if any(_BETWEEN.search(side) for side in sides):
                raise InputError(
                    f"bisegment {k} has the word {_BARS}, which parts the sides in "
                    f"{FAST_ALIGN.name}: take it out, or choose another format"
                )
            rows.append(f"{f' {_BARS} '.join(sides)}\n")
        lines.writelines(rows)


FAST_ALIGN = Format(
    name="fast-align",
    title="source ||| target, words parted by blanks (fast_align)",
    holds="text",
    suffixes=(".src-tgt", ".fast_align"),
    sniff=_sniff_fast_align,
    read=_read_fast_align,
    write=_write_fast_align,
    keeps=Capabilities(texts=True, empty_sides=True, controls=True),
    streams=True,
)
