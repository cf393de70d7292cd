"""Segmentations in the files of segeval: the masses of several coders, as JSON or TSV.

    {"items": {"stargazer": {"1": [2, 3, 3], "2": [2, 6]}}, "segmentation_type": "linear"}

An item is a text. Files of version 1 may have `codings` (coders of one text) in place of `items`,
or items without coders. A TSV file is one text: a header, then the name of a coder and its masses
in each line; or, where the header has `Positions`, the number of the segment of each unit.
"""

from __future__ import annotations

import json
import re
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from bitext.errors import SegmentationError
from bitext.formats.json_objects import parsed, unfit
from bitext.formats.segmentations.collecting import Collected, Readings, chosen_coders, readings_of
from bitext.model import Segmentation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitext.formats.io.source import Source
    from bitext.formats.segmentations.collecting import ReadingOptions

__all__ = ["is_coder_table", "is_segeval_object", "read_segeval"]

_KEYS = re.compile(r'"(?:items|codings|segmentation_type)"\s*:')
_OTHER_KEYS = re.compile(r'"(?:masses|bits|boundaries|labels|spans|types)"\s*:')
_HEADS = frozenset(["coder", "coders", "annotator", "annotators", "rater", "id", ""])
_COUNTS = frozenset(["masses", "mass", "positions", "position"])
_NEAR = 1 << 16  # characters within which the next key of a JSON text is searched; set by hand
_MOST_DIGITS = 18  # digits of a number that fits into 64 bits


def is_segeval_object(opening: str) -> bool:
    """Return whether the head of a file is that of an object of segeval, and not of JSON lines."""
    first = opening.partition("\n")[0].strip()
    try:
        item = json.loads(first)
    except (ValueError, RecursionError):
        # An object over several lines, or one longer than the head.
        return first == "{" or bool(_KEYS.search(opening) and not _OTHER_KEYS.search(first))
    return isinstance(item, dict) and bool(_KEYS.search(first)) and not _OTHER_KEYS.search(first)


def read_segeval(source: Source, text: str, options: ReadingOptions) -> Readings:
    """Read the masses of each coder, from JSON or TSV.

    Raises
    ------
    FormatError
        When the file is neither, or a coder has no masses; with the line.

    """
    if text.lstrip().startswith("{"):
        return _read_json(source, text, options)
    return _read_table(source, text.split("\n"), options)


def _read_json(source: Source, text: str, options: ReadingOptions) -> Readings:
    try:
        data = parsed(text, source.error)
    except json.JSONDecodeError as error:
        raise source.error(
            f"is not JSON: {error.msg} (column {error.colno}); want the object that segeval writes",
            error.lineno,
        ) from None
    kind = data.get("segmentation_type", "linear")
    if kind != "linear":
        raise source.error(
            f'has the "segmentation_type" {kind!r:.40}; want "linear", the masses of segments'
        )
    if "segmentation_type" not in data:
        source.notes.add('no "segmentation_type", taken as linear', source.path)
    items = data.get("items", {None: data["codings"]} if "codings" in data else None)
    if items is None and _OTHER_KEYS.search(text):
        raise source.error(
            "is one object over several lines; want JSON lines, an object a line, or the items of "
            "segeval"
        )
    if not isinstance(items, dict) or not items:
        raise source.error(
            'has no "items"; want texts, each with the masses of its coders: {"items": {"t1": '
            '{"ann": [5, 3]}}, "segmentation_type": "linear"}'
        )
    bare = all(isinstance(codings, list) for codings in items.values())
    if bare:  # of one coder without a name
        items = {item: {"": masses} for item, masses in items.items()}
    coders = list(
        dict.fromkeys(c for codings in items.values() if _coded(codings) for c in codings)
    )
    wanted = [coders[k] for k in chosen_coders(source, coders, () if bare else options.coders)]
    parts = {coder: Collected(source, coder) for coder in wanted}
    lines, line = _Lines(text), 1
    for item, codings in items.items():
        if item is not None:
            _check_name(source, item)
            line = lines.of(item)
        if not _coded(codings):
            raise source.error(
                f"has the item {item!r:.40} without coders; want the masses of each coder, as "
                f'{{"ann": [5, 3]}}',
                line,
            )
        for coder, masses in codings.items():
            _check_name(source, coder)
            line = lines.of(coder) if coder else line
            if coder in parts:
                parts[coder].put(_segmentation(source, masses, f"item {item!r}, {coder!r}", line))
                parts[coder].add(item, line)
    return readings_of(parts, "segeval", () if bare else coders)


def _coded(codings: Any) -> bool:
    return isinstance(codings, dict) and bool(codings)


def _check_name(source: Source, name: str) -> None:
    if flaw := unfit(name):
        raise source.error(f"has {flaw} in the name {name!a:.40}; want a text")


class _Lines:
    """The lines of the keys of a JSON text, which are asked for in the order of the text."""

    def __init__(self, text: str) -> None:
        self._text, self._place, self._line = text, 0, 1

    def of(self, key: str) -> int:
        """Return the line of a key; for one with escapes, or far away, that of the key before."""
        spelled = json.dumps(key, ensure_ascii=False)
        at = self._text.find(spelled, self._place, self._place + _NEAR)
        if at >= 0:
            self._line += self._text.count("\n", self._place, at)
            self._place = at
        return self._line


def _segmentation(source: Source, masses: Any, where: str, line: int) -> Segmentation:
    whole = isinstance(masses, list) and all(type(mass) is int for mass in masses)
    if not whole or not masses:
        raise source.error(
            f"has {masses!r:.40} ({where:.60}); want masses, whole numbers above zero", line
        )
    try:
        return Segmentation(masses)
    except SegmentationError as error:
        raise source.error(f"{error} ({where:.60})", line) from None


# Tables: a line a coder.


def is_coder_table(lines: Sequence[str], delimiter: str = "\t") -> bool:
    """Return whether lines are a header, and a name and several masses in each further line.

    Where neither the header has words of segeval, nor the lines are of unequal lengths, they may
    as well be units with a column a coder. Masses have the same sum in each line.
    """
    rows = [_cells(line, delimiter) for line in lines if line.strip()]
    if len(rows) < 2 or not all(map(_is_coding, rows[1:])) or max(map(len, rows[1:])) < 3:
        return False
    head = [cell.lower() for cell in rows[0]]
    if head[0] in _HEADS - {"", "id"} and set(head[1:]) & _COUNTS:
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


def _read_table(source: Source, lines: Sequence[str], options: ReadingOptions) -> Readings:
    delimiter = "\t" if any("\t" in line for line in lines) else ","
    rows = [
        (number, _cells(line, delimiter)) for number, line in enumerate(lines, 1) if line.strip()
    ]
    if not rows:
        raise source.error("is empty; want a header, and a coder and its masses in each line")
    head, codings = rows[0][1], rows[1:]
    if _has_no_header(rows):
        source.notes.add("no header, so the first line is a coder", f"{source.path} line 1")
        head, codings = [], rows
    if not codings:
        raise source.error("has a header only; want a coder and its masses in each further line")
    coders = [cells[0] for _, cells in codings]
    known: set[str] = set()
    for number, cells in codings:
        if not _is_coding(cells):
            wrong = next((c for c in cells[1:] if not _is_number(c)), "")
            flaw = f"holds {wrong!r:.40}" if wrong else "has no coder or no mass"
            raise source.error(f"{flaw}; want the name of a coder, and its masses", number)
        if cells[0] in known:
            raise source.error(
                f"is of coder {cells[0]!r:.40}, as another line; want one line a coder", number
            )
        known.add(cells[0])
    positions = bool({cell.lower() for cell in head[1:]} & {"positions", "position"})
    chosen = {coders[k] for k in chosen_coders(source, coders, options.coders)}
    parts = {}
    for number, cells in codings:
        if cells[0] not in chosen:
            continue
        numbers = [int(cell) for cell in cells[1:]]
        if positions:
            if any(b - a not in {0, 1} for a, b in pairwise(numbers)):
                raise source.error(
                    "has numbers of segments that do not rise by 0 or 1; want the number of the "
                    "segment of each unit, or masses under the header Masses",
                    number,
                )
            made = Segmentation.from_labels(numbers)
        else:
            made = _segmentation(source, numbers, f"coder {cells[0]!r}", number)
        part = parts[cells[0]] = Collected(source, cells[0])
        part.put(made)
        part.add(None, number)
    return readings_of(parts, "segeval", coders)


def _has_no_header(rows: Sequence[tuple[int, Sequence[str]]]) -> bool:
    """Return whether the first line is a coder: its masses have the sum of all others."""
    if len(rows) < 2 or not all(_is_coding(cells) for _, cells in rows):
        return False
    sums = {sum(map(int, cells[1:])) for _, cells in rows}
    first = [int(cell) for cell in rows[0][1][1:]]
    return len(sums) == 1 and first != list(range(1, len(first) + 1))
