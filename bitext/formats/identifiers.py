r"""Alignments as pairs of numbers or identifiers, one bisegment per line: Champollion, mined pairs.

Champollion writes the numbers of sentences, from 1, with commas between, and `omitted` for an empty
side; a score with a decimal point may follow::

    1 <=> 1
    2,3 <=> 2 0.83
    omitted <=> 3

Tables of identifiers have two columns with a tab between, as in the gold standards and mined pairs
of the shared tasks of BUCC; a third column of numbers is the score, and a first line may name the
columns::

    fr-000000059\ten-000000112
    s2 s3\ts2

Several identifiers on a side are separated by blanks, commas, semicolons or `+`; an empty cell,
`-`, `NULL`, `NaN`, `None`, `[]` or `omitted` is an empty side; a list or a set of Python (`[3, 4]`)
is its members, and `3.0` is 3. A table of CSV is read if the format is named. If both columns have
numbers alone, these are positions, from 0 unless the texts or `base` say otherwise. Columns are
identifiers where every cell has digits, with letters alike in most cells (`fr-#`, `s#.#`), where
those of a cell go up and most stand in one cell only: texts are not so. Letters followed by a
number (`s1`) may also be words: they are identifiers below a header as `src_id`, or where the
format is named. Word links (`0-0`) and ranges (`s1-s3`) are no identifiers.

| kept | lost |
| --- | --- |
| bisegments of any segments, in any order; empty sides | texts, languages, names of documents |
| identifiers, scores | segments in no bisegment |

The texts have to be stored beside the file, so nothing in them is lost: documents with
identifiers, or one segment per line, where `s12` and `12` are line 12. One document pair a file.
Read only; `jsonl` and `xces` write identifiers, `vecalign` positions. Memory is that of the file.

**Source**: X. Ma, Champollion: a robust parallel text sentence aligner, LREC 2006, and the output
of its program; P. Zweigenbaum, S. Sharoff and R. Rapp, Overview of the second BUCC shared task,
BUCC 2017.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import isnan, nan
from pathlib import Path
from typing import Any, NamedTuple

from bitext.errors import remedy
from bitext.formats.header_names import (
    ALIKE,
    are_identifiers,
    is_identifier,
    may_be_words,
    names_in,
)
from bitext.formats.io.source import Source
from bitext.formats.jsonl.by_ids import document_bitexts
from bitext.formats.jsonl.by_texts import Block
from bitext.formats.line_files import first_repeat, head_lines, no_segment
from bitext.formats.registry import Capabilities, Format, ReadOptions
from bitext.formats.scores import SCORE, score_of
from bitext.formats.vecalign import PositionBeads, bitext_of_positions
from bitext.lazy import late_pattern
from bitext.model import Bitext
from bitext.paths import is_file

# Champollion.

_SIDE = r"(?:omitted|\d+(?: ?, ?\d+)*)"
_BEAD = late_pattern(  # a whole number there may be a sentence that lacks its comma
    rf"[ \t]*({_SIDE})[ \t]*<=>[ \t]*({_SIDE})(?:[ \t]+(?=\S*\.)({SCORE}))?[ \t]*",
    re.ASCII | re.IGNORECASE,
)


def _sniff_champollion(head: bytes) -> int:
    lines = [line for line in head_lines(head) if line.strip()]
    return 90 if lines and all(map(_BEAD.fullmatch, lines)) else 0


def _read_champollion(source: Source, options: ReadOptions) -> Iterator[Bitext]:
    beads = PositionBeads(source)
    for number, line in enumerate(source.lines(), start=1):
        if not line.strip():
            continue
        match = _BEAD.fullmatch(line)
        if match is None:
            source.refuse(
                f"is {line.strip()[:40]!r}; want the numbers of sentences, as '2,3 <=> 2' or "
                f"'omitted <=> 3'",
                number,
            )
            continue
        sides = [
            [] if side.lower() == "omitted" else re.split(r" ?, ?", side)
            for side in match.group(1, 2)
        ]
        beads.add(number, sides, nan if match[3] is None else float(match[3]))
    if options.base is None and beads.line_of_zero:
        kind = "files of Champollion with a sentence 0, read as counting from 0, and not from 1"
        source.note(kind, line=beads.line_of_zero)
    if options.base is None:
        options = replace(options, base=0 if beads.line_of_zero else 1)
    yield bitext_of_positions(source, options, beads.positions())


CHAMPOLLION = Format(
    name="champollion",
    title="numbers of sentences, as 2,3 <=> 2 (Champollion, read)",
    holds="positions",
    suffixes=(".champollion",),
    sniff=_sniff_champollion,
    read=_read_champollion,
    based=True,
    keeps=Capabilities.of(
        "borders empty_sides empty_segments crossings gaps overlaps uncovered breaks controls "
        "scores"
    ),
)


# Tables of identifiers.

_SIDES = late_pattern(r"(?i)src|source|tgt|trg|target|\bids?\b|_ids?\b")  # in a header
# A pair as Python prints it: `('fr-1', 'en-2')`, also with a score, or in brackets as of JSON.
_QUOTED = r"""('[^']*'|"[^"]*")"""
_TUPLE = late_pattern(
    rf"""\s*[(\[]\s*{_QUOTED}\s*,\s*{_QUOTED}\s*(?:,\s*([^,'"]+?)\s*)?[)\]],?\s*"""
)
_SAMPLE = 200  # lines that identify a table of identifiers; set by hand


class _Columns(NamedTuple):
    """The columns of a table of identifiers."""

    src: int
    tgt: int
    score: int | None
    header: bool  # whether the first row names them
    width: int


def _columns(rows: Sequence[Sequence[str]], *, named: bool = False) -> _Columns | None:
    """Return the columns of a table; `None` for rows that are no table of identifiers.

    If the user `named` the format, lines that do not fit are not evidence against it.
    """
    width = len(rows[0]) if rows else 0
    even = [row for row in rows if len(row) == width]
    if width not in (2, 3) or (len(even) < len(rows) and not named):
        return None
    # A header: no cell of the first row may be an identifier.
    header = len(even) > (1 if named else ALIKE) and not any(
        is_identifier(name) or score_of(name) == 0 for cell in even[0] for name in names_in(cell)
    )
    # A pair that comes again is no evidence that its identifiers are words.
    cells = list(zip(*dict.fromkeys(map(tuple, even[header:])), strict=True))
    scored = [k for k in (2, 0) if width == 3 and _are_scores(cells[k])]
    if width == 3 and not scored:
        return None
    sides = [k for k in range(width) if k not in scored[:1]]
    columns = _Columns(sides[0], sides[1], scored[0] if scored else None, header, width)
    if named:
        return columns
    heads = rows[0] if header else [""] * width
    if not all(are_identifiers(cells[k]) for k in sides) or all(
        may_be_words(cells[k], heads[k]) for k in sides
    ):
        return None
    # Two columns of numbers may be a ladder, and so may those below a line that names no sides.
    numbers = all(cell.strip().isdecimal() for k in sides for cell in cells[k])
    if numbers and not (header and all(_SIDES.search(rows[0][k]) for k in sides)):
        return None
    return columns


def _are_scores(cells: Sequence[str]) -> bool:
    return all(score_of(cell) is not None for cell in cells) and any(
        "." in cell or "e" in cell.lower() for cell in cells
    )


def _rows_of(lines: Sequence[str]) -> list[tuple[int, list[str]]]:
    """Return the cells of each filled line, with its number; without the numbers of rows of pandas.

    Cells are those of CSV where no line has a tab.
    """
    filled = [(number, line) for number, line in enumerate(lines, start=1) if line.strip()]
    if filled and _TUPLE.fullmatch(filled[0][1]):
        pairs = [(number, _TUPLE.fullmatch(line)) for number, line in filled]
        return [
            (k, [m[1][1:-1], m[2][1:-1], *filter(None, [m[3]])] if m else [""]) for k, m in pairs
        ]
    if not filled or any("\t" in line for _, line in filled[:_SAMPLE]):
        rows = [(number, line.split("\t")) for number, line in filled]
    else:
        sign = max(",;", key=filled[0][1].count)
        try:
            cells = [next(csv.reader([line], delimiter=sign)) for _, line in filled]
        except csv.Error:  # a carriage return, or a cell beyond its limit
            cells = [[line] for _, line in filled]
        rows = [(number, row) for (number, _), row in zip(filled, cells, strict=True)]
    if rows and len(rows[0][1]) > 2 and rows[0][1][0] in {"", "Unnamed: 0"}:
        rows = [(number, row[1:]) for number, row in rows]
    return rows


def _sniff_pairs(head: bytes) -> int:
    lines = head_lines(head, _SAMPLE)
    rows = [row for _, row in _rows_of(lines)] if "\t" in lines[0] else []
    return 70 if _columns(rows) is not None else 0


def _refuse_names_of_files(source: Source, rows: list[list[str]], columns: _Columns) -> None:
    """Refuse rows most of whose target identifiers are names of files, as in a manifest.

    One of them may have the name of a file by chance, and of pairs of documents both sides may.
    """
    even = [row for row in rows if len(row) == columns.width]
    files = [row[columns.tgt] for row in even if _names_file(source, row[columns.tgt])]
    if 2 * len(files) > len(even) and not _names_file(source, even[0][columns.src]):
        way = remedy("from id-pairs", python="format='id-pairs'")
        raise source.error(
            f"names files, as {files[0]!r:.60}; a manifest begins with 'text' and 'path', with a "
            f"tab between; if these are identifiers, name the format ({way})",
            1,
        )


def _names_file(source: Source, cell: str) -> bool:
    return bool(cell) and "\0" not in cell and is_file(Path(source.path).parent / cell)


def _read_pairs(source: Source, options: ReadOptions) -> Iterator[Bitext]:
    filled = _rows_of(source.lines())
    rows = [row for _, row in filled[:_SAMPLE]]
    columns = _columns(rows, named=True)
    if columns is None:
        raise source.error(
            "is no table of identifiers; want two columns with a tab between, as s1 and s2, and at "
            "most one of scores"
        )
    if columns.header:
        source.note("first lines taken as a header", f"{rows[0]!r:.80}")
    if not options.named:
        _refuse_names_of_files(source, rows[columns.header :], columns)
    first = next(iter(rows[columns.header :]), [])
    way = remedy("from tsv", python="format='tsv'")
    kind = f"tables of identifiers or positions, and not of texts (as texts: {way})"
    cells = [first[k] if k < len(first) else "" for k in (columns.src, columns.tgt)]
    shown = ", ".join(f"{cell!r:.40}" for cell in cells)
    source.note(kind, shown)
    made = (_pair_of(source, row, number, columns) for number, row in filled[columns.header :])
    pairs = [pair for pair in made if pair is not None]
    if all(name.isdecimal() for pair in pairs for side in pair.sides for name in side):
        beads = PositionBeads(source)
        for pair in pairs:
            beads.add(pair.line, pair.sides, pair.score)
        yield bitext_of_positions(source, options, beads.positions())
        return
    objects: list[tuple[int, dict[str, Any]]] = []
    for number, (src, tgt), score in pairs:
        item: dict[str, Any] = {"src": src, "tgt": tgt}
        objects.append((number, item if isnan(score) else {**item, "score": score}))
    yield from document_bitexts(source, options, [Block.of_lines(objects)])


class _Pair(NamedTuple):
    """The identifiers of a line, and its score."""

    line: int
    sides: tuple[list[str], list[str]]
    score: float


def _pair_of(source: Source, row: Sequence[str], number: int, columns: _Columns) -> _Pair | None:
    """Return the bisegment of a row; a wrong one is refused, one of two empty sides left out."""
    if len(row) != columns.width:
        source.refuse(
            f"has {len(row)} columns, and the first line {columns.width}; want as many", number
        )
        return None
    sides = names_in(row[columns.src]), names_in(row[columns.tgt])
    wrong = next((name for side in sides for name in side if not is_identifier(name)), None)
    score = nan if columns.score is None else score_of(row[columns.score])
    flaw = ""
    if wrong is not None:
        flaw = f"has {wrong!r:.40}; want identifiers or positions, of a range each, as 3,4,5"
    elif score is None:
        flaw = f"has {row[columns.score or 0]!r:.40} in the column of scores; want a number"
    elif again := next((side for side in sides if len(set(side)) < len(side)), None):
        flaw = f"has {first_repeat(again)!r:.40} twice on a side; want each segment once"
    if flaw:
        source.refuse(flaw, number)
        return None
    if not (sides[0] or sides[1]):
        no_segment(source, number)
        return None
    return _Pair(number, sides, nan if score is None else score)


PAIRS = Format(
    name="id-pairs",
    title="two columns of identifiers or positions (BUCC, mined pairs; read)",
    holds="ids",
    suffixes=(".id-pairs",),
    sniff=_sniff_pairs,
    read=_read_pairs,
    based=True,
    keeps=Capabilities.of(
        "borders empty_sides empty_segments crossings gaps overlaps uncovered ids scores breaks "
        "controls"
    ),
)
