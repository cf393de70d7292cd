"""hunalign's text output: one bisegment a line, its sides and its score parted by tabs.

    One . ~~~ Two .	Yksi .	0.5

The segments of a side are joined by ` ~~~ `, which therefore cannot stand in a segment. An empty
side is an empty column; the score may be left out. Lost: ids, attributes, languages, the
borders between documents, crossings, overlaps, and a segment without characters alone on its side.
On writing, tabs and line ends within a segment become blanks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitext.errors import InputError
from bitext.formats.inline import Beads, sides
from bitext.formats.lines import flat, head_lines, no_segment, score_of, spell_score
from bitext.formats.registry import Format, ReadOptions, WriteOptions

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import IO

    from bitext.formats.opening import Source
    from bitext.model import Bitext

__all__ = ["FORMAT"]

_DEFAULT = WriteOptions()

_JOINT = " ~~~ "


def _sniff(head: bytes) -> int:
    """Tell by the joint; without one only the name of the file tells it from TSV."""
    rows = [line.split("\t") for line in head_lines(head, most=1000) if line]
    if not rows or any(len(row) not in {2, 3} for row in rows):
        return 0
    if any(score_of(column) is None for row in rows for column in row[2:]):
        return 0
    if any(_JOINT in column for row in rows for column in row[:2]):
        return 60
    return 31 if all(len(row) == 3 for row in rows) else 30


def _read(source: Source, options: ReadOptions) -> Iterator[Bitext]:
    beads = Beads(source, options)
    for number, line in enumerate(source.lines(), start=1):
        if not line:
            source.notes.add("empty lines, left out", f"{source.path} line {number}")
            continue
        columns = line.split("\t")
        if len(columns) not in {2, 3}:
            raise source.error(
                f"has {len(columns)} column{'s' * (len(columns) > 1)}; want source, target and "
                f"a score or none, parted by tabs",
                number,
            )
        score = score_of(columns[2] if len(columns) == 3 else "")
        if score is None:
            raise source.error(
                f"has {columns[2][:40]!r} as its score; want a number, as 0.48", number
            )
        src, tgt = (column.split(_JOINT) if column else [] for column in columns[:2])
        if src or tgt:
            beads.add(src, tgt, score)
        else:
            no_segment(source, number)
    yield from beads.rest()


def _write(
    bitexts: Iterable[Bitext],
    out: IO[str],
    *,
    options: WriteOptions = _DEFAULT,  # noqa: ARG001 - nothing of them matters here
) -> None:
    for bitext in bitexts:
        scores = bitext.alignment.scores
        for k, (src, tgt) in enumerate(sides(bitext, FORMAT.name)):
            columns = [_join(src, k), _join(tgt, k)]
            if scores is not None:
                columns.append(spell_score(scores[k]))
            out.write("\t".join(columns) + "\n")


def _join(segments: list[str], k: int) -> str:
    shown = [flat(segment) for segment in segments]
    joined = _JOINT.join(shown)
    if shown and joined.split(_JOINT) != shown:
        raise InputError(
            f"bisegment {k} has {_JOINT!r} in the text of a segment, or one that runs into it; "
            f"hunalign-text joins segments by it: take it out, or choose another format"
        )
    return joined


FORMAT = Format(
    name="hunalign-text",
    title="source, target and score, segments joined by ~~~ (hunalign)",
    holds="text",
    suffixes=(".hunalign", ".bi", ".text"),
    sniff=_sniff,
    read=_read,
    write=_write,
)
