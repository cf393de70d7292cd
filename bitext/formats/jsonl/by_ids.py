"""Reading JSON lines by identifiers: checking objects, collecting columns, building bitexts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate, chain, groupby
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from bitext.errors import remedy
from bitext.formats.beads import AttributeColumns
from bitext.formats.io.source import Source
from bitext.formats.jsonl.by_texts import Block, Line
from bitext.formats.line_files import MOST_SEGMENTS, first_repeat
from bitext.formats.positions import line_prefix, natural_ranks, over_positions
from bitext.formats.registry import OWN_TEXTS, ReadOptions
from bitext.formats.scores import known_scores
from bitext.kernels.arrays import Bools, Ints, Rows, distinct, prefix
from bitext.model import Alignment, Bitext, Text

# Checking objects, and turning them into columns.
#
# Objects are checked in blocks: the types and lengths of all values show that all are valid. Where
# any may be invalid, they are checked one by one.

SIDES = ("src", "tgt")
_RARE = ("size", "order")

# The keys of an object by identifiers; any other is an attribute.
ID_KEYS = frozenset({"src", "tgt", "score", "translation", "document"}).union(
    f"{side}_{suffix}"
    for side in SIDES
    for suffix in ("text", "segments", "size", "lang", "marked", "order")
)

_LIST, _TEXT, _SCORE = ({kind, type(None)} for kind in (list, str, float))
_NAME = {str, int}


def are_plain(block: Block) -> bool:
    """Check whether the types of all values show that the objects are valid and not empty.

    The check is conservative: an object for which it fails may still be valid.
    """
    keys, given = block.keys, [block.values(side) for side in SIDES]
    # The value of an object that lacks a key is `None`, too.
    if any(None in lists for lists in given) and not all(map({*SIDES}.issubset, block.objects)):
        return False
    if not all(set(map(type, lists)) <= _LIST for lists in given):
        return False
    filled = [all(lists) for lists in given]
    if not any(filled) and not all(src or tgt for src, tgt in zip(*given, strict=True)):
        return False
    for side, lists, are_filled in zip(SIDES, given, filled, strict=True):
        # Identifiers are strings or integers, each at most once in an object.
        if not set(map(type, chain.from_iterable(filter(None, lists)))) <= _NAME:
            return False
        several = lists if max(map(len, filter(None, lists)), default=0) > 1 else ()
        if any(len(set(names_of(ids))) < len(ids) for ids in several if ids and len(ids) > 1):
            return False
        texts = block.values(f"{side}_text")
        if not set(map(type, texts)) <= _TEXT:
            return False
        if not are_filled and any(text and not ids for text, ids in zip(texts, lists, strict=True)):
            return False
        listed = keys.keys() & {f"{side}_segments", f"{side}_marked"}
        if listed and any(
            _flaw_of_lists(side, each, len(each[side] or ()))
            for each in block.objects
            if not listed.isdisjoint(each)
        ):
            return False
    return all(
        key not in keys or set(map(type, block.values(key))) <= kinds
        for key, kinds in (("score", _SCORE), ("document", _TEXT))
    )


def is_sound(source: Source, line: Line) -> bool:
    """Check an object; refuse an invalid one, or return False where errors are collected.

    Raises `FormatError` when the object is invalid, and bad units are not collected.
    """
    number, item = line
    flaw = "" if isinstance(item.get("document"), str | None) else _DOCUMENT.format(item)
    for side in SIDES:
        flaw = flaw or _flaw(side, item, item[side] or [])
    if flaw:
        source.refuse(flaw, number)
    return not flaw


_DOCUMENT = "has the document {0[document]!r:.40}; want its name"


def _flaw(side: str, item: dict[str, Any], given: list[Any]) -> str:
    """Return the error of one side of an object; empty for none."""
    if not all(type(x) in _NAME for x in given):
        return f"has {given!r:.40} as its {side}; want a list of identifiers"
    ids = names_of(given)
    if len(set(ids)) < len(ids):
        return f"has {first_repeat(ids)[:40]!r} twice in its {side}; want each segment once"
    text = item.get(f"{side}_text")
    if not isinstance(text, str | None):
        return f"has {text!r:.40} as its {side}_text; want a text"
    return _flaw_of_lists(side, item, len(ids))


def _flaw_of_lists(side: str, item: dict[str, Any], size: int) -> str:
    for suffix in ("segments", "marked"):
        value = item.get(f"{side}_{suffix}")
        if not isinstance(value, list | None):
            return f"has {value!r:.40} as its {side}_{suffix}; want a list of texts"
    segments, marked = (item.get(f"{side}_{suffix}") for suffix in ("segments", "marked"))
    if segments is None and size == 0 and item.get(f"{side}_text"):
        segments = [item[f"{side}_text"]]
    for given, kinds, noun, wanted in (
        (segments, str, "texts", "a text"),
        (marked, str | None, "marked texts", "a text or null"),
    ):
        if given is not None and (
            len(given) != size or not all(isinstance(each, kinds) for each in given)
        ):
            return f"has {size} {side} and the {noun} {given!r:.40}; want {wanted} for each"
    return ""


def names_of(given: Iterable[str | int]) -> list[str]:
    """Return identifiers as strings."""
    return [x if isinstance(x, str) else str(x) for x in given]


class _ColumnSide:
    """One side of some objects, as columns.

    `names` are the identifiers of all objects, concatenated; `sizes` are the numbers of identifiers
    of each object, and `texts` has the text of each object. `segments` has the texts of single
    segments, and `marked` the segments with inline codes, both by the index of the objects that
    list any.
    """

    def __init__(self, side: str, block: Block) -> None:
        given = [ids or () for ids in block.values(side)]
        names = list(chain.from_iterable(given))
        self.names: list[str] = names if set(map(type, names)) <= {str} else names_of(names)
        self.sizes = list(map(len, given))
        self.texts: list[str | None] = block.values(f"{side}_text")
        self.segments: dict[int, list[str]] = _sparse(f"{side}_segments", block)
        self.marked: dict[int, list[str | None]] = _sparse(f"{side}_marked", block)

    def extend(self, other: _ColumnSide) -> None:
        """Append the columns of other objects."""
        before = len(self.sizes)
        self.names += other.names
        self.sizes += other.sizes
        self.texts += other.texts
        self.segments |= {before + k: value for k, value in other.segments.items()}
        self.marked |= {before + k: value for k, value in other.marked.items()}

    def taken(self, count: int) -> _ColumnSide:
        """Remove the first objects; return them."""
        out = object.__new__(_ColumnSide)
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
    """Valid objects, as columns.

    `lines` and `scores` have the line and the score of each object. `rare` has line, key and value
    of keys that concern the whole document, which few objects have; `attributes` are the values of
    further keys.
    """

    def __init__(self, source: Source, block: Block) -> None:
        self.lines = list(block.numbers)
        self.sides = (_ColumnSide("src", block), _ColumnSide("tgt", block))
        rare = block.keys.keys() & {f"{side}_{what}" for side in SIDES for what in _RARE}
        self.rare: list[tuple[int, str, Any]] = [
            (number, key, item[key])
            for key in rare
            for number, item in block.lines()
            if key in item
        ]
        for side, columns in zip(SIDES, self.sides, strict=True):
            for k, segments in columns.segments.items():
                text = columns.texts[k]
                if text and text != " ".join(segments) and _bare(text) != _bare("".join(segments)):
                    kind = f"{side}_text that differs from {side}_segments, which are read"
                    source.note(f"{kind} (without these the text is)", line=self.lines[k])
        self.scores = block.scores()
        self.attributes = AttributeColumns(source)
        self.attributes.extend(0, block.attributes(source, ID_KEYS))

    def __len__(self) -> int:
        return len(self.lines)

    def extend(self, other: Objects) -> None:
        """Append other objects."""
        line = other.lines[0] if other.lines else None
        self.attributes.extend(len(self), other.attributes.whole(len(other), line), line)
        self.lines += other.lines
        self.scores += other.scores
        self.rare += other.rare
        for side, new in zip(self.sides, other.sides, strict=True):
            side.extend(new)

    def taken(self, count: int) -> Objects:
        """Remove the first objects; return them."""
        out = object.__new__(Objects)
        out.lines, self.lines = self.lines[:count], self.lines[count:]
        out.scores, self.scores = self.scores[:count], self.scores[count:]
        out.attributes = self.attributes.cut(count)
        last = out.lines[-1]
        out.rare = [each for each in self.rare if each[0] <= last]
        self.rare = [each for each in self.rare if each[0] > last]
        out.sides = (self.sides[0].taken(count), self.sides[1].taken(count))
        return out


def _bare(text: str) -> str:
    return "".join(text.split())


def _sparse(key: str, block: Block) -> dict[int, Any]:
    """Return the values of a key by the indices of the objects that have it."""
    if key not in block.keys:
        return {}
    return {k: value for k, value in enumerate(block.values(key)) if value is not None}


def _cut(values: dict[int, Any], count: int) -> tuple[dict[int, Any], dict[int, Any]]:
    """Split values by object into those of the first objects and of the others, renumbered."""
    if not values:
        return {}, {}
    first = {k: value for k, value in values.items() if k < count}
    return first, {k - count: value for k, value in values.items() if k >= count}


_MOST_POSITION = 10**12  # above any position; keeps integers within 64 bits


def positions(names: list[str], begin: int = 0) -> list[int] | None:
    """Convert identifiers to positions; return `None` where any is not a position.

    It is faster where they go on from `begin`, as in most files.

    Examples
    --------
    >>> positions(["0", "12"]), positions(["0", "012"]), positions(["s1"])
    ([0, 12], None, None)

    """
    counted = range(begin, begin + len(names))
    if names and names[-1] == f"{counted[-1]}" and names == list(map(str, counted)):
        return list(counted)
    try:
        numbers = list(map(int, names))
    except ValueError:
        return None
    if numbers and not 0 <= min(numbers) <= max(numbers) < _MOST_POSITION:
        return None
    return numbers if list(map(str, numbers)) == names else None


def identified_bitext(
    source: Source,
    options: ReadOptions,
    objects: Objects,
    *,
    langs: tuple[str, str] = ("", ""),
    part: tuple[list[int], list[int]] | None = None,
) -> Bitext:
    """Build the bitext of one document, or of a part of one.

    If the objects have no texts, the identifiers are looked up in the texts that the alignment
    is read over, if there are any. The identifiers of a part are positions in the document, which
    `part` has as numbers.

    Raises `FormatError` when objects contradict each other, with the line of one.
    """
    src, tgt = (
        _DocumentSide(source, k, objects, lang, None if part is None else part[k])
        for k, lang in enumerate(langs)
    )
    given = options.src, options.tgt
    over = [
        known if text is None else _with_line_ids(text, side.names)
        for known, text, side in zip(
            (options.over_src, options.over_tgt), given, objects.sides, strict=True
        )
    ]
    if not (src.has_text or tgt.has_text):
        src.base = tgt.base = _base(source, objects, over)
    texts = src.text(over[0]), tgt.text(over[1])
    if any(text and side.has_text for text, side in zip(given, (src, tgt), strict=True)):
        source.note(OWN_TEXTS)
    rows = src.rows(texts[0]), tgt.rows(texts[1])
    if (texts[0] is None) != (texts[1] is None):  # positions on one side, identifiers on the other
        texts = (
            src.over_given(texts[0], given[0], rows[0]),
            tgt.over_given(texts[1], given[1], rows[1]),
        )
    columns = objects.attributes.whole(len(objects), objects.lines[0] if objects.lines else None)
    alignment = Alignment.from_arrays(
        rows[0], rows[1], scores=known_scores(objects.scores), attributes=columns
    )
    lines = objects.lines if options.lines else None
    if texts == (None, None):
        return over_positions(source, alignment, options, lambda k: objects.lines[k], lines=lines)
    return Bitext(
        texts[0],
        texts[1],
        alignment,
        name=options.name,
        notes=source.notes.drain(),
        lines=None if lines is None else np.array(lines, dtype=np.int64),
    )


def _with_line_ids(text: Text, names: list[str]) -> Text:
    """Return a text with identifiers for the lines that `names` number from 1, as `s12`.

    A text with identifiers stays as it is, and so does one into which positions or other names
    point.
    """
    if text.has_ids or not text.has_text or all(map(str.isdecimal, names)):
        return text
    letters = line_prefix(list(dict.fromkeys(names)))
    if letters is None:
        return text
    return text.with_ids(f"{letters}{k}" for k in range(1, len(text) + 1))


def _base(source: Source, objects: Objects, texts: Sequence[Text | None]) -> int:
    """Return the number of the first segment where identifiers are positions; note what is unclear.

    It is 1 if no position is 0, and the last on each side lies just behind its text.
    """
    ends: list[tuple[int, int]] = []
    for text, side in zip(texts, objects.sides, strict=True):
        if text is None or text.has_ids or not text.has_text or objects.rare:
            return 0
        numbers = positions(side.names)
        if not numbers or not min(numbers):
            return 0
        ends.append((max(numbers), len(text)))
    if all(last == size for last, size in ends):
        kind = "files read as counting from 1, since no position is 0 and the last lies behind"
        source.note(f"{kind} the text")
        return 1
    kind = "files without a position 0, read as counting from 0"
    source.note(f"{kind} (if they count from 1, take 1 from each position)")
    return 0


class _DocumentSide:
    """One side of a document, or of a part: its identifiers, and the texts of its segments."""

    def __init__(
        self, source: Source, which: int, objects: Objects, lang: str, part: list[int] | None
    ) -> None:
        self._source, self._objects, self._lang = source, objects, lang
        self._key, self._given = SIDES[which], objects.sides[which]
        self.base = 0  # the number of the first segment, where identifiers are positions
        # Whether the identifiers are 0, 1, 2 and so on, or go on so in a part, as in most files.
        names = self._given.names
        if part is not None:
            self._is_counted = part == list(range(part[0], part[0] + len(part))) if part else True
        elif self._rare("size") or self._rare("order"):
            self._is_counted = False
        else:
            self._is_counted = names == list(map(str, range(len(names))))
        self._known: dict[str, str] = {}
        self._marked: dict[str, str] = {}
        self.has_text = False  # whether any object has text, be it that of an empty side
        self._in_step = False  # whether object k has the text of segment k
        self._is_once = False  # whether each identifier is known to stand once
        self._collect()
        self._part: NDArray[np.intp] | None = None  # the index in the part of each position
        self._size: int | None = None
        if part is None:
            self._order, self._size = self._in_order()
        elif self._is_counted:
            self._order, self._part = names, np.arange(len(names))
        else:
            members, self._part = np.unique(np.array(part, np.int64), return_inverse=True)
            self._order = list(map(str, members.tolist()))

    def _collect(self) -> None:
        """Collect the text of each segment; texts of several segments joined come last."""
        side = self._given
        self.has_text = bool(side.segments) or any(text is not None for text in side.texts)
        single = side.sizes.count(1) == len(side.sizes)
        self._collect_marks()
        if not (side.segments or None in side.texts) and single:
            self._in_step = self._is_counted
            if self._in_step:
                return
            self._known = dict(zip(side.names, side.texts, strict=True))  # type: ignore[arg-type]
            self._is_once = len(self._known) == len(side.names)
            if self._is_once:
                return
        known: dict[str, str] = {}
        self._known = known
        joined = []
        begin = 0
        for k, (size, text) in enumerate(zip(side.sizes, side.texts, strict=True)):
            end = begin + size
            if k in side.segments:
                self._add_segments(k, side.names[begin:end], side.segments[k])
            elif text is not None and size == 1:
                if known.setdefault(side.names[begin], text) != text:
                    self._add_segments(k, [side.names[begin]], [text])
            elif text is not None and size:
                joined.append((k, side.names[begin:end], text))
            begin = end
        for k, ids, text in joined:
            self._add_joined(k, ids, text)

    def _collect_marks(self) -> None:
        if self._given.marked:
            rows = self._given.rows()
            for k, marks in self._given.marked.items():
                pairs = zip(rows[k], marks, strict=True)
                self._marked.update((name, marked) for name, marked in pairs if marked)

    def _add_segments(self, k: int, ids: list[str], segments: list[str]) -> None:
        for name, segment in zip(ids, segments, strict=True):
            before = self._known.setdefault(name, segment)
            if before != segment:
                raise self._source.error(
                    f"has the text {segment[:40]!r} for {self._key} {name[:40]!r}, which is "
                    f"{before[:40]!r} on a line before; want one text for one identifier",
                    self._objects.lines[k],
                )

    def _add_joined(self, k: int, ids: list[str], text: str) -> None:
        """Check the joined text of several segments; if they are new, give it to the first."""
        known = [name for name in ids if name in self._known]
        number = self._objects.lines[k]
        if not known:
            kind = f"{self._key}_text of several segments, taken as the first of them"
            self._source.note(kind, line=number)
            self._known |= dict.fromkeys(ids, "") | {ids[0]: text}
        elif len(known) < len(ids) or " ".join(self._known[name] for name in ids) != text:
            raise self._source.error(
                f"has a {self._key}_text that does not go with the texts of {known[0][:40]!r} on "
                f"other lines; give {self._key}_segments, one text for each identifier",
                number,
            )

    def _in_order(self) -> tuple[list[str], int | None]:
        """Return the identifiers in the order of the text, and its size if they are positions."""
        if self._is_counted:
            return self._given.names, len(self._given.names)
        order = self._given.names if self._is_once else list(dict.fromkeys(self._given.names))
        listed = self._listed_order(order)
        numbers = None if listed else positions(order)
        numeric = numbers is not None
        order = [name for name in order if name not in listed] if listed else order
        if numbers is not None:
            in_order = sorted(numbers)
            order = order if in_order == numbers else list(map(str, in_order))
        elif (ranks := natural_ranks(order)) is not None and (np.diff(ranks) < 0).any():
            order = [order[k] for k in np.argsort(ranks).tolist()]
        sizes = self._rare("size")
        if not sizes:
            size = len(order) if numeric and self._fits(order, len(order)) else None
            return [*order, *listed], size
        number, size = sizes[-1]
        if type(size) is not int or not 0 <= size <= MOST_SEGMENTS:
            raise self._source.error(
                f"has {size!r:.40} as its {self._key}_size; want a number of segments, at most "
                f"{MOST_SEGMENTS}",
                number,
            )
        if not numeric or not self._fits(order, size):
            raise self._source.error(
                f"says by {self._key}_size that the identifiers are positions below {size}, but "
                f"one is {[*order, *listed][-1][:40]!r}; want 0 to {size - 1}",
                number,
            )
        return order, size

    def _rare(self, suffix: str) -> list[tuple[int, Any]]:
        """Return the values of a key that concerns the whole document, with their lines."""
        wanted = f"{self._key}_{suffix}"
        return [(number, value) for number, key, value in self._objects.rare if key == wanted]

    def _listed_order(self, order: list[str]) -> dict[str, None]:
        """Return the identifiers in `src_order` or `tgt_order`; the others come before them."""
        listed: dict[str, None] = {}
        for number, given in self._rare("order"):
            if given is None:
                continue
            names = [str(name) for name in given] if isinstance(given, list) else []
            if not names or len(set(names)) < len(names) or not listed.keys().isdisjoint(names):
                raise self._source.error(
                    f"has {given!r:.40} as its {self._key}_order; want a list of identifiers, "
                    f"each once",
                    number,
                )
            listed |= dict.fromkeys(names)
        if not listed:
            return {}
        named = set(order)
        return {name: None for name in listed if name in named}

    @staticmethod
    def _fits(order: list[str], size: int) -> bool:
        return not order or int(order[-1]) < size

    def text(self, over: Text | None) -> Text | None:
        """Return the text of the identifiers; `None` if only their positions are known."""
        if self.has_text or self._part is not None:
            return self._own_text()
        # Identifiers that are known by links only, as of a gold standard, may be some of those that
        # the text has: they limit no other file.
        by_links = over is not None and over.has_ids and not over.has_text
        if over is not None and not by_links and (self._size is None or over.has_ids):
            return over
        if self._size is not None and not by_links:
            return None
        if blanks := [name for name in self._order if " " in name]:
            kind = "identifiers with blanks, as texts have (src_text and tgt_text hold texts)"
            at = self._line_of(self._given.names.index(blanks[0]))
            self._source.note(kind, f"{blanks[0][:40]!r}", line=at, count=len(blanks))
        return Text.of_ids(self._order, name=self._source.path, lang=self._lang)

    def _own_text(self) -> Text:
        given, order = self._given.texts, self._order
        in_step = self._in_step or (self._is_once and order is self._given.names)
        texts = given if in_step else list(map(self._known.get, order))
        if None in texts:
            lacking = self._order[texts.index(None)]
            raise self._source.error(
                f"has no text of {self._key} {lacking[:40]!r}, and other lines have texts; "
                f"give {self._key}_text on all lines, or on none",
                self._line_of(self._given.names.index(lacking)),
            )
        path = self._source.path
        names = self._order
        if self._size is not None and self._size != len(names):
            names = list(map(str, range(self._size)))
            texts = [self._known.get(name, "") for name in names]
            if len(self._known) < self._size:
                gap = next(name for name in names if name not in self._known)
                self._source.notes.add(
                    f"{self._key} segments in no bisegment, taken as empty",
                    f"{path}: segment {gap}",
                    self._size - len(self._known),
                )
        return Text(
            cast("list[str]", texts),
            ids=names if self._size is None and self._part is None else None,
            name=path,
            lang=self._lang,
            marked=[self._marked.get(name) for name in names] if self._marked else None,
        )

    def _line_of(self, at: int) -> int:
        """Return the line of the object with the identifier at an index of all identifiers."""
        borders = prefix(np.array(self._given.sizes, dtype=np.int64))
        return self._objects.lines[int(np.searchsorted(borders, at, side="right")) - 1]

    def over_given(self, known: Text | None, given: Text | None, rows: Rows) -> Text | None:
        """Return the known text, or the given one into which positions point."""
        if known is not None or given is None:
            return known
        beyond = np.flatnonzero(rows.idx >= len(given))
        if beyond.size:
            at = int(beyond[0])
            raise self._source.error(
                f"names {self._key} segment {rows.idx[at]}, and {given.name or 'the text'} has "
                f"{len(given):,}; give the text that was aligned",
                self._line_of(at),
            )
        return given

    def rows(self, text: Text | None) -> Rows:
        """Return the indices of the segments of each bisegment in the text."""
        borders = prefix(np.array(self._given.sizes, dtype=np.int64))
        names = self._given.names
        if self._part is not None:
            return Rows(borders, self._part)
        if self._size is not None and (text is None or not text.has_ids):
            if self._is_counted:
                return Rows(borders, np.arange(len(names)))
            return Rows(borders, np.array(list(map(int, names)), dtype=np.int64))
        if text is not None and text.has_ids and names == text.ids:  # the usual case
            return Rows(borders, np.arange(len(names)))
        if self.base:
            names = [str(int(name) - self.base) for name in names]
        index = text.index_of_ids if text is not None else {}
        indices = list(map(index.get, names))
        if None in indices:
            at = indices.index(None)
            where = text.name if text is not None and text.name else "the text"
            raise self._source.error(
                f"names {self._key} {names[at][:40]!r}, which {where} has not; give the text that "
                f"was aligned",
                self._line_of(at),
            )
        return Rows(borders, np.array(indices, dtype=np.int64))


# Splitting documents into parts.
#
# A document can be split after an object if the objects up to it have, on both sides, exactly the
# positions from the last split on: then no segment of a part occurs again later, and the order of
# the segments is known. Files written in order can be split after almost every object. A document
# whose segments have names, or no texts, or are partly in no bisegment (`src_size`), is read as a
# whole.


def document_bitexts(
    source: Source, options: ReadOptions, blocks: Iterable[Block]
) -> Iterator[Bitext]:
    """Yield the bitext of each document, or its parts, where the options allow these.

    A document without a name takes the name in the options.
    """
    document: _Document | None = None
    for block in blocks:
        for name, own in _by_document(block):
            if document is None or name != document.name:
                if document is not None:
                    if (options.src, options.tgt) != (None, None) and name != document.name:
                        raise source.error(
                            f"goes on with another document, {name!r:.40}, and the texts that are "
                            f"named ({remedy('src', 'tgt')}) are of one: divide the file",
                            own.numbers[0],
                        )
                    yield from document.rest()
                document = _Document(source, options, name, own.objects[0])
            yield from document.add(own)
    if document is not None:
        yield from document.rest()


def _by_document(block: Block) -> Iterator[tuple[str | None, Block]]:
    """Yield the runs of objects of one document, with its name."""
    if set(block.values("document")) <= {None}:
        yield None, block
        return
    for name, lines in groupby(block.lines(), key=lambda line: line[1].get("document")):
        yield name, Block.of_lines(list(lines))


class _Document:
    """Collects the objects of a document, and splits it into parts where possible."""

    def __init__(
        self, source: Source, options: ReadOptions, name: str | None, first: dict[str, Any]
    ) -> None:
        self.name = name
        self._source = source
        self._options = options if name is None else replace(options, name=name)
        langs = (first.get(f"{side}_lang") for side in SIDES)
        src, tgt = (lang if isinstance(lang, str) else "" for lang in langs)
        self._langs = src, tgt
        self._begun = False
        self._next = [0, 0]  # the position after the last yielded part, by side
        self._may_cut = options.parts and all(
            f"{side}_size" not in first and {f"{side}_text", f"{side}_segments"} & first.keys()
            for side in SIDES
        )
        self._tried = 0  # the number of objects at the last failed attempt to split
        self._waiting: Objects | None = None
        # the positions of the waiting objects, if the document may be split
        self._members: tuple[list[int], list[int]] = ([], [])

    def add(self, block: Block) -> Iterator[Bitext]:
        """Add objects; yield a part where the document can be split."""
        new = Objects(self._source, block)
        numbers = []
        if self._may_cut:
            begins = [own[-1] + 1 if own else 0 for own in self._members]
            numbers = [positions(new.sides[k].names, begin) for k, begin in enumerate(begins)]
        if None in numbers and self._begun:
            admitted = list(filter(self._admits, block.lines()))
            new = Objects(self._source, Block.of_lines(admitted))
            numbers = [positions(side.names) for side in new.sides]
        self._may_cut = self._may_cut and None not in numbers
        for members, more in zip(self._members, numbers, strict=False):
            members += more or ()
        if self._waiting is None:
            self._waiting = new
        else:
            self._waiting.extend(new)
        cut = self._cut(self._waiting) if self._may_cut else 0
        if cut:
            yield self._part(self._waiting, cut)

    def _admits(self, line: Line) -> bool:
        """Check that an object goes by positions, as all in earlier parts do; refuse others."""
        names = names_of(name for side in SIDES for name in line[1][side] or ())
        wrong = next((name for name in names if positions([name]) is None), None)
        if wrong is not None:
            self._source.refuse(
                f"names the segment {wrong[:40]!r}, and the lines before go by positions, as "
                f"'0'; want positions in all of the document, or in none of it",
                line[0],
            )
        return wrong is None

    def _cut(self, waiting: Objects) -> int:
        """Return the number of first objects that can be yielded as a part."""
        # Doubling the number after a failed attempt keeps the cost of all attempts linear.
        if len(waiting) < max(self._options.part_size, 2 * self._tried):
            return 0
        closed = np.ones(len(waiting), dtype=np.bool_)
        for side, numbers, begin in zip(waiting.sides, self._members, self._next, strict=True):
            members, sizes = np.array(numbers, np.int64), np.array(side.sizes, np.int64)
            closed &= _closed(members, sizes, begin)
        ends = np.flatnonzero(closed)
        self._tried = 0 if ends.size else len(waiting)
        return int(ends[-1]) + 1 if ends.size else 0

    def _part(self, waiting: Objects, count: int) -> Bitext:
        """Return the first of the waiting objects as a part."""
        objects = waiting.taken(count)
        sizes = [len(side.names) for side in objects.sides]
        src, tgt = (own[:size] for own, size in zip(self._members, sizes, strict=True))
        for which, (numbers, members) in enumerate(zip(self._members, (src, tgt), strict=True)):
            del numbers[: len(members)]
            self._advance(which, members, objects.lines)
        source, options, langs = self._source, self._options, self._langs
        bitext = identified_bitext(source, options, objects, langs=langs, part=(src, tgt))
        begun, self._begun = self._begun, True
        return replace(bitext, continues=begun)

    def _advance(self, which: int, members: list[int], lines: list[int]) -> None:
        """Advance to the position after these objects; note repeated and missing positions."""
        side, before = SIDES[which], self._next[which]
        used = distinct(np.array(members, dtype=np.int64))
        new = used[used >= before]
        self._next[which] = int(new[-1]) + 1 if new.size else before
        place = f"{self._source.path} lines {lines[0]} to {lines[-1]}"
        if new.size < used.size:
            kind = f"{side} segments of a part before, taken as further segments"
            self._source.notes.add(kind, f"{place}: segment {used[0]}", used.size - new.size)
        lacking = self._next[which] - before - new.size
        if lacking:
            gap = before + int(np.flatnonzero(np.append(np.diff(new), 0) != 1)[0]) + 1
            gap = gap if new[0] == before else before
            kind = f"{side} positions in no bisegment, left out"
            self._source.notes.add(kind, f"{place}: segment {gap}", lacking)

    def rest(self) -> Iterator[Bitext]:
        """Yield the bitext of the remaining objects: the document, or its last part."""
        waiting = self._waiting
        if waiting is None or (self._begun and not len(waiting)):
            return
        if self._begun:
            yield self._part(waiting, len(waiting))
        else:
            yield identified_bitext(self._source, self._options, waiting, langs=self._langs)


def _closed(members: Ints, sizes: Ints, begin: int) -> Bools:
    """Return a mask of the rows up to which the positions are those from `begin` on, gapless."""
    row = np.repeat(np.arange(sizes.size), sizes)
    new = members >= begin
    highest = np.full(sizes.size, begin - 1, dtype=np.int64)
    np.maximum.at(highest, row[new], members[new])
    highest = np.maximum.accumulate(highest)
    _, first = np.unique(members[new], return_index=True)
    count = np.cumsum(np.bincount(row[new][first], minlength=sizes.size))
    gapless: Bools = highest + 1 - begin == count
    return gapless
