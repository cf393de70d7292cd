"""Pk: whether two units at a distance lie in one segment."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitext.metrics.registry import metric
from bitext.metrics.segmentation.pairs import Pairs
from bitext.metrics.segmentation.windows import (
    padded_pairs,
    window_sizes,
    windows_apart,
    windows_of,
)
from bitext.model import Ratio, Ratios

if TYPE_CHECKING:
    from bitext.model import Segmentation

__all__ = ["pk"]


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
    """Pk, the share of windows whose two ends one side has in one segment and the other has not.

    Between 0 (no such window) and 1; lower is better. A window joins the units i and i + k; there
    are n - k of them in n units.

    Parameters
    ----------
    gold, hyp : Segmentation
        Of the same n units.
    k : int, optional
        The size of the window: the potential boundaries between its ends. By default half the mean
        segment of the gold standard, max(2, round half even (n / 2m)) for m segments.
    padded : bool
        Whether the first and the last segment are taken to be k - 1 units longer, so that each
        boundary lies in k windows; there are n + k - 2 windows then.

    Returns
    -------
    Ratio
        The windows judged inconsistently over all windows, with the `k` that was used; 0 when
        neither side has a boundary.

    Raises
    ------
    SegmentationError
        When the two do not have the same number of units, or k >= n, as in a text of one unit.
    OptionError
        When `k` is not a positive whole number.

    Notes
    -----
    **Source**: D. Beeferman, A. Berger and J. Lafferty, Statistical models for text segmentation,
    Machine Learning 34, 1999; windows as of L. Pevzner and M. Hearst, A critique and improvement of
    an evaluation metric for text segmentation, Computational Linguistics 28, 2002. Padding: S.
    Lamprier et al., On evaluation methodologies for text segmentation algorithms, ICTAI 2007.

    **Departures**: `segeval` 2.0.11 compares labels by identity, and is wrong where it is given
    position labels above 256; given masses it has this value. `nltk` counts in windows of k signs
    of a string: give it the n - 1 potential boundaries, without a sign for the end of the text, to
    have this value.

    **Cost**: linear in the boundaries, whatever n and k.

    Examples
    --------
    >>> from bitext import Segmentation
    >>> found = pk(Segmentation([5, 5, 1, 3]), Segmentation([7, 3, 1, 3]))
    >>> found.numerator, found.denominator, found.k
    (4, 12, 2)

    """
    return _pk(Pairs.of([gold], [hyp]), k=k, padded=padded)[0]
