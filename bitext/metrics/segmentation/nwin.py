"""NWin and TNWin: WindowDiff over its expectation by chance.

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

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bitext.errors import SegmentationError
from bitext.kernels.rows import prefix
from bitext.metrics.registry import metric
from bitext.metrics.segmentation.pairs import Pairs
from bitext.metrics.segmentation.window_metrics import (
    boundaries_apart,
    padded_pairs,
    window_sizes,
    window_steps,
    windows_of,
)
from bitext.model import Ratio, Ratios

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from bitext.model import Segmentation

__all__ = ["nwin", "tnwin"]

_CELLS = 1 << 18  # probabilities in memory at a time; set by hand: 2 MB
_NONE = 1e-30  # probability that is taken as 0: it does not change a sum of floats near 1
# Boundaries in a window up to which quotients are faster; set by hand: with more, most counts have
# a negligible probability.
MOST_COUNTS = 256
_WIDEST = 10_000_000  # units of a window; set by hand: cost grows with the width
_REASON = "chance makes no error: every segmentation with as many boundaries is the same"


class _Texts(NamedTuple):
    """Texts whose probabilities are computed together.

    Attributes
    ----------
    chosen : array of int64
        The indices of the texts.
    widest : int
        The size of the widest window.
    most : int
        The greatest number of boundaries in a window that matters.
    smooth : bool
        Whether the probabilities are computed by quotients, as of `_smooth`.

    """

    chosen: NDArray[np.int64]
    widest: int
    most: int
    smooth: bool


def _batches(
    size: NDArray[np.int64], most: NDArray[np.int64], smooth: NDArray[np.bool_]
) -> Iterator[_Texts]:
    """Yield all texts in groups with similar counts and windows."""
    order = np.lexsort((size, most, smooth))
    ordered, begin = most[order], 0
    turn = int(np.count_nonzero(~smooth))
    while begin < order.size:
        end = turn if begin < turn else order.size
        # Counts ascend, and rows are as long as the last row needs, so little is computed in vain.
        near = int(np.searchsorted(ordered[begin:end], 2 * ordered[begin] + 8, side="right"))
        step = max(1, _CELLS // (2 * int(ordered[begin]) + 9))
        chosen = order[begin : min(begin + step, begin + near)]
        widest, highest = int(size[chosen].max()), int(most[chosen].max())
        yield _Texts(chosen, widest, highest, bool(smooth[chosen[0]]))
        begin += chosen.size


def _chances(
    texts: _Texts, places: NDArray[np.int64], drawn: NDArray[np.int64]
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.float64]]]:
    """Yield widths of windows from 1 on, and the probabilities of 0 to `most` boundaries in them.

    `drawn` boundaries lie at random among `places` potential ones. The probabilities have the shape
    (widths, texts, most + 1). Rows beyond the window of a text have no meaning.
    """
    return (by_quotients if texts.smooth else by_steps)(places, drawn, texts.widest, texts.most)


def by_steps(
    places: NDArray[np.int64], drawn: NDArray[np.int64], widest: int, most: int
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.float64]]]:
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
        while end - begin > 1 and now[:, begin].max() < _NONE:
            now[:, begin] = 0
            begin += 1
        while end - begin > 1 and now[:, end - 1].max() < _NONE:
            end -= 1
            now[:, end] = 0
        yield np.array([width + 1]), now[None]


def by_quotients(
    places: NDArray[np.int64], drawn: NDArray[np.int64], widest: int, most: int
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.float64]]]:
    """Compute many widths at once, one number of boundaries after another."""
    block = max(1, _CELLS // (places.size * (most + 1)))
    empty = np.zeros(places.size)  # the logarithm of the probability of no boundary
    # The logarithm of 0 is -inf, and a probability too small for a float is 0.
    with np.errstate(divide="ignore"):
        for begin in range(0, widest, block):
            width = np.arange(begin, min(begin + block, widest))[:, None]
            share = np.minimum(drawn / np.maximum(places - width, 1), 1.0)
            logs = empty + np.cumsum(np.log1p(-share), axis=0)
            empty = logs[-1].copy()
            chances = np.empty((*logs.shape, most + 1))
            np.exp(logs, out=chances[..., 0])
            for count in range(1, most + 1):
                above = np.maximum(width + 2 - count, 0) * np.maximum(drawn - count + 1, 0)
                below = count * np.maximum(places - drawn - width - 1 + count, 1)
                logs += np.log(above / below)
                np.exp(logs, out=chances[..., count])
            yield width[:, 0] + 1, chances


def _chance_of_both(pairs: Pairs, size: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the windows expected to differ when the boundaries of both sides are random."""
    drawn = np.sort([pairs.gold.segments - 1, pairs.hyp.segments - 1], axis=0)
    # Texts with the same four numbers have the same expectation.
    numbers = np.stack([pairs.sizes - 1, drawn[0], drawn[1], size], axis=1)
    alike, which = np.unique(numbers, axis=0, return_inverse=True)
    expected = np.zeros(len(alike))
    places, fewer, more, wide = alike.T
    most = np.minimum(fewer, wide)
    for texts in _batches(wide, most, _smooth(wide, places - more, most)):
        own = texts.chosen
        chances = zip(
            _chances(texts, places[own], fewer[own]),
            _chances(texts, places[own], more[own]),
            strict=True,
        )
        for (width, first), (_, second) in chances:
            windows = _windows(width[:, None], wide[own], places[own])
            same = np.einsum("wtr,wtr->wt", first, second)
            expected[own] += (windows * (1 - np.minimum(same, 1))).sum(axis=0)
    return expected[which.reshape(-1)]


def _smooth(
    size: NDArray[np.int64], bare: NDArray[np.int64], most: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Mask the texts whose probabilities quotients give.

    All windows may be empty, with at most `MOST_COUNTS` counts, or only P(w, 0) matters. `bare` is
    the number of places without a boundary.
    """
    return np.asarray(((size <= bare) & (most <= MOST_COUNTS)) | (most == 0))


def _windows(
    width: NDArray[np.int64], size: NDArray[np.int64], places: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Count the windows with `width` places in the text; each end cuts one a lesser width."""
    return np.where(width < size, 2, np.where(width == size, places - size + 1, 0))


def _chance_of_one(pairs: Pairs, size: NDArray[np.int64]) -> NDArray[np.float64]:
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
        for width, chance in _chances(texts, places[own], drawn[own]):
            window = np.arange(width.size)[:, None]
            inside = width[:, None] < wide
            for boundaries in _at_ends(pairs, own, width):
                within = np.minimum(boundaries, texts.most)
                same = np.where(boundaries <= texts.most, chance[window, row, within], 0.0)
                expected[own] += np.where(inside, 1 - np.minimum(same, 1), 0.0).sum(axis=0)
            full = np.flatnonzero((wide >= width[0]) & (wide <= width[-1]))
            used = count <= most[own[full]][:, None]
            cells = (at[own[full]][:, None] + count)[used]
            whole[cells] = chance[wide[full] - width[0], full][used]
    some = steps.held > 0
    known = some & (steps.held <= most[steps.pair])
    chance = np.zeros(some.size)
    chance[known] = whole[at[steps.pair[known]] + steps.held[known]]
    apart = np.where(some, steps.length * (1 - np.minimum(chance, 1)), 0.0)
    expected += np.bincount(steps.pair, apart, minlength=len(pairs))
    bare = windows_of(pairs, size) - np.bincount(steps.pair, steps.length * some, len(pairs))
    return np.asarray(expected + bare * (1 - np.minimum(whole[at[:-1]], 1)))


def _at_ends(
    pairs: Pairs, chosen: NDArray[np.int64], width: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Count the gold boundaries among the first, and the last, places of texts, by width."""
    at, ptr = pairs.gold.boundaries, pairs.gold.boundary_ptr
    first = np.searchsorted(at, pairs.starts[:-1][chosen] + width[:, None], side="right")
    last = np.searchsorted(at, pairs.starts[1:][chosen] - width[:, None], side="left")
    return first - ptr[:-1][chosen], ptr[1:][chosen] - last


def _window_sizes(pairs: Pairs, k: int | None) -> NDArray[np.int64]:
    size = window_sizes(pairs, k)
    wide = np.flatnonzero(size > _WIDEST)
    if wide.size:
        p = int(wide[0])
        raise SegmentationError(
            f"{pairs.name(p)}k is {size[p]}, and what chance does is worked out for windows of up "
            f"to {_WIDEST:,} units: want a smaller k"
        )
    return size


def _nwin(pairs: Pairs, *, k: int | None = None) -> Ratios:
    size = _window_sizes(pairs, k)
    apart = boundaries_apart(padded_pairs(pairs, size), size)
    return Ratios(apart, _settled(_chance_of_one(pairs, size)), reason=_REASON, k=size)


def _tnwin(pairs: Pairs, *, k: int | None = None) -> Ratios:
    size = _window_sizes(pairs, k)
    apart = boundaries_apart(padded_pairs(pairs, size), size)
    return Ratios(apart, _settled(_chance_of_both(pairs, size)), reason=_REASON, k=size)


def _settled(expected: NDArray[np.float64]) -> NDArray[np.float64]:
    """Replace expectations that are 0 but for rounding by 0."""
    return np.where(expected > 1e-9, expected, 0.0)


@metric(
    "nwin",
    over="segmentation",
    better="lower",
    source="Lamprier et al. 2007",
    pairs=_nwin,
    unbounded=("*",),
)
def nwin(gold: Segmentation, hyp: Segmentation, *, k: int | None = None) -> Ratio:
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
        When `k` is no positive whole number.

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
    return _nwin(Pairs.of([gold], [hyp]), k=k)[0]


@metric(
    "tnwin",
    over="segmentation",
    better="lower",
    source="Lamprier et al. 2007",
    pairs=_tnwin,
    unbounded=("*",),
)
def tnwin(gold: Segmentation, hyp: Segmentation, *, k: int | None = None) -> Ratio:
    """TNWin, padded WindowDiff over its expectation for two random segmentations.

    0 is perfect, 1 is chance level, more is worse than chance; lower is better. The random
    segmentations have as many boundaries as the compared ones, with all sets of places equally
    likely.

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
        When `k` is no positive whole number.

    Notes
    -----
    **Source** and **Departures**: as of `nwin`. The expectation depends on the numbers of units and
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
    return _tnwin(Pairs.of([gold], [hyp]), k=k)[0]
