"""Rows of tables, read as bisegments; `writing` makes tables.

All tables
    The columns are those of `bitext.formats.columns`. Ragged rows are noted: a row with more
    columns than the first, or without both texts, is left out, since a surplus or missing separator
    shifts the texts; in such a table an empty column may be a missing one, so rows with an empty
    side are left out, too. A row that lacks only columns after the texts is read. An empty cell is
    an empty side, or no value.

Tables of bitext (CSV, spreadsheets)
    Their header is that of `bitext.formats.tables.writing`. A cell whose lines do not fit the
    numbers in `bead`, as after an edit, is one segment, which is noted. Consecutive rows with one
    `document` are one document pair. Below other names, both are known by the form of beads.

Other tables with a header
    A column named as a state of translation (`Status`) is the attribute `state`; the target of a
    row whose state marks it as untranslated is a draft (see `bitext.formats.states`). A column of
    identifiers is the attribute `id`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import compress, islice
from math import isnan, nan
from operator import itemgetter
from typing import Self, TypeVar, cast

from bitext.errors import remedy
from bitext.formats.beads import AttributeColumns, Beads
from bitext.formats.columns import SAMPLE, Layout, UnclearColumnsError, lay_out
from bitext.formats.header_names import (
    goes_on_below,
    may_be_header,
    names_languages_below,
    names_texts,
    refuse_identifiers,
    refuse_tables_of_words,
)
from bitext.formats.io.source import Source
from bitext.formats.languages import RowLanguages, known
from bitext.formats.line_files import grouped, no_segment, runs
from bitext.formats.registry import LANGUAGE, ReadOptions
from bitext.formats.scores import MISSING, NULLS, is_missing_text, score_of
from bitext.formats.states import (
    FUZZY,
    TRUE,
    as_drafts,
    is_draft,
    note_draft,
    spelled_state,
    unknown_states,
)
from bitext.model import Bitext

# Reading.

_ERRORS = frozenset(("#NAME?", "#REF!", "#VALUE!"))  # of spreadsheets
_NOTED = MISSING.difference(NULLS) | _ERRORS  # texts on which there may be a note
_TITLES = 10  # rows of a title before a table, at most; set by hand


class CellValue(str):
    """A number, date or truth value in a cell of a sheet, spelled as in JSON.

    `shown` is its spelling in the sheet, as `00123` for 123; empty if this is not known.
    """

    __slots__ = ("shown",)
    shown: str

    def __new__(cls, spelled: str, shown: str = "") -> Self:
        """Make a value."""
        value = super().__new__(cls, spelled)
        value.shown = shown
        return value


def _with_shown_texts(
    source: Source, numbers: Sequence[int], rows: list[list[str]], sides: tuple[int, int], noun: str
) -> list[list[str]]:
    """Return rows of plain strings, in which texts are as the sheet shows them, as far as known."""
    for k in sides:
        for number, row in zip(numbers, rows, strict=True):
            cell = row[k]
            if type(cell) is CellValue:
                if not cell.shown:
                    kind = (
                        "numbers and dates in columns of texts, read without their format, as 7 "
                        "and 2026-05-04: format such columns as text"
                    )
                    source.notes.add(kind, f"{source.path} {noun} {number}: {cell[:40]!r}")
                row[k] = cell.shown or cell
    return [[*map(str, row)] for row in rows]


def read_rows(
    source: Source,
    options: ReadOptions,
    rows: Iterable[tuple[int, list[str]]],
    *,
    noun: str = "line",
    padded: bool = False,
) -> Iterator[Bitext]:
    """Yield the bitexts of a table, or their parts.

    Each of `rows` is the number of the row, from 1, and its cells. `noun` is the word for a row in
    notes, `line` or `row`. With `padded`, rows that lack cells at their end have empty ones there,
    as the rows of a sheet have.
    """
    beads = Beads(source, options)
    table: TableRows | None = None
    document: str | None = None
    width = 0
    for group in grouped(rows, options):
        numbers = [number for number, _ in group]
        cells = [row for _, row in group]
        if padded:
            if table is None:
                width = _used_width(cells[: min(SAMPLE, options.part_size)])
            cells = _padded_rows(source, numbers, cells, width, noun)
        if table is None:
            begin = _begin_of_table(source, numbers, cells, noun)
            numbers, cells = numbers[begin:], cells[begin:]
            if not cells:
                continue
            if len(cells) > 1 and goes_on_below(cells[0], cells[1]):
                kind = f"second {noun}s of a header, left out"
                shown = " ".join(filter(None, cells[1]))[:40]
                source.notes.add(kind, f"{source.path} {noun} {numbers[1]}: {shown!r}")
                del numbers[1], cells[1]
            # As many rows as the first part has, so that a file has the same columns in parts.
            sample = cells[: min(SAMPLE, options.part_size)]
            AttributeColumns(source).refuse_sparse(len(cells[0]), 1, len(cells[0]), numbers[0])
            layout = columns_of_rows(source, sample, options, all_noted=True)
            structure = _structure(source, layout, sample)
            table = TableRows(source, layout, cells[0], options, noun=noun, structure=structure)
            beads.langs = table.langs
        places, cells = table.body(numbers, cells)
        if padded:
            cells = _with_shown_texts(source, places, cells, (layout.src, layout.tgt), noun)
        for name, begin, end in table.documents(places, cells):
            if name is not None and name != document:
                if document is not None:
                    yield from beads.rest()
                    beads = Beads(source, options, langs=table.langs)
                beads.name, document = name or options.name, name
            table.add(beads, places[begin:end], cells[begin:end])
            yield from beads.parts()
    if table is not None:
        table.check()
    yield from beads.rest()


def _used_width(rows: list[list[str]]) -> int:
    """Return the number of columns up to the last one with a cell."""
    return max((k + 1 for row in rows for k, cell in enumerate(row) if cell), default=0)


def _padded_rows(
    source: Source, numbers: list[int], rows: list[list[str]], width: int, noun: str
) -> list[list[str]]:
    """Return the rows with `width` cells each; note cells beyond."""
    if set(map(len, rows)) == {width}:
        return rows
    for number, row in zip(numbers, rows, strict=True):
        if any(row[width:]):
            kind = "cells beyond the columns of the table, left out"
            place = f"{source.path} {noun} {number}: {next(filter(None, row[width:]))[:40]!r}"
            source.notes.add(kind, place)
    return [row[:width] + [""] * (width - len(row)) for row in rows]


def _begin_of_table(source: Source, numbers: list[int], rows: list[list[str]], noun: str) -> int:
    """Return the index of the first row of a table, after empty rows and those of a title.

    A row with a single filled cell may be a title only where a header follows.
    """
    filled = [sum(map(bool, row)) for row in rows[: _TITLES + 1]]
    first = next((k for k, count in enumerate(filled) if count), len(rows))
    begin = comments_before(rows)
    full = next((k for k, count in enumerate(filled) if count > 1 and k >= begin), first)
    # A header of several rows: a later one names the texts.
    names = next((k for k in range(full, len(filled)) if names_texts(rows[k])), full)
    above = rows[full:names]
    several = bool(above) and not _has_header(rows[full:])
    if several and all(map(all, above)):
        several = all(row[0].startswith("#") for row in above)
    if not above and full + 1 < len(filled) and names_languages_below(rows[full], rows[full + 1]):
        full += 1  # sides alone in the first row, and their languages in the next
    elif several:
        full = names
    elif full > first and len(rows[first]) > 1 and not begin:
        full = full if _has_header(rows[full:]) else first
    if full > first:
        shown = " ".join(filter(None, rows[first]))[:40]
        place = f"{source.path} {noun} {numbers[first]}: {shown!r}"
        source.notes.add(f"{noun}s before a table, left out", place, full - first)
    return full


def comments_before(rows: list[list[str]]) -> int:
    """Return the number of first rows that begin with `#` and have other columns than the next."""
    count = next((k for k, row in enumerate(rows) if row and not row[0].startswith("#")), 0)
    after = next((row for row in rows[count:] if any(row)), [])
    return count if all(len(row) != len(after) for row in rows[:count]) else 0


def _has_header(rows: list[list[str]]) -> bool:
    """Test the first row for a header, also one with unclear columns."""
    even = [row for row in rows[:SAMPLE] if len(row) == len(rows[0])]
    try:
        return lay_out(even).header
    except UnclearColumnsError:
        return True


def columns_of_rows(
    source: Source, rows: list[list[str]], options: ReadOptions, *, all_noted: bool = False
) -> Layout:
    """Determine the columns from the first rows; note any layout but the plain one.

    With `all_noted` the note is left out for the header of bitext only.
    """
    # A repeated first row may be the header of a joined file, and is not evidence.
    first = rows[0] if rows else ["", ""]
    again = [first, [f"\ufeff{first[0]}", *first[1:]]]
    even = [row for row in rows if len(row) == len(first) and row not in again]
    if not options.columns.named:
        refuse_tables_of_words(source, rows)
    widths = set(map(len, rows[1:]))
    if len(rows) > 2 and len(widths) == 1 and min(widths) > len(first):
        raise source.error(
            f"has {len(first)} columns in its first row and {min(widths)} in all rows after it, "
            f"as R writes names of rows: give each column a name in the first row, or delete it"
        )
    try:
        layout = lay_out([first, *even], options.columns, options.requested)
    except UnclearColumnsError as error:
        way = remedy("columns src=1,tgt=2")
        raise source.error(f"{error}; name the columns ({way}, by number or header)") from None
    if not options.columns.named:
        body = even if layout.header else [first, *even]
        sides = {
            k: ([row[k] for row in body], first[k] if layout.header else "")
            for k in (layout.src, layout.tgt)
        }
        refuse_identifiers(source, sides)
    note = layout.note
    if all_noted and not layout.exact and not options.columns.named:
        k = layout.score
        empty = k is not None and not any(row[k].strip() for row in even)
        note = (layout._replace(score=None) if empty else layout).described()
    take = remedy("head", python="head=True")
    if note:
        other = remedy("columns src=2,tgt=3")
        kind = f"columns detected from their cells (name others with {other})"
        if layout.header:
            way = remedy("no-head", python="head=False")
            kind = f"first {'rows' if all_noted else 'lines'} taken as a header"
            kind += f" ({way} reads them as texts)"
        elif all_noted:
            kind = f"tables without a header ({take} takes the first row as one)"
        source.note(kind, note)
    texts, *others = ([row[layout.src], row[layout.tgt]] for row in [first, *even])
    guessed = not (all_noted or layout.header) and options.columns.head is None
    if guessed and may_be_header(texts, others):
        kind = f"first lines that may be a header, read as texts ({take} takes them as one)"
        source.note(kind, " and ".join(map(repr, texts)))
    return layout


_Item = TypeVar("_Item")
_Pair = tuple[_Item, _Item]

_DOCUMENTS = frozenset(("document", "documents", "doc", "dokument", "documento", "документ"))


def _structure(source: Source, layout: Layout, rows: list[list[str]]) -> _Pair[int | None]:
    """Return the columns of beads and of documents of a table of bitext.

    Below a header with other names, beads are known by their form, and by cells with as many lines;
    a column of documents is one only beside them. `rows` are the first rows, with the header.
    """
    if layout.exact:
        capitals = rows[0][layout.src] != "src"
        places = {name.lower() if capitals else name: k for k, name in layout.rest.items()}
        return places.get("bead"), places.get("document")
    if not layout.header:
        return None, None
    body = [row for row in rows[1:] if len(row) == len(rows[0])]
    bead = next((k for k in layout.rest if _are_beads(layout, body, k)), None)
    document = next((k for k, name in layout.rest.items() if name.lower() in _DOCUMENTS), None)
    if bead is not None:
        named = ", ".join(repr(layout.rest[k]) for k in (bead, document) if k is not None)
        source.note("columns of beads and documents below other names than those of bitext", named)
        return bead, document
    several = document is not None and len({row[document] for row in body} - {""}) > 1
    if document is not None and several and layout.rest[document].lower() == "document":
        kind = "columns of documents taken as an attribute (not below the names src, tgt, document)"
        source.note(kind, repr(layout.rest[document]))
    return None, None


def _are_beads(layout: Layout, rows: list[list[str]], at: int) -> bool:
    """Test a column for beads such as `2-1`, with as many lines in the cells of the texts.

    Some rows have several lines, and all of them fit; below the name of beads most of them. Rows
    without a bead were added, and there a date may be what a spreadsheet program made of one.
    """
    is_named = layout.rest[at].lower() in {"bead", "beads"}
    fitting, others = 0, 0
    for row in filter(itemgetter(at), rows):
        members = _members_of(row[at])
        cells = row[layout.src], row[layout.tgt]
        if all(
            lines is not None and _segments(cell, lines) is not None
            for lines, cell in zip(members, cells, strict=True)
        ):
            fitting += any(len(lines or ()) > 1 for lines in members)
        elif is_named:
            others += bool(_BEAD.fullmatch(row[at])) or _DATE.match(row[at]) is None
        else:
            return False
    return fitting > others or (is_named and not others)


class TableRows:
    """Adds the rows of a table, in groups, as bisegments.

    `first` is the first row, which is the header, if there is one. `noun` is the word for a row in
    notes, `line` or `row`. With `lines` the table is TSV, whose cells are nothing but texts, scores
    and attributes. `structure` are the columns of beads and of documents, if there are any. Rows
    that name other languages than those of the options are left out.
    """

    def __init__(
        self,
        source: Source,
        layout: Layout,
        first: list[str],
        options: ReadOptions,
        *,
        noun: str = "line",
        lines: bool = False,
        structure: _Pair[int | None] = (None, None),
    ) -> None:
        self._source, self._noun, self._drafts, self._lines = source, noun, options.drafts, lines
        self._bead, self._document = structure
        self._states = None
        self._exact = layout.exact
        if not lines:
            if layout.score is None and layout.likely_score is not None:
                layout = layout._replace(score=layout.likely_score, sure=True)
            places = {name: k for k, name in layout.rest.items()}
            self._states = places.get("state") if layout.exact else layout.states
            if not layout.exact:
                named = {layout.states: "state", layout.ids: "id"}
                renamed = [named.get(k, name) for k, name in enumerate(layout.names)]
                if len(set(renamed)) == len(renamed):
                    layout = layout._replace(names=renamed)
        self._layout = layout
        self._attributes = {
            k: name
            for k, name in layout.rest.items()
            if k not in {self._bead, self._document, self._states}
        }
        self._further = [
            k
            for k, name in self._attributes.items()
            if options.every_language and name.startswith(LANGUAGE)
        ]
        self.langs = (known(layout.langs[0]), known(layout.langs[1]))
        self._header = first if layout.header else None
        # The header with its sides exchanged, as a file that was joined may have it.
        self.exchanged: list[str] | None = None
        if layout.header and first != ["src", "tgt"]:
            sides = {layout.src: first[layout.tgt], layout.tgt: first[layout.src]}
            self.exchanged = [sides.get(k, name) for k, name in enumerate(first)]
        at = self._states
        self._fuzzy = at is not None and not layout.exact and "fuzzy" in first[at].lower()
        self._begun = False
        wanted = ("", "") if options.every_language else options.languages
        self._row_langs = RowLanguages(source, noun, wanted)
        self._ragged = False
        self._has_scores = False  # whether earlier rows had scores
        # the first row that was added with an empty side, and the number of such rows
        self._bare: list[int] = []
        self._above = ""  # the name of the document of the last row

    def documents(
        self, numbers: Sequence[int], rows: list[list[str]]
    ) -> Iterator[tuple[str | None, int, int]]:
        """Yield the runs of rows of one document, with its name; `None` without names.

        A row without a name belongs to the document above, as empty rows and merged cells do.
        """
        at = self._document
        if at is None:
            yield None, 0, len(rows)
            return
        names = [row[at] if at < len(row) else "" for row in rows]
        for k in (k for k, name in enumerate(names) if not name):
            names[k] = names[k - 1] if k else self._above
            if names[k] and any(rows[k]):
                kind = f"{self._noun}s without the name of a document, taken to that above"
                self._note(kind, numbers[k], f": {names[k]!r}")
        if names and not names[0]:  # empty rows before the first
            first = next((k for k, row in enumerate(rows) if any(row)), 0)
            names[:first] = names[first : first + 1] * first
        self._above = names[-1] if names else self._above
        yield from runs(names)

    def _note(self, kind: str, number: int, more: str = "", count: int = 1) -> None:
        self._source.notes.add(kind, f"{self._source.path} {self._noun} {number}{more}", count)

    def add(self, beads: Beads, numbers: Sequence[int], rows: list[list[str]]) -> None:
        """Add the rows that are bisegments, each with its number."""
        if set(map(len, rows)) != {len(self._layout.names)}:
            numbers, rows = self._even(numbers, rows)
        if not rows:
            return
        columns: list[tuple[str, ...]] = list(zip(*rows, strict=True))
        if any(null in column for column in columns for null in NULLS):
            rows = [self._without_nulls(n, row) for n, row in zip(numbers, rows, strict=True)]
            columns = list(zip(*rows, strict=True))
        if self._layout.lang_columns != (None, None):
            numbers, columns = self._in_languages(numbers, columns)
        src, tgt = columns[self._layout.src], columns[self._layout.tgt]
        if not (all(src) and all(tgt)):
            taken = self._taken(numbers, columns)
            numbers = list(compress(numbers, taken))
            columns = [tuple(compress(column, taken)) for column in columns]
            src, tgt = columns[self._layout.src], columns[self._layout.tgt]
        if not numbers:
            return
        self._note_missing(numbers, src, tgt)
        scores, extra = self._scores(numbers, columns)
        values = {n: [c or None for c in columns[k]] for k, n in self._attributes.items()}
        if self._states is not None:
            translated, more = self._translated(numbers, src, tgt, columns[self._states])
            tgt = tuple(translated)
            # The state stays at its place, so that a table written from this one has its order.
            after = {
                name: values.pop(name) for k, name in self._attributes.items() if k > self._states
            }
            values |= {"state": more.pop("state")} | after | more
        more_columns = values | extra
        if self._bead is None and all(src) and all(tgt):
            beads.extend(src, tgt, scores=scores, attributes=more_columns, lines=numbers)
            return
        sides, sizes = self._segments(numbers, (src, tgt), columns)
        beads.extend(*sides, sizes=sizes, scores=scores, attributes=more_columns, lines=numbers)

    def _in_languages(
        self, numbers: Sequence[int], columns: list[tuple[str, ...]]
    ) -> tuple[Sequence[int], list[tuple[str, ...]]]:
        """Return the rows in the requested languages; note those in other ones."""
        langs = self._layout.lang_columns
        names = [None if k is None else self._layout.names[k] for k in langs]
        codes = [columns[k] for k in langs if k is not None]
        taken = self._row_langs.select(names, numbers, codes)
        if taken is None:
            return numbers, columns
        return list(compress(numbers, taken)), [tuple(compress(each, taken)) for each in columns]

    def check(self) -> None:
        """Check after the last row that some rows were in the requested languages."""
        self._row_langs.check()

    def _note_missing(self, numbers: Sequence[int], src: Sequence[str], tgt: Sequence[str]) -> None:
        """Note cells that programs write for missing values, and that are texts here."""
        for side, other in ((src, tgt), (tgt, src)):
            if _NOTED.isdisjoint(side):
                continue
            at = [
                k
                for k, cell in enumerate(side)
                if cell in _NOTED and (cell in _ERRORS or is_missing_text(cell, other[k]))
            ]
            if at:
                kind = "cells NaN, NULL or #N/A, as programs write missing values, taken as texts"
                self._note(kind, numbers[at[0]], f": {side[at[0]]!r}", len(at))

    def _without_nulls(self, number: int, row: list[str]) -> list[str]:
        """Return a row with empty cells for the NULL of databases, except for tables of bitext."""
        for null, writers in zip(NULLS, ("databases", "data sets"), strict=True):
            if count := row.count(null):
                way = (
                    "taken as texts under the header 'src tgt'" if self._exact else "read as empty"
                )
                self._note(f"cells {null}, as {writers} write NULL, {way}", number, count=count)
        return row if self._exact else ["" if cell in NULLS else cell for cell in row]

    def body(
        self, numbers: Sequence[int], rows: list[list[str]]
    ) -> tuple[Sequence[int], list[list[str]]]:
        """Return the rows without the header and without its repetitions, which are noted.

        A repeated header `src tgt` is read as texts, since a pair of texts may be these words.
        """
        header = self._header
        if header is None:
            return numbers, rows
        if self.exchanged is not None and self.exchanged in rows:
            raise self._source.error(
                "has the header again with the two sides exchanged, as of joined files: exchange "
                "the columns from here on, or make a file of them",
                numbers[rows.index(self.exchanged)],
            )
        heads = (header, [f"\ufeff{header[0]}", *header[1:]])
        if not any(map(rows.count, heads)):
            return numbers, rows
        begins, self._begun = not self._begun, True
        at = [k for k, row in enumerate(rows) if row in heads]
        if len(at) > begins:
            plain = header == ["src", "tgt"]
            treatment = "taken as texts" if plain else "left out"
            kind = f"{self._noun}s that repeat the header, as of joined files, {treatment}"
            self._note(kind, numbers[at[begins]], count=len(at) - begins)
            at = at[:begins] if plain else at
        out = set(at)
        rest = [k for k in range(len(rows)) if k not in out]
        return [numbers[k] for k in rest], [rows[k] for k in rest]

    def _even(
        self, numbers: Iterable[int], rows: list[list[str]]
    ) -> tuple[list[int], list[list[str]]]:
        """Return the rows of full width, with short ones filled; note and leave out the others."""
        width, texts = len(self._layout.names), max(self._layout.src, self._layout.tgt) + 1
        even: list[tuple[int, list[str]]] = []
        for number, row in zip(numbers, rows, strict=True):
            if len(row) > width and not self._lines:
                row = row[:width] if not any(row[width:]) else row
            if len(row) != width:
                kind = self._kind_of_ragged(row, width, texts)
                left_out = kind.endswith("left out") and not kind.startswith("empty")
                if left_out and self._bare and not self._ragged:
                    lines = f"{self._noun}s with an empty side"
                    before = f"{lines} before the first ragged {self._noun}, taken"
                    self._note(before, self._bare[0], count=self._bare[1])
                self._ragged |= left_out
                self._note(kind, number, f": {len(row)} for {width} columns")
                if kind.endswith("left out"):
                    continue
                row = row + [""] * (width - len(row))
            even.append((number, row))
        return [number for number, _ in even], [row for _, row in even]

    def _kind_of_ragged(self, row: list[str], width: int, texts: int) -> str:
        if row in ([""], []):
            return f"empty {self._noun}s, left out"
        if len(row) > width:
            return f"{self._noun}s with more columns than the first, left out"
        if len(row) < texts:
            return f"{self._noun}s without a column for each text, left out"
        return f"{self._noun}s that lack columns after the texts, taken without them"

    def _taken(self, numbers: Sequence[int], columns: Sequence[Sequence[str]]) -> list[bool]:
        """Return for each row whether it is a bisegment, where some have an empty side."""
        src, tgt = columns[self._layout.src], columns[self._layout.tgt]
        taken = [True] * len(src)
        types = None if self._bead is None else columns[self._bead]
        lacking = [k for k, sides in enumerate(zip(src, tgt, strict=True)) if "" in sides]
        for k in lacking:
            if types is not None and _BEAD.fullmatch(types[k]):
                continue
            number = numbers[k]
            if not (src[k] or tgt[k]):
                if any(columns[at][k] for at in self._further) and not self._ragged:
                    continue
                if self._lines or any(column[k] for column in columns):
                    no_segment(self._source, number, self._noun)
                else:
                    self._note(f"empty {self._noun}s, left out", number)
                taken[k] = False
            elif self._ragged:
                kind = f"{self._noun}s with an empty side in a file with ragged {self._noun}s"
                self._note(f"{kind}, left out", number)
                taken[k] = False
            else:
                self._bare = [self._bare[0], self._bare[1] + 1] if self._bare else [number, 1]
        return taken

    def _segments(
        self, numbers: Sequence[int], cells: _Pair[Sequence[str]], columns: Sequence[Sequence[str]]
    ) -> tuple[_Pair[list[str]], _Pair[list[int]]]:
        """Return the segments of both sides, and how many of them each row has."""
        sizes: _Pair[list[int]] = ([], [])
        if self._bead is None:
            for size, side in zip(sizes, cells, strict=True):
                size += [1 if cell else 0 for cell in side]
            if self._further:  # a row in further languages alone has an empty source segment
                sizes[0][:] = [one or not other for one, other in zip(*sizes, strict=True)]
            src, tgt = (list(compress(*both)) for both in zip(cells, sizes, strict=True))
            return (src, tgt), sizes
        # The types of beads say which lines of a cell form which segment.
        sides: _Pair[list[str]] = ([], [])
        for number, bead, *both in zip(numbers, columns[self._bead], *cells, strict=True):
            wanted = _members_of(bead)
            if wanted[0] is None and _DATE.match(bead):
                kind = "beads that are none, as spreadsheets make a date of 2-1, read by the lines"
                self._note(f"{kind} of their cells", number, f": {bead[:20]!r}")
                one, other = ([1] * (cell.count("\n") + 1) if cell else [] for cell in both)
                wanted = one, other
            for side, size, cell, lines in zip(sides, sizes, both, wanted, strict=True):
                segments = [cell] if cell else []
                if lines is not None:
                    cut = _segments(cell, lines)
                    if cut is None:
                        kind = "cells whose lines are not those of their bead, read as one segment"
                        self._note(kind, number, f": {bead[:20]!r}")
                    else:
                        segments = cut
                side += segments
                size.append(len(segments))
        return sides, sizes

    def _translated(
        self, numbers: Sequence[int], src: Sequence[str], tgt: Sequence[str], states: Sequence[str]
    ) -> tuple[list[str], dict[str, list[str | None]]]:
        """Return the targets that are translations by their state, and the columns of states."""
        out: list[str] = []
        drafts: list[str | None] = []
        normal = list(states)
        if not self._exact:
            if self._fuzzy:
                states = [FUZZY if state.strip().lower() in TRUE else "" for state in states]
            known = {state: spelled_state(state) for state in set(states)}
            normal = [known[state] or state.strip() for state in states]
            for number, state in zip(numbers, states, strict=True):
                if state.strip() and not known[state]:
                    self._note(unknown_states(), number, f": {state.strip()[:40]!r}")
        for number, one, other, state, spelled in zip(
            numbers, src, tgt, normal, states, strict=True
        ):
            draft = bool(one and other) and is_draft(state)
            if draft:
                place = f"{self._source.path} {self._noun} {number}"
                note_draft(self._source.notes, f"state {spelled[:40]!r}", place, taken=self._drafts)
            draft = draft and not self._drafts
            out.append("" if draft else other)
            drafts.append(as_drafts([(other, None)]).get("draft") if draft else None)
        columns: dict[str, list[str | None]] = {"state": [state or None for state in normal]}
        return out, columns | ({"draft": drafts} if any(drafts) else {})

    def _scores(
        self, numbers: Sequence[int], columns: list[tuple[str, ...]]
    ) -> tuple[list[float] | None, dict[str, list[str | None]]]:
        """Return the scores, and an attribute with the cells that are no scores."""
        at = self._layout.score
        if at is None:
            return None, {}
        sure, cells = self._layout.sure, columns[at]
        given = values = list(map(score_of, cells))
        if None in given:
            given = values = [nan if c in MISSING else s for c, s in zip(cells, given, strict=True)]
        if None in given and (sure or not self._lines):
            values = [
                _otherwise_spelled(cell) if score is None else score
                for cell, score in zip(cells, given, strict=True)
            ]
        scores = [nan if score is None else score for score in values]
        whole = None not in values and (sure or not any(map(isnan, scores)))
        if whole or self._has_scores:
            self._has_scores = True
            for k in range(len(cells)) if values is not given else ():
                if given[k] is values[k]:
                    continue
                kind = "scores with a decimal comma"
                kind = "scores in per cent, read as shares of 1" if cells[k][-1] == "%" else kind
                self._note(kind, numbers[k], f": {cells[k][:20]!r}")
            return scores, {} if whole else self._strangers(numbers, cells, values)
        if sure:
            self._source.note(
                "columns named score that hold something else, kept as an attribute",
                f"{cells[values.index(None)][:40]!r}",
            )
        self._layout = self._layout._replace(score=None)
        self._attributes = dict(sorted([*self._attributes.items(), (at, self._layout.names[at])]))
        return None, {}

    def _strangers(
        self, numbers: Sequence[int], cells: Sequence[str], scores: list[float | None]
    ) -> dict[str, list[str | None]]:
        """Note cells that are no scores where earlier parts had scores; return them as a column."""
        strange = [score is None for score in scores]
        if not any(strange):
            lacking = [score is not None and isnan(score) for score in scores]
            kind = f"{self._noun}s without a score after {self._noun}s that all have one"
            self._note(kind, numbers[lacking.index(True)], count=sum(lacking))
            return {}
        k = strange.index(True)
        self._note(
            "cells that are not numbers after scores, kept as an attribute",
            numbers[k],
            f": {cells[k][:40]!r}",
            sum(strange),
        )
        at = cast("int", self._layout.score)
        column = [cell if no else None for cell, no in zip(cells, strange, strict=True)]
        return {self._layout.names[at]: column}


_COMMA_OR_SHARE = re.compile(r"([-+]?\d{1,15}(?:[.,]\d{1,15})?) ?(%)?", re.ASCII)


def _otherwise_spelled(cell: str) -> float | None:
    """Return a score in per cent as a share of 1, or one with a decimal comma; else `None`."""
    match = _COMMA_OR_SHARE.fullmatch(cell)
    if match is None:
        return None
    return float(match[1].replace(",", ".")) / (100 if match[2] else 1)


# Beads in cells: the numbers of segments, or the lines of each.

_SIDE = r"\d{1,6}(?:\+\d{1,6})*"
_BEAD = re.compile(f"({_SIDE}) ?[-:\u2013] ?({_SIDE})", re.ASCII)
# What spreadsheets make of `2-1`: 02-Jan, Jan-02, 2026-01-02, 2.1.2026.
_DATE = re.compile(r"\d{1,4}(?:\W{1,2}(?:\d|[^\W\d_]{3})|[年月])|[^\W\d_]{3,4}\W{1,2}\d{1,4}\b")


def _members_of(bead: str) -> tuple[list[int] | None, list[int] | None]:
    """Return the lines of each segment of both sides, `[0]` for all; `None` for no bead.

    Examples
    --------
    >>> _members_of("2+1-0"), _members_of("1-2"), _members_of("")
    (([2, 1], []), ([0], [1, 1]), (None, None))

    """
    match = _BEAD.fullmatch(bead)
    if match is None:
        return None, None
    sides = []
    for side in match.groups():
        lines = list(map(int, side.split("+")))
        if len(lines) == 1:
            lines = [0] if lines == [1] else [1] * min(lines[0], _MOST_MEMBERS)
        sides.append(lines)
    return sides[0], sides[1]


_MOST_MEMBERS = 100_000  # segments of a side, as a limit of allocation; set by hand


def _segments(cell: str, lines: list[int]) -> list[str] | None:
    """Cut a cell into segments of so many lines; `None` if it has another number of lines."""
    if lines == [0]:
        return [cell]
    if not lines:
        return None if cell else []
    parts = cell.split("\n")
    if len(parts) != sum(lines) or 0 in lines:
        return None
    if len(lines) == len(parts):
        return parts
    rest = iter(parts)
    return ["\n".join(islice(rest, count)) for count in lines]
