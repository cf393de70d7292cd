"""Features of words as numbers, and tables that hold a row of weights for each known feature.

A feature is a mix of codes (of a word, a suffix, a tag ...) under a number of its template: a
hash of 26 bits. A table knows its features by that hash; a feature that it does not know has
row 0, whose weights are 0. Two features that meet in a hash share their weights.

On disk a table is sparse: weights are whole numbers from -127 to 127 times one scale, and those
near 0 are left out.
"""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

__all__ = ["BITS", "NAMES", "Slots", "Table", "code", "mix", "pack", "word_codes"]

BITS = 26
_SLOT_BITS = 22  # the slot is found by these, the rest tells features of one slot apart
_MULTIPLIERS = (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB)
_CHUNK = 2048  # rows of features that are summed at once, so that they stay in the cache

# What is known of a word, each a column of `word_codes`.
NAMES = (
    "form",
    "lower",
    "last1",
    "last2",
    "last3",
    "last4",
    "last5",
    "first1",
    "first2",
    "first3",
    "first4",
    "shape",
    "kind",
)

_LIKE = {  # signs that are one to the parser
    "-LRB-": "(",
    "-RRB-": ")",
    "-LSB-": "[",
    "-RSB-": "]",
    "-LCB-": "{",
    "-RCB-": "}",
    "``": "“",
    "''": "”",
    **dict.fromkeys(("£", "€", "¥", "US$", "U.S$", "AU$", "A$", "CA$", "C$"), "$"),
    **dict.fromkeys(("HK$", "NT$", "NZ$", "S$", "R$"), "$"),
}
_SAME = str.maketrans({"’": "'", "´": "'", "—": "--", "–": "--", "…": "..."})
_known: dict[str, tuple[int, ...]] = {}


def code(text: str) -> int:
    """Return the code of a text, the same on every machine."""
    return zlib.crc32(text.encode("utf-8", "surrogatepass"))


def word_codes(words: Iterable[str]) -> NDArray[np.uint64]:
    """Return what is known of each word as codes [word, name]; 0 where a word is too short."""
    rows = []
    for word in words:
        row = _known.get(word)
        if row is None:
            if len(_known) > 200_000:
                _known.clear()
            row = _known[word] = _codes(word)
        rows.append(row)
    return np.array(rows, dtype=np.uint64).reshape(len(rows), len(NAMES))


def _codes(word: str) -> tuple[int, ...]:
    form = _LIKE.get(word, word).translate(_SAME)[:60]
    if word[-1:].isalpha():  # not a quotation mark, but the apostrophe of n`t
        form = form.replace("`", "'")
    form = "".join("0" if c.isdigit() else c for c in form) or " "
    lower = form.lower()
    size = len(lower)
    ends = [code(f"{lower[-k:]}{k}") if size >= k else 0 for k in range(1, 6)]
    starts = [code(lower[:1])] + [code(lower[:k]) if size > k else 0 for k in range(2, 5)]
    kind = code("U" * form[0].isupper()) ^ code("-" * ("-" in form)) ^ code("0" * ("0" in form))
    return (code(form), code(lower), *ends, *starts, code(_shape(form)), kind)


def _shape(form: str) -> str:
    """Spell a word by the kinds of its characters, at most two of a kind in a row."""
    out: list[str] = []
    for c in form[:12]:
        sign = "A" if c.isupper() else "a" if c.isalpha() else c
        if out[-2:] != [sign, sign]:
            out.append(sign)
    return "".join(out)


def mix(template: int, *parts: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Return the hash of features: one template over rows of codes.

    Parameters
    ----------
    template : int
        The number of the template; two templates with the same codes are two features.
    *parts : array of uint64
        Codes, all of one length.

    """
    first, second, third = _MULTIPLIERS
    mixed: NDArray[np.uint64] = np.bitwise_xor(
        parts[0], np.uint64((template * first) & 0xFFFFFFFFFFFFFFFF)
    ) * np.uint64(second)
    mixed ^= mixed >> np.uint64(29)
    for part in parts[1:]:
        mixed ^= part
        mixed *= np.uint64(second)
        mixed ^= mixed >> np.uint64(29)
    mixed *= np.uint64(third)
    return (mixed >> np.uint64(64 - BITS)).astype(np.int64)


class Slots:
    """From the hashes of features to rows, 1 and up; 0 for what is not known.

    Parameters
    ----------
    keys : array of int
        The hashes that are known, rising. Where two fall into one slot, the first is kept.

    """

    def __init__(self, keys: NDArray[np.int64]) -> None:
        slots = keys >> (BITS - _SLOT_BITS)
        self.keys: NDArray[np.int64] = keys[np.diff(slots, prepend=-1) > 0]
        self._row = np.zeros(1 << _SLOT_BITS, dtype=np.int32)
        self._row[self.keys >> (BITS - _SLOT_BITS)] = np.arange(1, len(self.keys) + 1)
        self._key = np.concatenate([[-1], self.keys]).astype(np.int32)

    def __call__(self, hashes: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the row of each hash."""
        rows: NDArray[np.int64] = self._row[hashes >> (BITS - _SLOT_BITS)].astype(np.int64)
        rows[self._key[rows] != hashes] = 0
        return rows

    def __len__(self) -> int:
        return len(self.keys) + 1


class Table:
    """Weights of features, some columns each, as `pack` wrote them."""

    def __init__(self, packed: Mapping[str, NDArray[np.generic]], name: str) -> None:
        sizes = packed[f"{name}_sizes"].astype(np.int64)
        columns = packed[f"{name}_columns"]
        self.slots = Slots(np.cumsum(packed[f"{name}_keys"].astype(np.int64)))
        self.scale = np.float32(packed[f"{name}_scale"])
        self._weights = np.zeros((len(self.slots), int(packed[f"{name}_width"])), dtype=np.int16)
        rows = np.repeat(np.arange(1, len(sizes) + 1), sizes)
        self._weights[rows, columns] = packed[f"{name}_values"]

    def sums(self, hashes: NDArray[np.int64]) -> NDArray[np.float32]:
        """Return the sum of the weights of each row of features, at most 250 a row."""
        rows = self.slots(hashes)
        out = np.empty((len(rows), self._weights.shape[1]), dtype=np.int16)
        for at in range(0, len(rows), _CHUNK):
            part = rows[at : at + _CHUNK]
            total = self._weights[part[:, 0]]
            for k in range(1, part.shape[1]):
                total += self._weights[part[:, k]]
            out[at : at + _CHUNK] = total
        return out * self.scale


def pack(
    slots: Slots, weights: NDArray[np.float32], name: str, *, least: float, top: float
) -> dict[str, NDArray[np.generic]]:
    """Return a table as sparse arrays of small numbers.

    Parameters
    ----------
    slots : Slots
        The features, a row of `weights` each; row 0 is left out.
    weights : array of float
        Weights [feature, column].
    name : str
        What the names of the arrays begin with.
    least : float
        A weight nearer to 0 is left out.
    top : float
        A weight is at most this far from 0.

    """
    scale = np.float32(top / 127)
    whole = np.clip(np.rint(weights[1:] / scale), -127, 127).astype(np.int8)
    whole[np.abs(weights[1:]) < least] = 0
    kept = whole.any(axis=1)
    whole = whole[kept]
    rows, columns = np.nonzero(whole)
    return {
        f"{name}_keys": np.diff(slots.keys[kept], prepend=0).astype(np.uint32),
        f"{name}_sizes": np.bincount(rows, minlength=len(whole)).astype(np.uint8),
        f"{name}_columns": columns.astype(np.uint8),
        f"{name}_values": whole[rows, columns],
        f"{name}_scale": np.array(scale),
        f"{name}_width": np.array(weights.shape[1]),
    }


def stacked(columns: Sequence[NDArray[np.int64]]) -> NDArray[np.int64]:
    """Put the hashes of templates side by side: [place, template]."""
    return np.stack(columns, axis=1)
