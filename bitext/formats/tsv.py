"""TSV: one bisegment a line: source, target, then any columns, separated by tabs; no quoting.

Columns
    A first line that names a source and a target column (`src tgt`, `source target`,
    `text1 text2`, ...) or two languages (`en de`, `English Icelandic`) is a header, and its names
    are the names of the columns. Without one, a column of numbers only, of addresses or of language
    codes holds no text, and the texts are the first two of the others: `1.23 src tgt` (LASER),
    `id src id tgt` (Tatoeba), `url1 url2 text1 text2` (ParaCrawl). Any layout but the plain one is
    noted; a file with fewer than two columns of text is refused. `--columns src=2,tgt=3` names the
    columns by their numbers or by the header, `--head` and `--no-head` set whether there is one.
    The other columns are attributes, `col3` and so on without a header; an empty cell is no value.
Score
    The column named `score`, or without a header the column after the texts, or else the only one
    of decimal numbers before them, if all its cells are numbers.
Ragged lines
    Each kind is noted. A line with more columns than the first, or without both texts, is left
    out, since a surplus or missing tab shifts the texts; in such a file an empty column may be a
    missing one, so lines with an empty side are left out, too. A line that lacks only columns after
    the texts is read.
Read in parts
    Whether there are scores, and whether the file is ragged, depends on the lines read so far.
    Later contradictions are noted: a cell that is no number among scores becomes an attribute, and
    a line with an empty side before the first ragged line is not left out. One of the first 1000
    lines must have two columns.

The segments of a side are joined by a blank, so a side comes back as one segment; an empty column
is an empty side. Only LF and CRLF end a line. On writing, tabs and line ends within a segment or a
value become blanks. A header is written where there are columns to name, or where the first line
would be read as one. All lines have the same columns; where several bitexts are written, the lines
are stored in a temporary file until all columns are known.

| kept | lost |
| --- | --- |
| texts, empty sides | borders of the segments of a side, segments without characters |
| scores, attributes, word links, further languages (columns) | languages, ids, inline codes |
| the order of bisegments | the order of segments (crossings, gaps), overlaps, uncovered segments |
| characters of any kind | tabs and line ends; borders of documents and paragraphs |
| | empty values of columns, which come back as missing values |
"""

from __future__ import annotations

from itertools import compress, islice
from math import isnan, nan
from tempfile import SpooledTemporaryFile
from typing import TYPE_CHECKING, cast

from bitext.errors import InputError
from bitext.formats.beads import MOST_COLUMNS, AttributeColumns, Beads, joined_sides
from bitext.formats.columns import SAMPLE, UnclearColumnsError, lay_out, score_of
from bitext.formats.hunalign import JOINT
from bitext.formats.line_files import (
    flat,
    flat_all,
    head_lines,
    line_chunks,
    no_segment,
    spell_scores,
)
from bitext.formats.registry import Capabilities, Format, ReadOptions, WriteOptions
from bitext.option_names import remedy
from bitext.paths import temporary_room

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import IO

    from bitext.formats.columns import Layout
    from bitext.formats.io.source import Source
    from bitext.model import Bitext

__all__ = ["FORMAT"]

_DEFAULT = WriteOptions()

_SPOOL = 1 << 24  # characters in memory before the temporary file goes to disk


def _sniff(head: bytes) -> int:
    lines = [line for line in head_lines(head) if line]
    if not lines or "\0" in lines[0] or lines[0].startswith(("<?", "<!")):
        return 0
    inner = sum("\t" in line.lstrip("\t") for line in lines)  # tabs of an indent do not count
    return 31 if "\t" in lines[0] or 2 * inner > len(lines) else 0


def _read(source: Source, options: ReadOptions) -> Iterator[Bitext]:
    beads = Beads(source, options)
    table: _Table | None = None
    for number, lines in line_chunks(source, options):
        if table is None:
            first = next((line for line in lines if "\t" in line), None)
            if first is None and any(lines):
                which = (
                    f"none of the first {options.part_size} lines" if options.parts else "no line"
                )
                raise source.error(
                    f"{which} has two columns; want source and target, separated by a tab"
                )
            width = (first or "\t").count("\t") + 1
            AttributeColumns(source).refuse_sparse(width, 1, width, number)
            table = _Table(source, _layout(source, lines, options))
            beads.langs = table.langs
        table.add(beads, number, lines)
        yield from beads.parts()
    yield from beads.rest()


def _layout(source: Source, lines: list[str], options: ReadOptions) -> Layout:
    """Determine the columns from the first lines; note any layout but the plain one."""
    # As many lines as the first part has, so that a file has the same columns in parts.
    sample = [line for line in lines[: min(SAMPLE, options.part_size)] if "\t" in line]
    # A repeated first line may be the header of a joined file, and is no evidence.
    again = {f"{mark}{line}" for line in sample[:1] for mark in ("", "\ufeff")}
    rows = [line.split("\t") for k, line in enumerate(sample) if not k or line not in again]
    try:
        width = len(rows[0]) if rows else 2
        even = [row for row in rows if len(row) == width]
        layout = lay_out(even or [["", ""]], options.columns, (options.src_lang, options.tgt_lang))
    except UnclearColumnsError as error:
        way = remedy("columns src=1,tgt=2")
        raise source.error(f"{error}; name the columns ({way}, by number or header)") from None
    if layout.note:
        other = remedy("columns src=2,tgt=3")
        kind = f"columns detected from their cells (name others with {other})"
        if layout.header:
            way = remedy("no-head", python="head=False")
            kind = f"first lines taken as a header ({way} reads them as texts)"
        source.notes.add(kind, f"{source.path}: {layout.note}")
    if _is_quoted(even):
        kind = "tables with cells in quotation marks, as CSV has them, read as they are"
        source.notes.add(kind, source.path)
    return layout


def _is_quoted(rows: list[list[str]]) -> bool:
    """Return whether quotation marks within quotation marks are doubled, as in CSV."""
    cells = [cell for row in rows for cell in row if cell[:1] == cell[-1:] == '"' and '""' in cell]
    return any(len(cell) > 4 and '""' in cell[1:-1] for cell in cells)


_TOO_MANY = "lines with more columns than the first, left out"
_TOO_FEW = "lines without a column for each text, left out"
_SHORT = "lines that lack columns after the texts, taken without them"
_EMPTY = "empty lines, left out"


class _Table:
    """Adds the lines of a file, in groups, as bisegments."""

    def __init__(self, source: Source, layout: Layout) -> None:
        self._source, self._layout = source, layout
        self.langs = layout.langs
        self._header: str | None = None  # the line of the header, once it was read
        self._ragged = False
        self._has_scores = False  # whether earlier lines had scores
        # the first line that was added with an empty side, and the number of such lines
        self._bare: list[int] = []

    def add(self, beads: Beads, first: int, lines: list[str]) -> None:
        """Add the lines that are bisegments; `first` is the number of the first line."""
        numbers: Sequence[int] = range(first, first + len(lines))
        if self._layout.header:
            numbers, lines = self._without_headers(numbers, lines)
        rows = [line.split("\t") for line in lines]
        if set(map(len, rows)) != {len(self._layout.names)}:
            numbers, rows = self._even(numbers, rows)
        if not rows:
            return
        columns: list[tuple[str, ...]] = list(zip(*rows, strict=True))
        src, tgt = columns[self._layout.src], columns[self._layout.tgt]
        if not (all(src) and all(tgt)):
            taken = self._taken(numbers, src, tgt)
            numbers = list(compress(numbers, taken))
            columns = [tuple(compress(column, taken)) for column in columns]
            src, tgt = columns[self._layout.src], columns[self._layout.tgt]
        if numbers:
            scores, extra = self._scores(numbers, columns)
            values = {n: [c or None for c in columns[k]] for k, n in self._layout.rest.items()}
            beads.extend(
                [side for side in src if side],
                [side for side in tgt if side],
                sizes=([1 if side else 0 for side in src], [1 if side else 0 for side in tgt]),
                scores=scores,
                attributes=values | extra,
                lines=numbers,
            )

    def _without_headers(
        self, numbers: Sequence[int], lines: list[str]
    ) -> tuple[Sequence[int], list[str]]:
        """Return the lines without the header and without its repetitions, which are noted.

        A repeated header `src tgt` is read as texts, since a pair of texts may be these words.
        """
        begins = self._header is None
        if begins:
            self._header = next((line for line in lines if "\t" in line), None)
        if self._header is None:
            return numbers, lines
        heads = (self._header, f"\ufeff{self._header}")
        if not any(map(lines.count, heads)):
            return numbers, lines
        at = [k for k, line in enumerate(lines) if line in heads]
        if len(at) > begins:
            plain = self._header == "src\ttgt"
            treatment = "taken as texts" if plain else "left out"
            kind = f"lines that repeat the header, as of joined files, {treatment}"
            place = f"{self._source.path} line {numbers[at[begins]]}"
            self._source.notes.add(kind, place, len(at) - begins)
            at = at[:begins] if plain else at
        out = set(at)
        rest = [k for k in range(len(lines)) if k not in out]
        return [numbers[k] for k in rest], [lines[k] for k in rest]

    def _even(
        self, numbers: Iterable[int], rows: list[list[str]]
    ) -> tuple[list[int], list[list[str]]]:
        """Return the rows of full width, with short ones filled; note and leave out the others."""
        width, texts = len(self._layout.names), max(self._layout.src, self._layout.tgt) + 1
        even: list[tuple[int, list[str]]] = []
        for number, row in zip(numbers, rows, strict=True):
            if len(row) != width:
                kind = _kind_of_ragged(row, width, texts)
                place = f"{self._source.path} line {number}"
                if kind in {_TOO_MANY, _TOO_FEW} and not self._ragged:
                    self._turn_ragged()
                self._source.notes.add(kind, f"{place}: {len(row)} for {width} columns")
                if kind != _SHORT:
                    continue
                row += [""] * (width - len(row))
            even.append((number, row))
        return [number for number, _ in even], [row for _, row in even]

    def _turn_ragged(self) -> None:
        self._ragged = True
        if self._bare:
            kind = "lines with an empty side before the first ragged line, taken"
            self._source.notes.add(kind, f"{self._source.path} line {self._bare[0]}", self._bare[1])

    def _taken(self, numbers: Sequence[int], src: Sequence[str], tgt: Sequence[str]) -> list[bool]:
        """Return for each line whether it is a bisegment, where some have an empty side."""
        taken = []
        for number, *sides in zip(numbers, src, tgt, strict=True):
            full = all(sides)
            if not any(sides):
                no_segment(self._source, number)
            elif not full and self._ragged:
                kind = "lines with an empty side in a file with ragged lines, left out"
                self._source.notes.add(kind, f"{self._source.path} line {number}")
            elif not full:
                self._bare = [self._bare[0], self._bare[1] + 1] if self._bare else [number, 1]
            taken.append(full or (any(sides) and not self._ragged))
        return taken

    def _scores(
        self, numbers: Sequence[int], columns: list[tuple[str, ...]]
    ) -> tuple[list[float] | None, dict[str, list[str | None]]]:
        """Return the scores, and an attribute with the cells that are no scores."""
        at = self._layout.score
        if at is None:
            return None, {}
        sure, cells = self._layout.sure, columns[at]
        known = [score_of(cell) for cell in cells]
        scores = [nan if score is None else score for score in known]
        whole = None not in known and (sure or not any(map(isnan, scores)))
        if whole or self._has_scores:
            self._has_scores = True
            return scores, {} if whole else self._strangers(numbers, cells, known)
        if sure:
            self._source.notes.add(
                "columns named score that hold something else, kept as an attribute",
                f"{self._source.path}: {cells[known.index(None)][:40]!r}",
            )
        self._layout = self._layout._replace(score=None)
        return None, {}

    def _strangers(
        self, numbers: Sequence[int], cells: Sequence[str], known: list[float | None]
    ) -> dict[str, list[str | None]]:
        """Note cells that are no scores where earlier parts had scores; return them as a column."""
        strange = [score is None for score in known]
        if not any(strange):
            lacking = [score is not None and isnan(score) for score in known]
            kind = "lines without a score after lines that all have one"
            place = f"{self._source.path} line {numbers[lacking.index(True)]}"
            self._source.notes.add(kind, place, sum(lacking))
            return {}
        k = strange.index(True)
        self._source.notes.add(
            "cells that are not numbers after scores, kept as an attribute",
            f"{self._source.path} line {numbers[k]}: {cells[k][:40]!r}",
            sum(strange),
        )
        at = cast("int", self._layout.score)
        column = [cell if no else None for cell, no in zip(cells, strange, strict=True)]
        return {self._layout.names[at]: column}


def _kind_of_ragged(row: list[str], width: int, texts: int) -> str:
    if row == [""]:
        return _EMPTY
    if len(row) > width:
        return _TOO_MANY
    return _TOO_FEW if len(row) < texts else _SHORT


def _write(
    bitexts: Iterable[Bitext],
    out: IO[str],
    *,
    options: WriteOptions = _DEFAULT,  # noqa: ARG001 - no option applies
) -> None:
    rest = iter(bitexts)
    head = list(islice(rest, 2))
    columns: dict[str, str] = {}
    if len(head) < 2:
        lines = [line for bitext in head for line in _lines_of(bitext, columns)]
        _put_header(out, columns, lines[:SAMPLE])
        out.writelines(lines)
        return
    runs: list[tuple[int, int]] = []  # numbers of lines, with their number of columns
    first: list[str] = []
    with SpooledTemporaryFile(_SPOOL, "w+", encoding="utf-8", newline="\n") as spool:
        while head:
            lines = _lines_of(head.pop(0), columns)
            first += lines[: SAMPLE - len(first)]
            with temporary_room():
                spool.writelines(lines)
            runs.append((len(lines), len(columns)))
            head = head or list(islice(rest, 1))
        _put_header(out, columns, first)
        with temporary_room():
            spool.seek(0)
        for count, width in runs:
            lines = list(islice(spool, count))
            if width < len(columns):
                lacking = "\t" * (len(columns) - width) + "\n"
                lines = [line[:-1] + lacking for line in lines]
            out.writelines(lines)


_SCORE = ""  # the key of the scores among the names of attributes


def _lines_of(bitext: Bitext, columns: dict[str, str]) -> list[str]:
    """Return the lines of a bitext; add its new columns to `columns`."""
    a = bitext.alignment
    taken = {"src", "tgt", *columns.values()}
    for name in [_SCORE] * (a.scores is not None) + list(a.attributes):
        if name not in columns:
            columns[name] = _header(name, taken)
            taken.add(columns[name])
    if len(columns) > MOST_COLUMNS:
        raise InputError(
            f"tsv has a column on every line for each attribute, and here are more than "
            f"{MOST_COLUMNS:,}; choose a format that writes those there are, as jsonl"
        )
    cells: list[Sequence[str]] = [*joined_sides(bitext, FORMAT.name)]
    void = [""] * len(a)
    for name in columns:
        if name == _SCORE:
            cells.append(void if a.scores is None else spell_scores(a.scores))
        else:
            cells.append(flat_all(a.attributes[name]) if name in a.attributes else void)
    return ["\t".join(row) + "\n" for row in zip(*cells, strict=True)]


def _header(name: str, taken: set[str]) -> str:
    """Return a unique name for a column, made of that of the attribute."""
    if name == _SCORE:
        return "score"
    shown = flat(name)
    while shown in taken or shown.strip().lower() == "score":
        shown += "_"
    return shown


def _put_header(out: IO[str], columns: dict[str, str], lines: list[str]) -> None:
    """Write a header where there are columns to name, or where texts would be misread without."""
    # A text that begins with U+FEFF would be read as a byte order mark.
    if columns or (
        lines
        and (
            lines[0].startswith("\ufeff")
            or not _is_plain(lines)
            or any(JOINT in line for line in lines)
        )
    ):
        out.write("\t".join(["src", "tgt", *columns.values()]) + "\n")


def _is_plain(lines: list[str]) -> bool:
    """Return whether two columns are read as source and target without a header."""
    try:
        layout = lay_out([line[:-1].split("\t") for line in lines])
    except UnclearColumnsError:
        return False
    return not layout.header and (layout.src, layout.tgt) == (0, 1)


FORMAT = Format(
    name="tsv",
    title="source and target separated by a tab, then any columns",
    holds="text",
    suffixes=(".tsv",),
    sniff=_sniff,
    read=_read,
    write=_write,
    keeps=Capabilities(
        texts=True,
        empty_sides=True,
        scores=True,
        attributes=True,
        other_languages=True,
        words=True,
        controls=True,
        empty_values=False,
    ),
    streams=True,
    tabular=True,
)
