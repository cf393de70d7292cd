"""Collecting bisegments with their text, and their further columns, into bitexts, and back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import nan
from typing import Literal, NamedTuple, TypeVar

import numpy as np

from bitext.errors import InputError, remedy
from bitext.formats.io.source import Source
from bitext.formats.line_files import flat, has_breaks
from bitext.formats.registry import ReadOptions, further_languages
from bitext.formats.scores import known_scores
from bitext.kernels.arrays import Ints, Rows, prefix
from bitext.model import Alignment, Bitext, Text

EmptyT = TypeVar("EmptyT", str, None)
Side = Literal["source", "target"]

# Names of bisegments and segments in notes, also where a document pair is read in parts.


class ChunkPosition(NamedTuple):
    """The offset of a part within its document pair."""

    # `beads`, `src`, `tgt`: the numbers of bisegments, of source and of target segments before the
    # part.
    beads: int = 0
    src: int = 0
    tgt: int = 0
    languages: frozenset[str] = frozenset()  # the languages of further texts in the parts before

    def bead(self, bitext: Bitext, k: int) -> str:
        """Name a bisegment by its number in the document pair: `bisegment 7 (2-1)`."""
        return f"bisegment {self.beads + k} ({bitext.alignment[k].type})"

    def new_languages(self, columns: Mapping[str, Sequence[str | None]]) -> list[str]:
        """Return the languages of further texts that no earlier part has."""
        return [code for code in further_languages(columns) if code not in self.languages]

    def segment(self, bitext: Bitext, side: Side, k: int) -> str:
        """Name a segment by its id, or its number in its text: `source segment s7`."""
        text, before = (bitext.src, self.src) if side == "source" else (bitext.tgt, self.tgt)
        known = text is not None and text.has_ids
        return f"{side} segment {text.ids[k] if text is not None and known else before + k}"


class ChunkPositions:
    """Tracks the position of each part in its document pair, one part after another."""

    def __init__(self) -> None:
        self._next = ChunkPosition()

    def of(self, bitext: Bitext) -> ChunkPosition:
        """Return the position of a bitext, or of the next part of one."""
        position = self._next if bitext.continues else ChunkPosition()
        self._next = ChunkPosition(
            position.beads + len(bitext.alignment),
            position.src + (0 if bitext.src is None else len(bitext.src)),
            position.tgt + (0 if bitext.tgt is None else len(bitext.tgt)),
            position.languages.union(further_languages(bitext.alignment.attributes)),
        )
        return position


class DocumentNames:
    """Names the document pairs of a file, so that neighbours have different names."""

    def __init__(self) -> None:
        self.number = 0  # of the document pairs so far
        self._name = ""

    def of(self, bitext: Bitext) -> str:
        """Return the name for a bitext or a part of one; empty for a first one without a name."""
        if not self.number or not bitext.continues:
            self.number += 1
            name = bitext.name or (str(self.number) if self.number > 1 else "")
            repeats = bool(name) and name == self._name
            self._name = f"{name} ({self.number})" if repeats else name
        return self._name


def both_sides(bitext: Bitext) -> list[tuple[Side, Text | None, Rows]]:
    """Return each side by its name, with its text and the segments of the bisegments."""
    a = bitext.alignment
    return [("source", bitext.src, a.src), ("target", bitext.tgt, a.tgt)]


def name_of(bitext: Bitext) -> str:
    """Return the name of a bitext in notes: its own, or that of its file."""
    return bitext.name or bitext.meta.get("path", "") or "the bitext"


def sizes_of(bitext: Bitext) -> tuple[int, int]:
    """Return the numbers of segments of both sides; without a text up to the last aligned one."""
    a = bitext.alignment
    return (
        a.src_size if bitext.src is None else len(bitext.src),
        a.tgt_size if bitext.tgt is None else len(bitext.tgt),
    )


def with_columns(bitext: Bitext, columns: Mapping[str, Sequence[str | None]]) -> Bitext:
    """Return a bitext with other columns of its bisegments."""
    a = bitext.alignment
    alignment = Alignment.from_arrays(a.src, a.tgt, scores=a.scores, attributes=columns)
    return replace(bitext, alignment=alignment)


class Beads:
    """Collects bisegments with their text, in order; each segment is in exactly one of them.

    A reader adds bisegments one by one or many at once, yields from `parts()` as it goes, and
    from `rest()` at the end::

        beads = Beads(source, options, langs=("en", "fr"))
        for unit in units:
            beads.add([unit.src], [unit.tgt], attributes={"tuid": unit.id})
            yield from beads.parts()
        yield from beads.rest()

    Parameters
    ----------
    source : Source
        The file; its notes go with the bitext, or with the part after which they were made.
    options : ReadOptions
        Give the name of the bitext, and whether to yield parts.
    langs : pair of str
        The languages of the two texts; may be set later, before the first bitext is made.
    line : int
        The line on which the next bisegment begins; set by the reader.
    names : pair of str, optional
        The names of the two texts. Default: that of the file.
    meta : mapping of str to str
        Further metadata of the file.

    """

    def __init__(
        self,
        source: Source,
        options: ReadOptions,
        *,
        langs: tuple[str, str] = ("", ""),
        names: tuple[str, str] | None = None,
        meta: Mapping[str, str] | None = None,
    ) -> None:
        self._source, self._options = source, options
        self.langs, self.meta, self.name = langs, dict(meta or {}), options.name
        self._names = names or (source.path, source.path)
        self.line = 0
        self._made = 0
        self._begin()
        source.collecting[:] = [*filter(len, source.collecting), self]

    def _begin(self) -> None:
        self._segments: tuple[list[str], list[str]] = ([], [])
        self._marked: tuple[dict[int, str], dict[int, str]] = ({}, {})
        self._sizes: tuple[list[int], list[int]] = ([], [])
        self._is_one_to_one, self._is_scored = True, False
        self._scores: list[float] = []
        self._lines: list[int] = []
        self._columns = AttributeColumns(self._source)

    def __len__(self) -> int:
        return len(self._scores)

    def add(
        self,
        src: Sequence[str],
        tgt: Sequence[str],
        score: float = nan,
        *,
        attributes: Mapping[str, str] | None = None,
        marked: tuple[Sequence[str | None], Sequence[str | None]] | None = None,
    ) -> None:
        """Add a bisegment by the segments of its two sides, which may not both be empty.

        `attributes` are its values of further columns; `marked` are its segments with their inline
        codes, as in `Text.marked`.
        """
        if attributes:
            self._columns.put(len(self._scores), attributes, self.line or None)
        if marked is not None:
            for held, segments, codes in zip(self._marked, self._segments, marked, strict=True):
                for k, xml in enumerate(codes, len(segments)):
                    if xml is not None:
                        held[k] = xml
        self._segments[0].extend(src)
        self._segments[1].extend(tgt)
        self._sizes[0].append(len(src))
        self._sizes[1].append(len(tgt))
        self._is_one_to_one = self._is_one_to_one and len(src) == len(tgt) == 1
        self._is_scored = True
        self._scores.append(score)
        if self._options.lines:
            self._lines.append(self.line)

    def extend(
        self,
        src: Sequence[str],
        tgt: Sequence[str],
        *,
        sizes: tuple[Sequence[int], Sequence[int]] | None = None,
        scores: Sequence[float] | None = None,
        attributes: Mapping[str, Sequence[str | None]] | None = None,
        marked: tuple[Mapping[int, str], Mapping[int, str]] | None = None,
        lines: Sequence[int] | None = None,
    ) -> None:
        """Add many bisegments at once, with their columns.

        Each has one segment per side, or as many of `src` and of `tgt` as `sizes` gives; `marked`
        maps indices into `src` and `tgt` to segments with inline codes. The bisegments begin on
        the `lines`, or all on `line`.
        """
        count = len(src) if sizes is None else len(sizes[0])
        if attributes:
            self._columns.extend(len(self._scores), attributes, self.line or None)
        for side, new in enumerate((src, tgt)):
            if marked is not None:
                begin = len(self._segments[side])
                self._marked[side].update({begin + k: xml for k, xml in marked[side].items()})
            self._segments[side].extend(new)
            self._sizes[side].extend([1] * count if sizes is None else sizes[side])
        self._is_one_to_one = self._is_one_to_one and sizes is None
        self._is_scored = self._is_scored or scores is not None
        self._scores.extend([nan] * count if scores is None else scores)
        if self._options.lines:
            self._lines.extend([self.line] * count if lines is None else lines)

    def sizes(self) -> tuple[Ints, Ints]:
        """Return the numbers of source and of target segments of each bisegment."""
        return np.array(self._sizes[0], dtype=np.int64), np.array(self._sizes[1], dtype=np.int64)

    def parts(self) -> Iterator[Bitext]:
        """Yield a part, where the options allow parts and enough bisegments are collected."""
        if self._options.parts and len(self) >= self._options.part_size:
            yield self._bitext()

    def rest(self) -> Iterator[Bitext]:
        """Yield the remaining bisegments: the whole bitext, or its last part unless empty."""
        if len(self) or not self._made:
            yield self._bitext()

    def _bitext(self) -> Bitext:
        size = len(self._scores)
        src, tgt = self._texts()
        alignment = Alignment.from_arrays(
            *self._rows(),
            scores=known_scores(self._scores) if self._is_scored else None,
            attributes=self._columns.whole(size, self.line or None),
        )
        made, self._made = self._made, self._made + 1
        lines = np.array(self._lines, dtype=np.int64) if self._options.lines else None
        self._begin()
        return Bitext(
            src,
            tgt,
            alignment,
            name=self.name,
            meta=self.meta,
            notes=self._source.notes.drain(),
            continues=made > 0,
            lines=lines,
        )

    def _texts(self) -> list[Text]:
        return [
            Text(
                segments,
                name=name,
                lang=lang,
                marked=list(map(marked.get, range(len(segments)))) if marked else None,
            )
            for segments, name, lang, marked in zip(
                self._segments, self._names, self.langs, self._marked, strict=True
            )
        ]

    def _rows(self) -> list[Rows]:
        """Return the segments of the bisegments on both sides: each is in one, in order."""
        if self._is_one_to_one:
            counted = np.arange(len(self._scores) + 1)
            return [Rows(counted, counted[:-1])] * 2
        return [Rows(prefix(sizes), np.arange(sizes.sum())) for sizes in self.sizes()]


def sides(bitext: Bitext, name: str) -> Iterator[tuple[list[str], list[str]]]:
    """Yield the segments of both sides of each bisegment; `name` is the format, for errors.

    Raises `InputError` when a text is known by positions or identifiers only.
    """
    src, tgt = (list(text.segments()) for text in known_texts(bitext, name))
    for bead in bitext.alignment:
        yield [src[k] for k in bead.src], [tgt[k] for k in bead.tgt]


def joined_sides(
    bitext: Bitext, name: str, *, joint: str = " ", breaks: bool = False
) -> tuple[list[str], list[str]]:
    """Return both sides of all bisegments, each as one string of its segments.

    Tabs and line ends within segments are kept with `breaks`, and else become blanks.

    Raises `InputError` when a text is known by positions or identifiers only.
    """
    texts = known_texts(bitext, name)
    rows = (bitext.alignment.src, bitext.alignment.tgt)
    src, tgt = (
        joined_rows(text, row, joint, breaks=breaks) for text, row in zip(texts, rows, strict=True)
    )
    return src, tgt


def joined_rows(text: Text, rows: Rows, joint: str, *, breaks: bool) -> list[str]:
    """Return the segments of each row as one string, empty without any; see `joined_sides`."""
    segments = list(text.segments())
    if not breaks and text.fact(has_breaks):
        segments = list(map(flat, segments))
    return of_rows(segments, rows, joint.join, "")


def of_rows(
    values: list[str], rows: Rows, join: Callable[[list[str]], str], empty: EmptyT
) -> list[str | EmptyT]:
    """Return the value of each row: that of its only member, those of several joined, `empty`."""
    lengths, idx = rows.lengths, rows.idx
    in_order = lengths.size == len(values) == idx.size
    if in_order and (lengths == 1).all() and np.array_equal(idx, np.arange(idx.size)):
        return [*values]
    if not idx.size:
        return [empty] * lengths.size
    # Most rows have one member: these are looked up at once, the others in a loop.
    firsts = idx[np.minimum(rows.ptr[:-1], idx.size - 1)]
    out: list[str | EmptyT] = list(map(values.__getitem__, firsts.tolist()))
    others = np.flatnonzero(lengths != 1)
    begins, ends = rows.ptr[others].tolist(), rows.ptr[others + 1].tolist()
    members = idx.tolist() if others.size else []
    for k, begin, end in zip(others.tolist(), begins, ends, strict=True):
        out[k] = join([values[m] for m in members[begin:end]]) if begin < end else empty
    return out


def known_texts(bitext: Bitext, name: str) -> tuple[Text, Text]:
    """Return both texts of a bitext that is to be written in the format `name`.

    Raises `InputError` when a text is known by positions or identifiers only.
    """
    for side, text, key in (("source", bitext.src, "src"), ("target", bitext.tgt, "tgt")):
        if text is None or not text.has_text:
            where = bitext.name or bitext.meta.get("path", "")
            document = bitext.meta.get(f"{key}_doc", "")[:200]
            known = "positions" if text is None else "identifiers"
            why = f", as its document {document!r} is not found"
            raise InputError(
                f"{name} takes texts, but the {side} text{f' of {where}' if where else ''} is "
                f"known by {known} only{why if document else ''}; {give_text(key)}"
            )
    return bitext.src, bitext.tgt  # type: ignore[return-value]  # just examined


def give_text(key: str) -> str:
    """Name the options that give the text of a side, `src` or `tgt`."""
    text = remedy(key, python=f"Bitext.{key}")
    folder = remedy("root", python="roots= of bitext.read")
    return f"give it ({text}), or the folder of the documents ({folder})"


# Columns of attributes, collected row by row or many rows at once.
#
# Every bisegment has a cell in every column. A hostile file that gives each attribute a new name
# must not fill the memory, so the number of empty cells is bounded: far above what any corpus has,
# and for a large file in proportion to its values.

MOST_COLUMNS = 10_000  # columns of a table; set by hand: no corpus has nearly as many
_EMPTY_CELLS = 4_000_000  # cells that may be empty in any table: 32 MB of pointers
# Empty cells that a larger table may have for each value, which takes 10 bytes of the file or more.
_EMPTY_CELLS_A_VALUE = 64


class AttributeColumns:
    """Columns by name, each as long as the last row that has a value in it."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._lists: dict[str, list[str | None]] = {}
        self._values = self._empty = 0

    def __len__(self) -> int:
        return len(self._lists)

    def __contains__(self, name: str) -> bool:
        return name in self._lists

    def refuse_names(self, names: Iterable[str], rows: int, line: int | None = None) -> None:
        """Refuse names that would make too many columns; `rows` is the number of rows so far.

        Raises `FormatError` when there would be more than `MOST_COLUMNS`.
        """
        new = sum(name not in self._lists for name in names)
        if new and len(self._lists) + new > MOST_COLUMNS:
            raise self._error(MOST_COLUMNS, rows, line)

    def refuse_sparse(self, columns: int, rows: int, values: int, line: int | None = None) -> None:
        """Refuse a table with too many empty cells before allocating it.

        Raises `FormatError` when hardly any cell has a value.
        """
        if columns > MOST_COLUMNS or self._is_sparse(columns * rows - values, values):
            raise self._error(min(columns - 1, MOST_COLUMNS), rows, line)

    def _is_sparse(self, empty: int, values: int) -> bool:
        return empty > _EMPTY_CELLS and empty > _EMPTY_CELLS_A_VALUE * values

    def _error(self, columns: int, rows: int, line: int | None) -> Exception:
        return self._source.error(
            f"has more than {columns:,} different attributes and properties within {rows:,} "
            f"bisegments; check the file",
            line,
        )

    def put(self, row: int, values: Mapping[str, str], line: int | None = None) -> None:
        """Set the values of a row, either the last one so far or a later one.

        Raises `FormatError` when there are too many columns, or hardly any cell has a value.
        """
        lists = self._lists
        if not values.keys() <= lists.keys():
            self.refuse_names(values, row + 1, line)
        self._values += len(values)
        for name, value in values.items():
            column = lists.get(name)
            if column is None:
                column = lists[name] = []
            if len(column) < row:
                self._fill(column, row, line)
            if len(column) > row:
                column[row] = value
            else:
                column.append(value)

    def extend(
        self, row: int, columns: Mapping[str, Sequence[str | None]], line: int | None = None
    ) -> None:
        """Set the values of many rows from `row` on; raises as `put`."""
        self.refuse_names(columns, row + 1, line)
        for name, values in columns.items():
            column = self._lists.setdefault(name, [])
            if len(column) < row:
                self._fill(column, row, line)
            column.extend(values)
            empty = values.count(None)
            self._values += len(values) - empty
            self._empty += empty
        if self._is_sparse(self._empty, self._values):
            raise self._error(len(self) - 1, row + 1, line)

    def _fill(self, column: list[str | None], row: int, line: int | None) -> None:
        gap = row - len(column)
        self._empty += gap
        if self._is_sparse(self._empty, self._values):
            raise self._error(len(self) - 1, row + 1, line)
        column.extend([None] * gap)

    def column(self, name: str, rows: int) -> list[str | None]:
        """Return the values of a column, one for each row."""
        known = self._lists.get(name, [])[:rows]  # a refused row may have been begun
        return known + [None] * (rows - len(known))

    def whole(self, rows: int, line: int | None = None) -> dict[str, list[str | None]]:
        """Return all columns, with one value for each row; raises as `put`."""
        self.refuse_sparse(len(self), rows, self._values, line)
        return {name: self.column(name, rows) for name in self._lists}

    def rows(self, count: int) -> Iterator[dict[str, str]]:
        """Yield the values of each row by the names of their columns, without missing values."""
        columns = list(self._lists.items())
        for k in range(count):
            yield {
                name: value
                for name, column in columns
                if k < len(column) and (value := column[k]) is not None
            }

    def cut(self, row: int) -> AttributeColumns:
        """Remove the first rows; return them."""
        out = AttributeColumns(self._source)
        out._lists = {name: column[:row] for name, column in self._lists.items()}
        self._lists = {name: column[row:] for name, column in self._lists.items()}
        out._values = sum(len(column) - column.count(None) for column in out._lists.values())
        self._values -= out._values
        self._empty = sum(column.count(None) for column in self._lists.values())
        return out
