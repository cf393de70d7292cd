"""NWin and TNWin: WindowDiff held against what chance would make of it.

WindowDiff favours hypotheses with few boundaries, and what is a good value depends on the text.
Both metrics divide the padded WindowDiff by its expectation over segmentations with boundaries at
random places, all sets of places equally likely.

The number of boundaries that fall into w of N potential places when b are drawn is hypergeometric.
Its distribution is built up place by place,

    P(w + 1, r) = P(w, r) (N - b - w + r) / (N - w) + P(w, r - 1) (b - r + 1) / (N - w),

which subtracts nothing and so keeps its precision.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bitext.kernels.rows import prefix
from bitext.metrics.pairs import Pairs
from bitext.metrics.registry import metric
from bitext.metrics.windows import (
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

_CELLS = 1 << 20  # probabilities held at a time
_REASON = "chance makes no error: every segmentation with as many boundaries is the same"


def _grown(
    places: NDArray[np.int64], drawn: NDArray[np.int64], widest: int, most: int
) -> Iterator[NDArray[np.float64]]:
    """Yield for w = 1, 2, ... the chances of 0 to `most` boundaries among w places, a row a text.

    `drawn` boundaries lie at random among `places` potential ones. Beyond w = places the row of a
    text means nothing.
    """
    count = np.arange(most + 1)
    now = np.zeros((places.size, most + 1))
    now[:, 0] = 1.0
    left, free = drawn[:, None] - count, (places - drawn)[:, None] + count
    for width in range(widest):
        rest = np.maximum(places - width, 1)[:, None]
        grown = now * np.maximum(free - width, 0) / rest
        grown[:, 1:] += now[:, :-1] * np.maximum(left[:, :-1], 0) / rest
        now = grown
        yield now


def _batches(
    size: NDArray[np.int64], most: NDArray[np.int64]
) -> Iterator[tuple[NDArray[np.int64], int, int]]:
    """Yield texts that are worked on together: which, their widest window and greatest count.

    Texts of like count and window stand together, so little is worked out in vain.
    """
    order = np.lexsort((size, most))
    begin = 0
    while begin < order.size:
        # The counts ascend, so the last text that fits decides how wide the rows are.
        step = max(1, _CELLS // (int(most[order[begin]]) + 1))
        near = np.searchsorted(most[order], 2 * most[order[begin]] + 8, side="right")
        chosen = order[begin : min(begin + step, int(near))]
        yield chosen, int(size[chosen].max()), int(most[chosen].max())
        begin += chosen.size


def _edges(width: int, size: NDArray[np.int64], places: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return how many padded windows cover `width` potential boundaries of the text."""
    return np.where(width < size, 2, np.where(width == size, places - size + 1, 0))


def _chance_of_both(pairs: Pairs, size: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the windows expected to differ when the boundaries of both sides are random."""
    drawn = np.sort([pairs.gold.segments - 1, pairs.hyp.segments - 1], axis=0)
    # Many texts may be alike in the four numbers that matter.
    numbers = np.stack([pairs.sizes - 1, drawn[0], drawn[1], size], axis=1)
    alike, which = np.unique(numbers, axis=0, return_inverse=True)
    expected = np.zeros(len(alike))
    for chosen, widest, highest in _batches(alike[:, 3], np.minimum(alike[:, 1], alike[:, 3])):
        places, fewer, more, wide = alike[chosen].T
        chances = zip(
            _grown(places, fewer, widest, highest),
            _grown(places, more, widest, highest),
            strict=True,
        )
        for width, (first, second) in enumerate(chances, start=1):
            # Windows that reach over an end hold fewer places of the text, each number twice.
            windows = np.where(width < wide, 2, np.where(width == wide, places - wide + 1, 0))
            expected[chosen] += windows * (1 - np.einsum("tr,tr->t", first, second))
    return expected[which.reshape(-1)]


def _chance_of_one(pairs: Pairs, size: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the windows expected to differ when the boundaries of the hypothesis are random."""
    places, drawn = pairs.sizes - 1, pairs.hyp.segments - 1
    steps = window_steps(pairs, size, ((pairs.gold, 1),))
    most = np.zeros(len(pairs), dtype=np.int64)
    np.maximum.at(most, steps.pair, steps.held)
    most = np.minimum(most, drawn)
    at = prefix(most + 1)
    whole = np.zeros(int(at[-1]))  # the chances of 0 to `most` boundaries in a whole window
    same = np.zeros(len(pairs))
    for chosen, widest, highest in _batches(size, most):
        wide, row, count = size[chosen], np.arange(chosen.size), np.arange(highest + 1)
        kept = count <= most[chosen][:, None]
        chances = _grown(places[chosen], drawn[chosen], widest, highest)
        for width, chance in enumerate(chances, start=1):
            for found in _at_ends(pairs, chosen, width):
                known = (width < wide) & (found <= highest)
                same[chosen] += np.where(known, chance[row, np.minimum(found, highest)], 0.0)
            ready = kept & np.equal(wide, width)[:, None]
            whole[(at[chosen][:, None] + count)[ready]] = chance[ready]
    some = steps.held > 0
    known = some & (steps.held <= most[steps.pair])
    pair, length, number = (column[known] for column in steps)
    same += np.bincount(pair, length * whole[at[pair] + number], minlength=len(pairs))
    bare = windows_of(pairs, size) - np.bincount(steps.pair, steps.length * some, len(pairs))
    return windows_of(pairs, size) + 2 * (size - 1) - same - bare * whole[at[:-1]]


def _at_ends(
    pairs: Pairs, chosen: NDArray[np.int64], width: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return how many gold boundaries lie in the first, and last, `width` places of texts."""
    at, ptr = pairs.gold.boundaries, pairs.gold.boundary_ptr
    first = np.searchsorted(at, pairs.starts[:-1][chosen] + width, side="right")
    last = np.searchsorted(at, pairs.starts[1:][chosen] - width, side="left")
    return first - ptr[:-1][chosen], ptr[1:][chosen] - last


def _nwin(pairs: Pairs, *, k: int | None = None) -> Ratios:
    size = window_sizes(pairs, k)
    apart = boundaries_apart(padded_pairs(pairs, size), size)
    return Ratios(apart, _settled(_chance_of_one(pairs, size)), reason=_REASON, k=size)


def _tnwin(pairs: Pairs, *, k: int | None = None) -> Ratios:
    size = window_sizes(pairs, k)
    apart = boundaries_apart(padded_pairs(pairs, size), size)
    return Ratios(apart, _settled(_chance_of_both(pairs, size)), reason=_REASON, k=size)


def _settled(expected: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the expectations, those that are 0 but for rounding as 0."""
    return np.where(expected > 1e-9, expected, 0.0)


@metric(
    "nwin",
    over="segmentation",
    better="lower",
    source="Lamprier et al. 2007",
    pairs=_nwin,
)
def nwin(gold: Segmentation, hyp: Segmentation, *, k: int | None = None) -> Ratio:
    """NWin, padded WindowDiff over its expectation for a hypothesis with boundaries at random.

    0 is perfect, 1 is chance level, more is worse than chance; lower is better. The hypothesis at
    random has as many boundaries as the one that is scored, all sets of places equally likely.

    Parameters
    ----------
    gold, hyp : Segmentation
        Of the same n units.
    k : int, optional
        The size of the window, in potential boundaries. By default half the mean segment of the
        gold standard, max(2, round half even (n / 2m)) for m segments.

    Returns
    -------
    Ratio
        The windows that differ over the number that chance would make differ, with the `k` that
        was used. `nan`, with a reason, where chance makes none: neither side has a boundary, or
        both have all.

    Raises
    ------
    SegmentationError
        When the two do not have the same number of units, or k >= n, as in a text of one unit.
    OptionError
        When `k` is not a positive whole number.

    Notes
    -----
    **Source**: S. Lamprier, T. Amghar, B. Levrat and F. Saubion, On evaluation methodologies for
    text segmentation algorithms, ICTAI 2007, as others describe it: it takes into account the
    WindowDiff to be expected of random segmentations with as many boundaries.

    **Departures**: the paper itself was not at hand; that the gold standard is kept and the
    hypothesis alone is random is our reading. Both at random: `tnwin`.

    **Cost**: linear in the boundaries, and k steps of as many cells as a window of the gold
    standard has boundaries at most.

    Examples
    --------
    >>> from bitext import Segmentation
    >>> found = nwin(Segmentation([5, 5, 1, 3]), Segmentation([7, 3, 1, 3]), k=2)
    >>> found.numerator, round(found.denominator, 4), round(found.value, 4)
    (4, 6.8462, 0.5843)

    """
    return _nwin(Pairs.of([gold], [hyp]), k=k)[0]


@metric(
    "tnwin",
    over="segmentation",
    better="lower",
    source="Lamprier et al. 2007",
    pairs=_tnwin,
)
def tnwin(gold: Segmentation, hyp: Segmentation, *, k: int | None = None) -> Ratio:
    """TNWin, padded WindowDiff over its expectation for two segmentations at random.

    0 is perfect, 1 is chance level, more is worse than chance; lower is better. Both random
    segmentations have as many boundaries as those that are compared, all sets of places
    equally likely.

    Parameters
    ----------
    gold, hyp : Segmentation
        Of the same n units.
    k : int, optional
        The size of the window, in potential boundaries. By default half the mean segment of the
        gold standard, max(2, round half even (n / 2m)) for m segments.

    Returns
    -------
    Ratio
        The windows that differ over the number that chance would make differ, with the `k` that
        was used. `nan`, with a reason, where chance makes none: neither side has a boundary, or
        both have all.

    Raises
    ------
    SegmentationError
        When the two do not have the same number of units, or k >= n, as in a text of one unit.
    OptionError
        When `k` is not a positive whole number.

    Notes
    -----
    **Source** and **Departures**: as of `nwin`. The expectation needs the numbers of units and
    boundaries alone: texts that are alike in them share the work.

    **Cost**: linear in the boundaries, and k steps of as many cells as the side with fewer
    boundaries has, k at the most.

    Examples
    --------
    >>> from bitext import Segmentation
    >>> found = tnwin(Segmentation([5, 5, 1, 3]), Segmentation([7, 3, 1, 3]), k=2)
    >>> found.numerator, round(found.denominator, 4), round(found.value, 4)
    (4, 6.9231, 0.5778)

    """
    return _tnwin(Pairs.of([gold], [hyp]), k=k)[0]
