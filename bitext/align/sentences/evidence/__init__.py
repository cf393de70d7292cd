"""The evidence for beads: lengths, words, punctuation and vectors, each a score of every bead."""

from __future__ import annotations

from collections import OrderedDict
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from numpy.typing import NDArray

    from bitext.kernels.bead_path import Band

__all__ = ["SHORT", "UNIT", "BandColumns", "Evidence", "ScoreCache", "within"]

UNIT = 1024.0
"""Integer score of a natural logarithm of 1: ties are exact, rounding is far below any evidence."""


class Evidence(Protocol):
    """A kind of evidence: it scores beads."""

    def block(self, first: int, last: int, band: Band) -> NDArray[np.float32]:
        """Score each bead that ends at each point of the rows `first` <= i < `last` of a band.

        Returns
        -------
        array of float32, shape (beads, last - first, width)
            Natural logarithms; those of beads that begin before the table mean nothing.

        """


# The columns of some rows of a band, with values that are computed once for each column.
#
# Rows that follow each other look at nearly the same columns. What hangs on a column alone, as the
# length of the sentences before it, is found for each column of all rows, and then laid out by
# rows.

_Number = TypeVar("_Number", np.int64, np.float32, np.float64)


class BandColumns(NamedTuple):
    """The columns of some rows of a band.

    Attributes
    ----------
    column : array of int64, shape (columns,)
        All that any of the rows looks at, ascending, and those between; some may be outside of the
        table.
    place : array of int64, shape (rows, width)
        Where in `column` each point of the rows is.

    """

    column: NDArray[np.int64]
    place: NDArray[np.int64]

    @classmethod
    def of(cls, first: int, last: int, band: Band) -> BandColumns:
        """Make the columns of the rows `first` <= i < `last`.

        Examples
        --------
        >>> from bitext.kernels.bead_path import Band
        >>> found = BandColumns.of(1, 3, Band(np.array([0, 2, 3]), 2, 4))
        >>> found.column.tolist(), found.place.tolist()
        ([2, 3, 4], [[0, 1], [1, 2]])

        """
        lo = band.lo[first:last]
        column = np.arange(int(lo[0]), int(lo[-1]) + band.width)
        return cls(column, (lo - lo[0])[:, None] + np.arange(band.width))

    def by_rows(self, values: NDArray[_Number]) -> NDArray[_Number]:
        """Return values of columns (the last axis) by rows: shape (..., rows, width)."""
        return values.take(self.place, axis=-1)


def within(values: NDArray[np.int64], least: int, most: int) -> NDArray[np.int64]:
    """Clip numbers to bounds, as `numpy.clip` does, which is slow for few numbers."""
    result: NDArray[np.int64] = np.minimum(np.maximum(values, least), most)
    return result


# A cache of the scores of short texts, which are asked for again and again.
#
# The initial path of a text is searched with up to a dozen priors and search spaces, and each path
# is searched again for passages and scored. Lengths, punctuation, words and vectors say the same
# of a bead in all of them. Scores of long texts are not cached: they are asked for along narrow
# bands, and are large.

SHORT = 1 << 19
"""The most points of a table whose scores are cached: 700 by 700 sentences."""
_ROOM = 1 << 25  # bytes of all blocks: 32 MB in each process

_Rows = tuple[int, int, int, bytes, bytes]  # those of a block, and their columns


class ScoreCache:
    """The scores that evidence gave lately.

    Parameters
    ----------
    room : int
        The most bytes of all blocks that are kept.

    """

    def __init__(self, room: int = _ROOM) -> None:
        self._room = self._left = room
        self._held: OrderedDict[Hashable, _Blocks] = OrderedDict()
        self._further: dict[int, list[Evidence]] = {}

    def of(self, key: Hashable, model: object, make: Callable[[], Evidence]) -> Evidence:
        """Return the evidence of a key; `make` makes it of a model that never changes.

        It is made when a block is asked for that is not cached. Its blocks are read-only. The model
        is kept as long as they are, so the key may contain its `id`.
        """
        blocks = self._held.setdefault(key, _Blocks(model))
        self._held.move_to_end(key)
        return _CachedEvidence(make, blocks, self._has_room)

    def further(self, k: int, more: Callable[[int], Sequence[Evidence]]) -> list[Evidence]:
        """Return the further evidence of text pair k; `more` is called once."""
        if k not in self._further:
            self._further[k] = list(more(k))
        return self._further[k]

    @property
    def size(self) -> int:
        """The bytes of all blocks."""
        return self._room - self._left

    def clear(self) -> None:
        """Drop all blocks."""
        while self._held:
            self._drop()

    def _drop(self) -> None:
        """Drop the blocks that have not been used for the longest."""
        _, blocks = self._held.popitem(last=False)
        blocks.is_held = False
        self._left += blocks.size

    def _has_room(self, size: int, blocks: _Blocks) -> bool:
        """Make room for so many bytes by dropping other blocks; return whether there is room."""
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
    """The scores that evidence gave by one model."""

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
        """Score each bead that ends at each point of some rows of a band."""
        ends = band.last(np.arange(first, last))
        key = first, last, band.width, band.lo[first:last].tobytes(), ends.tobytes()
        found = self._cached.blocks.get(key)
        if found is None:
            found = self._evidence.block(first, last, band)
            if self._has_room(found.nbytes, self._cached):
                found.flags.writeable = False
                self._cached.blocks[key] = found
        return found
