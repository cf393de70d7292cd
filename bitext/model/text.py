"""One side of a bitext: segments in order, on one character line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from copy import copy
from dataclasses import dataclass
from io import IOBase
from itertools import pairwise
from operator import index
from sys import getrefcount
from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike

from bitext.errors import InputError, check_list, many
from bitext.kernels.arrays import Floats, Frozen, Ints, index_within, put
from bitext.model.segmentation import Segmentation

_SEPARATOR = "\n"
_ONE_EACH = "a list with one for each segment"
_SAMPLED_STRINGS = 100  # strings of a text that show whether other objects have them
_AT_ONCE = 1 << 14  # spans of segments that are Python's integers at once: memory only
_BOOKS = (
    "GEN EXO LEV NUM DEU JOS JDG RUT 1SA 2SA 1KI 2KI 1CH 2CH EZR NEH EST JOB PSA PRO ECC SNG ISA "
    "JER LAM EZK DAN HOS JOL AMO OBA JON MIC NAM HAB ZEP HAG ZEC MAL MAT MRK LUK JHN ACT ROM 1CO "
    "2CO GAL EPH PHP COL 1TH 2TH 1TI 2TI TIT PHM HEB JAS 1PE 2PE 1JN 2JN 3JN JUD REV"
)
BIBLE_BOOKS = tuple(_BOOKS.split())
"""The books of the Bible in their usual order, as labels of verses name them (`GEN 3:16`)."""
BLOCK_KINDS = ("heading", "paragraph", "item", "cell", "note", "verse")


@dataclass(frozen=True, slots=True)
class Blocks:
    """The blocks of the document that a text comes from: headings, paragraphs, items, cells.

    Blocks say how a text is laid out, for books; paragraphs of a text say where alignments may be
    divided. A block reaches up to the first segment of the next.

    Attributes
    ----------
    begins : tuple of int
        The index of the first segment of each block: 0, and then increasing.
    kinds : tuple of str
        The kind of each block, one of `BLOCK_KINDS`.
    levels : tuple of int
        The level of each heading or depth of each list item, from 1; the column of each cell of a
        table, from 1, or 0 if it is not known; 0 for other kinds.
    langs : tuple of str
        The language of each block, where the document declares one of its own; else empty.
    title : str
        The title of the document, where it declares one.
    labels : tuple of str
        The label of each block, else empty: the reference of a verse, as `3:16` or `GEN 3:16`, the
        name of a note in the document, or the number of an item of a list as it is shown, as `3.`
        (a no-break space for its further blocks). No strings: no block has any.

    Raises
    ------
    InputError
        When the tuples are not equally long, the beginnings do not increase from 0, or a kind is
        not known.

    Examples
    --------
    >>> blocks = Blocks((0, 1), ("heading", "paragraph"), (1, 0), ("", "la"))
    >>> blocks.select(np.array([2, 3])).kinds
    ('paragraph',)

    """

    begins: tuple[int, ...]
    kinds: tuple[str, ...]
    levels: tuple[int, ...]
    langs: tuple[str, ...]
    title: str = ""
    labels: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        sizes = [len(self.begins), len(self.kinds), len(self.levels), len(self.langs)]
        if len(set(sizes)) > 1:
            raise InputError(
                f"{sizes[0]} beginnings, {sizes[1]} kinds, {sizes[2]} levels and {sizes[3]} "
                f"languages of blocks: want one each a block"
            )
        if self.labels and len(self.labels) != sizes[0]:
            raise InputError(f"{len(self.labels)} labels for {sizes[0]} blocks: want one each")
        if sizes[0] and (self.begins[0] or not all(a < b for a, b in pairwise(self.begins))):
            raise InputError(
                f"the blocks begin at {self.begins!r:.60}: want 0, then increasing indices"
            )
        if unknown := set(self.kinds) - set(BLOCK_KINDS):
            raise InputError(
                f"a block is a {min(unknown)!r}: want one of the kinds {', '.join(BLOCK_KINDS)}"
            )

    @classmethod
    def of_paragraphs(cls, begins: Iterable[int]) -> Blocks:
        """Return blocks that are all paragraphs, by their first segments except for the first's 0.

        Examples
        --------
        >>> Blocks.of_paragraphs([2]).begins
        (0, 2)

        """
        firsts = (0, *begins)
        size = len(firsts)
        return cls(firsts, ("paragraph",) * size, (0,) * size, ("",) * size)

    def select(self, places: Ints) -> Blocks:
        """Return the blocks of the segments at increasing `places`; blocks without any are dropped.

        The segments are counted again from 0.
        """
        numbers = np.searchsorted(np.array(self.begins, dtype=np.int64), places, side="right") - 1
        first = np.flatnonzero(np.diff(numbers, prepend=-1))
        chosen = numbers[first].tolist()
        return Blocks(
            tuple(first.tolist()),
            tuple(self.kinds[k] for k in chosen),
            tuple(self.levels[k] for k in chosen),
            tuple(self.langs[k] for k in chosen),
            self.title,
            tuple(self.labels[k] for k in chosen) if self.labels else (),
        )

    def __len__(self) -> int:
        return len(self.begins)


@dataclass(frozen=True, slots=True)
class Segment:
    """A segment of a text, created on access.

    Attributes
    ----------
    index : int
        Its index among the segments, from 0.
    id : str
        Its identifier; the index in decimal where the text has no identifiers of its own.
    text : str or None
        Its characters; `None` when the text has identifiers only.
    start, end : int
        Its half-open span on the character line of the text; both 0 without characters.

    """

    index: int
    id: str
    text: str | None
    start: int
    end: int


class Text(Frozen):
    """Segments in order, each with an id, its characters and its span on one character line.

    The characters are one string with two arrays of offsets, so that a million segments cost little
    more than their characters; a `Segment` is a view, created on access. Two texts are
    equal when their segments have equal ids and characters.

    Parameters
    ----------
    segments : iterable of str
        The characters of each segment. An empty string is a segment without characters. Of an open
        file, its lines without their ends.
    ids : iterable of str, optional
        One identifier a segment, all different. Default: the indices 0, 1, ... in decimal.
    name, lang : str, optional
        The origin of the text, as the user knows it, and its language code.
    paragraphs : Segmentation, optional
        The paragraphs, as a segmentation of the segments.
    marked : sequence of (str or None), optional
        The XML content of segments with inline codes, as in a TMX `seg` (`bpt`, `ept`, `it`, `ph`,
        `hi`, `sub`); `None` for a segment without. The characters of a segment with codes are those
        outside of the codes.
    times : array of float64, shape (segments, 2), optional
        The start and the end of each segment in seconds, as of the cues of subtitles; `nan` where
        they are not known.
    blocks : Blocks, optional
        The blocks of the document that the text comes from.

    Raises
    ------
    InputError
        When a segment is not a string, the ids are too few, too many or repeated, the paragraphs
        are no segmentation of the segments, a time is infinite or ends before it starts, or a
        block begins beyond the segments.

    Examples
    --------
    >>> text = Text(["He came.", "He saw."], ids=["s1", "s2"])
    >>> len(text), text[1].text, text.index("s2")
    (2, 'He saw.', 1)

    """

    __slots__ = (
        "_ends",
        "_facts",
        "_ids",
        "_index",
        "_line",
        "_segments",
        "_starts",
        "blocks",
        "lang",
        "marked",
        "name",
        "paragraphs",
        "times",
    )

    name: str
    lang: str
    paragraphs: Segmentation | None
    marked: Sequence[str | None] | None
    times: Floats | None
    blocks: Blocks | None
    _facts: dict[Callable[[Sequence[str]], bool], bool]
    _ids: list[str] | None
    _index: dict[str, int] | None
    # The segments as given, until the line is first used: a text that is only passed on needs none.
    _segments: list[str] | None
    _line: str | None
    _starts: Ints
    _ends: Ints

    def __init__(
        self,
        segments: Iterable[str],
        *,
        ids: Iterable[str] | None = None,
        name: str = "",
        lang: str = "",
        paragraphs: Segmentation | None = None,
        marked: Sequence[str | None] | None = None,
        times: ArrayLike | None = None,
        blocks: Blocks | None = None,
    ) -> None:
        if isinstance(segments, str):
            raise InputError("a text is made of a list of segments, not of one string: [...]")
        if isinstance(segments, AbstractSet | Mapping):
            raise InputError("a text is made of a list of segments, and a set or dict has no order")
        if not isinstance(segments, Iterable) or getattr(segments, "ndim", 1) != 1:
            # A table of several columns would give their names.
            kind = type(segments).__name__
            raise InputError(f"the segments are of type {kind}: want a list of them, or one column")
        parts = list(segments)
        if not set(map(type, parts)) <= {str}:
            for k, part in enumerate(parts):
                if not isinstance(part, str):
                    raise InputError(f"segment {k} is not a string but {part!r:.60}")
        if isinstance(segments, IOBase):
            parts = [line.removesuffix("\n") for line in parts]
        no_offsets = np.zeros(0, dtype=np.int64)
        self._fill(
            None,
            no_offsets,
            no_offsets,
            len(parts),
            ids,
            name,
            lang,
            paragraphs,
            marked,
            blocks,
            parts,
        )
        put(self, "times", _checked_times(times, len(parts)))

    @classmethod
    def from_offsets(
        cls,
        line: str,
        starts: ArrayLike,
        ends: ArrayLike,
        *,
        ids: Iterable[str] | None = None,
        name: str = "",
        lang: str = "",
        paragraphs: Segmentation | None = None,
        marked: Sequence[str | None] | None = None,
        times: ArrayLike | None = None,
        blocks: Blocks | None = None,
    ) -> Text:
        """Make a text of one string and the half-open spans of its segments, in order.

        Raises
        ------
        InputError
            When spans overlap, run backwards or go beyond the line.

        """
        spans = np.asarray(starts), np.asarray(ends)
        if any(array.size and array.dtype.kind not in "iu" for array in spans):
            raise InputError(f"the spans are {spans[0].dtype} and {spans[1].dtype}: want integers")
        first, last = (array.astype(np.int64) for array in spans)
        if first.shape != last.shape or first.ndim != 1:
            raise InputError(f"{first.size} starts and {last.size} ends: want one each a segment")
        flat = np.stack([first, last], axis=1).ravel()
        faults = np.flatnonzero(np.diff(flat, prepend=0, append=len(line)) < 0)
        if faults.size:
            k = min(int(faults[0]) // 2, first.size - 1)
            raise InputError(
                f"segment {k} has the span {first[k]}-{last[k]}: want spans in order, "
                f"without overlap, within 0-{len(line)}"
            )
        text = cls.__new__(cls)
        size = len(first)
        text._fill(line, first, last, size, ids, name, lang, paragraphs, marked, blocks)  # noqa: SLF001
        put(text, "times", _checked_times(times, size))
        return text

    @classmethod
    def of_ids(cls, ids: Iterable[str], *, name: str = "", lang: str = "") -> Text:
        """Make a text of identifiers of segments, without characters."""
        if not isinstance(ids, str):  # whose characters are ids
            check_list("the ids", ids, _ONE_EACH)
        id_list = list(ids)
        text = cls.__new__(cls)
        none = np.zeros(len(id_list), dtype=np.int64)
        text._fill(None, none, none, len(id_list), id_list, name, lang, None, None, None)  # noqa: SLF001
        return text

    def _fill(
        self,
        line: str | None,
        starts: Ints,
        ends: Ints,
        size: int,
        ids: Iterable[str] | None,
        name: str,
        lang: str,
        paragraphs: Segmentation | None,
        marked: Sequence[str | None] | None,
        blocks: Blocks | None,
        segments: list[str] | None = None,
    ) -> None:
        starts.flags.writeable = ends.flags.writeable = False
        for noun, column in (("the ids", ids), ("the marked segments", marked)):
            if column is not None:
                check_list(noun, column, _ONE_EACH)
        id_list = None if ids is None else list(ids)
        kept_marks = None if marked is None or not any(marked) else list(marked)
        values = (
            line,
            starts,
            ends,
            segments,
            name,
            lang,
            paragraphs,
            kept_marks,
            blocks,
            id_list,
            None,
        )
        # The class is frozen: `put` sets its slots while it is made.
        names = ("_line", "_starts", "_ends", "_segments", "name", "lang", "paragraphs")
        put(self, "times", None)
        put(self, "_facts", {})
        further_names = ("marked", "blocks", "_ids", "_index")
        for attribute, value in zip((*names, *further_names), values, strict=True):
            put(self, attribute, value)
        if id_list is not None:
            _check_ids(id_list, size)
        if kept_marks is not None and len(kept_marks) != size:
            raise InputError(f"{len(kept_marks)} marked segments for {size}: want one each")
        if paragraphs is not None and not isinstance(paragraphs, Segmentation):
            raise InputError(
                f"the paragraphs are {paragraphs!r:.60}: want a Segmentation, as "
                f"Segmentation([2, 3])"
            )
        if paragraphs is not None and paragraphs.n != size:
            raise InputError(
                f"the paragraphs hold {many(paragraphs.n, 'segment')}, the text {size}: want equal"
            )

        if blocks is not None and not isinstance(blocks, Blocks):
            raise InputError(f"the blocks are {blocks!r:.60}: want Blocks")
        if blocks is not None and (blocks.begins[-1] if blocks else -1) >= size:
            raise InputError(
                f"the last block begins at segment {blocks.begins[-1]}, and the text has {size}: "
                f"want an index below that"
            )
        if blocks is not None and size and not blocks:
            raise InputError(f"no blocks of {size} segments: want one or more, or None")

    def in_language(self, lang: str) -> Text:
        """Return the same text with another language code.

        Examples
        --------
        >>> Text(["Yes."]).in_language("en").lang
        'en'

        """
        text = copy(self)
        put(text, "lang", lang)
        return text

    def with_ids(self, ids: Iterable[str]) -> Text:
        """Return the same text with other identifiers of its segments.

        Examples
        --------
        >>> Text(["Yes.", "No."]).with_ids(["s1", "s2"]).ids
        ['s1', 's2']

        """
        check_list("the ids", ids, _ONE_EACH)
        text, id_list = copy(self), list(ids)
        _check_ids(id_list, len(self))
        put(text, "_ids", id_list)
        put(text, "_index", None)
        return text

    def with_times(self, times: ArrayLike | None) -> Text:
        """Return the same text with other times of its segments, or without.

        Examples
        --------
        >>> Text(["Yes.", "No."]).with_times([(1.0, 2.5), (3.0, 4.0)]).times.tolist()
        [[1.0, 2.5], [3.0, 4.0]]

        """
        text = copy(self)
        put(text, "times", _checked_times(times, len(self)))
        return text

    def with_segments(
        self, segments: Iterable[str], *, marked: Sequence[str | None] | None = None
    ) -> Text:
        """Return the same text with other characters in each segment, and their inline codes.

        Examples
        --------
        >>> list(Text(["Yes."], lang="en").with_segments(["No."]).segments())
        ['No.']

        """
        return Text(
            segments,
            ids=self._ids,
            name=self.name,
            lang=self.lang,
            paragraphs=self.paragraphs,
            marked=marked,
            times=self.times,
            blocks=self.blocks,
        )

    def select(self, places: Ints) -> Text:
        """Return the segments at increasing `places` as a text.

        It shares the character line, if this text has joined its segments to one before. Raises
        `InputError` when a place is no integer, as in a mask.

        Examples
        --------
        >>> list(Text(["One.", "Two.", "Three."]).select(np.array([0, 2])).segments())
        ['One.', 'Three.']

        """
        places = np.asarray(places)
        if places.size and places.dtype.kind not in "iu":
            raise InputError(f"the places are {places.dtype}: want indices, as np.flatnonzero")
        indices = places.tolist()
        outside = places[(places < -len(self)) | (places >= len(self))]
        if outside.size:
            raise InputError(f"there is no segment {outside[0]}: the text has {len(self)}")
        ids = None if self._ids is None else [self._ids[k] for k in indices]
        if not self.has_text:
            return Text.of_ids(ids or [], name=self.name, lang=self.lang)
        paragraphs = self.paragraphs
        if paragraphs is not None:
            numbers = np.repeat(np.arange(len(paragraphs)), paragraphs.masses)[places]
            masses = np.bincount(numbers)
            paragraphs = Segmentation(masses[masses > 0]) if indices else None
        properties: dict[str, Any] = {
            "ids": ids,
            "name": self.name,
            "lang": self.lang,
            "paragraphs": paragraphs,
            "marked": None if self.marked is None else [self.marked[k] for k in indices],
            "times": None if self.times is None else self.times[places],
            "blocks": None if self.blocks is None or not indices else self.blocks.select(places),
        }
        if (segments := self._segments) is not None:
            return Text([segments[k] for k in indices], **properties)
        return Text.from_offsets(
            self.line or "", self.starts[places], self.ends[places], **properties
        )

    def compacted(self) -> Text:
        r"""Return the same segments over a character line of their own, without others.

        A selection of a long text shares the line of the text, and so keeps all of it in memory.

        Examples
        --------
        >>> text = Text.from_offsets("One.Two.Three.", [0, 4, 8], [4, 8, 14])
        >>> some = text.select(np.array([0, 2]))
        >>> some.line, some.compacted().line
        ('One.Two.Three.', 'One.\nThree.')

        """
        if self._line is None:  # known by ids, or not joined to a line yet
            return self
        return self.with_segments(self.segments(), marked=self.marked)

    def join_own_segments(self) -> None:
        """Join the segments to the character line, unless another object has their strings, too.

        A string takes some 50 bytes beside its characters. A line in place of a million strings
        saves memory only if nothing else refers to them.
        """
        parts = self._segments
        if parts is None:
            return
        some = parts[:: len(parts) // _SAMPLED_STRINGS + 1]
        # The list, the sample, the loop and the call refer to each string.
        if sum(getrefcount(part) <= 4 for part in some) > len(some) // 2:
            self._lay_out()

    def _lay_out(self) -> None:
        """Join the segments to the character line, unless this is done."""
        parts = self._segments  # read once: another thread may be doing so
        if parts is None:
            return
        sizes = np.fromiter(map(len, parts), dtype=np.int64, count=len(parts))
        ends = np.cumsum(sizes + len(_SEPARATOR)) - len(_SEPARATOR)
        starts = ends - sizes
        starts.flags.writeable = ends.flags.writeable = False
        put(self, "_line", _SEPARATOR.join(parts))
        put(self, "_starts", starts)
        put(self, "_ends", ends)
        put(self, "_segments", None)

    @property
    def line(self) -> str | None:
        """The character line of all segments; `None` without characters."""
        self._lay_out()
        return self._line

    @property
    def starts(self) -> Ints:
        """The start of each segment on the line."""
        self._lay_out()
        return self._starts

    @property
    def ends(self) -> Ints:
        """The end of each segment on the line, half-open."""
        self._lay_out()
        return self._ends

    @property
    def has_text(self) -> bool:
        """Whether the text has characters, not identifiers only."""
        return self._segments is not None or self._line is not None

    @property
    def has_ids(self) -> bool:
        """Whether the segments have identifiers of their own."""
        return self._ids is not None

    @property
    def ids(self) -> Sequence[str]:
        """The identifier of each segment, in order."""
        return [str(k) for k in range(len(self))] if self._ids is None else self._ids

    @property
    def index_of_ids(self) -> dict[str, int]:
        """The index of each identifier, computed on first use."""
        if self._index is None:
            put(self, "_index", {name: k for k, name in enumerate(self.ids)})
        return self._index or {}

    def index(self, id: str) -> int:  # noqa: A002 - the field's word for it
        """Return the index of a segment by its identifier.

        Raises
        ------
        InputError
            When the text has no segment with this identifier.

        """
        index = self.index_of_ids.get(id)
        if index is None:
            ids = self.ids
            span = f"from {ids[0]!r} to {ids[-1]!r}" if ids else "none"
            raise InputError(f"{self.name or 'the text'} has no segment {id!r}; its ids: {span}")
        return index

    def lengths(self, counter: Callable[[str], int] | None = None) -> Ints:
        """Return the length of each segment in characters, or in the units of `counter`.

        Raises
        ------
        InputError
            When the text has identifiers only.
        TypeError
            When `counter` returns no integer.

        """
        if self.line is None:
            raise InputError(f"{self.name or 'the text'} is known by ids only: give its characters")
        if counter is None:
            return self.ends - self.starts
        counts = map(_whole, map(counter, self.segments()))  # NumPy would cut fractions off
        return np.fromiter(counts, dtype=np.int64, count=len(self))

    def segments(self, first: int = 0, last: int | None = None) -> Iterator[str]:
        """Yield the characters of each segment, in order; empty strings without characters.

        With `first` or `last`, only segments from `first` up to `last`; the others cost nothing.
        """
        if (segments := self._segments) is None:
            return self._cut(first, last)
        return iter(segments if not first and last is None else segments[first:last])

    def fact(self, holds: Callable[[Sequence[str]], bool]) -> bool:
        """Return `holds` of the segments, computed once, since the segments never change.

        Examples
        --------
        >>> Text(["Yes.", "No."]).fact(all)
        True

        """
        if holds not in self._facts:
            self._facts[holds] = holds(list(self.segments()))
        return self._facts[holds]

    def set_fact(self, holds: Callable[[Sequence[str]], bool], value: bool) -> None:
        """Set the answer of `fact`, for a reader that knows it from the whole file."""
        self._facts[holds] = value

    def _cut(self, first: int, last: int | None) -> Iterator[str]:
        line = self.line or ""
        starts, ends = self.starts[first:last], self.ends[first:last]
        for begin in range(0, len(starts), _AT_ONCE):
            part = slice(begin, begin + _AT_ONCE)
            parts = map(slice, starts[part].tolist(), ends[part].tolist())
            yield from map(line.__getitem__, parts)

    def __len__(self) -> int:
        segments = self._segments
        return len(self._starts if segments is None else segments)

    @overload
    def __getitem__(self, index: int) -> Segment: ...
    @overload
    def __getitem__(self, index: slice) -> list[Segment]: ...
    def __getitem__(self, index: int | slice) -> Segment | list[Segment]:
        if isinstance(index, slice):
            return [self[k] for k in range(*index.indices(len(self)))]
        k = index_within(index, len(self), "segment")
        start, end = int(self.starts[k]), int(self.ends[k])
        name = str(k) if self._ids is None else self._ids[k]
        return Segment(k, name, None if self.line is None else self.line[start:end], start, end)

    def __iter__(self) -> Iterator[Segment]:
        return (self[k] for k in range(len(self)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Text):
            return NotImplemented
        if len(self) != len(other) or self.has_text != other.has_text:
            return False
        if list(self.ids) != list(other.ids):
            return False
        return all(a == b for a, b in zip(self.segments(), other.segments(), strict=True))

    def __hash__(self) -> int:
        return hash((len(self), self.has_text))

    def __repr__(self) -> str:
        name = f" {self.name!r}" if self.name else ""
        if not self.has_text:
            return f"<Text{name}: {len(self)} ids, no characters>"
        size = many(int(self.lengths().sum()), "character")
        return f"<Text{name}: {many(len(self), 'segment')}, {size}>"


def _check_ids(ids: list[str], segments: int) -> None:
    if len(ids) != segments:
        raise InputError(f"{len(ids)} ids for {segments} segments: want one each")
    if not set(map(type, ids)) <= {str}:
        k = next(k for k, name in enumerate(ids) if type(name) is not str)
        raise InputError(f"the id of segment {k} is {ids[k]!r:.60}: want a string")
    if len(set(ids)) != segments:
        seen: set[str] = set()
        repeated_id = next(x for x in ids if x in seen or seen.add(x))  # type: ignore[func-returns-value]
        raise InputError(f"the id {repeated_id!r} stands for two segments: want each id once")


def _whole(value: Any) -> int:
    is_whole = isinstance(value, float | np.floating) and value.is_integer()  # as of `np.ceil`
    return int(value) if is_whole else index(value)


def _checked_times(times: ArrayLike | None, segments: int) -> Floats | None:
    """Return times as an array that cannot be changed; None if no segment has one."""
    if times is None:
        return None
    result = np.array(times, dtype=np.float64)
    result = result if result.size else result.reshape(-1, 2)
    if result.ndim != 2 or result.shape[1] != 2:
        raise InputError(
            f"the times have the shape {result.shape}: want a row of start and end for each segment"
        )
    if len(result) != segments:
        raise InputError(f"{len(result)} times for {segments} segments: want one each")
    is_wrong = np.isinf(result).any(axis=1) | (result[:, 1] < result[:, 0])
    if is_wrong.any():
        k = int(is_wrong.argmax())
        raise InputError(
            f"segment {k} has the times {result[k, 0]:g} to {result[k, 1]:g}: want seconds, the "
            f"end not before the start"
        )
    result.flags.writeable = False
    return None if len(result) and np.isnan(result).all() else result
