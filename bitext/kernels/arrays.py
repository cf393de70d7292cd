"""Arrays of many kinds of data: compressed rows, distinct values, quotients, immutable values.

Compressed rows: many small sets of integers as two arrays, and operations on them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, NoReturn, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bitext.errors import InputError

# The types of arrays that all rooms share, each of any shape.
Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Bools = NDArray[np.bool_]

# Numbers that are summed together, and of which all running sums are in memory: memory only.
_SUMMED_TOGETHER = 1 << 13
_FEW_SUMS = 1 << 15
_BITS = 63  # bits of an int64 without its sign
_Number = TypeVar("_Number", np.int64, np.float64)


class Rows(NamedTuple):
    """Row k holds `idx[ptr[k]:ptr[k+1]]`, ascending and without repeats."""

    ptr: Ints  # shape (rows + 1,)
    idx: Ints  # shape (members,)

    @property
    def lengths(self) -> Ints:
        """The number of members of each row."""
        return self.ptr[1:] - self.ptr[:-1]  # a third of the time of `np.diff` for few rows

    def row(self, k: int) -> Ints:
        """Return the members of row k."""
        return self.idx[self.ptr[k] : self.ptr[k + 1]]


def row_of(rows: Rows) -> Ints:
    """Return the row of each member."""
    return np.repeat(np.arange(len(rows.ptr) - 1), rows.lengths)


def prefix(values: NDArray[_Number]) -> NDArray[_Number]:
    """Return the running sums along the last axis, from 0 on; one longer than `values`."""
    out = np.zeros((*values.shape[:-1], values.shape[-1] + 1), dtype=values.dtype)
    # As `np.cumsum`, in a third of the time for few values.
    np.add.accumulate(values, axis=-1, out=out[..., 1:])
    return out


class RunningSums:
    """Running sums of long sequences, as `prefix` returns them, in little memory.

    `values(first, last)` returns numbers of the sequence, which has `size`. One sum in `together`
    is stored; those near the last ones that were read are in memory, too, and others are added up
    again when they are read, in the same order, so that they are the same to the last bit.

    Examples
    --------
    >>> numbers = np.linspace(0.1, 0.9, 25_000)
    >>> sums = RunningSums(25_000, lambda first, last: numbers[first:last])
    >>> at = np.array([3, 20_000, 17_000, 25_000])
    >>> np.array_equal(sums[at], prefix(numbers)[at]), len(sums)
    (True, 25001)

    """

    def __init__(
        self,
        size: int,
        values: Callable[[int, int], Floats],
        *,
        together: int = _SUMMED_TOGETHER,
    ) -> None:
        self._size, self._values, self._together = size, values, together
        self._stored = [-0.0]  # the sum before each part: what is added to -0.0 keeps its sign
        for first in range(0, size, together):
            self._stored.append(float(self._from(first, first + together)[-1]))
        self._begin, self._near = 0, np.zeros(1)

    def _from(self, first: int, last: int) -> Floats:
        """Return the sums from the one before a part up to `last`, or to the end."""
        last = min(last, self._size)
        sums = np.empty(last - first + 1)
        sums[0], sums[1:] = self._stored[first // self._together], self._values(first, last)
        np.add.accumulate(sums, out=sums)
        sums[: first == 0] = 0.0
        return sums

    def __len__(self) -> int:
        return self._size + 1

    def __getitem__(self, at: Ints) -> Floats:
        near, begin = self.window(int(at.min()), int(at.max()))
        sums: Floats = near[at - begin]
        return sums

    def window(self, low: int, high: int) -> tuple[Floats, int]:
        """Return an array with the sums from `low` to `high`, and the index of its first one."""
        if low < self._begin or high >= self._begin + len(self._near):
            self._begin = low // self._together * self._together
            # One more part: those who read in order come to it next.
            parts = (high - self._begin) // self._together + 2
            self._near = self._from(self._begin, self._begin + parts * self._together)
        return self._near, self._begin


def running_sums(size: int, values: Callable[[int, int], Floats]) -> Floats | RunningSums:
    """Return the running sums of some values, from 0 on: an array if there are few."""
    return RunningSums(size, values) if size > _FEW_SUMS else prefix(values(0, size))


def window_of(sums: Floats | RunningSums, low: int, high: int) -> tuple[Floats, int]:
    """Return an array with the sums from `low` to `high`, clipped, and the index of its first."""
    if not isinstance(sums, RunningSums):
        return sums, 0
    most = len(sums) - 1
    return sums.window(min(max(low, 0), most), min(max(high, 0), most))


def are_pointers(ptr: NDArray[Any], members: int) -> bool:
    """Check that pointers ascend from 0 to the number of members."""
    is_whole = ptr.ndim == 1 and ptr.size > 0 and ptr[0] == 0 and ptr[-1] == members
    return is_whole and not bool((ptr[1:] < ptr[:-1]).any())


def as_array(values: Any, dtype: type | None = None) -> NDArray[Any]:
    """Return values as an array, as `np.asarray`, which would drop the mask of a masked array.

    Raises `InputError` when a value is masked.
    """
    mask = getattr(values, "mask", None)  # a method of a Series
    if isinstance(mask, np.ndarray | np.bool_) and mask.any():
        raise InputError(f"{values!r:.60} has masked values: want a value in each place")
    return np.asarray(values, dtype=dtype)


def index_within(index: int, size: int, noun: str) -> int:
    """Return an index of Python, which may count from the end, as one from 0.

    Raises `IndexError` when there is no such item.
    """
    if not -size <= index < size:
        raise IndexError(f"{noun} {index} of {size}")
    return index % size


def within(values: Ints, least: int, most: int) -> Ints:
    """Clip numbers to bounds, faster than `numpy.clip` for few numbers."""
    return np.minimum(np.maximum(values, least), most)


def batches(ptr: Ints, at_once: int) -> Iterator[tuple[int, int]]:
    """Yield runs of rows, half-open, of about `at_once` members each, and of one row at least."""
    begin, rows = 0, len(ptr) - 1
    while begin < rows:
        end = int(np.searchsorted(ptr, ptr[begin] + at_once, side="right")) - 1
        end = min(max(end, begin + 1), rows)
        yield begin, end
        begin = end


def positions(keys: Ints, numbers: Ints) -> tuple[Ints, Bools]:
    """Return the position of each number among ascending keys, and whether it is one of them."""
    place = np.searchsorted(keys, numbers)
    is_key = place < len(keys)
    is_key[is_key] = keys[place[is_key]] == numbers[is_key]
    return place, is_key


def ranges(begin: Ints | int, number: Ints) -> Ints:
    """Return `number[k]` integers from `begin[k]` on, for each k; or from one beginning on.

    Examples
    --------
    >>> ranges(np.array([5, 0, 9]), np.array([2, 0, 3])).tolist()
    [5, 6, 9, 10, 11]

    """
    ptr = prefix(number)
    return np.arange(ptr[-1]) + np.repeat(begin - ptr[:-1], number)


def sums(rows: Rows, values: Ints) -> Ints:
    """Sum the values of the members of each row; `values` has one column per member."""
    total = prefix(values[..., rows.idx])
    return total[..., rows.ptr[1:]] - total[..., rows.ptr[:-1]]


def sum_by(group: Ints, values: Ints, groups: int) -> Ints:
    """Sum the values of each group; `group` has the group of each column, ascending."""
    ends = prefix(np.bincount(group, minlength=groups))
    total = prefix(values)
    return total[..., ends[1:]] - total[..., ends[:-1]]


def kinds(src: Ints, tgt: Ints) -> tuple[list[tuple[int, int]], Ints]:
    """Return the distinct pairs of two columns of lengths, ascending, and their indices."""
    width = int(tgt.max(initial=0)) + 1
    keys, kind = np.unique(src * width + tgt, return_inverse=True)
    pairs = [(key // width, key % width) for key in keys.tolist()]
    return pairs, kind.reshape(-1)


def relabel(rows: Rows, new: Ints) -> Rows:
    """Return the rows with member m renumbered as `new[m]`; `new` has no repeats."""
    idx = new[rows.idx]
    row = row_of(rows)
    if idx.size > 1 and not ((np.diff(idx) > 0) | (np.diff(row) > 0)).all():
        idx = idx[np.lexsort((idx, row))]
    return Rows(rows.ptr, idx)


def spread(rows: Rows, parts: Rows) -> Rows:
    """Return the rows with member m replaced by the members of row m of `parts`.

    The rows of `parts` are disjoint, and ascend from row to row.
    """
    inner = take(parts, rows.idx)
    return Rows(inner.ptr[rows.ptr], inner.idx)


def take(rows: Rows, chosen: Ints) -> Rows:
    """Return the chosen rows, in the order of `chosen`."""
    lengths = rows.lengths[chosen]
    ptr = prefix(lengths)
    shift = np.repeat(rows.ptr[:-1][chosen] - ptr[:-1], lengths)
    return Rows(ptr, rows.idx[np.arange(ptr[-1]) + shift])


def transposed(rows: Rows, members: int) -> Rows:
    """Return the rows that each of the members 0 to `members` - 1 is in.

    Examples
    --------
    >>> transposed(Rows(np.array([0, 2, 3]), np.array([0, 2, 0])), 3)
    Rows(ptr=array([0, 2, 2, 3]), idx=array([0, 1, 0]))

    """
    order = np.argsort(rows.idx, kind="stable")
    return Rows(prefix(np.bincount(rows.idx, minlength=members)), row_of(rows)[order])


def concatenate(parts: Sequence[Rows], offsets: Sequence[int]) -> Rows:
    """Return all rows of all parts, the members of part k raised by `offsets[k]`."""
    if len(parts) == 1 and not offsets[0]:
        return parts[0]
    lengths = np.concatenate([np.zeros(0, dtype=np.int64), *(part.lengths for part in parts)])
    members = [part.idx + offset for part, offset in zip(parts, offsets, strict=True)]
    return Rows(prefix(lengths), np.concatenate([np.zeros(0, dtype=np.int64), *members]))


def components(rows: Rows) -> Ints:
    """Number the rows, with the same number where they share members, directly or through others.

    Components are numbered in the order of their first rows.

    Examples
    --------
    >>> components(Rows(np.array([0, 2, 3, 5]), np.array([0, 4, 1, 4, 7]))).tolist()
    [0, 1, 0]

    """
    order = np.argsort(rows.idx, kind="stable")
    members, row = rows.idx[order], row_of(rows)[order]
    same = members[1:] == members[:-1]
    labels = joined_labels(np.arange(len(rows.ptr) - 1), row[:-1][same], row[1:][same])
    return np.unique(labels, return_inverse=True)[1].reshape(-1)


def joined_labels(labels: Ints, one: Ints, other: Ints) -> Ints:
    """Join the clusters of pairs of items; return the least label of each cluster.

    A label is the number of an item whose own label is the same.
    """
    labels = labels.copy()
    while one.size:
        a, b = labels[one], labels[other]
        apart = a != b
        one, other, a, b = one[apart], other[apart], a[apart], b[apart]
        np.minimum.at(labels, np.maximum(a, b), np.minimum(a, b))
        # Pointer jumping, until every label is its own.
        while not np.array_equal(jumped := labels[labels], labels):
            labels = jumped
    return labels


def union_by(rows: Rows, group: Ints, groups: int) -> Rows:
    """Return the union of the rows of each group.

    Examples
    --------
    >>> union_by(Rows(np.array([0, 2, 3]), np.array([0, 4, 0])), np.array([1, 1]), 2)
    Rows(ptr=array([0, 0, 2]), idx=array([0, 4]))

    """
    owner, members = group[row_of(rows)], rows.idx
    order = np.lexsort((members, owner))
    owner, members = owner[order], members[order]
    new = np.ones(owner.size, dtype=bool)
    new[1:] = (owner[1:] != owner[:-1]) | (members[1:] != members[:-1])
    return Rows(prefix(np.bincount(owner[new], minlength=groups)), members[new])


def side_by_side(parts: Sequence[Rows], offsets: Sequence[int]) -> Rows:
    """Join row k of every part to one row, the members of part j raised by `offsets[j]`.

    Examples
    --------
    >>> one = Rows(np.array([0, 1, 1]), np.array([3]))
    >>> side_by_side([one, Rows(np.array([0, 2, 3]), np.arange(3))], [0, 10])
    Rows(ptr=array([0, 3, 4]), idx=array([ 3, 10, 11, 12]))

    """
    rows = len(parts[0].ptr) - 1
    return union_by(concatenate(parts, offsets), np.tile(np.arange(rows), len(parts)), rows)


def runs(rows: Rows) -> tuple[Ints, Ints, Ints]:
    """Return the runs of consecutive members: the row, first member and last member + 1 of each."""
    if not rows.idx.size:
        none = np.zeros(0, dtype=np.int64)
        return none, none, none
    opens = np.ones(rows.idx.size, dtype=bool)
    opens[1:] = np.diff(rows.idx) != 1
    begun = rows.ptr[:-1]
    opens[begun[begun < rows.idx.size]] = True
    first = np.flatnonzero(opens)
    last = np.append(first[1:], rows.idx.size) - 1
    return row_of(rows)[first], rows.idx[first], rows.idx[last] + 1


def mixed(values: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Mix the bits of 64-bit values (the finaliser of SplitMix64, Steele et al. 2014)."""
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return values ^ (values >> np.uint64(31))


def _digest(src: Rows, tgt: Rows) -> NDArray[np.uint64]:
    out = np.zeros(len(src.ptr) - 1, dtype=np.uint64)
    for rows, salt in ((src, 0x9E3779B97F4A7C15), (tgt, 0x3C6EF372FE94F82A)):
        total = np.zeros(rows.idx.size + 1, dtype=np.uint64)
        np.cumsum(mixed(rows.idx.astype(np.uint64) + np.uint64(salt)), out=total[1:])
        out += total[rows.ptr[1:]] - total[rows.ptr[:-1]]
    return out


def identify(
    src: Rows, tgt: Rows, *, digest: Callable[[Rows, Rows], NDArray[np.uint64]] = _digest
) -> Ints:
    """Number the pairs of rows (src[k], tgt[k]), equal pairs with the same number.

    Linear in the members except for one sort. Pairs are numbered by a 64-bit digest, and every pair
    is then compared in full with the first of its number, so the result is exact.
    """
    _, first, ids = np.unique(digest(src, tgt), return_index=True, return_inverse=True)
    ids = ids.reshape(-1).astype(np.int64)
    for rows in (src, tgt):
        model = take(rows, first[ids])
        if not (np.array_equal(model.ptr, rows.ptr) and np.array_equal(model.idx, rows.idx)):
            return identify_by_dictionary(src, tgt)
    return ids


def identify_by_dictionary(src: Rows, tgt: Rows) -> Ints:
    """Return the same by a dictionary, for a collision of two digests."""
    known: dict[tuple[bytes, bytes], int] = {}
    keys = ((src.row(k).tobytes(), tgt.row(k).tobytes()) for k in range(len(src.ptr) - 1))
    return np.array([known.setdefault(key, len(known)) for key in keys], dtype=np.int64)


def distinct_below(
    values: Ints, limit: int, *, at_once: int = 1 << 18
) -> tuple[Ints, NDArray[np.int32]]:
    """Return the distinct values, ascending, and the index of each value among them.

    Values are from 0 to `limit` - 1. The result is that of `numpy.unique`, in less memory: values
    are sorted with their indices in the low bits, if both have room in 63 bits. The array `values`
    is overwritten. `at_once`, the number of values compared at once, changes memory only.

    Examples
    --------
    >>> distinct, index = distinct_below(np.array([7, 3, 7, 0]), 8)
    >>> distinct.tolist(), index.tolist()
    ([0, 3, 7], [2, 1, 2, 0])

    """
    bits = len(values).bit_length()
    if limit.bit_length() + bits > _BITS:
        keys, high_bits = np.unique(values, return_inverse=True)
        return keys, high_bits.astype(np.int32)
    values <<= bits
    values += np.arange(len(values))
    values.sort(kind="stable")  # merges runs, of which pairs of words have many
    index = np.empty(len(values), dtype=np.int32)
    different, last, number = [values[:0]], -1, -1
    for begin in range(0, len(values), at_once):
        batch = values[begin : begin + at_once]
        high_bits = batch >> bits
        new = np.diff(high_bits, prepend=last) != 0
        different.append(high_bits[new])
        rank = np.cumsum(new) + number
        index[batch & ((1 << bits) - 1)] = rank
        last, number = int(high_bits[-1]), int(rank[-1])
    return np.concatenate(different), index


def with_gaps(rows: Rows) -> Bools:
    """Mask the rows with a gap between their first and their last member."""
    has_gap = rows.lengths > 1
    if has_gap.any():
        first, last = rows.ptr[:-1][has_gap], rows.ptr[1:][has_gap] - 1
        has_gap[has_gap] = rows.idx[last] - rows.idx[first] != last - first
    return has_gap


def out_of_order(rows: Rows) -> Bools:
    """Mask the rows whose first member is below that of an earlier row."""
    is_late = rows.lengths > 0
    first = rows.idx[rows.ptr[:-1][is_late]]
    is_late[is_late] = first < np.maximum.accumulate(first)
    return is_late


def repeated(rows: Rows) -> Ints:
    """Return the places of repeated members, ascending."""
    idx = rows.idx
    if (np.diff(idx) > 0).all():
        return np.zeros(0, dtype=np.int64)
    order = np.argsort(idx, kind="stable")
    again: Ints = order[1:][np.diff(idx[order]) == 0]
    return np.sort(again)


# Distinct values and medians, without `numpy.ma`, whose import takes 8 ms of a command.


_Value = TypeVar("_Value", bound=np.generic)


def distinct(values: NDArray[_Value]) -> NDArray[_Value]:
    """Return the distinct values of an array, ascending, as `numpy.unique` does.

    Examples
    --------
    >>> distinct(np.array([3, 1, 3])).tolist()
    [1, 3]

    """
    ordered = np.sort(values, axis=None)
    new = np.ones(ordered.size, dtype=np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=new[1:])
    return ordered[new]


def divided(above: ArrayLike, below: ArrayLike, *, empty: float = np.nan) -> Floats:
    """Divide number by number; `empty` is the quotient where the divisor is 0."""
    out = np.full(np.broadcast_shapes(np.shape(above), np.shape(below)), float(empty))
    np.divide(above, below, out=out, where=np.not_equal(below, 0))
    return out


def median(values: NDArray[Any] | Sequence[float]) -> float:
    """Return the median of numbers, as `numpy.median` does; NaN without any.

    Examples
    --------
    >>> median([3, 1, 2]), median([3, 1])
    (2.0, 2.0)

    """
    numbers = np.asarray(values, dtype=np.float64).ravel()
    if not numbers.size or np.isnan(numbers).any():
        return math.nan
    half = numbers.size // 2
    ordered = np.partition(numbers, [half - 1, half] if half else [0])
    middle = float(ordered[half]) + 0.0  # no -0.0
    return middle if numbers.size % 2 else (float(ordered[half - 1]) + middle) / 2


def matrix_product(
    first: NDArray[np.floating[Any]], second: NDArray[np.floating[Any]], out: Any = None
) -> Any:
    """Return the matrix product of two matrices of finite numbers, without false warnings.

    If five products of 32 bits make each sum, OpenBLAS with AVX-512 (0.3.31, in numpy 2.4) also
    loads the bytes after them. The sums are right, but where these bytes are no number, numpy
    warns of an invalid value.

    Examples
    --------
    >>> matrix_product(np.eye(2), np.ones((2, 1))).tolist()
    [[1.0], [1.0]]

    """
    with np.errstate(invalid="ignore"):
        return np.matmul(first, second, out=out)


# The base of immutable values with arrays.

put = object.__setattr__  # sets an attribute of a `Frozen` in its constructor


def put_all(instance: Frozen, **attributes: Any) -> None:
    """Set several attributes of a `Frozen` in its constructor."""
    for name, value in attributes.items():
        put(instance, name, value)


class Frozen:
    """An immutable slotted class, whose constructor sets the attributes with `put`."""

    __slots__ = ()

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} does not change: make a new one")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} does not change: make a new one")

    def __setstate__(self, state: tuple[None, dict[str, Any]]) -> None:
        """Restore the attributes of a pickle or a copy."""
        for name, value in state[1].items():
            put(self, name, value)
