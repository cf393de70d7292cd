"""hunalign: text output, and ladders of positions.

Text output has one bisegment per line, its sides and its score separated by tabs.

    One . ~~~ Two .	Yksi .	0.5

The segments of a side are joined by ` ~~~ `, which therefore cannot occur in a segment. An empty
side is an empty column; the score is optional. On writing, tabs and line ends within a segment
become blanks. A line without two columns, or with a score that is not a number, is refused.

| kept | lost |
| --- | --- |
| texts, borders of segments, empty sides | segments without characters, alone on their side |
| the order of bisegments | the order of segments (crossings, gaps), overlaps, uncovered segments |
| scores | attributes, word links, ids, languages, inline codes |
| characters of any kind | tabs and line ends, borders of documents and paragraphs |

A file whose first text begins with U+FEFF is written with a byte order mark, which readers
remove, so that the text keeps its own.

hunalign ladders: one rung a line, from (0, 0) to the lengths of the two texts.

    0	0	0.3
    2	1	0.48
    2	2	-0.3

Rung (i, j) means that the first i source and the first j target segments correspond. A bisegment
consists of the segments between two consecutive rungs, and has the score of the first of them.
Numbers never decrease; a repeated rung is not a bisegment, and is noted. Columns are separated by
tabs, in ladders made by hand by blanks, and the score is optional. The line of a bisegment is that
of its first rung; an error of its positions names the line of its last rung.

| kept | lost | cannot be represented (an error) |
| --- | --- | --- |
| bisegments of neighbours | the texts, ids, languages | gaps, crossings, overlaps |
| scores | attributes, word links, document names | segments in no bisegment |

Bisegments are sorted into the order of the texts. The texts have to be stored beside the file, so
nothing in them is lost. One document pair a file.

With scores, every line has three columns: `nan` for no score, 0 on the last rung, where no
bisegment starts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from math import nan
from pathlib import PurePath
from typing import IO

import numpy as np

from bitext.errors import InputError, many, remedy
from bitext.formats.beads import Beads, both_sides, joined_sides
from bitext.formats.header_names import SRC_NAMES, TGT_NAMES
from bitext.formats.io.compression import HEAD, unpacked
from bitext.formats.io.source import Source
from bitext.formats.line_files import (
    MOST_SEGMENTS,
    LinesOut,
    flat,
    head_lines,
    line_chunks,
    no_segment,
    one_pair,
)
from bitext.formats.positions import over_positions, shown
from bitext.formats.registry import Capabilities, Format, ReadOptions, WriteOptions
from bitext.formats.scores import SCORE, known_scores, score_of, spell_scores
from bitext.kernels.arrays import Floats, Ints, Rows, row_of
from bitext.lazy import late_pattern
from bitext.model import Alignment, Bitext, Text

_AT_ONCE = 1 << 16  # rungs that are Python's numbers at once: memory only

_NUMBER = r"(\d{1,12})"
_RUNG = late_pattern(rf"[ \t]*{_NUMBER}[ \t]+{_NUMBER}(?:[ \t]+({SCORE}))?[ \t]*", re.ASCII)
_LIKE_RUNG = late_pattern(rf"[ \t]*{SCORE}[ \t]+{SCORE}(?:[ \t]+{SCORE})?[ \t]*", re.ASCII)
_ELSEWHERE = "choose a format that can, as vecalign"


def _sniff_ladder(head: bytes) -> int:
    lines = [line for line in head_lines(head) if line.strip()]
    first = _RUNG.fullmatch(lines[0]) if lines else None
    # A tab between lists, as `3<tab>3 4` beside `5 6<tab>6`, is that of a table of positions.
    sides = {tuple(len(side.split()) for side in line.split("\t")) for line in lines}
    if len(sides) > 1 and all(len(counts) == 2 for counts in sides):
        return 0
    if first and not (int(first[1]) or int(first[2])):
        # A file that begins as a ladder is one, even with numbers that no ladder can have.
        return 90 if all(map(_LIKE_RUNG.fullmatch, lines)) else 0
    return 35 if lines and all(map(_RUNG.fullmatch, lines)) else 0


def _read_ladder(source: Source, options: ReadOptions) -> Iterator[Bitext]:
    src, tgt, scores, lines, lost = _read_rungs(source)
    steps = np.diff(src), np.diff(tgt)
    taken = (steps[0] > 0) | (steps[1] > 0)
    void = np.flatnonzero(~taken)
    if void.size:
        source.note(
            "rungs that repeat the one before, left out",
            f"{src[void[0]]} {tgt[void[0]]}",
            line=lines[void[0] + 1],
            count=void.size,
        )
    last = lines[np.append(0, np.flatnonzero(taken) + 1)]
    alignment = Alignment.from_arrays(
        (np.append(0, src[1:][taken]), np.arange(src[-1])),
        (np.append(0, tgt[1:][taken]), np.arange(tgt[-1])),
        scores=known_scores(scores[:-1][taken]),
    )
    begins = lines[:-1][taken]
    if lost:
        # Between the rungs around a bad one are several bisegments, with an unknown border.
        known = ~np.isin(np.flatnonzero(taken), lost)
        alignment, begins = alignment.select(known), begins[known]
        last = last[np.append(True, known)]
    yield over_positions(
        source,
        alignment,
        options,
        lambda k: int(last[k + 1]),  # k is -1 in a ladder of one rung
        whole=(int(src[-1]), int(tgt[-1])),
        lines=begins if options.lines else None,
    )


def _read_rungs(source: Source) -> tuple[Ints, Ints, Floats, Ints, list[int]]:
    """Return the two columns, the scores and the lines of the rungs, checked.

    Last come the indices of the rungs after which a bad line was left out.
    """
    lost: list[int] = []
    positions: list[int] = []  # of the source and the target, in turn
    scores: list[float] = []
    lines: list[int] = []
    match = _RUNG.fullmatch
    for number, line in enumerate(source.lines(), start=1):
        rung = match(line)
        if rung:
            known = score_of(rung[3] or "")
            if known is None:
                source.refuse(
                    f"has the score {rung[3][:40]}, which is beyond the range of numbers", number
                )
            positions += (int(rung[1]), int(rung[2]))
            scores.append(nan if known is None else known)
            lines.append(number)
        elif line.strip():
            source.refuse(
                f"is {line[:40]!r}; want a rung: two whole numbers, and a score or none, as "
                f"'2 1 0.48'",
                number,
            )
            lost.append(len(lines) - 1)
    rungs = np.array(positions, dtype=np.int64).reshape(-1, 2).T
    _check(source, rungs, lines, scores)
    return rungs[0], rungs[1], np.array(scores), np.array(lines), lost


def _check(source: Source, rungs: Ints, lines: list[int], scores: list[float]) -> None:
    if not lines:
        raise source.error("holds no rung; want a first line '0 0'")
    if rungs[:, 0].any():
        # Numbers of sentence pairs, without zeros before them, and of two words (NAACL).
        may_be_links = all(map(float.is_integer, scores))
        links = f"; if these are links of words, give {remedy('from naacl')}" * may_be_links
        raise source.error(
            f"the first rung is {_spell(rungs, 0)}; want 0 0; if the ladder counts from 1, take 1 "
            f"from each number, otherwise put a first line '0 0'{links}",
            lines[0],
        )
    down = np.flatnonzero((np.diff(rungs) < 0).any(axis=0))
    if down.size:
        k = int(down[0])
        raise source.error(
            f"rung {_spell(rungs, k + 1)} comes after {_spell(rungs, k)}; want numbers that never "
            f"decrease: a ladder cannot express crossings",
            lines[k + 1],
        )
    far = np.flatnonzero((rungs > MOST_SEGMENTS).any(axis=0))
    if far.size:
        raise source.error(
            f"rung {_spell(rungs, int(far[0]))} goes beyond {MOST_SEGMENTS} segments; check "
            f"the number, or divide the text",
            lines[far[0]],
        )


def _spell(rungs: Ints, k: int) -> str:
    return f"{rungs[0, k]} {rungs[1, k]}"


def _write_ladder(bitexts: Iterable[Bitext], out: IO[str], **_options: WriteOptions) -> None:
    last, scored = (0, 0), False
    for bitext in one_pair(bitexts, LADDER.name):
        alignment = _ladder_of(bitext).alignment
        scored = scored or alignment.scores is not None
        src, tgt = alignment.src.ptr + last[0], alignment.tgt.ptr + last[1]
        last = int(src[-1]), int(tgt[-1])  # the first rung of the next part
        known = np.full(len(alignment), nan) if alignment.scores is None else alignment.scores
        for begin in range(0, len(alignment), _AT_ONCE):
            some = slice(begin, min(begin + _AT_ONCE, len(alignment)))
            rungs = zip(src[some].tolist(), tgt[some].tolist(), strict=True)
            if not scored:
                out.writelines(f"{i}\t{j}\n" for i, j in rungs)
                continue
            lines = zip(rungs, known[some].tolist(), strict=True)
            out.writelines(f"{i}\t{j}\t{score!r}\n" for (i, j), score in lines)
    out.write(f"{last[0]}\t{last[1]}\t0\n" if scored else f"{last[0]}\t{last[1]}\n")


def _ladder_of(bitext: Bitext) -> Bitext:
    """Sort the bisegments into the order of the texts; refuse uncovered segments."""
    alignment = bitext.alignment
    if not (_unbroken(alignment.src) and _unbroken(alignment.tgt)):
        alignment = alignment.select(_order(alignment))
        bitext = replace(bitext, alignment=alignment)
    for side, text, rows in both_sides(bitext):
        wrong = np.flatnonzero(rows.idx != np.arange(rows.idx.size))
        if wrong.size:
            bead = alignment[int(row_of(rows)[wrong[0]])]
            raise InputError(
                f"a ladder cannot express the bisegment {shown(bead)}: it wants {side} "
                f"segment {wrong[0]} next, all segments in order and each once; {_ELSEWHERE}"
            )
        if text is not None and len(text) > rows.idx.size:
            raise InputError(
                f"a ladder covers all of both texts, but {side} segment {rows.idx.size} of "
                f"{len(text)} is in no bisegment; {_ELSEWHERE}"
            )
    return bitext


def _unbroken(rows: Rows) -> bool:
    return np.array_equal(rows.idx, np.arange(rows.idx.size))


def _order(alignment: Alignment) -> Ints:
    """Return the order of bisegments in the texts; 1-0 come before 0-1 between two others."""
    sides = (alignment.src, alignment.tgt)
    filled = [rows.lengths > 0 for rows in sides]
    # The first segment of each bisegment; an empty side has any.
    firsts = [np.append(rows.idx, 0)[rows.ptr[:-1]] for rows in sides]
    both = filled[0] & filled[1]
    rank = np.zeros(len(alignment), dtype=np.int64)
    for first, nonempty in zip(firsts, filled, strict=True):
        anchors = np.sort(first[both])
        one_sided = nonempty & ~both
        rank[one_sided] = np.searchsorted(anchors, first[one_sided])
        rank[both] = np.searchsorted(anchors, first[both], side="right")
    kind = np.where(both, 0, np.where(filled[0], 1, 2))
    order: Ints = np.lexsort((np.where(filled[0], *firsts), kind, rank))
    return order


LADDER = Format(
    name="hunalign-ladder",
    title="ladders of positions (hunalign)",
    holds="positions",
    suffixes=(".ladder",),
    sniff=_sniff_ladder,
    read=_read_ladder,
    write=_write_ladder,
    keeps=Capabilities.of("borders empty_sides empty_segments scores breaks controls"),
)


JOINT = " ~~~ "


def _sniff(head: bytes) -> int:
    """Detect the format by the joint; without one only the suffix distinguishes it from TSV."""
    rows = [line.split("\t") for line in head_lines(head, most=1000) if line]
    if len(head) >= HEAD and b"\n" not in head:  # the first line is cut
        return 60 if len(rows[0]) <= 3 and any(JOINT in side for side in rows[0][:2]) else 0
    if not rows or any(len(row) not in {2, 3} for row in rows):
        return 0
    first = {cell.strip().lower() for cell in rows[0]}
    if first & SRC_NAMES and first & TGT_NAMES:
        return 0  # a header, which this format lacks
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
        marks = [k for k, line in enumerate(lines, first) if line.startswith("<p>\t<p>")]
        if marks:
            kind = "paragraph marks of hunalign (<p>), taken as segments"
            source.note(kind, line=marks[0], count=len(marks))
        _add_each(source, beads, first, lines)
        yield from beads.parts()
    yield from beads.rest()


def _note_joints(source: Source, first: int, lines: list[str], *, named: bool) -> None:
    """Note joints in files that may be TSV, by their name or for lack of scores."""
    numbers = [k for k, line in enumerate(lines, first) if JOINT in line]
    if numbers and (named or lines[numbers[0] - first].count("\t") == 1):
        way = remedy("from tsv")
        kind = f"lines with ~~~ in a side, taken as the border of two segments (as text: {way})"
        source.note(kind, line=numbers[0], count=len(numbers))


def _add_each(source: Source, beads: Beads, first: int, lines: list[str]) -> None:
    for number, line in enumerate(lines, start=first):
        if not line:
            source.note("empty lines, left out", line=number)
            continue
        columns = line.split("\t")
        if len(columns) not in {2, 3}:
            source.refuse(
                f"has {many(len(columns), 'column')}; want source, target and "
                f"a score or none, separated by tabs",
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


def _write(bitexts: Iterable[Bitext], out: IO[str], **_options: WriteOptions) -> None:
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
    """Refuse sides that would be split at other places than they were joined."""
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
    suffixes=(".hunalign", ".bi", ".text"),
    sniff=_sniff,
    read=_read,
    write=_write,
    keeps=Capabilities.of("texts borders empty_sides scores controls"),
    streams=True,
)
