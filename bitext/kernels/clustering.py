"""Complete-link and average-link clustering, and the numbers of common features of pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bitext.kernels.rows import Rows, prefix, row_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["average_link", "complete_link", "shared_features"]


# Complete-link clustering: each step joins the two groups whose least similar members are most
# similar, while this similarity is at least a threshold. Ties go to the pair with the earliest
# member of all, then to the one whose other group has the earliest member. A group takes the row of
# its earliest member. A join can only lower similarities to the new group, so each row keeps its
# best neighbour to the right until this neighbour is joined. Memory is the table; time is about its
# size, at worst its size times the items.

_GONE = -1.0


def complete_link(similarity: NDArray[np.float64], *, threshold: float) -> NDArray[np.int64]:
    """Cluster items by complete linkage.

    Parameters
    ----------
    similarity : array of float64, shape (items, items)
        0 or more; only the values right of the diagonal count. The array is overwritten.
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


def average_link(
    similarity: NDArray[np.float64], *, threshold: float, groups: int | None = None
) -> NDArray[np.int64]:
    """Cluster items by average linkage.

    Each step joins the two groups whose members are most similar on average, ties as for
    `complete_link`. The mean for a joined group lies between those of its parts, so each row keeps
    its best neighbour here, too. Sums are exact if the similarities are multiples of a power of 2.

    Parameters
    ----------
    similarity : array of float64, shape (items, items)
        0 or more; only the values right of the diagonal count.
    threshold : float
        The least mean similarity of two groups that are joined; ignored if `groups` is given.
    groups : int, optional
        The number of groups to stop at, 1 or more.

    Returns
    -------
    array of int64, shape (items,)
        The earliest member of the group of each item.

    """
    count = len(similarity)
    group = np.arange(count)
    if count < 2:
        return group
    total = np.where(np.tri(count, dtype=bool), _GONE, similarity)  # sums over pairs of members
    size = np.ones(count)
    best = total.argmax(axis=1)
    value = total[group, best]
    for left in range(count, 1, -1):
        one = int(value.argmax())
        if left <= groups if groups is not None else not value[one] >= threshold:
            break
        other = int(best[one])
        total[:one, one] += total[:one, other]
        between = slice(one + 1, other)
        total[one, between] += total[between, other]
        total[one, other + 1 :] += total[other, other + 1 :]
        size[one] += size[other]
        total[:, other] = _GONE
        total[other] = _GONE
        value[other] = _GONE
        group[group == other] = one
        stale = np.flatnonzero(((best == one) | (best == other)) & (value > _GONE))
        stale = np.append(stale, one)
        mean = total[stale] / (size[stale, None] * size)
        best[stale] = mean.argmax(axis=1)
        value[stale] = mean[np.arange(len(stale)), best[stale]]
    return group


_COMMON = 32  # items with a feature above which a product of matrices is faster; set by hand
_BLOCK = 1 << 21  # pairs or cells in memory at a time; set by hand: 16 MB


def shared_features(
    items: Rows, *, common: int = _COMMON, at_once: int = _BLOCK
) -> NDArray[np.int32]:
    """Return the number of common features of every two items.

    Rare features are counted for each pair of their items, frequent ones by a product of matrices.
    Memory grows with the square of the items.

    Parameters
    ----------
    items : Rows
        Row k: the features of item k, as numbers from 0.
    common : int
        Items with a feature, above which it is counted by a product of matrices.
    at_once : int
        Pairs or cells that are laid out together, which bounds memory.

    Returns
    -------
    array of int32, shape (items, items)
        Symmetric; the diagonal has the number of features of each item.

    """
    count = len(items.ptr) - 1
    holders = _holders(items)
    times = holders.lengths
    out = np.zeros((count, count), dtype=np.int32)
    flat = out.reshape(-1)
    for size in np.unique(times[(times > 1) & (times <= common)]).tolist():
        who = holders.idx[holders.ptr[:-1][times == size][:, None] + np.arange(size)]
        one, other = np.triu_indices(size, 1)
        step = max(1, at_once // len(one))
        for lo in range(0, len(who), step):
            keys = who[lo : lo + step, one] * count + who[lo : lo + step, other]
            met, counts = np.unique(keys, return_counts=True)
            flat[met] += counts.astype(np.int32)
    out += out.T
    often = np.flatnonzero(times > common)
    step = max(1, at_once // max(count, 1))
    for lo in range(0, len(often), step):
        chosen = often[lo : lo + step]
        table = np.zeros((count, len(chosen)), dtype=np.float32)
        for column, feature in enumerate(chosen.tolist()):
            table[holders.row(feature), column] = 1
        for row in range(0, count, step):
            out[row : row + step] += (table[row : row + step] @ table.T).astype(np.int32)
    np.fill_diagonal(out, items.lengths)
    return out


def _holders(items: Rows) -> Rows:
    """Return the items with each feature."""
    order = np.argsort(items.idx, kind="stable")
    return Rows(prefix(np.bincount(items.idx)), row_of(items)[order])
