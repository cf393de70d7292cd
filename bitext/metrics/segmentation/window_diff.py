"""WindowDiff: whether two segmentations have as many boundaries in a window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitext.metrics.registry import metric
from bitext.metrics.segmentation.pairs import Pairs
from bitext.metrics.segmentation.windows import (
    boundaries_apart,
    padded_pairs,
    window_sizes,
    windows_of,
)
from bitext.model import Ratio, Ratios

if TYPE_CHECKING:
    from bitext.model import Segmentation

__all__ = ["window_diff"]


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

    Between 0 (no such window) and 1, or weighted, k; lower is better. A window holds k potential
    boundaries; there are n - k of them in n units.

    Parameters
    ----------
    gold, hyp : Segmentation
        Of the same n units.
    k : int, optional
        The size of the window, in potential boundaries. By default half the mean segment of the
        gold standard, max(2, round half even (n / 2m)) for m segments.
    padded : bool
        Whether the first and the last segment are taken to be k - 1 units longer, so that each
        boundary lies in k windows; there are n + k - 2 windows then.
    weighted : bool
        Whether a window counts as often as its numbers of boundaries differ.

    Returns
    -------
    Ratio
        The windows that differ over all windows, with the `k` that was used; 0 when neither side
        has a boundary.

    Raises
    ------
    SegmentationError
        When the two do not have the same number of units, or k >= n, as in a text of one unit.
    OptionError
        When `k` is not a positive whole number.

    Notes
    -----
    **Source**: L. Pevzner and M. Hearst, A critique and improvement of an evaluation metric for
    text segmentation, Computational Linguistics 28, 2002. Padding: S. Lamprier, T. Amghar, B.
    Levrat and F. Saubion, On evaluation methodologies for text segmentation algorithms, ICTAI 2007.

    **Departures**: `nltk` has the plain form, over strings of the n - 1 potential boundaries.
    `segeval` 2.0.11 pads by k units: it finds the same errors in 3 windows more.

    **Cost**: linear in the boundaries, whatever n and k.

    Examples
    --------
    >>> from bitext import Segmentation
    >>> found = window_diff(Segmentation([5, 5, 1, 3]), Segmentation([7, 3, 1, 3]))
    >>> found.numerator, found.denominator, found.k
    (4, 12, 2)
    >>> window_diff(Segmentation([9, 5, 1]), Segmentation([5, 9, 1]), padded=True, k=2).value
    0.26666666666666666

    """
    return _window_diff(Pairs.of([gold], [hyp]), k=k, padded=padded, weighted=weighted)[0]
