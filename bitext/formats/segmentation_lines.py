"""Segmentations in lines: masses, signs, labels, and texts with separators."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from bitext.formats.segmentation_reading import Collected, Reading, Units
from bitext.remedies import remedy

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bitext.formats.opening import Source

__all__ = [
    "MASSES",
    "SIGNS",
    "is_separator",
    "read_bits",
    "read_closed_bits",
    "read_labels",
    "read_masses",
    "read_text",
]

MASSES = re.compile(r"\s*[0-9]+(?:(?:\s*,\s*|\s+)[0-9]+)*\s*")
SIGNS = re.compile(r"[01]*")

_SEPARATOR = re.compile(r"={5,}")
_BETWEEN = re.compile(r"\s*,\s*|\s+")
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


def read_bits(source: Source, lines: Sequence[str]) -> Reading:
    """Read one text a line, n-1 signs of n units."""
    return _signs(source, lines, closed=False)


def read_closed_bits(source: Source, lines: Sequence[str]) -> Reading:
    """Read one text a line, n signs of n units, the last a 1."""
    return _signs(source, lines, closed=True)


def read_labels(source: Source, lines: Sequence[str]) -> Reading:
    """Read one text: a label a line, a segment a run of equal ones."""
    found = Collected(source)
    run, before = 0, ""
    for number, line in enumerate(lines, start=1):
        label = line.strip()
        if not label:
            way = remedy("from text")
            raise source.error(f"is empty; want one label a line, or {way}", number)
        if run and label != before:
            found.masses.append(run)
            run = 0
        before = label
        run += 1
    found.masses.append(run)
    found.add(None, 1)
    return found.reading("labels")


def read_text(source: Source, lines: Sequence[str]) -> Reading:
    """Read one text: a unit a line, a boundary where a line is empty or all `=`."""
    found = Collected(source)
    units: list[str] = []
    places: list[int] = []
    begun = 0
    for number, line in enumerate(lines, start=1):
        unit = line.strip()
        if unit and not is_separator(unit):
            if unit.startswith("====="):
                kind = "lines that begin with ===== and hold more, taken as units"
                source.notes.add(kind, f"{source.path} line {number}: {unit[:40]!r}")
            units.append(unit)
            places.append(number)
        elif len(units) > begun:
            found.masses.append(len(units) - begun)
            begun = len(units)
    if len(units) > begun:
        found.masses.append(len(units) - begun)
    if not units:
        raise source.error("holds separators only; want one unit a line")
    if len(found.masses) == 1 and len(units) > 1:
        way = remedy("from labels")
        kind = f"texts without a separator, taken as one segment (labels: {way})"
        source.notes.add(kind, source.path)
    found.add(None, places[0])
    return found.reading("text", units=Units("\n".join(units), np.array(places, dtype=np.int64)))


def is_separator(line: str) -> bool:
    """Tell whether a stripped line is a boundary by its signs."""
    return line[:1] == "=" and _SEPARATOR.fullmatch(line) is not None


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


def _signs(source: Source, lines: Sequence[str], *, closed: bool) -> Reading:
    found = Collected(source)
    spelling = "bits-final" if closed else "bits"
    all_closed = True
    for number, name, body in _named(source, lines):
        signs = body.strip()
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
        if closed and not signs.endswith("1"):
            raise source.error(
                f"ends in {signs[-1:] or 'nothing'}; {spelling} wants a closing 1 for the end of "
                f"the text, n-1 signs are {remedy('from bits')}",
                number,
            )
        all_closed &= signs.endswith("1")
        data = np.frombuffer(signs.encode(), dtype=np.uint8)
        ends = np.flatnonzero(data == ord("1")) + 1
        if not closed:
            ends = np.append(ends, data.size + 1)
        found.masses.frombytes(np.diff(ends, prepend=0).astype(np.int64).tobytes())
        found.add(name, number)
    return found.reading(spelling, closed=all_closed)
