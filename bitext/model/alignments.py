"""Alignments of many pairs of texts, held in one set of arrays."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, overload

import numpy as np

from bitext.errors import AlignmentError
from bitext.kernels.rows import Rows, take
from bitext.model.alignment import Alignment
from bitext.model.frozen import Frozen, put

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import ArrayLike, NDArray

__all__ = ["Alignments"]


class Alignments(Frozen, Sequence[Alignment]):
    """Alignments one after another; an `Alignment` is made when one is asked for.

    Parameters
    ----------
    whole : Alignment
        The bisegments of all of them; the indices of each begin at 0 anew.
    ptr : array of int, shape (alignments + 1,)
        Alignment k has the bisegments `ptr[k]` to `ptr[k + 1]`.

    Raises
    ------
    AlignmentError
        When `ptr` does not run from 0 to the number of bisegments, ascending.

    Examples
    --------
    >>> whole = Alignment([((0,), (0,)), ((1,), ()), ((0,), (1,))])
    >>> found = Alignments(whole, [0, 2, 3])
    >>> len(found), list(found[1])
    (2, [Bisegment(src=(0,), tgt=(1,))])
    >>> found[:1]
    <Alignments of 1 pair, 2 bisegments>

    """

    __slots__ = ("ptr", "whole")

    whole: Alignment
    ptr: NDArray[np.int64]

    def __init__(self, whole: Alignment, ptr: ArrayLike) -> None:
        bounds = np.array(ptr, dtype=np.int64)
        if (
            bounds.ndim != 1
            or not bounds.size
            or bounds[0]
            or bounds[-1] != len(whole)
            or (np.diff(bounds) < 0).any()
        ):
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
            every = Rows(self.ptr, np.arange(len(self.whole)))
            ptr, chosen = take(every, np.arange(len(self))[index])
            return Alignments(self.whole.select(chosen), ptr)
        if not -len(self) <= index < len(self):
            raise IndexError(f"alignment {index} of {len(self)}")
        index %= len(self)
        return self.whole.between(int(self.ptr[index]), int(self.ptr[index + 1]))

    def __iter__(self) -> Iterator[Alignment]:
        for begin, end in pairwise(self.ptr.tolist()):
            yield self.whole.between(begin, end)

    def __eq__(self, other: object) -> bool:
        """Tell whether it holds equal alignments in the same order."""
        if not isinstance(other, Alignments):
            return NotImplemented
        return len(self) == len(other) and all(map(Alignment.__eq__, self, other))

    def __hash__(self) -> int:
        return hash(self.whole)

    def __repr__(self) -> str:
        pairs = f"{len(self)} pair{'s' * (len(self) != 1)}"
        return f"<Alignments of {pairs}, {len(self.whole)} bisegments>"
