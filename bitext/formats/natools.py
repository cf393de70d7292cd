"""NATools: two files, the segments of each parted by a line with a dollar sign.

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
"""

from __future__ import annotations

import re
from itertools import accumulate
from typing import TYPE_CHECKING

from bitext.errors import InputError
from bitext.formats.inline import joined_sides
from bitext.formats.lines import LinesOut
from bitext.formats.losses import Keeps
from bitext.formats.registry import Format, ReadOptions, WriteOptions
from bitext.formats.two_sides import Items, read_in_step

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import IO

    from bitext.formats.opening import Notes, Source
    from bitext.model import Bitext

__all__ = ["FORMAT"]

_DEFAULT = WriteOptions()

_BORDER = re.compile(r"(?:(?<=\n)|\A)\$\n")


def _sniff(head: bytes) -> int:  # noqa: ARG001 - two files are told by the user
    return 0


def _read(source: Source, options: ReadOptions) -> Iterator[Bitext]:
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


def _write(
    bitexts: Iterable[Bitext],
    src_out: IO[str],
    tgt_out: IO[str],
    *,
    options: WriteOptions = _DEFAULT,  # noqa: ARG001 - nothing of them matters here
) -> None:
    outs = LinesOut(src_out), LinesOut(tgt_out)
    done = 0
    for bitext in bitexts:
        for out, side in zip(outs, joined_sides(bitext, FORMAT.name), strict=True):
            if "$" in side:
                raise InputError(
                    f"bisegment {done + side.index('$')} has a side that is a dollar sign alone, "
                    f"which parts segments in natools: leave it out, or choose another format"
                )
            out.writelines(f"{segment}\n$\n" for segment in side)
        done += len(bitext.alignment)


FORMAT = Format(
    name="natools",
    title="two files, segments parted by a line with $ (NATools)",
    holds="text",
    suffixes=(),
    sniff=_sniff,
    read=_read,
    write=_write,
    keeps=Keeps(texts=True, empty_sides=True, controls=True),
    two_files=True,
    streams=True,
)
