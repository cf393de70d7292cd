"""The evidence for beads: lengths, words, punctuation and vectors, each a score of every bead."""

from __future__ import annotations

from collections import OrderedDict
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Sequence

    from numpy.typing import NDArray

    from bitext.kernels.bead_path import Band

__all__ = ["UNIT", "BandColumns", "Evidence", "ScoreCache", "TwoSidedBeads", "within"]

UNIT = 1024.0
"""Integer score of a natural logarithm of 1: ties are exact, and rounding is below any evidence."""


class Evidence(Protocol):
    """A kind of evidence, which scores beads."""

    def block(self, first: int, last: int, band: Band) -> NDArray[np.float32]:
        """Score the beads that end at each point of the rows `first` <= i < `last` of a band.

        Returns
        -------
        array of float32, shape (beads, last - first, width)
            Natural logarithms; scores of beads that begin before the table are undefined.

        """


# The columns of some rows of a band, with values that are computed once for each column.
#
# Adjacent rows have nearly the same columns. Values that depend on a column alone, such as the
# length of the sentences before the column, are computed for each column of all rows, and then laid
# out by rows.

_Number = TypeVar("_Number", np.int64, np.float32, np.float64)

_IN_CACHE = 1 << 15  # numbers of 32 bits of each of two arrays: speed only


class BandColumns(NamedTuple):
    """Columns of some rows of a band.

    Attributes
    ----------
    column : array of int64, shape (columns,)
        All columns from the first to the last of the rows; some may be outside of the table.
    begin : array of int64, shape (rows,)
        The index in `column` of the first point of each row, never descending.
    width : int
        The number of points of each row.

    """

    column: NDArray[np.int64]
    begin: NDArray[np.int64]
    width: int

    @classmethod
    def of(cls, first: int, last: int, band: Band) -> BandColumns:
        """Return the columns of the rows `first` <= i < `last`.

        Examples
        --------
        >>> from bitext.kernels.bead_path import Band
        >>> columns = BandColumns.of(1, 3, Band(np.array([0, 2, 3]), 2, 4))
        >>> columns.column.tolist(), columns.by_rows(columns.column[None], np.array([0])).tolist()
        ([2, 3, 4], [[2, 3], [3, 4]])

        """
        lo = band.lo[first:last]
        column = np.arange(int(lo[0]), int(lo[-1]) + band.width)
        return cls(column, lo - lo[0], band.width)

    def by_rows(self, values: NDArray[_Number], kind: NDArray[np.int64]) -> NDArray[_Number]:
        """Lay out values of columns by rows.

        Parameters
        ----------
        values : array, shape (kinds, columns)
        kind : array of int64, shape (..., rows), or (..., 1) where it is the same in all rows
            Which values each row has.

        Returns
        -------
        array, shape (..., rows, width)

        """
        # Rows are copied whole, which is faster than an index of each point. The windows are made
        # by hand: `sliding_window_view` takes as long as the copies of a narrow band.
        values = np.ascontiguousarray(values)
        shape = len(values), values.shape[1] - self.width + 1, self.width
        strides = *values.strides, values.strides[1]
        windows: NDArray[_Number] = np.ndarray(shape, values.dtype, values, 0, strides)
        result: NDArray[_Number] = windows[kind, self.begin]
        return result

    def together(self, beads: int) -> Iterator[slice]:
        """Divide bead types so that the scores of those of a part fit into a cache of 256 KB."""
        step = max(1, _IN_CACHE // (len(self.begin) * self.width))
        for begin in range(0, beads, step):
            yield slice(begin, begin + step)


class TwoSidedBeads(NamedTuple):
    """The bead types with two sides.

    Attributes
    ----------
    kinds : array of int64, shape (types,)
        Their indices among all types.
    src : array of int64, shape (types, 1)
        The number of source sentences of each.
    tgt : array of int64, shape (numbers, 1)
        The distinct numbers of target sentences, ascending.
    which : array of int64, shape (types, 1)
        The index in `tgt` of the number of each type.

    """

    kinds: NDArray[np.int64]
    src: NDArray[np.int64]
    tgt: NDArray[np.int64]
    which: NDArray[np.int64]

    @classmethod
    def of(cls, beads: Sequence[tuple[int, int]]) -> TwoSidedBeads:
        """Return those of some bead types."""
        return _two_sided(tuple(beads))


@lru_cache(maxsize=16)  # the evidence of each text is for the same bead types
def _two_sided(beads: tuple[tuple[int, int], ...]) -> TwoSidedBeads:
    kinds = np.flatnonzero([a and b for a, b in beads])
    src, tgt = np.array(beads, dtype=np.int64).reshape(-1, 2)[kinds].T
    numbers, which = np.unique(tgt, return_inverse=True)
    return TwoSidedBeads(kinds, src[:, None], numbers[:, None], which.reshape(-1, 1))


def within(values: NDArray[np.int64], least: int, most: int) -> NDArray[np.int64]:
    """Clip numbers to bounds, faster than `numpy.clip` for few numbers."""
    result: NDArray[np.int64] = np.minimum(np.maximum(values, least), most)
    return result


# A cache of the scores of short texts, each of which is used many times.
#
# The initial path of a text is searched with up to a dozen priors and search spaces, and each path
# is searched again for passages and scored. The evidence for a bead is the same in all searches.
# Scores of long texts are not cached: they are large, and each search has other, narrow bands.

_SHORT = 1 << 19  # points of the largest table with cached scores: 700 by 700 sentences
_ROOM = 1 << 25  # bytes of all blocks, 32 MB in each process: bounds memory

_Rows = tuple[int, int, int, bytes, bytes]  # first and last row, width, first and last columns


class ScoreCache:
    """Cache of the latest scores.

    Parameters
    ----------
    room : int
        The maximum number of bytes of all blocks.
    short : int
        The largest number of points of a table with cached scores.

    """

    def __init__(self, room: int = _ROOM, *, short: int = _SHORT) -> None:
        self._room = self._left = room
        self.short = short
        self._held: OrderedDict[Hashable, _Blocks] = OrderedDict()
        self._further: dict[int, list[Evidence]] = {}

    def of(self, key: Hashable, model: object, make: Callable[[], Evidence]) -> Evidence:
        """Return cached evidence for a key; `make` makes the evidence of an immutable model.

        The evidence is made when the first uncached block is scored. Cached blocks are read-only.
        The cache refers to the model as long as to its blocks, so the key may contain the `id` of
        the model.
        """
        blocks = self._held.setdefault(key, _Blocks(model))
        self._held.move_to_end(key)
        return _CachedEvidence(make, blocks, self._has_room)

    def further(self, k: int, more: Callable[[int], Sequence[Evidence]]) -> list[Evidence]:
        """Return the additional evidence of text pair k; `more` is called once for each pair."""
        if k not in self._further:
            self._further[k] = list(more(k))
        return self._further[k]

    @property
    def size(self) -> int:
        """The number of bytes of all blocks."""
        return self._room - self._left

    def clear(self) -> None:
        """Drop all blocks."""
        while self._held:
            self._drop()

    def _drop(self) -> None:
        """Drop the blocks of the least recently used key."""
        _, blocks = self._held.popitem(last=False)
        blocks.is_held = False
        self._left += blocks.size

    def _has_room(self, size: int, blocks: _Blocks) -> bool:
        """Reserve `size` bytes for blocks by dropping others; return whether there is room."""
        while (
            blocks.is_held and self._left < size and next(iter(self._held.values())) is not blocks
        ):
            self._drop()
        if not blocks.is_held or self._left < size:
            return False
        self._left -= size
        blocks.size += size
        return True


class _Blocks:
    """Cached scores of one model."""

    def __init__(self, model: object) -> None:
        self.model, self.is_held, self.size = model, True, 0
        self.blocks: dict[_Rows, NDArray[np.float32]] = {}


class _CachedEvidence:
    """Evidence that computes only blocks that are not cached."""

    def __init__(
        self,
        make: Callable[[], Evidence],
        cached: _Blocks,
        has_room: Callable[[int, _Blocks], bool],
    ) -> None:
        self._make, self._cached, self._has_room = make, cached, has_room

    @cached_property
    def _evidence(self) -> Evidence:
        return self._make()

    def block(self, first: int, last: int, band: Band) -> NDArray[np.float32]:
        """Return the cached scores of some rows of a band, or score the rows and cache them."""
        ends = band.last(np.arange(first, last))
        key = first, last, band.width, band.lo[first:last].tobytes(), ends.tobytes()
        scores = self._cached.blocks.get(key)
        if scores is None:
            scores = self._evidence.block(first, last, band)
            if self._has_room(scores.nbytes, self._cached):
                scores.flags.writeable = False
                self._cached.blocks[key] = scores
        return scores
