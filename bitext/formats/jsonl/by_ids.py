"""The objects of `jsonl` that name segments by identifiers: from columns to a bitext."""

from __future__ import annotations

from dataclasses import replace
from itertools import accumulate, chain, groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from bitext.formats.beads import AttributeColumns
from bitext.formats.jsonl.by_texts import keys_of, object_attributes, object_scores, values_of
from bitext.formats.line_files import MOST_SEGMENTS, PART, first_repeat, known_scores
from bitext.formats.reading import over_positions
from bitext.formats.xces.reading import natural_ranks
from bitext.kernels.rows import Rows, prefix
from bitext.model import Alignment, Bitext, Text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, KeysView

    from numpy.typing import NDArray

    from bitext.formats.io.source import Source
    from bitext.formats.jsonl.by_texts import Line
    from bitext.formats.registry import ReadOptions

__all__ = [
    "ID_KEYS",
    "SIDES",
    "Objects",
    "are_plain",
    "document_bitexts",
    "identified_bitext",
    "is_sound",
    "names_of",
    "positions",
]


# The objects of `jsonl` that name segments by identifiers: checked, and turned into columns.
#
# Objects are looked at some thousand at a time: where all of them are as they should be, that
# shows in the types of their values and their lengths. Where any may not be, they are looked at
# one by one.

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


class _ColumnSide:
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

    def extend(self, other: _ColumnSide) -> None:
        """Put what other objects say behind."""
        before = len(self.sizes)
        self.names += other.names
        self.sizes += other.sizes
        self.texts += other.texts
        self.segments |= {before + k: value for k, value in other.segments.items()}
        self.marked |= {before + k: value for k, value in other.marked.items()}

    def taken(self, count: int) -> _ColumnSide:
        """Take the first objects out."""
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
        self.sides = (_ColumnSide("src", found, keys), _ColumnSide("tgt", found, keys))
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


_MOST = 10**12  # no position is as high


def positions(names: list[str]) -> list[int] | None:
    """Return the positions that identifiers are; `None` where any is none.

    Examples
    --------
    >>> positions(["0", "12"]), positions(["0", "012"]), positions(["s1"])
    ([0, 12], None, None)

    """
    try:
        found = list(map(int, names))
    except ValueError:
        return None
    if found and not 0 <= min(found) <= max(found) < _MOST:
        return None
    return found if list(map(str, found)) == names else None


def identified_bitext(
    source: Source,
    options: ReadOptions,
    objects: Objects,
    *,
    langs: tuple[str, str] = ("", ""),
    part: tuple[list[int], list[int]] | None = None,
) -> Bitext:
    """Make the bitext of one document, or of a part of one.

    Where the characters are not known, the identifiers are looked up in the texts that the
    alignment is read over, if there are any. Those of a part are positions in the document, which
    `part` has as numbers.

    Raises
    ------
    FormatError
        When objects do not go together, with the line of one.

    """
    src, tgt = (
        _Side(source, k, objects, lang, None if part is None else part[k])
        for k, lang in enumerate(langs)
    )
    texts = src.text(options.over_src), tgt.text(options.over_tgt)
    rows = src.rows(texts[0]), tgt.rows(texts[1])
    columns = objects.attributes.whole(len(objects), objects.lines[0] if objects.lines else None)
    alignment = Alignment.from_arrays(
        rows[0], rows[1], scores=known_scores(objects.scores), attributes=columns
    )
    places = objects.lines if options.lines else None
    if texts == (None, None):
        return over_positions(source, alignment, options, lambda k: objects.lines[k], lines=places)
    return Bitext(
        texts[0],
        texts[1],
        alignment,
        name=options.name,
        notes=source.notes.drain(),
        lines=None if places is None else np.array(places, dtype=np.int64),
    )


class _Side:
    """One side of all bisegments: identifiers, and what the objects say of their characters."""

    def __init__(
        self, source: Source, which: int, objects: Objects, lang: str, part: list[int] | None
    ) -> None:
        self._source, self._objects, self._lang = source, objects, lang
        self._key, self._given = SIDES[which], objects.sides[which]
        self._known: dict[str, str] = {}
        self._marked: dict[str, str] = {}
        self._told = False  # whether any object has characters, if only of an empty side
        self._collect()
        self._part: NDArray[np.intp] | None = None  # the place of each position in the part
        if part is not None:
            self._size: int | None = None
            members, self._part = np.unique(np.array(part, np.int64), return_inverse=True)
            self._order = list(map(str, members.tolist()))
        else:
            self._order, self._size = self._in_order()

    def _collect(self) -> None:
        """Gather the characters of each segment; first where the objects tell them apart."""
        side = self._given
        self._told = bool(side.segments) or any(text is not None for text in side.texts)
        if not (side.segments or None in side.texts) and side.sizes.count(1) == len(side.sizes):
            self._known = dict(zip(side.names, side.texts, strict=True))  # type: ignore[arg-type]
            if len(self._known) == len(side.names):
                self._collect_marks()
                return
        known: dict[str, str] = {}
        self._known = known
        joined = []
        begin = 0
        for k, (size, text) in enumerate(zip(side.sizes, side.texts, strict=True)):
            end = begin + size
            if k in side.segments:
                self._learn(k, side.names[begin:end], side.segments[k])
            elif text is not None and size == 1:
                if known.setdefault(side.names[begin], text) != text:
                    self._learn(k, [side.names[begin]], [text])
            elif text is not None and size:
                joined.append((k, side.names[begin:end], text))
            begin = end
        for k, ids, text in joined:
            self._learn_joined(k, ids, text)
        self._collect_marks()

    def _collect_marks(self) -> None:
        if self._given.marked:
            rows = self._given.rows()
            for k, marks in self._given.marked.items():
                found = zip(rows[k], marks, strict=True)
                self._marked.update((name, marked) for name, marked in found if marked)

    def _learn(self, k: int, ids: list[str], segments: list[str]) -> None:
        for name, segment in zip(ids, segments, strict=True):
            before = self._known.setdefault(name, segment)
            if before != segment:
                raise self._source.error(
                    f"has the text {segment[:40]!r} for {self._key} {name[:40]!r}, which is "
                    f"{before[:40]!r} on a line before; want one text for one identifier",
                    self._objects.lines[k],
                )

    def _learn_joined(self, k: int, ids: list[str], text: str) -> None:
        """Check, or distribute as well as can be, the text of several segments in one."""
        known = [name for name in ids if name in self._known]
        number = self._objects.lines[k]
        if not known:
            kind = f"{self._key}_text of several segments, taken as the first of them"
            self._source.notes.add(kind, f"{self._source.path} line {number}")
            self._known |= dict.fromkeys(ids, "") | {ids[0]: text}
        elif len(known) < len(ids) or " ".join(self._known[name] for name in ids) != text:
            raise self._source.error(
                f"has a {self._key}_text that does not go with the texts of {known[0][:40]!r} on "
                f"other lines; give {self._key}_segments, one text for each identifier",
                number,
            )

    def _in_order(self) -> tuple[list[str], int | None]:
        """Return the identifiers in the order of the text, and its size if they are positions."""
        order = list(dict.fromkeys(self._given.names))
        told = self._told_order(order)
        found = None if told else positions(order)
        numeric = found is not None
        order = [name for name in order if name not in told] if told else order
        if found is not None:
            order = list(map(str, sorted(found)))
        elif (ranks := natural_ranks(order)) is not None:
            order = [order[k] for k in np.argsort(ranks).tolist()]
        sizes = self._rare("size")
        if not sizes:
            size = len(order) if numeric and self._fits(order, len(order)) else None
            return [*order, *told], size
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
                f"one is {[*order, *told][-1][:40]!r}; want 0 to {size - 1}",
                number,
            )
        return order, size

    def _rare(self, what: str) -> list[tuple[int, Any]]:
        """Return what few objects say of all of the document, with their lines."""
        wanted = f"{self._key}_{what}"
        return [(number, value) for number, key, value in self._objects.rare if key == wanted]

    def _told_order(self, order: list[str]) -> dict[str, None]:
        """Return the identifiers whose order the objects tell; the others come before them."""
        told: dict[str, None] = {}
        for number, given in self._rare("order"):
            if given is None:
                continue
            names = [str(name) for name in given] if isinstance(given, list) else []
            if not names or len(set(names)) < len(names) or not told.keys().isdisjoint(names):
                raise self._source.error(
                    f"has {given!r:.40} as its {self._key}_order; want a list of identifiers, "
                    f"each once",
                    number,
                )
            told |= dict.fromkeys(names)
        if not told:
            return {}
        named = set(order)
        return {name: None for name in told if name in named}

    @staticmethod
    def _fits(order: list[str], size: int) -> bool:
        return not order or int(order[-1]) < size

    def text(self, over: Text | None) -> Text | None:
        """Return the text that the identifiers stand for, as far as it is known."""
        if self._told or self._part is not None:
            return self._own_text()
        if over is not None and (self._size is None or over.has_ids):
            return over
        if self._size is not None:
            return None
        return Text.of_ids(self._order, name=self._source.path, lang=self._lang)

    def _own_text(self) -> Text:
        lacking = next((name for name in self._order if name not in self._known), None)
        if lacking is not None:
            raise self._source.error(
                f"has no text of {self._key} {lacking[:40]!r}, and other lines have texts; "
                f"give {self._key}_text on all lines, or on none",
                self._line_of(self._given.names.index(lacking)),
            )
        path = self._source.path
        names = self._order
        if self._size is not None:
            names = list(map(str, range(self._size)))
            if len(self._known) < self._size:
                gap = next(name for name in names if name not in self._known)
                self._source.notes.add(
                    f"{self._key} segments in no bisegment, taken as empty",
                    f"{path}: segment {gap}",
                    self._size - len(self._known),
                )
        return Text(
            [self._known.get(name, "") for name in names],
            ids=names if self._size is None and self._part is None else None,
            name=path,
            lang=self._lang,
            marked=[self._marked.get(name) for name in names] if self._marked else None,
        )

    def _line_of(self, at: int) -> int:
        """Return the line of the object that has an identifier, by the place of that."""
        borders = prefix(np.array(self._given.sizes, dtype=np.int64))
        return self._objects.lines[int(np.searchsorted(borders, at, side="right")) - 1]

    def rows(self, text: Text | None) -> Rows:
        """Return the indices of the segments of each bisegment in the text."""
        borders = prefix(np.array(self._given.sizes, dtype=np.int64))
        names = self._given.names
        if self._part is not None:
            return Rows(borders, self._part)
        if self._size is not None and (text is None or not text.has_ids):
            return Rows(borders, np.array(list(map(int, names)), dtype=np.int64))
        index = text.index_of_ids if text is not None else {}
        found = list(map(index.get, names))
        if None in found:
            at = found.index(None)
            where = text.name if text is not None and text.name else "the text"
            raise self._source.error(
                f"names {self._key} {names[at][:40]!r}, which {where} has not; give the text that "
                f"was aligned",
                self._line_of(at),
            )
        return Rows(borders, np.array(found, dtype=np.int64))


# Documents of `jsonl` by identifiers, in parts: where a document can be cut, and where it cannot.
#
# A document can be cut behind an object if the objects up to it have, on both sides, just the
# positions from the last cut on: nothing of what was handed out comes again later, and the order
# of the segments is known. Files written in order can be cut behind almost every object. A
# document whose segments have names, no texts, or are in no bisegment in part (`src_size`), is
# read whole.


def document_bitexts(
    source: Source, options: ReadOptions, blocks: Iterable[list[Line]]
) -> Iterator[Bitext]:
    """Yield the bitext of each document, or its parts, where these are wanted and can be made.

    Parameters
    ----------
    source : Source
        The file.
    options : ReadOptions
        Say the name of a document without one, and whether parts are wanted.
    blocks : iterable of list of Line
        The objects, some at a time, which are sound.

    """
    document: _Document | None = None
    for block in blocks:
        for name, lines in _by_document(block):
            if document is None or name != document.name:
                if document is not None:
                    yield from document.rest()
                document = _Document(source, options, name, lines[0][1])
            yield from document.add(lines)
    if document is not None:
        yield from document.rest()


def _by_document(block: list[Line]) -> Iterator[tuple[str | None, list[Line]]]:
    """Yield the objects of one document that follow each other, with its name."""
    names = set(values_of([found for _, found in block], "document"))
    if names == {None}:
        yield None, block
        return
    for name, lines in groupby(block, key=lambda line: line[1].get("document")):
        yield name, list(lines)


class _Document:
    """A document that is read.

    Attributes
    ----------
    name : str or None
        Its name in the file.

    """

    def __init__(
        self, source: Source, options: ReadOptions, name: str | None, first: dict[str, Any]
    ) -> None:
        self.name = name
        self._source = source
        self._options = options if name is None else replace(options, name=name)
        langs = [first.get(f"{side}_lang") for side in SIDES]
        self._langs = tuple(lang if isinstance(lang, str) else "" for lang in langs)
        self._begun = False
        self._next = [0, 0]  # the position behind all that is handed out
        self._may_cut = options.parts and all(
            f"{side}_size" not in first and {f"{side}_text", f"{side}_segments"} & first.keys()
            for side in SIDES
        )
        self._tried = 0  # how many objects could not be cut
        self._waiting: Objects | None = None
        self._members: tuple[list[int], list[int]] = ([], [])  # their positions, if it may be cut

    def add(self, lines: list[Line]) -> Iterator[Bitext]:
        """Take objects; yield a part where one can be made."""
        new = Objects(self._source, lines)
        found = [positions(side.names) for side in new.sides] if self._may_cut else []
        if None in found and self._begun:
            new = Objects(self._source, [line for line in lines if self._admits(line)])
            found = [positions(side.names) for side in new.sides]
        self._may_cut = self._may_cut and None not in found
        for members, more in zip(self._members, found, strict=False):
            members += more or ()
        if self._waiting is None:
            self._waiting = new
        else:
            self._waiting.extend(new)
        cut = self._cut(self._waiting) if self._may_cut else 0
        if cut:
            yield self._part(self._waiting, cut)

    def _admits(self, line: Line) -> bool:
        """Tell whether an object goes by positions, as those that were handed out; refuse it."""
        names = names_of(name for side in SIDES for name in line[1][side] or ())
        odd = next((name for name in names if positions([name]) is None), None)
        if odd is not None:
            self._source.refuse(
                f"names the segment {odd[:40]!r}, and the lines before go by positions, as "
                f"'0'; want positions in all of the document, or in none of it",
                line[0],
            )
        return odd is None

    def _cut(self, waiting: Objects) -> int:
        """Return how many objects, from the front, can be handed out as a part."""
        if len(waiting) < max(PART, 2 * self._tried):
            return 0
        closed = np.ones(len(waiting), dtype=np.bool_)
        for side, found, begin in zip(waiting.sides, self._members, self._next, strict=True):
            members, sizes = np.array(found, np.int64), np.array(side.sizes, np.int64)
            closed &= _closed(members, sizes, begin)
        ends = np.flatnonzero(closed)
        self._tried = 0 if ends.size else len(waiting)
        return int(ends[-1]) + 1 if ends.size else 0

    def _part(self, waiting: Objects, count: int) -> Bitext:
        """Return the first of the waiting objects as a part."""
        objects = waiting.taken(count)
        sizes = [len(side.names) for side in objects.sides]
        taken = [found[:size] for found, size in zip(self._members, sizes, strict=True)]
        for found, size in zip(self._members, sizes, strict=True):
            del found[:size]
        for k, members in enumerate(taken):
            self._step(k, members, objects.lines)
        bitext = identified_bitext(
            self._source,
            self._options,
            objects,
            langs=(self._langs[0], self._langs[1]),
            part=(taken[0], taken[1]),
        )
        begun, self._begun = self._begun, True
        return replace(bitext, continues=begun)

    def _step(self, which: int, members: list[int], lines: list[int]) -> None:
        """Go on to the position behind these objects; note what is not just in order."""
        side, before = SIDES[which], self._next[which]
        held = np.unique(np.array(members, dtype=np.int64))
        new = held[held >= before]
        self._next[which] = int(new[-1]) + 1 if new.size else before
        place = f"{self._source.path} lines {lines[0]} to {lines[-1]}"
        if new.size < held.size:
            kind = f"{side} segments of a part before, taken as further segments"
            self._source.notes.add(kind, f"{place}: segment {held[0]}", held.size - new.size)
        lacking = self._next[which] - before - new.size
        if lacking:
            gap = before + int(np.flatnonzero(np.append(np.diff(new), 0) != 1)[0]) + 1
            gap = gap if new[0] == before else before
            kind = f"{side} positions in no bisegment, left out"
            self._source.notes.add(kind, f"{place}: segment {gap}", lacking)

    def rest(self) -> Iterator[Bitext]:
        """Yield the objects that are left: all of the document, or its last part."""
        waiting = self._waiting
        if waiting is None or (self._begun and not len(waiting)):
            return
        if self._begun:
            yield self._part(waiting, len(waiting))
            return
        langs = (self._langs[0], self._langs[1])
        yield identified_bitext(self._source, self._options, waiting, langs=langs)


def _closed(members: NDArray[np.int64], sizes: NDArray[np.int64], begin: int) -> NDArray[np.bool_]:
    """Tell behind which rows the positions so far are those from `begin` on, without a gap."""
    row = np.repeat(np.arange(sizes.size), sizes)
    new = members >= begin
    highest = np.full(sizes.size, begin - 1, dtype=np.int64)
    np.maximum.at(highest, row[new], members[new])
    highest = np.maximum.accumulate(highest)
    _, first = np.unique(members[new], return_index=True)
    count = np.cumsum(np.bincount(row[new][first], minlength=sizes.size))
    found: NDArray[np.bool_] = highest + 1 - begin == count
    return found
