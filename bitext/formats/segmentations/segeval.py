"""Segmentations in files that are one value of JSON, and files of segeval.

One value of JSON is an array of the objects of JSON lines (`segmentations.objects`) or of texts, a
single text, or an object of these by their names. A text is an array of masses, of 0s and 1s, or of
labels:

    [{"id": "t1", "masses": [2, 3, 3]}, {"id": "t2", "masses": [4]}]
    {"t1": [2, 3, 3], "t2": [4]}
    [[2, 3, 3], [4]]

Files of segeval have the masses of several coders, as JSON or TSV:

    {"items": {"stargazer": {"1": [2, 3, 3], "2": [2, 6]}}, "segmentation_type": "linear"}

An item is a text. Files of version 1 may have `codings` (coders of one text) in place of `items`,
or items without coders. The same without `items`, texts by coders or coders by texts, is recognised
by the numbers of units: all coders of a text have the same. Tables are read by `mass_tables`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from bitext.errors import remedy
from bitext.formats.io.source import Source
from bitext.formats.line_files import json_flaw, parsed, unfit
from bitext.formats.segmentations.collecting import (
    Collected,
    ReadingOptions,
    Readings,
    chosen_coders,
    is_flag,
    listed,
    read_sections,
    readings_of,
)
from bitext.formats.segmentations.detection import BITS, classify_bits, note_other_readings
from bitext.formats.segmentations.mass_tables import (
    check_masses,
    read_coder_lines,
    read_mass_table,
    segmentation_of,
)
from bitext.formats.segmentations.objects import (
    READERS,
    SPAN_FORMS,
    names_text,
    no_segmentation,
    read_objects,
    read_objects_by_coder,
)
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
    members = _numbered(_members(text, value))
    if not members:
        raise source.error("is an empty value of JSON; want at least one text")
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
    return source.error(json_flaw(error, wanted), error.lineno)


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
    for value in plain:
        if not isinstance(value, int | str):
            raise source.error(
                f"has {value!r:.40} in the array of a text; want masses, 0s and 1s, or labels"
            )
    for line, _, each in members:
        if not each:
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
    # Arrays of 1s alone are masses beside those that are no bits.
    inner = [each for each in arrays if _coded(each) and all(map(_may_be_masses, each.values()))]
    if options.spelling not in {None, "segeval"} or len(inner) < len(arrays) or not arrays:
        return None
    if not any(_are_masses(masses) for each in inner for masses in each.values()):
        return None
    turned: dict[str | None, Any] = {}
    for coder, texts in value.items():
        for text, masses in texts.items():
            turned.setdefault(text, {})[coder] = masses
    by_text, by_coder = (
        all(len({sum(masses) for masses in each.values()}) == 1 for each in levels)
        for levels in (inner, turned.values())
    )
    if by_text and by_coder and len(value) > 1:
        kind = "masses by texts, then by coders, which may be by coders, then by texts"
        source.note(f"{kind} (if so, exchange the levels)", listed(value))
    if by_text:
        return value  # type: ignore[return-value]  # a name is no None
    if by_coder:
        source.note("masses of the texts of each coder, by coders, then by texts", listed(value))
        return turned
    raise source.error(
        "has masses in two levels, in which neither the first nor the second is of texts: the "
        "coders of a text have to have the same number of units"
    )


def _are_masses(value: Any) -> bool:
    return _may_be_masses(value) and not {*value} <= {0, 1}


def _may_be_masses(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(type(each) is int for each in value)


# Segmentations in the files of segeval: the masses of several coders, as JSON or TSV.


_KEYS = re.compile(r'"(?:items|codings|segmentation_type)"\s*:')
_OTHER_KEYS = re.compile(r'"(?:masses|bits|boundaries|labels|spans|types)"\s*:')
_NEAR = 1 << 16  # characters within which the next key of a JSON text is searched; set by hand


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
    return read_mass_table(source, lines, options) or read_coder_lines(source, lines, options)


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
    coders = [*dict.fromkeys(c for each in items.values() if _coded(each) for c in each)]
    items = _without_null(source, items)
    wanted = [coders[k] for k in chosen_coders(source, coders, () if bare else options.coders)]
    parts = {coder: Collected(source, coder) for coder in wanted}
    lines, line = _Lines(text), 1
    check_masses(source, items, wanted)
    for item, codings in items.items():
        if item is not None:
            line = lines.of(_sound(source, item))
        if not _coded(codings):
            raise source.error(
                f"has the item {item!r:.40} without coders; want the masses of each coder, as "
                f'{{"ann": [5, 3]}}',
                line,
            )
        for coder, masses in codings.items():
            line = lines.of(_sound(source, coder)) if coder else line
            if coder in parts:
                parts[coder].put(segmentation_of(source, masses, f"item {item!r}, {coder!r}", line))
                parts[coder].add(item, line)
    return readings_of(parts, "segeval", () if bare else coders)


def _without_null(source: Source, items: dict[str | None, Any]) -> dict[str | None, Any]:
    """Leave out the codings that are null, with a note, and texts of which all are."""
    coded: dict[str | None, Any] = {}
    for item, codings in items.items():
        lacking = [c for c in codings if codings[c] is None] if _coded(codings) else []
        if lacking:
            kind, case = "texts that a coder did not code (null)", f"{lacking[0]}, {item}"
            source.note(kind, case, count=len(lacking))
            codings = {c: masses for c, masses in codings.items() if masses is not None}
        if codings or not lacking:
            coded[item] = codings
    return coded


def _coded(codings: Any) -> bool:
    return isinstance(codings, dict) and bool(codings)


def _sound(source: Source, name: str) -> str:
    if flaw := unfit(name):
        raise source.error(f"has {flaw} in the name {name!a:.40}; want a text")
    return name


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
