"""Near-duplicates: sets of tokens with a Jaccard coefficient of a threshold or more.

Source: Broder (1997), "On the resemblance and containment of documents"; bands as in Leskovec,
Rajaraman and Ullman (2014), "Mining of Massive Datasets", section 3.4. Sets that share a band of
MinHash values are candidates; their coefficient is then computed from the sets, so that no pair
below the threshold is ever returned. A pair at the threshold is missed with a probability below
1 in 100,000, one well above it practically never.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, pairwise
from math import ceil, floor, log, log1p
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bitext.kernels.arrays import Floats, Ints, Rows, joined_labels, mixed, ranges, take

if TYPE_CHECKING:
    _Pairs = tuple[Ints, Ints]

_MISSED_PROBABILITY = 1e-5  # probability that a pair at the threshold shares no band; set by hand
# Values of a band: more of them make fewer candidates, and more bands for the same probability. A
# pair at the threshold shares a band with a probability of 0.4 or more, where three values can do;
# set by hand.
_LEAST, _MOST, _SHARED = 3, 6, 0.4
_MOST_COMPARED = 64  # sets of a band that a set is compared with, at most; set by hand
_FINER_FACTOR = 4  # times that a band with more sets gets as many values again; set by hand
_SETS_AT_ONCE = 1 << 13  # sets that are hashed, or searched for, at once: some 20 MB
_PAIRS_COMPARED_AT_ONCE = 1 << 14  # pairs compared at once: some 30 MB for sets of 60 tokens
_GROUP, _PADDING = 512, 1.5  # sets that are hashed together, ratio of their sizes; set by hand
# Bits of the bitmap of an index for each entry, at least half of it; set by hand
_BITS_PER_ENTRY = 8
_ENTRIES_AT_ONCE = 1 << 20  # entries that are marked in the bitmap at once: some 30 MB
_BANDS_AT_ONCE = 4  # bands whose keys are computed at once; set by hand
_PAIRS_AT_ONCE = 1 << 20  # pairs that are examined at once: some 60 MB
_SKETCH_WORDS = 2  # words of 64 bits of a sketch; set by hand
_SEED = 1997  # of the random numbers of hashes; any number does
_HASH_MASK = np.uint64(0xFFFFFFFF00000000)  # the hash of an entry; the lower half is a set


class _Bands:
    """Keys of bands of MinHash values, for a threshold.

    There are `number` bands of `width` values.
    """

    def __init__(self, threshold: float) -> None:
        self.number, self.width = 0, _MOST
        if threshold < 1:  # sets with a coefficient of 1 are equal: their digests find them
            self.width = min(max(floor(log(_SHARED) / log(threshold)), _LEAST), _MOST)
            self.number = ceil(log(_MISSED_PROBABILITY) / log1p(-(threshold**self.width)))
        generator = np.random.default_rng(_SEED)
        shape = (self.number * (1 + _FINER_FACTOR), self.width)
        self._factors = generator.integers(0, 1 << 31, shape, np.uint32) * np.uint32(2) + np.uint32(
            1
        )
        self._salts = generator.integers(0, 1 << 32, shape, np.uint32)

    def keys(self, sets: _Sets, bands: range, chosen: Ints | None = None) -> NDArray[np.uint64]:
        """Return the keys of chosen sets, or all, (bands, sets); bands from `number` are spare."""
        chosen = np.arange(len(sets.begins)) if chosen is None else chosen
        keys = np.empty((len(bands), len(chosen)), dtype=np.uint64)
        for begin in range(0, len(chosen), _SETS_AT_ONCE):
            part = slice(begin, begin + _SETS_AT_ONCE)
            keys[:, part] = self._keys(sets, chosen[part], bands)
        return keys

    def _keys(self, sets: _Sets, chosen: Ints, bands: range) -> NDArray[np.uint64]:
        begins = sets.begins[chosen]
        lengths = sets.ends[chosen] - begins
        # Sets of similar sizes are hashed together, the shorter ones with a repeated token.
        order = np.argsort(lengths, kind="stable")
        factors = self._factors[bands.start : bands.stop].ravel()
        salts = self._salts[bands.start : bands.stop].ravel()
        minima = np.empty((len(factors), len(chosen)), dtype=np.uint32)
        for places in _similar(order, lengths[order]):
            sizes = lengths[places]
            steps = np.arange(sizes[-1])[:, None]
            tokens = sets.tokens[begins[places] + np.minimum(steps, sizes - 1)]
            tokens = tokens.astype(np.uint32)
            hashed = np.empty_like(tokens)
            least = np.empty((len(factors), places.size), dtype=np.uint32)
            for k, (factor, salt) in enumerate(zip(factors, salts, strict=True)):
                np.bitwise_xor(tokens, salt, out=hashed)
                np.multiply(hashed, factor, out=hashed)
                np.minimum.reduce(hashed, axis=0, out=least[k])
            minima[:, places] = least
        keys = np.empty((len(bands), len(chosen)), dtype=np.uint64)
        keys[:] = np.array(bands, dtype=np.uint64)[:, None]
        for k in range(self.width):
            keys = mixed(keys * np.uint64(31) + minima[k :: self.width])
        return keys


def _similar(order: Ints, lengths: Ints) -> Iterator[Ints]:
    """Split sets, in ascending order of their lengths, into groups of similar lengths."""
    begin = 0
    while begin < len(order):
        end = int(np.searchsorted(lengths, _PADDING * lengths[begin], side="right"))
        yield order[begin : min(end, begin + _GROUP)]
        begin = min(end, begin + _GROUP)


class NearDuplicates:
    """Finds sets that are near-duplicates of earlier ones, in one pass.

    Memory is 4 bytes a token, 24 bytes a set, and 9 or 10 bytes a set and band: 22 bands for a
    threshold of 0.8, 16 for 0.9.

    Parameters
    ----------
    threshold : float
        The least Jaccard coefficient of near-duplicates, above 0.5 and at most 1.

    Examples
    --------
    >>> sets = Rows(np.array([0, 5, 9, 11]), np.array([1, 2, 3, 4, 5, 1, 2, 3, 4, 7, 8]))
    >>> NearDuplicates(0.8).nearest(sets).tolist()
    [0.0, 0.8, 0.0]

    """

    def __init__(self, threshold: float) -> None:
        self._threshold = threshold
        self._bands = _Bands(threshold)
        self._ptr, self._idx = GrowingArray(np.int64, [0]), GrowingArray(np.uint32)
        self._sketches = GrowingArray(np.uint64)
        self._index = _Index()

    def nearest(self, sets: Rows) -> Floats:
        """Return the coefficient of each set and the nearest near-duplicate before it, or 0.

        The tokens of each set are ascending and distinct, from 0 to 2**32 - 1. Sets that have no
        near-duplicate are stored, and compared with later ones. A set without tokens has none, and
        is not stored.
        """
        values = np.zeros(len(sets.ptr) - 1)
        filled = np.flatnonzero(sets.lengths)
        for begin in range(0, filled.size, _SETS_AT_ONCE):
            chosen = filled[begin : begin + _SETS_AT_ONCE]
            values[chosen] = self._nearest(take(sets, chosen))
        return values

    def _nearest(self, sets: Rows) -> Floats:
        digests = _digests(sets)
        first, place = _first_of_equals(digests)
        distinct = _Sets.of(sets, first)
        keys = self._bands.keys(distinct, range(self._bands.number))
        entries = _entries(np.concatenate([digests[first][None], keys]))
        rows = _members(entries)
        values = np.zeros(len(first))
        ptr = self._ptr.values
        stored = _Sets(ptr[:-1], ptr[1:], self._idx.values, self._sketches.values)
        for new, old in self._index.pairs(entries):
            new, _, near = _close(distinct, new, stored, old, self._threshold)
            np.maximum.at(values, new, near)
        values = self._nearest_within(distinct, entries, rows, values)
        # Only sets that pass are stored: later ones are compared with these alone.
        passing = values == 0
        number = np.cumsum(passing) + (len(ptr) - 2)
        new_entries = passing[rows]
        self._index.add(
            (entries[new_entries] & _HASH_MASK) | number[rows[new_entries]].astype(np.uint64)
        )
        added = take(sets, first[passing])
        self._ptr.extend(added.ptr[1:] + ptr[-1])
        self._idx.extend(added.idx)
        self._sketches.extend(distinct.sketches[np.repeat(passing, _SKETCH_WORDS)])
        # An equal set that comes again is a duplicate of the first, which passed.
        result = values[place]
        again = np.ones(len(digests), dtype=np.bool_)
        again[first] = False
        result[again & (result == 0)] = 1
        return result

    def _nearest_within(
        self, sets: _Sets, entries: NDArray[np.uint64], rows: Ints, stored: Floats
    ) -> Floats:
        """Return the coefficients, given those with stored sets, with earlier sets of this part.

        Sets with a near-duplicate are not stored, so only the others count for later ones.
        """
        values = stored
        pairs: list[NDArray[Any]] = [np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0)]
        while True:
            rest = entries[values[rows] == 0]
            coefficients = [
                _close(sets, one, sets, other, self._threshold)
                for one, other in chain(_pairs(rest), _pairs_of_first(rest))
            ]
            new = [np.concatenate(each) for each in zip(*coefficients, strict=True)]
            pairs = [np.concatenate(each) for each in zip(pairs, new, strict=True)]
            one, other, near = pairs
            values = stored.copy()
            for k in np.lexsort((one, other)).tolist():
                if values[one[k]] == 0:
                    values[other[k]] = max(values[other[k]], near[k])
            # Those that pass may have near-duplicates beyond the sets of a key that were compared.
            if not len(new[0]) or _ranks(rest).max(initial=0) < _MOST_COMPARED:
                return values


class GrowingArray:
    """An array that grows at its end, in place where the system can.

    Parameters
    ----------
    kind : type
        The type of its values.
    values : sequence, optional
        The first ones.

    """

    def __init__(self, kind: type, values: Sequence[int] = ()) -> None:
        self._array: NDArray[Any] = np.array(values, dtype=kind)
        self._size = len(values)

    @property
    def values(self) -> NDArray[Any]:
        """The values, as a view that the next `extend` makes invalid."""
        return self._array[: self._size]

    def extend(self, values: NDArray[Any]) -> None:
        """Append values."""
        size = self._size + len(values)
        if size > len(self._array):
            self._array.resize(size + (size >> 5) + 1024, refcheck=False)
        self._array[self._size : size] = values
        self._size = size


class _Index:
    """Entries, each a hash and a set, in sorted runs of which each is longer than the next.

    A bitmap of the hashes answers most searches, as most hashes are of one set only.
    """

    def __init__(self) -> None:
        self._entries = GrowingArray(np.uint64)
        self._begins: list[int] = []  # of the runs
        self._shift = np.uint64(64 - 16)
        self._bitmap = np.zeros(1 << 13, dtype=np.uint8)

    def add(self, entries: NDArray[np.uint64]) -> None:
        """Add sorted entries."""
        begin = len(self._entries.values)
        self._entries.extend(entries)
        size, bits = len(self._entries.values), len(self._bitmap) * 8
        # Two runs become one when the last is at least half as long as the one before it.
        while self._begins and 2 * (size - begin) >= begin - self._begins[-1]:
            begin = self._begins.pop()
        self._begins.append(begin)
        self._entries.values[begin:].sort()
        if size * _BITS_PER_ENTRY <= bits:
            self._mark(entries)
            return
        while bits < size * _BITS_PER_ENTRY:
            bits *= 2
        self._shift = np.uint64(64 - (bits.bit_length() - 1))
        self._bitmap = np.zeros(bits // 8, dtype=np.uint8)
        for first, last in pairwise([*self._begins, size]):
            self._mark(self._entries.values[first:last])

    def _mark(self, entries: NDArray[np.uint64]) -> None:
        for begin in range(0, len(entries), _ENTRIES_AT_ONCE):
            places = entries[begin : begin + _ENTRIES_AT_ONCE] >> self._shift
            bits = np.uint8(1) << (places & np.uint64(7)).astype(np.uint8)
            places >>= np.uint64(3)
            first = np.flatnonzero(np.diff(places, prepend=~places[:1]))
            self._bitmap[places[first]] |= np.bitwise_or.reduceat(bits, first)

    def pairs(self, entries: NDArray[np.uint64]) -> Iterator[_Pairs]:
        """Yield the pairs of a set of sorted entries and one of the index with an equal hash."""
        places = entries >> self._shift
        marks = self._bitmap[places >> np.uint64(3)] >> (places & np.uint64(7)).astype(np.uint8)
        entries = entries[(marks & 1) > 0]
        for begin, end in pairwise([*self._begins, len(self._entries.values)]):
            run = self._entries.values[begin:end]
            first = np.searchsorted(run, entries & _HASH_MASK)
            matching = np.flatnonzero(first < len(run))
            matching = matching[(run[first[matching]] ^ entries[matching]) & _HASH_MASK == 0]
            last = np.searchsorted(run, entries[matching] | ~_HASH_MASK, side="right")
            number = np.minimum(last - first[matching], _MOST_COMPARED)
            yield (
                _members(np.repeat(entries[matching], number)),
                _members(run[ranges(first[matching], number)]),
            )


class _Sets(NamedTuple):
    """Sets of tokens, which are anywhere in an array, and their sketches.

    A sketch has a bit for each hash of a token, set where the number of tokens with this hash is
    odd. Two sketches differ in no more bits than the sets in tokens (Mitzenmacher, Pagh and Pham
    2014, "Efficient estimation for high similarities using odd sketches").
    """

    begins: Ints
    ends: Ints
    tokens: NDArray[Any]
    sketches: NDArray[np.uint64]

    @classmethod
    def of(cls, sets: Rows, chosen: Ints) -> _Sets:
        """Return the chosen sets, none of them empty, with their sketches."""
        begins, ends = sets.ptr[:-1][chosen], sets.ptr[1:][chosen]
        sketches = np.empty((len(chosen), _SKETCH_WORDS), dtype=np.uint64)
        for begin in range(0, len(chosen), _SETS_AT_ONCE):
            ptr, members = take(sets, chosen[begin : begin + _SETS_AT_ONCE])
            tokens = members.astype(np.uint64)
            bits = np.uint64(1) << (tokens & np.uint64(63))
            word = (tokens >> np.uint64(6)) % np.uint64(_SKETCH_WORDS)
            for k in range(_SKETCH_WORDS):
                own = np.where(word == k, bits, np.uint64(0))
                sketches[begin : begin + _SETS_AT_ONCE, k] = np.bitwise_xor.reduceat(own, ptr[:-1])
        return cls(begins, ends, sets.idx, sketches.reshape(-1))


def _members(entries: NDArray[np.uint64]) -> Ints:
    return (entries & ~_HASH_MASK).astype(np.int64)


def _entries(keys: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return the sorted entries of keys, (bands, sets)."""
    entries = (keys & _HASH_MASK) | np.arange(keys.shape[1], dtype=np.uint64)
    return np.sort(entries, axis=None)


def _pairs(entries: NDArray[np.uint64]) -> Iterator[_Pairs]:
    """Yield the pairs of sets of sorted entries with an equal hash, the lower set first."""
    rank = _ranks(entries)
    places = np.flatnonzero(rank)
    cuts = np.searchsorted(
        np.cumsum(rank[places]), np.arange(_PAIRS_AT_ONCE, rank.sum(), _PAIRS_AT_ONCE)
    )
    for part in np.split(places, cuts):
        later = np.repeat(entries[part], rank[part])
        earlier = entries[ranges(part - rank[part], rank[part])]
        one, other = _members(earlier), _members(later)
        apart = one != other
        yield one[apart], other[apart]


def _pairs_of_first(entries: NDArray[np.uint64]) -> Iterator[_Pairs]:
    """Yield the pairs of the first set and each other one of every group of too many sets."""
    begin = _begins(entries)
    rank = np.arange(len(entries)) - begin
    later = np.flatnonzero(np.isin(begin, begin[rank > _MOST_COMPARED]) & (rank > 0))
    one, other = _members(entries[begin[later]]), _members(entries[later])
    yield one[one != other], other[one != other]


def _begins(entries: NDArray[np.uint64]) -> Ints:
    """Return the place of the first of the sorted entries with the hash of each."""
    hashes = entries >> np.uint64(32)
    begin = np.flatnonzero(np.diff(hashes, prepend=np.uint64(2**64 - 1)))
    return np.repeat(begin, np.diff(begin, append=len(entries)))


def _ranks(entries: NDArray[np.uint64]) -> Ints:
    """Count for each entry the entries before it with the same hash, up to `_MOST_COMPARED`."""
    rank = np.arange(len(entries)) - _begins(entries)
    return np.asarray(np.minimum(rank, _MOST_COMPARED))


def near_duplicate_clusters(sets: Rows, *, threshold: float) -> Ints:
    """Cluster sets by single linkage over pairs of a Jaccard coefficient of `threshold` or more.

    The tokens of each set are ascending and distinct, from 0 to 2**32 - 1; the threshold is above
    0.5 and at most 1. Returns the first member of the cluster of each set.

    Examples
    --------
    >>> sets = Rows(np.array([0, 5, 9, 11]), np.array([1, 2, 3, 4, 5, 1, 2, 3, 4, 7, 8]))
    >>> near_duplicate_clusters(sets, threshold=0.8).tolist()
    [0, 0, 2]

    """
    # Equal sets are clustered first, by their first one: bands are of different sets only.
    first, place = _first_of_equals(_digests(sets))
    labels = first[place]
    first = first[sets.lengths[first] > 0]
    distinct = _Sets.of(sets, first)
    joined = np.arange(len(first))
    bands = _Bands(threshold)
    for begin in range(0, bands.number, _BANDS_AT_ONCE):
        batch = range(begin, min(begin + _BANDS_AT_ONCE, bands.number))
        for band, keys in zip(batch, bands.keys(distinct, batch), strict=True):
            firsts = _pairs_of_first(_entries(keys[None]))
            for one, other in chain(firsts, _pairs(_finer_entries(distinct, bands, band, keys))):
                apart = joined[one] != joined[other]
                one, other, _ = _close(distinct, one[apart], distinct, other[apart], threshold)
                joined = joined_labels(joined, one, other)
    labels[first] = first[joined]
    return labels[labels]


def _finer_entries(
    sets: _Sets, bands: _Bands, band: int, keys: NDArray[np.uint64]
) -> NDArray[np.uint64]:
    """Return the entries of a band, with more values in the keys of large groups.

    Frequent tokens with low hashes make large groups.
    """
    entries = _entries(keys[None])
    for finer in range(1, _FINER_FACTOR + 1):
        hashes = entries >> np.uint64(32)
        crowded = hashes[_ranks(entries) == _MOST_COMPARED]
        if not crowded.size:
            break
        rows = _members(entries[np.isin(hashes, crowded)])
        spare = bands.number * finer + band
        (more,) = bands.keys(sets, range(spare, spare + 1), rows)
        keys[rows] = mixed(keys[rows] * np.uint64(31) + more)
        entries = _entries(keys[None])
    return entries


def _first_of_equals(digests: NDArray[np.uint64]) -> tuple[Ints, Ints]:
    """Return the first place of each value, ascending, and the number of it at each place."""
    _, first, same = np.unique(digests, return_index=True, return_inverse=True)
    order = np.argsort(first)
    number = np.empty_like(order)
    number[order] = np.arange(len(order))
    return first[order], number[same.reshape(-1)]


def _digests(sets: Rows) -> NDArray[np.uint64]:
    """Return a hash of each set: of the sum of the hashes of its tokens."""
    digests = np.empty(len(sets.ptr) - 1, dtype=np.uint64)
    for begin in range(0, len(digests), _SETS_AT_ONCE):
        ptr = sets.ptr[begin : begin + _SETS_AT_ONCE + 1]
        tokens = sets.idx[ptr[0] : ptr[-1]].astype(np.uint64)
        sums = np.zeros(len(tokens) + 1, dtype=np.uint64)
        np.cumsum(mixed(tokens + np.uint64(_SEED)), out=sums[1:])  # modulo 2**64
        digests[begin : begin + _SETS_AT_ONCE] = mixed(
            sums[ptr[1:] - ptr[0]] - sums[ptr[:-1] - ptr[0]]
        )
    return digests


def _close(
    ones: _Sets, one: Ints, others: _Sets, other: Ints, threshold: float
) -> tuple[Ints, Ints, Floats]:
    """Return the pairs of a coefficient of the threshold or more, each once, and coefficients."""
    # The sets differ in so many tokens at most, and their sketches in no more bits.
    sizes = ones.ends[one] - ones.begins[one] + others.ends[other] - others.begins[other]
    differing = np.zeros(len(one), dtype=np.uint8)
    for k in range(_SKETCH_WORDS):
        bits = ones.sketches[one * _SKETCH_WORDS + k] ^ others.sketches[other * _SKETCH_WORDS + k]
        differing += np.bitwise_count(bits)
    chosen = np.flatnonzero(differing <= sizes * ((1 - threshold) / (1 + threshold)) + 1e-6)
    packed = (one[chosen].astype(np.uint64) << np.uint64(32)) | other[chosen].astype(np.uint64)
    chosen = chosen[np.unique(packed, return_index=True)[1]]
    near = _jaccard(ones, one[chosen], others, other[chosen])
    close = near >= threshold
    return one[chosen[close]], other[chosen[close]], near[close]


def _jaccard(ones: _Sets, one: Ints, others: _Sets, other: Ints) -> Floats:
    """Return the Jaccard coefficient of each pair of a set of one collection and one of another."""
    values = np.zeros(len(one))
    for begin in range(0, len(one), _PAIRS_COMPARED_AT_ONCE):
        part = slice(begin, begin + _PAIRS_COMPARED_AT_ONCE)
        both, total = [], np.zeros(len(one[part]), dtype=np.int64)
        for sets, chosen in ((ones, one[part]), (others, other[part])):
            begins = sets.begins[chosen]
            sizes = sets.ends[chosen] - begins
            pair = np.repeat(np.arange(len(chosen), dtype=np.uint64) << np.uint64(32), sizes)
            both.append(pair | sets.tokens[ranges(begins, sizes)].astype(np.uint64))
            total += sizes
        tokens = np.sort(np.concatenate(both))
        repeated = (tokens[1:][tokens[1:] == tokens[:-1]] >> np.uint64(32)).astype(np.int64)
        common = np.bincount(repeated, minlength=len(total))
        values[part] = common / np.maximum(total - common, 1)
    return values
