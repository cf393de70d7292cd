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

A text that begins with U+FEFF comes back without it: it cannot be told from a byte order mark.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bitext.errors import InputError
from bitext.formats.inline import Beads, joined_sides
from bitext.formats.lines import PART, split_lines
from bitext.formats.losses import Keeps
from bitext.formats.registry import Format, ReadOptions, WriteOptions
from bitext.formats.texts import read_lines
from bitext.kernels.rows import prefix
from bitext.model import Alignment, Bitext, Text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import IO

    from numpy.typing import NDArray

    from bitext.errors import FormatError
    from bitext.formats.opening import Source

__all__ = ["FORMAT"]

_DEFAULT = WriteOptions()

_VOID = "lines that are empty in both files, left out"


def _sniff(head: bytes) -> int:  # noqa: ARG001 - any text could be one side
    return 0


def _read(source: Source, options: ReadOptions) -> Iterator[Bitext]:
    if options.second is None:
        raise InputError(f"{source.path}: moses is two files; name both, as corpus.en,corpus.fr")
    source.notes.extend(options.second.notes)
    if options.parts:
        yield from _read_parts(source, options.second, options)
        return
    src, tgt = read_lines(source), read_lines(options.second)
    if len(src) != len(tgt):
        raise _unequal(source, options.second, len(src), len(tgt))
    filled = src.lengths() > 0, tgt.lengths() > 0
    taken = filled[0] | filled[1]
    void = np.flatnonzero(~taken)
    if void.size:
        source.notes.add(_VOID, f"{source.path} line {void[0] + 1}", void.size)
    rows = [(prefix(there[taken].astype(np.int64)), np.arange(there.sum())) for there in filled]
    yield Bitext(
        _only(src, filled[0]),
        _only(tgt, filled[1]),
        Alignment.from_arrays(rows[0], rows[1]),
        name=options.name,
        notes=source.notes.drain(),
    )


def _only(text: Text, there: NDArray[np.bool_]) -> Text:
    return Text.from_offsets(
        text.line or "", text.starts[there], text.ends[there], name=text.name, lang=text.lang
    )


def _unequal(source: Source, second: Source, src: int, tgt: int) -> FormatError:
    return source.error(
        f"has {src} lines, and {second.path or 'the target side'} has {tgt}; want as "
        f"many, since line k of both is bisegment k: give the two files of one corpus"
    )


def _read_parts(source: Source, second: Source, options: ReadOptions) -> Iterator[Bitext]:
    """Read the two files in step, as far as both have lines at hand."""
    beads = Beads(source, options, names=(source.path, second.path))
    blocks = source.blocks(), second.blocks()
    waiting: list[list[str]] = [[], []]
    done, ready = 0, 1
    while ready:
        for k, rest in enumerate(blocks):
            waiting[k] = waiting[k] or split_lines(next(rest, (0, ""))[1])
        ready = min(map(len, waiting))  # none where one of them is at its end
        for begin in range(0, ready, PART):
            end = min(begin + PART, ready)
            _add(beads, source, done + begin, waiting[0][begin:end], waiting[1][begin:end])
            yield from beads.parts()
        done += ready
        waiting = [lines[ready:] for lines in waiting]
    if any(waiting):
        left = [
            done + len(lines) + sum(len(split_lines(piece)) for _, piece in rest)
            for lines, rest in zip(waiting, blocks, strict=True)
        ]
        raise _unequal(source, second, left[0], left[1])
    yield from beads.rest()


def _add(beads: Beads, source: Source, before: int, src: list[str], tgt: list[str]) -> None:
    """Add lines of both files; `before` lines stand before them."""
    if all(src) and all(tgt):
        beads.extend(src, tgt)
        return
    taken = [bool(pair[0] or pair[1]) for pair in zip(src, tgt, strict=True)]
    if not all(taken):
        place = f"{source.path} line {before + taken.index(False) + 1}"
        source.notes.add(_VOID, place, taken.count(False))
    sizes = [
        [1 if side else 0 for side, there in zip(sides, taken, strict=True) if there]
        for sides in (src, tgt)
    ]
    beads.extend(
        [side for side in src if side],
        [side for side in tgt if side],
        sizes=(sizes[0], sizes[1]),
    )


def _write(
    bitexts: Iterable[Bitext],
    src_out: IO[str],
    tgt_out: IO[str],
    *,
    options: WriteOptions = _DEFAULT,  # noqa: ARG001 - nothing of them matters here
) -> None:
    for bitext in bitexts:
        for out, side in zip((src_out, tgt_out), joined_sides(bitext, FORMAT.name), strict=True):
            if side:
                out.write("\n".join(side) + "\n")


FORMAT = Format(
    name="moses",
    title="two files, line by line (Moses)",
    holds="text",
    suffixes=(),
    sniff=_sniff,
    read=_read,
    write=_write,
    keeps=Keeps(texts=True, empty_sides=True, controls=True),
    two_files=True,
    streams=True,
)
