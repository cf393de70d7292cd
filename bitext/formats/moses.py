"""Moses: two files, line k of both is bisegment k; an empty line is an empty side.

The segments of a side are joined by a blank, so a side comes back as one segment. Lost: the
borders between the segments of a side, ids, scores, attributes, languages, the borders between
documents, crossings, overlaps. On writing, tabs and line ends within a segment become blanks;
what Moses itself gives a meaning (`|`, `[`, `<` ...) is left as it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bitext.errors import InputError
from bitext.formats.inline import joined_sides
from bitext.formats.registry import Format, ReadOptions, WriteOptions
from bitext.formats.texts import read_lines
from bitext.kernels.rows import prefix
from bitext.model import Alignment, Bitext, Text

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
    src, tgt = read_lines(source), read_lines(options.second)
    if len(src) != len(tgt):
        raise source.error(
            f"has {len(src)} lines, and {tgt.name or 'the target side'} has {len(tgt)}; want as "
            f"many, since line k of both is bisegment k: give the two files of one corpus"
        )
    filled = src.lengths() > 0, tgt.lengths() > 0
    taken = filled[0] | filled[1]
    void = np.flatnonzero(~taken)
    if void.size:
        kind = "lines that are empty in both files, left out"
        source.notes.add(kind, f"{source.path} line {void[0] + 1}", void.size)
    rows = [(prefix(there[taken].astype(np.int64)), np.arange(there.sum())) for there in filled]
    yield Bitext(
        _only(src, filled[0]),
        _only(tgt, filled[1]),
        Alignment.from_arrays(rows[0], rows[1]),
        name=options.name,
        notes=source.notes.all(),
    )


def _only(text: Text, there: NDArray[np.bool_]) -> Text:
    return Text.from_offsets(
        text.line or "", text.starts[there], text.ends[there], name=text.name, lang=text.lang
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
    two_files=True,
)
