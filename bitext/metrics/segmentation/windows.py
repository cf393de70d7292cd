"""Windows over two segmentations: their sizes, and the counts of boundaries in them.

A window of size k holds k potential boundaries: from unit i to unit i + k of a text of n units,
which makes n - k windows (Pevzner and Hearst 2002). *Padded* (Lamprier et al. 2007), the first and
the last segment are k - 1 units longer, which makes n + k - 2 windows, so that every boundary lies
in exactly k of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bitext.errors import SegmentationError
from bitext.kernels.rows import prefix, sum_by
from bitext.metrics.checks import whole
from bitext.metrics.segmentation.pairs import Pairs, Side

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = [
    "WindowSteps",
    "boundaries_apart",
    "held_up_to",
    "padded_pairs",
    "window_sizes",
    "window_steps",
    "windows_apart",
    "windows_of",
]

_MOST = 1 << 62
_COMPACT = 24  # units a boundary up to which an array over the units is the faster way


def window_sizes(pairs: Pairs, k: int | None) -> NDArray[np.int64]:
    """Return the window size of each pair: `k`, or half the mean segment of its gold standard.

    That is max(2, round half even (n / 2m)) for n units in m segments.

    Raises
    ------
    OptionError
        When `k` is not a positive integer.
    SegmentationError
        When a text is too short for the window: k >= n.

    """
    sizes = pairs.sizes
    if k is None:
        found, rest = np.divmod(sizes, 2 * pairs.gold.segments)
        half = pairs.gold.segments  # a half goes to the even number
        found = np.maximum(found + ((rest > half) | ((rest == half) & (found % 2 == 1))), 2)
    else:
        k = whole("k", k, "units", least=1)
        # A k beyond all texts is refused below, as one just beyond is.
        found = np.full(len(pairs), min(k, 2**62), dtype=np.int64)
    short = np.flatnonzero(found >= sizes)
    if short.size:
        p = int(short[0])
        n, wide = int(sizes[p]), found[p] if k is None else k
        raise SegmentationError(
            f"{pairs.name(p)}k is {wide} and the text has {n} unit{'s' if n > 1 else ''}: want k "
            f"below the number of units"
        )
    return found


def padded_pairs(pairs: Pairs, k: NDArray[np.int64]) -> Pairs:
    """Return the pairs with k - 1 units more in the first and in the last segment of each text."""
    gold, hyp = (_longer(side, k - 1) for side in (pairs.gold, pairs.hyp))
    return Pairs(pairs.starts + 2 * prefix(k - 1), gold, hyp)


def _longer(side: Side, more: NDArray[np.int64]) -> Side:
    masses = np.diff(side.bounds)
    masses[side.ptr[:-1]] += more
    masses[side.ptr[1:] - 1] += more
    return Side(side.ptr, prefix(masses))


def windows_of(pairs: Pairs, k: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the number of windows of each pair: n - k."""
    return pairs.sizes - k


def windows_apart(pairs: Pairs, k: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return in how many windows of each pair the one side has a boundary and the other has none.

    The windows with a boundary of either side are counted, and from them those of each side: a
    boundary adds as many as the distance to the one before it, k at the most.
    Linear in the boundaries, whatever n and k.
    """
    gold, hyp = pairs.gold, pairs.hyp
    both = Side(gold.ptr + hyp.ptr, np.append(0, _merged(gold.bounds[1:], hyp.bounds[1:])))
    return 2 * _covered(both, pairs, k) - _covered(gold, pairs, k) - _covered(hyp, pairs, k)


def _merged(first: NDArray[np.int64], second: NDArray[np.int64]) -> NDArray[np.int64]:
    """Merge two ascending runs: a stable sort does that in linear time."""
    return np.sort(np.concatenate([first, second]), kind="stable")


def _covered(side: Side, pairs: Pairs, k: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return in how many windows of each pair there is a boundary of a side."""
    if len(pairs) == 1:  # plain numbers, and no rows to sum
        size = k[0]
        last = pairs.starts[1] - size
    else:
        size = np.repeat(k, side.segments)
        last = np.repeat(pairs.starts[1:] - k, side.segments)
    at = side.bounds[1:]
    # Window i has boundary b if i < b <= i + k. The end of a text lies in no window.
    new = np.minimum(at, last)
    new -= np.maximum(at - size, side.bounds[:-1])
    np.maximum(new, 0, out=new)
    return np.add.reduceat(new, side.ptr[:-1]) if len(pairs) else new


def boundaries_apart(
    pairs: Pairs, k: NDArray[np.int64], *, weighted: bool = False
) -> NDArray[np.int64]:
    """Return in how many windows of each pair the two sides have different numbers of boundaries.

    `weighted` sums by how many they differ: Python's integers where 64 bits could be too few.
    Linear in the boundaries, whatever n and k.
    """
    if not len(pairs):
        return np.zeros(0, dtype=np.int64)
    boundaries = pairs.gold.bounds.size + pairs.hyp.bounds.size
    compact = int(pairs.starts[-1]) <= _COMPACT * boundaries
    return (_by_units if compact else _by_boundaries)(pairs, k, weighted=weighted)


def _by_units(pairs: Pairs, k: NDArray[np.int64], *, weighted: bool) -> NDArray[np.int64]:
    """Compare the windows one by one, in an array over all units."""
    # Pairs with windows of one size stand together, so that one comparison serves them all.
    order = np.argsort(k, kind="stable")
    starts = prefix(pairs.sizes[order])
    change = np.zeros(int(starts[-1]) + 1, dtype=np.int32)
    moved = np.empty(len(pairs), dtype=np.int64)
    moved[order] = starts[:-1]
    moved -= pairs.starts[:-1]
    for side, step in ((pairs.gold, 1), (pairs.hyp, -1)):
        places = side.boundaries
        if len(pairs) > 1:
            places = places + np.repeat(moved, side.segments - 1)
        change[places] += step  # no place stands twice in one segmentation
    more = np.cumsum(change, out=change)  # boundaries up to here: gold less hyp
    apart = np.zeros(more.size, dtype=np.int32 if weighted else np.int8)
    sizes, first = np.unique(k[order], return_index=True)
    ends = [*starts[first[1:]].tolist(), int(starts[-1])]
    for size, begin, end in zip(sizes.tolist(), starts[first].tolist(), ends, strict=True):
        before, after = more[begin : end - size], more[begin + size : end]
        if weighted:
            np.abs(after - before, out=apart[begin : end - size])
        else:
            np.not_equal(after, before, out=apart[begin : end - size].view(bool))
    # Windows run from the start of a pair to k before its end; what lies between pairs is left out.
    spans = np.stack([starts[:-1], starts[1:] - k[order]], axis=1).ravel()
    out = np.empty(len(pairs), dtype=np.int64)
    if len(pairs) == 1 and not weighted:
        out[0] = np.count_nonzero(apart[: spans[1]])
    else:
        out[order] = np.add.reduceat(apart, spans, dtype=np.int64)[::2]
    return out


def _by_boundaries(pairs: Pairs, k: NDArray[np.int64], *, weighted: bool) -> NDArray[np.int64]:
    """Walk over the windows at which a boundary enters or leaves: the difference changes there."""
    steps = window_steps(pairs, k, ((pairs.gold, 1), (pairs.hyp, -1)))
    weight = np.abs(steps.held) if weighted else (steps.held != 0).astype(np.int64)
    # A boundary lies in k windows at most.
    most = int(k.max()) * (pairs.gold.bounds.size + pairs.hyp.bounds.size)
    return sum_by(steps.pair, held_up_to(most, weight) * steps.length, len(pairs))


def held_up_to(most: int, values: NDArray[np.int64]) -> NDArray[Any]:
    """Return values that hold results up to `most`: Python's integers if 64 bits do not."""
    return values if most < _MOST else values.astype(object)


class WindowSteps(NamedTuple):
    """Runs of windows with one number of boundaries; runs without a boundary may be left out.

    Attributes
    ----------
    pair, length, held : array of int64
        The pair of each run, how many windows it has, and the sum over the boundaries of each.

    """

    pair: NDArray[np.int64]
    length: NDArray[np.int64]
    held: NDArray[np.int64]


def window_steps(
    pairs: Pairs, k: NDArray[np.int64], sides: Sequence[tuple[Side, int]]
) -> WindowSteps:
    """Return runs of windows; a boundary of a side counts as much as its number in `sides`."""
    events, steps, owners = [], [], []
    for side, step in sides:
        places, owner = side.boundaries, side.pair_of_boundary
        first, end = pairs.starts[:-1][owner], (pairs.starts[1:] - k)[owner]
        events += [np.minimum(np.maximum(places - k[owner], first), end), np.minimum(places, end)]
        steps += [np.full(places.size, step), np.full(places.size, -step)]
        owners += [owner, owner]
    at = np.concatenate(events)
    order = np.argsort(at, kind="stable")
    # All that enters a text's windows leaves them, so the sum is 0 between texts.
    count = np.cumsum(np.concatenate(steps)[order])[:-1]
    return WindowSteps(np.concatenate(owners)[order][:-1], np.diff(at[order]), count)
