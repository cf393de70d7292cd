"""Where the segments of two texts stand side by side: levels of a drawing, and the order of beads.

Two columns of segments are kept level at the bisegments of the longest chain that ascends on both
sides. One that crosses many others has no part in it, and so moves nothing.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from bitext.kernels.rows import Rows

__all__ = ["levels", "places"]


def levels(src: Rows, tgt: Rows) -> list[tuple[int, int]]:
    """Return the first segments of bisegments in the longest chain that ascends on both sides.

    Among chains of one length the one is taken whose segments come first.

    Examples
    --------
    >>> from bitext import Alignment
    >>> a = Alignment([((0,), (0,)), ((1,), (4,)), ((2,), (1,)), ((), (2,)), ((3, 4), (3,))])
    >>> levels(a.src, a.tgt)
    [(0, 0), (2, 1), (3, 3)]

    """
    full = np.flatnonzero((src.lengths > 0) & (tgt.lengths > 0))
    first = zip(src.idx[src.ptr[full]].tolist(), tgt.idx[tgt.ptr[full]].tolist(), strict=True)
    # Of bisegments with one first source segment at most one has a part: the last come first.
    points = sorted(set(first), key=lambda point: (point[0], -point[1]))
    ends: list[int] = []  # the least target at which a chain of each length ends
    last: list[int] = []  # and its point
    before: list[int] = []
    for k, (_, t) in enumerate(points):
        size = bisect_left(ends, t)
        before.append(last[size - 1] if size else -1)
        if size == len(ends):
            ends.append(t)
            last.append(k)
        else:
            ends[size], last[size] = t, k
    chain, k = [], last[-1] if last else -1
    while k >= 0:
        chain.append(points[k])
        k = before[k]
    return chain[::-1]


def places(
    found: Iterable[tuple[int, int]], src_size: int, tgt_size: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return how far down each segment stands when every one is one high.

    Examples
    --------
    >>> src, tgt = places([(0, 0), (2, 1)], 3, 2)
    >>> src.tolist(), tgt.tolist()
    ([0.0, 1.0, 2.0], [0.0, 2.0])

    """
    sides = (np.zeros(src_size), np.zeros(tgt_size))
    at, begin = 0, (0, 0)
    for end in (*found, (src_size, tgt_size)):
        for side, low, high in zip(sides, begin, end, strict=True):
            side[low:high] = np.arange(at, at + high - low)
        at += max(high - low for low, high in zip(begin, end, strict=True))
        begin = end
    return sides
