"""Metrics over windows: Pk, WindowDiff and WinPR, with the sizes of windows and their counts.

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
from bitext.metrics.registry import metric, whole
from bitext.metrics.segmentation.pairs import Pairs, Side
from bitext.model import Counts, CountsTable, Ratio, Ratios

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bitext.model import Segmentation

__all__ = [
    "WindowSteps",
    "boundaries_apart",
    "exact_integers",
    "padded_pairs",
    "pk",
    "window_diff",
    "window_sizes",
    "window_steps",
    "windows_apart",
    "windows_of",
    "winpr",
]

_MOST_INT64 = 1 << 62  # sums of two numbers below it fit into 64 bits
_COMPACT = 24  # units a boundary, up to which an array over units is faster; set by hand


def window_sizes(pairs: Pairs, k: int | None) -> NDArray[np.int64]:
    """Return the window size of each pair: `k`, or half the mean segment of its gold standard.

    The default is max(2, round half even (n / 2m)) for n units in m segments.

    Raises
    ------
    OptionError
        When `k` is no positive whole number.
    SegmentationError
        When a text is too short for the window: k >= n.

    """
    sizes = pairs.sizes
    if k is None:
        windows, rest = np.divmod(sizes, 2 * pairs.gold.segments)
        half = pairs.gold.segments  # a half goes to the even number
        windows = np.maximum(windows + ((rest > half) | ((rest == half) & (windows % 2 == 1))), 2)
    else:
        k = whole("k", k, "units", least=1)
        # A huge k is refused below, like one just too large.
        windows = np.full(len(pairs), min(k, 2**62), dtype=np.int64)
    short = np.flatnonzero(windows >= sizes)
    if short.size:
        p = int(short[0])
        n, wide = int(sizes[p]), windows[p] if k is None else k
        raise SegmentationError(
            f"{pairs.name(p)}k is {wide} and the text has {n} unit{'s' if n > 1 else ''}: want k "
            f"below the number of units"
        )
    return windows


def padded_pairs(pairs: Pairs, k: NDArray[np.int64]) -> Pairs:
    """Return the pairs with the first and the last segment of each text k - 1 units longer."""
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
    """Count the windows of each pair in which only one side has a boundary.

    The count is twice the windows with a boundary of either side, minus those with a boundary of
    each side. A boundary adds as many windows as its distance to the boundary before, at most k.
    Cost is linear in the boundaries, whatever n and k.
    """
    gold, hyp = pairs.gold, pairs.hyp
    both = Side(gold.ptr + hyp.ptr, np.append(0, _merged(gold.bounds[1:], hyp.bounds[1:])))
    return 2 * _covered(both, pairs, k) - _covered(gold, pairs, k) - _covered(hyp, pairs, k)


def _merged(first: NDArray[np.int64], second: NDArray[np.int64]) -> NDArray[np.int64]:
    """Merge two ascending runs; a stable sort takes linear time."""
    return np.sort(np.concatenate([first, second]), kind="stable")


def _covered(side: Side, pairs: Pairs, k: NDArray[np.int64]) -> NDArray[np.int64]:
    """Count the windows of each pair with a boundary of a side."""
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
    """Count the windows of each pair in which the sides have different numbers of boundaries.

    `weighted` sums the differences instead, as Python integers where 64 bits could be too few. Cost
    is linear in the boundaries, whatever n and k.
    """
    if not len(pairs):
        return np.zeros(0, dtype=np.int64)
    boundaries = pairs.gold.bounds.size + pairs.hyp.bounds.size
    compact = int(pairs.starts[-1]) <= _COMPACT * boundaries
    return (by_units if compact else by_boundaries)(pairs, k, weighted=weighted)


def by_units(pairs: Pairs, k: NDArray[np.int64], *, weighted: bool) -> NDArray[np.int64]:
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


def by_boundaries(pairs: Pairs, k: NDArray[np.int64], *, weighted: bool) -> NDArray[np.int64]:
    """Walk over the windows at which a boundary enters or leaves: the difference changes there."""
    steps = window_steps(pairs, k, ((pairs.gold, 1), (pairs.hyp, -1)))
    weight = np.abs(steps.held) if weighted else (steps.held != 0).astype(np.int64)
    # A boundary lies in k windows at most.
    most = int(k.max()) * (pairs.gold.bounds.size + pairs.hyp.bounds.size)
    return sum_by(steps.pair, exact_integers(most, weight) * steps.length, len(pairs))


def exact_integers(most: int, values: NDArray[np.int64]) -> NDArray[Any]:
    """Return values that hold results up to `most`: Python's integers if 64 bits do not."""
    return values if most < _MOST_INT64 else values.astype(object)


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


# Pk: whether two units at a distance lie in one segment.


def _pk(pairs: Pairs, *, k: int | None = None, padded: bool = False) -> Ratios:
    size = window_sizes(pairs, k)
    laid = padded_pairs(pairs, size) if padded else pairs
    return Ratios(windows_apart(laid, size), windows_of(laid, size), k=size)


@metric(
    "pk",
    over="segmentation",
    better="lower",
    source="Beeferman, Berger and Lafferty 1999",
    pairs=_pk,
)
def pk(
    gold: Segmentation, hyp: Segmentation, *, k: int | None = None, padded: bool = False
) -> Ratio:
    """Pk, the share of windows whose two ends lie in one segment on one side only.

    Between 0 (no such window) and 1; lower is better. A window has the ends i and i + k; n units
    have n - k windows.

    Parameters
    ----------
    gold, hyp : Segmentation
        Two segmentations of the same n units.
    k : int, optional
        The size of the window: the number of potential boundaries between its ends. By default half
        the mean segment of the gold standard, max(2, round half even (n / 2m)) for m segments.
    padded : bool
        Whether to make the first and the last segment k - 1 units longer, so that each boundary
        lies in k windows; there are n + k - 2 windows then.

    Returns
    -------
    Ratio
        The inconsistent windows over all windows, with the `k` used; 0 when neither side has a
        boundary.

    Raises
    ------
    SegmentationError
        When the numbers of units differ, or k >= n, as in a text of one unit.
    OptionError
        When `k` is no positive whole number.

    Notes
    -----
    **Source**: D. Beeferman, A. Berger and J. Lafferty, Statistical models for text segmentation,
    Machine Learning 34, 1999; windows as of L. Pevzner and M. Hearst, A critique and improvement of
    an evaluation metric for text segmentation, Computational Linguistics 28, 2002. Padding: S.
    Lamprier et al., On evaluation methodologies for text segmentation algorithms, ICTAI 2007.

    **Departures**: `segeval` 2.0.11 compares labels by identity, and is wrong for position labels
    above 256; from masses it computes the same value. `nltk` has windows of k characters of a
    string: it computes the same value from a string of the n - 1 potential boundaries, without a
    character for the end of the text.

    **Cost**: linear in the boundaries, whatever n and k.

    Examples
    --------
    >>> from bitext import Segmentation
    >>> result = pk(Segmentation([5, 5, 1, 3]), Segmentation([7, 3, 1, 3]))
    >>> result.numerator, result.denominator, result.k
    (4, 12, 2)

    """
    return _pk(Pairs.of([gold], [hyp]), k=k, padded=padded)[0]


# WindowDiff: whether two segmentations have as many boundaries in a window.


def _window_diff(
    pairs: Pairs, *, k: int | None = None, padded: bool = False, weighted: bool = False
) -> Ratios:
    size = window_sizes(pairs, k)
    laid = padded_pairs(pairs, size) if padded else pairs
    return Ratios(boundaries_apart(laid, size, weighted=weighted), windows_of(laid, size), k=size)


@metric(
    "window-diff",
    over="segmentation",
    better="lower",
    source="Pevzner and Hearst 2002; padded: Lamprier et al. 2007",
    pairs=_window_diff,
    unbounded=("weighted",),
)
def window_diff(
    gold: Segmentation,
    hyp: Segmentation,
    *,
    k: int | None = None,
    padded: bool = False,
    weighted: bool = False,
) -> Ratio:
    """WindowDiff, the share of windows in which the two sides have different numbers of boundaries.

    Between 0 (no such window) and 1, or k when `weighted`; lower is better. A window has k
    potential boundaries; n units have n - k windows.

    Parameters
    ----------
    gold, hyp : Segmentation
        Two segmentations of the same n units.
    k : int, optional
        The size of the window, in potential boundaries. By default half the mean segment of the
        gold standard, max(2, round half even (n / 2m)) for m segments.
    padded : bool
        Whether to make the first and the last segment k - 1 units longer, so that each boundary
        lies in k windows; there are n + k - 2 windows then.
    weighted : bool
        Whether a window counts as the difference of its numbers of boundaries.

    Returns
    -------
    Ratio
        The windows that differ over all windows, with the `k` used; 0 when neither side has a
        boundary.

    Raises
    ------
    SegmentationError
        When the numbers of units differ, or k >= n, as in a text of one unit.
    OptionError
        When `k` is no positive whole number.

    Notes
    -----
    **Source**: L. Pevzner and M. Hearst, A critique and improvement of an evaluation metric for
    text segmentation, Computational Linguistics 28, 2002. Padding: S. Lamprier, T. Amghar, B.
    Levrat and F. Saubion, On evaluation methodologies for text segmentation algorithms, ICTAI 2007.

    **Departures**: `nltk` has the plain metric, over strings of the n - 1 potential boundaries.
    `segeval` 2.0.11 pads by k units: it has the same errors in 3 windows more.

    **Cost**: linear in the boundaries, whatever n and k.

    Examples
    --------
    >>> from bitext import Segmentation
    >>> result = window_diff(Segmentation([5, 5, 1, 3]), Segmentation([7, 3, 1, 3]))
    >>> result.numerator, result.denominator, result.k
    (4, 12, 2)
    >>> window_diff(Segmentation([9, 5, 1]), Segmentation([5, 9, 1]), padded=True, k=2).value
    0.26666666666666666

    """
    return _window_diff(Pairs.of([gold], [hyp]), k=k, padded=padded, weighted=weighted)[0]


# WinPR: precision and recall from the windows of WindowDiff.


def _winpr(pairs: Pairs, *, k: int | None = None) -> CountsTable:
    size = window_sizes(pairs, k)
    apart = boundaries_apart(padded_pairs(pairs, size), size, weighted=True)
    # Padded, every boundary lies in k windows, so the sums over windows follow from the numbers of
    # boundaries and the sum of |R - C|: min = (R + C - |R - C|) / 2, max = (R + C + |R - C|) / 2.
    gold, hyp = pairs.gold.segments - 1, pairs.hyp.segments - 1
    widest = int(size.max(initial=0))
    wide = exact_integers(widest * int((gold + hyp).max(initial=0)), size)
    expected, proposed = wide * gold, wide * hyp
    hits = (expected + proposed - apart) // 2
    places = exact_integers(widest * int(pairs.sizes.max(initial=0)), size) * (pairs.sizes - 1)
    neither = places - (expected + proposed + apart) // 2
    counts = np.stack([hits, proposed, expected, hits], axis=1)
    return CountsTable(counts, neither=neither, k=size)


@metric(
    "winpr",
    over="segmentation",
    better="higher",
    source="Scaiano and Inkpen 2012",
    pairs=_winpr,
    measures=("precision", "recall", "f1"),
)
def winpr(gold: Segmentation, hyp: Segmentation, *, k: int | None = None) -> Counts:
    """WinPR, precision, recall and F1 of boundaries in windows, with credit for near misses.

    All between 0 and 1; 1 is best. In each window over the padded texts, with R boundaries of
    the gold standard and C of the hypothesis, min(R, C) are true positives, max(0, C - R) false
    positives, max(0, R - C) false negatives, and k - max(R, C) true negatives.

    Parameters
    ----------
    gold, hyp : Segmentation
        Two segmentations of the same n units.
    k : int, optional
        The size of the window, in potential boundaries; a boundary that is off by d < k is right
        in k - d of k windows. By default half the mean segment of the gold standard,
        max(2, round half even (n / 2m)) for m segments.

    Returns
    -------
    Counts
        `hits` is the number of true positives; `proposed` adds the false positives, `expected` the
        false negatives; `neither` is the number of true negatives, `k` the size of the windows.
        Without a boundary on either side the ratios are `nan`: 0/0.

    Raises
    ------
    SegmentationError
        When the numbers of units differ, or k >= n, as in a text of one unit.
    OptionError
        When `k` is no positive whole number.

    Notes
    -----
    **Source**: M. Scaiano and D. Inkpen, Getting more from segmentation evaluation, NAACL-HLT 2012.

    **Departures**: the true negatives of the n + k - 2 padded windows include k (k - 1) potential
    boundaries of the padding; these are subtracted, so that the four counts sum to k (n - 1).

    **Cost**: linear in the boundaries, whatever n and k.

    Examples
    --------
    >>> from bitext import Segmentation
    >>> result = winpr(Segmentation([5, 5, 1, 3]), Segmentation([6, 4, 1, 3]), k=4)
    >>> result.hits, result.proposed, result.expected, result.neither
    (11, 12, 12, 39)
    >>> result.f1
    0.9166666666666666

    """
    return _winpr(Pairs.of([gold], [hyp]), k=k)[0]
