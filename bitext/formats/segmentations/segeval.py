"""Segmentations in files that are one value of JSON, files of segeval, and tables of masses.

One value of JSON is an array of the objects of JSON lines (`segmentations.objects`) or of texts, a
single text, or an object of these by their names. A text is an array of masses, of 0s and 1s, or of
labels:

    [{"id": "t1", "masses": [2, 3, 3]}, {"id": "t2", "masses": [4]}]
    {"t1": [2, 3, 3], "t2": [4]}
    [[2, 3, 3], [4]]

Files of segeval have the masses of several coders, as JSON or TSV:

    {"items": {"stargazer": {"1": [2, 3, 3], "2": [2, 6]}}, "segmentation_type": "linear"}

An item is a text. Files of version 1 may have `codings` (coders of one text) in place of `items`,
or items without coders. A TSV file is one text: a header, then the name of a coder and its masses
in each line; or, if the header has `Positions`, the number of the segment of each unit.
The same without `items`, texts by coders or coders by texts, is recognised by the numbers of
units: all coders of a text have the same. Other tables have the masses of a text in a row, perhaps
with the name of its coder.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from bitext.errors import SegmentationError, remedy
from bitext.formats.io.source import Source
from bitext.formats.line_files import parsed, unfit
from bitext.formats.segmentations.collecting import (
    CODER_HEADS,
    Collected,
    ReadingOptions,
    Readings,
    chosen_coders,
    csv_rows,
    is_flag,
    listed,
    read_sections,
    readings_of,
)
from bitext.formats.segmentations.detection import (
    BETWEEN_MASSES,
    BITS,
    MASSES,
    classify_bits,
    may_be_segments,
    note_other_readings,
    plain_masses,
    rises,
    suffix_of,
)
from bitext.formats.segmentations.labels import TEXT_HEADS
from bitext.formats.segmentations.objects import (
    READERS,
    SPAN_FORMS,
    names_text,
    no_segmentation,
    read_objects,
    read_objects_by_coder,
)
from bitext.model import Segmentation
from bitext.model.segmentation import BIT_FORMS, LABEL_FORMS, is_sound_bio, may_be_bio

# A file that is one value of JSON: arrays of objects or numbers, or either by the names of texts.


_AS_MASSES = ("masses", "positions")
_JSON_SPACE = re.compile(r"[ \t\r\n]*")


def reads_values(spelling: str | None) -> bool:
    """Test a notation for files that may be a single JSON value."""
    return spelling in {None, "jsonl", *_AS_MASSES, *LABEL_FORMS, *BIT_FORMS, *SPAN_FORMS}


def is_by_lines(opening: str) -> bool:
    """Recognise JSON lines by their first line, an object with an id or a segmentation."""
    first, item = _first_line(opening)
    if item is None:
        return first != "{" and bool(_OTHER_KEYS.search(first))
    return isinstance(item, dict) and not item.keys().isdisjoint({"id", *READERS})


def _first_line(opening: str) -> tuple[str, Any]:
    """Return the first line of a file, and the value of JSON that it is; `None` for none."""
    first = opening.partition("\n")[0].strip()
    try:
        return first, json.loads(first)
    except (ValueError, RecursionError):
        return first, None


def read_value(source: Source, text: str, options: ReadingOptions) -> Readings | None:
    """Read a file that is one value of JSON; return `None` for a file of several values.

    The value is an array of objects as of JSON lines, or of texts; a text alone; or either by the
    names of texts. A text is an array of numbers, 0s and 1s or labels. Arrays by coders within
    texts, or by texts within coders, are read as of segeval.

    Raises `FormatError` when the value is of no such kind, or may be of two.
    """
    try:
        value = parsed(text, source.error)
    except json.JSONDecodeError as error:
        if error.msg.startswith("Extra data"):
            return None
        raise _no_json(source, error, "one value, or an object a line") from None
    of_names = isinstance(value, dict) and value.keys().isdisjoint(READERS)
    if of_names and (coders := _by_coders(source, value, options)):
        return _read_items(source, text, coders, options)
    members = _members(text, value)
    if not members:
        raise source.error("is an empty value of JSON; want at least one text")
    members = _numbered(members)
    kinds = {type(each) for _, _, each in members}
    if kinds == {dict}:
        objects = [
            (line, each if name is None else {"id": name, **each}) for line, name, each in members
        ]
        if sections := read_sections(source, objects, options):
            return Readings({"": sections})
    elif kinds == {list}:
        objects, form = _arrays(source, members, options.spelling)
        options = replace(options, spelling=form)
    elif isinstance(value, dict):
        raise no_segmentation(source, 1)
    else:
        wrong = next(each for _, _, each in members if not isinstance(each, dict))
        raise source.error(
            f"has {wrong!r:.40} beside other texts; want arrays of numbers, or objects as "
            f'{{"id": "t1", "masses": [5, 3]}}, one a line or in an array'
        )
    form = options.spelling if options.spelling not in {"jsonl", *_AS_MASSES} else None
    lines_of = [(line, json.dumps(item)) for line, item in objects]
    if kinds == {dict}:
        return read_objects_by_coder(source, form, options, lines=lines_of)
    reading = read_objects(source, form, options.labels, lines=lines_of)
    if "labels" in objects[0][1]:
        return Readings({"": reading})
    # What is compared with it knows the reading by its spelling, as of lines of numbers.
    spelling = options.spelling or "masses"
    closed = spelling in BIT_FORMS and all(str(item["bits"][-1]) == "1" for _, item in objects)
    return Readings({"": replace(reading, spelling=spelling, closed=closed)})


def _no_json(source: Source, error: json.JSONDecodeError, wanted: str) -> Exception:
    flaw = f"is not JSON: {error.msg} (column {error.colno}); want {wanted}"
    return source.error(flaw, error.lineno)


_Member = tuple[int, str | None, Any]  # the line of a text, its name, and its value


def _members(text: str, value: Any) -> list[_Member]:
    """Return the texts of a value: its members, or itself."""
    if isinstance(value, dict) and value.keys().isdisjoint(READERS):
        lines = _Lines(text)
        return [(lines.of(name), name, each) for name, each in value.items()]
    if isinstance(value, dict) or (
        value and all(not isinstance(each, list | dict) for each in value)
    ):
        return [(1, None, value)]
    return [(line, None, each) for line, each in zip(_places(text), value, strict=True)]


def _numbered(members: Sequence[_Member]) -> list[_Member]:
    """Name several texts without names by their numbers, as those of lines are."""
    several = len(members) > 1
    return [
        (line, str(number) if name is None and several and not names_text(each) else name, each)
        for number, (line, name, each) in enumerate(members, start=1)
    ]


def _places(text: str) -> list[int]:
    """Return the lines on which the members of an array begin; the text is sound JSON."""
    decode = json.JSONDecoder().raw_decode
    at = _after_space(text, text.index("[") + 1)
    places: list[int] = []
    line, counted = 1, 0
    while text[at] != "]":
        line += text.count("\n", counted, at)
        counted = at
        places.append(line)
        at = _after_space(text, decode(text, at)[1])
        if text[at] == ",":
            at = _after_space(text, at + 1)
    return places


def _after_space(text: str, at: int) -> int:
    match = _JSON_SPACE.match(text, at)
    return at if match is None else match.end()


def _arrays(
    source: Source, members: Sequence[_Member], spelling: str | None
) -> tuple[list[tuple[int, dict[str, Any]]], str | None]:
    """Return an object for each text that is an array, and the spelling of its values."""
    texts: list[list[Any]] = [
        [int(value) if isinstance(value, bool) else value for value in each]
        for _, _, each in members
    ]
    plain = [value for text in texts for value in text]
    if not all(isinstance(value, int | str) for value in plain):
        wrong = next(value for value in plain if not isinstance(value, int | str))
        raise source.error(
            f"has {wrong!r:.40} in the array of a text; want masses, 0s and 1s, or labels"
        )
    if not all(texts):
        line = next(line for (line, _, _), text in zip(members, texts, strict=True) if not text)
        raise source.error("has a text without values; want at least one", line)
    names = all(isinstance(value, str) for value in plain)
    if names and all(BITS.fullmatch(value) for value in plain) and any(len(v) > 1 for v in plain):
        # Strings of 0s and 1s, each a text.
        members = _numbered([(line, None, each) for line, _, text in members for each in text])
        texts = [list(map(int, each)) for _, _, each in members]
        plain, names = [value for text in texts for value in text], False
    named = members[0][1] is not None
    key, form = _key_of(source, texts, spelling, names=names, named=named)
    objects: list[tuple[int, dict[str, Any]]] = []
    for (line, name, _), text in zip(members, texts, strict=True):
        item: dict[str, Any] = {key: text} if name is None else {"id": name, key: text}
        if key == "boundaries":
            inner = text[1:-1] if len(text) > 1 and not text[0] else text[:-1]
            item |= {"boundaries": inner, "n": text[-1]}
        objects.append((line, item))
    return objects, form


def _key_of(
    source: Source, texts: Sequence[list[Any]], spelling: str | None, *, names: bool, named: bool
) -> tuple[str, str | None]:
    """Return the key of JSON lines for the values of texts, and their spelling.

    The values of `texts` are numbers, or strings where `names` is true. `spelling` is the one that
    the user set; `None` if the user set none. `named` is true if texts have names.
    """
    plain = [value for text in texts for value in text]
    pairs = names and len(texts) > 2 and all(len(text) == 2 for text in texts)
    if pairs and all(is_flag(y) or y.isdecimal() > x.isdecimal() for x, y in texts):
        raise source.error(
            f"has arrays of two strings, as {texts[0]!r:.60}, which seem to be units with their "
            f"labels: give the labels alone, an array for each text"
        )
    if spelling in {*LABEL_FORMS, *BIT_FORMS}:
        return "labels" if spelling in LABEL_FORMS or names else "bits", spelling
    if names:
        if not may_be_bio(plain) or not all(map(is_sound_bio, texts)):
            raise source.error(
                f"has arrays of strings, as {plain[0]!r:.40}, which may be labels or units; of "
                f"labels name the notation ({remedy('from labels')}), and of units give a file "
                f"with one a line and empty lines at boundaries"
            )
        return "labels", spelling
    wrong = next((value for value in plain if isinstance(value, str)), None)
    if wrong is not None:
        raise source.error(f"has {wrong!r:.40} beside numbers; want masses, 0s and 1s, or labels")
    if spelling == "positions":
        return "boundaries", spelling
    if spelling is None and set(plain) <= {0, 1} and 0 in plain:
        bodies = ["".join(map(str, text)) for text in texts]
        return "bits", classify_bits(source, bodies, named=named, broken=False)
    if spelling is None:
        note_other_readings(source, [" ".join(map(str, text)) for text in texts], listed=True)
    return "masses", spelling


def _by_coders(
    source: Source, value: dict[str, Any], options: ReadingOptions
) -> dict[str | None, Any] | None:
    """Return the masses of an object by texts and coders; `None` if it has no coders.

    A text has one number of units, whoever coded it: this tells texts from coders.
    """
    arrays = list(value.values())
    if all(map(_are_masses, arrays)):
        alike = len(arrays) > 1 and len(set(map(sum, arrays))) == 1
        chosen = not {*options.coders}.isdisjoint(value)
        if chosen or options.spelling == "segeval":
            return {None: value}
        if alike and options.spelling is None:
            raise source.error(
                f"has {len(arrays)} arrays of {sum(arrays[0])} units each, by the names "
                f"{listed(value)}, which may be the coders of one text, or texts; say which: "
                f"{remedy('from segeval')} or {remedy('from masses')}"
            )
        return None
    inner = [each for each in arrays if _coded(each) and all(map(_are_masses, each.values()))]
    if options.spelling not in {None, "segeval"} or len(inner) < len(arrays) or not arrays:
        return None
    if all(len({sum(masses) for masses in each.values()}) == 1 for each in inner):
        return value  # type: ignore[return-value]  # a name is no None
    turned: dict[str | None, Any] = {}
    for coder, texts in value.items():
        for text, masses in texts.items():
            turned.setdefault(text, {})[coder] = masses
    if all(len({sum(masses) for masses in each.values()}) == 1 for each in turned.values()):
        source.note("masses of the texts of each coder, by coders, then by texts", listed(value))
        return turned
    raise source.error(
        "has masses in two levels, in which neither the first nor the second is of texts: the "
        "coders of a text have to have the same number of units"
    )


def _are_masses(value: Any) -> bool:
    whole = isinstance(value, list) and bool(value) and all(type(each) is int for each in value)
    return whole and not {*value} <= {0, 1}


# Segmentations in the files of segeval: the masses of several coders, as JSON or TSV.


_KEYS = re.compile(r'"(?:items|codings|segmentation_type)"\s*:')
_OTHER_KEYS = re.compile(r'"(?:masses|bits|boundaries|labels|spans|types)"\s*:')
_HEADS = frozenset(["coder", "coders", "annotator", "annotators", "rater", "id", ""])
_COUNTS = frozenset(["masses", "mass", "positions", "position"])
_NEAR = 1 << 16  # characters within which the next key of a JSON text is searched; set by hand
_MOST_DIGITS = 18  # digits of a number that fits into 64 bits


def is_segeval_object(opening: str) -> bool:
    """Distinguish an object of segeval (True) from JSON lines by the head of a file."""
    first, item = _first_line(opening)
    if item is None:  # an object over several lines, or one longer than the head
        return bool(_KEYS.search(opening) and not _OTHER_KEYS.search(first))
    return isinstance(item, dict) and bool(_KEYS.search(first)) and not _OTHER_KEYS.search(first)


def read_segeval(source: Source, text: str, options: ReadingOptions) -> Readings:
    """Read the masses of each coder, from JSON or TSV.

    Raises `FormatError` when the file is neither, or a coder has no masses; with the line.
    """
    if text.lstrip().startswith("{"):
        return _read_json(source, text, options)
    lines = text.split("\n")
    return read_mass_table(source, lines, options) or _read_table(source, lines, options)


def _read_json(source: Source, text: str, options: ReadingOptions) -> Readings:
    try:
        data = parsed(text, source.error)
    except json.JSONDecodeError as error:
        raise _no_json(source, error, "the object that segeval writes") from None
    kind = data.get("segmentation_type", "linear")
    if kind != "linear":
        raise source.error(
            f'has the "segmentation_type" {kind!r:.40}; want "linear", the masses of segments'
        )
    items = data.get("items", {None: data["codings"]} if "codings" in data else None)
    if items is None and "segmentation_type" not in data:
        items = _by_coders(source, data, replace(options, spelling="segeval"))
    elif "segmentation_type" not in data:
        source.note('no "segmentation_type", taken as linear')
    if not isinstance(items, dict) or not items:
        raise source.error(
            'has no "items"; want texts, each with the masses of its coders: {"items": {"t1": '
            '{"ann": [5, 3]}}, "segmentation_type": "linear"}'
        )
    return _read_items(source, text, items, options)


def _read_items(
    source: Source, text: str, items: dict[str | None, Any], options: ReadingOptions
) -> Readings:
    """Read the masses of texts by coders; without coders, where these are missing throughout."""
    bare = all(isinstance(codings, list) for codings in items.values())
    if bare:  # of one coder without a name
        items = {item: {"": masses} for item, masses in items.items()}
    coders = list(
        dict.fromkeys(c for codings in items.values() if _coded(codings) for c in codings)
    )
    items = _without_null(source, items)
    wanted = [coders[k] for k in chosen_coders(source, coders, () if bare else options.coders)]
    parts = {coder: Collected(source, coder) for coder in wanted}
    lines, line = _Lines(text), 1
    _check_masses(source, items, wanted)
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


def _without_null(source: Source, items: dict[str | None, Any]) -> dict[str | None, Any]:
    """Leave out the codings that are null, with a note, and texts of which all are."""
    coded: dict[str | None, Any] = {}
    for item, codings in items.items():
        given = codings
        if _coded(codings):
            given = {coder: masses for coder, masses in codings.items() if masses is not None}
            lacking = next((coder for coder in codings if coder not in given), None)
            if lacking is not None:
                kind, case = "texts that a coder did not code (null)", f"{lacking}, {item}"
                source.note(kind, case, count=len(codings) - len(given))
        if given or not _coded(codings):
            coded[item] = given
    return coded


_LABELS = '{"id": "t1", "labels": [1, 1, 2]}'


def _check_masses(source: Source, items: Mapping[str | None, Any], coders: Sequence[str]) -> None:
    """Refuse the segment number of each unit, which segeval reads from the same object, too.

    All lists begin with 1 and go on with the same number or the next one, and those of a text are
    of one length. If they have one sum they may be masses as well, and are noted.
    """
    of_texts = [
        [codings[coder] for coder in coders if coder in codings]
        for codings in items.values()
        if _coded(codings)
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


def _coded(codings: Any) -> bool:
    return isinstance(codings, dict) and bool(codings)


def _check_name(source: Source, name: str) -> None:
    if flaw := unfit(name):
        raise source.error(f"has {flaw} in the name {name!a:.40}; want a text")


class _Lines:
    """The lines of the keys of a JSON text, looked up in the order of the text."""

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


# Tables: one line per coder.


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
    return _read_table(source, lines, options)


def _is_coder_table(lines: Sequence[str], delimiter: str) -> bool:
    """Recognise a table with a header, and a name and several masses in each further line.

    If neither the header has words of segeval, nor the lines are of unequal lengths, they may
    as well be units with one column per coder. Masses have the same sum in each line.
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
    # All masses may be in one cell: both layouts become one number in each cell.
    if (table := _mass_table(_rows_of(lines))) and len(table.others) == 1:
        (coder,) = table.others
        named = [row[coder] for _, row in table.rows]
        bodies = [table.body(row).replace(",", " ").split() for _, row in table.rows]
        rows = rows[: len(rows) - len(named)] + [
            (n, [name, *body]) for (n, _), name, body in zip(table.rows, named, bodies, strict=True)
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
            made = Segmentation.from_labels(numbers, form="labels")
        else:
            made = _segmentation(source, numbers, f"coder {cells[0]!r}", number)
        part = parts[cells[0]] = Collected(source, cells[0])
        part.put(made)
        part.add(None, number)
    return readings_of(parts, "segeval", coders)


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
            raise source.error(
                f"is of coder {coder!r:.40}, as another line; want one line a coder", number
            )
        elif coder in parts:
            bodies.append(body)
            masses = [int(mass) for mass in body.replace(",", " ").split()]
            items.setdefault(text, {})[coder] = masses
            where = f"text {text!r}, {coder!r}" if text else f"coder {coder!r}"
            parts[coder].put(_segmentation(source, masses, where, number))
            parts[coder].add(text, number)
    parts = {coder: part for coder, part in parts.items() if part.texts}
    if options.spelling is None and bodies:
        _check_masses(source, items, list(parts))
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
    named_as_positions = table and _is_head_of(table.head[table.masses], _POSITION_HEADS)
    if (
        table
        and named_as_positions
        and not spelling
        and rises([table.body(r) for _, r in table.rows])
    ):
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
