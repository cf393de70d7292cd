"""Windows over two segmentations: their sizes, and the counts of boundaries in them.

A window of size k holds k potential boundaries: from unit i to unit i + k of a text of n units,
which makes n - k windows (Pevzner and Hearst 2002). *Padded* (Lamprier et al. 2007), the first and
the last segment are k - 1 units longer, which makes n + k - 2 windows, so that every boundary lies
in exactly k of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bitext.errors import OptionError, SegmentationError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bitext.metrics.pairs import Pairs

__all__ = ["window_sizes"]


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
        # rint rounds half to even, and a quotient that is a half is exact.
        found = np.rint(sizes / (2 * pairs.gold.segments)).astype(np.int64)
        found = np.maximum(found, 2)
    elif isinstance(k, bool) or not isinstance(k, int | np.integer) or k < 1:
        raise OptionError(f"k is {k!r}: want a whole number of units, 1 or more")
    else:
        found = np.full(len(pairs), int(k), dtype=np.int64)
    short = np.flatnonzero(found >= sizes)
    if short.size:
        p = int(short[0])
        where = f"pair {p}: " if len(pairs) > 1 else ""
        n = int(sizes[p])
        raise SegmentationError(
            f"{where}k is {found[p]} and the text has {n} unit{'s' if n > 1 else ''}: want k below "
            f"the number of units"
        )
    return found
