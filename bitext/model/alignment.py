"""An alignment: a set of bisegments, each a pair (subset of S, subset of T)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain, pairwise
from operator import index
from typing import NamedTuple, overload

import numpy as np
from numpy.typing import ArrayLike

from bitext.errors import AlignmentError, InputError, check_list, check_truths, many
from bitext.kernels.arrays import (
    Floats,
    Frozen,
    Ints,
    Rows,
    are_pointers,
    as_array,
    identify,
    index_within,
    kinds,
    prefix,
    put,
    row_of,
    take,
)
from bitext.model.word_links import COLUMN as WORDS
from bitext.model.word_links import NULLS, LinkColumn, WordLinks, parse_nulls, spell_nulls, swapped

_SIDES = ("source", "target")
_LIMIT = 2**40  # greatest index: beyond any text, and far from overflow


class Bisegment(NamedTuple):
    """A pair of sets of segments that correspond to each other, created on access.

    Attributes
    ----------
    src, tgt : tuple of int
        The indices of its source and its target segments, ascending; one side may be empty.

    """

    src: tuple[int, ...]
    tgt: tuple[int, ...]

    @property
    def type(self) -> str:
        """The bead type, as `2-1`: the numbers of source and of target segments."""
        return f"{len(self.src)}-{len(self.tgt)}"


class Alignment(Frozen):
    """Bisegments in order, as arrays.

    Bisegments may cross, overlap, be discontinuous, and have one empty side. Two alignments are
    equal when they are equal as *sets* of bisegments; their order is only for writing.

    Parameters
    ----------
    bisegments : iterable of (source indices, target indices)
        The two sides of each bisegment: collections of indices from 0, in any order.
    scores : sequence of float, optional
        One score per bisegment, on any scale; `nan` for none.
    attributes : mapping of str to sequence, optional
        Further columns, with one value (or `None`) a bisegment.

    Raises
    ------
    AlignmentError
        When a bisegment is not a pair of collections of indices, both its sides are empty,
        or a side has a negative or a repeated index; the message names the bisegment.
        When scores or a further column are not one a bisegment, or of another type.

    Notes
    -----
    A million bisegments of ordinary size take about 35 MB.

    Examples
    --------
    >>> a = Alignment([((0,), (0,)), ((), (1,)), ((1,), (2, 3))])
    >>> len(a), a[2], a[2].type
    (3, Bisegment(src=(1,), tgt=(2, 3)), '1-2')
    >>> a.bead_types()
    {'0-1': 1, '1-1': 1, '1-2': 1}

    """

    __slots__ = ("attributes", "scores", "src", "tgt")

    src: Rows
    tgt: Rows
    scores: Floats | None
    attributes: Mapping[str, Sequence[str | None]]

    def __init__(
        self,
        bisegments: Iterable[tuple[Iterable[int], Iterable[int]]] = (),
        *,
        scores: ArrayLike | None = None,
        attributes: Mapping[str, Sequence[str | None]] | None = None,
    ) -> None:
        try:
            items = list(bisegments)
        except TypeError:
            raise AlignmentError(
                f"the bisegments are {bisegments!r:.60}: want a list of pairs, as [((0, 1), (2,))]"
            ) from None
        try:
            src = _rows([s for s, _ in items])
            tgt = _rows([t for _, t in items])
        except (TypeError, ValueError, OverflowError) as error:
            raise _blame(items) from error
        columns = _listed_columns(attributes)
        for name, column in columns.items():
            wrong_value = next(
                (value for value in column if not isinstance(value, str | None)), None
            )
            if wrong_value is not None:
                raise AlignmentError(
                    f"{name!r} has the value {wrong_value!r:.60}: want strings, or None"
                )
        self._fill(src, tgt, scores, columns)

    @classmethod
    def from_arrays(
        cls,
        src: tuple[ArrayLike, ArrayLike],
        tgt: tuple[ArrayLike, ArrayLike],
        *,
        scores: ArrayLike | None = None,
        attributes: Mapping[str, Sequence[str | None]] | None = None,
    ) -> Alignment:
        """Make an alignment of compressed rows: (row pointers, members) for each side.

        Side k of the bisegments holds `members[pointers[k]:pointers[k+1]]`.

        Raises
        ------
        AlignmentError
            As the constructor does, and when the arrays are not compressed rows.

        """
        alignment = cls.__new__(cls)
        sides = []
        for side, (pointers, members) in zip(_SIDES, (src, tgt), strict=True):
            ptr, idx = as_array(pointers), as_array(members)
            if ptr.ndim != 1 or idx.ndim != 1 or ptr.size == 0 or ptr.dtype.kind not in "iu":
                raise AlignmentError(f"the {side} rows are not arrays of pointers and members")
            if idx.size and idx.dtype.kind not in "iu":
                raise AlignmentError(f"the {side} members are {idx.dtype}: want integers")
            if not are_pointers(ptr, idx.size):
                raise AlignmentError(
                    f"the {side} pointers do not run from 0 to the {idx.size} members, ascending"
                )
            sides.append(Rows(ptr.astype(np.int64), idx.astype(np.int64)))
        if len(sides[0].ptr) != len(sides[1].ptr):
            raise AlignmentError(
                f"{len(sides[0].ptr) - 1} source rows and {len(sides[1].ptr) - 1} target rows: "
                f"want one of each a bisegment"
            )
        alignment._fill(  # noqa: SLF001 - our own
            sides[0], sides[1], scores, _listed_columns(attributes)
        )
        return alignment

    @classmethod
    def of_rows(cls, src: Rows, tgt: Rows, *, scores: Floats | None = None) -> Alignment:
        """Make an alignment of rows without copies: nothing else may change their arrays.

        `src` and `tgt` have as many rows of 64-bit integers. Raises `AlignmentError` as the
        constructor does.
        """
        alignment = cls.__new__(cls)
        alignment._fill(src, tgt, scores, None)  # noqa: SLF001 - our own
        return alignment

    def _fill(
        self,
        src: Rows,
        tgt: Rows,
        scores: ArrayLike | None,
        attributes: Mapping[str, Sequence[str | None]] | None,
    ) -> None:
        put(self, "src", _canonical(src, "source"))
        put(self, "tgt", _canonical(tgt, "target"))
        hollow = np.flatnonzero((src.lengths == 0) & (tgt.lengths == 0))
        if hollow.size:
            raise AlignmentError(
                f"bisegment {hollow[0]} is empty on both sides: want at least one segment on one"
            )
        put(self, "scores", None if scores is None else _scores(scores, len(self)))
        put(self, "attributes", dict(attributes or {}))
        for name, column in self.attributes.items():
            if len(column) != len(self):
                raise AlignmentError(
                    f"{len(column)} values of {name!r} for {len(self)} bisegments: want one each"
                )
        for array in (*self.src, *self.tgt):
            array.flags.writeable = False

    @property
    def src_size(self) -> int:
        """The smallest number of source segments that the indices need."""
        return int(self.src.idx.max()) + 1 if self.src.idx.size else 0

    @property
    def tgt_size(self) -> int:
        """The smallest number of target segments that the indices need."""
        return int(self.tgt.idx.max()) + 1 if self.tgt.idx.size else 0

    def swapped(self) -> Alignment:
        """Return the alignment with source and target exchanged.

        Word links are exchanged, too; a column `words` with other values stays as it is.
        """
        columns = dict(self.attributes)
        for name, turned in ((WORDS, swapped), (NULLS, _swapped_nulls)):
            if name in columns:
                with suppress(InputError):
                    columns[name] = [
                        None if value is None else turned(value) for value in columns[name]
                    ]
        return Alignment.from_arrays(self.tgt, self.src, scores=self.scores, attributes=columns)

    def word_links(self, *, null: bool = False) -> WordLinks | None:
        """Return the word links of all bisegments, as pairs in order; `None` without any.

        With `null`, also the links to no word, from their own column (`null_links`).

        Raises
        ------
        InputError
            When a value of the columns is not a list of links; the message names the value.

        """
        check_truths(null=null)
        column = self.attributes.get(WORDS)
        nulls = self.attributes.get(NULLS, ()) if null else ()
        if column is None or all(value is None for value in column):
            return None
        links = column.links if isinstance(column, LinkColumn) else WordLinks.parse(column)
        null_links = [
            (k, link) for k, value in enumerate(nulls) for link in parse_nulls(value or "")
        ]
        return links.with_links(*zip(*null_links, strict=True)) if null_links else links

    def select(self, chosen: ArrayLike) -> Alignment:
        """Return the bisegments at the given indices, or where a mask of booleans is true.

        Raises
        ------
        AlignmentError
            When `chosen` is neither, or an index is out of range.

        """
        values = as_array(chosen)
        if values.ndim != 1 or (values.size and values.dtype.kind not in "biu"):
            raise AlignmentError(f"the choice is {chosen!r:.60}: want a list of indices, or a mask")
        if values.dtype == bool and values.shape != (len(self),):
            raise AlignmentError(
                f"a mask of {values.size} for {len(self)} bisegments: want one boolean each"
            )
        indices = np.flatnonzero(values) if values.dtype == bool else values.astype(np.int64)
        outside = indices[(indices < -len(self)) | (indices >= len(self))]
        if outside.size:
            raise AlignmentError(
                f"there is no bisegment {outside[0]}: the alignment has {len(self)}"
            )
        columns = {
            name: [column[k] for k in indices.tolist()] for name, column in self.attributes.items()
        }
        scores = None if self.scores is None else self.scores[indices]
        src, tgt = take(self.src, indices), take(self.tgt, indices)
        return Alignment.from_arrays(src, tgt, scores=scores, attributes=columns)

    def between(self, begin: int, end: int) -> Alignment:
        """Return the bisegments from `begin` up to `end`, as views of the arrays of all.

        Nothing is sorted or checked again, so many small parts of a large alignment are cheap.

        Raises
        ------
        AlignmentError
            When the bounds are not 0 <= begin <= end <= the number of bisegments.

        Examples
        --------
        >>> list(Alignment([((0,), (0,)), ((1,), ()), ((2,), (1,))]).between(1, 2))
        [Bisegment(src=(1,), tgt=())]

        """
        if not all(isinstance(k, int | np.integer) for k in (begin, end)):
            raise AlignmentError(f"bisegments {begin!r:.40} to {end!r:.40}: want two integers")
        if not 0 <= begin <= end <= len(self):
            raise AlignmentError(
                f"bisegments {begin} to {end} of {len(self)}: want bounds that ascend, from 0 on"
            )
        part = Alignment.__new__(Alignment)
        for side, rows in (("src", self.src), ("tgt", self.tgt)):
            ptr = rows.ptr[begin : end + 1]
            part_ptr = ptr - ptr[0]
            part_ptr.flags.writeable = False
            put(part, side, Rows(part_ptr, rows.idx[ptr[0] : ptr[-1]]))
        put(part, "scores", None if self.scores is None else self.scores[begin:end])
        columns = self.attributes.items()
        put(part, "attributes", {name: column[begin:end] for name, column in columns})
        return part

    def unique(self) -> Alignment:
        """Return the alignment without repeats: each bisegment at its first place."""
        _, first = np.unique(identify(self.src, self.tgt), return_index=True)
        return self if first.size == len(self) else self.select(np.sort(first))

    def bead_types(self) -> dict[str, int]:
        """Count the bisegments of each bead type, the most frequent first, then the smallest."""
        types, kind = kinds(self.src.lengths, self.tgt.lengths)
        pairs = zip(types, np.bincount(kind, minlength=len(types)).tolist(), strict=True)
        return dict(Counter({f"{n}-{m}": count for (n, m), count in pairs}).most_common())

    def __len__(self) -> int:
        return len(self.src.ptr) - 1

    @overload
    def __getitem__(self, k: int) -> Bisegment: ...
    @overload
    def __getitem__(self, k: slice) -> list[Bisegment]: ...
    def __getitem__(self, k: int | slice) -> Bisegment | list[Bisegment]:
        if isinstance(k, slice):
            return [self[i] for i in range(*k.indices(len(self)))]
        k = index_within(k, len(self), "bisegment")
        return Bisegment(tuple(self.src.row(k).tolist()), tuple(self.tgt.row(k).tolist()))

    def __iter__(self) -> Iterator[Bisegment]:
        src, tgt = self.src.idx.tolist(), self.tgt.idx.tolist()
        s, t = self.src.ptr.tolist(), self.tgt.ptr.tolist()
        for k in range(len(self)):
            yield Bisegment(tuple(src[s[k] : s[k + 1]]), tuple(tgt[t[k] : t[k + 1]]))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Alignment):
            return NotImplemented
        if _same(self.src, other.src) and _same(self.tgt, other.tgt):
            return True
        return set(self) == set(other)

    def __hash__(self) -> int:
        return hash(frozenset(self))

    def __repr__(self) -> str:
        types = ", ".join(f"{kind}: {count}" for kind, count in self.bead_types().items())
        return f"<Alignment: {many(len(self), 'bisegment')}{f' ({types:.60})' if types else ''}>"


def _listed_columns(
    columns: Mapping[str, Iterable[str | None]] | None,
) -> dict[str, Sequence[str | None]]:
    """Return columns as sequences: the values of a Series have the places of its index."""
    if columns is not None and not isinstance(columns, Mapping):
        raise AlignmentError(f"the attributes are {columns!r:.60}: want a dictionary of lists")
    listed: dict[str, Sequence[str | None]] = {}
    for name, column in (columns or {}).items():
        if isinstance(column, str):
            raise AlignmentError(f"the values of {name!r} are one string: want a list of one each")
        check_list(f"the values of {name!r}", column, "a list of one each")
        if isinstance(column, Sequence) and not isinstance(column, list):
            listed[name] = column
        else:
            listed[name] = list(column)  # a copy, as the caller may change the list
    return listed


def _scores(scores: ArrayLike, size: int) -> Floats:
    try:
        values = as_array(scores, np.float64).copy()
    except (OverflowError, TypeError, ValueError) as error:
        raise AlignmentError(f"the scores are {scores!r:.60}: want one number each") from error
    if values.shape != (size,):
        raise AlignmentError(f"{values.size} scores for {size} bisegments: want one each")
    values.flags.writeable = False
    return values


def _same(a: Rows, b: Rows) -> bool:
    return np.array_equal(a.ptr, b.ptr) and np.array_equal(a.idx, b.idx)


def products(scores: Sequence[Floats | None], group: Ints, groups: int) -> Floats | None:
    """Return the product of the scores of each group; `None` if they are not probabilities."""
    given = [each for each in scores if each is not None]
    if len(given) < len(scores):
        return None
    all_scores = np.concatenate(given)
    if not ((all_scores >= 0) & (all_scores <= 1)).all():
        return None
    product = np.ones(groups)
    np.multiply.at(product, group, all_scores)
    return product


def _rows(sides: list[Iterable[int]]) -> Rows:
    """Flatten collections of indices; raise TypeError or OverflowError for other values."""
    lengths = np.fromiter(map(len, sides), dtype=np.int64, count=len(sides))  # type: ignore[arg-type]
    ptr = prefix(lengths)
    flat = map(index, chain.from_iterable(sides))
    idx = np.fromiter(flat, dtype=np.int64, count=int(ptr[-1]))
    if idx.max(initial=0) < 2 and bool in map(type, chain.from_iterable(sides)):
        raise TypeError  # a mask, which would be read as the indices 0 and 1
    return Rows(ptr, idx)


def _blame(items: list[tuple[Iterable[int], Iterable[int]]]) -> AlignmentError:
    """Return the error that names the bisegment that is not a pair of collections of indices."""
    for k, item in enumerate(items):
        try:
            src, tgt = item
            _rows([src]), _rows([tgt])
        except (TypeError, ValueError, OverflowError):
            return AlignmentError(
                f"bisegment {k} is {item!r:.60}: want a pair of collections of indices, "
                f"as ((0, 1), (2,))"
            )
    return AlignmentError("the bisegments changed while they were read")


def _canonical(rows: Rows, side: str) -> Rows:
    """Sort each row; refuse negative, huge and repeated members."""
    idx, ptr = rows.idx, rows.ptr
    faults = np.flatnonzero((idx < 0) | (idx > _LIMIT))
    if faults.size:
        k = int(np.searchsorted(ptr, faults[0], side="right")) - 1
        raise AlignmentError(
            f"bisegment {k} has the {side} index {idx[faults[0]]}: want indices from 0 to {_LIMIT}"
        )
    if idx.size < 2 or (idx[1:] > idx[:-1]).all():
        return rows
    row = row_of(rows)
    if not ((np.diff(idx) > 0) | (np.diff(row) > 0)).all():
        order = np.lexsort((idx, row))
        idx = idx[order]
        repeats = np.flatnonzero((np.diff(idx) == 0) & (np.diff(row) == 0))
        if repeats.size:
            raise AlignmentError(
                f"bisegment {row[repeats[0]]} has the {side} index {idx[repeats[0]]} twice: "
                f"want each segment once on a side"
            )
    return Rows(ptr, idx)


def _swapped_nulls(value: str) -> str:
    return spell_nulls(link._replace(src=link.tgt, tgt=link.src) for link in parse_nulls(value))


# Alignments of many pairs of texts, in one set of arrays.


class Alignments(Frozen, Sequence[Alignment]):
    """Alignments one after another; an `Alignment` is created on access.

    Parameters
    ----------
    whole : Alignment
        The bisegments of all alignments; the indices of each alignment begin at 0.
    ptr : array of int, shape (alignments + 1,)
        Alignment k has the bisegments `ptr[k]` to `ptr[k + 1]`.

    Raises
    ------
    AlignmentError
        When `ptr` does not ascend from 0 to the number of bisegments.

    Examples
    --------
    >>> whole = Alignment([((0,), (0,)), ((1,), ()), ((0,), (1,))])
    >>> result = Alignments(whole, [0, 2, 3])
    >>> len(result), list(result[1])
    (2, [Bisegment(src=(0,), tgt=(1,))])
    >>> result[:1]
    <Alignments of 1 pair, 2 bisegments>

    """

    __slots__ = ("ptr", "whole")

    whole: Alignment
    ptr: Ints

    def __init__(self, whole: Alignment, ptr: ArrayLike) -> None:
        bounds = np.array(ptr, dtype=np.int64)
        if not are_pointers(bounds, len(whole)):
            raise AlignmentError(
                f"the pointers do not run from 0 to the {len(whole)} bisegments, ascending"
            )
        bounds.flags.writeable = False
        put(self, "whole", whole)
        put(self, "ptr", bounds)

    def __len__(self) -> int:
        return len(self.ptr) - 1

    @overload
    def __getitem__(self, index: int) -> Alignment: ...
    @overload
    def __getitem__(self, index: slice) -> Alignments: ...
    def __getitem__(self, index: int | slice) -> Alignment | Alignments:
        if isinstance(index, slice):
            all_rows = Rows(self.ptr, np.arange(len(self.whole)))
            ptr, chosen = take(all_rows, np.arange(len(self))[index])
            return Alignments(self.whole.select(chosen), ptr)
        index = index_within(index, len(self), "alignment")
        return self.whole.between(int(self.ptr[index]), int(self.ptr[index + 1]))

    def __iter__(self) -> Iterator[Alignment]:
        for begin, end in pairwise(self.ptr.tolist()):
            yield self.whole.between(begin, end)

    def __eq__(self, other: object) -> bool:
        """Compare the alignments of both, one by one and in order."""
        if not isinstance(other, Alignments):
            return NotImplemented
        return len(self) == len(other) and all(map(Alignment.__eq__, self, other))

    def __hash__(self) -> int:
        return hash(self.whole)

    def __repr__(self) -> str:
        pairs = f"{many(len(self), 'pair')}"
        return f"<Alignments of {pairs}, {many(len(self.whole), 'bisegment')}>"
