"""The offset of a trained model: what each boundary costs or gains, for the best F1."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bitext.segment.semi_markov import decode

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bitext.segment.text_features import TextFeatures

__all__ = ["f1_of", "tune_offset"]

# The loss of one boundary is 1, so that this is the scale of the scores.
_COARSE = np.arange(-12, 13) / 4
_FINE = np.arange(-4, 5) / 20


def tune_offset(
    features: Sequence[TextFeatures],
    golds: Sequence[NDArray[np.int64]],
    weights: NDArray[np.float64],
) -> tuple[float, float]:
    """Return the offset with the best F1 on texts that training has not seen, and that F1.

    Tried from -3 to 3 in steps of 1/4, then of 1/20 around the best. Of equal ones, the one closest
    to 0. Max-margin training balances the two kinds of error by their number; F1 does not.
    """
    scores = [(text.node_scores(weights), text.edge_scores(weights)) for text in features]

    def best(offsets: NDArray[np.float64]) -> tuple[float, float]:
        tried = []
        for offset in offsets.tolist():
            found = [decode(nodes + offset, edges)[0] for nodes, edges in scores]
            value = f1_of(golds, found)
            tried.append((0.0 if np.isnan(value) else value, -abs(offset), offset))
        value, _, offset = max(tried)
        return offset, value

    coarse, _ = best(_COARSE)
    return best(coarse + _FINE)


def f1_of(golds: Sequence[NDArray[np.int64]], found: Sequence[NDArray[np.int64]]) -> float:
    """Return F1 over the inner boundaries of all texts together; `nan` where there is none at all.

    Examples
    --------
    >>> f1_of([np.array([0, 2, 5])], [np.array([0, 2, 3])])
    0.5

    """
    hits = sum(
        int(np.isin(ours, gold, assume_unique=True).sum()) - min(len(ours), 1)
        for gold, ours in zip(golds, found, strict=True)
    )
    total = sum(max(len(starts) - 1, 0) for starts in (*golds, *found))
    return 2 * hits / total if total else float("nan")
