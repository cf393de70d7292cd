"""Tables of masses: one line per coder, as of segeval, or the masses of a text in a row.

A file of segeval in TSV is one text: a header, then the name of a coder and its masses in each
line; or, if the header has `Positions`, the number of the segment of each unit. Other tables have
the masses of a text in a cell, beside the name of the text and perhaps that of its coder. Lines
such as `t1: 5,3` name their texts, too.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from bitext.errors import SegmentationError, remedy
from bitext.formats.io.source import Source
from bitext.formats.segmentations.collecting import (
    CODER_HEADS,
    Collected,
    ReadingOptions,
    Readings,
    chosen_coders,
    csv_rows,
    listed,
    readings_of,
)
from bitext.formats.segmentations.detection import (
    BETWEEN_MASSES,
    BITS,
    MASSES,
    may_be_segments,
    note_other_readings,
    plain_masses,
    rises,
    suffix_of,
)
from bitext.formats.segmentations.labels import TEXT_HEADS
from bitext.model import Segmentation

# Masses of coders, in tables and in JSON.

_LABELS = '{"id": "t1", "labels": [1, 1, 2]}'


def check_masses(source: Source, items: Mapping[str | None, Any], coders: Sequence[str]) -> None:
    """Refuse the segment number of each unit, which segeval reads from the same object, too.

    All lists begin with 1 and go on with the same number or the next one, and those of a text are
    of one length. If they have one sum they may be masses as well, and are noted.

    Raises `FormatError` when the sums of a text differ.
    """
    of_texts = [
        [codings[coder] for coder in coders if coder in codings]
        for codings in items.values()
        if isinstance(codings, dict)
    ]
    lists = [numbers for text in of_texts for numbers in text]
    if not lists or not all(map(may_be_segments, lists)) or not any(max(n) > 1 for n in lists):
        return
    if any(len({*map(len, text)}) > 1 for text in of_texts):
        return
    if any(len({*map(sum, text)}) > 1 for text in of_texts):
        raise source.error(
            f"has the number of the segment of each unit (positions), and not masses: give JSON "
            f"lines as {_LABELS}, a file for each coder"
        )
    kind = "numbers taken as masses, which could be the segment of each unit"
    source.note(f"{kind} (if so, give JSON lines as {_LABELS})")


def segmentation_of(source: Source, masses: Any, where: str, line: int) -> Segmentation:
    """Return the segmentation of a list of masses; `where` names the list in errors.

    Raises `FormatError` when these are no whole numbers above zero.
    """
    whole = isinstance(masses, list) and all(type(mass) is int for mass in masses)
    if not whole or not masses:
        raise source.error(
            f"has {masses!r:.40} ({where:.60}); want masses, whole numbers above zero", line
        )
    try:
        return Segmentation(masses)
    except SegmentationError as error:
        raise source.error(f"{error} ({where:.60})", line) from None


# Tables: one line per coder.

_HEADS = frozenset(["coder", "coders", "annotator", "annotators", "rater"])
_COUNTS = frozenset(["masses", "mass", "positions", "position"])
_MOST_DIGITS = 18  # digits of a number that fits into 64 bits


def read_coder_table(
    source: Source, lines: Sequence[str], options: ReadingOptions
) -> Readings | None:
    """Read a table of a coder a line; `None` for other lines, or where options name columns."""
    if options.spelling is not None or options.names_columns:
        return None
    delimiter = "," if suffix_of(source) == ".csv" else "\t"
    if delimiter not in lines[0] or not _is_coder_table(lines, delimiter):
        return None
    first = _cells(lines[0], delimiter)
    if first[0].lower() in TEXT_HEADS:
        raise source.error(
            f"has a name and masses in each row, below {first[0]!r:.30}: of the coders of one text "
            f"name the notation ({remedy('from segeval')}); of texts give JSON lines, as "
            f'{{"id": "t1", "masses": [5, 3]}}',
            1,
        )
    return read_coder_lines(source, lines, options)


def _is_coder_table(lines: Sequence[str], delimiter: str) -> bool:
    """Recognise a table with a header, and a name and several masses in each further line.

    If neither the header has words of segeval, nor the lines are of unequal lengths, they may
    as well be units with one column per coder. Masses have the same sum in each line.
    """
    rows = [_cells(line, delimiter) for line in lines if line.strip()]
    if len(rows) < 2 or not all(map(_is_coding, rows[1:])) or max(map(len, rows[1:])) < 3:
        return False
    head = [cell.lower() for cell in rows[0]]
    if head[0] in _HEADS and set(head[1:]) & _COUNTS:
        return True
    counts = [[int(cell) for cell in row[1:]] for row in rows[1:]]
    alike = len({*map(sum, counts)}) == 1 and min(map(min, counts)) > 0
    return alike and len(rows) > 2 and len({*map(len, rows)}) > 1


def _is_coding(row: Sequence[str]) -> bool:
    return bool(row[0]) and len(row) > 1 and all(map(_is_number, row[1:]))


def _is_number(cell: str) -> bool:
    return cell.isascii() and cell.isdigit() and len(cell) <= _MOST_DIGITS


def _cells(line: str, delimiter: str) -> list[str]:
    """Return the cells of a line, without the empty ones that a spreadsheet adds at its end."""
    cells = [cell.strip().strip('"') for cell in line.split(delimiter)]
    while len(cells) > 1 and not cells[-1]:
        cells.pop()
    return cells


def read_coder_lines(source: Source, lines: Sequence[str], options: ReadingOptions) -> Readings:
    """Read a table with the name of a coder and its masses in each line.

    Raises `FormatError` when there is another line, or a coder has two; with the line.
    """
    delimiter = "\t" if any("\t" in line for line in lines) else ","
    rows = [
        (number, _cells(line, delimiter)) for number, line in enumerate(lines, 1) if line.strip()
    ]
    # All masses may be in one cell: both layouts become one number in each cell.
    if (table := _mass_table(_rows_of(lines))) and len(table.others) == 1:
        (of_coders,) = table.others
        below = [(n, [row[of_coders], *table.masses_of(row)]) for n, row in table.rows]
        rows = rows[: len(rows) - len(below)] + below
    if not rows:
        raise source.error("is empty; want a header, and a coder and its masses in each line")
    head, codings = rows[0][1], rows[1:]
    if _has_no_header(rows):
        source.notes.add("no header, so the first line is a coder", f"{source.path} line 1")
        head, codings = [], rows
    if not codings:
        raise source.error("has a header only; want a coder and its masses in each further line")
    coders: dict[str, None] = {}
    for number, cells in codings:
        if not _is_coding(cells):
            wrong = next((c for c in cells[1:] if not _is_number(c)), "")
            flaw = f"holds {wrong!r:.40}" if wrong else "has no coder or no mass"
            raise source.error(f"{flaw}; want the name of a coder, and its masses", number)
        if cells[0] in coders:
            raise _repeated(source, cells[0], number)
        coders[cells[0]] = None
    positions = not {"positions", "position"}.isdisjoint(cell.lower() for cell in head[1:])
    names = list(coders)
    chosen = {names[k] for k in chosen_coders(source, names, options.coders)}
    parts = {}
    for number, (coder, *counts) in codings:
        if coder not in chosen:
            continue
        numbers = list(map(int, counts))
        if not positions:
            made = segmentation_of(source, numbers, f"coder {coder!r}", number)
        elif any(b - a not in {0, 1} for a, b in pairwise(numbers)):
            raise source.error(
                "has numbers of segments that do not rise by 0 or 1; want the number of the "
                "segment of each unit, or masses under the header Masses",
                number,
            )
        else:
            made = Segmentation.from_labels(numbers, form="labels")
        part = parts[coder] = Collected(source, coder)
        part.put(made)
        part.add(None, number)
    return readings_of(parts, "segeval", names)


def _repeated(source: Source, coder: str, number: int) -> Exception:
    flaw = f"is of coder {coder!r:.40}, as another line; want one line a coder"
    return source.error(flaw, number)


def _has_no_header(rows: Sequence[tuple[int, Sequence[str]]]) -> bool:
    """Test the first line for a coder: its masses have the same sum as all others."""
    if len(rows) < 2 or not all(_is_coding(cells) for _, cells in rows):
        return False
    sums = {sum(map(int, cells[1:])) for _, cells in rows}
    first = [int(cell) for cell in rows[0][1][1:]]
    return len(sums) == 1 and first != list(range(1, len(first) + 1))


# Tables of masses: one row per text, or one row per text and a coder; lines with the name of a
# text.


_NAME_HEADS = TEXT_HEADS | {"item", "name", "title"}
_MASS_HEADS = frozenset(
    [
        *("bits", "lengths", "mass", "masses", "segmentation", "segmentations", "segments"),
        *("massen", "segmente", "längen", "longueurs", "masas", "masse", "longitudes"),
    ]
)
_POSITION_HEADS = frozenset(["boundaries", "boundary", "breaks", "position", "positions"])
_SAMPLE = 100  # lines of which one has several masses, in a table of them; set by hand
_MISSING = frozenset(["", "na", "n/a", "nan", "null", "none"])
_ZERO = re.compile(r"\b0+\b")
_ENDS_IN_NUMBER = re.compile(r"[\s:=][0-9]+$")
_NAMED = re.compile(  # t1: 5 3, t1:5,3 or t1 5,3
    r"\s*([^\s:](?:[^:\t]*[^\s:])?)\s*:(?:\s+([0-9][0-9,\s]*[0-9])|([0-9]+(?:,[0-9]+)+))\s*"
    r"|([^\s\d,:;=][^\s,:;]*) +([0-9]+(?: *, *[0-9]+)+) *"
)


@dataclass(frozen=True, slots=True)
class _MassTable:
    """A table with the masses of a text in one cell of each row."""

    head: list[str]  # in small letters; empty strings where the first row is not a header
    rows: list[tuple[int, list[str]]]  # the line and the cells of each row
    masses: int  # the column of the masses
    others: list[int]  # the other columns, without the numbers of rows that pandas writes

    def body(self, row: Sequence[str]) -> str:
        """Return the masses of a row; empty for none."""
        cell = row[self.masses]
        return "" if cell.lower() in _MISSING else plain_masses(cell)

    def masses_of(self, row: Sequence[str]) -> list[str]:
        """Return the masses of a row one by one."""
        return self.body(row).replace(",", " ").split()


def _rows_of(lines: Sequence[str]) -> list[tuple[int, list[str]]]:
    """Return the rows of a table without empty ones; no cell has a line end."""
    delimiter = next((sign for line in lines[:2] for sign in "\t;," if sign in line), "")
    # Plain masses, with a name or none, are no table: there may be a million.
    frame = lines[0].startswith(("0,", "0;", "0\t"))  # numbers of columns, by pandas
    if not delimiter or (MASSES.fullmatch(lines[0].rpartition("\t")[2]) and not frame):
        return []
    if not any(BETWEEN_MASSES.search(ln) or ln[-1:].isdigit() for ln in lines[:_SAMPLE]):
        return []  # text, or labels
    rows = csv_rows(lines, delimiter)
    if len(rows) != len(lines) or not rows[0]:
        return []
    cells = [(k, [cell.strip() for cell in row]) for k, row in enumerate(rows, start=1)]
    return [(k, row) for k, row in cells if any(row)]


def _mass_table(rows: Sequence[tuple[int, list[str]]]) -> _MassTable | None:
    """Recognise a table in which one column has several masses in some cell, and masses in all."""
    first = list(rows[0][1]) if rows else []
    while first and not first[-1]:
        first.pop()  # empty cells after the header, of a table with one mass per cell
    width = len(first)
    if width and _is_head_of(first[-1].lower(), _MASS_HEADS):
        joined = [(n, [*row[: width - 1], ",".join(row[width - 1 :])]) for n, row in rows[1:]]
        rows = [(rows[0][0], first), *joined]
    if not width or any(len(row) != width for _, row in rows):
        return None
    header = not any(map(_has_several, first))
    head = [cell.lower() for cell in first] if header else [""] * width
    below = list(rows[header:])
    columns = [[row[k] for _, row in below] for k in range(width)]
    of_masses = [k for k, cells in enumerate(columns) if _are_cells_of_masses(cells)]
    if len(of_masses) != 1:
        return None
    others = [k for k in range(width) if k not in of_masses and any(columns[k])]
    if others and others[0] == 0 and head[0] in {"", "unnamed: 0"} and _are_indices(columns[0]):
        del others[0]
    return _MassTable(head, below, of_masses[0], others)


def _has_several(cell: str) -> bool:
    body = plain_masses(cell)
    return bool(MASSES.fullmatch(body) and (body != cell or BETWEEN_MASSES.search(body)))


def _are_cells_of_masses(cells: Sequence[str]) -> bool:
    filled = [cell for cell in cells if cell.lower() not in _MISSING]
    return all(MASSES.fullmatch(plain_masses(c)) for c in filled) and any(map(_has_several, filled))


def _are_indices(cells: Sequence[str], begins: Sequence[int] = (0, 1)) -> bool:
    return list(cells) in ([str(k + begin) for k in range(len(cells))] for begin in begins)


def _is_head_of(cell: str, names: frozenset[str]) -> bool:
    return cell in names or not names.isdisjoint(re.split(r"[\W_]+", cell))


def read_mass_table(
    source: Source, lines: Sequence[str], options: ReadingOptions
) -> Readings | None:
    """Read a table whose header names a coder, masses and mostly a text; `None` for any other."""
    if options.names_columns or options.spelling not in {None, "masses", "segeval"}:
        return None
    table = _mass_table(_rows_of(lines))
    if table is None or not _is_head_of(table.head[table.masses], _MASS_HEADS):
        return None
    # One column has to name the coder, and at most one the text; others are not read.
    of_coders = [k for k in table.others if _is_head_of(table.head[k], CODER_HEADS)]
    left = [k for k in table.others if k not in of_coders]
    of_texts = [k for k in left if table.head[k] in _NAME_HEADS] if len(left) > 1 else left
    if len(of_coders) != 1 or len(of_texts) != min(1, len(left)):
        return None
    coder_of, text_of = of_coders[0], of_texts[0] if of_texts else None
    unread = [table.head[k] for k in left if k != text_of]
    if unread:
        kind = "columns beside the texts, coders and masses of a table, not read"
        source.note(kind, listed(unread), count=len(unread))
    coders = list(dict.fromkeys(row[coder_of] for _, row in table.rows))
    parts = {
        coders[k]: Collected(source, coders[k])
        for k in chosen_coders(source, coders, options.coders)
    }
    bodies: list[str] = []
    items: dict[str | None, dict[str, list[int]]] = {}
    for number, row in table.rows:
        coder, body = row[coder_of], table.body(row)
        text = None if text_of is None else row[text_of]
        if not coder or text == "":
            raise source.error("has no name of its text or coder; want both in each row", number)
        if not body:
            kind = "texts that a coder did not code (no label, or NA)"
            source.note(kind, f"{coder}, {text or 'the text'}", line=number)
        elif coder in parts and text is None and parts[coder].texts:
            raise _repeated(source, coder, number)
        elif coder in parts:
            bodies.append(body)
            masses = list(map(int, table.masses_of(row)))
            items.setdefault(text, {})[coder] = masses
            where = f"text {text!r}, {coder!r}" if text else f"coder {coder!r}"
            parts[coder].put(segmentation_of(source, masses, where, number))
            parts[coder].add(text, number)
    parts = {coder: part for coder, part in parts.items() if part.texts}
    if options.spelling is None and bodies:
        check_masses(source, items, list(parts))
        note_other_readings(source, bodies, listed=True)
    return readings_of(parts, "segeval", coders)


def lines_by_name(source: Source, lines: list[str], options: ReadingOptions) -> list[str]:
    """Return lines with a tab after the name of each text, where another sign is there.

    That is in a table of names and masses, in which a cell has the masses of a text, or each
    further cell one of them; and in lines such as `t1: 5,5`. The header becomes an empty line, so
    that lines keep their numbers. Texts without a name are named by their order below a header.
    Other lines are returned as they are.
    """
    if options.names_columns or options.spelling not in {None, "masses", "positions"}:
        return lines
    found = _all_named(lines)
    if not found:
        made = _table_of_texts(source, lines, options.spelling)
        if made:
            way = remedy("from segeval")
            kind = f"tables of a text a row (of a coder a row: {way})"
            source.notes.add(kind, f"{source.path} line 1: {lines[0].strip()[:40]!r}")
        return made or lines
    source.note("names of texts before a colon or a blank", f"{lines[0].strip()[:40]!r}")
    return found


def _all_named(lines: Sequence[str]) -> list[str]:
    """Return lines with a tab after each name; none if a line has no name of its own."""
    made = []
    for line in lines:
        match = _NAMED.fullmatch(line) if line.strip() else None
        if not match and line.strip():
            return []
        made.append("\t".join(filter(None, match.groups())) if match else "")
    names = [line.partition("\t")[0] for line in made if line]
    return made if len(set(names)) == len(names) else []


def _table_of_texts(source: Source, lines: Sequence[str], spelling: str | None) -> list[str]:
    """Return the rows of a table as lines with a tab; none if it is not a table of texts."""
    rows = _rows_of(lines)
    table = _mass_table(rows)
    numbers = int(bool(rows) and rows[0][1][0] == "")  # whether pandas wrote numbers of rows
    if rows and len(rows[0][1]) == 2 and _is_head_of(rows[0][1][1].lower(), _MASS_HEADS):
        bits = [row[-1] for _, row in rows[1:]]
        if all(map(BITS.fullmatch, bits)) and max(map(len, bits), default=0) > 1:
            raise source.error("has a header above texts by bits; leave it out", 1)
    if table and len(table.others) > 1:
        raise _beside_others(source, table.head[table.masses], "masses")
    bodies = [table.body(row) for _, row in table.rows] if table and not spelling else []
    if table and _is_head_of(table.head[table.masses], _POSITION_HEADS) and rises(bodies):
        raise source.error(
            f"has rising numbers in the column {table.head[table.masses]!r:.40}: masses, or "
            f"positions of boundaries, of which the last is the number of all units? name them "
            f"({remedy('from masses', 'from positions')})",
            1,
        )
    if table:
        col = table.others[0] if table.others else None
        named = [(n, "" if col is None else row[col], table.body(row)) for n, row in table.rows]
        ordered = bool(table.head[table.masses])
    elif rows and len(rows[0][1]) > 2 and _are_indices(rows[0][1][numbers:], (0,)):
        # As pandas writes lists: below the numbers of columns, perhaps beside those of rows.
        named = [(n, "", plain_masses(",".join(row[numbers:]))) for n, row in rows[1:]]
        ordered = True
    elif len({len(row) for _, row in rows}) > 1 and all(map(_is_named, trimmed := _trimmed(rows))):
        # A name and one mass per cell in rows of unequal length; those of equal length may be
        # labels.
        named = [(n, row[0], ",".join(row[1:])) for (n, _), row in zip(rows, trimmed, strict=True)]
        ordered = False
    else:
        return []
    bodies = [body for _, _, body in named]
    by_name = any(name for _, name, _ in named)
    flawed = any(body and not MASSES.fullmatch(body) for body in bodies)
    if not named or flawed or (by_name and any("\t" in n or not n for _, n, _ in named)):
        return []
    if not any(map(BETWEEN_MASSES.search, bodies)):
        return []  # one number per row may be a label
    made = [""] * len(lines)
    for k, (number, name, body) in enumerate(named, start=1):
        called = str(k) if ordered and not by_name and len(named) > 1 else name
        made[number - 1] = f"{called}\t{body}" if called else body
    return made


def _is_named(row: Sequence[str]) -> bool:
    """Recognise a name and masses; a name that ends with a number apart may hold a mass, too."""
    return _is_coding(row) and not _is_number(row[0]) and not _ENDS_IN_NUMBER.search(row[0])


def _trimmed(rows: Sequence[tuple[int, list[str]]]) -> list[list[str]]:
    """Return the cells of rows without empty ones at their ends."""
    return [row[: max(k for k, cell in enumerate(row, start=1) if cell)] for _, row in rows]


_FIRST_ROWS = 20  # the rows that show what the columns of a table are; set by hand
_SHORTEST_BITS = 4  # signs of a cell that is not a number of few digits; set by hand


def refuse_cells_by_coder(source: Source, lines: Sequence[str], options: ReadingOptions) -> None:
    """Refuse a table whose cells are the masses or the bits of a text, in one column per coder.

    Its rows would be units otherwise, and its cells their labels. Of columns that the options name,
    only these are examined: a column of labels may stand beside places such as `3 9`.
    """
    delimiter = next((sign for sign in "\t;," if sign in lines[0]), "")
    if not delimiter:
        return
    first = lines[: _FIRST_ROWS + 1]
    head, *rows = csv_rows(first, delimiter) or [line.split(delimiter) for line in first]
    rows = [row for row in rows if any(map(str.strip, row))]
    if sum(map(bool, head)) < 3 or not rows or {*map(len, rows)} != {len(head)}:
        return
    named = {str(name) for name in (options.column, *options.coders) if name is not None}
    bits = 0
    for k, name in enumerate(head):
        cells = [plain_masses(row[k]) for row in rows]
        if k == 0 or (named and not named & {name.strip(), str(k + 1)}) or not all(cells):
            continue
        bits += all(len(cell) >= _SHORTEST_BITS and BITS.fullmatch(cell) for cell in cells)
        masses = all(MASSES.fullmatch(cell) and not _ZERO.search(cell) for cell in cells)
        several = any("," in cell or " " in cell for cell in cells)
        of_bits = bits > 1 or (bits and not CODER_HEADS.isdisjoint(map(str.lower, head)))
        if of_bits or (masses and several and not MASSES.fullmatch(name)):
            what = "0s and 1s" if of_bits else "masses"
            raise _beside_others(source, name.strip(), what)


def _beside_others(source: Source, name: str, what: str) -> Exception:
    column = f"the column {name!r:.40}" if name else "a column"
    return source.error(
        f"has {what} of texts in {column}, beside other columns; want three columns named text, "
        f"coder and masses, or a file a coder, with the name of each text, a tab and its "
        f"segmentation",
        1,
    )
