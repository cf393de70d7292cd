"""The overlap sweep: which segments of two segmentations of one line overlap, and where."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bitext.errors import SegmentationError

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Overlaps", "bounds_of", "overlap", "overlap_intervals"]


class Overlaps(NamedTuple):
    """The overlapping pairs, in order along the line.

    Attributes
    ----------
    first, second : array of int64
        The segment of either segmentation.
    start, end : array of int64
        The half-open span that the two share; never empty.

    """

    first: NDArray[np.int64]
    second: NDArray[np.int64]
    start: NDArray[np.int64]
    end: NDArray[np.int64]


def overlap(first: NDArray[np.int64], second: NDArray[np.int64]) -> Overlaps:
    """Lay two segmentations of one line over each other.

    Both are given by the bounds of their segments, ends included: m+1 non-decreasing
    integers for m segments. There are at most m1 + m2 - 1 overlaps. Segments without length
    overlap nothing.

    Time and memory are O(m1 + m2): two sorted runs are merged, and the segments are counted.

    Raises
    ------
    SegmentationError
        When the bounds run backwards or the lines differ in their ends.

    """
    if first.size == 0 or second.size == 0 or first[0] != second[0] or first[-1] != second[-1]:
        a, b = (f"{x[0]} to {x[-1]}" if x.size else "nothing" for x in (first, second))
        raise SegmentationError(f"the lines differ: {a} and {b}; want two segmentations of one")
    if any((bounds[1:] < bounds[:-1]).any() for bounds in (first, second)):
        raise SegmentationError("the bounds of a segmentation run backwards: want ascending ones")
    cuts = np.concatenate([first, second])
    # A stable sort of two ascending runs is one merge.
    order = np.argsort(cuts, kind="stable")
    cuts = cuts[order]
    solid = np.flatnonzero(cuts[1:] != cuts[:-1])
    # Of the bounds up to a piece so many are of the first, and the rest of the second.
    passed = np.cumsum(order < first.size)[solid]
    return Overlaps(passed - 1, solid - passed, cuts[solid], cuts[solid + 1])


def overlap_intervals(
    first: tuple[NDArray[np.int64], NDArray[np.int64]],
    second: tuple[NDArray[np.int64], NDArray[np.int64]],
) -> Overlaps:
    """Lay two families of intervals over each other, each in order and disjoint.

    Each family is (starts, ends). The gaps between intervals are segments too, which are left
    out of the answer, so this is `overlap` with other bounds.
    """
    low = min((int(start[0]) for start, _ in (first, second) if start.size), default=0)
    high = max((int(end[-1]) for _, end in (first, second) if end.size), default=0)
    found = overlap(*(bounds_of(start, end, low, high) for start, end in (first, second)))
    solid = (found.first % 2 == 1) & (found.second % 2 == 1)
    return Overlaps(
        found.first[solid] // 2, found.second[solid] // 2, found.start[solid], found.end[solid]
    )


def bounds_of(
    starts: NDArray[np.int64], ends: NDArray[np.int64], low: int, high: int
) -> NDArray[np.int64]:
    """Return bounds in which segment 2k is the gap before interval k, and 2k+1 the interval.

    The intervals are in order and disjoint; `low` and `high` are the ends of the line.
    """
    flat = np.stack([starts, ends], axis=1).ravel()
    return np.concatenate([[low], flat, [high]])
