r"""Identifiers of OPUS: the documents and the ids of the sentences of each line of a Moses corpus.

    en/a.xml.gz\tfr/a.xml.gz\t1\t1
    en/a.xml.gz\tfr/a.xml.gz\t2 3\t2\t0.83

A line is a bisegment: the two documents, and the ids of the sentences of each side with blanks
between, empty for none. OPUS has such a file (`.ids`) beside the two texts of Moses, whose lines it
describes; `opus_read` writes the score of the link as a fifth column. Documents are located and ids
resolved as in XCES, which has the same information; memory and refusals are the same, too.

| kept | lost |
| --- | --- |
| bisegments of any segments, in any order; empty sides | segments in no bisegment |
| ids, scores, names of documents; texts from the documents | word links and attributes of XCES |

Read only; `xces` writes the same.

**Source**: J. Tiedemann, Parallel data, tools and interfaces in OPUS, LREC 2012, and the files and
programs of OPUS.
"""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np

from bitext.formats.cells import is_identifier, names_in
from bitext.formats.line_files import first_repeat, head_lines, line_chunks
from bitext.formats.registry import Capabilities, Format, ReadOptions
from bitext.formats.scores import SCORE, score_of
from bitext.formats.xces import bitexts_of_groups
from bitext.formats.xces.group import Builder
from bitext.lazy import late_pattern

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bitext.formats.io.source import Source
    from bitext.formats.xces.group import Group
    from bitext.model import Bitext

_Row = tuple[int, list[str]]  # the number of a line, and its cells
_FILE = late_pattern(r"\.xml(?:\.gz)?\s*$")
# The cells of most lines, which need no further check: a number, or an id with a number, a side.
_ID = r"[A-Za-z.]*\d+"
_PLAIN = late_pattern(rf"(?:[^\t]*\S[^\t]*\t){{2}}{_ID}\t{_ID}(?:\t(?:{SCORE}))?", re.ASCII)
_SAMPLE = 200  # lines that show the format; set by hand


def _sniff(head: bytes) -> int:
    rows = [line.split("\t") for line in head_lines(head, _SAMPLE) if line.strip()]
    if not rows or not all(len(row) > 2 and all(map(_FILE.search, row[:2])) for row in rows):
        return 0
    return 60 if any(map(_flaw, rows)) else 75  # the reader names the fault


def _flaw(row: list[str]) -> str:
    """Return the error of the cells of a line; empty for none."""
    if len(row) not in (4, 5):
        return (
            f"has {len(row)} columns; want two documents and the ids of both sides, with tabs "
            f"between, and at most a score behind"
        )
    if not (row[0].strip() and row[1].strip()):
        return "names no document on a side; want two, as en/a.xml and fr/a.xml"
    wrong = [name for cell in row[2:4] for name in names_in(cell) if not is_identifier(name)]
    if wrong:
        return f"has {wrong[0]!r:.40} among its ids; want ids of sentences with blanks between"
    for cell in row[2:4]:
        if len(names := names_in(cell)) > len(set(names)):
            return f"has {first_repeat(names)!r:.40} twice on a side; want each sentence once"
    if len(row) == 5 and score_of(row[4]) is None:
        return f"has {row[4]!r:.40} as its score; want a number"
    return ""


def _read(source: Source, options: ReadOptions) -> Iterator[Bitext]:
    def groups(cut: Callable[[Group], bool] | None) -> Iterator[Group]:
        builder = Builder(source, cut, part_size=options.part_size)
        documents: list[str] = []
        has_lines = False
        for first, lines in line_chunks(source, options):
            has_lines = has_lines or any(map(str.strip, lines))
            rows = _rows(source, first, lines)
            for pair, those in groupby(rows, key=lambda row: row[1][:2]):
                some = list(those)
                if pair != documents:
                    documents = pair
                    yield from builder.close()
                    names = {"fromDoc": pair[0].strip(), "toDoc": pair[1].strip()}
                    yield from builder.open(names, some[0][0])
                _take(builder.group(), some)
                yield from builder.part()
        if not has_lines:
            raise source.error(
                "is empty; want two documents and the ids of both sides in each line"
            )
        yield from builder.flush()

    yield from bitexts_of_groups(source, options, groups)


def _rows(source: Source, first: int, lines: list[str]) -> Iterator[_Row]:
    """Yield the number and the cells of each line, ids with a blank between; refuse wrong ones."""
    for number, line in enumerate(lines, first):
        if not line.strip():
            continue
        row = line.split("\t")
        if not _PLAIN.fullmatch(line):
            if flaw := _flaw(row):
                source.refuse(flaw, number)
                continue
            row[2:4] = (" ".join(names_in(cell)) for cell in row[2:4])
        yield number, row


def _take(group: Group, rows: list[_Row]) -> None:
    """Add lines of the two documents of a group."""
    targets: list[str | None] = [f"{row[2]};{row[3]}" for _, row in rows]
    scores = [row[4].strip() or None if len(row) == 5 else None for _, row in rows]
    numbers = np.array([number for number, _ in rows], dtype=np.int64)
    group.take({"xtargets": targets, "certainty": scores}, numbers)


FORMAT = Format(
    name="opus-ids",
    title="documents and ids of sentences, one bisegment a line (OPUS; read)",
    holds="ids",
    suffixes=(".ids",),
    sniff=_sniff,
    read=_read,
    keeps=Capabilities.of(
        "borders empty_sides empty_segments crossings gaps overlaps uncovered ids scores "
        "documents breaks controls"
    ),
)
