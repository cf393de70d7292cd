"""Metrics over windows: Pk, WindowDiff, WinPR, NWin and TNWin.

A window of size k holds k potential boundaries: from unit i to unit i + k of a text of n units,
which makes n - k windows (Pevzner and Hearst 2002). *Padded* (Lamprier et al. 2007), the first and
the last segment are k - 1 units longer, which makes n + k - 2 windows, so that every boundary lies
in exactly k of them.

NWin and TNWin: WindowDiff over its expectation by chance.

WindowDiff favours hypotheses with few boundaries, and a good value of it depends on the text. Both
metrics divide the padded WindowDiff by its expectation over segmentations with boundaries at random
places, all sets of places equally likely.

When b boundaries are drawn among N places, the number of them within w given places is
hypergeometric. Its distribution is computed place by place,

    P(w + 1, r) = P(w, r) (N - b - w + r) / (N - w) + P(w, r - 1) (b - r + 1) / (N - w),

for any numbers, over the r with a probability above 0; or, where a window may be without a boundary
and few r matter, for many w at once from P(w, 0) and the quotients

    P(w, r) / P(w, r - 1) = (w - r + 1) (b - r + 1) / (r (N - b - w + r)).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bitext.errors import SegmentationError
from bitext.kernels.arrays import Bools, Floats, Ints, prefix, sum_by
from bitext.metrics.registry import pair_metric, whole
from bitext.metrics.segmentation import Pairs, Side
from bitext.model import CountsTable, Ratios

_MOST_INT64 = 1 << 62  # sums of two numbers below it fit into 64 bits
_COMPACT_UNITS = 24  # units a boundary, up to which an array over units is faster; set by hand


def window_sizes(pairs: Pairs, k: int | None) -> Ints:
    """Return the window size of each pair: `k`, or half the mean segment of its gold standard.

    The default is max(2, round half even (n / 2m)) for n units in m segments. Raises `OptionError`
    when `k` is not a positive whole number, and `SegmentationError` when a text is too short for
    the window: k >= n.
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


def padded_pairs(pairs: Pairs, k: Ints) -> Pairs:
    """Return the pairs with the first and the last segment of each text k - 1 units longer."""
    gold, hyp = (_longer(side, k - 1) for side in (pairs.gold, pairs.hyp))
    return Pairs(pairs.starts + 2 * prefix(k - 1), gold, hyp)


def _longer(side: Side, more: Ints) -> Side:
    masses = np.diff(side.bounds)
    masses[side.ptr[:-1]] += more
    masses[side.ptr[1:] - 1] += more
    return Side(side.ptr, prefix(masses))


def windows_of(pairs: Pairs, k: Ints) -> Ints:
    """Return the number of windows of each pair: n - k."""
    return pairs.sizes - k


def windows_apart(pairs: Pairs, k: Ints) -> Ints:
    """Count the windows of each pair in which only one side has a boundary.

    The count is twice the windows with a boundary of either side, minus those with a boundary of
    each side. A boundary adds as many windows as its distance to the boundary before, at most k.
    Cost is linear in the boundaries, whatever n and k.
    """
    gold, hyp = pairs.gold, pairs.hyp
    both = Side(gold.ptr + hyp.ptr, np.append(0, _merged(gold.bounds[1:], hyp.bounds[1:])))
    return 2 * _covered(both, pairs, k) - _covered(gold, pairs, k) - _covered(hyp, pairs, k)


def _merged(first: Ints, second: Ints) -> Ints:
    """Merge two ascending runs; a stable sort takes linear time."""
    return np.sort(np.concatenate([first, second]), kind="stable")


def _covered(side: Side, pairs: Pairs, k: Ints) -> Ints:
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


def boundaries_apart(pairs: Pairs, k: Ints, *, weighted: bool = False) -> Ints:
    """Count the windows of each pair in which the sides have different numbers of boundaries.

    `weighted` sums the differences instead, as Python integers where 64 bits could be too few. Cost
    is linear in the boundaries, whatever n and k.
    """
    if not len(pairs):
        return np.zeros(0, dtype=np.int64)
    boundaries = pairs.gold.bounds.size + pairs.hyp.bounds.size
    compact = int(pairs.starts[-1]) <= _COMPACT_UNITS * boundaries
    return (by_units if compact else by_boundaries)(pairs, k, weighted=weighted)


def by_units(pairs: Pairs, k: Ints, *, weighted: bool) -> Ints:
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


def by_boundaries(pairs: Pairs, k: Ints, *, weighted: bool) -> Ints:
    """Walk over the windows at which a boundary enters or leaves: the difference changes there."""
    steps = window_steps(pairs, k, ((pairs.gold, 1), (pairs.hyp, -1)))
    weight = np.abs(steps.held) if weighted else (steps.held != 0).astype(np.int64)
    # A boundary lies in k windows at most.
    most = int(k.max()) * (pairs.gold.bounds.size + pairs.hyp.bounds.size)
    return sum_by(steps.pair, exact_integers(most, weight) * steps.length, len(pairs))


def exact_integers(most: int, values: Ints) -> NDArray[Any]:
    """Return values that hold results up to `most`: Python's integers if 64 bits do not."""
    return values if most < _MOST_INT64 else values.astype(object)


class WindowSteps(NamedTuple):
    """Runs of windows with one number of boundaries; runs without a boundary may be left out."""

    pair: Ints  # the pair of each run
    length: Ints  # the number of windows of each run
    held: Ints  # the sum over the boundaries of each run


def window_steps(pairs: Pairs, k: Ints, sides: Sequence[tuple[Side, int]]) -> WindowSteps:
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


@pair_metric("pk", better="lower", source="Beeferman, Berger and Lafferty 1999")
def pk(pairs: Pairs, *, k: int | None = None, padded: bool = False) -> Ratios:
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
        When `k` is not a positive whole number.

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
    size = window_sizes(pairs, k)
    laid = padded_pairs(pairs, size) if padded else pairs
    return Ratios(windows_apart(laid, size), windows_of(laid, size), k=size)


# WindowDiff: whether two segmentations have as many boundaries in a window.


@pair_metric(
    "window-diff",
    better="lower",
    source="Pevzner and Hearst 2002; padded: Lamprier et al. 2007",
    unbounded=("weighted",),
)
def window_diff(
    pairs: Pairs, *, k: int | None = None, padded: bool = False, weighted: bool = False
) -> Ratios:
    """WindowDiff, the share of windows in which the two sides have different numbers of boundaries.

    Between 0 (no such window) and 1, or k when `weighted`; lower is better. A window has k
    potential boundaries; n units have n - k windows.

    Parameters
    ----------
    gold, hyp, k, padded
        As in `pk`, which has the errors, too.
    weighted : bool
        Whether a window counts as the difference of its numbers of boundaries.

    Returns
    -------
    Ratio
        The windows that differ over all windows, with the `k` used; 0 when neither side has a
        boundary.

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
    size = window_sizes(pairs, k)
    laid = padded_pairs(pairs, size) if padded else pairs
    return Ratios(boundaries_apart(laid, size, weighted=weighted), windows_of(laid, size), k=size)


# WinPR: precision and recall from the windows of WindowDiff.


@pair_metric(
    "winpr",
    better="higher",
    source="Scaiano and Inkpen 2012",
    measures=("precision", "recall", "f1"),
)
def winpr(pairs: Pairs, *, k: int | None = None) -> CountsTable:
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
        When `k` is not a positive whole number.

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


# NWin and TNWin: WindowDiff over its expectation by chance.


_PROBABILITIES_AT_ONCE = 1 << 18  # probabilities in memory at a time; set by hand: 2 MB
_NEGLIGIBLE = 1e-30  # probability that is taken as 0: it does not change a sum of floats near 1
# Boundaries in a window up to which quotients are faster; set by hand: with more, most counts have
# a negligible probability.
MOST_COUNTS = 256
_MOST_WINDOW_UNITS = 10_000_000  # units of a window; set by hand: cost grows with the width
_REASON = "chance makes no error: every segmentation with as many boundaries is the same"


class _Texts(NamedTuple):
    """Texts whose probabilities are computed together."""

    chosen: Ints  # the indices of the texts
    widest: int  # the size of the widest window
    most: int  # the greatest number of boundaries in a window that matters
    smooth: bool  # whether the probabilities are computed by quotients, as in `_smooth`


def _batches(size: Ints, most: Ints, smooth: Bools) -> Iterator[_Texts]:
    """Yield all texts in groups with similar counts and windows."""
    order = np.lexsort((size, most, smooth))
    ordered, begin = most[order], 0
    turn = int(np.count_nonzero(~smooth))
    while begin < order.size:
        end = turn if begin < turn else order.size
        # Counts ascend, and rows are as long as the last row needs, so little is computed in vain.
        near = int(np.searchsorted(ordered[begin:end], 2 * ordered[begin] + 8, side="right"))
        step = max(1, _PROBABILITIES_AT_ONCE // (2 * int(ordered[begin]) + 9))
        chosen = order[begin : min(begin + step, begin + near)]
        widest, highest = int(size[chosen].max()), int(most[chosen].max())
        yield _Texts(chosen, widest, highest, bool(smooth[chosen[0]]))
        begin += chosen.size


def _probabilities(texts: _Texts, places: Ints, drawn: Ints) -> Iterator[tuple[Ints, Floats]]:
    """Yield widths of windows from 1 on, and the probabilities of 0 to `most` boundaries in them.

    `drawn` boundaries lie at random among `places` potential ones. The probabilities have the shape
    (widths, texts, most + 1). Rows beyond the window of a text have no meaning.
    """
    return (by_quotients if texts.smooth else by_steps)(places, drawn, texts.widest, texts.most)


def by_steps(places: Ints, drawn: Ints, widest: int, most: int) -> Iterator[tuple[Ints, Floats]]:
    """Compute one width after another, for the counts with a probability above 0.

    The next step overwrites the yielded array.
    """
    count = np.arange(most + 1)
    now = np.zeros((places.size, most + 1))
    now[:, 0] = 1.0
    left, free = drawn[:, None] - count, (places - drawn)[:, None] + count
    begin, end = 0, 1
    for width in range(widest):
        rest = np.maximum(places - width, 1)[:, None]
        end = min(end + 1, most + 1)
        band, before = slice(begin, end), slice(begin, end - 1)
        grown = now[:, band] * np.maximum(free[:, band] - width, 0) / rest
        grown[:, 1:] += now[:, before] * np.maximum(left[:, before], 0) / rest
        now[:, band] = grown
        while end - begin > 1 and now[:, begin].max() < _NEGLIGIBLE:
            now[:, begin] = 0
            begin += 1
        while end - begin > 1 and now[:, end - 1].max() < _NEGLIGIBLE:
            end -= 1
            now[:, end] = 0
        yield np.array([width + 1]), now[None]


def by_quotients(
    places: Ints, drawn: Ints, widest: int, most: int
) -> Iterator[tuple[Ints, Floats]]:
    """Compute many widths at once, one number of boundaries after another."""
    block = max(1, _PROBABILITIES_AT_ONCE // (places.size * (most + 1)))
    empty = np.zeros(places.size)  # the logarithm of the probability of no boundary
    # The logarithm of 0 is -inf, and a probability too small for a float is 0.
    with np.errstate(divide="ignore"):
        for begin in range(0, widest, block):
            width = np.arange(begin, min(begin + block, widest))[:, None]
            share = np.minimum(drawn / np.maximum(places - width, 1), 1.0)
            logs = empty + np.cumsum(np.log1p(-share), axis=0)
            empty = logs[-1].copy()
            probabilities = np.empty((*logs.shape, most + 1))
            np.exp(logs, out=probabilities[..., 0])
            for count in range(1, most + 1):
                above = np.maximum(width + 2 - count, 0) * np.maximum(drawn - count + 1, 0)
                below = count * np.maximum(places - drawn - width - 1 + count, 1)
                logs += np.log(above / below)
                np.exp(logs, out=probabilities[..., count])
            yield width[:, 0] + 1, probabilities


def _expected_of_both(pairs: Pairs, size: Ints) -> Floats:
    """Return the windows expected to differ when the boundaries of both sides are random."""
    drawn = np.sort([pairs.gold.segments - 1, pairs.hyp.segments - 1], axis=0)
    # Texts with the same four numbers have the same expectation.
    numbers = np.stack([pairs.sizes - 1, drawn[0], drawn[1], size], axis=1)
    distinct, distinct_index = np.unique(numbers, axis=0, return_inverse=True)
    expected = np.zeros(len(distinct))
    places, fewer, more, wide = distinct.T
    most = np.minimum(fewer, wide)
    for texts in _batches(wide, most, _smooth(wide, places - more, most)):
        own = texts.chosen
        by_width = zip(
            _probabilities(texts, places[own], fewer[own]),
            _probabilities(texts, places[own], more[own]),
            strict=True,
        )
        for (width, first), (_, second) in by_width:
            windows = _windows(width[:, None], wide[own], places[own])
            same = np.einsum("wtr,wtr->wt", first, second)
            expected[own] += (windows * (1 - np.minimum(same, 1))).sum(axis=0)
    return expected[distinct_index.reshape(-1)]


def _smooth(size: Ints, bare: Ints, most: Ints) -> Bools:
    """Mask the texts whose probabilities quotients give.

    All windows may be empty, with at most `MOST_COUNTS` counts, or only P(w, 0) matters. `bare` is
    the number of places without a boundary.
    """
    return np.asarray(((size <= bare) & (most <= MOST_COUNTS)) | (most == 0))


def _windows(width: Ints, size: Ints, places: Ints) -> Ints:
    """Count the windows with `width` places in the text; each end cuts one a lesser width."""
    return np.where(width < size, 2, np.where(width == size, places - size + 1, 0))


def _expected_of_one(pairs: Pairs, size: Ints) -> Floats:
    """Return the windows expected to differ when the boundaries of the hypothesis are random."""
    places, drawn = pairs.sizes - 1, pairs.hyp.segments - 1
    steps = window_steps(pairs, size, ((pairs.gold, 1),))
    most = np.zeros(len(pairs), dtype=np.int64)
    np.maximum.at(most, steps.pair, steps.held)
    most = np.minimum(most, drawn)
    at = prefix(most + 1)
    whole = np.zeros(int(at[-1]))  # the probabilities of 0 to `most` boundaries in a whole window
    expected = np.zeros(len(pairs))
    for texts in _batches(size, most, _smooth(size, places - drawn, most)):
        own = texts.chosen
        wide, row, count = size[own], np.arange(own.size), np.arange(texts.most + 1)
        for width, probability in _probabilities(texts, places[own], drawn[own]):
            window = np.arange(width.size)[:, None]
            inside = width[:, None] < wide
            for boundaries in _at_ends(pairs, own, width):
                within = np.minimum(boundaries, texts.most)
                same = np.where(boundaries <= texts.most, probability[window, row, within], 0.0)
                expected[own] += np.where(inside, 1 - np.minimum(same, 1), 0.0).sum(axis=0)
            full = np.flatnonzero((wide >= width[0]) & (wide <= width[-1]))
            used = count <= most[own[full]][:, None]
            cells = (at[own[full]][:, None] + count)[used]
            whole[cells] = probability[wide[full] - width[0], full][used]
    has_boundary = steps.held > 0
    known = has_boundary & (steps.held <= most[steps.pair])
    probability = np.zeros(has_boundary.size)
    probability[known] = whole[at[steps.pair[known]] + steps.held[known]]
    apart = np.where(has_boundary, steps.length * (1 - np.minimum(probability, 1)), 0.0)
    expected += np.bincount(steps.pair, apart, minlength=len(pairs))
    bare = windows_of(pairs, size) - np.bincount(
        steps.pair, steps.length * has_boundary, len(pairs)
    )
    return np.asarray(expected + bare * (1 - np.minimum(whole[at[:-1]], 1)))


def _at_ends(pairs: Pairs, chosen: Ints, width: Ints) -> tuple[Ints, Ints]:
    """Count the gold boundaries among the first, and the last, places of texts, by width."""
    at, ptr = pairs.gold.boundaries, pairs.gold.boundary_ptr
    first = np.searchsorted(at, pairs.starts[:-1][chosen] + width[:, None], side="right")
    last = np.searchsorted(at, pairs.starts[1:][chosen] - width[:, None], side="left")
    return first - ptr[:-1][chosen], ptr[1:][chosen] - last


def _window_sizes(pairs: Pairs, k: int | None) -> Ints:
    size = window_sizes(pairs, k)
    wide = np.flatnonzero(size > _MOST_WINDOW_UNITS)
    if wide.size:
        p = int(wide[0])
        raise SegmentationError(
            f"{pairs.name(p)}k is {size[p]}, and what chance does is worked out for windows of up "
            f"to {_MOST_WINDOW_UNITS:,} units: want a smaller k"
        )
    return size


def _settled(expected: Floats) -> Floats:
    """Replace expectations that are 0 except for rounding by 0."""
    return np.where(expected > 1e-9, expected, 0.0)


@pair_metric("nwin", better="lower", source="Lamprier et al. 2007", unbounded=("*",))
def nwin(pairs: Pairs, *, k: int | None = None) -> Ratios:
    """NWin, padded WindowDiff over its expectation for a random hypothesis.

    0 is perfect, 1 is chance level, more is worse than chance; lower is better. The random
    hypothesis has as many boundaries as the scored one, with all sets of places equally likely.

    Parameters
    ----------
    gold, hyp : Segmentation
        Two segmentations of the same n units.
    k : int, optional
        The size of the window, in potential boundaries. By default half the mean segment of the
        gold standard, max(2, round half even (n / 2m)) for m segments.

    Returns
    -------
    Ratio
        The windows that differ over the number expected by chance, with the `k` used. `nan`, with a
        reason, where this number is 0: neither side has a boundary, or both have all.

    Raises
    ------
    SegmentationError
        When the numbers of units differ, k >= n, as in a text of one unit, or k is above ten
        million.
    OptionError
        When `k` is not a positive whole number.

    Notes
    -----
    **Source**: S. Lamprier, T. Amghar, B. Levrat and F. Saubion, On evaluation methodologies for
    text segmentation algorithms, ICTAI 2007, as others describe it: it takes into account the
    WindowDiff to be expected of random segmentations with as many boundaries.

    **Departures**: the paper itself was not available; a random hypothesis against the given gold
    standard is our reading of it. In `tnwin`, both are random.

    **Cost**: linear in the boundaries, and in k times the greatest number of gold boundaries in a
    window. With more than 256 of these, or so many proposed boundaries that no window can be
    empty, there are k steps over the counts near the mean, about k^1.5 operations in all.

    Examples
    --------
    >>> from bitext import Segmentation
    >>> result = nwin(Segmentation([5, 5, 1, 3]), Segmentation([7, 3, 1, 3]), k=2)
    >>> result.numerator, round(result.denominator, 4), round(result.value, 4)
    (4, 6.8462, 0.5843)

    """
    size = _window_sizes(pairs, k)
    apart = boundaries_apart(padded_pairs(pairs, size), size)
    return Ratios(apart, _settled(_expected_of_one(pairs, size)), reason=_REASON, k=size)


@pair_metric("tnwin", better="lower", source="Lamprier et al. 2007", unbounded=("*",))
def tnwin(pairs: Pairs, *, k: int | None = None) -> Ratios:
    """TNWin, padded WindowDiff over its expectation for two random segmentations.

    0 is perfect, 1 is chance level, more is worse than chance; lower is better. The random
    segmentations have as many boundaries as the compared ones, with all sets of places equally
    likely.

    Parameters, result and errors are as in `nwin`.

    Notes
    -----
    **Source** and **Departures**: as in `nwin`. The expectation depends on the numbers of units and
    boundaries alone, and is computed once for texts with the same numbers.

    **Cost**: linear in the boundaries, and in k times the boundaries of the side with fewer, at
    most k of these. With more than 256 in a window, or so many on the other side that no window can
    be empty, there are k steps over the counts near the mean, about k^1.5 operations in all.

    Examples
    --------
    >>> from bitext import Segmentation
    >>> result = tnwin(Segmentation([5, 5, 1, 3]), Segmentation([7, 3, 1, 3]), k=2)
    >>> result.numerator, round(result.denominator, 4), round(result.value, 4)
    (4, 6.9231, 0.5778)

    """
    size = _window_sizes(pairs, k)
    apart = boundaries_apart(padded_pairs(pairs, size), size)
    return Ratios(apart, _settled(_expected_of_both(pairs, size)), reason=_REASON, k=size)
