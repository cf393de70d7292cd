"""Segmentations in JSON lines: one object a text.

    {"id": "t1", "masses": [5, 5, 1, 3]}
    {"id": "t2", "bits": "0000100001100"}
    {"id": "t3", "boundaries": [5, 10, 11], "n": 14}
    {"id": "t4", "labels": ["a", "a", "b"]}
    {"id": "t5", "spans": [[0, 5], [5, 10]]}
    {"id": "t6", "types": [[], [1], [1, 2]]}

`types` are those of each of the n-1 potential boundaries, empty for none. Where an object has
several of these they have to say the same, and `n` has to be the number of units. Other keys are
left aside.
"""

from __future__ import annotations

import codecs
import json
from typing import TYPE_CHECKING, Any

from bitext.errors import SegmentationError
from bitext.formats.encodings import name_encoding
from bitext.formats.segmentation_reading import Collected, Reading
from bitext.model import Segmentation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bitext.formats.opening import Source

__all__ = ["read_objects"]

_PLAIN = {"id", "masses"}
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def read_objects(source: Source) -> Reading:
    """Read the texts of a file, line by line.

    The usual line, `id` and `masses`, is put into the arrays as it is, and checked there for all
    texts at once; any other goes through `Segmentation`.
    """
    found = Collected(source)
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
                found.put(_checked(source, item, number))
        else:
            found.put(_checked(source, item, number))
        found.add(name, number)
    return found.reading("jsonl")


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
        return source.error(f"is JSON beyond all limits: {error}", number)
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


def _checked(source: Source, item: dict[str, Any], number: int) -> Segmentation:
    """Read an object in any spelling, and check it."""
    held = [key for key in _READERS if item.get(key) is not None]
    if not held:
        wanted = ", ".join(f'"{key}"' for key in _READERS)
        raise source.error(
            f'has no segmentation; want one of {wanted}, as {{"masses": [5, 3]}}', number
        )
    try:
        found = {key: _READERS[key](item) for key in held}
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


def _of_bits(item: dict[str, Any]) -> Segmentation:
    if not isinstance(item["bits"], str):
        raise SegmentationError(f'has "bits" {item["bits"]!r:.40}: want a string of n-1 signs')
    return Segmentation.from_bits(item["bits"])


def _of_boundaries(item: dict[str, Any]) -> Segmentation:
    n = item.get("n")
    if n is None or not _whole(n) or not 0 < n < 1 << 62:
        raise SegmentationError(
            f'has "boundaries" and "n" {n!r:.40}: want the number of units as "n"'
        )
    return Segmentation.from_boundaries(_wholes(item, "boundaries"), n)


def _of_labels(item: dict[str, Any]) -> Segmentation:
    labels = _list(item, "labels")
    # Python takes 1, 1.0 and true for equal, which would make one segment of them.
    if not set(map(type, labels)) <= {str, int}:
        wrong = next(label for label in labels if type(label) not in {str, int})
        raise SegmentationError(f'has {wrong!r:.40} in "labels": want texts or whole numbers')
    return Segmentation.from_labels(labels)


def _of_spans(item: dict[str, Any]) -> Segmentation:
    spans = _list(item, "spans")
    for k, span in enumerate(spans):
        if not (isinstance(span, list) and len(span) == 2 and all(map(_whole, span))):
            raise SegmentationError(f"span {k} is {span!r:.40}: want [start, end]")
    return Segmentation.from_spans(spans)


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


_READERS: dict[str, Callable[[dict[str, Any]], Segmentation]] = {
    "masses": _of_masses,
    "bits": _of_bits,
    "boundaries": _of_boundaries,
    "labels": _of_labels,
    "spans": _of_spans,
    "types": _of_types,
}
