"""Segmentations in JSON lines: one object for each text.

    {"id": "t1", "masses": [5, 5, 1, 3]}
    {"id": "t2", "bits": "0000100001100"}
    {"id": "t3", "boundaries": [5, 10, 11], "n": 14}
    {"id": "t4", "labels": ["a", "a", "b"]}
    {"id": "t5", "spans": [[0, 5], [5, 10]]}
    {"id": "t6", "types": [[], [1], [1, 2]]}

`bits` has a 0 or 1 for each of the n-1 potential boundaries, in a string or a list. `labels` are
names, whose runs are segments, or BIO labels if those of all texts are. A spelling set by the user
overrides both (`Segmentation.from_bits`, `from_labels`). `boundaries` are the numbers of units
before each boundary. `spans` are half-open and count from 0, unless the user set a spelling:
`spans` may count from 1, and `inclusive-spans` include their last unit. `types` lists the types of
each of the n-1 potential boundaries, empty for none. Several of these keys in one object have to
agree, and `n` has to be the number of units. Without `id` a key as `doc_id` names the text; a key
as `coder` has the coder of the object. A list of strings such as `sentences` or `units`, as many
as there are units, has their characters. Further keys are ignored.
"""

from __future__ import annotations

import codecs
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import Any

from bitext.errors import SegmentationError, remedy
from bitext.formats.io.encodings import name_encoding
from bitext.formats.io.source import Source
from bitext.formats.line_files import json_flaw
from bitext.formats.segmentations.collecting import (
    CODER_HEADS,
    FLAGS,
    Collected,
    Reading,
    ReadingOptions,
    Readings,
    Units,
    chosen_coders,
    either,
    is_flag,
    note_labels,
    note_marks,
    read_sections,
    unclear_flags,
    unsound_bio,
)
from bitext.formats.segmentations.labels import TEXT_HEADS, check_labels, select_labels
from bitext.model import Segmentation
from bitext.model.segmentation import (
    BIT_FORMS,
    LABEL_FORMS,
    MOST_UNITS,
    bio_form,
    is_sound_bio,
    may_be_bio,
)

SPAN_FORMS = ("spans", "inclusive-spans")

_PLAIN = {"id", "masses"}
# Keys of the name of a text, in small letters; "text" and "document" may be its characters.
_NAME_KEYS = TEXT_HEADS - {"text", "document", "article", "essay", "id"} | {"name"}
_LABELS = {str, int, bool}
_UNIT_KEYS = ("units", "sentences", "sents", "utterances", "tokens", "words", "lines")
_PARSE = json.JSONDecoder().decode
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def read_objects(
    source: Source,
    form: str | None = None,
    labels: Sequence[str] = (),
    *,
    lines: Iterable[tuple[int, str]],
    coder: str | None = None,
    noted: bool = True,
) -> Reading:
    """Read the texts of a file, object by object.

    The usual line, with `id` and `masses`, is appended to the arrays unchecked, and all texts are
    checked together; any other line is read by `Segmentation`. The kind of labels and spans is
    decided from those of the whole file.

    Parameters
    ----------
    form : str, optional
        The spelling of bits, labels or spans, if the user set one.
    labels : sequence of str
        The labels that count; others are as none. Default: all.
    lines : iterable of (int, str)
        The objects, each with the number of its line.
    coder : str, optional
        The coder of the objects, in a file of several.
    noted : bool
        Whether the result has the notes of the file.

    """
    collected = Collected(source, coder or "")
    later: dict[int, tuple[int, dict[str, Any]]] = {}  # objects by their texts, with their lines
    bits: list[Sequence[Any]] = []
    units: dict[int, list[str]] = {}  # of texts that list them
    masses = collected.masses
    for number, line in lines:
        if not line.strip():
            continue
        item = _object(source, line, number)
        name, is_plain = item.get("id"), item.keys() <= _PLAIN
        if (name is None or coder is not None) and not is_plain:
            name = _other_name(source, item, number, of_coders=coder is not None)
        # With more quotes than keys and id need, a key may be repeated, and a value lost.
        if line.count('"') > 2 * len(item) + 2 * (type(name) is str) and any(
            line.count(f'"{key}"') > 1 for key in item
        ):
            _check_keys(source, line, number)
        if type(name) is not str or "\\u" in line:
            name = _name(source, name, number)
        plain = item.get("masses") if is_plain else None
        # A truth value would pass as a number, so a line that may contain one is checked.
        if type(plain) is list and plain and "true" not in line and "false" not in line:
            size = len(masses)
            try:
                masses.extend(plain)
            except (TypeError, OverflowError):
                del masses[size:]
                collected.put(checked(source, item, number, READERS))
        elif item.get("labels") is not None or item.get("spans") is not None:
            later[collected.texts] = number, item
            masses.append(1)  # a placeholder, replaced below
        else:
            if form is None and item.get("bits") and not _known_size(item):
                bits.append(item["bits"])
            readers: Readers = {**READERS, "bits": partial(_of_bits, form=form)}
            collected.put(checked(source, item, number, readers))
        if not is_plain:
            units[collected.texts] = _listed_units(item)
        collected.add(name, number)
    kind = ""
    if later:
        items = [item for _, item in later.values()]
        deciding, kind = _readers_for(source, items, form)
        _select(source, items, kind, labels)
        collected.replace(
            {text: checked(source, item, n, deciding) for text, (n, item) in later.items()}
        )
    _note_bits(source, bits)
    reading = collected.reading("jsonl", labels=kind, noted=noted)
    return replace(reading, units=_units_of(reading, units))


def _listed_units(item: dict[str, Any]) -> list[str]:
    """Return the characters of the units of an object; an empty list if it has none."""
    for key in _UNIT_KEYS:
        value = item.get(key)
        if type(value) is list and set(map(type, value)) == {str}:
            return value
    return []


def _known_size(item: dict[str, Any]) -> Any:
    """Return the number of units that an object gives or lists; `None` if it does neither."""
    return item.get("n", len(_listed_units(item)) or None)


def _units_of(reading: Reading, listed: Mapping[int, list[str]]) -> tuple[Units, ...] | None:
    """Return the characters of the units of all texts, if each lists as many as it has units."""
    sizes = reading.table.sizes.tolist()
    if len(listed) < len(sizes) or [*map(len, listed.values())] != sizes:
        return None
    return tuple(
        Units.of((" ".join(unit.split()) for unit in listed[text]), [line] * size)
        for text, (size, line) in enumerate(zip(sizes, reading.lines.tolist(), strict=True))
    )


def read_objects_by_coder(
    source: Source,
    form: str | None,
    options: ReadingOptions,
    *,
    lines: Iterable[tuple[int, str]] | None = None,
) -> Readings:
    """Read the texts of each coder, where a key of all objects has the coder; of one otherwise."""
    given = iter(_lines(source) if lines is None else lines)
    first = next((pair for pair in given if pair[1].strip()), (1, "{}"))
    begins = _object(source, first[1], first[0])
    key = next((key for key in begins if key.lower() in CODER_HEADS), None)
    given = chain([first], given)
    if form is None and {"text", "annotations"} <= begins.keys():
        filled = [pair for pair in given if pair[1].strip()]
        objects = [(number, _object(source, line, number)) for number, line in filled]
        if sections := read_sections(source, objects, options):
            return Readings({"": sections})
        given = iter(filled)
    if key is None or not isinstance(begins[key], str | int):
        return Readings({"": read_objects(source, form, options.labels, lines=given)})
    by_coder: dict[str, list[tuple[int, str]]] = {}
    for number, line in given:
        if not line.strip():
            continue
        coder = _name(source, _object(source, line, number).get(key), number)
        if not coder:
            raise source.error(f'has no "{key}"; want the coder in each object', number)
        by_coder.setdefault(coder, []).append((number, line))
    coders = list(by_coder)
    readings = {}
    chosen = [coders[k] for k in chosen_coders(source, coders, options.coders)]
    for coder in chosen:
        readings[coder] = read_objects(
            source,
            form,
            options.labels,
            lines=by_coder[coder],
            coder=coder,
            noted=coder == chosen[-1],
        )
    return Readings(readings, tuple(coders))


def names_text(item: Any) -> bool:
    """Check for a key of an object with the name of its text or its coder."""
    return isinstance(item, dict) and any(
        key.lower() in _NAME_KEYS or key.lower() in CODER_HEADS for key in item
    )


def _object(source: Source, line: str, number: int) -> dict[str, Any]:
    try:
        item = _PARSE(line)
    except (ValueError, RecursionError):
        raise _no_json(source, line, number) from None
    if type(item) is not dict:
        raise source.error(f"is {item!r:.40}; want one object a line, as {{...}}", number)
    return item


def _other_name(source: Source, item: dict[str, Any], number: int, *, of_coders: bool) -> Any:
    """Return the name of a text by another key than `id`; that of `id` if there is none."""
    keys = [key for key in item if key.lower() in _NAME_KEYS]
    if of_coders:  # an id may be that of the object, and a text its name
        keys += [key for key in ("id", "text") if key in item]
    key = next((key for key in keys if isinstance(item[key], str | int)), "id")
    if key != "id":
        source.note('names of texts by another key than "id"', f'"{key}"', line=number)
    return item.get(key)


def _select(
    source: Source, items: Sequence[dict[str, Any]], form: str, wanted: Sequence[str]
) -> None:
    """Replace the labels that do not count, where some are wanted; else note marks among names."""
    if not wanted and form != "labels":
        return
    # Labels of other types stay, and are refused later.
    sound = [
        item
        for item in items
        if isinstance(labels := item.get("labels"), list) and set(map(type, labels)) <= _LABELS
    ]
    if not wanted:
        note_marks(source, (item["labels"] for item in sound))
        return
    spelled = [list(map(str, item["labels"])) for item in sound]
    check_labels(source, chain.from_iterable(spelled), form, wanted)
    for item, labels in zip(sound, spelled, strict=True):
        item["labels"] = select_labels(labels, form, wanted)


def _readers_for(
    source: Source, items: Sequence[dict[str, Any]], form: str | None
) -> tuple[Readers, str]:
    """Return the readers by key, chosen from all labels and spans, and the kind of labels."""
    labels = [item["labels"] for item in items if isinstance(item.get("labels"), list)]
    named = form if form in {*LABEL_FORMS, *BIT_FORMS} else None
    label_form = named or _form_of_labels(source, labels)
    plain = {label for text in labels for label in text if isinstance(label, str | int)}
    if label_form == "bio":
        label_form = bio_form(plain)
    note_labels(source, plain, label_form, detected=named is None)
    spans = [item["spans"] for item in items if isinstance(item.get("spans"), list)]
    first = _first_unit(source, spans, form)
    readers: Readers = {
        **READERS,
        "bits": partial(_of_bits, form=form),
        "labels": partial(_of_labels, form=label_form),
        "spans": partial(_of_spans, form=form, first=first),
    }
    return readers, label_form if labels else ""


def _form_of_labels(source: Source, texts: Sequence[list[Any]]) -> str:
    """Detect BIO labels or names from the labels of all texts; refuse 0s and 1s."""
    flat = [label for labels in texts for label in labels]
    kinds = {label for label in flat if isinstance(label, str | int)}
    if flat and kinds <= {0, 1, "0", "1"} and len(kinds) == len(set(map(str, kinds))) == 2:
        raise unclear_flags(source, "0 and 1")
    if len(kinds) < len(set(map(repr, flat))) or not may_be_bio(kinds):
        return "labels"
    if not all(map(is_sound_bio, texts)):
        raise unsound_bio(source)
    return "bio"


def _first_unit(source: Source, texts: Sequence[list[Any]], form: str | None) -> int:
    """Return the number of the first unit of spans: 1 if all begin with 1, and the user set spans.

    Otherwise spans count from 0.
    """
    known = [spans for spans in texts if spans and all(map(_is_span, spans))]
    if form is None and known and all(len(spans) == 1 for spans in known):
        kind = f"spans of one segment, taken as half-open (else: {remedy('from inclusive-spans')})"
        source.note(kind)
    if form not in SPAN_FORMS or not known or any(spans[0][0] != 1 for spans in known):
        return 0
    source.note("spans that count units from 1")
    return 1


def _is_span(span: object) -> bool:
    return isinstance(span, list) and len(span) == 2 and all(map(_whole, span))


def _note_bits(source: Source, bits: Sequence[Sequence[Any]]) -> None:
    """Note bits that may be meant as one for each unit."""
    if bits and any(all(str(each[end]) == "1" for each in bits) for end in (0, -1)):
        ways = either("begin-bits", "end-bits")
        kind = f'"bits" that all begin or end with 1, taken as n-1 of n units (one a unit: {ways})'
        source.note(kind)


def _check_keys(source: Source, line: str, number: int) -> None:
    """Refuse an object with a repeated key among those that are read."""
    keys = [key for key, _ in json.loads(line, object_pairs_hook=list)]
    twice = next((key for key in ("id", "n", *READERS) if keys.count(key) > 1), None)
    if twice is not None:
        raise source.error(f'has "{twice}" {keys.count(twice)} times; want it once', number)


def _lines(source: Source) -> Iterator[tuple[int, str]]:
    """Yield the lines and their numbers; a file in UTF-8 is read line by line."""
    if source.encoding != "utf-8" or source.head().startswith(_UTF16):
        yield from enumerate(source.lines(), start=1)
        return
    for number, raw in enumerate(source.stream, start=1):
        try:
            line = raw.decode()
        except UnicodeDecodeError as error:
            raise source.error(
                f"byte {error.start + 1} of the line is 0x{raw[error.start]:02x}, which is not "
                f"utf-8; {name_encoding()}",
                number,
            ) from None
        yield number, line.removeprefix("\ufeff") if number == 1 else line


def _no_json(source: Source, line: str, number: int) -> Exception:
    try:
        json.loads(line)
    except (ValueError, RecursionError) as error:
        return source.error(json_flaw(error), number)
    return source.error("is not JSON; want one object a line", number)


def _name(source: Source, given: object, number: int) -> str | None:
    if given is None:
        return None
    if isinstance(given, bool) or not isinstance(given, str | int):
        raise source.error(f"has the id {given!r:.40}; want a text or a whole number", number)
    try:
        str(given).encode()
    except UnicodeEncodeError:
        raise source.error("has half a surrogate pair; want whole characters", number) from None
    return str(given)


def no_segmentation(source: Source, number: int) -> Exception:
    """Return the error of an object without any segmentation."""
    wanted = ", ".join(f'"{key}"' for key in READERS)
    return source.error(
        f'has no segmentation; want one of {wanted}, as {{"masses": [5, 3]}}', number
    )


def checked(source: Source, item: dict[str, Any], number: int, readers: Readers) -> Segmentation:
    """Read the segmentation of an object from all its keys, which have to agree."""
    present = [key for key in readers if item.get(key) is not None]
    if not present:
        raise no_segmentation(source, number)
    try:
        read = {key: readers[key](item) for key in present}
    except SegmentationError as error:
        raise source.error(str(error), number) from None
    # Types are the most specific: the others have none.
    best = "types" if "types" in read else present[0]
    n = item.get("n")
    if n is not None and (not _whole(n) or n != read[best].n):
        raise source.error(f'has "n" {n!r:.40} and {read[best].n} units: want the same', number)
    for key, other in read.items():
        if other.masses.tolist() != read[best].masses.tolist():
            raise source.error(
                f'has "{best}" and "{key}" that differ: want the same, or one', number
            )
    return read[best]


def _whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _list(item: dict[str, Any], key: str) -> list[Any]:
    value = item[key]
    if not isinstance(value, list):
        raise SegmentationError(f'has "{key}" {value!r:.40}: want a list')
    return value


def _wholes(item: dict[str, Any], key: str) -> list[int]:
    values = _list(item, key)
    wrong = next((value for value in values if not _whole(value)), None)
    if wrong is not None or None in values:
        raise SegmentationError(f'has {wrong!r:.40} in "{key}": want whole numbers')
    if any(abs(value) >> 62 for value in values):
        raise SegmentationError(f'has a number beyond 64 bits in "{key}": want numbers of units')
    return values


def _of_bits(item: dict[str, Any], form: str | None = None) -> Segmentation:
    bits, form = item["bits"], form if form in BIT_FORMS else "bits"
    if not isinstance(bits, str | list):
        raise SegmentationError(f'has "bits" {bits!r:.40}: want a string of n-1 signs, or a list')
    if form == "bits" and (n := _known_size(item)) == len(bits):
        ways = either("begin-bits", "end-bits")
        what = f'"n" {n}' if "n" in item else f"{n} units"
        raise SegmentationError(
            f'has {what} and as many "bits": want n-1, or what they say of units ({ways})'
        )
    return Segmentation.from_bits(bits, form=form)


def _of_boundaries(item: dict[str, Any]) -> Segmentation:
    n = item.get("n")
    if n is None or not _whole(n) or not 0 < n < MOST_UNITS:
        raise SegmentationError(
            f'has "boundaries" and "n" {n!r:.40}: want the number of units as "n"'
        )
    return Segmentation.from_boundaries(_wholes(item, "boundaries"), n)


def _of_labels(item: dict[str, Any], form: str = "labels") -> Segmentation:
    labels = _list(item, "labels")
    if form in BIT_FORMS:
        if not all(map(is_flag, labels)):
            wrong = next(label for label in labels if not is_flag(label))
            raise SegmentationError(f'has {wrong!r:.40} in "labels": {form} want 0s and 1s')
        return Segmentation.from_bits([FLAGS[str(label).lower()] for label in labels], form=form)
    # 1, 1.0 and true are equal in Python, and would make one segment.
    if not set(map(type, labels)) <= {str, int}:
        wrong = next(label for label in labels if type(label) not in {str, int})
        raise SegmentationError(f'has {wrong!r:.40} in "labels": want texts or whole numbers')
    return Segmentation.from_labels(labels, form=form)


def _of_spans(item: dict[str, Any], *, form: str | None = None, first: int = 0) -> Segmentation:
    spans = _list(item, "spans")
    for k, span in enumerate(spans):
        if not _is_span(span):
            raise SegmentationError(f"span {k} is {span!r:.40}: want [start, end]")
    try:
        return Segmentation.from_spans(spans, inclusive=form == "inclusive-spans", first=first)
    except SegmentationError as error:
        if form is not None:
            raise
        ways = f"{remedy('from inclusive-spans')}, or {remedy('from spans')} of units from 1 on"
        raise SegmentationError(f"{error}; where spans hold their last unit: {ways}") from None


def _of_types(item: dict[str, Any]) -> Segmentation:
    sets = _list(item, "types")
    for k, kinds in enumerate(sets):
        if not isinstance(kinds, list | None):
            raise SegmentationError(f"the types of place {k} are {kinds!r:.40}: want a list")
        wrong = [kind for kind in kinds or [] if not (_whole(kind) or isinstance(kind, str))]
        if wrong:
            raise SegmentationError(
                f"a type of place {k} is {wrong[0]!r:.40}: want texts or whole numbers"
            )
    return Segmentation.from_types([kinds or [] for kinds in sets])


Readers = dict[str, Callable[[dict[str, Any]], Segmentation]]
READERS: Readers = {
    "masses": lambda item: Segmentation(_wholes(item, "masses")),
    "bits": _of_bits,
    "boundaries": _of_boundaries,
    "labels": _of_labels,
    "spans": _of_spans,
    "types": _of_types,
}
