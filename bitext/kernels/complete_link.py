"""Complete-link clustering: the two groups whose least similar members are most similar are joined.

Groups are joined while that similarity is at least a threshold. Among pairs that are equally
similar, the one with the earliest member of all is joined first, and of those the one whose other
group has the earliest. A group stands where its earliest member stood. When two are joined, all
similarities to the new one can only sink; so each row keeps its best neighbour to the right until
that one takes part in a join. Memory is the table; time is about its size, at worst its size times
the items.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["complete_link"]

_GONE = -1.0


def complete_link(similarity: NDArray[np.float64], *, threshold: float) -> NDArray[np.int64]:
    """Cluster items by complete linkage.

    Parameters
    ----------
    similarity : array of float64, shape (items, items)
        0 or more; what stands right of the diagonal counts. It is overwritten.
    threshold : float
        The least similarity of two members of a group, above 0.

    Returns
    -------
    array of int64, shape (items,)
        The earliest member of the group of each item.

    """
    count = len(similarity)
    group = np.arange(count)
    if count < 2:
        return group
    table = similarity
    table[np.tri(count, dtype=bool)] = _GONE
    best = table.argmax(axis=1)
    value = table[group, best]
    while True:
        one = int(value.argmax())
        if not value[one] >= threshold:
            return group
        other = int(best[one])
        table[:one, one] = np.minimum(table[:one, one], table[:one, other])
        between = slice(one + 1, other)
        table[one, between] = np.minimum(table[one, between], table[between, other])
        table[one, other + 1 :] = np.minimum(table[one, other + 1 :], table[other, other + 1 :])
        table[:, other] = _GONE
        table[other] = _GONE
        value[other] = _GONE
        group[group == other] = one
        stale = np.flatnonzero(((best == one) | (best == other)) & (value > _GONE))
        stale = np.append(stale, one)
        best[stale] = table[stale].argmax(axis=1)
        value[stale] = table[stale, best[stale]]
