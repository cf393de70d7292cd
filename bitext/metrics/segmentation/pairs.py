"""Many pairs of segmentations on one line of units, the input of every metric of segmentations.

The pairs stand one after another on the line, so the ends of a pair are bounds of both sides, and
one sweep over the whole line replaces a sweep over each pair.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bitext.errors import InputError, SegmentationError
from bitext.kernels.rows import prefix

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from bitext.model import Segmentation

__all__ = ["Pairs", "Side"]


class Side(NamedTuple):
    """One segmentation of each pair, laid out.

    Attributes
    ----------
    ptr : array of int64, shape (pairs + 1,)
        Pair p has the segments `ptr[p]` to `ptr[p + 1]`.
    bounds : array of int64, shape (segments + 1,)
        Segment s spans the units `bounds[s]` to `bounds[s + 1]` of the line.

    """

    ptr: NDArray[np.int64]
    bounds: NDArray[np.int64]

    @property
    def segments(self) -> NDArray[np.int64]:
        """The number of segments of each pair."""
        return np.diff(self.ptr)

    @property
    def boundaries(self) -> NDArray[np.int64]:
        """The places of all boundaries on the line, ascending, without the ends of pairs."""
        if self.ptr.size == 2:
            return self.bounds[1:-1]
        inner = np.ones(self.bounds.size, dtype=bool)
        inner[self.ptr] = False
        return self.bounds[inner]

    @property
    def boundary_ptr(self) -> NDArray[np.int64]:
        """Pair p has the boundaries `boundary_ptr[p]` to `boundary_ptr[p + 1]`."""
        return self.ptr - np.arange(self.ptr.size)

    @property
    def pair_of_boundary(self) -> NDArray[np.int64]:
        """The pair of each boundary."""
        return np.repeat(np.arange(self.ptr.size - 1), self.segments - 1)


@dataclass(frozen=True, slots=True)
class Pairs:
    """Pairs of segmentations, each pair of the same units.

    Attributes
    ----------
    starts : array of int64, shape (pairs + 1,)
        Pair p is the units `starts[p]` to `starts[p + 1]` of the line.
    gold, hyp : Side
        The two segmentations of each pair.
    typed : tuple of the two sequences of Segmentation, or None
        The segmentations of both sides, where any boundary has types.
    first : int or None
        The number of the first pair in messages; `None` for a single pair.

    """

    starts: NDArray[np.int64]
    gold: Side
    hyp: Side
    typed: tuple[Sequence[Segmentation], Sequence[Segmentation]] | None = None
    first: int | None = None

    @classmethod
    def of(
        cls,
        golds: Sequence[Segmentation],
        hyps: Sequence[Segmentation],
        *,
        first: int | None = None,
    ) -> Pairs:
        """Lay out pairs of segmentations; messages number them from `first` on.

        Raises
        ------
        InputError
            When there are not as many hypotheses as gold standards.
        SegmentationError
            When the two of a pair do not have the same number of units.

        """
        if len(golds) != len(hyps):
            raise InputError(
                f"{len(golds)} gold standards and {len(hyps)} hypotheses: want as many"
            )
        try:
            gold, hyp = _lay(golds), _lay(hyps)
        except AttributeError:
            raise SegmentationError(_no_segmentation(golds, hyps, first)) from None
        starts = gold.bounds[gold.ptr]
        others = hyp.bounds[hyp.ptr]
        if not np.array_equal(starts, others):
            gold_n, hyp_n = np.diff(starts), np.diff(others)
            p = int(np.flatnonzero(gold_n != hyp_n)[0])
            where = "" if first is None else f"pair {first + p}: "
            raise SegmentationError(
                f"{where}the gold standard has {gold_n[p]} units and the hypothesis {hyp_n[p]}: "
                f"want two segmentations of the same units"
            )
        typed = any(s.types is not None for family in (golds, hyps) for s in family)
        return cls(starts, gold, hyp, (golds, hyps) if typed else None, first)

    @property
    def sizes(self) -> NDArray[np.int64]:
        """The number of units of each pair."""
        return np.diff(self.starts)

    def __len__(self) -> int:
        return self.starts.size - 1

    def each(self) -> Iterator[tuple[Segmentation, Segmentation]]:
        """Yield the gold standard and the hypothesis of each pair."""
        if self.typed is not None:
            yield from zip(*self.typed, strict=True)
            return
        from bitext.model import Segmentation

        for p in range(len(self)):
            gold, hyp = (
                Segmentation(np.diff(side.bounds[side.ptr[p] : side.ptr[p + 1] + 1]))
                for side in (self.gold, self.hyp)
            )
            yield gold, hyp

    def name(self, p: int) -> str:
        """Return the prefix of a message about pair p."""
        return "" if self.first is None else f"pair {self.first + p}: "

    def swapped(self) -> Pairs:
        """Return the pairs with gold standard and hypothesis exchanged."""
        typed = None if self.typed is None else (self.typed[1], self.typed[0])
        return Pairs(self.starts, self.hyp, self.gold, typed, self.first)


def _no_segmentation(golds: Sequence[object], hyps: Sequence[object], first: int | None) -> str:
    """Return the message about the first value that is no segmentation."""
    from bitext.model import Segmentation

    sides = (("gold standard", golds), ("hypothesis", hyps))
    name, p, value = next(
        (name, p, value)
        for name, family in sides
        for p, value in enumerate(family)
        if not isinstance(value, Segmentation)
    )
    where = "" if first is None else f"pair {first + p}: "
    return (
        f"{where}the {name} is {value!r:.40}, of type {type(value).__name__}: want a Segmentation, "
        f"as Segmentation([5, 5, 1, 3])"
    )


def _lay(family: Sequence[Segmentation]) -> Side:
    masses = [segmentation.masses for segmentation in family]
    ptr = prefix(np.fromiter(map(len, masses), dtype=np.int64, count=len(masses)))
    if len(masses) == 1:
        return Side(ptr, prefix(masses[0]))
    return Side(ptr, prefix(np.concatenate([np.zeros(0, dtype=np.int64), *masses])))
