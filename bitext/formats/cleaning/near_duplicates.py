"""Near-duplicates among bisegments, by MinHash signatures of their words, in one pass.

Source: Broder (1997), "On the resemblance and containment of documents"; bands as in Leskovec,
Rajaraman and Ullman (2014), "Mining of Massive Datasets", section 3.4.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bitext.formats.cleaning.sides import mixed

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bitext.formats.cleaning.sides import Pair

__all__ = ["NearDuplicates"]

# Set by hand: with 8 bands of 4 values, pairs of a similarity of 0.8 become candidates with a
# probability of 0.985, of 0.9 with one of 0.9998.
_BANDS, _ROWS = 8, 4
_HASHES = 32
_SIGNATURES = 1 << 12  # signatures that the table has room for at first


class NearDuplicates:
    """Compares bisegments with the earlier ones; memory is some 900 bytes for each.

    The words of a bisegment are those of both sides, in lower case and without punctuation; a
    word of the source differs from the same word of the target. The similarity of two bisegments
    is the share of 32 hash functions that have their minimum at the same word, an estimate of the
    Jaccard coefficient of their words.
    """

    def __init__(self) -> None:
        generator = np.random.default_rng(1997)
        factors = generator.integers(1, 1 << 63, _HASHES, dtype=np.uint64)
        self._factors = factors * np.uint64(2) + np.uint64(1)
        self._known: list[dict[int, int]] = [{} for _ in range(_BANDS)]
        self._signatures = np.zeros((_SIGNATURES, _HASHES), dtype=np.uint32)
        self._size = 0

    def similarities(self, pair: Pair, high: float) -> NDArray[np.float64]:
        """Return the similarity of each bisegment to the most similar candidate before it.

        Bisegments above `high` are not stored.
        """
        values = np.zeros(len(pair))
        if not len(pair):
            return values
        signatures, filled = self._signed(pair)
        shaped = signatures.reshape(len(pair), _BANDS, _ROWS).astype(np.uint64)
        bands = np.zeros((len(pair), _BANDS), dtype=np.uint64)
        for k in range(_ROWS):
            bands = mixed(bands * np.uint64(31) + shaped[:, :, k] + np.uint64(1))
        rows = bands.tolist()
        for k in np.flatnonzero(pair.open & filled).tolist():
            places = {at for known, key in zip(self._known, rows[k], strict=True)
                      if (at := known.get(key)) is not None}  # fmt: skip
            if places:
                equal = self._signatures[sorted(places)] == signatures[k]
                values[k] = equal.mean(axis=1).max()
            if values[k] <= high:
                self._store(signatures[k], rows[k])
        return values

    def _store(self, signature: NDArray[np.uint32], keys: list[int]) -> None:
        if self._size == len(self._signatures):
            self._signatures = np.concatenate([self._signatures, np.zeros_like(self._signatures)])
        self._signatures[self._size] = signature
        for known, key in zip(self._known, keys, strict=True):
            known.setdefault(key, self._size)
        self._size += 1

    def _signed(self, pair: Pair) -> tuple[NDArray[np.uint32], NDArray[np.bool_]]:
        """Return the signatures, and a mask of the bisegments with any word."""
        owners, hashes = [], []
        for number, side in enumerate(pair.sides):
            owner, _, words = side.tokens
            owners.append(owner)
            hashes.append(mixed(words + np.uint64(number)))
        owner, words = np.concatenate(owners), np.concatenate(hashes)
        order = np.argsort(owner, kind="stable")
        owner, words = owner[order], words[order]
        signatures = np.zeros((len(pair), _HASHES), dtype=np.uint32)
        filled = np.zeros(len(pair), dtype=np.bool_)
        if not owner.size:
            return signatures, filled
        first = np.flatnonzero(np.diff(owner, prepend=-1))
        filled[owner[first]] = True
        for k, factor in enumerate(self._factors):
            values = ((words * factor) >> np.uint64(32)).astype(np.uint32)
            signatures[owner[first], k] = np.minimum.reduceat(values, first)
        return signatures, filled
