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
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bitext.errors import InputError
from bitext.formats.inline import joined_sides
from bitext.formats.lines import LinesOut, split_lines
from bitext.formats.losses import Keeps
from bitext.formats.registry import Format, ReadOptions, WriteOptions
from bitext.formats.texts import read_lines
from bitext.formats.two_sides import Items, note_void, read_in_step, unequal
from bitext.kernels.rows import prefix
from bitext.model import Alignment, Bitext, Text
from bitext.remedies import remedy

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import IO

    from numpy.typing import NDArray

    from bitext.formats.opening import Source

__all__ = ["FORMAT"]

_DEFAULT = WriteOptions()


def _sniff(head: bytes) -> int:  # noqa: ARG001 - any text could be one side
    return 0


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
    keeps=Keeps(texts=True, empty_sides=True, controls=True),
    two_files=True,
    streams=True,
)
