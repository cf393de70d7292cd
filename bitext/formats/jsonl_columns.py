"""The objects of `jsonl` that name segments by identifiers: checked, and turned into columns.

Objects are looked at some thousand at a time: where all of them are as they should be, that shows
in the types of their values and their lengths. Where any may not be, they are looked at one by one.
"""

from __future__ import annotations

from itertools import accumulate, chain
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from bitext.formats.attribute_columns import AttributeColumns
from bitext.formats.jsonl_texts import keys_of, object_attributes, object_scores, values_of
from bitext.formats.lines import first_repeat

if TYPE_CHECKING:
    from collections.abc import Iterable, KeysView

    from bitext.formats.jsonl_texts import Line
    from bitext.formats.opening import Source

__all__ = ["ID_KEYS", "SIDES", "Objects", "are_plain", "is_sound", "names_of"]


SIDES = ("src", "tgt")
_RARE = ("size", "order")

# The keys of an object that names segments; any other is an attribute.
ID_KEYS = frozenset({"src", "tgt", "score", "translation", "document"}).union(
    f"{side}_{what}"
    for side in SIDES
    for what in ("text", "segments", "size", "lang", "marked", "order")
)

_LIST, _TEXT, _SCORE = ({kind, type(None)} for kind in (list, str, float))
_NAME = {str, int}


def are_plain(found: list[dict[str, Any]]) -> bool:
    """Tell whether objects are sound, and name a segment each, by what all of them have alike.

    Where it is not told so, some may still be sound.
    """
    keys = keys_of(found)
    try:
        given = [list(map(itemgetter(side), found)) for side in SIDES]
    except KeyError:
        return False
    if not all(set(map(type, lists)) <= _LIST for lists in given) or not all(
        src or tgt for src, tgt in zip(*given, strict=True)
    ):
        return False
    for side, lists in zip(SIDES, given, strict=True):
        if not set(map(type, chain.from_iterable(filter(None, lists)))) <= _NAME:
            return False
        if any(len(set(names_of(ids))) < len(ids) for ids in lists if ids and len(ids) > 1):
            return False
        texts = values_of(found, f"{side}_text")
        if not set(map(type, texts)) <= _TEXT:
            return False
        if any(text and not ids for text, ids in zip(texts, lists, strict=True)):
            return False
        listed = keys & {f"{side}_segments", f"{side}_marked"}
        if listed and any(
            _flaw_of_lists(side, each, len(each[side] or ()))
            for each in found
            if not listed.isdisjoint(each)
        ):
            return False
    return all(
        key not in keys or set(map(type, values_of(found, key))) <= kinds
        for key, kinds in (("score", _SCORE), ("document", _TEXT))
    )


def is_sound(source: Source, line: Line) -> bool:
    """Tell whether an object can be taken by itself; refuse it otherwise.

    Raises
    ------
    FormatError
        When it cannot, and bad units are not collected.

    """
    number, found = line
    flaw = "" if isinstance(found.get("document"), str | None) else _DOCUMENT.format(found)
    for side in SIDES:
        flaw = flaw or _flaw(side, found, found[side] or [])
    if flaw:
        source.refuse(flaw, number)
    return not flaw


_DOCUMENT = "has the document {0[document]!r:.40}; want its name"


def _flaw(side: str, found: dict[str, Any], given: list[Any]) -> str:
    """Say what is wrong with one side of an object; empty when nothing is."""
    if not all(type(x) in _NAME for x in given):
        return f"has {given!r:.40} as its {side}; want a list of identifiers"
    ids = names_of(given)
    if len(set(ids)) < len(ids):
        return f"has {first_repeat(ids)[:40]!r} twice in its {side}; want each segment once"
    text = found.get(f"{side}_text")
    if not isinstance(text, str | None):
        return f"has {text!r:.40} as its {side}_text; want a text"
    return _flaw_of_lists(side, found, len(ids))


def _flaw_of_lists(side: str, found: dict[str, Any], size: int) -> str:
    for what in ("segments", "marked"):
        value = found.get(f"{side}_{what}")
        if not isinstance(value, list | None):
            return f"has {value!r:.40} as its {side}_{what}; want a list of texts"
    segments = found.get(f"{side}_segments")
    if segments is None and size == 0 and found.get(f"{side}_text"):
        segments = [found[f"{side}_text"]]
    if segments is not None and (
        len(segments) != size or not all(isinstance(x, str) for x in segments)
    ):
        return f"has {size} {side} and the texts {segments!r:.40}; want a text for each"
    marked = found.get(f"{side}_marked")
    if marked is not None and (
        len(marked) != size or not all(isinstance(x, str | None) for x in marked)
    ):
        return (
            f"has {size} {side} and the marked texts {marked!r:.40}; want a text or null for each"
        )
    return ""


def names_of(given: Iterable[str | int]) -> list[str]:
    """Return identifiers as texts."""
    return [x if isinstance(x, str) else str(x) for x in given]


class _Side:
    """What objects say of one side.

    Attributes
    ----------
    names : list of str
        The identifiers of all of them, one after another.
    sizes : list of int
        How many each object has.
    texts : list of str or None
        The text of each object.
    segments : dict of int to list of str
        The texts of the segments of those objects that tell them apart.
    marked : dict of int to list of str or None
        The segments with inline marks, of those that have any.

    """

    def __init__(self, side: str, found: list[dict[str, Any]], keys: KeysView[str]) -> None:
        given = [ids or () for ids in values_of(found, side)]
        names = list(chain.from_iterable(given))
        self.names: list[str] = names if set(map(type, names)) <= {str} else names_of(names)
        self.sizes = list(map(len, given))
        self.texts: list[str | None] = values_of(found, f"{side}_text")
        self.segments: dict[int, list[str]] = _sparse(f"{side}_segments", found, keys)
        self.marked: dict[int, list[str | None]] = _sparse(f"{side}_marked", found, keys)

    def extend(self, other: _Side) -> None:
        """Put what other objects say behind."""
        before = len(self.sizes)
        self.names += other.names
        self.sizes += other.sizes
        self.texts += other.texts
        self.segments |= {before + k: value for k, value in other.segments.items()}
        self.marked |= {before + k: value for k, value in other.marked.items()}

    def taken(self, count: int) -> _Side:
        """Take the first objects out."""
        out = object.__new__(_Side)
        size = sum(self.sizes[:count])
        out.names, self.names = self.names[:size], self.names[size:]
        out.sizes, self.sizes = self.sizes[:count], self.sizes[count:]
        out.texts, self.texts = self.texts[:count], self.texts[count:]
        out.segments, self.segments = _cut(self.segments, count)
        out.marked, self.marked = _cut(self.marked, count)
        return out

    def rows(self) -> list[list[str]]:
        """Return the identifiers of each object."""
        ends = list(accumulate(self.sizes))
        return [self.names[e - size : e] for e, size in zip(ends, self.sizes, strict=True)]


class Objects:
    """Sound objects, as columns.

    Attributes
    ----------
    lines : list of int
        The line of each.
    sides : pair of sides
        What they say of their two sides.
    rare : list of (int, str, object)
        The object, the key and the value of what few of them say of all of the document.
    scores : list of float
        Their scores.
    attributes : AttributeColumns
        The values of their further keys.

    """

    def __init__(self, source: Source, lines: list[Line]) -> None:
        found = [each for _, each in lines]
        keys = keys_of(found)
        self.lines = [number for number, _ in lines]
        self.sides = (_Side("src", found, keys), _Side("tgt", found, keys))
        rare = keys & {f"{side}_{what}" for side in SIDES for what in _RARE}
        self.rare: list[tuple[int, str, Any]] = [
            (number, key, each[key]) for key in rare for number, each in lines if key in each
        ]
        self.scores = object_scores(found)
        self.attributes = AttributeColumns(source)
        self.attributes.extend(0, object_attributes(source, lines, ID_KEYS))

    def __len__(self) -> int:
        return len(self.lines)

    def extend(self, other: Objects) -> None:
        """Put other objects behind these."""
        line = other.lines[0] if other.lines else None
        self.attributes.extend(len(self), other.attributes.whole(len(other), line), line)
        self.lines += other.lines
        self.scores += other.scores
        self.rare += other.rare
        for side, new in zip(self.sides, other.sides, strict=True):
            side.extend(new)

    def taken(self, count: int) -> Objects:
        """Take the first objects out."""
        out = object.__new__(Objects)
        out.lines, self.lines = self.lines[:count], self.lines[count:]
        out.scores, self.scores = self.scores[:count], self.scores[count:]
        out.attributes = self.attributes.cut(count)
        last = out.lines[-1]
        out.rare = [each for each in self.rare if each[0] <= last]
        self.rare = [each for each in self.rare if each[0] > last]
        out.sides = (self.sides[0].taken(count), self.sides[1].taken(count))
        return out


def _sparse(key: str, found: list[dict[str, Any]], keys: KeysView[str]) -> dict[int, Any]:
    """Return the values of a key by the objects that have it."""
    if key not in keys:
        return {}
    values = values_of(found, key)
    return {k: value for k, value in enumerate(values) if value is not None}


def _cut(values: dict[int, Any], count: int) -> tuple[dict[int, Any], dict[int, Any]]:
    """Return the values of the first objects, and those of the others, counted anew."""
    if not values:
        return {}, {}
    first = {k: value for k, value in values.items() if k < count}
    return first, {k - count: value for k, value in values.items() if k >= count}
