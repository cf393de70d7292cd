"""How many features each two of many items share, as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bitext.kernels.rows import Rows, prefix, row_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["shared_features"]

_COMMON = 32  # items with a feature, above which it is counted by a product of matrices
_BLOCK = 1 << 21  # pairs or cells that are laid out together


def shared_features(items: Rows) -> NDArray[np.int32]:
    """Return the number of features that each two items have in common.

    Rare features are counted pair by pair of the items that have them, common ones in a product of
    matrices. Memory grows with the square of the items.

    Parameters
    ----------
    items : Rows
        Row k: the features of item k, numbers from 0.

    Returns
    -------
    array of int32, shape (items, items)
        Symmetric; the number of its features on the diagonal.

    """
    count = len(items.ptr) - 1
    holders = _holders(items)
    times = holders.lengths
    out = np.zeros((count, count), dtype=np.int32)
    flat = out.reshape(-1)
    for size in np.unique(times[(times > 1) & (times <= _COMMON)]).tolist():
        who = holders.idx[holders.ptr[:-1][times == size][:, None] + np.arange(size)]
        one, other = np.triu_indices(size, 1)
        step = max(1, _BLOCK // len(one))
        for lo in range(0, len(who), step):
            keys = who[lo : lo + step, one] * count + who[lo : lo + step, other]
            met, often = np.unique(keys, return_counts=True)
            flat[met] += often.astype(np.int32)
    out += out.T
    common = np.flatnonzero(times > _COMMON)
    step = max(1, _BLOCK // max(count, 1))
    for lo in range(0, len(common), step):
        chosen = common[lo : lo + step]
        table = np.zeros((count, len(chosen)), dtype=np.float32)
        for column, feature in enumerate(chosen.tolist()):
            table[holders.row(feature), column] = 1
        for row in range(0, count, step):
            out[row : row + step] += (table[row : row + step] @ table.T).astype(np.int32)
    np.fill_diagonal(out, items.lengths)
    return out


def _holders(items: Rows) -> Rows:
    """Return the items that have each feature."""
    order = np.argsort(items.idx, kind="stable")
    return Rows(prefix(np.bincount(items.idx)), row_of(items)[order])
