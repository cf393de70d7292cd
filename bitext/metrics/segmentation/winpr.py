"""WinPR: precision and recall from the windows of WindowDiff."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bitext.metrics.registry import metric
from bitext.metrics.segmentation.pairs import Pairs
from bitext.metrics.segmentation.windows import (
    boundaries_apart,
    held_up_to,
    padded_pairs,
    window_sizes,
)
from bitext.model import Counts, CountsTable

if TYPE_CHECKING:
    from bitext.model import Segmentation

__all__ = ["winpr"]


def _winpr(pairs: Pairs, *, k: int | None = None) -> CountsTable:
    size = window_sizes(pairs, k)
    apart = boundaries_apart(padded_pairs(pairs, size), size, weighted=True)
    # Padded, every boundary lies in k windows, so the sums over windows follow from the numbers of
    # boundaries and the sum of |R - C|: min = (R + C - |R - C|) / 2, max = (R + C + |R - C|) / 2.
    gold, hyp = pairs.gold.segments - 1, pairs.hyp.segments - 1
    widest = int(size.max(initial=0))
    wide = held_up_to(widest * int((gold + hyp).max(initial=0)), size)
    expected, proposed = wide * gold, wide * hyp
    hits = (expected + proposed - apart) // 2
    places = held_up_to(widest * int(pairs.sizes.max(initial=0)), size) * (pairs.sizes - 1)
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
    """WinPR, precision, recall and F1 of boundaries in windows, where near misses count in part.

    All between 0 and 1, and 1 is best. In each window over the padded texts, with R boundaries of
    the gold standard and C of the hypothesis, min(R, C) are true positives, max(0, C - R) false
    positives, max(0, R - C) false negatives, and k - max(R, C) true negatives.

    Parameters
    ----------
    gold, hyp : Segmentation
        Of the same n units.
    k : int, optional
        The size of the window, in potential boundaries: a boundary that is off by d < k is right
        in k - d windows of k. By default half the mean segment of the gold standard,
        max(2, round half even (n / 2m)) for m segments.

    Returns
    -------
    Counts
        `hits` true positives of `proposed` (with the false positives) and `expected` (with the
        false negatives), `neither` the true negatives, `k` the size of the windows. Without a
        boundary on either side the ratios are `nan`: 0/0.

    Raises
    ------
    SegmentationError
        When the two do not have the same number of units, or k >= n, as in a text of one unit.
    OptionError
        When `k` is not a positive whole number.

    Notes
    -----
    **Source**: M. Scaiano and D. Inkpen, Getting more from segmentation evaluation, NAACL-HLT 2012.

    **Departures**: the sum of the true negatives over the n + k - 2 padded windows counts k (k - 1)
    potential boundaries that the padding made; they are taken off, so the four counts sum to
    k (n - 1).

    **Cost**: linear in the boundaries, whatever n and k.

    Examples
    --------
    >>> from bitext import Segmentation
    >>> found = winpr(Segmentation([5, 5, 1, 3]), Segmentation([6, 4, 1, 3]), k=4)
    >>> found.hits, found.proposed, found.expected, found.neither
    (11, 12, 12, 39)
    >>> found.f1
    0.9166666666666666

    """
    return _winpr(Pairs.of([gold], [hyp]), k=k)[0]
