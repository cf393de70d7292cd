"""Segmentations in JSON lines: one object a text.

    {"id": "t1", "masses": [5, 5, 1, 3]}
    {"id": "t2", "bits": "0000100001100"}
    {"id": "t3", "boundaries": [5, 10, 11], "n": 14}
    {"id": "t4", "labels": ["a", "a", "b"]}
    {"id": "t5", "spans": [[0, 5], [5, 10]]}
    {"id": "t6", "types": [[], [1], [1, 2]]}

`bits` are one for each of the n-1 potential boundaries, in a string or a list. `labels` are names
of which a run makes a segment, or BIO labels where those of all texts are. A spelling that is
named says otherwise of both (`Segmentation.from_bits`, `from_labels`). `boundaries` are the units
before each. `spans` are half-open and count from 0, unless a spelling was named: `spans` may count
from 1, and `inclusive-spans` hold their last unit. `types` are those of each of the n-1 potential
boundaries, empty for none. Where an object has several of these they have to say the same, and `n`
has to be the number of units. Other keys are left aside.
"""

from __future__ import annotations

import codecs
import json
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from bitext.errors import SegmentationError
from bitext.formats.io.encodings import name_encoding
from bitext.formats.json_objects import beyond_limits
from bitext.formats.segmentations.collecting import Collected, Reading, note_labels
from bitext.model import Segmentation
from bitext.model.segmentation import (
    BIT_FORMS,
    LABEL_FORMS,
    MOST_UNITS,
    bio_form,
    is_sound_bio,
    may_be_bio,
)
from bitext.option_names import remedy

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bitext.formats.io.source import Source

__all__ = ["SPAN_FORMS", "read_objects"]

SPAN_FORMS = ("spans", "inclusive-spans")

_PLAIN = {"id", "masses"}
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def read_objects(source: Source, form: str | None = None) -> Reading:
    """Read the texts of a file, line by line.

    The usual line, `id` and `masses`, is put into the arrays as it is, and checked there for all
    texts at once; any other goes through `Segmentation`. What labels and spans mean is decided by
    those of the whole file.

    Parameters
    ----------
    form : str, optional
        What signs or labels say, where that was named.

    """
    found = Collected(source)
    later: dict[int, tuple[int, dict[str, Any]]] = {}  # objects by their texts, with their lines
    signs: list[Sequence[Any]] = []
    parse = json.JSONDecoder().decode
    masses = found.masses
    for number, line in _lines(source):
        if not line.strip():
            continue
        try:
            item = parse(line)
        except (ValueError, RecursionError):
            raise _no_json(source, line, number) from None
        if type(item) is not dict:
            raise source.error(f"is {item!r:.40}; want one object a line, as {{...}}", number)
        name = item.get("id")
        # More quotes than the keys and the id take: there may be a key twice, and a value lost.
        if line.count('"') > 2 * len(item) + 2 * (type(name) is str) and any(
            line.count(f'"{key}"') > 1 for key in item
        ):
            _check_keys(source, line, number)
        if type(name) is not str or "\\u" in line:
            name = _name(source, name, number)
        plain = item.get("masses")
        # A truth value would pass as a number, so a line that may hold one goes the slow way.
        if (
            type(plain) is list
            and plain
            and item.keys() <= _PLAIN
            and "true" not in line
            and "false" not in line
        ):
            size = len(masses)
            try:
                masses.extend(plain)
            except (TypeError, OverflowError):
                del masses[size:]
                found.put(_checked(source, item, number, _READERS))
        elif item.get("labels") is not None or item.get("spans") is not None:
            later[found.texts] = number, item
            masses.append(1)  # holds the place
        else:
            if form is None and item.get("bits") and item.get("n") is None:
                signs.append(item["bits"])
            readers: _Readers = {**_READERS, "bits": partial(_of_bits, form=form)}
            found.put(_checked(source, item, number, readers))
        found.add(name, number)
    labels = ""
    if later:
        deciding, labels = _readers_for(source, [item for _, item in later.values()], form)
        found.replace(
            {text: _checked(source, item, n, deciding) for text, (n, item) in later.items()}
        )
    _note_signs(source, signs)
    return found.reading("jsonl", labels=labels)


def _readers_for(
    source: Source, items: Sequence[dict[str, Any]], form: str | None
) -> tuple[_Readers, str]:
    """Return the reader of objects, chosen by all labels and spans, and the kind of labels."""
    labels = [item["labels"] for item in items if isinstance(item.get("labels"), list)]
    named = form if form in {*LABEL_FORMS, *BIT_FORMS} else None
    label_form = named or _form_of_labels(source, labels)
    plain = {label for text in labels for label in text if isinstance(label, str | int)}
    if label_form == "bio":
        label_form = bio_form(plain)
    note_labels(source, plain, label_form, told=named is None)
    spans = [item["spans"] for item in items if isinstance(item.get("spans"), list)]
    first = _first_unit(source, spans, form)
    readers: _Readers = {
        **_READERS,
        "bits": partial(_of_bits, form=form),
        "labels": partial(_of_labels, form=label_form),
        "spans": partial(_of_spans, form=form, first=first),
    }
    return readers, label_form if labels else ""


def _form_of_labels(source: Source, texts: Sequence[list[Any]]) -> str:
    """Tell whether labels are BIO labels or names, by those of all texts; refuse 0s and 1s."""
    flat = [label for labels in texts for label in labels]
    kinds = {label for label in flat if isinstance(label, str | int)}
    if flat and kinds <= {0, 1, "0", "1"} and len(kinds) == len(set(map(str, kinds))) == 2:
        raise source.error(
            "has labels of 0 and 1, which may be names of which a run makes a segment, or say "
            "where segments begin or end; name the spelling: "
            + " or ".join(remedy(f"from {way}") for way in ("labels", "begin-bits", "end-bits"))
        )
    if len(kinds) < len(set(map(repr, flat))) or not may_be_bio(kinds):
        return "labels"
    if not all(map(is_sound_bio, texts)):
        raise source.error(
            "has labels that may be BIO labels, but do not follow each other as these do, or "
            f"names of which a run makes a segment; name the spelling: {remedy('from bio')} or "
            f"{remedy('from labels')}"
        )
    return "bio"


def _first_unit(source: Source, texts: Sequence[list[Any]], form: str | None) -> int:
    """Return the number of the first unit of spans; of named ones it may be 1, if it always is."""
    known = [spans for spans in texts if spans and all(map(_is_span, spans))]
    if form is None and known and all(len(spans) == 1 for spans in known):
        kind = f"spans of one segment, taken as half-open (else: {remedy('from inclusive-spans')})"
        source.notes.add(kind, source.path)
    if form not in SPAN_FORMS or not known or any(spans[0][0] != 1 for spans in known):
        return 0
    source.notes.add("spans that count units from 1", source.path)
    return 1


def _is_span(span: object) -> bool:
    return isinstance(span, list) and len(span) == 2 and all(map(_whole, span))


def _note_signs(source: Source, signs: Sequence[Sequence[Any]]) -> None:
    """Note bits that may as well be one a unit."""
    if signs and (
        all(str(each[0]) == "1" for each in signs) or all(str(each[-1]) == "1" for each in signs)
    ):
        ways = f"{remedy('from begin-bits')} or {remedy('from end-bits')}"
        kind = f'"bits" that all begin or end with 1, taken as n-1 of n units (one a unit: {ways})'
        source.notes.add(kind, source.path)


def _check_keys(source: Source, line: str, number: int) -> None:
    """Refuse an object that has a key twice of those that are read."""
    keys = [key for key, _ in json.loads(line, object_pairs_hook=list)]
    twice = next((key for key in ("id", "n", *_READERS) if keys.count(key) > 1), None)
    if twice is not None:
        raise source.error(f'has "{twice}" {keys.count(twice)} times; want it once', number)


def _lines(source: Source) -> Iterator[tuple[int, str]]:
    """Yield the lines and their numbers; a file in UTF-8 is not held as a whole."""
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
    except json.JSONDecodeError as error:
        return source.error(
            f"is not JSON: {error.msg} (column {error.colno}); want one object a line", number
        )
    except (ValueError, RecursionError) as error:
        return source.error(beyond_limits(error), number)
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


def _checked(source: Source, item: dict[str, Any], number: int, readers: _Readers) -> Segmentation:
    """Read an object in any spelling, and check it."""
    held = [key for key in readers if item.get(key) is not None]
    if not held:
        wanted = ", ".join(f'"{key}"' for key in _READERS)
        raise source.error(
            f'has no segmentation; want one of {wanted}, as {{"masses": [5, 3]}}', number
        )
    try:
        found = {key: readers[key](item) for key in held}
    except SegmentationError as error:
        raise source.error(str(error), number) from None
    # Types say the most: the others have none.
    best = "types" if "types" in found else held[0]
    n = item.get("n")
    if n is not None and (not _whole(n) or n != found[best].n):
        raise source.error(f'has "n" {n!r:.40} and {found[best].n} units: want the same', number)
    for key, other in found.items():
        if other.masses.tolist() != found[best].masses.tolist():
            raise source.error(
                f'has "{best}" and "{key}" that differ: want the same, or one', number
            )
    return found[best]


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


def _of_masses(item: dict[str, Any]) -> Segmentation:
    return Segmentation(_wholes(item, "masses"))


def _of_bits(item: dict[str, Any], form: str | None = None) -> Segmentation:
    bits, form = item["bits"], form if form in BIT_FORMS else "bits"
    if not isinstance(bits, str | list):
        raise SegmentationError(f'has "bits" {bits!r:.40}: want a string of n-1 signs, or a list')
    if form == "bits" and item.get("n") == len(bits):
        ways = f"{remedy('from begin-bits')} or {remedy('from end-bits')}"
        raise SegmentationError(
            f'has "n" {item["n"]} and as many "bits": want n-1, or what they say of units ({ways})'
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
    # Python takes 1, 1.0 and true for equal, which would make one segment of them.
    if not set(map(type, labels)) <= {str, int}:
        wrong = next(label for label in labels if type(label) not in {str, int})
        raise SegmentationError(f'has {wrong!r:.40} in "labels": want texts or whole numbers')
    if form in LABEL_FORMS:
        return Segmentation.from_labels(labels, form=form)
    wrong = next((label for label in labels if str(label) not in {"0", "1"}), None)
    if wrong is not None:
        raise SegmentationError(f'has {wrong!r:.40} in "labels": {form} want 0s and 1s')
    return Segmentation.from_bits("".join(map(str, labels)), form=form)


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
    for k, found in enumerate(sets):
        if not isinstance(found, list | None):
            raise SegmentationError(f"the types of place {k} are {found!r:.40}: want a list")
        wrong = [kind for kind in found or [] if not (_whole(kind) or isinstance(kind, str))]
        if wrong:
            raise SegmentationError(
                f"a type of place {k} is {wrong[0]!r:.40}: want texts or whole numbers"
            )
    return Segmentation.from_types([found or [] for found in sets])


_Readers = dict[str, Callable[[dict[str, Any]], Segmentation]]
_READERS: _Readers = {
    "masses": _of_masses,
    "bits": _of_bits,
    "boundaries": _of_boundaries,
    "labels": _of_labels,
    "spans": _of_spans,
    "types": _of_types,
}
