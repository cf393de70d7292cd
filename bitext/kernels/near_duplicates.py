"""Clusters of near-duplicates: sets of tokens joined where their Jaccard coefficient is high.

Source: Broder (1997), "On the resemblance and containment of documents"; bands as in Leskovec,
Rajaraman and Ullman (2014), "Mining of Massive Datasets", section 3.4. Candidates share a band;
their coefficient is then computed from the sets, so that no pair below the threshold is joined.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from bitext.kernels.rows import Rows, prefix, ranges, row_of, take

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

__all__ = ["joined_labels", "near_duplicate_clusters"]

# With 20 bands of 3 values a pair of a coefficient of 0.8 is missed with a probability of 6e-7
# (0.488 to the 20th), one of 0.7 with 2e-4.
_BANDS, _WIDTH = 20, 3
_COMPARED = 64  # earlier sets of a band that a set is compared with, at most; set by hand
_FINER = 4  # times that a band with more sets gets as many minima again; set by hand
_AT_ONCE = 1 << 14  # pairs compared at once: some 30 MB for sentences of 40 tokens
_CHUNK = 1 << 18  # tokens that are hashed at once: some 10 MB
_SEED = 1997


def near_duplicate_clusters(sets: Rows, *, threshold: float) -> NDArray[np.int64]:
    """Cluster sets by single linkage over pairs of a Jaccard coefficient of `threshold` or more.

    Parameters
    ----------
    sets : Rows
        The tokens of each set, ascending and distinct, from 0 to 2**32 - 1.
    threshold : float
        The least coefficient, above 0.5 and at most 1.

    Returns
    -------
    array of int64, shape (sets,)
        The first member of the cluster of each set.

    Examples
    --------
    >>> sets = Rows(np.array([0, 5, 9, 11]), np.array([1, 2, 3, 4, 5, 1, 2, 3, 4, 7, 8]))
    >>> near_duplicate_clusters(sets, threshold=0.8).tolist()
    [0, 0, 2]

    """
    count = len(sets.ptr) - 1
    if not count:
        return np.empty(0, np.int64)
    # Equal sets are clustered first: a band then has different sets only.
    digests = _over_chunks(sets, _set_digests)
    _, first, same = np.unique(digests, return_index=True, return_inverse=True)
    same = same.reshape(-1)
    wanted = np.zeros(count, dtype=np.bool_)
    wanted[first] = True
    lengths = sets.lengths
    distinct = Rows(prefix(lengths[wanted]), sets.idx[np.repeat(wanted, lengths)])
    digests = digests[wanted]
    place = (np.cumsum(wanted) - 1)[first][same]  # of each set, among the distinct ones
    labels = np.arange(len(first))
    generator = np.random.default_rng(_SEED)
    for _ in range(_BANDS):
        keys = _band(distinct, generator)
        for _ in range(_FINER):
            # Frequent tokens with low hashes make large groups: more minima take these apart.
            order, rank = _ranked(keys, digests)
            large = np.unique(keys[order[rank == _COMPARED]])
            crowded = np.flatnonzero(np.isin(keys, large))
            if not crowded.size:
                break
            finer = _band(take(distinct, crowded), generator)
            keys[crowded] = _mixed(keys[crowded] * np.uint64(31) + finer)
        one, other = _close_pairs(distinct, *_ranked(keys, digests), threshold)
        labels = joined_labels(labels, one, other)
    members = labels[place]
    earliest = np.full(len(first), count, dtype=np.int64)
    np.minimum.at(earliest, members, np.arange(count))
    result: NDArray[np.int64] = earliest[members]
    return result


def joined_labels(
    labels: NDArray[np.int64], one: NDArray[np.int64], other: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Join the clusters of pairs of items; return the least label of each cluster.

    A label is the place of an item whose own label is the same.
    """
    while one.size:
        a, b = labels[one], labels[other]
        apart = a != b
        if not apart.any():
            return labels
        one, other = one[apart], other[apart]
        low, high = np.minimum(a, b)[apart], np.maximum(a, b)[apart]
        labels = labels.copy()
        np.minimum.at(labels, high, low)
        while True:  # pointer jumping, until every label is its own
            jumped = labels[labels]
            if np.array_equal(jumped, labels):
                break
            labels = jumped
    return labels


def _mixed(values: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Mix the bits of 64-bit values (the finaliser of SplitMix64, Steele et al. 2014)."""
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return values ^ (values >> np.uint64(31))


def _over_chunks(sets: Rows, function: Callable[[Rows], NDArray[np.uint64]]) -> NDArray[np.uint64]:
    """Apply a function to chunks of sets, so that its arrays of tokens stay small."""
    number = len(sets.ptr) - 1
    cuts = np.unique(np.searchsorted(sets.ptr, np.arange(0, sets.ptr[-1], _CHUNK)))
    cuts = np.unique(np.concatenate([[0], np.minimum(cuts, number), [number]])).tolist()
    parts = [
        function(Rows(sets.ptr[a : b + 1] - sets.ptr[a], sets.idx[sets.ptr[a] : sets.ptr[b]]))
        for a, b in pairwise(cuts)
    ]
    return np.concatenate(parts)


def _set_digests(sets: Rows) -> NDArray[np.uint64]:
    mixed = _mixed(sets.idx.astype(np.uint64) + np.uint64(_SEED))
    sums = np.concatenate([np.zeros(1, np.uint64), np.cumsum(mixed)])  # modulo 2**64
    return _mixed(sums[sets.ptr[1:]] - sums[sets.ptr[:-1]])


def _band(sets: Rows, generator: np.random.Generator) -> NDArray[np.uint64]:
    """Return the key of one band of each set: of its minima under a few hash functions."""
    salts = generator.integers(1, 1 << 62, _WIDTH, dtype=np.uint64)

    def keys_of(chunk: Rows) -> NDArray[np.uint64]:
        keys = np.zeros(len(chunk.ptr) - 1, dtype=np.uint64)
        filled = np.flatnonzero(chunk.lengths)
        tokens = chunk.idx.astype(np.uint64)
        for salt in salts if filled.size else ():
            minima = np.minimum.reduceat(_mixed(tokens ^ salt), chunk.ptr[filled])
            keys[filled] = _mixed(keys[filled] * np.uint64(31) + minima)
        return keys

    return _over_chunks(sets, keys_of)


def _close_pairs(
    sets: Rows, order: NDArray[np.int64], rank: NDArray[np.int64], threshold: float
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the pairs of sets that share a key (see `_ranked`) and reach the threshold."""
    ones, others = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    for part in np.array_split(np.flatnonzero(rank), max(rank.sum() // _AT_ONCE, 1)):
        one = order[np.repeat(part, rank[part])]
        other = order[ranges(part - rank[part], rank[part])]
        close = _jaccard(sets, one, other) >= threshold
        ones.append(one[close])
        others.append(other[close])
    return np.concatenate(ones), np.concatenate(others)


def _ranked(
    keys: NDArray[np.uint64], digests: NDArray[np.uint64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Sort sets by key and digest; return them with the number of earlier ones to compare with."""
    order = np.lexsort((digests, keys))
    ordered = keys[order]
    begin = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]]))
    rank = np.arange(len(keys)) - np.repeat(begin, np.diff(begin, append=len(keys)))
    return order, np.minimum(rank, _COMPARED)


def _jaccard(sets: Rows, one: NDArray[np.int64], other: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the Jaccard coefficient of each pair of sets."""
    sizes = np.diff(sets.ptr)
    a, b = take(sets, one), take(sets, other)
    owners = np.concatenate([row_of(a), row_of(b)]).astype(np.uint64)
    tokens = np.concatenate([a.idx, b.idx]).astype(np.uint64)
    values = np.sort((owners << np.uint64(32)) | tokens)
    repeated = values[1:][values[1:] == values[:-1]] >> np.uint64(32)
    common = np.bincount(repeated.astype(np.int64), minlength=len(one))
    union = sizes[one] + sizes[other] - common
    return common / np.maximum(union, 1)
