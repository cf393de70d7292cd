"""hunalign's text output: one bisegment a line, its sides and its score parted by tabs.

    One . ~~~ Two .	Yksi .	0.5

The segments of a side are joined by ` ~~~ `, which therefore cannot stand in a segment. An empty
side is an empty column; the score may be left out. On writing, tabs and line ends within a segment
become blanks. A line without two columns, or with a score that is no number, is refused.

| kept | lost |
| --- | --- |
| texts, borders of segments, empty sides | segments without characters, alone on their side |
| the order of bisegments | the order of segments (crossings, gaps), overlaps, what is in none |
| scores | attributes, word links, ids, languages, inline marks |
| characters of any kind | tabs and line ends, borders of documents and paragraphs |

A file whose first text begins with U+FEFF is written with a byte order mark, which a reader takes
away: so the text keeps its own.
"""

from __future__ import annotations

from itertools import chain
from pathlib import PurePath
from typing import TYPE_CHECKING

from bitext.errors import InputError
from bitext.formats.columns import SRC_NAMES, TGT_NAMES
from bitext.formats.inline import Beads, joined_sides
from bitext.formats.lines import (
    LinesOut,
    flat,
    head_lines,
    line_chunks,
    no_segment,
    score_of,
    spell_scores,
)
from bitext.formats.losses import Keeps
from bitext.formats.packing import HEAD, unpacked
from bitext.formats.registry import Format, ReadOptions, WriteOptions
from bitext.remedies import remedy

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import IO

    from bitext.formats.opening import Source
    from bitext.kernels.rows import Rows
    from bitext.model import Bitext, Text

__all__ = ["FORMAT", "JOINT"]

_DEFAULT = WriteOptions()

JOINT = " ~~~ "


def _sniff(head: bytes) -> int:
    """Tell by the joint; without one only the name of the file tells it from TSV."""
    rows = [line.split("\t") for line in head_lines(head, most=1000) if line]
    if len(head) >= HEAD and b"\n" not in head:  # the first line is torn
        return 60 if len(rows[0]) <= 3 and any(JOINT in side for side in rows[0][:2]) else 0
    if not rows or any(len(row) not in {2, 3} for row in rows):
        return 0
    first = {cell.strip().lower() for cell in rows[0]}
    if first & SRC_NAMES and first & TGT_NAMES:
        return 0  # a header, which this format has none of
    if any(score_of(column) is None for row in rows for column in row[2:]):
        return 0
    if any(JOINT in column for row in rows for column in row[:2]):
        return 60
    return 31 if all(len(row) == 3 for row in rows) else 30


def _read(source: Source, options: ReadOptions) -> Iterator[Bitext]:
    beads = Beads(source, options)
    suffix = PurePath(unpacked(source.path)).suffix.lower()
    for first, lines in line_chunks(source, options):
        if suffix not in FORMAT.suffixes:
            _note_joints(source, first, lines, named=suffix == ".tsv")
        if not _add_evenly(beads, first, lines):
            _add_each(source, beads, first, lines)
        yield from beads.parts()
    yield from beads.rest()


def _note_joints(source: Source, first: int, lines: list[str], *, named: bool) -> None:
    """Note joints in lines that may be of another format: by name, or as they have no score."""
    found = [k for k, line in enumerate(lines, first) if JOINT in line]
    if found and (named or lines[found[0] - first].count("\t") == 1):
        way = remedy("from tsv")
        kind = f"lines with ~~~ in a side, taken as the border of two segments (as text: {way})"
        source.notes.add(kind, f"{source.path} line {found[0]}", len(found))


def _add_evenly(beads: Beads, first: int, lines: list[str]) -> bool:
    """Add lines at once that all have two columns, or three; tell whether that was possible."""
    rows = [line.split("\t") for line in lines]
    widths = set(map(len, rows))
    if widths not in ({2}, {3}):
        return False
    columns = list(zip(*rows, strict=True))
    scores = [score_of(cell) for cell in columns[2]] if len(columns) == 3 else None
    known = None if scores is None else [score for score in scores if score is not None]
    if scores is not None and (known is None or len(known) < len(scores)):
        return False
    sides = [[cell.split(JOINT) if cell else [] for cell in column] for column in columns[:2]]
    if not all(src or tgt for src, tgt in zip(*sides, strict=True)):
        return False
    src, tgt = (list(chain.from_iterable(side)) for side in sides)
    sizes = [list(map(len, side)) for side in sides]
    numbers = range(first, first + len(lines))
    beads.extend(src, tgt, sizes=(sizes[0], sizes[1]), scores=known, lines=numbers)
    return True


def _add_each(source: Source, beads: Beads, first: int, lines: list[str]) -> None:
    """Add line by line, and say which line is wrong or odd."""
    for number, line in enumerate(lines, start=first):
        if not line:
            source.notes.add("empty lines, left out", f"{source.path} line {number}")
            continue
        columns = line.split("\t")
        if len(columns) not in {2, 3}:
            source.refuse(
                f"has {len(columns)} column{'s' * (len(columns) > 1)}; want source, target and "
                f"a score or none, parted by tabs",
                number,
            )
            continue
        score = score_of(columns[2] if len(columns) == 3 else "")
        if score is None:
            source.refuse(f"has {columns[2][:40]!r} as its score; want a number, as 0.48", number)
            continue
        src, tgt = (column.split(JOINT) if column else [] for column in columns[:2])
        if src or tgt:
            beads.line = number
            beads.add(src, tgt, score)
        else:
            no_segment(source, number)


def _write(
    bitexts: Iterable[Bitext],
    out: IO[str],
    *,
    options: WriteOptions = _DEFAULT,  # noqa: ARG001 - nothing of them matters here
) -> None:
    lines = LinesOut(out)
    done = 0
    for bitext in bitexts:
        a = bitext.alignment
        columns = [*joined_sides(bitext, FORMAT.name, joint=JOINT)]
        for text, rows, joined in zip(
            (bitext.src, bitext.tgt), (a.src, a.tgt), columns, strict=True
        ):
            _require_borders(text, rows, joined, done)
        if a.scores is not None:
            columns.append(spell_scores(a.scores))
        lines.writelines("\t".join(row) + "\n" for row in zip(*columns, strict=True))
        done += len(a)


def _require_borders(text: Text | None, rows: Rows, joined: list[str], before: int) -> None:
    """Refuse sides that would come apart elsewhere than where they were joined."""
    if text is None or "~~~" not in (text.line or ""):
        return
    for k, (side, size) in enumerate(zip(joined, rows.lengths.tolist(), strict=True)):
        if size and "~~~" in side:
            segments = [flat(text[m].text or "") for m in rows.row(k).tolist()]
            if side.split(JOINT) != segments:
                raise InputError(
                    f"bisegment {before + k} has {JOINT!r} in the text of a segment, or one that "
                    f"runs into it; hunalign-text joins segments by it: take it out, or choose "
                    f"another format"
                )


FORMAT = Format(
    name="hunalign-text",
    title="source, target and score, segments joined by ~~~ (hunalign)",
    holds="text",
    suffixes=(".hunalign", ".bi", ".text"),
    sniff=_sniff,
    read=_read,
    write=_write,
    keeps=Keeps(texts=True, borders=True, empty_sides=True, scores=True, controls=True),
    streams=True,
)
