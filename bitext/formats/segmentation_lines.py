"""Segmentations in lines: masses, signs, labels, and texts with separators."""

from __future__ import annotations

import csv
import re
from typing import TYPE_CHECKING

import numpy as np

from bitext.errors import SegmentationError
from bitext.formats.segmentation_reading import (
    FLAGS,
    Collected,
    Reading,
    Units,
    is_flag,
    note_labels,
)
from bitext.model import Segmentation
from bitext.model.segmentation import LABEL_FORMS, bit_masses, may_be_bio
from bitext.remedies import remedy

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bitext.formats.opening import Source

__all__ = [
    "MASSES",
    "SIGNS",
    "SIGNS_APART",
    "fits_form",
    "is_header",
    "is_separator",
    "label_columns",
    "read_bits",
    "read_labels",
    "read_masses",
    "read_positions",
    "read_text",
    "split_columns",
]

MASSES = re.compile(r"\s*[0-9]+(?:(?:\s*,\s*|\s+)[0-9]+)*\s*")
SIGNS = re.compile(r"[01]*")
SIGNS_APART = re.compile(r"[01](?:(?:\s*[,;]\s*|\s+)[01])+")

_CUTS = re.compile(r"[\s,;]+")  # between 0s and 1s that are written apart
_SEPARATOR = re.compile(r"={5,}")
_HEAD = re.compile(r"={5,},\d+,.*")  # of a section: its depth and title, as in Wiki-727K
_RULES = "-*_#~+"
_OTHER_RULE = re.compile(r"([-*_#~+])(?:\s*\1){4,}")
_HEADS = frozenset(
    [
        *("label", "labels", "tag", "tags", "class", "topic", "section", "segment"),
        *("boundary", "bio", "iob", "gold", "pred", "prediction"),
    ]
)
_BETWEEN = re.compile(r"\s*,\s*|\s+")
_FEW_LABELS = 2  # that may all differ
_MOST_DIGITS = 18  # a number of so many fits into 64 bits


def read_masses(source: Source, lines: Sequence[str]) -> Reading:
    """Read one text a line: `5,5,1,3` or `5 5 1 3`."""
    found = Collected(source)
    for number, name, body in _named(source, lines):
        if not body.strip():
            if name is not None:
                raise source.error(f"has no mass for {name!r}; want one or more", number)
            continue
        if not MASSES.fullmatch(body):
            raise source.error(_no_masses(body), number)
        parts = body.replace(",", " ").split()
        if max(map(len, parts)) > _MOST_DIGITS:
            raise source.error("has a mass of more than 18 digits; want numbers of units", number)
        found.masses.extend(map(int, parts))
        found.add(name, number)
    return found.reading("masses")


def read_positions(source: Source, lines: Sequence[str]) -> Reading:
    """Read one text a line: the units before each boundary, and their number at the end."""
    found = Collected(source)
    for number, name, body in _named(source, lines):
        parts = body.replace(",", " ").split()
        if not parts and name is None:
            continue
        if not parts or not MASSES.fullmatch(body) or max(map(len, parts)) > _MOST_DIGITS:
            raise source.error(
                f"holds {body.strip()!r:.40}; want the positions of boundaries, rising, and the "
                f"number of units behind them, or name the spelling ({remedy('from')})",
                number,
            )
        ends = np.array(parts, dtype=np.int64)
        masses = np.diff(ends, prepend=0)
        if ends.size > 1 and not ends[0]:
            masses = masses[1:]  # the beginning of the text is written, too
        fallen = np.flatnonzero(masses <= 0)
        if fallen.size:
            k = int(fallen[0]) + ends.size - masses.size
            raise source.error(
                f"has {ends[k]} as position {k}; want each above the one before it, or masses "
                f"({remedy('from masses')})",
                number,
            )
        found.masses.frombytes(masses.tobytes())
        found.add(name, number)
    return found.reading("positions")


def read_bits(source: Source, lines: Sequence[str], form: str) -> Reading:
    """Read one text a line, 0s and 1s as `Segmentation.from_bits` has them."""
    found = Collected(source)
    closed = True
    for number, name, body in _named(source, lines):
        signs = _CUTS.sub("", body)
        _check_signs(source, number, name, signs, form)
        closed &= signs.endswith("1")
        ones = np.frombuffer(signs.encode(), dtype=np.uint8) == ord("1")
        found.masses.frombytes(bit_masses(ones, form).tobytes())
        found.add(name, number)
    return found.reading(form, closed=closed)


def _check_signs(source: Source, number: int, name: str | None, signs: str, form: str) -> None:
    if not signs and name is None:
        raise source.error(
            "is empty; of a text of one unit give the name and a tab, or its mass", number
        )
    if not signs and name and SIGNS.fullmatch(name):
        raise source.error(
            f"has the name {name!r} and no signs; of a text of one unit give the mass "
            f"({remedy('from masses')}), or take the tab out if these are the signs",
            number,
        )
    if not SIGNS.fullmatch(signs):
        k = next(k for k, sign in enumerate(signs) if sign not in "01")
        raise source.error(
            f"holds {signs[k]!r} as sign {k}; want 0s and 1s, or name the spelling of the file "
            f"({remedy('from')})",
            number,
        )
    if form == "bits-final" and not signs.endswith("1"):
        raise source.error(
            f"ends in {signs[-1:] or 'nothing'}; bits-final wants a closing 1 for the end of "
            f"the text, n signs of any last one are {remedy('from end-bits')}, n-1 signs are "
            f"{remedy('from bits')}",
            number,
        )
    if form != "bits" and not signs:
        raise source.error(f"has no signs for {name!r}; {form} want one a unit", number)


def split_columns(lines: Sequence[str], *, named: bool = False) -> list[list[str]]:
    """Return the cells of lines, split at tabs.

    Where a column was `named` and there is no tab at all, cells are those of CSV with the same
    number of commas or semicolons in every line, or are parted by blanks.
    """
    if named and not any("\t" in line for line in lines):
        for delimiter in ",;":
            try:
                rows = [*csv.reader(lines, delimiter=delimiter, skipinitialspace=True)]
            except csv.Error:  # a carriage return, or a cell beyond its limit
                continue
            if len(rows) == len(lines) and {*map(len, rows)} == {len(rows[0])} != {1}:
                return [[cell.strip() for cell in row] for row in rows]
        return [line.split() for line in lines]
    return [[cell.strip() for cell in line.split("\t")] for line in lines]


def read_labels(
    source: Source,
    lines: Sequence[str],
    form: str,
    column: str | None = None,
    *,
    told: bool = False,
) -> Reading:
    """Read one text: a label a line, or a column of labels beside the units.

    Parameters
    ----------
    form : str
        `labels`, `bio`, or what 0s and 1s may say of units (`Segmentation.from_bits`).
    column : str, optional
        Which column has the labels, by its number from 1, or by its name in a header. Default: the
        only one that can.
    told : bool
        Whether the form was told by the contents, and not by the user.

    """
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            way = remedy("from text")
            raise source.error(f"is empty; want one label a line, or {way}", number)
    first, labels, units = 1, [line.strip() for line in lines], None
    if column is not None or any("\t" in line for line in lines):
        first, labels, units = _label_column(source, lines, form, column)
    elif form == "labels" and len(labels) > _FEW_LABELS:
        _refuse_sentences(source, labels)
    note_labels(source, labels, form, told=told)
    found = Collected(source)
    try:
        if form in LABEL_FORMS:
            made = Segmentation.from_labels(labels, form=form)
        else:
            made = Segmentation.from_bits(_flags(source, labels, first), form=form)
    except SegmentationError as error:
        raise source.error(str(error)) from None
    found.put(made)
    found.add(None, first)
    return found.reading(form, units=units)


def _refuse_sentences(source: Source, labels: Sequence[str]) -> None:
    """Refuse lines of several words of which each would be a label of its own."""
    several = sum(any(sign in label for sign in " ,;") for label in labels)
    if len(set(labels)) == len(labels) and 2 * several > len(labels):
        raise source.error(
            f"has as many different labels as lines, as {labels[-1]!r:.40}: want labels, or their "
            f"column beside the units ({remedy('column')}, its number or its name in the header)"
        )


def _flags(source: Source, labels: Sequence[str], first: int) -> list[bool]:
    wrong = next((k for k, label in enumerate(labels) if not is_flag(label)), None)
    if wrong is not None:
        raise source.error(
            f"holds {labels[wrong]!r:.40} as a label; want 0 or 1, or name the spelling of the "
            f"file ({remedy('from')})",
            first + wrong,
        )
    return [FLAGS[label.lower()] for label in labels]


def _label_column(
    source: Source, lines: Sequence[str], form: str, column: str | None
) -> tuple[int, list[str], Units | None]:
    """Return the first line, the labels of a column and the units that the others hold."""
    rows = split_columns(lines, named=column is not None)
    width = len(rows[0])
    uneven = next((k for k, row in enumerate(rows) if len(row) != width), None)
    if uneven is not None:
        raise source.error(
            f"has {len(rows[uneven])} columns, and line 1 has {width}; want the same in each line",
            uneven + 1,
        )
    k = _chosen(source, rows, form, column)
    values = [row[k] for row in rows]
    header = len(values) > 1 and (
        (column is not None and column == values[0] and not column.isdecimal())
        or is_header(values)
        or (form != "labels" and not fits_form(values[:1], form) and fits_form(values[1:], form))
    )
    if header:
        rows, values = rows[1:], values[1:]
        source.notes.add(
            "first lines taken as a header", f"{source.path}: {lines[0].strip()!r:.60}"
        )
    if column is None:
        name = remedy(f"column {k + 1}")
        kind = f"labels taken from column {k + 1} of {width} (to name another: as {name})"
        source.notes.add(kind, source.path)
    texts = ["\t".join(row[:k] + row[k + 1 :]) for row in rows]
    first = 1 + header
    places = np.arange(first, first + len(rows))
    return first, values, Units("\n".join(texts), places) if width > 1 else None


def _chosen(source: Source, rows: Sequence[Sequence[str]], form: str, column: str | None) -> int:
    """Return the index of the column of labels."""
    width = len(rows[0])
    if column is None:
        fit = label_columns(rows, form)
        if len(fit) == 1:
            return fit[0]
        which = ", ".join(str(k + 1) for k in fit)
        may = f"columns {which} may be" if fit else "none is surely"
        raise source.error(
            f"has {width} columns, of which {may} that of the labels; name it "
            f"({remedy('column')}, its number or its name in the header)"
        )
    if column.isdecimal():
        if 1 <= int(column) <= width:
            return int(column) - 1
        raise source.error(f"has {width} columns, and no column {column}; want 1 to {width}")
    if column in rows[0]:
        return list(rows[0]).index(column)
    raise source.error(
        f"has no column {column!r}; the first line has {', '.join(map(repr, rows[0]))}", 1
    )


def label_columns(rows: Sequence[Sequence[str]], form: str) -> list[int]:
    """Return the columns that may be labels of a form; the first line may be a header."""
    return [
        k
        for k in range(len(rows[0]))
        if fits_form([row[k] for row in rows], form)
        or (len(rows) > 1 and fits_form([row[k] for row in rows[1:]], form))
    ]


def fits_form(values: Sequence[str], form: str) -> bool:
    """Tell whether values may be labels of a form; names of topics are there more than once."""
    if form == "labels":
        return len(set(values)) < len(values)
    if form == "bio":
        return may_be_bio([*values, "B"])  # all are: a text of I and O alone is one, too
    return all(map(is_flag, values))


def is_header(values: Sequence[str]) -> bool:
    """Tell whether the first of a column of labels is its name."""
    return values[0].lower() in _HEADS and values[0] not in values[1:]


def read_text(source: Source, lines: Sequence[str], form: str = "text") -> Reading:
    """Read one text: a unit a line, a boundary where a line is empty or all `=`.

    Parameters
    ----------
    form : {"text", "blank-lines", "rules"}
        Which of the two are boundaries: both, or one alone. Neither is ever a unit.

    """
    found = Collected(source)
    units: list[str] = []
    places: list[int] = []
    begun, ruled = 0, form != "blank-lines"
    gaps = {"empty": 0, "rule": 0}  # between units, by the strongest separator there
    gap = ""
    for number, line in enumerate(lines, start=1):
        unit = line.strip()
        if (
            unit
            and not is_separator(unit)
            and not (form == "rules" and _OTHER_RULE.fullmatch(unit))
        ):
            _note_unit(source, unit, number)
            if gap and units:
                gaps[gap] += 1
            gap = ""
            units.append(unit)
            places.append(number)
            continue
        if unit and _HEAD.fullmatch(unit):
            kind = "heads as '========,2,Title.', taken as boundaries and not as units"
            source.notes.add(kind, f"{source.path} line {number}: {unit[:40]!r}")
        gap = "rule" if unit or gap == "rule" else "empty"
        if len(units) > begun and (ruled if unit else form != "rules"):
            found.masses.append(len(units) - begun)
            begun = len(units)
    if len(units) > begun:
        found.masses.append(len(units) - begun)
    if not units:
        raise source.error("holds separators only; want one unit a line")
    if form == "text" and all(gaps.values()):
        kind = (
            f"texts with empty lines and lines of =, both taken as boundaries (one alone: "
            f"{remedy('from blank-lines')} or {remedy('from rules')})"
        )
        told = f"{gaps['empty']} by empty lines, {gaps['rule']} by lines of ="
        source.notes.add(kind, f"{source.path}: {told}")
    if len(found.masses) == 1 and len(units) > 1:
        way = remedy("from labels")
        kind = f"texts without a separator, taken as one segment (labels: {way})"
        source.notes.add(kind, source.path)
    found.add(None, places[0])
    text = Units("\n".join(units), np.array(places, dtype=np.int64))
    return found.reading(form, units=text)


def _note_unit(source: Source, unit: str, number: int) -> None:
    """Note units that somebody may have meant as boundaries."""
    kind = ""
    if unit.startswith("====="):
        kind = "lines that begin with ===== and hold more, taken as units"
    elif unit[0] in _RULES and _OTHER_RULE.fullmatch(unit):
        way = remedy("from rules")
        kind = f"lines of one sign only, taken as units (as boundaries: {way})"
    if kind:
        source.notes.add(kind, f"{source.path} line {number}: {unit[:40]!r}")


def is_separator(line: str) -> bool:
    """Tell whether a stripped line is a boundary by its signs."""
    return line[:1] == "=" and bool(_SEPARATOR.fullmatch(line) or _HEAD.fullmatch(line))


def _named(source: Source, lines: Sequence[str]) -> Iterator[tuple[int, str | None, str]]:
    """Yield the number of each line, the name of its text if it has one, and the rest."""
    for number, line in enumerate(lines, start=1):
        name, tab, body = line.partition("\t")
        if not tab:
            yield number, None, line
            continue
        if "\t" in body:
            raise source.error(
                "has several tabs; want one, between the name of a text and its segmentation",
                number,
            )
        if not name.strip():
            raise source.error("has a tab and no name before it; give a name, or no tab", number)
        yield number, name.strip(), body


def _no_masses(body: str) -> str:
    parts = _BETWEEN.split(body.strip())
    wrong = next((part for part in parts if not (part.isascii() and part.isdigit())), "")
    held = f"holds {wrong!r:.40}" if wrong else "has a comma without a number"
    return (
        f"{held}; want masses, whole numbers above zero with commas or blanks between, or name "
        f"the spelling of the file ({remedy('from')})"
    )
